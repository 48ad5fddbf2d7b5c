"""How wide the place is where a text is shown."""

from __future__ import annotations

import os
import shutil
import sys

ORDINARY_WIDTH = 100  # of text in a file or pipe


def width() -> int | None:
    """The width of the terminal in columns; None if the output goes elsewhere."""
    on_terminal = sys.stdout is not None and sys.stdout.isatty()
    return shutil.get_terminal_size().columns if on_terminal or "COLUMNS" in os.environ else None

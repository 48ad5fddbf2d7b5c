"""How wide the place is where a text is shown."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Iterable

from wrkparse.text.escape import one_line

ORDINARY_WIDTH = 100  # of text in a file or pipe


def terminal_width() -> int | None:
    """The width of the terminal in columns; None if the output goes elsewhere."""
    on_terminal = sys.stdout is not None and sys.stdout.isatty()
    return shutil.get_terminal_size().columns if on_terminal or "COLUMNS" in os.environ else None


def wrapped_lines(lines: Iterable[str]) -> list[str]:
    """Lines of prose, each wrapped at the width of the terminal, with the controls in them shown."""
    room = terminal_width() or ORDINARY_WIDTH
    return [textwrap.fill(one_line(line), room, subsequent_indent="  ") for line in lines]

"""Sphinx in strict mode."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path


def build(source: Path, site: Path) -> int:
    """Make HTML of a directory of pages; a broken link or a page outside the navigation is an error.

    Returns the exit code of Sphinx, which prints each problem to standard error.
    """
    options = ["--fail-on-warning", "--nitpicky", "--quiet", "--builder", "html"]
    settings = ["--conf-dir", str(Path(__file__).parent)]
    with tempfile.TemporaryDirectory(prefix="wrkparse-doctrees-") as scratch:
        places = ["--doctree-dir", scratch, str(source), str(site)]
        return subprocess.run([sys.executable, "-m", "sphinx", *options, *settings, *places], check=False).returncode

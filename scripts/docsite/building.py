"""Sphinx in strict mode, and what its pages lack for people who use a keyboard or a screen reader."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path


def build(source: Path, site: Path) -> int:
    """Make HTML of a directory of pages; a broken link or a page outside the navigation is an error.

    Returns the exit code of Sphinx, which prints each problem to standard error.
    """
    code = _sphinx(source, site)
    for page in () if code else site.rglob("*.html"):
        page.write_text(accessible(page.read_text("utf-8")), "utf-8")
    return code


def _sphinx(source: Path, site: Path) -> int:
    options = ["--fail-on-warning", "--nitpicky", "--quiet", "--builder", "html"]
    settings = ["--conf-dir", str(Path(__file__).parent)]
    with tempfile.TemporaryDirectory(prefix="wrkparse-doctrees-") as scratch:
        places = ["--doctree-dir", scratch, str(source), str(site)]
        return subprocess.run([sys.executable, "-m", "sphinx", *options, *settings, *places], check=False).returncode


# What Furo writes, and what it should write: a heading has a level, a landmark a name, and what scrolls can be reached
# with the keyboard.
_LACKING = {
    '<p class="caption" role="heading">': '<p class="caption" role="heading" aria-level="2">',
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="Pages">',
    '<aside class="toc-drawer">': '<aside class="toc-drawer" aria-label="This page">',
    '<aside class="toc-drawer no-toc">': '<aside class="toc-drawer no-toc" aria-label="This page">',
    "<pre>": '<pre tabindex="0">',
    '<div class="table-wrapper ': '<div tabindex="0" class="table-wrapper ',
}


def accessible(page: str) -> str:
    """A page with the attributes that it lacks."""
    for written, wanted in _LACKING.items():
        page = page.replace(written, wanted)
    return page

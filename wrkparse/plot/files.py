"""Figures as files: SVG, PNG and PDF, the same bytes each time, there as a whole or not at all."""

from __future__ import annotations

import contextlib
import io
import os
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from wrkparse.plot.layout import figure_of
from wrkparse.plot.style.fonts import localize
from wrkparse.plot.style.house import house

FORMATS = ("svg", "png", "pdf")
DPI = 200
_SALT = "wrkparse"  # ids in an SVG are hashes with this salt
# What would put the date of drawing, or matplotlib's version, into a file.
_METADATA: dict[str, dict[str, Any]] = {
    "svg": {"Date": None, "Creator": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}


def save(drawn: Axes | Figure, path: str | Path, *, dpi: int = DPI) -> None:
    """Write a figure; the suffix (.svg, .png, .pdf) says how. Text stays text in SVG and PDF.

    The same figure gives the same bytes each time. Raises ValueError for another suffix, OSError where the file can't
    be written; then what was there before is untouched.
    """
    path = Path(path)
    form = path.suffix.lower().removeprefix(".")
    if form not in FORMATS:
        raise ValueError(f"{path}: the suffix says the format: .svg, .png or .pdf")
    content = encoded(drawn, form, dpi=dpi)
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        partial.write_bytes(content)
        partial.replace(path)
    except OSError:
        with contextlib.suppress(OSError):  # of a read-only directory
            partial.unlink(missing_ok=True)
        raise


def svg(drawn: Axes | Figure) -> str:
    """A figure as the text of an SVG file."""
    return encoded(drawn, "svg").decode()


def encoded(drawn: Axes | Figure, form: str, *, dpi: int = DPI) -> bytes:
    """A figure as the bytes of a file of this format."""
    figure = drawn if isinstance(drawn, Figure) else figure_of(drawn)
    content = io.BytesIO()
    with house():
        # TrueType, but for Noto Sans CJK, which is not of that kind: as outlines its text can be selected all the same
        kind = 3 if localize(figure) else 42
        mpl.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": _SALT, "pdf.fonttype": kind})
        figure.savefig(content, format=form, dpi=dpi, metadata=_METADATA[form])
    return content.getvalue()

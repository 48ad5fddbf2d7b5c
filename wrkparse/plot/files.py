"""Writes figures as SVG, PNG and PDF files: reproducible byte for byte, and never half-written."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from wrkparse.plot.layout import figure_of
from wrkparse.plot.style.fonts import choose_cjk_faces
from wrkparse.plot.style.house import MANAGED, house_style
from wrkparse.plot.style.measure import ticks_updated_once
from wrkparse.store.atomic_file import write_output

FORMATS = ("svg", "png", "pdf")
DPI = 200  # of PNG files
_SALT = "wrkparse"  # matplotlib derives the ids in an SVG from this instead of a random number
# Metadata left out of the files: dates and matplotlib's version would change the bytes.
_METADATA: dict[str, dict[str, Any]] = {
    "svg": {"Date": None, "Creator": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}


def save(drawn: Axes | Figure, path: str | Path, *, dpi: int = DPI) -> None:
    """Write a figure to a file; the suffix (.svg, .png or .pdf) selects the format.

    Text in SVG becomes outlines, so that it looks the same on machines without the fonts; in PDF it stays text.

    The same figure gives the same bytes each time. Raises ValueError for another suffix, and OSError if the file cannot
    be written; an existing file is then unchanged.
    """
    path = Path(path)
    form = path.suffix.lower().removeprefix(".")
    if form not in FORMATS:
        raise ValueError(f"{path}: the suffix selects the format: use .svg, .png or .pdf")
    write_output(path, figure_bytes(drawn, form, dpi=dpi))


def svg(drawn: Axes | Figure) -> str:
    """A figure as the text of an SVG file."""
    return figure_bytes(drawn, "svg").decode()


def figure_bytes(drawn: Axes | Figure, form: str, *, dpi: int = DPI) -> bytes:
    """A figure as the bytes of a file; `form` is ``svg``, ``png`` or ``pdf``."""
    figure = drawn if isinstance(drawn, Figure) else figure_of(drawn)
    content = io.BytesIO()
    settled = figure.axes if figure in MANAGED else ()  # the layout of a user's figure may move axes
    with house_style(), ticks_updated_once(*settled):
        # Fonts in a PDF are TrueType (42). Noto Sans CJK is not TrueType, so that its text needs Type 3: glyphs as
        # outlines, which readers can still select and copy.
        kind = 3 if choose_cjk_faces(figure) else 42
        mpl.rcParams.update({"svg.fonttype": "path", "svg.hashsalt": _SALT, "pdf.fonttype": kind})
        figure.savefig(content, format=form, dpi=dpi, metadata=_METADATA[form])
    return content.getvalue()

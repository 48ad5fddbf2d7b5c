"""Figures that a notebook shows as images.

pyplot shows its own figures only, and IPython a matplotlib figure only where the backend for notebooks is in force.
The classes here say themselves how they look, so a figure is shown once, with ``%matplotlib inline`` and without it:
IPython asks an object for ``_repr_mimebundle_`` first, and leaves out what it would make of it in the same format.
"""

from __future__ import annotations

import base64
import io
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from wrkparse.plot.style.fonts import choose_cjk_faces

Bundle = tuple[dict[str, Any], dict[str, Any]]  # forms by MIME types, and what to know of them
_PIXELS = 2  # of the image for each one of the page, for screens of twice as many dots per inch
_PNG = "image/png"


class ShownFigure(Figure):
    """A figure that notebooks show as an image."""

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Bundle:
        return _bundle(self, self)


class ShownAxes(Axes):
    """Axes that notebooks show as an image of their whole figure."""

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Bundle:
        figure = self.get_figure(root=True)
        return _bundle(self, figure) if isinstance(figure, Figure) else ({"text/plain": repr(self)}, {})


def _bundle(shown: object, figure: Figure) -> Bundle:
    """The forms of a figure by their MIME types, and the size of the image on the page in pixels."""
    choose_cjk_faces(figure)
    written = io.BytesIO()
    with mpl.rc_context({"savefig.bbox": None, "savefig.facecolor": "white"}):
        figure.savefig(written, format="png", dpi=_PIXELS * figure.dpi, metadata={"Software": None})
    width, height = (round(float(size)) for size in figure.get_size_inches() * figure.dpi)
    image = base64.b64encode(written.getvalue()).decode()
    return {"text/plain": repr(shown), _PNG: image}, {_PNG: {"width": width, "height": height}}

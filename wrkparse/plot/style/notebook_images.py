"""Figures and axes that a notebook shows as images.

pyplot shows only figures that it made, and IPython shows a matplotlib figure only if the backend for notebooks is in
force. The classes here have ``_repr_mimebundle_``, which IPython calls first; it then does not make another image. So a
figure is shown once, with ``%matplotlib inline`` and without it.
"""

from __future__ import annotations

import base64
import io
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from wrkparse.plot.style.fonts import choose_cjk_faces

DisplayData = tuple[dict[str, Any], dict[str, Any]]  # the forms of an object by MIME type, and their metadata
_PIXELS_PER_PIXEL = 2  # of the image for each pixel of the page, for screens with high resolution
_PNG = "image/png"


class NotebookFigure(Figure):
    """A figure that notebooks show as an image."""

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> DisplayData:
        return _image_bundle(self, self)


class NotebookAxes(Axes):
    """Axes that notebooks show as an image of their whole figure."""

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> DisplayData:
        figure = self.get_figure(root=True)
        return _image_bundle(self, figure) if isinstance(figure, Figure) else ({"text/plain": repr(self)}, {})


def _image_bundle(shown: object, figure: Figure) -> DisplayData:
    """The forms of a figure by MIME type, and the size of the image on the page in pixels."""
    choose_cjk_faces(figure)
    written = io.BytesIO()
    with mpl.rc_context({"savefig.bbox": None, "savefig.facecolor": "white"}):
        figure.savefig(written, format="png", dpi=_PIXELS_PER_PIXEL * figure.dpi, metadata={"Software": None})
    width, height = (round(float(size)) for size in figure.get_size_inches() * figure.dpi)
    image = base64.b64encode(written.getvalue()).decode()
    return {"text/plain": repr(shown), _PNG: image}, {_PNG: {"width": width, "height": height}}

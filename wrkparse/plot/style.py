"""The house style: applied to one figure at a time, never to matplotlib as a whole.

``with style.house(): …`` is what every figure is drawn in. What matplotlib reads only when it draws (the text of
ticks) `dress` writes into the axes themselves.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar
from weakref import WeakKeyDictionary, WeakSet

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

from wrkparse.plot import fonts
from wrkparse.plot.palette import MUTED, RULE, TEXT
from wrkparse.text.escape import printable

if TYPE_CHECKING:
    import pandas as pd

WIDTH_MM = 166.0  # of the text of an A4 page: figures come out in the size of their type
NARROW_MM = 120.0  # panels stand below each other where there is less
_MM = 1 / 25.4
_RC: Any = {  # matplotlib types its keys as literals
    "font.family": list(fonts.FAMILIES),
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 8.5,
    "text.color": TEXT,
    "text.hinting": "no_hinting",  # as wide at any resolution, so that what is laid out fits in every format
    "text.parse_math": False,  # a name may hold two dollar signs
    "axes.edgecolor": MUTED,
    "axes.labelcolor": TEXT,
    "axes.labelsize": 8.5,
    "axes.linewidth": 0.7,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 9.0,
    "axes.titleweight": fonts.SEMIBOLD,
    "axes.titlelocation": "left",
    "axes.titlepad": 6.0,
    "axes.titlecolor": TEXT,
    "axes.axisbelow": True,
    "lines.linewidth": 1.5,
    "lines.markersize": 4.2,
    "lines.markeredgewidth": 1.1,
    "hatch.linewidth": 0.6,
    "figure.facecolor": "white",
    "axes.facecolor": "white",
    "savefig.facecolor": "white",
    "savefig.bbox": None,
    "figure.dpi": 100,
}
_TICKS: dict[str, Any] = {
    "color": MUTED, "labelcolor": TEXT, "labelsize": 8.0, "labelfontfamily": list(fonts.FAMILIES), "width": 0.7,
    "size": 3.0, "pad": 2.5, "grid_color": RULE, "grid_linewidth": 0.6, "grid_linestyle": "-", "grid_alpha": 1.0,
}  # fmt: skip

OWN: WeakSet[Figure] = WeakSet()  # made by `new_axes`
TITLES: WeakKeyDictionary[Axes, Text] = WeakKeyDictionary()
_DATA: WeakKeyDictionary[Axes, pd.DataFrame] = WeakKeyDictionary()
_P = ParamSpec("_P")
_R = TypeVar("_R")


class NothingToPlotError(ValueError):
    """There is nothing to draw; the message says what is missing."""


@contextmanager
def house() -> Iterator[None]:
    """The house style, for as long as the block lasts, whatever style is in force around it."""
    fonts.register()
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(_RC)
        yield


def styled(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """A plot function that draws in the house style."""

    @functools.wraps(function)
    def within(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        with house():
            return function(*args, **kwargs)

    return within


def new_axes(width_mm: float = WIDTH_MM, height_mm: float = 80.0) -> Axes:
    """Axes in a new figure of this size, dressed; `layout.settle` makes the margins fit what stands around the axes.

    The figure is no pyplot figure: nothing keeps it open, and it is freed with its last reference.
    """
    with house():
        figure = Figure(figsize=(width_mm * _MM, height_mm * _MM))
        FigureCanvasAgg(figure)  # keeps its renderer, which remembers how wide texts are
        OWN.add(figure)
        return dress(figure.add_subplot())


def dress(ax: Axes, *, grid: str = "y") -> Axes:
    """The house style on axes that stand already: ticks, spines, a grid of `grid` (``x``, ``y``, ``both``, ``""``)."""
    ax.tick_params(which="both", **_TICKS)
    ax.tick_params(which="minor", size=1.8)
    ax.set_axisbelow(True)
    ax.set_facecolor("white")
    ax.grid(visible=False, which="both")
    if grid:
        ax.grid(visible=True, axis=grid)  # type: ignore[arg-type]
    for side, spine in ax.spines.items():
        spine.set_visible(side in {"left", "bottom"})
        spine.set(color=MUTED, linewidth=0.7)
    return ax


def width_mm(ax: Axes) -> float:
    """How wide the axes are on paper, with their margins in a figure of ours."""
    figure = ax.get_figure(root=True)
    assert figure is not None
    inches = figure.get_size_inches()[0] if figure in OWN else ax.bbox.width / figure.dpi
    return float(inches / _MM)


def title(ax: Axes, text: str) -> None:
    """A title at the left that says the quantity and its unit; `layout.settle` breaks it where it is too long."""
    with house():
        TITLES[ax] = ax.set_title(printable(text), loc="left", fontweight=fonts.SEMIBOLD)


def attach(ax: Axes, frame: pd.DataFrame) -> Axes:
    """Remember what was drawn: `data` gives it back."""
    _DATA[ax] = frame
    return ax


def data(ax: Axes) -> pd.DataFrame:
    """The tidy frame that a figure was drawn from: base units, a row per point. KeyError for axes of others."""
    if ax not in _DATA:
        raise KeyError("these axes were not drawn by wrkparse.plot")
    return _DATA[ax]

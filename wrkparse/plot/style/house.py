"""The house style, applied to one figure at a time. The global settings of matplotlib stay unchanged.

Figures are drawn inside ``with house_style(): …``. matplotlib reads some settings (those of tick labels) only when it
renders a figure, after that block. `apply_style` therefore writes them into the axes.
"""

from __future__ import annotations

import contextvars
import functools
import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, ParamSpec, TypeVar
from weakref import WeakKeyDictionary, WeakSet

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text

from wrkparse.plot.style import fonts
from wrkparse.plot.style.measure import MeasuringCanvas
from wrkparse.plot.style.notebook_images import NotebookAxes, NotebookFigure
from wrkparse.plot.style.palette import GRID, MUTED, TEXT

WIDTH_MM = 166.0  # the text width of an A4 page with margins of 22 mm: printed figures keep their font sizes
NARROW_MM = 120.0  # below this width panels are stacked
_INCH_PER_MM = 1 / 25.4
_RC_PARAMS: Any = {  # Any: matplotlib types the keys as literals
    "font.family": list(fonts.FAMILIES),
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 8.5,
    "text.color": TEXT,
    "text.hinting": "no_hinting",  # text has the same width at any resolution, so that one layout fits all formats
    "text.parse_math": False,  # a name may contain two dollar signs
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
# What `apply_style` gives to `Axes.tick_params`; lengths are in points.
_TICK_PARAMS: dict[str, Any] = {
    "color": MUTED, "labelcolor": TEXT, "labelsize": 8.0, "labelfontfamily": list(fonts.FAMILIES), "width": 0.7,
    "size": 3.0, "pad": 2.5, "grid_color": GRID, "grid_linewidth": 0.6, "grid_linestyle": "-", "grid_alpha": 1.0,
}  # fmt: skip

# Figures that `new_axes` made. Their margins and sizes may be changed, those of other figures not.
MANAGED: WeakSet[Figure] = WeakSet()
TITLES: WeakKeyDictionary[Axes, Text] = WeakKeyDictionary()  # titles that `set_title` made, to be broken into lines
# The function that draws a managed figure with another width, and the state of the figure when it was drawn.
_DRAWERS: WeakKeyDictionary[Figure, tuple[Callable[[float], Axes], object]] = WeakKeyDictionary()
_is_in_force = False  # whether the house style is in force
_P = ParamSpec("_P")
_R = TypeVar("_R")


@contextmanager
def house_style() -> Iterator[None]:
    """Put the house style in force inside the block, whatever style is in force around it.

    Inside another such block it does nothing: to set some 300 parameters takes longer than to draw a line.
    """
    global _is_in_force  # noqa: PLW0603 matplotlib's settings are global, too
    if _is_in_force:
        yield
        return
    fonts.register()
    with mpl.rc_context():
        # A user's matplotlibrc or style sheet must not change the figures.
        mpl.rcdefaults()
        mpl.rcParams.update(_RC_PARAMS)
        _is_in_force = True
        try:
            with fonts.fonts_looked_up_once():
                yield
        finally:
            _is_in_force = False


def in_house_style(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Decorate a function so that it draws in the house style. If it has a `width`, `redrawn` can repeat its figure."""
    signature = inspect.signature(function)

    @functools.wraps(function)
    def within(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        with house_style():
            drawn = function(*args, **kwargs)
        figure = drawn.get_figure(root=True) if isinstance(drawn, Axes) and "width" in signature.parameters else None
        if isinstance(figure, Figure) and figure in MANAGED:
            # The context has the colours that figures share (`wrkparse.plot.colours`): their block may have ended by
            # then.
            bound, context = signature.bind(*args, **kwargs), contextvars.copy_context()

            def draw(width: float) -> Axes:
                bound.arguments["width"] = width
                made = context.run(within, *bound.args, **bound.kwargs)
                assert isinstance(made, Axes)
                return made

            _DRAWERS[figure] = draw, _figure_state(figure)
        return drawn

    return within


def redrawn(figure: Figure, width_mm: float) -> Figure | None:
    """The same figure with another width, in the same colours.

    None if it was not drawn by one function of `wrkparse.plot`, or was changed later: the changes would be lost.
    """
    draw, state = _DRAWERS.get(figure, (None, None))
    if draw is None or _figure_state(figure) != state:
        return None
    made = draw(width_mm).get_figure(root=True)
    return made if isinstance(made, Figure) else None


def _figure_state(figure: Figure) -> object:
    """The properties of a figure that users change: its size, artists, texts, and the limits and ticks of its axes."""
    return tuple(figure.get_size_inches()), [_axes_state(ax) for ax in figure.axes]


def _axes_state(ax: Any) -> object:  # Any: matplotlib types the axes of a figure as a base class of Axes
    """The properties of axes and of axes inside them. Locators and formatters represent the texts of ticks."""
    legend = ax.get_legend()
    texts = [*ax.texts, ax.xaxis.label, ax.yaxis.label, *(legend.get_texts() if legend else ())]
    titles = [ax.get_title(loc=side) for side in ("left", "center", "right")]
    ticks = [(one.get_major_locator(), one.get_major_formatter()) for one in (ax.xaxis, ax.yaxis)]
    limits = ax.get_xlim(), ax.get_ylim(), ax.get_xscale(), ax.get_yscale()
    inside = [_axes_state(one) for one in ax.child_axes]
    return [one.get_text() for one in texts], titles, ticks, limits, len(ax.get_children()), inside


def new_axes(width_mm: float = WIDTH_MM, height_mm: float = 80.0) -> Axes:
    """Axes in the house style, in a new managed figure of this size. `layout.arrange` fits the margins later.

    pyplot does not know the figure, so that it is freed with its last reference and need not be closed. Notebooks show
    it if it, or its axes, are the value of a cell.
    """
    with house_style():
        return apply_style(new_host(width_mm, height_mm))


def new_host(width_mm: float = WIDTH_MM, height_mm: float = 80.0) -> Axes:
    """The same without ticks and spines in the house style, which takes half of the time: axes to be switched off."""
    with house_style():
        figure = NotebookFigure(figsize=(width_mm * _INCH_PER_MM, height_mm * _INCH_PER_MM))
        MeasuringCanvas(figure)
        MANAGED.add(figure)
        return figure.add_subplot(axes_class=NotebookAxes)


def apply_style(ax: Axes, *, grid: str = "y") -> Axes:
    """Apply the house style to existing axes: ticks, spines, grid lines of `grid` (``x``, ``y``, ``both``, ``""``)."""
    ax.tick_params(which="both", **_TICK_PARAMS)
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


def drawn_width_mm(ax: Axes) -> float:
    """The width of a drawing in millimetres: of the whole figure if it is managed, else of the axes."""
    figure = ax.get_figure(root=True)
    assert figure is not None
    inches = figure.get_size_inches()[0] if figure in MANAGED else ax.bbox.width / figure.dpi
    return float(inches / _INCH_PER_MM)


def set_title(ax: Axes, text: str, *, above_ticks: bool = False) -> None:
    """Set a title at the left, with the quantity and its unit; `layout.arrange` breaks long ones into lines.

    `above_ticks` is for axes whose ticks are at the top: matplotlib then measures them in each pass.
    """
    with house_style():
        y = None if above_ticks else 1.0
        TITLES[ax] = ax.set_title(fonts.drawable(text), loc="left", y=y, fontweight=fonts.SEMIBOLD)

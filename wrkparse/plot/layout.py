"""Where things stand: panels in a grid, titles that fit, names at the ends of lines."""

from __future__ import annotations

import itertools
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Annotation, Text
from matplotlib.transforms import Bbox, TransformedBbox

from wrkparse.plot.palette import MUTED
from wrkparse.plot.style import OWN, TITLES, WIDTH_MM, dress, house, new_axes
from wrkparse.text.escape import printable

_GUTTER = 12.0  # points between panels
_EDGE = 3.0  # points to the edge of the figure
_LEADING = 1.25
_LABEL_SIZE = 8.0
_NOTE_SIZE = 7.5
_BESIDE, _ASIDE = 7.0, 13.0  # points from the end of a line to its name, and to one that was moved
_MOST_FOR_NAMES = 0.7  # of the width of axes
_STILL = 1.2  # pixels that count as none: what a pass more would change is a twentieth of what the last did
_PASSES = 5
_USUAL = (26.0, 30.0, 22.0, 14.0)  # points around a panel, to begin with: what is laid out near its place moves less


class End(NamedTuple):
    """The end of a line, in data coordinates, and the name that belongs there."""

    x: float
    y: float
    text: str
    ink: str


@dataclass(eq=False)
class Panels:
    """Axes in a grid inside `host`, which is switched off; `fit` gives each the room that its labels leave.

    ``axes`` has them row by row. ``host`` is a user's axes, or fills a figure of ours. The only axes of a figure of
    ours are their own host.
    """

    host: Axes
    axes: list[Axes]
    columns: int
    widths: Sequence[float]
    heights: Sequence[float]
    footer: Text | None = None

    def fit(self) -> bool:
        """Place the panels by what stands around each: ticks, titles, names. Whether one of them moved.

        Labels depend on places, so it is done again until none moves. Nothing is drawn: texts are measured.
        """
        around = np.zeros((len(self.heights), self.columns, 4))  # left, right, below, above
        for at, ax in enumerate(self.axes):
            around[divmod(at, self.columns)] = _overhang(ax)
        return self.place(around)

    def place(self, around: np.ndarray) -> bool:
        """Give each panel so much room around it, in pixels. Whether one of them moved."""
        points = 72 / figure_of(self.host).dpi
        left, right = around[:, :, 0].max(axis=0), around[:, :, 1].max(axis=0)
        below, above = around[:, :, 2].max(axis=1), around[:, :, 3].max(axis=1)
        figure = figure_of(self.host)
        size = figure.bbox if figure in OWN else self.host.bbox
        gutter, edge = _GUTTER / points, _EDGE / points if figure in OWN else 0.0
        foot = self._footed(float(size.width) - 2 * edge, points)
        x, width = _divided(size.width, left, right, self.widths, gutter, edge)
        y, height = _divided(size.height - foot, above, below, self.heights, gutter, edge)
        moved = 0.0
        for at, ax in enumerate(self.axes):
            row, column = divmod(at, self.columns)
            bottom = size.height - y[row] - height[row]
            before = np.array(ax.bbox.extents)
            bounds = (
                x[column] / size.width, bottom / size.height, width[column] / size.width, height[row] / size.height,
            )  # fmt: skip
            _put(ax, self.host, bounds)
            moved = max(moved, float(np.abs(np.array(ax.bbox.extents) - before).max()))
        return moved > _STILL

    def _footed(self, width: float, points: float) -> float:
        """Break the footer into lines and place it; the height that it takes, in pixels."""
        if self.footer is None:
            return 0.0
        _break(self.footer, width)
        return float(self.footer.get_window_extent().height + _GUTTER / 2 / points)


_PANELS: WeakKeyDictionary[Axes, Panels] = WeakKeyDictionary()
_WHOLE: WeakKeyDictionary[Text, str] = WeakKeyDictionary()  # texts that are broken into lines, as they were


def panels(
    ax: Axes | None,
    count: int,
    *,
    columns: int,
    height_mm: float,
    widths: Sequence[float] | None = None,
    heights: Sequence[float] | None = None,
    width_mm: float = WIDTH_MM,
    sharex: bool = False,
    sharey: bool = False,
) -> Panels:
    """`count` axes in `columns` inside `ax`, or in a new figure; relative `widths` of columns and `heights` of rows."""
    rows = -(-count // columns)
    host = new_axes(width_mm, height_mm) if ax is None else ax
    if figure_of(host) in OWN:
        host.set_position((0, 0, 1, 1))
    host.set_axis_off()
    made: list[Axes] = []
    for _ in range(count):
        with house():
            one = host.inset_axes(
                (0, 0, 1, 1), sharex=made[0] if made and sharex else None, sharey=made[0] if made and sharey else None
            )
        made.append(dress(one))
    found = Panels(host, made, columns, widths or [1] * columns, heights or [1] * rows)
    found.place(np.tile(np.array(_USUAL) * figure_of(host).dpi / 72, (rows, columns, 1)))
    _PANELS.update(dict.fromkeys(made, found))
    return found


def figure_of(ax: Axes) -> Figure:
    """The figure that the axes are in, whatever subfigures are between."""
    figure = ax.get_figure(root=True)
    assert isinstance(figure, Figure)
    return figure


def _overhang(ax: Axes) -> tuple[float, float, float, float]:
    """How far what belongs to the axes stands out: left, right, below, above, in pixels."""
    box, drawn = ax.bbox, ax.get_tightbbox(for_layout_only=True)
    if drawn is None:
        return 0, 0, 0, 0
    return max(box.x0 - drawn.x0, 0), max(drawn.x1 - box.x1, 0), max(box.y0 - drawn.y0, 0), max(drawn.y1 - box.y1, 0)


def _divided(
    total: float, before: np.ndarray, after: np.ndarray, shares: Sequence[float], gutter: float, edge: float
) -> tuple[np.ndarray, np.ndarray]:
    """Starts and lengths of panels along one direction, with room before and after each."""
    free = total - 2 * edge - float(before.sum() + after.sum()) - gutter * (len(shares) - 1)
    lengths = max(free, total / 10) * np.asarray(shares, float) / sum(shares)
    taken = before + lengths + after + gutter
    return edge + np.cumsum(taken) - taken + before, lengths


def _put(ax: Axes, host: Axes, bounds: tuple[float, float, float, float]) -> None:
    if ax is host:
        ax.set_position(bounds)
        return

    def locate(_: object, __: object) -> TransformedBbox:
        return TransformedBbox(Bbox.from_bounds(*bounds), host.transAxes - figure_of(host).transSubfigure)

    ax.set_axes_locator(locate)  # type: ignore[arg-type]  # any callable of this kind, as its documentation says
    ax.apply_aspect(locate(ax, None))  # type: ignore[arg-type]


def note(grid: Panels, text: str) -> None:
    """A line below the panels that says how to read them; it is broken where it is too long."""
    own = figure_of(grid.host) in OWN
    edge = _EDGE if own else 0.0
    with house():
        grid.footer = grid.host.annotate(
            printable(text), (0, 0), xycoords="figure fraction" if own else "axes fraction", xytext=(edge, edge),
            textcoords="offset points", ha="left", va="bottom", fontsize=_NOTE_SIZE, color=MUTED, annotation_clip=False,
        )  # fmt: skip


def settle(ax: Axes) -> None:
    """Lay the figure out, so that places in it can be read; titles too long for it are broken."""
    _lay_out(ax, {})


def _lay_out(ax: Axes, names: Mapping[Axes, Sequence[Annotation]]) -> None:
    """Place panels, break titles and push names apart, until all of them stand still."""
    figure = figure_of(ax)
    group = _PANELS.get(ax) or (Panels(ax, [ax], 1, [1], [1]) if figure in OWN else None)
    for _ in range(_PASSES):
        if figure not in OWN:
            figure.draw_without_rendering()  # lays out what is the user's
        changed = group.fit() if group else False
        for one in group.axes if group else [ax]:
            changed |= _broken(one)
        for one, labels in names.items():
            _push_apart(one, labels)
        if not changed:
            return


def _broken(ax: Axes) -> bool:
    """Whether a title was too wide for the room up to the figure's edge or the next panel; it is in lines now."""
    text = TITLES.get(ax)
    if text is None:
        return False
    return _break(text, _room(ax))


def _break(text: Text, room: float) -> bool:
    """Break a text into lines of at most so many pixels; whether that changed it."""
    before = text.get_text()
    whole = _WHOLE.setdefault(text, before)
    lines = [""] if _width(text, whole) > room else [whole]
    for part in _parts(whole) if lines == [""] else ():
        if lines[-1] and _width(text, (lines[-1] + part).rstrip()) > room:
            lines.append(part.lstrip())
        else:
            lines[-1] += part
    text.set_text("\n".join(line.strip() for line in lines))
    return text.get_text() != before


def _width(text: Text, words: str) -> float:
    text.set_text(words)
    return float(text.get_window_extent().width)


def _room(ax: Axes) -> float:
    """Pixels from the left of the axes to the next panel's, or to the figure's edge."""
    points = 72 / figure_of(ax).dpi
    group = _PANELS.get(ax)
    if group:
        at = group.axes.index(ax)
        if (at + 1) % group.columns and at + 1 < len(group.axes):
            return float(group.axes[at + 1].bbox.x0 - ax.bbox.x0 - _GUTTER / points)
    return float(figure_of(ax).bbox.x1 - ax.bbox.x0 - _EDGE / points)


def _parts(text: str) -> list[str]:
    """Where a line may break: after a blank, and around each wide (Chinese, Japanese) letter."""
    parts = [""]
    for one, two in itertools.pairwise(text + " "):
        parts[-1] += one
        if one == " " or {unicodedata.east_asian_width(one), unicodedata.east_asian_width(two)} & {"W", "F"}:
            parts.append("")
    return [part for part in parts if part]


def label_panels(ends: Mapping[Axes, Iterable[End]]) -> dict[Axes, list[Annotation]]:
    """Names where lines end, instead of a legend: pushed apart where they would overlap, with a thin leader if moved.

    To be called last, when scales and limits are set, for all panels of a figure at once, which is laid out then. Names
    never leave the figure: the layout makes room for them in a figure of ours, and in a user's axes the lines end
    earlier.
    """
    with house():
        labels = {ax: [_label(ax, end) for end in of_ax] for ax, of_ax in ends.items()}
    first = next(iter(labels))
    _lay_out(first, labels)
    if figure_of(first) not in OWN:
        for ax, of_ax in labels.items():
            _make_room(ax, of_ax)
        _lay_out(first, labels)
    for ax, of_ax in labels.items():
        _lead(ax, of_ax)
    return labels


def _label(ax: Axes, end: End) -> Annotation:
    return ax.annotate(
        printable(end.text), (end.x, end.y), xytext=(_BESIDE, 0), textcoords="offset points", color=end.ink,
        fontsize=_LABEL_SIZE, fontweight=600, va="center", ha="left", annotation_clip=False,
    )  # fmt: skip


def _make_room(ax: Axes, labels: Sequence[Annotation]) -> None:
    """End the x axis earlier where the layout could not make room: the labels stand inside then."""
    figure = figure_of(ax)
    edge = figure.bbox.x1 - (_EDGE + _ASIDE - _BESIDE) * figure.dpi / 72
    starts = [float(ax.transData.transform(label.xy)[0]) - ax.bbox.x0 for label in labels]
    over = [(label.get_window_extent().x1 - edge) / start for label, start in zip(labels, starts, strict=True)]
    share = min(max(over, default=0), _MOST_FOR_NAMES)
    if share <= 0:
        return
    low, high = ax.xaxis.get_transform().transform(np.array(ax.get_xlim(), float))
    wider = low + (high - low) / (1 - share)
    ax.set_xlim(ax.get_xlim()[0], float(ax.xaxis.get_transform().inverted().transform(np.array([wider]))[0]))


def _push_apart(ax: Axes, labels: Sequence[Annotation]) -> None:
    """Move labels up or down until each has its line; those moved by more than half of one stand further off."""
    if not labels:
        return
    points = 72 / figure_of(ax).dpi
    wanted = np.array([float(ax.transData.transform(label.xy)[1]) for label in labels]) * points
    step = _LABEL_SIZE * _LEADING
    low, high = ax.bbox.y0 * points, ax.bbox.y1 * points
    placed = spread(wanted, step, low + step / 2, high - step / 2)
    for label, was, now in zip(labels, wanted, placed, strict=True):
        label.set_position((_ASIDE if abs(now - was) > step / 2 else _BESIDE, now - was))


def _lead(ax: Axes, labels: Sequence[Annotation]) -> None:
    """Lines from the ends to those names that were moved."""
    for label in labels:
        x, y = label.get_position()
        if x == _ASIDE:
            line = {"arrowstyle": "-", "color": label.get_color(), "linewidth": 0.5, "shrinkA": 0, "shrinkB": 3}
            ax.annotate(
                "", label.xy, xytext=(_ASIDE - 1, y), textcoords="offset points", arrowprops=line,
                annotation_clip=False, zorder=1,
            )  # fmt: skip


def spread(wanted: np.ndarray, step: float, low: float, high: float) -> np.ndarray:
    """Places `step` apart or more, as near as can be to those wanted, from `low` to `high` if there is room.

    Least squares: neighbours that collide form a block, which stands where its mean is (pool adjacent violators).
    """
    order = np.argsort(wanted, kind="stable")
    shifted = wanted[order] - step * np.arange(len(wanted))
    blocks: list[list[float]] = []
    for value in shifted:
        blocks.append([float(value)])
        while len(blocks) > 1 and np.mean(blocks[-2]) > np.mean(blocks[-1]):
            last = blocks.pop()
            blocks[-1] += last
    means = np.concatenate([np.full(len(block), np.mean(block)) for block in blocks])
    top = max(high - step * (len(wanted) - 1), low)
    placed = np.empty(len(wanted))
    placed[order] = np.clip(means, low, top) + step * np.arange(len(wanted))
    return placed

"""The layout of a figure: panels in a grid, titles broken into lines, names at the ends of lines.

A managed figure (`wrkparse.plot.style.house.MANAGED`) belongs to wrkparse: its margins follow from the texts around the
panels. In a user's figure only the area of the given axes is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.text import Annotation
from matplotlib.transforms import Bbox, TransformedBbox

from wrkparse.plot.marks import show_like, show_setting
from wrkparse.plot.names import text_columns
from wrkparse.plot.style.fonts import drawable
from wrkparse.plot.style.house import MANAGED, TITLES, WIDTH_MM, apply_style, house_style, new_host
from wrkparse.plot.style.measure import break_lines, ticks_updated_once
from wrkparse.plot.style.palette import MUTED

# Lengths in points, chosen by eye.
_GUTTER_PT = 12.0  # between two panels, with their texts
_EDGE_PT = 3.0  # between texts and the edge of the figure
_LINE_SPACING = 1.25  # of the font size
_LABEL_SIZE_PT = 8.0
_NOTE_SIZE_PT = 7.5
_LABEL_OFFSET_PT = 7.0  # from the end of a line to its label
_MOVED_OFFSET_PT = 13.0  # the same for a label that was moved up or down, with a leader
# A letter of a label (digits take 4.0, words 3.6 on average in semibold 8 point type, so that most names fit); the
# sample of a line in a legend, with the gaps around it.
_LETTER_PT, _SAMPLE_PT = 4.1, 34.0
_MAX_LABEL_SHARE = 0.7  # labels take at most this share of the width of a user's axes
# A pass that moves panels by less is the last one: the next pass would move them by a tenth to a twentieth of that.
# With 0, figures of data/ take 4.6 passes on average, and some do not settle; with 12, they take 2.3, and 3 at most.
_TOLERANCE_PX = 12
_MAX_PASSES = 5
# Left, right, below and above a panel before the first pass. Typical values save passes.
_INITIAL_MARGINS_PT = (26.0, 30.0, 22.0, 14.0)


class LineEnd(NamedTuple):
    """The end of a line in data coordinates, with the text and colour of its label.

    `setting` is what the line shows, `whole` the text before its name was cut (`wrkparse.plot.marks`).
    """

    x: float
    y: float
    text: str
    text_colour: str
    setting: str = ""
    whole: str = ""


class RowSetting(NamedTuple):
    """What a row shows, empty for several settings; and its name before that was cut (`wrkparse.plot.marks`)."""

    setting: str = ""
    whole: str = ""


@dataclass(eq=False)
class PanelGrid:
    """Axes in a grid inside `host`, which is switched off.

    - `host`: a user's axes, or axes that fill a managed figure. Single axes are their own host.
    - `axes`: the panels, row by row.
    - `widths`, `heights`: relative sizes of the columns and rows.
    - `footer`: paragraphs of a note below the panels; `legend`: the names of lines, between the panels and the note.
    """

    host: Axes
    axes: list[Axes]
    columns: int
    widths: Sequence[float]
    heights: Sequence[float]
    footer: Sequence[Annotation] = ()
    legend: Legend | None = None

    def fit(self) -> bool:
        """Place the panels so that ticks, titles and labels around each have room; return whether a panel moved.

        Repeat it until no panel moves, because the positions of panels change their labels. Texts are measured; nothing
        is rendered.
        """
        around = np.zeros((len(self.heights), self.columns, 4))  # left, right, below, above
        for at, ax in enumerate(self.axes):
            around[divmod(at, self.columns)] = _margins_px(ax)
        return self.place(around)

    def place(self, around: np.ndarray) -> bool:
        """Place the panels with these margins in pixels (left, right, below, above); return whether one moved."""
        points = 72 / figure_of(self.host).dpi
        left, right = around[:, :, 0].max(axis=0), around[:, :, 1].max(axis=0)
        below, above = around[:, :, 2].max(axis=1), around[:, :, 3].max(axis=1)
        figure = figure_of(self.host)
        size = figure.bbox if figure in MANAGED else self.host.bbox
        gutter, edge = _GUTTER_PT / points, _EDGE_PT / points if figure in MANAGED else 0.0
        foot = self._footer_height(float(size.width) - 2 * edge, points)
        if self.legend is not None:
            corner = (edge / size.width, (foot + edge) / size.height)
            self.legend.set_bbox_to_anchor(corner, transform=self.host.transAxes)
            foot += float(self.legend.get_window_extent().height + _GUTTER_PT / 2 / points)
        x, width = _divide(size.width, left, right, self.widths, gutter, edge)
        y, height = _divide(size.height - foot, above, below, self.heights, gutter, edge)
        moved = 0.0
        for at, ax in enumerate(self.axes):
            row, column = divmod(at, self.columns)
            bottom = size.height - y[row] - height[row]
            before = np.array(ax.bbox.extents)
            bounds = (
                x[column] / size.width, bottom / size.height, width[column] / size.width, height[row] / size.height,
            )  # fmt: skip
            _place_axes(ax, self.host, bounds)
            moved = max(moved, float(np.abs(np.array(ax.bbox.extents) - before).max()))
        return moved > _TOLERANCE_PX

    def _footer_height(self, width: float, points: float) -> float:
        """Break the footer into lines of this width; return its height with the gap above it, in pixels."""
        if not self.footer:
            return 0.0
        height = 0.0
        # From the last paragraph up: each is above those below it.
        for paragraph in reversed(self.footer):
            break_lines(paragraph, width)
            edge = paragraph.get_position()[0]
            paragraph.set_position((edge, edge + height * points))
            height += float(paragraph.get_window_extent().height)
        return height + _GUTTER_PT / 2 / points


_PANELS: WeakKeyDictionary[Axes, PanelGrid] = WeakKeyDictionary()


def make_panels(
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
) -> PanelGrid:
    """Make `count` panels in a grid inside `ax`, or in a new figure of `width_mm` by `height_mm`.

    `widths` of columns and `heights` of rows are relative. `sharex` and `sharey` share the axes with the first panel.
    """
    rows = -(-count // columns)
    host = new_host(width_mm, height_mm) if ax is None else ax
    if figure_of(host) in MANAGED:
        host.set_position((0, 0, 1, 1))
    host.set_axis_off()
    host.set(xticks=[], yticks=[])  # matplotlib makes the ticks of hidden axes, too
    made: list[Axes] = []
    for _ in range(count):
        with house_style():
            one = host.inset_axes(
                (0, 0, 1, 1), sharex=made[0] if made and sharex else None, sharey=made[0] if made and sharey else None
            )
        made.append(apply_style(one))
    grid = PanelGrid(host, made, columns, widths or [1] * columns, heights or [1] * rows)
    grid.place(np.tile(np.array(_INITIAL_MARGINS_PT) * figure_of(host).dpi / 72, (rows, columns, 1)))
    _PANELS.update(dict.fromkeys(made, grid))
    return grid


def figure_of(ax: Axes) -> Figure:
    """The figure of the axes, also if they are in a subfigure."""
    figure = ax.get_figure(root=True)
    assert isinstance(figure, Figure)
    return figure


def _margins_px(ax: Axes) -> tuple[float, float, float, float]:
    """The lengths by which ticks, title and labels extend beyond the axes: left, right, below, above, in pixels."""
    with ticks_updated_once(ax):
        box, drawn = ax.bbox, ax.get_tightbbox(for_layout_only=True)
    if drawn is None:
        return 0, 0, 0, 0
    return max(box.x0 - drawn.x0, 0), max(drawn.x1 - box.x1, 0), max(box.y0 - drawn.y0, 0), max(drawn.y1 - box.y1, 0)


def _divide(
    total: float, before: np.ndarray, after: np.ndarray, shares: Sequence[float], gutter: float, edge: float
) -> tuple[np.ndarray, np.ndarray]:
    """Divide a length among panels; return their starts and lengths.

    `before` and `after` are the margins of each panel, `shares` the relative lengths of the panels.
    """
    free = total - 2 * edge - float(before.sum() + after.sum()) - gutter * (len(shares) - 1)
    # If texts leave no room, panels keep a tenth of the length.
    lengths = max(free, total / 10) * np.asarray(shares, float) / sum(shares)
    taken = before + lengths + after + gutter
    return edge + np.cumsum(taken) - taken + before, lengths


def _place_axes(ax: Axes, host: Axes, bounds: tuple[float, float, float, float]) -> None:
    if ax is host:
        ax.set_position(bounds)
        return

    def locate(_: object, __: object) -> TransformedBbox:
        return TransformedBbox(Bbox.from_bounds(*bounds), host.transAxes - figure_of(host).transSubfigure)

    ax.set_axes_locator(locate)  # type: ignore[arg-type]  # matplotlib documents any callable
    ax.apply_aspect(locate(ax, None))  # type: ignore[arg-type]


def add_note(grid: PanelGrid, text: str, about: Iterable[tuple[str, str]] = ()) -> None:
    """Add a note below the panels; `arrange` breaks it into lines.

    `about` are further paragraphs, each on a setting: that and the text.
    """
    managed = figure_of(grid.host) in MANAGED
    edge = _EDGE_PT if managed else 0.0
    paragraphs = [("", text), *about]
    with house_style():
        grid.footer = [
            grid.host.annotate(
                drawable(words), (0, 0), xycoords="figure fraction" if managed else "axes fraction",
                xytext=(edge, edge), textcoords="offset points", ha="left", va="bottom", fontsize=_NOTE_SIZE_PT,
                color=MUTED, annotation_clip=False,
            )
            for _, words in paragraphs
        ]  # fmt: skip
    for (setting, _), paragraph in zip(paragraphs, grid.footer, strict=True):
        if setting:
            show_setting(setting, paragraph)


def add_legend(
    grid: PanelGrid, samples: Sequence[Line2D], names: Sequence[str], colours: Sequence[str],
    settings: Sequence[str] = (),
) -> None:  # fmt: skip
    """Name lines or marks below the panels, in as few rows as fit, row by row; `colours` are for the text.

    `settings` are what the lines show, if each shows one.
    """
    figure = figure_of(grid.host)
    size = figure.bbox if figure in MANAGED else grid.host.bbox
    width = _LETTER_PT * max(map(text_columns, names)) + _SAMPLE_PT
    fitting = max(1, min(len(names), int(size.width * 72 / figure.dpi / width)))
    rows = -(-len(names) // fitting)
    columns = -(-len(names) // rows)
    # matplotlib fills column by column
    order = [at for column in range(columns) for at in range(column, len(names), columns)]
    marks, texts = [samples[at] for at in order], [drawable(names[at]) for at in order]
    with house_style():
        grid.legend = grid.host.legend(
            marks, texts, loc="lower left", frameon=False, borderpad=0.1, borderaxespad=0.0, fontsize=_LABEL_SIZE_PT,
            labelcolor=[colours[at] for at in order], handlelength=1.8, columnspacing=1.2, labelspacing=0.3,
            ncols=columns,
        )  # fmt: skip
        grid.legend.set_in_layout(False)
    if settings:
        for at, mark, text in zip(order, grid.legend.legend_handles, grid.legend.get_texts(), strict=True):
            show_setting(settings[at], *([mark] if mark else []), text, whole=settings[at])
    if figure in MANAGED:  # the panels keep their height
        width_in, height_in = figure.get_size_inches()
        figure.set_size_inches(width_in, height_in + grid.legend.get_window_extent().height / figure.dpi)


def name_rows(
    ax: Axes, names: Sequence[str], *, bold: Sequence[bool], colours: Sequence[str], settings: Sequence[RowSetting],
) -> None:  # fmt: skip
    """Write the names of rows 0, 1, 2 … beside the axes, left-aligned."""
    ax.set_yticks(range(len(names)), list(names))
    labels = ax.get_yticklabels()
    for label, is_bold, colour in zip(labels, bold, colours, strict=True):
        label.set_fontweight(600 if is_bold else "normal")
        label.set_color(colour)
        label.set_horizontalalignment("left")
    show_rows(ax, settings)
    longest = max(label.get_window_extent().width for label in labels) * 72 / figure_of(ax).dpi
    ax.tick_params(axis="y", length=0, pad=longest + 6)


def show_rows(ax: Axes, settings: Sequence[RowSetting]) -> None:
    """Say which settings the names of rows 0, 1, 2 … beside the axes show."""
    for label, row in zip(ax.get_yticklabels(), settings, strict=True):
        if row.setting:
            show_setting(row.setting, label, whole=row.whole)


def arrange(ax: Axes) -> None:
    """Lay the figure out, and break long titles into lines. Afterwards, positions can be measured."""
    _arrange_labels(ax, {})


def _arrange_labels(ax: Axes, names: Mapping[Axes, Sequence[Annotation]]) -> None:
    """Place panels, break titles and separate labels, repeatedly until nothing moves."""
    figure = figure_of(ax)
    group = _PANELS.get(ax) or (PanelGrid(ax, [ax], 1, [1], [1]) if figure in MANAGED else None)
    for _ in range(_MAX_PASSES):
        if figure not in MANAGED:
            figure.draw_without_rendering()  # runs the layout engine of a user's figure
        # A title that breaks into more lines, and labels that move, need other margins: the panels are placed again.
        changed = group.fit() if group else False
        for one in group.axes if group else [ax]:
            changed |= _break_title(one)
        for one, labels in names.items():
            _push_apart(one, labels)
        if not changed:
            return


def _break_title(ax: Axes) -> bool:
    """Break a title that does not fit before the next panel or the edge of the figure; return whether it changed."""
    text = TITLES.get(ax)
    if text is None:
        return False
    return break_lines(text, _title_room_px(ax))


def _title_room_px(ax: Axes) -> float:
    """The pixels from the left of the axes to the next panel, or to the edge of the figure."""
    points = 72 / figure_of(ax).dpi
    group = _PANELS.get(ax)
    if group:
        at = group.axes.index(ax)
        if (at + 1) % group.columns and at + 1 < len(group.axes):
            return float(group.axes[at + 1].bbox.x0 - ax.bbox.x0 - _GUTTER_PT / points)
    return float(figure_of(ax).bbox.x1 - ax.bbox.x0 - _EDGE_PT / points)


def label_lines(ends: Mapping[Axes, Iterable[LineEnd]]) -> dict[Axes, list[Annotation]]:
    """Label lines at their ends instead of in a legend; return the labels of each panel.

    Labels that would overlap are moved apart, with a thin leader to the line. Call it last, once, with all panels of a
    figure, when scales and limits are set: it also lays the figure out. Labels stay inside the figure. In a managed
    figure the panels leave room for them; in a user's axes the x axis is extended instead.
    """
    with house_style():
        labels = {ax: [_add_label(ax, end) for end in of_ax] for ax, of_ax in ends.items()}
    first = next(iter(labels))
    _arrange_labels(first, labels)
    # A user's margins stay as they are, so that the lines must make the room.
    if figure_of(first) not in MANAGED:
        for ax, of_ax in labels.items():
            _extend_x_axis(ax, of_ax)
        _arrange_labels(first, labels)
    for ax, of_ax in labels.items():
        _draw_leaders(ax, of_ax)
    return labels


def _add_label(ax: Axes, end: LineEnd) -> Annotation:
    label = ax.annotate(
        drawable(end.text), (end.x, end.y), xytext=(_LABEL_OFFSET_PT, 0), textcoords="offset points",
        color=end.text_colour, fontsize=_LABEL_SIZE_PT, fontweight=600, va="center", ha="left", annotation_clip=False,
    )  # fmt: skip
    if end.setting:
        show_setting(end.setting, label, whole=end.whole)
    return label


def _extend_x_axis(ax: Axes, labels: Sequence[Annotation]) -> None:
    """Extend the x axis of axes of a user, so that lines end earlier and labels fit inside the figure."""
    figure = figure_of(ax)
    edge = figure.bbox.x1 - (_EDGE_PT + _MOVED_OFFSET_PT - _LABEL_OFFSET_PT) * figure.dpi / 72
    starts = [float(ax.transData.transform(label.xy)[0]) - ax.bbox.x0 for label in labels]
    over = [(label.get_window_extent().x1 - edge) / start for label, start in zip(labels, starts, strict=True)]
    # If the axis gets 1 / (1 - share) times as long, a line ends earlier by its share: by what its label overhangs.
    share = min(max(over, default=0), _MAX_LABEL_SHARE)
    if share <= 0:
        return
    low, high = ax.xaxis.get_transform().transform(np.array(ax.get_xlim(), float))
    wider = low + (high - low) / (1 - share)
    ax.set_xlim(ax.get_xlim()[0], float(ax.xaxis.get_transform().inverted().transform(np.array([wider]))[0]))


def _push_apart(ax: Axes, labels: Sequence[Annotation]) -> None:
    """Move labels up or down until none overlap. A label that moves by more than half a line also moves right."""
    if not labels:
        return
    points = 72 / figure_of(ax).dpi
    wanted = np.array([float(ax.transData.transform(label.xy)[1]) for label in labels]) * points
    step = _LABEL_SIZE_PT * _LINE_SPACING
    low, high = ax.bbox.y0 * points, ax.bbox.y1 * points
    placed = spread_apart(wanted, step, low + step / 2, high - step / 2)
    for label, was, now in zip(labels, wanted, placed, strict=True):
        label.set_position((_MOVED_OFFSET_PT if abs(now - was) > step / 2 else _LABEL_OFFSET_PT, now - was))


def _draw_leaders(ax: Axes, labels: Sequence[Annotation]) -> None:
    """Draw a thin line from the end of a line to its label, for each label that was moved."""
    for label in labels:
        x, y = label.get_position()
        # Exactly this offset: `_push_apart` gave it to the labels that it moved.
        if x == _MOVED_OFFSET_PT:
            line = {"arrowstyle": "-", "color": label.get_color(), "linewidth": 0.5, "shrinkA": 0, "shrinkB": 3}
            leader = ax.annotate(
                "", label.xy, xytext=(_MOVED_OFFSET_PT - 1, y), textcoords="offset points", arrowprops=line,
                annotation_clip=False, zorder=1,
            )  # fmt: skip
            show_like(label, leader)


def spread_apart(wanted: np.ndarray, step: float, low: float, high: float) -> np.ndarray:
    """Positions at least `step` apart, as near as possible to the wanted ones, between `low` and `high` if they fit.

    The solution is the least-squares one, by the pool-adjacent-violators algorithm: neighbours that collide form a
    block, and a block moves to the mean of its wanted positions.
    """
    order = np.argsort(wanted, kind="stable")
    # Less one step for each position before, "at least a step apart" is "not falling", which the algorithm solves.
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

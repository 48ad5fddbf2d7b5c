"""The figure of the audit: requests in flight for each open connection. By Little's law, there is one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.legend import Legend
from matplotlib.transforms import Bbox

from wrkparse.analysis.audit.audit import OK
from wrkparse.analysis.audit.little_law import CODES, little_law
from wrkparse.analysis.checks.finding import INVALID, NOTE
from wrkparse.analysis.checks.reports.concurrency import HIGH, LOW, TOLERANCE
from wrkparse.analysis.wording import counted, name_of
from wrkparse.plot import runs
from wrkparse.plot.errors import NothingToPlotError
from wrkparse.plot.frames import remember_frame
from wrkparse.plot.layout import arrange, figure_of
from wrkparse.plot.marks import show_setting, show_settings
from wrkparse.plot.names import shorten
from wrkparse.plot.points import Point, add_points
from wrkparse.plot.style import palette, ticks
from wrkparse.plot.style.house import WIDTH_MM, apply_style, in_house_style, new_axes, set_title
from wrkparse.plot.style.measure import break_lines

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset

# By the code of the finding.
_FINDING_STYLES = dict(
    zip(
        CODES,
        (palette.series_style(1), palette.series_style(0), palette.series_style(3), palette.series_style(2)),
        strict=True,
    )
)
_MAX_NAMED = 8  # runs, those farthest from the law
_AGREEING_COLOUR = "#8A9BAA"
_HEIGHT_MM, _IN_ORDER_HEIGHT_MM = 72.0, 50.0  # of the figure over connections, and of that of runs in their order
_FEWEST_IN_ORDER = 3
_LEGEND_COLUMNS = 2  # one, if two are wider than the axes
# Without this bound, a legend as high as the axes would leave the points a share of 0, by which is divided.
_MAX_LEGEND_SHARE = 0.6  # of the height of the axes that a legend takes
_LEGEND_GAP_PT = 5.0  # between the highest point and the legend


@in_house_style
def audit(ds: Dataset, *, ax: Axes | None = None, where: str | None = None, width: float = WIDTH_MM) -> Axes:
    """Requests in flight (throughput × mean latency) for each open connection, on logarithmic axes, a point per run.

    If three or more runs all have the same number of connections, the x axis is the order of the runs in their files.

    The line at 1 is Little's law, and the band around it the tolerance of the audit, 5 %. Beyond the dashed lines (half
    and twice), a run or its latency is suspect. Grey points agree with the law. Coloured points have a finding of the
    audit, and are hollow if it is a note. Crosses mark invalid runs. The runs farthest from the law are named if
    there is room. The numbers come from `wrkparse.analysis.audit.little_law.little_law`.

    Raises NothingToPlotError if no run states connections, throughput and mean latency.
    """
    table = little_law(ds, where=where)
    if table.empty:
        raise NothingToPlotError("no report states connections, throughput and mean latency, which Little's law needs")
    in_order = _is_in_order(table)
    table = table.assign(setting=table["run"].map(runs.run_settings(ds)))
    table = table.assign(x=np.arange(1.0, len(table) + 1) if in_order else table["connections"].astype(float))
    one = new_axes(width, _IN_ORDER_HEIGHT_MM if in_order else _HEIGHT_MM) if ax is None else apply_style(ax)
    set_title(one, "Throughput × mean latency / connections; Little's law says 1")
    _plot_law(one, table)
    agreeing = table[table["severity"] == OK]
    if len(agreeing):
        (markers,) = one.plot(
            agreeing["x"], agreeing["ratio"], "o", color=_AGREEING_COLOUR, markersize=3.5, markeredgewidth=0,
            alpha=0.8, gid=OK, label=f"agrees ({len(agreeing)})",
        )  # fmt: skip
        show_settings(agreeing["setting"].tolist(), markers)
    for code, style in _FINDING_STYLES.items():
        _plot_findings(one, table[table["code"] == code], code, style)
    bad = table[table["verdict"] == INVALID]
    if not bad.empty:
        (markers,) = one.plot(
            bad["x"], bad["ratio"], "x", color=palette.INVALID, markersize=7, gid=INVALID,
            label=f"invalid run ({len(bad)})",
        )  # fmt: skip
        show_settings(bad["setting"].tolist(), markers)
    if in_order:
        load = counted(int(table["connections"].iloc[0]), "connection")
        one.set_xlabel(f"runs in the order of their files, all at {load} (ratio on a log scale)")
    else:
        one.set_xlabel("connections (both axes logarithmic)")
        one.grid(visible=True, axis="x")
    ticks.set_at_values(one.xaxis, [] if in_order else table["connections"].unique())
    legend = _add_legend(one, _LEGEND_COLUMNS)
    # Twice: the widths of legend and axis label are compared with that of the axes, which a layout sets; then the label
    # may have more lines, and the axes less height.
    arrange(one)
    if legend.get_window_extent().width > one.bbox.width:
        legend = _add_legend(one, 1)
    break_lines(one.xaxis.label, one.bbox.width)
    _make_room(one, legend, max(float(table["ratio"].max()), HIGH))
    arrange(one)
    names = runs.run_names(ds.runs, table["run"], shown=("connections", "threads", "path"))
    _name_suspect_runs(one, table, names)
    add_points(one, _points(table, names))
    return remember_frame(one, table.drop(columns=["x", "setting"]))


def _add_legend(ax: Axes, columns: int) -> Legend:
    """Add a legend of the marks inside the axes, so that these keep their width."""
    legend = ax.legend(
        loc="upper left", ncols=columns, facecolor="white", edgecolor="none", framealpha=0.85, fontsize=8,
        handletextpad=0.3, borderaxespad=0.2, labelspacing=0.3,
    )  # fmt: skip
    legend.set_in_layout(False)
    return legend


def _is_in_order(table: pd.DataFrame) -> bool:
    """Whether the x axis is the order of the runs. With one number of connections, all would be above each other."""
    return len(table) >= _FEWEST_IN_ORDER and len(set(table["connections"])) == 1


def _points(table: pd.DataFrame, names: dict[str, str]) -> Iterator[Point]:
    columns = ["run", "x", "connections", "under_way", "ratio", "code", "verdict", "setting"]
    for run, x, connections, under_way, ratio, code, verdict, setting in table[columns].itertuples(index=False):
        finding = "invalid run" if verdict == INVALID else "agrees" if pd.isna(code) else name_of(code)
        words = f"{under_way:,.4g} in flight on {connections:.0f} connections, ratio {ratio:.3g}: {finding}"
        yield Point(x, ratio, names[run], words, (run,), setting=setting)


def _plot_law(ax: Axes, table: pd.DataFrame) -> None:
    if _is_in_order(table):
        low, high = 0.0, float(table["x"].max()) + 1
    else:
        low, high = float(table["connections"].min()) / 1.5, float(table["connections"].max()) * 1.5
    ax.axhspan(1 - TOLERANCE, 1 + TOLERANCE, color=palette.BAR, alpha=0.6, linewidth=0, gid="band")
    ax.axhline(1, color=palette.TEXT, linewidth=0.8, gid="law")
    # Beyond these, the audit doubts a run; between the band and these, it writes a note.
    for factor in (LOW, HIGH):
        ax.axhline(factor, color=palette.MUTED, linewidth=0.6, linestyle=(0, (4, 3)), gid=f"{factor:g}")
    ax.set_xscale("linear" if _is_in_order(table) else "log")
    ax.set_yscale("log")
    ax.set_xlim(low, high)
    ax.set_ylim(min(*table["ratio"], LOW) / 1.3, max(*table["ratio"], HIGH))
    ticks.set_log(ax.yaxis, "1")


def _make_room(ax: Axes, legend: Legend, highest: float) -> None:
    """Extend the logarithmic y axis so that the legend is above the highest point."""
    height = legend.get_window_extent().height + _LEGEND_GAP_PT * figure_of(ax).dpi / 72
    share = 1 - min(float(height / ax.bbox.height), _MAX_LEGEND_SHARE)
    low = ax.get_ylim()[0]
    # On a logarithmic axis, what lies below the highest point then takes this share of the height.
    ax.set_ylim(low, low * (highest / low) ** (1 / share))
    ticks.set_log(ax.yaxis, "1")


def _plot_findings(ax: Axes, rows: pd.DataFrame, code: str, style: palette.SeriesStyle) -> None:
    for severity in dict.fromkeys(rows["severity"]):
        of = rows[rows["severity"] == severity]
        note = severity == NOTE
        (markers,) = ax.plot(
            of["x"], of["ratio"], style.marker, color=style.colour, markersize=4.2, markeredgewidth=0.9,
            markerfacecolor="none" if note else style.colour, gid=f"{code} {severity}",
            label=f"{name_of(code)}{', note' if note else ''} ({len(of)})",
        )  # fmt: skip
        show_settings(of["setting"].tolist(), markers)


def _name_suspect_runs(ax: Axes, table: pd.DataFrame, names: dict[str, str]) -> None:
    """Write the names of suspect runs beside their points, beginning with the run furthest from the law.

    A name is left out if it would hide a point, a line or another name.
    """
    suspect = table[~table["severity"].isin([OK, NOTE])]
    order = np.log(suspect["ratio"]).abs().sort_values(ascending=False).index
    along = (np.linspace if _is_in_order(table) else np.geomspace)(*ax.get_xlim(), 200)
    # 200 points along each line stand for it: names are kept away from points.
    lines = [np.column_stack([along, np.full_like(along, factor)]) for factor in (LOW, 1, HIGH)]
    places = np.concatenate([table[["x", "ratio"]].to_numpy(float), *lines])
    points = ax.transData.transform(places)
    legend = ax.get_legend()
    taken = [legend.get_window_extent()] if legend else []
    named: set[tuple[str, float, str]] = set()
    for at in order:
        row = table.loc[at]
        name = shorten(names[row["run"]], 40)
        if (name, row["x"], row["code"]) in named:
            continue  # a neighbour has this name already, in the same colour
        # At the right of its point or, if something is in the way, at the left.
        for right in (True, False):
            text = ax.annotate(
                name, (row["x"], row["ratio"]), xytext=(5 if right else -5, 0),
                textcoords="offset points", ha="left" if right else "right", va="center", fontsize=7.5,
                color=_FINDING_STYLES[row["code"]].text_colour, gid="name", in_layout=False,
                bbox={"facecolor": "white", "alpha": 0.75, "linewidth": 0, "pad": 0.3},
            )  # fmt: skip
            box = text.get_window_extent()
            if _is_free(box, taken, points, ax.bbox):
                show_setting(row["setting"], text)
                taken.append(box)
                named.add((name, row["x"], row["code"]))
                break
            text.remove()
        if len(named) == _MAX_NAMED:
            return


def _is_free(box: Bbox, taken: list[Bbox], points: np.ndarray, room: Bbox) -> bool:
    """Whether the box lies within `room` and covers neither a point nor a box of `taken`."""
    inside = box.x0 >= room.x0 and box.x1 <= room.x1
    hidden = (points >= [box.x0 - 1, box.y0]) & (points <= [box.x1 + 1, box.y1])
    return inside and not hidden.all(axis=1).any() and not any(box.overlaps(other) for other in taken)

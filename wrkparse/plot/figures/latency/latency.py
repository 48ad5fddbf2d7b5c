"""Figures of latency distributions: latency by percentile, or the share of slower requests by latency."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import pandas as pd
from matplotlib.axes import Axes

from wrkparse.analysis.comparison.latency_settings import LatencySettings, latency_settings
from wrkparse.analysis.runs.labels.labels import natural_order
from wrkparse.analysis.runs.latencies import latencies, printed_percentiles
from wrkparse.analysis.runs.selection import select_runs
from wrkparse.analysis.shown.numbers import as_printed, rounded
from wrkparse.analysis.wording import counted
from wrkparse.plot import runs
from wrkparse.plot.colours import run_styles
from wrkparse.plot.errors import NothingToPlotError
from wrkparse.plot.figures.latency.axes import (
    DOTTED,
    UNCORRECTED,
    draw_slo,
    is_log,
    percentile_words,
    set_axes,
    title,
    with_near_maxima,
)
from wrkparse.plot.figures.latency.ranges import draw_ranges
from wrkparse.plot.figures.latency.settings import draw_settings
from wrkparse.plot.figures.latency.table import PERCENTILES, LatencyCurve, add_table
from wrkparse.plot.frames import remember_frame
from wrkparse.plot.layout import arrange
from wrkparse.plot.marks import marks_of
from wrkparse.plot.names import shorten_distinct
from wrkparse.plot.points import Point, add_points
from wrkparse.plot.series import group_names, group_rows, label_keys
from wrkparse.plot.style import palette
from wrkparse.plot.style.house import WIDTH_MM, apply_style, in_house_style, new_axes, set_title

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset

_MAX_LINES = runs.MAX_NAMED
_MAX_PANELS = 6  # settings of more are drawn as rows
_MOST_WITHOUT_PANELS = 6  # lines of settings that differ in their load, too; more have a panel for each load
_MAX_NAME_WIDTH = 48  # in columns of a terminal


def latency(
    ds: Dataset,
    *,
    ax: Axes | None = None,
    where: str | None = None,
    by: str | Sequence[str] | None = None,
    panel: str | Sequence[str] | None = None,
    ignore: str | Sequence[str] | None = None,
    slo_s: float | None = None,
    width: float = WIDTH_MM,
) -> Axes:
    """Latency by percentile on the axis of HdrHistogram, 1 / (1 − p): a line per run, or per setting.

    - A spectrum is a line. It is dashed if it is uncorrected: without the time for which requests waited to be sent.
    - A few printed percentiles are points with dotted steps: a step is the upper bound of all latencies up to the
      percentile. The last point is the maximum. In a spectrum it is drawn as the percentile of 1 in n requests.
    - Up to 12 runs of as many settings, or without labels that differ, are a line each, with their p50, p99 and p99.9
      as printed; up to 6 if they differ in the framework and in the load.
    - Otherwise a line is a setting: at each percentile that its runs print, the median of their values, with a band
      from the lowest to the highest. Runs that are invalid, or whose latencies are suspect, are left out if there are
      others. `by` has the labels of the colours, `panel` those of the panels; by default the
      framework has colours and the load panels. Labels in which the runs of a setting would differ are added, except
      those of `ignore`.
    - More than 12 lines, or 7 in one panel, as many as there are colours, are drawn as a row for each setting, with
      its p50, p90, p99 and maximum.
    - Warm-ups are left out if there are other runs, unless `where`, `by` or `panel` asks for the label ``phase``.
    - `slo_s`: draws a line at the longest tolerable latency, in seconds.

    The numbers come from `wrkparse.analysis.runs.latencies` and `wrkparse.analysis.comparison.latency_settings`. Raises
    NothingToPlotError if no run prints percentiles, and NoLabelError for a label that no run has.
    """
    options = _Options(label_keys(by), label_keys(panel), label_keys(ignore), slo_s)
    return _draw(ds, ax, where, width, options, tail=False)


def ccdf(
    ds: Dataset,
    *,
    ax: Axes | None = None,
    where: str | None = None,
    by: str | Sequence[str] | None = None,
    panel: str | Sequence[str] | None = None,
    ignore: str | Sequence[str] | None = None,
    slo_s: float | None = None,
    width: float = WIDTH_MM,
) -> Axes:
    """The share of requests slower than a latency (complementary CDF) on log axes; options as in `latency`."""
    options = _Options(label_keys(by), label_keys(panel), label_keys(ignore), slo_s)
    return _draw(ds, ax, where, width, options, tail=True)


class _Options(NamedTuple):
    """The options of a caller."""

    by: list[str]
    panel: list[str]
    ignore: list[str]
    slo_s: float | None


@in_house_style
def _draw(ds: Dataset, ax: Axes | None, where: str | None, width: float, options: _Options, *, tail: bool) -> Axes:
    table = latencies(ds, where=where)
    chosen = {run.run for run in select_runs(ds, where, [*options.by, *options.panel])}  # without warm-ups
    table = table[table["slower_ratio"].notna() & table["run"].isin(chosen)]
    table = table if tail else with_near_maxima(table)
    if table.empty:
        raise NothingToPlotError("no run prints latency percentiles (wrk --latency, wrk2 --latency, ab)")
    settings = latency_settings(ds, table, where=where, by=options.by, panel=options.panel, ignore=options.ignore)
    count = len(group_rows(settings.points, settings.keys))
    run_count = len(set(table["run"]))
    differing = count > 1 and run_count > count  # without labels that differ, nothing says that runs are repeats
    most_together = _MOST_WITHOUT_PANELS if settings.panel else _MAX_LINES
    if run_count <= most_together and not (differing or options.by or options.panel):
        return _draw_runs(ds, ax, table, width, options.slo_s, _run_names(ds, table, settings), tail=tail)
    panels = group_rows(settings.points, settings.panel).values()
    most = max(len(group_rows(points, settings.by)) for points in panels)  # lines in one panel, each with its range
    if count > _MAX_LINES or most > len(palette.COLOURS) or len(panels) > _MAX_PANELS:
        return remember_frame(draw_ranges(ax, settings, width, options.slo_s).host, table)
    return remember_frame(draw_settings(ax, settings, width, options.slo_s, tail=tail).host, table)


def _run_names(ds: Dataset, table: pd.DataFrame, settings: LatencySettings) -> dict[str, str]:
    """A name for each run: from the labels of its setting, if the usual name may lack one of them.

    The usual name is that of `runs.run_names`. It is kept if a setting has several runs, which it distinguishes.
    """
    keys = (*settings.by, *settings.panel)
    groups = {
        run: group
        for group, points in group_rows(settings.points, keys).items()
        for members in points["members"]
        for run in members
    }
    names = runs.run_names(ds.runs, table["run"])
    if runs.may_be_in_name(keys) or set(groups) != set(names) or len(set(groups.values())) < len(groups):
        return names
    of_groups = group_names(keys, groups.values(), _MAX_NAME_WIDTH)
    return {run: of_groups[groups[run]] for run in names}


def _draw_runs(
    ds: Dataset, ax: Axes | None, table: pd.DataFrame, width: float, slo_s: float | None, names: dict[str, str], *,
    tail: bool,
) -> Axes:  # fmt: skip
    """Draw a line for each run, with a table of their names and percentiles."""
    curves = _curves(ds, table, names)
    one = new_axes(width, 84.0) if ax is None else apply_style(ax)
    log = tail or is_log(table)
    set_title(one, title(tail=tail, log=log))
    for curve in curves:
        with marks_of(one, curve.setting):
            _draw_line(one, curve, tail=tail, log=log)
        add_points(one, _points(curve, tail=tail, log=log))
    set_axes(one, table, slo_s, log=log, tail=tail)
    draw_slo(one, slo_s, tail=tail)
    zeros = int((table["value_s"] <= 0).sum()) if log else 0
    left_out = f"{counted(zeros, 'latency', 'latencies')} printed as 0 left out" if zeros else ""
    _add_note(one, left_out, tail=tail)
    arrange(one)  # the table is measured on the axes where they will be
    add_table(one, curves, tail=tail, note=bool(left_out))
    arrange(one)  # the table may have extended an axis or the figure
    return remember_frame(one, table)


def _curves(ds: Dataset, table: pd.DataFrame, names: dict[str, str]) -> list[LatencyCurve]:
    """A curve for each run, and for wrk2 one each for corrected and uncorrected latencies."""
    short = dict(zip(names, shorten_distinct(list(names.values()), _MAX_NAME_WIDTH), strict=True))
    percentiles = printed_percentiles(ds, PERCENTILES)
    curves, styles, settings = [], run_styles(ds.runs, names), runs.run_settings(ds)
    by_name = sorted(zip(short.items(), styles, strict=True), key=lambda one: natural_order(names[one[0][0]]))
    for (run, name), style in by_name:
        # Of other tools than wrk2 `corrected` is missing: dropna=False keeps their rows.
        for corrected, points in table[table["run"] == run].groupby("corrected", dropna=False, sort=False):
            plain = pd.isna(corrected)  # not by wrk2: there is one distribution
            same = percentiles["corrected"].isna() if plain else percentiles["corrected"].eq(corrected)
            printed = percentiles.loc[(percentiles["run"] == run) & same, ["percentile", "value_s", "resolution"]]
            suffix = "" if plain else ", corrected" if corrected else ", uncorrected"
            curves.append(
                LatencyCurve(
                    name, suffix, style, "solid" if plain or corrected else UNCORRECTED,
                    points.sort_values("percentile", kind="stable"),
                    {at: as_printed(value, "s", digits) for at, value, digits in printed.itertuples(index=False)},
                    settings[run] + suffix,
                )
            )  # fmt: skip
    return curves


def _draw_line(ax: Axes, curve: LatencyCurve, *, tail: bool, log: bool) -> None:
    points = curve.points[curve.points["value_s"] > 0] if log else curve.points
    seconds, ratio = points["value_s"], points["slower_ratio"]
    x, y = (seconds, ratio) if tail else (1 / ratio, seconds)
    printed = bool(points["detail"].eq("printed").all())
    ax.plot(
        x, y, color=curve.style.colour, gid=curve.name, linewidth=1.4,
        linestyle=DOTTED if printed else curve.dash,
        drawstyle="default" if not printed else "steps-post" if tail else "steps-pre",
        marker=curve.style.marker if printed else "", markerfacecolor="white",
    )  # fmt: skip


def _points(curve: LatencyCurve, *, tail: bool, log: bool) -> Iterator[Point]:
    columns = ["run", "percentile", "slower_ratio", "value_s", "line"]
    for run, percentile, slower, seconds, line in curve.points[columns].itertuples(index=False):
        if seconds > 0 or not log:
            x, y = (seconds, slower) if tail else (1 / slower, seconds)
            number = None if pd.isna(line) else int(line)
            words = f"{percentile_words(percentile)}: {rounded(float(seconds), 's')}"
            yield Point(float(x), float(y), curve.name, words, (str(run),), number, curve.setting)


def _add_note(ax: Axes, text: str, *, tail: bool) -> None:
    ax.text(
        0.02 if tail else 0.98, 0.03, text, transform=ax.transAxes, ha="left" if tail else "right", fontsize=8,
        color=palette.MUTED, gid="note",
    )  # fmt: skip

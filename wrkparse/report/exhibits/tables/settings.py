"""Tables and figures of every setting: medians and ratios for each metric, and throughput by connections."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from wrkparse.analysis.checks.finding import INVALID
from wrkparse.analysis.comparison.compare import ComparisonTable
from wrkparse.analysis.comparison.text.claims import labels_of
from wrkparse.analysis.comparison.text.wording import (
    NOT_USED,
    amount,
    base_words,
    counting_words,
    metric_words,
    name_words,
    p_cell,
)
from wrkparse.analysis.runs.labels.key_words import key_words
from wrkparse.analysis.shown.numbers import as_printed, quantity, rounded
from wrkparse.analysis.summary.summary import Part, Summary
from wrkparse.dataset.aliases import SHOWN
from wrkparse.plot.drawn import data
from wrkparse.plot.figures.latency.latency import latency
from wrkparse.plot.figures.multiples import multiples
from wrkparse.report.exhibits.about import Paragraphs
from wrkparse.report.exhibits.figures.descriptions import latency_alt, setting_words
from wrkparse.report.exhibits.figures.main_figure import MAIN, is_tall, main_figure, repeats_main_figure
from wrkparse.report.exhibits.figures.part_styles import part_styles
from wrkparse.report.exhibits.objects import Figure, Table, attempt
from wrkparse.report.exhibits.tables.columns import Format
from wrkparse.text.escape import escaped

_TITLES = {
    "n": "runs", "center": "median", "lo": "from", "hi": "to", "ratio": "ratio", "ratio_lo": "at least",
    "ratio_hi": "at most", "difference": "difference", "difference_lo": "at least", "difference_hi": "at most",
    "p_adjusted": "p", "verdict": "verdict", "settings": "settings",
}  # fmt: skip
_RATIOS: dict[str, Format] = dict.fromkeys(["ratio", "ratio_lo", "ratio_hi"], "factor") | {
    "p_adjusted": lambda value: p_cell(float(str(value)))
}
_DIFFERENCES: dict[str, Format] = dict.fromkeys(["difference", "difference_lo", "difference_hi"], "points")
_COMPARED = """\
## Every setting

Runs that differ in a label, in the tool, or in the place where they were found are different settings. *Ratio* is that
of a setting to the baseline, all else equal. One run has no interval and no verdict, because the next one would differ
by an unknown amount. A percentile of several runs is the
median of theirs, not that of all their requests."""
_FEWEST_LOADS = 3  # numbers of connections that make a curve
_MOST_DISTRIBUTIONS = 40  # settings in a figure of latency, which has a row for each of them
_MOST_CELLS = 60  # of one metric; of more, a table over all settings stands for them
_STATS = {"total": "total", "mean": "mean", "stdev": "stdev", "within_stdev": "within stdev"}
_NO_VERDICTS = {"baseline", "no baseline"}  # of a metric in which nothing is compared
_MOST_NAMED = 3  # settings that a sentence names
_MOST_COLUMNS = 10  # of a table of all numbers; of more, totals have a table of their own
_PRINTED = ["metric", "stat", "value", "unit", "resolution"]
_UNITS = ("s", "1/s", "bytes", "bytes/s", "ratio", "1")


def setting_exhibits(found: Summary) -> list[object]:
    """A section with a table for each metric, and a figure of throughput by connections, for each study of a summary.

    Of several studies only the first metric is shown. The tables have every setting, or every variant over all settings
    if there are too many for a page.
    """
    shown: list[object] = [Paragraphs(f"- {escaped(line)}") for line in found.more]
    for number, part in enumerate(found.parts, 1):
        if part.comparison is not None:
            shown += _metric_tables(part, part.comparison, number, found)
            with part_styles(part):
                figure = _by_connections(part, found, number)
                shown += [figure] if figure else []
                shown += _latency(part, part.comparison, found, number)
        elif part.level is not None:
            shown += _level(part, number, found)
    tall = main_figure(found)
    shown += [tall] if tall and is_tall(tall) else []
    heading = _COMPARED if any(part.comparison is not None for part in found.parts) else "## All numbers"
    return [Paragraphs(heading), *shown] if shown else []


def _metric_tables(part: Part, table: ComparisonTable, number: int, found: Summary) -> Iterator[Table | Paragraphs]:
    """A table for each metric; of one that is 0 for all settings, such as failures, a sentence.

    Of several studies there is one for the first metric only.
    """
    names = list(dict.fromkeys(str(name) for name in table.cells["metric"]))
    for at, name in enumerate(names[:1] if len(found.parts) > 1 else names, 1):
        cells = table.cells[(table.cells["metric"] == name) & table.cells["center"].notna()]
        others = cells[cells["center"].ne(0)]
        if len(cells) > 1 and (others.empty or _only_unused(others, len(cells))):
            beside = "".join(f"; {_beside_zero(table, row)}" for row in others.to_dict("records"))
            every = "every other setting" if beside else "every setting"
            beside = beside or _of_unused(found, table, name)
            yield Paragraphs(escaped(f"{metric_words(name)}{_of(part)}: the median of {every} is 0{beside}."))
        else:
            together = _is_together(table, name)
            drawn = MAIN if repeats_main_figure(found, part, name, together=together) else ""
            yield _metric_table(part, table, name, f"tbl:settings-{number}-{at}", drawn)


def _of_unused(found: Summary, table: ComparisonTable, name: str) -> str:
    """``; a run of moss that is not used has 255,258``: what runs have that the audit leaves out of the medians."""
    verdicts, rows = found.audit.verdicts, found.dataset.measurements
    unused = verdicts.loc[verdicts["verdict"] == INVALID, "run"]
    rows = rows[rows["metric"].eq(name) & rows["run"].isin(unused) & (rows["value"] > 0)]
    if rows.empty:
        return ""
    most = quantity(float(rows["value"].max()), "1")
    count = len(set(rows["run"]))
    if count > 1:
        return f"; {count:,} runs that are not used have up to {most} each"
    [run] = found.dataset.runs[found.dataset.runs["run"].isin(rows["run"])].to_dict("records")
    who = name_words({key: run[key] for key in table.compared if isinstance(run.get(key), str)})
    return f"; a run{f' of {who}' if who else ''} that is not used has {most}"


def _only_unused(others: pd.DataFrame, settings: int) -> bool:
    """Whether settings beside those with a median of 0 are a few that are not used, so that nothing is compared."""
    return len(others) <= min(_MOST_NAMED, settings - 1) and bool(others["verdict"].eq("invalid").all())


def _beside_zero(table: ComparisonTable, row: Mapping[Any, Any]) -> str:
    """``that of kiwi, which is not used, 100 %``."""
    return (
        f"that of {setting_words(table, row)}, which is not used, {amount(row['center'], row['unit'], row['metric'])}"
    )


def _is_together(table: ComparisonTable, name: str) -> bool:
    """Whether a table has the variants over all settings, because there are too many settings."""
    cells = table.cells[(table.cells["metric"] == name) & (table.cells["n"] > 0)]
    return len(cells) > _MOST_CELLS and bool(table.over_settings["metric"].eq(name).any())


def _metric_table(part: Part, table: ComparisonTable, name: str, label: str, drawn: str) -> Table:
    """The cells of one metric, by setting; with very many, the variants over all settings."""
    cells = table.cells[(table.cells["metric"] == name) & (table.cells["n"] > 0)]
    unit = str(cells["unit"].iloc[0]) if len(cells) else ""
    overall = table.over_settings[table.over_settings["metric"] == name]
    together = _is_together(table, name)
    keys = table.compared if together else (*table.columns, *table.rows)
    if together:
        cells = overall.rename(columns={"lo": "ratio_lo", "hi": "ratio_hi", "runs": "n"})
    else:
        cells = _in_order(cells, table)
    titles = {key: SHOWN.get(key, key_words(key)) for key in keys} | _TITLES
    if "p" in cells and cells["p"].notna().sum() > 1:
        titles["p_adjusted"] = "adjusted p"
    differs = "difference" in cells and bool(cells["difference"].notna().any())
    compares = differs or bool((cells["ratio"].notna() & (cells["verdict"] != "baseline")).any())
    effects = set(_DIFFERENCES if differs else _RATIOS) | {"p_adjusted"} if compares else set()
    shown = set(cells) - ({*_RATIOS, *_DIFFERENCES} - effects)
    if not compares and "verdict" in cells and set(cells["verdict"]) <= _NO_VERDICTS:
        shown.remove("verdict")
    columns = {key: title for key, title in titles.items() if key in shown}
    formats: dict[str, Format] = {key: form for key, form in (_RATIOS | _DIFFERENCES).items() if key in shown}
    if unit in _UNITS:
        formats |= {key: unit for key in ("center", "lo", "hi") if key in columns}
    base = base_words(table.baseline) if table.baseline and compares else ""
    beside = f", and {'differences from' if differs else 'ratios to'} {base}" if base else ""
    if "verdict" in cells:
        cells = cells.assign(verdict=cells["verdict"].replace("invalid", NOT_USED))
    what = "over all settings together" if together else "median of each setting"
    caption = f"{metric_words(name)}{_of(part)}: {what}{beside}"
    empty = "No run states it."
    return Table(cells, escaped(caption), label, columns=columns, formats=formats, empty=empty, repeats=drawn)


def _in_order(cells: pd.DataFrame, table: ComparisonTable) -> pd.DataFrame:
    """The cells with those that are compared next to each other: by the columns, then as they stand."""
    keys = list(table.columns)
    if not keys:
        return cells
    places = pd.DataFrame({key: pd.factorize(cells[key].fillna(""))[0] for key in keys}, index=cells.index)
    return cells.loc[places.sort_values(keys, kind="stable").index]


def _by_connections(part: Part, found: Summary, number: int) -> Figure | None:
    """Throughput by connections; None for fewer than three numbers of connections, which the main figure shows."""
    if len(set(part.conditions.varies.get("connections", ())) - {None}) < _FEWEST_LOADS:
        return None
    drawn = attempt(multiples, found.dataset, where=part.where)
    if not drawn:
        return None
    frame = data(drawn)
    if not _is_curve(frame):
        return None
    counting = frame[frame["verdict"].ne("invalid")] if "verdict" in frame else frame
    frame = counting if len(counting) else frame
    ends = frame.loc[[frame["value"].idxmin(), frame["value"].idxmax()]] if "value" in frame else frame.head(0)
    least, most = (
        f"{amount(float(row['value']), '1/s', 'throughput')} at {row['connections']} connections"
        for row in ends.to_dict("records")
    )
    alt = f"Throughput by connections, a line for each setting: from {least} to {most}."
    caption = f"Throughput by connections{_of(part)}: the highest is {most}"
    return Figure(drawn, f"{escaped(caption)}.  \n{escaped(str(part.conditions))}", f"fig:load-{number}", alt)


def _is_curve(frame: pd.DataFrame) -> bool:
    """Whether some line of a figure has enough loads: others are points that a table shows better."""
    keys = [key for key in frame.columns[: frame.columns.get_loc("metric")] if key != "connections"]
    lines = frame.groupby(keys, dropna=False)["connections"].nunique() if keys else [frame["connections"].nunique()]
    return max(lines, default=0) >= _FEWEST_LOADS


def _latency(part: Part, table: ComparisonTable, found: Summary, number: int) -> Iterator[Figure]:
    """Latency by percentile, unless there are more settings than a reader can tell apart."""
    cells = table.cells[table.cells["metric"] == table.cells["metric"].iloc[0]]
    if (cells["n"] > 0).sum() > _MOST_DISTRIBUTIONS:
        return
    if drawn := attempt(latency, found.dataset, where=part.where):
        caption = f"Latency by percentile{_of(part)}{_tails(table)}"
        alt = latency_alt(found, part.where)
        held = part.conditions.line(pooled=bool(part.conditions.varies))  # runs without a label that differs stay apart
        yield Figure(drawn, f"{escaped(caption)}.  \n{escaped(held)}", f"fig:latency-{number}", alt)


def _tails(table: ComparisonTable) -> str:
    """``: p99 is lowest of plover (2 ms), highest of heron (11 ms)``; empty if no percentile is compared."""
    drawn = table.cells[table.cells["metric"].str.startswith("latency_p") & table.cells["center"].notna()]
    cells = drawn[drawn["verdict"] != "invalid"].sort_values("center", kind="stable")
    if len(cells) < 2 or cells["center"].iloc[0] == cells["center"].iloc[-1]:
        return ""
    of_whom = [
        f"{_of_setting(table, row)} ({rounded(row['center'], 's')})" for row in cells.iloc[[0, -1]].to_dict("records")
    ]
    stat = str(cells["metric"].iloc[0]).removeprefix("latency_")
    median = "the median of " if (cells["n"] > 1).any() else ""
    of = "" if len(cells) == len(drawn) else f"of the {len(cells)} settings whose latencies count, "
    return f": {of}{median}{stat} is lowest {of_whom[0]}, highest {of_whom[1]}"


def _of_setting(table: ComparisonTable, row: Mapping[Any, Any]) -> str:
    """``for heron at 64 connections``; of a setting without a name ``with GOGC=50``."""
    words = setting_words(table, row)
    return f"for {words}" if name_words(labels_of(row, table.rows)) else words


def _level(part: Part, number: int, found: Summary) -> list[Table]:
    """All numbers of one run, or the medians of several of one setting."""
    label = f"tbl:settings-{number}"
    if part.runs == 1:
        return _number_tables(_numbers(found, part), _of(part), label)
    assert part.level is not None
    cells = part.level.cells[part.level.cells["n"] > 0].copy()
    names = cells["metric"].tolist()
    cells["metric"] = cells["metric"].map(metric_words)
    for key in ("center", "lo", "hi"):
        cells[key] = [amount(*each) or None for each in zip(cells[key], cells["unit"], names, strict=True)]
    columns = {"metric": "metric", "n": "runs", "center": "median", "lo": "from", "hi": "to"}
    caption = "Medians of the runs of one setting" if (cells["n"] > 1).any() else "Numbers of the run"
    return [Table(cells, f"{caption}{escaped(_of(part))}", label, columns=columns)]


def _number_tables(numbers: pd.DataFrame, of: str, label: str) -> list[Table]:
    """The numbers of a run: in one table or, with many percentiles, totals and distributions by themselves."""
    filled = [name for name in numbers.columns if numbers[name].notna().any()]
    if len(filled) <= _MOST_COLUMNS:
        return [Table(numbers, escaped(f"All numbers of the run{of}"), label)]
    is_spread = numbers[[name for name in filled if name not in ("metric", "total")]].notna().any(axis=1)
    return [
        Table(numbers.loc[~is_spread, ["metric", "total"]], escaped(f"Totals of the run{of}"), label),
        Table(numbers[is_spread], escaped(f"Distributions of the run{of}"), f"{label}-spread"),
    ]


def _numbers(found: Summary, part: Part) -> pd.DataFrame:
    """The numbers that the load report of a part prints: a row for each metric, a column for each statistic."""
    rows = found.dataset.measurements
    rows = rows[rows["run"].isin(found.dataset.wide(part.where)["run"]) & rows["value"].notna()]
    table: dict[str, dict[str, str]] = {}
    for metric, stat, value, unit, resolution in rows[_PRINTED].itertuples(index=False):
        name = str(stat)
        table.setdefault(metric_words(metric), {})[_STATS.get(name, name)] = counting_words(
            as_printed(float(value), unit, float(resolution)), unit, metric
        )
    listed = list(dict.fromkeys([*_STATS.values(), *(stat for of_metric in table.values() for stat in of_metric)]))
    lines = [[name, *(of_metric.get(stat) for stat in listed)] for name, of_metric in table.items()]
    return pd.DataFrame(lines, columns=["metric", *listed])


def _of(part: Part) -> str:
    """The study of a part, for a caption; empty for runs without one."""
    return f" of {part.study}" if part.study else ""

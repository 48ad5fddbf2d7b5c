"""Tables and figures of every setting: medians and ratios for each metric, and throughput by connections."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from wrkparse.analysis.audit.audit import OK
from wrkparse.analysis.checks.finding import INVALID
from wrkparse.analysis.comparison.compare import ComparisonTable
from wrkparse.analysis.comparison.text.claims import labels_of
from wrkparse.analysis.comparison.text.statements import of_words
from wrkparse.analysis.comparison.text.wording import (
    NOT_USED,
    amount_words,
    base_words,
    counting_words,
    metric_words,
    name_words,
    p_cell,
    value_words,
)
from wrkparse.analysis.runs.labels.key_words import key_words
from wrkparse.analysis.runs.labels.labels import label_text, natural_order
from wrkparse.analysis.shown.numbers import as_printed, quantity, rounded
from wrkparse.analysis.summary.summary import StudyPart, Summary
from wrkparse.analysis.summary.title import tool_words
from wrkparse.dataset import column_name
from wrkparse.plot.figures.latency.latency import latency
from wrkparse.plot.figures.multiples import multiples
from wrkparse.plot.frames import data
from wrkparse.report.exhibits.about import Paragraphs
from wrkparse.report.exhibits.captioned import MOST_ROWS, Figure, Table, attempt
from wrkparse.report.exhibits.figures.descriptions import comparison_alt, latency_alt, setting_words
from wrkparse.report.exhibits.figures.main_figure import MAIN_LABEL, is_tall, main_figure, repeats_main_figure
from wrkparse.report.exhibits.figures.part_styles import part_styles
from wrkparse.report.exhibits.tables.columns import ColumnFormat
from wrkparse.text.escape import escaped

_TITLES = {
    "n": "runs", "center": "median", "lo": "from", "hi": "to", "ratio": "ratio", "ratio_lo": "at least",
    "ratio_hi": "at most", "difference": "difference", "difference_lo": "at least", "difference_hi": "at most",
    "settings_higher": "more in", "settings_lower": "fewer in", "p_adjusted": "p", "verdict": "verdict",
    "settings": "settings",
}  # fmt: skip
_RATIOS: dict[str, ColumnFormat] = dict.fromkeys(["ratio", "ratio_lo", "ratio_hi"], "factor") | {
    "p_adjusted": lambda value: p_cell(float(str(value)))
}
_COUNTS: dict[str, ColumnFormat] = {"settings_higher": "1", "settings_lower": "1", "p_adjusted": _RATIOS["p_adjusted"]}
_DIFFERENCES: dict[str, ColumnFormat] = dict.fromkeys(["difference", "difference_lo", "difference_hi"], "points")
_EVERY_SETTING_TEXT = """\
## Every setting

Runs that agree in all that the logs say of them (what answered, the load, options), in the tool and in the folder are
repeats of one *setting*. *Ratio* is that of a setting to the *baseline*, with which the others are compared, all else
equal. One run has no interval and no verdict, because the next one would differ by an unknown amount. A percentile of
several runs is the median of their percentiles, not the percentile of all their requests."""
_FEWEST_LOADS = 3  # numbers of connections of a curve; fewer are points, which a table shows better
_MOST_DISTRIBUTIONS = 40  # settings in a figure of latency, which has a row for each
_MOST_CELLS = 60  # of one metric; if there are more, the table has the variants over all settings
# The titles of the first columns of a table of all numbers, by the name of the stat.
_STAT_COLUMNS = {"total": "total", "mean": "mean", "stdev": "stdev", "within_stdev": "within stdev"}
_NO_VERDICTS = {"baseline", "no baseline"}  # of a metric in which nothing is compared
_FEW_UNUSED = 6  # printed rows of a metric that the audit lets count for no setting, if there are over twice as many
_MOST_NAMED = 3  # settings that a sentence names
_MOST_COLUMNS = 10  # of a table of all numbers; if there are more, totals get a separate table
_PERCENTILE = re.compile(r"p[0-9.]+")  # "p99.9"
_MEASUREMENT_COLUMNS = ["metric", "stat", "value", "unit", "resolution"]
_UNITS = ("s", "1/s", "bytes", "bytes/s", "ratio", "1")


def setting_exhibits(summary: Summary) -> list[object]:
    """A section with a table for each metric, and a figure of throughput by connections, for each study of a summary.

    If there are several studies, only the first metric is shown. A table has every setting, or every variant over all
    settings if there are too many settings.
    """
    shown: list[object] = [Paragraphs(f"- {escaped(line)}") for line in summary.more]
    for number, part in enumerate(summary.parts, 1):
        if part.comparison is not None:
            shown += _metric_tables(part, part.comparison, number, summary)
            with part_styles(part):
                figure = _connections_figure(part, summary, number)
                shown += [figure] if figure else []
                shown += _latency_figure(part, part.comparison, summary, number)
        elif part.level is not None:
            shown += _one_setting_tables(part, number, summary)
    tall = main_figure(summary)
    shown += [tall] if tall and is_tall(tall) else []
    heading = _EVERY_SETTING_TEXT if any(part.comparison is not None for part in summary.parts) else "## All numbers"
    return [Paragraphs(heading), *shown] if shown else []


def _metric_tables(
    part: StudyPart, table: ComparisonTable, number: int, summary: Summary
) -> Iterator[Table | Paragraphs]:
    """A table for each metric; a sentence if the metric is 0 for all settings, such as failures.

    If there are several studies, only the first metric is shown.
    """
    names = list(dict.fromkeys(str(name) for name in table.cells["metric"]))
    for at, name in enumerate(names[:1] if len(summary.parts) > 1 else names, 1):
        cells = table.cells[(table.cells["metric"] == name) & table.cells["center"].notna()]
        others = cells[cells["center"].ne(0)]
        if len(cells) > 1 and (others.empty or _has_only_unused(others, len(cells))):
            beside = "".join(f"; {_unused_setting_clause(table, row)}" for row in others.to_dict("records"))
            every = "every other setting" if beside else "every setting"
            beside = beside or _unused_runs_clause(summary, table, name)
            yield Paragraphs(escaped(f"{metric_words(name)}{part.of_study}: the median of {every} is 0{beside}."))
        else:
            over_settings = _is_over_settings(table, name)
            drawn = MAIN_LABEL if repeats_main_figure(summary, part, name, over_settings=over_settings) else ""
            yield _metric_table(part, table, name, f"tbl:settings-{number}-{at}", drawn)


def _unused_runs_clause(summary: Summary, table: ComparisonTable, name: str) -> str:
    """The values of invalid runs, which no median has: ``; a run of moss that is not used has 255,258``."""
    verdicts, rows = summary.audit.verdicts, summary.dataset.measurements
    unused = verdicts.loc[verdicts["verdict"] == INVALID, "run"]
    rows = rows[rows["metric"].eq(name) & rows["run"].isin(unused) & (rows["value"] > 0)]
    if rows.empty:
        return ""
    most = quantity(float(rows["value"].max()), "1")
    count = len(set(rows["run"]))
    if count > 1:
        return f"; {count:,} runs that are not used have up to {most} each"
    [run] = summary.dataset.runs[summary.dataset.runs["run"].isin(rows["run"])].to_dict("records")
    who = name_words({key: run[key] for key in table.compared if isinstance(run.get(key), str)})
    return f"; a run{f' of {who}' if who else ''} that is not used has {most}"


def _has_only_unused(others: pd.DataFrame, settings: int) -> bool:
    """Whether the settings whose median is not 0 are few, and all invalid, so that nothing is compared."""
    return len(others) <= min(_MOST_NAMED, settings - 1) and bool(others["verdict"].eq("invalid").all())


def _unused_setting_clause(table: ComparisonTable, row: Mapping[Any, Any]) -> str:
    """The median of a setting that is not used: ``that of kiwi, which is not used, 100 %``."""
    words = setting_words(table, row)
    whose = words if name_words(labels_of(row, table.rows)) is None else f"of {words}"
    return f"that {whose}, which is not used, {amount_words(row['center'], row['unit'], row['metric'])}"


def _is_over_settings(table: ComparisonTable, name: str) -> bool:
    """Whether the table has the variants over all settings, because there are too many settings."""
    cells = table.cells[(table.cells["metric"] == name) & (table.cells["n"] > 0)]
    return len(cells) > _MOST_CELLS and bool(table.over_settings["metric"].eq(name).any())


def _metric_table(part: StudyPart, table: ComparisonTable, name: str, label: str, drawn: str) -> Table:
    """The table of one metric: a row for each setting or, if there are too many, for each variant."""
    cells = table.cells[(table.cells["metric"] == name) & (table.cells["n"] > 0)]
    unit = str(cells["unit"].iloc[0]) if len(cells) else ""
    overall = table.over_settings[table.over_settings["metric"] == name]
    over_settings = _is_over_settings(table, name)
    keys = table.compared if over_settings else (*table.columns, *table.rows)
    if over_settings:
        cells = overall.rename(columns={"lo": "ratio_lo", "hi": "ratio_hi", "runs": "n"})
    else:
        cells = _order_by_columns(cells, table)
    titles = {key: key_words(key) for key in keys} | _TITLES
    if "p" in cells and cells["p"].notna().sum() > 1:
        titles["p_adjusted"] = "adjusted p"
    differs = "difference" in cells and bool(cells["difference"].notna().any())
    compares = differs or bool((cells["ratio"].notna() & (cells["verdict"] != "baseline")).any())
    effects = set(_DIFFERENCES if differs else _RATIOS) | {"p_adjusted"} if compares else set()
    if over_settings and not compares:  # of shares there is no number over all settings
        effects = set(_COUNTS)
    shown = set(cells) - ({*_RATIOS, *_DIFFERENCES, *_COUNTS} - effects)
    # A column that says `no baseline` in each row says nothing.
    if not compares and "verdict" in cells and set(cells["verdict"]) <= _NO_VERDICTS:
        shown.remove("verdict")
    columns = {key: title for key, title in titles.items() if key in shown}
    formats: dict[str, ColumnFormat] = {
        key: form for key, form in (_RATIOS | _DIFFERENCES | _COUNTS).items() if key in shown
    }
    if unit in _UNITS:
        formats |= {key: unit for key in ("center", "lo", "hi") if key in columns}
    base = base_words(table.baseline) if table.baseline and compares else ""
    beside = f", and {'differences from' if differs else 'ratios to'} {base}" if base else ""
    if _COUNTS.keys() <= effects:
        beside = f", more and fewer than {base_words(table.baseline)}"
    unnamed = cells[[*table.compared]].isna().all(axis=1)
    cells = cells.assign(**{key: cells[key].mask(unnamed, value_words(None, key)) for key in table.compared})
    if "verdict" in cells:
        cells = cells.assign(verdict=cells["verdict"].replace("invalid", NOT_USED))
    what = "over all settings together" if over_settings else "median of each setting"
    caption = f"{metric_words(name)}{part.of_study}: {what}{beside}"
    empty = "No run states it."
    # Numbers that count for nothing get a few rows only; the CSV has all.
    unused = len(cells) > 2 * _FEW_UNUSED and "verdict" in cells and bool(cells["verdict"].eq(NOT_USED).all())
    rows = _FEW_UNUSED if unused else MOST_ROWS
    return Table(
        cells, escaped(caption), label, columns=columns, formats=formats, empty=empty, repeats=drawn, rows=rows
    )


def _order_by_columns(cells: pd.DataFrame, table: ComparisonTable) -> pd.DataFrame:
    """The cells sorted by the columns of the comparison, so that compared cells follow each other."""
    keys = list(table.columns)
    if not keys:
        return cells
    # `factorize` numbers values by their first place: the order that the comparison gave them.
    places = pd.DataFrame({key: pd.factorize(cells[key].fillna(""))[0] for key in keys}, index=cells.index)
    return cells.loc[places.sort_values(keys, kind="stable").index]


def _connections_figure(part: StudyPart, summary: Summary, number: int) -> Figure | None:
    """Throughput by connections; None for fewer than three numbers of connections: the main figure shows these."""
    if len(set(part.conditions.varies.get("connections", ())) - {None}) < _FEWEST_LOADS:
        return None
    drawn = attempt(multiples, summary.dataset, where=part.where)
    if not drawn:
        return None
    frame = data(drawn)
    if not _is_curve(frame):
        return None
    # The caption names the highest value: not that of a run which is not used, unless there is no other.
    counting = frame[frame["verdict"].ne("invalid")] if "verdict" in frame else frame
    frame = counting if len(counting) else frame
    ends = frame.loc[[frame["value"].idxmin(), frame["value"].idxmax()]] if "value" in frame else frame.head(0)
    # The columns in front of `metric` are labels (`_PanelContent.frame`).
    keys = list(map(str, frame.columns[: frame.columns.get_loc("metric")]))
    least, most = (
        f"{amount_words(float(row['value']), '1/s', 'throughput')} {_of_line(row, keys)}"
        for row in ends.to_dict("records")
    )
    alt = f"Throughput by connections, a line for each setting: from {least} to {most}."
    caption = f"Throughput by connections{part.of_study}: the highest is {most}"
    return Figure(drawn, f"{escaped(caption)}.  \n{escaped(str(part.conditions))}", f"fig:load-{number}", alt)


def _of_line(row: Mapping[Any, Any], keys: Sequence[str]) -> str:
    """Whose point it is, and at which load: ``of heron at 64 connections``."""
    known = {key: label_text(row[key]) for key in keys if key not in ("study", "tool")}
    return of_words({key: value for key, value in known.items() if value is not None})


def _is_curve(frame: pd.DataFrame) -> bool:
    """Whether a line of the figure has enough loads."""
    keys = [key for key in frame.columns[: frame.columns.get_loc("metric")] if key != "connections"]
    lines = frame.groupby(keys, dropna=False)["connections"].nunique() if keys else [frame["connections"].nunique()]
    return max(lines, default=0) >= _FEWEST_LOADS


def _latency_figure(part: StudyPart, table: ComparisonTable, summary: Summary, number: int) -> Iterator[Figure]:
    """Latency by percentile; empty if there are more settings than `_MOST_DISTRIBUTIONS`."""
    cells = table.cells[table.cells["metric"] == table.cells["metric"].iloc[0]]
    if (cells["n"] > 0).sum() > _MOST_DISTRIBUTIONS:
        return
    if drawn := attempt(latency, summary.dataset, where=part.where):
        caption = f"Latency by percentile{part.of_study}{_tail_clause(table)}"
        alt = _latency_alt(part, table, summary)
        yield Figure(
            drawn,
            f"{escaped(caption)}.  \n{escaped(_conditions_of_latencies(part, table))}",
            f"fig:latency-{number}",
            alt,
        )


def _latency_alt(part: StudyPart, table: ComparisonTable, summary: Summary) -> str:
    """What the lines show: the percentile of each setting that is compared if runs are pooled, else those of runs."""
    tails = _tail_cells(table)
    if not part.conditions.varies or not (tails["n"] > 1).any():
        return latency_alt(summary, part.where)
    numbers = comparison_alt(table, str(tails["metric"].iloc[0]))
    return f"Latency by percentile, the median of the runs of each setting. {numbers}"


def _conditions_of_latencies(part: StudyPart, table: ComparisonTable) -> str:
    """The conditions of the figure of latencies, which pools the runs of a setting whose latencies count."""
    known = part.conditions
    counts = _tail_cells(table)["n"]
    if len(counts):
        known = known._replace(fewest=int(counts.min()), most=int(counts.max()))
    return known.line(pooled=bool(known.varies))  # runs without a label that differs stay apart


def _tail_cells(table: ComparisonTable) -> pd.DataFrame:
    """The cells of the percentile that is compared."""
    return table.cells[table.cells["metric"].str.startswith("latency_p") & table.cells["center"].notna()]


def _tail_clause(table: ComparisonTable) -> str:
    """``: p99 is lowest for plover (2 ms), highest for heron (11 ms)``; empty if no percentile is compared."""
    drawn = _tail_cells(table)
    cells = drawn[drawn["verdict"] != "invalid"].sort_values("center", kind="stable")
    if len(cells) < 2 or cells["center"].iloc[0] == cells["center"].iloc[-1]:
        return ""
    of_whom = [
        f"{_for_setting(table, row)} ({rounded(row['center'], 's')})" for row in cells.iloc[[0, -1]].to_dict("records")
    ]
    stat = str(cells["metric"].iloc[0]).removeprefix("latency_")
    median = "the median of " if (cells["n"] > 1).any() else ""
    of = "" if len(cells) == len(drawn) else f"of the {len(cells)} settings whose latencies count, "
    return f": {of}{median}{stat} is lowest {of_whom[0]}, highest {of_whom[1]}"


def _for_setting(table: ComparisonTable, row: Mapping[Any, Any]) -> str:
    """``for heron at 64 connections``, or ``with GOGC=50`` if the setting has no name."""
    words = setting_words(table, row)
    return f"for {words}" if name_words(labels_of(row, table.rows)) else words


def _one_setting_tables(part: StudyPart, number: int, summary: Summary) -> list[Table]:
    """All numbers of a single run, or of one run of each tool; a row for each of several runs of one setting."""
    label = f"tbl:settings-{number}"
    assert part.level is not None or part.runs == 1
    if part.level is not None and (part.level.cells["n"] > 1).any():
        return [_every_run_table(part, part.level, summary, label)]
    numbers = summary.dataset.measurements
    numbers = numbers[numbers["value"].notna()]
    runs = [row for row in summary.dataset.matching(part.where).to_pylist() if row["run"] in set(numbers["run"])]
    return [
        table
        for at, row in enumerate(runs, 1)
        for table in _number_tables(
            _printed_numbers(numbers[numbers["run"] == row["run"]]),
            f"{tool_words({row['tool']: 1}).removeprefix('1 ') if len(runs) > 1 else 'run'}{part.of_study}",
            label if len(runs) == 1 else f"{label}-{at}",
        )
    ]


def _every_run_table(part: StudyPart, level: ComparisonTable, summary: Summary, label: str) -> Table:
    """A row for each run with the metrics whose medians the first page has, and its verdict if any is not sound."""
    rows = summary.dataset.wide(part.where)
    known = {
        column_name(metric, "total", unit): metric_words(metric)
        for metric, unit in level.cells.loc[level.cells["n"] > 0, ["metric", "unit"]].itertuples(index=False)
    }
    names = [name for name in known if name in rows]
    rows = rows[rows[names].notna().any(axis=1)].drop(columns="verdict", errors="ignore")
    rows = rows.merge(summary.audit.verdicts[["run", "verdict"]], on="run", how="left")
    verdict = {"verdict": "audit"} if rows["verdict"].ne(OK).any() else {}
    files = rows["source"].tolist()
    rows = rows.iloc[sorted(range(len(files)), key=lambda at: natural_order(files[at]))]  # 2.log before 10.log
    titles = {"source": "file", "line": "line"} | {name: known[name] for name in names} | verdict
    return Table(rows, f"Every run{escaped(part.of_study)}, in the order of the logs", label, columns=titles)


def _number_tables(numbers: pd.DataFrame, run: str, label: str) -> list[Table]:
    """The numbers of a `run` in one table or, if there are many percentiles, in one each of totals, means and these."""
    filled = [name for name in numbers.columns if numbers[name].notna().any()]
    if len(filled) <= _MOST_COLUMNS:
        return [Table(numbers, escaped(f"All numbers of the {run}"), label)]
    percentiles = [name for name in filled if _PERCENTILE.fullmatch(name)]
    others = [name for name in filled if name not in {"metric", "total", *percentiles}]
    parts = {"Totals": ["total"], "Distributions": others, "Percentiles": percentiles}
    return [
        Table(numbers.loc[stated, ["metric", *names]], escaped(f"{what} of the {run}"), f"{label}-{what.lower()}")
        for what, names in parts.items()
        if (stated := numbers[names].notna().any(axis=1)).any()
    ]


def _printed_numbers(rows: pd.DataFrame) -> pd.DataFrame:
    """The numbers that a report prints, `rows` of measurements: a row for each metric, a column for each statistic."""
    table: dict[str, dict[str, str]] = {}
    for metric, stat, value, unit, resolution in rows[_MEASUREMENT_COLUMNS].itertuples(index=False):
        name = str(stat)
        table.setdefault(metric_words(metric), {})[_STAT_COLUMNS.get(name, name)] = counting_words(
            as_printed(float(value), unit, float(resolution)), unit, metric
        )
    listed = list(
        dict.fromkeys([*_STAT_COLUMNS.values(), *(stat for of_metric in table.values() for stat in of_metric)])
    )
    lines = [[name, *(of_metric.get(stat) for stat in listed)] for name, of_metric in table.items()]
    return pd.DataFrame(lines, columns=["metric", *listed])

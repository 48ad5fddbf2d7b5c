"""The rows of a forest plot, from a comparison: which there are, their order, and what their columns say."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pandas as pd

from wrkparse.analysis.comparison.cells.relative import relative_samples
from wrkparse.analysis.comparison.compare import ComparisonTable
from wrkparse.analysis.comparison.text.wording import p_cell, percent, ratio_words
from wrkparse.analysis.shown.numbers import quantity
from wrkparse.plot.series import Group, group_names, label_values

MOST_ROWS = 44  # a page; of more, the variants have a row each, over all settings together
MOST_VARIANTS = 24  # in one group; of more, the best have a row each
BEST = 10
VERDICTS = {"too few": "too few runs", "too coarse": "digits too coarse", "invalid": "not used"}
_INDENT = "\N{EN SPACE}"

Record = Mapping[Any, Any]


@dataclass(frozen=True, slots=True)
class ForestRow:
    """One row.

    - `kind`: ``group`` (a heading), ``together`` (over all settings), ``setting``, ``baseline`` or ``rest``.
    - `ratio`, `lo`, `hi`: NaN where they are not known.
    - `dots`: the ratios of runs, or of settings.
    - `texts`: what the columns say, by `COLUMNS`.
    - `series`: the name of the variant; `runs`: the runs of the dots, each with what it measured, if these are runs.
    """

    kind: str
    name: str
    ratio: float = math.nan
    lo: float = math.nan
    hi: float = math.nan
    dots: tuple[float, ...] = ()
    verdict: str = ""
    texts: Mapping[str, str] = field(default_factory=dict)
    series: str = ""
    runs: tuple[tuple[str, str], ...] = ()


class Forest(NamedTuple):
    """The rows from top to bottom; ``dots`` says what the rings are: ``runs`` or ``settings``."""

    rows: list[ForestRow]
    dots: str

    @property
    def has_every_setting(self) -> bool:
        """Whether each setting has a row."""
        return self.dots == "runs" and all(row.kind != "rest" for row in self.rows)

    @property
    def has_every_variant(self) -> bool:
        """Whether each variant has a row over all settings together, in place of its settings."""
        return self.dots == "settings" and all(row.kind != "rest" for row in self.rows)


class _Source(NamedTuple):
    """The comparison of one metric: its cells by variant, and what they say over all settings."""

    table: ComparisonTable
    cells: dict[Group, list[Record]]
    together: dict[Group, Record]
    dots: dict[Group, list[tuple[float, str, str]]]  # of each run the ratio, the run, and what it measured
    names: dict[Group, str]
    width: int

    @property
    def baseline(self) -> Group:
        return tuple(self.table.baseline.values())


def forest_rows(table: ComparisonTable, cells: pd.DataFrame, name_width: int, most_rows: int = MOST_ROWS) -> Forest:
    """The rows for `cells`, those of one metric with a centre; names have at most `name_width` columns of text.

    More than `most_rows` become a row for each variant; without a result over all settings, the last ones are cut.
    """
    source = _source(table, cells, name_width)
    settings = {label_values(row, table.setting_keys) for row in cells.to_dict("records")}
    if len(settings) < 2:
        return Forest(_folded(source, _single_rows(source)), "runs")
    grouped = _grouped_rows(source, source.cells)
    if len(grouped) > most_rows:
        grouped = _grouped_rows(source, [variant for variant in source.cells if variant != source.baseline])
    if len(grouped) > most_rows and source.together:
        return Forest(_folded(source, _together_rows(source)), "settings")
    return Forest(_cut(grouped, most_rows), "runs")


def _source(table: ComparisonTable, cells: pd.DataFrame, name_width: int) -> _Source:
    metric = cells["metric"].iloc[0]
    by_variant: dict[Group, list[Record]] = {}
    for row in cells.to_dict("records"):
        by_variant.setdefault(label_values(row, table.compared), []).append(row)
    over = table.over_settings[table.over_settings["metric"] == metric]
    together = {label_values(row, table.compared): row for row in over.to_dict("records")}
    keys = (*table.rows, *table.columns)
    dots: dict[Group, list[tuple[float, str, str]]] = {}
    unit = str(cells["unit"].iloc[0])
    samples = relative_samples(table)
    for row in samples[(samples["metric"] == metric) & samples["ratio"].notna()].to_dict("records"):
        dot = (float(row["ratio"]), str(row["run"]), quantity(float(row["value"]), unit))
        dots.setdefault(label_values(row, keys), []).append(dot)
    return _Source(table, by_variant, together, dots, group_names(table.compared, by_variant, name_width), name_width)


def _single_rows(source: _Source) -> list[tuple[Group, ForestRow]]:
    """A row for each variant, of one setting."""
    return [
        (variant, _cell_row(source, row, source.names[variant]))
        for variant, rows in source.cells.items()
        for row in rows
    ]


def _grouped_rows(source: _Source, variants: Iterable[Group]) -> list[ForestRow]:
    """A group for each variant: its name, all settings together, and its settings."""
    table, rows = source.table, list[ForestRow]()
    places = [label_values(row, table.setting_keys) for of_variant in source.cells.values() for row in of_variant]
    names = group_names(table.setting_keys, places, source.width - 1)
    for variant in variants:
        rows.append(ForestRow("group", source.names[variant]))
        found = source.together.get(variant)
        if found is not None and not found["p_differ"] <= table.alpha:  # of settings that disagree it describes none
            rows.append(_together_row(source, found, f"{_INDENT}{_all_settings(found['settings'])}", ()))
        for row in source.cells[variant]:
            rows.append(_cell_row(source, row, _INDENT + names[label_values(row, table.setting_keys)]))
    return rows


def _all_settings(count: int) -> str:
    return "both settings" if count == 2 else f"all {count} settings"


def _together_rows(source: _Source) -> list[tuple[Group, ForestRow]]:
    """A row for each variant, over all settings together, with the settings' ratios as dots."""
    rows, names = [], _alone_names(source)
    for variant, cells in source.cells.items():
        if variant == source.baseline:
            continue
        ratios = tuple(float(row["ratio"]) for row in cells if not math.isnan(row["ratio"]))
        if variant in source.together:
            rows.append((variant, _together_row(source, source.together[variant], source.names[variant], ratios)))
        elif not ratios and len(cells) > 1:
            rows.append((variant, _without_baseline(source.names[variant], cells)))
        else:
            rows += [(variant, _cell_row(source, row, names[_group_of(source.table, row)])) for row in cells]
    return rows


def _without_baseline(name: str, cells: Sequence[Record]) -> ForestRow:
    """One row for several settings, none of which can be compared."""
    verdicts = {str(row["verdict"]) for row in cells}
    verdict = verdicts.pop() if len(verdicts) == 1 else "no baseline"
    texts = {"runs": f"{sum(row['n'] for row in cells):,}", "verdict": VERDICTS.get(verdict, verdict)}
    return ForestRow("setting", name, verdict=verdict, texts=texts, series=name)


def _alone_names(source: _Source) -> dict[Group, str]:
    """The names of the cells of variants without a result over all settings; of several, with their settings."""
    table, names = source.table, dict[Group, str]()
    alone = {variant: cells for variant, cells in source.cells.items() if variant not in source.together}
    several = [_group_of(table, row) for cells in alone.values() if len(cells) > 1 for row in cells]
    for variant, (row, *_) in alone.items():
        names[_group_of(table, row)] = source.names[variant]
    return names | group_names((*table.compared, *table.setting_keys), several, source.width)


def _group_of(table: ComparisonTable, row: Record) -> Group:
    return label_values(row, (*table.compared, *table.setting_keys))


def _folded(source: _Source, rows: list[tuple[Group, ForestRow]]) -> list[ForestRow]:
    """The rows as they are or, of many, the best, the baseline, and one row for all others."""
    if len(rows) <= MOST_VARIANTS:
        return [row for _, row in rows]
    lower = next(iter(source.cells.values()))[0]["better"] == "lower"
    order = sorted(
        rows,
        key=lambda one: (math.isnan(_place(one[1])), _place(one[1]) if lower else -_place(one[1])),
    )
    kept = [row for at, (variant, row) in enumerate(order) if at < BEST or variant == source.baseline]
    others = [row for at, (variant, row) in enumerate(order) if at >= BEST and variant != source.baseline]
    ratios = sorted(row.ratio for row in others if not math.isnan(row.ratio))
    ends = dict.fromkeys(ratio_words(end, math.nan, math.nan) for end in (ratios[0], ratios[-1])) if ratios else {}
    texts = {"ratio": " to ".join(ends)}
    return [*kept, ForestRow("rest", f"… {len(others):,} more rows", dots=tuple(ratios), texts=texts)]


def _place(row: ForestRow) -> float:
    return 1.0 if row.kind == "baseline" else row.ratio


def _cut(rows: list[ForestRow], most: int) -> list[ForestRow]:
    """The first rows that fit, and one for the others, of a comparison without any result over all settings."""
    if len(rows) <= most:
        return rows
    others = [row for row in rows[most:] if row.kind != "group"]
    return [*rows[:most], ForestRow("rest", f"… {len(others):,} more rows")]


def _cell_row(source: _Source, row: Record, name: str) -> ForestRow:
    verdict = str(row["verdict"])
    is_base = verdict == "baseline"
    texts = {
        "center": quantity(row["center"], row["unit"]),
        "ratio": "" if is_base else ratio_words(row["ratio"], row["ratio_lo"], row["ratio_hi"]),
        "p": p_cell(row["p_adjusted"]) if verdict != "too few" else "",
        "runs": f"{row['n']:,}",
        "verdict": _verdict_words(row, verdict, source.table.same_within),
    }
    of_runs = source.dots.get(label_values(row, (*source.table.rows, *source.table.columns)), [])
    ratio = math.nan if is_base else float(row["ratio"])
    kind = "baseline" if is_base else "setting"
    return ForestRow(
        kind, name, ratio, float(row["ratio_lo"]), float(row["ratio_hi"]), tuple(ratio for ratio, *_ in of_runs),
        verdict, texts, source.names[label_values(row, source.table.compared)],
        tuple((run, said) for _, run, said in of_runs),
    )  # fmt: skip


def _together_row(source: _Source, row: Record, name: str, dots: Sequence[float]) -> ForestRow:
    verdict = str(row["verdict"])
    texts = {
        "ratio": ratio_words(row["ratio"], row["lo"], row["hi"]),
        "p": p_cell(row["p_adjusted"]) if verdict != "too few" else "",
        "runs": f"{row['runs']:,}", "verdict": VERDICTS.get(verdict, verdict),
    }  # fmt: skip
    return ForestRow(
        "together", name, float(row["ratio"]), float(row["lo"]), float(row["hi"]), tuple(dots), verdict, texts,
        source.names[label_values(row, source.table.compared)],
    )  # fmt: skip


def _verdict_words(row: Record, verdict: str, same_within: float | None) -> str:
    """``worse``, ``undecided (40)``, ``same within 2 %``; ``1 run``, as one run can't say how many would tell."""
    if row["equivalent"] is True and same_within is not None:
        return f"same within {percent(same_within)}"
    if verdict == "too few" and row["n"] == 1:
        return "1 run"
    if verdict in {"undecided", "too few"} and isinstance(row["runs_needed"], int):
        return f"{verdict} ({row['runs_needed']:,})"
    return VERDICTS.get(verdict, verdict)

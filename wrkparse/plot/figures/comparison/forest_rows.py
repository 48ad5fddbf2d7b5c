"""The rows of a forest plot, with their order and the texts of their columns, from a comparison.

With one setting, each variant has a row. With several, each has a group: a heading, all settings together, and a row
for each setting; if these do not fit, only the row for all settings. Of more than `MOST_VARIANTS` variants, the best
have rows, and the others one row together.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import pandas as pd

from wrkparse.analysis.comparison.cells.relative import relative_samples
from wrkparse.analysis.comparison.compare import ComparisonTable
from wrkparse.analysis.comparison.text.wording import center_text, p_cell, percent_text, ratio_words
from wrkparse.analysis.shown.numbers import quantity
from wrkparse.plot.series import Group, group_names, label_values, setting_words

# Fill a page: with 4.6 mm each, a line of titles and 24 mm around them, they are 231 mm high; a PDF has 225 mm for a
# figure, and prints it at 97 %. If there are more, each variant has a row over all settings together.
MOST_ROWS = 44
MOST_VARIANTS = 24  # in one group; if there are more, only the best have rows
MOST_OF_MANY_VARIANTS = 10  # the best of more variants
# The words of the column for these verdicts; other verdicts are written as they are.
VERDICTS = {"too few": "too few runs", "too coarse": "digits too coarse", "invalid": "not used"}
_INDENT = "\N{EN SPACE}"

Record = Mapping[Any, Any]


@dataclass(frozen=True, slots=True)
class ForestRow:
    """A row of a forest plot.

    - `kind`: ``group`` (a heading), ``together`` (over all settings), ``setting``, ``baseline`` or ``rest``.
    - `ratio`, `lo`, `hi`: the ratio to the baseline and its interval; NaN if unknown.
    - `dots`: the ratios of runs, or of settings.
    - `texts`: the texts of the columns ``center``, ``ratio``, ``p``, ``runs`` and ``verdict``, as far as it has them.
    - `series`: the name of the variant; `runs`: the runs of the dots, each with what it measured, if these are runs.
    - `setting`: what the row shows, empty for several variants; `dot_settings`: what each dot shows, if these are
      settings; `whole`: the name before it was cut.
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
    setting: str = ""
    dot_settings: tuple[str, ...] = ()
    whole: str = ""


class Forest(NamedTuple):
    """The rows from top to bottom. ``dots`` says what a ring is: one of the ``runs``, or of the ``settings``."""

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


class _ForestData(NamedTuple):
    """The comparison of one metric: its cells by variant, and the results over all settings together."""

    table: ComparisonTable
    cells: dict[Group, list[Record]]
    together: dict[Group, Record]
    dots: dict[Group, list[tuple[float, str, str]]]  # of each run the ratio, the run, and what it measured
    names: dict[Group, str]
    name_width: int  # most columns of text of a name

    @property
    def baseline(self) -> Group:
        """The values of the compared labels of the baseline."""
        return tuple(self.table.baseline.values())


def forest_rows(table: ComparisonTable, cells: pd.DataFrame, name_width: int, most_rows: int = MOST_ROWS) -> Forest:
    """The rows for `cells` of one metric that have a centre. Names have at most `name_width` columns of text.

    If there would be more than `most_rows`, there is one for each variant. Without results over all settings together,
    the last rows are cut instead.
    """
    forest = _forest_data(table, cells, name_width)
    settings = {label_values(row, table.setting_keys) for row in cells.to_dict("records")}
    # With one setting, the variants are the rows, and no heading is needed.
    if len(settings) < 2:
        return Forest(_fold_rows(forest, _single_rows(forest)), "runs")
    grouped = _grouped_rows(forest, forest.cells)
    # The baseline's own rows have no ratios: they are the first to go.
    if len(grouped) > most_rows:
        grouped = _grouped_rows(forest, [variant for variant in forest.cells if variant != forest.baseline])
    if len(grouped) > most_rows and forest.together:
        return Forest(_fold_rows(forest, _together_rows(forest)), "settings")
    return Forest(_cut_rows(grouped, most_rows), "runs")


def _forest_data(table: ComparisonTable, cells: pd.DataFrame, name_width: int) -> _ForestData:
    metric = cells["metric"].iloc[0]
    by_variant: dict[Group, list[Record]] = {}
    for row in cells.to_dict("records"):
        by_variant.setdefault(label_values(row, table.compared), []).append(row)
    over = table.over_settings[table.over_settings["metric"] == metric]
    together = {label_values(row, table.compared): row for row in over.to_dict("records")}
    keys = table.cell_keys
    dots: dict[Group, list[tuple[float, str, str]]] = {}
    unit = str(cells["unit"].iloc[0])
    samples = relative_samples(table)
    for row in samples[(samples["metric"] == metric) & samples["ratio"].notna()].to_dict("records"):
        dot = (float(row["ratio"]), str(row["run"]), quantity(float(row["value"]), unit))
        dots.setdefault(label_values(row, keys), []).append(dot)
    return _ForestData(
        table, by_variant, together, dots, group_names(table.compared, by_variant, name_width), name_width
    )


def _single_rows(forest: _ForestData) -> list[tuple[Group, ForestRow]]:
    """A row for each variant, if there is one setting."""
    return [
        (variant, _cell_row(forest, row, forest.names[variant], forest.table.compared))
        for variant, rows in forest.cells.items()
        for row in rows
    ]


def _grouped_rows(forest: _ForestData, variants: Iterable[Group]) -> list[ForestRow]:
    """A group for each variant: its name, all settings together, and its settings.

    A variant whose only setting has no label, which others have, is one row.
    """
    table, rows = forest.table, list[ForestRow]()
    places = [label_values(row, table.setting_keys) for of_variant in forest.cells.values() for row in of_variant]
    names = group_names(table.setting_keys, places, forest.name_width - 1)
    for variant in variants:
        settings = [label_values(row, table.setting_keys) for row in forest.cells[variant]]
        if len(settings) == 1 and not any(settings[0]):
            rows.append(_cell_row(forest, forest.cells[variant][0], forest.names[variant], table.compared))
            continue
        words = setting_words(table.compared, variant)
        rows.append(ForestRow("group", forest.names[variant], setting=words, whole=words))
        found = forest.together.get(variant)
        if found is not None and not found["p_differ"] <= table.alpha:  # of settings that disagree it describes none
            rows.append(_together_row(forest, found, f"{_INDENT}{_all_settings(found['settings'])}"))
        for row in forest.cells[variant]:
            name = _INDENT + names[label_values(row, table.setting_keys)]
            rows.append(_cell_row(forest, row, name, table.setting_keys))
    return rows


def _all_settings(count: int) -> str:
    return "both settings" if count == 2 else f"all {count} settings"


def _together_rows(forest: _ForestData) -> list[tuple[Group, ForestRow]]:
    """A row for each variant, over all settings together, with the ratios of the settings as dots."""
    rows, names = [], _names_of_lone_cells(forest)
    for variant, cells in forest.cells.items():
        if variant == forest.baseline:
            continue
        known = [row for row in cells if not math.isnan(row["ratio"])]
        words = setting_words(forest.table.compared, variant)
        if variant in forest.together:
            row = replace(
                _together_row(forest, forest.together[variant], forest.names[variant]),
                dots=tuple(float(row["ratio"]) for row in known),
                dot_settings=tuple(_setting_of(forest.table, row) for row in known), whole=words,
            )  # fmt: skip
            rows.append((variant, row))
        elif not known and len(cells) > 1:
            row = _uncompared_row(forest.names[variant], cells)
            rows.append((variant, replace(row, setting=words, whole=words)))
        else:
            keys = forest.table.compared if len(cells) == 1 else (*forest.table.compared, *forest.table.setting_keys)
            rows += [(variant, _cell_row(forest, row, names[_group_of(forest.table, row)], keys)) for row in cells]
    return rows


def _uncompared_row(name: str, cells: Sequence[Record]) -> ForestRow:
    """One row for several settings, none of which can be compared."""
    verdicts = {str(row["verdict"]) for row in cells}
    verdict = verdicts.pop() if len(verdicts) == 1 else "no baseline"
    texts = {"runs": f"{sum(row['n'] for row in cells):,}", "verdict": VERDICTS.get(verdict, verdict)}
    return ForestRow("setting", name, verdict=verdict, texts=texts, series=name)


def _names_of_lone_cells(forest: _ForestData) -> dict[Group, str]:
    """The names of cells whose variant has no result over all settings, with the setting if there are several."""
    table, names = forest.table, dict[Group, str]()
    alone = {variant: cells for variant, cells in forest.cells.items() if variant not in forest.together}
    several = [_group_of(table, row) for cells in alone.values() if len(cells) > 1 for row in cells]
    for variant, (row, *_) in alone.items():
        names[_group_of(table, row)] = forest.names[variant]
    return names | group_names((*table.compared, *table.setting_keys), several, forest.name_width)


def _group_of(table: ComparisonTable, row: Record) -> Group:
    return label_values(row, (*table.compared, *table.setting_keys))


def _setting_of(table: ComparisonTable, row: Record) -> str:
    return setting_words((*table.compared, *table.setting_keys), _group_of(table, row))


def _fold_rows(forest: _ForestData, rows: list[tuple[Group, ForestRow]]) -> list[ForestRow]:
    """The rows or, if there are too many, the best, the baseline, and one row for all others."""
    if len(rows) <= MOST_VARIANTS:
        return [row for _, row in rows]
    lower = next(iter(forest.cells.values()))[0]["better"] == "lower"
    # False sorts before True: rows without a ratio are the last.
    order = sorted(
        rows,
        key=lambda one: (math.isnan(_row_order(one[1])), _row_order(one[1]) if lower else -_row_order(one[1])),
    )
    kept = [row for at, (variant, row) in enumerate(order) if at < MOST_OF_MANY_VARIANTS or variant == forest.baseline]
    others = [
        row for at, (variant, row) in enumerate(order) if at >= MOST_OF_MANY_VARIANTS and variant != forest.baseline
    ]
    known = sorted((row for row in others if not math.isnan(row.ratio)), key=lambda row: row.ratio)
    ratios = tuple(row.ratio for row in known)
    # A dict, so that two equal ends are written once: "0.96" instead of "0.96 to 0.96".
    ends = dict.fromkeys(ratio_words(end, math.nan, math.nan) for end in (ratios[0], ratios[-1])) if ratios else {}
    texts = {"ratio": " to ".join(ends)}
    settings = tuple(row.setting for row in known)
    return [*kept, ForestRow("rest", f"… {len(others):,} more rows", dots=ratios, texts=texts, dot_settings=settings)]


def _row_order(row: ForestRow) -> float:
    """The ratio by which rows are ordered; that of the baseline is 1."""
    return 1.0 if row.kind == "baseline" else row.ratio


def _cut_rows(rows: list[ForestRow], most: int) -> list[ForestRow]:
    """The first rows that fit, and one row for all others, if there is no result over all settings."""
    if len(rows) <= most:
        return rows
    # A heading is not a setting: the number of rows left out does not count it.
    others = [row for row in rows[most:] if row.kind != "group"]
    return [*rows[:most], ForestRow("rest", f"… {len(others):,} more rows")]


def _cell_row(forest: _ForestData, row: Record, name: str, keys: Sequence[str]) -> ForestRow:
    """The row of one cell, a row of `ComparisonTable.cells`: a variant, or the baseline, in one setting.

    The name has the values of the labels `keys`.
    """
    verdict = str(row["verdict"])
    is_base = verdict == "baseline"
    texts = {
        "center": center_text(row["center"], row["unit"], row["resolution"]),
        "ratio": "" if is_base else _ratio_of_cell(row),
        "p": p_cell(row["p_adjusted"]) if verdict != "too few" else "",
        "runs": f"{row['n']:,}",
        "verdict": _verdict_words(row, verdict, forest.table.same_within),
    }
    of_runs = forest.dots.get(label_values(row, (*forest.table.rows, *forest.table.columns)), [])
    ratio = math.nan if is_base else float(row["ratio"])
    kind = "baseline" if is_base else "setting"
    return ForestRow(
        kind, name, ratio, float(row["ratio_lo"]), float(row["ratio_hi"]), tuple(ratio for ratio, *_ in of_runs),
        verdict, texts, forest.names[label_values(row, forest.table.compared)],
        tuple((run, value) for _, run, value in of_runs), _setting_of(forest.table, row),
        whole=setting_words(keys, label_values(row, keys)),
    )  # fmt: skip


def _ratio_of_cell(row: Record) -> str:
    return ratio_words(row["ratio"], row["ratio_lo"], row["ratio_hi"], row["ratio_resolution"])


def _together_row(forest: _ForestData, row: Record, name: str) -> ForestRow:
    """The row of a variant over all settings, from `ComparisonTable.over_settings`, without dots."""
    verdict, variant = str(row["verdict"]), label_values(row, forest.table.compared)
    texts = {
        "ratio": ratio_words(row["ratio"], row["lo"], row["hi"]),
        "p": p_cell(row["p_adjusted"]) if verdict != "too few" else "",
        "runs": f"{row['runs']:,}", "verdict": VERDICTS.get(verdict, verdict),
    }  # fmt: skip
    return ForestRow(
        "together", name, float(row["ratio"]), float(row["lo"]), float(row["hi"]), (), verdict, texts,
        forest.names[variant], setting=setting_words(forest.table.compared, variant),
    )  # fmt: skip


def _verdict_words(row: Record, verdict: str, same_within: float | None) -> str:
    """``worse``, ``same within 2 %``, ``undecided (40)`` with the number of runs needed; ``1 run`` if there is one."""
    if row["equivalent"] is True and same_within is not None:
        return f"same within {percent_text(same_within)}"
    if verdict == "too few" and row["n"] == 1:
        return "1 run"
    if verdict in {"undecided", "too few"} and isinstance(row["runs_needed"], int):
        return f"{verdict} ({row['runs_needed']:,})"
    return VERDICTS.get(verdict, verdict)

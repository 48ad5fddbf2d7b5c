"""Notes on settings whose runs seem not to be repeats under equal conditions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from wrkparse.analysis.comparison.text.wording import (
    amount_words,
    metric_words,
    name_words,
    p_words,
    percent_text,
    place_words,
    ratio_decimals,
)
from wrkparse.analysis.wording import counted, word_list

if TYPE_CHECKING:
    from wrkparse.analysis.comparison.cells.cells import LabelValues
    from wrkparse.analysis.comparison.cells.places import PlacesApart
    from wrkparse.analysis.comparison.cells.rounds import SlowRound
    from wrkparse.analysis.comparison.cells.scatter import Groups, Outlier, SlowFirst
    from wrkparse.analysis.comparison.compare import ComparisonTable

_MOST_NAMED = 3  # settings that are named in a note of each kind; of more, it gives the number


def on_scatter(table: ComparisonTable) -> list[str]:
    """Notes by metric: slow first runs, slow rounds, outliers, repeats of places that differ, groups of values.

    A run that is an outlier in several metrics is named for the first.
    """
    units = {str(metric): str(unit) for metric, unit in table.cells.groupby("metric")["unit"].first().items()}
    found, named = list[str](), set[str]()
    for metric, scatter in table.scatters.items():
        name = metric_words(metric)
        if scatter.slow_first:
            found.append(_on_slow_first(table, name, scatter.slow_first, scatter.tested))
        found += [_on_slow_round(table, name, one) for one in scatter.slow_rounds[:_MOST_NAMED]]
        outliers = [one for one in scatter.outliers if one.where not in named]
        named.update(one.where for one in outliers)
        found += [_on_outlier(table, name, one) for one in outliers[:_MOST_NAMED]]
        if more := len(outliers[_MOST_NAMED:]):
            found.append(f"{name}: so is one run of each of {counted(more, 'more setting')}")
        found += [_on_places(table, name, one) for one in scatter.places_apart[:_MOST_NAMED]]
        found += [_on_groups(table, metric, units[metric], one) for one in scatter.groups[:_MOST_NAMED]]
        if more := len(scatter.groups[_MOST_NAMED:]):
            found.append(f"{name}: so do those of {counted(more, 'more setting')}")
    return found


def _on_slow_first(table: ComparisonTable, name: str, slow: Sequence[SlowFirst], tested: int) -> str:
    by = _distance([one.change for one in slow])
    if len(slow) <= _MOST_NAMED:
        of = f"of {word_list([_cell(table, one.cell) for one in slow])}"
    else:
        of = f"of all {tested} settings" if len(slow) == tested else f"of {len(slow)} of the {tested} settings"
    verb, others = ("is", "its others") if len(slow) == 1 else ("are", "the others")
    runs = "run" if len(slow) == 1 else "runs"
    it = "it" if len(slow) == 1 else "them"
    return (
        f"{name}: the first {runs} {of} {verb} {by} the median of {others}; to leave {it} out as "
        f"{'a warm-up' if len(slow) == 1 else 'warm-ups'}, label {it} phase=warm-up"
    )


def _distance(changes: Sequence[float]) -> str:
    """How far values are from a median, all on one side: ``40 % to 41 % below``."""
    sizes = sorted(map(abs, changes))
    low, high = percent_text(sizes[0]), percent_text(sizes[-1])
    return f"{low if low == high else f'{low} to {high}'} {'below' if changes[0] < 0 else 'above'}"


def _on_slow_round(table: ComparisonTable, name: str, slow: SlowRound) -> str:
    count = len(slow.changes)
    settings = "both settings" if count == 2 else f"all {count} settings"
    remedy = "" if table.paired else "; --paired compares within each round"
    return (
        f"{name}: in {slow.folder} {settings} are {_distance(slow.changes)} the median of their other runs, so "
        f"something beside the settings was different there{remedy}"
    )


def _on_outlier(table: ComparisonTable, name: str, outlier: Outlier) -> str:
    of = f" of {cell}" if (cell := _cell(table, outlier.cell)) != "the setting" else ""
    return f"{name}: {outlier_words(outlier, of)}; it counts as the others do, and its log may tell why"


def outlier_words(outlier: Outlier, of: str = "") -> str:
    """``one run, a.log:40, is 55 % below the median of the others``; `of` says whose run it is."""
    return f"one run{of}, {outlier.where}, is {_distance([outlier.change])} the median of the others"


def _on_places(table: ComparisonTable, name: str, found: PlacesApart) -> str:
    of = f" of {cell}" if (cell := _cell(table, found.cell)) != "the setting" else ""
    return (
        f"{name}{of}: {places_words(found)}, though nothing else tells these runs apart and they count as repeats; "
        "if they are not, compare both paths, or label them"
    )


def places_words(found: PlacesApart) -> str:
    """``in a/ it is 1.25 times as high as in b/ (p = 0.0079)``."""
    high, low = (place or "." for place in (found.high, found.low))
    return (
        f"in {high} it is {found.ratio:.{ratio_decimals(found.ratio)}f} times as high as in {low} ({p_words(found.p)})"
    )


def _on_groups(table: ComparisonTable, metric: str, unit: str, found: Groups) -> str:
    groups, none = groups_words(found, unit, metric), "neither" if len(found.counts) == 2 else "none of them"
    return (
        f"{metric_words(metric)}: the runs of {_cell(table, found.cell)} form {groups}, with none between: the median "
        f"describes {none}, and something changed from run to run"
    )


def groups_words(found: Groups, unit: str, metric: str) -> str:
    """``two groups, 5 near 30.1k requests/s and 5 near 36.0k requests/s``."""
    number = "two" if len(found.counts) == 2 else f"{len(found.counts)}"
    near = [
        f"{count} near {amount_words(median, unit, metric)}"
        for count, median in zip(found.counts, found.medians, strict=True)
    ]
    return f"{number} groups, {word_list(near)}"


def _cell(table: ComparisonTable, values: LabelValues) -> str:
    """A cell by the labels in which the cells differ."""
    labels: Mapping[str, str | None] = dict(zip(table.cell_keys, values, strict=True))
    differing = {key: value for key, value in labels.items() if len(table.cells[key].drop_duplicates()) > 1}
    return name_words(differing) or f"the setting {place_words(differing)}".rstrip()

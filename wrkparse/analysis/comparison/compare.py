"""Runs against runs: one cell per row and column, each against a baseline, and what may be concluded from it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from wrkparse.analysis.comparison.cells import (
    Cell,
    Key,
    Labels,
    Names,
    Sort,
    also_differ,
    compared_labels,
    constants,
    grid,
    settings,
    varying,
)
from wrkparse.analysis.runs.selection import (
    Choice,
    Chosen,
    Number,
    TooLittleError,
    baseline_of,
    choose_metric,
    choose_runs,
    numbers,
    texts,
)
from wrkparse.analysis.stats import statistics
from wrkparse.analysis.stats.statistics import Comparison, Summary
from wrkparse.dataset import Dataset, QueryError

Center = Literal["median", "mean"]

_INTEGERS = ("n", "invalid", "runs_needed", "rank_lo", "rank_hi")
_FLOATS = (
    "center", "lo", "hi", "confidence", "resolution", "within_cv",
    "ratio", "ratio_lo", "ratio_hi", "ratio_resolution", "p", "p_adjusted",
)  # fmt: skip


@dataclass(frozen=True)
class ComparisonTable:
    """What `compare` found.

    ``cells``: one row per metric, row and column (rows in their order, then columns), with the labels of `rows` and
    `columns` and

    - ``metric``, ``unit`` (a base unit), ``better`` (``higher``, ``lower`` or missing);
    - ``center``, ``lo``, ``hi``, ``confidence`` (the level reached), ``n`` (runs), ``invalid`` (runs that the audit
      found invalid), ``resolution`` (half the last printed digit, the coarsest of the runs), ``within_cv`` (stdev /
      mean within a run, as the tool states it: Req/Sec for throughput; the median of the runs), ``varies`` (labels
      that differ between the runs of this cell, joined by blanks);
    - with a baseline: ``ratio``, ``ratio_lo``, ``ratio_hi``, ``ratio_resolution`` (how far the printed digits leave
      the ratio open), ``p``, ``p_adjusted`` (Holm, over all comparisons of the metric), ``runs_needed`` (on each side),
      ``verdict``: ``better``, ``worse`` (``higher``, ``lower`` where neither is better), ``same?`` (not told apart),
      ``too few``, ``baseline``, ``no baseline``, ``missing``, ``invalid``;
    - ``rank_lo``, ``rank_hi``: the ranks that the value may have among those it is compared with, 1 is best; missing
      where the runs are too few for any.

    ``samples``: the runs behind the cells, in their order: metric, the labels, ``run``, ``value``.

    ``geomeans``: geometric mean of the ratios of each variant (its labels, ``metric``, ``geomean``), over the
    ``settings_used`` of ``settings`` in which every variant has one. ``copies``: runs with the text of another
    (``where``, ``copy_of``), left out (``dropped``) where that is in the same cell. ``constants``: labels that all
    runs share; ``also_differ``: labels that differ between what is compared, beside those compared.
    """

    rows: Names
    columns: Names
    compared: Names
    baseline: Mapping[str, str | None]
    center: Center
    confidence: float
    alpha: float
    cells: pd.DataFrame
    samples: pd.DataFrame
    geomeans: pd.DataFrame
    copies: pd.DataFrame
    constants: Mapping[str, str]
    also_differ: Names
    audited: bool


class _Rules(NamedTuple):
    confidence: float
    alpha: float
    center: Center
    include_invalid: bool

    def summary(self, sample: Sequence[float]) -> Summary:
        summarize = statistics.median_summary if self.center == "median" else statistics.mean_summary
        return summarize(sample, self.confidence)

    def comparison(self, sample: Sequence[float], baseline: Sequence[float]) -> Comparison:
        test = statistics.compare_medians if self.center == "median" else statistics.compare_means
        return test(sample, baseline, self.confidence, self.alpha)


def compare(
    dataset: Dataset,
    *,
    rows: str | Sequence[str],
    columns: str | Sequence[str] | None = None,
    metric: str | Sequence[str] = ("throughput",),
    baseline: str | Mapping[str, object] | None = None,
    where: str | None = None,
    confidence: float = 0.95,
    alpha: float = 0.05,
    center: Center = "median",
    include_invalid: bool = False,
    sort: Sort = "labels",
) -> ComparisonTable:
    """Put runs into cells by the labels `rows` and `columns`, and compare the cells.

    `baseline` (``"framework=nginx"`` or a mapping) names labels of `rows` or `columns`; a cell is compared with the one
    that has these labels and is otherwise in the same place. Without it, rows are ranked within each column. `center`
    is ``median`` (Mann-Whitney U, ratio by Hodges and Lehmann) or ``mean`` (Welch, Fieller): see `statistics`. Runs
    whose ``valid`` is false count only with `include_invalid`, copies of a run once. `where` is as in `Dataset.wide`;
    `sort` orders the rows by their labels, as they stand in the source, or best first by the first metric.

    Raises QueryError for what does not exist or can't be asked; TooLittleError where no run is left, or no baseline.
    """
    row_keys, column_keys = _keys(rows), _keys(columns)
    base = _checked(baseline_of(baseline), row_keys, column_keys)
    if not _keys(metric):
        raise QueryError("a comparison needs a metric")
    values = {choice: numbers(dataset, choice) for choice in [choose_metric(dataset, name) for name in _keys(metric)]}
    runs = _stating(choose_runs(dataset, where, [*row_keys, *column_keys]), values, where)
    kept, doubles = _without_copies(runs, texts(dataset), (*row_keys, *column_keys))
    places = grid(kept, row_keys, column_keys, sort)
    compared, base = compared_labels(places, row_keys, column_keys, base)
    rules = _Rules(confidence, alpha, center, include_invalid)
    tables = [_metric_cells(*of_metric, places, compared, base, rules) for of_metric in values.items()]
    if sort == "best":
        _best_first(tables, row_keys)
    return ComparisonTable(
        rows=row_keys,
        columns=column_keys,
        compared=compared,
        baseline=base,
        center=center,
        confidence=confidence,
        alpha=alpha,
        cells=_frame(itertools.chain.from_iterable(tables)),
        samples=_samples(values, tables),
        geomeans=_geomeans(tables, compared),
        copies=doubles,
        constants=constants(kept),
        also_differ=also_differ(places, compared),
        audited=any(run.valid is not None for run in kept),
    )


def _keys(names: str | Sequence[str] | None) -> Names:
    listed = names.split(",") if isinstance(names, str) else names or ()
    return tuple(dict.fromkeys(name.strip() for name in listed if name.strip()))


def _checked(base: Labels, row_keys: Names, column_keys: Names) -> Labels:
    if not row_keys:
        raise QueryError("a comparison needs a label for its rows")
    if twice := set(row_keys) & set(column_keys):
        raise QueryError(f"{', '.join(sorted(twice))} can't be in both rows and columns")
    if strange := set(base) - {*row_keys, *column_keys}:
        raise QueryError(f"the baseline's {', '.join(sorted(strange))} is in neither rows nor columns")
    return base


def _stating(runs: list[Chosen], values: Mapping[Choice, Mapping[str, Number]], where: str | None) -> list[Chosen]:
    """The runs that state one of the metrics at least."""
    stating = [run for run in runs if any(run.run in of_metric for of_metric in values.values())]
    if not stating:
        names = ", ".join(choice.name for choice in values)
        raise TooLittleError(f"no run states {names}" if where is None else f"no run with {where!r} states {names}")
    return stating


def _without_copies(runs: list[Chosen], digests: Mapping[str, str], keys: Names) -> tuple[list[Chosen], pd.DataFrame]:
    """Leave out a run whose text is that of a run of the same cell; the table has copies across cells too."""
    first: dict[str, Chosen] = {}
    first_of_cell: dict[tuple[str, Key], Chosen] = {}
    kept, rows = [], []
    for run in runs:
        digest = digests.get(run.run, run.run)
        in_cell = first_of_cell.setdefault((digest, tuple(run.labels[key] for key in keys)), run)
        anywhere = first.setdefault(digest, run)
        if in_cell is run:
            kept.append(run)
        if anywhere is not run:
            original = anywhere if in_cell is run else in_cell
            rows.append((run.run, run.where, original.run, original.where, in_cell is not run))
    return kept, pd.DataFrame(rows, columns=["run", "where", "copy_of", "copy_of_where", "dropped"])


def _metric_cells(
    choice: Choice, values: Mapping[str, Number], places: list[Cell], compared: Names, base: Labels, rules: _Rules
) -> list[Cell]:
    cells = [_summarized(choice, values, cell, rules) for cell in places]
    if base:
        _against_baseline(cells, compared, base, rules)
    for group in settings(cells, compared).values():
        _rank(choice, [cell for cell in group if cell.sample], rules)
    return cells


def _summarized(choice: Choice, values: Mapping[str, Number], place: Cell, rules: _Rules) -> Cell:
    """The cell's centre and interval; one whose runs are all invalid shows them and has no sample to compare."""
    stating = [run for run in place.runs if run.run in values]
    fit = [run for run in stating if rules.include_invalid or run.valid is not False]
    shown = fit or stating
    stated = [values[run.run] for run in shown]
    found = rules.summary([number.value for number in stated])
    spreads = [number.spread for number in stated if not math.isnan(number.spread)]
    record = {
        "metric": choice.name, "unit": choice.unit, "better": choice.better,
        "center": found.center, "lo": found.lo, "hi": found.hi, "confidence": found.confidence, "n": found.n,
        "invalid": sum(run.valid is False for run in stating),
        "resolution": max((number.resolution for number in stated), default=math.nan),
        "within_cv": float(np.median(spreads)) if spreads else math.nan,
        "varies": " ".join(varying(run.labels for run in shown)),
        "verdict": None if fit else "invalid" if stating else "missing",
    }  # fmt: skip
    return Cell(place.labels, shown, [values[run.run].value for run in fit], record)


def _against_baseline(cells: list[Cell], compared: Names, base: Labels, rules: _Rules) -> None:
    """Ratios and verdicts; all comparisons of the metric are one family."""
    pairs: list[tuple[Cell, Comparison]] = []
    for group in settings(cells, compared).values():
        reference = next((cell for cell in group if cell.of(compared) == tuple(base.values())), None)
        for cell in group:
            if cell is reference and cell.sample:
                cell.record |= {"verdict": "baseline", "ratio": 1.0}
            elif cell.sample and (reference is None or not reference.sample):
                cell.record["verdict"] = "no baseline"
            elif cell.sample and reference is not None:
                found = rules.comparison(cell.sample, reference.sample)
                cell.record |= _ratio(found, cell, reference)
                pairs.append((cell, found))
    _judge(pairs, rules.alpha)


def _judge(family: list[tuple[Cell, Comparison]], alpha: float) -> None:
    adjusted = statistics.holm([found.p for _, found in family])
    reachable = _reachable([found for _, found in family])
    for (cell, found), p, least in zip(family, adjusted, reachable, strict=True):
        verdict = _verdict(found, p, least, cell.record["better"], alpha)
        cell.record |= {"p_adjusted": p, "verdict": verdict}
        if verdict in {"too few", "same?"}:
            cell.record["runs_needed"] = _needed(found, alpha / len(family))


def _reachable(tests: list[Comparison]) -> list[float]:
    """The adjusted p of each if all were as small as their numbers of runs allow."""
    return statistics.holm([math.nan if math.isnan(test.p) else test.least_p for test in tests])


def _needed(found: Comparison, alpha: float) -> int | None:
    """Of single runs nothing is known but what any comparison takes."""
    if min(found.n1, found.n2) < 2:
        return statistics.runs_for_separation(alpha)
    return statistics.runs_needed(found.superiority, alpha)


def _ratio(found: Comparison, cell: Cell, reference: Cell) -> dict[str, float]:
    relative = sum(
        one.record["resolution"] / one.record["center"] if one.record["center"] else math.nan
        for one in (cell, reference)
    )
    return {
        "ratio": found.ratio, "ratio_lo": found.lo, "ratio_hi": found.hi,
        "ratio_resolution": found.ratio * relative, "p": found.p,
    }  # fmt: skip


def _verdict(found: Comparison, p: float, least: float, better: str | None, alpha: float) -> str:
    """`least`: the adjusted p of the smallest that these numbers of runs could give."""
    if not found.enough or not least <= alpha:
        return "too few"
    if p > alpha:
        return "same?"
    if better is None:
        return "higher" if found.sign > 0 else "lower"
    return "better" if (found.sign > 0) == (better == "higher") else "worse"


def _rank(choice: Choice, cells: list[Cell], rules: _Rules) -> None:
    """Rank intervals of the cells of one setting, from the tests of every pair, Holm-adjusted among themselves."""
    if choice.better is None or not _rankable([len(cell.sample) for cell in cells], rules):
        return
    pairs = list(itertools.combinations(range(len(cells)), 2))
    found = [rules.comparison(cells[one].sample, cells[other].sample) for one, other in pairs]
    if not any(least <= rules.alpha for least in _reachable(found)):
        return
    better = np.zeros((len(cells), len(cells)), dtype=np.bool_)
    for (one, other), test, p in zip(pairs, found, statistics.holm([test.p for test in found]), strict=True):
        if test.enough and p <= rules.alpha:
            first = (test.sign > 0) == (choice.better == "higher")
            better[(one, other) if first else (other, one)] = True
    for cell, (lo, hi) in zip(cells, statistics.rank_intervals(better), strict=True):
        cell.record |= {"rank_lo": lo, "rank_hi": hi}


def _rankable(sizes: list[int], rules: _Rules) -> bool:
    """Whether the two largest samples could differ among all pairs: there may be millions, and mostly they can't."""
    testable = sorted(size for size in sizes if size > 1)
    if len(testable) < 2 or rules.center == "mean":
        return len(testable) > 1
    return statistics.separation_p(testable[-2], testable[-1]) * math.comb(len(testable), 2) <= rules.alpha


def _geomeans(tables: Iterable[list[Cell]], compared: Names) -> pd.DataFrame:
    """Variants without any ratio have no mean, and do not narrow the settings of the others."""
    rows: list[dict[str, Any]] = []
    for cells in tables:
        groups = [{cell.of(compared): cell for cell in group} for group in settings(cells, compared).values()]
        variants = list(dict.fromkeys(cell.of(compared) for cell in cells))
        ratios = np.array([[_ratio_of(group.get(variant)) for variant in variants] for group in groups])
        present = ~np.isnan(ratios).all(axis=0)
        means = np.full(len(present), math.nan)
        means[present], used = statistics.geometric_means(ratios[:, present])
        counts = {"settings_used": int(used.sum()), "settings": len(groups)}
        for variant, mean in zip(variants, means, strict=True):
            labels = dict(zip(compared, variant, strict=True))
            rows.append({"metric": cells[0].record["metric"], **labels, "geomean": mean, **counts})
    return pd.DataFrame(rows).astype(dict.fromkeys(("metric", *compared), "string"))


def _samples(values: Mapping[Choice, Mapping[str, Number]], tables: list[list[Cell]]) -> pd.DataFrame:
    rows = [
        {"metric": choice.name, **cell.labels, "run": run.run, "value": of_metric[run.run].value}
        for (choice, of_metric), cells in zip(values.items(), tables, strict=True)
        for cell in cells
        for run in cell.runs
    ]
    return pd.DataFrame(rows)


def _ratio_of(cell: Cell | None) -> float:
    """Not every setting has every variant: where two labels make the rows, only their pairs that occur are there."""
    return math.nan if cell is None else float(cell.record.get("ratio", math.nan))


def _best_first(tables: list[list[Cell]], row_keys: Names) -> None:
    """Order the rows of all metrics by the first: its geometric mean over the columns that every row has."""
    first = tables[0]
    rows = {row: list(group) for row, group in itertools.groupby(first, key=_row_of(row_keys))}
    centers = np.array(
        [[cell.record["center"] if cell.sample else math.nan for cell in group] for group in rows.values()]
    )
    means, _ = statistics.geometric_means(centers.T)
    upward = first[0].record["better"] == "lower"
    order = {row: mean if upward else -mean for row, mean in zip(rows, means, strict=True)}
    for table in tables:
        table.sort(key=lambda cell: order[cell.of(row_keys)])


def _row_of(keys: Names) -> Callable[[Cell], Key]:
    return lambda cell: cell.of(keys)


def _frame(cells: Iterable[Cell]) -> pd.DataFrame:
    frame = pd.DataFrame([{**cell.labels, **cell.record} for cell in cells])
    words = [name for name in frame.columns if name not in {*_INTEGERS, *_FLOATS}]
    kinds = dict.fromkeys(words, "string") | dict.fromkeys(_FLOATS, "float64") | dict.fromkeys(_INTEGERS, "Int64")
    return frame.reindex(columns=list(kinds)).astype(kinds)

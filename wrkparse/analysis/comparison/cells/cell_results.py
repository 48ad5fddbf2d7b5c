"""The numbers of each cell: its centre and interval, its ratio to the baseline, its verdict and its ranks."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

import numpy as np

from wrkparse.analysis.checks.usable import is_usable
from wrkparse.analysis.comparison.cells.cells import ComparisonCell, LabelKeys, Labels, cells_by_setting
from wrkparse.analysis.comparison.cells.rounds import paired_order
from wrkparse.analysis.runs.labels.labels import varying_labels
from wrkparse.analysis.runs.metrics import MetricStat, MetricValue
from wrkparse.analysis.stats.arrays import Floats
from wrkparse.analysis.stats.comparisons import Comparison, compare_means, compare_medians, compare_shares, no_runs
from wrkparse.analysis.stats.families import holm, rank_intervals
from wrkparse.analysis.stats.mann_whitney import (
    runs_for_separation,
    runs_needed,
    separation_p,
    superiority_interval,
)
from wrkparse.analysis.stats.pairs import compare_pairs
from wrkparse.analysis.stats.resolution import moved, with_resolution
from wrkparse.analysis.stats.summaries import SampleSummary, mean_summary, median_summary

Center = Literal["median", "mean"]


class Method(NamedTuple):
    """How samples are summarised and compared: by medians (Mann-Whitney U) or by means (Welch's t), or in pairs.

    ``same_within`` is the relative difference up to which two settings count as the same, None if none does.
    """

    confidence: float
    alpha: float
    center: Center
    include_invalid: bool
    paired: bool = False
    same_within: float | None = None

    def summarize(self, sample: Sequence[float], resolution: float) -> SampleSummary:
        """The centre of a sample with its interval, as wide as the printed digits make it."""
        summary = (median_summary if self.center == "median" else mean_summary)(sample, self.confidence)
        low, high = (
            float(moved(np.array([end]), resolution, way)[0]) for end, way in ((summary.lo, -1), (summary.hi, 1))
        )
        return replace(summary, lo=low, hi=high)

    def compare(self, cell: ComparisonCell, reference: ComparisonCell, confidence: float | None = None) -> Comparison:
        """A cell's sample compared with that of its reference."""
        level = confidence or self.confidence
        orders = paired_order(cell, reference) if self.paired else (None, None)
        if orders is None:
            return no_runs(len(cell.sample), len(reference.sample))
        (x, of_x), (y, of_y) = (_numbers(one, order) for one, order in zip((cell, reference), orders, strict=True))

        def compared(direction: int) -> Comparison:
            # moved apart or towards each other, because any true numbers may be behind the printed ones
            one, other = moved(x, of_x, direction), moved(y, of_y, -direction)
            return self._function(cell)(one.tolist(), other.tolist(), level, self.alpha)

        return with_resolution(compared)

    @staticmethod
    def has_pairs(cell: ComparisonCell, reference: ComparisonCell) -> bool:
        """Whether the runs of two cells make pairs: as many on each side, in a known order."""
        return paired_order(cell, reference) is not None

    def _function(self, cell: ComparisonCell) -> Callable[[Sequence[float], Sequence[float], float, float], Comparison]:
        if cell.record["is_share"]:
            return compare_shares
        if self.paired:
            return compare_pairs
        return compare_medians if self.center == "median" else compare_means


def _numbers(cell: ComparisonCell, order: list[int] | None) -> tuple[Floats, float]:
    """The sample in an order, and its resolution."""
    sample = cell.sample if order is None else [cell.sample[at] for at in order]
    return np.asarray(sample, dtype=np.float64), float(cell.record["resolution"])


def cells_with_results(
    metric: MetricStat,
    values: Mapping[str, MetricValue],
    cells: list[ComparisonCell],
    compared: LabelKeys,
    baseline: Labels,
    method: Method,
) -> list[ComparisonCell]:
    """The cells for one metric, with `sample` and `record` filled in. `values` has the metric by run."""
    summarized = [_summarized(metric, values, cell, method) for cell in cells]
    if baseline:
        _compare_with_baseline(summarized, compared, baseline, method)
    else:
        groups = cells_by_setting(summarized, compared).values()
        _rank(metric, [[cell for cell in group if cell.sample] for group in groups], method)
    return summarized


def _summarized(
    metric: MetricStat, values: Mapping[str, MetricValue], cell: ComparisonCell, method: Method
) -> ComparisonCell:
    """The cell with its centre and interval. If none of its runs counts, they are shown but not compared."""
    stating = [run for run in cell.runs if run.run in values]
    usable = [run for run in stating if is_usable(run, metric.metric)]
    valid = stating if method.include_invalid else usable
    shown = valid or stating
    shown_values = [values[run.run] for run in shown]
    resolution = max((value.resolution for value in shown_values), default=math.nan)
    summary = method.summarize([value.value for value in shown_values], resolution)
    variations = [value.within_cv for value in shown_values if not math.isnan(value.within_cv)]
    record = {
        "metric": metric.name, "unit": metric.unit, "better": metric.better,
        "center": summary.center, "lo": summary.lo, "hi": summary.hi, "confidence": summary.confidence,
        "n": summary.n, "invalid": len(stating) - len(valid),
        "resolution": resolution, "is_share": metric.is_share,
        "within_cv": float(np.median(variations)) if variations else math.nan,
        "varies": " ".join(varying_labels(run.labels for run in shown)),
        "verdict": None if valid else "invalid" if stating else "missing",
    }  # fmt: skip
    return ComparisonCell(cell.labels, shown, [values[run.run].value for run in valid], record)


def _compare_with_baseline(cells: list[ComparisonCell], compared: LabelKeys, baseline: Labels, method: Method) -> None:
    """Ratios and verdicts. All comparisons of a metric form one family of tests."""
    family: list[tuple[ComparisonCell, ComparisonCell, Comparison]] = []
    for group in cells_by_setting(cells, compared).values():
        reference = next((cell for cell in group if cell.values_of(compared) == tuple(baseline.values())), None)
        for cell in group:
            if cell is reference and cell.sample:
                cell.record |= {"verdict": "baseline", "ratio": 1.0}
            elif cell.sample and (reference is None or not reference.sample):
                cell.record["verdict"] = "no baseline"
            elif cell.sample and reference is not None:
                comparison = method.compare(cell, reference)
                cell.record |= _effect(comparison, cell, reference)
                cell.record["equivalent"] = None
                family.append((cell, reference, comparison))
    _judge(family, method)


def _effect(comparison: Comparison, cell: ComparisonCell, reference: ComparisonCell) -> dict[str, float]:
    """The columns of the ratio; of shares, which may be 0, those of the difference."""
    if cell.record["is_share"]:
        return {
            "difference": comparison.ratio, "difference_lo": comparison.lo, "difference_hi": comparison.hi,
            "p": comparison.p,
        }  # fmt: skip
    # Relative errors of a numerator and a denominator add up, as long as they are small.
    relative_resolution = sum(
        one.record["resolution"] / one.record["center"] if one.record["center"] else math.nan
        for one in (cell, reference)
    )
    return {
        "ratio": comparison.ratio, "ratio_lo": comparison.lo, "ratio_hi": comparison.hi,
        "ratio_resolution": comparison.ratio * relative_resolution, "p": comparison.p,
    }  # fmt: skip


def _judge(family: list[tuple[ComparisonCell, ComparisonCell, Comparison]], method: Method) -> None:
    """Adjusted p values and verdicts of a family of tests, and the runs needed where there is no difference."""
    comparisons = [comparison for _, _, comparison in family]
    adjusted, printed = holm([one.p for one in comparisons]), holm([one.p_printed for one in comparisons])
    smallest = _smallest_adjusted_p(comparisons)
    for (cell, reference, comparison), p, p_printed, smallest_p in zip(
        family, adjusted, printed, smallest, strict=True
    ):
        verdict = "too few"
        if method.paired and not method.has_pairs(cell, reference):
            verdict = "no pairs"
        # else no outcome of so few runs could be significant in this family: that is not a result on the servers
        elif comparison.conclusive and smallest_p <= method.alpha:
            verdict = verdict_of(comparison.direction, p, p_printed, cell.record["better"], method.alpha)
        cell.record |= {"p_adjusted": p, "verdict": verdict}
        if verdict in {"too few", "undecided"} and not method.paired:  # the formulas are those of independent runs
            # alpha / m is the strictest of Holm's steps: the runs that it needs are enough for any step.
            cell.record |= _runs_needed(comparison, method.alpha / len(family))
        if method.same_within is not None:
            cell.record["equivalent"] = _is_equivalent(cell, reference, method, len(family))


def verdict_of(direction: int, p: float, p_printed: float, better: str | None, alpha: float) -> str:
    """The verdict from adjusted p values; `p_printed` is the one that takes the printed numbers for exact."""
    if p > alpha:
        return "too coarse" if p_printed <= alpha else "undecided"
    if better is None:
        return "higher" if direction > 0 else "lower"
    return "better" if (direction > 0) == (better == "higher") else "worse"


def _is_equivalent(cell: ComparisonCell, reference: ComparisonCell, method: Method, tests: int) -> bool | None:
    """Whether two one-sided tests find the ratio within ``1 / (1 + same_within)`` and ``1 + same_within``.

    They do at alpha if the interval at 1 - 2 alpha is within these limits (Schuirmann, *J. Pharmacokin. Biopharm.* 15,
    1987). Alpha is divided by the number of comparisons (Bonferroni). None for shares, which have no ratio.
    """
    assert method.same_within is not None
    if cell.record["is_share"]:
        return None
    found = method.compare(cell, reference, 1 - 2 * method.alpha / tests)
    return found.lo >= 1 / (1 + method.same_within) and found.hi <= 1 + method.same_within


def _smallest_adjusted_p(comparisons: list[Comparison]) -> list[float]:
    """The adjusted p of each comparison if every p were as small as its numbers of runs allow."""
    return holm([math.nan if math.isnan(one.p) else one.smallest_p for one in comparisons])


def _runs_needed(comparison: Comparison, alpha: float) -> dict[str, int | None]:
    """The runs on each side that would show the difference, and the fewest, if it is larger than the one seen.

    With one run on a side, it is the number that any difference needs. It is missing if there are as many runs already:
    the number is that of the rank test, but runs that spread unequally are compared by Welch's test.
    """
    fewest = min(comparison.n1, comparison.n2)
    if fewest < 2:
        return {"runs_needed": runs_for_separation(alpha), "runs_needed_lo": None}
    if (runs_needed(comparison.superiority, alpha) or math.inf) <= fewest:
        return {"runs_needed": None, "runs_needed_lo": None}
    low, high = superiority_interval(comparison.superiority, comparison.n1, comparison.n2)
    farthest = max(low, high, key=lambda share: abs(share - 0.5))
    return {
        "runs_needed": runs_needed(comparison.superiority, alpha), "runs_needed_lo": runs_needed(farthest, alpha),
    }  # fmt: skip


def _rank(metric: MetricStat, groups: list[list[ComparisonCell]], method: Method) -> None:
    """Rank intervals within each setting, from tests of all pairs of all settings, Holm-adjusted as one family."""
    pairs = [pair for group in groups for pair in itertools.combinations(group, 2)]
    if metric.better is None or not _can_rank(groups, len(pairs), method):
        return
    comparisons = [method.compare(one, other) for one, other in pairs]
    if not any(smallest_p <= method.alpha for smallest_p in _smallest_adjusted_p(comparisons)):
        return
    better: set[tuple[int, int]] = set()  # pairs of cells by their identity, because cells are mutable
    adjusted = holm([comparison.p for comparison in comparisons])
    for (one, other), comparison, p in zip(pairs, comparisons, adjusted, strict=True):
        if comparison.conclusive and p <= method.alpha:
            one_is_better = (comparison.direction > 0) == (metric.better == "higher")
            better.add((id(one), id(other)) if one_is_better else (id(other), id(one)))
    for group in groups:
        matrix = np.array([[(id(one), id(other)) in better for other in group] for one in group], dtype=np.bool_)
        for cell, (lo, hi) in zip(group, rank_intervals(matrix), strict=True):
            cell.record |= {"rank_lo": lo, "rank_hi": hi}


def _can_rank(groups: list[list[ComparisonCell]], pairs: int, method: Method) -> bool:
    """Whether at least the two largest samples of a setting could differ significantly in a family of all pairs.

    Checked before the tests, because there may be millions of pairs, most of them of too few runs.
    """
    largest = [sorted(len(cell.sample) for cell in group)[-2:] for group in groups if len(group) > 1]
    testable = [sizes for sizes in largest if sizes[0] > 1]
    if method.center == "mean":
        return bool(testable)
    return any(separation_p(*sizes) * pairs <= method.alpha for sizes in testable)

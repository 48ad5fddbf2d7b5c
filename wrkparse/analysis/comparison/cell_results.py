"""The numbers of each cell: its centre and interval, its ratio to the baseline, its verdict and its ranks."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np

from wrkparse.analysis.checks.usable import is_usable
from wrkparse.analysis.comparison.cells import Cell, LabelKeys, Labels, cells_by_setting
from wrkparse.analysis.runs.labels import varying_labels
from wrkparse.analysis.runs.metrics import MetricStat, MetricValue
from wrkparse.analysis.stats.comparisons import Comparison, compare_means, compare_medians
from wrkparse.analysis.stats.families import holm, rank_intervals
from wrkparse.analysis.stats.mann_whitney import runs_for_separation, runs_needed, separation_p
from wrkparse.analysis.stats.summaries import Summary, mean_summary, median_summary

Center = Literal["median", "mean"]


class Method(NamedTuple):
    """How samples are summarised and compared: by medians (Mann-Whitney U) or by means (Welch's t)."""

    confidence: float
    alpha: float
    center: Center
    include_invalid: bool

    def summarize(self, sample: Sequence[float]) -> Summary:
        """The centre of a sample with its interval."""
        summary = median_summary if self.center == "median" else mean_summary
        return summary(sample, self.confidence)

    def compare(self, sample: Sequence[float], baseline: Sequence[float]) -> Comparison:
        """A sample compared with that of a baseline."""
        comparison = compare_medians if self.center == "median" else compare_means
        return comparison(sample, baseline, self.confidence, self.alpha)


def cells_with_results(
    metric: MetricStat,
    values: Mapping[str, MetricValue],
    cells: list[Cell],
    compared: LabelKeys,
    baseline: Labels,
    method: Method,
) -> list[Cell]:
    """The cells for one metric, with `Cell.sample` and `Cell.record` filled in. `values` has the metric by run."""
    summarized = [_summarized(metric, values, cell, method) for cell in cells]
    if baseline:
        _compare_with_baseline(summarized, compared, baseline, method)
    for group in cells_by_setting(summarized, compared).values():
        _rank(metric, [cell for cell in group if cell.sample], method)
    return summarized


def _summarized(metric: MetricStat, values: Mapping[str, MetricValue], cell: Cell, method: Method) -> Cell:
    """The cell with its centre and interval. If none of its runs counts, they are shown but not compared."""
    stating = [run for run in cell.runs if run.run in values]
    usable = [run for run in stating if is_usable(run.verdict, metric.metric)]
    valid = stating if method.include_invalid else usable
    shown = valid or stating
    shown_values = [values[run.run] for run in shown]
    summary = method.summarize([value.value for value in shown_values])
    variations = [value.within_cv for value in shown_values if not math.isnan(value.within_cv)]
    record = {
        "metric": metric.name, "unit": metric.unit, "better": metric.better,
        "center": summary.center, "lo": summary.lo, "hi": summary.hi, "confidence": summary.confidence,
        "n": summary.n, "invalid": len(stating) - len(usable),
        "resolution": max((value.resolution for value in shown_values), default=math.nan),
        "within_cv": float(np.median(variations)) if variations else math.nan,
        "varies": " ".join(varying_labels(run.labels for run in shown)),
        "verdict": None if valid else "invalid" if stating else "missing",
    }  # fmt: skip
    return Cell(cell.labels, shown, [values[run.run].value for run in valid], record)


def _compare_with_baseline(cells: list[Cell], compared: LabelKeys, baseline: Labels, method: Method) -> None:
    """Ratios and verdicts. All comparisons of a metric form one family of tests."""
    family: list[tuple[Cell, Comparison]] = []
    for group in cells_by_setting(cells, compared).values():
        reference = next((cell for cell in group if cell.values_of(compared) == tuple(baseline.values())), None)
        for cell in group:
            if cell is reference and cell.sample:
                cell.record |= {"verdict": "baseline", "ratio": 1.0}
            elif cell.sample and (reference is None or not reference.sample):
                cell.record["verdict"] = "no baseline"
            elif cell.sample and reference is not None:
                comparison = method.compare(cell.sample, reference.sample)
                cell.record |= _ratio_columns(comparison, cell, reference)
                family.append((cell, comparison))
    _judge(family, method.alpha)


def _ratio_columns(comparison: Comparison, cell: Cell, reference: Cell) -> dict[str, float]:
    relative_resolution = sum(
        one.record["resolution"] / one.record["center"] if one.record["center"] else math.nan
        for one in (cell, reference)
    )
    return {
        "ratio": comparison.ratio, "ratio_lo": comparison.lo, "ratio_hi": comparison.hi,
        "ratio_resolution": comparison.ratio * relative_resolution, "p": comparison.p,
    }  # fmt: skip


def _judge(family: list[tuple[Cell, Comparison]], alpha: float) -> None:
    """Adjusted p values and verdicts of a family of tests, and the runs needed where there is no difference."""
    adjusted = holm([comparison.p for _, comparison in family])
    smallest = _smallest_adjusted_p([comparison for _, comparison in family])
    for (cell, comparison), p, smallest_p in zip(family, adjusted, smallest, strict=True):
        verdict = _verdict(comparison, p, smallest_p, cell.record["better"], alpha)
        cell.record |= {"p_adjusted": p, "verdict": verdict}
        if verdict in {"too few", "same?"}:
            cell.record["runs_needed"] = _runs_needed(comparison, alpha / len(family))


def _smallest_adjusted_p(comparisons: list[Comparison]) -> list[float]:
    """The adjusted p of each comparison if every p were as small as its numbers of runs allow."""
    return holm([math.nan if math.isnan(one.p) else one.smallest_p for one in comparisons])


def _runs_needed(comparison: Comparison, alpha: float) -> int | None:
    """The runs on each side that the difference needs. With one run on a side, the number that any difference needs."""
    if min(comparison.n1, comparison.n2) < 2:
        return runs_for_separation(alpha)
    return runs_needed(comparison.superiority, alpha)


def _verdict(comparison: Comparison, p: float, smallest_p: float, better: str | None, alpha: float) -> str:
    """The verdict from the adjusted `p`; `smallest_p` is the smallest that these numbers of runs could give."""
    if not comparison.conclusive or not smallest_p <= alpha:
        return "too few"
    if p > alpha:
        return "same?"
    if better is None:
        return "higher" if comparison.direction > 0 else "lower"
    return "better" if (comparison.direction > 0) == (better == "higher") else "worse"


def _rank(metric: MetricStat, cells: list[Cell], method: Method) -> None:
    """Rank intervals of the cells of one setting, from tests of all pairs, Holm-adjusted as a family."""
    if metric.better is None or not _can_rank([len(cell.sample) for cell in cells], method):
        return
    pairs = list(itertools.combinations(range(len(cells)), 2))
    comparisons = [method.compare(cells[one].sample, cells[other].sample) for one, other in pairs]
    if not any(smallest_p <= method.alpha for smallest_p in _smallest_adjusted_p(comparisons)):
        return
    better = np.zeros((len(cells), len(cells)), dtype=np.bool_)
    adjusted = holm([comparison.p for comparison in comparisons])
    for (one, other), comparison, p in zip(pairs, comparisons, adjusted, strict=True):
        if comparison.conclusive and p <= method.alpha:
            one_is_better = (comparison.direction > 0) == (metric.better == "higher")
            better[(one, other) if one_is_better else (other, one)] = True
    for cell, (lo, hi) in zip(cells, rank_intervals(better), strict=True):
        cell.record |= {"rank_lo": lo, "rank_hi": hi}


def _can_rank(sizes: list[int], method: Method) -> bool:
    """Whether at least the two largest samples could differ significantly in a family of all pairs.

    Checked before the tests, because there may be millions of pairs, most of them of too few runs.
    """
    testable = sorted(size for size in sizes if size > 1)
    if len(testable) < 2 or method.center == "mean":
        return len(testable) > 1
    return separation_p(testable[-2], testable[-1]) * math.comb(len(testable), 2) <= method.alpha

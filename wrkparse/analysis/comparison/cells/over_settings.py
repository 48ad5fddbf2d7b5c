"""Each variant compared with the baseline over all settings together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from wrkparse.analysis.comparison.cells.cell_results import Method, verdict_of
from wrkparse.analysis.comparison.cells.cells import ComparisonCell, LabelKeys, Labels, LabelValues, cells_by_setting
from wrkparse.analysis.comparison.cells.label_columns import OVER_SETTINGS_COUNTS, OVER_SETTINGS_FLOATS
from wrkparse.analysis.comparison.reached_rates import is_at_rate
from wrkparse.analysis.stats.families import holm
from wrkparse.analysis.stats.resolution import moved, with_resolution
from wrkparse.analysis.stats.stratified import StratifiedComparison, Stratum, compare_within
from wrkparse.dataset.frames import frame_of_rows


class _Pair(NamedTuple):
    """A variant's cell and the baseline's of one setting."""

    cell: ComparisonCell
    reference: ComparisonCell

    def stratum(self, direction: int) -> Stratum:
        """The samples, moved apart or together as far as the printed digits allow."""
        x, y = (np.asarray(one.sample) for one in self)
        of_x, of_y = (float(one.record["resolution"]) for one in self)
        return Stratum(moved(x, of_x, direction), moved(y, of_y, -direction))


def compare_over_settings(
    results: Sequence[list[ComparisonCell]], compared: LabelKeys, baseline: Labels, method: Method
) -> pd.DataFrame:
    """One row for each metric and variant that has runs beside runs of the baseline in two settings or more.

    The columns are those of `ComparisonTable.over_settings`.
    """
    rows: list[dict[str, Any]] = []
    for cells in results if baseline and not method.paired else ():  # ranks within a setting are of unpaired runs
        found = {variant: _row(pairs, method) for variant, pairs in _pairs(cells, compared, baseline).items()}
        _judge(list(found.values()), str(cells[0].record["better"] or "") or None, method.alpha)
        metric = cells[0].record["metric"]
        rows += [
            {"metric": metric, **dict(zip(compared, variant, strict=True)), **row[1]} for variant, row in found.items()
        ]
    names = ["metric", *compared, *OVER_SETTINGS_FLOATS, *OVER_SETTINGS_COUNTS, "verdict"]
    dtypes = (
        dict.fromkeys(names, "string")
        | dict.fromkeys(OVER_SETTINGS_FLOATS, "float64")
        | dict.fromkeys(OVER_SETTINGS_COUNTS, "Int64")
    )
    return frame_of_rows(rows, dtypes)


def _pairs(cells: list[ComparisonCell], compared: LabelKeys, baseline: Labels) -> dict[LabelValues, list[_Pair]]:
    """The pairs of each variant that has two or more.

    Pairs that both reached the requested rate are left out, unless all cells did.
    """
    pairs: dict[LabelValues, list[_Pair]] = {}
    all_reached = all(_are_at_rate(cell) for cell in cells if cell.sample)
    wanted = tuple(baseline.values())
    for group in cells_by_setting(cells, compared).values():
        by_variant = {cell.values_of(compared): cell for cell in group if cell.sample}
        reference = by_variant.pop(wanted, None)
        for variant, cell in by_variant.items() if reference else ():
            assert reference
            if all_reached or not _are_at_rate(cell, reference):
                pairs.setdefault(variant, []).append(_Pair(cell, reference))
    return {variant: several for variant, several in pairs.items() if len(several) > 1}


def _are_at_rate(*cells: ComparisonCell) -> bool:
    """Whether cells of one setting answered as many requests as were asked for."""
    first = cells[0]
    centers = [float(cell.record["center"]) for cell in cells]
    return is_at_rate(str(first.record["metric"]), first.labels.get("rate"), *centers)


def _row(pairs: list[_Pair], method: Method) -> tuple[StratifiedComparison, dict[str, Any]]:
    found = with_resolution(
        lambda direction: compare_within([pair.stratum(direction) for pair in pairs], method.confidence)
    )
    ratios = [float(pair.cell.record.get("ratio", math.nan)) for pair in pairs]
    known = [ratio for ratio in ratios if not math.isnan(ratio)]
    nan = math.nan
    effect = (nan, nan, nan) if pairs[0].cell.record["is_share"] else (found.ratio, found.lo, found.hi)
    return found, {
        "ratio": effect[0], "lo": effect[1], "hi": effect[2], "p": found.p,
        "p_differ": nan if _digits_explain(pairs) else found.p_differ,
        "lowest": min(known, default=math.nan), "highest": max(known, default=math.nan),
        "settings": found.settings, "settings_higher": found.higher, "settings_lower": found.lower,
        "runs": sum(len(pair.cell.sample) for pair in pairs),
        "baseline_runs": sum(len(pair.reference.sample) for pair in pairs),
    }  # fmt: skip


def _digits_explain(pairs: list[_Pair]) -> bool:
    """Whether one ratio lies within what the printed digits leave open in every setting."""
    ranges = []
    for pair in pairs:
        (x, of_x), (y, of_y) = ((one.record["center"], one.record["resolution"]) for one in pair)
        # The true baseline may be 0, and any ratio is possible.
        if y <= of_y:
            return True
        ranges.append(((x - of_x) / (y + of_y), (x + of_x) / (y - of_y)))
    return bool(max(low for low, _ in ranges) <= min(high for _, high in ranges))


def _judge(rows: list[tuple[StratifiedComparison, dict[str, Any]]], better: str | None, alpha: float) -> None:
    """Adjusted p values and verdicts. The variants of a metric are one family."""
    adjusted = holm([found.p for found, _ in rows])
    printed = holm([found.p_printed for found, _ in rows])
    for (_, row), p_differ in zip(rows, holm([row["p_differ"] for _, row in rows]), strict=True):
        row["p_differ"] = p_differ
    smallest = holm([found.smallest_p for found, _ in rows])
    for (found, row), p, p_printed, smallest_p in zip(rows, adjusted, printed, smallest, strict=True):
        verdict = "too few"
        if smallest_p <= alpha:
            verdict = verdict_of(found.direction, p, p_printed, better, alpha)
        # runs that are too few to decide by ranks whether anything differs do not decide how the settings do either
        p_differ = math.nan if verdict == "too few" else row["p_differ"]
        row |= {"p_adjusted": p, "verdict": verdict, "p_differ": p_differ}

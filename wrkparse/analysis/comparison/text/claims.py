"""What a comparison claims of one variant: in one setting, or over all settings together."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from wrkparse.analysis.comparison.reached_rates import is_at_rate, reached_rates
from wrkparse.analysis.comparison.text.wording import ratio_decimals
from wrkparse.analysis.stats.arrays import Floats

if TYPE_CHECKING:
    from wrkparse.analysis.comparison.compare import ComparisonTable

SIGNIFICANT = ("better", "worse", "higher", "lower")
_OPPOSITE = {"better": "worse", "worse": "better", "higher": "lower", "lower": "higher"}
_NO_VALUES: Floats = np.empty(0)
# The columns of a comparison's cells that a claim is made of, beside the labels.
_OF_CELLS = (
    "metric", "verdict", "p_adjusted", "ratio", "ratio_lo", "ratio_hi", "ratio_resolution", "n", "center", "is_share",
    "runs_needed", "equivalent",
)  # fmt: skip
# Verdicts of cells beside a cell of the baseline, as far as both have runs that count.
_COMPARED = (*SIGNIFICANT, "undecided", "too few", "too coarse", "no pairs")

Labels = Mapping[str, str | None]


@dataclass(frozen=True)
class Claim:
    """One row of a comparison's `over_settings`, or one of its cells, beside the baseline.

    ``place`` has the labels of the setting, empty over all settings. ``ratio``, ``lo``, ``hi`` are NaN for failures.
    ``center`` and ``base_center`` are the medians or means of a cell, of failures as shares of the requests, and NaN
    over all settings. ``runs`` and ``base_runs`` are counts of runs, ``needed`` is the number of runs on each side that
    a verdict takes if the true difference is the one seen; None if it is not known. ``adjusted`` says that ``p`` is one
    of several and adjusted for that. ``resolution`` is how much of the ratio the printed digits leave open, NaN
    over all settings. ``settings`` and what follows are those of `over_settings`, 0 and NaN for a cell; ``differs``
    says that the settings differ from each other, so that no ratio describes all of them.
    """

    metric: str
    variant: Labels
    place: Labels
    verdict: str
    p: float
    ratio: float
    lo: float
    hi: float
    runs: int
    base_runs: int
    center: float = math.nan
    base_center: float = math.nan
    is_share: bool = False
    needed: int | None = None
    adjusted: bool = False
    same: bool = False
    resolution: float = math.nan
    settings: int = 0
    higher: int = 0
    lower: int = 0
    p_differ: float = math.nan
    differs: bool = False
    lowest: float = math.nan
    highest: float = math.nan

    @property
    def decimals(self) -> int:
        """How many decimals of the ratio and of its interval are said."""
        return ratio_decimals(self.ratio, self.lo, self.hi, self.resolution)


def turned(claim: Claim, baseline: Labels) -> Claim:
    """The claim with its sides exchanged: the baseline beside the variant, which is the new baseline."""
    # The ends change places. The uncertainty of 1 / r is that of r, divided by r².
    ratio, lo, hi, lowest, highest = (
        1 / value if value else math.nan for value in (claim.ratio, claim.hi, claim.lo, claim.highest, claim.lowest)
    )
    return replace(
        claim, variant=baseline, verdict=_OPPOSITE.get(claim.verdict, claim.verdict),
        ratio=ratio, lo=lo, hi=hi, lowest=lowest, highest=highest, resolution=claim.resolution * ratio**2,
        runs=claim.base_runs, base_runs=claim.runs, center=claim.base_center, base_center=claim.center,
        higher=claim.lower, lower=claim.higher,
    )  # fmt: skip


def labels_of(row: Mapping[Any, Any], keys: tuple[str, ...]) -> dict[str, str | None]:
    """The labels of a row of a frame; a missing one is None."""
    return {key: row[key] if isinstance(row[key], str) else None for key in keys}


def cell_claims(table: ComparisonTable, metric: str) -> list[Claim]:
    """A claim for each cell of a metric that is compared with a cell of the baseline."""
    return _known(table, "cells", metric, lambda: _cell_claims(table, metric))


def _known(table: ComparisonTable, kind: str, metric: str, make: Callable[[], Sequence[Claim]]) -> list[Claim]:
    """The claims of a kind, made once for a table: titles, sentences and figures ask for them again and again."""
    if (kind, metric) not in table.known_claims:
        table.known_claims[kind, metric] = tuple(make())
    return list(table.known_claims[kind, metric])


def _cell_claims(table: ComparisonTable, metric: str) -> list[Claim]:
    cells = table.cells[table.cells["metric"] == metric]
    rows = cells[[*table.setting_keys, *table.compared, *_OF_CELLS]].to_dict("records")
    baselines = {
        tuple(labels_of(row, table.setting_keys).values()): row
        for row in rows
        if labels_of(row, table.compared) == dict(table.baseline)
    }
    adjusted = int(cells["p"].notna().sum()) > 1
    found = []
    for row in rows:
        place = labels_of(row, table.setting_keys)
        base = baselines.get(tuple(place.values()))
        if base is not None and row["verdict"] in _COMPARED:
            found.append(_of_cell(table, row, base, place, adjusted=adjusted))
    return found


def _of_cell(
    table: ComparisonTable, row: Mapping[Any, Any], base: Mapping[Any, Any], place: Labels, *, adjusted: bool
) -> Claim:
    return Claim(
        row["metric"], labels_of(row, table.compared), place, row["verdict"], row["p_adjusted"],
        row["ratio"], row["ratio_lo"], row["ratio_hi"], int(row["n"]), int(base["n"]),
        row["center"], base["center"],
        is_share=row["is_share"] is True,
        needed=_count(row["runs_needed"]), adjusted=adjusted,
        same=row["equivalent"] is True, resolution=row["ratio_resolution"],
    )  # fmt: skip


def _count(value: object) -> int | None:
    return value if isinstance(value, int) else None


def overall_claims(table: ComparisonTable, metric: str) -> list[Claim]:
    """A claim for each variant that has runs beside runs of the baseline in several settings."""
    rows: pd.DataFrame = table.over_settings[table.over_settings["metric"] == metric]
    adjusted = int(rows["p"].notna().sum()) > 1
    shares = set(table.cells.loc[table.cells["is_share"].eq(True), "metric"])
    return [
        Claim(
            metric, labels_of(row, table.compared), {}, row["verdict"], row["p_adjusted"],
            row["ratio"], row["lo"], row["hi"], int(row["runs"]), int(row["baseline_runs"]),
            is_share=row["metric"] in shares, adjusted=adjusted, settings=int(row["settings"]),
            higher=int(row["settings_higher"]), lower=int(row["settings_lower"]), p_differ=row["p_differ"],
            differs=row["metric"] not in shares and row["p_differ"] <= table.alpha,  # shares have no ratios to show
            lowest=row["lowest"], highest=row["highest"],
        )
        for row in rows.to_dict("records")
    ]  # fmt: skip


def variant_claims(table: ComparisonTable, metric: str) -> list[Claim]:
    """The claims of a metric: over all settings, and for variants with runs in one setting only, in that one.

    Throughput says nothing of two that both reached the requested rate: these are left out, unless all runs did.
    """
    return _known(table, "variants", metric, lambda: _variant_claims(table, metric))


def _variant_claims(table: ComparisonTable, metric: str) -> list[Claim]:
    overall = overall_claims(table, metric)
    together = [claim.variant for claim in overall]
    return [*overall, *(claim for claim in telling_claims(table, metric) if claim.variant not in together)]


def telling_claims(table: ComparisonTable, metric: str) -> list[Claim]:
    """The `cell_claims` of a metric without those of two that both reached the requested rate, unless all runs did."""
    claims, reached = cell_claims(table, metric), reached_rates(table, metric)
    if not len(reached) or reached.all():
        return claims
    of_all = table.constants.get("rate")
    return [
        claim
        for claim in claims
        if not is_at_rate(metric, claim.place.get("rate", of_all), claim.center, claim.base_center)
    ]


def is_one_run_each(table: ComparisonTable) -> bool:
    """Whether a claim over all settings rests on one run of each side in each setting."""
    single = table.over_settings["runs"].eq(table.over_settings["settings"])
    single &= table.over_settings["baseline_runs"].eq(table.over_settings["settings"])
    return bool(single.any())


def is_single(claim: Claim) -> bool:
    """Whether a claim on one setting rests on a single run."""
    return not claim.settings and min(claim.runs, claim.base_runs) == 1


def are_apart(table: ComparisonTable, claim: Claim) -> bool:
    """Whether all of several runs of one setting lie on one side of all runs of the baseline."""
    if claim.settings or is_single(claim):
        return False
    both = [run_values(table, claim.metric, {**claim.place, **labels}) for labels in (claim.variant, table.baseline)]
    if not all(map(len, both)):
        return False
    variant, base = both
    return bool(variant.min() > base.max() or variant.max() < base.min())


def run_values(table: ComparisonTable, metric: str, labels: Labels) -> Floats:
    """The values of a metric of the runs of one cell, which has these labels; of invalid runs if no other is there."""
    return table.values_of_cells.get((metric, *(labels[key] for key in table.cell_keys)), _NO_VALUES)


def values_of_cells(table: ComparisonTable) -> dict[tuple[str | None, ...], Floats]:
    """The values of the runs of each cell, by metric and labels in the order of `ComparisonTable.cell_keys`."""
    found = defaultdict[tuple[str | None, ...], list[float]](list)
    keys = [[None if pd.isna(value) else value for value in table.samples[key]] for key in ("metric", *table.cell_keys)]
    for *cell, value in zip(*keys, table.samples["value"].tolist(), strict=True):
        found[tuple(cell)].append(value)
    return {cell: np.array(values) for cell, values in found.items()}

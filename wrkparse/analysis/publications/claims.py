"""The claims of a write-up, compared with the ratios that its runs give."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from wrkparse.analysis.checks.usable import is_usable
from wrkparse.analysis.publications.raw_runs import RawRun, check_keys, without_copies
from wrkparse.analysis.runs.labels.labels import varying_labels
from wrkparse.analysis.runs.metrics import MetricStat
from wrkparse.context.study import CLAIM_RATIO, CLAIM_SAYERS

HOLDS, MOSTLY, PARTLY, MOSTLY_NOT, DOES_NOT_HOLD = "holds", "mostly", "partly", "mostly not", "does not hold"
NO_PAIR = "no pair of runs"
# Shares of the pairs that hold: from three quarters on, but not all, `mostly`; to one quarter, but not none, `mostly
# not`. A convention: what three pairs of four show is no exception, and neither is what one of four shows.
_MOSTLY, _MOSTLY_NOT = 3 / 4, 1 / 4
# Default tolerances, relative. "About three times" is taken to mean 2.4 to 3.6; ratios within 5 % are not called
# different. A claim can state its own tolerance.
_EQUALITY_TOLERANCE, _INEQUALITY_TOLERANCE = 0.2, 0.05
COLUMNS = {
    "study": "string", "claim": "string", "said_by": "string", "metric": "string", "says": "string",
    "tolerance": "float64", "pairs": "int64", "held": "int64", "fewest_runs": "Int64",
    "minimum": "float64", "median": "float64", "maximum": "float64", "verdict": "string", "note": "string",
}  # fmt: skip
PAIR_COLUMNS = {
    "study": "string", "claim": "string", "said_by": "string", "setting": "string",
    "of": "float64", "against": "float64", "ratio": "float64", "held": "boolean",
    "of_run": "string", "against_run": "string",
}  # fmt: skip


class Pair(NamedTuple):
    """Two groups of runs that share the labels of ``setting``, and the ratio of their medians."""

    setting: tuple[str | None, ...]
    ratio: float
    of: list[RawRun]
    against: list[RawRun]
    medians: tuple[float, float]


def check_claim(
    study: str, claim: Mapping[str, Any], metric: MetricStat, runs: Sequence[RawRun]
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A row of `COLUMNS` for one claim of a study, and its pairs of runs as rows of `PAIR_COLUMNS`.

    The runs that match `of` and those that match `against` (both within `where`) form a pair for each combination of
    the labels `by`. The ratio of a pair is the median of the first group over the median of the second. Invalid runs
    are left out, latencies also of runs whose latencies are suspect; copies count once. A pair with ratio r holds

    - for ``N``: if N·(1 - t) <= r <= N·(1 + t), where the tolerance t is 0.2 unless the claim states its own;
    - for ``> N``: if r > N·(1 + t); for ``< N``: if r < N·(1 - t); t is 0.05 unless the claim states its own.

    The claim `holds` if all pairs hold, and `does not hold` if none does. Between them it holds `mostly` from three
    quarters of the pairs on, `mostly not` up to a quarter, else `partly`. The verdict is not a statistical test.
    `fewest_runs` is the number of runs in the smallest group of any pair. `said_by` is `page` for a claim of the
    published document, `us` for one that the author of the study file makes.

    Raises QueryError for an unknown label, TooLittleError if there are no runs.
    """
    by, where = claim.get("by", ()), claim.get("where", {})
    check_keys([*claim["of"], *claim["against"], *by, *where], runs)
    stating = [run for run in runs if (metric.metric, metric.stat) in run.numbers and run.matches(where)]
    distinct = without_copies(stating)
    valid = [run for run in distinct if is_usable(run, metric.metric)]
    of, against = ([run for run in valid if run.matches(claim[side])] for side in ("of", "against"))
    pairs = _pairs(of, against, tuple(by), metric)
    holds, tolerance = _rule(claim)
    held = [holds(pair.ratio) for pair in pairs]
    rows = [_pair_row(study, claim, *one) for one in zip(pairs, held, strict=True)]
    return _claim_row(study, claim, tolerance, pairs, held, _note(claim, pairs, len(distinct) - len(valid))), rows


def _pairs(of: list[RawRun], against: list[RawRun], by: tuple[str, ...], metric: MetricStat) -> list[Pair]:
    of_groups, against_groups = _groups(of, by), _groups(against, by)
    pairs = []
    for setting, first in of_groups.items():
        if setting in against_groups:
            second = against_groups[setting]
            medians = _median(first, metric), _median(second, metric)
            # To a median of 0, such as that of error counts, there is no ratio.
            if medians[1]:
                pairs.append(Pair(setting, medians[0] / medians[1], first, second, medians))
    return pairs


def _median(runs: list[RawRun], metric: MetricStat) -> float:
    return statistics.median(run.numbers[metric.metric, metric.stat].value for run in runs)


def _groups(runs: Sequence[RawRun], by: tuple[str, ...]) -> dict[tuple[str | None, ...], list[RawRun]]:
    groups: dict[tuple[str | None, ...], list[RawRun]] = {}
    for run in runs:
        groups.setdefault(tuple(run.labels.get(key) for key in by), []).append(run)
    return groups


def _rule(claim: Mapping[str, Any]) -> tuple[Callable[[float], bool], float]:
    """Whether a ratio holds, as a function, and the tolerance that it uses."""
    match = CLAIM_RATIO.fullmatch(str(claim["says"]))
    assert match is not None  # checked when the study file was read
    sign, claimed = match[1], float(match[2])
    tolerance = float(claim.get("tolerance", _INEQUALITY_TOLERANCE if sign else _EQUALITY_TOLERANCE))
    if not sign:
        return lambda ratio: claimed * (1 - tolerance) <= ratio <= claimed * (1 + tolerance), tolerance
    if sign == ">":
        return lambda ratio: ratio > claimed * (1 + tolerance), tolerance
    return lambda ratio: ratio < claimed * (1 - tolerance), tolerance


def _note(claim: Mapping[str, Any], pairs: list[Pair], unused: int) -> str:
    """Caveats about the pairs: labels that vary within a group of runs, and runs that are left out or failed."""
    notes = []
    groups = [group for pair in pairs for group in (pair.of, pair.against)]
    mixed = dict.fromkeys(key for group in groups for key in varying_labels(run.labels for run in group))
    if mixed:
        notes.append(f"within a side, {', '.join(mixed)} vary")
    if unused:
        notes.append(f"{unused} run{'' if unused == 1 else 's'} left out: invalid, or suspect in latency")
    failed = {run.run for group in groups for run in group if run.failures}
    if failed:
        notes.append(f"{len(failed)} run{'' if len(failed) == 1 else 's'} with connect, read or write errors")
    return "; ".join(notes)


def _claim_row(
    study: str, claim: Mapping[str, Any], tolerance: float, pairs: list[Pair], held: list[bool], note: str
) -> dict[str, Any]:
    ratios = [pair.ratio for pair in pairs]
    return {
        "study": study, "claim": claim["claim"], "said_by": _said_by(claim), "metric": claim["metric"],
        "says": str(claim["says"]), "tolerance": tolerance, "pairs": len(pairs), "held": sum(held),
        "fewest_runs": min((min(len(pair.of), len(pair.against)) for pair in pairs), default=pd.NA),
        "minimum": min(ratios, default=float("nan")),
        "median": statistics.median(ratios) if ratios else float("nan"),
        "maximum": max(ratios, default=float("nan")),
        "verdict": _verdict(held), "note": note,
    }  # fmt: skip


def _said_by(claim: Mapping[str, Any]) -> str:
    return str(claim.get("said_by", CLAIM_SAYERS[0]))


def _verdict(held: list[bool]) -> str:
    """The verdict on a claim from the pairs that hold."""
    if not held:
        return NO_PAIR
    share = sum(held) / len(held)
    if share in (0, 1):
        return HOLDS if share else DOES_NOT_HOLD
    return MOSTLY if share >= _MOSTLY else MOSTLY_NOT if share <= _MOSTLY_NOT else PARTLY


def _pair_row(study: str, claim: Mapping[str, Any], pair: Pair, held: bool) -> dict[str, Any]:
    setting = zip(claim.get("by", ()), pair.setting, strict=True)
    return {
        "study": study, "claim": claim["claim"], "said_by": _said_by(claim),
        "setting": ", ".join(f"{key}={value or ''}" for key, value in setting),
        "of": pair.medians[0], "against": pair.medians[1], "ratio": pair.ratio, "held": held,
        "of_run": " ".join(run.run for run in pair.of), "against_run": " ".join(run.run for run in pair.against),
    }  # fmt: skip

"""What a write-up claims of its runs, held against the ratios that the runs give."""

from __future__ import annotations

import operator
import statistics
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from wrkparse.analysis.comparison.cells import varying
from wrkparse.analysis.publications.raw_runs import RawRun, check_keys, once
from wrkparse.analysis.runs.selection import Choice
from wrkparse.context.study import SAYS

HOLDS, PARTLY, DOES_NOT, NOTHING = "holds", "partly", "does not hold", "no pair of runs"
# Relative: how far off "three times" may be, and how far from equal two runs must be to be told apart.
_ABOUT, _APART = 0.2, 0.05
COLUMNS = {
    "study": "string", "claim": "string", "metric": "string", "says": "string", "tolerance": "float64",
    "pairs": "int64", "held": "int64", "fewest_runs": "Int64", "minimum": "float64", "median": "float64",
    "maximum": "float64", "verdict": "string", "note": "string",
}  # fmt: skip
PAIR_COLUMNS = {
    "study": "string", "claim": "string", "setting": "string", "of": "float64", "against": "float64",
    "ratio": "float64", "held": "boolean", "of_run": "string", "against_run": "string",
}  # fmt: skip


class Pair(NamedTuple):
    """A ratio of the medians of two groups of runs that share the labels of ``setting``."""

    setting: tuple[str | None, ...]
    ratio: float
    of: list[RawRun]
    against: list[RawRun]
    medians: tuple[float, float]


def check(
    study: str, claim: Mapping[str, Any], choice: Choice, runs: Sequence[RawRun]
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A row of `COLUMNS` for one claim of a study, and its pairs of runs as rows of `PAIR_COLUMNS`.

    The runs that fit `of` and those that fit `against` (both within `where`) are paired where all labels of `by` are
    the same; a pair's ratio is the median of the first over the median of the second. Invalid runs are left out, copies
    counted once. A pair holds where its ratio r

    - is within the tolerance t of the N that is said, N·(1 − t) ≤ r ≤ N·(1 + t); t = 0.2 unless the claim has its own;
    - for ``> N``: r > N·(1 + t), for ``< N``: r < N·(1 − t); t = 0.05, since nearer ratios are not told apart.

    The claim `holds` if all pairs hold, `does not hold` if none does, else `partly`. No verdict speaks of chance:
    `fewest_runs` says how many runs the thinnest side of a pair has.

    Raises QueryError for a label that there is not, TooLittleError without a run.
    """
    by, where = claim.get("by", ()), claim.get("where", {})
    check_keys([*claim["of"], *claim["against"], *by, *where], runs)
    kept = once(run for run in runs if (choice.metric, choice.stat) in run.numbers and run.has(where))
    valid = [run for run in kept if run.invalid_reason is None]
    of, against = ([run for run in valid if run.has(claim[side])] for side in ("of", "against"))
    pairs = _pairs(of, against, tuple(by), choice)
    holds, tolerance = _rule(claim)
    held = [holds(pair.ratio) for pair in pairs]
    rows = [_pair_row(study, claim, *one) for one in zip(pairs, held, strict=True)]
    return _row(study, claim, tolerance, pairs, held, _note(claim, pairs, len(kept) - len(valid))), rows


def _pairs(of: list[RawRun], against: list[RawRun], by: tuple[str, ...], choice: Choice) -> list[Pair]:
    sides = [_groups(side, by) for side in (of, against)]
    pairs = []
    for setting in sides[0]:
        if setting in sides[1]:
            first, second = sides[0][setting], sides[1][setting]
            over, under = (
                statistics.median(run.numbers[choice.metric, choice.stat].value for run in side)
                for side in (first, second)
            )
            if under:
                pairs.append(Pair(setting, over / under, first, second, (over, under)))
    return pairs


def _groups(runs: Sequence[RawRun], by: tuple[str, ...]) -> dict[tuple[str | None, ...], list[RawRun]]:
    found: dict[tuple[str | None, ...], list[RawRun]] = {}
    for run in runs:
        found.setdefault(tuple(run.labels.get(key) for key in by), []).append(run)
    return found


def _rule(claim: Mapping[str, Any]) -> tuple[Callable[[float], bool], float]:
    match = SAYS.fullmatch(str(claim["says"]))
    assert match is not None  # the study was checked when it was read
    sign, size = match[1], float(match[2])
    tolerance = float(claim.get("tolerance", _APART if sign else _ABOUT))
    if not sign:
        return lambda ratio: size * (1 - tolerance) <= ratio <= size * (1 + tolerance), tolerance
    beyond, limit = (operator.gt, size * (1 + tolerance)) if sign == ">" else (operator.lt, size * (1 - tolerance))
    return lambda ratio: bool(beyond(ratio, limit)), tolerance


def _note(claim: Mapping[str, Any], pairs: list[Pair], invalid: int) -> str:
    """What a reader must know of the pairs: labels that are mixed inside a side, and runs left out."""
    notes = []
    sides = [side for pair in pairs for side in (pair.of, pair.against)]
    mixed = dict.fromkeys(key for side in sides for key in varying(run.labels for run in side))
    if mixed:
        notes.append(f"within a side, {', '.join(mixed)} vary")
    if invalid:
        notes.append(f"{invalid} invalid run{'' if invalid == 1 else 's'} left out")
    failed = {run.run for side in sides for run in side if run.failures}
    if failed:
        notes.append(f"{len(failed)} run{'' if len(failed) == 1 else 's'} with connect, read or write errors")
    return "; ".join(notes)


def _row(
    study: str, claim: Mapping[str, Any], tolerance: float, pairs: list[Pair], held: list[bool], note: str
) -> dict[str, Any]:
    ratios = [pair.ratio for pair in pairs]
    some = HOLDS if all(held) else PARTLY if any(held) else DOES_NOT
    return {
        "study": study, "claim": claim["claim"], "metric": claim["metric"], "says": str(claim["says"]),
        "tolerance": tolerance, "pairs": len(pairs), "held": sum(held),
        "fewest_runs": min((min(len(pair.of), len(pair.against)) for pair in pairs), default=pd.NA),
        "minimum": min(ratios, default=float("nan")),
        "median": statistics.median(ratios) if ratios else float("nan"),
        "maximum": max(ratios, default=float("nan")),
        "verdict": some if pairs else NOTHING, "note": note,
    }  # fmt: skip


def _pair_row(study: str, claim: Mapping[str, Any], pair: Pair, held: bool) -> dict[str, Any]:
    setting = zip(claim.get("by", ()), pair.setting, strict=True)
    return {
        "study": study, "claim": claim["claim"], "setting": ", ".join(f"{key}={value or ''}" for key, value in setting),
        "of": pair.medians[0], "against": pair.medians[1], "ratio": pair.ratio, "held": held,
        "of_run": " ".join(run.run for run in pair.of), "against_run": " ".join(run.run for run in pair.against),
    }  # fmt: skip

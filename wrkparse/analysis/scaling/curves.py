"""One curve of throughput over N: its points, the laws fitted to it, and limits other than N."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from wrkparse.analysis.scaling import laws
from wrkparse.analysis.scaling.laws import Errors, UslFit
from wrkparse.analysis.scaling.least_squares import LAWS
from wrkparse.analysis.stats.arrays import Bools, Floats, Indices
from wrkparse.analysis.stats.comparisons import compare_medians
from wrkparse.analysis.stats.resolution import moved, with_resolution
from wrkparse.analysis.stats.summaries import median_summary
from wrkparse.analysis.wording import counted

# Codes of the audit that show a limit other than the server's cores.
AUDIT_LIMITS = {
    "nic-limit": "the network is full: responses take {value:.1%} of its rate",
    "same-machine": "server and load generator share a machine and its cores",
    "few-connections": "there are fewer connections than cores",
}
LEVEL_TOLERANCE = 0.05  # relative; rates that differ by less count as equal. A convention.
# If a larger load gives this many times the rate, the smaller load left cores idle. A convention: well above the
# variation between runs.
SMALL_LOAD_RATIO = 1.25
FEWEST_POINTS = 3  # for a fit: the USL has three coefficients
_NO_LAW = "no law is supported"


class OtherLimit(NamedTuple):
    """Something other than N that limits the rate; `n_from` is the smallest N where it shows."""

    code: str
    n_from: int
    message: str


class RunFinding(NamedTuple):
    """A finding of the audit on a run."""

    run: str
    code: str
    value: float


@dataclass(frozen=True, eq=False)
class Curve:
    """The runs of one group (its ``labels``, None if missing) and its ``points``, one for each N (see `curve_points`).

    ``n`` and ``value`` are the names of the columns with N and the rate; `resolution_of` names that with half the last
    printed digit of the rate. The arrays have a number for each N with usable runs, in ascending order of N.
    """

    labels: Mapping[str, Any]
    n: str
    value: str
    runs: pd.DataFrame
    points: Sequence[Mapping[str, Any]]

    @cached_property
    def usable(self) -> list[Mapping[str, Any]]:
        """The points with usable runs."""
        return [point for point in self.points if point["usable"]]

    @cached_property
    def ns(self) -> Floats:
        """The values of N."""
        return self._numbers(self.n)

    @cached_property
    def rates(self) -> Floats:
        """The rates."""
        return self._numbers(self.value)

    @cached_property
    def resolutions(self) -> Floats:
        """Half the last printed digit of each rate; 0 if it is not known."""
        return np.nan_to_num(self._numbers(resolution_of(self.value)))

    def _numbers(self, column: str) -> Floats:
        return np.array([point[column] for point in self.usable], float)

    @cached_property
    def lowest(self) -> Floats:
        """The lowest rates that could have been printed so."""
        return self.rates - self.resolutions

    @cached_property
    def highest(self) -> Floats:
        """The highest rates that could have been printed so."""
        return self.rates + self.resolutions

    @property
    def best_n(self) -> int | None:
        """The smallest N whose rate may be the highest, as it was printed; None without usable runs."""
        return int(self.ns[self.highest >= self.lowest.max()][0]) if len(self.ns) else None

    @cached_property
    def plateau(self) -> tuple[float, float] | None:
        """The lowest and the highest value of the highest rate, if the curve levels off; else None.

        It does if the largest N adds less than `LEVEL_TOLERANCE` to the rates before, whatever digits were not printed.
        """
        levels_off = len(self.rates) > 2 and self.highest[-1] < self.lowest[:-1].max() * (1 + LEVEL_TOLERANCE)
        return (float(self.lowest.max()), float(self.highest.max())) if levels_off else None


def resolution_of(value: str) -> str:
    """The column with half the last printed digit of the rate in the column `value`."""
    return f"{value}_resolution"


def curve_points(
    runs: pd.DataFrame, labels: Sequence[str], n: str, value: str, confidence: float
) -> list[dict[str, Any]]:
    """One row for each N of `runs`, in ascending order.

    Columns: the N, the median of `value`, its resolution (the coarsest of the runs; `resolution_of` names the column,
    in `runs` too), lo and hi (its interval, as wide as the printed digits make it), runs, invalid, usable, speedup and
    efficiency_ratio (against the smallest usable N) with their intervals (``_lo``, ``_hi``: Moses', as wide as the
    printed digits make them, if there are runs enough), varies (those of `labels` that differ between the runs, joined
    by blanks).
    """
    columns = _RunNumbers.of(runs, n, value)
    groups = [_Point.of(columns, at) for at in np.unique(columns.n).tolist()]
    base = next((group for group in groups if group.usable), groups[0])
    return [_row(group, base, runs, labels, n, value, confidence) for group in groups]


class _RunNumbers(NamedTuple):
    """The numbers of runs as arrays: pandas takes ten times as long to cut a few rows into groups."""

    n: Indices
    rates: Floats
    resolutions: Floats
    usable: Bools
    invalid: Bools

    @classmethod
    def of(cls, runs: pd.DataFrame, n: str, value: str) -> _RunNumbers:
        names = {n: "int64", value: "float64", resolution_of(value): "float64", "usable": "bool"}
        at, rates, resolutions, usable = (runs[name].to_numpy(dtype) for name, dtype in names.items())
        return cls(at, rates, resolutions, usable, (~runs["valid"].fillna(value=True)).to_numpy(bool))


class _Point(NamedTuple):
    """The runs at one N: their `rows`, the usable ones or all if there are none, and how many are invalid."""

    n: int
    usable: bool
    rows: Indices
    rates: Floats
    resolution: float
    invalid: int

    @classmethod
    def of(cls, columns: _RunNumbers, at: int) -> _Point:
        rows = np.flatnonzero(columns.n == at)
        usable, invalid = bool(columns.usable[rows].any()), int(columns.invalid[rows].sum())
        used = rows[columns.usable[rows]] if usable else rows
        known = columns.resolutions[used]
        known = known[~np.isnan(known)]
        return cls(at, usable, used, columns.rates[used], float(known.max()) if len(known) else math.nan, invalid)


def _row(
    point: _Point, base: _Point, runs: pd.DataFrame, labels: Sequence[str], n: str, value: str, confidence: float
) -> dict[str, Any]:
    """The row of `curve_points` for one N; `base` is the smallest usable one."""
    median = median_summary(point.rates.tolist(), confidence)
    ends = ((median.lo, -1), (median.hi, 1))
    lo, hi = (float(moved(np.array([end]), point.resolution, way)[0]) for end, way in ends)
    row: dict[str, Any] = {
        n: point.n,
        value: median.center,
        resolution_of(value): point.resolution,
        "lo": lo,
        "hi": hi,
        "runs": len(point.rows),
        "invalid": point.invalid,
        "usable": point.usable,
        "varies": " ".join(_varying(runs.iloc[point.rows], labels) if len(point.rows) > 1 else ()),
    }
    row["speedup"] = (
        median.center / median_summary(base.rates.tolist(), confidence).center if point.usable else math.nan
    )
    row["efficiency_ratio"] = row["speedup"] * base.n / point.n
    # The speed-up of the smallest N is 1 by definition, without any uncertainty.
    row["speedup_lo"], row["speedup_hi"] = (
        _speedup(point, base, confidence) if point.usable and point is not base else (math.nan, math.nan)
    )
    return row | {
        "efficiency_lo": row["speedup_lo"] * base.n / point.n,
        "efficiency_hi": row["speedup_hi"] * base.n / point.n,
    }


def _speedup(point: _Point, base: _Point, confidence: float) -> tuple[float, float]:
    """The interval of the ratio of the rate at one N to that at another, as wide as the printed digits make it."""
    found = with_resolution(
        lambda way: compare_medians(
            moved(point.rates, point.resolution, way).tolist(), moved(base.rates, base.resolution, -way).tolist(),
            confidence,
        )
    )  # fmt: skip
    return found.lo, found.hi


def _varying(runs: pd.DataFrame, labels: Sequence[str]) -> Iterator[str]:
    """The labels in which runs differ."""
    return (label for label in labels if len(runs[label].unique()) > 1)


def fit_curve(curve: Curve, errors: Errors, confidence: float) -> tuple[list[UslFit], str]:
    """Every law fitted to a curve, and why none is supported if that is not by their number; or no fit, and why."""
    count = len(curve.ns)
    if count < FEWEST_POINTS:
        return [], f"no law is fitted to {count} value{'' if count == 1 else 's'} of {curve.n}"
    try:
        fits = laws.fit_laws(
            LAWS, curve.ns, curve.rates, errors=errors, confidence=confidence, resolution=curve.resolutions
        )
    except ValueError as problem:
        return [], f"no law fits: {problem}"
    # One F test chooses among all laws, so its result is in each fit.
    if fits[0].too_coarse:
        return fits, f"{_NO_LAW}: the printed digits alone could make the difference"
    if any(fit.law == fit.supported and fit.sigma.value > 1 for fit in fits):
        return without_support(fits), f"{_NO_LAW}: the best one has σ above 1, and more than all work can't wait"
    return fits, ""


def without_support(fits: Sequence[UslFit]) -> list[UslFit]:
    """The fits of a curve of which no law is true."""
    return [replace(fit, supported=None, peak=None) for fit in fits]


def find_limits(
    curve: Curve, others: Sequence[Curve], load: str | None, findings: Sequence[RunFinding]
) -> Iterator[OtherLimit]:
    """What may have limited the rates of `curve` other than N; `findings` are those of the audit."""
    yield from _audit_limits(curve, findings)
    if len(curve.ns) < 2:
        return
    if curve.n == "cores":
        yield from _few_threads(curve)
    if load and curve.labels.get(load) is not None:
        yield from _small_load(curve, others, load)
    yield from _shared_ceiling(curve, others, load)


def _audit_limits(curve: Curve, findings: Sequence[RunFinding]) -> Iterator[OtherLimit]:
    rows = zip(*(curve.runs[name].tolist() for name in ("run", curve.n, "usable")), strict=True)
    n_of = {run: n for run, n, usable in rows if usable}
    of_codes: dict[str, list[RunFinding]] = {}
    for finding in findings:
        # Over another N, such as connections, few of them are what the curve varies, and not a limit beside it.
        if finding.run in n_of and (curve.n == "cores" or finding.code != "few-connections"):
            of_codes.setdefault(finding.code, []).append(finding)
    for code, found in of_codes.items():
        known = [finding.value for finding in found if not math.isnan(finding.value)]
        message = AUDIT_LIMITS[code].format(value=max(known, default=math.nan))
        yield OtherLimit(code, min(int(n_of[finding.run]) for finding in found), message)


def _few_threads(curve: Curve) -> Iterator[OtherLimit]:
    """Fewer threads of the load generator than cores of the server, of tools that state their threads."""
    if "threads" not in curve.runs:
        return
    loaded, n = (pd.to_numeric(curve.runs[name]).to_numpy(float, na_value=np.nan) for name in ("threads", curve.n))
    short = loaded < n
    if short.any():
        at, threads = int(n[short].min()), int(loaded[short].min())
        yield OtherLimit(
            "few-threads", at, f"the load generator has {counted(threads, 'thread')}, the server more cores"
        )


def _small_load(curve: Curve, others: Sequence[Curve], load: str) -> Iterator[OtherLimit]:
    """A larger load gives `SMALL_LOAD_RATIO` times the rate, from some N up to the largest, by the printed digits."""
    for other in others:
        # A load that is not known counts as no larger one.
        if not _differ_in(curve, other, {load}) or (other.labels[load] or 0) <= curve.labels[load]:
            continue
        # Only N that both curves have: a rate between two N is not known.
        common, own, others_own = np.intersect1d(curve.ns, other.ns, assume_unique=True, return_indices=True)
        too_small = other.lowest[others_own] / curve.highest[own] >= SMALL_LOAD_RATIO
        # The largest N needs the largest load: if the smaller one is enough there, it limits nothing.
        if curve.ns[-1] in common and too_small[-1]:
            enough = np.flatnonzero(~too_small)
            # The first N after the last one at which the load was large enough.
            at, ratio = common[enough[-1] + 1 if len(enough) else 0], other.rates[others_own[-1]] / curve.rates[-1]
            message = f"{load} {other.labels[load]} gives {ratio:.2f} times as much at {curve.n} {int(curve.ns[-1])}"
            # `scaling` makes the curves in the order of their labels, so the first one found has the smallest load that
            # would do.
            yield OtherLimit("small-load", int(at), message)
            return


def _shared_ceiling(curve: Curve, others: Sequence[Curve], load: str | None) -> Iterator[OtherLimit]:
    """Several curves under the same load have a plateau at the same rate: within `LEVEL_TOLERANCE`, as printed."""
    plateau = curve.plateau
    if plateau is None:
        return
    comparable = [other for other in others if _differ_in(curve, other, set(curve.labels) - {"study", load})]
    plateaus = [other.plateau for other in comparable if other.plateau]
    low, high = plateau
    equal = [plateau for plateau in plateaus if max(plateau[1] / low, high / plateau[0]) < 1 + LEVEL_TOLERANCE]
    if equal:
        # The smallest N whose rate is on the plateau.
        at = int(curve.ns[curve.rates > low * (1 - LEVEL_TOLERANCE)][0])
        yield OtherLimit("shared-ceiling", at, f"{len(equal) + 1} curves level off at this height: they share a limit")


def _differ_in(curve: Curve, other: Curve, keys: set[str]) -> bool:
    """Whether the labels of two curves differ, and only in `keys`."""
    differing = {key for key in curve.labels if curve.labels[key] != other.labels[key]}
    return bool(differing) and differing <= keys

"""One curve of throughput over N: its points, the laws fitted to it, and limits other than N."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from wrkparse.analysis.scaling.laws import Errors, UslFit, fit_law
from wrkparse.analysis.scaling.least_squares import LAWS
from wrkparse.analysis.stats.comparisons import Comparison, compare_medians
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
_BOUNDS = ["speedup_lo", "speedup_hi", "efficiency_lo", "efficiency_hi"]
FEWEST_POINTS = 3  # for a fit: the USL has three coefficients


class Limit(NamedTuple):
    """Something other than N that limits the rate; `n_from` is the smallest N where it shows."""

    code: str
    n_from: int
    message: str


@dataclass(frozen=True, eq=False)
class Curve:
    """The runs of one group (its ``labels``, None if missing) and its ``points``, one for each N (see `points`).

    ``n`` and ``value`` are the names of the columns with N and the rate; `resolution_of` names that with half the last
    printed digit of the rate.
    """

    labels: Mapping[str, Any]
    n: str
    value: str
    runs: pd.DataFrame
    points: pd.DataFrame

    @cached_property
    def rates(self) -> pd.Series[float]:
        """The rate at each N with usable runs, by N."""
        usable = self.points[self.points["usable"]]
        return usable.set_index(self.n)[self.value]

    @cached_property
    def resolutions(self) -> pd.Series[float]:
        """Half the last printed digit of the rate at each N with usable runs, by N."""
        usable = self.points[self.points["usable"]]
        return usable.set_index(self.n)[resolution_of(self.value)]

    @cached_property
    def lowest(self) -> pd.Series[float]:
        """The lowest rate that could have been printed so, by N."""
        return self.rates - self.resolutions.fillna(0)

    @cached_property
    def highest(self) -> pd.Series[float]:
        """The highest rate that could have been printed so, by N."""
        return self.rates + self.resolutions.fillna(0)

    @property
    def best_n(self) -> int | None:
        """The smallest N whose rate may be the highest, as it was printed; None without usable runs."""
        return int(self.rates.index[self.highest >= self.lowest.max()].min()) if len(self.rates) else None

    @cached_property
    def plateau(self) -> tuple[float, float] | None:
        """The lowest and the highest value of the highest rate, if the curve levels off; else None.

        It does if the largest N adds less than `LEVEL_TOLERANCE` to the rates before, whatever digits were not printed.
        """
        levels_off = len(self.rates) > 2 and self.highest.iloc[-1] < self.lowest.iloc[:-1].max() * (1 + LEVEL_TOLERANCE)
        return (float(self.lowest.max()), float(self.highest.max())) if levels_off else None


def resolution_of(value: str) -> str:
    """The column with half the last printed digit of the rate in the column `value`."""
    return f"{value}_resolution"


def points(runs: pd.DataFrame, labels: Sequence[str], n: str, value: str, confidence: float) -> pd.DataFrame:
    """One row for each N of `runs`.

    Columns: the N, the median of `value`, its resolution (the coarsest of the runs; `resolution_of` names the column,
    in `runs` too), lo and hi (its interval, as wide as the printed digits make it), runs, invalid, usable, speedup and
    efficiency_ratio (against the smallest usable N) with their intervals (``_lo``, ``_hi``: Moses', as wide as the
    printed digits make them, if there are runs enough), varies (those of `labels` that differ between the runs, joined
    by blanks).
    """
    numbers = _numbers(runs, n, value)
    table = pd.DataFrame([
        _point(group, runs, labels, n, value, confidence) for _, group in numbers.groupby(n)
    ])  # fmt: skip
    usable = table[table["usable"]]
    base = usable.iloc[0] if len(usable) else table.iloc[0]
    table["speedup"] = (table[value] / base[value]).where(table["usable"])
    table["efficiency_ratio"] = table["speedup"] * base[n] / table[n]
    of_base = _used(numbers[numbers[n] == base[n]])
    intervals = []
    for at, is_usable in zip(table[n].to_list(), table["usable"].to_list(), strict=True):
        of_n = _used(numbers[numbers[n] == at])[: None if is_usable and at != base[n] else 0]
        found = _compare_printed(of_n, of_base, value, confidence)
        intervals.append((found.lo, found.hi, found.lo * base[n] / at, found.hi * base[n] / at))
    return table.assign(**dict(zip(_BOUNDS, zip(*intervals, strict=True), strict=True)))


def _numbers(runs: pd.DataFrame, n: str, value: str) -> pd.DataFrame:
    """The numbers of runs as plain columns, which are cut into groups several times as fast as those of labels."""
    columns = {n: "int64", value: "float64", resolution_of(value): "float64", "usable": "bool"}
    table = pd.DataFrame({name: runs[name].to_numpy(dtype) for name, dtype in columns.items()}, index=runs.index)
    return table.assign(invalid=(~runs["valid"].fillna(value=True)).to_numpy(bool))


def _compare_printed(runs: pd.DataFrame, of_base: pd.DataFrame, value: str, confidence: float) -> Comparison:
    x, y = (side[value].to_numpy(float) for side in (runs, of_base))
    of_x, of_y = (float(side[resolution_of(value)].max()) for side in (runs, of_base))
    return with_resolution(
        lambda way: compare_medians(moved(x, of_x, way).tolist(), moved(y, of_y, -way).tolist(), confidence)
    )


def _point(
    runs: pd.DataFrame, labelled: pd.DataFrame, labels: Sequence[str], n: str, value: str, confidence: float
) -> dict[str, Any]:
    usable, used = runs["usable"].any(), _used(runs)
    median = median_summary(used[value].to_list(), confidence)
    resolution = float(used[resolution_of(value)].max())
    lo, hi = (float(moved(np.array([end]), resolution, way)[0]) for end, way in ((median.lo, -1), (median.hi, 1)))
    return {
        n: int(runs[n].iloc[0]),
        value: median.center,
        resolution_of(value): resolution,
        "lo": lo,
        "hi": hi,
        "runs": len(used),
        "invalid": int(runs["invalid"].sum()),
        "usable": bool(usable),
        "varies": " ".join(_varying(labelled.loc[used.index], labels) if len(used) > 1 else ()),
    }


def _varying(runs: pd.DataFrame, labels: Sequence[str]) -> Iterator[str]:
    """The labels in which runs differ."""
    return (label for label in labels if len(runs[label].unique()) > 1)


def _used(runs: pd.DataFrame) -> pd.DataFrame:
    """The usable runs; all if there are none."""
    return runs[runs["usable"]] if runs["usable"].any() else runs


def fit_laws(curve: Curve, errors: Errors, confidence: float) -> tuple[list[UslFit], str]:
    """Every law fitted to a curve, and why none is supported if that is not by their number; or no fit, and why."""
    rates = curve.rates
    if len(rates) < FEWEST_POINTS:
        return [], f"no law is fitted to {len(rates)} value{'' if len(rates) == 1 else 's'} of {curve.n}"
    try:
        at = rates.index.to_numpy(float)
        digits = curve.resolutions.to_numpy(float)
        fits = [
            fit_law(law, at, rates.to_numpy(float), errors=errors, confidence=confidence, resolution=digits)
            for law in LAWS
        ]
        return fits, "no law is supported: the printed digits alone could make the difference" if fits[
            0
        ].too_coarse else ""
    except ValueError as problem:
        return [], f"no law fits: {problem}"


def find_limits(curve: Curve, others: Sequence[Curve], load: str | None, findings: pd.DataFrame) -> Iterator[Limit]:
    """What may have limited the rates of `curve` other than N; `findings` are those of the audit."""
    yield from _audit_limits(curve, findings)
    if len(curve.rates) < 2:
        return
    if curve.n == "cores":
        yield from _few_threads(curve)
    if load and curve.labels.get(load) is not None:
        yield from _small_load(curve, others, load)
    yield from _shared_ceiling(curve, others, load)


def _audit_limits(curve: Curve, findings: pd.DataFrame) -> Iterator[Limit]:
    runs = curve.runs.loc[curve.runs["usable"], ["run", curve.n]]
    of_runs = findings.merge(runs, on="run")
    if curve.n != "cores":
        of_runs = of_runs[of_runs["code"] != "few-connections"]
    for code, of_code in of_runs.groupby("code", sort=False):
        message = AUDIT_LIMITS[str(code)].format(value=of_code["value"].max())
        yield Limit(str(code), int(of_code[curve.n].min()), message)


def _few_threads(curve: Curve) -> Iterator[Limit]:
    """Fewer threads of wrk than cores of the server. Runs of other tools have no threads."""
    if "threads" not in curve.runs:
        return
    short = curve.runs[(curve.runs["threads"] < curve.runs[curve.n]).fillna(value=False)]
    if len(short):
        at, threads = int(short[curve.n].min()), int(short["threads"].min())
        yield Limit("few-threads", at, f"the load generator has {counted(threads, 'thread')}, the server more cores")


def _small_load(curve: Curve, others: Sequence[Curve], load: str) -> Iterator[Limit]:
    """A larger load gives `SMALL_LOAD_RATIO` times the rate, from some N up to the largest, by the printed digits."""
    rates = curve.rates
    for other in others:
        if not _differ_in(curve, other, {load}) or (other.labels[load] or 0) <= curve.labels[load]:
            continue
        ratio = (other.rates / rates).dropna()
        too_small = (other.lowest / curve.highest).dropna()[::-1].ge(SMALL_LOAD_RATIO).cummin()
        if rates.index[-1] in ratio.index and too_small.iloc[0]:
            at = int(too_small[too_small].index[-1])
            message = (
                f"{load} {other.labels[load]} gives {ratio.iloc[-1]:.2f} times as much at {curve.n} {ratio.index[-1]}"
            )
            yield Limit("small-load", at, message)
            return


def _shared_ceiling(curve: Curve, others: Sequence[Curve], load: str | None) -> Iterator[Limit]:
    """Several curves under the same load have a plateau at the same rate: within `LEVEL_TOLERANCE`, as printed."""
    plateau = curve.plateau
    if plateau is None:
        return
    comparable = [other for other in others if _differ_in(curve, other, set(curve.labels) - {"study", load})]
    plateaus = [other.plateau for other in comparable if other.plateau]
    low, high = plateau
    equal = [one for one in plateaus if max(one[1] / low, high / one[0]) < 1 + LEVEL_TOLERANCE]
    if equal:
        at = int(curve.rates.index[curve.rates > low * (1 - LEVEL_TOLERANCE)].min())
        yield Limit("shared-ceiling", at, f"{len(equal) + 1} curves level off at this height: they share a limit")


def _differ_in(curve: Curve, other: Curve, keys: set[str]) -> bool:
    """Whether the labels of two curves differ, and only in `keys`."""
    differing = {key for key in curve.labels if curve.labels[key] != other.labels[key]}
    return bool(differing) and differing <= keys

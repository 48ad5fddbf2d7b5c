"""One curve of throughput over N: its points, the laws fitted to it, and what else than N may have set it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import pandas as pd

from wrkparse.analysis.scaling.laws import LAWS, Errors, UslFit, fit_law
from wrkparse.analysis.stats.summaries import median_summary

# What the audit finds in runs that says that something else than the server's cores set the rate.
AUDITED = {
    "nic-limit": "the network is full: responses take {value:.1%} of its rate",
    "same-machine": "server and load generator share a machine and its cores",
    "few-connections": "there are fewer connections than cores",
}
LEVEL = 0.05  # rates that differ by less are level
STARVED = 1.25  # a larger load that gives so many times as much shows that the smaller one left cores idle


class Limit(NamedTuple):
    """Something else than N that set the rate; `n_from` is the smallest N where it shows."""

    code: str
    n_from: int
    message: str


@dataclass(frozen=True, eq=False)
class Curve:
    """``labels`` say whose (None: missing); ``runs`` has a row per run, ``points`` one per N (see `points`)."""

    labels: Mapping[str, Any]
    n: str
    value: str
    runs: pd.DataFrame
    points: pd.DataFrame

    @cached_property
    def rates(self) -> pd.Series[float]:
        """The rate of each N whose runs may be used, by N."""
        usable = self.points[self.points["usable"]]
        return usable.set_index(self.n)[self.value]

    @cached_property
    def plateau(self) -> float | None:
        """The highest rate, where the largest N adds less than `LEVEL` to what a smaller one gave."""
        rates = self.rates
        before = rates.iloc[:-1].max()
        return float(rates.max()) if len(rates) > 2 and rates.iloc[-1] < before * (1 + LEVEL) else None


def points(runs: pd.DataFrame, labels: Sequence[str], n: str, value: str, confidence: float) -> pd.DataFrame:
    """N, median of `value`, lo, hi, runs, invalid, usable, speedup, efficiency_ratio, varies (of `labels`), each N."""
    found = pd.DataFrame([_point(group, labels, n, value, confidence) for _, group in runs.groupby(n)])
    usable = found[found["usable"]]
    base = usable.iloc[0] if len(usable) else found.iloc[0]
    found["speedup"] = (found[value] / base[value]).where(found["usable"])
    found["efficiency_ratio"] = found["speedup"] * base[n] / found[n]
    return found


def _point(runs: pd.DataFrame, labels: Sequence[str], n: str, value: str, confidence: float) -> dict[str, Any]:
    usable = runs[runs["usable"]]
    used = usable if len(usable) else runs
    median = median_summary(used[value].to_list(), confidence)
    return {
        n: int(runs[n].iloc[0]),
        value: median.center,
        "lo": median.lo,
        "hi": median.hi,
        "runs": len(used),
        "invalid": int((~runs["valid"].fillna(value=True)).sum()),
        "usable": bool(len(usable)),
        "varies": " ".join(label for label in labels if len(used) > 1 and len(used[label].unique()) > 1),
    }


def fits(curve: Curve, errors: Errors, confidence: float) -> tuple[list[UslFit], str]:
    """Every law fitted to a curve of three N or more, or none, and why not."""
    rates = curve.rates
    if len(rates) < 3:
        return [], f"no law is fitted to {len(rates)} value{'' if len(rates) == 1 else 's'} of {curve.n}"
    try:
        at = rates.index.to_numpy(float)
        return [fit_law(law, at, rates.to_numpy(float), errors=errors, confidence=confidence) for law in LAWS], ""
    except ValueError as problem:
        return [], f"no law fits: {problem}"


def limits(curve: Curve, others: Sequence[Curve], load: str | None, findings: pd.DataFrame) -> Iterator[Limit]:
    """What else than N may have set the rates of `curve`; `findings` are the audit's."""
    yield from _audited(curve, findings)
    if len(curve.rates) < 2:
        return
    if curve.n == "cores":
        yield from _few_threads(curve)
    if load and curve.labels.get(load) is not None:
        yield from _small_load(curve, others, load)
    yield from _shared_ceiling(curve, others, load)


def _audited(curve: Curve, findings: pd.DataFrame) -> Iterator[Limit]:
    runs = curve.runs.loc[curve.runs["usable"], ["run", curve.n]]
    of_runs = findings.merge(runs, on="run")
    if curve.n != "cores":
        of_runs = of_runs[of_runs["code"] != "few-connections"]
    for code, found in of_runs.groupby("code", sort=False):
        message = AUDITED[str(code)].format(value=found["value"].max())
        yield Limit(str(code), int(found[curve.n].min()), message)


def _few_threads(curve: Curve) -> Iterator[Limit]:
    """Threads of wrk against cores of the server; runs of other tools have no threads."""
    if "threads" not in curve.runs:
        return
    short = curve.runs[(curve.runs["threads"] < curve.runs[curve.n]).fillna(value=False)]
    if len(short):
        at, threads = int(short[curve.n].min()), int(short["threads"].min())
        yield Limit("few-threads", at, f"the load generator has {threads} threads, the server more cores")


def _small_load(curve: Curve, others: Sequence[Curve], load: str) -> Iterator[Limit]:
    """From the smallest N on from which a larger load gives `STARVED` times as much, up to the largest N."""
    mine = curve.rates
    for other in others:
        if not _differ_in(curve, other, {load}) or (other.labels[load] or 0) <= curve.labels[load]:
            continue
        ratio = (other.rates / mine).dropna()
        starved = ratio[::-1].ge(STARVED).cummin()
        if mine.index[-1] in ratio.index and starved.iloc[0]:
            at = int(starved[starved].index[-1])
            message = (
                f"{load} {other.labels[load]} gives {ratio.iloc[-1]:.2f} times as much at {curve.n} {ratio.index[-1]}"
            )
            yield Limit("small-load", at, message)
            return


def _shared_ceiling(curve: Curve, others: Sequence[Curve], load: str | None) -> Iterator[Limit]:
    """Curves under the same load that level off at one height: the last N adds less than `LEVEL`, the heights agree."""
    top = curve.plateau
    if top is None:
        return
    alike = [other for other in others if _differ_in(curve, other, set(curve.labels) - {"study", load})]
    heights = [height for other in alike if (height := other.plateau) and abs(height / top - 1) < LEVEL]
    if heights:
        at = int(curve.rates[curve.rates > top * (1 - LEVEL)].index[0])
        yield Limit("shared-ceiling", at, f"{len(heights) + 1} curves level off at this height: they share a limit")


def _differ_in(curve: Curve, other: Curve, keys: set[str]) -> bool:
    """Whether two curves have the same labels but for `keys`, and not the same ones there."""
    differing = {key for key in curve.labels if curve.labels[key] != other.labels[key]}
    return bool(differing) and differing <= keys

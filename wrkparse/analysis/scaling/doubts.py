"""What a fitted law does not show: a peak that was not measured, growth beyond linear, a law that runs contradict."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from scipy import special

from wrkparse.analysis.scaling.curves import FEWEST_POINTS, LEVEL_TOLERANCE, Curve, OtherLimit, resolution_of
from wrkparse.analysis.scaling.laws import UslFit
from wrkparse.analysis.scaling.least_squares import COEFFICIENTS

# Limits of something that all the server's cores share: a fall below them is that something's.
_SHARED_LIMITS = {"nic-limit": "the network is full", "shared-ceiling": "several curves share a ceiling"}


def doubt_of_peak(
    curve: Curve, fit: UslFit, other: Callable[[], UslFit | None], limits: Sequence[OtherLimit]
) -> str | None:
    """Why the peak of `fit` is not claimed; None if it is, or if the fit has none.

    `other` returns the USL fitted with the other assumption on errors; it is called if nothing else raises a doubt.
    """
    if fit.peak is None:
        return None
    shared = [reason for code, reason in _SHARED_LIMITS.items() if any(limit.code == code for limit in limits)]
    if shared:
        return shared[0]
    if curve.highest[-1] >= curve.lowest.max() * (1 - LEVEL_TOLERANCE):
        return f"no fall by {100 * LEVEL_TOLERANCE:.0f} % was measured"
    # If errors are in proportion to the rate, the interval of κ with absolute errors contains the true κ in 75 to 85 %
    # instead of 95 % (scripts/calibrate scaling). So a peak must not depend on the assumption.
    beside = other()
    if beside is None or beside.peak is None:
        return "it depends on what is assumed of the errors (--errors)"
    return None


def is_superlinear(curve: Curve, confidence: float) -> bool:
    """Whether the rate grows faster than N: none of the laws allows that.

    With σ < 0 and κ = 0, N/X falls linearly with N. So the test is that the interval of the slope of N/X over N is
    below 0, by least squares with the weights X/N, which give all points the same relative error, as wide as the
    printed digits make it (`Intervals.reach`). At least one efficiency must be above 1, and one of those with an
    interval must be above it as a whole.
    """
    if len(curve.ns) < FEWEST_POINTS:
        return False
    lowest = np.array([point["efficiency_lo"] for point in curve.usable if point["efficiency_ratio"] > 1], float)
    if not len(lowest) or (not np.isnan(lowest).all() and not (lowest > 1).any()):
        return False
    n, x = curve.ns, curve.rates
    weighted = np.column_stack([x / n, (n - 1) * x / n])  # of N/X · X/N = 1
    inverse = np.linalg.inv(weighted.T @ weighted)
    coefficients = inverse @ weighted.sum(axis=0)
    # Two coefficients: 1/λ and σ/λ.
    freedom = len(n) - 2
    distance = math.sqrt(float(((1 - weighted @ coefficients) ** 2).sum()))
    rounding = math.sqrt(float(((curve.resolutions / x) ** 2).sum()))
    quantile = float(special.stdtrit(freedom, (1 + confidence) / 2))
    # The slope's standard error is √(inverse · RSS / freedom), and `distance` is √RSS.
    half = math.sqrt(inverse[1, 1]) * (rounding + quantile * (distance + rounding) / math.sqrt(freedom))
    return bool(coefficients[1] + half < 0)


def lack_of_fit(curve: Curve, fit: UslFit) -> float:
    """The p value of the test of whether the runs at each N differ from the law by more than from each other.

    F is the mean square of (mean of the runs - fitted), over that of (run - mean of the runs), each relative to the
    fitted rate if errors are relative (Draper & Smith, *Applied Regression Analysis*, 3rd ed., 1998, section 2.1). The
    root of the first sum is as much smaller, and that of the second as much larger, as the printed digits of the runs
    allow (see `Intervals`). NaN if no N has several runs, or the law goes through all points.
    """
    usable = curve.runs["usable"].to_numpy(bool)
    at, rates_of, digits = (
        curve.runs[name].to_numpy(float)[usable] for name in (curve.n, curve.value, resolution_of(curve.value))
    )
    groups = {n: rates_of[at == n] for n in dict.fromkeys(at.tolist())}
    points, repeats = len(groups), sum(len(rates) - 1 for rates in groups.values())
    freedom = points - COEFFICIENTS[fit.law]
    if not repeats or freedom < 1:
        return float("nan")
    off = within = rounding = 0.0
    for n, rates in groups.items():
        fitted = float(fit.predict([n])[0])
        scale = fitted if fit.errors == "relative" else 1.0
        off += len(rates) * ((rates.mean() - fitted) / scale) ** 2
        within += float((((rates - rates.mean()) / scale) ** 2).sum())
        rounding += float(((np.nan_to_num(digits[at == n]) / scale) ** 2).sum())
    off = max(math.sqrt(off) - math.sqrt(rounding), 0.0) ** 2
    within = (math.sqrt(within) + math.sqrt(rounding)) ** 2
    return float(special.fdtrc(freedom, repeats, off / freedom / (within / repeats))) if within else float("nan")

"""Scalability laws fitted to throughput: arrays in, numbers out.

The Universal Scalability Law (USL) is X(N) = λN / (1 + σ(N-1) + κN(N-1)) with σ, κ ≥ 0 (N. J. Gunther, *Guerrilla
Capacity Planning*, Springer 2007, chapter 4). λ is the throughput at N = 1, σ is contention (the serial share of the
work), κ is coherency (the cost of each pair that must agree). With κ = 0 it is Amdahl's law, with σ = κ = 0 linear
scaling.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import special

from wrkparse.analysis.scaling.intervals import Estimate, Intervals
from wrkparse.analysis.scaling.least_squares import (
    COEFFICIENTS,
    LAWS,
    Law,
    LeastSquares,
    covariance_of,
    gradient,
    throughput,
)
from wrkparse.analysis.shown.results import ResultView, ShownResult
from wrkparse.analysis.stats.arrays import Floats
from wrkparse.analysis.wording import name_of

IntervalKind = Literal["t", "profile", "none"]
Errors = Literal["absolute", "relative"]
_NAMES = ("lambda", "sigma", "kappa")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class UslFit(ShownResult):
    """One law fitted to throughput `x` at `n`.

    ``lambda_`` has the unit of `x`; ``sigma`` and ``kappa`` have none, and are exactly 0 if the law fixes them.
    ``peak`` is the N of the highest throughput, None if the data do not show a peak. ``interval`` is the kind of the
    intervals: ``t``, ``profile``, or ``none`` (as many points as coefficients). ``residuals`` are x - fitted, ``r2`` is
    1 - Σ residual² / Σ(x - mean)², ``residual_se`` is √(RSS / dof), where RSS is the minimised sum. With relative
    ``errors`` it is a ratio.

    ``supported`` is the simplest law that no other law improves on significantly, by an F test at ``1 - confidence``
    (None for fewer than four points, and if it is ``too_coarse``: if the printed digits alone could make another law do
    as well). ``covariance`` is that of the free coefficients (None unless the intervals are ``t``). ``reach`` is half
    the width of an interval in standard errors: Student's t, and more where the printed digits add to it.

    ``aicc`` has the AICc of each law that the points determine (C. M. Hurvich, C.-L. Tsai, *Biometrika* 76, 1989); NaN
    if there are too few points (the USL needs six). With few points, AICc needs far more evidence than an interval of
    95 % does, so it can prefer Amdahl's law although throughput clearly falls.
    """

    law: Law
    n: Floats
    x: Floats
    lambda_: Estimate
    sigma: Estimate
    kappa: Estimate
    peak: Estimate | None
    interval: IntervalKind
    covariance: Floats | None
    reach: float
    errors: Errors
    confidence: float
    dof: int
    fitted: Floats
    residuals: Floats
    residual_se: float
    r2: float
    aicc: Mapping[Law, float]
    supported: Law | None
    too_coarse: bool

    def exhibit(self) -> ResultView:
        """The law, its coefficients with their intervals, and what supports it."""
        known = [("lambda", self.lambda_), ("sigma", self.sigma), ("kappa", self.kappa)]
        known += [("peak at N", self.peak)] if self.peak else []
        rows = [
            {"coefficient": name, "value": estimate.value, "lo": estimate.lo, "hi": estimate.hi}
            for name, estimate in known
        ]
        supported = f", supported: {name_of(self.supported)}" if self.supported else ""
        summary = f"{name_of(self.law)} fitted to {len(self.n)} points, R² {self.r2:.4f}{supported}"
        return ResultView(summary, {f"{100 * self.confidence:g} % intervals": pd.DataFrame(rows)})

    @property
    def at_bound(self) -> tuple[str, ...]:
        """The names of the coefficients that are at their bound 0."""
        estimates = (self.lambda_, self.sigma, self.kappa)
        return tuple(name for name, estimate in zip(_NAMES, estimates, strict=True) if estimate.at_bound)

    def predict(self, n: ArrayLike) -> Floats:
        """The fitted throughput at `n`; NaN outside the measured range, where the law is only a guess."""
        at = np.asarray(n, dtype=float)
        curve = throughput(at, self.lambda_.value, self.sigma.value, self.kappa.value)
        return np.where((at >= self.n.min()) & (at <= self.n.max()), curve, np.nan)

    def band(self, n: ArrayLike) -> tuple[Floats, Floats]:
        """The pointwise confidence band of the fitted throughput at each of `n`, by the delta method.

        x ± reach·√(gᵀCg), where g is the gradient of x by the coefficients and C their covariance (Bates and Watts,
        section 2.3.2). NaN outside the measured range, and without a covariance.
        """
        at, fitted = np.asarray(n, dtype=float), self.predict(n)
        if self.covariance is None:
            return np.full_like(fitted, np.nan), np.full_like(fitted, np.nan)
        slopes = gradient(at, self.lambda_.value, fitted)[:, : len(self.covariance)]
        variance = np.einsum("ij,jk,ik->i", slopes, self.covariance, slopes)
        half = self.reach * np.sqrt(variance)
        return np.maximum(fitted - half, 0.0), fitted + half


def fit_usl(
    n: ArrayLike, x: ArrayLike, *, errors: Errors = "absolute", confidence: float = 0.95, resolution: ArrayLike = 0.0
) -> UslFit:
    """Fit the Universal Scalability Law by nonlinear least squares.

    Each pair of `n` and `x` is one observation; N = 1 need not be among them. `errors` are ``absolute``, of the same
    size at every N (the residuals are x - fitted, as in published fits), or ``relative``, in proportion to x (the
    residuals are (x - fitted) / x). The intervals are only valid if that is true.

    If no coefficient is at its bound, the intervals are estimate ± t·se with n - 3 degrees of freedom and se from the
    Jacobian (D. M. Bates, D. G. Watts, *Nonlinear Regression Analysis*, Wiley 1988, section 2.3), cut at 0. If one is,
    that approximation fails, and all intervals are profile intervals: the values for which the residual sum of squares,
    minimised over the other coefficients within their bounds, stays below RSS·(1 + t²/(n - 3)) (section 6.1 there). The
    peak √((1 - σ)/κ) is given if κ's interval excludes 0 and the data support the USL. Its interval is computed by the
    delta method on log N, or as a profile.

    `resolution` is half the last printed digit of `x`, one number or one for each (NaN counts as 0): the intervals hold
    whatever the true numbers are (see `Intervals.reach`; to first order for t intervals and relative errors).

    Raises ValueError for fewer than three different N, for values that are not finite and positive, and if the best fit
    has an infinite λ (throughput falls, and none was measured at small N).
    """
    return fit_law("usl", n, x, errors=errors, confidence=confidence, resolution=resolution)


def fit_amdahl(
    n: ArrayLike, x: ArrayLike, *, errors: Errors = "absolute", confidence: float = 0.95, resolution: ArrayLike = 0.0
) -> UslFit:
    """Fit Amdahl's law X(N) = λN / (1 + σ(N-1)), as `fit_usl`, with n - 2 degrees of freedom; two different N do."""
    return fit_law("amdahl", n, x, errors=errors, confidence=confidence, resolution=resolution)


def fit_law(
    law: Law, n: ArrayLike, x: ArrayLike, *, errors: Errors = "absolute", confidence: float = 0.95,
    resolution: ArrayLike = 0.0,
) -> UslFit:  # fmt: skip
    """Fit one of `LAWS`, as `fit_usl` describes."""
    (fit,) = fit_laws([law], n, x, errors=errors, confidence=confidence, resolution=resolution)
    return fit


def fit_laws(
    laws: Sequence[Law], n: ArrayLike, x: ArrayLike, *, errors: Errors = "absolute", confidence: float = 0.95,
    resolution: ArrayLike = 0.0,
) -> list[UslFit]:  # fmt: skip
    """Fit some of `LAWS`, as `fit_usl` describes. To fit them one by one gives the same and takes longer."""
    at, measured = _checked(laws, n, x)
    digits = np.broadcast_to(np.nan_to_num(np.asarray(resolution, dtype=float)), measured.shape)
    problem = LeastSquares(at, measured, np.ones_like(measured) if errors == "absolute" else 1 / measured)
    # All laws that the points determine, even if one is wanted: the F test and the AICc compare it with the others.
    minima = {law: problem.coefficients(law) for law in LAWS if _determined(law, at)}
    return [_fit(law, problem, minima, errors, confidence, digits) for law in laws]


def _fit(
    law: Law, problem: LeastSquares, minima: Mapping[Law, tuple[tuple[float, float, float], float]], errors: Errors,
    confidence: float, digits: Floats,
) -> UslFit:  # fmt: skip
    """One of the fits of a problem; `minima` are the coefficients of each law and its residual sum of squares."""
    at, measured = problem.n, problem.x
    values, rss = minima[law]
    if np.isinf(values[0]):
        raise ValueError("the best fit is that of a λ without limit: measure at smaller N")
    sums = {other: total for other, (_, total) in minima.items()}
    dof = len(at) - COEFFICIENTS[law]
    # At its bound 0, an estimate is not normally distributed, so t intervals would be wrong there.
    interval: IntervalKind = "none" if dof == 0 else "t" if all(values[: COEFFICIENTS[law]]) else "profile"
    rounding = math.sqrt(float(np.sum((problem.weight * digits) ** 2)))
    quantile = float(special.stdtrit(dof, (1 + confidence) / 2)) if dof else math.nan
    intervals = Intervals(law, problem, values, rss, quantile, rounding)
    estimates, peak = _estimates(interval, intervals)
    supported = _supported(sums, len(at), confidence)
    # If other numbers that print alike support another law, the digits decide, not the servers.
    too_coarse = supported != _supported(sums, len(at), confidence, rounding)
    supported = None if too_coarse else supported
    fitted = throughput(at, *values)
    residuals = measured - fitted
    spread = float(np.sum((measured - measured.mean()) ** 2))
    return UslFit(
        law=law, n=at, x=measured, lambda_=estimates[0], sigma=estimates[1], kappa=estimates[2],
        peak=peak if supported == "usl" else None, interval=interval,
        covariance=covariance_of(law, problem, values, rss) if interval == "t" else None,
        reach=intervals.reach, errors=errors, confidence=confidence, dof=dof, fitted=fitted, residuals=residuals,
        residual_se=float(np.sqrt(rss / dof)) if dof else np.nan,
        r2=1 - float(np.sum(residuals**2)) / spread if spread else np.nan,
        aicc={other: _aicc(total, len(at), COEFFICIENTS[other]) for other, total in sums.items()},
        supported=supported, too_coarse=too_coarse,
    )  # fmt: skip


def _estimates(interval: IntervalKind, intervals: Intervals) -> tuple[list[Estimate], Estimate | None]:
    """λ, σ, κ and the peak, with their intervals."""
    estimates, peak = [Estimate(value) for value in intervals.coefficients], None
    if interval != "none":
        estimates, peak = intervals.wald() if interval == "t" else intervals.profiles()
    return [_with_bound(intervals.law, position, estimate) for position, estimate in enumerate(estimates)], peak


def _checked(laws: Sequence[Law], n: ArrayLike, x: ArrayLike) -> tuple[Floats, Floats]:
    at, measured = np.asarray(n, dtype=float), np.asarray(x, dtype=float)
    if at.ndim != 1 or at.shape != measured.shape:
        raise ValueError("n and x must be two sequences of one length")
    if not (np.isfinite(at).all() and np.isfinite(measured).all() and (at >= 1).all() and (measured > 0).all()):
        raise ValueError("n must be 1 or more and x above 0, all finite")
    needed = max(COEFFICIENTS[law] for law in laws)
    if len(np.unique(at)) < needed:
        raise ValueError(f"{needed} coefficients need {needed} different N, and there are {len(np.unique(at))}")
    return at, measured


def _determined(law: Law, n: Floats) -> bool:
    return len(np.unique(n)) >= COEFFICIENTS[law]


def _with_bound(law: Law, position: int, estimate: Estimate) -> Estimate:
    """The estimate of a coefficient by its position. One that the law fixes at 0 has no uncertainty."""
    if position >= COEFFICIENTS[law]:
        return Estimate(0.0, 0.0, 0.0, 0.0)
    return Estimate(estimate.value, estimate.lo, estimate.hi, estimate.se, at_bound=estimate.value == 0)


def _supported(rss: Mapping[Law, float], count: int, confidence: float, rounding: float = 0.0) -> Law | None:
    """The simplest law that none of the following improves on, by the extra-sum-of-squares F test.

    Bates and Watts, section 3.10. With `rounding` (see `Intervals`), a law improves on another only if it does so for
    all numbers that could have been printed so.
    """
    # The USL goes through any three points, which leaves no residual to test with.
    if "usl" not in rss or count <= COEFFICIENTS["usl"]:
        return None

    def improves(simple: Law, full: Law) -> bool:
        extra, dof = COEFFICIENTS[full] - COEFFICIENTS[simple], count - COEFFICIENTS[full]
        # the sums of squares for which the full law improves the least
        least = max(math.sqrt(rss[simple]) - rounding, 0.0) ** 2
        most = (math.sqrt(rss[full]) + rounding) ** 2
        # The divisor is above 0: `LeastSquares.minimise` gives at least the rounding errors of an exact fit.
        ratio = (least - most) / extra / (most / dof)
        return bool(special.fdtrc(extra, dof, ratio) < 1 - confidence)

    # No law follows the USL, so one is always found.
    return next(
        law for position, law in enumerate(LAWS) if not any(improves(law, full) for full in LAWS[position + 1 :])
    )


def _aicc(rss: float, count: int, coefficients: int) -> float:
    """n·ln(RSS/n) + 2k + 2k(k+1)/(n-k-1), where k includes the variance of the errors; NaN unless n > k + 1."""
    k = coefficients + 1
    if count <= k + 1:
        return np.nan
    return float(count * np.log(rss / count) + 2 * k + 2 * k * (k + 1) / (count - k - 1))

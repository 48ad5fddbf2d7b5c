"""Laws of scalability fitted to throughput: arrays in, numbers out.

The Universal Scalability Law is X(N) = λN / (1 + σ(N−1) + κN(N−1)) with σ, κ ≥ 0 (N. J. Gunther, *Guerrilla Capacity
Planning*, Springer 2007, chapter 4): λ is the throughput of one, σ contention (the share that is done one at a time), κ
coherency (the cost of each pair that must agree). κ = 0 makes it Amdahl's law, σ = κ = 0 linear scaling.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special
from scipy.optimize import brentq, nnls

Floats = NDArray[np.float64]
Law = Literal["linear", "amdahl", "usl"]
Interval = Literal["t", "profile", "none"]
Errors = Literal["absolute", "relative"]
LAWS: tuple[Law, ...] = ("linear", "amdahl", "usl")  # each is a case of the next
_COEFFICIENTS: Mapping[Law, int] = {"linear": 1, "amdahl": 2, "usl": 3}
_ROUNDING = 8 * float(np.finfo(float).eps)  # relative; what is smaller is no number but an error of arithmetic
_NAMES = ("lambda", "sigma", "kappa")


@dataclass(frozen=True, slots=True)
class Estimate:
    """A coefficient: value, limits of its interval, standard error (NaN: none), and whether it lies at its bound 0."""

    value: float
    lo: float = np.nan
    hi: float = np.nan
    se: float = np.nan
    at_bound: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class UslFit:
    """One law fitted to throughput `x` at `n`.

    ``lambda_`` has the unit of `x`; ``sigma`` and ``kappa`` have none, and are exactly 0 where the law fixes them.
    ``peak`` is the N of the highest throughput, None where the data do not show that there is one. ``interval`` says
    what the intervals are: ``t``, ``profile``, or ``none`` (as many points as coefficients). ``residuals`` are
    x − fitted, ``r2`` is 1 − Σ residual² / Σ(x − mean)², ``residual_se`` is √(RSS / dof), where RSS sums what was
    minimised: with relative ``errors`` it is a ratio.

    ``supported`` is the simplest law that no further one improves on by an F test at ``1 − confidence`` (None: fewer
    than four points). ``covariance`` is that of the coefficients that are free (None unless the intervals are ``t``).
    ``aicc`` has the AICc of each law that the points determine (C. M. Hurvich, C.-L. Tsai,
    *Biometrika* 76, 1989; NaN: too few points, the USL needs six). With few points AICc asks for far more evidence than
    an interval of 95 % does, so it can prefer Amdahl's law where throughput plainly falls.
    """

    law: Law
    n: Floats
    x: Floats
    lambda_: Estimate
    sigma: Estimate
    kappa: Estimate
    peak: Estimate | None
    interval: Interval
    covariance: Floats | None
    errors: Errors
    confidence: float
    dof: int
    fitted: Floats
    residuals: Floats
    residual_se: float
    r2: float
    aicc: Mapping[Law, float]
    supported: Law | None

    @property
    def at_bound(self) -> tuple[str, ...]:
        """Names of the coefficients that lie at their bound 0."""
        estimates = (self.lambda_, self.sigma, self.kappa)
        return tuple(name for name, estimate in zip(_NAMES, estimates, strict=True) if estimate.at_bound)

    def predict(self, n: ArrayLike) -> Floats:
        """The fitted throughput at `n`; NaN outside of the N that were measured, for there the law is a guess."""
        at = np.asarray(n, dtype=float)
        curve = _throughput(at, self.lambda_.value, self.sigma.value, self.kappa.value)
        return np.where((at >= self.n.min()) & (at <= self.n.max()), curve, np.nan)

    def band(self, n: ArrayLike) -> tuple[Floats, Floats]:
        """Limits of the fitted throughput at each of `n`, pointwise, by the delta method.

        x ± t·√(gᵀCg) with g the gradient of x in the coefficients and C their covariance (Bates and Watts, section
        2.3.2). NaN outside of the N that were measured, and where there is no covariance.
        """
        at, fitted = np.asarray(n, dtype=float), self.predict(n)
        if self.covariance is None:
            return np.full_like(fitted, np.nan), np.full_like(fitted, np.nan)
        gradient = _gradient(at, self.lambda_.value, fitted)[:, : len(self.covariance)]
        variance = np.einsum("ij,jk,ik->i", gradient, self.covariance, gradient)
        half = special.stdtrit(self.dof, (1 + self.confidence) / 2) * np.sqrt(variance)
        return np.maximum(fitted - half, 0.0), fitted + half


def fit_usl(n: ArrayLike, x: ArrayLike, *, errors: Errors = "absolute", confidence: float = 0.95) -> UslFit:
    """The Universal Scalability Law by nonlinear least squares.

    Each pair of `n` and `x` is one observation; N = 1 need not be among them. `errors` are taken to be of one size at
    every N (``absolute``: the residuals are x − fitted, as in published fits) or in proportion to x (``relative``: the
    residuals are (x − fitted)/x); intervals are right for those only. Where no coefficient is at its bound, the
    intervals are estimate ± t·se with n − 3 degrees of freedom and se from the Jacobian (D. M. Bates, D. G. Watts,
    *Nonlinear Regression Analysis*, Wiley 1988, section 2.3), cut at 0. Where one is, that is no approximation, and all
    are profile intervals: the values for which the residual sum of squares, minimal over the other coefficients within
    their bounds, stays below RSS·(1 + t²/(n − 3)) (the same, section 6.1). The peak √((1 − σ)/κ) is given where κ's
    interval excludes 0 and the data support the USL; its interval is by the delta method on log N, or a profile.

    Raises ValueError for fewer than three different N, for values that are not finite and positive, and where the best
    fit is that of a λ without limit (throughput falls, and none was measured at small N).
    """
    return fit_law("usl", n, x, errors=errors, confidence=confidence)


def fit_amdahl(n: ArrayLike, x: ArrayLike, *, errors: Errors = "absolute", confidence: float = 0.95) -> UslFit:
    """Amdahl's law X(N) = λN / (1 + σ(N−1)), as `fit_usl` with n − 2 degrees of freedom. Two different N do."""
    return fit_law("amdahl", n, x, errors=errors, confidence=confidence)


def fit_law(law: Law, n: ArrayLike, x: ArrayLike, *, errors: Errors = "absolute", confidence: float = 0.95) -> UslFit:
    """One of `LAWS`, as `fit_usl` describes."""
    at, measured = _checked(law, n, x)
    data = _Data(at, measured, np.ones_like(measured) if errors == "absolute" else 1 / measured)
    values, rss = data.coefficients(law)
    if np.isinf(values[0]):
        raise ValueError("the best fit is that of a λ without limit: measure at smaller N")
    sums = {other: data.coefficients(other)[1] for other in LAWS if _determined(other, at)}
    dof = len(at) - _COEFFICIENTS[law]
    interval: Interval = "none" if dof == 0 else "t" if all(values[: _COEFFICIENTS[law]]) else "profile"
    estimates, peak = _estimates(interval, law, data, values, rss, confidence)
    supported = _supported(sums, len(at), confidence)
    fitted = _throughput(at, *values)
    residuals = measured - fitted
    spread = float(np.sum((measured - measured.mean()) ** 2))
    return UslFit(
        law=law, n=at, x=measured, lambda_=estimates[0], sigma=estimates[1], kappa=estimates[2],
        peak=peak if supported == "usl" else None, interval=interval,
        covariance=_covariance(law, data, values, rss) if interval == "t" else None,
        errors=errors, confidence=confidence, dof=dof, fitted=fitted, residuals=residuals,
        residual_se=float(np.sqrt(rss / dof)) if dof else np.nan,
        r2=1 - float(np.sum(residuals**2)) / spread if spread else np.nan,
        aicc={other: _aicc(total, len(at), _COEFFICIENTS[other]) for other, total in sums.items()},
        supported=supported,
    )  # fmt: skip


def _estimates(
    interval: Interval, law: Law, data: _Data, values: tuple[float, float, float], rss: float, confidence: float
) -> tuple[list[Estimate], Estimate | None]:
    """λ, σ, κ and the peak, with their intervals."""
    estimates, peak = [Estimate(value) for value in values], None
    if interval != "none":
        t = float(special.stdtrit(len(data.n) - _COEFFICIENTS[law], (1 + confidence) / 2))
        problem = _Intervals(law, data, values, rss, t)
        estimates, peak = problem.wald() if interval == "t" else problem.profiles()
    return [_bounded(law, place, estimate) for place, estimate in enumerate(estimates)], peak


def _checked(law: Law, n: ArrayLike, x: ArrayLike) -> tuple[Floats, Floats]:
    at, measured = np.asarray(n, dtype=float), np.asarray(x, dtype=float)
    if at.ndim != 1 or at.shape != measured.shape:
        raise ValueError("n and x must be two sequences of one length")
    if not (np.isfinite(at).all() and np.isfinite(measured).all() and (at >= 1).all() and (measured > 0).all()):
        raise ValueError("n must be 1 or more and x above 0, all finite")
    if not _determined(law, at):
        needed = _COEFFICIENTS[law]
        raise ValueError(f"{needed} coefficients need {needed} different N, and there are {len(np.unique(at))}")
    return at, measured


def _determined(law: Law, n: Floats) -> bool:
    return len(np.unique(n)) >= _COEFFICIENTS[law]


def _bounded(law: Law, place: int, estimate: Estimate) -> Estimate:
    """What the law fixes at 0 has no uncertainty; what the data put there is at its bound."""
    if place >= _COEFFICIENTS[law]:
        return Estimate(0.0, 0.0, 0.0, 0.0)
    return Estimate(estimate.value, estimate.lo, estimate.hi, estimate.se, at_bound=estimate.value == 0)


def _throughput(n: Floats, scale: float, sigma: float, kappa: float) -> Floats:
    return scale * n / (1 + sigma * (n - 1) + kappa * n * (n - 1))


def _columns(law: Law, n: Floats) -> Floats:
    """The law is n/X = (1 + σ(N−1) + κN(N−1))/λ: linear in 1/λ, σ/λ, κ/λ, and these are its columns."""
    return np.column_stack([np.ones_like(n), n - 1, n * (n - 1)])[:, : _COEFFICIENTS[law]]


@dataclass(frozen=True, slots=True, eq=False)
class _Data:
    """What is fitted; residuals are multiplied by `weight`."""

    n: Floats
    x: Floats
    weight: Floats

    def coefficients(self, law: Law) -> tuple[tuple[float, float, float], float]:
        """(λ, σ, κ), and the residual sum of squares."""
        inverse, rss = self.descend(_columns(law, self.n), tries=3)
        one, contention, coherency = (float(c) for c in [*inverse, 0.0, 0.0][:3])
        if one == 0:
            return (np.inf, np.inf, np.inf), rss
        return (1 / one, contention / one, coherency / one), rss

    def descend(self, columns: Floats, offset: float = 0.0, tries: int = 1) -> tuple[Floats, float]:
        """Minimise Σ weight²·(x − n/(offset + columns·c))² over c ≥ 0: the c, and the sum.

        Gauss-Newton in which each step is a non-negative least squares problem, which puts a coefficient exactly at its
        bound. It starts from the best `tries` of three fits of n/x itself, weighted as for absolute, relative and no
        errors in x. The sum is not below what rounding leaves of an exact fit.
        """
        n, x = self.n * self.weight, self.x * self.weight
        size = np.linalg.norm(columns, axis=0)
        scaled = columns / size
        starts = [nnls(scaled * w[:, None], w * (n / x - offset))[0] for w in (x**2 / n, x / n, np.ones_like(x))]
        starts.sort(key=lambda start: _squares(start, scaled, n, x, offset))
        found = [_gauss_newton(scaled, n, x, offset, start) for start in starts[:tries]]
        best, rss = min(found, key=itemgetter(1))
        with np.errstate(invalid="ignore"):
            share = scaled * best / (offset + scaled @ best)[:, None]
        best[share.max(axis=0) < _ROUNDING] = 0.0
        return best / size, max(rss, len(x) * (_ROUNDING * float(x.max())) ** 2)


def _squares(c: Floats, columns: Floats, n: Floats, x: Floats, offset: float) -> float:
    with np.errstate(divide="ignore"):
        return float(np.sum((x - n / (offset + columns @ c)) ** 2))


def _gauss_newton(columns: Floats, n: Floats, x: Floats, offset: float, start: Floats) -> tuple[Floats, float]:
    here, rss = start, _squares(start, columns, n, x, offset)
    if not np.isfinite(rss):
        return here, np.inf
    for _ in range(200):
        fitted = n / (offset + columns @ here)
        slope = columns * (fitted**2 / n)[:, None]
        there = nnls(slope, slope @ here - (x - fitted))[0]
        halvings = 0
        while (now := _squares(there, columns, n, x, offset)) > rss * (1 + 1e-12) and halvings < 40:
            there, halvings = (here + there) / 2, halvings + 1
        if halvings == 40:
            break
        moved = np.abs(there - here).max()
        here, rss = there, now
        if moved <= 1e-14 * here.max():
            break
    return here, rss


def _supported(rss: Mapping[Law, float], count: int, confidence: float) -> Law | None:
    """The simplest law that no further one improves on by the extra-sum-of-squares F test (Bates and Watts, 3.10)."""
    if "usl" not in rss or count <= _COEFFICIENTS["usl"]:
        return None

    def improves(on: Law, by: Law) -> bool:
        extra, dof = _COEFFICIENTS[by] - _COEFFICIENTS[on], count - _COEFFICIENTS[by]
        ratio = (rss[on] - rss[by]) / extra / (rss[by] / dof)
        return bool(special.fdtrc(extra, dof, ratio) < 1 - confidence)

    return next(law for place, law in enumerate(LAWS) if not any(improves(law, by) for by in LAWS[place + 1 :]))


def _aicc(rss: float, count: int, coefficients: int) -> float:
    """n·ln(RSS/n) + 2k + 2k(k+1)/(n−k−1), where k counts the error's variance too; NaN unless n > k + 1."""
    k = coefficients + 1
    if count <= k + 1:
        return np.nan
    return float(count * np.log(rss / count) + 2 * k + 2 * k * (k + 1) / (count - k - 1))


@dataclass(frozen=True, slots=True, eq=False)
class _Intervals:
    """Intervals of one fit: `t` is the quantile at its degrees of freedom."""

    law: Law
    data: _Data
    values: tuple[float, float, float]
    rss: float
    t: float

    def wald(self) -> tuple[list[Estimate], Estimate | None]:
        """Estimate ± t·se."""
        covariance = _covariance(self.law, self.data, self.values, self.rss)
        errors = [*np.sqrt(np.diag(covariance)), 0.0, 0.0]
        estimates = [
            Estimate(value, max(value - self.t * se, 0.0), value + self.t * se, se)
            for value, se in zip(self.values, map(float, errors[:3]), strict=True)
        ]
        if self.law != "usl" or not self._peaks(estimates[2]):
            return estimates, None
        _, sigma, kappa = self.values
        gradient = np.array([0, -0.5 / (1 - sigma), -0.5 / kappa])  # of log √((1 − σ)/κ)
        return estimates, _times(math.sqrt((1 - sigma) / kappa), self.t, math.sqrt(gradient @ covariance @ gradient))

    def profiles(self) -> tuple[list[Estimate], Estimate | None]:
        """The values that leave the residual sum of squares small enough."""
        steps = [*np.sqrt(np.diag(_covariance(self.law, self.data, self.values, self.rss))), 0.0, 0.0]
        fixed: Sequence[Callable[[float], tuple[Floats, float]]] = (self._fix_lambda, self._fix_sigma, self._fix_kappa)
        estimates = [
            self._limits(value, step, fix) if place < _COEFFICIENTS[self.law] else Estimate(0.0)
            for place, (value, step, fix) in enumerate(zip(self.values, steps[:3], fixed, strict=True))
        ]
        if self.law != "usl" or not self._peaks(estimates[2]):
            return estimates, None
        peak = math.sqrt((1 - self.values[1]) / self.values[2])
        return estimates, self._limits(peak, peak / 10, self._fix_peak)

    def _peaks(self, kappa: Estimate) -> bool:
        """Whether the data show that throughput rises, from N = 1 on, and then falls."""
        return kappa.lo > 0 and self.values[1] + self.values[2] < 1

    def _limits(self, value: float, step: float, fix: Callable[[float], tuple[Floats, float]]) -> Estimate:
        threshold = self.rss * (1 + self.t**2 / (len(self.data.n) - _COEFFICIENTS[self.law]))

        def excess(at: float) -> float:
            columns, offset = fix(at)
            return self.data.descend(columns, offset)[1] - threshold

        return Estimate(value, _crossing(excess, value, -step), _crossing(excess, value, step))

    # Where one coefficient is fixed, the law is still linear in what is left: its columns, and a constant.

    def _fix_lambda(self, scale: float) -> tuple[Floats, float]:
        return _columns(self.law, self.data.n)[:, 1:], 1 / scale

    def _fix_sigma(self, sigma: float) -> tuple[Floats, float]:
        one, contention, *coherency = _columns(self.law, self.data.n).T
        return np.column_stack([one + sigma * contention, *coherency]), 0.0

    def _fix_kappa(self, kappa: float) -> tuple[Floats, float]:
        one, contention, coherency = _columns(self.law, self.data.n).T
        return np.column_stack([one + kappa * coherency, contention]), 0.0

    def _fix_peak(self, peak: float) -> tuple[Floats, float]:
        """κ = (1 − σ)/peak²: n/X = ((1 − σ)/λ)·(1 + N(N−1)/peak²) + (σ/λ)·N, neither below 0."""
        n = self.data.n
        return np.column_stack([1 + n * (n - 1) / peak**2, n]), 0.0


def _covariance(law: Law, data: _Data, values: tuple[float, float, float], rss: float) -> Floats:
    """Of the coefficients that the law leaves free."""
    jacobian = _gradient(data.n, values[0], _throughput(data.n, *values))
    jacobian = (jacobian * data.weight[:, None])[:, : _COEFFICIENTS[law]]
    size = np.linalg.norm(jacobian, axis=0)
    inverse = np.linalg.inv(np.linalg.qr(jacobian / size, mode="r"))
    variance = rss / (len(data.n) - _COEFFICIENTS[law])
    covariance: Floats = variance * (inverse @ inverse.T) / np.outer(size, size)
    return covariance


def _gradient(n: Floats, scale: float, fitted: Floats) -> Floats:
    """∂X/∂λ, ∂X/∂σ and ∂X/∂κ at each N, where X is `fitted` and λ is `scale`."""
    slope = fitted / scale
    return np.column_stack([slope, -fitted * slope * (n - 1) / n, -fitted * slope * (n - 1)])


def _times(value: float, t: float, se: float) -> Estimate:
    """A positive quantity whose logarithm has this standard error."""
    factor = math.exp(t * se)
    return Estimate(value, value / factor, value * factor, value * se)


def _crossing(excess: Callable[[float], float], start: float, step: float) -> float:
    """Where `excess` becomes positive on the way from `start`: 0 if not before 0, infinity if never."""
    inside = start
    for doubling in range(60):
        outside = start + step * 2**doubling
        if outside <= 0:
            outside = 1e-12 * start
            if start == 0 or excess(outside) <= 0:
                return 0.0
            return float(brentq(excess, outside, inside, xtol=1e-12 * start, rtol=1e-7))
        if excess(outside) > 0:
            return float(brentq(excess, inside, outside, xtol=1e-12 * abs(step), rtol=1e-7))
        inside = outside
    return np.inf

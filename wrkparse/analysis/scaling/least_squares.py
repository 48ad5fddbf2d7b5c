"""The least squares problem of a scalability law: coefficients that minimise the residuals, and their covariance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import Literal

import numpy as np

from wrkparse.analysis.stats.arrays import Floats

Law = Literal["linear", "amdahl", "usl"]
LAWS: tuple[Law, ...] = ("linear", "amdahl", "usl")  # each is a special case of the next
# λ; λ and σ; λ, σ and κ
COEFFICIENTS: Mapping[Law, int] = {"linear": 1, "amdahl": 2, "usl": 3}
_ROUNDING = 8 * float(np.finfo(float).eps)  # relative; anything smaller may be rounding errors of a few operations
_MOST_STEPS, _MOST_HALVINGS = 200, 40  # 2^-40 of a Gauss-Newton step is about 1e-12 of it, and hardly changes the sum


def throughput(n: Floats, scale: float, sigma: float, kappa: float) -> Floats:
    """X(N) of the Universal Scalability Law at each of `n`; `scale` is λ."""
    return scale * n / (1 + sigma * (n - 1) + kappa * n * (n - 1))


def linear_columns(law: Law, n: Floats) -> Floats:
    """The columns of the linear form n/X = (1 + σ(N-1) + κN(N-1))/λ, by 1/λ, σ/λ and κ/λ."""
    return np.column_stack([np.ones_like(n), n - 1, n * (n - 1)])[:, : COEFFICIENTS[law]]


@dataclass(frozen=True, slots=True, eq=False)
class LeastSquares:
    """The weighted least squares problem of a fit; residuals are multiplied by `weight`."""

    n: Floats
    x: Floats
    weight: Floats

    def coefficients(self, law: Law) -> tuple[tuple[float, float, float], float]:
        """(λ, σ, κ), and the residual sum of squares."""
        # The sum may have several local minima: of 1,500 curves of random rates with relative errors, the best start
        # alone misses the smallest one in 8 %. Profiles, which minimise dozens of times, try only that start.
        inverse, rss = self.minimise(linear_columns(law, self.n), tries=3)
        one, contention, coherency = (float(c) for c in [*inverse, 0.0, 0.0][:3])
        if one == 0:
            return (np.inf, np.inf, np.inf), rss
        return (1 / one, contention / one, coherency / one), rss

    def minimise(self, columns: Floats, offset: float = 0.0, tries: int = 1) -> tuple[Floats, float]:
        """The c ≥ 0 that minimises Σ weight²·(x - n/(offset + columns·c))², and that sum.

        The method is Gauss-Newton. Each step is a non-negative least squares problem, which puts a coefficient exactly
        at its bound. It starts from the best `tries` of three linear fits of n/x, weighted for absolute, relative and
        no errors in x. The sum is never smaller than the rounding errors of an exact fit.
        """
        n, x = self.n * self.weight, self.x * self.weight
        # Of N = 64, the columns 1 and N(N-1) differ by a factor of 4,000: columns of one length keep the digits.
        size = np.linalg.norm(columns, axis=0)
        scaled = columns / size
        # An error δ of x moves n/x by (n/x²)·δ: the weights x²/n turn that back into δ, and x/n into δ/x.
        starts = [_nnls(scaled * w[:, None], w * (n / x - offset)) for w in (x**2 / n, x / n, np.ones_like(x))]
        with np.errstate(divide="ignore"):  # of a start without any coefficient, the sum is infinite
            starts.sort(key=lambda start: _residual_sum(start, scaled, n, x, offset))
            minima = [_gauss_newton(scaled, n, x, offset, start) for start in starts[:tries]]
        best, rss = min(minima, key=itemgetter(1))
        with np.errstate(invalid="ignore"):
            # A coefficient that changes no fitted rate by more than rounding errors is at its bound.
            share = scaled * best / (offset + scaled @ best)[:, None]
        best[share.max(axis=0) < _ROUNDING] = 0.0
        return best / size, max(rss, len(x) * (_ROUNDING * float(x.max())) ** 2)


def _residual_sum(c: Floats, columns: Floats, n: Floats, x: Floats, offset: float) -> float:
    return float(np.sum((x - n / (offset + columns @ c)) ** 2))


def _nnls(columns: Floats, wanted: Floats) -> Floats:
    from scipy.optimize import nnls  # takes as long to import as a small report to analyse

    solution: Floats = nnls(columns, wanted)[0]
    return solution


def _gauss_newton(columns: Floats, n: Floats, x: Floats, offset: float, start: Floats) -> tuple[Floats, float]:
    """The coefficients that are reached from `start`, and their residual sum of squares."""
    here, rss = start, _residual_sum(start, columns, n, x, offset)
    if not np.isfinite(rss):
        return here, np.inf
    for _ in range(_MOST_STEPS):
        fitted = n / (offset + columns @ here)
        slope = columns * (fitted**2 / n)[:, None]
        # The tangent of the fitted rates, -slope·(c - here), is fitted to the residuals, with c ≥ 0.
        target = _nnls(slope, slope @ here - (x - fitted))
        halvings = 0
        # A step goes too far where the law bends: it is halved until the sum is no larger, up to rounding errors.
        while (target_rss := _residual_sum(target, columns, n, x, offset)) > rss * (
            1 + 1e-12
        ) and halvings < _MOST_HALVINGS:
            target, halvings = (here + target) / 2, halvings + 1
        # Not even a tiny step makes the sum smaller: this is the minimum, up to rounding.
        if halvings == _MOST_HALVINGS:
            break
        moved = np.abs(target - here).max()
        here, rss = target, target_rss
        if moved <= 1e-14 * here.max():
            break
    return here, rss


def covariance_of(law: Law, problem: LeastSquares, values: tuple[float, float, float], rss: float) -> Floats:
    """The covariance of the free coefficients of the law."""
    jacobian = gradient(problem.n, values[0], throughput(problem.n, *values))
    jacobian = (jacobian * problem.weight[:, None])[:, : COEFFICIENTS[law]]
    size = np.linalg.norm(jacobian, axis=0)
    # (JᵀJ)⁻¹ is R⁻¹R⁻ᵀ. JᵀJ itself would square the condition number, and lose half of the digits.
    inverse = np.linalg.inv(np.linalg.qr(jacobian / size, mode="r"))
    variance = rss / (len(problem.n) - COEFFICIENTS[law])
    covariance: Floats = variance * (inverse @ inverse.T) / np.outer(size, size)
    return covariance


def gradient(n: Floats, scale: float, fitted: Floats) -> Floats:
    """∂X/∂λ, ∂X/∂σ and ∂X/∂κ at each N, where X is `fitted` and λ is `scale`."""
    slope = fitted / scale
    return np.column_stack([slope, -fitted * slope * (n - 1) / n, -fitted * slope * (n - 1)])

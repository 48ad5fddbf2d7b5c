"""Intervals of the coefficients of a fitted scalability law: Wald intervals and profiles."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from wrkparse.analysis.scaling.least_squares import COEFFICIENTS, Law, LeastSquares, covariance_of, linear_columns
from wrkparse.analysis.stats.arrays import Floats

_MOST_DOUBLINGS = 60  # of the first step towards the end of an interval, before it counts as unbounded


@dataclass(frozen=True, slots=True)
class Estimate:
    """A coefficient: value, interval, standard error (NaN if there is none), and whether it is at its bound 0."""

    value: float
    lo: float = np.nan
    hi: float = np.nan
    se: float = np.nan
    at_bound: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Intervals:
    """The intervals of one fit; `t` is the quantile of Student's distribution at its degrees of freedom.

    `rounding` is how far the weighted rates may be from the printed ones, as the root of the sum of squares. In a space
    with an axis for each rate, residuals are distances, and no distance from a point changes by more than the point
    moves. So the root of a residual sum of squares changes by `rounding` at most. The intervals hold for all rates that
    could have been printed so.
    """

    law: Law
    problem: LeastSquares
    coefficients: tuple[float, float, float]
    rss: float
    t: float
    rounding: float

    @property
    def reach(self) -> float:
        """Half the width of an interval, in standard errors: t, and what the printed digits add to it.

        With dof degrees of freedom, a coefficient moves by √(dof / RSS)·rounding standard errors at most, and its
        standard error grows by the share rounding / √RSS at most.
        """
        dof = len(self.problem.n) - COEFFICIENTS[self.law]
        return self.t + (self.t + math.sqrt(dof)) * self.rounding / math.sqrt(self.rss)

    def wald(self) -> tuple[list[Estimate], Estimate | None]:
        """Estimate ± reach·se."""
        covariance = covariance_of(self.law, self.problem, self.coefficients, self.rss)
        # Laws with fewer coefficients fix the others at 0, without an error.
        errors = [*np.sqrt(np.diag(covariance)), 0.0, 0.0]
        estimates = [
            Estimate(value, max(value - self.reach * se, 0.0), value + self.reach * se, se)
            for value, se in zip(self.coefficients, map(float, errors[:3]), strict=True)
        ]
        if self.law != "usl" or not self._has_peak(estimates[2]):
            return estimates, None
        _, sigma, kappa = self.coefficients
        # The logarithm keeps the interval of the peak above 0, and is nearer to a normal distribution.
        gradient = np.array([0, -0.5 / (1 - sigma), -0.5 / kappa])  # of log √((1 - σ)/κ)
        return estimates, _log_interval(
            math.sqrt((1 - sigma) / kappa), self.reach, math.sqrt(gradient @ covariance @ gradient)
        )

    def profiles(self) -> tuple[list[Estimate], Estimate | None]:
        """Profile intervals: the values for which the residual sum of squares stays below a threshold."""
        steps = [*np.sqrt(np.diag(covariance_of(self.law, self.problem, self.coefficients, self.rss))), 0.0, 0.0]
        fixed: Sequence[Callable[[float], tuple[Floats, float]]] = (self._fix_lambda, self._fix_sigma, self._fix_kappa)
        estimates = [
            self._profile_interval(value, step, fix) if position < COEFFICIENTS[self.law] else Estimate(0.0)
            for position, (value, step, fix) in enumerate(zip(self.coefficients, steps[:3], fixed, strict=True))
        ]
        if self.law != "usl" or not self._has_peak(estimates[2]):
            return estimates, None
        peak = math.sqrt((1 - self.coefficients[1]) / self.coefficients[2])
        # A tenth is only the first step of the search; where it ends does not depend on it.
        return estimates, self._profile_interval(peak, peak / 10, self._fix_peak)

    def _has_peak(self, kappa: Estimate) -> bool:
        """Whether the data show that throughput rises from N = 1 and then falls."""
        # The peak √((1 - σ)/κ) is above 1 if σ + κ < 1.
        return kappa.lo > 0 and self.coefficients[1] + self.coefficients[2] < 1

    def _profile_interval(self, value: float, step: float, fix: Callable[[float], tuple[Floats, float]]) -> Estimate:
        widening = math.sqrt(1 + self.t**2 / (len(self.problem.n) - COEFFICIENTS[self.law]))
        # √(RSS · (1 + t²/dof)), from the largest minimum that the digits allow, to the nearest sum that they allow.
        threshold = (self.rounding + (math.sqrt(self.rss) + self.rounding) * widening) ** 2

        def excess(at: float) -> float:
            columns, offset = fix(at)
            return self.problem.minimise(columns, offset)[1] - threshold

        return Estimate(value, _crossing(excess, value, -step), _crossing(excess, value, step))

    # With one coefficient fixed, the law is still linear in the others. Each method returns its columns and a constant.

    def _fix_lambda(self, scale: float) -> tuple[Floats, float]:
        # The first column is 1, so 1/λ is the constant.
        return linear_columns(self.law, self.problem.n)[:, 1:], 1 / scale

    def _fix_sigma(self, sigma: float) -> tuple[Floats, float]:
        one, contention, *coherency = linear_columns(self.law, self.problem.n).T
        # n/X = (1/λ)·(1 + σ(N-1)) + (κ/λ)·N(N-1): the columns of 1/λ and κ/λ.
        return np.column_stack([one + sigma * contention, *coherency]), 0.0

    def _fix_kappa(self, kappa: float) -> tuple[Floats, float]:
        one, contention, coherency = linear_columns(self.law, self.problem.n).T
        # n/X = (1/λ)·(1 + κN(N-1)) + (σ/λ)·(N-1): the columns of 1/λ and σ/λ.
        return np.column_stack([one + kappa * coherency, contention]), 0.0

    def _fix_peak(self, peak: float) -> tuple[Floats, float]:
        """With κ = (1 - σ)/peak²: n/X = ((1 - σ)/λ)·(1 + N(N-1)/peak²) + (σ/λ)·N, both coefficients ≥ 0."""
        n = self.problem.n
        return np.column_stack([1 + n * (n - 1) / peak**2, n]), 0.0


def _log_interval(value: float, reach: float, se: float) -> Estimate:
    """The interval of a positive number whose logarithm has the standard error `se`."""
    factor = math.exp(reach * se)
    return Estimate(value, value / factor, value * factor, value * se)


def _crossing(excess: Callable[[float], float], start: float, step: float) -> float:
    """Where `excess` becomes positive on the way from `start`; 0 if it does not above 0, infinity if never."""
    from scipy.optimize import brentq  # takes as long to import as a small report to analyse

    inside = start
    for doubling in range(_MOST_DOUBLINGS):
        outside = start + step * 2**doubling
        if outside <= 0:
            # Just above 0, since λ = 0 and a peak at 0 would be divisors.
            outside = 1e-12 * start
            if start == 0 or excess(outside) <= 0:
                return 0.0
            return float(brentq(excess, outside, inside, xtol=1e-12 * start, rtol=1e-7))
        if excess(outside) > 0:
            return float(brentq(excess, inside, outside, xtol=1e-12 * abs(step), rtol=1e-7))
        inside = outside
    return np.inf

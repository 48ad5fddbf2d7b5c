"""Probabilities and quantiles of the normal, Student's, the F and the symmetric binomial distribution.

scipy has them too, but its import takes longer than a comparison. Relative errors are below 1e-10 up to 10,000 degrees
of freedom. The incomplete beta function is that of the *Digital Library of Mathematical Functions*, section 8.17.
"""

from __future__ import annotations

import functools
import math
from statistics import NormalDist

import numpy as np

from wrkparse.analysis.stats.arrays import Floats

_MOST_TERMS = 100_000  # of a continued fraction; it needs about the root of the degrees of freedom
_TINY = 1e-300  # instead of 0 in a denominator
_PRECISION = 1e-15  # relative


def normal_p(z: float) -> float:
    """The probability that a standard normal variable is at least |z| away from 0."""
    return math.erfc(abs(z) / math.sqrt(2))


def normal_quantile(p: float) -> float:
    """The number below which a standard normal variable is with probability p."""
    return NormalDist().inv_cdf(p)


def student_p(t: float, dof: float) -> float:
    """The probability that a variable of Student's distribution is at least |t| away from 0."""
    if math.isinf(t):
        return 0.0
    return _incomplete_beta(dof / 2, 0.5, dof / (dof + t * t), t * t / (dof + t * t))


@functools.lru_cache(maxsize=1024)
def student_quantile(p: float, dof: float) -> float:
    """The number below which a variable of Student's distribution is with probability p, from ½ to 1.

    The tail is convex, and heavier than that of the normal distribution. So Newton's method rises to the quantile from
    the normal one.
    """
    tail = 2 * (1 - p)
    log_scale = math.lgamma((dof + 1) / 2) - math.lgamma(dof / 2) - math.log(math.pi * dof) / 2
    t = normal_quantile(p)
    while True:
        density = math.exp(log_scale - (dof + 1) / 2 * math.log1p(t * t / dof))
        step = (student_p(t, dof) - tail) / (2 * density)
        t += step
        if not step > 1e-12 * t:
            return t


def f_tail(dof1: float, dof2: float, f: float) -> float:
    """The probability that a variable of the F distribution is above f."""
    if math.isinf(f):
        return 0.0
    total = dof2 + dof1 * f
    return 1.0 if f <= 0 else _incomplete_beta(dof2 / 2, dof1 / 2, dof2 / total, dof1 * f / total)


def binomial_tails(n: int) -> Floats:
    """The probabilities of at most 0, 1, 2 … heads among n tosses of a coin, up to one less than half of them."""
    k = np.arange(1, n // 2, dtype=float)
    logs = np.concatenate([np.zeros(min(n // 2, 1)), np.cumsum(np.log((n + 1 - k) / k))])
    tails: Floats = np.cumsum(np.exp(logs - n * math.log(2)))
    return tails


def _incomplete_beta(a: float, b: float, x: float, rest: float) -> float:
    """The regularised incomplete beta function of x; `rest` is 1 - x, more precise than the difference."""
    if math.isnan(x) or min(x, rest) <= 0:
        return x if math.isnan(x) else float(rest <= 0)
    if x > (a + 1) / (a + b + 2):  # the fraction converges below the mean
        return 1 - _incomplete_beta(b, a, rest, x)
    log_scale = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    return math.exp(log_scale + a * math.log(x) + b * math.log(rest)) / a * _fraction(a, b, x)


def _fraction(a: float, b: float, x: float) -> float:
    """The continued fraction 8.17.22, by Lentz's method."""
    value = below = 1.0
    above = math.inf
    for term in range(_MOST_TERMS):
        m = (term + 1) // 2
        if term % 2:
            share = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        else:
            share = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        below = 1 / (1 + share * below or _TINY)
        above = 1 + share / above or _TINY
        value *= above * below
        if abs(above * below - 1) < _PRECISION:
            break
    return value

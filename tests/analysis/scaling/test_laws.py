"""Scalability laws against published fits, scipy's own fit, exact data and simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import curve_fit, least_squares

from wrkparse.analysis.scaling.laws import UslFit, fit_amdahl, fit_law, fit_usl
from wrkparse.analysis.scaling.least_squares import LAWS

# SPEC SDM91 on a Sun SPARCcenter 2000, N. J. Gunther, Guerrilla Capacity Planning (2007); data set specsdm91 of R's usl.
SDM91 = ([1, 18, 36, 72, 108, 144, 216], [64.9, 995.9, 1652.4, 1853.2, 1828.9, 1775.0, 1702.2])
# Ray tracing on a NUMA machine, the same book; data set raytracer of R's usl.
RAYTRACER = ([1, 4, 8, 12, 16, 20, 24, 28, 32, 48, 64], [20, 78, 130, 170, 190, 200, 210, 230, 260, 280, 310])
# B. Schwartz, Practical Scalability Analysis with the Universal Scalability Law: the book's Cisco benchmark.
CISCO = [
    955.16, 1878.91, 2688.01, 3548.68, 4315.54, 5130.43, 5931.37, 6531.08, 7219.8, 7867.61, 8278.71, 8646.7, 9047.84,
    9426.55, 9645.37, 9897.24, 10097.6, 10240.5, 10532.39, 10798.52, 11151.43, 11518.63, 11806, 12089.37, 12075.41,
    12177.29, 12211.41, 12158.93, 12155.27, 12118.04, 12140.4, 12074.39,
]  # fmt: skip


def usl(n: np.ndarray, scale: float, sigma: float, kappa: float) -> np.ndarray:
    return scale * n / (1 + sigma * (n - 1) + kappa * n * (n - 1))


def values(fit: UslFit) -> tuple[float, float, float]:
    return fit.lambda_.value, fit.sigma.value, fit.kappa.value


def test_sdm91_has_the_coefficients_and_errors_that_r_prints() -> None:
    # summary(usl(throughput ~ load, specsdm91)): alpha 2.773e-02 (9.122e-03), beta 1.044e-04 (1.988e-05),
    # gamma 9.000e+01 (1.421e+01), residual standard error 82.85 on 4 degrees of freedom; peak.scalability 96.51956.
    fit = fit_usl(*SDM91)
    assert values(fit) == pytest.approx((90.00, 2.773e-2, 1.044e-4), rel=4e-4)
    assert (fit.lambda_.se, fit.sigma.se, fit.kappa.se) == pytest.approx((14.21, 9.122e-3, 1.988e-5), rel=4e-4)
    assert fit.residual_se == pytest.approx(82.85, rel=1e-4)
    assert fit.dof == 4
    assert fit.residuals == pytest.approx([-25.10, -81.66, 111.09, 3.05, -49.99, -46.60, 56.00], abs=0.006)
    assert fit.peak is not None
    assert fit.peak.value == pytest.approx(96.51956, rel=1e-6)
    assert fit.at_bound == ()


def test_intervals_use_the_degrees_of_freedom_of_the_residuals() -> None:
    # coef(usl(throughput ~ processors, raytracer[1:6, ])): 0.02444, 0.00163, 20.85605. For alpha, 3 degrees of freedom
    # and t(0.975, 3) = 3.182446 make it -0.0023 to 0.0512; R's confint takes 5 and prints 0.0075 to 0.0414.
    fit = fit_usl(RAYTRACER[0][:6], RAYTRACER[1][:6])
    assert values(fit) == pytest.approx((20.85605, 0.02444, 0.00163), rel=2e-3)
    half = 3.182446 * fit.sigma.se
    assert (fit.sigma.value - half, fit.sigma.value + half) == pytest.approx((-0.0023, 0.0512), abs=6e-5)
    assert fit.sigma.hi == pytest.approx(fit.sigma.value + half, rel=1e-6)
    assert fit.sigma.lo == 0  # cut at what σ may be: contention is not shown here


def test_a_coefficient_at_its_bound_is_said_to_be_there() -> None:
    # coef(usl(throughput ~ processors, raytracer)): alpha 0.0578, beta 0.0000, gamma 21.8488
    fit = fit_usl(*RAYTRACER)
    assert fit.lambda_.value == pytest.approx(21.8488, abs=6e-5)
    assert fit.sigma.value == pytest.approx(0.0578, abs=6e-5)
    assert fit.kappa.value == 0
    assert fit.at_bound == ("kappa",)
    assert fit.interval == "profile"
    assert fit.kappa.lo == 0 < fit.kappa.hi
    assert fit.peak is None


def test_a_profile_limit_is_where_the_sum_of_squares_has_grown_by_t_squared() -> None:
    fit = fit_usl(*RAYTRACER)
    n, x = map(np.array, RAYTRACER)
    best = float(np.sum(fit.residuals**2))
    kappa = fit.kappa.hi
    fixed = least_squares(lambda p: usl(n, p[0], p[1], kappa) - x, [20, 0.05], xtol=1e-15, ftol=1e-15, gtol=1e-15)
    assert 2 * fixed.cost == pytest.approx(best * (1 + 2.306004**2 / 8), rel=1e-6)  # t(0.975, 8), 11 − 3


def test_the_cisco_benchmark_has_the_books_coefficients() -> None:
    fit = fit_usl(np.arange(1, 33), CISCO)
    assert values(fit) == pytest.approx((995.6486, 0.02671591, 7.690945e-4), rel=2e-6)
    assert fit.peak is not None
    assert math.floor(fit.peak.value) == 35
    assert min(fit.aicc, key=lambda law: fit.aicc[law]) == fit.supported == "usl"


def test_the_fit_is_that_of_curve_fit_with_the_same_errors() -> None:
    n, x = map(np.array, SDM91)
    best, covariance = curve_fit(usl, n, x, p0=[90, 0.02, 1e-4], xtol=1e-14, ftol=1e-14, gtol=1e-14)
    fit = fit_usl(n, x)
    assert values(fit) == pytest.approx(best, rel=1e-6)
    assert [e.se for e in (fit.lambda_, fit.sigma, fit.kappa)] == pytest.approx(np.sqrt(np.diag(covariance)), rel=1e-5)
    best, covariance = curve_fit(usl, n, x, p0=[64.9, 0.02, 1e-4], sigma=x, xtol=1e-14, ftol=1e-14, gtol=1e-14)
    fit = fit_usl(n, x, errors="relative")
    assert values(fit) == pytest.approx(best, rel=1e-6)
    assert [e.se for e in (fit.lambda_, fit.sigma, fit.kappa)] == pytest.approx(np.sqrt(np.diag(covariance)), rel=1e-5)


def test_no_other_solver_finds_a_better_fit_of_noisy_data() -> None:
    random = np.random.default_rng(20)
    for _ in range(40):
        n = np.array([1, *np.sort(random.choice(np.arange(2, 65), 5, replace=False))], float)
        x = usl(n, 100, random.uniform(0, 0.2), random.choice([0, 1e-3])) * random.lognormal(0, 0.05, 6)
        fit = fit_usl(n, x)
        starts = ([x[0] / n[0], 0.01, 1e-4], [x.max(), 0.5, 1e-2], [max(p, 1e-9) for p in values(fit)])
        other = min(
            least_squares(lambda p: usl(n, *p) - x, start, bounds=(0, np.inf), x_scale=np.maximum(start, 1e-6)).cost  # noqa: B023
            for start in starts
        )
        assert np.sum(fit.residuals**2) <= 2 * other * (1 + 1e-9)


@pytest.mark.parametrize(
    "true",
    [(1e5, 0.03, 2e-4), (995.0, 0.02, 0.0), (3.0, 0.0, 0.0), (7.0, 0.0, 1e-3), (3.0, 1.5, 1e-3), (1e-3, 0.9, 0.05)],
)
@pytest.mark.parametrize("first", [1, 4])
def test_exact_data_give_back_their_law(true: tuple[float, float, float], first: int) -> None:
    n = np.array([1, 2, 4, 10, 20, 40, 64], float)
    n = n[n >= first]
    fit = fit_usl(n, usl(n, *true))
    assert values(fit) == pytest.approx(true, rel=1e-9, abs=1e-12)
    zero = [name for name, value in zip(("sigma", "kappa"), true[1:], strict=True) if value == 0]
    assert list(fit.at_bound) == zero
    assert fit.supported == ("linear" if len(zero) == 2 else "amdahl" if zero == ["kappa"] else "usl")


def covered(true: tuple[float, float, float], fits: int, errors: str = "absolute") -> tuple[np.ndarray, int]:
    """How often the interval of each coefficient holds the true value, and how many fits were at a bound."""
    random = np.random.default_rng(7)
    n = np.array([1, 4, 10, 20, 40], float)
    x = usl(n, *true)
    hits, bound = np.zeros(3), 0
    for _ in range(fits):
        size = x if errors == "relative" else x.max() * 0.5
        fit = fit_usl(n, x + random.normal(0, 0.01 * size, len(n)), errors=errors)  # type: ignore[arg-type]
        estimates = (fit.lambda_, fit.sigma, fit.kappa)
        hits += [estimate.lo <= value <= estimate.hi for estimate, value in zip(estimates, true, strict=True)]
        bound += bool(fit.at_bound)
    return hits, bound


# 400 fits, each 95 %: 380 ± 2.8 standard deviations of 4.36 is 368 to 392 (the chance of any of 9 outside: 5 %).
LEAST, MOST = 368, 392


@pytest.mark.parametrize("errors", ["absolute", "relative"])
def test_95_percent_intervals_hold_the_truth_in_95_percent_of_fits(errors: str) -> None:
    hits, bound = covered((1000, 0.03, 6e-4), 400, errors)
    assert bound == 0
    assert ((hits >= LEAST) & (hits <= MOST)).all(), hits


def test_intervals_hold_at_least_95_percent_where_kappa_is_zero() -> None:
    # A true value on the bound can't be missed from below: at least 95 %, and about half of the fits are at the bound.
    hits, bound = covered((1000, 0.05, 0), 250)
    assert 95 <= bound <= 155  # 125 ± 3.8 standard deviations of 7.9
    assert (hits >= 228).all(), hits  # 237.5 − 2.8 standard deviations of 3.45


def test_absolute_intervals_miss_more_where_errors_are_relative() -> None:
    """The coverage test can fail: this is the case it is there to find."""
    random, n = np.random.default_rng(7), np.array([1, 4, 10, 20, 40], float)
    x = usl(n, 1000, 0.03, 6e-4)
    fits = [fit_usl(n, x * (1 + random.normal(0, 0.02, len(n)))) for _ in range(200)]
    assert sum(fit.kappa.lo <= 6e-4 <= fit.kappa.hi for fit in fits) < 0.9 * len(fits)


def test_three_points_have_a_fit_and_no_interval_and_no_supported_law() -> None:
    n = np.array([1, 4, 16], float)
    fit = fit_usl(n, usl(n, 10, 0.1, 0.001))
    assert fit.interval == "none"
    assert math.isnan(fit.kappa.lo)
    assert math.isnan(fit.residual_se)
    assert fit.supported is None
    assert fit.peak is None


def test_aicc_is_missing_below_the_points_that_it_needs() -> None:
    # n·ln(RSS/n) + 2k + 2k(k+1)/(n−k−1), k one more than the coefficients: needs 4, 5 and 6 points.
    n = np.array([1, 2, 4, 8, 16, 32], float)
    x = usl(n, 10, 0.1, 0.001) * [1, 1.02, 0.98, 1.01, 0.99, 1]
    for count, known in ((4, 1), (5, 2), (6, 3)):
        aicc = fit_usl(n[:count], x[:count]).aicc
        assert [not math.isnan(aicc[law]) for law in LAWS] == [law < known for law in range(3)]
    fit = fit_amdahl(n, x)
    assert fit.aicc["amdahl"] == pytest.approx(6 * math.log(np.sum(fit.residuals**2) / 6) + 6 + 24 / 2)


def test_the_supported_law_agrees_with_an_f_test_by_hand() -> None:
    # SDM91: Amdahl's RSS is 162.028² · 5, the USL's 82.8458² · 4; F = (131265 − 27454) / 6863.4 = 15.1 of 1 and 4
    # degrees of freedom, where 7.71 is the 95 % point: κ is needed.
    fit = fit_usl(*SDM91)
    assert fit_amdahl(*SDM91).residual_se == pytest.approx(162.028, rel=1e-5)
    assert fit.supported == "usl"
    # Raytracer: κ is at its bound, so F = 0.
    assert fit_usl(*RAYTRACER).supported == "amdahl"


def test_amdahl_is_the_usl_without_kappa() -> None:
    fit = fit_amdahl(*RAYTRACER)
    best, covariance = curve_fit(lambda n, a, s: usl(n, a, s, 0), *map(np.array, RAYTRACER), p0=[20, 0.05])
    assert (fit.lambda_.value, fit.sigma.value) == pytest.approx(best, rel=1e-6)
    assert fit.sigma.se == pytest.approx(math.sqrt(covariance[1, 1]), rel=1e-4)
    assert (fit.kappa.value, fit.kappa.hi, fit.kappa.at_bound) == (0, 0, False)


def test_a_linear_fit_is_the_slope_through_the_origin() -> None:
    n, x = np.array([1.0, 2, 4]), np.array([3.0, 5, 13])
    assert fit_law("linear", n, x).lambda_.value == pytest.approx((3 + 10 + 52) / 21)


def test_nothing_is_predicted_outside_of_what_was_measured() -> None:
    fit = fit_usl(*SDM91)
    assert fit.predict([1, 216]) == pytest.approx([90.0, 1646], rel=1e-3)  # R's fitted()
    assert np.isnan(fit.predict([0.5, 217])).all()


@pytest.mark.parametrize(
    ("n", "x", "words"),
    [
        ([1, 2, 2], [1, 2, 2], "3 coefficients need 3 different N, and there are 2"),
        ([1, 2], [1, 2, 3], "one length"),
        ([1, 2, 4], [1, 0, 3], "x above 0"),
        ([0, 2, 4], [1, 2, 3], "n must be 1 or more"),
        ([1, 2, math.nan], [1, 2, 3], "finite"),
        ([8, 16, 32, 64], [90, 20, 4, 1], "λ without limit"),
    ],
)
def test_what_can_not_be_fitted_is_refused_in_words(n: list[float], x: list[float], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        fit_usl(n, x)

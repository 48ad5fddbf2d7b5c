"""What printed digits leave open in curves, laws and their intervals."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from scipy import stats
from scipy.optimize import curve_fit

import wrkparse as wp
from tests.analysis.scaling.curves import Run, dataset, write
from tests.analysis.scaling.test_laws import RAYTRACER, SDM91, usl
from wrkparse.analysis.scaling.curves import Curve, curve_points, resolution_of
from wrkparse.analysis.scaling.doubts import doubt_of_peak, is_superlinear, lack_of_fit
from wrkparse.analysis.scaling.laws import fit_law, fit_usl
from wrkparse.cli import main

CORES = (1, 4, 10, 20, 40)


def curve(rates: Mapping[int, Sequence[float]], resolutions: Mapping[int, float]) -> Curve:
    """A curve of runs whose rates are printed with these resolutions at each N."""
    rows = [
        {"run": f"{n}-{i}", "valid": True, "usable": True, "cores": n, "rate": rate, resolution_of("rate"): digits}
        for (n, of_n), digits in zip(rates.items(), resolutions.values(), strict=True)
        for i, rate in enumerate(of_n)
    ]
    runs = pd.DataFrame(rows)
    return Curve({}, "cores", "rate", runs, curve_points(runs, [], "cores", "rate", 0.95))


def test_a_line_through_rounded_rates_is_not_known_exactly() -> None:
    """100, 200 and 300 in steps of 10 are on a line; the true rates are within √(3 · 5²) of them.

    The slope is Σ n x / Σ n², of which 1 / √14 is the length: it moves by √75 / √14 = 2.3146 at most. Residuals of
    √75 at most, with two degrees of freedom and t(0.975, 2) = 4.302653, make the standard error times t
    2.3146 · 4.302653 / √2 = 7.0418.
    """
    fit = fit_law("linear", [1, 2, 3], [100.0, 200.0, 300.0], resolution=5)
    assert (fit.lambda_.lo, fit.lambda_.hi) == pytest.approx((100 - 9.3564, 100 + 9.3564), abs=1e-3)
    low, high = fit.band([2])
    assert (low[0], high[0]) == pytest.approx((200 - 18.7128, 200 + 18.7128), abs=2e-3)
    exact = fit_law("linear", [1, 2, 3], [100.0, 200.0, 300.0])
    assert (exact.lambda_.lo, exact.lambda_.hi) == pytest.approx((100, 100))


def test_an_interval_holds_those_of_all_rates_that_could_have_been_printed_so() -> None:
    n, x = map(np.array, SDM91)
    fit = fit_usl(n, x, resolution=5)
    assert fit.interval == "t"
    t = stats.t.ppf(0.975, len(n) - 3)
    for signs in itertools.product((-5, 5), repeat=len(n)):
        best, covariance = curve_fit(usl, n, x + np.array(signs), p0=[90, 0.02, 1e-4])
        half = t * np.sqrt(np.diag(covariance))
        for estimate, low, high in zip((fit.lambda_, fit.sigma, fit.kappa), best - half, best + half, strict=True):
            assert estimate.lo <= max(low, 0)
            assert high <= estimate.hi


def test_a_profile_ends_where_no_rates_in_reach_are_within_its_threshold() -> None:
    """At the end of κ's interval the residuals are ρ + (√RSS + ρ) · √(1 + t² / dof) long."""
    n, x = (np.array(part, float) for part in RAYTRACER)
    fit = fit_usl(n, x, resolution=0.5)
    assert fit.interval == "profile"
    assert fit.kappa.at_bound
    end = fit.kappa.hi

    def of_end(at: np.ndarray, scale: float, sigma: float) -> np.ndarray:
        return usl(at, scale, sigma, end)

    best, _ = curve_fit(of_end, n, x, p0=[20, 0.05], bounds=(0, np.inf), x_scale=[20, 0.05])
    amdahl, _ = curve_fit(lambda at, a, s: usl(at, a, s, 0.0), n, x, p0=[20, 0.05])
    length = math.dist(of_end(n, *best), x)
    printed = math.dist(usl(n, *amdahl, 0.0), x)
    rounding = 0.5 * math.sqrt(len(n))
    widening = math.sqrt(1 + stats.t.ppf(0.975, len(n) - 3) ** 2 / (len(n) - 3))
    assert length == pytest.approx(rounding + (printed + rounding) * widening, rel=1e-4)


@pytest.mark.parametrize(("resolution", "law"), [(0, "usl"), (10.9, "usl"), (11.1, None)])
def test_a_law_is_supported_only_if_the_digits_could_not_make_the_difference(resolution: float, law: str) -> None:
    """SDM91: residuals of √(5 · 162.028²) = 362.31 by Amdahl's law and √(4 · 82.8458²) = 165.69 by the USL.

    The F test needs (362.31 - ρ) / (165.69 + ρ) ≥ √(1 + 7.70865 / 4) = 1.71090, so ρ ≤ 29.077, which is 10.990 for each
    of seven rates.
    """
    fit = fit_usl(*SDM91, resolution=resolution)
    assert fit.supported == law
    assert fit.too_coarse == (law is None)
    assert (fit.peak is None) == (law is None)


@pytest.mark.parametrize(("resolution", "doubt"), [(700, None), (730, "no fall by 5 % was measured")])
def test_a_fall_within_the_digits_is_not_measured(resolution: float, doubt: str | None) -> None:
    """9345.8 at 20 cores; at 40 cores 8163.3, and 5 % less would be 8878.5: 715.2 more."""
    rates = {n: 1000 * n / (1 + 0.02 * (n - 1) + 0.002 * n * (n - 1)) for n in CORES}
    off = (1.001, 0.999, 1.001, 0.999, 1.001)
    fit = fit_usl(list(rates), [rate * f for rate, f in zip(rates.values(), off, strict=True)])
    measured = curve({n: [rate] for n, rate in rates.items()}, dict.fromkeys(CORES[:-1], 0.0) | {40: resolution})
    assert fit.peak is not None
    assert doubt_of_peak(measured, fit, lambda: fit, []) == doubt


@pytest.mark.parametrize(("share", "superlinear"), [(0.0, True), (0.98, True), (1.02, False)])
def test_growth_that_the_digits_could_make_is_not_faster_than_linear(share: float, superlinear: bool) -> None:
    """N/X falls evenly from 1/1000 to 1/1300, without residuals; all rates have the same relative resolution.

    Its slope's standard error for residuals of length 1 is that of a weighted straight line. Resolutions of r of the
    rates move it by √5 r of these, and t(0.975, 3) · √5 r / √3 more come from residuals of that length.
    """
    n = np.array(CORES, float)
    inverse = 0.001 - (0.001 - 1 / 1300) * (n - 1) / 39
    rates = n / inverse
    (slope, _), covariance = np.polyfit(n - 1, inverse, 1, w=1 / inverse, cov="unscaled")
    unit = math.sqrt(covariance[0, 0] * 5) * (1 + stats.t.ppf(0.975, 3) / math.sqrt(3))
    digits = share * -slope / unit * rates
    measured = curve({c: [rate] for c, rate in zip(CORES, rates, strict=True)}, dict(zip(CORES, digits, strict=True)))
    assert is_superlinear(measured, 0.95) == superlinear


def test_repeats_that_print_the_same_may_differ_by_their_digits() -> None:
    """Two runs at each N print the same: their spread is √(10 · 5²) = 15.8 at most, and the misfit 15.8 less."""
    rates = {1: 1000.0, 4: 3300.0, 10: 8000.0, 20: 9900.0, 40: 14000.0}
    fit = fit_usl(list(rates), list(rates.values()))
    off = math.sqrt(sum(2 * (r - f) ** 2 for r, f in zip(rates.values(), fit.predict(list(rates)), strict=True)))
    rounding = math.sqrt(10 * 5**2)
    repeats = {n: [rate, rate] for n, rate in rates.items()}
    expected = stats.f.sf((off - rounding) ** 2 / 2 / (rounding**2 / 5), 2, 5)
    assert lack_of_fit(curve(repeats, dict.fromkeys(rates, 5.0)), fit) == pytest.approx(float(expected))
    assert math.isnan(lack_of_fit(curve(repeats, dict.fromkeys(rates, 0.0)), fit))
    assert lack_of_fit(curve(repeats, dict.fromkeys(rates, 2000.0)), fit) == 1  # the digits may make all of the misfit


def test_rates_in_hundredths_of_a_megabyte_have_intervals_of_half_a_hundredth(tmp_path: Path) -> None:
    """Responses of 100 bytes: 1,050/s print as 0.10MB and 3,990/s as 0.38MB, each ± 0.005."""
    more = [i / 100 for i in range(6)]  # so that no run is a copy of another
    runs = [*(Run(1, 1050 + i) for i in more), *(Run(4, 3990 + i) for i in more)]
    result = wp.scaling(dataset(tmp_path, runs), by="path", metric="transfer_rate")
    one, four = result.points.to_dict("records")
    assert one[f"{result.metric}_resolution"] == pytest.approx(0.005 * 2**20)
    assert (one["lo"], one["hi"]) == pytest.approx((0.095 * 2**20, 0.105 * 2**20))
    assert (four["speedup_lo"], four["speedup_hi"]) == pytest.approx((0.375 / 0.105, 0.385 / 0.095))
    assert (four["efficiency_lo"], four["efficiency_hi"]) == pytest.approx((0.375 / 0.42, 0.385 / 0.38))


def test_digits_that_leave_the_law_open_are_named(tmp_path: Path) -> None:
    """By requests/s the rates follow the USL; in hundredths of a megabyte they are 0.02, 0.07, 0.15, 0.22 and 0.23."""
    rates = {n: usl(n, 200, 0.02, 0.001) * f for n, f in zip(CORES, (1.001, 0.999, 1.001, 0.999, 1.001), strict=True)}
    runs = [Run(n, rate) for n, rate in rates.items()]
    by_requests = wp.scaling(dataset(tmp_path / "a", runs), by="path").groups.iloc[0]
    assert by_requests["law"] == "usl"
    assert by_requests["note"] is None
    write(tmp_path / "b", runs)
    result = wp.scaling(wp.read(tmp_path / "b"), by="path", metric="transfer_rate")
    assert result.groups["law"].isna().all()
    assert result.fits["peak"].isna().all()
    store = str(tmp_path / "store.duckdb")
    runner = CliRunner()
    assert runner.invoke(main, ["ingest", str(tmp_path / "b"), "-o", store]).exit_code == 0
    text = runner.invoke(main, ["scaling", "-s", store, "--by", "path", "-m", "transfer_rate"]).output
    assert "no law is supported: the printed digits alone could make the difference" in " ".join(text.split())


def test_the_best_n_is_the_smallest_whose_rate_may_be_the_highest() -> None:
    """200 ± 0.5 and 201 ± 0.5 may both be 200.5; 200 ± 0.1 and 201 ± 0.1 may not be equal."""
    rates = {1: [100.0], 2: [190.0], 4: [200.0], 8: [201.0]}
    assert curve(rates, dict.fromkeys(rates, 0.5)).best_n == 4
    assert curve(rates, dict.fromkeys(rates, 0.1)).best_n == 8


def test_a_curve_levels_off_only_if_all_rates_that_could_have_been_printed_so_do() -> None:
    """199 is 4.7 % above 190; 200 is 5.8 % above 189."""
    rates = {1: [100.0], 2: [190.0], 4: [199.0]}
    assert curve(rates, dict.fromkeys(rates, 1.0)).plateau is None
    assert curve(rates, dict.fromkeys(rates, 0.1)).plateau == pytest.approx((198.9, 199.1))

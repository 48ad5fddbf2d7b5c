"""What a curve does not show: made-up rates whose law is known."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import wrkparse as wp
from tests.analysis.scaling.curves import Run, dataset
from wrkparse.analysis.scaling import curves
from wrkparse.analysis.scaling.curves import fit_curve
from wrkparse.analysis.scaling.laws import Errors, UslFit, fit_usl

CORES = (1, 4, 10, 20, 40)


def usl(n: float, scale: float, sigma: float, kappa: float) -> float:
    return scale * n / (1 + sigma * (n - 1) + kappa * n * (n - 1))


def fits(folder: Path, runs: list[Run], about: str = "{}") -> dict[str, object]:
    """The USL's row of the only curve."""
    found = wp.scaling(dataset(folder, runs, about), by="path").fits
    (row,) = found[found["law"] == "usl"].to_dict("records")
    return row


def test_a_peak_with_a_fall_behind_it_is_claimed(tmp_path: Path) -> None:
    """λ = 1000, σ = 0.02, κ = 0.002: the peak is at √(0.98 / 0.002) = 22.1, and 40 cores have 19 % less."""
    off = (1.001, 0.999, 1.001, 0.999, 1.001)
    found = fits(tmp_path, [Run(n, usl(n, 1000, 0.02, 0.002) * f) for n, f in zip(CORES, off, strict=True)])
    assert found["peak"] == pytest.approx(22.1, abs=0.5)
    assert found["peak_doubt"] is None


def test_a_peak_without_a_fall_is_not_claimed(tmp_path: Path) -> None:
    """λ = 1000, σ = 0.02, κ = 0.0007: the law's peak is at 37 cores, of which none was measured."""
    off = (1.001, 0.999, 1.001, 0.999, 1.001)
    found = fits(tmp_path, [Run(n, usl(n, 1000, 0.02, 0.0007) * f) for n, f in zip(CORES, off, strict=True)])
    assert found["supported"]
    assert np.isnan(found["peak"])
    assert found["peak_doubt"] == "no fall by 5 % was measured"


def test_a_fall_below_a_full_network_is_no_peak_of_the_server(tmp_path: Path) -> None:
    """Responses of 100 bytes take 190 on the wire: 9,346 a second at 20 cores are 14.2 Mbit/s of 15."""
    off = (1.001, 0.999, 1.001, 0.999, 1.001)
    runs = [Run(n, usl(n, 1000, 0.02, 0.002) * f) for n, f in zip(CORES, off, strict=True)]
    found = fits(tmp_path, runs, "{nic_bits_per_s: 15000000}")
    assert found["peak_doubt"] == "the network is full"
    assert np.isnan(found["peak"])


def test_a_rate_that_grows_faster_than_the_cores_supports_no_law(tmp_path: Path) -> None:
    """N/X falls evenly from 1/1000 to 1/1300: σ < 0, which no law allows."""
    rates = {n: n / (0.001 - (0.001 - 1 / 1300) * (n - 1) / 39) for n in CORES}
    result = wp.scaling(dataset(tmp_path, [Run(n, rate) for n, rate in rates.items()]), by="path")
    (group,) = result.groups.to_dict("records")
    assert group["superlinear"]
    assert group["law"] is None
    assert not result.fits["supported"].any()
    assert result.curves.empty


def test_a_linear_rate_with_errors_is_not_faster_than_linear(tmp_path: Path) -> None:
    off = (0.98, 1.02, 0.99, 1.01, 1.0)
    runs = [Run(n, 1000 * n * f) for n, f in zip(CORES, off, strict=True)]
    (group,) = wp.scaling(dataset(tmp_path, runs), by="path").groups.to_dict("records")
    assert not group["superlinear"]
    assert group["law"] == "linear"


def test_repeated_runs_give_speed_up_and_efficiency_an_interval(tmp_path: Path) -> None:
    """Four against four: Moses' interval at 95 % goes from the smallest of 16 quotients to the largest.

    Rates are printed with two decimals, and may be off by 0.005.
    """
    one, four = (1000.0, 1010.0, 1020.0, 1030.0), (3600.0, 3620.0, 3650.0, 3700.0)
    runs = [Run(1, rate) for rate in one] + [Run(4, rate) for rate in four]
    points = wp.scaling(dataset(tmp_path, runs), by="path").points
    at_one, at_four = points.to_dict("records")
    widest = 3599.995 / 1030.005, 3700.005 / 999.995
    assert (at_four["speedup_lo"], at_four["speedup_hi"]) == pytest.approx(widest, rel=1e-12)
    assert (at_four["efficiency_lo"], at_four["efficiency_hi"]) == pytest.approx([end / 4 for end in widest], rel=1e-12)
    assert np.isnan(at_one["speedup_lo"])


def test_single_runs_have_no_interval_of_their_speed_up(tmp_path: Path) -> None:
    points = wp.scaling(dataset(tmp_path, [Run(1, 1000), Run(4, 3000)]), by="path").points
    assert points[["speedup_lo", "efficiency_hi"]].isna().all(axis=None)


def test_a_law_that_repeated_runs_contradict_lacks_fit(tmp_path: Path) -> None:
    """Two runs at each N, 0.2 % apart; the rates jump around any smooth law by 10 %."""
    rates = {1: 1000.0, 4: 3300.0, 10: 8000.0, 20: 9900.0, 40: 14000.0}
    runs = [Run(n, rate * f) for n, rate in rates.items() for f in (0.999, 1.001)]
    result = wp.scaling(dataset(tmp_path, runs), by="path")
    (usl_row,) = result.fits[result.fits["law"] == "usl"].to_dict("records")
    fit = fit_usl(list(rates), list(rates.values()))
    lack = sum(2 * (rate - fitted) ** 2 for rate, fitted in zip(rates.values(), fit.predict(list(rates)), strict=True))
    pure = sum(2 * (0.001 * rate) ** 2 for rate in rates.values())
    assert usl_row["lack_p"] == pytest.approx(float(stats.f.sf(lack / 2 / (pure / 5), 2, 5)), rel=0.02)
    assert usl_row["lack_p"] < 0.001


def test_both_assumptions_on_errors_are_in_the_result(tmp_path: Path) -> None:
    rates = {n: usl(n, 1000, 0.02, 0.002) for n in CORES}
    result = wp.scaling(dataset(tmp_path, [Run(n, rate) for n, rate in rates.items()]), by="path")
    assert set(result.fits["errors"]) == {"absolute"}
    assert set(result.other_fits["errors"]) == {"relative"}
    assert len(result.other_fits) == len(result.fits) == 3


def test_laws_are_fitted_with_the_other_assumption_when_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """λ = 1000, σ = 0.05, κ = 0 has no peak, which would need the other fit."""
    asked: list[str] = []

    def seen(curve: curves.Curve, errors: Errors, confidence: float) -> tuple[list[UslFit], str]:
        asked.append(errors)
        return fit_curve(curve, errors, confidence)

    monkeypatch.setattr(curves, "fit_curve", seen)
    data = dataset(tmp_path, [Run(n, usl(n, 1000, 0.05, 0)) for n in CORES])
    result = wp.scaling(data, by="path").only(path="/a")
    assert asked == ["absolute"]
    assert result.other_fits.equals(result.other_fits)
    assert asked == ["absolute", "relative"]

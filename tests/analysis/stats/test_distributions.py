"""Distributions beside printed tables (NIST/SEMATECH e-Handbook, sections 1.3.6.7.1 to 1.3.6.7.3) and beside scipy."""

from __future__ import annotations

import itertools
import math
import subprocess
import sys

import numpy as np
import pytest
from scipy import special

from wrkparse.analysis.stats.distributions import (
    f_tail,
    fair_binomial_cdf,
    normal_cdf,
    normal_quantile,
    t_cdf,
    t_quantile,
)

FREEDOMS = (1, 1.5, 2, 4.7, 9, 30, 99.3, 5000)


@pytest.mark.parametrize(
    ("freedom", "p", "t"),
    [(1, 0.975, 12.706), (4, 0.975, 2.776), (10, 0.95, 1.812), (30, 0.995, 2.750), (1, 0.999, 318.313)],
)
def test_quantiles_of_t_are_those_of_the_table(freedom: float, p: float, t: float) -> None:
    assert t_quantile(freedom, p) == pytest.approx(t, rel=3e-4)
    assert t_cdf(freedom, t) == pytest.approx(p, abs=1e-4)
    assert t_cdf(freedom, -t) == pytest.approx(1 - p, abs=1e-4)


@pytest.mark.parametrize(("freedom", "other", "f"), [(1, 4, 7.709), (5, 10, 3.326), (10, 20, 2.348)])
def test_five_percent_of_f_are_above_the_value_of_the_table(freedom: float, other: float, f: float) -> None:
    assert f_tail(freedom, other, f) == pytest.approx(0.05, rel=1e-3)


def test_the_normal_distribution_is_that_of_the_table() -> None:
    assert normal_cdf(1.96) == pytest.approx(0.97500, abs=5e-6)
    assert normal_quantile(0.975) == pytest.approx(1.959964, abs=1e-6)
    assert (normal_quantile(0), normal_quantile(1)) == (-math.inf, math.inf)


def test_throws_of_a_coin_are_counted() -> None:
    """Of 2^6 ways, 1 has no head, 6 have one; of 2^9, 1 + 9 have at most one."""
    assert fair_binomial_cdf(1, 6) == pytest.approx([1 / 64, 7 / 64])
    assert fair_binomial_cdf(1, 9)[1] == pytest.approx(10 / 512)
    assert len(fair_binomial_cdf(-1, 1)) == 0
    assert fair_binomial_cdf(49_000, 100_000)[-1] == pytest.approx(special.bdtr(49_000, 100_000, 0.5), rel=1e-9)


def test_all_are_those_of_scipy() -> None:
    for freedom, t in itertools.product(FREEDOMS, (-60, -2.2, -0.1, -1e-3, 0, 0.5, 20)):
        assert t_cdf(freedom, t) == pytest.approx(float(special.stdtr(freedom, t)), rel=1e-10)
    for freedom, p in itertools.product(FREEDOMS, (0.5, 0.9, 0.975, 0.9995, 0.99999)):
        assert t_quantile(freedom, p) == pytest.approx(float(special.stdtrit(freedom, p)), rel=1e-10, abs=1e-12)
    for freedom, other, f in itertools.product((1, 2, 40), (1, 7, 1000), (1e-6, 0.9, 2.5, 1000)):
        assert f_tail(freedom, other, f) == pytest.approx(float(special.fdtrc(freedom, other, f)), rel=1e-10)
    for z in np.linspace(-9, 9, 37).tolist():
        assert normal_cdf(z) == pytest.approx(float(special.ndtr(z)), rel=1e-12)


def test_no_number_has_no_probability_and_ends_have_certain_ones() -> None:
    assert all(
        map(math.isnan, (t_cdf(5, math.nan), t_cdf(math.nan, 1), t_quantile(math.nan, 0.9), f_tail(1, 2, math.nan)))
    )
    assert (t_cdf(5, -math.inf), t_cdf(5, math.inf), f_tail(1, 2, math.inf), f_tail(1, 2, 0)) == (0, 1, 0, 1)
    assert t_cdf(math.inf, -1.5) == normal_cdf(-1.5)


def test_a_comparison_does_not_import_scipy() -> None:
    code = (
        "import sys, wrkparse as wp\n"
        "wp.compare(wp.read('tests/fixtures/servers')).sentences\n"
        "assert 'scipy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)

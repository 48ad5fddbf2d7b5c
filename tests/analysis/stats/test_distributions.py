"""Probabilities and quantiles, against tables, scipy and exact counts."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from scipy import special

from wrkparse.analysis.stats.distributions import (
    binomial_tails,
    f_tail,
    normal_p,
    normal_quantile,
    student_p,
    student_quantile,
)

DEGREES = (1, 1.5, 2, 3, 7.7, 30, 1000, 10_000)
PRECISION = 1e-10


def test_quantiles_are_those_of_printed_tables() -> None:
    assert normal_quantile(0.975) == pytest.approx(1.959964, abs=1e-6)
    assert [round(student_quantile(0.975, dof), 3) for dof in (1, 2, 5, 10, 30)] == [12.706, 4.303, 2.571, 2.228, 2.042]
    assert f_tail(2, 10, 4.1028) == pytest.approx(0.05, abs=1e-5)


def test_a_value_at_the_centre_has_p_1_and_one_without_limit_p_0() -> None:
    assert normal_p(0.0) == student_p(0.0, 3) == f_tail(2, 5, 0.0) == 1.0
    assert normal_p(math.inf) == student_p(math.inf, 3) == f_tail(2, 5, math.inf) == 0.0
    assert student_quantile(0.5, 3) == 0.0


def test_nan_stays_nan() -> None:
    assert math.isnan(student_p(math.nan, 3))
    assert math.isnan(student_quantile(0.975, math.nan))
    assert math.isnan(f_tail(2, 5, math.nan))


def test_students_distribution_is_scipys() -> None:
    for t, dof in product((0.01, 0.5, 1, 2, 3.3, 10, 100, 1e4), DEGREES):
        assert student_p(-t, dof) == pytest.approx(2 * special.stdtr(dof, -t), rel=PRECISION, abs=1e-290), (t, dof)
    for p, dof in product((0.6, 0.9, 0.975, 0.9995, 1 - 1e-9), DEGREES):
        assert student_quantile(p, dof) == pytest.approx(special.stdtrit(dof, p), rel=PRECISION), (p, dof)


def test_the_f_distribution_is_scipys() -> None:
    for f, dof1, dof2 in product((1e-3, 0.5, 1, 2, 50, 1e4), (1, 2, 3, 10, 99), (1, 2.5, 10, 300, 1e4)):
        assert f_tail(dof1, dof2, f) == pytest.approx(special.fdtrc(dof1, dof2, f), rel=PRECISION, abs=1e-200)


def test_binomial_tails_are_counts_of_all_tosses() -> None:
    for n in range(40):
        counts = np.cumsum([math.comb(n, heads) for heads in range(n // 2)])
        assert binomial_tails(n).tolist() == pytest.approx((counts / 2.0**n).tolist(), rel=1e-13)
    assert binomial_tails(100_000)[-1] == pytest.approx(special.bdtr(49_999, 100_000, 0.5), rel=1e-8)

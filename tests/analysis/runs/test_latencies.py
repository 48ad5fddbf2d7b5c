from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import wrkparse as wp
from tests.samples import WRK
from wrkparse.analysis.runs.latencies import latencies

FIXTURES = Path(__file__).parents[2] / "fixtures"


def test_a_spectrum_replaces_the_percentiles_above_it() -> None:
    found = latencies(wp.read(str(FIXTURES / "wrk/calibrated-u_latency.txt")))
    assert set(found["detail"]) == {"spectrum"}
    assert found.groupby("corrected").size().to_dict() == {True: 45, False: 45}  # lines of the two blocks
    corrected = found[found["corrected"]]
    assert corrected.iloc[5][["percentile", "slower_ratio", "value_s", "n"]].tolist() == [0.5, 0.5, 0.003197, 337]
    assert found["corrected"].tolist() == [True] * 45 + [False] * 45


def test_the_maximum_is_one_of_n_or_at_the_last_percentile() -> None:
    found = latencies(wp.read(str(FIXTURES / "wrk/calibrated-u_latency.txt")))
    last = found[found["percentile"] == 1]
    assert last["value_s"].tolist() == [0.006459, 0.004587]
    assert last["slower_ratio"].tolist() == pytest.approx([1 - 0.997266] * 2)  # 1/337 is more than that


def test_printed_percentiles_of_wrk_and_its_maximum() -> None:
    text = WRK.replace(
        "  410759 requests",
        "  Latency Distribution\n     50%  190.00us\n     75%  200.00us\n     90%  240.00us\n     99%  900.00us\n  410759 requests",
    )
    found = latencies(wp.parse_text(text))
    assert found["percentile"].tolist() == [0.5, 0.75, 0.9, 0.99, 1.0]
    assert found["value_s"].tolist() == pytest.approx([190e-6, 200e-6, 240e-6, 900e-6, 1.57e-3])
    assert found["slower_ratio"].tolist() == pytest.approx([0.5, 0.25, 0.1, 0.01, 1 / 410759])
    assert set(found["detail"]) == {"printed"}
    assert found["corrected"].isna().all()


def test_a_mean_and_a_maximum_are_no_distribution() -> None:
    assert latencies(wp.parse_text(WRK)).empty


def test_ab_prints_percentiles_of_the_total_time() -> None:
    ds = wp.read(str(FIXTURES / "ab/n2000-k.txt"))
    found = latencies(ds)
    assert found["percentile"].tolist() == [0.5, 0.66, 0.75, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0]
    assert found["slower_ratio"].iloc[-1] == pytest.approx(1 / 2000)
    assert latencies(ds, where="tool = 'wrk'").empty
    assert not pd.isna(found["value_s"]).any()


def test_a_run_without_a_request_has_no_latencies() -> None:
    """wrk prints its percentiles as 0."""
    nothing = WRK.replace("193.32us", "0.00us").replace(
        "  410759 requests", "  Latency Distribution\n     50%    0.00us\n     99%    0.00us\n  0 requests"
    )
    assert latencies(wp.parse_text(nothing)).empty

from __future__ import annotations

import pandas as pd
import pytest

import wrkparse as wp
from tests.samples import WRK
from wrkparse.analysis.audit.little_law import little_law


def test_requests_under_way_are_throughput_times_latency() -> None:
    (row,) = little_law(wp.parse_text(WRK)).to_dict("records")
    assert row["connections"] == 8
    assert row["under_way"] == pytest.approx(40669.44 * 193.32e-6)  # 7.86 of 8
    assert row["ratio"] == pytest.approx(40669.44 * 193.32e-6 / 8)
    # 5 %, twice the connections over the requests, and half the last digits of 193.32 us
    assert row["tolerance"] == pytest.approx(0.05 + 2 * 8 / 410759 + 0.983 * 0.005 / 193.32, rel=1e-4)
    assert (row["severity"], row["verdict"]) == ("ok", "ok")
    assert pd.isna(row["code"])


def test_a_finding_of_the_audit_stands_beside_the_number() -> None:
    text = WRK.replace("193.32us", "965.00us").replace("1.57ms", "1.57s")
    (row,) = little_law(wp.parse_text(text)).to_dict("records")
    assert row["ratio"] == pytest.approx(40669.44 * 965e-6 / 8)  # 4.9
    assert (row["code"], row["severity"]) == ("little-law-high", "latency-suspect")


def test_runs_without_a_latency_are_left_out() -> None:
    assert little_law(wp.parse_text("real\t0m1.0s\nuser\t0m1.0s\nsys\t0m0.0s\n")).empty
    assert little_law(wp.parse_text(WRK), where="connections = 9").empty


def test_a_run_without_a_request_is_left_out() -> None:
    """All it prints is 0, which is no ratio on a logarithmic axis."""
    nothing = (
        "Running 2s test @ http://127.0.0.1:9804/\n  1 threads and 16 connections\n"
        "  Thread Stats   Avg      Stdev     Max   +/- Stdev\n    Latency     0.00us    0.00us   0.00us    -nan%\n"
        "    Req/Sec     0.00      0.00     0.00      -nan%\n  0 requests in 2.00s, 0.00B read\n"
        "Requests/sec:      0.00\nTransfer/sec:       0.00B\n"
    )
    assert little_law(wp.parse_text(nothing)).empty

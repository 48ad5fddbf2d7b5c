"""The audit of the five studies: what it says of their runs, worked out by hand from their logs."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import wrkparse as wp
from wrkparse.analysis.audit.audit import AuditResult

DATA = Path(__file__).parents[3] / "data"
NUSTER, HASKELL = "nuster-nginx-varnish/logs/raw-output.md", "haskell-go-node-io/logs/results.md"
FASTCGI, MANY = "nginx-fastcgi-go/logs/results.txt", "go-many-cores/logs/results.md"
LATENCY = "latency-suspect"


@pytest.fixture(scope="module")
def result(studies: wp.Dataset) -> AuditResult:
    return wp.audit(studies)


@pytest.fixture(scope="module")
def findings(studies: wp.Dataset, result: AuditResult) -> pd.DataFrame:
    labels = ["run", "framework", "cores", "connections", "path", "network"]
    runs = studies.runs[[*labels, "line"]].rename(columns={"line": "first"})
    return result.findings.merge(runs, on="run")


def of(findings: pd.DataFrame, source: str, code: str, severity: str = "suspect") -> pd.DataFrame:
    return findings[(findings["source"] == source) & (findings["code"] == code) & (findings["severity"] == severity)]


def test_no_run_of_the_studies_is_invalid_and_one_in_eight_is_suspect(studies: wp.Dataset, result: AuditResult) -> None:
    verdicts = result.verdicts.merge(studies.runs[["run", "study", "tool"]], on="run")
    counts = verdicts.groupby(["study", "verdict"]).size().to_dict()
    assert counts == {
        ("go-many-cores", "ok"): 36,
        ("go-many-cores", "latency-suspect"): 2,
        ("go-net-http-ab", "ok"): 2,
        ("haskell-go-node-io", "ok"): 47,
        ("haskell-go-node-io", "latency-suspect"): 27,
        ("haskell-go-node-io", "suspect"): 6,
        ("nginx-fastcgi-go", "ok"): 3,
        ("nginx-fastcgi-go", "latency-suspect"): 3,
        ("nginx-fastcgi-go", "suspect"): 2,
        ("nuster-nginx-varnish", "ok"): 56,
        ("nuster-nginx-varnish", "latency-suspect"): 18,
        ("nuster-nginx-varnish", "suspect"): 16,
    }


def test_no_report_of_the_studies_contradicts_itself(findings: pd.DataFrame) -> None:
    """216 reports that their tools printed: totals fit rates, percentiles rise, every number is one that wrk prints."""
    contradictions = {"rate-contradiction", "transfer-contradiction", "order-contradiction", "not-as-wrk-prints"}
    assert not contradictions & set(findings["code"])
    assert not {"ab-concurrency", "ab-failures", "cpu-share", "gc-cpu-clock", "response-size"} & set(findings["code"])


def test_the_1_gbps_plateau_of_nuster(findings: pd.DataFrame) -> None:
    """nuster 12 cores, 1k: 110.14 MB/s = 115.5e6 bytes/s is 92.4 % of 1 Gbit/s, and 90858/s × 90 bytes of frames more.

    All six sizes of nuster on 12 cores, nginx on 12 from 256 bytes on, and everything fast at 1k: equals, not a ranking.
    """
    full = of(findings, NUSTER, "nic-limit")
    assert set(full["network"]) == {"1 Gbps"}
    by_server = {server: set(rows["path"]) for server, rows in full.groupby(["framework", "cores"])}
    assert by_server == {
        ("nuster", 12): {"/helloworld", "/64b", "/128b", "/256b", "/512b", "/1k"},
        ("nginx", 12): {"/256b", "/512b", "/1k"},
        ("nuster", 1): {"/1k"},
        ("varnish", 12): {"/1k"},
    }
    assert full["value"].between(0.95, 1.0).all()


def test_the_10_gbps_plateau_of_haskell(findings: pd.DataFrame) -> None:
    """stdio, 40 cores, 5000 connections: 0.98 GB/s of 2³⁰ = 8.42 Gbit/s of payload, 9.67 with frames of 604-byte answers."""
    full = of(findings, HASKELL, "nic-limit")
    assert full[["framework", "cores", "connections"]].to_numpy().tolist() == [
        ["haskell mio", 40, 5000],
        ["haskell stdio", 20, 1000],
        ["haskell stdio", 40, 1000],
        ["haskell stdio", 40, 5000],
    ]
    on_the_wire = 0.98 * 2**30 + 90 * 1736065.48  # bytes per second
    assert full["value"].tolist()[-1] == pytest.approx(8 * on_the_wire / 10e9)


def test_connections_of_varnish_that_starved(findings: pd.DataFrame) -> None:
    """12 bytes over loopback: 1.01 ms × 115928/s = 117 connections at work of 1000, and the threads' mean is 5 × 1159/s."""
    low = of(findings, NUSTER, "little-law-low")
    assert set(low["framework"]) == {"varnish"}
    run = low[low["first"] == 352]
    assert run["value"].tolist() == pytest.approx([1.01e-3 * 115928.18 / 1000], rel=1e-3)
    rates = of(findings, NUSTER, "thread-rate")
    assert rates.loc[rates["first"] == 352, "value"].tolist() == pytest.approx([5.0], abs=0.05)


def test_nginx_on_one_core_with_5000_connections_failed_to_write(findings: pd.DataFrame) -> None:
    """The page prints ERROR for these six; 417 to 956 failed writes in 0.9 million requests are 0.04 to 0.11 %."""
    failed = of(findings, NUSTER, "socket-errors", LATENCY)
    assert failed[["framework", "cores", "connections"]].drop_duplicates().to_numpy().tolist() == [["nginx", 1, 5000]]
    assert len(failed) == 6
    assert failed["value"].tolist()[0] == pytest.approx(417 / (933234 + 417))


def test_time_outs_of_300_s_in_30_s(findings: pd.DataFrame) -> None:
    impossible = of(findings, NUSTER, "timeouts-impossible", LATENCY)
    assert impossible[["framework", "value"]].to_numpy().tolist() == [["varnish", 17.0], ["varnish", 118.0]]


def test_maxima_at_the_time_out_of_2_s(findings: pd.DataFrame) -> None:
    """Each of them 1.9 s or more, with late answers beside it; node with one core and 1000 connections 2.00 s and 419."""
    cut = of(findings, HASKELL, "max-at-timeout", LATENCY)
    assert len(cut) == 18
    assert cut["value"].between(1.9, 2.0).all()
    assert of(findings, HASKELL, "max-at-timeout", LATENCY).iloc[2][["framework", "cores", "connections"]].tolist() == [
        "node",
        1,
        1000,
    ]


def test_the_correction_of_wrk_in_gos_latencies(findings: pd.DataFrame) -> None:
    """40 cores, 10000 connections, of which 64 × 156 = 9984 were open: 111.23 ms × 1166312/s / 9984 = 13.0."""
    high = of(findings, HASKELL, "little-law-high", LATENCY)
    go = high[high["framework"] == "go"]
    assert go[["cores", "connections"]].to_numpy().tolist() == [
        [20, 5000],
        [40, 5000],
        [10, 10000],
        [20, 10000],
        [40, 10000],
    ]
    assert go["value"].tolist()[-1] == pytest.approx(0.11123 * 1166312.10 / 9984)


def test_wrk_3_samples_latencies(findings: pd.DataFrame) -> None:
    """nginx + go http, 8 cores: 336.77 ms × 74442.91/s / 5000 = 5.01; the maximum of 632.52 ms is 9.4 e: 2.8 at most."""
    unexplained = of(findings, FASTCGI, "little-law-unexplained", LATENCY)
    assert unexplained["framework"].tolist() == ["nginx + go http", "nginx + go fastcgi unix"]
    assert unexplained["value"].tolist()[0] == pytest.approx(0.33677 * 74442.91 / 5000)


def test_64_threads_open_64_of_100_connections(findings: pd.DataFrame) -> None:
    """100, 1000, 5000, 10000 connections: 64 × 1, 15, 78, 156 = 64, 960, 4992, 9984."""
    fewer = of(findings, HASKELL, "fewer-connections", "note")
    assert fewer.groupby("expected")["value"].unique().map(list).to_dict() == {
        100.0: [64.0],
        1000.0: [960.0],
        5000.0: [4992.0],
        10000.0: [9984.0],
    }


def test_idle_processors_in_the_scheduler_trace(findings: pd.DataFrame) -> None:
    """At 2999, 3050, 3408 and 3459 ms 3, 5, 15 and 19 Ps are idle while 9, 2, 2 and 2 goroutines wait."""
    (idle,) = of(findings, MANY, "sched-idle-waiting", "note").to_dict("records")
    assert (idle["value"], idle["line"]) == (4.0, 333)

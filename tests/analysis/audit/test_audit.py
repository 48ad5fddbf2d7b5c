"""The audit: each check finds what it is for, in a report made to have it, and nothing in one that has not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from scipy.optimize import linprog

import wrkparse as wp
from tests.analysis.audit.reports import AB, TIME, audited, changed, found
from tests.samples import WRK
from wrkparse.analysis.audit.advice import ADVICE
from wrkparse.analysis.audit.audit import audit, verdicts
from wrkparse.analysis.checks.reports.concurrency import most_by_correction
from wrkparse.analysis.stats import intervals

FIXTURES = Path(__file__).parents[2] / "fixtures"


def test_a_healthy_run_is_ok() -> None:
    """193.32 µs × 40669.44/s / 8 = 0.983; 8 × 5110 / 40669 = 1.005; 410759 / 10.10 = 40669."""
    for text in (WRK, AB, TIME):
        result = audited(text)
        assert result.findings.empty
        assert result.verdicts[["verdict", "reasons"]].to_numpy().tolist() == [["ok", ""]]


def test_an_empty_dataset_has_no_verdicts() -> None:
    result = audited("nothing here")
    assert len(result.findings) == len(result.verdicts) == 0
    assert verdicts(wp.parse_text("nothing here")).num_rows == 0


def test_every_finding_has_advice_and_its_place() -> None:
    findings = audited("a line", changed("7.13MB", "9.99MB")).findings
    assert findings[["source", "line", "code"]].to_numpy().tolist() == [["<text>", 9, "transfer-contradiction"]]
    assert findings["advice"].tolist() == [ADVICE["transfer-contradiction"]]
    # 9.99 · 2^20, and 72.06 · 2^20 / 10.10 = 7,481,226
    assert findings["message"][0].startswith("transfer rate 10,475,274 B/s, but bytes read / elapsed = 7,481,2")


# --- totals and rates -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rate", "fits"),
    [
        ("40649.07", False),  # 410759 / 10.105 = 40649.0846; 40649.07 is 40649.075 at most
        ("40649.10", True),
        ("40689.34", True),  # 410759 / 10.095 = 40689.351
        ("40689.37", False),
    ],
)
def test_the_rate_must_fit_the_interval_of_the_elapsed_time(rate: str, fits: bool) -> None:
    assert ("rate-contradiction" not in found(changed("40669.44", rate))) is fits


def test_bytes_divided_by_elapsed_time_must_be_the_transfer_rate() -> None:
    """72.06 MB / 10.10 s = 7.135 MB/s prints 7.13 or 7.14; 7.15 is out of reach: 72.065 / 10.095 = 7.1387."""
    assert found(changed("7.13MB", "7.14MB")) == {}
    assert found(changed("7.13MB", "7.15MB")) == {"transfer-contradiction": "invalid"}


def test_the_range_of_a_unit_narrows_what_a_number_stands_for() -> None:
    """wrk prints 0.85ms for 850 µs and more, so it is no 845 µs; 0.92ms is 915 to 925 µs."""
    both, odd = intervals.printed_by_wrk(np.array([0.85e-3, 0.92e-3]), np.array([5e-6, 5e-6]), "s")
    assert both.low == pytest.approx([850e-6, 915e-6])
    assert both.high == pytest.approx([855e-6, 925e-6])
    assert not odd.any()


@pytest.mark.parametrize(
    ("cell", "unit", "number", "resolution", "prints"),
    [
        ("850.00us", "s", 850e-6, 5e-9, True),
        ("950.00us", "s", 950e-6, 5e-9, False),  # 0.95ms
        ("0.45ms", "s", 0.45e-3, 5e-6, False),  # 450.00us
        ("1000.00ms", "s", 1.0, 5e-6, True),
        ("51.00s", "s", 51.0, 5e-3, True),
        ("52.00s", "s", 52.0, 5e-3, False),  # 0.87m
        ("60.00m", "s", 3600.0, 0.3, True),
        ("1.5s", "s", 1.5, 5e-2, False),
        ("0.87k", "1/s", 870.0, 5.0, True),
        ("900.00", "1/s", 900.0, 5e-3, False),
        ("0.85KB", "bytes", 870.4, 5.12, True),
        ("0.50MB", "bytes", 524288.0, 5242.88, False),
    ],
)
def test_numbers_that_wrk_prints_and_that_it_does_not(
    cell: str, unit: str, number: float, resolution: float, prints: bool
) -> None:
    _, odd = intervals.printed_by_wrk(np.array([number]), np.array([resolution]), unit)
    assert odd.tolist() == [not prints], cell
    assert intervals.text_as_printed(number, resolution, unit) == cell


def test_a_number_in_a_form_that_wrk_does_not_print_is_suspect() -> None:
    assert found(changed("193.32us", "0.19ms")) == {"not-as-wrk-prints": "suspect"}
    messages = wp.audit(wp.parse_text(changed("193.32us", "0.19ms"))).findings["message"]
    assert "latency, mean: 0.19ms is a form that wrk does not print" in set(messages)


NO_LATENCY = "    Latency      -nanus    -nanus   0.00us    0.00%\n"
NO_RATES = "    Req/Sec       -nan      -nan   0.00      0.00%\n"


@pytest.mark.parametrize(
    ("rows", "severity", "line"),
    [((3, NO_LATENCY), "latency-suspect", 4), ((4, NO_RATES), "note", 5), (None, "latency-suspect", 4)],
)
def test_a_report_without_samples_is_named_once(rows: tuple[int, str] | None, severity: str, line: int) -> None:
    """wrk2 prints ``-nan`` of Req/Sec in every run of 10 s or less; of both where it has no sample at all."""
    lines = WRK.splitlines(keepends=True)
    for at, row in [rows] if rows else [(3, NO_LATENCY), (4, NO_RATES)]:
        lines[at] = row
    result = audited("".join(lines)).findings
    assert result.loc[result["code"] == "not-a-number", ["severity", "line"]].to_numpy().tolist() == [[severity, line]]


def test_threads_times_their_rate_must_be_the_total() -> None:
    """8 × 11.20k / 40669 = 2.20; 8 × 5.50k / 40669 = 1.08 is within 0.15."""
    assert found(changed("5.11k", "11.20k", changed("6.84k", "16.84k"))) == {"thread-rate": "suspect"}
    assert found(changed("5.11k", "6.10k")) == {"thread-rate": "note"}
    assert found(changed("5.11k", "5.50k")) == {}


def test_percentiles_must_rise_and_stay_below_the_maximum() -> None:
    rows = "  Latency Distribution\n     50%  190.00us\n     75%  {}\n     90%  300.00us\n     99%  {}\n"
    for seventy_five, ninety_nine, fits in (("200.00us", "1.57ms", True), ("301.00us", "1.57ms", False)):
        text = changed("  410759", rows.format(seventy_five, ninety_nine) + "  410759")
        assert ("order-contradiction" not in found(text)) is fits
    assert found(changed("  410759", rows.format("200.00us", "1.59ms") + "  410759")) == {
        "order-contradiction": "invalid"
    }


def test_a_mean_above_the_maximum_is_a_contradiction() -> None:
    codes = found(changed("193.32us", "193.32ms"))
    assert codes["order-contradiction"] == "invalid"
    assert "little-law-unexplained" in codes


# --- Little's law -----------------------------------------------------------------------------------------------------


def corrected_mean(samples: list[int], expected: int) -> float:
    """The mean after wrk 4's stats_correct, step by step."""
    counts = dict.fromkeys(range(max(samples) + 1), 0)
    for sample in samples:
        counts[sample] += 1
    for late in range(2 * expected, max(samples) + 1):
        added = late - expected
        while counts[late] and added > expected:
            counts[added] += counts[late]
            added -= expected
    return sum(latency * count for latency, count in counts.items()) / sum(counts.values())


def test_the_correction_of_wrk_stays_below_its_bound_and_reaches_it() -> None:
    """Requests that follow each other take c/X on average at most: here 20 µs, in samples of many shapes."""
    random = np.random.default_rng(1)
    expected, reached = 20, 0.0
    for _ in range(200):
        others = random.integers(0, int(random.choice([1, 5, 20, 100])), 400)
        slow = np.full(int(random.integers(1, 200)), int(random.integers(expected, 40 * expected)))
        samples = [int(sample) for sample in np.concatenate([others, slow])]
        samples += [0] * max(0, sum(samples) // expected + 1 - len(samples))  # never above 20 µs on average
        bound = float(most_by_correction(np.array([max(samples) / expected]))[0])
        ratio = corrected_mean(samples, expected) / expected
        assert ratio <= bound
        reached = max(reached, ratio / bound)
    assert reached > 0.97


@pytest.mark.parametrize("maximum", [1.5, 2.0, 2.45, 3.0, 3.5, 7.3, 20.0])
def test_no_distribution_does_more_than_the_bound(maximum: float) -> None:
    """A linear program over all distributions up to the maximum whose mean is 1 at most (Charnes and Cooper, 1962)."""
    latency = np.unique(np.append(np.linspace(0, maximum, 1500), np.arange(np.floor(maximum) + 1)))
    added = [[late - j for j in range(1, 30) if late - j > 1 and late >= 2] for late in latency.tolist()]
    total = latency + [sum(some) for some in added]
    count = np.array([1 + len(some) for some in added])
    found = linprog(-total, A_ub=[latency - 1], b_ub=[0], A_eq=[count], b_eq=[1])
    assert -found.fun == pytest.approx(float(most_by_correction(np.array([maximum]))[0]), rel=2e-3)


def test_what_the_correction_can_make_is_called_so() -> None:
    """e = c/X = 196.7 µs. The maximum of 1.57 ms is 7.98 e: at most 2.5 e. 250 µs is 1.27 e, 470 is 2.39, 600 is 3.05."""
    assert found(changed("193.32us", "250.00us")) == {"little-law-high": "note"}
    assert found(changed("193.32us", "470.00us")) == {"little-law-high": "latency-suspect"}
    assert found(changed("193.32us", "600.00us")) == {"little-law-unexplained": "latency-suspect"}


def test_idle_connections_lower_the_product() -> None:
    """90 µs × 40669 / 8 = 0.458; 150 µs gives 0.763."""
    assert found(changed("193.32us", "90.00us")) == {"little-law-low": "suspect"}
    assert found(changed("193.32us", "150.00us")) == {"little-law-low": "note"}


def test_the_law_counts_the_connections_that_wrk_opens() -> None:
    """8 threads open 1 of 15 connections each: 8, so the product is 0.983 and not 0.524."""
    result = audited(changed("8 connections", "15 connections")).findings
    assert dict(zip(result["code"], result["severity"], strict=True)) == {"fewer-connections": "note"}
    assert result[["value", "expected"]].to_numpy().tolist() == [[8.0, 15.0]]


def test_fewer_connections_than_threads_or_cores() -> None:
    assert found(changed("8 connections", "7 connections"))["threads-exceed-connections"] == "invalid"
    assert found("GOMAXPROCS=12 ./server &\n$ wrk -t8 -c8 http://10.0.1.70:8080/hello", WRK) == {
        "few-connections": "note"
    }


def test_a_backlog_of_wrk2() -> None:
    """2.5 ms × 40669 / 8 = 12.7 requests per connection were due."""
    rows = "  Latency Distribution (HdrHistogram - Recorded Latency)\n 50.000%    2.50ms\n100.000%    5.00ms\n"
    text = changed("193.32us", "  2.50ms", changed("1.57ms", "5.00ms"))
    assert found(changed("  410759", rows + "  410759", text)) == {"backlog": "latency-suspect"}


# --- time-outs, errors ------------------------------------------------------------------------------------------------


def with_errors(connect: int = 0, read: int = 0, write: int = 0, timeout: int = 0, text: str = WRK) -> str:
    line = f"  Socket errors: connect {connect}, read {read}, write {write}, timeout {timeout}\n"
    return changed("Requests/sec:", f"{line}Requests/sec:", text)


@pytest.mark.parametrize(
    ("errors", "severity"),
    [
        (41, "note"),
        (42, "latency-suspect"),
        (4149, "latency-suspect"),
        (4150, "suspect"),
        (21618, "suspect"),
        (21619, "invalid"),
    ],
)
def test_socket_errors_by_their_share(errors: int, severity: str) -> None:
    """41 / (410759 + 41) = 0.0000998; 4150 / 414909 = 0.010002; 21619 / (410759 + 21619) = 0.0500002."""
    assert found(with_errors(read=errors)) == {"socket-errors": severity}


@pytest.mark.parametrize(("late", "severity"), [(4149, "latency-suspect"), (4150, "suspect"), (287531, "suspect")])
def test_late_responses_of_wrk_are_completed_requests(late: int, severity: str) -> None:
    """``response_complete()`` counts a response before it sees that it is late: 287,531 are 70 % of 410,759."""
    assert found(with_errors(timeout=late))["socket-errors"] == severity
    assert found(with_errors(write=21619, timeout=late))["socket-errors"] == "invalid"


def test_more_time_outs_than_requests_are_no_late_responses() -> None:
    """As wrk 3 counts each connection that waits, again and again (``check_timeouts()`` of its ``src/wrk.c``)."""
    assert found(with_errors(timeout=410759))["socket-errors"] == "suspect"
    assert found(with_errors(timeout=410760))["socket-errors"] == "invalid"


@pytest.mark.parametrize(
    ("reads", "codes"),
    [
        (410759, {"connections-closed": "latency-suspect"}),
        (410751, {"connections-closed": "latency-suspect"}),  # the last 8 were open at the end
        (380000, {"socket-errors": "invalid"}),  # 0.925 of the requests
        (500000, {"socket-errors": "invalid"}),  # 1.22
    ],
)
def test_as_many_failed_reads_as_responses_are_connections_that_the_server_closed(
    reads: int, codes: dict[str, str]
) -> None:
    assert found(with_errors(read=reads)) == codes
    assert found(with_errors(read=reads, connect=100)) == {"socket-errors": "latency-suspect", **codes}


@pytest.mark.parametrize(
    ("errors", "severity"),
    [
        (41, "note"),
        (42, "latency-suspect"),
        (4107, "latency-suspect"),
        (4108, "suspect"),
        (20537, "suspect"),
        (20538, "invalid"),
    ],
)
def test_error_responses_by_their_share(errors: int, severity: str) -> None:
    """4108 / 410759 = 0.010001; 20538 / 410759 = 0.0500001."""
    assert found(changed("Requests/sec:", f"  Non-2xx or 3xx responses: {errors}\nRequests/sec:")) == {
        "non-2xx": severity
    }


def test_a_maximum_at_the_timeout_says_that_the_tail_is_cut() -> None:
    slow = changed("1.57ms", " 1.95s")
    assert found(slow) == {"max-at-timeout": "note"}
    assert found(with_errors(timeout=3, text=slow)) == {"socket-errors": "note", "max-at-timeout": "latency-suspect"}
    assert found(changed("1.57ms", " 1.80s")) == {}
    assert found(changed("1.57ms", " 2.30s")) == {}  # before wrk 4 nothing is cut


def test_the_timeout_is_that_of_the_command() -> None:
    slow = changed("1.57ms", " 1.95s")
    assert found("$ wrk -t8 -c8 -d10s --timeout 5 http://10.0.1.70:8080/hello", slow) == {}
    assert found("$ wrk -t8 -c8 -d10s --timeout 1m http://10.0.1.70:8080/hello", with_errors(timeout=3)) == {
        "socket-errors": "note",
        "timeouts-impossible": "latency-suspect",
    }


def test_a_run_without_a_request_is_invalid() -> None:
    text = (FIXTURES / "wrk" / "hang.txt").read_text()
    assert found(text).get("nothing-measured") == "invalid"


# --- duration, target -------------------------------------------------------------------------------------------------


def test_a_run_that_was_interrupted_is_no_run_of_its_setting() -> None:
    """It took 10.10 s: 51 % of 20 s, and 48 % of 21 s."""
    assert found(changed("Running 10s", "Running 30s")) == {"cut-short": "invalid"}
    assert found(changed("Running 10s", "Running 20s")) == {"cut-short": "suspect"}
    assert found(changed("Running 10s", "Running 21s")) == {"cut-short": "invalid"}


def test_a_run_that_took_longer_is_suspect() -> None:
    """9 s ± (2 % + 0.5 s) ends at 9.685 s; 10.10 s is more."""
    assert found(changed("Running 10s", "Running 9s")) == {"overran": "suspect"}


def test_minutes_are_rounded_in_the_plan() -> None:
    """'Running 2m' is anything from 90 to 150 s, so 91 s are no interruption, and 80 s are."""
    minutes = changed("10.10s", "1.52m", changed("Running 10s", "Running 2m"))
    assert "cut-short" not in found(minutes)
    assert "cut-short" in found(changed("1.52m", "1.33m", minutes))


def test_wrk2_that_misses_its_target() -> None:
    rows = "  Latency Distribution (HdrHistogram - Recorded Latency)\n 50.000%  190.00us\n"
    text = changed("  410759", rows + "  410759")
    for rate, expected in (
        (50000, {"target-missed": "latency-suspect"}),
        (30000, {"target-exceeded": "suspect"}),
        (41000, {}),
    ):
        codes = found(f"$ wrk2 -t8 -c8 -d10s -R{rate} http://10.0.1.70:8080/hello", text)
        assert codes == expected


# --- network ----------------------------------------------------------------------------------------------------------


def of_study(tmp_path: Path, text: str, nic: str = "1.0e+9") -> pd.DataFrame:
    (tmp_path / "wrkparse.yaml").write_text(f"title: a\nabout: {{nic_bits_per_s: {nic}}}\n")
    (tmp_path / "log.txt").write_text(text)
    return audit(wp.read(tmp_path)).findings


def test_a_full_network_is_named(tmp_path: Path) -> None:
    """7.13 MB/s / 40669.44 = 183.8 bytes; 8 × 40669.44 × (183.8 + 90) = 89.1 Mbit/s: 97 % of 92, and 59.8 payload."""
    findings = of_study(tmp_path, WRK, "92.0e+6")
    assert findings[["code", "severity", "line"]].to_numpy().tolist() == [["nic-limit", "suspect", 8]]
    size = 7.13 * 2**20 / 40669.44
    assert findings["value"].tolist() == pytest.approx([8 * 40669.44 * (size + 90) / 92e6])
    assert of_study(tmp_path, WRK, "105.0e+6")["severity"].tolist() == ["note"]
    assert of_study(tmp_path, WRK, "1.0e+9").empty


def test_loopback_is_no_network(tmp_path: Path) -> None:
    findings = of_study(tmp_path, changed("10.0.1.70", "127.0.0.1"), "92.0e+6")
    assert findings["code"].tolist() == ["same-machine"]


def test_a_response_of_another_size_stands_out(tmp_path: Path) -> None:
    """Three runs of 183.95 bytes per request and one of half: 36.03 MB in place of 72.06 MB. The message names a run."""
    others = "\n".join(changed("5.11k", f"5.1{n}k") for n in range(3))
    (tmp_path / "log.txt").write_text(others + "\n" + changed("72.06MB", "36.03MB", changed("7.13MB", "3.57MB")))
    findings = audit(wp.read(tmp_path)).findings
    assert findings["message"].tolist() == [
        "91.98 bytes per request, but 184 in log.txt:1, and alike in 75% of the 4 runs"
    ]
    assert findings[["code", "severity", "line"]].to_numpy().tolist() == [["response-size", "suspect", 33]]
    assert findings["value"].tolist() == pytest.approx([36.03 * 2**20 / 410759])


# --- verdicts ---------------------------------------------------------------------------------------------------------


def test_the_verdict_is_the_worst_finding_and_its_reasons() -> None:
    bad = with_errors(read=42, text=changed("40669.44", "50000.00", changed("7.13MB", "9.99MB")))
    result = audited(WRK, bad)
    assert result.verdicts["verdict"].tolist() == ["ok", "invalid"]
    reasons = result.verdicts["reasons"].tolist()[1]
    assert reasons.count(";") == 1  # two contradictions; the errors make only the latencies suspect
    assert "throughput 50,000/s" in reasons
    assert "transfer rate" in reasons


def test_a_suspect_run_may_have_doubtful_latencies() -> None:
    """A worse finding of another kind does not make latencies count again, nor do more errors."""
    short = changed("Running 10s", "Running 11s")
    both = changed("193.32us", "470.00us", short)  # 470 µs × 40669 / 8 = 2.39
    table = verdicts(wp.parse_text("\n\n".join([short, both, with_errors(read=4150)])))
    assert table["verdict"].to_pylist() == ["suspect", "suspect", "suspect"]
    assert table["latency_valid"].to_pylist() == [True, False, False]


def test_the_columns_for_the_store() -> None:
    """Runs with suspect latencies are valid: they are shown and ranked."""
    table = verdicts(wp.parse_text(with_errors(read=42) + changed("40669.44", "50000.00")))
    assert table.schema.types == [pa.string(), pa.string(), pa.bool_(), pa.bool_(), pa.string()]
    assert table.column_names == ["run", "verdict", "valid", "latency_valid", "invalid_reason"]
    assert table["verdict"].to_pylist() == ["latency-suspect", "invalid"]
    assert table["valid"].to_pylist() == [True, False]
    assert table["latency_valid"].to_pylist() == [False, False]
    assert table["invalid_reason"].to_pylist()[0] is None
    assert "requests / elapsed" in table["invalid_reason"].to_pylist()[1]


def test_the_columns_of_text_are_text_without_a_finding() -> None:
    found, none = (wp.audit(wp.parse_text(text)).findings for text in (WRK.replace("7.13MB", "9.99MB"), ""))
    assert len(found) > len(none) == 0
    assert none.dtypes.to_dict() == found.dtypes.to_dict()
    assert list(none["code"].str.upper()) == []


def test_checks_are_counted_the_worst_first() -> None:
    """Little's law is 0.983 as printed; writes of 1 and of 400,000 of 410,759 requests are a note and invalid."""
    texts = [
        WRK.replace("Requests/sec", f"  Socket errors: connect 0, read 0, write {count}, timeout 0\nRequests/sec")
        for count in (1, 1, 400000)
    ]
    checks = wp.audit(wp.parse_text("\n".join(texts))).checks
    severities = checks["severity"].tolist()
    assert severities[0] == "invalid"
    order = ["invalid", "suspect", "latency-suspect", "note"]
    assert severities == sorted(severities, key=order.index)
    assert checks.loc[checks["severity"] == "invalid", "runs"].max() == 1
    assert checks.loc[checks["code"] == "socket-errors", "runs"].sum() == 3

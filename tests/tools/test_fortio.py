"""fortio is complete, and its loop is closed whatever rate it is asked for."""

from __future__ import annotations

import pandas as pd
import pytest

import wrkparse as wp
from tests.tools.harness import FIXTURES
from wrkparse.tools.significant import nanoseconds, significant

FOLDER = FIXTURES / "fortio"


def text_of(case: str) -> str:
    return (FOLDER / case).read_text(encoding="utf-8")


def numbers(text: str) -> dict[str, float]:
    rows = wp.parse_text(text).measurements
    return {f"{row.metric}/{row.stat}": row.value for row in rows.itertuples()}


@pytest.mark.parametrize(
    ("text", "value", "resolution"),
    [
        ("7.997", 7.997, 5e-5),  # %.5g of 7.99698…: five digits, the last a zero that %g leaves out
        ("10035", 10035.0, 0.5),
        ("1.2346e+05", 123460.0, 5.0),
        ("6.8472e-05", 6.8472e-05, 5e-10),
        ("0", 0.0, 0.0),
    ],
)
def test_a_number_of_g_is_as_exact_as_its_significant_digits(text: str, value: float, resolution: float) -> None:
    assert significant(5).parse(text) == pytest.approx((value, resolution))


def test_a_limit_is_as_exact_as_the_clock() -> None:
    assert nanoseconds().parse("0.000542155") == (0.000542155, 5e-10)


@pytest.mark.parametrize("text", ["", "nan", "1.2.3", "1e", "0x10", "+5"])
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a number"):
        significant(5).parse(text)


def test_a_paced_run_is_closed_and_its_latencies_are_not_corrected() -> None:
    # runOne of periodic.go: time.Now() in front of Run, whose end the next sleep waits for
    (run,) = wp.parse_text(text_of("behind.txt")).runs.to_dict("records")
    assert (run["loop"], run["corrected"], run["rate"]) == ("closed", False, 400.0)
    assert numbers(text_of("behind.txt"))["throughput/total"] == 81.183


def test_the_rate_of_a_quiet_run_is_that_of_its_last_line() -> None:
    # qps in "Ended after" has five digits, in "All done" one decimal
    assert numbers(text_of("loglevel-error.txt"))["throughput/total"] == 19551.6
    assert numbers(text_of("stdclient.txt"))["throughput/total"] == 27074.0


def test_error_cases_of_http_are_no_failures_even_without_the_lines_of_codes() -> None:
    # 20 responses of status 503, which are responses
    text = text_of("mixed.txt")
    assert numbers(text)["non_2xx/total"] == 20
    assert "failed_requests/total" not in numbers(text[: text.index("Code 200")])
    assert numbers(text_of("tcp.txt"))["failed_requests/total"] == 20


def test_the_text_and_the_object_of_one_kind_of_run_give_the_same_metrics() -> None:
    in_text, in_json = set(numbers(text_of("mixed.txt"))), set(numbers(text_of("json-mixed.log")))
    assert in_text - in_json == {"planned_requests/total"}  # 100 calls were asked for in the one, 2 s in the other
    assert in_json - in_text == set()


def test_a_run_that_is_given_up_is_none() -> None:
    dataset = wp.parse_text(
        "Fortio 1.68.2 running at 0 queries per second, 2->2 procs, for 1s: http://127.0.0.1:1/\n"
        "Aborting because of error -1 for http://127.0.0.1:1/ (0 bytes)\n"
    )
    assert dataset.runs.empty
    (message,) = dataset.diagnostics["message"]
    assert message == "fortio: stopped without results: Aborting because of error -1 for http://127.0.0.1:1/ (0 bytes)"


def test_lines_of_its_logger_do_not_end_a_report() -> None:
    text = text_of("paced.txt")
    coloured = text.replace('{"ts":', '21:07:45.045 r1 [INF] periodic.go:851> {"ts":')
    whole = [line for line in text.splitlines(keepends=True) if not line.startswith("{")]
    assert numbers(text) == numbers(coloured) == numbers("".join(whole))


def test_its_failures_are_among_its_requests() -> None:
    runs = wp.parse_text(text_of("refused.txt"))
    finding = wp.audit(runs).findings.set_index("code").loc["failed-requests"]
    assert finding["message"] == "100.00% failed: 10 of 10"
    assert pd.isna(runs.wide().iloc[0].get("throughput"))


def test_no_value_stands_directly_behind_an_option_of_one_letter() -> None:
    """Go's package flag takes ``-stdclient`` for one option: ``-s`` has no part in it."""
    command = "$ fortio load -stdclient -sequential-warmup -c 8 -t=2s -payload hi http://127.0.0.1/"
    text = "\n".join([command, *text_of("stdclient.txt").splitlines()[1:]])
    labels = wp.parse_text(text).labels
    told = {row["key"]: row["value"] for row in labels[labels["origin"] == "flag"].to_dict("records")}
    assert told["connections"] == "8"
    assert told["flag_stdclient"] == told["flag_sequential_warmup"] == "true"
    assert told["flag_body"] == "hi"
    assert "flag_streams" not in told

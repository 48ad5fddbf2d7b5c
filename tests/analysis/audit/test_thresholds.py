"""Each check at its threshold: the last number that agrees and the first that does not, worked out by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.audit.reports import AB, TIME, changed, found
from tests.analysis.audit.test_audit_processes import GC, GOOD
from tests.samples import WRK

FIXTURES = Path(__file__).parents[2] / "fixtures"


def codes(*texts: str) -> set[str]:
    return set(found(*texts))


def wrk(*changes: tuple[str, str]) -> set[str]:
    text = WRK
    for old, new in changes:
        text = changed(old, new, text)
    return codes(text)


def ab(*changes: tuple[str, str]) -> set[str]:
    text = AB
    for old, new in changes:
        text = changed(old, new, text)
    return codes(text)


# --- spread -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("stdev", "fits"), [("730.80us", True), ("731.60us", False)])
def test_a_deviation_is_bounded_by_mean_and_maximum(stdev: str, fits: bool) -> None:
    """√(2 · (1575 - 193.325) · 193.325) = 730.9 µs at most: the maximum prints as 1.57ms up to 1575 µs.

    The mean may be 193.325 µs; printed with two decimals, 730.80 µs are 730.795 at least and 731.60 µs are 731.595.
    """
    assert ("stdev-contradiction" in wrk(("51.20us", stdev))) is not fits


@pytest.mark.parametrize(("share", "fits"), [("100.00%", True), ("100.01%", False)])
def test_a_share_of_samples_is_at_most_all_of_them(share: str, fits: bool) -> None:
    assert ("share-contradiction" in wrk(("83.29%", share))) is not fits


@pytest.mark.parametrize(("maximum", "fits"), [("10.19s", True), ("10.22s", False)])
def test_no_request_takes_longer_than_the_run(maximum: str, fits: bool) -> None:
    """The run took 10.105 s at most, and threads begin 0.1 s before its clock: 10.205 s. 10.22s is 10.215 at least."""
    assert ("latency-exceeds-run" in wrk(("1.57ms", maximum))) is not fits


# --- ab ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("across", "fits"), [("0.041", True), ("0.042", False), ("0.040", False)])
def test_abs_time_across_all_is_the_inverse_of_the_rate(across: str, fits: bool) -> None:
    """1 / 24630.85 is 0.0406 ms: between 0.0405 and 0.0415, and not in 0.0415 to 0.0425 or 0.0395 to 0.0405."""
    assert ("ab-times" in ab(("0.041", across))) is not fits


@pytest.mark.parametrize(("kept", "fits"), [(2000, True), (2001, False)])
def test_no_more_requests_are_kept_alive_than_are_complete(kept: int, fits: bool) -> None:
    line = "Failed requests:        0\n"
    assert ("ab-keep-alive" in ab((line, f"{line}Keep-Alive requests:    {kept}\n"))) is not fits


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("50%      0", "50%      1", "ab-percentiles"),  # the median of Total is 0
        ("100%     13", "100%     14", "ab-percentiles"),  # its maximum is 13
        ("Total:          0    0", "Total:          0    2", "ab-phases"),  # 0 + 0 ms, within 1.5 ms for rounding
        ("Waiting:        0    0   0.3      0      13", "Waiting:        0    0   0.3      0      14", "ab-phases"),
        ("Connect:        0    0   0.1      0       0", "Connect:        0    0   0.1      0      14", "ab-phases"),
    ],
)
def test_abs_table_adds_up(old: str, new: str, code: str) -> None:
    assert code in ab((old, new))
    assert code not in codes(AB)


@pytest.mark.parametrize(("html", "fits"), [(26_000, True), (26_104, True), (26_105, False), (25_999, False)])
def test_abs_bodies_are_length_times_requests(html: int, fits: bool) -> None:
    """2000 of 13 bytes are 26,000; each of 8 connections may have read one more: 104."""
    assert ("ab-bytes" in ab(("26000 bytes", f"{html} bytes"))) is not fits


def test_abs_bodies_are_a_part_of_what_was_read() -> None:
    small = (("Document Length:        13 ", "Document Length:        0 "), ("260000 bytes", "25000 bytes"))
    assert "ab-bytes" in ab(*small)


# --- time -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("cores", "fits"), [(3, True), (2, False)])
def test_a_command_can_not_use_more_than_its_cores(cores: int, fits: bool) -> None:
    """(3.22 + 2.24) / 2.61 are 2.09 processors: at least 5.44 / 2.62 = 2.076, above 2 · 1.02."""
    assert ("cpu-above-cores" in codes(f"$ GOMAXPROCS={cores} time ./server\n{TIME}")) is not fits


def test_a_process_has_some_memory() -> None:
    assert codes(changed("143804maxresident", "0maxresident", TIME)) == {"rss-missing"}
    assert codes(TIME) == set()


# --- gctrace ----------------------------------------------------------------------------------------------------------


def gc(*lines: dict[str, object]) -> set[str]:
    return codes("".join(GC.format(**(GOOD | {"n": n} | line)) for n, line in enumerate(lines, 1)))


@pytest.mark.parametrize(("second", "fits"), [("0.101", True), ("0.100", False)])
def test_a_cycle_begins_when_the_one_before_has_ended(second: str, fits: bool) -> None:
    """The first begins at 0.100 s or up to 1 ms later and lasts 0.018 + 1.3 + 0.076 = 1.394 ms: 101.394 at the earliest.

    0.101 may be 101.999 ms, 0.100 at most 100.999.
    """
    assert ("gc-overlap" in gc({"t": "0.100"}, {"t": second})) is not fits


@pytest.mark.parametrize(("background", "fits"), [("2.2", True), ("2.7", False)])
def test_workers_have_no_more_time_than_all_ps(background: str, fits: bool) -> None:
    """4 Ps in 0.019 + 1.4 + 0.077 = 1.496 ms have 5.98 ms. 0.35 + 2.2 + 3.0 are 5.55, and 0.35 + 2.7 + 3.0 are 6.05."""
    assert ("gc-workers" in gc({}, {"t": "0.200", "cpu": f"0.054+0.35/{background}/3.0+0.22"})) is not fits


@pytest.mark.parametrize(
    ("command", "traces", "fits"),
    [("go run main.go", 1, True), ("go run main.go", 2, False), ("go run . | tail -5", 3, False), ("./main", 2, True)],
)
@pytest.mark.parametrize("times", [1, 2])
def test_one_process_prints_a_trace_below_go_run(command: str, traces: int, times: int, fits: bool) -> None:
    """cmd/go runs the compiler and the program with its own environment. Each trace begins with number 1."""
    trace = "".join(GC.format(**(GOOD | {"n": n})) for n in (1, 2))
    page = f"$ GODEBUG=gctrace=1 {command}\n{trace * traces}" * times
    assert ("gc-go-run" in codes(page)) is not fits


def test_the_number_of_ps_changes_for_no_single_line() -> None:
    text = "".join(GC.format(**(GOOD | {"n": n, "t": f"{n}.1"})) for n in (1, 2, 3))
    assert "gc-procs" in codes(text.replace("4 P", "8 P", 2).replace("8 P", "4 P", 1))
    assert codes(text) == set()


# --- schedtrace -------------------------------------------------------------------------------------------------------


def sched(**changes: int) -> set[str]:
    numbers = {"idleprocs": 0, "threads": 5, "spinningthreads": 0, "idlethreads": 1} | changes
    middle = " ".join(f"{name}={value}" for name, value in numbers.items())
    return codes("".join(f"SCHED {t}ms: gomaxprocs=2 {middle} runqueue=0 [0 0]\n" for t in (0, 10)))


@pytest.mark.parametrize(("name", "most"), [("idleprocs", 2), ("spinningthreads", 5), ("idlethreads", 5)])
def test_no_more_are_idle_or_spinning_than_there_are(name: str, most: int) -> None:
    assert "sched-counts" not in sched(**{name: most})
    assert "sched-counts" in sched(**{name: most + 1})


@pytest.mark.parametrize(("last", "fits"), [(2, False), (3, True)])
def test_a_line_stands_once(last: int, fits: bool) -> None:
    """The same numbers a millisecond later are another line."""
    line = "SCHED {t}ms: gomaxprocs=2 idleprocs=0 threads=5 spinningthreads=0 idlethreads=1 runqueue=1 [0 0]\n"
    assert ("sched-order" in codes("".join(line.format(t=t) for t in (0, 1, 2, last)))) is not fits


def ticks(*of_first: int) -> set[str]:
    line = (
        "SCHED {t}ms: gomaxprocs=2 idleprocs=0 threads=5 spinningthreads=0 needspinning=0 idlethreads=1 runqueue=0 "
        "[ 0 0 ] schedticks=[ {ticks} 531 ]\n"
    )
    return codes("".join(line.format(t=20 * at, ticks=number) for at, number in enumerate(of_first)))


def test_ticks_of_a_p_count_up() -> None:
    """Up to 2³² - 1, and then from 0 again."""
    assert "sched-ticks" not in ticks(386, 386, 387)
    assert "sched-ticks" in ticks(386, 387, 386)
    assert "sched-ticks" not in ticks(4_294_967_290, 3)


@pytest.mark.parametrize(("third", "fits"), [(60, True), (30, False), (0, True)])
def test_a_trace_does_not_go_back_in_time(third: int, fits: bool) -> None:
    """At 0 ms another process begins."""
    line = "SCHED {t}ms: gomaxprocs=2 idleprocs=0 threads=5 spinningthreads=0 idlethreads=1 runqueue=0 [0 0]\n"
    assert ("sched-clock" in codes("".join(line.format(t=t) for t in (20, 40, third)))) is not fits


# --- gctrace, from line to line ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("share", "fits"), [("51%", True), ("53%", False)])
def test_the_share_of_gc_cpu_grows_by_no_more_than_the_time(share: str, fits: bool) -> None:
    """2 % after 0.1014 s are less than 3 % of 0.1025 s, and 0.1011 s more are all of it: 0.1042 of 0.2014 s are 51.7 %."""
    first, second = GC.format(**GOOD), GC.format(**(GOOD | {"n": 2, "t": "0.200"}))
    assert ("gc-cpu-share" in codes(first + changed("2%", share, second))) is not fits


@pytest.mark.parametrize(("third", "fits"), [("0.300", True), ("0.050", False)])
def test_numbers_that_go_on_do_so_at_a_later_time(third: str, fits: bool) -> None:
    assert ("gc-clock" in gc({"t": "0.100"}, {"t": "0.200"}, {"t": third})) is not fits


@pytest.mark.parametrize(("allocated", "fits"), [(121, True), (122, False)])
def test_objects_are_allocations_less_frees(allocated: int, fits: bool) -> None:
    """121 - 23 = 98."""
    log = (FIXTURES / "gctrace" / "go1.3.3-fosm.log").read_text()
    assert ("gc-objects" in codes(changed("98 (121-23)", f"98 ({allocated}-23)", log))) is not fits


# --- reports and their surroundings -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("command", "fits"), [("-t8 -c8 -d10s", True), ("-t4 -c8 -d10s", False), ("-t8 -c8", False)])
def test_a_report_belongs_to_its_command(command: str, fits: bool) -> None:
    url = "http://10.0.1.70:8080/hello" if "-d" in command else "http://10.0.1.70:8080/other -d10s"
    assert ("command-differs" in codes(f"$ wrk {command} {url}\n{WRK}")) is not fits


@pytest.mark.parametrize(("lines", "severity"), [(8, None), (7, "note"), (6, "suspect")])
def test_a_report_ends_with_its_last_line(lines: int, severity: str | None) -> None:
    """Without the transfer rate nothing is missing that runs are ranked by; without the rate it is."""
    assert found("".join(WRK.splitlines(keepends=True)[:lines])).get("incomplete") == severity


@pytest.mark.parametrize(("total", "fits"), [(3900, True), (4199, True), (4200, False), (3899, False)])
def test_heys_total_is_size_times_responses(total: int, fits: bool) -> None:
    """300 responses of 13 bytes, a quotient without its fraction: 3,900 to 4,199."""
    text = changed("3900 bytes", f"{total} bytes", (FIXTURES / "hey" / "mix-0.1.4.txt").read_text())
    assert ("size-contradiction" in codes(text)) is not fits


@pytest.mark.parametrize(
    ("rate", "code"),
    [
        ("15349.4834", "kept-responses"),
        ("12791.2488", "kept-responses"),
        ("12791.2487", None),
        ("12791.2324", None),
        ("12791.2323", "rate-contradiction"),
    ],
)
def test_hey_counts_the_first_million_responses(rate: str, code: str | None) -> None:
    """1,000,000 / 78.1785 s = 12,791.240558/s, of 78.17845 to 78.17855 s 12,791.23238 to 12,791.24874/s."""
    text = changed("15349.4834", rate, (FIXTURES / "hey" / "over-a-million-0.1.4.txt").read_text())
    assert codes(text) == ({code} if code else set())


@pytest.mark.parametrize(("failed", "severity"), [(11_999, "latency-suspect"), (12_001, "suspect")])
def test_failures_are_a_share_of_all_requests_of_hey(failed: int, severity: str) -> None:
    """1,200,000 requests by rate and time, 1 in 100 of which are 12,000; of 1,000,000 and the failures, 10,102."""
    errors = f'Error distribution:\n  [{failed}]\tGet "http://h/": EOF\n'
    text = (FIXTURES / "hey" / "over-a-million-0.1.4.txt").read_text().rstrip() + f"\n\n{errors}"
    assert found(text)["failed-requests"] == severity


@pytest.mark.parametrize(("maximum", "fits"), [("340.00ms", True), ("345.00ms", False)])
def test_a_stall_would_have_put_more_samples_above_p99(maximum: str, fits: bool) -> None:
    """More than 2 % of 8 connections · 2.105 s = 0.3368 s above a p99 of 4.825 ms: 341.6 ms."""
    text = changed("12.24ms", maximum, (FIXTURES / "wrk" / "latency.txt").read_text())
    assert ("lone-maximum" in codes(text)) is not fits


@pytest.mark.parametrize(("mean", "fits"), [("3.20ms", True), ("3.21ms", False)])
def test_wrk2s_table_and_footer_are_of_one_histogram(mean: str, fits: bool) -> None:
    """The footer's mean is 3.196 ms; 3.20ms is 3.195 to 3.205, 3.21ms is 3.205 at least."""
    text = (FIXTURES / "wrk" / "calibrated-u_latency.txt").read_text()
    assert ("histogram-contradiction" in codes(changed("Latency     3.20ms", f"Latency     {mean}", text))) is not fits


@pytest.mark.parametrize(("count", "severity"), [(0, None), (19, "latency-suspect"), (20, "suspect"), (100, "invalid")])
def test_write_errors_by_their_share(count: int, severity: str | None) -> None:
    """Of 2000 requests: from 1 in 100 on the rate is in doubt, from 1 in 20 on it is one of failures."""
    line = "Failed requests:        0\n"
    assert found(changed(line, f"{line}Write errors:           {count}\n", AB)).get("write-errors") == severity


@pytest.mark.parametrize(("system", "busy"), [("0.04", False), ("0.05", True)])
def test_ab_that_uses_all_of_its_one_thread(system: str, busy: bool) -> None:
    """In 0.08 s: 0.03 + 0.04 may be 0.05 / 0.09 to 0.09 / 0.07, in the middle 92 %; with 0.05 it is 105 %. 95 % is busy."""
    share = "87%" if system == "0.04" else "100%"
    time = (
        f"0.03user {system}system 0:00.08elapsed {share}CPU (0avgtext+0avgdata 3000maxresident)k\n"
        "0inputs+0outputs (0major+200minor)pagefaults 0swaps\n"
    )
    assert ("load-generator-busy" in codes(AB, time)) is busy

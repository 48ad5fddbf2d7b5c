"""Whether a load generator's report agrees with itself, and the run lasted as long and went as fast as it was to."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from wrkparse.analysis.checks.finding import INVALID, NOTE, SUSPECT, Findings
from wrkparse.analysis.checks.run_arrays import NUMBERED, Sheet
from wrkparse.analysis.stats.intervals import Interval
from wrkparse.model.records import INCOMPLETE

THREAD_RATE_NOTE, THREAD_RATE_SUSPECT = 1.15, 1.5
DURATION_SHARE, DURATION_S = 0.02, 0.5  # threads of wrk stop within 0.1 s of each other; a busy machine takes longer
WHOLE_KIB_S = 1e-4
TARGET_SHARE = 0.03  # wrk2 opens its connections over the first seconds


def checks(sheet: Sheet) -> Iterator[Findings]:
    """All checks of this module."""
    yield incomplete(sheet)
    yield from nothing_measured(sheet)
    yield from not_a_number(sheet)
    yield from rates(sheet)
    yield thread_rate(sheet)
    yield from orders(sheet)
    yield from not_as_wrk_prints(sheet)
    yield from duration(sheet)
    yield from target(sheet)


def incomplete(sheet: Sheet) -> Findings:
    """A report that ends before its tool's last line, as the reader said of it; suspect where that was a warning."""
    said = sheet.dataset.sql(
        "SELECT r.i, d.line, d.severity, d.message FROM diagnostics d "
        "JOIN runs u ON u.source = d.source AND u.line_end = d.line AND starts_with(d.message, u.tool || ':') "
        f"JOIN {NUMBERED} r ON r.run = u.run WHERE d.code = '{INCOMPLETE}' ORDER BY r.i"
    )
    nothing = np.full(len(said), np.nan)
    return Findings(
        INCOMPLETE, np.where(said["severity"] == "warning", SUSPECT, NOTE), said["i"].to_numpy(np.int64),
        said["line"].to_numpy(np.int64), nothing, nothing, nothing, "{what}",
        {"what": said["message"].str.replace(r"^\w+: ", "", regex=True).to_numpy(object)},
    )  # fmt: skip


def nothing_measured(sheet: Sheet) -> Iterator[Findings]:
    """No request completed; or not one byte received."""
    requests = sheet.value("requests")
    yield sheet.findings(
        requests == 0, "nothing-measured", INVALID, "0 requests completed", value=requests, at="requests"
    )
    for metric in ("bytes_read", "bytes_transferred"):
        received = sheet.value(metric)
        message = "{requests:,.0f} requests completed, 0 bytes received"
        where = (received == 0) & (requests > 0)
        yield sheet.findings(
            where, "nothing-received", INVALID, message, value=received, at=metric, more={"requests": requests}
        )


def not_a_number(sheet: Sheet) -> Iterator[Findings]:
    """``nan`` in wrk's table though requests completed (without any, `nothing_measured` says it); of Req/Sec, if alone.

    wrk2 that has no latencies has no rates of threads either: that is one fault, and said once.
    """
    before = np.zeros(sheet.size, bool)
    for metric, severity in (("latency", SUSPECT), ("thread_throughput", NOTE)):
        where = sheet.stated(metric, "mean") & np.isnan(sheet.value(metric, "mean")) & ~(sheet.value("requests") == 0)
        yield sheet.findings(where & ~before, "not-a-number", severity, f"{metric} mean is nan", at=(metric, "mean"))
        before = where


def rates(sheet: Sheet) -> Iterator[Findings]:
    """Requests ÷ elapsed time against the printed rate, bytes ÷ elapsed time against the printed transfer rate.

    Both are computed of the exact time: ``complete / runtime_s`` and ``bytes / runtime_s`` in wrk.c ``main``, ``done /
    timetaken`` and ``totalread / 1024 / timetaken`` in ab.c ``output_results``. So the intervals that the printed
    numbers stand for must meet; that is the whole tolerance.
    """
    elapsed = sheet.printed_by_wrk("s", "elapsed")
    for metric, unit, totals, code in (
        ("throughput", "1/s", ("requests",), "rate-contradiction"),
        ("transfer_rate", "bytes/s", ("bytes_read", "bytes_transferred"), "transfer-contradiction"),
    ):
        rate = sheet.printed_by_wrk(unit, metric) if metric == "transfer_rate" else sheet.printed(metric)
        for total in totals:
            expected = _amount(sheet, total) / elapsed
            message = f"{metric} {{value:,.6g}}/s, but {total} / elapsed = {{expected:,.6g}}/s ± {{tolerance:,.2g}}"
            yield sheet.findings(
                rate.disjoint(expected), code, INVALID, message,
                value=sheet.value(metric), expected=expected.middle, tolerance=expected.half_width + rate.half_width,
                at=metric,
            )  # fmt: skip


def _amount(sheet: Sheet, metric: str) -> Interval:
    """Requests or bytes, where ab of httpd 2.0.21 to 2.2.8, whose times have µs, divided whole KiB by the time."""
    if metric == "bytes_read":
        return sheet.printed_by_wrk("bytes", metric)
    amount = sheet.printed(metric)
    old = (metric == "bytes_transferred") & (sheet.resolution("elapsed") < WHOLE_KIB_S)
    return Interval(np.where(old, amount.low // 1024 * 1024, amount.low), amount.high)


def thread_rate(sheet: Sheet) -> Findings:
    """Threads × mean of Req/Sec ÷ total rate, against 1.

    ``record_rate`` of wrk 4 (wrk.c) records the rate of a thread only if it has completed requests since it last did,
    cut to a whole number. The tolerance is 0.15, the printed resolution, and what the cut can take away.
    """
    threads, mean = sheet.number("threads"), sheet.printed_by_wrk("1/s", "thread_throughput", "mean")
    ratio = mean * threads / sheet.printed("throughput")
    middle = ratio.middle
    with np.errstate(divide="ignore", invalid="ignore"):
        slack = THREAD_RATE_NOTE - 1 + 1 / sheet.value("thread_throughput", "mean")
    off = (ratio.low > 1 + slack) | (ratio.high < 1 - slack)
    message = "threads × Req/Sec = {value:.3g} times the total rate"
    return sheet.findings(
        sheet.wrk & (slack < 1) & off, "thread-rate", np.where(middle >= THREAD_RATE_SUSPECT, SUSPECT, NOTE), message,
        value=middle, expected=1.0, tolerance=slack + ratio.half_width, at=("thread_throughput", "mean"),
    )  # fmt: skip


def orders(sheet: Sheet) -> Iterator[Findings]:
    """In order: min ≤ mean, median ≤ max, and p50 ≤ p75 ≤ … ≤ max, within what the printed numbers can stand for.

    wrk2's percentiles are the upper ends of HdrHistogram's buckets and its maximum is the lower end of one, so 1/1024
    of a percentile is allowed there (2048 sub-buckets).
    """
    for metric in ("latency", "latency_uncorrected", "connect", "processing", "waiting", "total"):
        stats = sheet.stats(metric)
        percentiles = sorted((stat for stat in stats if stat[:1] == "p"), key=lambda stat: float(stat[1:]))
        yield from _rising(sheet, metric, [stat for stat in [*percentiles, "max"] if stat in stats])
        for stat in ("mean", "median"):
            yield from _rising(sheet, metric, [s for s in ("min", stat, "max") if s in stats])


def _rising(sheet: Sheet, metric: str, stats: list[str]) -> Iterator[Findings]:
    bucket = np.where(sheet.tool == "wrk2", 1 / 1024, 0.0)
    highest, before = np.full(sheet.size, -np.inf), np.full(sheet.size, np.nan)
    for stat in stats:
        value, resolution = sheet.value(metric, stat), sheet.resolution(metric, stat)
        tolerance = resolution + bucket * value
        message = f"{metric} {stat} is {{value:.4g}} s, below a smaller statistic's {{expected:.4g}} s"
        yield sheet.findings(
            value + tolerance < highest * (1 - 1e-9), "order-contradiction", INVALID, message,
            value=value, expected=before, tolerance=tolerance, at=(metric, stat),
        )  # fmt: skip
        low = np.where(np.isnan(value), -np.inf, value - tolerance)
        before, highest = np.where(low > highest, value, before), np.maximum(low, highest)


def not_as_wrk_prints(sheet: Sheet) -> Iterator[Findings]:
    """Numbers that ``units.c`` of wrk prints in another unit: ``0.45ms``, ``1200.00k``, ``1.5s``."""
    for metric, unit in (
        ("latency", "s"), ("elapsed", "s"), ("thread_throughput", "1/s"), ("bytes_read", "bytes"),
        ("transfer_rate", "bytes/s"),
    ):  # fmt: skip
        for stat in sheet.stats(metric):
            if stat != "within_stdev":
                yield sheet.findings(
                    sheet.unprintable(unit, metric, stat), "not-as-wrk-prints", NOTE,
                    f"{metric} {stat} {{value:.6g}} in a form that wrk does not print",
                    value=sheet.value(metric, stat), at=(metric, stat),
                )  # fmt: skip


def duration(sheet: Sheet) -> Iterator[Findings]:
    """Elapsed against planned time: what wrk's first line says, or -d; ab's -t is a limit, so it may end sooner.

    The tolerance is 2 % and 0.5 s, the resolution of the elapsed time, and half a minute where the plan is in minutes.
    """
    stated = sheet.stated("planned_duration")
    planned = np.where(stated, sheet.value("planned_duration"), sheet.number("duration_s"))
    rough = np.where(stated, sheet.resolution("planned_duration"), 0.0)
    tolerance = rough + DURATION_SHARE * planned + DURATION_S + sheet.resolution("elapsed")
    elapsed = sheet.value("elapsed")
    message = "took {value:.4g} s of {expected:.4g} s planned (± {tolerance:.2g} s)"
    generators = sheet.wrk | (sheet.tool == "ab")
    for where, code, severity in (
        (sheet.wrk & (elapsed < planned - tolerance), "cut-short", SUSPECT),
        (generators & (elapsed > planned + tolerance), "overran", SUSPECT),
    ):
        yield sheet.findings(
            where, code, severity, message, value=elapsed, expected=planned, tolerance=tolerance, at="elapsed"
        )


def target(sheet: Sheet) -> Iterator[Findings]:
    """Achieved against asked rate (wrk2 -R), within 3 %."""
    asked, achieved = sheet.number("rate"), sheet.value("throughput")
    message = "{value:,.6g} requests/s of {expected:,.6g} asked for"
    wrk2 = sheet.tool == "wrk2"
    tolerance = TARGET_SHARE * asked
    for where, code in (
        (wrk2 & (achieved < asked - tolerance), "target-missed"),
        (wrk2 & (achieved > asked + tolerance), "target-exceeded"),
    ):
        yield sheet.findings(
            where, code, SUSPECT, message, value=achieved, expected=asked, tolerance=tolerance, at="throughput"
        )

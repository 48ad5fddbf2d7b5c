"""Checks of a load generator's report: whether it agrees with itself, with the planned time and the target rate."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from wrkparse.analysis.checks.finding import INVALID, LATENCY_SUSPECT, NOTE, SUSPECT, Findings
from wrkparse.analysis.checks.run_arrays import HDR_BUCKET, RunArrays
from wrkparse.analysis.stats.arrays import Floats
from wrkparse.analysis.stats.intervals import Interval
from wrkparse.tools import counting, hey

# Threads × Req/Sec ÷ total rate, by convention: Req/Sec is a mean of samples, so it need not give the exact total. Of
# the 214 runs of wrk in data/, 203 are within 0.15 of 1. The others are at 1.16, at 1.23, and from 1.75 to 5.
THREAD_RATE_NOTE, THREAD_RATE_SUSPECT = 1.15, 1.5
# Relative, and in seconds: the threads of wrk stop within 0.1 s of each other, on a busy machine somewhat later. Of 188
# runs in data/ and notebooks/loopback/ that print their plan in seconds, none is off by more than 0.11 s.
DURATION_TOLERANCE, DURATION_TOLERANCE_S = 0.02, 0.5
_HALF = 0.5  # of the planned time; a run that was stopped before is not a repeat of those that were not
OLD_AB_RESOLUTION_S = 1e-4  # elapsed times with a finer resolution were printed by ab of httpd 2.0.21 to 2.2.8
TARGET_TOLERANCE = 0.03  # relative: wrk2 opens its connections over the first seconds


def checks(runs: RunArrays) -> Iterator[Findings]:
    """All checks of this module."""
    yield from nothing_measured(runs)
    yield from not_a_number(runs)
    yield from rates(runs)
    yield kept_responses(runs)
    yield body_size(runs)
    yield thread_rate(runs)
    yield from orders(runs)
    yield from not_as_wrk_prints(runs)
    yield from duration(runs)
    yield from target(runs)


def nothing_measured(runs: RunArrays) -> Iterator[Findings]:
    """No request completed, or no byte received."""
    requests = runs.value("requests")
    yield runs.findings(
        requests == 0, "nothing-measured", INVALID, "0 requests completed", value=requests, at="requests"
    )
    received = runs.value("bytes_read")
    message = "{requests:,.0f} requests completed, 0 bytes received"
    where = (received == 0) & (runs.resolution("bytes_read") < 1) & (requests > 0)  # in kilobytes, 0.0 may be bytes
    yield runs.findings(
        where, "nothing-received", INVALID, message, value=received, at="bytes_read", more={"requests": requests}
    )


def not_a_number(runs: RunArrays) -> Iterator[Findings]:
    """``nan`` in wrk's table though requests completed. Runs without requests are left to `nothing_measured`.

    wrk2 without latencies has no rates of threads either. That is one fault, so it is reported once.
    """
    reported = np.zeros(runs.size, bool)
    for metric, severity in (("latency", LATENCY_SUSPECT), ("thread_throughput", NOTE)):
        where = runs.stated(metric, "mean") & np.isnan(runs.value(metric, "mean")) & ~(runs.value("requests") == 0)
        yield runs.findings(where & ~reported, "not-a-number", severity, f"{metric} mean is nan", at=(metric, "mean"))
        reported = where


def rates(runs: RunArrays) -> Iterator[Findings]:
    """Requests ÷ elapsed time against the printed rate, bytes ÷ elapsed time against the printed transfer rate.

    The tools compute both from the exact time: ``complete / runtime_s`` and ``bytes / runtime_s`` in ``main`` of wrk.c,
    ``done / timetaken`` and ``totalread / 1024 / timetaken`` in ``output_results`` of ab.c. So the ranges that the
    printed numbers can stand for must overlap. There is no other tolerance. Tools that print another rate, such as the
    mean of the seconds, are not checked, nor is the rate of bodies of oha, which its text cuts to whole bytes, nor runs
    of hey with more responses than it counts (`kept_responses`).
    """
    quotient = np.isin(runs.tool, [name for name, one in counting().items() if one.rate_is_quotient])
    elapsed = runs.printed_by_wrk("s", "elapsed")
    for metric, unit, total, code, checked in (
        ("throughput", "1/s", "requests", "rate-contradiction", quotient & np.isnan(requests_beyond_kept(runs))),
        ("transfer_rate", "bytes/s", "bytes_read", "transfer-contradiction", quotient),
        ("transfer_rate_bodies", "bytes/s", "bytes_bodies", "transfer-contradiction", quotient & (runs.tool != "oha")),
    ):
        rate = runs.printed_by_wrk(unit, metric) if metric == "transfer_rate" else runs.printed(metric)
        expected = _amount(runs, total) / elapsed
        digits, off, of = (",.6g", ",.2g", "") if unit == "1/s" else (",.0f", ",.0f", " B")
        message = (
            f"{_words(metric)} {{value:{digits}}}{of}/s, but {_words(total)} / elapsed = "
            f"{{expected:{digits}}}{of}/s ± {{tolerance:{off}}}"
        )
        yield runs.findings(
            checked & rate.disjoint(expected), code, INVALID, message,
            value=runs.value(metric), expected=expected.middle, tolerance=expected.half_width + rate.half_width,
            at=metric,
        )  # fmt: skip


def _words(metric: str) -> str:
    return metric.replace("_", " ")


def _amount(runs: RunArrays, metric: str) -> Interval:
    """Requests or bytes.

    The rates of hey and oha count what failed, too, and that of oha what it aborted at its end. ab of httpd 2.0.21 to
    2.2.8, which prints times in µs, divides whole KiB by the time.
    """
    amount = runs.printed_by_wrk("bytes", metric) if metric == "bytes_read" else runs.printed(metric)
    if metric == "requests":
        failed = np.nan_to_num(runs.value("failed_requests")) + np.nan_to_num(runs.value("aborted_requests"))
        more = np.where(np.isin(runs.tool, ("hey", "oha")), failed, 0.0)
        return Interval(amount.low + more, amount.high + more)
    old = (metric == "bytes_read") & (runs.tool == "ab") & (runs.resolution("elapsed") < OLD_AB_RESOLUTION_S)
    return Interval(np.where(old, amount.low // 1024 * 1024, amount.low), amount.high)


def requests_beyond_kept(runs: RunArrays) -> Floats:
    """The requests of each run of hey that got more responses than hey counts, by its rate and its time; else NaN.

    hey counts the first 1,000,000 responses (`wrkparse.tools.hey`), and all failures.
    """
    made = runs.printed("throughput") * runs.printed("elapsed")
    counted = runs.value("requests") + np.nan_to_num(runs.value("failed_requests"))
    beyond = (runs.tool == "hey") & (runs.value("requests") == hey.MOST_KEPT) & (made.low > counted)
    return np.where(beyond, made.middle, np.nan)


def kept_responses(runs: RunArrays) -> Findings:
    """More requests of hey than it counts responses: their latencies and statuses are those of the first."""
    made = requests_beyond_kept(runs)
    return runs.findings(
        ~np.isnan(made), "kept-responses", NOTE,
        "{expected:,.0f} requests; latencies and statuses are those of the first {value:,.0f} responses",
        value=runs.value("requests"), expected=made, at="requests",
    )  # fmt: skip


def body_size(runs: RunArrays) -> Findings:
    """Total data of hey against Size/request × responses: an integer quotient (``requester/report.go``).

    hey keeps the times of a million responses and divides by their number, so runs with more are not checked.
    """
    total, size, requests = runs.value("bytes_bodies"), runs.value("body_bytes"), runs.value("requests")
    fits = (total >= size * requests) & (total < (size + 1) * requests)
    return runs.findings(
        (runs.tool == "hey") & ~fits & (requests <= 1e6) & ~np.isnan(total) & ~np.isnan(size),
        "size-contradiction", INVALID,
        "{value:,.0f} bytes in all, but {requests:,.0f} responses of {size:,.0f} bytes are {expected:,.0f}",
        value=total, expected=size * requests, tolerance=requests, at="bytes_bodies",
        more={"requests": requests, "size": size},
    )  # fmt: skip


def thread_rate(runs: RunArrays) -> Findings:
    """Threads × mean of Req/Sec ÷ total rate, against 1.

    ``record_rate`` of wrk 4 (wrk.c) records a thread's rate, cut to an integer, only if the thread has completed
    requests since the last record. The tolerance is 0.15, plus the printed resolution, plus 1 for the cut.
    """
    threads, mean = runs.number("threads"), runs.printed_by_wrk("1/s", "thread_throughput", "mean")
    ratio = mean * threads / runs.printed("throughput")
    middle = ratio.middle
    with np.errstate(divide="ignore", invalid="ignore"):
        slack = THREAD_RATE_NOTE - 1 + 1 / runs.value("thread_throughput", "mean")
    # With fewer than 1.2 requests/s in a thread, the slack is above 1: the cut alone explains any ratio, and none is
    # checked.
    off = (ratio.low > 1 + slack) | (ratio.high < 1 - slack)
    message = "threads × Req/Sec = {value:.3g} times the total rate"
    return runs.findings(
        runs.wrk & (slack < 1) & off, "thread-rate", np.where(middle >= THREAD_RATE_SUSPECT, SUSPECT, NOTE), message,
        value=middle, expected=1.0, tolerance=slack + ratio.half_width, at=("thread_throughput", "mean"),
    )  # fmt: skip


def orders(runs: RunArrays) -> Iterator[Findings]:
    """The order min ≤ mean, median ≤ max, and p50 ≤ p75 ≤ … ≤ max, within what the printed numbers can stand for.

    wrk2 prints the upper end of an HdrHistogram bucket as a percentile and the lower end as the maximum, so the
    tolerance there is the width of a bucket, 1/1024 of the percentile.
    """
    metrics = ("latency", "latency_uncorrected", "thread_throughput", "connect", "processing", "response_wait", "total")
    for metric in metrics:
        stats = runs.stats(metric)
        percentiles = sorted((stat for stat in stats if stat[:1] == "p"), key=lambda stat: float(stat[1:]))
        yield from _rising(runs, metric, [stat for stat in [*percentiles, "max"] if stat in stats])
        # Each by itself: a mean may be above the median or below it.
        for stat in ("mean", "median"):
            yield from _rising(runs, metric, [s for s in ("min", stat, "max") if s in stats])


def _rising(runs: RunArrays, metric: str, stats: list[str]) -> Iterator[Findings]:
    """Findings where a statistic is below one that stands before it in `stats`."""
    bucket = np.where(runs.tool == "wrk2", HDR_BUCKET, 0.0)
    highest, before = np.full(runs.size, -np.inf), np.full(runs.size, np.nan)
    for stat in stats:
        value, resolution = runs.value(metric, stat), runs.resolution(metric, stat)
        tolerance = resolution + bucket * value
        unit = "/s" if metric == "thread_throughput" else " s"
        message = f"{metric} {stat} is {{value:.4g}}{unit}, below a smaller statistic's {{expected:.4g}}{unit}"
        yield runs.findings(
            value + tolerance < highest * (1 - 1e-9), "order-contradiction", INVALID, message,
            value=value, expected=before, tolerance=tolerance, at=(metric, stat),
        )  # fmt: skip
        # A statistic that is missing bounds none of those after it.
        low = np.where(np.isnan(value), -np.inf, value - tolerance)
        before, highest = np.where(low > highest, value, before), np.maximum(low, highest)


def not_as_wrk_prints(runs: RunArrays) -> Iterator[Findings]:
    """Numbers that ``units.c`` of wrk would print in another form: ``0.45ms``, ``1200.00k``, ``1.5s``.

    Programs with wrk's report and another dialect may print them, which is only noted.
    """
    own = np.isin(runs.texts("dialect"), ("", "wrk2"))
    for metric, unit in (
        ("latency", "s"), ("elapsed", "s"), ("thread_throughput", "1/s"), ("bytes_read", "bytes"),
        ("transfer_rate", "bytes/s"),
    ):  # fmt: skip
        for stat in runs.stats(metric):
            # A share, printed as `83.29%`, has no unit of units.c.
            if stat != "within_stdev":
                odd = runs.unprintable(unit, metric, stat)
                yield runs.findings(
                    odd, "not-as-wrk-prints", np.where(own, SUSPECT, NOTE),
                    f"{_words(metric)}, {_words(stat)}: {{text}} is a form that wrk does not print",
                    value=runs.value(metric, stat), at=(metric, stat),
                    more={"text": runs.texts_as_printed(unit, metric, stat, odd)},
                )  # fmt: skip


def duration(runs: RunArrays) -> Iterator[Findings]:
    """Elapsed against planned time: that of wrk's first line, or else of -d. ab's -t is a limit; it may end sooner.

    The tolerance is 2 %, plus 0.5 s, plus the resolution of both times: half a minute if the plan is in minutes. A run
    that ended before half of the time in its own first line is not a repeat of those that went on.
    """
    stated = runs.stated("planned_duration")
    planned = np.where(stated, runs.value("planned_duration"), runs.number("duration_s"))
    plan_resolution = np.where(stated, runs.resolution("planned_duration"), 0.0)
    tolerance = plan_resolution + DURATION_TOLERANCE * planned + DURATION_TOLERANCE_S + runs.resolution("elapsed")
    elapsed = runs.value("elapsed")
    message = "took {value:.4g} s of {expected:.4g} s planned (± {tolerance:.2g} s)"
    generators = runs.wrk | (runs.tool == "ab")
    stopped = np.where(stated & (elapsed < _HALF * planned), INVALID, SUSPECT)
    for where, code, severity in (
        (runs.wrk & (elapsed < planned - tolerance), "cut-short", stopped),
        (generators & (elapsed > planned + tolerance), "overran", SUSPECT),
    ):
        yield runs.findings(
            where, code, severity, message, value=elapsed, expected=planned, tolerance=tolerance, at="elapsed"
        )


def target(runs: RunArrays) -> Iterator[Findings]:
    """The achieved against the requested rate (wrk2 -R), within 3 %; below it, latencies grow with the run's length."""
    asked, achieved = runs.number("rate"), runs.value("throughput")
    message = "{value:,.6g} requests/s of {expected:,.6g} asked for"
    wrk2 = runs.tool == "wrk2"
    tolerance = TARGET_TOLERANCE * asked
    for where, code, severity in (
        (wrk2 & (achieved < asked - tolerance), "target-missed", LATENCY_SUSPECT),
        (wrk2 & (achieved > asked + tolerance), "target-exceeded", SUSPECT),
    ):
        yield runs.findings(
            where, code, severity, message, value=achieved, expected=asked, tolerance=tolerance, at="throughput"
        )

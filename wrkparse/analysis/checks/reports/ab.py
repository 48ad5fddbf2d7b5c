"""Checks of numbers that only ab prints. The formulas are those of ``output_results`` in httpd's ``support/ab.c``."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from wrkparse.analysis.checks.finding import INVALID, SUSPECT, Findings
from wrkparse.analysis.checks.run_arrays import RunArrays
from wrkparse.analysis.stats.arrays import Bools, Floats
from wrkparse.analysis.stats.intervals import Interval
from wrkparse.tools.ab.metrics import CAUSES

FAILURE_CAUSES = tuple(metric.name for metric in CAUSES.values())
_MS_APART = 0.0015  # three times rounded to ms differ by less from a sum that holds


def checks(runs: RunArrays) -> Iterator[Findings]:
    """All checks of this module."""
    yield concurrency(runs)
    yield times(runs)
    yield failures(runs)
    yield incomplete(runs)
    yield kept_alive(runs)
    yield from percentiles(runs)
    yield from sums(runs)
    yield from waiting(runs)
    yield from bodies(runs)


def concurrency(runs: RunArrays) -> Findings:
    """Time per request ÷ time per request across all = concurrency (ab.c: ``concurrency * timetaken / done``)."""
    ratio = runs.printed("time_per_request", "mean") / runs.printed("time_per_request_across", "mean")
    level = np.where(runs.tool == "ab", runs.number("connections"), np.nan)
    return runs.findings(
        ratio.disjoint(Interval(level, level)), "ab-concurrency", INVALID,
        "time per request / time across all = {value:.5g}, but the concurrency level is {expected:.0f}",
        value=ratio.middle, expected=level, tolerance=ratio.half_width, at=("time_per_request", "mean"),
    )  # fmt: skip


def times(runs: RunArrays) -> Findings:
    """Time per request across all = 1 / requests per second: ``timetaken / done`` and ``done / timetaken``."""
    across, rate = runs.printed("time_per_request_across", "mean"), runs.printed("throughput")
    expected = Interval(np.ones(runs.size), np.ones(runs.size)) / rate
    return runs.findings(
        across.disjoint(expected), "ab-times", INVALID,
        "time per request across all is {value:.5g} s, but 1 / requests per second is {expected:.5g} s",
        value=runs.value("time_per_request_across", "mean"), expected=expected.middle,
        tolerance=across.half_width + expected.half_width, at=("time_per_request_across", "mean"),
    )  # fmt: skip


def failures(runs: RunArrays) -> Findings:
    """Failed = Connect + Receive + Length + Exceptions, exactly: ab.c counts one cause with each ``bad++``."""
    stated = np.any([runs.stated(cause) for cause in FAILURE_CAUSES], axis=0)
    total = np.sum([np.nan_to_num(runs.value(cause)) for cause in FAILURE_CAUSES], axis=0)
    failed = runs.value("failed_requests")
    return runs.findings(
        (runs.tool == "ab") & stated & (failed != total) & ~np.isnan(failed), "ab-failures", INVALID,
        "{value:.0f} failed requests, but causes of {expected:.0f}", value=failed, expected=total, tolerance=0.0,
        at="failed_requests",
    )  # fmt: skip


def incomplete(runs: RunArrays) -> Findings:
    """Complete requests against -n, unless there is a time limit. With ``ab -r`` refused requests are complete."""
    asked, done = runs.numeric_text("flag_requests"), runs.value("requests")
    where = (runs.tool == "ab") & np.isnan(runs.number("duration_s")) & (done < asked)
    return runs.findings(
        where, "ab-incomplete", SUSPECT, "{value:,.0f} requests of {expected:,.0f}", value=done, expected=asked,
        tolerance=0.0, at="requests",
    )  # fmt: skip


def kept_alive(runs: RunArrays) -> Findings:
    """Keep-Alive requests ≤ Complete requests: ``doneka++`` only where ``done++`` (``read_connection`` in ab.c)."""
    kept, done = runs.value("keep_alive_requests"), runs.value("requests")
    return runs.findings(
        kept > done, "ab-keep-alive", INVALID, "{value:,.0f} keep-alive requests of {expected:,.0f} complete ones",
        value=kept, expected=done, tolerance=0.0, at="keep_alive_requests",
    )  # fmt: skip


def percentiles(runs: RunArrays) -> Iterator[Findings]:
    """50 % against the median of Total, and 100 % against its maximum.

    Since 2.2.9, both are elements of one sorted list: 100 % and the maximum the last one, 50 % the one at ``done * 50 /
    100``. The median is that one, too, for an even number of requests, and the mean of it and the next one otherwise.
    """
    checked, even = _rounds_to_ms(runs), runs.value("requests") % 2 == 0
    median, half = runs.value("total", "median"), runs.value("total", "p50")
    longest, last = runs.value("total", "max"), runs.value("total", "p100")
    for where, percentile, value, stat, expected in (
        (checked & np.where(even, _differ(half, median), half > median), "p50", half, "median", median),
        (checked & _differ(last, longest), "p100", last, "max", longest),
    ):
        message = f"total {percentile} is {{value:.4g}} s, but the {stat} of Total {{expected:.4g}} s"
        yield runs.findings(
            where, "ab-percentiles", INVALID, message, value=value, expected=expected, tolerance=0.0,
            at=("total", percentile),
        )  # fmt: skip


def _rounds_to_ms(runs: RunArrays) -> Bools:
    """The reports of ab of httpd 2.2.9 and later, which round times to ms. The version is that of the banner."""
    new: Bools = (runs.tool == "ab") & (runs.texts("tool_version") == "2.3")
    return new


def _differ(one: Floats, other: Floats) -> Bools:
    # Both are whole milliseconds, so that a difference of 1e-9 s is an error of float arithmetic.
    differ: Bools = np.abs(one - other) > 1e-9  # false where one is missing
    return differ


def sums(runs: RunArrays) -> Iterator[Findings]:
    """Connect + Processing = Total for each request, so for the means; minima and maxima of parts bound the total's.

    Each of the three is rounded to ms.
    """
    total, connect, processing = (
        {stat: runs.value(phase, stat) for stat in ("min", "mean", "max")}
        for phase in ("total", "connect", "processing")
    )
    both = {stat: connect[stat] + processing[stat] for stat in ("min", "mean", "max")}
    for stat, relation, where in (
        ("mean", "is", np.abs(total["mean"] - both["mean"]) > _MS_APART),
        ("min", "is at least", total["min"] < both["min"] - _MS_APART),
        ("max", "is at most", total["max"] > both["max"] + _MS_APART),
    ):
        yield runs.findings(
            _rounds_to_ms(runs) & where, "ab-phases", INVALID,
            f"total {stat} is {{value:.4g}} s, but connect + processing {relation} {{expected:.4g}} s",
            value=total[stat], expected=both[stat], tolerance=_MS_APART, at=("total", stat),
        )  # fmt: skip


def waiting(runs: RunArrays) -> Iterator[Findings]:
    """Waiting ≤ Processing ≤ Total and Connect ≤ Total of each request, so of each statistic but the deviation."""
    for part, whole in (("response_wait", "processing"), ("processing", "total"), ("connect", "total")):
        for stat in ("min", "mean", "median", "max"):
            value, limit = runs.value(part, stat), runs.value(whole, stat)
            yield runs.findings(
                _rounds_to_ms(runs) & (value > limit + 1e-9), "ab-phases", INVALID,
                f"{part} {stat} is {{value:.4g}} s, above {whole} {stat} of {{expected:.4g}} s", value=value,
                expected=limit, tolerance=0.0, at=(part, stat),
            )  # fmt: skip


def bodies(runs: RunArrays) -> Iterator[Findings]:
    """HTML transferred ≤ Total transferred; and Document Length × requests, if no request failed.

    ab.c adds the bytes of all bodies, also of responses that come after the last request that counts: one more for each
    connection at most. With keep-alive, a response without a length can end early: a difference is only suspect.
    """
    html, read = runs.value("bytes_bodies"), runs.value("bytes_read")
    yield runs.findings(
        html > read, "ab-bytes", INVALID, "{value:,.0f} bytes of bodies of {expected:,.0f} bytes in all", value=html,
        expected=read, tolerance=0.0, at="bytes_bodies",
    )  # fmt: skip
    length, done = runs.value("document_bytes"), runs.value("requests")
    least, most = length * done, length * (done + runs.number("connections"))
    faultless = (runs.value("failed_requests") == 0) & (np.nan_to_num(runs.value("errors_write")) == 0)
    kept = np.nan_to_num(runs.value("keep_alive_requests")) > 0
    yield runs.findings(
        faultless & ((html < least) | (html > most)), "ab-bytes", np.where(kept, SUSPECT, INVALID),
        "{value:,.0f} bytes of bodies, but {done:,.0f} of {length:,.0f} bytes are {expected:,.0f}", value=html,
        expected=least, tolerance=most - least, at="bytes_bodies", more={"done": done, "length": length},
    )  # fmt: skip

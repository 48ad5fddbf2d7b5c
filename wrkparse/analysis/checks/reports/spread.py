"""Checks of the spread of one report's samples: standard deviations, shares, the maximum, and wrk2's histogram."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from wrkparse.analysis.checks.finding import INVALID, LATENCY_SUSPECT, NOTE, Findings
from wrkparse.analysis.checks.run_arrays import HDR_BUCKET, RunArrays
from wrkparse.analysis.stats.intervals import Interval
from wrkparse.tools.ab.metrics import PHASES

_AB_PHASES = tuple(metric.name for metric in PHASES.values())
_AB_ROUNDING_S = 0.001  # ab of httpd 2.2.9 on rounds times to ms, before that it cuts them: 1 ms each way has both
_FEWEST_SAMPLES = 2  # where a tool does not print how many samples its deviation has
_START_S = 0.1  # threads of wrk begin to send before the clock of the run starts: main of wrk.c, after pthread_create
# By convention: a maximum this many times p99 is noted; latencies are suspect if it lasts this share of the run. The
# largest ratio in tests/fixtures/ and notebooks/loopback/ is 27.
_FAR_FROM_P99, _STALL_SHARE = 100.0, 0.1


def checks(runs: RunArrays) -> Iterator[Findings]:
    """All checks of this module."""
    yield from deviations(runs)
    yield from shares(runs)
    yield from longer_than_run(runs)
    yield from lone_maximum(runs)
    yield from histogram(runs)


def deviations(runs: RunArrays) -> Iterator[Findings]:
    """The standard deviation against the most that mean, minimum and maximum allow.

    The variance of numbers from a to b with the mean m is (b - m)(m - a) at most (R. Bhatia and C. Davis, American
    Mathematical Monthly 107, 2000). wrk (``stats_stdev`` in stats.c) and ab (``output_results`` in ab.c) divide by n -
    1, so that the bound is n / (n - 1) times as large. n is the number of requests for ab. wrk does not print it: it is
    taken as 2, the smallest with a deviation, and a as 0.
    """
    for metric, unit in (("latency", "s"), ("thread_throughput", "1/s")):
        mean, most = (runs.printed_by_wrk(unit, metric, stat) for stat in ("mean", "max"))
        most = Interval(most.low, np.where(runs.tool == "wrk2", most.high * (1 + 2 * HDR_BUCKET), most.high))
        bound = _largest_stdev(Interval(np.zeros(runs.size), most.high), mean, np.full(runs.size, _FEWEST_SAMPLES))
        yield _deviation(runs, metric, runs.printed_by_wrk(unit, metric, "stdev"), np.where(runs.wrk, bound, np.nan))
    for metric in _AB_PHASES:
        least, mean, most = (_by_ab(runs, metric, stat) for stat in ("min", "mean", "max"))
        bound = _largest_stdev(Interval(least.low, most.high), mean, runs.value("requests"))
        yield _deviation(runs, metric, runs.printed(metric, "stdev"), np.where(runs.tool == "ab", bound, np.nan))


def _largest_stdev(ends: Interval, mean: Interval, samples: np.ndarray) -> np.ndarray:
    """The largest sample standard deviation of numbers within `ends` whose mean is within `mean`."""
    worst = np.clip((ends.low + ends.high) / 2, mean.low, mean.high)  # where (b - m)(m - a) is largest
    # A single sample has no deviation; the 1 only keeps 0 out of the divisor.
    bessel = samples / np.maximum(samples - 1, 1)
    most: np.ndarray = np.sqrt(np.maximum((ends.high - worst) * (worst - ends.low), 0.0) * bessel)
    return most


def _by_ab(runs: RunArrays, metric: str, stat: str) -> Interval:
    value = runs.value(metric, stat)
    return Interval(np.maximum(value - _AB_ROUNDING_S, 0.0), value + _AB_ROUNDING_S)


def _deviation(runs: RunArrays, metric: str, stdev: Interval, bound: np.ndarray) -> Findings:
    message = f"{metric} stdev is {{value:.4g}}, but with this mean and maximum it is {{expected:.4g}} at most"
    return runs.findings(
        stdev.low > bound * (1 + 1e-9), "stdev-contradiction", INVALID, message,
        value=runs.value(metric, "stdev"), expected=bound, tolerance=stdev.half_width, at=(metric, "stdev"),
    )  # fmt: skip


def shares(runs: RunArrays) -> Iterator[Findings]:
    """The share of the samples within one standard deviation (``stats_within_stdev`` in stats.c of wrk): 0 to 1."""
    for metric in ("latency", "thread_throughput"):
        share = runs.value(metric, "within_stdev")
        yield runs.findings(
            (share < 0) | (share > 1), "share-contradiction", INVALID,
            f"{metric}: {{value:.2%}} of the samples within one standard deviation", value=share, expected=1.0,
            at=(metric, "within_stdev"),
        )  # fmt: skip


def longer_than_run(runs: RunArrays) -> Iterator[Findings]:
    """The longest request against the elapsed time: all tools count only requests that they saw end."""
    elapsed = runs.printed_by_wrk("s", "elapsed")
    for metric in ("latency", *_AB_PHASES):
        longest = runs.printed_by_wrk("s", metric, "max")
        yield runs.findings(
            longest.low > elapsed.high + _START_S, "latency-exceeds-run", INVALID,
            f"{metric} max is {{value:.4g}} s in a run of {{expected:.4g}} s", value=runs.value(metric, "max"),
            expected=runs.value("elapsed"), tolerance=elapsed.half_width + longest.half_width + _START_S,
            at=(metric, "max"),
        )  # fmt: skip


def lone_maximum(runs: RunArrays) -> Iterator[Findings]:
    """A maximum far above p99.

    wrk 4 adds x - e, x - 2e, … for a latency x, where e is connections / throughput (``stats_correct`` in stats.c). The
    requests of a connection follow each other, so that all latencies add up to connections × elapsed at most, and no
    more samples are added than there are requests. If a maximum adds more than 2 % of the requests above p99, p99 is
    wrong, or wrk is older than 4: (max - p99) > 0.02 connections × elapsed. Otherwise one request was stalled; a short
    run with a long stall does not measure latency.
    """
    longest, p99 = (runs.printed_by_wrk("s", "latency", stat) for stat in ("max", "p99"))
    p99_ab = runs.value("total", "p99")
    elapsed = runs.printed_by_wrk("s", "elapsed")
    uncorrected = (runs.tool == "wrk") & (longest.low - p99.high > 0.02 * runs.open_connections * elapsed.high)
    yield from _stalls(runs, "latency", longest, p99.high, uncorrected)
    yield from _stalls(runs, "total", runs.printed("total", "max"), p99_ab + _AB_ROUNDING_S, np.zeros(runs.size, bool))


def _stalls(
    runs: RunArrays, metric: str, longest: Interval, p99: np.ndarray, contradicts: np.ndarray
) -> Iterator[Findings]:
    share = longest.middle / runs.value("elapsed")
    far = contradicts | (longest.low > _FAR_FROM_P99 * p99)
    severity = np.where(contradicts | (share >= _STALL_SHARE), LATENCY_SUSPECT, NOTE)
    yield runs.findings(
        far, "lone-maximum", severity, f"{metric} max is {{value:.4g}} s, {{times:,.0f}} times p99",
        value=runs.value(metric, "max"), expected=p99, at=(metric, "max"), more={"times": longest.middle / p99},
    )  # fmt: skip


def histogram(runs: RunArrays) -> Iterator[Findings]:
    """The footer of wrk2's histogram against the table and the number of requests.

    ``print_hdr_latency`` and ``main`` in wrk.c of wrk2 print mean, deviation and maximum of one histogram twice, and
    the histogram has no more latencies than there are requests.
    """
    for stat in ("mean", "stdev", "max"):
        table, footer = runs.printed_by_wrk("s", "latency", stat), runs.printed("latency_histogram", stat)
        message = f"latency {stat} is {{value:.4g}} s, but {{expected:.4g}} s in the histogram's footer"
        yield runs.findings(
            (runs.tool == "wrk2") & table.disjoint(footer), "histogram-contradiction", INVALID, message,
            value=runs.value("latency", stat), expected=runs.value("latency_histogram", stat),
            tolerance=table.half_width + footer.half_width, at=("latency", stat),
        )  # fmt: skip
    count, requests = runs.value("latency_histogram_count"), runs.value("requests")
    yield runs.findings(
        count > requests, "histogram-contradiction", INVALID,
        "{value:,.0f} latencies in the histogram of {expected:,.0f} requests", value=count, expected=requests,
        tolerance=0.0, at="latency_histogram_count",
    )  # fmt: skip

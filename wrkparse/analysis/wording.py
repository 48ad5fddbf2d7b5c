"""Words for figures, reports and notebooks: names of codes, and counts with their nouns.

Tables on the command line show the codes themselves, since conditions and the documentation use them.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

LAWS = {"linear": "linear", "amdahl": "Amdahl", "usl": "USL"}
_NAMES = LAWS | {
    # origins
    "copy": "copy of another run",
    "restated": "rate of another report",
    "command-differs": "another command than the report's",
    # load
    "incomplete": "report ends too early",
    "nothing-measured": "no request done",
    "nothing-received": "no byte received",
    "not-a-number": "printed as nan",
    "rate-contradiction": "rate contradicts requests",
    "kept-responses": "only the first million responses",
    "transfer-contradiction": "transfer rate contradicts bytes",
    "thread-rate": "threads' rates contradict the total",
    "order-contradiction": "percentiles out of order",
    "not-as-wrk-prints": "not as wrk prints it",
    "cut-short": "cut short",
    "overran": "longer than planned",
    "target-missed": "asked rate not kept",
    "target-exceeded": "asked rate exceeded",
    "size-contradiction": "size contradicts bytes",
    # spread
    "stdev-contradiction": "deviation too large for its mean",
    "share-contradiction": "share above 100 %",
    "latency-exceeds-run": "latency longer than the run",
    "lone-maximum": "maximum far above p99",
    "histogram-contradiction": "histogram contradicts the table",
    # concurrency
    "little-law-high": "above Little's law",
    "little-law-low": "below Little's law",
    "little-law-unexplained": "above Little's law, unexplained",
    "backlog": "backlog",
    "fewer-connections": "fewer connections open than asked",
    "threads-exceed-connections": "more threads than connections",
    "few-connections": "fewer connections than cores",
    "timeouts-impossible": "time-outs in a shorter run",
    "max-at-timeout": "maximum at the time-out",
    # errors
    "socket-errors": "socket errors",
    "connections-closed": "no keep-alive",
    "non-2xx": "error responses",
    "failed-requests": "failed requests",
    "lengths-differ": "responses of other lengths",
    "write-errors": "write errors",
    # network
    "response-size": "responses of another size",
    "nic-limit": "network nearly full",
    "same-machine": "server and load on one machine",
    # processes
    "ab-concurrency": "concurrency contradicts times",
    "ab-failures": "causes contradict failures",
    "ab-incomplete": "not all requests made",
    "ab-times": "times contradict the rate",
    "ab-keep-alive": "more kept connections than requests",
    "ab-percentiles": "percentiles contradict the table",
    "ab-phases": "phases do not add up",
    "ab-bytes": "bodies contradict bytes or length",
    "rss-missing": "memory of 0",
    "cpu-above-cores": "more CPU time than cores",
    "load-generator-busy": "load generator at its limit",
    "cpu-share": "CPU share contradicts times",
    "command-failed": "command failed",
    "command-killed": "command killed",
    "command-ended": "command ended from outside",
    # Go traces
    "gc-cpu-clock": "CPU time contradicts the clock",
    "gc-order": "collections out of order",
    "gc-missing": "collections missing",
    "gc-heap": "heap sizes contradict each other",
    "gc-overlap": "collections overlap",
    "gc-go-run": "several traces of go run",
    "gc-workers": "more marking than Ps",
    "gc-cpu-share": "GC CPU jumps",
    "gc-procs": "GOMAXPROCS of one line differs",
    "gc-objects": "objects contradict allocations",
    "gc-clock": "clock of collections falls",
    "sched-order": "line twice",
    "sched-ticks": "counts of a P fall",
    "sched-clock": "clock of schedtrace falls",
    "sched-idle-waiting": "idle Ps beside waiting goroutines",
    "sched-counts": "counts that contradict each other",
    # several runs
    "repeat-outlier": "far from its repetitions",
    "repeats-differ": "repetitions differ",
    "repeat-drift": "repetitions drift",
    "shared-plateau": "servers at one rate",
    # limits of a curve
    "few-threads": "fewer threads than cores",
    "small-load": "load too small",
    "shared-ceiling": "several level off together",
}


def name_of(code: object) -> str:
    """The name of a law, a finding of the audit or a limit of a curve; a text without a name is returned unchanged.

    >>> name_of("usl"), name_of("little-law-high")
    ('USL', "above Little's law")
    """
    return _NAMES.get(str(code), str(code))


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun; `plural` is needed if it is not the noun with an s.

    >>> counted(1, "latency", "latencies"), counted(1200, "run"), counted(0, "run")
    ('1 latency', '1,200 runs', 'no runs')
    """
    return f"{number:,} {noun}" if number == 1 else f"{f'{number:,}' if number else 'no'} {plural or noun + 's'}"


def word_list(parts: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))


def share_text(value: float) -> str:
    """A share with three digits.

    >>> share_text(0.0012), share_text(1.3e-8)
    ('0.12 %', '0.0000013 %')
    """
    number = f"{100 * value:.3g}"
    return f"{Decimal(number):f} %" if "e-" in number else f"{number} %"

r"""Go's benchmarks: what ``go test -bench`` prints, and files in its format. Each line with a result is a run.

``BenchmarkResult.String`` and ``MemString`` of ``testing/benchmark.go`` of Go print the lines; benchstat's reader,
``benchfmt/reader.go`` and ``result.go`` of golang.org/x/perf, defines the format that other programs write, too. A real
report::

    goos: linux
    goarch: amd64
    pkg: example.org/codec
    cpu: AMD EPYC 7B13
    BenchmarkDecode/size=64-8   	 5274132	       227.4 ns/op	      48 B/op	       1 allocs/op
    PASS

The name is the label ``benchmark``, without ``Benchmark``, ``/key=value`` and the number of processors. ``/size=64`` is
the label ``size``, ``-8`` the label ``cores``: Go leaves it out where GOMAXPROCS is 1. Like benchstat, wrkparse takes a
name that ends in ``-64`` by itself for one with 64 processors. The lines at the top hold for all benchmarks below them,
up to the next heading or command of the page.

Values are in base units, as ``benchunit.Tidy`` makes them: ``ns`` are seconds, ``MB`` are 10^6 bytes, above the stroke
of a unit only. Units that programs define are separate metrics, and metrics that wrkparse knows keep their names:
``req/s`` is ``throughput``, ``p99-ns`` the 99th percentile of ``latency``, and ``latency-p99-sec`` and the others that
``wrkparse export --as benchfmt`` writes become the original metrics.

Output of a benchmark separates its name from its result. The result goes to the name above it if that ends in the
number of processors. Otherwise any line of prose could be the name, and the result becomes a diagnostic.
"""

from __future__ import annotations

import functools
import math
import re
from typing import NamedTuple

from wrkparse.model.records import Label, Metric
from wrkparse.model.units import NO_VALUE, Quantity, parse_count
from wrkparse.tools.base import Flags, ReportTool
from wrkparse.tools.common import LATENCY, THROUGHPUT
from wrkparse.tools.lines import LineSpec
from wrkparse.tools.report import Report

ITERATIONS = Metric("benchmark_iterations", "1", None, "Iterations of the benchmark")
TIME = Metric("time_per_op", "s", "lower", "Time per operation")
BYTES = Metric("bytes_per_op", "bytes", "lower", "Bytes allocated per operation")
ALLOCATIONS = Metric("allocs_per_op", "1", "lower", "Allocations per operation")
RATE = Metric("processing_rate", "bytes/s", "higher", "Bytes processed per second")

_KNOWN = {
    "sec/op": (TIME, "total"),
    "B/op": (BYTES, "total"),
    "allocs/op": (ALLOCATIONS, "total"),
    "B/s": (RATE, "total"),
    "req/s": (THROUGHPUT, "total"),
}
# The base unit of a printed unit, by its ending; the rest of it is the name of the metric.
_BASES = {"-sec": "s", "-B/s": "bytes/s", "-B": "bytes", "-bytes": "bytes", "-ratio": "ratio", "/s": "1/s"}
# "ns" of "p99-ns/op", not of "conns"
_PREFIXED = re.compile(r"(?<![A-Za-z])(ns|MB)(?![A-Za-z])")
_BASE_UNITS_OF_PREFIXED = {"ns": ("sec", -9), "MB": ("B", 6)}
# "latency_p99"
_STAT = re.compile(r"(?P<metric>.+)_(?P<stat>mean|stdev|median|min|max|p[0-9]{1,2}(?:\.[0-9]{1,6})?)")
_PERCENTILE = re.compile(r"p[0-9]{1,2}(?:\.[0-9]{1,6})?")  # "p99" of "p99-ns"
_NOT_IDENTIFIER = re.compile(r"[^a-z0-9.]+")  # "_" is put in its place: "cache hits" is cache_hits
_NUMBER = re.compile(r"([-+]?[0-9]{1,30})(?:\.([0-9]{0,30}))?(?:[eE]([-+]?[0-9]{1,3}))?")
_NO_NUMBER = re.compile(r"[-+]?(?:NaN|Inf)", re.IGNORECASE)
# "BenchmarkEncode/level=1/size=64-2": two processors
_PROCESSORS = re.compile(r"(.*[^-])-([0-9]{1,9})")
_UNIT = r"[^\s0-9+-]\S{0,80}"  # benchcmp prints a sign before the difference of two numbers
_PAIRS = rf"(?: [-+.0-9eE]{{1,40}} {_UNIT}| [-+]?(?:NaN|Inf) {_UNIT}){{1,60}}"
# the old number, the new one and their difference, as benchcmp prints them: "227 231 +1.76%"
_COMPARED = r"[0-9.]{1,30} [0-9.]{1,30} [-+][0-9.]{1,30}%"
_SIGN = "Benchmark[A-Z0-9_/]"
_MOST_LABELS = 20  # labels in one name; bounds the time for a hostile text
_CARRIED_LABELS = ("goos", "goarch", "pkg", "cpu")
_TAKEN_KEYS = frozenset(
    ("run", "tool", "source", "line", "section", "command", "study", "verdict", "valid", "benchmark")
)


class _Unit(NamedTuple):
    metric: Metric
    stat: str
    power: int  # a printed number times 10^power is in the base unit


@functools.lru_cache(maxsize=4096)
def unit_of(text: str) -> _Unit:
    """The metric, stat and power of ten of the numbers with a printed unit."""
    above, stroke, below = text.partition("/")
    power = sum(_BASE_UNITS_OF_PREFIXED[match[1]][1] for match in _PREFIXED.finditer(above))
    tidy = _PREFIXED.sub(lambda match: _BASE_UNITS_OF_PREFIXED[match[1]][0], above) + stroke + below
    metric, stat = _KNOWN.get(tidy) or _defined_metric(tidy)
    return _Unit(metric, stat, power)


def _defined_metric(tidy: str) -> tuple[Metric, str]:
    """The metric and stat of a unit that a program defines."""
    from wrkparse.tools import metrics  # which imports this module

    end, base = next(((end, base) for end, base in _BASES.items() if tidy.endswith(end)), ("", ""))
    name = _identifier(tidy.removesuffix(end))
    if not end and "/" in tidy:
        above, _, below = tidy.partition("/")
        name = f"{_identifier(above)}_per_{_identifier(below)}"
        base = {"sec": "s", "B": "bytes"}.get(above, "1")
    if base == "s" and _PERCENTILE.fullmatch(name):
        return LATENCY, name
    declared = metrics().get(name)
    if declared and declared.unit == (base or "1"):
        return declared, "total"
    parts = _STAT.fullmatch(name)
    declared = metrics().get(parts["metric"]) if parts else None
    if parts and declared and base in (declared.unit, "ratio"):
        return declared, parts["stat"]
    return Metric(name, base or "1", None, tidy), "total"


def _identifier(text: str) -> str:
    """A text as the name of a label or metric: lower case, digits, and _ between words."""
    name = _NOT_IDENTIFIER.sub("_", text.lower()).strip("_")
    return name if name[:1].isalpha() else f"n_{name}".rstrip("_")


def printed_quantity(text: str, power: int) -> Quantity:
    """A printed number times a power of ten. Raises ValueError for other text."""
    if _NO_NUMBER.fullmatch(text):
        return NO_VALUE
    match = _NUMBER.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not a number")
    whole, fraction, exponent = match[1], match[2] or "", int(match[3] or 0)
    last = exponent - len(fraction) + power
    value = float(f"{whole}{fraction}e{last}")
    if math.isinf(value):
        raise ValueError(f"{text!r} is larger than any number that can be stored")
    return Quantity(value, 0.0 if power == 0 and match[2] is None and not exponent else float(f"5e{last - 1}"))


def _context(report: Report, match: re.Match[str], line: int) -> None:
    report.add_label(match[1], match[2], line)


def _started(report: Report, match: re.Match[str], line: int) -> None:
    report.mode = match[1]


def _complete(report: Report, match: re.Match[str], line: int) -> None:
    _read(report, match[1], match[2], match[3], line)


def _result_after_output(report: Report, match: re.Match[str], line: int) -> None:
    if report.mode:
        name, report.mode = report.mode, ""
        _read(report, name, match[1], match[2], line)
    else:
        report.seen.discard("behind output")
        report.warn(line, f"a result without the name of its benchmark: {match[0][:60]}", "bad-line")


def _unreadable(report: Report, match: re.Match[str], line: int) -> None:
    report.warn(line, f"{match[1][:60]}: not pairs of a number and a unit: {match[2][:60]}", "bad-line")


def _read(report: Report, name: str, iterations: str, pairs: str, line: int) -> None:
    _name(report, name, line)
    report.add_printed(ITERATIONS, "total", parse_count, iterations, line)
    words = pairs.split()
    for number, unit in zip(words[::2], words[1::2], strict=True):
        metric, stat, power = unit_of(unit)
        if report.measurement(metric, stat):
            report.warn(line, f"a second number in {unit}: {number} is left out")
        else:
            report.add_printed(metric, stat, functools.partial(printed_quantity, power=power), number, line)


def _name(report: Report, name: str, line: int) -> None:
    """Add the labels in the full name of a benchmark."""
    processors = _PROCESSORS.fullmatch(name)
    if processors:
        name = processors[1]
        report.add_label("cores", processors[2], line)
    elif any(label.key == "goos" for label in report.labels):
        report.add_label("cores", "1", line)  # go test leaves the number out
    first, *rest = name.split("/", _MOST_LABELS)
    plain = [first]
    for part in rest:
        key, equals, value = part.partition("=")
        if equals and key and value:
            label = _identifier(key)
            report.add_label(f"label_{label}" if label in _TAKEN_KEYS else label, value, line)
        else:
            plain.append(part)
    report.add_label("benchmark", "/".join(plain), line)


def _carry(before: Report, report: Report) -> None:
    """Take over the lines above all benchmarks of a package."""
    carried: list[Label] = [label for label in before.labels if label.key in _CARRIED_LABELS]
    report.labels += carried


def _finish(report: Report) -> None:
    """Keep the last label of each key: a line at the top of the package replaces one that was taken over."""
    report.labels = list({label.key: label for label in report.labels}.values())


_OS = "aix|android|darwin|dragonfly|freebsd|illumos|ios|js|linux|netbsd|openbsd|plan9|solaris|wasip1|windows|zos"

TOOL = ReportTool(
    name="gobench",
    metrics=(TIME, BYTES, ALLOCATIONS, RATE, ITERATIONS),
    lines=(
        LineSpec("goos", ("goos:",), re.compile(rf"(goos): ({_OS})"), 0, _context, sign="goos:", yields=True),
        LineSpec("head", ("goarch:", "pkg:", "cpu:"), re.compile(r"(goarch|pkg|cpu): (\S.{0,200})"), 0, _context,
                 repeat=True, inside=True),
        LineSpec("result", ("Benchmark*",), re.compile(rf"Benchmark((?![a-z])\S{{1,500}}) ([0-9]{{1,18}})({_PAIRS})"),
                 1, _complete, sign=_SIGN),
        LineSpec("unreadable", ("Benchmark*",),
                 re.compile(rf"Benchmark((?![a-z])\S{{1,500}}) (?!{_COMPARED}$)([0-9]{{1,18}} [-+0-9NI].*)"),
                 1, _unreadable, sign=_SIGN),
        LineSpec("started", ("Benchmark*",), re.compile(r"Benchmark((?![a-z])\S{1,500}-[0-9]{1,9})(?: .*)?"), 1,
                 _started, sign=_SIGN, yields=True),
        LineSpec("behind output", ("ns/op", "B/op", "allocs/op", "MB/s"), re.compile(rf"([0-9]{{1,18}})({_PAIRS})"), 2,
                 _result_after_output, repeat=True, inside=True),
    ),
    programs=frozenset(),
    flags=Flags(),
    evidence=frozenset({"result", "behind output"}),
    idle=frozenset({"goos", "head", "started"}),
    finish=_finish,
    carry=_carry,
)  # fmt: skip

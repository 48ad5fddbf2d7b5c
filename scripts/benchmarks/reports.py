"""Reports of wrk, wrk2, ab and time: how they are generated, and how a regular expression per line reads them.

A number's name is that of the measurement: ``latency/mean``. Sums are in whole nanoseconds, bytes, hundredths of a
rate or a per cent, so that they have to agree exactly.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

# What one is worth in a sum, by the unit that a measurement is kept in.
PER_UNIT = {"s": 10**9, "bytes": 1, "bytes/s": 1, "1/s": 100, "ratio": 10_000, "1": 1}
_TIMES = {"us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}
_RATES = {"": 1.0, "k": 1e3, "M": 1e6}
_BYTES = {"B": 1.0, "KB": 2.0**10, "MB": 2.0**20, "GB": 2.0**30}

_PLACES = {"millis": 3, "tenths": 1}  # of the others two

_Convert = Callable[[str], float]


def _scaled(units: dict[str, float]) -> _Convert:
    def convert(text: str) -> float:
        number = text.rstrip("BGKMkhmsu")
        return float(number) * units[text[len(number) :]]

    return convert


def _per(divisor: float) -> _Convert:
    return lambda text: float(text) / divisor


_time, _rate, _bytes = _scaled(_TIMES), _scaled(_RATES), _scaled(_BYTES)
_percent, _ms, _kib = _per(100), _per(1000), lambda text: float(text) * 1024
_CONVERTS: dict[str, tuple[_Convert, str]] = {
    "time": (_time, "s"), "rate": (_rate, "1/s"), "bytes": (_bytes, "bytes"), "byte-rate": (_bytes, "bytes/s"),
    "percent": (_percent, "ratio"), "ms": (_ms, "s"), "kib": (_kib, "bytes"), "kib-rate": (_kib, "bytes/s"),
    "tenths": (_ms, "s"), "share": (_percent, "ratio"), "count": (float, "1"), "seconds": (float, "s"),
    "millis": (float, "s"), "plain-rate": (float, "1/s"), "plain-bytes": (float, "bytes"),
}  # fmt: skip


class Line(NamedTuple):
    """One printed line: its text with ``{}`` for each number, and the name and kind of each."""

    template: str
    fields: tuple[tuple[str, str], ...]

    @property
    def pattern(self) -> re.Pattern[str]:
        """What a reader looks for."""
        parts = [re.sub(r"(?:\\ )+", r"\\s+", re.escape(part)) for part in self.template.split("{}")]
        return re.compile(r"([^\s,%]+)".join(parts))

    @property
    def units(self) -> list[str]:
        """The unit in which each number is kept."""
        return [_CONVERTS[kind][1] for _, kind in self.fields]

    def read(self, texts: Sequence[str]) -> dict[str, float]:
        """The numbers of a match, in base units."""
        return {name: _CONVERTS[kind][0](text) for (name, kind), text in zip(self.fields, texts, strict=True)}


def _line(template: str, fields: str = "") -> Line:
    words = fields.split()
    return Line(template, tuple(zip(words[::2], words[1::2], strict=True)))


class Report(NamedTuple):
    """A tool's report: the command above it, its lines, and the line that begins the next one to a reader."""

    command: str
    lines: tuple[Line, ...]

    @property
    def columns(self) -> list[str]:
        """The names of all numbers."""
        return [name for line in self.lines for name, _ in line.fields]

    def make(self, rng: random.Random) -> tuple[str, tuple[int, ...]]:
        """One report's text and its numbers as they count in a sum."""
        texts: list[str] = []
        numbers: list[int] = []
        for line in self.lines:
            shown = [_draw(rng, kind) for _, kind in line.fields]
            texts.append(line.template.format(*shown))
            numbers += [in_sum(v, unit) for v, unit in zip(line.read(shown).values(), line.units, strict=True)]
        return self.command + "\n".join(texts) + "\n", tuple(numbers)


def in_sum(value: float, unit: str) -> int:
    """A number as it counts in a sum."""
    return round(value * PER_UNIT[unit])


def _draw(rng: random.Random, kind: str) -> str:
    """A number as the tools print one of this kind."""
    if kind == "time":
        return f"{rng.uniform(1, 999):.2f}{rng.choice(('us', 'ms'))}"
    if kind == "rate":
        return f"{rng.uniform(1, 99):.2f}k"
    if kind in {"bytes", "byte-rate"}:
        return f"{rng.uniform(1, 999):.2f}MB"
    if kind in {"count", "plain-bytes"}:
        return str(rng.randrange(10**6))
    if kind == "share":
        return str(rng.randrange(800))
    if kind in {"kib", "ms"}:
        return str(rng.randrange(10**5))
    return f"{rng.uniform(0, 99):.{_PLACES.get(kind, 2)}f}"


_HEAD = (
    _line("  Thread Stats   Avg      Stdev     Max   +/- Stdev"),
    _line("    Latency   {}  {}  {}   {}%", "latency/mean time latency/stdev time latency/max time latency/within_stdev percent"),  # noqa: E501
    _line("    Req/Sec   {}  {}  {}   {}%", "thread_throughput/mean rate thread_throughput/stdev rate thread_throughput/max rate thread_throughput/within_stdev percent"),  # noqa: E501
)  # fmt: skip
_TAIL = (
    _line("  {} requests in 10.00s, {} read", "requests/total count bytes_read/total bytes"),
    _line("Requests/sec:  {}", "throughput/total plain-rate"),
    _line("Transfer/sec:  {}", "transfer_rate/total byte-rate"),
)
_WRK = (
    _line("Running 10s test @ http://10.0.1.70:8080/hello"),
    _line("  8 threads and 64 connections"),
    *_HEAD,
    _line("  Latency Distribution"),
    *(_line(f"     {p}%   {{}}", f"latency/p{p} time") for p in (50, 75, 90, 99)),
    *_TAIL,
)
_WRK2 = (
    _line("Running 10s test @ http://10.0.1.70:8080/hello"),
    _line("  8 threads and 64 connections"),
    *_HEAD,
    _line("  Latency Distribution (HdrHistogram - Recorded Latency)"),
    *(
        _line(f" {p:6.3f}%   {{}}", f"latency/p{p:g} time")
        for p in (50, 75, 90, 99, 99.9, 99.99, 99.999, 100)
    ),
    *_TAIL,
)  # fmt: skip
_STATS = {"min": "ms", "mean": "ms", "stdev": "tenths", "median": "ms", "max": "ms"}
_AB = (
    _line("This is ApacheBench, Version 2.3 <$Revision: 1903618 $>"),
    _line("Server Hostname:        127.0.0.1\nServer Port:            8080\n\nDocument Path:          /"),
    _line("Document Length:        {} bytes", "document_bytes/total plain-bytes"),
    _line("\nConcurrency Level:      8"),
    _line("Time taken for tests:   {} seconds", "elapsed/total millis"),
    _line("Complete requests:      {}", "requests/total count"),
    _line("Failed requests:        {}", "failed_requests/total count"),
    _line("Total transferred:      {} bytes", "bytes_read/total plain-bytes"),
    _line("HTML transferred:       {} bytes", "bytes_bodies/total plain-bytes"),
    _line("Requests per second:    {} [#/sec] (mean)", "throughput/total plain-rate"),
    _line("Transfer rate:          {} [Kbytes/sec] received", "transfer_rate/total kib-rate"),
    _line("\nConnection Times (ms)\n              min  mean[+/-sd] median   max"),
    *(
        _line(f"{word}  {{}}  {{}}  {{}}  {{}}  {{}}", " ".join(
            f"{name}/{stat} {kind}" for stat, kind in _STATS.items()))
        for word, name in (
            ("Connect:", "connect"), ("Processing:", "processing"), ("Waiting:", "response_wait"), ("Total:", "total"))
    ),
    _line("\nPercentage of the requests served within a certain time (ms)"),
    *(_line(f"  {p}%  {{}}", f"total/p{p} ms") for p in (50, 66, 75, 80, 90, 95, 98, 99)),
    _line(" 100%  {} (longest request)", "total/p100 ms"),
)  # fmt: skip
_TIME = (
    _line("{}user {}system 0:10.50elapsed {}%CPU (0avgtext+0avgdata {}maxresident)k", "user/total seconds system/total seconds cpu_share/total share max_rss/total kib"),  # noqa: E501
    _line("{}inputs+{}outputs ({}major+{}minor)pagefaults {}swaps", "fs_inputs/total count fs_outputs/total count page_faults_major/total count page_faults_minor/total count swaps/total count"),  # noqa: E501
)  # fmt: skip
REPORTS = {
    "wrk": Report("$ wrk -t8 -c64 -d10s --latency http://10.0.1.70:8080/hello\n", _WRK),
    "wrk2": Report("$ wrk -t8 -c64 -d10s -R5000 --latency http://10.0.1.70:8080/hello\n", _WRK2),
    "ab": Report("$ ab -n2000 -c8 http://127.0.0.1:8080/\n", _AB),
    "time": Report("$ /usr/bin/time ./server\n", _TIME),
}

"""Texts in shapes that cost the most to read: wrapped, torn and interleaved lines, short reports, formats of users.

They are made from a seed. No other reader takes them, so what is measured is the processor time for each megabyte.
"""

from __future__ import annotations

import gc
import random
import time
from collections.abc import Callable, Iterator
from itertools import chain, count

from wrkparse.cli import GC_THRESHOLD
from wrkparse.parse.items import Run
from wrkparse.parse.parser import SourceParser

_PODS = 500
_PROCESSES = 50
_COLUMNS = 80
_PASSES = 3  # over each text
_EVENT = (
    "gc {n} @{t:.3f}s {share}%: 0.018+{mark}+0.076 ms clock, 0.054+0.35/1.2/3.0+0.22 ms cpu, {low}->{high}->{low} MB, "
    "{goal} MB goal, {procs} P"
)
_FORMATS = ("%e s elapsed, %M KB", "took %E for %C", "%U user\\n%S system\\n%e real", "%e;%U;%S;%P;%M;%F;%R", "%x %e")

WRK = """\
Running 10s test @ http://10.0.1.70:8080/hello
  8 threads and 64 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency   193.32us   51.20us   1.57ms   83.29%
    Req/Sec     5.11k   299.35     6.84k    78.34%
  Latency Distribution
     50%  190.00us
     75%  210.00us
     90%  250.00us
     99%  400.00us
  410759 requests in 10.10s, 72.06MB read
Requests/sec:  40669.44
Transfer/sec:      7.13MB
"""


def table(size: int, seed: int = 1) -> str:
    """The processor seconds for each megabyte of every shape, as a table in Markdown.

    Each is the smallest of `_PASSES`: other work on the machine only adds to it.
    """
    gc.set_threshold(GC_THRESHOLD)  # as the command line does
    rows = ["| shape | CPU s for each MB | lines | runs |", "|---|--:|--:|--:|"]
    for shape in SHAPES:
        _read(text(shape, 10_000, seed + 1).encode())  # imports and compiles what the first text of a process needs
        data = text(shape, size, seed).encode()
        seconds, (lines, runs) = min(_timed(data) for _ in range(_PASSES))
        rows.append(f"| {shape} | {seconds / len(data) * 1e6:.2f} | {lines:,} | {runs:,} |")
    return "\n".join(rows)


def _timed(data: bytes) -> tuple[float, tuple[int, int]]:
    """The processor seconds that reading a text takes, and what it has."""
    started = time.process_time()
    counts = _read(data)
    return time.process_time() - started, counts


def _read(data: bytes) -> tuple[int, int]:
    """How many lines a text has, and how many runs."""
    reader = SourceParser("shape.log")
    runs = sum(isinstance(item, Run) for item in chain(reader.feed(data), reader.finish()))
    return reader.lines, runs


def text(shape: str, size: int, seed: int = 1) -> str:
    """At least this many characters of a shape."""
    parts: list[str] = []
    done = 0
    for part in SHAPES[shape](random.Random(seed)):
        parts.append(part)
        done += len(part)
        if done >= size:
            break
    return "".join(parts)


def _event(rng: random.Random, number: int, seconds: float, procs: int = 4) -> str:
    low = rng.randrange(2, 400)
    return _EVENT.format(
        n=number, t=seconds, share=rng.randrange(9), mark=f"{rng.uniform(1, 9):.1f}", low=low, high=low + 3,
        goal=2 * low, procs=procs,
    )  # fmt: skip


def _wrapped(rng: random.Random) -> Iterator[str]:
    """A trace as a terminal of 80 columns wraps it."""
    for number in count(1):
        line = _event(rng, number, number * 0.1)
        yield "".join(f"{line[at : at + _COLUMNS]}\n" for at in range(0, len(line), _COLUMNS))


def _torn(rng: random.Random) -> Iterator[str]:
    """A trace whose lines other output tears in two."""
    for number in count(1):
        line = _event(rng, number, number * 0.1)
        at = rng.randrange(3, len(line))
        yield f"{line[:at]}\nGET /orders/{rng.randrange(10**6)} 200\n{line[at:]}\n"


def _torn_pods(rng: random.Random) -> Iterator[str]:
    """The logs of many pods, whose lines are torn: pieces of one line stand amid those of others."""
    waiting: dict[int, str] = {}
    for number in count(1):
        pod = rng.randrange(_PODS)
        prefix = f"server-{pod:03d} "
        if rest := waiting.pop(pod, ""):
            yield f"{prefix}{rest}\n"
            continue
        line = _event(rng, number // _PODS + 1, number * 0.01)
        at = rng.randrange(3, len(line))
        waiting[pod] = line[at:]
        yield f"{prefix}{line[:at]}\n"


def _torn_reports(rng: random.Random) -> Iterator[str]:
    """Pieces of wrk's report, cut anywhere."""
    while True:
        at = rng.randrange(len(WRK))
        yield WRK[at : at + rng.randrange(60)] + rng.choice(("\n", "", " "))


def _times(rng: random.Random) -> Iterator[str]:
    """What bash's time prints, for one command after the other."""
    while True:
        yield f"\nreal\t0m{rng.uniform(0, 9):.3f}s\nuser\t0m0.100s\nsys\t0m0.020s\n"


def _interleaved(rng: random.Random) -> Iterator[str]:
    """The traces of many processes, line by line, with nothing that names the process."""
    numbers = [rng.randrange(1, 1000) for _ in range(_PROCESSES)]
    starts = [rng.uniform(0, 60) for _ in range(_PROCESSES)]
    for turn in count(1):
        process = rng.randrange(_PROCESSES)
        numbers[process] += 1
        yield _event(rng, numbers[process], starts[process] + turn * 0.01, 1 + process % 8) + "\n"


def _reports(rng: random.Random, form: str) -> str:
    elapsed = rng.uniform(0.1, 99)
    values = {
        "e": f"{elapsed:.2f}", "U": f"{elapsed / 2:.2f}", "S": f"{elapsed / 9:.2f}", "E": f"0:{elapsed % 60:05.2f}",
        "M": str(rng.randrange(10**6)), "P": f"{rng.randrange(400)}%", "F": "0", "R": str(rng.randrange(9999)),
        "x": "0", "C": f"./server -n {rng.randrange(99)}",
    }  # fmt: skip
    for letter, value in values.items():
        form = form.replace(f"%{letter}", value)
    return form.replace("\\n", "\n")


def _formats(rng: random.Random) -> Iterator[str]:
    """Commands with ``time -f``, each with its output and what time printed."""
    for number in count(1):
        form = rng.choice(_FORMATS)
        yield f"$ /usr/bin/time -f '{form}' ./server -n {number}\nserver {number} done\n{_reports(rng, form)}\n"


def _formats_set(rng: random.Random) -> Iterator[str]:
    """One setting, and many commands that it holds for."""
    yield "$ export TIME='%e s elapsed, %M KB'\n"
    for number in count(1):
        yield f"$ /usr/bin/time ./server -n {number}\nserver {number} done\n{_reports(rng, _FORMATS[0])}\n"


def _formats_anew(rng: random.Random) -> Iterator[str]:
    """A setting before each command, in one section."""
    for number in count(1):
        yield f"$ TIMEFORMAT='r{number} %R u %U s %S'\n$ time ./server {number}\n"
        yield f"r{number} {rng.uniform(0, 9):.3f} u 0.100 s 0.020\n"


def _formats_output(rng: random.Random) -> Iterator[str]:
    """One setting of bash, and lines of numbers that are not times."""
    yield "$ export TIMEFORMAT='%R %U %S'\n$ time ./server\n"
    for number in count(1):
        yield f"{number} {rng.randrange(999)} {rng.choice(('ok', 'failed', '12'))}\n"
        if number % 20 == 0:
            yield f"{rng.uniform(0, 9):.3f} {rng.uniform(0, 9):.3f} {rng.uniform(0, 9):.3f}\n$ time ./server\n"


def _variables(rng: random.Random) -> Iterator[str]:
    """A variable of the shell before each command, and its value in the command."""
    for number in count(1):
        yield f"$ export SERVER{number}=emu{rng.randrange(999)}\n$ ./serve --name $SERVER{number}\n"


SHAPES: dict[str, Callable[[random.Random], Iterator[str]]] = {
    "wrapped": _wrapped,
    "torn": _torn,
    "torn-pods": _torn_pods,
    "torn-reports": _torn_reports,
    "interleaved": _interleaved,
    "times": _times,
    "formats": _formats,
    "formats-set": _formats_set,
    "formats-anew": _formats_anew,
    "formats-output": _formats_output,
    "variables": _variables,
}

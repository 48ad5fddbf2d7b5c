"""The texts that the benchmarks read: made from a seed, each with the sums of its numbers.

Every number has at most three decimals as printed, so sums are kept as whole thousandths and have to agree exactly.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from reports import REPORTS

GC_COLUMNS = (
    "gc", "at", "share", "sweep_term", "mark", "mark_term", "cpu_sweep_term", "cpu_assist", "cpu_background",
    "cpu_idle", "cpu_mark_term", "heap_start", "heap_end", "heap_live", "goal", "stacks", "globals", "procs",
)  # fmt: skip
SCHED_COLUMNS = (
    "t", "gomaxprocs", "idleprocs", "threads", "spinningthreads", "needspinning", "idlethreads", "runqueue",
    "queues", "ticks",
)  # fmt: skip
_WORDS = "user order cache worker request queue index token shard lease page batch".split()
_POOL = 4096

Row = tuple[str, tuple[int, ...]]  # a line, and its numbers in thousandths
Sums = dict[str, int]


class Input(NamedTuple):
    """One case's text: its files, their size, and what a reader must find in them."""

    paths: list[Path]
    size: int
    rows: int
    sums: Sums


def milliseconds(nanoseconds: int) -> str:
    """As ``fmtNSAsMS`` of Go's runtime/mgc.go prints a time: two significant digits, 1 µs at least."""
    if nanoseconds >= 10_000_000:
        return str(nanoseconds // 1_000_000)
    micros = nanoseconds // 1000
    if micros == 0:
        return "0"
    decimals = 3
    while micros >= 100:
        micros //= 10
        decimals -= 1
    return f"{micros / 10**decimals:.{decimals}f}"


def _times(rng: random.Random, median_ms: float) -> list[tuple[str, int]]:
    """Printed times around a median, each with its thousandths."""
    drawn = (milliseconds(int(rng.lognormvariate(0, 1.2) * median_ms * 1e6)) for _ in range(_POOL))
    return [(text, round(float(text) * 1000)) for text in drawn]


def gctrace(rng: random.Random) -> Iterator[Row]:
    """Lines of Go 1.18 and later; the process begins anew now and then."""
    pools = [_times(rng, median) for median in (0.05, 5.0, 0.04, 0.4, 2.0, 9.0, 3.0, 0.3)]
    while True:
        at_ms = 0
        for number in range(1, 200_000):
            at_ms += rng.randrange(1, 400)
            share = rng.randrange(10)
            stw, mark, term, cpu, assist, background, idle, last = (rng.choice(pool) for pool in pools)
            live = rng.randrange(4, 4000)
            start, end, goal, stacks = live * 2 - 3, live * 2 + rng.randrange(20), live * 2 + 1, rng.randrange(12)
            forced = "" if number % 512 else " (forced)"
            line = (
                f"gc {number} @{at_ms / 1000:.3f}s {share}%: {stw[0]}+{mark[0]}+{term[0]} ms clock, "
                f"{cpu[0]}+{assist[0]}/{background[0]}/{idle[0]}+{last[0]} ms cpu, "
                f"{start}->{end}->{live} MB, {goal} MB goal, {stacks} MB stacks, 1 MB globals, 8 P{forced}\n"
            )
            times = (stw[1], mark[1], term[1], cpu[1], assist[1], background[1], idle[1], last[1])
            whole = tuple(1000 * n for n in (start, end, live, goal, stacks, 1, 8))
            yield line, (number * 1000, at_ms, share * 1000, *times, *whole)


def schedtrace(rng: random.Random, procs: int) -> Iterator[Row]:
    """Lines of Go 1.25 and later."""
    ticks = [0] * procs
    t_ms = 0
    while True:
        t_ms += 10
        idle, spinning, needed, asleep = rng.randrange(procs), rng.randrange(3), rng.randrange(2), rng.randrange(9)
        threads, runqueue = procs + rng.randrange(9), rng.choice((0, 0, 0, 5, 117))
        queues = [rng.choice((0, 0, 0, 0, 1, 3, 12, 256)) for _ in range(procs)]
        ticks = [(n + rng.randrange(90)) % 2**32 for n in ticks]
        line = (
            f"SCHED {t_ms}ms: gomaxprocs={procs} idleprocs={idle} threads={threads} spinningthreads={spinning} "
            f"needspinning={needed} idlethreads={asleep} runqueue={runqueue} [ {' '.join(map(str, queues))} ] "
            f"schedticks=[ {' '.join(map(str, ticks))} ]\n"
        )
        numbers = (t_ms, procs, idle, threads, spinning, needed, asleep, runqueue, sum(queues), sum(ticks))
        yield line, tuple(1000 * n for n in numbers)


def application(rng: random.Random) -> Iterator[str]:
    """What services write, among it words that look like a trace's."""
    while True:
        user, took, status = rng.randrange(10**6), rng.randrange(1, 900), rng.choice((200, 200, 200, 404, 500))
        word, other = rng.choice(_WORDS), rng.choice(_WORDS)
        kind = rng.randrange(50)
        if kind == 0:
            yield f'level=warn msg="gc {user} pending" heap_goal={took}MB\n'
        elif kind < 20:
            yield f'level=info worker={user % 16} status={status} took={took}ms msg="{word} {user} done"\n'
        else:
            yield f"worker {user % 16}: {word} {user} of {other} answered {status} in {took}.{user % 10}ms, 1.2kB\n"


def _stamped(lines: Iterator[str], rng: random.Random) -> Iterator[str]:
    """As a container's log has them (CRI): time, stream, whole line."""
    second = 0
    for line in lines:
        second += rng.random() < 0.001
        clock = f"{second // 3600 % 24:02d}:{second // 60 % 60:02d}:{second % 60:02d}"
        yield f"2026-11-20T{clock}.{rng.randrange(10**9):09d}Z stderr F {line}"


class _Tally:
    """Sums up the rows that pass through."""

    def __init__(self, columns: tuple[str, ...]) -> None:
        self.columns, self.rows, self.sums = columns, 0, [0] * len(columns)

    def of(self, row: Row) -> str:
        self.rows += 1
        self.sums = [held + new for held, new in zip(self.sums, row[1], strict=True)]
        return row[0]


def _mixed(rows: Iterator[Row], tally: _Tally, one_in: int, rng: random.Random) -> Iterator[str]:
    """The rows' lines; with `one_in` above 1, that many lines for each row, the others an application's."""
    others = application(rng)
    while True:
        if one_in == 1 or rng.randrange(one_in) == 0:
            yield tally.of(next(rows))
        else:
            yield next(others)


def trace(
    path: Path, seed: int, size: int, rows: Callable[[random.Random], Iterator[Row]], columns: tuple[str, ...],
    *, one_in: int = 1, stamped: bool = False,
) -> Input:  # fmt: skip
    """Write a log of about this size."""
    rng = random.Random(seed)  # the same text each time
    tally = _Tally(columns)
    lines = _mixed(rows(rng), tally, one_in, rng)
    if stamped:
        lines = _stamped(lines, rng)
    with path.open("w", encoding="ascii", newline="") as file:
        while file.tell() < size:
            file.write("".join(islice(lines, 2000)))
    return Input([path], path.stat().st_size, tally.rows, dict(zip(columns, tally.sums, strict=True)))


_TWO_EVENTS = "\n".join(
    f"gc {number} @0.{number}s 2%: 0.018+1.3+0.076 ms clock, 0.054+0.35/1.2/3.0+0.22 ms cpu, 4->5->1 MB, 5 MB goal, 8 P"
    for number in (1, 2)
)


def reports(path: Path, seed: int, tool: str, count: int, *, files: bool = False, events: bool = False) -> Input:
    """Write reports of one tool, each under its command: in one document, or each in a file of its own.

    With events, two lines of gctrace stand behind the first third of the document.
    """
    rng = random.Random(seed)
    report = REPORTS[tool]
    tally = _Tally(tuple(report.columns))
    texts = [tally.of(report.make(rng)) for _ in range(count)]
    if files:
        path.mkdir(parents=True, exist_ok=True)
        paths = [path / f"{number // 1000:03d}" / f"{number:06d}.txt" for number in range(count)]
        for file, text in zip(paths, texts, strict=True):
            file.parent.mkdir(exist_ok=True)
            file.write_text(text)
        paths = [path]
    else:
        paths = [path]
        pieces = [f"# setup {number}\n\n{text}" for number, text in enumerate(texts)]
        if events:
            pieces.insert(count // 3, f"# a server\n\n{_TWO_EVENTS}\n")
        path.write_text("\n".join(pieces))
    size = sum(map(len, texts)) if files else path.stat().st_size
    return Input(paths, size, tally.rows, dict(zip(tally.columns, tally.sums, strict=True)))


def kept(directory: Path, name: str, seed: int, size: int, make: Callable[[Path], Input]) -> Input:
    """The input of this name, seed and size; made if it is not in the directory yet."""
    path = directory / f"{name}-{seed}-{size}"
    note = path.with_suffix(".json")
    if not note.exists():
        directory.mkdir(parents=True, exist_ok=True)
        made = make(path)
        note.write_text(json.dumps([made.size, made.rows, made.sums]))
    return Input([path], *json.loads(note.read_text()))

"""The readers that are compared: a file's path → how many rows it has, and a function that sums up their numbers.

The measured call goes from the file to columns in memory: Arrow tables for wrkparse, a pandas DataFrame for the
regular expression per line. The sums are not measured.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import registry
from inputs import GC_COLUMNS, SCHED_COLUMNS, Sums
from reports import REPORTS, in_sum

Found = tuple[int, Callable[[], Sums]]
_MOST_HELD = 122_880  # rows, as in wrkparse.ingest.ingest

_GC_OURS = (
    "gc", "at_s", "gc_cpu_ratio", "stw_sweep_term_s", "concurrent_mark_s", "stw_mark_term_s", "cpu_sweep_term_s",
    "cpu_assist_s", "cpu_background_s", "cpu_idle_s", "cpu_mark_term_s", "heap_start_bytes", "heap_end_bytes",
    "heap_live_bytes", "heap_goal_bytes", "stacks_bytes", "globals_bytes", "procs",
)  # fmt: skip
_SCHED_OURS = (
    "t_s", "gomaxprocs", "idleprocs", "threads", "spinningthreads", "needspinning", "idlethreads", "runqueue",
    "local_runqueues", "schedticks",
)  # fmt: skip
_GC = re.compile(
    r"gc (\d+) @([\d.]+)s (\d+)%: ([\d.]+)\+([\d.]+)\+([\d.]+) ms clock, "
    r"([\d.]+)\+([\d.]+)/([\d.]+)/([\d.]+)\+([\d.]+) ms cpu, (\d+)->(\d+)->(\d+) MB, (\d+) MB goal, "
    r"(\d+) MB stacks, (\d+) MB globals, (\d+) P( \(forced\))?$"
)
_GC_KINDS = (int, float, int, *[float] * 8, *[int] * 7)
_SCHED = re.compile(
    r"SCHED (\d+)ms: gomaxprocs=(\d+) idleprocs=(\d+) threads=(\d+) spinningthreads=(\d+) needspinning=(\d+) "
    r"idlethreads=(\d+) runqueue=(\d+) \[ ([\d ]+) \] schedticks=\[ ([\d ]+) \]$"
)


def read_gctrace(path: Path) -> Found:
    """The package, to Arrow tables."""
    table = _tables(path)["gc_cycles"]
    return table.num_rows, lambda: _summed(table, GC_COLUMNS, _GC_OURS)


def read_schedtrace(path: Path) -> Found:
    """The package, to Arrow tables."""
    table = _tables(path)["sched_ticks"]
    return table.num_rows, lambda: _summed(table, SCHED_COLUMNS, _SCHED_OURS)


def read_reports(path: Path) -> Found:
    """The package, to Arrow tables."""
    import pyarrow.compute as pc

    tables = _tables(path)
    measured = tables["measurements"]

    def sums() -> Sums:
        found: Sums = {}
        names = pc.binary_join_element_wise(measured["metric"], measured["stat"], "/").to_pylist()
        for name, unit, value in zip(names, measured["unit"].to_pylist(), measured["value"].to_pylist(), strict=True):
            found[name] = found.get(name, 0) + in_sum(value, unit)
        return found

    return pc.count_distinct(measured["run"]).as_py(), sums  # a trace on the page has no measurements


def through_gctrace(path: Path) -> Found:
    """The package, and each part of the tables forgotten when it has grown: what reading alone takes."""
    from wrkparse.ingest.table_builder import TableBuilder
    from wrkparse.parse.parser import SourceParser
    from wrkparse.source.blocks import BlockReader
    from wrkparse.source.discover import find_sources

    found, builder = find_sources([str(path)])[0][0], TableBuilder()
    reader = SourceParser(found.source)
    for block in BlockReader(found):
        for item in reader.feed(block):
            builder.add(item)
        if builder.row_count > _MOST_HELD:
            builder.drain()
    for item in reader.finish():
        builder.add(item)
    return builder.events["gc_cycles"], dict


def shared_gctrace(path: Path) -> Found:
    """The same by two threads."""
    from wrkparse.ingest.parallel.workers import PendingFile, WorkerCounts, worker_pool
    from wrkparse.ingest.session import Session
    from wrkparse.source.discover import find_sources

    found, session = find_sources([str(path)])[0][0], Session({})

    def forget(_: int) -> None:
        if session.builder.row_count > _MOST_HELD:
            session.builder.drain()

    with worker_pool(WorkerCounts(1, 2)) as pool:
        session.read_source(found, forget, None, pool.block_scanner(PendingFile(found, found.stamp())))
    return session.builder.events["gc_cycles"], dict


def _tables(path: Path):  # type: ignore[no-untyped-def]
    from wrkparse.ingest.table_builder import TableBuilder
    from wrkparse.parse.parser import SourceParser
    from wrkparse.source.blocks import read_ahead
    from wrkparse.source.discover import find_sources

    builder, files = TableBuilder(), find_sources([str(path)])[0]
    for found, blocks in zip(files, read_ahead(files), strict=True):
        reader = SourceParser(found.source)
        for block in blocks:
            for item in reader.feed(block):
                builder.add(item)
        for item in reader.finish():
            builder.add(item)
    return builder.drain()


def _summed(table, names: tuple[str, ...], ours: tuple[str, ...]) -> Sums:  # type: ignore[no-untyped-def]
    """Sums of our columns as they were printed: milliseconds, per cent, MiB, in thousandths."""
    import numpy as np

    found: Sums = {}
    for name, column in zip(names, ours, strict=True):
        values = table[column].combine_chunks()
        if column in {"local_runqueues", "schedticks"}:
            values = values.flatten()
        factor = 1e3
        if column.endswith("_s"):
            factor = 1e3 if column == "at_s" else 1e6
        elif column.endswith("_ratio"):
            factor = 1e5
        elif column.endswith("_bytes"):
            factor = 1e3 / 2**20
        numbers = np.asarray(values.to_numpy(zero_copy_only=False), dtype=np.float64)
        found[name] = int(np.rint(numbers * factor).astype(np.int64).sum())
    return found


def re_gctrace(path: Path) -> Found:
    """A regular expression per line, ``int`` and ``float``, a frame: what one writes who has no parser."""
    columns: tuple[list[float], ...] = tuple([] for _ in GC_COLUMNS)
    with path.open(encoding="utf-8", errors="replace") as file:
        for line in file:
            if match := _GC.search(line):
                for column, kind, text in zip(columns, _GC_KINDS, match.groups(), strict=False):
                    column.append(kind(text))
    frame = pd.DataFrame(dict(zip(GC_COLUMNS, columns, strict=True)))
    return len(frame), lambda: _thousandths(GC_COLUMNS, [frame[name].tolist() for name in GC_COLUMNS])


def re_schedtrace(path: Path) -> Found:
    """A regular expression per line, ``int`` and ``float``, a frame with the queues as lists."""
    columns: tuple[list[float], ...] = tuple([] for _ in SCHED_COLUMNS[:-2])
    queues: list[list[int]] = []
    ticks: list[list[int]] = []
    with path.open(encoding="utf-8", errors="replace") as file:
        for line in file:
            if match := _SCHED.search(line):
                *numbers, queue, tick = match.groups()
                for column, text in zip(columns, numbers, strict=True):
                    column.append(int(text))
                queues.append([int(text) for text in queue.split()])
                ticks.append([int(text) for text in tick.split()])
    frame = pd.DataFrame(dict(zip(SCHED_COLUMNS, (*columns, queues, ticks), strict=True)))

    def sums() -> Sums:
        flat = [frame[name].tolist() for name in SCHED_COLUMNS[:-2]]
        flat += [[number for row in frame[name] for number in row] for name in SCHED_COLUMNS[-2:]]
        return _thousandths(SCHED_COLUMNS, flat)

    return len(frame), sums


def _thousandths(names: tuple[str, ...], columns: tuple[list[float], ...] | list[list[float]]) -> Sums:
    return {name: sum(round(v * 1000) for v in column) for name, column in zip(names, columns, strict=True)}


def re_reports(path: Path) -> Found:
    """Each line tried against the regular expressions of the tool, the one expected next first."""
    report = REPORTS[path.name.split("-")[0]]
    lines = [(line.pattern, line) for line in report.lines if line.fields]
    units = {name: unit for line in report.lines for (name, _), unit in zip(line.fields, line.units, strict=True)}
    runs: list[dict[str, float]] = []
    for file in sorted(path.rglob("*.txt")) if path.is_dir() else [path]:
        place = 0
        for text in file.read_text().splitlines():
            for step in range(len(lines)):
                pattern, line = lines[(place + step) % len(lines)]
                if match := pattern.match(text):
                    if line is lines[0][1]:
                        runs.append({})
                    runs[-1].update(line.read(match.groups()))
                    place += step + 1
                    break
    sums = {name: sum(in_sum(run[name], unit) for run in runs) for name, unit in units.items()}
    return len(runs), lambda: sums


def _peers() -> dict[str, dict[str, Callable[[Path], Found]]]:
    return {name: {"reports": read} for name, read in registry.READERS.items()}


READERS: dict[str, dict[str, Callable[[Path], Found]]] = {
    "wrkparse": {"gctrace": read_gctrace, "schedtrace": read_schedtrace, "reports": read_reports},
    "without C": {"gctrace": read_gctrace, "schedtrace": read_schedtrace},  # wrkparse without the compiled loops
    "re": {"gctrace": re_gctrace, "schedtrace": re_schedtrace, "reports": re_reports},
    "through": {"gctrace": through_gctrace},
    "shared": {"gctrace": shared_gctrace},
    **_peers(),
}

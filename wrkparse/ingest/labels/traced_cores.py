"""The cores of timed programs, from the traces that they print: ``… 4 P`` above ``real 0m2.345s`` is 4 cores."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator

import pyarrow as pa
import pyarrow.compute as pc

from wrkparse.context.prefix_labels import without_process_number
from wrkparse.tools import event_tools, report_tools
from wrkparse.tools.schema import label_texts

CORES = "cores"


def traced_cores(runs: pa.Table, known: Collection[str]) -> Iterator[tuple[str, str, str]]:
    """The run, number of cores and origin for each timed run without cores, if the traces in its output agree.

    Such traces are between the previous report and that of the run. If their lines name a process, it is the same one.
    `runs` is the table of runs; the cores of runs in `known` come from an earlier call and are determined again.
    """
    timers = {tool.name for tool in report_tools() if tool.times_program}
    tracers = {tool.name for tool in event_tools()}
    tools = set(pc.unique(runs["tool"]).to_pylist())
    if CORES not in runs.column_names or not (tools & timers and tools & tracers):
        return
    names, sources, lines, kinds = (runs[key].to_pylist() for key in ("run", "source", "line", "tool"))
    cores = label_texts(runs[CORES])
    processes = runs["process"].to_pylist() if "process" in runs.column_names else [None] * len(names)
    processes = [name and without_process_number(name) for name in processes]
    by_place: dict[tuple[str, str | None], list[int]] = defaultdict(list)
    for at in sorted(range(len(names)), key=lines.__getitem__):
        by_place[sources[at], processes[at]].append(at)
    for of_place in by_place.values():
        traced: dict[str | None, str] = {}  # numbers of cores since the last report, and the trace that has each
        for at in of_place:
            if kinds[at] in tracers:
                traced[cores[at]] = f"{kinds[at]} at line {lines[at]}"
                continue
            # In a store, `cores` has the value of an earlier call, as if it were the run's own.
            own = None if names[at] in known else cores[at]
            if kinds[at] in timers and own is None and len(traced) == 1:
                [(number, text)] = traced.items()
                if number is not None:
                    yield names[at], number, text
            traced = {}

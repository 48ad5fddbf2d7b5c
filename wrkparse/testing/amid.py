"""Checks a tool's output with lines of another program in it: nothing may be lost silently."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from wrkparse.parse.items import Run
from wrkparse.testing.reading import FoundItems, lines_of, read_text
from wrkparse.tools.base import ReportTool
from wrkparse.tools.event import EventTool

OTHER_LINE = "2026/05/04 10:00:01 worker 7 is ready"
_MOST = 10  # places in a report where the other line is put, and event lines that are torn: each costs a reading


def lost_amid_lines(tool: ReportTool, text: str, runs: Sequence[Run]) -> Iterator[str]:
    """The line of a report after which a line of another program changes the report's numbers."""
    lines = lines_of(text)
    # One run, because each place costs a reading of the whole text.
    for run in runs[:1]:
        if _is_file(tool, lines[run.line - 1]) or _is_json(lines[run.line - 1 : run.line_end]):
            return
        expected = _numbers([run])
        for at in _spread(range(run.line, run.line_end)):
            found = read_text("\n".join([*lines[:at], OTHER_LINE, *lines[at:]]) + "\n")
            numbers = _numbers(_runs(tool.name, found)[: len(runs)], run.line)
            if numbers != expected and not _has_diagnostic(found, run.line):
                yield (
                    f"a line of another program behind line {at} changes the numbers of the run at line {run.line}, "
                    "without a diagnostic"
                )
                return


def lost_when_torn(tool: EventTool, text: str) -> Iterator[str]:
    """An event line that is lost without a diagnostic if another program's line is in its middle."""
    lines = lines_of(text)
    events = [at for at, line in enumerate(lines) if tool.find.search(line.encode())]
    rows = _rows(tool, read_text(text))
    for at in _spread(events):
        middle = len(lines[at]) // 2
        # Two processes write into one log: the second begins before the first has ended its line.
        torn = [*lines[:at], lines[at][:middle] + OTHER_LINE, lines[at][middle:], *lines[at + 1 :]]
        found = read_text("\n".join(torn) + "\n")
        if _rows(tool, found) < rows and not _has_diagnostic(found, at + 1):
            yield f"line {at + 1} is lost without a diagnostic when it is torn, with a line of another program in it"
            return


def _spread(places: Sequence[int]) -> Sequence[int]:
    """At most `_MOST` of some places, evenly spaced from the first one."""
    return places[:: len(places) // _MOST + 1]


def _is_file(tool: ReportTool, first: str) -> bool:
    """Whether a run begins with the first line of a file of samples: no other program writes into such a file."""
    return any(form.sign in first for form in tool.samples)


def _is_json(lines: Sequence[str]) -> bool:
    try:
        json.loads("\n".join(lines))
    except ValueError:
        return False
    return True


def _runs(name: str, found: FoundItems) -> list[Run]:
    return [run for run in found.runs if run.tool == name]


def _numbers(runs: Sequence[Run], line: int | None = None) -> list[str]:
    """The numbers of the runs that begin at a line, or of all runs."""
    return sorted(
        repr((number.metric, number.stat, number.value))
        for run in runs
        if line in (None, run.line)
        for number in run.numbers.rows()
    )


def _rows(tool: EventTool, found: FoundItems) -> int:
    return sum(batch.rows.num_rows for batch in found.batches if batch.table in tool.tables)


def _has_diagnostic(found: FoundItems, line: int) -> bool:
    return any(diagnostic.line is not None and diagnostic.line >= line for diagnostic in found.diagnostics)

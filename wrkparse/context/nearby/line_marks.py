"""The marks that lines near a run may have: about the run above, or a command that changes the runs below."""

from __future__ import annotations

import re
from collections.abc import Iterable

from wrkparse.context.nearby.evidence import LINE_SEPARATOR, NearbyText

_CHANGE_MARK = "$ "  # before a command that changes the runs below it
ABOUT_RUN_ABOVE = re.compile(r"\A(?:\^+|↑+|⬆\S{0,2})\s*(?=\w)")  # at the beginning of a line about the run above it


def mark_as_change(line: str) -> str:
    """A command with the mark of commands that change the runs below it."""
    return f"{_CHANGE_MARK}{line.removeprefix(_CHANGE_MARK)}"


def is_marked_change(line: str) -> bool:
    """Whether a line has the mark of commands that change the runs below it."""
    return line.startswith(_CHANGE_MARK)


def without_change_mark(line: str) -> str:
    """A line without the mark of commands that change the runs below it."""
    return line.removeprefix(_CHANGE_MARK)


def mark_as_about_run_above(line: str) -> str:
    """A line with the mark of lines about the run above it."""
    return f"^ {line}"


def lines_about_each_run(runs: Iterable[NearbyText]) -> list[tuple[list[str], bool]]:
    """The lines about each run of a source, the lines below it last, and whether lines about a run may be below it.

    Lines below a report that is a JSON object are found above the next run. The flag is set if the lines about this run
    or about the run before it were below.
    """
    found: list[tuple[list[str], bool]] = []
    before = ""
    for above, below in runs:
        lines = above.split(LINE_SEPARATOR) if above else []
        upwards = [line for line in lines if ABOUT_RUN_ABOVE.match(line)]
        if found:
            found[-1][0].extend(ABOUT_RUN_ABOVE.sub("", line) for line in upwards)
        own = [line for line in lines if line not in upwards]
        own += below.split(LINE_SEPARATOR) if below else []
        found.append((own, bool(upwards or before)))
        before = below
    return found

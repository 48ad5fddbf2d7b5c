"""Which lines of a log nothing accounts for: read by no tool, named by no diagnostic."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import wrkparse as wp
from wrkparse.source.blocks import BlockReader
from wrkparse.source.discover import find_sources


def accounted(dataset: wp.Dataset) -> set[int]:
    """The lines that a report's rule or an event tool read, and those that a diagnostic names.

    Of a report these are its ``texts`` (its first 400 lines), not all from its first line to its last: what stands
    between two of its lines and was passed over is not accounted for.
    """
    tables = ("texts", "diagnostics", *dataset.event_tables())
    return {int(line) for table in tables for line in getattr(dataset, table)["line"].dropna()}


def unaccounted(log: Path, not_ours: Iterable[str] = ()) -> list[tuple[int, str]]:
    """The lines of one file, with their numbers, that nothing accounts for.

    Blank lines are accounted for, and so is a line of which one of the regular expressions `not_ours` matches the
    whole (without blanks around it): output that is known to be another program's.
    """
    known = re.compile("|".join(f"(?:{pattern})" for pattern in not_ours) or r"(?!)")
    done = accounted(wp.read(log))
    (found,), _ = find_sources([str(log)])
    lines = b"".join(BlockReader(found)).decode("utf-8", "replace").split("\n")
    return [
        (number, line)
        for number, line in enumerate(lines, 1)
        if number not in done and line.strip() and not known.fullmatch(line.strip())
    ]

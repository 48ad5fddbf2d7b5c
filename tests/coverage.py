"""Which lines of a log nothing accounts for: read by no tool, named by no diagnostic."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from pathlib import Path

import wrkparse as wp
from wrkparse.source.blocks import BlockReader
from wrkparse.source.discover import find_sources


@functools.cache
def accounted(logs: tuple[Path, ...]) -> dict[str, set[int]]:
    """The lines of each source that a report's rule or an event tool read, and those that a diagnostic names.

    Of a report these are its ``texts`` (its first 400 lines), not all from its first line to its last: what stands
    between two of its lines and was passed over is not accounted for.
    """
    dataset = wp.read(*logs)
    source_of = dict(zip(dataset.runs["run"], dataset.runs["source"], strict=True))
    found: dict[str, set[int]] = {source: set() for source in dataset.sources["source"]}
    for table in ("texts", *dataset.event_tables()):
        for row in dataset.sql_arrow(f"SELECT DISTINCT run, line FROM {table} WHERE line IS NOT NULL").to_pylist():
            found[source_of[row["run"]]].add(row["line"])
    for source, line in dataset.diagnostics[["source", "line"]].dropna().itertuples(index=False):
        found[source].add(int(line))
    return found


def unaccounted(log: Path, not_ours: Iterable[str] = (), among: Iterable[Path] = ()) -> list[tuple[int, str]]:
    """The lines of one file, with their numbers, that nothing accounts for.

    Blank lines are accounted for, and so is a line of which one of the regular expressions `not_ours` matches the
    whole (without blanks around it): output that is known to be another program's. All files `among` which it is are
    read in one go.
    """
    known = re.compile("|".join(f"(?:{pattern})" for pattern in not_ours) or r"(?!)")
    logs = tuple(among) or (log,)
    found = next(source for source in find_sources([str(path) for path in logs])[0] if source.path == log)
    done = accounted(logs)[found.source]
    lines = b"".join(BlockReader(found)).decode("utf-8", "replace").split("\n")
    return [
        (number, line)
        for number, line in enumerate(lines, 1)
        if number not in done and line.strip() and not known.fullmatch(line.strip())
    ]

"""What a parser returns: runs, batches of events, diagnostics."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

import pyarrow as pa

from wrkparse.model.records import Diagnostic, Label, Measurements
from wrkparse.tools.base import NO_LOOP, Loop
from wrkparse.tools.report import Columns

# Items that are made before the first of them is returned: some 50 KB of runs. Four times as many would be more than
# the 700 objects at which Python's collector of cycles starts to look at each.
_ITEMS_AT_ONCE = 16


class Excerpt(NamedTuple):
    """The first lines of a run: their offsets from its first line, which has 0, and their texts as in the source."""

    offsets: tuple[int, ...] = ()
    texts: tuple[str, ...] = ()


@dataclass(slots=True)
class Run:
    """One report, or the trace of one process, with its labels."""

    run: str
    tool: str
    source: str
    line: int
    line_end: int
    section: str
    command: str | None
    version: str | None = None
    dialect: str | None = None
    loop: Loop = NO_LOOP
    labels: list[Label] = field(default_factory=list)
    numbers: Measurements = field(default_factory=Measurements)
    rows: dict[str, Columns] = field(default_factory=dict)  # columns of other tables
    text: Excerpt = field(default_factory=Excerpt)
    logged_from: datetime | None = None
    logged_to: datetime | None = None
    logged_zone: str | None = None


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows of an event table, with the columns `run` and `line`."""

    table: str
    rows: pa.Table


Item = Run | Batch | Diagnostic


def run_id(source: str, line: int, tool: str, text: str) -> str:
    """The identifier of a run. It stays the same while the run has the same text in the same line."""
    key = f"{source}\0{line}\0{tool}\0{text}".encode(errors="surrogateescape")
    return hashlib.blake2b(key, digest_size=6).hexdigest()


def in_batches(items: Iterable[Item]) -> Iterator[Item]:
    """The items in their order; `_ITEMS_AT_ONCE` of them are made before the first of these is returned.

    So making and taking them are loops that fit the processor's caches.
    """
    some: list[Item] = []
    try:
        for item in items:
            some.append(item)
            if len(some) == _ITEMS_AT_ONCE:
                yield from some
                some.clear()
    except Exception:
        yield from some  # a bug does not cost the items before it
        raise
    yield from some

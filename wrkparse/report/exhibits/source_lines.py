"""Reads single lines of the logs that a report is made from. A store does not contain the lines of events."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from wrkparse.source.blocks import BlockReader, NotTextError
from wrkparse.source.discover import SourceFile, find_sources
from wrkparse.store.duckdb_store import is_store

_MOST_BYTES = 256_000_000  # of one file: its lines are found in half a second

SourceLines = dict[int, str]


def source_lines(
    data: object, wanted: Mapping[str, Collection[int]], digests: Mapping[str, str]
) -> dict[str, SourceLines]:
    """The `wanted` lines by source and number.

    `data` is the path of logs, or several paths; the result is empty for a store. A file is left out if it can't be
    read, or if its digest differs from the one in `digests`: it has changed.
    """
    places = [str(one) for one in (data if isinstance(data, Sequence) and not isinstance(data, str) else [data]) if one]
    if not wanted or not places or any(is_store(place) or not Path(place).exists() for place in places):
        return {}
    files, _ = find_sources(places)
    found = {}
    for file in files:
        if file.source in wanted and (stamp := file.stamp()) is not None and stamp.size <= _MOST_BYTES:
            lines, digest = _wanted_lines(file, wanted[file.source])
            if digest == digests.get(file.source):
                found[file.source] = lines
    return found


def _wanted_lines(file: SourceFile, wanted: Collection[int]) -> tuple[SourceLines, str]:
    """The wanted lines of a file, and the digest of the file."""
    reader = BlockReader(file)
    found: SourceLines = {}
    try:
        for number, block in _with_first_line_numbers(reader):
            count = block.count(b"\n")
            here = [line for line in wanted if number <= line <= number + count]
            if here:
                lines = block.decode("utf-8", "replace").split("\n")
                found |= {line: lines[line - number].rstrip("\r") for line in here}
    except (NotTextError, OSError):
        return {}, ""
    return found, reader.digest


def _with_first_line_numbers(blocks: Any) -> Iterator[tuple[int, bytes]]:
    """Each block with the number of its first line."""
    number = 1
    for block in blocks:
        yield number, block
        number += block.count(b"\n")

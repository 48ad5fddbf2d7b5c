"""Stretches of a large log, looked at by other processes: what does not depend on what stands before it.

A worker reads some whole lines of the file itself and takes the usual events out of them (`wrkparse.skim`), if that is
all that they hold; `wrkparse.reader.SourceReader.adopt` goes on from there as if it had done so itself: it alone knows
which process, which run and which line number they come under. What a worker can't take, the reader reads with care.
So the result is the same, and most of the work is done elsewhere. The numbers come back in a file that is mapped into
memory: to send them through a pipe takes a third as long as to read them.
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from wrkparse.crew import in_order
from wrkparse.found import Found
from wrkparse.sieve import clear
from wrkparse.skim import Skimmed, skim
from wrkparse.source import Text
from wrkparse.tools import event_tools
from wrkparse.tools.base import Events, EventStream, EventTool
from wrkparse.tools.columns import nulls, schema
from wrkparse.tools.texts import Texts

STRETCH = 8 << 20  # bytes that a worker looks at in one go


class Ask(NamedTuple):
    """What a worker is to look at: blocks of a file, each with its size and sum, and where to leave the numbers."""

    path: str
    offset: int
    blocks: tuple[tuple[int, int], ...]
    folder: str


class _Taken(NamedTuple):
    """The events of one tool in one stream of a stretch, or the file they are in; the text of those that begin one."""

    tool: str
    stream: str
    table: pa.Table | str
    texts: Mapping[int, bytes]


class Stretch(NamedTuple):
    """What a worker found: usual events, and nothing else of ours in so many lines."""

    lines: int
    taken: list[_Taken]

    def events(self) -> Iterator[tuple[Skimmed, Events]]:
        """The events of each tool and stream; their indices are those of lines in the stretch. To be asked once."""
        tools = {tool.name: tool for tool in event_tools()}
        for taken in self.taken:
            yield _opened(taken, tools[taken.tool])


class _Known(Texts):
    """Lines of which some are known."""

    def __init__(self, count: int, known: Mapping[int, bytes]) -> None:
        self._count, self._known = count, known

    def __len__(self) -> int:
        return self._count

    def line(self, index: int) -> bytes:
        """One that is known."""
        return self._known[index]


class Part(NamedTuple):
    """Some blocks of a text, and what a worker would be asked; without a path only the reader can take them."""

    blocks: list[bytes]
    ask: Ask


def stretches(
    text: Text, found: Found, submit: Callable[[Ask], Future[Stretch | None] | None], others: int, folder: str
) -> Iterator[tuple[list[bytes], Stretch | None]]:
    """A text in its order, some blocks at a time, with what was found in them; None if they have to be read with care.

    `submit` gives `look` to a worker, of which there are so many; this process looks too.
    """
    parts = _parts(text, str(found.path) if isinstance(found.path, Path) else "", folder)
    for part, stretch in in_order(parts, lambda part: submit(part.ask) if part.ask.path else None, _looked, others):
        yield part.blocks, stretch


def _parts(text: Text, path: str, folder: str) -> Iterator[Part]:
    some: list[bytes] = []
    offset = size = 0
    for block in text:
        whole = block.endswith(b"\n")
        if some and (not offset or size + len(block) > STRETCH or not whole):
            # a log's begin may hold anything
            ask = Ask(path if offset and text.plain else "", offset, tuple(map(_sum, some)), folder)
            yield Part(some, ask)
            some, offset, size = [], offset + size, 0
        some.append(block)
        size += len(block)
    yield Part(some, Ask("", offset, (), folder))


def _sum(block: bytes) -> tuple[int, int]:
    """The size of a block and the sum of its words: a file that is being written anew does not keep it."""
    return len(block), int(np.frombuffer(block, np.uint64, len(block) // 8).sum())


def look(ask: Ask) -> Stretch | None:
    """What a worker does: the usual events of some whole lines; None if there may be more in them, or they changed."""
    looking = _Looking()
    with Path(ask.path).open("rb", buffering=0) as file:
        file.seek(ask.offset)
        for told in ask.blocks:
            block = file.read(told[0])
            if _sum(block) != told or not looking.take(block):
                return None
    left = [taken._replace(table=_put(taken.table, ask.folder)) for taken in looking.found()]
    return Stretch(looking.lines, left)


def _looked(part: Part) -> Stretch | None:
    """The same of what is here."""
    looking = _Looking()
    sound = part.ask.path and all(map(looking.take, part.blocks))
    return Stretch(looking.lines, looking.found()) if sound else None


class _Looking:
    """The events of a stretch, gathered block by block."""

    def __init__(self) -> None:
        self.lines = 0
        self._streams: dict[tuple[str, str], EventStream] = {}
        self._tables: dict[tuple[str, str], list[pa.Table]] = {}
        self._texts: dict[tuple[str, str], dict[int, bytes]] = {}
        self._counts: dict[tuple[str, str], int] = {}

    def take(self, block: bytes) -> bool:
        """Take in a block; False if it is not only sound usual events and lines that mean nothing."""
        skimmed = skim(block, event_tools()) if block.isascii() or _decodes(block) else None
        if skimmed is None or not clear(skimmed.others):
            return False
        if not all(self._take(events) for events in skimmed.events):
            return False
        self.lines += skimmed.lines
        return True

    def _take(self, skimmed: Skimmed) -> bool:
        key = skimmed.tool.name, skimmed.stream
        stream = self._streams.setdefault(key, skimmed.tool.stream())
        events = stream.decode(skimmed.lines)
        main = events.tables[skimmed.tool.main]
        before = self._counts.get(key, 0)
        texts = self._texts.setdefault(key, {0: skimmed.lines[0]})
        texts.update({before + index: skimmed.lines[index] for index in events.starts})
        if events.bad or len(main) != len(skimmed.lines):
            return False
        table = main.set_column(0, "index", pa.array(skimmed.indices + self.lines))
        if skimmed.stamps is not None:
            table = table.append_column("stamp", skimmed.stamps)
        parts = self._tables.setdefault(key, [])
        if parts and parts[0].schema != table.schema:  # times stand in front of some only
            return False
        parts.append(table)
        self._counts[key] = before + len(main)
        return True

    def found(self) -> list[_Taken]:
        """All events."""
        return [_Taken(*key, pa.concat_tables(parts), self._texts[key]) for key, parts in self._tables.items()]


def _decodes(block: bytes) -> bool:
    try:
        block.decode()
    except UnicodeDecodeError:
        return False
    return True


def _put(table: pa.Table, folder: str) -> str:
    """Leave a table in a file; columns without a value are left out."""
    table = table.select([name for name in table.column_names if table[name].null_count < len(table)])
    path = os.path.join(folder, uuid.uuid4().hex)  # noqa: PTH118
    with pa.OSFile(path, "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    return path


def _opened(taken: _Taken, tool: EventTool) -> tuple[Skimmed, Events]:
    table = _got(taken.table) if isinstance(taken.table, str) else taken.table
    count = len(table)
    stamps = table["stamp"].combine_chunks() if "stamp" in table.column_names else None
    wanted = schema(tool.tables[tool.main])
    columns = [table[field.name] if field.name in table.column_names else nulls(field.type, count) for field in wanted]
    columns[0] = pa.array(np.arange(count))
    lines = _Known(count, taken.texts)
    skimmed = Skimmed(tool, taken.stream, table["index"].to_numpy(), lines, stamps)
    return skimmed, Events({tool.main: pa.Table.from_arrays(columns, schema=wanted)}, [], [])


def _got(path: str) -> pa.Table:
    """What `_put` has left."""
    with pa.memory_map(path) as file:
        table = pa.ipc.open_file(file).read_all()
    if os.name == "posix":  # the memory stays until nothing refers to it
        os.unlink(path)  # noqa: PTH108
    return table

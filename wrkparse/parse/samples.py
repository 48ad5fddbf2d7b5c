"""Finds the files of samples that tools write, in the text of a source: see `wrkparse.tools.samples`.

A block without the sign of such a file passes as it is. Behind a head at the beginning of a line, rows are taken up to
a line that is none, however many blocks that takes: only what the table keeps of them is held, and a row whose quoted
cell goes on in the next line. What stands in front of the head (a quotation, a comment) may stand in front of each row.
Rows without a head are found at the beginning of a source only.
"""

from __future__ import annotations

import csv
import functools
import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from wrkparse.model.records import Severity
from wrkparse.tools import report_tools
from wrkparse.tools.base import ReportTool
from wrkparse.tools.samples import LineForm, LineTable, SampleForm, SampleRun, SampleTable

_FRONT = re.compile(r"[ \t>|#/*]{0,40}")
_LONGEST = 4000  # characters of a head
_LARGEST = 1 << 20  # characters of a row whose quoted cell goes on over lines
_TOLD = 5  # rows of a table that can't be read, each of which has a message
_SHOWN = 60  # characters of a row in a message


class Problem(NamedTuple):
    """What is to be said of a line of a table."""

    line: int
    message: str
    severity: Severity = "warning"
    code: str = "bad-line"


class Taken(NamedTuple):
    """Lines of a table: how many, what is wrong with some of them, and the runs if the table has ended."""

    tool: ReportTool
    lines: int
    problems: list[Problem]
    runs: list[SampleRun]


@functools.cache
def forms() -> tuple[tuple[ReportTool, SampleForm | LineForm], ...]:
    """The forms of all tools."""
    return tuple((tool, form) for tool in report_tools() for form in tool.samples)


@functools.cache
def signs() -> tuple[bytes, ...]:
    """Texts one of which the head of each file of samples has."""
    return tuple(dict.fromkeys(form.sign.encode() for _, form in forms()))


def begins_without_head(block: bytes) -> bool:
    """Whether the first line of a source is a row of a file of samples, so that the head is missing."""
    return _without_head(block) is not None


class SampleFinder:
    """Takes the blocks of one source in order and returns them in parts; `at_start` if with the first."""

    def __init__(self, *, at_start: bool) -> None:
        self._open: _Open | None = None
        self._at_start = at_start

    @property
    def is_open(self) -> bool:
        """Whether a table has begun that may go on."""
        return self._open is not None

    def parts(self, block: bytes, line: int, is_barred: Callable[[], bool]) -> Iterator[bytes | Taken]:
        """The parts of a block of whole lines, the first of which has this number: text, and lines of tables.

        No table begins where `is_barred`, which is asked when the text in front has been taken.
        """
        while block:
            if self._open is not None:
                taken, block = self._take(block, line)
                line += taken.lines
                yield taken
                continue
            begin, opened = self._find(block)
            if begin:
                yield block[:begin]
                line += block.count(b"\n", 0, begin)
            if opened is None:
                return
            block = block[begin:]
            if is_barred():
                head, block = _first_line(block)
                yield head
                line += 1
            else:
                self._open = opened(line)

    def finish(self) -> Taken:
        """The end of the source, where a table is open."""
        return self._close([])

    def _find(self, block: bytes) -> tuple[int, Callable[[int], _Open] | None]:
        """Where the first table of a block begins, and what opens it; the block's length and None without one."""
        opened = _without_head(block) if self._at_start else None
        self._at_start = False
        return _find_head(block) if opened is None else (0, opened)

    def _take(self, block: bytes, line: int) -> tuple[Taken, bytes]:
        """Take lines of the open table; returns them, and the block behind them."""
        assert self._open is not None
        texts = block.decode("utf-8", "replace").removesuffix("\n").split("\n")
        count = self._open.take(texts, line)
        if count == len(texts):
            return Taken(self._open.tool, count, self._open.told(), []), b""
        at = 0
        for _ in range(count):
            at = block.index(b"\n", at) + 1
        return self._close(self._open.told(), count), block[at:]

    def _close(self, problems: list[Problem], count: int = 0) -> Taken:
        assert self._open is not None
        opened, self._open = self._open, None
        opened.end()
        return Taken(opened.tool, count, [*problems, *opened.told(), *opened.untold()], list(opened.table.runs()))


def _first_line(block: bytes) -> tuple[bytes, bytes]:
    end = block.find(b"\n") + 1 or len(block)
    return block[:end], block[end:]


class _Open:
    """A table that has begun, and what was wrong with its lines."""

    table: SampleTable | LineTable

    def __init__(self, tool: ReportTool) -> None:
        self.tool = tool
        self._problems: list[Problem] = []
        self._wrong = self._told = 0

    def take(self, texts: Sequence[str], line: int) -> int:
        """Take lines up to one that is not of the table; returns how many."""
        raise NotImplementedError

    def end(self) -> None:
        """Note what is missing at the end."""

    def told(self) -> list[Problem]:
        """What was wrong since the last call."""
        problems, self._problems = self._problems, []
        return problems

    def untold(self) -> Iterator[Problem]:
        """That more was wrong than was told."""
        if self._wrong > _TOLD:
            yield Problem(self._told, f"{self._wrong - _TOLD} more rows below can't be read")

    def _tell(self, line: int, message: str) -> None:
        """Note that a line can't be read; what is more than `_TOLD` lines is only counted."""
        self._wrong += 1
        if self._wrong <= _TOLD:
            self._problems.append(Problem(line, message))
            self._told = line


class _OpenLines(_Open):
    """A file that is no CSV."""

    table: LineTable

    def __init__(self, tool: ReportTool, form: LineForm, front: str, head: str, line: int) -> None:
        super().__init__(tool)
        self.table = form.table(head, line)
        self._front, self._head = front, line
        self._number = tool.samples.index(form)

    def take(self, texts: Sequence[str], line: int) -> int:
        """Take lines up to the last one of the file, or the head of another."""
        sign = self.tool.samples[self._number].sign
        for at, text in enumerate(texts):
            if self.table.ended or (line + at != self._head and sign in text and self._is_head(text)):
                return at
            own = text.removeprefix(self._front).removesuffix("\r")
            if self.table.is_outside(own):
                return at
            why = self.table.take(own, line + at)
            if why:
                self._tell(line + at, f"{why}: {text.strip()[:_SHOWN]}")
        return len(texts)

    def end(self) -> None:
        """Note that the file is cut off."""
        if why := self.table.lacks():
            self._problems.append(Problem(self._head, why, code="incomplete"))

    def _is_head(self, text: str) -> bool:
        head = self.tool.samples[self._number].head
        return head.fullmatch(text.removeprefix(self._front).removesuffix("\r").strip()) is not None


class _OpenTable(_Open):
    """A file with a row for each sample."""

    table: SampleTable

    def __init__(
        self, tool: ReportTool, form: SampleForm, front: str, head: str, line: int, *, assumed: bool = False
    ) -> None:
        super().__init__(tool)
        self.table = form.table(head, line)
        self._number = tool.samples.index(form)
        self._front, self._at_head = front, not assumed
        self._held: list[str] = []  # the lines of a row whose quoted cell goes on
        self._size, self._line = 0, 0
        if assumed:
            message = f"the header is missing; the columns are read as {head}"
            self._problems.append(Problem(line, message, "note", "no-head"))

    def take(self, texts: Sequence[str], line: int) -> int:
        """Take lines up to one that is not of the table; returns how many."""
        skipped = int(self._at_head)
        self._at_head = False
        front, table = self._front, self.table
        by, width = table.delimiter, table.width
        for at in range(skipped, len(texts)):
            text = texts[at].removeprefix(front).removesuffix("\r")
            if self._held or '"' in text:
                if not self._take_quoted(text, line + at):
                    return at
                continue
            cells = text.split(by)
            why = table.add(cells, line + at, text) if len(cells) == width else self._of_other_width(len(cells))
            if why and not self._refuse(text, line + at, why):
                return at
        return len(texts)

    def end(self) -> None:
        """Give up a row that goes on."""
        if self._held:
            self._refuse(self._held[0], self._line, "the row is cut off")
            self._held = []

    def _take_quoted(self, text: str, line: int) -> bool:
        """Take a line with quotation marks, or inside of a quoted cell; returns whether it is of the table."""
        if self._held and self._begins_row(text):
            self.end()
        if not self._held:
            self._size, self._line = 0, line
        self._held.append(text)
        self._size += len(text)
        odd = text.count('"') % 2 == 1
        if odd == (len(self._held) == 1):  # the first mark without its second, or still not it
            return self._goes_on()
        row, self._held = self._held, []
        try:
            (cells,) = csv.reader(["\n".join(row)], delimiter=self.table.delimiter)
        except (csv.Error, ValueError):
            return self._refuse(row[0], self._line, "its quotation marks don't match")
        fits = len(cells) == self.table.width
        why = self.table.add(cells, self._line, row[0]) if fits else self._of_other_width(len(cells))
        return not why or self._refuse(row[0], self._line, why)

    def _goes_on(self) -> bool:
        """Hold a row whose quoted cell goes on in the next line; returns whether it is one."""
        if not self._begins_row(self._held[0]):
            self._held = []
            return False
        if self._size > _LARGEST:
            self.end()
        return True

    def _begins_row(self, text: str) -> bool:
        first, by, _ = text.partition(self.table.delimiter)
        form = self.tool.samples[self._number]
        return bool(by) and isinstance(form, SampleForm) and form.first.fullmatch(first) is not None

    def _refuse(self, text: str, line: int, why: str) -> bool:
        """Note that a row can't be read; returns whether it is one at all."""
        if not self._begins_row(text):
            return False
        self._tell(line, f"{why}: {text[:_SHOWN]}")
        return True

    def _of_other_width(self, count: int) -> str:
        return f"{self.table.width} cells belong here, not {count}"


def _without_head(block: bytes) -> Callable[[int], _Open] | None:
    """What opens a table whose rows begin with this block, without a head; None if they don't."""
    first = block.partition(b"\n")[0][:_LONGEST].decode("utf-8", "replace").removesuffix("\r")
    for tool, form in forms():
        if isinstance(form, SampleForm) and form.assumed is not None and (head := form.assumed(first)):
            return functools.partial(_OpenTable, tool, form, "", head, assumed=True)
    return None


def _find_head(block: bytes) -> tuple[int, Callable[[int], _Open] | None]:
    """Where the first head of a block stands, and what opens its table; the block's length and None without one."""
    found = [(at, tool, form, match, front) for tool, form in forms() for at, match, front in _heads(block, form)]
    if not found:
        return len(block), None
    at, tool, form, head, front = min(found, key=lambda one: one[0])
    if isinstance(form, LineForm):
        return at, functools.partial(_OpenLines, tool, form, front, head)
    return at, functools.partial(_OpenTable, tool, form, front, head)


def _heads(block: bytes, form: SampleForm | LineForm) -> Iterator[tuple[int, str, str]]:
    """The first head of a form: where its line begins, its text, and what stands in front of it."""
    sign, at = form.sign.encode(), -1
    while (at := block.find(sign, at + 1)) >= 0:
        begin = block.rfind(b"\n", 0, at) + 1
        end = block.find(b"\n", at)
        end = len(block) if end < 0 else end
        if end - begin > _LONGEST:
            continue
        front = block[begin:at].decode("utf-8", "replace")
        head = block[at:end].decode("utf-8", "replace").removesuffix("\r")
        if _FRONT.fullmatch(front) and form.head.fullmatch(head):
            yield begin, head, front
            return

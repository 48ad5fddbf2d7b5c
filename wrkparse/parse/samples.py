"""Finds the files of samples that tools write, in the text of a source: see `wrkparse.tools.samples`.

A block without the sign of such a file passes unchanged. If the head of such a file is at the beginning of a line, the
lines after it are taken as rows, up to a line of another form, also from the following blocks. It keeps only what the
table needs, and a row whose quoted cell goes on in the next line. Text in front of the head (the sign of a
quotation or a comment) may also be in front of each row. Rows without a head are only found at the beginning of a
source.
"""

from __future__ import annotations

import csv
import functools
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from wrkparse.model.records import Severity
from wrkparse.text.wrapping.prefixes import QUOTE_SIGNS
from wrkparse.tools import report_tools
from wrkparse.tools.base import ReportTool
from wrkparse.tools.samples import LineForm, LineTable, SampleForm, SampleRun, SampleTable

_MOST_HEAD_CHARS = 4000  # longer lines are not searched for a head; that of JMeter has 162
_MOST_ROW_CHARS = 1 << 20  # of a cell, or a row whose quoted cell goes on over several lines: it bounds the memory
_MOST_MESSAGES = 5  # about unreadable rows of a file; the others are counted
_SHOWN_CHARS = 60  # of a row in a message


class RowMessage(NamedTuple):
    """The message of a diagnostic about a line of a table."""

    line: int
    message: str
    severity: Severity = "warning"
    code: str = "bad-line"


class TakenSamples(NamedTuple):
    """Lines of a file of samples: their number, messages about some of them, and the runs if the file has ended."""

    tool: ReportTool
    lines: int
    messages: list[RowMessage]
    runs: list[SampleRun]


@functools.cache
def sample_forms() -> tuple[tuple[ReportTool, SampleForm | LineForm], ...]:
    """The forms of the files of samples of all tools."""
    return tuple((tool, form) for tool in report_tools() for form in tool.samples)


@functools.cache
def sample_signs() -> tuple[bytes, ...]:
    """Texts, one of which is in the head of each file of samples."""
    return tuple(dict.fromkeys(form.sign.encode() for _, form in sample_forms()))


def begins_with_sample_row(block: bytes) -> bool:
    """Whether the first line of a source is a row of a file of samples whose head is missing."""
    return _opener_without_head(block) is not None


class SampleFinder:
    """Takes the blocks of one source in order, and returns them in parts; `at_start` if from the first block on."""

    def __init__(self, *, at_start: bool) -> None:
        self._open: _OpenFile | None = None
        self._at_start = at_start

    @property
    def is_open(self) -> bool:
        """Whether a file of samples has begun and may go on."""
        return self._open is not None

    def parts(self, block: bytes, line: int, is_within_open: Callable[[], bool]) -> Iterator[bytes | TakenSamples]:
        """The parts of a block of whole lines, the first of which has this number: text, and lines of files of samples.

        No file begins if `is_within_open`, which is called after the text before it was taken.
        """
        while block:
            if self._open is not None:
                taken, block = self._take_lines(block, line)
                line += taken.lines
                yield taken
                continue
            begin, opened = self._find_file(block)
            if begin:
                yield block[:begin]
                line += block.count(b"\n", 0, begin)
            if opened is None:
                return
            block = block[begin:]
            if is_within_open():
                end = block.find(b"\n") + 1 or len(block)
                yield block[:end]
                block, line = block[end:], line + 1
            else:
                self._open = opened(line)

    def finish(self) -> TakenSamples:
        """The end of the open file of samples, at the end of the source."""
        return self._close_file()

    def _find_file(self, block: bytes) -> tuple[int, Callable[[int], _OpenFile] | None]:
        """The position of the first file of samples in a block, and a function that opens it.

        Without such a file, the length of the block and None.
        """
        opened = _opener_without_head(block) if self._at_start else None
        self._at_start = False
        return _find_head(block) if opened is None else (0, opened)

    def _take_lines(self, block: bytes, line: int) -> tuple[TakenSamples, bytes]:
        """Take lines of the open file; return them, and the rest of the block."""
        assert self._open is not None
        texts = block.decode("utf-8", "replace").removesuffix("\n").split("\n")
        count = self._open.take(texts, line)
        if count == len(texts):
            return TakenSamples(self._open.tool, count, self._open.new_messages(), []), b""
        at = 0
        for _ in range(count):
            at = block.index(b"\n", at) + 1
        return self._close_file(count), block[at:]

    def _close_file(self, count: int = 0) -> TakenSamples:
        """Close the open file, and return the runs with its last `count` lines."""
        assert self._open is not None
        opened, self._open = self._open, None
        opened.end()
        return TakenSamples(opened.tool, count, opened.new_messages(), list(opened.table.runs()))


class _OpenFile:
    """A file of samples that has begun, and the messages about its lines."""

    table: SampleTable | LineTable

    def __init__(self, tool: ReportTool, form: SampleForm | LineForm, front: str) -> None:
        self.tool, self._front = tool, front
        self._number = tool.samples.index(form)  # a checkpoint can't contain the form, which has functions
        self._messages: list[RowMessage] = []
        self._unreadable = 0  # lines
        self._last_line = 0  # the number of the last one with a message

    def take(self, texts: Sequence[str], line: int) -> int:
        """Take lines up to one that is not of the file; return how many were taken."""
        raise NotImplementedError

    def end(self) -> None:
        """Add a message about the unreadable lines after the first `_MOST_MESSAGES`, if there are any."""
        if self._unreadable > _MOST_MESSAGES:
            message = f"{self._unreadable - _MOST_MESSAGES} more rows below can't be read"
            self._messages.append(RowMessage(self._last_line, message))

    def new_messages(self) -> list[RowMessage]:
        """The messages that were added since the last call."""
        messages, self._messages = self._messages, []
        return messages

    def _add_message(self, line: int, message: str) -> None:
        """Add a message that a line can't be read. Lines after the first `_MOST_MESSAGES` are only counted."""
        self._unreadable += 1
        if self._unreadable <= _MOST_MESSAGES:
            self._messages.append(RowMessage(line, message))
            self._last_line = line


class _OpenLineFile(_OpenFile):
    """A file of samples in another format than CSV."""

    table: LineTable

    def __init__(self, tool: ReportTool, form: LineForm, front: str, head: str, line: int) -> None:
        super().__init__(tool, form, front)
        self.table, self._head = form.table(head, line), line

    def take(self, texts: Sequence[str], line: int) -> int:
        """Take lines up to the last one of the file, or to the head of another; return how many were taken."""
        sign = self.tool.samples[self._number].sign
        for at, text in enumerate(texts):
            if self.table.ended or (line + at != self._head and sign in text and self._is_head(text)):
                return at
            own = text.removeprefix(self._front).removesuffix("\r")
            if self.table.is_outside(own):
                return at
            why = self.table.take(own, line + at)
            if why:
                self._add_message(line + at, f"{why}: {text.strip()[:_SHOWN_CHARS]}")
        return len(texts)

    def end(self) -> None:
        """Add a message if the file is cut off."""
        if why := self.table.lacks():
            self._messages.append(RowMessage(self._head, why, code="incomplete"))
        super().end()

    def _is_head(self, text: str) -> bool:
        """Whether a line is the head of a file of the same form."""
        head = self.tool.samples[self._number].head
        return head.fullmatch(text.removeprefix(self._front).removesuffix("\r").strip()) is not None


class _OpenRowFile(_OpenFile):
    """A CSV file with a row for each sample."""

    table: SampleTable

    def __init__(
        self, tool: ReportTool, form: SampleForm, front: str, head: str, line: int, *, assumed: bool = False
    ) -> None:
        super().__init__(tool, form, front)
        self.table, self._at_head = form.table(head, line), not assumed
        self._open_row: list[str] = []  # the lines of a row whose quoted cell goes on
        self._size, self._line = 0, 0
        if assumed:
            message = f"the header is missing; the columns are read as {head}"
            self._messages.append(RowMessage(line, message, "note", "no-head"))

    def take(self, texts: Sequence[str], line: int) -> int:
        """Take lines up to one that is not of the file; return how many were taken."""
        skipped = int(self._at_head)
        self._at_head = False
        front, table = self._front, self.table
        by, width = table.delimiter, table.width
        for at in range(skipped, len(texts)):
            text = texts[at].removeprefix(front).removesuffix("\r")
            if self._open_row or '"' in text:
                if not self._take_quoted(text, line + at):
                    return at
                continue
            cells = text.split(by)
            why = table.add(cells, line + at, text) if len(cells) == width else self._wrong_width(len(cells))
            if why and not self._note_unreadable_row(text, line + at, why):
                return at
        return len(texts)

    def end(self) -> None:
        """Drop a row whose quoted cell goes on, and add the messages at the end of the file."""
        self._drop_open_row()
        super().end()

    def _drop_open_row(self) -> None:
        """Drop a row whose quoted cell goes on, with a message."""
        if self._open_row:
            self._note_unreadable_row(self._open_row[0], self._line, "the row is cut off")
            self._open_row = []

    def _take_quoted(self, text: str, line: int) -> bool:
        """Take a line with quotation marks, or within a quoted cell; return whether it belongs to the file."""
        if self._open_row and self._begins_row(text):
            self._drop_open_row()
        if not self._open_row:
            self._size, self._line = 0, line
        self._open_row.append(text)
        self._size += len(text)
        odd = text.count('"') % 2 == 1
        if odd == (len(self._open_row) == 1):  # the cell has begun in this line, or goes on through it
            return self._may_keep_row()
        row, self._open_row = self._open_row, []
        try:
            cells = _split_quoted("\n".join(row), self.table.delimiter)
        except csv.Error:
            why = "a cell is too long" if self._size > _MOST_ROW_CHARS else "its quotation marks don't match"
            return self._note_unreadable_row(row[0], self._line, why)
        fits = len(cells) == self.table.width
        why = self.table.add(cells, self._line, row[0]) if fits else self._wrong_width(len(cells))
        return not why or self._note_unreadable_row(row[0], self._line, why)

    def _may_keep_row(self) -> bool:
        """Keep a row whose quoted cell may go on in the next line; return whether it begins as a row does."""
        if not self._begins_row(self._open_row[0]):
            return False
        if self._size > _MOST_ROW_CHARS:
            self._drop_open_row()
        return True

    def _begins_row(self, text: str) -> bool:
        """Whether the first cell of a line has the form of the file's first column."""
        first, by, _ = text.partition(self.table.delimiter)
        form = self.tool.samples[self._number]
        return bool(by) and isinstance(form, SampleForm) and form.first.fullmatch(first) is not None

    def _note_unreadable_row(self, text: str, line: int, why: str) -> bool:
        """Add a message that a row can't be read; return whether it begins as a row does."""
        if not self._begins_row(text):
            return False
        self._add_message(line, f"{why}: {text[:_SHOWN_CHARS]}")
        return True

    def _wrong_width(self, count: int) -> str:
        """The message about a row with too many cells or too few."""
        return f"{self.table.width} cells belong here, not {count}"


def _split_quoted(row: str, delimiter: str) -> list[str]:
    """The cells of a row with quotation marks. Raises csv.Error for a line break outside of a quoted cell.

    It does so, too, for a cell with more than `_MOST_ROW_CHARS` characters; by itself, Python allows 128 KiB.
    """
    former_limit = csv.field_size_limit(_MOST_ROW_CHARS)
    try:
        return next(csv.reader([row], delimiter=delimiter))
    finally:
        csv.field_size_limit(former_limit)


def _opener_without_head(block: bytes) -> Callable[[int], _OpenFile] | None:
    """A function that opens a file without a head, of which this block has the first rows; None if it has none."""
    first = block.partition(b"\n")[0][:_MOST_HEAD_CHARS].decode("utf-8", "replace").removesuffix("\r")
    for tool, form in sample_forms():
        if isinstance(form, SampleForm) and form.assumed is not None and (head := form.assumed(first)):
            return functools.partial(_OpenRowFile, tool, form, "", head, assumed=True)
    return None


def _find_head(block: bytes) -> tuple[int, Callable[[int], _OpenFile] | None]:
    """The position of the first head in a block, and a function that opens its file.

    Without a head, the length of the block and None.
    """
    found = [
        (at, tool, form, match, front)
        for tool, form in sample_forms()
        for at, match, front in _find_head_of_form(block, form)
    ]
    if not found:
        return len(block), None
    at, tool, form, head, front = min(found, key=lambda head_found: head_found[0])
    if isinstance(form, LineForm):
        return at, functools.partial(_OpenLineFile, tool, form, front, head)
    return at, functools.partial(_OpenRowFile, tool, form, front, head)


def _find_head_of_form(block: bytes, form: SampleForm | LineForm) -> Iterator[tuple[int, str, str]]:
    """The first head of a form: the position of its line, its text, and the text in front of it."""
    sign, at = form.sign.encode(), -1
    # a sign may be in prose; so each one is looked at until a line is a head
    while (at := block.find(sign, at + 1)) >= 0:
        begin = block.rfind(b"\n", 0, at) + 1
        end = block.find(b"\n", at)
        end = len(block) if end < 0 else end
        if end - begin > _MOST_HEAD_CHARS:
            continue
        front = block[begin:at].decode("utf-8", "replace")
        head = block[at:end].decode("utf-8", "replace").removesuffix("\r")
        if QUOTE_SIGNS.fullmatch(front) and form.head.fullmatch(head):
            yield begin, head, front
            return

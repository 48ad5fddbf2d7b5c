"""Files of samples: a head that names the columns, and a row for each request, of which runs are made.

A tool lists in `ReportTool.samples` a `SampleForm` for each kind of such file. ``wrkparse.parse.samples`` finds the
head, parts the rows into cells, and gives them to the form's `SampleTable`, which keeps sums and counts only: a file
may have any length. At its end the table gives a `SampleRun` for each run. A file that is no CSV has a `LineTable`,
which gets whole lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from wrkparse.tools.report import Report


class SampleRun(NamedTuple):
    """A run that a table gives: the lines that stand for it, with their numbers, and what adds its numbers."""

    lines: tuple[tuple[int, str], ...]
    read: Callable[[Report], None]


class SampleTable(Protocol):
    """Takes the rows of one file. Between two rows it holds plain data, for it is stored where a log may grow."""

    delimiter: str
    width: int  # how many cells a row has

    def add(self, cells: Sequence[str], line: int, text: str) -> str:
        """Take a row, which begins at a line with this text; returns why it can't be read, empty if it can."""

    def runs(self) -> Iterable[SampleRun]:
        """The runs of all rows, in the order of their first lines."""


class LineTable(Protocol):
    """Takes the lines of one file that is no CSV; it holds plain data, as a `SampleTable` does."""

    ended: bool  # whether the last line of the file was taken

    def is_outside(self, text: str) -> bool:
        """Whether a line can't be of the file, which ended before it."""

    def take(self, text: str, line: int) -> str:
        """Take a line; returns why it can't be read, empty if it can."""

    def lacks(self) -> str:
        """What the file lacks if it ends here, empty if it is whole."""

    def runs(self) -> Iterable[SampleRun]:
        """The runs of all samples, in the order of their first lines."""


@dataclass(frozen=True, slots=True, eq=False)
class SampleForm:
    """One kind of file of samples with a row for each.

    ``head`` matches its first line, and that line has the text ``sign``. ``first`` matches the first cell of a row; a
    line that does not begin with such a cell, and is not the rest of a quoted one, ends the table. Where the file may
    lack its head, ``assumed`` gives the head that belongs to the first line of a source, empty if that line is no row.
    """

    sign: str
    head: re.Pattern[str]
    first: re.Pattern[str]
    table: Callable[[str, int], SampleTable]  # of a head, and the number of its line
    assumed: Callable[[str], str] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class LineForm:
    """One kind of file of samples that is no CSV; ``sign`` and ``head`` are as those of a `SampleForm`."""

    sign: str
    head: re.Pattern[str]
    table: Callable[[str, int], LineTable]

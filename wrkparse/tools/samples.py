"""Defines files of samples: a header with the names of the columns, and a row per request, from which runs are made.

A tool lists in `ReportTool.samples` a `SampleForm` for each kind of such file. ``wrkparse.parse.samples`` finds the
header, splits the rows into cells, and gives them to the `SampleTable` of the form, which keeps only sums and counts: a
file may have any length. At its end the table gives a `SampleRun` for each run. A file that is not CSV has a
`LineTable`, which gets whole lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from wrkparse.tools.report import Report


class SampleRun(NamedTuple):
    """A run of a table: the lines that represent it, with their numbers, and the function that adds its numbers."""

    lines: tuple[tuple[int, str], ...]
    read: Callable[[Report], None]


class SampleTable(Protocol):
    """Takes the rows of one file. It keeps only plain data, because it is stored while a log grows."""

    delimiter: str
    width: int  # the number of cells of a row

    def add(self, cells: Sequence[str], line: int, text: str) -> str:
        """Take a row, which begins at a line with this text; returns why it can't be read, empty if it can."""

    def runs(self) -> Iterable[SampleRun]:
        """The runs of all rows, in the order of their first lines."""


class LineTable(Protocol):
    """Takes the lines of one file that is not CSV; it keeps only plain data, as a `SampleTable` does."""

    ended: bool  # whether the last line of the file was taken

    def is_outside(self, text: str) -> bool:
        """Whether a line can't belong to the file, which ended before it."""

    def take(self, text: str, line: int) -> str:
        """Take a line; returns why it can't be read, empty if it can."""

    def lacks(self) -> str:
        """The part that the file lacks if it ends here; empty if it is complete."""

    def runs(self) -> Iterable[SampleRun]:
        """The runs of all samples, in the order of their first lines."""


@dataclass(frozen=True, slots=True, eq=False)
class SampleForm:
    """One kind of file of samples, with a row for each sample.

    ``head`` matches its first line, and that line has the text ``sign``. ``first`` matches the first cell of a row; a
    line that does not begin with such a cell, and is not the rest of a quoted one, ends the table. If the file may lack
    its header, ``assumed`` returns the header for the first line of a source, empty if that line is not a row.
    """

    sign: str
    head: re.Pattern[str]
    first: re.Pattern[str]
    table: Callable[[str, int], SampleTable]  # made of a header and the number of its line
    assumed: Callable[[str], str] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class LineForm:
    """One kind of file of samples that is not CSV; ``sign`` and ``head`` are the same as in a `SampleForm`."""

    sign: str
    head: re.Pattern[str]
    table: Callable[[str, int], LineTable]

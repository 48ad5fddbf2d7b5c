"""The lines of a trace that were found and wait to be decoded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from wrkparse.context.page.document import Snapshot
from wrkparse.tools.columnar.buffers import Indices


@dataclass(slots=True)
class WaitingLines:
    """Lines that were found and not yet decoded: texts, numbers, stamps.

    ``marks`` are the contexts of the lines, each with the index of its first line.
    """

    lines: list[bytes] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    stamps: list[str] = field(default_factory=list)
    marks: list[tuple[int, Snapshot]] = field(default_factory=list)

    def to_decode(self) -> LinesToDecode:
        """The lines in the form in which they are decoded."""
        stamps = pa.array(self.stamps, pa.string()) if any(self.stamps) else None
        return LinesToDecode(self.lines, np.array(self.numbers), stamps, self.marks)

    def split(self, index: int) -> WaitingLines:
        """Cut off the lines from `index` on, and return them."""
        rest = WaitingLines(self.lines[index:], self.numbers[index:], self.stamps[index:])
        del self.lines[index:], self.numbers[index:], self.stamps[index:]
        before = [(0, snapshot) for at, snapshot in self.marks if at <= index][-1:]
        rest.marks = before + [(at - index, snapshot) for at, snapshot in self.marks if at > index]
        return rest

    def replace(self, index: int, lines: list[bytes]) -> None:
        """Replace one line by several."""
        more = len(lines) - 1
        self.lines[index : index + 1] = lines
        self.numbers[index : index + 1] = [self.numbers[index]] * len(lines)
        self.stamps[index : index + 1] = [self.stamps[index]] * len(lines)
        self.marks = [(at + more * (at > index), snapshot) for at, snapshot in self.marks]

    def drop(self, indices: list[int]) -> None:
        """Remove lines."""
        # from the last one, so that the other indices stay valid
        for index in reversed(indices):
            del self.lines[index], self.numbers[index], self.stamps[index]
            self.marks = [(at - (at > index), snapshot) for at, snapshot in self.marks]


class LinesToDecode(NamedTuple):
    """Lines that are decoded together, as in `WaitingLines`; ``stamps`` is None if no line has a stamp."""

    lines: Sequence[bytes]
    numbers: Indices
    stamps: pa.StringArray | None
    marks: Sequence[tuple[int, Snapshot]]

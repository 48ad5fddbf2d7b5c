"""Many lines of one shape → columns, by numpy: without a loop over lines or numbers.

One comparison checks the skeletons of a whole block, the lengths of the gaps between the numbers prove that each stands
in its place, and `numbers` looks them up where they stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from wrkparse.tools.columnar import numbers
from wrkparse.tools.columnar.buffers import Lines, breaks
from wrkparse.tools.columnar.numbers import DIGITS, Bools, Bytes, Forms, Indices, Longer
from wrkparse.tools.columnar.templates import Bad, Group, Shape, ShapeOf, Values, fitting, named

_NUMBER = re.compile(rb"[0-9.]+")
_SLICE = 128 << 10  # bytes
_MANY_LENGTHS = 64  # of skeletons; what has more is no log of ours


def read(lines: Lines, shape_of: ShapeOf) -> tuple[list[Group], Bad]:
    """Read lines by shape; returns the groups and the lines that fit no shape, with the reason."""
    groups: list[Group] = []
    bad: Bad = []
    for skeleton, indices in _by_skeleton(lines).items():
        known = fitting(skeleton, shape_of)
        if known is None:
            bad += [(i, "not a line that a known version prints: cut, or other output in it") for i in indices.tolist()]
            continue
        block = _Block(lines.only(indices))
        sound, found = block.read(known, blanks=len(skeleton) - len(known.skeleton))
        groups += [Group(indices[sound], found, known.constants)] if len(sound) else []
        bad += [(int(indices[place]), reason) for place, reason in block.bad]
    return groups, bad


def _by_skeleton(lines: Lines) -> dict[bytes, Indices]:
    """Which lines are of which skeleton."""
    text = lines.text.translate(None, DIGITS)
    first = text[: text.index(b"\n") + 1]
    if _repeats(first, text, len(lines)):
        return {first[:-1]: np.arange(len(lines))}
    skeletons = Lines(text, breaks(text))
    lengths = skeletons.ends - skeletons.starts
    like_first = lengths == len(first) - 1  # most are
    known = [len(first) - 1, *np.unique(lengths[~like_first]).tolist()]
    found: dict[bytes, Indices] = {}
    for length in known if len(known) <= _MANY_LENGTHS else ():
        indices = np.flatnonzero(lengths == length)
        some = skeletons.only(indices)
        head = some.text[: length + 1]
        found |= {head[:-1]: indices} if _repeats(head, some.text, len(some)) else _told_apart(some, indices)
    return found or _told_apart(skeletons, np.arange(len(lines)))


def _repeats(line: bytes, text: bytes, count: int) -> bool:
    return len(text) == count * len(line) and text == line * count


def _told_apart(skeletons: Lines, indices: Indices) -> dict[bytes, Indices]:
    apart: dict[bytes, list[int]] = {}
    for index, skeleton in zip(indices.tolist(), skeletons, strict=True):
        apart.setdefault(skeleton, []).append(index)
    return {skeleton: np.array(where) for skeleton, where in apart.items()}


class _Forms(NamedTuple):
    """The numbers of some lines: a row of forms for each column; which are longer (row, column), and what they are."""

    forms: Forms
    rows: Indices
    columns: Indices
    longer: Longer


class _Block:
    """Lines of one skeleton that are being read, and those of them that are bad."""

    def __init__(self, lines: Lines) -> None:
        self.bad: Bad = []
        self._lines = lines

    def read(self, known: Shape, blanks: int) -> tuple[Indices, dict[str, Values]]:
        """Read lines of a shape, with so many blanks behind it: those that are sound, and their columns."""
        indices = np.arange(len(self._lines))
        found = None if blanks else self._if_all_alike(known)
        if found is None:
            placed, alone = self._placed(known, blanks)
            self.bad += [(i, "a number is missing, or stands where none belongs") for i in indices[~placed].tolist()]
            indices, found = indices[placed], [alone]
        kept, columns = self._columns(found, known, indices)
        return indices[kept], columns

    def _if_all_alike(self, known: Shape) -> list[_Forms] | None:
        """The numbers if all are where they should be: all gaps have their lengths. Some lines at a time."""
        width, lengths = len(known.names), np.array([len(gap) for gap in known.gaps])
        begin = lengths[:-1].copy()
        begin[:1] += lengths[-1] + 1  # the end of the line before, its break, the begin of this one
        found: list[_Forms] = []
        for text, count in self._slices() if width else ():
            coded = numbers.codes(text)
            places = numbers.places(coded)
            if len(places) != 2 * width * count:
                return None
            gaps = places[::2].copy()
            gaps[1:] -= places[1:-1:2]
            gaps[0] += begin[0] - lengths[0] - numbers.MARGIN + 1
            if (gaps.reshape(count, width) != begin).any():
                return None
            found.append(_forms(coded, places.reshape(count, 2 * width)))
        return found or None

    def _slices(self) -> Iterator[tuple[bytes, int]]:
        """The text a few lines at a time, with their number: what is made of them stays in the processor's cache."""
        text, ends = self._lines.text, self._lines.ends
        at = first = 0
        while first < len(ends):
            last = max(first + 1, int(np.searchsorted(ends, at + _SLICE)))
            stop = int(ends[last - 1]) + 1
            yield text[at:stop], last - first
            at, first = stop, last

    def _placed(self, known: Shape, blanks: int) -> tuple[Bools, _Forms]:
        """Which lines have all their numbers in their places; and the numbers of those lines."""
        coded = numbers.codes(self._lines.text)
        places = numbers.places(coded)
        starts, breaks = (at + numbers.MARGIN - 1 for at in (self._lines.starts, self._lines.ends))
        width = 2 * len(known.names)
        first = np.searchsorted(places, starts)
        placed = np.searchsorted(places, breaks, side="right") - first == width
        spans = places[first[placed][:, None] + np.arange(width)]
        edges = np.column_stack([starts[placed], spans, breaks[placed] - blanks])
        sound = (np.diff(edges, axis=1)[:, ::2] == [len(gap) for gap in known.gaps]).all(axis=1)
        placed[placed] = sound
        return placed, _forms(coded, spans[sound])

    def _columns(self, found: list[_Forms], known: Shape, indices: Indices) -> tuple[Bools, dict[str, Values]]:
        """Which of these lines are sound, and their columns."""
        forms = np.concatenate([each.forms for each in found], axis=1)
        fractional = np.array([name in known.decimals for name in known.names], bool)
        whole, parts = np.flatnonzero(~fractional), np.flatnonzero(fractional)
        integers, floats = numbers.integers(forms[whole]), numbers.floats(forms[parts])
        place = np.where(fractional, np.cumsum(fractional), np.cumsum(~fractional)) - 1
        first = 0
        for each in found:
            of_parts = fractional[each.columns]
            for chosen, columns, longer in (
                (of_parts, floats, each.longer.floats), (~of_parts, integers, each.longer.integers)
            ):  # fmt: skip
                columns[place[each.columns[chosen]], each.rows[chosen] + first] = longer[chosen]
            first += each.forms.shape[1]
        values: list[Values] = [floats[at] if of else integers[at] for of, at in zip(fractional, place, strict=True)]
        unsure = np.flatnonzero((integers < 0).any(axis=0) | np.isnan(floats).any(axis=0))
        kept = np.ones(len(indices), bool)
        for row in unsure.tolist():
            kept[row] = self._one(int(indices[row]), row, known, values)
        return kept, named(known, values if kept.all() else [column[kept] for column in values])

    def _one(self, index: int, row: int, known: Shape, values: list[Values]) -> bool:
        """Read the numbers of one line into its row; whether all can be read."""
        texts = _NUMBER.findall(self._lines[index])
        for name, text, column in zip(known.names, texts, values, strict=True):
            value = numbers.exact(text, decimals=name in known.decimals)
            if value is None:
                self.bad.append((index, f"{_shown(text)} is not a number of {name}"))
                return False
            column[row] = value
        return True


def _forms(coded: Bytes, spans: Indices) -> _Forms:
    """The numbers at these places, a row for each line."""
    width = spans.shape[1] // 2
    before, last = spans[:, ::2].ravel(), spans[:, 1::2].ravel()
    paired = numbers.pairs(coded)
    forms = numbers.forms(paired, last)
    lengths = last - before
    long = np.flatnonzero(lengths > numbers.MARGIN)
    read = numbers.longer(paired, last.take(long), lengths.take(long), forms.take(long))
    rows = long // max(width, 1)
    return _Forms(forms.reshape(len(spans), width).T, rows, long - rows * width, read)


def _shown(number: bytes) -> str:
    return repr((number if len(number) <= 40 else number[:37] + b"...").decode())

"""Names that fit narrow columns: broken at blanks, and cut where they agree, never where they differ."""

from __future__ import annotations

import itertools
import re
import textwrap
from collections.abc import Sequence
from typing import Literal, get_args

from wrkparse.analysis.shown.grids import grid
from wrkparse.text.escape import one_line

Breaks = Literal["blanks", "signs", "anywhere"]  # where names may be broken
_GAP = 2  # blanks between columns
_NARROWEST = 8  # columns that a column of names keeps
_FEWEST = 3  # characters of a beginning that still say something
_LONG = 12  # characters that names without any sign share before that is more than chance
_LAST_SIGN = re.compile(r".*[\s/_.:;,=+-]")  # "release-build-of-" of "release-build-of-ki"
_PARTS = re.compile(r"[^\s/_.:;,=+-]*[\s/_.:;,=+-]*")  # a word with the signs behind it


def fitted_columns(columns: Sequence[Sequence[str]], room: int, breaks: Breaks) -> list[list[list[str]]]:
    """The lines of each cell, by column, so that the columns are `room` wide together, if that can be had.

    Each column begins with its title. Cells are broken at blanks; if that is not enough, names are cut where all of a
    column agree. Then they are broken behind signs or within words, too, as `breaks` allows.
    """
    widths = [max(map(len, column), default=0) for column in columns]
    words = [max(map(longest_word, column), default=0) for column in columns]
    most = _shares(widths, words, room)
    if sum(most) <= room:
        return [[wrapped(cell, wide) for cell in column] for column, wide in zip(columns, most, strict=True)]
    most = _shares(widths, [min(wide, _NARROWEST) for wide in widths], room)
    cut = [[column[0], *cut_where_equal(column[1:], wide)] for column, wide in zip(columns, most, strict=True)]
    return [[wrapped(cell, wide, breaks) for cell in column] for column, wide in zip(cut, most, strict=True)]


def fitted_grid(header: Sequence[str], rows: Sequence[Sequence[str]], limit: int | None, *, names: int) -> str:
    """Cells as aligned columns, `limit` wide together if that can be had; the first `names` columns are names.

    Where they are wider, cells are broken at blanks, and if that is not enough names as in `fitted_columns`.
    """
    text = grid(header, rows)
    if limit is None or _wide(text) <= limit:
        return text
    columns = [list(map(one_line, column)) for column in zip(header, *rows, strict=True)]
    room = limit - _GAP * (len(columns) - 1)
    if sum(max(map(longest_word, column)) for column in columns) <= room:
        return _of_lines(fitted_columns(columns, room, "blanks"))
    others = [[wrapped(cell, max(map(longest_word, column))) for cell in column] for column in columns[names:]]
    room -= sum(max(len(line) for cell in column for line in cell) for column in others)
    # From blanks to within words: the first way that is narrow enough is the easiest to read.
    for breaks in get_args(Breaks):
        text = _of_lines([*fitted_columns(columns[:names], room, breaks), *others])
        if _wide(text) <= limit:
            break
    return text


def _of_lines(columns: Sequence[Sequence[Sequence[str]]]) -> str:
    """Columns of cells that have several lines each, as text."""
    lines = [line for row in zip(*columns, strict=True) for line in itertools.zip_longest(*row, fillvalue="")]
    return "\n".join(line.rstrip() for line in grid((), lines).splitlines())


def _wide(text: str) -> int:
    return max(map(len, text.splitlines()), default=0)


def _shares(widths: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """The widths, the widest made narrower until they have room or none is wider than its least."""
    found = list(widths)
    for _ in range(sum(widths) - room):
        # The widest of those that may still become narrower. If none may, nothing is taken.
        at = max(range(len(found)), key=lambda place: (found[place] > least[place], found[place]))
        found[at] -= found[at] > least[at]
    return found


def wrapped(text: str, most: int, breaks: Breaks = "blanks") -> list[str]:
    """A text in lines of at most `most` columns; what may not be broken and is longer has a line of its own."""
    if breaks == "blanks":
        return textwrap.wrap(text, most, break_long_words=False, break_on_hyphens=False) or [""]
    lines = [""]
    for part in _PARTS.findall(text):
        if lines[-1] and len(lines[-1]) + len(part.rstrip()) > most:
            lines.append("")
        lines[-1] += part
        while breaks == "anywhere" and len(lines[-1].rstrip()) > most:
            lines[-1:] = [lines[-1][:most], lines[-1][most:]]
    return [line.rstrip() for line in lines if line.strip()] or [""]


def longest_word(text: str) -> int:
    """The columns of the longest word of a text."""
    return max(map(len, text.split()), default=0)


def cut_where_equal(names: Sequence[str], most: int) -> list[str]:
    """Names of at most `most` columns, as far as that can be had by cutting what all of them share at their ends.

    >>> cut_where_equal(["release-build-of-kiwi", "release-build-of-emu"], 12)
    ['release…kiwi', 'release…emu']
    >>> cut_where_equal(["kiwi with a warm cache", "emu with a warm cache"], 12)
    ['kiwi with a…', 'emu with a…']
    """
    known = list(dict.fromkeys(name for name in names if name))
    longest = max(map(len, known), default=0)
    if longest <= most or len(known) == 1:
        return list(names)
    begin, end = _shared(known)
    kept = max(most - 1 - (longest - begin), 0)
    kept = kept if kept >= _FEWEST else 0
    # The sign takes the place of one character, so a single one is not cut.
    cut = {name: f"{name[:kept]}…{name[begin:]}" if begin > kept + 1 else name for name in known}
    over = max(map(len, cut.values())) - most
    gone = min(over + 1, end) if over > 0 else 0
    if gone > 1:
        cut = {name: f"{text[: len(text) - gone].rstrip()}…" for name, text in cut.items()}
    return [cut.get(name, name) for name in names]


def _common_beginning(names: Sequence[str]) -> str:
    # What the first and the last in their order share, all share.
    first, last = min(names), max(names)
    return first[
        : next((at for at, pair in enumerate(zip(first, last, strict=False)) if len(set(pair)) > 1), len(first))
    ]


def _shared(names: Sequence[str]) -> tuple[int, int]:
    """How many characters all names share at their beginning and at their end, in whole words."""
    shortest = min(map(len, names))
    # At least one character of each name stays.
    begin = _common_beginning(names)[: shortest - 1]
    words = _LAST_SIGN.match(begin)
    begin = words[0] if words else begin if len(begin) >= _LONG else ""
    end = _common_beginning([name[len(begin) :][::-1] for name in names])[: shortest - len(begin) - 1]
    words = _LAST_SIGN.match(end)
    return len(begin), len(words[0]) if words else 0

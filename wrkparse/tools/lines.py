r"""Describes the printed lines of a report, each once, by a `LineSpec`.

A spec serves two ways of reading. A line by itself is matched loosely (`LineSpec.pattern`): blanks are collapsed,
decorations of a page are removed, a number is any word, and a number that can't be read becomes a diagnostic. A line of
a complete report, exactly as the tool prints it, is matched strictly (`LineSpec.form`), together with all others, by
the pattern of a `wrkparse.tools.layout.ReportLayout`; there every number has the digits and the suffix of its `Cell`.
`line` makes both patterns, and the function that reads the numbers, from one template.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from wrkparse.model.records import Metric
from wrkparse.model.units import PLAIN, Quantity, Scale, parse_count, parse_quantity
from wrkparse.tools.report import Report

# Suffix → (a, b, resolution): a number is its digits · a / b, which Python rounds once.
Steps = dict[str, tuple[int, int, float]]

ReadLine = Callable[[Report, "re.Match[str]", int], None]
"""Adds the content of a matched line to the report; the last argument is the number of the line in the source."""

ANYWHERE = -1
"""The rank of a line that may be between any two others."""

# Numbers before a word are not part of its key: the key of "3.22user" is "user".
NUMERIC = "0123456789.,:-"
LEADER = "...:"
"""Dots that lead to a value, as in the key of their word."""
_CELL = "{}"  # the place of a number in a template
# The words with which a pattern begins: letters and escaped signs, none of them optional.
_FIRST_WORDS = re.compile(r"(?:(?:[A-Za-z]|(?<=[A-Za-z/:,-])[/:,-]|\\[ .()@])(?![?*+{|])| (?=[A-Za-z\\]))*(?<=[^ ])")
# Parts that a sign can't have: a blank becomes a repeated class of characters; RE2 has no look-arounds and back
# references.
_NO_SIGN = re.compile(r" [+*?{]|\[[^\]]* |\(\?<?[=!]|\\[1-9]")
WITHIN_ONLY = ("", "%")
"""Keys of lines without a word of their own: their position identifies them."""


def first_words(pattern: str) -> str:
    """The words with which every match of a pattern begins, as the pattern writes them; empty without any."""
    match = _FIRST_WORDS.match(pattern)
    return match[0] if match else ""


def key_of(word: str) -> str:
    """The key of a word, by which specs are looked up.

    Dots that lead to a value count as three, however many a tool prints to align it: ``vus....:`` has the key
    ``vus...:``.
    """
    if LEADER in word:
        return word.lstrip(NUMERIC).rstrip(".:") + LEADER
    return word.lstrip(NUMERIC)


class Cell(NamedTuple):
    """One kind of printed number.

    ``pattern`` is strict and has two groups, the digits and the suffix; ``steps`` turns these into a value. ``parse``
    reads the same number from any word, and raises ValueError if it can't. ``always_parse``: the value is more than
    digits and suffix (minutes and seconds), so ``parse`` also reads it in complete reports.
    """

    pattern: str
    steps: Steps
    parse: Callable[[str], Quantity]
    always_parse: bool = False


def decimals(places: int, scale: Scale = PLAIN, most: int = 12) -> Cell:
    """A number with this many decimal places, up to `most` digits before them, and a suffix of the scale."""
    zero = f"0.{'0' * places}" if places else "0"
    steps: Steps = {}
    for suffix, (power, factor) in scale.items():
        resolution = parse_quantity(f"{zero}{suffix}", scale).resolution
        assert resolution is not None
        steps[suffix] = factor * 10 ** max(0, power - places), 10 ** max(0, places - power), resolution
    fraction = rf"\.[0-9]{{{places}}}" if places else ""
    pattern = rf"([0-9]{{1,{most}}}{fraction})({'|'.join(sorted(scale, reverse=True))})"
    return Cell(pattern, steps, lambda text: parse_quantity(text, scale))


COUNT = Cell("([0-9]{1,18})()", {"": (1, 1, 0.0)}, parse_count)
"""A count: 18 digits at most, which a 64 bit integer holds."""


def read_by(function: Callable[[str], Quantity], pattern: str) -> Cell:
    """A number that a function reads, such as minutes and seconds, and its strict pattern."""
    return Cell(f"({pattern})()", COUNT.steps, function, always_parse=True)


class Slot(NamedTuple):
    """One number of a line: its metric, stat and cell.

    In a line that repeats, ``{}`` in ``stat`` is replaced by the number of the line, from 1.
    """

    metric: Metric
    stat: str
    cell: Cell


class Form(NamedTuple):
    """A line exactly as the tool prints it.

    ``pattern`` has ``{}`` for each slot; other groups in it are named. An empty line has no kind.
    """

    kind: str
    rank: int
    pattern: str
    slots: tuple[Slot, ...] = ()

    @property
    def regex(self) -> str:
        """The pattern with the groups of the cells and the line end."""
        first, *rest = self.pattern.split(_CELL)
        groups = (slot.cell.pattern for slot in self.slots)
        return first + "".join(f"{group}{text}" for group, text in zip(groups, rest, strict=True)) + r"\n"


BLANK = Form("", ANYWHERE, "")


@dataclass(frozen=True, slots=True, eq=False)
class LineSpec:
    """One kind of line of a report.

    ``pattern`` must match the whole line, after blanks were collapsed to one and decorations (quote marks, comment
    signs, list bullets) were removed. ``keys`` are the words (`key_of`) by which the line is found: the spec is tried
    if the first, second or last word of the line is one of them. A key with a ``*`` at its end matches all first words
    that begin with it: ``Benchmark*``.

    If several specs match a line and are allowed there, one of the open report's tool wins, of several the first one in
    the tool's table. No line begins the reports of two tools. Before all specs, a line is compared with the format that
    a command or a setting states (``TIME=%E``).

    A report prints its lines in a fixed order, given by ``rank``. A line of lower rank than the one before begins the
    next report, and so does one of equal rank unless it may ``repeat``. `ANYWHERE` fits between any others.
    """

    kind: str
    keys: tuple[str, ...]
    pattern: re.Pattern[str]
    rank: int
    read: ReadLine
    repeat: bool = False
    # Prose or other tools print it, too: it counts only within a report that has begun ...
    inside: bool = False
    # ... and is of this dialect, if only that prints it there.
    dialect: str | None = None
    # It does not count while a report of another tool is open, which it would interrupt.
    yields: bool = False
    # Other tools and people print it, too: it begins a report only below a command of its tool, and not below a report
    # of more lines, which it may sum up.
    needs_command: bool = False
    # Its pattern begins with any text: prefixes of log collectors are removed first.
    any_front: bool = False
    # No other line looks like it: a single word may be before it, as in "cold 0.184u 0.000s 0:00.94 19.1%".
    behind_word: bool = False
    # It may also follow lines up to this rank, once: versions and people put it in different places.
    latest: int = ANYWHERE
    # Its beginning, if it is also searched for after output without a line end.
    late: re.Pattern[str] | None = None
    # A regular expression for RE2 that every such line contains. Needed only if the first words of the pattern do not
    # distinguish it from other lines. A blank matches anything that may separate words.
    sign: str = ""
    # As the tool prints it, for layouts of complete reports.
    form: Form | None = None
    # A report may begin with such a line.
    begins: bool = field(init=False)

    def __post_init__(self) -> None:
        """Raises ValueError for a line that could not be found, or not in a long log."""
        for key in self.keys:
            if not key.endswith("*") and key_of(key) != key:
                raise ValueError(f"the line {self.kind!r} is never found: its key {key!r} should be {key_of(key)!r}")
        if _NO_SIGN.search(self.sign):
            raise ValueError(
                f"the sign {self.sign!r} of the line {self.kind!r} is not one for RE2: a blank stands for any number "
                "of blanks already, so it can't be repeated or be inside brackets; there are no look-arounds"
            )
        # set here, because the class is frozen
        object.__setattr__(self, "begins", not (self.inside or self.dialect))
        is_found = not set(self.keys).issubset(WITHIN_ONLY)
        if self.begins and is_found and not self.sign and not first_words(self.pattern.pattern):
            raise ValueError(f"the line {self.kind!r} begins a report with no fixed word: it needs a sign")

    def printed(self, pattern: str, *slots: Slot) -> Form:
        """One of several forms in which the tool prints this line."""
        return Form(self.kind, self.rank, pattern, slots)


def ignore(report: Report, match: re.Match[str], line: int) -> None:
    """Read a line of the report without adding anything."""


def inner(kind: str, key: str, pattern: str, rank: int, read: ReadLine = ignore, *, repeat: bool = False) -> LineSpec:
    """A line that counts only after the report has begun, and is only matched loosely."""
    return LineSpec(kind, (key,), re.compile(pattern), rank, read, repeat=repeat, inside=True)


def count_slot(metric: Metric, stat: str = "total") -> Slot:
    """A slot for a count."""
    return Slot(metric, stat, COUNT)


def line(
    kind: str,
    template: str,
    *slots: Slot,
    rank: int,
    keys: Sequence[str] = (),
    loose: str = "",
    read: ReadLine | None = None,
    repeat: bool = False,
    inside: bool = False,
    sign: str = "",
) -> LineSpec:
    r"""A line from its template: a regular expression with ``{}`` for each slot, and one blank for any number.

    A blank before the template or before a slot matches one or more; a TAB matches itself, and in the loose pattern a
    blank. ``loose`` replaces the loose pattern that is made of the template, in which a slot is any word (``\S+``);
    ``read`` replaces the function that reads each slot by its cell. The default key is the first word of the template.
    """
    # " {}" is one column, padded to any width; a blank between words is one blank
    strict = re.sub(r"(?:^ |(?<![\[+*]) (?={}))", " +", template)
    words = template.strip().replace(r"\t", " ")
    return LineSpec(
        kind,
        tuple(keys) or (key_of(words.split()[0]),),
        re.compile(loose or words.replace(_CELL, r"(\S+)")),
        rank,
        read or (slot_reader(slots) if slots else ignore),
        repeat,
        inside,
        sign=sign,
        form=Form(kind, rank, strict, slots),
    )


def slot_reader(slots: Sequence[Slot]) -> ReadLine:
    """A function that reads a line whose groups are these slots, in this order."""

    def read(report: Report, match: re.Match[str], line: int) -> None:
        for (metric, stat, cell), text in zip(slots, match.groups(), strict=True):
            if text is not None:
                report.add_printed(metric, stat, cell.parse, text, line)

    return read

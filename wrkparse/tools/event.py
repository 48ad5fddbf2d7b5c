"""Defines event tools: programs that print a line per event while a process runs (gctrace, schedtrace).

An `EventTool` has an `EventSpec` for each kind of line that it prints. The reader derives everything about these lines
from the specs: which text contains events, where an event begins, which pieces of a line belong together. The
`EventStream` of the tool turns the lines into columns.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import pyarrow as pa

from wrkparse.model.records import Column, Metric
from wrkparse.tools.columnar.shapes import BLANKS, DIGITS, Shape

# The beginnings of lines of most other programs: logfmt, dates, brackets of levels and of JSON.
OTHER_OUTPUT = r"(?:level|time|ts|msg)=|[0-9]{4}[-/]|[\[{]"

# "(?<![a-z] GC)" and "(?=[ \t\r]*\n)"; a group may be in it
_LOOK_AROUND = re.compile(r"\(\?<?[=!](?:[^()\\]|\\.|\((?:[^()\\]|\\.)*\))*\)")
# "{1,10}" in "gc [0-9]{1,10} @"
_COUNTS = re.compile(r"\{([0-9]{1,9}),?[0-9]{0,9}\}")
# The characters with which a pattern begins, up to one that may be missing or repeated.
_LITERAL = re.compile(r"(?:(?:\\[^a-zA-Z0-9]|[^\\.^$*+?{}\[\]|()])(?![?*+{]))*")


class Opening(NamedTuple):
    """The beginning of a common event line: a word, a number of at most ``digits`` digits, a mark of two bytes or more.

    The block scanner finds such lines without a regular expression. The texts contain no sign with a meaning in one.
    """

    word: bytes
    digits: int
    mark: bytes

    @property
    def pattern(self) -> str:
        """The beginning as a regular expression."""
        return f"{self.word.decode()}[0-9]{{1,{self.digits}}}{self.mark.decode()}"


class EventSpec(NamedTuple):
    """One kind of event line: how it is found among other text, and how its pieces are joined.

    ``begins`` and the other patterns are regular expressions. The stretch of a line is the text from a match of
    ``begins`` to the end of the line. ``begins`` starts with a letter, because a search for one of a few letters is
    fast.
    """

    table: str  # the table of its rows; empty for a line that only describes the next one
    word: str  # a text that every such line contains
    begins: str
    # All shapes of the complete line, if they can be listed.
    shapes: tuple[Shape, ...] = ()
    # Set for a line that makes up most of a long log. The others are rare.
    opening: Opening | None = None
    # The text that every match of ``begins`` contains, for RE2. By default derived from ``begins``; text inside a JSON
    # string or the like may look different.
    sign: str = ""
    # The beginnings at which other output may tear the line before ``begins`` can match, and the lines besides
    # `OTHER_OUTPUT` that may follow directly.
    torn: str = ""
    torn_by: str = ""
    # Ends of a line that a page may wrap to the next line, though the line is complete without them.
    continuations: tuple[str, ...] = ()
    # The endings of a complete line: many pieces are joined only up to a piece with such an ending.
    ends: tuple[str, ...] = ()

    @property
    def re2_sign(self) -> str:
        """The text that every match contains, as a pattern for RE2.

        RE2 has no look-arounds, and takes long to prepare counts.
        """
        return self.sign or _relax(self.begins)


class Events(NamedTuple):
    """The result of decoding some lines.

    Each of ``tables`` has the columns of the tool without ``run`` and ``line``, and first ``index`` (int64): the row is
    from ``lines[index]``. ``starts`` are the indices at which events of another process begin. ``bad`` are lines that
    look like lines of the tool but can't be read, with the reason.
    """

    tables: dict[str, pa.Table]
    starts: list[int]
    bad: list[tuple[int, str]]


class EventStream(Protocol):
    """Decodes the events of one tool in one source, block after block, and keeps the state between blocks."""

    def decode(self, lines: Sequence[bytes]) -> Events:
        """Turn lines, each as `EventTool.find` found it, into columns."""

    def sound(self, lines: Sequence[bytes]) -> set[int]:
        """The indices of the lines that would give a row, each by itself as the next line."""

    def follow(self, events: Events) -> Events:
        """The result of `decode` for common event lines that are not bad, given the result of a new stream."""


@dataclass(frozen=True, eq=False)
class EventTool:
    """A tool that prints a line per event."""

    name: str
    specs: tuple[EventSpec, ...]
    stream: Callable[[], EventStream]
    tables: Mapping[str, tuple[Column, ...]]
    # The table whose first row describes the run, and its columns that are labels of the run.
    main_table: str
    label_columns: Mapping[str, str]
    # Columns of the main table: the number of the event, which rises by one; the time since the process started; the
    # live heap after the event, and the goal of the heap, which follows from the live heap after the event before.
    number_column: str = ""
    time_column: str = ""
    live_column: str = ""
    goal_column: str = ""
    # A text in the first line that a process prints. The lines above it may name the process, so they are parsed.
    first_text: str = ""
    # The dialect of its runs, if the main table has no column ``era``.
    dialect: str | None = None
    metrics: tuple[Metric, ...] = ()
    # Characters of its longest line. It bounds the number of pieces of a torn one. A SCHED line with thousands of Ps
    # has less than 64 Ki.
    longest: int = 64 << 10
    # Returns a line as a version prints it, for a bad line whose rest was not found.
    as_printed: Callable[[bytes], bytes] | None = None
    # Finds words that only the tool prints, in a source without runs: its lines may be damaged.
    known_words: re.Pattern[str] | None = None

    @functools.cached_property
    def find(self) -> re.Pattern[bytes]:
        """Finds the stretch of each event in a text: from the apparent beginning of its line to the end of the line."""
        return _stretch_pattern(self.specs)

    @functools.cached_property
    def begins(self) -> re.Pattern[bytes]:
        """Finds the beginning of the stretch of an event."""
        return _any_of(spec.begins for spec in self.specs)

    @functools.cached_property
    def find_common(self) -> re.Pattern[bytes]:
        """As `find`, but only for common event lines; faster, because these begin with the same letters."""
        return _stretch_pattern(spec for spec in self.specs if spec.opening)

    @functools.cached_property
    def sign(self) -> str:
        """The text that every match of `find` contains, as a pattern for RE2."""
        return "|".join(spec.re2_sign for spec in self.specs)

    @functools.cached_property
    def rare_sign(self) -> str:
        """The same for events that `find_common` does not find; empty if it finds all."""
        return "|".join(spec.re2_sign for spec in self.specs if not spec.opening)

    @functools.cached_property
    def words(self) -> tuple[str, ...]:
        """Texts, one of which each event line contains. A short text is searched for these before `find`."""
        return tuple(dict.fromkeys(spec.word for spec in self.specs))

    @functools.cached_property
    def opening(self) -> Opening | None:
        """The beginning of common event lines; None if the tool has none."""
        return next((spec.opening for spec in self.specs if spec.opening), None)

    @functools.cached_property
    def ends(self) -> tuple[str, ...]:
        """The endings of complete lines."""
        return tuple(dict.fromkeys(end for spec in self.specs for end in spec.ends))

    def may_go_on(self, text: str) -> bool:
        """Whether a text may be the beginning of a complete line: False if no shape of such a line begins like it."""
        line = text.encode()
        skeleton = line.translate(None, DIGITS).rstrip(BLANKS)
        return skeleton in self._skeletons_begun or self._begins_in_shapes.match(line) is None

    @functools.cached_property
    def _begins_in_shapes(self) -> re.Pattern[bytes]:
        """Matches the beginning of a line whose shapes are all listed."""
        return _any_of(spec.begins for spec in self.specs if spec.shapes)

    @functools.cached_property
    def _skeletons_begun(self) -> frozenset[bytes]:
        """The beginnings of the skeletons of these lines, without blanks at the end."""
        skeletons = {known.skeleton for spec in self.specs for known in spec.shapes}
        return frozenset(text[:end].rstrip(BLANKS) for text in skeletons for end in range(len(text) + 1))

    @functools.cached_property
    def torn(self) -> re.Pattern[bytes]:
        """Matches an event line, at its beginning, that was torn before `find` could match."""
        return _any_of(rf"{spec.torn}(?:$|(?={_followers(spec)}))" for spec in self.specs if spec.torn)

    @functools.cached_property
    def torn_sign(self) -> str:
        """The text that every match of `torn` contains, as a pattern for RE2; empty without such a match."""
        torn = (rf"{_relax(spec.torn)}(?:\n|\z|{_followers(spec)})" for spec in self.specs if spec.torn)
        return "|".join(torn)

    @functools.cached_property
    def continuation(self) -> re.Pattern[bytes]:
        """Matches a text that can only be the rest of an event line that a page wrapped."""
        return _any_of(pattern for spec in self.specs for pattern in spec.continuations)

    @functools.cached_property
    def continuation_sign(self) -> str:
        """The text that every match of `continuation` contains, as a pattern for RE2; empty without such a match."""
        return "|".join(_relax(pattern) for spec in self.specs for pattern in spec.continuations)

    @functools.cached_property
    def piece_words(self) -> tuple[str, ...]:
        """Texts, one of which each match of `torn` and `continuation` contains."""
        patterns = (pattern for spec in self.specs for pattern in (spec.torn, *spec.continuations) if pattern)
        return tuple(dict.fromkeys(_literal_beginning(pattern) for pattern in patterns))


def piece_word_pattern(tools: Iterable[EventTool]) -> re.Pattern[str]:
    """A pattern that finds a text in any line with a piece of an event line."""
    return re.compile("|".join(re.escape(word) for tool in tools for word in tool.piece_words) or r"(?!)")


def _stretch_pattern(specs: Iterable[EventSpec]) -> re.Pattern[bytes]:
    """A pattern that finds the stretches of events of these specs."""
    return re.compile(rb"(?:%b)[^\n]*" % _any_of(spec.begins for spec in specs).pattern)


def _any_of(patterns: Iterable[str]) -> re.Pattern[bytes]:
    """A pattern of any of these patterns; it matches nothing without any."""
    return re.compile("|".join(patterns).encode() or rb"(?!)")


def _followers(spec: EventSpec) -> str:
    """The patterns of text that may directly follow a torn line."""
    return f"{spec.torn_by}|{OTHER_OUTPUT}" if spec.torn_by else OTHER_OUTPUT


def _relax(pattern: str) -> str:
    """A pattern that matches more, without look-arounds and limits of counts."""
    return _COUNTS.sub(lambda count: "*" if count[1] == "0" else "+", _LOOK_AROUND.sub("", pattern))


def _literal_beginning(pattern: str) -> str:
    """The text with which every match of a pattern begins."""
    found = _LITERAL.match(pattern)
    return re.sub(r"\\(.)", r"\1", found[0]) if found else ""

"""Event tools: programs that print a line per event for as long as a process lives (gctrace, schedtrace).

An `EventTool` lists an `EventSpec` for each kind of line that it prints. All that the reader needs to know of these
lines follows from the specs: which text holds events, where an event begins, which pieces of a line belong together.
The tool's `EventStream` turns the lines into columns.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import pyarrow as pa

from wrkparse.model.records import Column, Metric
from wrkparse.tools.columnar.templates import BLANKS, DIGITS, Shape

# How lines of most other programs begin: logfmt, dates, brackets of levels and of JSON.
OTHER_OUTPUT = r"(?:level|time|ts|msg)=|[0-9]{4}[-/]|[\[{]"

_LOOK_AROUND = re.compile(r"\(\?<?[=!](?:[^()\\]|\\.|\((?:[^()\\]|\\.)*\))*\)")
_COUNTS = re.compile(r"\{([0-9]{1,9}),?[0-9]{0,9}\}")
# The characters that a pattern begins with, but for one that may be missing or repeated.
_LITERAL = re.compile(r"(?:(?:\\[^a-zA-Z0-9]|[^\\.^$*+?{}\[\]|()])(?![?*+{]))*")


class Opening(NamedTuple):
    """How a common event line begins: a word, a number of at most ``digits`` digits, a mark of two bytes or more.

    The block scanner finds such lines without a regular expression. The texts hold no sign that has a meaning in one.
    """

    word: bytes
    digits: int
    mark: bytes

    @property
    def pattern(self) -> str:
        """The same as a regular expression."""
        return f"{self.word.decode()}[0-9]{{1,{self.digits}}}{self.mark.decode()}"


class EventSpec(NamedTuple):
    """One kind of event line: how it is found among other text, and how it is put together from its pieces.

    ``begins`` and the other patterns are regular expressions. A line's stretch is from a match of ``begins`` to the end
    of the line. ``begins`` starts with a letter: a search for one of a few letters is fast.
    """

    table: str  # that its rows go to; empty for a line that only says something of the next one
    word: str  # text that every such line contains
    begins: str
    # The complete line in all its forms, where they can be listed.
    shapes: tuple[Shape, ...] = ()
    # Set for a line that makes up most of a long log. The others are rare.
    opening: Opening | None = None
    # What text has to contain for a match of ``begins``, for RE2. By default derived from ``begins``; text inside a
    # string of JSON or the like may look different.
    sign: str = ""
    # The beginnings at which other output may tear the line before ``begins`` can match, and which other lines than
    # `OTHER_OUTPUT` may follow directly.
    torn: str = ""
    torn_by: str = ""
    # What a page that wraps lines may leave on a line of its own, though the line above is complete without it.
    continuations: tuple[str, ...] = ()
    # How a complete line ends: one torn into many pieces is tried where a piece ends so.
    ends: tuple[str, ...] = ()

    @property
    def re2_sign(self) -> str:
        """What text has to contain for a match, for RE2.

        RE2 has no look-arounds, and takes long to prepare for counts.
        """
        return self.sign or _relaxed(self.begins)


class Events(NamedTuple):
    """What a stream made of some lines.

    Each of ``tables`` has the tool's columns without ``run`` and ``line``, and first ``index`` (int64): the row came
    from ``lines[index]``. ``starts`` are the indices at which another process's events begin. ``bad`` are lines that
    look like the tool's and can't be read, with the reason.
    """

    tables: dict[str, pa.Table]
    starts: list[int]
    bad: list[tuple[int, str]]


class EventStream(Protocol):
    """Decodes one source's events of one tool, block after block. Remembers what the next block depends on."""

    def decode(self, lines: Sequence[bytes]) -> Events:
        """Turn lines, each as `EventTool.find` found it, into columns."""

    def sound(self, lines: Sequence[bytes]) -> set[int]:
        """The indices of those lines that would give a row, each if it alone came next."""

    def follow(self, events: Events) -> Events:
        """What `decode` makes of common event lines, all sound, given what a new stream made of them."""


@dataclass(frozen=True, eq=False)
class EventTool:
    """A tool that prints a line per event."""

    name: str
    specs: tuple[EventSpec, ...]
    stream: Callable[[], EventStream]
    tables: Mapping[str, tuple[Column, ...]]
    # The table whose first row describes the run, and which of its columns are labels of the run.
    main_table: str
    label_columns: Mapping[str, str]
    # Columns of the main table: the number of the event, which rises by one; the time since the process started; the
    # heap that the event left, and the heap's goal, which follows from what the event before left.
    number_column: str = ""
    time_column: str = ""
    live_column: str = ""
    goal_column: str = ""
    # The dialect of its runs, where the main table has no column ``era``.
    dialect: str | None = None
    metrics: tuple[Metric, ...] = ()
    # Characters of its longest line. It bounds how many pieces a torn one may have. A SCHED line with thousands of Ps
    # has less than 64 Ki.
    longest: int = 64 << 10
    # A line that no version prints and that stays bad though its rest was looked for, as a version prints it.
    as_printed: Callable[[bytes], bytes] | None = None

    @functools.cached_property
    def find(self) -> re.Pattern[bytes]:
        """Finds each event's stretch in a text: from where its line seems to begin to the end of the line."""
        return _stretches(self.specs)

    @functools.cached_property
    def begins(self) -> re.Pattern[bytes]:
        """Finds where an event's stretch begins."""
        return _any(spec.begins for spec in self.specs)

    @functools.cached_property
    def find_common(self) -> re.Pattern[bytes]:
        """As `find`, for common event lines only. Faster, for they begin with the same letters."""
        return _stretches(spec for spec in self.specs if spec.opening)

    @functools.cached_property
    def sign(self) -> str:
        """What text has to contain for a match of `find`, for RE2."""
        return "|".join(spec.re2_sign for spec in self.specs)

    @functools.cached_property
    def rare_sign(self) -> str:
        """The same for what `find_common` does not find; empty if that is nothing."""
        return "|".join(spec.re2_sign for spec in self.specs if not spec.opening)

    @functools.cached_property
    def words(self) -> tuple[str, ...]:
        """Texts one of which each event line contains. Short text is searched for these before `find`."""
        return tuple(dict.fromkeys(spec.word for spec in self.specs))

    @functools.cached_property
    def opening(self) -> Opening | None:
        """How common event lines begin; None for a tool that has none."""
        return next((spec.opening for spec in self.specs if spec.opening), None)

    @functools.cached_property
    def ends(self) -> tuple[str, ...]:
        """How complete lines end."""
        return tuple(dict.fromkeys(end for spec in self.specs for end in spec.ends))

    def may_go_on(self, text: str) -> bool:
        """Whether a text may be the beginning of a complete line: False where no shape of such a line begins so."""
        line = text.encode()
        skeleton = line.translate(None, DIGITS).rstrip(BLANKS)
        return skeleton in self._skeletons_begun or self._begins_in_shapes.match(line) is None

    @functools.cached_property
    def _begins_in_shapes(self) -> re.Pattern[bytes]:
        """Matches where a line begins whose shapes are all listed."""
        return _any(spec.begins for spec in self.specs if spec.shapes)

    @functools.cached_property
    def _skeletons_begun(self) -> frozenset[bytes]:
        """The beginnings of the skeletons of these lines, without blanks at the end."""
        skeletons = {known.skeleton for spec in self.specs for known in spec.shapes}
        return frozenset(text[:end].rstrip(BLANKS) for text in skeletons for end in range(len(text) + 1))

    @functools.cached_property
    def torn(self) -> re.Pattern[bytes]:
        """Matches, where a line's own text begins, an event line torn before `find` could match."""
        return _any(rf"{spec.torn}(?:$|(?={_torn_by(spec)}))" for spec in self.specs if spec.torn)

    @functools.cached_property
    def torn_sign(self) -> str:
        """What text has to contain for a match of `torn`, for RE2; empty if nothing can."""
        torn = (rf"{_relaxed(spec.torn)}(?:\n|\z|{_torn_by(spec)})" for spec in self.specs if spec.torn)
        return "|".join(torn)

    @functools.cached_property
    def continuation(self) -> re.Pattern[bytes]:
        """Matches a text that can only be the rest of an event line that a page wrapped."""
        return _any(pattern for spec in self.specs for pattern in spec.continuations)

    @functools.cached_property
    def continuation_sign(self) -> str:
        """What text has to contain for a match of `continuation`, for RE2; empty if nothing can."""
        return "|".join(_relaxed(pattern) for spec in self.specs for pattern in spec.continuations)

    @functools.cached_property
    def piece_words(self) -> tuple[str, ...]:
        """Texts one of which each match of `torn` and `continuation` contains."""
        patterns = (pattern for spec in self.specs for pattern in (spec.torn, *spec.continuations) if pattern)
        return tuple(dict.fromkeys(_literal(pattern) for pattern in patterns))


def pieces_of(tools: Iterable[EventTool]) -> re.Pattern[str]:
    """Finds a text that any line with a piece of an event line contains."""
    return re.compile("|".join(re.escape(word) for tool in tools for word in tool.piece_words) or r"(?!)")


def _stretches(specs: Iterable[EventSpec]) -> re.Pattern[bytes]:
    return re.compile(rb"(?:%b)[^\n]*" % _any(spec.begins for spec in specs).pattern)


def _any(patterns: Iterable[str]) -> re.Pattern[bytes]:
    return re.compile("|".join(patterns).encode() or rb"(?!)")


def _torn_by(spec: EventSpec) -> str:
    return f"{spec.torn_by}|{OTHER_OUTPUT}" if spec.torn_by else OTHER_OUTPUT


def _relaxed(pattern: str) -> str:
    """A pattern that matches more, without look-arounds and limits of counts."""
    return _COUNTS.sub(lambda count: "*" if count[1] == "0" else "+", _LOOK_AROUND.sub("", pattern))


def _literal(pattern: str) -> str:
    """The text with which every match of a pattern begins."""
    found = _LITERAL.match(pattern)
    return re.sub(r"\\(.)", r"\1", found[0]) if found else ""

"""Finds the texts that a torn event line may have with the lines after it. Many candidates are decoded at once."""

from __future__ import annotations

import functools
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain, islice
from typing import NamedTuple

from wrkparse.text.torn import WINDOW_LINES, heads_within, likely_joins, line_head
from wrkparse.text.window import LineWindow
from wrkparse.tools.event import EventStream, EventTool

_TRIED_FIRST = 6  # joins: a page wraps a line once or twice, and its pieces may be joined in three ways
# Characters of the longest line of a tool up to which all joins are tried together: it bounds the memory they take.
_SHORT_EVENT = 4096


class TornLine(NamedTuple):
    """A line that can't be read, and the lines after it that may have its rest.

    ``indexes`` are their numbers in the window, ``after`` their texts, ``heads`` the heads of these lines that also
    appear in the line itself.
    """

    begin: str
    indexes: Sequence[int] = ()
    after: Sequence[str] = ()
    heads: AbstractSet[str] = frozenset()

    def joins(self, tool: EventTool) -> Iterator[tuple[str, int]]:
        """The texts that the line may be, and how many of the lines after it each takes."""
        return likely_joins(self.begin, self.after, tool.ends, tool.longest, tool.may_go_on)


class RestFinder:
    """Finds the lines that may have the rest of a torn line of a stream. Many torn lines share them."""

    def __init__(self, tool: EventTool, stream: str, window: LineWindow) -> None:
        self._tool, self._stream, self._window = tool, stream, window
        self._start_over(0, None)

    def torn_line(self, begin: str, indexes: range, signs: str | None) -> TornLine:
        """A torn line with the lines that may have its rest.

        ``indexes`` are the indexes of the lines after it in the window. ``signs`` are the signs in front of it; None
        if it has a prefix.
        """
        # torn lines come in order; only one far below, or with other signs, needs other lines
        if signs != self._signs or not self._seen.start <= indexes.start <= self._seen.stop:
            self._start_over(indexes.start, signs)
        self._add_texts(range(self._seen.stop, indexes.stop))
        low, high = bisect_left(self._indexes, indexes.start), bisect_left(self._indexes, indexes.stop)
        stop = bisect_left(self._event_indices, low)
        if stop < len(self._event_indices):  # a piece of a line does not begin another event
            high = min(high, self._event_indices[stop])
        heads = heads_within(begin, self._heads[low:high])
        return TornLine(begin, self._indexes[low:high], self._texts[low:high], heads)

    def _start_over(self, first: int, signs: str | None) -> None:
        """Forget the lines that were added; the next lines have indexes from this one on."""
        self._signs, self._seen = signs, range(first, first)
        self._indexes: list[int] = []
        self._texts: list[str] = []
        self._heads: list[str] = []  # of the texts
        self._event_indices: list[int] = []  # of the texts that begin an event

    def _add_texts(self, indexes: range) -> None:
        """Add more lines of the stream, without the prefix or the signs in front of them."""
        if self._signs is None:
            found = self._window.texts_without_prefix(indexes, self._stream)
        else:
            found = self._window.texts_without_signs(indexes, self._stream, self._signs)
        for at, (index, text) in enumerate(found, len(self._texts)):
            self._indexes.append(index)
            self._texts.append(text)
            self._heads.append(line_head(text))
            if begins_event(self._tool, text):
                self._event_indices.append(at)
        self._seen = range(self._seen.start, max(self._seen.stop, indexes.stop))


class CompletenessCheck:
    """Finds which texts are complete lines of a tool, given the lines that its stream has decoded; remembers them."""

    def __init__(self, tool: EventTool, stream: EventStream) -> None:
        self._tool, self._find, self._stream = tool, tool.find, stream
        self._known: dict[str, bool] = {}

    def check(self, texts: Iterable[str]) -> None:
        """Check many texts at once."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        lines = [text.encode() for text in new]
        likely = [at for at, line in enumerate(lines) if self._find.fullmatch(line)]
        sound = self._stream.sound([lines[at] for at in likely]) if likely else ()
        self._known |= dict.fromkeys(new, False) | {new[likely[at]]: True for at in sound}

    def check_joins(self, torn: Sequence[TornLine]) -> None:
        """Check the joins of these lines: first the likeliest, then the others of lines that are still incomplete."""
        first = [[text for text, _ in islice(line.joins(self._tool), _TRIED_FIRST)] for line in torn]
        self.check(chain.from_iterable(first))
        if self._tool.longest <= _SHORT_EVENT:
            rest = [line for line, texts in zip(torn, first, strict=True) if not any(map(self._known.get, texts))]
            self.check([text for line in rest for text, _ in line.joins(self._tool)])

    def indices_if_as_printed(self, lines: Sequence[bytes]) -> set[int]:
        """The indices of lines that no version of the tool prints, but that are sound as a version would print them."""
        as_printed = self._tool.as_printed
        return self._stream.sound([as_printed(line) for line in lines]) if as_printed else set()

    def __call__(self, text: str) -> bool:
        """Whether a text is a complete line."""
        known = self._known.get(text)
        if known is None:
            self.check([text])
            known = self._known[text]
        return known


@functools.lru_cache(maxsize=4 * WINDOW_LINES)  # each torn line looks at the same lines
def begins_event(tool: EventTool, text: str) -> bool:
    """Whether a text begins as an event of a tool does, complete or torn early."""
    line = text.lstrip().encode()
    return tool.find.match(line) is not None or tool.torn.match(line) is not None

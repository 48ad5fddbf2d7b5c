"""What a torn event line may be, with the lines behind it: many candidates are decoded at once."""

from __future__ import annotations

import functools
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain, islice
from typing import NamedTuple

from wrkparse.text.torn import WINDOW_LINES, LineHeads, likely_joins
from wrkparse.text.window import LineWindow
from wrkparse.tools.event import EventStream, EventTool

_LIKELIEST = 6  # joins that are tried first: a page wrapped a line once or twice, in three ways
_SHORT = 4096  # characters of a tool's longest line up to which all joins are tried together: they are held in memory


class TornLine(NamedTuple):
    """A line that can't be read, and the lines behind it that may hold its rest: their places in the window, and texts.

    ``heads`` are those of these lines that stand in the line itself.
    """

    begin: str
    places: Sequence[int] = ()
    after: Sequence[str] = ()
    heads: AbstractSet[str] = frozenset()

    def joins(self, tool: EventTool) -> Iterator[tuple[str, int]]:
        """What the line may be, and how many lines that takes."""
        return likely_joins(self.begin, self.after, tool.ends, tool.longest, tool.may_go_on)


class RestFinder:
    """Finds the lines that may hold the rests of torn lines of a stream, many of which look at the same lines."""

    def __init__(self, tool: EventTool, stream: str, window: LineWindow) -> None:
        self._tool, self._stream, self._window = tool, stream, window
        self._begin_anew(0, None)

    def torn_line(self, begin: str, places: range, signs: str | None) -> TornLine:
        """A line that can't be read, given the places behind it, and the signs in front; None if a prefix is there."""
        if signs != self._signs or not self._looked.start <= places.start <= self._looked.stop:
            self._begin_anew(places.start, signs)
        self._look_at(range(self._looked.stop, places.stop))
        low, high = bisect_left(self._places, places.start), bisect_left(self._places, places.stop)
        stop = bisect_left(self._events, low)
        if stop < len(self._events):  # no piece of a line begins another one
            high = min(high, self._events[stop])
        heads = self._heads.heads_in(begin, range(low, high))
        return TornLine(begin, self._places[low:high], self._texts[low:high], heads)

    def _begin_anew(self, place: int, signs: str | None) -> None:
        self._signs, self._looked, self._heads = signs, range(place, place), LineHeads()
        self._places: list[int] = []
        self._texts: list[str] = []
        self._events: list[int] = []  # which of the texts begin an event

    def _look_at(self, places: range) -> None:
        """Take in more lines: those of the stream, without what stands in front."""
        if self._signs is None:
            found = self._window.texts_without_prefix(places, self._stream)
        else:
            found = self._window.texts_without_signs(places, self._stream, self._signs)
        for at, (place, text) in enumerate(found, len(self._texts)):
            self._places.append(place)
            self._texts.append(text)
            self._heads.add(at, text)
            if begins_event(self._tool, text):
                self._events.append(at)
        self._looked = range(self._looked.start, max(self._looked.stop, places.stop))


class Completeness:
    """Knows which texts are complete lines of a tool behind those that its stream has seen."""

    def __init__(self, tool: EventTool, stream: EventStream) -> None:
        self._tool, self._find, self._stream = tool, tool.find, stream
        self._known: dict[str, bool] = {}

    def learn(self, texts: Iterable[str]) -> None:
        """Find out about many texts at once."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        lines = [text.encode() for text in new]
        likely = [at for at, line in enumerate(lines) if self._find.fullmatch(line)]
        sound = self._stream.sound([lines[at] for at in likely]) if likely else ()
        self._known |= dict.fromkeys(new, False) | {new[likely[at]]: True for at in sound}

    def learn_joins(self, torn: Sequence[TornLine]) -> None:
        """Find out about what these lines may be: first about the likeliest joins, then about those of the rest."""
        first = [[text for text, _ in islice(one.joins(self._tool), _LIKELIEST)] for one in torn]
        self.learn(chain.from_iterable(first))
        if self._tool.longest <= _SHORT:
            rest = [one for one, texts in zip(torn, first, strict=True) if not any(map(self._known.get, texts))]
            self.learn([text for one in rest for text, _ in one.joins(self._tool)])

    def whole(self, lines: Sequence[bytes]) -> set[int]:
        """The indices of those lines that are whole, though no version prints them so."""
        as_printed = self._tool.as_printed
        return self._stream.sound([as_printed(line) for line in lines]) if as_printed else set()

    def __call__(self, text: str) -> bool:
        """Whether a text is a complete line."""
        known = self._known.get(text)
        if known is None:
            self.learn([text])
            known = self._known[text]
        return known


@functools.lru_cache(maxsize=4 * WINDOW_LINES)  # each torn line looks at the same lines
def begins_event(tool: EventTool, text: str) -> bool:
    """Whether a line's own text begins as an event of a tool does, complete or torn early."""
    line = text.lstrip().encode()
    return tool.find.match(line) is not None or tool.torn.match(line) is not None

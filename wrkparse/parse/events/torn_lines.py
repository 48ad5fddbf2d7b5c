"""What a torn event line may be, with the lines behind it: many candidates are decoded at once."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple

from wrkparse.text.torn import WINDOW, likely_joins
from wrkparse.tools.event import EventStream, EventTool

_LIKELIEST = 6  # joins that are tried first: a page wrapped a line once or twice, in three ways
_SHORT = 4096  # characters of a tool's longest line up to which all joins are tried together: they are held in memory


class TornLine(NamedTuple):
    """A line that can't be read, and the lines behind it that may hold its rest, with their numbers."""

    begin: str
    after: list[tuple[int, str]]

    def joins(self, tool: EventTool) -> Iterator[tuple[str, int]]:
        """What the line may be, and how many lines that takes."""
        texts = (text for _, text in self.after)
        return likely_joins(self.begin, texts, tool.ends, tool.longest, tool.may_go_on)


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


@functools.lru_cache(maxsize=4 * WINDOW)  # each torn line looks at the same lines
def begins_event(tool: EventTool, text: str) -> bool:
    """Whether a line's own text begins as an event of a tool does, complete or torn early."""
    line = text.lstrip().encode()
    return tool.find.match(line) is not None or tool.torn.match(line) is not None

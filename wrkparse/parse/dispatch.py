"""The reports that are open in a source, one in each of its streams, and the page around them."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence

from wrkparse.context.document import Context
from wrkparse.parse.assembler import LONGEST_GAP, Reports
from wrkparse.parse.items import Item
from wrkparse.parse.matcher import DECORATIONS, Rules
from wrkparse.parse.negative_cache import Quiet
from wrkparse.parse.rejoin import Held, joined
from wrkparse.text.normalize import Line
from wrkparse.text.prefixes import NOTHING, Front, layers
from wrkparse.text.shell import strip_prompt
from wrkparse.tools import event_tools, report_tools
from wrkparse.tools.base import ReportTool
from wrkparse.tools.whole import Whole

MOST_STREAMS = 256
_FAR = 20_000  # lines of other processes while a report is open and goes on no more


@functools.cache
def rules() -> Rules:
    """What all sources share."""
    return Rules(report_tools())


@functools.cache
def quiet_lines() -> Quiet:
    """What all sources share, too."""
    return Quiet(rules(), event_tools())


class Streams:
    """Takes the lines of a source in which no event stands: each is a report's or else the context's."""

    def __init__(self, source: str, context: Context) -> None:
        self.claimed = 0
        self._source = source
        self._context = context
        self._reports = {"": Reports(source, context, rules())}
        self._held: tuple[Held, list[str], int, Reports] | None = None  # what may be the first piece of a wrapped line

    @property
    def open(self) -> bool:
        """Whether the next line may belong to a report that has begun."""
        return self._held is not None or any(reports.open for reports in self._reports.values())

    @property
    def formatted(self) -> bool:
        """Whether any line may be one of a format that a command gave."""
        return bool(self._reports[""].formatted)

    @property
    def calm(self) -> bool:
        """Whether no line is held, and what stands in front of lines named no stream."""
        return self._held is None and len(self._reports) == 1

    def whole(self, tool: ReportTool, whole: Whole, match: re.Match[str], number: int) -> Sequence[Item] | None:
        """Take a complete report, while `calm`; None if something that is open has a claim on its lines."""
        items = self._reports[""].whole(tool, whole, match, number)
        if items is None:
            return None
        finished, taken = items
        self.claimed += len(taken.lines)
        self._context.claimed()
        if taken.empty is not None:
            self._context.feed("", taken.empty)
        return finished

    def quiet(self, raw: str, number: int) -> Sequence[Item] | None:
        """Take a line that is empty or known to be `Quiet`, while `calm`; None if it may be the open report's."""
        reports = self._reports[""]
        if not reports.passes(raw):
            return None
        self._context.feed(raw, number)
        return reports.passed() if raw else ()

    def take(self, line: Line) -> Sequence[Item]:
        """Take a line."""
        return self._line(line) if self._held is None else self._behind_held(line)

    def close(self) -> list[Item]:
        """End what is open."""
        return [*self.let_go(), *(item for reports in self._reports.values() for item in reports.close())]

    def _line(self, line: Line) -> Sequence[Item]:
        """A line that nothing is held for."""
        words = line.plain.split()
        if not words or (len(words) == 1 and words[0] in DECORATIONS):
            if line.text is not None:
                self._context.feed("", line.number)  # empty, or the empty line of something quoted or commented out
            return ()
        reports, before, near, best = self._reports[""], NOTHING, None, None
        alone = not (line.stream or reports.formatted) and quiet_lines().has(line.plain)
        for before, words, reports in () if alone else self._behind(line):
            found = reports.match(words)
            if found is not None:
                best = found, reports, before.stamp
                if not found[1].free:
                    break
            elif reports.near:
                near = Held(line._replace(stamp=before.stamp or line.stamp), before.end, reports.stream, reports)
        if best is not None:
            found, reports, stamp = best
            self.claimed += 1
            self._context.claimed()
            finished = reports.accept(found, line.raw, line.number, stamp or line.stamp)
            return [*finished, *self._admit(reports.stream, reports)]
        if near is not None:
            self._held = near, words, before.end, reports
            return ()
        stamped = line._replace(stamp=before.stamp) if before.stamp else line
        return self._unread(stamped, words, before.end, reports)

    def _behind(self, line: Line) -> Iterator[tuple[Front, list[str], Reports]]:
        """What may stand in front of a line, with the words behind it and the reports of the stream that it names."""
        for before in layers(line.plain):
            words = line.plain[before.end :].split()
            if not words:
                return
            stream = f"{line.stream} {before.stream}".strip() if line.stream or before.stream else ""
            yield before, words, self._reports.get(stream) or Reports(self._source, self._context, rules(), stream)

    def _unread(self, line: Line, words: list[str], start: int, reports: Reports) -> Sequence[Item]:
        """A line that no rule took, of these words, which begin here behind all that looks like a prefix."""
        gone_on = reports.goes_on(words, line.raw, line.number, line.stamp)
        if gone_on is None:
            begun = reports.begins_late(line.plain[start:], line.raw, line.number, line.stamp)
            gone_on = None if begun is None else [*begun, *self._admit(reports.stream, reports)]
        if gone_on is not None:
            self.claimed += 1
            self._context.claimed()
            return gone_on
        reports.doubt(words, line.raw, line.number)
        if line.text is not None and not reports.verbatim:
            own = line.plain[start:] if start else ""
            self._context.feed(own if own and strip_prompt(own.strip()) is not None else line.text, line.number)
        if len(self._reports) == 1:
            return self._reports[""].passed(LONGEST_GAP if self._reports[""] is reports else _FAR)
        return [
            item for other in self._reports.values() for item in other.passed(LONGEST_GAP if other is reports else _FAR)
        ]

    def _behind_held(self, line: Line) -> Sequence[Item]:
        """The line that is held and this one, as one line of a report or each by itself."""
        assert self._held is not None
        held = self._held[0]
        finished = joined(held, line)
        if finished is None:
            return [*self.let_go(), *self._line(line)]
        self._held = None
        self.claimed += 2
        self._context.claimed()
        return [*finished, *self._admit(held.stream, held.reports)]

    def let_go(self) -> Sequence[Item]:
        """Read the line that is held by itself."""
        held, self._held = self._held, None
        return () if held is None else self._unread(held[0].line, *held[1:])

    def _admit(self, stream: str, reports: Reports) -> Sequence[Item]:
        """Remember the stream's report; where there are too many, the oldest ends."""
        finished: list[Item] = []
        if stream not in self._reports and len(self._reports) >= MOST_STREAMS:
            oldest = next(key for key in self._reports if key)
            finished = self._reports.pop(oldest).close()
        self._reports[stream] = reports
        return finished

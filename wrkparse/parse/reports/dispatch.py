"""Gives each line of a source to the report of its stream, or else to the context."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from itertools import chain

from wrkparse.context.labels import prefix_labels
from wrkparse.context.page.document import Context
from wrkparse.context.page.title_lines import labels_of_line
from wrkparse.parse.items import Item
from wrkparse.parse.objects import FoundObject
from wrkparse.parse.pending import FIRST_HALF, MOST_STREAMS, REPORT, STREAMS
from wrkparse.parse.reports.amid_text import AmidText
from wrkparse.parse.reports.assembler import LONGEST_GAP, Matched, ReportAssembler
from wrkparse.parse.reports.filled import FilledParagraph, begins_behind, begins_within
from wrkparse.parse.reports.matcher import Matcher, ends_name, is_decoration, undecorated
from wrkparse.parse.reports.negative_cache import NegativeCache
from wrkparse.parse.reports.rejoin import FirstHalf, rejoin
from wrkparse.parse.samples import Taken
from wrkparse.text.normalize import NormalizedLine
from wrkparse.text.shell import strip_prompt
from wrkparse.text.wrapping import columns
from wrkparse.text.wrapping.prefixes import NO_PREFIX, Prefix, prefix_candidates
from wrkparse.tools import event_tools, report_tools
from wrkparse.tools.base import ReportTool
from wrkparse.tools.layout import PrintedReport
from wrkparse.tools.report import Report

_DIGIT = re.compile("[0-9]")
_RULES = ("|-", "|:", "| -", "| :", "--", "==")  # between the titles of columns and these
_SHOWN = 100  # characters of a line in a message
_FAR = 20_000  # lines of other streams after which a report that does not go on ends


@functools.cache
def matcher() -> Matcher:
    """The matcher of all report tools, which all sources share."""
    return Matcher(report_tools())


@functools.cache
def negative_cache() -> NegativeCache:
    """The negative cache that all sources share."""
    return NegativeCache(matcher(), event_tools())


@functools.cache
def amid_text() -> AmidText:
    """The finder of lines amid other text that all sources share."""
    return AmidText(matcher())


class ReportDispatcher:
    """Takes the lines of a source without an event: each is a report's or else the context's.

    Processes that print into one log have a stream each, named by what stands in front of their lines.
    """

    def __init__(self, source: str, context: Context) -> None:
        self.claimed = 0
        self._source = source
        self._context = context
        self._assemblers = {"": ReportAssembler(source, context, matcher())}
        # The first line that no report took though it has the words and the number of one: its number, tool and text.
        self.resembling: tuple[int, str, str] | None = None
        self._columns: columns.Columns | None = None
        self._above = ""  # the last line of the page
        self._half: tuple[FirstHalf, list[str], int, ReportAssembler] | None = None
        self._filled: FilledParagraph | None = None  # while a paragraph is read that a formatter filled

    @property
    def pending(self) -> int:
        """The bits of `parse.pending` that are set: REPORT, FORMAT, FIRST_HALF, STREAMS."""
        assembler = self._assemblers[""]
        pending = assembler.pending if assembler.report is not None or self._context.session.has_format else 0
        if self._half is not None or self._filled is not None:
            pending |= FIRST_HALF
        if len(self._assemblers) > 1:
            pending |= STREAMS
            if any(assembler.pending & REPORT for assembler in self._assemblers.values()):
                pending |= REPORT
        return pending

    def take_complete(self, tool: ReportTool, printed: PrintedReport, number: int) -> Sequence[Item] | None:
        """Take a complete report where nothing bars it; None if it must be read line by line."""
        taken = self._assemblers[""].take_complete(tool, printed, number)
        if taken is None:
            return None
        finished, complete = taken
        self.claimed += len(complete.places)
        self._context.note_parsed_line()
        if complete.empty is not None:
            self._context.feed("", number + complete.empty)
        return finished

    def take_object(self, found: FoundObject) -> Sequence[Item]:
        """Take an object of JSON that a tool claims."""
        self.claimed += len(found.lines)
        released = self.release()
        finished = self._assemblers[""].take_object(found)
        self._context.note_parsed_line()
        return [*released, *finished]

    def take_samples(self, taken: Taken) -> Sequence[Item]:
        """Take lines of a file of samples, and the runs at its end."""
        self.claimed += taken.lines
        finished = [*self.release()]
        for run in taken.runs:
            finished += self._assemblers[""].take_read(taken.tool, run.lines, run.read)
        self._context.note_parsed_line()
        return finished

    def take_page_lines(self, raws: Sequence[str], number: int) -> tuple[int, list[Item]]:
        """Take lines that are in the negative cache, up to one that may belong to the open report.

        Returns how many were taken, and what they finished.
        """
        assembler, context = self._assemblers[""], self._context
        finished: list[Item] = []
        for at, raw in enumerate(raws):
            if (assembler.report is not None or context.session.has_format) and not assembler.is_done_with(raw):
                return at, finished
            context.feed(raw, number + at)
            if not raw.startswith(_RULES):
                self._above = raw
            if raw and assembler.report is not None:
                finished += assembler.skip()
        return len(raws), finished

    def take(self, line: NormalizedLine) -> Sequence[Item]:
        """Take any line."""
        if self._columns is not None:
            parts = self._columns.split(line.plain)
            return self._end_columns(line) if parts is None else self._take_parts(self._columns, line, parts)
        return self._take(line) if self._half is None else self._take_second_half(line)

    def close(self) -> list[Item]:
        """End what is open."""
        finished = [*self.release()]
        if self._filled is not None:
            finished += self._filled.end()
        for assembler in self._assemblers.values():
            finished += assembler.close()
        return finished

    def _take(self, line: NormalizedLine) -> Sequence[Item]:
        words = line.plain.split()
        if len(words) < 2 and (not words or is_decoration(words)):
            if line.page_text is not None:  # empty, or the empty line of something quoted or commented out
                has_cells = "<t" in line.page_text or "</t" in line.page_text
                self._context.feed(line.page_text if has_cells else "", line.number)
            return ()
        if self._filled is not None and (finished := self._take_filled(self._filled, line)) is not None:
            return self._claim(finished)
        assembler = self._assemblers[""]
        if line.stream or assembler.is_named or not negative_cache().has_form(line.plain, *assembler.place):
            return self._take_words(line)
        if matched := assembler.match_format(words):
            return self._take_matched(line, words, (matched, assembler, NO_PREFIX))
        finished = assembler.goes_on(words, line.raw, line.number, line.stamp)
        return self._take_text(line, 0, assembler) if finished is None else self._claim(finished)

    def _take_words(self, line: NormalizedLine) -> Sequence[Item]:
        """Take a line that may be a tool's, as far as its form is known."""
        words = line.plain.split()
        assembler, before, half, best = self._assemblers[""], NO_PREFIX, None, None
        page_only = not line.stream and not assembler.formatted and negative_cache().has(line.plain)
        for prefix in () if page_only else prefix_candidates(line.plain):
            behind = line.plain[prefix.end :].split() if prefix.end else words
            if not behind:
                break
            before, words, assembler = prefix, behind, self._assembler_of(line, prefix)
            matched = assembler.match(words)
            if matched is not None:
                best = matched, assembler, before
                if not matched[1].any_front:
                    break
            elif assembler.may_be_half:
                stamped = line._replace(stamp=before.stamp or line.stamp)
                half = FirstHalf(stamped, before.end, assembler.stream, assembler)
        if best is not None:
            return self._take_matched(line, words, best)
        if half is not None:
            self._half = half, words, before.end, assembler
            return ()
        stamped = line._replace(stamp=before.stamp) if before.stamp else line
        return self._take_unmatched(stamped, words, before.end, assembler)

    def _take_matched(
        self, line: NormalizedLine, words: list[str], best: tuple[Matched, ReportAssembler, Prefix]
    ) -> Sequence[Item]:
        """Take a line that a spec matched, behind a prefix: it may have lines of several reports side by side."""
        if best[0][1].begins and (beside := self._begin_columns(line, words)) is not None:
            return beside
        return self._accept(*best, line)

    def _accept(
        self, matched: Matched, assembler: ReportAssembler, before: Prefix, line: NormalizedLine
    ) -> Sequence[Item]:
        """Take a line that a spec matched behind a prefix. A name in front of a report's first line is the run's."""
        self.claimed += 1
        self._context.note_parsed_line()
        was_open = assembler.report
        finished = assembler.accept(matched, line.raw, line.number, before.stamp or line.stamp)
        if not before.stream and assembler.report is not was_open:
            first = line.plain.split(None, 1)[0]
            front = line.plain[: before.end] or (first if first.endswith(">") else "")  # "kiwi> Running 10s test"
            assembler.name(prefix_labels(front, line.number) if front else [])
        finished += self._admit(assembler)
        if not assembler.stream and (filled := begins_behind(assembler, matched, line)):
            finished += self._begin_filled(filled, line)
        return finished

    def _begin_filled(self, filled: FilledParagraph, line: NormalizedLine) -> list[Item]:
        """Take the rest of the line in which a filled paragraph begins."""
        finished = filled.read(line)
        self._filled = None if filled.has_ended else filled
        return finished

    def _take_filled(self, filled: FilledParagraph, line: NormalizedLine) -> list[Item] | None:
        """Take a line that may be a filled paragraph's; None if it is not."""
        finished = filled.take(line)
        self._filled = None if filled.has_ended else filled
        return finished

    def _begin_columns(self, line: NormalizedLine, words: list[str]) -> Sequence[Item] | None:
        """Take a line in which several reports begin side by side; None if it is another one.

        ``words`` are those behind a prefix.
        """
        if not columns.may_have_columns(line.plain, words) or line.stream.startswith(columns.COLUMN_STREAM):
            return None
        words = line.plain.split()
        alike = columns.find_columns(line.plain, undecorated(words) or words)
        found = alike or columns.find_two_columns(line.plain)
        parts = found.split(line.plain) if found else None
        if found is None or parts is None:
            return None
        fresh = ReportAssembler(self._source, self._context, matcher())
        begun = [fresh.match(part.split()) for part in parts]
        if not all(begun) or (not alike and len({matched[0].name for matched in begun if matched}) < len(begun)):
            return None
        self._columns = found
        self._context.drop_title()
        return self._take_parts(found, line, parts)

    def _take_parts(self, beside: columns.Columns, line: NormalizedLine, parts: list[str]) -> Sequence[Item]:
        """Take the line of each column, as a stream of its own; the line above names the reports that begin."""
        finished: list[Item] = []
        above = self._above
        titles = beside.split(above) if above else None
        for at, part in enumerate(parts, 1):
            if not part.strip():
                continue
            stream = f"{columns.COLUMN_STREAM} {at}"
            before = self._open_report(stream)
            own = line._replace(page_text=None, plain=part, stream=stream)
            finished += [*self._take(own), *self.release()]
            opened = self._open_report(stream)
            if titles and opened is not None and opened is not before:
                title = titles[at - 1]
                self._assemblers[stream].name(labels_of_line(title.strip(" |"), title, line.number))
                self._above = above = ""  # it names these alone
        if self._above is not above:  # a part of this line
            self._above = line.plain
        return finished

    def _open_report(self, stream: str) -> Report | None:
        assembler = self._assemblers.get(stream)
        return assembler.report if assembler else None

    def _end_columns(self, line: NormalizedLine) -> Sequence[Item]:
        """End the reports side by side, at a line that is not in their columns."""
        self._columns = None
        ended = [self._assemblers.pop(key) for key in list(self._assemblers) if key.startswith(columns.COLUMN_STREAM)]
        return [*self.release(), *(item for assembler in ended for item in assembler.close()), *self.take(line)]

    def _assembler_of(self, line: NormalizedLine, before: Prefix) -> ReportAssembler:
        """The assembler of the stream that a line's wrapping and its prefix name."""
        stream = f"{line.stream} {before.stream}".strip() if line.stream or before.stream else ""
        return self._assemblers.get(stream) or ReportAssembler(self._source, self._context, matcher(), stream)

    def _take_unmatched(
        self, line: NormalizedLine, words: list[str], start: int, assembler: ReportAssembler
    ) -> Sequence[Item]:
        """Take a line that no spec matched. Its words begin at ``start``, behind all that may be a prefix."""
        if assembler.is_named:
            assembler = self._named_beside(words, assembler)
        results = _DIGIT.search(line.plain, start) is not None and matcher().may_state_results(words)
        if results and (beside := self._begin_columns(line, words)) is not None:
            return beside
        if not assembler.stream and (results or assembler.report is not None):
            filled = begins_within(assembler, report_tools(), line)
            if filled is not None:
                return self._claim(self._begin_filled(filled, line))
        finished = assembler.goes_on(words, line.raw, line.number, line.stamp)
        if finished is None and not assembler.verbatim:
            at = line.raw, line.number, line.stamp
            begun = assembler.begins_late(line.plain[start:], *at)
            if begun is None:
                begun = assembler.begins_damaged(words, *at)
            if begun is None and (results or assembler.is_named or "#" in words):
                begun = assembler.begins_amid_text(amid_text(), words, *at)
            finished = None if begun is None else [*begun, *self._admit(assembler)]
        if finished is not None:
            return self._claim(finished)
        is_reported = assembler.reports_unreadable(words, line.raw, line.number)
        may_resemble = results and self.resembling is None and not (is_reported or assembler.verbatim)
        if may_resemble and (tool := matcher().resembles(words)):
            self.resembling = line.number, tool.name, line.raw.strip()[:_SHOWN]
        return self._take_text(line, start, assembler)

    def _named_beside(self, words: list[str], assembler: ReportAssembler) -> ReportAssembler:
        """The assembler of a line that has another name in front than the open report, whose results are to come.

        Processes print by turns, each line behind their name: ``kiwi: Running 10s test @ http://h/``.
        """
        name = words[0]
        if assembler.stream or not ends_name(name) or assembler.is_behind(name):
            return assembler
        known = self._assemblers.get(name)
        if known is None and assembler.awaits_results and assembler.begins_with(words[1:]):
            known = ReportAssembler(self._source, self._context, matcher(), name)
        return known or assembler

    def _claim(self, finished: list[Item]) -> list[Item]:
        """Count a line as a tool's."""
        self.claimed += 1
        self._context.note_parsed_line()
        return finished

    def _take_text(self, line: NormalizedLine, start: int, assembler: ReportAssembler) -> Sequence[Item]:
        """Give a line to the context. Its own words begin at ``start``."""
        if line.page_text is not None and not assembler.verbatim:
            own = line.plain[start:] if start else ""
            self._context.feed(own if own and strip_prompt(own.strip()) is not None else line.page_text, line.number)
        if not line.plain.startswith(_RULES):
            self._above = line.plain
        if len(self._assemblers) == 1:
            return self._assemblers[""].skip(LONGEST_GAP if self._assemblers[""] is assembler else _FAR)
        skipped = (other.skip(LONGEST_GAP if other is assembler else _FAR) for other in self._assemblers.values())
        return list(chain.from_iterable(skipped))

    def _take_second_half(self, line: NormalizedLine) -> Sequence[Item]:
        """Take a line behind a first half: as one line of a report, or each by itself."""
        assert self._half is not None
        half = self._half[0]
        finished = rejoin(half, line)
        if finished is None:
            return [*self.release(), *self.take(line)]
        self._half = None
        self.claimed += 2
        self._context.note_parsed_line()
        return [*finished, *self._admit(half.assembler)]

    def release(self) -> Sequence[Item]:
        """Read a line by itself that was kept as a first half."""
        half, self._half = self._half, None
        return () if half is None else self._take_unmatched(half[0].line, *half[1:])

    def _admit(self, assembler: ReportAssembler) -> Sequence[Item]:
        """Keep the assembler of a stream; where there are too many, the oldest one's report ends."""
        finished: list[Item] = []
        if assembler.stream not in self._assemblers and len(self._assemblers) >= MOST_STREAMS:
            oldest = next(key for key in self._assemblers if key)
            finished = self._assemblers.pop(oldest).close()
        self._assemblers[assembler.stream] = assembler
        return finished

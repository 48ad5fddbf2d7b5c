"""Gives each line of a source to the report of its stream, or else to the context."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from wrkparse.context.labels import prefix_labels, remark_labels, words_of_prefix
from wrkparse.context.page.document import Context
from wrkparse.context.page.title_lines import labels_of_line, names_run_behind_prefix
from wrkparse.parse.items import Item
from wrkparse.parse.objects import ClaimedObject
from wrkparse.parse.pending import MOST_STREAMS, OPEN_HALF_LINE, OPEN_REPORT, SEVERAL_STREAMS
from wrkparse.parse.reports.assembler import LONGEST_GAP, ReportAssembler
from wrkparse.parse.reports.filled import FilledParagraph, paragraph_after_line, paragraph_around_line
from wrkparse.parse.reports.matcher import (
    MatchedLine,
    Matcher,
    ends_name,
    is_decoration,
    is_header,
    undecorated,
    undecorated_forms,
)
from wrkparse.parse.reports.named_lines import NamedLineFinder
from wrkparse.parse.reports.negative_cache import NegativeCache
from wrkparse.parse.reports.rejoin import FirstHalf, rejoin_halves
from wrkparse.parse.samples import TakenSamples
from wrkparse.text.normalize import NormalizedLine
from wrkparse.text.shell import FRONT_PROMPT, remark_behind, strip_prompt
from wrkparse.text.wrapping import columns
from wrkparse.text.wrapping.learned_prefixes import LEARNED_STREAM, LearnedPrefixes, learn_prefix
from wrkparse.text.wrapping.prefixes import NO_PREFIX, Prefix, longest_prefix, prefix_candidates
from wrkparse.tools import event_tools, report_tools
from wrkparse.tools.base import ReportTool
from wrkparse.tools.layout import PrintedReport
from wrkparse.tools.report import Report

_DIGIT = re.compile("[0-9]")
_RULERS = ("|-", "|:", "| -", "| :", "--", "==")  # lines between the titles of columns and the columns
_FIRST_OF_RULER = "|-="
_SHOWN = 100  # characters of a line in a message
_WORD = re.compile(r"\S+")
# Lines of other streams after which an open report ends: it bounds how long the report of a killed process stays open.
_LONGEST_GAP_OF_STREAM = 20_000


@functools.cache
def matcher() -> Matcher:
    """The matcher of all report tools, which all sources share."""
    return Matcher(report_tools())


@functools.cache
def negative_cache() -> NegativeCache:
    """The negative cache that all sources share."""
    return NegativeCache(matcher(), event_tools())


@functools.cache
def named_line_finder() -> NamedLineFinder:
    """The finder of lines with names and remarks that all sources share."""
    return NamedLineFinder(matcher())


class _Header(NamedTuple):
    """A report's first line after a prefix that is not known: the next line shows whether it is one.

    `words`, `start` and `assembler` belong to the whole line. ``front`` is the text in front of the first line
    of a report of `tool`, which has `rank` and matched `pattern`. A checkpoint can't contain a spec.
    """

    line: NormalizedLine
    words: list[str]
    start: int
    assembler: ReportAssembler
    front: str
    tool: ReportTool
    rank: int
    pattern: str


def _without_learned_prefix(prefixes: LearnedPrefixes, line: NormalizedLine) -> NormalizedLine:
    """A line without the learned prefix that it begins with, which names its stream; other lines unchanged."""
    if (found := prefixes.find(line.plain)) is None:
        return line
    prefix, end = found
    stamp = longest_prefix(line.plain[:end]).stamp
    return line._replace(plain=line.plain[end:], stream=prefix.stream, stamp=stamp or line.stamp)


class ReportDispatcher:
    """Takes the lines of a source without an event: each belongs to a report, or else to the context.

    Processes that print into one log have a stream each, which the prefix of their lines names.
    """

    def __init__(self, source: str, context: Context) -> None:
        self.lines_claimed = 0
        self._source = source
        self._context = context
        self._assemblers = {"": ReportAssembler(source, context, matcher())}
        # The first line that no report took though it has the words and a number of one: line number, tool, text.
        self.first_lookalike: tuple[int, str, str] | None = None
        self._columns: columns.Columns | None = None
        self._line_above = ""  # the last line of the page
        self._row_header = ""  # the first line of the source, if it may name the columns of CSV
        # A line that may be half of a wrapped one; then its words, where they begin, and its assembler.
        self._half: tuple[FirstHalf, list[str], int, ReportAssembler] | None = None
        self._filled: FilledParagraph | None = None  # the paragraph that is being read
        self._prefixes: LearnedPrefixes | None = None  # None until one is learned
        self._header: _Header | None = None
        self._shared_prefix = ""  # the stream of the last prefix that two processes used by turns

    @property
    def pending(self) -> int:
        """The bits of `parse.pending` that are set: OPEN_REPORT, FORMAT_IN_FORCE, OPEN_HALF_LINE, SEVERAL_STREAMS."""
        assembler = self._assemblers[""]
        pending = assembler.pending if assembler.report is not None or self._context.session.has_format else 0
        if self._half is not None or self._filled is not None or self._header is not None:
            pending |= OPEN_HALF_LINE
        if len(self._assemblers) > 1:
            pending |= SEVERAL_STREAMS
            if any(assembler.pending & OPEN_REPORT for assembler in self._assemblers.values()):
                pending |= OPEN_REPORT
        return pending

    def take_complete(self, tool: ReportTool, printed: PrintedReport, number: int) -> Sequence[Item] | None:
        """Take a complete report, if nothing forbids it; None if it must be read line by line."""
        taken = self._assemblers[""].take_complete(tool, printed, number)
        if taken is None:
            return None
        finished, complete = taken
        self.lines_claimed += len(complete.places)
        self._context.note_parsed_line()
        if complete.empty is not None:
            self._context.feed("", number + complete.empty)
        return finished

    def take_object(self, found: ClaimedObject) -> Sequence[Item]:
        """Take an object of JSON that a tool claims."""
        self.lines_claimed += len(found.lines)
        released = self.take_first_half()
        finished = self._assemblers[""].take_object(found)
        self._context.note_parsed_line()
        return [*released, *finished]

    def take_samples(self, taken: TakenSamples) -> Sequence[Item]:
        """Take lines of a file of samples, and the runs at its end."""
        self.lines_claimed += taken.lines
        finished = [*self.take_first_half()]
        for run in taken.runs:
            finished += self._assemblers[""].take_report(taken.tool, run.lines, run.read)
        self._context.note_parsed_line()
        return finished

    def take_page_lines(self, raws: Sequence[str], number: int) -> tuple[int, list[Item]]:
        """Take lines that are in the negative cache, up to one that may belong to the open report.

        Returns how many were taken, and what they finished.
        """
        assembler, context = self._assemblers[""], self._context
        finished: list[Item] = []
        if number == 1:
            self._row_header = raws[0]
        for at, raw in enumerate(raws):
            if (assembler.report is not None or context.session.has_format) and not assembler.may_skip(raw):
                return at, finished
            context.feed(raw, number + at)
            if raw[:1] not in _FIRST_OF_RULER or not raw.startswith(_RULERS):
                self._line_above = raw
            if raw and assembler.report is not None:
                finished += assembler.skip_line()
        return len(raws), finished

    def take(self, line: NormalizedLine) -> Sequence[Item]:
        """Take a line."""
        released: Sequence[Item] = ()
        if self._header is not None:
            released = self._take_header(self._header, line)
        if self._prefixes is not None and not line.stream:
            line = _without_learned_prefix(self._prefixes, line)
        if self._columns is not None:
            parts = self._columns.split(line.plain)
            finished = self._end_columns(line) if parts is None else self._take_columns(self._columns, line, parts)
        else:
            finished = self._take_line(line) if self._half is None else self._take_second_half(line)
        return [*released, *finished] if released else finished

    def close(self) -> list[Item]:
        """End what is open."""
        finished = [*self.take_first_half()]
        if self._filled is not None:
            finished += self._filled.give_up()
        for assembler in self._assemblers.values():
            finished += assembler.close()
        return finished

    def _take_line(self, line: NormalizedLine) -> Sequence[Item]:
        """Take a line, or the part of it in one column: as a line of a report, or of the page."""
        words = line.plain.split()
        if len(words) < 2 and (not words or is_decoration(words)):
            if line.page_text is not None:  # an empty line, maybe within a quotation or a comment
                has_cells = "<t" in line.page_text or "</t" in line.page_text or line.page_text[:1] == "|"
                self._context.feed(line.page_text if has_cells else "", line.number)
            return ()
        if self._filled is not None and (finished := self._take_filled(self._filled, line)) is not None:
            return self._count_claimed(finished)
        assembler = self._assemblers[""]
        if (
            line.stream
            or assembler.is_named
            or not negative_cache().has_digit_form(line.plain, *assembler.tool_and_rank)
        ):
            return self._take_possible_line(line, words)
        if matched := assembler.match_format(undecorated_forms(words)):
            return self._take_matched(line, words, (matched, assembler, NO_PREFIX))
        finished = assembler.take_continuation(words, line.raw, line.number, line.stamp)
        return self._take_page_line(line, 0, assembler) if finished is None else self._count_claimed(finished)

    def _take_possible_line(self, line: NormalizedLine, words: list[str]) -> Sequence[Item]:
        """Take a line of these words that may belong to a report: try the specs after each of its prefixes."""
        assembler, prefix, half, found_line = self._assemblers[""], NO_PREFIX, None, None
        for candidate in prefix_candidates(line.plain):
            rest = line.plain[candidate.end :].split() if candidate.end else words
            if not rest:
                break
            prefix, words, assembler = candidate, rest, self._assembler_of(line, candidate)
            matched = assembler.match(words)
            if matched is not None:
                found_line = matched, assembler, prefix
                if not matched[1].any_front:
                    break
            elif assembler.may_be_half:
                stamped = line._replace(stamp=prefix.stamp or line.stamp)
                half = FirstHalf(stamped, prefix.end, assembler.stream, assembler)
        if found_line is not None:
            return self._take_matched(line, words, found_line)
        stamped = line._replace(stamp=prefix.stamp) if prefix.stamp else line
        if not line.stream and not matcher().header_keys.isdisjoint(words[1:]):
            self._header = self._find_header(stamped, words, prefix.end, assembler)
        if self._header is None and half is None:
            return self._take_unmatched(stamped, words, prefix.end, assembler)
        if self._header is None and half is not None:
            self._half = half, words, prefix.end, assembler
        return ()

    def _take_matched(
        self, line: NormalizedLine, words: list[str], found_line: tuple[MatchedLine, ReportAssembler, Prefix]
    ) -> Sequence[Item]:
        """Take a line that matched a spec after a prefix: it may have lines of several reports side by side."""
        if found_line[0][1].begins and (items := self._begin_columns(line, words)) is not None:
            return items
        return self._accept_line(*found_line, line)

    def _accept_line(
        self, matched: MatchedLine, assembler: ReportAssembler, prefix: Prefix, line: NormalizedLine
    ) -> Sequence[Item]:
        """Take a line that matched a spec after a prefix. Text around a report's first line labels the run."""
        self.lines_claimed += 1
        self._context.note_parsed_line()
        was_open = assembler.report
        is_learned = self._prefixes is not None and line.stream.startswith(LEARNED_STREAM)
        is_doubtful = is_learned and assembler.awaits_results and is_header(*matched[:2])
        finished = assembler.accept(matched, line.raw, line.number, prefix.stamp or line.stamp)
        if self._prefixes is not None and is_doubtful:  # two processes may have the prefix by turns
            self._prefixes.forget(line.stream)
            finished += assembler.close()
        if not prefix.stream and assembler.report is not was_open:
            first = line.plain.split(None, 1)[0]
            front = line.plain[: prefix.end] or (first if first.endswith(">") else "")  # "kiwi> Running 10s test"
            labels = prefix_labels(front, line.number, self._row_header) if front else []
            if prefix.end and not labels:
                labels = words_of_prefix(front, line.number)
            if matched[0].times_program:  # "real 2.10  # kiwi"
                labels += remark_labels(remark_behind(line.plain))
            assembler.add_labels(labels)
        elif was_open is not None and assembler.report is was_open and not self._context.nearby.are_taken:
            self._context.note_line_of_open_report()
        finished += self._keep_assembler(assembler)
        if not assembler.stream and (filled := paragraph_after_line(assembler, matched, line)):
            finished += self._begin_filled(filled, line)
        return finished

    def _begin_filled(self, filled: FilledParagraph, line: NormalizedLine) -> list[Item]:
        """Take the rest of the line in which a filled paragraph begins."""
        finished = filled.read_lines(line)
        self._filled = None if filled.has_ended else filled
        return finished

    def _take_filled(self, filled: FilledParagraph, line: NormalizedLine) -> list[Item] | None:
        """Take a line that may belong to a filled paragraph; None if it does not."""
        finished = filled.take(line)
        self._filled = None if filled.has_ended else filled
        return finished

    def _begin_columns(self, line: NormalizedLine, words: list[str]) -> Sequence[Item] | None:
        """Take a line in which several reports begin side by side; None if it is another line.

        ``words`` are the words after a prefix.
        """
        if not columns.may_have_columns(line.plain, words) or line.stream.startswith(columns.COLUMN_STREAM):
            return None
        words = line.plain.split()
        repeating = columns.find_columns(line.plain, undecorated(words) or words)
        found = repeating or columns.find_two_columns(line.plain)
        parts = found.split(line.plain) if found else None
        if found is None or parts is None:
            return None
        fresh = ReportAssembler(self._source, self._context, matcher())
        matches = [fresh.match(part.split()) for part in parts]
        if not all(matches) or (
            not repeating and len({matched[0].name for matched in matches if matched}) < len(matches)
        ):
            return None
        self._columns = found
        self._context.drop_title()
        return self._take_columns(found, line, parts)

    def _take_columns(self, found: columns.Columns, line: NormalizedLine, parts: list[str]) -> Sequence[Item]:
        """Take the part of a line in each column as a line of a stream. The line above names reports that begin."""
        finished: list[Item] = []
        above = self._line_above
        titles = found.split(above) if above else None
        for number, part in enumerate(parts, 1):
            if not part.strip():
                continue
            stream = f"{columns.COLUMN_STREAM} {number}"
            before = self._report_of_stream(stream)
            own = line._replace(page_text=None, plain=part, stream=stream)
            finished += [*self._take_line(own), *self.take_first_half()]
            opened = self._report_of_stream(stream)
            if titles and opened is not None and opened is not before:
                title = titles[number - 1]
                self._assemblers[stream].add_labels(labels_of_line(title.strip(" |"), title, line.number))
                self._line_above = above = ""  # it names no other reports
        if self._line_above is not above:  # the line above has become a part of this line
            self._line_above = line.plain
        return finished

    def _report_of_stream(self, stream: str) -> Report | None:
        """The open report of a stream; None if there is none."""
        assembler = self._assemblers.get(stream)
        return assembler.report if assembler else None

    def _end_columns(self, line: NormalizedLine) -> Sequence[Item]:
        """End the reports side by side, at a line that is not in their columns."""
        self._columns = None
        ended = [self._assemblers.pop(key) for key in list(self._assemblers) if key.startswith(columns.COLUMN_STREAM)]
        return [*self.take_first_half(), *(item for assembler in ended for item in assembler.close()), *self.take(line)]

    def _assembler_of(self, line: NormalizedLine, prefix: Prefix) -> ReportAssembler:
        """The assembler of the stream that the wrapping and the prefix of a line name."""
        stream = f"{line.stream} {prefix.stream}".strip() if line.stream or prefix.stream else ""
        return self._assemblers.get(stream) or ReportAssembler(self._source, self._context, matcher(), stream)

    def _find_header(
        self, line: NormalizedLine, words: list[str], start: int, assembler: ReportAssembler
    ) -> _Header | None:
        """The report's first line at the end of a line, after a prefix that may be learned; None without one."""
        if (found := matcher().header_after_front(words)) is None:
            return None
        at, tool, spec = found
        front = line.plain[: [word.start() for word in _WORD.finditer(line.plain, start)][at]]
        return _Header(line, words, start, assembler, front, tool, spec.rank, spec.pattern.pattern)

    def _take_header(self, header: _Header, following: NormalizedLine) -> Sequence[Item]:
        """Take a report's first line after a prefix, which is learned if the next line of the report has it."""
        self._header = None
        learned = learn_prefix(header.front, following.plain)
        rest = " ".join(following.plain[learned[1] :].split()) if learned else ""
        if learned is not None and re.fullmatch(header.pattern, rest):  # of another process
            self._shared_prefix = learned[0].stream
        if (
            learned is None
            or learned[0].stream == self._shared_prefix
            or not self._goes_on(header, following.plain[learned[1] :].split())
        ):
            return self._take_unmatched(header.line, header.words, header.start, header.assembler)
        self._prefixes = self._prefixes or LearnedPrefixes()
        self._prefixes.add(learned[0])
        return self._take_line(_without_learned_prefix(self._prefixes, header.line))

    @staticmethod
    def _goes_on(header: _Header, words: list[str]) -> bool:
        """Whether a line of these words may be the second one of a report: one of its tool, or an empty one."""
        candidates = matcher().candidates(words, header.tool, header.rank)[0] if words else ()
        return not words or any(
            tool is header.tool and spec.pattern.pattern != header.pattern and spec.pattern.fullmatch(" ".join(words))
            for tool, spec in candidates
        )

    def _take_unmatched(
        self, line: NormalizedLine, words: list[str], start: int, assembler: ReportAssembler
    ) -> Sequence[Item]:
        """Take a line that matched no spec. Its words begin at ``start``, after all that may be a prefix."""
        # A command belongs to no report, whatever its words are: "$ echo kiwi: Requests/sec: 1234.56"
        if FRONT_PROMPT.match(line.plain, start) and not matcher().may_have_late_line(line.plain):
            return self._take_page_line(line, start, assembler)
        is_named = assembler.is_named
        if is_named:
            assembler = self._assembler_of_name(words, assembler)
        has_results = _DIGIT.search(line.plain, start) is not None and matcher().may_have_results(words)
        if has_results and (column_items := self._begin_columns(line, words)) is not None:
            return column_items
        if not assembler.stream and (has_results or assembler.report is not None):
            filled = paragraph_around_line(assembler, report_tools(), line)
            if filled is not None:
                return self._count_claimed(self._begin_filled(filled, line))
        finished = assembler.take_continuation(words, line.raw, line.number, line.stamp)
        is_verbatim = assembler.is_verbatim
        if finished is None and not is_verbatim:
            may_be_named = has_results or (is_named and assembler.is_named) or "#" in words
            finished = self._take_beside_text(line, words, start, assembler, may_be_named=may_be_named)
        if finished is not None:
            return self._count_claimed(finished)
        is_reported = assembler.note_unreadable(words, line.raw, line.number)
        if has_results and self.first_lookalike is None and not (is_reported or is_verbatim):
            self._note_lookalike(words, line)
        return self._take_page_line(line, start, assembler)

    def _take_beside_text(
        self, line: NormalizedLine, words: list[str], start: int, assembler: ReportAssembler, *, may_be_named: bool
    ) -> list[Item] | None:
        """Take a report's line after other output or a name, before a remark, or without its first letters."""
        source_line = line.raw, line.number, line.stamp
        items = assembler.take_late_line(line.plain[start:], *source_line)
        if items is None:
            items = assembler.take_damaged_line(words, *source_line)
        if items is None and may_be_named:
            items = assembler.take_named_line(named_line_finder(), words, *source_line)
        return None if items is None else [*items, *self._keep_assembler(assembler)]

    def _note_lookalike(self, words: list[str], line: NormalizedLine) -> None:
        """Note the first line that resembles a line of a tool."""
        if tool := matcher().tool_of_lookalike(words):
            self.first_lookalike = line.number, tool.name, line.raw.strip()[:_SHOWN]

    def _assembler_of_name(self, words: list[str], assembler: ReportAssembler) -> ReportAssembler:
        """The assembler of a line with another name in front than the open report has, which still awaits results.

        Processes print by turns, each line after their name: ``kiwi: Running 10s test @ http://h/``.
        """
        name = words[0]
        if assembler.stream or not ends_name(name) or assembler.has_name(name):
            return assembler
        known = self._assemblers.get(name)
        if known is None and assembler.awaits_results and assembler.begins_with(words[1:]):
            known = ReportAssembler(self._source, self._context, matcher(), name)
        return known or assembler

    def _count_claimed(self, finished: list[Item]) -> list[Item]:
        """Count a line as one of a tool."""
        self.lines_claimed += 1
        self._context.note_parsed_line()
        return finished

    def _take_page_line(self, line: NormalizedLine, start: int, assembler: ReportAssembler) -> Sequence[Item]:
        """Give a line to the context. Its text without prefix begins at ``start``."""
        if line.page_text is not None and not assembler.is_verbatim:
            text = line.page_text
            if start and (own := line.plain[start:]):
                is_comment = assembler.report is not None and own[:2].rstrip() == "#"
                names_run = line.stamp and not is_comment and names_run_behind_prefix(own.strip())
                text = own if names_run or strip_prompt(own.strip()) is not None else text
            self._context.feed(text, line.number)
        if line.number == 1:
            self._row_header = line.plain
        if line.plain[:1] not in _FIRST_OF_RULER or not line.plain.startswith(_RULERS):
            self._line_above = line.plain
        if len(self._assemblers) == 1:
            return self._assemblers[""].skip_line(
                LONGEST_GAP if self._assemblers[""] is assembler else _LONGEST_GAP_OF_STREAM
            )
        skipped = (
            open_assembler.skip_line(LONGEST_GAP if open_assembler is assembler else _LONGEST_GAP_OF_STREAM)
            for open_assembler in self._assemblers.values()
        )
        return list(chain.from_iterable(skipped))

    def _take_second_half(self, line: NormalizedLine) -> Sequence[Item]:
        """Take a line after a first half: both as one line of a report, or each by itself."""
        assert self._half is not None
        half = self._half[0]
        finished = rejoin_halves(half, line)
        if finished is None:
            return [*self.take_first_half(), *self.take(line)]
        self._half = None
        self.lines_claimed += 2
        self._context.note_parsed_line()
        return [*finished, *self._keep_assembler(half.assembler)]

    def take_first_half(self) -> Sequence[Item]:
        """Take by itself the line that was kept as a first half, or as the first line after a prefix."""
        header, self._header = self._header, None
        if header is not None:
            return self._take_unmatched(header.line, header.words, header.start, header.assembler)
        half, self._half = self._half, None
        return () if half is None else self._take_unmatched(half[0].line, *half[1:])

    def _keep_assembler(self, assembler: ReportAssembler) -> Sequence[Item]:
        """Keep the assembler of a stream. If there are too many, the report of the oldest one ends."""
        finished: list[Item] = []
        if assembler.stream not in self._assemblers and len(self._assemblers) >= MOST_STREAMS:
            oldest = next(key for key in self._assemblers if key)
            finished = self._assemblers.pop(oldest).close()
        self._assemblers[assembler.stream] = assembler
        return finished

"""Gives each line of a source to the report of its stream, or else to the page.

A line goes this way, up to the first step that takes it:

1. A line without words is an empty line of the page.
2. A line in a **filled paragraph** or in **columns** belongs to the report that is open there (`altered_lines.filled`,
   `altered_lines.side_by_side`).
3. A line whose digit form the **negative cache** knows skips the next two steps.
4. The text after each **prefix** is matched with the specs of all tools, until one matches (`_take_possible_line`).
5. The first half of a **wrapped line**, and a report's first line behind an **unknown prefix**, are held: the next line
   shows what they are (`altered_lines.rejoin`, `altered_lines.unknown_prefixes`).
6. The open report's tool may take the line as a **continuation**.
7. A report's line may be **beside other text** (`altered_lines.beside_text`).
8. All other lines are lines of the **page** (`page_lines`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from wrkparse.context.labels import remark_labels
from wrkparse.context.page.document import Context
from wrkparse.context.page.title_lines import labels_of_line
from wrkparse.context.prefix_labels import labels_in_front, prefix_labels
from wrkparse.model.records import Label
from wrkparse.parse.items import Item
from wrkparse.parse.objects import ClaimedObject
from wrkparse.parse.pending import OPEN_HALF_LINE
from wrkparse.parse.reports.altered_lines.beside_text import (
    take_damaged_line,
    take_late_line,
    take_named_line,
    take_surrounded_line,
)
from wrkparse.parse.reports.altered_lines.filled import FilledParagraph, paragraph_after_line, paragraph_around_line
from wrkparse.parse.reports.altered_lines.named_lines import shared_named_line_finder
from wrkparse.parse.reports.altered_lines.rejoin import FirstHalf, rejoin_halves
from wrkparse.parse.reports.altered_lines.side_by_side import columns_with_reports
from wrkparse.parse.reports.altered_lines.unknown_prefixes import HeaderBehindFront, UnknownPrefixes, find_header
from wrkparse.parse.reports.assembler import SHOWN, ReportAssembler
from wrkparse.parse.reports.decorations import is_decoration, undecorated_forms
from wrkparse.parse.reports.matcher import MatchedLine, is_header, shared_matcher
from wrkparse.parse.reports.negative_cache import shared_negative_cache
from wrkparse.parse.reports.page_lines import PageLines
from wrkparse.parse.reports.streams import ENDS_OF_PREFIXES, ReportStreams
from wrkparse.parse.samples import TakenSamples
from wrkparse.text.normalize import NormalizedLine
from wrkparse.text.shell import FRONT_PROMPT, remark_behind
from wrkparse.text.wrapping.columns import COLUMN_STREAM, TextColumns
from wrkparse.text.wrapping.prefixes import NO_PREFIX, Prefix, is_empty_behind, prefix_candidates
from wrkparse.tools import report_tools
from wrkparse.tools.base import ReportTool
from wrkparse.tools.layout import PrintedReport

_DIGIT = re.compile("[0-9]")
_BULLETS = frozenset("-*+•")

_UnmatchedLine = tuple[NormalizedLine, list[str], int, ReportAssembler]
"""A line that matched no spec, its words, where they begin after all that may be a prefix, and their assembler."""


class ReportDispatcher:
    """Takes the lines of a source without an event: each belongs to a report, or else to the page."""

    def __init__(self, source: str, context: Context) -> None:
        self.lines_claimed = 0
        # The first line that no report took though it has the words and a number of one: line number, tool, text.
        self.first_lookalike: tuple[int, str, str] | None = None
        self._context = context
        self._streams = ReportStreams(source, context)
        self._page = PageLines(context)
        self._prefixes: UnknownPrefixes | None = None  # None until a line may begin with one
        self._columns: TextColumns | None = None  # those of the reports that are side by side
        self._filled: FilledParagraph | None = None  # the paragraph that is being read
        # The last line, if it is held because it may be half of a wrapped one, or the first one of a report.
        self._half: tuple[_UnmatchedLine, FirstHalf] | None = None
        self._header: tuple[_UnmatchedLine, HeaderBehindFront] | None = None

    @property
    def pending(self) -> int:
        """The bits of `parse.pending` that are set: those of `ReportStreams.pending`, and OPEN_HALF_LINE."""
        is_held = self._half is not None or self._header is not None or self._filled is not None
        return self._streams.pending | (OPEN_HALF_LINE if is_held else 0)

    def take_complete(self, tool: ReportTool, printed: PrintedReport, number: int) -> Sequence[Item] | None:
        """Take a complete report, if nothing forbids it; None if it must be read line by line."""
        taken = self._streams.main.take_complete(tool, printed, number)
        if taken is None:
            return None
        finished, complete = taken
        self.lines_claimed += len(complete.places)
        self._context.note_parsed_line()
        if complete.empty is not None:
            self._context.feed("", number + complete.empty)
        return finished

    def take_object(self, found: ClaimedObject) -> Sequence[Item]:
        """Take an object of JSON that a tool claims, which is a report by itself."""
        self.lines_claimed += len(found.lines)
        finished = [*self.release_held_line()]
        finished += self._streams.main.take_report(
            found.tool, found.lines, lambda report: found.form.read(report, found.value)
        )
        self._context.note_parsed_line()
        return finished

    def take_samples(self, taken: TakenSamples) -> Sequence[Item]:
        """Take lines of a file of samples, and the runs at its end."""
        self.lines_claimed += taken.lines
        finished = [*self.release_held_line()]
        for run in taken.runs:
            finished += self._streams.main.take_report(taken.tool, run.lines, run.read)
        self._context.note_parsed_line()
        return finished

    def take_page_lines(self, raws: Sequence[str], number: int) -> tuple[int, list[Item]]:
        """Take lines that are in the negative cache, up to one that may belong to the open report.

        Returns how many were taken, and what they finished.
        """
        assembler, context = self._streams.main, self._context
        finished: list[Item] = []
        taken = 0
        for raw in raws:
            if (assembler.report is not None or context.session.has_format) and not assembler.may_skip(raw):
                break
            context.feed(raw, number + taken)
            taken += 1
            if raw and assembler.report is not None:
                finished += assembler.skip_line()
        self._page.note(raws[:taken], number)
        return taken, finished

    def take(self, line: NormalizedLine) -> Sequence[Item]:
        """Take a line."""
        released: Sequence[Item] = ()
        if self._header is not None:
            released = self._take_header(*self._header, line)
        if self._prefixes is not None and self._prefixes.are_known and not line.stream:
            line = self._prefixes.without_prefix(line)
        if self._columns is not None:
            parts = self._columns.split(line.plain)
            finished = self._end_columns(line) if parts is None else self._take_columns(self._columns, line, parts)
        else:
            finished = self._take_line(line) if self._half is None else self._take_second_half(*self._half, line)
        return [*released, *finished] if released else finished

    def release_held_line(self) -> Sequence[Item]:
        """Take by itself the line that was held."""
        held = self._header or self._half
        self._header = self._half = None
        return () if held is None else self._take_unmatched(held[0])

    def close(self) -> list[Item]:
        """End what is open."""
        finished = [*self.release_held_line()]
        if self._filled is not None:
            finished += self._filled.give_up()
        return finished + self._streams.close()

    def _take_header(
        self, unmatched: _UnmatchedLine, header: HeaderBehindFront, following: NormalizedLine
    ) -> Sequence[Item]:
        """Take a report's first line after a prefix, if the line that follows shows that it is one; or by itself."""
        self._prefixes = self._prefixes or UnknownPrefixes()
        if not self._prefixes.learn(shared_matcher(), header, following.plain):
            return self.release_held_line()
        self._context.forget_title(header.front.rstrip(" \t:"))
        self._header = None
        return self._take_line(self._prefixes.without_prefix(unmatched[0]))

    def _take_second_half(self, unmatched: _UnmatchedLine, half: FirstHalf, line: NormalizedLine) -> Sequence[Item]:
        """Take a line after a first half: both as one line of a report, or each by itself."""
        self._half = None
        finished = rejoin_halves(half, line)
        if finished is None:
            return [*self._take_unmatched(unmatched), *self.take(line)]
        self.lines_claimed += 2
        self._context.note_parsed_line()
        return [*finished, *self._streams.keep(half.assembler)]

    def _take_line(self, line: NormalizedLine) -> Sequence[Item]:
        """Take a line, or the part of it in one column: as a line of a report, or of the page."""
        words = line.plain.split()
        # an empty line of a quotation or a comment, "> ", is empty, too
        if len(words) < 2 and (
            not words
            or is_decoration(words)
            or (words[0][-1] in ENDS_OF_PREFIXES and self._streams.is_cut_prefix(words[0]))
        ):
            self._page.take_empty(line)
            return ()
        if self._filled is not None and (finished := self._take_filled(self._filled, line)) is not None:
            return self._count_claimed(finished)
        assembler = self._streams.main
        if (
            line.stream
            or assembler.is_named
            or not shared_negative_cache().has_digit_form(line.plain, *assembler.tool_and_rank)
        ):
            return self._take_possible_line(line, words)
        if matched := assembler.match_format(undecorated_forms(words)):
            return self._take_matched(line, words, (matched, assembler, NO_PREFIX))
        finished = None if assembler.report is None else self._take_continuation(line, words, assembler)
        return self._take_page_line(line, 0, assembler) if finished is None else self._count_claimed(finished)

    def _take_possible_line(self, line: NormalizedLine, words: list[str]) -> Sequence[Item]:
        """Take a line of these words that may belong to a report: try the specs after each of its prefixes."""
        assembler, prefix, half, found_line = self._streams.main, NO_PREFIX, None, None
        for candidate in prefix_candidates(line.plain):
            rest = line.plain[candidate.end :].split() if candidate.end else words
            if not rest:
                if is_empty_behind(line.plain, candidate):
                    self._page.take_empty(line)
                    return ()
                break
            prefix, words, assembler = candidate, rest, self._streams.of_line(line, candidate)
            matched = assembler.match(words)
            if matched is not None:
                found_line = matched, assembler, prefix
                # a pattern that begins with any text (`time` of zsh) would take a prefix for the command: try longer
                # prefixes
                if not matched[1].any_front:
                    break
            elif assembler.may_be_half:
                stamped = line._replace(stamp=prefix.stamp or line.stamp)
                half = FirstHalf(stamped, prefix.end, assembler.stream, assembler)
        if found_line is not None:
            return self._take_matched(line, words, found_line)
        stamped = line._replace(stamp=prefix.stamp) if prefix.stamp else line
        unmatched = (stamped, words, prefix.end, assembler)
        may_be_header = not line.stream and not shared_matcher().header_keys.isdisjoint(words[1:])
        header = find_header(shared_matcher(), line.plain, words, prefix.end) if may_be_header else None
        if header is not None:
            self._header = unmatched, header
            return ()
        if half is not None:
            self._half = unmatched, half
            return ()
        return self._take_unmatched(unmatched)

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
        if matched[1].begins and line.raw.lstrip()[:1] == "<":  # "<td> <pre>Running 10s test @ http://localhost/"
            self._context.take_cell(line.raw, line.number)
        self._context.note_parsed_line()
        mixed: Sequence[Item] = ()
        if prefix.thread and assembler is self._streams.main:
            assembler, mixed = self._streams.of_thread(matched, prefix.thread)
        was_open = assembler.report
        is_learned = self._prefixes is not None and self._prefixes.has(line.stream)
        is_again = is_learned and is_header(*matched[:2]) and not assembler.continues(*matched[:2])
        is_doubtful = is_again and assembler.awaits_results
        finished = [*mixed, *assembler.accept(matched, line._replace(stamp=prefix.stamp) if prefix.stamp else line)]
        if prefix.thread and assembler is self._streams.main:
            self._streams.note_thread(prefix.thread)
        if self._prefixes is not None and is_doubtful:  # two processes may have the prefix by turns
            self._prefixes.forget(line.stream)
            finished += assembler.close()
        if not prefix.stream and assembler.report is not was_open:
            assembler.add_labels(self._labels_around(line, prefix, matched[0]))
        elif was_open is not None and assembler.report is was_open and not self._context.nearby.are_taken:
            self._context.note_line_of_open_report()
        finished += self._streams.keep(assembler)
        if not assembler.stream and (filled := paragraph_after_line(assembler, matched, line)):
            finished += self._begin_filled(filled, line)
        return finished

    def _labels_around(self, line: NormalizedLine, prefix: Prefix, tool: ReportTool) -> list[Label]:
        """The labels from the text around a report's first line."""
        labels: list[Label] = []
        if front := line.plain[: prefix.end]:
            labels = labels_in_front(front, line.number, self._page.row_header)
        elif (first := line.plain.split(None, 1)[0]).endswith(">"):  # "kiwi> Running 10s test"
            labels = prefix_labels(first, line.number, self._page.row_header)
        return labels + (remark_labels(remark_behind(line.plain)) if tool.times_program else [])  # "real 2.10  # kiwi"

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
        found = columns_with_reports(line, words, self._streams.new_assembler)
        if found is None:
            return None
        self._columns = found
        self._context.drop_title()
        return self._take_columns(found, line, found.split(line.plain) or [])

    def _take_columns(self, found: TextColumns, line: NormalizedLine, parts: list[str]) -> Sequence[Item]:
        """Take the part of a line in each column as a line of a stream. The line above names reports that begin."""
        finished: list[Item] = []
        above = self._page.line_above
        titles = found.split(above) if above else None
        for number, part in enumerate(parts, 1):
            if not part.strip():
                continue
            stream = f"{COLUMN_STREAM} {number}"
            before = self._streams.open_report(stream)
            own = line._replace(page_text=None, plain=part, stream=stream)
            finished += [*self._take_line(own), *self.release_held_line()]
            opened = self._streams.open_report(stream)
            if titles and opened is not None and opened is not before:
                title = titles[number - 1]
                opened.labels += labels_of_line(title.strip(" |"), title, line.number)
                self._page.line_above = above = ""  # it names no other reports
        if self._page.line_above is not above:  # the line above has become a part of this line
            self._page.line_above = line.plain
        return finished

    def _end_columns(self, line: NormalizedLine) -> Sequence[Item]:
        """End the reports side by side, at a line that is not in their columns."""
        self._columns = None
        return [*self.release_held_line(), *self._streams.end_columns(), *self.take(line)]

    def _take_unmatched(self, unmatched: _UnmatchedLine) -> Sequence[Item]:
        """Take a line that matched no spec."""
        line, words, start, assembler = unmatched
        # A command belongs to no report, whatever its words are: "$ echo kiwi: Requests/sec: 1234.56"
        if FRONT_PROMPT.match(line.plain, start) and not shared_matcher().may_have_late_line(line.plain):
            return self._take_page_line(line, start, assembler)
        is_named = assembler.is_named
        if is_named:
            assembler = self._streams.of_name(words, assembler)
        has_results = _DIGIT.search(line.plain, start) is not None and shared_matcher().may_have_results(words)
        if has_results and (column_items := self._begin_columns(line, words)) is not None:
            return column_items
        if not assembler.stream and (has_results or assembler.report is not None):
            filled = paragraph_around_line(assembler, report_tools(), line)
            if filled is not None:
                return self._count_claimed(self._begin_filled(filled, line))
        finished = None if assembler.report is None else self._take_continuation(line, words, assembler)
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

    @staticmethod
    def _take_continuation(line: NormalizedLine, words: list[str], assembler: ReportAssembler) -> list[Item] | None:
        """Take a line that matched no spec if it belongs to the report that is open; None if it does not."""
        if assembler.take_continuation(words, line):
            return []
        return take_surrounded_line(assembler, words, line) if assembler.awaits_line_soon else None

    def _take_beside_text(
        self, line: NormalizedLine, words: list[str], start: int, assembler: ReportAssembler, *, may_be_named: bool
    ) -> list[Item] | None:
        """Take a report's line after other output or a name, before a remark, or without its first letters."""
        items = take_late_line(assembler, line, start)
        if items is None:
            items = take_damaged_line(assembler, words, line)
        if items is None and may_be_named:
            items = take_named_line(assembler, shared_named_line_finder(), words, line)
        return None if items is None else [*items, *self._streams.keep(assembler)]

    def _note_lookalike(self, words: list[str], line: NormalizedLine) -> None:
        """Note the first line that resembles a line of a tool."""
        if tool := shared_matcher().tool_of_lookalike(words):
            self.first_lookalike = line.number, tool.name, line.raw.strip()[:SHOWN]

    def _count_claimed(self, finished: list[Item]) -> list[Item]:
        """Count a line as one of a tool."""
        self.lines_claimed += 1
        self._context.note_parsed_line()
        return finished

    def _take_page_line(self, line: NormalizedLine, start: int, assembler: ReportAssembler) -> Sequence[Item]:
        """Take a line that belongs to no report. Its text without prefix begins at ``start``."""
        session = self._context.session
        epoch = session.epoch
        text = line.page_text or ""
        # the first tests save the call
        nested = assembler.nested_item(text) if text.lstrip()[:1] in _BULLETS and not start else ""
        loads, process = session.loads, session.process_epoch
        self._page.take(line._replace(page_text=nested) if nested else line, start, assembler.report)
        if nested and (session.loads, session.process_epoch) == (loads, process):  # it has no command
            labels = self._context.take_item_of_report(line.number)
            assembler.go_on(epoch)
            if assembler.awaits_results:
                assembler.add_labels(labels)
        if start and session.epoch != epoch:
            self._streams.keep_others_open(line, assembler, epoch)
        return self._streams.skip_line(assembler)

"""Assembles reports from matched lines: which report a line belongs to, where one ends and the next begins."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from wrkparse.context.commands.classifier import measured_labels
from wrkparse.context.labels import at_line, prefix_labels, stream_labels, words_of_prefix
from wrkparse.context.page.document import Context, Snapshot
from wrkparse.model.records import Diagnostic, Label
from wrkparse.parse.items import Excerpt, Item, Run, run_id
from wrkparse.parse.objects import ClaimedObject
from wrkparse.parse.pending import FORMAT_IN_FORCE, OPEN_REPORT
from wrkparse.parse.reports.end_checks import fragment_warning, incomplete_diagnostic, why_unmeasured
from wrkparse.parse.reports.matcher import (
    MatchedLine,
    Matcher,
    has_sign,
    is_next,
    is_surrounding,
    is_within_number,
    undecorated_forms,
    undecorated_texts,
)  # fmt: skip
from wrkparse.parse.reports.named_lines import NamedLineFinder
from wrkparse.text.normalize import NormalizedLine
from wrkparse.text.wrapping import columns, markup
from wrkparse.text.wrapping.learned_prefixes import LEARNED_STREAM
from wrkparse.text.wrapping.prefixes import Clock
from wrkparse.tools.base import ReportTool
from wrkparse.tools.layout import PrintedReport
from wrkparse.tools.lines import ANYWHERE, LineSpec
from wrkparse.tools.objects import OBJECT_SEEN
from wrkparse.tools.report import CompleteReport, Report

# Foreign lines in a row that may interrupt a report: a server's log between wrk's header and its table, or what a
# script prints.
LONGEST_GAP = 200
_SHORT_GAP = 2  # foreign lines that may interrupt it before a line that also has other text
_SHOWN = 100  # characters of a line in a message
_MOST_TEXT_LINES = 400  # lines of a report that are stored as its text
_DIGIT = re.compile(r"[0-9]")
_LAST_OF_OUTPUT = re.compile(r"[\w.:!?)\]}>$%#]")  # the last character of output without a line end


class ReportAssembler:
    """Assembles the reports of one stream of a source; at most one is open at a time."""

    def __init__(self, source: str, context: Context, matcher: Matcher, stream: str = "") -> None:
        self._source, self._context, self._matcher, self.stream = source, context, matcher, stream
        self._tool: ReportTool | None = None
        self.report: Report | None = None  # the open report
        self._snapshot: Snapshot | None = None
        self._name_words: list[str] = []  # the words in front of the report's first line
        self._text_above = ""  # the text above the report
        self._epoch = 0  # the epoch of the context in which the report began
        self._gap = 0  # foreign lines since its last line
        self._clock: Clock | None = None  # None before the first stamp
        # The last report of a tool that carries something into its next one (`ReportTool.carry`), and its epoch.
        self._last_carried: tuple[ReportTool, Report, int] | None = None
        self._last_run: tuple[int, int] = 0, 0  # its line, and the number of earlier runs in that line
        self._formats: list[tuple[ReportTool, LineSpec]] = []
        self._formats_epoch = -1
        self.may_be_half = False  # the line that was matched last may be the first half of a wrapped one

    def __getstate__(self) -> dict[str, Any]:
        """The state for a checkpoint, without the specs of formats, which are functions; `formats` makes them again."""
        return self.__dict__ | {"_formats": [], "_formats_epoch": -1}

    @property
    def formats(self) -> list[tuple[ReportTool, LineSpec]]:
        """The line specs of the formats that are in force here: any line may match one."""
        if not self._context.session.has_format:
            return []
        if self._formats_epoch != self._context.session.epoch:
            self._formats = self._matcher.format_specs(self._context)
            self._formats_epoch = self._context.session.epoch
        return self._formats

    @property
    def pending(self) -> int:
        """The bits of `parse.pending` that are set: OPEN_REPORT, FORMAT_IN_FORCE."""
        return (OPEN_REPORT if self.report is not None else 0) | (FORMAT_IN_FORCE if self.formats else 0)

    @property
    def is_verbatim(self) -> bool:
        """Whether the open report contains text of other programs: other lines are not text of the page."""
        return self.report is not None and bool(self.report.verbatim)

    @property
    def tool_and_rank(self) -> tuple[ReportTool | None, int]:
        """The tool of the open report, and the rank of its last line; None and `ANYWHERE` if none is open."""
        return (self._tool, self.report.rank) if self.report else (None, ANYWHERE)

    @property
    def is_named(self) -> bool:
        """Whether a name is in front of the open report's first line; then it may be in front of the other lines."""
        return self.report is not None and bool(self._name_words)

    @property
    def awaits_results(self) -> bool:
        """Whether a report is open that has no results yet."""
        return self.report is not None and self._tool is not None and self._tool.evidence.isdisjoint(self.report.seen)

    def has_name(self, name: str) -> bool:
        """Whether this word is the name in front of the open report's lines."""
        return self._name_words == [name]

    def begins_with(self, words: list[str]) -> bool:
        """Whether a line of these words begins another report of the tool whose report is open."""
        matched = self.match(words) if words else None
        return matched is not None and matched[0] is self._tool and not self._continues(*matched[:2])

    def add_labels(self, labels: list[Label]) -> None:
        """Add the labels from the text above the open report or in front of it."""
        if self.report is not None:
            self.report.labels += labels

    def may_skip(self, line: str) -> bool:
        """Whether a line of the page can't belong to the open report: none is open, or a complete one."""
        if self._tool is None or self.report is None:
            return not (self._context.session.has_format and self.formats)
        if self.report.complete is None or (self._context.session.has_format and self.formats):
            return False
        following = self._matcher.specs_after(self._tool, self.report.rank)
        return not (following and any(spec.pattern.search(" ".join(line.split())) for spec in following))

    def accept_joined(self, ways: list[list[str]], pieces: list[NormalizedLine]) -> list[Item] | None:
        """Take a line of several pieces, joined in one of these ways; None unless exactly one way matches a spec."""
        matched = [match for match in map(self.match, ways) if match]
        if len(matched) != 1:
            return None
        first, *rest = pieces
        finished = self.accept(matched[0], first.raw, first.number, first.stamp)
        assert self.report is not None
        for piece in rest:
            self._keep_text(piece.raw, piece.number)
        message = f"{self.report.tool}: rejoined from lines {first.number} to {pieces[-1].number}"
        self.report.diagnostics.append(Diagnostic(self._source, first.number, "note", "mended", message))
        return finished

    def match(self, words: list[str]) -> MatchedLine | None:
        """The spec that a line of these words matches; sets `may_be_half`.

        Formats of a command or setting come first, then the specs of the tools in their order. The first spec that
        matches and may occur here wins.
        """
        self.may_be_half = False
        forms = undecorated_forms(words)
        if self._context.session.has_format and (matched := self.match_format(forms)):
            return matched
        tool, rank = self.tool_and_rank
        for form in forms:
            candidates, announced = self._matcher.candidates(form, tool, rank)
            text = " ".join(form) if candidates else ""
            for owner, spec in candidates:
                match = spec.pattern.fullmatch(text)
                if match is not None and self._may_occur_here(owner, spec):
                    return owner, spec, match
            for owner, spec in announced if not self.may_be_half else ():
                if self._may_be_half(owner, spec, text):
                    self.may_be_half = True
                    break
        return None

    def match_format(self, forms: Iterable[list[str]]) -> MatchedLine | None:
        """The format in force that a line matches: its words, or what is left of them without its decorations."""
        for form in forms if self.formats else ():
            if matched := self._match_text(" ".join(form)):
                return matched
        return None

    def _match_text(self, text: str) -> MatchedLine | None:
        """The format in force that a text, or the text in its JSON, matches; of several, the one that comes next."""
        text = " ".join((markup.json_field(text) or text).split()) if text.startswith('"') else text
        first_match: MatchedLine | None = None
        for tool, spec in self._formats:
            match = spec.pattern.fullmatch(text)
            if match is None or not self._may_occur_here(tool, spec):
                continue
            if self._continues(tool, spec):
                return tool, spec, match
            first_match = first_match or (tool, spec, match)
        return first_match

    def _may_be_half(self, tool: ReportTool, spec: LineSpec, text: str) -> bool:
        """Whether a line that does not match a spec may be the first half of one that does."""
        return self._may_occur_here(tool, spec) and (self._continues(tool, spec) or has_sign(spec, text))

    def accept(self, matched: MatchedLine, raw: str, line: int, stamp: str = "") -> list[Item]:
        """Take a line that matched a spec; return what it finished."""
        tool, spec, match = matched
        finished = self._open_report(tool, spec, line)
        self._add_line(spec, raw, line)
        if stamp:
            self._clock = self._clock or Clock()
            self._clock.times([stamp])
        assert self.report is not None
        spec.read(self.report, match, line)
        return finished

    def accept_filled(self, matched: MatchedLine, first_line: int, line: NormalizedLine) -> list[Item]:
        """Take a line of a filled paragraph that matched a spec; return what it finished.

        It ends in `line`, and begins in the line with the number `begun`.
        """
        tool, spec, match = matched
        finished = self._open_report(tool, spec, first_line)
        self._add_line(spec, line.raw, line.number)
        assert self.report is not None
        self.report.unfilled.append((first_line, match[0]))
        spec.read(self.report, match, first_line)
        return finished

    def keep_filled(self, line: NormalizedLine) -> None:
        """Keep a line of a filled paragraph as text of the open report."""
        self._keep_text(line.raw, line.number)

    def may_continue_with(self, words: list[str]) -> bool:
        """Whether a text of these words begins like a line of the open report's tool."""
        return any(tool is self._tool for tool, _ in self._matcher.specs_by_first_word(words))

    def drop_report(self, line: int, text: str) -> list[Item]:
        """Drop the open report, which can't be read from this line on; return the diagnostic about it."""
        if self.report is None:
            return []
        message = f"{self.report.tool}: no run: this line of a filled paragraph can't be read: {text[:_SHOWN]}"
        self.report = self._tool = None
        return [Diagnostic(self._source, line, "warning", "bad-line", message)]

    def take_complete(
        self, tool: ReportTool, printed: PrintedReport, line: int
    ) -> tuple[list[Item], CompleteReport] | None:
        """Take a complete report that begins at a line; return what it finished, and its data.

        None if it must be read line by line.
        """
        if (self._context.session.has_format and self.formats) or self._continues(tool, printed.layout.first):
            return None
        report = Report(tool.name, self._source, line, line)
        if not printed.layout.read(report, printed) or report.complete is None:
            return None
        finished = self._begin_report(tool, report)
        self._gap = 0
        return finished, report.complete

    def take_object(self, found: ClaimedObject) -> list[Item]:
        """Take an object of JSON, which is a report by itself; return what it finished, and the run."""
        return self.take_report(found.tool, found.lines, lambda report: found.form.read(report, found.value))

    def take_report(
        self, tool: ReportTool, lines: Sequence[tuple[int, str]], read: Callable[[Report], None]
    ) -> list[Item]:
        """Take a report of these lines, to which `read` adds the numbers; return what it finished, and the run."""
        report = Report(tool.name, self._source, lines[0][0], lines[-1][0], text=list(lines))
        report.seen.add(OBJECT_SEEN)
        finished = self._begin_report(tool, report)
        read(report)
        self._gap = 0
        return [*finished, *self.close()]

    def take_continuation(self, words: list[str], raw: str, line: int, stamp: str) -> list[Item] | None:
        """Take a line that matched no spec but belongs to the open report; None if it does not."""
        if self.report is None or self._tool is None or self._epoch != self._context.session.epoch:  # as `_has_ended`
            return None
        if self._tool.takes(self.report, raw, undecorated_texts(words), line):
            self.report.reopen()
            self._keep_text(raw, line)
            return []
        is_near = self._gap <= _SHORT_GAP and not self.report.verbatim
        return self._take_surrounded(self._tool, self.report, words, (raw, line, stamp)) if is_near else None

    def take_late_line(self, plain: str, raw: str, line: int, stamp: str) -> list[Item] | None:
        """Take a report's first line that comes after output without a line end; None if there is none."""
        for tool, spec, begin in self._matcher.late_specs:
            at = begin.search(plain)
            ahead = plain[: at.start()] if at else ""
            whole = spec.pattern.fullmatch(" ".join(plain[at.start() :].split())) if at else None
            if whole and (_LAST_OF_OUTPUT.fullmatch(ahead[-1:]) or (ahead[-1:] == " " and is_surrounding(ahead, ""))):
                finished = self.accept((tool, spec, whole), raw, line, stamp)
                self.add_labels(prefix_labels(ahead, line))
                self._name_words = ahead.split() if ahead[-1:] == " " else []
                return finished
        return None

    def take_named_line(
        self, finder: NamedLineFinder, words: list[str], raw: str, line: int, stamp: str
    ) -> list[Item] | None:
        """Take a report's line that has a name in front or a remark after it; None if there is none."""
        name, own = self._name_words, words[len(self._name_words) :]
        if name and own and words[: len(name)] == name and (goes_on := self.match(own)):
            finished = self.accept(goes_on, raw, line, stamp)
            self._name_words = name
            return finished
        for found, at, labels in finder.find(words):
            if self._may_occur_here(*found[:2]):
                finished = [*(self.close() if at and name else []), *self.accept(found, raw, line, stamp)]
                front = " ".join(words[:at])
                self.add_labels([*(prefix_labels(front, line) or words_of_prefix(front, line)), *at_line(labels, line)])
                self._name_words = words[:at]
                return finished
        return None

    def take_damaged_line(self, words: list[str], raw: str, line: int, stamp: str) -> list[Item] | None:
        """Take a report's line that has lost its first letters; None if there is none."""
        whole = self._matcher.restore_first_letters(words)
        matched = self.match(whole) if whole else None
        if whole is None or matched is None:
            return None
        finished = self.accept(matched, raw, line, stamp)
        assert self.report is not None
        message = f"{self.report.tool}: the line has lost its first letters; read as {whole[0]!r}"
        self.report.diagnostics.append(Diagnostic(self._source, line, "note", "mended", message))
        return finished

    def _take_surrounded(
        self, tool: ReportTool, report: Report, words: list[str], at: tuple[str, int, str]
    ) -> list[Item] | None:
        """Take a line of the open report out of other text in the same line; None if there is none."""
        text = " ".join(words)
        if remarked := self._with_remark(tool, report, words, text):
            return self.accept(remarked, *at)
        for spec in self._matcher.specs_after(tool, report.rank):
            match = spec.pattern.search(text)
            if match is None:
                continue
            whole = None if is_within_number(text, match) else spec.pattern.fullmatch(match[0])
            if whole and is_surrounding(text[: match.start()], text[match.end() :]):
                return self.accept((tool, spec, whole), *at)
            message = f"this line can't be separated from the text around it: {at[0].strip()[:_SHOWN]}"
            report.bad(at[1], message, "bad-line")
            return []
        return None

    def _with_remark(self, tool: ReportTool, report: Report, words: list[str], text: str) -> MatchedLine | None:
        """The line of the open report with which a text of these words begins, if only a remark or signs follow it."""
        for _, spec in self._matcher.candidates(words, tool, report.rank)[0]:
            match = spec.pattern.match(text) if spec.inside and self._continues(tool, spec) else None
            if match and not is_within_number(text, match) and is_surrounding("", text[match.end() :]):
                return tool, spec, match
        return None

    def note_unreadable(self, words: list[str], raw: str, line: int) -> bool:
        """Add a diagnostic about a line that can't be read, if it begins like the line that must come next.

        Returns whether it does.
        """
        if self.report is None or self.report.verbatim or self._has_ended() or not _DIGIT.search(raw):
            return False
        for form in undecorated_forms(words):
            for tool, spec in self._matcher.specs_by_first_word(form):
                if tool is self._tool and self._continues(tool, spec):
                    self.report.bad(line, f"this line can't be read: {raw.strip()[:_SHOWN]}", "bad-line")
                    return True
        return False

    def skip_line(self, longest: int = LONGEST_GAP) -> list[Item]:
        """Note that a line does not belong to the open report; return what that finished.

        The report ends after more than `longest` such lines in a row.
        """
        if self.report is None:
            return []
        self._gap += 1
        has_ended = self._epoch != self._context.session.epoch  # as `_has_ended`, without a call for each line
        return self.close() if self._gap > longest or has_ended else []

    def close(self) -> list[Item]:
        """End the open report: it becomes a run if it has results, else a diagnostic about a fragment."""
        report, tool, snapshot = self.report, self._tool, self._snapshot
        self.report = self._tool = None
        if report is None or tool is None or snapshot is None:
            return []
        tool.finish(report)
        if tool.carry:
            self._last_carried = tool, report, self._epoch
        if report.mode == "foreign":
            return []
        if why := why_unmeasured(tool, report, self._text_above):
            return [Diagnostic(self._source, report.line, "note", "unmeasured", f"{report.tool}: no run: {why}")]
        if tool.evidence.isdisjoint(report.seen) and OBJECT_SEEN not in report.seen:
            return [*report.diagnostics, *([] if report.seen <= tool.idle else [fragment_warning(report)])]
        offsets, texts, numbers, rows = report.columns()
        excerpt = Excerpt(offsets[:_MOST_TEXT_LINES], texts[:_MOST_TEXT_LINES])
        own = report.labels_with_texts(*excerpt)
        measured = _measured_labels(tool, own) if tool.times_program and snapshot.command is None else []
        labels = [
            *snapshot.labels,
            *measured,
            *(self._stream_labels(report.line, snapshot) if self.stream else ()),
            *own,
        ]
        if self._context.nearby.below or self._context.nearby.below_last_run:
            labels += self._context.labels_below()
        run = Run(
            self._run_id(report, "\n".join(texts)), report.tool, self._source, report.line, report.line_end,
            snapshot.section, snapshot.command,
            report.version, report.dialect, tool.loop_of_run(report, labels), labels, numbers, rows, excerpt,
        )  # fmt: skip
        if self._clock is not None:
            run.logged_from, run.logged_to, run.logged_zone = self._clock.first, self._clock.last, self._clock.zone
        missing = incomplete_diagnostic(tool, report)
        return [*report.diagnostics, *([missing] if missing else []), run]

    def _stream_labels(self, line: int, snapshot: Snapshot) -> list[Label]:
        """The labels of the prefix. It names what was measured only if nothing else does."""
        if self.stream.startswith(LEARNED_STREAM):
            front = self.stream.removeprefix(LEARNED_STREAM)
            named = [] if any(map(str.isdecimal, front)) else prefix_labels(front, line)  # a number may count workers
            return named or words_of_prefix(front, line)
        is_named = any(label.key == "framework" for label in snapshot.labels)
        return stream_labels(self.stream, line, is_named=is_named)

    def _run_id(self, report: Report, text: str) -> str:
        """The identifier of a run. Several runs in one line are counted; reports side by side have their column."""
        line, earlier = self._last_run
        self._last_run = report.line, earlier + 1 if line == report.line else 0
        count = f"\0{self._last_run[1]}" if self._last_run[1] else ""
        count += f"\0{self.stream}" if self.stream.startswith(columns.COLUMN_STREAM) else ""
        return run_id(self._source, report.line, report.tool, text + count)

    def _has_ended(self) -> bool:
        """Whether a heading or a command has ended the open report, though it was not yet closed."""
        return self._epoch != self._context.session.epoch

    def _may_occur_here(self, tool: ReportTool, spec: LineSpec) -> bool:
        """Whether a line of this spec may come here: first in a report, or next in the open report."""
        if spec.inside or spec.dialect:
            return self._continues(tool, spec)
        return not spec.yields or self.report is None or self._tool is tool or self._has_ended()

    def _continues(self, tool: ReportTool, spec: LineSpec) -> bool:
        """Whether a line of this spec can be the next one of the open report."""
        report = self.report
        if report is None or self._tool is not tool or self._epoch != self._context.session.epoch:  # as `_has_ended`
            return False
        if spec.dialect not in (None, report.dialect):
            return False
        if report.verbatim and spec.inside and spec.kind not in report.verbatim:
            return False
        return is_next(spec, report.rank) or (report.rank <= spec.latest and spec.kind not in report.seen)

    def _open_report(self, tool: ReportTool, spec: LineSpec, line: int) -> list[Item]:
        """Open the report to which a line belongs, if it is not open; return what that finished."""
        if self._continues(tool, spec) or self._become_part_of(tool, spec):
            return []
        return self._begin_report(tool, Report(tool.name, self._source, line, line))

    def _become_part_of(self, tool: ReportTool, spec: LineSpec) -> bool:
        """Make the open report the first part of a report of `tool`, which prints the same lines before this one.

        Returns whether that is so. The end of wrk2's report may begin with its histogram, which looks like a file of
        HdrHistogram.
        """
        before = self._tool, self.report
        if (
            self.report is None
            or self._tool is None
            or self._tool.name != tool.prints_report_of
            or self._gap > _SHORT_GAP
        ):
            return False
        part = Report(tool.name, self._source, self.report.line, self.report.line)
        lines, gap = self.report.text, self._gap
        self._tool, self.report = tool, part
        for line, raw in lines:
            matched = self.match(raw.split())
            if matched is None or not self._continues(*matched[:2]):
                break
            self._add_line(matched[1], raw, line)
            matched[1].read(part, matched[2], line)
        else:
            if self._continues(tool, spec):
                return True
        (self._tool, self.report), self._gap = before, gap
        return False

    def _begin_report(self, tool: ReportTool, report: Report) -> list[Item]:
        """Open a report; return what that finished."""
        report.before = self.report.foreign_lines() if self.report and not self._has_ended() else []
        finished = [] if self.report is None else self.close()
        self._tool, self.report, self._name_words = tool, report, []
        self._snapshot = self._context.snapshot(tool.name, report.line)
        self._text_above = self._context.text_above(report.line)
        self._epoch = self._context.session.epoch
        if tool.carry and self._last_carried and self._last_carried[::2] == (tool, self._epoch):
            tool.carry(self._last_carried[1], report)
        self._clock = None
        return finished

    def _add_line(self, spec: LineSpec, raw: str, line: int) -> None:
        """Add a line of this spec to the open report."""
        report = self.report
        assert report is not None
        report.reopen()
        report.rank = max(report.rank, spec.rank)
        report.seen.add(spec.kind)
        self._keep_text(raw, line)

    def _keep_text(self, raw: str, line: int) -> None:
        """Keep a line as text of the open report."""
        assert self.report is not None
        self.report.line_end = line
        if self.report.text[-1:] != [(line, raw)]:  # unless it is the next of several printed lines in one line
            self.report.text.append((line, raw))
        self._gap = 0


def _measured_labels(tool: ReportTool, labels: Sequence[Label]) -> list[Label]:
    """The labels of the command that a report itself prints as the one that was measured."""
    command = next((label for label in labels if label.key == "command"), None)
    if command is None or command.value in tool.no_commands:
        return []
    return measured_labels(command.value, command.line or 0)

"""Assembles reports from matched lines: which report a line belongs to, where one ends and the next begins."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from wrkparse.context.page.document import Context, Snapshot
from wrkparse.model.records import Diagnostic, Label
from wrkparse.parse.items import Item
from wrkparse.parse.pending import FORMAT_IN_FORCE, OPEN_REPORT
from wrkparse.parse.reports.decorations import undecorated_forms, undecorated_texts
from wrkparse.parse.reports.end_checks import fragment_warning, incomplete_diagnostic, why_unmeasured
from wrkparse.parse.reports.finished_run import run_of_report
from wrkparse.parse.reports.matcher import MatchedLine, Matcher, has_sign, is_next
from wrkparse.text.normalize import NormalizedLine
from wrkparse.text.stamps import Clock
from wrkparse.text.wrapping import markup
from wrkparse.tools.base import ReportTool
from wrkparse.tools.layout import PrintedReport
from wrkparse.tools.lines import ANYWHERE, LineSpec
from wrkparse.tools.objects import OBJECT_SEEN
from wrkparse.tools.report import CompleteReport, Report

# Foreign lines in a row that may interrupt a report: a server's log between wrk's header and its table, or what a
# script prints.
LONGEST_GAP = 200
_SHORT_GAP = 2  # foreign lines that may interrupt it before a line that also has other text
SHOWN = 100  # characters of a line in a message
_DIGIT = re.compile(r"[0-9]")


class ReportAssembler:
    """Assembles the reports of one stream of a source; at most one is open at a time."""

    def __init__(self, source: str, context: Context, matcher: Matcher, stream: str = "") -> None:
        self.source, self._context, self.matcher, self.stream = source, context, matcher, stream
        self.report: Report | None = None  # the open report
        self.tool: ReportTool | None = None  # that printed it
        self._snapshot: Snapshot | None = None
        self.name_words: list[str] = []  # the words in front of the report's first line
        self._text_above = ""  # the text above the report
        self._epoch = 0  # the epoch of the context in which the report began
        self._gap = 0  # foreign lines since its last line
        self._clock: Clock | None = None  # None before the first stamp
        # The last report of a tool that carries something into its next one (`ReportTool.carry`), and its epoch.
        self._last_carried: tuple[ReportTool, Report, int] | None = None
        # The tools with a report of more than one line so far, and how many commands loaded servers before its end.
        self._shown_whole: dict[str, int] = {}
        self._last_run: tuple[int, int] = 0, 0  # its line, and the number of earlier runs in that line
        self._formats: Sequence[tuple[ReportTool, LineSpec]] = ()
        self._formats_epoch = -1
        self.may_be_half = False  # the line that was matched last may be the first half of a wrapped one

    def __getstate__(self) -> dict[str, Any]:
        """The state for a checkpoint, without the specs of formats, which are functions; `formats` makes them again."""
        return self.__dict__ | {"_formats": (), "_formats_epoch": -1}

    @property
    def formats(self) -> Sequence[tuple[ReportTool, LineSpec]]:
        """The line specs of the output formats that commands and settings ask for here: any line may match one."""
        session = self._context.session
        if not session.has_format:
            return ()
        if self._formats_epoch != session.epoch:
            self._formats, self._formats_epoch = self.matcher.format_specs(self._context), session.epoch
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
        return (self.tool, self.report.rank) if self.report else (None, ANYWHERE)

    @property
    def is_named(self) -> bool:
        """Whether a name is in front of the open report's first line; then it may be in front of the other lines."""
        return self.report is not None and bool(self.name_words)

    @property
    def awaits_results(self) -> bool:
        """Whether a report is open that has no results yet."""
        return self.report is not None and self.tool is not None and self.tool.evidence.isdisjoint(self.report.seen)

    @property
    def awaits_line_soon(self) -> bool:
        """Whether the open report's last line is so near that its next line may be beside other text, in one line."""
        has_ended = self._epoch != self._context.session.epoch  # as `has_ended`
        return self.report is not None and not (has_ended or self._gap > _SHORT_GAP or self.report.verbatim)

    def has_name(self, name: str) -> bool:
        """Whether this word is the name in front of the open report's lines."""
        return self.name_words == [name]

    def begins_with(self, words: list[str]) -> bool:
        """Whether a line of these words begins another report of the tool whose report is open."""
        matched = self.match(words) if words else None
        return matched is not None and matched[0] is self.tool and not self.continues(*matched[:2])

    def nested_item(self, text: str) -> str:
        """The list item in a line if it is nested in the item with which the open report begins, before its end.

        Else it is empty. The item has at most two columns more in front of it than the other one, for with four it
        could be code.
        """
        if self.report is None or self.tool is None or not self.report.text or self.has_ended():
            return ""
        first, item = self.report.text[0][1], text.strip()
        outer, indent = markup.indentation(first), markup.indentation(text)
        if indent <= outer or None in map(markup.parse_list_item, (first.strip(), item)):
            return ""
        return " " * min(indent, outer + 2) + item if self.tool.lacks(self.report) is not None else ""

    def add_labels(self, labels: list[Label]) -> None:
        """Add the labels from the text above the open report or in front of it."""
        if self.report is not None:
            self.report.labels += labels

    def may_skip(self, line: str) -> bool:
        """Whether a line of the page can't belong to the open report: none is open, or a complete one."""
        if self._context.session.has_format and self.formats:
            return False
        if self.tool is None or self.report is None:
            return True
        if self.report.complete is None:
            return False
        following = self.matcher.specs_after(self.tool, self.report.rank)
        return not (following and any(spec.pattern.search(" ".join(line.split())) for spec in following))

    def accept_joined(self, ways: list[list[str]], pieces: list[NormalizedLine]) -> list[Item] | None:
        """Take a line of several pieces, joined in one of these ways; None unless exactly one way matches a spec."""
        matched = [match for match in map(self.match, ways) if match]
        if len(matched) != 1:
            return None
        first, *rest = pieces
        finished = self.accept(matched[0], first)
        assert self.report is not None
        for piece in rest:
            self._keep_text(piece.raw, piece.number)
        message = f"{self.report.tool}: rejoined from lines {first.number} to {pieces[-1].number}"
        self.report.diagnostics.append(Diagnostic(self.source, first.number, "note", "mended", message))
        return finished

    def match(self, words: list[str]) -> MatchedLine | None:
        """The spec that a line of these words matches; sets `may_be_half`.

        `LineSpec` says which spec wins if several match.
        """
        self.may_be_half = False
        forms = undecorated_forms(words)
        if self._context.session.has_format and (matched := self.match_format(forms)):
            return matched
        report = self.report
        tool, rank = (self.tool, report.rank) if report else (None, ANYWHERE)  # as `tool_and_rank`
        for form in forms:
            candidates, announced = self.matcher.candidates(form, tool, rank)
            text = " ".join(form) if candidates else ""
            for owner, spec in candidates:
                if spec.needs_command and owner.name not in self._context.session.last_load:  # saves a call
                    continue
                match = spec.pattern.fullmatch(text)
                if match is not None and self.may_occur_here(owner, spec):
                    return owner, spec, match
            for owner, spec in announced if not self.may_be_half else ():
                if self._may_be_half(owner, spec, text):
                    self.may_be_half = True
                    break
        return None

    def match_format(self, forms: Iterable[list[str]]) -> MatchedLine | None:
        """The format in force that a line matches: its words, or what is left of them without its decorations.

        The text in its JSON may match, too. Of several formats, the one wins that comes next in the open report.
        """
        formats = self.formats
        for form in forms if formats else ():
            text = " ".join(form)
            if text.startswith('"'):
                text = " ".join((markup.json_field(text) or text).split())
            first_match: MatchedLine | None = None
            for tool, spec in formats:
                match = spec.pattern.fullmatch(text)
                if match is None or not self.may_occur_here(tool, spec):
                    continue
                if self.continues(tool, spec):
                    return tool, spec, match
                first_match = first_match or (tool, spec, match)
            if first_match is not None:
                return first_match
        return None

    def _may_be_half(self, tool: ReportTool, spec: LineSpec, text: str) -> bool:
        """Whether a line that does not match a spec may be the first half of one that does."""
        return self.may_occur_here(tool, spec) and (self.continues(tool, spec) or has_sign(spec, text))

    def accept(self, matched: MatchedLine, line: NormalizedLine) -> list[Item]:
        """Take a line that matched a spec; return what it finished."""
        tool, spec, match = matched
        finished = self._open_report(tool, spec, line.number)
        self._add_line(spec, line.raw, line.number)
        if line.stamp:
            self._clock = self._clock or Clock()
            self._clock.times([line.stamp])
        assert self.report is not None
        spec.read(self.report, match, line.number)
        return finished

    def accept_filled(self, matched: MatchedLine, first_line: int, line: NormalizedLine) -> list[Item]:
        """Take a line of a filled paragraph that matched a spec; return what it finished.

        It begins in the line with the number `first_line`, and ends in `line`.
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
        return any(tool is self.tool for tool, _ in self.matcher.specs_by_first_word(words))

    def drop_report(self, line: int, text: str) -> list[Item]:
        """Drop the open report, which can't be read from this line on; return the diagnostic about it."""
        if self.report is None:
            return []
        message = f"{self.report.tool}: no run: this line of a filled paragraph can't be read: {text[:SHOWN]}"
        self.report = self.tool = None
        return [Diagnostic(self.source, line, "warning", "bad-line", message)]

    def drop_mixed_report(self, names: Sequence[str]) -> list[Item]:
        """Drop the open report, whose lines are of processes with these names; return the diagnostic about it."""
        report, self.report, self.tool = self.report, None, None
        if report is None:
            return []
        message = f"{report.tool}: no run: its lines may be those of several processes: {', '.join(names)[:SHOWN]}"
        return [Diagnostic(self.source, report.line, "warning", "bad-line", message)]

    def take_complete(
        self, tool: ReportTool, printed: PrintedReport, line: int
    ) -> tuple[list[Item], CompleteReport] | None:
        """Take a complete report that begins at a line; return what it finished, and its data.

        None if it must be read line by line.
        """
        if self._context.session.has_format and self.formats:
            return None
        if self.report is not None and self.continues(tool, printed.layout.first):
            return None
        report = Report(tool.name, self.source, line, line)
        if not printed.layout.read(report, printed) or report.complete is None:
            return None
        finished = self._begin_report(tool, report)
        self._gap = 0
        return finished, report.complete

    def take_report(
        self, tool: ReportTool, lines: Sequence[tuple[int, str]], read: Callable[[Report], None]
    ) -> list[Item]:
        """Take a report of these lines, to which `read` adds the numbers; return what it finished, and the run."""
        report = Report(tool.name, self.source, lines[0][0], lines[-1][0], text=list(lines))
        report.seen.add(OBJECT_SEEN)
        finished = self._begin_report(tool, report)
        read(report)
        self._gap = 0
        return [*finished, *self.close()]

    def take_continuation(self, words: list[str], line: NormalizedLine) -> bool:
        """Take a line that matched no spec if the tool says that it belongs to the open report.

        Returns whether it does.
        """
        if self.report is None or self.tool is None or self._epoch != self._context.session.epoch:  # as `has_ended`
            return False
        if not self.tool.takes(self.report, line.raw, undecorated_texts(words), line.number):
            return False
        self.report.reopen()
        self._keep_text(line.raw, line.number)
        return True

    def note_unreadable(self, words: list[str], raw: str, line: int) -> bool:
        """Add a diagnostic about a line that can't be read, if it begins like the line that must come next.

        Returns whether it does.
        """
        if self.report is None or self.report.verbatim or not _DIGIT.search(raw):
            return False
        if self._epoch != self._context.session.epoch:  # as `has_ended`, without a call for each line
            return False
        for form in undecorated_forms(words):
            for tool, spec in self.matcher.specs_by_first_word(form):
                if tool is self.tool and self.continues(tool, spec):
                    if not any(map(_DIGIT.search, words)):  # the digits are those of a prefix
                        return False
                    self.report.warn(line, f"this line can't be read: {raw.strip()[:SHOWN]}", "bad-line")
                    return True
        return False

    def skip_line(self, longest: int = LONGEST_GAP) -> list[Item]:
        """Note that a line does not belong to the open report; return what that finished.

        The report ends after more than `longest` such lines in a row.
        """
        if self.report is None:
            return []
        self._gap += 1
        ended = self._epoch != self._context.session.epoch  # as `has_ended`, without a call for each line
        return self.close() if self._gap > longest or ended else []

    def close(self) -> list[Item]:
        """End the open report: it becomes a run if it has results, else a diagnostic about a fragment."""
        report, tool, snapshot = self.report, self.tool, self._snapshot
        self.report = self.tool = None
        if report is None or tool is None or snapshot is None:
            return []
        tool.finish(report)
        if tool.carry:
            self._last_carried = tool, report, self._epoch
        # a reader has set it: another program prints the first lines of this tool, as go-wrk does
        if report.mode == "foreign":
            return []
        if why := why_unmeasured(tool, report, self._text_above):
            return [Diagnostic(self.source, report.line, "note", "unmeasured", f"{report.tool}: no run: {why}")]
        # an object has no lines, and so no kinds of lines that could be evidence
        if tool.evidence.isdisjoint(report.seen) and OBJECT_SEEN not in report.seen:
            return [*report.diagnostics, *([] if report.seen <= tool.idle else [fragment_warning(report)])]
        line, earlier = self._last_run
        # several runs in one line, with the same text, need different identifiers
        self._last_run = report.line, earlier + 1 if line == report.line else 0
        run = run_of_report(tool, report, snapshot, self._context, self.stream, self._last_run[1])
        if self._clock is not None:
            run.logged_from, run.logged_to, run.logged_zone = self._clock.first, self._clock.last, self._clock.zone
        if report.complete is not None or len(report.seen) > 1:
            self._shown_whole[tool.name] = self._context.session.loads
        missing = incomplete_diagnostic(tool, report)
        return [*report.diagnostics, *([missing] if missing else []), run]

    def has_ended(self) -> bool:
        """Whether a heading or a command has ended the open report, though it was not yet closed."""
        return self._epoch != self._context.session.epoch

    def go_on(self, epoch: int) -> None:
        """Let the report that is open in an epoch go on in the next one."""
        if self._epoch == epoch:
            self._epoch = self._context.session.epoch

    def may_occur_here(self, tool: ReportTool, spec: LineSpec) -> bool:
        """Whether a line of this spec may come here: first in a report, or next in the open report."""
        if spec.inside or spec.dialect:
            return self.continues(tool, spec)
        if spec.needs_command and (self._has_shown_whole(tool) or not self._context.is_below_command_of(tool)):
            return False
        return not spec.yields or self.report is None or self.tool is tool or self.has_ended()

    def _has_shown_whole(self, tool: ReportTool) -> bool:
        """Whether a report of a tool that has more than one line is between the last command and this line."""
        report = self.report if self.tool is tool else None
        is_open = report is not None and (report.complete is not None or len(report.seen) > 1)
        return (not self.has_ended() and is_open) or self._shown_whole.get(tool.name) == self._context.session.loads

    def continues(self, tool: ReportTool, spec: LineSpec) -> bool:
        """Whether a line of this spec can be the next one of the open report."""
        report = self.report
        if report is None or self.tool is not tool or self._epoch != self._context.session.epoch:  # as `has_ended`
            return False
        if spec.dialect not in (None, report.dialect):
            return False
        if report.verbatim and spec.inside and spec.kind not in report.verbatim:
            return False
        return is_next(spec, report.rank) or (report.rank <= spec.latest and spec.kind not in report.seen)

    def _open_report(self, tool: ReportTool, spec: LineSpec, line: int) -> list[Item]:
        """Open the report to which a line belongs, if it is not open; return what that finished."""
        if self.report is not None and (self.continues(tool, spec) or self._become_part_of(tool, spec)):
            return []
        return self._begin_report(tool, Report(tool.name, self.source, line, line))

    def _become_part_of(self, tool: ReportTool, spec: LineSpec) -> bool:
        """Make the open report the first part of a report of `tool`, which prints the same lines before this one.

        Returns whether that is so. The end of wrk2's report may begin with its histogram, which looks like a file of
        HdrHistogram.
        """
        before = self.tool, self.report
        if (
            self.report is None
            or self.tool is None
            or self.tool.name != tool.prints_report_of
            or self._gap > _SHORT_GAP
        ):
            return False
        part = Report(tool.name, self.source, self.report.line, self.report.line)
        lines, gap = self.report.text, self._gap
        self.tool, self.report = tool, part
        for line, raw in lines:
            matched = self.match(raw.split())
            if matched is None or not self.continues(*matched[:2]):
                break
            self._add_line(matched[1], raw, line)
            matched[1].read(part, matched[2], line)
        else:
            if self.continues(tool, spec):
                return True
        # the lines that were read again have set the gap to 0
        (self.tool, self.report), self._gap = before, gap
        return False

    def _begin_report(self, tool: ReportTool, report: Report) -> list[Item]:
        """Open a report; return what that finished."""
        report.before = self.report.foreign_lines() if self.report and not self.has_ended() else []
        finished = [] if self.report is None else self.close()
        if report.before:
            self._context.nearby.give_back()
        self.tool, self.report, self.name_words = tool, report, []
        self._snapshot = self._context.snapshot(tool.name, report.line)
        self._text_above = self._context.text_above(report.line)
        self._epoch = self._context.session.epoch
        # [::2]: its tool and its epoch. No heading or command may be between the two reports
        if tool.carry and self._last_carried and self._last_carried[::2] == (tool, self._epoch):
            tool.carry(self._last_carried[1], report)
        self._clock = None
        return finished

    def _add_line(self, spec: LineSpec, raw: str, line: int) -> None:
        """Add a line of this spec to the open report."""
        report = self.report
        assert report is not None
        report.reopen()
        # a line that came late (`LineSpec.latest`) does not lower the rank
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

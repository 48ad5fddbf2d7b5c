"""Puts matched lines together to reports: which spec takes a line, where one report ends and the next begins."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from wrkparse.context.commands.classifier import measured_labels
from wrkparse.context.labels import at_line, prefix_labels, stream_labels
from wrkparse.context.page.document import Context, Snapshot
from wrkparse.model.records import Diagnostic, Label
from wrkparse.parse.items import Excerpt, Item, Run, run_id
from wrkparse.parse.objects import FoundObject
from wrkparse.parse.pending import FORMAT, REPORT
from wrkparse.parse.reports.amid_text import AmidText
from wrkparse.parse.reports.matcher import (
    MOST_DECORATIONS,
    Matcher,
    bare_texts,
    has_sign,
    is_next,
    is_surrounding,
    is_within_number,
    undecorated,
)  # fmt: skip
from wrkparse.parse.reports.verdicts import fragment, lack, unmeasured
from wrkparse.text.normalize import NormalizedLine
from wrkparse.text.wrapping import columns, markup
from wrkparse.text.wrapping.prefixes import Clock
from wrkparse.tools.base import ReportTool
from wrkparse.tools.layout import PrintedReport
from wrkparse.tools.lines import ANYWHERE, LineSpec
from wrkparse.tools.objects import OBJECT_SEEN
from wrkparse.tools.report import CompleteReport, Report

# How many foreign lines may interrupt a report: a server's log between wrk's header and its table, a script's output.
LONGEST_GAP = 200
_CLOSE = 2  # how many may interrupt it in front of a line in which other text stands
_SHOWN = 100  # characters of a line in a message
_MAX_TEXT = 400  # lines of a report that are stored as its text
_UNENDED = re.compile(r"[\w.:!?)\]}>$%#]")  # the last character of output without a line's end; no opening quotation
Matched = tuple[ReportTool, LineSpec, re.Match[str]]


class ReportAssembler:
    """Assembles the reports of one stream of a source; at most one is open at a time."""

    def __init__(self, source: str, context: Context, matcher: Matcher, stream: str = "") -> None:
        self._source, self._context, self._matcher, self.stream = source, context, matcher, stream
        self._tool: ReportTool | None = None
        self.report: Report | None = None  # that is open
        self._snapshot: Snapshot | None = None
        self._name: list[str] = []  # the words in front of the report's first line
        self._above = ""  # the text above the report
        self._epoch = 0
        self._gap = 0
        self._clock: Clock | None = None  # None before the first time
        self._before: tuple[ReportTool, Report, int] | None = None  # the last report of a tool that carries, its epoch
        self._last_run: tuple[int, int] = 0, 0  # its line, and how many runs began in that line before
        self._formatted: list[tuple[ReportTool, LineSpec]] = []
        self._formatted_epoch = -1
        self.may_be_half = False  # the line that was matched last may be the first half of a wrapped one

    def __getstate__(self) -> dict[str, Any]:
        """For a checkpoint: without the specs of formats, which are functions; `formatted` makes them again."""
        return self.__dict__ | {"_formatted": [], "_formatted_epoch": -1}

    @property
    def formatted(self) -> list[tuple[ReportTool, LineSpec]]:
        """The line specs of formats that are in force here: any line may match one."""
        if not self._context.session.has_format:
            return []
        if self._formatted_epoch != self._context.session.epoch:
            self._formatted = self._matcher.formats_in_force(self._context)
            self._formatted_epoch = self._context.session.epoch
        return self._formatted

    @property
    def pending(self) -> int:
        """The bits of `parse.pending` that are set: REPORT, FORMAT."""
        return (REPORT if self.report is not None else 0) | (FORMAT if self.formatted else 0)

    @property
    def verbatim(self) -> bool:
        """Whether the open report shows what others sent: lines that it does not take are no text of the page."""
        return self.report is not None and bool(self.report.verbatim)

    @property
    def place(self) -> tuple[ReportTool | None, int]:
        """The tool of the open report, and the rank of its last line."""
        return (self._tool, self.report.rank) if self.report else (None, ANYWHERE)

    @property
    def is_named(self) -> bool:
        """Whether a name stands in front of the open report's first line, as it may in front of the others."""
        return self.report is not None and bool(self._name)

    @property
    def awaits_results(self) -> bool:
        """Whether a report is open that has no result yet."""
        return self.report is not None and self._tool is not None and self._tool.evidence.isdisjoint(self.report.seen)

    def is_behind(self, name: str) -> bool:
        """Whether this word is the name in front of the open report's lines."""
        return self._name == [name]

    def begins_with(self, words: list[str]) -> bool:
        """Whether the tool of the open report begins another one with a line of these words."""
        matched = self.match(words) if words else None
        return matched is not None and matched[0] is self._tool and not self._continues(*matched[:2])

    def name(self, labels: list[Label]) -> None:
        """Label the open report with what stands above it or in front."""
        if self.report is not None:
            self.report.labels += labels

    def is_done_with(self, line: str) -> bool:
        """Whether a line of the page can't be a line of the open report: none is open, or one that is complete."""
        if self._tool is None or self.report is None:
            return not (self._context.session.has_format and self.formatted)
        if self.report.complete is None or (self._context.session.has_format and self.formatted):
            return False
        following = self._matcher.following(self._tool, self.report.rank)
        return not (following and any(spec.pattern.search(" ".join(line.split())) for spec in following))

    def offer_joined(self, ways: list[list[str]], pieces: list[NormalizedLine]) -> list[Item] | None:
        """Take a line of two pieces that may be joined in these ways; None unless exactly one way gives a line."""
        matched = [match for match in map(self.match, ways) if match]
        if len(matched) != 1:
            return None
        first, *rest = pieces
        finished = self.accept(matched[0], first.raw, first.number, first.stamp)
        assert self.report is not None
        for piece in rest:
            self._keep(piece.raw, piece.number)
        message = f"{self.report.tool}: rejoined from lines {first.number} to {pieces[-1].number}"
        self.report.diagnostics.append(Diagnostic(self._source, first.number, "note", "mended", message))
        return finished

    def match(self, words: list[str]) -> Matched | None:
        """The spec that matches a line; sets `may_be_half`.

        Formats that a command asked for come first, then the tools' tables in their order: the first spec that matches
        and may stand here wins.
        """
        self.may_be_half = False
        if self._context.session.has_format and (matched := self.match_format(words)):
            return matched
        tool, rank = self.place
        for _ in range(MOST_DECORATIONS + 1):
            candidates, telling = self._matcher.candidates(words, tool, rank)
            text = " ".join(words) if candidates else ""
            for of, spec in candidates:
                match = spec.pattern.fullmatch(text)
                if match is not None and self._may_stand_here(of, spec):
                    return of, spec, match
            for of, spec in telling if not self.may_be_half else ():
                if self._may_be_half(of, spec, text):
                    self.may_be_half = True
                    break
            words = undecorated(words)
            if not words:
                break
        return None

    def match_format(self, words: list[str]) -> Matched | None:
        """The line of a format in force that a line is, with its decorations or without one after the other."""
        for _ in range(MOST_DECORATIONS + 1 if self.formatted else 0):
            if (matched := self._match_format(" ".join(words))) or not (words := undecorated(words)):
                return matched
        return None

    def _match_format(self, text: str) -> Matched | None:
        """The line of a format in force that matches, or the text of JSON; of several, the one that comes next."""
        text = " ".join((markup.json_field(text) or text).split()) if text.startswith('"') else text
        fitting: Matched | None = None
        for tool, spec in self._formatted:
            match = spec.pattern.fullmatch(text)
            if match is None or not self._may_stand_here(tool, spec):
                continue
            if self._continues(tool, spec):
                return tool, spec, match
            fitting = fitting or (tool, spec, match)
        return fitting

    def _may_be_half(self, tool: ReportTool, spec: LineSpec, text: str) -> bool:
        """Whether a line that a spec does not match may be the first half of one that it does."""
        return self._may_stand_here(tool, spec) and (self._continues(tool, spec) or has_sign(spec, text))

    def accept(self, matched: Matched, raw: str, line: int, stamp: str = "") -> list[Item]:
        """Take a line that was matched; returns what it finished."""
        tool, spec, match = matched
        finished = self._open(tool, spec, line)
        self._take(spec, raw, line)
        if stamp:
            self._clock = self._clock or Clock()
            self._clock.times([stamp])
        assert self.report is not None
        spec.read(self.report, match, line)
        return finished

    def accept_filled(self, matched: Matched, begun: int, line: NormalizedLine) -> list[Item]:
        """Take a line that was matched within a filled paragraph: it ends in a line, and may have begun above."""
        tool, spec, match = matched
        finished = self._open(tool, spec, begun)
        self._take(spec, line.raw, line.number)
        assert self.report is not None
        self.report.unfilled.append((begun, match[0]))
        spec.read(self.report, match, begun)
        return finished

    def keep_filled(self, line: NormalizedLine) -> None:
        """Keep a line of a filled paragraph as text of the open report."""
        self._keep(line.raw, line.number)

    def may_go_on(self, words: list[str]) -> bool:
        """Whether a text of these words begins like a line of the open report's tool."""
        return any(tool is self._tool for tool, _ in self._matcher.led_by(words))

    def give_up(self, line: int, text: str) -> list[Item]:
        """Drop the open report, which can't be read from a line on; returns the diagnostic that says so."""
        if self.report is None:
            return []
        message = f"{self.report.tool}: no run: this line of a filled paragraph can't be read: {text[:_SHOWN]}"
        self.report = self._tool = None
        return [Diagnostic(self._source, line, "warning", "bad-line", message)]

    def take_complete(
        self, tool: ReportTool, printed: PrintedReport, line: int
    ) -> tuple[list[Item], CompleteReport] | None:
        """Take a complete report that begins at a line; returns what it finished, None if it must be read by lines."""
        if (self._context.session.has_format and self.formatted) or self._continues(tool, printed.layout.first):
            return None
        report = Report(tool.name, self._source, line, line)
        if not printed.layout.read(report, printed) or report.complete is None:
            return None
        finished = self._begin(tool, report)
        self._gap = 0
        return finished, report.complete

    def take_object(self, found: FoundObject) -> list[Item]:
        """Take an object of JSON, which is a report by itself; returns what it finished, and the run."""
        return self.take_read(found.tool, found.lines, lambda report: found.form.read(report, found.value))

    def take_read(
        self, tool: ReportTool, lines: Sequence[tuple[int, str]], read: Callable[[Report], None]
    ) -> list[Item]:
        """Take a report of these lines, whose numbers a function adds; returns what it finished, and the run."""
        report = Report(tool.name, self._source, lines[0][0], lines[-1][0], text=list(lines))
        report.seen.add(OBJECT_SEEN)
        finished = self._begin(tool, report)
        read(report)
        self._gap = 0
        return [*finished, *self.close()]

    def goes_on(self, words: list[str], raw: str, line: int, stamp: str) -> list[Item] | None:
        """Take a line that no spec matched, if it belongs to the open report all the same; None if it does not."""
        if self.report is None or self._tool is None or self._epoch != self._context.session.epoch:  # as `_ended`
            return None
        if self._tool.takes(self.report, raw, bare_texts(words), line):
            self.report.reopen()
            self._keep(raw, line)
            return []
        close = self._gap <= _CLOSE and not self.report.verbatim
        return self._take_surrounded(self._tool, self.report, " ".join(words), (raw, line, stamp)) if close else None

    def begins_late(self, plain: str, raw: str, line: int, stamp: str) -> list[Item] | None:
        """Take a report's first line that stands behind output without a line's end; None if there is none."""
        for tool, spec, begin in self._matcher.late:
            at = begin.search(plain)
            ahead = plain[: at.start()] if at else ""
            whole = spec.pattern.fullmatch(" ".join(plain[at.start() :].split())) if at else None
            if whole and (_UNENDED.fullmatch(ahead[-1:]) or (ahead[-1:] == " " and is_surrounding(ahead, ""))):
                finished = self.accept((tool, spec, whole), raw, line, stamp)
                self.name(prefix_labels(ahead, line))
                self._name = ahead.split() if ahead[-1:] == " " else []
                return finished
        return None

    def begins_amid_text(
        self, finder: AmidText, words: list[str], raw: str, line: int, stamp: str
    ) -> list[Item] | None:
        """Take a report's line that has a name in front or a remark behind; None if there is none."""
        name, own = self._name, words[len(self._name) :]
        if name and own and words[: len(name)] == name and (goes_on := self.match(own)):
            finished = self.accept(goes_on, raw, line, stamp)
            self._name = name
            return finished
        for found, at, labels in finder.named_lines(words):
            if self._may_stand_here(*found[:2]):
                finished = [*(self.close() if at and name else []), *self.accept(found, raw, line, stamp)]
                self.name([*prefix_labels(" ".join(words[:at]), line), *at_line(labels, line)])
                self._name = words[:at]
                return finished
        return None

    def begins_damaged(self, words: list[str], raw: str, line: int, stamp: str) -> list[Item] | None:
        """Take a report's line that has lost its first letters; None if there is none."""
        whole = self._matcher.with_lost_letters(words)
        matched = self.match(whole) if whole else None
        if whole is None or matched is None:
            return None
        finished = self.accept(matched, raw, line, stamp)
        assert self.report is not None
        message = f"{self.report.tool}: the line has lost its first letters; read as {whole[0]!r}"
        self.report.diagnostics.append(Diagnostic(self._source, line, "note", "mended", message))
        return finished

    def _take_surrounded(
        self, tool: ReportTool, report: Report, text: str, at: tuple[str, int, str]
    ) -> list[Item] | None:
        """Take a line of the open report out of other text in the same line; None if there is none."""
        if remarked := self._with_remark(tool, report, text):
            return self.accept(remarked, *at)
        for spec in self._matcher.following(tool, report.rank):
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

    def _with_remark(self, tool: ReportTool, report: Report, text: str) -> Matched | None:
        """The line of the open report that a text begins with, if all behind it is a remark or a sign."""
        for _, spec in self._matcher.candidates(text.split(), tool, report.rank)[0]:
            match = spec.pattern.match(text) if spec.inside and self._continues(tool, spec) else None
            if match and not is_within_number(text, match) and is_surrounding("", text[match.end() :]):
                return tool, spec, match
        return None

    def reports_unreadable(self, words: list[str], raw: str, line: int) -> bool:
        """Add a diagnostic about a line that can't be read, if it begins as one that the open report waits for."""
        if self.report is None or self.report.verbatim or self._ended() or not any(map(str.isdigit, raw)):
            return False
        while words:
            for tool, spec in self._matcher.led_by(words):
                if tool is self._tool and self._continues(tool, spec):
                    self.report.bad(line, f"this line can't be read: {raw.strip()[:_SHOWN]}", "bad-line")
                    return True
            words = undecorated(words)
        return False

    def skip(self, longest: int = LONGEST_GAP) -> list[Item]:
        """Note that a line is not the report's, which ends after this many in a row; returns what it finished."""
        if self.report is None:
            return []
        self._gap += 1
        return self.close() if self._gap > longest or self._epoch != self._context.session.epoch else []  # as `_ended`

    def close(self) -> list[Item]:
        """End the open report: it becomes a run if it has results, else a diagnostic about a fragment."""
        report, tool, snapshot = self.report, self._tool, self._snapshot
        self.report = self._tool = None
        if report is None or tool is None or snapshot is None:
            return []
        tool.finish(report)
        if tool.carry:
            self._before = tool, report, self._epoch
        if report.mode == "foreign":
            return []
        if why := unmeasured(tool, report, self._above):
            return [Diagnostic(self._source, report.line, "note", "unmeasured", f"{report.tool}: no run: {why}")]
        if tool.evidence.isdisjoint(report.seen) and OBJECT_SEEN not in report.seen:
            return [*report.diagnostics, *([] if report.seen <= tool.idle else [fragment(report)])]
        places, texts, numbers, rows = report.columns()
        excerpt = Excerpt(places[:_MAX_TEXT], texts[:_MAX_TEXT])
        own = report.labels_with_texts(*excerpt)
        measured = _measured(tool, own) if tool.times_program and snapshot.command is None else []
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
        missing = lack(tool, report)
        return [*report.diagnostics, *([missing] if missing else []), run]

    def _stream_labels(self, line: int, snapshot: Snapshot) -> list[Label]:
        """The labels of the prefix, which names what was measured only where nothing else does."""
        is_named = any(label.key == "framework" for label in snapshot.labels)
        return stream_labels(self.stream, line, is_named=is_named)

    def _run_id(self, report: Report, text: str) -> str:
        """The identifier of a run; several in one line are counted, those side by side named by their columns."""
        line, before = self._last_run
        self._last_run = report.line, before + 1 if line == report.line else 0
        count = f"\0{self._last_run[1]}" if self._last_run[1] else ""
        count += f"\0{self.stream}" if self.stream.startswith(columns.COLUMN_STREAM) else ""
        return run_id(self._source, report.line, report.tool, text + count)

    def _ended(self) -> bool:
        """Whether a heading or a command has ended the open report, though nothing has closed it yet."""
        return self._epoch != self._context.session.epoch

    def _may_stand_here(self, tool: ReportTool, spec: LineSpec) -> bool:
        """Whether a line of this spec may stand here at all: a report may begin with it, or the open one go on."""
        if spec.inside or spec.dialect:
            return self._continues(tool, spec)
        return not spec.yields or self.report is None or self._tool is tool or self._ended()

    def _continues(self, tool: ReportTool, spec: LineSpec) -> bool:
        """Whether a line of this spec can be the open report's next."""
        report = self.report
        if report is None or self._tool is not tool or self._epoch != self._context.session.epoch:  # as `_ended`
            return False
        if spec.dialect not in (None, report.dialect):
            return False
        if report.verbatim and spec.inside and spec.kind not in report.verbatim:
            return False
        return is_next(spec, report.rank) or (report.rank <= spec.latest and spec.kind not in report.seen)

    def _open(self, tool: ReportTool, spec: LineSpec, line: int) -> list[Item]:
        """Open the report that a line belongs to, if it is not open; returns what that finished."""
        if self._continues(tool, spec) or self._became_part_of(tool, spec):
            return []
        return self._begin(tool, Report(tool.name, self._source, line, line))

    def _became_part_of(self, tool: ReportTool, spec: LineSpec) -> bool:
        """Make the open report the first part of another tool's, which prints the same and then a line of this spec.

        The end of wrk2's report may begin with its histogram, which looks like a file of HdrHistogram.
        """
        before = self._tool, self.report
        if self.report is None or self._tool is None or self._tool.name != tool.prints_report_of or self._gap > _CLOSE:
            return False
        part = Report(tool.name, self._source, self.report.line, self.report.line)
        lines, gap = self.report.text, self._gap
        self._tool, self.report = tool, part
        for line, raw in lines:
            matched = self.match(raw.split())
            if matched is None or not self._continues(*matched[:2]):
                break
            self._take(matched[1], raw, line)
            matched[1].read(part, matched[2], line)
        else:
            if self._continues(tool, spec):
                return True
        (self._tool, self.report), self._gap = before, gap
        return False

    def _begin(self, tool: ReportTool, report: Report) -> list[Item]:
        """Open a report; returns what that finished."""
        report.before = self.report.foreign_lines() if self.report and not self._ended() else []
        finished = [] if self.report is None else self.close()
        self._tool, self.report, self._name = tool, report, []
        self._snapshot = self._context.snapshot(tool.name, report.line)
        self._above = self._context.text_above(report.line)
        self._epoch = self._context.session.epoch
        if tool.carry and self._before and self._before[::2] == (tool, self._epoch):
            tool.carry(self._before[1], report)
        self._clock = None
        return finished

    def _take(self, spec: LineSpec, raw: str, line: int) -> None:
        report = self.report
        assert report is not None
        report.reopen()
        report.rank = max(report.rank, spec.rank)
        report.seen.add(spec.kind)
        self._keep(raw, line)

    def _keep(self, raw: str, line: int) -> None:
        assert self.report is not None
        self.report.line_end = line
        if self.report.text[-1:] != [(line, raw)]:  # several of the tool's lines in one of the source
            self.report.text.append((line, raw))
        self._gap = 0


def _measured(tool: ReportTool, labels: Sequence[Label]) -> list[Label]:
    """What the command says that a report itself names as the one it measured."""
    named = next((label for label in labels if label.key == "command"), None)
    return measured_labels(named.value, named.line or 0) if named and named.value not in tool.no_commands else []

"""The report that is being read: which rule takes a line, where one report ends and the next begins."""

from __future__ import annotations

import re

from wrkparse.context import labels as say
from wrkparse.context.document import Context, Snapshot
from wrkparse.model.records import INCOMPLETE, Diagnostic, Numbers
from wrkparse.parse.items import Excerpt, Item, Run, run_id
from wrkparse.parse.matcher import MOST_DECORATIONS, Rules, bare, follows, tells
from wrkparse.parse.surroundings import apart
from wrkparse.text.normalize import Line
from wrkparse.text.prefixes import Clock
from wrkparse.tools.base import ANYWHERE, AtOnce, Columns, Report, ReportTool, Rule, key_of
from wrkparse.tools.whole import Whole

# Lines that a report may be interrupted by: a server's log between wrk's header and its table, a script's own output.
LONGEST_GAP = 200
_CLOSE = 2  # lines that may stand between two of a report of which one is glued to other text
_SHOWN = 100
_MAX_TEXT = 400  # lines of a report kept as its text
_UNENDED = re.compile(r"[\w.:!?)\]}>$%#]")  # the last character of what lacks its line's end; no opening quotation
Found = tuple[ReportTool, Rule, re.Match[str]]


def _within_number(text: str, match: re.Match[str]) -> bool:
    """Whether a number might go on to the left or the right of a match."""
    before, behind = text[: match.start()][-2:], text[match.end() :][:2]
    parted = before[:1].isdigit() and before[1:] in ("'", "’", "_")  # thousands
    return (
        (match[0][0].isdigit() and (before[-1:].isalnum() or parted))
        or behind[:1].isdigit()
        or (behind[:1] in ".,%" and behind[1:].isdigit())
    )


class Reports:
    """The report that is open, if one is."""

    def __init__(self, source: str, context: Context, rules: Rules, stream: str = "") -> None:
        self._source, self._context, self._rules, self.stream = source, context, rules, stream
        self._tool: ReportTool | None = None
        self._report: Report | None = None
        self._snapshot: Snapshot | None = None
        self._epoch = 0
        self._gap = 0
        self._clock = Clock()
        self._named: tuple[int, int] = 0, 0  # the line of the last run, and how many were in it before
        self._formatted: list[tuple[ReportTool, Rule]] = []
        self._formatted_epoch = -1
        self.near = False  # the line tried last may be the first piece of one that is ours

    @property
    def formatted(self) -> list[tuple[ReportTool, Rule]]:
        """The rules of formats in force here: any line may be one of theirs."""
        if self._formatted_epoch != self._context.epoch:
            self._formatted = self._rules.in_force(self._context)
            self._formatted_epoch = self._context.epoch
        return self._formatted

    @property
    def open(self) -> bool:
        """Whether the next line may belong to a report that has begun."""
        return self._report is not None

    @property
    def verbatim(self) -> bool:
        """Whether what the open report does not take is no text of the page."""
        return self._report is not None and bool(self._report.verbatim)

    def passes(self, line: str) -> bool:
        """Whether a line that is no report's by itself can't be of the open one: none is, or one that is complete."""
        if self.formatted or self._tool is None or self._report is None:
            return not self.formatted
        following = self._rules.following(self._tool, self._report.rank)
        return self._report.at_once is not None and not (
            following and any(rule.pattern.search(" ".join(line.split())) for rule in following)
        )

    def offer_joined(self, ways: list[list[str]], pieces: list[Line]) -> list[Item] | None:
        """Try the pieces of one line, put together in these ways; None if not just one of them makes a line."""
        found = [match for match in map(self.match, ways) if match]
        if len(found) != 1:
            return None
        first, *rest = pieces
        finished = self.accept(found[0], first.raw, first.number, first.stamp)
        assert self._report is not None
        for piece in rest:
            self._keep(piece.raw, piece.number)
        said = f"{self._report.tool}: put together from lines {first.number} to {pieces[-1].number}"
        self._report.diagnostics.append(Diagnostic(self._source, first.number, "note", "mended", said))
        return finished

    def match(self, words: list[str]) -> Found | None:
        """The rule that matches a line. ``near`` tells whether the line may be the first piece of one that is ours."""
        self.near = False
        # lines of a format may look alike: then the one that is to come next
        formatted = sorted(self.formatted, key=lambda each: not self._continues(*each))
        open_tool, rank = (self._tool, self._report.rank) if self._report else (None, ANYWHERE)
        for _ in range(MOST_DECORATIONS + 1):
            candidates, telling = self._rules.candidates(words, open_tool, rank)
            text = " ".join(words) if candidates or formatted else ""
            for tool, rule in (*formatted, *candidates):
                match = rule.pattern.fullmatch(text) if self._believed(tool, rule) else None
                if match is not None:
                    return tool, rule, match
            self.near = self.near or any(self._like(tool, rule, text) for tool, rule in telling)
            words = bare(words)
            if not words:
                break
        return None

    def _like(self, tool: ReportTool, rule: Rule, text: str) -> bool:
        """Whether a line that a rule does not match may be the first piece of one that it does."""
        return self._believed(tool, rule) and (self._continues(tool, rule) or tells(rule, text))

    def accept(self, found: Found, raw: str, line: int, stamp: str = "") -> list[Item]:
        """Take a line that was matched; returns what was finished by it."""
        tool, rule, match = found
        finished = self._open(tool, rule, line)
        self._take(rule, raw, line)
        if stamp:
            self._clock.read([stamp])
        assert self._report is not None
        rule.read(self._report, match, line)
        return finished

    def whole(
        self, tool: ReportTool, whole: Whole, match: re.Match[str], line: int
    ) -> tuple[list[Item], AtOnce] | None:
        """Take a complete report that begins at a line; returns what was finished by it, None if it can't be taken."""
        first = self._rules.of_kind(tool, whole.first)
        if self.formatted or self._continues(tool, first):
            return None
        report = Report(tool.name, self._source, line, line)
        if not whole.read(report, match) or report.at_once is None:
            return None
        finished = self._begin(tool, report)
        self._gap = 0
        return finished, report.at_once

    def goes_on(self, words: list[str], raw: str, line: int, stamp: str) -> list[Item] | None:
        """Take a line that no rule took, if it is the open report's all the same; None if it is not."""
        if self._report is None or self._tool is None or self._ended():
            return None
        if self._report.at_once is None and self._tool.goes_on(self._report, raw, line):
            self._keep(raw, line)
            return []
        close = self._gap <= _CLOSE and not self._report.verbatim
        return self._glued(self._tool, self._report, " ".join(words), (raw, line, stamp)) if close else None

    def begins_late(self, plain: str, raw: str, line: int, stamp: str) -> list[Item] | None:
        """Take a report's first line that stands behind output whose last line had no end; None if there is none."""
        for tool, rule, begin in self._rules.late if not self.verbatim else ():
            at = begin.search(plain)
            ahead = plain[: at.start()] if at else ""
            whole = rule.pattern.fullmatch(" ".join(plain[at.start() :].split())) if at else None
            if whole and (_UNENDED.fullmatch(ahead[-1:]) or (ahead[-1:] == " " and apart(ahead, ""))):
                return self.accept((tool, rule, whole), raw, line, stamp)
        return None

    def _glued(self, tool: ReportTool, report: Report, text: str, at: tuple[str, int, str]) -> list[Item] | None:
        """Take a line of the open report out of what stands in one line with it; None if there is none."""
        for rule in self._rules.following(tool, report.rank):
            match = rule.pattern.search(text)
            if match is None:
                continue
            whole = None if _within_number(text, match) else rule.pattern.fullmatch(match[0])
            if whole and apart(text[: match.start()], text[match.end() :]):
                return self.accept((tool, rule, whole), *at)
            said = f"this line can't be told from what stands around it: {at[0].strip()[:_SHOWN]}"
            report.bad(at[1], said, "bad-line")
            return []
        return None

    def doubt(self, words: list[str], raw: str, line: int) -> None:
        """Say so of a line that begins as one that the open report still waits for, and can't be read."""
        if self._report is None or self._report.verbatim:
            return
        while words:
            leading = words[:2] if words[0][:1].isdigit() else words[:1]  # "410759 requests in", "50% 1.2ms"
            keys = {key_of(word) for word in leading} - {"", "%"}
            waited = (self._continues(tool, rule) for key in keys for tool, rule in self._rules.by_key.get(key, ()))
            if any(waited) and any(map(str.isdigit, raw)):
                self._report.bad(line, f"this line can't be read: {raw.strip()[:_SHOWN]}", "bad-line")
                return
            words = bare(words)

    def passed(self, longest: int = LONGEST_GAP) -> list[Item]:
        """A line went by that was not the report's; so many at most may."""
        self._gap += 1
        return self.close() if self._report and (self._gap > longest or self._ended()) else []

    def close(self) -> list[Item]:
        """End the open report: a run if it holds results, else a fragment."""
        report, tool, snapshot = self._report, self._tool, self._snapshot
        self._report = self._tool = None
        if report is None or tool is None or snapshot is None:
            return []
        tool.finish(report)
        if report.mode == "foreign":
            return []
        if tool.evidence.isdisjoint(report.seen):
            return [*report.diagnostics, *([] if report.seen <= tool.idle else [self._fragment(report)])]
        labels = [*snapshot.labels, *say.of_stream(self.stream, report.line), *report.labels]
        text, numbers, rows = _columns(report)
        run = Run(
            self._name(report, "\n".join(text.texts)), report.tool, self._source, report.line, report.line_end,
            snapshot.section, snapshot.command,
            report.version, report.dialect, labels, numbers, rows,
            Excerpt(text.lines[:_MAX_TEXT], text.texts[:_MAX_TEXT]),
            self._clock.first, self._clock.last, self._clock.zone,
        )  # fmt: skip
        return [*report.diagnostics, *self._cut(tool, report), run]

    def _name(self, report: Report, text: str) -> str:
        """The identifier of a run; of several in one line, by their order."""
        line, before = self._named
        self._named = report.line, before + 1 if line == report.line else 0
        more = f"\0{self._named[1]}" if self._named[1] else ""
        return run_id(self._source, report.line, report.tool, text + more)

    def _cut(self, tool: ReportTool, report: Report) -> list[Diagnostic]:
        """Say so of a run whose report ends too early."""
        lack = tool.lacks(report) if report.at_once is None else None
        if lack is None:
            return []
        said = f"{report.tool}: the report ends here, without {lack.what}"
        said += ": was it cut off?" if lack.severity == "warning" else ""
        return [Diagnostic(self._source, report.line_end, lack.severity, INCOMPLETE, said)]

    def _ended(self) -> bool:
        return self._epoch != self._context.epoch

    def _believed(self, tool: ReportTool, rule: Rule) -> bool:
        if rule.inside or rule.dialect:
            return self._continues(tool, rule)
        return not rule.modest or self._report is None or self._tool is tool or self._ended()

    def _continues(self, tool: ReportTool, rule: Rule) -> bool:
        """Whether a line of this rule can be the open report's next."""
        report = self._report
        if report is None or self._tool is not tool or self._ended() or rule.dialect not in (None, report.dialect):
            return False
        if report.verbatim and rule.inside and rule.kind not in report.verbatim:
            return False
        return follows(rule, report.rank)

    def _open(self, tool: ReportTool, rule: Rule, line: int) -> list[Item]:
        if self._continues(tool, rule):
            return []
        return self._begin(tool, Report(tool.name, self._source, line, line))

    def _begin(self, tool: ReportTool, report: Report) -> list[Item]:
        """Open a report; returns what is finished by it."""
        finished = self.close()
        self._tool, self._report = tool, report
        self._snapshot = self._context.snapshot(tool.name, report.line)
        self._epoch = self._context.epoch
        self._clock = Clock()
        return finished

    def _take(self, rule: Rule, raw: str, line: int) -> None:
        report = self._report
        assert report is not None
        report.spread()
        report.rank = max(report.rank, rule.rank)
        report.seen.add(rule.kind)
        self._keep(raw, line)

    def _keep(self, raw: str, line: int) -> None:
        assert self._report is not None
        self._report.line_end = line
        if self._report.text[-1:] != [(line, raw)]:  # several of the tool's lines in one of the source
            self._report.text.append((line, raw))
        self._gap = 0

    def _fragment(self, report: Report) -> Diagnostic:
        if report.stopped:
            what = f"stopped without results: {report.stopped[:_SHOWN]}"
        else:
            what = f"{' and '.join(sorted(report.seen))} without results; no run (was it stopped early?)"
        return Diagnostic(self._source, report.line, "warning", "fragment", f"{report.tool}: {what}")


def _columns(report: Report) -> tuple[Excerpt, Numbers, dict[str, Columns]]:
    """The lines of a report, its numbers, and its rows of other tables."""
    if report.at_once is not None:
        return Excerpt(report.at_once.lines, report.at_once.texts), report.at_once.numbers, report.at_once.rows
    rows: dict[str, Columns] = {table: tuple(zip(*rows, strict=True)) for table, rows in report.rows.items()}
    return Excerpt(*zip(*report.text, strict=True)), Numbers.of(report.measurements), rows

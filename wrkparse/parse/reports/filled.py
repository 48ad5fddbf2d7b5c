"""Reports in a paragraph that a formatter filled: their lines were joined, and broken at other places.

    # Running 10s test @ http://h:8080/ 8 threads and 64 connections Thread Stats
    # Avg Stdev Max +/- Stdev Latency 193.32us 51.20us 1.57ms 83.29% Req/Sec

Only the forms of a tool's layouts tell where a line of such a report ends: they are exactly what the tool prints, but
for the blanks. Reports of a tool without a layout are not read so.
"""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Iterable

from wrkparse.parse.items import Item
from wrkparse.parse.reports.assembler import Matched, ReportAssembler
from wrkparse.text.normalize import NormalizedLine
from wrkparse.text.shell import strip_prompt
from wrkparse.tools.base import ReportTool
from wrkparse.tools.lines import ANYWHERE

_MARK = re.compile(r"\A[>|#*/+;%\- \t]{0,20}")  # of a quotation, a comment
_TITLE = re.compile(r"\A\w{1,20}: ")  # "Summary: Total: 0.1803 secs"
_SIGN_CLASS_OR_BLANKS = re.compile(r"\\[^t ]|\[(?:\\.|[^\]\\])*\]|\\t|(?:\\? (?:[*+]|\{\d+,?\d*\})?)+")
_BLOCKS = ("#", "=", "```", "~~~")  # with which headings and code begin
_RULER = re.compile(r"\A(?:-{2,}(?: |$))+")
_FEWEST_LINES = 5  # of a report that begins with its first line in a filled paragraph; prose may have three times
_NUMBER = "[0-9]"
_OUTER_BLANKS = re.compile(r"^(?: \??)+|(?: \??)+$")
_NAME = re.compile(r"\?P<\w+>")
_BLANK_IN_GROUP = re.compile(r"\(\?: .*\)\{0,[0-9]+\}")  # words of a text: how many is told by what follows
_LAST_OPTIONAL = re.compile(r"(?<=\))\?$")


class FilledForms:
    """The forms of a tool's lines, with one blank wherever blanks are."""

    def __init__(self, tool: ReportTool) -> None:
        self.tool, self.first_lines = tool, [layout.first for layout in tool.layouts]
        forms = [form for layout in tool.layouts for form in layout.forms if form.kind]
        texts = [_one_blank_each(form.regex.removesuffix(r"\n")) for form in forms]
        words = [_words(text) for text in texts]
        firsts = [_NAME.sub("", first) for first, *_ in words]
        following = "|".join(dict.fromkeys(firsts))
        self._starts = re.compile(following)  # each line, whole or begun: most texts that are none fail at it
        wholes = [re.compile(_bounded(text, following)) for text in texts]
        begins = [re.compile(_begun(of)) for of in words]
        self._forms = list(zip(forms, wholes, begins, strict=True))
        self.fewest_blanks: dict[str, int] = {}  # of a line of each kind
        for form, of in zip(forms, words, strict=True):
            self.fewest_blanks[form.kind] = min(len(of) - 1, self.fewest_blanks.get(form.kind, len(of)))
        heads = [
            _one_blank_each(layout.forms[0].regex.removesuffix(r"\n"))
            for layout in tool.layouts
            if len(layout.forms) >= _FEWEST_LINES
        ]
        self._heads = [re.compile(rf"{head} (?:{following})(?![^ ])") for head in heads]
        self._begun_heads = [re.compile(_begun(_words(head))) for head in heads]

    def end_of_line(self, text: str, rank: int, kind: str = "") -> int:
        """Where the line ends that a text begins with, of this rank or a higher one, and this kind; 0 if none does.

        Behind a line without a number, such as "Latency Distribution", the next one must begin: others may be longer.
        """
        for form, whole, _ in self._forms if self._starts.match(text) else ():
            match = whole.match(text) if form.rank >= rank and kind in ("", form.kind) else None
            if match and (_NUMBER in form.regex or self.begins_line(_behind(text, match.end()), form.rank)):
                return match.end()
        return 0

    def begins_line(self, text: str, rank: int) -> bool:
        """Whether a text is the beginning of a line of this rank or a higher one, or begins with a whole line."""
        if self._starts.match(text) is None:
            return False
        if self.end_of_line(text, rank):
            return True
        for form, _, begin in self._forms:  # noqa: SIM110 (a generator takes twice as long)
            if form.rank >= rank and begin.fullmatch(text):
                return True
        return False

    def begins_report(self, text: str) -> bool:
        """Whether a text begins with the first line of a report of many lines, and the first word of another line."""
        return any(head.match(text) for head in self._heads)

    def may_begin_report(self, text: str) -> bool:
        """Whether a text is the beginning of the first line of such a report, or all of it."""
        return any(head.fullmatch(text) for head in self._begun_heads)


@functools.cache
def forms_of(tool: ReportTool) -> FilledForms | None:
    """The forms of a tool; None if it has no layout."""
    return FilledForms(tool) if tool.layouts else None


class FilledParagraph:
    """A paragraph that is being read.

    If a line of the report can't be read, where the next one begins is not known. Then the report is no run, and the
    rest of the paragraph is left alone.
    """

    def __init__(self, forms: FilledForms, assembler: ReportAssembler, line: NormalizedLine, text: str) -> None:
        self._forms, self._assembler = forms, assembler
        match = _MARK.match(line.plain)
        self._mark = match[0].strip() if match else ""
        self._rest, self._begun, self._last = text, line.number, line.number  # what is to be read, and where it begins
        self._is_lost = False
        self.has_ended = False

    def read(self, line: NormalizedLine) -> list[Item]:
        """Read what is to be read, up to the end of a line; returns what that finished."""
        finished: list[Item] = []
        while self._rest:
            tool, rank = self._assembler.place
            begins_next = tool is not None and self._forms.begins_report(self._rest)
            end = self._forms.end_of_line(self._rest, ANYWHERE if begins_next else rank)
            matched = self._assembler.match(self._rest[:end].split()) if end else None
            if matched is None or (tool is not None and matched[0] is not tool):
                break
            finished += self._assembler.accept_filled(matched, self._begun, line)
            self._rest, self._begun = _behind(self._rest, end), line.number
        forms, rank = self._forms, self._assembler.place[1]
        if self._rest and (forms.begins_line(self._rest, rank) or forms.may_begin_report(self._rest)):
            self._assembler.keep_filled(line)
        elif self._rest:
            finished += self.end()
        return finished

    def take(self, line: NormalizedLine) -> list[Item] | None:
        """Take the next line; returns what it finished, None if it is not the paragraph's."""
        text = line.plain.strip()
        own = " ".join(text.removeprefix(self._mark).split())
        goes_on = line.number in (self._last, self._last + 1) and not line.stream and text.startswith(self._mark)
        if not goes_on or (self._is_lost and self._ends_at(own)):
            self.has_ended = True
            return None
        self._last = line.number
        if self._is_lost:
            return []
        is_new = not self._rest
        self._begun = line.number if is_new else self._begun
        self._rest = _behind(f"{self._rest} {own}")
        finished = self.read(line)
        is_foreign = self.has_ended and is_new and self._rest == _behind(own)
        return None if is_foreign else finished

    def _ends_at(self, own: str) -> bool:
        """Whether a paragraph whose rest can't be read ends in front of a line: another report begins, or a session."""
        if self._forms.begins_report(own) or own.startswith(_BLOCKS) or strip_prompt(own) is not None:
            return True
        matched = self._assembler.match(own.split()) if own else None
        return matched is not None and (matched[0] is not self._forms.tool or matched[1] in self._forms.first_lines)

    def end(self) -> list[Item]:
        """End in front of what can't be read; returns what that finished."""
        self._is_lost = bool(self._rest) and self._assembler.may_go_on(self._rest.split())
        self.has_ended = not self._is_lost
        return self._assembler.give_up(self._begun, self._rest) if self._is_lost else []


def begins_behind(assembler: ReportAssembler, matched: Matched, line: NormalizedLine) -> FilledParagraph | None:
    """The paragraph that a line belongs to which was read, if another line of the report begins in it."""
    tool, spec, match = matched
    forms = forms_of(tool)
    if forms is None or match.string.count(" ") <= forms.fewest_blanks.get(spec.kind, sys.maxsize):
        return None  # as most lines, which end where they should
    end = forms.end_of_line(match.string, spec.rank, spec.kind)
    rest = _behind(match.string, end) if end else ""
    if not forms.begins_line(rest, spec.rank):
        return None
    return FilledParagraph(forms, assembler, line, rest)


def begins_within(
    assembler: ReportAssembler, tools: Iterable[ReportTool], line: NormalizedLine
) -> FilledParagraph | None:
    """The paragraph that an unread line belongs to; None if it belongs to none.

    It begins with a whole line of the open report, and the next line. If none is open, a report of one of these tools
    begins in it.
    """
    tool, rank = assembler.place
    forms = None if tool is None or assembler.verbatim else forms_of(tool)
    if tool is not None and forms is None:
        return None
    text = " ".join(_MARK.sub("", line.plain, count=1).split())
    if forms is None:
        text = _TITLE.sub("", text, count=1)
        beginning = (forms for forms in map(forms_of, tools) if forms and forms.begins_report(text))
        return next((FilledParagraph(forms, assembler, line, text) for forms in beginning), None)
    end = forms.end_of_line(text, rank)
    if end and forms.begins_line(_behind(text, end), rank):
        return FilledParagraph(forms, assembler, line, text)
    url, _, behind = text.partition(" ")  # the line above may have ended in front of its URL
    if forms.begins_line(behind, rank) and assembler.goes_on([url], url, line.number, line.stamp) is not None:
        return FilledParagraph(forms, assembler, line, behind)
    return None


def _behind(text: str, end: int = 0) -> str:
    """The text behind the end of a line, without rulers, which a formatter may have broken."""
    return _RULER.sub("", text[end:].lstrip(), count=1)


def _one_blank_each(regex: str) -> str:
    """A form's pattern for a text whose blanks were collapsed to one."""

    def replaced(match: re.Match[str]) -> str:
        return " " if match[0] == r"\t" or match[0].lstrip("\\")[0] == " " else match[0]

    return _OUTER_BLANKS.sub("", _SIGN_CLASS_OR_BLANKS.sub(replaced, regex))


def _words(regex: str) -> list[str]:
    """The patterns of the words of a form's pattern; blanks in its groups part none."""
    depth, words = 0, [""]
    for token in re.finditer(r"\[(?:\\.|[^\]\\])*\]|\\.|.", regex):
        depth += {"(": 1, ")": -1}.get(token[0], 0)
        if token[0] == " " and not depth:
            words.append("")
        else:
            words[-1] += token[0]
    return words


def _begun(words: list[str]) -> str:
    """The pattern of the first words of a line, or of all."""
    return "(?: ".join(words) + ")?" * (len(words) - 1)


def _bounded(regex: str, following: str) -> str:
    """A form's pattern that ends where a word does; of several words, where one of the patterns follows."""
    lazy = _LAST_OPTIONAL.sub("??", _BLANK_IN_GROUP.sub(r"\g<0>?", regex))
    return rf"{regex}(?![^ ])" if lazy == regex else rf"{lazy}(?=$| ?(?:{following})(?![^ ]))"

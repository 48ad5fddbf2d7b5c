"""Reads reports in a paragraph that a formatter filled: their lines were joined, and broken at other positions.

    # Running 10s test @ http://h:8080/ 8 threads and 64 connections Thread Stats
    # Avg Stdev Max +/- Stdev Latency 193.32us 51.20us 1.57ms 83.29% Req/Sec

Only the forms of a tool's layouts say where a line of such a report ends: they are exactly what the tool prints, except
for the blanks. Reports of a tool without a layout are not read in this way.
"""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Iterable

from wrkparse.parse.items import Item
from wrkparse.parse.reports.assembler import ReportAssembler
from wrkparse.parse.reports.matcher import MatchedLine
from wrkparse.text.normalize import NormalizedLine
from wrkparse.text.shell import strip_prompt
from wrkparse.tools.base import ReportTool
from wrkparse.tools.lines import ANYWHERE, Form

_QUOTE_CHARACTERS = r">|#*/+;%\- \t"  # of a quotation or a comment
_QUOTE_SIGNS = re.compile(rf"\A[{_QUOTE_CHARACTERS}]{{0,20}}")
_TITLE = re.compile(r"\A\w{1,20}: ")  # hey prints one above its first line: "Summary: Total: 0.1803 secs"
# in the pattern of a form: an escaped sign or a class, which stays, or a tab or blanks, which become one blank
_SIGN_CLASS_OR_BLANKS = re.compile(r"\\[^t ]|\[(?:\\.|[^\]\\])*\]|\\t|(?:\\? (?:[*+]|\{\d+,?\d*\})?)+")
_BLOCK_BEGINNINGS = ("#", "=", "```", "~~~")  # the beginnings of headings and code
_RULER = re.compile(r"\A(?:-{2,}(?: |$))+")
_FEWEST_LINES = 5  # of a report whose first line is in a filled paragraph; prose may contain three times
_NUMBER = "[0-9]"
_OUTER_BLANKS = re.compile(r"^(?: \??)+|(?: \??)+$")
_GROUP_NAME = re.compile(r"\?P<\w+>")
_BLANK_IN_GROUP = re.compile(r"\(\?: .*\)\{0,[0-9]+\}")  # a varying number of words: the text after them ends them
# "Benchmarking h (be patient)(?:.....done)?" of ab: the pattern ends with a group that may be missing
_LAST_OPTIONAL = re.compile(r"(?<=\))\?$")


class FilledForms:
    """The forms of a tool's lines, with one blank wherever there are blanks."""

    def __init__(self, tool: ReportTool) -> None:
        self.tool, self.first_lines = tool, [layout.first for layout in tool.layouts]
        self._lines = [form for layout in tool.layouts for form in layout.forms if form.kind]
        self._texts = [_with_single_blanks(form.regex.removesuffix(r"\n")) for form in self._lines]
        self._words = [_word_patterns(text) for text in self._texts]
        firsts = [_GROUP_NAME.sub("", first) for first, *_ in self._words]
        self._following = "|".join(dict.fromkeys(firsts))
        self.fewest_blanks: dict[str, int] = {}  # of a line of each kind
        self._forms_by_rank: dict[int, list[tuple[Form, re.Pattern[str], re.Pattern[str]]]] = {}
        for form, words in zip(self._lines, self._words, strict=True):
            self.fewest_blanks[form.kind] = min(len(words) - 1, self.fewest_blanks.get(form.kind, len(words)))
        heads = [
            _with_single_blanks(layout.forms[0].regex.removesuffix(r"\n"))
            for layout in tool.layouts
            if len(layout.forms) >= _FEWEST_LINES
        ]
        self._heads = [re.compile(rf"{head} (?:{self._following})(?![^ ])") for head in heads]
        self._begun_heads = [re.compile(_beginning_pattern(_word_patterns(head))) for head in heads]

    @functools.cached_property
    def _starts(self) -> re.Pattern[str]:
        """The pattern of the first word of each line: most texts without a line fail here."""
        return re.compile(rf"(?:{self._following})(?![^ ])")

    @functools.cached_property
    def _starts_near(self) -> re.Pattern[str]:
        """The pattern of the first word of a line at the beginning of a text, or after its marks or first word."""
        return re.compile(rf"[{_QUOTE_CHARACTERS}]{{0,20}}(?:[^ \t]+[ \t]+)?(?:{self._following})(?![^ \t])")

    @functools.cached_property
    def _any_line(self) -> re.Pattern[str]:
        """The pattern of each whole line: to try one after the other takes five times as long."""
        return re.compile(
            "|".join(_GROUP_NAME.sub("", _bounded_pattern(text, self._following)) for text in self._texts)
        )

    @functools.cached_property
    def _forms(self) -> list[tuple[Form, re.Pattern[str], re.Pattern[str]]]:
        """Each form with the patterns of its line and of the beginning of one; most logs do without."""
        wholes = (re.compile(_bounded_pattern(text, self._following)) for text in self._texts)
        begins = (re.compile(_beginning_pattern(words)) for words in self._words)
        return list(zip(self._lines, wholes, begins, strict=True))

    def _forms_from(self, rank: int) -> list[tuple[Form, re.Pattern[str], re.Pattern[str]]]:
        """The forms of this rank or a higher one."""
        found = self._forms_by_rank.get(rank)
        if found is None:
            found = self._forms_by_rank[rank] = [row for row in self._forms if row[0].rank >= rank]
        return found

    def may_begin_near(self, text: str) -> bool:
        """Whether a line may begin at the beginning of a text with any blanks, or after its marks or its first word."""
        return self._starts_near.match(text) is not None

    def end_of_line(self, text: str, rank: int, kind: str = "") -> int:
        """The position at which the line ends with which a text begins; 0 if it begins with none.

        The line has this rank or a higher one, and this kind. After a line without a number, such as "Latency
        Distribution", the next line must begin: other texts may begin in the same way and be longer.
        """
        for form, whole, _ in self._forms_from(rank) if self._any_line.match(text) else ():
            match = whole.match(text) if kind in ("", form.kind) else None
            if match and (_NUMBER in form.regex or self.begins_line(_text_after(text, match.end()), form.rank)):
                return match.end()
        return 0

    def begins_line(self, text: str, rank: int) -> bool:
        """Whether a text begins with a line of this rank or a higher one, or is the beginning of one."""
        if self._starts.match(text) is None:
            return False
        if self.end_of_line(text, rank):
            return True
        for _, _, begin in self._forms_from(rank):  # noqa: SIM110 (a generator takes twice as long)
            if begin.fullmatch(text):
                return True
        return False

    def begins_report(self, text: str) -> bool:
        """Whether a text begins with the first line of a report of many lines, and the first word of another line."""
        return any(head.match(text) for head in self._heads)

    def may_begin_report(self, text: str) -> bool:
        """Whether a text is the first line of such a report, or the beginning of it."""
        return any(head.fullmatch(text) for head in self._begun_heads)


@functools.cache
def filled_forms(tool: ReportTool) -> FilledForms | None:
    """The forms of a tool; None if it has no layout."""
    return FilledForms(tool) if tool.layouts else None


class FilledParagraph:
    """A filled paragraph that is being read.

    If a line of the report can't be read, it is unknown where the next one begins. Then the report does not become a
    run, and the rest of the paragraph is ignored.
    """

    def __init__(self, forms: FilledForms, assembler: ReportAssembler, line: NormalizedLine, text: str) -> None:
        self._forms, self._assembler = forms, assembler
        match = _QUOTE_SIGNS.match(line.plain)
        self._mark = match[0].strip() if match else ""
        self._rest = text  # to be read
        self._first_line = self._last = line.number  # of the text, and of the paragraph
        self._is_unreadable = False
        self.has_ended = False

    def read_lines(self, line: NormalizedLine) -> list[Item]:
        """Read the lines in the text so far, up to the end of the source's line; return what that finished."""
        finished: list[Item] = []
        while self._rest:
            tool, rank = self._assembler.tool_and_rank
            begins_next = tool is not None and self._forms.begins_report(self._rest)
            end = self._forms.end_of_line(self._rest, ANYWHERE if begins_next else rank)
            matched = self._assembler.match(self._rest[:end].split()) if end else None
            if matched is None or (tool is not None and matched[0] is not tool):
                break
            finished += self._assembler.accept_filled(matched, self._first_line, line)
            self._rest, self._first_line = _text_after(self._rest, end), line.number
        forms, rank = self._forms, self._assembler.tool_and_rank[1]
        if self._rest and (forms.begins_line(self._rest, rank) or forms.may_begin_report(self._rest)):
            self._assembler.keep_filled(line)
        elif self._rest:
            finished += self.give_up()
        return finished

    def take(self, line: NormalizedLine) -> list[Item] | None:
        """Take the next line of the source; return what it finished, None if it does not belong to the paragraph."""
        text = line.plain.strip()
        own = " ".join(text.removeprefix(self._mark).split())
        goes_on = line.number in (self._last, self._last + 1) and not line.stream and text.startswith(self._mark)
        if not goes_on or (self._is_unreadable and self._ends_before(own)):
            self.has_ended = True
            return None
        self._last = line.number
        if self._is_unreadable:
            return []
        is_new = not self._rest
        self._first_line = line.number if is_new else self._first_line
        self._rest = _text_after(f"{self._rest} {own}")
        finished = self.read_lines(line)
        is_foreign = self.has_ended and is_new and self._rest == _text_after(own)
        return None if is_foreign else finished

    def _ends_before(self, own: str) -> bool:
        """Whether a paragraph whose rest can't be read ends before a line: one with a report or a terminal session."""
        if self._forms.begins_report(own) or own.startswith(_BLOCK_BEGINNINGS) or strip_prompt(own) is not None:
            return True
        matched = self._assembler.match(own.split()) if own else None
        return matched is not None and (matched[0] is not self._forms.tool or matched[1] in self._forms.first_lines)

    def give_up(self) -> list[Item]:
        """End the paragraph before text that can't be read; return what that finished."""
        self._is_unreadable = bool(self._rest) and self._assembler.may_continue_with(self._rest.split())
        self.has_ended = not self._is_unreadable
        return self._assembler.drop_report(self._first_line, self._rest) if self._is_unreadable else []


def paragraph_after_line(
    assembler: ReportAssembler, matched: MatchedLine, line: NormalizedLine
) -> FilledParagraph | None:
    """The paragraph in which a line was read, if another line of the report begins in it; else None."""
    tool, spec, match = matched
    forms = filled_forms(tool)
    if forms is None or match.string.count(" ") <= forms.fewest_blanks.get(spec.kind, sys.maxsize):
        return None  # most lines end with their form
    end = forms.end_of_line(match.string, spec.rank, spec.kind)
    rest = _text_after(match.string, end) if end else ""
    if not forms.begins_line(rest, spec.rank):
        return None
    return FilledParagraph(forms, assembler, line, rest)


def paragraph_around_line(
    assembler: ReportAssembler, tools: Iterable[ReportTool], line: NormalizedLine
) -> FilledParagraph | None:
    """The paragraph to which an unread line belongs; None if it belongs to none.

    It begins with a whole line of the open report, and the beginning of the next line. If no report is open, a report
    of one of these tools begins in it.
    """
    tool, rank = assembler.tool_and_rank
    forms = None if tool is None or assembler.is_verbatim else filled_forms(tool)
    if (tool is not None and forms is None) or (forms is not None and not forms.may_begin_near(line.plain)):
        return None
    text = _unquoted(line.plain)
    if forms is None:
        text = _TITLE.sub("", text, count=1)
        beginning = (forms for forms in map(filled_forms, tools) if forms and forms.begins_report(text))
        return next((FilledParagraph(forms, assembler, line, text) for forms in beginning), None)
    end = forms.end_of_line(text, rank)
    if end and forms.begins_line(_text_after(text, end), rank):
        return FilledParagraph(forms, assembler, line, text)
    url, _, rest = text.partition(" ")  # the line above may have ended before its URL
    if forms.begins_line(rest, rank) and assembler.take_continuation([url], line._replace(raw=url)):
        return FilledParagraph(forms, assembler, line, rest)
    return None


def may_be_filled(tool: ReportTool, rank: int, line: str) -> bool:
    """Whether a paragraph may be around a line of this text while a report of `tool` is open at `rank`."""
    if (forms := filled_forms(tool)) is None or not forms.may_begin_near(line):
        return False
    text = _unquoted(line)
    return forms.begins_line(text, rank) or forms.begins_line(text.partition(" ")[2], rank)


def _unquoted(text: str) -> str:
    """A text with single blanks, without the signs of a quotation or a comment in front."""
    return " ".join((text if text[:1].isalnum() else _QUOTE_SIGNS.sub("", text, count=1)).split())


def _text_after(text: str, end: int = 0) -> str:
    """The text after the end of a line, without rulers, which a formatter may have broken."""
    return _RULER.sub("", text[end:].lstrip(), count=1)


def _with_single_blanks(regex: str) -> str:
    """The pattern of a form for a text in which each run of blanks is one blank."""

    def replaced(match: re.Match[str]) -> str:
        # r" +Total:\t([0-9]…" → "Total: ([0-9]…"
        return " " if match[0] == r"\t" or match[0].lstrip("\\")[0] == " " else match[0]

    return _OUTER_BLANKS.sub("", _SIGN_CLASS_OR_BLANKS.sub(replaced, regex))


def _word_patterns(regex: str) -> list[str]:
    """The patterns of the words in the pattern of a form. Blanks in its groups do not separate words."""
    depth, words = 0, [""]
    for token in re.finditer(r"\[(?:\\.|[^\]\\])*\]|\\.|.", regex):
        depth += {"(": 1, ")": -1}.get(token[0], 0)
        if token[0] == " " and not depth:
            words.append("")
        else:
            words[-1] += token[0]
    return words


def _beginning_pattern(words: list[str]) -> str:
    """The pattern of the first words of a line, or of all words."""
    return "(?: ".join(words) + ")?" * (len(words) - 1)


def _bounded_pattern(regex: str, following: str) -> str:
    """The pattern of a form that ends at the end of a word; if its length varies, where one of the patterns follows."""
    # lazy: a greedy group of words, as in "Server Software:" of ab, would take the next lines as well
    lazy = _LAST_OPTIONAL.sub("??", _BLANK_IN_GROUP.sub(r"\g<0>?", regex))
    return rf"{regex}(?![^ ])" if lazy == regex else rf"{lazy}(?=$| ?(?:{following})(?![^ ]))"

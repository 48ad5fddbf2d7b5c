"""Finds which line specs a line may match: looks them up by its words, among the specs of all report tools."""

from __future__ import annotations

import functools
import heapq
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, repeat

from wrkparse.context.page.document import Context
from wrkparse.parse.reports.decorations import undecorated_forms
from wrkparse.tools import report_tools
from wrkparse.tools.base import ReportTool
from wrkparse.tools.layout import PrintedReport, ReportLayout
from wrkparse.tools.lines import ANYWHERE, LEADER, NUMERIC, WITHIN_ONLY, LineSpec, first_words, key_of

# between words in a pattern; "\[" and "\(" are escaped signs
_NOT_WORD_CHARS = re.compile(r"(?:\\.|[^A-Za-z0-9\\])+")
_BETWEEN_WORDS = r"[^0-9A-Za-z\n]+"
# "Requests</b> per", "Requests&nbsp;per", and in JSON "Requests\tper", "Requests\u00a0per"
_BETWEEN_MARKED_WORDS = rf"{_BETWEEN_WORDS}(?:(?:[^\n]*[>;]|[nrt]|u[0-9a-f]{{4}})[^0-9A-Za-z\n]*)?"
_SIGN_WORDS = 3  # at the beginning of a line, which distinguish it: "Time per request", "Requests per second"
_MOST_NAME_WORDS = 6  # in front of a line; "Go 1.21 (net/http), 4 cores:" has 5
_MOST_FRONT_WORDS = 12  # in front of a report's first line; those of Spring's logger are 9
_SEPARATOR_WORDS = frozenset("- – — | : = => -> →".split())
# Of a word that lost its first letters: with fewer left, or more lost, it may be another word.
_FEWEST_LETTERS_LEFT, _MOST_LETTERS_LOST = 4, 3
_MOST_CHARS_TO_NUMBER = 25  # after the words of a lookalike, in which its number must begin
_MOST_FIRST_WORDS = 8  # of a line, which are searched for those of a lookalike
_OPENING_MARKS = "`\"'(“"
_OPENING_OR_NUMERIC = _OPENING_MARKS + NUMERIC
_LAST_OF_NAME = ":：)]>»"  # the last sign of a name in front of a line

Candidates = tuple[Sequence[tuple[ReportTool, LineSpec]], Sequence[tuple[ReportTool, LineSpec]]]
"""The specs that a line may match, and those of them that a word of the line announces."""

MatchedLine = tuple[ReportTool, LineSpec, re.Match[str]]
"""A line that matches a spec: the tool, the spec, the match."""


@functools.cache
def shared_matcher() -> Matcher:
    """The matcher of all report tools, which all sources share."""
    return Matcher(report_tools())


class Matcher:
    """The line specs and layouts of all report tools, found by the words that announce them.

    A word finds the specs that have it as a key (`LineSpec.keys`). Several indexes have the specs of one kind: those
    that the first word of a line finds, those that begin a report, headers (which state nothing that was measured), and
    lines with results.
    """

    def __init__(self, tools: Sequence[ReportTool]) -> None:
        self.specs_by_key: dict[str, list[tuple[ReportTool, LineSpec]]] = {}
        self._place_in_table: dict[LineSpec, int] = {}
        for tool in tools:
            for place, spec in enumerate(tool.lines):
                self._place_in_table[spec] = place
                for key in spec.keys:
                    self.specs_by_key.setdefault(key, []).append((tool, spec))
        self._specs_by_first_word = {key: pairs for key, pairs in self.specs_by_key.items() if key not in WITHIN_ONLY}
        self._stems = tuple(key[:-1] for key in self.specs_by_key if key.endswith("*") and len(key) > 1)
        self._first_line_specs: dict[str, list[LineSpec]] = {}
        for key, pairs in self.specs_by_key.items():
            # A line that needs a command has the sign of the whole one, which begins a report anywhere.
            specs = [spec for _, spec in pairs if key not in WITHIN_ONLY and spec.begins and not spec.needs_command]
            self._first_line_specs |= {key: specs} if specs else {}
        with_results = {
            key: [pair for pair in pairs if has_results(*pair)]
            for key, pairs in self.specs_by_key.items()
            if key not in WITHIN_ONLY
        }
        header_specs = {
            key: headers
            for key, pairs in self.specs_by_key.items()
            if key not in WITHIN_ONLY and (headers := [pair for pair in pairs if is_header(*pair)])
        }
        self._header_specs, self.header_keys = header_specs, frozenset(header_specs)
        self._result_specs = {key: pairs for key, pairs in with_results.items() if pairs}
        self._result_keys = frozenset(self._result_specs)
        self._key_by_rest = {
            key[lost:]: key
            # of words with the same rest, the last one stays: "Running", which begins a report, not "running"
            for key in sorted(self.specs_by_key, key=self._first_line_specs.__contains__)
            if key[:1].isalpha()
            for lost in range(1, min(_MOST_LETTERS_LOST, len(key) - _FEWEST_LETTERS_LEFT) + 1)
        }
        self.late_specs = [(tool, spec, spec.late) for tool in tools for spec in tool.lines if spec.late]
        self._tools_with_formats = [tool for tool in tools if tool.formats]
        self._layouts: dict[str, list[tuple[ReportTool, ReportLayout]]] = {}  # by their sign
        for tool in tools:
            for layout in tool.layouts:
                self._layouts.setdefault(layout.sign, []).append((tool, layout))
        self._signs_without_tab = [sign for sign in self._layouts if "\t" not in sign]
        self._candidates = functools.lru_cache(maxsize=4096)(self._find_candidates)
        self.specs_after = functools.lru_cache(maxsize=1024)(self._specs_after)

    def candidates(self, words: Sequence[str], tool: ReportTool | None, rank: int) -> Candidates:
        """The specs that a line of these words may match, given the tool and the last rank of an open report."""
        known = tuple(filter(self.specs_by_key.__contains__, self.lookup_keys(words)))
        return self._candidates(known, tool, rank) if known else ((), ())

    def lookup_keys(self, words: Sequence[str]) -> tuple[str, ...]:
        """The keys under which the specs of a line of these words are found."""
        first, second, last = words[0], words[1] if len(words) > 1 else "", words[-1]
        if LEADER in first or LEADER in second or LEADER in last:
            keys = key_of(first), key_of(second), key_of(last)
        else:  # as `key_of`, without a call for each word
            keys = first.lstrip(NUMERIC), second.lstrip(NUMERIC), last.lstrip(NUMERIC)
        if not first.startswith(self._stems):
            return keys
        return (*keys, *(f"{stem}*" for stem in self._stems if words[0].startswith(stem)))

    def specs_by_words(self, words: Sequence[str]) -> list[tuple[ReportTool, LineSpec]]:
        """The specs that a line of these words may match, within a report or outside."""
        keys = dict.fromkeys(self.lookup_keys(words))
        return list(dict.fromkeys(chain.from_iterable(self.specs_by_key.get(key, ()) for key in keys)))

    def specs_by_first_word(self, words: Sequence[str]) -> Iterable[tuple[ReportTool, LineSpec]]:
        """The specs that are found under the first word of a line, or under the second one after a number."""
        led = self._specs_by_first_word.get(key_of(words[0]), ())
        if not words[0][:1].isdigit() or len(words) < 2:
            return led
        return chain(led, self._specs_by_first_word.get(key_of(words[1]), ()))  # "410759 requests in", "50% 1.2ms"

    def _find_candidates(self, keys: tuple[str, ...], tool: ReportTool | None, rank: int) -> Candidates:
        """The candidates for a line with these keys."""
        chosen = [
            (owner, spec)
            for key in dict.fromkeys(keys)
            for owner, spec in self.specs_by_key[key]
            if spec.begins or (owner is tool and follows(spec, rank))
        ]
        # as `LineSpec` says; hey and oha share lines
        chosen.sort(key=lambda pair: (pair[0] is not tool, self._place_in_table[pair[1]]))
        return chosen, [(owner, spec) for owner, spec in chosen if is_announced(spec)]

    def _specs_after(self, tool: ReportTool, rank: int) -> list[LineSpec]:
        """The specs of lines that may come next in a report of this rank and are recognised anywhere in a line."""
        return [spec for spec in tool.lines if spec.begins and follows(spec, rank)]

    def sign_patterns(self, *, marked: bool) -> list[str]:
        """Regular expressions for RE2; each line that begins a report matches one of them.

        ``marked`` allows markup between the words of the line.
        """
        return sorted(
            {sign_pattern(spec, marked=marked) for specs in self._first_line_specs.values() for spec in specs}
        )

    def may_begin_report(self, words: list[str]) -> bool:
        """Whether a line of these words begins a report, or has the sign of a line that does."""
        for form in undecorated_forms(words) if words else ():
            text = " ".join(form)
            for key in self._first_line_specs.keys() & self.lookup_keys(form):
                if any(spec.pattern.fullmatch(text) or has_sign(spec, text) for spec in self._first_line_specs[key]):
                    return True
        return False

    def may_have_results(self, words: Sequence[str]) -> bool:
        """Whether one of the first words of a line announces a line with results.

        It is a quick test before `positions_after_names`, `restore_first_letters` and `tool_of_lookalike`.
        """
        first, result_keys = words[:_MOST_FIRST_WORDS], self._result_keys
        if words[-1][-1] == "`" and (at := code_position(words)):
            first = [*first, words[at]]
        return not result_keys.isdisjoint(first) or not result_keys.isdisjoint(
            [word.lstrip(_OPENING_OR_NUMERIC) for word in first if not word[0].isalpha()]
        )

    def header_after_front(self, words: Sequence[str]) -> tuple[int, ReportTool, LineSpec] | None:
        """The position in a line's words at which a report's first line without results begins, and what it matches.

        Other text is in front of it. None if there is no such line.
        """
        for at, word in enumerate(words[1 : _MOST_FRONT_WORDS + 1], 1):
            for tool, spec in self._header_specs.get(word, ()):
                if spec.pattern.fullmatch(" ".join(words[at:])):
                    return at, tool, spec
        return None

    def positions_after_names(self, words: Sequence[str]) -> list[int]:
        """The positions in a line's words at which a line with results may begin, after a name or a word."""
        named = [key in self._result_keys for key in _keys_of_words(words[: _MOST_NAME_WORDS + 2])]
        if True not in named:
            return []
        return [
            at
            for at in range(1, min(len(words), _MOST_NAME_WORDS + 1))
            if any(named[at : at + 2]) and (at == 1 or ends_name(words[at - 1]))
        ]

    def restore_first_letters(self, words: Sequence[str]) -> list[str] | None:
        """The words of a line with the first letters that the first word may have lost; None if it has lost none."""
        whole = self._key_by_rest.get(words[0])
        return [whole, *words[1:]] if whole else None

    def tool_of_lookalike(self, words: Sequence[str]) -> ReportTool | None:
        """The tool that prints these words and a number in one line, whatever else is in it; None without one."""
        keys = self._result_keys.intersection(
            _keys_of_words([word.lstrip(_OPENING_MARKS) for word in words[:_MOST_FIRST_WORDS]])
        )
        text = " ".join(words) if keys else ""
        for key in sorted(keys):
            for tool, spec in self._result_specs[key]:
                # what needs a command is also a line of another tool
                sign = None if spec.needs_command else find_sign(spec, text)
                if sign and any(map(str.isdigit, text[sign.start() : sign.end() + _MOST_CHARS_TO_NUMBER])):
                    return tool
        return None

    def may_have_late_line(self, text: str) -> bool:
        """Whether a text may contain a report's first line after output without a line end."""
        return any(begin.search(text) for _, _, begin in self.late_specs)

    def find_complete_reports(self, text: str) -> Iterator[tuple[ReportTool, PrintedReport]]:
        """The complete reports in a text, in order and without overlaps."""
        signs = self._layouts if "\t" in text else self._signs_without_tab  # a search for one character is fast
        found = [
            zip(repeat(tool), layout.find_printed(text))
            for sign in signs
            if sign in text
            for tool, layout in self._layouts[sign]
        ]
        if len(found) == 1:
            yield from found[0]
            return
        end = 0
        # of two that overlap, the first one wins
        for report in heapq.merge(*found, key=lambda report: report[1].match.start()):
            start, before, end = report[1].match.start(), end, report[1].match.end()
            if start >= before:
                yield report

    def has_complete_report(self, text: str) -> bool:
        """Whether there is a complete report in a text."""
        return any(next(layout.find(text), None) for layouts in self._layouts.values() for _, layout in layouts)

    def format_specs(self, context: Context) -> list[tuple[ReportTool, LineSpec]]:
        """The specs of the formats that commands and settings of the page state."""
        return [
            (tool, spec)
            for tool in self._tools_with_formats
            for key, text in context.formats_for(tool)
            for spec in tool.formats[key](text)
        ]


def _keys_of_words(words: Sequence[str]) -> list[str]:
    """The key of each word: as `key_of`, without a call for each."""
    if any(map(LEADER.__contains__, words)):
        return list(map(key_of, words))
    return [word.lstrip(NUMERIC) for word in words]


def ends_name(word: str) -> bool:
    """Whether a word can be the last one of a name in front of a line: ``nginx:``, ``(2)``, ``-``."""
    return word[-1] in _LAST_OF_NAME or word in _SEPARATOR_WORDS


def code_position(words: Sequence[str]) -> int:
    """The index of the word with which the code in a list item begins, after a colon; 0 without such code.

    In ``* with gold again: `1.2user …` `` it is 4. There may be many words before it, or a sentence. The item may begin
    with other code instead of its mark.
    """
    if words[-1][-1] != "`" or (words[0][0] != "`" and words[0].strip("*-+•")):
        return 0
    at = next((at for at in range(len(words) - 2, 0, -1) if words[at][0] == "`"), 0)
    return at if at and words[at - 1][-1] in ":：" else 0


def has_results(tool: ReportTool, spec: LineSpec) -> bool:
    """Whether a line of this spec may begin a report and states something that was measured."""
    return spec.begins and (spec.kind in tool.evidence or (spec.form is not None and bool(spec.form.slots)))


def is_header(tool: ReportTool, spec: LineSpec) -> bool:
    """Whether a line of this spec is the first one of a report, and states nothing that was measured."""
    is_first = spec.rank <= 1 or tool.times_program  # "Command being timed" is below what shells say of an end
    return spec.begins and is_first and spec.kind not in tool.evidence


def is_announced(spec: LineSpec) -> bool:
    """Whether such a line is recognised by one of its words, rather than by its position."""
    return spec.keys[0] not in WITHIN_ONLY


def follows(spec: LineSpec, rank: int) -> bool:
    """Whether such a line may come after one of this rank in a report."""
    return is_next(spec, rank) or rank <= spec.latest


def is_next(spec: LineSpec, rank: int) -> bool:
    """Whether such a line comes after one of this rank if the tool prints its lines in their order."""
    return spec.rank > rank or (spec.rank == rank and spec.repeat) or spec.rank == ANYWHERE


def sign_pattern(spec: LineSpec, *, marked: bool) -> str:
    """The sign of a spec as a regular expression for RE2: as declared, or the first words of its pattern.

    Blanks and punctuation may be between the words; if `marked`, also tags and entities of HTML, and the escapes of a
    JSON string.
    """
    first = first_words(spec.pattern.pattern)
    words = spec.sign.split(" ") if spec.sign else _NOT_WORD_CHARS.sub(" ", first).split()[:_SIGN_WORDS]
    return (_BETWEEN_MARKED_WORDS if marked else _BETWEEN_WORDS).join(words)


def has_sign(spec: LineSpec, text: str) -> bool:
    """Whether a text has the sign of a line that begins a report: it may be such a line, wrapped."""
    return spec.begins and find_sign(spec, text) is not None


def find_sign(spec: LineSpec, text: str) -> re.Match[str] | None:
    """The sign of a line that begins a report, in a text."""
    return _compiled_sign(spec).search(text)


@functools.cache
def _compiled_sign(spec: LineSpec) -> re.Pattern[str]:
    """The sign of a spec, compiled once."""
    return re.compile(sign_pattern(spec, marked=False))

"""Which line specs a line may be one of: looked up by its words, among the specs of all report tools."""

from __future__ import annotations

import functools
import heapq
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, compress, repeat

from wrkparse.context.page.document import Context
from wrkparse.text.shell import strip_prompt
from wrkparse.tools.base import ReportTool
from wrkparse.tools.layout import PrintedReport
from wrkparse.tools.lines import ANYWHERE, LEADER, NUMERIC, WITHIN_ONLY, LineSpec, first_words, key_of

MOST_DECORATIONS = 8  # a line with more of them in front is a drawing
_DECORATIONS = frozenset({">", "#", "//", "*", "|", "-", "+", ":", ">>", ">>>", "##", "^C", "•"})
# Signs that touch the word behind them: of quotations, diffs, comments, table cells, and a quoted person's initials.
_TOUCHING = re.compile(r"(?:[>|+\-;\"']|//|\*(?=\w)|\#(?=\w)|\w{1,8}>)++")
_PROMPTS = "$❯➜"
_CLOSING = "\"',;+"
_BARS = frozenset({"|", "│", "┃"})
_NO_LETTERS = re.compile(r"(?:\\.|[^A-Za-z0-9\\])+")
_BETWEEN_WORDS = r"[^0-9A-Za-z\n]+"
_BETWEEN_MARKED_WORDS = rf"{_BETWEEN_WORDS}(?:(?:[^\n]*[>;]|[nrt]|u[0-9a-f]{{4}})[^0-9A-Za-z\n]*)?"
_SIGN_WORDS = 3  # the first words of a line that distinguish it: "Time per request", "Requests per second"
_MOST_NAME = 6  # words of a name in front of a line: "Go 1.21 (net/http), 4 cores:"
_PARTING = frozenset("- – — | : = => -> →".split())
_FEWEST_LEFT, _MOST_LOST = 4, 3  # letters of a word that lost its first ones: with fewer it may be another word
_NEAR = 25  # characters between the words of a line and its number
_MOST_WORDS = 8  # in front of a line that is looked for only to name it
_OPENING = "`\"'(“"
_IN_FRONT = _OPENING + NUMERIC
_ENDS_NAME = ":：)]>»"
# Text in front of a report's line, in the same line: one word that touches it, or that ends in a sign ('"', "stdout:",
# "[out]", "12.", "•"), such as another program's last word.
_FRONT = re.compile(r"(?:\S{0,60}[^\s0-9.,])?|\S{0,60}[^\w\s] |[0-9]{1,4}[.)] ")
# Text behind it: signs of quoted text, of a list in code, of a drawn box; an end tag; a remark.
_BACK = re.compile(r"(?: ?[\"'`,;.\\|│)\]}]{1,8}(?: \+)?|\\[nrt].{0,8}|</?\w{1,12}>| ?(?:<-|←|#|//|-{2,}|\().*)?")

Candidates = tuple[Sequence[tuple[ReportTool, LineSpec]], Sequence[tuple[ReportTool, LineSpec]]]
"""The specs that a line is to be tried with, and those among them that a word of the line announces."""


class Matcher:
    """The line specs and layouts of all report tools, by the words that announce them."""

    def __init__(self, tools: Sequence[ReportTool]) -> None:
        self.by_key: dict[str, list[tuple[ReportTool, LineSpec]]] = {}
        for tool in tools:
            for spec in tool.lines:
                for key in spec.keys:
                    self.by_key.setdefault(key, []).append((tool, spec))
        self._leading = {key: pairs for key, pairs in self.by_key.items() if key not in WITHIN_ONLY}
        self._stems = tuple(key[:-1] for key in self.by_key if key.endswith("*") and len(key) > 1)
        self._beginning: dict[str, list[LineSpec]] = {}
        for key, pairs in self.by_key.items():
            specs = [spec for _, spec in pairs if key not in WITHIN_ONLY and spec.begins]
            self._beginning |= {key: specs} if specs else {}
        with_results = {
            key: [pair for pair in pairs if has_results(*pair)]
            for key, pairs in self.by_key.items()
            if key not in WITHIN_ONLY
        }
        self._with_results = {key: pairs for key, pairs in with_results.items() if pairs}
        self.nameable = frozenset(self._with_results)
        self._whole = {
            key[lost:]: key
            for key in sorted(self.by_key, key=self._beginning.__contains__)  # that of "Running", not of "running"
            if key[:1].isalpha()
            for lost in range(1, min(_MOST_LOST, len(key) - _FEWEST_LEFT) + 1)
        }
        self.late = [(tool, spec, spec.late) for tool in tools for spec in tool.lines if spec.late]
        self._formatted = [tool for tool in tools if tool.formats]
        self._layouts = [(tool, layout) for tool in tools for layout in tool.layouts]
        self._layout_signs = [layout.sign for _, layout in self._layouts]
        self._chosen = functools.lru_cache(maxsize=4096)(self._choose)
        self.following = functools.lru_cache(maxsize=1024)(self._following)

    def candidates(self, words: Sequence[str], tool: ReportTool | None, rank: int) -> Candidates:
        """The specs that a line of these words may match, given the tool and the last rank of an open report."""
        known = tuple(filter(self.by_key.__contains__, self.keys(words)))
        return self._chosen(known, tool, rank) if known else ((), ())

    def keys(self, words: Sequence[str]) -> tuple[str, ...]:
        """The keys under which the specs of a line of these words are found."""
        first, second, last = words[0], words[1] if len(words) > 1 else "", words[-1]
        if LEADER in first or LEADER in second or LEADER in last:
            keys = key_of(first), key_of(second), key_of(last)
        else:  # as `key_of`, without a call for each word
            keys = first.lstrip(NUMERIC), second.lstrip(NUMERIC), last.lstrip(NUMERIC)
        if not first.startswith(self._stems):
            return keys
        return (*keys, *(f"{stem}*" for stem in self._stems if words[0].startswith(stem)))

    def tried(self, words: Sequence[str]) -> list[tuple[ReportTool, LineSpec]]:
        """The specs that a line of these words may match, in or outside a report."""
        keys = dict.fromkeys(self.keys(words))
        return list(dict.fromkeys(chain.from_iterable(self.by_key.get(key, ()) for key in keys)))

    def led_by(self, words: Sequence[str]) -> Iterable[tuple[ReportTool, LineSpec]]:
        """The specs that are found under the first word of a line, or the second behind a number."""
        led = self._leading.get(key_of(words[0]), ())
        if not words[0][:1].isdigit() or len(words) < 2:
            return led
        return chain(led, self._leading.get(key_of(words[1]), ()))  # "410759 requests in", "50% 1.2ms"

    def _choose(self, keys: tuple[str, ...], tool: ReportTool | None, rank: int) -> Candidates:
        chosen = [
            (of, spec)
            for key in dict.fromkeys(keys)
            for of, spec in self.by_key[key]
            if spec.begins or (of is tool and follows(spec, rank))
        ]
        # hey and oha share lines: in an open report they are its own
        chosen.sort(key=lambda pair: pair[0] is not tool)
        return chosen, [(of, spec) for of, spec in chosen if announced(spec)]

    def _following(self, tool: ReportTool, rank: int) -> list[LineSpec]:
        """The specs of lines that may come next in a report of this rank and are recognised anywhere."""
        return [spec for spec in tool.lines if spec.begins and follows(spec, rank)]

    def signs(self, *, marked: bool) -> list[str]:
        """Regular expressions for RE2, one of which is in every line that begins a report.

        ``marked`` allows for markup between the line's words.
        """
        return sorted({sign_of(spec, marked=marked) for specs in self._beginning.values() for spec in specs})

    def may_begin_report(self, words: Sequence[str]) -> bool:
        """Whether a line of these words begins a report, or has the sign of such a line."""
        for _ in range(MOST_DECORATIONS + 1):
            if not words:
                return False
            keys = {*self.keys(words)}
            text = " ".join(words)
            for key in keys & self._beginning.keys():
                if any(spec.pattern.fullmatch(text) or has_sign(spec, text) for spec in self._beginning[key]):
                    return True
            words = undecorated(words)
        return False

    def may_state_results(self, words: Sequence[str]) -> bool:
        """Whether one of a line's first words announces a line with results; a quick test before the next three."""
        first, nameable = words[:_MOST_WORDS], self.nameable
        if words[-1][-1] == "`" and (at := code_behind_name(words)):
            first = [*first, words[at]]
        return not nameable.isdisjoint(first) or not nameable.isdisjoint(
            [word.lstrip(_IN_FRONT) for word in first if not word[0].isalpha()]
        )

    def behind_names(self, words: Sequence[str]) -> list[int]:
        """Where, in a line of these words, a report's line with results may begin behind a name or a word."""
        named = [key in self.nameable for key in _keys_of(words[: _MOST_NAME + 2])]
        if True not in named:
            return []
        return [
            at
            for at in range(1, min(len(words), _MOST_NAME + 1))
            if any(named[at : at + 2]) and (at == 1 or ends_name(words[at - 1]))
        ]

    def with_lost_letters(self, words: Sequence[str]) -> list[str] | None:
        """The words of a line whose first one may have lost its first letters, with these; None if it has not."""
        whole = self._whole.get(words[0])
        return [whole, *words[1:]] if whole else None

    def resembles(self, words: Sequence[str]) -> ReportTool | None:
        """The tool of whose report a line with a number has the words, whatever else stands in it."""
        keys = self.nameable.intersection(_keys_of([word.lstrip(_OPENING) for word in words[:_MOST_WORDS]]))
        text = " ".join(words) if keys else ""
        for key in sorted(keys):
            for tool, spec in self._with_results[key]:
                sign = find_sign(spec, text)
                if sign and any(map(str.isdigit, text[sign.start() : sign.end() + _NEAR])):
                    return tool
        return None

    def complete_reports(self, text: str) -> Iterator[tuple[ReportTool, PrintedReport]]:
        """The complete reports in a text, in order; none overlaps the one before."""
        signed = compress(self._layouts, map(text.__contains__, self._layout_signs))
        found = [zip(repeat(tool), layout.find_printed(text)) for tool, layout in signed]
        if len(found) == 1:
            yield from found[0]
            return
        end = 0
        for one in heapq.merge(*found, key=lambda one: one[1].match.start()):
            start, before, end = one[1].match.start(), end, one[1].match.end()
            if start >= before:
                yield one

    def has_complete_report(self, text: str) -> bool:
        """Whether there is a complete report in a text."""
        return any(next(layout.find(text), None) for _, layout in self._layouts)

    def formats_in_force(self, context: Context) -> list[tuple[ReportTool, LineSpec]]:
        """The specs of the formats that commands and settings of the page have asked for."""
        return [
            (tool, spec)
            for tool in self._formatted
            for key, text in context.formats_for(tool)
            for spec in tool.formats[key](text)
        ]


def _keys_of(words: Sequence[str]) -> list[str]:
    """The key of each word: as `key_of`, without a call for each."""
    if any(map(LEADER.__contains__, words)):
        return list(map(key_of, words))
    return [word.lstrip(NUMERIC) for word in words]


def ends_name(word: str) -> bool:
    """Whether a word can be the last one of a name in front of a line: ``nginx:``, ``(2)``, ``-``."""
    return word[-1] in _ENDS_NAME or word in _PARTING


def code_behind_name(words: Sequence[str]) -> int:
    """Where the code begins in which a list item ends, behind a colon: ``* with gold again: `1.2user …` ``; else 0.

    The words in front may be many, and a sentence. They may begin with other code instead of the item's mark.
    """
    if words[-1][-1] != "`" or len(words) < 3 or (words[0][0] != "`" and words[0].strip("*-+•")):
        return 0
    at = next((at for at in range(len(words) - 2, 0, -1) if words[at][0] == "`"), 0)
    return at if at and words[at - 1][-1] in ":：" else 0


def has_results(tool: ReportTool, spec: LineSpec) -> bool:
    """Whether such a line may begin a report and states something that was measured."""
    return spec.begins and (spec.kind in tool.evidence or (spec.form is not None and bool(spec.form.slots)))


def announced(spec: LineSpec) -> bool:
    """Whether one of its words announces such a line, rather than where it stands."""
    return spec.keys[0] not in WITHIN_ONLY


def follows(spec: LineSpec, rank: int) -> bool:
    """Whether such a line may stand behind one of this rank, in one report."""
    return is_next(spec, rank) or rank <= spec.latest


def is_next(spec: LineSpec, rank: int) -> bool:
    """Whether such a line stands behind one of this rank where the tool prints it in its order."""
    return spec.rank > rank or (spec.rank == rank and spec.repeat) or spec.rank == ANYWHERE


def sign_of(spec: LineSpec, *, marked: bool) -> str:
    """The sign of a spec as a regular expression for RE2: as declared, or the words that its pattern begins with.

    Blanks and punctuation may stand between the words; if `marked`, also tags and entities of HTML, and the escapes of
    a JSON string.
    """
    first = first_words(spec.pattern.pattern)
    words = spec.sign.split(" ") if spec.sign else _NO_LETTERS.sub(" ", first).split()[:_SIGN_WORDS]
    return (_BETWEEN_MARKED_WORDS if marked else _BETWEEN_WORDS).join(words)


def has_sign(spec: LineSpec, text: str) -> bool:
    """Whether a text has the sign of a line that begins a report: it may be such a line, wrapped."""
    return spec.begins and find_sign(spec, text) is not None


def find_sign(spec: LineSpec, text: str) -> re.Match[str] | None:
    """The sign of a line that begins a report, in a text."""
    return _sign(spec).search(text)


@functools.cache
def _sign(spec: LineSpec) -> re.Pattern[str]:
    return re.compile(sign_of(spec, marked=False))


def is_decoration(words: Sequence[str]) -> bool:
    """Whether a line of these words is empty but for a quote mark, a comment sign or a bullet."""
    return len(words) == 1 and words[0] in _DECORATIONS


def undecorated(words: Sequence[str]) -> list[str]:
    """The words of a line without its first decoration: a quote mark, comment sign, bullet; empty if it has none."""
    first = words[0]
    if first[0].isalnum() and first[-1] not in _PROMPTS and ">" not in first:
        return []
    if first in _BARS and words[-1] == first and len(words) > 2:  # a row of a table or a drawn box
        return list(words[1:-1])
    match = _TOUCHING.match(first)
    if len(words) > 1 and first in "\"'":  # a text in code, indented
        return [*words[1:-1], words[-1].rstrip(_CLOSING)] if words[-1].rstrip(_CLOSING) else list(words[1:-1])
    if len(words) > 1 and (first in _DECORATIONS or (match and match.end() == len(first)) or first[-1] in _PROMPTS):
        return list(words[1:])
    if match is None or match.end() == len(first):
        return []
    rest = [first[match.end() :], *words[1:]]
    if first[match.end() - 1] in "\"'":  # a text in code: the quotation ends, too
        rest[-1] = rest[-1].rstrip(_CLOSING)
    return rest if rest[-1] else rest[:-1]


def is_within_number(text: str, match: re.Match[str]) -> bool:
    """Whether a match may begin or end inside a number."""
    before, behind = text[: match.start()][-2:], text[match.end() :][:2]
    parted = before[:1].isdigit() and before[1:] in ("'", "’", "_")  # thousands
    return (
        (match[0][0].isdigit() and (before[-1:].isalnum() or parted))
        or behind[:1].isdigit()
        or (behind[:1] in ".,%" and behind[1:].isdigit())
    )


def bare_texts(words: Sequence[str]) -> Iterator[str]:
    """The text of a line with its decorations, and without one after the other."""
    for _ in range(MOST_DECORATIONS + 1):
        if not words:
            return
        yield " ".join(words)
        words = undecorated(words)


def is_surrounding(front: str, back: str) -> bool:
    """Whether these may stand around a report's line, in the same line, without being part of it.

    That is nothing, one word that touches the line, a prompt, signs, or a remark.
    """
    return _is_front(front) and _is_back(back)


def _is_front(text: str) -> bool:
    return _FRONT.fullmatch(text) is not None or strip_prompt(f"{text}x") is not None


def _is_back(text: str) -> bool:
    return _BACK.fullmatch(text) is not None or strip_prompt(f"{text.strip()} x") is not None

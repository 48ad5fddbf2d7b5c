"""The rules of all report tools: which of them a line may be one of, by its words."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence

from wrkparse.context.document import Context
from wrkparse.tools.base import ANYWHERE, ReportTool, Rule, key_of
from wrkparse.tools.whole import Whole

DECORATIONS = frozenset({">", "#", "//", "*", "|", "-", "+", ":", ">>", ">>>", "##", "^C", "•"})
# Signs that stand glued in front of a word: of quotes, diffs, comments, cells, and the name of a quoted person.
_GLUED = re.compile(r"(?:[>|+\-;\"']|//|\*(?=\w)|\#(?=\w)|\w{1,8}>)++")
_PROMPTS = "$❯➜"
_CLOSING = "\"',;+"
_BARS = frozenset({"|", "│", "┃"})
MOST_DECORATIONS = 8  # what stands behind more of them is a drawing
# The words that a pattern begins with: letters and escaped signs, none of them optional.
_HEAD = re.compile(r"(?:(?:[A-Za-z]|(?<=[A-Za-z/:,-])[/:,-]|\\[ .()@])(?![?*+{|])| (?=[A-Za-z\\]))*(?<=[^ ])")
_SIGNS = re.compile(r"(?:\\.|[^A-Za-z0-9\\])+")
_PARTING = r"[^0-9A-Za-z\n]+"
_MARKED = rf"{_PARTING}(?:(?:[^\n]*[>;]|[nrt])[^0-9A-Za-z\n]*)?"
_TELLING = 3  # words of a line that tell it from others
_Candidates = tuple[Sequence[tuple[ReportTool, Rule]], Sequence[tuple[ReportTool, Rule]]]


class Rules:
    """Every rule of the report tools by the words that it is looked up by."""

    def __init__(self, tools: Sequence[ReportTool]) -> None:
        self.by_key: dict[str, list[tuple[ReportTool, Rule]]] = {}
        for tool in tools:
            for key, rule in tool.keys:
                self.by_key.setdefault(key, []).append((tool, rule))
        self._beginning: dict[str, list[Rule]] = {}
        for key, found in self.by_key.items():  # "" and "%" are keys of lines within a report only
            begin = [rule for _, rule in found if key not in ("", "%") and not (rule.inside or rule.dialect)]
            self._beginning |= {key: begin} if begin else {}
        self.late = [(tool, rule, rule.late) for tool in tools for rule in tool.rules if rule.late]
        self._formatted = [tool for tool in tools if tool.formats]
        self._wholes = [(tool, whole) for tool in tools for whole in tool.wholes]
        self._kinds = {(tool, rule.kind): rule for tool in tools for rule in reversed(tool.rules)}
        self._chosen = functools.lru_cache(maxsize=4096)(self._choose)
        self.following = functools.lru_cache(maxsize=1024)(self._following)

    def candidates(self, words: list[str], tool: ReportTool | None, rank: int) -> _Candidates:
        """The rules that one of a line's telling words is a key of, and those of them that a word tells by itself.

        `tool`, `rank`: how far an open report has come.
        """
        keys = (key_of(words[0]), key_of(words[1]) if len(words) > 1 else "", key_of(words[-1]))
        known = [key for key in keys if key in self.by_key]
        return self._chosen(tuple(known), tool, rank) if known else ((), ())

    def _choose(self, keys: tuple[str, ...], tool: ReportTool | None, rank: int) -> _Candidates:
        found = [
            (of, rule)
            for key in dict.fromkeys(keys)
            for of, rule in self.by_key[key]
            if not (rule.inside or rule.dialect) or (of is tool and follows(rule, rank))
        ]
        return found, [(of, rule) for of, rule in found if rule.keys[0] not in ("", "%")]

    def _following(self, tool: ReportTool, rank: int) -> list[Rule]:
        """The rules of lines that a report which has come so far may go on with, of those that are told anywhere."""
        return [rule for rule in tool.rules if not (rule.inside or rule.dialect) and follows(rule, rank)]

    def signs(self, *, marked: bool) -> list[str]:
        """What text must hold if a report begins in it, for RE2; `marked` if its words may be parted by markup."""
        return sorted({sign_of(rule, marked=marked) for rules in self._beginning.values() for rule in rules})

    def begins(self, words: list[str]) -> bool:
        """Whether a line of these words is one with which a report may begin, or as much of one as tells it."""
        for _ in range(MOST_DECORATIONS + 1):
            if not words:
                return False
            keys = {key_of(words[0]), key_of(words[min(1, len(words) - 1)]), key_of(words[-1])}
            text = " ".join(words)
            for key in keys & self._beginning.keys():
                if any(rule.pattern.fullmatch(text) or tells(rule, text) for rule in self._beginning[key]):
                    return True
            words = bare(words)
        return False

    def wholes(self, text: str) -> list[tuple[re.Match[str], ReportTool, Whole]]:
        """The stretches of a text that are complete reports, in order; none begins in another."""
        found = [
            (match, tool, whole) for tool, whole in self._wholes if whole.sign in text for match in whole.find(text)
        ]
        found.sort(key=lambda one: one[0].start())
        ends = [0, *(match.end() for match, _, _ in found)]
        return [one for one, end in zip(found, ends, strict=False) if one[0].start() >= end]

    def has_whole(self, text: str) -> bool:
        """Whether one of these is in a text."""
        return any(next(whole.find(text), None) for _, whole in self._wholes)

    def of_kind(self, tool: ReportTool, kind: str) -> Rule:
        """The first rule of a kind."""
        return self._kinds[tool, kind]

    def in_force(self, context: Context) -> list[tuple[ReportTool, Rule]]:
        """The rules of the formats that commands and settings have asked for."""
        return [
            (tool, rule)
            for tool in self._formatted
            for key, text in context.formats(tool)
            for rule in tool.formats[key](text)
        ]


def sign_of(rule: Rule, *, marked: bool) -> str:
    """What every line of a rule holds, for RE2: its sign, or the words that its pattern begins with.

    Words are parted by blanks and signs; if `marked`, also by tags and entities of HTML and escapes of a JSON string.
    """
    head = _HEAD.match(rule.pattern.pattern)
    assert rule.sign or (head and head[0]), rule
    words = rule.sign.split(" ") if rule.sign else _SIGNS.sub(" ", head[0] if head else "").split()[:_TELLING]
    return (_MARKED if marked else _PARTING).join(words)


def tells(rule: Rule, text: str) -> bool:
    """Whether a text holds what every line of a rule does: it may be one that was wrapped."""
    return not (rule.inside or rule.dialect) and _sign(rule).search(text) is not None


@functools.cache
def _sign(rule: Rule) -> re.Pattern[str]:
    return re.compile(sign_of(rule, marked=False))


def follows(rule: Rule, rank: int) -> bool:
    """Whether a line of a rule may stand behind one of this rank, in one report."""
    return rule.rank > rank or (rule.rank == rank and rule.repeat) or rule.rank == ANYWHERE


def bare(words: list[str]) -> list[str]:
    """The words of a line without one decoration in front: a quote mark, comment sign, bullet; empty if it has none."""
    first = words[0]
    if first[0].isalnum() and first[-1] not in _PROMPTS and ">" not in first:
        return []
    if first in _BARS and words[-1] == first and len(words) > 2:  # a row of a table or a drawn box
        return words[1:-1]
    match = _GLUED.match(first)
    if len(words) > 1 and first in "\"'":  # a text in code, indented
        return [*words[1:-1], words[-1].rstrip(_CLOSING)] if words[-1].rstrip(_CLOSING) else words[1:-1]
    if len(words) > 1 and (first in DECORATIONS or (match and match.end() == len(first)) or first[-1] in _PROMPTS):
        return words[1:]
    if match is None or match.end() == len(first):
        return []
    rest = [first[match.end() :], *words[1:]]
    if first[match.end() - 1] in "\"'":  # a text in code: the quotation ends, too
        rest[-1] = rest[-1].rstrip(_CLOSING)
    return rest if rest[-1] else rest[:-1]

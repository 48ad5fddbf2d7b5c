"""Which lines below runs close what a line above them opened: ``start kiwi``, runs, ``stop kiwi``, ``start emu``.

No list of words tells an end from a beginning. Their order does: a line that holds the name of the runs above it, and
stands in front of the line that opens what follows, is about the runs above. What opens has the same words each time,
but for the name.
"""

from __future__ import annotations

import functools
import operator
import re
from collections.abc import Iterable, Iterator, Sequence

_TOKEN = re.compile(r"\w(?:[\w.+#/@-]*[\w+#])?|[^\w\s]+")
_Tokens = tuple[str, ...]


def closing(lines: Sequence[str], above: Iterable[str], opening: str) -> list[str]:
    """Those of the `lines` below runs that close what one of the lines `above` them opened; `opening` opens the next.

    None if `opening` has other words than all lines above.
    """
    opened, opens = _all_tokens(tuple(above)), _tokens(opening)
    found: list[str] = []
    for name, next_name in _names([line for line in opened if len(line) == len(opens)], opens):
        found += [line for line in lines if _closes(_tokens(line), name, next_name, opened)]
    return found


def forms_of(line: str) -> Iterator[tuple[str, ...]]:
    """A line's words and signs, each word but one; lines that agree but for a word share one of these. None of one."""
    tokens = _tokens(line)
    for at, token in enumerate(tokens if len(tokens) > 1 else ()):
        if _is_word(token):
            yield (*tokens[:at], "", "", *tokens[at + 1 :])


def _names(opened: Iterable[_Tokens], opening: _Tokens) -> list[tuple[_Tokens, str]]:
    """What is named by each line above that agrees with one that opens the next but for one word, and that word."""
    found = []
    for line in opened if len(opening) > 1 else ():
        if line == opening:
            found.append((line, ""))
        elif (at := _only_difference(line, opening)) is not None:
            found.append(((line[at],), opening[at]))
    return found


def _closes(line: _Tokens, name: _Tokens, next_name: str, opened: Iterable[_Tokens]) -> bool:
    """Whether a line holds a name and not the next one, in other words than those above.

    Without a next name the same is opened again: `name` is the whole line that does so, which differs in one word.
    """
    if line in opened:
        return False
    if not next_name:
        return _only_difference(line, name) is not None
    if name[0] not in line or next_name in line:
        return False
    differences = ((_only_difference(line, other), other) for other in opened)
    return all(at is None or line[at] != name[0] for at, _ in differences)


def _only_difference(one: _Tokens, other: _Tokens) -> int | None:
    """The place of the one word in which two lines differ; None for others."""
    if len(one) != len(other):
        return None
    differ = list(map(operator.ne, one, other))
    at = differ.index(True) if differ.count(True) == 1 else None
    return at if at is not None and _is_word(one[at]) and _is_word(other[at]) else None


def _is_word(token: str) -> bool:
    return any(map(str.isalpha, token))


@functools.lru_cache(maxsize=64)  # they are asked for at each line below the runs
def _all_tokens(lines: tuple[str, ...]) -> tuple[_Tokens, ...]:
    return tuple(map(_tokens, lines))


@functools.lru_cache(maxsize=1024)  # a log repeats its lines
def _tokens(line: str) -> _Tokens:
    """The words and signs of a line, with nothing in place of numbers."""
    return tuple(["" if token.isdecimal() else token for token in _TOKEN.findall(line.casefold())])

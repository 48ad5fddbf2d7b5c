"""Finds the lines that a script prints when it is done with the runs of a section, so that they name no other runs.

    start kiwi      opens the section of kiwi
    (runs)
    stop kiwi       closes it: is about the runs above, not about those below
    start emu       opens the next section

No list of words says that *stop* closes a section; the order of the lines does. Lines that open sections have the same
words each time, except the name (*start*). A line between the runs and such a line closes the section if it contains
the name of the section above, and not that of the next one.
"""

from __future__ import annotations

import functools
import operator
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

_TOKEN = re.compile(r"\w(?:[\w.+#/@-]*[\w+#])?|[^\w\s]+")  # "kiwi-v1.2", "->"
_NUMBER = re.compile(r"\d{1,20}(?:/\d{1,20})?")
_Tokens = tuple[str, ...]
_NUMBERS = str.maketrans("123456789", "0" * 9)


def closing_lines(lines: Sequence[str], above: Iterable[str], opening: str) -> list[str]:
    """The `lines` below runs that close a section of the lines `above`, if `opening` opens the next section.

    Empty if no line above has the words of `opening`.
    """
    known = _lines_above(tuple(above))
    first, last = _end_characters(opening)
    if first not in known.first_characters and last not in known.last_characters:  # most lines
        return []
    opened, opens = known.by_length, _tokens(opening)
    found: list[str] = []
    for name, next_name in dict.fromkeys(_opened_names(opened.get(len(opens), ()), opens)):
        found += [line for line in lines if _closes(_tokens(line), name, next_name, opened)]
    return found


def patterns_with_gap(line: str) -> Iterator[tuple[str, ...]]:
    """The words and signs of a line, with one word left out in turn: lines that differ in one word share a pattern.

    A line of one word has no pattern.
    """
    tokens = _tokens(line)
    for at, token in enumerate(tokens if len(tokens) > 1 else ()):
        if _is_word(token):
            yield (*tokens[:at], "", "", *tokens[at + 1 :])


def differ_in_one_word(line: str, other: str) -> bool:
    """Whether two lines are equal but for their numbers and times, and at most one word."""
    words, others = _tokens(line.translate(_NUMBERS)), _tokens(other.translate(_NUMBERS))
    return words == others or _index_of_only_difference(words, others) is not None


def differing_words(lines: Sequence[str]) -> list[str]:
    """The words in which lines differ, if all differ in the same place only, but for numbers and times; else empty."""
    tokens = [_TOKEN.findall(line) for line in lines]
    masked = [_tokens(line.translate(_NUMBERS)) for line in lines]
    if len({len(words) for words in masked}) != 1:
        return []
    places = [at for at, words in enumerate(zip(*masked, strict=True)) if len(set(words)) > 1]
    return [words[places[0]] for words in tokens] if len(places) == 1 else []


def _opened_names(opened: Iterable[_Tokens], opening: _Tokens) -> list[tuple[_Tokens, str]]:
    """For each line above that equals `opening` except for one word: this word, and that of `opening`.

    These are the names of the sections. For a line that equals `opening` it is the whole line, and an empty name.
    """
    found = []
    for line in opened if len(opening) > 1 else ():
        if line == opening:
            found.append((line, ""))
        elif (at := _index_of_only_difference(line, opening)) is not None:
            found.append(((line[at],), opening[at]))
    return found


def _closes(line: _Tokens, name: _Tokens, next_name: str, opened: Mapping[int, Sequence[_Tokens]]) -> bool:
    """Whether a line contains `name` and not `next_name`, and its other words differ from the lines above.

    `opened` are those lines, by their length.

    If `next_name` is empty, the same section opens again: `name` is the whole line, from which a closing line differs
    in one word. ``proxy is kiwi`` above ``backend is kiwi`` closes none if ``proxy is emu`` was above it before.
    """
    alike = opened.get(len(line), ())
    if line in alike:
        return False
    if not next_name:
        verb = _index_of_only_difference(line, name)
        return verb is not None and all(_index_of_only_difference(line, other) in (verb, None) for other in alike)
    if name[0] not in line or next_name in line:
        return False
    differences = ((_index_of_only_difference(line, other), other) for other in alike)
    return all(at is None or line[at] != name[0] for at, _ in differences)


def _index_of_only_difference(one: _Tokens, other: _Tokens) -> int | None:
    """The index of the one word in which two lines differ; None if they differ in more, or not at all."""
    if len(one) != len(other) or (one[0] != other[0] and one[-1] != other[-1]):
        return None  # if one word differs, the first one or the last one is the same
    differ = list(map(operator.ne, one, other))
    at = differ.index(True) if differ.count(True) == 1 else None
    return at if at is not None and _is_word(one[at]) and _is_word(other[at]) else None


def _is_word(token: str) -> bool:
    """Whether a token contains a letter."""
    return any(map(str.isalpha, token))


class _LinesAbove(NamedTuple):
    """The words and signs of the lines above runs, by their number, and the characters at the ends of the lines.

    Lines that differ in one word have the same number of words, and the same first or last one.
    """

    by_length: dict[int, list[_Tokens]]
    first_characters: frozenset[str]
    last_characters: frozenset[str]


@functools.lru_cache(maxsize=64)  # they are asked for at each line below the runs
def _lines_above(lines: tuple[str, ...]) -> _LinesAbove:
    """The lines above runs, as `closing_lines` compares them."""
    by_length: dict[int, list[_Tokens]] = {}
    for line in lines:
        by_length.setdefault(len(tokens := _tokens(line)), []).append(tokens)
    first, last = zip(*map(_end_characters, lines), strict=True)
    return _LinesAbove(by_length, frozenset(first), frozenset(last))


def _end_characters(line: str) -> tuple[str, str]:
    """The first and the last character of a line in lower case, with 0 for a digit: equal if such a word is equal."""
    first, last = line[0], line[-1]
    return (
        "0" if first.isdecimal() else first.casefold()[0],
        "0" if last.isdecimal() else last.casefold()[-1],
    )


@functools.lru_cache(maxsize=1024)  # a log repeats its lines
def _tokens(line: str) -> _Tokens:
    """The words and signs of a line in lower case, with an empty text instead of each number, also of ``2/4``."""
    return tuple(["" if _NUMBER.fullmatch(token) else token for token in _TOKEN.findall(line.casefold())])

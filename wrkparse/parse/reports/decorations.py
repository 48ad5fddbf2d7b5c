"""Removes the decorations in front of a line: quote marks, comment signs, bullets, borders of tables and boxes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from wrkparse.text.shell import PROMPT_ENDS

MOST_DECORATIONS = 8  # in front of a line; a line with more of them is a drawing
_DECORATIONS = frozenset({">", "#", "//", "*", "|", "-", "+", ":", ">>", ">>>", "##", "^C", "•"})
# Signs that touch the word after them: of quotations, diffs, comments, cells of tables, initials of a quoted person.
_TOUCHING_SIGNS = re.compile(r"(?:[>|+\-;\"']|//|\*(?=\w)|\#(?=\w)|\w{1,8}>)++")
_CLOSING_MARKS = "\"',;+"  # after a text in code
_BARS = frozenset({"|", "│", "┃"})  # at both ends of a row of a table or a drawn box


def is_decoration(words: Sequence[str]) -> bool:
    """Whether a line of these words is empty except for a quote mark, a comment sign or a bullet."""
    return len(words) == 1 and words[0] in _DECORATIONS


def undecorated(words: Sequence[str]) -> list[str]:
    """The words of a line without the first decoration: a quote mark, comment sign or bullet. Empty if it has none."""
    first = words[0]
    if first[0] == "|" and words[-1][-1] == "|" and first[1:2].isalnum():  # "|Latency|0 ms|": cells without blanks
        return " ".join(words)[1:-1].replace("|", " | ").split()
    if first[-1] in PROMPT_ENDS:
        return list(words[1:])
    # "JB> Running 10s test": initials are the only decoration that begins with a letter
    if first[0].isalnum() and ">" not in first:
        return []
    if first in _BARS and words[-1] == first and len(words) > 2:  # a row of a table or a drawn box
        return list(words[1:-1])
    if len(words) > 1 and first in "\"'":  # a text in code, indented
        return (
            [*words[1:-1], words[-1].rstrip(_CLOSING_MARKS)] if words[-1].rstrip(_CLOSING_MARKS) else list(words[1:-1])
        )
    if len(words) > 1 and first in _DECORATIONS:
        return list(words[1:])
    match = _TOUCHING_SIGNS.match(first)
    if match is None or match.end() == len(first):
        return list(words[1:]) if match else []
    rest = [first[match.end() :], *words[1:]]
    if first[match.end() - 1] in "\"'":  # a text in code: the quotation ends, too
        rest[-1] = rest[-1].rstrip(_CLOSING_MARKS)
    return rest if rest[-1] else rest[:-1]


def undecorated_forms(words: list[str]) -> list[list[str]]:
    """The words of a line, then what is left of them without one decoration after the other."""
    forms = [words]
    # A word of letters and digits is not a decoration, and most lines begin with one.
    while not words[0].isalnum() and (words := undecorated(words)) and len(forms) <= MOST_DECORATIONS:
        forms.append(words)
    return forms


def undecorated_texts(words: list[str]) -> Iterator[str]:
    """The same as texts, made when they are asked for."""
    yield from map(" ".join, undecorated_forms(words))

"""Finds event lines in string literals of source code: a test or an example quotes them; they were not measured.

    line := "gc 763 @77536.239s 1%: 0.11+2192+0.75 ms clock, ..."
    var lines = `gc 1 @0.009s 4%: ...
    gc 2 @0.014s 6%: ...`

    lines := []string{"gc 1 @0.009s 4%: ...", "gc 2 @0.014s 6%: ..."}

In a file of source code each line in quotation marks is a literal, as in a list over several lines.

``msg="gc 1 @..."`` of logfmt and ``"log":"gc 1 @..."`` of JSON are not literals: there is no blank before the sign.
"""

from __future__ import annotations

import re

# An assignment or a list of strings, and the quotation mark after it.
_OPENS = re.compile(
    rb"""(?:[\w\])>](?:\s{0,9}:=\s{0,9}|\s{1,9}\+?=\s{1,9})|[sS]tring(?:\[\])?\s?\{\s{0,9})[brfu]{0,2}["'`]\Z"""
)
_MARKS = frozenset({b'"', b"'", b"`"})
_SEPARATORS = b" \t,\"'`"  # between the strings of a list
_CODE = re.compile(r"\.(?:go|py|js|ts|rs|java|kt|c|cc|cpp|cs|rb|swift|zig)\Z")  # the names of files of source code
_MULTILINE_MARK = b"`"  # of literals of Go and JavaScript that may have several lines


def opens_literal(front: bytes) -> bool:
    """Whether the text in front of an event line, in the same line, begins a string literal."""
    return _OPENS.search(front) is not None


class StringLiterals:
    """Finds the event lines of one source that are in string literals. It takes them in the order of their numbers."""

    def __init__(self, source: str) -> None:
        self._is_code = _CODE.search(source) is not None
        self._last_open = 0  # the number of the last line of a literal that is still open
        self._last_literal = -1  # the number of the last line with a literal
        self.has_begun = False  # whether the last line in a literal is the first line of it, or of a list of literals

    def may_be_in_literal(self, number: int) -> bool:
        """Whether a line may belong to a literal that began above, or the source is source code."""
        return self._is_code or self._last_open > 0 or number - self._last_literal <= 1

    def is_in_literal(self, number: int, front: bytes, text: bytes) -> bool:
        """Whether an event line is in a literal; sets `has_begun`.

        ``front`` is the text in front of the event in its line, ``text`` the event.
        """
        opens = opens_literal(front)
        inside = opens or (self._last_open == number - 1 > 0 and not front.strip())
        goes_on = inside and _MULTILINE_MARK not in text and (not opens or front.endswith(_MULTILINE_MARK))
        if not inside and front[-1:] in _MARKS and not front.strip(_SEPARATORS):  # another literal of a list
            inside = self._is_code or number - self._last_literal <= 1
        self._last_open = number if goes_on else 0
        self.has_begun = inside and (opens or number - self._last_literal > 1)
        self._last_literal = number if inside else self._last_literal
        return inside

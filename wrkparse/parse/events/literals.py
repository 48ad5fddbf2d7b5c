"""Event lines in string literals of source code: a test or an example quotes them, and nobody measured them there.

    line := "gc 763 @77536.239s 1%: 0.11+2192+0.75 ms clock, ..."
    var lines = `gc 1 @0.009s 4%: ...
    gc 2 @0.014s 6%: ...`

    lines := []string{"gc 1 @0.009s 4%: ...", "gc 2 @0.014s 6%: ..."}

In a file of source code each line in quotation marks is one, as in a list over several lines.

``msg="gc 1 @..."`` of logfmt and ``"log":"gc 1 @..."`` of JSON are no literals: no blank stands in front of the sign.
"""

from __future__ import annotations

import re

# An assignment or a list of strings, and the quotation mark behind it.
_OPENS = re.compile(
    rb"""(?:[\w\])>](?:\s{0,9}:=\s{0,9}|\s{1,9}\+?=\s{1,9})|[sS]tring(?:\[\])?\s?\{\s{0,9})[brfu]{0,2}["'`]\Z"""
)
_MARKS = frozenset({b'"', b"'", b"`"})
_BETWEEN = b" \t,\"'`"  # marks and blanks in front of a string of a list
_CODE = re.compile(r"\.(?:go|py|js|ts|rs|java|kt|c|cc|cpp|cs|rb|swift|zig)\Z")  # how files of source code are named
_MULTILINE = b"`"  # literals of Go and JavaScript that go on over line ends


def opens_literal(front: bytes) -> bool:
    """Whether the text in front of an event line in the same line begins a string literal."""
    return _OPENS.search(front) is not None


class StringLiterals:
    """Tells which event lines of a source stand in string literals; one for each source, in the order of its lines."""

    def __init__(self, source: str) -> None:
        self._is_code = _CODE.search(source) is not None
        self._last = 0  # the number of the last line seen of a literal that is still open
        self._held = -1  # the number of the last line with a literal
        self.begins = False  # whether a literal, or a list of them, begins with the last line that is in one

    def may_hold(self, number: int) -> bool:
        """Whether this line may belong to a literal that began above, or stands in source code."""
        return self._is_code or self._last > 0 or number - self._held <= 1

    def holds(self, number: int, front: bytes, text: bytes) -> bool:
        """Whether an event line is in a literal; sets `begins`. ``front`` is what stands in front of it in its line."""
        opens = opens_literal(front)
        inside = opens or (self._last == number - 1 > 0 and not front.strip())
        goes_on = inside and _MULTILINE not in text and (not opens or front.endswith(_MULTILINE))
        if not inside and front[-1:] in _MARKS and not front.strip(_BETWEEN):  # another one of a list
            inside = self._is_code or number - self._held <= 1
        self._last = number if goes_on else 0
        self.begins = inside and (opens or number - self._held > 1)
        self._held = number if inside else self._held
        return inside

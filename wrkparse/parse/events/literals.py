"""Event lines in string literals of source code: a test or an example quotes them, and nobody measured them there.

    line := "gc 763 @77536.239s 1%: 0.11+2192+0.75 ms clock, ..."
    var lines = `gc 1 @0.009s 4%: ...
    gc 2 @0.014s 6%: ...`

``msg="gc 1 @..."`` of logfmt and ``"log":"gc 1 @..."`` of JSON are no literals: no blank stands in front of the sign.
"""

from __future__ import annotations

import re

# An assignment, and the quotation mark behind it.
_OPENS = re.compile(rb"""[\w\])>](?:\s{0,9}:=\s{0,9}|\s{1,9}\+?=\s{1,9})[brfu]{0,2}["'`]\Z""")
_MULTILINE = b"`"  # literals of Go and JavaScript that go on over line ends


def opens_literal(front: bytes) -> bool:
    """Whether the text in front of an event line in the same line begins a string literal."""
    return _OPENS.search(front) is not None


class StringLiterals:
    """Tells which event lines of a source stand in string literals; one for each source, in the order of its lines."""

    def __init__(self) -> None:
        self._last = 0  # the number of the last line seen of a literal that is still open

    @property
    def is_open(self) -> bool:
        """Whether the next line may belong to a literal."""
        return self._last > 0

    def holds(self, number: int, front: bytes, text: bytes) -> bool:
        """Whether an event line is in a literal. ``front`` is what stands in front of it in its line."""
        opens = opens_literal(front)
        inside = opens or (self._last == number - 1 > 0 and not front.strip())
        goes_on = inside and _MULTILINE not in text and (not opens or front.endswith(_MULTILINE))
        self._last = number if goes_on else 0
        return inside

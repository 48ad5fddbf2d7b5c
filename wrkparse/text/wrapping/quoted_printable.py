"""Lines of mail in the encoding quoted-printable (RFC 2045, section 6.7): ``=3D`` for ``=``, and ``=`` at a soft end.

A header says that the lines below it are encoded, up to the next part or the next mail. Without it, as in pasted mail,
only a soft end shows it: a line of prose as long as mail programs make them, with ``=`` behind it.
"""

from __future__ import annotations

import quopri
import re

_HEADER = re.compile(r"[> ]{0,20}Content-Transfer-Encoding:\s{0,9}(\S{1,40})", re.IGNORECASE)
HEADER_BEGINS = ("Cont", "cont", "CONT", "> Co", "> co", ">Con")  # what few lines but a header begin with
# A boundary of MIME (RFC 2046, section 5.1.1), or the line in front of a mail in an mbox file.
_PART_ENDS = re.compile(r"--[0-9A-Za-z'()+_,./:=?-]{10,70}|From \S{1,200} .{1,60}[0-9]{4}")
_BARE = re.compile(r"=(?!3D|20|09|[8-9A-F][0-9A-F]|\Z)")  # what the encoding does not leave as it is
_ENCODED = re.compile(r"=[0-9A-F]{2}")
_SHORTEST, _LONGEST = 60, 76  # characters of a line with a soft end; RFC 2045 allows 76
_MOST = 4096  # characters of a line that was put together


class QuotedPrintable:
    """Takes the lines of a source in order, and decodes those that are encoded."""

    def __init__(self) -> None:
        self._on = False
        self._begun: tuple[int, str] | None = None  # a line that goes on in the next one

    @property
    def pending(self) -> bool:
        """Whether lines above change how the next line is read."""
        return self._on or self._begun is not None

    def feed(self, raw: str, number: int) -> tuple[str, int] | None:
        """The decoded line that ends here, and the number of its first line; None if it goes on."""
        if header := _HEADER.match(raw):
            self._on = header[1].lower() == "quoted-printable"
        elif self._on and _PART_ENDS.fullmatch(raw.rstrip()):
            self._on = False
        begun, self._begun = self._begun, None
        number, text = (begun[0], begun[1] + raw) if begun else (number, raw)
        if len(text) < _MOST and (raw.endswith("=") if self._on else _has_soft_end(raw)):
            self._begun = number, text.removesuffix("=")
            return None
        return (_decoded(text) if self._on or begun else text), number

    def finish(self) -> tuple[str, int] | None:
        """The line that was to go on at the end of the source."""
        begun, self._begun = self._begun, None
        return (_decoded(begun[1]), begun[0]) if begun else None


def _has_soft_end(raw: str) -> bool:
    may_be = raw[-1:] == "=" and _SHORTEST <= len(raw) <= _LONGEST and " " in raw
    return may_be and _BARE.search(raw) is None


def _decoded(text: str) -> str:
    """A line without its encoding; characters of several bytes are UTF-8."""
    if not text.isascii() or not _ENCODED.search(text):
        return text
    return quopri.decodestring(text.encode()).decode("utf-8", "replace").replace("\n", " ")

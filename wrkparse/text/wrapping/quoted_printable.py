"""Decodes mail in quoted-printable (RFC 2045, section 6.7): ``=3D`` for ``=``, and ``=`` at a soft line end.

A header says that the lines below it are encoded, up to the next part or the next mail. Without it, as in pasted mail,
only a soft end shows it: a line of prose as long as mail programs make them, with ``=`` at its end.
"""

from __future__ import annotations

import quopri
import re

_HEADER = re.compile(r"[> ]{0,20}Content-Transfer-Encoding:\s{0,9}(\S{1,40})", re.IGNORECASE)
HEADER_BEGINNINGS = ("Cont", "cont", "CONT", "> Co", "> co", ">Con")  # of such a header; few other lines have them
# A boundary of MIME (RFC 2046, section 5.1.1), or the line before a mail in an mbox file.
_PART_END = re.compile(r"--[0-9A-Za-z'()+_,./:=?-]{10,70}|From \S{1,200} .{1,60}[0-9]{4}")
_UNENCODED_SIGN = re.compile(r"=(?!3D|20|09|[8-9A-F][0-9A-F]|\Z)")  # a sign that the encoding would replace
_ENCODED = re.compile(r"=[0-9A-F]{2}")
# Characters of a line with a soft end: RFC 2045 allows 76, and a program that breaks between words leaves some unused.
_SHORTEST, _LONGEST = 60, 76
_LONGEST_JOINED = 4096  # characters of a rejoined line; bounds memory


class QuotedPrintable:
    """Takes the lines of a source in order, and decodes encoded ones."""

    _on = False
    _unfinished: tuple[int, str] | None = None  # a line that continues in the next one

    @property
    def is_decoding(self) -> bool:
        """Whether lines above change the way the next line is read."""
        return self._on or self._unfinished is not None

    def feed(self, raw: str, number: int) -> tuple[str, int] | None:
        """The decoded line that ends here, and the number of its first line; None if it continues."""
        if header := _HEADER.match(raw):
            self._on = header[1].lower() == "quoted-printable"
        elif self._on and _PART_END.fullmatch(raw.rstrip()):
            self._on = False
        unfinished, self._unfinished = self._unfinished, None
        number, text = (unfinished[0], unfinished[1] + raw) if unfinished else (number, raw)
        if len(text) < _LONGEST_JOINED and (raw.endswith("=") if self._on else _has_soft_end(raw)):
            self._unfinished = number, text.removesuffix("=")
            return None
        return (_decode(text) if self._on or unfinished else text), number

    def finish(self) -> tuple[str, int] | None:
        """The unfinished line at the end of the source; None without one."""
        unfinished, self._unfinished = self._unfinished, None
        return (_decode(unfinished[1]), unfinished[0]) if unfinished else None


def _has_soft_end(raw: str) -> bool:
    """Whether a line has the length of a mail line and ends in ``=``."""
    may_be = raw[-1:] == "=" and _SHORTEST <= len(raw) <= _LONGEST and " " in raw
    return may_be and _UNENCODED_SIGN.search(raw) is None


def _decode(text: str) -> str:
    """A line without its encoding; characters of several bytes are UTF-8."""
    if not text.isascii() or not _ENCODED.search(text):
        return text
    return quopri.decodestring(text.encode()).decode("utf-8", "replace").replace("\n", " ")

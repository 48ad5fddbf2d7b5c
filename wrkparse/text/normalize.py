"""A source's lines as its tools printed them: out of envelopes, table cells and type setting, each with its number.

`raw` is a line as found, `text` what a reader of the page sees (for the context), `plain` the same in the characters
that tools print. One line of a source may hold several of theirs (``<br>`` in a cell, carriage returns of a progress
bar); several may be one (what a container runtime cut after 16 KiB).
"""

from __future__ import annotations

import html
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from typing import NamedTuple

from wrkparse.text import markup, prefixes
from wrkparse.text.notebook import Notebook, opening

# ECMA-48 control sequences, titles of the window, remarks of Buildkite's, and a character that is struck out again
_ESCAPES = re.compile(r"\x1b(?:\[[0-9;?]*[A-Za-z]|[\]_][^\x07\x1b]{0,200}(?:\x07|\x1b\\))|[^\x08]\x08")
_UNUSUAL = re.compile(r"[^ -~]|[<&`\\*{^]")
_BREAK = re.compile(r"<br ?/?>", re.IGNORECASE)
_ESCAPED = re.compile(r"\\([\\`*_{}\[\]()#+.!|<>~-])")  # by Markdown
_HUNK = re.compile(r"@@ -[0-9]{1,9}(?:,([0-9]{1,9}))? \+[0-9]{1,9}(?:,([0-9]{1,9}))? @@")
_OPENING = 50  # lines in which a notebook begins or is none
_HEAD = 1000  # characters that tell
_NEXT_STRING = re.compile(r'", ?"[\w@.-]{1,60}": ?"`{0,3}')  # one ends, and the next begins
_SEVERAL = 2  # line ends in one string of JSON or code that is a text; fewer are in a command's words
_FORMAT = re.compile(r"%\*?[A-Za-z]\\n|\\n%")  # what a command's words ask `time` to print
_MOST_SIGNS = 20  # of a quotation, a comment
_LONG = 1 << 16  # only events are looked for in a longer line
_BLANK = "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_TYPED = str.maketrans(
    dict.fromkeys(_BLANK, " ")
    | dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff", "")
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2212", "-")
    | dict.fromkeys("\u2018\u2019\u201a\u2032", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u2033", '"')
    | {"→": "->", "⇒": "->"}
    | {chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}  # the full-width forms of ASCII
)


class Line(NamedTuple):
    """One printed line. ``text`` is None for the second and later ones of one line of the source."""

    number: int
    raw: str
    text: str | None
    plain: str
    stamp: str = ""
    stream: str = ""


class Lines:
    """Takes a source's lines in order, gives printed lines."""

    def __init__(self) -> None:
        self._begun: list[tuple[str, int]] | None = []  # what may be the first lines of a notebook
        self._notebook: Notebook | None = None
        self._partial: dict[str, Line] = {}
        self._hunk = (0, 0)  # lines of a diff's hunk that are to come: old and new ones

    @property
    def at_start(self) -> bool:
        """Whether it is not known yet that the source is no notebook."""
        return self._begun is not None

    @property
    def unwrapping(self) -> bool:
        """Whether the next lines don't stand for themselves: they are in a notebook, a diff's hunk or a cut record."""
        return bool(self._notebook is not None or self._begun or self._partial or self._hunk != (0, 0))

    def settle(self, text: str) -> list[Line]:
        """What waited for the lines that come next, which are this text, and no longer does: it begins no notebook."""
        found: list[Line] = []
        if self._begun is not None:
            begun = "".join([raw for raw, _ in self._begun]) + text[:_HEAD].replace("\n", "")
            if opening(begun) is False:
                waiting, self._begun = self._begun, None
                for raw, number in waiting:
                    self._read(raw, number, found)
        return found

    def feed(self, raws: list[str], first: int) -> list[Line]:
        """The printed lines of some lines of the source, the first of which has this number."""
        found: list[Line] = []
        for number, raw in enumerate(raws, first):
            if self._begun is None:
                self._take(raw, number, found)
            else:
                self._begin(raw, number, found)
        return found

    def finish(self) -> list[Line]:
        """What was waiting for lines that never came."""
        found: list[Line] = []
        for raw, number in self._begun or ():
            self._read(raw, number, found)
        self._begun = None
        return [*found, *self._partial.values()]

    def _begin(self, raw: str, number: int, found: list[Line]) -> None:
        assert self._begun is not None
        self._begun.append((raw, number))
        decided = opening("".join(text for text, _ in self._begun)) if len(self._begun) < _OPENING else False
        if decided is None:
            return
        self._notebook = Notebook() if decided else None
        begun, self._begun = self._begun, None
        for text, at in begun:
            self._take(text, at, found)

    def _take(self, raw: str, number: int, found: list[Line]) -> None:
        if self._notebook is None:
            self._read(raw, number, found)
            return
        for text, at in self._notebook.feed(raw, number):
            self._read(text, at, found)

    def _read(self, raw: str, number: int, found: list[Line]) -> None:
        if len(raw) > _LONG:
            found.append(Line(number, raw, "", raw))
            return
        text, stamp, stream = raw, "", ""
        if self._hunk != (0, 0) or raw.startswith("@@ -"):
            text, stream = self._diffed(raw)
        record = prefixes.envelope(text) if text.startswith("{") else None
        if record is not None:
            text, stamp, stream, partial = record
        else:
            partial = " P " in text and prefixes.front(text).partial
        if partial or self._partial:
            at = prefixes.front(text) if record is None else prefixes.NOTHING
            key = stream or at.stream
            held = self._partial.pop(key, None)
            text = held.raw + text[at.end :] if held else text
            number, stamp = (held.number, held.stamp) if held else (number, stamp)
            if partial and len(text) < _LONG:
                self._partial[key] = Line(number, text, text, text, stamp, stream)
                return
        _typeset(raw, text, number, stamp, stream, found)

    def _diffed(self, raw: str) -> tuple[str, str]:
        """A line of a diff without its mark; what was taken out belongs to a text of its own."""
        old, new = self._hunk
        sign = raw[:1]
        if match := _HUNK.match(raw):
            self._hunk = int(match[1] or 1), int(match[2] or 1)
            return raw, ""
        if sign not in (" ", "+", "-", "\\", ""):
            self._hunk = 0, 0
            return raw, ""
        self._hunk = max(0, old - (sign in (" ", "-", ""))), max(0, new - (sign in (" ", "+", "")))
        return raw[1:], "removed" if sign == "-" else ""


def _typeset(raw: str, text: str, number: int, stamp: str, stream: str, found: list[Line]) -> None:
    if _UNUSUAL.search(text) is None:
        found.append(Line(number, raw, text, text, stamp, stream))
        return
    if "\x1b" in text or "\b" in text:
        text = _ESCAPES.sub("", text)
    pieces = [text]
    if "\r" in text:
        pieces = text.rstrip("\r").split("\r")
        text = pieces[-1]
    if "<" in text and _BREAK.search(text):
        pieces = _BREAK.sub("|", text).split("|")
    elif "\n" in text or (text.count("\\n") >= _SEVERAL and "$ " not in text and not _FORMAT.search(text)):
        pieces = _string(text)
    shown: str | None = text
    for piece in pieces:
        found.append(Line(number, raw, shown, plain(piece), stamp, stream))
        shown = None


def _string(text: str) -> list[str]:
    """The lines of a text that is one string of JSON or code, what stands in front of it as one more."""
    mark = "'" if text.startswith("b'") else '"'
    begin = text.rfind(mark, 0, max(text.find("\\n"), 0)) + 1
    ahead, text = text[:begin], text[begin:].lstrip("`")
    text = _NEXT_STRING.sub("\n", text.replace("\\t", "\t").replace('\\"', "\0"))
    lines = text.replace("\\n", "\n").split("\n")
    lines[-1] = lines[-1].partition(mark)[0] if begin else lines[-1]
    return [ahead, *(line.replace("\0", '"') for line in lines)]


def plain(text: str) -> str:
    """A line in the characters that tools print: without tags, entities, emphasis and typographic signs."""
    if "</t" in text:
        text = markup.cells(text)
    if "<" in text or "&" in text:
        text = html.unescape(markup.without_tags(markup.without_tags(text)))
    if not text.isascii():
        text = text.translate(_TYPED)
    if "**" in text and text.strip("* "):  # not what underlines a heading
        text = text.replace("**", "")
    text = text.removeprefix("^C")
    if "\\t" in text and '"' in text:
        text = text.replace("\\t", " ")
    if "\\" in text:
        text = _ESCAPED.sub(r"\1", text)
        if text.endswith("\\") and "$ " not in text:  # Markdown's line break; behind a prompt a command goes on
            text = text[:-1]
    if "`" in text:
        text = _without_code_marks(text)
    if text.lstrip().startswith("+ CategoryInfo "):  # PowerShell's, with a copy of the line above
        return ""
    return text


def _without_code_marks(text: str) -> str:
    """A line that is code as a whole, without the marks around it; else as it is: prose that quotes."""
    bare = text.strip(" -*+>|")
    if len(bare) > 2 and bare[0] == bare[-1] == "`" and "`" not in bare[1:-1]:
        return bare[1:-1]
    code = markup.inline_code(bare)
    return text if code is None else code


class Page:
    """The lines around those that are being read: what waits for more of them can look ahead."""

    def __init__(self) -> None:
        self._lines: list[Line] = []
        self._later: Callable[[], list[Line]] | None = None

    def turn(self, later: Callable[[], list[Line]], keep_from: int | None) -> None:
        """Go on to these lines, which are made when they are needed; keep of those before what still counts."""
        kept = [] if keep_from is None else self._all()
        self._lines = [line for line in kept if keep_from is not None and line.number >= keep_from]
        self._later = later

    def after(self, number: int, most: int, upto: int | None = None) -> list[Line]:
        """Up to so many printed lines behind the one of this number."""
        lines = self._all()
        start = bisect_right(lines, number, key=lambda line: line.number)
        found = lines[start : start + most]
        return found if upto is None else [line for line in found if line.number <= upto]

    def signs(self, number: int, begin: str) -> str:
        """What stands in front of a text in its line, if that is a quotation's or a comment's signs; else nothing."""
        lines = self._all()
        at = bisect_left(lines, number, key=lambda line: line.number)
        plain = lines[at].plain if at < len(lines) and lines[at].number == number else ""
        ahead = plain[: max(plain.find(begin), 0)].rstrip()
        return ahead if len(ahead) <= _MOST_SIGNS and not ahead.strip("> |#*/+") else ""

    @staticmethod
    def behind_signs(lines: list[Line], stream: str, signs: str) -> list[tuple[int, str]]:
        """The texts of a stream among these lines, each with its number, without these signs in front of them."""
        found = ((line.number, line.plain) for line in lines if line.stream == stream)
        if not signs:
            return list(found)
        return [
            (number, text[len(signs) :].removeprefix(" ") if text.startswith(signs) else text) for number, text in found
        ]

    @staticmethod
    def behind_prefix(lines: list[Line], stream: str) -> list[tuple[int, str]]:
        """The texts of a stream among these lines, each with its number, without what stands in front of them."""
        found = ((line, prefixes.front(line.plain)) for line in lines)
        return [
            (line.number, line.plain[front.end :])
            for line, front in found
            if f"{line.stream} {front.stream}".strip() == stream
        ]

    def _all(self) -> list[Line]:
        if self._later is not None:
            self._lines = self._lines + self._later()
            self._later = None
        return self._lines

"""A source's lines as the tools printed them: without the wrapping of logs, pages, notebooks and diffs.

One line of a source may hold several printed lines (``<br>`` in a table's cell, the carriage returns of a progress
bar, a string of JSON). Several may hold one (a container runtime cuts lines after 16 KiB).
"""

from __future__ import annotations

import html
import json
import re
from typing import NamedTuple

from wrkparse.text.wrapping import markup, prefixes
from wrkparse.text.wrapping.notebook import NotebookReader, begins_notebook
from wrkparse.text.wrapping.quoted_printable import HEADER_BEGINS, QuotedPrintable

# ECMA-48 control sequences, window titles, Buildkite's time stamps, and a character that a backspace strikes out
_ESCAPE_SEQUENCES = re.compile(r"\x1b(?:\[[0-9;?]*[A-Za-z]|[\]_][^\x07\x1b]{0,200}(?:\x07|\x1b\\))|[^\x08]\x08")
# The characters of ASCII that mark nothing up, as one negated class: half the time of two classes with "|" between.
_PLAIN_CHARACTERS = "".join(chr(code) for code in range(0x20, 0x7F) if chr(code) not in "<&`\\*{^")
_MARKED_UP = re.compile(f"[^{re.escape(_PLAIN_CHARACTERS)}]")
_BREAK = re.compile(r"<br ?/?>", re.IGNORECASE)
# Where a heading or a block of code begins or ends within a line: pages are often written without line ends.
_BLOCK_EDGE = re.compile(r"(?<=\S)(?=<(?:h[1-6]|pre)[\s>])|(?<=</h[1-6]>)(?=\S)|(?<=</pre>)(?=\S)", re.IGNORECASE)
_ROW_END = re.compile(r"</tr>(?=\s{0,20}<tr)", re.IGNORECASE)  # of a table that stands in one line
_MARKDOWN_ESCAPE = re.compile(r"\\([\\`*_{}\[\]()#+.!|<>~-])")
_HUNK = re.compile(r"@@ -[0-9]{1,9}(?:,([0-9]{1,9}))? \+[0-9]{1,9}(?:,([0-9]{1,9}))? @@")
_NO_HUNK = (0, 0)
_BEGINNINGS = frozenset({"@@ -", *HEADER_BEGINS})  # of lines that change how others are read
# A notebook shows itself within its first keys. A file that has not after so many lines is none.
_NOTEBOOK_LINES = 50
_NEXT_STRING = re.compile(r'", ?"[\w@.-]{1,60}": ?"`{0,3}')  # in JSON: one string ends, and the next begins
_NEXT_TEXT = re.compile(r'\\n[^"]{0,200}"[\]},]')  # in JSON: a string ends, and more follows
_DEEPEST = 20  # levels of a value of JSON; those of load generators have up to 8
_FEWEST_CHARACTERS = 40  # for each of its lines; a report has some 400, and a few fields beside it
_FEWEST_BREAKS = 2  # "\n" in one string that make it a text; a command's arguments seldom have more than one
_TIME_FORMAT = re.compile(r"%\*?[A-Za-z]\\n|\\n%")  # an argument of `time -f`, which is no text
_PROMPT = "$ "  # others, such as "# ", begin lines of other kinds, too
# A string of JSON that begins with a prompt, in which somebody's session stands: commands and what they printed
_SESSION = re.compile(r"""(?:\A *|[:,[{] ?)"(?=[$] [^"\\])""")
# Longer lines (64 KiB; container runtimes cut at 16) are data; only events are searched for in them.
_LONGEST = 1 << 16
_LONGEST_JSON = 1 << 22  # a document in one line, about 4,000 reports; its lines take some five times the memory
_BLANK = "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_AS_TYPED = str.maketrans(  # what word processors, blogs and Chinese input methods make of ASCII
    dict.fromkeys(_BLANK, " ")
    | dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff", "")
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2212", "-")
    | dict.fromkeys("\u2018\u2019\u201a\u2032", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u2033", '"')
    | {"→": "->", "⇒": "->"}
    | {chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}  # the full-width forms of ASCII
)


class NormalizedLine(NamedTuple):
    """One printed line.

    ``number`` and ``raw`` are those of the source's line. ``page_text`` is what a reader of the page sees, for the
    context; None for the second and later printed lines of one line. ``plain`` is what the tool printed. ``stamp`` and
    ``stream`` are the time and the process that the wrapping names; empty if it names none.
    """

    number: int
    raw: str
    page_text: str | None
    plain: str
    stamp: str = ""
    stream: str = ""


class LineNormalizer:
    """Takes the lines of one source in order and returns its printed lines.

    It keeps the first lines until it is known whether the source is a notebook, and a cut line until its rest comes.
    """

    def __init__(self) -> None:
        self._begun: list[tuple[str, int]] | None = []  # the lines that may begin a notebook; None when it is decided
        self._notebook: NotebookReader | None = None
        self._partial: dict[str, NormalizedLine] = {}  # cut lines by their stream
        self._mail = QuotedPrintable()
        self._hunk = _NO_HUNK  # how many old and new lines of a diff's hunk are still to come

    @property
    def at_start(self) -> bool:
        """Whether it is not known yet that the source is no notebook."""
        return self._begun is not None

    @property
    def unwrapping(self) -> bool:
        """Whether the next line may not stand alone.

        It is not known yet that the source is no notebook, or lines above change how it is read: a notebook, a diff's
        hunk, a mail, a cut line.
        """
        notebook = self._begun is not None or self._notebook is not None
        return notebook or bool(self._partial) or self._hunk != _NO_HUNK or self._mail.pending

    def begin_text(self) -> None:
        """Take the source for no notebook, before its first line."""
        self._begun = None

    def feed(self, raws: list[str], first: int) -> list[NormalizedLine]:
        """The printed lines of some lines of the source. `first` is the number of the first of them."""
        found: list[NormalizedLine] = []
        plain = not self.unwrapping
        for number, raw in enumerate(raws, first):
            # Most lines are printed lines as they stand: no markup, no diff's hunk, no encoded mail, none that CRI cut.
            if (
                plain
                and _MARKED_UP.search(raw) is None
                and " P " not in raw
                and raw[:4] not in _BEGINNINGS
                and raw[-1:] != "="
                and len(raw) < _LONGEST
            ):
                found.append(NormalizedLine(number, raw, raw, raw))
                continue
            if self._begun is None:
                self._take(raw, number, found)
            else:
                self._take_opening(raw, number, found)
            plain = not self.unwrapping
        return found

    def finish(self) -> list[NormalizedLine]:
        """The lines that are still kept at the end of the source."""
        found: list[NormalizedLine] = []
        begun, self._begun = self._begun, None
        for raw, number in begun or ():
            self._take(raw, number, found)
        if rest := self._mail.finish():
            self._unwrap(*rest, found)
        return [*found, *self._partial.values()]

    def _take_opening(self, raw: str, number: int, found: list[NormalizedLine]) -> None:
        """Take one of the first lines; they are read together once it is known whether they begin a notebook."""
        assert self._begun is not None
        self._begun.append((raw, number))
        opening = "".join(text for text, _ in self._begun)
        decided = begins_notebook(opening) if len(self._begun) < _NOTEBOOK_LINES else False
        if decided is None:
            return
        self._notebook = NotebookReader() if decided else None
        begun, self._begun = self._begun, None
        for text, at in begun:
            self._take(text, at, found)

    def _take(self, raw: str, number: int, found: list[NormalizedLine]) -> None:
        if self._notebook is None:
            if (line := self._mail.feed(raw, number)) is not None:
                self._unwrap(*line, found)
            return
        for text, at in self._notebook.feed(raw, number):
            self._unwrap(text, at, found)

    def _unwrap(self, raw: str, number: int, found: list[NormalizedLine]) -> None:
        """Add the printed lines of a line, out of its diff, its JSON and its cut parts."""
        if len(raw) > _LONGEST:
            if not self._add_indented(raw, number, "", "", found):
                found.append(NormalizedLine(number, raw, "", raw))
            return
        text, stamp, stream = raw, "", ""
        if self._hunk != _NO_HUNK or raw.startswith("@@ -"):
            text, stream = self._without_diff_mark(raw)
        record = prefixes.envelope(text) if text.startswith("{") else None
        if record is not None:
            text, stamp, stream, partial = record
        else:
            partial = " P " in text and prefixes.longest_prefix(text).partial
        if partial or self._partial:
            at = prefixes.longest_prefix(text) if record is None else prefixes.NO_PREFIX
            key = stream or at.stream
            before = self._partial.pop(key, None)
            text = before.raw + text[at.end :] if before else text
            number, stamp = (before.number, before.stamp) if before else (number, stamp)
            if partial and len(text) < _LONGEST:
                self._partial[key] = NormalizedLine(number, text, text, text, stamp, stream)
                return
        if not self._add_indented(text, number, stamp, stream, found):
            for block in _BLOCK_EDGE.split(text) if "<" in text else (text,):
                _add_printed_lines(raw, block, number, stamp, stream, found)

    @staticmethod
    def _add_indented(text: str, number: int, stamp: str, stream: str, found: list[NormalizedLine]) -> bool:
        """Add the printed lines of a value of JSON, each with a line of its indented form as the source's."""
        lines = _indented(text)
        for line in lines:
            _add_printed_lines(line, line, number, stamp, stream, found)
        return bool(lines)

    def _without_diff_mark(self, raw: str) -> tuple[str, str]:
        """A line of a diff without its mark, and its stream: removed lines are a text of their own."""
        old, new = self._hunk
        sign = raw[:1]
        if match := _HUNK.match(raw):
            self._hunk = int(match[1] or 1), int(match[2] or 1)
            return raw, ""
        if sign not in (" ", "+", "-", "\\", ""):
            self._hunk = _NO_HUNK
            return raw, ""
        self._hunk = max(0, old - (sign in (" ", "-", ""))), max(0, new - (sign in (" ", "+", "")))
        return raw[1:], "removed" if sign == "-" else ""


# What stands in front of a string in source code, but not in a log: "out := ", "expect(", "return ".
_IN_CODE = re.compile(r"""(?:[\w\])]\s+[:+]?=\s+|\w\(\s*|\breturn\s+)[a-zA-Z]{0,2}["']\Z""")
_LONGEST_CODE = 80  # characters


def _add_printed_lines(raw: str, text: str, number: int, stamp: str, stream: str, found: list[NormalizedLine]) -> None:
    """Add the printed lines of a text: one, or several between carriage returns, ``<br>`` or escaped line ends."""
    if _MARKED_UP.search(text) is None:
        found.append(NormalizedLine(number, raw, text, text, stamp, stream))
        return
    if "\x1b" in text or "\b" in text:
        text = _ESCAPE_SEQUENCES.sub("", text)
    pieces = [text]
    if "\r" in text:
        pieces = text.rstrip("\r").split("\r")
        text = pieces[-1]
    if "</tr>" in text:
        text = _ROW_END.sub("</tr><br>", text)
    if "<" in text and _BREAK.search(text):
        pieces = _BREAK.sub("|", text).split("|")
    elif session := _lines_of_session(text):
        before, *lines = session
        found.append(NormalizedLine(number, raw, before, plain_text(before), stamp, stream))
        found.extend(
            NormalizedLine(number, raw, line if line.startswith(_PROMPT) else None, plain_text(line), stamp, stream)
            for line in lines
        )
        return
    elif "\n" in text or (text.count("\\n") >= _FEWEST_BREAKS and "$ " not in text and not _TIME_FORMAT.search(text)):
        pieces = _lines_of_string(text)
        text = pieces[0] or text
    page_text: str | None = text
    for piece in pieces:
        found.append(NormalizedLine(number, raw, page_text, plain_text(piece), stamp, stream))
        page_text = None


def _indented(text: str) -> list[str]:
    """The lines of a value of JSON with several texts in it, as if it were indented; empty for any other text.

    Lines without a string are left out. None of data that is no texts: nested deeply, or with many short values.
    """
    if text[:1] not in ("{", "[") or len(text) > _LONGEST_JSON or text.count("\\n") < 2 * _FEWEST_BREAKS:
        return []
    if not _NEXT_TEXT.search(text):
        return []
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return []
    if _is_deeper(value, _DEEPEST):
        return []
    lines = [line for line in json.dumps(value, indent=2, ensure_ascii=False).split("\n") if '"' in line]
    return lines if len(lines) * _FEWEST_CHARACTERS <= len(text) else []


def _is_deeper(value: object, levels: int) -> bool:
    """Whether a value of JSON has more levels of objects and lists."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return inner is not None and (levels == 0 or any(_is_deeper(one, levels - 1) for one in inner))


def _lines_of_session(text: str) -> list[str]:
    """The lines of a string that begins with a prompt, below what stands in front of it; empty for any other text.

    The commands among them say what the lines below mean: `time -f` has a format, and a load its options.
    """
    if "\n" in text:  # taken out of a record of a log already
        return ["", *text.split("\n")] if text.startswith(_PROMPT) else []
    begins = _SESSION.search(text) if "\\n" in text and '"' in text else None
    if begins is None:
        return []
    string = text[begins.end() :].replace("\\\\", "\1").replace('\\"', "\0")
    string = _NEXT_STRING.sub("\n", string).partition('"')[0]
    for escape, sign in (("\\n", "\n"), ("\\t", "\t"), ("\1", "\\"), ("\0", '"')):
        string = string.replace(escape, sign)
    return [text[: begins.start()], *string.split("\n")]


def _lines_of_string(text: str) -> list[str]:
    """The lines of a string of JSON or of a log. The first is what stands in front of the string.

    A string that source code assigns, returns or passes on is nothing that a tool printed: it stays one line.
    """
    mark = "'" if text.startswith("b'") else '"'
    begin = text.rfind(mark, 0, max(text.find("\\n"), 0)) + 1
    before = text[:begin]
    if begin and _IN_CODE.search(before[-_LONGEST_CODE:]):
        return [text]
    text = text[begin:].lstrip("`")
    text = _NEXT_STRING.sub("\n", text.replace("\\t", "\t").replace('\\"', "\0"))
    lines = text.replace("\\n", "\n").split("\n")
    lines[-1] = lines[-1].partition(mark)[0] if begin else lines[-1]
    return [before, *(line.replace("\0", '"') for line in lines)]


def plain_text(text: str) -> str:
    """A line as its tool printed it: without tags, entities, emphasis and typographic characters."""
    if "</t" in text:
        text = markup.table_cells(text)
    if "<" in text or "&" in text:  # twice: the tags of a page may stand in its source as entities
        text = html.unescape(markup.without_tags(markup.without_tags(text)))
    if not text.isascii():
        text = text.translate(_AS_TYPED)
    if "**" in text and text.strip("* "):  # a line of asterisks alone underlines a heading
        text = text.replace("**", "")
    text = text.removeprefix("^C")
    if "\\t" in text and '"' in text:
        text = text.replace("\\t", " ")
    if "\\" in text:
        text = _MARKDOWN_ESCAPE.sub(r"\1", text)
        if text.endswith("\\") and "$ " not in text:  # Markdown's line break; behind a prompt the command goes on
            text = text[:-1]
    if "`" in text:
        text = _without_code_marks(text)
    if text.lstrip().startswith("+ CategoryInfo "):  # PowerShell repeats the line above behind it
        return ""
    return text


def _without_code_marks(text: str) -> str:
    """A line that is inline code as a whole without its backticks; other lines are prose and stay as they are."""
    bare = text.strip(" -*+>|")
    if len(bare) > 2 and bare[0] == bare[-1] == "`" and "`" not in bare[1:-1]:
        return bare[1:-1]
    code = markup.inline_code(bare)
    return text if code is None else code

"""Restores the printed lines of a source, without the wrapping of logs, pages, notebooks, recordings and diffs.

One line of a source may contain several printed lines (``<br>`` in a cell of a table, the carriage returns of a
progress bar, a string of JSON). One printed line may also be in several (a container runtime cuts lines after 16 KiB).
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from wrkparse.text.wrapping import markup, prefixes
from wrkparse.text.wrapping.containers import ContainerReader, begins_container, container_reader
from wrkparse.text.wrapping.quoted_printable import HEADER_BEGINNINGS, QuotedPrintable

# ECMA-48 control sequences, window titles, time stamps of Buildkite, and a character before a backspace.
_ESCAPE_SEQUENCES = re.compile(r"\x1b(?:\[[0-9;?]*[A-Za-z]|[\]_][^\x07\x1b]{0,200}(?:\x07|\x1b\\))|[^\x08]\x08")
# ASCII characters that are not markup, as one negated class: it takes half the time of two classes with "|" between.
_PLAIN_CHARACTERS = "".join(chr(code) for code in range(0x20, 0x7F) if chr(code) not in "<&`\\*{^")
_MAY_BE_MARKUP = re.compile(f"[^{re.escape(_PLAIN_CHARACTERS)}]")
_NUMBER_AS_CODE = re.compile(r"(?<=[:=] )( {0,20})`([0-9][^`\s]{0,20})`(?=\s{0,20}\Z)")  # "Requests/sec: `1042.5`"
# "- `410759 requests in 10.10s`, 72.06MB read", "`410759` requests in 10.10s"
_LEADING_CODE = re.compile(r"\A([\s>*+|•-]{0,40})`([0-9][^`]{0,80})`(?=,?\s[^`]*\Z)")
_LINE_BREAK_TAG = re.compile(r"<br ?/?>", re.IGNORECASE)
# The edges of headings and blocks of code within a line: pages are often written without line ends.
_BLOCK_EDGE = re.compile(
    r"(?<=\S)(?=<(?:h[1-6]|pre|testcase)[\s>])|(?<=</h[1-6]>)(?=\S)|(?<=<system-out>)(?=\S)|(?<=</pre>)(?=\S)",
    re.IGNORECASE,
)
_CDATA = re.compile(r"<!\[CDATA\[|\]\]>(?=\s{0,9}(?:</|\Z))")  # text in XML, as it is
_ROW_END = re.compile(r"</tr>(?=\s{0,20}<tr)", re.IGNORECASE)  # of a table in one line
# "a\_b" and "\*"; a backslash before other characters, as in "c \d", is text
_MARKDOWN_ESCAPE = re.compile(r"\\([\\`*_{}\[\]()#+.!|<>~-])")
# "@@ -1,8 +1,8 @@"; a count of 1 is left out
_HUNK = re.compile(r"@@ -[0-9]{1,9}(?:,([0-9]{1,9}))? \+[0-9]{1,9}(?:,([0-9]{1,9}))? @@")
_NO_HUNK = (0, 0)  # the old and new lines left; so it also is the state after the last line of a hunk
# Beginnings of lines that change how other lines are read.
_SPECIAL_BEGINNINGS = frozenset({"@@ -", *HEADER_BEGINNINGS})
_STRING_END = re.compile(r'", ?"[\w@.-]{1,60}": ?"`{0,3}')  # in JSON: one string ends, and the next begins
_MORE_TEXT = re.compile(r'\\n[^"]{0,200}"[\]},]')  # in JSON: a string ends, and more follows
_DEEPEST = 20  # levels of a value of JSON; those of load generators have up to 8
_FEWEST_CHARACTERS = 40  # for each of its lines; a report has some 400, with a few fields beside it
_FEWEST_BREAKS = 2  # "\n" in a string that make it a text; the arguments of a command seldom have more than one
_TIME_FORMAT = re.compile(r"%\*?[A-Za-z]\\n|\\n%")  # an argument of `time -f` is not such a text
_PROMPT = "$ "  # other prompts, such as "# ", also begin other lines
# A string of JSON with a terminal session, which begins with a prompt.
_SESSION_STRING = re.compile(r"""(?:\A *|[:,[{] ?)"(?=[$] [^"\\])""")
# Longer lines (64 KiB; container runtimes cut at 16) are data; they are searched only for events.
_LONGEST = 1 << 16
_LONGEST_JSON = 1 << 22  # characters in one line, about 4,000 reports; its lines take some five times the memory
_BLANKS = "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
# ASCII for the characters that word processors, blogs and Chinese input methods use instead of it.
_TYPED_CHARACTERS = str.maketrans(
    dict.fromkeys(_BLANKS, " ")
    | dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff", "")
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2212", "-")
    | dict.fromkeys("\u2018\u2019\u201a\u2032", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u2033", '"')
    | {"→": "->", "⇒": "->"}
    | {chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}  # the full-width forms of ASCII
)


class NormalizedLine(NamedTuple):
    """One printed line.

    ``number`` and ``raw`` are those of the line of the source. ``page_text`` is the line as the page shows it, for the
    context; None for the second and later printed lines of one line. ``plain`` is the text that the tool printed.
    ``stamp`` and ``stream`` are the time and the process in the wrapping; empty without one.
    """

    number: int
    raw: str
    page_text: str | None
    plain: str
    stamp: str = ""
    stream: str = ""


_new_line: Callable[[tuple[object, ...]], NormalizedLine] = partial(tuple.__new__, NormalizedLine)
"""Make a line of all its fields, in half the time of ``NormalizedLine(…)``: every line of a source is one."""


class LineNormalizer:
    """Takes the lines of one source in order and returns its printed lines.

    It keeps the first lines until it is known whether the source is a notebook or a recording, and a cut line until its
    rest comes.
    """

    def __init__(self) -> None:
        # The lines that may begin a notebook or a recording; None once it is known whether they do.
        self._opening_lines: list[tuple[str, int]] | None = []
        self._container: ContainerReader | None = None
        self._partial: dict[str, NormalizedLine] = {}  # cut lines by their stream
        self._mail = QuotedPrintable()
        self._hunk = _NO_HUNK  # the number of old and new lines left in the hunk of a diff

    @property
    def may_be_container(self) -> bool:
        """Whether the source may still be a notebook or a recording."""
        return self._opening_lines is not None

    @property
    def is_unwrapping(self) -> bool:
        """Whether the next line may depend on earlier ones.

        The source may be a notebook or a recording, or lines above change the way it is read: one of these, a hunk of a
        diff, a mail, a cut line.
        """
        in_container = self._opening_lines is not None or self._container is not None
        return in_container or bool(self._partial) or self._hunk != _NO_HUNK or self._mail.is_decoding

    def skip_container_check(self) -> None:
        """State, before the first line, that the source is neither a notebook nor a recording."""
        self._opening_lines = None

    def feed(self, raws: list[str], first: int) -> list[NormalizedLine]:
        """The printed lines of some lines of the source; the number of the first of them is `first`."""
        found: list[NormalizedLine] = []
        plain = not self.is_unwrapping
        for number, raw in enumerate(raws, first):
            # Most lines are printed lines already: no markup, hunk of a diff, encoded mail, or line that CRI cut.
            if (
                plain
                and _MAY_BE_MARKUP.search(raw) is None
                and " P " not in raw
                and raw[:4] not in _SPECIAL_BEGINNINGS
                and raw[-1:] != "="
                and prefixes.LOGFMT_SIGN not in raw
                and len(raw) < _LONGEST
            ):
                found.append(_new_line((number, raw, raw, raw, "", "")))
                continue
            if self._opening_lines is None:
                self._add_line(raw, number, found)
            else:
                self._add_opening_line(raw, number, found)
            plain = not self.is_unwrapping
        return found

    def finish(self) -> list[NormalizedLine]:
        """The lines that are still kept at the end of the source."""
        found: list[NormalizedLine] = []
        opening_lines, self._opening_lines = self._opening_lines, None
        for raw, number in opening_lines or ():
            self._add_line(raw, number, found)
        for text, at in self._container.finish() if self._container is not None else ():
            self._unwrap(text, at, found)
        if rest := self._mail.finish():
            self._unwrap(*rest, found)
        return [*found, *self._partial.values()]

    def _add_opening_line(self, raw: str, number: int, found: list[NormalizedLine]) -> None:
        """Keep one of the first lines; they are read together once it is known what they begin."""
        assert self._opening_lines is not None
        self._opening_lines.append((raw, number))
        opening = "\n".join(text for text, _ in self._opening_lines)
        decided = begins_container(opening)
        if decided is None:
            return
        self._container = container_reader(opening) if decided else None
        opening_lines, self._opening_lines = self._opening_lines, None
        for text, line_number in opening_lines:
            self._add_line(text, line_number, found)

    def _add_line(self, raw: str, number: int, found: list[NormalizedLine]) -> None:
        if self._container is None:
            if (line := self._mail.feed(raw, number)) is not None:
                self._unwrap(*line, found)
            return
        for text, at in self._container.feed(raw, number):
            self._unwrap(text, at, found)

    def _unwrap(self, raw: str, number: int, found: list[NormalizedLine]) -> None:
        """Add the printed lines of a line, without its diff mark, its JSON and its cuts."""
        if len(raw) > _LONGEST:
            # events are found in `plain`; for the context the line is empty
            line = NormalizedLine(number, raw, "", raw)
            if not _add_indented_json(line, found):
                found.append(line)
            return
        if prefixes.LOGFMT_SIGN in raw and (fields := prefixes.parse_logfmt(raw)):
            # the page keeps the fields, which may name what follows
            found.append(NormalizedLine(number, raw, raw, plain_text(fields.text), fields.stamp, fields.stream))
            return
        text, stamp, stream = raw, "", ""
        if self._hunk != _NO_HUNK or raw.startswith("@@ -"):
            text, stream = self._without_diff_mark(raw)
        record = prefixes.parse_envelope(text) if text.startswith("{") else None
        if record is not None:
            text, stamp, stream, partial, _ = record
        else:
            # CRI marks a cut line in its prefix: "2026-11-20T10:00:00.1Z stdout P Requests/s"
            partial = " P " in text and prefixes.longest_prefix(text).partial
        # each stream has its own cut line: two containers of a pod print at the same time
        if partial or self._partial:
            at = prefixes.longest_prefix(text) if record is None else prefixes.NO_PREFIX
            key = stream or at.stream
            before = self._partial.pop(key, None)
            text = before.raw + text[at.end :] if before else text
            number, stamp = (before.number, before.stamp) if before else (number, stamp)
            if partial and len(text) < _LONGEST:
                self._partial[key] = NormalizedLine(number, text, text, text, stamp, stream)
                return
        first = len(found)
        _add_text(NormalizedLine(number, raw, text, text, stamp, stream), found)
        if record is not None and record.fields and text.strip():
            found[first] = found[first]._replace(page_text=f"{found[first].page_text} {record.fields}")

    def _without_diff_mark(self, raw: str) -> tuple[str, str]:
        """A line of a diff without its mark, and its stream: removed lines are a separate text."""
        old, new = self._hunk
        sign = raw[:1]
        if match := _HUNK.match(raw):
            self._hunk = int(match[1] or 1), int(match[2] or 1)
            return raw, ""
        # "\ No newline at end of file" is neither old nor new; editors remove the blank of an empty line
        if sign not in (" ", "+", "-", "\\", ""):
            self._hunk = _NO_HUNK
            return raw, ""
        self._hunk = max(0, old - (sign in (" ", "-", ""))), max(0, new - (sign in (" ", "+", "")))
        return raw[1:], "removed" if sign == "-" else ""


def _cells_before(row: str) -> str:
    """A row of a table without the cell that has several lines, and without the cells after it."""
    line_break = _LINE_BREAK_TAG.search(row)
    return row[: row.rfind("|", 0, line_break.start()) + 1] if line_break else row


def _blocks(text: str) -> list[str]:
    """The blocks of a line of HTML or XML: headings, tests, and texts as they were printed."""
    text = _CDATA.sub(lambda mark: "<pre>" if mark[0][0] == "<" else "</pre>", text)
    return _BLOCK_EDGE.split(text)


# The text before a string in source code, but not in a log: "out := ", "expect(", "return ".
_CODE_BEFORE_STRING = re.compile(r"""(?:[\w\])]\s+[:+]?=\s+|\w\(\s*|\breturn\s+)[a-zA-Z]{0,2}["']\Z""")
_LONGEST_CODE = 80  # characters in front of a string, of which the pattern needs the last few


def _add_text(line: NormalizedLine, found: list[NormalizedLine]) -> None:
    """Add the printed lines of the text of a line: of a value of JSON, or of each block of a page."""
    text = line.plain
    if not _add_indented_json(line, found):
        for block in _blocks(text) if "<" in text or "]]>" in text else (text,):
            _add_printed_lines(line, block, found)


def _add_indented_json(line: NormalizedLine, found: list[NormalizedLine]) -> bool:
    """Add the printed lines of a line that is a value of JSON; returns whether it is one.

    Each has a line of the indented form of the value as the line of the source.
    """
    lines = _indented_json_lines(line.plain)
    for text in lines:
        _add_printed_lines(line._replace(raw=text), text, found)
    return bool(lines)


def _add_printed_lines(line: NormalizedLine, text: str, found: list[NormalizedLine]) -> None:
    """Add the printed lines of a text in a line: one, or several between carriage returns, ``<br>``, escaped ends."""
    number, raw, _, _, stamp, stream = line
    if _MAY_BE_MARKUP.search(text) is None:
        found.append(_new_line((number, raw, text, text, stamp, stream)))
        return
    if "\x1b" in text or "\b" in text:
        text = _ESCAPE_SEQUENCES.sub("", text)
    # before single carriage returns, which are not line ends
    text = text.replace("\r\n", "\n")
    pieces = [text]
    if "\r" in text:
        pieces = text.rstrip("\r").split("\r")
        # a progress bar prints over its line: the page shows what was printed last
        text = pieces[-1]
    if "</tr>" in text:
        text = _ROW_END.sub("</tr><br>", text)
    if "<" in text and _LINE_BREAK_TAG.search(text):
        # also at the bars of a table: the cells beside one with <br> are lines, too
        pieces = _LINE_BREAK_TAG.sub("|", text).split("|")
    elif session := _lines_of_session(text):
        found += [
            _new_line((number, raw, None if at and piece[:2] != _PROMPT else piece, plain_text(piece), stamp, stream))
            for at, piece in enumerate(session)
        ]
        return
    # after a prompt the breaks are those of a command: $ printf 'a\nb\n'
    elif "\n" in text or (text.count("\\n") >= _FEWEST_BREAKS and "$ " not in text and not _TIME_FORMAT.search(text)):
        pieces = _lines_of_string(text)
        text = pieces[0] or text
    page_text: str | None = _cells_before(text) if len(pieces) > 1 and text[:1] == "|" else text
    for piece in pieces:
        found.append(_new_line((number, raw, page_text, plain_text(piece), stamp, stream)))
        page_text = None


def _indented_json_lines(text: str) -> list[str]:
    """The lines of a value of JSON with several texts in it, as if it were indented; empty for any other text.

    Lines without a string are left out. Empty for data that is not text: nested deeply, or with many short values.
    """
    if text[:1] not in ("{", "[") or len(text) > _LONGEST_JSON or text.count("\\n") < 2 * _FEWEST_BREAKS:
        return []
    if not _MORE_TEXT.search(text):
        return []
    try:
        # parsed last: the tests above are cheaper
        value = json.loads(text)
    except (ValueError, RecursionError):
        return []
    if _is_deeper(value, _DEEPEST):
        return []
    indented = json.dumps(_with_fields_first(value), indent=2, ensure_ascii=False)
    lines = [line for line in indented.split("\n") if '"' in line]
    return lines if len(lines) * _FEWEST_CHARACTERS <= len(text) else []


def _with_fields_first(value: object) -> object:
    """A value of JSON, with the fields of each object in front of its texts, which they describe."""
    if isinstance(value, list):
        return [_with_fields_first(item) for item in value]
    if isinstance(value, dict):
        return {key: _with_fields_first(value[key]) for key in sorted(value, key=lambda key: _has_text(value[key]))}
    return value


def _has_text(value: object) -> bool:
    """Whether a value of JSON is a text of several lines, or contains one."""
    if isinstance(value, dict | list):
        return any(map(_has_text, value.values() if isinstance(value, dict) else value))
    return isinstance(value, str) and value.count("\n") >= _FEWEST_BREAKS


def _is_deeper(value: object, levels: int) -> bool:
    """Whether a value of JSON has more levels of objects and lists."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return inner is not None and (levels == 0 or any(_is_deeper(item, levels - 1) for item in inner))


def _lines_of_session(text: str) -> list[str]:
    """The lines of a string that begins with a prompt, and the text before it as the first; empty for other texts.

    The commands among them give the lines below their meaning: `time -f` has a format, and a load its options.
    """
    if "\n" in text:  # an earlier step took the string out of a record of a log
        return ["", *text.split("\n")] if text.startswith(_PROMPT) else []
    begins = _SESSION_STRING.search(text) if "\\n" in text and '"' in text else None
    if begins is None:
        return []
    string = text[begins.end() :].replace("\\\\", "\1").replace('\\"', "\0")
    string = _STRING_END.sub("\n", string).partition('"')[0]
    for escape, sign in (("\\r\\n", "\n"), ("\\n", "\n"), ("\\t", "\t"), ("\1", "\\"), ("\0", '"')):
        string = string.replace(escape, sign)
    return [text[: begins.start()], *string.split("\n")]


def _lines_of_string(text: str) -> list[str]:
    """The lines of a string of JSON or of a log; the first is the text before the string.

    A string that source code assigns, returns or passes is not output of a tool: it stays one line.
    """
    mark = "'" if text.startswith("b'") else '"'
    begin = text.rfind(mark, 0, max(text.find("\\n"), 0)) + 1
    before = text[:begin]
    if begin and _CODE_BEFORE_STRING.search(before[-_LONGEST_CODE:]):
        return [text]
    text = text[begin:].lstrip("`")
    text = _STRING_END.sub("\n", text.replace("\\t", "\t").replace('\\"', "\0"))
    lines = text.replace("\\r\\n", "\n").replace("\\n", "\n").split("\n")
    # what follows the end of the string is JSON or code
    lines[-1] = lines[-1].partition(mark)[0] if begin else lines[-1]
    return [before, *(line.replace("\0", '"') for line in lines)]


def plain_text(text: str) -> str:
    """A line as its tool printed it: without tags, entities, emphasis and typographic characters."""
    if "</t" in text:
        text = markup.html_cell_text(text)
    if "<" in text or "&" in text:  # twice: tags may be written as entities
        text = html.unescape(markup.without_tags(markup.without_tags(text)))
    if not text.isascii():
        text = text.translate(_TYPED_CHARACTERS)
    if "**" in text and text.strip("* "):  # a line of asterisks alone underlines a heading
        text = text.replace("**", "")
    text = text.removeprefix("^C")  # a terminal shows it in front of what wrk prints when Ctrl-C ends it
    if "\\t" in text and '"' in text:  # a tab in a string of JSON
        text = text.replace("\\t", " ")
    if "\\" in text:
        text = _MARKDOWN_ESCAPE.sub(r"\1", text)
        if text.endswith("\\") and "$ " not in text:  # a line break of Markdown; after a prompt the command continues
            text = text[:-1]
    if "`" in text:
        text = _without_code_marks(text)
    if text.lstrip().startswith("+ CategoryInfo "):  # PowerShell repeats the line above after it
        return ""
    return text


def _without_code_marks(text: str) -> str:
    """A line without its backticks if it is inline code as a whole, or its number is; prose stays unchanged."""
    text = _LEADING_CODE.sub(r"\1\2", _NUMBER_AS_CODE.sub(r"\1\2", text))
    bare = text.strip(" -*+>|")
    if len(bare) > 2 and bare[0] == bare[-1] == "`" and "`" not in bare[1:-1]:
        return bare[1:-1]
    code = markup.inline_code(bare)
    return text if code is None else code

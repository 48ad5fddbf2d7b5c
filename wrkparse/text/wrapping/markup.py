"""Parses single lines of a page: headings, list items, fences, front matter.

The formats are Markdown (CommonMark), the headings of reStructuredText, AsciiDoc and HTML, and banners of scripts.
"""

from __future__ import annotations

import html
import json
import re
from typing import NamedTuple

_ATX = re.compile(r"(#{1,6})(?:\s+(.*))?")  # CommonMark, "ATX headings"
# Before CommonMark, a blank was not needed. One sign may be that of a topic (#kiwi) or of a number.
_TIGHT_ATX = re.compile(r"(#{2,6})([^\W\d_][^#\[\]]{0,118})")
_TIGHT_FIRST_LEVEL = re.compile(r"#([^\W\d_][^#\[\]]{0,118})")  # with a heading of the second level directly below
_UNDERLINE = re.compile(r"={2,}|-{3,}|([~^*+#.:\"'_])\1{3,}")
_MARKDOWN_MARKS = ("=", "-")  # in Markdown always the first and the second level
_ASCIIDOC = re.compile(r"(={1,6})\s+([^\s=].{0,120})")
# The title of a paragraph.
_BOLD = re.compile(
    r"\*\*\*?([^*\s](?:[^*]{0,78}[^*\s])?)\*\*\*?(?: \([^()]{1,80}\))?:?|__([^_\s](?:[^_]{0,78}[^_\s])?)__:?"
)
# Of AsciiDoc: "[source,console]" before a block, "image::graph.svg[]" instead of one. Of Markdown: pictures.
_BLOCK_MACRO = re.compile(
    r"\[(?:source|listing|literal|console|subs|%)[^\]]{0,100}\]|[a-z]{1,20}::[^\s\[]{1,300}\[.{0,200}\]"
    r"|(?:\[?!\[[^\[\]]{0,200}\]\([^()]{0,400}\)(?:\]\([^()]{0,400}\))?(?:\{[^{}]{0,80}\})?\s?){1,9}"
)
_BLOCK_TITLE = re.compile(r"\.(?=[A-Za-z])(?!net\b)", re.IGNORECASE)  # of AsciiDoc; not .NET
_BANNER = re.compile(r"([=*~#-])\1{1,80}\s+(\S.{0,120})")  # "*** nginx ***": it must end as it begins
_WIKI_LEVELS = 4  # "== heron ==" has "=== 8 connections ===" below it in wikis; longer rulers are those of scripts
_BANNER_SIGNS = frozenset("=*~#-")
HEADING_SIGNS = _BANNER_SIGNS.union("_")  # each heading begins with one of these, or contains a <
_HTML = re.compile(r"<h([1-6])(?:\s[^<>]{0,200})?>([^<>]{1,200})</h[1-6]>\s*", re.IGNORECASE)
_SUMMARY = re.compile(r"<summary>([^<>]{1,200})</summary>", re.IGNORECASE)
_FORMATTING_TAGS = re.compile(
    r"</?(?:pre|code|samp|kbd|tt|p|li|ul|ol|b|i|u|em|strong|mark|small|big|sub|sup|font|span|div|center|br|td|tr|a"
    r"|figure|figcaption|testsuites?|testcase|system-out)"
    r"(?:\s[^<>]{0,200})?/?>|<\?xml\s[^<>]{0,200}>",
    re.IGNORECASE,
)
_ANY_TAG = re.compile(r"<[^<>]{0,200}>")
# The names of languages behind a fence whose code says nothing about runs. Shells and formats of data are left out.
_SOURCE_LANGUAGES = frozenset(
    """c c++ cpp cs csharp clojure crystal d dart elixir erlang f# fsharp go golang haskell java javascript js jsx julia
    kotlin kt lua nim objc ocaml perl php py python rb rs ruby rust scala swift ts tsx typescript v zig""".split()
)
_FIGURE = re.compile(r"!?\[[^\[\]]{0,100}\]\([^()\s]{1,300}\.(?:gif|jpe?g|png|svg|webp)\)", re.IGNORECASE)
_FENCE = re.compile(r"(`{3,})[^`]*|(~{3,})[^~]*")
# Of Docusaurus, MkDocs, Hugo, Quarto and others; the last is VitePress'.
_FENCE_TITLE = re.compile(
    r"""[\s{](?:title|filename|caption|label)\s?=\s?(?:"([^"]{1,100})"|'([^']{1,100})'|([^\s"'{}]{1,100}))"""
    r"""|\s\[([^\[\]]{1,100})\]\s*\Z"""
)
_ITEM = re.compile(r"([-*+•]|[0-9]{1,3}[.)])(\s+(?:\[[ xX]\]\s+)?)(?=\S)")  # a task has a box
_FRONT_MATTER = re.compile(r"[\w-]{1,60}:(?:\s.*)?|[-#\s].*|")
_INLINE_CODE = re.compile(r"(?:[A-Z][A-Za-z ]{0,30}:\s*)?`([^`]+)`\s*[:：.]?")

_JSON_FIELD = re.compile(r'[{,]?\s{0,9}"[^"\\]{1,60}"\s?:\s?("(?:[^"\\]|\\.){1,1000}")\s?[,}]{0,2}')

_CELL_BAR = re.compile(r"(?<!\\)\|")
_BOXED = re.compile(r"([|│║])\s{1,80}([^|│║]{1,60}?)\s{1,80}\1")
BOX_CORNERS = "+┌╔╭┏"  # the first sign of the upper side of a box

# The text of buttons above blocks of code, in pages that were copied as text.
COPY_BUTTONS = frozenset({"Copy", "Copy code", "复制代码", "复制代码 代码如下:", "复制代码 代码如下："})
DEEPEST_LEVEL = 7  # the level of a <summary> or of a bold line: below the six of HTML and Markdown


class Heading(NamedTuple):
    """A heading; ``level`` 1 is the outermost."""

    level: int
    text: str


class ListItem(NamedTuple):
    """A list item: its text, the columns from its mark to its text, and whether its list is numbered."""

    text: str
    offset: int
    ordered: bool


def parse_heading(text: str) -> Heading | None:
    """The heading in a line, maybe with an empty text; None if the line is not a heading."""
    sign = text[:1]
    if sign == "#" and (match := _ATX.fullmatch(text) or _TIGHT_ATX.fullmatch(text)):
        title = (match[2] or "").strip()
        bare = title.rstrip("#")
        closed = bare != title and (not bare or bare[-1].isspace())  # "# nginx #", not "# C#"
        return Heading(len(match[1]), bare.strip() if closed else title)
    if sign in _BANNER_SIGNS and (match := _BANNER.fullmatch(text)):
        title = match[2].rstrip(match[1])
        if len(match[2]) - len(title) > 1 and title[-1:].isspace() and any(map(str.isalnum, title)):
            signs = len(match[2]) - len(match[2].rstrip(match[1]))
            level = signs if match[1] == "=" and signs <= _WIKI_LEVELS else 1 if match[1] in "=#" else _WIKI_LEVELS + 1
            return Heading(level, title.strip())
    if sign == "=" and (match := _ASCIIDOC.fullmatch(text)):
        return Heading(len(match[1]), match[2].rstrip("= "))
    if sign in "*_" and sign and (match := _BOLD.fullmatch(text)):
        return Heading(DEEPEST_LEVEL, match[1] or match[2])
    if sign == "<" and (match := _HTML.fullmatch(text)):
        return Heading(int(match[1]), html.unescape(match[2]).strip())
    if "<" in text and (match := _SUMMARY.search(text)):
        return Heading(DEEPEST_LEVEL, html.unescape(match[1]).strip())
    return None


def first_level_without_blank(text: str) -> str:
    """The text of a heading of the first level without a blank, ``#Kiwi``; empty for other lines.

    By itself such a line may be a topic. Directly above ``## Emu`` it is a heading.
    """
    match = _TIGHT_FIRST_LEVEL.fullmatch(text)
    return match[1].strip() if match else ""


def is_underline(text: str, above: str) -> bool:
    """Whether a line makes the line above it a heading: one sign, as often as the line above has characters.

    Markdown allows fewer signs. Attributes and macros of AsciiDoc are not headings.
    """
    if not _UNDERLINE.fullmatch(text) or is_block_macro(above):
        return False
    return text[0] in _MARKDOWN_MARKS or len(text) >= len(above)


def is_block_macro(text: str) -> bool:
    """Whether a line is an attribute or a macro of AsciiDoc (``[source,console]``), or only a picture.

    A picture is ``image::a.svg[]`` or ``![](a.svg)``.
    """
    return "[" in text and _BLOCK_MACRO.fullmatch(text) is not None


def boxed_text(text: str) -> str:
    """The text between the two sides of a box; empty for other lines."""
    match = _BOXED.fullmatch(text)
    return match[2] if match else ""


def without_title_mark(text: str) -> str:
    """A title without the dot of the title of an AsciiDoc block."""
    return _BLOCK_TITLE.sub("", text, count=1) if text.startswith(".") else text


def indentation(raw: str) -> int:
    """The column at which the text of a line begins; a tab goes to the next multiple of 4."""
    if not raw[:1].isspace():
        return 0
    raw = raw.expandtabs(4)
    return len(raw) - len(raw.lstrip())


class UnderlineLevels:
    """The levels of the underlined headings of a page.

    reStructuredText gives its marks no fixed level: they get one in the order in which they first appear. A mark above
    and below a heading is not the same mark as one only below it.
    """

    _marks: tuple[str, ...] = ()

    def level_of(self, mark: str, *, overlined: bool) -> int:
        """The level of the next heading, which has this mark."""
        mark = mark * 2 if overlined else mark
        if mark not in self._marks:
            self._marks += (mark,)
        order = _MARKDOWN_MARKS if set(self._marks) <= set(_MARKDOWN_MARKS) else self._marks
        return min(order.index(mark) + 1, DEEPEST_LEVEL - 1)


def is_framed(text: str) -> bool:
    """Whether a line has one sign and a blank at both ends, as a title in a frame of signs: ``*  kiwi  *``."""
    return text[1:2] == " " == text[-2:-1] and text[0] == text[-1] and text[0] in "*+-~"


def parse_list_item(text: str) -> ListItem | None:
    """The list item that begins in a line; None for other lines, and for titles in a frame: ``*  kiwi  *``."""
    match = _ITEM.match(text)
    if match is None or is_framed(text):
        return None
    return ListItem(text[match.end() :], match.end(), match[1][0].isdigit())


def fence_title(text: str) -> str:
    """The title that the line opening a fence states: ``text title="kiwi"``, ``text [kiwi]``; empty without one."""
    match = _FENCE_TITLE.search(text) if "=" in text or "[" in text else None
    return next(filter(None, match.groups())).strip() if match else ""


def fence_mark(text: str) -> str | None:
    """The backticks or tildes of a line that can open a fence; None for other lines."""
    match = _FENCE.fullmatch(text) if text[:3] in ("```", "~~~") else None
    return (match[1] or match[2]) if match else None


def is_figure(text: str) -> bool:
    """Whether a line only shows or links a figure: ``[put.svg](https://h/put.svg)``."""
    return _FIGURE.fullmatch(text) is not None


def is_source_fence(text: str) -> bool:
    """Whether a line opens a fence with the code of a program: "```go"."""
    words = text.lstrip("`~").split(None, 1)
    return bool(words) and words[0].lower().strip("{}.") in _SOURCE_LANGUAGES


def closes_fence(text: str, mark: str) -> bool:
    """Whether a line closes the fence that `mark` opened."""
    return text.startswith(mark) and not text.strip(mark[0])


def may_be_front_matter(text: str) -> bool:
    """Whether a line may belong to the YAML at the beginning of a page."""
    return _FRONT_MATTER.fullmatch(text) is not None


def front_matter_title(text: str) -> str:
    """The title of a page that a line of its YAML states, ``title: "Kiwi"``; empty for other lines."""
    return text.removeprefix("title:").strip().strip("\"'") if text.startswith("title: ") else ""


def inline_code(text: str) -> str | None:
    """The code of a line that is only code, maybe after a word and a colon (``Server: `./a` ``); else None."""
    match = _INLINE_CODE.fullmatch(text) if "`" in text else None
    return match[1].strip() if match else None


def json_field(text: str) -> str | None:
    """The text that a line of JSON gives one key: ``"command": "time ./a",``; None for other lines."""
    match = _JSON_FIELD.fullmatch(text) if text[:1] in '"{,' else None
    return unescape_string(match[1]) if match else None


def unescape_string(text: str) -> str:
    """A text between double quotes of JSON or YAML, without its escapes."""
    try:
        return str(json.loads(text))
    except ValueError:  # an escape that JSON does not have
        return text[1:-1]


def row_cells(line: str) -> tuple[str, ...]:
    """The cells of a row of a pipe table, with or without bars at its ends; ``\\|`` is a bar within a cell."""
    inner = line.strip().removeprefix("|")
    inner = inner[:-1] if inner.endswith("|") and not inner.endswith("\\|") else inner
    return tuple(cell.strip().replace("\\|", "|") for cell in _CELL_BAR.split(inner))


def html_cell_text(text: str) -> str:
    """The words in the cells of a line of an HTML table."""
    return html.unescape(_ANY_TAG.sub(" ", text))


def without_tags(text: str) -> str:
    """A line of a page without formatting tags, with its entities as characters."""
    if "<" in text and ">" in text:
        text = _FORMATTING_TAGS.sub("", text)
    return html.unescape(text) if "&" in text and ";" in text else text

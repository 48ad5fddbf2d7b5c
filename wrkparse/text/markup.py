"""What kind of line a line of a page is: heading, list item, fence, front matter. One line at a time.

Markdown (CommonMark), the headings of reStructuredText, AsciiDoc and HTML, and the banners that scripts print.
"""

from __future__ import annotations

import html
import re
from typing import NamedTuple

_ATX = re.compile(r"(#{1,6})(?:\s+(.*))?")
_UNDERLINE = re.compile(r"={2,}|-{3,}|([~^*+#.:\"'_])\1{3,}")
_MARKDOWN = ("=", "-")  # of the first level and the second, wherever they stand first
_ASCIIDOC = re.compile(r"(={1,6})\s+([^\s=].{0,120})")
_BLOCK = re.compile(r"\[(?:source|listing|literal|console|subs|%)[^\]]{0,100}\]")  # what AsciiDoc says of the one below
_BLOCK_TITLE = re.compile(r"\.(?=[A-Za-z])(?!net\b)", re.IGNORECASE)  # AsciiDoc's, not .NET
_BANNER = re.compile(r"([=*~#-])\1{1,80}\s+(\S.{0,120})")  # "*** nginx ***": it must end as it begins
_BANNER_SIGNS = frozenset("=*~#-")
_HTML = re.compile(r"<h([1-6])(?:\s[^<>]{0,200})?>([^<>]{1,200})</h[1-6]>\s*", re.IGNORECASE)
_SUMMARY = re.compile(r"<summary>([^<>]{1,200})</summary>", re.IGNORECASE)
_TAGS = re.compile(
    r"</?(?:pre|code|samp|kbd|p|li|ul|ol|b|i|em|strong|span|div|br|td|tr|a)(?:\s[^<>]{0,200})?/?>", re.IGNORECASE
)
_ANY_TAG = re.compile(r"<[^<>]{0,200}>")
_FENCE = re.compile(r"(`{3,})[^`]*|(~{3,}).*")
_ITEM = re.compile(r"([-*+•]|[0-9]{1,3}[.)])(\s+)(?=\S)")
_FRONT_MATTER = re.compile(r"[\w-]{1,60}:(?:\s.*)?|[-#\s].*|")
_INLINE = re.compile(r"(?:[A-Z][A-Za-z ]{0,30}:\s*)?`([^`]+)`\s*[:：.]?")

DEEPEST = 7  # below every heading: a <summary>


class Heading(NamedTuple):
    """``level`` 1 is the outermost."""

    level: int
    text: str


class Item(NamedTuple):
    """A list item: its text, how far that is to the right of its mark, and whether the list counts its items."""

    text: str
    offset: int
    ordered: bool


def heading(text: str) -> Heading | None:
    """The heading that a line is by itself; an empty one has no text."""
    sign = text[:1]
    if sign == "#" and (match := _ATX.fullmatch(text)):
        title = (match[2] or "").strip()
        bare = title.rstrip("#")
        return Heading(len(match[1]), bare.strip() if bare != title and (not bare or bare[-1].isspace()) else title)
    if sign in _BANNER_SIGNS and (match := _BANNER.fullmatch(text)):
        title = match[2].rstrip(match[1])
        if len(match[2]) - len(title) > 1 and title[-1:].isspace() and any(map(str.isalnum, title)):
            return Heading(1 if match[1] in "=#" else 2, title.strip())
    if sign == "=" and (match := _ASCIIDOC.fullmatch(text)):
        return Heading(len(match[1]), match[2].rstrip("= "))
    if sign == "<" and (match := _HTML.fullmatch(text)):
        return Heading(int(match[1]), html.unescape(match[2]).strip())
    if "<" in text and (match := _SUMMARY.search(text)):
        return Heading(DEEPEST, html.unescape(match[1]).strip())
    return None


def underlines(text: str, above: str) -> bool:
    """Whether a line makes a heading of the one above it: it is one sign, of the marks of Markdown any number."""
    if not _UNDERLINE.fullmatch(text) or _BLOCK.fullmatch(above):
        return False
    return text[0] in _MARKDOWN or len(text) >= len(above)


def title(text: str) -> str:
    """A title without the mark that AsciiDoc puts in front of one."""
    return _BLOCK_TITLE.sub("", text, count=1) if text.startswith(".") else text


class Levels:
    """The levels of underlined headings: in reStructuredText, their marks go down in the order in which they appear.

    A mark that stands above a heading, too, is another than the same below it only.
    """

    def __init__(self) -> None:
        self._marks: list[str] = []

    def of(self, mark: str, *, overlined: bool) -> int:
        """The level of the next heading, whose mark is this."""
        mark = mark * 2 if overlined else mark
        if mark not in self._marks:
            self._marks.append(mark)
        known = _MARKDOWN if set(self._marks) <= set(_MARKDOWN) else self._marks
        return min(known.index(mark) + 1, DEEPEST - 1)


def item(text: str) -> Item | None:
    """The list item that begins with a line."""
    match = _ITEM.match(text)
    return Item(text[match.end() :], match.end(), match[1][0].isdigit()) if match else None


def fence(text: str) -> str | None:
    """The mark of a line that can open a fence."""
    match = _FENCE.fullmatch(text) if text[:3] in ("```", "~~~") else None
    return (match[1] or match[2]) if match else None


def closes(text: str, mark: str) -> bool:
    """Whether a line ends the fence that `mark` began."""
    return text.startswith(mark) and not text.strip(mark[0])


def front_matter(text: str) -> bool:
    """Whether a line can be one of the YAML in front of a page."""
    return _FRONT_MATTER.fullmatch(text) is not None


def inline_code(text: str) -> str | None:
    """The code that a line is: all of it, or what stands behind a word and a colon."""
    match = _INLINE.fullmatch(text) if "`" in text else None
    return match[1].strip() if match else None


def cells(text: str) -> str:
    """A line of a HTML table as the words of its cells."""
    return html.unescape(_ANY_TAG.sub(" ", text))


def without_tags(text: str) -> str:
    """A line of a page's source without the tags that only set type."""
    if "<" in text and ">" in text:
        text = _TAGS.sub("", text)
    return html.unescape(text) if "&" in text and ";" in text else text

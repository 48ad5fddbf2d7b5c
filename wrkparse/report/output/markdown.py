"""Writes a document as Markdown for a pull request: tables are folded, and figures are described in words."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any

from wrkparse._version import __version__
from wrkparse.report.document import pandoc
from wrkparse.report.document.model import MARKER, Document, Exhibit, resolve_references
from wrkparse.report.document.pandoc import Node, raw_inline, text_inline, walk
from wrkparse.report.exhibits.mime_types import BAR, TABLE
from wrkparse.text.escape import escaped

_MOST_CHARACTERS = 60_000  # a comment on GitHub may have 65,536
_FORMAT = "gfm"  # has tables, formulas between dollars, and HTML, with which tables are folded


def render_markdown(document: Document, byline: str) -> bytes:
    """The document in the Markdown of GitHub, in UTF-8. Sections that do not fit in a comment are named at the end."""
    head = [f"# {escaped(document.title)}", escaped(byline), _markdown_text(document.summary, document)]
    end = f"Made by wrkparse {__version__}."
    parts, left = [part for part in head if part], list[str]()
    size = sum(map(len, parts))
    for heading, blocks in _sections(document.body):
        text = _markdown_text(blocks, document)
        size += len(text)
        # What is left out counts, too: after the first section without room, all are left out.
        if size > _MOST_CHARACTERS:
            left.append(heading)
        else:
            parts.append(text)
    if left:
        parts.append(f"No room for: {escaped(', '.join(left))}. The HTML page and the PDF have it.")
    return ("\n\n".join(part.strip("\n") for part in [*parts, end] if part) + "\n").encode()


def _sections(blocks: list[Node]) -> Iterator[tuple[str, list[Node]]]:
    """The sections of level 1 and 2: the words of the heading, and the blocks."""
    heading, section = "", list[Node]()
    for block in blocks:
        if block["t"] == "Header" and block["c"][0] <= 2 and section:
            yield heading, section
            section = []
        if block["t"] == "Header" and block["c"][0] <= 2:
            heading = pandoc.text_of_inlines(block["c"][2])
        section.append(block)
    if section:
        yield heading, section


def _markdown_text(blocks: list[Node], document: Document) -> str:
    def change(node: Node) -> Any:
        if node["t"] == "RawBlock" and node["c"][0] == MARKER:
            return _exhibit_blocks(document.exhibits[int(node["c"][1])], document)
        if node["t"] == "Header":  # without its identifier, which Markdown would show
            level, (_, classes, pairs), words = node["c"]
            return {"t": "Header", "c": [level, ["", classes, pairs], words]}
        return None

    resolved = resolve_references(blocks, lambda exhibit: text_inline(exhibit.name), document.by_label())
    return pandoc.write(list(walk(resolved, change)), _FORMAT)


def _exhibit_blocks(exhibit: Exhibit, document: Document) -> list[Node]:
    if exhibit.kind == BAR:
        words = ", ".join(part["words"] for part in exhibit.content["parts"])
        return [{"t": "Para", "c": [text_inline(f"Audit: {words}.")]}]
    caption = resolve_references(exhibit.caption, lambda other: text_inline(other.name), document.by_label())
    if exhibit.kind == TABLE:
        drawn = document.repeated(exhibit)
        name = f"The numbers of {drawn.name}" if drawn else exhibit.name
        summary = f"{name}: {pandoc.text_of_inlines(caption)}"
        return [
            _raw_block(f"<details><summary>{escape(summary)}</summary>"),
            _raw_block(_table_markdown(exhibit)),
            _raw_block("</details>"),
        ]
    named = [{"t": "Strong", "c": [text_inline(exhibit.name)]}, text_inline(" "), *caption]
    return [{"t": "Para", "c": named}, {"t": "Para", "c": [raw_inline(_FORMAT, escaped(exhibit.content["alt"]))]}]


def _raw_block(text: str) -> Node:
    return {"t": "RawBlock", "c": [_FORMAT, text]}


def _table_markdown(exhibit: Exhibit) -> str:
    """The printed rows as a table of Markdown, with numbers aligned at the right."""
    content = exhibit.content
    columns = content["columns"]
    heads = [escaped(", ".join(filter(None, (one["title"], one["unit"])))) for one in columns]
    lines = [heads, ["--:" if one["right"] else "---" for one in columns]]
    lines += [[escaped(cell) for cell in row] for row in content["rows"]]
    more = f"\n\n… and {content['left_out']:,} more rows" if content["left_out"] else ""
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + more

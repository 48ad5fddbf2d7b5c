"""Marks the language of Chinese characters, so that each text is printed with the forms of that language."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wrkparse.plot.style.language import FACES, JAPANESE, detect_language
from wrkparse.report.document.model import Document
from wrkparse.report.document.pandoc import Node, iter_nodes, text_of_inlines, walk
from wrkparse.report.exhibits.mime_types import TABLE


def mark_languages(document: Document) -> None:
    """Mark the language of texts with Chinese characters that are not Japanese, the default.

    Paragraphs, headings and captions are wrapped in a Span. The languages of the title and of table cells go to
    `Document.languages`. If the characters of a text are ambiguous, the whole document decides
    (`wrkparse.plot.style.language`).
    """
    default = detect_language("".join(_all_texts(document)))
    if default is None:
        return

    def change(node: Node) -> Node | None:
        if node["t"] in ("Para", "Plain"):
            code = detect_language(text_of_inlines(node["c"]), default)
            return None if code in (None, JAPANESE) else {"t": node["t"], "c": [_language_span(node["c"], code)]}
        if node["t"] == "Header":
            level, attributes, words = node["c"]
            code = detect_language(text_of_inlines(words), default)
            return (
                None
                if code in (None, JAPANESE)
                else {"t": "Header", "c": [level, attributes, [_language_span(words, code)]]}
            )
        return None

    document.summary, document.body = walk(document.summary, change), walk(document.body, change)
    for exhibit in document.exhibits:
        code = detect_language(text_of_inlines(exhibit.caption), default)
        exhibit.caption = exhibit.caption if code in (None, JAPANESE) else [_language_span(exhibit.caption, code)]
    for words in {document.title, *_table_texts(document)}:
        code = detect_language(words, default)
        if code not in (None, JAPANESE):
            document.languages[words] = str(code)


def used_languages(document: Document) -> set[str]:
    """The languages of the document other than Japanese; fonts need the forms of their characters."""
    trees = [document.summary, document.body, *(one.caption for one in document.exhibits)]
    spans = (_language_of(node) for node in iter_nodes(trees))
    # Text in SVG names its font: `choose_cjk_faces` may have chosen one of another language.
    drawn = "".join(one.content.get("svg", "") for one in document.exhibits)
    named = {code for code, (_, family) in FACES.items() if f"{family}'" in drawn}
    return ({one for one in spans if one} | set(document.languages.values()) | named) - {JAPANESE}


def _language_of(node: Node) -> str:
    """The language of a Span that `mark_languages` made; empty for other nodes."""
    return dict(node["c"][0][2]).get("lang", "") if node["t"] == "Span" else ""


def marked_language(node: Node) -> tuple[str, list[Node]] | None:
    """The language and the inlines of a Span that `mark_languages` made; None for other nodes."""
    code = _language_of(node)
    return (code, node["c"][1]) if code else None


def _language_span(inlines: list[Node], code: Any) -> Node:
    return {"t": "Span", "c": [["", [], [["lang", code]]], inlines]}


def _table_texts(document: Document) -> Iterator[str]:
    """The titles of columns, and the cells that are not ASCII."""
    for exhibit in document.exhibits:
        if exhibit.kind == TABLE and exhibit.empty is None:
            yield from (column["title"] for column in exhibit.content["columns"])
            yield from (cell for row in exhibit.content["rows"] for cell in row if not cell.isascii())


def _all_texts(document: Document) -> Iterator[str]:
    yield document.title
    captions = (one.caption for one in document.exhibits)
    yield from (text_of_inlines(tree) for tree in (document.summary, document.body, *captions))
    yield from _table_texts(document)

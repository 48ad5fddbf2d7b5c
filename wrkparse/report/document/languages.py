"""Chinese characters in the forms of their language: what is not Japanese is marked, in both outputs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wrkparse.plot.style.fonts import FACES
from wrkparse.plot.style.language import JAPANESE, detect_language
from wrkparse.report.document.assemble import Document
from wrkparse.report.document.pandoc import Node, nodes, plain, walk
from wrkparse.report.exhibits.objects import TABLE


def mark(found: Document) -> None:
    """Put paragraphs, headings and captions of another language than Japanese, the default, into a Span.

    The title's language and those of cells stand in `Document.languages`, by their text. Where a text does not tell its
    language, the document as a whole does (`wrkparse.plot.style.language`).
    """
    default = detect_language("".join(_texts(found)))
    if default is None:
        return

    def change(node: Node) -> Node | None:
        if node["t"] in ("Para", "Plain"):
            told = detect_language(plain(node["c"]), default)
            return None if told in (None, JAPANESE) else {"t": node["t"], "c": [_span(node["c"], told)]}
        if node["t"] == "Header":
            level, attributes, words = node["c"]
            told = detect_language(plain(words), default)
            return None if told in (None, JAPANESE) else {"t": "Header", "c": [level, attributes, [_span(words, told)]]}
        return None

    found.summary, found.body = walk(found.summary, change), walk(found.body, change)
    for exhibit in found.exhibits:
        told = detect_language(plain(exhibit.caption), default)
        exhibit.caption = exhibit.caption if told in (None, JAPANESE) else [_span(exhibit.caption, told)]
    for words in {found.title, *_cells(found)}:
        told = detect_language(words, default)
        if told not in (None, JAPANESE):
            found.languages[words] = str(told)


def used(found: Document) -> set[str]:
    """The languages whose forms the document needs beside the Japanese ones."""
    spans = (_of(node) for node in nodes([found.summary, found.body, *(one.caption for one in found.exhibits)]))
    drawn = "".join(one.content.get("svg", "") for one in found.exhibits)
    named = {code for code, (_, family) in FACES.items() if f"{family}'" in drawn}
    return ({one for one in spans if one} | set(found.languages.values()) | named) - {JAPANESE}


def _of(node: Node) -> str:
    """The language of a Span of `mark`; empty for all else."""
    return dict(node["c"][0][2]).get("lang", "") if node["t"] == "Span" else ""


def spoken(node: Node) -> tuple[str, list[Node]] | None:
    """The language and the words of a Span of `mark`."""
    told = _of(node)
    return (told, node["c"][1]) if told else None


def _span(words: list[Node], told: Any) -> Node:
    return {"t": "Span", "c": [["", [], [["lang", told]]], words]}


def _cells(found: Document) -> Iterator[str]:
    for exhibit in found.exhibits:
        if exhibit.kind == TABLE and exhibit.empty is None:
            yield from (column["title"] for column in exhibit.content["columns"])
            yield from (cell for row in exhibit.content["rows"] for cell in row if not cell.isascii())


def _texts(found: Document) -> Iterator[str]:
    yield found.title
    yield from (plain(tree) for tree in (found.summary, found.body, *(one.caption for one in found.exhibits)))
    yield from _cells(found)

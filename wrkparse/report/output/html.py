"""A document as one HTML page that needs nothing else: no script, no other file, no address on the network."""

from __future__ import annotations

import base64
import re
from html import escape
from importlib import resources
from pathlib import Path
from typing import Any

from wrkparse._version import __version__
from wrkparse.report.document import pandoc
from wrkparse.report.document.assemble import MARKER, Document, Exhibit, resolved
from wrkparse.report.document.languages import used
from wrkparse.report.document.pandoc import Node, raw, walk
from wrkparse.report.exhibits.objects import TABLE
from wrkparse.report.output import fonts

_WORDS = 24  # characters from which a cell may wrap
_ID = re.compile(r'\bid="([^"]+)"')
_USE = re.compile(r'(\burl\(#|\bhref="#)([^)"]+)')
_HEAD = re.compile(r"^.*?(?=<svg)", re.DOTALL)
_METADATA = re.compile(r"<metadata>.*?</metadata>\s*", re.DOTALL)


def page(document: Document, byline: str) -> bytes:
    """The page; of the same document and byline the same bytes."""
    folder = resources.files("wrkparse.report.output")
    languages = used(document)
    characters = set(_texts([document.title, byline, document.summary, document.body]))
    characters |= set(_texts([[exhibit.content, exhibit.caption] for exhibit in document.exhibits]))
    values: Node = {
        "title": escape(document.title),
        "language": _language(document.title, document),
        "byline": escape(byline),
        "generator": f"wrkparse {__version__}",
        "style": folder.joinpath("page.css").read_text("utf-8") + fonts.css(characters, languages),
    }
    if document.summary:
        values["summary"] = _html(document.summary, document)
    options = ("--mathml", "--toc", "--toc-depth=3", "--number-sections", "--shift-heading-level-by=0")
    with resources.as_file(folder.joinpath("page.html")) as template:
        body = _html(document.body, document)
        return pandoc.write(body, "html5", *options, template=Path(template), values=values).encode()


def _texts(tree: Any) -> str:
    """All text of a tree, for its characters."""
    if isinstance(tree, str):
        return tree
    parts = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ()
    return "".join(map(_texts, parts))


def _html(blocks: list[Node], document: Document) -> list[Node]:
    def change(node: Node) -> Node | list[Node] | None:
        if node["t"] == "RawBlock" and node["c"][0] == MARKER:
            return _figure(int(node["c"][1]), document)
        if node["t"] == "Table":
            return [_block('<div class="wide" tabindex="0" role="group" aria-label="Table">'), node, _block("</div>")]
        return None

    return list(walk(_resolved(blocks, document), change))


def _resolved(tree: Any, document: Document) -> Any:
    return resolved(tree, _link, document.by_label())


def _link(exhibit: Exhibit) -> Node:
    return raw("html", f'<a href="#{exhibit.label}">{exhibit.name}</a>')


def _block(code: str) -> Node:
    return {"t": "RawBlock", "c": ["html", code]}


def _figure(at: int, document: Document) -> list[Node]:
    """The blocks of an exhibit: the caption goes through pandoc, all else is made here."""
    exhibit = document.exhibits[at]
    caption = [raw("html", f"<figcaption><strong>{exhibit.name}</strong> "), *_resolved(exhibit.caption, document)]
    begin = _block(f'<figure id="{exhibit.label}">')
    if exhibit.kind == TABLE:
        told = {"t": "Plain", "c": [*caption, raw("html", f"{_download(exhibit)}</figcaption>")]}
        return [begin, told, _block(_table(exhibit, document)), _block("</figure>")]
    told = {"t": "Plain", "c": [*caption, raw("html", "</figcaption>")]}
    return [begin, _block(_drawing(exhibit, at)), told, _block("</figure>")]


def _download(exhibit: Exhibit) -> str:
    data = base64.b64encode(exhibit.content["csv"].encode()).decode()
    name = exhibit.label.replace(":", "-")
    said = f"{exhibit.name} as CSV"
    return f' <a download="{name}.csv" href="data:text/csv;base64,{data}" aria-label="{said}">CSV</a>'


def _language(words: str, document: Document) -> str:
    """The attribute that says which language a text is of, where its Chinese characters are not Japanese."""
    return f' lang="{document.languages[words]}"' if words in document.languages else ""


def _table(exhibit: Exhibit, document: Document) -> str:
    content = exhibit.content
    head = "".join(_head(column, document) for column in content["columns"])
    rows = "".join(_row(row, content["columns"], document) for row in content["rows"])
    left = f'<p class="more">{content["left_out"]:,} more rows are in the CSV.</p>' if content["left_out"] else ""
    scroll = f'<div class="wide" tabindex="0" role="group" aria-label="{exhibit.name}">'
    return f"{scroll}<table><thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody></table></div>{left}"


def _head(column: dict[str, Any], document: Document) -> str:
    unit = f"<small>{escape(column['unit'])}</small>" if column["unit"] else ""
    attributes = _class(column["title"], column) + _language(column["title"], document)
    return f'<th scope="col"{attributes}>{escape(column["title"])}{unit}</th>'


def _row(cells: list[str], columns: list[dict[str, Any]], document: Document) -> str:
    shown = (
        f"<td{_class(cell, one)}{_language(cell, document)}>{escape(cell)}</td>"
        for cell, one in zip(cells, columns, strict=True)
    )
    return f"<tr>{''.join(shown)}</tr>\n"


def _class(cell: str, column: dict[str, Any]) -> str:
    return ' class="number"' if column["right"] else ' class="words"' if len(cell) >= _WORDS else ""


def _drawing(exhibit: Exhibit, at: int) -> str:
    """The SVG inside the page: identifiers of its own, and what it shows in words."""
    svg = _METADATA.sub("", _HEAD.sub("", exhibit.content["svg"], count=1))
    svg = _USE.sub(lambda use: f"{use[1]}f{at}-{use[2]}", _ID.sub(lambda own: f'id="f{at}-{own[1]}"', svg))
    svg = svg.replace(' xmlns:xlink="http://www.w3.org/1999/xlink"', "").replace("xlink:href=", "href=")
    svg = svg.replace(' xmlns="http://www.w3.org/2000/svg"', "").replace(
        "<svg ", f'<svg role="img" aria-label="{escape(exhibit.content["alt"])}" ', 1
    )
    return f'<div class="wide drawing" tabindex="0" role="group" aria-label="{exhibit.name}">{svg}</div>'

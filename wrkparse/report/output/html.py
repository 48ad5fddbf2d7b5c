"""Writes a document as one self-contained HTML page: with its script and fonts, without network addresses."""

from __future__ import annotations

import base64
import hashlib
import re
from html import escape
from importlib import resources
from pathlib import Path
from typing import Any

from wrkparse._version import __version__
from wrkparse.report.document import pandoc
from wrkparse.report.document.languages import used_languages
from wrkparse.report.document.line_breaks import bound_text, is_option
from wrkparse.report.document.model import MARKER, Document, Exhibit, resolve_references
from wrkparse.report.document.pandoc import Node, raw_inline, walk
from wrkparse.report.exhibits.mime_types import BAR, TABLE
from wrkparse.report.exhibits.tables.alignment import point_gaps
from wrkparse.report.output import fonts
from wrkparse.report.output.points import PointRuns, point_layer

# In this order: `page` uses `view`, and the last two use both.
_SCRIPTS = ("view.js", "page.js", "figures.js", "points.js")
_MOST_GAP = 14  # in halves of a digit; page.css has a rule for each gap up to this
_WRAP_FROM = 24  # cells with this many characters or more may wrap
# Parts of the SVG that matplotlib writes: identifiers, references to them, the text before the root, metadata.
_ID_ATTRIBUTE = re.compile(r' id="([^"]+)"')  # ' id="line2d_1"'
_ID_REFERENCE = re.compile(r'(\burl\(#|\bhref="#)([^)"]+)')  # 'url(#p1)', 'href="#m1"'
_MARKERS = re.compile(r' id="settings ([\d ]+)">(.*?</g>)', re.DOTALL)  # of several settings, as one line
_BEFORE_SVG = re.compile(r"^.*?(?=<svg)", re.DOTALL)  # '<?xml version="1.0" … ?> <!DOCTYPE svg … >'
_METADATA = re.compile(r"<metadata>.*?</metadata>\s*", re.DOTALL)


def render_html(document: Document, byline: str) -> bytes:
    """The page in UTF-8. The same document and byline give the same bytes."""
    folder = resources.files("wrkparse.report.output")
    languages = used_languages(document)
    characters = set(_all_text([document.title, byline, document.summary, document.body]))
    characters |= set(_all_text([[exhibit.content, exhibit.caption] for exhibit in document.exhibits]))
    script = "\n".join(folder.joinpath(name).read_text("utf-8").strip() for name in _SCRIPTS)
    runs = PointRuns(document)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    values: Node = {
        "title": escape(document.title),
        "heading": escape(bound_text(document.title)),
        "language": _lang_attribute(document.title, document),
        "byline": escape(byline),
        "generator": f"wrkparse {__version__}",
        "script": script,
        "digest": f"sha256-{digest}",  # the browser runs no other script
        "style": folder.joinpath("page.css").read_text("utf-8") + fonts.font_face_rules(characters, languages),
    }
    if document.front:
        values["front"] = "yes"
    if document.summary:
        values["summary"] = _to_html(document.summary, document, runs)
    if packed := runs.packed():
        values["excerpts"] = packed
    options = ("--mathml", "--toc", "--toc-depth=3", "--number-sections", "--shift-heading-level-by=0")
    with resources.as_file(folder.joinpath("page.html")) as template:
        body = _to_html(document.body, document, runs)
        return pandoc.write(body, "html5", *options, template=Path(template), values=values).encode()


def _all_text(tree: Any) -> str:
    """All text of a tree of JSON values."""
    if isinstance(tree, str):
        return tree
    parts = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ()
    return "".join(map(_all_text, parts))


def _to_html(blocks: list[Node], document: Document, runs: PointRuns) -> list[Node]:
    def change(node: Node) -> Node | list[Node] | None:
        if node["t"] == "RawBlock" and node["c"][0] == MARKER:
            return _exhibit_blocks(int(node["c"][1]), document, runs)
        if is_option(node):
            return [raw_inline("html", '<span class="option">'), node, raw_inline("html", "</span>")]
        if node["t"] == "Table":
            return [
                _raw_block('<div class="wide" tabindex="0" role="group" aria-label="Table">'),
                node,
                _raw_block("</div>"),
            ]
        return None

    return list(walk(_with_links(blocks, document), change))


def _with_links(tree: Any, document: Document) -> Any:
    return resolve_references(tree, _reference_link, document.by_label())


def _reference_link(exhibit: Exhibit) -> Node:
    return raw_inline("html", f'<a href="#{exhibit.label}">{exhibit.name}</a>')


def _raw_block(code: str) -> Node:
    return {"t": "RawBlock", "c": ["html", code]}


def _exhibit_blocks(at: int, document: Document, runs: PointRuns) -> list[Node]:
    """The blocks of an exhibit. Pandoc converts the caption; the other blocks are raw HTML."""
    exhibit = document.exhibits[at]
    if exhibit.kind == BAR:
        return [_raw_block(_share_bar(exhibit.content))]
    named = f"<strong>{exhibit.name}</strong> " if exhibit.number else ""
    caption = [
        raw_inline("html", f"<figcaption>{named}"),
        *_with_links(exhibit.caption, document),
    ]
    begin = _raw_block(f'<figure id="{exhibit.label}">')
    if exhibit.kind == TABLE:
        drawn = document.repeated(exhibit)
        name = f"The numbers of {drawn.name}" if drawn else exhibit.name
        figcaption = {"t": "Plain", "c": [*caption, raw_inline("html", f"{_csv_link(exhibit, name)}</figcaption>")]}
        table = _table_html(exhibit, document, name)
        if drawn:
            table = f"<details><summary>{name} as a table</summary>{table}</details>"
        return [begin, figcaption, _raw_block(table), _raw_block("</figure>")]
    figcaption = {"t": "Plain", "c": [*caption, raw_inline("html", "</figcaption>")]}
    drawings = _drawing_html(exhibit, exhibit.content, f"f{at}", runs, "wide drawing")
    if narrow := exhibit.content.get("narrow"):
        begin = _raw_block(f'<figure id="{exhibit.label}" class="two-widths">')
        drawings += _drawing_html(exhibit, narrow, f"n{at}", runs, "narrow drawing")
    return [begin, _raw_block(drawings), figcaption, _raw_block("</figure>")]


def _share_bar(content: dict[str, Any]) -> str:
    """A bar with a part for each share, and a list with the same content in words."""
    spans = "".join(f'<span style="flex:{one["share"]};background:{one["colour"]}"></span>' for one in content["parts"])
    items = "".join(
        f'<li><span class="swatch" style="background:{one["colour"]}"></span>{escape(one["words"])}</li>'
        for one in content["parts"]
    )
    return f'<div class="trust"><div class="bar" aria-hidden="true">{spans}</div><ul>{items}</ul></div>'


def _csv_link(exhibit: Exhibit, called: str) -> str:
    data = base64.b64encode(exhibit.content["csv"].encode()).decode()
    name = exhibit.label.replace(":", "-")
    title = f"{called} as CSV"
    return f' <a download="{name}.csv" href="data:text/csv;base64,{data}" aria-label="{title}">CSV</a>'


def _lang_attribute(words: str, document: Document) -> str:
    """The ``lang`` attribute of a text whose Chinese characters are not Japanese; empty for others."""
    return f' lang="{document.languages[words]}"' if words in document.languages else ""


def _table_html(exhibit: Exhibit, document: Document, called: str) -> str:
    content = exhibit.content
    head = "".join(_header_cell(column, document) for column in content["columns"])
    cells = [*content["rows"], *content["more_rows"]]
    gaps = point_gaps(cells, content["columns"])
    rows = "".join(_row_html(row, own, content["columns"], document) for row, own in zip(cells, gaps, strict=True))
    beyond = content["left_out"] - len(content["more_rows"])
    left = f'<p class="more">{beyond:,} more rows are in the CSV.</p>' if beyond else ""
    scroll = f'<div class="wide" tabindex="0" role="group" aria-label="{called}">'
    return f"{scroll}<table><thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody></table></div>{left}"


def _header_cell(column: dict[str, Any], document: Document) -> str:
    unit = f"<small>{escape(column['unit'])}</small>" if column["unit"] else ""
    attributes = _class_attribute(column["title"], column) + _lang_attribute(column["title"], document)
    return f'<th scope="col"{attributes}>{escape(column["title"])}{unit}</th>'


def _row_html(cells: list[str], gaps: list[float], columns: list[dict[str, Any]], document: Document) -> str:
    shown = []
    for at, (cell, gap, column) in enumerate(zip(cells, gaps, columns, strict=True)):
        # The first cell names its row, unless it is empty or a number.
        is_header = at == 0 and cell and not column["right"]
        tag, scope = ("th", ' scope="row"') if is_header else ("td", "")
        attributes = f"{scope}{_class_attribute(cell, column, gap)}{_lang_attribute(cell, document)}"
        shown.append(f"<{tag}{attributes}>{escape(cell)}</{tag}>")
    return f"<tr>{''.join(shown)}</tr>\n"


def _class_attribute(cell: str, column: dict[str, Any], gap: float = 0) -> str:
    """The class attribute of a cell; for a number with its gap in halves of a digit, which page.css has rules for."""
    if column["right"]:
        return f' class="number g{min(round(2 * gap), _MOST_GAP)}"' if gap else ' class="number"'
    return ' class="words"' if len(cell) >= _WRAP_FROM else ""


def _setting_attributes(identifier: str, texts: list[str]) -> str:
    """The attributes of a mark that name its setting, from its identifier (`wrkparse.plot.marks`); empty for others."""
    kind, *numbers = identifier.split(" ")
    if kind != "setting":
        return ""
    setting, *whole = (escape(texts[int(number)]) for number in numbers)
    return f' data-setting="{setting}"' + "".join(f' data-name="{name}"' for name in whole)


def _name_markers(found: re.Match[str], texts: list[str]) -> str:
    """A line of markers of several settings, with the setting of each."""
    numbers, markers = found[1].split(" "), found[2].split("<use ")
    if len(markers) - 1 != len(numbers):  # some are outside of the drawing: nothing says which
        return f">{found[2]}"
    named = (
        f'<use data-setting="{escape(texts[int(number)])}" {marker}'
        for number, marker in zip(numbers, markers[1:], strict=True)
    )
    return f">{markers[0]}{''.join(named)}"


def _drawing_html(exhibit: Exhibit, content: dict[str, Any], prefix: str, runs: PointRuns, classes: str) -> str:
    """A drawing of a figure as an element of the page, with its description, and with its points above it.

    `prefix` makes the identifiers in the SVG unique on the page.
    """
    points = point_layer(exhibit.name, content, runs)
    svg = _METADATA.sub("", _BEFORE_SVG.sub("", content["svg"], count=1))
    # Of the identifiers only those that are referred to stay; the others name settings, or nothing.
    used = {use[2] for use in _ID_REFERENCE.finditer(svg)}
    texts = content.get("settings", [])
    # Before the next step, which removes the identifiers of these lines.
    svg = _MARKERS.sub(lambda found: _name_markers(found, texts), svg)
    svg = _ID_ATTRIBUTE.sub(
        lambda own: f' id="{prefix}-{own[1]}"' if own[1] in used else _setting_attributes(own[1], texts), svg
    )
    svg = _ID_REFERENCE.sub(lambda use: f"{use[1]}{prefix}-{use[2]}", svg)
    # SVG inside of HTML needs no namespaces.
    svg = svg.replace(' xmlns:xlink="http://www.w3.org/1999/xlink"', "").replace("xlink:href=", "href=")
    svg = svg.replace(' xmlns="http://www.w3.org/2000/svg"', "").replace(
        "<svg ", f'<svg role="img" aria-label="{escape(exhibit.content["alt"])}" ', 1
    )
    box = f'<div class="{classes}" tabindex="0" role="group" aria-label="{exhibit.name}">'
    return f'{box}<div class="plot">{svg}{points}</div></div>'

"""Makes a document from an executed notebook: title, summary, sections, and numbered tables and figures.

Each cell becomes Markdown cells (`_as_markdown_cells`), which have a marker in place of a table or figure. Pandoc reads
all of them at once into blocks. Then the title is taken out, exhibits are numbered, empty sections dropped, and
references checked.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from wrkparse.report.document import pandoc
from wrkparse.report.document.model import MARKER, Document, Exhibit, FrontFacts
from wrkparse.report.document.pandoc import Node, iter_nodes, paragraph, text_inline, text_of_inlines, walk
from wrkparse.report.errors import ReportError
from wrkparse.report.exhibits.mime_types import BAR, FACTS, FIGURE, PARTS, TABLE

# Tags of cells: the cell is part of the summary, wherever it is in the notebook; its code is printed; its text is true
# of the example data only.
SUMMARY, SHOW_CODE, EXAMPLE = "summary", "show", "example"
_EMPTY_NOTEBOOK: Node = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}}


class _Block(NamedTuple):
    """A block of the document, the number of its cell, and whether that cell belongs to the summary."""

    node: Node
    cell: int
    summary: bool


def assemble(notebook: Node, name: str, *, code: bool = False) -> Document:
    """The document of an executed notebook.

    `name` is the name of the notebook for messages. With `code`, the code of all cells is printed. Raises ReportError.
    """
    exhibits: list[Exhibit] = []
    numbered = _numbered_cells(notebook)
    if any(facts.get("without_examples") for facts in _facts(notebook)):
        numbered = ((number, cell) for number, cell in numbered if EXAMPLE not in cell["metadata"].get("tags", []))
    cells = [one for number, cell in numbered for one in _as_markdown_cells(cell, number, name, exhibits, code=code)]
    divs = walk(pandoc.blocks_of_notebook({**_EMPTY_NOTEBOOK, "cells": cells}), _unlink_notebook)
    blocks = _collect_blocks(divs, exhibits)
    _number_exhibits(exhibits, name)
    title, blocks = _take_title(blocks, name)
    front = _front_facts(notebook)
    blocks = list(_unique_headings(_without_empty_sections(blocks, exhibits, drop=front is not None)))
    _check_references(blocks, exhibits, name)
    # What stands before the first heading belongs to the summary.
    first = next((at for at, block in enumerate(blocks) if block.node["t"] == "Header"), len(blocks))
    summary = [block.node for at, block in enumerate(blocks) if at < first or block.summary]
    body = [block.node for at, block in enumerate(blocks) if not (at < first or block.summary)]
    return Document(
        front.title if front else title,
        summary,
        body,
        exhibits,
        front=front,
        excerpts=_first_fact(notebook, "excerpts") or {},
        outcome=_first_fact(notebook, "outcome"),
        unread=_first_fact(notebook, "unread") or (),
    )


def _facts(notebook: Node) -> Iterator[Node]:
    """The facts that cells display for the report (MIME type `FACTS`), one mapping for each output."""
    outputs = (output.get("data", {}) for cell in notebook["cells"] for output in cell.get("outputs", ()))
    return (data[FACTS] for data in outputs if FACTS in data)


def _front_facts(notebook: Node) -> FrontFacts | None:
    """The facts of the front page; None if no cell displays one."""
    found = next((facts for facts in _facts(notebook) if "title" in facts), None)
    return (
        FrontFacts(found["title"], tuple(found["byline"]), found["day"], found["runs"], found["counted"])
        if found
        else None
    )


def _first_fact(notebook: Node, name: str) -> Any:
    """The first fact with this name; None if there is none."""
    return next((facts[name] for facts in _facts(notebook) if name in facts), None)


def _numbered_cells(notebook: Node) -> Iterator[tuple[int, Node]]:
    """The cells with their numbers from 1; cells that the report inserted have the number 0."""
    number = 0
    for cell in notebook["cells"]:
        injected = cell["metadata"].get("wrkparse") == "injected"
        # So messages have the numbers that the author of the notebook sees.
        number += not injected
        yield 0 if injected else number, cell


def _as_markdown_cells(cell: Node, number: int, name: str, exhibits: list[Exhibit], *, code: bool) -> Iterator[Node]:
    """The text, code and outputs of a cell as Markdown cells; its exhibits are appended to `exhibits`."""
    tags = cell["metadata"].get("tags", [])
    summary = SUMMARY in tags
    if cell["cell_type"] == "markdown":
        yield _markdown_cell(cell["source"], number, summary)
    if cell["cell_type"] != "code":
        return
    if number and (code or SHOW_CODE in tags) and cell["source"].strip():
        yield _markdown_cell(_fence(cell["source"], "python"), number, summary)
    for output in cell["outputs"]:
        # An output of several parts, such as the front page, becomes a cell for each.
        for data in output.get("data", {}).get(PARTS) or [None]:
            part = output if data is None else {"output_type": "display_data", "data": data}
            yield _markdown_cell(_output_markdown(part, exhibits, number, name), number, summary)


def _output_markdown(output: Node, exhibits: list[Exhibit], number: int, name: str) -> str:
    """An output as Markdown. An exhibit becomes a marker and its caption. Raises ReportError if it has no caption."""
    if output["output_type"] == "stream":
        return _fence(_joined_text(output["text"])) if output["name"] == "stdout" else ""
    data = output.get("data", {})
    for kind in (TABLE, FIGURE, BAR):
        if kind in data:
            # A raw block in a format that pandoc does not know: it passes the text on, the index of the exhibit.
            exhibits.append(Exhibit(data[kind], kind, number))
            return f"{_fence(str(len(exhibits) - 1), '{=' + MARKER + '}')}\n\n{data[kind]['caption']}"
    if "text/markdown" in data:
        return _joined_text(data["text/markdown"])
    bare = next((kind for kind in data if kind.startswith("image/") or kind == "text/html"), None)
    if bare:
        wrapper = "Figure" if bare.startswith("image/") else "Table"
        raise ReportError(f"{_cell_place(name, number)} shows {bare} without a caption: wrap it in wp.{wrapper}")
    return _fence(_joined_text(data.get("text/plain", "")))


def _joined_text(value: str | list[str]) -> str:
    return value if isinstance(value, str) else "".join(value)


def _fence(code: str, language: str = "") -> str:
    """A fenced code block, with a fence longer than any in the code; empty for blank code."""
    # Code that contains a fence needs a longer one around it.
    longest = max((len(run) for run in re.findall("`+", code)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{code.rstrip()}\n{fence}" if code.strip() else ""


def _markdown_cell(source: str | list[str], number: int, summary: bool) -> Node:
    """A Markdown cell; pandoc passes its metadata on as the attribute ``cell`` of a Div."""
    about = {"n": number, "summary": summary}
    return {"cell_type": "markdown", "id": "c", "metadata": {"cell": json.dumps(about)}, "source": _joined_text(source)}


def _cell_place(name: str, cell: int) -> str:
    return f"{name}, cell {cell}" if cell else name


def _collect_blocks(divs: list[Node], exhibits: list[Exhibit]) -> list[_Block]:
    """The blocks of all cells. The paragraph after a marker becomes the caption of the exhibit."""
    placed: list[_Block] = []
    for div in divs:
        (_, _, pairs), blocks = div["c"]
        about = json.loads(dict(pairs)["cell"])
        if blocks and (at := _exhibit_index(blocks[0])) is not None:
            exhibits[at].caption = [inline for block in blocks[1:2] for inline in block["c"]]
            blocks = blocks[:1]
        placed += [_Block(block, about["n"], about["summary"]) for block in blocks]
    return placed


def _unlink_notebook(node: Node) -> list[Node] | None:
    """The text of a link to another notebook, because readers of a report may not have that; None for other nodes."""
    found = node["t"] == "Link" and node["c"][2][0].partition("#")[0].endswith(".ipynb")
    words: list[Node] | None = node["c"][1] if found else None
    return words


def _exhibit_index(node: Node) -> int | None:
    """The index of the exhibit that belongs to a marker; None for other blocks."""
    return int(node["c"][1]) if node["t"] == "RawBlock" and node["c"][0] == MARKER else None


def _number_exhibits(exhibits: Iterable[Exhibit], name: str) -> None:
    """Number tables and figures separately; tables whose numbers a figure prints have no number.

    Raises ReportError for a label that is used twice.
    """
    exhibits = list(exhibits)
    figures = {exhibit.label for exhibit in exhibits if exhibit.empty is None}
    count: Counter[str] = Counter()
    cells: dict[str, int] = {}
    for exhibit in exhibits:
        if exhibit.label in cells:
            place, first = _cell_place(name, exhibit.cell), cells[exhibit.label]
            raise ReportError(f"{place}: cell {first} has the label {exhibit.label} already")
        cells[exhibit.label] = exhibit.cell
        # A table that repeats a figure which is not drawn stands for itself.
        if exhibit.empty is None and exhibit.content.get("repeats") not in figures:
            count[exhibit.kind] += 1
            exhibit.number = count[exhibit.kind]


def _take_title(blocks: list[_Block], name: str) -> tuple[str, list[_Block]]:
    """The first heading of level 1, and the other blocks. Raises ReportError if there is none."""
    headings = (at for at, one in enumerate(blocks) if one.node["t"] == "Header" and one.node["c"][0] == 1)
    at = next(headings, None)
    if at is None:
        raise ReportError(f"{name} has no title: begin it with a Markdown cell “# Title”")
    return text_of_inlines(blocks[at].node["c"][2]), [*blocks[:at], *blocks[at + 1 :]]


def _without_empty_sections(blocks: list[_Block], exhibits: list[Exhibit], *, drop: bool) -> Iterator[_Block]:
    """Replace empty exhibits by their reasons.

    A section in which all exhibits are empty keeps only its heading, the reasons, and blocks of the summary. With
    `drop`, it keeps only the blocks of the summary, because a front page lists what is absent.
    """
    at = 0
    while at < len(blocks):
        block = blocks[at]
        end = _section_end(blocks, at)
        inside = [exhibits[index] for one in blocks[at:end] if (index := _exhibit_index(one.node)) is not None]
        reasons = dict.fromkeys(exhibit.empty for exhibit in inside)
        # Sections without any exhibit are text, which stays.
        if block.node["t"] == "Header" and inside and None not in reasons:
            yield from () if drop else (block,)
            yield from (
                ()
                if drop
                else (_Block(_reason_paragraph(reason), block.cell, block.summary) for reason in reasons if reason)
            )
            yield from (one for one in blocks[at:end] if one.summary)
            at = end
            continue
        index = _exhibit_index(block.node)
        reason = exhibits[index].empty if index is not None else None
        yield block if reason is None else block._replace(node=_reason_paragraph(reason))
        at += 1


def _section_end(blocks: list[_Block], at: int) -> int:
    """The index after the section whose heading is at `at`; `at` if that block is not a heading."""
    if blocks[at].node["t"] != "Header":
        return at
    level = blocks[at].node["c"][0]
    after = (place for place in range(at + 1, len(blocks)) if blocks[place].node["t"] == "Header")
    return next((place for place in after if blocks[place].node["c"][0] <= level), len(blocks))


def _reason_paragraph(reason: str) -> Node:
    words = reason[:1].upper() + reason[1:]
    whole = words if words.endswith(".") else f"{words}."
    inlines = [inline for word in whole.split(" ") for inline in ({"t": "Space"}, text_inline(word))]
    return paragraph({"t": "Emph", "c": inlines[1:]})


def _unique_headings(blocks: Iterable[_Block]) -> Iterator[_Block]:
    """Make the identifiers of headings unique, and turn further headings of level 1 into headings of level 2.

    Pandoc numbers repeated identifiers within one cell only.
    """
    seen: Counter[str] = Counter()
    for block in blocks:
        if block.node["t"] == "Header":
            level, (name, classes, pairs), words = block.node["c"]
            seen[name] += 1
            new = name if seen[name] == 1 else f"{name}-{seen[name] - 1}"
            yield block._replace(node={"t": "Header", "c": [max(level, 2), [new, classes, pairs], words]})
        else:
            yield block


def _check_references(blocks: list[_Block], exhibits: list[Exhibit], name: str) -> None:
    """Raise ReportError for a reference or link without a target, and for content that a report cannot show."""
    labels = {exhibit.label for exhibit in exhibits}
    targets = {f"#{block.node['c'][1][0]}" for block in blocks if block.node["t"] == "Header"}
    trees = [(block.node, block.cell) for block in blocks] + [(one.caption, one.cell) for one in exhibits]
    for tree, cell in trees:
        for node in iter_nodes(tree):
            problem = _node_problem(node, labels, targets)
            if problem:
                raise ReportError(f"{_cell_place(name, cell)}: {problem}")


def _node_problem(node: Node, labels: set[str], targets: set[str]) -> str | None:
    """What is wrong with a reference, link, image or raw block; None if nothing is."""
    if node["t"] == "Cite":
        unknown = [cited["citationId"] for cited in node["c"][0] if cited["citationId"] not in labels]
        known = ", ".join(sorted(labels)) or "none"
        if not unknown:
            return None
        return f"no table or figure has the label @{unknown[0]}; known labels: {known} (for a plain @ write \\@)"
    if node["t"] == "Link":
        target = node["c"][2][0]
        if target.startswith("#") and target not in targets:
            return f"no heading is the target of the link to {target}; headings: {', '.join(sorted(targets)) or 'none'}"
    if node["t"] == "Image":
        return f"the image {node['c'][2][0]} can't be printed: draw it in a cell and wrap it in wp.Figure"
    if node["t"] == "RawBlock" and node["c"][0] != MARKER:
        return f"raw {node['c'][0]} can't be printed: write Markdown"
    return None

"""An executed notebook as a document: title, summary, sections, numbered tables and figures, and references."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from wrkparse.report.document import pandoc
from wrkparse.report.document.pandoc import Node, nodes, para, plain, text, walk
from wrkparse.report.errors import ReportError
from wrkparse.report.exhibits.objects import FIGURE, TABLE

OURS = (TABLE, FIGURE)
# The tag of a cell that belongs into the summary, wherever it stands; of a cell whose code is printed.
SUMMARY, SHOWN = "summary", "show"
MARKER = "wrkparse"  # a raw block of this format stands for the object of its number


@dataclass
class Exhibit:
    """A table or a figure of the document; `number` counts each kind, and is 0 where there is nothing to show."""

    content: dict[str, Any]
    kind: str
    cell: int
    number: int = 0
    caption: list[Node] = field(default_factory=list)

    @property
    def label(self) -> str:
        """``fig:scaling``."""
        return str(self.content["label"])

    @property
    def name(self) -> str:
        """How text calls it: ``Figure 3``."""
        return f"{'Table' if self.kind == TABLE else 'Figure'}\u00a0{self.number}"

    @property
    def empty(self) -> str | None:
        """Why there is nothing to show; None: there is."""
        reason: str | None = self.content.get("empty")
        return reason


@dataclass
class Document:
    """What is printed. In the blocks a raw block of `MARKER` stands for an exhibit, and a Cite for a reference."""

    title: str
    summary: list[Node]
    body: list[Node]
    exhibits: list[Exhibit]
    # of the title and of cells whose Chinese characters are not Japanese, by their text
    languages: dict[str, str] = field(default_factory=dict)

    def by_label(self) -> dict[str, Exhibit]:
        """The exhibits by their labels."""
        return {exhibit.label: exhibit for exhibit in self.exhibits}


class _Placed(NamedTuple):
    """A block, and the cell that it is from."""

    block: Node
    cell: int
    summary: bool


def document(notebook: Node, name: str, *, code: bool = False) -> Document:
    """The document of an executed notebook. `name` is for messages; `code` prints all code. Raises ReportError."""
    exhibits: list[Exhibit] = []
    cells = [cell for number, cell in _cells(notebook) for cell in _pages(cell, number, name, exhibits, code=code)]
    placed = _placed(walk(pandoc.read({**_EMPTY, "cells": cells}), _words_of_link), exhibits)
    _number(exhibits, name)
    title, placed = _title(placed, name)
    placed = list(_unique(_without_empty_sections(placed, exhibits)))
    _check(placed, exhibits, name)
    first = next((at for at, one in enumerate(placed) if one.block["t"] == "Header"), len(placed))
    front = [one for at, one in enumerate(placed) if at < first or one.summary]
    body = [one.block for at, one in enumerate(placed) if not (at < first or one.summary)]
    return Document(title, [one.block for one in front], body, exhibits)


_EMPTY: Node = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}}


def _cells(notebook: Node) -> Iterator[tuple[int, Node]]:
    """The cells with their numbers as a reader counts them, from 1; those put in by the report have none: 0."""
    number = 0
    for cell in notebook["cells"]:
        injected = cell["metadata"].get("wrkparse") == "injected"
        number += not injected
        yield 0 if injected else number, cell


def _pages(cell: Node, number: int, name: str, exhibits: list[Exhibit], *, code: bool) -> Iterator[Node]:
    """The Markdown cells that say what a cell says."""
    tags = cell["metadata"].get("tags", [])
    summary = SUMMARY in tags
    if cell["cell_type"] == "markdown":
        yield _page(cell["source"], number, summary)
    if cell["cell_type"] != "code":
        return
    if number and (code or SHOWN in tags) and cell["source"].strip():
        yield _page(_fenced(cell["source"], "python"), number, summary)
    for output in cell["outputs"]:
        yield _page(_said(output, exhibits, number, name), number, summary)


def _said(output: Node, exhibits: list[Exhibit], number: int, name: str) -> str:
    """An output as Markdown."""
    if output["output_type"] == "stream":
        return _fenced(_joined(output["text"])) if output["name"] == "stdout" else ""
    data = output.get("data", {})
    for kind in OURS:
        if kind in data:
            exhibits.append(Exhibit(data[kind], kind, number))
            return f"{_fenced(str(len(exhibits) - 1), '{=' + MARKER + '}')}\n\n{data[kind]['caption']}"
    if "text/markdown" in data:
        return _joined(data["text/markdown"])
    bare = next((kind for kind in data if kind.startswith("image/") or kind == "text/html"), None)
    if bare:
        what = "Figure" if bare.startswith("image/") else "Table"
        raise ReportError(f"{_at(name, number)} shows {bare} without a caption: put it into wp.{what}")
    return _fenced(_joined(data.get("text/plain", "")))


def _joined(value: str | list[str]) -> str:
    return value if isinstance(value, str) else "".join(value)


def _fenced(code: str, language: str = "") -> str:
    longest = max((len(run) for run in re.findall("`+", code)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{code.rstrip()}\n{fence}" if code.strip() else ""


def _page(source: str | list[str], number: int, summary: bool) -> Node:
    told = {"n": number, "summary": summary}
    return {"cell_type": "markdown", "id": "c", "metadata": {"told": json.dumps(told)}, "source": _joined(source)}


def _at(name: str, cell: int) -> str:
    return f"{name}, cell {cell}" if cell else name


def _placed(divs: list[Node], exhibits: list[Exhibit]) -> list[_Placed]:
    """The blocks of all cells; an exhibit's caption goes into it."""
    placed: list[_Placed] = []
    for div in divs:
        (_, _, pairs), blocks = div["c"]
        told = json.loads(dict(pairs)["told"])
        if blocks and (at := _marked(blocks[0])) is not None:
            exhibits[at].caption = [inline for block in blocks[1:2] for inline in block["c"]]
            blocks = blocks[:1]
        placed += [_Placed(block, told["n"], told["summary"]) for block in blocks]
    return placed


def _words_of_link(node: Node) -> list[Node] | None:
    """Of a link to another notebook its words: a report does not lie beside it."""
    found = node["t"] == "Link" and node["c"][2][0].partition("#")[0].endswith(".ipynb")
    words: list[Node] | None = node["c"][1] if found else None
    return words


def _marked(block: Node) -> int | None:
    """The number of the exhibit that a block stands for."""
    return int(block["c"][1]) if block["t"] == "RawBlock" and block["c"][0] == MARKER else None


def _number(exhibits: Iterable[Exhibit], name: str) -> None:
    count: Counter[str] = Counter()
    cells: dict[str, int] = {}
    for exhibit in exhibits:
        if exhibit.label in cells:
            first = cells[exhibit.label]
            raise ReportError(f"{_at(name, exhibit.cell)}: the label {exhibit.label} is that of cell {first} already")
        cells[exhibit.label] = exhibit.cell
        if exhibit.empty is None:
            count[exhibit.kind] += 1
            exhibit.number = count[exhibit.kind]


def _title(placed: list[_Placed], name: str) -> tuple[str, list[_Placed]]:
    """The first heading of level 1, taken out; the others of that level become sections as those of level 2."""
    at = next((at for at, one in enumerate(placed) if one.block["t"] == "Header" and one.block["c"][0] == 1), None)
    if at is None:
        raise ReportError(f"{name} has no title: begin it with a Markdown cell that says “# Title”")
    return plain(placed[at].block["c"][2]), [*placed[:at], *placed[at + 1 :]]


def _without_empty_sections(placed: list[_Placed], exhibits: list[Exhibit]) -> Iterator[_Placed]:
    """Leave of a section that has nothing to show its heading and why, and of an empty exhibit a line that says why."""
    at = 0
    while at < len(placed):
        one = placed[at]
        end = _section_end(placed, at)
        inside = [exhibits[number] for block in placed[at:end] if (number := _marked(block.block)) is not None]
        reasons = dict.fromkeys(exhibit.empty for exhibit in inside)
        if one.block["t"] == "Header" and inside and None not in reasons:
            yield one
            yield from (_Placed(_reason(reason), one.cell, one.summary) for reason in reasons if reason)
            yield from (kept for kept in placed[at:end] if kept.summary)
            at = end
            continue
        number = _marked(one.block)
        reason = exhibits[number].empty if number is not None else None
        yield one if reason is None else one._replace(block=_reason(reason))
        at += 1


def _section_end(placed: list[_Placed], at: int) -> int:
    """Where the section that begins here ends; for what begins none, here."""
    if placed[at].block["t"] != "Header":
        return at
    level = placed[at].block["c"][0]
    after = (place for place in range(at + 1, len(placed)) if placed[place].block["t"] == "Header")
    return next((place for place in after if placed[place].block["c"][0] <= level), len(placed))


def _reason(words: str) -> Node:
    said = words[:1].upper() + words[1:]
    return para({"t": "Emph", "c": [text(said if said.endswith(".") else f"{said}.")]})


def _unique(placed: Iterable[_Placed]) -> Iterator[_Placed]:
    """Give headings of the same words different identifiers: each cell was read for itself."""
    seen: Counter[str] = Counter()
    for one in placed:
        if one.block["t"] == "Header":
            level, (name, classes, pairs), words = one.block["c"]
            seen[name] += 1
            new = name if seen[name] == 1 else f"{name}-{seen[name] - 1}"
            yield one._replace(block={"t": "Header", "c": [max(level, 2), [new, classes, pairs], words]})
        else:
            yield one


def _check(placed: list[_Placed], exhibits: list[Exhibit], name: str) -> None:
    """Raise ReportError for a reference or a link that leads nowhere, and for what no report can show."""
    labels = {exhibit.label for exhibit in exhibits}
    targets = {f"#{one.block['c'][1][0]}" for one in placed if one.block["t"] == "Header"}
    told = [(one.block, one.cell) for one in placed] + [(exhibit.caption, exhibit.cell) for exhibit in exhibits]
    for tree, cell in told:
        for node in nodes(tree):
            problem = _problem(node, labels, targets)
            if problem:
                raise ReportError(f"{_at(name, cell)}: {problem}")


def _problem(node: Node, labels: set[str], targets: set[str]) -> str | None:
    if node["t"] == "Cite":
        wrong = [cited["citationId"] for cited in node["c"][0] if cited["citationId"] not in labels]
        there = ", ".join(sorted(labels)) or "none"
        return (
            f"@{wrong[0]} is no table or figure of it; there are: {there} (for a plain @ write \\@)" if wrong else None
        )
    if node["t"] == "Link":
        target = node["c"][2][0]
        if target.startswith("#") and target not in targets:
            return f"the link to {target} leads to no heading; there are: {', '.join(sorted(targets)) or 'none'}"
    if node["t"] == "Image":
        return f"the image {node['c'][2][0]} can't be printed: draw it in a cell, and put it into wp.Figure"
    if node["t"] == "RawBlock" and node["c"][0] != MARKER:
        return f"raw {node['c'][0]} can't be printed: write Markdown"
    return None


def resolved(tree: Any, refer: Any, exhibits: dict[str, Exhibit]) -> Any:
    """The tree with each reference replaced by what `refer` makes of its exhibits, joined by commas."""

    def change(node: Node) -> list[Node] | None:
        if node["t"] != "Cite":
            return None
        made: list[Node] = []
        for cited in node["c"][0]:
            made += [text(", ")] if made else []
            exhibit = exhibits[cited["citationId"]]
            what = "table" if exhibit.kind == TABLE else "figure"
            made += [refer(exhibit) if exhibit.empty is None else text(f"(no {what})")]
        return made

    return walk(tree, change)

"""A document as PDF, by Typst: tagged PDF/A with every table attached as CSV."""

from __future__ import annotations

import json
import re
import tempfile
from datetime import UTC, date, datetime
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

from wrkparse._version import __version__
from wrkparse.plot.style.fonts import FACES
from wrkparse.report.document import pandoc
from wrkparse.report.document.assemble import MARKER, Document, Exhibit, resolved
from wrkparse.report.document.languages import spoken
from wrkparse.report.document.pandoc import Node, raw, walk
from wrkparse.report.errors import ReportError
from wrkparse.report.exhibits.objects import TABLE
from wrkparse.report.output import fonts

# The width of the text on a page upright and turned; a table's type where cells wrap, the smallest where even words
# are too wide for the page, and the gap between columns.
_TEXT_PT = 166 / 25.4 * 72
_TURNED_PT = 253 / 25.4 * 72
_WRAPPED_PT = 7.5
_TINY_PT = 6.0
_GAP_PT = 1.1 * _WRAPPED_PT
_BREAKS = re.compile(r"(?<=[-/ ])(?!\d)")  # where Typst ends a line
_SIZE = re.compile(r'<svg [^>]*?viewBox="0 0 ([0-9.]+) ([0-9.]+)"', re.DOTALL)
_NEARLY_EMPTY = 0.25  # of a last page: its lines may find room on the others if these are set tighter
_TALLEST_PT = 225 / 25.4 * 72  # of a figure, so that its caption stays with it


def pdf(document: Document, byline: str, day: date) -> bytes:
    """The PDF; of the same document, byline and day the same bytes. Raises ReportError."""
    with tempfile.TemporaryDirectory(prefix="wrkparse-") as directory:
        build = Path(directory)
        _write(document, byline, build)
        return _compiled(build, day)


def _write(document: Document, byline: str, build: Path) -> None:
    template = resources.files("wrkparse.report.output").joinpath("template.typ").read_text("utf-8")
    exhibits = [_meta(exhibit, number, build) for number, exhibit in enumerate(document.exhibits)]
    faces = {code: family for code, (_, family) in FACES.items()}
    known = {"languages": document.languages, "faces": faces}
    meta = known | {"title": document.title, "byline": byline, "version": __version__, "exhibits": exhibits}
    parts = {"summary": document.summary, "body": document.body}
    for name, blocks in parts.items():
        written = pandoc.write(_typst(blocks, document), "typst")
        (build / f"{name}.typ").write_text(f'#import "template.typ": *\n{written}', "utf-8")
    (build / "wide.typ").write_text('#import "template.typ": *\n' + _wide_tables(document), "utf-8")
    (build / "template.typ").write_text(template, "utf-8")
    (build / "meta.json").write_text(json.dumps(meta, ensure_ascii=False), "utf-8")
    (build / "main.typ").write_text(_main(document), "utf-8")


def _main(document: Document) -> str:
    lines = ['#import "template.typ": *', "#show: report", "#front()"]
    if document.summary:
        lines.append('#include "summary.typ"')
    lines += ["#contents()", '#include "body.typ"', '#include "wide.typ"']
    lines += [
        f'#pdf.attach("{_csv_name(one)}", relationship: "data", mime-type: "text/csv", description: "{one.label}")'
        for one in document.exhibits
        if one.kind == TABLE and one.empty is None
    ]
    return "\n".join([*lines, "#end()"])


def _csv_name(exhibit: Exhibit) -> str:
    return f"{exhibit.label.replace(':', '-')}.csv"


def _meta(exhibit: Exhibit, number: int, build: Path) -> dict[str, Any]:
    """What the template needs of an exhibit; its files are written."""
    if exhibit.empty is not None:
        return {}
    content = exhibit.content
    told = {"label": exhibit.label, "number": exhibit.number}
    if exhibit.kind != TABLE:
        file = f"figure-{number}.svg"
        (build / file).write_text(content["svg"], "utf-8")
        width = _width(content["svg"])
        return told | {"kind": "figure", "supplement": "Figure", "file": file, "width": width, "alt": content["alt"]}
    file = _csv_name(exhibit)
    (build / file).write_text(content["csv"], "utf-8")
    size, widths = _wrapped(exhibit)
    columns = [column | {"width": width} for column, width in zip(content["columns"], widths, strict=True)]
    words = {"size": size, "left_out": content["left_out"], "all": f"{len(content['rows']) + content['left_out']:,}"}
    return (
        told
        | words
        | {"kind": "table", "supplement": "Table", "file": file, "columns": columns, "rows": content["rows"]}
    )


def _width(svg: str) -> float:
    """How wide a figure is printed at most, so that it is no higher than a page, in points."""
    stated = _SIZE.search(svg)
    if not stated:
        return _TEXT_PT
    wide, high = float(stated[1]), float(stated[2])
    return round(wide * min(1.0, _TALLEST_PT / high), 2)


class _Room(NamedTuple):
    """What a column asks for in the smallest type, in points: the longest word, and the longest cell."""

    least: float
    most: float


def _rooms(content: dict[str, Any]) -> list[_Room]:
    columns = zip(content["columns"], zip(*content["rows"], strict=True), strict=True)
    return [_room(column, cells) for column, cells in columns]


def _room(column: dict[str, Any], cells: tuple[str, ...]) -> _Room:
    words = {word for cell in cells for word in _BREAKS.split(cell)}
    heads = [fonts.width(word, _WRAPPED_PT, bold=True) for word in _BREAKS.split(column["title"])]
    least = max([*heads, *(fonts.width(word, _WRAPPED_PT) for word in words)])
    return _Room(least, max(sum(heads), *(fonts.width(cell, _WRAPPED_PT) for cell in cells)))


def _readable(room: _Room) -> float:
    """What a column needs so that no cell has more than three lines."""
    return max(room.least, room.most / 3)


def turns(exhibit: Exhibit) -> bool:
    """Whether a table asks for a page on its side: too wide in the smallest type, even if words wrap."""
    if exhibit.kind != TABLE or exhibit.empty is not None:
        return False
    rooms = _rooms(exhibit.content)
    return sum(map(_readable, rooms)) + _GAP_PT * len(rooms) > _TEXT_PT


def _wrapped(exhibit: Exhibit) -> tuple[float, list[float]]:
    """The type and the columns' widths where cells wrap, in points: each has its longest word, the rest is shared out.

    Raises ReportError where the words don't fit.
    """
    rooms = _rooms(exhibit.content)
    page = _TURNED_PT if turns(exhibit) else _TEXT_PT
    least = sum(room.least + _GAP_PT for room in rooms)
    scale = min(1.0, page / least)
    if scale * _WRAPPED_PT < _TINY_PT:
        told = f"{exhibit.label} is too wide for any page with its {len(rooms)} columns"
        raise ReportError(f"cell {exhibit.cell}: {told}: choose some with columns=")
    asked = sum(room.most - room.least for room in rooms)
    share = max(0.0, min(1.0, (page - least) / asked)) if asked else 0.0
    widths = [round(scale * (room.least + share * (room.most - room.least) + _GAP_PT), 2) for room in rooms]
    return round(scale * _WRAPPED_PT, 2), widths


def _typst(blocks: list[Node], document: Document) -> list[Node]:
    """Blocks with what pandoc does not write as this template wants it."""
    exhibits = document.by_label()

    def change(node: Node) -> Node | list[Node] | None:
        if said := spoken(node):
            return [raw("typst", f"#spoken({_string(said[0])})["), *walk(said[1], change), raw("typst", "]")]
        if node["t"] == "Math":
            return [raw("typst", f"#formula({_string(node['c'][1])})["), node, raw("typst", "]")]
        if node["t"] == "Header":
            level, attributes, words = node["c"]
            return {"t": "Header", "c": [level - 1, attributes, walk(words, change)]}
        if node["t"] == "RawBlock" and node["c"][0] == MARKER:
            at = int(node["c"][1])
            exhibit = document.exhibits[at]
            return pandoc.para(raw("typst", f"#turned({at})")) if turns(exhibit) else _shown(document, at)
        return None

    refer = "#exhibit-ref({})".format
    return list(walk(resolved(blocks, lambda one: raw("typst", refer(_string(one.label))), exhibits), change))


def _shown(document: Document, at: int) -> Node:
    exhibit = document.exhibits[at]
    call = f"#data-{'table' if exhibit.kind == TABLE else 'figure'}({at})["
    return pandoc.para(raw("typst", call), *_typst(exhibit.caption, document), raw("typst", "]"))


def _wide_tables(document: Document) -> str:
    wide = [_shown(document, at) for at, exhibit in enumerate(document.exhibits) if turns(exhibit)]
    return f"#wide-tables[\n{pandoc.write(wide, 'typst')}\n]" if wide else ""


def _string(words: str) -> str:
    """A string as Typst code."""
    return json.dumps(words, ensure_ascii=False)


def _compiled(build: Path, day: date) -> bytes:
    import typst

    fonts.collect(build / "fonts")
    known = typst.Fonts(include_system_fonts=False, font_paths=[str(build / "fonts")])
    compiler = typst.Compiler(build / "main.typ", root=build, font_paths=known, ignore_system_fonts=True)
    try:
        done = _pdf(compiler, day)
        pages, filled = _end(compiler)
        if pages > 1 and filled < _NEARLY_EMPTY:
            tighter = _pdf(compiler, day, {"tight": "yes"})
            done = tighter if _end(compiler)[0] < pages else done
    except typst.TypstError as problem:
        raise ReportError(f"the PDF can't be made: {problem}") from None
    return done


def _end(compiler: Any) -> tuple[int, float]:
    """How many pages there are, and how much of the last one is filled, as a share of its height."""
    (found,) = json.loads(compiler.query("<end>", field="value"))
    return int(found["pages"]), float(found["filled"])


def _pdf(compiler: Any, day: date, inputs: dict[str, str] | None = None) -> bytes:
    midnight = int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp())
    done, warnings = compiler.compile_with_warnings(
        timestamp=midnight, pdf_standards=["a-3a", "ua-1"], format="pdf", sys_inputs=inputs
    )
    if warnings:
        raise ReportError("the PDF can't be made as meant: " + "; ".join(str(one) for one in warnings))
    return bytes(done)

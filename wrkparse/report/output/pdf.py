"""Writes a document as PDF with Typst: tagged PDF/A, with every table attached as CSV."""

from __future__ import annotations

import itertools
import json
import re
import tempfile
from datetime import UTC, date, datetime
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

from wrkparse._version import __version__
from wrkparse.plot.style.language import FACES
from wrkparse.report.document import pandoc
from wrkparse.report.document.languages import marked_language
from wrkparse.report.document.line_breaks import bound_text, is_option
from wrkparse.report.document.model import MARKER, Document, Exhibit, resolve_references
from wrkparse.report.document.pandoc import Node, raw_inline, walk
from wrkparse.report.errors import ReportError
from wrkparse.report.exhibits.mime_types import BAR, TABLE
from wrkparse.report.exhibits.tables.alignment import point_gaps
from wrkparse.report.output import fonts

# Lengths in points, the same as in `template.typ`: the width of the text on a page in portrait and landscape format;
# font sizes of tables, if cells wrap, and the smallest one, if even single words are too wide; the gap between columns.
_PORTRAIT_PT = 166 / 25.4 * 72
_LANDSCAPE_PT = 253 / 25.4 * 72  # A4 without its margins of 22 mm, as above
_WRAPPED_FONT_PT = 7.5
_SMALLEST_FONT_PT = 6.0
_SMALLEST_IN_PORTRAIT_PT = 7.0
_GAP_PT = 1.1 * _WRAPPED_FONT_PT
_LARGEST_FONT_PT = 8.8
_DIGIT_EM, _UNIT_EM = 0.497, 0.92  # the width of a digit, and the size of the unit in the head of a table
_BREAK_AFTER = re.compile(r"(?<=[-/ ])(?!\d)")  # where Typst may break a line
# '<svg width="460.8pt" height="345.6pt" viewBox="0 0 460.8 345.6"'
_SIZE = re.compile(r'<svg [^>]*?viewBox="0 0 ([0-9.]+) ([0-9.]+)"', re.DOTALL)
# Shares of the height of a page.
_PAGE_TOP = 0.12  # a figure above this is the first thing on its page: margin and header take up the space above
_FLOAT_SAVES = 0.05  # floating figures must save at least this
_TIGHTEN_BELOW = 0.5  # if the last page is filled less, less space, fewer files or smaller figures are tried
# `template.typ` explains them; the first one that saves a page is used.
_WAYS_TO_TIGHTEN = ("spacing", "files", "figures", "all")
# If the last page is filled less (with its margins, three quarters are empty), a section moves there.
_ALMOST_EMPTY = 0.3
_LEAST_KEPT = 0.5  # the page before must stay filled up to this
_PAGE_BOTTOM = 0.93  # text ends here: the margin is 22 of 297 mm
_FILL_MARGIN = 0.05  # the last page must then be filled this much more than an almost empty one
# A table that ends above this has only a row or two on that page: of 45 mm, the margin takes 22, its header the next.
_REST_ENDS_ABOVE = 0.15
_MOST_ROWS_OF_A_PAIR = 16  # of each of two tables side by side, which are not broken between pages
# A figure is at most this high. Text has 253 mm of a page, so that 28 mm are left for the caption.
_TALLEST_PT = 225 / 25.4 * 72


def render_pdf(document: Document, byline: str, day: date) -> bytes:
    """The PDF. The same document, byline and day give the same bytes. Raises ReportError."""
    with tempfile.TemporaryDirectory(prefix="wrkparse-") as directory:
        build = Path(directory)
        _write_sources(document, byline, build)
        return _compile(build, day)


def _write_sources(document: Document, byline: str, build: Path) -> None:
    template = resources.files("wrkparse.report.output").joinpath("template.typ").read_text("utf-8")
    exhibits = [_exhibit_meta(exhibit, number, build) for number, exhibit in enumerate(document.exhibits)]
    faces = {code: family for code, (_, family) in FACES.items()}
    heading = bound_text(document.title)
    codes = document.languages
    languages = codes | ({heading: codes[document.title]} if document.title in codes else {})
    known = {"languages": languages, "faces": faces, "title": document.title, "heading": heading}
    meta = known | {"byline": byline, "version": __version__, "exhibits": exhibits}
    parts = {"summary": document.summary, "body": document.body}
    for name, blocks in parts.items():
        written = pandoc.write(_to_typst(with_leads(with_pairs(blocks, document)), document), "typst")
        (build / f"{name}.typ").write_text(f'#import "template.typ": *\n{written}', "utf-8")
    (build / "wide.typ").write_text('#import "template.typ": *\n' + _wide_tables(document), "utf-8")
    (build / "template.typ").write_text(template, "utf-8")
    (build / "meta.json").write_text(json.dumps(meta, ensure_ascii=False), "utf-8")
    (build / "main.typ").write_text(_main_source(document), "utf-8")


def _main_source(document: Document) -> str:
    lines = ['#import "template.typ": *', "#show: report", "#front()"]
    if document.summary:
        lines.append('#include "summary.typ"')
    lines += [*(["#overview()"] if document.front else ["#contents()"]), '#include "body.typ"', '#include "wide.typ"']
    lines += ["#contents-of-long()"] if document.front else []
    lines += [
        f'#pdf.attach("{_csv_name(one)}", relationship: "data", mime-type: "text/csv", description: "{one.label}")'
        for one in document.exhibits
        if one.kind == TABLE and one.empty is None
    ]
    return "\n".join([*lines, "#end()"])


def _csv_name(exhibit: Exhibit) -> str:
    return f"{exhibit.label.replace(':', '-')}.csv"


def _exhibit_meta(exhibit: Exhibit, number: int, build: Path) -> dict[str, Any]:
    """Write the SVG or CSV of an exhibit into `build`; return its data for the template."""
    if exhibit.empty is not None:
        return {}
    content = exhibit.content
    if exhibit.kind == BAR:
        return {"kind": "bar", "parts": content["parts"]}
    meta = {"label": exhibit.label, "number": exhibit.number}
    if exhibit.kind != TABLE:
        file = f"figure-{number}.svg"
        (build / file).write_text(content["svg"], "utf-8")
        width = _figure_width(content["svg"])
        return meta | {"kind": "figure", "supplement": "Figure", "file": file, "width": width, "alt": content["alt"]}
    file = _csv_name(exhibit)
    (build / file).write_text(content["csv"], "utf-8")
    size, widths = _column_widths(exhibit)
    columns = [column | {"width": width} for column, width in zip(content["columns"], widths, strict=True)]
    words = {"size": size, "left_out": content["left_out"], "all": f"{len(content['rows']) + content['left_out']:,}"}
    gaps = point_gaps(content["rows"], content["columns"])
    return (
        meta
        | words
        | {"kind": "table", "supplement": "Table", "file": file, "columns": columns, "rows": _bound_rows(content)}
        | {"gaps": gaps, "unwrapped": _unwrapped_width(content, gaps)}
    )


def _figure_width(svg: str) -> float:
    """The maximum width of a figure in points, with which it is not higher than a page."""
    stated = _SIZE.search(svg)
    if not stated:
        return _PORTRAIT_PT
    wide, high = float(stated[1]), float(stated[2])
    return round(wide * min(1.0, _TALLEST_PT / high), 2)


def _unwrapped_width(content: dict[str, Any], gaps: list[list[float]]) -> float:
    """The width of a table in the largest type if no cell wraps: points, 1 % too much at most.

    0 if a character is of another font, of which the widths are not known so well.
    """
    columns = zip(content["columns"], zip(*content["rows"], strict=True), zip(*gaps, strict=True), strict=True)
    widths = [_unwrapped_column_width(column, cells, spaces) for column, cells, spaces in columns]
    texts = {text for row in content["rows"] for text in row}.union(
        *((column["title"], column["unit"]) for column in content["columns"])
    )
    # The insets of cells in `template.typ`: 0.55 em at both sides, and 1 point at the outer edges.
    width = sum(widths) + 1.1 * _LARGEST_FONT_PT * (len(widths) - 1) + 2
    return round(width, 2) if fonts.are_in_text_font(texts) else 0.0


def _unwrapped_column_width(column: dict[str, Any], cells: tuple[str, ...], gaps: tuple[float, ...]) -> float:
    head = fonts.text_width(column["title"], _LARGEST_FONT_PT, bold=True)
    unit = fonts.text_width(column["unit"], _UNIT_EM * _LARGEST_FONT_PT)
    spaces = (gap * _DIGIT_EM * _LARGEST_FONT_PT for gap in gaps)
    texts = (fonts.text_width(cell, _LARGEST_FONT_PT) for cell in cells)
    return max(head, unit, *(width + space for width, space in zip(texts, spaces, strict=True)))


def _bound_rows(content: dict[str, Any]) -> list[list[str]]:
    """The rows of a table, whose cells do not break between a number and its unit."""
    return [[bound_text(cell) for cell in row] for row in content["rows"]]


class _ColumnNeed(NamedTuple):
    """The width that a column needs for its longest word, and for its longest cell: points, at 7.5 points of type."""

    least: float
    most: float


def _column_needs(content: dict[str, Any]) -> list[_ColumnNeed]:
    columns = zip(content["columns"], zip(*_bound_rows(content), strict=True), strict=True)
    return [_column_need(column, cells) for column, cells in columns]


def _column_need(column: dict[str, Any], cells: tuple[str, ...]) -> _ColumnNeed:
    words = {word for cell in cells for word in _BREAK_AFTER.split(cell)}
    heads = [fonts.text_width(word, _WRAPPED_FONT_PT, bold=True) for word in _BREAK_AFTER.split(column["title"])]
    # The longest word decides: a column must not break it.
    least = max([*heads, *(fonts.text_width(word, _WRAPPED_FONT_PT) for word in words)])
    return _ColumnNeed(least, max(sum(heads), *(fonts.text_width(cell, _WRAPPED_FONT_PT) for cell in cells)))


def _readable_width(need: _ColumnNeed) -> float:
    """The width at which no cell of the column has more than three lines."""
    return max(need.least, need.most / 3)


def is_wide(exhibit: Exhibit) -> bool:
    """Whether a table is printed on a landscape page: in portrait, its cells would be long or its type small."""
    if exhibit.kind != TABLE or exhibit.empty is not None:
        return False
    needs = _column_needs(exhibit.content)
    width = sum(map(_readable_width, needs)) + _GAP_PT * len(needs)
    return width * _SMALLEST_IN_PORTRAIT_PT / _WRAPPED_FONT_PT > _PORTRAIT_PT


def _column_widths(exhibit: Exhibit) -> tuple[float, list[float]]:
    """The font size and the widths of the columns if cells wrap, in points.

    Each column gets the width of its longest word; the columns share the remaining width. Raises ReportError if the
    words do not fit in the smallest font size.
    """
    needs = _column_needs(exhibit.content)
    page = _LANDSCAPE_PT if is_wide(exhibit) else _PORTRAIT_PT
    least = sum(need.least + _GAP_PT for need in needs)
    scale = min(1.0, page / least)
    if scale * _WRAPPED_FONT_PT < _SMALLEST_FONT_PT:
        problem = f"{exhibit.label} is too wide for any page with its {len(needs)} columns"
        raise ReportError(f"cell {exhibit.cell}: {problem}: select some with columns=")
    wanted = sum(need.most - need.least for need in needs)
    share = max(0.0, min(1.0, (page - least) / wanted)) if wanted else 0.0
    widths = [round(scale * (need.least + share * (need.most - need.least) + _GAP_PT), 2) for need in needs]
    return round(scale * _WRAPPED_FONT_PT, 2), widths


def with_leads(blocks: list[Node]) -> list[Node]:
    """The blocks, with code that keeps some paragraphs on the page of the block below.

    These are paragraphs before a table, a figure or a formula, those that end with a colon, and formulas before the
    paragraph that explains them. The latter may be parted from a table below it.
    """
    kept: list[Node] = []
    for before, block, following in zip([None, *blocks], blocks, [*blocks[1:], None], strict=False):
        call = "#lead-formula[" if _is_formula(block) else "#lead["
        begin, end = ({"t": "RawBlock", "c": ["typst", code]} for code in (call, "]"))
        explains = before is not None and _is_formula(before)
        is_lead = following is not None and not explains and _is_lead(block, following)
        kept += [begin, block, end] if is_lead else [block]
    return kept


def _is_lead(block: Node, following: Node) -> bool:
    if block["t"] != "Para":
        return False
    if _is_formula(block):
        return bool(following["t"] == "Para")
    return following["t"] == "RawBlock" or _is_formula(following) or pandoc.text_of_inlines(block["c"]).endswith(":")


def _is_formula(block: Node) -> bool:
    """Whether a block is a formula by itself."""
    inlines = block["c"] if block["t"] == "Para" else []
    return len(inlines) == 1 and inlines[0]["t"] == "Math" and inlines[0]["c"][0]["t"] == "DisplayMath"


def with_pairs(blocks: list[Node], document: Document) -> list[Node]:
    """The blocks, with one marker for two short tables that follow each other: ``3 4``."""
    kept: list[Node] = []
    for block in blocks:
        # A pair has two numbers in its marker, so that a third table does not join it.
        if kept and _is_short_table(kept[-1], document) and _is_short_table(block, document):
            kept[-1] = {"t": "RawBlock", "c": [MARKER, f"{kept[-1]['c'][1]} {block['c'][1]}"]}
        else:
            kept.append(block)
    return kept


def _is_short_table(block: Node, document: Document) -> bool:
    if block["t"] != "RawBlock" or block["c"][0] != MARKER or not block["c"][1].isdecimal():
        return False
    exhibit = document.exhibits[int(block["c"][1])]
    if exhibit.kind != TABLE or exhibit.empty is not None or is_wide(exhibit) or document.repeated(exhibit):
        return False
    return len(exhibit.content["rows"]) <= _MOST_ROWS_OF_A_PAIR


def _to_typst(blocks: list[Node], document: Document) -> list[Node]:
    """The blocks with code of the template for formulas, languages, headings, exhibits and references."""

    def change(node: Node) -> Node | list[Node] | None:
        if marked := marked_language(node):
            language, inlines = marked
            call = raw_inline("typst", f"#in-language({_typst_string(language)})[")
            return [call, *walk(inlines, change), raw_inline("typst", "]")]
        if node["t"] == "Math":
            return [raw_inline("typst", f"#formula({_typst_string(node['c'][1])})["), node, raw_inline("typst", "]")]
        if is_option(node):
            return [raw_inline("typst", "#box["), node, raw_inline("typst", "]")]
        if node["t"] == "Header":
            level, attributes, words = node["c"]
            # The title of the document has level 1 in a notebook, and none in Typst: sections begin with 1.
            return {"t": "Header", "c": [level - 1, attributes, walk(words, change)]}
        if node["t"] == "RawBlock" and node["c"][0] == MARKER and " " in node["c"][1]:
            return _pair_call(document, *map(int, node["c"][1].split()))
        if node["t"] == "RawBlock" and node["c"][0] == MARKER:
            at = int(node["c"][1])
            if is_wide(document.exhibits[at]) and not document.repeated(document.exhibits[at]):
                return pandoc.paragraph(raw_inline("typst", f"#turned({at})"))
            return _exhibit_call(document, at)
        return None

    def refer(exhibit: Exhibit) -> Node:
        return raw_inline("typst", f"#exhibit-ref({_typst_string(exhibit.label)})")

    return list(walk(resolve_references(blocks, refer, document.by_label()), change))


def _exhibit_call(document: Document, at: int) -> Node:
    exhibit = document.exhibits[at]
    if exhibit.kind == BAR:
        return pandoc.paragraph(raw_inline("typst", f"#share-bar({at})"))
    call = f"#data-{'table' if exhibit.kind == TABLE else 'figure'}({at})["
    if drawn := document.repeated(exhibit):
        call = f'#repeated-table({at}, "{drawn.label}")['
    return pandoc.paragraph(raw_inline("typst", call), *_to_typst(exhibit.caption, document), raw_inline("typst", "]"))


def _pair_call(document: Document, first: int, second: int) -> Node:
    captions = [_to_typst(document.exhibits[at].caption, document) for at in (first, second)]
    raw = [raw_inline("typst", text) for text in (f"#table-pair({first}, {second})[", "][", "]")]
    return pandoc.paragraph(raw[0], *captions[0], raw[1], *captions[1], raw[2])


def _wide_tables(document: Document) -> str:
    wide = [
        _exhibit_call(document, at)
        for at, exhibit in enumerate(document.exhibits)
        if is_wide(exhibit) and not document.repeated(exhibit)
    ]
    return f"#wide-tables[\n{pandoc.write(wide, 'typst')}\n]" if wide else ""


def _typst_string(words: str) -> str:
    """A text as a Typst string literal."""
    return json.dumps(words, ensure_ascii=False)


def _compile(build: Path, day: date) -> bytes:
    import typst

    fonts.copy_fonts(build / "fonts")
    # No fonts of the machine: the same document gives the same bytes everywhere.
    known = typst.Fonts(include_system_fonts=False, font_paths=[str(build / "fonts")])
    compiler = typst.Compiler(build / "main.typ", root=build, font_paths=known, ignore_system_fonts=True)
    try:
        return _best_layout(build, compiler, day)
    except typst.TypstError as problem:
        raise ReportError(f"the PDF can't be made: {problem}") from None


def _best_layout(build: Path, compiler: Any, day: date) -> bytes:
    """The PDF, with figures, tables and sections placed so that little space stays empty."""

    def laid_out(choices: dict[str, str]) -> _LayoutResult:
        # Typst lays out again only what depends on a changed file; after other `sys.inputs`, it would be everything.
        (build / "choices.json").write_text(json.dumps(choices), "utf-8")
        return _LayoutResult(_query_layout(compiler), choices)

    def tried(**more: str) -> _LayoutResult:
        return laid_out(best.choices | more)

    best = laid_out({})

    # Figures first, because tables and sections move with them. Those that would float into a table do not float.
    floating, floated = best.layout.figures_at_tops(), best
    while floating:
        other = tried(floating=" ".join(floating))
        amid = other.layout.figures_amid_tables()
        if other.layout.is_sound():
            floated = other
            best = other if other.layout.end < best.layout.end - _FLOAT_SAVES else best
        fewer = [label for label in floating if label not in amid]
        floating = fewer if 0 < len(fewer) < len(floating) else []  # figures that do not float may be amid tables
    # Then tables whose last rows would be alone on a page.
    if rests := best.layout.rests_of_tables():
        other = tried(dense=" ".join(rests))
        best = other if not other.layout.rests_of_tables() and other.layout.is_sound() else best
    # Floating figures that alone save too little may save a page together with less space.
    bases = [{}, floated.choices] if floated is not best else [{}]
    # Eight layouts at most: four ways, each with floating figures and without.
    ways = itertools.product(_WAYS_TO_TIGHTEN, bases)
    for how, base in ways if best.layout.pages > 1 and best.layout.filled < _TIGHTEN_BELOW else ():
        other = tried(**base, tight=how)
        if other.layout.pages < best.layout.pages and other.layout.is_sound():
            best = other
            break
    # Last: no way saved the last page, so it gets more to hold.
    if best.layout.filled < _ALMOST_EMPTY and (section := best.layout.section_to_move()):
        other = tried(last=str(section))
        best = other if other.layout.pages == best.layout.pages and other.layout.is_sound() else best
    # The PDF is made of the files as they are: the last layout tried may not be the best.
    laid_out(best.choices)
    return _write_pdf(compiler, day)


class _Layout(NamedTuple):
    """The places of figures, ends of tables, and sections in a PDF, its pages, and how far the last one is filled.

    Heights are shares of the page, from its top. ``at`` is the number of an exhibit in the document.
    """

    pages: int
    filled: float
    figures: list[dict[str, Any]]
    tables: list[dict[str, Any]]
    sections: list[dict[str, Any]]

    @property
    def end(self) -> float:
        """The length of the document, in pages."""
        return self.pages - 1 + self.filled

    def figures_at_tops(self) -> list[str]:
        """The labels of the figures at the top of a page; each left a gap at the end of the page before."""
        return [one["label"] for one in self.figures if one["page"] > 1 and one["y"] < _PAGE_TOP]

    def figures_amid_tables(self) -> set[str]:
        """The labels of figures that are printed before the end of a table which precedes them in the text."""
        ends = [(table["at"], table["page"], table["y"]) for table in self.tables]
        return {
            one["label"]
            for one in self.figures
            if any(at < one["at"] and (one["page"], one["y"]) < (page, y) for at, page, y in ends)
        }

    def is_in_order(self) -> bool:
        """Whether the figures are in the order of their numbers."""
        places = [(one["page"], one["y"]) for one in self.figures]
        return places == sorted(places)

    def is_sound(self) -> bool:
        """Whether the figures are in order, and after the tables that precede them in the text."""
        return self.is_in_order() and not self.figures_amid_tables()

    def rests_of_tables(self) -> list[str]:
        """The labels of the tables that have only a row or two on their last page."""
        return [one["label"] for one in self.tables if one["begins"] < one["page"] and one["y"] < _REST_ENDS_ABOVE]

    def section_to_move(self) -> int:
        """The number, from 1, of the section with which the last page may begin; 0 if there is none.

        It begins on the page before: so low that this page stays half full, and so high that the last page does not
        stay almost empty.
        """
        last = [at for at, one in enumerate(self.sections, 1)
                if one["page"] == self.pages - 1 and one["y"] > _LEAST_KEPT
                and self.filled + _PAGE_BOTTOM - one["y"] > _ALMOST_EMPTY + _FILL_MARGIN]  # fmt: skip
        return last[-1] if last else 0


class _LayoutResult(NamedTuple):
    """A layout, and the choices from which it follows (`template.typ` explains them)."""

    layout: _Layout
    choices: dict[str, str]


def _query_layout(compiler: Any) -> _Layout:
    (found,) = json.loads(compiler.query("<end>", field="value"))
    parts = (found["figures"], found["tables"], found["sections"])
    return _Layout(int(found["pages"]), float(found["filled"]), *parts)


def _write_pdf(compiler: Any, day: date) -> bytes:
    # PDF/A-3 allows files to be attached, the CSV of each table; PDF/UA is for screen readers.
    midnight = int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp())
    done, warnings = compiler.compile_with_warnings(timestamp=midnight, pdf_standards=["a-3a", "ua-1"], format="pdf")
    if warnings:
        raise ReportError("Typst warns about the PDF: " + "; ".join(str(one) for one in warnings))
    return bytes(done)

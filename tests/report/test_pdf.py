"""The PDF, read back."""

from __future__ import annotations

import hashlib
import io
import json
import os
import pickle
import subprocess
import sys
from datetime import date
from pathlib import Path

import nbformat
import pypdf
import pytest
import typst

from tests.report.conftest import notebook
from wrkparse.report.build import BuiltReport, report
from wrkparse.report.document.model import MARKER, Document, Exhibit, FrontFacts
from wrkparse.report.document.pandoc import Node, paragraph
from wrkparse.report.document.pandoc import text_inline as text_of
from wrkparse.report.exhibits.mime_types import FIGURE, TABLE
from wrkparse.report.output import pdf as pdf_output
from wrkparse.report.output.fonts import _subset_font, copy_fonts, font_face_rules
from wrkparse.report.output.pdf import _bound_rows, _Layout, with_leads, with_pairs
from wrkparse.report.output.pdf import render_pdf as render

DAY = date(2026, 1, 1)


@pytest.fixture(scope="module")
def reader(pdf: bytes) -> pypdf.PdfReader:
    return pypdf.PdfReader(io.BytesIO(pdf))


@pytest.fixture(scope="module")
def text(reader: pypdf.PdfReader) -> str:
    return "\n".join(page.extract_text() for page in reader.pages)


def test_the_pdf_has_title_date_summary_contents_and_page_numbers(text: str, reader: pypdf.PdfReader) -> None:
    assert text.startswith("Servers compared, 比較 и λ\nread on 14 November 2023 · store.duckdb · runs where cores = 4")
    assert "There are 2 of them." in text
    assert "Contents" in text
    for number, page in enumerate(reader.pages, 1):
        assert f"{number} / {len(reader.pages)}" in page.extract_text()


def test_text_of_prose_tables_and_figures_can_be_selected(text: str) -> None:
    for words in (
        "Throughput 日本語",
        "nginx & <b>",
        "高速 server",
        "日本語の文章は空白なしで続く。",
        "40.67",
        "k/s",
        "λ",
    ):
        assert words in text


def test_references_are_numbers_of_tables_and_figures(text: str) -> None:
    squeezed = " ".join(text.replace("\u00a0", " ").split())
    assert "as Figure 1 shows" in squeezed
    assert "see Table 1, and the other section" in squeezed
    assert "Table 1 Throughput of 𝑁 servers, as printed" in squeezed
    assert "@" not in squeezed.replace("someone@example.org", "")


def test_every_table_is_attached_whole_as_csv(reader: pypdf.PdfReader) -> None:
    attached = {name: content[0].decode() for name, content in reader.attachments.items()}
    assert set(attached) == {"tbl-speed.csv", "tbl-wide.csv", "tbl-long.csv"}
    assert attached["tbl-speed.csv"] == "framework,throughput_per_s\nnginx & <b>,40669.44\n高速 server,\n"
    assert attached["tbl-long.csv"].splitlines() == ["n", *map(str, range(100))]


def test_rows_that_are_left_out_are_counted(text: str) -> None:
    assert "10 of 100 rows; all are in tbl-long.csv, attached to this PDF" in text


def test_the_pdf_is_tagged_and_states_its_standards(reader: pypdf.PdfReader) -> None:
    root = reader.trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"]
    assert root["/Lang"] == "en"
    metadata = root["/Metadata"].get_data().decode()
    assert "<pdfaid:part>3</pdfaid:part><pdfaid:conformance>A</pdfaid:conformance>" in metadata
    assert "<pdfuaid:part>1</pdfuaid:part>" in metadata


def test_a_table_of_fourteen_columns_is_on_a_landscape_page(reader: pypdf.PdfReader) -> None:
    turned = [page for page in reader.pages if page.mediabox.width > page.mediabox.height]
    assert len(turned) == 1
    assert "Fourteen columns" in turned[0].extract_text()
    assert "14,000,000,000" in turned[0].extract_text()


def test_a_character_without_a_glyph_is_replaced_with_a_warning(made: BuiltReport, text: str) -> None:
    assert "no font has U+1F642 SLIGHTLY SMILING FACE" in made.warnings
    assert "an emoji :slightly smiling face: and" in text


def test_fonts_are_embedded_and_system_fonts_are_not_used(reader: pypdf.PdfReader) -> None:
    fonts = {
        font.get_object()["/BaseFont"].partition("+")[2].partition("-")[0]
        for page in reader.pages
        for font in page["/Resources"]["/Font"].values()
    }
    assert fonts <= {"SourceSansPro", "NotoSansCJKjp", "DejaVuSansMono", "DejaVuSans", "NewCMMath"}


def test_the_same_bytes_in_another_process_with_another_hash_seed_and_time_zone(
    made: BuiltReport, pdf: bytes, page: str, tmp_path: Path
) -> None:
    (tmp_path / "made").write_bytes(pickle.dumps(made))
    code = (
        "import pickle, sys, hashlib; made = pickle.load(open(sys.argv[1], 'rb'))\n"
        "print(*(hashlib.sha256(made.content(form)).hexdigest() for form in ('.pdf', '.html')))"
    )
    environment = {
        **os.environ,
        "PYTHONHASHSEED": "4711",
        "TZ": "Asia/Tokyo",
        "PYTHONPATH": str(Path(__file__).parents[2]),
    }
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "made")],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == [hashlib.sha256(one).hexdigest() for one in (pdf, page.encode())]


def test_a_nearly_empty_last_page_is_avoided(monkeypatch: pytest.MonkeyPatch) -> None:
    def pages(count: int) -> int:
        found = Document("Many lines", [], [paragraph(text_of(f"line {n}")) for n in range(count)], [])
        return len(pypdf.PdfReader(io.BytesIO(render(found, "", date(2026, 1, 1)))).pages)

    assert pages(80) == 2  # a page that is half full stays
    assert pages(44) == 1
    monkeypatch.setattr("wrkparse.report.output.pdf._TIGHTEN_BELOW", 0)
    assert pages(44) == 2  # without tighter spacing


def test_the_file_is_written_once_however_many_layouts_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    laid_out: list[int] = []
    written: list[int] = []
    query, write = pdf_output._query_layout, pdf_output._write_pdf
    monkeypatch.setattr(pdf_output, "_query_layout", lambda one: (laid_out.append(1), query(one))[1])
    monkeypatch.setattr(pdf_output, "_write_pdf", lambda *of: (written.append(1), write(*of))[1])
    assert len(page_texts(14, [300], 12)) == 1  # one of the ways to tighten
    assert len(laid_out) > 2
    assert len(written) == 1


def figure(number: int, high: int) -> Exhibit:
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 {high}" width="400pt" height="{high}pt"></svg>'
    content = {"label": f"fig:f{number}", "svg": svg, "alt": "a drawing", "caption": ""}
    return Exhibit(content, FIGURE, 1, number, [text_of(f"drawing {number}")])


def page_texts(before: int, high: list[int], behind: int) -> list[str]:
    """The text of the pages of a report: lines, figures of these heights in points, and lines."""
    lines = [paragraph(text_of(f"line{n}.")) for n in range(before + behind)]
    shown: list[Node] = [{"t": "RawBlock", "c": [MARKER, str(at)]} for at in range(len(high))]
    exhibits = [figure(at, one) for at, one in enumerate(high, 1)]
    made = Document("Lines and figures", [], [*lines[:before], *shown, *lines[before:]], exhibits)
    return [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(render(made, "", date(2026, 1, 1)))).pages]


def test_the_text_goes_on_before_a_figure_that_does_not_fit_its_page() -> None:
    """25 lines leave half of a page, the figure needs more; the lines behind it fill the rest."""
    first, second = page_texts(25, [500], 15)
    assert "line39." in first
    assert "drawing 1" in second
    assert "line" not in second


def test_a_cell_is_not_broken_between_a_number_and_its_unit() -> None:
    rows = [["Time per request", "672.2 ms"], ["Page faults", "36,575"]]
    assert _bound_rows({"rows": rows}) == [["Time per request", "672.2\N{NO-BREAK SPACE}ms"], ["Page faults", "36,575"]]


def test_a_formula_stays_with_the_paragraphs_around_it() -> None:
    lead, text = paragraph(text_of("So")), paragraph(text_of("Text."))
    formula = paragraph({"t": "Math", "c": [{"t": "DisplayMath"}, "x"]})
    inside = paragraph({"t": "Math", "c": [{"t": "InlineMath"}, "x"]})
    begin, end = ({"t": "RawBlock", "c": ["typst", code]} for code in ("#lead[", "]"))
    formula_begin = {"t": "RawBlock", "c": ["typst", "#lead-formula["]}
    assert with_leads([text, lead, formula, text]) == [text, begin, lead, end, formula_begin, formula, end, text]
    table = {"t": "RawBlock", "c": [MARKER, "0"]}
    assert with_leads([formula, text, table]) == [
        formula_begin,
        formula,
        end,
        text,
        table,
    ]  # what explains it stays with it
    assert with_leads([lead, inside]) == [lead, inside]


def test_a_paragraph_that_ends_with_a_colon_stays_with_what_it_announces() -> None:
    lead, listed = paragraph(text_of("These:")), {"t": "BulletList", "c": [[paragraph(text_of("one"))]]}
    begin, end = ({"t": "RawBlock", "c": ["typst", code]} for code in ("#lead[", "]"))
    assert with_leads([lead, listed]) == [begin, lead, end, listed]
    assert with_leads([listed, lead]) == [listed, lead]


def test_figures_stay_in_the_order_of_their_numbers() -> None:
    """The second figure would fit the rest of the first page."""
    first, second, *_ = page_texts(25, [500, 60], 15)
    assert "drawing" not in first
    assert second.index("drawing 1") < second.index("drawing 2")


def test_a_last_page_with_little_on_it_is_saved_by_smaller_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twelve lines behind the figure: less space between lines does not do."""
    assert len(page_texts(14, [300], 12)) == 1
    monkeypatch.setattr("wrkparse.report.output.pdf._WAYS_TO_TIGHTEN", ("spacing",))
    assert len(page_texts(14, [300], 12)) == 2


def test_figures_that_move_and_less_space_together_save_a_page() -> None:
    """The text goes on before the high figure, but the low one behind it begins a third page."""
    lines = [paragraph(text_of(f"line{n}.")) for n in range(31)]
    first, second = ({"t": "RawBlock", "c": [MARKER, str(at)]} for at in range(2))
    blocks = [*lines[:25], first, *lines[25:30], second, lines[30]]
    made = Document("Lines and figures", [], blocks, [figure(1, 600), figure(2, 200)])
    assert len(pypdf.PdfReader(io.BytesIO(render(made, "", date(2026, 1, 1)))).pages) == 2


TABLES = """\
%% md
# Tables
%% code parameters
DATA = "nowhere"
WHERE = None
%% md
## Each of them
%% code
import pandas as pd
import wrkparse as wp
few, many = pd.DataFrame({"a": [1, 2]}), pd.DataFrame({"a": range(17)})
display(wp.Table(few, "One", "tbl:one"), wp.Table(few, "Two", "tbl:two"), wp.Table(few, "Three", "tbl:three"))
display(wp.Table(many, "Many", "tbl:many"))
%% md
Text.
%% code
wp.Table(few, "Last", "tbl:last")
"""


def test_short_tables_that_follow_each_other_stand_side_by_side(tmp_path: Path, without_kernel: None) -> None:
    """The first two of three; a table of more than 16 rows, and one behind text, stand alone."""
    nbformat.write(notebook(TABLES), tmp_path / "tables.ipynb")
    made = report(tmp_path / "tables.ipynb")
    marked = [block["c"][1] for block in with_pairs(made.document.body, made.document) if block["t"] == "RawBlock"]
    assert marked == ["0 1", "2", "3", "4"]
    heights: dict[str, float] = {}

    def visit(words: str, page: list[float], line: list[float], *_: object) -> None:
        for name in ("One", "Two", "Three"):
            if words.strip().endswith(name):
                heights[name] = line[4] * page[1] + line[5] * page[3] + page[5]

    pypdf.PdfReader(io.BytesIO(made.content(".pdf"))).pages[0].extract_text(visitor_text=visit)
    assert heights["One"] == pytest.approx(heights["Two"])
    assert heights["One"] > heights["Three"]


def test_no_table_of_a_pair_is_broken_between_pages(tmp_path: Path, without_kernel: None) -> None:
    """Lines fill the page but for some rows of the second table, which has 16 of them; both begin on the next page."""
    cells = TABLES.replace("range(17)", "range(100, 116)").replace("## Each of them", "\n\n".join(["Line."] * 36))
    cells = cells.replace(', wp.Table(few, "Two", "tbl:two"), wp.Table(few, "Three", "tbl:three")', "")
    nbformat.write(notebook(cells), tmp_path / "tables.ipynb")
    pages = pypdf.PdfReader(io.BytesIO(report(tmp_path / "tables.ipynb").content(".pdf"))).pages
    texts = [page.extract_text() for page in pages]
    assert "Line." in texts[0]
    assert [[str(number) in text for text in texts].count(True) for number in (100, 115)] == [1, 1]
    assert ["100" in text for text in texts] == ["115" in text for text in texts]


def test_a_font_with_tables_of_its_maker_is_embedded_without_a_word(caplog: pytest.LogCaptureFixture) -> None:
    """FontForge leaves a table of its own times in DejaVu Sans, which alone has this letter."""
    _subset_font.cache_clear()
    assert "DejaVu Sans" in font_face_rules({"\u0181"})
    assert caplog.records == []


def headed(level: int) -> list[Node]:
    """A heading of the document and 400 lines, which fill more than six pages."""
    heading: Node = {"t": "Header", "c": [level, [f"part{level}", [], []], [text_of(f"Part {level}")]]}
    return [heading, *(paragraph(text_of(f"line {number}")) for number in range(400))]


def test_contents_at_the_end_say_more_than_the_line_on_the_first_page() -> None:
    """That line has the sections; contents are for their parts."""

    def text(*levels: int) -> str:
        blocks = [block for level in levels for block in headed(level)]
        found = Document("Long", [], blocks, [], front=FrontFacts("Long", (), False, 3, False))
        return "\n".join(
            page.extract_text() for page in pypdf.PdfReader(io.BytesIO(render(found, "", date(2026, 1, 1)))).pages
        )

    assert "Contents" not in text(2)
    assert "Contents" in text(2, 3)


def table(number: int, rows: int, label: str = "") -> Exhibit:
    """A table of lines `row 0` …, as `wrkparse.report.exhibits.captioned.Table` describes it."""
    content = {
        "label": label or f"tbl:t{number}", "caption": "", "left_out": 0, "more_rows": [], "repeats": "", "csv": "a\n",
        "columns": [{"title": "a", "unit": "", "right": False}], "rows": [[f"row {at}"] for at in range(rows)],
    }  # fmt: skip
    return Exhibit(content, TABLE, 1, number, [text_of(f"table {number}")])


def exhibit_pages(before: int, exhibits: list[Exhibit], behind: int = 0) -> list[str]:
    """The text of the pages of a report: lines, exhibits, and lines."""
    lines = [paragraph(text_of(f"line{n}.")) for n in range(before + behind)]
    shown: list[Node] = [{"t": "RawBlock", "c": [MARKER, str(at)]} for at in range(len(exhibits))]
    made = Document("Exhibits", [], [*lines[:before], *shown, *lines[before:]], exhibits)
    return [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(render(made, "", date(2026, 1, 1)))).pages]


def test_a_table_that_goes_on_says_so_on_the_next_page_only() -> None:
    first, second = exhibit_pages(20, [table(1, 40)])
    assert "row 0" in first
    assert "continued" not in first
    assert "Table 1, continued" in second
    assert not any("continued" in page for page in exhibit_pages(0, [table(1, 20)]))


def test_a_figure_above_the_last_rows_of_a_table_before_it_is_amid_the_table() -> None:
    """The table, exhibit 0, ends in the middle of page 3; the figures are exhibits 1 and 2."""
    table_end = {"at": 0, "label": "tbl:a", "page": 3, "y": 0.5}
    above, below = ({"at": at, "label": f"fig:{at}", "page": 3, "y": y} for at, y in ((1, 0.1), (2, 0.6)))
    assert _Layout(3, 0.9, [above, below], [table_end], []).figures_amid_tables() == {"fig:1"}
    assert _Layout(3, 0.9, [above | {"page": 4}, below], [table_end], []).figures_amid_tables() == set()
    assert (
        _Layout(3, 0.9, [above], [table_end | {"at": 2}], []).figures_amid_tables() == set()
    )  # the figure is before it


def test_a_last_page_with_some_files_on_it_is_saved_by_listing_fewer() -> None:
    """20 files behind 34 lines: six are listed, and their number is given."""
    [page] = exhibit_pages(34, [table(1, 20, "tbl:about-files")])
    assert ("row 5" in page, "row 6" in page) == (True, False)
    assert "6 of 20 rows" in page
    assert len(exhibit_pages(34, [table(1, 20)])) == 2


def test_a_table_is_torn_if_only_a_row_or_two_are_on_its_last_page() -> None:
    """Text begins at 0.07 of a page: the first table has a head and a row there, the second is short, the third long."""
    tables = [
        {"at": at, "label": label, "begins": begins, "page": 2, "y": y}
        for at, (label, begins, y) in enumerate((("tbl:torn", 1, 0.12), ("tbl:short", 2, 0.12), ("tbl:long", 1, 0.4)))
    ]
    assert _Layout(2, 0.9, [], tables, []).rests_of_tables() == ["tbl:torn"]


def test_an_almost_empty_last_page_begins_with_a_section_of_the_page_before_that_stays_half_full() -> None:
    """Text ends at 0.93: the last section of page 2 brings 0.03 of a page, the one before it 0.13, the first 0.33."""
    sections = [{"page": page, "y": y} for page, y in ((1, 0.4), (2, 0.1), (2, 0.6), (2, 0.8), (2, 0.9), (3, 0.1))]
    assert _Layout(3, 0.25, [], [], sections).section_to_move() == 4
    assert _Layout(3, 0.1, [], [], sections).section_to_move() == 3
    assert _Layout(3, 0.25, [], [], sections[:2]).section_to_move() == 0


def test_a_last_page_with_a_few_lines_begins_with_the_section_before_them() -> None:
    """A section begins low on page 1, and its last lines are alone on page 2, whatever the spacing is."""
    made = Document("Two", [], [*section("First", 26), *section("Second", 18)], [])
    first, second = (page.extract_text() for page in pypdf.PdfReader(io.BytesIO(render(made, "", DAY))).pages)
    assert ("first line 25" in first, "second line 0" in first) == (True, False)
    assert ("second line 0" in second, "second line 17" in second) == (True, True)


def test_the_width_of_a_table_is_known_before_it_is_measured(tmp_path: Path) -> None:
    """As Typst measures it: letters with kerning, numbers below each other, units, one column and several."""
    many = table(1, 0)
    many.content["columns"] = [
        {"title": "AVATAR, Tomato", "unit": "", "right": False},
        {"title": "rate", "unit": "requests/s", "right": True},
        {"title": "p", "unit": "", "right": True},
    ]
    many.content["rows"] = [["To. Ty. Va, LT", "12.5", "< 0.001"], ["kiwi behind AWAY", "1,007", "0.25"]]
    one, other = table(2, 30), table(3, 1)
    other.content["rows"] = [["高速"]]
    pdf_output._write_sources(Document("Widths", [], [], [many, one, other]), "", tmp_path)
    copy_fonts(tmp_path / "fonts")
    (tmp_path / "choices.json").write_text("{}")
    (tmp_path / "main.typ").write_text(
        '#import "template.typ": *\n#show: report\n'
        "#context [#metadata(meta.exhibits.map(it => measure(cells(it + (wraps: false), 8.8pt)).width / 1pt)) <widths>]"
    )
    known = [it["unwrapped"] for it in json.loads((tmp_path / "meta.json").read_text())["exhibits"]]
    compiler = typst.Compiler(tmp_path / "main.typ", root=tmp_path, font_paths=[tmp_path / "fonts"])
    (measured,) = json.loads(compiler.query("<widths>", field="value"))
    assert measured[:2] == pytest.approx(known[:2], rel=0.015)
    assert known[2] == 0.0  # the characters are those of another font


def test_a_table_that_slightly_smaller_type_lets_fit_is_not_on_a_landscape_page() -> None:
    """A word of 470.6 points, the width of the text, has 124 letters in 7.5 points, and 133 in 7."""

    def pages(letters: int) -> list[bool]:
        wide = table(1, 1)
        wide.content["rows"] = [["a" * letters]]
        made = Document("Wide", [], [{"t": "RawBlock", "c": [MARKER, "0"]}], [wide])
        return [
            page.mediabox.width > page.mediabox.height
            for page in pypdf.PdfReader(io.BytesIO(render(made, "", DAY))).pages
        ]

    assert [pages(letters) for letters in (120, 128, 136)] == [[False], [False], [False, True]]


def test_a_table_has_the_largest_type_in_which_it_fits() -> None:
    """One letter more makes the type smaller, whether the width is estimated or measured."""

    def size_of(letters: int) -> float:
        """The font size of a table with one column and so many letters."""
        wide, sizes = table(1, 1), []
        wide.content["rows"] = [["a" * letters]]
        made = Document("Wide", [], [{"t": "RawBlock", "c": [MARKER, "0"]}], [wide])

        def see(text: str, _: object, matrix: list[float], __: object, size: float) -> None:
            if "aaa" in text:
                sizes.append(round(size * matrix[0], 1))

        pypdf.PdfReader(io.BytesIO(render(made, "", DAY))).pages[0].extract_text(visitor_text=see)
        return sizes[0]

    room_pt, letter_em = 166 / 25.4 * 72 - 2, 0.504
    fitting = int(room_pt / (letter_em * 8.8))
    assert [size_of(letters) for letters in (40, fitting, fitting + 1)] == [8.8, 8.8, 8.4]


def test_a_table_of_which_one_row_does_not_fit_has_its_rows_closer() -> None:
    """After 22 lines, 19 rows fit the first page in the usual spacing."""
    first, second = exhibit_pages(22, [table(1, 20)], 30)
    assert "row 19" in first
    assert "continued" not in second


def section(words: str, lines: int) -> list[Node]:
    heading: Node = {"t": "Header", "c": [2, [words.lower(), [], []], [text_of(words)]]}
    return [heading, *(paragraph(text_of(f"{words.lower()} line {number}")) for number in range(lines))]

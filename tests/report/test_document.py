"""From a notebook to a document: numbers, references, sections, and errors that name the cell."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pypandoc
import pytest

from tests.report.conftest import notebook
from wrkparse.report.build import BuiltReport, _replace_missing_glyphs
from wrkparse.report.document.assemble import _reason_paragraph, assemble
from wrkparse.report.document.line_breaks import bind_numbers, bound_text, is_option
from wrkparse.report.document.model import Document
from wrkparse.report.document.pandoc import _pandoc, iter_nodes, paragraph, text_inline, text_of_inlines
from wrkparse.report.errors import ReportError
from wrkparse.report.exhibits.mime_types import FIGURE, TABLE
from wrkparse.report.output.html import render_html
from wrkparse.text.escape import one_line


def shown(cells: str, *outputs: dict[str, Any]) -> Document:
    """The document of a notebook whose code cells have these outputs, one each."""
    made = notebook(cells)
    code = [cell for cell in made.cells if cell.cell_type == "code"]
    for cell, output in zip(code, outputs, strict=True):
        cell.outputs = [output]
    return assemble(made, "mine.ipynb")


def display(kind: str, content: object) -> dict[str, Any]:
    return {"output_type": "display_data", "data": {kind: content}, "metadata": {}}


def table(label: str, empty: str | None = None) -> dict[str, Any]:
    content: dict[str, Any] = {"caption": "C", "label": label}
    rows = {"columns": [{"title": "a", "unit": "", "right": True}], "rows": [["1"]], "left_out": 0, "csv": "a\n1\n"}
    return display(TABLE, content | ({"empty": empty} if empty else rows))


def words(found: Document) -> str:
    return " | ".join(text_of_inlines(block) for block in [*found.summary, *found.body])


def test_the_first_heading_is_the_title_and_the_text_before_the_next_is_the_summary(made: BuiltReport) -> None:
    assert made.document.title == "Servers compared, 比較 и λ"
    said = [text_of_inlines(block) for block in made.document.summary]
    assert said[0].startswith("What was found, as ")
    assert said[1:] == ["There are 2 of them."]


def test_tables_and_figures_are_numbered_separately_without_the_empty_ones(made: BuiltReport) -> None:
    names = {one.label: one.name.replace("\u00a0", " ") for one in made.document.exhibits if one.empty is None}
    assert names == {
        "tbl:speed": "Table 1", "fig:curve": "Figure 1", "tbl:wide": "Table 2", "tbl:long": "Table 3",
        "fig:flight": "Figure 2", "fig:pauses": "Figure 3",
    }  # fmt: skip


def test_an_empty_section_keeps_its_heading_and_the_reasons(made: BuiltReport) -> None:
    said = words(made.document)
    assert "Nothing here | No run of that kind." in said
    assert "This sentence explains" not in said


def test_a_section_with_one_shown_exhibit_keeps_its_text() -> None:
    cells = "%% md\n# T\n\n## Both\n\nProse with @tbl:gone.\n%% code\n1\n%% code\n2\n%% md\n### Below\n\nMore.\n%% code\n3\n"
    found = shown(cells, table("tbl:a"), table("tbl:gone", "None there."), table("tbl:b", "None there."))
    said = [text_of_inlines(block) for block in found.body if block["t"] != "RawBlock"]
    assert said == ["Both", "Prose with @tbl:gone.", "None there.", "Below", "None there."]


def test_code_is_printed_with_a_tag_or_an_option(made: BuiltReport) -> None:
    code = [node["c"][1] for node in iter_nodes(made.document.body) if node["t"] == "CodeBlock"]
    assert code == ["a line\nanother", "shown = 1 + 1"]
    again = assemble(notebook("%% md\n# T\n%% code\nx = 1\n"), "mine.ipynb", code=True)
    assert [block["c"][1] for block in again.summary if block["t"] == "CodeBlock"] == ["x = 1"]


def test_a_link_to_another_notebook_becomes_its_text() -> None:
    made = assemble(notebook("%% md\n# T\nSee [the *other*](other.ipynb#top), and [more](more.html).\n"), "mine.ipynb")
    found = [node for node in iter_nodes(made.summary) if node["t"] == "Link"]
    assert [node["c"][2][0] for node in found] == ["more.html"]
    assert "See the other, and more." in words(made)


def test_japanese_lines_are_joined_without_a_space(made: BuiltReport) -> None:
    assert "日本語の文章は空白なしで続く。" in words(made.document)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("See @fig:nowhere.", "mine.ipynb, cell 3: no table or figure has the label @fig:nowhere; known labels: tbl:a"),
        (
            "See [this](#no-where).",
            "mine.ipynb, cell 3: no heading is the target of the link to #no-where; headings: #one",
        ),
        ("![x](http://example.org/a.png)", "mine.ipynb, cell 3: the image http://example.org/a.png can't be printed"),
        ("```{=html}\n<script>\n```", "mine.ipynb, cell 3: raw html can't be printed"),
    ],
)
def test_unknown_targets_and_unprintable_content_are_errors_that_name_the_cell(source: str, message: str) -> None:
    with pytest.raises(ReportError) as problem:
        shown(f"%% md\n# T\n\n## One\n%% code\n1\n%% md\n{source}\n", table("tbl:a"))
    assert str(problem.value).startswith(message)


def test_an_unknown_reference_in_a_caption_names_the_cell_of_the_table() -> None:
    output = table("tbl:a")
    output["data"][TABLE]["caption"] = "As @tbl:b"
    with pytest.raises(ReportError, match=r"^mine.ipynb, cell 2: no table or figure has the label @tbl:b"):
        shown("%% md\n# T\n%% code\n1\n", output)


def test_the_same_label_twice_is_an_error() -> None:
    with pytest.raises(ReportError, match=r"cell 3: cell 2 has the label tbl:a already"):
        shown("%% md\n# T\n%% code\n1\n%% code\n2\n", table("tbl:a"), table("tbl:a"))


@pytest.mark.parametrize(("kind", "what"), [("image/png", "wp.Figure"), ("text/html", "wp.Table")])
def test_a_figure_or_frame_without_a_caption_is_an_error(kind: str, what: str) -> None:
    with pytest.raises(ReportError, match=f"cell 2 shows {kind} without a caption: wrap it in {what}"):
        shown("%% md\n# T\n%% code\n1\n", display(kind, "x"))


def test_a_notebook_without_a_title_is_an_error() -> None:
    with pytest.raises(ReportError, match=r"mine.ipynb has no title"):
        shown("%% md\n## Only a section\n")


def test_equal_headings_have_different_targets() -> None:
    found = shown("%% md\n# T\n\n## Same\n%% md\n## Same\n")
    assert [block["c"][1][0] for block in found.body] == ["same", "same-1"]


def test_rendering_does_not_change_the_document(made: BuiltReport) -> None:
    before = copy.deepcopy(made.document)
    assert made.content(".html") == made.content(".html")
    assert made.document == before
    assert {one.kind for one in before.exhibits} == {TABLE, FIGURE}


def test_numbers_stay_with_their_units_and_p_with_its_value() -> None:
    words = "an interval (1.4–3.6, p = 0.0065), at 18 ms to 26 MiB; 3 runs of 5, p < 0.001".split()
    inlines = [node for word in words for node in (text_inline(word), {"t": "Space"})]
    (block,) = bind_numbers([paragraph(*inlines)])
    bound = "".join(node.get("c", " ") for node in block["c"]).strip()
    expected = "an interval (1.4–3.6, p_=_0.0065), at 18_ms to 26_MiB; 3 runs of 5, p_<_0.001"
    assert bound == expected.replace("_", "\N{NO-BREAK SPACE}")


def test_an_emoji_of_several_is_replaced_without_what_joins_them() -> None:
    family = "\N{WOMAN}\u200d\N{ROCKET}\ufe0f crew"
    found = Document(one_line(family), [], [paragraph(text_inline("x\u200d y".replace("x", "\N{ROCKET}")))], [])
    warnings = _replace_missing_glyphs(found)
    assert found.title == ":woman::rocket: crew"
    assert warnings == ["no font has U+1F469 WOMAN", "no font has U+1F680 ROCKET"]


def test_a_joiner_is_kept_between_emoji_alone() -> None:
    assert one_line("\N{WOMAN}\u200d\N{ROCKET}") == "\N{WOMAN}\u200d\N{ROCKET}"
    assert one_line("ad\u200dmin \N{ROCKET}\u200d") == "ad\\u200dmin \N{ROCKET}\\u200d"


@pytest.mark.parametrize(
    ("word", "stays"),
    [
        ("--latency-correction", True),
        ("(--timeout),", True),
        ("--", False),
        ("well-known", False),
        ("kiwi--emu-heron", False),
    ],
)
def test_an_option_of_a_command_is_never_on_two_lines(word: str, stays: bool) -> None:
    assert is_option(text_inline(word)) is stays
    found = Document("T", [], [paragraph(text_inline(word))], [])
    assert (b'<span class="option">' in render_html(found, "")) is stays


def test_the_pandoc_is_that_of_its_package() -> None:
    assert Path(_pandoc()).samefile(pypandoc.get_pandoc_path())


def test_a_reason_is_words_that_lines_may_break_between() -> None:
    found = _reason_paragraph("choose some, for example with --where x")
    (emphasis,) = found["c"]
    assert text_of_inlines(emphasis["c"]) == "Choose some, for example with --where x."
    assert text_inline("--where") in emphasis["c"]


def test_a_title_is_not_broken_between_a_number_and_its_unit() -> None:
    title = "6 wrk runs: medians 32.37k requests/s, mean latency 1.31 ms"
    bound = "6 wrk runs: medians 32.37k\N{NO-BREAK SPACE}requests/s, mean latency 1.31\N{NO-BREAK SPACE}ms"
    assert bound_text(title) == bound
    assert bound_text("nginx answers 2 million more") == "nginx answers 2 million more"

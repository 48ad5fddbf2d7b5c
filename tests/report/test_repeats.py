"""Tables whose numbers a figure of the report prints."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pypdf
import pytest

from wrkparse.report.build import BuiltReport, report

CELLS = """\
%% md
# Servers

%% code
import pandas as pd
import wrkparse as wp
from matplotlib.figure import Figure as Drawing

frame = pd.DataFrame({"server": ["heron", "plover"], "n": [3141, 2718]})
axes = Drawing(figsize=(4, 1)).subplots()
wp.Figure(axes, "Both", "fig:both", alt="two numbers")

%% code
wp.Table(frame, "Twice", "tbl:twice", repeats="fig:both")

%% md
In @tbl:twice and @tbl:alone there are two servers.

%% code
wp.Table(frame, "Alone", "tbl:alone", repeats="fig:elsewhere")
"""


@pytest.fixture
def made(written: Callable[[str], Path], without_kernel: None) -> BuiltReport:
    return report(written(CELLS), {})


DRAWN = """\
%% md
# Pauses

%% code
import wrkparse as wp
from tests.samples import GC

ds = wp.parse_text("".join(GC.format(n=n, t=n) for n in (1, 2)))
wp.Figure(wp.plot.gc(ds), "Pauses", "fig:pauses", alt="two pauses of each kind")
"""


@pytest.mark.parametrize("pages", [True, False])
def test_only_a_report_that_may_become_a_page_has_figures_for_phones(
    pages: bool, written: Callable[[str], Path], without_kernel: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    made = report(written(DRAWN), {}, pages=pages)
    page = made.content(".html").decode()
    assert ('class="narrow drawing"' in page) is pages


def test_a_pdf_has_the_csv_of_a_repeated_table_in_its_place(made: BuiltReport) -> None:
    reader = pypdf.PdfReader(io.BytesIO(made.content(".pdf")))
    text = " ".join("\n".join(page.extract_text() for page in reader.pages).replace("\u00a0", " ").split())
    assert "Twice: Figure 1 has the numbers, and tbl-twice.csv, attached to this PDF, all digits." in text
    assert "In Figure 1 and Table 1 there are two servers." in text
    assert text.count("3,141") == 1  # in the other table, whose figure is not in the report
    assert text.index("3,141") > text.index("Table 1 Alone")
    assert reader.attachments["tbl-twice.csv"] == [b"server,n\nheron,3141\nplover,2718\n"]


def test_a_page_folds_a_repeated_table(made: BuiltReport) -> None:
    page = made.content(".html").decode()
    folded, _, rest = page.partition("</details>")
    assert "<summary>The numbers of Figure\u00a01 as a table</summary>" in folded
    assert "<figcaption>Twice" in folded  # without the number of a table, which a PDF does not print
    assert "3,141" in folded.partition("<summary>")[2]
    assert "<details>" not in rest
    assert "3,141" in rest

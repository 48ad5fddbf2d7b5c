"""PDFs of reports by the judgement of veraPDF, an independent checker of PDF/A and PDF/UA."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from wrkparse.report.build import BuiltReport, report
from wrkparse.report.notebook.suite import suite_folder

ROOT = Path(__file__).parents[2]
JARS = ROOT / "build" / "verapdf"  # scripts/test copies them from Maven
CHECK = Path(__file__).parent / "verapdf" / "Check.java"
# Java for some seconds: its best compiler would take longer than it saves.
BRIEF = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")

pytestmark = pytest.mark.skipif(
    shutil.which("java") is None or not JARS.exists(),
    reason="veraPDF is not installed; scripts/test does that where Java and Maven are",
)


@pytest.fixture(scope="module")
def judged(made: BuiltReport, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[list[str]]]:
    """What is said of a report with every kind of content, of the overview of 30 traced runs, of a PDF without tags.

    For each standard: its name, whether the file complies, how much was checked, and what is broken.
    """
    import pypdf

    folder = tmp_path_factory.mktemp("pdf")
    files = [folder / "kinds.pdf", folder / "overview.pdf", folder / "blank.pdf"]
    overview = report(suite_folder() / "overview.ipynb", {"DATA": str(ROOT / "notebooks/loopback/gc")}, pages=False)
    files[0].write_bytes(made.content(".pdf"))
    files[1].write_bytes(overview.content(".pdf"))
    blank = pypdf.PdfWriter()
    blank.add_blank_page(100, 100)
    blank.write(files[2])
    command = ["java", *BRIEF, "-cp", f"{JARS}/*", CHECK, *files]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True, timeout=300)
    lines = [line.split(" ", 3) for line in done.stdout.splitlines()]
    assert [standard for standard, *_ in lines] == ["3a", "ua1"] * len(files)
    return {file.stem: lines[2 * at : 2 * at + 2] for at, file in enumerate(files)}


@pytest.mark.parametrize("name", ["kinds", "overview"])
def test_a_report_complies_with_pdf_a_and_pdf_ua(judged: dict[str, list[list[str]]], name: str) -> None:
    assert [(complies, broken) for _, complies, _, broken in judged[name]] == [("true", "[]")] * 2
    assert all(int(assertions) > 1000 for _, _, assertions, _ in judged[name])


def test_a_pdf_without_tags_does_not_comply(judged: dict[str, list[list[str]]]) -> None:
    assert [complies for _, complies, *_ in judged["blank"]] == ["false", "false"]

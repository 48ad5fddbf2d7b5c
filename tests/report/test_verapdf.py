"""PDFs of reports by the judgement of veraPDF, an independent checker of PDF/A and PDF/UA."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from wrkparse.report.build import Report, report
from wrkparse.report.notebook.suite import suite_folder

ROOT = Path(__file__).parents[2]
JARS = ROOT / "build" / "verapdf"  # scripts/test copies them from Maven
CHECK = Path(__file__).parent / "verapdf" / "Check.java"

pytestmark = pytest.mark.skipif(
    shutil.which("java") is None or not JARS.exists(),
    reason="veraPDF is not installed; scripts/test does that where Java and Maven are",
)


def judged(*files: Path) -> list[list[str]]:
    """For each file and standard: the standard, whether the file complies, how much was checked, and what is broken."""
    done = subprocess.run(
        ["java", "-cp", f"{JARS}/*", CHECK, *files], capture_output=True, encoding="utf-8", check=True, timeout=300
    )
    return [line.split(" ", 3) for line in done.stdout.splitlines()]


def test_reports_comply_with_pdf_a_and_pdf_ua(made: Report, tmp_path: Path) -> None:
    """Every kind of content; and the overview of 30 traced runs."""
    overview = report(suite_folder() / "overview.ipynb", {"DATA": str(ROOT / "notebooks/loopback/gc")}, pages=False)
    files = [tmp_path / "kinds.pdf", tmp_path / "overview.pdf"]
    for file, one in zip(files, (made, overview), strict=True):
        file.write_bytes(one.content(".pdf"))
    found = judged(*files)
    assert [(standard, complies, broken) for standard, complies, _, broken in found] == [
        ("3a", "true", "[]"), ("ua1", "true", "[]"),
    ] * 2  # fmt: skip
    assert all(int(assertions) > 1000 for _, _, assertions, _ in found)


def test_a_pdf_without_tags_does_not_comply(tmp_path: Path) -> None:
    import pypdf

    blank = pypdf.PdfWriter()
    blank.add_blank_page(100, 100)
    blank.write(tmp_path / "blank.pdf")
    assert [complies for _, complies, *_ in judged(tmp_path / "blank.pdf")] == ["false", "false"]

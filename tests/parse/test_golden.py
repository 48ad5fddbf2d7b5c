"""Real logs with the values that a person reads in them: `tests/fixtures/<tool>/<case>.txt` and `<case>.json`.

The report card (`scripts/report-card tests/fixtures`) compares; what it says is tested in `test_report_card.py`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.reportcard.scoring import FoundRun, Sample, Score, add, read, samples
from tests.cases import each_case
from wrkparse.tools import report_tools

FIXTURES = Path(__file__).parents[1] / "fixtures"
SAMPLES = samples(FIXTURES)


@pytest.fixture(scope="module")
def found() -> dict[str, list[FoundRun]]:
    """The runs of each sample, by its name."""
    return dict(zip((sample.name for sample in SAMPLES), read([sample.path for sample in SAMPLES]), strict=True))


@each_case("sample", SAMPLES, ids=lambda sample: sample.name)
def test_golden(sample: Sample, found: dict[str, list[FoundRun]]) -> None:
    score = Score()
    add(score, sample, found[sample.name])
    assert [str(problem) for problem in score.problems] == []
    assert all({"line", "line_end", "dialect", "measurements"} <= run.keys() for run in sample.runs)


def test_every_report_tool_has_golden_logs() -> None:
    assert {sample.name.split("/")[0] for sample in SAMPLES} >= {tool.name for tool in report_tools()}

"""Real output of each report tool, and what it means: every ``<case>.txt`` has a ``<case>.json``, worked out by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cases import each_case
from tests.tools.harness import cases, expected, found
from wrkparse.tools import report_tools
from wrkparse.tools.base import ReportTool

# Some of their cases need more than the tool's lines: tests/parse/test_golden.py has them.
NEED_MORE = {"wrk", "autocannon", "hdrhistogram", "k6"}
CASES = [(tool, case) for tool in report_tools() if tool.metrics and tool.name not in NEED_MORE for case in cases(tool)]


@each_case("tool, case", CASES, ids=[f"{tool.name}-{case.stem}" for tool, case in CASES])
def test_a_real_report_gives_every_number_it_prints(tool: ReportTool, case: Path) -> None:
    runs, wanted = found(tool, case), expected(tool, case)
    assert len(runs) == len(wanted)
    for run, want in zip(runs, wanted, strict=True):
        assert run.pop("measurements") == pytest.approx(want.pop("measurements"), rel=1e-12, nan_ok=True)
        # The lines of the tool alone do not give the labels of its command line; the contract checks that none is missing.
        assert run.pop("labels").items() <= want.pop("labels").items()
        assert run == want

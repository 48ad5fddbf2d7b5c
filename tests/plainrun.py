"""Execute a notebook in this process: the same outputs as from another one, without the time to start it.

`tests/report` and `tests/cli/test_cli_report.py` start processes; the notebooks of the suite are too many and too large.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from wrkparse.report.exhibits.excerpts import REFERENCED_RUNS
from wrkparse.report.exhibits.mime_types import FOR_REPORT, PAGES
from wrkparse.report.notebook import execute
from wrkparse.report.notebook.cells import ABOUT_CODE, add_parameters, code_cell
from wrkparse.report.notebook.child import execute_cell


def plainrun(notebook: Path, parameters: Mapping[str, object] | None = None, *, pages: bool = True, **_: object) -> Any:
    """Do the same as `wrkparse.report.notebook.execute.execute`; an error of a cell is raised as it is."""
    opened = execute.read_notebook(notebook)
    opened.cells = [*add_parameters(opened.cells, dict(parameters or {}), notebook.name), code_cell(ABOUT_CODE)]
    names: dict[str, Any] = {"__name__": "__main__"}
    with contextlib.chdir(notebook.resolve().parent), pytest.MonkeyPatch.context() as patch:
        patch.setenv(FOR_REPORT, PAGES if pages else "print")
        patch.setattr(REFERENCED_RUNS, "_lines", {})  # a process executes one notebook
        for cell in opened.cells:
            if cell["cell_type"] == "code":
                cell["outputs"] = execute_cell(cell["source"], names, "cell")
    return opened

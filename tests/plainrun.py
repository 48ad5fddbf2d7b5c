"""Execute a notebook in this process: the same outputs as from a kernel, without the time to start one.

`tests/report` and `tests/cli/test_cli_report.py` use kernels; the notebooks of the suite are too many and too large.
"""

from __future__ import annotations

import ast
import contextlib
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import nbformat
import pytest
from IPython.core.formatters import DisplayFormatter

from wrkparse.report.exhibits.objects import FOR_REPORT
from wrkparse.report.notebook import execute


def plainrun(notebook: Path, parameters: Mapping[str, object] | None = None, **_: object) -> Any:
    """Do the same as `wrkparse.report.notebook.execute.execute`; an error of a cell is raised as it is."""
    opened = execute.read_notebook(notebook)
    cells = execute.add_parameters(opened.cells, dict(parameters or {}), notebook.name)
    opened.cells = [*cells, execute.code_cell(execute.ABOUT_CODE)]
    names: dict[str, Any] = {"__name__": "__main__"}
    with contextlib.chdir(notebook.resolve().parent), pytest.MonkeyPatch.context() as patch:
        patch.setenv(FOR_REPORT, "1")
        for cell in opened.cells:
            if cell.cell_type == "code":
                cell.outputs = _outputs(cell.source, names)
    return opened


def _outputs(source: str, names: dict[str, Any]) -> list[Any]:
    """The outputs of a cell: what it displays and prints, and the value of its last line."""
    shown: list[Any] = []
    formatter = DisplayFormatter()

    def display(*values: object) -> None:
        for value in values:
            data, metadata = formatter.format(value)
            shown.append(nbformat.v4.new_output("display_data", data=data, metadata=metadata))  # type: ignore[no-untyped-call]

    names["display"] = display
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    said, complained = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(complained):
        exec(compile(tree, "cell", "exec"), names)
        value = eval(compile(ast.Expression(last.value), "cell", "eval"), names) if isinstance(last, ast.Expr) else None
        if value is not None:
            display(value)
    for name, text in (("stdout", said.getvalue()), ("stderr", complained.getvalue())):
        if text:
            shown.append(nbformat.v4.new_output("stream", name=name, text=text))  # type: ignore[no-untyped-call]
    return shown

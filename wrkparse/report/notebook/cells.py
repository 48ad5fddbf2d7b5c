"""Prepares the cells of a notebook for execution, with Jupyter or plain Python, and describes failures."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from wrkparse.report.document.pandoc import Node
from wrkparse.report.errors import ReportError
from wrkparse.report.exhibits.mime_types import FOR_REPORT, PAGES

PARAMETERS = "parameters"
# Called when a cell begins, with its number and the number of all cells.
Progress = Callable[[int, int], None]
# Colours in error messages of IPython.
_ESCAPES = re.compile(r"\x1b\[[0-9;]*m")
# Inserted after the last cell. If the notebook sets ``example`` to False, its text on the example data is dropped. If
# it has a dataset named ``ds``, the section about the data is added.
ABOUT_CODE = """\
from wrkparse.report.exhibits.about import about, without_examples
if not globals().get("example", True):
    display(without_examples())
if "ds" in globals():
    display(*about(ds, globals().get("WHERE"), globals().get("DATA")))
"""


def add_parameters(cells: list[Node], parameters: dict[str, object], name: str) -> list[Node]:
    """The cells, with a cell that sets the parameters after the one tagged ``parameters``.

    Raises ReportError if there is no such cell, or if it does not set all the names. `name` is that of the notebook.
    """
    if not parameters:
        return cells
    at = next((at for at, cell in enumerate(cells) if PARAMETERS in cell["metadata"].get("tags", [])), None)
    names = _assigned_names(cells[at]["source"]) if at is not None else set()
    unknown = sorted(set(parameters) - names)
    if at is None or unknown:
        raise ReportError(f"{name} has no cell tagged “{PARAMETERS}” that sets {', '.join(unknown)}")
    lines = [f"{key} = {value!r}" for key, value in parameters.items()]
    return [*cells[: at + 1], code_cell("\n".join(lines)), *cells[at + 1 :]]


def _assigned_names(source: str) -> set[str]:
    """The names that a cell assigns."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return set()
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def code_cell(source: str) -> Node:
    """A code cell that is marked as inserted by the report."""
    about = {"cell_type": "code", "id": "wrkparse", "metadata": {"wrkparse": "injected"}, "source": source}
    return {**about, "execution_count": None, "outputs": []}


def environment(*, pages: bool, **more: str) -> dict[str, str]:
    """The environment of the process that executes cells: it can import this package, and its results repeat.

    With `pages`, figures are also drawn for phones.
    """
    settings = {FOR_REPORT: PAGES if pages else "print", "MPLBACKEND": "agg", "PYTHONHASHSEED": "0", **more}
    # A package that is not installed is found by its place.
    home = Path(__file__).parents[3]
    if home.name not in ("site-packages", "dist-packages"):
        settings["PYTHONPATH"] = os.pathsep.join(filter(None, (str(home), os.environ.get("PYTHONPATH"))))
    return {**os.environ, **settings}


def describe_failure(notebook: Path, all_cells: list[Node], cell: Any, cause: str) -> str:
    """The message for a cell that failed: ``overview.ipynb, cell 5 (ds = …): ValueError: …``."""
    cells = [one for one in all_cells if one["metadata"].get("wrkparse") != "injected"]
    number = next((at for at, one in enumerate(cells, 1) if one is cell), 0)
    first = next((line for line in (cell["source"] if cell else "").splitlines() if line.strip()), "")
    where = f"{notebook.name}, cell {number} ({first.strip()})" if number else notebook.name
    return f"{where}: {_ESCAPES.sub('', cause)}"

"""Execution of a notebook in a new Jupyter kernel."""

from __future__ import annotations

import ast
import os
import re
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wrkparse.report.errors import ReportError
from wrkparse.report.exhibits.objects import FOR_REPORT

if TYPE_CHECKING:
    from nbformat import NotebookNode

PARAMETERS = "parameters"
# Called when a cell begins, with its number and the number of all cells.
Progress = Callable[[int, int], None]
CELL_TIMEOUT_S = 1800
_ESCAPES = re.compile(r"\x1b\[[0-9;]*m")
# Inserted after the last cell: the section about the data, if the notebook has a dataset named ``ds``.
ABOUT_CODE = """\
from wrkparse.report.exhibits.about import about
if "ds" in globals():
    display(*about(ds, globals().get("WHERE")))
"""


def execute(
    notebook: Path, parameters: Mapping[str, object] | None = None, *, progress: Progress | None = None
) -> NotebookNode:
    """Execute a notebook in its directory; returns it with its outputs.

    `parameters` replace variables that the cell tagged ``parameters`` sets. Raises ReportError, which names the failed
    cell and its error.
    """
    import nbclient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
    from traitlets.config import Config

    opened = read_notebook(notebook)
    total = len(opened.cells)
    opened.cells = [*add_parameters(opened.cells, dict(parameters or {}), notebook.name), code_cell(ABOUT_CODE)]
    current: list[Any] = [None]  # the cell that is being executed

    def on_start(cell: NotebookNode, cell_index: int) -> None:
        current[0] = cell
        if progress:
            progress(min(cell_index, total), total)

    with tempfile.TemporaryDirectory(prefix="wrkparse-") as directory:
        client = nbclient.NotebookClient(
            opened, kernel_name="python3", timeout=CELL_TIMEOUT_S, on_cell_start=on_start, record_timing=False,
            resources={"metadata": {"path": str(notebook.resolve().parent)}}, config=Config(_socket_config(directory)),
        )  # fmt: skip
        try:
            client.execute(env=_environment(directory))
        except CellExecutionError as problem:
            raise ReportError(
                _describe_failure(notebook, opened, current[0], f"{problem.ename}: {problem.evalue}")
            ) from None
        except CellTimeoutError:
            raise ReportError(
                _describe_failure(notebook, opened, current[0], f"not done after {CELL_TIMEOUT_S} s")
            ) from None
        except DeadKernelError:
            cause = "the kernel died; was there too little memory?"
            raise ReportError(_describe_failure(notebook, opened, current[0], cause)) from None
    return opened


def read_notebook(notebook: Path) -> NotebookNode:
    """Read a notebook file. Raises ReportError."""
    import nbformat

    try:
        opened: NotebookNode = nbformat.read(notebook, as_version=4)  # type: ignore[no-untyped-call]
    except OSError as problem:
        raise ReportError(f"{notebook} can't be read: {problem.strerror}") from None
    except (
        nbformat.reader.NotJSONError,
        nbformat.ValidationError,
        UnicodeDecodeError,
        KeyError,
        AttributeError,
    ) as problem:
        raise ReportError(f"{notebook} is not a Jupyter notebook: {str(problem).splitlines()[0]}") from None
    return opened


def add_parameters(cells: list[NotebookNode], parameters: dict[str, object], name: str) -> list[NotebookNode]:
    """The cells, with one that sets the parameters after the cell tagged ``parameters``.

    Raises ReportError if there is no such cell, or if it does not set all the names. `name` is that of the notebook.
    """
    if not parameters:
        return cells
    at = next((at for at, cell in enumerate(cells) if PARAMETERS in cell.metadata.get("tags", [])), None)
    names = _assigned_names(cells[at].source) if at is not None else set()
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


def code_cell(source: str) -> NotebookNode:
    """A code cell that is marked as inserted by the report."""
    import nbformat

    cell: NotebookNode = nbformat.v4.new_code_cell(source, metadata={"wrkparse": "injected"})  # type: ignore[no-untyped-call]
    return cell


def _socket_config(directory: str) -> dict[str, dict[str, str]]:
    """Configure the kernel to use Unix sockets instead of network ports, except on Windows."""
    if os.name == "nt":
        return {}
    return {
        "KernelManager": {"transport": "ipc", "ip": f"{directory}/ipc", "connection_file": f"{directory}/kernel.json"}
    }


def _environment(directory: str) -> dict[str, str]:
    """The environment of the kernel: it finds this package, and ignores the user's configuration of IPython."""
    settings = {FOR_REPORT: "1", "IPYTHONDIR": directory, "MPLBACKEND": "agg", "PYTHONHASHSEED": "0"}
    home = Path(__file__).parents[3]
    if home.name not in ("site-packages", "dist-packages"):
        settings["PYTHONPATH"] = os.pathsep.join(filter(None, (str(home), os.environ.get("PYTHONPATH"))))
    return {**os.environ, **settings}


def _describe_failure(notebook: Path, opened: NotebookNode, cell: Any, cause: str) -> str:
    """``overview.ipynb, cell 5 (ds = …): ValueError: …``."""
    cells = [one for one in opened.cells if one.metadata.get("wrkparse") != "injected"]
    number = next((at for at, one in enumerate(cells, 1) if one is cell), 0)
    first = next((line for line in (cell.source if cell else "").splitlines() if line.strip()), "")
    where = f"{notebook.name}, cell {number} ({first.strip()})" if number else notebook.name
    return f"{where}: {_ESCAPES.sub('', cause)}"

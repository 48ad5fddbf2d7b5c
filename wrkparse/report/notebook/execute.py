"""A notebook executed as Jupyter does it, in a kernel of its own."""

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
# Given the number of the cell that begins, and how many there are.
Progress = Callable[[int, int], None]
CELL_TIMEOUT_S = 1800
_ESCAPES = re.compile(r"\x1b\[[0-9;]*m")
# Put behind a notebook's cells: where its data comes from, if it has a dataset by the name that all of ours have.
_ABOUT = """\
from wrkparse.report.exhibits.about import about
if "ds" in globals():
    display(*about(ds, globals().get("WHERE")))
"""


def execute(
    notebook: Path, parameters: Mapping[str, object] | None = None, *, progress: Progress | None = None
) -> NotebookNode:
    """The notebook with its outputs; `parameters` replace what the cell tagged ``parameters`` sets.

    It runs in the notebook's directory. Raises ReportError, which names the cell that failed and says how.
    """
    import nbclient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
    from traitlets.config import Config

    opened = read(notebook)
    total = len(opened.cells)
    opened.cells = [*_with_parameters(opened.cells, dict(parameters or {}), notebook.name), _code(_ABOUT)]
    now: list[Any] = [None]

    def begins(cell: NotebookNode, cell_index: int) -> None:
        now[0] = cell
        if progress:
            progress(min(cell_index, total), total)

    with tempfile.TemporaryDirectory(prefix="wrkparse-") as directory:
        client = nbclient.NotebookClient(
            opened, kernel_name="python3", timeout=CELL_TIMEOUT_S, on_cell_start=begins, record_timing=False,
            resources={"metadata": {"path": str(notebook.resolve().parent)}}, config=Config(_sockets(directory)),
        )  # fmt: skip
        try:
            client.execute(env=_environment(directory))
        except CellExecutionError as problem:
            raise ReportError(_failure(notebook, opened, now[0], f"{problem.ename}: {problem.evalue}")) from None
        except CellTimeoutError:
            raise ReportError(_failure(notebook, opened, now[0], f"not done after {CELL_TIMEOUT_S} s")) from None
        except DeadKernelError:
            said = "its Python died; was there too little memory?"
            raise ReportError(_failure(notebook, opened, now[0], said)) from None
    return opened


def read(notebook: Path) -> NotebookNode:
    """A notebook file. Raises ReportError."""
    import nbformat

    try:
        found: NotebookNode = nbformat.read(notebook, as_version=4)  # type: ignore[no-untyped-call]
    except OSError as problem:
        raise ReportError(f"{notebook} can't be read: {problem.strerror}") from None
    except (nbformat.reader.NotJSONError, nbformat.ValidationError, UnicodeDecodeError, KeyError, AttributeError) as no:
        raise ReportError(f"{notebook} is no Jupyter notebook: {str(no).splitlines()[0]}") from None
    return found


def _with_parameters(cells: list[NotebookNode], parameters: dict[str, object], name: str) -> list[NotebookNode]:
    if not parameters:
        return cells
    at = next((at for at, cell in enumerate(cells) if PARAMETERS in cell.metadata.get("tags", [])), None)
    names = _assigned(cells[at].source) if at is not None else set()
    unknown = sorted(set(parameters) - names)
    if at is None or unknown:
        raise ReportError(f"{name} has no cell tagged “{PARAMETERS}” that sets {', '.join(unknown)}")
    lines = [f"{key} = {value!r}" for key, value in parameters.items()]
    return [*cells[: at + 1], _code("\n".join(lines)), *cells[at + 1 :]]


def _assigned(source: str) -> set[str]:
    """The names that code sets."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return set()
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def _code(source: str) -> NotebookNode:
    import nbformat

    cell: NotebookNode = nbformat.v4.new_code_cell(source, metadata={"wrkparse": "injected"})  # type: ignore[no-untyped-call]
    return cell


def _sockets(directory: str) -> dict[str, dict[str, str]]:
    """Files in place of ports on the network, where the system has them."""
    if os.name == "nt":
        return {}
    return {
        "KernelManager": {"transport": "ipc", "ip": f"{directory}/ipc", "connection_file": f"{directory}/kernel.json"}
    }


def _environment(directory: str) -> dict[str, str]:
    """A kernel that sees this package, and nothing of the user's own set-up of IPython."""
    mine = {FOR_REPORT: "1", "IPYTHONDIR": directory, "MPLBACKEND": "agg", "PYTHONHASHSEED": "0"}
    home = Path(__file__).parents[3]
    if home.name not in ("site-packages", "dist-packages"):
        mine["PYTHONPATH"] = os.pathsep.join(filter(None, (str(home), os.environ.get("PYTHONPATH"))))
    return {**os.environ, **mine}


def _failure(notebook: Path, opened: NotebookNode, cell: Any, said: str) -> str:
    """``overview.ipynb, cell 5 (ds = …): ValueError: …``."""
    own = [one for one in opened.cells if one.metadata.get("wrkparse") != "injected"]
    number = next((at for at, one in enumerate(own, 1) if one is cell), 0)
    first = next((line for line in (cell.source if cell else "").splitlines() if line.strip()), "")
    where = f"{notebook.name}, cell {number} ({first.strip()})" if number else notebook.name
    return f"{where}: {_ESCAPES.sub('', said)}"

"""Executes a notebook in a new Jupyter kernel."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wrkparse.report.errors import ReportError
from wrkparse.report.notebook.cells import (
    ABOUT_CODE,
    Progress,
    add_parameters,
    code_cell,
    describe_failure,
    environment,
)

if TYPE_CHECKING:
    from nbformat import NotebookNode

CELL_TIMEOUT_S = 1800  # of one cell, so that a cell which hangs ends


def execute(
    notebook: Path,
    parameters: Mapping[str, object] | None = None,
    *,
    progress: Progress | None = None,
    pages: bool = True,
) -> NotebookNode:
    """Execute a notebook in its directory; return it with its outputs.

    `parameters` replace variables that the cell tagged ``parameters`` sets. Raises ReportError, which names the failed
    cell and its error.
    """
    import nbclient
    import nbformat
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
    from traitlets.config import Config

    opened = read_notebook(notebook)
    total = len(opened.cells)
    cells = [*add_parameters(opened.cells, dict(parameters or {}), notebook.name), code_cell(ABOUT_CODE)]
    opened.cells = nbformat.from_dict(cells)  # type: ignore[no-untyped-call]
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
            # An empty folder: start-up files of the user's IPython must not change a report.
            client.execute(env=environment(pages=pages, IPYTHONDIR=directory))
        except CellExecutionError as problem:
            raise ReportError(
                describe_failure(notebook, opened.cells, current[0], f"{problem.ename}: {problem.evalue}")
            ) from None
        except CellTimeoutError:
            raise ReportError(
                describe_failure(notebook, opened.cells, current[0], f"not done after {CELL_TIMEOUT_S} s")
            ) from None
        except DeadKernelError:
            cause = "the kernel died; was there too little memory?"
            raise ReportError(describe_failure(notebook, opened.cells, current[0], cause)) from None
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


def _socket_config(directory: str) -> dict[str, dict[str, str]]:
    """Configure the kernel to use Unix sockets instead of network ports, except on Windows."""
    if os.name == "nt":
        return {}
    return {
        "KernelManager": {"transport": "ipc", "ip": f"{directory}/ipc", "connection_file": f"{directory}/kernel.json"}
    }

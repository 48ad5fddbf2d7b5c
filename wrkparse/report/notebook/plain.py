"""Executes a notebook that comes with wrkparse in a plain Python process without Jupyter.

To start a Jupyter kernel and its client takes longer than to execute the cells of a small report.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from wrkparse.report.document.pandoc import Node
from wrkparse.report.errors import ReportError
from wrkparse.report.notebook.cells import (
    ABOUT_CODE,
    Progress,
    add_parameters,
    code_cell,
    describe_failure,
    environment,
)


def execute_plain(
    notebook: Path,
    parameters: Mapping[str, object] | None = None,
    *,
    progress: Progress | None = None,
    pages: bool = True,
) -> Node:
    """Execute a notebook in its directory; return it with its outputs. Its cells are Python without magic commands.

    The arguments, the result and the errors are those of `wrkparse.report.notebook.execute.execute`.
    """
    opened = json.loads(notebook.read_text("utf-8"))
    total = len(opened["cells"])
    for cell in opened["cells"]:
        # The file has a list of lines, or one text.
        cell["source"] = "".join(cell["source"])
    opened["cells"] = [*add_parameters(opened["cells"], dict(parameters or {}), notebook.name), code_cell(ABOUT_CODE)]
    codes = [(number, cell) for number, cell in enumerate(opened["cells"], 1) if cell["cell_type"] == "code"]
    command = [sys.executable, "-m", "wrkparse.report.notebook.child"]
    with subprocess.Popen(  # noqa: S603 this Python, with a module of this package
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", cwd=notebook.resolve().parent,
        env=environment(pages=pages),
    ) as child:  # fmt: skip
        try:
            assert child.stdin
            assert child.stdout
            json.dump([cell["source"] for _, cell in codes], child.stdin)
            child.stdin.close()
            for number, cell in codes:
                if progress:
                    progress(min(number, total), total)
                answer = json.loads(child.stdout.readline() or _DIED_ANSWER)
                if "error" in answer:
                    raise ReportError(describe_failure(notebook, opened["cells"], cell, answer["error"]))
                cell["outputs"] = answer["outputs"]
        finally:
            child.kill()  # it has ended, unless something failed here
    return dict(opened)


_DIED_ANSWER = json.dumps({"error": "its process died; was there too little memory?"})

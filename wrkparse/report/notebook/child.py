"""Cells of a notebook, executed in a plain Python process: the child of `wrkparse.report.notebook.plain`.

It reads a JSON list of the sources of code cells from standard input, and writes a line of JSON for each: the outputs
in the form of a notebook, or the error that ended it. Cells are Python without the commands of IPython.
"""

from __future__ import annotations

import ast
import contextlib
import gc
import io
import json
import numbers
import os
import sys
from typing import Any, TextIO

Output = dict[str, Any]
_FORMATS = {
    "text/markdown": "_repr_markdown_",
    "text/html": "_repr_html_",
    "image/svg+xml": "_repr_svg_",
    "image/png": "_repr_png_",
}


def main() -> None:
    """Execute the cells; the first error ends it."""
    gc.disable()  # it takes a twelfth of the time to look for what the end of the process frees, seconds later
    sources = json.load(sys.stdin)
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a library writes past Python must not stand between the answers
    space: dict[str, Any] = {"__name__": "__main__"}
    for number, source in enumerate(sources):
        try:
            answer: dict[str, Any] = {"outputs": execute_cell(source, space, f"<cell {number}>")}
        except Exception as problem:  # noqa: BLE001 a cell may raise anything
            answer = {"error": f"{type(problem).__name__}: {problem}"}
        _send(answer, answers)
        if "error" in answer:
            return


def execute_cell(source: str, space: dict[str, Any], name: str) -> list[Output]:
    """Execute a cell in a namespace; returns its outputs in their order: displayed objects, texts, the last value."""
    outputs: list[Output] = []
    space["display"] = lambda *objects: outputs.extend(map(_displayed, objects))
    tree = ast.parse(source, name)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    streams = {name: _Stream(name, outputs) for name in ("stdout", "stderr")}
    with contextlib.redirect_stdout(streams["stdout"]), contextlib.redirect_stderr(streams["stderr"]):
        exec(compile(tree, name, "exec"), space)  # noqa: S102 executing cells is what this module is for
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), name, "eval"), space)  # noqa: S307
            if value is not None and not source.rstrip().endswith(";"):
                outputs.append({**_displayed(value), "output_type": "execute_result"})
    return outputs


class _Stream(io.TextIOBase):
    """What a cell prints, as outputs in their place."""

    def __init__(self, name: str, outputs: list[Output]) -> None:
        self._name, self._outputs = name, outputs

    def writable(self) -> bool:
        return True

    def write(self, text: str, /) -> int:
        last = self._outputs[-1] if self._outputs else {}
        if last.get("name") == self._name:
            last["text"] += text
        else:
            self._outputs.append({"output_type": "stream", "name": self._name, "text": text})
        return len(text)


def _displayed(value: object) -> Output:
    """An object as Jupyter displays it: its bundle, else its text and what it says of its other forms."""
    bundle = getattr(value, "_repr_mimebundle_", None)
    data = bundle() if bundle else None
    if data is None:
        forms = {kind: getattr(value, method, None) for kind, method in _FORMATS.items()}
        said = {kind: form() for kind, form in forms.items() if form}
        data = {"text/plain": repr(value), **{kind: text for kind, text in said.items() if text is not None}}
    return {"output_type": "display_data", "data": data[0] if isinstance(data, tuple) else data, "metadata": {}}


def _send(answer: dict[str, Any], answers: TextIO) -> None:
    answers.write(json.dumps(answer, default=_number) + "\n")
    answers.flush()


def _number(value: object) -> int | float:
    """A number of NumPy as JSON."""
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real):
        return float(value)
    raise TypeError(f"a cell displays {type(value).__name__}, which is no JSON")


if __name__ == "__main__":
    main()

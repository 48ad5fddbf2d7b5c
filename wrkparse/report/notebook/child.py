"""Executes the cells of a notebook in a plain Python process, the child of `wrkparse.report.notebook.plain`.

It reads a JSON list of the sources of code cells from standard input, and writes a line of JSON for each: the outputs
as in a notebook, or the error that ended it. Cells are Python without the commands of IPython.
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
# The methods that Jupyter calls for other forms of an object, by MIME type.
_METHODS_BY_TYPE = {
    "text/markdown": "_repr_markdown_",
    "text/html": "_repr_html_",
    "image/svg+xml": "_repr_svg_",
    "image/png": "_repr_png_",
}


def main() -> None:
    """Execute the cells. The first error ends the process."""
    gc.disable()  # the collector takes a twelfth of the time, and the process ends after seconds
    import pandas as pd

    pd.set_option("mode.string_storage", "python")  # the tables of reports are short, and Arrow is slow with few rows
    sources = json.load(sys.stdin)
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # a library may write to descriptor 1 past Python; that must not get between the answers
    space: dict[str, Any] = {"__name__": "__main__"}
    for number, source in enumerate(sources):
        try:
            answer: dict[str, Any] = {"outputs": execute_cell(source, space, f"<cell {number}>")}
        except Exception as problem:  # noqa: BLE001 a cell may raise anything
            answer = {"error": f"{type(problem).__name__}: {problem}"}
        _write_answer(answer, answers)
        if "error" in answer:
            return


def execute_cell(source: str, space: dict[str, Any], name: str) -> list[Output]:
    """Execute a cell in a namespace; return its outputs in order: displayed objects, printed texts, the last value."""
    outputs: list[Output] = []
    space["display"] = lambda *objects: outputs.extend(map(_display_output, objects))
    tree = ast.parse(source, name)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    streams = {name: _OutputStream(name, outputs) for name in ("stdout", "stderr")}
    with contextlib.redirect_stdout(streams["stdout"]), contextlib.redirect_stderr(streams["stderr"]):
        exec(compile(tree, name, "exec"), space)  # noqa: S102 executing cells is what this module is for
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), name, "eval"), space)  # noqa: S307
            # As in Jupyter: a semicolon at the end hides the value.
            if value is not None and not source.rstrip().endswith(";"):
                outputs.append({**_display_output(value), "output_type": "execute_result"})
    return outputs


class _OutputStream(io.TextIOBase):
    """A stream that appends printed text to the outputs of a cell."""

    def __init__(self, name: str, outputs: list[Output]) -> None:
        self._name, self._outputs = name, outputs

    def writable(self) -> bool:
        return True

    def write(self, text: str, /) -> int:
        last = self._outputs[-1] if self._outputs else {}
        # `print` writes the text and the end of the line by two calls: they are one output.
        if last.get("name") == self._name:
            last["text"] += text
        else:
            self._outputs.append({"output_type": "stream", "name": self._name, "text": text})
        return len(text)


def _display_output(value: object) -> Output:
    """The output for an object, as Jupyter makes it: its MIME bundle, else its repr and its other forms."""
    bundle = getattr(value, "_repr_mimebundle_", None)
    data = bundle() if bundle else None
    if data is None:
        forms = {kind: getattr(value, method, None) for kind, method in _METHODS_BY_TYPE.items()}
        made = {kind: form() for kind, form in forms.items() if form}
        data = {"text/plain": repr(value), **{kind: text for kind, text in made.items() if text is not None}}
    return {"output_type": "display_data", "data": data[0] if isinstance(data, tuple) else data, "metadata": {}}


def _write_answer(answer: dict[str, Any], answers: TextIO) -> None:
    answers.write(json.dumps(answer, default=_json_number) + "\n")
    answers.flush()


def _json_number(value: object) -> int | float:
    """A number of NumPy as a number for JSON."""
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real):
        return float(value)
    raise TypeError(f"a cell displays {type(value).__name__}, which is no JSON")


if __name__ == "__main__":
    main()

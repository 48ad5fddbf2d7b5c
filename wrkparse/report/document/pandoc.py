"""Runs pandoc from its wheel: converts Markdown to a document tree (JSON), and the tree to Typst, HTML or Markdown."""

from __future__ import annotations

import functools
import json
import os
import subprocess
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

# The Markdown that Jupyter shows, with footnotes and references. HTML, and TeX outside formulas, stay text.
READER = "ipynb+citations+footnotes+east_asian_line_breaks+raw_attribute+tex_math_dollars-raw_html-raw_tex"
API_VERSION = [1, 23, 1]  # of the JSON; the pandoc in the wheel writes this version, too

Node = dict[str, Any]


class PandocError(RuntimeError):
    """Pandoc failed. The message is that of pandoc."""


def blocks_of_notebook(notebook: Node) -> list[Node]:
    """The blocks of a notebook of Markdown cells: a Div for each cell, with the metadata of the cell."""
    tree = json.loads(_run_pandoc(["-f", READER, "-t", "json"], json.dumps(notebook)))
    return list(tree["blocks"])


def write(
    blocks: list[Node], form: str, *options: str, template: Path | None = None, values: Node | None = None
) -> str:
    """Blocks as Typst, HTML or Markdown.

    `form` is the name of the output format in pandoc. `values` are the variables of the template, as text or as blocks.
    Raises PandocError.
    """
    meta = {name: _template_value(value) for name, value in (values or {}).items()}
    tree = {"pandoc-api-version": API_VERSION, "meta": meta, "blocks": blocks}
    standalone = ["--standalone", f"--template={template}"] if template else []
    return _run_pandoc(
        ["-f", "json", "-t", form, "--wrap=none", "--syntax-highlighting=none", *options, *standalone], json.dumps(tree)
    )


def _template_value(value: Any) -> Node:
    if isinstance(value, str):
        return {"t": "MetaInlines", "c": [{"t": "RawInline", "c": ["html", value]}]}
    return {"t": "MetaBlocks", "c": value}


def _run_pandoc(options: list[str], text: str) -> str:
    # A user's templates and defaults must not change a report, so pandoc gets no user data directory.
    command = [_pandoc(), "--data-dir=/nonexistent", *options]
    done = subprocess.run(command, input=text.encode(), capture_output=True, check=False)  # noqa: S603 the program is pandoc from the wheel
    if done.returncode or done.stderr:
        raise PandocError(done.stderr.decode("utf-8", "replace").strip() or f"pandoc ended with {done.returncode}")
    return done.stdout.decode()


@functools.cache
def _pandoc() -> str:
    """The program in the wheel.

    `pypandoc.get_pandoc_path` prefers a newer one of the machine, whose JSON may have another version, and takes longer
    than a small report: it runs each.
    """
    package = find_spec("pypandoc")
    if package is not None and package.origin is not None:
        program = Path(package.origin).parent / "files" / ("pandoc.exe" if os.name == "nt" else "pandoc")
        if program.is_file():
            return str(program)
    import pypandoc

    return str(pypandoc.get_pandoc_path())  # of a package without the program


def walk(node: Any, change: Callable[[Node], Any]) -> Any:
    """A copy of a tree with some nodes replaced.

    `change` returns the replacement of a node, a list of replacements, or None to keep the node and visit its children.
    Replacements are not visited.
    """
    if isinstance(node, list):
        return [one for item in node for one in _walk_item(item, change)]
    if isinstance(node, dict):
        return {key: walk(value, change) for key, value in node.items()}
    return node


def _walk_item(item: Any, change: Callable[[Node], Any]) -> list[Any]:
    if isinstance(item, dict) and "t" in item:
        new = change(item)
        if new is not None:
            return new if isinstance(new, list) else [new]
    return [walk(item, change)]


def iter_nodes(tree: Any) -> Iterator[Node]:
    """All nodes of a tree, outer ones first."""
    if isinstance(tree, list):
        for item in tree:
            yield from iter_nodes(item)
    elif isinstance(tree, dict):
        if "t" in tree:
            yield tree
        for value in tree.values():
            yield from iter_nodes(value)


def text_of_inlines(inlines: Any) -> str:
    """The text of inlines, without formatting."""
    spaces = {"Space": " ", "SoftBreak": " ", "LineBreak": " "}
    parts = []
    for node in iter_nodes(inlines):
        if node["t"] == "Str":
            parts.append(node["c"])
        elif node["t"] in ("Code", "Math"):
            parts.append(node["c"][1])
        else:
            parts.append(spaces.get(node["t"], ""))
    return "".join(parts)


def text_inline(words: str) -> Node:
    """An inline (Str) with a text."""
    return {"t": "Str", "c": words}


def raw_inline(form: str, code: str) -> Node:
    """An inline with code in the output format `form`."""
    return {"t": "RawInline", "c": [form, code]}


def paragraph(*inlines: Node) -> Node:
    """A paragraph block of inlines."""
    return {"t": "Para", "c": list(inlines)}

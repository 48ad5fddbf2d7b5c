"""Pandoc, from the wheel: a notebook's Markdown into its document tree as JSON, and the tree into Typst or HTML."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

# What a notebook's Markdown may hold, as Jupyter shows it, and references; HTML and TeX outside formulas stay text.
READER = "ipynb+citations+footnotes+east_asian_line_breaks+raw_attribute+tex_math_dollars-raw_html-raw_tex"
API_VERSION = [1, 23, 1]

Node = dict[str, Any]


class PandocError(RuntimeError):
    """Pandoc could not convert; the message is its own."""


def read(notebook: Node) -> list[Node]:
    """The blocks of a notebook: a Div for each cell, in order, with the cell's identifier."""
    tree = json.loads(_run(["-f", READER, "-t", "json"], json.dumps(notebook)))
    return list(tree["blocks"])


def write(
    blocks: list[Node], form: str, *options: str, template: Path | None = None, values: Node | None = None
) -> str:
    """Blocks as Typst or HTML; `values` fill the template's variables, text or lists of them."""
    meta = {name: _meta(value) for name, value in (values or {}).items()}
    tree = {"pandoc-api-version": API_VERSION, "meta": meta, "blocks": blocks}
    whole = ["--standalone", f"--template={template}"] if template else []
    return _run(
        ["-f", "json", "-t", form, "--wrap=none", "--syntax-highlighting=none", *options, *whole], json.dumps(tree)
    )


def _meta(value: Any) -> Node:
    if isinstance(value, str):
        return {"t": "MetaInlines", "c": [{"t": "RawInline", "c": ["html", value]}]}
    return {"t": "MetaBlocks", "c": value}


def _run(options: list[str], text: str) -> str:
    import pypandoc

    # no user directory: templates and defaults there must not change a report
    command = [pypandoc.get_pandoc_path(), "--data-dir=/nonexistent", *options]
    done = subprocess.run(command, input=text.encode(), capture_output=True, check=False)  # noqa: S603 its own program
    if done.returncode or done.stderr:
        raise PandocError(done.stderr.decode("utf-8", "replace").strip() or f"pandoc ended with {done.returncode}")
    return done.stdout.decode()


def walk(node: Any, change: Callable[[Node], Any]) -> Any:
    """A copy of the tree in which `change` replaced nodes: by a node, by several (a list), or not (None).

    A node that was replaced is not looked into.
    """
    if isinstance(node, list):
        return [one for item in node for one in _walked(item, change)]
    if isinstance(node, dict):
        return {key: walk(value, change) for key, value in node.items()}
    return node


def _walked(item: Any, change: Callable[[Node], Any]) -> list[Any]:
    if isinstance(item, dict) and "t" in item:
        new = change(item)
        if new is not None:
            return new if isinstance(new, list) else [new]
    return [walk(item, change)]


def nodes(tree: Any) -> Iterator[Node]:
    """All nodes of a tree, outer ones first."""
    if isinstance(tree, list):
        for item in tree:
            yield from nodes(item)
    elif isinstance(tree, dict):
        if "t" in tree:
            yield tree
        for value in tree.values():
            yield from nodes(value)


def plain(inlines: Any) -> str:
    """The text of inlines without its form."""
    said = {"Space": " ", "SoftBreak": " ", "LineBreak": " "}
    found = []
    for node in nodes(inlines):
        if node["t"] == "Str":
            found.append(node["c"])
        elif node["t"] in ("Code", "Math"):
            found.append(node["c"][1])
        else:
            found.append(said.get(node["t"], ""))
    return "".join(found)


def text(words: str) -> Node:
    """Words as an inline."""
    return {"t": "Str", "c": words}


def raw(form: str, code: str) -> Node:
    """Code of an output format as an inline."""
    return {"t": "RawInline", "c": [form, code]}


def para(*inlines: Node) -> Node:
    """A paragraph."""
    return {"t": "Para", "c": list(inlines)}

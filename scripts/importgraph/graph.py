"""The import graph of wrkparse/: packages in the order of CONTRIBUTING.md, their sizes, and who imports whom."""

from __future__ import annotations

import ast
import functools
import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from html import unescape
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
CODE = (".py", ".c", ".h")  # generated files and type stubs have other names
TABLE = "| packages of `wrkparse/` | what is in them |"


@dataclass
class Box:
    """A module or sub-package. ``lines`` counts all lines of its files; ``imports`` names boxes of the same package."""

    name: str
    is_package: bool
    lines: int
    imports: list[str] = field(default_factory=list)


@dataclass
class Layer:
    """A top-level package or module. ``imports`` names other layers."""

    name: str
    lines: int
    imports: list[str]
    boxes: list[Box]


def layer_names(root: Path = ROOT) -> list[str]:
    """The top-level packages, top layer first, as the table of CONTRIBUTING.md lists them."""
    rows = (root / "CONTRIBUTING.md").read_text("utf-8").split(TABLE)[1].split("\n\n")[0].splitlines()
    return [name for row in rows for name in re.findall(r"`(\w+)/?`", row.split(" | ")[0])]


def graph(root: Path = ROOT) -> list[Layer]:
    """The layers with what they import, top layer first."""
    package = root / "wrkparse"
    names = layer_names(root)
    return [_layer(package, name, names) for name in names]


def as_data(layers: list[Layer]) -> list[dict[str, Any]]:
    """The graph as plain data, for JSON."""
    return [asdict(layer) for layer in layers]


def drawn_graph(svg: str) -> list[dict[str, Any]]:
    """The graph that a drawing shows, from the JSON in its metadata."""
    match = re.search(r"<metadata>(.*?)</metadata>", svg, re.DOTALL)
    assert match, "the drawing has no metadata"
    data: list[dict[str, Any]] = json.loads(unescape(match[1]))
    return data


def differences(drawn: list[dict[str, Any]], current: list[dict[str, Any]]) -> list[str]:
    """How a drawing differs from the code: in names, in imports, and in numbers of lines that are far off."""
    before, after = list(_facts(drawn)), list(_facts(current))
    names = [f"no longer there: {fact}" for fact in before if fact not in after]
    names += [f"not drawn: {fact}" for fact in after if fact not in before]
    return names + _resized(drawn, current)


def _facts(data: list[dict[str, Any]]) -> Iterator[str]:
    for layer in data:
        yield f"package {layer['name']}"
        yield from (f"{layer['name']} imports {name}" for name in layer["imports"])
        for box in layer["boxes"]:
            yield f"{layer['name']}/{box['name']}"
            yield from (f"{layer['name']}/{box['name']} imports {name}" for name in box["imports"])


def _resized(drawn: list[dict[str, Any]], current: list[dict[str, Any]]) -> list[str]:
    """The layers whose number of lines is off by more than a tenth and 50 lines: smaller changes redraw nothing."""
    sizes = {layer["name"]: layer["lines"] for layer in drawn}
    return [
        f"{layer['name']} has {layer['lines']} lines, drawn are {sizes[layer['name']]}"
        for layer in current
        if abs(layer["lines"] - sizes.get(layer["name"], layer["lines"])) > max(50, layer["lines"] // 10)
    ]


def _layer(package: Path, name: str, names: list[str]) -> Layer:
    folder = package / name
    if not folder.is_dir():
        module = package / f"{name}.py"
        return Layer(name, _lines(module), _others(name, [module], names), [])
    boxes = [_box(folder, path) for path in sorted(folder.iterdir()) if _is_box(path)]
    boxes.sort(key=lambda box: (not box.is_package, box.name))
    for box in boxes:
        box.imports = [other for other in box.imports if any(other == one.name for one in boxes)]
    files = [path for path in sorted(folder.rglob("*")) if path.suffix in CODE]
    return Layer(name, sum(map(_lines, files)), _others(name, files, names), boxes)


def _is_box(path: Path) -> bool:
    if path.is_dir():
        return (path / "__init__.py").exists()
    return path.suffix == ".py" and path.stem != "__init__"


def _box(folder: Path, path: Path) -> Box:
    files = [path] if path.is_file() else [file for file in sorted(path.rglob("*")) if file.suffix in CODE]
    start = f"wrkparse.{folder.name}."
    imported = {name.removeprefix(start).split(".")[0] for name in _imported(files) if name.startswith(start)}
    return Box(path.stem, path.is_dir(), sum(map(_lines, files)), sorted(imported - {path.stem}))


def _others(name: str, files: list[Path], names: list[str]) -> list[str]:
    """The other layers that the files of a layer import, top layer first."""
    parts = [one.split(".") for one in _imported(files)]
    imported = {part[1] for part in parts if part[0] == "wrkparse" and len(part) > 1}
    return [other for other in names if other in imported and other != name]


def _imported(files: list[Path]) -> set[str]:
    """The dotted names of the modules that Python files import, inside functions and for type checks too."""
    found: set[str] = set()
    for path in files:
        if path.suffix == ".py":
            found |= names_imported(path)
    return found


@functools.cache
def names_imported(path: Path) -> frozenset[str]:
    """The dotted names that a Python file imports: ``a.b.c`` of ``from a.b import c``."""
    found: set[str] = set()
    for node in ast.walk(syntax(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(found)


@functools.cache
def syntax(path: Path) -> ast.Module:
    """The syntax of a Python file, parsed once."""
    return ast.parse(path.read_text("utf-8"))


def _lines(path: Path) -> int:
    return len(path.read_text("utf-8").splitlines())

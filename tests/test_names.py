"""One name means one thing: no two public classes of the package have the same name."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

import wrkparse
from scripts.importgraph.graph import syntax

ROOT = Path(wrkparse.__file__).parent


def class_names(source: ast.Module) -> Iterable[str]:
    """The public classes at the top level of a module."""
    return [node.name for node in source.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_")]


def ambiguous(names: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    """The names that several modules define, each with these modules."""
    modules: dict[str, list[str]] = defaultdict(list)
    for module, defined in names.items():
        for name in defined:
            modules[name].append(module)
    return {name: found for name, found in modules.items() if len(found) > 1}


def test_each_public_class_has_a_name_of_its_own() -> None:
    paths = sorted(ROOT.rglob("*.py"))
    assert ambiguous({path.relative_to(ROOT).as_posix(): class_names(syntax(path)) for path in paths}) == {}


def test_a_name_with_two_meanings_is_found() -> None:
    one, other = ast.parse("class Slot: ...\nclass _Own: ..."), ast.parse("class Slot: ...\nclass _Own: ...\nx = 1")
    assert ambiguous({"a.py": class_names(one), "b.py": class_names(other)}) == {"Slot": ["a.py", "b.py"]}

"""Imports point one way: down the list of CONTRIBUTING.md."""

from __future__ import annotations

import ast
import graphlib
import re
from pathlib import Path

import pytest

import wrkparse

ROOT = Path(wrkparse.__file__).parent


def listed() -> list[str]:
    """The packages, lowest first: from the end of the table in CONTRIBUTING.md to its beginning."""
    page = (Path(__file__).parents[1] / "CONTRIBUTING.md").read_text()
    rows = page.split("| packages of `wrkparse/` | what is in them |")[1].split("\n\n")[0].splitlines()
    return [name for row in rows for name in re.findall(r"`(\w+)/?`", row.split(" | ")[0])][::-1]


ORDER = listed()
HEAVY_ONLY_IN = {
    "distributed": {"ingest"},
    "click": {"cli"},
    "matplotlib": {"plot", "report"},
    "nbclient": {"report"},
    "nbformat": {"report"},
    "pypandoc": {"report"},
    "typst": {"report"},
    "fontTools": {"report"},
    "scipy": {"analysis"},
    "yaml": {"context"},
    "tabulate": {"cli"},
}


def modules() -> list[Path]:
    return [path for path in sorted(ROOT.rglob("*.py")) if path.parent != ROOT or not path.stem.startswith("_")]


def layer(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def imported(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= (
                {f"{node.module}.{alias.name}" for alias in node.names} if node.module == "wrkparse" else {node.module}
            )
    return found


def upward(path: Path, names: set[str]) -> set[str]:
    """The layers imported that do not stand before this module's, nor are its own."""
    mine = layer(path)
    ours = {name.split(".")[1] for name in names if name.startswith("wrkparse.")}
    return {name for name in ours & set(ORDER) if ORDER.index(name) > ORDER.index(mine)}


@pytest.mark.parametrize("path", modules(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_imports_point_down(path: Path) -> None:
    assert layer(path) in ORDER
    assert upward(path, imported(path)) == set()
    for library, allowed in HEAVY_ONLY_IN.items():
        if any(name.split(".")[0] == library for name in imported(path)):
            assert layer(path) in allowed


def subpackage_imports(package: Path) -> dict[str, set[str]]:
    """For each sub-package of a package, the other sub-packages that its modules import."""
    names = {path.name for path in package.iterdir() if (path / "__init__.py").is_file()}
    prefix = f"wrkparse.{package.name}."
    found: dict[str, set[str]] = {name: set() for name in names}
    for name in names:
        for path in (package / name).rglob("*.py"):
            imports = {
                module.removeprefix(prefix).split(".")[0] for module in imported(path) if module.startswith(prefix)
            }
            found[name] |= (imports & names) - {name}
    return found


@pytest.mark.parametrize("layer_name", [name for name in ORDER if (ROOT / name).is_dir()])
def test_subpackages_of_a_layer_import_in_one_direction(layer_name: str) -> None:
    graphlib.TopologicalSorter(subpackage_imports(ROOT / layer_name)).prepare()  # raises CycleError for a circle


def test_subpackages_of_the_analysis_import_in_the_listed_order() -> None:
    listed_order = re.findall(r"^\* ``(\w+)``", (ROOT / "analysis" / "__init__.py").read_text(), re.MULTILINE)
    imports = subpackage_imports(ROOT / "analysis")
    assert sorted(listed_order) == sorted(imports)
    for place, name in enumerate(listed_order):
        assert imports[name] <= set(listed_order[:place])


def test_a_tool_imports_only_what_all_tools_share() -> None:
    shared = {"wrkparse.model.records", "wrkparse.model.units"}
    for path in (ROOT / "tools").rglob("*.py"):
        if path != ROOT / "tools" / "__init__.py":
            ours = {name for name in imported(path) if name.startswith("wrkparse")}
            assert all(name in shared or name.startswith("wrkparse.tools") for name in ours), path.name


def test_the_list_names_each_layer_once() -> None:
    assert sorted(ORDER) == sorted({layer(path) for path in modules()})


def test_the_test_can_fail() -> None:
    assert upward(ROOT / "model" / "units.py", {"wrkparse.store.duckdb_store"}) == {"store"}

"""Imports point one way: down the list of CONTRIBUTING.md."""

from __future__ import annotations

import ast
import functools
import graphlib
import re
from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from pathlib import Path

import pytest

import wrkparse
from scripts.importgraph.graph import syntax

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
    "tabulate": {"analysis", "cli"},
    "xlsxwriter": {"export"},
}


def modules() -> list[Path]:
    return [path for path in sorted(ROOT.rglob("*.py")) if path.parent != ROOT or not path.stem.startswith("_")]


def layer(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


@functools.cache
def imported(path: Path) -> frozenset[str]:
    found: set[str] = set()
    for node in ast.walk(syntax(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= (
                {f"{node.module}.{alias.name}" for alias in node.names} if node.module == "wrkparse" else {node.module}
            )
    return frozenset(found)


def upward(path: Path, names: AbstractSet[str]) -> set[str]:
    """The layers imported that do not stand before this module's, nor are its own."""
    mine = layer(path)
    ours = {name.split(".")[1] for name in names if name.startswith("wrkparse.")}
    return {name for name in ours & set(ORDER) if ORDER.index(name) > ORDER.index(mine)}


def misplaced(path: Path, names: AbstractSet[str]) -> set[str]:
    """The libraries imported that belong into modules of other layers."""
    libraries = {name.split(".")[0] for name in names}
    return {
        library for library, allowed in HEAVY_ONLY_IN.items() if library in libraries and layer(path) not in allowed
    }


def of_each(found: Callable[[Path], object], paths: Iterable[Path]) -> dict[str, object]:
    """What is found in each module, of those where it is something."""
    each = ((path.relative_to(ROOT).as_posix(), found(path)) for path in paths)
    return {name: something for name, something in each if something}


def test_imports_point_down() -> None:
    assert {layer(path) for path in modules()} <= set(ORDER)
    assert of_each(lambda path: upward(path, imported(path)), modules()) == {}


def test_a_library_is_imported_in_its_layers_only() -> None:
    assert of_each(lambda path: misplaced(path, imported(path)), modules()) == {}


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


def test_only_the_command_line_imports_the_facade() -> None:
    assert of_each(lambda path: layer(path) != "cli" and imports_facade(syntax(path)), modules()) == {}


def imports_facade(source: ast.Module) -> bool:
    """Whether a source has ``import wrkparse`` or ``from wrkparse import …``."""
    nodes = list(ast.walk(source))
    plain = any(alias.name == "wrkparse" for node in nodes if isinstance(node, ast.Import) for alias in node.names)
    return plain or any(isinstance(node, ast.ImportFrom) and node.module == "wrkparse" for node in nodes)


@pytest.mark.parametrize(("source", "expected"), [
    ("import wrkparse", True),
    ("def f():\n    from wrkparse import read", True),
    ("from wrkparse.plot import files", False),
    ("import wrkparse.plot.files", False),
])  # fmt: skip
def test_an_import_of_the_facade_is_found(source: str, expected: bool) -> None:
    assert imports_facade(ast.parse(source)) is expected


def private_names(source: ast.Module) -> set[str]:
    """The private names of modules of this package that a source imports, or takes from a module it imported."""
    nodes = list(ast.walk(source))
    found: set[str] = set()
    aliases: dict[str, str] = {}
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "wrkparse":
            found |= {f"{node.module}.{alias.name}" for alias in node.names if is_private(alias.name)}
            aliases |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    for node in nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and is_private(node.attr):
            module = aliases.get(node.value.id, "")
            if module and is_module(module):
                found.add(f"{module}.{node.attr}")
    return found


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def is_module(name: str) -> bool:
    path = ROOT.parent / name.replace(".", "/")
    return path.is_dir() or path.with_suffix(".py").exists()


def test_no_module_uses_a_private_name_of_another() -> None:
    assert of_each(lambda path: private_names(syntax(path)), sorted(ROOT.rglob("*.py"))) == {}


@pytest.mark.parametrize(
    "source",
    [
        "from wrkparse.plot.layout import _divide",
        "from wrkparse.plot import layout\nlayout._divide(1)",
        "from wrkparse.plot import layout as places\nplaces._divide(1)",
    ],
)
def test_a_private_name_is_found(source: str) -> None:
    assert private_names(ast.parse(source)) == {"wrkparse.plot.layout._divide"}


def test_a_tool_imports_only_what_all_tools_share() -> None:
    shared = {"wrkparse.model.records", "wrkparse.model.units"}
    for path in (ROOT / "tools").rglob("*.py"):
        if path != ROOT / "tools" / "__init__.py":
            ours = {name for name in imported(path) if name.startswith("wrkparse")}
            assert all(name in shared or name.startswith("wrkparse.tools") for name in ours), path.name


def test_the_list_names_each_layer_once() -> None:
    assert sorted(ORDER) == sorted({layer(path) for path in modules()})


def test_the_tests_can_fail() -> None:
    assert upward(ROOT / "model" / "units.py", {"wrkparse.store.duckdb_store"}) == {"store"}
    assert misplaced(ROOT / "model" / "units.py", {"re", "yaml", "scipy.stats"}) == {"yaml", "scipy"}
    assert of_each(lambda path: path == ROOT / "model" / "units.py", modules()) == {"model/units.py": True}

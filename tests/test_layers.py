"""Imports point one way: a module may import only what stands before it here."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import wrkparse

ROOT = Path(wrkparse.__file__).parent
ORDER = [
    "visible", "records", "units", "tools", "tables", "shell", "names", "resolve", "labels", "markup", "programs", "commands", "outline", "context", "prefixes", "notebook", "lines", "mend",
    "remote", "found", "source", "study", "runs", "rules", "fringes", "reports", "wrapped", "sieve", "skim", "stretch", "events",
    "reader", "resume", "collect", "dataset", "analysis", "layout", "lake", "lender", "trouble", "store", "session", "many", "ingest", "follow", "cluster", "plot", "report", "cli",
]  # fmt: skip
HEAVY_ONLY_IN = {
    "distributed": {"cluster"},
    "click": {"cli"},
    "matplotlib": {"plot", "report"},
    "nbclient": {"report"},
    "nbformat": {"report"},
    "pypandoc": {"report"},
    "typst": {"report"},
    "fontTools": {"report"},
    "scipy": {"analysis"},
    "yaml": {"study"},
    "tabulate": {"cli"},
}


def modules() -> list[Path]:
    return [path for path in sorted(ROOT.rglob("*.py")) if path.parent != ROOT or not path.stem.startswith("__")]


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


def test_a_tool_imports_only_what_all_tools_share() -> None:
    shared = {"wrkparse.records", "wrkparse.units"}
    for path in (ROOT / "tools").rglob("*.py"):
        if path != ROOT / "tools" / "__init__.py":
            ours = {name for name in imported(path) if name.startswith("wrkparse")}
            assert all(name in shared or name.startswith("wrkparse.tools") for name in ours), path.name


def test_the_test_can_fail() -> None:
    assert upward(ROOT / "units.py", {"wrkparse.store"}) == {"store"}

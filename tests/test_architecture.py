"""docs/architecture.svg shows the packages as they are; `bash scripts/architecture` draws it again."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from scripts.importgraph.graph import as_data, differences, drawn_graph, graph

ROOT = Path(__file__).parent.parent
DRAWING = (ROOT / "docs" / "architecture.svg").read_text("utf-8")


@pytest.fixture(scope="module")
def current() -> list[dict[str, Any]]:
    """The packages as they are; no test changes it."""
    return as_data(graph())


def test_the_drawing_is_up_to_date(current: list[dict[str, Any]]) -> None:
    assert differences(drawn_graph(DRAWING), current) == [], "remedy: bash scripts/architecture"


def test_each_package_and_module_can_be_read_in_the_drawing() -> None:
    shown = [element.text for element in ET.fromstring(DRAWING).iter("{http://www.w3.org/2000/svg}text")]
    expected = [path for path in (ROOT / "wrkparse").glob("*/*.py") if path.stem != "__init__"]
    assert {path.stem for path in expected} <= set(shown)
    assert {path.parent.name for path in expected} <= set(shown)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda layers: layers[0]["imports"].pop(0), "not drawn: cli imports"),
        (lambda layers: layers[-1]["boxes"].pop(), "not drawn: model/units"),
        (lambda layers: layers[-1]["imports"].append("cli"), "no longer there: model imports cli"),
        (lambda layers: layers[0].update(lines=9), "cli has"),
    ],
)
def test_a_drawing_that_is_out_of_date_is_told(change, problem: str, current: list[dict[str, Any]]) -> None:
    drawn = copy.deepcopy(current)
    change(drawn)
    assert [found for found in differences(drawn, current) if found.startswith(problem)] != []


def test_the_imports_of_a_package_are_those_in_its_files(tmp_path: Path) -> None:
    (tmp_path / "CONTRIBUTING.md").write_text(
        "| packages of `wrkparse/` | what is in them |\n|---|---|\n| `upper/` | one |\n| `lower` | two |\n\n"
    )
    upper = tmp_path / "wrkparse" / "upper"
    (upper / "inner").mkdir(parents=True)
    for path in (upper / "__init__.py", upper / "inner" / "__init__.py"):
        path.write_text("")
    (upper / "inner" / "deep.py").write_text("def f():\n    from wrkparse.upper.beside import x\n")
    (upper / "beside.py").write_text("from wrkparse import lower\nimport json\nx = 1\n")
    (tmp_path / "wrkparse" / "lower.py").write_text("y = 1\n")
    assert as_data(graph(tmp_path)) == [
        {
            "name": "upper",
            "lines": 5,
            "imports": ["lower"],
            "boxes": [
                {"name": "inner", "is_package": True, "lines": 2, "imports": ["beside"]},
                {"name": "beside", "is_package": False, "lines": 3, "imports": []},
            ],
        },
        {"name": "lower", "lines": 1, "imports": [], "boxes": []},
    ]

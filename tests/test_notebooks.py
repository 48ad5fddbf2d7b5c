"""The notebooks of the suite: clean files, short cells, and runs on the data of the studies."""

from __future__ import annotations

import ast
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from tests.analysis.audit.reports import AB
from tests.samples import GC, SCHED, WRK
from wrkparse.report.build import report
from wrkparse.report.document.pandoc import text_of_inlines
from wrkparse.report.errors import ReportError
from wrkparse.report.notebook.plain import execute_plain
from wrkparse.report.notebook.suite import notebook_title, suite_notebooks

ROOT = Path(__file__).parent.parent
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
LONGEST_CELL = 20
# Notebooks for any data, except the overview; notebooks/loopback/ has their example logs.
GENERAL = ["cores", "frameworks", "gc-settings", "scheduler", "start"]
general_notebooks = pytest.mark.parametrize("name", GENERAL)
each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
# Notebooks that show data of the studies. Without an earlier input, changes.ipynb is the overview's front page
# (tests/report/test_changes.py).
OF_STUDIES = [path for path in NOTEBOOKS if path.stem not in {*GENERAL, "changes"}]


def content(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return found


def code(path: Path) -> list[str]:
    return ["".join(cell["source"]) for cell in content(path)["cells"] if cell["cell_type"] == "code"]


def test_the_suite_is_found_by_name() -> None:
    assert list(suite_notebooks().values()) == NOTEBOOKS
    assert "overview" in suite_notebooks()
    assert notebook_title(suite_notebooks()["overview"]) == "Benchmark runs at a glance"


@each_notebook
def test_it_holds_no_outputs_counts_or_stray_metadata(path: Path) -> None:
    found = content(path)
    assert set(found["metadata"]) == {"kernelspec", "language_info"}
    assert found["metadata"]["kernelspec"] == {"display_name": "Python 3", "language": "python", "name": "python3"}
    assert found["metadata"]["language_info"] == {"name": "python"}
    for cell in found["cells"]:
        assert set(cell["metadata"]) <= {"tags"}
        assert set(cell["metadata"].get("tags", [])) <= {"parameters", "summary", "show", "example"}
        assert cell.get("outputs", []) == []
        assert cell.get("execution_count") is None
        assert cell["source"], "an empty cell"
    written = json.dumps(found, ensure_ascii=False, indent=1) + "\n"
    assert path.read_text("utf-8") == written, "not as Jupyter writes it"


@each_notebook
def test_its_parameters_are_in_one_cell(path: Path) -> None:
    cells = [cell for cell in content(path)["cells"] if "parameters" in cell["metadata"].get("tags", [])]
    assert len(cells) == 1
    names = [target.id for node in ast.parse("".join(cells[0]["source"])).body for target in node.targets]  # type: ignore[attr-defined]
    assert names[:2] == ["DATA", "WHERE"]


@each_notebook
def test_its_cells_are_short_and_define_no_functions(path: Path) -> None:
    for source in code(path):
        assert len(source.splitlines()) <= LONGEST_CELL, source
        assert max(map(len, source.splitlines())) <= 120, source
        kinds = {type(node) for node in ast.walk(ast.parse(source))}
        assert not kinds & {ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda}, source


@each_notebook
def test_its_last_cell_checks_numbers(path: Path) -> None:
    assert "assert" in code(path)[-1]


@pytest.mark.parametrize("path", OF_STUDIES, ids=lambda path: path.stem)
@pytest.mark.usefixtures("without_kernel")
def test_it_runs_on_the_data_of_the_studies(path: Path, studies_store: Path) -> None:
    made = report(path, {"DATA": str(studies_store), "WHERE": None})
    assert made.warnings == []
    assert made.content(".pdf").startswith(b"%PDF-1.7")


def test_a_kernel_gives_the_same_document_as_a_plain_process(tmp_path: Path) -> None:
    path = suite_notebooks()["overview"]  # has every kind of content
    parameters = {"DATA": str(ROOT / "data" / "go-net-http-ab"), "WHERE": None}
    of_a_user = tmp_path / path.name  # is executed by Jupyter
    of_a_user.write_bytes(path.read_bytes())
    from_kernel, plain = report(of_a_user, parameters), report(path, parameters)
    assert from_kernel.document == plain.document
    assert from_kernel.content(".pdf") == plain.content(".pdf")


def plain_notebook(path: Path, *cells: str) -> Path:
    made = [
        {"cell_type": "code", "metadata": {}, "source": [source], "outputs": [], "execution_count": None}
        for source in cells
    ]
    path.write_text(json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    return path


def test_a_plain_process_keeps_what_cells_show_in_its_order(tmp_path: Path) -> None:
    path = plain_notebook(tmp_path / "n.ipynb", "x = 2", "print('a'); display(x); print('b')\nx + 1", "x;")
    first, second, third, _ = execute_plain(path)["cells"]
    assert first["outputs"] == third["outputs"] == []
    shown = [output.get("text") or output["data"]["text/plain"] for output in second["outputs"]]
    assert shown == ["a\n", "2", "b\n", "3"]


def test_an_error_in_a_plain_process_names_the_cell(tmp_path: Path) -> None:
    path = plain_notebook(tmp_path / "n.ipynb", "x = 2", "x / 0")
    with pytest.raises(ReportError, match=r"^n\.ipynb, cell 2 \(x / 0\): ZeroDivisionError: division by zero$"):
        execute_plain(path)


def test_a_plain_process_that_dies_is_named(tmp_path: Path) -> None:
    path = plain_notebook(tmp_path / "n.ipynb", "import os\nos._exit(9)")
    with pytest.raises(ReportError, match=r"cell 1 \(import os\): its process died"):
        execute_plain(path)


@general_notebooks
@pytest.mark.usefixtures("without_kernel")
def test_it_has_no_empty_exhibit_on_its_example_data(name: str) -> None:
    made = report(suite_notebooks()[name], pages=False)
    assert [one.label for one in made.document.exhibits if one.empty] == []
    assert made.warnings == []


@general_notebooks
@pytest.mark.usefixtures("without_kernel")
def test_it_runs_on_logs_without_data_of_its_subject(name: str, tmp_path: Path) -> None:
    log = WRK if name in {"gc-settings", "scheduler"} else GC.format(n=1, t=1) + SCHED.format(t=0)
    (tmp_path / "log.txt").write_text(log)
    made = report(suite_notebooks()[name], {"DATA": str(tmp_path / "log.txt"), "WHERE": None}, pages=False)
    assert [one.label for one in made.document.exhibits if one.empty] != []
    assert made.warnings == []
    cells = content(suite_notebooks()[name])["cells"]
    examples = [cell for cell in cells if "example" in cell["metadata"].get("tags", [])]
    shown = " ".join(text(made.document.body).split())
    for cell in examples:
        words = " ".join("".join(cell["source"]).replace("`", "").split())
        assert words[:30] not in shown


@pytest.mark.usefixtures("without_kernel")
def test_the_overview_has_no_section_without_data_and_says_what_is_absent(tmp_path: Path) -> None:
    (tmp_path / "gc.txt").write_text("".join(GC.format(n=n, t=n) for n in range(1, 4)))
    made = report(suite_notebooks()["overview"], {"DATA": str(tmp_path / "gc.txt"), "WHERE": None}, pages=False)
    assert made.document.title.startswith("3 garbage collections of one Go process: pauses of up to ")
    headings = [text(node["c"][2]) for node in made.document.body if node["t"] == "Header"]
    assert headings == ["Garbage collection", "About the data"]
    assert "Not in these logs: runs of a load generator; the scheduler (schedtrace)." in text(made.document.summary)
    assert [one.label for one in made.document.exhibits if one.empty is None] == [
        "bar:trust", "fig:main", "tbl:gc",
    ]  # fmt: skip


@pytest.mark.usefixtures("without_kernel")
def test_the_overview_runs_on_logs_without_labels(tmp_path: Path) -> None:
    (tmp_path / "it's one.txt").write_text(WRK + WRK.replace("8 connections", "16 connections"))
    made = report(suite_notebooks()["overview"], {"DATA": str(tmp_path), "WHERE": None}, pages=False)
    shown = [one.label for one in made.document.exhibits if one.empty is None]
    assert {"bar:trust", "fig:main", "tbl:settings-1-1", "tbl:audit", "tbl:labels"} <= set(shown)
    assert made.warnings == []


@pytest.mark.usefixtures("without_kernel")
def test_the_overview_pools_nothing_that_differs(tmp_path: Path) -> None:
    """ab on /plaintext and wrk on /json at 8 connections, wrk in two folders: three settings of one run, no line."""
    files = {"a/ab.txt": AB.replace("Path:          /", "Path:          /plaintext"), "b/x.txt": WRK, "c/x.txt": WRK}
    files["c/x.txt"] = WRK.replace("40669.44", "40669.43")  # no copy
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text.replace("/hello", "/json"))
    made = report(suite_notebooks()["overview"], {"DATA": str(tmp_path), "WHERE": None}, pages=False)
    (settings,) = (one for one in made.document.exhibits if one.label == "tbl:settings-1-1")
    at = [column["title"] for column in settings.content["columns"]].index("runs")
    assert [row[at] for row in settings.content["rows"]] == ["1", "1", "1"]
    assert made.warnings == []


@pytest.mark.usefixtures("without_kernel")
def test_the_overview_begins_with_the_comparison_and_keeps_its_baseline(tmp_path: Path) -> None:
    """``before`` is the baseline by its name, though ``after`` stands first and has more runs."""
    for name, count, rate in (("after", 6, 50000), ("before", 5, 40000)):
        (tmp_path / name).mkdir()
        for at in range(count):
            (tmp_path / name / f"{at}.txt").write_text(
                "Running 10s test @ http://127.0.0.1:80/\n  4 threads and 8 connections\n"
                f"  {10 * (rate + at)} requests in 10.00s, 10.00MB read\n"
                f"Requests/sec: {rate + at}.00\nTransfer/sec: 1.00MB\n"
            )
    made = report(suite_notebooks()["overview"], {"DATA": str(tmp_path), "WHERE": None}, pages=False)
    assert made.document.title == "“after” answers 1.25 times as many requests as “before”"
    assert "“after” answers 1.25 times as many requests as “before” (1." in text(made.document.summary)
    (table,) = (one for one in made.document.exhibits if one.label == "tbl:settings-1-1")
    verdicts = {row[0]: row[-1] for row in table.content["rows"]}
    assert verdicts == {"after": "better", "before": "baseline"}


def text(tree: Any) -> str:
    """The text of blocks, with a blank between words."""
    return " ".join(text_of_inlines(tree).split())


def test_the_example_logs_are_complete_and_unchanged() -> None:
    logs = ROOT / "notebooks" / "loopback"
    listed = [line.split("  ") for line in (logs / "SHA256SUMS").read_text("utf-8").splitlines()]
    assert [name for _, name in listed] == sorted(one.relative_to(logs).as_posix() for one in logs.glob("*/*.log"))
    assert [digest for digest, _ in listed] == [
        hashlib.sha256((logs / name).read_bytes()).hexdigest() for _, name in listed
    ]

"""What `wrkparse new-tool` writes passes the contract as soon as its gaps are filled; each fault fails it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.installed import ROOT
from tests.once import made_once
from wrkparse.cli import main
from wrkparse.testing import lacks
from wrkparse.testing.scaffold import own_files, plug_in_files
from wrkparse.tools import hey, siege

MODULE, REPORT, EXPECTED, LOOKALIKE = "tool.py", "fixtures/report.txt", "fixtures/report.json", "fixtures/lookalike.txt"
ASK = """\
import json, sys
from wrkparse.testing import lacks
names = sys.argv[1:]
print(json.dumps({name: lacks(f"wrkparse_{name}.tool", f"{name}/tests/fixtures") for name in names}))
"""


def fill(name: str, changes: Mapping[str, tuple[str, str]], folder: Path) -> None:
    """Write a plug-in with its gaps filled, changed in one of its files, and its metadata as an installer leaves it."""
    for path, text in plug_in_files(name).items():
        filled = re.sub(r" *# TODO: .*", "", text).replace("TODO: name the file", "spoon.c prints; the file")
        filled = filled.replace("TODO: replace this text by what", "Here is what")
        for place, (old, new) in changes.items():
            if path.endswith(place):
                assert old in filled
                filled = filled.replace(old, new)
        target = folder / path if path.startswith("wrkparse_") else folder / name / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(filled)
    metadata = folder / f"wrkparse_{name}-0.1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: wrkparse-{name}\nVersion: 0.1\n")
    (metadata / "entry_points.txt").write_text(f"[wrkparse.tools]\n{name} = wrkparse_{name}.tool:TOOL\n")


FAULTS: dict[str, tuple[dict[str, tuple[str, str]], str]] = {
    "sourceless": ({MODULE: ("spoon.c prints", "It prints")}, "the docstring of tool.py names no source"),
    "undone": ({MODULE: ("_TIME =", "# TODO: units\n_TIME =")}, "tool.py:19: says TODO: units"),
    "wrong": (
        {EXPECTED: ("0.00987", "0.0098")},
        "report.json: the run at line 4: latency/p99 is 0.00987, expected 0.0098",
    ),
    "surplus": (
        {EXPECTED: ('"requests/total": 1000,\n', "")},
        "report.json: the run at line 4: requests/total is 1000.0, and not among the expected values",
    ),
    "fewer": ({EXPECTED: ('"tool": "fewer"', '"tool": "more"')}, "report.json: has 0 runs of fewer; read were 1"),
    "silent": (
        {MODULE: ('Lack("its rate", "warning")', "None")},
        "report.txt: a report that ends behind line 5 gives a run and no diagnostic",
    ),
    "undeclared": (
        {MODULE: ("metrics=(REQUESTS, ", "metrics=(")},
        "report.txt: the metric 'requests' in '1' is not among the metrics of the tool",
    ),
    "untitled": (
        {MODULE: ("metrics=(", 'metrics=(ELAPSED._replace(name="bite", title=""), ')},
        "the metric 'bite' has no title that begins with a capital",
    ),
    "slow": (
        {MODULE: ("_TIME =", 'import re\n_ENDS = re.compile(r"\\s+$")\n_ENDS.search("")\n_TIME =')},
        "the pattern _ENDS of tool.py takes more than linear time on",
    ),
    "hidden": (
        {MODULE: ("decimals(2)), rank=0", 'decimals(2)), rank=0, sign="no such word"')},
        "report.txt: the run at line 4 is not found in a long log",
    ),
    "greedy": (
        {
            MODULE: ("RATE = line(", 'TOTAL = line("rate", "With greedy: {} requests", count_slot(REQUESTS), rank=0, loose="With greedy: ([0-9]+) .*")\nRATE = line('),
        },
        "lookalike.txt: line 1 is read as a run, but is not one",
    ),
    "same": (
        {
            MODULE: ("TOOL =", 'RATE = line("rate", "Requests/sec: {}", Slot(THROUGHPUT, "total", decimals(2)), rank=2)\nTOOL ='),
            REPORT: ("same: 400.00 requests/s", "Requests/sec: 400.00"),
        },
        "report.txt: the line 'Requests/sec: 400.00' is also matched by 'requests/sec' of wrk",
    ),
    "unwritten": (
        {EXPECTED: ('"runs"', '"run"')},
        'report.json: needs {"runs": [{"tool": …}]}: KeyError',
    ),
    "raising": (
        {MODULE: ('"rate" in report.seen', "report.line[0]")},
        "reading raises TypeError ('int' object is not subscriptable) at tool.py:24, in _lacks",
    ),
    "labelling": (
        {MODULE: ("lacks=_lacks,", 'lacks=_lacks, finish=lambda report: report.add_label("cores", "4", report.line),')},
        "report.json: the run at line 4: the tool makes the label cores, which is not among the expected labels",
    ),
    "unlabelled": (
        {EXPECTED: ('"connections": "8"', '"connections": "9"')},
        "report.json: the run at line 4: the label connections=9 is missing; read was '8'",
    ),
    "timed": (
        {
            MODULE: ('"-c": "connections"', '"-c": "connections", "-d": "duration_s"'),
            REPORT: ("-c 8", "-c 8 -d 90s"),
            EXPECTED: ('"connections": "8"', '"connections": "8", "duration_s": "90"'),
        },
        "",
    ),
    "unitless": (
        {MODULE: ("metrics=(", 'metrics=(ELAPSED._replace(name="bite", unit=""), ')},
        "it is installed and left out: wrkparse_unitless.tool:TOOL: the metric 'bite' has the unit ''",
    ),
    "taking": (
        {
            MODULE: ("lines=(TOTAL,", 'lines=(line("other", "Requests/sec: {}", Slot(THROUGHPUT, "total", decimals(2)), rank=0), TOTAL,'),
        },
        "'other' may begin a report and takes the line 'Requests/sec: ",
    ),
    "uncounted": (
        {MODULE: ("metrics=(", "metrics=(__import__('wrkparse.tools.common').tools.common.NON_2XX, ")},
        "`counting` does not say which statuses 'non_2xx' counts",
    ),
    "objectless": (
        {
            MODULE: ("lacks=_lacks,", "lacks=_lacks, objects=(__import__('wrkparse.tools.objects').tools.objects.ObjectForm('\"bites\"', (('bites',),), print),),"),
        },
        'no fixture has an object with "bites"',
    ),
    "nested": (
        {MODULE: ("_TIME =", 'import re\n_MANY = re.compile(r"(?:[0-9.]+(?:[a-z0-9.]*s)? ?){7}")\n_TIME =')},
        "the pattern _MANY of tool.py takes more than linear time on",
    ),
    "complete": ({}, ""),
}  # fmt: skip


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """What each of these plug-ins lacks, all asked in one process."""
    return made_once(tmp_path_factory, "answers-of-plug-ins", lambda: ask_all(tmp_path_factory.mktemp("plugins")))


def ask_all(folder: Path) -> dict[str, list[str]]:
    for name, (changes, _) in FAULTS.items():
        fill(name, changes, folder)
    environment = os.environ | {"PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"}
    command = [sys.executable, "-c", ASK, *FAULTS]
    answer = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True)
    found: dict[str, list[str]] = json.loads(answer.stdout)
    return found


@pytest.mark.parametrize("name", [name for name in FAULTS if FAULTS[name][1]])
def test_a_fault_is_told(name: str, answers: dict[str, list[str]]) -> None:
    assert [told for told in answers[name] if told.startswith(FAULTS[name][1])] != [], answers[name]


@pytest.mark.parametrize("name", [name for name in FAULTS if not FAULTS[name][1]])
def test_with_its_gaps_filled_a_new_tool_lacks_nothing(name: str, answers: dict[str, list[str]]) -> None:
    assert answers[name] == []


def test_as_it_is_written_it_lacks_what_is_to_be_filled_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    answer = CliRunner().invoke(main, ["new-tool", "go-fork"])
    assert answer.stdout.splitlines() == [f"wrkparse-go-fork/{path}" for path in plug_in_files("go-fork")]
    assert answer.stderr == (
        "next: cd wrkparse-go-fork && pip install -e '.[dev]' && python -m pytest tests\n"
    )  # fmt: skip
    monkeypatch.syspath_prepend(tmp_path / "wrkparse-go-fork")
    found = lacks("wrkparse_go_fork.tool", tmp_path / "wrkparse-go-fork/tests/fixtures")
    assert found[0].startswith("the docstring of tool.py names no source")
    assert "tool.py:3: says TODO: name the file" in found[1]
    assert "tool.py:43: says TODO: as the manual has them" in found
    assert found[-1].startswith("it is not installed: ")


def test_in_a_checkout_it_becomes_part_of_wrkparse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wrkparse/tools").mkdir(parents=True)
    (tmp_path / "wrkparse/tools/lines.py").touch()
    (tmp_path / "tests/fixtures").mkdir(parents=True)
    answer = CliRunner().invoke(main, ["new-tool", "fork"])
    assert answer.stdout.splitlines() == list(own_files("fork"))
    assert (tmp_path / "wrkparse/tools/fork.py").read_text().startswith('r"""fork: ')
    assert answer.stderr == "next: python -m pytest tests/tools/test_fork.py\n"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("wrk", "there is a tool 'wrk' already"),
        ("gctrace", "there is a tool 'gctrace' already"),
        ("Fork", "'Fork' can't be the name of a tool"),
        ("../x", "'../x' can't be the name of a tool"),
        ("class", "'class' can't be the name of a tool"),
    ],
)
def test_a_name_that_can_not_be_is_refused(name: str, message: str) -> None:
    answer = CliRunner().invoke(main, ["new-tool", name])
    assert answer.exit_code == 2
    assert message in " ".join(answer.stderr.split())


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("mine")
    answer = CliRunner().invoke(main, ["new-tool", "fork", "-o", str(tmp_path)])
    assert answer.exit_code == 3
    assert "is there already; nothing was written" in answer.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["README.md"]


def test_a_tool_of_wrkparse_keeps_the_contract() -> None:
    assert lacks(hey, ROOT / "tests/fixtures/hey") == []


def test_a_tool_in_a_package_of_its_own_names_its_source_there(monkeypatch: pytest.MonkeyPatch) -> None:
    def names_none() -> bool:
        return any("names no source" in missing for missing in lacks(siege, ROOT / "tests/fixtures/siege"))

    assert not names_none()
    for module in (siege, siege.text, siege.metrics):
        monkeypatch.setattr(module, "__doc__", "What siege prints.")
    assert names_none()

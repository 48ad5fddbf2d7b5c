"""Tools of other packages stand beside wrkparse's own, in every process; one that is unfit costs itself."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.installed import install, spoon, wrkparse
from tests.samples import WRK
from tests.tools.lookalikes import LOOKALIKES
from wrkparse.model.records import Column, Metric
from wrkparse.tools import event_tools, plugins, report_tools
from wrkparse.tools.base import ReportTool
from wrkparse.tools.common import LATENCY
from wrkparse.tools.lines import LineSpec, ignore
from wrkparse.tools.plugins import UnfitToolError, check

LOG = "spoon: 12 requests in 1.50 s\n"
METRIC_OF_NO_UNIT = Metric("bite", "", None, "Bite")
OTHERS = [*report_tools(), *event_tools()]


def test_a_tool_of_another_package_is_read_beside_the_own_ones(tmp_path: Path) -> None:
    install(tmp_path / "packages", "wrkparse-spoon", {"spoon": spoon()})
    (tmp_path / "a.log").write_text(f"{WRK}\n{LOG}")
    found = wrkparse(tmp_path / "packages", "runs", "a.log", "--columns", "tool,elapsed_s", cwd=tmp_path)
    assert [line.split() for line in found.stdout.splitlines()[1:3]] == [["wrk", "10.10", "s"], ["spoon", "1.500", "s"]]
    assert found.stderr == ""
    version = wrkparse(tmp_path / "packages", "--version", "--verbose", cwd=tmp_path)
    assert version.stdout.splitlines()[-1] == "plug-in wrkparse-spoon 0.1: spoon"


def test_one_that_can_not_be_loaded_is_named_once_and_the_others_are_read(tmp_path: Path) -> None:
    broken = spoon("fork", imports="import no_such_module")
    install(tmp_path / "packages", "wrkparse-cutlery", {"fork": broken, "spoon": spoon()})
    (tmp_path / "a.log").write_text(LOG)
    found = wrkparse(tmp_path / "packages", "ingest", "a.log", "--jobs", "2", cwd=tmp_path)
    assert "runs: 1 spoon" in found.stdout
    assert found.stderr.splitlines() == [
        (
            "wrkparse: the plug-in wrkparse-cutlery 0.1 is left out: wrkparse_cutlery.fork:TOOL can't be loaded: "
            "ModuleNotFoundError: No module named 'no_such_module'"
        )
    ]
    assert found.returncode == 0


def test_workers_have_the_plug_ins_too_even_with_pandas(tmp_path: Path) -> None:
    install(tmp_path / "packages", "wrkparse-spoon", {"spoon": spoon(imports="import pandas")})
    (tmp_path / "logs").mkdir()
    for number in range(600):  # three batches of files
        (tmp_path / "logs" / f"{number}.log").write_text(f"{number}\n{LOG}")
    found = wrkparse(tmp_path / "packages", "ingest", "logs", "--jobs", "3", cwd=tmp_path)
    assert "runs: 600 spoon" in found.stdout
    assert found.stderr == ""


def test_a_new_version_of_a_plug_in_reads_unchanged_files_again(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_text(LOG)
    wrkparse(tmp_path, "ingest", "a.log", cwd=tmp_path)
    install(tmp_path / "one", "wrkparse-spoon", {"spoon": spoon()})
    assert "runs: 1 spoon" in wrkparse(tmp_path / "one", "ingest", "a.log", cwd=tmp_path).stdout
    assert "unchanged" in wrkparse(tmp_path / "one", "ingest", "a.log", cwd=tmp_path).stdout
    install(tmp_path / "two", "wrkparse-spoon", {"spoon": spoon()}, version="0.2")
    assert "1 file read" in wrkparse(tmp_path / "two", "ingest", "a.log", cwd=tmp_path).stdout


def test_no_note_calls_output_unread_that_a_plug_in_reads(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_text(LOOKALIKES["rewrk"])
    note = "looks like the output of rewrk, which wrkparse does not read"
    assert note in wrkparse(tmp_path, "explain", "a.log", cwd=tmp_path).stdout
    install(tmp_path / "packages", "wrkparse-rewrk", {"rewrk": spoon("rewrk")})
    assert note not in wrkparse(tmp_path / "packages", "explain", "a.log", cwd=tmp_path).stdout


def test_help_loads_no_plug_in(tmp_path: Path) -> None:
    install(tmp_path / "packages", "wrkparse-spoon", {"spoon": "raise SystemExit(3)"})
    assert "SystemExit: 3" in wrkparse(tmp_path / "packages", "--version", "--verbose", cwd=tmp_path).stdout
    assert wrkparse(tmp_path / "packages", "--help", cwd=tmp_path).returncode == 0


def tool(name: str = "spoon", metrics: tuple[Metric, ...] = (), **more: object) -> ReportTool:
    return ReportTool(name, metrics, (), frozenset(), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("unfit", "message"),
    [
        ("spoon", "is a str, not a ReportTool or an EventTool"),
        (tool("Spoon 2"), "the name 'Spoon 2' should be short, in small letters"),
        (tool(metrics=(LATENCY._replace(unit="1"),)), "the metric 'latency' is declared otherwise"),
        (
            tool(metrics=(Metric("bite", "ms", None, "Bite"),)),
            "the metric 'bite' has the unit 'ms'; base units are s, ",
        ),
        (tool(metrics=(Metric("Bite-1", "s", None, "Bite"),)), "the metric 'Bite-1' should have small letters"),
        (tool(tables={"runs": (Column("a", "int", "a"),)}), "the table 'runs' has the name of another one"),
        (tool(tables={"spectrum": (Column("a", "int", "a"),)}), "the table 'spectrum' has the name of another one"),
        (
            tool(tables={"a b": (Column("a", "int", "a"),)}),
            "the table 'a b' has the name of another one, or a name that SQL can't have",
        ),
    ],
)
def test_what_can_not_stand_beside_the_others_is_told(unfit: object, message: str) -> None:
    with pytest.raises(UnfitToolError, match=re.escape(message)):
        check(unfit, OTHERS)


def test_the_own_tools_can_stand_beside_each_other() -> None:
    own = [entry.tool for entry in plugins.registered() if entry.package == "wrkparse"]
    for one in own:
        check(one, [other for other in own if other is not one])


def test_the_name_of_another_package_s_tool_is_taken(tmp_path: Path) -> None:
    install(tmp_path / "packages", "wrkparse-mine", {"spoon": spoon("wrk")})
    found = wrkparse(tmp_path / "packages", "--version", "--verbose", cwd=tmp_path)
    assert found.stdout.splitlines()[-1] == (
        "plug-in wrkparse-mine 0.1: wrkparse_mine.spoon:TOOL: there is a tool 'wrk' already"
    )


def test_a_line_that_begins_a_report_needs_a_word_to_be_found_by() -> None:
    with pytest.raises(ValueError, match="needs a sign"):
        LineSpec("any", ("x",), re.compile(r"[a-z]+ x"), 0, ignore)
    LineSpec("any", ("x",), re.compile(r"[a-z]+ x"), 0, ignore, sign="[a-z] x")


@pytest.mark.parametrize("sign", ["x +[0-9]", "[x ]y", "x(?=y)", r"(x)\1"])
def test_a_sign_that_would_break_the_search_for_all_tools_is_refused(sign: str) -> None:
    with pytest.raises(ValueError, match="is not one for RE2"):
        LineSpec("any", ("x",), re.compile("x y"), 0, ignore, sign=sign)


def test_a_key_that_no_word_has_is_refused() -> None:
    # digits in front of a word are no part of its key
    with pytest.raises(ValueError, match="its key '2xx' should be 'xx'"):
        LineSpec("status", ("2xx",), re.compile("2xx [0-9]+"), 0, ignore)


def test_own_tools_are_registered_and_checked_as_those_of_other_packages_are(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = {type(one.tool).__name__ for one in plugins.registered() if one.package == "wrkparse"}
    assert kinds == {"ReportTool", "EventTool"}
    monkeypatch.setattr(plugins, "check", lambda tool, others: plugins._check_metrics([METRIC_OF_NO_UNIT], {}))
    with pytest.raises(UnfitToolError, match="the metric 'bite' has the unit ''"):
        plugins.registered.__wrapped__()

"""What the README and the pages of docs/ show is what happens."""

from __future__ import annotations

import ast
import io
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path

import matplotlib.pyplot as plt
import pytest
from click.testing import CliRunner

import wrkparse as wp
from tests.samples import GC, WRK
from wrkparse.cli import COMMANDS, main
from wrkparse.export import FORMATS
from wrkparse.model.codes import CODES
from wrkparse.model.records import COPY, INCOMPLETE
from wrkparse.tools import event_tools, report_tools
from wrkparse.tools.schema import columns

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
DOCS = ROOT / "docs"
PAGES = [README, *sorted(DOCS.rglob("*.md"))]
# What the commands of docs/speed.md print is not the same twice; the other pages show no commands.
WITHOUT_EXAMPLES = {DOCS / name for name in ("architecture.md", "speed.md", "statistics.md", "style.md")}


def blocks(page: Path) -> list[tuple[str, str]]:
    """The blocks of code of a page, each with its language."""
    return re.findall(r"^```(\w+)\n(.*?)^```$", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)


def texts(page: Path, language: str) -> list[str]:
    return [text for name, text in blocks(page) if name == language]


def steps(block: str) -> list[tuple[str, str]]:
    """The commands of a console block, each with what it prints."""
    parts = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
    return [(command, output.rstrip("\n")) for command, _, output in (part.partition("\n") for part in parts)]


def shows(shown: str, output: str) -> bool:
    """Whether a page shows this output; a line … in it stands for lines that are left out."""
    parts = steady(shown).split("\n…\n")
    if len(parts) == 1:
        return steady(output) == parts[0]
    return re.fullmatch("\n(?:.*\n)*".join(map(re.escape, parts)), steady(output)) is not None


def steady(text: str) -> str:
    return re.sub(r" in [0-9.]+ s$", " in 0.1 s", text.rstrip("\n"), flags=re.MULTILINE)


def in_the_repository(command: str) -> str:
    """A command with its paths into the repository made absolute."""
    return re.sub(r"(?<![\w/.-])(data|notebooks|tests)/", rf"{ROOT}/\1/", command)


def test_a_page_is_caught_that_shows_something_else() -> None:
    output = "a 1\nb 2\nc 3\n"
    assert shows("a 1\nb 2\nc 3\n", output)
    assert shows("a 1\n…\nc 3", output)
    for wrong in ("a 1\nb 2", "a 1\nb 3\nc 3", "a 1\n…\nb 3", "a 1\n…\nb 2", "c 3\n…\na 1"):
        assert not shows(wrong, output)


@pytest.fixture
def place(studies_store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A directory to work in, with a store of the five studies."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    shutil.copy(studies_store, "wrkparse.duckdb")
    yield tmp_path
    plt.close("all")


@pytest.mark.parametrize("page", sorted({*PAGES} - WITHOUT_EXAMPLES), ids=lambda page: page.name)
def test_the_examples_of_a_page_print_what_they_show(page: Path, place: Path, studies: wp.Dataset) -> None:
    """On the data of the five studies, unless the page ingests logs of its own."""
    assert texts(page, "console") or texts(page, "python"), "a page without an example"
    run_console(page)
    run_python(page, studies)


def run_console(page: Path) -> None:
    found = [step for example in texts(page, "console") for step in steps(example)]
    if any(command.startswith("wrkparse ingest") for command, _ in found):
        Path("wrkparse.duckdb").unlink()
    for command, shown in found:
        words = shlex.split(in_the_repository(command))
        if words[0] == "cat":
            Path(words[1]).parent.mkdir(exist_ok=True)
            Path(words[1]).write_text(shown + "\n")
            continue
        assert words[0] in ("wrkparse", "scripts/report-card")
        output = CliRunner().invoke(main, words[1:]).output if words[0] == "wrkparse" else report_card(words[1:])
        assert shows(shown, output), output


def report_card(arguments: list[str]) -> str:
    command = [sys.executable, str(ROOT / "scripts" / "reportcard" / "card.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def run_python(page: Path, studies: wp.Dataset) -> None:
    """In a directory of the repository; `ds` holds the five studies. What is printed stands in the next block."""
    for name in ("data", "notebooks", "tests"):
        Path(name).symlink_to(ROOT / name)
    names = {"wp": wp, "ds": studies}
    found = blocks(page)
    for (language, code), (following, shown) in zip(found, [*found[1:], ("", "")], strict=True):
        if language != "python":
            continue
        if "polars" in code:
            pytest.importorskip("polars")
        printed = io.StringIO()
        with redirect_stdout(printed):
            exec(compile(code.replace('"../data"', '"data"'), page.name, "exec"), names)
        assert printed.getvalue().strip() == (shown.strip() if following == "text" else "")


@pytest.mark.skipif(not shutil.which("Rscript"), reason="R is not installed")
def test_the_r_of_the_data_page_prints_what_the_next_block_shows(place: Path) -> None:
    page = DOCS / "data.md"
    run_console(page)
    found = blocks(page)
    (at,) = [index for index, (language, _) in enumerate(found) if language == "r"]
    answer = subprocess.run(["Rscript", "-e", found[at][1]], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == found[at + 1][1].strip()


@pytest.mark.parametrize("page", [page for page in PAGES if texts(page, "yaml")], ids=lambda page: page.name)
def test_the_study_files_of_a_page_are_valid(page: Path, tmp_path: Path) -> None:
    from wrkparse.context.study_file import read_study

    for block in texts(page, "yaml"):
        if block.startswith("- "):  # steps of a workflow
            continue
        (tmp_path / "wrkparse.yaml").write_text(block)
        read_study(tmp_path / "wrkparse.yaml")


def test_every_command_table_tool_and_format_has_its_place() -> None:
    for command in COMMANDS:
        assert f"`wrkparse {command}" in (DOCS / "commands.md").read_text("utf-8"), command
    for table in columns():
        assert f"`{table}`" in (DOCS / "data.md").read_text("utf-8"), table
    for tool in (*report_tools(), *event_tools()):
        assert f"`{tool.name}`" in (DOCS / "formats.md").read_text("utf-8"), tool.name
    for name in FORMATS:
        assert f"`{name}`" in (DOCS / "export.md").read_text("utf-8"), name


def test_the_first_pages_name_every_tool() -> None:
    by_command = {"gobench": "go test -bench", "gctrace": "GODEBUG=gctrace=1", "schedtrace": "GODEBUG=schedtrace=1000"}
    for page in (README, DOCS / "index.md"):
        for tool in (*report_tools(), *event_tools()):
            assert f"`{by_command.get(tool.name, tool.name)}`" in page.read_text("utf-8").partition("\n```")[0], (
                tool.name
            )


def codes_in(source: str) -> set[tuple[str, str | None]]:
    """The codes that a module gives to diagnostics, each with its severity, or None where it is not a constant."""
    found = set()
    for call in (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)):
        name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
        at = {"Diagnostic": 3, "RowMessage": 3, "_note": 0, "warn": 2}.get(name)
        if at is not None and len(call.args) > at and isinstance(call.args[at], ast.Constant):
            severity = call.args[2] if name == "Diagnostic" else None
            found.add((call.args[at].value, severity.value if isinstance(severity, ast.Constant) else None))
    return found


def test_every_code_of_a_diagnostic_is_explained_with_its_severities() -> None:
    """`bad-cell` is the default of `Report.warn`; two codes have names of their own."""
    assert codes_in('Diagnostic("a", None, "note", "b", "c"); self._note("d", "e"); report.warn(1, "f", "g")') == {
        ("b", "note"), ("d", None), ("g", None),
    }  # fmt: skip
    known: set[tuple[str, str | None]] = {(COPY, None), (INCOMPLETE, None), ("bad-cell", None)}
    for folder in ("context", "ingest", "parse", "source", "tools"):
        for path in (ROOT / "wrkparse" / folder).rglob("*.py"):
            known |= codes_in(path.read_text("utf-8"))
    explained = {code: said.severities for codes in CODES.values() for code, said in codes.items()}
    assert sorted(explained) == sorted({code for code, _ in known})
    assert sum(map(len, CODES.values())) == len(explained)
    assert [(code, severity) for code, severity in known if severity and severity not in explained[code]] == []
    assert all(all(said) for codes in CODES.values() for said in codes.values())


CYCLE = GC.format(n=1, t=0.012).rstrip()


@pytest.mark.parametrize(
    ("code", "severity", "text"),
    [
        ("bad-cell", "warning", WRK.replace("1.57ms", "1,57ms")),
        ("bad-line", "warning", WRK.replace("   1.57ms   83.29%", "")),
        ("incomplete", "note", WRK.replace("Transfer/sec:      7.13MB\n", "")),
        ("fragment", "warning", "".join(WRK.splitlines(keepends=True)[:2])),
        ("unmeasured", "note", WRK.replace("40669.44", "{{rps}}")),
        ("copy", "note", f"{WRK}\n{WRK}"),
        ("bad-event", "warning", f"{CYCLE}\ngc 7 @0.9s 2%: 0.01+1.\n"),
        ("source-code", "note", f'want := "{CYCLE}"\n'),
        ("label-conflict", "warning", "## 8 connections\n\n" + WRK.replace("8 connections", "64 connections")),
    ],
)
def test_the_examples_of_codes_have_these_codes(code: str, severity: str, text: str) -> None:
    found = wp.parse_text(text).diagnostics
    assert found[["code", "severity"]].to_numpy().tolist() == [[code, severity]]


def test_the_set_up_commands_of_the_readme_exist() -> None:
    commands = [line for block in texts(README, "sh") for line in block.split("\n") if line.startswith("scripts/")]
    assert commands == ["scripts/demo", "scripts/test"]
    for command in commands:
        assert (ROOT / command).stat().st_mode & 0o111


CONTRIBUTING = ROOT / "CONTRIBUTING.md"


def code_in_lines(page: Path) -> list[str]:
    """What a page has between backticks, outside its blocks."""
    return re.findall(
        r"`([^`\n]+)`", re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    )


def test_the_commands_for_contributors_exist() -> None:
    """They are not executed: they install, or take minutes, and `scripts/test` runs these tests."""
    shown = [command for block in texts(CONTRIBUTING, "console") for command, _ in steps(block)]
    assert len(shown) == 2
    named = [*shown, *(code for code in code_in_lines(CONTRIBUTING) if code.startswith(("bash ", "wrkparse ")))]
    assert len(named) > 20
    for program, name, *_ in map(str.split, named):
        if program == "bash":
            assert (ROOT / name).stat().st_mode & 0o111, name
        else:
            assert name in COMMANDS


def test_the_python_for_contributors_runs() -> None:
    commands = [shlex.split(code) for code in code_in_lines(CONTRIBUTING) if code.startswith("python -c ")]
    assert commands
    for _, *arguments in commands:
        answer = subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
        assert (answer.returncode, answer.stdout) in ((0, "True\n"), (0, "False\n")), answer.stderr


def test_the_files_that_contributors_are_sent_to_exist() -> None:
    """Those of `build/` are made."""
    named = {code for code in code_in_lines(CONTRIBUTING) if re.fullmatch(r"[\w.-]+(/[\w.-]*)+", code)}
    assert len(named) > 30
    for name in named:
        assert name.startswith("build/") or any(
            (ROOT / base / name).exists() for base in ("", "wrkparse", "wrkparse/tools")
        ), name

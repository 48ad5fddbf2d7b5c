"""What the README shows is what happens."""

from __future__ import annotations

import io
import re
import shlex
import shutil
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path

import pytest
from click.testing import CliRunner

from wrkparse.cli import COMMANDS, main
from wrkparse.tools.schema import CANONICAL, columns

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def blocks(language: str) -> list[str]:
    return [text for name, text in BLOCKS if name == language]


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


@pytest.mark.parametrize("block", blocks("console"))
def test_console_blocks_print_what_they_show(block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    for command, shown in steps(block):
        words = shlex.split(command.replace("tests/", f"{ROOT}/tests/"))
        if words[0] == "cat":
            Path(words[1]).write_text(shown + "\n")
            continue
        assert words[0] == "wrkparse"
        result = CliRunner().invoke(main, words[1:])
        assert steady(result.output) == steady(shown)


def test_a_page_is_caught_that_shows_something_else() -> None:
    output = "a 1\nb 2\nc 3\n"
    assert shows("a 1\nb 2\nc 3\n", output)
    assert shows("a 1\n…\nc 3", output)
    for wrong in ("a 1\nb 2", "a 1\nb 3\nc 3", "a 1\n…\nb 3", "a 1\n…\nb 2", "c 3\n…\na 1"):
        assert not shows(wrong, output)


# What the commands of docs/speed.md print is not the same twice; the other pages show no commands.
WITHOUT_EXAMPLES = {ROOT / "docs" / name for name in ("architecture.md", "speed.md", "statistics.md", "style.md")}
PAGES = sorted(set((ROOT / "docs").glob("*.md")) - WITHOUT_EXAMPLES)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_examples_of_a_page_print_what_they_show(
    page: Path, studies_store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the data of the five studies, unless the page says what it reads."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    examples = re.findall(r"^```console\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)
    assert examples
    if "wrkparse ingest" not in examples[0]:
        shutil.copy(studies_store, "wrkparse.duckdb")
    for command, shown in [step for example in examples for step in steps(example)]:
        words = shlex.split(command.replace("tests/", f"{ROOT}/tests/"))
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


def test_python_blocks_print_what_the_next_block_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    printed = io.StringIO()
    with redirect_stdout(printed):
        for block in blocks("python"):
            exec(compile(block, "README.md", "exec"), {})
    assert printed.getvalue().strip() == "".join(blocks("text")).strip()


def test_the_yaml_of_the_readme_is_a_valid_study(tmp_path: Path) -> None:
    from wrkparse.context.study_file import read_study

    for block in blocks("yaml"):
        (tmp_path / "wrkparse.yaml").write_text(block)
        assert read_study(tmp_path / "wrkparse.yaml").title == "nuster, nginx and varnish as caches"


def test_every_command_table_and_label_is_in_the_readme() -> None:
    for command in COMMANDS:
        assert f"`wrkparse {command}" in README
    for table in columns():
        assert f"`{table}`" in README, table
    for key in CANONICAL:
        assert f"`{key}`" in README, key


def test_the_set_up_commands_of_the_readme_exist() -> None:
    for command in blocks("sh")[0].split():
        assert (ROOT / command).stat().st_mode & 0o111

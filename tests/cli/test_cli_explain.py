"""``wrkparse explain``: expected by reading the page."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.samples import WRK
from wrkparse.cli import main

PAGE = f"""# Two servers

Some words.

## kiwi, 4 cores

{WRK}
## emu, 4 cores

{WRK}"""


def explain(*arguments: str) -> list[str]:
    result = CliRunner().invoke(main, ["explain", *arguments])
    assert result.exit_code == 0, result.output
    return result.output.splitlines()


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.md"
    path.write_text(PAGE)
    return path


def test_each_line_has_its_run_and_what_it_gives(page: Path) -> None:
    shown = explain(str(page))
    lines = PAGE.splitlines()
    assert shown[0].startswith(f"page.md: {len(lines)} lines")
    assert shown[0].endswith("runs: 2 wrk")
    numbered = [line for line in shown[1:] if line[:3].strip().isdigit()]
    assert [int(line[:3]) for line in numbered] == list(range(1, len(lines) + 1))
    assert all(line.endswith(text.rstrip()) for line, text in zip(numbered, lines, strict=True))
    (first,) = (number for number, line in enumerate(shown) if line.endswith("## kiwi, 4 cores"))
    assert shown[first].split()[1] == "."
    assert shown[first + 1].strip() == "↳ cores=4 (from the heading, for wrk 1)"
    (throughput,) = (at for at, line in enumerate(shown) if "Requests/sec" in line and " wrk 2 " in line)
    assert shown[throughput + 1].strip().startswith("↳ throughput ")
    height = len(WRK.splitlines())
    first, second = 7, 7 + height + 3  # a blank line, the heading and a blank line stand between
    assert shown[-2:] == [
        f"wrk 1, lines {first}-{first + height - 1}: framework=kiwi (the headings differ: kiwi, 4 cores)",
        f"wrk 2, lines {second}-{second + height - 1}: framework=emu (the headings differ: emu, 4 cores)",
    ]


def test_the_words_of_a_command_that_give_a_label_are_shown(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"$ GOGC=off ./kiwi &\n$ wrk -t 8 -c8 http://10.0.1.70:8080/hello\n{WRK}")
    shown = [line.strip() for line in explain(str(page)) if "from the" in line]
    url = "http://10.0.1.70:8080/hello"
    assert shown == [
        "↳ env_GOGC=off by GOGC=off, gogc=off by GOGC=off, program=kiwi (from the environment, for wrk 1)",
        f"↳ threads=8 by -t 8, connections=8 by -c8, url={url} (from the command, for wrk 1)",
    ]


def test_a_range_of_lines_is_shown_alone(page: Path) -> None:
    shown = explain(str(page), "--lines", "5-6")
    assert [line[:3].strip() for line in shown if line[:3].strip().isdigit()] == ["5", "6"]
    assert any(line.startswith("… ") for line in shown)


def test_what_can_not_be_read_is_said(tmp_path: Path) -> None:
    missing = CliRunner().invoke(main, ["explain", str(tmp_path / "none.txt")])
    assert missing.exit_code == 3
    assert "none.txt" in missing.output
    standard = CliRunner().invoke(main, ["explain", "-"], input="x")
    assert standard.exit_code == 2
    assert "save it to a file first" in standard.output
    wrong = CliRunner().invoke(main, ["explain", "x", "--lines", "a"])
    assert wrong.exit_code == 2
    assert "such as 10-40" in wrong.output


def test_a_label_of_several_lines_stands_in_one(tmp_path: Path) -> None:
    path = tmp_path / "session.txt"
    path.write_text(f"$ git stash\nSaved it\n$ wrk -c8 http://localhost/\n{WRK}")
    assert "above=git stash / Saved it (from the heading" in "\n".join(explain(str(path)))

"""Files of the repository are clean; scripts/hygiene.py says where one is not."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from scripts.hygiene import problems

ROOT = Path(__file__).parent.parent
RAW_LOGS = ("data/", "notebooks/loopback/", "tests/fixtures/")


@pytest.mark.parametrize(
    ("name", "content", "found"),
    [
        ("a.py", b"x = 1\n", []),
        ("a.py", b"", []),
        ("a.png", b"\x89PNG\r\n\x1a\n\xff \n", []),
        ("a.py", b"x = 1 \ny = 2\t\n", ["1: blanks at the end of the line", "2: blanks at the end of the line"]),
        ("a.py", b"x = 1", [" the last line has no end"]),
        ("a.py", b"x = 1\r\n", [" line ends of Windows (CR LF)"]),
        ("a.py", b"<" * 7 + b" ours\n", ["1: the mark of a merge conflict"]),
        ("a.csv", b"1\n" * 600_000, [" 1,200,000 bytes: larger than 1,000,000"]),
    ],
)
def test_each_problem_is_told_with_its_line(name: str, content: bytes, found: list[str], tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    assert list(problems(tmp_path / name)) == found


@pytest.mark.parametrize(
    ("name", "content"), [("a.json", "{"), ("a.yaml", "a: [\n"), ("a.toml", "a =\n"), ("a.ipynb", "}")]
)
def test_a_file_that_can_not_be_read_is_told(name: str, content: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(content + "\n")
    [found] = problems(tmp_path / name)
    assert found.startswith(f" not valid {name[2:]}: ")


@pytest.mark.parametrize("target", ["a.py", "nowhere"])
def test_a_link_is_told_wherever_it_leads(target: str, tmp_path: Path) -> None:
    (tmp_path / "a.py").touch()
    (tmp_path / "link").symlink_to(target)
    [found] = problems(tmp_path / "link")
    assert found.startswith(" a symbolic link")


def test_the_repository_is_clean() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    names = [name for name in listed.stdout.split("\0") if name and not name.startswith(RAW_LOGS)]
    paths = [ROOT / name for name in names if (ROOT / name).is_file() or (ROOT / name).is_symlink()]
    assert [f"{path}:{problem}" for path in paths for problem in problems(path)] == []

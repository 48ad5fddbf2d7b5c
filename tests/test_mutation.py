"""The tests that `scripts/mutate` runs are those that there are."""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
FILES: dict[str, tuple[str, ...]] = runpy.run_path(str(ROOT / "scripts/mutation/which_tests.py"))["FILES"]


def test_each_module_of_the_parser_has_tests_to_run() -> None:
    paths = (path for path in (ROOT / "wrkparse/parse").rglob("*.py") if path.name != "__init__.py")
    assert {path.relative_to(ROOT / "wrkparse").as_posix() for path in paths} <= FILES.keys()


def test_modules_and_test_files_are_where_they_are_said_to_be() -> None:
    missing = [module for module in FILES if not (ROOT / "wrkparse" / module).is_file()]
    missing += [file for files in FILES.values() for file in files if not (ROOT / "tests" / file).is_file()]
    assert missing == []


def test_each_mutant_that_is_said_to_be_equivalent_is_one() -> None:
    script = ROOT / "scripts/mutation"
    command = [sys.executable, str(script), "--list", "--module", "text/torn.py"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (found.returncode, found.stderr) == (0, "")

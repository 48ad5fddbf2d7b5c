"""Everything that reads is fuzzed for a second, guided by coverage; `scripts/fuzz` does it for as long as you like."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TARGETS = 8
SECONDS = "1"  # for each target


@pytest.mark.skipif(importlib.util.find_spec("atheris") is None, reason="atheris has wheels for Linux only")
def test_nothing_is_found_in_some_seconds(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "scripts" / "fuzzing"), "all", SECONDS]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "WRKPARSE_FUZZ_FOUND": str(tmp_path)}
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", env=environment, check=False)
    kept = [f"{path.name}: {path.read_bytes()[:2000]!r}" for path in tmp_path.iterdir()]
    said = done.stderr[done.stderr.find("=== Uncaught") :][:3000]
    assert done.returncode == 0, f"{said}\n{kept}"
    assert done.stderr.count("stat::number_of_executed_units") == TARGETS


def test_spliced_logs_give_in_pieces_what_they_give_at_once(tmp_path: Path) -> None:
    """The first inputs of `scripts/fuzz spliced`, which need no coverage."""
    command = [sys.executable, str(ROOT / "scripts" / "fuzzing" / "spliced.py"), "0", "150"]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "WRKPARSE_FUZZ_FOUND": str(tmp_path)}
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", env=environment, check=False)
    assert done.returncode == 0, done.stderr[:3000]
    assert done.stdout.startswith("150 inputs, ")
    assert done.stdout.endswith(" 0 findings\n")

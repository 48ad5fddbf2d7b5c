"""An ingest or an export whose system calls fail, or that is killed in front of one, leaves the rows from before or from after."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SAMPLE = "3"  # calls of each fault; `bash scripts/faults` takes all

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or not (shutil.which("cc") or shutil.which("gcc")), reason="Linux with a C compiler"
)


@pytest.mark.parametrize("places", ["new existing parquet", "export tables"])
def test_every_fault_leaves_a_whole_store_and_a_message_that_names_the_cause(places: str) -> None:
    chosen = [option for place in places.split() for option in ("--place", place)]
    command = [sys.executable, str(ROOT / "scripts" / "faulting"), *chosen, "--sample", SAMPLE]
    done = subprocess.run(
        command, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": str(ROOT)}, check=False
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    assert done.stdout.endswith(f"\n{3 * int(SAMPLE) * len(places.split())} faults, 0 problems\n")

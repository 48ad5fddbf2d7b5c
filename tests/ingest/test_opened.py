"""What opening a store, or logs, takes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import wrkparse as wp
from tests.samples import WRK
from wrkparse.ingest.ingest import ingest
from wrkparse.store.errors import StoreError

ASK = """
import sys, wrkparse as wp
print(len(wp.open_dataset(sys.argv[1]).runs), *(name for name in sys.modules if name.startswith("wrkparse.parse.")))
"""


def test_a_store_is_opened_without_what_reads_logs(tmp_path: Path) -> None:
    (tmp_path / "log.txt").write_text(WRK)
    ingest([str(tmp_path / "log.txt")], tmp_path / "store.duckdb")
    said = subprocess.run(
        [sys.executable, "-c", ASK, str(tmp_path / "store.duckdb")],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout.split() == ["1"]


def test_logs_are_read_and_a_store_is_no_log_among_others(tmp_path: Path) -> None:
    (tmp_path / "log.txt").write_text(WRK)
    assert len(wp.open_dataset(tmp_path / "log.txt").runs) == 1
    with pytest.raises(StoreError, match=r"none\.duckdb: not a file or directory of logs"):
        wp.open_dataset([tmp_path / "log.txt", tmp_path / "none.duckdb"])

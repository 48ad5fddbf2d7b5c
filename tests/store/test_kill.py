"""An ingest that is killed at any moment leaves the store as it was, or as it would be."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import wrkparse as wp
from tests.samples import GC, WRK
from wrkparse.ingest.ingest import ingest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")


def write_logs(root: Path, generation: int) -> None:
    root.mkdir(exist_ok=True)
    for n in range(20):
        text = WRK.replace("8 threads", f"{generation} threads")
        (root / f"{n}.txt").write_text(text)
    lines = "".join(GC.format(n=n, t=f"{n}.000") for n in range(1, 5000)).replace("4 P", f"{generation} P")
    (root / "go.log").write_text(lines)


def state(store: Path) -> tuple[int, set[int], set[int], int]:
    dataset = wp.load(store)
    return (
        len(dataset.runs),
        set(dataset.runs.threads.dropna()),
        set(dataset.gc_cycles.procs),
        dataset.count("measurements"),
    )


def expected(generation: int) -> tuple[int, set[int], set[int], int]:
    return 21, {generation}, {generation}, 20 * 14


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_a_killed_ingest_leaves_a_whole_store(tmp_path: Path, sent: signal.Signals, command: tuple[str, ...]) -> None:
    """A client of the preloaded process passes on what ends a command, but for ``SIGKILL``."""
    words = (sys.executable, "-m", "wrkparse") if sent == signal.SIGKILL else command
    store = tmp_path / "s.duckdb"
    write_logs(tmp_path / "logs", 1)
    started = time.monotonic()
    ingest([str(tmp_path / "logs")], store)
    usual = time.monotonic() - started + 0.3
    assert state(store) == expected(1)
    write_logs(tmp_path / "logs", 2)
    clock = random.Random(sent)
    killed = 0
    for _ in range(5):
        child = subprocess.Popen(
            [*words, "ingest", str(tmp_path / "logs"), "-o", str(store)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        time.sleep(clock.uniform(0.1, usual))
        child.send_signal(sent)
        killed += child.wait() != 0
        found = state(store)
        assert found in (expected(1), expected(2))
        if found == expected(2):
            break
    ingest([str(tmp_path / "logs")], store)
    assert state(store) == expected(2)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["logs", "s.duckdb"]


def test_a_new_store_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    write_logs(tmp_path / "logs", 1)
    for n in range(4):
        store = tmp_path / f"s{n}.duckdb"
        child = subprocess.Popen(
            [sys.executable, "-m", "wrkparse", "ingest", str(tmp_path / "logs"), "-o", str(store)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        time.sleep(0.2 + 0.25 * n)
        child.kill()
        child.wait()
        assert not store.exists() or state(store) == expected(1)
        ingest([str(tmp_path / "logs")], store)
        assert state(store) == expected(1)

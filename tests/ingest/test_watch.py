"""Waiting for logs to change."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from wrkparse.ingest.following.watch import watch_changes

FAST = {"quiet_s": 0.1, "most_s": 0.6}


class Watched:
    """A folder that another thread watches; `count` is how often a change was seen."""

    def __init__(self, folder: Path, without: list[Path]) -> None:
        self.stop, self.count = threading.Event(), 0
        self.thread = threading.Thread(target=self._run, args=(folder, without))
        self.thread.start()

    def _run(self, folder: Path, without: list[Path]) -> None:
        for _ in watch_changes([folder], self.stop, without=without, **FAST):
            self.count += 1

    def reaches(self, count: int) -> bool:
        """Whether so many are seen within some seconds."""
        end = time.monotonic() + 20
        while self.count < count and time.monotonic() < end:
            time.sleep(0.02)
        return self.count >= count


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    (tmp_path / "a.log").write_text("one\n")
    found = Watched(tmp_path, [tmp_path / "report.html"])
    yield found
    found.stop.set()
    found.thread.join(20)
    assert not found.thread.is_alive()


def test_the_first_is_at_once_and_each_change_makes_one_more(watched: Watched, tmp_path: Path) -> None:
    assert watched.reaches(1)
    with (tmp_path / "a.log").open("a") as log:
        log.write("two\n")
    assert watched.reaches(2)
    (tmp_path / "b.log").write_text("a new file\n")
    assert watched.reaches(3)
    (tmp_path / "b.log").unlink()
    assert watched.reaches(4)


def test_the_report_among_the_logs_is_no_change(watched: Watched, tmp_path: Path) -> None:
    assert watched.reaches(1)
    (tmp_path / "report.html").write_text("<p>")
    (tmp_path / "a.log").write_text("one more\n")  # a change that is seen, later than the report
    assert watched.reaches(2)
    time.sleep(0.5)
    assert watched.count == 2


def test_changes_that_go_on_do_not_wait_for_ever(watched: Watched, tmp_path: Path) -> None:
    assert watched.reaches(1)
    writing = threading.Event()

    def write() -> None:
        with (tmp_path / "a.log").open("a") as log:
            while not writing.wait(0.02):
                log.write("more\n")
                log.flush()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        assert watched.reaches(2)
    finally:
        writing.set()
        writer.join()

"""A file that was renamed since it was ingested is known by its content: its runs are not stored twice."""

from __future__ import annotations

import gzip
import os
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

import wrkparse as wp
from tests.samples import GC, WRK
from wrkparse.cli import main
from wrkparse.ingest.ingest import ingest
from wrkparse.ingest.summary import IngestSummary
from wrkparse.model.records import Diagnostic


def cycles(first: int, last: int) -> str:
    return "".join(GC.format(n=n, t=f"{n}.000") for n in range(first, last + 1))


class Place:
    """A directory of logs and its store."""

    def __init__(self, root: Path) -> None:
        self.logs, self.store = root / "logs", root / "s.duckdb"
        self.logs.mkdir()
        self.said: list[Diagnostic] = []

    def write(self, name: str, text: str) -> Path:
        path = self.logs / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return path

    def ingest(self, *names: str) -> IngestSummary:
        self.said.clear()
        paths = [str(self.logs / name) for name in names] or [str(self.logs)]
        return ingest(paths, self.store, report=lambda diagnostic, _: self.said.append(diagnostic))

    def codes(self) -> list[tuple[str, str]]:
        return [(each.source, each.code) for each in self.said]

    def stored(self) -> dict[str, list[int]]:
        """The collections of each source, in order."""
        dataset = wp.load(self.store)
        frame = dataset.gc_cycles.merge(dataset.runs[["run", "source"]], on="run")
        return {str(name): rows["gc"].tolist() for name, rows in frame.groupby("source")}


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_a_renamed_file_moves_its_runs_to_the_new_name(place: Place) -> None:
    place.write("go.log", cycles(1, 4))
    place.ingest()
    (place.logs / "go.log").rename(place.logs / "go.log.1")
    summary = place.ingest()
    assert place.stored() == {"go.log.1": [1, 2, 3, 4]}
    assert place.codes() == [("go.log.1", "renamed")]
    assert (summary.renamed, summary.replaced) == (1, 0)
    assert wp.load(place.store).sql("SELECT source FROM sources")["source"].tolist() == ["go.log.1"]
    assert place.ingest().unchanged == 1


def test_a_new_file_under_the_old_name_is_another_one(place: Place) -> None:
    log = place.write("go.log", cycles(1, 4))
    place.ingest()
    log.rename(place.logs / "go.log.1")
    place.write("go.log", cycles(1, 2).replace("4 P", "8 P"))
    summary = place.ingest()
    assert place.stored() == {"go.log": [1, 2], "go.log.1": [1, 2, 3, 4]}
    assert place.codes() == [("go.log.1", "renamed")]
    assert (summary.renamed, summary.replaced) == (1, 0)


def test_a_rotated_file_is_known_when_it_is_ingested_alone(place: Place) -> None:
    log = place.write("go.log", cycles(1, 4))
    place.ingest("go.log")
    log.rename(place.logs / "go.log.1")
    place.write("go.log", cycles(1, 2).replace("4 P", "8 P"))
    place.ingest("go.log.1")
    assert list(place.stored().values()) == [[1, 2, 3, 4]]
    place.ingest("go.log")
    assert sorted(place.stored().values()) == [[1, 2], [1, 2, 3, 4]]


def test_a_file_that_grew_before_it_was_renamed_is_known_by_its_beginning(place: Place) -> None:
    log = place.write("go.log", cycles(1, 4))
    place.ingest()
    log.write_text(cycles(1, 6))
    log.rename(place.logs / "go.log.1")
    place.write("go.log", cycles(1, 2).replace("4 P", "8 P"))
    place.ingest()
    assert place.stored() == {"go.log": [1, 2], "go.log.1": [1, 2, 3, 4, 5, 6]}
    assert place.codes() == [("go.log.1", "renamed")]


@pytest.mark.parametrize("last", [4, 6], ids=["as it was", "grown"])
def test_a_file_that_was_compressed_when_it_was_renamed_is_known_by_what_is_in_it(place: Place, last: int) -> None:
    log = place.write("go.log", cycles(1, 4))
    place.ingest()
    log.unlink()
    (place.logs / "go.log.2.gz").write_bytes(gzip.compress(cycles(1, last).encode()))
    place.write("go.log", cycles(1, 2).replace("4 P", "8 P"))
    place.ingest()
    assert place.stored() == {"go.log": [1, 2], "go.log.2.gz": list(range(1, last + 1))}
    assert place.codes() == [("go.log.2.gz", "renamed")]


def test_files_that_move_up_one_place_each_are_all_known(place: Place) -> None:
    texts = [cycles(1, 3 + n).replace("4 P", f"{n} P") for n in range(1, 5)]
    for n, text in enumerate(texts[:3]):
        place.write(f"go.log.{n}", text)
    place.ingest()
    for n in (2, 1, 0):
        (place.logs / f"go.log.{n}").rename(place.logs / f"go.log.{n + 1}")
    place.write("go.log.0", texts[3])
    assert place.ingest().renamed == 3
    assert {name: len(rows) for name, rows in place.stored().items()} == {
        "go.log.0": 7, "go.log.1": 4, "go.log.2": 5, "go.log.3": 6,
    }  # fmt: skip


def test_of_a_renamed_file_and_a_copy_of_it_one_is_the_file_and_the_other_a_copy(place: Place) -> None:
    log = place.write("go.log", cycles(1, 4))
    place.ingest()
    log.rename(place.logs / "go.log.1")
    shutil.copy(place.logs / "go.log.1", place.logs / "other.log")
    place.ingest()
    assert place.stored() == {"go.log.1": [1, 2, 3, 4], "other.log": [1, 2, 3, 4]}
    assert place.codes() == [("go.log.1", "renamed"), ("other.log", "copied-file")]


@pytest.mark.parametrize("at_once", [True, False])
def test_a_copy_beside_the_file_keeps_its_own_labels_and_is_named(place: Place, at_once: bool) -> None:
    place.write("gin/run.txt", WRK)
    if not at_once:
        place.ingest()
    place.write("echo/run.txt", WRK)
    place.ingest()
    runs = wp.load(place.store).runs
    assert set(runs["source"]) == {"gin/run.txt", "echo/run.txt"}
    [(source, code)] = place.codes()
    [message] = [each.message for each in place.said]
    other = "echo/run.txt" if at_once else "gin/run.txt"
    assert (source, code) == (next(iter(set(runs["source"]) - {other})), "copied-file")
    assert other in message


def test_equal_files_without_runs_are_not_worth_a_note(place: Place) -> None:
    place.write("a/LICENSE", "no output of a tool\n" * 9)
    place.write("b/LICENSE", "no output of a tool\n" * 9)
    place.write("a/empty", "")
    place.write("b/empty", "")
    place.ingest()
    assert place.codes() == []


def test_a_file_whose_source_still_exists_is_no_renamed_one(place: Place) -> None:
    """A log and another one that begins with it: both are there, so both are stored."""
    place.write("a.log", cycles(1, 4))
    os.utime(place.logs / "a.log", (1, 1))
    place.ingest()
    os.utime(place.logs / "a.log", (2, 2))
    place.write("b.log", cycles(1, 6))
    summary = place.ingest()
    assert place.stored() == {"a.log": [1, 2, 3, 4], "b.log": [1, 2, 3, 4, 5, 6]}
    assert (summary.renamed, summary.unchanged) == (0, 1)


def test_a_beginning_that_many_logs_share_does_not_make_one_of_two(place: Place) -> None:
    gone = place.write("a.log", "server started\n")
    place.ingest()
    gone.unlink()
    place.write("b.log", "server started\n" + cycles(1, 4))
    assert place.ingest().renamed == 0
    assert place.codes() == []


def test_new_labels_are_no_rename(place: Place) -> None:
    place.write("go.log", cycles(1, 4))
    place.ingest()
    ingest([str(place.logs)], place.store, labels={"machine": "m1"})
    assert place.stored() == {"go.log": [1, 2, 3, 4]}


def test_the_command_says_it_in_one_line(place: Place) -> None:
    log = place.write("go.log", cycles(1, 4))
    place.ingest()
    log.rename(place.logs / "go.log.1")
    done = CliRunner().invoke(main, ["ingest", str(place.logs), "-o", str(place.store)])
    assert done.exit_code == 0
    [line] = done.stderr.splitlines()
    assert "go.log.1: note: this is go.log, renamed since it was last read" in line
    assert "1 renamed" in done.stdout

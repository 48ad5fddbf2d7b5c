"""Keeping up with a log that is being written."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol

import pytest
from click.testing import CliRunner

import wrkparse as wp
from tests.samples import GC, WRK
from wrkparse.cli import main
from wrkparse.ingest.following import follow
from wrkparse.ingest.ingest import ingest
from wrkparse.store.errors import StoreError

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="an open file can't be renamed there")


def cycles(first: int, last: int) -> str:
    return "".join(GC.format(n=n, t=f"{n}.000") for n in range(first, last + 1))


def until(what: Callable[[], object]) -> None:
    for _ in range(300):
        try:
            if what():
                return
        except StoreError:  # not made yet, or being written
            pass
        time.sleep(0.2)  # the follower gets at the store meanwhile
    raise AssertionError("it did not come within a minute")


def stored(store: Path) -> list[int]:
    return wp.load(store).gc_cycles["gc"].tolist()


@pytest.fixture
def piped(command: tuple[str, ...], tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """An ingest of a pipe into s.duckdb."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([*command, "ingest", "-", "-o", str(tmp_path / "s.duckdb")], **pipes) as process:  # type: ignore[call-overload]
        yield process
        process.kill()


class Following(Protocol):
    def __call__(self, log: Path, store: Path) -> AbstractContextManager[list[bytes]]: ...


@pytest.fixture
def following(command: tuple[str, ...]) -> Following:
    """In a process of its own: within one, DuckDB would share the store. What it printed is there at the end."""

    @contextmanager
    def followed(log: Path, store: Path) -> Iterator[list[bytes]]:
        words, pipe, printed = [*command, "ingest", "--follow", str(log), "-o", str(store)], subprocess.PIPE, []
        process = subprocess.Popen(words, stdout=pipe, stderr=pipe)
        try:
            yield printed
        finally:
            process.send_signal(signal.SIGINT)
            output, problems = process.communicate(timeout=60)
        printed += [output, problems]
        assert process.returncode == 0, problems

    return followed


def append(log: Path, text: str) -> None:
    with log.open("a") as file:
        file.write(text)


def test_what_is_written_is_in_the_store_while_it_goes_on(tmp_path: Path, following: Following):
    log, store = tmp_path / "go.log", tmp_path / "s.duckdb"
    append(log, cycles(1, 5))
    with following(log, store) as printed:
        until(lambda: stored(store) == [1, 2, 3, 4, 5])
        append(log, cycles(6, 8) + "gc 9 @9.000s 2%: 0.018+1.3+0.0")  # cut amid a line
        until(lambda: stored(store) == list(range(1, 9)))
        append(log, "76 ms clock, 0.054+0.35/1.2/3.0+0.22 ms cpu, 4->5->1 MB, 5 MB goal, 4 P\n" + WRK[:200])
        until(lambda: len(wp.load(store).runs) == 2)  # the report so far, which is not cut but unfinished
        assert wp.load(store).diagnostics.empty
        append(log, WRK[200:])
        until(lambda: "throughput" in wp.load(store).measurements["metric"].tolist())
    ingest([str(log)], tmp_path / "whole.duckdb", everything=True)
    live, whole = wp.load(store), wp.load(tmp_path / "whole.duckdb")
    for table in ("runs", "labels", "measurements", "gc_cycles", "texts", "diagnostics"):
        assert live.arrow(table).to_pylist() == whole.arrow(table).to_pylist(), table
    assert b"runs: 1 gctrace, 1 wrk" in printed[0]
    assert b"events: 9 gc_cycles" in printed[0]


def test_a_file_followed_again_goes_on_where_it_was_left(tmp_path: Path, following: Following):
    log, store = tmp_path / "go.log", tmp_path / "s.duckdb"
    append(log, cycles(1, 12_000))  # a megabyte: less is read again
    with following(log, store):
        until(lambda: len(stored(store)) == 12_000)
    append(log, cycles(12_001, 12_002))
    with following(log, store) as printed:
        until(lambda: len(stored(store)) == 12_002)
    assert b"1 read on" in printed[0]
    assert len(wp.load(store).runs) == 1
    assert ingest([str(log)], store).unchanged == 1


def test_a_rotated_file_is_followed_under_its_name_and_nothing_is_lost(tmp_path: Path, following: Following):
    log, store = tmp_path / "go.log", tmp_path / "s.duckdb"
    append(log, cycles(1, 3))
    with following(log, store):
        until(lambda: stored(store) == [1, 2, 3])
        append(log, cycles(4, 4))
        log.rename(tmp_path / "go.log.1")
        append(log, cycles(1, 2))
        until(lambda: len(stored(store)) == 6)
    dataset = wp.load(store)
    assert dataset.runs["source"].tolist() == ["go.log", "go.log~2"]
    assert [len(part) for _, part in dataset.gc_cycles.groupby("run", sort=False)] == [4, 2]
    assert "rotated" in dataset.diagnostics["code"].tolist()


def test_what_was_followed_through_a_rotation_is_not_stored_twice_by_an_ingest_of_the_directory(
    tmp_path: Path, following: Following
):
    (tmp_path / "logs").mkdir()
    log, store = tmp_path / "logs" / "go.log", tmp_path / "s.duckdb"
    append(log, cycles(1, 3))
    with following(log, store):
        until(lambda: stored(store) == [1, 2, 3])
        log.rename(tmp_path / "logs" / "go.log.1")
        append(log, cycles(11, 12))
        until(lambda: len(stored(store)) == 5)
    ingest([str(tmp_path / "logs")], store)
    assert wp.load(store).runs["source"].tolist() == ["go.log.1", "go.log~2"]
    assert sorted(stored(store)) == [1, 2, 3, 11, 12]


def test_a_file_cut_and_filled_again_at_once_is_another_one(tmp_path: Path, following: Following):
    """As copytruncate of logrotate does, and a server that writes on: the file is longer than before."""
    log, store = tmp_path / "go.log", tmp_path / "s.duckdb"
    append(log, cycles(1, 3))
    with following(log, store):
        until(lambda: stored(store) == [1, 2, 3])
        with log.open("r+") as file:
            file.truncate()
            file.write(cycles(11, 19))
        until(lambda: len(stored(store)) == 12)
    assert [len(part) for _, part in wp.load(store).gc_cycles.groupby("run", sort=False)] == [3, 9]
    assert "rotated" in wp.load(store).diagnostics["code"].tolist()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupt_ends_it_with_all_that_has_come_in_the_store(
    tmp_path: Path, number: int, command: tuple[str, ...]
):
    if signal.getsignal(number) == signal.SIG_IGN:
        pytest.skip("the signal is ignored, as under nohup, and children inherit that")
    log, store = tmp_path / "go.log", tmp_path / "s.duckdb"
    append(log, cycles(1, 5))
    words = [*command, "ingest", "--follow", str(log), "-o", str(store)]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    until(lambda: stored(store) == [1, 2, 3, 4, 5])
    append(log, cycles(6, 6))
    process.send_signal(number)
    output, problems = process.communicate(timeout=60)
    assert process.returncode == 0, problems
    assert b"6 gc_cycles" in output
    assert stored(store) == [1, 2, 3, 4, 5, 6]


def test_a_pipe_is_in_the_store_before_it_ends(tmp_path: Path, piped: subprocess.Popen[bytes]):
    store, process = tmp_path / "s.duckdb", piped
    assert process.stdin
    process.stdin.write(cycles(1, 2).encode())
    process.stdin.flush()
    until(lambda: stored(store) == [1, 2])
    process.stdin.write(cycles(3, 3).encode())
    output, problems = process.communicate(timeout=60)
    assert process.returncode == 0, problems
    assert b"3 gc_cycles" in output
    assert stored(store) == [1, 2, 3]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_a_pipe_that_its_program_goes_on_to_write(
    tmp_path: Path, piped: subprocess.Popen[bytes], number: int
):
    if signal.getsignal(number) == signal.SIG_IGN:
        pytest.skip("the signal is ignored, as under nohup, and children inherit that")
    store, process, written = tmp_path / "s.duckdb", piped, 0
    assert process.stdin
    with contextlib.suppress(BrokenPipeError):
        while written < 3000:  # a minute
            written += 1
            process.stdin.write(cycles(written, written).encode())
            process.stdin.flush()
            time.sleep(0.02)
            if written % 50 == 0 and store.exists() and process.poll() is None:
                process.send_signal(number)
                break
        at_signal = written
        while written < at_signal + 1000 and process.poll() is None:
            written += 1
            process.stdin.write(cycles(written, written).encode())
            process.stdin.flush()
            time.sleep(0.02)
    assert process.wait(timeout=60) == 0
    assert written < at_signal + 1000  # some 20 seconds
    assert stored(store)[:at_signal] == list(range(1, at_signal + 1))


@contextmanager
def held(store: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process that reads a store until it is told to end."""
    holding = "import sys, wrkparse.store.duckdb_store as s\nwith s.connect(sys.argv[1]):\n print(1, flush=True)\n sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", holding, str(store)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as reader:
        assert reader.stdout
        assert reader.stdout.readline() == b"1\n"
        yield reader


def test_a_reader_that_holds_the_store_stops_no_pipe(tmp_path: Path, piped: subprocess.Popen[bytes]):
    store, process = tmp_path / "s.duckdb", piped
    assert process.stdin
    assert process.stderr
    process.stdin.write(cycles(1, 2).encode())
    process.stdin.flush()
    until(lambda: stored(store) == [1, 2])
    with held(store) as reader:
        process.stdin.write(cycles(3, 5).encode())
        process.stdin.flush()
        said = process.stderr.readline().decode()
        assert "s.duckdb is in use by python" in said
        assert f"(process {reader.pid}); new rows are kept beside it until it is free" in said
        reader.communicate(b"")
    until(lambda: stored(store) == [1, 2, 3, 4, 5])
    process.communicate(timeout=60)
    assert process.returncode == 0


def test_a_signal_ends_a_pipe_though_the_store_is_held_and_what_it_lacks_is_in_another_one(
    tmp_path: Path, piped: subprocess.Popen[bytes]
):
    store, process = tmp_path / "s.duckdb", piped
    assert process.stdin
    process.stdin.write(cycles(1, 2).encode())
    process.stdin.flush()
    until(lambda: stored(store) == [1, 2])
    with held(store) as reader:
        process.stdin.write(cycles(3, 5).encode() + WRK.encode())
        process.stdin.close()
        process.stdin = None
        time.sleep(2)
        assert process.poll() is None  # it waits for the store
        process.send_signal(signal.SIGTERM)
        _, problems = process.communicate(timeout=30)
        reader.communicate(b"")
    [apart] = tmp_path.glob("s-*.duckdb")
    assert process.returncode == 3
    said = f"(process {reader.pid}); what it lacks of <stdin> is kept in {apart}, and the next ingest into s.duckdb takes it in\n"
    assert problems.decode().endswith(said)
    assert stored(store) == [1, 2]
    assert stored(apart) == [3, 4, 5]
    assert len(wp.load(apart).runs) == 2
    assert sorted(tmp_path.iterdir()) == [apart, store]
    append(tmp_path / "go.log", cycles(1, 1))
    ingest([str(tmp_path / "go.log")], store)
    assert sorted(stored(store)) == [1, 1, 2, 3, 4, 5]
    assert not apart.exists()


def test_a_second_signal_ends_the_wait_for_the_store_and_loses_nothing(
    tmp_path: Path, piped: subprocess.Popen[bytes]
) -> None:
    store, process = tmp_path / "s.duckdb", piped
    assert process.stdin
    process.stdin.write(cycles(1, 2).encode())
    process.stdin.flush()
    until(lambda: stored(store) == [1, 2])
    with held(store) as reader:
        process.stdin.write(cycles(3, 5).encode())
        process.stdin.flush()
        time.sleep(0.5)
        began = time.monotonic()
        process.send_signal(signal.SIGTERM)
        time.sleep(0.5)
        process.send_signal(signal.SIGTERM)
        _, problems = process.communicate(timeout=30)
        took = time.monotonic() - began
        reader.communicate(b"")
    assert process.returncode == 3
    assert b"\nwrkparse: what was read is being written; another Ctrl-C ends without it\n" in problems
    assert b"is kept in" in problems
    assert took < follow._AFTER_STOP_S
    [apart] = tmp_path.glob("s-*.duckdb")
    assert stored(apart) == [3, 4, 5]


@pytest.mark.parametrize(("signals", "code"), [(2, 0), (3, 130)])
def test_a_second_signal_does_not_end_a_commit_and_a_third_one_does(
    signals: int, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The signals arrive while the first commit is being written."""
    write, left = follow._Follower._write, [signal.SIGINT] * signals

    def interrupted(*arguments: object) -> object:
        while left:
            os.kill(os.getpid(), left.pop())
        return write(*arguments)  # type: ignore[arg-type]

    append(tmp_path / "go.log", cycles(1, 3))
    monkeypatch.setattr(follow._Follower, "_write", interrupted)
    words = ["ingest", "--follow", str(tmp_path / "go.log"), "-o", str(tmp_path / "s.duckdb")]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == code
    assert (tmp_path / "s.duckdb").exists() == (code == 0)
    if code == 0:
        assert stored(tmp_path / "s.duckdb") == [1, 2, 3]


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that a killed ingest of a pipe left: a store with two cycles, and beside it three and a report."""
    folder = tmp_path_factory.mktemp("left")
    store, pipe = folder / "s.duckdb", subprocess.PIPE
    words = [sys.executable, "-m", "wrkparse", "ingest", "-", "-o", str(store)]
    with subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdin
        process.stdin.write(cycles(1, 2).encode())
        process.stdin.flush()
        until(lambda: stored(store) == [1, 2])
        with held(store) as reader:
            process.stdin.write(cycles(3, 4).encode())
            process.stdin.flush()
            until(lambda: [stored(one) for one in folder.glob("s-*.duckdb")] == [[3, 4]])
            process.stdin.write(cycles(5, 5).encode() + WRK.encode() + b"\n$ ls\n")
            process.stdin.flush()
            until(lambda: [stored(one) for one in folder.glob("s-*.duckdb")] == [[3, 4, 5]])
            process.kill()
            process.wait()
            reader.communicate(b"")
    return folder


@pytest.fixture
def kept(left: Path, tmp_path: Path) -> Path:
    """What a pipe kept beside s.duckdb, which has its first two cycles, when it was killed: three and a report."""
    shutil.copytree(left, tmp_path, dirs_exist_ok=True)
    [path] = tmp_path.glob("s-*.duckdb")
    assert stored(tmp_path / "s.duckdb") == [1, 2]
    return path


def test_the_next_ingest_takes_in_what_a_killed_one_kept_beside_the_store(kept: Path, tmp_path: Path) -> None:
    """All of it once, and as if the store had never been held."""
    store = tmp_path / "s.duckdb"
    append(tmp_path / "go.log", cycles(1, 2))
    result = CliRunner().invoke(main, ["ingest", str(tmp_path / "go.log"), "-o", str(store)])
    assert result.exit_code == 0
    [line] = [line for line in result.stderr.splitlines() if "taken" in line or "kept" in line]
    assert line.startswith("<stdin>: note: ")
    assert line.endswith(f"rows that were kept in {kept.name} while the store was in use are in the store now")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["go.log", "s.duckdb"]
    append(tmp_path / "all.log", cycles(1, 5) + WRK + "\n$ ls\n")
    ingest([str(tmp_path / "all.log")], tmp_path / "all.duckdb")
    live, whole = (wp.load(one) for one in (store, tmp_path / "all.duckdb"))
    of_pipe = set(live.runs.query("source == '<stdin>'")["run"])

    def rows(dataset: wp.Dataset, table: str) -> list[dict[str, object]]:
        found = [row for row in dataset.arrow(table).to_pylist() if dataset is whole or row["run"] in of_pipe]
        of_place = {"run", "source", *live.label_keys(), *whole.label_keys()} if table == "runs" else {"run"}
        return [{key: value for key, value in row.items() if key not in of_place} for row in found]

    for table in ("runs", "measurements", "gc_cycles"):
        assert rows(live, table) == rows(whole, table), table


def test_what_is_kept_is_taken_in_once_though_an_ingest_is_killed_before_it_deletes_it(kept: Path, tmp_path: Path):
    store, again = tmp_path / "s.duckdb", kept.read_bytes()
    append(tmp_path / "go.log", cycles(1, 1))
    ingest([str(tmp_path / "go.log")], store)
    kept.write_bytes(again)  # as if the process had ended between the commit and this
    found = sorted(stored(store))
    assert found == [1, 1, 2, 3, 4, 5]
    ingest([str(tmp_path / "go.log")], store)
    assert sorted(stored(store)) == found
    assert not kept.exists()
    assert len(wp.load(store).diagnostics.query("code == 'taken-in'")) == 1


def test_an_ingest_that_fails_leaves_what_is_kept(kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    append(tmp_path / "go.log", cycles(1, 1))

    def fails(*_: object) -> None:
        raise StoreError("the disk is full")

    monkeypatch.setattr("wrkparse.ingest.ingest.store_conclusions", fails)
    with pytest.raises(StoreError):
        ingest([str(tmp_path / "go.log")], tmp_path / "s.duckdb")
    assert stored(tmp_path / "s.duckdb") == [1, 2]
    assert stored(kept) == [3, 4, 5]


def test_what_a_process_that_runs_has_kept_is_left_to_it_and_so_are_stores_of_similar_names(kept: Path, tmp_path: Path):
    """And a pipe that is read next takes it in before it replaces the runs of the earlier one."""
    store = tmp_path / "s.duckdb"
    append(tmp_path / "go.log", cycles(1, 1))
    others = [kept.with_name(name) for name in (f"s-{os.getpid()}-0123abcd.duckdb", "s-b-999999999-0123abcd.duckdb")]
    for other in others:
        other.write_bytes(kept.read_bytes())
    own = tmp_path / "s-999999999-0123abcd.duckdb"
    ingest([str(tmp_path / "go.log")], own)
    ingest([str(tmp_path / "go.log")], store)
    assert [path.exists() for path in (*others, own, kept)] == [True, True, True, False]
    assert stored(own) == [1]
    assert sorted(stored(store)) == [1, 1, 2, 3, 4, 5]


def test_a_file_whose_end_is_not_stored_is_read_again(tmp_path: Path, command: tuple[str, ...]):
    log, store = tmp_path / "go.log", tmp_path / "s.duckdb"
    append(log, cycles(1, 2))
    words, pipe = [*command, "ingest", "--follow", str(log), "-o", str(store)], subprocess.PIPE
    with subprocess.Popen(words, stdout=pipe, stderr=pipe) as process:
        until(lambda: stored(store) == [1, 2])
        with held(store) as reader:
            append(log, cycles(3, 5))
            time.sleep(2)
            process.send_signal(signal.SIGTERM)
            _, problems = process.communicate(timeout=30)
            reader.communicate(b"")
    assert process.returncode == 3
    assert b"the end of go.log is not stored: ingest it again" in problems
    ingest([str(log)], store)
    assert stored(store) == [1, 2, 3, 4, 5]


def test_a_pipe_with_a_name_is_refused_without_waiting_for_its_writer(tmp_path: Path):
    os.mkfifo(tmp_path / "p")
    for name in (str(tmp_path / "p"), f"kiwi={tmp_path / 'p'}"):
        result = CliRunner().invoke(main, ["ingest", "--follow", name, "-o", str(tmp_path / "s.duckdb")])
        assert result.exit_code == 2
        assert f"a pipe is read as it is written by: wrkparse ingest - <{tmp_path / 'p'}" in " ".join(
            result.stderr.split()
        )


def test_a_killed_follower_leaves_its_last_commit(tmp_path: Path):
    log, store = tmp_path / "go.log", tmp_path / "s.duckdb"
    append(log, cycles(1, 5))
    words = [sys.executable, "-m", "wrkparse", "ingest", "--follow", str(log), "-o", str(store)]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    until(lambda: stored(store) == [1, 2, 3, 4, 5])
    os.kill(process.pid, signal.SIGKILL)
    process.communicate(timeout=60)
    assert stored(store) == [1, 2, 3, 4, 5]
    append(log, cycles(6, 6))
    ingest([str(log)], store)
    assert stored(store) == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("words", [["--follow", "."], ["--follow", "a", "b"], ["--follow", "a", "--all"]])
def test_only_one_file_can_be_followed(words: list[str]):
    answer = CliRunner().invoke(main, ["ingest", *words])
    assert (answer.exit_code, "--follow takes one file" in answer.stderr) == (2, True)

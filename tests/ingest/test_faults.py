"""What goes wrong with one source, or with a message, costs nothing else."""

from __future__ import annotations

import errno
import gzip
import lzma
import os
import random
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

import wrkparse as wp
from tests.samples import GC, WRK
from wrkparse.cli import main
from wrkparse.ingest.ingest import ingest
from wrkparse.ingest.parallel.workers import read_files
from wrkparse.ingest.session import Session
from wrkparse.model.records import Diagnostic
from wrkparse.parse.events.scan import ScannedBlock
from wrkparse.parse.items import Item, Run
from wrkparse.parse.parser import SourceParser
from wrkparse.source.discover import find_sources
from wrkparse.store.errors import StoreError

FEED = SourceParser.feed


def fails_on(word: bytes, patch: pytest.MonkeyPatch) -> None:
    """Make the parser stumble over a block with this word."""

    def feed(self: SourceParser, block: bytes, scanned: object = None) -> Iterator[Item]:
        yield from FEED(self, block)
        if word in block:
            raise IndexError("list index out of range")

    patch.setattr(SourceParser, "feed", feed)


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    (tmp_path / "logs").mkdir()
    for name, text in (("a.log", WRK), ("b.log", f"{WRK}stumble\n"), ("c.log", GC.format(n=1, t=1))):
        (tmp_path / "logs" / name).write_text(text)
    return tmp_path / "logs"


def test_a_bug_in_reading_one_file_costs_that_file_alone(
    logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "s.duckdb"
    fails_on(b"stumble", monkeypatch)
    summary = ingest([str(logs)], store)
    dataset = wp.load(store)
    assert (summary.read, summary.failed) == (2, 1)
    assert {"a.log", "c.log"} <= {Path(source).name for source in dataset.runs["source"]}
    fault = dataset.diagnostics.query("code == 'fault'").iloc[0]
    assert (fault["severity"], Path(fault["source"]).name) == ("error", "b.log")
    assert "IndexError" in fault["message"]
    assert "please report it" in fault["message"]


def test_a_file_that_failed_is_read_anew_by_the_next_ingest(
    logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "s.duckdb"
    with monkeypatch.context() as patch:
        fails_on(b"stumble", patch)
        ingest([str(logs)], store)
    summary = ingest([str(logs)], store)
    assert (summary.read, summary.unchanged, summary.failed) == (1, 2, 0)
    ingest([str(logs)], tmp_path / "whole.duckdb")
    for table in ("runs", "measurements", "diagnostics"):
        rows = [sorted(map(repr, wp.load(one).arrow(table).to_pylist())) for one in (store, tmp_path / "whole.duckdb")]
        assert rows[0] == rows[1], table


def test_a_log_that_fails_when_it_has_grown_is_not_stored_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wrkparse.ingest.source_reading._RESUMABLE_BYTES", 1)
    log, store = tmp_path / "go.log", tmp_path / "s.duckdb"
    log.write_text("".join(GC.format(n=n, t=n) for n in range(1, 6)))
    ingest([str(log)], store)
    with log.open("a") as file:
        file.write(f"{GC.format(n=6, t=6)}stumble\n")
    with monkeypatch.context() as patch:
        fails_on(b"stumble", patch)
        assert ingest([str(log)], store).failed == 1
    assert wp.load(store).gc_cycles["run"].isin(wp.load(store).runs["run"]).all()
    assert ingest([str(log)], store).failed == 0
    assert wp.load(store).gc_cycles["gc"].tolist() == [1, 2, 3, 4, 5, 6]


def test_the_command_says_so_and_ends_with_3(logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fails_on(b"stumble", monkeypatch)
    result = CliRunner().invoke(main, ["ingest", str(logs), "-o", str(tmp_path / "s.duckdb")])
    assert result.exit_code == 3
    assert "b.log: error: wrkparse failed after line" in result.stderr
    assert "1 failed" in result.stdout


def test_a_message_that_can_not_be_written_costs_no_data(logs: Path, tmp_path: Path) -> None:
    """As in ``wrkparse ingest logs 2>&1 | head``, when head has ended."""
    (logs / "d.log").write_text(WRK.replace("193.32us", "19x.32us"))  # leads to a message
    reader, writer = os.pipe()
    os.close(reader)
    store = tmp_path / "s.duckdb"
    subprocess.run(
        [sys.executable, "-m", "wrkparse", "ingest", str(logs), "-o", str(store)],
        stdout=writer, stderr=writer, timeout=120, check=False,
    )  # fmt: skip
    os.close(writer)
    assert len(wp.load(store).runs) == 4


def test_a_directory_that_can_not_be_read_is_named(monkeypatch: pytest.MonkeyPatch, logs: Path, tmp_path: Path) -> None:
    (logs / "closed").mkdir()
    scan = os.scandir

    def refused(directory: str) -> object:  # tests may run as root, who is refused nothing
        if str(directory).endswith("closed"):
            raise PermissionError(errno.EACCES, "Permission denied")
        return scan(directory)

    monkeypatch.setattr(os, "scandir", refused)
    result = CliRunner().invoke(main, ["ingest", str(logs), "-o", str(tmp_path / "s.duckdb")])
    assert result.exit_code == 3
    assert "closed: error: can't be read: Permission denied; files below it are missing" in result.stderr
    assert len(wp.load(tmp_path / "s.duckdb").runs) == 3


def test_a_damaged_archive_is_read_as_far_as_it_goes_and_ends_with_3(tmp_path: Path) -> None:
    packed = gzip.compress(f"{WRK}{random.Random(1).randbytes(9000).hex()}".encode())
    (tmp_path / "a.log.gz").write_bytes(packed[:-4000])
    result = CliRunner().invoke(main, ["ingest", str(tmp_path / "a.log.gz"), "-o", str(tmp_path / "s.duckdb")])
    assert result.exit_code == 3
    assert "a.log.gz: error: the compressed data is damaged or cut off" in result.stderr
    assert len(wp.load(tmp_path / "s.duckdb").runs) == 1


def test_a_bug_in_the_block_scanner_costs_that_file_alone(logs: Path, tmp_path: Path) -> None:
    def scanned(blocks: Iterable[bytes]) -> Iterator[tuple[bytes, ScannedBlock | None]]:
        yield from ((block, None) for block in blocks)
        raise ValueError("of the scanner")

    said: list[Diagnostic] = []
    session = Session({}, lambda diagnostic, _: said.append(diagnostic))
    files, _ = find_sources([str(logs)])
    assert session.read_source(files[0], lambda _: None, scan_blocks=scanned) is None
    assert [diagnostic.code for diagnostic in said] == ["fault"]
    assert session.read_source(files[2], lambda _: None) is not None


def test_an_error_of_the_store_is_not_one_of_the_source(logs: Path) -> None:
    def full(_: int) -> None:
        raise StoreError("the disk is full")

    with pytest.raises(StoreError, match="the disk is full"):
        Session({}).read_source(find_sources([str(logs)])[0][0], full)


def test_a_message_about_a_file_is_one_line_whatever_its_name(tmp_path: Path) -> None:
    log = tmp_path / "a\n\u061cb.log"
    log.write_text(WRK.replace("193.32us", "19x.32us"))
    result = CliRunner().invoke(main, ["ingest", str(log), "-o", str(tmp_path / "s.duckdb")])
    [line] = result.stderr.splitlines()
    assert "a\\n\\u061cb.log:4: warning" in line


def test_an_archive_that_needs_too_much_memory_is_named(tmp_path: Path) -> None:
    filters = [{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 30, "mode": lzma.MODE_FAST, "mf": lzma.MF_HC3}]
    (tmp_path / "a.log.xz").write_bytes(lzma.compress(WRK.encode(), filters=filters))
    result = CliRunner().invoke(main, ["ingest", str(tmp_path / "a.log.xz"), "-o", str(tmp_path / "s.duckdb")])
    assert result.exit_code == 3
    assert "a.log.xz: error: the compressed data needs more than 256 MiB of memory" in result.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="closes a descriptor as a POSIX shell does")
@pytest.mark.parametrize(("command", "advice"), [
    ("ingest - -o", "give it something to read, or name a file"),
    ("sql -", "give it a query, or write the query in place of '-'"),
])  # fmt: skip
def test_a_closed_standard_input_is_not_an_output_that_fails(command: str, advice: str, tmp_path: Path) -> None:
    command = f"{sys.executable} -m wrkparse {command} {tmp_path / 's.duckdb'} <&-"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert done.stderr == f"wrkparse: standard input is closed; {advice}\n"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with a name")
@pytest.mark.parametrize("command", [
    ("runs",), ("compare",), ("compare", "."), ("explain",), ("label",), ("plot", "compare"), ("export", "-o", "t.csv"),
    ("report", "-o", "r.md"), ("report", "--watch", "-o", "r.md"), ("report", ".", "-o", "r.md", "--against"),
])  # fmt: skip
def test_a_pipe_is_no_store_and_keeps_nobody_waiting(
    command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("p")
    result = CliRunner().invoke(main, [*command, "p"])
    assert result.exit_code == 3
    assert result.stderr == "wrkparse: p is a device or a pipe, not a store or a file of logs; name another one\n"


@pytest.mark.skipif(not Path("/bin/bash").exists(), reason="a shell's <(command)")
def test_the_output_of_a_command_is_compared_without_a_file(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_text(WRK)
    command = f"{sys.executable} -m wrkparse compare <(cat a.log) <(sed s/40669.44/50000.00/ a.log)"
    done = subprocess.run(["/bin/bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "k/s" in done.stdout


LONE = "\ud800"  # half of a surrogate pair, which is no character and can't be a value of a table


def spoil(patch: pytest.MonkeyPatch, tool: str) -> None:
    """Make the parser return a value that is no text for each run of a tool in b.log."""

    def spoilt(items: Iterable[Item]) -> Iterator[Item]:
        for item in items:
            if isinstance(item, Run) and item.tool == tool and item.source.endswith("b.log"):
                item.section = LONE
            yield item

    finish = SourceParser.finish
    patch.setattr(SourceParser, "feed", lambda *arguments: spoilt(FEED(*arguments)))
    patch.setattr(SourceParser, "finish", lambda self: spoilt(finish(self)))


def test_a_run_that_can_not_be_stored_costs_its_source_alone(
    logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (logs / "b.log").write_text(f"\n{WRK}\n$ ls\n\n{WRK}")
    store = tmp_path / "s.duckdb"
    with monkeypatch.context() as patch:
        spoil(patch, "wrk")
        result = CliRunner().invoke(main, ["ingest", str(logs), "-o", str(store)])
        in_memory = wp.read(logs)
    assert result.exit_code == 3
    assert "2 files read" in result.stdout
    assert "1 failed" in result.stdout
    assert "runs: 1 gctrace, 1 wrk\n" in result.stdout
    assert (
        "b.log: error: wrkparse failed with 2 runs, the first one of wrk at line 2: UnicodeEncodeError" in result.stderr
    )
    assert "these runs are left out. This is a bug: please report it" in result.stderr
    for dataset in (wp.load(store), in_memory):
        assert sorted(Path(source).name for source in dataset.runs["source"]) == ["a.log", "c.log"]
        assert set(dataset.measurements["run"]) <= set(dataset.runs["run"])
        assert dataset.diagnostics.query("code == 'fault'")["severity"].tolist() == ["error"]
    summary = ingest([str(logs)], store)
    assert (summary.read, summary.unchanged, summary.failed) == (1, 2, 0)
    assert len(wp.load(store).runs) == 4
    assert "fault" not in wp.load(store).diagnostics["code"].tolist()


def test_a_trace_that_can_not_be_stored_leaves_no_events(
    logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its events are stored before it is: else they would be there twice when it is read again."""
    monkeypatch.setattr("wrkparse.ingest.ingest.FLUSH_ROWS", 1)
    (logs / "b.log").write_text("".join(GC.format(n=n, t=n) for n in range(1, 6)) + WRK)
    store = tmp_path / "s.duckdb"
    with monkeypatch.context() as patch:
        spoil(patch, "gctrace")
        ingest([str(logs / "b.log")], store)
        assert wp.read(logs / "b.log").count("gc_cycles") == 0
    assert wp.load(store).count("gc_cycles") == 0
    ingest([str(logs)], store)
    assert sorted(wp.load(store).gc_cycles["gc"]) == [1, 1, 2, 3, 4, 5]


def test_a_worker_process_says_which_run_it_can_not_send(logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spoil(monkeypatch, "wrk")
    result = read_files(find_sources([str(logs)])[0], {})
    assert result
    assert [Path(file.source).name for file in result.files] == ["a.log", "c.log"]
    assert {source: [one.code for one in said] for source, said in result.diagnostics.items()} == {"b.log": ["fault"]}
    assert result.session.tables.runs == {"wrk": 1, "gctrace": 1}
    assert (result.session.summary.read, result.session.summary.failed) == (2, 1)

from __future__ import annotations

import os
import random
import shutil
import sys
import tarfile
import zipfile
from pathlib import Path

import duckdb
import pandas as pd
import pyarrow as pa
import pytest

import wrkparse as wp
from tests.samples import GC, SCHED, WRK
from wrkparse.analysis.audit.audit import new_verdicts, verdicts
from wrkparse.dataset import Dataset
from wrkparse.dataset.queries import in_memory
from wrkparse.ingest.ingest import ingest
from wrkparse.store.errors import StoreError

FIXTURES = Path(__file__).parents[1] / "fixtures"
TABLES = ("runs", "labels", "measurements", "gc_cycles", "sched_ticks", "diagnostics", "texts", "studies", "spectrum")


def old(path: Path) -> None:
    """Set a file's time back, so that its time stamp can be trusted."""
    os.utime(path, (1_500_000_000, 1_500_000_000))


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    root = tmp_path / "logs"
    (root / "nginx").mkdir(parents=True)
    (root / "nginx" / "run.txt").write_text(WRK)
    (root / "go.log").write_text("".join(GC.format(n=n, t=f"{n}.000") for n in range(1, 6)) + SCHED.format(t=0))
    (root / "wrkparse.yaml").write_text("title: T\nlabels:\n- when: {tool: wrk}\n  set: {cores: 4}\n")
    for path in root.rglob("*.*"):
        old(path)
    return root


def frames(dataset: wp.Dataset) -> dict[str, pd.DataFrame]:
    return {name: getattr(dataset, name) for name in TABLES}


def assert_same(one: wp.Dataset, two: wp.Dataset) -> None:
    for name, frame in frames(one).items():
        pd.testing.assert_frame_equal(frame, getattr(two, name), obj=name)


def test_a_store_and_memory_give_the_same_tables(logs: Path, tmp_path: Path) -> None:
    ingest([str(logs)], tmp_path / "s.duckdb")
    assert_same(wp.load(tmp_path / "s.duckdb"), wp.read(logs))


def columns_of(store: Path, table: str) -> set[str]:
    with duckdb.connect(str(store), read_only=True) as connection:
        return {row[0] for row in connection.execute(f"DESCRIBE {table}").fetchall()}


def test_a_trace_of_another_era_brings_the_columns_that_only_it_has(tmp_path: Path) -> None:
    new, old_one = (FIXTURES / "gctrace" / name for name in ("go1.26.8-longidle.log", "go1.3.3-fosm.log"))
    store = tmp_path / "s.duckdb"
    ingest([str(new)], store)
    assert "stw_sweep_s" not in columns_of(store, "gc_cycles")  # four phases, up to Go 1.4
    ingest([str(new), str(old_one)], store)
    assert {"stw_sweep_s", "stacks_bytes"} <= columns_of(store, "gc_cycles")
    assert_same(wp.load(store), wp.read(new, old_one))
    assert wp.load(store).sql("FROM gc_cycles").columns.tolist() == wp.read(new).gc_cycles.columns.tolist()


def test_dtypes_are_nullable_and_none_is_object(logs: Path) -> None:
    dataset = wp.read(logs)
    for name, frame in frames(dataset).items():
        assert not [
            column
            for column, dtype in frame.dtypes.items()
            if dtype.kind == "O" and not isinstance(dtype, pd.api.extensions.ExtensionDtype)
        ], name
    assert dataset.runs.cores.dtype == "Int64"
    assert dataset.runs.cores.tolist() == [4, 2, 4]
    assert dataset.measurements.value.dtype == "float64"
    assert dataset.gc_cycles.forced.dtype == "boolean"


def test_a_second_ingest_reads_nothing(logs: Path, tmp_path: Path) -> None:
    store = tmp_path / "s.duckdb"
    first = ingest([str(logs)], store)
    before = wp.load(store)
    second = ingest([str(logs)], store)
    assert (first.read, first.unchanged) == (2, 0)
    assert (second.read, second.unchanged, second.runs.total()) == (0, 2, 0)
    assert_same(before, wp.load(store))


def test_only_what_changed_is_read_and_replaced(logs: Path, tmp_path: Path) -> None:
    store = tmp_path / "s.duckdb"
    ingest([str(logs)], store)
    changed = logs / "nginx" / "run.txt"
    changed.write_text(WRK.replace("40669.44", "50000.00"))
    summary = ingest([str(logs)], store)
    assert (summary.read, summary.replaced, summary.unchanged) == (1, 1, 1)
    assert_same(wp.load(store), wp.read(logs))
    assert wp.load(store).wide("tool = 'wrk'").throughput_per_s.tolist() == [50000.0]


def test_a_changed_study_relabels_what_it_applies_to(logs: Path, tmp_path: Path) -> None:
    store = tmp_path / "s.duckdb"
    ingest([str(logs)], store)
    (logs / "wrkparse.yaml").write_text("labels:\n- set: {machine: m1}\n")
    assert ingest([str(logs)], store).read == 2
    assert_same(wp.load(store), wp.read(logs))
    assert wp.load(store).runs.machine.tolist() == ["m1", "m1", "m1"]


def test_labels_of_the_command_line_are_part_of_what_is_remembered(logs: Path, tmp_path: Path) -> None:
    store = tmp_path / "s.duckdb"
    ingest([str(logs)], store)
    summary = ingest([str(logs)], store, labels={"host": "a"})
    assert summary.read == 2
    assert wp.load(store).runs.host.tolist() == ["a"] * 3


def test_a_file_that_only_got_a_new_time_stamp_is_not_read_again(logs: Path, tmp_path: Path) -> None:
    store = tmp_path / "s.duckdb"
    ingest([str(logs)], store)
    os.utime(logs / "go.log")
    assert ingest([str(logs)], store).unchanged == 2


def test_a_file_written_a_moment_ago_is_compared_by_content(logs: Path, tmp_path: Path) -> None:
    store, path = tmp_path / "s.duckdb", logs / "nginx" / "run.txt"
    path.write_text(WRK)
    stamp = path.stat().st_mtime_ns
    ingest([str(logs)], store)
    path.write_text(WRK.replace("40669.44", "40669.45"))
    os.utime(path, ns=(stamp, stamp))  # the same size, the same time
    ingest([str(logs)], store)
    assert wp.load(store).wide("tool = 'wrk'").throughput_per_s.tolist() == [40669.45]


def test_a_file_keeps_its_name_in_the_store_however_it_is_reached(logs: Path, tmp_path: Path) -> None:
    store = tmp_path / "s.duckdb"
    ingest([str(logs)], store)
    assert ingest([str(logs / "nginx" / "run.txt")], store).unchanged == 1
    assert wp.load(store).sources.source.tolist() == ["go.log", "nginx/run.txt"]


@pytest.mark.parametrize("seed", range(4))
def test_the_order_of_reading_makes_no_difference(logs: Path, tmp_path: Path, seed: int) -> None:
    for n in range(5):
        (logs / f"more{n}.txt").write_text(
            f"# go\n\n$ GOGC={n}00 ./srv\n\n" + WRK.replace("8 connections", f"{n} connections")
        )
    files = [str(path) for path in sorted(logs.rglob("*")) if path.is_file() and path.suffix != ".yaml"]
    random.Random(seed).shuffle(files)
    store = tmp_path / "s.duckdb"
    named = [f"all={path}" for path in files]
    ingest(named[:3], store)
    ingest(named, store)
    whole = tmp_path / "whole.duckdb"
    ingest(sorted(named), whole)
    assert_same(wp.load(store), wp.load(whole))


def test_two_directories_with_the_same_names_do_not_mix(logs: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(logs, other)
    (other / "nginx" / "run.txt").write_text(WRK.replace("40669.44", "1.00"))
    store = tmp_path / "s.duckdb"
    ingest([str(logs)], store)
    ingest([str(other)], store)
    assert sorted(wp.load(store).wide("tool = 'wrk'").throughput_per_s) == [1.0, 40669.44]


def test_what_can_t_be_read_costs_only_itself(logs: Path, tmp_path: Path) -> None:
    (logs / "dangling.txt").symlink_to("nowhere")
    told: list[str] = []
    summary = ingest(
        [str(logs), str(logs / "dangling.txt"), str(tmp_path / "missing")],
        tmp_path / "s.duckdb",
        report=lambda diagnostic, _: told.append(f"{diagnostic.severity} {diagnostic.code}"),
    )
    assert sorted(told) == ["error missing", "error unreadable", "note not-a-file"]
    assert (summary.failed, summary.runs.total()) == (2, 3)


def test_a_mistake_in_a_study_is_told_and_the_logs_are_still_read(logs: Path, tmp_path: Path) -> None:
    (logs / "wrkparse.yaml").write_text("title: T\nlables: []\n")
    summary = ingest([str(logs)], tmp_path / "s.duckdb")
    assert summary.diagnostics["error", "bad-study"] == 1
    assert summary.runs.total() == 3


def test_a_store_among_the_logs_is_not_read(logs: Path) -> None:
    store = logs / "wrkparse.duckdb"
    ingest([str(logs)], store)
    summary = ingest([str(logs)], store)
    assert (summary.found, summary.not_text, summary.unchanged) == (2, 0, 2)


def test_diagnostics_of_what_can_t_be_read_do_not_pile_up(logs: Path, tmp_path: Path) -> None:
    store = tmp_path / "s.duckdb"
    (logs / "dangling.txt").symlink_to("nowhere")
    for _ in range(3):
        ingest([str(logs / "dangling.txt"), str(tmp_path / "missing"), str(logs)], store)
    assert sorted(wp.load(store).diagnostics.code) == ["missing", "not-a-file", "unreadable"]


@pytest.mark.parametrize("name", ["s.duckdb", "s"])
def test_runs_of_a_file_that_is_gone_stay_and_the_path_is_told_once(tmp_path: Path, name: str) -> None:
    paths = [tmp_path / "kiwi.log", tmp_path / "emu.log"]
    for path in paths:
        path.write_text(f"{path.stem}\n{WRK}")
    store = tmp_path / name
    ingest(list(map(str, paths)), store)
    paths[0].unlink()
    for _ in range(2):
        summary = ingest(list(map(str, paths)), store)
        assert summary.diagnostics["error", "missing"] == 1
    data = wp.load(store)
    assert sorted(data.runs["source"].str.rpartition("/")[2]) == ["emu.log", "kiwi.log"]
    assert data.diagnostics["code"].tolist() == ["missing"]
    paths[0].write_text(f"kiwi\n{WRK}")
    ingest(list(map(str, paths)), store)
    assert wp.load(store).diagnostics.empty


def archives(folder: Path) -> dict[str, str]:
    """Files with an archive of a log each, and the kind of the archive."""
    log = folder / "1.log"
    with zipfile.ZipFile(folder / "a.zip", "w") as file:
        file.write(log)
    for name, mode in (("b.tar", "w"), ("c.tgz", "w:gz"), ("d.tar.xz", "w:xz")):
        with tarfile.open(folder / name, mode) as archive:  # type: ignore[call-overload]
            archive.add(log)
    (folder / "e.tar").write_bytes((folder / "b.tar").read_bytes()[:300])  # cut
    (folder / "f.7z").write_bytes(b"7z\xbc\xaf\x27\x1c\0\4" + bytes(100))
    (folder / "g.jar").write_bytes((folder / "a.zip").read_bytes())
    return {"a.zip": "zip", "b.tar": "tar", "c.tgz": "tar", "d.tar.xz": "tar", "e.tar": "tar", "f.7z": "7z"}


def test_an_archive_among_the_logs_is_named_as_one_that_was_not_read(tmp_path: Path) -> None:
    (tmp_path / "1.log").write_text(WRK)
    kinds = archives(tmp_path)
    store = tmp_path / "out" / "s.duckdb"
    store.parent.mkdir()
    summary = ingest([str(tmp_path)], store)
    assert (summary.not_text, summary.runs.total(), summary.diagnostics["warning", "archive"]) == (7, 1, 6)
    said = wp.load(store).diagnostics.set_index("source").message
    assert {name: text.split()[1] for name, text in said.items()} == kinds


def test_binary_files_are_passed_over(logs: Path, tmp_path: Path) -> None:
    (logs / "core").write_bytes(bytes(range(256)) * 10)
    summary = ingest([str(logs)], tmp_path / "s.duckdb")
    assert (summary.not_text, summary.read) == (1, 2)


def test_a_file_whose_name_is_not_utf_8_is_read_like_any_other(logs: Path, tmp_path: Path) -> None:
    name = logs / os.fsdecode(b"caf\xe9.txt")
    try:
        name.write_text(WRK)
    except OSError:
        pytest.skip("no such names here")
    old(name)
    store = tmp_path / "s.duckdb"
    assert ingest([str(logs)], store).read == 3
    assert wp.load(store).sources.source.tolist() == ["caf\\xe9.txt", "go.log", "nginx/run.txt"]
    assert ingest([str(logs)], store).unchanged == 3


def test_a_label_that_is_called_like_a_metric_keeps_clear_of_it() -> None:
    dataset = wp.parse_text(WRK, labels={"throughput": "high", "latency_mean_s": "low"})
    assert dataset.runs[["throughput", "latency_mean_s"]].to_numpy().tolist() == [["high", "low"]]
    wide = dataset.wide("throughput > 40000 and label_throughput = 'high'")
    assert wide[["label_latency_mean_s", "latency_mean_s"]].to_numpy().tolist() == [["low", 193.32e-6]]


def test_a_directory_without_files_makes_no_store(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    summary = ingest([str(tmp_path / "empty")], tmp_path / "s.duckdb")
    assert (summary.found, summary.failed) == (0, 1)
    assert not (tmp_path / "s.duckdb").exists()


def test_a_store_that_is_something_else_stays_as_it_is(logs: Path, tmp_path: Path) -> None:
    path = tmp_path / "precious.txt"
    path.write_text("mine\n" * 100)
    with pytest.raises(StoreError):
        ingest([str(logs)], path)
    assert path.read_text() == "mine\n" * 100


def test_a_failure_on_the_way_leaves_the_store_as_it_was(
    logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "s.duckdb"
    ingest([str(logs)], store)
    before = frames(wp.load(store))
    (logs / "nginx" / "run.txt").write_text(WRK * 3)
    (logs / "new.txt").write_text(WRK)
    monkeypatch.setattr("wrkparse.ingest.session.SourceReading.finish", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        ingest([str(logs)], store)
    for name, frame in frames(wp.load(store)).items():
        pd.testing.assert_frame_equal(frame, before[name])


def test_event_tables_are_written_in_parts_when_they_grow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wrkparse.ingest.ingest.FLUSH_ROWS", 100)
    monkeypatch.setattr("wrkparse.source.blocks.BLOCK_BYTES", 4096)
    path = tmp_path / "go.log"
    path.write_text("".join(GC.format(n=n, t=f"{n}.000") for n in range(1, 2001)))
    ingest([str(path)], tmp_path / "s.duckdb")
    cycles = wp.load(tmp_path / "s.duckdb").gc_cycles
    assert cycles.gc.tolist() == list(range(1, 2001))
    assert cycles.line.tolist() == list(range(1, 2001))
    assert len(set(cycles.run)) == 1


def test_read_takes_labels_and_parse_text_a_name(logs: Path) -> None:
    assert wp.read(logs, labels={"cores": "16"}).runs.cores.tolist() == [16, 16, 16]
    assert wp.parse_text(WRK, "mine.txt").runs.source.tolist() == ["mine.txt"]
    assert len(wp.parse_text("").runs) == 0
    with pytest.raises(ValueError, match="path"):
        wp.read()


def test_a_text_is_parsed_without_a_database_and_audited_when_its_verdicts_are_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened: list[str] = []
    connect, judge = in_memory._database, verdicts
    monkeypatch.setattr(in_memory, "_database", lambda process: opened.append("database") or connect(process))
    monkeypatch.setattr(
        "wrkparse.analysis.audit.audit.verdicts", lambda dataset: opened.append("audit") or judge(dataset)
    )
    dataset = wp.parse_text(WRK * 2)
    assert opened == []
    assert (len(dataset.measurements), dataset.count("runs")) == (28, 2)
    assert opened == []
    assert dataset.runs.valid.tolist() == dataset.wide().valid.tolist() == [True, True]
    assert opened == ["audit", "database"]


def test_names_that_differ_only_in_case_do_not_meet_in_a_column(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_text("$ http_proxy=a HTTP_PROXY=b ./srv -t 1 -T 2\n" + GC.format(n=1, t="0.100"))
    ingest([str(tmp_path / "a.log")], tmp_path / "s.duckdb", labels={"Machine": "m1"})
    (run,) = wp.load(tmp_path / "s.duckdb").runs.to_dict("records")
    assert (run["env_HTTP_PROXY"], run["flag_t"], run["flag_upper_t"], run["machine"]) == ("b", "1", "2", "m1")


@pytest.mark.skipif(sys.platform == "darwin", reason="file names are UTF-8 there")
def test_a_study_in_a_directory_whose_name_is_not_utf_8_applies(tmp_path: Path) -> None:
    root = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9"))
    root.mkdir()
    (root / "a.txt").write_text(WRK)
    (root / "wrkparse.yaml").write_text("title: T\nlabels:\n- set: {cores: 4}\n")
    for _ in range(2):
        ingest([str(root)], tmp_path / "s.duckdb", everything=True)
    dataset = wp.load(tmp_path / "s.duckdb")
    assert dataset.runs.cores.tolist() == [4]
    assert dataset.studies.study.tolist() == ["caf\\xe9"]


def test_the_store_is_a_plain_duckdb_file(logs: Path, tmp_path: Path) -> None:
    store = tmp_path / "s.duckdb"
    ingest([str(logs)], store)
    with duckdb.connect(str(store), read_only=True) as connection:
        rows = connection.sql("SELECT tool, cores, connections FROM runs ORDER BY tool").fetchall()
    assert rows == [("gctrace", 4, None), ("schedtrace", 2, None), ("wrk", 4, 8)]


def test_the_verdict_of_a_trace_is_settled_and_that_of_a_report_is_not(tmp_path: Path) -> None:
    tables = {"runs": wp.parse_text(GC.format(n=1, t="0.1") + WRK).arrow("runs")}
    reports = [row["run"] for row in tables["runs"].to_pylist() if row["tool"] == "wrk"]
    assert new_verdicts(Dataset.of_tables(tables))["run"].to_pylist() == reports
    at = tables["runs"].schema.get_field_index("verdict")
    unjudged = {"runs": tables["runs"].set_column(at, "verdict", pa.nulls(2, pa.string()))}
    assert len(new_verdicts(Dataset.of_tables(unjudged))) == 2

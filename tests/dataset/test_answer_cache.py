"""A dataset in memory keeps its answers; one of a store does not."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

import wrkparse as wp
from tests.samples import WRK
from wrkparse.analysis.checks import origins
from wrkparse.dataset.answer_cache import AnswerCache
from wrkparse.ingest.ingest import ingest


def test_a_dataset_in_memory_asks_a_condition_once(monkeypatch: pytest.MonkeyPatch) -> None:
    ds = wp.parse_text(WRK)
    first = ds.wide("throughput > 1")
    monkeypatch.setattr("wrkparse.dataset.dataset.fetch", None)
    again = ds.wide("throughput > 1")
    assert again.equals(first)
    again["run"] = "changed"
    assert ds.wide("throughput > 1").equals(first)


def test_a_condition_may_choose_columns_that_it_does_not_name() -> None:
    ds = wp.parse_text(WRK)  # 40,669 requests/s, in the column throughput_per_s
    assert [len(ds.wide(f"columns('thr.*put_per_s') {sign} 40000")) for sign in "><"] == [1, 0]
    assert len(ds.wide('"THROUGHPUT" > 40000')) == 1


def test_a_store_is_asked_each_time(tmp_path: Path) -> None:
    log, store = tmp_path / "a.txt", tmp_path / "s.duckdb"
    log.write_text(WRK)
    ingest([str(log)], store)
    ds = wp.load(store)
    copy = ds.in_memory(10_000)
    assert [len(one.wide()) for one in (ds, copy)] == [1, 1]
    (tmp_path / "b.txt").write_text(WRK.replace("40669.44", "50669.44"))
    ingest([str(tmp_path / "b.txt")], store)
    assert [len(one.wide()) for one in (ds, copy)] == [2, 1]
    assert [len(wp.audit(one).verdicts) for one in (ds, copy)] == [2, 1]


def test_a_copy_in_memory_has_the_rows_of_the_store(tmp_path: Path) -> None:
    log, store = tmp_path / "a.txt", tmp_path / "s.duckdb"
    log.write_text(WRK)
    ingest([str(log)], store)
    ds = wp.load(store)
    copy = ds.in_memory(10_000)
    for table in ("sources", "runs", "labels", "measurements", "texts", "diagnostics"):
        assert copy.arrow(table).equals(ds.arrow(table)), table
    assert ds.in_memory(3) is ds


def test_what_a_caller_does_to_an_audit_changes_no_other_one() -> None:
    ds = wp.parse_text(WRK)
    verdicts = wp.audit(ds).verdicts
    verdicts["verdict"] = "changed"
    assert wp.audit(ds).verdicts["verdict"].tolist() != ["changed"]


def test_the_checks_are_made_once_for_an_audit_and_the_verdicts_of_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[int] = []
    checks = origins.checks
    monkeypatch.setattr(origins, "checks", lambda runs: checked.append(runs.size) or checks(runs))
    ds = wp.parse_text(WRK + WRK.replace("40669.44", "50669.44"))
    audited = wp.audit(ds)
    assert ds.runs["verdict"].tolist() == audited.verdicts["verdict"].tolist() == ["ok", "invalid"]
    assert ds.runs["valid"].tolist() == [True, False]
    assert checked == [2]


def test_the_oldest_answers_go_when_there_are_too_many_bytes() -> None:
    table = pa.table({"n": list(range(1000))})  # 8000 bytes
    kept, made = AnswerCache(most_bytes=20_000), list[int]()

    def make(number: int) -> pa.Table:
        made.append(number)
        return table

    for number in (1, 2, 1, 3, 1, 2):  # 3 takes the place of 2, which was used before 1
        kept.get(number, lambda number=number: make(number))
    assert made == [1, 2, 3, 2]


def test_an_answer_that_is_too_large_is_not_kept() -> None:
    kept, table = AnswerCache(most_bytes=100), pa.table({"n": list(range(1000))})
    calls = [kept.get("a", lambda: table) for _ in range(2)]
    assert calls == [table, table]
    assert not kept._answers

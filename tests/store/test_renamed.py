"""A store of 0.2.0, which has metrics under former names, is read, compared and completed as if it had those of today."""

from __future__ import annotations

import shutil
from pathlib import Path

import duckdb
import pandas as pd
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

import wrkparse as wp
from tests.tools.harness import FIXTURES
from wrkparse.analysis.runs.metrics import choose_metric
from wrkparse.cli import main
from wrkparse.dataset import QueryError
from wrkparse.store.duckdb_store import load

LOGS = (
    "ab/n2000.txt",
    "ab/v2.4.1-post.txt",
    "hey/mix-0.1.4.txt",
    "oha/json-1.16.log",
    "siege/mix-4.0.7.txt",
    "wrk/latency.txt",
)
# As the tables of metrics of 0.2.0 had them, by tool.
FORMER = {
    "ab": {
        "response_wait": "waiting", "bytes_bodies": "bytes_html", "bytes_read": "bytes_transferred",
        "errors_connect": "failed_connect", "errors_write": "write_errors",
    },
    "oha": {"first_body_byte": "response_wait", "transfer_rate_bodies": "transfer_rate"},
    "siege": {"bytes_bodies": "bytes_read", "transfer_rate_bodies": "transfer_rate"},
}  # fmt: skip


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """A folder of reports, one of each tool and of ab two."""
    folder = tmp_path / "logs"
    folder.mkdir()
    for name in LOGS:
        (folder / name.replace("/", "-")).write_bytes((FIXTURES / name).read_bytes())
    return folder


def run(*arguments: object) -> str:
    answer = CliRunner().invoke(main, [str(one) for one in arguments])
    assert answer.exit_code == 0, answer.output
    return answer.output


def make_former(store: Path) -> None:
    """Give the metrics of a store the names that they had in 0.2.0, and the store its schema."""
    with duckdb.connect(str(store)) as connection:
        for tool, names in FORMER.items():
            for name, former in names.items():
                connection.execute(
                    "UPDATE measurements SET metric = ? WHERE metric = ? AND run IN (SELECT run FROM runs WHERE tool = ?)",
                    [former, name, tool],
                )
        connection.execute("UPDATE measurements SET stat = 'total' WHERE metric = 'concurrency_achieved'")
        connection.execute("UPDATE meta SET value = '5' WHERE key = 'schema_version'")


@pytest.fixture
def former(logs: Path, tmp_path: Path) -> Path:
    """A store as 0.2.0 left it."""
    store = tmp_path / "former.duckdb"
    run("ingest", logs, "-o", store)
    make_former(store)
    return store


def numbers(dataset: wp.Dataset) -> pd.DataFrame:
    found = dataset.measurements[["metric", "stat", "value", "unit", "line"]]
    return found.sort_values(list(found.columns)).reset_index(drop=True)


def test_a_store_of_0_2_0_has_the_names_of_today(logs: Path, former: Path) -> None:
    with duckdb.connect(str(former), read_only=True) as raw:
        stored = {name for (name,) in raw.execute("SELECT DISTINCT metric FROM measurements").fetchall()}
    assert {"waiting", "bytes_html", "bytes_transferred"} <= stored
    today = wp.read(logs)
    pd.testing.assert_frame_equal(numbers(load(former)), numbers(today))
    assert load(former).wide().columns.tolist() == today.wide().columns.tolist()


def test_it_is_compared_with_a_new_one(logs: Path, former: Path, tmp_path: Path) -> None:
    again = tmp_path / "new" / "logs"
    shutil.copytree(logs, again)
    both = load(former).labelled("build", "old") + wp.read(again.parent).labelled("build", "new")
    table = wp.compare(both, rows="build", metric="response_wait_max", where="tool = 'ab' and requests = 2000")
    assert table.cells.set_index("build")["center"].to_dict() == {"old": 0.013, "new": 0.013}
    assert len(both.wide("tool = 'ab' and bytes_read > 0")) == 4
    assert len(both.wide("tool = 'siege' and bytes_bodies > 0 and concurrency_achieved_mean > 3")) == 2


def test_it_is_completed_when_it_is_written(logs: Path, former: Path) -> None:
    wanted = numbers(wp.read(logs))
    with duckdb.connect(str(former)) as raw:
        raw.execute("UPDATE files SET resume = 'a reader in the middle of a report'::BLOB")
    (logs / "more.txt").write_bytes((FIXTURES / "ab/slow.txt").read_bytes())
    run("ingest", logs, "-o", former)
    with duckdb.connect(str(former), read_only=True) as raw:
        counts = dict(raw.execute("SELECT metric, count(*) FROM measurements GROUP BY ALL").fetchall())
        assert raw.execute("SELECT value FROM meta WHERE key = 'schema_version'").fetchall() == [("6",)]
        # a reader that goes on in the middle of a report would have its first numbers under their former names
        assert raw.execute("SELECT count(resume) FROM files WHERE source NOT LIKE '%more.txt'").fetchall() == [(0,)]
    assert not {"waiting", "bytes_html", "bytes_transferred", "failed_connect", "write_errors"} & set(counts)
    assert counts["bytes_read"] == wanted["metric"].value_counts()["bytes_read"] + 1
    pd.testing.assert_frame_equal(numbers(load(former)), numbers(wp.read(logs)))


def test_a_log_that_grows_is_read_anew(logs: Path, tmp_path: Path) -> None:
    log, store = logs / "ab-n2000.txt", tmp_path / "former.duckdb"
    text = log.read_text()
    cut = text.index("Processing:")
    log.write_text(text[:cut])
    run("ingest", log, "-o", store)
    make_former(store)
    log.write_text(text)
    run("ingest", log, "-o", store)
    pd.testing.assert_frame_equal(numbers(load(store)), numbers(wp.read(log)))


def test_tables_in_parquet_have_the_names_of_today(logs: Path, former: Path, tmp_path: Path) -> None:
    tables = tmp_path / "tables"
    tables.mkdir()
    with duckdb.connect(str(former), read_only=True) as raw:
        for name in ("sources", "runs", "labels", "measurements", "texts"):
            pq.write_table(raw.sql(f"FROM {name}").to_arrow_table(), tables / f"{name}.parquet")
    pd.testing.assert_frame_equal(numbers(load(tables)), numbers(wp.read(logs)))


def test_former_names_are_understood(logs: Path) -> None:
    dataset = wp.read(logs)
    for former, name in (
        ("bytes_html", "bytes_bodies"), ("bytes_transferred", "bytes_read"), ("write_errors", "errors_write"),
        ("failed_connect", "errors_connect"), ("waiting_max", "response_wait_max"), ("waiting_max_s", "response_wait_max"),
    ):  # fmt: skip
        ab = dataset.where("tool = 'ab'")
        assert len(ab.wide(f"{former} = {name}")) == 2
        if name != "errors_connect":
            assert choose_metric(dataset, former).name == name
    with pytest.raises(QueryError, match="several numbers"):
        choose_metric(dataset, "waiting")


def test_former_names_are_understood_in_columns_and_gates(logs: Path) -> None:
    shown = run("runs", logs / "ab-n2000.txt", "--columns", "bytes_html,waiting_max", "--format", "csv")
    assert shown.splitlines()[0].split(",") == ["bytes_bodies", "response_wait_max_s"]

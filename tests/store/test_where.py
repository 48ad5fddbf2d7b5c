"""A dataset of some of the runs, and a dataset of whatever a path holds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import wrkparse as wp
from tests.samples import GC, WRK
from wrkparse.dataset import Dataset, QueryError
from wrkparse.ingest.ingest import ingest
from wrkparse.store.duckdb_store import open_store
from wrkparse.store.errors import StoreError

PAGE = f"# one\n\nGOGC=100\n\n```\n{WRK}```\n\n# two\n\n```\n{WRK.replace('40669.44', '50000.00')}```\n"


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Logs, which no test changes."""
    folder = tmp_path_factory.mktemp("where") / "logs"
    folder.mkdir()
    (folder / "page.md").write_text(PAGE)
    (folder / "wrkparse.yaml").write_text("title: the studied\n")
    (folder / "gc.txt").write_text(
        "".join(GC.format(n=n, t=n) for n in (1, 2)) + GC.format(n=3, t=3).replace("0.018+", "0.0x18+")
    )
    return folder


@pytest.fixture(scope="module")
def store(logs: Path) -> Path:
    """The logs in a store, which no test changes."""
    path = logs.parent / "s.duckdb"
    ingest([str(logs)], path)
    return path


@pytest.fixture(params=["memory", "large", "store", "held"])
def dataset(
    request: pytest.FixtureRequest, logs: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Dataset]:
    if request.param == "large":  # tables in memory that are too long to be copied
        monkeypatch.setattr("wrkparse.dataset.dataset._BATCH_ROWS", 1)
    with open_store(store) as opened:
        yield {
            "memory": lambda: wp.read(logs),
            "large": lambda: wp.read(logs),
            "store": lambda: wp.load(store),
            "held": lambda: opened,
        }[request.param]()


def test_every_table_has_the_rows_of_the_chosen_runs_only(dataset: Dataset) -> None:
    all_measurements, all_runs = dataset.count("measurements"), dataset.count("runs")
    fast = dataset.where("throughput > 45000")
    assert all_runs == 3
    assert list(fast.wide()["throughput_per_s"]) == [50000.0]
    assert set(fast.measurements["run"]) == set(fast.labels["run"]) == set(fast.runs["run"])
    assert fast.count("measurements") == all_measurements / 2
    assert fast.count("gc_cycles") == 0
    assert list(fast.sources["source"]) == [name for name in dataset.sources["source"] if "page" in name]
    assert dataset.count("runs") == all_runs
    assert dataset.count("measurements") == all_measurements


def test_labels_that_none_of_them_has_are_gone(dataset: Dataset) -> None:
    assert "connections" in dataset.runs
    collected = dataset.where("tool = 'gctrace'")
    assert "connections" not in collected.runs
    assert "connections" not in collected.label_keys()
    assert len(collected.gc_cycles) == 2
    assert len(collected.diagnostics) == 1


def test_the_study_of_the_runs_stays_and_the_others_go(dataset: Dataset, tmp_path: Path) -> None:
    assert list(dataset.where("throughput > 45000").studies["title"]) == ["the studied"]
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "log.txt").write_text(WRK)
        (tmp_path / name / "wrkparse.yaml").write_text(f"title: {name}\n")
    both = wp.read(tmp_path / "one", tmp_path / "two")
    assert list(both.where("study = 'two'").studies["title"]) == ["two"]


def test_conditions_add_up(dataset: Dataset) -> None:
    both = dataset.where("tool = 'wrk'").where("throughput < 45000")
    assert list(both.wide()["throughput_per_s"]) == [40669.44]
    assert both.where("false").count("runs") == 0
    assert len(dataset.wide()) == 3


def test_a_condition_that_can_not_be_answered_is_an_error(dataset: Dataset) -> None:
    with pytest.raises(QueryError, match="no_such"):
        dataset.where("no_such = 1")


def test_a_path_may_be_a_store_or_logs(logs: Path, store: Path, tmp_path: Path) -> None:
    (tmp_path / "other.name").write_bytes(store.read_bytes())
    for path in (logs, logs / "page.md", store, tmp_path / "other.name"):
        assert len(wp.open_dataset(path, "tool = 'wrk'").runs) == 2
    with pytest.raises(StoreError, match="wrkparse ingest"):
        wp.open_dataset(tmp_path / "nowhere")


def test_several_paths_are_read_together_and_a_store_is_not_among_them(logs: Path, store: Path, tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "gc.txt").write_text(GC.format(n=1, t=1))
    assert len(wp.open_dataset([logs, tmp_path / "more"]).runs) == len(wp.read(logs).runs) + 1
    for place in (store, tmp_path / "nowhere"):
        with pytest.raises(StoreError, match=place.name):
            wp.open_dataset([logs, place])

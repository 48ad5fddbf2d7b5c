"""A run of ``time`` has the cores that the traces in the timed program's output tell."""

from __future__ import annotations

from pathlib import Path

import pytest

import wrkparse as wp
from tests.samples import WRK
from wrkparse.ingest.ingest import ingest

TIME = "real\t0m2.345s\nuser\t0m1.000s\nsys\t0m0.010s\n"


def trace(cores: int) -> str:
    """Two lines of gctrace; each ends with GOMAXPROCS (Go, runtime/mgc.go)."""
    return "".join(
        f"gc {number} @0.00{number}s 15%: 0.80+0.69+0.13 ms clock, 1.6+0.005/0.82/0+0.26 ms cpu, 3->4->0 MB, 4 MB goal, "
        f"0 MB stacks, 0 MB globals, {cores} P\n"
        for number in (1, 2)
    )


def cores_of_time(text: str) -> list[int | None]:
    runs = wp.parse_text(text).runs.sort_values("line")
    cores = runs[runs["tool"] == "time"]["cores"]
    return [None if missing else int(value) for value, missing in zip(cores, cores.isna(), strict=True)]


@pytest.mark.parametrize(
    ("text", "cores"),
    [
        (trace(4) + TIME, [4]),
        (trace(4) + TIME + "\n" + trace(2) + TIME, [4, 2]),
        (trace(4) + trace(2) + TIME, [None]),  # two processes: nobody knows which was timed
        (trace(4) + WRK + TIME, [None]),  # the traced program was loaded by wrk
        (trace(4) + TIME + "\n" + TIME, [4, None]),
        (
            "".join(
                f"{name}\t{line}\n"
                for name, text in (("a", trace(4)), ("b", trace(2)), ("a", TIME))
                for line in text.splitlines()
            ),
            [4],
        ),
        ("$ GOMAXPROCS=1 time ./kiwi\n" + trace(4) + TIME, [1]),  # what was typed is stronger
    ],
)
def test_the_traces_of_a_timed_program_tell_its_cores(text: str, cores: list[int | None]) -> None:
    assert cores_of_time(text) == cores


def test_a_label_from_a_trace_says_where_it_is_from() -> None:
    labels = wp.parse_text("heading\n\n" + trace(4) + TIME).labels
    [label] = labels[labels["rule"] == "trace"].to_dict("records")
    assert (label["key"], label["value"], label["origin"], label["text"]) == (
        "cores",
        "4",
        "structure",
        "gctrace at line 3",
    )


def test_it_is_told_anew_when_more_is_ingested(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_text(trace(4) + TIME)
    store = tmp_path / "x.duckdb"
    ingest([str(tmp_path / "a.log")], store)
    (tmp_path / "b.log").write_text(trace(2) + TIME)
    ingest([str(tmp_path)], store)
    dataset = wp.open_dataset(store)
    runs = dataset.sql("SELECT source, cores FROM runs WHERE tool = 'time' ORDER BY source")
    rules = dataset.sql("SELECT count(*) AS n FROM labels WHERE rule = 'trace'")
    assert [tuple(row) for row in runs.itertuples(index=False)] == [("a.log", 4), ("b.log", 2)]
    assert rules["n"].tolist() == [2]

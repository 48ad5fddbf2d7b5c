"""What is too much of something costs no memory and no time, and is said."""

from __future__ import annotations

import gzip
import json
import os
import tracemalloc
from collections.abc import Sequence
from pathlib import Path

import pytest

import wrkparse as wp
from tests.samples import GC, SCHED, WRK
from wrkparse.analysis.publications.reproduce import reproduce
from wrkparse.dataset import QueryError
from wrkparse.ingest.ingest import ingest
from wrkparse.ingest.session import Session
from wrkparse.model.records import Diagnostic
from wrkparse.source import blocks
from wrkparse.source.discover import SourceFile, find_sources
from wrkparse.text import torn
from wrkparse.text.wrapping.notebook import NotebookReader
from wrkparse.tools.event import EventStream
from wrkparse.tools.go import gctrace


def read(path: Path) -> list[Diagnostic]:
    """The diagnostics of a file, read as `ingest` reads it."""
    said: list[Diagnostic] = []
    session = Session({}, lambda diagnostic, _: said.append(diagnostic))
    session.read_source(SourceFile(path.name, path, str(path), named_by_user=True), lambda _: session.builder.drain())
    return said


def peak(path: Path) -> int:
    """The most bytes of Python's that reading a file takes."""
    tracemalloc.start()
    try:
        read(path)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_bomb_is_read_up_to_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "_MOST_UNPACKED", 1 << 20)
    monkeypatch.setattr(blocks, "_MOST_EXPANSION", 100)
    bomb = tmp_path / "bomb.log.gz"
    bomb.write_bytes(gzip.compress(WRK.encode() + (b"x" * 999 + b"\n") * 16_000))  # 800 to 1
    said = [diagnostic for diagnostic in read(bomb) if diagnostic.code == "damaged"]
    assert len(said) == 1
    assert "100 times" in said[0].message
    assert wp.read(bomb).runs.tool.tolist() == ["wrk"]


def test_a_log_that_packs_well_is_read_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "_MOST_UNPACKED", 1 << 20)
    log = tmp_path / "trace.log.gz"
    log.write_bytes(gzip.compress("".join(GC.format(n=n, t=f"{n}.0") for n in range(20_000)).encode()))
    assert not [diagnostic for diagnostic in read(log) if diagnostic.code == "damaged"]


def test_a_line_of_a_hundred_megabytes_takes_little_memory(tmp_path: Path) -> None:
    log = tmp_path / "long.log"
    with log.open("wb") as file:
        for _ in range(100):
            file.write(b"gc 1 @0.1s 2%: " * 70_000)
        file.write(b"\n" + WRK.encode())
    assert peak(log) < 100 << 20
    assert {diagnostic.code for diagnostic in read(log)} == {"bad-event", "long-line"}


@pytest.mark.parametrize(
    "text",
    [
        '{"cells": ' + "[" * 1_000_000,
        '{"cells": ' + '{"a":' * 50_000,
        '{"log": ' + "[" * 200_000 + "]" * 200_000 + "}",
        "> " * 30_000,
        "".join(f"{'  ' * depth}- item\n" for depth in range(500)),
        "#" * 60_000 + " heading",
        "<span>" * 10_000,
    ],
    ids=["lists", "mappings", "record", "quotes", "items", "heading", "tags"],
)
def test_deep_nesting_costs_neither_the_run_behind_it_nor_memory(text: str, tmp_path: Path) -> None:
    file = tmp_path / "deep.md"
    file.write_text(f"{text}\n{'' if text.startswith('{') else WRK}")
    assert peak(file) < 60 << 20
    if not text.startswith("{"):
        assert wp.read(file).runs.tool.tolist() == ["wrk"]


def test_a_notebook_s_cell_behind_deep_nesting_is_read() -> None:
    deep = {"metadata": {"a": json.loads("[" * 300 + "]" * 300)}, "cells": [_cell()]}
    printed = [text for text, _ in NotebookReader().feed(json.dumps(deep), 1)]
    assert printed == ["```", *WRK.splitlines(), "```"]


def _cell() -> dict[str, object]:
    output = {"output_type": "stream", "name": "stdout", "text": WRK}
    return {"cell_type": "code", "outputs": [output], "source": []}


@pytest.mark.parametrize(
    "sample", [WRK, GC.format(n=1, t="0.1"), SCHED.format(t=1)], ids=["wrk", "gctrace", "schedtrace"]
)
@pytest.mark.parametrize(
    "number", ["9" * 6000, "1e400", "9223372036854775808", "-1", "0x7f", "\N{ARABIC-INDIC DIGIT THREE}"]
)
def test_no_number_is_too_much(sample: str, number: str, tmp_path: Path) -> None:
    """Each number of a line in turn, in a file each: the cell is lost, or it is a number; nothing else happens."""
    places = [at for at, sign in enumerate(sample) if sign.isdigit() and not sample[at - 1 : at].isdigit()]
    for at in places[::5]:
        (tmp_path / f"{at:03}.txt").write_text(sample[:at] + number + sample[at:])
    dataset = wp.read(tmp_path)
    assert len(dataset.sources) == len(places[::5])
    assert (dataset.runs.groupby("source").size() <= 2).all()


def test_flags_beyond_a_limit_are_labels_and_no_columns() -> None:
    page = "".join(
        f"## h{n}\n\n    $ ./srv {' '.join(f'--f{n}x{m}=1' for m in range(200))}\n    $ wrk -c8 http://h/\n"
        + "".join(f"    {line}\n" for line in WRK.splitlines())
        for n in range(5)
    )
    dataset = wp.parse_text(page)
    assert len([name for name in dataset.runs.columns if name.startswith("flag_")]) == 500
    assert dataset.labels.key.str.startswith("flag_f").sum() == 1000
    assert (dataset.diagnostics.code == "many-labels").sum() == 3
    dataset.wide()


def test_links_in_circles_pipes_and_devices_are_named_and_not_read(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_text(WRK)
    (tmp_path / "again").symlink_to(tmp_path)
    (tmp_path / "self.log").symlink_to("self.log")
    (tmp_path / "zero.log").symlink_to("/dev/zero")
    os.mkfifo(tmp_path / "pipe.log")
    os.mkfifo(tmp_path / "wrkparse.yaml")
    found, (problem,) = find_sources([str(tmp_path)])
    assert [item.source for item in found] == ["a.log"]
    assert str(problem) == (
        f"{tmp_path}: note: not read: pipe.log (a pipe, a socket or a device), self.log (a link to nothing), "
        "zero.log (a link to a pipe, a socket or a device)"
    )
    summary = ingest([str(tmp_path)], tmp_path / "s.duckdb")
    assert (summary.runs, summary.failed) == ({"wrk": 1}, 0)


@pytest.mark.parametrize("name", ["../secret.csv", "/etc/passwd", "link.csv", "pipe.csv", "sub"])
def test_a_study_s_table_is_a_file_beside_it(name: str, tmp_path: Path) -> None:
    study = tmp_path / "study"
    study.mkdir()
    (study / "sub").mkdir()
    (tmp_path / "secret.csv").write_text("cores,1\nsecret,2\n")
    (study / "link.csv").symlink_to(tmp_path / "secret.csv")
    os.mkfifo(study / "pipe.csv")
    (study / "a.log").write_text(WRK)
    table = {"file": name, "rows": ["cores"], "columns": ["connections"], "metric": "throughput"}
    (study / "wrkparse.yaml").write_text(json.dumps({"tables": [table]}))
    found = reproduce(wp.read(study))
    assert len(found.cells) == 0
    assert len(found.problems) == 1
    assert "secret" not in found.problems[0].removeprefix(str(study)).removeprefix(f"/wrkparse.yaml: {name}")


def test_a_study_of_any_size_is_refused_without_reading_it_all(tmp_path: Path) -> None:
    with (tmp_path / "wrkparse.yaml").open("wb") as file:
        file.truncate(10 << 30)  # sparse
    (tmp_path / "a.log").write_text(WRK)
    assert "larger than 1 MiB" in wp.read(tmp_path).diagnostics.message.tolist()[0]


@pytest.mark.parametrize(
    "query",
    ["SELECT * FROM read_text('{file}')", "COPY (SELECT 1) TO '{file}'", "INSTALL httpfs", "ATTACH '{file}' AS other"],
)
@pytest.mark.parametrize("stored", [False, True])
def test_a_query_reaches_nothing_but_the_tables(query: str, stored: bool, tmp_path: Path) -> None:
    (tmp_path / "a.log").write_text(WRK)
    (tmp_path / "secret").write_text("secret")
    ingest([str(tmp_path / "a.log")], tmp_path / "s.duckdb")
    dataset = wp.load(tmp_path / "s.duckdb") if stored else wp.read(tmp_path / "a.log")
    with pytest.raises(QueryError):
        dataset.sql(query.format(file=tmp_path / "secret"))
    with pytest.raises(QueryError):
        dataset.sql("SET enable_external_access = true; " + query.format(file=tmp_path / "secret"))
    assert (tmp_path / "secret").read_text() == "secret"


@pytest.mark.parametrize("line", ["$ export A{}=1\n", "# {} cores\n"])
def test_what_is_said_without_end_above_a_run_is_bounded(line: str) -> None:
    page = "".join(map(line.format, range(1, 3000))) + "".join(f"\n    {line}" for line in WRK.splitlines()) + "\n"
    dataset = wp.parse_text(page)
    assert len(dataset.labels) < 600
    assert dataset.labels.line.max() >= 2999  # the nearest hold


def test_events_that_can_t_be_read_are_not_tried_with_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = []
    whole = torn.rejoin_torn_line

    def counted(begin: str, after: Sequence[str], *how: object) -> tuple[str, int] | None:
        tried.append(len(after))
        return whole(begin, after, *how)  # type: ignore[arg-type]

    monkeypatch.setattr("wrkparse.parse.events.traces.rejoin_torn_line", counted)
    dataset = wp.parse_text("".join(f"gc {n} @0.1s 2%: junk\n" for n in range(1000)))
    assert len(dataset.diagnostics) >= 1000
    assert sum(tried) == 0


def test_torn_lines_of_many_pods_are_tried_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each torn line has hundreds of others behind it that might be its rest."""
    decoded: list[int] = []
    sound = gctrace.TOOL.stream().__class__.sound

    def counted(self: EventStream, lines: Sequence[bytes]) -> set[int]:
        decoded.append(sum(map(len, lines)))
        return sound(self, lines)  # type: ignore[arg-type]

    monkeypatch.setattr(gctrace.TOOL.stream().__class__, "sound", counted)
    lines = [GC.format(n=n, t=f"{n}.000").strip() for n in range(1, 300)]
    first = "".join(f"server-{n:03} {line[:50]}\n" for n, line in enumerate(lines))
    rest = "".join(f"server-{n:03} {line[50:]}\n" for n, line in enumerate(lines))
    wp.parse_text(first + rest + first + rest)
    assert len(decoded) < 40
    assert sum(decoded) < 500 * 2 * len(first + rest)


def test_the_limit_grows_with_what_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "_MOST_UNPACKED", 1 << 10)
    monkeypatch.setattr(blocks, "_MOST_EXPANSION", 10)
    log = tmp_path / "long.log.gz"
    lines = b"".join(b"%d\n" % (n * 2654435761 % 2**32) for n in range(30_000))  # packs to a half or so
    log.write_bytes(gzip.compress(lines))
    text = blocks.BlockReader(find_sources([str(log)])[0][0], block=4096)
    assert b"".join(text) == lines
    assert not text.notes

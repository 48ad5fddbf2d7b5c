"""Any directory is ingested: odd names, encodings and packings, text of all kinds; the store is consistent with itself."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
from hypothesis import example, given
from hypothesis import strategies as st

import wrkparse as wp
from tests.examples import examples
from tests.samples import GC, SCHED, WRK
from wrkparse.ingest.ingest import ingest
from wrkparse.tools.schema import columns

PACKINGS: dict[str, Callable[[bytes], bytes]] = {
    "": lambda data: data,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": lambda data: pa.compress(data, codec="zstd", asbytes=True),
}
PIECES = (
    WRK, "".join(GC.format(n=n, t=f"{n}.5") for n in range(1, 4)), SCHED.format(t=1), "## nginx\n", "```\n", "> quoted\n",
    "$ GOGC=off ./server &\n", "gc 1 @0.1s 2%: cut", "real\t0m0.102s\nuser\t0m0.001s\nsys\t0m0.000s\n", "\x1b[31mred\x1b[0m\n",
    "Running 10s test @ http://'; DROP TABLE runs; --/\n  8 threads and 8 connections\n", '{"cells": [', "\ufeff", "\x00" * 9,
)  # fmt: skip
STRANGE = st.sampled_from(PIECES) | st.text(max_size=40).map(lambda text: f"{text}\n")
NAMES = st.text(
    st.characters(blacklist_characters="/\0", blacklist_categories=["Cs"])
    | st.sampled_from("aé本'\"%*[]{}#\n\x1b\udcff .-"),
    min_size=1,
    max_size=12,
).filter(lambda name: not name.startswith("."))
ENCODINGS = ("utf-8", "utf-16", "utf-16-le", "latin-1", "cp1251", "shift_jis")


class Planted(NamedTuple):
    """A file: where, what, and how."""

    where: tuple[str, ...]
    text: str
    encoding: str
    packing: str

    def write(self, root: Path) -> None:
        """Make the file, unless its name is taken or the file system refuses it."""
        *above, name = self.where
        try:
            path = root.joinpath(*above, f"{name}.log{self.packing}")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(PACKINGS[self.packing](self.text.encode(self.encoding, "replace")))
        except OSError:
            return


FILES = st.builds(
    Planted,
    st.lists(NAMES, min_size=1, max_size=3).map(tuple),
    st.lists(STRANGE, max_size=5).map("".join),
    st.sampled_from(ENCODINGS),
    st.sampled_from(sorted(PACKINGS)),
)
STUDIES = st.sampled_from(["", "title: x\nlabels: [{set: {framework: nginx}}]\n", "labels: [", "\x00", "- &a [*a]\n"])


def contents(root: Path) -> dict[bytes, bytes]:
    """All files below a directory."""
    return {
        os.fsencode(os.path.relpath(path, root)): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


@examples(0.05)
@given(st.lists(FILES, max_size=4), STUDIES)
@example([Planted(("a", "b"), WRK, "utf-16", ".gz"), Planted(("\udcff'%s\n",), WRK, "utf-8", "")], "")
def test_any_tree_is_ingested_into_a_store_that_is_consistent(files: list[Planted], study: str) -> None:
    with tempfile.TemporaryDirectory() as directory:
        root, store = Path(directory, "logs"), Path(directory, "s.duckdb")
        root.mkdir()
        for file in files:
            file.write(root)
        (root / "wrkparse.yaml").write_text(study, "utf-8")
        before = contents(root)
        done = ingest([str(root)], store)
        assert contents(root) == before
        assert {path.name for path in Path(directory).iterdir()} <= {"logs", "s.duckdb"}
        if not store.exists():
            assert not done.read
            return
        dataset = wp.load(store)
        _is_consistent(dataset)
        assert len(dataset.runs) == sum(done.runs.values())
        again = ingest([str(root)], store)
        assert not again.read or done.not_text
        assert wp.load(store).runs.run.tolist() == dataset.runs.run.tolist()


def _is_consistent(dataset: wp.Dataset) -> None:
    """Each row is of a run that there is, each run of a source, each line one of that source's."""
    runs = dataset.arrow("runs").select(["run", "source", "line", "line_end"]).to_pylist()
    sources = {row["source"]: row["lines"] for row in dataset.arrow("sources").to_pylist()}
    of_run = {row["run"]: row["source"] for row in runs}
    assert len(of_run) == len(runs)
    for row in runs:
        assert 1 <= row["line"] <= row["line_end"] <= sources[row["source"]]
    for table in columns():
        names = dataset.arrow(table).column_names
        if "run" not in names or table == "runs":
            continue
        for row in dataset.arrow(table).select([name for name in ("run", "line") if name in names]).to_pylist():
            assert row["run"] in of_run, table
            line = row.get("line")
            assert line is None or 1 <= line <= sources[of_run[row["run"]]], table


def test_what_is_planted_in_a_tree_is_found_in_every_packing_and_encoding(tmp_path: Path) -> None:
    for packing in PACKINGS:
        for encoding in ("utf-8", "utf-16"):
            Planted((encoding, "sub'dir", f"x{packing}"), WRK, encoding, packing).write(tmp_path / "logs")
    done = ingest([str(tmp_path / "logs")], tmp_path / "s.duckdb")
    assert done.runs == {"wrk": 2 * len(PACKINGS)}
    rates = wp.load(tmp_path / "s.duckdb").sql("SELECT DISTINCT value FROM measurements WHERE metric = 'throughput'")
    assert [list(row) for row in rates.to_numpy()] == [[40669.44]]

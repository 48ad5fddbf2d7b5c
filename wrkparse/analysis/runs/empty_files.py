"""Empty files among files of runs: runs that printed nothing there, as those that could not connect."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset

_NUMBERS = re.compile(r"[0-9]+")
_EMPTY_AND_READ = """
SELECT source, lines = 0 AS empty FROM sources
WHERE lines = 0 OR source IN (SELECT source FROM runs) ORDER BY source"""


class EmptyFile(NamedTuple):
    """An empty file, and a file with a run whose name differs in numbers alone."""

    source: str
    beside: str

    def __str__(self) -> str:
        return f"{self.source}: warning: the file is empty, but {self.beside} has a run: did this run fail?"


def empty_among_runs(dataset: Dataset) -> list[EmptyFile]:
    """The empty files whose names differ from that of a file with a run in numbers alone, by name."""
    rows = dataset.sql_arrow(_EMPTY_AND_READ).to_pylist()
    with_run: dict[str, str] = {}
    for row in rows:
        if not row["empty"]:
            with_run.setdefault(_NUMBERS.sub("0", row["source"]), row["source"])
    empty = [row["source"] for row in rows if row["empty"]]
    return [EmptyFile(source, with_run[alike]) for source in empty if (alike := _NUMBERS.sub("0", source)) in with_run]

"""Empty files among files of runs: runs that printed nothing there, as those that could not connect."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset

_NUMBERS = re.compile(r"[0-9]+")
_WORDS = re.compile(r"[^\W\d_]+")
_FEWEST = 2  # a single empty file may be anything: `nohup1.out`
_EMPTY_AND_READ = """
SELECT source, lines = 0 AS empty FROM sources
WHERE lines = 0 OR source IN (SELECT source FROM runs) ORDER BY source"""


class EmptyFile(NamedTuple):
    """An empty file, and a file with a run whose name differs in numbers alone."""

    source: str
    beside: str

    def __str__(self) -> str:
        return f"{self.source}: warning: the file is empty, but {self.beside} has a run: did this run fail?"


class EmptyFiles(NamedTuple):
    """Empty files whose names differ in numbers alone: how many, the first, and a file with a run of a like name."""

    files: int
    first: str
    beside: str

    def __str__(self) -> str:
        return (
            f"{self.first}: warning: {self.files} files such as this one are empty, but {self.beside} has a run: "
            "did these runs fail?"
        )


def empty_among_runs(dataset: Dataset) -> list[EmptyFile]:
    """The empty files whose names differ from that of a file with a run in numbers alone, by name."""
    empty, with_run = _empty_and_with_run(dataset)
    return [EmptyFile(source, with_run[alike]) for source in empty if (alike := _NUMBERS.sub("0", source)) in with_run]


def empty_beside_runs(dataset: Dataset) -> list[EmptyFiles]:
    """Several empty files of one name, but for numbers, beside such files of another name that have runs.

    Of ``kiwi/1.txt`` and ``emu/1.txt``, emu could not be reached.
    """
    empty, with_run = _empty_and_with_run(dataset)
    alike_with_run: dict[str, str] = {}
    for alike, source in with_run.items():
        alike_with_run.setdefault(_shape(alike), source)
    named: dict[str, list[str]] = defaultdict(list)
    for source in empty:
        named[_NUMBERS.sub("0", source)].append(source)
    return [
        EmptyFiles(len(files), files[0], alike_with_run[_shape(alike)])
        for alike, files in named.items()
        if len(files) >= _FEWEST and alike not in with_run and _shape(alike) in alike_with_run
    ]


def _empty_and_with_run(dataset: Dataset) -> tuple[list[str], dict[str, str]]:
    """The empty files, and the first file with a run of each name with 0 for its numbers."""
    rows = dataset.sql_arrow(_EMPTY_AND_READ).to_pylist()
    with_run: dict[str, str] = {}
    for row in rows:
        if not row["empty"]:
            with_run.setdefault(_NUMBERS.sub("0", row["source"]), row["source"])
    return [row["source"] for row in rows if row["empty"]], with_run


def _shape(name: str) -> str:
    """A name with one letter for each word; its suffix stays."""
    stem, dot, suffix = name.rpartition(".")  # "kiwi/0.txt" and "emu/0.txt" are "a/0.txt"
    return f"{_WORDS.sub('a', stem)}{dot}{suffix}" if dot else _WORDS.sub("a", name)

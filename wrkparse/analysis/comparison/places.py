"""What the names of files and folders say of the runs of one cell beside their labels."""

from __future__ import annotations

import re
from collections.abc import Iterable

from wrkparse.analysis.comparison.cells import Cell

# Words of a file's name that number repeats, as in `run1`, `wrk-rep-2`, `3.log`. Digits alone may be a date.
_REPEAT = re.compile(
    r"(?:attempt|iter|iteration|log|no|out|output|part|r|rep|repeat|repetition|result|results|round|run|sample|take|test|"
    r"trial|try)?[0-9]*",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+")


def unexplained_names(cells: Iterable[Cell]) -> tuple[str, ...]:
    """Words in which the paths of the runs of one cell differ and that number no repeats, as ``p1`` and ``p2``.

    Runs of a cell agree in all labels, so no label tells what such a word means: it may be a setting.
    """
    found: dict[str, None] = {}
    for cell in cells:
        words = [_words(source) for source in dict.fromkeys(run.source for run in cell.runs)]
        common = set(words[0]).intersection(*words[1:]) if words else set()
        for word in (word for of_source in words for word in of_source if word not in common):
            if not _REPEAT.fullmatch(word):
                found[word] = None
    return tuple(found)


def _words(path: str) -> list[str]:
    """The words of a path without the suffix of its name."""
    folder, _, name = path.rpartition("/")
    return _WORD.findall(f"{folder} {name.partition('.')[0] or name}")

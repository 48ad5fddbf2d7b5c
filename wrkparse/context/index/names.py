"""Which logs a row of an index names: ``01.log``, ``logs/01``, ``run 1 to 3``.

A name counts where it fits one log only, in the folder of the index or below it.
"""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from wrkparse.context.index.blocks import link_targets, plain_cell
from wrkparse.context.titles.path_parts import without_suffixes
from wrkparse.source.discover import without_archive_suffix

_MOST_IN_RANGE = 1000  # logs that a cell names at most: "runs 1-1000"
_NUMBERED = re.compile(r"([A-Za-z]{0,12})[ _#-]{0,2}0{0,6}([0-9]{1,6})")
_WORD_OF_RUNS = re.compile(r"runs?|logs?|files?|tests?|no|nr|repeats?|reps?", re.IGNORECASE)
_SPLIT = re.compile(r"\s?(?:,|;|&|\+)\s?|\sand\s")
_SPAN = re.compile(r"\s?(?:-|–|—|…|\.{2,3}|\sto|\sthrough|\sbis)\s?(?=[0-9]|[A-Za-z]{1,12}[ _#-]?[0-9])")
# The digits of a name that a program has made up: "8072f215", a UUID. A word in letters alone is none.
_IDENTIFIER = re.compile(
    r"(?=[a-f-]{0,40}[0-9])[0-9a-f]{6,64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE
)


class Naming(NamedTuple):
    """The logs that a name fits. ``whole`` says that it has their suffix or folder, so it can be nothing else."""

    sources: tuple[str, ...]
    whole: bool = False


_NONE = Naming(())


def is_identifier(name: str) -> bool:
    """Whether a folder's or a file's name says nothing to people: ``01``, ``run4``, ``8072f215``."""
    numbered = _NUMBERED.fullmatch(name)
    if numbered and (not numbered[1] or _WORD_OF_RUNS.fullmatch(numbered[1])):
        return True
    return _IDENTIFIER.fullmatch(name) is not None


class Logs:
    """The logs below a folder, found by their paths and names. Case, suffixes of archives and ``./`` do not count."""

    def __init__(self, paths: Mapping[str, str]) -> None:
        self._paths = {source: _folded(path) for source, path in paths.items()}
        self._below: dict[str, list[str]] = {}
        self._by_path: dict[str, list[str]] = defaultdict(list)
        self._by_name: dict[str, list[str]] = defaultdict(list)
        self._by_stem: dict[str, list[str]] = defaultdict(list)
        self._by_number: dict[int, list[str]] = defaultdict(list)
        for source, path in self._paths.items():
            name = posixpath.basename(path)
            stem = without_suffixes(name)
            self._by_path[path].append(source)
            self._by_name[name].append(source)
            self._by_stem[stem].append(source)
            if numbered := _NUMBERED.fullmatch(stem):
                self._by_number[int(numbered[2])].append(source)

    def below(self, folder: str) -> list[str]:
        """The sources in a folder and below it."""
        if folder not in self._below:
            top = _top(_folded(folder))
            self._below[folder] = [source for source, path in self._paths.items() if path.startswith(top)]
        return self._below[folder]

    def named(self, cell: str, folder: str) -> Naming:
        """The logs that a cell of an index in this folder names; none where it is not clear."""
        folder = _folded(folder)
        for name in (*link_targets(cell), plain_cell(cell)):
            if exact := self._one(name, folder):
                return exact
        parts = [part for part in _SPLIT.split(plain_cell(cell)[:1000]) if part]
        word = ""
        sources: list[str] = []
        whole = False
        for part in parts:
            found = self._part(part, word, folder)
            sources += found.sources
            if not found.sources or len(sources) > _MOST_IN_RANGE:
                return _NONE
            whole |= found.whole
            word = word or (match[1] if (match := _NUMBERED.match(part)) else "")
        return Naming(tuple(dict.fromkeys(sources)), whole)

    def _part(self, part: str, word: str, folder: str) -> Naming:
        """The logs of one name or of a range; `word` stood in front of an earlier number: ``runs 1, 2 and 3``."""
        if found := self._one(part, folder):
            return found
        ends = [part] if _NUMBERED.fullmatch(part) else _SPAN.split(part)
        if len(ends) > 2:
            return _NONE
        numbers: list[tuple[str, int]] = []
        for end in ends:
            match = _NUMBERED.fullmatch(without_suffixes(_folded(end.strip())))
            if match is None:
                return _NONE
            numbers.append((match[1] or (numbers[-1][0] if numbers else word), int(match[2])))
        first, last = numbers[0], numbers[-1]
        if not 0 <= last[1] - first[1] < _MOST_IN_RANGE or last[0] != first[0]:
            return _NONE
        each = [self._numbered(first[0], number, folder) for number in range(first[1], last[1] + 1)]
        return Naming(tuple(source for sources in each for source in sources)) if all(each) else _NONE

    def _one(self, name: str, folder: str) -> Naming | None:
        """The log of a path, a file's name, or one without its suffix."""
        name = _folded(name.replace("\\", "/").removeprefix("file://"))
        if not name:
            return None
        path = posixpath.normpath(posixpath.join(folder, name))
        exact = self._by_path.get(path, [])
        if len(exact) == 1:
            return Naming((exact[0],), True)
        base = posixpath.basename(name)
        if (found := self._chosen(self._by_name.get(base, ()), name, folder)) is not None:
            return Naming((found,), True)
        if (found := self._chosen(self._by_stem.get(without_suffixes(base) or base, ()), name, folder)) is not None:
            written = base != without_suffixes(base)
            return None if written else Naming((found,), "/" in name)
        return None

    def _chosen(self, sources: Iterable[str], name: str, folder: str) -> str | None:
        """The one of these sources below a folder whose path ends like a name; of several the one in the folder."""
        top, above = _top(folder), posixpath.dirname(name).removeprefix("/")
        near = [source for source in sources if self._paths[source].startswith(top)]
        if above:
            near = [
                source for source in near if _top(posixpath.dirname("/" + self._paths[source])).endswith(f"/{above}/")
            ]
        if len(near) > 1:
            near = [source for source in near if posixpath.dirname(self._paths[source]) == folder]
        return near[0] if len(near) == 1 else None

    def _numbered(self, word: str, number: int, folder: str) -> list[str]:
        """The logs with this number below a folder, if their word is the same or no name: ``run 1`` is 01.log."""
        top = _top(folder)
        near = [source for source in self._by_number.get(number, ()) if self._paths[source].startswith(top)]
        words = {source: _word_of(self._paths[source]) for source in near}
        same = [source for source in near if words[source] == word.casefold().rstrip("s")]
        general = [source for source in near if _is_general(words[source]) and _is_general(word)]
        fit = same or general
        return fit if len(fit) == 1 else []


def _folded(path: str) -> str:
    """A path in the form in which paths are compared."""
    return without_archive_suffix(path.strip()).casefold().removeprefix("./")


def _top(folder: str) -> str:
    return f"{folder.rstrip('/')}/" if folder else ""


def _word_of(path: str) -> str:
    """The word in front of the number of a log, without the ending of a plural: ``run4.txt`` → run."""
    numbered = _NUMBERED.fullmatch(without_suffixes(posixpath.basename(path)))
    return numbered[1].rstrip("s") if numbered else ""


def _is_general(word: str) -> bool:
    """Whether a word in front of a number says no more than that logs are counted."""
    return not word or _WORD_OF_RUNS.fullmatch(word) is not None

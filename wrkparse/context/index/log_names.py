"""Finds the logs that a row of an index names: ``01.log``, ``logs/01``, ``run 1 to 3``.

A name counts if it fits only one log, in the folder of the index or below it.
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

_MOST_IN_RANGE = 1000  # most logs that a cell names: "runs 1-1000"
# "run 01", "#7", "12"
_NUMBERED = re.compile(r"([A-Za-z]{0,12})[ _#-]{0,2}0{0,6}([0-9]{1,6})")
_WORD_OF_RUNS = re.compile(r"runs?|logs?|files?|tests?|no|nr|repeats?|reps?", re.IGNORECASE)
_NAME_SEPARATOR = re.compile(r"\s?(?:,|;|&|\+)\s?|\sand\s")
# "4-6", "run 4 to run 6"
_RANGE_SIGN = re.compile(r"\s?(?:-|–|—|…|\.{2,3}|\sto|\sthrough|\sbis)\s?(?=[0-9]|[A-Za-z]{1,12}[ _#-]?[0-9])")
# A name that a program has drawn: "8072f215", a UUID. A word of letters is not one.
_IDENTIFIER = re.compile(
    r"(?=[a-f-]{0,40}[0-9])[0-9a-f]{6,64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE
)


class NamedLogs(NamedTuple):
    """The logs that a name fits. ``is_certain``: the name has their suffix or folder, so it can be nothing else."""

    sources: tuple[str, ...]
    is_certain: bool = False


_NO_LOGS = NamedLogs(())


def is_identifier(name: str) -> bool:
    """Whether the name of a folder or a file has no meaning to people: ``01``, ``run4``, ``8072f215``."""
    numbered = _NUMBERED.fullmatch(name)
    if numbered and (not numbered[1] or _WORD_OF_RUNS.fullmatch(numbered[1])):
        return True
    return _IDENTIFIER.fullmatch(name) is not None


class Logs:
    """Finds the logs below a folder by their paths and names, ignoring case, suffixes of archives and ``./``."""

    def __init__(self, paths: Mapping[str, str]) -> None:
        self._paths = {source: _comparable_path(path) for source, path in paths.items()}
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

    def logs_below(self, folder: str) -> list[str]:
        """The sources in a folder and below it."""
        if folder not in self._below:
            top = _folder_prefix(_comparable_path(folder))
            self._below[folder] = [source for source, path in self._paths.items() if path.startswith(top)]
        return self._below[folder]

    def find(self, cell: str, folder: str) -> NamedLogs:
        """The logs that a cell of an index in this folder names; none if they are not certain."""
        folder = _comparable_path(folder)
        for name in (*link_targets(cell), plain_cell(cell)):
            if exact := self._find_log(name, folder):
                return exact
        parts = [part for part in _NAME_SEPARATOR.split(plain_cell(cell)[:1000]) if part]
        word = ""
        sources: list[str] = []
        whole = False
        for part in parts:
            found = self._find_part(part, word, folder)
            sources += found.sources
            if not found.sources or len(sources) > _MOST_IN_RANGE:
                return _NO_LOGS
            whole |= found.is_certain
            word = word or (match[1] if (match := _NUMBERED.match(part)) else "")
        return NamedLogs(tuple(dict.fromkeys(sources)), whole)

    def _find_part(self, part: str, word: str, folder: str) -> NamedLogs:
        """The logs of one name or of a range; `word` was before an earlier number: ``runs 1, 2 and 3``."""
        if found := self._find_log(part, folder):
            return found
        ends = [part] if _NUMBERED.fullmatch(part) else _RANGE_SIGN.split(part)
        if len(ends) > 2:
            return _NO_LOGS
        numbers: list[tuple[str, int]] = []
        for end in ends:
            match = _NUMBERED.fullmatch(without_suffixes(_comparable_path(end.strip())))
            if match is None:
                return _NO_LOGS
            numbers.append((match[1] or (numbers[-1][0] if numbers else word), int(match[2])))
        first, last = numbers[0], numbers[-1]
        if not 0 <= last[1] - first[1] < _MOST_IN_RANGE or last[0] != first[0]:
            return _NO_LOGS
        each = [self._find_number(first[0], number, folder) for number in range(first[1], last[1] + 1)]
        return NamedLogs(tuple(source for sources in each for source in sources)) if all(each) else _NO_LOGS

    def _find_log(self, name: str, folder: str) -> NamedLogs | None:
        """The log with a path, a name, or a name without its suffix; None if there is none."""
        name = _comparable_path(name.replace("\\", "/").removeprefix("file://"))
        if not name:
            return None
        path = posixpath.normpath(posixpath.join(folder, name))
        exact = self._by_path.get(path, [])
        if len(exact) == 1:
            return NamedLogs((exact[0],), True)
        base = posixpath.basename(name)
        if (found := self._nearest_log(self._by_name.get(base, ()), name, folder)) is not None:
            return NamedLogs((found,), True)
        if (
            found := self._nearest_log(self._by_stem.get(without_suffixes(base) or base, ()), name, folder)
        ) is not None:
            written = base != without_suffixes(base)
            return None if written else NamedLogs((found,), "/" in name)
        return None

    def _nearest_log(self, sources: Iterable[str], name: str, folder: str) -> str | None:
        """The only one of these sources below a folder whose path ends with a name; of several, that in the folder."""
        top, above = _folder_prefix(folder), posixpath.dirname(name).removeprefix("/")
        near = [source for source in sources if self._paths[source].startswith(top)]
        if above:
            near = [
                source
                for source in near
                if _folder_prefix(posixpath.dirname("/" + self._paths[source])).endswith(f"/{above}/")
            ]
        if len(near) > 1:
            near = [source for source in near if posixpath.dirname(self._paths[source]) == folder]
        return near[0] if len(near) == 1 else None

    def _find_number(self, word: str, number: int, folder: str) -> list[str]:
        """The logs with this number below a folder, if they have the same word or a general one: ``run 1`` is 01."""
        top = _folder_prefix(folder)
        near = [source for source in self._by_number.get(number, ()) if self._paths[source].startswith(top)]
        words = {source: _word_before_number(self._paths[source]) for source in near}
        same = [source for source in near if words[source] == word.casefold().rstrip("s")]
        general = [source for source in near if _is_general(words[source]) and _is_general(word)]
        fit = same or general
        return fit if len(fit) == 1 else []


def _comparable_path(path: str) -> str:
    """A path in the form in which paths are compared."""
    return without_archive_suffix(path.strip()).casefold().removeprefix("./")


def _folder_prefix(folder: str) -> str:
    """The beginning of the paths in a folder."""
    return f"{folder.rstrip('/')}/" if folder else ""


def _word_before_number(path: str) -> str:
    """The word before the number of a log, in the singular: ``run4.txt`` → run."""
    numbered = _NUMBERED.fullmatch(without_suffixes(posixpath.basename(path)))
    return numbered[1].rstrip("s") if numbered else ""


def _is_general(word: str) -> bool:
    """Whether a word before a number only says that logs are numbered."""
    return not word or _WORD_OF_RUNS.fullmatch(word) is not None

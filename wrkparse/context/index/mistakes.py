"""Diagnostics of the mistakes in an index of JSON or YAML, which cost its logs labels."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping

from wrkparse.context.index.blocks import Mistake
from wrkparse.context.titles.path_parts import without_suffixes
from wrkparse.model.records import Diagnostic

_WORD = re.compile(r"[^\s\"'\[\]{},:;|()]{1,200}")
_QUOTED = re.compile(r"[\"']([^\"'\n]{1,200})[\"']")
_VALUE = re.compile(r"[:-]\s([^\n:\"'#]{1,200})")
_SHORTEST_NAME = 3  # characters of a log's name without its suffix; of "a.log", "a" stands in any text


def mistakes(found: Mapping[str, Iterable[Mistake]], logs: Mapping[str, str]) -> Iterator[Diagnostic]:
    """A diagnostic for each mistake in a file that names one of the logs; ``found`` and ``logs`` are by source.

    ``logs`` are paths. Without such a name the file is none of the user's lists of logs.
    """
    names = {posixpath.basename(path) for path in logs.values()}
    names |= {short for name in names if len(short := without_suffixes(name)) >= _SHORTEST_NAME}
    for source, some in found.items():
        for line, why, cost, text in some:
            if not names.isdisjoint(_words(text)):
                yield Diagnostic(source, line, "warning", "bad-index", f"{why}; the file names logs, and {cost}")


def _words(text: str) -> set[str]:
    """What a text may call a log by: its words, quoted texts and values to the line's end, without folders in front."""
    found = {*_WORD.findall(text), *_QUOTED.findall(text), *(value.strip() for value in _VALUE.findall(text))}
    return {posixpath.basename(word.rstrip(".:,")) for word in found}

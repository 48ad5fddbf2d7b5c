"""Makes diagnostics of the mistakes in an index of JSON or YAML, which cost its logs labels."""

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
_SHORTEST_NAME = 3  # characters of the name of a log without its suffix: any text contains the "a" of "a.log"


def mistake_diagnostics(found: Mapping[str, Iterable[Mistake]], logs: Mapping[str, str]) -> Iterator[Diagnostic]:
    """A diagnostic for each mistake in a file that names a log; ``found`` and ``logs`` are by source.

    ``logs`` are paths. A file without the name of a log is not an index.
    """
    names = {posixpath.basename(path) for path in logs.values()}
    names |= {short for name in names if len(short := without_suffixes(name)) >= _SHORTEST_NAME}
    for source, some in found.items():
        for line, why, cost, text in some:
            if not names.isdisjoint(_possible_log_names(text)):
                yield Diagnostic(source, line, "warning", "bad-index", f"{why}; the file names logs, and {cost}")


def _possible_log_names(text: str) -> set[str]:
    """The words, quoted texts and values of a text that may be names of logs, without folders."""
    found = {*_WORD.findall(text), *_QUOTED.findall(text), *(value.strip() for value in _VALUE.findall(text))}
    return {posixpath.basename(word.rstrip(".:,")) for word in found}

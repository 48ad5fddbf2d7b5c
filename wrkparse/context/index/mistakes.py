"""Mistakes that end an index of JSON or YAML early: what stands behind them gives no labels."""

from __future__ import annotations

import json
import posixpath
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from wrkparse.context.index.blocks import LARGEST, form_of
from wrkparse.context.index.labels import IndexFile
from wrkparse.context.index.yaml_values import yaml_mistake
from wrkparse.context.path_parts import without_suffixes
from wrkparse.model.records import Diagnostic
from wrkparse.source.discover import without_archive_suffix

_SHORTEST_NAME = 3  # characters of a log's name without its suffix; of "a.log", "a" stands in any text


class Mistake(NamedTuple):
    """The line of a mistake, and what the reader of its format says."""

    line: int
    why: str


def mistakes(files: Iterable[IndexFile], logs: Mapping[str, str]) -> Iterator[Diagnostic]:
    """A diagnostic for each index of JSON or YAML that can't be read to its end and names one of the logs.

    ``logs`` are paths by source. Without such a name the file is none of the user's lists of logs.
    """
    names = {_name(posixpath.basename(path)) for path in logs.values()}
    for file in files:
        if len(file.text) > LARGEST or not any(name in file.text for name in names):
            continue
        mistake = _mistake(file)
        if mistake:
            message = f"{mistake.why}; the file names logs, and gives them no labels from here on"
            yield Diagnostic(file.source, mistake.line, "warning", "bad-index", message)


def _name(log: str) -> str:
    short = without_suffixes(log)
    return short if len(short) >= _SHORTEST_NAME else log


def _mistake(file: IndexFile) -> Mistake | None:
    form = form_of(file.path)
    if form == "objects":
        return _json_mistake(file.text)
    is_yaml = without_archive_suffix(file.path).lower().endswith((".yaml", ".yml"))
    found = yaml_mistake(file.text) if form == "yaml" or (form == "settings" and is_yaml) else None
    return Mistake(*found) if found else None


def _json_mistake(text: str) -> Mistake | None:
    """The mistake in one value, or in lines of JSON if the first of them is a value."""
    try:
        json.loads(text)
    except json.JSONDecodeError as whole:
        lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
        for at, (number, line) in enumerate(lines):
            try:
                json.loads(line)
            except json.JSONDecodeError as one:
                problem = whole if at == 0 else one
                return Mistake(problem.lineno if at == 0 else number, f"not valid JSON: {problem.msg}")
            except (ValueError, RecursionError):
                return None
    except (ValueError, RecursionError):  # a number of 5,000 digits, a thousand brackets: no list of logs
        return None
    return None

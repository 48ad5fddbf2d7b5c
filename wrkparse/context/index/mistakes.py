"""Mistakes that end an index of JSON or YAML early: what stands behind them gives no labels."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from wrkparse.context.index.blocks import LARGEST, form_of
from wrkparse.context.index.labels import IndexFile
from wrkparse.context.index.yaml_values import yaml_mistake
from wrkparse.context.path_parts import without_suffixes
from wrkparse.model.records import Diagnostic
from wrkparse.source.discover import without_archive_suffix

_WORD = re.compile(r"[^\s\"'\[\]{},:;|()]{1,200}")
_QUOTED = re.compile(r"[\"']([^\"'\n]{1,200})[\"']")
_VALUE = re.compile(r"[:-]\s([^\n:\"'#]{1,200})")
_ALL, _FROM_HERE = "them", "those from here on"
_SHORTEST_NAME = 3  # characters of a log's name without its suffix; of "a.log", "a" stands in any text


class Mistake(NamedTuple):
    """The line of a mistake, what the reader of its format says, the text that is a list, and which logs it costs."""

    line: int
    why: str
    read: str
    lost: str


def mistakes(files: Iterable[IndexFile], logs: Mapping[str, str]) -> Iterator[Diagnostic]:
    """A diagnostic for each index of JSON or YAML that can't be read to its end and names one of the logs.

    ``logs`` are paths by source. Without such a name the file is none of the user's lists of logs.
    """
    names = {posixpath.basename(path) for path in logs.values()}
    names |= {short for name in names if len(short := without_suffixes(name)) >= _SHORTEST_NAME}
    for file in files:
        mistake = _mistake(file) if len(file.text) <= LARGEST else None
        if mistake and not names.isdisjoint(_words(mistake.read)):
            message = f"{mistake.why}; the file names logs, and gives {mistake.lost} no labels"
            yield Diagnostic(file.source, mistake.line, "warning", "bad-index", message)


def _words(text: str) -> set[str]:
    """What a text may call a log by: its words, quoted texts and values to the line's end, without folders in front."""
    found = {*_WORD.findall(text), *_QUOTED.findall(text), *(value.strip() for value in _VALUE.findall(text))}
    return {posixpath.basename(word.rstrip(".:,")) for word in found}


def _mistake(file: IndexFile) -> Mistake | None:
    form = form_of(file.path)
    if form == "objects":
        return _json_mistake(file.text)
    is_yaml = without_archive_suffix(file.path).lower().endswith((".yaml", ".yml"))
    found = yaml_mistake(file.text) if form == "yaml" or (form == "settings" and is_yaml) else None
    if found is None:
        return None
    line, why, begun = found
    return Mistake(line, why, file.text, _FROM_HERE if begun else _ALL)


def _json_mistake(text: str) -> Mistake | None:
    """The mistake in one value, or in lines of JSON if the first of them is a value."""
    try:
        json.loads(text)
    except json.JSONDecodeError as whole:
        begun = ""
        for number, line in enumerate(text.split("\n"), 1):
            try:
                if line.strip():
                    json.loads(line)
            except json.JSONDecodeError as problem:
                if begun:
                    return Mistake(number, f"not valid JSON: {problem.msg}", begun, _FROM_HERE)
                return Mistake(whole.lineno, f"not valid JSON: {whole.msg}", text, _ALL)
            begun += f"{line}\n" if line.strip() else ""
    except (ValueError, RecursionError):  # a number of 5,000 digits, a thousand brackets: no list of logs
        return None
    return None

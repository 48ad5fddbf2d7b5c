"""Reads the blocks of rows in a file that may be an index: pages, delimited text, JSON, YAML, settings.

``{"log": "a1.log", "server": "envoy"}`` is a row with the cells ``a1.log`` and ``envoy``; so is the line
``a1.log: envoy`` of a list. No text raises an exception.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from wrkparse.context.index.blocks import (
    DESCRIPTION_HEADER,
    NAME_HEADER,
    Block,
    IndexContents,
    IndexRow,
    describes_folder,
    index_form,
    row_text,
)
from wrkparse.context.index.objects import read_json, read_yaml
from wrkparse.context.index.tables import Line, read_csv, read_tables
from wrkparse.source.discover import without_archive_suffix

_LONGEST_LINE = 500  # characters; a longer line of a page is a paragraph
_LONGEST_NAME = 120  # characters of a name of logs in a list
_BULLET = re.compile(r"\s{0,20}(?:[-*+•]|[0-9]{1,3}[.)])\s{1,8}(?=\S)")
# Between a name and its description. The first in the line counts.
_SEPARATOR = re.compile(r"\s?[:：](?=\s)|：|\s(?:—|–|-|=|=>|->|→)\s|\t| {2,9}(?=\S)")
# The end of a range of logs, with a separator after it: "run1.txt - run3.txt: no cache".
_END_OF_RANGE = re.compile(r"[A-Za-z]{0,12}[ _#-]?[0-9]{1,6}(?:\.[A-Za-z0-9]{1,8}){0,2}(?=\s?[:：]|\s[—–=-])")
# Names of several words: "runs 1-3", "run 4 to 6", "run1.txt, run2.txt and run3.txt".
_NUMBERED_NAME = re.compile(r"[A-Za-z]{1,12}s? ?[0-9]")
_ASSIGNED = re.compile(r"(?:export\s{1,4})?([A-Za-z_][\w.-]{0,63})\s?[:=]\s?(\S[^\n]{0,300})?")
_COMMENT = re.compile(r"\s#\s")


def read_index(path: str, text: str) -> IndexContents:
    """Read the blocks and mistakes of a file with this path; empty if it is not an index by its name or text."""
    form = index_form(path)
    if form == "objects":
        return read_json(text, of_folder=describes_folder(path))
    if form == "yaml":
        return read_yaml(text)
    if form == "table":
        return IndexContents(list(read_csv(text)), [])
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1)]
    if form == "settings":
        is_yaml = without_archive_suffix(path).lower().endswith((".yaml", ".yml"))
        nested = read_yaml(text) if is_yaml else IndexContents([], [])
        return IndexContents([*_read_settings(lines), *nested.blocks], nested.mistakes)
    if form != "page":
        return IndexContents([], [])
    short = [(number, line if len(line) <= _LONGEST_LINE else "") for number, line in lines]
    return IndexContents([*read_tables(short), *_read_lists(short)], [])


def _read_lists(lines: Sequence[Line]) -> Iterator[Block]:
    """The lists of names with descriptions. Blank lines may be between items with bullets only."""
    rows: list[IndexRow] = []
    bulleted = False
    for number, line in lines:
        bullet = _BULLET.match(line)
        if not line.strip() and bulleted:
            continue
        row = _read_item(number, line, bullet.end() if bullet else 0)
        if rows and row is None and not bullet and line[:1] in (" ", "\t") and line.strip():
            continue  # a continued item
        if rows and (row is None or bool(bullet) != bulleted) and not (bullet and bulleted):
            yield Block("list", (NAME_HEADER, DESCRIPTION_HEADER), tuple(rows))
            rows = []
        if row or (bullet and rows):
            rows.append(row or IndexRow(("", ""), number, ""))
            bulleted = bool(bullet)
        elif not rows:
            bulleted = False
    if rows:
        yield Block("list", (NAME_HEADER, DESCRIPTION_HEADER), tuple(rows))


def _read_item(number: int, line: str, start: int) -> IndexRow | None:
    """The name before a separator, and the text after it; None if a line is not an item."""
    text = line[start:].strip().replace("**", "").replace("`", "")
    if "|" in text or text.startswith("#"):
        return None
    separators = (found for found in _SEPARATOR.finditer(text) if not _END_OF_RANGE.match(text, found.end()))
    separator = next(separators, None)
    if separator is None or not 0 < separator.start() <= _LONGEST_NAME:
        return None
    name, content = text[: separator.start()].strip(), text[separator.end() :].strip(" \t-–—:")
    if not content or (" " in name and not _NUMBERED_NAME.match(name) and "](" not in name):
        return None
    return IndexRow((name, content), number, row_text(line))


def _read_settings(lines: Sequence[Line]) -> Iterator[Block]:
    """The top-level keys of YAML, TOML, properties or variables, as one row; nested values are left out."""
    pairs: dict[str, str] = {}
    first = 0
    for number, line in lines:
        match = _ASSIGNED.fullmatch(_COMMENT.split(line, maxsplit=1)[0].rstrip())
        if line.startswith("["):  # a table of TOML: its keys are nested
            break
        if match and match[2]:
            value = match[2].strip().strip("\"'")
            if value and value[0] not in "[{&*|>":
                pairs.setdefault(match[1], value)
                first = first or number
    if pairs:
        text = row_text(", ".join(f"{key}={value}" for key, value in pairs.items()))
        yield Block("folder", tuple(pairs), (IndexRow(tuple(pairs.values()), first, text),))

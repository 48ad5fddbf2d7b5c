"""The blocks of rows in a file that may be an index: pages, delimited text, JSON, settings.

``{"log": "a1.log", "server": "envoy"}`` is a row with the cells ``a1.log`` and ``envoy``; so is the line
``a1.log: envoy`` of a list. Any text gives blocks or none, and no exception.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from wrkparse.context.index.blocks import Block, Row, form_of, row_text, tells_of_folder
from wrkparse.context.index.tables import Line, read_csv, read_tables

NAME = "file"  # header of the names of a list, and of the keys of an object
DESCRIPTION = "description"  # header of what a list says of a name
_LONGEST_LINE = 500  # characters; a longer line of a page is a paragraph
_LONGEST_NAME = 120  # characters of what may name a log in a list
# Bound what a hostile file of JSON costs.
_MOST_DEPTH = 3  # objects in which the list of logs may stand: {"study": {"runs": […]}}
_MOST_BLOCKS = 100
_MOST_CELLS = 1_000_000  # objects without a common key make as many columns as rows
_MOST_FAILURES = 3  # names that are not in the text as they are written anew
_BULLET = re.compile(r"\s{0,20}(?:[-*+•]|[0-9]{1,3}[.)])\s{1,8}(?=\S)")
# Between a name and what is said of it. The first in the line counts.
_SEPARATOR = re.compile(r"\s?[:：](?=\s)|：|\s(?:—|–|-|=|=>|->|→)\s|\t| {2,9}(?=\S)")
# The end of a range of logs, which a separator of its own follows: "run1.txt - run3.txt: no cache".
_END_OF_RANGE = re.compile(r"[A-Za-z]{0,12}[ _#-]?[0-9]{1,6}(?:\.[A-Za-z0-9]{1,8}){0,2}(?=\s?[:：]|\s[—–=-])")
# Names of several words: "runs 1-3", "run 4 to 6", "run1.txt, run2.txt and run3.txt".
_COUNTED_NAME = re.compile(r"[A-Za-z]{1,12}s? ?[0-9]")
_ASSIGNED = re.compile(r"(?:export\s{1,4})?([A-Za-z_][\w.-]{0,63})\s?[:=]\s?(\S[^\n]{0,300})?")
_REMARK = re.compile(r"\s#\s")


def read_index(path: str, text: str) -> list[Block]:
    """The blocks of rows in a file with this path; none where its name or its text is that of no index."""
    form = form_of(path)
    if form == "objects":
        return _objects(text, of_folder=tells_of_folder(path))
    if form == "table":
        return list(read_csv(text))
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1)]
    if form == "settings":
        return list(_settings(lines))
    if form != "page":
        return []
    short = [(number, line if len(line) <= _LONGEST_LINE else "") for number, line in lines]
    return [*read_tables(short), *_lists(short)]


def _lists(lines: Sequence[Line]) -> Iterator[Block]:
    """Runs of lines that each say something of a name. Blank lines stand between items with bullets only."""
    rows: list[Row] = []
    bulleted = False
    for number, line in lines:
        bullet = _BULLET.match(line)
        if not line.strip() and bulleted:
            continue
        row = _item(number, line, bullet.end() if bullet else 0)
        if rows and row is None and not bullet and line[:1] in (" ", "\t") and line.strip():
            continue  # an item that goes on
        if rows and (row is None or bool(bullet) != bulleted) and not (bullet and bulleted):
            yield Block("list", (NAME, DESCRIPTION), tuple(rows))
            rows = []
        if row or (bullet and rows):
            rows.append(row or Row(("", ""), number, ""))
            bulleted = bool(bullet)
        elif not rows:
            bulleted = False
    if rows:
        yield Block("list", (NAME, DESCRIPTION), tuple(rows))


def _item(number: int, line: str, start: int) -> Row | None:
    """The name in front of a separator, and the text behind it; None for a line that is no such item."""
    text = line[start:].strip().replace("**", "").replace("`", "")
    if "|" in text or text.startswith("#"):
        return None
    separators = (found for found in _SEPARATOR.finditer(text) if not _END_OF_RANGE.match(text, found.end()))
    separator = next(separators, None)
    if separator is None or not 0 < separator.start() <= _LONGEST_NAME:
        return None
    name, said = text[: separator.start()].strip(), text[separator.end() :].strip(" \t-–—:")
    if not said or (" " in name and not _COUNTED_NAME.match(name) and "](" not in name):
        return None
    return Row((name, said), number, row_text(line))


def _settings(lines: Sequence[Line]) -> Iterator[Block]:
    """The flat keys of YAML, TOML, properties or variables, as one row; nested values are left out."""
    pairs: dict[str, str] = {}
    first = 0
    for number, line in lines:
        match = _ASSIGNED.fullmatch(_REMARK.split(line, maxsplit=1)[0].rstrip())
        if line.startswith("["):  # a table of TOML: its keys are nested
            break
        if match and match[2]:
            value = match[2].strip().strip("\"'")
            if value and value[0] not in "[{&*|>":
                pairs.setdefault(match[1], value)
                first = first or number
    if pairs:
        text = row_text(", ".join(f"{key}={value}" for key, value in pairs.items()))
        yield Block("folder", tuple(pairs), (Row(tuple(pairs.values()), first, text),))


def _objects(text: str, *, of_folder: bool) -> list[Block]:
    """The rows of JSON: a list of objects, an object by the names of logs, lines of JSON, or one object.

    Only lines of JSON have numbers and texts yet; `located` finds those of other rows.
    """
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        return list(_table_of_objects(list(_json_lines(text))))
    found = list(islice(_nested(whole, _MOST_DEPTH), _MOST_BLOCKS))
    if isinstance(whole, dict) and of_folder:
        pairs = {key: shown for key, value in whole.items() if (shown := _scalar(value)) is not None}
        if pairs:
            found.append(Block("folder", tuple(pairs), (Row(tuple(pairs.values()), 1, row_text(text)),)))
    return found


_Object = tuple[dict[str, object], int, str]  # with the line where it stands, and its text


def _nested(value: object, depth: int) -> Iterator[Block]:
    """The blocks in a list or an object, and in what it holds."""
    if isinstance(value, list):
        yield from _table_of_objects([(item, 0, "") for item in value if isinstance(item, dict)])
    elif isinstance(value, dict):
        named = {key: inner for key, inner in value.items() if isinstance(inner, dict)}
        yield from _table_of_objects([({NAME: key} | inner, 0, "") for key, inner in named.items()])
        told = tuple(Row((key, inner), 0, "") for key, inner in value.items() if isinstance(inner, str))
        if told:
            yield Block("list", (NAME, DESCRIPTION), told)
        yield from _table_of_objects([(value, 0, "")])
        for inner in value.values() if depth else ():
            yield from _nested(inner, depth - 1)


def _json_lines(text: str) -> Iterator[_Object]:
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                value = json.loads(line)
            except (ValueError, RecursionError):
                return
            if isinstance(value, dict):
                yield value, number, row_text(line)


def _table_of_objects(objects: Sequence[_Object]) -> Iterator[Block]:
    """Objects as the rows of a table: its columns are all their keys with plain values."""
    flat = [({key: _scalar(value) or "" for key, value in one.items()}, line, text) for one, line, text in objects]
    header = tuple(dict.fromkeys(key for one, _, _ in flat for key, value in one.items() if value))
    if len(header) > 1 and len(header) * len(flat) <= _MOST_CELLS:
        rows = (Row(tuple(one.get(key, "") for key in header), line, text) for one, line, text in flat)
        yield Block("table", header, tuple(rows))


def _scalar(value: object) -> str | None:
    """A plain value as text: ``true``, ``64``, ``envoy``; None for null, NaN, lists and objects."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return str(value) if isinstance(value, str | int | float) else None


def located(rows: Iterable[tuple[Row, str]], text: str) -> Iterator[Row]:
    """Rows of JSON, in their order, with the lines where their names stand; the names are given beside them."""
    at, line, failures = 0, 1, 0
    for row, name in rows:
        found = -1 if row.line or failures == _MOST_FAILURES else text.find(json.dumps(name, ensure_ascii=False), at)
        failures += found < 0
        if found >= 0:
            line += text.count("\n", at, found)
            at = found
        start = max(text.rfind("\n", 0, at) + 1, text.rfind("{", max(0, at - _LONGEST_LINE), at))
        inner, bracket, _ = text[start : at + _LONGEST_LINE].partition("}")
        yield row if row.line else row._replace(line=line, text=row_text(inner + bracket))
        at += 1

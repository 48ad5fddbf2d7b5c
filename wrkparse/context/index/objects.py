"""Reads the blocks of rows in JSON and YAML: lists of objects, objects by the names of logs, lists of names by a key.

``{"log": "a1.log", "server": "envoy"}`` is a row with the cells ``a1.log`` and ``envoy``; so is ``envoy: [a1.log]``.
"""

from __future__ import annotations

import json
import math
import posixpath
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from wrkparse.context.index.blocks import (
    COSTS_ALL_LABELS,
    COSTS_LATER_LABELS,
    DESCRIPTION_HEADER,
    NAME_HEADER,
    Block,
    IndexContents,
    IndexRow,
    Mistake,
    row_text,
)
from wrkparse.context.index.headers import is_known_key, label_key, names_framework, names_logs
from wrkparse.context.index.yaml_values import LocatedMapping, repeated_key, yaml_documents

_LONGEST_OBJECT = 500  # characters after the name of a log that are searched for the end of its object
# The next three bound the time for a hostile file of JSON.
_MOST_DEPTH = 3  # objects around the list of logs at most: {"study": {"runs": […]}}
_MOST_BLOCKS = 100  # lists of logs in one file
_MOST_CELLS = 1_000_000  # objects without a common key make as many columns as rows
# Headers for the framework; an object may have some of them as keys.
_FRAMEWORK_HEADERS = (
    "name",
    "variant",
    "subject",
    *map(str, range(10)),
)
_MOST_MISTAKES = 10  # mistakes that are reported of one file
# Names that are not found in the text in the form that `json.dumps` gives them; then the search ends.
_MOST_NOT_FOUND = 3

_SharedValues = Mapping[str, object]  # keys and values beside a list that hold for all of it
_Object = tuple[Mapping[str, object], int, str]  # an object, its line and its text


def read_json(text: str, *, of_folder: bool) -> IndexContents:
    """Read the rows of JSON: a list of objects, an object by the names of logs, lines of JSON, or one object.

    Only lines of JSON have line numbers and texts yet; `with_lines` finds those of other rows.
    """
    keys: list[str] = []
    try:
        whole = _load_json(text, keys)
    except (ValueError, RecursionError) as problem:
        objects, mistakes = _json_lines(text, problem)
        return IndexContents(list(_table_of_objects(objects)), mistakes)
    found = list(islice(_find_blocks(whole, _MOST_DEPTH, set()), _MOST_BLOCKS))
    if isinstance(whole, dict) and of_folder:
        pairs = {key: shown for key, value in whole.items() if (shown := _scalar_text(value)) is not None}
        if pairs:
            found.append(Block("folder", tuple(pairs), (IndexRow(tuple(pairs.values()), 1, row_text(text)),)))
    return IndexContents(found, _repeated_keys(text, keys))


def read_yaml(text: str) -> IndexContents:
    """Read the rows of YAML, in the same forms; each document may be a row, or contain some."""
    documents, mistakes = yaml_documents(text)
    seen = set[int]()
    blocks = (block for one in documents for block in _find_blocks(one, _MOST_DEPTH, seen))
    found = list(islice(blocks, _MOST_BLOCKS))
    return IndexContents([*found, *(_combine_documents(documents) if len(documents) > 1 else ())], mistakes)


def _combine_documents(documents: Sequence[object]) -> Iterator[Block]:
    """The blocks of several documents together: their objects as rows, and all keys in one object if they differ."""
    objects = [one for document in documents for one in (document if isinstance(document, list) else [document])]
    yield from _table_of_objects([(one, *_line_and_text(one)) for one in objects if isinstance(one, dict)])
    whole = LocatedMapping()
    for one in documents:
        if not isinstance(one, LocatedMapping) or not whole.keys().isdisjoint(one):
            return
        whole.update(one)
        whole.places |= one.places
    yield from _find_blocks(whole, 0, set())


def _load_json(text: str, repeated_keys: list[str]) -> object:
    """Parse JSON, and add keys that an object has twice to `repeated_keys`. Raises as `json.loads` does."""

    def of_pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
        found = dict(pairs)
        if len(found) < len(pairs):
            repeated_keys.extend(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        return found

    return json.loads(text, object_pairs_hook=of_pairs)


def _repeated_keys(text: str, keys: Sequence[str]) -> list[Mistake]:
    """A mistake for each key that an object has twice: JSON is YAML, whose reader knows the lines."""
    found = yaml_documents(text)[1] if keys else []
    return found or [Mistake(1, *repeated_key(key, None), text) for key in keys[:1]]


def _find_blocks(value: object, depth: int, seen: set[int], shared: _SharedValues | None = None) -> Iterator[Block]:
    """The blocks in a list or an object, and in its values; `shared` are values beside it that hold for all of it.

    Several aliases of YAML may name one object, which is read only once: `seen` has the identities of objects read
    before.
    """
    if id(value) in seen:
        return
    if isinstance(value, list | dict):
        seen.add(id(value))
    if isinstance(value, list):
        yield from _table_of_objects(
            [(item, *_line_and_text(item)) for item in value if isinstance(item, dict)], shared
        )
    elif isinstance(value, dict):
        shared = {**(shared or {}), **_settings_beside(value)}
        named = {key: inner for key, inner in value.items() if isinstance(inner, dict)}
        yield from _table_of_objects(
            [({_header_of_keys(inner): key} | inner, *_line_and_text(value, key)) for key, inner in named.items()],
            shared,
        )
        if any(_names_one_log(key, inner) for key, inner in named.items()):
            yield from _table_of_objects(
                [
                    ({_unused_framework_header(inner): key} | inner, *_line_and_text(value, key))
                    for key, inner in named.items()
                ],
                shared,
            )
        pairs = [(key, inner) for key, inner in value.items() if isinstance(inner, str)]
        if pairs:
            rows = tuple(IndexRow(pair, *_line_and_text(value, pair[0])) for pair in pairs)
            yield Block("list", (NAME_HEADER, DESCRIPTION_HEADER), rows)
            yield Block("list", (DESCRIPTION_HEADER, NAME_HEADER), rows)
        listed = [(key, names) for key, inner in value.items() if (names := _names_as_cell(inner))]
        if listed:
            rows = tuple(IndexRow(pair, *_line_and_text(value, pair[0])) for pair in listed)
            yield Block("list", (DESCRIPTION_HEADER, NAME_HEADER), rows)
        yield from _table_of_objects([(value, *_line_and_text(value))])
        for inner in value.values() if depth else ():
            yield from _find_blocks(inner, depth - 1, seen, shared)


def _header_of_keys(inner: Mapping[str, object]) -> str:
    """The header for the keys of objects: for names of logs, or of the framework if the object itself names logs."""
    if not any(_names_as_cell(value) and names_logs(key) for key, value in inner.items()):
        return NAME_HEADER
    return _unused_framework_header(inner)


def _unused_framework_header(inner: Mapping[str, object]) -> str:
    """A header for the framework that is not a key of an object."""
    return next(header for header in _FRAMEWORK_HEADERS if header not in inner)


def _names_one_log(key: str, inner: Mapping[str, object]) -> bool:
    """Whether an object names a log, as in ``kiwi: {log: a1.log}``.

    Its own key must not be of the same kind, as in ``a1.log: {output: b1.log}``.
    """
    suffixes = (
        posixpath.splitext(name)[1] for field, name in inner.items() if isinstance(name, str) and names_logs(field)
    )
    return any(suffix and suffix != posixpath.splitext(key)[1] for suffix in suffixes)


def _line_and_text(value: object, key: str | None = None) -> tuple[int, str]:
    """The line and the text of an object, or of one of its keys; 0 and an empty text if unknown."""
    if not isinstance(value, LocatedMapping):
        return 0, ""
    return value.place if key is None else value.places.get(key, value.place)


def _settings_beside(value: Mapping[str, object]) -> dict[str, object]:
    """The plain values with known keys: beside ``runs`` they hold for all runs, as ``threads: 4`` does."""
    return {
        key: inner
        for key, inner in value.items()
        if _scalar_text(inner) is not None
        and is_known_key(label_key(key))
        and label_key(key) != "port"
        and not names_framework(key)
    }


def _names_as_cell(value: object) -> str:
    """The texts of a list as one cell: ``a1.log, b2.log``; empty for other values."""
    if isinstance(value, list) and value and all(isinstance(name, str) for name in value):
        return ", ".join(map(str, value))
    return ""


def _json_lines(text: str, whole: Exception) -> tuple[list[_Object], list[Mistake]]:
    """The objects in lines of JSON up to the first other line, and the mistakes in them, or in the one value.

    `whole` is the error of reading the text as one value. Text that is too large for an index (a number of 5,000
    digits, a thousand brackets) is not a mistake.
    """
    found: list[_Object] = []
    mistakes: list[Mistake] = []
    begun = 0  # lines with a value each
    for number, line in enumerate(text.split("\n"), 1):
        keys: list[str] = []
        try:
            value = _load_json(line, keys) if line.strip() else None
        except json.JSONDecodeError as problem:
            if begun:
                read = "\n".join(text.split("\n", number)[: number - 1])
                mistakes.append(Mistake(number, f"not valid JSON: {problem.msg}", COSTS_LATER_LABELS, read))
            elif isinstance(whole, json.JSONDecodeError):
                mistakes.append(Mistake(whole.lineno, f"not valid JSON: {whole.msg}", COSTS_ALL_LABELS, text))
            break
        except (ValueError, RecursionError):
            break
        begun += bool(line.strip())
        mistakes += [Mistake(number, *repeated_key(key, None), line) for key in keys[:1]]
        if isinstance(value, dict):
            found.append((value, number, row_text(line)))
    return found, mistakes[:_MOST_MISTAKES]


def _table_of_objects(objects: Sequence[_Object], shared: _SharedValues | None = None) -> Iterator[Block]:
    """A table with a row for each object: its columns are all keys with plain values, and those of `shared`."""
    if shared:
        spelled = {label_key(key): key for one, _, _ in objects for key in one}
        beside = {spelled.get(label_key(key), key): value for key, value in shared.items()}
        objects = [({**beside, **one}, line, text) for one, line, text in objects]
    flat = [({key: _cell(key, value) for key, value in one.items()}, line, text) for one, line, text in objects]
    header = tuple(dict.fromkeys(key for one, _, _ in flat for key, value in one.items() if value))
    if len(header) > 1 and len(header) * len(flat) <= _MOST_CELLS:
        rows = (IndexRow(tuple(one.get(key, "") for key in header), line, text) for one, line, text in flat)
        yield Block("table", header, tuple(rows))


def _cell(key: str, value: object) -> str:
    """A value as a cell; a list only if its key is for names of logs."""
    return _scalar_text(value) or (_names_as_cell(value) if isinstance(value, list) and names_logs(key) else "")


def _scalar_text(value: object) -> str | None:
    """A plain value as text: ``true``, ``64``, ``envoy``; None for null, NaN, lists and objects."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return str(value) if isinstance(value, str | int | float) else None


def with_lines(rows: Iterable[tuple[IndexRow, str]], text: str) -> Iterator[IndexRow]:
    """Rows of JSON, in their order, with the lines of their names; the names are beside them."""
    at, line, failures = 0, 1, 0
    for row, name in rows:
        found = -1 if row.line or failures == _MOST_NOT_FOUND else text.find(json.dumps(name, ensure_ascii=False), at)
        failures += found < 0
        if found >= 0:
            line += text.count("\n", at, found)
            at = found
        start = max(text.rfind("\n", 0, at) + 1, text.rfind("{", max(0, at - _LONGEST_OBJECT), at))
        inner, bracket, _ = text[start : at + _LONGEST_OBJECT].partition("}")
        yield row if row.line else row._replace(line=line, text=row_text(inner + bracket))
        at += 1

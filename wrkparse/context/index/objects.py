"""The blocks of rows in JSON and YAML: a list of objects, an object by the names of logs, lists of names by a key.

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
    COSTS_ALL,
    COSTS_THE_REST,
    DESCRIPTION,
    NAME,
    Block,
    Contents,
    Mistake,
    Row,
    row_text,
)
from wrkparse.context.index.headers import is_known, is_subject, key_of, names_logs
from wrkparse.context.index.yaml_values import Located, repeated, yaml_documents

_LONGEST_OBJECT = 500  # characters behind the name of a log in which its object is shown
# Bound what a hostile file of JSON costs.
_MOST_DEPTH = 3  # objects in which the list of logs may stand: {"study": {"runs": […]}}
_MOST_BLOCKS = 100
_MOST_CELLS = 1_000_000  # objects without a common key make as many columns as rows
_SUBJECTS = ("name", "variant", "subject", *map(str, range(10)))  # headers; an object may have some as keys
_MOST_MISTAKES = 10  # of one file
_MOST_FAILURES = 3  # names that are not in the text as they are written anew

_Held = Mapping[str, object]  # keys and values beside a list, which hold for all of it
_Object = tuple[Mapping[str, object], int, str]  # with the line where it stands, and its text


def read_json(text: str, *, of_folder: bool) -> Contents:
    """The rows of JSON: a list of objects, an object by the names of logs, lines of JSON, or one object.

    Only lines of JSON have numbers and texts yet; `located` finds those of other rows.
    """
    keys: list[str] = []
    try:
        whole = _loaded(text, keys)
    except (ValueError, RecursionError) as problem:
        objects, mistakes = _json_lines(text, problem)
        return Contents(list(_table_of_objects(objects)), mistakes)
    found = list(islice(_nested(whole, _MOST_DEPTH, set()), _MOST_BLOCKS))
    if isinstance(whole, dict) and of_folder:
        pairs = {key: shown for key, value in whole.items() if (shown := _scalar(value)) is not None}
        if pairs:
            found.append(Block("folder", tuple(pairs), (Row(tuple(pairs.values()), 1, row_text(text)),)))
    return Contents(found, _repeated_keys(text, keys))


def read_yaml(text: str) -> Contents:
    """The rows of YAML, in the same forms; each document may be a row, or have some."""
    documents, mistakes = yaml_documents(text)
    seen = set[int]()
    blocks = (block for one in documents for block in _nested(one, _MOST_DEPTH, seen))
    found = list(islice(blocks, _MOST_BLOCKS))
    return Contents([*found, *(_of_documents(documents) if len(documents) > 1 else ())], mistakes)


def _of_documents(documents: Sequence[object]) -> Iterator[Block]:
    """The blocks of documents together: of their objects, and of one with the keys of all where these differ."""
    objects = [one for document in documents for one in (document if isinstance(document, list) else [document])]
    yield from _table_of_objects([(one, *_place_of(one)) for one in objects if isinstance(one, dict)])
    whole = Located()
    for one in documents:
        if not isinstance(one, Located) or not whole.keys().isdisjoint(one):
            return
        whole.update(one)
        whole.places |= one.places
    yield from _nested(whole, 0, set())


def _loaded(text: str, keys: list[str]) -> object:
    """The value of a text; to `keys` those are added that an object has twice. Raises as `json.loads` does."""

    def of_pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
        found = dict(pairs)
        if len(found) < len(pairs):
            keys.extend(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        return found

    return json.loads(text, object_pairs_hook=of_pairs)


def _repeated_keys(text: str, keys: Sequence[str]) -> list[Mistake]:
    """The mistakes of keys that an object of a text has twice: JSON is YAML, whose reader knows their lines."""
    found = yaml_documents(text)[1] if keys else []
    return found or [Mistake(1, *repeated(key, None), text) for key in keys[:1]]


def _nested(value: object, depth: int, seen: set[int], held: _Held | None = None) -> Iterator[Block]:
    """The blocks in a list or an object, and in what it holds; `held` stands beside it, and holds for all of it.

    An object that several aliases of YAML name is looked at where it is met first: `seen` has the identities of those.
    """
    if id(value) in seen:
        return
    if isinstance(value, list | dict):
        seen.add(id(value))
    if isinstance(value, list):
        yield from _table_of_objects([(item, *_place_of(item)) for item in value if isinstance(item, dict)], held)
    elif isinstance(value, dict):
        held = {**(held or {}), **_settings_beside(value)}
        named = {key: inner for key, inner in value.items() if isinstance(inner, dict)}
        yield from _table_of_objects(
            [({_header_of(inner): key} | inner, *_place_of(value, key)) for key, inner in named.items()], held
        )
        if any(_names_one_log(key, inner) for key, inner in named.items()):
            yield from _table_of_objects(
                [({_subject_beside(inner): key} | inner, *_place_of(value, key)) for key, inner in named.items()], held
            )
        told = [(key, inner) for key, inner in value.items() if isinstance(inner, str)]
        if told:
            rows = tuple(Row(pair, *_place_of(value, pair[0])) for pair in told)
            yield Block("list", (NAME, DESCRIPTION), rows)
            yield Block("list", (DESCRIPTION, NAME), rows)
        listed = [(key, names) for key, inner in value.items() if (names := _names(inner))]
        if listed:
            rows = tuple(Row(pair, *_place_of(value, pair[0])) for pair in listed)
            yield Block("list", (DESCRIPTION, NAME), rows)
        yield from _table_of_objects([(value, *_place_of(value))])
        for inner in value.values() if depth else ():
            yield from _nested(inner, depth - 1, seen, held)


def _header_of(inner: Mapping[str, object]) -> str:
    """The header of the keys of objects: names of logs, or of what was measured if the object names logs itself."""
    if not any(_names(value) and names_logs(key) for key, value in inner.items()):
        return NAME
    return _subject_beside(inner)


def _subject_beside(inner: Mapping[str, object]) -> str:
    """A header of what was measured that no key of an object is."""
    return next(header for header in _SUBJECTS if header not in inner)


def _names_one_log(key: str, inner: Mapping[str, object]) -> bool:
    """Whether the object of a key has a file's name where logs are named: ``kiwi: {log: a1.log}``.

    The key is none of its own kind, as in ``a1.log: {output: b1.log}``.
    """
    suffixes = (
        posixpath.splitext(name)[1] for field, name in inner.items() if isinstance(name, str) and names_logs(field)
    )
    return any(suffix and suffix != posixpath.splitext(key)[1] for suffix in suffixes)


def _place_of(value: object, key: str | None = None) -> tuple[int, str]:
    """The line and the text of an object, or of one of its keys, if they are known; else 0 and nothing."""
    if not isinstance(value, Located):
        return 0, ""
    return value.place if key is None else value.places.get(key, value.place)


def _settings_beside(value: Mapping[str, object]) -> dict[str, object]:
    """The plain values whose keys a list knows: beside ``runs`` they hold for all runs, as ``threads: 4`` does."""
    return {
        key: inner
        for key, inner in value.items()
        if _scalar(inner) is not None and is_known(key_of(key)) and key_of(key) != "port" and not is_subject(key)
    }


def _names(value: object) -> str:
    """Texts of a list as one cell: ``a1.log, b2.log``; empty for other values."""
    if isinstance(value, list) and value and all(isinstance(name, str) for name in value):
        return ", ".join(map(str, value))
    return ""


def _json_lines(text: str, whole: Exception) -> tuple[list[_Object], list[Mistake]]:
    """The objects in lines of JSON up to the first other line, and the mistakes in them, or in the one value.

    `whole` says why the text is not one value. What is no list of logs for its size (a number of 5,000 digits, a
    thousand brackets) is no mistake.
    """
    found: list[_Object] = []
    mistakes: list[Mistake] = []
    begun = 0  # lines with a value each
    for number, line in enumerate(text.split("\n"), 1):
        keys: list[str] = []
        try:
            value = _loaded(line, keys) if line.strip() else None
        except json.JSONDecodeError as problem:
            if begun:
                read = "\n".join(text.split("\n", number)[: number - 1])
                mistakes.append(Mistake(number, f"not valid JSON: {problem.msg}", COSTS_THE_REST, read))
            elif isinstance(whole, json.JSONDecodeError):
                mistakes.append(Mistake(whole.lineno, f"not valid JSON: {whole.msg}", COSTS_ALL, text))
            break
        except (ValueError, RecursionError):
            break
        begun += bool(line.strip())
        mistakes += [Mistake(number, *repeated(key, None), line) for key in keys[:1]]
        if isinstance(value, dict):
            found.append((value, number, row_text(line)))
    return found, mistakes[:_MOST_MISTAKES]


def _table_of_objects(objects: Sequence[_Object], held: _Held | None = None) -> Iterator[Block]:
    """Objects as the rows of a table: its columns are all their keys with plain values, and those of `held`."""
    if held:
        spelled = {key_of(key): key for one, _, _ in objects for key in one}
        beside = {spelled.get(key_of(key), key): value for key, value in held.items()}
        objects = [({**beside, **one}, line, text) for one, line, text in objects]
    flat = [({key: _cell(key, value) for key, value in one.items()}, line, text) for one, line, text in objects]
    header = tuple(dict.fromkeys(key for one, _, _ in flat for key, value in one.items() if value))
    if len(header) > 1 and len(header) * len(flat) <= _MOST_CELLS:
        rows = (Row(tuple(one.get(key, "") for key in header), line, text) for one, line, text in flat)
        yield Block("table", header, tuple(rows))


def _cell(key: str, value: object) -> str:
    """A value as a cell: a list only where its key says that it has names of logs."""
    return _scalar(value) or (_names(value) if isinstance(value, list) and names_logs(key) else "")


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
        start = max(text.rfind("\n", 0, at) + 1, text.rfind("{", max(0, at - _LONGEST_OBJECT), at))
        inner, bracket, _ = text[start : at + _LONGEST_OBJECT].partition("}")
        yield row if row.line else row._replace(line=line, text=row_text(inner + bracket))
        at += 1

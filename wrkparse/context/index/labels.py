"""Makes the labels that index files give the logs which they name.

The row ``| 01.log | envoy | off |`` of a README below ``| Log | Server | TLS |`` gives the runs of ``01.log`` the
labels ``framework=envoy`` and ``tls=off``. A table or list is an index only if most of its rows name logs with runs,
and at least two do, or one if there is only one log. Other tables give no labels.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from wrkparse.context.index.blocks import Block, BlockKind, IndexRow, Mistake, plain_cell
from wrkparse.context.index.headers import (
    is_description,
    is_known_key,
    is_result,
    is_row_number,
    label_key,
    names_framework,
    names_logs,
)
from wrkparse.context.index.log_names import Logs, NamedLogs, is_identifier
from wrkparse.context.index.objects import with_lines
from wrkparse.context.index.reading import read_index
from wrkparse.context.precedence import is_possible_value, suits_key
from wrkparse.context.slots.places import FRAMEWORK
from wrkparse.context.structure.factors.factor_labels import FACTOR_KEYS
from wrkparse.context.titles.known_names import is_known_name
from wrkparse.context.titles.name_extraction import is_sentence
from wrkparse.context.titles.path_parts import without_suffixes
from wrkparse.context.titles.titles import read_title
from wrkparse.context.titles.vocabulary import NON_LABEL_KEYS, TIME_WORDS
from wrkparse.model.records import Label

ORIGIN = "index"
_LONGEST_VALUE = 60  # characters; longer cells are notes
_SAMPLED_ROWS = 40  # rows that are tried first in a long column; most rows of an index name logs
_EMPTY_CELLS = frozenset({"", "-", "–", "—", "?", "n/a", "na", "null", "nil", "tbd", "…", "..."})
# Numbers as results are printed: with decimals or thousands, maybe with a unit.
_RESULT = re.compile(r"[~≈<>]?\s?[0-9]{1,12}(?:\.[0-9]{1,12}|(?:,[0-9]{3}){1,3}(?:\.[0-9]{1,9})?)\s?[A-Za-zµ%/]{0,8}")
_BARE_NUMBERS = re.compile(r"[1-9][0-9]{0,5}(?:\s?(?:-|–|,|to)\s?[0-9]{1,6}){0,20}")  # "1", "4-6"; but "01" is a name
_ADDRESS = re.compile(r"://|:[0-9]{2,5}\Z|\A[0-9]{1,3}(?:\.[0-9]{1,3}){3}\Z")  # "http://h/", "kiwi:8080", "10.0.0.1"
_SWITCH_VALUES = frozenset({"true", "false", "yes", "no", "on", "off", "none"})
# "2026-11-20T10:00:00Z", "10:00"
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9:.,+Zz-]{1,30})?|[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?")
# A description of the log, not of the thing that was measured.
_DESCRIBES_LOG = re.compile(
    rf"(?:(?:{TIME_WORDS})[\s,.]{{0,3}}){{1,4}}|.{{0,60}}\b(?:outputs?|logs?|results?|stdout|stderr|dump)\s(?:of|from)\b.*"
    r"|.{0,60}\b(?:broken|ignored?|invalid|discard(?:ed)?|aborted)\b.*|see\s.*",
    re.IGNORECASE,
)
# Times that the rows of one block may name a log on average; bounds the time for many rows with ranges.
_MOST_NAMINGS = 10


class IndexFile(NamedTuple):
    """A file that may be an index: its source as in the tables, its path, and its text."""

    source: str
    path: str
    text: str


class IndexLabels(NamedTuple):
    """The labels that index files give logs, and the mistakes in the files; both by source."""

    labels: dict[str, list[Label]]
    mistakes: dict[str, list[Mistake]]


class _Column(NamedTuple):
    """A column that gives labels: its index, and the key of the labels."""

    at: int
    key: str


def index_labels(files: Iterable[IndexFile], logs: Mapping[str, str]) -> IndexLabels:
    """The labels of the logs with these paths, by source; labels from inner folders come last.

    The text of each label begins with the source and the line of its index. If two rows of a table give a log different
    values, neither counts.
    """
    known = Logs(logs)
    # outer folders first: later labels win
    ordered = sorted(files, key=lambda file: (file.path.count("/"), file.path))
    folders: list[tuple[IndexFile, Block]] = []
    rows: dict[BlockKind, list[dict[str, list[Label]]]] = {"list": [], "table": []}
    mistakes: dict[str, list[Mistake]] = {}
    for file in ordered if logs else ():
        contents = read_index(file.path, file.text)
        if contents.mistakes:
            mistakes[file.source] = contents.mistakes
        for block in contents.blocks:
            if block.kind == "folder":
                folders.append((file, block))
            elif given := _labels_of_rows(file, block, known):
                rows[block.kind].append(given)
    varying = _varying_keys(folders)
    of_folders = [_folder_labels(file, block, known, varying) for file, block in folders]
    found: dict[str, list[Label]] = defaultdict(list)
    for given in (*of_folders, *rows["list"], *rows["table"]):  # the most specific labels come last
        for source, labels in given.items():
            found[source] += labels
    # Documents of YAML are read one by one and together, which may give a label twice.
    each = {source: list(reversed(dict.fromkeys(reversed(labels)))) for source, labels in found.items()}
    return IndexLabels(each, mistakes)


def index_source(label: Label) -> str:
    """The source of the index that gave a label of this origin: ``README.md``."""
    return (label.text or "").partition(f":{label.line}: ")[0]


def _varying_keys(blocks: Iterable[tuple[IndexFile, Block]]) -> frozenset[tuple[str, str]]:
    """The headers, each with the name of its file, whose values differ between folders with such a file."""
    values: dict[tuple[str, str], set[str]] = defaultdict(set)
    for file, block in blocks:
        for header, cell in zip(block.header, block.rows[0].cells, strict=True):
            values[posixpath.basename(file.path), header].add(cell)
    return frozenset(place for place, different in values.items() if len(different) > 1)


def _folder_labels(
    file: IndexFile, block: Block, logs: Logs, varying: frozenset[tuple[str, str]]
) -> dict[str, list[Label]]:
    """The labels of all logs of a folder. Unknown keys count if the files of other folders have other values.

    The ``config.json`` of a server has keys of many kinds, its port among them.
    """
    name, row = posixpath.basename(file.path), block.rows[0]
    columns = [
        column
        for column in _label_columns(block.header, block.rows, -1)
        if (is_known_key(column.key) and column.key != "port" and not names_framework(block.header[column.at]))
        or (name, block.header[column.at]) in varying
    ]
    cells = ((column.key, row.cells[column.at]) for column in columns)
    labels = [label for key, cell in cells for label in _cell_labels(file, key, cell, row, "folder")]
    below = logs.logs_below(posixpath.dirname(file.path)) if labels else ()
    return {source: list(labels) for source in below}


def _labels_of_rows(file: IndexFile, block: Block, logs: Logs) -> dict[str, list[Label]]:
    """The labels of the logs that the rows of a table or a list name; empty if it is not an index."""
    folder = posixpath.dirname(file.path)
    least = 1 if len(logs.logs_below(folder)) == 1 else 2
    if len(block.rows) < least:
        return {}
    at, named = _find_naming_column(block, logs, folder)
    matched = [(row, naming) for row, naming in zip(block.rows, named, strict=True) if naming.sources]
    if len(matched) < least or 2 * len(matched) <= len(block.rows):
        return {}
    columns = _label_columns(block.header, block.rows, at)
    rows = with_lines(((row, row.cells[at]) for row, _ in matched), file.text)
    found: dict[str, list[Label]] = defaultdict(list)
    for row, (_, naming) in zip(rows, matched, strict=True):
        for source in naming.sources:
            named_in_full = naming.is_certain or block.kind == "table" or is_identifier(_log_stem(source))
            is_name = named_in_full and not _has_known_name(source)
            found[source] += _row_labels(file, columns, row, is_name=is_name)
    return {source: kept for source, labels in found.items() if (kept := _undisputed_labels(labels))}


def _find_naming_column(block: Block, logs: Logs, folder: str) -> tuple[int, list[NamedLogs]]:
    """The column that names most logs, with the logs of each row."""
    best: tuple[int, list[NamedLogs]] = (0, [NamedLogs(())] * len(block.rows))
    most = (0, False)
    others = [_has_results(header, block.rows, at) for at, header in enumerate(block.header)]
    for at, header in enumerate(block.header):
        may_name = _may_name_logs(block, at, has_results=sum(others) > others[at])
        if not (may_name or _has_suffixes(block.rows, at)) or not _most_name_logs(block.rows, at, logs, folder):
            continue
        named = _logs_of_cells(block, at, logs, folder, may_name=may_name)
        rank = (sum(bool(naming.sources) for naming in named), names_logs(header))
        if rank > most:
            best, most = (at, named), rank
    return best


def _logs_of_cells(block: Block, at: int, logs: Logs, folder: str, *, may_name: bool) -> list[NamedLogs]:
    """The logs that each cell of a column names; without a suffix only if the column `may_name` some."""
    left = _MOST_NAMINGS * max(100, len(logs.logs_below(folder)))
    named = [NamedLogs(())] * len(block.rows)
    for number, row in enumerate(block.rows):
        naming = logs.find(row.cells[at], folder)
        left -= len(naming.sources)
        if left < 0:
            return [NamedLogs(())] * len(block.rows)
        if naming.is_certain or (may_name and _surely_names_log(block, at, row)):
            named[number] = naming
    return named


def _has_suffixes(rows: Sequence[IndexRow], at: int) -> bool:
    """Whether cells of a column may be paths, or names with a suffix."""
    return any("." in row.cells[at] or "/" in row.cells[at] for row in rows)


def _most_name_logs(rows: Sequence[IndexRow], at: int, logs: Logs, folder: str) -> bool:
    """Whether a sample of the cells of a long column names logs; always True for a short column."""
    step = len(rows) // _SAMPLED_ROWS
    if not step:
        return True
    some = rows[::step][:_SAMPLED_ROWS]
    return 4 * sum(bool(logs.find(row.cells[at], folder).sources) for row in some) > len(some)


def _may_name_logs(block: Block, at: int, *, has_results: bool) -> bool:
    """Whether a column may name logs without their suffix. If other columns have results, it names the servers."""
    header = block.header[at]
    return block.kind == "list" or names_logs(header) or not (label_key(header) or has_results)


def _surely_names_log(block: Block, at: int, row: IndexRow) -> bool:
    """Whether a name without a suffix surely names a log, not a server or a step.

    Below a header for names of logs any name does; a number only if the header is not that of row numbers. The names in
    a list of servers may equal those of their logs, but do not describe them.
    """
    cell = plain_cell(row.cells[at])
    if _BARE_NUMBERS.fullmatch(cell):
        return block.kind == "table" and names_logs(block.header[at]) and not is_row_number(block.header[at])
    return block.kind == "list" or names_logs(block.header[at]) or is_identifier(cell)


def _has_results(header: str, rows: Sequence[IndexRow], at: int) -> bool:
    """Whether a column has results, by its header or by its numbers: ``41.2k`` under an unknown key."""
    if is_result(header):
        return True
    key = label_key(header)
    if is_known_key(key) and key not in ("rate", "cores"):
        return False
    cells = [cell for row in rows if (cell := plain_cell(row.cells[at])).lower() not in _EMPTY_CELLS]
    return bool(cells) and any(map(_RESULT.fullmatch, cells)) and all(cell[:1] in "~≈<>0123456789" for cell in cells)


def _label_columns(header: Sequence[str], rows: Sequence[IndexRow], named: int) -> list[_Column]:
    """The columns that give labels, with their keys; ``description`` marks a column with descriptions."""
    columns: dict[str, _Column] = {}
    for at, title in enumerate(header):
        key = "description" if is_description(title) else label_key(title)
        if at != named and key and key not in columns and key not in FACTOR_KEYS and not _has_results(title, rows, at):
            columns[key] = _Column(at, key)
    subjects = [column for column in range(len(header)) if column != named and names_framework(header[column])]
    subjects = subjects or [column.at for column in columns.values() if _holds_frameworks(column, rows)]
    if FRAMEWORK in columns or len(subjects) != 1:
        return list(columns.values())
    return [*(it for it in columns.values() if it.at != subjects[0]), _Column(subjects[0], FRAMEWORK)]


def _holds_frameworks(column: _Column, rows: Sequence[IndexRow]) -> bool:
    """Whether the cells of a column with an unknown key differ, and one of them has a known name."""
    if is_known_key(column.key) or column.key == "description":
        return False
    cells = {plain_cell(row.cells[column.at]) for row in rows}
    return len(cells - _EMPTY_CELLS) > 1 and any(is_known_name(word) for cell in cells for word in cell.split())


def _row_labels(file: IndexFile, columns: Sequence[_Column], row: IndexRow, *, is_name: bool) -> Iterator[Label]:
    """The labels of the cells of a row. A description is the framework if `is_name`, and no column has one."""
    has_framework = any(column.key == FRAMEWORK for column in columns)
    for column in columns:
        cell = row.cells[column.at]
        if column.key == "description":
            yield from _description_labels(file, cell, row, is_name=is_name and not has_framework)
        else:
            yield from _cell_labels(file, column.key, cell, row, "row")


def _log_stem(source: str) -> str:
    """The name of a log without folders and suffixes."""
    return without_suffixes(posixpath.basename(source))


def _has_known_name(source: str) -> bool:
    """Whether the name of a log contains a known name: then a description is about its settings."""
    stem = _log_stem(source)
    return any(map(is_known_name, (stem, *re.split(r"[^A-Za-z]", stem))))


def _description_labels(file: IndexFile, cell: str, row: IndexRow, *, is_name: bool) -> Iterator[Label]:
    """The settings in a description, and the rest as the framework, if it may be one."""
    text = plain_cell(cell)
    read = read_title(text)
    for key, value in read.settings:
        if key != FRAMEWORK and key not in NON_LABEL_KEYS:
            yield from _cell_labels(file, key, value, row, "description")
    name = read.name
    if not name and not read.settings and not read.possible_settings and not read.repeat and not is_sentence(text):
        name = text
    if name and is_name and not _DESCRIBES_LOG.fullmatch(name):
        yield from _cell_labels(file, FRAMEWORK, name, row, "description")


def _cell_labels(file: IndexFile, key: str, cell: str, row: IndexRow, rule: str) -> Iterator[Label]:
    """The label of a cell; none if it is empty, a note, a time, or not a possible value of its key."""
    value = plain_cell(cell)
    if not suits_key(key, value):
        value = dict(read_title(value).settings).get(key, value.replace(" ", ""))  # "64 connections", "20 s"
    if value.lower() in _EMPTY_CELLS or len(value) > _LONGEST_VALUE or _TIME.fullmatch(value) or "$" in value:
        return
    if is_possible_value(key, value) and (key != FRAMEWORK or _may_name_server(value)):
        yield Label(key, value, ORIGIN, row.line, f"{file.source}:{row.line}: {row.text}", rule)


def _may_name_server(value: str) -> bool:
    """Whether a value may be the name of a server: a word, and not an address, a path or a switch."""
    address = _ADDRESS.search(value) or value.startswith(("/", "./", "localhost"))
    return not address and value.lower() not in _SWITCH_VALUES and any(map(str.isalpha, value))


def _undisputed_labels(labels: Sequence[Label]) -> list[Label]:
    """The labels of a log without keys to which rows give different values."""
    values = Counter({(label.key, label.value) for label in labels})
    different = Counter(key for key, _ in values)
    first = {label.key: label for label in reversed(labels)}
    return [label for key, label in reversed(first.items()) if different[key] == 1]

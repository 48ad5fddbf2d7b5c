"""Defines the blocks of rows that all forms of index files have, and the files that may be an index."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from wrkparse.source.discover import without_archive_suffix

LARGEST_INDEX = 1 << 20  # bytes of a file that is read; an index has a line for each log
_LONGEST_ROW_TEXT = 200  # characters of a row in the text of its labels
_TABLE_SUFFIXES = ("csv", "tsv")
_PAGE_SUFFIXES = ("md", "markdown", "rst", "adoc", "asciidoc", "org")
_OBJECT_SUFFIXES = ("json", "jsonl", "ndjson")
_YAML_SUFFIXES = ("yaml", "yml")
_SETTINGS_SUFFIXES = ("yaml", "yml", "env", "toml", "properties")
# The names by which a file without a suffix, or of plain text, is a page.
_PAGE_STEMS = frozenset(
    "readme notes note index runs about info legend key contents manifest list files logs labels description".split()
)
# Files of YAML that other programs read, and the study file; they list no logs.
_NOT_INDEX_STEMS = frozenset("wrkparse docker-compose compose mkdocs openapi swagger pnpm-lock".split())
# Files whose keys describe all logs of their folder.
_FOLDER_STEMS = frozenset(
    """meta metadata params parameters config configuration settings setup run info env environment labels options
    args about""".split()
)
# Such files that may be plain text; "run.txt" is a log.
_FOLDER_TEXT_STEMS = frozenset("meta metadata params parameters config settings env environment options args".split())

BlockKind = Literal["table", "list", "folder"]
IndexForm = Literal["table", "page", "objects", "yaml", "settings"]

NAME_HEADER = "file"  # header of the names of a list, and of the keys of an object
DESCRIPTION_HEADER = "description"  # header of the descriptions of a list


class IndexRow(NamedTuple):
    """A row of an index: its cells, the line where it begins (from 1), and the row as written, on one line."""

    cells: tuple[str, ...]
    line: int
    text: str


class Block(NamedTuple):
    """Rows with one ``header``, which names their columns.

    ``table`` has a column that names logs; ``list`` has names and descriptions; ``folder`` has one row, which holds for
    all logs of a folder.
    """

    kind: BlockKind
    header: tuple[str, ...]
    rows: tuple[IndexRow, ...]


def index_form(path: str) -> IndexForm | None:
    """The form in which a file that may be an index is read, by its name; None for other files."""
    stem, dot, suffix = without_archive_suffix(path.rpartition("/")[2]).lower().rpartition(".")
    if not dot:
        stem, suffix = suffix, ""
    if suffix in _TABLE_SUFFIXES:
        return "table"
    if suffix in _PAGE_SUFFIXES or (suffix in ("", "txt") and stem in _PAGE_STEMS):
        return "page"
    if suffix in _OBJECT_SUFFIXES:
        return "objects"
    if suffix == "txt":
        return "settings" if stem in _FOLDER_TEXT_STEMS else None
    if suffix in _SETTINGS_SUFFIXES and stem in _FOLDER_STEMS:
        return "settings"
    return "yaml" if suffix in _YAML_SUFFIXES and stem not in _NOT_INDEX_STEMS else None


def describes_folder(path: str) -> bool:
    """Whether the name of a file shows that its keys describe all logs of its folder: ``meta.json``."""
    return without_archive_suffix(path.rpartition("/")[2]).lower().partition(".")[0] in _FOLDER_STEMS


def row_text(text: str) -> str:
    """A row as written, with single blanks instead of other blanks and line breaks, cut if it is long."""
    return " ".join(text[: 2 * _LONGEST_ROW_TEXT].split())[:_LONGEST_ROW_TEXT]


class Mistake(NamedTuple):
    """A mistake in an index: its line, the reason, the cost for its logs, and the text that may name logs."""

    line: int
    why: str
    cost: str
    text: str


class IndexContents(NamedTuple):
    """The blocks of a file that may be an index, and the mistakes for which they lack rows or values."""

    blocks: list[Block]
    mistakes: list[Mistake]


COSTS_ALL_LABELS = "gives them no labels"
COSTS_LATER_LABELS = "gives those from here on no labels"


_LINK = re.compile(r"!?\[([^\[\]]{0,200})\]\(([^()\s]{0,300})\)")
_ROLE = re.compile(r":[a-z]{1,20}:(?=`)")  # of reStructuredText: ":file:`01.log`"
_QUOTES = "`*\"'“”«» \t"


def plain_cell(cell: str) -> str:
    """A cell without markup: links, emphasis, code, quotation marks."""
    if "](" in cell:
        cell = _LINK.sub(r"\1", cell)
    if "`" in cell:
        cell = _ROLE.sub("", cell)
    return " ".join(cell.replace("`", "").replace("**", "").split()).strip(_QUOTES)


def link_targets(cell: str) -> list[str]:
    """The addresses of the links in a cell."""
    return [match[2] for match in _LINK.finditer(cell)] if "](" in cell else []

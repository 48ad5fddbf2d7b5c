"""What all forms of index files have in common: blocks of rows, and which files may be an index."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from wrkparse.source.discover import without_archive_suffix

LARGEST = 1 << 20  # bytes of a file that is looked at; an index has a line for each log
_LONGEST_TEXT = 200  # characters of a row that are kept as the text of its labels
_TABLES = ("csv", "tsv")
_PAGES = ("md", "markdown", "rst", "adoc", "asciidoc", "org")
_OBJECTS = ("json", "jsonl", "ndjson")
_YAML = ("yaml", "yml")
_SETTINGS = ("yaml", "yml", "env", "toml", "properties")
# Files without a suffix, or with that of plain text, are an index only by these names: other text is no page.
_PLAIN = frozenset(
    "readme notes note index runs about info legend key contents manifest list files logs labels description".split()
)
# Files of YAML that other programs read, and the study file; they list no logs.
_NO_INDEX = frozenset("wrkparse docker-compose compose mkdocs openapi swagger pnpm-lock".split())
# Files whose keys tell of all logs of their folder.
_OF_FOLDERS = frozenset(
    """meta metadata params parameters config configuration settings setup run info env environment labels options
    args about""".split()
)
# Those that may be plain text; "run.txt" is a log.
_TEXTS_OF_FOLDERS = frozenset("meta metadata params parameters config settings env environment options args".split())

Kind = Literal["table", "list", "folder"]
Form = Literal["table", "page", "objects", "yaml", "settings"]

NAME = "file"  # header of the names of a list, and of the keys of an object
DESCRIPTION = "description"  # header of what a list says of a name


class Row(NamedTuple):
    """A row of an index: its cells, the line where it begins (from 1), and the row as written, on one line."""

    cells: tuple[str, ...]
    line: int
    text: str


class Block(NamedTuple):
    """Rows that belong together. ``header`` names the columns.

    ``table`` has a column that names logs; ``list`` has names and descriptions; ``folder`` has one row, which holds for
    all logs of a folder.
    """

    kind: Kind
    header: tuple[str, ...]
    rows: tuple[Row, ...]


def form_of(path: str) -> Form | None:
    """How a file is read that may be an index, by its name; None for any other file."""
    stem, dot, suffix = without_archive_suffix(path.rpartition("/")[2]).lower().rpartition(".")
    if not dot:
        stem, suffix = suffix, ""
    if suffix in _TABLES:
        return "table"
    if suffix in _PAGES or (suffix in ("", "txt") and stem in _PLAIN):
        return "page"
    if suffix in _OBJECTS:
        return "objects"
    if suffix == "txt":
        return "settings" if stem in _TEXTS_OF_FOLDERS else None
    if suffix in _SETTINGS and stem in _OF_FOLDERS:
        return "settings"
    return "yaml" if suffix in _YAML and stem not in _NO_INDEX else None


def tells_of_folder(path: str) -> bool:
    """Whether a file's name says that its keys tell of all logs of its folder: ``meta.json``."""
    return without_archive_suffix(path.rpartition("/")[2]).lower().partition(".")[0] in _OF_FOLDERS


def row_text(text: str) -> str:
    """A row as written, its blanks and line breaks as single blanks, cut where it is long."""
    return " ".join(text[: 2 * _LONGEST_TEXT].split())[:_LONGEST_TEXT]


class Mistake(NamedTuple):
    """A mistake in a list of logs: its line, what it is, what it costs, and the text that is a list in spite of it."""

    line: int
    why: str
    cost: str
    text: str


class Contents(NamedTuple):
    """What a file that may be an index holds: its blocks, and the mistakes for which they lack rows or values."""

    blocks: list[Block]
    mistakes: list[Mistake]


COSTS_ALL = "gives them no labels"
COSTS_THE_REST = "gives those from here on no labels"


_LINK = re.compile(r"!?\[([^\[\]]{0,200})\]\(([^()\s]{0,300})\)")
_ROLE = re.compile(r":[a-z]{1,20}:(?=`)")  # of reStructuredText: ":file:`01.log`"
_QUOTES = "`*\"'“”«» \t"


def plain_cell(cell: str) -> str:
    """A cell without what sets its type: links, emphasis, code, quotation marks."""
    if "](" in cell:
        cell = _LINK.sub(r"\1", cell)
    if "`" in cell:
        cell = _ROLE.sub("", cell)
    return " ".join(cell.replace("`", "").replace("**", "").split()).strip(_QUOTES)


def link_targets(cell: str) -> list[str]:
    """The addresses of the links in a cell."""
    return [match[2] for match in _LINK.finditer(cell)] if "](" in cell else []

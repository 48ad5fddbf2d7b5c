"""Finds reports that were set side by side: see `wrkparse.text.wrapping.columns`."""

from __future__ import annotations

from collections.abc import Callable

from wrkparse.parse.reports.assembler import ReportAssembler
from wrkparse.parse.reports.decorations import undecorated
from wrkparse.text.normalize import NormalizedLine
from wrkparse.text.wrapping.columns import COLUMN_STREAM, TextColumns, find_columns, find_two_columns, may_have_columns


def columns_with_reports(
    line: NormalizedLine, words: list[str], new_assembler: Callable[[str], ReportAssembler]
) -> TextColumns | None:
    """The columns of a line in which several reports begin side by side; None if it is another line.

    ``words`` are the words after a prefix. Reports of one tool begin alike; those of different tools may only be in two
    columns.
    """
    if not may_have_columns(line.plain, words) or line.stream.startswith(COLUMN_STREAM):
        return None
    words = line.plain.split()
    repeating = find_columns(line.plain, undecorated(words) or words)
    found = repeating or find_two_columns(line.plain)
    parts = found.split(line.plain) if found else None
    if found is None or not parts:
        return None
    # a new one: an open report must not help a part to match
    fresh = new_assembler("")
    matched = [fresh.match(part.split()) for part in parts]
    if not all(matched):
        return None
    tools = {line_of_tool[0].name for line_of_tool in matched if line_of_tool}
    return found if repeating or len(tools) == len(matched) else None

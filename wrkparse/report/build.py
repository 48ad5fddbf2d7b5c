"""A notebook into a report: executed, read, checked, written as a whole or not at all."""

from __future__ import annotations

import contextlib
import os
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from wrkparse.report.document.assemble import Document, document
from wrkparse.report.document.languages import mark
from wrkparse.report.errors import ReportError
from wrkparse.report.exhibits.about import ABOUT
from wrkparse.report.output import fonts

FORMATS = (".pdf", ".html")
# Given what is being done, and how far it is: steps done and steps in all.
Progress = Callable[[str, int, int], None]
_UNSEEN = ("csv", "alt")  # of an exhibit: in the file, and never drawn


@dataclass(frozen=True, slots=True)
class Report:
    """What came of a notebook: the document, its date, and what is to be said of it that stopped nothing."""

    document: Document
    byline: str
    day: date
    warnings: list[str]

    def content(self, form: str) -> bytes:
        """The bytes of a file with the suffix ``.pdf`` or ``.html``. Raises ReportError."""
        if form == ".pdf":
            from wrkparse.report.output.pdf import pdf

            return pdf(self.document, self.byline, self.day)
        from wrkparse.report.output.html import page

        return page(self.document, self.byline)


def report(
    notebook: Path,
    parameters: Mapping[str, object] | None = None,
    *,
    code: bool = False,
    progress: Progress | None = None,
) -> Report:
    """Execute a notebook and read what it shows. Raises ReportError."""
    from wrkparse.report.notebook.execute import execute

    def cell(at: int, total: int) -> None:
        if progress:
            progress(f"{notebook.name}: cell {at} of {total}", at, total)

    executed = execute(notebook, parameters, progress=cell)
    found = document(executed, notebook.name, code=code)
    day = _day(executed)
    data = (parameters or {}).get("DATA")
    where = (parameters or {}).get("WHERE")
    said = [f"{day.day} {day:%B %Y}", Path(str(data)).name if data else "", f"runs where {where}" if where else ""]
    warnings = [*_told(executed, notebook.name), *_readable(found)]
    mark(found)
    return Report(found, " · ".join(filter(None, said)), day, warnings)


def save(made: Report, output: Path) -> None:
    """Write a report; the suffix says how. What was there stays if it can't be written: OSError."""
    content = made.content(output.suffix.lower())
    partial = output.with_name(f".{output.name}.{os.getpid()}.partial")
    try:
        partial.write_bytes(content)
        partial.replace(output)
    except OSError:
        with contextlib.suppress(OSError):  # of a read-only directory
            partial.unlink(missing_ok=True)
        raise


def _day(executed: Any) -> date:
    """The date of a report: SOURCE_DATE_EPOCH, else when its newest file was read, else today; in UTC."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    if epoch:
        try:
            return datetime.fromtimestamp(int(epoch), UTC).date()
        except (ValueError, OverflowError, OSError):
            raise ReportError(f"SOURCE_DATE_EPOCH is {epoch!r}: expected seconds since 1970") from None
    outputs = (output for cell in executed.cells for output in cell.get("outputs", ()))
    told = [output["data"][ABOUT]["date"] for output in outputs if ABOUT in output.get("data", {})]
    return date.fromisoformat(told[-1]) if told and told[-1] else datetime.now(UTC).date()


def _told(executed: Any, name: str) -> list[str]:
    """What cells wrote to standard error: warnings, most often."""
    return [
        f"{name}, cell {number}: {line}"
        for number, cell in enumerate(executed.cells, 1)
        for output in cell.get("outputs", ())
        if output["output_type"] == "stream" and output["name"] == "stderr"
        for line in "".join(output["text"]).splitlines()[:5]
    ]


def _readable(found: Document) -> list[str]:
    """Write characters that no font has as ``[U+1F642]``, in place; what is to be said of them."""
    trees: list[Any] = [found.summary, found.body, *(one.caption for one in found.exhibits)]
    trees += [value for one in found.exhibits for key, value in one.content.items() if key not in _UNSEEN]
    lacking = fonts.missing(set(found.title).union(*map(_characters, trees)))
    if not lacking:
        return []
    table = {ord(one): f"[U+{ord(one):04X}]" for one in lacking}
    found.title = found.title.translate(table)
    found.summary, found.body = _translated(found.summary, table), _translated(found.body, table)
    for exhibit in found.exhibits:
        exhibit.content = {
            key: value if key in _UNSEEN else _translated(value, table) for key, value in exhibit.content.items()
        }
        exhibit.caption = _translated(exhibit.caption, table)
    return [f"no font has U+{ord(one):04X} {unicodedata.name(one, '')}".rstrip() for one in sorted(lacking)]


def _characters(tree: Any) -> set[str]:
    if isinstance(tree, str):
        return set(tree)
    parts = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ()
    return set().union(*map(_characters, parts))


def _translated(tree: Any, table: dict[int, str]) -> Any:
    if isinstance(tree, str):
        return tree.translate(table)
    if isinstance(tree, dict):
        return {key: _translated(value, table) for key, value in tree.items()}
    return [_translated(one, table) for one in tree] if isinstance(tree, list) else tree

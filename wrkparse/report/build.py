"""Makes a report from a notebook: executes it, reads and checks its content, writes a file."""

from __future__ import annotations

import os
import threading
import unicodedata
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from wrkparse.report.document.assemble import assemble
from wrkparse.report.document.languages import mark_languages
from wrkparse.report.document.line_breaks import bind_numbers
from wrkparse.report.document.model import Document
from wrkparse.report.errors import ReportError
from wrkparse.report.exhibits.mime_types import FACTS
from wrkparse.report.notebook.suite import suite_folder
from wrkparse.report.output import fonts
from wrkparse.store.atomic_file import write_output
from wrkparse.text.escape import EMOJI_JOINERS, symbol_name

FORMATS = (".pdf", ".html", ".md")
# Called with a description of the current step, the number of finished steps and the number of all steps.
Progress = Callable[[str, int, int], None]
_UNPRINTED_PARTS = ("csv", "alt")  # parts of an exhibit that are in the file, but not drawn, so they need no font


@dataclass(frozen=True, slots=True)
class BuiltReport:
    """A report in memory: the document, the line below its title, its date, and warnings.

    `outcome` is the exit code of --fail-on; None without limits.
    """

    document: Document
    byline: str
    day: date
    warnings: list[str]
    outcome: int | None = None

    def content(self, form: str) -> bytes:
        """The bytes of the report as a file; `form` is one of `FORMATS`. Raises ReportError."""
        if form == ".pdf":
            from wrkparse.report.output.pdf import render_pdf

            return render_pdf(self.document, self.byline, self.day)
        if form == ".md":
            from wrkparse.report.output.markdown import render_markdown

            return render_markdown(self.document, self.byline)
        from wrkparse.report.output.html import render_html

        return render_html(self.document, self.byline)


def report(
    notebook: Path,
    parameters: Mapping[str, object] | None = None,
    *,
    code: bool = False,
    progress: Progress | None = None,
    pages: bool = True,
) -> BuiltReport:
    """Execute a notebook with these parameters and make a report of its outputs.

    With `code`, the code of all cells is printed. Without `pages`, figures are not drawn for phones: that saves time if
    no HTML page is written. Raises ReportError.
    """

    def cell(at: int, total: int) -> None:
        if progress:
            progress(f"{notebook.name}: cell {at} of {total}", at, total)

    # The cells run in another process, so that this one has time. The thread ends with this process.
    threading.Thread(target=_prepare_output, args=(pages,), daemon=True).start()
    executed = _choose_executor(notebook)(notebook, parameters, progress=cell, pages=pages)
    document = assemble(executed, notebook.name, code=code)
    if document.front and not document.front.runs:
        raise ReportError(_no_run_message(parameters or {}))
    day = _report_date(executed)
    data = (parameters or {}).get("DATA")
    where = (parameters or {}).get("WHERE")
    # Before the line below the title is made: it gets the replaced texts of the front page.
    warnings = [*_stderr_warnings(executed, notebook.name), *_replace_missing_glyphs(document)]
    byline = [
        *_byline_parts(document, day, reads_data=bool(data)),
        Path(str(data)).name if data else "",
        f"runs where {where}" if where else "",
    ]
    mark_languages(document)
    document.summary, document.body = bind_numbers(document.summary), bind_numbers(document.body)
    for exhibit in document.exhibits:
        exhibit.caption = bind_numbers(exhibit.caption)
    return BuiltReport(document, " · ".join(filter(None, byline)), day, warnings, document.outcome)


def _prepare_output(pages: bool) -> None:
    """Import the modules that write the file, and prepare fonts, while another process executes the cells."""
    with suppress(Exception):  # the same error is reported when the file is written
        if pages:
            import wrkparse.report.output.html

            fonts.prepare_common_subsets()
        else:
            import wrkparse.report.output.pdf  # noqa: F401


def _choose_executor(notebook: Path) -> Any:
    """The function that executes a notebook: with plain Python if it comes with wrkparse, else with Jupyter."""
    if notebook.resolve().parent == suite_folder().resolve():
        from wrkparse.report.notebook.plain import execute_plain

        return execute_plain
    from wrkparse.report.notebook.execute import execute

    return execute


def _byline_parts(document: Document, day: date, *, reads_data: bool) -> list[str]:
    """The parts of the line below the title: those of the front page, else the date of the report.

    If no front page has the day of the measurement, the date is the day on which the logs were read, if `reads_data`:
    `read on …`. A bare date would be taken for the former.
    """
    day_words = f"{'read on ' if reads_data else ''}{day.day} {day:%B %Y}"
    if document.front is None:
        return [day_words]
    at = int(document.front.states_runs)
    known = list(document.front.byline)
    return known if document.front.states_day else [*known[:at], day_words, *known[at:]]


def _no_run_message(parameters: Mapping[str, object]) -> str:
    """The message for a report without runs."""
    data, where = parameters.get("DATA"), parameters.get("WHERE")
    return f"{Path(str(data)).name if data else 'the data'} has no run" + (f" for which {where} holds" if where else "")


def save(made: BuiltReport, output: Path) -> None:
    """Write a report; the suffix of `output` selects the format.

    Raises ReportError, or OSError if the file cannot be written; an existing file is then unchanged.
    """
    write_output(output, made.content(output.suffix.lower()))


def _report_date(executed: Any) -> date:
    """The date of a report in UTC: SOURCE_DATE_EPOCH, else the day when its newest file was ingested, else today."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    if epoch:
        try:
            return datetime.fromtimestamp(int(epoch), UTC).date()
        except (ValueError, OverflowError, OSError):
            raise ReportError(f"SOURCE_DATE_EPOCH is {epoch!r}: expected seconds since 1970") from None
    outputs = (output for cell in executed["cells"] for output in cell.get("outputs", ()))
    dates = [output["data"][FACTS].get("date") for output in outputs if FACTS in output.get("data", {})]
    dates = [one for one in dates if one]
    return date.fromisoformat(dates[-1]) if dates else datetime.now(UTC).date()


def _stderr_warnings(executed: Any, name: str) -> list[str]:
    """What cells wrote to standard error, mostly warnings: up to five lines for each output."""
    return [
        f"{name}, cell {number}: {line}"
        for number, cell in enumerate(executed["cells"], 1)
        for output in cell.get("outputs", ())
        if output["output_type"] == "stream" and output["name"] == "stderr"
        for line in "".join(output["text"]).splitlines()[:5]
    ]


def _replace_missing_glyphs(document: Document) -> list[str]:
    """Replace characters that no font has, in place: ``:rocket:``, ``[U+0928]``; return a warning for each.

    If there are any, characters that join or style emoji are left out, too.
    """
    trees: list[Any] = [document.summary, document.body, *(one.caption for one in document.exhibits)]
    trees += [value for one in document.exhibits for key, value in one.content.items() if key not in _UNPRINTED_PARTS]
    trees += list(document.front.byline) if document.front else []
    used = set(document.title).union(*map(_characters, trees))
    joiners = {one for one in used if EMOJI_JOINERS.match(one)}
    missing = fonts.missing_characters(used - joiners)
    if not missing:
        return []
    table = {ord(one): symbol_name(one) or f"[U+{ord(one):04X}]" for one in missing} | {ord(one): "" for one in joiners}
    document.title = document.title.translate(table)
    if document.front:
        byline = tuple(part.translate(table) for part in document.front.byline)
        document.front = replace(document.front, byline=byline)
    document.summary, document.body = _translate(document.summary, table), _translate(document.body, table)
    for exhibit in document.exhibits:
        exhibit.content = {
            key: value if key in _UNPRINTED_PARTS else _translate(value, table)
            for key, value in exhibit.content.items()
        }
        exhibit.caption = _translate(exhibit.caption, table)
    return [f"no font has U+{ord(one):04X} {unicodedata.name(one, '')}".rstrip() for one in sorted(missing)]


def _characters(tree: Any) -> set[str]:
    """All characters in the texts of a tree of JSON values."""
    if isinstance(tree, str):
        return set(tree)
    parts = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ()
    return set().union(*map(_characters, parts))


def _translate(tree: Any, table: dict[int, str]) -> Any:
    """A copy of a tree of JSON values, with characters of its texts replaced."""
    if isinstance(tree, str):
        return tree.translate(table)
    if isinstance(tree, dict):
        return {key: _translate(value, table) for key, value in tree.items()}
    return [_translate(one, table) for one in tree] if isinstance(tree, list) else tree

"""Prints diagnostics of reading on standard error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wrkparse.analysis.runs.empty_files import empty_among_runs, empty_beside_runs
from wrkparse.analysis.runs.unread import unread_files
from wrkparse.analysis.wording import counted
from wrkparse.cli.shared.printing.output import print_message
from wrkparse.text.escape import one_line

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset

# Severities, the worst first.
_ORDER = ("error", "warning", "note")
_LOOKALIKE = "resembling"  # the code of a line that may be lost
_MOST_DIAGNOSTICS = 5  # messages that are printed, so that they do not hide the result


def print_diagnostics(dataset: Dataset) -> tuple[str, ...]:
    """Print the first errors and warnings, each message once, and empty files; return why files could not be read.

    The first line that resembles one of a report is printed, too: a run may be lost. Without a run, all notes are:
    they say why there is none.
    """
    has_runs = dataset.count("runs") > 0
    shown = [
        row
        for row in dataset.arrow("diagnostics").to_pylist()
        if row["severity"] != "note" or row["code"] == _LOOKALIKE or not has_runs
    ]
    shown.sort(key=lambda row: _ORDER.index(row["severity"]))
    places: dict[str, list[str]] = {}
    messages: dict[str, str] = {}
    for row in shown:
        place = row["source"] if row["line"] is None else f"{row['source']}:{row['line']}"
        message = f"{row['severity']}: {row['message']}"
        # Each of these messages quotes a line of its own; by their code they are one, with the first line.
        kind = row["code"] if row["code"] == _LOOKALIKE else message
        messages.setdefault(kind, message)
        places.setdefault(kind, []).append(place)
    for kind, [first, *more] in list(places.items())[:_MOST_DIAGNOSTICS]:
        elsewhere = f" (and in {counted(len(more), 'more place')})" if more else ""
        print_message(one_line(f"{first}: {messages[kind]}{elsewhere}"))
    print_empty_files(dataset)
    if rest := sum(map(len, list(places.values())[_MOST_DIAGNOSTICS:])):
        what = "error or warning" if rest == 1 else "errors and warnings"
        print_message(f"wrkparse: {rest:,} more {what}; `wrkparse ingest` shows them")
    return unread_files(dataset)


def print_empty_files(dataset: Dataset) -> None:
    """Print which files among files with runs are empty, at most `_MOST_DIAGNOSTICS` of them."""
    found = [*empty_among_runs(dataset), *empty_beside_runs(dataset)]
    for file in found[:_MOST_DIAGNOSTICS]:
        print_message(one_line(str(file)))
    if (more := len(found) - _MOST_DIAGNOSTICS) > 0:
        print_message(f"wrkparse: {counted(more, 'more empty file')}")

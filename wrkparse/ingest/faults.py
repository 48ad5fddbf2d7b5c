"""Diagnostics about errors in wrkparse itself: each costs one source. Users are asked to report them."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from pathlib import Path

from wrkparse.ingest.held_rows import Fault
from wrkparse.model.records import Diagnostic

_REPORT = "This is a bug: please report it, if possible with the file"


def reading_fault(source: str, lines: int, problem: Exception) -> Diagnostic:
    """The diagnostic about an error in parsing, after this many lines of a source."""
    return _fault(source, f"wrkparse failed after line {lines:,}", problem, "the rest of this source is not read")


def storing_fault(source: str, faults: Sequence[Fault]) -> Diagnostic:
    """The diagnostic about runs of a source, or messages about it, that can't be stored as they were read."""
    first = faults[0]
    runs = [fault.run for fault in faults if fault.run]
    what, lost = "a message about this source", "it is left out"
    if len(runs) == 1:
        what, lost = f"the {runs[0].tool} run at line {runs[0].line}", "this run is left out"
    elif runs:
        what = f"{len(runs):,} runs, the first one of {runs[0].tool} at line {runs[0].line}"
        lost = "these runs are left out"
    return _fault(source, f"wrkparse failed with {what}", first.problem, lost)


def _fault(source: str, where: str, problem: Exception, lost: str) -> Diagnostic:
    frames = traceback.extract_tb(problem.__traceback__)
    at = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    what = f"{type(problem).__name__}{at}{f': {problem}' if str(problem) else ''}"
    # A message may contain surrogates of an undecodable name, which no table can hold.
    message = f"{where}: {what}; {lost}. {_REPORT}".encode(errors="backslashreplace").decode()
    return Diagnostic(source, None, "error", "fault", message)

"""Whether each run agrees with itself, and is fit to be compared.

The checks are in `wrkparse.analysis.checks`, a module for each kind. Each states its formula and its tolerance; where
it compares printed numbers, the tolerance comes from what their digits can stand for. A contradiction beyond that, and
a run that measured nothing or failures, is ``invalid``; what is to be looked at before it is ranked is ``suspect``; a
``note`` explains a number and changes no verdict.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

from wrkparse.analysis.audit.advice import ADVICE
from wrkparse.analysis.checks import concurrency, errors, go_traces, load, network, processes
from wrkparse.analysis.checks.finding import INVALID, SEVERITIES, SUSPECT, Findings
from wrkparse.analysis.checks.run_arrays import Sheet
from wrkparse.analysis.stats.arrays import Indices
from wrkparse.dataset import Dataset
from wrkparse.tools import event_tools

OK = "ok"
_NAMES = np.array([OK, SUSPECT, INVALID], object)  # by the rank of the worst finding
_AT_ONCE = 5000  # runs
_MODULES = (load, concurrency, errors, network, processes, go_traces)
_COLUMNS = (
    "run", "source", "line", "code", "severity", "value", "expected", "tolerance", "message", "advice",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class AuditResult:
    """What an audit found.

    ``findings``: run, source, line, code, severity (note, suspect, invalid), value, expected, tolerance (each NaN where
    there is none), message (what was found), advice (what it means and what to do); by source and line.
    ``verdicts``: run, verdict (ok, suspect, invalid), reasons (the messages that gave it); a row for each run.
    """

    findings: pd.DataFrame
    verdicts: pd.DataFrame


def audit(dataset: Dataset) -> AuditResult:
    """Check every run of a dataset. The checks' formulas are in the modules of `wrkparse.analysis.checks`."""
    sheet = Sheet(dataset)
    parts = list(_found(sheet))
    return AuditResult(_findings(sheet, parts), _verdicts(sheet, parts))


def verdicts(dataset: Dataset) -> pa.Table:
    """What `runs` keeps of an audit: run, verdict, valid (False: invalid), invalid_reason (missing where valid)."""
    sheet = Sheet(dataset)
    return _worded(sheet.runs["run"], *_ranked(sheet))


def new_verdicts(dataset: Dataset) -> pa.Table:
    """`verdicts` of the runs whose verdict may not be what it was when the dataset was last audited.

    A report is judged by other reports too, and always again; a trace by its own lines alone, and once.
    """
    sheet = Sheet(dataset, only_new=True)
    settled = sheet.runs["verdict"].notna().to_numpy(bool) & np.isin(sheet.tool, [tool.name for tool in event_tools()])
    runs, (worst, invalid) = sheet.runs["run"], _ranked(sheet)
    del sheet  # its numbers take as much memory as the words that now come
    found = _worded(runs, worst, invalid)
    return found.filter(pa.array(~settled)) if settled.any() else found


def _found(sheet: Sheet) -> Iterator[Findings]:
    checks = chain.from_iterable(module.checks(sheet) for module in _MODULES)
    while True:
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):  # a report may print 0 or 1e300 anywhere
            part = next(checks, None)
        if part is None:
            return
        if len(part.runs):
            yield part


def _findings(sheet: Sheet, parts: list[Findings]) -> pd.DataFrame:
    """All findings as rows; by run and line."""

    def joined(name: str, dtype: str) -> np.ndarray:
        return np.concatenate([np.empty(0, dtype), *(getattr(part, name) for part in parts)])

    rows = pd.DataFrame(
        {
            "at": joined("runs", "int64"),
            "line": joined("lines", "int64"),
            "code": [part.code for part in parts for _ in part.runs],
            "severity": [severity for part in parts for severity in part.severity.tolist()],
            "value": joined("value", "float64"),
            "expected": joined("expected", "float64"),
            "tolerance": joined("tolerance", "float64"),
            "message": [message for part in parts for message in part.messages()],
        }
    )
    rows = rows.sort_values(["at", "line"], kind="stable", ignore_index=True)
    of_run = sheet.runs[["run", "source"]].take(rows["at"].to_numpy()).reset_index(drop=True)
    found = pd.concat([of_run, rows], axis=1)
    found["advice"] = found["code"].map(ADVICE)
    return found[list(_COLUMNS)]


def _verdicts(sheet: Sheet, parts: list[Findings]) -> pd.DataFrame:
    """The verdict on each run; its reasons are its worst findings, by line, if they are worse than a note."""
    worst = np.zeros(sheet.size, np.int64)
    for part in parts:
        np.maximum.at(worst, part.runs, part.rank)
    reasons = _reasons(parts, worst, 0, sheet.size)
    return pd.DataFrame({"run": sheet.runs["run"], "verdict": _NAMES[worst], "reasons": reasons})


def _ranked(sheet: Sheet) -> tuple[Indices, list[Findings]]:
    """The rank of the worst finding on each run, and all findings of the worst rank."""
    worst = np.zeros(sheet.size, np.int64)
    invalid = []
    for part in _found(sheet):
        np.maximum.at(worst, part.runs, part.rank)
        invalid.append(part.where(part.severity == INVALID))
    return worst, invalid


def _worded(runs: pd.Series[str], worst: Indices, invalid: list[Findings]) -> pa.Table:
    valid = worst < SEVERITIES.index(INVALID)
    reasons = []
    for start in range(0, len(worst), _AT_ONCE):  # the messages of all would take more memory than all else
        stop = min(start + _AT_ONCE, len(worst))
        some = _reasons(invalid, worst, start, stop)
        reasons.append(pa.array(some, pa.string(), mask=valid[start:stop]))
    return pa.table({
        "run": pa.array(runs.to_numpy(object), pa.string()),
        "verdict": pa.array(_NAMES[worst], pa.string()),
        "valid": valid,
        "invalid_reason": pa.chunked_array(reasons, pa.string()),
    })  # fmt: skip


def _reasons(parts: list[Findings], worst: Indices, start: int, stop: int) -> npt.NDArray[np.object_]:
    """The messages of the worst findings, other than notes, on the runs from `start` to `stop`."""
    telling: list[tuple[int, int, str]] = []
    for part in parts:
        rank = part.rank
        some = part.where((rank > 0) & (rank == worst[part.runs]) & (part.runs >= start) & (part.runs < stop))
        telling += zip(some.runs.tolist(), some.lines.tolist(), some.messages(), strict=True)
    reasons = np.full(stop - start, "", object)
    for run, _, message in sorted(telling, key=lambda told: told[:2]):
        reasons[run - start] = f"{reasons[run - start]}; {message}" if reasons[run - start] else message
    return reasons

"""Whether each run agrees with itself, and is fit to be compared.

The checks are in `wrkparse.analysis.checks`, a module for each kind. Each states its formula and its tolerance; where
it compares printed numbers, the tolerance comes from what their digits can stand for. A contradiction beyond that, and
a run that measured nothing or failures, is ``invalid``; what is to be looked at before it is ranked is ``suspect``; a
``note`` explains a number and changes no verdict.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import pyarrow as pa

from wrkparse.analysis.checks import errors, law, load, network, processes, traces
from wrkparse.analysis.checks.advice import ADVICE
from wrkparse.analysis.checks.finding import INVALID, NOTE, SEVERITIES, SUSPECT, Findings
from wrkparse.analysis.checks.sheet import Sheet
from wrkparse.dataset import Dataset
from wrkparse.tools import event_tools

OK = "ok"
_VERDICTS = {NOTE: OK, SUSPECT: SUSPECT, INVALID: INVALID}
_MODULES = (load, law, errors, network, processes, traces)
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
    parts = _found(sheet)
    return AuditResult(_findings(sheet, parts), _verdicts(sheet, parts))


def verdicts(dataset: Dataset) -> pa.Table:
    """What `runs` keeps of an audit: run, verdict, valid (False: invalid), invalid_reason (missing where valid)."""
    sheet = Sheet(dataset)
    return _columns(_verdicts(sheet, _found(sheet)))


def new_verdicts(dataset: Dataset) -> pa.Table:
    """`verdicts` of the runs whose verdict may not be what it was when the dataset was last audited.

    A report is judged by other reports too, and always again; a trace by its own lines alone, and once.
    """
    sheet = Sheet(dataset, only_new=True)
    settled = sheet.runs["verdict"].notna().to_numpy(bool) & np.isin(sheet.tool, [tool.name for tool in event_tools()])
    return _columns(_verdicts(sheet, _found(sheet))).filter(pa.array(~settled))


def _found(sheet: Sheet) -> list[Findings]:
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):  # a report may print 0 or 1e300 anywhere
        return [found for module in _MODULES for found in module.checks(sheet) if len(found.runs)]


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
    """The verdict on each run; its reasons, by line, are the worst findings, if any is worse than a note."""
    ranks = [(part.severity == SUSPECT) + 2 * (part.severity == INVALID) for part in parts]
    worst = np.zeros(sheet.size, np.int64)
    for part, rank in zip(parts, ranks, strict=True):
        np.maximum.at(worst, part.runs, rank)
    telling: list[tuple[int, int, str]] = []
    for part, rank in zip(parts, ranks, strict=True):
        some = part.where((rank > 0) & (rank == worst[part.runs]))
        telling += zip(some.runs.tolist(), some.lines.tolist(), some.messages(), strict=True)
    reasons = np.full(sheet.size, "", object)
    for run, _, message in sorted(telling, key=lambda told: told[:2]):
        reasons[run] = f"{reasons[run]}; {message}" if reasons[run] else message
    verdict = np.array([_VERDICTS[severity] for severity in SEVERITIES])[worst]
    return pd.DataFrame({"run": sheet.runs["run"], "verdict": verdict, "reasons": reasons})


def _columns(verdicts: pd.DataFrame) -> pa.Table:
    valid = (verdicts["verdict"] != INVALID).to_numpy(bool)
    reasons = pa.array(verdicts["reasons"].to_numpy(object), pa.string(), mask=valid)
    names = ("run", "verdict")
    told = {name: pa.array(verdicts[name].to_numpy(object), pa.string()) for name in names}
    return pa.table({**told, "valid": valid, "invalid_reason": reasons})

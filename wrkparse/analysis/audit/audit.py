"""Whether each run agrees with itself and may be compared with others.

The checks are in `wrkparse.analysis.checks`, one module for each kind. Each check states its formula and its tolerance.
Where printed numbers are compared, the tolerance comes from what their digits can stand for. A run is ``invalid`` if
its numbers contradict each other beyond that, if it measured nothing, or if too many requests failed. It is ``suspect``
if a person should look at it before it is ranked, and ``latency-suspect`` if that holds for its latencies only: its
throughput is used. A ``note`` explains a number and does not change the verdict.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
from pandas.api.extensions import ExtensionArray

from wrkparse.analysis.audit.advice import ADVICE
from wrkparse.analysis.audit.text import VERDICTS, audit_html, audit_text
from wrkparse.analysis.checks import origins, repeats
from wrkparse.analysis.checks.finding import INVALID, NOTE, SEVERITIES, Findings
from wrkparse.analysis.checks.reports import ab, concurrency, errors, load, network, processes, spread
from wrkparse.analysis.checks.run_arrays import RunArrays
from wrkparse.analysis.checks.traces import gc_traces, sched_traces
from wrkparse.analysis.shown.results import ResultView, ShownResult, count_list
from wrkparse.analysis.stats.arrays import Bools, Indices
from wrkparse.analysis.wording import counted
from wrkparse.dataset import Dataset
from wrkparse.tools import event_tools

OK = VERDICTS[0]
_MOST_SHOWN = 20  # runs in a text
_RUNS_AT_ONCE = 5000  # the messages of all runs at once would need more memory than the rest of the audit
# Findings at one line of a run keep this order in its reasons.
_CHECK_MODULES = (origins, load, spread, concurrency, errors, network, ab, processes, gc_traces, sched_traces, repeats)
_COLUMNS = (
    "run", "source", "line", "code", "severity", "value", "expected", "tolerance", "message", "advice",
)  # fmt: skip


@dataclass(frozen=True, slots=True, repr=False)
class AuditResult(ShownResult):
    """The result of `audit`.

    ``findings``: run, source, line, code, severity (note, latency-suspect, suspect, invalid), value, expected,
    tolerance (each NaN if there is none), message (what was found), advice (what it means and what to do); by source
    and line. ``verdicts``: run, verdict (ok, latency-suspect, suspect, invalid), reasons (the messages that led to it);
    one row for each run.
    """

    findings: pd.DataFrame
    verdicts: pd.DataFrame

    @property
    def checks(self) -> pd.DataFrame:
        """A row for each severity and code, the worst first: severity, code, runs, example (a message), advice."""
        found = self.findings.groupby(["severity", "code"], as_index=False).agg(
            runs=("run", "nunique"), example=("message", "first"), advice=("advice", "first")
        )
        rank = found["severity"].map({name: -at for at, name in enumerate(SEVERITIES)})
        found = found.assign(rank=rank).sort_values(["rank", "runs", "code"], ascending=[True, False, True])
        return found.drop(columns="rank").reset_index(drop=True)

    def exhibit(self) -> ResultView:
        """The verdicts counted, and the findings."""
        columns = ["source", "line", "severity", "code", "message"]
        summary = f"{counted(len(self.verdicts), 'run')}: {count_list(self.verdicts['verdict']) or 'no verdict'}"
        return ResultView(summary, {"findings": self.findings[columns]})

    def __str__(self) -> str:
        """As ``wrkparse audit`` prints it, with the findings of the first runs that have more than notes."""
        shown, rest = self._shown_findings()
        return audit_text(shown, self.verdicts, {}, rest)

    def _repr_html_(self) -> str:
        shown, rest = self._shown_findings()
        return audit_html(shown, self.verdicts, rest)

    def _shown_findings(self) -> tuple[pd.DataFrame, str]:
        """The findings that are shown, and what is not."""
        faults = self.findings[self.findings["severity"] != NOTE]
        runs = faults["run"].unique()
        notes = len(self.findings) - len(faults)
        rest = [f"{counted(notes, 'note')} (in .findings)"] if notes else []
        rest += [f"findings of the first {_MOST_SHOWN} of {len(runs):,} runs"] if len(runs) > _MOST_SHOWN else []
        return faults[faults["run"].isin(runs[:_MOST_SHOWN])], "; ".join(rest)


def audit(dataset: Dataset) -> AuditResult:
    """Check every run of a dataset. The formulas are in the modules of `wrkparse.analysis.checks`."""
    unjudged = dataset.without_verdicts
    kept = unjudged.cached("audit", lambda: _audit(unjudged))
    # Copies: what a caller does to its tables must not change those that the dataset keeps.
    return AuditResult(kept.findings.copy(), kept.verdicts.copy())


def _audit(dataset: Dataset) -> AuditResult:
    found = _found(dataset)
    return AuditResult(_findings_table(found), _verdicts_table(_conclude(found.runs["run"], found.findings), found))


class _AllFindings(NamedTuple):
    """The findings of all checks, and the columns ``run`` and ``source`` of the runs that they name by their place."""

    runs: pd.DataFrame
    findings: list[Findings]


def _found(dataset: Dataset) -> _AllFindings:
    """What the checks find; a fixed dataset keeps it, for the verdicts and the table of the findings."""

    def made() -> _AllFindings:
        runs = RunArrays(dataset)  # not kept: its numbers take far more memory than what is found
        return _AllFindings(runs.table[["run", "source"]], list(_run_checks(runs)))

    return dataset.cached("findings", made)


def verdicts(dataset: Dataset) -> pa.Table:
    """The columns that the table `runs` stores of an audit.

    Columns: run, verdict, valid (False if invalid), latency_valid (False if invalid, or if a finding doubts the
    latencies), invalid_reason (missing if valid).
    """
    found = _found(dataset)
    return _stored_columns(_conclude(found.runs["run"], found.findings))


def new_verdicts(dataset: Dataset) -> pa.Table:
    """The `verdicts` of the runs whose verdict may have changed since the last audit.

    Reports are always audited again, because their verdict depends on other reports too. A trace with a verdict is left
    out: its verdict depends only on its lines.
    """
    runs = RunArrays(dataset, only_new=True)
    trace_tools = [tool.name for tool in event_tools()]
    settled = runs.table["verdict"].notna().to_numpy(bool) & np.isin(runs.tool, trace_tools)
    conclusions = _conclude(runs.table["run"], _run_checks(runs))
    del runs  # its numbers take as much memory as the messages need
    columns = _stored_columns(conclusions)
    return columns.filter(pa.array(~settled)) if settled.any() else columns


def _run_checks(runs: RunArrays) -> Iterator[Findings]:
    """The findings of all checks, without empty ones."""
    # The setting holds during `next` only: around a `yield` it would hold in the caller, too.
    checks = chain.from_iterable(module.checks(runs) for module in _CHECK_MODULES)
    while True:
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):  # a report may print 0 or 1e300 anywhere
            findings = next(checks, None)
        if findings is None:
            return
        if len(findings.runs):
            yield findings


def _findings_table(found: _AllFindings) -> pd.DataFrame:
    """All findings as rows, by run and line."""
    runs, findings = found

    def joined(name: str, dtype: str) -> np.ndarray:
        return np.concatenate([np.empty(0, dtype), *(getattr(part, name) for part in findings)])

    at, lines = joined("runs", "int64"), joined("lines", "int64")
    order = np.lexsort((lines, at))

    def ordered(texts: list[str]) -> ExtensionArray:
        return pd.array([texts[place] for place in order], dtype="str")  # without rows pandas would take it for numbers

    codes = [part.code for part in findings for _ in part.runs]
    table = {
        **{name: runs[name].array.take(at[order]) for name in ("run", "source")},
        "line": lines[order],
        "code": ordered(codes),
        "severity": ordered([severity for part in findings for severity in part.severity.tolist()]),
        **{name: joined(name, "float64")[order] for name in ("value", "expected", "tolerance")},
        "message": ordered([message for part in findings for message in part.messages()]),
        "advice": ordered([ADVICE[code] for code in codes]),
    }
    return pd.DataFrame(table, columns=list(_COLUMNS))


def _verdicts_table(conclusions: _Conclusions, found: _AllFindings) -> pd.DataFrame:
    """The verdict on each run. Its reasons are its worst findings, by line, unless they are only notes."""
    worst = conclusions.worst
    reasons = _reasons(found.findings, worst, 0, len(worst))
    return pd.DataFrame({"run": conclusions.runs, "verdict": np.array(VERDICTS, object)[worst], "reasons": reasons})


class _Conclusions(NamedTuple):
    """What the findings say of each run: the rank of the worst, and whether one doubts its latencies.

    ``runs`` are their identifiers, ``invalid`` all findings of this severity.
    """

    runs: pd.Series[str]
    worst: Indices
    latency_doubted: Bools
    invalid: list[Findings]


def _conclude(runs: pd.Series[str], findings: Iterable[Findings]) -> _Conclusions:
    conclusions = _Conclusions(runs, np.zeros(len(runs), np.int64), np.zeros(len(runs), bool), [])
    for part in findings:
        # A run may have several findings in one part; plain indexing would keep one of them.
        np.maximum.at(conclusions.worst, part.runs, part.rank)
        conclusions.latency_doubted[part.runs[part.doubts_latencies]] = True
        conclusions.invalid.append(part.where(part.severity == INVALID))
    return conclusions


def _stored_columns(conclusions: _Conclusions) -> pa.Table:
    run_ids, worst, latency_doubted, invalid = conclusions
    valid = worst < SEVERITIES.index(INVALID)
    chunks = []
    for start in range(0, len(worst), _RUNS_AT_ONCE):
        stop = min(start + _RUNS_AT_ONCE, len(worst))
        reasons = _reasons(invalid, worst, start, stop)
        # Reasons of valid runs are not stored.
        chunks.append(pa.array(reasons, pa.string(), mask=valid[start:stop]))
    return pa.table({
        "run": pa.array(run_ids.to_numpy(object), pa.string()),
        "verdict": pa.array(np.array(VERDICTS, object)[worst], pa.string()),
        "valid": valid,
        "latency_valid": valid & ~latency_doubted,
        "invalid_reason": pa.chunked_array(chunks, pa.string()),
    })  # fmt: skip


def _reasons(findings: list[Findings], worst: Indices, start: int, stop: int) -> npt.NDArray[np.object_]:
    """The messages of the worst findings of the runs from `start` to `stop`, joined by ``;``; empty for mere notes."""
    messages: list[tuple[int, int, str]] = []
    for part in findings:
        rank = part.rank
        decisive = part.where((rank > 0) & (rank == worst[part.runs]) & (part.runs >= start) & (part.runs < stop))
        messages += zip(decisive.runs.tolist(), decisive.lines.tolist(), decisive.messages(), strict=True)
    reasons = np.full(stop - start, "", object)
    for run, _, message in sorted(messages, key=lambda one: one[:2]):
        reasons[run - start] = f"{reasons[run - start]}; {message}" if reasons[run - start] else message
    return reasons

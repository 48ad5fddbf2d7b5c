"""The runs that are traces of Go processes, and the load report that belongs to each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from wrkparse.dataset.frames import to_pandas

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset

# Labels of the server: if a load report and a trace differ in one of them, they do not belong together.
_SERVER_LABELS = ("framework", "cores", "gogc", "gomemlimit", "go_version", "environment")
_LOAD_TOOLS = ("wrk", "wrk2", "ab")
_LOAD_COLUMNS = ("throughput_per_s", "latency_mean_s", "latency_p99_s", "elapsed_s")


def runs_of_tool(ds: Dataset, tool: str, where: str | None) -> pd.DataFrame:
    """The runs of a tool for which `where` (as in `Dataset.wide`) holds, with the columns of ``ds.runs``."""
    runs = to_pandas(ds.matching(where))
    return runs[runs["tool"] == tool].reset_index(drop=True)


def run_condition(runs: pd.DataFrame) -> str:
    """An SQL condition on the column ``run`` that holds for these runs."""
    return "run IN ('" + "', '".join(str(run).replace("'", "''") for run in runs["run"]) + "')"


def loads_beside(ds: Dataset, traces: pd.DataFrame) -> pd.DataFrame:
    """The load report that belongs to each trace, so that a reader can look at both together.

    If both have times of one clock (UTC, or in the same source), it is the load that ran longest while the process was
    traced; beside_overlap_s is how long. A load that ran at another time never belongs to the trace. Because a report
    is printed when the load ends, the load began beside_elapsed_s before the last line of the report, or at its first
    line, whichever is earlier.

    Without common times, it is the nearest report in lines, in the same source and under the same heading. That is how
    pages show what belongs together, but no proof that the load ran against that process. A report is excluded if a
    label of its server differs from that of the trace.

    One row for each trace that has a load report. Columns: run, beside_run, beside_overlap_s (missing without common
    times), and beside_throughput_per_s, beside_latency_mean_s, beside_latency_p99_s, beside_elapsed_s of the load as
    far as its tool states them.
    """
    loads = _loads(ds)
    measured = [name for name in _LOAD_COLUMNS if name in loads]
    known = _Loads(loads)
    rows = []
    for trace in traces.to_dict("records"):
        same, overlap = known.of_server(trace), known.overlap_seconds(trace)
        overlap = np.where(same, overlap, np.nan)
        near = loads[same & np.isnan(overlap) & known.of_section(trace)] if not (overlap > 0).any() else loads.head(0)
        if (overlap > 0).any():
            # At least one overlap is a number: of none, nanargmax would raise an error.
            longest = int(np.nanargmax(overlap))
            load, seconds = loads.iloc[longest], float(overlap[longest])
        elif len(near):
            load, seconds = near.iloc[int(np.argmin(_distance_in_lines(near, trace)))], np.nan
        else:
            continue
        row = {"run": trace["run"], "run_beside": load["run"], "overlap_s": seconds}
        rows.append(row | {name: load[name] for name in measured})
    table = pd.DataFrame(rows, columns=["run", "run_beside", "overlap_s", *measured])
    return table.rename(
        columns={"run_beside": "beside_run", **{name: f"beside_{name}" for name in ["overlap_s", *measured]}}
    )


def overlapping_loads(ds: Dataset, traces: pd.DataFrame) -> pd.DataFrame:
    """The load reports that ran while the processes of some traces were traced, by one clock as in `loads_beside`.

    One row for each pair: run (the trace), load, overlap_s. A load can have several traces, and a trace several loads.
    """
    loads = _loads(ds)
    loads = loads[loads["logged_from"].notna()]
    known, found = _Loads(loads), []
    for trace in traces[traces["logged_from"].notna()].to_dict("records") if len(loads) else ():
        seconds = known.overlap_seconds(trace)
        together = np.flatnonzero(known.of_server(trace) & (seconds > 0))
        found += [(trace["run"], loads["run"].iloc[at], float(seconds[at])) for at in together]
    return pd.DataFrame(found, columns=["run", "load", "overlap_s"])


def _loads(ds: Dataset) -> pd.DataFrame:
    """The load reports, with the columns of `Dataset.wide`; without those of its metrics if there are none."""
    runs = ds.runs
    rows = ds.wide() if runs["tool"].isin(_LOAD_TOOLS).any() else runs
    return rows[rows["tool"].isin(_LOAD_TOOLS)]


class _Loads:
    """Load reports as arrays, to be compared with one trace after the other."""

    def __init__(self, loads: pd.DataFrame) -> None:
        begin, end = loads["logged_from"], loads["logged_to"]
        if "elapsed_s" in loads:
            duration = pd.to_timedelta(loads["elapsed_s"].astype(float), unit="s")
            # The load began so long before its last line, or at its first line if that is earlier.
            begin = begin.where(duration.isna() | (end - duration > begin), end - duration)
        self._loads = loads
        self._begin, self._end = (times.to_numpy("datetime64[ns]") for times in (begin, end))
        self._same: dict[tuple[str, object], np.ndarray] = {}

    def overlap_seconds(self, trace: Mapping[Any, Any]) -> np.ndarray:
        """The seconds that each load ran while the process was traced.

        Negative: the time between the two. NaN if they have no times of the same clock.
        """
        if pd.isna(trace["logged_from"]):
            return np.full(len(self._loads), np.nan)
        zone = "" if pd.isna(trace["logged_zone"]) else trace["logged_zone"]
        comparable = self._equal("logged_zone", zone) & (self._equal("source", trace["source"]) | (zone != ""))
        first, last = (pd.Timestamp(trace[column]).to_datetime64() for column in ("logged_from", "logged_to"))
        seconds = (np.fmin(self._end, last) - np.fmax(self._begin, first)) / np.timedelta64(1, "s")
        return np.where(comparable & ~np.isnat(self._begin), seconds, np.nan)

    def of_section(self, trace: Mapping[Any, Any]) -> np.ndarray:
        """Whether each load is in the same source under the same heading."""
        section = "" if pd.isna(trace["section"]) else trace["section"]
        same: np.ndarray = self._equal("source", trace["source"]) & self._equal("section", section)
        return same

    def of_server(self, trace: Mapping[Any, Any]) -> np.ndarray:
        """Whether no label of the server differs; missing labels do not count."""
        same = np.full(len(self._loads), fill_value=True)
        for label in _SERVER_LABELS:
            if label in self._loads and not pd.isna(trace.get(label)):
                same &= self._equal(label, trace[label], missing=True)
        return same

    def _equal(self, column: str, value: object, *, missing: bool = False) -> np.ndarray:
        """Whether the column has this value; what is `missing` has it if that is so, else it is an empty text."""
        # Traces of one study share most values: each is compared with the loads once.
        if (column, value) not in self._same:
            known = self._loads[column] if missing else self._loads[column].fillna("")
            self._same[column, value] = (known == value).fillna(value=True).to_numpy(bool)
        return self._same[column, value]


def _distance_in_lines(loads: pd.DataFrame, trace: Mapping[Any, Any]) -> np.ndarray:
    """The lines between each load and the trace; 0 if they overlap."""
    after = loads["line"].to_numpy(float) - float(trace["line_end"])
    before = float(trace["line"]) - loads["line_end"].to_numpy(float)
    return np.maximum(0.0, np.maximum(after, before))

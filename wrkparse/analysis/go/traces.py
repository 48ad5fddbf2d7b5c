"""The runs that are traces of Go processes, and the load report that belongs to each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset

# Labels of the server: if a load report and a trace differ in one of them, they do not belong together.
_SERVER_LABELS = ("framework", "cores", "gogc", "gomemlimit", "go_version", "environment")
_LOAD_TOOLS = ("wrk", "wrk2", "ab")
_LOAD_COLUMNS = ("throughput_per_s", "latency_mean_s", "latency_p99_s", "elapsed_s")


def chosen(ds: Dataset, tool: str, where: str | None) -> pd.DataFrame:
    """The runs of a tool for which `where` (as in `Dataset.wide`) holds, with the columns of ``ds.runs``."""
    runs = ds.wide(where)
    return runs.loc[runs["tool"] == tool, list(ds.runs.columns)].reset_index(drop=True)


def only(runs: pd.DataFrame) -> str:
    """An SQL condition on the column ``run`` that holds for these runs."""
    return "run IN ('" + "', '".join(str(run).replace("'", "''") for run in runs["run"]) + "')"


def beside(ds: Dataset, traces: pd.DataFrame) -> pd.DataFrame:
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
    wide = ds.wide()
    loads = wide[wide["tool"].isin(_LOAD_TOOLS)]
    measured = [name for name in _LOAD_COLUMNS if name in loads]
    by_source = loads.groupby("source").groups
    rows = []
    for _, trace in traces.iterrows():
        candidates = loads
        if pd.isna(trace["logged_from"]):  # without times, only what is in its source may belong to it
            if trace["source"] not in by_source:
                continue
            candidates = loads.loc[by_source[trace["source"]]]
        candidates = candidates[_same_server(candidates, trace)]
        overlap = _overlap_seconds(candidates, trace)
        near = candidates[overlap.isna() & _same_section(candidates, trace)]
        if (overlap > 0).any():
            longest = int(np.nanargmax(overlap.to_numpy(float)))
            load, seconds = candidates.iloc[longest], overlap.iloc[longest]
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


def overlapping(ds: Dataset, traces: pd.DataFrame) -> pd.DataFrame:
    """The load reports that ran while the processes of some traces were traced, by times of one clock as in `beside`.

    One row for each pair: run (the trace), load, overlap_s. A load can have several traces, and a trace several loads.
    """
    wide = ds.wide()
    loads = wide[wide["tool"].isin(_LOAD_TOOLS) & wide["logged_from"].notna()]
    found = []
    for _, trace in traces[traces["logged_from"].notna()].iterrows() if len(loads) else ():
        candidates = loads[_same_server(loads, trace)]
        seconds = _overlap_seconds(candidates, trace)
        together = candidates.assign(overlap_s=seconds)[seconds > 0]
        found += [
            (trace["run"], load, overlap) for load, overlap in together[["run", "overlap_s"]].itertuples(index=False)
        ]
    return pd.DataFrame(found, columns=["run", "load", "overlap_s"])


def _overlap_seconds(loads: pd.DataFrame, trace: pd.Series) -> pd.Series:
    """The seconds that each load ran while the process was traced.

    Negative: the time between the two. NaN if they have no times of the same clock.
    """
    begin, end = loads["logged_from"], loads["logged_to"]
    if "elapsed_s" in loads:
        duration = pd.to_timedelta(loads["elapsed_s"].astype(float), unit="s")
        begin = begin.where(duration.isna() | (end - duration > begin), end - duration)
    zones = loads["logged_zone"].fillna("")
    zone = "" if pd.isna(trace["logged_zone"]) else trace["logged_zone"]
    comparable = (zones == zone) & ((zone != "") | (loads["source"] == trace["source"]))
    latest_begin = begin.where(begin > trace["logged_from"], trace["logged_from"])
    earliest_end = end.where(end < trace["logged_to"], trace["logged_to"])
    known = comparable & begin.notna() & (not pd.isna(trace["logged_from"]))
    seconds = (earliest_end - latest_begin).dt.total_seconds().to_numpy(float)
    return pd.Series(np.where(known.to_numpy(bool), seconds, np.nan), index=loads.index, dtype=float)


def _same_section(loads: pd.DataFrame, trace: pd.Series) -> pd.Series:
    """Whether each load is in the same source under the same heading."""
    section = "" if pd.isna(trace["section"]) else trace["section"]
    same: pd.Series[bool] = (loads["source"] == trace["source"]) & (loads["section"].fillna("") == section)
    return same


def _same_server(loads: pd.DataFrame, trace: pd.Series) -> pd.Series:
    """Whether no label of the server differs; missing labels do not count."""
    same = pd.Series(data=True, index=loads.index)
    for label in _SERVER_LABELS:
        if label in loads and label in trace and not pd.isna(trace[label]):
            same &= (loads[label] == trace[label]).fillna(value=True).astype(bool)
    return same


def _distance_in_lines(loads: pd.DataFrame, trace: pd.Series) -> np.ndarray:
    """The lines between each load and the trace; 0 if they overlap."""
    after = loads["line"].to_numpy(float) - float(trace["line_end"])
    before = float(trace["line"]) - loads["line_end"].to_numpy(float)
    return np.maximum(0.0, np.maximum(after, before))

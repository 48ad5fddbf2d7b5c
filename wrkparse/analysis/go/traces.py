"""What the analyses of a process's trace share: which runs, and the load that stands beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset

# Labels that say what was run: two reports that differ in one are not of one process.
_SETUP = ("framework", "cores", "gogc", "gomemlimit", "go_version", "environment")
_LOAD_TOOLS = ("wrk", "wrk2", "ab")
_LOAD = ("throughput_per_s", "latency_mean_s", "latency_p99_s", "elapsed_s")


def chosen(ds: Dataset, tool: str, where: str | None) -> pd.DataFrame:
    """The runs of a tool for which a condition (as of `Dataset.wide`) holds: the columns of ``ds.runs``."""
    runs = ds.wide(where)
    return runs.loc[runs["tool"] == tool, list(ds.runs.columns)].reset_index(drop=True)


def only(runs: pd.DataFrame) -> str:
    """An SQL condition on ``run`` that holds for these runs."""
    return "run IN ('" + "', '".join(str(run).replace("'", "''") for run in runs["run"]) + "')"


def beside(ds: Dataset, traces: pd.DataFrame) -> pd.DataFrame:
    """The load report that stands beside each trace, for a reader to look at together.

    Where both carry times of one clock (UTC, or of the same source), it is the load that ran longest while the process
    was traced: beside_overlap_s says how long, and a load that ran at another time is none. A report is printed when
    the load ends, so that it ran from beside_elapsed_s before its last line, or from its first, whichever is earlier.
    Otherwise it is the nearest one in lines, in the same source under the same heading; that is what a page shows side
    by side, no proof that the load ran against that process. Neither is one that a label says is of another setup.

    One row per trace that has one: run, then beside_run, beside_overlap_s (missing where times are), and the load's
    beside_throughput_per_s, beside_latency_mean_s, beside_latency_p99_s, beside_elapsed_s, as far as the tool states
    them.
    """
    wide = ds.wide()
    loads = wide[wide["tool"].isin(_LOAD_TOOLS)]
    measured = [name for name in _LOAD if name in loads]
    rows = []
    for _, trace in traces.iterrows():
        alike = loads[_alike(loads, trace)]
        overlap = _overlap(alike, trace)
        near = alike[overlap.isna() & _side_by_side(alike, trace)]
        if (overlap > 0).any():
            at = int(np.nanargmax(overlap.to_numpy(float)))
            load, seconds = alike.iloc[at], overlap.iloc[at]
        elif len(near):
            load, seconds = near.iloc[int(np.argmin(_distance(near, trace)))], np.nan
        else:
            continue
        row = {"run": trace["run"], "run_beside": load["run"], "overlap_s": seconds}
        rows.append(row | {name: load[name] for name in measured})
    found = pd.DataFrame(rows, columns=["run", "run_beside", "overlap_s", *measured])
    return found.rename(
        columns={"run_beside": "beside_run", **{name: f"beside_{name}" for name in ["overlap_s", *measured]}}
    )


def _overlap(loads: pd.DataFrame, trace: pd.Series) -> pd.Series:
    """How many seconds each load ran while the process was traced, below 0: how far apart; NA without common times."""
    begin, end = loads["logged_from"], loads["logged_to"]
    if "elapsed_s" in loads:
        lasted = pd.to_timedelta(loads["elapsed_s"].astype(float), unit="s")
        begin = begin.where(lasted.isna() | (end - lasted > begin), end - lasted)
    zones = loads["logged_zone"].fillna("")
    zone = "" if pd.isna(trace["logged_zone"]) else trace["logged_zone"]
    comparable = (zones == zone) & ((zone != "") | (loads["source"] == trace["source"]))
    latest = begin.where(begin > trace["logged_from"], trace["logged_from"])
    earliest = end.where(end < trace["logged_to"], trace["logged_to"])
    known = comparable & begin.notna() & (not pd.isna(trace["logged_from"]))
    seconds = (earliest - latest).dt.total_seconds().to_numpy(float)
    return pd.Series(np.where(known.to_numpy(bool), seconds, np.nan), index=loads.index, dtype=float)


def _side_by_side(loads: pd.DataFrame, trace: pd.Series) -> pd.Series:
    section = "" if pd.isna(trace["section"]) else trace["section"]
    beside: pd.Series[bool] = (loads["source"] == trace["source"]) & (loads["section"].fillna("") == section)
    return beside


def _alike(loads: pd.DataFrame, trace: pd.Series) -> pd.Series:
    same = pd.Series(data=True, index=loads.index)
    for label in _SETUP:
        if label in loads and label in trace and not pd.isna(trace[label]):
            same &= (loads[label] == trace[label]).fillna(value=True).astype(bool)
    return same


def _distance(loads: pd.DataFrame, trace: pd.Series) -> np.ndarray:
    """Lines between two texts; 0 if one stands inside the other."""
    after = loads["line"].to_numpy(float) - float(trace["line_end"])
    before = float(trace["line"]) - loads["line_end"].to_numpy(float)
    return np.maximum(0.0, np.maximum(after, before))

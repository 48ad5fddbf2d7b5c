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
    """The load report that stands nearest to each trace, for a reader to look at together.

    Nearest in lines, in the same source under the same heading, with no label that says it is another setup. That is
    what a page shows side by side, no proof that the load ran against that process. One row per trace that has one:
    run, then beside_run and the load's beside_throughput_per_s, beside_latency_mean_s, beside_latency_p99_s,
    beside_elapsed_s, as far as the tool states them.
    """
    wide = ds.wide()
    loads = wide[wide["tool"].isin(_LOAD_TOOLS)]
    measured = [name for name in _LOAD if name in loads]
    of_source = dict(list(loads.groupby("source")))
    rows = []
    for _, trace in traces.iterrows():
        near = of_source.get(trace["source"], loads[:0])
        near = near[_alike(near, trace)]
        if len(near):
            load = near.iloc[int(np.argmin(_distance(near, trace)))]
            rows.append({"run": trace["run"], "run_beside": load["run"], **{name: load[name] for name in measured}})
    found = pd.DataFrame(rows, columns=["run", "run_beside", *measured]).rename(columns={"run_beside": "beside_run"})
    return found.rename(columns={name: f"beside_{name}" for name in measured})


def _alike(loads: pd.DataFrame, trace: pd.Series) -> pd.Series:
    same = loads["section"].fillna("") == ("" if pd.isna(trace["section"]) else trace["section"])
    for label in _SETUP:
        if label in loads and label in trace and not pd.isna(trace[label]):
            same &= (loads[label] == trace[label]).fillna(value=True).astype(bool)
    return same


def _distance(loads: pd.DataFrame, trace: pd.Series) -> np.ndarray:
    """Lines between two texts; 0 if one stands inside the other."""
    after = loads["line"].to_numpy(float) - float(trace["line_end"])
    before = float(trace["line"]) - loads["line_end"].to_numpy(float)
    return np.maximum(0.0, np.maximum(after, before))

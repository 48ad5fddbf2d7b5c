"""Little's law, run by run: how many requests were under way, and how many connections there were for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from wrkparse.analysis.audit.audit import OK, audit
from wrkparse.analysis.checks import concurrency
from wrkparse.analysis.checks.run_arrays import RunArrays

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset

CODES = ("little-law-high", "little-law-low", "little-law-unexplained", "backlog")


def little_law(ds: Dataset, *, where: str | None = None) -> pd.DataFrame:
    """One row per load run for which `where` (as in `Dataset.wide`) holds, and that states what the law needs.

    Columns: run, tool, source, line, connections (those that were open), throughput_per_s, latency_mean_s, under_way
    (throughput × mean latency: the requests under way at once, by J. D. C. Little, Operations Research 9, 1961), ratio
    (under_way / connections), tolerance (of the ratio around 1, as the audit allows it), code (the audit's finding
    about it, else NA), severity (of that finding; ``ok`` without), verdict (the audit's, of the run as a whole).
    """
    runs = RunArrays(ds)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        ratio, tolerance = concurrency.busy_connections(runs)
    table = pd.DataFrame({
        "run": runs.table["run"], "tool": runs.table["tool"], "source": runs.table["source"],
        "line": runs.table["line"], "connections": runs.open_connections,
        "throughput_per_s": runs.value("throughput"),
        "latency_mean_s": np.where(runs.tool == "ab", runs.value("total", "mean"), runs.value("latency", "mean")),
        "under_way": ratio.middle * runs.open_connections, "ratio": ratio.middle,
        "tolerance": tolerance + ratio.half_width,
    })  # fmt: skip
    found = audit(ds)
    codes = found.findings[found.findings["code"].isin(CODES)].drop_duplicates("run")[["run", "code", "severity"]]
    table = table.merge(codes, on="run", how="left").merge(found.verdicts[["run", "verdict"]], on="run", how="left")
    table["severity"] = table["severity"].astype("string").fillna(OK)
    known = np.isfinite(table["ratio"]) & (table["ratio"] > 0)
    return ds.wide(where)[["run"]].merge(table[known], on="run")

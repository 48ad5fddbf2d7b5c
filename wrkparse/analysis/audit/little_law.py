"""Little's law for each run: the requests under way at the same time, compared with the open connections."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from wrkparse.analysis.audit.audit import OK, audit
from wrkparse.analysis.checks.reports.concurrency import busy_connections
from wrkparse.analysis.checks.run_arrays import RunArrays
from wrkparse.dataset.frames import to_pandas

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset

# The audit's codes about Little's law.
CODES = ("little-law-high", "little-law-low", "little-law-unexplained", "backlog")


def little_law(ds: Dataset, *, where: str | None = None) -> pd.DataFrame:
    """One row for each load run that matches `where` (as in `Dataset.wide`), and has the numbers and any requests.

    Columns: run, tool, source, line, connections (open at the same time), throughput_per_s, latency_mean_s, under_way
    (throughput × mean latency: the mean number of requests under way; J. D. C. Little, Operations Research 9, 1961),
    ratio (under_way / connections), tolerance (of the ratio around 1, as in the audit), code (of the audit's finding
    about it, else NA), severity (of that finding, else ``ok``), verdict (of the audit, on the whole run).
    """
    runs = RunArrays(ds)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        ratio, tolerance = busy_connections(runs)
    latency = np.where(runs.tool == "ab", runs.value("total", "mean"), runs.value("latency", "mean"))
    table = pd.DataFrame({
        "run": runs.table["run"], "tool": runs.table["tool"], "source": runs.table["source"],
        "line": runs.table["line"], "connections": runs.open_connections,
        "throughput_per_s": runs.value("throughput"), "latency_mean_s": latency,
        "under_way": ratio.middle * runs.open_connections, "ratio": ratio.middle,
        "tolerance": tolerance + ratio.half_width,
    })  # fmt: skip
    result = audit(ds)
    findings = result.findings[result.findings["code"].isin(CODES)].drop_duplicates("run")
    table = table.merge(findings[["run", "code", "severity"]], on="run", how="left")
    table = table.merge(result.verdicts[["run", "verdict"]], on="run", how="left")
    table["severity"] = table["severity"].astype("string").fillna(OK)
    known = np.isfinite(table["ratio"]) & (table["ratio"] > 0) & (table["throughput_per_s"] > 0)
    return to_pandas(ds.matching(where).select(["run"])).merge(table[known], on="run")

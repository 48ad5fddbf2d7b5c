"""Each run's latency distribution as far as its report prints it: a spectrum, or a few percentiles."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset

_ROUNDING = 1e-9

# A spectrum says more than the percentiles above it, and holds them.
_PRINTED = """printed AS (
  SELECT run, CASE WHEN tool = 'wrk2' THEN metric = 'latency' END AS corrected,
    CASE stat WHEN 'max' THEN 1.0 ELSE try_cast(stat[2:] AS DOUBLE) / 100 END AS percentile,
    min(value) AS value_s, min(m.line) AS line
  FROM measurements m JOIN runs USING (run)
  WHERE (metric IN ('latency', 'latency_uncorrected') OR (metric = 'total' AND tool = 'ab'))
    AND (stat = 'max' OR regexp_full_match(stat, 'p[0-9.]+')) AND value IS NOT NULL
  GROUP BY ALL
)"""
_CURVES = f"""
WITH {_PRINTED}, detailed AS (
  SELECT run, corrected, percentile, value_s, max(total_count) OVER (PARTITION BY run, corrected) AS n, line
  FROM spectrum
), several AS (
  SELECT run, corrected FROM printed GROUP BY ALL HAVING count(*) FILTER (percentile < 1) > 0
), done AS (SELECT run, value AS n FROM measurements WHERE metric = 'requests' AND stat = 'total')
SELECT run, corrected, 'spectrum' AS detail, percentile, value_s, n, line FROM detailed WHERE n > 0
UNION ALL BY NAME
SELECT p.run, p.corrected, 'printed' AS detail, percentile, value_s, n, line
FROM printed p LEFT JOIN done USING (run)
WHERE EXISTS (FROM several s WHERE s.run = p.run AND s.corrected IS NOT DISTINCT FROM p.corrected)
  AND NOT EXISTS (FROM detailed d WHERE d.run = p.run AND d.corrected IS NOT DISTINCT FROM p.corrected)"""


def latencies(ds: Dataset, *, where: str | None = None) -> pd.DataFrame:
    """The printed latency distributions of the runs for which `where` (as in `Dataset.wide`) holds; none averaged.

    A row per run and printed point: run, corrected (True: from when each request was due, wrk2's default; False: from
    when it was sent; NA: the tool does not say), detail (``spectrum``, or ``printed``: only a few percentiles),
    percentile (0 to 1), slower_ratio, value_s, n, line. A run with a spectrum has the points of that alone. The
    maximum is percentile 1.

    slower_ratio is 1 − percentile; for the maximum 1/n, for the slowest is one of n (a spectrum's total
    count, or the requests done; NaN if the report does not say), or the least of all others where that is smaller, as
    in a spectrum that goes on to finer percentiles than it has latencies. Ordered as the runs are, then by percentile.
    """
    runs = ds.wide(where)[["run"]]
    rows = runs.merge(ds.sql(_CURVES), on="run")
    rows["n"] = rows["n"].astype(float)
    left = (1 - rows["percentile"]).where(rows["percentile"] < 1)
    least = left.groupby([rows["run"], rows["corrected"]], dropna=False).transform("min")
    one = 1 / rows["n"].replace(0, np.nan)
    rows.insert(4, "slower_ratio", left.fillna(one.where(~(least < one), least)))
    place = rows["run"].map(pd.Series(range(len(runs)), index=runs["run"]))
    second = (~rows["corrected"].fillna(value=True)).astype(int)
    keys = rows[["percentile", "value_s"]].assign(place=place, second=second)
    order = keys.sort_values(["place", "second", "percentile", "value_s"], kind="stable").index
    return rows.loc[order].reset_index(drop=True)


def printed_percentiles(ds: Dataset, wanted: Iterable[float]) -> pd.DataFrame:
    """The `wanted` percentiles (0 to 1) that reports print, never interpolated: run, corrected, percentile, value_s."""
    rows = ds.sql(f"WITH {_PRINTED} SELECT run, corrected, percentile, value_s FROM printed WHERE percentile < 1")
    near = np.abs(rows["percentile"].to_numpy(float)[:, None] - np.array(list(wanted))[None, :]) < _ROUNDING
    rows["percentile"] = rows["percentile"].round(6)
    found: pd.DataFrame = rows[near.any(axis=1)].reset_index(drop=True)
    return found

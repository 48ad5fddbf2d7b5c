"""The latency distribution of each run as its report prints it: a spectrum, or a few percentiles."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from wrkparse.dataset.frames import to_pandas

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset

_ROUNDING = 1e-9  # above the errors of float arithmetic; the finest percentile in wrk2's list is 0.99999

# The percentiles that wrk, wrk2 and ab print in a short list; those of the spectrum are in a table of their own. Of
# wrk2, `latency` is corrected and `latency_uncorrected` is not. DuckDB counts from 1: stat[2:] of p99.9 is 99.9. ab
# prints the maximum twice, as 100 % and as the maximum of Total, which are one point.
_PRINTED_PERCENTILES = """printed AS (
  SELECT run, CASE WHEN tool = 'wrk2' THEN m.metric = 'latency' END AS corrected,
    CASE m.stat WHEN 'max' THEN 1.0 ELSE try_cast(m.stat[2:] AS DOUBLE) / 100 END AS percentile,
    min(m.value) AS value_s, arg_min(m.resolution, m.value) AS resolution, min(m.line) AS line
  FROM measurements m JOIN runs USING (run)
  WHERE (m.metric IN ('latency', 'latency_uncorrected') OR (m.metric = 'total' AND tool = 'ab'))
    AND (m.stat = 'max' OR regexp_full_match(m.stat, 'p[0-9.]+')) AND m.value IS NOT NULL
  GROUP BY ALL
)"""
# The spectrum of a run, if it has one. Else its list, if that has any percentile besides the maximum.
_DISTRIBUTIONS = f"""
WITH {_PRINTED_PERCENTILES}, detailed AS (
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
  AND NOT EXISTS (FROM detailed d WHERE d.run = p.run AND d.corrected IS NOT DISTINCT FROM p.corrected)
  AND n IS DISTINCT FROM 0"""


def latencies(ds: Dataset, *, where: str | None = None) -> pd.DataFrame:
    """The printed latency distributions of the runs that match `where` (as in `Dataset.wide`) and did any request.

    One row per run and printed point; nothing is averaged over runs. Columns: run, corrected (True: measured from when
    the request was due, the default of wrk2; False: from when it was sent; NA: the tool does not say), detail
    (``spectrum``, or ``printed`` for a list of a few percentiles), percentile (0 to 1; the maximum is 1), slower_ratio,
    value_s, n (latencies in the spectrum, else requests done; NaN if the report does not say), line. If a run has a
    spectrum, its list of percentiles is left out, because the spectrum contains them.

    slower_ratio is the share of requests that are slower, 1 - percentile. For the maximum it is 1/n, because the
    slowest request is one of n. It is the smallest ratio of the other points if that is smaller, as in a spectrum whose
    percentiles are finer than its number of latencies. Rows are in the order of the runs, then by percentile.
    """
    runs = to_pandas(ds.matching(where).select(["run"]))
    rows = runs.merge(ds.answer(_DISTRIBUTIONS), on="run")
    rows["n"] = rows["n"].astype(float)
    slower = (1 - rows["percentile"]).where(rows["percentile"] < 1)
    smallest = slower.groupby([rows["run"], rows["corrected"]], dropna=False).transform("min")
    one_of_n = 1 / rows["n"].replace(0, np.nan)
    rows.insert(4, "slower_ratio", slower.fillna(one_of_n.where(~(smallest < one_of_n), smallest)))
    position = rows["run"].map(pd.Series(range(len(runs)), index=runs["run"]))
    uncorrected = (~rows["corrected"].fillna(value=True)).astype(int)
    keys = rows[["percentile", "value_s"]].assign(position=position, uncorrected=uncorrected)
    order = keys.sort_values(["position", "uncorrected", "percentile", "value_s"], kind="stable").index
    return rows.loc[order].reset_index(drop=True)


def printed_percentiles(ds: Dataset, wanted: Iterable[float]) -> pd.DataFrame:
    """The `wanted` percentiles (0 to 1) as far as reports print them; none is interpolated.

    Columns: run, corrected (as in `latencies`), percentile, value_s, resolution (half the last printed digit).
    """
    select = "SELECT run, corrected, percentile, value_s, resolution FROM printed WHERE percentile < 1"
    rows = ds.answer(f"WITH {_PRINTED_PERCENTILES} {select}")
    wanted_percentiles = np.array(list(wanted))
    is_wanted = np.abs(rows["percentile"].to_numpy(float)[:, None] - wanted_percentiles[None, :]) < _ROUNDING
    rows["percentile"] = rows["percentile"].round(6)
    matching: pd.DataFrame = rows[is_wanted.any(axis=1)].reset_index(drop=True)
    return matching

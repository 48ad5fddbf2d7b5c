"""Summaries of runs: a few numbers, such as ``- **Requests/sec:** 31677.78``, beside the report of the same run."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from wrkparse.analysis.runs.selection import COPY_COLUMNS, SelectedRun
from wrkparse.dataset import Dataset
from wrkparse.model.records import FEWEST_COPIED

_FEWEST_STEPS = 50_000  # of the resolution in a rate: five digits, which two runs rarely share by chance


def without_summaries(dataset: Dataset, runs: Sequence[SelectedRun]) -> tuple[list[SelectedRun], pd.DataFrame]:
    """The runs without summaries of other runs among them, and a table of these as of `without_copies`.

    A summary is a report with at most 7 numbers, a rate of five digits or more among them, if a longer report of the
    tool has each of these numbers.
    """
    frame = dataset.answer(
        f"""
        WITH counted AS (SELECT run, count(*) AS n FROM measurements WHERE value IS NOT NULL GROUP BY run),
        rates AS (SELECT run, value, resolution FROM measurements WHERE metric = 'throughput' AND stat = 'total'),
        pairs AS (
            SELECT a.run AS summary, b.run AS whole, short.n FROM counted short JOIN rates a USING (run)
            JOIN rates b ON b.value = a.value AND b.run <> a.run JOIN counted long ON long.run = b.run
            WHERE short.n < {FEWEST_COPIED} AND long.n > short.n AND a.value >= {_FEWEST_STEPS} * a.resolution
        )
        SELECT summary, whole FROM pairs JOIN measurements s ON s.run = summary
        JOIN measurements w ON w.run = whole AND w.metric = s.metric AND w.stat = s.stat AND w.value = s.value
        GROUP BY summary, whole HAVING count(*) = any_value(n)
        """
    )
    by_run = {run.run: run for run in runs}
    found = {
        summary: by_run[whole]
        for summary, whole in sorted(frame.itertuples(index=False, name=None), reverse=True)
        if summary in by_run and whole in by_run and by_run[summary].labels["tool"] == by_run[whole].labels["tool"]
    }
    rows = [(run.run, run.where, found[run.run].run, found[run.run].where, True) for run in runs if run.run in found]
    return [run for run in runs if run.run not in found], pd.DataFrame(rows, columns=COPY_COLUMNS)

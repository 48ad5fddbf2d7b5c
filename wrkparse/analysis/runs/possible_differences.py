"""Signs that runs differ although their labels are equal; only a reader can decide.

They are text between the runs, the days in their paths, empty files beside them, and requests with keep-alive, which ab
prints only if its option ``-k`` was given.
"""

from __future__ import annotations

from collections.abc import Collection

import pyarrow.compute as pc

from wrkparse.analysis.runs.empty_files import empty_beside_runs
from wrkparse.context.nearby.evidence import LINE_SEPARATOR, LINES_ABOVE
from wrkparse.context.titles.path_days import day_in_path
from wrkparse.dataset import Dataset
from wrkparse.text.escape import printable
from wrkparse.tools.ab.metrics import KEEP_ALIVE

_LONGEST = 60  # characters of a line that is quoted
_MOST = 2  # lines that a note quotes


def may_differ(dataset: Dataset, runs: Collection[str]) -> str:
    """In what else these runs may differ; empty if there is no sign of it.

    ``text is between them: a.log:67 “emu ready”; their paths name 3 days, 2026-11-20 to 2026-11-22``.
    """
    signs = (_empty(dataset), _keep_alive(dataset, runs), _text_between(dataset, runs), _days(dataset, runs))
    return "; ".join(filter(None, signs))


def _empty(dataset: Dataset) -> str:
    """Which files beside those of the runs are empty: the servers that they belong to have no runs."""
    return "; ".join(f"{one.files} files such as {one.first} are empty" for one in empty_beside_runs(dataset)[:_MOST])


def _keep_alive(dataset: Dataset, runs: Collection[str]) -> str:
    """How many runs of ab kept connections alive, if not all of them did: only those state how many requests."""
    rows = dataset.arrow("runs").select(["run", "tool"]).to_pylist()
    of_ab = {row["run"] for row in rows if row["run"] in runs and row["tool"] == "ab"}
    measured = dataset.arrow("measurements")
    stating = measured.filter(pc.equal(measured["metric"], KEEP_ALIVE.name))["run"].to_pylist()
    kept = len(of_ab.intersection(stating))
    return f"{kept} of the {len(of_ab)} runs of ab kept connections alive (-k)" if 0 < kept < len(of_ab) else ""


def _days(dataset: Dataset, runs: Collection[str]) -> str:
    rows = dataset.arrow("runs").select(["run", "source"]).to_pylist()
    days = sorted({day for row in rows if row["run"] in runs and (day := day_in_path(row["source"]))})
    return f"their paths name {len(days)} days, {days[0]} to {days[-1]}" if len(days) > 1 else ""


def _text_between(dataset: Dataset, runs: Collection[str]) -> str:
    """Where text is between some of these runs.

    That above the first run of a source is about all of them, and so is what stands above each of the others.
    """
    rows = dataset.arrow("runs").select(["run", "source", "line"]).to_pylist()
    labels = dataset.arrow("labels")
    above = {row["run"]: row for row in labels.filter(pc.equal(labels["key"], LINES_ABOVE)).to_pylist()}
    found: list[str] = []
    first_of: dict[str, str] = {}
    for row in sorted(rows, key=lambda row: (row["source"], row["line"])):
        run, source = row["run"], row["source"]
        if run in runs and first_of.setdefault(source, run) != run and run in above:
            text = above[run]["value"].rpartition(LINE_SEPARATOR)[2]
            found.append(f"{source}:{above[run]['line']} “{text[:_LONGEST]}{'…' * (len(text) > _LONGEST)}”")
    if not found or len(found) == len(runs) - len(first_of):
        return ""
    more = f" and {len(found) - _MOST} more" if len(found) > _MOST else ""
    return printable(f"text is between them: {', '.join(found[:_MOST])}{more}")

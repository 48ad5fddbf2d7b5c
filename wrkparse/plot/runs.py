"""Which runs a figure shows, and what it calls them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from wrkparse.analysis import traces
from wrkparse.plot.errors import NothingToPlotError
from wrkparse.tools.schema import CANONICAL

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from wrkparse.dataset import Dataset

MOST_NAMED = 12  # lines with a name each; more can't be told apart
_NAMED = 6  # runs that a message lists
_LONGEST = 34
_TOLD = {
    "gogc": "GOGC {}", "go_version": "Go {}", "cores": "{} cores", "connections": "{} conn.", "threads": "{} threads",
    "rate": "{:g}/s",
}  # fmt: skip
_LABELS = tuple(key for key in CANONICAL if key not in {"url", "duration_s", "payload_bytes"})


def one_trace(ds: Dataset, tool: str, variable: str, *, run: str | None, where: str | None) -> pd.Series:
    """The one run of a tool that is meant: `run` may be the begin of its identifier. `variable`: what makes such lines.

    Raises NothingToPlotError where there is none, or where several are left to choose from.
    """
    runs = traces.chosen(ds, tool, where)
    found = runs if run is None else runs[runs["run"].str.startswith(run)]
    if found.empty:
        asked = f" whose identifier begins with {run!r}" if run else ""
        of = f" for which {where!r} holds" if where else ""
        raise NothingToPlotError(f"no {tool} run{asked}{of}: lines of {variable} are what this figure is drawn from")
    if len(found) > 1:
        listed = [f"{row['run'][:8]} ({row['source']}:{row['line']})" for row in found.head(_NAMED).to_dict("records")]
        more = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
        raise NothingToPlotError(
            f"this figure shows one process, and there are {len(found)} {tool} runs: choose one by its identifier, or "
            f"by a condition; {', '.join(listed)}{more}"
        )
    return found.iloc[0]


def title_of(trace: pd.Series) -> str:
    """Short words for a run: its labels, or where it stands."""
    keys = [key for key in ("framework", "cores", "gogc", "gomemlimit") if key in trace]
    return _described(trace, keys) if "framework" in keys and not pd.isna(trace["framework"]) else place(trace)


def place(row: pd.Series) -> str:
    """The source and line of a run, cut at its begin where it is long."""
    text = f"{row['source']}:{row['line']}"
    return text if len(text) <= _LONGEST else f"…{text[-_LONGEST + 1 :]}"


def names(runs: pd.DataFrame, wanted: Iterable[str], *, shown: Collection[str] = ()) -> dict[str, str]:
    """A name for each of these runs (of ``ds.runs``): the labels in which they differ, else where they stand too.

    `shown` are labels that the figure shows otherwise; then runs may share a name.
    """
    rows = runs.set_index("run").loc[list(dict.fromkeys(wanted))]
    varying = [key for key in _LABELS if key not in shown and key in rows and len(set(rows[key].astype(str))) > 1]
    keys = [key for key in _LABELS if key in varying or (key == "framework" and key in rows)]
    described = pd.Series([_described(row, keys) for _, row in rows.iterrows()], index=rows.index, dtype=object)
    twice = (described.duplicated(keep=False) & (not shown)) | (described == "")
    lines = len(set(rows["source"])) == 1
    where = [_where(row, lines) if again else "" for (_, row), again in zip(rows.iterrows(), twice, strict=True)]
    return {
        str(run): ", ".join(filter(None, parts))
        for run, *parts in zip(rows.index, described, where, strict=True)
    }  # fmt: skip


def _where(row: pd.Series, lines: bool) -> str:
    if lines:
        return f"line {row['line']}"
    stem = str(row["source"]).rsplit("/", 1)[-1]
    return stem if row["line"] == 1 else f"{stem}:{row['line']}"


def _described(row: pd.Series, keys: Iterable[str]) -> str:
    parts = [_TOLD.get(key, "{}").format(row[key]) for key in keys if not pd.isna(row[key])]
    return ", ".join(part.removesuffix("s") if part in {"1 cores", "1 threads"} else part for part in parts)

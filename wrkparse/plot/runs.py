"""Selects the run for a figure of one process, and names runs in figures."""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from typing import TYPE_CHECKING

import pandas as pd

from wrkparse.analysis.go import traces
from wrkparse.context.nearby.evidence import EVIDENCE_KEYS
from wrkparse.plot.errors import NothingToPlotError
from wrkparse.plot.series import label_values, setting_words
from wrkparse.tools.schema import CANONICAL, label_texts

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from wrkparse.dataset import Dataset

MAX_NAMED = 12  # a figure with more lines names none of them: readers could not tell them apart
_MAX_LISTED = 6  # runs in a message; the others are counted
_MAX_PLACE_WIDTH = 34  # characters, so that a title that contains the place fits on one line
# How labels are written in a name; others are written as their value.
_LABEL_FORMATS = {
    "gogc": "GOGC {}", "go_version": "Go {}", "cores": "{} cores", "connections": "{} conn.", "threads": "{} threads",
    "rate": "{:g}/s",
}  # fmt: skip
# Labels that may be part of a name; the others are too long, or say little about the difference of two runs.
_NAME_LABELS = tuple(key for key in CANONICAL if key not in {"url", "duration_s", "payload_bytes"})


def select_trace(ds: Dataset, tool: str, variable: str, *, run: str | None, where: str | None) -> pd.Series:
    """The row of `ds.runs` for the one trace to draw.

    - `tool`: ``gctrace`` or ``schedtrace``.
    - `variable`: the environment variable that makes Go print this trace, for the error message.
    - `run`: the beginning of the run's identifier.
    - `where`: a condition in SQL.

    Raises NothingToPlotError if no run fits, or more than one.
    """
    runs = traces.runs_of_tool(ds, tool, where)
    found = runs if run is None else runs[runs["run"].str.startswith(run)]
    if found.empty:
        prefix = f" whose identifier begins with {run!r}" if run else ""
        condition = f" for which {where!r} holds" if where else ""
        raise NothingToPlotError(f"no {tool} run{prefix}{condition}: this figure needs the output of {variable}")
    return _the_only(found, f"this figure shows one process, and there are {len(found)} {tool} runs")


def select_load(ds: Dataset, loads: Collection[str], *, run: str | None, where: str | None) -> pd.Series:
    """The row of ``ds.wide()`` for the one of these loads, each beside a trace on one clock, to draw.

    `run` and `where` are those of `select_trace`. Raises NothingToPlotError if no load fits, or more than one.
    """
    if not loads:
        raise NothingToPlotError(
            "no load has a trace of its server on the same clock: that needs times with a zone in front of the lines "
            "of both logs, as docker logs -t or ts write them"
        )
    rows = ds.wide(where)
    found = rows[rows["run"].isin(list(loads)) & rows["run"].str.startswith(run or "")]
    if found.empty:
        raise NothingToPlotError("none of the loads with a trace on the same clock fits --run and --where")
    return _the_only(found, f"this figure shows one load, and {len(found)} have a trace on the same clock")


def _the_only(found: pd.DataFrame, several: str) -> pd.Series:
    """The row of a frame with one. Raises NothingToPlotError that lists some of the runs if it has more."""
    if len(found) > 1:
        listed = [
            f"{row['run'][:8]} ({row['source']}:{row['line']})" for row in found.head(_MAX_LISTED).to_dict("records")
        ]
        more = f" and {len(found) - _MAX_LISTED} more" if len(found) > _MAX_LISTED else ""
        raise NothingToPlotError(
            f"{several}: choose one by its identifier or by a condition: {', '.join(listed)}{more}"
        )
    return found.iloc[0]


def trace_title(trace: pd.Series) -> str:
    """A short description of a trace: its labels, or its source and line if it has no framework."""
    keys = [key for key in ("framework", "cores", "gogc", "gomemlimit") if key in trace]
    labelled = "framework" in keys and not pd.isna(trace["framework"])
    return _describe_labels(trace, keys) if labelled else source_place(trace)


def source_place(row: pd.Series) -> str:
    """The source and line of a run. The beginning of a long path is cut."""
    text = f"{row['source']}:{row['line']}"
    return text if len(text) <= _MAX_PLACE_WIDTH else f"…{text[-_MAX_PLACE_WIDTH + 1 :]}"


def may_be_in_name(keys: Iterable[str]) -> bool:
    """Whether `run_names` writes all of these labels."""
    return set(keys) <= set(_NAME_LABELS)


def run_names(runs: pd.DataFrame, wanted: Iterable[str], *, shown: Collection[str] = ()) -> dict[str, str]:
    """A name for each of the `wanted` runs, from the labels in which they differ.

    Runs with the same labels get their line or file name as well.

    - `runs`: the frame ``ds.runs``.
    - `shown`: labels that the figure shows in another way. They are left out, so that several runs may have one name.
    """
    rows = runs.set_index("run").loc[list(dict.fromkeys(wanted))]
    # As text, because two missing values (NaN) are not equal.
    varying = [key for key in _NAME_LABELS if key not in shown and key in rows and len(set(rows[key].astype(str))) > 1]
    keys = [key for key in _NAME_LABELS if key in varying or (key == "framework" and key in rows)]
    described = pd.Series([_describe_labels(row, keys) for _, row in rows.iterrows()], index=rows.index, dtype=object)
    ambiguous_names = (described.duplicated(keep=False) & (not shown)) | (described == "")
    one_source = len(rows) > 1 and len(set(rows["source"])) == 1
    files = _short_paths(rows["source"])
    places = [
        (_short_place(files[row["source"]], row["line"], one_source=one_source) if ambiguous else "")
        for (_, row), ambiguous in zip(rows.iterrows(), ambiguous_names, strict=True)
    ]
    return {
        str(run): ", ".join(filter(None, parts))
        for run, *parts in zip(rows.index, described, places, strict=True)
    }  # fmt: skip


def run_settings(ds: Dataset) -> dict[str, str]:
    """The setting of each run: the values of the labels in which runs of the dataset differ, else source and line."""
    return ds.cached("settings of runs", lambda: dict(_named_runs(ds)))


def row_setting(row: pd.Series) -> str:
    """The setting of a run of which only the row of ``ds.wide()`` is at hand: the labels that may be in a name."""
    labels = [key for key in _NAME_LABELS if key in row and not pd.isna(row[key])]
    return setting_words(labels, label_values(row.to_dict(), labels)) if labels else f"{row['source']}:{row['line']}"


def _named_runs(ds: Dataset) -> Iterator[tuple[str, str]]:
    keys = ds.label_keys() - EVIDENCE_KEYS - {"url"}  # its path is a label of its own
    table = ds.arrow("runs", only=("run", "source", "line", *keys))
    texts = {key: label_texts(table[key]) for key in table.column_names if key in keys}
    labels = [key for key, values in texts.items() if len(set(values)) > 1]
    places = zip(*(table[name].to_pylist() for name in ("run", "source", "line")), strict=True)
    # Without labels there are no columns to zip: an empty group for each run, without an end, so not `strict`.
    groups = zip(*(texts[key] for key in labels), strict=True) if labels else itertools.repeat(())
    # Most runs repeat a setting.
    words = functools.cache(lambda group: setting_words(labels, group) if any(group) else "")
    for (run, source, line), group in zip(places, groups, strict=False):
        yield run, words(group) or f"{source}:{line}"


def _short_place(file: str, line: int, *, one_source: bool) -> str:
    """The line of a run if all runs are from one source, else its file, with the line unless it is 1."""
    if one_source:
        return f"line {line}"
    return file if line == 1 else f"{file}:{line}"


def _short_paths(sources: Iterable[str]) -> dict[str, str]:
    """The name of each file; of files with the same name, as many folders before it as tell them apart.

    >>> _short_paths(["a/1.log", "a/2.log", "a/b/2.log"])
    {'a/1.log': '1.log', 'a/2.log': 'a/2.log', 'a/b/2.log': 'b/2.log'}
    """
    parts = {str(source): str(source).split("/") for source in sources}
    found = dict.fromkeys(parts, "")
    # One folder more in each pass, for the names that are not unique yet.
    for count in range(1, 1 + max(map(len, parts.values()), default=0)):
        tails = {source: "/".join(names[-count:]) for source, names in parts.items() if not found[source]}
        taken = Counter(tails.values())
        found |= {source: tail for source, tail in tails.items() if taken[tail] == 1}
    return {source: tail or source for source, tail in found.items()}


def _describe_labels(row: pd.Series, keys: Iterable[str]) -> str:
    """``go, 4 cores, GOGC 100``."""
    parts = [_LABEL_FORMATS.get(key, "{}").format(row[key]) for key in keys if not pd.isna(row[key])]
    return ", ".join(part.removesuffix("s") if part in {"1 cores", "1 threads"} else part for part in parts)

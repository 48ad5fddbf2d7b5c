"""Series of a figure: rows grouped by labels, and the name of each group.

A group is a tuple with the values of some labels. A run without one of the labels has None in its place.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from wrkparse.analysis.go.trace_metrics import TRACE_METRICS
from wrkparse.analysis.runs.labels.key_words import VARIABLES, key_words, with_unit
from wrkparse.analysis.runs.labels.labels import label_text, natural_order
from wrkparse.analysis.stats.arrays import Floats
from wrkparse.dataset.aliases import split_names
from wrkparse.dataset.queries.sql import sql_string
from wrkparse.plot.errors import TooManyPanelsError
from wrkparse.plot.names import MAX_WIDTH, shorten, shorten_distinct
from wrkparse.text.escape import printable

Group = tuple[str | None, ...]

_MOST_PANELS = 24  # six rows of four, which fill more than a page
_SWITCH_VALUES = {"off", "on", "true", "false", "yes", "no"}


def label_keys(names: str | Sequence[str] | None) -> list[str]:
    """The label keys in ``"framework,path"`` or in a sequence, without duplicates."""
    return list(split_names(names))


def label_values(row: Mapping[Any, Any], keys: Iterable[str]) -> Group:
    """The values of these labels in a row, as text."""
    return tuple(label_text(row[key]) for key in keys)


def sorted_groups(groups: Iterable[Group]) -> list[Group]:
    """The distinct groups in order: numbers by size, then words, then missing labels."""
    return sorted(set(groups), key=lambda group: [natural_order(value) for value in group])


def group_rows(frame: pd.DataFrame, keys: Sequence[str]) -> dict[Group, pd.DataFrame]:
    """The rows of each group, in the order of `sorted_groups`."""
    places: dict[Group, list[int]] = {}
    columns = [[label_text(value) for value in frame[key].tolist()] for key in keys]
    for at, group in enumerate(zip(*columns, strict=True) if keys else [()] * len(frame)):
        places.setdefault(group, []).append(at)
    if len(places) < 2:
        return dict.fromkeys(places, frame)
    groups = sorted_groups(places)
    # One selection of rows and a slice for each group: a selection for each takes far longer.
    ordered = frame.iloc[[at for group in groups for at in places[group]]]
    ends = itertools.accumulate(len(places[group]) for group in groups)
    return {group: ordered.iloc[end - len(places[group]) : end] for group, end in zip(groups, ends, strict=True)}


def number_columns(frame: pd.DataFrame, *names: str) -> list[Floats]:
    """Columns of a few rows as arrays. To select rows of a frame takes far longer."""
    return [frame[name].to_numpy(float, na_value=np.nan) for name in names]


def refuse_many_panels(panels: Iterable[Group], keys: Sequence[str], separated: Sequence[str]) -> None:
    """Raise TooManyPanelsError if labels that the user did not name make more panels than a page has room for.

    `keys` are the labels of the panels. `separated` are those that the user did not name.
    """
    listed = list(panels)
    if not separated or len(listed) <= _MOST_PANELS:
        return
    # The message has a condition that works: that of the first panel.
    first = dict(zip(keys, listed[0], strict=True))
    chosen = " AND ".join(
        f"{key} IS NULL" if first[key] is None else f"{key} = {sql_string(str(first[key]))}" for key in separated
    )
    raise TooManyPanelsError(
        f"the runs differ in {', '.join(separated)}, which would make {len(listed)} panels; choose some of them, for "
        f'example with --where "{chosen}", or treat runs that differ only in these as repeats with '
        f"--ignore {','.join(separated)}",
        where=chosen,
    )


def series_name(group: Iterable[str | None]) -> str:
    """The name of a series at the end of its line: its values, shortened; ``(none)`` if the group has no label."""
    values = list(group)
    known = [value for value in values if value is not None]
    return shorten(", ".join(known)) if known else "(none)" if values else "all runs"


def distinct_series_names(groups: Iterable[Group]) -> dict[Group, str]:
    """`series_name` of each group; the names of distinct groups differ."""
    listed = list(dict.fromkeys(groups))
    whole = [", ".join(value for value in group if value is not None) for group in listed]
    named = shorten_distinct([text or series_name(group) for text, group in zip(whole, listed, strict=True)])
    return dict(zip(listed, named, strict=True))


def describe_group(keys: Sequence[str], group: Sequence[str | None]) -> str:
    """The values of a group, with keys before numbers, switches and sizes: ``go, connections 5000``, ``GOGC off``."""
    return ", ".join(shorten(part) for part in _group_words(keys, group))


def setting_words(keys: Sequence[str], group: Sequence[str | None]) -> str:
    """The whole name of a setting, never cut, so that it is the same in all figures: ``go, connections 5000``."""
    return printable(", ".join(_group_words(keys, group)) or series_name(group))


def group_names(
    keys: Sequence[str], groups: Iterable[Group], width: int = MAX_WIDTH, missing: str | None = None
) -> dict[Group, str]:
    """A name for each group, as of `describe_group`, of at most `width` columns of text; distinct groups differ.

    `missing` is the name of a group without any label: ``all runs`` if there are no others, else ``(none)``.
    """
    listed = list(dict.fromkeys(groups))
    missing = missing or ("(none)" if len(listed) > 1 else "all runs")
    whole = [", ".join(_group_words(keys, group)) or missing for group in listed]
    return dict(zip(listed, shorten_distinct(whole, width), strict=True))


def _group_words(keys: Sequence[str], group: Sequence[str | None]) -> list[str]:
    return [
        f"{key_title(key)} {with_unit(key, value)}" if _needs_key(key, value) else value
        for key, value in zip(keys, group, strict=True)
        if value is not None
    ]


def _needs_key(key: str, value: str) -> bool:
    """Whether a value needs its key to be understood: ``100``, ``off``, the ``64MiB`` of a memory limit."""
    return key in VARIABLES or value in _SWITCH_VALUES or _is_number(value)


def key_title(key: str) -> str:
    """The key of a label in words: ``payload bytes``, ``GOGC``, ``--keep-alive``."""
    return key_words(key)


def metric_title(metric: str, unit: str) -> str:
    """The title of a metric: ``Throughput, requests per second``."""
    if metric.startswith("gc_") and (name := next((one for one in TRACE_METRICS if metric.startswith(one)), "")):
        return TRACE_METRICS[name].title
    known = {"throughput": "Throughput, requests per second", "transfer_rate": "Transfer rate, bytes per second"}
    suffix = {"1/s": "_per_s", "s": "_s", "bytes": "_bytes", "bytes/s": "_bytes_per_s", "ratio": "_ratio"}.get(unit, "")
    name = metric.removesuffix(suffix)
    words = name.replace("_", " ")
    return known.get(name, words[:1].upper() + words[1:] + (" per second" if unit == "1/s" else ""))


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True

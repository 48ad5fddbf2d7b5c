"""Which labels make the settings of some runs: what a comparison of them has in its rows and columns."""

from __future__ import annotations

from typing import NamedTuple

import pandas as pd

from wrkparse.analysis.runs.selection import choose_metric, numbers
from wrkparse.dataset import Dataset

# What answers, then how it is asked. Labels of the user's own stand behind the first, settings known by name only last.
_COMPARED = ("framework", "environment", "go_version", "gogc", "gomemlimit")
_LOAD = ("cores", "rate", "connections", "threads", "payload_bytes", "path", "duration_s", "url")
_BY_NAME = ("env_", "flag_")


class Factors(NamedTuple):
    """Labels, the telling ones first: ``compared`` of what answers, ``load`` of how it is asked, `cores` among them."""

    compared: tuple[str, ...]
    load: tuple[str, ...]


def factors(dataset: Dataset, where: str | None = None, metric: str = "throughput") -> Factors:
    """The labels that tell the settings apart of the runs that state `metric` and for which `where` holds.

    A label counts if it has several values (to be missing is one) where those before it are the same: an address that
    follows from the framework tells nothing more. The study is none of them; give it in `where`.

    Raises TooLittleError where no run states the metric, QueryError for a metric or `where` that can't be.
    """
    stating = numbers(dataset, choose_metric(dataset, metric))
    runs = dataset.wide(where)
    runs = runs[runs["run"].isin(list(stating))]
    own = sorted(dataset.label_keys() - {*_COMPARED, *_LOAD}, key=lambda key: (key.startswith(_BY_NAME), key))
    found: list[str] = []
    for key in (*_COMPARED, *(key for key in own if not key.startswith(_BY_NAME)), *_LOAD, *own):
        if key in runs and key not in found and _tells(runs, key, found):
            found.append(key)
    return Factors(tuple(key for key in found if key not in _LOAD), tuple(key for key in found if key in _LOAD))


def _tells(runs: pd.DataFrame, key: str, known: list[str]) -> bool:
    values = runs[key].astype("string").fillna("")
    groups = values.groupby([runs[name].astype("string").fillna("") for name in known]) if known else None
    return bool((values.nunique() if groups is None else groups.nunique().max()) > 1)

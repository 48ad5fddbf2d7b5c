"""The labels that distinguish the settings of a set of runs: candidates for the rows and columns of a comparison."""

from __future__ import annotations

from typing import NamedTuple

import pandas as pd

from wrkparse.analysis.runs.metrics import choose_metric, metric_values
from wrkparse.dataset import Dataset

# In this order: labels of the server; labels that only the user's study defines; labels of the load; labels that were
# taken from the environment and the command line under their own names.
_SERVER_LABELS = ("framework", "environment", "go_version", "gogc", "gomemlimit")
_LOAD_LABELS = ("cores", "rate", "connections", "threads", "payload_bytes", "path", "duration_s", "url")
_ENVIRONMENT_PREFIXES = ("env_", "flag_")


class Factors(NamedTuple):
    """Keys of labels, most important first.

    ``compared`` describes the server that answers, ``load`` how it is loaded (and its ``cores``).
    """

    compared: tuple[str, ...]
    load: tuple[str, ...]


def factors(dataset: Dataset, where: str | None = None, metric: str = "throughput") -> Factors:
    """The labels that distinguish the settings of the runs that state `metric` and for which `where` holds.

    A label counts if it has several values (missing is one) among runs that agree in all labels before it. So an
    address that follows from the framework does not count. The study never counts; select one in `where`.

    Raises TooLittleError if no run states the metric, QueryError if the metric does not exist or `where` is wrong.
    """
    stating = metric_values(dataset, choose_metric(dataset, metric))
    runs = dataset.wide(where)
    runs = runs[runs["run"].isin(list(stating))]
    other = dataset.label_keys() - {*_SERVER_LABELS, *_LOAD_LABELS}
    from_environment = sorted(key for key in other if key.startswith(_ENVIRONMENT_PREFIXES))
    from_study = sorted(other.difference(from_environment))
    keys: list[str] = []
    for key in (*_SERVER_LABELS, *from_study, *_LOAD_LABELS, *from_environment):
        if key in runs and _varies_within(runs, key, keys):
            keys.append(key)
    return Factors(
        tuple(key for key in keys if key not in _LOAD_LABELS), tuple(key for key in keys if key in _LOAD_LABELS)
    )


def _varies_within(runs: pd.DataFrame, key: str, others: list[str]) -> bool:
    """Whether a label has several values among runs that agree in `others`."""
    values = runs[key].astype("string").fillna("")
    groups = values.groupby([runs[name].astype("string").fillna("") for name in others]) if others else None
    return bool((values.nunique() if groups is None else groups.nunique().max()) > 1)

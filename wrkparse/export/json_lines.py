"""JSON Lines: an object per run."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

from wrkparse.dataset import Dataset, QueryError


def content(dataset: Dataset, metric: str | Sequence[str] | None) -> bytes:
    """A line for each run with its labels and its metrics in base units, named as in `Dataset.wide`, but missing ones.

    Raises QueryError if metrics are named: each line has all of its run.
    """
    if metric:
        raise QueryError("JSON Lines have all metrics of a run; leave out --metric")
    rows = dataset.wide_arrow().to_pylist()
    lines = [
        json.dumps(
            {key: value for key, value in row.items() if not _is_missing(value)}, ensure_ascii=False, default=str
        )
        for row in rows
    ]
    return "".join(f"{line}\n" for line in lines).encode()


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and not math.isfinite(value))

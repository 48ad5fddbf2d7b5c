"""JSON Lines: one object per run."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from wrkparse.dataset import Dataset, QueryError
from wrkparse.export import JSON_VERSION

VERSION_KEY = "json_version"  # in each line, because programs read each line by itself


def content(dataset: Dataset, metric: str | Sequence[str] | None) -> bytes:
    """A line for each run: labels and metrics in base units, named as in `Dataset.wide`, without missing values.

    The first key of each line is the version of the format. Raises QueryError if metrics are named, because each line
    has all metrics of its run, or if a label has the name of that key.
    """
    if metric:
        raise QueryError("JSON Lines have all metrics of a run; leave out --metric")
    table = dataset.wide_arrow()
    if VERSION_KEY in table.column_names:
        raise QueryError(f"a label is named {VERSION_KEY}, as is the version of each line; give it another name")
    return "".join(map(_line, table.to_pylist())).encode()


def _line(row: dict[str, Any]) -> str:
    known = {key: _value(value) for key, value in row.items() if not _is_missing(value)}
    return json.dumps({VERSION_KEY: JSON_VERSION, **known}, ensure_ascii=False) + "\n"


def _value(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and not math.isfinite(value))

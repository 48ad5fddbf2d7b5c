"""The JSON of github-action-benchmark's tools ``customBiggerIsBetter`` and ``customSmallerIsBetter``.

A list of ``{name, unit, value, range, extra}`` (its README, "Stored data format"; src/extract.ts,
extractCustomBenchmarkResult). One file has one direction, so all its metrics must be better in the same direction.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from wrkparse.analysis.wording import counted
from wrkparse.dataset import Dataset, QueryError
from wrkparse.export.settings import by_setting, has_interval, settings


def content(dataset: Dataset, metric: str | Sequence[str] | None) -> bytes:
    """The median of each setting; ``range`` is its interval. The default metric is throughput.

    Raises QueryError if higher is better for some of the metrics and lower for others.
    """
    found = settings(by_setting(dataset, metric or "throughput"))
    if len({setting.better for setting in found}) > 1:
        raise QueryError(
            "all metrics in a file of github-action-benchmark must be better in the same direction; "
            "choose some, as in -m throughput"
        )
    rows = [
        {
            "name": f"{setting.name} {setting.metric}",
            "unit": setting.unit,
            "value": setting.center,
            **({"range": f"{setting.lo:.6g} to {setting.hi:.6g}"} if has_interval(setting) else {}),
            "extra": f"median of {counted(setting.runs, 'run')}",
        }
        for setting in found
    ]
    return (json.dumps(rows, ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode()

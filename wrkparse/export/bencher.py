"""Bencher Metric Format: ``{benchmark: {measure: {value, lower_value, upper_value}}}`` (bencher.dev, Reference)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from wrkparse.dataset import Dataset
from wrkparse.export.settings import by_setting, has_interval, settings
from wrkparse.export.units import unit_slug


def content(dataset: Dataset, metric: str | Sequence[str] | None) -> bytes:
    """The median of each setting with its interval.

    A measure is named after its metric and unit: ``throughput`` is in 1/s, like Bencher's own measure of that name; the
    others have their base unit at the end (``latency-p99-seconds``). Bounds are left out if the runs are too few.
    """
    found: dict[str, dict[str, Any]] = {}
    for setting in settings(by_setting(dataset, metric)):
        slug = setting.metric.replace("_", "-") + ("" if setting.metric == "throughput" else unit_slug(setting.unit))
        bounds = {"lower_value": setting.lo, "upper_value": setting.hi} if has_interval(setting) else {}
        found.setdefault(setting.name, {})[slug] = {"value": setting.center, **bounds}
    return (json.dumps(found, ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode()

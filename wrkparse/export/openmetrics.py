"""OpenMetrics text (the OpenMetrics 1.0 specification): gauges of medians by setting."""

from __future__ import annotations

import re
from collections.abc import Sequence

from wrkparse.dataset import Dataset
from wrkparse.export.settings import Setting, by_setting, has_interval, settings
from wrkparse.export.units import unit_word

_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_]")
_ESCAPES = str.maketrans({"\\": "\\\\", "\n": "\\n", '"': '\\"'})  # the three escapes of OpenMetrics


def content(dataset: Dataset, metric: str | Sequence[str] | None) -> bytes:
    """Gauges ``wrkparse_throughput_per_second``, with ``_lower`` and ``_upper`` before the unit, and ``…_runs``.

    The labels are those in which the settings differ. There are no time stamps, because the runs of a setting have
    many.
    """
    of_metric: dict[tuple[str, str], list[Setting]] = {}
    for setting in settings(by_setting(dataset, metric)):
        of_metric.setdefault((setting.metric, setting.unit), []).append(setting)
    lines = []
    for (name, unit), found in of_metric.items():
        bounded = [setting for setting in found if has_interval(setting)]
        lines += _family(
            name, unit_word(unit), f"Median of {name} of the runs.", [(setting, setting.center) for setting in found]
        )
        lines += _family(
            f"{name}_lower",
            unit_word(unit),
            "Lower end of its interval.",
            [(setting, setting.lo) for setting in bounded],
        )
        lines += _family(
            f"{name}_upper",
            unit_word(unit),
            "Upper end of its interval.",
            [(setting, setting.hi) for setting in bounded],
        )
        lines += _family(
            f"{name}_runs", "", "Runs of the setting.", [(setting, float(setting.runs)) for setting in found]
        )
    # OpenMetrics requires the last line: without it, a text was cut.
    return ("\n".join([*lines, "# EOF"]) + "\n").encode()


def _family(name: str, unit: str, about: str, values: list[tuple[Setting, float]]) -> list[str]:
    """The lines of a gauge; none without values."""
    if not values:
        return []
    # OpenMetrics wants the unit at the end of a name, once.
    full = _NOT_IN_NAMES.sub("_", f"wrkparse_{name}") + (f"_{unit}" if unit and not name.endswith(unit) else "")
    head = [f"# TYPE {full} gauge", *([f"# UNIT {full} {unit}"] if unit else []), f"# HELP {full} {about}"]
    return [*head, *(f"{full}{_labels(setting)} {value!r}" for setting, value in values)]


def _labels(setting: Setting) -> str:
    pairs = [f'{_NOT_IN_NAMES.sub("_", key)}="{value.translate(_ESCAPES)}"' for key, value in setting.labels.items()]
    return "{" + ",".join(pairs) + "}" if pairs else ""

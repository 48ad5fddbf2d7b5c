"""The type of options that are percentages."""

from __future__ import annotations

from typing import Any

import click


class _Percent(click.ParamType[float]):
    """A percentage between 0 and 100, as ``2%`` or ``2``. Its value is a ratio: 0.02."""

    name = "percent"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            ratio = float(str(value).strip().removesuffix("%")) / 100
        except ValueError:
            ratio = 0.0
        if not 0 < ratio < 1:
            self.fail(f"{value!r} is not a percentage between 0 and 100, such as 2%", param, ctx)
        return ratio


PERCENT = _Percent()

"""Percentages as options."""

from __future__ import annotations

from typing import Any

import click


class _Percent(click.ParamType[float]):
    """A positive percentage, as ``2%`` or ``2``; its value is a ratio."""

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

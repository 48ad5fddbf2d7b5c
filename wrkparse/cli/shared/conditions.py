"""The option ``--where``, which selects runs."""

from __future__ import annotations

from collections.abc import Callable

import click

from wrkparse.cli.shared.completion import complete_condition


def _check_condition(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    if value is not None and not value.strip():
        raise click.BadParameter("the condition is empty; leave --where out to use all runs", ctx, param)
    return value


def condition_option(text: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The option ``--where``, with `text` in ``--help``."""
    return click.option(
        "-w", "--where", metavar="CONDITION", callback=_check_condition, shell_complete=complete_condition, help=text
    )


where_option = condition_option("Use only runs that match an SQL condition on labels and metrics.")

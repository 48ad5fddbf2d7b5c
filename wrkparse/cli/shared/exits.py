"""Exit codes, and the end of a command that can't go on."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NoReturn

import click

from wrkparse.text.escape import printable
from wrkparse.text.suggestions import did_you_mean

UNREADABLE = 3
INTERRUPTED = 130
_UNREAD = "wrkparse.unread"


def suggest_command(ctx: click.Context, arguments: list[str], known: Iterable[str]) -> None:
    """End with a message if the first argument is no command; a shell that completes gets none."""
    if (
        not ctx.resilient_parsing
        and arguments
        and arguments[0] not in (names := list(known))
        and not arguments[0].startswith("-")
    ):
        if ctx.parent is None and Path(arguments[0]).exists():
            path = printable(shlex.quote(arguments[0]))
            ctx.fail(f"name a command: `wrkparse ingest {path}` reads it, `wrkparse compare {path}` compares")
        hint = did_you_mean(arguments[0], names)
        ctx.fail(f"there is no command {printable(arguments[0])!r}{hint}; there are: {', '.join(names)}")


def end_as_unreadable() -> None:
    """Give the command exit code 3 when it has done its work, unless it ends with another: some input was not read."""
    click.get_current_context().meta[_UNREAD] = True


def exit_if_unreadable(ctx: click.Context) -> None:
    """Exit with code 3 if the command has called `end_as_unreadable`."""
    if _UNREAD in ctx.meta:
        sys.exit(UNREADABLE)


def fail(message: str) -> NoReturn:
    """Print a message on standard error and exit with code 3."""
    click.echo(f"wrkparse: {printable(message)}", err=True)
    sys.exit(UNREADABLE)

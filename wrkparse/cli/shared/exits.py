"""Exit codes, and functions that end a command early."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NoReturn

import click

from wrkparse.text.escape import printable
from wrkparse.text.suggestions import did_you_mean

# Exit codes; the docstring of `wrkparse.cli` lists all of them.
UNREADABLE = 3
INTERRUPTED = 130  # 128 and the number of SIGINT, as shells report it
_UNREADABLE_KEY = "wrkparse.unread"  # of `click.Context.meta`


def refuse_unknown_command(ctx: click.Context, arguments: list[str], known: Iterable[str]) -> None:
    """End the program with a message if the first argument is not a command; do nothing while a shell completes."""
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


def note_unreadable() -> None:
    """Note that some input could not be read: a command that would exit with code 0 then exits with code 3."""
    click.get_current_context().meta[_UNREADABLE_KEY] = True


def exit_if_unreadable(ctx: click.Context) -> None:
    """Exit with code 3 if the command called `note_unreadable`."""
    if _UNREADABLE_KEY in ctx.meta:
        sys.exit(UNREADABLE)


def fail(message: str) -> NoReturn:
    """Print a message on standard error and exit with code 3."""
    click.echo(f"wrkparse: {printable(message)}", err=True)
    sys.exit(UNREADABLE)

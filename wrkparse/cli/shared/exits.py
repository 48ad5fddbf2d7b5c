"""Exit codes, and the end of a command that can't go on."""

from __future__ import annotations

import sys
from typing import NoReturn

import click

from wrkparse.text.escape import printable

UNREADABLE = 3
INTERRUPTED = 130


def fail(message: str) -> NoReturn:
    """Print a message on standard error and exit with code 3."""
    click.echo(f"wrkparse: {printable(message)}", err=True)
    sys.exit(UNREADABLE)

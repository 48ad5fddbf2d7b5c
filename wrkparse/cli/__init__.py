"""The command line: the only place that prints or exits.

Exit codes: 0 done; 1 the answer is no; 2 wrong usage; 3 input that could not be read, or too little of it.
"""

from __future__ import annotations

import importlib
import sys

import click

from wrkparse import __version__

COMMANDS = ("ingest", "runs", "show")
UNREADABLE = 3


class _Commands(click.Group):
    """Loads a command's module when it is needed: ``--help`` waits for nothing heavy."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"wrkparse.cli.{name}").command
        return command


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="wrkparse")
def main() -> None:
    """Benchmark output of wrk, wrk2, ab, Go's gctrace and schedtrace, and time → tidy, traceable tables.

    \b
    wrkparse ingest logs/                      read logs and pages into wrkparse.duckdb
    wrkparse runs --where "connections = 100"  the runs, with labels and headline numbers
    wrkparse show 3f2a                         one run, with every number's source line
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # text of any language on a terminal of any encoding
            stream.reconfigure(errors="replace")

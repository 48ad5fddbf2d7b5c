"""The command line: the only package that prints or exits.

Exit codes:

- 0: success
- 1: the answer is no (an invalid run, a regression, a cell that differs)
- 2: wrong usage
- 3: input that can't be read, output that can't be written, or no data to work on
- 130: interrupted
"""

from __future__ import annotations

import errno
import gc
import importlib
import os
import sys
from typing import Any

import click

from wrkparse._version import __version__
from wrkparse.cli.shared.exits import INTERRUPTED, UNREADABLE, exit_if_unreadable, refuse_unknown_command

# The summary of each command. It is here so that ``wrkparse --help`` need not import all commands.
COMMANDS = {
    "ingest": "Read files and directories into a store.",
    "runs": "List the runs, with labels and main numbers.",
    "show": "Show everything about one run, including its lines.",
    "explain": "Show line by line what is read in a file.",
    "label": "Propose a wrkparse.yaml from what differs between runs.",
    "audit": "Find runs that contradict themselves or are unfit to compare.",
    "compare": "Compare settings or folders with a baseline, and give verdicts.",
    "scaling": "Show speed-up and efficiency by cores, with fitted laws.",
    "gc": "Show pauses, GC CPU, heap and pacing from gctrace.",
    "sched": "Show idle Ps, waiting goroutines and episodes from schedtrace.",
    "reproduce": "Check published tables and claims against the raw runs.",
    "report": "Make a report as PDF, HTML or Markdown, from a notebook.",
    "sql": "Query the tables with SQL.",
    "export": "Write tables to files for other programs.",
    "plot": "Draw figures as SVG, PNG or PDF.",
    "new-tool": "Write the files of a plug-in for a new tool.",
}
# The packages of `wrkparse.cli`, with the commands whose modules they contain.
_COMMANDS_BY_FOLDER = {
    "tables": ("ingest", "runs", "show", "explain", "label", "sql", "export"),
    "analyses": ("audit", "compare", "scaling", "gc", "sched", "reproduce"),
    "documents": ("plot", "report"),
    "plugins": ("new-tool",),
}
# New objects after which Python looks for garbage in cycles. Imports and reading make millions of objects, but hardly
# any such garbage: with Python's own number (700), a twentieth of the time of a command goes into the search.
GC_THRESHOLD = 50_000
_VERBOSE_KEY = "wrkparse.verbose"  # of `click.Context.meta`
# With these errors a write to standard output fails: the disk is full, the quota is used up, an I/O error, a closed
# descriptor.
_OUTPUT_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EBADF)


if "_WRKPARSE_COMPLETE" in os.environ:
    from wrkparse.cli.shared import bash

    bash.register()

# OpenBLAS starts threads that wait in a loop. That costs as much CPU at each start as importing NumPy, and no command
# uses them.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


class _LazyCommands(click.Group):
    """A group that imports the module of a command when it is called, so that ``--help`` is fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands in ``--help``."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        folder = next(folder for folder, names in _COMMANDS_BY_FOLDER.items() if name in names)
        # Each module of a command calls it `command`; "new-tool" is in new_tool.py.
        command: click.Command = importlib.import_module(f"wrkparse.cli.{folder}.{name.replace('-', '_')}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the arguments name. An unknown one ends the program, with the most similar name."""
        refuse_unknown_command(ctx, args, COMMANDS)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        """Run a command. An interrupt ends it with a message and exit code 130."""
        try:
            answer = super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("\nwrkparse: interrupted", err=True)
            sys.exit(INTERRUPTED)
        exit_if_unreadable(ctx)
        return answer

    def main(self, *arguments: Any, **options: Any) -> Any:
        """Run the program. If standard output can't be written, it ends with a message and exit code 3."""
        gc.set_threshold(GC_THRESHOLD)
        try:
            return super().main(*arguments, **options)
        except OSError as problem:
            # An error of a file names it; a failed write to standard output names none.
            if problem.filename is not None or problem.errno not in _OUTPUT_ERRORS:
                raise
            _discard_output()
            click.echo(f"wrkparse: can't write the output: {problem.strerror}", err=True)
            sys.exit(UNREADABLE)


def _discard_output() -> None:
    """Discard buffered output. Otherwise Python tries to write it again at exit, and ends with code 120."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):  # closed already, or not a file
        return


def _remember_verbose(ctx: click.Context, _option: click.Parameter, given: bool) -> None:
    ctx.meta[_VERBOSE_KEY] = given


def _print_version(ctx: click.Context, _option: click.Parameter, given: bool) -> None:
    """Print the version; with --verbose, which click reads first, also facts about the installation."""
    if not given or ctx.resilient_parsing:
        return
    click.echo(f"wrkparse {__version__}")
    if ctx.meta[_VERBOSE_KEY]:
        from wrkparse.cli.shared.installation import installation_lines

        click.echo("\n".join(installation_lines()))
    ctx.exit()


def _print_json_schema(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from wrkparse.cli.shared.json_schema import json_schema

        click.echo(json_schema(), nl=False)
        ctx.exit()


@click.group(cls=_LazyCommands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "-V", "--version", is_flag=True, expose_value=False, callback=_print_version, help="Show the version and exit."
)  # fmt: skip
@click.option(
    "--verbose", is_flag=True, expose_value=False, is_eager=True, callback=_remember_verbose,
    help="With --version: also print what it runs on, for bug reports.",
)  # fmt: skip
@click.option(
    "--json-schema",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_json_schema,
    help="Print the JSON Schema of JSON output and exit.",
)
def main() -> None:
    """Turn the output of load generators (wrk, ab, k6 ...), time, and Go's gctrace and schedtrace into tidy tables.

    \b
    wrkparse ingest logs/                      read logs and pages into wrkparse.duckdb
    wrkparse runs --where "connections = 100"  list runs, with labels and main numbers
    wrkparse show 3f2a                         show one run, with the source line of every number
    wrkparse audit                             find runs that are unfit to compare
    wrkparse compare old/ new/                 compare folders, and say what is faster
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a terminal may lack characters of the text
            stream.reconfigure(errors="replace")

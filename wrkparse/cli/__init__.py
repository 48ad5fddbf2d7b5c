"""The command line: the only place that prints or exits.

Exit codes: 0 done; 1 the answer is no; 2 wrong usage; 3 what could not be read or written, or too little to read; 130
interrupted.
"""

from __future__ import annotations

import errno
import importlib
import os
import sys

import click

from wrkparse._version import __version__
from wrkparse.cli.shared.exits import INTERRUPTED, UNREADABLE

# What each command does: said here too, so that ``--help`` need not load them all.
COMMANDS = {
    "ingest": "Read files and directories into a store.",
    "runs": "The runs, with labels and headline numbers.",
    "show": "Everything about one run, and the lines it came from.",
    "audit": "Runs that contradict themselves, or are not fit to compare.",
    "compare": "A table of settings against a baseline, with verdicts.",
    "scaling": "Speed-up, efficiency, and the law behind them.",
    "gc": "Pauses, GC cpu, heap and pacing of gctrace.",
    "sched": "Idle Ps, waiting goroutines and episodes of schedtrace.",
    "reproduce": "Published tables and claims, from the raw runs.",
    "report": "A report as PDF or HTML, from a notebook.",
    "sql": "The answer to a query on the tables.",
    "export": "Tables as files for other programs.",
    "plot": "Figures: SVG, PNG or PDF, and the data behind them.",
}
_FOLDERS = {  # of `wrkparse.cli`, with the commands whose modules are there
    "tables": ("ingest", "runs", "show", "sql", "export"),
    "analyses": ("audit", "compare", "scaling", "gc", "sched", "reproduce"),
    "documents": ("plot", "report"),
}
_OUTPUT_FAILED = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EBADF)


# NumPy's threads wait for work in a loop: as much processor time at each start as to import it, and none is needed.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


class _Commands(click.Group):
    """Loads a command's module when it is needed: ``--help`` waits for nothing heavy."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands in ``--help``."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        folder = next(folder for folder, names in _FOLDERS.items() if name in names)
        command: click.Command = importlib.import_module(f"wrkparse.cli.{folder}.{name}").command
        return command

    def invoke(self, ctx: click.Context) -> object:
        """Run a command; an interrupt, or standard output on a full disk, ends it with a message."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("\nwrkparse: interrupted", err=True)
            sys.exit(INTERRUPTED)
        except OSError as problem:
            if problem.filename is not None or problem.errno not in _OUTPUT_FAILED:
                raise
            _give_up_output()
            click.echo(f"wrkparse: the output can't be written: {problem.strerror}", err=True)
            sys.exit(UNREADABLE)


def _give_up_output() -> None:
    """Let what is still buffered go nowhere: else the interpreter tries once more at its end, and exits with 120."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):  # closed already, or not a file
        return


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="wrkparse")
def main() -> None:
    """Benchmark output of wrk, wrk2, ab, Go's gctrace and schedtrace, and time → tidy, traceable tables.

    \b
    wrkparse ingest logs/                      read logs and pages into wrkparse.duckdb
    wrkparse runs --where "connections = 100"  the runs, with labels and headline numbers
    wrkparse show 3f2a                         one run, with every number's source line
    wrkparse audit                             which runs are not fit to be compared, and why
    wrkparse compare --rows framework --columns connections --baseline framework=nginx
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # text of any language on a terminal of any encoding
            stream.reconfigure(errors="replace")

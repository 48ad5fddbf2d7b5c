"""``wrkparse ingest``."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import sys
import textwrap
import threading
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wrkparse.analysis.shown.numbers import byte_size_text
from wrkparse.cli.shared.completion import complete_files
from wrkparse.cli.shared.exits import UNREADABLE, fail
from wrkparse.cli.shared.printing.diagnostics import print_empty_files
from wrkparse.cli.shared.printing.output import is_terminal, print_message
from wrkparse.cli.shared.stores import DEFAULT_STORE, STORE, Location, open_data
from wrkparse.source.discover import split_label
from wrkparse.text.escape import one_line, printable

if TYPE_CHECKING:
    from wrkparse.ingest.summary import IngestSummary
    from wrkparse.model.records import Diagnostic
    from wrkparse.source.discover import SourceFile

_MOST_PER_CODE = 10  # diagnostics that are printed for each code
_MOST_INDEXES = 5  # index files that are named
_SENTENCE_WIDTH = 80  # columns of text
_HURRY_MESSAGE = b"\nwrkparse: what was read is being written; another Ctrl-C ends without it\n"


@click.command("ingest")
@click.argument("paths", nargs=-1, required=True, metavar="PATH…", shell_complete=complete_files)
@click.option(
    "-o", "-s", "--store", type=STORE, default=DEFAULT_STORE, show_default=True,
    help="The store to write: a DuckDB file, created if missing; with --engine dask, a directory or URL.",
)  # fmt: skip
@click.option("-l", "--label", "labels", multiple=True, metavar="KEY=VALUE", help="Add this label to every run.")
@click.option("--all", "everything", is_flag=True, help="Also read unchanged files again.")
@click.option("-q", "--quiet", is_flag=True, help="Print only warnings and errors.")
@click.option(
    "-j", "--jobs", type=click.IntRange(1), metavar="N",
    help="Processes for many small files, or threads for a large one.  [default: one per core if it saves time]",
)  # fmt: skip
@click.option(
    "--engine", type=click.Choice(["local", "dask"]), default="local", show_default=True,
    help="dask reads on a cluster into a Parquet directory.",
)  # fmt: skip
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Address of a Dask cluster, such as tcp://host:8786.  [default: start one here]",
)
@click.option("-f", "--follow", is_flag=True, help="Follow one file as it grows, until Ctrl-C.")
def command(
    paths: tuple[str, ...],
    store: Location,
    labels: tuple[str, ...],
    everything: bool,
    quiet: bool,
    jobs: int | None,
    engine: str,
    scheduler: str | None,
    follow: bool,
) -> None:
    """Read files and directories into a store. Run again, it reads only new and changed files.

    PATH is a file, a directory (all files below it), '-' for standard input, or label=PATH. Files may be compressed
    (.gz .bz2 .xz .lzma .zst). A wrkparse.yaml in the directory of the logs or above it adds labels. Each '-' replaces
    the runs of the previous one; with a label in front, such as nginx=-, the store keeps the runs of each label.

    \b
    wrkparse ingest logs/
    wrkparse ingest README.md bench/*.txt.gz -o bench.duckdb
    wrkparse ingest before=old/ after=new/ --label machine=c4.8xlarge
    GODEBUG=gctrace=1 ./server 2>&1 | wrkparse ingest -
    wrkparse ingest --follow server.log
    wrkparse ingest s3://lab/logs --engine dask --scheduler tcp://10.0.0.1:8786 -o s3://lab/tables
    """
    given = _parse_labels(labels)
    cluster = engine == "dask" or scheduler is not None
    _check_options(paths, store, cluster=cluster, follow=follow, everything=everything)
    printer, progress_line = _DiagnosticPrinter(quiet), _ProgressLine()
    # "-", or with a label "nginx=-": a pipe is stored while it is read.
    if follow or (len(paths) == 1 and paths[0].rpartition("=")[2] == "-" and not cluster):
        read = partial(_follow_source, paths[0], Path(store), given, printer, progress_line)
    elif cluster:
        read = partial(_ingest_on_cluster, paths, str(store), given, everything, scheduler, printer, progress_line)
    else:
        read = partial(_ingest_locally, paths, Path(store), given, everything, jobs, printer, progress_line)
    summary = _run_ingest(read, progress_line)
    printer.finish()
    if not summary.found:
        click.echo("wrkparse: no files to read", err=True)
    elif not quiet:
        click.echo(_summary_text(summary, store))
        if summary.runs and not follow:
            click.echo(_unlabelled_text(store), nl=False)
    if summary.failed or printer.errors or not summary.found:
        sys.exit(UNREADABLE)


def _check_options(paths: tuple[str, ...], store: Location, *, cluster: bool, follow: bool, everything: bool) -> None:
    """Raise UsageError for options that exclude each other, and for an empty path."""
    if "" in paths:  # of a variable that is not set; as a Path it would be the current directory
        raise click.UsageError("a PATH is empty; name a file or a directory, such as '.'")
    if cluster and (store == DEFAULT_STORE or "-" in paths):
        raise click.UsageError("--engine dask needs -o DIRECTORY or URL, and can't read standard input")
    if not cluster and isinstance(store, str):
        raise click.UsageError(f"-o {printable(store)}: to write to a URL, use --engine dask")
    if not follow:
        return
    path = Path(split_label(paths[0])[1])
    if len(paths) != 1 or cluster or everything or path.is_dir():
        raise click.UsageError("--follow takes one file, and neither --all nor --engine dask")
    if path.exists() and not path.is_file():
        name = printable(shlex.quote(str(path)))
        raise click.UsageError(f"--follow takes a file; a pipe is read as it is written by: wrkparse ingest - <{name}")


def _run_ingest(read: Callable[[], IngestSummary], progress_line: _ProgressLine) -> IngestSummary:
    """Run an ingest; return its summary. If the store can't be written, the command ends with a message."""
    from wrkparse.source.remote import MissingExtraError
    from wrkparse.store.errors import StoreError

    try:
        summary = read()
    except (StoreError, MissingExtraError) as problem:
        progress_line.clear()
        fail(str(problem))
    progress_line.clear()
    return summary


def _ingest_locally(
    paths: tuple[str, ...], store: Path, labels: dict[str, str], everything: bool, jobs: int | None,
    printer: _DiagnosticPrinter, progress_line: _ProgressLine,
) -> IngestSummary:  # fmt: skip
    from wrkparse.ingest.ingest import ingest

    return ingest(
        paths, store, labels=labels, everything=everything, jobs=jobs,
        report=printer.show, progress=progress_line.show, waiting=_print_waiting,
    )  # fmt: skip


def _ingest_on_cluster(
    paths: tuple[str, ...], store: str, labels: dict[str, str], everything: bool, scheduler: str | None,
    printer: _DiagnosticPrinter, progress_line: _ProgressLine,
) -> IngestSummary:  # fmt: skip
    from wrkparse.ingest.parallel import dask

    return dask.ingest(
        paths, store, labels=labels, everything=everything, scheduler=scheduler,
        report=printer.show, progress=progress_line.show,
    )  # fmt: skip


def _follow_source(
    path: str, store: Path, labels: dict[str, str], printer: _DiagnosticPrinter, progress_line: _ProgressLine
) -> IngestSummary:
    """Follow a file or pipe until the first signal to end. What was read by then is in the store.

    The second signal ends every wait, but not a write to the store. The third signal ends that, too.
    """
    from wrkparse.cli.shared.signals import until_signal
    from wrkparse.ingest.following.follow import follow

    if path.rpartition("=")[2] == "-" and sys.stdin is None:
        fail("standard input is closed; give it something to read, or name a file")
    hurry = threading.Event()

    def no_longer_wait() -> None:
        hurry.set()
        with contextlib.suppress(OSError, ValueError, AttributeError):  # closed, or no file
            # Not with `print_message`: the signal may have interrupted that function.
            os.write(sys.stderr.fileno(), _HURRY_MESSAGE)

    with until_signal(no_longer_wait) as stop:
        return follow(
            path,
            store,
            labels=labels,
            report=printer.show,
            live=progress_line.live,
            stop=stop,
            hurry=hurry,
            waiting=_print_waiting,
        )


def _parse_labels(pairs: tuple[str, ...]) -> dict[str, str]:
    """The labels of --label. UsageError for one that is not KEY=VALUE, and for the name of a column."""
    from wrkparse.source.discover import utf8_name
    from wrkparse.tools.schema import RESERVED

    found: dict[str, str] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key.isidentifier() or not value:
            raise click.UsageError(f"--label {pair!r}: write key=value; a key has letters, digits and '_'")
        if key.lower() in RESERVED:
            raise click.UsageError(f"--label {pair!r}: {key} is a column of the table runs; choose another name")
        found[key] = utf8_name(value)
    return found


def _print_waiting(message: str) -> None:
    print_message(f"wrkparse: {printable(message)}")


class _DiagnosticPrinter:
    """Prints the first diagnostics of each code when they occur, and at the end how many more there were."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet
        self._counts: Counter[str] = Counter()
        self.errors = 0

    def show(self, diagnostic: Diagnostic, source: SourceFile | None) -> None:
        self.errors += diagnostic.severity == "error"
        if self._quiet and diagnostic.severity == "note":
            return
        self._counts[diagnostic.code] += 1
        if self._counts[diagnostic.code] <= _MOST_PER_CODE:
            text = str(diagnostic)
            if source:  # the path relative to the current directory, as editors expect
                text = source.display_path + text.removeprefix(diagnostic.source)
            print_message(f"{_ProgressLine.CLEAR if is_terminal(sys.stderr) else ''}{one_line(text)}")

    def finish(self) -> None:
        for code, count in self._counts.items():
            if count > _MOST_PER_CODE:
                print_message(
                    f"wrkparse: {count - _MOST_PER_CODE} more with code {code}; the table diagnostics has all"
                )


class _ProgressLine:
    """A line of progress on a terminal; prints nothing elsewhere."""

    CLEAR = "\r\x1b[K"  # to the first column, and clear the line to its end

    def __init__(self) -> None:
        self._on = is_terminal(sys.stderr)

    def show(self, done: int, total: int, source: str) -> None:
        if self._on:
            share = f"{100 * done // total:3d} %" if total else "     "
            width = shutil.get_terminal_size().columns
            # One column is left free: a full line may wrap, and `CLEAR` clears one line only.
            print_message(f"{self.CLEAR}{f'{share}  {byte_size_text(done)}  {printable(source)}'[: width - 1]}", end="")

    def live(self, summary: IngestSummary, source: str, read: int) -> None:
        if self._on:
            counts = _counts_text(summary.events + summary.runs) or "no known output yet"
            width = shutil.get_terminal_size().columns
            print_message(
                f"{self.CLEAR}{f'{printable(source)}  {byte_size_text(read)}  {counts}'[: width - 1]}", end=""
            )

    def clear(self) -> None:
        if self._on:
            print_message(self.CLEAR, end="")


def _summary_text(summary: IngestSummary, store: Location) -> str:
    s = summary
    lines_read = f"{s.lines:,} line{'' if s.lines == 1 else 's'}"
    read = f"{byte_size_text(s.bytes_read)}, {lines_read}, {s.lines_claimed:,} of a known tool"
    lines = [f"{_file_count_text(s.read)} read ({read}) in {s.seconds:.1f} s"]
    file_counts = {
        "unchanged": s.unchanged,
        "read again": s.replaced,
        "renamed": s.renamed,
        "read on": s.grown,
        "not text": s.not_text,
        "failed": s.failed,
        "without a run": s.without_runs,
    }
    if any(file_counts.values()):
        lines.append("files: " + ", ".join(f"{count:,} {state}" for state, count in file_counts.items() if count))
    lines.append("runs: " + (_counts_text(s.runs) or ("no new ones" if s.unchanged else "none")))
    if s.events:
        lines.append("events: " + _counts_text(s.events))
    if s.label_counts:
        lines.append("labels: " + _counts_text(Counter({k: n for k, n in s.label_counts.items() if not _is_detail(k)})))
    lines += _index_lines(s.indexed)
    if s.diagnostics:
        kinds = Counter({f"{severity} {code}": n for (severity, code), n in s.diagnostics.items()})
        lines.append("diagnostics: " + _counts_text(kinds))
    where = "" if store == DEFAULT_STORE else f" {printable(shlex.quote(str(store)))}"
    lines.append(f"store: {store}")
    if s.runs or s.without_runs < s.read:
        lines.append(f"next: wrkparse runs{where}    wrkparse show RUN{f' --store{where}' if where else ''}")
    elif s.read:
        lines.append("next: wrkparse explain FILE shows line by line what is read, and what is not")
    return "\n".join(lines)


def _unlabelled_text(store: Location) -> str:
    """Which runs of the store lack labels that distinguish them, and what to do; empty if none do.

    Empty files are printed first.
    """
    from wrkparse.analysis.runs.labels.unlabelled import unlabelled

    with open_data(store) as dataset:
        print_empty_files(dataset)
        found = unlabelled(dataset)
    if not found:
        return ""
    where = f"{found.runs:,} runs in {_file_count_text(found.files)}" if found.files > 1 else f"{found.runs:,} runs"
    text = (
        f"unlabelled: {where}, as in {printable(found.first)}: they have no framework, and each shares all its labels "
        "with a run elsewhere, so they count as repeats. If they are not: wrkparse explain FILE shows what was read, "
        "and wrkparse label DIRECTORY helps to label them."
    )
    return textwrap.fill(text, _SENTENCE_WIDTH, subsequent_indent="  ") + "\n"


def _is_detail(key: str) -> bool:
    """Whether the summary leaves out a label: each option and variable of a command is one."""
    return key.startswith(("flag_", "env_"))


def _file_count_text(count: int) -> str:
    return f"{count:,} file{'' if count == 1 else 's'}"


def _index_lines(indexed: Counter[str]) -> list[str]:
    """A line that says which indexes labelled how many runs; an empty list if none did."""
    named = [
        f"{printable(source)}: {count:,} run{'' if count == 1 else 's'}" for source, count in sorted(indexed.items())
    ]
    more = len(named) - _MOST_INDEXES
    rest = [f"{more:,} more files"] if more > 0 else []
    return [f"labels from {', '.join(named[:_MOST_INDEXES] + rest)}"] if named else []


def _counts_text(counter: Counter[str]) -> str:
    """``12 wrk, 3 ab``, the largest count first."""
    return ", ".join(
        f"{count:,} {name}" for name, count in sorted(counter.items(), key=lambda item: (-item[1], item[0]))
    )

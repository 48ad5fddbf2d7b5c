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

from wrkparse.analysis.shown.numbers import size
from wrkparse.cli.shared.completion import complete_files
from wrkparse.cli.shared.exits import UNREADABLE, fail
from wrkparse.cli.shared.printing.diagnostics import say_empty
from wrkparse.cli.shared.printing.output import on_terminal, say
from wrkparse.cli.shared.stores import DEFAULT_STORE, STORE, Place, opened
from wrkparse.source.discover import split_label
from wrkparse.text.escape import one_line, printable

if TYPE_CHECKING:
    from wrkparse.ingest.summary import Summary
    from wrkparse.model.records import Diagnostic
    from wrkparse.source.discover import SourceFile

_SHOWN_PER_CODE = 10
_SHOWN_INDEXES = 5  # files beside the logs that labelled runs
_WIDTH = 80  # of sentences, in columns
_HURRY = b"\nwrkparse: what was read is being written; another Ctrl-C ends without it\n"


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
    store: Place,
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
    given = _labels(labels)
    cluster = engine == "dask" or scheduler is not None
    _check_options(paths, store, cluster=cluster, follow=follow, everything=everything)
    printer, bar = _DiagnosticPrinter(quiet), _Bar()
    if follow or (len(paths) == 1 and paths[0].rpartition("=")[2] == "-" and not cluster):
        read = partial(_follow, paths[0], Path(store), given, printer, bar)
    elif cluster:
        read = partial(_on_cluster, paths, str(store), given, everything, scheduler, printer, bar)
    else:
        read = partial(_locally, paths, Path(store), given, everything, jobs, printer, bar)
    summary = _or_fail(read, bar)
    printer.finish()
    if not summary.found:
        click.echo("wrkparse: no files to read", err=True)
    elif not quiet:
        click.echo(_text(summary, store))
        if summary.runs and not follow:
            click.echo(_on_unlabelled(store), nl=False)
    if summary.failed or printer.errors or not summary.found:
        sys.exit(UNREADABLE)


def _check_options(paths: tuple[str, ...], store: Place, *, cluster: bool, follow: bool, everything: bool) -> None:
    """Raise UsageError for options that contradict each other, and for a path that is empty."""
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


def _or_fail(read: Callable[[], Summary], bar: _Bar) -> Summary:
    """The summary of an ingest; a store that can't be written ends the command with a message."""
    from wrkparse.source.remote import MissingExtraError
    from wrkparse.store.errors import StoreError

    try:
        summary = read()
    except (StoreError, MissingExtraError) as problem:
        bar.clear()
        fail(str(problem))
    bar.clear()
    return summary


def _locally(
    paths: tuple[str, ...], store: Path, labels: dict[str, str], everything: bool, jobs: int | None,
    printer: _DiagnosticPrinter, bar: _Bar,
) -> Summary:  # fmt: skip
    from wrkparse.ingest.ingest import ingest

    return ingest(
        paths, store, labels=labels, everything=everything, jobs=jobs,
        report=printer.show, progress=bar.show, waiting=_waiting,
    )  # fmt: skip


def _on_cluster(
    paths: tuple[str, ...], store: str, labels: dict[str, str], everything: bool, scheduler: str | None,
    printer: _DiagnosticPrinter, bar: _Bar,
) -> Summary:  # fmt: skip
    from wrkparse.ingest.parallel import dask

    return dask.ingest(
        paths, store, labels=labels, everything=everything, scheduler=scheduler,
        report=printer.show, progress=bar.show,
    )  # fmt: skip


def _follow(path: str, store: Path, labels: dict[str, str], printer: _DiagnosticPrinter, bar: _Bar) -> Summary:
    """Follow a file or pipe until the first signal to end; everything read by then is in the store.

    The second signal ends every wait, but not what is being written. The third one does.
    """
    from wrkparse.cli.shared.signals import until_signal
    from wrkparse.ingest.following.follow import follow

    if path.rpartition("=")[2] == "-" and sys.stdin is None:
        fail("standard input is closed; give it something to read, or name a file")
    hurry = threading.Event()

    def no_longer_wait() -> None:
        hurry.set()
        with contextlib.suppress(OSError, ValueError, AttributeError):  # closed, or no file
            # Not by `say`: a signal may come while that is at work.
            os.write(sys.stderr.fileno(), _HURRY)

    with until_signal(no_longer_wait) as stop:
        return follow(
            path, store, labels=labels, report=printer.show, live=bar.live, stop=stop, hurry=hurry, waiting=_waiting
        )


def _labels(pairs: tuple[str, ...]) -> dict[str, str]:
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


def _waiting(message: str) -> None:
    say(f"wrkparse: {printable(message)}")


class _DiagnosticPrinter:
    """Prints the first diagnostics of each code at once, and at the end how many more there were."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet
        self._counts: Counter[str] = Counter()
        self.errors = 0

    def show(self, diagnostic: Diagnostic, source: SourceFile | None) -> None:
        self.errors += diagnostic.severity == "error"
        if self._quiet and diagnostic.severity == "note":
            return
        self._counts[diagnostic.code] += 1
        if self._counts[diagnostic.code] <= _SHOWN_PER_CODE:
            text = str(diagnostic)
            if source:  # the path relative to the current directory, as editors expect
                text = source.display_path + text.removeprefix(diagnostic.source)
            say(f"{_Bar.CLEAR if on_terminal(sys.stderr) else ''}{one_line(text)}")

    def finish(self) -> None:
        for code, count in self._counts.items():
            if count > _SHOWN_PER_CODE:
                say(f"wrkparse: {count - _SHOWN_PER_CODE} more with code {code}; the table diagnostics has all")


class _Bar:
    """A line of progress on a terminal; prints nothing elsewhere."""

    CLEAR = "\r\x1b[K"

    def __init__(self) -> None:
        self._on = on_terminal(sys.stderr)

    def show(self, done: int, total: int, source: str) -> None:
        if self._on:
            share = f"{100 * done // total:3d} %" if total else "     "
            width = shutil.get_terminal_size().columns
            say(f"{self.CLEAR}{f'{share}  {size(done)}  {printable(source)}'[: width - 1]}", end="")

    def live(self, summary: Summary, source: str, read: int) -> None:
        if self._on:
            counts = _counts(summary.events + summary.runs) or "no known output yet"
            width = shutil.get_terminal_size().columns
            say(f"{self.CLEAR}{f'{printable(source)}  {size(read)}  {counts}'[: width - 1]}", end="")

    def clear(self) -> None:
        if self._on:
            say(self.CLEAR, end="")


def _text(summary: Summary, store: Place) -> str:
    s = summary
    read = f"{size(s.bytes_read)}, {s.lines:,} line{'' if s.lines == 1 else 's'}, {s.lines_claimed:,} of a known tool"
    lines = [f"{_files(s.read)} read ({read}) in {s.seconds:.1f} s"]
    others = {
        "unchanged": s.unchanged,
        "read again": s.replaced,
        "renamed": s.renamed,
        "read on": s.grown,
        "not text": s.not_text,
        "failed": s.failed,
        "without a run": s.without_runs,
    }
    if any(others.values()):
        lines.append("files: " + ", ".join(f"{count:,} {what}" for what, count in others.items() if count))
    lines.append("runs: " + (_counts(s.runs) or ("no new ones" if s.unchanged else "none")))
    if s.events:
        lines.append("events: " + _counts(s.events))
    if s.label_keys:
        lines.append("labels: " + _counts(Counter({k: n for k, n in s.label_keys.items() if not _detail(k)})))
    lines += _of_indexes(s.indexed)
    if s.diagnostics:
        kinds = Counter({f"{severity} {code}": n for (severity, code), n in s.diagnostics.items()})
        lines.append("diagnostics: " + _counts(kinds))
    where = "" if store == DEFAULT_STORE else f" {printable(shlex.quote(str(store)))}"
    lines.append(f"store: {store}")
    if s.runs or s.without_runs < s.read:
        lines.append(f"next: wrkparse runs{where}    wrkparse show RUN{f' --store{where}' if where else ''}")
    elif s.read:
        lines.append("next: wrkparse explain FILE shows line by line what is read, and what is not")
    return "\n".join(lines)


def _on_unlabelled(store: Place) -> str:
    """What no label tells apart in the store, and what would; empty if there is nothing. Empty files are said first."""
    from wrkparse.analysis.runs.labels.unlabelled import unlabelled

    with opened(store) as dataset:
        say_empty(dataset)
        found = unlabelled(dataset)
    if not found:
        return ""
    where = f"{found.runs:,} runs in {_files(found.files)}" if found.files > 1 else f"{found.runs:,} runs"
    text = (
        f"unlabelled: {where}, as in {printable(found.first)}: they have no framework, and each shares all its labels "
        "with a run elsewhere, so they count as repeats. If they are not: wrkparse explain FILE shows what was read, "
        "and wrkparse label DIRECTORY helps to label them."
    )
    return textwrap.fill(text, _WIDTH, subsequent_indent="  ") + "\n"


def _detail(key: str) -> bool:
    return key.startswith(("flag_", "env_"))


def _files(count: int) -> str:
    return f"{count:,} file{'' if count == 1 else 's'}"


def _of_indexes(indexed: Counter[str]) -> list[str]:
    """A line that says which files beside the logs labelled how many runs; none if none did."""
    named = [
        f"{printable(source)}: {count:,} run{'' if count == 1 else 's'}" for source, count in sorted(indexed.items())
    ]
    more = len(named) - _SHOWN_INDEXES
    rest = [f"{more:,} more files"] if more > 0 else []
    return [f"labels from {', '.join(named[:_SHOWN_INDEXES] + rest)}"] if named else []


def _counts(counter: Counter[str]) -> str:
    return ", ".join(
        f"{count:,} {name}" for name, count in sorted(counter.items(), key=lambda item: (-item[1], item[0]))
    )

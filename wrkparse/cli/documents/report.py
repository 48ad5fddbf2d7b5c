"""``wrkparse report``."""

from __future__ import annotations

import importlib.util
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wrkparse.analysis.shown.numbers import byte_size_text
from wrkparse.analysis.wording import counted
from wrkparse.cli.shared.completion import complete_labels
from wrkparse.cli.shared.conditions import where_option
from wrkparse.cli.shared.exits import UNREADABLE, fail
from wrkparse.cli.shared.percent import PERCENT
from wrkparse.cli.shared.printing.output import is_terminal, print_message
from wrkparse.cli.shared.stores import DEFAULT_STORE, refuse_pipes, take_store
from wrkparse.text.escape import one_line, printable

if TYPE_CHECKING:
    from wrkparse.report.build import Progress

# The modules of the extra ``report``.
_REQUIRED_PACKAGES = ("nbclient", "nbformat", "ipykernel", "pypandoc", "typst", "fontTools", "brotli")
_SUFFIXES = (".pdf", ".html", ".md")
_CHANGES_NOTEBOOK = "changes"  # the notebook of --against
_MOST_UNREAD = 5  # unread files that are named
_NAME_OF_NOW = "now"  # the name of the current runs in that notebook; earlier ones must have other names


@click.command("report")
@click.argument("names", nargs=-1, metavar="[NAME]… [STORE|LOGS]")
@click.option(
    "-s", "--store", "data", type=click.Path(path_type=Path),
    help=f"A store, or a file or directory of logs. [default: {DEFAULT_STORE}]",
)  # fmt: skip
@where_option
@click.option(
    "-o", "--output", type=click.Path(path_type=Path),
    help="Write to a file (.pdf, .html or .md), or into a directory. [default: NAME.pdf]",
)  # fmt: skip
@click.option(
    "--against", multiple=True, metavar="STORE|LOGS",
    help="Compare with earlier runs, and show what changed. Several make a history; the first is the baseline.",
)  # fmt: skip
@click.option(
    "--fail-on", multiple=True, metavar="LIMIT", help="With --against: exit with code 1 if a change exceeds this."
)
@click.option(
    "--same-within", type=PERCENT, metavar="N%",
    help="With --against: changes this small count as the same.  [default: 2%]",
)  # fmt: skip
@click.option(
    "--ignore", metavar="A,B,…", shell_complete=complete_labels,
    help="With --against: labels that make no difference; runs that differ only in these are repeats.",
)  # fmt: skip
@click.option("--watch", is_flag=True, help="Rebuild the report whenever the data changes, until Ctrl-C.")
@click.option("--code", is_flag=True, help="Include the code of the cells.")
@click.option("--list", "listing", is_flag=True, help="List the included notebooks.")
def command(
    names: tuple[str, ...], data: Path | None, where: str | None, output: Path | None, code: bool, listing: bool,
    against: tuple[str, ...], fail_on: tuple[str, ...], same_within: float | None, ignore: str | None,
    watch: bool,
) -> None:  # fmt: skip
    """Execute a notebook on your data and write the result as a PDF, one HTML page, or Markdown.

    NAME is an included notebook (--list) or the path of an .ipynb file. The default is the overview, which works with
    any data. LOGS is a file or directory of logs, read for this report. Needs: pip install 'wrkparse[report]'

    \b
    wrkparse report
    wrkparse report logs/ -o report.pdf
    wrkparse report -o report.html --where "connections = 100"
    wrkparse report my-notebook.ipynb -o reports/
    wrkparse report logs/ --watch -o live.html
    wrkparse report new/ --against old/ -o changes.html
    wrkparse report new.duckdb --against old.duckdb --fail-on 'throughput < -5%' -o pr.md

    With --watch, the report is rebuilt when nothing has changed for a second, or after ten seconds of changes. It
    replaces the previous one as a whole. The exit code is that of the last one.

    Exit codes with --fail-on are those of `wrkparse compare`: 0 if every limit holds, 1 if the whole interval of a
    significant change is beyond one, 3 if the runs can't decide.
    """
    _check_packages()
    from wrkparse.report.document.pandoc import PandocError
    from wrkparse.report.errors import ReportError
    from wrkparse.report.notebook.suite import DEFAULT, notebook_title, suite_notebooks

    try:
        if listing:
            names_of = suite_notebooks()
            widest = max(map(len, names_of), default=0)
            for name, path in names_of.items():
                click.echo(f"{name:<{widest}}  {notebook_title(path)}")
            return
        names, location = take_store(
            names, data, lambda name: name not in suite_notebooks() and Path(name).suffix != ".ipynb"
        )
        data = None if location is None else Path(location)
        refuse_pipes(() if data is None else (data,))
        wanted = names or (_CHANGES_NOTEBOOK if against else DEFAULT,)
        outputs = _output_files(wanted, output)
        more = _against_parameters(against, fail_on, same_within, ignore)
        if watch:
            codes = _watch(
                outputs,
                data or DEFAULT_STORE,
                lambda name, file: _make_report(name, file, data or DEFAULT_STORE, where, code, more),
            )
        else:
            codes = [
                _make_report(name, file, _data_of_notebook(name, data, where), where, code, more)
                for name, file in outputs.items()
            ]
    except (ReportError, PandocError) as problem:
        fail(str(problem))
    # Of several reports, a regression (1) outweighs runs that can't decide (3).
    if worst := max(codes, key=lambda code: (code == 1, code)):
        sys.exit(worst)


def _watch(outputs: Mapping[str, Path], data: Path, make: Callable[[str, Path], int]) -> list[int]:
    """Make the reports whenever the data changes, until the first signal to end; return the last exit code of each.

    A report that fails is made again at the next change.
    """
    from wrkparse.cli.shared.signals import until_signal
    from wrkparse.ingest.following.watch import watch_changes
    from wrkparse.report.document.pandoc import PandocError
    from wrkparse.report.errors import ReportError

    if not data.exists():
        fail(f"{printable(str(data))}: no such file or directory; there is nothing to watch")
    codes = dict.fromkeys(outputs, 0)
    with until_signal() as stop:
        for _ in watch_changes([data], stop, without=list(outputs.values())):
            for name, file in outputs.items():
                try:
                    codes[name] = make(name, file)
                except (ReportError, PandocError) as problem:
                    if not stop.is_set():  # a signal ends the process that executes the notebook, too
                        click.echo(f"wrkparse: {printable(str(problem))}; waiting for a change", err=True)
                        codes[name] = UNREADABLE
                except SystemExit:  # its message was printed
                    codes[name] = UNREADABLE
    return list(codes.values())


def _against_parameters(
    against: tuple[str, ...], fail_on: tuple[str, ...], same_within: float | None, ignore: str | None
) -> dict[str, object]:
    """The notebook parameters for --against; empty without it. UsageError for options that need it."""
    if not against:
        if fail_on or same_within is not None or ignore:
            raise click.UsageError("--fail-on, --same-within and --ignore need --against")
        return {}
    from wrkparse.analysis.comparison.gate import parse_limit
    from wrkparse.dataset import QueryError
    from wrkparse.dataset.aliases import split_names
    from wrkparse.ingest.sides import SidesError, named_sides

    try:
        for limit in fail_on:
            parse_limit(limit)
        # With the current runs among them, an earlier one that is called `now` is refused, too.
        sides = named_sides([*against, f"{_NAME_OF_NOW}=."])
    except (QueryError, SidesError) as problem:
        raise click.UsageError(printable(str(problem))) from None
    refuse_pipes(side.path for side in sides[:-1])
    for side in sides[:-1]:
        if not Path(side.path).exists():
            fail(f"{printable(side.path)}: no such file or directory")
    places = [f"{side.name}={Path(side.path).resolve()}" for side in sides[:-1]]
    zone = {} if same_within is None else {"SAME_WITHIN": same_within}
    return {"AGAINST": places, "FAIL_ON": list(fail_on), "IGNORE": list(split_names(ignore)), **zone}


def _check_packages() -> None:
    """End the command if packages of the extra ``report`` are not installed."""
    missing = [name for name in _REQUIRED_PACKAGES if importlib.util.find_spec(name) is None]
    if missing:
        fail(f"reports need packages that are not installed ({', '.join(missing)}): pip install 'wrkparse[report]'")


def _output_files(names: tuple[str, ...], output: Path | None) -> dict[str, Path]:
    """The file to write for each notebook. UsageError if two would get the same file."""
    output = output or Path()
    if output.is_dir() or not output.suffix:
        files = {name: output / f"{Path(name).stem}.pdf" for name in names}
        for file, count in Counter(files.values()).items():
            if count > 1:
                raise click.UsageError(
                    f"{count} reports would be {printable(str(file))}; make them one by one, with -o"
                )
        return files
    if output.suffix.lower() not in _SUFFIXES:
        raise click.UsageError(
            f"-o {printable(str(output))}: a report is a .pdf, .html or .md file; or name a directory"
        )
    if len(names) > 1:
        raise click.UsageError(f"-o {printable(str(output))} is one file for {len(names)} reports; name a directory")
    return {names[0]: output}


def _data_of_notebook(name: str, data: Path | None, where: str | None) -> Path | None:
    """The data that a notebook reads; None for an .ipynb file if no data is named and there is no default store."""
    if data is None and name.endswith(".ipynb") and where is None and not DEFAULT_STORE.exists():
        return None
    return data or DEFAULT_STORE


def _make_report(
    name: str, output: Path, data: Path | None, where: str | None, code: bool, more: Mapping[str, object]
) -> int:
    """Make one report; return its exit code: that of --fail-on, or 3 if a file could not be read, or 0."""
    from wrkparse.report.build import report, save
    from wrkparse.report.errors import ReportError
    from wrkparse.report.notebook.suite import find_notebook

    parameters: dict[str, object] = dict(more)
    if data is not None:
        parameters |= {"DATA": str(data.resolve()), "WHERE": where}
    pages = output.suffix.lower() == ".html"
    try:
        with _progress_line() as progress:
            result = report(find_notebook(name), parameters, code=code, progress=progress, pages=pages)
    except ReportError:
        if data is not None:
            _check_store(data, where)
        raise
    for warning in result.warnings:
        click.echo(f"wrkparse: warning: {printable(warning)}", err=True)
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        save(result, output)
    except OSError as problem:
        fail(f"{output} can't be written: {problem.strerror}")
    click.echo(f"{printable(str(output))}: {byte_size_text(output.stat().st_size)}")
    unread = () if data is None else _unread_logs(data, result.document.unread)
    _print_unread(unread)
    return result.outcome or (UNREADABLE if unread else 0)


def _unread_logs(data: Path, unread: Sequence[str]) -> Sequence[str]:
    """Why files could not be read; empty for a store, because ``ingest`` reported them."""
    if not unread:
        return ()
    from wrkparse.store.duckdb_store import is_store  # its import takes as long as all other imports here

    return () if is_store(data) else unread


def _print_unread(problems: Sequence[str]) -> None:
    """Print why files could not be read, for at most `_MOST_UNREAD` of them."""
    for problem in problems[:_MOST_UNREAD]:
        print_message(f"wrkparse: {one_line(problem)}")
    if (more := len(problems) - _MOST_UNREAD) > 0:
        print_message(f"wrkparse: {counted(more, 'more file')} could not be read")


def _check_store(data: Path, where: str | None) -> None:
    """End the command if a store can't be opened or the condition is wrong for it.

    That message is plainer than the one about the notebook cell that failed for this reason.
    """
    from wrkparse.dataset import QueryError
    from wrkparse.store.duckdb_store import is_store, load
    from wrkparse.store.errors import StoreError

    try:
        if is_store(data) or not data.exists():
            dataset = load(data)
            if where is not None:
                dataset.where(where)
    except StoreError as problem:
        fail(str(problem))
    except QueryError as problem:
        raise click.UsageError(printable(str(problem))) from None


@contextmanager
def _progress_line() -> Iterator[Progress | None]:
    """A function that shows the current step in a line on the terminal; None if there is no terminal."""
    if not is_terminal(sys.stderr):
        yield None
        return

    def show(doing: str, done: int, total: int) -> None:
        click.echo(f"\r\x1b[K{printable(doing)}", nl=False, err=True)

    try:
        yield show
    finally:
        click.echo("\r\x1b[K", nl=False, err=True)

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

from wrkparse.analysis.shown.numbers import size
from wrkparse.analysis.wording import counted
from wrkparse.cli.shared.completion import complete_labels
from wrkparse.cli.shared.conditions import where_option
from wrkparse.cli.shared.exits import UNREADABLE, fail
from wrkparse.cli.shared.percent import PERCENT
from wrkparse.cli.shared.printing.output import on_terminal, say
from wrkparse.cli.shared.stores import DEFAULT_STORE, refuse_pipes, split_store
from wrkparse.text.escape import one_line, printable

if TYPE_CHECKING:
    from wrkparse.report.build import Progress

_NEEDED = ("nbclient", "nbformat", "ipykernel", "pypandoc", "typst", "fontTools", "brotli")
_SUFFIXES = (".pdf", ".html", ".md")
_CHANGES = "changes"  # the notebook of --against
_MOST_UNREAD = 5  # files that are named
_NOW = "now"  # what it calls the runs of today


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
    _require()
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
        names, place = split_store(
            names, data, lambda name: name not in suite_notebooks() and Path(name).suffix != ".ipynb"
        )
        data = None if place is None else Path(place)
        refuse_pipes(() if data is None else (data,))
        wanted = names or (_CHANGES if against else DEFAULT,)
        outputs = _outputs(wanted, output)
        more = _past(against, fail_on, same_within, ignore)
        if watch:
            codes = _watch(
                outputs,
                data or DEFAULT_STORE,
                lambda name, file: _report(name, file, data or DEFAULT_STORE, where, code, more),
            )
        else:
            codes = [_report(name, file, _data(name, data, where), where, code, more) for name, file in outputs.items()]
    except (ReportError, PandocError) as problem:
        fail(str(problem))
    if worst := max(codes, key=lambda code: (code == 1, code)):
        sys.exit(worst)


def _watch(outputs: Mapping[str, Path], data: Path, make: Callable[[str, Path], int]) -> list[int]:
    """Make the reports whenever the data changes, until the first signal to end; what fails is tried again then.

    Returns the exit code of each report, as it was made last.
    """
    from wrkparse.cli.shared.signals import until_signal
    from wrkparse.ingest.following.watch import changes
    from wrkparse.report.document.pandoc import PandocError
    from wrkparse.report.errors import ReportError

    if not data.exists():
        fail(f"{printable(str(data))}: no such file or directory; there is nothing to watch")
    codes = dict.fromkeys(outputs, 0)
    with until_signal() as stop:
        for _ in changes([data], stop, without=list(outputs.values())):
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


def _past(
    against: tuple[str, ...], fail_on: tuple[str, ...], same_within: float | None, ignore: str | None
) -> dict[str, object]:
    """The parameters of a report against the past; none without one."""
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
        sides = named_sides([*against, f"{_NOW}=."])
    except (QueryError, SidesError) as problem:
        raise click.UsageError(printable(str(problem))) from None
    refuse_pipes(one.path for one in sides[:-1])
    for one in sides[:-1]:
        if not Path(one.path).exists():
            fail(f"{printable(one.path)}: no such file or directory")
    places = [f"{one.name}={Path(one.path).resolve()}" for one in sides[:-1]]
    zone = {} if same_within is None else {"SAME_WITHIN": same_within}
    return {"AGAINST": places, "FAIL_ON": list(fail_on), "IGNORE": list(split_names(ignore)), **zone}


def _require() -> None:
    lacking = [name for name in _NEEDED if importlib.util.find_spec(name) is None]
    if lacking:
        fail(f"reports need packages that are not installed ({', '.join(lacking)}): pip install 'wrkparse[report]'")


def _outputs(names: tuple[str, ...], output: Path | None) -> dict[str, Path]:
    """The file to write for each notebook."""
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


def _data(name: str, data: Path | None, where: str | None) -> Path | None:
    """The data that the notebook reads; None for an .ipynb if neither an option nor a default store names any."""
    if data is None and name.endswith(".ipynb") and where is None and not DEFAULT_STORE.exists():
        return None
    return data or DEFAULT_STORE


def _report(
    name: str, output: Path, data: Path | None, where: str | None, code: bool, more: Mapping[str, object]
) -> int:
    """Make one report; returns its exit code: that of the limits which it judges, or 3 if a file was not read."""
    from wrkparse.report.build import report, save
    from wrkparse.report.errors import ReportError
    from wrkparse.report.notebook.suite import find_notebook

    parameters: dict[str, object] = dict(more)
    if data is not None:
        parameters |= {"DATA": str(data.resolve()), "WHERE": where}
    pages = output.suffix.lower() == ".html"
    try:
        with _progress() as progress:
            made = report(find_notebook(name), parameters, code=code, progress=progress, pages=pages)
    except ReportError:
        if data is not None:
            _check(data, where)
        raise
    for warning in made.warnings:
        click.echo(f"wrkparse: warning: {printable(warning)}", err=True)
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        save(made, output)
    except OSError as problem:
        fail(f"{output} can't be written: {problem.strerror}")
    click.echo(f"{printable(str(output))}: {size(output.stat().st_size)}")
    unread = made.document.unread if data is not None and not _is_store(data, made.document.unread) else ()
    _say_unread(unread)
    return made.outcome or (UNREADABLE if unread else 0)


def _is_store(data: Path, unread: Sequence[str]) -> bool:
    """Whether these are no logs; without something unread it does not matter."""
    if not unread:
        return False
    from wrkparse.store.duckdb_store import is_store  # takes as long to import as all that this process needs

    return is_store(data)


def _say_unread(problems: Sequence[str]) -> None:
    """Print what could not be read, the first few of it."""
    for problem in problems[:_MOST_UNREAD]:
        say(f"wrkparse: {one_line(problem)}")
    if (more := len(problems) - _MOST_UNREAD) > 0:
        say(f"wrkparse: {counted(more, 'more file')} could not be read")


def _check(data: Path, where: str | None) -> None:
    """Say by itself, and not of a cell that failed, that a store can't be opened or a condition is wrong for it."""
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
def _progress() -> Iterator[Progress | None]:
    """A line on the terminal with the current step."""
    if not on_terminal(sys.stderr):
        yield None
        return

    def show(doing: str, done: int, total: int) -> None:
        click.echo(f"\r\x1b[K{printable(doing)}", nl=False, err=True)

    try:
        yield show
    finally:
        click.echo("\r\x1b[K", nl=False, err=True)

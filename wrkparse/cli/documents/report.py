"""``wrkparse report``."""

from __future__ import annotations

import importlib.util
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wrkparse.analysis.shown.numbers import size
from wrkparse.cli.shared.conditions import where_option
from wrkparse.cli.shared.exits import fail
from wrkparse.cli.shared.output import on_terminal
from wrkparse.cli.shared.stores import DEFAULT_STORE, split_store
from wrkparse.text.escape import printable

if TYPE_CHECKING:
    from wrkparse.report.build import Progress

_NEEDED = ("nbclient", "nbformat", "ipykernel", "pypandoc", "typst", "fontTools", "brotli")
_SUFFIXES = (".pdf", ".html")


@click.command("report")
@click.argument("names", nargs=-1, metavar="[NAME]… [STORE|LOGS]")
@click.option(
    "-s", "--store", "data", type=click.Path(path_type=Path),
    help=f"A store, or a file or directory of logs. [default: {DEFAULT_STORE}]",
)  # fmt: skip
@where_option
@click.option(
    "-o", "--output", type=click.Path(path_type=Path),
    help="Write to a file (.pdf or .html), or into a directory. [default: NAME.pdf]",
)  # fmt: skip
@click.option("--code", is_flag=True, help="Include the code of the cells.")
@click.option("--list", "listing", is_flag=True, help="List the included notebooks.")
def command(
    names: tuple[str, ...], data: Path | None, where: str | None, output: Path | None, code: bool, listing: bool
) -> None:
    """Execute a notebook on your data, and make a PDF or one HTML page of it.

    NAME is an included notebook (--list) or the path of an .ipynb file. The default is the overview, which suits any
    data. LOGS is a file or directory of logs, read for this report. Needs: pip install 'wrkparse[report]'

    \b
    wrkparse report
    wrkparse report logs/ -o report.pdf
    wrkparse report -o report.html --where "connections = 100"
    wrkparse report my-notebook.ipynb -o reports/
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
        wanted = names or (DEFAULT,)
        outputs = _outputs(wanted, output)
        for name, file in outputs.items():
            _report(name, file, _data(name, data, where), where, code)
    except (ReportError, PandocError) as problem:
        fail(str(problem))


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
        raise click.UsageError(f"-o {printable(str(output))}: a report is a .pdf or .html file; or name a directory")
    if len(names) > 1:
        raise click.UsageError(f"-o {printable(str(output))} is one file for {len(names)} reports; name a directory")
    return {names[0]: output}


def _data(name: str, data: Path | None, where: str | None) -> Path | None:
    """The data that the notebook reads; None for an .ipynb if neither an option nor a default store names any."""
    if data is None and name.endswith(".ipynb") and where is None and not DEFAULT_STORE.exists():
        return None
    return data or DEFAULT_STORE


def _report(name: str, output: Path, data: Path | None, where: str | None, code: bool) -> None:
    from wrkparse.report.build import report, save
    from wrkparse.report.notebook.suite import find_notebook

    parameters: dict[str, object] = {}
    if data is not None:
        _check(data, where)
        parameters = {"DATA": str(data.resolve()), "WHERE": where}
    with _progress() as progress:
        made = report(find_notebook(name), parameters, code=code, progress=progress)
    for warning in made.warnings:
        click.echo(f"wrkparse: warning: {printable(warning)}", err=True)
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        save(made, output)
    except OSError as problem:
        fail(f"{output} can't be written: {problem.strerror}")
    click.echo(f"{printable(str(output))}: {size(output.stat().st_size)}")


def _check(data: Path, where: str | None) -> None:
    """Fail here, rather than in a cell, if a store can't be opened, or the condition is wrong for it."""
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

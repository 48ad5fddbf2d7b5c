"""Tables and numbers as text, at the edge: everything below this keeps numbers as numbers."""

from __future__ import annotations

import contextlib
import json
import math
import os
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from wrkparse.cli.shared.exits import fail
from wrkparse.text.escape import escaped, one_line, printable

if TYPE_CHECKING:
    import pyarrow as pa

FORMATS = ("table", "md", "csv", "json", "parquet")
_SUFFIXES = {".md": "md", ".csv": "csv", ".json": "json", ".parquet": "parquet", ".txt": "table"}

_TEXTS = ("csv", "json")  # whose values are exact, but for a terminal


def format_options(function: Callable[..., None]) -> Callable[..., None]:
    """The options ``--format`` and ``-o`` that every command with a table has."""
    function = click.option(
        "-o", "--output", type=click.Path(path_type=Path), help="Write to this file; its suffix names the format."
    )(function)
    return click.option("--format", "form", type=click.Choice(FORMATS), help="Format of the table.")(function)


def write(table: pa.Table, form: str | None, output: Path | None, *, text: Callable[[], str]) -> None:
    """Write a table in the format asked for (``table``: what `text` gives); a file appears whole or not at all."""
    form = form or (_form_of(output) if output else "table")
    if form == "parquet" and output is None and on_terminal(sys.stdout):
        raise click.UsageError("parquet is no text for a terminal: give a file with -o")
    data = text().encode() + b"\n" if form == "table" else _encoded(table, form)
    if output is None:
        shown = printable(data.decode()).encode() if form in _TEXTS and on_terminal(sys.stdout) else data
        return click.echo(shown, nl=False)
    partial = output.with_name(f".{output.name}.{os.getpid()}.partial")
    try:
        partial.write_bytes(data)
        partial.replace(output)
    except OSError as problem:
        with contextlib.suppress(OSError):  # of a read-only directory
            partial.unlink(missing_ok=True)
        fail(f"{output} can't be written: {problem.strerror}")


def _form_of(output: Path) -> str:
    form = _SUFFIXES.get(output.suffix.lower())
    if form is None:
        known = ", ".join(_SUFFIXES)
        raise click.UsageError(
            f"-o {printable(str(output))}: its suffix names no format ({known}); give one with --format"
        )
    return form


def _encoded(table: pa.Table, form: str) -> bytes:
    if form == "csv":
        return _csv(table).encode()
    if form == "parquet":
        import pyarrow as pa
        from pyarrow import parquet

        sink = pa.BufferOutputStream()
        parquet.write_table(table, sink, compression="zstd")
        return bytes(sink.getvalue())
    rows = table.to_pylist()
    if form == "json":
        return (json.dumps(rows, ensure_ascii=False, indent=1, default=str) + "\n").encode()
    cells = [[_markdown_cell(value) for value in row.values()] for row in rows]
    return (grid([escaped(name) for name in table.column_names], cells, form="pipe") + "\n").encode()


def _csv(table: pa.Table) -> str:
    import csv
    import io

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table.column_names)
    for batch in table.to_batches(10_000):
        rows = zip(*(column.to_pylist() for column in batch.columns), strict=True)
        writer.writerows([_csv_cell(value) for value in row] for row in rows)
    return text.getvalue()


def _csv_cell(value: Any) -> Any:
    return " ".join(map(str, value)) if isinstance(value, list) else value


def _markdown_cell(value: Any) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return escaped(str(value))


def grid(
    header: Sequence[str], rows: Sequence[Sequence[str]], *, form: str = "plain", right: Sequence[int] = ()
) -> str:
    """Cells → aligned columns; those of index `right` flush right."""
    import tabulate

    aligned = ["right" if index in right else "left" for index in range(len(header))]
    cleaned = [[one_line(cell) for cell in row] for row in rows]
    return tabulate.tabulate(
        cleaned, list(map(one_line, header)), tablefmt=form, colalign=aligned or None, disable_numparse=True
    )


def width() -> int | None:
    """How many columns a table may be wide; None where nobody looks at it on a terminal."""
    return shutil.get_terminal_size().columns if on_terminal(sys.stdout) or "COLUMNS" in os.environ else None


def on_terminal(stream: TextIO | None) -> bool:
    """Whether a person sees what is written there; a closed stream is None."""
    return stream is not None and stream.isatty()

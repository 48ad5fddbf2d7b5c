"""Writes tables: as text aligned for terminals, Markdown, CSV, JSON or Parquet."""

from __future__ import annotations

import contextlib
import json
import math
import sys
from collections.abc import Callable, Sequence
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from wrkparse.analysis.shown.grids import grid
from wrkparse.cli.shared.exits import fail
from wrkparse.export import JSON_VERSION
from wrkparse.store.atomic_file import write_output
from wrkparse.text.escape import escaped, printable

if TYPE_CHECKING:
    import pyarrow as pa

FORMATS = ("table", "md", "csv", "json", "parquet")
_FORMAT_OF_SUFFIX = {".md": "md", ".csv": "csv", ".json": "json", ".parquet": "parquet", ".txt": "table"}

_EXACT_FORMATS = ("csv", "json")  # contain control characters unchanged; a terminal must not get them


def format_options(function: Callable[..., None]) -> Callable[..., None]:
    """Add the options ``--format`` and ``-o``."""
    function = click.option(
        "-o", "--output", type=click.Path(path_type=Path), help="Write to this file; its suffix selects the format."
    )(function)
    return click.option("--format", "form", type=click.Choice(FORMATS), help="Format of the table.")(function)


def write_table(
    table: pa.Table,
    form: str | None,
    output: Path | None,
    *,
    text: Callable[[], str],
    schema: str,
    sentences: Sequence[str] | None = None,
) -> None:
    """Write a table to a file, atomically, or to standard output. The format ``table`` is the result of `text`.

    JSON is an object with the table as `rows`, the name of their `schema` (`wrkparse.cli.shared.json_schema`), and
    `sentences` if they are given.
    """
    form = form or (_format_of(output) if output else "table")
    if form == "parquet" and output is None and is_terminal(sys.stdout):
        raise click.UsageError("Parquet is binary; name a file with -o")
    if form == "json":
        data = _json(table, schema, sentences)
    else:
        data = text().encode() + b"\n" if form == "table" else _encode(table, form)
    if output is None:
        shown = printable(data.decode()).encode() if form in _EXACT_FORMATS and is_terminal(sys.stdout) else data
        click.echo(shown, nl=False)
    else:
        write_file(output, data)


def write_file(output: Path, data: bytes) -> None:
    """Write a file that appears whole or not at all. If it can't be written, the program ends with a message."""
    try:
        write_output(output, data)
    except OSError as problem:
        fail(f"{output} can't be written: {problem.strerror}")


def _format_of(output: Path) -> str:
    """The format that the suffix of a file selects. UsageError if it selects none."""
    form = _FORMAT_OF_SUFFIX.get(output.suffix.lower())
    if form is None:
        known = ", ".join(_FORMAT_OF_SUFFIX)
        raise click.UsageError(
            f"-o {printable(str(output))}: the suffix selects no format ({known}); give one with --format"
        )
    return form


def _encode(table: pa.Table, form: str) -> bytes:
    if form == "csv":
        return _csv(table).encode()
    if form == "parquet":
        import pyarrow as pa
        from pyarrow import parquet

        sink = pa.BufferOutputStream()
        try:
            parquet.write_table(table, sink, compression="zstd")
        except pa.ArrowNotImplementedError as problem:
            advice = "cast it to VARCHAR, or choose another format"
            raise click.UsageError(f"Parquet can't hold a column of the table ({problem}); {advice}") from None
        return bytes(sink.getvalue())
    cells = [[_markdown_cell(value) for value in row.values()] for row in table.to_pylist()]
    return (grid([escaped(name) for name in table.column_names], cells, form="pipe") + "\n").encode()


def _json(table: pa.Table, schema: str, sentences: Sequence[str] | None) -> bytes:
    rows = [{name: _json_value(value) for name, value in row.items()} for row in table.to_pylist()]
    extra = {} if sentences is None else {"sentences": list(sentences)}
    document = {"schema": schema, "version": JSON_VERSION, **extra, "rows": rows}
    return (json.dumps(document, ensure_ascii=False, indent=1, default=str, allow_nan=False) + "\n").encode()


def _json_value(value: Any) -> Any:
    """A value for JSON: NaN and infinity become null, decimals of DuckDB numbers, times text in ISO 8601."""
    # DuckDB's sums of integers, and numbers with a point in a query, are decimals, which JSON lacks.
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, date):  # or a datetime
        return value.isoformat()
    if isinstance(value, list):
        return [_json_value(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _json_value(item) for key, item in value.items()}
    return value


def _csv(table: pa.Table) -> str:
    import csv
    import io

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table.column_names)
    # In parts, because rows of Python objects take many times the memory of the table.
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


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a stream is a terminal; None is a closed stream."""
    return stream is not None and stream.isatty()


def print_message(message: str, end: str = "\n") -> None:
    """Print a message on standard error. If that fails, drop the message: the work matters more."""
    with contextlib.suppress(OSError, ValueError):
        click.echo(f"{message}{end}", err=True, nl=False)

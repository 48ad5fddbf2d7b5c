"""Tables as text or files: aligned for terminals, Markdown, CSV, JSON, Parquet."""

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
_SUFFIXES = {".md": "md", ".csv": "csv", ".json": "json", ".parquet": "parquet", ".txt": "table"}

_EXACT = ("csv", "json")  # with values as they are; on a terminal, control characters are escaped


def format_options(function: Callable[..., None]) -> Callable[..., None]:
    """Adds the options ``--format`` and ``-o``."""
    function = click.option(
        "-o", "--output", type=click.Path(path_type=Path), help="Write to this file; its suffix selects the format."
    )(function)
    return click.option("--format", "form", type=click.Choice(FORMATS), help="Format of the table.")(function)


def write(
    table: pa.Table,
    form: str | None,
    output: Path | None,
    *,
    text: Callable[[], str],
    schema: str,
    sentences: Sequence[str] | None = None,
) -> None:
    """Write a table in a format (``table``: the result of `text`) to a file, atomically, or to standard output.

    As JSON it is an object with `schema`, the name of its rows in `wrkparse.cli.shared.json_schema`, and with
    `sentences` if they are given.
    """
    form = form or (_form_of(output) if output else "table")
    if form == "parquet" and output is None and on_terminal(sys.stdout):
        raise click.UsageError("Parquet is binary; name a file with -o")
    if form == "json":
        data = _json(table, schema, sentences)
    else:
        data = text().encode() + b"\n" if form == "table" else _encoded(table, form)
    if output is None:
        shown = printable(data.decode()).encode() if form in _EXACT and on_terminal(sys.stdout) else data
        click.echo(shown, nl=False)
    else:
        write_whole(output, data)


def write_whole(output: Path, data: bytes) -> None:
    """Write a file that appears whole or not at all; the program ends with a message where that is impossible."""
    try:
        write_output(output, data)
    except OSError as problem:
        fail(f"{output} can't be written: {problem.strerror}")


def _form_of(output: Path) -> str:
    form = _SUFFIXES.get(output.suffix.lower())
    if form is None:
        known = ", ".join(_SUFFIXES)
        raise click.UsageError(
            f"-o {printable(str(output))}: the suffix selects no format ({known}); give one with --format"
        )
    return form


def _encoded(table: pa.Table, form: str) -> bytes:
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
    said = {} if sentences is None else {"sentences": list(sentences)}
    document = {"schema": schema, "version": JSON_VERSION, **said, "rows": rows}
    return (json.dumps(document, ensure_ascii=False, indent=1, default=str, allow_nan=False) + "\n").encode()


def _json_value(value: Any) -> Any:
    """A value as JSON can state it: NaN and infinity, which it has not, are null; DuckDB's decimals are numbers.

    Times are in ISO 8601.
    """
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, date):  # or a datetime
        return value.isoformat()
    if isinstance(value, list):
        return [_json_value(one) for one in value]
    if isinstance(value, dict):
        return {str(key): _json_value(one) for key, one in value.items()}
    return value


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


def on_terminal(stream: TextIO | None) -> bool:
    """Whether a stream is a terminal; a closed stream is None."""
    return stream is not None and stream.isatty()


def say(message: str, end: str = "\n") -> None:
    """Print a message on standard error; drop it where it can't be written, for it is worth less than the work."""
    with contextlib.suppress(OSError, ValueError):
        click.echo(f"{message}{end}", err=True, nl=False)

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

from wrkparse.cli import UNREADABLE
from wrkparse.text.escape import escaped, line, plain

if TYPE_CHECKING:
    import pyarrow as pa

FORMATS = ("table", "md", "csv", "json", "parquet")
_SUFFIXES = {".md": "md", ".csv": "csv", ".json": "json", ".parquet": "parquet", ".txt": "table"}

_TEXTS = ("csv", "json")  # whose values are exact, but for a terminal
_PREFIXES = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n"))
_BINARY = ((2**40, "TiB"), (2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB"))


def size(count: float) -> str:
    """Bytes for people: ``3.2 MiB``."""
    for factor, name in _BINARY:
        if abs(count) >= factor:
            return f"{count / factor:.1f} {name}"
    return f"{count:.0f} B"


def quantity(value: float | None, unit: str) -> str:
    """A number for people, with four significant digits and a prefix: ``193.3 µs``, ``40.67 k/s``; empty if missing."""
    if value is None or math.isnan(value):
        return ""
    if unit == "1":
        return f"{value:,.0f}"
    if unit == "ratio":
        return f"{100 * value:#.4g} %"
    if unit.startswith("bytes"):
        return size(value) + unit.removeprefix("bytes")
    if value == 0:
        return f"0 {unit.removeprefix('1')}"
    if unit == "s" and abs(value) >= 1:
        return f"{value:#.4g} s"
    if unit == "1/s" and abs(value) < 1:  # 20 m/s would be read as metres
        return f"{value:#.4g} /s"
    factor, prefix = next((p for p in _PREFIXES if abs(value) >= p[0]), _PREFIXES[-1])
    return f"{value / factor:#.4g} {prefix}{unit.removeprefix('1')}"


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
        shown = plain(data.decode()).encode() if form in _TEXTS and on_terminal(sys.stdout) else data
        return click.echo(shown, nl=False)
    partial = output.with_name(f".{output.name}.{os.getpid()}.partial")
    try:
        partial.write_bytes(data)
        partial.replace(output)
    except OSError as problem:
        with contextlib.suppress(OSError):  # of a read-only directory
            partial.unlink(missing_ok=True)
        click.echo(f"wrkparse: {plain(str(output))} can't be written: {problem.strerror}", err=True)
        sys.exit(UNREADABLE)


def _form_of(output: Path) -> str:
    form = _SUFFIXES.get(output.suffix.lower())
    if form is None:
        known = ", ".join(_SUFFIXES)
        raise click.UsageError(f"-o {plain(str(output))}: its suffix names no format ({known}); give one with --format")
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
    cleaned = [[line(cell) for cell in row] for row in rows]
    return tabulate.tabulate(
        cleaned, list(map(line, header)), tablefmt=form, colalign=aligned or None, disable_numparse=True
    )


def width() -> int | None:
    """How many columns a table may be wide; None where nobody looks at it on a terminal."""
    return shutil.get_terminal_size().columns if on_terminal(sys.stdout) or "COLUMNS" in os.environ else None


def on_terminal(stream: TextIO | None) -> bool:
    """Whether a person sees what is written there; a closed stream is None."""
    return stream is not None and stream.isatty()

"""``wrkparse runs``."""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from wrkparse.analysis.shown.fitting import cut_where_equal, wrapped
from wrkparse.analysis.shown.grids import grid
from wrkparse.analysis.shown.numbers import quantity
from wrkparse.analysis.shown.screen import terminal_width
from wrkparse.cli.shared.completion import complete_columns
from wrkparse.cli.shared.conditions import where_option
from wrkparse.cli.shared.printing.output import format_options, write_table
from wrkparse.cli.shared.stores import StoreOrLogs, open_data, store_option
from wrkparse.text.escape import printable
from wrkparse.text.suggestions import did_you_mean

if TYPE_CHECKING:
    import pyarrow as pa

# The columns without --columns, if any run has a value; on a narrow terminal, the first ones that fit.
_DEFAULT_COLUMNS = (
    "run", "tool", "framework", "cores", "gogc", "connections", "throughput_per_s", "latency_mean_s", "latency_p99_s",
    "latency_max_s", "verdict", "errors", "non_2xx", "failed_requests", "user_s", "system_s", "elapsed_s",
    "environment", "path", "source", "line",
)  # fmt: skip
# Labels that mostly follow from the framework, and texts from which other labels were read.
_HIDDEN_LABELS = frozenset("host port program server_software title url url_host".split())
_OPTION_PREFIXES = ("env_", "flag_")  # of labels from variables and options of commands
_MOST_OTHER_LABELS = 3  # labels that are shown besides `_DEFAULT_COLUMNS`; more leave no room for the numbers
_MIN_NAME_WIDTH = 12  # columns of text for a name on a narrow terminal; shorter pieces are hard to read
_RUN_CHARACTERS = 8  # characters of the identifier that are shown
_UNIT_OF_SUFFIX = (
    ("_bytes_per_s", "bytes/s"),
    ("_per_s", "1/s"),
    ("_bytes", "bytes"),
    ("_ratio", "ratio"),
    ("_s", "s"),
)


@click.command("runs")
@store_option
@where_option
@click.option("-c", "--columns", metavar="A,B,…", shell_complete=complete_columns, help="Show these columns, or 'all'.")
@click.option(
    "--sort",
    metavar="A,B,…",
    shell_complete=complete_columns,
    help="Sort by these columns; a '-' in front sorts the largest first.",
)
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Show the first N runs.")
@format_options
def command(
    store: StoreOrLogs, where: str | None, columns: str | None, sort: str | None, limit: int | None,
    form: str | None, output: Path | None,
) -> None:  # fmt: skip
    """List the runs of a STORE (default: wrkparse.duckdb), with labels and main numbers.

    \b
    wrkparse runs
    wrkparse runs --where "framework = 'nginx' and connections >= 512"
    wrkparse runs --where "errors_timeout > 0" --columns run,source,line,errors_timeout
    wrkparse runs --sort=-rps --limit 10
    wrkparse runs bench.duckdb --columns all -o runs.csv
    """
    with open_data(store) as dataset:
        table, labels = dataset.wide_arrow(where), dataset.label_keys()
    matching = len(table)
    # Sorted before it is cut: `--sort=-rps --limit 10` has the ten fastest runs of all.
    table = _sorted(table, sort).slice(0, limit)
    everything = form not in (None, "table") or output is not None
    chosen = _chosen_columns(table, columns, labels, everything=everything)
    shown = _with_integer_counts(table.select(chosen))
    write_table(
        shown, form, output, schema="runs", text=lambda: _runs_text(shown, matching, labels, narrow=columns is None)
    )


def _sorted(table: pa.Table, names: str | None) -> pa.Table:
    """The runs, sorted by the columns that `names` lists. Runs without a value come last."""
    if names is None:
        return table
    columns = [
        (name.removeprefix("-"), name.startswith("-"))
        for name in _split_column_names("--sort", names, table.column_names)
    ]
    keys = [
        (_find_column("--sort", name, table.column_names), "descending" if falls else "ascending")
        for name, falls in columns
    ]
    # Runs with equal values keep the order of their places.
    return table.sort_by([*keys, ("source", "ascending"), ("line", "ascending")])


def _split_column_names(option: str, names: str, known: Sequence[str]) -> list[str]:
    """The names in a text with commas, each once. UsageError if there are none."""
    chosen = list(dict.fromkeys(name.strip() for name in names.split(",") if name.strip()))
    if not chosen:
        raise click.UsageError(
            f"{option} {names!r} does not name a column; the columns are: {printable(', '.join(known))}"
        )
    return chosen


def _find_column(option: str, name: str, known: Sequence[str]) -> str:
    """The column with a name, a header of the printed table, or a short name. UsageError if there is none."""
    from wrkparse.dataset.aliases import full_name

    by_header = {_column_header(column): column for column in known} | {
        _name_without_unit(column): column for column in known
    }
    for candidate in (name, full_name(name)):
        if candidate in known or candidate in by_header:
            return candidate if candidate in known else by_header[candidate]
    hint = did_you_mean(name, [*known, *by_header])
    columns = printable(", ".join(known))
    raise click.UsageError(f"{option}: no column {printable(name)}{hint}; the columns are: {columns}")


def _with_integer_counts(table: pa.Table) -> pa.Table:
    """The table with counts as integers. Measurements are floats."""
    import pyarrow as pa
    import pyarrow.compute as pc

    for at, name in enumerate(table.column_names):
        column = table[name]
        if pa.types.is_floating(column.type) and not _unit(name) and pc.all(pc.equal(column, pc.floor(column))).as_py():
            table = table.set_column(at, name, column.cast(pa.int64()))
    return table


def _chosen_columns(table: pa.Table, columns: str | None, labels: Iterable[str], *, everything: bool) -> list[str]:
    """The columns to write: those of --columns, all with `everything`, else the default ones that have values."""
    names = table.column_names
    if columns and columns != "all":
        chosen = [_find_column("--columns", name, names) for name in _split_column_names("--columns", columns, names)]
        return list(dict.fromkeys(chosen))
    if columns == "all" or everything:
        return list(names)
    index = _DEFAULT_COLUMNS.index("framework") + 1
    chosen = [*_DEFAULT_COLUMNS[:index], *_differing_labels(table, labels), *_DEFAULT_COLUMNS[index:]]
    return [name for name in chosen if name in names and table[name].null_count < len(table)]


def _differing_labels(table: pa.Table, labels: Iterable[str]) -> list[str]:
    """Labels in which these runs differ, without the default columns; at most `_MOST_OTHER_LABELS`.

    Labels from structure come first.
    """
    import pyarrow.compute as pc

    from wrkparse.analysis.runs.labels.key_words import LOAD_LABELS
    from wrkparse.context.nearby.evidence import EVIDENCE_KEYS
    from wrkparse.context.structure.factors.factor_labels import FACTOR_KEYS

    own = [
        key
        for key in labels
        if key not in {*_DEFAULT_COLUMNS, *_HIDDEN_LABELS, *EVIDENCE_KEYS} and not key.startswith(_OPTION_PREFIXES)
    ]
    # A load label that a tool does not print is unknown, so a missing value is not a difference.
    modes = {key: "only_valid" if key in LOAD_LABELS else "all" for key in own}
    varying = [key for key in own if pc.count_distinct(table[key], mode=modes[key]).as_py() > 1]
    return sorted(varying, key=lambda key: (not key.startswith(FACTOR_KEYS), key))[:_MOST_OTHER_LABELS]


def _runs_text(table: pa.Table, matching: int, labels: Collection[str], *, narrow: bool) -> str:
    """The runs as aligned columns, with their number below.

    If they do not fit the terminal and `narrow` is given, labels that all runs share are below the table, and long
    names are wrapped. If that is not enough, the last columns are left out.
    """
    if not len(table):
        return "no runs"
    columns = [_column_of(table, name) for name in table.column_names]
    limit = (terminal_width() if narrow else None) or 10**6  # without a terminal, no limit
    shared, dropped = list[_PrintedColumn](), list[str]()
    text = _aligned_text(columns)
    if _text_width(text) > limit:
        shared = [column for column in columns if column.is_shared and column.name in {"tool", *labels}]
        columns = [column.wrapped(max(_MIN_NAME_WIDTH, limit // 5)) for column in columns if column not in shared]
        text = _narrow_text(columns)
        while len(columns) > 2 and _text_width(text) > limit:
            dropped.insert(0, columns.pop().title)
            text = _narrow_text(columns)
    of_all = f"{len(table):,} of " if len(table) < matching else ""
    notes = [f"{of_all}{matching:,} run{'' if matching == 1 else 's'}"]
    notes += ["all: " + ", ".join(f"{column.name}={column.cells[0]}" for column in shared)] if shared else []
    notes += [f"no room for {', '.join(dropped)} (--columns)"] if dropped else []
    return "\n".join([text, *textwrap.wrap(printable("; ".join(notes)), limit, subsequent_indent="  ")])


class _PrintedColumn(NamedTuple):
    """A column of the printed table."""

    name: str
    title: str
    cells: list[str]
    right: bool

    @property
    def is_shared(self) -> bool:
        """Whether there are several runs, and all have the same value."""
        return len(self.cells) > 1 and len(set(self.cells)) == 1

    def wrapped(self, most: int) -> _PrintedColumn:
        """The column with names wrapped at `most` characters. Text that all names share is cut first."""
        if self.right:
            return self
        cut = cut_where_equal(self.cells, most)
        return self._replace(cells=["\n".join(_wrap_name(cell, most)) for cell in cut])


def _column_of(table: pa.Table, name: str) -> _PrintedColumn:
    cells = [printable(_cell_text(name, value)) for value in table[name].to_pylist()]
    return _PrintedColumn(name, _column_header(name), cells, _unit(name) is not None or _is_numeric(table, name))


def _wrap_name(name: str, most: int) -> list[str]:
    """The lines of a name: wrapped after its signs, and within words only if these are too long."""
    lines = wrapped(name, most, "signs")
    return lines if max(map(len, lines)) <= most else wrapped(name, most, "anywhere")


def _aligned_text(columns: Sequence[_PrintedColumn]) -> str:
    """The columns with a line for each run, and a line below the headers."""
    rows = list(zip(*(column.cells for column in columns), strict=True))
    return grid([column.title for column in columns], rows, right=_right_aligned(columns))


def _narrow_text(columns: Sequence[_PrintedColumn]) -> str:
    """The columns two blanks apart. A row has several lines if a name is wrapped."""
    lines: list[Sequence[str]] = [[column.title for column in columns]]
    for row in zip(*(column.cells for column in columns), strict=True):
        lines += itertools.zip_longest(*(cell.split("\n") for cell in row), fillvalue="")
    return "\n".join(line.rstrip() for line in grid((), lines, right=_right_aligned(columns)).splitlines())


def _right_aligned(columns: Sequence[_PrintedColumn]) -> list[int]:
    """The indices of the columns that are aligned at the right."""
    return [index for index, column in enumerate(columns) if column.right]


def _text_width(text: str) -> int:
    return max(map(len, text.splitlines()))


def _is_numeric(table: pa.Table, name: str) -> bool:
    import pyarrow as pa

    kind = table.schema.field(name).type
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


def _column_header(name: str) -> str:
    from wrkparse.dataset.aliases import SHOWN

    plain = _name_without_unit(name)
    return SHOWN.get(plain, plain)


def _name_without_unit(name: str) -> str:
    """The name of a column without its unit."""
    return next((name.removesuffix(suffix) for suffix, _ in _UNIT_OF_SUFFIX if name.endswith(suffix)), name)


def _unit(name: str) -> str | None:
    return next((unit for suffix, unit in _UNIT_OF_SUFFIX if name.endswith(suffix)), None)


def _cell_text(name: str, value: object) -> str:
    from wrkparse.tools.schema import LABEL_KINDS

    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) or (isinstance(value, int) and name not in LABEL_KINDS and name != "line"):
        return quantity(value, _unit(name) or "1")
    return str(value)[:_RUN_CHARACTERS] if name == "run" else str(value)

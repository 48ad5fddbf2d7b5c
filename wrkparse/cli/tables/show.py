"""``wrkparse show``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from wrkparse.analysis.shown.grids import grid
from wrkparse.analysis.shown.numbers import quantity
from wrkparse.cli.shared.completion import complete_runs
from wrkparse.cli.shared.exits import fail
from wrkparse.cli.shared.stores import StoreOrLogs, open_data, store_option
from wrkparse.text.escape import printable

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset

_MOST_TEXT_LINES = 60  # of the report or trace; a trace may have millions
# Added to the number of events in a table that has a command.
_ANALYSIS_HINTS = {"gc_cycles": "; see `wrkparse gc`", "sched_ticks": "; see `wrkparse sched`"}


@click.command("show")
@click.argument("run", shell_complete=complete_runs)
@store_option
def command(run: str, store: StoreOrLogs) -> None:
    """Show everything about one RUN: its labels with their origins, its numbers, and its lines.

    RUN is the identifier that `wrkparse runs` shows, or its first characters.

    \b
    wrkparse show 3f2a91
    wrkparse show 3f2a --store bench.duckdb
    """
    with open_data(store) as dataset:
        row = _find_run(dataset, run)
        parts = [
            _head_text(row),
            _labels_table(dataset, row),
            _measurements_table(dataset, row),
            _event_counts(dataset, row),
            _lines_text(dataset, row),
        ]
    click.echo("\n\n".join(part for part in parts if part))


def _find_run(dataset: Dataset, prefix: str) -> dict[str, Any]:
    """The row of the run whose identifier begins with `prefix`. If there is not exactly one, the command ends."""
    found = [row for row in dataset.arrow("runs").to_pylist() if row["run"].startswith(prefix)]
    if not found:
        fail(f"no run begins with {printable(prefix)!r}; `wrkparse runs` lists them")
    if len(found) > 1:
        names = ", ".join(row["run"] for row in found[:5])
        fail(f"{len(found)} runs begin with {printable(prefix)!r}: {names} …; give more characters")
    return dict(found[0])


def _rows_of_run(dataset: Dataset, table: str, row: dict[str, Any]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = dataset.rows_of(table, row["run"]).to_pylist()
    return rows


def _head_text(row: dict[str, Any]) -> str:
    title = " ".join(filter(None, (row["tool"], row["tool_version"], f"({row['dialect']})" if row["dialect"] else "")))
    lines = [f"{row['run']}  {title}", f"{row['source']}:{row['line']}-{row['line_end']}"]
    lines += [f"under {row['section']}"] if row["section"] else []
    lines += [f"$ {row['command']}"] if row["command"] else []
    lines += [f"audit: {': '.join(filter(None, (row['verdict'], row['invalid_reason'])))}"] if row["verdict"] else []
    return printable("\n".join(lines))


def _labels_table(dataset: Dataset, row: dict[str, Any]) -> str:
    cells = [
        [
            label["key"],
            label["value"],
            label["origin"] + _line_text(label),
            "overruled" if label["overruled"] else "",
        ]
        for label in _rows_of_run(dataset, "labels", row)
    ]
    return grid(["label", "value", "origin", ""], cells) if cells else ""


def _line_text(label: dict[str, Any]) -> str:
    """The line of a label, or the file and row of an index that gives it; empty if it does not come from a line."""
    if label["origin"] == "index":
        return f", {printable(label['text'])}"
    return "" if label["line"] is None else f", line {label['line']}"


def _measurements_table(dataset: Dataset, row: dict[str, Any]) -> str:
    cells = [
        [
            number["metric"],
            number["stat"],
            quantity(number["value"], number["unit"]) or "nan",
            "" if number["value"] is None else f"{number['value']:.12g}",
            f"{number['resolution']:.3g}" if number["resolution"] else "",
            number["unit"],
            str(number["line"]),
        ]
        for number in _rows_of_run(dataset, "measurements", row)
    ]
    header = ["metric", "stat", "", "value", "±", "unit", "line"]
    return grid(header, cells, right=(2, 3, 4, 6)) if cells else ""


def _event_counts(dataset: Dataset, row: dict[str, Any]) -> str:
    found = {name: dataset.count(name, row["run"]) for name in dataset.event_tables()}
    return "\n".join(
        f"{count:,} row{'' if count == 1 else 's'} in the table {name}{_ANALYSIS_HINTS.get(name, '')}"
        for name, count in found.items()
        if count
    )


def _lines_text(dataset: Dataset, row: dict[str, Any]) -> str:
    lines = _rows_of_run(dataset, "texts", row)
    shown = [f"{line['line']:6}  {printable(line['text'])}" for line in lines[:_MOST_TEXT_LINES]]
    if len(lines) > _MOST_TEXT_LINES:
        shown.append(f"        … {len(lines) - _MOST_TEXT_LINES} more lines, up to line {row['line_end']}")
    elif lines and lines[-1]["line"] < row["line_end"]:
        shown.append(f"        … and so on, up to line {row['line_end']}")
    return "\n".join(shown)

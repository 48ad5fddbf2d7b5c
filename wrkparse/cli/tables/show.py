"""``wrkparse show``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from wrkparse.analysis.shown.grids import grid
from wrkparse.analysis.shown.numbers import quantity
from wrkparse.cli.shared.completion import complete_runs
from wrkparse.cli.shared.exits import fail
from wrkparse.cli.shared.stores import Data, opened, store_option
from wrkparse.text.escape import printable

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset

_MOST_LINES = 60
_ANALYSES = {"gc_cycles": "; see `wrkparse gc`", "sched_ticks": "; see `wrkparse sched`"}


@click.command("show")
@click.argument("run", shell_complete=complete_runs)
@store_option
def command(run: str, store: Data) -> None:
    """Show everything about one RUN: its labels with their origins, its numbers, and its lines.

    RUN is the identifier that `wrkparse runs` shows, or its first characters.

    \b
    wrkparse show 3f2a91
    wrkparse show 3f2a --store bench.duckdb
    """
    with opened(store) as dataset:
        row = _find(dataset, run)
        parts = [_head(row), _labels(dataset, row), _numbers(dataset, row), _events(dataset, row), _text(dataset, row)]
    click.echo("\n\n".join(part for part in parts if part))


def _find(dataset: Dataset, prefix: str) -> dict[str, Any]:
    found = [row for row in dataset.arrow("runs").to_pylist() if row["run"].startswith(prefix)]
    if not found:
        fail(f"no run begins with {printable(prefix)!r}; `wrkparse runs` lists them")
    if len(found) > 1:
        names = ", ".join(row["run"] for row in found[:5])
        fail(f"{len(found)} runs begin with {printable(prefix)!r}: {names} …; give more characters")
    return dict(found[0])


def _of_run(dataset: Dataset, table: str, row: dict[str, Any]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = dataset.rows_of(table, row["run"]).to_pylist()
    return rows


def _head(row: dict[str, Any]) -> str:
    title = " ".join(filter(None, (row["tool"], row["tool_version"], f"({row['dialect']})" if row["dialect"] else "")))
    lines = [f"{row['run']}  {title}", f"{row['source']}:{row['line']}-{row['line_end']}"]
    lines += [f"under {row['section']}"] if row["section"] else []
    lines += [f"$ {row['command']}"] if row["command"] else []
    lines += [f"audit: {': '.join(filter(None, (row['verdict'], row['invalid_reason'])))}"] if row["verdict"] else []
    return printable("\n".join(lines))


def _labels(dataset: Dataset, row: dict[str, Any]) -> str:
    cells = [
        [
            label["key"],
            label["value"],
            label["origin"] + _place_of(label),
            "overruled" if label["overruled"] else "",
        ]
        for label in _of_run(dataset, "labels", row)
    ]
    return grid(["label", "value", "origin", ""], cells) if cells else ""


def _place_of(label: dict[str, Any]) -> str:
    """Where a label stands: its line, or the row of an index with its file."""
    if label["origin"] == "index":
        return f", {printable(label['text'])}"
    return "" if label["line"] is None else f", line {label['line']}"


def _numbers(dataset: Dataset, row: dict[str, Any]) -> str:
    cells = [
        [
            number["metric"],
            number["stat"],
            quantity(number["value"], number["unit"]) or "nan",
            "" if number["value"] is None else f"{number['value']:.12g}",
            f"{number['resolution']:.3g}" if number["resolution"] else "",
            number["unit"].removeprefix("1/") if number["unit"] == "1" else number["unit"],
            str(number["line"]),
        ]
        for number in _of_run(dataset, "measurements", row)
    ]
    header = ["metric", "stat", "", "value", "±", "unit", "line"]
    return grid(header, cells, right=(2, 3, 4, 6)) if cells else ""


def _events(dataset: Dataset, row: dict[str, Any]) -> str:
    found = {name: dataset.count(name, row["run"]) for name in dataset.event_tables()}
    return "\n".join(
        f"{count:,} row{'' if count == 1 else 's'} in the table {name}{_ANALYSES.get(name, '')}"
        for name, count in found.items()
        if count
    )


def _text(dataset: Dataset, row: dict[str, Any]) -> str:
    lines = _of_run(dataset, "texts", row)
    shown = [f"{line['line']:6}  {printable(line['text'])}" for line in lines[:_MOST_LINES]]
    if len(lines) > _MOST_LINES:
        shown.append(f"        … {len(lines) - _MOST_LINES} more lines, up to line {row['line_end']}")
    elif lines and lines[-1]["line"] < row["line_end"]:
        shown.append(f"        … and so on, up to line {row['line_end']}")
    return "\n".join(shown)

"""``wrkparse reproduce``."""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wrkparse.analysis.shown.grids import grid
from wrkparse.analysis.shown.screen import terminal_width
from wrkparse.analysis.shown.side_by_side import missing, records
from wrkparse.cli.shared.completion import complete_labels, complete_metrics, complete_studies
from wrkparse.cli.shared.conditions import condition_option
from wrkparse.cli.shared.exits import UNREADABLE, fail
from wrkparse.cli.shared.printing.output import format_options, write_table
from wrkparse.cli.shared.stores import DEFAULT_STORE, STORE, Location, open_data, take_store
from wrkparse.text.escape import printable

if TYPE_CHECKING:
    import pandas as pd

    from wrkparse.analysis.publications.result import ReproduceResult
    from wrkparse.dataset import Dataset

_LABEL_KEY = re.compile(r"\b[A-Za-z_]\w*=")  # left out in tables: framework=nginx is shown as nginx
_MOST_LISTED = 20  # cells of one verdict, so that the list fits a screen; cells that differ are all listed
# The names of the rules of rounding. A published number follows from the raw number by one of them.
_ROUNDING_WORDS = {"exact": "as printed by the tool", "floor": "cut off", "round": "rounded", "ceil": "rounded up"}
_CLAIMS_LEGEND = (
    "A claim holds if every pair of runs has the claimed ratio, and does not hold if no pair has it; mostly: three "
    "quarters of the pairs at least; mostly not: a quarter at most; partly: between. N means within the tolerance of "
    "N; > N and < N mean beyond N by more than the tolerance. Said by page: the published document makes the claim; "
    "by us: the author of wrkparse.yaml does."
)
_SINGLE_RUN_NOTE = "If a side has one run, its ratio is a single observation, and the verdict can't account for chance."


@click.command("reproduce")
@click.argument("study", nargs=-1, metavar="[STUDY]… [STORE]", shell_complete=complete_studies)
@click.option("-s", "--store", type=STORE, help=f"Default: {DEFAULT_STORE}.")
@click.option(
    "--from",
    "page",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Check the pipe tables of a Markdown page against the runs on the page, or in --store.",
)
@click.option(
    "-r", "--rows", metavar="A,B,…", shell_complete=complete_labels, help="With --from: labels in the first columns."
)
@click.option(
    "-c", "--columns", metavar="A,B,…", shell_complete=complete_labels, help="With --from: labels in the headings."
)
@click.option("-m", "--metric", shell_complete=complete_metrics, help="With --from: the metric that the tables show.")
@condition_option("Use only raw runs that match an SQL condition.")
@click.option(
    "-t",
    "--table",
    type=click.Choice(("cells", "claims", "pairs")),
    default="cells",
    help="Table for CSV, JSON, Markdown and Parquet.",
)
@format_options
def command(
    study: tuple[str, ...],
    store: Location | None,
    page: Path | None,
    rows: str | None,
    columns: str | None,
    metric: str | None,
    where: str | None,
    table: str,
    form: str | None,
    output: Path | None,
) -> None:
    """Check published tables, cell by cell, and claims against the raw runs.

    The wrkparse.yaml of a study lists its tables and claims. Without STUDY, all studies are checked. --from takes the
    tables from a Markdown page. The exit code is 1 if a cell differs, and 3 if there is nothing to check or a table
    can't be read.

    \b
    wrkparse reproduce
    wrkparse reproduce nuster-nginx-varnish --format csv
    wrkparse reproduce --from README.md --metric latency_p99
    """
    import pyarrow as pa

    study, store = take_store(study, store)
    if page is None and (rows or columns or metric):
        raise click.UsageError("--rows, --columns and --metric need --from; for a study, wrkparse.yaml has them")
    if page is not None and study:
        raise click.UsageError("give either studies or a page with --from")
    result = (
        _check_studies(store, study, where) if page is None else _check_page(page, store, rows, columns, metric, where)
    )
    for problem in result.problems:
        click.echo(f"wrkparse: {printable(problem)}", err=True)
    if not len(result.cells) and not len(result.claims):
        for note in result.notes:
            click.echo(printable(note), err=True)
        fail("nothing to reproduce: no published tables and no claims")
    shown = pa.Table.from_pandas(getattr(result, table), preserve_index=False)
    write_table(shown, form, output, schema=f"reproduce.{table}", text=lambda: _result_text(result))
    # A cell that differs outweighs a table that could not be read.
    if (result.cells["verdict"] == "differs").any():
        sys.exit(1)
    if result.problems:
        sys.exit(UNREADABLE)


def _check_studies(store: Location | None, study: tuple[str, ...], where: str | None) -> ReproduceResult:
    """Check the tables and claims of studies, as their wrkparse.yaml lists them."""
    from wrkparse.analysis.publications.reproduce import reproduce

    with open_data(store or DEFAULT_STORE) as dataset:
        return reproduce(dataset, study=study or None, where=where)


def _check_page(
    page: Path, store: Location | None, rows: str | None, columns: str | None, metric: str | None, where: str | None
) -> ReproduceResult:
    """Check the tables of a Markdown page against the runs on the page; against the store if the page has none."""
    from wrkparse.ingest.ingest import read

    text = page.read_text("utf-8-sig", errors="replace")
    options = text, str(page), _split_names(rows), _split_names(columns), metric, where
    # A page with runs is its own source. So is one without, if there is no default store to ask.
    own = None if store else read(str(page))
    if own is not None and (own.count("runs") or not DEFAULT_STORE.exists()):
        return _check_document(own, *options)
    with open_data(store or DEFAULT_STORE) as dataset:
        return _check_document(dataset, *options)


def _check_document(
    dataset: Dataset,
    text: str,
    name: str,
    rows: Sequence[str],
    columns: Sequence[str],
    metric: str | None,
    where: str | None,
) -> ReproduceResult:
    """Check the tables of a Markdown page against the runs of a dataset; an error ends the command with a message."""
    from wrkparse.analysis.publications.document import reproduce_document
    from wrkparse.analysis.runs.selection import TooLittleError
    from wrkparse.dataset import QueryError

    try:
        return reproduce_document(dataset, text, name, rows=rows, columns=columns, metric=metric, where=where)
    except TooLittleError as problem:
        fail(str(problem))
    except QueryError as problem:
        raise click.UsageError(printable(str(problem))) from None


def _split_names(text: str | None) -> list[str]:
    return [part.strip() for part in (text or "").split(",") if part.strip()]


def _result_text(result: ReproduceResult) -> str:
    room = terminal_width() or 100
    tables = result.cells.groupby(["study", "table", "title", "metric"], sort=False)
    parts = [_table_text(cells, room) for _, cells in tables]
    parts += [
        part for part in (_failing_cells_text(result.cells, room), _explained_cells_text(result.cells, room)) if part
    ]
    if result.notes:
        parts.append(_titled_list("assumptions:", result.notes, room))
    if len(result.claims):
        parts.append(_claims_text(result.claims, room))
    if len(parts) > 1 and len(result.cells):
        parts.append(f"{_verdict_counts(result.cells)} in {len(tables)} table{'' if len(tables) == 1 else 's'}")
    return "\n\n".join(parts)


def _table_text(cells: pd.DataFrame, room: int) -> str:
    """A published table: its verdicts by row and column, and how many cells follow from the raw runs."""
    first = records(cells)[0]
    title = ": ".join(filter(None, (first["study"], first["table"], first["title"])))
    lines = textwrap.wrap(printable(f"{title} ({first['metric']})"), room)
    columns = list(dict.fromkeys(cells["column"]))
    by_row: dict[tuple[int, str], dict[str, str]] = {}
    for at, row, column, verdict in cells[["at", "row", "column", "verdict"]].itertuples(index=False):
        by_row.setdefault((at, row), {})[column] = verdict
    for block in _verdict_grids(columns, by_row, room):
        lines += ["", block]
    return "\n".join([*lines, "", f"{_verdict_counts(cells)}{_rounding_text(cells)}"])


def _verdict_grids(columns: list[str], by_row: dict[tuple[int, str], dict[str, str]], room: int) -> Iterator[str]:
    """The verdicts as grids of at most `room` columns of text; each has as many columns of the table as fit."""
    while columns:
        # From all columns down to one: the first number of columns that fits.
        for shown in range(len(columns), 0, -1):
            head = ["", *(_label_values(column) for column in columns[:shown])]
            body = [
                [_label_values(row), *(verdicts.get(column, "") for column in columns[:shown])]
                for (_, row), verdicts in by_row.items()
            ]
            block = grid(head, body)
            if shown == 1 or max(map(len, block.splitlines())) <= room:
                break
        yield block
        columns = columns[shown:]


def _label_values(labels: str) -> str:
    """The values without their keys, at most 40 characters: a wider column leaves no room for the others."""
    text = _LABEL_KEY.sub("", labels).replace(", ", " ")
    return text if len(text) <= 40 else text[:39] + "…"


def _verdict_counts(cells: pd.DataFrame) -> str:
    """``10 of 12 cells follow; 2 differs``."""
    count = cells["verdict"].value_counts()
    printed = len(cells) - count.get("not printed", 0)
    follow = count.get("follows", 0) + count.get("explained", 0)
    parts = [f"{count[name]:,} {name}" for name in _MOST_LISTED_OF if count.get(name, 0)]
    return "; ".join([f"{follow:,} of {printed:,} cells follow", *parts])


def _rounding_text(cells: pd.DataFrame) -> str:
    """How the numbers that follow are rounded, and how many cells with words are explained."""
    follow = cells[cells["verdict"] == "follows"]
    sets = [set(rule.split()) for rule in follow["rule"]]
    # All ways by which each number follows, such as "cut off or rounded". An exact number follows by any.
    ways = [
        _ROUNDING_WORDS[rule]
        for rule in _ROUNDING_WORDS
        if sets and all(rule in rules or "exact" in rules for rules in sets)
    ]
    words = int((cells["verdict"] == "explained").sum())
    numbers = f"{len(follow):,} number{'' if len(follow) == 1 else 's'}"
    parts = [f"{numbers}, all {' or '.join(ways)}" if ways else numbers]
    if words:
        parts.append(f"{words:,} word{'' if words == 1 else 's'} explained")
    return f" ({'; '.join(parts)})" if sets or words else ""


# For each verdict of cells that do not follow, how many of them are listed; None: all.
_MOST_LISTED_OF = {
    "differs": None,
    "several raw runs": _MOST_LISTED,
    "no raw run": _MOST_LISTED,
    "unexplained": _MOST_LISTED,
}


def _failing_cells_text(cells: pd.DataFrame, room: int) -> str:
    parts = []
    for verdict, most in _MOST_LISTED_OF.items():
        rows = records(cells[cells["verdict"] == verdict])
        shown = [_cell_line(row) for row in rows[:most]]
        if len(rows) > len(shown):
            shown.append(f"… and {len(rows) - len(shown):,} more (--format csv has them)")
        if shown:
            parts.append(_titled_list(f"{verdict}:", shown, room))
    return "\n\n".join(parts)


def _explained_cells_text(cells: pd.DataFrame, room: int) -> str:
    rows = records(cells[cells["verdict"] == "explained"])
    more = [f"… and {len(rows) - _MOST_LISTED:,} more (--format csv has them)"] if len(rows) > _MOST_LISTED else []
    return _titled_list("explained:", [*map(_cell_line, rows[:_MOST_LISTED]), *more], room) if rows else ""


def _cell_line(row: dict[str, Any]) -> str:
    """A cell as a line: its place, the printed value, and the value, source and line of the raw run."""
    where = f"{row['table']}:{row['at']}: {row['row']}; {row['column']}: {row['printed']}"
    raw = ""
    if not missing(row["value"]):
        off = "" if missing(row["difference"]) else f" ({100 * row['difference']:+.3g} %)"
        raw = f", raw {row['value']:.10g}{off}"
    place = "" if missing(row["source"]) else f" at {row['source']}:{row['line']}"
    return f"{where}{raw}{place}{'. ' + row['explanation'] if row['explanation'] else ''}"


def _titled_list(title: str, lines: Sequence[str], room: int) -> str:
    return "\n".join([title, *(_wrap_line(printable(line), room) for line in lines)])


def _wrap_line(line: str, room: int) -> str:
    """A line wrapped with an indent. A percent sign is in the line of its number."""
    # A sign that no text has takes the place of the blank while lines are broken at blanks.
    joined = line.replace(" %", "\x00%")
    filled = textwrap.fill(
        joined, room, initial_indent="  ", subsequent_indent="      ", break_long_words=False, break_on_hyphens=False
    )
    return filled.replace("\x00", " ")


def _claims_text(claims: pd.DataFrame, room: int) -> str:
    parts = []
    for study, rows in claims.groupby("study", sort=False):
        parts.append(
            _titled_list(f"{printable(str(study))}: claims", [_claim_line(row) for row in records(rows)], room)
        )
    notes = [_CLAIMS_LEGEND, _SINGLE_RUN_NOTE] if (claims["fewest_runs"] == 1).any() else [_CLAIMS_LEGEND]
    return "\n\n".join([*parts, *(textwrap.fill(line, room) for line in notes)])


def _claim_line(row: dict[str, Any]) -> str:
    note = f" ({row['note']})" if row["note"] else ""
    if not row["pairs"]:
        return f"{row['verdict']}: {row['claim']}; said by {row['said_by']}: {row['says']}{note}"
    ratios = f"{row['minimum']:.2f}"
    if row["pairs"] > 1:
        ratios = f"{ratios} to {row['maximum']:.2f}, median {row['median']:.2f}"
    share = f" ({row['held']} of {row['pairs']})" if 0 < row["held"] < row["pairs"] else ""
    pairs = f"{row['pairs']} pair{'' if row['pairs'] == 1 else 's'}"
    tolerance = f"tolerance {100 * row['tolerance']:g} %"
    statement = f"said by {row['said_by']}: {row['says']}, {tolerance}"
    return f"{row['verdict']}{share}: {row['claim']}: {row['metric']} {ratios} in {pairs}; {statement}{note}"

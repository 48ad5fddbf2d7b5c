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
from wrkparse.analysis.shown.screen import width
from wrkparse.analysis.shown.side_by_side import missing, records
from wrkparse.cli.shared.completion import complete_labels, complete_metrics, complete_studies
from wrkparse.cli.shared.conditions import condition_option
from wrkparse.cli.shared.exits import UNREADABLE, fail
from wrkparse.cli.shared.printing.output import format_options, write
from wrkparse.cli.shared.stores import DEFAULT_STORE, STORE, Place, opened, split_store
from wrkparse.text.escape import printable

if TYPE_CHECKING:
    import pandas as pd

    from wrkparse.analysis.publications.result import ReproduceResult
    from wrkparse.dataset import Dataset

_KEY = re.compile(r"\b[A-Za-z_]\w*=")
_MOST = 20  # cells of one verdict that are listed, except that all differing cells are
_WAYS = {"exact": "as printed by the tool", "floor": "cut off", "round": "rounded", "ceil": "rounded up"}
_RULE = (
    "A claim holds if every pair of runs has the claimed ratio, and does not hold if no pair has it; mostly: three "
    "quarters of the pairs at least; mostly not: a quarter at most; partly: between. N means within the tolerance of "
    "N; > N and < N mean beyond N by more than the tolerance. Said by page: the published document makes the claim; "
    "by us: the author of wrkparse.yaml does."
)
_SINGLE = "Where a side has one run, its ratio is a single observation, and the verdict can't account for chance."


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
    store: Place | None,
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

    study, store = split_store(study, store)
    if page is None and (rows or columns or metric):
        raise click.UsageError("--rows, --columns and --metric need --from; for a study, wrkparse.yaml has them")
    if page is not None and study:
        raise click.UsageError("give either studies or a page with --from")
    found = _studies(store, study, where) if page is None else _page(page, store, rows, columns, metric, where)
    for problem in found.problems:
        click.echo(f"wrkparse: {printable(problem)}", err=True)
    if not len(found.cells) and not len(found.claims):
        for note in found.notes:
            click.echo(printable(note), err=True)
        fail("nothing to reproduce: no published tables and no claims")
    shown = pa.Table.from_pandas(getattr(found, table), preserve_index=False)
    write(shown, form, output, schema=f"reproduce.{table}", text=lambda: _text(found))
    if (found.cells["verdict"] == "differs").any():
        sys.exit(1)
    if found.problems:
        sys.exit(UNREADABLE)


def _studies(store: Place | None, study: tuple[str, ...], where: str | None) -> ReproduceResult:
    from wrkparse.analysis.publications.reproduce import reproduce

    with opened(store or DEFAULT_STORE) as dataset:
        return reproduce(dataset, study=study or None, where=where)


def _page(
    page: Path, store: Place | None, rows: str | None, columns: str | None, metric: str | None, where: str | None
) -> ReproduceResult:
    from wrkparse.ingest.ingest import read

    text = page.read_text("utf-8-sig", errors="replace")
    options = text, str(page), _listed(rows), _listed(columns), metric, where
    own = None if store else read(str(page))
    if own is not None and (own.count("runs") or not DEFAULT_STORE.exists()):
        return _document(own, *options)
    with opened(store or DEFAULT_STORE) as dataset:
        return _document(dataset, *options)


def _document(
    dataset: Dataset,
    text: str,
    name: str,
    rows: Sequence[str],
    columns: Sequence[str],
    metric: str | None,
    where: str | None,
) -> ReproduceResult:
    from wrkparse.analysis.publications.document import reproduce_document
    from wrkparse.analysis.runs.selection import TooLittleError
    from wrkparse.dataset import QueryError

    try:
        return reproduce_document(dataset, text, name, rows=rows, columns=columns, metric=metric, where=where)
    except TooLittleError as problem:
        fail(str(problem))
    except QueryError as problem:
        raise click.UsageError(printable(str(problem))) from None


def _listed(text: str | None) -> list[str]:
    return [part.strip() for part in (text or "").split(",") if part.strip()]


def _text(found: ReproduceResult) -> str:
    room = width() or 100
    tables = found.cells.groupby(["study", "table", "title", "metric"], sort=False)
    parts = [_table(cells, room) for _, cells in tables]
    parts += [part for part in (_failing(found.cells, room), _explained(found.cells, room)) if part]
    if found.notes:
        parts.append(_lines("assumptions:", found.notes, room))
    if len(found.claims):
        parts.append(_claims(found.claims, room))
    if len(parts) > 1 and len(found.cells):
        parts.append(f"{_count(found.cells)} in {len(tables)} table{'' if len(tables) == 1 else 's'}")
    return "\n\n".join(parts)


def _table(cells: pd.DataFrame, room: int) -> str:
    """One table: verdicts by row and column, in blocks that fit, and how many cells follow from the raw runs."""
    first = records(cells)[0]
    title = ": ".join(filter(None, (first["study"], first["table"], first["title"])))
    lines = textwrap.wrap(printable(f"{title} ({first['metric']})"), room)
    columns = list(dict.fromkeys(cells["column"]))
    by_row: dict[tuple[int, str], dict[str, str]] = {}
    for at, row, column, verdict in cells[["at", "row", "column", "verdict"]].itertuples(index=False):
        by_row.setdefault((at, row), {})[column] = verdict
    for block in _blocks(columns, by_row, room):
        lines += ["", block]
    return "\n".join([*lines, "", f"{_count(cells)}{_ways(cells)}"])


def _blocks(columns: list[str], by_row: dict[tuple[int, str], dict[str, str]], room: int) -> Iterator[str]:
    while columns:
        for shown in range(len(columns), 0, -1):
            head = ["", *(_short(column) for column in columns[:shown])]
            body = [
                [_short(row), *(its.get(column, "") for column in columns[:shown])] for (_, row), its in by_row.items()
            ]
            block = grid(head, body)
            if shown == 1 or max(map(len, block.splitlines())) <= room:
                break
        yield block
        columns = columns[shown:]


def _short(labels: str) -> str:
    text = _KEY.sub("", labels).replace(", ", " ")
    return text if len(text) <= 40 else text[:39] + "…"


def _count(cells: pd.DataFrame) -> str:
    count = cells["verdict"].value_counts()
    printed = len(cells) - count.get("not printed", 0)
    follow = count.get("follows", 0) + count.get("explained", 0)
    parts = [f"{count[name]:,} {name}" for name in _LISTED if count.get(name, 0)]
    return "; ".join([f"{follow:,} of {printed:,} cells follow", *parts])


def _ways(cells: pd.DataFrame) -> str:
    """How the numbers are rounded, and how many words are explained."""
    follow = cells[cells["verdict"] == "follows"]
    sets = [set(rule.split()) for rule in follow["rule"]]
    ways = [_WAYS[rule] for rule in _WAYS if sets and all(rule in rules or "exact" in rules for rules in sets)]
    words = int((cells["verdict"] == "explained").sum())
    numbers = f"{len(follow):,} number{'' if len(follow) == 1 else 's'}"
    parts = [f"{numbers}, all {' or '.join(ways)}" if ways else numbers]
    if words:
        parts.append(f"{words:,} word{'' if words == 1 else 's'} explained")
    return f" ({'; '.join(parts)})" if sets or words else ""


_LISTED = {"differs": None, "several raw runs": _MOST, "no raw run": _MOST, "unexplained": _MOST}


def _failing(cells: pd.DataFrame, room: int) -> str:
    parts = []
    for verdict, most in _LISTED.items():
        rows = records(cells[cells["verdict"] == verdict])
        shown = [_cell(row) for row in rows[:most]]
        if len(rows) > len(shown):
            shown.append(f"… and {len(rows) - len(shown):,} more (--format csv has them)")
        if shown:
            parts.append(_lines(f"{verdict}:", shown, room))
    return "\n\n".join(parts)


def _explained(cells: pd.DataFrame, room: int) -> str:
    rows = records(cells[cells["verdict"] == "explained"])
    more = [f"… and {len(rows) - _MOST:,} more (--format csv has them)"] if len(rows) > _MOST else []
    return _lines("explained:", [*map(_cell, rows[:_MOST]), *more], room) if rows else ""


def _cell(row: dict[str, Any]) -> str:
    """A cell as a line: its place, the printed value, the value of the raw run, and the run's source and line."""
    where = f"{row['table']}:{row['at']}: {row['row']}; {row['column']}: {row['printed']}"
    raw = ""
    if not missing(row["value"]):
        off = "" if missing(row["difference"]) else f" ({100 * row['difference']:+.3g} %)"
        raw = f", raw {row['value']:.10g}{off}"
    place = "" if missing(row["source"]) else f" at {row['source']}:{row['line']}"
    return f"{where}{raw}{place}{'. ' + row['explanation'] if row['explanation'] else ''}"


def _lines(title: str, lines: Sequence[str], room: int) -> str:
    return "\n".join([title, *(_wrapped(printable(line), room) for line in lines)])


def _wrapped(line: str, room: int) -> str:
    """A line wrapped with an indent; a percent sign stays with its number."""
    joined = line.replace(" %", "\x00%")
    filled = textwrap.fill(
        joined, room, initial_indent="  ", subsequent_indent="      ", break_long_words=False, break_on_hyphens=False
    )
    return filled.replace("\x00", " ")


def _claims(claims: pd.DataFrame, room: int) -> str:
    parts = []
    for study, rows in claims.groupby("study", sort=False):
        parts.append(_lines(f"{printable(str(study))}: claims", [_claim(row) for row in records(rows)], room))
    said = [_RULE, _SINGLE] if (claims["fewest_runs"] == 1).any() else [_RULE]
    return "\n\n".join([*parts, *(textwrap.fill(line, room) for line in said)])


def _claim(row: dict[str, Any]) -> str:
    note = f" ({row['note']})" if row["note"] else ""
    if not row["pairs"]:
        return f"{row['verdict']}: {row['claim']}; said by {row['said_by']}: {row['says']}{note}"
    ratios = f"{row['minimum']:.2f}"
    if row["pairs"] > 1:
        ratios = f"{ratios} to {row['maximum']:.2f}, median {row['median']:.2f}"
    held = f" ({row['held']} of {row['pairs']})" if 0 < row["held"] < row["pairs"] else ""
    pairs = f"{row['pairs']} pair{'' if row['pairs'] == 1 else 's'}"
    tolerance = f"tolerance {100 * row['tolerance']:g} %"
    said = f"said by {row['said_by']}: {row['says']}, {tolerance}"
    return f"{row['verdict']}{held}: {row['claim']}: {row['metric']} {ratios} in {pairs}; {said}{note}"

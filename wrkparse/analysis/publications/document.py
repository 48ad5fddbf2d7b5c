"""The tables of a Markdown page, held against runs: what rows and columns stand for is guessed, and said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple
from urllib.parse import urlsplit

from wrkparse.analysis.comparison.cells import varying
from wrkparse.analysis.publications.heading_labels import NOT_LABELS, Labels, is_named, known_values, labels_of
from wrkparse.analysis.publications.markdown_tables import PipeTable, tables
from wrkparse.analysis.publications.printed_numbers import BARE
from wrkparse.analysis.publications.raw_runs import RawRun, choices, once, raw_runs
from wrkparse.analysis.publications.reproduce import PublishedCell, ReproduceResult, Sheet, candidates, joined, result
from wrkparse.analysis.publications.verdicts import UNEXPLAINED, Print, Verdict, judge
from wrkparse.analysis.runs.selection import TooLittleError, choose_metric
from wrkparse.dataset import Dataset

Runs = Sequence[RawRun] | None
_TELLING_DIGITS = 3


@dataclass(frozen=True, slots=True)
class Column:
    """The cells of a column that holds numbers, and whether its heading names labels."""

    heading: str
    labelled: bool
    cells: tuple[PublishedCell, ...]


def reproduce_document(
    dataset: Dataset,
    text: str,
    name: str,
    *,
    rows: Sequence[str] = (),
    columns: Sequence[str] = (),
    metric: str | None = None,
    where: str | None = None,
) -> ReproduceResult:
    """Hold the pipe tables of a page against the runs of a dataset for which `where` holds.

    `rows` are the label keys of the first columns, `columns` those that headings name; without them, both are guessed
    from the values that the runs have; the host and port of a run's URL count as labels too. Without `metric`, each
    number that the runs' reports state is tried, in several units, and the one is taken that gives the most cells of
    three digits and more: for all columns whose headings are labels, and for each of the others by itself. A label that
    still varies within cells is held at a value with which every number keeps the run that gives it. All of this is in
    `notes`. A table or column that no metric gives a number of is left out, with a note, but for the only one of a
    table whose `metric` is given.

    Raises TooLittleError without a table or without runs, QueryError for a key or a metric that is not there.
    """
    found = list(tables(text))
    runs = [_with_address(run) for run in once(raw_runs(dataset, where, [*rows, *columns]))]
    if not found or not runs:
        raise TooLittleError(f"{name}: {'no runs' if found else 'no pipe table'}")
    prints = [Print(choose_metric(dataset, metric))] if metric else [Print(choice) for choice in choices(dataset)]
    prints = [replace(how, suffix=suffix) for how in prints for suffix in BARE.get(how.choice.unit, ("",))]
    sheet, notes = Sheet(), list[str]()
    for table in found:
        groups = list(_groups(table, runs, rows, columns))
        # The only group of columns of a table whose metric is known holds that metric, right or wrong.
        how = _Given(metric is not None, alone=metric is not None and len(groups) == 1)
        said = [_judge(group, runs, prints, sheet, (name, table.heading), how) for group in groups]
        if not any(note.judged for note in said):
            said = [_Note("left out: no cell is a run's number")]
        notes += [f"{name}:{table.line}: {note.text}" for note in said]
    return result(sheet, [], [], notes, [])


class _Given(NamedTuple):
    metric: bool
    alone: bool


class _Note(NamedTuple):
    text: str
    judged: bool = False


def _groups(
    table: PipeTable, runs: Sequence[RawRun], rows: Sequence[str], columns: Sequence[str]
) -> Iterator[list[Column]]:
    """The columns that one metric has to explain: all those with labels, then each of the others."""
    known = known_values(runs)
    labels, others = _row_labels(table, known, rows)
    headings = [table.header[place] for place in others]
    of_columns = labels_of(headings, "", {key: known[key] for key in columns or known if key in known})
    made = [
        _column(table, place, its, labels)
        for place, its in zip(others, of_columns, strict=True)
        if _numeric(table, place)
    ]
    if any(column.labelled for column in made):
        yield [column for column in made if column.labelled]
    for column in made:
        if not column.labelled:
            yield [column]


def _row_labels(
    table: PipeTable, known: Mapping[str, set[str]], rows: Sequence[str]
) -> tuple[list[Labels | None], list[int]]:
    """The labels of each row, and the columns that do not hold them."""
    found: list[Labels | None] = [{} for _ in table.rows]
    others = []
    for place, name in enumerate(table.header):
        texts = [cells[place] for _, cells in table.rows]
        of_key = known if not rows else {rows[place]: known.get(rows[place], set())} if place < len(rows) else {}
        named = rows[place] if place < len(rows) else name
        labels = labels_of(texts, named, of_key) if of_key else [None] * len(texts)
        # A later column of bare numbers holds labels only if its heading says so.
        bare_numbers = place > 0 and not rows and not is_named(name) and all(text.isdecimal() for text in texts)
        if 2 * sum(its is not None for its in labels) >= max(1, len(texts)) and not bare_numbers:
            pairs = zip(found, labels, strict=True)
            found = [None if old is None or new is None else old | new for old, new in pairs]
        else:
            others.append(place)
    return found, others


def _numeric(table: PipeTable, place: int) -> bool:
    return any(any(map(str.isdigit, cells[place])) for _, cells in table.rows)


def _column(table: PipeTable, place: int, of_column: Labels | None, of_rows: list[Labels | None]) -> Column:
    cells = []
    for (line, texts), of_row in zip(table.rows, of_rows, strict=True):
        labels = None if of_row is None else of_row | (of_column or {})
        row = joined(of_row) if of_row else texts[0]
        heading = joined(of_column) if of_column else table.header[place]
        cells.append(PublishedCell(texts[place], line, row, heading, labels or None))
    return Column(table.header[place], of_column is not None, tuple(cells))


def _judge(
    group: list[Column], runs: list[RawRun], prints: list[Print], sheet: Sheet, place: tuple[str, str], given: _Given
) -> _Note:
    """Judge the cells of some columns by the metric that gives the most of them; what was assumed."""
    cells = [cell for column in group for cell in column.cells]
    of_cells: list[Runs] = [candidates(cell, runs) for cell in cells]
    evidence = [pair for pair in zip(cells, of_cells, strict=True) if given.metric or _telling(pair[0].text)]
    scores = [sum(_gives(*pair, how) for pair in evidence) for how in prints]
    how = prints[scores.index(max(scores))]
    of = "" if len(group) > 1 else f"column {group[0].heading!r}: "
    if not max(scores) and not (given.alone and any(of_cells)):
        return _Note(f"{of}left out: no metric gives a number of it")
    count = sum(_gives(*pair, how) for pair in zip(cells, of_cells, strict=True))
    numbers = sum(how.read(cell.text) is not None for cell in cells)
    said = f"{how.choice.name}{f' in {how.suffix}' if how.suffix else ''}, which gives {count} of {numbers} numbers"
    held: Labels = {}
    if given.metric or 2 * count >= numbers:
        held, of_cells = _narrowed(cells, of_cells, how)
        verdicts = [judge(cell.text, its, runs, how) for cell, its in zip(cells, of_cells, strict=True)]
    else:
        said = f"no metric gives half of it; the best is {said}"
        verdicts = [Verdict(UNEXPLAINED, "no metric of the runs gives half of the numbers here")] * len(cells)
    for cell, found in zip(cells, verdicts, strict=True):
        sheet.add("", *place, cell, how, found)
    return _Note(f"{of}{said}{f'; assumed: {joined(held)}' if held else ''}", judged=True)


def _telling(text: str) -> bool:
    """Whether a number has digits enough that no metric gives it by chance."""
    return sum(map(str.isdigit, text.lstrip("0.*"))) >= _TELLING_DIGITS


def _gives(cell: PublishedCell, runs: Runs, how: Print) -> bool:
    printed = how.read(cell.text) if runs else None
    return printed is not None and any(
        (stated := how.stated(run)) is not None and how.follows(printed, stated.value) is not None for run in runs or ()
    )


def _narrowed(cells: list[PublishedCell], of_cells: list[Runs], how: Print) -> tuple[Labels, list[Runs]]:
    """Hold labels that vary within cells at one value each, as long as no number loses the run that gives it."""
    held: Labels = {}
    given = [_gives(cell, runs, how) for cell, runs in zip(cells, of_cells, strict=True)]
    while True:
        options = []
        for key, value in _varying(of_cells):
            kept: list[Runs] = [
                None if runs is None else [run for run in runs if run.labels.get(key) == value] for runs in of_cells
            ]
            pairs = zip(given, cells, kept, strict=True)
            if all(_gives(cell, runs, how) for was, cell, runs in pairs if was):
                options.append((sum(len(runs or ()) for runs in kept), key, value, kept))
        if not options:
            return held, of_cells
        _, key, value, of_cells = min(options, key=lambda option: option[:3])
        held[key] = value


def _varying(of_cells: Sequence[Runs]) -> list[tuple[str, str]]:
    """The labels that differ between runs of one cell, with all values that runs of any cell have."""
    keys = dict.fromkeys(key for runs in of_cells if runs for key in varying(run.labels for run in runs))
    every = [run for runs in of_cells for run in runs or ()]
    values = {key: {run.labels.get(key) for run in every} - {None} for key in keys if key not in NOT_LABELS}
    return [(key, value) for key, found in values.items() for value in sorted(filter(None, found))]


def _with_address(run: RawRun) -> RawRun:
    """The run with the host and port of its URL among its labels, which tell servers apart where nothing else does."""
    try:
        parts = urlsplit(run.labels.get("url") or "")
        port = parts.port
    except ValueError:
        return run
    address = {"host": parts.hostname, "port": None if port is None else str(port)}
    return replace(run, labels={**run.labels, **address})

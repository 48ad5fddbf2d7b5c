"""The tables of a Markdown page, checked against runs: the meaning of rows and columns is guessed, and stated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple
from urllib.parse import urlsplit

from wrkparse.analysis.publications.heading_labels import NOT_LABELS, Labels, guess_labels, known_values, names_a_label
from wrkparse.analysis.publications.markdown_tables import MarkdownTable, markdown_tables
from wrkparse.analysis.publications.printed_numbers import UNITS_OF_BARE_NUMBERS
from wrkparse.analysis.publications.raw_runs import RawRun, raw_runs, without_copies
from wrkparse.analysis.publications.result import JudgedCells, PublishedCell, ReproduceResult, labels_text, make_result
from wrkparse.analysis.publications.verdicts import UNEXPLAINED, PrintStyle, Verdict, judge_cell
from wrkparse.analysis.runs.labels.labels import varying_labels
from wrkparse.analysis.runs.metrics import choose_metric, stated_metrics
from wrkparse.analysis.runs.selection import TooLittleError
from wrkparse.dataset import Dataset
from wrkparse.dataset.aliases import label_names

MatchingRuns = Sequence[RawRun] | None
# Numbers with fewer digits do not count when the metric is guessed: among many runs, some number matches by chance.
_FEWEST_TELLING_DIGITS = 3


@dataclass(frozen=True, slots=True)
class NumberColumn:
    """The cells of a column that holds numbers, and whether labels were found in its heading."""

    heading: str
    labelled: bool
    cells: tuple[PublishedCell, ...]


class _Assumptions(NamedTuple):
    """What the caller states: whether the metric is given, and then whether a group must hold it."""

    metric_given: bool
    only_group: bool


class _Note(NamedTuple):
    text: str
    judged: bool = False


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
    """Check the pipe tables of the Markdown page `text` against the runs of a dataset that match `where`.

    `rows` are the label keys of the first columns, `columns` those of the headings. Without them both are guessed from
    the labels of the runs; the host and port of a run's URL count as labels too. Without `metric`, each number that the
    reports state is tried in several units, and the one that gives the most cells with three digits or more is used:
    once for all columns whose headings have labels, and once for each of the other columns. If a label still varies
    between the runs of a cell, it is fixed at a value with which no number loses its run. `notes` states all of this. A
    table or column of which no metric gives a number is left out, with a note, unless `metric` is given and the table
    has no other. `name` is the page's name in the result.

    Raises TooLittleError if there is no table or no run, QueryError for an unknown label or metric.
    """
    known = dataset.label_keys()
    rows, columns = label_names(rows, known), label_names(columns, known)
    tables = list(markdown_tables(text))
    runs = [_with_address(run) for run in without_copies(raw_runs(dataset, where, [*rows, *columns]))]
    if not tables or not runs:
        raise TooLittleError(f"{name}: {'no runs' if tables else 'no pipe table'}")
    styles = _candidate_styles(dataset, metric)
    judged, notes = JudgedCells(), list[str]()
    for table in tables:
        groups = list(_column_groups(table, runs, rows, columns))
        # If the metric is given, the only group of a table holds that metric, right or wrong.
        assumptions = _Assumptions(metric is not None, only_group=metric is not None and len(groups) == 1)
        of_table = [_judge_group(group, runs, styles, judged, (name, table.heading), assumptions) for group in groups]
        if not any(note.judged for note in of_table):
            of_table = [_Note("left out: no cell is a run's number")]
        notes += [f"{name}:{table.line}: {note.text}" for note in of_table]
    return make_result(judged, [], [], notes, [])


def _candidate_styles(dataset: Dataset, metric: str | None) -> list[PrintStyle]:
    """The metrics and units that the numbers of a page may have."""
    metrics = [choose_metric(dataset, metric)] if metric else stated_metrics(dataset)
    return [PrintStyle(one, suffix) for one in metrics for suffix in UNITS_OF_BARE_NUMBERS.get(one.unit, ("",))]


def _with_address(run: RawRun) -> RawRun:
    """The run with host and port of its URL among its labels: sometimes only they distinguish the servers."""
    try:
        parts = urlsplit(run.labels.get("url") or "")
        port = parts.port
    except ValueError:  # a port that is no number, brackets without an address
        return run
    address = {"host": parts.hostname, "port": None if port is None else str(port)}
    return replace(run, labels={**run.labels, **address})


def _column_groups(
    table: MarkdownTable, runs: Sequence[RawRun], rows: Sequence[str], columns: Sequence[str]
) -> Iterator[list[NumberColumn]]:
    """Groups of columns that have one metric: all columns with labels together, then each of the others."""
    known = known_values(runs)
    labels, others = _row_labels(table, known, rows)
    headings = [table.header[index] for index in others]
    of_headings = guess_labels(headings, "", {key: known[key] for key in columns or known if key in known})
    number_columns = [
        _number_column(table, index, of_heading, labels)
        for index, of_heading in zip(others, of_headings, strict=True)
        if _has_numbers(table, index)
    ]
    if any(column.labelled for column in number_columns):
        yield [column for column in number_columns if column.labelled]
    for column in number_columns:
        if not column.labelled:
            yield [column]


def _row_labels(
    table: MarkdownTable, known: Mapping[str, set[str]], rows: Sequence[str]
) -> tuple[list[Labels | None], list[int]]:
    """The labels of each row (None: a cell of it matches no label), and the indices of the columns without labels.

    A column holds labels if at least half of its cells match one.
    """
    row_labels: list[Labels | None] = [{} for _ in table.rows]
    others = []
    for index, heading in enumerate(table.header):
        texts = [cells[index] for _, cells in table.rows]
        given = index < len(rows)
        candidates = known if not rows else {rows[index]: known.get(rows[index], set())} if given else {}
        labels = (
            guess_labels(texts, rows[index] if given else heading, candidates) if candidates else [None] * len(texts)
        )
        # In a later column, bare numbers are only labels if the heading says so.
        unnamed_numbers = index > 0 and not rows and not names_a_label(heading) and all(map(str.isdecimal, texts))
        if 2 * sum(one is not None for one in labels) >= max(1, len(texts)) and not unnamed_numbers:
            pairs = zip(row_labels, labels, strict=True)
            row_labels = [None if old is None or new is None else old | new for old, new in pairs]
        else:
            others.append(index)
    return row_labels, others


def _has_numbers(table: MarkdownTable, index: int) -> bool:
    return any(any(map(str.isdigit, cells[index])) for _, cells in table.rows)


def _number_column(
    table: MarkdownTable, index: int, heading_labels: Labels | None, row_labels: list[Labels | None]
) -> NumberColumn:
    cells = []
    for (line, texts), of_row in zip(table.rows, row_labels, strict=True):
        labels = None if of_row is None else of_row | (heading_labels or {})
        row = labels_text(of_row) if of_row else texts[0]
        column = labels_text(heading_labels) if heading_labels else table.header[index]
        cells.append(PublishedCell(texts[index], line, row, column, labels or None))
    return NumberColumn(table.header[index], heading_labels is not None, tuple(cells))


def _judge_group(
    group: list[NumberColumn],
    runs: list[RawRun],
    styles: list[PrintStyle],
    judged: JudgedCells,
    table_names: tuple[str, str],
    assumptions: _Assumptions,
) -> _Note:
    """Judge the cells of a group of columns by the metric that gives the most of them; the note states it."""
    cells = [cell for column in group for cell in column.cells]
    runs_of: list[MatchingRuns] = [cell.matching_runs(runs) for cell in cells]
    pairs = list(zip(cells, runs_of, strict=True))
    evidence = [pair for pair in pairs if assumptions.metric_given or _has_telling_digits(pair[0].text)]
    scores = [sum(_gives_number(*pair, style) for pair in evidence) for style in styles]
    # Of equal scores the first: totals and means come first in `stated_metrics`.
    style = styles[scores.index(max(scores))]
    prefix = "" if len(group) > 1 else f"column {group[0].heading!r}: "
    if not max(scores) and not (assumptions.only_group and any(runs_of)):
        return _Note(f"{prefix}left out: no metric gives a number of it")
    given = sum(_gives_number(*pair, style) for pair in pairs)
    numbers = sum(style.parse(cell.text) is not None for cell in cells)
    unit = f" in {style.suffix}" if style.suffix else ""
    note = f"{style.metric.name}{unit}, which gives {given} of {numbers} numbers"
    fixed: Labels = {}
    if assumptions.metric_given or 2 * given >= numbers:
        fixed, runs_of = _fix_varying_labels(cells, runs_of, style)
        verdicts = [judge_cell(cell.text, own, runs, style) for cell, own in zip(cells, runs_of, strict=True)]
    else:
        note = f"no metric gives half of it; the best is {note}"
        verdicts = [Verdict(UNEXPLAINED, "no metric of the runs gives half of the numbers here")] * len(cells)
    for cell, verdict in zip(cells, verdicts, strict=True):
        judged.add("", *table_names, cell, style, verdict)
    return _Note(f"{prefix}{note}{f'; assumed: {labels_text(fixed)}' if fixed else ''}", judged=True)


def _has_telling_digits(text: str) -> bool:
    """Whether a number has so many digits that it does not match a metric by chance."""
    # "0.05" has one digit that tells something; asterisks are marks for bold.
    return sum(map(str.isdigit, text.lstrip("0.*"))) >= _FEWEST_TELLING_DIGITS


def _gives_number(cell: PublishedCell, runs: MatchingRuns, style: PrintStyle) -> bool:
    """Whether the number of a cell follows from one of its runs."""
    printed = style.parse(cell.text) if runs else None
    return printed is not None and any(
        (stated := style.value_in(run)) is not None and style.rounding(printed, stated.value) is not None
        for run in runs or ()
    )


def _fix_varying_labels(
    cells: list[PublishedCell], runs_of: list[MatchingRuns], style: PrintStyle
) -> tuple[Labels, list[MatchingRuns]]:
    """Fix labels that vary between the runs of a cell, one after the other, and keep the runs that have their values.

    No number may lose the run that gives it. Of the values that are possible, the one that leaves the fewest runs wins.
    """
    fixed: Labels = {}
    given = [_gives_number(cell, runs, style) for cell, runs in zip(cells, runs_of, strict=True)]
    while True:
        options = []
        for key, value in _varying_label_values(runs_of):
            remaining: list[MatchingRuns] = [
                None if runs is None else [run for run in runs if run.labels.get(key) == value] for runs in runs_of
            ]
            triples = zip(given, cells, remaining, strict=True)
            if all(_gives_number(cell, runs, style) for was_given, cell, runs in triples if was_given):
                options.append((sum(len(runs or ()) for runs in remaining), key, value, remaining))
        if not options:
            return fixed, runs_of
        # Without the runs, which have no order.
        _, key, value, runs_of = min(options, key=lambda option: option[:3])
        fixed[key] = value


def _varying_label_values(runs_of: Sequence[MatchingRuns]) -> list[tuple[str, str]]:
    """The labels that differ between the runs of a cell, each with all values that runs of any cell have."""
    keys = dict.fromkeys(key for runs in runs_of if runs for key in varying_labels(run.labels for run in runs))
    all_runs = [run for runs in runs_of for run in runs or ()]
    values = {key: {run.labels.get(key) for run in all_runs} - {None} for key in keys if key not in NOT_LABELS}
    return [(key, value) for key, of_key in values.items() for value in sorted(filter(None, of_key))]

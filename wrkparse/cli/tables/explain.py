"""``wrkparse explain``."""

from __future__ import annotations

import shlex
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from wrkparse.analysis.runs.unread import unread_files
from wrkparse.analysis.shown.numbers import quantity
from wrkparse.cli.shared.completion import complete_files
from wrkparse.cli.shared.exits import fail, note_unreadable
from wrkparse.cli.shared.stores import STORE, Location, open_data, refuse_pipes
from wrkparse.text.escape import one_line, printable

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset
    from wrkparse.source.discover import SourceFile

_DEFAULT_LINES = 400  # lines of each file that are shown without --lines
# Origins of labels from structure and from places, by their rule.
_STRUCTURE_WORDS = {
    "prefix": "the prefixes differ",
    "loop": "the turn of a loop",
    "trace": "the trace that it printed",
}
# Other origins of labels, by the name of the origin.
_ORIGIN_WORDS = {
    "cli": "from --label", "file": "from wrkparse.yaml", "report": "printed", "env": "from the environment",
    "flag": "from the command", "prefix": "from the prefix", "heading": "from the heading", "path": "from the path",
}  # fmt: skip
_OTHER_FILES = frozenset({"file", "index"})  # origins whose line numbers count lines of a file beside the log
# Rules whose text is a part of the line, such as an option; it is shown because the line may contain several.
_PARTS_OF_LINES = frozenset({"option", "variable", "runtime option", "pinning"})


class _LineRange(click.ParamType[tuple[int, int]]):
    """A range of lines, as ``10-40``, ``10-`` or ``10``."""

    name = "lines"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        first, dash, last = str(value).partition("-")
        try:
            low = int(first)
            return low, int(last) if last else low + _DEFAULT_LINES - 1 if dash else low
        except ValueError:
            self.fail(f"{value!r} is not a range of lines such as 10-40", param, ctx)


class _NamedRun(NamedTuple):
    """A run of the file: the name that is shown, such as ``wrk 2``, and its row of the table `runs`."""

    name: str
    row: dict[str, Any]


@click.command("explain")
@click.argument("paths", nargs=-1, metavar="PATH…", shell_complete=complete_files)
@click.option("-s", "--store", type=STORE, help="The same as PATH. For a store, print which logs to name instead.")
@click.option(
    "-l", "--lines", type=_LineRange(), help=f"Show only these lines of each file.  [default: 1-{_DEFAULT_LINES}]"
)
def command(paths: tuple[str, ...], store: Location | None, lines: tuple[int, int] | None) -> None:
    """Show line by line what is read in files: which run a line belongs to, and which labels and numbers it gives.

    A dot marks a line from which nothing was read. Labels that do not come from a line are at the end: those from the
    path, and those from structure.

    \b
    wrkparse explain post.md
    wrkparse explain logs/kiwi/c64.txt logs/emu/c64.txt
    wrkparse explain big.log --lines 1000-1100
    """
    from wrkparse.ingest.ingest import read
    from wrkparse.source.discover import find_sources

    paths = (*paths, *([] if store is None else [str(store)]))
    if not paths:
        raise click.UsageError("name the logs, as in: wrkparse explain logs/")
    _refuse_stores(paths)
    found, problems = find_sources(list(paths))
    if "-" in paths:
        raise click.UsageError("explain reads a file twice, so it can't read standard input; save it to a file first")
    refuse_pipes(str(file.location) for file in found)
    for problem in problems:
        click.echo(printable(str(problem)), err=True)
    if not found:
        fail("nothing to explain")
    dataset = read(*paths)
    if unread_files(dataset):
        note_unreadable()
    for number, file in enumerate(found):
        click.echo("\n" * bool(number) + "\n".join(map(printable, _explanation(dataset, file, lines))))


def _refuse_stores(paths: Sequence[str]) -> None:
    """End the command if a path is a store, with the files of its runs to name instead."""
    from wrkparse.store.duckdb_store import is_store

    stored = next((path for path in paths if is_store(path)), None)
    if stored is None:
        return
    with open_data(stored) as dataset:
        sources = list(dict.fromkeys(dataset.arrow("runs")["source"].to_pylist()))
    example = shlex.quote(sources[0]) if sources else "FILE"
    fail(
        f"{printable(stored)} is a store, which does not contain the logs; name the logs: wrkparse explain {example} "
        f"(below the directory that was ingested), or show one run with wrkparse show RUN --store {printable(stored)}"
    )


def _explanation(dataset: Dataset, file: SourceFile, lines: tuple[int, int] | None) -> Iterator[str]:
    """The output for one file: a summary, its lines with notes, and labels that do not come from a line."""
    first, last = lines or (1, _DEFAULT_LINES)
    runs = _named_runs(dataset, file.source)
    counts = dataset.arrow("sources").filter(_of_source(file.source)).to_pylist()
    if not counts:
        yield f"{file.source}: can't be read"
        return
    total, claimed = counts[0]["lines"], counts[0]["lines_claimed"]
    tools = ", ".join(
        f"{len(list(of_tool))} {tool}" for tool, of_tool in groupby(sorted(run.row["tool"] for run in runs))
    )
    yield f"{file.source}: {total:,} lines, {claimed:,} read; runs: {tools or 'none'}"
    run_names = _run_names_by_line(dataset, runs, first, last)
    notes = _notes_by_line(dataset, file.source, runs, run_names, first, last)
    digits = len(str(min(last, total)))
    widest = max((len(run.name) for run in runs), default=0)
    for number, text in _numbered_lines(file, first, last):
        yield f"{number:{digits}}  {run_names.get(number, '.' if text.strip() else ''):{widest}}  {text}".rstrip()
        # Below the text of the line: behind two columns and two gaps of two blanks.
        yield from (f"{'':{digits + widest + 4}}  ↳ {note}" for note in notes.get(number, ()))
    if total > last:
        yield f"… {total - last:,} more lines; see them with --lines {last + 1}-{min(total, last + _DEFAULT_LINES)}"
    yield from _labels_without_line(
        dataset, [run for run in runs if run.row["line"] <= last and run.row["line_end"] >= first]
    )


def _of_source(source: str) -> Any:
    import pyarrow.compute as pc

    return pc.field("source") == source


def _named_runs(dataset: Dataset, source: str) -> list[_NamedRun]:
    """The runs of a file, numbered by tool in the order of their lines."""
    numbers: dict[str, int] = defaultdict(int)
    found = []
    for row in dataset.arrow("runs").filter(_of_source(source)).to_pylist():
        numbers[row["tool"]] += 1
        found.append(_NamedRun(f"{row['tool']} {numbers[row['tool']]}", row))
    return found


def _run_names_by_line(dataset: Dataset, runs: list[_NamedRun], first: int, last: int) -> dict[int, str]:
    """The name of the run that a line belongs to, by the number of the line."""
    found: dict[int, str] = {}
    names = {run.row["run"]: run.name for run in runs}
    for table in ("texts", *dataset.event_tables()):
        if dataset.count(table):
            rows = dataset.sql_arrow(f"SELECT run, line FROM {table} WHERE line BETWEEN {first} AND {last}")
            for run, line in zip(rows["run"].to_pylist(), rows["line"].to_pylist(), strict=True):
                if run in names:
                    found.setdefault(line, names[run])
    return found


def _notes_by_line(
    dataset: Dataset, source: str, runs: list[_NamedRun], run_names: Mapping[int, str], first: int, last: int
) -> dict[int, list[str]]:
    """The notes below each line, by its number: labels, measurements and diagnostics from this line."""
    found: dict[int, list[str]] = defaultdict(list)
    names = {run.row["run"]: run.name for run in runs}
    # `groupby` needs the order of lines, in which the rows are.
    for line, rows in groupby(_rows_of_lines(dataset, "labels", runs, first, last), key=_line_of):
        found[line] += _label_notes(
            [row for row in rows if row["origin"] not in _OTHER_FILES], names, run_names.get(line)
        )
    for line, rows in groupby(_rows_of_lines(dataset, "measurements", runs, first, last), key=_line_of):
        notes = [_numbers_note(metric, list(of_metric)) for metric, of_metric in groupby(rows, key=_metric_of)]
        found[line].append("; ".join(notes))
    for row in dataset.arrow("diagnostics").filter(_of_source(source)).to_pylist():
        if row["line"] is not None:
            found[row["line"]].append(f"{row['severity']}: {row['message']}")
    return found


def _metric_of(row: dict[str, Any]) -> str:
    return str(row["metric"])


def _numbers_note(metric: str, rows: list[dict[str, Any]]) -> str:
    """The numbers of one metric in a line: ``latency: mean 384.9 µs, max 12.84 ms``, ``throughput 67.80 k/s``."""
    values = [(row["stat"], quantity(row["value"], row["unit"]) or "nan") for row in rows]
    if [stat for stat, _ in values] == ["total"]:
        return f"{metric} {values[0][1]}"
    return f"{metric}: {', '.join(f'{stat} {value}' for stat, value in values)}"


def _on_one_line(value: str) -> str:
    """The value of a label on one line. A label that is a text above a run may have several lines."""
    return one_line(value.replace("\n", " / "))


def _label_notes(rows: list[dict[str, Any]], names: dict[str, str], run_name: str | None) -> Iterator[str]:
    """Notes with the labels that a line gives: one for the labels with the same origin and the same runs."""
    of_runs: dict[tuple[str, str, str, str], list[str]] = defaultdict(list)
    for row in rows:
        ruled = ", overruled" if row["overruled"] else ""
        words = (
            f" by {row['text']}" if row["rule"] in _PARTS_OF_LINES and row["text"] not in (None, row["value"]) else ""
        )
        of_runs[row["key"], row["value"], words, f"{_ORIGIN_WORDS[row['origin']]}{ruled}"].append(names[row["run"]])
    labels_by_receivers: dict[tuple[str, tuple[str, ...]], list[str]] = defaultdict(list)
    for (key, value, words, origin), listed in of_runs.items():
        labels_by_receivers[origin, tuple(listed)].append(f"{key}={_on_one_line(value)}{words}")
    for (origin, receivers), labels in labels_by_receivers.items():
        receiver = "" if receivers == (run_name,) else f", for {_run_names_text(receivers)}"
        yield f"{', '.join(labels)} ({origin}{receiver})"


def _rows_of_lines(dataset: Dataset, table: str, runs: list[_NamedRun], first: int, last: int) -> list[dict[str, Any]]:
    """The rows of a table that come from the lines `first` to `last` of these runs, in the order of the lines."""
    known = {run.row["run"] for run in runs}
    query = f"SELECT * FROM {table} WHERE line BETWEEN {first} AND {last} "
    return sorted((row for row in dataset.sql_arrow(query).to_pylist() if row["run"] in known), key=_line_of)


def _line_of(row: dict[str, Any]) -> int:
    return int(row["line"])


def _run_names_text(names: Sequence[str]) -> str:
    return ", ".join(names) if len(names) <= 3 else f"{names[0]} and {len(names) - 1} more runs"


def _numbered_lines(file: SourceFile, first: int, last: int) -> Iterator[tuple[int, str]]:
    """The lines `first` to `last` of a file with their numbers, counted as by the parser."""
    from wrkparse.source.blocks import BlockReader, NotTextError

    number = 0
    try:
        for block in BlockReader(file):
            for text in block.decode("utf-8", "replace").removesuffix("\n").split("\n"):
                number += 1
                if first <= number <= last:
                    yield number, text.rstrip("\r")
            if number > last:
                return
    except (NotTextError, OSError):
        return


def _labels_without_line(dataset: Dataset, runs: list[_NamedRun]) -> Iterator[str]:
    """A line for each run, with the labels that do not come from a line of the file."""
    rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in dataset.sql_arrow("SELECT * FROM labels WHERE line IS NULL OR origin IN ('file', 'index')").to_pylist():
        rows[row["run"]].append(row)
    if any(run.row["run"] in rows for run in runs):
        yield ""
    for run in runs:
        labels = [f"{row['key']}={_on_one_line(row['value'])} ({_origin_text(row)})" for row in rows[run.row["run"]]]
        if labels:
            yield f"{run.name}, lines {run.row['line']}-{run.row['line_end']}: {', '.join(labels)}"


def _origin_text(label: dict[str, Any]) -> str:
    """The words for the origin of a label, with the text it was read from if that has more than the value."""
    if label["origin"] == "file":
        return f"wrkparse.yaml line {label['line']}"
    if label["origin"] == "index":
        return str(label["text"])
    origin = _ORIGIN_WORDS.get(label["origin"]) or _STRUCTURE_WORDS.get(label["rule"]) or f"the {label['rule']}s differ"
    return origin if label["text"] in (None, label["value"]) else f"{origin}: {label['text']}"

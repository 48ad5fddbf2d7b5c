"""``wrkparse compare``."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wrkparse.analysis.shown.screen import terminal_width
from wrkparse.cli.shared.completion import complete_files, complete_labels, complete_metrics, complete_settings
from wrkparse.cli.shared.conditions import where_option
from wrkparse.cli.shared.exits import fail
from wrkparse.cli.shared.inputs import Inputs, open_inputs
from wrkparse.cli.shared.percent import PERCENT
from wrkparse.cli.shared.printing.colour import with_colours
from wrkparse.cli.shared.printing.output import format_options, write_file, write_table
from wrkparse.cli.shared.stores import DEFAULT_STORE, STORE, Location
from wrkparse.text.escape import escaped

if TYPE_CHECKING:
    import pyarrow as pa

    from wrkparse.analysis.comparison.compare import ComparisonTable
    from wrkparse.analysis.comparison.outcome import Judged
    from wrkparse.dataset import Dataset


@click.command("compare")
@click.argument("paths", nargs=-1, metavar="[PATH]…", shell_complete=complete_files)
@click.option("-s", "--store", type=STORE, help=f"The store, if no PATH is given.  [default: {DEFAULT_STORE}]")
@click.option(
    "-r",
    "--rows",
    metavar="A,B,…",
    shell_complete=complete_labels,
    help="Labels of the rows.  [default: the most important one that differs]",
)
@click.option("-c", "--columns", metavar="A,B,…", shell_complete=complete_labels, help="Labels of the columns.")
@click.option(
    "-m",
    "--metric",
    metavar="A,B,…",
    shell_complete=complete_metrics,
    help="Metrics to compare.  [default: throughput, one latency, failures]",
)
@click.option(
    "-b",
    "--baseline",
    metavar="LABEL=VALUE",
    shell_complete=complete_settings,
    help="The setting to compare the others with.",
)
@where_option
@click.option("--sort", type=click.Choice(["labels", "source", "best"]), default="labels", help="Order of the rows.")
@click.option("--center", type=click.Choice(["median", "mean"]), default="median", help="Centre of several runs.")
@click.option(
    "--confidence",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.95,
    help="Level of the intervals.",
    show_default=True,
)
@click.option(
    "--alpha",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.05,
    help="Level of the tests.",
    show_default=True,
)
@click.option(
    "--ignore",
    metavar="A,B,…",
    shell_complete=complete_labels,
    help="Labels that make no difference: runs that differ only in these are repeats.",
)
@click.option(
    "--paired", is_flag=True, help="Compare the i-th run with the i-th run of the baseline, for runs made in turns."
)
@click.option(
    "--same-within", type=PERCENT, metavar="N%", help="Also test whether each setting is within N % of the baseline."
)
@click.option("--include-invalid", is_flag=True, help="Also use invalid runs and suspect latencies.")
@click.option("--details", is_flag=True, help="Also print tables of each metric, ranks and all notes.")
@click.option("--fail-on", multiple=True, metavar="LIMIT", help="Exit with code 1 if a change exceeds this limit.")
@click.option("--summary", type=click.Path(path_type=Path), help="Also write a Markdown summary for a pull request.")
@click.option(
    "--junit", type=click.Path(path_type=Path), help="Also write the results of --fail-on as test cases in JUnit XML."
)
@format_options
def command(
    paths: tuple[str, ...],
    store: Location | None,
    form: str | None,
    output: Path | None,
    fail_on: tuple[str, ...],
    summary: Path | None,
    junit: Path | None,
    details: bool,
    **options: Any,
) -> None:
    """Compare runs: print a table with ratios to a baseline and verdicts, and sentences that summarise it.

    PATH is a file or folder of logs, '-' for standard input, a store, or any of these with a name in front:
    before=old/. With several PATHs, each is an input of the comparison. The baseline is the one with a name such as
    before or main, else the first. Three or more files of which some repeat one setting (*.log) are one set of logs, as
    in a folder. Without PATH, the runs come from a store.

    With one PATH or a store, the rows are the values of the most important label that differs: the server comes before
    its load. Without --baseline, wrkparse chooses one: a name such as before or main, else the smallest number, else
    the first run.

    \b
    wrkparse compare old/ new/
    wrkparse compare before=monday.txt after=- --metric rps,p99
    wrkparse compare
    wrkparse compare --rows framework --columns connections --baseline framework=nginx
    wrkparse compare --rows gogc --baseline gogc=100 --metric throughput,latency_mean
    wrkparse compare --rows branch --baseline branch=main \\
        --fail-on 'throughput < -5%' --summary pr.md

    Exit codes with --fail-on: 0 if the whole interval of every change is within the limit; 1 if the whole interval of a
    significant change is beyond it; 3 if the runs can't decide, or a file could not be read.
    """
    from wrkparse.analysis.comparison.gate import parse_limit
    from wrkparse.analysis.comparison.outcome import exit_code, judge, outcome_lines

    if junit and not fail_on:
        raise click.UsageError("--junit writes the results of --fail-on; give a limit with --fail-on")
    from wrkparse.analysis.runs.labels.labels import INPUT

    # Options that name the label of the inputs mean each file as an input, not as one of a set.
    separate = any(re.search(rf"\b{INPUT}\b", options[key] or "") for key in ("rows", "columns", "baseline", "where"))
    with open_inputs(paths, store, separate=separate) as inputs:
        limits = [parse_limit(text) for text in fail_on]
        _set_input_options(options, inputs)
        if limits and not options["baseline"]:
            raise click.UsageError("--fail-on needs a --baseline")
        if limits:
            # A limit is about its metric, so that is compared even if the user named others.
            options["metric"] = ",".join([options["metric"] or "throughput", *(limit.metric for limit in limits)])
        as_text = form in (None, "table") and output is None
        table = _compare(inputs.dataset, options, as_text=as_text)
        second_label = _second_label_sentences(inputs.dataset, table, options) if as_text or summary else ()
        # The errors of a store were printed by `ingest`. They count only for --fail-on, whose answer may depend on
        # them.
        unread = list(inputs.unread) if limits or inputs.read_now else []
    judged = judge(table, limits)
    if summary:
        write_file(summary, f"{_markdown_summary(table, judged, unread, second_label, details=details)}\n".encode())
    if junit:
        _write_junit(junit, table, judged, unread)
    markdown = form == "md" or (form is None and output is not None and output.suffix == ".md")
    write_table(
        _cells_as_arrow(table), "table" if markdown else form, output,
        schema="compare", sentences=table.sentences,
        text=lambda: with_colours(_comparison_text(table, second_label, markdown=markdown, details=details), output),
    )  # fmt: skip
    if limits:
        click.echo("\n".join(outcome_lines(table, judged, unread)), err=True)
    if limits or unread:
        sys.exit(exit_code(judged, unread))


def _cells_as_arrow(table: ComparisonTable) -> pa.Table:
    """The cells as an Arrow table. Numeric labels are columns of numbers."""
    import pyarrow as pa

    from wrkparse.tools.schema import LABEL_KINDS

    cells = pa.Table.from_pandas(table.cells, preserve_index=False)
    for key in {*table.rows, *table.columns} & {*LABEL_KINDS}:
        at = cells.column_names.index(key)
        cells = cells.set_column(at, key, cells[key].cast(pa.float64()).cast(LABEL_KINDS[key]))
    return cells


def _set_input_options(options: dict[str, Any], inputs: Inputs) -> None:
    """If there are several inputs, compare them with each other.

    They become the rows, or the columns if rows are given. The baseline is the input with a name such as before or
    main, else the first one.
    """
    from wrkparse.analysis.comparison.choice.baseline import names_a_baseline
    from wrkparse.analysis.runs.labels.labels import INPUT

    if not inputs.names:
        return
    given = [*(options["rows"] or "").split(","), *(options["columns"] or "").split(",")]
    if INPUT not in given:
        key = "columns" if options["rows"] else "rows"
        options[key] = ",".join(filter(None, (options[key], INPUT)))
    base = next((name for name in inputs.names if names_a_baseline({INPUT: name})), inputs.names[0])
    options["baseline"] = options["baseline"] or {INPUT: base}


def _compare(dataset: Dataset, options: dict[str, Any], *, as_text: bool) -> ComparisonTable:
    """The comparison. If there is nothing to compare, the program ends with the reason.

    With `as_text`, the values of a single setting are printed first.
    """
    from wrkparse.analysis.comparison.compare import compare
    from wrkparse.analysis.runs.selection import NothingToCompareError, TooLittleError

    try:
        return compare(dataset, **options)
    except NothingToCompareError as problem:
        if as_text:
            _print_one_setting(dataset, options)
        fail(str(problem))
    except TooLittleError as problem:
        fail(str(problem))


def _second_label_sentences(dataset: Dataset, table: ComparisonTable, options: dict[str, Any]) -> tuple[str, ...]:
    """Sentences about a second label in which the runs differ; empty if the user chose what to compare."""
    from wrkparse.analysis.comparison.text.next_label import next_label_sentences

    if options["rows"] or options["columns"] or options["baseline"]:
        return ()
    kept_options = ("where", "confidence", "alpha", "center", "include_invalid", "ignore", "same_within")
    return next_label_sentences(dataset, table, **{name: options[name] for name in kept_options})


def _print_one_setting(dataset: Dataset, options: dict[str, Any]) -> None:
    """Print the measurements of the runs if there is one setting, and how many warm-ups are left out."""
    from wrkparse.analysis.runs.selection import warm_ups_left_out
    from wrkparse.analysis.summary.sentences import setting_sentences
    from wrkparse.analysis.wording import counted

    for sentence in setting_sentences(dataset, options["where"], include_invalid=options["include_invalid"]):
        click.echo(sentence)
    if left_out := warm_ups_left_out(dataset, options["where"], ()):
        click.echo(f"{counted(left_out, 'warm-up')} not counted; --rows phase compares them")


def _comparison_text(table: ComparisonTable, second_label: tuple[str, ...], *, markdown: bool, details: bool) -> str:
    """The overview, the sentences about a second label, and the main notes; with `details`, all tables and notes."""
    from wrkparse.analysis.comparison.text.notes import cautions
    from wrkparse.analysis.comparison.text.overview import overview, overview_markdown
    from wrkparse.analysis.comparison.text.run_notes import on_next_label
    from wrkparse.cli.analyses.comparison_text import detailed_text, note_lines

    limit = None if markdown else terminal_width()
    parts = [overview_markdown(table) if markdown else overview(table, limit)]
    parts.append(note_lines(list(second_label), limit, markdown=markdown))
    parts.append(detailed_text(table, limit, markdown=markdown) if details else "")
    parts.append(
        ""
        if details
        else note_lines(
            [*cautions(table), on_next_label(table, has_first=bool(second_label))], limit, markdown=markdown
        )
    )
    return "\n\n".join(part for part in parts if part)


def _write_junit(path: Path, table: ComparisonTable, judged: Judged, unread: list[str]) -> None:
    """Write the results of --fail-on as JUnit XML."""
    from wrkparse.analysis.comparison.outcome import gates
    from wrkparse.export.junit import gates_content

    write_file(path, gates_content(gates(table, judged), unread))


def _markdown_summary(
    table: ComparisonTable, judged: Judged, unread: list[str], second_label: tuple[str, ...], *, details: bool
) -> str:
    """The file of --summary: the results of --fail-on, the comparison, and how it was made."""
    from wrkparse._version import __version__
    from wrkparse.analysis.comparison.outcome import WORDS, exit_code, outcome_lines

    head = f"**{WORDS[exit_code(judged, unread)]}.**\n\n" if judged else ""
    lines = "\n".join(f"- {escaped(line)}" for line in outcome_lines(table, judged, unread))
    settings = f"wrkparse {__version__}, alpha {table.alpha:g}, confidence {100 * table.confidence:g} %"
    text = _comparison_text(table, second_label, markdown=True, details=details)
    parts = ["## Benchmark comparison", f"{head}{lines}".strip(), text, settings]
    return "\n\n".join(part for part in parts if part)

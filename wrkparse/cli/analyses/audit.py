"""``wrkparse audit``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wrkparse.analysis.wording import counted
from wrkparse.cli.shared.conditions import condition_option
from wrkparse.cli.shared.exits import fail
from wrkparse.cli.shared.printing.colour import with_colours
from wrkparse.cli.shared.printing.output import format_options, write_table
from wrkparse.cli.shared.stores import StoreOrLogs, open_data, store_option

if TYPE_CHECKING:
    import pandas as pd

    from wrkparse.analysis.audit.audit import AuditResult


# The labels that name a run in the text, in this order.
_SHOWN_LABELS = ("framework", "cores", "gogc", "connections", "environment", "path")
_COUNT_LABELS = ("cores", "connections")  # shown as "4 cores", "1 connection"


@click.command("audit")
@store_option
@condition_option("Show only runs that match an SQL condition; all runs are checked.")
@click.option(
    "-a", "--all", "everything", is_flag=True, help="Also show notes, which explain numbers and change no verdict."
)
@format_options
def command(store: StoreOrLogs, where: str | None, everything: bool, form: str | None, output: Path | None) -> None:
    """Find runs that contradict themselves or are unfit to compare, and say why.

    The exit code is 1 if a run is invalid, and 3 if there are no runs. Files (CSV, JSON …) have one row per finding.

    \b
    wrkparse audit
    wrkparse audit --where "framework = 'nginx'" --all
    wrkparse audit -o findings.csv
    """
    import pyarrow as pa

    from wrkparse.analysis.audit.audit import audit
    from wrkparse.analysis.audit.text import audit_text
    from wrkparse.dataset.frames import to_pandas

    with open_data(store) as dataset:
        runs = to_pandas(dataset.matching(where))
        if runs.empty:
            fail(f"no run matches {where}" if where else "no runs there")
        # All runs are checked, because copies and repeats of a run may be among those that are not shown.
        result = _result_of_runs(audit(dataset), set(runs["run"]))
    notes = result.findings["severity"] == "note"
    shown = result.findings if everything else result.findings[~notes]
    hidden = 0 if everything else int(notes.sum())
    rest = f"{counted(hidden, 'note')} (--all shows them)" if hidden else ""
    table = pa.Table.from_pandas(shown, preserve_index=False)
    write_table(
        table,
        form,
        output,
        schema="audit",
        text=lambda: with_colours(audit_text(shown, result.verdicts, _places_and_labels(runs), rest), output),
    )
    if (result.verdicts["verdict"] == "invalid").any():
        sys.exit(1)


def _result_of_runs(result: AuditResult, runs: set[str]) -> AuditResult:
    """The findings and verdicts of these runs only."""
    from wrkparse.analysis.audit.audit import AuditResult

    return AuditResult(*(frame[frame["run"].isin(runs)] for frame in (result.findings, result.verdicts)))


def _places_and_labels(runs: pd.DataFrame) -> dict[str, tuple[str, str]]:
    """For each run, its place (``source:line``), and its tool with its labels."""
    import pandas as pd

    found = {}
    for run in runs.to_dict("records"):
        labels = [_label_text(key, run[key]) for key in _SHOWN_LABELS if key in run and not pd.isna(run[key])]
        found[str(run["run"])] = f"{run['source']}:{run['line']}", ", ".join([str(run["tool"]), *labels])
    return found


def _label_text(key: str, value: object) -> str:
    if key in _COUNT_LABELS:
        return f"{value} {key if value != 1 else key[:-1]}"
    return f"gogc={value}" if key == "gogc" else str(value)

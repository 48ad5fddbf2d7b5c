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
from wrkparse.cli.shared.printing.output import format_options, write
from wrkparse.cli.shared.stores import Data, opened, store_option

if TYPE_CHECKING:
    import pandas as pd

    from wrkparse.analysis.audit.audit import AuditResult


_LABELS = ("framework", "cores", "gogc", "connections", "environment", "path")
_COUNTS = ("cores", "connections")


@click.command("audit")
@store_option
@condition_option("Show only runs that match an SQL condition; all runs are checked.")
@click.option(
    "-a", "--all", "everything", is_flag=True, help="Also show notes, which explain numbers and change no verdict."
)
@format_options
def command(store: Data, where: str | None, everything: bool, form: str | None, output: Path | None) -> None:
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

    with opened(store) as dataset:
        runs = dataset.wide(where)
        if runs.empty:
            fail(f"no run matches {where}" if where else "no runs there")
        result = _of_runs(audit(dataset), set(runs["run"]))
    notes = result.findings["severity"] == "note"
    shown = result.findings if everything else result.findings[~notes]
    hidden = 0 if everything else int(notes.sum())
    rest = f"{counted(hidden, 'note')} (--all shows them)" if hidden else ""
    table = pa.Table.from_pandas(shown, preserve_index=False)
    write(
        table,
        form,
        output,
        schema="audit",
        text=lambda: with_colours(audit_text(shown, result.verdicts, _heads(runs), rest), output),
    )
    if (result.verdicts["verdict"] == "invalid").any():
        sys.exit(1)


def _of_runs(result: AuditResult, runs: set[str]) -> AuditResult:
    from wrkparse.analysis.audit.audit import AuditResult

    return AuditResult(*(frame[frame["run"].isin(runs)] for frame in (result.findings, result.verdicts)))


def _heads(runs: pd.DataFrame) -> dict[str, tuple[str, str]]:
    """Where runs are, and what: tool and labels."""
    import pandas as pd

    found = {}
    for run in runs.to_dict("records"):
        labels = [_label(key, run[key]) for key in _LABELS if key in run and not pd.isna(run[key])]
        found[str(run["run"])] = f"{run['source']}:{run['line']}", ", ".join([str(run["tool"]), *labels])
    return found


def _label(key: str, value: object) -> str:
    if key in _COUNTS:
        return f"{value} {key if value != 1 else key[:-1]}"
    return f"gogc={value}" if key == "gogc" else str(value)

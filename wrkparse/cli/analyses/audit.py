"""``wrkparse audit``."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wrkparse.analysis.shown.screen import ORDINARY_WIDTH, width
from wrkparse.cli.shared.colour import with_colours
from wrkparse.cli.shared.conditions import condition_option
from wrkparse.cli.shared.exits import fail
from wrkparse.cli.shared.output import format_options, write
from wrkparse.cli.shared.stores import Data, opened, store_option
from wrkparse.text.escape import printable

if TYPE_CHECKING:
    from collections.abc import Hashable

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

    with opened(store) as dataset:
        runs = dataset.wide(where)
        if runs.empty:
            fail(f"no run matches {where}" if where else "no runs in the store")
        result = _of_runs(audit(dataset), set(runs["run"]))
    notes = result.findings["severity"] == "note"
    shown = result.findings if everything else result.findings[~notes]
    hidden = 0 if everything else int(notes.sum())
    table = pa.Table.from_pandas(shown, preserve_index=False)
    write(
        table,
        form,
        output,
        schema="audit",
        text=lambda: with_colours(_text(shown, result.verdicts, runs, hidden), output),
    )
    sys.exit(int((result.verdicts["verdict"] == "invalid").any()))


def _of_runs(result: AuditResult, runs: set[str]) -> AuditResult:
    from wrkparse.analysis.audit.audit import AuditResult

    return AuditResult(*(frame[frame["run"].isin(runs)] for frame in (result.findings, result.verdicts)))


def _text(findings: pd.DataFrame, verdicts: pd.DataFrame, runs: pd.DataFrame, hidden: int) -> str:
    room = width() or ORDINARY_WIDTH
    verdict = dict(zip(verdicts["run"], verdicts["verdict"], strict=True))
    known = {run["run"]: run for run in runs[runs["run"].isin(findings["run"])].to_dict("records")}
    parts = [_run(known[run], verdict[run], rows, room) for run, rows in findings.groupby("run", sort=False)]
    return "\n".join([*parts, *_meanings(findings, room), *_wrapped(_summary(verdicts, hidden), room, "")])


def _run(run: dict[Hashable, Any], verdict: str, findings: pd.DataFrame, room: int) -> str:
    """A line for the run, and one for each finding."""
    import pandas as pd

    labels = [_label(key, run[key]) for key in _LABELS if key in run and not pd.isna(run[key])]
    head = f"{run['source']}:{run['line']}: {verdict}: {', '.join([str(run['tool']), *labels])}"
    lines = _wrapped(printable(head), room, "")
    for line, code, severity, message in findings[["line", "code", "severity", "message"]].itertuples(index=False):
        text = f"{message} (note)" if severity == "note" and verdict != "ok" else message
        lines += _wrapped(f"{line}: {code}: {printable(text)}", room, "  ")
    return "\n".join(lines)


def _wrapped(text: str, room: int, indent: str) -> list[str]:
    return textwrap.wrap(
        text,
        room,
        initial_indent=indent,
        subsequent_indent=indent + "    ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _label(key: str, value: object) -> str:
    if key in _COUNTS:
        return f"{value} {key if value != 1 else key[:-1]}"
    return f"gogc={value}" if key == "gogc" else str(value)


def _meanings(findings: pd.DataFrame, room: int) -> list[str]:
    """What each code in the findings means."""
    lines = []
    for code, rows in sorted(findings.groupby("code"), key=lambda group: -len(group[1])):
        lines += ["", f"{code} ({rows['run'].nunique():,})"]
        lines += textwrap.wrap(rows["advice"].iloc[0], room, initial_indent="  ", subsequent_indent="  ")
    return [*lines, ""] if lines else []


def _summary(verdicts: pd.DataFrame, hidden: int) -> str:
    from wrkparse.analysis.audit.audit import VERDICTS

    count = verdicts["verdict"].value_counts()
    total = len(verdicts)
    by_verdict = ", ".join(f"{count.get(verdict, 0):,} {verdict}" for verdict in VERDICTS)
    notes = f"; {hidden:,} note{'' if hidden == 1 else 's'} (--all shows them)" if hidden else ""
    return f"{total:,} run{'' if total == 1 else 's'}: {by_verdict}{notes}"

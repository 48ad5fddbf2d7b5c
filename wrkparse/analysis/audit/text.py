"""An audit for people: each run with what was found, what the findings mean, and the verdicts counted."""

from __future__ import annotations

import html
import textwrap
from collections.abc import Mapping
from typing import TYPE_CHECKING

from wrkparse.analysis.shown.grids import grid
from wrkparse.analysis.shown.screen import ORDINARY_WIDTH, terminal_width
from wrkparse.analysis.wording import counted
from wrkparse.text.escape import printable

if TYPE_CHECKING:
    import pandas as pd

VERDICTS = ("ok", "latency-suspect", "suspect", "invalid")  # from the best to the worst


def audit_text(findings: pd.DataFrame, verdicts: pd.DataFrame, heads: Mapping[str, tuple[str, str]], rest: str) -> str:
    """The findings by run as text, what they mean, and the verdicts counted. `rest` says what is not shown.

    `heads` has the place of each run, and what it is; else a run's head is its source.
    """
    room = terminal_width() or ORDINARY_WIDTH
    verdict = dict(zip(verdicts["run"], verdicts["verdict"], strict=True))
    parts = [
        _run(verdict[run], heads.get(str(run), (rows["source"].iloc[0], "")), rows, room)
        for run, rows in findings.groupby("run", sort=False)
    ]
    return "\n".join([*parts, *_meanings(findings, room), *_wrapped(_summary(verdicts, rest), room, "")])


def _run(verdict: str, head: tuple[str, str], findings: pd.DataFrame, room: int) -> str:
    """A line for the run, and one for each finding."""
    place, what = head
    lines = _wrapped(printable(": ".join(filter(None, (place, verdict, what)))), room, "")
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


def _meanings(findings: pd.DataFrame, room: int) -> list[str]:
    """What each code in the findings means."""
    lines = []
    for code, rows in sorted(findings.groupby("code"), key=lambda group: -len(group[1])):
        lines += ["", f"{code} ({rows['run'].nunique():,})"]
        lines += textwrap.wrap(rows["advice"].iloc[0], room, initial_indent="  ", subsequent_indent="  ")
    return [*lines, ""] if lines else []


def _summary(verdicts: pd.DataFrame, rest: str) -> str:
    count = verdicts["verdict"].value_counts()
    by_verdict = ", ".join(f"{count.get(verdict, 0):,} {verdict}" for verdict in VERDICTS)
    return f"{counted(len(verdicts), 'run')}: {by_verdict}{f'; {rest}' if rest else ''}"


def audit_html(findings: pd.DataFrame, verdicts: pd.DataFrame, rest: str) -> str:
    """The same as HTML: the verdicts counted, a row for each finding, and what each code means."""
    verdict = dict(zip(verdicts["run"], verdicts["verdict"], strict=True))
    rows = [
        [f"{row.source}:{row.line}", verdict[row.run], str(row.code), str(row.message)] for row in findings.itertuples()
    ]
    shown = grid(["line", "verdict of the run", "code", "finding"], rows, form="html") if rows else ""
    meanings = "".join(
        f"<p><b>{html.escape(str(code))}</b>: {html.escape(str(of_code['advice'].iloc[0]))}</p>"
        for code, of_code in findings.groupby("code", sort=False)
    )
    return f"<p>{html.escape(_summary(verdicts, rest))}</p>{shown}{meanings}"

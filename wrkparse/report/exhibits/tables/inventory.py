"""The last sections of the overview: the findings of the audit, and what was read."""

from __future__ import annotations

import pandas as pd

from wrkparse.analysis.audit.audit import OK
from wrkparse.analysis.audit.little_law import little_law
from wrkparse.analysis.checks.finding import NOTE
from wrkparse.analysis.checks.reports.concurrency import TOLERANCE
from wrkparse.analysis.summary.summary import Summary
from wrkparse.analysis.wording import counted, name_of
from wrkparse.dataset import Dataset
from wrkparse.plot.figures.audit import audit as draw_audit
from wrkparse.report.exhibits.about import Paragraphs
from wrkparse.report.exhibits.captioned import Figure, Table, attempt
from wrkparse.report.exhibits.origins import label_words, origin_words
from wrkparse.report.exhibits.shared_labels import shared_labels_clause
from wrkparse.report.exhibits.tables.columns import ColumnFormat
from wrkparse.text.escape import escaped

_FEWEST_POINTS = 3  # of a figure of runs
_MOST_DIAGNOSTICS, _FEW_DIAGNOSTICS = 12, 4  # printed rows: if the diagnostics differ, and if they resemble each other
_AUDIT_HEADING = "## Can the numbers be trusted?"
_LITTLE_LAW_TEXT = """\
The audit checks each run for consistency. In a closed loop, a connection waits for its response before it sends the
next request, and Little's law connects three printed numbers: connections are throughput times mean latency, up to the
printed digits. A run far from this law spent time that the load generator does not measure, or lost requests."""
_RUNS_BY_TOOL_SQL = """
SELECT study, tool, count(*) AS runs, count(DISTINCT source) AS files FROM runs GROUP BY ALL ORDER BY ALL"""
_LABELS_SQL = """
SELECT key, count(DISTINCT run) AS runs, count(DISTINCT value) AS "values",
  string_agg(DISTINCT origin, ', ' ORDER BY origin) AS origins
FROM labels WHERE NOT overruled GROUP BY key ORDER BY runs DESC, key"""


def audit_exhibits(found: Summary) -> list[object]:
    """The findings of the audit by check, notes, and Little's law; empty if there are no findings and notes."""
    checks, noted = found.audit.checks, [Paragraphs(f"- {escaped(line)}") for line in found.notes]
    if checks.empty and not noted:
        return []
    if checks.empty:
        return [Paragraphs(_AUDIT_HEADING), *noted]
    titles = {"severity": "verdict", "code": "check", "runs": "runs"} if len(found.audit.verdicts) > 1 else {}
    titles |= {"severity": "verdict", "code": "check", "example": "an example" if titles else "what was found"}
    table = Table(checks, "Findings of the audit", "tbl:audit", columns=titles, formats={"code": name_of})
    little = _little_exhibits(found) if len(found.audit.verdicts) >= _FEWEST_POINTS else []
    explained = any(isinstance(one, Figure) for one in little)
    return [Paragraphs(_AUDIT_HEADING + (f"\n\n{_LITTLE_LAW_TEXT}" if explained else "")), *noted, table, *little]


def _little_exhibits(found: Summary) -> list[object]:
    """The figure of Little's law; a sentence if all runs agree with it; empty if no run has the numbers."""
    law = little_law(found.dataset)
    if law.empty:
        return []
    if law["severity"].eq(OK).all():
        least, most = (f"{float(law['ratio'].agg(end)):.3g}" for end in ("min", "max"))
        times = f"{least} to {most} times" if least != most else "equal to" if least == "1" else f"{least} times"
        rounded = "" if (law["ratio"] - 1).abs().le(TOLERANCE).all() else ", or as far as their printed digits can show"
        return [Paragraphs(
            f"Throughput × mean latency is {times} the connections in the {counted(len(law), 'run')} with "
            f"these numbers: that agrees with Little's law within {100 * TOLERANCE:g} %{rounded}."
        )]  # fmt: skip
    drawn = attempt(draw_audit, found.dataset)
    return [Figure(drawn, *_little_texts(found))] if drawn else []


def _little_texts(found: Summary) -> tuple[str, str, str]:
    """Caption, label and alternative text of the figure of Little's law."""
    law = little_law(found.dataset)
    finding = _runs_off_the_law(law)
    caption = "Throughput × mean latency, divided by the connections. The line at 1 is Little's law"
    what = "A point for each run: throughput times mean latency over the open connections"
    alt = f"{what}. Beside Little's law: {finding}."
    known = found.parts[0].conditions
    held = known.line(pooled=False, with_warm_ups=True) if len(found.parts) == 1 else "Each point is a run."
    return f"{caption}: {finding}.  \n{escaped(held)}", "fig:little", alt


def _runs_off_the_law(law: pd.DataFrame) -> str:
    """The number of runs that disagree with the law: ``11 of 18 runs above it, 6 of them suspect; 3 below it``."""
    of = f" of {counted(len(law), 'run')}"
    clauses: list[str] = []
    off = law[law["severity"].ne(OK)]
    for code in off["code"].value_counts().index:
        severities = off.loc[off["code"] == code, "severity"]
        many, doubted = len(severities), int(severities.ne(NOTE).sum())
        which = "" if not doubted else ", suspect" if doubted == many else f", {doubted:,} of them suspect"
        side = name_of(code).replace("Little's law", "it")
        clauses.append(f"{many:,}{of if not clauses else ''} {side}{which}")
    return "; ".join(clauses)


def inventory_exhibits(dataset: Dataset) -> list[object]:
    """Tables of the runs by study and tool, of what is known of them and where it was found, and of diagnostics."""
    known, by_tool = shared_labels_clause(dataset), dataset.sql(_RUNS_BY_TOOL_SQL)
    if (known or dataset.count("runs") <= 1) and len(by_tool) <= 1 and not dataset.count("diagnostics"):
        return []  # the last section says what is known in a sentence
    labels = dataset.sql(_LABELS_SQL)
    shown: list[object] = []
    if len(by_tool) > 1:
        several = len(by_tool["study"].unique()) > 1
        by_tool = by_tool if several else by_tool.drop(columns="study")
        shown.append(Table(by_tool, f"Runs by {'study and tool' if several else 'tool'}", "tbl:runs"))
    if len(labels) and not known:
        shown.append(_known_table(labels))
    found = _diagnostics_table(dataset)
    all_read = "" if found else "\n\nEverything that looks like the output of a tool was read."
    return [Paragraphs(f"## What was read{all_read}"), *shown, *found]


def _known_table(labels: pd.DataFrame) -> Table:
    """The labels of the runs, with the number of their values, and the places in the logs that say them."""
    labels = labels[~labels["key"].map(label_words).duplicated()]  # GOGC, also as a variable of the commands
    formats: dict[str, ColumnFormat] = {"key": lambda key: label_words(str(key)), "origins": _places}
    titles = {"key": "what is known", "runs": "runs", "values": "values", "origins": "found in"}
    caption = "What the logs say of the runs, and where they say it"
    return Table(labels, caption, "tbl:labels", columns=titles, formats=formats, rows=20)


def _places(origins: object) -> str:
    return ", ".join(map(origin_words, str(origins).split(", ")))


def _diagnostics_table(dataset: Dataset) -> list[object]:
    found = dataset.diagnostics
    if found.empty:
        return []
    # First one of each kind, then the second ones: the printed rows have as many kinds as possible.
    again = found.groupby(["source", "code"], dropna=False).cumcount()
    kinds = int((again == 0).sum())
    found = found.iloc[again.argsort(kind="stable")][["source", "line", "severity", "message"]]
    caption = "Text that could not be read, and contradictions"
    rows = min(_MOST_DIAGNOSTICS, max(kinds, _FEW_DIAGNOSTICS))  # those of one kind in one file resemble each other
    return [Table(found, caption, "tbl:diagnostics", rows=rows)]

"""What limits on a comparison say: whether they hold, as lines for people and as the exit code of a command."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import pandas as pd

from wrkparse.analysis.comparison.compare import ComparisonTable
from wrkparse.analysis.comparison.gate import Limit, check_limit
from wrkparse.analysis.comparison.text.wording import share_difference_text
from wrkparse.text.escape import printable

REGRESSION, UNDECIDED = 1, 3  # exit codes; 0 if every limit holds
WORDS = {0: "No regression", REGRESSION: "Regression", UNDECIDED: "Undecided"}
_MOST_LINES = 10  # for each outcome of a limit; the rest are counted

Judged = list[tuple[str, pd.DataFrame]]


class Gate(NamedTuple):
    """A limit on one setting: its labels (``branch=new``; empty if there is none to judge), the outcome, and why."""

    limit: str
    setting: str
    outcome: str
    reason: str


def judge(table: ComparisonTable, limits: Sequence[Limit]) -> Judged:
    """The cells that each limit is about, with their outcomes (`wrkparse.analysis.comparison.gate.check_limit`)."""
    return [(str(limit), check_limit(table, limit)) for limit in limits]


def exit_code(judged: Judged, unread: Sequence[str] = ()) -> int:
    """`REGRESSION` if a limit is exceeded; `UNDECIDED` if one can't be judged, or an input was not read; else 0."""
    outcomes = [outcome for _, cells in judged for outcome in cells["outcome"]]
    if "regression" in outcomes:
        return REGRESSION
    empty = any(cells.empty for _, cells in judged)
    return UNDECIDED if unread or empty or "undecided" in outcomes else 0


def gates(table: ComparisonTable, judged: Judged) -> Iterator[Gate]:
    """Each limit on each setting other than the baseline; one ``undecided`` for a limit that has no such setting."""
    for limit, cells in judged:
        if cells.empty:
            yield Gate(limit, "", "undecided", "nothing to compare with the baseline")
        for row in cells.to_dict("records"):
            yield Gate(limit, _setting(table, row), row["outcome"], _cell(table, row))


def outcome_lines(table: ComparisonTable, judged: Judged, unread: Sequence[str] = ()) -> list[str]:
    """A line for each cell that exceeds a limit or is undecided, and for each limit that holds."""
    lines = [f"could not be read: {problem}" for problem in unread]
    for limit, cells in judged:
        worse = cells[cells["outcome"] == "regression"]
        open_ = cells[cells["outcome"] == "undecided"]
        lines += _lines_of_outcome("regression", table, worse, limit) + _lines_of_outcome(
            "undecided", table, open_, limit
        )
        if cells.empty:
            lines.append(f"undecided: nothing to compare with the baseline, limit {limit}")
        elif not len(worse) and not len(open_):
            lines.append(f"within the limit {limit}: {len(cells)} of {len(cells)}")
    return [printable(line) for line in lines]


def _lines_of_outcome(outcome: str, table: ComparisonTable, cells: pd.DataFrame, limit: str) -> list[str]:
    lines = [f"{outcome}: {_cell(table, row)}, limit {limit}" for row in cells.head(_MOST_LINES).to_dict("records")]
    more = len(cells) - len(lines)
    return [*lines, f"{outcome}: {more} more, limit {limit}"] if more else lines


def _cell(table: ComparisonTable, row: dict[Any, Any]) -> str:
    runs = f", needs {row['runs_needed']} runs on each side" if isinstance(row["runs_needed"], int) else ""
    return f"{row['metric']} of {_setting(table, row)}: {_change(row)} ({row['verdict']}, n={row['n']}{runs})"


def _setting(table: ComparisonTable, row: dict[Any, Any]) -> str:
    """The labels of a cell: ``branch=new connections=64``."""
    labels = (f"{key}={row[key] if isinstance(row[key], str) else ''}" for key in table.cell_keys)
    return " ".join(labels)


def _change(row: dict[Any, Any]) -> str:
    """The change in percent with its interval; of failures, in percent of the requests."""
    if math.isnan(row["change"]):
        return "no difference known" if row["is_share"] else "no ratio"
    if row["is_share"]:
        ends = [share_difference_text(row["difference_lo"]), share_difference_text(row["difference_hi"])]
        return f"{share_difference_text(row['change'])} of the requests" + (
            f" [{', '.join(ends)}]" if all(ends) else ""
        )
    ends = ["" if math.isnan(end) else f"{100 * (end - 1):+.1f} %" for end in (row["ratio_lo"], row["ratio_hi"])]
    return f"{100 * row['change']:+.1f} %" + (f" [{', '.join(ends)}]" if all(ends) else "")

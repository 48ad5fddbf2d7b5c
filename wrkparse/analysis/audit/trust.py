"""How many runs can be trusted, and why the others can't."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import pandas as pd

from wrkparse.analysis.audit.audit import OK, AuditResult
from wrkparse.analysis.audit.text import VERDICTS
from wrkparse.analysis.checks.finding import INVALID, LATENCY_SUSPECT, SUSPECT, doubting
from wrkparse.analysis.wording import counted, name_of, word_list

_WORDS = {
    OK: "sound",
    LATENCY_SUSPECT: "suspect in latency (only throughput is compared)",
    SUSPECT: "suspect",
    INVALID: "invalid and not compared",
}
_MOST_CAUSES = 2  # in a sentence; the rest are counted, except that a third one is named instead of "1 other"
_MOST_NAMES = 3  # of servers in a sentence; if more have such runs, none is named
_MOST_PLACES = 3  # of runs that are listed


class Grade(NamedTuple):
    """The runs with one verdict; ``causes`` are the codes of the findings that led to it, with their runs.

    ``names`` are those whose runs these are, with their numbers of runs, and ``what`` says what runs they are (``20
    gctraces``), if a reader is to be told.
    """

    verdict: str
    runs: int
    causes: tuple[tuple[str, int], ...]
    names: tuple[tuple[str, int], ...] = ()
    what: str = ""

    def __str__(self) -> str:
        """``6 runs suspect, of heron (5) and plover (1): repetitions differ (4), socket errors (2)``."""
        of = [name if count == self.runs else f"{name} ({count:,})" for name, count in self.names]
        what = self.what or counted(self.runs, "run")
        words = f"{what} {_WORDS[self.verdict]}{f', of {word_list(of)}' if of else ''}"
        return f"{words}: {cause_words(self.causes, self.runs)}" if self.causes else words


def cause_words(causes: Sequence[tuple[str, int]], runs: int) -> str:
    """The first causes, with their numbers of runs where these are not all: ``socket errors (2) and 2 others``."""
    most = len(causes) if len(causes) <= _MOST_CAUSES + 1 else _MOST_CAUSES
    named = [name_of(code) if count == runs else f"{name_of(code)} ({count:,})" for code, count in causes[:most]]
    more = len(causes) - len(named)
    return ", ".join(named) + (f" and {counted(more, 'other cause')}" if more else "")


def grade_runs(result: AuditResult) -> tuple[Grade, ...]:
    """The grades of the audited runs from sound to invalid, without those that no run has."""
    worst = result.findings.merge(result.verdicts[["run", "verdict"]], on="run")
    worst = worst[worst["severity"] == worst["verdict"]]
    counts = result.verdicts["verdict"].value_counts()
    return tuple(
        Grade(verdict, int(counts[verdict]), _causes(worst[worst["verdict"] == verdict]))
        for verdict in VERDICTS
        if verdict in counts
    )


def with_names(grade: Grade, result: AuditResult, names: Mapping[str, str]) -> Grade:
    """A grade with the `names` of its runs; unchanged if it is sound, or if more than three, or all, have such runs.

    `names` has whose run each audited one is; a run that it does not have has no name.
    """
    runs = result.verdicts.loc[result.verdicts["verdict"] == grade.verdict, "run"]
    own = [names[run] for run in runs if run in names]
    listed = Counter(own).most_common()
    if grade.verdict == OK or not own or len(own) < len(runs) or len(listed) > _MOST_NAMES:
        return grade
    # If each server has such runs, their names tell a reader nothing.
    return grade if len(listed) == len(set(names.values())) else grade._replace(names=tuple(listed))


def doubt_of(result: AuditResult, runs: Collection[str]) -> Grade | None:
    """The grade that these runs have in common; None if they are sound, or have several grades."""
    own = AuditResult(*(table[table["run"].isin(runs)] for table in (result.findings, result.verdicts)))
    grades = grade_runs(own)
    return grades[0] if len(grades) == 1 and grades[0].verdict != OK else None


class UnusedRuns(NamedTuple):
    """Runs of which a comparison takes nothing, or all but the latencies; ``causes`` are as in `Grade`.

    ``places`` are the sources and lines of the runs of which it takes nothing: ``a.log:12``.
    """

    invalid: bool
    runs: int
    causes: tuple[tuple[str, int], ...]
    places: tuple[str, ...] = ()

    def __str__(self) -> str:
        """``the latencies of 3 runs are not used: …``, ``1 run is invalid and not used, a.log:12: error responses``."""
        verb = "is" if self.runs == 1 and self.invalid else "are"
        words = f"{counted(self.runs, 'run')} {verb} invalid and not used{self._where()}"
        words = words if self.invalid else f"the latencies of {counted(self.runs, 'run')} {verb} not used"
        return f"{words}: {cause_words(self.causes, self.runs)}" if self.causes else words

    def _where(self) -> str:
        """Where the runs are; of more than three, the first."""
        if not self.places:
            return ""
        few = len(self.places) <= _MOST_PLACES
        return f", {word_list(self.places)}" if few else f", the first at {self.places[0]}"


def unused(result: AuditResult, invalid: Mapping[str, str], doubted: Collection[str]) -> tuple[UnusedRuns, ...]:
    """Why some runs do not count: what makes them `invalid`, or their latencies `doubted`.

    `invalid` has the place of each run: ``a.log:12``.
    """
    findings = result.findings
    doubts = pd.Series(
        [severity in doubting(code) for code, severity in zip(findings["code"], findings["severity"], strict=True)],
        findings.index,
        dtype=bool,
    )
    of = {True: (invalid, findings["severity"].eq(INVALID)), False: (doubted, doubts)}
    return tuple(
        UnusedRuns(
            is_invalid,
            len(runs),
            _causes(findings[findings["run"].isin(list(runs)) & reasons]),
            tuple(invalid.values()) if is_invalid else (),
        )
        for is_invalid, (runs, reasons) in of.items()
        if runs
    )


def _causes(findings: pd.DataFrame) -> tuple[tuple[str, int], ...]:
    """The codes with their numbers of runs, the most frequent first."""
    runs = findings.groupby("code")["run"].nunique().reset_index().sort_values(["run", "code"], ascending=[False, True])
    return tuple((str(code), int(count)) for code, count in runs.itertuples(index=False))

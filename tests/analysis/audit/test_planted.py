"""The score of the audit: planted contradictions that it finds, and sound runs that it leaves alone.

The thresholds of the checks were chosen with ``develop.txt`` and the sound runs; ``held_out.txt`` was written before
the checks, with other logs, and only scored. ``python -m tests.analysis.audit.planted`` prints the score by kind.
"""

from __future__ import annotations

import functools

import pytest

import wrkparse as wp
from tests.analysis.audit.planted import ROOT, planted
from tests.analysis.audit.planted.score import found_by_kind, is_found, verdicts_of_sound_runs
from wrkparse.analysis.audit.advice import ADVICE

FILES = ("develop", "held_out")
MOST_MISSED, MOST_SUSPECT = 0.05, 0.02


def test_there_are_120_planted_contradictions_in_40_kinds() -> None:
    cases = [case for name in FILES for case in planted(name)]
    assert len(cases) >= 120
    assert len({case.kind for case in cases}) >= 40
    assert {case.code for case in cases} <= set(ADVICE)


@pytest.mark.parametrize("name", FILES)
def test_nineteen_in_twenty_planted_contradictions_are_found(name: str) -> None:
    score = found_by_kind(name)
    assert sum(found for found, _ in score.values()) >= (1 - MOST_MISSED) * sum(n for _, n in score.values()), score


@pytest.mark.parametrize("name", FILES)
def test_before_it_is_altered_no_log_has_what_is_found_in_it(name: str) -> None:
    """Of logs of one file; where several are joined, what is found may come of that."""
    for case in planted(name):
        if case.lines and " + " not in case.name and not case.name.startswith("'"):
            assert case.code not in codes_of(case.sound), case.name


@functools.cache  # of one log many contradictions are made
def codes_of(log: str) -> set[str]:
    return set(wp.audit(wp.parse_text(log)).findings["code"])


def test_no_sound_run_is_invalid_and_hardly_one_suspect() -> None:
    verdicts = verdicts_of_sound_runs()
    assert verdicts.total() >= 200
    assert verdicts["invalid"] == 0
    assert verdicts["suspect"] <= MOST_SUSPECT * verdicts.total()


def test_the_page_has_each_code() -> None:
    page = (ROOT / "docs" / "audit.md").read_text("utf-8")
    for code in ADVICE:
        assert f"`{code}`" in page, code


def test_what_is_found_is_found_where_it_was_altered() -> None:
    case = planted("develop")[0]
    assert is_found(case)
    assert not is_found(case._replace(altered=case.sound))
    assert not is_found(case._replace(lines=(1000,)))

"""Whether verdicts rest on suspect runs. p of 5 and 5 that do not overlap is 2 / C(10, 5) < 0.05, of 5 and 2 2 / 21."""

from __future__ import annotations

import pandas as pd
import pytest

import wrkparse as wp
from tests.analysis.comparison.runs import Runs
from wrkparse.analysis.audit.audit import AuditResult
from wrkparse.analysis.summary.without_suspect import without_suspect_sentence

FIVE = [100.0, 101.0, 102.0, 103.0, 104.0]


def said(runs: Runs) -> str:
    dataset = runs.dataset()
    verdicts = dataset.runs[["run", "verdict"]].assign(reasons="")
    judged = AuditResult(pd.DataFrame(columns=["run", "severity", "code"]), verdicts)
    return without_suspect_sentence(dataset, wp.compare(dataset, rows="framework", baseline="framework=kiwi"), judged)


def add(runs: Runs, name: str, level: float, suspect: int = 0, sound: int = 5) -> None:
    for at in range(sound + suspect):
        verdict = "ok" if at < sound else "suspect"
        runs.add(labels={"framework": name}, verdict=verdict, throughput=level * FIVE[at % 5] * (1 + at / 1e6))


@pytest.mark.parametrize(
    ("kiwi", "emu", "words"),
    [
        ((0, 5), (1, 5), "Without the suspect run, the verdict is the same."),
        ((0, 5), (3, 2), "Without the 3 suspect runs, the verdict is not reached."),
        ((0, 5), (5, 0), "Without the 5 suspect runs, the verdict is not reached."),
        ((0, 5), (0, 5), ""),
        ((5, 0), (5, 0), ""),  # the bar says that all are suspect
        ((0, 2), (1, 1), ""),  # nothing is decided
    ],
)
def test_a_verdict_without_suspect_runs(kiwi: tuple[int, int], emu: tuple[int, int], words: str) -> None:
    runs = Runs()
    add(runs, "kiwi", 1.0, *kiwi)
    add(runs, "emu", 2.0, *emu)
    assert said(runs) == words


def test_a_verdict_that_suspect_runs_turn_is_said_to_be_the_opposite() -> None:
    """With 80 suspect runs of a half of its rate kiwi is behind; the other ten of it are ahead."""
    runs = Runs()
    add(runs, "kiwi", 1.0, 0, 10)
    for at in range(80):
        runs.add(labels={"framework": "kiwi"}, verdict="suspect", throughput=50.0 + at / 100)
    add(runs, "emu", 0.7, 0, 6)
    assert said(runs) == "Without the 80 suspect runs, the verdict is the opposite."


def test_verdicts_that_remain_are_counted() -> None:
    runs = Runs()
    add(runs, "kiwi", 1.0, 0, 6)
    add(runs, "emu", 2.0, 1, 6)
    add(runs, "rhea", 3.0, 4, 2)
    assert said(runs) == "Without the 5 suspect runs, 1 of the 2 verdicts is reached."
    runs = Runs()
    add(runs, "kiwi", 1.0, 0, 6)
    add(runs, "emu", 2.0, 4, 2)
    add(runs, "rhea", 3.0, 4, 2)
    assert said(runs) == "Without the 8 suspect runs, no verdict is reached."


def test_suspect_traces_beside_suspect_loads_are_not_counted_with_them() -> None:
    runs = Runs()
    add(runs, "kiwi", 1.0)
    add(runs, "emu", 2.0, 3, 2)
    runs.add(labels={"framework": "emu", "tool": "gctrace"}, verdict="suspect")
    assert said(runs) == "Without the 3 suspect wrk runs, the verdict is not reached."

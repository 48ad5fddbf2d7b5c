"""The page of the reference about findings of the audit: what each code means, what to do, and an example.

An example is what the audit says of a log of the repository: of one with a planted alteration, with which the check is
tested, or else of one as it is.
"""

from __future__ import annotations

import functools
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

import wrkparse as wp
from tests.analysis.audit.planted import FOLDERS, Planted, planted
from wrkparse.analysis.audit.advice import ADVICE
from wrkparse.analysis.wording import name_of

ROOT = Path(__file__).parents[2]
REAL = ("data", "notebooks/loopback", "tests/fixtures")
_WORST_FIRST = ["invalid", "suspect", "latency-suspect", "note"]
_LONGEST = 110  # characters of an altered line that is shown
# Alterations of logs for the codes that no log has and no other test plants.
_MORE = {
    "target-missed": ("notebooks/loopback/stall/open.log", "-d24s -R1000", "-d24s -R5000"),
    "target-exceeded": ("notebooks/loopback/stall/open.log", "-d24s -R1000", "-d24s -R500"),
    "write-errors": (
        "tests/fixtures/ab/bimodal2.txt", "Failed requests:", "Write errors:           1\nFailed requests:"
    ),
    "ab-incomplete": (
        "tests/fixtures/ab/bimodal2.txt", "This is ApacheBench", "$ ab -n 5000 http://127.0.0.1/\nThis is ApacheBench"
    ),
    "restated": (
        "tests/fixtures/ab/bimodal2.txt",
        "This is ApacheBench",
        "Requests per second:    80.33 [#/sec] (mean)\n\nThis is ApacheBench",
    ),
    "connections-closed": (
        "tests/fixtures/wrk/latency.txt",
        "Requests/sec:",
        "  Socket errors: connect 0, read 184940, write 0, timeout 0\nRequests/sec:",
    ),
    "gc-go-run": (
        "tests/fixtures/gctrace/go1.26.8-gctrace2-p2.log",
        "gc 1 @0.000s 26%:",
        ("$ GODEBUG=gctrace=1 go run main.go\n"
        "gc 1 @0.002s 9%: 0.023+3.1+0.036 ms clock, 0.093+0.20/2.0/4.1+0.14 ms cpu, 4->7->6 MB, 5 MB goal, 4 P\n"
        "gc 1 @0.000s 26%:"),
    ),
    "command-ended": ("tests/fixtures/time/gnu-v-signal.txt", "signal 9", "signal 15"),
}  # fmt: skip


def text() -> str:
    """The page as Markdown. Raises ValueError for a code without an example."""
    intro = (
        "What `wrkparse audit` finds, what it means and what to do about it. [wrkparse audit](../audit.md#checks) has "
        "the formulas, tolerances and severities. Each example is what the audit says of a real log: of one with the "
        "shown alteration, or of one as it is."
    )
    return "\n\n".join(["# Findings of the audit", intro, *map(_of_code, ADVICE)]) + "\n"


def _of_code(code: str) -> str:
    return f"## {code}\n\n*{name_of(code)}.* {ADVICE[code]}\n\n{_example(code)}"


def _example(code: str) -> str:
    if code in _shown_alterations():
        path, edits, altered = _shown_alterations()[code]
        found = _of_alterations().query("code == @code and source == @code + '.txt'")
        if found.empty:  # of runs that are compared with each other: by themselves
            found = _findings(altered, code)
        return _altered(path, edits, found).replace(f"{code}.txt:", "line ")
    found = _of_real_logs().query("code == @code")
    if len(found):
        return f"From `{found.iloc[0]['path']}`, line {found.iloc[0]['line']}:\n\n{_said(found)}"
    case = next((case for case in _planted() if case.code == code), None)
    if case is None:
        raise ValueError(f"no log has the finding {code}: add an alteration to _MORE")
    return f"From logs that were put together for the test:\n\n{_said(_findings(case.altered, code))}"


@functools.cache
def _shown_alterations() -> dict[str, tuple[str, list[str], str]]:
    """For each code that has one, an alteration short enough to be shown: the log, the edits, the altered text."""
    shown: dict[str, tuple[str, list[str], str]] = {}
    for case in _planted():
        log, *edits = case.name.split(" | ")
        joined = "'" in log or " + " in log
        if edits and not joined and case.code not in shown and all(map(_is_short, edits)):
            folder, _, rest = log.partition("/")
            shown[case.code] = f"{FOLDERS[folder]}/{rest}", edits, case.altered
    for code, (path, old, new) in _MORE.items():
        sound = (ROOT / path).read_text("utf-8")
        assert old in sound
        shown[code] = path, [f"{old} => {new}"], sound.replace(old, new, 1)
    return shown


def _is_short(edit: str) -> bool:
    return all(len(line) <= _LONGEST for line in edit.replace("\\n", " => ").split(" => "))


@functools.cache
def _of_alterations() -> pd.DataFrame:
    """The findings in all shown alterations, read at once: an audit of many runs takes as long as one of one run."""
    with tempfile.TemporaryDirectory() as folder:
        for code, shown in _shown_alterations().items():
            (Path(folder) / f"{code}.txt").write_text(shown[2], "utf-8")
        return _worst_first(wp.audit(wp.read(folder)).findings)


def _altered(path: str, edits: list[str], found: pd.DataFrame) -> str:
    lines = []
    for edit in edits:
        old, _, new = edit.partition(" => ")
        lines += [f"-{line}" for line in old.replace("\\n", "\n").split("\n")]
        lines += [f"+{line}" for line in new.replace("\\n", "\n").split("\n")]
    shown = "\n".join(lines)
    return f"In `{path}`, altered:\n\n```diff\n{shown}\n```\n\n{_said(found)}"


def _said(found: pd.DataFrame) -> str:
    return f"```text\n{found.iloc[0]['severity']}: {found.iloc[0]['message']}\n```"


@functools.cache
def _planted() -> list[Planted]:
    return [*planted("develop"), *planted("held_out")]


def _findings(log: str, code: str) -> pd.DataFrame:
    return _worst_first(wp.audit(wp.parse_text(log)).findings.query("code == @code"))


@functools.cache
def _of_real_logs() -> pd.DataFrame:
    return _worst_first(pd.concat(_each_folder(), ignore_index=True))


def _each_folder() -> Iterator[pd.DataFrame]:
    for folder in REAL:
        findings = wp.audit(wp.read(ROOT / folder)).findings
        yield findings.assign(path=folder + "/" + findings["source"])


def _worst_first(findings: pd.DataFrame) -> pd.DataFrame:
    return findings.sort_values("severity", key=lambda column: column.map(_WORST_FIRST.index), kind="stable")

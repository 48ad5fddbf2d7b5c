"""Other parsers on the same values: each in an environment of its own, given the lines of one run at a time."""

from __future__ import annotations

import json
import math
import subprocess
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from scoring import Problem, Sample, is_number, samples, stated

from wrkparse.source.blocks import BlockReader
from wrkparse.source.discover import find_sources

ENVIRONMENT = Path(__file__).resolve().parents[2] / "build" / "peers"
# wrk-load-tools asks for packages that can't be built any more; its parser needs pyparsing alone.
_INSTALL = """\
  python3 -m venv {0}
  {0}/bin/pip install jc==1.26.1 wrk2img==1.1.0 pyparsing==3.3.3
  {0}/bin/pip install --no-deps wrk-load-tools==0.0.3"""
PEERS = {"jc": {"time"}, "wrk2img": {"wrk", "wrk2"}, "wrk-load-tools": {"wrk", "wrk2"}}
_NEAR = 0.005  # wrk2img takes some percentiles from the spectrum, which has more digits than the distribution
_CHILD = Path(__file__).with_name("peerchild.py")


class PeersMissingError(Exception):
    """The peers are not installed; the message tells how to."""


class Asked(NamedTuple):
    """One run: its text, and the numbers that should be read in it."""

    tool: str
    text: str
    numbers: dict[str, float]


def asked(folder: Path) -> list[Asked]:
    """Every expected run of a tool that a peer reads, with its own lines and nothing else."""
    wanted = {tool for tools in PEERS.values() for tool in tools}
    found: list[Asked] = []
    for sample in samples(folder):
        runs = [run for run in sample.runs if run["tool"] in wanted]
        lines = _lines(sample) if runs else []
        for run in runs:
            values = stated({"measurements": run.get("measurements", {})})
            numbers = {name: value.value for name, value in values.items() if value.value is not None}
            text = "\n".join(lines[run.get("line", 1) - 1 : run.get("line_end")]) + "\n"
            found.append(Asked(run["tool"], text, numbers))
    return found


def _lines(sample: Sample) -> list[str]:
    (found,), _ = find_sources([str(sample.path)])
    return b"".join(BlockReader(found)).decode("utf-8", "replace").split("\n")


def answers(runs: list[Asked], environment: Path) -> tuple[dict[str, str], list[dict[str, dict[str, list[float]]]]]:
    """The version of each peer, and of each run what every peer read: name → the values that it could stand for.

    Raises PeersMissingError if they are not installed.
    """
    python = environment / "bin" / "python"
    if not python.exists():
        raise PeersMissingError(f"the peers are not installed; to install them:\n{_INSTALL.format(environment)}")
    question = json.dumps([[run.tool, run.text] for run in runs])
    done = subprocess.run([str(python), str(_CHILD)], input=question, capture_output=True, text=True, check=False)
    if done.returncode:
        raise PeersMissingError(f"{done.stderr.strip()}\nto install the peers anew:\n{_INSTALL.format(environment)}")
    versions, found = json.loads(done.stdout)
    return versions, found


def table(folder: Path, problems: list[Problem], environment: Path) -> str:
    """The Markdown table of peers: per tool, how many numbers each reads right, and in brackets how many wrong."""
    runs = asked(folder)
    versions, found = answers(runs, environment)
    expected: Counter[str] = Counter()
    right: Counter[tuple[str, str]] = Counter()
    wrong: Counter[tuple[str, str]] = Counter()
    for run, read in zip(runs, found, strict=True):
        expected[run.tool] += len(run.numbers)
        for peer, values in read.items():
            for name in run.numbers.keys() & values.keys():
                good = any(math.isclose(value, run.numbers[name], rel_tol=_NEAR) for value in values[name])
                (right if good else wrong)[peer, run.tool] += 1
    ours = [problem for problem in problems if problem.expected and problem.expected.value is not None]
    failed = Counter((problem.tool, problem.kind) for problem in ours if is_number(problem.name))
    lines = [["values of", "expected", "wrkparse", *(f"{peer} {versions[peer]}" for peer in PEERS)]]
    lines.append(["---", *["--:"] * (len(PEERS) + 2)])
    for tool, count in sorted(expected.items()):
        missed = failed[tool, "wrong"] + failed[tool, "missing"]
        row = [tool, str(count), _cell(count - missed, failed[tool, "wrong"])]
        lines.append(row + [_cell(right[p, tool], wrong[p, tool]) if tool in PEERS[p] else "" for p in PEERS])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(right: int, wrong: int) -> str:
    return f"{right} ({wrong})" if wrong else str(right)

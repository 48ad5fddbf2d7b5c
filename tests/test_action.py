"""The steps of the GitHub Action, run as GitHub runs them: bash, with the inputs in the environment."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[1]
SERVERS = ROOT / "tests" / "fixtures" / "servers"
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text())


def run(tmp_path: Path, **inputs: str) -> tuple[int, dict[str, str], str]:
    """Run the steps that need no network; the exit code of the last, the outputs, and the job summary."""
    program = tmp_path / "bin" / "wrkparse"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m wrkparse "$@"\n')
    program.chmod(0o755)
    defaults = {name: one.get("default", "") for name, one in ACTION["inputs"].items()}
    given = defaults | {name.replace("_", "-"): value for name, value in inputs.items()}
    code = 0
    for step in ACTION["runs"]["steps"]:
        if "run" not in step or "pip install" in step["run"]:
            continue
        values = {
            key: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda name: given[name[1]], value)
            for key, value in step["env"].items()
        }
        assert not [value for value in values.values() if "${{" in value]
        files = {"GITHUB_STEP_SUMMARY": "job.md", "GITHUB_OUTPUT": "outputs", "RUNNER_TEMP": ""}
        environment = os.environ | {name: str(tmp_path / file) for name, file in files.items()} | values
        environment |= {"PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
        done = subprocess.run(["bash", "-eo", "pipefail", "-c", step["run"]], env=environment, check=False)
        code = code or done.returncode
    outputs = dict(line.split("=", 1) for line in (tmp_path / "outputs").read_text().splitlines())
    return code, outputs, (tmp_path / "job.md").read_text()


@pytest.mark.parametrize(
    ("baseline", "logs", "limits", "code", "outcome"),
    [
        ("plover", "heron", "throughput < -5%", 0, "ok"),
        ("heron", "plover", "\nthroughput < -5%\nlatency_mean > 1000%\n", 1, "regression"),
        ("plover", "siskin", "latency_p99 > 10%", 3, "undecided"),
        ("heron", "siskin", "", 0, "none"),
    ],
)
def test_the_action_compares_and_says_what_came_of_it(
    tmp_path: Path, baseline: str, logs: str, limits: str, code: int, outcome: str
) -> None:
    """Heron answers three times as many requests as plover. Siskin's p99 is from 4 to 203 ms, plover's from 6 to 34."""
    given = {"baseline": str(SERVERS / baseline), "logs": str(SERVERS / logs), "fail_on": limits}
    found, outputs, shown = run(tmp_path, **given)
    assert (found, outputs["outcome"]) == (code, outcome)
    assert "## Audit" in shown
    assert Path(outputs["summary"]).read_text() in shown


def test_a_job_may_go_on_if_the_runs_cannot_decide(tmp_path: Path) -> None:
    given = {"baseline": str(SERVERS / "plover"), "logs": str(SERVERS / "siskin"), "fail_on": "latency_p99 > 10%"}
    code, outputs, _ = run(tmp_path, undecided="pass", **given)
    assert (code, outputs["outcome"]) == (0, "undecided")


def test_without_a_baseline_the_runs_are_compared_with_each_other(tmp_path: Path) -> None:
    code, outputs, shown = run(tmp_path, logs=str(SERVERS))
    assert (code, outputs["outcome"]) == (0, "none")
    assert "plover answers 0.30 times as many requests as heron" in shown

"""The steps of the GitHub Action, run as GitHub runs them: bash, with the inputs in the environment."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[1]
SERVERS = ROOT / "tests" / "fixtures" / "servers"
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text())


@pytest.fixture(autouse=True)
def program(tmp_path: Path, command: tuple[str, ...]) -> Path:
    """A program ``wrkparse`` in a directory of its own."""
    made = tmp_path / "bin" / "wrkparse"
    made.parent.mkdir()
    made.write_text(f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n')
    made.chmod(0o755)
    return made


def run(tmp_path: Path, folder: Path = ROOT, **inputs: str) -> tuple[int, dict[str, str], str]:
    """Run the steps that need no network in a folder; the exit code, the outputs, and the job summary."""
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
        environment |= {"PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"}
        done = subprocess.run(["bash", "-eo", "pipefail", "-c", step["run"]], env=environment, cwd=folder, check=False)
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


def test_the_store_of_one_build_is_the_baseline_of_the_next(tmp_path: Path) -> None:
    _, first, _ = run(tmp_path, logs=str(SERVERS / "heron"))
    kept = Path(first["store"]).rename(tmp_path / "heron.duckdb")
    given = {"baseline": str(kept), "logs": str(SERVERS / "plover"), "fail_on": "throughput < -5%"}
    code, outputs, _ = run(tmp_path, **given)
    assert (code, outputs["outcome"]) == (1, "regression")
    _, again, _ = run(tmp_path, logs=str(kept))
    assert again["store"] == str(kept)


def test_a_job_may_go_on_if_the_runs_cannot_decide(tmp_path: Path) -> None:
    given = {"baseline": str(SERVERS / "plover"), "logs": str(SERVERS / "siskin"), "fail_on": "latency_p99 > 10%"}
    code, outputs, _ = run(tmp_path, undecided="pass", **given)
    assert (code, outputs["outcome"]) == (0, "undecided")


def test_without_a_baseline_the_runs_are_compared_with_each_other(tmp_path: Path) -> None:
    code, outputs, shown = run(tmp_path, logs=str(SERVERS))
    assert (code, outputs["outcome"]) == (0, "none")
    assert "heron answers 3.4 times as many requests as plover" in shown


def git(folder: Path, *arguments: str) -> None:
    settings = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main")
    subprocess.run(["git", "-C", str(folder), *settings, *arguments], check=True, stdout=subprocess.DEVNULL)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """The branch main has logs of plover, the branch change, which is checked out, those of heron."""
    made = tmp_path / "repository"
    shutil.copytree(SERVERS / "plover", made / "bench" / "logs")
    git(made, "init", "--quiet")
    for server, branch in (("plover", "main"), ("heron", "change")):
        if branch != "main":
            git(made, "checkout", "--quiet", "-b", branch)
            shutil.rmtree(made / "bench" / "logs")
            shutil.copytree(SERVERS / server, made / "bench" / "logs")
        git(made, "add", ".")
        git(made, "commit", "--quiet", "-m", server)
    return made


@pytest.mark.parametrize(("baseline", "absolute"), [("main", True), ("HEAD~1", False)])
def test_the_baseline_may_be_the_logs_of_another_branch(
    tmp_path: Path, repository: Path, baseline: str, absolute: bool
) -> None:
    """Heron answers 62.51 k/s at 8 connections and 70.60 at 64, plover 18.31 and 20.87: 3.41 and 3.38 times as many."""
    logs = str(repository / "bench" / "logs") if absolute else "bench/logs"
    given = {"logs": logs, "fail_on": "throughput < -5%"}
    code, outputs, shown = run(tmp_path, repository, baseline=baseline, **given)
    assert (code, outputs["outcome"]) == (0, "ok")
    assert "now answers 3.4 times as many requests as baseline" in shown
    assert not (tmp_path / "wrkparse-baseline").exists()
    assert not list((repository / ".git").glob("worktrees/*"))


def test_a_branch_that_a_shallow_checkout_lacks_is_fetched(tmp_path: Path, repository: Path) -> None:
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "--quiet", "--depth", "1", repository.as_uri(), str(clone))
    code, outputs, _ = run(tmp_path, clone, baseline="main", logs="bench/logs", fail_on="throughput < -5%")
    assert (code, outputs["outcome"]) == (0, "ok")


@pytest.mark.parametrize(
    ("baseline", "logs", "said"),
    [
        ("no-such-branch", "bench/logs", "baseline no-such-branch is neither a path nor a branch, tag or commit"),
        ("--all", "bench/logs", "baseline --all is neither a path"),
        ("main", "other", "other is not committed in main"),
    ],
)
def test_a_baseline_that_is_nowhere_fails_the_job_though_undecided_passes(
    tmp_path: Path, repository: Path, baseline: str, logs: str, said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(SERVERS / "heron", repository / "other")
    code, outputs, _ = run(tmp_path, repository, baseline=baseline, logs=logs, undecided="pass")
    assert (code, outputs["outcome"]) == (2, "failed")
    assert f"::error::{said}" in capfd.readouterr().out

"""Runs the tests against a mutant, in a copy of the package."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import shutil
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

# Each run is a fork of this process, so that these are imported once; never wrkparse, of which each run has a copy.
import duckdb  # noqa: F401
import hypothesis
import numpy as np  # noqa: F401
import pandas as pd  # noqa: F401
import pyarrow.compute  # noqa: F401
import pytest
from mutants import Mutant

ROOT = Path(__file__).resolve().parents[2]
KILLED, SURVIVED, TIMED_OUT = "killed", "survived", "timed out"
_COPIED, _LINKED = ("wrkparse", "tests"), ("data", "docs", "notebooks", "scripts", "README.md")
_FEW_EXAMPLES = 12  # of each property: most mutants that a property notices fail the first ones
_SLOW = 4.0  # seconds: slower tests are left out, they run a few mutants instead of many
_PATIENCE = 3.0  # a mutant has this many times as long as the tests take without it, and some seconds to start
_START = 10.0


@dataclass
class TestRun:
    """What a run of tests gave: the first test that failed, and the seconds of each."""

    __test__ = False
    passed: bool
    failed: str = ""
    seconds: dict[str, float] = field(default_factory=dict)


class _Plugin:
    """Puts the likeliest and the fastest tests first, and gives properties few examples."""

    def __init__(self, seconds: Mapping[str, float], kills: Mapping[str, int]) -> None:
        self._seconds, self._kills = seconds, kills
        self.run = TestRun(passed=False)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if self._seconds.get(item.nodeid, 0) <= _SLOW]
        items.sort(key=lambda item: (-self._kills.get(item.nodeid, 0), self._seconds.get(item.nodeid, 0)))
        for item in items:
            function: Any = getattr(item, "obj", None)
            if hypothesis.is_hypothesis_test(function):
                given = function._hypothesis_internal_use_settings  # noqa: SLF001
                few = min(_FEW_EXAMPLES, given.max_examples if given else _FEW_EXAMPLES)
                function._hypothesis_internal_use_settings = hypothesis.settings(  # noqa: SLF001
                    given, max_examples=few, database=None, deadline=None,
                    phases=(hypothesis.Phase.explicit, hypothesis.Phase.generate),
                )  # fmt: skip

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.run.seconds[report.nodeid] = self.run.seconds.get(report.nodeid, 0) + report.duration
        if report.failed and not self.run.failed:
            self.run.failed = report.nodeid


class Copy:
    """A copy of the package and its tests in a directory, for one run at a time."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        for name in _COPIED:
            shutil.copytree(ROOT / name, directory / name)
        for name in _LINKED:
            (directory / name).symlink_to(ROOT / name)
        shutil.copy(ROOT / "pyproject.toml", directory)
        self._process: BaseProcess | None = None
        self._original: tuple[Path, bytes] | None = None

    def start(self, files: Sequence[str], seconds: Mapping[str, float], kills: Mapping[str, int]) -> Connection:
        """Start to run test files until one fails; the `TestRun` comes out of the connection."""
        fork = multiprocessing.get_context("fork")
        here, there = fork.Pipe(duplex=False)
        plugin = _Plugin(seconds, kills)
        self._process = fork.Process(target=_run_tests, args=(self._directory, files, plugin, there))
        self._process.start()
        there.close()
        return here

    def end(self) -> None:
        """End the run and all processes that its tests started."""
        if self._process is None or self._process.pid is None:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.join()
        self._process = None

    def change(self, mutant: Mutant | None) -> None:
        """Put a mutant into the copy, in place of the one before."""
        if self._original is not None:
            _write(*self._original)
        self._original = None
        if mutant is not None:
            path = self._directory / "wrkparse" / mutant.module
            self._original = path, path.read_bytes()
            _write(path, mutant.applied(self._original[1]))


def _received(connection: Connection) -> TestRun:
    try:
        run: TestRun = connection.recv()
    except EOFError:  # the process ended, as a mutant's may
        run = TestRun(passed=False, failed="(the process ended)")
    return run


def _write(path: Path, text: bytes) -> None:
    path.write_bytes(text)
    for cached in (path.parent / "__pycache__").glob(f"{path.stem}.*"):
        cached.unlink()  # Python knows it by time and size, which may be the same


def _run_tests(directory: Path, files: Sequence[str], plugin: _Plugin, answer: Connection) -> None:
    os.setsid()
    os.chdir(directory)
    sys.path[:] = [str(directory), *(path for path in sys.path if Path(path).resolve() != ROOT)]
    os.environ["PYTHONPATH"], os.environ["PYTHONDONTWRITEBYTECODE"] = str(directory), "1"
    sys.dont_write_bytecode = True
    with Path("output.txt").open("w", encoding="utf-8") as output:
        os.dup2(output.fileno(), 1)
        os.dup2(output.fileno(), 2)
    options = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--hypothesis-seed=0", "--assert=plain"]
    code = pytest.main([*options, *(f"tests/{file}" for file in files)], plugins=[plugin])
    plugin.run.passed = code == pytest.ExitCode.OK
    answer.send(plugin.run)


class Runner:
    """Runs the tests against mutants, two at a time; each module has its test files."""

    def __init__(
        self, directory: Path, tests: Mapping[str, Sequence[str]], seconds: dict[str, dict[str, float]]
    ) -> None:
        self._tests, self._seconds = tests, seconds
        self._copies = [Copy(directory / str(number)) for number in (1, 2)]
        self._kills: Counter[str] = Counter()

    def close(self) -> None:
        """End what runs."""
        for copy in self._copies:
            copy.end()

    def measure(self, modules: Iterable[str]) -> None:
        """Run the tests of some modules without a mutant: they must pass, and how long each takes is noted."""
        files = {file for module in modules for file in self._tests[module]}
        for file in sorted(files - self._seconds.keys()):
            run = _received(self._copies[0].start([file], {}, {}))
            self._copies[0].end()
            if not run.passed:
                sys.exit(f"without a mutant a test fails: {run.failed}")
            self._seconds[file] = run.seconds
            print(f"{file}: {len(run.seconds)} tests in {sum(run.seconds.values()):.1f} s", flush=True)

    def run(self, mutants: Iterable[Mutant]) -> Iterator[tuple[Mutant, str, str]]:
        """Each mutant with what became of it, and the test that killed it; in the order in which they end."""
        waiting, idle = iter(mutants), list(self._copies)
        running: dict[Connection, tuple[Mutant, Copy, float]] = {}
        while True:
            for mutant in islice(waiting, len(idle)):
                copy = idle.pop()
                copy.change(mutant)
                files = self._tests[mutant.module]
                seconds = dict(chain.from_iterable(self._seconds[file].items() for file in files))
                limit = _START + _PATIENCE * sum(each for each in seconds.values() if each <= _SLOW)
                running[copy.start(files, seconds, self._kills)] = mutant, copy, time.monotonic() + limit
            if not running:
                return
            first = min(end for _, _, end in running.values())
            ready = wait(list(running), max(0.0, first - time.monotonic()))
            for connection in list(running):
                mutant, copy, end = running[connection]
                if connection not in ready and time.monotonic() < end:
                    continue
                run = _received(connection) if connection in ready else None
                del running[connection]
                copy.end()
                copy.change(None)
                idle.append(copy)
                if run is None:
                    yield mutant, TIMED_OUT, ""
                elif run.passed:
                    yield mutant, SURVIVED, ""
                else:
                    self._kills[run.failed] += 1
                    yield mutant, KILLED, run.failed

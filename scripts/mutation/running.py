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
from itertools import islice
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

# Each run is a fork of this process, so that these are imported once; never wrkparse, of which each run has a copy.
import coverage
import duckdb  # noqa: F401
import hypothesis
import numpy as np  # noqa: F401
import pandas as pd  # noqa: F401
import pyarrow.compute  # noqa: F401
import pytest
from choosing import Measured, Tests, file_of, tests_for
from mutants import Mutant

ROOT = Path(__file__).resolve().parents[2]
KILLED, SURVIVED, TIMED_OUT = "killed", "survived", "timed out"
_COPIED, _LINKED = ("wrkparse", "tests"), ("data", "docs", "notebooks", "scripts", "README.md")
_OUTPUT = "output.txt"
_FEW_EXAMPLES = 12  # of each property: most mutants that a property notices fail the first ones
_PATIENCE = 3.0  # a mutant has this many times as long as the tests take without it, and some seconds to start
_START = 20.0


@dataclass
class TestRun:
    """What a run of tests gave: the first test that failed, and what the tests did if that was measured."""

    __test__ = False
    passed: bool
    failed: str = ""
    measured: Measured = field(default_factory=Measured)


class _Plugin:
    """Runs the chosen tests in their order, or measures all of them; gives properties few examples."""

    def __init__(self, tests: Tests | None, modules: Mapping[str, Path]) -> None:
        self._order = None if tests is None else {test: place for place, test in enumerate(tests)}
        self._modules = modules
        self._coverage: coverage.Coverage | None = None
        self.run = TestRun(passed=False)

    def start(self) -> None:
        """Begin to note which test runs which line."""
        if self._modules:
            paths = [*map(str, self._modules.values())]
            self._coverage = coverage.Coverage(data_file=None, config_file=False, include=paths)
            self._coverage.start()

    def stop(self) -> None:
        """Put what was noted into the run's result."""
        if self._coverage is None:
            return
        self._coverage.stop()
        data = self._coverage.get_data()
        places = {test: place for place, test in enumerate(self.run.measured.seconds)}
        for module, path in self._modules.items():
            lines = data.contexts_by_lineno(str(path))
            self.run.measured.lines[module] = {
                str(line): sorted(places[test] for test in tests if test in places) for line, tests in lines.items()
            }

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        if self._coverage is not None:
            self._coverage.switch_context(item.nodeid)
        return (yield)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if self._order is not None:
            items[:] = [item for item in items if item.nodeid in self._order]
            items.sort(key=lambda item: self._order[item.nodeid])
        for item in items:
            function: Any = getattr(item, "obj", None)
            function = getattr(function, "__func__", function)  # of a method
            if hypothesis.is_hypothesis_test(function):
                given = function._hypothesis_internal_use_settings  # noqa: SLF001
                few = min(_FEW_EXAMPLES, given.max_examples if given else _FEW_EXAMPLES)
                function._hypothesis_internal_use_settings = hypothesis.settings(  # noqa: SLF001
                    given, max_examples=few, database=None, deadline=None,
                    phases=(hypothesis.Phase.explicit, hypothesis.Phase.generate),
                )  # fmt: skip

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        seconds = self.run.measured.seconds
        seconds[report.nodeid] = seconds.get(report.nodeid, 0) + report.duration
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

    def start(self, files: Iterable[str], tests: Tests | None, measured: Iterable[str] = ()) -> Connection:
        """Start to run tests of some files, until one fails; the `TestRun` comes out of the connection.

        Without `tests`, all of the files' are run; `measured` are modules whose lines are noted.
        """
        fork = multiprocessing.get_context("fork")
        here, there = fork.Pipe(duplex=False)
        plugin = _Plugin(tests, {module: self._directory / "wrkparse" / module for module in measured})
        self._process = fork.Process(target=_run_tests, args=(self._directory, [*files], plugin, there))
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

    @property
    def output(self) -> str:
        """What the last run printed."""
        return (self._directory / _OUTPUT).read_text(encoding="utf-8", errors="replace")

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
    with Path(_OUTPUT).open("w", encoding="utf-8") as output:
        os.dup2(output.fileno(), 1)
        os.dup2(output.fileno(), 2)
    options = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--hypothesis-seed=0", "--assert=plain"]
    plugin.start()
    code = pytest.main([*options, *(f"tests/{file}" for file in files)], plugins=[plugin])
    plugin.stop()
    plugin.run.passed = code == pytest.ExitCode.OK
    answer.send(plugin.run)


class Runner:
    """Runs the tests against mutants, some at a time; each module has its test files."""

    def __init__(
        self, directory: Path, tests: Mapping[str, Sequence[str]], measured: dict[str, Measured], jobs: int
    ) -> None:
        self._tests, self._measured = tests, measured
        self._texts = {module: (ROOT / "wrkparse" / module).read_bytes() for module in tests}
        self._copies = [Copy(directory / str(number)) for number in range(jobs)]
        self._kills: Counter[str] = Counter()

    def close(self) -> None:
        """End what runs."""
        for copy in self._copies:
            copy.end()

    def measure(self, modules: Iterable[str]) -> Iterator[str]:
        """Run the test files of some modules without a mutant, and yield each: its tests must pass."""
        files = {file for module in modules for file in self._tests[module]}
        for file in sorted(files - self._measured.keys()):
            run = _received(self._copies[0].start([file], None, self._tests))
            self._copies[0].end()
            if not run.passed:
                sys.exit(f"without a mutant {run.failed or file} fails:\n{self._copies[0].output[-2000:]}")
            self._measured[file] = run.measured
            yield file

    def run(self, mutants: Iterable[Mutant]) -> Iterator[tuple[Mutant, str, str]]:
        """Each mutant with what became of it, and the test that killed it; in the order in which they end."""
        waiting, idle = iter(mutants), list(self._copies)
        running: dict[Connection, tuple[Mutant, Copy, float, Tests]] = {}  # the last: tests that are run after these
        while True:
            for mutant in islice(waiting, len(idle)):
                copy = idle.pop()
                copy.change(mutant)
                files = {file: self._measured[file] for file in self._tests[mutant.module]}
                first, others = tests_for(mutant, self._texts, files, self._kills)
                running[_start(copy, first or others)] = mutant, copy, _end(first or others), others if first else {}
            if not running:
                return
            ready = wait(list(running), max(0.0, min(end for _, _, end, _ in running.values()) - time.monotonic()))
            for connection in list(running):
                mutant, copy, end, others = running[connection]
                if connection not in ready and time.monotonic() < end:
                    continue
                run = _received(connection) if connection in ready else None
                del running[connection]
                copy.end()
                if run is not None and run.passed and others:
                    running[_start(copy, others)] = mutant, copy, _end(others), {}
                    continue
                copy.change(None)
                idle.append(copy)
                if run is None:
                    yield mutant, TIMED_OUT, ""
                elif run.passed:
                    yield mutant, SURVIVED, ""
                else:
                    self._kills[run.failed] += 1
                    yield mutant, KILLED, run.failed


def _start(copy: Copy, tests: Tests) -> Connection:
    return copy.start(sorted({file_of(test) for test in tests}), tests)


def _end(tests: Tests) -> float:
    """When tests that are started now have taken too long."""
    return time.monotonic() + _START + _PATIENCE * sum(tests.values())

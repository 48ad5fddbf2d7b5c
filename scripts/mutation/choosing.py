"""Which tests are run for a mutant, and in which order: those that run its line, the fastest first."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TypeGuard

from mutants import Mutant

_FIRST_FILES, _FIRST_SECONDS = 2, 5.0  # of the tests that are tried first: pytest takes seconds to collect all files
# That the tests of one mutant may have taken when they were measured, at a third of their speed; slower ones are left
# out.
_SECONDS = 80.0
_SHORT = 9.0  # seconds of all tests of a short file, measured in the same way

Tests = Mapping[str, float]
"""Tests, by their pytest names, in the order in which they are run, with the seconds that each takes."""


@dataclass
class Measured:
    """What the tests of a file do without a mutant: their seconds, and which of them run each line of each module.

    Tests are numbered in the order of ``seconds``; the lines are texts, as JSON has them.
    """

    seconds: dict[str, float] = field(default_factory=dict)
    lines: dict[str, dict[str, list[int]]] = field(default_factory=dict)

    def tests_of(self, module: str, line: int) -> list[str]:
        """The tests that run a line."""
        names = [*self.seconds]
        return [names[place] for place in self.lines.get(module, {}).get(str(line), ())]


def tests_for(
    mutant: Mutant, texts: Mapping[str, bytes], files: Mapping[str, Measured], kills: Mapping[str, int]
) -> tuple[Tests, Tests]:
    """The tests for a mutant: some that are likely to kill it, and the others.

    In each part those come first that have killed most other mutants, then those of short files, which test the core
    itself rather than many logs, then the fastest. A line may have run only when a module was imported, or for the
    first test of a file, since its result is kept. So where few tests run it, others are added.
    """
    lines = _lines(mutant, texts, files)
    running = {test for file in files.values() for line in lines for test in file.tests_of(*line)}
    seconds = {test: taken for file in files.values() for test, taken in file.seconds.items()}
    long = {name for name, file in files.items() if sum(file.seconds.values()) > _SHORT}

    def rank(test: str) -> tuple[bool, int, bool, float]:
        return test not in running, -kills.get(test, 0), file_of(test) in long, seconds[test]

    order = sorted(seconds, key=rank)
    chosen = _within(_SECONDS, order[: len(running)], seconds)
    weights: Counter[str] = Counter()
    for test in chosen:
        weights[file_of(test)] += 1 + 100 * kills.get(test, 0)
    likely = {file for file, _ in weights.most_common(_FIRST_FILES)}
    first = _within(_FIRST_SECONDS, [test for test in chosen if file_of(test) in likely], seconds)
    if len(running) <= len(files):
        chosen += _within(_SECONDS, order[len(running) :], seconds)
    tried = set(first)
    return {test: seconds[test] for test in first}, {test: seconds[test] for test in chosen if test not in tried}


def file_of(test: str) -> str:
    """The file of a test, below ``tests/``."""
    return test.partition("::")[0].removeprefix("tests/")


def _lines(mutant: Mutant, texts: Mapping[str, bytes], files: Mapping[str, Measured]) -> list[tuple[str, int]]:
    """The modules and lines that a mutant changes: its own, or those that name a module's constant."""
    for node in ast.parse(texts[mutant.module]).body:
        if node.lineno <= mutant.line <= (node.end_lineno or 0) and isinstance(node, ast.Assign):
            names = "|".join(found.id for target in node.targets for found in ast.walk(target) if _is_name(found))
            return [
                (module, number)
                for module, text in texts.items()
                for number, line in enumerate(text.decode().splitlines(), 1)
                if re.search(rf"\b(?:{names})\b", line)
            ]
    # a statement of several lines begins above the mutant's
    known = {int(line) for file in files.values() for line in file.lines.get(mutant.module, ())}
    return [(mutant.module, max((line for line in known if line <= mutant.line), default=mutant.line))]


def _is_name(node: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name)


def _within(limit: float, tests: Sequence[str], seconds: Mapping[str, float]) -> list[str]:
    """The first of these tests, until they take too long together."""
    taken = accumulate(seconds[test] for test in tests)
    return [test for test, total in zip(tests, taken, strict=True) if total <= limit]

"""``scripts/mutate``: shows which errors in the reading core no test would notice.

Changes one operator, constant, condition, result or statement of the reading core at a time (a mutant), and runs the
tests that run the changed line. --jobs mutants run at a time, in copies of the package in a temporary directory. A
mutant is killed if a test fails or takes too long. For each mutant that survives, write a test; or, if no caller can
notice it, list it in scripts/mutation/equivalent.toml with the reason: it counts no more.

    scripts/mutate --sample 80                             # 80 mutants of all modules; --seed N takes others
    scripts/mutate --module parse/reports/matcher.py               # all mutants of one module
    scripts/mutate --module text/torn.py --lines 40-60     # all mutants of some lines

Exit status: 0 if at least --least percent were killed, 1 if fewer, 3 if --seconds ended the run too early.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import signal
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

import which_tests
from choosing import Measured
from mutants import Mutant, mutants_of
from running import KILLED, ROOT, SURVIVED, TIMED_OUT, Runner

_EQUIVALENT = Path(__file__).with_name("equivalent.toml")


def main() -> int:
    """Choose mutants, run them, print what became of them and the score."""
    options = _options()
    texts = {module: (ROOT / "wrkparse" / module).read_bytes() for module in which_tests.FILES}
    chosen = _chosen(options, texts)
    keep = _Kept(options.keep, texts)
    outcomes = {mutant: known for mutant in chosen if (known := keep.outcome(mutant))}
    began = time.monotonic()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))
    with ExitStack() as stack:
        directory = stack.enter_context(tempfile.TemporaryDirectory(prefix="wrkparse-mutants-"))
        runner = stack.enter_context(closing(Runner(Path(directory), which_tests.FILES, keep.measured, options.jobs)))
        waiting = [mutant for mutant in chosen if mutant not in outcomes]
        for file in runner.measure({mutant.module for mutant in waiting}):
            seconds = keep.measured[file].seconds.values()
            print(f"{file}: {len(seconds)} tests in {sum(seconds):.1f} s", flush=True)
            keep.save()
        for mutant, outcome, test in runner.run(_until(began + options.seconds, waiting)):
            outcomes[mutant] = outcome
            keep.add(mutant, outcome, test)
            print(f"{outcome:9}  wrkparse/{mutant.module}:{mutant.line}  {mutant.kind}  {test}", flush=True)
    return _summed_up(outcomes, texts, len(chosen), options.least)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="scripts/mutate",
        description=str(__doc__).split("\n\n", 1)[1],
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--sample", type=int, metavar="N", help="run N mutants, chosen at random (default: all)")
    add("--seed", type=int, default=1, metavar="N", help="seed of the choice (default: 1)")
    add("--module", action="append", choices=sorted(which_tests.FILES), metavar="FILE", help="only this; repeatable")
    add("--lines", type=_range, default=range(1, sys.maxsize), metavar="FROM-TO", help="only mutants of these lines")
    add("--jobs", type=int, default=2, metavar="N", help="mutants that run at a time (default: 2)")
    add("--least", type=float, default=85.0, metavar="PERCENT", help="share that must be killed (default: 85)")
    add("--seconds", type=float, default=float("inf"), metavar="N", help="start no mutant after this time")
    add("--keep", type=Path, metavar="FILE", help="keep results in this file; the next run goes on from there")
    add("--list", action="store_true", help="print the mutants and run nothing")
    return parser.parse_args()


def _range(text: str) -> range:
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def _chosen(options: argparse.Namespace, texts: dict[str, bytes]) -> list[Mutant]:
    mutants = [
        mutant
        for module in options.module or sorted(texts)
        for mutant in mutants_of(module, texts[module])
        if mutant.line in options.lines
    ]
    if options.sample is not None and options.sample < len(mutants):
        mutants = sorted(random.Random(options.seed).sample(mutants, options.sample))
    # After the choice, so that an entry in the list does not make it another one.
    known, equivalent = len(mutants), _equivalent(texts)
    mutants = [mutant for mutant in mutants if mutant not in equivalent]
    if not options.list:
        print(f"{len(mutants)} mutants, and {known - len(mutants)} that are known to be equivalent", flush=True)
    if options.list:
        for mutant in mutants:
            print(f"wrkparse/{mutant.module}:{mutant.line}:", " → ".join(mutant.changed_lines(texts[mutant.module])))
        sys.exit(0)
    return mutants


def _equivalent(texts: dict[str, bytes]) -> set[Mutant]:
    """The mutants that the list of equivalent ones names; each of its entries must name at least one."""
    entries = tomllib.loads(_EQUIVALENT.read_text(encoding="utf-8"))["equivalent"]
    found: set[Mutant] = set()
    for entry in entries:
        module = entry["module"]
        named = {mutant for mutant in mutants_of(module, texts[module]) if _names(entry, mutant, texts[module])}
        if not named:
            sys.exit(f"{_EQUIVALENT.name}: no mutant of wrkparse/{module} is this one: {entry}")
        found |= named
    return found


def _names(entry: dict[str, Any], mutant: Mutant, text: bytes) -> bool:
    old, new = mutant.changed_lines(text)
    return old == entry["line"] and new in entry.get("mutants", [new])


def _until(end: float, mutants: Iterable[Mutant]) -> Iterator[Mutant]:
    for mutant in mutants:
        if time.monotonic() > end:
            return
        yield mutant


class _Kept:
    """What is known from earlier runs, in a file if there is one."""

    def __init__(self, path: Path | None, texts: dict[str, bytes]) -> None:
        self._path, self._texts = path, texts
        names = {name for some in which_tests.FILES.values() for name in some}
        # As they are now, when they are copied: they may be edited while mutants run.
        self._files = {name: (ROOT / "tests" / name).read_bytes() for name in names}
        known = json.loads(path.read_text(encoding="utf-8")) if path and path.exists() else {}
        self._outcomes: dict[str, str] = known.get("outcomes", {})
        self.measured = {
            file: Measured(each["seconds"], each["lines"])
            for file, each in known.get("measured", {}).items()
            if file in self._files and each["digest"] == self._digest(file)
        }

    def outcome(self, mutant: Mutant) -> str | None:
        """What became of a mutant: killed of the same module, or survived the same tests."""
        killed = self._outcomes.get(self._key(mutant, b""))
        return killed or self._outcomes.get(self._key(mutant, self._tests(mutant)))

    def add(self, mutant: Mutant, outcome: str, test: str) -> None:
        """Add what became of a mutant."""
        self._outcomes[self._key(mutant, self._tests(mutant) if outcome == SURVIVED else b"")] = outcome
        self.save()

    def save(self) -> None:
        """Write the file."""
        if self._path is not None:
            measured = {file: asdict(each) | {"digest": self._digest(file)} for file, each in self.measured.items()}
            text = json.dumps({"measured": measured, "outcomes": self._outcomes})
            self._path.write_text(text, encoding="utf-8")

    def _digest(self, file: str) -> str:
        """What the measurements of a test file depend on."""
        return hashlib.blake2b(b"\0".join([self._files[file], *self._texts.values()]), digest_size=8).hexdigest()

    def _key(self, mutant: Mutant, tests: bytes) -> str:
        text = mutant.applied(self._texts[mutant.module])
        return f"{mutant.module}:{hashlib.blake2b(text + tests, digest_size=8).hexdigest()}"

    def _tests(self, mutant: Mutant) -> bytes:
        return b"".join(self._files[file] for file in which_tests.FILES[mutant.module])


def _summed_up(outcomes: dict[Mutant, str], texts: dict[str, bytes], wanted: int, least: float) -> int:
    survivors = sorted(mutant for mutant, outcome in outcomes.items() if outcome == SURVIVED)
    for mutant in survivors:
        print(f"\nsurvived: wrkparse/{mutant.module}:{mutant.line}\n{mutant.diff(texts[mutant.module])}")
    _table(outcomes)
    if len(outcomes) < wanted:
        print(f"{wanted - len(outcomes)} of {wanted} mutants were not run")
        return 3
    return int(_score(list(outcomes.values())) < least)


def _table(outcomes: dict[Mutant, str]) -> None:
    print(f"\n{'module':28} {KILLED:>9} {TIMED_OUT:>9} {SURVIVED:>9}   score")
    for module in [*sorted({mutant.module for mutant in outcomes}), ""]:
        some = [outcome for mutant, outcome in outcomes.items() if not module or mutant.module == module]
        counts = Counter(some)
        columns = " ".join(f"{counts[outcome]:9}" for outcome in (KILLED, TIMED_OUT, SURVIVED))
        print(f"{module or 'all':28} {columns}   {_score(some):.1f} %")


def _score(outcomes: Sequence[str]) -> float:
    """Percent of mutants that were killed."""
    return 100 * sum(outcome != SURVIVED for outcome in outcomes) / len(outcomes) if outcomes else 100.0


if __name__ == "__main__":
    sys.exit(main())

"""``scripts/bench``: wrkparse beside other ways to read the same text, on inputs that are made from a seed.

Each reader gets each input in a fresh process on one processor, in turns, several rounds; the table shows medians.
What counts is processor time (user and system), imports left out: it is the same on a busy machine. All readers must
find the same rows and the same sum of every column. The ratios are how many times as fast ours is.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import inputs
from reports import REPORTS

HERE = Path(__file__).parent
# MB of each trace, reports in a document or in files of their own.
SIZES = {"small": (0.3, 40), "medium": (100.0, 20_000), "large": (1000.0, 100_000)}
_ENGLISH = {**os.environ, "LC_ALL": "C"}

Result = dict[str, Any]


class Case(NamedTuple):
    """An input, how to make it, and what to look for with grep."""

    kind: str
    make: Callable[[int, int, int, Path], inputs.Input]
    grep: str | None = None


def _trace(kind: str, procs: int = 8, **how: Any) -> Case:
    gc = kind == "gctrace"
    rows = inputs.gctrace if gc else partial(inputs.schedtrace, procs=procs)
    columns = inputs.GC_COLUMNS if gc else inputs.SCHED_COLUMNS

    def make(seed: int, size: int, count: int, path: Path) -> inputs.Input:
        return inputs.trace(path, seed, size, rows, columns, **how)

    return Case(kind, make, "gc [0-9][0-9]* @" if gc else "SCHED [0-9][0-9]*ms:")


def _reports(tool: str, *, files: bool) -> Case:
    def make(seed: int, size: int, count: int, path: Path) -> inputs.Input:
        return inputs.reports(path, seed, tool, count, files=files)

    return Case("reports", make)


CASES = {
    "gctrace": _trace("gctrace"),
    "gctrace-stamped": _trace("gctrace", stamped=True),
    "gctrace-mixed": _trace("gctrace", one_in=2),
    "gctrace-mixed-stamped": _trace("gctrace", one_in=2, stamped=True),
    "gctrace-sparse": _trace("gctrace", one_in=1000),
    "schedtrace-8": _trace("schedtrace", 8),
    "schedtrace-64": _trace("schedtrace", 64),
    **{f"{tool}-document": _reports(tool, files=False) for tool in REPORTS},
    **{f"{tool}-files": _reports(tool, files=True) for tool in REPORTS},
}


def _commands(case: Case, path: Path, go: Path | None) -> Iterator[tuple[str, list[str]]]:
    """The readers of a case, each as a command."""
    for reader in ("ours", "re"):
        yield reader, [sys.executable, str(HERE / "child.py"), reader, case.kind, str(path)]
    if case.grep and shutil.which("grep"):
        yield "grep -c", ["grep", "-c", case.grep, str(path)]
    if case.kind == "gctrace" and go:
        yield "go regexp", [str(go), str(path)]


def _run(command: list[str], core: int | None) -> Result:
    """One reading: what it printed, its processor and wall seconds, its peak memory."""
    pin = None if core is None else partial(os.sched_setaffinity, 0, {core})
    started = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=_ENGLISH, preexec_fn=pin) as process:  # noqa: PLW1509
        assert process.stdout
        output = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - started
    if process.returncode:
        sys.exit(f"{' '.join(command)}: exit status {process.returncode}")
    told = json.loads(output)
    result = told if isinstance(told, dict) else {"rows": told}
    peak = used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return {"cpu_s": used.ru_utime + used.ru_stime, "wall_s": wall, "peak_bytes": peak, **result}


def _checked(name: str, reader: str, result: Result, given: inputs.Input) -> None:
    """Stop if a reader did not find what is there."""
    sums = result.pop("sums", None)
    if isinstance(sums, list):
        sums = dict(zip(given.sums, sums, strict=True))
    wrong = [] if sums is None else [column for column, total in given.sums.items() if sums.get(column) != total]
    if result["rows"] != given.rows or wrong:
        sys.exit(
            f"{name}: {reader} found {result['rows']} of {given.rows} rows; other sums: {', '.join(wrong) or 'none'}"
        )


def _measured(given: dict[str, inputs.Input], rounds: int, core: int | None, go: Path | None) -> list[Result]:
    """A row for each case and reader: the medians of all rounds."""
    found: dict[tuple[str, str], list[Result]] = {}
    for turn in range(rounds):
        for name, made in given.items():
            for reader, command in _commands(CASES[name], made.paths[0], go):
                _tell(f"round {turn + 1} of {rounds}: {name}, {reader}")
                result = _run(command, core)
                _checked(name, reader, result, made)
                found.setdefault((name, reader), []).append(result)
    rows = []
    for (name, reader), results in found.items():
        median = {key: statistics.median(r[key] for r in results) for key in ("cpu_s", "wall_s", "peak_bytes")}
        rate = given[name].size / 1e6 / max(median["cpu_s"], 1e-9)
        rows.append({"case": name, "reader": reader, "bytes": given[name].size, "mb_per_s": rate, **median})
    for row in rows:
        ours = next(r for r in rows if r["case"] == row["case"] and r["reader"] == "ours")
        row["ours_is_faster_by"] = row["cpu_s"] / max(ours["cpu_s"], 1e-9)
    return rows


def _build(directory: Path) -> Path | None:
    """The Go program, if Go is there."""
    if not shutil.which("go"):
        _tell("no Go on this machine: its regular-expression loop is left out")
        return None
    program = directory / "goregexp"
    subprocess.run(["go", "build", "-o", str(program.resolve()), "main.go"], cwd=HERE / "goregexp", check=True)  # noqa: S607
    return program


def _table(rows: list[Result]) -> str:
    lines = ["| input | MB | reader | CPU s | MB/s | peak MB | ours is faster by |", "|---|--:|---|--:|--:|--:|--:|"]
    for row in rows:
        ratio = "" if row["reader"] == "ours" else f"{row['ours_is_faster_by']:.2f}"
        lines.append(
            f"| {row['case']} | {row['bytes'] / 1e6:.0f} | {row['reader']} | {row['cpu_s']:.2f} "
            f"| {row['mb_per_s']:.0f} | {row['peak_bytes'] / 1e6:.0f} | {ratio} |"
        )
    return "\n".join(lines)


def _tell(text: str) -> None:
    print(text, file=sys.stderr)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="scripts/bench", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument(
        "cases", nargs="*", metavar="INPUT", help=f"which inputs, all if none is named: {' '.join(CASES)}"
    )
    parser.add_argument("--size", choices=SIZES, default="medium", help="0.3, 100 or 1000 MB of each trace")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--core", type=int, default=0, help="the processor to use; -1: any")
    parser.add_argument("--directory", type=Path, default=Path("build/bench"), help="where inputs are kept")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures there too")
    arguments = parser.parse_args()
    if unknown := set(arguments.cases) - set(CASES):
        parser.error(f"no such input: {', '.join(sorted(unknown))}; choose from {' '.join(CASES)}")
    return arguments


def main() -> None:
    """Make what is missing, measure, print."""
    arguments = _arguments()
    megabytes, count = SIZES[arguments.size]
    size = int(megabytes * 1e6)
    given = {}
    for name in arguments.cases or CASES:
        case = CASES[name]
        _tell(f"input {name}")
        make = partial(case.make, arguments.seed, size, count)
        number = count if case.kind == "reports" else size
        given[name] = inputs.kept(arguments.directory, name, arguments.seed, number, make)
    core = arguments.core if arguments.core >= 0 and hasattr(os, "sched_setaffinity") else None
    rows = _measured(given, arguments.rounds, core, _build(arguments.directory))
    print(_table(rows))
    if arguments.json:
        machine = {"machine": platform.platform(), "python": platform.python_version(), "processors": os.cpu_count()}
        arguments.json.write_text(json.dumps({**machine, "rounds": arguments.rounds, "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()

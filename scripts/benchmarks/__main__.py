"""``scripts/bench``: wrkparse beside other ways to read the same text, and whole commands; inputs are made from a seed.

Each reader gets each input in a fresh process on one processor, in turns, several rounds; the table shows medians.
What counts is processor time (user and system), imports left out: it is the same on a busy machine. All readers must
find the same rows and the same sum of every column. The ratios are how many times as fast wrkparse is.

Whole commands have all processors, and all they take counts; a second table shows them. --peers puts packages of the
public Python registry beside reports in files: wrk-load-tools and wrk2img for wrk and wrk2, jc for time; for ab,
gctrace and schedtrace there is none.
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
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import commands
import inputs
import registry
import shapes
from reports import REPORTS

from wrkparse.tools.columnar.compiled import COMPILED

HERE = Path(__file__).parent
# MB of each trace, reports in a document or in files of their own.
SIZES = {"small": (0.3, 40), "medium": (25.0, 5000), "large": (100.0, 20_000), "huge": (1000.0, 100_000)}
_MEASURES = ("cpu_s", "wall_s", "peak_bytes")
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


def _reports(tool: str, **how: bool) -> Case:
    def make(seed: int, size: int, count: int, path: Path) -> inputs.Input:
        return inputs.reports(path, seed, tool, count, **how)

    return Case("reports", make)


CASES = {
    "gctrace": _trace("gctrace"),
    "gctrace-stamped": _trace("gctrace", stamped=True),
    "gctrace-mixed": _trace("gctrace", one_in=2),
    "gctrace-mixed-stamped": _trace("gctrace", one_in=2, stamped=True),
    "gctrace-sparse": _trace("gctrace", one_in=1000),
    "schedtrace-8": _trace("schedtrace", 8),
    "schedtrace-64": _trace("schedtrace", 64),
    **{f"{tool}-document": _reports(tool) for tool in REPORTS},
    "wrk-page": _reports("wrk", events=True),
    **{f"{tool}-files": _reports(tool, files=True) for tool in REPORTS},
}


def _commands(case: Case, path: Path, go: Path | None, beside: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    """The readers of a case, each as a command."""
    for reader in ("wrkparse", *(["without C"] if COMPILED and case.kind != "reports" else []), "re"):
        yield reader, [sys.executable, str(HERE / "child.py"), reader, case.kind, str(path)]
    if case.grep and shutil.which("grep"):
        yield "grep -c", ["grep", "-c", case.grep, str(path)]
    if case.kind == "gctrace" and go:
        yield "go regexp", [str(go), str(path)]
    tool, _, kind = path.name.partition("-")
    for reader in registry.TOOLS.get(tool, ()):
        if kind.startswith("files") and reader in beside:
            yield reader, [sys.executable, str(HERE / "child.py"), reader, case.kind, str(path)]


def _run(command: list[str], core: int | None) -> Result:
    """One reading: what it printed, its processor and wall seconds, its peak memory."""
    output, spent = _spent(command, core)
    told = json.loads(output)
    return spent | (told if isinstance(told, dict) else {"rows": told})


def _spent(command: list[str], core: int | None = None, fine: tuple[int, ...] = (0,)) -> tuple[bytes, Result]:
    """What a command printed, and its processor and wall seconds and peak memory."""
    pin = None if core is None else partial(os.sched_setaffinity, 0, {core})
    started = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=_ENGLISH, preexec_fn=pin) as process:  # noqa: PLW1509
        assert process.stdout
        output = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - started
    if process.returncode not in fine:
        sys.exit(f"{' '.join(command)}: exit status {process.returncode}")
    peak = used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return output, {"cpu_s": used.ru_utime + used.ru_stime, "wall_s": wall, "peak_bytes": peak}


def _checked(name: str, reader: str, result: Result, given: inputs.Input) -> None:
    """Stop if a reader did not find what is there."""
    sums = result.pop("sums", None)
    if isinstance(sums, list):
        sums = dict(zip(given.sums, sums, strict=True))
    expected = (
        given.sums if sums is None or reader not in registry.READERS else {name: given.sums[name] for name in sums}
    )
    wrong = [] if sums is None else [column for column, total in expected.items() if sums.get(column) != total]
    if result["rows"] != given.rows or wrong:
        sys.exit(
            f"{name}: {reader} found {result['rows']} of {given.rows} rows; other sums: {', '.join(wrong) or 'none'}"
        )


def _measured(
    given: dict[str, inputs.Input], rounds: int, core: int | None, go: Path | None, beside: Iterable[str]
) -> list[Result]:
    """A row for each case and reader: the medians of all rounds."""
    found: dict[tuple[str, str], list[Result]] = {}
    for turn in range(rounds):
        for name, made in given.items():
            for reader, command in _commands(CASES[name], made.paths[0], go, beside):
                _tell(f"round {turn + 1} of {rounds}: {name}, {reader}")
                result = _run(command, core)
                _checked(name, reader, result, made)
                found.setdefault((name, reader), []).append(result)
    rows = []
    for (name, reader), results in found.items():
        median = {key: statistics.median(r[key] for r in results) for key in _MEASURES}
        rate = given[name].size / 1e6 / max(median["cpu_s"], 1e-9)
        rows.append({"case": name, "reader": reader, "bytes": given[name].size, "mb_per_s": rate, **median})
    for row in rows:
        baseline = next(r for r in rows if r["case"] == row["case"] and r["reader"] == "wrkparse")
        row["wrkparse_is_faster_by"] = row["cpu_s"] / max(baseline["cpu_s"], 1e-9)
    return rows


def _measured_commands(work: commands.Work, wanted: Iterable[str], rounds: int) -> list[Result]:
    """A row for each command: the medians of all rounds."""
    found: dict[str, list[Result]] = {}
    steps = list(commands.steps(work, wanted))
    for turn in range(rounds):
        for step in steps:
            _tell(f"round {turn + 1} of {rounds}: {step.name}")
            step.before()
            found.setdefault(step.name, []).append(_spent(step.command, fine=(0, step.also_fine))[1])
    rows = []
    for step in steps:
        median = {key: statistics.median(r[key] for r in found[step.name]) for key in _MEASURES}
        rows.append({"command": step.name, "against": step.against, **median})
    for row in rows:
        other = next((r for r in rows if r["command"] == row["against"]), None)
        row["cpu_ratio"], row["wall_ratio"] = (
            (row[key] / max(other[key], 1e-9) if other else None) for key in ("cpu_s", "wall_s")
        )
    return rows


def _build(directory: Path) -> Path | None:
    """The Go program, if Go is there."""
    if not shutil.which("go"):
        _tell("no Go on this machine: its regular-expression loop is left out")
        return None
    program = directory / "goregexp"
    subprocess.run(["go", "build", "-o", str(program.resolve()), "main.go"], cwd=HERE / "goregexp", check=True)  # noqa: S607
    return program


def _command_table(rows: list[Result]) -> str:
    lines = ["| command | CPU s | wall s | peak MB | CPU, wall against |", "|---|--:|--:|--:|---|"]
    for row in rows:
        ratio = f"{row['cpu_ratio']:.2f}, {row['wall_ratio']:.2f} × {row['against']}" if row["against"] else ""
        lines.append(
            f"| {row['command']} | {row['cpu_s']:.2f} | {row['wall_s']:.2f} | {row['peak_bytes'] / 1e6:.0f} | {ratio} |"
        )
    return "\n".join(lines)


def _table(rows: list[Result]) -> str:
    lines = [
        "| input | MB | reader | CPU s | MB/s | peak MB | wrkparse is faster by |",
        "|---|--:|---|--:|--:|--:|--:|",
    ]
    for row in rows:
        ratio = "" if row["reader"] == "wrkparse" else f"{row['wrkparse_is_faster_by']:.2f}"
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
        "cases", nargs="*", metavar="WHAT",
        help=f"all if none is named\ninputs to read: {' '.join(CASES)}\ncommands: {' '.join(commands.GROUPS)}",
    )  # fmt: skip
    sizes = ", ".join(f"{name} {size:g} MB and {count}" for name, (size, count) in SIZES.items())
    parser.add_argument("--size", choices=SIZES, default="medium", help=f"of a trace, and how many reports: {sizes}")
    parser.add_argument("--megabytes", type=float, help="of a trace, whatever --size says")
    parser.add_argument("--reports", type=int, help="how many reports, whatever --size says")
    parser.add_argument("--jobs", type=int, default=commands.cores(), help="of the commands; as many as processors")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--core", type=int, default=0, help="the processor for readers; -1: any")
    parser.add_argument("--peers", action="store_true", help="other packages too; they are installed beside the inputs")
    parser.add_argument("--directory", type=Path, default=Path("build/bench"), help="where inputs are kept")
    parser.add_argument("--shapes", type=float, metavar="MB", help="only so much of each text that costs the most")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures there too")
    arguments = parser.parse_args()
    if unknown := set(arguments.cases) - set(CASES) - set(commands.GROUPS):
        known = " ".join((*CASES, *commands.GROUPS))
        parser.error(f"no such input or command: {', '.join(sorted(unknown))}; choose from {known}")
    return arguments


def main() -> None:
    """Make what is missing, measure, print."""
    arguments = _arguments()
    if arguments.shapes:
        print(shapes.table(int(arguments.shapes * 1e6), arguments.seed))
        return
    megabytes, count = SIZES[arguments.size]
    megabytes, count = arguments.megabytes or megabytes, arguments.reports or count
    wanted = arguments.cases or [*CASES, *commands.GROUPS]
    rows, whole = _readers(arguments, wanted, int(megabytes * 1e6), count), []
    if groups := [name for name in commands.GROUPS if name in wanted]:
        arguments.directory.mkdir(parents=True, exist_ok=True)
        work = commands.Work(arguments.directory, arguments.seed, megabytes, count, count, arguments.jobs)
        whole = _measured_commands(work, groups, arguments.rounds)
    print("\n\n".join(table(some) for table, some in ((_table, rows), (_command_table, whole)) if some))
    if arguments.json:
        machine = {"machine": platform.platform(), "python": platform.python_version(), "processors": os.cpu_count()}
        told = {**machine, "rounds": arguments.rounds, "rows": rows, "commands": whole}
        arguments.json.write_text(json.dumps(told, indent=1) + "\n")


def _readers(arguments: argparse.Namespace, wanted: Iterable[str], size: int, count: int) -> list[Result]:
    """The readers on the wanted inputs."""
    given = {}
    for name in (name for name in CASES if name in wanted):
        case = CASES[name]
        _tell(f"input {name}")
        make = partial(case.make, arguments.seed, size, count)
        number = count if case.kind == "reports" else size
        given[name] = inputs.kept(arguments.directory, name, arguments.seed, number, make)
    if not given:
        return []
    core = arguments.core if arguments.core >= 0 and hasattr(os, "sched_setaffinity") else None
    places = registry.install(arguments.directory) if arguments.peers else {}
    _ENGLISH["PYTHONPATH"] = os.pathsep.join(filter(None, (*map(str, places.values()), os.environ.get("PYTHONPATH"))))
    return _measured(given, arguments.rounds, core, _build(arguments.directory), places)


if __name__ == "__main__":
    main()

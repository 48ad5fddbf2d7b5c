"""Whole commands, as a person types them: start-up, reading, writing the store, the audit and all.

Each is a process; its processor time is its own and that of the processes it started, its memory the largest of them.
"""

from __future__ import annotations

import os
import random
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import inputs

ROOT = Path(__file__).parents[2]
_PER_FILE = 500
_SERVERS = ("nginx", "fasthttp", "varnish", "haskell", "gunicorn", "tomcat", "node.js", "actix")


class Step(NamedTuple):
    """A command to be measured; what comes before it is not. ``against`` is the step that it is compared with.

    Exit status 1 of the audit says that a run is invalid.
    """

    name: str
    command: list[str]
    before: Callable[[], None]
    against: str = ""
    also_fine: int = 0  # exit status


class Work(NamedTuple):
    """Where the commands work, and how much they get."""

    directory: Path
    seed: int
    megabytes: float
    runs: int
    files: int
    jobs: int


def study(directory: Path, seed: int, count: int) -> Path:
    """So many reports of wrk in documents: eight servers on 1 to 32 cores under three loads."""
    root = directory / f"study-{seed}-{count}"
    if not root.exists():
        making = root.with_suffix(".making")
        making.mkdir(parents=True)
        runs = _runs(random.Random(seed), count)
        number = 0
        while texts := list(islice(runs, _PER_FILE)):
            (making / f"{number:04d}.md").write_text("".join(texts))
            number += 1
        making.rename(root)
    return root


def _runs(rng: random.Random, count: int) -> Iterator[str]:
    for _ in range(count):
        server, cores, connections = rng.randrange(8), 2 ** rng.randrange(6), rng.choice((64, 256, 1024))
        rate = (3000 + 300 * server) * cores / (1 + 0.03 * (cores - 1)) * rng.uniform(0.95, 1.05)
        mean_ms = 1e3 * connections / rate
        requests = int(rate * 10.1)
        yield (
            f"## {_SERVERS[server]}\n\n```console\n$ GOMAXPROCS={cores} ./server &\n"
            f"$ wrk -t8 -c{connections} -d10s http://10.0.1.70:8080/hello\n"
            "Running 10s test @ http://10.0.1.70:8080/hello\n"
            f"  8 threads and {connections} connections\n"
            "  Thread Stats   Avg      Stdev     Max   +/- Stdev\n"
            f"    Latency   {mean_ms:.2f}ms  {mean_ms / 4:.2f}ms  {3 * mean_ms:.2f}ms   83.29%\n"
            f"    Req/Sec   {rate / 8e3:.2f}k   {rate / 1e5:.2f}k   {rate / 7e3:.2f}k    78.34%\n"
            f"  {requests} requests in 10.10s, {requests * 180 / 2**20:.2f}MB read\n"
            f"Requests/sec: {rate:.2f}\nTransfer/sec: {rate * 180 / 2**20:.2f}MB\n```\n\n"
        )


def steps(work: Work, wanted: Iterable[str]) -> Iterator[Step]:
    """The steps of the wanted groups, with those that they need before them."""
    for name, group in GROUPS.items():
        if name in wanted:
            yield from group(work)


def _wrkparse(*words: object) -> list[str]:
    return [sys.executable, "-m", "wrkparse", *map(str, words)]


def _nothing() -> None:
    pass


def _without(*stores: Path) -> None:
    for store in stores:
        store.unlink(missing_ok=True)


def _started(work: Work) -> Iterator[Step]:
    store = work.directory / "data.duckdb"
    yield Step("python -c 'import click'", [sys.executable, "-c", "import click"], _nothing)
    yield Step("wrkparse --help", _wrkparse("--help"), _nothing, "python -c 'import click'")
    yield Step("wrkparse ingest data/", _wrkparse("ingest", "-q", ROOT / "data", "-o", store), partial(_without, store))
    yield Step("wrkparse runs, of data/", _wrkparse("runs", store), _nothing)


def _large(work: Work) -> Iterator[Step]:
    size = int(work.megabytes * 1e6)
    make = partial(inputs.trace, seed=work.seed, size=size, rows=inputs.gctrace, columns=inputs.GC_COLUMNS)
    log = inputs.kept(work.directory, "gctrace", work.seed, size, make).paths[0]
    store, other = work.directory / "trace.duckdb", work.directory / "jobs.duckdb"
    child = str(Path(__file__).with_name("child.py"))
    alone = "read one log, keep nothing"
    yield Step(alone, [sys.executable, child, "through", "gctrace", str(log)], _nothing)
    yield Step("the same by two threads", [sys.executable, child, "shared", "gctrace", str(log)], _nothing, alone)
    one = "ingest one log, --jobs 1"
    ingest = partial(_wrkparse, "ingest", "-q", log)
    yield Step(one, ingest("--jobs", 1, "-o", store), partial(_without, store), alone)
    yield Step(
        f"ingest one log, --jobs {work.jobs}", ingest("--jobs", work.jobs, "-o", other), partial(_without, other), one
    )
    yield Step("ingest it again, unchanged", ingest("-o", store), _nothing)
    yield Step("gc, all its cycles", _wrkparse("gc", "--store", store), _nothing)
    yield Step("audit, all its cycles", _wrkparse("audit", "--store", store), _nothing, also_fine=1)


def _many(work: Work) -> Iterator[Step]:
    make = partial(inputs.reports, seed=work.seed, tool="wrk", count=work.files, files=True)
    folder = inputs.kept(work.directory, "wrk-files", work.seed, work.files, make).paths[0]
    store, other = work.directory / "files.duckdb", work.directory / "files-jobs.duckdb"
    one = "ingest many files, --jobs 1"
    ingest = partial(_wrkparse, "ingest", "-q", folder)
    yield Step(one, ingest("--jobs", 1, "-o", store), partial(_without, store))
    yield Step(
        f"ingest many files, --jobs {work.jobs}",
        ingest("--jobs", work.jobs, "-o", other),
        partial(_without, other),
        one,
    )
    yield Step("ingest them again, unchanged", ingest("-o", store), _nothing)


def _analyses(work: Work) -> Iterator[Step]:
    folder, store = study(work.directory, work.seed, work.runs), work.directory / "study.duckdb"
    grown, more = work.directory / "grown.duckdb", study(work.directory, work.seed + 1, 1)
    table = ("--rows", "framework", "--columns", "cores")
    yield Step(
        "ingest many runs in documents", _wrkparse("ingest", "-q", folder, "-o", store), partial(_without, store)
    )

    def copied() -> None:
        shutil.copyfile(store, grown)

    yield Step("ingest one more run to them", _wrkparse("ingest", "-q", more, "-o", grown), copied)
    yield Step("audit of all", _wrkparse("audit", "--store", store), _nothing, also_fine=1)
    yield Step("compare of all", _wrkparse("compare", "--store", store, *table), _nothing)
    yield Step("scaling of all", _wrkparse("scaling", "--store", store), _nothing)


def _reported(work: Work) -> Iterator[Step]:
    """Reports of the five studies, of their store, and of logs of one's own: a file, three servers, 30 traces."""
    store, out, own = work.directory / "data.duckdb", work.directory / "reports", ROOT / "notebooks/loopback"
    out.mkdir(exist_ok=True)
    kinds = {
        "data/": ROOT / "data",
        "a store of data/": store,
        "one wrk file": own / "frameworks" / "marshal-1.log",
        "three servers": ROOT / "tests/fixtures/servers",
        "30 traces": own / "gc",
    }
    yield Step("wrkparse ingest data/", _wrkparse("ingest", "-q", ROOT / "data", "-o", store), partial(_without, store))
    for name, place in kinds.items():
        for form in ("pdf", "html"):
            yield Step(f"report of {name}, {form}", _wrkparse("report", place, "-o", out / f"x.{form}"), _nothing)


GROUPS: dict[str, Callable[[Work], Iterator[Step]]] = {
    "start": _started, "one-log": _large, "many-files": _many, "many-runs": _analyses, "report": _reported,
}  # fmt: skip


def cores() -> int:
    """How many processors there are to use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

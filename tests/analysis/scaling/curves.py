"""Logs of wrk with rates that a test chose."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import wrkparse as wp


class Run(NamedTuple):
    """One run of wrk for 10 s: responses of 100 bytes from `host`, whose path stands for the server."""

    cores: int
    rate: float
    path: str = "/a"
    connections: int = 128
    threads: int = 64
    host: str = "10.0.0.1"


def report(run: Run) -> str:
    requests = round(run.rate * 10)
    return (
        f"$ GOMAXPROCS={run.cores} ./server &\n"
        f"$ wrk -t{run.threads} -c{run.connections} -d10s http://{run.host}{run.path}\n"
        f"Running 10s test @ http://{run.host}{run.path}\n"
        f"  {run.threads} threads and {run.connections} connections\n"
        "  Thread Stats   Avg      Stdev     Max   +/- Stdev\n"
        f"    Latency   {run.connections / run.rate * 1e3:.2f}ms    1.00ms   1.90s    90.00%\n"
        f"    Req/Sec   {run.rate / run.threads:.2f}      9.00    90.00k    90.00%\n"
        f"  {requests} requests in 10.00s, {requests * 100 / 2**20:.2f}MB read\n"
        f"Requests/sec: {run.rate:.2f}\n"
        f"Transfer/sec: {run.rate * 100 / 2**20:.2f}MB\n"
    )


def write(directory: Path, runs: Iterable[Run], about: str = "{}") -> Path:
    """A study with a file for each run."""
    directory.mkdir(exist_ok=True)
    (directory / "wrkparse.yaml").write_text(f"title: curves\nabout: {about}\n")
    for number, run in enumerate(runs):
        (directory / f"{number:03}.log").write_text(report(run))
    return directory


def dataset(directory: Path, runs: Iterable[Run], about: str = "{}") -> wp.Dataset:
    return wp.read(write(directory, runs, about))

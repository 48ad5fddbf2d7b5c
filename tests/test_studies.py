"""The five studies in data/, read as a whole: every run is found once and carries the labels that its page gives it."""

from itertools import product
from math import floor
from pathlib import Path

import pandas as pd
import pytest

import wrkparse as wp

DATA = Path(__file__).parents[1] / "data"
COLUMNS = ["run", "metric", "stat", "value"]


def study(studies: wp.Dataset, name: str, tool: str = "wrk") -> pd.DataFrame:
    """The runs of one tool in one study."""
    return studies.runs[(studies.runs["study"] == name) & (studies.runs["tool"] == tool)]


def combinations(runs: pd.DataFrame, *keys: str) -> list[tuple[object, ...]]:
    """Each run's values of these labels, sorted; a missing label is None."""
    rows = runs[list(keys)].astype(object).where(runs[list(keys)].notna(), None)
    return sorted(rows.itertuples(index=False, name=None), key=repr)


def expected(*groups: tuple[object, ...]) -> list[tuple[object, ...]]:
    """Every combination of the values, sorted; a value that is not a list stands for itself."""
    lists = [[value if isinstance(value, list) else [value] for value in group] for group in groups]
    return sorted((row for values in lists for row in product(*values)), key=repr)


def values(studies: wp.Dataset, runs: pd.DataFrame, metric: str, *keys: str) -> dict[tuple[object, ...], float]:
    """A metric's total in each of the runs, by these labels."""
    measured = studies.measurements
    measured = measured[(measured["metric"] == metric) & (measured["stat"] == "total")]
    joined = runs.merge(measured[["run", "value"]], on="run")
    return {tuple(row): float(value) for *row, value in joined[[*keys, "value"]].itertuples(index=False, name=None)}


def one(studies: wp.Dataset, runs: pd.DataFrame) -> dict[tuple[str, str], float]:
    """All numbers of the only run, by metric and stat."""
    (run,) = runs["run"]
    rows = studies.measurements.loc[studies.measurements["run"] == run, COLUMNS]
    return {(metric, stat): value for _, metric, stat, value in rows.itertuples(index=False, name=None)}


def test_every_run_of_every_study_is_found(studies: wp.Dataset) -> None:
    """214 wrk runs, one of ab, one of time, one of each runtime trace, and none in a README or a table."""
    assert studies.runs.groupby(["study", "tool"]).size().to_dict() == {
        ("go-many-cores", "wrk"): 36,
        ("go-many-cores", "gctrace"): 1,
        ("go-many-cores", "schedtrace"): 1,
        ("nuster-nginx-varnish", "wrk"): 90,
        ("nginx-fastcgi-go", "wrk"): 8,
        ("go-net-http-ab", "ab"): 1,
        ("go-net-http-ab", "time"): 1,
        ("haskell-go-node-io", "wrk"): 80,
    }
    assert studies.runs["source"].str.contains("/logs/", regex=False).all()


def test_nothing_in_the_studies_is_unreadable(studies: wp.Dataset) -> None:
    """Reading gives notes at most (where a label of ours replaces a heading's words): no warning, no error."""
    wrong = studies.diagnostics[studies.diagnostics["severity"] != "note"]
    assert wrong.empty, wrong.to_string()


def test_every_run_has_its_framework(studies: wp.Dataset) -> None:
    """No run of the studies is without the name of what was measured."""
    assert studies.runs["framework"].notna().all()


def test_every_wrk_run_has_cores_threads_connections(studies: wp.Dataset) -> None:
    """The three integers that every wrk run of the pages has."""
    wrk = studies.runs[studies.runs["tool"] == "wrk"]
    assert wrk[["cores", "threads", "connections"]].notna().all(axis=None)
    assert all(pd.api.types.is_integer_dtype(wrk[key]) for key in ("cores", "threads", "connections"))


def test_many_cores_labels(studies: wp.Dataset) -> None:
    """Five loads on each of seven set-ups, all at 36 cores, and one run of Go 1.5 without a collector."""
    runs = study(studies, "go-many-cores")
    loads = [8, 16, 32, 128, 512]
    keys = ("framework", "gogc", "environment", "go_version", "cores", "connections")
    assert combinations(runs, *keys) == expected(
        ("nginx", None, ["default", "low-latency"], None, 36, loads),
        ("go 1.4.2", "100", ["default", "low-latency"], "1.4.2", 36, loads),
        ("go 1.4.2", "off", "default", "1.4.2", 36, loads),
        ("go 1.4.2 prefork", "100", "default", "1.4.2", 36, loads),
        ("go 1.5-dev", "100", "default", "devel b40421f", 36, loads),
        ("go 1.5-dev", "off", "default", "devel b40421f", 36, 256),
    )


def test_many_cores_prefork_is_18_processes(studies: wp.Dataset) -> None:
    """Only the prefork runs have a number of processes; their cores are those of all processes."""
    runs = study(studies, "go-many-cores")
    prefork = runs[runs["framework"] == "go 1.4.2 prefork"]
    assert set(prefork["processes"].astype(int)) == {18}
    assert runs["processes"].notna().sum() == len(prefork)


def test_many_cores_throughput(studies: wp.Dataset) -> None:
    """Spot checks against the page, one for each set-up."""
    runs = study(studies, "go-many-cores")
    keys = ("framework", "environment", "gogc", "connections")
    found = values(studies, runs.fillna({"gogc": "-"}), "throughput", *keys)
    assert found["nginx", "default", "-", 512] == 698483.94
    assert found["go 1.4.2", "default", "100", 128] == 208455.58
    assert found["go 1.4.2", "default", "off", 8] == 38488.59
    assert found["go 1.4.2 prefork", "default", "100", 32] == 101120.30
    assert found["go 1.5-dev", "default", "100", 512] == 169531.78
    assert found["go 1.5-dev", "default", "off", 256] == 487451.24
    assert found["nginx", "low-latency", "-", 8] == 12132.85
    assert found["go 1.4.2", "low-latency", "100", 512] == 357388.26


def test_many_cores_gctrace(studies: wp.Dataset) -> None:
    """The collector's line is of Go 1.5 with its default GOGC, whatever its heading says, on 36 processors."""
    runs = study(studies, "go-many-cores", "gctrace")
    assert combinations(runs, "framework", "cores", "gogc", "environment") == [("go 1.5-dev", 36, "100", "default")]
    (cycle,) = studies.gc_cycles.merge(runs[["run"]], on="run").to_dict("records")
    assert (cycle["gc"], cycle["at_s"], cycle["procs"]) == (1, 18.212, 36)


def test_many_cores_schedtrace(studies: wp.Dataset) -> None:
    """18 ticks of a process that says 32 of itself, on a machine of which nothing else is known."""
    runs = study(studies, "go-many-cores", "schedtrace")
    assert combinations(runs, "framework", "cores", "gogc", "environment") == [("go 1.4", 32, None, None)]
    ticks = studies.sched_ticks.merge(runs[["run"]], on="run")
    assert len(ticks) == 18
    assert (ticks["t_s"].iloc[0], ticks["runqueue"].iloc[0]) == (2.746, 53)


def test_nuster_labels(studies: wp.Dataset) -> None:
    """Five caches, six payloads, and three loads: each exactly once."""
    payloads = {"/helloworld": 12, "/64b": 64, "/128b": 128, "/256b": 256, "/512b": 512, "/1k": 1024}
    caches = [("nuster", 1, "8080"), ("nuster", 12, "8081"), ("nginx", 1, "8082"), ("nginx", 12, "8083"),
              ("varnish", 12, "8084")]  # fmt: skip
    loads = [("1 Gbps", "10.0.0.130", 1000), ("loopback", "127.0.0.1", 1000), ("loopback", "127.0.0.1", 5000)]
    keys = ("framework", "cores", "url", "path", "payload_bytes", "network", "connections")
    assert combinations(study(studies, "nuster-nginx-varnish"), *keys) == sorted(
        (
            (framework, cores, f"http://{host}:{port}{path}", path, payload, network, connections)
            for framework, cores, port in caches
            for path, payload in payloads.items()
            for network, host, connections in loads
        ),
        key=repr,
    )


@pytest.mark.parametrize(
    ("table", "network", "cells", "errors"),
    [("server129.csv", "1 Gbps", 30, 0), ("server130.csv", "loopback", 60, 6)],
)
def test_nuster_published_cells_follow(studies: wp.Dataset, table: str, network: str, cells: int, errors: int) -> None:
    """Each published number is its run's throughput cut off; ERROR stands exactly where it has write errors."""
    study_runs = study(studies, "nuster-nginx-varnish")
    runs = study_runs[study_runs["network"] == network]
    keys = ("path", "connections", "framework", "cores")
    throughput = values(studies, runs, "throughput", *keys)
    failed = {key for key, count in values(studies, runs, "errors_write", *keys).items() if count > 0}
    printed = pd.read_csv(DATA / "nuster-nginx-varnish/published" / table, dtype=str)
    published = {}
    for cell in printed.melt(["path", "connections"]).itertuples(index=False):
        framework, cores = cell.variable.split("/")
        published[cell.path, int(cell.connections), framework, int(cores)] = cell.value
    assert len(published) == cells
    assert {key for key, text in published.items() if text == "ERROR"} == failed
    assert len(failed) == errors
    assert {key: "ERROR" if key in failed else str(floor(rate)) for key, rate in throughput.items()} == published


def test_fastcgi_labels(studies: wp.Dataset) -> None:
    """Four ways to reach the Go program, at one and at eight cores."""
    ways = ["go", "nginx + go http", "nginx + go fastcgi tcp", "nginx + go fastcgi unix"]
    runs = study(studies, "nginx-fastcgi-go")
    assert combinations(runs, "framework", "cores", "connections", "threads") == expected((ways, [1, 8], 5000, 100))


def test_fastcgi_throughput(studies: wp.Dataset) -> None:
    """All eight rates of the page, in its order."""
    found = values(studies, study(studies, "nginx-fastcgi-go"), "throughput", "cores", "framework")
    assert found == {
        (1, "go"): 42745.15,
        (1, "nginx + go http"): 39991.57,
        (1, "nginx + go fastcgi tcp"): 9580.75,
        (1, "nginx + go fastcgi unix"): 11670.72,
        (8, "go"): 128402.88,
        (8, "nginx + go http"): 74442.91,
        (8, "nginx + go fastcgi tcp"): 24026.50,
        (8, "nginx + go fastcgi unix"): 30324.77,
    }


def test_ab_run(studies: wp.Dataset) -> None:
    """One ab run of Go 1.8.3; its cores are not known and not guessed."""
    runs = study(studies, "go-net-http-ab", "ab")
    keys = ("framework", "go_version", "connections", "cores")
    assert combinations(runs, *keys) == [("go", "1.8.3", 10000, None)]
    found = one(studies, runs)
    assert found["throughput", "total"] == 14876.96
    assert found["requests", "total"] == 20000
    assert found["failed_requests", "total"] == 0
    assert found["total", "median"] == 0.351


def test_time_block(studies: wp.Dataset) -> None:
    """User and system time are read although the fields between them and the memory are elided."""
    runs = study(studies, "go-net-http-ab", "time")
    assert combinations(runs, "framework", "go_version") == [("go", "1.8.3")]
    found = one(studies, runs)
    assert (found["user", "total"], found["system", "total"]) == (3.22, 2.24)
    assert found["max_rss", "total"] == 143804 * 1024
    assert ("elapsed", "total") not in found


def test_haskell_labels(studies: wp.Dataset) -> None:
    """Four servers, five numbers of cores, four loads: each exactly once, for 60 s with 64 threads."""
    servers = ["go", "node", "haskell mio", "haskell stdio"]
    grid = (servers, [1, 4, 10, 20, 40], [100, 1000, 5000, 10000], 64, 60.0)
    keys = ("framework", "cores", "connections", "threads", "duration_s")
    assert combinations(study(studies, "haskell-go-node-io"), *keys) == expected(grid)


@pytest.mark.parametrize(
    ("framework", "cores", "connections", "throughput"),
    [
        ("go", 1, 100, 182791.14),
        ("go", 40, 5000, 1406300.94),
        ("go", 20, 10000, 1097576.97),
        ("node", 1, 1000, 72471.86),
        ("node", 40, 5000, 1574468.85),
        ("node", 10, 10000, 535334.23),
        ("haskell mio", 10, 1000, 1227062.89),
        ("haskell mio", 40, 5000, 1665674.49),
        ("haskell mio", 4, 10000, 356721.83),
        ("haskell stdio", 1, 5000, 86742.38),
        ("haskell stdio", 40, 1000, 1695086.16),
        ("haskell stdio", 40, 10000, 1544509.66),
    ],
)
def test_haskell_throughput(
    studies: wp.Dataset, framework: str, cores: int, connections: int, throughput: float
) -> None:
    """Spot checks against the page, in every section and at the unevenly indented runs."""
    found = values(studies, study(studies, "haskell-go-node-io"), "throughput", "framework", "cores", "connections")
    assert found[framework, cores, connections] == throughput


def test_haskell_socket_errors(studies: wp.Dataset) -> None:
    """28 runs have socket errors; of one, all four kinds are as the page has them."""
    runs = study(studies, "haskell-go-node-io")
    keys = ("framework", "cores", "connections")
    found = {kind: values(studies, runs, f"errors_{kind}", *keys) for kind in ("connect", "read", "write", "timeout")}
    assert {kind: count["node", 40, 10000] for kind, count in found.items()} == {
        "connect": 0, "read": 1, "write": 448, "timeout": 710,
    }  # fmt: skip
    assert sum(any(count.get(key, 0) > 0 for count in found.values()) for key in found["write"]) == 28

"""What the write-ups in data/ answer: every number is a quotient of two Requests/sec lines of their logs."""

from __future__ import annotations

import pytest

import wrkparse as wp
from wrkparse.analysis.comparison.compare import ComparisonTable
from wrkparse.dataset import Dataset

CONNECTIONS = ("8", "16", "32", "128", "512")
NGINX = (40669.44, 80949.48, 150847.59, 379107.47, 698483.94)
GO = (34056.43, 61594.63, 100059.58, 208455.58, 465698.02)
GO_WITHOUT_GC = (38488.59, 75222.67, 132655.10, 264377.30, 572360.91)
PREFORK = (36957.93, 70205.38, 101120.30, 210191.17, 588988.82)
GO_1_5 = (37698.36, 72653.09, 122445.54, 174838.71, 169531.78)
LOW_LATENCY_NGINX = (12132.85, 22940.22, 34208.07, 103379.84, 426547.50)
LOW_LATENCY_GO = (9328.06, 18545.90, 37799.68, 98590.56, 357388.26)


def row(table: ComparisonTable, **labels: str) -> dict[str, float]:
    """The ratios of one row by the label of the only column."""
    cells = table.cells
    for key, value in labels.items():
        cells = cells[cells[key] == value]
    return dict(zip(cells[table.columns[0]], cells["ratio"], strict=True))


def quotients(numbers: tuple[float, ...], baseline: tuple[float, ...]) -> dict[str, float]:
    return {c: a / b for c, a, b in zip(CONNECTIONS, numbers, baseline, strict=True)}


def many_cores(studies: Dataset, where: str, rows: str, baseline: str) -> ComparisonTable:
    where = f"study = 'go-many-cores' and {where}"
    return wp.compare(studies, rows=rows, columns="connections", baseline=baseline, where=where, metric="throughput")


def test_go_without_garbage_collection(studies: Dataset) -> None:
    """13 % more at 8 connections, 33 % at 32, 23 % at 512; one run each, so no verdict."""
    table = many_cores(studies, "framework = 'go 1.4.2' and environment = 'default'", "gogc", "gogc=100")
    found = row(table, gogc="off")
    assert found == quotients(GO_WITHOUT_GC, GO)
    assert [round(ratio, 3) for ratio in found.values()] == [1.130, 1.221, 1.326, 1.268, 1.229]
    assert set(table.cells.query("gogc == 'off'")["verdict"]) == {"too few"}
    # (1.130142 × 1.221254 × 1.325761 × 1.268267 × 1.229039)^(1/5)
    assert table.geomeans.set_index("gogc").loc["off", "geomean"] == pytest.approx(1.23321, abs=1e-5)
    assert table.constants["framework"] == "go 1.4.2"
    assert table.also_differ == ()


def test_prefork_against_one_process(studies: Dataset) -> None:
    """It gains least where it would be wanted most between 32 and 128 connections: 1 %, and 26 % at 512."""
    where = "framework in ('go 1.4.2', 'go 1.4.2 prefork') and gogc = '100' and environment = 'default'"
    found = row(many_cores(studies, where, "framework", "framework=go 1.4.2"), framework="go 1.4.2 prefork")
    assert found == quotients(PREFORK, GO)
    assert [round(ratio, 3) for ratio in found.values()] == [1.085, 1.140, 1.011, 1.008, 1.265]


def test_go_1_5_collapses_at_many_connections(studies: Dataset) -> None:
    """Ahead of Go 1.4.2 up to 32 connections, 16 % behind at 128, 64 % behind at 512."""
    where = "framework in ('go 1.4.2', 'go 1.5-dev') and gogc = '100' and environment = 'default'"
    found = row(many_cores(studies, where, "framework", "framework=go 1.4.2"), framework="go 1.5-dev")
    assert found == quotients(GO_1_5, GO)
    assert [round(ratio, 3) for ratio in found.values()] == [1.107, 1.180, 1.224, 0.839, 0.364]


def test_the_low_latency_environment_slows_both_servers_down(studies: Dataset) -> None:
    table = many_cores(
        studies, "(framework = 'nginx' or framework = 'go 1.4.2' and gogc = '100')", "framework,environment",
        "environment=default",
    )  # fmt: skip
    nginx = row(table, framework="nginx", environment="low-latency")
    go = row(table, framework="go 1.4.2", environment="low-latency")
    assert nginx == quotients(LOW_LATENCY_NGINX, NGINX)
    assert go == quotients(LOW_LATENCY_GO, GO)
    assert [round(ratio, 3) for ratio in nginx.values()] == [0.298, 0.283, 0.227, 0.273, 0.611]
    assert [round(ratio, 3) for ratio in go.values()] == [0.274, 0.301, 0.378, 0.473, 0.767]


def test_runs_of_two_environments_are_no_repeats_but_columns(studies: Dataset) -> None:
    table = many_cores(studies, "framework = 'nginx'", "framework", "framework=nginx")
    assert (table.columns, table.separated) == (("connections", "environment"), ("environment",))
    assert table.cells["n"].tolist() == [1] * 10
    assert table.cells["center"].tolist()[:2] == [40669.44, 12132.85]


NUSTER = {  # network, path: nuster/1, nginx/1, nuster/12, nginx/12, varnish/12 at 1000 connections
    ("1 Gbps", "/helloworld"): (95359.08, 33454.56, 357013.95, 214217.54, 133094.01),
    ("1 Gbps", "/1k"): (89328.88, 36034.71, 90866.76, 91497.37, 87772.69),
    ("loopback", "/helloworld"): (75655.34, 30996.36, 212769.32, 136844.37, 115928.18),
    ("loopback", "/1k"): (70507.29, 30823.63, 174769.39, 134808.76, 109379.12),
}


@pytest.mark.parametrize(("network", "path"), NUSTER)
def test_nuster_against_nginx_and_varnish(studies: Dataset, network: str, path: str) -> None:
    one, nginx_one, twelve, nginx, varnish = NUSTER[network, path]
    where = f"study = 'nuster-nginx-varnish' and connections = 1000 and network = '{network}' and path = '{path}'"
    table = wp.compare(
        studies, rows="framework", columns="cores", baseline="framework=nginx", where=where, metric="throughput"
    )
    assert row(table, framework="nuster") == {"1": one / nginx_one, "12": twelve / nginx}
    varnish_cells = table.cells.query("framework == 'varnish'").set_index("cores")
    assert varnish_cells.loc["12", "ratio"] == varnish / nginx
    assert varnish_cells.loc["1", "verdict"] == "missing"


def test_nuster_is_near_three_times_nginx_on_one_core_and_level_where_the_network_is_full(studies: Dataset) -> None:
    where = "study = 'nuster-nginx-varnish' and connections = 1000 and path in ('/helloworld', '/1k')"
    table = wp.compare(
        studies,
        rows="network,path,cores",
        columns="framework",
        baseline="framework=nginx",
        where=where,
        metric="throughput",
    )
    cells = table.cells.query("framework == 'nuster'")
    found = {
        key: round(ratio, 2)
        for *key_, ratio in cells[["network", "path", "cores", "ratio"]].to_numpy()
        for key in [tuple(key_)]
    }
    assert found == {
        ("1 Gbps", "/1k", "1"): 2.48,
        ("1 Gbps", "/1k", "12"): 0.99,
        ("1 Gbps", "/helloworld", "1"): 2.85,
        ("1 Gbps", "/helloworld", "12"): 1.67,
        ("loopback", "/1k", "1"): 2.29,
        ("loopback", "/1k", "12"): 1.30,
        ("loopback", "/helloworld", "1"): 2.44,
        ("loopback", "/helloworld", "12"): 1.55,
    }


def test_fastcgi_against_an_http_proxy(studies: Dataset) -> None:
    """FastCGI reaches a quarter of the proxy's throughput on one core, 32 to 41 % on eight."""
    table = wp.compare(
        studies,
        rows="framework",
        columns="cores",
        baseline="framework=nginx + go http",
        where="study = 'nginx-fastcgi-go'",
        metric="throughput",
    )
    tcp, unix = row(table, framework="nginx + go fastcgi tcp"), row(table, framework="nginx + go fastcgi unix")
    assert tcp == {"1": 9580.75 / 39991.57, "8": 24026.50 / 74442.91}
    assert unix == {"1": 11670.72 / 39991.57, "8": 30324.77 / 74442.91}
    assert row(table, framework="go") == {"1": 42745.15 / 39991.57, "8": 128402.88 / 74442.91}
    assert [round(ratio, 3) for ratio in (*tcp.values(), *unix.values())] == [0.240, 0.323, 0.292, 0.407]

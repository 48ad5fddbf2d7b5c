"""What the pages of the studies say of their runs, without any wrkparse.yaml to help."""

from __future__ import annotations

import itertools
import shutil
from pathlib import Path

import pytest

import wrkparse as wp
from tests.samples import WRK

DATA = Path(__file__).parents[2] / "data"


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> wp.Dataset:
    root = tmp_path_factory.mktemp("pages")
    for study in DATA.iterdir():
        if study.is_dir():
            shutil.copytree(study / "logs", root / study.name)
    return wp.read(root)


def test_every_run_is_found_and_no_other(pages: wp.Dataset) -> None:
    assert pages.runs.tool.value_counts().to_dict() == {"wrk": 214, "ab": 1, "time": 1, "gctrace": 1, "schedtrace": 1}
    wrk = pages.runs[pages.runs.tool == "wrk"]
    by_page = wrk.source.str.split("/").str[0].value_counts().to_dict()
    assert by_page == {
        "go-many-cores": 36,
        "nuster-nginx-varnish": 90,
        "nginx-fastcgi-go": 8,
        "haskell-go-node-io": 80,
    }
    assert len(pages.sched_ticks) == 18
    assert len(pages.gc_cycles) == 1
    assert pages.diagnostics.severity.tolist() == []


def test_headings_and_list_items_label_the_runs_of_haskell_go_node_io(pages: wp.Dataset) -> None:
    runs = pages.runs[pages.runs.source.str.startswith("haskell-go-node-io")]
    found = sorted(zip(runs.framework, runs.cores, runs.connections, strict=True))
    named = ("Golang", "MIO", "Node.js", "stdio")
    assert found == sorted(itertools.product(named, (1, 4, 10, 20, 40), (100, 1000, 5000, 10000)))
    assert set(runs.threads) == {64}
    assert set(runs.duration_s) == {60.0}
    haskell = runs[runs.framework.isin(["MIO", "stdio"])]
    given = haskell.dropna(subset=["flag_rts_heap"])
    assert set(zip(given.connections, given.flag_rts_heap, strict=True)) == {
        (1000, "128m"),
        (5000, "512m"),
        (10000, "1G"),
    }
    assert len(given) == 30


def test_headings_prompts_and_settings_label_the_runs_of_go_many_cores(pages: wp.Dataset) -> None:
    runs = pages.runs[pages.runs.source.str.startswith("go-many-cores")]
    said = runs[["framework", "cores", "gogc", "connections"]].astype("string").fillna("").to_numpy().tolist()
    fives = ("8", "16", "32", "128", "512")
    expected = [["nginx", "", "", c] for c in fives]
    expected += [["Go 1.4.2 Basic", "36", "", c] for c in fives]  # GOMAXPROCS=36:
    expected += [["Go 1.4.2 w/o GC", "36", "off", c] for c in fives]  # $ GOGC=off GOMAXPROCS=36 ./hello
    expected += [["Go 1.4.2 Prefork", "2", "", c] for c in fives]  # $ GOMAXPROCS=2 ./hello -prefork=18
    expected += [["Go 1.5", "36", "", c] for c in fives]
    expected += [["Go 1.5 w/o GC", "36", "off", "256"]]
    expected += [["Go 1.5 w/o GC", "36", "", ""]]  # the trace: $ GODEBUG=gctrace=1 GOMAXPROCS=36 ./hello1.5
    expected += [["", "32", "", ""]]  # gomaxprocs=32
    expected += [["nginx", "", "", c] for c in fives]
    expected += [["Go 1.4.2", "", "", c] for c in fives]
    assert said == expected
    assert runs.environment.fillna("").tolist() == [""] * 28 + ["Low Latency"] * 10
    wrk = runs[runs.tool == "wrk"]
    assert set(wrk.url) == {"http://10.0.1.70:8080/hello", "http://10.0.1.70:8080/json"}
    assert set(wrk.threads) == {8, 16, 32, 36}


def test_bare_titles_label_the_runs_of_a_page_that_lost_its_layout(pages: wp.Dataset) -> None:
    runs = pages.runs[pages.runs.source.str.startswith("nginx-fastcgi-go")]
    four = ["Go standalone", "Nginx + Go through HTTP", "Nginx + Go through FastCGI TCP"]
    four.append("Nginx + Go through FastCGI Unix Socket")
    assert runs.framework.tolist() == four * 2
    assert set(zip(runs.threads, runs.connections, runs.duration_s, strict=True)) == {(100, 5000, 30.0)}


def test_a_page_that_names_its_servers_by_port_alone_gets_no_name_for_them(pages: wp.Dataset) -> None:
    runs = pages.runs[pages.runs.source.str.startswith("nuster-nginx-varnish")]
    assert runs.framework.isna().all()
    assert runs.path.value_counts().to_dict() == dict.fromkeys(
        ["/helloworld", "/64b", "/128b", "/256b", "/512b", "/1k"], 15
    )


def test_the_title_of_a_page_about_two_servers_names_no_run_in_a_section_of_results() -> None:
    text = f"# nginx (Mode)\n\n## nginx\n\n> nginx\n\n## Apache\n\n> httpd\n\n## Results\n\n{WRK}\n{WRK}"
    assert "framework" not in wp.parse_text(text).runs
    named = wp.parse_text(f"# nginx (Mode)\n\n## nginx\n\n> nginx\n\n## Results\n\n{WRK}")
    assert named.runs["framework"].tolist() == ["nginx (Mode)"]

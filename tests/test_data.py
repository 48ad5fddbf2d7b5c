"""The data directory itself, read with the standard library alone: raw output is whole and untouched."""

import csv
import hashlib
import re
from itertools import chain
from math import floor
from pathlib import Path

import pytest

DATA = Path(__file__).parents[1] / "data"
STUDIES = ("go-many-cores", "go-net-http-ab", "haskell-go-node-io", "nginx-fastcgi-go", "nuster-nginx-varnish")
# The digest of the list of digests: whoever changes a raw log has to change it here too.
SUMS = "063d089a97a4a1db4d10acb565e336e6a990d1efb4421cc1404297ff178f1886"


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def logged(study: str) -> list[str]:
    """The lines of a study's logs, without indentation."""
    files = sorted((DATA / study / "logs").iterdir())
    return [line.strip() for file in files for line in file.read_text("utf-8").split("\n")]


def starting(study: str, prefix: str) -> list[str]:
    return [line for line in logged(study) if line.startswith(prefix)]


def raw_files() -> list[str]:
    found = chain(DATA.glob("*/logs/*"), DATA.glob("*/published/*"))
    return sorted(path.relative_to(DATA).as_posix() for path in found)


def test_list_of_digests_is_the_one_we_know() -> None:
    """SHA256SUMS has not been regenerated over changed logs."""
    assert digest(DATA / "SHA256SUMS") == SUMS


def test_raw_files_have_their_digests() -> None:
    """Every file in logs/ and published/ is listed, in order, with the digest that it has."""
    listed = [tuple(line.split("  ")) for line in (DATA / "SHA256SUMS").read_text().splitlines()]
    assert listed == [(digest(DATA / name), name) for name in raw_files()]


def test_every_study_is_described() -> None:
    """A study is a directory with logs, labels and a README, and the README above them names it."""
    assert tuple(sorted(path.name for path in DATA.iterdir() if path.is_dir())) == STUDIES
    overview = (DATA / "README.md").read_text("utf-8")
    for study in STUDIES:
        assert (DATA / study / "wrkparse.yaml").is_file()
        assert (DATA / study / "README.md").is_file()
        assert f"({study}/README.md)" in overview


@pytest.mark.parametrize(
    ("study", "runs"),
    [
        ("go-many-cores", 36),
        ("nuster-nginx-varnish", 90),
        ("nginx-fastcgi-go", 8),
        ("go-net-http-ab", 0),
        ("haskell-go-node-io", 80),
    ],
)
def test_wrk_reports_are_complete(study: str, runs: int) -> None:
    """Each wrk report of the pages is there, with all of the lines that wrk always prints."""
    always = (r"Thread Stats ", r"Latency ", r"Req/Sec ", r"\d+ requests in ", r"Requests/sec:", r"Transfer/sec:")
    for line in always:
        assert sum(re.match(line, text) is not None for text in logged(study)) == runs, line


@pytest.mark.parametrize(
    ("study", "runs"),
    [("go-many-cores", 0), ("nuster-nginx-varnish", 8), ("nginx-fastcgi-go", 3), ("haskell-go-node-io", 28)],
)
def test_socket_errors_are_kept(study: str, runs: int) -> None:
    """The runs that ended with socket errors still say so."""
    assert len(starting(study, "Socket errors: connect ")) == runs


def test_runtime_traces_are_complete() -> None:
    """One gctrace line, and 18 schedtrace lines with a run queue for each of 32 processors."""
    assert len(starting("go-many-cores", "gc #1 @18.212s 1%: 0+2+0+11371+358 ms clock, ")) == 1
    ticks = starting("go-many-cores", "SCHED ")
    assert len(ticks) == 18
    assert {len(tick[tick.index("[") + 1 : -1].split()) for tick in ticks} == {32}


def test_ab_and_time_are_complete() -> None:
    """One ab report from banner to longest request, trailing blanks included, and one block of GNU time."""
    log = (DATA / "go-net-http-ab/logs/results.md").read_text()
    assert log.count("This is ApacheBench, Version 2.3 <$Revision: 1757674 $>\n") == 1
    assert log.count("\nServer Software:        \n") == 1
    assert log.count("\n 100%    450 (longest request)\n") == 1
    assert log.count("\n3.22user 2.24system ...elapsed ...%CPU (0avgtext+0avgdata 143804maxresident)k\n") == 1
    assert log.count("\n0inputs+0outputs (0major+36575minor)pagefaults 0swaps\n") == 1


def test_published_tables_are_the_raw_rates_cut_off() -> None:
    """The pages' tables and raw runs stand in one order: each cell is its run's rate without decimals, or ERROR."""
    study = DATA / "nuster-nginx-varnish"
    cells: list[str] = []
    for name in ("server129.csv", "server130.csv"):
        with (study / "published" / name).open(newline="") as file:
            header, *rows = csv.reader(file)
        assert header == ["path", "connections", "nuster/1", "nuster/12", "nginx/1", "nginx/12", "varnish/12"]
        cells += chain.from_iterable(row[2:] for row in rows)
    rates = [float(line.split()[1]) for line in starting(study.name, "Requests/sec:")]
    assert len(cells) == len(rates) == 90
    errors = [index for index, cell in enumerate(cells) if cell == "ERROR"]
    assert errors == [62, 67, 72, 77, 82, 87]  # third column of the last six rows
    assert all(cell == str(floor(rate)) for cell, rate in zip(cells, rates, strict=True) if cell != "ERROR")

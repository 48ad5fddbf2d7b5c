from __future__ import annotations

import contextlib
import csv
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.analysis.scaling.curves import Run, write
from tests.samples import WRK
from wrkparse.cli import main
from wrkparse.plot import KINDS

SPREAD = "  Latency Distribution\n     50%  190.00us\n     99%  310.00us\n  410759"
SERVERS = Path(__file__).parents[1] / "fixtures/servers"


def wrkparse(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The store that each test gets a copy of."""
    folder = tmp_path_factory.mktemp("plot")
    runs = [Run(cores, rate) for cores, rate in ((1, 1003), (4, 3436), (10, 6460), (20, 8610), (40, 8850))]
    with contextlib.chdir(folder):
        assert wrkparse("ingest", "-q", str(write(folder / "logs", runs))).exit_code == 0
    return folder / "wrkparse.duckdb"


@pytest.fixture
def store(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    shutil.copy(made, tmp_path)
    return tmp_path


def test_a_figure_is_written_under_the_name_of_its_kind(store: Path) -> None:
    result = wrkparse("plot", "scaling")
    assert (result.exit_code, result.output) == (0, "figure: scaling.svg\n")
    assert (store / "scaling.svg").read_text().startswith("<?xml")


@pytest.mark.parametrize(("name", "magic"), [("a.png", b"\x89PNG"), ("a.pdf", b"%PDF"), ("a.SVG", b"<?xml")])
def test_the_suffix_says_the_format(store: Path, name: str, magic: bytes) -> None:
    assert wrkparse("plot", "scaling", "-o", name).exit_code == 0
    assert (store / name).read_bytes().startswith(magic)


def test_the_data_can_be_written_beside_the_figure(store: Path) -> None:
    result = wrkparse("plot", "scaling", "--data", "a.csv")
    assert result.output == "figure: scaling.svg\ndata: a.csv\n"
    lines = (store / "a.csv").read_text().splitlines()
    rows = [row for row in csv.DictReader(lines) if row["drawn"] == "measured"]
    assert [(row["cores"], row["throughput_per_s"]) for row in rows[:2]] == [("1.0", "1003.0"), ("4.0", "3436.0")]


def test_the_width_is_that_asked_for(store: Path) -> None:
    wrkparse("plot", "scaling", "--width", "100", "-o", "a.svg")
    assert f'width="{100 / 25.4 * 72:.2f}' in (store / "a.svg").read_text()


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["plot", "scalling"], 2, "did you mean scaling?"),
        (["plot", "scaling", "-o", "a.jpg"], 2, "the suffix must be one of .svg, .png, .pdf"),
        (["plot", "scaling", "--where", "cores ="], 2, "condition"),
        (["plot", "scaling", "--by", "nothing"], 2, "there is no label nothing"),
        (["plot", "scaling", "--where", "cores = 4"], 3, "no curve has two values of cores"),
        (["plot", "scaling", "--where", "cores = 5"], 3, "no run that states throughput has the label cores"),
        (["plot", "scaling", "-s", "missing.duckdb"], 3, "missing.duckdb"),
        (["plot", "scaling", "-o", "no/a.svg"], 3, "can't be written"),
        (["plot", "scaling", "--data", "a.xls"], 2, "suffix"),
    ],
)
def test_errors_say_what_is_wrong(store: Path, arguments: list[str], code: int, message: str) -> None:
    result = wrkparse(*arguments)
    assert result.exit_code == code
    assert message in result.output
    assert "Traceback" not in result.output


def test_help_lists_every_kind_and_each_has_its_own(store: Path) -> None:
    listed = wrkparse("plot", "--help").output
    for name, kind in KINDS.items():
        assert name in listed
        own = wrkparse("plot", name, "--help")
        assert own.exit_code == 0
        assert " ".join(kind.summary.split()) in " ".join(own.output.split())
        assert all(f"--{option.replace('_', '-')}" in own.output for option in kind.options)


@pytest.mark.parametrize("limit", ["10ms", "0.01", "0.01s", "10000us"])
def test_a_limit_has_a_unit_or_is_in_seconds(limit: str, tmp_path: Path) -> None:
    file = tmp_path / "a.svg"
    result = wrkparse("plot", "latency", str(SERVERS), "--slo", limit, "-o", str(file))
    assert result.exit_code == 0, result.output
    assert "10 ms" in file.read_text().replace("\N{NO-BREAK SPACE}", " ")


def test_a_limit_that_is_no_time_is_refused(tmp_path: Path) -> None:
    for limit in ("fast", "0", "-1ms", "nan"):
        result = wrkparse("plot", "latency", str(SERVERS), f"--slo={limit}", "-o", str(tmp_path / "a.svg"))
        assert result.exit_code == 2
        assert "is not a time; write 10ms, 0.5s or a number of seconds" in " ".join(result.output.split())


@pytest.fixture
def warmed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store of the runs of two servers, each after a warm-up."""
    monkeypatch.chdir(tmp_path)
    page = ""
    for server in ("heron", "plover"):
        for title in (f"{server} (warm-up)", f"{server} run 1", f"{server} run 2"):
            report = WRK.replace("40669.44", f"40669.{len(title):02}").replace("  410759", SPREAD)
            page += f"## {title}\n\n```\n{report}```\n\n"
    (tmp_path / "page.md").write_text(page)
    assert wrkparse("ingest", "-q", "page.md").exit_code == 0


@pytest.mark.usefixtures("warmed")
@pytest.mark.parametrize("kind", ["compare", "latency", "ccdf"])
def test_a_figure_says_how_many_warm_ups_it_leaves_out_and_the_command_draws_them(kind: str) -> None:
    result = wrkparse("plot", kind)
    assert result.output.splitlines()[1:] == ["left out: 2 warm-ups; -w \"phase = 'warm-up'\" draws them alone"]
    alone = wrkparse("plot", kind, "-w", "phase = 'warm-up'")
    assert (alone.exit_code, alone.output) == (0, f"figure: {kind}.svg\n")


@pytest.mark.usefixtures("warmed")
def test_a_figure_of_every_run_leaves_no_warm_up_out() -> None:
    assert wrkparse("plot", "audit").output == "figure: audit.svg\n"

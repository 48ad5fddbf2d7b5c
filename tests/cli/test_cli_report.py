"""``wrkparse report``: what it writes, and what it says when it can't."""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.report.conftest import notebook
from tests.report.test_changes import side
from wrkparse.cli import main
from wrkparse.ingest.ingest import ingest

CELLS = """\
%% md
# Small
%% code parameters
DATA = "nowhere"
WHERE = None
%% code
import wrkparse as wp
ds = wp.open_dataset(DATA, WHERE)
wp.Table(ds.gc_cycles[["gc", "procs"]], "Cycles", "tbl:cycles")
"""


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, ["report", *map(str, words)])


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    import nbformat

    from tests.samples import GC

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    Path("gc.txt").write_text(GC.format(n=1, t=1))
    Path("mine").mkdir()
    nbformat.write(notebook(CELLS), "mine/small.ipynb")
    ingest(["gc.txt"], Path("wrkparse.duckdb"))
    return tmp_path


def test_a_notebook_of_ones_own_on_the_store_that_is_there(place: Path) -> None:
    done = run("mine/small.ipynb")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.startswith("small.pdf: ")
    assert Path("small.pdf").read_bytes().startswith(b"%PDF")
    assert sorted(path.name for path in place.iterdir()) == ["gc.txt", "mine", "small.pdf", "wrkparse.duckdb"]


def test_logs_in_place_of_a_store_and_a_page_in_place_of_a_pdf(place: Path) -> None:
    done = run("mine/small.ipynb", "--store", "gc.txt", "--where", "tool = 'gctrace'", "-o", "out/page.html")
    assert done.exit_code == 0, done.output
    assert "runs where tool = &#x27;gctrace&#x27;" in Path("out/page.html").read_text()


@pytest.mark.usefixtures("without_kernel")
def test_logs_as_an_argument_need_no_store(place: Path) -> None:
    Path("wrkparse.duckdb").unlink()
    Path("logs").mkdir()
    Path("gc.txt").rename("logs/gc.txt")
    for words in (("logs", "-o", "a.html"), ("overview", "logs/gc.txt", "-o", "b.html")):
        done = run(*words)
        assert (done.exit_code, done.stderr) == (0, ""), done.stderr
        assert (
            "<title>1 garbage collection of one Go process: pauses of up to 76 µs</title>"
            in Path(words[-1]).read_text()
        )
    done = run("logs", "--store", "logs")
    assert done.exit_code == 2
    assert "give one store or folder, once: logs and --store logs" in done.stderr


@pytest.mark.usefixtures("without_kernel")
def test_without_a_run_there_is_no_report(place: Path) -> None:
    Path("notes.txt").write_text("nothing here\n")
    for words, why in (
        (("notes.txt",), "notes.txt has no run"),
        (("--where", "tool = 'ab'"), "wrkparse.duckdb has no run"),
    ):
        done = run(*words, "-o", "a.html")
        assert (done.exit_code, done.stdout) == (3, "")
        assert f"wrkparse: {why}" in done.stderr
    assert not Path("a.html").exists()


def test_a_cell_that_fails_is_named_and_what_was_there_stays(place: Path) -> None:
    source = Path("mine/small.ipynb")
    source.write_text(source.read_text().replace("ds.gc_cycles[[", "ds.gc_cycles.nothing[["))
    Path("small.pdf").write_text("before")
    done = run("mine/small.ipynb")
    assert done.exit_code == 3
    assert done.stdout == ""
    assert done.stderr == (
        "wrkparse: small.ipynb, cell 3 (import wrkparse as wp): AttributeError: 'DataFrame' object has no attribute 'nothing'\n"
    )
    assert Path("small.pdf").read_text() == "before"


def test_a_notebook_that_takes_no_parameters_is_refused(place: Path) -> None:
    source = Path("mine/small.ipynb")
    source.write_text(source.read_text().replace("WHERE = None", "OTHER = 1"))
    done = run("mine/small.ipynb")
    assert done.exit_code == 3
    assert "small.ipynb has no cell tagged “parameters” that sets WHERE" in done.stderr


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("nothing",), 3, "there is no notebook nothing; there are: "),
        (("no.ipynb",), 3, "no.ipynb can't be read: No such file or directory"),
        (("gc.txt.ipynb",), 3, "is not a Jupyter notebook"),
        (("--store", "no.duckdb"), 3, "no.duckdb does not exist; make it with: wrkparse ingest"),
        (("--where", "no_such = 1"), 2, "no_such"),
        (("-o", "a.docx"), 2, "a report is a .pdf, .html or .md file; or name a directory"),
        (("overview", "other", "-o", "a.pdf"), 2, "is one file for 2 reports; name a directory"),
        (("a/x.ipynb", "b/x.ipynb"), 2, "2 reports would be x.pdf"),
    ],
)
def test_what_can_not_be_done_is_said(place: Path, words: tuple[str, ...], code: int, message: str) -> None:
    Path("gc.txt.ipynb").write_text("gc 1")
    done = run(*words)
    assert done.exit_code == code
    assert message in done.stderr


def test_a_missing_extra_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "typst" else object())
    done = run("--list")
    assert done.exit_code == 3
    assert (
        done.stderr
        == "wrkparse: reports need packages that are not installed (typst): pip install 'wrkparse[report]'\n"
    )


@pytest.mark.usefixtures("without_kernel")
def test_a_report_against_the_past_ends_as_compare_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    old, new = side(tmp_path / "old", heron=40000), side(tmp_path / "new", heron=36000)
    ingest([old], Path("old.duckdb"))
    for limit, code in (("throughput < -5%", 1), ("throughput < -20%", 0)):
        done = run(new, "--against", "old.duckdb", "--fail-on", limit, "-o", "pr.md")
        assert done.exit_code == code, done.output
        compared = CliRunner().invoke(main, ["compare", "old.duckdb", f"now={new}", "--fail-on", limit])
        assert compared.exit_code == code
        [said] = [line for line in compared.stderr.splitlines() if line.startswith(("regression", "within"))]
        assert said.split()[0].rstrip(":") in Path("pr.md").read_text()
    done = run(new, "--against", "spring=old.duckdb")
    assert done.exit_code == 0
    assert Path("changes.pdf").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--fail-on", "throughput < -5%"], "--fail-on, --same-within and --ignore need --against"),
        (["--ignore", "connections"], "--fail-on, --same-within and --ignore need --against"),
        (["--against", "nowhere.duckdb"], "nowhere.duckdb: no such file or directory"),
        (["--against", "now=x"], "two inputs are named now"),
        (["--against", "x", "--fail-on", "throughput"], "limit 'throughput': expected METRIC < -N% or METRIC > N%"),
    ],
)
def test_a_mistake_in_options_of_the_past_is_said(
    words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(*words)
    assert done.exit_code in {2, 3}
    assert said in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
def test_a_watched_report_is_made_anew_and_ends_by_a_signal(tmp_path: Path) -> None:
    logs = Path(side(tmp_path / "logs", heron=40000))
    page = tmp_path / "live.md"
    command = [sys.executable, "-m", "wrkparse", "report", str(logs), "--watch", "-o", str(page)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            assert process.stdout.readline().startswith(str(page))
            assert "heron" in page.read_text()
            assert "plover" not in page.read_text()
            side(logs, plover=30000)
            assert process.stdout.readline().startswith(str(page))
            assert "plover" in page.read_text()
            process.send_signal(signal.SIGTERM)
            assert process.wait(30) == 0
        finally:
            process.kill()
    assert [path.name for path in tmp_path.iterdir() if path.name not in {"logs", "live.md"}] == []


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
def test_a_watched_report_ends_with_the_code_of_the_last_one(tmp_path: Path, without_kernel: None) -> None:
    """A file that can't be read to its end costs 3; so does a report that could not be made."""
    logs, page = Path(side(tmp_path / "logs", heron=40000)), tmp_path / "live.md"
    damaged, words = logs / "b.log.gz", ["report", str(logs), "--watch", "-o", str(page)]
    assert watched(words, lambda: damaged.write_bytes(b"\x1f\x8b\x08\x00"), lambda: None) == 3
    assert watched(words, lambda: None, damaged.unlink) == 0
    for log in logs.rglob("*.*"):
        log.write_text("")
    assert watched(words, lambda: None, lambda: None) == 3


def watched(words: list[str], *steps: Callable[[], object]) -> int:
    """The exit code of a command that watches, which is interrupted behind the last of some steps, one each report."""
    left = list(steps)

    def seen(*_: object, **__: object) -> Iterator[None]:
        for step in left:
            step()
            yield
        os.kill(os.getpid(), signal.SIGINT)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("wrkparse.ingest.following.watch.watch_changes", seen)
        return CliRunner().invoke(main, words).exit_code


def test_a_report_without_a_past_does_not_import_what_compares_with_it() -> None:
    """The cells are executed in another process: what this one imports is time lost."""
    code = (
        "import sys; from wrkparse.cli.documents.report import _against_parameters as parameters;"
        "parameters((), (), None, None);"
        "print([m for m in ('pandas', 'duckdb', 'scipy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("form", ["html", "pdf"])
def test_what_writes_a_file_does_not_import_what_executes_the_cells(form: str) -> None:
    code = (
        f"import sys; import wrkparse.report.build, wrkparse.report.output.{form};"
        "print([m for m in ('pandas', 'numpy', 'matplotlib', 'duckdb', 'scipy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"

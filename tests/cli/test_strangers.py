"""Text in logs, stores and names that would do something to a terminal, a page or a figure: it is shown, and does nothing."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import click
import duckdb
import pypandoc
import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from tests.samples import GC, SCHED, WRK
from wrkparse.cli import main
from wrkparse.cli.shared.printing import output
from wrkparse.report.build import report, save
from wrkparse.report.document.pandoc import READER, iter_nodes
from wrkparse.report.notebook.suite import find_notebook
from wrkparse.store.duckdb_store import open_store
from wrkparse.text.escape import escaped, one_line, printable

# Colours, a window's title, C1's clear, right-to-left; HTML, Markdown, Typst, TeX, a template's and a shell's signs.
EVIL = (
    "x\x1b[31m\x1b]0;t\x07\x9b2J\u202e<script>alert(1)</script>|`#set page(fill: red)` $x^2$ **b** [l](javascript:1) "
    '![i](http://x.invalid/p) @you #1\n# H \\input{a} #read("/etc/passwd") ${7*7} {{x}} \udcff'.replace("\udcff", "")
)
# What a terminal acts on: C0 but for line breaks and tabs, DEL, C1, marks of direction.
ACTING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
SECTION = "## {name}\n\n```\n$ GOMAXPROCS={cores} ./{name} &\n$ wrk -t8 -c8 http://10.0.1.70:8080/hello\n{wrk}```\n\n"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments), catch_exceptions=False)


@pytest.fixture(scope="module")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with EVIL in every text but a run's name and tool, and as the name of a label."""
    directory = tmp_path_factory.mktemp("stranger")
    page = "".join(
        SECTION.format(name=name, cores=cores, wrk=WRK.replace("40669.44", f"{at}{cores}0000.44"))
        for at, name in enumerate(("nginx", "go"), 1)
        for cores in (1, 2, 4)
    )
    page += "".join(GC.format(n=n, t=f"0.{n:03}") for n in range(1, 9)) + "".join(SCHED.format(t=n) for n in range(9))
    (directory / "page.md").write_text(page)
    (directory / "wrkparse.yaml").write_text("title: t\nabout: {a: b}\n")
    store = directory / "s.duckdb"
    assert run("ingest", str(directory), "-o", str(store)).exit_code == 0
    with duckdb.connect(str(store)) as connection:
        texts = connection.execute(
            "SELECT table_name, column_name FROM duckdb_columns() WHERE data_type = 'VARCHAR' AND NOT internal"
        ).fetchall()
        for table, column in texts:
            if table in ("meta", "files") or column in (
                "run",
                "tool",
                "framework",
                "metric",
                "stat",
                "unit",
                "verdict",
            ):
                continue
            connection.execute(f"UPDATE {table} SET {column} = ?", [EVIL])
        name = EVIL.replace('"', '""')
        connection.execute(f'ALTER TABLE runs ADD COLUMN "{name}" VARCHAR')
        connection.execute(f'UPDATE runs SET "{name}" = framework || ?, framework = framework || ?', [EVIL, EVIL])
    return store


COMMANDS = [
    ["runs", "STORE"],
    ["runs", "STORE", "--columns", "all"],
    ["runs", "STORE", "--columns", "no_such"],
    ["runs", "STORE", "--where", "no_such = 1"],
    ["runs", "STORE", "--where", EVIL],
    ["runs", EVIL],
    ["show", "RUN"],
    ["show", EVIL],
    ["audit"],
    ["audit", "--where", f"tool = '{EVIL}'"],
    ["compare", "--rows", "framework", "--columns", "cores"],
    ["compare", "--rows", EVIL, "--baseline", f"{EVIL}=nginx{EVIL}"],
    ["compare", "--rows", EVIL, "--baseline", f"{EVIL}=nginx", "--fail-on", "throughput < -5%"],
    ["scaling"],
    ["scaling", "--by", EVIL],
    ["gc"],
    ["gc", "--where", f"tool = '{EVIL}'"],
    ["sched"],
    ["sched", "--where", f"tool = '{EVIL}'"],
    ["reproduce"],
    ["sql", "SELECT * FROM runs"],
    ["sql", EVIL],
    ["plot", "scaling", "-o", EVIL],
    ["plot", "gc", "--run", EVIL, "-o", "gc.svg"],
    ["ingest", EVIL],
    ["ingest", ".", "--label", EVIL],
    ["report", "--where", EVIL],
    [EVIL],
]


EVERY_FORM = ["runs", "STORE", "--columns", "all", "--format"]
COMMANDS += [[*EVERY_FORM, form] for form in ("csv", "json", "md")]


def test_no_command_sends_a_terminal_what_it_acts_on(stranger: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(stranger.parent)
    context = click.Context(main)
    for name in main.list_commands(context):  # a module that is imported later would keep what is set here
        assert main.get_command(context, name)
    monkeypatch.setattr(output, "is_terminal", lambda stream: stream is not None)
    monkeypatch.setenv("NO_COLOR", "1")  # colours are escape sequences of our own
    for command in COMMANDS:
        names = {"STORE": str(stranger), "RUN": _run_of(stranger)}
        arguments = [names.get(part, part) for part in command]
        if command[0] not in ("runs", "ingest", EVIL):
            arguments += ["--store", str(stranger)]
        result = run(*arguments)
        assert result.exit_code in (0, 1, 2, 3), command
        assert ACTING.search(result.stdout + result.stderr) is None, command


def _run_of(store: Path) -> str:
    with open_store(store) as dataset:
        return str(dataset.wide("tool = 'wrk'")["run"].iloc[0])


def test_what_is_written_to_a_file_or_a_pipe_is_exact(stranger: Path) -> None:
    rows = json.loads(run("runs", str(stranger), "--format", "json").stdout)["rows"]
    assert rows[0]["section"] == EVIL


@pytest.mark.parametrize("kind", ["audit", "gc", "scaling", "sched"])
def test_a_figure_shows_names_as_text(
    stranger: Path, kind: str, tmp_path: Path, recwarn: pytest.WarningsRecorder
) -> None:
    file = tmp_path / "figure.svg"
    result = run("plot", kind, "--store", str(stranger), "-o", str(file))
    assert not [str(one.message) for one in recwarn.list if "Glyph" in str(one.message)]
    assert result.exit_code == 0, result.stderr
    root = ET.fromstring(file.read_bytes())
    assert not [node for node in root.iter() if node.tag.endswith("script")]
    assert ACTING.search(file.read_text("utf-8")) is None


@pytest.mark.usefixtures("without_kernel")
def test_a_report_shows_names_as_text(stranger: Path, tmp_path: Path) -> None:
    made = report(find_notebook("overview"), {"DATA": str(stranger), "WHERE": None})
    for name in ("report.html", "report.pdf"):
        save(made, tmp_path / name)
    page = (tmp_path / "report.html").read_text("utf-8")
    scripts = re.findall(r"<script[^>]*>", page)
    assert [tag for tag in scripts if " type=" not in tag] == ["<script>"]  # its own
    assert [tag for tag in scripts if " type=" in tag] == ['<script type="application/octet-stream" id="excerpts">']
    assert "<img" not in page
    assert {link[:5] for link in re.findall(r'(?:href|src)="([^"]*)"', page) if link[0] != "#"} <= {"data:"}
    assert ACTING.search(page) is None
    assert "&lt;script&gt;" in page


TEXTS = st.text(
    alphabet=st.sampled_from("ab1 \\`*_~$|#^[]()!<>&@:/{}.-+=\n\t\x1b") | st.characters(codec="utf-8"), max_size=40
)


def _read(text: str, form: str) -> tuple[str, set[str]]:
    """What a Markdown reader (pandoc) sees in a paragraph: its text, and which kinds of nodes other than text."""
    tree = json.loads(pypandoc.convert_text(text, "json", format=form))
    found = list(iter_nodes(tree["blocks"]))
    words = "".join(
        node["c"] if node["t"] == "Str" else " " for node in found if node["t"] in ("Str", "Space", "SoftBreak")
    )
    return words, {node["t"] for node in found} - {"Str", "Space", "SoftBreak", "Para"}


@pytest.mark.parametrize("form", ["gfm", READER.replace("ipynb", "markdown") + "-smart+autolink_bare_uris"])
def test_escaped_text_is_text_to_a_reader_of_markdown(form: str) -> None:
    hostile = [
        EVIL,
        "a](b) ![c](d) [e]: f",
        "http://x.invalid www.x",
        "_a_ a_b __c__",
        "**x** ~~y~~ `z` \\`",
        "&lt; <b> &#65;",
    ]
    for text in hostile:
        words, kinds = _read(f"a {escaped(text)} z", form)
        assert not kinds, (text, kinds)
        assert " ".join(words.split()) == " ".join(f"a {one_line(text)} z".split())


@given(TEXTS)
def test_shown_text_is_one_line_without_anything_that_acts(text: str) -> None:
    for shown in (one_line(text), escaped(text)):
        assert ACTING.search(shown) is None
        assert not set(shown) & set("\n\t\u2028\u2029")
    assert printable(printable(text)) == printable(text)

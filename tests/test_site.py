"""The documentation as a site: it builds in strict mode, is complete, and needs neither a server nor another host."""

from __future__ import annotations

import html
import importlib.util
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

import wrkparse as wp
from scripts.docsite import schemas
from scripts.docsite.building import build
from scripts.docsite.checks import problems
from scripts.docsite.notebooks import addresses
from scripts.docsite.pages import with_links_of_the_site
from tests.browser import AXE, BROWSER, Tab, browser
from wrkparse.analysis.audit.advice import ADVICE
from wrkparse.cli import COMMANDS, main
from wrkparse.model.codes import CODES
from wrkparse.tools import metrics
from wrkparse.tools.schema import columns

ROOT = Path(__file__).parent.parent
SEVERITIES = ("error", "warning", "note")
NEEDED = ("sphinx", "myst_parser", "furo")
pytestmark = pytest.mark.skipif(not all(map(importlib.util.find_spec, NEEDED)), reason="Sphinx is not installed")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built once for the tests of this module."""
    made = tmp_path_factory.mktemp("docs") / "site"
    answer = subprocess.run(
        [sys.executable, "scripts/docsite", "--notebook", "start", str(made)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 0, answer.stderr
    assert answer.stderr == ""
    return made


def words_of(page: Path) -> str:
    """The text of a page, as a reader sees it."""
    return html.unescape(re.sub(r"<[^>]+>", "", page.read_text("utf-8")))


def test_every_page_of_docs_is_in_the_site(site: Path) -> None:
    for page in (ROOT / "docs").rglob("*.md"):
        assert (site / page.relative_to(ROOT / "docs").with_suffix(".html")).is_file(), page


def test_a_notebook_on_the_site_has_its_code_and_its_results(site: Path) -> None:
    shown = words_of(site / "notebooks" / "start.html")
    assert "import wrkparse as wp" in shown
    assert "Table\xa01" in shown
    assert f'href="{addresses(schemas.SITE)["notebooks/start.ipynb"]}"' in (
        site / "how-to" / "work-in-a-notebook.html"
    ).read_text("utf-8")


def test_the_reference_has_every_key_that_wrkparse_makes(site: Path) -> None:
    """Keys of options and variables are as many as there are programs; `level` is of a benchmark."""
    shown = words_of(site / "reference" / "labels.html")
    made = {re.sub(r"_[0-9]+$", "", key) for key in wp.read(ROOT / "tests" / "fixtures").labels["key"]}
    keys = {key for key in made if not key.startswith(("env_", "flag_"))} - {"level"}
    assert len(keys) > 15
    assert [key for key in sorted(keys) if not re.search(rf"\b{key}\b", shown)] == []


def test_the_reference_has_every_command_function_table_and_metric(site: Path) -> None:
    commands = words_of(site / "reference" / "commands.html")
    for command in ([], *([name] for name in COMMANDS), *(["plot", kind] for kind in wp.plot.KINDS)):
        shown = CliRunner().invoke(main, [*command, "--help"], prog_name="wrkparse", env={"COLUMNS": "80"}).output
        assert shown.startswith(" ".join(["Usage: wrkparse", *command]))
        assert shown.rstrip("\n") in commands
    python = words_of(site / "reference" / "python.html")
    assert all(f"wp.{name}" in python for name in (*wp.__all__, *wp.FOR_REPORTS) if name != "__version__")
    assert all(f"wp.plot.{name}" in python for name in wp.plot.__all__ if name != "KINDS")
    tables = words_of(site / "reference" / "tables.html")
    for table, listed in columns().items():
        assert table in tables
        assert all(column.name in tables for column in listed)
    assert all(name in words_of(site / "reference" / "metrics.html") for name in metrics())


def test_the_reference_has_every_finding_of_the_audit_with_advice_and_an_example(site: Path) -> None:
    page = (site / "reference" / "audit-codes.html").read_text("utf-8")
    parts = dict(re.findall(r'<section id="([a-z0-9-]+)">\n<h2>(.*?)</section>', page, re.DOTALL))
    assert set(parts) == set(ADVICE)
    for code, advice in ADVICE.items():
        assert " ".join(advice.split()[:4]) in html.unescape(re.sub(r"<[^>]+>", "", parts[code])), code
        assert re.search(r"<pre[^>]*>.*(invalid|suspect|note): ", parts[code], re.DOTALL), code
    named = re.findall(r"<p>(?:In|From) (.+?), (?:altered|line)", page)
    logs = [re.sub(r"<[^>]+>", "", name) for name in named]
    assert len(logs) > 50
    assert [log for log in logs if not list(ROOT.glob(log))] == []


def test_the_page_about_diagnostics_lists_every_code(site: Path) -> None:
    page = (site / "reference" / "diagnostics.html").read_text("utf-8")
    rows = [re.sub(r"<[^>]+>", "", row) for row in re.findall(r"<tr[^>]*><td>(.*?)</td>", page, re.DOTALL)]
    listed = [html.unescape(row).strip() for row in rows]
    assert [code for codes in CODES.values() for code in codes] == [row for row in listed if row not in SEVERITIES]


@pytest.mark.parametrize(
    ("name", "command", "page"),
    [("output", ["--json-schema"], "json"), ("wrkparse", ["label", "--schema"], "study-file")],
)
def test_the_site_has_the_schemas_where_their_id_says(site: Path, name: str, command: list[str], page: str) -> None:
    place = f"schemas/{name}.schema.json"
    printed = CliRunner().invoke(main, command).output
    assert json.loads((site / place).read_text("utf-8")) == json.loads(printed)
    urls = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["urls"]
    assert json.loads(printed)["$id"] == f"{urls['Documentation']}/{place}"
    assert f'href="../{place}"' in (site / "reference" / f"{page}.html").read_text("utf-8")


def test_a_schema_of_another_site_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schemas, "SITE", "https://example.org/docs")
    with pytest.raises(ValueError, match="which is not on"):
        schemas.published()


@pytest.mark.parametrize(
    ("pages", "said"),
    [
        (
            {"index.md": "# A\n\n[b](c.md)\n\n[b](#no-such-heading)\n\n![a picture](b.png)\n", "b.md": "# B\n"},
            ["'c.md'", "no-such-heading", "image file not readable: b.png",
             "b.md: WARNING: document isn't included in any toctree"],
        ),
        ({"index.md": "# A\n\n[b](b.md)\n"}, ["'b.md'"]),
        ({"index.md": "# A\n"}, []),
    ],
)  # fmt: skip
def test_strict_mode_finds(
    pages: dict[str, str], said: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Each kind of mistake has a warning, all in one go; the exit code of one is the same for any."""
    for name, text in pages.items():
        (tmp_path / name).write_text(text)
    code = build(tmp_path, tmp_path / "site")
    assert bool(code) is bool(said)
    told = capfd.readouterr().err
    assert [one for one in said if one not in told] == []


@pytest.mark.parametrize(
    ("page", "found"),
    [
        ('<a href="b.html">b</a>', ["index.html: b.html leads nowhere"]),
        ('<a href="#top">b</a>', ["index.html: #top: no such place in the page"]),
        ('<p id="top"><a href="#top">b</a><a href="https://example.org/">c</a>', []),
        ('<script src="https://cdn.example.org/a.js"></script>',
         ["index.html: loads https://cdn.example.org/a.js from another host"]),
        ('<link rel="stylesheet" href="//fonts.example.org/a">', ["index.html: loads //fonts.example.org/a from another host"]),
        ('<img src="data:image/png;base64,AAAA">', []),
    ],
)  # fmt: skip
def test_the_checks_of_a_built_site_find(page: str, found: list[str], tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(page)
    assert list(problems(tmp_path)) == found


def test_a_style_that_loads_a_font_from_another_host_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.css").write_text(
        "@font-face { src: url('https://fonts.example.org/a.woff2'); }\nb { src: url(c) }\n"
    )
    assert list(problems(tmp_path)) == ["a.css: loads https://fonts.example.org/a.woff2 from another host"]


def test_links_lead_to_pages_of_the_site_and_else_to_the_repository() -> None:
    places = {"docs/labels.md": "labels.md", "CONTRIBUTING.md": "contributing.md"}
    text = "[a](docs/labels.md#x) [`b`](pyproject.toml) [c](https://example.org)\n\n```sh\n[d](docs/labels.md)\n```\n"
    moved = with_links_of_the_site(text, "CONTRIBUTING.md", places, {})
    assert moved.startswith("[a](labels.md#x) [`b`](https://github.com/")
    assert "/blob/main/pyproject.toml) [c](https://example.org)" in moved
    assert moved.endswith("[d](docs/labels.md)\n```\n")


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tab]:
    if BROWSER is None:
        pytest.skip("there is no Chromium on this machine")
    with browser(tmp_path_factory.mktemp("browser")) as opened:
        yield opened


def test_the_search_works_from_files(site: Path, tab: Tab) -> None:
    tab.open((site / "index.html").as_uri(), 1280)
    tab.search("input.sidebar-search", "gomemlimit")
    found = """new Promise(done => {
        const look = () => [...document.querySelectorAll("ul.search a")].map(a => a.textContent)
        const wait = () => document.querySelector(".search-summary")?.textContent.includes("finished")
            ? done(look()) : setTimeout(wait, 50)
        wait()
    })"""
    assert "Choose GOGC" in tab.value(found)
    assert elsewhere(tab) == []


def elsewhere(tab: Tab) -> list[str]:
    """The addresses that pages asked for and that are no files of the site."""
    sent = [said["params"]["request"]["url"] for said in tab.said if said.get("method") == "Network.requestWillBeSent"]
    assert sent
    return [url for url in sent if not url.startswith(("file:", "data:"))]


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed; scripts/test does that where npm is")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize(
    "name", ["index", "tutorial", "compare", "install", "reference/audit-codes", "reference/python"]
)
def test_axe_finds_nothing_and_nothing_is_wider_than_the_window(
    site: Path, tab: Tab, name: str, width: int, scheme: str
) -> None:
    tab.do("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    tab.open((site / f"{name}.html").as_uri(), width)
    tab.value(f"{AXE.read_text('utf-8')};1")
    assert tab.value("axe.run().then(r => r.violations.map(v => [v.id, v.nodes.map(n => n.html.slice(0, 200))]))") == []
    assert tab.value("document.documentElement.scrollWidth <= innerWidth")
    assert elsewhere(tab) == []

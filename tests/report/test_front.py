"""The front page of a report: its title and byline, the bar of the audit, and sections that are left out."""

from __future__ import annotations

import io
from pathlib import Path

import nbformat
import pytest
from matplotlib.text import Text

import wrkparse as wp
from tests.analysis.comparison.runs import Runs
from tests.report.conftest import notebook
from tests.samples import GC, SCHED, WRK
from wrkparse.analysis.comparison.text.headline import headline
from wrkparse.report.build import BuiltReport, report
from wrkparse.report.document import pandoc
from wrkparse.report.document.model import MARKER
from wrkparse.report.exhibits.about import Paragraphs, about
from wrkparse.report.exhibits.figures.descriptions import comparison_caption, describe_main_figure
from wrkparse.report.exhibits.front_page import FrontPage
from wrkparse.report.exhibits.mime_types import BAR, FACTS, FIGURE, FOR_REPORT, PARTS
from wrkparse.report.output.pdf import with_leads

CELLS = """\
%% md
# A title of the notebook
%% code parameters
DATA = "nowhere"
WHERE = None
%% code summary
import wrkparse as wp
ds = wp.open_dataset(DATA, WHERE)
wp.FrontPage(ds)
%% md
## Nothing here

Prose about what is not there.
%% code
wp.Table(ds.gc_cycles, "Cycles", "tbl:cycles")
%% md
## Runs
%% code
wp.Table(ds.runs[["tool"]], "Runs", "tbl:runs")
"""


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, without_kernel: None) -> BuiltReport:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")  # 14 November 2023
    (tmp_path / "run.txt").write_text(WRK)
    nbformat.write(notebook(CELLS), tmp_path / "mine.ipynb")
    return report(tmp_path / "mine.ipynb", {"DATA": str(tmp_path / "run.txt"), "WHERE": None})


def test_title_and_byline_are_those_of_the_data_and_the_day_is_that_of_reading(made: BuiltReport) -> None:
    assert made.document.title == "1 wrk run of http://10.0.1.70:8080/hello: 40.67k requests/s, mean latency 193.3 µs"
    assert made.byline == ("read on 14 November 2023 · 8 connections, 8 threads, path /hello, 10 s each · run.txt")


def test_a_section_without_data_is_left_out_with_its_prose(made: BuiltReport) -> None:
    page = made.content(".html").decode()
    assert "Nothing here" not in page
    assert "Prose about" not in page
    assert " Runs</h2>" in page


def test_the_page_has_the_bar_with_its_words_before_the_contents_and_these_before_the_sections(
    made: BuiltReport,
) -> None:
    page = made.content(".html").decode()
    assert '<div class="bar" aria-hidden="true"><span style="flex:1;' in page
    assert "</span>1 run sound</li>" in page
    contents = page.index('<nav class="brief" aria-label="Contents">')
    assert page.index('<div class="bar"') < contents < page.index('<main id="content">')


def test_a_short_pdf_has_no_contents(made: BuiltReport) -> None:
    from pypdf import PdfReader

    pages = PdfReader(io.BytesIO(made.content(".pdf"))).pages
    words = " ".join(page.extract_text() for page in pages)
    assert len(pages) == 1
    assert "1 run sound" in words
    assert "Contents" not in words


def test_a_report_gets_parts_and_jupyter_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    front = wp.FrontPage(wp.parse_text(WRK))
    assert (
        "<h2>1 wrk run of http://10.0.1.70:8080/hello: 40.67k requests/s, mean latency 193.3 µs</h2>"
        in front._repr_mimebundle_()["text/html"]
    )
    monkeypatch.setenv(FOR_REPORT, "1")
    shown = front._repr_mimebundle_()
    assert shown[FACTS]["title"] == "1 wrk run of http://10.0.1.70:8080/hello: 40.67k requests/s, mean latency 193.3 µs"
    assert [next(iter(part)) for part in shown[PARTS]] == ["text/markdown", BAR, "text/markdown"]  # no percentiles


def test_caption_and_alternative_text_of_a_comparison_come_from_its_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rates of 40669.44 and 20334.72: a ratio of 0.5 in one run each, which decides nothing."""
    monkeypatch.setenv(FOR_REPORT, "1")
    text = f"# nginx\n\n{WRK}\n# caddy\n\n{WRK.replace('40669.44', '20334.72').replace('410759', '205380')}"
    shown = wp.FrontPage(wp.parse_text(text, "bench.md"))._repr_mimebundle_()
    [figure] = [part[FIGURE] for part in shown[PARTS] if FIGURE in part]
    assert figure["alt"] == "Throughput: nginx 40.67k requests/s; caddy 20.33k requests/s, 0.50 times."
    assert figure["caption"].splitlines() == [
        "Throughput of each setting beside nginx: no difference is decided.  ",
        "Held constant: 8 connections, 8 threads, path /hello, 10 s each. Varies: framework (caddy, nginx). Pooled: nothing.",
    ]


def test_the_percentiles_of_a_run_are_its_alternative_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOR_REPORT, "1")
    lines = "  Latency Distribution\n     50%    0.92ms\n     75%    1.38ms\n     90%    2.14ms\n     99%   10.22ms\n"
    text = WRK.replace("  410759 requests", f"{lines}  410759 requests").replace("1.57ms", "16.89ms")
    shown = wp.FrontPage(wp.parse_text(text, "bench.md"))._repr_mimebundle_()
    [figure] = [part[FIGURE] for part in shown[PARTS] if FIGURE in part]
    assert figure["alt"] == (
        "Latency by percentile. bench.md:1: p50 920 µs, p90 2.14 ms, p99 10.22 ms, longest 16.89 ms."
    )


def test_a_figure_that_would_fill_a_page_is_with_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the height of the figure: it is shown once, on the first page or among the settings."""
    found = wp.summary(wp.parse_text(f"# nginx\n\n{WRK}\n# caddy\n\n{WRK.replace('410759', '410758')}", "bench.md"))
    for tallest in (0.0, 100.0):
        monkeypatch.setattr("wrkparse.report.exhibits.figures.main_figure._MOST_INCHES", tallest)
        shown = [getattr(one, "label", "") for one in (wp.FrontPage(found).figure(), *wp.setting_exhibits(found))]
        assert shown.count("fig:main") == 1
        assert (shown[0] == "fig:main") == (tallest > 0)


def test_the_load_report_beside_a_trace_is_one_run() -> None:
    """The trace is a run too, but states no throughput."""
    found = wp.summary(wp.parse_text(WRK + GC.format(n=1, t=1) + GC.format(n=2, t=2)))
    [table] = [one for one in wp.setting_exhibits(found) if isinstance(one, wp.Table)]
    assert table.caption == "All numbers of the run"
    assert "Latency" in table.frame["metric"].tolist()


def test_of_a_run_of_each_tool_all_numbers_are_shown() -> None:
    """What GNU time prints is not in the table of the load."""
    timed = "$ time ./load\n\nreal\t0m1.344s\nuser\t0m3.220s\nsys\t0m2.240s\n"
    found = wp.summary(wp.parse_text(f"```\n{WRK}```\n```\n{timed}```\n"))
    tables = [one for one in wp.setting_exhibits(found) if isinstance(one, wp.Table)]
    assert [one.caption for one in tables] == ["All numbers of the wrk run", "All numbers of the timed run"]
    assert dict(tables[1].frame[["metric", "total"]].to_numpy())["CPU time in user mode"] == "3.220 s"


def test_several_runs_of_one_setting_have_a_row_each() -> None:
    runs = "".join(f"```\n{WRK.replace('40669.44', f'4066{at}.44')}```\n" for at in (7, 8, 9))
    [table] = [one for one in wp.setting_exhibits(wp.summary(wp.parse_text(runs))) if isinstance(one, wp.Table)]
    assert table.caption == "Every run, in the order of the logs"
    assert table.frame["throughput_per_s"].tolist() == [40667.44, 40668.44, 40669.44]
    assert table.frame["line"].is_monotonic_increasing
    assert "verdict" not in table.frame  # all are sound
    doubted = runs.replace("193.32us", "500.00us", 1)
    [table] = [one for one in wp.setting_exhibits(wp.summary(wp.parse_text(doubted))) if isinstance(one, wp.Table)]
    assert table.frame["verdict"].tolist() == ["latency-suspect", "ok", "ok"]


def test_forty_settings_have_a_main_figure_that_folds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 40 variants the best ten have rows, the others one; more than 24 rows would not fit the first page."""
    runs = Runs()
    for at in range(40):
        for connections in (16, 128):
            for step in range(2):
                level = 100 * (1 + at / 10) * 1.01**step
                runs.add(labels={"framework": f"f-{at:02d}x", "connections": connections}, throughput=level)
    figure = FrontPage(runs.dataset()).figure()
    assert figure is not None
    assert figure.drawing is not None
    names = [text.get_text() for text in figure.drawing.findobj(Text)]
    assert "… 29 more rows" in names


def test_figures_of_traces_say_what_they_hold_and_what_was_measured() -> None:
    text = f"GOGC=50\n\n{''.join(GC.format(n=n, t=n) for n in range(1, 4))}"
    found = wp.summary(wp.parse_text(f"{WRK}\n\n# trace\n\n{text}"))
    (figure,) = wp.trace_exhibits(found, "gctrace")
    assert "One process: nothing is pooled." in figure.caption
    assert "In 3 collections of one Go process, the longest pause was" in figure.alt
    assert wp.trace_exhibits(found, "schedtrace") == []


def test_the_rise_that_the_title_states_has_no_second_number_in_the_caption() -> None:
    """The ratio of the medians at 8 cores and 1 is 4.2, 52 % of 8; the median of all ratios may be another one."""
    runs = Runs()
    for cores in (1, 2, 4, 8):
        for step in (1.0, 0.98, 1.02, 0.99, 1.01):
            rate = 100 * cores / (1 + 0.05 * (cores - 1) + 0.01 * cores * (cores - 1))
            runs.add(labels={"framework": "go", "cores": cores}, throughput=rate * step)
    found = wp.summary(runs.dataset())
    caption = describe_main_figure(found)[0]
    assert found.figure == "scaling"
    assert "on 8 cores it is 4.2 times" in found.title
    assert "52 % of linear growth" in caption
    assert "times as high" not in caption


def test_growth_of_one_study_names_its_speedup() -> None:
    runs = Runs()
    for name, factor in (("go", 1.0), ("node", 0.5)):
        for cores, rate in ((1, 100.0), (2, 190.0), (4, 320.0)):
            runs.add(labels={"framework": name, "cores": cores}, throughput=rate * factor)
    found = wp.summary(runs.dataset())
    for figure in wp.growth_exhibits(found):
        assert "3.2 times as high on 4 cores as on 1" in figure.alt
        assert "Varies: " in figure.caption
    assert found.figure == "scaling" or len(wp.growth_exhibits(found)) == 1


def test_a_paragraph_stays_with_the_table_below_it() -> None:
    first, last = (pandoc.paragraph(pandoc.text_inline(words)) for words in ("before", "after"))
    kept = pandoc.write(with_leads([first, {"t": "RawBlock", "c": [MARKER, "0"]}, last]), "typst")
    assert kept.split() == ["#lead[", "before", "]", "after"]


def test_many_percentiles_are_a_table_beside_those_of_totals_and_means() -> None:
    """ab prints nine percentiles of the whole time, and a rate that has none."""
    ab = (Path(__file__).parents[1] / "fixtures" / "ab" / "n2000.txt").read_text()
    shown = wp.setting_exhibits(wp.summary(wp.parse_text(ab)))
    totals, means, spread = (one._repr_mimebundle_()["text/html"] for one in shown if isinstance(one, wp.Table))
    assert "Throughput" in totals
    assert "p99" not in totals + means
    assert "stdev" in means
    assert "p99" in spread
    assert "Throughput" not in spread


def test_the_caption_of_latencies_by_setting_says_what_is_pooled() -> None:
    """Three servers at two loads, five files each; the latencies of three files of plover at 64 are suspect."""
    found = wp.summary(wp.read(Path(__file__).parents[1] / "fixtures" / "servers"))
    [figure] = [one for one in wp.setting_exhibits(found) if getattr(one, "label", "").startswith("fig:latency")]
    assert figure.caption.endswith("Pooled: 2 to 5 runs of each setting.")


def test_very_many_runs_of_one_setting_are_no_lines_of_their_own() -> None:
    report = WRK.replace("  410759", "  Latency Distribution\n     50%  150.00us\n     99%    1.10ms\n  410759")
    captions = {}
    for count in (3, 13):
        texts = (report.replace("40669.44", f"406{run:02}.44") for run in range(60, 60 + count))
        found = wp.summary(wp.parse_text("".join(f"```\n{text}```\n" for text in texts)))
        assert found.figure == "latency"
        captions[count] = describe_main_figure(found)[0]
    assert "a line for each run" in captions[3]
    assert "of 13 runs as one setting" in captions[13]


def test_the_caption_of_a_trace_has_its_longest_pause_and_names_the_process_only_if_it_is_the_one() -> None:
    """Pauses of 0.018 and 0.076 ms in each line."""
    traces = ["".join(GC.format(n=n, t=n) for n in range(1, count + 1)) for count in (2, 2, 3)]
    captions = []
    for chosen in (traces[:1], traces[:2], traces[1:]):
        text = "".join(f"# process {at}\n```\n{one}```\n" for at, one in enumerate(chosen))
        captions.append(describe_main_figure(wp.summary(wp.parse_text(text)))[0].split(".  \n")[0].rstrip("."))
    assert captions == [
        "Pauses and heap over time: the longest pause is 76 µs",
        "Pauses and heap over time, of one of 2 processes: the longest pause is 76 µs",
        "Pauses and heap over time, of the process with the most collections: the longest pause is 76 µs",
    ]


def test_the_alternative_text_of_pooled_percentiles_has_the_median_of_each_setting() -> None:
    """The medians of 1.10 and 1.30 ms, and of 1.05 and 1.15 ms. The figure draws no line of a single run."""
    report = WRK.replace("  410759", "  Latency Distribution\n     50%  150.00us\n     99%    {p99}ms\n  410759")
    text = "".join(
        f"# {name}\n```\n{report.format(p99=p99)}```\n"
        for name, p99 in (("heron", "1.10"), ("heron", "1.30"), ("plover", "1.05"), ("plover", "1.15"))
    )
    figures = [one for one in wp.setting_exhibits(wp.summary(wp.parse_text(text))) if isinstance(one, wp.Figure)]
    assert figures[-1].alt.startswith(
        "Latency by percentile, the median of the runs of each setting. Latency p99: heron 1.200 ms; plover 1.100 ms, "
    )


def test_the_caption_of_percentiles_names_the_settings_at_both_ends() -> None:
    report = WRK.replace("  410759", "  Latency Distribution\n     50%  150.00us\n     99%    {p99}ms\n  410759")
    text = "".join(
        f"# {name}\n```\n{report.format(p99=p99)}```\n"
        for name, p99 in (("heron", "1.10"), ("plover", "1.05"), ("siskin", "1.30"))
    )
    figures = [one for one in wp.setting_exhibits(wp.summary(wp.parse_text(text))) if isinstance(one, wp.Figure)]
    assert figures[-1].caption.startswith(
        "Latency by percentile: p99 is lowest for plover (1.05 ms), highest for siskin (1.3 ms)."
    )


def test_the_caption_of_percentiles_says_with_which_setting_they_are_lowest() -> None:
    report = WRK.replace("  410759", "  Latency Distribution\n     50%  150.00us\n     99%    {p99}ms\n  410759")
    text = "".join(f"# GOGC={gogc}\n```\n{report.format(p99=p99)}```\n" for gogc, p99 in ((50, "1.10"), (100, "1.05")))
    figures = [one for one in wp.setting_exhibits(wp.summary(wp.parse_text(text))) if isinstance(one, wp.Figure)]
    assert ": p99 is lowest with GOGC=100 (1.05 ms), highest with GOGC=50 (1.1 ms)." in figures[-1].caption


def test_captions_name_a_setting_that_is_the_baseline_in_words() -> None:
    text = "".join(f"# GOGC={gogc}\n```\n{WRK}```\n" for gogc in (50, 100))
    found = wp.summary(wp.parse_text(text))
    assert "beside that with GOGC=100: no difference is decided" in describe_main_figure(found)[0]
    assert "Varies: GOGC (50, 100)" in describe_main_figure(found)[0]
    [table, *_] = [one for one in wp.setting_exhibits(found) if isinstance(one, wp.Table)]
    assert table.caption == "Throughput: median of each setting, and ratios to that with GOGC=100"
    assert table.columns()[0].title == "GOGC"


def test_the_highest_number_of_a_caption_is_not_that_of_an_invalid_run() -> None:
    """The rate at 64 connections is not requests / elapsed. One panel without a label has the title of its metric."""
    rates = {8: "40669.44", 16: "40669.44", 32: "40669.44", 64: "50669.44"}
    text = "".join(
        f"# Load {load}\n```\n{WRK.replace('8 connections', f'{load} connections').replace('40669.44', rate)}```\n"
        for load, rate in rates.items()
    )
    shown = wp.setting_exhibits(wp.summary(wp.parse_text(text)))
    [figure] = [one for one in shown if isinstance(one, wp.Figure) and one.label == "fig:load-1"]
    assert figure.caption.startswith("Throughput by connections: the highest is 40.67k requests/s at 8 connections.")
    drawing = figure.drawing
    assert drawing is not None
    assert "Throughput, requests per second" in [ax.get_title("left") for ax in drawing.axes[0].child_axes]


def test_where_nothing_can_be_compared_the_caption_does_not_say_undecided() -> None:
    odd = WRK.replace("40669.44", "50669.44")  # differs from requests / elapsed
    found = wp.summary(wp.parse_text("".join(f"# {name}\n```\n{odd}```\n" for name in ("heron", "plover"))))
    assert describe_main_figure(found)[0].startswith("Throughput of each setting: nothing can be compared.")


def test_runs_that_agree_with_littles_law_are_a_sentence() -> None:
    """40669.44/s · 193.32 µs = 7.862 on 8 connections: 0.983."""
    fine = "".join(f"# {name}\n```\n{WRK}```\n" for name in ("heron", "plover", "siskin"))
    odd = WRK.replace("Transfer/sec:      7.13MB", "Transfer/sec:      9.13MB")  # a finding of another check
    shown = wp.audit_exhibits(wp.summary(wp.parse_text(f"{fine}# wren\n```\n{odd}```\n")))
    assert not any(isinstance(one, wp.Figure) for one in shown)
    assert shown[-1].markdown == (
        "Throughput × mean latency is 0.983 times the connections in the 4 runs with these numbers: that agrees with "
        "Little's law within 5 %."
    )
    assert shown[0].markdown == "## Can the numbers be trusted?"  # what the law is, is said beside its figure
    exact = odd.replace("193.32us", "196.71us")  # 40669.44/s · 196.71 µs = 8.0001 on 8 connections
    log = "".join(f"# {name}\n```\n{exact}```\n" for name in ("heron", "plover", "siskin", "wren"))
    shown = wp.audit_exhibits(wp.summary(wp.parse_text(log)))
    assert shown[-1].markdown.startswith("Throughput × mean latency is equal to the connections in the 4 runs")
    high = WRK.replace("193.32us", "965.00us").replace("1.57ms", "1.57s")
    shown = wp.audit_exhibits(wp.summary(wp.parse_text(f"{fine}# wren\n```\n{high}```\n")))
    [figure] = [one for one in shown if isinstance(one, wp.Figure)]
    assert "The line at 1 is Little's law: 1 of 4 runs above it, suspect." in figure.caption
    assert "Little's law connects three printed numbers" in shown[0].markdown
    noted = WRK.replace("193.32us", "293.32us")  # 1.49 times the connections: below twice
    shown = wp.audit_exhibits(wp.summary(wp.parse_text(f"{fine}# wren\n```\n{noted}```\n")))
    [figure] = [one for one in shown if isinstance(one, wp.Figure)]
    assert "The line at 1 is Little's law: 1 of 4 runs above it." in figure.caption


def test_tools_are_named_once_in_a_title() -> None:
    text = "".join(GC.format(n=n, t=n) for n in (1, 2)) + "".join(SCHED.format(t=1000 * n) for n in (0, 1))
    assert wp.summary(wp.parse_text(text)).title == "1 gctrace and 1 schedtrace"  # of one process each, with 4 and 2 Ps
    text += GC.format(n=1, t=1).replace("4 P", "8 P")
    assert wp.summary(wp.parse_text(text)).title == "2 gctraces and 1 schedtrace on 2, 4 and 8 cores"


def test_the_caption_of_one_run_says_what_its_requests_took() -> None:
    text = WRK.replace("  410759", "  Latency Distribution\n     50%  150.00us\n     99%    1.10ms\n  410759")
    caption, _ = describe_main_figure(wp.summary(wp.parse_text(text)))
    first = caption.split(".  \n")[0]
    assert first == (
        "Latency by percentile: half of the requests took at most 150 µs, 99 % of the requests took at most 1.1 ms"
    )


def test_a_table_without_ratios_has_no_column_of_them_and_p_no_exponent() -> None:
    runs = Runs()
    for name, rate in (("a", 100.0), ("b", 300.0)):
        for at in range(30):
            runs.add(labels={"framework": name}, throughput=rate + at / 10)
    [table] = [one for one in wp.setting_exhibits(wp.summary(runs.dataset())) if isinstance(one, wp.Table)]
    cells = {one.title: one.cells for one in table.columns()}
    assert "<0.0001" in cells["p"]
    assert "and ratios to a" in table.caption
    runs = Runs()
    for name in ("a", "b"):
        runs.add(labels={"framework": name}, throughput=100.0, verdict="invalid")
    [table] = [one for one in wp.setting_exhibits(wp.summary(runs.dataset())) if isinstance(one, wp.Table)]
    assert "ratio" not in [one.title for one in table.columns()]
    assert "ratios" not in table.caption
    assert {one.title: one.cells for one in table.columns()}["verdict"] == ["not used", "not used"]


def test_a_metric_that_is_0_everywhere_is_a_sentence_and_no_table() -> None:
    """One of three runs of heron has errors, so failures are compared; their medians are 0."""
    runs = [WRK.replace("193.32us", f"193.3{n}us") for n in range(6)]
    runs[0] = runs[0].replace("Requests/sec", "  Non-2xx or 3xx responses: 5\nRequests/sec")
    heron, wren = ("".join(f"```\n{run}```\n" for run in half) for half in (runs[:3], runs[3:]))
    shown = wp.setting_exhibits(wp.summary(wp.parse_text(f"# heron\n{heron}# wren\n{wren}")))
    said = [one.markdown for one in shown if hasattr(one, "markdown")]
    assert "Responses with an error status: the median of every setting is 0." in said
    assert [one.caption.partition(":")[0] for one in shown if isinstance(one, wp.Table)] == [
        "Throughput",
        "Mean latency",
    ]


def test_a_caption_says_how_many_warm_ups_are_left_out_or_shown() -> None:
    """The latency is far from Little's law, so that the audit has a figure; it draws each run."""
    runs = [WRK.replace("193.32us", f"293.3{n}us") for n in range(4)]
    text = "".join(
        f"# {name}\n```\n{run}```\n"
        for name, run in zip(["heron warm-up", "heron", "wren warm-up", "wren"], runs, strict=True)
    )
    found = wp.summary(wp.parse_text(text))
    assert describe_main_figure(found)[0].endswith("Pooled: nothing. Left out: 2 warm-ups.")
    [little] = [one for one in wp.audit_exhibits(found) if isinstance(one, wp.Figure)]
    assert little.caption.endswith("Pooled: nothing. Shown, too: 2 warm-ups.")


def test_a_caption_of_latencies_says_how_many_settings_count() -> None:
    """Three times 193.32 µs at 40669.44 requests/s are 23.6 requests under way on 8 connections: siskin's don't count."""
    tail = "  Latency Distribution\n     50%  150.00us\n     75%  170.00us\n     90%  190.00us\n     99%    {}ms\n"
    sections = []
    for name, p99, requests in (("heron", "1.10", 1), ("wren", "1.20", 1), ("siskin", "1.30", 3)):
        run = WRK.replace("193.32us", f"{193.32 * requests:.2f}us") if requests > 1 else WRK
        lines = run.splitlines(keepends=True)
        at = next(number for number, line in enumerate(lines) if "requests in" in line)
        sections.append(f"# {name}\n```\n{''.join([*lines[:at], tail.format(p99), *lines[at:]])}```\n")
    found = wp.summary(wp.parse_text("".join(sections)))
    captions = [one.caption for one in wp.setting_exhibits(found) if isinstance(one, wp.Figure)]
    assert any("of the 2 settings whose latencies count, p99 is lowest for heron (1.1 ms)" in text for text in captions)


def test_failures_of_runs_that_are_not_used_are_named_in_the_sentence() -> None:
    """All responses of one server have an error status; no other server has any."""
    runs = Runs()
    for name in ("heron", "plover", "wren"):
        for at in range(3):
            runs.add(labels={"framework": name}, throughput=100.0 + at, requests=1000, errors_timeout=0)
    for at in range(3):
        runs.add(
            labels={"framework": "emu"}, verdict="invalid", throughput=100.0 + at, requests=1000, errors_timeout=250
        )
    shown = wp.setting_exhibits(wp.summary(runs.dataset()))
    said = [one.markdown for one in shown if hasattr(one, "markdown")]
    assert any(
        line.endswith("the median of every other setting is 0; that of emu, which is not used, 25.00 %.")
        for line in said
    )
    assert [one.caption.partition(":")[0] for one in shown if isinstance(one, wp.Table)] == ["Throughput"]


def test_failures_of_runs_that_nothing_names_are_those_of_their_setting() -> None:
    runs = Runs()
    for gogc, verdict, timeouts in (("50", None, 0), ("100", None, 0), ("400", "invalid", 250)):
        for at in range(3):
            runs.add(
                labels={"gogc": gogc}, verdict=verdict, throughput=100.0 + at, requests=1000, errors_timeout=timeouts
            )
    shown = wp.setting_exhibits(wp.summary(runs.dataset()))
    said = [one.markdown for one in shown if hasattr(one, "markdown")]
    assert any(line.endswith("is 0; that with GOGC=400, which is not used, 25.00 %.") for line in said)


def test_a_caption_claims_no_tie_where_the_settings_decide_differently() -> None:
    """Of five runs each, plover is at twice heron's rate on 1 core and at half of it on 2 cores."""
    runs = Runs()
    for cores, rates in ((1, (100.0, 200.0)), (2, (400.0, 200.0))):
        for name, rate in zip(("heron", "plover"), rates, strict=True):
            for step in range(5):
                runs.add(labels={"framework": name, "cores": cores}, throughput=rate * 1.01**step)
    caption, _ = describe_main_figure(wp.summary(runs.dataset()))
    assert caption.startswith(
        "Throughput of each setting beside heron: which one is ahead depends on the number of cores"
    )


def test_a_caption_does_not_claim_that_settings_differ_if_chance_can_make_the_difference() -> None:
    """Of eight settings, plover and siskin are ahead in seven and as fast as heron in one; repeats differ by 46 %."""
    runs = Runs()
    for connections in (1, 2, 4, 8, 16, 32, 64, 128):
        for name, equal in (("heron", 0), ("plover", 128), ("siskin", 1)):
            level = 100 if name == "heron" else 98 if connections == equal else 130
            runs.several([level * 1.1**step for step in range(5)], framework=name, connections=connections)
    table = wp.compare(runs.dataset(), rows="framework", baseline="framework=heron")
    assert table.over_settings["verdict"].tolist() == ["better"] * 2
    assert comparison_caption(table) == "Throughput of each setting beside heron: none is ahead in all settings"


def test_a_caption_names_the_load_that_differs_where_there_is_one_setting() -> None:
    runs = Runs()
    runs.several([200 * 1.01**step for step in range(5)], framework="heron", connections=64)
    runs.several([100 * 1.01**step for step in range(5)], framework="plover", connections=256)
    caption = comparison_caption(wp.compare(runs.dataset(), baseline="framework=heron"))
    assert caption == "Throughput of each setting beside heron: they differ in the number of connections, too"


def test_a_caption_says_that_runs_form_two_groups_where_there_is_one_setting() -> None:
    """Between 101 and 150 there is no run of heron: a median of it describes neither group."""
    runs = Runs()
    for at in range(8):
        runs.several([100 + at / 10 if at % 2 else 150 + at / 10], framework="heron")
        runs.several([50 + at / 10], framework="plover")
    table = wp.compare(runs.dataset(), baseline="framework=heron")
    assert table.scatters["throughput"].groups
    assert comparison_caption(table).endswith(": the runs of one of them form groups")


def test_the_caption_of_a_figure_has_its_ratios_and_the_title_those_above_one() -> None:
    """Five runs each that do not overlap, 200 beside 100: the figure's baseline is heron, the first."""
    runs = Runs()
    runs.several([200 * 1.01**step for step in range(5)], framework="heron")
    runs.several([100 * 1.01**step for step in range(5)], framework="plover")
    table = wp.compare(runs.dataset(), rows="framework", baseline="framework=heron")
    assert headline(table) == "heron answers 2.0 times as many requests as plover"
    caption = comparison_caption(table)
    assert caption == "Throughput of each setting beside heron: plover answers 0.50 times as many requests as heron"


def test_repeats_that_nothing_tells_apart_are_said_to_count_as_such() -> None:
    text = "".join(f"```\n{WRK.replace('193.32us', f'193.3{at}us')}```\n" for at in range(3))
    found = wp.summary(wp.parse_text(text))
    assert found.doubts == ("Nothing in these logs tells the 3 runs apart: they count as repeats of one setting.",)
    assert wp.summary(wp.parse_text(WRK)).doubts == ()


def test_runs_of_ab_of_which_some_kept_connections_alive_are_said_to_differ() -> None:
    report = (Path(__file__).parents[1] / "fixtures/ab/n2000.txt").read_text()
    kept = report.replace("Total transferred:", "Keep-Alive requests:    996\nTotal transferred:")
    [doubt] = wp.summary(wp.parse_text(f"```\n{report}```\n```\n{kept}```\n")).doubts[:1]
    assert "1 of the 2 runs of ab kept connections alive (-k)" in doubt


def test_text_between_runs_and_days_in_their_paths_are_named_where_no_label_tells_runs_apart(tmp_path: Path) -> None:
    """The file beside the two without a day says that the days are no label."""
    (tmp_path / "emu.log").write_text(WRK)
    for day, digit in (("2026-11-20", 1), ("2026-11-22", 2)):
        (tmp_path / day).mkdir()
        first, second, third = (WRK.replace("193.32us", f"19{digit}.{run}2us") for run in (1, 2, 3))
        (tmp_path / day / "emu.log").write_text(f"{first}emu 1.0 ready\n{second}{third}")
    [doubt] = wp.summary(wp.read(tmp_path)).doubts[:1]
    assert doubt == (
        "No name or setting tells the 7 runs apart: they count as repeats of one setting; text is between them: "
        f"2026-11-20/emu.log:{len(WRK.splitlines()) + 1} “emu 1.0 ready”, "
        f"2026-11-22/emu.log:{len(WRK.splitlines()) + 1} “emu 1.0 ready”; "
        "their paths name 2 days, 2026-11-20 to 2026-11-22."
    )


def test_that_all_was_read_stands_below_the_heading() -> None:
    other = WRK.replace("40669.44", "40669.45")
    shown = wp.inventory_exhibits(wp.parse_text(f"## heron\n```\n{WRK}```\n\n## plover\n```\n{other}```\n"))
    assert [getattr(one, "label", getattr(one, "markdown", "")) for one in shown] == [
        "## What was read\n\nEverything that looks like the output of a tool was read.",
        "tbl:labels",
    ]


def test_what_holds_for_all_runs_is_a_sentence_of_the_last_section_and_no_table() -> None:
    alike = wp.parse_text(WRK + WRK.replace("40669.44", "40669.45"))
    assert wp.inventory_exhibits(alike) == []
    [said] = [one.markdown for one in about(alike) if isinstance(one, Paragraphs)]
    assert " Known of all runs: connections 8, duration 10 s, " in said
    assert said.endswith(" (from the tool's output).")
    cut = "".join(WRK.splitlines(keepends=True)[:2])  # a run that printed no result
    shown = wp.inventory_exhibits(wp.parse_text(f"```\n{WRK}```\n\n```\n{cut}```\n"))
    assert [one.label for one in shown if isinstance(one, wp.Table)] == ["tbl:diagnostics"]


def test_a_label_and_the_variable_that_says_it_are_one_row() -> None:
    runs = "".join(f"```\n$ GOGC={gogc} ./heron &\n$ wrk -c8 http://h/\n{WRK}```\n\n" for gogc in (50, 100))
    [table] = [one for one in wp.inventory_exhibits(wp.parse_text(runs)) if getattr(one, "label", "") == "tbl:labels"]
    known = next(column.cells for column in table.columns() if column.title == "what is known")
    assert known.count("GOGC") == 1


def test_every_run_is_in_the_order_of_its_number(tmp_path: Path) -> None:
    for number in (1, 2, 10):
        (tmp_path / f"out{number}.txt").write_text(WRK.replace("40669.44", f"40669.{number}"))
    [table] = [one for one in wp.setting_exhibits(wp.summary(wp.read(tmp_path))) if isinstance(one, wp.Table)]
    assert table.frame["source"].tolist() == ["out1.txt", "out2.txt", "out10.txt"]


def test_a_caption_names_no_law_where_the_points_support_none() -> None:
    """Two numbers of cores are two points, and each law has a coefficient at least."""

    def caption(*cores: int) -> str:
        runs = Runs()
        for load in (8, 16):
            for count in cores:
                for name in ("heron", "plover"):
                    runs.several([100.0 * count + load], framework=name, cores=count, connections=load)
        [figure] = wp.growth_exhibits(wp.summary(runs.dataset()))
        return figure.caption

    assert caption(2, 4).startswith("Throughput by cores, and efficiency")
    assert caption(1, 2, 4, 8).startswith("Throughput by cores with the fitted law, and efficiency")


def test_growth_at_many_loads_has_a_figure_for_each_that_can_be_read() -> None:
    """Of five loads the panels would be higher than a page; of two they are not. Ten servers vary elsewhere."""

    def growth(loads: tuple[int, ...]) -> list[wp.Figure]:
        runs = Runs()
        for load in loads:
            for cores in (1, 2, 4):
                for name in ("heron", "plover"):
                    runs.several([100.0 * cores + load], framework=name, cores=cores, connections=load)
        return wp.growth_exhibits(wp.summary(runs.dataset()))

    many = growth((8, 16, 32, 64, 128))
    assert [one.label for one in many] == [f"fig:growth-1-{at}" for at in range(1, 6)]
    assert "Held constant: 8 connections" in many[0].caption
    assert all(one.drawing is not None and one.drawing.get_size_inches()[1] * 25.4 < 225 for one in many)
    assert [one.label for one in growth((8, 16))] == ["fig:growth-1"]


def test_a_trace_of_two_collections_beside_loads_has_no_figure() -> None:
    def exhibits(count: int) -> list[str]:
        trace = "".join(GC.format(n=n, t=n) for n in range(1, count + 1))
        found = wp.summary(wp.parse_text(f"```\n{WRK}```\n\n```\n{trace}```\n"))
        return [one.label for one in wp.trace_exhibits(found, "gctrace")]

    assert exhibits(2) == []
    assert exhibits(3) == ["fig:gc"]


def test_a_caption_says_if_some_runs_print_no_percentiles() -> None:
    printed = WRK.replace("  410759", "  Latency Distribution\n     50%  150.00us\n     99%    1.10ms\n  410759")
    text = "".join(f"```\n{one}```\n" for one in (printed, printed, WRK))
    caption, _ = describe_main_figure(wp.summary(wp.parse_text(text)))
    assert caption.startswith("Latency by percentile, a line for each of the 2 runs that print percentiles")
    caption, _ = describe_main_figure(wp.summary(wp.parse_text(f"```\n{printed}```\n```\n{printed}```\n")))
    assert caption.startswith("Latency by percentile, a line for each run: the p99 is 1.1 ms.")


def test_findings_of_one_kind_leave_room_for_others() -> None:
    """Twelve runs below a heading that contradicts their commands, and a number that is none."""
    runs = "".join(f"```\n$ taskset -c 0-{at % 3} ./kiwi &\n{WRK}```\n\n" for at in range(12))
    broken = WRK.replace("40669.44", "nan")
    shown = wp.inventory_exhibits(wp.parse_text(f"# 16-core machine\n\n{runs}```\n{broken}```\n"))
    [table] = [one for one in shown if isinstance(one, wp.Table) and one.label == "tbl:diagnostics"]
    cells = {one.title: one.cells for one in table.columns()}
    assert len(cells["finding"]) == 4
    assert len({text.split(":")[0] for text in cells["finding"][:2]}) == 2

"""Results as text and as HTML; the public names."""

from __future__ import annotations

import html

import pandas as pd
import pytest

import wrkparse as wp
from tests.samples import WRK
from wrkparse.analysis.shown.results import ResultView, ShownResult


@pytest.mark.parametrize("module", [wp, wp.plot])
def test_tab_lists_the_public_names_alone(module: object) -> None:
    assert dir(module) == sorted(module.__all__)  # type: ignore[attr-defined]


def test_names_for_the_notebooks_of_reports_are_found_and_not_listed() -> None:
    hidden = {"attempt", "counted", "escaped", "name_of", "audit_exhibits", "window_exhibits"}
    assert hidden.isdisjoint(dir(wp))
    assert hidden <= set(wp.FOR_REPORTS)
    assert all(callable(getattr(wp, name)) for name in wp.FOR_REPORTS)
    assert {"read", "load", "compare", "plot", "Dataset"} <= set(dir(wp))


class Made(ShownResult):
    def exhibit(self) -> ResultView:
        many = pd.DataFrame({"name": [f"<b>\x1b{at}" for at in range(1500)]})
        return ResultView("1 thing", {"things": many, "nothing": many.head(0)})


def test_a_result_shows_the_first_rows_and_nothing_that_acts() -> None:
    text, page = str(Made()), Made()._repr_html_()
    assert text.splitlines()[:2] == ["1 thing", ""]
    assert "things, 20 of 1,500 rows:" in text
    assert "nothing" not in text + page
    assert "\\x1b19" in text
    assert "\x1b" not in text
    assert "b>\x1b20" not in page
    assert "&lt;b&gt;" in page
    assert "<b>" not in page


def test_results_of_analyses_are_readable() -> None:
    dataset = wp.parse_text(f"# nginx\n\n{WRK}")
    shown = {
        "1 run: 1 ok": wp.audit(dataset),
        "USL fitted to 4 points, R² ": wp.fit_usl([1, 2, 4, 8], [10.0, 19.0, 34.0, 52.0]),
        "no published cells: none": wp.reproduce(dataset),
    }
    for beginning, result in shown.items():
        assert str(result).startswith(beginning)
        assert result._repr_html_().startswith(f"<p>{beginning}")
    assert "<td>runs</td><td>1</td>" in dataset._repr_html_()
    assert "framework" in dataset._repr_html_()


def test_notebooks_show_an_audit_by_line_with_what_each_code_means() -> None:
    failing = WRK.replace("Requests/sec:", "  Socket errors: connect 0, read 90000, write 0, timeout 0\nRequests/sec:")
    found = wp.audit(wp.parse_text(failing, source="<a>.log"))
    told = found.findings[found.findings["severity"] != "note"]
    page = found._repr_html_()
    assert len(told) > 0
    for finding in told.itertuples():
        assert f"<td>&lt;a&gt;.log:{finding.line}" in page
        assert html.escape(finding.message) in page
        assert page.count(f"<b>{finding.code}</b>") == 1


def test_notebooks_show_growth_as_it_is_printed() -> None:
    page = "".join(f"# nginx, {cores} cores\n\n{WRK}\n" for cores in (1, 2, 4))
    found = wp.scaling(wp.parse_text(page))
    assert found._repr_html_() == f"<pre>{html.escape(str(found))}</pre>"
    assert "speed-up" in found._repr_html_()


def test_factors_are_readable_and_a_tuple_as_before() -> None:
    page = "".join(f"# {name}\n\n{WRK}\n" for name in ("nginx", "haproxy"))
    found = wp.factors(wp.parse_text(page))
    assert found == (("framework",), ())
    assert [line.rsplit(maxsplit=1) for line in str(found).splitlines()] == [
        ["the server differs in", "framework"],
        ["the load differs in", "nothing"],
    ]
    assert "framework" in found._repr_html_()
    assert found._repr_html_().startswith("<table>")


def test_a_scaling_is_readable() -> None:
    page = "".join(f"# cores: {n}\n\n{WRK.replace('40669.44', f'{1000 * n}.00')}\n" for n in (1, 2, 4))
    found = wp.scaling(wp.parse_text(page, labels={"framework": "nginx"}))
    assert str(found).startswith("throughput_per_s over cores by study, framework, connections")


GCTRACE = """\
gc 1 @0.100s 2%: 0.10+1.0+0.20 ms clock, 0.20+0.50/0.30/0.10+0.40 ms cpu, 4->5->2 MB, 5 MB goal, 0 MB stacks, 0 MB globals, 2 P
gc 2 @0.200s 3%: 0.10+1.0+0.70 ms clock, 0.20+0.50/0.30/0.10+1.4 ms cpu, 4->5->2 MB, 5 MB goal, 0 MB stacks, 0 MB globals, 2 P
"""
SCHEDTRACE = """\
SCHED 0ms: gomaxprocs=2 idleprocs=1 threads=4 spinningthreads=0 needspinning=0 idlethreads=1 runqueue=0 [0 0]
SCHED 100ms: gomaxprocs=2 idleprocs=0 threads=5 spinningthreads=0 needspinning=0 idlethreads=1 runqueue=3 [1 1]
"""


def test_a_summary_of_collections_is_shown_as_the_command_prints_it_and_is_a_frame() -> None:
    found = wp.gc_summary(wp.parse_text(GCTRACE))
    lines = str(found).splitlines()
    assert ["pause", "max", "700.0", "µs"] in [line.split() for line in lines]
    assert str(found) == repr(found)
    assert "700.0 µs" in found._repr_html_()
    assert found["pause_max_s"].tolist() == [0.0007]
    assert type(found[found["cycles"] > 0]) is pd.DataFrame


def test_a_summary_of_schedulers_is_shown_as_the_command_prints_it() -> None:
    found = wp.sched_summary(wp.parse_text(SCHEDTRACE))
    # 1 of 2 Ps is idle in the first half of the time, as each tick stands for the time half-way to the next one
    assert ["Ps", "in", "use", "75.00", "%"] in [line.split() for line in str(found).splitlines()]
    assert "75.00 %" in found._repr_html_()


def test_a_summary_without_traces_says_so() -> None:
    none = wp.parse_text(WRK)
    assert str(wp.gc_summary(none)) == str(wp.sched_summary(none)) == "no runs"
    assert wp.gc_summary(none)._repr_html_() == "<p>no runs</p>"


def test_more_traces_than_fit_side_by_side_have_a_line_each() -> None:
    page = "".join(f"# kiwi {name}\n\n```\n{GCTRACE}```\n\n" for name in "abcdefghij")
    found = wp.gc_summary(wp.parse_text(page))
    assert len(found) == 10
    assert sum("700.0 µs" in line for line in str(found).splitlines()) == 10
    assert found._repr_html_().count("<tr>") == 11


def test_the_prompt_of_python_shows_results_as_print_does() -> None:
    page = "".join(f"# {name}\n\n{WRK}\n" for name in ("nginx", "haproxy"))
    dataset = wp.parse_text(page)
    for result in (wp.compare(dataset), wp.audit(dataset), wp.factors(dataset), wp.summary(dataset)):
        assert repr(result) == str(result)
        assert "\n" in repr(result)


def test_an_audit_is_shown_by_run_with_what_its_findings_mean() -> None:
    """410,759 requests in 10.10 s are 40,669/s: the second run prints another rate."""
    found = wp.audit(wp.parse_text(f"# a\n\n{WRK}\n# b\n\n{WRK.replace('40669.44', '90000.00')}"))
    lines = str(found).splitlines()
    assert any(line.endswith(": invalid") for line in lines)
    assert any("rate-contradiction: " in line for line in lines)
    assert "rate-contradiction (1)" in lines
    assert lines[-1].startswith("2 runs: 1 ok, 0 latency-suspect, 0 suspect, 1 invalid")


def test_a_command_that_has_another_name_in_python_is_hinted_at() -> None:
    for name, meant in (("gc", "gc_summary"), ("sched", "sched_summary"), ("comapre", "compare")):
        with pytest.raises(AttributeError, match=f"did you mean {meant}"):
            getattr(wp, name)


def test_a_path_in_place_of_a_dataset_is_said_to_be_none() -> None:
    with pytest.raises(TypeError, match=r"compare takes a Dataset, as wrkparse.read\(path\) returns it; not str"):
        wp.compare("logs/")  # type: ignore[arg-type]


def test_a_dataset_of_nothing_says_why() -> None:
    assert "/none/there: " in repr(wp.read("/none/there"))

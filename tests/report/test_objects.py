"""Tables and figures with captions, as a notebook displays them."""

from __future__ import annotations

import base64
import re

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure as Drawing

import wrkparse as wp
from wrkparse.analysis.runs.selection import TooLittleError
from wrkparse.report.exhibits.captioned import Missing
from wrkparse.report.exhibits.mime_types import FIGURE, FOR_REPORT, TABLE
from wrkparse.report.exhibits.tables.alignment import point_gaps
from wrkparse.report.exhibits.tables.columns import format_column, format_significant

FRAME = pd.DataFrame(
    {
        "framework": ["nginx", "<hyper> 高速"],
        "throughput_per_s": [40669.44, np.nan],
        "latency_p99_s": [0.00019332, 0.0124],
        "heap_bytes": pd.array([4 * 2**20, None], "Int64"),
        "pause_ratio": [0.0123456, 0.0],
        "cycles": [1234567, 2],
        "forced": pd.array([True, None], "boolean"),
    }
)


def drawn() -> Drawing:
    figure = Drawing(figsize=(2, 1))
    figure.add_subplot().set_title("pauses")
    return figure


@pytest.mark.parametrize(
    ("number", "text"),
    [(40669.44, "40,669"), (0.19332, "0.1933"), (9999.6, "10,000"), (0.99996, "1.000"), (0, "0"), (-2.5, "-2.500"), (float("nan"), ""), (float("inf"), "∞")],
)  # fmt: skip
def test_four_significant_digits(number: float, text: str) -> None:
    assert format_significant(number) == text


@pytest.mark.parametrize(
    ("name", "title", "unit", "right", "cells"),
    [
        ("framework", "framework", "", False, ["nginx", "<hyper> 高速"]),
        ("throughput_per_s", "throughput", "k/s", True, ["40.67", ""]),
        ("latency_p99_s", "latency p99", "ms", True, ["0.193", "12.400"]),
        ("heap_bytes", "heap", "MiB", True, ["4", ""]),
        ("pause_ratio", "pause", "%", True, ["1.235", "0"]),
        ("cycles", "cycles", "", True, ["1,234,567", "2"]),
        ("forced", "forced", "", False, ["yes", ""]),
    ],
)
def test_a_column_has_one_prefix_in_its_header_and_missing_cells_are_empty(
    name: str, title: str, unit: str, right: bool, cells: list[str]
) -> None:
    assert format_column(FRAME[name]) == (title, unit, right, cells)


@pytest.mark.parametrize(
    ("values", "cells"),
    [
        ([53e-6, 610e-6, 2.4e-3], ["53", "610", "2,400"]),  # whole µs, the prefix of their middle
        ([53.5e-6, 610e-6, 2.4e-3], ["53.5", "610.0", "2,400.0"]),
        ([0.00846, 0.0107], ["8.46", "10.70"]),
        ([0.0, np.nan], ["0", ""]),
        ([0.00539, 0.0325, 0.0], ["5.39", "32.50", "0"]),  # 0 is exact
        ([12e-6, 0.25, 98.7654], ["0.012", "250.0", "98,765"]),  # more than six digits: four of each
    ],
)
def test_decimals_that_are_0_in_a_whole_column_are_left_out(values: list[float], cells: list[str]) -> None:
    shown = format_column(pd.Series(values, name="pause_max_s")).cells
    assert shown == cells


@pytest.mark.parametrize(
    ("values", "cells"),
    [
        ([3.8512, 0.809, 1.0], ["3.85", "0.81", "1.00"]),
        ([1.0551, 1.0493, np.nan], ["1.055", "1.049", ""]),  # a hundredth would not tell them apart
        ([213.4, 7.25], ["213", "7"]),
    ],
)
def test_ratios_have_equally_many_decimals(values: list[float], cells: list[str]) -> None:
    assert format_column(pd.Series(values, name="ratio"), form="factor") == ("ratio", "", True, cells)


def test_a_number_has_no_more_decimals_than_were_printed() -> None:
    """ab prints whole milliseconds, wrk two decimals."""
    values = pd.Series([0.0205, 0.016], name="latency_p99_s")
    assert format_column(values, resolutions=pd.Series([0.000005, 0.0005])).cells == ["20.5", "16"]
    halves = pd.Series([0.0165, 0.0105], name="latency_p99_s")  # medians of 16 and 17 ms, of 10 and 11 ms
    assert format_column(halves, resolutions=pd.Series([0.0005, 0.0005])).cells == ["16.5", "10.5"]


def test_pauses_have_the_digits_that_the_runtime_of_go_prints() -> None:
    """Two digits below 10 ms, whole milliseconds above."""
    frame = pd.DataFrame({"pause_max_s": [0.034, 0.0089, 0.00082, np.nan]})
    [column] = wp.Table(frame, "Pauses", "tbl:pauses").columns()
    assert column == ("longest pause", "ms", True, ["34", "8.9", "0.82", ""])


@pytest.mark.parametrize(
    ("ratios", "resolutions", "cells"),
    [
        ([1.0, 11 / 7, 4.0], [np.nan, 0.18, 0.36], ["1.0", "1.6", "4.0"]),  # whole milliseconds: 7, 11 and 28
        ([1.0, 0.9083, 1.0497], [np.nan, 0.0004, 0.004], ["1.000", "0.908", "1.050"]),
        ([0.031], [0.4], ["0.03"]),  # a digit is left
    ],
)
def test_a_ratio_ends_where_the_printed_digits_leave_it_open(
    ratios: list[float], resolutions: list[float], cells: list[str]
) -> None:
    values = pd.Series(ratios, name="ratio")
    assert format_column(values, form="factor", resolutions=pd.Series(resolutions)).cells == cells


def test_a_table_of_a_comparison_knows_the_printed_digits() -> None:
    frame = pd.DataFrame({"ratio": [1.0, 11 / 7], "ratio_resolution": [np.nan, 0.18]})
    [column] = wp.Table(frame, "p99", "tbl:p99", columns=["ratio"], formats={"ratio": "factor"}).columns()
    assert column.cells == ["1.0", "1.6"]


def test_numbers_end_where_their_points_stand_below_each_other() -> None:
    """A digit is 1 wide, a point one half: behind 98,765 there is room for a point and three digits."""
    rows = [["a", "0.012"], ["1.25", "250.0"], ["b", "98,765"], ["c", ""], ["d", "<1"], ["e", "invalid"]]
    columns = [{"right": False}, {"right": True}]
    assert point_gaps(rows, columns) == [[0, 0], [0, 2], [0, 3.5], [0, 0], [0, 3.5], [0, 0]]
    assert point_gaps([["1"], ["2"]], [{"right": True}]) == [[0], [0]]


def test_whole_mib_keep_their_unit_and_0_is_less_than_one() -> None:
    values = pd.Series([0, 4 * 2**20, 2.5 * 2**20, 2048 * 2**20, np.nan], name="heap_live_max_bytes")
    assert format_column(values, "live heap", "whole MiB") == (
        "live heap", "MiB", True, ["<1", "4", "2.5", "2,048", ""],
    )  # fmt: skip


def test_numbers_without_a_unit_have_four_digits_and_only_extremes_an_exponent() -> None:
    values = pd.Series([2.41, 12345.6, 0.00082578, 1.5e-9, np.nan, -3.0], name="kappa")
    assert format_column(values).cells == ["2.410", "12,346", "0.0008258", "1.500e-09", "", "-3.000"]
    assert format_column(values[[0, 5]]).cells == ["2.41", "-3.00"]  # equally many decimals


def test_a_format_replaces_the_unit_of_the_name() -> None:
    values = pd.Series([1.5, np.nan], name="center")
    assert format_column(values, "ratio", "×") == ("ratio", "×", True, ["1.5", ""])
    assert format_column(values, form=".1f") == ("center", "", True, ["1.5", ""])
    assert format_column(values, form=lambda value: f"<{value}>").cells == ["<1.5>", ""]
    assert format_column(values, form="1/s").unit == "1/s"


def test_a_table_carries_its_cells_and_all_rows_as_csv() -> None:
    table = wp.Table(FRAME, "Runs", "tbl:runs", columns={"cycles": "n", "framework": "server"}, rows=1)
    content = table._repr_mimebundle_()[TABLE]
    assert content["columns"] == [
        {"title": "n", "unit": "", "right": True},
        {"title": "server", "unit": "", "right": False},
    ]
    assert content["rows"] == [["1,234,567", "nginx"]]
    assert content["left_out"] == 1
    assert content["csv"] == "cycles,framework\n1234567,nginx\n2,<hyper> 高速\n"


def test_no_rows_are_left_out_if_that_saves_only_a_few() -> None:
    frame = pd.DataFrame({"n": range(7)})
    assert [wp.Table(frame.head(count), "Runs", "tbl:runs", rows=4).rows for count in (3, 6, 7)] == [3, 6, 4]


def test_a_column_without_any_value_is_only_in_the_csv() -> None:
    content = wp.Table(FRAME.assign(rate=None), "Runs", "tbl:runs")._repr_mimebundle_()[TABLE]
    assert [one["title"] for one in content["columns"]][-1] == "forced"
    assert content["csv"].startswith(
        "framework,throughput_per_s,latency_p99_s,heap_bytes,pause_ratio,cycles,forced,rate\n"
    )


def test_jupyter_shows_a_table_as_html_with_its_text_escaped() -> None:
    shown = wp.Table(FRAME, "Runs <1>", "tbl:runs")._repr_mimebundle_()["text/html"]
    assert '<td style="text-align:left">&lt;hyper&gt; 高速</td>' in shown
    assert "<strong>@tbl:runs</strong> Runs &lt;1&gt;</caption>" in shown


def test_a_report_gets_no_html(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOR_REPORT, "1")
    assert set(wp.Table(FRAME, "Runs", "tbl:runs")._repr_mimebundle_()) == {TABLE, "text/plain"}
    assert set(wp.Figure(drawn(), "Pauses", "fig:pauses", "one axis")._repr_mimebundle_()) == {FIGURE, "text/plain"}


def test_jupyter_gets_a_figure_as_an_image_of_outlines_with_its_description() -> None:
    shown = wp.Figure(drawn(), "*Pauses* <1> of `GOGC=50`", "fig:pauses", 'an "axis"')._repr_mimebundle_()
    assert set(shown) == {"text/html", "text/plain"}
    tag, data = re.findall(r'(<img [^>]*?)src="data:image/svg\+xml;base64,([^"]*)">', shown["text/html"])[0]
    assert tag == '<img alt="an &quot;axis&quot;" '
    svg = base64.b64decode(data).decode()
    assert "</svg>" in svg
    assert "<text" not in svg  # text would need fonts
    assert "</strong> <em>Pauses</em> &lt;1&gt; of <code>GOGC=50</code></figcaption>" in shown["text/html"]


@pytest.mark.parametrize("label", ["runs", "fig:runs", "tbl:", "tbl:Runs", "tbl:a_b", "tbl:a.b"])
def test_a_malformed_label_is_an_error(label: str) -> None:
    with pytest.raises(ValueError, match="label"):
        wp.Table(FRAME, "Runs", label)


def test_an_unknown_column_is_an_error_that_lists_the_known_ones() -> None:
    with pytest.raises(KeyError, match="no column speed; it has framework"):
        wp.Table(FRAME, "Runs", "tbl:runs", columns={"speed": "speed"})


def test_a_figure_is_the_same_svg_twice_with_text_as_text() -> None:
    first, again = (wp.Figure(drawn(), "Pauses", "fig:pauses", "one axis").svg(text=True) for _ in range(2))
    assert first == again
    assert ">pauses</text>" in first
    assert "pauses</text>" not in wp.Figure(drawn(), "Pauses", "fig:pauses", "one axis").svg(text=False)


def test_a_figure_without_a_description_is_an_error() -> None:
    with pytest.raises(ValueError, match="alt is empty"):
        wp.Figure(drawn(), "Pauses", "fig:pauses", " ")


def test_a_missing_result_is_a_line_with_the_reason() -> None:
    def too_little(_: object) -> None:
        raise TooLittleError("no run states latency")

    nothing = wp.attempt(too_little, FRAME)
    assert isinstance(nothing, Missing)
    assert not nothing
    table = wp.Table(nothing.points[["a"]].query("b"), "Points", "tbl:points", columns={"a": "A"})
    assert table._repr_mimebundle_()[TABLE] == {
        "caption": "Points",
        "label": "tbl:points",
        "empty": "no run states latency",
    }
    figure = wp.Figure(wp.attempt(drawn, nothing), "Points", "fig:points", "points")
    assert figure._repr_mimebundle_()[FIGURE]["empty"] == "no run states latency"


def test_an_empty_frame_is_a_line_with_the_reason() -> None:
    shown = wp.Table(FRAME.head(0), "Runs", "tbl:runs", empty="No run.")._repr_mimebundle_()
    assert shown[TABLE]["empty"] == "No run."
    assert shown["text/html"] == "<p><strong>@tbl:runs</strong> Runs: <em>No run.</em></p>"


def test_other_errors_are_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        wp.attempt(lambda: 1 / 0)


def test_columns_have_titles_and_formats_of_their_own() -> None:
    frame = pd.DataFrame({"gogc": ["50"], "sigma": [0.02512], "code": ["little-law-high"], "rate_per_s": [1500.0]})
    table = wp.Table(
        frame, "Some", "tbl:some", columns=["gogc", "sigma", "code", "rate_per_s"], titles={"code": "limit"}
    )
    assert [(one.title, one.unit, one.cells) for one in table.columns()] == [
        ("GOGC", "", ["50"]), ("σ", "", ["0.025"]), ("limit", "", ["above Little's law"]), ("rate", "k/s", ["1.5"]),
    ]  # fmt: skip


def test_jupyter_shows_the_label_that_text_refers_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WRKPARSE_REPORT", raising=False)
    shown = wp.Table(pd.DataFrame({"a": [1]}), "Some *a*", "tbl:some")._repr_mimebundle_()["text/html"]
    assert '<table id="tbl:some"><caption><strong>@tbl:some</strong> Some <em>a</em></caption>' in shown

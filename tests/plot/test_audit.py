from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import wrkparse as wp
from tests.plot.artists import cut_off, gids, line, points, same, words
from tests.samples import WRK
from wrkparse.plot import NothingToPlotError, data, layout
from wrkparse.plot.figures.audit import audit
from wrkparse.plot.files import figure_bytes

DATA = Path(__file__).parents[2] / "data"
HIGH = WRK.replace("193.32us", "965.00us").replace("1.57ms", "1.57s")


def test_a_run_that_follows_the_law_is_a_grey_point_near_one() -> None:
    """40669.44 /s × 193.32 µs are 7.862 requests in flight, on 8 connections."""
    ax = audit(wp.parse_text(WRK))
    assert same(points(ax, "ok"), [(8, 40669.44 * 193.32e-6 / 8)])
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")
    law = np.asarray(line(ax, "law").get_xydata())
    assert (law[:, 1] == 1).all()


def test_a_run_with_a_finding_has_its_colour_and_a_name() -> None:
    ds = wp.parse_text(f"# fine\n```\n{WRK}```\n# off\n```\n{HIGH}```\n")
    ax = audit(ds)
    assert same(points(ax, "little-law-high latency-suspect"), [(8, 40669.44 * 965e-6 / 8)], 1e-4)
    assert same(points(ax, "ok"), [(8, 40669.44 * 193.32e-6 / 8)])
    assert [text.get_text() for text in ax.texts if text.get_gid() == "name"]
    legend = ax.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == ["agrees (1)", "above Little's law (1)"]


def test_an_invalid_run_has_a_cross() -> None:
    ds = wp.parse_text(WRK.replace("40669.44", "50669.44"))  # differs from requests / elapsed
    assert "invalid" in gids(audit(ds))
    assert "invalid" not in gids(audit(wp.parse_text(WRK)))


def test_the_legend_names_no_kind_of_which_there_is_no_run() -> None:
    legend = audit(wp.parse_text(HIGH)).get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == ["above Little's law (1)"]


def test_the_studies_have_the_findings_that_the_audit_counts(studies: wp.Dataset) -> None:
    ax = audit(studies)
    found = wp.audit(studies).findings
    drawn = {gid: len(points(ax, gid)) for gid in gids(ax) if gid.startswith("little")}
    counted = found[found["code"].str.startswith("little")].groupby(["code", "severity"]).size()
    assert drawn == {f"{code} {severity}": n for (code, severity), n in counted.items()}
    assert len(data(ax)) == len(points(ax, "ok")) + sum(drawn.values())
    assert cut_off(ax) == []
    assert len([text for text in ax.texts if text.get_gid() == "name"]) > 3


def test_the_bytes_are_the_same_and_nothing_is_cut_off_where_it_is_narrow() -> None:
    ds = wp.parse_text(HIGH)
    assert figure_bytes(audit(ds), "svg") == figure_bytes(audit(ds), "svg")
    narrow = audit(ds, width=95)
    assert cut_off(narrow) == []
    assert words(narrow)


def test_a_name_hides_no_line(studies: wp.Dataset) -> None:
    ax = audit(studies)
    boxes = [text.get_window_extent() for text in ax.texts if text.get_gid() == "name"]
    along = np.geomspace(*ax.get_xlim(), 2000)
    for factor in (0.5, 1, 2):  # the law, and the bounds beyond which a run is suspect
        places = ax.transData.transform(np.column_stack([along, np.full_like(along, factor)]))
        assert not any(box.contains(x, y) for box in boxes for x, y in places)


def test_missing_data_is_an_error_with_a_reason() -> None:
    with pytest.raises(NothingToPlotError, match="no report states connections"):
        audit(wp.parse_text("real\t0m1.0s\nuser\t0m1.0s\nsys\t0m0.0s\n"))


def test_runs_of_one_setting_are_named_once() -> None:
    ax = audit(wp.read(str(DATA / "nuster-nginx-varnish")))
    assert len(points(ax, "little-law-high latency-suspect")) > 10  # of varnish, at two numbers of connections
    said = [(text.get_text(), text.xy[0], text.get_color()) for text in ax.texts if text.get_gid() == "name"]
    assert said
    assert len(set(said)) == len(said)


def test_runs_at_one_number_of_connections_stand_side_by_side() -> None:
    """Three runs at 8 connections, the second of which is far from the law."""
    ax = audit(wp.parse_text("".join(f"```\n{text}```\n" for text in (WRK, HIGH, WRK.replace("40669.44", "40669.45")))))
    assert [x for x, _ in points(ax, "ok")] == [1, 3]
    assert [x for x, _ in points(ax, "little-law-high latency-suspect")] == [2]
    assert (ax.get_xscale(), ax.get_yscale()) == ("linear", "log")
    assert ax.get_xlabel() == "runs in the order of their files, all at 8 connections (ratio on a log scale)"
    assert set(data(ax)["connections"]) == {8}
    assert cut_off(ax) == []


@pytest.mark.parametrize("width", [166, 95])
def test_the_legend_hides_no_point(width: float) -> None:
    """The run at the fewest connections is fifty times above the law, where the legend stands."""
    text = ""
    for connections, latency in ((8, "9.65ms"), (64, "965.00us"), (640, "193.32us"), (6400, "157.36ms")):
        report = WRK.replace("and 8 connections", f"and {connections} connections").replace("193.32us", latency)
        text += f"# at {connections}\n```\n{report.replace('1.57ms', '1.57s')}```\n"
    ax = audit(wp.parse_text(text), width=width)
    legend = ax.get_legend()
    assert legend is not None
    layout.figure_of(ax).draw_without_rendering()
    box = legend.get_window_extent()
    table = data(ax)
    assert table["ratio"].max() == pytest.approx(40669.44 * 9.65e-3 / 8)
    assert box.y0 > ax.transData.transform((8.0, float(table["ratio"].max())))[1]
    assert box.y1 <= ax.bbox.y1 + 1
    assert cut_off(ax) == []

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from matplotlib.axes import Axes

import wrkparse as wp
from tests.plot.artists import cut_off, gids, line, points, same, words
from tests.samples import WRK
from wrkparse.plot import NothingToPlotError, data
from wrkparse.plot.figures.latency.latency import ccdf, latency
from wrkparse.plot.files import figure_bytes
from wrkparse.plot.layout import figure_of
from wrkparse.plot.points import placed_points

FIXTURES = Path(__file__).parents[1] / "fixtures"
STALL = Path(__file__).parents[2] / "notebooks/loopback/stall"
PRINTED = WRK.replace(
    "  410759 requests",
    "  Latency Distribution\n     50%  190.00us\n     75%  200.00us\n     90%  240.00us\n     99%  900.00us\n"
    "  410759 requests",
)


@pytest.fixture(scope="module")
def spectrum() -> wp.Dataset:
    return wp.read(str(FIXTURES / "wrk/calibrated-u_latency.txt"))


def test_a_spectrum_is_drawn_as_it_is_printed(spectrum: wp.Dataset) -> None:
    ax = latency(spectrum)
    corrected = points(ax, next(gid for gid in gids(ax) if gid.endswith(", corrected")))
    assert len(corrected) == 45
    assert corrected[5] == pytest.approx((2.0, 0.003197))  # 3.197 0.500000 169 2.00
    assert corrected[7] == pytest.approx((2.5, 0.003249))  # 3.249 0.600000 204 2.50
    assert ax.get_xscale() == "log"


def test_uncorrected_latencies_are_dashed(spectrum: wp.Dataset) -> None:
    ax = latency(spectrum)
    (dashed,) = (gid for gid in gids(ax) if gid.endswith(", uncorrected"))
    (solid,) = (gid for gid in gids(ax) if gid.endswith(", corrected"))
    assert line(ax, dashed).is_dashed()
    assert not line(ax, solid).is_dashed()
    assert points(ax, dashed)[5] == pytest.approx((2.0, 0.002329))  # 2.329 0.500000 178 2.00


def test_the_table_has_the_percentiles_as_printed(spectrum: wp.Dataset) -> None:
    found = words(latency(spectrum))
    assert [word for word in found if word.startswith("p") and word != "percentile"] == ["p50", "p99", "p99.9"]
    # 50.000% 3.20ms, 99.000% 4.72ms, 99.900% 6.46ms; 2.33ms, 3.70ms, 4.59ms
    assert [word for word in found if word.endswith("ms")] == [
        "3.20 ms", "4.72 ms", "6.46 ms", "2.33 ms", "3.70 ms", "4.59 ms",
    ]  # fmt: skip


def test_a_few_printed_percentiles_are_points_with_dotted_steps() -> None:
    ax = latency(wp.parse_text(PRINTED))
    (gid,) = (gid for gid in gids(ax) if gid not in {"sample", "name", "note"})
    # the maximum stands as far behind p99 as 6 times the requests in front of one that is slower
    assert same(points(ax, gid), [(2, 190e-6), (4, 200e-6), (10, 240e-6), (100, 900e-6), (600, 1.57e-3)])
    assert [tick.get_text() for tick in ax.get_xticklabels()][-2:] == ["99\N{NO-BREAK SPACE}%", "maximum"]
    assert line(ax, gid).get_drawstyle() == "steps-pre"
    assert line(ax, gid).is_dashed()
    assert line(ax, gid).get_marker() not in {"", "None"}
    assert "p99.9" not in words(ax)  # wrk does not print it


def test_the_complementary_cdf_falls_from_the_share_that_was_slower() -> None:
    ax = ccdf(wp.parse_text(PRINTED))
    (gid,) = (gid for gid in gids(ax) if gid not in {"sample", "name", "note"})
    assert same(points(ax, gid)[:4], [(190e-6, 0.5), (200e-6, 0.25), (240e-6, 0.1), (900e-6, 0.01)])
    assert line(ax, gid).get_drawstyle() == "steps-post"
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")


def test_the_scale_is_logarithmic_where_latencies_differ_by_factors(spectrum: wp.Dataset) -> None:
    assert latency(spectrum).get_yscale() == "linear"
    wide = PRINTED.replace("1.57ms", "1.57s").replace("193.32us", "965.00us")
    assert latency(wp.parse_text(wide)).get_yscale() == "log"


def test_latencies_printed_as_0_are_left_out_of_log_axes_and_counted() -> None:
    ax = ccdf(wp.parse_text(PRINTED.replace("190.00us", "0.00us")))
    assert "1 latency printed as 0 left out" in words(ax)
    (gid,) = (gid for gid in gids(ax) if gid not in {"sample", "name", "note"})
    assert len(points(ax, gid)) == 4


@pytest.mark.parametrize("kind", [latency, ccdf])
def test_the_table_leaves_a_row_for_the_note(kind: Callable[..., Axes]) -> None:
    """Most percentiles of ab, in whole milliseconds, are 0; the note states how many are left out."""
    ax = kind(wp.read(STALL / "ab.log", STALL / "closed.log"))
    ax.figure.draw_without_rendering()
    told = next(text for text in ax.texts if text.get_gid() == "note" and text.get_text())
    names = [text for text in ax.texts if text.get_gid() == "name"]
    assert len(names) == 2
    assert not any(told.get_window_extent().overlaps(name.get_window_extent()) for name in names)


def test_no_line_runs_through_the_table(spectrum: wp.Dataset) -> None:
    for draw in (latency, ccdf):
        ax = draw(spectrum)
        ax.figure.draw_without_rendering()
        boxes = [text.get_window_extent() for text in ax.texts if text.get_gid() == "name"]
        for one in ax.get_lines():
            if one.get_gid() != "sample":
                places = ax.transData.transform(np.asarray(one.get_xydata(), float))
                assert not any(box.contains(x, y) for box in boxes for x, y in places)


def test_a_point_says_the_percentile_with_the_digits_that_were_printed() -> None:
    ax = latency(wp.parse_text(PRINTED.replace("900.00us", "1.05ms")))
    figure_of(ax).draw_without_rendering()
    assert "p99: 1.05 ms" in {point.words for point in placed_points(figure_of(ax))}


def test_repeats_are_one_line_of_medians_with_their_range_and_never_averaged() -> None:
    """p99 of three repeats is 900, 1000 and 1300 µs: the line is at 1000, the mean would be 1067."""
    text = "# caddy\n```\n" + PRINTED + "```\n# nginx\n"
    text += "".join(f"```\n{PRINTED.replace('900.00us', f'{p99}.00us')}```\n" for p99 in (900, 1300, 1000))
    ax = latency(wp.parse_text(text))
    (panel,) = ax.child_axes
    assert same(points(panel, "median nginx")[:4], [(2, 190e-6), (4, 200e-6), (10, 240e-6), (100, 1000e-6)])
    (band,) = (patch for patch in panel.patches if patch.get_gid() == "range nginx")
    corners = band.get_xy()
    assert {round(1e6 * y) for x, y in corners if np.isclose(x, 100)} == {
        900,
        1300,
        1570,
    }  # to p99, and from there to the maximum
    assert len(data(ax)) == 4 * 5
    assert "median of 1 to 3 runs" in " ".join(words(ax))


def test_a_warm_up_is_no_line_unless_it_is_asked_for() -> None:
    ds = wp.parse_text(f"# warm-up\n```\n{PRINTED}```\n# run 1\n```\n{PRINTED.replace('190.00us', '180.00us')}```\n")
    (only,) = {one.get_gid() for one in latency(ds).get_lines() if one.get_gid() not in ("sample", None)}
    assert set(data(latency(ds))["value_s"]) >= {180e-6}
    assert 190e-6 not in set(data(latency(ds))["value_s"])
    assert {180e-6, 190e-6} <= set(data(latency(ds, by="phase"))["value_s"])
    assert only


def test_what_answers_has_colours_and_the_load_has_panels() -> None:
    ax = latency(wp.read(FIXTURES / "servers"))
    assert [panel.get_title("left") for panel in ax.child_axes] == ["connections 8", "connections 64"]
    for panel in ax.child_axes:
        assert {gid for gid in gids(panel) if gid.startswith("median")} == {
            "median heron", "median plover", "median siskin",
        }  # fmt: skip
    first, second = ax.child_axes
    assert (first.get_xlim(), first.get_ylim()) == (second.get_xlim(), second.get_ylim())
    # p50 of heron's runs at 64 connections: 0.92, 0.90, 0.815 and 0.89 ms, and 1.19 ms of one that is in doubt
    assert points(second, "median heron")[0] == pytest.approx((2.0, 0.895e-3))
    colours = [line(panel, "median heron").get_color() for panel in ax.child_axes]
    assert colours[0] == colours[1] != line(first, "median plover").get_color()
    legend = ax.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == ["heron", "plover", "siskin"]
    drawn = {line(first, f"median {name}").get_linestyle() for name in ("heron", "plover", "siskin")}
    assert {sample.get_linestyle() for sample in legend.get_lines()} == drawn
    assert line(first, "median heron").is_dashed()
    assert all(sample.is_dashed() for sample in legend.get_lines())
    assert "upper bounds between the printed percentiles" in " ".join(words(ax))


@pytest.mark.parametrize(("loads", "panels"), [((8, 64), 0), ((8, 64, 512), 3)])
def test_single_runs_at_several_loads_have_a_panel_for_each_load_if_they_are_many(
    loads: tuple[int, ...], panels: int
) -> None:
    report = WRK.replace("  410759", "  Latency Distribution\n     50%  150.00us\n     99%    1.10ms\n  410759")
    text = "".join(
        f"# {name}\n```\n{report.replace('and 8 conn', f'and {load} conn')}```\n"
        for name in ("heron", "plover", "siskin")
        for load in loads
    )
    ax = latency(wp.parse_text(text))
    assert len(ax.child_axes) == panels
    if not panels:
        names = [text.get_text() for text in ax.texts if text.get_gid() == "name"]
        assert names == [f"{name}, {load} conn." for name in ("heron", "plover", "siskin") for load in loads]


def test_suspect_latencies_are_left_out_and_counted() -> None:
    """By Little's law the audit doubts the latencies of 12 runs, of which 6 are suspect for another reason, too."""
    ax = latency(wp.read(FIXTURES / "servers"))
    assert "12 runs not used: latencies suspect." in " ".join(" ".join(words(ax)).split())


def test_runs_that_do_not_count_for_two_reasons_are_counted_for_each() -> None:
    """Of heron, the rate is not requests / elapsed in one run, and another one had errors."""
    fine = WRK.replace("  410759", "  Latency Distribution\n     50%  150.00us\n     99%    1.10ms\n  410759")
    odd = fine.replace("40669.44", "50669.44")
    errors = fine.replace("Requests/sec", "  Socket errors: connect 0, read 0, write 0, timeout 41075\nRequests/sec")
    texts = (("heron", fine), ("heron", fine), ("heron", odd), ("heron", errors), ("heron", errors), ("plover", fine))
    ax = latency(wp.parse_text("".join(f"# {name}\n```\n{one}```\n" for name, one in texts)))
    assert "3 runs not used: 1 invalid, latencies of 2 suspect." in " ".join(" ".join(words(ax)).split())


def test_runs_that_do_not_count_but_are_drawn_are_counted() -> None:
    """The rate is not requests / elapsed in both runs of plover; heron has one that counts."""
    fine = WRK.replace("  410759", "  Latency Distribution\n     50%  150.00us\n     99%    1.10ms\n  410759")
    odd = fine.replace("40669.44", "50669.44")
    texts = (("heron", fine), ("plover", odd), ("plover", odd.replace("1.10ms", "1.20ms")))
    ax = latency(wp.parse_text("".join(f"# {name}\n```\n{one}```\n" for name, one in texts)))
    said = " ".join(" ".join(words(ax)).split())
    assert "2 runs drawn that do not count: invalid." in said
    assert "not used" not in said


def test_colours_and_panels_are_those_asked_for() -> None:
    ax = ccdf(wp.read(FIXTURES / "servers"), by="connections", panel="framework")
    assert [panel.get_title("left") for panel in ax.child_axes] == ["heron", "plover", "siskin"]
    assert {gid for gid in gids(ax.child_axes[0]) if gid.startswith("median")} == {
        "median connections 8", "median connections 64",
    }  # fmt: skip


def test_a_label_that_nobody_named_separates_settings_unless_it_is_ignored() -> None:
    servers = wp.read(FIXTURES / "servers")
    assert len(latency(servers, by="framework").child_axes) == 2
    assert len(latency(servers, by="framework", ignore="connections").child_axes) == 1


def test_many_settings_are_rows_with_their_percentiles(tmp_path: Path) -> None:
    for n in range(13):
        (tmp_path / f"server{'abcdefghijklm'[n]}.log").write_text(PRINTED.replace("900.00us", f"{900 + 10 * n}.00us"))
    (panel,) = latency(wp.read(tmp_path)).child_axes
    assert len(panel.get_yticklabels()) == 13
    found = {gid: [one.get_xdata()[0] for one in panel.lines if one.get_gid() == gid] for gid in ("p50", "p99", "max")}
    assert same(found["p50"], [190e-6] * 13)
    assert same(found["p99"], [(900 + 10 * n) * 1e-6 for n in range(13)])  # best first
    assert same(found["max"], [1.57e-3] * 13)
    assert panel.get_xscale() == "log"
    assert "log scale" in panel.get_xlabel()


@pytest.mark.parametrize(("settings", "rows"), [(7, 0), (8, 8)])
def test_a_panel_has_as_many_lines_with_ranges_as_there_are_colours(tmp_path: Path, settings: int, rows: int) -> None:
    for n in range(settings):
        for repeat in (1, 2):
            text = PRINTED.replace("900.00us", f"{900 + 10 * n + repeat}.00us")
            (tmp_path / f"server{'abcdefgh'[n]}-run{repeat}.log").write_text(text)
    (panel,) = latency(wp.read(tmp_path)).child_axes
    medians = [line for line in panel.lines if str(line.get_gid()).startswith("median ")]
    assert len(medians) == settings - rows
    assert len([line for line in panel.lines if line.get_gid() == "p99"]) == rows


def test_of_a_hundred_settings_the_best_are_shown(tmp_path: Path) -> None:
    for n in range(100):
        (tmp_path / f"s{n:03}x.log").write_text(PRINTED.replace("900.00us", f"{900 + n}.00us"))
    ds = wp.read(tmp_path)
    (panel,) = latency(ds).child_axes
    assert panel.get_yticklabels()[-1].get_text().strip() == "… 60 more rows"
    assert len(panel.get_yticklabels()) == 41
    assert cut_off(latency(ds, width=90)) == []


@pytest.mark.parametrize("draw", [latency, ccdf])
def test_a_limit_is_a_line_inside_the_axes(draw: Callable[..., Axes], spectrum: wp.Dataset) -> None:
    for ax in (draw(spectrum, slo_s=0.05), draw(wp.read(FIXTURES / "servers"), slo_s=0.5)):
        for panel in ax.child_axes or [ax]:
            limit = line(panel, "slo")
            value = float(np.ravel(limit.get_ydata() if draw is latency else limit.get_xdata())[0])
            low, high = panel.get_ylim() if draw is latency else panel.get_xlim()
            assert value in {0.05, 0.5}
            assert low < value < high
            assert any(text.get_text().startswith("SLO") for text in panel.texts)


def test_the_bytes_are_the_same_and_nothing_is_cut_off(spectrum: wp.Dataset) -> None:
    for draw in (latency, ccdf):
        assert figure_bytes(draw(spectrum), "svg") == figure_bytes(draw(spectrum), "svg")
        assert cut_off(draw(spectrum)) == []
        assert cut_off(draw(spectrum, width=95)) == []


def test_missing_data_is_an_error_with_a_reason() -> None:
    with pytest.raises(NothingToPlotError, match="no run prints latency percentiles"):
        latency(wp.parse_text(WRK))


@pytest.mark.parametrize("draw", [latency, ccdf])
def test_long_names_are_cut_and_the_axes_stay_near_the_data(draw: Callable[..., Axes], tmp_path: Path) -> None:
    for n in range(10):
        (tmp_path / f"{n} is a log with a name that is really long.md").write_text(PRINTED.replace("1.57ms", "1.57s"))
    ax = draw(wp.read(str(tmp_path)), width=95)
    names = [text.get_text() for text in ax.texts if text.get_gid() == "name"]
    assert len(names) == 10
    assert all(name.endswith("…") for name in names)
    latencies, shares = (190e-6, 1.57), (1 / 410759, 0.5)  # seconds, and shares of slower requests
    across, up = (latencies, shares) if draw is ccdf else (shares, latencies)
    for (low, high), (least, most) in ((ax.get_xlim(), across), (ax.get_ylim(), up)):
        assert math.log(high / low) < 2.5 * math.log(most / least)
    assert cut_off(ax) == []


def test_without_a_free_corner_the_table_is_below_the_axes_and_names_differ(tmp_path: Path) -> None:
    for n in range(8):  # lines all over the axes: steps at 190 µs to 1.9 s, the maximum beyond
        text = PRINTED.replace("190.00us", f"{0.19 * 10 ** (n / 2):.2f}ms").replace("1.57ms", "9.57s")
        (tmp_path / f"a-log-with-a-long-name-that-ends-in-what-tells-it-from-the-others-{n}.md").write_text(text)
    ax = latency(wp.read(str(tmp_path)))
    plain = latency(wp.parse_text(PRINTED))
    ax.figure.draw_without_rendering()
    names = [text for text in ax.texts if text.get_gid() == "name"]
    assert len({text.get_text() for text in names}) == 8
    assert all(text.get_window_extent().y1 < ax.bbox.y0 for text in names)
    samples = [one.get_window_extent() for one in ax.get_lines() if one.get_gid() == "sample"]
    for sample, text in zip(samples, names, strict=True):
        box = text.get_window_extent()
        assert box.y0 < (sample.y0 + sample.y1) / 2 < box.y1  # in the same row
    assert cut_off(ax) == []
    assert ax.figure.bbox.height > plain.figure.bbox.height


def _loads(loads: tuple[int, ...], *names: str) -> wp.Dataset:
    """Two runs of each server at each load; an empty name is no heading."""
    report = WRK.replace("  410759", "  Latency Distribution\n     50%  150.00us\n     99%    1.10ms\n  410759")
    text = ""
    for name in names:
        text += f"# {name}\n" if name else ""
        for load in loads:
            of_load = report.replace("and 8 connections", f"and {load} connections")
            text += "".join(f"```\n{of_load.replace('40669.44', f'4066{run}.44')}```\n" for run in (8, 9))
    return wp.parse_text(text)


def test_three_panels_stand_side_by_side() -> None:
    ds = _loads((8, 16, 32), "heron", "plover")
    panels = latency(ds).child_axes
    assert len({round(panel.bbox.y0) for panel in panels}) == 1
    assert cut_off(latency(ds)) == []
    assert len({round(panel.bbox.y0) for panel in latency(ds, width=95).child_axes}) == 3


def test_runs_without_the_label_are_not_called_all_runs() -> None:
    drawn = gids(latency(_loads((8,), "", "plover")).child_axes[0])
    assert "median (none)" in drawn
    assert "median all runs" not in drawn


def test_a_row_of_many_without_the_label_is_not_called_all_runs(tmp_path: Path) -> None:
    for n in range(12):
        (tmp_path / f"{n}.md").write_text(f"# {'' if n == 4 else 'server' + 'abcdefghijkl'[n]}\n\n{PRINTED}")
    (panel,) = latency(wp.read(tmp_path), by="framework").child_axes
    named = {label.get_text().strip() for label in panel.get_yticklabels()}
    assert "(none)" in named
    assert "all runs" not in named


def test_the_only_run_has_the_name_of_its_file(tmp_path: Path) -> None:
    report = WRK.replace("  410759", "  Latency Distribution\n     50%  150.00us\n     99%    1.10ms\n  410759")
    (tmp_path / "night.txt").write_text(report)
    assert "night.txt" in words(latency(wp.read(tmp_path)))


def test_runs_that_only_headings_tell_apart_have_these_names() -> None:
    """Two headings above two sizes each, one run of each: a line number would name no run."""
    text = "".join(
        f"## {size}\n\n### {name}\n\n{PRINTED}\n"
        for size in ("Body of 100 bytes", "Body of 5000 bytes")
        for name in ("pooled", "fresh each time")
    )
    drawn = {one for one in words(latency(wp.parse_text(text))) if "pooled" in one or "fresh" in one or "line" in one}
    assert drawn == {
        "pooled, bytes 100",
        "pooled, bytes 5000",
        "fresh each time, bytes 100",
        "fresh each time, bytes 5000",
    }

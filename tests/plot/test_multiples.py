from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_hex, to_rgb

import wrkparse as wp
from tests.analysis.audit.reports import AB
from tests.analysis.comparison.runs import Runs
from tests.analysis.scaling.curves import Run, dataset, report
from tests.plot.artists import cut_off
from wrkparse.analysis.comparison.cells.relative import ratios_to_best

DATA = Path(__file__).parents[2] / "data"


@pytest.fixture(scope="module")
def repeated(tmp_path_factory: pytest.TempPathFactory) -> wp.Dataset:
    """Eight runs of /fast, /slow and /base at 8 and 64 connections; /same equals /base up to chance."""
    chance = random.Random(7)
    speeds = {"/base": 1000, "/same": 1000, "/fast": 1500, "/slow": 500}
    runs = [
        Run(
            4,
            round(speed * chance.uniform(0.97, 1.03) * (1 if connections == 8 else 3), 2),
            path,
            connections,
            threads=4,
        )
        for path, speed in speeds.items()
        for connections in (8, 64)
        for _ in range(8)
    ]
    return dataset(tmp_path_factory.mktemp("repeated") / "study", runs)


@pytest.fixture(scope="module")
def many() -> wp.Dataset:
    return wp.read(DATA / "go-many-cores")


def drawn(ax: Axes) -> list[str]:
    return [text.get_text() for text in ax.texts if text.get_text()]


def row_names(ax: Axes) -> list[str]:
    return [label.get_text() for label in ax.get_yticklabels()]


def test_bars_are_sorted_and_show_the_value(repeated: wp.Dataset) -> None:
    ax = wp.plot.compare(repeated, rows="path", where="connections = 8")
    (panel,) = ax.child_axes
    assert row_names(panel)[0] == "/fast"
    assert row_names(panel)[-1] == "/slow"
    behind = {row_names(panel)[int(text.xy[1])]: text.get_text() for text in panel.texts}
    assert behind["/fast"].startswith("1.49")  # 1500 up to 3 %
    assert behind["/fast"].endswith("k")


def test_a_number_in_the_name_of_a_row_has_its_key(repeated: wp.Dataset) -> None:
    (panel,) = wp.plot.compare(repeated, rows="path,connections").child_axes
    assert row_names(panel)[0] == "/fast, connections 64"


def test_every_run_is_a_dot_and_the_whisker_is_the_interval(repeated: wp.Dataset) -> None:
    ax = wp.plot.compare(repeated, rows="path", where="connections = 8 and path = '/fast'")
    (panel,) = ax.child_axes
    wide = repeated.wide("connections = 8 and path = '/fast'")["throughput_per_s"].sort_values().to_list()
    (dots,) = [np.asarray(line.get_xdata()) for line in panel.lines if line.get_marker() == "o"]
    assert sorted(dots.tolist()) == wide
    (bar,) = panel.patches
    assert bar.get_width() == pytest.approx(np.median(wide))
    # of 8 runs the smallest and the largest cover the median with 1 - 2/256 = 99.2 %, the next pair with 93 %
    whisker = panel.collections[0].get_segments()[0]
    # … each with half its last printed digit
    assert [whisker[0][0], whisker[1][0]] == pytest.approx([wide[0] - 0.005, wide[-1] + 0.005], abs=1e-9)


def test_panels_of_multiples_share_axes_and_styles() -> None:
    ax = wp.plot.multiples(wp.read(DATA / "haskell-go-node-io"))
    panels = ax.child_axes
    assert [panel.get_title("left") for panel in panels] == ["go", "haskell mio", "haskell stdio", "node"]
    assert {panel.get_xscale() for panel in panels} == {panel.get_yscale() for panel in panels} == {"log"}
    assert len({panel.get_ylim() for panel in panels}) == 1
    (one,) = [np.asarray(line.get_xydata()) for line in panels[0].lines if line.get_marker() == "o"]
    # the study's tables: go on 1 core under 100, 1000, 5000 and 10000 connections
    assert np.allclose(one[:2], [[100, 182791.14], [1000, 165957.03]])
    for panel in panels:
        assert sorted(drawn(panel), key=int) == ["1", "4", "10", "20", "40"]
        assert np.isfinite(panel.bbox.bounds).all()
        assert panel.bbox.width > 50


def test_latency_is_read_in_milliseconds(repeated: wp.Dataset) -> None:
    ax = wp.plot.multiples(repeated, metric="latency_mean", panel="path", by="cores", linear=True)
    left = ax.child_axes[0]
    assert all(label.get_text().endswith("ms") for label in left.get_yticklabels()[1:])
    assert left.get_ylim()[0] == 0


def test_intervals_are_those_of_the_comparison(repeated: wp.Dataset) -> None:
    ax = wp.plot.multiples(repeated, panel="path")
    bars = ax.child_axes[0].collections[0].get_segments()
    wide = repeated.wide("path = '/base' and connections = 8")["throughput_per_s"]
    assert bars[0].ravel().tolist() == pytest.approx([8, wide.min() - 0.005, 8, wide.max() + 0.005], abs=1e-9)


def test_gc_settings_are_ratios_to_the_baseline(many: wp.Dataset) -> None:
    ax = wp.plot.gc_settings(many, where="environment = 'default'")
    (panel,) = ax.child_axes
    frame = wp.plot.data(ax)
    off = frame[frame["gogc"] == "off"]
    # the logs' own rates: GOGC off against 100 at 8 and at 512 connections
    assert off["value"].iloc[0] == pytest.approx(38.49 / 34.06, rel=1e-3)
    assert off["value"].iloc[-1] == pytest.approx(572.4 / 465.7, rel=1e-3)
    assert drawn(panel) == ["100", "off"]
    assert panel.get_yscale() == "log"


def test_gogc_settings_at_one_load_are_the_rows_of_a_comparison() -> None:
    """All markers would stand at 64 connections, with their intervals in one line."""
    runs = Runs()
    for gogc, rate in (("50", 80.0), ("100", 100.0), ("200", 120.0)):
        runs.several([rate * 1.01**step for step in range(5)], gogc=gogc, connections=64)
    ax = wp.plot.gc_settings(runs.dataset())
    assert ax.child_axes[0].get_title("left") == "Throughput relative to GOGC 100: connections 64"
    assert [text.get_text() for text in ax.child_axes[0].texts if text.get_text().startswith("GOGC")][:1]
    assert wp.plot.data(ax).set_index("gogc")["value"].round(2).to_dict() == {"50": 0.8, "100": 1.0, "200": 1.2}


def test_nothing_to_compare_is_an_error(many: wp.Dataset) -> None:
    with pytest.raises(wp.plot.NothingToPlotError, match="another gogc"):
        wp.plot.gc_settings(many, where="gogc = '100'")
    with pytest.raises(wp.plot.NothingToPlotError, match="number for path"):
        wp.plot.multiples(many, over="path")


def test_rows_of_two_labels_may_miss_some_pairs(many: wp.Dataset) -> None:
    """nginx has no GOGC, so not every setting has all variants."""
    found = wp.compare(many, rows="framework,gogc", columns="connections", baseline="gogc=100", metric="throughput")
    means = found.geomeans.set_index("gogc")["geomean"]
    assert means["100"] == 1


def test_a_ratio_that_differs_from_the_quotient_of_the_values_is_explained(repeated: wp.Dataset) -> None:
    said = "Ratios: medians over all pairs of runs, not ratios of the medians."
    assert said in " ".join(wp.plot.compare(repeated, rows="path", baseline="path=/base").texts[-1].get_text().split())
    assert (
        "Hodges"
        not in wp.plot.compare(repeated, rows="path", baseline="path=/base", center="mean").texts[-1].get_text()
    )


def test_no_line_joins_ab_on_one_path_with_wrk_on_another(tmp_path: Path) -> None:
    """ab measured /plaintext at 8 connections, wrk /json at 16: two panels of a marker each, not one line."""
    (tmp_path / "ab.log").write_text(AB.replace("Path:          /", "Path:          /plaintext"))
    (tmp_path / "wrk.log").write_text(report(Run(4, 9000, "/json", 16, 4)))
    ds = wp.read(tmp_path)
    ax = wp.plot.multiples(ds, panel="", by="study")
    assert len(ax.child_axes) == 2
    assert {len(line.get_xdata()) for panel in ax.child_axes for line in panel.lines if len(line.get_xdata())} == {1}
    assert set(wp.plot.data(ax)["path"]) == {"/plaintext", "/json"}
    everything = "path,tool,url,tool_version,cores,threads,duration_s,env_GOMAXPROCS"
    joined = wp.plot.multiples(ds, panel="", by="study", ignore=everything)
    assert len(joined.child_axes) == 1


@pytest.mark.parametrize("kind", ["scaling", "efficiency"])
def test_settings_that_nobody_named_have_rows_of_their_own(kind: str, tmp_path: Path) -> None:
    runs = [Run(n, rate * n, path) for path, rate in (("/a", 1000), ("/b", 700)) for n in (1, 2, 4)]
    ax = getattr(wp.plot, kind)(dataset(tmp_path, runs))
    assert len(ax.child_axes) == (4 if kind == "scaling" else 2)
    assert set(wp.plot.data(ax)["path"]) == {"/a", "/b"}


def test_a_figure_of_scaling_with_too_many_rows_says_how_to_choose() -> None:
    with pytest.raises(
        wp.plot.NothingToPlotError, match="differ in network, payload_bytes, which would make 36 panels"
    ):
        wp.plot.scaling(wp.read(DATA / "nuster-nginx-varnish"))


def logs(labels: str, *, connections: int = 8, rate: int = 1000) -> str:
    return (
        f"## {labels}\n\nRunning 10s test @ http://h:80/\n  4 threads and {connections} connections\n"
        f"  {10 * rate} requests in 10.00s, 1.00MB read\nRequests/sec: {rate}.00\nTransfer/sec: 0.10MB\n\n"
    )


def test_without_cores_each_framework_is_a_line() -> None:
    text = "".join(
        logs(name, connections=connections, rate=rate)
        for name, rate in (("nginx", 1000), ("caddy", 900))
        for connections in (8, 64)
    )
    ax = wp.plot.multiples(wp.parse_text(text))
    assert len(ax.child_axes) == 1
    assert set(wp.plot.data(ax)["framework"]) == {"nginx", "caddy"}


def test_runs_that_nothing_tells_apart_are_one_line() -> None:
    ax = wp.plot.multiples(wp.parse_text(logs("Notes") + logs("Notes", connections=64)))
    assert wp.plot.data(ax)["tool"].tolist() == ["wrk", "wrk"]


def test_gogc_settings_need_no_framework_and_runs_without_any_are_named() -> None:
    ds = wp.parse_text(logs("GOGC=100") + logs("GOGC=200", rate=1500))
    found = wp.plot.data(wp.plot.gc_settings(ds)).set_index("gogc")["value"]
    assert found["200"] == pytest.approx(1.5)
    with pytest.raises(wp.plot.NothingToPlotError, match="no run has the label gogc"):
        wp.plot.gc_settings(wp.parse_text(logs("nginx")))


@pytest.mark.parametrize(
    ("values", "key", "others"),
    [
        (("50", "200", "off"), "gogc", {"200": 2.0, "off": 4.0}),  # the smallest
        (("50", "100", "200"), "gogc", {"50": 0.5, "200": 2.0}),  # Go's default
        (("64MiB", "128MiB"), "gomemlimit", {"128MiB": 2.0}),
    ],
)
def test_without_a_baseline_gc_settings_are_relative_to_the_default_or_the_smallest(
    values: tuple[str, ...], key: str, others: dict[str, float]
) -> None:
    text = "".join(logs(f"{key.upper()}={value}", rate=1000 * 2**place) for place, value in enumerate(values))
    found = wp.plot.data(wp.plot.gc_settings(wp.parse_text(text), by=key)).set_index(key)["value"]
    assert found.drop(index=[one for one in found.index if one not in others]).to_dict() == pytest.approx(others)


def test_runs_that_are_all_invalid_are_not_said_to_have_no_connections() -> None:
    """10 requests in 10 s are no 1000 requests per second."""
    text = (logs("GOGC=100") + logs("GOGC=200")).replace("10000 requests", "10 requests")
    with pytest.raises(wp.plot.NothingToPlotError, match="no setting has a value to draw"):
        wp.plot.gc_settings(wp.parse_text(text))


def test_bars_of_runs_without_a_rate_show_their_time() -> None:
    text = "".join(
        f"# {name}\n\nreal\t0m{s}.000s\nuser\t0m1.000s\nsys\t0m0.010s\n" for name, s in (("go", 2), ("node", 3))
    )
    assert set(wp.plot.data(wp.plot.compare(wp.parse_text(text)))["metric"]) == {"elapsed"}


@pytest.fixture(scope="module")
def frameworks() -> wp.Dataset:
    """Fifteen frameworks; the rate of each is a fifteenth of the best times its number, 3 times that at 64."""
    text = "".join(
        logs(
            f"server{'abcdefghijklmno'[n - 1]}",
            connections=connections,
            rate=1000 * n * (3 if connections == 64 else 1),
        )
        for n in range(1, 16)
        for connections in (8, 64)
    )
    return wp.parse_text(text)


def test_more_frameworks_than_lines_can_be_told_apart_are_a_table(frameworks: wp.Dataset) -> None:
    ax = wp.plot.multiples(frameworks, by="framework")
    (panel,) = ax.child_axes
    assert row_names(panel) == [f"server{letter}" for letter in "onmlkjihgfedcba"]  # best first
    assert [label.get_text() for label in panel.get_xticklabels()] == ["8", "64"]
    numbers = [text.get_text().replace("\N{NO-BREAK SPACE}", " ") for text in panel.texts if text.get_gid() == "number"]
    assert numbers[:4] == ["15.0 k", "45.0 k", "14.0 k", "42.0 k"]
    assert len(wp.plot.data(ax)) == 30
    assert len([patch for patch in panel.patches if patch.get_gid() == "cell"]) == 30


def test_the_shade_of_a_cell_is_its_ratio_to_the_best_of_the_column(frameworks: wp.Dataset) -> None:
    (panel,) = wp.plot.multiples(frameworks, by="framework").child_axes
    shades = [sum(patch.get_facecolor()[:3]) for patch in panel.patches if patch.get_gid() == "cell"]
    first, second = shades[0::2], shades[1::2]
    assert first == second  # the ratios are the same in both columns
    assert first == sorted(first)  # lighter from row to row
    assert first[0] < first[-1]


@pytest.mark.parametrize(("fewest", "expected"), [(1000, "#eaf2f8"), (3000, "#89b9d9")])
def test_the_lightest_shade_is_that_of_the_farthest_cell_from_a_half_on(fewest: int, expected: str) -> None:
    """Of 4,000 and 1,000 the lesser is lightest; of 4,000 and 3,000 it is at log(3/4)/log(1/2) = 0.415 of the way.

    The nearest of nine shades is three eighths of the way from #4F97C7 to #EAF2F8.
    """
    rates = [fewest, *(3500 + 30 * at for at in range(14)), 4000]
    text = "".join(logs(f"server{'abcdefghijklmnop'[at]}", connections=64, rate=rate) for at, rate in enumerate(rates))
    text += "".join(logs(f"server{one}", connections=8, rate=1000) for one in "ab")
    (panel,) = wp.plot.multiples(wp.parse_text(text), by="framework").child_axes
    shades = [to_hex(patch.get_facecolor()) for patch in panel.patches if patch.get_gid() == "cell"]
    assert max(shades, key=lambda shade: sum(to_rgb(shade))) == expected


def test_where_less_is_better_the_lowest_is_the_best_of_the_column(frameworks: wp.Dataset) -> None:
    table = wp.compare(frameworks, rows="framework", columns="connections", metric="throughput")
    cells = table.cells.assign(better="lower")
    best = ratios_to_best(cells, "connections")
    assert best.min() == 1
    assert best.max() == pytest.approx(15)


def test_twelve_lines_are_lines(frameworks: wp.Dataset) -> None:
    """Each further one would be hard to tell from the others."""
    few = wp.plot.multiples(frameworks, by="framework", where="framework <= 'serverl'")
    assert few.child_axes[0].get_yscale() == "log"
    assert "Both axes are logarithmic." in " ".join(" ".join(drawn(few)).split())
    many = wp.plot.multiples(frameworks, by="framework", where="framework <= 'serverm'")
    assert many.child_axes[0].get_yscale() == "linear"


def test_a_table_fits_a_phone(frameworks: wp.Dataset) -> None:
    assert cut_off(wp.plot.multiples(frameworks, by="framework", width=90)) == []


def test_columns_that_do_not_fit_are_named() -> None:
    """At 80 mm there is room for three of five columns beside the names: the first, the last, and one between them."""
    text = "".join(
        logs(f"framework=server{at:02}", connections=connections, rate=1000 * at + connections)
        for at in range(1, 15)
        for connections in (8, 16, 32, 64, 128)
    )
    ax = wp.plot.multiples(wp.parse_text(text), width=60)
    figure = ax.get_figure(root=True)
    assert figure is not None
    said = [one.get_text() for one in figure.findobj() if hasattr(one, "get_text")]
    [note] = [words for words in said if "No room for" in words]
    shown = {words for words in said if words in ("8", "16", "32", "64", "128")}
    missing = [words for words in ("8", "16", "32", "64", "128") if words not in shown]
    assert missing
    assert f"No room for connections {', '.join(missing)}." in note.replace("\n", " ")


def test_where_all_runs_have_the_same_cores_each_framework_is_a_line() -> None:
    text = "".join(
        logs(f"framework={name} cores=4", connections=connections, rate=rate * connections)
        for name, rate in (("heron", 100), ("plover", 200))
        for connections in (8, 16, 32)
    )
    frame = wp.plot.data(wp.plot.multiples(wp.parse_text(text)))
    assert list(frame.columns[:2]) == ["framework", "connections"]


def test_runs_of_which_some_state_no_cores_are_a_line_for_each_number_and_one_without() -> None:
    text = "".join(
        logs(f"framework=heron{cores}", connections=connections, rate=rate * connections)
        for cores, rate in (("", 100), (" cores=2", 200), (" cores=4", 300))
        for connections in (8, 16)
    )
    frame = wp.plot.data(wp.plot.multiples(wp.parse_text(text)))
    assert list(frame.columns[:3]) == ["framework", "cores", "connections"]
    rates = {
        (row.cores, int(row.connections)): row.value
        for row in frame.astype({"cores": object}).itertuples()
        if isinstance(row.cores, str)
    }
    assert rates == {("2", 8): 1600, ("2", 16): 3200, ("4", 8): 2400, ("4", 16): 4800}
    assert frame[frame["cores"].isna()]["value"].tolist() == [800, 1600]

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from scipy.optimize import curve_fit

import wrkparse as wp
from tests.analysis.scaling.curves import Run, dataset, report
from tests.samples import WRK
from wrkparse.analysis.runs.selection import TooLittleError
from wrkparse.analysis.scaling.scaling import ScalingResult
from wrkparse.cli import main
from wrkparse.dataset import QueryError

DATA = Path(__file__).parents[3] / "data"


@pytest.fixture(scope="module")
def haskell() -> ScalingResult:
    return wp.scaling(wp.read(DATA / "haskell-go-node-io"))


@pytest.fixture(scope="module")
def fastcgi() -> ScalingResult:
    return wp.scaling(wp.read(DATA / "nginx-fastcgi-go"))


def row(frame: pd.DataFrame, **labels: object) -> dict[Any, Any]:
    for key, value in labels.items():
        frame = frame[frame[key] == value]
    assert len(frame) == 1
    return frame.to_dict("records")[0]


def codes(result: ScalingResult, **labels: object) -> dict[str, int]:
    frame = result.limits
    for key, value in labels.items():
        frame = frame[frame[key] == value]
    return dict(zip(frame["code"], frame["n_from"], strict=True))


def rates_of_the_log() -> list[float]:
    log = (DATA / "haskell-go-node-io/logs/results.md").read_text()
    return [float(rate) for rate in re.findall(r"Requests/sec: *([0-9.]+)", log)]


# Rates as they stand in data/haskell-go-node-io/logs/results.md, at 1 and at 40 cores.
@pytest.mark.parametrize(
    ("framework", "connections", "one", "forty"),
    [
        ("go", 100, 182791.14, 440589.54),  # 2.410
        ("go", 1000, 165957.03, 1306399.43),  # 7.872, 19.7 %
        ("go", 5000, 110968.52, 1406300.94),  # 12.67
        ("node", 1000, 72471.86, 1527830.32),  # 21.08
        ("node", 5000, 57248.24, 1574468.85),  # 27.50
        ("haskell mio", 5000, 88224.71, 1665674.49),  # 18.88
        ("haskell stdio", 10000, 80636.95, 1544509.66),  # 19.15
    ],
)
def test_speed_up_and_efficiency_are_those_of_the_log(
    haskell: ScalingResult, framework: str, connections: int, one: float, forty: float
) -> None:
    assert {one, forty} <= set(rates_of_the_log())
    point = row(haskell.points, framework=framework, connections=connections, cores=40)
    assert point["throughput_per_s"] == forty
    assert point["speedup"] == pytest.approx(forty / one)
    assert point["efficiency_ratio"] == pytest.approx(forty / one / 40)
    assert row(haskell.points, framework=framework, connections=connections, cores=1)["speedup"] == 1


def test_go_at_1000_connections_reaches_7_872_times_on_40_cores(haskell: ScalingResult) -> None:
    group = row(haskell.groups, framework="go", connections=1000)
    assert round(group["speedup"], 3) == 7.872
    assert round(group["efficiency_ratio"], 3) == 0.197
    assert (group["n_min"], group["n_max"], group["points"]) == (1, 40, 5)
    assert row(haskell.groups, framework="haskell mio", connections=1000)["best_n"] == 20


def usl(n: np.ndarray, scale: float, sigma: float, kappa: float) -> np.ndarray:
    return scale * n / (1 + sigma * (n - 1) + kappa * n * (n - 1))


def test_every_fit_of_the_study_is_that_of_curve_fit(haskell: ScalingResult) -> None:
    # independent of the parser too: the five rates of each of the sixteen blocks, in the order of the log
    rates = np.array(rates_of_the_log()).reshape(4, 4, 5)
    n = np.array([1, 4, 10, 20, 40], float)
    for framework, blocks in zip(("go", "node", "haskell mio", "haskell stdio"), rates, strict=True):
        for connections, x in zip((100, 1000, 5000, 10000), blocks, strict=True):
            fits = haskell.fits[haskell.fits["framework"] == framework]
            fit = row(fits, connections=connections, law="usl")
            start, bounded = [x[0], 0.05, 1e-3], {"bounds": (0, np.inf), "x_scale": [x[0], 0.05, 1e-3]}
            best, covariance = curve_fit(usl, n, x, p0=start, xtol=1e-15, ftol=1e-15, gtol=1e-15, **bounded)
            if (best[1:] > 1e-6).all():  # not at a bound: the solver without bounds is the more precise one
                best, covariance = curve_fit(usl, n, x, p0=best, xtol=1e-15, ftol=1e-15)
            assert [fit["lambda"], fit["sigma"], fit["kappa"]] == pytest.approx(best, rel=1e-6, abs=1e-8)
            if fit["interval"] == "t":
                high = fit["lambda"] + 4.302653 * np.sqrt(covariance[0, 0])  # t(0.975, 2), 5 − 3
                assert fit["lambda_hi"] == pytest.approx(high, rel=1e-5)
            amdahl = row(fits, connections=connections, law="amdahl")
            best, _ = curve_fit(lambda n, a, s: usl(n, a, s, 0), n, x, p0=[x[0], 0.05], xtol=1e-15, ftol=1e-15)
            assert [amdahl["lambda"], amdahl["sigma"]] == pytest.approx(best, rel=1e-6)


def test_coefficients_at_their_bound_are_marked_and_show_no_peak(haskell: ScalingResult) -> None:
    node = row(haskell.fits, framework="node", connections=5000, law="usl")
    assert (node["kappa"], node["kappa_lo"], node["kappa_at_bound"], node["interval"]) == (0, 0, True, "profile")
    assert np.isnan(node["peak"])
    go = row(haskell.fits, framework="go", connections=5000, law="usl")
    assert go["supported"]
    assert go["kappa_lo"] > 0
    # The law's peak is at √((1 - σ)/κ) = 34 cores, but the rate still rises from 20 to 40.
    assert np.isnan(go["peak"])
    assert go["peak_doubt"] == "no fall by 5 % was measured"


def test_the_plateau_at_100_connections_is_told_from_the_servers_scaling(haskell: ScalingResult) -> None:
    # At 40 cores 1000 connections give 1306399.43 / 440589.54 = 2.97 times as much, at 4 only 1.15 times.
    found = codes(haskell, framework="go", connections=100)
    assert found["small-load"] == 10
    assert "2.97" in row(haskell.limits, framework="go", connections=100, code="small-load")["message"]
    # go 510174, mio 495051 and stdio 496962 lie within 5 % and fall to 40 cores; node still grows by 10 %
    for framework in ("go", "haskell mio", "haskell stdio"):
        assert "shared-ceiling" in codes(haskell, framework=framework, connections=100)
    assert "shared-ceiling" not in codes(haskell, framework="node", connections=100)


def test_the_full_10_gbit_network_is_named(haskell: ScalingResult) -> None:
    # 1736065.48/s · (604 + 90) bytes · 8 = 9.64 Gbit/s on 10 Gbit Ethernet: 90 bytes of frame and headers for each.
    assert codes(haskell, framework="haskell stdio", connections=5000) == {"nic-limit": 40}
    assert row(haskell.groups, framework="haskell stdio", connections=5000)["limited"]
    assert codes(haskell, framework="go", connections=5000) == {}  # 1406300.94 · 694 · 8 = 7.81 Gbit/s
    assert not row(haskell.groups, framework="go", connections=5000)["limited"]


@pytest.mark.parametrize(
    ("framework", "one", "eight"),
    [
        ("go", 42745.15, 128402.88),  # 3.004
        ("nginx + go http", 39991.57, 74442.91),  # 1.861
        ("nginx + go fastcgi tcp", 9580.75, 24026.50),  # 2.508
        ("nginx + go fastcgi unix", 11670.72, 30324.77),  # 2.598
    ],
)
def test_fastcgi_from_1_to_8_cores(fastcgi: ScalingResult, framework: str, one: float, eight: float) -> None:
    group = row(fastcgi.groups, framework=framework)
    assert group["speedup"] == pytest.approx(eight / one, rel=1e-12)
    assert group["efficiency_ratio"] == pytest.approx(eight / one / 8, rel=1e-12)
    assert fastcgi.fits.empty
    assert group["note"] == "no law is fitted to 2 values of cores"


def test_nuster_and_nginx_from_1_to_12_cores() -> None:
    result = wp.scaling(wp.read(DATA / "nuster-nginx-varnish"), by=("framework", "network", "path"))
    loopback = {"network": "loopback", "path": "/helloworld", "connections": 1000}
    assert row(result.groups, framework="nuster", **loopback)["speedup"] == pytest.approx(212769.32 / 75655.34)  # 2.812
    assert row(result.groups, framework="nginx", **loopback)["speedup"] == pytest.approx(136844.37 / 30996.36)  # 4.415
    assert row(result.groups, framework="varnish", **loopback)["points"] == 1
    assert codes(result, framework="nuster", **loopback) == {"same-machine": 1}
    # 1 kB over 1 Gbps: 89328.88/s on one core fill it, 90866.76/s on twelve are no sign of poor scaling
    wire = {"network": "1 Gbps", "path": "/1k", "framework": "nuster"}
    assert row(result.groups, **wire)["speedup"] == pytest.approx(90866.76 / 89328.88)
    assert codes(result, **wire) == {"nic-limit": 1}
    small = {"network": "1 Gbps", "path": "/helloworld", "framework": "nginx"}
    assert codes(result, **small) == {}  # 214217.54 · (255 + 90) · 8 = 0.59 Gbit/s


def test_runs_of_other_studies_are_other_groups(studies: wp.Dataset) -> None:
    # Two studies have a `go` at 5000 connections and 1 core: 110968.52 and 42745.15.
    result = wp.scaling(studies, where="framework = 'go' and connections = 5000")
    assert result.groups["study"].tolist() == ["haskell-go-node-io", "nginx-fastcgi-go"]
    assert result.points["runs"].max() == 1


def test_a_part_of_a_result_is_the_result_of_a_part(studies: wp.Dataset) -> None:
    part = wp.scaling(studies).only(study="haskell-go-node-io")
    alone = wp.scaling(studies, where="study = 'haskell-go-node-io'")
    for name in ("points", "groups", "fits", "limits", "curves"):
        found, expected = (getattr(of, name).dropna(axis=1, how="all") for of in (part, alone))
        assert len(expected)
        pd.testing.assert_frame_equal(found.reset_index(drop=True), expected, check_dtype=False)


def test_a_part_without_a_label(tmp_path: Path) -> None:
    found = wp.scaling(dataset(tmp_path / "study", [Run(1, 10), Run(2, 20)]))
    assert found.only(study=None).groups.empty
    assert len(found.only(connections=found.groups["connections"][0]).points) == 2


def test_several_runs_of_one_n_count_once_with_their_median(tmp_path: Path) -> None:
    runs = [Run(1, 1000), Run(1, 1100), Run(1, 5000), Run(2, 2000), Run(2, 2400)]
    points = wp.scaling(dataset(tmp_path, runs), by="path").points
    assert points["throughput_per_s"].tolist() == [1100, 2200]
    assert points["runs"].tolist() == [3, 2]
    assert points["speedup"].tolist() == [1, 2]


def test_a_copy_of_a_run_counts_once(tmp_path: Path) -> None:
    """1000, 1000 again from the same text, and 1200: the median of 1000 and 1200, not of all three."""
    ds = dataset(tmp_path, [Run(1, 1000), Run(1, 1000), Run(1, 1200), Run(2, 2000)])
    result = wp.scaling(ds, by="path")
    assert result.points["throughput_per_s"].tolist() == [1100, 2000]
    assert result.points["runs"].tolist() == [2, 1]
    assert result.copies[["where", "copy_of_where", "dropped"]].to_dict("records") == [
        {"where": "001.log:3", "copy_of_where": "000.log:3", "dropped": True}
    ]
    shown = CliRunner().invoke(main, ["scaling", "-s", str(tmp_path), "--by", "path"]).output
    assert "duplicate reports, counted once: 001.log:3 is 000.log:3" in " ".join(shown.split())


def test_no_law_is_supported_if_more_than_all_work_would_have_to_wait(tmp_path: Path) -> None:
    """X = λN / (1 + σ(N-1)) with λ = 9000 and σ = 1.5: the rate falls from the second core on."""
    falling = [Run(n, 9000 * n / (1 + 1.5 * (n - 1))) for n in (1, 2, 4, 8, 16)]
    found = wp.scaling(dataset(tmp_path / "falling", falling), by="path")
    assert found.groups["law"].isna().all()
    assert "σ above 1" in str(found.groups["note"].iloc[0])
    assert found.curves.empty
    level = [Run(n, 9000 * n / (1 + 0.9 * (n - 1))) for n in (1, 2, 4, 8, 16)]
    assert wp.scaling(dataset(tmp_path / "level", level), by="path").groups["law"].tolist() == ["amdahl"]


def test_speed_up_is_against_the_smallest_n_where_there_is_no_1(tmp_path: Path) -> None:
    points = wp.scaling(dataset(tmp_path, [Run(4, 4000), Run(8, 6000)]), by="path").points
    assert points["speedup"].tolist() == [1, 1.5]
    assert points["efficiency_ratio"].tolist() == [1, 0.75]


def test_labels_that_differ_among_the_runs_of_a_point_are_named(tmp_path: Path) -> None:
    runs = [Run(1, 1000, "/a"), Run(1, 3000, "/b"), Run(2, 2000, "/a")]
    points = wp.scaling(dataset(tmp_path, runs), by=(), ignore=("path", "url")).points
    assert set(points["varies"][0].split()) == {"path", "url"}
    assert points["varies"][1] == ""


def test_runs_that_differ_in_a_label_nobody_named_are_on_different_curves(tmp_path: Path) -> None:
    """1 and 2 cores of /a: 1000 and 2000; of /b 3000 and 3600. Together they would be 2000 and 2800, ×1.4."""
    runs = [Run(1, 1000, "/a"), Run(1, 3000, "/b"), Run(2, 2000, "/a"), Run(2, 3600, "/b")]
    ds = dataset(tmp_path, runs)
    result = wp.scaling(ds, by=())
    assert result.separated == ("path",)
    assert result.keys[-1] == "path"
    assert dict(zip(result.groups["path"], result.groups["speedup"], strict=True)) == {"/a": 2.0, "/b": 1.2}
    assert (result.points["runs"] == 1).all()
    (joined,) = wp.scaling(ds, by=(), ignore="path,url".split(",")).groups["speedup"]
    assert joined == 1.4


def test_no_curve_joins_points_of_different_settings(tmp_path: Path) -> None:
    """1 core was measured on /a and 2 cores on /b: that is no speed-up."""
    groups = wp.scaling(dataset(tmp_path, [Run(1, 1000, "/a"), Run(2, 2000, "/b")]), by=()).groups
    assert groups["points"].tolist() == [1, 1]


def test_runs_of_five_payloads_and_two_networks_are_no_repeats() -> None:
    """data/nuster-nginx-varnish has one run for each server, network, payload, load and number of cores."""
    result = wp.scaling(wp.read(DATA / "nuster-nginx-varnish"))
    assert result.separated == ("network", "payload_bytes")
    assert (result.points["varies"] == "").all()
    assert result.points[["lo", "speedup_lo"]].isna().all(axis=None)


def audited(ds: wp.Dataset, invalid: set[float]) -> wp.Dataset:
    """The dataset with the runs of these rates called invalid."""
    import pyarrow as pa

    rates = ds.wide().set_index("run")["throughput_per_s"]
    runs = ds.arrow("runs")
    valid = pa.array([rates[run] not in invalid for run in runs["run"].to_pylist()])
    runs = runs.set_column(runs.column_names.index("valid"), "valid", valid)
    names = ("sources", "labels", "measurements", "texts", "studies", "diagnostics")
    return wp.Dataset.of_tables({"runs": runs} | {name: ds.arrow(name) for name in names})


def test_invalid_runs_are_shown_and_left_out(tmp_path: Path) -> None:
    runs = [Run(1, 1000), Run(2, 1900), Run(2, 90), Run(4, 3000), Run(8, 100)]
    ds = audited(dataset(tmp_path, runs), {90, 100})
    points = wp.scaling(ds, by="path").points
    assert points["throughput_per_s"].tolist() == [1000, 1900, 3000, 100]
    assert points["invalid"].tolist() == [0, 1, 0, 1]
    assert points["usable"].tolist() == [True, True, True, False]
    assert np.isnan(points["speedup"][3])
    group = wp.scaling(ds, by="path").groups.iloc[0]
    assert (group["n_max"], group["points"]) == (4, 3)
    everything = wp.scaling(ds, by="path", include_invalid=True)
    assert everything.points["throughput_per_s"].tolist() == [1000, 995, 3000, 100]
    assert everything.groups["points"].tolist() == [4]


def test_too_few_threads_or_connections_limit_a_curve(tmp_path: Path) -> None:
    runs = [Run(cores, 1000 * cores, threads=4, connections=12) for cores in (1, 2, 8, 16)]
    assert codes(wp.scaling(dataset(tmp_path, runs), by="path")) == {"few-threads": 8, "few-connections": 16}
    over = wp.scaling(dataset(tmp_path, runs), by="path", n="connections", load=None)
    assert codes(over) == {}


def test_a_larger_load_shows_that_a_smaller_one_starved_the_server(tmp_path: Path) -> None:
    small = [Run(cores, rate, connections=64) for cores, rate in ((1, 1000), (2, 1900), (4, 2000))]
    large = [Run(cores, rate, connections=256) for cores, rate in ((1, 1000), (2, 2000), (4, 2501))]
    result = wp.scaling(dataset(tmp_path, [*small, *large]), by="path")
    assert codes(result, connections=64) == {"small-load": 4}  # 1.25 times at 4 cores, 1.05 at 2
    assert codes(result, connections=256) == {}


def test_servers_that_level_off_together_share_a_limit(tmp_path: Path) -> None:
    steep = [Run(1, 1000, "/a"), Run(2, 1900, "/a"), Run(4, 3000, "/a"), Run(8, 3010, "/a")]
    other = [Run(1, 700, "/b"), Run(2, 1400, "/b"), Run(4, 2700, "/b"), Run(8, 2900, "/b")]
    assert codes(wp.scaling(dataset(tmp_path / "x", [*steep, *other]), by="path")) == {}  # the other still grows
    flat = [*other[:3], Run(8, 2800, "/b")]  # by 3.7 %, but 7 % below
    assert codes(wp.scaling(dataset(tmp_path / "y", [*steep, *flat]), by="path")) == {}
    level = [*other[:2], Run(4, 2900, "/b"), Run(8, 2950, "/b")]
    found = wp.scaling(dataset(tmp_path / "z", [*steep, *level]), by="path")
    assert codes(found, path="/a") == codes(found, path="/b") == {"shared-ceiling": 4}


def test_what_is_asked_for_and_does_not_exist_is_refused(tmp_path: Path) -> None:
    ds = dataset(tmp_path, [Run(1, 1000)])
    with pytest.raises(QueryError, match="there is no label flavour"):
        wp.scaling(ds, by="flavour")
    with pytest.raises(QueryError, match="is not a rate"):
        wp.scaling(ds, metric="latency_mean")
    with pytest.raises(TooLittleError, match=r"no run that states throughput has the label payload_bytes\Z"):
        wp.scaling(ds, n="payload_bytes")


def test_labels_with_other_numbers_are_named_if_no_run_has_that_of_cores(tmp_path: Path) -> None:
    log = tmp_path / "x.log"
    log.write_text("".join(WRK.replace("8 connections", f"{count} connections") for count in (8, 16)))
    with pytest.raises(TooLittleError, match=r"has the label cores; these labels differ: connections \(--over connec"):
        wp.scaling(wp.read(log))


def test_runs_without_a_study_or_a_framework_are_a_group(tmp_path: Path) -> None:
    ds = dataset(tmp_path, [Run(1, 1000), Run(2, 1500)])
    (tmp_path / "wrkparse.yaml").unlink()
    bare = wp.read(tmp_path)
    for one in (ds, bare):
        group = wp.scaling(one).groups
        assert group["speedup"].tolist() == [1.5]
        assert group["framework"].tolist() == [None]


def test_runs_of_time_do_the_same_work_in_less_time(tmp_path: Path) -> None:
    """3.9 s on one core and 1.3 s on four: three times as fast, 75 % of linear."""
    pages = "".join(
        f"## procs-{n}\n\nreal\t0m{t:.3f}s\nuser\t0m1.000s\nsys\t0m0.010s\n" for n, t in ((1, 3.9), (4, 1.3))
    )
    (tmp_path / "times.md").write_text(pages)
    ds = wp.read(tmp_path)
    found = wp.scaling(ds)
    assert found.points["work_per_s"].tolist() == pytest.approx([1 / 3.9, 1 / 1.3])
    [digit] = set(ds.measurements.query("metric == 'elapsed'")["resolution"])  # d(1/t) = dt / t²
    assert found.points["work_per_s_resolution"].tolist() == pytest.approx([digit / 3.9**2, digit / 1.3**2])
    assert found.points["speedup"].tolist() == pytest.approx([1, 3])
    assert found.points["efficiency_ratio"].tolist() == pytest.approx([1, 0.75])
    assert (found.unit, found.what) == ("1/s", "Work per second")


def test_a_label_that_names_the_phase_keeps_the_warm_ups(tmp_path: Path) -> None:
    """`compare` does the same with a label of its rows."""
    for cores in (1, 2):
        (tmp_path / f"{cores}.log").write_text(
            f"warm-up:\n{report(Run(cores, 900))}\nmeasured:\n{report(Run(cores, 1000))}"
        )
    runs = wp.scaling(wp.read(tmp_path), by="phase").samples
    assert runs["phase"].fillna("none").value_counts().to_dict() == {"warm-up": 2, "none": 2}
    assert len(wp.scaling(wp.read(tmp_path), by=()).samples) == 2


def test_warm_ups_alone_are_too_little_if_other_runs_have_no_number_of_cores(tmp_path: Path) -> None:
    for cores in (1, 2):
        (tmp_path / f"{cores}.log").write_text(f"warm-up:\n{report(Run(cores, 900))}")
    (tmp_path / "measured.log").write_text(report(Run(1, 500)).replace("GOMAXPROCS=1 ", ""))
    with pytest.raises(TooLittleError, match="only warm-ups state throughput and have the label cores"):
        wp.scaling(wp.read(tmp_path), by=())


def test_throughput_is_what_grows_where_a_run_states_it(tmp_path: Path) -> None:
    assert wp.scaling(dataset(tmp_path, [Run(1, 1000), Run(2, 1500)])).what == "Throughput"


@pytest.mark.parametrize(("commands", "refused"), [
    (("./kiwi -n 100", "./kiwi -n 100"), False),
    (("./kiwi 1", "./kiwi 4"), False),  # the number of cores
    (("./kiwi --size=1000", "./kiwi --size=4000"), True),
    (("./kiwi -j 1 -k 4 -k 1", "./kiwi -j 4 -k 4 -k 1"), False),  # -k 1 and -k 4 stay as they are
    (("./kiwi 4", "./kiwi 1"), True),
])  # fmt: skip
def test_timed_runs_of_different_commands_are_not_the_same_work(
    tmp_path: Path, commands: tuple[str, str], refused: bool
) -> None:
    times = "".join(
        f"$ GOMAXPROCS={n} time {command}\n\nreal\t0m{t:.3f}s\nuser\t0m1.000s\nsys\t0m0.010s\n\n"
        for n, t, command in ((1, 3.9, commands[0]), (4, 1.3, commands[1]))
    )
    (tmp_path / "times.log").write_text(times)
    ds = wp.read(tmp_path)
    if refused:
        with pytest.raises(TooLittleError, match="may have done different work"):
            wp.scaling(ds, by=())
    else:
        assert wp.scaling(ds, by=()).points["speedup"].tolist() == pytest.approx([1, 3])


def test_runs_of_many_tools_make_no_library_warn() -> None:
    """pandas warns of a column that is added to a frame of a hundred pieces; here warnings are errors."""
    fixtures = DATA.parent / "tests" / "fixtures"
    several = wp.read(fixtures / "ab") + wp.read(fixtures / "k6") + wp.read(fixtures / "oha")
    assert len(several.wide().columns) > 100
    assert len(wp.scaling(several, n="connections", load=None).points)

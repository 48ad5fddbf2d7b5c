"""Published tables and claims against their raw runs: the five studies, and small ones with every verdict."""

import math
from pathlib import Path

import pytest

import wrkparse as wp
from wrkparse.analysis.publications.document import reproduce_document
from wrkparse.analysis.publications.heading_labels import guess_labels
from wrkparse.analysis.runs.selection import TooLittleError
from wrkparse.dataset import QueryError

DATA = Path(__file__).parents[3] / "data"


def report(rate: str, port: int = 80, path: str = "/a", connections: int = 8, errors: str = "", latency: str = ""):
    """A report of wrk that agrees with itself: 10.00 s on two threads, latency by Little's law unless it is given."""
    each = float(rate) / 2
    socket = f"  Socket errors: {errors}\n" if errors else ""
    return (
        f"Running 10s test @ http://h:{port}{path}\n  2 threads and {connections} connections\n"
        "  Thread Stats   Avg      Stdev     Max   +/- Stdev\n"
        f"    Latency    {latency or f'{1000 * connections / float(rate):.2f}ms'}   1.00ms  1.90s    93.73%\n"
        f"    Req/Sec   {each:.2f}    1.00   {1.1 * each:.2f}    98.40%\n"
        f"  {10 * float(rate):.0f} requests in 10.00s, 98.02MB read\n{socket}"
        f"Requests/sec:  {rate}\nTransfer/sec:      9.80MB\n"
    )


YAML = """\
labels:
- {when: {port: 80}, set: {framework: fast}}
- {when: {port: 81}, set: {framework: slow}}
"""
TABLE = "tables:\n- {file: t.csv, rows: [path], columns: [framework], metric: throughput%s}\n"


@pytest.fixture
def study(tmp_path: Path):
    """Makes a study of reports, more YAML and a published table, and reads it."""

    def make(*reports: str, more: str = TABLE % "", published: str = "") -> wp.Dataset:
        directory = tmp_path / "bench"
        (directory / "logs").mkdir(parents=True, exist_ok=True)
        (directory / "logs" / "all.log").write_text("\n".join(reports))
        (directory / "wrkparse.yaml").write_text(YAML + more)
        (directory / "t.csv").write_text(published)
        return wp.read(str(directory))

    return make


def judged(dataset: wp.Dataset) -> list[tuple[str, str, str]]:
    cells = wp.reproduce(dataset).cells
    return list(cells[["printed", "verdict", "explanation"]].itertuples(index=False, name=None))


class TestStudies:
    def test_all_90_cells_of_the_caches_follow(self, studies):
        """84 numbers, each the run's Requests/sec with its decimals cut off, and 6 times ERROR."""
        cells = wp.reproduce(studies, study="nuster-nginx-varnish").cells
        assert len(cells) == 90
        assert cells["verdict"].value_counts().to_dict() == {"follows": 84, "explained": 6}
        numbers = cells[cells["verdict"] == "follows"]
        assert all("floor" in rule.split() for rule in numbers["rule"])
        assert all(
            math.floor(value) == int(text) for value, text in zip(numbers["value"], numbers["printed"], strict=True)
        )

    def test_each_error_is_explained_by_write_errors(self, studies):
        """grep 'Socket errors' in the log: nginx on one core with 5000 connections, write 417, 956, 596, 839, 718, 895."""
        cells = wp.reproduce(studies, study="nuster-nginx-varnish").cells
        words = cells[cells["printed"] == "ERROR"]
        assert [text.removeprefix("socket errors: write ") for text in words["explanation"]] == [
            "417", "956", "596", "839", "718", "895",
        ]  # fmt: skip
        assert set(words["column"]) == {"framework=nginx, cores=1"}

    def test_time_outs_took_no_number_away(self, studies):
        """The two runs of varnish with 17 and 118 time-outs are printed as numbers, and follow."""
        cells = wp.reproduce(studies, study="nuster-nginx-varnish").cells
        late = cells[cells["explanation"].str.contains("timeout")]
        assert list(late["printed"]) == ["87772", "115928"]
        assert set(late["verdict"]) == {"follows"}

    def test_every_number_is_traced_to_its_line(self, studies):
        cells = wp.reproduce(studies, study="nuster-nginx-varnish").cells
        lines = (DATA / "nuster-nginx-varnish/logs/raw-output.md").read_text().splitlines()
        for line, value in zip(cells["line"], cells["value"], strict=True):
            assert lines[line - 1].split() == ["Requests/sec:", f"{value:.2f}"]

    def test_the_claims_come_back_with_the_ratios_of_the_runs(self, studies):
        claims = wp.reproduce(studies).claims.set_index("claim")

        def ratios(claim):
            row = claims.loc[claim]
            return row["minimum"], row["maximum"], row["verdict"], row["pairs"], row["held"]

        gc = "Go 1.4.2 is faster without garbage collection"
        # 38488.59/34056.43 with 8 connections is the least, 132655.10/100059.58 with 32 the most
        assert ratios(gc) == pytest.approx((1.130142, 1.325761, "holds", 5, 5), abs=1e-6)
        prefork = "Go 1.4.2 as 18 processes is faster than as one"
        # 210191.17/208455.58 (128), 101120.30/100059.58 (32) are within 5 %; 588988.82/465698.02 (512) is the most
        assert ratios(prefork) == pytest.approx((1.008326, 1.264744, "partly", 5, 3), abs=1e-6)
        behind = "from 128 connections, Go 1.5-dev falls behind Go 1.4.2"
        # 169531.78/465698.02 and 174838.71/208455.58
        assert ratios(behind) == pytest.approx((0.364038, 0.838734, "holds", 2, 2), abs=1e-6)
        one_core = "all results on one core, nuster about three times nginx"
        # 49655.72/30122.07 (256 bytes, 5000 connections) and 95359.08/33454.56 (12 bytes, network); 2.4 and more in 8
        assert ratios(one_core) == pytest.approx((1.648483, 2.850406, "partly", 18, 8), abs=1e-6)
        all_cores = "all results on 12 cores, nuster about twice nginx"
        # 206207.86/209608.77 and 357013.95/214217.54 (network, 256 and 12 bytes); only the latter reaches 1.6
        assert ratios(all_cores) == pytest.approx((0.983775, 1.666595, "mostly not", 18, 1), abs=1e-6)
        varnish = "all results on 12 cores, nuster about three times varnish"
        # 90866.76/87772.69 and 357013.95/133094.01 (network, 1 KiB and 12 bytes); 305103.34/124683.73 is 2.447
        assert ratios(varnish) == pytest.approx((1.035251, 2.682419, "mostly not", 18, 2), abs=1e-6)
        enough = "one core over the network, the bandwidth is enough for nuster"
        # 95359.08/357013.95 and 89328.88/90866.76: with 1 KiB, one core is as fast as twelve that fill the network
        assert ratios(enough) == pytest.approx((0.267102, 0.983075, "mostly", 6, 5), abs=1e-6)
        latency = "the environment called low-latency has the lower latency"
        # 1.55ms/1.71ms (Go, 512 connections) is the one pair with the lower latency
        assert ratios(latency)[2:] == ("mostly not", 10, 1)
        loopback = "12 cores on loopback, nuster about twice nginx"
        # 150375.52/125323.95 and 212769.32/136844.37: none reaches 1.6
        assert ratios(loopback) == pytest.approx((1.199895, 1.554827, "does not hold", 12, 0), abs=1e-6)
        little = "one core, nginx in front of Go over HTTP costs little (a tenth at most)"
        assert ratios(little) == pytest.approx((0.935581, 0.935581, "holds", 1, 1), abs=1e-6)  # 39991.57/42745.15
        much = "8 cores, nginx in front of Go over HTTP costs much (a quarter at least)"
        assert ratios(much) == pytest.approx((0.579760, 0.579760, "holds", 1, 1), abs=1e-6)  # 74442.91/128402.88
        tcp = "FastCGI over TCP is slower than HTTP"
        # 9580.75/39991.57 and 24026.50/74442.91
        assert ratios(tcp) == pytest.approx((0.239569, 0.322751, "holds", 2, 2), abs=1e-6)

    def test_the_claims_of_two_studies_are_not_those_of_their_pages(self, studies):
        """The pages of go-many-cores and haskell-go-node-io draw no conclusions."""
        claims = wp.reproduce(studies).claims
        sayers = claims.groupby("study")["said_by"].unique().map(list).to_dict()
        assert sayers == {
            "go-many-cores": ["us"], "haskell-go-node-io": ["us"],
            "nginx-fastcgi-go": ["page"], "nuster-nginx-varnish": ["page"],
        }  # fmt: skip

    def test_no_claim_is_made_of_more_than_single_runs(self, studies):
        assert set(wp.reproduce(studies).claims["fewest_runs"]) == {1}

    def test_nothing_is_left_unsaid(self, studies):
        found = wp.reproduce(studies)
        assert found.problems == ()
        assert len(found.pairs) == found.claims["pairs"].sum()


class TestVerdicts:
    def test_every_kind_of_cell(self, study):
        reports = [
            report("1000.70"),
            report("500.20", port=81, errors="connect 0, read 0, write 0, timeout 3"),
            report("2000.10", path="/b"),
            report("700.90", port=81, path="/b", errors="connect 1, read 0, write 2, timeout 0"),
            report("3000.10", path="/c"), report("3010.10", path="/c"),
        ]  # fmt: skip
        published = "path,fast,slow\n/a,1000,ERROR\n/b,1500,ERROR\n/c,3010,-\n/d,5,6\n"
        assert judged(study(*reports, published=published)) == [
            ("1000", "follows", "cut off to whole numbers"),
            ("ERROR", "unexplained", "'ERROR': the run had no connect, read or write errors; the run has socket errors: timeout 3"),
            ("1500", "differs", ""),
            ("ERROR", "explained", "socket errors: connect 1, write 2"),
            ("3010", "several raw runs", "1 of 2 give it: logs/all.log:48"),
            ("-", "not printed", "nothing is printed"),
            ("5", "no raw run", ""),
            ("6", "no raw run", ""),
        ]  # fmt: skip

    def test_both_numbers_of_a_difference_are_told(self, study):
        cells = wp.reproduce(study(report("2000.00"), published="path,fast\n/a,1500\n")).cells
        assert (cells["printed_value"][0], cells["value"][0], cells["difference"][0]) == (1500, 2000, -0.25)

    def test_the_way_of_printing_that_is_stated_counts(self, study):
        """1000.70 rounds to 1001; a table that says it cuts off must not hold that."""
        published = "path,fast\n/a,1001\n"
        assert judged(study(report("1000.70"), published=published))[0][1] == "follows"
        found = judged(study(report("1000.70"), more=TABLE % ", print: floor", published=published))
        assert found[0][1:] == (
            "differs",
            "it would follow rounded or rounded up, but the study file states another rule",
        )

    def test_a_number_of_another_run_is_recognised(self, study):
        reports = report("1000.70"), report("500.20", port=81)
        assert judged(study(*reports, published="path,fast\n/a,500\n"))[0][2] == "it is the number of logs/all.log:10"

    def test_copies_of_one_report_are_one_run(self, study):
        assert judged(study(report("1000.70"), report("1000.70"), published="path,fast\n/a,1000\n"))[0][1] == "follows"

    def test_the_mean_of_several_runs_is_recognised(self, study):
        """(1000 + 1006 + 1021) / 3 = 1009; the median is 1006."""
        reports = [report(rate) for rate in ("1000.00", "1006.00", "1021.00")]
        assert judged(study(*reports, published="path,fast\n/a,1009\n"))[0][1:] == (
            "several raw runs",
            "the mean of 3 gives it",
        )
        assert judged(study(*reports, published="path,fast\n/a,1013\n"))[0][1] == "differs"

    def test_a_table_may_print_another_statistic_in_another_unit(self, study):
        more = TABLE.replace("throughput", "latency") % ", stat: mean, unit: ms"
        assert judged(study(report("1.00", latency="10.45ms"), more=more, published="path,fast\n/a,10.4\n"))[0][1:] == (
            "follows",
            "cut off or rounded to 1 decimal",
        )


class TestProblems:
    def test_a_table_that_is_gone_is_named(self, study, tmp_path):
        dataset = study(report("1.00"), published="path,fast\n/a,1\n")
        (tmp_path / "bench" / "t.csv").unlink()
        found = wp.reproduce(dataset)
        assert len(found.cells) == 0
        assert found.problems == (
            f"{tmp_path}/bench/wrkparse.yaml: t.csv: the published table can't be read: no longer there",
        )

    @pytest.mark.parametrize(
        ("more", "published", "said"),
        [
            (TABLE % "", "page,fast\n", "its first line begins page; rows: path"),
            (TABLE % "", "", "the published table is empty"),
            (TABLE % ", unit: parsec", "path,fast\n", "throughput is not printed in 'parsec'"),
            (TABLE.replace("throughput", "speed") % "", "path,fast\n", "there is no metric 'speed'"),
            (TABLE % ", where: {colour: red}", "path,fast\n", "there is no label colour"),
            (TABLE.replace("t.csv", "../../x.csv") % "", "", "outside the study's directory"),
            (TABLE.replace("[framework]", "[framework, threads]") % "", "path,fast\n", "column 'fast' must have a value"),
        ],
    )  # fmt: skip
    def test_a_table_that_can_not_be_is_no_verdict(self, study, more, published, said):
        found = wp.reproduce(study(report("1.00"), more=more, published=published))
        assert len(found.cells) == 0
        assert said in found.problems[0]

    def test_a_study_that_is_not_there(self, study):
        with pytest.raises(QueryError, match="no study x; there are: bench"):
            wp.reproduce(study(report("1.00")), study="x")

    def test_a_condition_that_can_not_be_answered(self, study):
        with pytest.raises(QueryError, match="colour"):
            wp.reproduce(study(report("1.00")), where="colour = 'red'")


class TestClaims:
    CLAIM = "claims:\n- {claim: x, metric: throughput, of: {framework: fast}, against: {framework: slow}, by: [path], says: %s}\n"

    def check(self, dataset):
        row = wp.reproduce(dataset).claims.iloc[0]
        return row["verdict"], row["held"], row["pairs"]

    def reports(self, *rates: tuple[str, str]):
        paths = "/a", "/b", "/c"
        return [
            report(rate, port=port, path=path)
            for path, pair in zip(paths, rates, strict=False)
            for port, rate in zip((80, 81), pair, strict=True)
        ]

    @pytest.mark.parametrize(
        ("says", "expected"),
        [
            ("3", ("partly", 1, 2)),  # the ratios are 3.0 and 2.0
            ("2.5", ("holds", 2, 2)),  # 2.0 and 3.0 are its ± 20 %
            ("9", ("does not hold", 0, 2)),
            ("'> 1'", ("holds", 2, 2)),
            ("'> 1.95'", ("partly", 1, 2)),  # 2.0 is nearer than 5 %
            ("'< 4'", ("holds", 2, 2)),
            ("3, tolerance: 0.4", ("holds", 2, 2)),
        ],
    )
    def test_a_verdict_is_of_all_pairs(self, study, says, expected):
        reports = self.reports(("3000.00", "1000.00"), ("4000.00", "2000.00"))
        assert self.check(study(*reports, more=self.CLAIM % says)) == expected

    @pytest.mark.parametrize(
        ("doubled", "verdict"),
        [(0, "does not hold"), (1, "mostly not"), (2, "partly"), (3, "mostly"), (4, "holds")],
    )
    def test_words_stand_for_shares_of_the_pairs(self, study, doubled, verdict):
        """Of four pairs, one is a quarter and three are three quarters, where the words begin."""
        rates = ["2000.00"] * doubled + ["9000.00"] * (4 - doubled)
        reports = [report(rate, path=path) for rate, path in zip(rates, ("/a", "/b", "/c", "/d"), strict=True)]
        reports += [report("1000.00", port=81, path=path) for path in ("/a", "/b", "/c", "/d")]
        assert self.check(study(*reports, more=self.CLAIM % "2")) == (verdict, doubled, 4)

    def test_who_makes_a_claim_is_the_page_unless_said(self, study):
        runs = report("1000.00"), report("500.00", port=81)
        for more, sayer in (("2", "page"), ("2, said_by: page", "page"), ("2, said_by: us", "us")):
            found = wp.reproduce(study(*runs, more=self.CLAIM % more))
            assert (found.claims["said_by"].tolist(), found.pairs["said_by"].tolist()) == ([sayer], [sayer])

    def test_without_a_pair_there_is_none(self, study):
        found = study(report("1.00"), report("2.00", port=81, path="/b"), more=self.CLAIM % "1")
        assert self.check(found) == ("no pair of runs", 0, 0)

    def test_medians_of_repeated_runs_are_taken_and_what_varies_is_named(self, study):
        reports = [report(rate, connections=c) for rate, c in (("900.00", 8), ("1000.00", 8), ("1200.00", 16))]
        row = wp.reproduce(study(*reports, report("500.00", port=81), more=self.CLAIM % "2")).claims.iloc[0]
        assert (row["median"], row["fewest_runs"], row["note"]) == (2.0, 1, "within a side, connections vary")


class TestDocument:
    PAGE = """\
# Bench

| server | conns | req/s | latency |
|--------|------:|------:|--------:|
| fast   | 8     | **1,000** | 10.5 |
| slow   | 8     | 501   | 10.5 |
| odd    | 8     | 777   | 1.5 |

"""  # fmt: skip

    def test_metrics_units_and_labels_are_guessed_and_said(self, study):
        dataset = study(report("1000.70", latency="10.45ms"), report("500.20", port=81, latency="10.49ms"))
        found = reproduce_document(dataset, self.PAGE, "README.md")
        cells = found.cells.set_index(["row", "column"])[["verdict", "metric"]]
        assert cells.loc[("framework=fast, connections=8", "req/s")].to_list() == ["follows", "throughput"]
        assert cells.loc[("framework=slow, connections=8", "req/s")].to_list() == ["follows", "throughput"]
        assert cells.loc[("framework=fast, connections=8", "latency")].to_list() == ["follows", "latency_mean"]
        assert cells.loc[("odd", "req/s")].to_list() == ["no raw run", "throughput"]
        assert found.notes == (
            "README.md:3: column 'req/s': throughput, which gives 2 of 3 numbers",
            "README.md:3: column 'latency': latency_mean in ms, which gives 2 of 3 numbers",
        )

    def test_a_wrong_number_among_right_ones_differs(self, study):
        dataset = study(report("1000.70"), report("500.20", port=81))
        page = self.PAGE.replace("501", "510")
        cells = reproduce_document(dataset, page, "README.md", metric="throughput").cells
        assert list(cells["column"]) == ["req/s"] * 3
        assert list(cells["verdict"]) == ["follows", "differs", "no raw run"]

    def test_a_table_of_something_else_is_left_out(self, study):
        page = "server | port\n--- | ---\nfast | 4444\nslow | 4445\n"
        found = reproduce_document(study(report("1000.70"), report("500.20", port=81)), page, "p.md")
        assert len(found.cells) == 0
        assert found.notes == ("p.md:1: left out: no cell is a run's number",)

    def test_two_digits_are_no_evidence_of_a_metric(self, study):
        """The 10 could be the elapsed time, 10.00 s: a guess from so few digits is none."""
        page = "server | x\n--- | ---\nfast | 10\n"
        assert len(reproduce_document(study(report("1000.70")), page, "p.md").cells) == 0
        assert list(reproduce_document(study(report("1000.70")), page, "p.md", metric="elapsed").cells["verdict"]) == [
            "follows"
        ]

    def test_a_port_tells_servers_apart_where_no_label_does(self):
        raw = (
            report("1000.70", path="/a")
            + report("1007.20", path="/b")
            + report("500.20", port=81)
            + report("507.2", port=81, path="/b")
        )
        page = "file | left | right\n--- | --- | ---\n/a | 1000 | 500\n/b | 1007 | 507\n"
        found = reproduce_document(wp.parse_text(raw), page, "p.md")
        assert list(found.cells["verdict"]) == ["follows"] * 4
        assert [note.rpartition("; ")[2] for note in found.notes] == ["assumed: port=80", "assumed: port=81"]

    @pytest.mark.parametrize("with_labels", [True, False])
    def test_the_page_of_the_caches_follows_as_a_whole(self, tmp_path, with_labels):
        """Its two tables as a page prints them, above its raw output; without the study's labels, ports tell."""
        source = DATA / "nuster-nginx-varnish"
        sizes = {"/helloworld": "12(hello world)", "/1k": "1k bytes"}
        page = ""
        for name in ("server129", "server130"):
            rows = [line.split(",") for line in (source / f"published/{name}.csv").read_text().splitlines()[1:]]
            page += f"### {name}\n\ndata size | CONN | nuster, 1core | nuster, 12cores | nginx, 1core | nginx, 12cores | varnish\n"
            page += "--- | ---- | --- | --- | --- | --- | ---\n"
            for path, *cells in rows:
                page += " | ".join([sizes.get(path, f"{path[1:-1]}bytes"), *cells]) + "\n"
            page += "\n"
        page += (source / "logs/raw-output.md").read_text()
        (tmp_path / "README.md").write_text(page)
        if with_labels:
            (tmp_path / "wrkparse.yaml").write_text((source / "wrkparse.yaml").read_text())
        found = reproduce_document(wp.read(str(tmp_path)), page, "README.md")
        assert found.cells["verdict"].value_counts().to_dict() == {"follows": 84, "explained": 6}
        assert set(found.cells["metric"]) == {"throughput"}
        assert all("assumed: " in note for note in found.notes)
        assert any("port=8080" in note for note in found.notes) is not with_labels

    def test_labels_can_be_given(self, study):
        page = "x | fast | slow\n--- | --- | ---\n8 | 1000 | 500\n"
        dataset = study(report("1000.70"), report("500.20", port=81))
        found = reproduce_document(
            dataset, page, "p.md", rows=["connections"], columns=["framework"], metric="throughput"
        )
        assert list(found.cells["verdict"]) == ["follows", "follows"]
        with pytest.raises(QueryError, match="colour"):
            reproduce_document(dataset, page, "p.md", rows=["colour"])

    def test_nothing_to_reproduce(self, study):
        with pytest.raises(TooLittleError, match="no pipe table"):
            reproduce_document(study(report("1.00")), "no table", "p.md")
        with pytest.raises(TooLittleError, match="no runs"):
            reproduce_document(wp.parse_text(""), self.PAGE, "p.md")


KNOWN = {
    "framework": {"nuster", "nginx", "go", "go 1.4.2"}, "cores": {"1", "12"}, "connections": {"1000", "5000"},
    "payload_bytes": {"12", "64", "1024"}, "path": {"/helloworld", "/64b", "/1k"},
}  # fmt: skip


@pytest.mark.parametrize(
    ("texts", "name", "expected"),
    [
        (["nuster, 1core", "nginx, 12cores"], "", [{"framework": "nuster", "cores": "1"}, {"framework": "nginx", "cores": "12"}]),
        (["1000", "5000"], "CONN", [{"connections": "1000"}, {"connections": "5000"}]),
        (["64bytes"], "data size", [{"payload_bytes": "64", "path": "/64b"}]),
        (["1k bytes"], "data size", [{"payload_bytes": "1024", "path": "/1k"}]),
        (["12(hello world)"], "data size", [{"payload_bytes": "12", "path": "/helloworld"}]),
        (["Golang", "Go 1.4.2 Basic"], "", [{"framework": "go"}, {"framework": "go 1.4.2"}]),
        (["1000", "5000"], "", [{"connections": "1000"}, {"connections": "5000"}]),
        (["12", "12"], "", [None, None]),  # cores or bytes
        (["apache"], "server", [None]),
    ],
)  # fmt: skip
def test_headings_name_labels_that_the_runs_have(texts, name, expected):
    assert guess_labels(texts, name, KNOWN) == expected

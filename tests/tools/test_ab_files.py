"""What ab writes besides its text: `-w`, `-g`, `-e`, `-v`. Expected values: httpd's support/ab.c, or by hand from the text."""

from __future__ import annotations

import pandas as pd
import pytest

import wrkparse as wp

GNUPLOT = (
    "starttime\tseconds\tctime\tdtime\tttime\twait\n"
    "Fri Nov 20 11:35:18 2026\t1795174518\t1\t3\t4\t2\n"
    "Fri Nov 20 11:35:17 2026\t1795174517\t0\t5\t5\t5\n"
)
BANNER = "This is ApacheBench, Version 2.3 <$Revision: 655654 $>\n"
LAST = " 100%      1 (longest request)\n"
OLD_BANNER = "This is ApacheBench, Version 2.0.40-dev <$Revision: 1.146 $> apache-2.0\n"


def row(label: str, value: str) -> str:
    return f"<tr ><th colspan=2 bgcolor=white>{label}</th><td colspan=2 bgcolor=white>{value}</td></tr>\n"


def test_each_line_of_a_gnuplot_file_is_a_request() -> None:
    dataset = wp.parse_text(GNUPLOT)
    assert dataset.runs[["tool", "dialect", "line", "line_end"]].to_numpy().tolist() == [["ab", "-g", 2, 3]]
    # 1795174518 s after the epoch is 2026-11-20 11:35:18 UTC (date -u -d @1795174518)
    assert dataset.requests.started_at.tolist() == [
        pd.Timestamp("2026-11-20 11:35:18", tz="UTC"),
        pd.Timestamp("2026-11-20 11:35:17", tz="UTC"),
    ]
    columns = ["line", "connect_s", "processing_s", "total_s", "wait_s"]
    assert dataset.requests[columns].to_numpy().tolist() == [
        [2, 0.001, 0.003, 0.004, 0.002],
        [3, 0, 0.005, 0.005, 0.005],
    ]
    assert dataset.sources.lines_claimed.tolist() == [3]


def test_microseconds_since_the_epoch_are_told_by_their_size() -> None:
    dataset = wp.parse_text("Fri Nov 20 11:35:18 2026\t1795174518000250\t0\t3\t3\t3\n")
    assert dataset.requests.started_at.tolist() == [pd.Timestamp("2026-11-20 11:35:18.000250", tz="UTC")]


def test_two_gnuplot_files_in_one_text_are_two_runs() -> None:
    dataset = wp.parse_text(GNUPLOT + GNUPLOT)
    assert dataset.runs.line.tolist() == [2, 5]
    assert dataset.requests.groupby("run").size().tolist() == [2, 2]


def test_a_request_that_can_t_be_read_costs_itself() -> None:
    dataset = wp.parse_text(GNUPLOT.replace("\t0\t5\t5\t5", "\t0\t5\t5"))
    assert dataset.requests.line.tolist() == [2]
    assert dataset.diagnostics[["line", "code"]].to_numpy().tolist() == [[3, "bad-event"]]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("Percentage served,Time in ms\n0,0.048\n1,0.060\n", [[0.0, 0.000048], [0.01, 0.00006]]),
        ("Percentage served,Time in ms\n98,1.400000e+01\n99,2.200000e+01\n", [[0.98, 0.014], [0.99, 0.022]]),
    ],
)
def test_each_row_of_a_percentile_file_is_one_of_the_spectrum(text: str, rows: list[list[float]]) -> None:
    dataset = wp.parse_text(text)
    assert dataset.runs[["tool", "dialect"]].to_numpy().tolist() == [["ab", "-e"]]
    assert dataset.spectrum[["percentile", "value_s"]].to_numpy().tolist() == rows
    assert dataset.spectrum.total_count.isna().all()
    assert not dataset.spectrum.corrected.any()


def test_a_row_that_ab_read_past_the_end_of_its_times_is_left_out() -> None:
    # 10 requests: ab.c reads element 0.5 + 10 * 95 / 100 = 10 of 0 to 9
    dataset = wp.parse_text("Percentage served,Time in ms\n94,3.635\n95,0.257\n99,0.257\n100,3.635\n")
    assert dataset.spectrum.percentile.tolist() == [0.94, 1.0]
    assert dataset.diagnostics.line.tolist() == [3, 4]


def test_the_rows_of_a_table_in_html_are_read_as_the_lines_of_the_text() -> None:
    text = BANNER + row("Document Path:", "/a?b&amp;c") + row("Complete requests:", "100")
    text += "<tr ><th bgcolor=white>Total:</th><td bgcolor=white>    0</td><td bgcolor=white>    1</td>"
    text += "<td bgcolor=white>    4</td></tr>\n</table>\n"
    dataset = wp.parse_text(text)
    values = dataset.measurements.set_index(["metric", "stat"]).value.to_dict()
    assert values == {
        ("requests", "total"): 100, ("total", "min"): 0, ("total", "mean"): 0.001, ("total", "max"): 0.004,
    }  # fmt: skip
    assert dataset.runs.dialect.tolist() == ["-w"]


def html(rate: str, transfer: str, elapsed: str = "0.009") -> wp.Dataset:
    return wp.parse_text(
        BANNER + row("Time taken for tests:", f"{elapsed} seconds") + row("Complete requests:", "100")
        + row("Total transferred:", "13000 bytes") + row("Requests per second:", rate)
        + row("Transfer rate:", f"{transfer} kb/s received") + row("Total:", "</td><td>".join("014"))
    )  # fmt: skip


@pytest.mark.parametrize(
    ("rate", "transfer", "throughput", "bytes_per_s"),
    [
        # the same 100 requests and 13000 bytes in 0.009114 s, as each version's -w prints them
        ("10972.13", "1392.95", 10972.13, 1392.95 * 1024),  # 2.4.7 and later
        ("10972.13", "1426377.00", 10972.13, 1426377.0),  # 2.4.0 to 2.4.6: bytes per second
        ("10972130.79", "1426377.00", 10972.13079, 1426377.0),  # 2.2.9 to 2.2.34: and a thousand times the rate
        ("10972.13", "1426.38", 10972.13, 1426380.0),  # up to 2.2.8: bytes per millisecond
    ],
)
def test_rates_of_old_html_are_in_their_true_unit(
    rate: str, transfer: str, throughput: float, bytes_per_s: float
) -> None:
    dataset = html(rate, transfer)
    values = dataset.measurements.set_index("metric").value
    assert values["throughput"] == pytest.approx(throughput)
    assert values["transfer_rate"] == pytest.approx(bytes_per_s)
    changed = (rate != "10972.13") + (transfer != "1392.95")
    assert dataset.diagnostics.code.tolist() == ["mended"] * changed


def test_a_rate_that_no_version_explains_is_read_as_it_stands() -> None:
    dataset = html("10972.13", "55.00")
    assert dataset.measurements.set_index("metric").value["transfer_rate"] == 55 * 1024
    assert len(dataset.diagnostics) == 0


@pytest.mark.parametrize(
    ("banner", "elapsed", "seconds", "noted"),
    [
        (OLD_BANNER, "0.683", 0.000683, 0),  # 10 requests at 14641.29/s take 0.000683 s
        ("", "0.683", 0.000683, 1),
        (OLD_BANNER, "1.683", 1.683, 0),  # that the rate does not bear out
    ],
)
def test_three_digits_are_microseconds_where_the_rate_proves_it(
    banner: str, elapsed: str, seconds: float, noted: int
) -> None:
    dataset = wp.parse_text(
        f"{banner}Concurrency Level:      1\nTime taken for tests:   {elapsed} seconds\nComplete requests:      10\n"
        "Requests per second:    14641.29 [#/sec] (mean)\n" + LAST
    )
    assert dataset.measurements.set_index("metric").value["elapsed"] == pytest.approx(seconds, rel=1e-9)
    assert len(dataset.diagnostics) == noted


def test_time_per_request_in_seconds_is_told_by_the_rate() -> None:
    dataset = wp.parse_text(
        f"{OLD_BANNER}Requests per second:    14.93 [#/sec] (mean)\nTime per request:       0.670 [ms] (mean)\n"
        "Time per request:       0.067 [ms] (mean, across all concurrent requests)\n"
    )
    values = dataset.measurements.set_index("metric").value
    assert (values["time_per_request"], values["time_per_request_across"]) == (
        pytest.approx(0.67),
        pytest.approx(0.067),
    )


def test_what_a_verbose_ab_shows_of_others_is_no_part_of_the_page() -> None:
    dataset = wp.parse_text(
        BANNER
        + "\nBenchmarking h (be patient)...INFO: GET header == \n---\nGET / HTTP/1.0\n---\nLOG: header received:\n"
        "HTTP/1.0 200 OK\n\n# nginx\nTitle\n-----\n$ ./server -c 36\nTotal: 5\nServer 12\n\nLOG: Response code = 200\n..done\n"
        "\n\nServer Software:        \nConcurrency Level:      1\nComplete requests:      2\n" + LAST
    )
    (run,) = dataset.runs.to_dict("records")
    assert (run["tool_version"], run["line"], run["line_end"]) == ("2.3", 1, 24)
    assert run["section"] is None
    assert len(dataset.diagnostics) == 0


def test_tls_of_a_verbose_ab_is_no_broken_line_of_its_report() -> None:
    dataset = wp.parse_text(
        BANNER + "Benchmarking h (be patient)...SSL/TLS Handshake [Start] before SSL initialization\n"
        "SSL/TLS State [connect] SSLv3/TLS write client hello\nCipher Suite Cipher Bits:128 (128)\n"
        "WARNING: Response code not 2xx (404)\n..done\nComplete requests:      2\n" + LAST
    )
    assert len(dataset.runs) == 1
    assert len(dataset.diagnostics) == 0


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("ab: invalid URL\n", "invalid URL"),
        (
            BANNER + "Benchmarking h (be patient)...apr_socket_recv: Connection refused (111)\n",
            "apr_socket_recv: Connection refused (111)",
        ),
        (
            BANNER + "Benchmarking h (be patient)\napr_pollset_poll: The timeout specified has expired (70007)\n"
            "Total of 20 requests completed\n",
            "apr_pollset_poll: The timeout specified has expired (70007)",
        ),
    ],
)
def test_an_ab_that_gave_up_says_why(text: str, reason: str) -> None:
    dataset = wp.parse_text(text)
    assert len(dataset.runs) == 0
    assert dataset.diagnostics.message.tolist() == [f"ab: stopped without results: {reason}"]


def test_a_banner_by_itself_is_what_ab_v_prints() -> None:
    assert (
        len(
            wp.parse_text(
                BANNER + "Copyright 1996 Adam Twiss, Zeus Technology Ltd, http://www.zeustech.net/\n"
            ).diagnostics
        )
        == 0
    )

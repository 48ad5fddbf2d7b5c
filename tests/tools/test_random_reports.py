"""Reports of random numbers, printed as wrk, wrk2 and ab print them, give these numbers back to what their digits hold."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

import wrkparse as wp
from tests.examples import examples
from tests.printers import ab_report, wrk2_distribution, wrk_report

COUNTS = st.integers(0, 2**31 - 1)
SECONDS = st.integers(0, 999_990).map(lambda micros: Fraction(micros, 10**6))  # below what a column cuts
RATES = st.fractions(0, 10**7, max_denominator=1000)
SHARES = st.fractions(0, 1, max_denominator=10_000)
MILLISECONDS = st.integers(0, 99_999).map(lambda milliseconds: Fraction(milliseconds, 1000))
SMALL = st.integers(1, 10_000)
DISTRIBUTION = ("mean", "stdev", "max")
ERRORS = tuple(f"errors_{kind}/total" for kind in ("connect", "read", "write", "timeout"))
WRK = st.fixed_dictionaries(
    {
        "seconds": st.integers(1, 50),
        "threads": SMALL,
        "connections": SMALL,
        **{f"latency/{stat}": SECONDS for stat in DISTRIBUTION},
        **{f"thread_throughput/{stat}": RATES for stat in DISTRIBUTION},
        **{f"{metric}/within_stdev": SHARES for metric in ("latency", "thread_throughput")},
        "requests/total": COUNTS,
        "elapsed/total": st.integers(1, 10**11).map(lambda micros: Fraction(micros, 10**6)),
        "bytes_read/total": st.integers(0, 2**50),
        **dict.fromkeys(ERRORS, st.one_of(st.just(0), COUNTS)),
        "non_2xx/total": st.one_of(st.just(0), COUNTS),
        "throughput/total": RATES,
        "transfer_rate/total": st.fractions(0, 2**40, max_denominator=100),
    }
)
PHASES = ("connect", "processing", "response_wait", "total")
AB = st.fixed_dictionaries(
    {
        "connections": SMALL,
        **{
            f"{metric}/total": COUNTS
            for metric in (
                "document_bytes", "requests", "failed_requests", "errors_connect", "failed_receive", "failed_length",
                "failed_exceptions", "keep_alive_requests", "bytes_read", "bytes_sent", "bytes_bodies",
            )
        },
        "elapsed/total": st.fractions(0, 10**5, max_denominator=1000),
        "throughput/total": RATES,
        "time_per_request/mean": st.fractions(0, 100, max_denominator=10**6),
        "time_per_request_across/mean": st.just(Fraction(1)),
        **{f"{metric}/total": RATES for metric in ("transfer_rate", "transfer_rate_sent", "transfer_rate_total")},
        **{f"{phase}/{stat}": MILLISECONDS for phase in PHASES for stat in ("min", "mean", "stdev", "median", "max")},
        **{f"total/p{share}": MILLISECONDS for share in (50, 66, 75, 80, 90, 95, 98, 99, 100)},
    }
)  # fmt: skip


def check(dataset: wp.Dataset, wanted: dict[str, Fraction | int]) -> dict[str, object]:
    """Every number is there once and within its resolution of what was printed, none besides; returns the run."""
    (run,) = dataset.runs.to_dict("records")
    assert dataset.diagnostics.message.tolist() == []
    found = {f"{row.metric}/{row.stat}": row for row in dataset.measurements.itertuples()}
    assert len(found) == len(dataset.measurements)
    assert found.keys() == wanted.keys()
    for name, value in wanted.items():
        slack = Fraction(found[name].resolution) + abs(value) * Fraction(1, 10**12)
        assert abs(Fraction(found[name].value) - value) <= slack, name
    return run


@examples(0.15)
@given(WRK, st.lists(SECONDS, min_size=4, max_size=4))
def test_random_reports_of_wrk_come_back(numbers: dict[str, Fraction | int], percentiles: list[Fraction]) -> None:
    text = wrk_report(numbers, "http://10.0.1.70:8080/a?b=c", micros=[value * 10**6 for value in percentiles])
    wanted = {name: value for name, value in numbers.items() if "/" in name}
    if not any(wanted[name] for name in ERRORS):
        wanted = {name: value for name, value in wanted.items() if name not in ERRORS}
    if not wanted["non_2xx/total"]:
        del wanted["non_2xx/total"]
    wanted |= {"planned_duration/total": numbers["seconds"]}
    wanted |= {f"latency/p{share}": value for share, value in zip((50, 75, 90, 99), percentiles, strict=True)}
    run = check(wp.parse_text(text), wanted)
    assert (run["threads"], run["connections"]) == (numbers["threads"], numbers["connections"])
    assert (run["line"], run["line_end"]) == (1, text.count("\n"))


@examples(0.1)
@given(st.lists(st.integers(1, 900_000), min_size=1, max_size=40, unique=True))
def test_random_spectra_of_wrk2_come_back(values: list[int]) -> None:
    rows = [(micros, Fraction(at, len(values)), at) for at, micros in enumerate(sorted(values), 1)]
    names = ("Recorded Latency", "Uncorrected Latency (measured without taking delayed starts into account)")
    text = "Running 9s test @ http://h/\n" + "".join(wrk2_distribution(name, rows) for name in names)
    dataset = wp.parse_text(text + "Requests/sec:      1.00\nTransfer/sec:      1.00B\n")
    assert dataset.diagnostics.message.tolist() == []
    for corrected, part in dataset.spectrum.groupby("corrected"):
        assert part.total_count.tolist() == [total for _, _, total in rows], corrected
        assert [round(value * 10**6) for value in part.value_s] == [micros for micros, _, _ in rows]
        assert [abs(found - float(below)) <= 5e-7 for found, (_, below, _) in zip(part.percentile, rows, strict=True)]
    assert set(dataset.spectrum.corrected) == {True, False}


@examples(0.15)
@given(AB)
def test_random_reports_of_ab_come_back(numbers: dict[str, Fraction | int]) -> None:
    wanted = {name: value for name, value in numbers.items() if "/" in name}
    # ab computes one from the other, and so can the units of old versions be told
    wanted["throughput/total"] += Fraction(1, 100)
    wanted["time_per_request_across/mean"] = 1 / wanted["throughput/total"]
    wanted["elapsed/total"] = wanted["requests/total"] / wanted["throughput/total"]
    text = ab_report(numbers | wanted, "example.com", "/a?b=c")
    if not wanted["failed_requests/total"]:
        causes = ("errors_connect", "failed_receive", "failed_length", "failed_exceptions")
        wanted = {name: value for name, value in wanted.items() if name.removesuffix("/total") not in causes}
    run = check(wp.parse_text(text), wanted)
    assert (run["url"], run["connections"], run["tool_version"]) == (
        "http://example.com/a?b=c",
        numbers["connections"],
        "2.3",
    )

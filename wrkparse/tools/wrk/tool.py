r"""wrk 1.0 to 4.2; wrk2 and other programs that print the same report are dialects.

The lines are those of ``main()`` in ``src/wrk.c`` of wrk, the units those of ``src/units.c``: time in steps of 1000 and
60, Req/Sec in steps of 1000 (``k``), bytes in steps of 1024 (``KB``). wrk2 adds calibration lines, HdrHistogram
percentiles and a spectrum (``print_hdr_latency`` of its ``src/wrk.c``) in milliseconds. A real report::

    Running 10s test @ http://10.0.1.70:8080/hello
      8 threads and 8 connections
      Thread Stats   Avg      Stdev     Max   +/- Stdev
        Latency   193.32us   51.20us   1.57ms   83.29%
        Req/Sec     5.11k   299.35     6.84k    78.34%
      410759 requests in 10.10s, 72.06MB read
    Requests/sec:  40669.44
    Transfer/sec:      7.13MB

Dialects: ``wrk 1``; ``wrk2``; ``wrk2 (99% column)``, whose third column is the 99th percentile (DeathStarBench's wrk2);
``hyperfoil`` (``printStats`` of ``WrkAbstract.java`` of Hyperfoil: no % behind the Req/Sec row, errors at the end);
``zrk`` (``formatReport`` of its ``stats.zig``: other columns).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from wrkparse.model.records import Label, new_label
from wrkparse.model.units import MILLISECONDS, SECONDS
from wrkparse.tools.base import CLOSED, FROM_400, NO_LOOP, Counting, Flags, Loop, ReportTool, UnprintedZero, option
from wrkparse.tools.common import LATENCY, NON_2XX, REQUESTS, SPECTRUM, THROUGHPUT, add_enclosed_percentiles
from wrkparse.tools.layout import ReportLayout, maybe, once, repeated
from wrkparse.tools.lines import BLANK, Form, Slot, count_slot, decimals
from wrkparse.tools.report import Lack, Report
from wrkparse.tools.wrk import lines as wrk
from wrkparse.tools.wrk import readers
from wrkparse.tools.wrk.metrics import ERRORS, HISTOGRAMS, METRICS, WRK2
from wrkparse.tools.wrk.url import continue_url


def _finish(report: Report) -> None:
    if not report.seen.isdisjoint({"row", "footer"}) and report.dialect is None:
        report.dialect = WRK2
    if "row" in report.seen and "percentile" not in report.seen and report.mode != "uncorrected":
        add_enclosed_percentiles(report, _SPECTRUM_RESOLUTION)
    if why := _why_foreign(report):
        report.unmeasured, report.mode = why, ""
    # only now: the lines that show the dialect may be the last ones
    if report.dialect in (WRK2, readers.WRK2_P99):
        report.tool = "wrk2"
    if report.dialect == readers.HYPERFOIL:
        readers.typed_duration(report)
    # somebody's list of single numbers, such as "- Requests/sec: 40669.44"
    if report.seen <= {"requests/sec", "transfer/sec"} and all(_ITEM.match(text) for _, text in report.text):
        report.mode = "foreign"


def _why_foreign(report: Report) -> str | None:
    """Why a report is of a program that prints the same first and last line; None if it may be one of wrk.

    wrk refuses an address without ``http://`` (``script_parse_url`` of its ``src/script.c``) and prints it as it was
    given. People may cut it, but then one of the lines that only wrk prints remains.
    """
    if "requests/sec" not in report.seen or not report.seen.isdisjoint(_LINES_OF_WRK):
        return None
    address = next((label.value for label in report.labels if label.key == "url"), "")
    if not _ADDRESS.fullmatch(address):
        return None
    return f"wrk's first line has http:// or https://, and this one does not: {address}"


def _loop(report: Report, labels: Sequence[Label]) -> Loop:
    """Closed for wrk; open for wrk2, which sends at the rate of ``-R`` and counts from when each request was due.

    wrk has no ``-R``. The samples that wrk 4 adds (``stats_correct`` of ``src/stats.c``) do not count so. Without
    ``--latency``, a report of wrk2 of up to 10 s looks like one of wrk. Other programs with this report are unknown.
    """
    if report.tool == "wrk2" or option(labels, "rate") is not None:
        return Loop("open", corrected=True)
    return CLOSED if report.dialect in (None, "wrk 1") else NO_LOOP


_SPECTRUM_RESOLUTION = 5e-7  # half the last digit of milliseconds with three decimals
_LINES_OF_WRK = frozenset({"version", "threads", "head", "latency", "percentile", "row", "totals", "transfer/sec"})
_ADDRESS = re.compile(r"[\w.-]{1,200}:[0-9]{1,5}(?:/\S*)?")  # "127.0.0.1:8080"
_ITEM = re.compile(r"\s*[-*+] (?=\w+/sec)")  # "- Requests/sec: 40669.44"


def _lacks(report: Report) -> Lack | None:
    if "transfer/sec" in report.seen:
        return None
    if "requests/sec" in report.seen:
        return Lack("its Transfer/sec line", "note")
    return Lack("its Requests/sec line", "warning" if report.seen & {"header", "threads"} else "note")


_TIME, _MILLIS = decimals(2, SECONDS, 3), decimals(3, MILLISECONDS, 7)
_HISTOGRAM, _HISTOGRAM_COUNT = HISTOGRAMS[False]
_SPECTRUM = r" *[0-9]{1,9}\.[0-9]{3} +[01]\.[0-9]{6} +[0-9]{1,15} +(?:[0-9]{1,15}\.[0-9]{2}|inf)"
# value, percentile, total count, and 1/(1-percentile), which follows from it
_SPECTRUM_ROW = re.compile(r"([0-9.]{5,13}) +([0-9.]{8}) +([0-9]{1,15}) .*\n")


def _percentile(printed: str, stat: str) -> Form:
    return wrk.PERCENTILE.printed(f" *{re.escape(printed)}% +{{}} ?", Slot(LATENCY, stat, _TIME))


def _describe(report: Report, match: re.Match[str]) -> bool:
    assert report.complete is not None
    numbers, texts = report.complete.numbers, report.complete.texts
    head, line, stated, more = report.line, report.line + 1, texts[0].strip(), texts[1].strip()
    url, threads, connections, plain, corrected, calibrated, spectrum = match.group(
        "url", "threads", "connections", "plain", "corrected", "calibration", "spectrum"
    )
    if not numbers.resolutions[0]:
        report.labels.append(new_label(("duration_s", f"{numbers.values[0]:.15g}", "report", head, stated, "printed")))
    report.labels += [
        new_label(("url", url, "report", head, stated, "printed")),
        new_label(("threads", threads, "report", line, more, "printed")),
        new_label(("connections", connections, "report", line, more, "printed")),
    ]
    report.mode = "corrected" if corrected is not None else "plain" if plain is not None else ""
    report.dialect = WRK2 if calibrated or corrected is not None else None
    if spectrum:
        cells = _SPECTRUM_ROW.findall(spectrum)
        first = head + match.string.count("\n", match.start(), match.start("spectrum"))
        report.complete.rows["spectrum"] = (
            tuple([float(share) for _, share, _ in cells]),
            tuple([float(f"{value}e-3") for value, _, _ in cells]),
            tuple([int(total) for _, _, total in cells]),
            (True,) * len(cells),
            tuple(range(first, first + len(cells))),
        )
    return True


# As ``main()`` of the ``src/wrk.c`` of wrk 4 and wrk2 prints it, with a latency distribution or without. Of the two
# distributions of wrk2, it is the one that counts from when a request was due (``print_hdr_latency``).
_LAYOUT = ReportLayout(
    "Running ",
    wrk.HEADER,
    (
        once(wrk.HEADER, wrk.THREADS),
        repeated("calibration", wrk.CALIBRATED),
        once(wrk.HEAD, wrk.LATENCY_ROW, wrk.RATE_ROW),
        maybe(
            wrk.DISTRIBUTION.printed(" +Latency Distribution(?P<plain>)"),
            *(_percentile(share, f"p{share}") for share in ("50", "75", "90", "99")),
        ),
        maybe(
            wrk.DISTRIBUTION.printed(r"  Latency Distribution \(HdrHistogram - Recorded Latency\)(?P<corrected>)"),
            *(_percentile(f"{float(share):.3f}", f"p{share}") for share in "50 75 90 99 99.9 99.99 99.999 100".split()),
        ),
        maybe(
            BLANK,
            wrk.SPECTRUM_TITLE.printed("  Detailed Percentile spectrum:"),
            wrk.SPECTRUM_HEAD.printed(r"       Value   Percentile   TotalCount 1/\(1-Percentile\)"),
            BLANK,
        ),
        repeated("spectrum", wrk.SPECTRUM_ROW.printed(_SPECTRUM)),
        maybe(
            wrk.FOOTER.printed(
                r"#\[Mean    = +{}, StdDeviation   = +{}\]",
                Slot(_HISTOGRAM, "mean", _MILLIS),
                Slot(_HISTOGRAM, "stdev", _MILLIS),
            ),
            wrk.FOOTER.printed(
                r"#\[Max     = +{}, Total count    = +{}\]",
                Slot(_HISTOGRAM, "max", _MILLIS),
                count_slot(_HISTOGRAM_COUNT),
            ),
            wrk.FOOTER.printed(r"#\[Buckets = +[0-9]{1,9}, SubBuckets     = +[0-9]{1,9}\]"),
            wrk.RULER.printed("-{58}"),
        ),
        once(wrk.TOTALS),
        maybe(wrk.SOCKET_ERRORS),
        maybe(wrk.ERROR_RESPONSES),
        once(wrk.REQUEST_RATE, wrk.TRANSFER),
    ),
    _describe,
)

TOOL = ReportTool(
    name="wrk",
    counting=Counting("from when the request is sent", rate_is_quotient=True, error_statuses=FROM_400),
    counting_by_name={
        "wrk2": Counting("from when the request was due", rate_is_quotient=True, error_statuses=FROM_400)
    },
    metrics=METRICS,
    lines=wrk.LINES,
    preamble=re.compile(r"\S{1,200}\.lua: .+"),  # the error of a script, before all other lines
    programs=frozenset({"wrk", "wrk2"}),
    loop_of=_loop,
    flags=Flags(
        options={
            "-t": "threads", "--threads": "threads",
            "-c": "connections", "--connections": "connections",
            "-d": "duration_s", "--duration": "duration_s",
            "-R": "rate", "--rate": "rate",
            "-s": "flag_script", "--script": "flag_script",
            "-H": "flag_header", "--header": "flag_header",
            "-T": "flag_timeout", "--timeout": "flag_timeout",
            "-r": "flag_requests", "--requests": "flag_requests",
        },
        switches=frozenset({"-L", "--latency", "-U", "--u_latency", "-v", "--version", "-k", "-B", "--batch_latency"}),
        positional="url",
    ),
    tables={"spectrum": SPECTRUM},
    evidence=frozenset({"latency", "percentile", "row", "rate", "totals", "requests/sec", "transfer/sec"}),
    idle=frozenset({"version", "threads", "head", "results", "distribution", "spectrum", "footer", "ruler"}),
    finish=_finish,
    lacks=_lacks,
    goes_on=continue_url,
    prints_report_of="hdrhistogram",
    # `main()` of src/wrk.c: "Socket errors" if one of the four is not 0, "Non-2xx" if it is not 0.
    unprinted_zeros=(UnprintedZero((*ERRORS.values(), NON_2XX), REQUESTS, THROUGHPUT, not_in=("hyperfoil", "zrk")),),
    layouts=(_LAYOUT,),
    known_words=re.compile(
        r"Latency Distribution|Thread (?:Stats|calibration)|[Rr]equests/sec|Req/Sec|requests in [0-9]"
        r"|\bwrk2? -[a-zA-Z] ?[0-9]+|^[ \t]*[0-9]{2,3}(?:\.[0-9]+)?%[ \t]+[0-9.]+(?:us|ms|s|m|h)$",
        re.MULTILINE,
    ),
)  # fmt: skip

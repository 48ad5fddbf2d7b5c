"""A whole report of wrk 4 or wrk2 at once: as ``main()`` of their ``src/wrk.c`` prints it, latencies or none.

Of wrk2's distributions it is the one that counts from when a request was due (``print_hdr_latency``).
"""

from __future__ import annotations

import re

from wrkparse.model.records import Label, Metric
from wrkparse.model.units import BINARY, DECIMAL, MILLISECONDS, PERCENT, SECONDS
from wrkparse.tools.base import Report
from wrkparse.tools.common import ELAPSED, NON_2XX, REQUESTS, THROUGHPUT, TRANSFER_RATE
from wrkparse.tools.whole import COUNT, EMPTY, TEXT, Cell, Line, Part, Whole, decimals, maybe
from wrkparse.tools.wrk.metrics import (
    BYTES_READ,
    CALIBRATION,
    ERRORS,
    HISTOGRAMS,
    LATENCY,
    LATENCY_SHARE,
    PLANNED,
    SAMPLING,
    THREAD_RATE,
    THREAD_SHARE,
    WRK2,
)  # fmt: skip

_TIME, _RATE, _SHARE, _BYTES = (decimals(2, scale, 3) for scale in (SECONDS, DECIMAL, PERCENT, BINARY))
_INTERVAL, _MILLIS = decimals(0, MILLISECONDS), decimals(3, MILLISECONDS, 7)
# Minutes are rounded, as `wrk` says.
_PLANNED = Cell("([1-9][0-9]{0,8})(s|m|h)", {"s": (1, 1, 0.0), "m": (60, 1, 30.0), "h": (3600, 1, 1800.0)})
_HISTOGRAM, _HISTOGRAM_COUNT = HISTOGRAMS[False]


def _row(kind: str, name: str, metric: Metric, share: Metric, cell: Cell) -> Line:
    cells = [(metric, stat, cell) for stat in ("mean", "stdev", "max")]
    return Line(kind, f" +{name}{' +{}' * 4}", (*cells, (share, "within_stdev", _SHARE)))


def _percentile(share: str, stat: str) -> Line:
    return Line("percentile", f" *{re.escape(share)}% +{{}} ?", ((LATENCY, stat, _TIME),))


_SPECTRUM = r" *[0-9]{1,9}\.[0-9]{3} +[01]\.[0-9]{6} +[0-9]{1,15} +(?:[0-9]{1,15}\.[0-9]{2}|inf)"
_SPECTRUM_ROW = re.compile(r"([0-9.]{5,13}) +([0-9.]{8}) +([0-9]{1,15}) .*\n")
_CALIBRATED = "  Thread calibration: mean lat.: {}ms, rate sampling interval: {}ms"
_FOOTER = (
    Line(
        "footer",
        r"#\[Mean    = +{}, StdDeviation   = +{}\]",
        ((_HISTOGRAM, "mean", _MILLIS), (_HISTOGRAM, "stdev", _MILLIS)),
    ),
    Line(
        "footer",
        r"#\[Max     = +{}, Total count    = +{}\]",
        ((_HISTOGRAM, "max", _MILLIS), (_HISTOGRAM_COUNT, "total", COUNT)),
    ),
    Line("footer", r"#\[Buckets = +[0-9]{1,9}, SubBuckets     = +[0-9]{1,9}\]"),
    Line("ruler", "-{58}"),
)
_TITLES = (
    EMPTY,
    Line("spectrum", "  Detailed Percentile spectrum:"),
    Line("spectrum", r"       Value   Percentile   TotalCount 1/\(1-Percentile\)"),
    EMPTY,
)
_PARTS = (
    Part((
        Line("header", f"Running {{}} test @ (?P<url>https?://{TEXT}{{1,1000}})", ((PLANNED, "total", _PLANNED),)),
        Line("threads", " +(?P<threads>[0-9]{1,9}) threads and (?P<connections>[0-9]{1,9}) connections"),
    )),
    Part((
        Line("calibration", _CALIBRATED, ((CALIBRATION, "thread_{}", _MILLIS), (SAMPLING, "thread_{}", _INTERVAL))),
    ), again="calibration"),
    Part((
        Line("head", r"  Thread Stats   Avg      Stdev     Max   \+/- Stdev"),
        _row("latency", "Latency", LATENCY, LATENCY_SHARE, _TIME),
        _row("rate", "Req/Sec", THREAD_RATE, THREAD_SHARE, _RATE),
    )),
    maybe(
        Line("distribution", " +Latency Distribution(?P<plain>)"),
        *(_percentile(share, f"p{share}") for share in ("50", "75", "90", "99")),
    ),
    maybe(
        Line("distribution", r"  Latency Distribution \(HdrHistogram - Recorded Latency\)(?P<corrected>)"),
        *(_percentile(f"{float(share):.3f}", f"p{share}") for share in "50 75 90 99 99.9 99.99 99.999 100".split()),
    ),
    maybe(*_TITLES),
    Part((Line("spectrum", _SPECTRUM),), again="spectrum"),
    maybe(*_FOOTER),
    Part((
        Line("totals", " +{} requests in {}, {} read", (
            (REQUESTS, "total", COUNT), (ELAPSED, "total", _TIME), (BYTES_READ, "total", _BYTES),
        )),
    )),
    maybe(
        Line(
            "errors",
            " +Socket errors: connect {}, read {}, write {}, timeout {}",
            tuple((metric, "total", COUNT) for metric in ERRORS.values()),
        ),
    ),
    maybe(Line("non-2xx", " +Non-2xx or 3xx responses: {}", ((NON_2XX, "total", COUNT),))),
    Part((
        Line("requests/sec", "Requests/sec: +{}", ((THROUGHPUT, "total", decimals(2)),)),
        Line("transfer/sec", "Transfer/sec: +{}", ((TRANSFER_RATE, "total", _BYTES),)),
    )),
)  # fmt: skip


def _said(report: Report, match: re.Match[str]) -> bool:
    assert report.at_once is not None
    lines, _, _, numbers, rows = report.at_once
    head, line = lines[:2]
    url, threads, connections, plain, corrected, calibrated, spectrum = match.group(
        "url", "threads", "connections", "plain", "corrected", "calibration", "spectrum"
    )
    if not numbers.resolutions[0]:
        report.labels.append(Label("duration_s", f"{numbers.values[0]:.15g}", "report", head))
    report.labels += [
        Label("url", url, "report", head),
        Label("threads", threads, "report", line),
        Label("connections", connections, "report", line),
    ]
    report.mode = "corrected" if corrected is not None else "plain" if plain is not None else ""
    report.dialect = WRK2 if calibrated or corrected is not None else None
    if spectrum:
        cells = _SPECTRUM_ROW.findall(spectrum)
        first = head + match.string.count("\n", match.start(), match.start("spectrum"))
        rows["spectrum"] = (
            tuple([float(share) for _, share, _ in cells]),
            tuple([float(f"{value}e-3") for value, _, _ in cells]),
            tuple([int(total) for _, _, total in cells]),
            (True,) * len(cells),
            tuple(range(first, first + len(cells))),
        )
    return True


WHOLE = Whole("Running ", "header", 14, _PARTS, _said)

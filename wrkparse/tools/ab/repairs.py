"""What versions of ab print in another unit than they say, put right where the report's other numbers prove it.

From httpd's ``support/ab.c`` of each version:

- 2.0.21 to 2.2.8 print microseconds behind the dot of ``Time taken``, not padded: ``0.683`` is 0.000683 s; not ``-w``.
- 2.0.16 to 2.0.36 print ``Time per request`` in seconds, labelled ms.
- ``-w`` of 2.2.9 to 2.2.34 prints a thousand times the requests per second.
- ``-w`` prints the transfer rate in bytes per second up to 2.4.6, in bytes per millisecond up to 2.2.8, labelled kb/s.
- The text of 1.3 has bytes per millisecond, too: labelled kb/s, and in its last versions Kbytes/sec.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from wrkparse.model.records import Diagnostic
from wrkparse.tools.report import Report

_RATES = ("transfer_rate", "transfer_rate_sent", "transfer_rate_total")
_PER_REQUEST = ("time_per_request", "time_per_request_across")
_MILLISECOND_DIGITS = 0.0005  # the resolution of three digits behind the dot
_OLD = "2.0."  # as the banner says up to httpd 2.2.8
_SINCE_2_2_9 = "2.3"  # as the banner says from then on
_OF_1_3 = "kb/s received"  # in text; only -w of the later versions says it so
_DECIMAL = 1000 / 1024  # of a number in kilobytes that was read as in KiB
_SURE = 200  # times its resolution: so large a number is known to 0.5 %, enough to tell 1000 from 1024


def mend(report: Report, *, html: bool) -> None:
    """Correct the numbers of a report that is read to its end, with a note for each."""
    if not html:
        _microseconds(report, said=(report.version or "").startswith(_OLD))
    if html and _near(_ratio(_values(report), ("throughput", "elapsed"), ("requests",)), 1000, 3):
        _scale(report, ("throughput",), 1e-3)
    _kilobytes(report, html=html)
    if _in_seconds(_values(report)):
        _scale(report, _PER_REQUEST, 1e3)


def _kilobytes(report: Report, *, html: bool) -> None:
    """Correct a transfer rate in bytes per second, or per millisecond: as its other numbers prove, or its form says."""
    ratio = _ratio(_values(report), ("transfer_rate", "requests"), ("bytes_read", "throughput"))
    if html:
        for factor in (1 / 1024, _DECIMAL):
            if _near(ratio, 1 / factor, 1.01):
                _scale(report, _RATES, factor)
        return
    proven = _near(ratio, 1 / _DECIMAL, 1.01) and _is_sure(report, "transfer_rate", "throughput")
    said = ratio is None and any(_OF_1_3 in text for _, text in report.text)
    if (proven or said) and report.version != _SINCE_2_2_9:
        _scale(report, _RATES, _DECIMAL)


def _is_sure(report: Report, *metrics: str) -> bool:
    """Whether these numbers are printed with so many digits that no rounding explains a difference of 2 %."""
    rows = [row for row in report.measurements if row.metric in metrics]
    return all(row.value and row.resolution and row.value > _SURE * row.resolution for row in rows)


def is_right(values: Mapping[str, float | None]) -> bool:
    """Whether the numbers of a text, by their metrics, are as `mend` leaves them; its elapsed time has three digits."""
    served, elapsed = _served(values), values["elapsed"]
    return not _in_seconds(values) and not (elapsed and served and _misses(elapsed, served))


def _microseconds(report: Report, *, said: bool) -> None:
    served = _served(_values(report))
    for at, row in enumerate(report.measurements):
        if row.metric == "elapsed" and row.value is not None and row.resolution == _MILLISECOND_DIGITS:
            unpadded = _unpadded(row.value)
            if said if served is None else _misses(row.value, served):
                report.measurements[at] = row._replace(value=unpadded, resolution=5e-7)
                if not said:
                    _note(report, row.line, f"elapsed: microseconds that are not padded; read as {unpadded:g} s")


def _unpadded(seconds: float) -> float:
    """What a time of three digits behind the dot is if these are microseconds."""
    fraction, whole = math.modf(seconds)
    return whole + round(fraction * 1000) / 1e6


def _misses(elapsed: float, served: float) -> bool:
    """Whether it is microseconds that stand behind the dot, by the time in which so many requests were served."""
    return _near(_unpadded(elapsed), served, 1.02) and not _near(elapsed, served, 1.5)


def _served(values: Mapping[str, float | None]) -> float | None:
    return _ratio(values, ("requests",), ("throughput",))


def _in_seconds(values: Mapping[str, float | None]) -> bool:
    return _near(_ratio(values, ("time_per_request_across", "throughput"), ()), 1e-3, 3)


def _values(report: Report) -> dict[str, float | None]:
    return {row.metric: row.value for row in report.measurements if row.stat in ("total", "mean")}


def _ratio(values: Mapping[str, float | None], over: tuple[str, ...], under: tuple[str, ...]) -> float | None:
    """The product of some numbers over that of others; None where one is missing or 0."""
    if not all(values.get(name) for name in (*over, *under)):
        return None
    top, bottom = (math.prod(values[name] or 0.0 for name in names) for names in (over, under))
    return top / bottom


def _near(number: float | None, wanted: float, factor: float) -> bool:
    return number is not None and wanted / factor < number < wanted * factor


def _scale(report: Report, metrics: tuple[str, ...], factor: float) -> None:
    for at, row in enumerate(report.measurements):
        if row.metric in metrics and row.value is not None and row.resolution is not None:
            scaled = row._replace(value=row.value * factor, resolution=row.resolution * factor)
            report.measurements[at] = scaled
            said = f"{row.metric}: this version prints another unit than it says; read as {scaled.value:.7g} {row.unit}"
            _note(report, row.line, said)


def _note(report: Report, line: int, message: str) -> None:
    report.diagnostics.append(Diagnostic(report.source, line, "note", "mended", f"ab: {message}"))

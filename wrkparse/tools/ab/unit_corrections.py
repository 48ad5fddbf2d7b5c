"""Corrects numbers that versions of ab print in another unit than they state, if other numbers of the report prove it.

From ``support/ab.c`` of each version of httpd:

- 2.0.21 to 2.2.8 print microseconds after the dot of ``Time taken``, not padded: ``0.683`` is 0.000683 s; not ``-w``.
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
_MILLISECOND_DIGITS = 0.0005  # the resolution of three digits after the dot
_BANNER_TO_2_2_8 = "2.0."  # in the banner up to httpd 2.2.8
_BANNER_SINCE_2_2_9 = "2.3"  # in the banner from then on
_UNIT_OF_1_3 = "kb/s received"  # in text; of the later versions, only -w prints it
_KILOBYTE_IN_KIB = 1000 / 1024  # the factor for a number in kilobytes that was read as KiB
# Times its resolution: a number of this size is known to 0.5 %, enough to distinguish 1000 from 1024.
_SURE_DIGITS = 200


def correct_units(report: Report, *, html: bool) -> None:
    """Correct the numbers of a report that was read to its end, with a note for each."""
    if not html:
        _correct_elapsed(report, has_microseconds=(report.version or "").startswith(_BANNER_TO_2_2_8))
    if html and _is_near(_ratio(_values(report), ("throughput", "elapsed"), ("requests",)), 1000, 3):
        _scale(report, ("throughput",), 1e-3)
    _correct_transfer_rates(report, html=html)
    if _in_seconds(_values(report)):
        _scale(report, _PER_REQUEST, 1e3)


def _correct_transfer_rates(report: Report, *, html: bool) -> None:
    """Correct a transfer rate in bytes per second, or per millisecond, if other numbers or its form prove it."""
    ratio = _ratio(_values(report), ("transfer_rate", "requests"), ("bytes_read", "throughput"))
    if html:
        for factor in (1 / 1024, _KILOBYTE_IN_KIB):
            if _is_near(ratio, 1 / factor, 1.01):
                _scale(report, _RATES, factor)
        return
    proven = _is_near(ratio, 1 / _KILOBYTE_IN_KIB, 1.01) and _has_enough_digits(report, "transfer_rate", "throughput")
    has_old_unit = ratio is None and any(_UNIT_OF_1_3 in text for _, text in report.text)
    if (proven or has_old_unit) and report.version != _BANNER_SINCE_2_2_9:
        _scale(report, _RATES, _KILOBYTE_IN_KIB)


def _has_enough_digits(report: Report, *metrics: str) -> bool:
    """Whether these numbers have so many digits that rounding can't explain a difference of 2 %."""
    rows = [row for row in report.measurements if row.metric in metrics]
    return all(row.value and row.resolution and row.value > _SURE_DIGITS * row.resolution for row in rows)


def has_correct_units(values: Mapping[str, float | None]) -> bool:
    """Whether `correct_units` would not change these numbers, by metric; the elapsed time has three digits."""
    served, elapsed = _expected_elapsed(values), values["elapsed"]
    return not _in_seconds(values) and not (elapsed and served and _are_microseconds(elapsed, served))


def _correct_elapsed(report: Report, *, has_microseconds: bool) -> None:
    """Correct an elapsed time whose fraction is microseconds; with `has_microseconds`, the version prints it so."""
    served = _expected_elapsed(_values(report))
    for index, row in enumerate(report.measurements):
        if row.metric == "elapsed" and row.value is not None and row.resolution == _MILLISECOND_DIGITS:
            unpadded = _as_microseconds(row.value)
            if has_microseconds if served is None else _are_microseconds(row.value, served):
                report.measurements[index] = row._replace(value=unpadded, resolution=5e-7)
                if not has_microseconds:
                    _note(report, row.line, f"elapsed: microseconds that are not padded; read as {unpadded:g} s")


def _as_microseconds(seconds: float) -> float:
    """A time with three digits after the dot, read as microseconds."""
    fraction, whole = math.modf(seconds)
    return whole + round(fraction * 1000) / 1e6


def _are_microseconds(elapsed: float, served: float) -> bool:
    """Whether the digits after the dot are microseconds, judged by the time that the requests take.

    Both numbers are rounded, so they agree to 2 %. Read as milliseconds, the time must be clearly wrong: by half.
    """
    return _is_near(_as_microseconds(elapsed), served, 1.02) and not _is_near(elapsed, served, 1.5)


def _expected_elapsed(values: Mapping[str, float | None]) -> float | None:
    """The elapsed time that follows from the requests and their rate; None without them."""
    return _ratio(values, ("requests",), ("throughput",))


def _in_seconds(values: Mapping[str, float | None]) -> bool:
    """Whether the times per request are in seconds."""
    return _is_near(_ratio(values, ("time_per_request_across", "throughput"), ()), 1e-3, 3)


def _values(report: Report) -> dict[str, float | None]:
    return {row.metric: row.value for row in report.measurements if row.stat in ("total", "mean")}


def _ratio(values: Mapping[str, float | None], over: tuple[str, ...], under: tuple[str, ...]) -> float | None:
    """The product of some numbers divided by that of others; None if one is missing or 0."""
    if not all(values.get(name) for name in (*over, *under)):
        return None
    top, bottom = (math.prod(values[name] or 0.0 for name in names) for names in (over, under))
    return top / bottom


def _is_near(number: float | None, expected: float, factor: float) -> bool:
    """Whether a number is within a factor of another one."""
    return number is not None and expected / factor < number < expected * factor


def _scale(report: Report, metrics: tuple[str, ...], factor: float) -> None:
    for index, row in enumerate(report.measurements):
        if row.metric in metrics and row.value is not None and row.resolution is not None:
            scaled = row._replace(value=row.value * factor, resolution=row.resolution * factor)
            report.measurements[index] = scaled
            message = (
                f"{row.metric}: this version prints another unit than it says; read as {scaled.value:.7g} {row.unit}"
            )
            _note(report, row.line, message)


def _note(report: Report, line: int, message: str) -> None:
    report.diagnostics.append(Diagnostic(report.source, line, "note", "mended", f"ab: {message}"))

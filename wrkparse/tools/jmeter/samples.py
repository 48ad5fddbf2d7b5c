r"""The file of ``jmeter -l``: CSV with a row for each sample, from ``org/apache/jmeter/save/CSVSaveService.java``.

The head names the columns, which ``jmeter.save.saveservice.*`` chooses; another sign than a comma may separate the
cells. A real file begins::

    timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,failureMessage,bytes,sentBytes, …
    1795439560914,34,"list, all",200,OK,buyers 1-2,,true,,117,118,2,2,http://127.0.0.1:18080/,32,0,16

``timeStamp`` is when a sample began (``sampleresult.timestamp.start`` of ``jmeter.properties``), in milliseconds or as
date and time. There is a run for each ``label``, and ``TOTAL`` for all if there are several. The numbers are
those of JMeter's Summary Report and Aggregate Report. The rate is samples by the time from the first begin to the last
end (``Calculator.java``, ``SamplingStatCalculator.java``); a percentile is the smallest time that ``Math.round(count *
share)`` samples did not exceed (``getPercentPoint`` of ``org/apache/jorphan/math/StatCalculator.java``). Samples that
failed count in all of them. Like the summary on the console, ``TOTAL`` leaves out the samples of transaction
controllers, which repeat those of the requests in them, if it has others.

With ``SampleCount`` a row is several samples; each of them has the mean time of the row, without its fraction.

``jmeter.save.saveservice.print_field_names=false``, the default up to JMeter 2.13, leaves the head out. The columns are
then those that ``bin/jmeter.properties`` of a version saves by default, if the first row has as many and they fit;
otherwise the first eight, which all versions save.
"""

from __future__ import annotations

import csv
import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

from wrkparse.model.units import Quantity
from wrkparse.tools.common import (
    BYTES_READ,
    BYTES_SENT,
    ELAPSED,
    LATENCY,
    RATE_SENT,
    REQUESTS,
    THROUGHPUT,
    TRANSFER_RATE,
    UNEXPECTED,
    keep_only,
)
from wrkparse.tools.report import Report
from wrkparse.tools.samples import SampleForm, SampleRun

TOTAL = "TOTAL"
_PERCENTILES = (50, 90, 95, 99)  # median, and `aggregate_rpt_pct1` to 3
TRANSACTION = "Number of samples in transaction : "
_NO_RESPONSE = "Non HTTP response code"
_MOST_LABELS = 1000  # labels with a run of their own; bounds memory
_MOST_TIMES = 1 << 20  # different times, over all labels; bounds memory
_CHECKED_EVERY = 1 << 16  # rows between two checks of that number
_HALF = 0.0005  # seconds: half of the last digit of a time
_NUMBER = re.compile("[0-9]{1,15}")
_EPOCH = re.compile("[0-9]{13}")  # milliseconds, from 2001 to 2286
# ``threadName`` of org/apache/jmeter/threads/ThreadGroup.java: the name of the group, its number, that of the thread
_THREAD = re.compile(r".{0,200}? [0-9]{1,6}-[0-9]{1,9}")
_FIRST_EIGHT = "timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success"
# The columns after these by default, in JMeter 2.13, 3.0, 3.1 to 4.0, and from 5.0 on
_BY_DEFAULT = (
    "bytes,grpThreads,allThreads,Latency",
    "failureMessage,bytes,grpThreads,allThreads,Latency,IdleTime",
    "failureMessage,bytes,sentBytes,grpThreads,allThreads,Latency,IdleTime,Connect",
    "failureMessage,bytes,sentBytes,grpThreads,allThreads,URL,Latency,IdleTime,Connect",
)
_TEXTS = {"failureMessage": re.compile("(?s:.*)"), "URL": re.compile(r"null|[a-z]{2,10}:\S{1,4000}")}
# ``DATE_FORMAT_STRINGS`` of CSVSaveService.java
_DATE = re.compile(r"([0-9]{4})[-/]([0-9]{2})[-/]([0-9]{2}) ([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]{3}))?")
_OLD_DATE = re.compile(r"([0-9]{2})/([0-9]{2})/([0-9]{2}) ([0-9]{2}):([0-9]{2}):([0-9]{2})")  # "11/20/26 11:38:23"


@dataclass(slots=True)
class LabelSamples:
    """The samples of a label: the number of samples for each time, in milliseconds, and sums."""

    first: tuple[int, str]
    last: tuple[int, str]
    transactions: bool = False
    times: Counter[int] = field(default_factory=Counter)
    folded: bool = False  # too many different times were dropped, so percentiles are missing
    count: int = 0  # of samples whose times were dropped
    sum: int = 0  # of times that `times` does not have
    squares: float = 0.0
    shortest: int = 1 << 62
    longest: int = 0
    failed: int = 0
    answered: int = 0
    begin: int = 1 << 62  # milliseconds
    end: int = 0
    received: int = 0
    sent: int = 0
    threads: int = 0

    def fold(self) -> None:
        """Drop the times, except those that sums need."""
        self.folded = True
        self.count += self.times.total()
        self.sum += sum(time * count for time, count in self.times.items())
        self.squares += sum(float(time * time * count) for time, count in self.times.items())
        self.shortest, self.longest = min(self.shortest, *self.times), max(self.longest, *self.times)
        self.times.clear()

    def include(self, other: LabelSamples) -> None:
        """Add the samples of another label."""
        self.times.update(other.times)
        self.folded |= other.folded
        for name in ("count", "sum", "squares", "failed", "answered", "received", "sent"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.shortest, self.longest = min(self.shortest, other.shortest), max(self.longest, other.longest)
        self.begin, self.end = min(self.begin, other.begin), max(self.end, other.end)
        self.threads = max(self.threads, other.threads)
        self.last = max(self.last, other.last)


class CsvTable:
    """The samples of one file."""

    def __init__(self, head: str, line: int) -> None:
        self.delimiter = head.removeprefix("timeStamp")[0]
        names = [name.strip('"') for name in head.split(self.delimiter)]
        self.width = len(names)
        self._columns = {name: at for at, name in reversed(list(enumerate(names)))}
        self._head = line, head
        self._groups: dict[str, LabelSamples] = {}
        self._over_limit: LabelSamples | None = None  # of labels above the limit
        self._step = 1  # milliseconds to which a time stamp is printed
        self._rows = 0

    def add(self, cells: Sequence[str], line: int, text: str) -> str:
        """Take a row."""
        begin, elapsed = self._stamp(cells[0]), _parse_whole(cells[1])
        if begin is None:
            return f"{cells[0][:40]!r} is no time stamp"
        if elapsed is None:
            return f"{cells[1][:40]!r} is not whole milliseconds"
        message = self._cell(cells, "responseMessage")
        group = self._group(self._cell(cells, "label"), line, text, is_transaction=message.startswith(TRANSACTION))
        count = self._number(cells, "SampleCount") if "SampleCount" in self._columns else 1
        self._count(group, elapsed, max(count, 1))
        group.failed += self._failures(cells)
        group.answered += not self._cell(cells, "responseCode").startswith(_NO_RESPONSE)
        group.begin, group.end = min(group.begin, begin), max(group.end, begin + elapsed)
        group.received += self._number(cells, "bytes")
        group.sent += self._number(cells, "sentBytes")
        group.threads = max(group.threads, self._number(cells, "allThreads"))
        group.last = line, text
        return ""

    def runs(self) -> Iterable[SampleRun]:
        """One run for each label, after that for all."""
        groups = self._groups
        if len(groups) > 1 or self._over_limit:
            parts = [group for group in groups.values() if not group.transactions] or list(groups.values())
            total = LabelSamples(self._head, self._head)
            for part in [*parts, *([self._over_limit] if self._over_limit else [])]:
                total.include(part)
            yield SampleRun(_first_and_last_line(total), partial(self._read, TOTAL, total))
        for label, group in groups.items():
            yield SampleRun(_first_and_last_line(group), partial(self._read, label, group))

    def _count(self, group: LabelSamples, elapsed: int, count: int) -> None:
        """Count samples that took a time together."""
        each = elapsed // count
        group.times[each] += count
        if count > 1:
            group.sum += elapsed - each * count
            group.squares += elapsed * elapsed / count - each * each * count
        self._rows += 1
        if (
            self._rows % _CHECKED_EVERY == 0
            and sum(len(labelled.times) for labelled in self._all_groups()) > _MOST_TIMES
        ):
            for labelled in self._all_groups():
                if labelled.times:
                    labelled.fold()

    def _all_groups(self) -> list[LabelSamples]:
        return [*self._groups.values(), *([self._over_limit] if self._over_limit else [])]

    def _group(self, label: str, line: int, text: str, *, is_transaction: bool) -> LabelSamples:
        group = self._groups.get(label)
        if group is None and len(self._groups) >= _MOST_LABELS:
            group = self._over_limit = self._over_limit or LabelSamples((line, text), (line, text), is_transaction)
        elif group is None:
            group = self._groups[label] = LabelSamples((line, text), (line, text), is_transaction)
        return group

    def _cell(self, cells: Sequence[str], name: str) -> str:
        at = self._columns.get(name)
        return "" if at is None else cells[at]

    def _number(self, cells: Sequence[str], name: str) -> int:
        return _parse_whole(self._cell(cells, name)) or 0

    def _failures(self, cells: Sequence[str]) -> int:
        if "ErrorCount" in self._columns:
            return self._number(cells, "ErrorCount")
        return self._cell(cells, "success").lower() != "true"

    def _stamp(self, text: str) -> int | None:
        """A time stamp in milliseconds since a fixed day."""
        if (whole := _parse_whole(text)) is not None:
            return whole
        match, old = _DATE.fullmatch(text), _OLD_DATE.fullmatch(text)
        if old:
            month, day, year, *clock = map(int, old.groups())
            parts, fraction = (2000 + year, month, day, *clock), ""
        elif match:
            *found, fraction = match.groups()
            parts = tuple(map(int, found))
        else:
            return None
        self._step = self._step if fraction else 1000
        try:
            since = datetime(*parts) - datetime(1970, 1, 1)  # type: ignore[arg-type] # noqa: DTZ001 differences only
        except ValueError:
            return None
        return since.days * 86_400_000 + since.seconds * 1000 + int(fraction or 0)

    def _read(self, label: str, group: LabelSamples, report: Report) -> None:
        """Add the numbers of a run."""
        line = group.first[0]
        if label:
            report.add_label("request", label, line)
        if group.threads:
            report.add_label("connections", str(group.threads), line)
        done = group.count + group.times.total()
        report.add(REQUESTS, "total", Quantity(float(done), 0.0), line)
        if self._columns.keys() & {"success", "ErrorCount"}:
            report.add(UNEXPECTED, "total", Quantity(float(group.failed), 0.0), line)
        _read_times(report, group, done, line)
        self._read_rates(report, group, done, line)
        if "responseCode" in self._columns and not group.answered:
            keep_only(report, REQUESTS, UNEXPECTED)
            report.warn(
                line, f"no sample got a response, {done} failed: rates and times are left out", "failed-requests"
            )
        if label == TOTAL and self._over_limit is not None:
            message = f"more than {_MOST_LABELS} labels: samples of the others are in {TOTAL} only"
            report.warn(self._over_limit.first[0], message, "bad-line")

    def _read_rates(self, report: Report, group: LabelSamples, done: int, line: int) -> None:
        """Add the counts, and their rates over the time between the first begin and the last end."""
        span = group.end - group.begin
        if span > 0:
            report.add(ELAPSED, "total", Quantity(span / 1000, self._step / 1000), line)
        rates = [(THROUGHPUT, done)]
        for column, amount, rate, count in (
            ("bytes", BYTES_READ, TRANSFER_RATE, group.received), ("sentBytes", BYTES_SENT, RATE_SENT, group.sent),
        ):  # fmt: skip
            if column in self._columns:
                report.add(amount, "total", Quantity(float(count), 0.0), line)
                rates.append((rate, count))
        for rate, count in rates if span > 0 else ():
            value = count * 1000 / span
            report.add(rate, "total", Quantity(value, value * self._step / span), line)


def _read_times(report: Report, group: LabelSamples, done: int, line: int) -> None:
    """Add the statistics of the times."""
    times = sorted(group.times.items())
    total = group.sum + sum(time * count for time, count in times)
    squares = group.squares + sum(float(time * time * count) for time, count in times)
    ends = [group.shortest, group.longest] if group.folded else []
    ends += [times[0][0], times[-1][0]] if times else []
    mean = total / done
    numbers = {
        "mean": mean, "stdev": math.sqrt(max(0.0, squares / done - mean * mean)), "min": min(ends), "max": max(ends),
    }  # fmt: skip
    if group.folded:
        report.warn(line, f"more than {_MOST_TIMES} different times: percentiles are left out", "bad-line")
    else:
        numbers |= {f"p{share}": _percentile(times, done, share) for share in _PERCENTILES}
    for stat, value in numbers.items():
        report.add(LATENCY, stat, Quantity(value / 1000, _HALF), line)


def _percentile(times: Sequence[tuple[int, int]], done: int, share: int) -> int:
    """The time at a share of the samples, in percent."""
    left = math.floor(done * (share / 100) + 0.5)
    for time, count in times:
        left -= count
        if left <= 0:
            return time
    return times[-1][0]


def assumed_head(row: str) -> str:
    """The header for the first row of a file without one; empty if JMeter does not write such rows."""
    if (
        _EPOCH.match(row) is None or row[13:14] != "," or "\r" in row
    ):  # a cell of JMeter has no line break without quotes
        return ""
    cells = next(csv.reader([row]), [])
    eight = len(cells) >= 8 and _parse_whole(cells[1]) is not None and _THREAD.fullmatch(cells[5])
    if not eight or cells[6] not in ("", "text", "bin") or cells[7] not in ("true", "false"):
        return ""
    for names in _BY_DEFAULT:
        if _may_be_cells(names.split(","), cells[8:]):
            return f"{_FIRST_EIGHT},{names}"
    return ",".join([_FIRST_EIGHT, *"?" * (len(cells) - 8)])


def _may_be_cells(names: Sequence[str], cells: Sequence[str]) -> bool:
    """Whether cells fit the columns: their number, their forms, and no group has more threads than all groups."""
    if len(names) != len(cells):
        return False
    row = dict(zip(names, cells, strict=True))
    have_forms = all(_TEXTS.get(name, _NUMBER).fullmatch(cell) for name, cell in row.items())
    return have_forms and int(row["grpThreads"]) <= int(row["allThreads"])


def _first_and_last_line(group: LabelSamples) -> tuple[tuple[int, str], ...]:
    """The first and the last line of the samples of a label."""
    return (group.first, group.last) if group.last > group.first else (group.first,)


def _parse_whole(text: str) -> int | None:
    """A whole number; None for other text."""
    return int(text) if _NUMBER.fullmatch(text) else None


FORM = SampleForm(
    sign="timeStamp",
    head=re.compile(r'timeStamp(?P<by>[^\w\s"]|\t)elapsed(?:(?P=by)"?\w{1,60}"?){1,60}'),
    first=re.compile("[0-9][0-9/:. -]{5,30}"),
    table=CsvTable,
    assumed=assumed_head,
)

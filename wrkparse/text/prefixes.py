"""What collectors put in front of a line: times, services, hosts and processes, line numbers; and what time that is.

Layers stand in front of each other: docker compose in front of syslog, a CI system in front of both. Each is known by
its form alone. Known: times of ``ts``, ``docker logs -t``, CI systems, Go's ``log``, journald and syslog (RFC 3164 and
5424), CRI (``… stderr F ``), klog, logcat; ``service_1  | ``, ``[pod/…] ``, ``app[web.1]: ``, ``host prog[123]: ``;
``file.log:12:`` of grep and the numbers of ``grep -n``, ``cat -n`` and ``nl``; levels, words in brackets; GitLab's
``01O``, ``{app="web"}`` of Loki, stern, CloudWatch, fly.io, logfmt, CSV. A line of JSON is an `Envelope`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

_MOST_LAYERS = 6
_MANY = 32  # stamps that are read together
_LONGEST = 400  # characters that a prefix may have
_LONGEST_ENVELOPE = 1 << 20

_CLOCK = r"[0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]{1,9})?"
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_MONTH = f"(?:{'|'.join(_MONTHS)})"
_DAY = r"(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),?\ )?"
_ZONE = r"(?:Z|\ ?[+-][0-9]{2}:?[0-9]{2}|\ (?:UTC|GMT)\b)"
_STAMP = rf"""(?:{_DAY}[0-9]{{4}}[-/][0-9]{{2}}[-/][0-9]{{2}}(?:[T\ ]|,\ ){_CLOCK}{_ZONE}?
    | [0-9]{{2}}/{_MONTH}/[0-9]{{4}}:{_CLOCK}\ [+-][0-9]{{4}}
    | {_DAY}{_MONTH}\ [\ 0-9][0-9]\ {_CLOCK}(?:\ [0-9]{{4}})?
    | [0-9]{{10}}\.[0-9]{{3,9}} | [0-9]{{13}}(?=\t)
    | [0-9]{{2}}-[0-9]{{2}}\ {_CLOCK}
    | {_CLOCK}Z?)"""
_LEVELS = "TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL"
_LAYER = re.compile(
    rf"""(?:
      [\[(]?(?P<stamp>{_STAMP})(?:\ ?[\])])?:?(?:\ |\t|(?=\[))
        # CRI, GitLab, Loki, Python's logging
        (?:(?:stdout|stderr)\ (?P<cri>[FP])(?:\ |$) | [0-9a-f]{{2}}[OE][\ +]
        | \{{(?P<labels>[^{{}}=]{{1,60}}=[^{{}}]{{1,300}})\}}\ | -\ [\w.]{{1,100}}\ -\ )?
    | [0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}\ \|\ ?
      # klog, which names no year
    | [IWEF][0-9]{{4}}\ {_CLOCK}\ {{1,8}}[0-9]{{1,10}}\ [\w./-]{{1,100}}:[0-9]{{1,7}}\]\ ?
      # docker compose, kubectl logs --prefix
    | (?P<service>(?=[^|]{{0,99}}[A-Za-z])[\w.-]{{1,100}})\ {{0,40}}[|│](?:\ |$)
    | \[(?P<pod>pod/[^\]\s]{{1,200}})\]\ ?
      # syslog: a priority; "host prog[123]: ", heroku's "app[web.1]: "; PowerShell
    | <[0-9]{{1,3}}>(?:1\ )?
    | (?P<process>(?:[\w.:-]{{1,100}}\ )?[\w./-]{{1,100}}\[[\w.-]{{1,40}}\]):\ ?
    | [\w.\\/-]{{1,100}}\.exe\ :\ ?
      # logcat -v threadtime, -v brief
    | \ {{0,4}}(?P<pid>[0-9]{{1,7}})\ {{1,4}}[0-9]{{1,7}}\ [VDIWEF]\ [\w./-]{{1,60}}\ {{0,20}}:\ ?
    | [VDIWEF]/[\w./-]{{1,60}}\ {{0,20}}\(\ {{0,6}}(?P<brief>[0-9]{{1,7}})\):\ ?
      # stern's pod and container, a log stream of CloudWatch, fly.io
    | ^(?P<container>[a-z][a-z0-9.-]{{1,99}}-(?:[b-df-hj-np-tv-xz24-9]{{5}}|[0-9]{{1,4}})\ [a-z][a-z0-9-]{{0,60}})[ ]
    | (?<=[0-9Z]\ )(?P<task>\w[\w.-]{{0,99}}/[\w.-]{{1,99}}/[\w./\[\]$-]{{1,200}})[ ]
    | (?P<machine>[\w-]{{1,100}}\[[0-9a-f]{{1,20}}\]\ [a-z]{{3}})\ \[[a-z]{{1,10}}\]\ ?
      # logfmt; what stands before a field of CSV
    | (?:[\w.@-]{{1,60}}=(?:"[^"]{{0,200}}"|[^\s"]{{1,200}})\ ){{1,20}}(?:msg|message|log)=(?=")
    | (?:(?:"[^"]{{0,100}}"|[^\s",]{{0,60}}),){{1,20}}(?=")
    | "[^"]{{1,100}}",
      # grep in files; gh run view --log; line numbers; levels
    | (?P<file>[\w./-]{{1,200}}\.(?:log|txt|out|err)(?:\.[0-9]{{1,4}})?)[:-](?:[0-9]{{1,9}}[:-])?
    | [^\t]{{1,100}}\t[^\t]{{1,100}}\t(?=\ufeff?[0-9]{{4}}-)
    | \ {{0,8}}[0-9]{{1,9}}(?:[:|\t]|\ \||\ \ |\ (?=[A-Z\t]|(?:real|user|sys)\t))\ ?
    | \{{[\w.]{{1,60}}:[0-9]{{1,6}}\}}[ ]
    | \[?(?:{_LEVELS})\]?:?(?:\ |\t)(?:-\ |\ {{0,3}}) | (?:{_LEVELS}):[\w.]{{1,100}}: | (?:{_LEVELS.lower()}):[ ]
    | \[(?=[^\]]{{0,60}}[A-Za-z])[^\[\]]{{1,60}}\]:?(?:\ |\t)
    )""",
    re.VERBOSE,
)
_NAMES = ("service", "pod", "process", "pid", "brief", "file", "labels", "container", "task", "machine")
_QUOTED = re.compile(r"[>|#*/ \t]{0,20}")
_SYSLOG_REST = re.compile(
    r"(?:[\w.:-]{1,255} )(?P<process>[\w./-]{1,48} (?:[\w.-]{1,128}|-)) [\w.-]{1,32} (?:-|\[[^\]]{0,300}\]) ?"
)


_ANY_DIGIT = bytes.maketrans(b"123456789", b"000000000")


class Front(NamedTuple):
    """What stands in front of a text: where it ends, the time in it as written, whose line it is, if it goes on."""

    end: int
    stamp: str
    stream: str
    partial: bool = False


class Envelope(NamedTuple):
    """A line of JSON around a line of text: its text, time and origin, and whether the next one continues it."""

    text: str
    stamp: str
    stream: str
    partial: bool


class Moment(NamedTuple):
    """A time: in UTC if its zone is known, else what the clock showed; without a zone."""

    at: datetime
    zoned: bool


NOTHING = Front(0, "", "")


def layers(text: str) -> Iterator[Front]:
    """What may stand in front of a line's own text, from nothing to all that looks like it."""
    yield NOTHING
    stamp = stream = ""
    end = start = _quoted(text)
    for _ in range(_MOST_LAYERS):
        match = _LAYER.match(text, start, end + _LONGEST)
        if match is None:
            return
        end = match.end()
        found = match.groupdict()
        stamp = stamp or found["stamp"] or ""
        named = next((found[key] for key in _NAMES if found[key]), "")
        if named:
            stream = f"{stream} {named}".strip()
        if text[match.start()] == "<" and (rest := _syslog(text, end)):
            end, stamp, stream = rest
        yield Front(end, stamp, stream, found["cri"] == "P")
        start = end + len(text[end : end + 8]) - len(text[end : end + 8].lstrip(" "))


def front(text: str) -> Front:
    """All that looks as if it stood in front of a line's own text."""
    found = NOTHING
    if text and not text.isspace():
        for found in layers(text):  # noqa: B007 (the last one)
            pass
    return found


class Fronts:
    """The stamps and streams of many texts that stand in front of lines, most of which differ in their times alone."""

    def __init__(self) -> None:
        self._known: dict[bytes, tuple[int, int, bytes, bytes, str]] = {}  # by the text with each digit as 0

    def of(self, text: bytes) -> tuple[str, str]:
        """As `front` finds them."""
        form = text.translate(_ANY_DIGIT)
        known = self._known.get(form)
        if known:
            start, end, before, behind, stream = known
            if text[:start] == before and text[end:] == behind:
                return text[start:end].decode(), stream
        found = front(text.decode("utf-8", "replace"))
        stamp = found.stamp.encode()
        start = text.find(stamp) if stamp else 0
        end = start + len(stamp)
        self._known[form] = start, end, text[:start], text[end:], found.stream
        return found.stamp, found.stream

    def all_alike(self, texts: bytes, count: int) -> tuple[pa.StringArray, str] | None:
        """The stamps and the stream of so many texts, one behind the other; None if they differ in more than times."""
        width = len(texts) // count
        first = texts[:width]
        form = first.translate(_ANY_DIGIT)
        if texts.translate(_ANY_DIGIT) != form * count:
            return None
        stream = self.of(first)[1]
        start, end, *_ = self._known[form]
        rows = np.frombuffer(texts, np.uint8).reshape(count, width)
        if (rows[:, :start] != rows[0, :start]).any() or (rows[:, end:] != rows[0, end:]).any():
            return None
        offsets = np.arange(count + 1, dtype=np.int32) * np.int32(end - start)
        buffers = [None, pa.py_buffer(offsets), pa.py_buffer(rows[:, start:end].tobytes())]
        return pa.Array.from_buffers(pa.string(), count, buffers), stream


def _quoted(text: str) -> int:
    """Where a quoted or commented line begins."""
    match = _QUOTED.match(text)
    return match.end() if match else 0


def _syslog(text: str, start: int) -> tuple[int, str, str] | None:
    """The rest of an RFC 5424 header, behind its priority and version."""
    stamp = _LAYER.match(text, start)
    rest = _SYSLOG_REST.match(text, stamp.end()) if stamp and stamp["stamp"] else None
    return (rest.end(), stamp["stamp"], rest["process"]) if stamp and rest else None


# keys of docker's json-file, go test -json, journald, logrus, zap, zerolog, GCP
_TEXTS = ("log", "Output", "MESSAGE", "msg", "message", "textPayload", "line")
_TIMES = ("time", "Time", "__REALTIME_TIMESTAMP", "timestamp", "@timestamp", "ts")
_ORIGINS = ("container_name", "_PID", "SYSLOG_PID", "Package", "Test")


def envelope(text: str) -> Envelope | None:
    """The line of text in a line of JSON; None if it is no such line."""
    if not text.startswith("{") or not text.rstrip().endswith("}") or len(text) > _LONGEST_ENVELOPE:
        return None
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        return None
    key = next((key for key in _TEXTS if isinstance(record.get(key), str)), None)
    if key is None:
        return None
    said = record[key]
    time = next((str(record[key]) for key in _TIMES if isinstance(record.get(key), str | int | float)), "")
    origin = " ".join(str(record[key]) for key in _ORIGINS if isinstance(record.get(key), str | int))
    partial = key in ("log", "Output") and not said.endswith("\n")
    return Envelope(said.removesuffix("\n"), time if moment(time) else "", origin, partial)


def moment(stamp: str) -> Moment | None:
    """The time that a stamp gives; None if it names no year (or is none)."""
    try:
        if stamp[:4].isdigit() and stamp[4:5] in ("-", "/"):
            return _iso(stamp.replace("/", "-"))
        if stamp.replace(".", "", 1).isdigit():
            return _epoch(stamp)
        return _worded(stamp)
    except (ValueError, OverflowError):
        return None


def _iso(stamp: str) -> Moment:
    text = stamp.replace(" UTC", "Z").replace(" GMT", "Z").replace(", ", " ")
    text = text[:11] + text[11:].replace(" ", "")
    at = datetime.fromisoformat(text)
    return Moment(at, zoned=False) if at.tzinfo is None else Moment(at.astimezone(UTC).replace(tzinfo=None), zoned=True)


def _epoch(stamp: str) -> Moment | None:
    """Seconds, milliseconds, microseconds or nanoseconds since 1970, by their number of digits."""
    digits = len(stamp.partition(".")[0])
    if digits not in (10, 13, 16, 19):
        return None
    whole, _, decimals = stamp.partition(".")
    microseconds = int((whole + decimals + "000000")[:16])
    return Moment(datetime(1970, 1, 1) + timedelta(microseconds=microseconds), zoned=True)  # noqa: DTZ001 (UTC)


def _worded(stamp: str) -> Moment | None:
    """``Fri Nov 20 11:38:23 2026``, ``20/Nov/2026:11:38:23 +0100``, ``Fri 2026-11-20 11:38:23 UTC``."""
    words = stamp.replace(",", " ", 1).split() if stamp[:1].isalpha() else []
    if words and words[0] not in _MONTHS and len(words) > 1 and words[1][:4].isdigit():
        return moment(stamp.partition(" ")[2])
    if words and words[0] not in _MONTHS:
        words = words[1:]
    if len(words) == 4:
        month, day, clock, year = words
        return _iso(f"{year}-{_MONTHS.index(month) + 1:02}-{int(day):02} {clock}")
    if not words and len(stamp) > 11 and stamp[3:6] in _MONTHS:
        return _iso(f"{stamp[7:11]}-{_MONTHS.index(stamp[3:6]) + 1:02}-{stamp[:2]} {stamp[12:]}")
    return None


class Clock:
    """The times in front of one run's lines: the first and the last one, and the zone that they are in, if it is known.

    All times of a run are of one clock: those that name a zone when the first one did not (or the other way round) are
    left out.
    """

    def __init__(self) -> None:
        self.first: datetime | None = None
        self.last: datetime | None = None
        self.zone: str | None = None

    def read(self, stamps: Sequence[str] | pa.StringArray) -> list[datetime | None] | pa.Array:
        """The time of each stamp, None where it is not known."""
        told = [] if len(stamps) < _MANY else stamps if isinstance(stamps, pa.StringArray) else pa.array(stamps)
        many = self._many(told) if len(told) else None
        each = stamps.to_pylist() if isinstance(stamps, pa.StringArray) else stamps
        return many if many is not None else [self._read(stamp) if stamp else None for stamp in each]

    def _many(self, stamps: pa.StringArray) -> pa.Array | None:
        """The times of stamps all of which are of ISO 8601 and of this clock; None if one is not."""
        begin = stamps[0].as_py()
        first = moment(begin) if begin[4:5] == "-" else None
        if first is None or (self.first is not None and first.zoned != (self.zone is not None)):
            return None
        try:
            times = pc.cast(stamps, pa.timestamp("ns", "UTC" if first.zoned else None))
        except pa.ArrowInvalid:
            return None
        times = pc.cast(times, pa.timestamp("us"), safe=False)
        low, high = pc.min_max(times).as_py().values()
        if self.first is None or self.last is None:
            self.first, self.last, self.zone = low, high, "UTC" if first.zoned else None
        self.first, self.last = min(self.first, low), max(self.last, high)
        return times

    def _read(self, stamp: str) -> datetime | None:
        found = moment(stamp)
        if found is None:
            return None
        if self.first is None or self.last is None:
            self.first = self.last = found.at
            self.zone = "UTC" if found.zoned else None
        elif found.zoned != (self.zone is not None):
            return None
        self.first, self.last = min(self.first, found.at), max(self.last, found.at)
        return found.at

"""Parses the prefixes of log collectors: times, services, hosts, processes, line numbers.

Prefixes may follow each other: the prefix of a CI system, then of docker compose, then of syslog. Each is
recognised by its form alone:

- times: ``ts``, ``docker logs -t``, CI systems, ``log`` of Go, journald, syslog (RFC 3164 and 5424), CRI
  (``… stderr F ``), klog, logcat, ``01O`` of GitLab;
- processes: ``service_1  | ``, ``[pod/…] ``, ``app[web.1]: ``, ``host prog[123]: ``, ``{app="web"}`` of Loki, stern,
  CloudWatch, fly.io, an argument and a tab (GNU parallel);
- places: ``file.log:12:`` of grep, the numbers of ``grep -n``, ``cat -n`` and ``nl``;
- levels, words in brackets, logfmt, CSV.

A line of JSON that contains a line of text is an `Envelope`.
"""

from __future__ import annotations

import json
import re
import types
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from wrkparse.text.digit_forms import DIGITS_TO_ZERO
from wrkparse.text.stamps import MONTHS, parse_stamp

# Bounds the time for a line. A CI system, compose, syslog, a logger with its level and a thread make five prefixes.
_MOST_PREFIXES = 6
_LONGEST = 400  # characters of one prefix: the name of a pod alone may have 253 (RFC 1123)
_LONGEST_ENVELOPE = 1 << 20  # characters of a line of JSON; a longer one is data

_CLOCK = r"[0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]{1,9})?"
_MONTH = f"(?:{'|'.join(MONTHS)})"
_DAY = r"(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),?\ )?"
_ZONE = r"(?:Z|\ ?[+-][0-9]{2}:?[0-9]{2}|\ (?:UTC|GMT)\b)"
_STAMP = rf"""(?:{_DAY}[0-9]{{4}}[-/][0-9]{{2}}[-/][0-9]{{2}}(?:[T\ ]|,\ ){_CLOCK}{_ZONE}?
    | [0-9]{{2}}/{_MONTH}/[0-9]{{4}}:{_CLOCK}\ [+-][0-9]{{4}}
    | {_DAY}{_MONTH}\ [\ 0-9][0-9]\ {_CLOCK}(?:\ [0-9]{{4}})?
    | [0-9]{{10}}\.[0-9]{{3,9}} | [0-9]{{13}}(?=\t)
    | [0-9]{{2}}-[0-9]{{2}}\ {_CLOCK}
    | {_CLOCK}Z?)"""
# Names of threads, or of any program: lines of one report may have several of these.
_THREAD_NAMES = "app|bench(?:mark)?|client|default|job|load|master|pool|primary|server|task|test|thread|worker"
LOG_LEVELS = "TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL"
# Words before a line that name the tool, the channel or the step that printed it, not the program.
_NOT_PROGRAMS = (
    "std(?:out|err)|out|err|wrk2?|ab|hey|time|(?:step|run|stage|round)[0-9]*|exec|echo|java|shell|bash|main|gc"
)
NOT_A_PROGRAM = re.compile(_NOT_PROGRAMS)
# Each prefix has one of these signs, or begins like a level, a line number, or a time in seconds. Only fields of CSV
# and of tabs begin with a prompt. To try the alternatives of `_PREFIX` one after the other takes ten times as long, and
# few lines need it.
_PREFIX_SIGNS = r"\]\[:|│=\t\"/<{–—-"
_MAY_HAVE_PREFIX = rf"""(?=(?![$%+])[^{_PREFIX_SIGNS}]*+[{_PREFIX_SIGNS}] | [$%+][^,\t]*+[,\t]
    | (?:{LOG_LEVELS})\  | \ {{0,8}}[0-9]{{1,9}}\ [\ A-Z] | [\[(]?[0-9]{{10}}\.)"""
_PREFIX = re.compile(
    rf"""{_MAY_HAVE_PREFIX}(?:
      [\[(]?(?P<stamp>{_STAMP})(?:\ ?[\])])?:?(?:\ |\t|(?=\[))
        # CRI, GitLab, Loki, logging of Python
        (?:(?:stdout|stderr)\ (?P<cri>[FP])(?:\ |$) | [0-9a-f]{{2}}[OE][\ +]
        | \{{(?P<labels>[^{{}}=]{{1,60}}=[^{{}}]{{1,300}})\}}\ | -\ [\w.]{{1,100}}\ -\ )?
    | [0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}\ \|\ ?
      # klog, without a year
    | [IWEF][0-9]{{4}}\ {_CLOCK}\ {{1,8}}[0-9]{{1,10}}\ [\w./-]{{1,100}}:[0-9]{{1,7}}\]\ ?
      # docker compose, kubectl logs --prefix
    | (?=[\w.-]{{1,100}}+\ {{0,40}}+[|│])(?P<service>(?=[^|]{{0,99}}[A-Za-z])[\w.-]{{1,100}}+)\ {{0,40}}[|│](?:\ |$)
      # of a script
    | ^(?=\w[\w.-]{{0,60}}+\ [-–—=])(?P<named>(?!(?i:{LOG_LEVELS}|{_NOT_PROGRAMS})\ )
        (?=[\w.]{{0,99}}[A-Za-z])\w[\w.-]{{0,60}})\ (?:[-–—]|=>)(?:\ |$)
    | \[(?P<pod>pod/[^\]\s]{{1,200}})\]\ ?
      # NLog
    | {_STAMP}\|(?:{LOG_LEVELS})\|(?P<logger>[^|\s]{{1,100}})\|
      # syslog: a priority; "host prog[123]: ", heroku's "app[web.1]: "; PowerShell
    | <[0-9]{{1,3}}>(?:1\ )?
    | (?P<process>(?:[\w.:-]{{1,100}}+\ )?[\w./-]{{1,100}}+\[[\w.-]{{1,40}}\]):\ ?
    | [\w.\\/-]{{1,100}}\.exe\ :\ ?
      # logcat -v threadtime, -v brief
    | \ {{0,4}}(?P<pid>[0-9]{{1,7}})\ {{1,4}}[0-9]{{1,7}}\ [VDIWEF]\ [\w./-]{{1,60}}\ {{0,20}}:\ ?
    | [VDIWEF]/[\w./-]{{1,60}}\ {{0,20}}\(\ {{0,6}}(?P<brief>[0-9]{{1,7}})\):\ ?
      # a pod (Kubernetes ends its name with letters that form no word) and a container of stern, a log stream of
      # CloudWatch, fly.io
    | ^(?P<container>[a-z][a-z0-9.-]{{1,99}}-(?:[b-df-hj-np-tv-xz24-9]{{5}}|[0-9]{{1,4}})\ [a-z][a-z0-9-]{{0,60}})[ ]
    | (?<=[0-9Z]\ )(?P<task>\w[\w.-]{{0,99}}/[\w.-]{{1,99}}/[\w./\[\]$-]{{1,200}})[ ]
    | (?P<machine>[\w-]{{1,100}}+\[[0-9a-f]{{1,20}}\]\ [a-z]{{3}})\ \[[a-z]{{1,10}}\]\ ?
      # logfmt; the fields of CSV before the text
    | (?:[\w.@-]{{1,60}}+=(?:"[^"]{{0,200}}"|[^\s"]{{1,200}})\ ){{1,20}}(?:msg|message|log)=(?=")
    | (?:(?:"[^"]{{0,100}}"|(?:[^\s",][^",]{{0,80}}+)?+),){{1,20}}(?=")
    | "[^"]{{1,100}}",
      # grep in files; gh run view --log; line numbers; levels
    | (?P<file>[\w./-]{{1,200}}\.(?:log|txt|out|err)(?:\.[0-9]{{1,4}})?)[:-](?:[0-9]{{1,9}}[:-])?
    | [^\t]{{1,100}}+\t[^\t]{{1,100}}+\t(?=\ufeff?[0-9]{{4}}-)
    | \ {{0,8}}[0-9]{{1,9}}(?:[:|\t]|\ \||\ \ |\ (?=[A-Z\t]|(?:real|user|sys)\t))\ ?
    | \{{[\w.]{{1,60}}:[0-9]{{1,6}}\}}[ ]
    | \[?(?:{LOG_LEVELS})\]?:?(?:\ |\t)(?:-\ |\ {{0,3}}) | (?:{LOG_LEVELS}):[\w.]{{1,100}}:
    | (?:{LOG_LEVELS.lower()}):[ ]
    | \[(?P<bracketed>(?!(?i:{LOG_LEVELS}|{_NOT_PROGRAMS}|{_THREAD_NAMES})\])[A-Za-z][A-Za-z_.-]{{1,60}})\]:?(?:\ |\t)
    | \[(?!(?i:{LOG_LEVELS}|{_NOT_PROGRAMS})\])(?P<thread>[A-Za-z][\w.-]{{1,60}})\]:?(?:\ |\t)
    | \[(?=[^\]]{{0,60}}[A-Za-z])[^\[\]]{{1,60}}\]:?(?:\ |\t)
      # GNU parallel --tag; not "real\t0m1.5s" of time
    | ^(?!(?:real|user|sys)\t)(?P<tag>(?=[A-Za-z./])[\w./:@=,+-]{{0,199}}[\w/])\t(?!\ *[0-9][\w.,:]*%?\ *$)
    )""",
    re.VERBOSE,
)
THREAD_STREAM = "["  # before a name in brackets, ``Prefix.thread``, that is found to name a process
_NO_STREAMS = (None, "stamp", "cri", "thread")  # the other groups name a stream; no prefix has two of those
QUOTE_SIGNS = re.compile(r"[>|#*/ \t]{0,40}")  # of quotations and comments, in front of each of their lines
# The fields behind the time, as long as RFC 5424 (section 6) allows.
_SYSLOG_REST = re.compile(
    r"(?:[\w.:-]{1,255} )(?P<process>[\w./-]{1,48} (?:[\w.-]{1,128}|-)) [\w.-]{1,32} (?:-|\[[^\]]{0,300}\]) ?"
)


class Prefix(NamedTuple):
    """The prefix of a line."""

    end: int  # the index at which the text begins
    stamp: str  # the first time in the prefix, as written
    stream: str  # the process that printed the line, as the prefix names it
    partial: bool = False  # the next line of the stream continues this one (CRI)
    thread: str = ""  # a name in brackets: of a thread, which says nothing, or of a process, `[web1]`


class Envelope(NamedTuple):
    """A line of JSON that contains a line of text."""

    text: str
    stamp: str
    stream: str
    partial: bool  # the next line of the stream continues this one
    fields: str = ""  # the other fields, which may name what follows: "server=kiwi attempt=1"


_ENDS_OF_EMPTY_LINES = " \t|│"
NO_PREFIX = Prefix(0, "", "")
_WITHOUT_PREFIX = (NO_PREFIX,)  # the candidates of most lines
_TAG_OR_ENTITY = re.compile(rb"</?[A-Za-z]|<!\[CDATA\[|&[a-z#]")  # not "<13>" of syslog


def prefix_candidates(text: str) -> Iterable[Prefix]:
    """Every prefix that a line may have, from no prefix to the longest, each longer than the one before."""
    quote = QUOTE_SIGNS.match(text)
    start = quote.end() if quote else 0
    first = _PREFIX.match(text, start, start + _LONGEST)
    return _WITHOUT_PREFIX if first is None else _prefixes_from(text, first)


def _prefixes_from(text: str, first: re.Match[str]) -> Iterator[Prefix]:
    """No prefix, and every prefix that begins with the first one of a line."""
    yield NO_PREFIX
    stamp = stream = thread = ""
    match: re.Match[str] | None = first
    for _ in range(_MOST_PREFIXES):
        if match is None:
            return
        end = match.end()
        stamp = stamp or match["stamp"] or ""
        if match.lastgroup not in _NO_STREAMS:
            stream = f"{stream} {match[match.lastgroup]}".strip()
        elif match.lastgroup == "thread":
            thread = match["thread"]
        # RFC 3164 has "<13>" as well, but no version and fields after it
        if text[match.start()] == "<" and (rest := _parse_syslog_header(text, end)):
            end, stamp, stream = rest
        yield Prefix(end, stamp, stream, match["cri"] == "P", thread)
        # loggers pad a level or a thread with some blanks; more of them indent the text
        start = end + len(text[end : end + 8]) - len(text[end : end + 8].lstrip(" "))
        match = _PREFIX.match(text, start, end + _LONGEST)


def longest_prefix(text: str) -> Prefix:
    """The longest prefix of a line."""
    found = NO_PREFIX
    if text and not text.isspace():
        for found in prefix_candidates(text):  # noqa: B007 (the last one)
            pass
    return found


def is_empty_behind(text: str, prefix: Prefix) -> bool:
    """Whether a line without text behind its prefix is an empty one of a process: ``[kiwi] ``, ``kiwi-1  |``.

    Without the blank, ``[kiwi]`` or ``kiwi.log:`` is a title.
    """
    bars = text.count("|")  # "0|kiwi |" of pm2; "| kiwi | emu |" is a row of a table
    is_row = bars > 1 and not text[0].isdecimal()
    return bool(prefix.stamp) or (bool(prefix.stream) and text[-1] in _ENDS_OF_EMPTY_LINES and not is_row)


def has_markup(prefix: bytes) -> bool:
    """Whether a tag or an entity is before an event, where it hides the time of the event: ``<pre>2026-…``."""
    return _TAG_OR_ENTITY.search(prefix) is not None


class PrefixReader:
    """Reads the prefixes of many lines, most of which differ only in the digits of their times.

    A prefix with each digit as 0 is its form. For each form, the position of the stamp is cached, with the text before
    and after the stamp, which must be equal for the stream to be equal.
    """

    def __init__(self) -> None:
        self._known: dict[bytes, tuple[int, int, bytes, bytes, str]] = {}

    def stamp_and_stream(self, text: bytes) -> tuple[str, str]:
        """The stamp and the stream of a prefix, as `longest_prefix` finds them."""
        form = text.translate(DIGITS_TO_ZERO)
        known = self._known.get(form)
        if known:
            start, end, before, behind, stream = known
            if text[:start] == before and text[end:] == behind:
                return text[start:end].decode(), stream
        found = longest_prefix(text.decode("utf-8", "replace"))
        stamp = found.stamp.encode()
        start = text.find(stamp) if stamp else 0
        end = start + len(stamp)
        self._known[form] = start, end, text[:start], text[end:], found.stream
        return found.stamp, found.stream

    def stamps_if_alike(self, texts: bytes, count: int) -> tuple[pa.StringArray, str] | None:
        """The stamps and the one stream of `count` joined prefixes; None if they differ in more than their times."""
        width = len(texts) // count
        first = texts[:width]
        form = first.translate(DIGITS_TO_ZERO)
        if texts.translate(DIGITS_TO_ZERO) != form * count:
            return None
        stream = self.stamp_and_stream(first)[1]
        start, end, *_ = self._known[form]
        rows = np.frombuffer(texts, np.uint8).reshape(count, width)
        if (rows[:, :start] != rows[0, :start]).any() or (rows[:, end:] != rows[0, end:]).any():
            return None
        offsets = np.arange(count + 1, dtype=np.int32) * np.int32(end - start)
        buffers = [None, pa.py_buffer(offsets), pa.py_buffer(rows[:, start:end].tobytes())]
        return pa.Array.from_buffers(pa.string(), count, buffers), stream


def _parse_syslog_header(text: str, start: int) -> tuple[int, str, str] | None:
    """The end, stamp and process of an RFC 5424 header whose priority and version end at `start`; else None."""
    stamp = _PREFIX.match(text, start)
    rest = _SYSLOG_REST.match(text, stamp.end()) if stamp and stamp["stamp"] else None
    return (rest.end(), stamp["stamp"], rest["process"]) if stamp and rest else None


# Keys of json-file of docker, go test -json, journald, logrus, zap, zerolog and GCP, the most specific first.
_TEXT_KEYS = ("log", "Output", "MESSAGE", "msg", "message", "textPayload", "line")
_BYTES_OF_DOCKER_PART = 16 << 10  # at which Docker cuts a line
_TIME_KEYS = ("time", "Time", "__REALTIME_TIMESTAMP", "timestamp", "@timestamp", "ts")
_ORIGIN_KEYS = ("container_name", "Package", "Test")
_POD_KEYS, _CONTAINER_KEYS = ("pod_name", "pod"), ("container_name", "container")
_JOURNAL_NAMES = ("CONTAINER_NAME", "_SYSTEMD_USER_UNIT", "_SYSTEMD_UNIT", "SYSLOG_IDENTIFIER", "_COMM")
_JOURNAL_PIDS = ("_PID", "SYSLOG_PID")
# Fields of a record that name nothing: the level, the stream, what is read in another way, and those of the journal.
_NAMELESS_FIELD = re.compile(
    rf"(?:level|severity|stream|Action|[A-Z_0-9]+|{'|'.join(map(re.escape, (*_TEXT_KEYS, *_TIME_KEYS)))})="
)
_LONGEST_FIELD = 60  # characters; a longer one is data
# A message that announces what its fields name: "starting server", "running benchmark", "config". Others log requests.
_OPENING = re.compile(
    r"\b(?:re)?(?:start|run|launch|boot|begin|bench|measur|test|config|setting|listen)", re.IGNORECASE
)
_NAMING_KEYS = ("framework", "app", "service", "server", "logger")  # of records without those keys
# logfmt of logrus and slog with fields after the text; `_PREFIX` has the form without them.
_LOGFMT_FIELD = r'[\w.@-]{1,60}=(?:"(?:[^"\\]|\\.){0,200}"|[^\s"]{0,200})'
LOGFMT_SIGN = 'msg="'
_LOGFMT = re.compile(
    rf'((?:{_LOGFMT_FIELD} ){{0,20}})msg="((?:[^"\\]|\\.){{0,4000}})"((?: {_LOGFMT_FIELD}){{1,20}})\s*'
)


def parse_envelope(text: str) -> Envelope | None:
    """The line of text in a line of JSON; None if the line is not JSON or contains no text."""
    if not text.startswith("{") or not text.rstrip().endswith("}") or len(text) > _LONGEST_ENVELOPE:
        return None
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        return None
    key = next((key for key in _TEXT_KEYS if isinstance(record.get(key), str)), None)
    if key is None:
        return None
    value = record[key]
    time = next(_values(record, _TIME_KEYS, str | int | float), "")
    named = next(_values(record, _NAMING_KEYS, str), "")
    if pod := _pod(record):
        origin = named or pod
    else:
        origin = _journal_process(record) or " ".join(_values(record, _ORIGIN_KEYS, str | int))
    stamp = time if parse_stamp(time) else ""
    others = _other_fields(record) if may_name_what_follows(value) else ""
    return Envelope(value.removesuffix("\n"), stamp, origin or named, _is_partial(record, key), others)


def may_name_what_follows(message: str) -> bool:
    """Whether the fields of a record with this message may name the runs below: something begins.

    The fields of others, ``{"msg":"request","path":"/a"}``, are those of one request of many.
    """
    return _OPENING.search(message) is not None


def _values(record: Mapping[str, object], keys: Iterable[str], kind: type | types.UnionType) -> Iterator[str]:
    """The values of these keys in a record, as text; those of other types are left out."""
    return (str(record[key]) for key in keys if isinstance(record.get(key), kind))


def _journal_process(record: Mapping[str, object]) -> str:
    """The process of a record of systemd's journal, as its text form prints it, ``kiwi[812]``; empty for others.

    The name is that of the container or the unit (``systemd.journal-fields(7)``), not of a session.
    """
    names = (name for name in _values(record, _JOURNAL_NAMES, str) if not name.endswith(".scope"))
    name = next(names, "").removesuffix(".service")
    pid = next(_values(record, _JOURNAL_PIDS, str | int), "")
    return f"{name}[{pid}]" if name and pid else name or pid


def _other_fields(record: Mapping[str, object]) -> str:
    """The short fields of a record that may name something, as logfmt."""
    fields = [f"{key}={value}" for key, value in record.items() if isinstance(value, str | int | float)]
    return " ".join(field for field in fields if len(field) <= _LONGEST_FIELD and not _NAMELESS_FIELD.match(field))


def _pod(record: Mapping[str, object]) -> str:
    """The pod and the container of a record, as ``kubectl logs --prefix`` prints them; empty without a pod.

    Fluent Bit, Vector and Filebeat write them under ``kubernetes``: ``{"pod_name": "kiwi-0"}``,
    ``{"pod": {"name": "kiwi-0"}}``.
    """
    nested = record.get("kubernetes")
    fields = nested if isinstance(nested, dict) else record
    names = {key: value.get("name") if isinstance(value, dict) else value for key, value in fields.items()}
    pod, container = (next(_values(names, keys, str), "") for keys in (_POD_KEYS, _CONTAINER_KEYS))
    return "/".join(filter(None, ("pod", pod, container))) if pod else ""


def _is_partial(record: Mapping[str, object], key: str) -> bool:
    """Whether the text under a key of a record of JSON goes on in the next record.

    Docker's json-file keeps the end of each line (``loggerutils/copier.go``), and go test -json does so, too. What
    Fluent Bit reads from a CRI log has no ends of lines.
    """
    value = str(record[key])
    if key == "log":  # 4 bytes less: for a character at the cut
        return record.get("_p", record.get("logtag")) == "P" or (
            not value.endswith("\n") and len(value.encode("utf-8", "surrogatepass")) > _BYTES_OF_DOCKER_PART - 4
        )
    return key == "Output" and not value.endswith("\n")


def parse_logfmt(text: str) -> Envelope | None:
    """The line of text in a line of logfmt with fields after it; None for any other line."""
    match = _LOGFMT.fullmatch(text)
    if match is None:
        return None
    pairs = (field.partition("=") for field in re.findall(_LOGFMT_FIELD, match[1] + match[3]))
    fields = {key: value.strip('"') for key, _, value in pairs}
    time = next((fields[key] for key in _TIME_KEYS if key in fields), "")
    origin = next((fields[key] for key in _NAMING_KEYS if key in fields), "")
    value = re.sub(r"\\(.)", lambda escape: "\t" if escape[1] == "t" else escape[1], match[2])
    return Envelope(value, time if parse_stamp(time) else "", origin, partial=False)

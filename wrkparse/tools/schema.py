"""Defines the tables: the columns of each, their types and meanings.

Event and row tables are declared by the tools that fill them; this module adds ``run`` and ``line`` before their
columns, and the tables that every source has. A row is: of `sources` a file that was read, of `runs` one invocation of
a tool or the trace of one process, of `labels` one label of a run, of `measurements` one printed number, of
`diagnostics` one problem, of `studies` one ``wrkparse.yaml``, of `texts` a line of the text of a run.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

import pyarrow as pa

from wrkparse.model.records import Column
from wrkparse.tools import event_tools, report_tools

TYPES = {
    "string": pa.string(),
    "int": pa.int64(),
    "float": pa.float64(),
    "bool": pa.bool_(),
    "time": pa.timestamp("us", tz="UTC"),
    "clock": pa.timestamp("us"),
    "ints": pa.list_(pa.int64()),
}

RUN = Column("run", "string", "the run it belongs to")
LINE = Column("line", "int", "line in the source, from 1")
LOGGED = Column("logged_at", "clock", "time in front of the line, in the zone that logged_zone of the run says")

_SOURCES = (
    Column("source", "string", "path below the ingested root"),
    Column("bytes", "int", "size as stored, compressed if it is"),
    Column("digest", "string", "XXH3-128 of the stored bytes, hexadecimal"),
    Column("lines", "int", "lines of text"),
    Column("lines_claimed", "int", "lines that a tool's parser read"),
    Column("ingested_at", "time", "when it was read, UTC"),
    Column("wrkparse_version", "string", "the version that read it"),
)
_RUNS = (
    Column("run", "string", "stable identifier: the same for the same text at the same place"),
    Column("tool", "string", "wrk, wrk2, ab, time, gctrace, schedtrace …"),
    Column("tool_version", "string", "version, if it is printed"),
    Column("dialect", "string", "the tool's dialect or the era of its format"),
    Column("loop", "string", "of a load generator: open (sends at a rate asked for), closed (waits for responses)"),
    Column("corrected", "bool", "whether latencies are counted from when a request was due (coordinated omission)"),
    Column("source", "string", "path below the ingested root"),
    Column("line", "int", "first line of the run's text"),
    Column("line_end", "int", "last line of the run's text"),
    Column("section", "string", "headings above it, joined by ' > '"),
    Column("command", "string", "the command above it, as typed, that printed it"),
    Column("study", "string", "name of the directory of the wrkparse.yaml that applies"),
    Column("logged_from", "clock", "earliest time in front of its lines"),
    Column("logged_to", "clock", "latest time in front of its lines"),
    Column(
        "logged_zone",
        "string",
        "UTC if the log names a zone: logged times are then in UTC; if missing, they are as the clock showed them",
    ),
    Column("verdict", "string", "of the audit: ok, latency-suspect, suspect or invalid; missing: not audited"),
    Column("valid", "bool", "whether the verdict is not invalid"),
    Column("latency_valid", "bool", "whether it is valid, and the audit has no doubts about its latencies"),
    Column("invalid_reason", "string", "why it is invalid"),
)
RESERVED = frozenset(column.name for column in _RUNS)  # no label may have such a name
_LABELS = (
    RUN,
    Column("key", "string", "name of the label"),
    Column("value", "string", "its value"),
    Column("origin", "string", "who says so: cli, file, report, env, flag, index, prefix, heading, path, structure"),
    Column(
        "line",
        "int",
        "line that says so, in the run's source, in wrkparse.yaml (origin file) or in an index (origin index)",
    ),
    Column("overruled", "bool", "a stronger origin says otherwise"),
    Column("text", "string", "text that says so: -c64, ## heron v2; missing if there is none, or it is not known"),
    Column("rule", "string", "which kind of words gives it: option, variable, setting, name … (docs/labels.md)"),
)
_MEASUREMENTS = (
    RUN,
    Column("metric", "string", "what was measured"),
    Column("stat", "string", "which statistic of it: mean, stdev, max, p50 …, total"),
    Column("value", "float", "in the unit; missing if the tool printed nan"),
    Column("unit", "string", "s, bytes, 1/s, bytes/s, ratio, 1"),
    Column("resolution", "float", "half the last printed digit, in the unit; 0 for a count"),
    LINE,
)
_DIAGNOSTICS = (
    Column("source", "string", "path below the ingested root"),
    LINE,
    Column("severity", "string", "error, warning or note"),
    Column("code", "string", "stable word for the kind"),
    Column("message", "string", "what happened"),
)
_STUDIES = (
    Column("study", "string", "name of the directory that holds the file"),
    Column("source", "string", "path of the wrkparse.yaml"),
    Column("title", "string", "its title"),
    Column("about", "string", "what applies to all runs, as JSON"),
    Column("tables", "string", "published tables to reproduce, as JSON"),
    Column("claims", "string", "what the write-up says of its runs, to be checked against them, as JSON"),
)
_TEXTS = (RUN, LINE, Column("text", "string", "the line as found"))
_EVERY_SOURCE = {
    "sources": _SOURCES,
    "runs": _RUNS,
    "labels": _LABELS,
    "measurements": _MEASUREMENTS,
    "diagnostics": _DIAGNOSTICS,
    "studies": _STUDIES,
    "texts": _TEXTS,
}
KEPT_TABLES = frozenset({*_EVERY_SOURCE, "wide", "files", "meta"})  # no tool's table may have such a name


@functools.cache
def columns() -> dict[str, tuple[Column, ...]]:
    """The columns of every table, in order; `runs` also gets a column for each label key in use."""
    found = dict(_EVERY_SOURCE)
    for report_tool in report_tools():
        found |= {name: (RUN, *declared) for name, declared in report_tool.tables.items()}
    for event_tool in event_tools():
        found |= {name: (RUN, LINE, LOGGED, *declared) for name, declared in event_tool.tables.items()}
    return found


@functools.cache
def schema(table: str) -> pa.Schema:
    """The Arrow schema of a table."""
    return pa.schema([(column.name, TYPES[column.kind]) for column in columns()[table]])


# Label keys that the analyses know, in the order in which they are shown, and the types of those that are numbers.
CANONICAL = (
    "framework", "cores", "gogc", "gomemlimit", "threads", "connections", "duration_s", "url", "path", "rate",
    "payload_bytes", "environment", "go_version",
)  # fmt: skip
LABEL_KINDS = {
    "cores": pa.int64(),
    "threads": pa.int64(),
    "connections": pa.int64(),
    "duration_s": pa.float64(),
    "rate": pa.float64(),
    "payload_bytes": pa.int64(),
}


def typed_label(key: str, value: str) -> str | float | None:
    """The value of a label as in its column; None if a column of numbers gets other text."""
    kind = LABEL_KINDS.get(key)
    if kind is None:
        return value
    try:
        number = float(value)
    except ValueError:
        return None
    if kind == pa.float64():
        return number
    return int(number) if number.is_integer() and abs(number) < 2**53 else None  # up to 2⁵³, floats are exact


def label_text(value: object) -> str | None:
    """The value of a label as text: ``36``, ``0.5``, ``off``; None if it is missing."""
    if value is None or value != value:  # noqa: PLR0124 NaN
        return None
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def label_texts(column: pa.ChunkedArray) -> list[str | None]:
    """A label of many runs as text. Labels have few different values, so each value is converted once."""
    encoded = column.combine_chunks().dictionary_encode()
    texts = [label_text(value) for value in encoded.dictionary.to_pylist()]
    return [None if index is None else texts[index] for index in encoded.indices.to_pylist()]


def label_order(keys: set[str]) -> list[str]:
    """Label keys in the order of the columns of `runs`: the canonical ones first, then by name."""
    return [key for key in CANONICAL if key in keys] + sorted(keys.difference(CANONICAL))


def run_schema(keys: set[str]) -> pa.Schema:
    """The Arrow schema of `runs` with a column for each of these label keys."""
    labels = [(key, LABEL_KINDS.get(key, pa.string())) for key in label_order(keys)]
    return pa.schema([*schema("runs"), *(pa.field(*label) for label in labels)])


def concat_parts(name: str, parts: Sequence[pa.Table]) -> pa.Table:
    """Concatenate parts of a table; parts of `runs` may have different label columns."""
    if name != "runs":
        return pa.concat_tables(parts)
    keys = {key for part in parts for key in part.column_names} - set(schema("runs").names)
    wanted = run_schema(keys)
    return pa.concat_tables(parts, promote_options="default").select(wanted.names).cast(wanted)

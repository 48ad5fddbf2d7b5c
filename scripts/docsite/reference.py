"""The pages of the reference, made from the code each time the site is built, so that none can be out of date."""

from __future__ import annotations

import inspect
import json
import re
import textwrap
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import click
import pyarrow as pa

import wrkparse as wp
from wrkparse import cli, export
from wrkparse.model.records import Metric
from wrkparse.tools import event_tools, metrics, report_tools, schema
from wrkparse.tools.base import Counting
from wrkparse.tools.common import NON_2XX

PACKAGE = Path(wp.__file__).parent


class Page(NamedTuple):
    """A page of the reference: its file, its title, the line about it on the first page, and what writes it."""

    file: str
    title: str
    summary: str
    body: Callable[[], Iterable[str]]

    def text(self) -> str:
        """The page as Markdown."""
        return "\n\n".join([f"# {self.title}", *self.body()]) + "\n"


# Commands


def _commands() -> Iterable[str]:
    yield (
        "What `--help` prints. Every command has examples there; the pages in the side bar explain what the commands "
        "answer. Exit codes: 0 success; 1 the answer is no; 2 wrong usage; 3 some input could not be read, or there is "
        "no data to work on (the rest is kept)."
    )
    top = _context(cli.main, "wrkparse", None)
    yield f"## wrkparse\n\n{_help(top)}"
    for name in cli.COMMANDS:
        yield from _command(top, cli.main, name, "##")


def _command(above: click.Context, group: click.Group, name: str, level: str) -> Iterable[str]:
    command = group.get_command(above, name)
    assert command is not None
    context = _context(command, name, above)
    yield f"{level} {context.command_path}\n\n{_help(context)}"
    if isinstance(command, click.Group):
        for kind in command.list_commands(context):
            yield from _command(context, command, kind, f"{level}#")


def _context(command: click.Command, name: str, above: click.Context | None) -> click.Context:
    settings = {**command.context_settings, "terminal_width": 80, "max_content_width": 80}
    return click.Context(command, info_name=name, parent=above, **settings)


def _help(context: click.Context) -> str:
    return _code("text", context.command.get_help(context))


# Python

# Headings, and the beginnings of the modules whose names stand below them.
_PARTS = {
    "Reading": ("wrkparse.ingest", "wrkparse.store", "wrkparse.dataset"),
    "Analyses": ("wrkparse.analysis",),
    "Notebooks and reports": ("wrkparse.report",),
    "Text": ("wrkparse.text", "wrkparse.analysis.wording"),
}


def _part(thing: Any) -> str:
    """The heading below which a public name stands: that of the longest beginning of its module."""
    found = [(begin, part) for part, begins in _PARTS.items() for begin in begins if thing.__module__.startswith(begin)]
    return max(found)[1]


def _python() -> Iterable[str]:
    yield (
        "All of this is public: `import wrkparse as wp`. Values are in base units (seconds, bytes, 1/s; ratios from 0 "
        "to 1), and unknown values are missing. The names are imported on first use."
    )
    things = {name: getattr(wp, name) for name in (*wp.__all__, *wp.FOR_REPORTS) if name not in ("plot", "__version__")}
    for heading in _PARTS:
        yield f"## {heading}"
        for name, thing in things.items():
            if _part(thing) == heading:
                yield from _documented(f"wp.{name}", thing)
    yield f"## Figures\n\n{_prose(wp.plot)}"
    for name in wp.plot.__all__:
        if name != "KINDS":
            yield from _documented(f"wp.plot.{name}", getattr(wp.plot, name))
    yield "## Other programs' formats"
    yield from _documented("wrkparse.export.content", export.content)


def _documented(name: str, thing: Any) -> Iterable[str]:
    yield f"### {name}"
    if not (isinstance(thing, type) and issubclass(thing, Exception)):
        yield _code("python", _signature(name, thing))
    yield _prose(thing)
    if isinstance(thing, type):
        for attribute, value in vars(thing).items():
            if attribute.startswith("_") or not (text := inspect.getdoc(value)):
                continue
            if inspect.isfunction(value) and "self" in inspect.signature(value).parameters:
                yield _code("python", _signature(f"{_short(thing)}.{attribute}", value))
                yield _markdown(text)
            elif isinstance(value, property):
                yield f"`{_short(thing)}.{attribute}`: {_markdown(text)}"
        return
    result = inspect.signature(thing, eval_str=False).return_annotation
    module = inspect.getmodule(thing)
    made = getattr(module, str(result), None)
    if isinstance(made, type) and made.__module__.startswith("wrkparse") and made is not wp.Dataset:
        yield f"**Returns** `{made.__name__}`. {_prose(made)}"


def _short(thing: type) -> str:
    return "ds" if thing is wp.Dataset else thing.__name__


def _signature(name: str, thing: Any) -> str:
    signature = inspect.signature(thing)
    parameters = [
        parameter.replace(annotation=_unquoted(parameter.annotation))
        for parameter in signature.parameters.values()
        if parameter.name != "self"
    ]
    if thing is wp.Dataset:
        return name  # made by the functions above it
    shown = [_parameter(parameter, parameters[:index]) for index, parameter in enumerate(parameters)]
    result = "" if isinstance(thing, type) else f" -> {_unquoted(signature.return_annotation)}"
    flat = f"{name}({', '.join(shown)}){result}"
    return flat if len(flat) <= 90 else f"{name}(\n" + "".join(f"    {part},\n" for part in shown) + f"){result}"


_STARS = {"VAR_POSITIONAL": "*", "VAR_KEYWORD": "**"}


def _parameter(parameter: inspect.Parameter, before: list[inspect.Parameter]) -> str:
    """A parameter as it is written; the first one that is given by name only has the star in front."""
    bare = parameter.kind is inspect.Parameter.KEYWORD_ONLY and not any(
        other.kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.KEYWORD_ONLY) for other in before
    )
    annotation = "" if parameter.annotation is inspect.Parameter.empty else f": {parameter.annotation}"
    default = "" if parameter.default is inspect.Parameter.empty else f" = {parameter.default!r}"
    return f"{'*, ' if bare else ''}{_STARS.get(parameter.kind.name, '')}{parameter.name}{annotation}{default}"


def _unquoted(annotation: object) -> Any:
    return annotation if annotation is inspect.Parameter.empty else str(annotation).strip("'")


def _prose(thing: object) -> str:
    text = inspect.getdoc(thing)
    if not text:
        raise ValueError(f"{thing} has no docstring")
    return _markdown(text)


_EXAMPLES = re.compile(r"^>>> .*(?:\n.+)*", re.MULTILINE)


def _markdown(docstring: str) -> str:
    """A docstring as Markdown: examples become code."""
    return _EXAMPLES.sub(lambda match: _code("python", match[0]), docstring)


# Tables, metrics, labels


def _tables() -> Iterable[str]:
    yield (
        "Each table is an attribute of a dataset (`ds.runs`), a table of the store, and a file of `wrkparse export`. "
        "[Data for other programs](../data.md) says what one row of each is. Times are in seconds, sizes in bytes; a "
        "column without a value was not printed. `clock` is a time without a zone, `ints` a list of integers."
    )
    filled_by = [(tool.name, table) for tool in report_tools() for table in tool.tables]
    filled_by += [(tool.name, table) for tool in event_tools() for table in tool.tables]
    fillers: dict[str, list[str]] = {}
    for name, table in filled_by:
        fillers.setdefault(table, []).append(f"`{name}`")
    for table, columns in schema.columns().items():
        filled = f"Filled by {' and '.join(fillers[table])}.\n\n" if table in fillers else ""
        rows = [(f"`{column.name}`", column.kind, column.doc) for column in columns]
        yield f"## {table}\n\n{filled}{_table(('column', 'type', 'meaning'), rows)}"
    yield (
        "## wide\n\nOne row for each run: the columns of `runs`, then one for each metric and statistic, named "
        "`metric_stat` and, where its unit is not plain, the unit: `latency_p99_s`, `throughput_per_s`."
    )


def _metrics() -> Iterable[str]:
    yield (
        "What the numbers of a report mean. `measurements` has them with a statistic each (`mean`, `stdev`, `max`, "
        "`p99`, `total`). *Better* is the direction in which a comparison calls a change better; without one, it calls "
        "it `higher` or `lower`. Failures are compared as shares of the requests."
    )
    for tool in report_tools():
        if tool.metrics:
            rows = [
                (f"`{metric.name}`", metric.unit, metric.better or "", _meaning(metric, tool.counting))
                for metric in tool.metrics
            ]
            yield f"## {tool.name}\n\n{_table(('metric', 'unit', 'better', 'meaning'), rows)}"
    yield f"{len(metrics())} metrics in all. The numbers of traces are columns of [tables](tables.md)."


def _meaning(metric: Metric, counting: Counting) -> str:
    """What a metric means, with what a tool counts otherwise than the next one."""
    statuses = f": {counting.error_statuses}" if metric == NON_2XX else ""
    share = "" if metric.share_of is None else f", of `{metric.share_of}`"
    return f"{metric.title}{statuses}{share}"


_LABELS = {
    "framework": "The server, framework or language that was measured.",
    "cores": "Cores that the server may use: `GOMAXPROCS`, `-N4`, `taskset -c 0-3`, `4 P` of a trace.",
    "gogc": "`GOGC` of the server: a number, or `off`.",
    "gomemlimit": "`GOMEMLIMIT` of the server, as written.",
    "threads": "Threads of the load generator.",
    "connections": "Connections that the load generator was asked for.",
    "duration_s": "Planned duration of the run, in seconds.",
    "url": "The URL that was requested.",
    "path": "The path of the URL.",
    "rate": "The rate that was asked for, in requests per second (wrk2 `-R`).",
    "payload_bytes": "Size of the payload, in bytes.",
    "environment": "Where the server ran, as a word of your own: `docker`, `bare metal`.",
    "go_version": "The version of Go that built the server.",
}
# Labels that are made from the text around runs, and those that tools print.
_MADE_LABELS = {
    "heading": "What tells runs apart by the headings, titles or lines above them, if it is no framework. "
    "`heading_2` is a second one.",
    "directory": "The same by their folders.",
    "file_name": "The same by the names of their files.",
    "series": "Letters that count files (`a.log`, `b.log`), or the numbers of runs below a loop of the shell: nobody "
    "knows whether they are repeats.",
    "input": "The PATH of `wrkparse compare PATH…` that the run is of.",
    "phase": "`warm-up`, where the text says so; comparisons leave these runs out.",
    "program": "What the command starts, as `json-std` of `./bin/json-std -p 80`.",
    "gc": "The garbage collector of a Java virtual machine: `G1GC` of `-XX:+UseG1GC`.",
    "arguments": "What a program is given without an option's name.",
    "arg1": "The first of these, where runs of one program differ in it.",
    "arg2": "The second of these; `arg3` and `arg4` are the third and the fourth.",
    "process": "The prefix of a trace's or a report's lines: `web_1`.",
    "processes": "Processes of the server.",
    "host": "The host of the URL, where runs differ in it.",
    "port": "The port, where the text states one.",
    "title": "The line directly above a run. Nothing is compared by it.",
    "above": "Up to eight lines between a run and the one before it. Nothing is compared by it.",
    "below": "Captions below a run, and lines that point up. Nothing is compared by it.",
    "below_last": "The lines below the last run of a section, which may name it. Nothing is compared by it.",
    "prefix_words": "Words in front of each line of a report that may name it. Nothing is compared by it.",
    "remark": "The comment behind the command of a load generator. Nothing is compared by it.",
    "shell_loop": "The loop of the shell that a run is of, with its line. Nothing is compared by it.",
    "branch": "The branch, commit, version, mode or protocol that a heading states, each with a key of its own.",
    "commit": "See `branch`.",
    "version": "See `branch`.",
    "mode": "See `branch`.",
    "protocol": "See `branch`; also that which a tool prints.",
    "command": "What `time -f %C` prints.",
    "request": "The request that a row of Locust's or JMeter's output is about.",
    "benchmark": "The name of a Go benchmark. `cpu`, `goos`, `goarch` and `pkg` are what `go test` prints above; other "
    "keys come from sub-benchmarks: `size` of `/size=8`.",
    "server_software": "The server as `ab` prints it; `tls`, `tls_server_name`, `tls_temp_key`: its connection.",
}


def _labels() -> Iterable[str]:
    yield (
        "Keys that wrkparse knows. They come from these [origins](../labels.md), the strongest first: "
        + ", ".join(f"`{origin}`" for origin in _origins())
        + ". Settings and options without a key of their own become `env_NAME` and `flag_NAME`. A `wrkparse.yaml`, or "
        "`--label`, can add any key."
    )
    if set(_LABELS) != set(schema.CANONICAL):
        raise ValueError(f"_LABELS and CANONICAL differ in {sorted(set(_LABELS) ^ set(schema.CANONICAL))}")
    kinds = {pa.int64(): "whole number", pa.float64(): "number"}
    rows = [(f"`{key}`", kinds.get(schema.LABEL_KINDS.get(key), "text"), _LABELS[key]) for key in schema.CANONICAL]
    yield _table(("key", "type", "meaning"), rows)
    yield "Other keys that wrkparse makes are texts:"
    yield _table(("key", "meaning"), [(f"`{key}`", meaning) for key, meaning in _MADE_LABELS.items()])


def _origins() -> tuple[str, ...]:
    from wrkparse.context.precedence import ORIGINS

    return ORIGINS


# Files


def _study_file() -> Iterable[str]:
    described = json.loads((PACKAGE / "context" / "wrkparse.schema.json").read_text("utf-8"))
    yield (
        f"{described['description']} `wrkparse label` proposes one, and `wrkparse label --schema` prints the JSON "
        f"Schema from which this page is made ({_schema('wrkparse')}). A mistake in the file is an error with its "
        "line. [Labels](../labels.md) and [reproduce](../reproduce.md) have examples."
    )
    for name, value in described["properties"].items():
        yield f"## {name}\n\n{value.get('description', '')}"
        items = value.get("items")
        if items:
            yield _table(("key", "needed", "type", "meaning"), _properties(items, described["$defs"]))


def _schema(name: str) -> str:
    """A link to a schema on the site (`scripts.docsite.schemas`): as HTML, for Sphinx would make a copy of the file."""
    return f'<a href="../schemas/{name}.schema.json">{name}.schema.json</a>'


def _properties(thing: Mapping[str, Any], shared: Mapping[str, Any]) -> list[tuple[str, ...]]:
    return [
        (
            f"`{name}`",
            "yes" if name in thing.get("required", ()) else "",
            _type(value, shared),
            value.get("description", ""),
        )
        for name, value in thing["properties"].items()
    ]


def _type(value: Mapping[str, Any], shared: Mapping[str, Any]) -> str:
    if "enum" in value:
        return ", ".join(f"`{word}`" for word in value["enum"])
    if "$ref" in value:
        name = value["$ref"].rpartition("/")[2]
        return {"value": "text or number", "choices": "text, number or a list", "conditions": "labels and values"}[name]
    kind = value["type"]
    words = [kind] if isinstance(kind, str) else [word for word in kind if word != "null"]
    return " or ".join({"object": "keys and values", "string": "text", "array": "list"}.get(w, w) for w in words)


def _json() -> Iterable[str]:
    described = json.loads((PACKAGE / "cli" / "output.schema.json").read_text("utf-8"))
    yield (
        f"{described['description']} [JSON](../export.md#json) has an example. Each heading below is a value of "
        "`schema`; its columns are those of `rows`. `export.NAME` has the columns of the [table](tables.md) `NAME`. "
        f"`wrkparse --json-schema` prints all of it as JSON Schema ({_schema('output')})."
    )
    for name in described["properties"]["schema"]["enum"]:
        kind = described["$defs"][name]
        yield f"## {name}\n\n{kind.get('description', '')}"
        if "properties" in kind:
            rows = [
                (f"`{column}`", _json_type(value), value.get("description", ""))
                for column, value in kind["properties"].items()
            ]
            yield _table(("column", "type", "meaning"), rows)


def _json_type(value: Mapping[str, Any]) -> str:
    kind = value.get("type", "")
    return kind if isinstance(kind, str) else " or ".join(kind)


def _formats() -> Iterable[str]:
    yield (
        "`wrkparse export --as NAME` writes these. [wrkparse export](../export.md) says what each holds. "
        "Tables are written as CSV, JSON, Parquet and Markdown, by the suffix of `-o`."
    )
    rows = [
        (f"`{name}`", made.summary, "text" if made.is_text else "a file: needs `-o`")
        for name, made in export.FORMATS.items()
    ]
    yield _table(("name", "what it is", "form"), rows)


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", r"\|") for cell in line) + " |" for line in lines)


def _code(language: str, text: str) -> str:
    return f"```{language}\n{textwrap.dedent(text).rstrip()}\n```"


PAGES = (
    Page("commands.md", "Commands", "every command with its options, as `--help` prints them", _commands),
    Page("python.md", "Python", "every public function and class", _python),
    Page("tables.md", "Tables and columns", "the columns of every table", _tables),
    Page("metrics.md", "Metrics", "what the numbers of each tool mean, with units", _metrics),
    Page("labels.md", "Label keys", "the keys that wrkparse knows", _labels),
    Page("study-file.md", "wrkparse.yaml", "the keys of a study file", _study_file),
    Page("json.md", "JSON output", "the columns of `--format json`", _json),
    Page("exports.md", "Export formats", "the names of `wrkparse export --as`", _formats),
)

"""What is fuzzed, and what must hold of it besides ending without an exception."""

from __future__ import annotations

import contextlib
import gzip
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa

import wrkparse as wp
from wrkparse.analysis.publications.document import reproduce_document
from wrkparse.analysis.publications.markdown_tables import markdown_tables
from wrkparse.analysis.runs.selection import TooLittleError
from wrkparse.context.study import StudyError
from wrkparse.context.study_file import read_study
from wrkparse.dataset import QueryError
from wrkparse.ingest.ingest import ingest
from wrkparse.ingest.session import Session
from wrkparse.model.records import Diagnostic
from wrkparse.parse.items import Batch, Run
from wrkparse.parse.parser import SourceParser
from wrkparse.parse.reports.matcher import Matcher
from wrkparse.source.discover import SourceFile
from wrkparse.text import escape
from wrkparse.tools import report_tools
from wrkparse.tools.schema import schema

_ROOT = Path(__file__).resolve().parents[2]
_LARGEST_SEED = 12_000


def text(data: bytes) -> None:
    """A text read in one block and in many gives the same; every line number is one of the text's."""
    if not data:
        return
    size = 1 + data[0] * 8
    whole, parts = _read([data]), _read(_blocks(data, size))
    assert whole == parts, f"blocks of {size} bytes give something else"


def _blocks(data: bytes, size: int) -> Iterator[bytes]:
    """Blocks of about this size that end where a line does."""
    rest = data
    while rest:
        end = rest.find(b"\n", size) + 1 or len(rest)
        yield rest[:end]
        rest = rest[end:]


def _read(blocks: Iterator[bytes] | list[bytes]) -> dict[str, object]:
    reader = SourceParser("fuzzed.log")
    items = [item for block in blocks for item in reader.feed(block)]
    items += reader.finish()
    events: dict[str, list[pa.Table]] = {}
    for item in items:
        line = _first_line(item)
        assert line is None or 1 <= line <= reader.lines, item
        if isinstance(item, Batch):
            events.setdefault(item.table, []).append(item.rows)
    tables = {name: pa.concat_tables(some, promote_options="default") for name, some in events.items()}
    return {
        "runs": sorted(repr(item) for item in items if isinstance(item, Run)),
        "diagnostics": sorted(repr(item) for item in items if isinstance(item, Diagnostic)),
        "claimed": (reader.lines, reader.lines_claimed),
        "events": {
            name: sorted(map(repr, rows.select(sorted(rows.column_names)).to_pylist())) for name, rows in tables.items()
        },
    }


def _sorted(rows: pa.Table) -> list[str]:
    return sorted(map(repr, rows.select(sorted(rows.column_names)).to_pylist()))


def _first_line(item: object) -> int | None:
    if isinstance(item, Batch):
        return min(item.rows["line"].to_pylist())
    return item.line if isinstance(item, Run | Diagnostic) else None


def file(data: bytes) -> None:
    """A file of any bytes, under a name that promises something, through all that `read` does."""
    names = ("a.log", "a.log.gz", "a.ipynb", "a.html", "a.md", "docker.json", "a.tsv", "a.csv")
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, names[data[0] % len(names)] if data else names[0])
        path.write_bytes(data[1:])
        session = Session({})
        session.read_source(SourceFile(path.name, path, str(path), named_by_user=True), lambda _: None)
        for table, rows in session.builder.drain().items():
            assert rows.schema.names[: len(schema(table))] == schema(table).names or table == "runs"


def study(data: bytes) -> None:
    """A wrkparse.yaml is read, or refused with the line of each mistake."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, "wrkparse.yaml")
        path.write_bytes(data)
        try:
            read_study(path)
        except StudyError as refused:
            if not refused.diagnostics:
                raise


def page(data: bytes) -> None:
    """The tables of a page."""
    list(markdown_tables(data.decode("utf-8", "replace")))


def query(data: bytes) -> None:
    """A condition is answered or refused."""
    with contextlib.suppress(QueryError):
        _DATASET.wide(data.decode("utf-8", "replace"))


def folder(data: bytes) -> None:
    """A directory of a study and files, into a store; again: what is unchanged is not read again."""
    with tempfile.TemporaryDirectory() as directory:
        root, store = Path(directory, "logs"), Path(directory, "s.duckdb")
        root.mkdir()
        names = ("wrkparse.yaml", "a.log", "b.md", "c.ipynb")
        for name, part in zip(names, data.split(b"\0\0\0"), strict=False):
            (root / name).write_bytes(part)
        first = ingest([str(root)], store)
        assert not ingest([str(root)], store).read or first.not_text
        if store.exists():
            for row in wp.load(store).wide().to_dict("records"):
                for value in filter(lambda one: isinstance(one, str), row.values()):
                    assert escape.printable(escape.one_line(value)) == escape.one_line(value)


def document(data: bytes) -> None:
    """A page held against its own runs."""
    words = data.decode("utf-8", "replace")
    with contextlib.suppress(TooLittleError, QueryError):
        reproduce_document(wp.parse_text(words), words, "page.md")


ALL: dict[str, Callable[[bytes], None]] = {
    "text": text, "file": file, "folder": folder, "study": study, "page": page, "document": document, "query": query,
}  # fmt: skip
_DATASET = wp.parse_text("Requests/sec: 1\n")


def seeds(target: str) -> Iterator[bytes]:
    """Inputs to begin with: the project's own samples."""
    fixtures = [
        path for path in sorted((_ROOT / "tests" / "fixtures").rglob("*")) if path.suffix in (".txt", ".log", ".md")
    ]
    if target == "study":
        yield from (path.read_bytes() for path in sorted((_ROOT / "data").glob("*/wrkparse.yaml")))
    elif target == "query":
        yield from (b"cores = 36 and framework != 'nginx'", b"latency_p99 > 1e-3", b"run in (select run from runs)")
    elif target == "folder":
        rules = [path.read_bytes() for path in sorted((_ROOT / "data").glob("*/wrkparse.yaml"))]
        logs = [path.read_bytes()[: _LARGEST_SEED // 4] for path in fixtures]
        for number in range(0, len(logs) - 2, 3):
            yield b"\0\0\0".join([rules[number % len(rules)], *logs[number : number + 3]])
    elif target in ("page", "document"):
        yield from (path.read_bytes()[:_LARGEST_SEED] for path in sorted((_ROOT / "data").rglob("*.md")))
    else:
        for number, path in enumerate(fixtures):
            sample = path.read_bytes()[:_LARGEST_SEED]
            yield bytes([number % 256]) + sample
            if target == "file" and number % 10 == 0:
                yield b"\1" + gzip.compress(sample)
                yield b"\0" + sample.decode("utf-8", "replace").encode("utf-16")


def words() -> list[bytes]:
    """What the parsers look for."""
    more = (
        b"gc 1 @0.1s 2%: ",
        b"SCHED 0ms: ",
        b" ms clock",
        b"->",
        b"gomaxprocs=",
        b"scvg0: ",
        b"```\n",
        b"> ",
        b"$ wrk -t2 -c4 ",
    )
    return [*(key.encode() for key in Matcher(report_tools()).by_key if key), *more]

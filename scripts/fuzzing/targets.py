"""What is fuzzed, and what must hold of it besides ending without an exception."""

from __future__ import annotations

import contextlib
import gzip
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
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
from wrkparse.parse.checkpoint import Checkpoint, freeze, thaw
from wrkparse.parse.events.scan import scan_block
from wrkparse.parse.items import Batch, Run
from wrkparse.parse.parser import SourceParser
from wrkparse.parse.reports.matcher import Matcher
from wrkparse.source.blocks import split_at_lines
from wrkparse.source.discover import SourceFile
from wrkparse.text import escape
from wrkparse.tools import report_tools
from wrkparse.tools.columnar import compiled
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


def pieces(data: bytes) -> None:
    """A log read in pieces, in any of the ways that a log may come, gives what it gives in one piece.

    The first byte says how: cut behind each, each second or third line, or anywhere; with LF or CRLF; wrapped at 80
    columns or not; with the compiled loops or without; with its blocks scanned before, as threads do; by one reader, or
    by one that is stored and loaded in between, as when a log has grown.
    """
    if len(data) < 3:
        return
    how, size, rest = data[0], data[1], data[2:]
    if how & 4 and b"\r" not in rest:
        rest = rest.replace(b"\n", b"\r\n")
    if how & 8:
        rest = _wrapped(rest)
    parts = _cut(rest, 1 + size) if how & 3 == 3 else _lines(rest, 1 + (how & 3))
    whole = _read([rest])
    before = compiled.COMPILED
    compiled.COMPILED = before and not how & 16  # type: ignore[attr-defined]
    try:
        read = _read(parts, scanned=bool(how & 32), resumed=1 + size % 7 if how & 64 else 0)
    finally:
        compiled.COMPILED = before  # type: ignore[attr-defined]
    for name, rows in whole.items():
        assert read[name] == rows, f"{name} differ: {read[name]} instead of {rows}"


def _cut(data: bytes, size: int) -> Iterator[bytes]:
    """Blocks as a source gives them whose pieces have this many bytes."""
    return split_at_lines((data[at : at + size] for at in range(0, len(data), size)), lambda: None)


def _lines(data: bytes, count: int) -> Iterator[bytes]:
    """Blocks of so many lines."""
    lines = re.findall(rb"[^\n]*\n|[^\n]+$", data)
    for at in range(0, len(lines), count):
        yield b"".join(lines[at : at + count])


def _wrapped(data: bytes) -> bytes:
    """The text as a terminal of 80 columns wraps it."""
    lines = data.decode("utf-8", "replace").split("\n")
    wrapped = ["\n".join(line[at : at + 80] for at in range(0, len(line), 80)) for line in lines]
    return "\n".join(wrapped).encode()


def _blocks(data: bytes, size: int) -> Iterator[bytes]:
    """Blocks of about this size that end where a line does."""
    rest = data
    while rest:
        end = rest.find(b"\n", size) + 1 or len(rest)
        yield rest[:end]
        rest = rest[end:]


def _read(blocks: Iterable[bytes], *, scanned: bool = False, resumed: int = 0) -> dict[str, object]:
    """What comes of blocks; `scanned` before they are read, `resumed` from a checkpoint behind every so many."""
    reader, items = SourceParser("fuzzed.log"), []
    for number, block in enumerate(blocks, 1):
        items += reader.feed(block, scan_block(block) if scanned else None)
        if resumed and number % resumed == 0 and (frozen := freeze(Checkpoint(reader, 0))):
            checkpoint = thaw(frozen)
            assert checkpoint, "a checkpoint can't be read back"
            reader = checkpoint.parser
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
        "events": {name: sorted(map(_known, rows.to_pylist())) for name, rows in tables.items()},
    }


def _known(row: Mapping[str, object]) -> str:
    """What a row holds; a column without a value may be there or not."""
    return repr({name: row[name] for name in sorted(row) if row[name] is not None})


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
        _assert_no_fault(session.builder.diagnostics)
        for table, rows in session.builder.drain().items():
            assert rows.schema.names[: len(schema(table))] == schema(table).names or table == "runs"


def _assert_no_fault(diagnostics: Mapping[tuple[str, str], int]) -> None:
    """An error in wrkparse itself ends a source with a diagnostic; here it is a finding."""
    assert ("error", "fault") not in diagnostics, "wrkparse failed"


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
        _assert_no_fault(first.diagnostics)
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
    "text": text, "pieces": pieces, "file": file, "folder": folder, "study": study, "page": page,
    "document": document, "query": query,
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
            if target == "pieces":
                yield bytes([255 - number % 256, number % 256]) + sample
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
    return [*(key.encode() for key in Matcher(report_tools()).specs_by_key if key), *more]

"""How this checkout turns a text into tables. Each commit has its own copy, so that `dump` works across renames."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from wrkparse.context.labels import path_labels
from wrkparse.ingest.ingest import ingest as ingest_into
from wrkparse.ingest.table_builder import TableBuilder
from wrkparse.parse.parser import SourceParser
from wrkparse.source.blocks import BlockReader, NotTextError
from wrkparse.source.discover import SourceFile
from wrkparse.store.duckdb_store import load
from wrkparse.tools.columnar import compiled
from wrkparse.tools.schema import columns


def text_of(path: Path, name: str) -> bytes | None:
    """A file decompressed and decoded to UTF-8; None if it holds no text."""
    try:
        return b"".join(BlockReader(SourceFile(name, path, str(path), named_by_user=True)))
    except NotTextError:
        return None


def read(blocks: Iterator[bytes], name: str, *, use_compiled: bool) -> dict[str, pa.Table]:
    """The tables of a text that comes in these blocks."""
    available, compiled.COMPILED = compiled.COMPILED, use_compiled and compiled.COMPILED
    try:
        builder, reader = TableBuilder(), SourceParser(name, path_labels(name))
        for block in blocks:
            for item in reader.feed(block):
                builder.add(item)
        for item in reader.finish():
            builder.add(item)
        builder.add_source(name, 0, "", reader.lines, reader.lines_claimed, "")
        return builder.drain()
    finally:
        compiled.COMPILED = available


def ingest(paths: list[Path], store: Path, jobs: int) -> dict[str, pa.Table]:
    """The tables of a store into which these paths are ingested."""
    ingest_into(map(str, paths), store, jobs=jobs)
    dataset = load(store)
    return {name: dataset.arrow(name) for name in columns()}

"""Turns labels from index files (`wrkparse.context.index`) into rows of `labels`, and fills the columns of `runs`.

Files without a run are examined when the runs are known. The labels of a run are then ranked again, together with the
labels of its index.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from wrkparse.context.index.blocks import LARGEST_INDEX, index_form
from wrkparse.context.index.labels import ORIGIN, IndexFile, index_labels, index_source
from wrkparse.context.index.mistakes import mistake_diagnostics
from wrkparse.context.precedence import ResolvedLabels, resolve
from wrkparse.context.structure.structure import ORIGIN as STRUCTURE
from wrkparse.dataset.queries.sql import sql_string
from wrkparse.ingest.labels.structure_labels import fill_column
from wrkparse.ingest.table_builder import GUESSES, conflict_note
from wrkparse.model.records import Diagnostic, Label
from wrkparse.source.blocks import BlockReader, NotTextError
from wrkparse.source.discover import SourceFile
from wrkparse.source.remote import is_url
from wrkparse.store.parquet_store import IngestedFile
from wrkparse.tools.schema import RESERVED, run_schema, schema

if TYPE_CHECKING:
    from wrkparse.ingest.session import Session
    from wrkparse.store.writer import StoreWriter

_MOST_BYTES = 16 << 20  # of files that are read again because logs beside them may be new


class RunPlace(NamedTuple):
    """A run with its tool, its source and its line, as messages name it."""

    run: str
    tool: str
    source: str
    line: int


class Relabelled(NamedTuple):
    """The changes that the labels of an index cause.

    ``rows`` are the new rows of `labels` for the runs ``runs``, without those of origin ``structure``. ``values`` has
    the values of runs by key, None if no label has the key any more. ``files`` counts the runs that each index labels,
    ``keys`` counts the runs that get a new key. ``noted`` and ``outdated`` are diagnostics to be added and removed.
    """

    runs: list[str]
    rows: pa.Table
    values: dict[str, dict[str, str | None]]
    files: Counter[str]
    keys: Counter[str]
    noted: list[Diagnostic]
    outdated: list[Diagnostic]


def with_index(tables: Mapping[str, pa.Table], session: Session, found: Iterable[SourceFile]) -> dict[str, pa.Table]:
    """The tables of sources that were read in memory, with the labels of the index files among them."""
    if not session.index_texts or "runs" not in tables:
        return dict(tables)
    runs, known = tables["runs"], tables.get("labels", schema("labels").empty_table())
    paths = {file.source: file.origin or file.source for file in found}
    with_runs = {source: paths.get(source, source) for source in pc.unique(runs["source"]).to_pylist()}
    wanted, problems = index_labels(_index_files(session.index_texts, paths), with_runs)
    touched = runs.filter(pc.is_in(runs["source"], pa.array(list(wanted), pa.string())))
    done = relabelled(_places(touched), _rows_of(known, touched["run"].to_pylist()), wanted)
    for problem in (*mistake_diagnostics(problems, with_runs), *done.noted):
        session.add_diagnostic(problem, None)
    changed = {**tables, **_changed(done, runs, known)} if done.runs else dict(tables)
    for name, more in session.drain().items():
        changed[name] = pa.concat_tables([changed[name], more]) if name in changed else more
    return changed


def _changed(done: Relabelled, runs: pa.Table, known: pa.Table) -> dict[str, pa.Table]:
    """The tables `runs` and `labels` with new labels of some runs."""
    other_labels = known.filter(pc.invert(pc.is_in(known["run"], pa.array(done.runs, pa.string()))))
    fields = run_schema(set(runs.column_names).difference(RESERVED).union(done.values))
    columns = [
        fill_column(runs, field, {run: value for run, value in done.values[field.name].items() if value is not None})
        if field.name in done.values
        else runs[field.name]
        for field in fields
    ]
    return {"runs": pa.table(columns, fields), "labels": pa.concat_tables([other_labels, done.rows])}


def store_index_labels(writer: StoreWriter, session: Session) -> None:
    """Write the labels of index files into the store: of files that were just read, and of files that the store knows.

    Labels of a deleted index are removed; labels of an index that can't be read now are kept.
    """
    sources = [source for source in writer.files if index_form(source)]
    if not sources:
        return
    texts, unread = _known_texts(writer, session, sources)
    paths = {source: file.origin or source for source, file in writer.files.items()}
    with writer.dataset() as dataset:
        with_runs = dataset.sql_arrow("SELECT DISTINCT source FROM runs")["source"].to_pylist()
        logs = {source: paths.get(source, source) for source in with_runs}
        wanted, problems = index_labels(_index_files(texts, paths), logs)
        named = f"SELECT unnest([{', '.join(map(sql_string, wanted))}]::VARCHAR[])"
        relevant_runs = (
            f"SELECT run FROM runs WHERE source IN ({named}) UNION SELECT run FROM labels WHERE origin = '{ORIGIN}'"
        )
        touched = dataset.sql_arrow(f"SELECT run, tool, source, line FROM runs WHERE run IN ({relevant_runs})")
        rows = dataset.sql_arrow(f"SELECT * FROM labels WHERE run IN ({relevant_runs})")
        labels = _rows_of(rows, touched["run"].to_pylist())
    done = relabelled(_places(touched), labels, wanted, frozenset(unread))
    writer.set_labels(done.runs, done.rows, done.values)
    writer.delete_diagnostics(done.outdated)
    # Mistakes of an index that was not read anew are in the store already.
    fresh = {source: found for source, found in problems.items() if source in session.index_texts}
    for problem in (*mistake_diagnostics(fresh, logs), *done.noted):
        session.add_diagnostic(problem, None)
    writer.append(session.drain())
    session.builder.label_counts.update(done.keys)
    session.summary.indexed.update(done.files)


def _known_texts(writer: StoreWriter, session: Session, sources: Sequence[str]) -> tuple[dict[str, bytes], list[str]]:
    """The texts of the index files of a store, by source, and those that can't be read now."""
    texts = dict(session.index_texts)
    other_sources = [source for source in sources if source not in texts and writer.files[source].size <= LARGEST_INDEX]
    with_runs = writer.sources_with_runs(other_sources) if other_sources else set()
    other_sources = [source for source in other_sources if source not in with_runs]
    unread: list[str] = []
    bytes_left = _MOST_BYTES  # a store may know thousands of indexes, and each ingest would read all of them again
    for source in other_sources:
        file = writer.files[source]
        text = _text_of(file) if bytes_left > 0 else None
        if text is not None:
            bytes_left -= len(text)
            texts[source] = text
        elif file.origin and (is_url(file.origin) or os.path.lexists(file.origin)):
            unread.append(source)  # it still exists, so its labels are kept; those of a deleted index are removed
    return texts, unread


def _text_of(file: IngestedFile) -> bytes | None:
    """The text of a file that was read before; None if it can't be read, or is larger than an index may be."""
    if not file.origin or is_url(file.origin):
        return None
    text = b""
    try:
        for block in BlockReader(SourceFile(file.source, file.origin, file.source, named_by_user=False)):
            text += block
            if len(text) > LARGEST_INDEX:
                return None
    except (OSError, NotTextError):
        return None
    return text


def _index_files(texts: Mapping[str, bytes], paths: Mapping[str, str]) -> list[IndexFile]:
    return [
        IndexFile(source, paths.get(source, source), text.decode("utf-8", "replace")) for source, text in texts.items()
    ]


def _places(runs: pa.Table) -> list[RunPlace]:
    columns = (runs[name].to_pylist() for name in RunPlace._fields)
    return [RunPlace(*values) for values in zip(*columns, strict=True)]


def _rows_of(labels: pa.Table, runs: list[str]) -> dict[str, list[Label]]:
    """The labels of runs, by run. The winners come last, because `resolve` lets the last label of an origin win."""
    some = labels.filter(pc.is_in(labels["run"], pa.array(runs, pa.string())))
    found: dict[str, list[tuple[bool, Label]]] = defaultdict(list)
    names = ("run", "overruled", *Label._fields)
    for run, overruled, *label in zip(*(some[name].to_pylist() for name in names), strict=True):
        found[run].append((not overruled, Label(*label)))
    return {run: [label for _, label in sorted(pairs, key=lambda pair: pair[0])] for run, pairs in found.items()}


def relabelled(
    runs: Iterable[RunPlace],
    labels: Mapping[str, Sequence[Label]],
    wanted: Mapping[str, Sequence[Label]],
    unread: frozenset[str] = frozenset(),
) -> Relabelled:
    """The changes for runs with these labels, if the index files give their sources the `wanted` labels.

    Labels from an index that is `unread` are kept.
    """
    done = Relabelled([], schema("labels").empty_table(), defaultdict(dict), Counter(), Counter(), [], [])
    rows: dict[str, list[object]] = {name: [] for name in schema("labels").names}
    for run in runs:
        # Labels from structure depend on those of all runs, and are found again afterwards.
        own = [label for label in labels.get(run.run, ()) if label.origin not in (ORIGIN, STRUCTURE)]
        before = [label for label in labels.get(run.run, ()) if label.origin == ORIGIN]
        unread_labels = [label for label in before if index_source(label) in unread]
        resolved, known = resolve([*own, *unread_labels, *wanted.get(run.source, ())]), resolve([*own, *before])
        if _index_values(resolved) == _index_values(known):
            continue  # so that an ingest without changes writes nothing
        done.runs.append(run.run)
        _add_rows(rows, run.run, resolved)
        changed_keys = {label.key for label in labels.get(run.run, ()) if label.origin in (ORIGIN, STRUCTURE)}
        for key in changed_keys.union(key for key, *_ in _index_values(resolved)):
            done.values[key][run.run] = resolved.ranking.winning_values.get(key)
        done.files.update({index_source(label) for label in _of_index(resolved)})
        done.keys.update(resolved.ranking.winners.keys() - known.ranking.winners.keys())
        done.noted.extend(_conflicts(run, resolved))
        done.outdated.extend(_conflicts(run, known))
    wanted_schema = schema("labels")
    return done._replace(
        rows=pa.table([pa.array(rows[field.name], field.type) for field in wanted_schema], wanted_schema)
    )


def _of_index(resolved: ResolvedLabels) -> list[Label]:
    """The labels from an index among the ranked labels of a run."""
    keys, values, origins, lines, _, texts, rules = resolved.columns
    rows = zip(keys, values, origins, lines, texts, rules, strict=True)
    return [Label(*label) for label in rows if label[2] == ORIGIN]


def _index_values(resolved: ResolvedLabels) -> list[tuple[str, str, int | None, str | None]]:
    return sorted((label.key, label.value, label.line, label.text) for label in _of_index(resolved))


def _add_rows(rows: Mapping[str, list[object]], run: str, resolved: ResolvedLabels) -> None:
    names = ("key", "value", "origin", "line", "overruled", "text", "rule")
    for name, values in zip(names, resolved.columns, strict=True):
        rows[name] += values
    rows["run"] += [run] * len(resolved.lines)


def _conflicts(run: RunPlace, resolved: ResolvedLabels) -> list[Diagnostic]:
    """The conflicts of an index with stronger labels and with a prefix. Headings and paths are only guesses."""
    return [
        conflict_note(run, None, winner, other)
        for winner, other in resolved.conflicts
        if ORIGIN in (winner.origin, other.origin) and not (winner.origin == ORIGIN and other.origin in GUESSES)
    ]

"""Turns labels from structure (`wrkparse.context.structure`) into rows of `labels`, and fills the columns of `runs`."""

from __future__ import annotations

import functools
import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

import pyarrow as pa
import pyarrow.compute as pc

from wrkparse.context.index.headers import is_known_key
from wrkparse.context.index.labels import ORIGIN as INDEX
from wrkparse.context.index.log_names import is_identifier
from wrkparse.context.nearby.evidence import LINES_ABOVE, LINES_BELOW, LINES_BELOW_LAST_RUN, SHELL_LOOP
from wrkparse.context.precedence import winning_label
from wrkparse.context.slots.places import FRAMEWORK, URL_HOST, Place, SlotText, setting_of
from wrkparse.context.structure.completed_places.repeated_conditions import may_come_again, split_section
from wrkparse.context.structure.structure import ORIGIN, structural_labels
from wrkparse.context.titles.path_parts import without_suffixes
from wrkparse.ingest.labels.traced_cores import CORES, traced_cores
from wrkparse.model.records import Label
from wrkparse.tools.schema import RESERVED, label_texts, run_schema, schema, typed_label

_PLACE = ("tool", "source", "section")
_PROVENANCE = ("tool", "tool_version", "dialect")  # columns that explain words of a place, as labels do
# Labels whose values may differ for each run. They do not explain words of a place.
_UNUSED = frozenset({"url"})
_UNUSED_PREFIXES = ("env_", "flag_")

# The kind of text that a label comes from, by the slot of the place.
_RULES = {
    "folder": "folder",
    "file": "file name",
    "section": "heading",
    "title": "title",
    "printed file": "file name",
    "process": "prefix",
    "host": "host",
    "lead": "nearby line",
    "argument": "argument",
    "loop": "loop",
    "program": "program",
    "printed": "printed",
    "setting": "setting",
}

# In SQL: the rows that an earlier call stored, and the rows of frameworks from other origins.
STORED_ROWS = f"SELECT * FROM labels WHERE origin = '{ORIGIN}' ORDER BY run, key"
NAMING_ROWS = f"SELECT * FROM labels WHERE key = '{FRAMEWORK}' AND origin <> '{ORIGIN}'"
# The runs that the rules of a study label.
RULED_RUNS = "SELECT DISTINCT run FROM labels WHERE origin = 'file'"
# The labels that an index gives runs.
INDEXED_ROWS = f"SELECT run, key FROM labels WHERE origin = '{INDEX}'"
_VALUES = pa.schema([("run", pa.string()), ("value", pa.string())])
_DIRECTORY = "directory"
_NUMBERED_FOLDER = re.compile(r"[A-Za-z]{1,20}[-_ ]?[0-9]{1,4}")
_GUESSES = frozenset({"heading", "path"})  # origins of a framework that structure may overrule


class _Naming(NamedTuple):
    """The framework that another origin gives a run, and that origin."""

    value: str
    origin: str
    rule: str | None = None


def structure_rows(
    runs: pa.Table,
    ruled: pa.ChunkedArray,
    naming: pa.Table,
    stored: pa.Table | None = None,
    indexed: pa.Table | None = None,
) -> pa.Table:
    """The rows of `labels` that follow from the places of all runs, by run and key.

    `ruled` are the runs that a rule of a ``wrkparse.yaml`` labels. The runs of such a study get no label here, because
    the file says how they differ. `naming` are the rows of `labels` with a framework from another origin
    (`NAMING_ROWS`); a row for such a run overrules them. `stored` are the rows of an earlier call, whose values `runs`
    has. `indexed` has the labels of an index, as ``run`` and ``key``: it says what an identifier in a path stands for.
    """
    # Of a study with rules, all runs are left out, also those that no rule labels.
    studies = runs.filter(pc.is_in(runs["run"], ruled.combine_chunks()))["study"].combine_chunks()
    own = runs.filter(pc.invert(pc.and_kleene(pc.is_valid(runs["study"]), pc.is_in(runs["study"], studies))))
    traced = {run: (cores, text) for run, cores, text in traced_cores(own, _earlier(stored, CORES))}
    if traced:
        index = own.schema.get_field_index(CORES)
        field = own.schema.field(index)
        own = own.set_column(index, field, fill_column(own, field, {run: cores for run, (cores, _) in traced.items()}))
    names = own["run"].to_pylist()
    places, place_of = _places(own, names, _namings(naming), stored, _index_keys(indexed))
    found = _without_numbered_folders(places, structural_labels(places, Counter(place_of)))
    rows = sorted(
        (name, key, label.value, _file_name(places[index]) if label.kind == "file" else label.text, _RULES[label.kind])
        for name, index in zip(names, place_of, strict=True)
        for key, label in found[index].items()
    )
    rows = sorted([*rows, *((run, CORES, cores, text, "trace") for run, (cores, text) in traced.items())])
    columns = dict(
        zip(("run", "key", "value", "text", "rule"), zip(*rows, strict=True) if rows else [()] * 5, strict=True)
    )
    columns |= {"origin": (ORIGIN,) * len(rows), "line": (None,) * len(rows), "overruled": (False,) * len(rows)}
    wanted = schema("labels")
    return pa.table([pa.array(columns[field.name], field.type) for field in wanted], wanted)


def _earlier(stored: pa.Table | None, key: str) -> frozenset[str]:
    """The runs that have a label from an earlier call."""
    return frozenset() if stored is None else frozenset(stored.filter(pc.equal(stored["key"], key))["run"].to_pylist())


def _file_name(place: Place) -> str:
    """The name of a place's file, with its suffixes."""
    return place.source.rpartition("/")[2]


def _namings(rows: pa.Table) -> dict[str, _Naming]:
    """The framework of each run as `wrkparse.context.precedence.resolve` chose it."""
    labels: dict[str, list[Label]] = defaultdict(list)
    for run, value, origin, line, rule in zip(
        *(rows[name].to_pylist() for name in ("run", "value", "origin", "line", "rule")), strict=True
    ):
        labels[run].append(Label(FRAMEWORK, value, origin, line, None, rule))
    chosen = {run: winning_label(FRAMEWORK, of_run) for run, of_run in labels.items()}
    return {run: _Naming(label.value, label.origin, label.rule) for run, label in chosen.items() if label}


def frameworks_without_structure(rows: pa.Table) -> pa.Table:
    """The framework of each run without structure, as ``run`` and ``value``; `rows` are those of `NAMING_ROWS`."""
    namings = _namings(rows)
    return pa.table({"run": list(namings), "value": [naming.value for naming in namings.values()]}, _VALUES)


def _places(
    runs: pa.Table,
    names: list[str],
    namings: Mapping[str, _Naming],
    stored: pa.Table | None,
    indexed: Mapping[str, frozenset[str]],
) -> tuple[list[Place], list[int]]:
    """The different places of runs, and for each run the index of its place."""
    earlier: dict[str, set[str]] = defaultdict(set)
    if stored is not None:
        for run, key in zip(stored["run"].to_pylist(), stored["key"].to_pylist(), strict=True):
            earlier[run].add(key)
    labels = [
        key for key in runs.column_names if key not in RESERVED | _UNUSED and not key.startswith(_UNUSED_PREFIXES)
    ]
    keys = (*_PROVENANCE, *labels, URL_HOST)
    urls = runs["url"].to_pylist() if "url" in runs.column_names else [None] * len(names)
    hosts, ports = map(list, zip(*map(_address, urls), strict=True)) if urls else ([], [])
    places: list[Place] = []
    numbers: dict[tuple[object, ...], int] = {}
    shared: dict[tuple[object, ...], dict[str, str | None]] = {}  # most runs share their labels with another run
    place_of = [0] * len(names)
    # keys[:-1]: the host of the URL is not a column of runs
    columns = (*(runs[key].to_pylist() for key in _PLACE), *(label_texts(runs[key]) for key in keys[:-1]), hosts)
    lines = _lines_where_order_counts(runs)
    order = sorted(range(len(names)), key=lines.__getitem__) if any(lines) else range(len(names))
    for at, run, facts in ((at, names[at], [column[at] for column in columns]) for at in order):
        of_structure = frozenset(earlier.get(run, ()))
        naming = namings.get(run)
        # everything on which the place of a run depends: runs with the same facts share one place
        known = (*facts, ports[at], of_structure, naming, lines[at], indexed.get(run))
        if known not in numbers:
            numbers[known] = len(places)
            tool, source, section, *values = facts
            unknown = indexed.get(run, frozenset())
            label_key = (*values, of_structure | unknown, naming)
            if label_key not in shared:
                shared[label_key] = _own_labels(dict(zip(keys, values, strict=True)), of_structure | unknown, naming)
            own = shared[label_key]
            origin = naming.origin if naming and naming.value == own.get(FRAMEWORK) else None
            guess = origin if origin in _GUESSES else None
            path = _telling_parts(source, naming) if run in indexed else None
            places.append(
                Place(tool, source, section, own.get("title"), own.get("process"), own, guess, path, ports[at])
            )
        place_of[at] = numbers[known]
    return places, place_of


def _index_keys(rows: pa.Table | None) -> dict[str, frozenset[str]]:
    """For each run that an index labels, the keys that wrkparse does not know: they do not explain words of its path.

    If ``compression=gzip`` explained the folder ``compress-gzip``, the next best words would become the framework.
    """
    found: dict[str, set[str]] = defaultdict(set)
    if rows is not None:
        for run, key in zip(rows["run"].to_pylist(), rows["key"].to_pylist(), strict=True):
            found[run].update(() if is_known_key(key) else (key,))
    return {run: frozenset(keys) for run, keys in found.items()}


def _telling_parts(source: str, naming: _Naming | None) -> tuple[str, ...]:
    """The parts of the path of a log in an index; empty for parts that only identify the log in the index."""
    *folders, file = source.split("/")
    by_row = naming is not None and naming.origin == INDEX and naming.rule != "folder"
    stem = without_suffixes(file)
    silent = by_row or is_identifier(stem) or len(stem) == 1  # a, b, c
    return (*("" if is_identifier(folder) else folder for folder in folders), "" if silent else file)


def _without_numbered_folders(places: Sequence[Place], found: list[dict[str, SlotText]]) -> list[dict[str, SlotText]]:
    """The labels of places without the folders ``exp1``, ``exp2``, if the labels of an index distinguish them, too."""
    folders = {at: labels[_DIRECTORY].value for at, labels in enumerate(found) if _DIRECTORY in labels}
    if not all(places[at].path is not None and _NUMBERED_FOLDER.fullmatch(name) for at, name in folders.items()):
        return found
    others = [{key: label for key, label in labels.items() if key != _DIRECTORY} for labels in found]
    named: dict[Hashable, str] = {}
    settings = ((setting_of(places[at], others[at]), name) for at, name in folders.items())
    return others if all(named.setdefault(setting, name) == name for setting, name in settings) else found


def _lines_where_order_counts(runs: pa.Table) -> list[int]:
    """For each run, its line if the order of the runs in its source counts, otherwise 0.

    The order counts if lines above a run apply to the runs after it, if a shell loop made the runs, if some runs have a
    title and others have none, and if a condition may be below several names.
    """
    keys = [
        key for key in (LINES_ABOVE, LINES_BELOW, LINES_BELOW_LAST_RUN, SHELL_LOOP, "title") if key in runs.column_names
    ]
    sources, lines = runs["source"].to_pylist(), runs["line"].to_pylist()
    ordered_sources = _sources_with_conditions(runs, sources)
    for key in keys:
        texts = list(zip(sources, runs[key].to_pylist(), strict=True))
        with_text = {source for source, text in texts if text}
        ordered_sources |= with_text if key != "title" else with_text & {source for source, text in texts if not text}
    return [line if source in ordered_sources else 0 for source, line in zip(sources, lines, strict=True)]


def _sources_with_conditions(runs: pa.Table, sources: Sequence[str]) -> set[str]:
    """The sources in which a condition may be below several names, as titles or as headings of one level."""
    sections = runs["section"].to_pylist()
    titles = runs["title"].to_pylist() if "title" in runs.column_names else [None] * len(runs)
    texts: dict[tuple[str, str | None, str], list[str]] = defaultdict(list)
    for source, section, title in zip(sources, sections, titles, strict=True):
        if title:
            texts[source, section, "title"].append(title)
        if section:
            outer, heading = split_section(section)
            texts[source, outer, "section"].append(heading)
    return {source for (source, *_), of_place in texts.items() if may_come_again(of_place)}


@functools.lru_cache(maxsize=4096)  # the runs of a study have few hosts
def _address(url: str | None) -> tuple[str | None, str | None]:
    """The host name in a URL, such as that of a container, and the port.

    The name is None for addresses and local names, the port if the URL has none.
    """
    try:
        parts = urlsplit(url if url and "://" in url else "")
        host, port = parts.hostname or "", parts.port
    except ValueError:  # a bracket that no address closes, or no possible port
        host, port = "", None
    # No letter: 10.0.0.1. A colon: fe80::1.
    is_name = host != "localhost" and any(map(str.isalpha, host)) and ":" not in host
    return host.split(".")[0] if is_name else None, None if port is None else str(port)


def _own_labels(
    labels: Mapping[str, str | None], of_structure: frozenset[str], naming: _Naming | None
) -> dict[str, str | None]:
    """The labels of a run without the labels of an earlier call, and with the framework that those overruled."""
    own = {key: value for key, value in labels.items() if key not in of_structure}
    if naming and FRAMEWORK in of_structure:
        own[FRAMEWORK] = naming.value
    return own


def with_structure(tables: Mapping[str, pa.Table]) -> dict[str, pa.Table]:
    """The tables of some sources with labels from structure."""
    runs = tables.get("runs")
    if runs is None:
        return dict(tables)
    known = tables.get("labels", schema("labels").empty_table())
    naming = known.filter(pc.and_(pc.equal(known["key"], FRAMEWORK), pc.not_equal(known["origin"], ORIGIN)))
    ruled, indexed = (known.filter(pc.equal(known["origin"], origin)) for origin in ("file", INDEX))
    rows = structure_rows(runs, ruled["run"], naming, None, indexed)
    if not rows.num_rows:
        return dict(tables)
    values: dict[str, dict[str, str]] = defaultdict(dict)
    for run, key, value in zip(*(rows[name].to_pylist() for name in ("run", "key", "value")), strict=True):
        values[key][run] = value
    wanted = run_schema(set(runs.column_names).difference(RESERVED).union(values))
    columns = [
        fill_column(runs, field, values[field.name]) if field.name in values else runs[field.name] for field in wanted
    ]
    labels = pa.concat_tables([_overruled(known, list(values[FRAMEWORK])), rows])
    return {**tables, "runs": pa.table(columns, wanted), "labels": labels}


def _overruled(labels: pa.Table, runs: list[str]) -> pa.Table:
    """Rows of `labels`, in which the frameworks of some runs are marked as overruled."""
    named = pc.and_(pc.equal(labels["key"], FRAMEWORK), pc.is_in(labels["run"], pa.array(runs, pa.string())))
    at = labels.schema.get_field_index("overruled")
    return labels.set_column(at, labels.schema.field(at), pc.or_(labels["overruled"], named))


def fill_column(runs: pa.Table, field: pa.Field, values: Mapping[str, str]) -> pa.ChunkedArray:
    """A column of `runs` with values for some runs."""
    typed = {run: typed_label(field.name, value) for run, value in values.items()}
    more = pa.chunked_array([pa.array([typed.get(run) for run in runs["run"].to_pylist()], field.type)])
    return pc.coalesce(more, runs[field.name]) if field.name in runs.column_names else more

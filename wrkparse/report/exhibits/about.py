"""The last section of a report: studies, files with their digests, and the versions of wrkparse."""

from __future__ import annotations

import hashlib
import math
from typing import TYPE_CHECKING, Any

import pandas as pd

from wrkparse._version import __version__
from wrkparse.analysis.shown.numbers import byte_size_text
from wrkparse.analysis.wording import counted
from wrkparse.context.study import about_facts
from wrkparse.report.exhibits.captioned import Table
from wrkparse.report.exhibits.excerpts import REFERENCED_RUNS, excerpts
from wrkparse.report.exhibits.mime_types import FACTS
from wrkparse.report.exhibits.shared_labels import shared_labels_clause
from wrkparse.text.escape import escaped

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset

_MOST_FILES = 20  # printed rows; the CSV has all
_BIT_RATES = ((1e9, "G"), (1e6, "M"), (1e3, "k"))  # bit/s, and the SI prefix


class Paragraphs:
    """Markdown text that a notebook shows and a report prints."""

    def __init__(self, markdown: str) -> None:
        self.markdown = markdown

    def _repr_markdown_(self) -> str:
        return self.markdown


class _ReportFacts:
    """Facts that a report uses and does not print: its date, log lines of points, whether to drop examples."""

    def __init__(self, facts: dict[str, Any]) -> None:
        self.facts = facts

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        return {FACTS: self.facts, "text/plain": ""}


def without_examples() -> object:
    """An object to display if the data is not the example data: a report then drops text cells tagged ``example``."""
    return _ReportFacts({"without_examples": True})


def about(ds: Dataset, where: str | None = None, data: object = None) -> list[object]:
    """The last section of a report, as objects for a notebook to display.

    `where` is the condition of the report, `data` the store or logs that the report is made from.
    """
    sources = ds.sources
    newest = sources["ingested_at"].max() if len(sources) else None
    date = None if newest is None or pd.isna(newest) else newest.strftime("%Y-%m-%d")
    facts = _ReportFacts({"date": date, "excerpts": excerpts(ds, REFERENCED_RUNS.lines(), data)})
    if len(sources) == 1:
        return [facts, Paragraphs(_one_file_paragraph(ds, sources, where)), *_studies_table(ds)]
    return [
        facts,
        Paragraphs(_files_paragraph(ds, sources, where)),
        *_studies_table(ds),
        _files_table(ds, sources),
    ]


def _files_paragraph(ds: Dataset, sources: pd.DataFrame, where: str | None) -> str:
    """A paragraph on several files that were read."""
    listed = "".join(
        f"{digest}  {source}\n" for source, digest in zip(sources["source"], sources["digest"], strict=True)
    )
    # The list has the form of `sha256sum`, so that others can make it again from the CSV of the table.
    total = hashlib.sha256(listed.encode()).hexdigest()
    versions = sorted(set(sources["wrkparse_version"].dropna()))
    readers = "" if versions == [__version__] else f", by wrkparse {', '.join(map(escaped, versions)) or 'no file'}"
    were = "was" if len(sources) == 1 else "were"
    return (
        "## About the data\n\n"
        f"This report was made by wrkparse {__version__} from {counted(ds.count('runs'), 'run')}. "
        f"{counted(len(sources), 'file')} {were} read{readers}.{_condition_sentence(where)}{_known_sentence(ds)} "
        "The CSV of each table has base units: a PDF has it attached, a page links to it. The digest of a file is the "
        f"XXH3-128 hash of its bytes. The SHA-256 hash of the list of digests and names is `{total}`."
    )


def _condition_sentence(where: str | None) -> str:
    return f" It contains only runs for which {escaped(where)} holds." if where else ""


def _one_file_paragraph(ds: Dataset, sources: pd.DataFrame, where: str | None) -> str:
    """A paragraph on the only file."""
    [(source, size, lines, digest)] = sources[["source", "bytes", "lines", "digest"]].itertuples(index=False)
    return (
        f"## About the data\n\nThis report was made by wrkparse {__version__} from {counted(ds.count('runs'), 'run')}. "
        f"1 file was read, {escaped(source)}: {byte_size_text(size)}, {counted(int(lines), 'line')}, "
        f"XXH3-128 {escaped(digest)}." + _condition_sentence(where) + _known_sentence(ds)
    )


def _known_sentence(ds: Dataset) -> str:
    """What is known of all runs; empty if they differ, as a table says it then."""
    known = shared_labels_clause(ds)
    return f" Known of {'the run' if ds.count('runs') == 1 else 'all runs'}: {escaped(known)}." if known else ""


def _studies_table(ds: Dataset) -> list[Table]:
    """The studies that state something; a `wrkparse.yaml` may have labels only."""
    rows = [
        {"study": study, "title": title, "facts": _describe_facts(about)}
        for study, title, about in ds.studies[["study", "title", "about"]].itertuples(index=False)
        if not pd.isna(title) or about_facts(about)
    ]
    if not rows:
        return []
    formats = {"facts": "text"}
    caption = "Studies, with the machines and conditions that their write-ups state"
    return [Table(pd.DataFrame(rows), caption, "tbl:about-studies", formats=formats)]


def _describe_facts(about: object) -> str:
    """``{"nic_bits_per_s": 1e9}`` → ``nic: 1 Gbit/s``."""
    return "; ".join(_describe_fact(key, value) for key, value in about_facts(about).items())


def _describe_fact(key: str, value: object) -> str:
    if key.endswith("_bits_per_s") and isinstance(value, int | float) and math.isfinite(value):
        name, value = key.removesuffix("_bits_per_s"), _format_bit_rate(value)
    else:
        name = key
    return f"{name.replace('_', ' ')}: {value}"


def _format_bit_rate(value: float) -> str:
    factor, prefix = next(((size, letter) for size, letter in _BIT_RATES if value >= size), (1.0, ""))
    return f"{value / factor:.4g} {prefix}bit/s"


def _files_table(ds: Dataset, sources: pd.DataFrame) -> Table:
    runs = ds.runs["source"].value_counts().to_dict()
    frame = sources.assign(runs=[int(runs.get(source, 0)) for source in sources["source"]])
    columns = {"source": "file", "bytes": "bytes", "lines": "lines", "runs": "runs", "digest": "XXH3-128"}
    return Table(
        frame, "Files that were read", "tbl:about-files", columns=columns, formats={"bytes": "1"}, rows=_MOST_FILES,
        empty="No file was read.",
    )  # fmt: skip

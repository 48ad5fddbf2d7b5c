"""Runs of which nothing says what answered them: they count as repeats of runs that stand elsewhere."""

from __future__ import annotations

from typing import NamedTuple

from wrkparse.analysis.runs.labels.key_words import REPEAT_LABELS
from wrkparse.analysis.runs.labels.labels import TITLE
from wrkparse.context.nearby.evidence import EVIDENCE_KEYS
from wrkparse.dataset import Dataset
from wrkparse.dataset.queries.sql import sql_name

_FRAMEWORK = "framework"


class Unlabelled(NamedTuple):
    """How many runs, in how many files, and the first of these files."""

    runs: int
    files: int
    first: str


def unlabelled(dataset: Dataset) -> Unlabelled | None:
    """The runs without a framework that agree in all labels with a run in another file or section; None without any.

    - Runs that a person or an index beside the logs labelled do not count.
    - Runs of one file and section may be repeats of one setting, and so may runs in places that only differ in numbers:
      ``run_1.txt``, ``run_2.txt``.
    - Titles, and labels that number repeats, are not compared, as in `wrkparse.analysis.runs.labels.factors`.
    """
    known = dataset.label_keys()
    keys = ", ".join(
        map(sql_name, sorted({"tool", "study", *known} - {_FRAMEWORK, *EVIDENCE_KEYS, TITLE, *REPEAT_LABELS}))
    )
    labelled = "run IN (SELECT run FROM labels WHERE origin IN ('cli', 'file', 'index'))"
    condition = f"WHERE NOT {labelled}" + (f" AND {_FRAMEWORK} IS NULL" if _FRAMEWORK in known else "")
    # `alike` runs share source, section and labels. They count if runs of another place, which differs in more than
    # numbers, have these labels, too.
    [(runs, files, first)] = dataset.sql(
        f"""
        SELECT coalesce(sum(alike), 0)::BIGINT, count(DISTINCT source), min(source) FROM (
          SELECT source, alike, min(place) OVER alike_in_all AS first, max(place) OVER alike_in_all AS last FROM (
            SELECT source, {keys}, count(*) AS alike,
              regexp_replace(concat_ws(chr(10), source, section), '[0-9]+', '0', 'g') AS place
            FROM runs {condition} GROUP BY source, section, {keys}
          ) WINDOW alike_in_all AS (PARTITION BY {keys})
        ) WHERE first <> last"""
    ).itertuples(index=False)
    return Unlabelled(int(runs), int(files), str(first)) if runs else None

"""The days on which runs were measured or published, as far as logs, studies and paths state them."""

from __future__ import annotations

from datetime import date
from typing import Any

import pandas as pd

from wrkparse.context.study import about_facts
from wrkparse.context.titles.path_days import day_in_path
from wrkparse.dataset import Dataset

Days = tuple[date, date]
_LOGGED = """
SELECT min(logged)::DATE AS first, max(logged)::DATE AS last FROM (
  SELECT least(logged_from, logged_to) AS logged FROM runs UNION ALL SELECT greatest(logged_from, logged_to) FROM runs
)"""
_REQUESTS = "SELECT min(started_at)::DATE AS first, max(started_at)::DATE AS last FROM requests"
# Facts of a study: the day on which its runs were measured, and that of its text, which may be years later.
_MEASURED, _PUBLISHED = "measured", "date"


def day_words(dataset: Dataset) -> str:
    """``measured on 22 November 2026``, ``published from 2 May 2015 to 4 May 2015``; empty if nothing says it.

    A day in the paths of all runs is ``filed under 20 November 2026``: most often it is the day of measurement.
    """
    for word, days in (("measured", measured_days(dataset)), ("published", published_days(dataset))):
        if days:
            first, last = _day_words(days)
            return f"{word} on {first}" if first == last else f"{word} from {first} to {last}"
    if days := filed_days(dataset):
        return f"filed under {' to '.join(dict.fromkeys(_day_words(days)))}"
    return ""


def _day_words(days: Days) -> tuple[str, str]:
    first, last = (f"{day.day} {day:%B %Y}" for day in days)
    return first, last


def measured_days(dataset: Dataset) -> Days | None:
    """The first and the last day of measurement; None if the logs do not say for all of their runs.

    They come from the times in front of lines, from the requests that ``ab -g`` lists, and from ``measured`` in a
    study's facts. The time of a file says when it was copied, not when it was measured, and does not count.
    """
    known = [*_days(dataset, _LOGGED), *_days(dataset, _REQUESTS), *_of_studies(dataset, _MEASURED).values()]
    runs = dataset.sql("SELECT run, study, logged_from FROM runs")
    listed = dataset.sql("SELECT DISTINCT run FROM requests WHERE started_at IS NOT NULL")["run"]
    dated = runs["study"].isin(list(_of_studies(dataset, _MEASURED)))
    is_complete = bool((runs["logged_from"].notna() | runs["run"].isin(listed) | dated).all())
    return (min(known), max(known)) if known and is_complete else None


def published_days(dataset: Dataset) -> Days | None:
    """The first and the last ``date`` in the facts of studies; None if a run is of no study with a date."""
    known = _of_studies(dataset, _PUBLISHED)
    is_complete = dataset.runs["study"].isin(list(known)).all()
    return (min(known.values()), max(known.values())) if known and is_complete else None


def filed_days(dataset: Dataset) -> Days | None:
    """The first and the last day in the paths of the runs' files; None if a path has none, or several."""
    found = [day_in_path(str(source)) for source in dataset.runs["source"].dropna().unique()]
    known = [day for day in found if day]
    return (min(known), max(known)) if known and len(known) == len(found) else None


def _days(dataset: Dataset, query: str) -> list[date]:
    return [pd.Timestamp(value).date() for value in dataset.sql(query).iloc[0].dropna()]


def _of_studies(dataset: Dataset, fact: str) -> dict[str, date]:
    """The day that each study states as this fact, without those that state none."""
    rows = dataset.studies[["study", "about"]].itertuples(index=False)
    days = {study: _day(about_facts(about).get(fact)) for study, about in rows}
    return {study: day for study, day in days.items() if day}


def _day(value: Any) -> date | None:
    """The day of a fact such as ``2015-04-07``."""
    try:
        return date.fromisoformat(str(value)[:10])
    except ValueError:
        return None

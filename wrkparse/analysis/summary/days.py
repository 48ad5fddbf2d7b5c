"""The days on which runs were measured, as far as their logs state them."""

from __future__ import annotations

from datetime import date
from typing import Any

import pandas as pd

from wrkparse.context.study import about_facts
from wrkparse.dataset import Dataset

_LOGGED = """
SELECT min(logged)::DATE AS first, max(logged)::DATE AS last FROM (
  SELECT least(logged_from, logged_to) AS logged FROM runs UNION ALL SELECT greatest(logged_from, logged_to) FROM runs
)"""
_REQUESTS = "SELECT min(started_at)::DATE AS first, max(started_at)::DATE AS last FROM requests"


def measured_days(dataset: Dataset) -> tuple[date, date] | None:
    """The first and the last day of measurement; None if the logs do not say for all of their runs.

    They come from the times in front of lines, from the requests that ``ab -g`` lists, and from ``date`` in a study's
    facts. The time of a file says when it was copied, not when it was measured, and does not count.
    """
    days = [*_days(dataset, _LOGGED), *_days(dataset, _REQUESTS), *_study_days(dataset)]
    return (min(days), max(days)) if days and _is_complete(dataset) else None


def day_words(days: tuple[date, date]) -> str:
    """``measured on 22 November 2026``, ``measured from 2 May 2015 to 4 May 2015``."""
    first, last = (f"{day.day} {day:%B %Y}" for day in days)
    return f"measured on {first}" if first == last else f"measured from {first} to {last}"


def _days(dataset: Dataset, query: str) -> list[date]:
    return [pd.Timestamp(value).date() for value in dataset.sql(query).iloc[0].dropna()]


def _study_days(dataset: Dataset) -> list[date]:
    dates = (_day(about_facts(about).get("date")) for about in dataset.studies["about"])
    return [day for day in dates if day]


def _is_complete(dataset: Dataset) -> bool:
    """Whether each run has a time, requests with times, or a study with a date."""
    dated = [
        study for study, about in dataset.studies[["study", "about"]].itertuples(index=False)
        if _day(about_facts(about).get("date"))
    ]  # fmt: skip
    runs = dataset.sql("SELECT run, study, logged_from FROM runs")
    listed = dataset.sql("SELECT DISTINCT run FROM requests WHERE started_at IS NOT NULL")["run"]
    known = runs["logged_from"].notna() | runs["run"].isin(listed) | runs["study"].isin(dated)
    return bool(known.all())


def _day(value: Any) -> date | None:
    """The day of a fact such as ``2015-04-07``."""
    try:
        return date.fromisoformat(str(value)[:10])
    except ValueError:
        return None

"""The title of a report, and what was measured by which tools."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import pandas as pd

from wrkparse.analysis.comparison.compare import ComparisonTable
from wrkparse.analysis.comparison.sentences.uncompared import left_out
from wrkparse.analysis.comparison.text.claims import Labels
from wrkparse.analysis.comparison.text.headline import undecided_words
from wrkparse.analysis.comparison.text.wording import name_words, place_words
from wrkparse.analysis.runs.labels.conditions import Conditions, trace_tools
from wrkparse.analysis.runs.labels.key_words import key_words
from wrkparse.analysis.shown.numbers import rounded
from wrkparse.analysis.wording import counted, word_list

_PLURALS = frozenset(("framework", "server", "version"))  # labels whose plural has an s
_MOST_NAMES = 8  # in a title; more are counted
_MOST_VALUES = 4  # of a number; of more their range says as much
_LONGEST = 90  # characters of names in a title, with those between them
_BETWEEN = 2  # characters: a comma and a blank
_ADJECTIVES = {"time": "timed"}  # of runs, where the name of the tool alone would be misread
# The columns that count the events of a trace, and what an event is called.
_EVENTS = (("cycles", "garbage collection"), ("ticks", "scheduler tick"))


def tool_words(counts: Mapping[str, int]) -> str:
    """``30 wrk runs``, ``4 wrk runs and 2 gctraces``, ``6 timed runs``."""
    traces = trace_tools()
    loads_first = sorted(counts.items(), key=lambda item: item[0] in traces)
    parts = [
        counted(count, tool if tool in traces else f"{_ADJECTIVES.get(tool, tool)} run") for tool, count in loads_first
    ]
    return word_list(parts) or "no runs"


def plain_title(
    counts: Mapping[str, int], known: Conditions, studies: Sequence[str], traces: pd.DataFrame,
    compared: ComparisonTable | None,
) -> str:  # fmt: skip
    """What was measured, if nothing is decided: ``6 wrk runs of heron and plover: too few to tell them apart``.

    `traces` has the summary of the one tool that traced, if there is nothing else; else it is empty. Beside loads,
    traces are not counted. What answers in the baseline of what is `compared` is named first.
    """
    if len(studies) > 1:
        return f"{tool_words(counts)} of {len(studies)} studies"
    if len(traces):
        events = next(((column, noun) for column, noun in _EVENTS if column in traces), None)
        if events:
            count = int(traces[events[0]].sum())
            of = "one Go process" if len(traces) == 1 else f"{len(traces):,} Go processes"
            longest = traces["pause_max_s"].max() if "pause_max_s" in traces else math.nan
            pauses = f": pauses of up to {rounded(float(longest), 's')}" if longest > 0 else ""
            return f"{counted(count, events[1])} of {of}{pauses}"
    loads = {tool: count for tool, count in counts.items() if tool not in trace_tools()}
    baseline = compared.baseline if compared is not None else {}
    ending = (undecided_words(compared) or _left_out(compared)) if loads and compared is not None else ""
    return f"{tool_words(loads or counts)}{_of_whom(known, baseline)}{f': {ending}' if ending else ''}"


def _left_out(table: ComparisonTable) -> str:
    """``no comparison is left`` if the audit finds too many runs unusable; else empty."""
    reason = left_out(table, str(table.cells["metric"].iloc[0]))
    return f"{reason[:1].lower()}{reason[1:].partition(':')[0]}"


def _of_whom(known: Conditions, baseline: Labels) -> str:
    """``of heron, plover and siskin``, ``at 8 and 64 connections``, ``of 40 frameworks``; empty if nothing says it."""
    # The title begins with the tools: beside names, what differs between them alone says nothing of these runs.
    # "x" stands for any value: has a label words for who answers?
    key = next((key for key in known.varies if key in known.within_tools or name_words({key: "x"})), None)
    if name := known.constant.get("framework"):
        return f" of {name}" + (_range_or_count(key, known.varies[key]) if key else "")
    if key is None:
        return f" of {known.constant['url']}" if "url" in known.constant else ""
    values = known.varies[key]
    if not name_words({key: "x"}):
        return _at_values(key, values)
    stated = [value for value in _first(values, baseline.get(key)) if value is not None]
    named = [name_words({key: value}) or value for value in stated]
    if len(named) > _MOST_NAMES or sum(map(len, named)) + _BETWEEN * (len(named) - 1) > _LONGEST:
        return f" of {len(values)} {key}s" if key in _PLURALS else _range_or_count(key, values)
    return f" of {word_list([*named, 'others'] if len(stated) < len(values) else named)}"


def _at_values(key: str, values: Sequence[str | None]) -> str:
    """What a setting that names nobody has been: ``at 8, 64 and 512 connections``, ``with GOGC=50 and 100``."""
    stated = [value for value in values if value is not None]
    if len(stated) < len(values) or len(stated) > _MOST_VALUES or sum(map(len, stated)) > _LONGEST:
        return _range_or_count(key, values)
    return f" {place_words({key: word_list(stated)})}"


def _range_or_count(key: str, values: Sequence[str | None]) -> str:
    """Too many values to list: ``on 1 to 8 cores``, ``with GOGC=50 to 400 and off``, ``with 6 values of file name``."""
    stated = [value for value in values if value is not None]
    numbers = sorted((value for value in stated if value.replace(".", "", 1).isdecimal()), key=float)
    words = [value for value in stated if value not in numbers]
    if len(numbers) < 2 or len(words) > 1 or len(stated) < len(values) or name_words({key: "x"}):
        return f" with {len(values)} values of {key_words(key)}"
    return f" {place_words({key: word_list([f'{numbers[0]} to {numbers[-1]}', *words])})}"


def _first(values: Sequence[str | None], first: str | None) -> list[str | None]:
    """The values, with that of the baseline at the beginning if there are two."""
    return sorted(values, key=lambda value: value != first) if len(values) == 2 else list(values)

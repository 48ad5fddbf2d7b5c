"""The title of a report, and what was measured by which tools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from wrkparse.analysis.comparison.wording import name_words
from wrkparse.analysis.runs.conditions import Conditions, trace_tools
from wrkparse.analysis.wording import counted

_PLURALS = frozenset(("framework", "server", "version"))  # labels whose plural has an s
_MOST_NAMES = 4
_LONGEST = 90  # characters of names in a title; longer ones are counted
_EVENTS = (("cycles", "garbage collection"), ("ticks", "scheduler tick"))


def tool_words(counts: Mapping[str, int]) -> str:
    """``30 wrk runs``, ``4 wrk runs, 2 gctraces``."""
    traces = trace_tools()
    loads_first = sorted(counts.items(), key=lambda item: item[0] in traces)
    parts = [counted(count, tool if tool in traces else f"{tool} run") for tool, count in loads_first]
    return ", ".join(parts) or "no runs"


def plain_title(counts: Mapping[str, int], known: Conditions, studies: Sequence[str], traces: pd.DataFrame) -> str:
    """What was measured, where nothing is decided: ``30 wrk runs of heron, plover and siskin``.

    `traces` has the summary of the one tool that traced, if there is nothing else; else it is empty.
    """
    words = tool_words(counts)
    if len(studies) > 1:
        return f"{words} of {len(studies)} studies"
    if len(traces):
        events = next(((column, noun) for column, noun in _EVENTS if column in traces), None)
        if events:
            count = int(traces[events[0]].sum())
            of = "one Go process" if len(traces) == 1 else f"{len(traces):,} Go processes"
            return f"{counted(count, events[1])} of {of}"
    return f"{words}{_of_whom(known)}"


def _of_whom(known: Conditions) -> str:
    """``of heron, plover and siskin``, ``of 40 frameworks``; empty if nothing says it."""
    # The title begins with the tools: beside names, what differs between them alone says nothing of these runs.
    key = next((key for key in known.varies if key in known.within_tools or name_words({key: "x"})), None)
    if name := known.constant.get("framework"):
        return f" of {name}" + (f" with {len(known.varies[key])} values of {key}" if key else "")
    if key is None:
        return f" of {known.constant['url']}" if "url" in known.constant else ""
    values = known.varies[key]
    named = [name_words({key: value}) or f"{key}={value or 'none'}" for value in values]
    if len(named) > _MOST_NAMES or sum(map(len, named)) > _LONGEST:
        return f" of {len(named)} {key}s" if key in _PLURALS else f" with {len(named)} values of {key}"
    joined = " and ".join([", ".join(named[:-1]), named[-1]]) if len(named) > 1 else named[0]
    return f" of {joined}" if name_words({key: "x"}) else f" with {joined}"

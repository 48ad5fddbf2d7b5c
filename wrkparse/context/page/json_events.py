"""Reads the events that a benchmark driver writes as lines of JSON: ``{"event":"start","server":"kiwi","workers":2}``.

What such a line says of the runs below it becomes a line of text, ``server=kiwi, workers=2``. An event that says that
something ended is about the runs above. Other objects, such as the log messages of a server, are no events.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from wrkparse.context.titles.settings.setting_extraction import DATE, REPEAT_WORDS

_EVENT_KEYS = ("event", "action", "phase", "stage", "step", "state", "type")
# Most lines of JSON in a log have none of the keys: a search for them saves parsing the line.
_KEY_OF_EVENT = re.compile(rf'"(?:{"|".join(_EVENT_KEYS)})"')
_START = re.compile(
    r"(?:[A-Za-z]{1,30}[._ -])?(?:start|begin|launch|running)[a-z]{0,5}(?:[._ -][A-Za-z]{1,30})?", re.IGNORECASE
)
_END = re.compile(
    r"(?:[A-Za-z]{1,30}[._ -])?(?:end|done|finish|stop|complete|exit|teardown|cleanup)[a-z]{0,5}"
    r"(?:[._ -][A-Za-z]{1,30})?",
    re.IGNORECASE,
)
# Keys of messages and identifiers, which state no setting.
_OTHER_KEYS = re.compile(
    r"(?:\w{0,30}_)?(?:id|uuid|pid|seed)|ts|time|timestamp|date|level|severity|logger|msg|message|status|ok|host|hostname"
    r"|elapsed|duration_?\w{0,10}|exit_?code|schema|v",
    re.IGNORECASE,
)
_KEY = re.compile(r"[A-Za-z]\w{0,30}")
_VALUE = re.compile(r"[\w.+/-]{1,40}")
_LONGEST = 2000  # characters of an event; a longer object has results
_MOST_SETTINGS = 12


def text_of_event(text: str) -> str | None:
    """The settings of an event in a line of JSON; empty if it is about no run below, None for other text."""
    if not (text[0] == "{" and text[-1] == "}") or len(text) > _LONGEST or not _KEY_OF_EVENT.search(text):
        return None
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        return None
    kind = next((str(record[key]) for key in _EVENT_KEYS if isinstance(record.get(key), str)), None)
    if kind is None:
        return None
    if _END.fullmatch(kind):
        return ""
    fields = dict(_fields(record)) if _START.fullmatch(kind) else {}
    settings = [f"{key}={value}" for key, value in fields.items() if key.lower() not in REPEAT_WORDS]
    repeats = [f"{key} {value}" for key, value in fields.items() if key.lower() in REPEAT_WORDS]
    return ", ".join([*settings[:_MOST_SETTINGS], *repeats[:1]]) or None


def _fields(record: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """The keys and values of settings in an object and in those directly within it."""
    inner = (of_key for of_key in record.values() if isinstance(of_key, dict))
    for key, value in (*record.items(), *(field for of_key in inner for field in of_key.items())):
        if not isinstance(value, str | int | float) or key in _EVENT_KEYS or _OTHER_KEYS.fullmatch(key):
            continue
        printed = str(value).lower() if isinstance(value, bool) else str(value)
        if _KEY.fullmatch(key) and _VALUE.fullmatch(printed) and not DATE.match(printed):
            yield key, printed

"""Labels runs by what the heads of their logs say: ``$ SERVER=kiwi ./bench.sh``, ``tls: true``, ``./bench.sh kiwi``.

Scripts and CI jobs print such a line once, above all runs of a log. If logs with otherwise equal labels differ in it,
their runs are not repeats of each other.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence

from wrkparse.context.nearby.evidence import LINE_SEPARATOR, LINES_ABOVE, NearbyText
from wrkparse.context.nearby.messages import distinguishing_words
from wrkparse.context.slots.places import FRAMEWORK, Place, SlotText, setting_of
from wrkparse.context.slots.repeats import are_repeat_numbers
from wrkparse.context.structure.differences.held_settings import is_result_or_repeat, settings_in_lines
from wrkparse.context.structure.names.name_kinds import NameKind, kind_of_name

_FILE_NAME = "file_name"
_ARGUMENT = "heading"  # key of a number that a script gets
_COUNTED_KEYS = frozenset({"connections", "cores", "processes", "rate", "threads", "workers"})
# "kiwi", "round-robin", "kiwi2", "kiwi/1.25.1": two logs with such words are not repeats. Numbers may identify a log.
_WORD = re.compile(
    r"(?:[^\W\d_]{1,40}[-_.+/ ]){0,6}(?:[^\W\d_]{1,40}[0-9]?|v?[0-9]{1,3}(?:\.[0-9]{1,3}){2}(?:-[a-z0-9.]{1,20})?)"
)
_SMALL_NUMBER = re.compile(r"[0-9]{1,4}(?:\.[0-9]{1,3})?[kKmM]?")
_IDENTIFIER_KEY = re.compile(r"(?:\w+_)?(?:seed|pid|job|build|pipeline|id|uuid)")  # its value is new in each log
_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]{1,40}=")  # of a shell, in front of a command
# "./bench.sh 4 100", "bash bench.sh 4"
_CALL = re.compile(
    r"(?:(?:ba|z)?sh |python3? )?(\.{0,2}/[^/\s]\S{0,80}|\S{1,80}\.(?:sh|bash|py|js|rb|pl))((?: \S{1,40}){1,8})"
)
_JOB_NUMBER = re.compile(r"[0-9]{4,12}")  # of a CI job, a process or a time in the name of a log

_Heads = Mapping[str, Mapping[str, SlotText]]  # by key and source


def label_log_heads(
    places: Sequence[Place], by_source: Mapping[str, Sequence[int]], found: Sequence[dict[str, SlotText]]
) -> None:
    """Add the settings and words at the heads of logs in which logs with otherwise equal labels differ.

    They hold for the runs of the log, up to a heading if they are below one. If they distinguish several logs each, the
    numbers of jobs in the names of the logs distinguish none.
    """
    if len(by_source) < 2 or LINES_ABOVE not in places[0].labels:
        return
    lines = {
        source: above.split(LINE_SEPARATOR)
        for source, runs in by_source.items()
        if (above := places[runs[0]].labels.get(LINES_ABOVE))
    }
    jobs = _job_numbers(by_source, found)
    for key, of_logs in (*_settings(lines), *_words(lines, by_source), *_numbers_of_calls(lines)):
        if not (_distinguish(key, of_logs) and _differ_in_equal_runs(of_logs, places, by_source, found, jobs)):
            continue
        name = key or _key_of_words(of_logs, places, found)
        for source, label in of_logs.items():
            head = places[by_source[source][0]].section
            for at in by_source[source]:
                if (not head or places[at].section == head) and places[at].labels.get(name) is None:
                    found[at].setdefault(name, label)
        for at in jobs if _come_again(of_logs) else ():
            found[at].pop(_FILE_NAME, None)


def _settings(lines: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, Mapping[str, SlotText]]]:
    """The settings that the heads of logs state, by their key, of each source."""
    of_keys: dict[str, dict[str, SlotText]] = defaultdict(dict)
    for source, above in lines.items():
        for key, stated in settings_in_lines(above).items():
            if not (is_result_or_repeat(key) or _IDENTIFIER_KEY.fullmatch(key)):
                of_keys[key][source] = stated.label
    yield from of_keys.items()


def _words(
    lines: Mapping[str, Sequence[str]], by_source: Mapping[str, Sequence[int]]
) -> Iterator[tuple[str, Mapping[str, SlotText]]]:
    """The words in which the heads of logs differ, of each source, with an empty key."""
    of_runs = {by_source[source][0]: source for source in lines}
    nearby = {at: NearbyText(LINE_SEPARATOR.join(lines[source])) for at, source in of_runs.items()}
    for words in distinguishing_words(nearby, dict.fromkeys(nearby)) if len(nearby) > 1 else ():
        directly = {at: text for at, text in words.items() if any(text in line for line in lines[of_runs[at]])}
        yield "", {of_runs[at]: SlotText(text, text, "lead") for at, text in directly.items()}


def _numbers_of_calls(lines: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, Mapping[str, SlotText]]]:
    """The numbers that logs give one script, of each source: ``./bench.sh 4``."""
    calls: dict[str, dict[str, re.Match[str]]] = defaultdict(dict)
    for source, above in lines.items():
        for match in filter(None, map(_CALL.fullmatch, above)):
            calls[match[1]].setdefault(source, match)
    for of_logs in calls.values():
        words = {source: match[2].split() for source, match in of_logs.items()}
        for at in range(min(map(len, words.values()))):
            yield _ARGUMENT, {source: SlotText(own[at], of_logs[source][0], "lead") for source, own in words.items()}


def _distinguish(key: str, of_logs: Mapping[str, SlotText]) -> bool:
    """Whether values distinguish settings: words, or numbers of a few digits that someone chose.

    Of others, each must be that of several logs: they may identify a log, or be results.
    """
    values = {label.value for label in of_logs.values()}
    if len(values) < 2:
        return False
    if all(map(_SMALL_NUMBER.fullmatch, values)):
        if key in _COUNTED_KEYS or _come_again(of_logs):
            return True
        are_given = key == _ARGUMENT or all(_VARIABLE.match(label.text) for label in of_logs.values())
        return are_given and not are_repeat_numbers((value,) for value in values)
    return key != _ARGUMENT and (all(map(_WORD.fullmatch, values)) or _come_again(of_logs))


def _come_again(of_logs: Mapping[str, SlotText]) -> bool:
    """Whether each value is that of several logs."""
    logs: dict[str, int] = defaultdict(int)
    for label in of_logs.values():
        logs[label.value] += 1
    return min(logs.values()) > 1


def _differ_in_equal_runs(
    of_logs: Mapping[str, SlotText],
    places: Sequence[Place],
    by_source: Mapping[str, Sequence[int]],
    found: Sequence[dict[str, SlotText]],
    jobs: frozenset[int],
) -> bool:
    """Whether runs that have the same labels, but for the numbers of jobs, are below different values."""
    below: dict[Hashable, str] = {}
    for source, label in of_logs.items():
        for at in by_source[source]:
            own = {key: text for key, text in found[at].items() if key != _FILE_NAME} if at in jobs else found[at]
            if below.setdefault(setting_of(places[at], own), label.value) != label.value:
                return True
    return False


def _job_numbers(by_source: Mapping[str, Sequence[int]], found: Sequence[dict[str, SlotText]]) -> frozenset[int]:
    """The runs that only the numbers in the names of their logs distinguish, if each log has a number of its own."""
    names = {
        source: found[runs[0]][_FILE_NAME].value for source, runs in by_source.items() if _FILE_NAME in found[runs[0]]
    }
    if len(set(names.values())) < len(by_source) or not all(map(_JOB_NUMBER.fullmatch, names.values())):
        return frozenset()
    return frozenset(at for runs in by_source.values() for at in runs)


def _key_of_words(
    of_logs: Mapping[str, SlotText], places: Sequence[Place], found: Sequence[dict[str, SlotText]]
) -> str:
    """The key of words at the heads of logs: that of the framework if they may be names and nothing else is one."""
    are_names = all(kind_of_name(label.value) in (NameKind.KNOWN, NameKind.NAMES) for label in of_logs.values())
    has_names = any(
        place.labels.get(FRAMEWORK) or FRAMEWORK in labels for place, labels in zip(places, found, strict=True)
    )
    return FRAMEWORK if are_names and not has_names else "heading"

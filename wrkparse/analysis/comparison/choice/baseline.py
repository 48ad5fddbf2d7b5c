"""The baseline of a comparison: as users write it, and the one that is taken if they name none."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from wrkparse.analysis.runs.labels.labels import differ_in_numbers, has_size, label_text, natural_order
from wrkparse.analysis.runs.selection import SelectedRun
from wrkparse.dataset import QueryError

_PAIR = re.compile(r"\s*([A-Za-z_]\w*)\s*=([^,]*)")  # "framework=nginx", "gogc="
# "kiwi before", "main", "HEAD~1", and "before" in other languages.
_BASELINE = re.compile(
    r"(?:.*\W)?(?:before|old|base|baseline|main|master|trunk|control|ref|reference|default|stock|vanilla|unpatched"
    r"|stable|prod|production|pre|orig|original|upstream|legacy|HEAD(?:~[0-9]{0,3}|\^)|vorher|avant|antes|prima|до|之前)",
    re.IGNORECASE,
)
_WITHOUT = re.compile(r"(?:without[-_\s]|(?:no|ohne|sans|sin|senza|без)\s).*", re.IGNORECASE)  # beside "with …"
_NO = re.compile(r"no[-_]", re.IGNORECASE)  # "no-cache" beside "cache"; "no-op" may be a name
# What a change goes beyond: beside "cluster", "async", "optimized"; "kiwi single" only beside another kiwi.
_SIMPLER = re.compile(r"(?:(?P<of>.*)\W)?(?:single|sync|naive|unoptimi[sz]ed|disabled)", re.IGNORECASE)
_PATTERNS = (_BASELINE, _WITHOUT, _SIMPLER)
# The first words of two names that are equal otherwise: "before_pool" beside "after_pool".
_FIRST_WORD = re.compile(r"[^\W_]+")
_OPPOSITES = frozenset(
    tuple(pair.split("/"))
    for pair in """before/after old/new pre/post prev/next previous/new previous/current unpatched/patched
    vanilla/patched stock/patched original/patched clean/patched untuned/tuned unmodified/modified
    unoptimized/optimized unoptimised/optimised""".split()
)
_DEFAULT_GOGC = "100"  # runtime/mgcpacer.go, readGOGC


def parse_baseline(text: str | Mapping[str, object] | None) -> dict[str, str | None]:
    """The labels of a baseline as text, from ``framework=nginx,gogc=off`` or a mapping; no labels for None.

    ``gogc=`` means that the label is missing. Raises QueryError for any other text.
    """
    if text is None:
        return {}
    if not isinstance(text, str):
        return {key: label_text(value) for key, value in text.items()}
    pairs = [_PAIR.fullmatch(part) for part in text.split(",")]
    if not all(pairs):
        raise QueryError(f"baseline {text!r}: expected label=value, separated by commas")
    return {pair[1]: pair[2].strip() or None for pair in pairs if pair}


def default_baseline(
    runs: Sequence[SelectedRun], counting: Sequence[SelectedRun], row_keys: Sequence[str]
) -> dict[str, str | None]:
    """The labels of a run that names a baseline; else those of the first run of those that count.

    A value such as ``before`` or ``main`` names one, else ``without …``, else ``single``, ``old pool`` beside ``new
    pool``, or ``no-cache`` beside ``cache``; of GOGC it is the default, of other numbers the smallest, and so of names
    that differ in numbers only: ``v2`` beside ``v10``. The first run is the earliest if all have times, else the first
    by file and line. Runs without a `framework` can't be the baseline of runs with one.
    """
    if "framework" in row_keys:
        counting = [run for run in counting if run.labels["framework"] is not None] or counting
    timed = all(run.logged_from is not None for run in counting)
    earliest = min(counting, key=lambda run: str(run.logged_from)) if timed else counting[0]
    chosen = _named(runs, row_keys) or _by_number(counting, row_keys) or earliest
    return {key: chosen.labels[key] for key in row_keys}


def pairing_baseline(
    base: Mapping[str, str | None], counting: Sequence[SelectedRun], column_keys: Sequence[str]
) -> dict[str, str | None]:
    """A default baseline; if no other value has runs in its settings, the value that shares the most settings.

    A value that names a baseline is kept, except that one such as ``no cache`` must share a setting with others.
    `column_keys` are the labels of the settings.
    """
    settings: dict[tuple[str | None, ...], set[tuple[str | None, ...]]] = {}
    for run in counting:
        place = tuple(run.labels[key] for key in column_keys)
        settings.setdefault(tuple(run.labels[key] for key in base), set()).add(place)

    def shared(value: tuple[str | None, ...]) -> int:
        return sum(len(settings.get(value, set()) & other) for one, other in settings.items() if one != value)

    own = tuple(base.values())
    is_without = any(_WITHOUT.fullmatch(value or "") for value in own)
    if not settings or shared(own) or (not is_without and (names_a_baseline(base) or own not in settings)):
        return dict(base)
    best = max(settings, key=shared)
    return dict(zip(base, best, strict=True)) if shared(best) else dict(base)


def names_a_baseline(labels: Mapping[str, str | None]) -> bool:
    """Whether a value is named like a baseline: ``before``, ``main``, ``without cache``."""
    return any(pattern.fullmatch(value or "") for pattern in _PATTERNS for value in labels.values())


def _named(runs: Sequence[SelectedRun], row_keys: Sequence[str]) -> SelectedRun | None:
    """The first run with a value that names a baseline."""
    for pattern in (_BASELINE, _WITHOUT):
        for run in runs:
            if any(pattern.fullmatch(run.labels[key] or "") for key in row_keys):
                return run
    values = {key: {run.labels[key] for run in runs} for key in row_keys}
    for run in runs:
        for key in row_keys:
            value = run.labels[key] or ""
            if _is_simpler(value, values[key]) or _is_state_before(value, values[key]):
                return run
            if _NO.match(value) and _NO.sub("", value, count=1) in values[key]:
                return run
    return None


def _is_simpler(value: str, values: Iterable[str | None]) -> bool:
    """Whether a value is the simpler one of a pair: ``sync``, ``cache disabled`` beside ``cache enabled``."""
    match = _SIMPLER.fullmatch(value)
    return match is not None and any((match["of"] or "") in (other or "") for other in values if other != value)


def _is_state_before(value: str, values: Iterable[str | None]) -> bool:
    """Whether a value begins with the opposite of the first word of another one: ``old pool`` beside ``new pool``."""
    state, rest = _split_first_word(value)
    others = [_split_first_word(other or "") for other in values]
    return any((state, other) in _OPPOSITES and rest == its_rest for other, its_rest in others)


def _split_first_word(value: str) -> tuple[str, str]:
    first = _FIRST_WORD.match(value)
    return (first[0].casefold(), value[first.end() :]) if first else ("", value)


def _by_number(runs: Sequence[SelectedRun], row_keys: Sequence[str]) -> SelectedRun | None:
    """The first run with the default GOGC or the smallest number; None if the values differ in more than numbers."""
    if len(row_keys) != 1:
        return None
    [key] = row_keys
    if key == "gogc" and (default := next((run for run in runs if run.labels[key] == _DEFAULT_GOGC), None)):
        return default
    if key == "gomemlimit":  # of sizes and "off", the smallest size
        runs = [run for run in runs if run.labels[key] not in (None, "off")]
    elif key != "gogc" and not (
        all(has_size(run.labels[key]) for run in runs) or differ_in_numbers(run.labels[key] for run in runs)
    ):
        return None
    if not runs:
        return None
    return min(runs, key=lambda run: natural_order(run.labels[key]))

"""Finds the turn of a shell loop in which a run was made, and labels the run with it.

A run belongs to a turn if the line above it is the output of the loop at that turn, or if the loop has as many turns as
runs are below it. If the turns differ and the turn of a run is unknown, the runs are not repeats: they get `SERIES`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from wrkparse.context.commands.loops import TITLE_KEY, TRACES, ShellLoop, Turn, read_loop, strip_end_signs
from wrkparse.context.nearby.evidence import LINE_SEPARATOR, SHELL_LOOP, NearbyText
from wrkparse.context.slots.places import Place, SlotText, setting_of
from wrkparse.tools import report_tools

SERIES = "series"  # the key of 1, 2 and 3, or a, b and c, that may or may not be repeats
_LOOP_KIND = "loop"
_ADDRESS_KEYS = frozenset({"host", "port", "path"})  # the keys that a report has if it prints its URL

UnknownTurns = list[tuple[str, list[int]]]  # the texts of loops, and the runs below each whose turns are unknown


def loop_labels(places: Sequence[Place]) -> tuple[dict[int, dict[str, SlotText]], UnknownTurns]:
    """The labels of the runs below loops, by index, and the runs whose turns are unknown.

    If a run contradicts its turn, no run below the loop gets one.
    """
    if not places or SHELL_LOOP not in places[0].labels:  # all places have the same keys
        return {}, []
    groups: dict[tuple[str, str, str], list[int]] = defaultdict(list)
    for at, place in enumerate(places):
        if loop_text := place.labels.get(SHELL_LOOP):
            groups[place.source, place.tool, loop_text].append(at)
    found: dict[int, dict[str, SlotText]] = {}
    unclear: UnknownTurns = []
    for (_, tool, loop_text), runs in groups.items():
        text = loop_text.partition(": ")[2]  # after the number of its line
        loop = read_loop(text)
        if loop is None:
            continue
        chosen = _match_turns(loop, tool, [places[at] for at in runs])
        for at, (turn, line) in zip(runs, chosen, strict=False):
            found[at] = {
                key: SlotText(value, line or text, _LOOP_KIND)
                for key, value in turn.labels.items()
                if places[at].labels.get(key) is None or (key == TITLE_KEY and not places[at].title)
            }
        varying = loop.varying if tool in _report_tools() else loop.varying_processes
        if not chosen and not _all_have_labels(varying, [places[at] for at in runs]):
            unclear.append((text, runs))
    return found, unclear


def label_series(unclear: UnknownTurns, places: Sequence[Place], found: Sequence[dict[str, SlotText]]) -> None:
    """Number the runs below loops that may or may not be repeats: 1, 2, 3 … for each loop.

    Runs that other labels distinguish need no number. Runs below the same command get the same numbers, as its turns
    are the same.
    """
    begun: dict[str, int] = {}
    following = 1
    times = Counter(map(setting_of, places, found) if unclear else ())
    for text, runs in unclear:
        if all(times[setting_of(places[at], found[at])] == 1 for at in runs):
            continue
        if text not in begun:
            begun[text] = following
            following += max(len(others) for other, others in unclear if other == text)
        key = SERIES if not any(SERIES in found[at] for at in runs) else f"{SERIES}_2"
        for number, at in enumerate(runs, begun[text]):
            found[at][key] = SlotText(str(number), text, _LOOP_KIND)


def _report_tools() -> frozenset[str]:
    return frozenset(tool.name for tool in report_tools())


def _all_have_labels(keys: frozenset[str], runs: Sequence[Place]) -> bool:
    """Whether all runs have labels of these keys, as wrk prints its connections."""
    wanted = keys - {"url"}
    if len(wanted) < len(keys) and not wanted:
        return all(any(place.labels.get(key) for key in _ADDRESS_KEYS) for place in runs)
    return all(place.labels.get(key) is not None for place in runs for key in wanted)


def _match_turns(loop: ShellLoop, tool: str, runs: Sequence[Place]) -> list[tuple[Turn, str]]:
    """The turn of each run, with the line above the run that shows it; empty unless all turns are certain."""
    is_report = tool in _report_tools()
    turns, wanted = (loop.turns, tool) if is_report else (loop.processes, TRACES)
    chosen = [turn for turn in turns for name in turn.tools if name == wanted]
    lines = [_loop_output_above(loop, place) for place in runs]
    # as many runs as turns: each run is that of its turn, unless a line or a label contradicts
    in_order = len(runs) == len(chosen) and all(
        _may_be_of_turn(turn, place, printed) for turn, place, (_, printed) in zip(chosen, runs, lines, strict=True)
    )
    if in_order:
        return [(turn, line) for turn, (line, _) in zip(chosen, lines, strict=True)]
    found: list[tuple[Turn, str]] = []
    for place, (line, printed) in zip(runs, lines, strict=True):
        own = loop.turn_of(printed) if is_report else None
        able = [turn for turn in [*turns, *([own] if own else [])] if printed and _may_be_of_turn(turn, place, printed)]
        # several turns fit, or none: then no run below the loop gets labels
        if len({tuple(turn.labels.items()) for turn in able}) != 1:
            return []
        found.append((able[0], line))
    is_twice = len({tuple(turn.labels.items()) for turn, _ in found}) < len(found)
    return [] if is_twice and not is_report else found  # a turn starts one program


def _may_be_of_turn(turn: Turn, place: Place, printed: Mapping[str, str]) -> bool:
    """Whether a run may belong to a turn, judged by the lines above the run and by its labels."""
    if any(
        strip_end_signs(turn.values[name]).casefold() != value.casefold()
        for name, value in printed.items()
        if name in turn.values
    ):
        return False
    held = ((value, place.labels.get(key)) for key, value in turn.labels.items())
    return all(own is None or own == value for value, own in held)


def _loop_output_above(loop: ShellLoop, place: Place) -> tuple[str, Mapping[str, str]]:
    """The line above a run that the loop printed for it, and the values of variables in all such lines."""
    lines = [*NearbyText.of(place.labels).above.split(LINE_SEPARATOR), place.title or ""]
    found: dict[str, str] = {}
    shown = ""
    for line in lines:
        if printed := loop.values_printed_in(line):
            found |= printed
            shown = line
    return shown, found

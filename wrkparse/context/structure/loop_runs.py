"""Which run below a loop of a shell is of which turn, and the labels that it has of that.

A run is of a turn if the line above it is what the loop prints at that turn, or if as many runs stand below the loop as
it has turns. Runs of which nobody knows that, though turns differ, are no repeats of one setting: they get `SERIES`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from wrkparse.context.commands.loops import TITLE, TRACES, Loop, Turn, bare, read_loop
from wrkparse.context.leads import LOOP, SEPARATOR, Surroundings
from wrkparse.context.slots.slots import Place, SlotText, setting_of
from wrkparse.tools import report_tools

SERIES = "series"  # 1, 2 and 3, or a, b and c, of which nobody knows whether they are repeats
_KIND = "loop"
_ADDRESS = frozenset({"host", "port", "path"})  # what a report that prints its URL says of it

Unclear = list[tuple[str, list[int]]]  # the texts of loops, and the runs below each of whose turns nothing is known


def loop_labels(places: Sequence[Place]) -> tuple[dict[int, dict[str, SlotText]], Unclear]:
    """The labels of the runs below loops, by their index, and the runs of which their turn is not clear.

    Where something contradicts, no run below the loop has a turn.
    """
    if not places or LOOP not in places[0].labels:  # all places have the same keys
        return {}, []
    groups: dict[tuple[str, str, str], list[int]] = defaultdict(list)
    for at, place in enumerate(places):
        if told := place.labels.get(LOOP):
            groups[place.source, place.tool, told].append(at)
    found: dict[int, dict[str, SlotText]] = {}
    unclear: Unclear = []
    for (_, tool, said), runs in groups.items():
        text = said.partition(": ")[2]  # behind the number of its line
        loop = read_loop(text)
        if loop is None:
            continue
        chosen = _chosen(loop, tool, [places[at] for at in runs])
        for at, (turn, line) in zip(runs, chosen, strict=False):
            found[at] = {
                key: SlotText(value, line or text, _KIND)
                for key, value in turn.labels.items()
                if places[at].labels.get(key) is None or (key == TITLE and not places[at].title)
            }
        varying = loop.varying if tool in _report_tools() else loop.varying_processes
        if not chosen and not _all_say(varying, [places[at] for at in runs]):
            unclear.append((text, runs))
    return found, unclear


def label_series(unclear: Unclear, places: Sequence[Place], found: Sequence[dict[str, SlotText]]) -> None:
    """Number the runs below loops of which nobody knows whether they are repeats: 1, 2, 3 … of each loop.

    Runs that other labels tell apart all need no number. Below the same command again the numbers are the same, as its
    turns are.
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
            found[at][key] = SlotText(str(number), text, _KIND)


def _report_tools() -> frozenset[str]:
    return frozenset(tool.name for tool in report_tools())


def _all_say(keys: frozenset[str], runs: Sequence[Place]) -> bool:
    """Whether each run says itself what differs between turns, as wrk prints its connections."""
    wanted = keys - {"url"}
    if len(wanted) < len(keys) and not wanted:
        return all(any(place.labels.get(key) for key in _ADDRESS) for place in runs)
    return all(place.labels.get(key) is not None for place in runs for key in wanted)


def _chosen(loop: Loop, tool: str, runs: Sequence[Place]) -> list[tuple[Turn, str]]:
    """The turn of each run, with the line above the run that says so; empty if it is not clear for all of them."""
    is_report = tool in _report_tools()
    turns, wanted = (loop.turns, tool) if is_report else (loop.processes, TRACES)
    chosen = [turn for turn in turns for name in turn.tools if name == wanted]
    lines = [_said(loop, place) for place in runs]
    in_order = len(runs) == len(chosen) and all(
        _fits(turn, place, said) for turn, place, (_, said) in zip(chosen, runs, lines, strict=True)
    )
    if in_order:
        return [(turn, line) for turn, (line, _) in zip(chosen, lines, strict=True)]
    found: list[tuple[Turn, str]] = []
    for place, (line, said) in zip(runs, lines, strict=True):
        own = loop.turn_of(said) if is_report else None
        able = [turn for turn in [*turns, *([own] if own else [])] if said and _fits(turn, place, said)]
        if len({tuple(turn.labels.items()) for turn in able}) != 1:
            return []
        found.append((able[0], line))
    is_twice = len({tuple(turn.labels.items()) for turn, _ in found}) < len(found)
    return [] if is_twice and not is_report else found  # a turn starts one program


def _fits(turn: Turn, place: Place, said: Mapping[str, str]) -> bool:
    """Whether a run may be of a turn, by what stands above it and by what it prints."""
    if any(
        bare(turn.values[name]).casefold() != value.casefold() for name, value in said.items() if name in turn.values
    ):
        return False
    held = ((value, place.labels.get(key)) for key, value in turn.labels.items())
    return all(own is None or own == value for value, own in held)


def _said(loop: Loop, place: Place) -> tuple[str, Mapping[str, str]]:
    """The line above a run that the loop has printed for it, and the values of variables in all such lines."""
    lines = [*Surroundings.of(place.labels).above.split(SEPARATOR), place.title or ""]
    found: dict[str, str] = {}
    shown = ""
    for line in lines:
        if said := loop.said(line):
            found |= said
            shown = line
    return shown, found

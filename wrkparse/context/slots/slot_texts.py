"""Finds the text of each run in each slot below the path: headings, title, process, host, program, messages."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import takewhile

from wrkparse.context.commands.load_tools import is_load_command
from wrkparse.context.nearby.evidence import (
    LINE_SEPARATOR,
    LINES_ABOVE,
    LINES_BELOW,
    PREFIX_WORDS,
    PRINTED_FILE,
    RESTARTED_UNIT,
    NearbyText,
)
from wrkparse.context.nearby.messages import distinguishing_words
from wrkparse.context.prefix_labels import without_process_number
from wrkparse.context.slots.places import URL_HOST, Place, PlaceSlot, rank_of_slot
from wrkparse.context.titles.name_extraction import has_only_common_words
from wrkparse.context.titles.path_parts import without_code_suffix, without_suffixes
from wrkparse.context.titles.settings.stated_words import stated_switch
from wrkparse.context.titles.titles import read_title

_QUOTED_VARIABLE = re.compile(r"""(?<![\w$.-])([A-Za-z_]\w{0,40})=["']([^"'\n]{1,60})["']""")


def split_sections(
    places: Sequence[Place], runs: Sequence[int]
) -> tuple[Sequence[str], dict[PlaceSlot, dict[int, str]]]:
    """The headings that all runs of a source share, and the slots of other headings, titles, processes and messages."""
    printed = {at: _headings_of(places[at]) for at in runs}
    holding = set(printed.values())
    headings = _without_uneven_levels(
        _with_outer_level({at: _without_sibling_headings(levels, holding) for at, levels in printed.items()})
    )
    shared = list(filter(None, _shared_levels(headings.values())))
    slots: dict[PlaceSlot, dict[int, str]] = defaultdict(dict)
    for at, levels in headings.items():
        for depth, heading in enumerate(levels[len(shared) :]):
            if heading:
                slots[PlaceSlot("section", depth)][at] = heading
    labels = places[runs[0]].labels
    nearby = _texts_near(places, runs) if LINES_ABOVE in labels or LINES_BELOW in labels else {}
    captions = _captions_of_runs(nearby)
    own = {
        "title": _without_suffixes({at: name for at in runs if (name := places[at].title or captions.get(at))}),
        "printed file": _printed_files({at: file for at in runs if (file := places[at].labels.get(PRINTED_FILE))}),
        "process": _shorten_processes({at: text for at in runs if (text := places[at].process)})
        or _names_in_prefixes(places, runs),
        "host": {at: text for at in runs if (text := places[at].labels.get(URL_HOST))},
        "program": _shorten_programs(_started_programs(places, runs)),
    }
    slots |= {PlaceSlot(kind): found for kind, found in own.items() if found}
    if nearby:  # a message holds for the runs that follow
        sections = {at: places[at].section for at in runs}
        stated = _stated_switches(nearby)
        quoted = {at: dict(_QUOTED_VARIABLE.findall(near.above)) for at, near in sorted(nearby.items())}
        leads = [
            _with_last_values(_with_keys_of_switches(names, stated), quoted)
            for names in distinguishing_words(nearby, sections)
        ]
        slots |= {PlaceSlot("lead", depth): names for depth, names in enumerate(leads)}
    return shared, dict(sorted(slots.items(), key=lambda item: rank_of_slot(item[0])))


def _headings_of(place: Place) -> tuple[str, ...]:
    """The headings above a run, without those that are commands of a load generator: their options are labels."""
    return tuple(text for text in (place.section or "").split(" > ") if not is_load_command(text)) or ("",)


def _texts_near(places: Sequence[Place], runs: Sequence[int]) -> dict[int, NearbyText]:
    """The lines near each run. If a run has none above it, its title counts if it begins like such a line.

    ``testing kiwi`` is alone above its run, and below ``built 3 files`` stands ``testing emu``: each ends the other.
    The title of the first run counts in any case: ``starting kiwi`` is alone there, below ``emu stopped`` elsewhere.
    A line that counts a repeat of the title (``Second run of kiwi:``) does not.
    """
    nearby = {at: _without_repeats_of_title(NearbyText.of(places[at].labels), places[at].title) for at in runs}
    openings = {line.partition(" ")[0] for near in nearby.values() for line in near.above.split(LINE_SEPARATOR)}
    for at, near in nearby.items():
        title = places[at].title or ""
        if not near.above and (at == runs[0] or title.partition(" ")[0] in openings):
            nearby[at] = near._replace(above=title)
    return nearby


def _stated_switches(nearby: Mapping[int, NearbyText]) -> dict[str, str]:
    """The lines above runs that say only whether something is on, by their switches: *true* of ``tls: true``."""
    lines = {line for near in nearby.values() for line in near.above.split(LINE_SEPARATOR)}
    return {switch: line for line in sorted(lines) if (switch := stated_switch(line))}


def _with_keys_of_switches(words: dict[int, str], stated: Mapping[str, str]) -> dict[int, str]:
    """Words from lines above runs; if all are switches behind one key, with this key: ``tls: true``."""
    switches = set(words.values())
    keys = {stated[switch].partition(":")[0] for switch in switches & stated.keys()}
    return {at: stated[word] for at, word in words.items()} if switches <= stated.keys() and len(keys) == 1 else words


def _with_last_values(words: dict[int, str], quoted: Mapping[int, Mapping[str, str]]) -> dict[int, str]:
    """Words from lines above runs; if they are the values of one quoted variable, the last value above each run.

    `quoted` are the variables above the runs, in their order. A line with a value of more words is no line of the same
    message: ``CFLAGS="-O2"``, ``CFLAGS="-O3 -march=native"``.
    """
    keys_of: dict[str, set[str]] = defaultdict(set)
    for variables in quoted.values():
        for key, value in variables.items():
            keys_of[value].add(key)
    keys = set.intersection(*(keys_of.get(word, set()) for word in set(words.values()))) if keys_of else set()
    if len(keys) != 1:
        return words
    key, last = keys.pop(), ""
    found: dict[int, str] = {}
    for at, variables in quoted.items():
        last = variables.get(key, last)
        if at in words:
            found[at] = last or words[at]
    return found


def _printed_files(files: Mapping[int, str]) -> dict[int, str]:
    """The names of files without suffixes and without the folders that all share; other folders are parts of names."""
    folders = [file.split("/")[:-1] for file in files.values()]
    shared = sum(1 for _ in takewhile(lambda parts: len(set(parts)) == 1, zip(*folders, strict=False)))
    return {at: without_suffixes("-".join(file.split("/")[shared:])) for at, file in files.items()}


def _without_suffixes(titles: Mapping[int, str]) -> dict[int, str]:
    """Titles without the suffixes of files; files of one folder lose it, too: ``results/kiwi.txt:`` is kiwi."""
    names = {at: without_suffixes(title) for at, title in titles.items()}
    folders = {title.rpartition("/")[0] for title in titles.values()}
    are_files = len(folders) == 1 and all(names[at] != title for at, title in titles.items())
    return {at: name.rpartition("/")[2] for at, name in names.items()} if are_files else names


def _without_repeats_of_title(nearby: NearbyText, title: str | None) -> NearbyText:
    """The lines near a run without those above it that have its title's name and count a repeat."""
    if not (title and nearby.above):
        return nearby
    name = read_title(title).name
    lines = [line for line in nearby.above.split(LINE_SEPARATOR) if not (name and _is_repeat_of(line, name))]
    return nearby._replace(above=LINE_SEPARATOR.join(lines))


def _is_repeat_of(line: str, name: str) -> bool:
    """Whether a line counts a repeat of what has this name."""
    if name not in line:
        return False
    read = read_title(line)
    return bool(read.repeat) and read.name == name


def _without_sibling_headings(levels: tuple[str, ...], holding: Collection[tuple[str, ...]]) -> tuple[str, ...]:
    """The headings above a run, without a heading that begins the next one and has runs of its own.

    ``### kiwi tuned`` below the runs of ``## kiwi`` is a sibling of it: of the two names, only the inner one is that of
    the run.
    """
    found: list[str] = []
    for depth, heading in enumerate(levels):
        if found and levels[:depth] in holding and heading.casefold().startswith(found[-1].casefold() + " "):
            found.pop()
        found.append(heading)
    return tuple(found)


def _shared_levels(headings: Iterable[tuple[str, ...]]) -> list[str]:
    """The outer headings that all runs share."""
    return [level[0] for level in takewhile(lambda level: len(set(level)) == 1, zip(*set(headings), strict=False))]


def _with_outer_level(headings: dict[int, tuple[str, ...]]) -> dict[int, tuple[str, ...]]:
    """The headings above each run; one that begins like those within the heading before it is one of them, too.

    ``### Data`` > ``#### loader -> kiwi``, ``#### loader -> emu``; ``### loader -> moa``: the last is a level too high.
    """
    depth = len(_shared_levels(headings.values()))
    within: dict[str, set[str]] = defaultdict(set)
    for levels in headings.values():
        if len(levels) > depth:
            within[levels[depth]].add("".join(levels[depth + 1 : depth + 2]))
    outer = [heading for heading, inner in within.items() if len(inner) > 1]
    if len(outer) != 1 or len(within) < 2:
        return headings
    siblings = {*within[outer[0]], *within} - {outer[0]}
    words = {heading.partition(" ")[0] for heading in siblings if " " in heading}
    shared = words.pop() if len(words) == 1 and all(" " in heading for heading in siblings) else ""
    # "with", "Test" and "Results" begin headings of any kind
    if not shared or outer[0].startswith(f"{shared} ") or has_only_common_words(shared):
        return headings
    return {
        at: levels if levels[depth:][:1] in ((), (outer[0],)) else (*levels[:depth], outer[0], *levels[depth:])
        for at, levels in headings.items()
    }


def _without_uneven_levels(headings: dict[int, tuple[str, ...]]) -> dict[int, tuple[str, ...]]:
    """The headings above each run, without one above another whose parts have the same headings as its own.

    ``# kiwi`` > ``## c=10`` and ``# kiwi`` > ``## emu`` > ``### c=10``: someone wrote the second name a level too deep.
    """
    depth = len(_shared_levels(headings.values()))
    if not depth:
        return headings
    below: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for levels in headings.values():
        if len(levels) > depth + 1:
            below[levels[depth]].add(levels[depth + 1 :])
    own = {levels[depth:] for levels in headings.values() if len(levels) == depth + 1}
    siblings = {name for name, parts in below.items() if (name,) not in own and parts <= own}
    return {
        at: levels[: depth - 1] + levels[depth:] if len(levels) > depth and levels[depth] in siblings else levels
        for at, levels in headings.items()
    }


def _captions_of_runs(nearby: Mapping[int, NearbyText]) -> dict[int, str]:
    """The caption of each run, such as ``*Listing 2: kiwi*``.

    It is the only line below the run, or below the run that follows directly.
    """
    captions: dict[int, str] = {}
    below = ""
    # from the last run: a caption also holds for the run directly above
    for at in sorted(nearby, reverse=True):
        of_run = nearby[at]
        captions[at] = ("" if LINE_SEPARATOR in of_run.below else of_run.below) or below
        # a line above a run ends what a caption below holds for
        below = "" if of_run.above else captions[at]
    return captions


def _started_programs(places: Sequence[Place], runs: Sequence[int]) -> dict[int, str]:
    """The program of each run: the one that a command started, or restarted if several programs are.

    If all restarts are of one program, they name nothing.
    """
    started = {at: name for at in runs if (name := places[at].labels.get("program"))}
    restarted = {at: name for at in runs if (name := places[at].labels.get(RESTARTED_UNIT))}
    return started | restarted if len(set(restarted.values())) > 1 else started


def _shorten_programs(programs: Mapping[int, str]) -> dict[int, str]:
    """Programs without suffixes, and without the interpreter if all have the same: ``node kiwi.js`` is kiwi.

    Images lose their owner, unless only the owner distinguishes them: ``acme/api:1.4`` is api:1.4.
    """
    split = {at: program.partition(" ") for at, program in programs.items()}
    if len({(interpreter, blank) for interpreter, blank, _ in split.values()}) == 1:
        programs = {at: script or interpreter for at, (interpreter, _, script) in split.items()}
    images = {name: name if name.startswith((".", "/")) else name.rpartition("/")[2] for name in programs.values()}
    if len(set(images.values())) == len(images):
        programs = {at: images[program] for at, program in programs.items()}
    return {at: without_code_suffix(program) for at, program in programs.items()}


def _shorten_processes(prefixes: Mapping[int, str]) -> dict[int, str]:
    """Processes without number and machine, and the part in which pods and their containers differ.

    ``load1 api[2208]`` is api; ``pod/emu/main`` is emu beside ``pod/kiwi/main``, and main beside ``pod/emu/proxy``.
    """
    names = {at: without_process_number(text).rpartition(" ")[2] for at, text in prefixes.items()}
    pods = {at: name.split("/", 2)[1] for at, name in names.items() if name.startswith("pod/")}
    if len(pods) == len(names) and len(set(pods.values())) == len(set(names.values())):
        names = pods
    elif len(pods) == len(names) and len(set(pods.values())) == 1:
        names = {at: name.rpartition("/")[2] for at, name in names.items()}
    return {at: without_suffixes(name) for at, name in names.items()}


# "-7d9f8b6c5" and "-x4k2z" of "kiwi-7d9f8b6c5-x4k2z": parts with a digit
_IDENTIFYING_PART = re.compile(r"(?:[-_.:@/#]|\A)(?=[^\W_0-9]{0,40}[0-9])[^\W_]{1,100}(?=[\W_]|\Z)")

_STATISTICS = frozenset(
    """average avg best fastest first highest last lowest max maximum mean median min minimum slowest stddev stdev
    worst""".split()
)


def _names_in_prefixes(places: Sequence[Place], runs: Sequence[int]) -> dict[int, str]:
    """The words of the prefixes of runs if nothing else names them.

    A title or a heading that all of them have names none of them, and a known name among the prefixes is one of them.
    Statistics alone (``best``, ``worst``) are about runs of one name.
    Words that all of them share are left out, as are parts with digits of words that only one run has: they may be
    identifiers, ``kiwi-7d9f8b6c5-x4k2z``.
    """
    if len({(places[at].title, places[at].section) for at in runs}) > 1:
        return {}
    if any(places[at].labels.get("framework") not in (None, places[at].labels.get(PREFIX_WORDS)) for at in runs):
        return {}
    whole = {at: words.split() for at in runs if (words := places[at].labels.get(PREFIX_WORDS))}
    times = Counter(word for words in whole.values() for word in set(words))
    if all(word.casefold() in _STATISTICS for word in times):
        return {}
    found = {at: [word if times[word] > 1 else _IDENTIFYING_PART.sub("", word) for word in whole[at]] for at in whole}
    times = Counter(word for words in found.values() for word in set(words))
    own = {at: [word for word in words if word and times[word] < len(found)] for at, words in found.items()}
    if not all(any(map(str.isalpha, "".join(words))) for words in own.values()):  # "worker 1", "worker 2"
        own = whole
    return {at: name for at, words in own.items() if (name := " ".join(word.rpartition("/")[2] for word in words))}

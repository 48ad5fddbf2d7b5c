"""The styles of the series of a figure: the colour says one label, shade and marker say the others.

The label of the colours is the framework if there are several; a framework has the same colour in all figures that
share styles.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

import pandas as pd

from wrkparse.analysis.runs.labels.labels import label_text
from wrkparse.plot.runs import run_names
from wrkparse.plot.series import Group, key_title, sorted_groups
from wrkparse.plot.style.palette import SeriesStyle, series_style, shaded_style

_FRAMEWORK = "framework"
_RUN = "run"


class _SharedColours(NamedTuple):
    """The label of the colours of all figures that are drawn, and its values in their order."""

    key: str
    order: tuple[Group, ...]


_NOTHING = _SharedColours("", ())
_SHARED: ContextVar[_SharedColours] = ContextVar("the colours of all figures that are drawn", default=_NOTHING)


@contextmanager
def shared_styles(keys: Sequence[str], groups: Iterable[Group]) -> Iterator[None]:
    """Let all figures in the block give a framework the same colour, even if a figure has only some of them.

    `groups` are the values of the labels `keys` in all figures. Without several frameworks, the first of the labels
    with several values has the colours.
    """
    # A context variable, so that `redrawn`, which runs in a copy of the context, finds these colours later.
    token = _SHARED.set(_SharedColours(*_colour_label(keys, list(groups))))
    try:
        yield
    finally:
        _SHARED.reset(token)


def series_styles(keys: Sequence[str], groups: Iterable[Group]) -> dict[Group, SeriesStyle]:
    """A style for each group of values of the labels `keys`.

    It depends on the set of groups only, so that all panels of a figure agree; within `shared_styles`, colours depend
    on the set of the shared values, if they are among these.
    """
    listed = sorted_groups(groups)
    key, order = _colour_label(keys, listed)
    if not key:
        return {group: series_style(at) for at, group in enumerate(listed)}
    at = list(keys).index(key)
    shades = _shades((group[at : at + 1], (*group[:at], *group[at + 1 :])) for group in listed)
    most = 1 + max(shades.values())
    return {
        group: shaded_style(order.index(group[at : at + 1]), shades[group[at : at + 1], rest], most)
        for group in listed
        for rest in [(*group[:at], *group[at + 1 :])]
    }


def coloured_label(keys: Sequence[str]) -> list[str]:
    """The label of the colours if it is among `keys`, so that lines of panels by it can have its colours; else none."""
    return [key for key in keys if key == (_SHARED.get().key or _FRAMEWORK)]


def style_words(keys: Sequence[str], groups: Iterable[Group]) -> str:
    """What the styles say: ``colours: framework; shades: connections``."""
    key, _ = _colour_label(keys, sorted_groups(groups))
    rest = ", ".join(key_title(one) for one in keys if one != key)
    if not key or not rest:
        return f"colours: {', '.join(map(key_title, keys)) or 'all runs'}"
    return f"colours: {key_title(key)}; shades: {rest}"


def run_styles(runs: pd.DataFrame, names: Mapping[str, str]) -> list[SeriesStyle]:
    """A style for each run of `names`, which maps runs to their distinct names, in this order.

    `runs` is the frame ``ds.runs``. The colour says the framework, if there are several, and the shade the rest of the
    name.
    """
    key = _SHARED.get().key or _FRAMEWORK
    stated = dict(zip(runs[_RUN], runs[key], strict=True)) if key in runs else {}
    frameworks = {run: label_text(stated.get(run)) for run in names}
    # Without the framework, which the colour says; the rest gives the shade.
    rest = run_names(runs, names, shown=(key,))
    groups = [(frameworks[run], rest[run]) for run in names]
    # Runs whose rest is the same would share a style; their whole names differ.
    if len(set(groups)) < len(groups):
        groups = [(frameworks[run], name) for run, name in names.items()]
    styles = series_styles((key, _RUN), groups)
    return [styles[group] for group in groups]


def _colour_label(keys: Sequence[str], groups: Sequence[Group]) -> tuple[str, tuple[Group, ...]]:
    """The label that has the colours, and its values in the order of the colours.

    It is the shared one, else the framework, else the first. A label that has the same value in all groups gets no
    colours, unless other figures share them and their groups differ in it. The key is empty if no label gets colours.
    """
    shared = _SHARED.get()
    # False sorts before True: the shared label, then the framework, then the others in their order.
    for key in sorted(dict.fromkeys(keys), key=lambda key: (key != shared.key, key != _FRAMEWORK)):
        at = list(keys).index(key)
        order = tuple(sorted_groups(group[at : at + 1] for group in groups))
        # A figure of some frameworks takes the order of all: else its first one would get the first colour.
        if key == shared.key and set(order) <= set(shared.order):
            order = shared.order
        if len(order) > 1:
            return key, order
    return "", ()


def _shades(pairs: Iterable[tuple[Group, Group]]) -> dict[tuple[Group, Group], int]:
    """The number of the shade of each pair of a colour and the other labels.

    If all colours have the same others, these have the same shade in each; else those of a colour are counted.
    """
    by_colour: dict[Group, list[Group]] = {}
    for colour, rest in pairs:
        by_colour.setdefault(colour, []).append(rest)
    every = sorted_groups(rest for of_colour in by_colour.values() for rest in of_colour)
    # kiwi and emu, each at 64 and 256 connections: 64 has the same shade in both.
    crossed = len(every) == max(map(len, by_colour.values()))
    return {
        (colour, rest): (every if crossed else sorted_groups(of_colour)).index(rest)
        for colour, of_colour in by_colour.items()
        for rest in of_colour
    }

"""Reads compounds in headings, which scripts make like names of files: ``=== kiwi_gogc50_1``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from wrkparse.context.slots.name_numbers import with_number
from wrkparse.context.slots.repeats import are_repeat_numbers, is_numbered_thing, without_repeat_letters
from wrkparse.context.titles.path_parts import without_suffixes
from wrkparse.context.titles.titles import Title, read_path_part, read_title

_SEPARATORS = str.maketrans("/:", "--")  # signs that names of files do not have


def with_compounds_read(titles: Mapping[int, Title]) -> dict[int, Title]:
    """Titles with the settings and numbers in their names, if each name is one word and each title has a setting.

    The number in ``kiwi-c64-1`` counts repeats. Without settings it may belong to the name, as in ``http-1``, and it
    always does beside a word for things that numbers tell apart: ``c64-http-1``.
    """
    read = {at: _with_compound_read(title) for at, title in titles.items()}
    if not all(title.name and (title.settings or title.possible_settings) for title in read.values()):
        return dict(titles)
    names = without_repeat_letters({at: title.name for at, title in read.items()})
    return {at: title._replace(name=names.get(at, "")) for at, title in read.items()}


def are_repeats_of_compound(texts: Iterable[str]) -> bool:
    """Whether texts are the same compound with the same settings, and their numbers count repeats: ``kiwi-c64-1``."""
    titles = dict(enumerate(map(read_title, texts)))
    read = with_compounds_read(titles)
    kinds = {title._replace(numbers=(), repeat="") for title in read.values()}
    return read != titles and len(kinds) == 1 and are_repeat_numbers([title.numbers for title in read.values()])


def _with_compound_read(title: Title) -> Title:
    """A title with the settings and numbers in its name, and without a name if that has several words."""
    if len(title.name.split()) != 1:
        return title._replace(name="")
    if "(" in title.name:  # "kiwi(pooled)"; scripts make no brackets
        return title
    compound = read_path_part(without_suffixes(title.name).translate(_SEPARATORS))
    if len(compound.numbers) == 1 and is_numbered_thing(compound.name):
        compound = compound._replace(name=with_number(compound.name, compound.numbers, title.name), numbers=())
    return Title(
        (*title.settings, *compound.settings),
        compound.name,
        ", ".join(filter(None, (title.repeat, compound.repeat))),
        (*compound.numbers, *title.numbers),
        (*title.possible_settings, *compound.possible_settings),
    )

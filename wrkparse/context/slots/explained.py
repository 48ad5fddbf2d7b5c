"""The words and the numbers of a name that labels of its run say already: ``kiwi-c64`` at 64 connections is kiwi."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from wrkparse.context.leads import MATERIAL
from wrkparse.context.titles.path_parts import without_code_suffix
from wrkparse.context.titles.vocabulary import LETTERS

# Labels whose words say how a run was loaded or started, or what was measured, not where it stands.
# Words that say of the next ones whether they are there: "with cache" is one condition.
_PATH = "path"
_SILENT = frozenset(
    {"url", "url_host", "host", "title", "process", "program", "framework", "server_software", *MATERIAL}
)
SILENT_PREFIXES = ("env_", "flag_")
_LETTER_OF = {key: letter for letter, key in LETTERS.items() if letter.islower()}
_MEMORY_LIMIT, _MEMORY_WORDS = "gomemlimit", ("gomemlimit", "memlimit", "limit", "mem")  # "mem256MiB"
WORD = re.compile(r"[^\W_]+(?:[.:@][0-9]+|['’][^\W\d_]{1,2}(?![^\W_]))*")  # "1.21", "cat's"
# In a heading blanks part words: "graph-q" is one. In the name of a file any sign does.
_SEPARATORS = re.compile(r"[-_. ]{2,}")
TYPED_WORD = re.compile(r"\S+")
_SIGNS = " ,;:()[]+-–—/|&@\"'"


class Explained:
    """The words and the numbers that a run's labels say already."""

    def __init__(self, labels: Mapping[str, str | None]) -> None:
        values = [
            (key, value)
            for key, value in labels.items()
            if value is not None and key not in _SILENT and not key.startswith(SILENT_PREFIXES)
        ]
        self._words = set(_words_of(values))
        self._beside_path = set(_words_of((key, value) for key, value in values if key != _PATH))

    def rest_of(self, name: str, words: re.Pattern[str], kept: Collection[str]) -> str:
        """A name without the explained words but those that are `kept`.

        As it is if none is, or if the path alone explains all of them: GraphQL at ``/graphql``. Numbers that a name in
        a path still has are parts of it: ``server_2`` under two threads.
        """
        known = self._words.difference(kept)
        if words is WORD:
            known = {word for word in known if not word.isdecimal()}
        found = words.findall(name)
        plain = {word.strip(_SIGNS).casefold() for word in found if any(map(str.isalpha, word))}
        if plain and plain <= known and not plain & self._beside_path:
            return name
        left = [word for word in found if word.strip(_SIGNS).casefold() not in known]
        if len(left) == len(found):
            return name
        if words is not WORD:
            return _without_signs(" ".join(left))
        rest = words.sub(lambda word: "" if word[0].casefold() in known else word[0], name)
        return _without_signs(_SEPARATORS.sub(lambda signs: signs[0][0], rest)).strip("_.")

    def is_of_path(self, word: str) -> bool:
        """Whether the path of the run's URL has a word, and no other label."""
        return word in self._words and word not in self._beside_path

    def has(self, number: str) -> bool:
        """Whether a number is a label's value."""
        return (number.lstrip("0") or "0") in self._words


def _words_of(labels: Iterable[tuple[str, str]]) -> Iterator[str]:
    """The words of keys and values of labels, in small letters; of a path without the suffix of a program's file."""
    for key, text in labels:
        value = without_code_suffix(text) if key == _PATH else text
        yield from (word.casefold() for word in (*key.split("_"), value, *WORD.findall(value)))
        if key in _LETTER_OF and value.isdecimal():  # "d10" and "d10s" in the name of a file
            yield from (f"{_LETTER_OF[key]}{value}", f"{_LETTER_OF[key]}{value}s")
        if key == _MEMORY_LIMIT:
            yield from (f"{word}{value}".casefold() for word in _MEMORY_WORDS)


def _without_signs(text: str) -> str:
    """A text without the signs at its ends; a bracket stays if its other one is within the text."""
    stripped = text.strip(_SIGNS)
    for opening, closing in ("()", "[]"):
        if stripped.count(opening) > stripped.count(closing):
            at = text.index(stripped) + len(stripped)
            stripped += closing if text[at : at + 1] == closing else ""
    return stripped

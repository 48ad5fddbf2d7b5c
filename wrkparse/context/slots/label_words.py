"""Removes from a name the words and numbers that labels of its run contain: ``kiwi-c64`` at 64 connections is kiwi."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from wrkparse.context.nearby.evidence import EVIDENCE_KEYS
from wrkparse.context.titles.path_parts import without_code_suffix
from wrkparse.context.titles.vocabulary import OPTION_LETTERS

# Keys of labels that repeat the load, the command or the framework; their words may be parts of names.
_PATH = "path"
_IGNORED_KEYS = frozenset(
    {"url", "url_host", "host", "title", "process", "program", "framework", "server_software", *EVIDENCE_KEYS}
)
IGNORED_KEY_PREFIXES = ("env_", "flag_")
_LETTER_OF = {key: letter for letter, key in OPTION_LETTERS.items() if letter.islower()}
_MEMORY_LIMIT, _MEMORY_WORDS = "gomemlimit", ("gomemlimit", "memlimit", "limit", "mem")  # "mem256MiB"
WORD = re.compile(r"[^\W_]+(?:[.:@][0-9]+|['’][^\W\d_]{1,2}(?![^\W_]))*")  # "1.21", "cat's"
# In a heading blanks separate words: "graph-q" is one word. In the name of a file any sign does.
_SEPARATORS = re.compile(r"[-_. ]{2,}")
BLANK_SEPARATED_WORD = re.compile(r"\S+")
# How much was asked for, behind the name of the resource: "Small table (50 rows)" at /small-table.
_QUANTITY = re.compile(
    r"\((?:[0-9]|(?:all|empty|few|many|multiple|no|one|several|single)\b)[^()]{1,60}\)", re.IGNORECASE
)
# A version behind a name: "kiwi v1.2" at /kiwi.
_ONLY_BESIDE_NAME = re.compile(
    rf"{_QUANTITY.pattern}|v?[0-9]{{1,4}}(?:\.[0-9]{{1,4}}){{0,3}}(?:-[\w.]{{1,20}})?", re.IGNORECASE
)
_END_SIGNS = " ,;:()[]+-–—/|&@\"'"


class LabelWords:
    """The words and numbers in the labels of a run."""

    def __init__(self, labels: Mapping[str, str | None]) -> None:
        values = [
            (key, value)
            for key, value in labels.items()
            if value is not None and key not in _IGNORED_KEYS and not key.startswith(IGNORED_KEY_PREFIXES)
        ]
        self._words = set(_words_of(values))
        self._beside_path = set(_words_of((key, value) for key, value in values if key != _PATH))

    def removed_from(self, name: str, words: re.Pattern[str], kept: Collection[str]) -> str:
        """A name without the words of labels, except the words `kept`.

        The name stays unchanged if it has no such word, or if all its words are in the path of the URL only: GraphQL at
        ``/graphql``, also with a quantity or a version: ``Users (10 rows)`` at ``/users``, ``kiwi v1.2`` at ``/kiwi``.
        Numbers in the name of a path are parts of it: ``server_2`` with two threads.
        """
        known = self._words.difference(kept)
        if words is WORD:
            known = {word for word in known if not word.isdecimal()}
        found = words.findall(name)
        plain = {word.strip(_END_SIGNS).casefold() for word in found if any(map(str.isalpha, word))}
        if plain and plain <= known and not plain & self._beside_path:
            return name
        if words is not WORD and _names_more_than_path(found, known):
            known.discard(_PATH)
        left = [word for word in found if word.strip(_END_SIGNS).casefold() not in known]
        if len(left) == len(found):
            return name
        if words is not WORD:
            # A quantity or a version alone is no name.
            if _ONLY_BESIDE_NAME.fullmatch(" ".join(left)) and not plain & self._beside_path:
                return name
            return _without_end_signs(" ".join(left))
        rest = words.sub(lambda word: "" if word[0].casefold() in known else word[0], name)
        return _without_end_signs(_SEPARATORS.sub(lambda signs: signs[0][0], rest)).strip("_.")

    def is_only_in_path(self, word: str) -> bool:
        """Whether the path of the URL contains a word, and no other label does."""
        return word in self._words and word not in self._beside_path

    def has_word(self, word: str) -> bool:
        """Whether a label contains a word in lower case."""
        return word in self._words

    def has_number(self, number: str) -> bool:
        """Whether a number is the value of a label."""
        return (number.lstrip("0") or "0") in self._words


def _words_of(labels: Iterable[tuple[str, str]]) -> Iterator[str]:
    """The words of keys and values of labels in lower case; of a path without the suffix of a file of a program."""
    for key, text in labels:
        value = without_code_suffix(text) if key == _PATH else text
        yield from (word.casefold() for word in (*key.split("_"), value, *WORD.findall(value)))
        if key == _PATH:  # "All users" of /user
            yield from (f"{word.casefold()}s" for word in WORD.findall(value) if word.isalpha())
        if key in _LETTER_OF and value.isdecimal():  # "d10" and "d10s" in the name of a file
            yield from (f"{_LETTER_OF[key]}{value}", f"{_LETTER_OF[key]}{value}s")
        if key == _MEMORY_LIMIT:
            yield from (f"{word}{value}".casefold() for word in _MEMORY_WORDS)


def _names_more_than_path(words: Sequence[str], known: Collection[str]) -> bool:
    """Whether *path* is a word of a name: ``latte path based routing`` at /latte. It is a key in ``path /latte``."""
    plain = [word.strip(_END_SIGNS).casefold() for word in words]
    return any(word == _PATH and behind not in known for word, behind in pairwise(plain))


def _without_end_signs(text: str) -> str:
    """A text without the signs at its ends; a closing bracket stays if the text contains its opening one."""
    stripped = text.strip(_END_SIGNS)
    for opening, closing in ("()", "[]"):
        if stripped.count(opening) > stripped.count(closing):
            at = text.index(stripped) + len(stripped)
            stripped += closing if text[at : at + 1] == closing else ""
    return stripped

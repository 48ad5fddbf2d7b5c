"""Recognises titles that lead in to runs and name nothing: ``At first all goes well:``, ``Let's try at 4k:``.

Words do not decide, so any language will do, but the form of the titles of one page. A long title is a sentence unless
it has a word with the form of a name, or is like another title: ``Without the pool`` and ``With the pool``. Beside a
sentence the other titles are prose, too, except whole lines of one word (``Kiwi:``): what is left of ``Let's try`` is
no name, and looks like what is left of ``kiwi at 4k``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from itertools import takewhile

from wrkparse.context.slots.places import Names
from wrkparse.context.structure.names.name_kinds import NameKind, kind_of_name

_FEWEST_WORDS = 4  # words of a sentence; a name may be "Plain event loop"
_MOST_DIFFERENT_WORDS = 3  # words in which titles about different things differ
# A word with the form of a name: mod_kiwi, kiwi-fpm, KiwiServer, kiwi2; not "50k", nor "l'esecuzione".
_NAME_LIKE = re.compile(r"(?=[^\W\d_]\w*(?:[_./#+-][\w+#]|[a-z][A-Z]|[0-9]))[\w.+#/-]+")
_CLAUSE_END = re.compile(r"[,;，；]\s")
_ASCII_WORD = re.compile(r"[A-Za-z][\w.+#/-]*", re.ASCII)
_END_SIGNS = " ,;:：.!"


def without_lead_ins(names: Names, titles: Mapping[int, str]) -> Names:
    """The names of runs without those that sentences above the runs leave; `titles` are the lines of the names."""
    texts = {titles.get(at, name): name for at, name in names.items()}
    unsure = {text for text, name in texts.items() if not _is_surely_named(text, name, texts)}
    # "kiwi:", "emu:" and a sentence in Russian
    are_latin = len(texts) > len(unsure) + 1 and not any(
        _is_other_script(texts[text]) for text in texts.keys() - unsure
    )
    prose = {text for text in unsure if len(_words(text)) > 1}
    if not any(_has_clause(texts[text]) for text in unsure):
        prose = {text for text in prose if are_latin and _is_other_script(texts[text])}
    return {at: name for at, name in names.items() if titles.get(at, name) not in prose}


def _has_clause(name: str) -> bool:
    """Whether a part of a name between commas has as many words as a sentence; ``kiwi, pool of 8`` has settings."""
    return any(len(_words(part)) >= _FEWEST_WORDS for part in _CLAUSE_END.split(name))


def _is_surely_named(text: str, name: str, texts: Collection[str]) -> bool:
    """Whether a name is a known one, has a word with the form of a name, or differs from that of a similar title."""
    words = name.split() if name in text else []  # else a word within it was taken out
    if kind_of_name(name) is NameKind.KNOWN or any(map(_NAME_LIKE.fullmatch, words)):
        return True
    if _is_other_script(name) and any(map(_ASCII_WORD.fullmatch, words)):
        return True
    return any(_are_alike(_words(text), _words(other)) for other in texts if other != text)


def _is_other_script(name: str) -> bool:
    """Whether most letters of a name are not Latin."""
    letters = list(filter(str.isalpha, name))
    return 2 * sum(letter > "\u024f" for letter in letters) > len(letters)


def _are_alike(words: list[str], others: list[str]) -> bool:
    """Whether two titles share words at their ends, and differ in a few words between them."""
    front = _count_shared(words, others)
    back = _count_shared(words[front:][::-1], others[front:][::-1])
    rest = max(len(words), len(others)) - front - back
    return front + back > 0 and rest <= _MOST_DIFFERENT_WORDS


def _count_shared(words: list[str], others: list[str]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(words, others, strict=False)))


def _words(text: str) -> list[str]:
    """The words of a text in lower case, without the signs at their ends."""
    return [plain for word in text.split() if (plain := word.strip(_END_SIGNS).casefold())]

"""Shortens sentences above runs to names: keeps the words in which they differ.

``Now the same with gzip turned on:`` and ``Without gzip:`` → with gzip turned on, without gzip. Filler words at the
ends are left out, and words that all sentences share there. A word that says whether something is present (*with*,
*no*) stays. If nothing would be left, or two names would be equal, the names stay longer.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from itertools import pairwise, takewhile

from wrkparse.context.titles.decoration import undecorated
from wrkparse.context.titles.titles import read_title

_LONGEST = 60  # characters
# A long one is a command with a few options; in brackets it explains the words before them.
_CODE = re.compile(r"`([^`]{1,60}|(?<![(（]`)[^`]{61,120})`")
_NEGATION = re.compile(
    r"\b(?:without|not?|off|w/o|disabl\w+|remov\w+|dropp\w+|minus|undo\w*|revert\w*)(?!\w)", re.IGNORECASE
)
_LAST_SENTENCE = re.compile(r"(?<!\.)[.!?]\s+(?=[^a-z\s][^.!?]{0,60}[:：?]\Z)")
_STRESSED_WORDS = frozenset(  # which name nothing
    """all also always any both even every far great huge just less many more most much must never no not now one only
    really same significantly slightly so still that the these this those too very with without""".split()
)
_EMPHASIS = re.compile(
    r"(?<![\w*])(?:\*{1,2}|__?)([^\s*_][^*_]{0,40})(?:\*{1,2}|__?)(?![\w*])(?=.)"
)  # within a sentence
_STAMP = re.compile(r"\[?[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?\]?\s+")
_SPEAKER = re.compile(r"@?[a-z][\w.-]{0,20}:(?:\s+|\Z)", re.IGNORECASE)
_COMMIT = re.compile(r"\[?\b([0-9a-f]{7})[0-9a-f]{33}\b\]?")  # as git bisect prints it
# The text that sed writes in place of a line: "sed -i 's/^worker_processes .*/worker_processes 4;/' nginx.conf".
_SUBSTITUTED = re.compile(
    r"\bsed\s-i\S{0,9}\s(?:-[eE]\s)?(['\"])s([/|#,@])(?:(?!\2).){1,200}\2((?:(?!\2|\1).){1,60})\2\w?\1"
)
# A back-reference of sed, or an unescaped "&"; a backslash escapes the next sign, also a second backslash.
_REPLACED_PART = re.compile(r"(?<!\\)(?:\\\\){0,30}(?:\\[0-9]|&)")
_ADDENDUM = re.compile(r"\A(?:edit|update|ps|addendum)(?:\s[0-9]{1,2})?:\s+(?=\S)", re.IGNORECASE)
# Filler words at the beginning of a sentence above a run, in the languages of the pages that were examined.
_FIRST_FILLER_WORDS = frozenset(
    """a about an and are as benchmark benchmarks first finally happens here here's i i'm if is it it's just last lastly
    let's look looks me my next now of ok okay our results result run runs running ran same see second secondly so
    started starting test tested testing
    that that's the then there these third this those time times try tried trying was we what which you
    again also but got get gives
    aber auch dann das die der ein eine ergebnis ergebnisse es hier ich ist jetzt nun und wir zuerst zuletzt
    ahora aquí el la los las luego resultados primero y et ici je le les maintenant puis résultats voici
    adesso e ecco il ora poi risultati agora aqui depois o os resultados""".split()
) | {""}  # a dash
_LAST_FILLER_WORDS = frozenset(
    """again and gave gives here i it once more now produces ran run same shows the then this time too us we yielded
    yields""".split()
) | {""}
# Words that mean something only with the next word: both must stay.
_JOINING_WORDS = frozenset(
    """after at before by for from in into no not of off on only over to using via when with without w/ w/o
    als auf bei mit nach ohne vor avec sans après avant con sin con senza com sem""".split()
)
_END_SIGNS = " ,;:：.!?…"  # a name may begin with a hyphen, as an option does
_EDGE_SIGNS = _END_SIGNS + "–—-()[]\"'“”"


def sentence_names(sentences: Iterable[str]) -> dict[str, str]:
    """A short name for each of some sentences, no two equal."""
    sentences = sorted(set(sentences))
    texts = {sentence: _last_sentence(sentence) for sentence in sentences}
    ways: tuple[Callable[[], dict[str, str]], ...] = (
        lambda: {sentence: _emphasised(sentence) for sentence in sentences},
        lambda: {sentence: _name_if_clear(_name_in_sentence(text)) for sentence, text in texts.items()},
        lambda: _varying_parts({sentence: _name_in_sentence(text) or text for sentence, text in texts.items()}),
        lambda: _varying_parts(texts),
        lambda: {sentence: undecorated(sentence).rstrip(":： ") for sentence in sentences},
    )
    for way in ways:
        names = way()
        short = shorten_names(names.values())
        names = {sentence: short[name] for sentence, name in names.items()}
        if all(names.values()) and len({name.casefold() for name in names.values()}) == len(names):
            return names
    short = shorten_names(texts.values())
    return {sentence: short[text] for sentence, text in texts.items()}


def _emphasised(sentence: str) -> str:
    """The only text in italics or in bold: *kiwi* of ``The results of *kiwi* on this box:``; empty unless it is one."""
    found = _EMPHASIS.findall(sentence)
    return found[0] if len(found) == 1 and found[0].casefold() not in _STRESSED_WORDS else ""


def without_filler_words(names: dict[str, str]) -> dict[str, str]:
    """Names of three words or more without filler words at their beginning: ``Und jetzt mit kiwi`` beside ``Mit emu``.

    Empty if no name begins with one, or if the names would not stay different.
    """
    if not any(len(name.split()) > 2 and _fold_word(name.split()[0]) in _FIRST_FILLER_WORDS for name in names.values()):
        return {}
    found = _varying_parts(names)
    return found if len(set(found.values())) == len(names) and all(found.values()) else {}


def shorten_names(names: Iterable[str]) -> dict[str, str]:
    """Each name in at most 60 characters, cut between two words; names that would be equal then stay whole.

    Words that a name shares with another one at the beginning are cut first: ``emu serve --port … --with-cache``.
    """
    names = list(names)
    shared = _shared_beginnings(names)
    short = {name: _shorten_name(name, shared[name]) for name in names}
    times = Counter(map(str.casefold, short.values()))
    return {name: cut if times[cut.casefold()] == 1 else name for name, cut in short.items()}


def _shared_beginnings(names: Iterable[str]) -> dict[str, int]:
    """How many words each name shares at its beginning with any other one."""
    words = sorted((list(map(_fold_word, name.split())), name) for name in set(names))
    found = {name: 0 for _, name in words}
    # In this order, no other name shares more words than a neighbour.
    for (one, name), (other, next_name) in pairwise(words):
        shared = _count_shared_words([one, other])
        found[name], found[next_name] = max(found[name], shared), shared
    return found


def _shorten_name(name: str, shared: int) -> str:
    """A name in at most 60 characters, without some of the first `shared` words, or of the last ones.

    It stays whole if it has no other words than those.
    """
    words = name.split()
    if len(name) <= _LONGEST or shared == len(words):
        return name
    # "--cache off" beside "--cache on", "with pool" beside "with cache"
    if shared and (words[shared - 1].startswith("-") or _fold_word(words[shared - 1]) in _JOINING_WORDS):
        shared -= 1
    begin, end = words[:shared], " ".join(words[shared:])
    while begin and len(" ".join((*begin, "…", end))) > _LONGEST:
        begin.pop()
    if begin:
        return " ".join((*begin, "…", end))
    cut = _cut(name, _LONGEST)
    return cut if shared < len(cut.split()) - 1 else f"… {_cut(end, _LONGEST - 2)}"


def _cut(name: str, most: int) -> str:
    """A name without the words beyond its first `most` characters."""
    return name if len(name) <= most else name[:most].rpartition(" ")[0].rstrip(",;:") + " …"


def without_speaker(line: str) -> str:
    """A line of a chat without time and speaker: ``[10:34] mira: now kiwi``; other lines unchanged."""
    stamped = _STAMP.match(line)
    speaker = _SPEAKER.match(line, stamped.end()) if stamped else None
    return line[speaker.end() :] if speaker else line


def without_stamp(line: str) -> str:
    """A line of a log without the time in front: ``[10:34:00] now kiwi``; a line of a chat stays."""
    stamped = _STAMP.match(line)
    return line[stamped.end() :] if stamped and not _SPEAKER.match(line, stamped.end()) else line


def text_written_by_sed(command: str) -> str:
    """What a command of sed writes into a file: *pool 8* of ``sed -i 's/^pool .*/pool 8;/' kiwi.conf``; else empty.

    A text with a part of what it replaces (``\\1``, ``&``) is not known.
    """
    substituted = _SUBSTITUTED.search(command)
    return "" if not substituted or _REPLACED_PART.search(substituted[3]) else substituted[3].strip(_END_SIGNS)


def _last_sentence(sentence: str) -> str:
    """The last sentence of a text, without speaker and time: ``sure, here you go. Default:`` is Default."""
    if written := text_written_by_sed(sentence):
        return written
    text = _COMMIT.sub(r"\1", _LAST_SENTENCE.split(without_speaker(sentence))[-1])
    codes = _CODE.findall(text)
    if len(codes) == 1 and not _NEGATION.search(text):
        return str(codes[0]).strip(_END_SIGNS)
    text = undecorated(text.replace("**", "").replace("`", ""))
    return _ADDENDUM.sub("", text).rstrip(":： ")


def _name_in_sentence(text: str) -> str:
    """The name in a sentence; empty if the sentence has a flag, which is more than a name."""
    title = read_title(text)
    return "" if any(key.startswith("flag_") for key, _ in title.settings) else title.name


def _name_if_clear(name: str) -> str:
    """A name; empty if it begins with filler words, so that all names must be compared."""
    words = name.split()
    return name if len(words) < 3 or _trim_filler_words(words) == words else ""


def _varying_parts(texts: dict[str, str]) -> dict[str, str]:
    """Sentences without the words that they share at their ends, and without filler words there."""
    words = _without_shared_ends({sentence: text.split() for sentence, text in texts.items()})
    words = _without_shared_ends({sentence: _trim_filler_words(of_one) for sentence, of_one in words.items()})
    return {sentence: _without_end_signs(" ".join(of_one)) for sentence, of_one in words.items()}


def _without_end_signs(name: str) -> str:
    """A name without the signs at its ends; a dot before a letter stays: ``.NET 7``."""
    stripped = name.strip(_END_SIGNS)
    return f".{stripped}" if f".{stripped}" in name and stripped[:1].isalpha() else stripped


def _without_shared_ends(words: dict[str, list[str]]) -> dict[str, list[str]]:
    """The words of sentences without those that all share at their ends; unchanged if one would lose all words.

    A number keeps its noun, which all share: ``with 2 workers`` and ``with 4 workers`` → 2 workers, 4 workers;
    ``set worker_processes 2`` and ``… 4`` → worker_processes 2, worker_processes 4.
    """
    front = _count_shared_words(words.values())
    back = _count_shared_words([of_one[front:][::-1] for of_one in words.values()])
    if any(word.isdecimal() for of_one in words.values() for word in of_one[: len(of_one) - back][-1:]):
        back = max(back - 1, 0)  # the noun that is counted
    if front and all("".join(of_one[front : len(of_one) - back]).isdecimal() for of_one in words.values()):
        front -= 1  # the word of the setting: "worker_processes 4", "threads = 4"
        while front and not any(_is_setting_word(of_one[front]) for of_one in words.values()):
            front -= 1
    found = {sentence: of_one[front : len(of_one) - back] for sentence, of_one in words.items()}
    return found if all(any(map(_is_telling_word, of_one)) for of_one in found.values()) else words


def _is_setting_word(word: str) -> bool:
    """Whether a word is more than signs: not ``=``."""
    return any(map(str.isalnum, word))


def _count_shared_words(sentences: Collection[list[str]]) -> int:
    """The number of words that several sentences share at their beginning."""
    if len(sentences) < 2:
        return 0
    columns = zip(*sentences, strict=False)  # the shortest sentence may be the beginning of the others
    return sum(1 for _ in takewhile(lambda column: len(set(map(_fold_word, column))) == 1, columns))


def _trim_filler_words(words: list[str]) -> list[str]:
    """Words without filler words at the ends; unchanged if no other word is left."""
    start, end = 0, len(words)
    if " ".join(map(_fold_word, words)) == "starting point":
        return words
    while start < end and _fold_word(words[start]) in _FIRST_FILLER_WORDS:
        start += 1
    while end > start and _fold_word(words[end - 1]) in _LAST_FILLER_WORDS:
        end -= 1
    return words[start:end] if any(map(_is_telling_word, words[start:end])) else words


def _is_telling_word(word: str) -> bool:
    """Whether a word may name something that was measured or set."""
    plain = _fold_word(word)
    return any(map(str.isalnum, plain)) and plain not in _JOINING_WORDS and plain not in _FIRST_FILLER_WORDS


def _fold_word(word: str) -> str:
    """A word in lower case without the signs at its ends."""
    return word.strip(_EDGE_SIGNS).casefold()

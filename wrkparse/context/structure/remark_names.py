"""What runs are called that stand below different sentences: what varies between these.

``Now the same with gzip turned on:`` and ``Without gzip:`` → with gzip turned on, without gzip. Words at the ends that
say nothing of a setting, and those that all sentences share there, are left out; a word that says whether something is
there (*with*, *no*) stays. Where nothing would be left, or two sentences would be called alike, they stay longer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from itertools import takewhile

from wrkparse.context.titles.titles import read_title, without_decoration, without_type

_LONGEST = 60  # characters
_CODE = re.compile(r"`([^`]{1,60})`")
_NEGATION = re.compile(
    r"\b(?:without|not?|off|w/o|disabl\w+|remov\w+|dropp\w+|minus|undo\w*|revert\w*)(?!\w)", re.IGNORECASE
)
_LAST_SENTENCE = re.compile(r"(?<!\.)[.!?]\s+(?=[^a-z\s][^.!?]{0,60}[:：]\Z)")
_STAMP = re.compile(r"\[?[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?\]?\s+")
_SPEAKER = re.compile(r"@?[a-z][\w.-]{0,20}:(?:\s+|\Z)", re.IGNORECASE)
_COMMIT = re.compile(r"\[?\b([0-9a-f]{7})[0-9a-f]{33}\b\]?")  # as git bisect prints it
# What sed puts in place of a line: "sed -i 's/^worker_processes .*/worker_processes 4;/' nginx.conf".
_SUBSTITUTED = re.compile(
    r"\bsed\s-i\S{0,9}\s(?:-[eE]\s)?(['\"])s([/|#,@])(?:(?!\2).){1,200}\2((?:(?!\2|\1).){1,60})\2\w?\1"
)
_ASIDE = re.compile(r"\A(?:edit|update|ps|addendum)(?:\s[0-9]{1,2})?:\s+(?=\S)", re.IGNORECASE)
# Words with which a sentence begins that introduces a run, in the languages of pages that were looked at.
_FIRST = frozenset(
    """a an and are as first finally here here's i i'm is it it's just last lastly let's look looks me my next now
    of ok okay our results result run runs running ran same second secondly so started starting test tested testing
    that that's the then there these third this those time times try tried trying was we what which you
    again also but got get gives
    aber auch dann das die der ein eine ergebnis ergebnisse es hier ich ist jetzt nun und wir zuerst zuletzt
    ahora aquí el la los las luego resultados primero y et ici je le les maintenant puis résultats voici
    adesso e ecco il ora poi risultati agora aqui depois o os resultados""".split()
) | {""}  # a dash
_LAST = frozenset("again and here i it once more now ran run same the then this time too we".split()) | {""}
# Words that say something only with the next one: what stands behind them must stay, and they with it.
_JOINTS = frozenset(
    """after at before by for from in into no not of off on only over to using via when with without w/ w/o
    als auf bei mit nach ohne vor avec sans après avant con sin con senza com sem""".split()
)
_MARKS = " ,;:：.!…"  # a name may begin with a hyphen, as an option does
_EDGES = _MARKS + "–—-()[]\"'“”"


def names_of(remarks: Iterable[str]) -> dict[str, str]:
    """What each of some different remarks is called: short, and no two alike."""
    remarks = sorted(set(remarks))
    texts = {remark: _sentence(remark) for remark in remarks}
    ways: tuple[Callable[[], dict[str, str]], ...] = (
        lambda: {remark: _without_filler(_name(text)) for remark, text in texts.items()},
        lambda: _what_varies({remark: _name(text) or text for remark, text in texts.items()}),
        lambda: _what_varies(texts),
        lambda: {remark: without_decoration(without_type(remark)).rstrip(":： ") for remark in remarks},
    )
    for way in ways:
        names = {remark: cut(name) for remark, name in way().items()}
        if all(names.values()) and len({name.casefold() for name in names.values()}) == len(names):
            return names
    return {remark: cut(text) for remark, text in texts.items()}


def without_filler(names: dict[str, str]) -> dict[str, str]:
    """Names of three words or more without first words that say nothing: ``Und jetzt mit kiwi`` beside ``Mit emu``."""
    if not any(len(name.split()) > 2 and _plain(name.split()[0]) in _FIRST for name in names.values()):
        return {}
    found = _what_varies(names)
    return found if len(set(found.values())) == len(names) and all(found.values()) else {}


def cut(name: str) -> str:
    """A name of at most 60 characters, between two words."""
    return name if len(name) <= _LONGEST else name[:_LONGEST].rpartition(" ")[0].rstrip(",;:") + " …"


def without_speaker(line: str) -> str:
    """A line of a chat without the time and who says it: ``[10:34] mira: now kiwi``; other lines as they are."""
    stamped = _STAMP.match(line)
    speaker = _SPEAKER.match(line, stamped.end()) if stamped else None
    return line[speaker.end() :] if speaker else line


def _sentence(remark: str) -> str:
    """What a remark says last, without who says it, and when: ``sure, here you go. Default:`` is Default."""
    if substituted := _SUBSTITUTED.search(remark):
        return substituted[3].strip(_MARKS)
    text = _COMMIT.sub(r"\1", _LAST_SENTENCE.split(without_speaker(remark))[-1])
    codes = _CODE.findall(text)
    if len(codes) == 1 and not _NEGATION.search(text):
        return str(codes[0]).strip(_MARKS)
    text = without_decoration(without_type(text.replace("**", "").replace("`", "")))
    return _ASIDE.sub("", text).rstrip(":： ")


def _name(text: str) -> str:
    """The name in a sentence; with a flag in it the sentence says more than the name."""
    title = read_title(text)
    return "" if any(key.startswith("flag_") for key, _ in title.settings) else title.name


def _without_filler(name: str) -> str:
    """A name; empty if it begins with words that say nothing, so that all names must be compared."""
    words = name.split()
    return name if len(words) < 3 or _trimmed(words) == words else ""


def _what_varies(texts: dict[str, str]) -> dict[str, str]:
    """Sentences without what they share at their ends, and without words there that say nothing."""
    words = _without_shared({remark: text.split() for remark, text in texts.items()})
    words = _without_shared({remark: _trimmed(of_one) for remark, of_one in words.items()})
    return {remark: " ".join(of_one).strip(_MARKS) for remark, of_one in words.items()}


def _without_shared(words: dict[str, list[str]]) -> dict[str, list[str]]:
    """The words of sentences without those that all have at their ends; as they are if one of them had no other."""
    front = _shared(words.values())
    back = _shared([of_one[front:][::-1] for of_one in words.values()])
    if any(word.isdecimal() for of_one in words.values() for word in of_one[: len(of_one) - back][-1:]):
        back = max(back - 1, 0)  # the noun that is counted
    if front and all("".join(of_one[front : len(of_one) - back]).isdecimal() for of_one in words.values()):
        front -= 1  # what the number sets: "worker_processes 4"
    found = {remark: of_one[front : len(of_one) - back] for remark, of_one in words.items()}
    return found if all(any(map(_tells, of_one)) for of_one in found.values()) else words


def _shared(sentences: Collection[list[str]]) -> int:
    """How many words the sentences have in common at their beginning; a single one has none in common."""
    if len(sentences) < 2:
        return 0
    columns = zip(*sentences, strict=False)  # the shortest sentence may be the beginning of the others
    return sum(1 for _ in takewhile(lambda column: len(set(map(_plain, column))) == 1, columns))


def _trimmed(words: list[str]) -> list[str]:
    """Words without those at the ends that say nothing; all of them if no other is left."""
    start, end = 0, len(words)
    while start < end and _plain(words[start]) in _FIRST:
        start += 1
    while end > start and _plain(words[end - 1]) in _LAST:
        end -= 1
    return words[start:end] if any(map(_tells, words[start:end])) else words


def _tells(word: str) -> bool:
    """Whether a word may be what was measured or set."""
    plain = _plain(word)
    return any(map(str.isalnum, plain)) and plain not in _JOINTS and plain not in _FIRST


def _plain(word: str) -> str:
    return word.strip(_EDGES).casefold()

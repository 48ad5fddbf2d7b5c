"""The name in a title from which settings were taken out: without numbering, a document's own words, bare numbers.

``3.1 Results of kiwi`` → kiwi.
"""

from __future__ import annotations

import re

from wrkparse.context.titles.names import SECTION_WORDS, is_known_name
from wrkparse.context.titles.spans import HOLE

LONGEST_NAME = 80  # characters; a longer text is a sentence
MOST_WORDS = 8  # in a name; "Nginx + Go through FastCGI Unix Socket" has 7
_JOINTS = "with|and|on|at|using|via|for|in|of|by|over"
# In front of a part that was taken out; elsewhere they are conditions.
_OTHER_JOINTS = "mit|bei|com|con|avec|sur|на|при|с|со"
# What joins a part that was taken out to the text before it, and the part itself.
_HOLES = re.compile(
    rf"(?:(?:(?<=\s)|\A)(?:{_JOINTS}|{_OTHER_JOINTS}|w/)\s+|(?:[,;:、|=&•]|(?<=\s)[-–—/@+>])\s*)*[_-]?{HOLE}+",
    re.IGNORECASE,
)
_BEFORE_SIGN = re.compile(r" (?=[,;:)\]])")
_EMPTY_BRACKETS = re.compile(r"[(\[{][\s,;/|]{0,40}[)\]}]")
_WITHIN_WORD = re.compile(rf"(?<=[^\W_])[_-]{HOLE}+(?=[_-][^\W_])")
_FIRST_HOLE = re.compile(
    rf"\A(?:[\s,;:]{{0,9}}(?:and\s)?{HOLE}+){{1,9}}(?:[.)](?=\s))?[_\s]{{0,9}}(?:[-–—/@]\s|(?:{_JOINTS})\s)?",
    re.IGNORECASE,
)
_HEAD = re.compile(r"(?:[,;:、=|•·\s]|[-–—/@+&>](?=\s|\Z))+")
_TAIL = re.compile(r"(?:[,;:、=|•·\s]|(?<=\s)[/@+&<]|[-–—]){1,40}\Z")
LAST_VERSION = 29  # of programs that count theirs by whole numbers, "Node 24"; more is a load: "gin 200"
_SECTION_NUMBER = re.compile(
    r"\A(?:[0-9]{1,2}(?:\.[0-9]{1,2}){0,3}[.):]\s+|[A-Z]\.[0-9]{1,2}\s+[—–:-]\s+|[0-9]{1,2}(?:\.[0-9]{1,2}){1,3}\s+|\(?[0-9a-z]\)\s+|[IVX]{1,5}\.\s+|[A-H][.)]\s+)(?=\S)"
)
_NUMBERING = re.compile(
    r"\A(?:section|part|chapter|step|test|benchmark|experiment|figure|table|appendix|annex|exhibit|listing|example|phase"
    r"|framework|server|language|candidate|contender|contestant|implementation|library)"
    r"\s+(?:[0-9]{1,3}(?:\.[0-9]{1,2}){0,2}|[A-Z]|[IVX]{1,5})(?:\s*[:.)]|\s+[–—-])\s+(?=\S)",
    re.IGNORECASE,
)
_LOAD_TESTING = re.compile(r"\A(?:load|stress)[ -]test(?:ing|s)?(?: of)?:?\s+(?=\S)", re.IGNORECASE)
_LETTERED = re.compile(
    r"\A(?:(?:section|part|chapter|figure|table|appendix|annex)\s+[A-Z]"
    r"|(?:test|step|experiment|case|example|phase|section|part)\s+[0-9]{1,3}(?:\.[0-9]{1,3}){1,2})\Z",
    re.IGNORECASE,
)
# Not the version in "HTTP/2".
_NUMBER = re.compile(
    r"(?:\A|(?<=[\s(\[,;])|(?<=[^A-Za-z]/))([0-9]{1,9}k?)(?=\s*(?:\Z|[,;:/|)\]•–—]|-\s))", re.IGNORECASE
)
_LAST_WORD = re.compile(r"([^\s,;:/|()\[\]•–—-][^\s,;:/|()\[\]•–—]{0,60}) \Z")
# Nouns of a kind: the number behind one is part of the name.
_KINDS = frozenset(
    """service server variant option version candidate implementation model app backend build config configuration
    machine host node proxy gateway api system""".split()
)
_EDGES = ":.,;()[]\"'“”"
_LEADS = frozenset(
    """result results benchmark benchmarks benchmarking bench testing measuring measurement measurements output outputs
    running starting load-testing profiling wrk wrk2 ab now then next first agora primeiro ahora primero maintenant
    jetzt zuerst dann ergebnis ergebnisse resultados résultats wyniki результат результаты производительность
    тестирование 测试 压测""".split()
)
# First words of a text that says where or over what something was measured: "on server129", "over loopback".
WHERE_WORDS = frozenset("at behind by during in on over through under via 在".split())
_JOINT_WORDS = frozenset(f"{_JOINTS}|the|from|für|von|para|pour|dla|для".split("|")) - WHERE_WORDS
# Words of documents, of which one that holds no other word names nothing.
_DOCUMENT_WORDS = (
    SECTION_WORDS
    | _LEADS
    | frozenset(
        """setup set-up conclusion conclusions summary introduction overview background method methods methodology
        environment hardware software machine machines configuration config configurations appendix annex log logs data
        notes note discussion analysis details contents table tables figure figures references acknowledgements usage
        install installation requirements features license changelog todo faq readme example examples demo command
        format formats syntax understanding explanation explained meaning
        commands specs specification specifications info information misc other comparison charts plots graphs graph
        latency throughput warm-up warmup warming up load stress section part chapter step test experiment experiments
        wrk wrk2 ab hey gctrace schedtrace attacker console terminal stdout stderr final full complete detailed overall
        duration dauer duración durée длительность тест тесты вывод выводы заключение нагрузочное окружение
        zusammenfassung fazit messung messungen conclusión prueba pruebas podsumowanie testy testów środowisko
        local date time a an the and or of for to done ok finished ready measure measured begin end
        结果 結果 测试 測試 测试结果 測試結果 结论 結論 环境 環境 概要 总结 まとめ 設定 テスト テスト環境 テスト結果
        ベンチマーク ベンチマーク結果 测试环境 測試環境 性能测试 压测 压测结果
        결과 환경 결론 요약 벤치마크 테스트 설정""".split()
    )
)
_TRAILS = SECTION_WORDS | frozenset(
    """measurement measurements measured measuring 結果 结果 测试 测试结果 测试细节 性能测试 测试数据 压测结果
    ベンチマーク ベンチマーク結果 결과 벤치마크""".split()
)
_SENTENCE_WORDS = frozenset(
    """i we you he she it they it's is are was were be been am do does did don't has have had can can't could will
    would should shall may might must let let's how why what when where who whose which see try click note please
    listening connected connecting trying here there this these those that our your if because than vs vs.
    versus wrote writes said says""".split()
)
_OWN = re.compile(r"(?:this|our|my)\s(?:branch|pr|mr|patch|fork|version|build|change|commit|fix)", re.IGNORECASE)
_PLAIN_WORDS = _DOCUMENT_WORDS | _SENTENCE_WORDS | _JOINT_WORDS | frozenset("get gets got gives says same".split())
# The tool that measured: "kiwi (wrk)".
_MEASURED_WITH = re.compile(
    r"(?<=\S)\s+[(\[](?:with |using |via |by )?(?:wrk2?|ab|apache ?bench|hey)[)\]]\Z", re.IGNORECASE
)
_DESCRIPTION = re.compile(r"(?<!\s)\s+(?:[-–—:]\s+|[(\[])|[:：]\s+")
_ENDING = re.compile(r"(?:,?\s{1,3}please wait)?[\s.!…。！]{1,9}\Z", re.IGNORECASE)
_ENDS = (".", "?", "!", "…", "。", "？", "！")


def without_holes(text: str) -> str:
    """A text with each part that was taken out as one blank."""
    return re.sub(f"{HOLE}+", " ", text)


def tidy_holes(text: str) -> str:
    """A text without the parts that were taken out, and without the signs and brackets that belonged to them."""
    if HOLE in text:
        text = _HOLES.sub(" ", _WITHIN_WORD.sub("", _FIRST_HOLE.sub(" ", text)))
        text = _EMPTY_BRACKETS.sub(" ", _BEFORE_SIGN.sub("", " ".join(text.split())))
    return without_edges(" ".join(text.split()))


def without_edges(text: str) -> str:
    """A text without the signs at its ends."""
    head = _HEAD.match(text)
    return _TAIL.sub("", text[head.end() :] if head else text).strip()


def is_sentence(text: str) -> bool:
    """Whether a text has the words or the end of a sentence."""
    words = [word for word in text.lower().split() if any(map(str.isalnum, word))]
    if text.rstrip("\"')").endswith(_ENDS) or len(words) > MOST_WORDS:
        return True
    return not _SENTENCE_WORDS.isdisjoint(words[1:] if _OWN.fullmatch(text) else words)


def without_ending(heading: str) -> str:
    """A heading without the signs behind a name: ``Testing kiwi...``, ``kiwi!``; sentences keep theirs."""
    short = _ENDING.sub("", heading)
    return heading if not short or len(short.split()) > MOST_WORDS or is_sentence(short) else short


def says_nothing(text: str) -> bool:
    """Whether a text has no word but a document's own and those of any sentence: ``Here is the output:``."""
    words = (word.strip(_EDGES).lower() for word in text.split())
    return all(word in _PLAIN_WORDS or not any(map(str.isalpha, word)) for word in words)


def only_joins(text: str) -> bool:
    """Whether a text has no words but those that join others: ``for``, ``with the``."""
    return all(word in _JOINT_WORDS for word in text.lower().split())


def beside(name: str, framework: str) -> str:
    """What a name says beside the framework's; as it is if it does not hold the latter."""
    if not framework or framework.casefold() not in name.casefold():
        return name
    at = name.casefold().index(framework.casefold())
    rest = f"{name[:at]} {name[at + len(framework) :]}".strip(" -_/.,+")
    return "" if only_joins(rest) else rest


def name_in(rest: str, whole: str) -> tuple[str, tuple[str, ...]]:
    """The name in what is left of a title, and the numbers that nothing explains; `whole` is the text before."""
    rest = _LOAD_TESTING.sub("", _NUMBERING.sub("", _SECTION_NUMBER.sub("", rest)))
    rest, numbers = _without_numbers(rest)
    rest = _without_document_words(rest)
    if not any(map(str.isalnum, rest)) or _LETTERED.match(rest):
        return "", numbers
    if whole.endswith(_ENDS):
        return "", numbers
    if rest.endswith(".") and not whole.endswith(rest):  # "kiwi. Run 1"
        rest = rest.rstrip(".")
    if len(rest) > LONGEST_NAME or is_sentence(rest):
        front = without_description(rest)
        return "" if len(front) > LONGEST_NAME or front == rest or is_sentence(front) else front, numbers
    return rest, numbers


def without_description(text: str) -> str:
    """A name without the description behind a dash, a colon or a bracket: ``Kiwi – a small server`` is Kiwi.

    Empty if a document's own words are all that stands in front: ``Test details (click here)``.
    """
    return _without_document_words(_DESCRIPTION.split(text, maxsplit=1)[0])


def _without_numbers(text: str) -> tuple[str, tuple[str, ...]]:
    """A text without the numbers that stand by themselves, and these.

    ``Node 12`` and ``Service 2`` are names; 200 is no version: ``gin 200``.
    """
    numbers: list[str] = []

    def replace(match: re.Match[str]) -> str:
        before = _LAST_WORD.search(text, 0, match.start())
        word = before[1].lower() if before else ""
        is_version = match[1].isdecimal() and int(match[1]) <= LAST_VERSION
        if word and (word in _KINDS or (is_version and is_known_name(word))):
            return match[0]
        numbers.append(match[0])
        return HOLE

    return tidy_holes(_NUMBER.sub(replace, text)) if _NUMBER.search(text) else text, tuple(numbers)


def _without_document_words(text: str) -> str:
    text = _MEASURED_WITH.sub("", text)
    words = text.split()
    plain = [word.strip(_EDGES).lower() for word in words]
    if text.strip(_EDGES) == "A":  # beside B: no article
        return "A"
    if all(word in _DOCUMENT_WORDS or not word for word in plain):
        return ""
    start, end = 0, len(words)
    while start < end - 1 and (plain[start] in _LEADS or (plain[start] in _DOCUMENT_WORDS and _parts(words, start))):
        start += 1
        while start < end - 1 and plain[start] in _JOINT_WORDS:
            start += 1
    while end - 1 > start and plain[end - 1] in _TRAILS:
        end -= 1
    if end - 1 > start and plain[end - 1] == "implementation" and _is_language(plain[end - 2]):
        end -= 1
    if (start, end) == (0, len(words)):
        return _unwrapped(text)
    kept = " ".join(words[start:end])
    if kept.count("(") > kept.count(")") and kept.rfind("(") > 0:  # "Puma (Initial run)" without its last word
        kept = kept[: kept.rfind("(")]
    return _unwrapped(without_edges(kept))


def _is_language(word: str) -> bool:
    """Whether a word in front of *implementation* is all of the name: ``Go``, ``F#``."""
    return is_known_name(word) or not word.isalpha()


def _parts(words: list[str], at: int) -> bool:
    """Whether a colon or a dash stands behind a word."""
    return words[at].endswith(":") or words[at + 1] in ("-", "–", "—")


def _unwrapped(text: str) -> str:
    """A name out of the brackets or quotation marks around it."""
    if (
        len(text) > 2
        and text[0] + text[-1] in ("()", "[]", "{}", '""', "''")
        and not {text[0], text[-1]} & set(text[1:-1])
    ):
        return text[1:-1].strip()
    return text

"""Extracts the name from a title without its settings: removes numbering, words of documents and bare numbers.

``3.1 Results of kiwi`` → kiwi.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import takewhile

from wrkparse.context.titles.known_names import SECTION_WORDS, is_known_name
from wrkparse.context.titles.settings.setting_extraction import DATE, HOLE

LONGEST_NAME = 80  # characters; a longer text is a sentence
MOST_WORDS = 8  # in a name; "Nginx + Go through FastCGI Unix Socket" has 7
_JOINING_PATTERN = "with|and|on|at|using|via|for|in|of|by|over"
# Joining words before a part that was taken out; elsewhere they begin conditions.
_FOREIGN_JOINING_PATTERN = "mit|bei|com|con|avec|sur|на|при|с|со"
# A part that was taken out, with the words and signs that join it to the text before it.
_HOLES_WITH_SIGNS = re.compile(
    rf"(?:(?:(?<=[\s(])|\A)(?:{_JOINING_PATTERN}|{_FOREIGN_JOINING_PATTERN}|w/)\s+|(?:[,;:、|=&•]|(?<=\s)[-–—/@+>])\s*)*[_-]?{HOLE}+",
    re.IGNORECASE,
)
_BLANK_BEFORE_SIGN = re.compile(r" (?=[,;:)\]])")
_EMPTY_BRACKETS = re.compile(r"[(\[{][\s,;/|–—-]{0,40}[)\]}]")
_SIGN_BEHIND_BRACKET = re.compile(r"(?<=[(\[{])\s?[,;|/]\s(?=\S)")  # "(, hyper)", where "Rust 1.75" was
_HOLE_WITHIN_WORD = re.compile(rf"(?<=[^\W_])[._-]{HOLE}+(?=[._-][^\W_])")
_LEADING_HOLE = re.compile(
    rf"\A(?:[\s,;:]{{0,9}}(?:and\s)?{HOLE}+){{1,9}}(?:[.)](?=\s))?[_\s]{{0,9}}(?:[-–—/@]\s|(?:{_JOINING_PATTERN})\s)?",
    re.IGNORECASE,
)
# The particle of a word that was taken out, as Japanese writes it: "1スレッドでkiwi".
_PARTICLE_OF_HOLE = re.compile(rf"\A({HOLE}+)[\u3041-\u309f]{{1,3}}(?=[^\s\u3041-\u309f])")
# A load generator and what is done with it, without blanks: "wrkを実行".
_LOADS_IN_JAPANESE = re.compile(r"(?:wrk2?|ab|hey)を[\u3041-\u309f\u4e00-\u9fff]{1,20}", re.IGNORECASE)
_LEADING_SIGNS = re.compile(r"(?:[,;:、=|•·\s]|[-–—/@+&>](?=\s|\Z))+")
_TRAILING_SIGNS = re.compile(r"(?:[,;:、=|•·\s]|(?<=\s)(?:[/@+&<→]|[=-]>)|[-–—]){1,40}\Z")
LAST_VERSION = 29  # the largest version that is a whole number, "Node 24"; a larger number is a load: "gin 200"
_SECTION_NUMBER = re.compile(
    r"\A(?:[0-9]{1,2}(?:\.[0-9]{1,2}){0,3}[.):\]]\s+|[A-Z]\.[0-9]{1,2}\s+[—–:-]\s+|[0-9]{1,2}(?:\.[0-9]{1,2}){1,3}\s+|\(?[0-9a-z]\)\s+|[IVX]{1,5}\.\s+|[A-H][.)]\s+|[①-⓿❶-➓]\s*)(?=\S)"
)
_NUMBERING = re.compile(
    r"\A(?:section|part|chapter|step|test|benchmark|experiment|figure|table|appendix|annex|exhibit|listing|example|phase|number"
    r"|framework|server|language|candidate|contender|contestant|implementation|library)"
    r"\s+(?:[0-9]{1,3}(?:\.[0-9]{1,2}){0,2}|[A-Z]|[IVX]{1,5})(?:\s*[:.)]|\s+[–—-])\s+(?=\S)"
    r"|\A(?:step|test|benchmark|experiment|case)[0-9]{1,3}(?:\s*[:.)]|\s+[–—-])\s+(?=\S)"
    r"|\A\[(?:step|test|benchmark|experiment|case)\s?#?[0-9]{1,3}\]:?\s+(?=\S)",
    re.IGNORECASE,
)
_LOAD_TESTING = re.compile(r"\A(?:load|stress)[ -]?test(?:ing|s)?(?: of)?:?\s+(?:[-–—]\s+)?(?=\S)", re.IGNORECASE)
_GO_TEST = re.compile(r"\ARUN\s+(?=(?:Test|Benchmark|Example|Fuzz)(?![a-z]))")  # go test -v: "=== RUN   TestLoad/kiwi"
_NUMBERED_PART = re.compile(
    r"\A(?:(?:section|part|chapter|figure|table|appendix|annex)\s+[A-Z]"
    r"|(?:test|step|experiment|case|example|phase|section|part)\s+[0-9]{1,3}(?:\.[0-9]{1,3}){1,2})\Z",
    re.IGNORECASE,
)
# A number by itself; not the version in "HTTP/2", and not the first part of "1,4 GHz" or "2:1".
_BARE_NUMBER = re.compile(
    r"(?:\A|(?<=[\s(\[,;])|(?<=[^A-Za-z]/))([0-9]{1,3}(?:,[0-9]{3})*,[0-9]00|[0-9]{1,9}k?)"
    r"(?=\s*(?:\Z|,(?![0-9]{1,3} ?[^\W\d_])|:(?![0-9])|[;/|)\]•–—]|-\s)|(?<=/ [0-9]{4}) \(|(?<=/ [0-9]{5}) \()",
    re.IGNORECASE,
)
# What a Chinese title says of the name behind it: "对kiwi", "使用kiwi".
_OF_WHAT = re.compile(r"\A(?:对于?|對於?|针对|針對|使用)(?=[A-Za-z])")
_SHARES = re.compile(r"(?<![\w/])([0-9]{1,2})/([0-9]{1,2})(?![\w/])")  # "50/50 mix"
_LAST_WORD = re.compile(r"([^\s,;:/|()\[\]•–—-][^\s,;:/|()\[\]•–—]{0,60}) \Z")
# Nouns whose number is part of the name: "Service 2".
_NUMBERED_NOUNS = frozenset(
    """service server variant option version candidate implementation model app backend build config configuration
    machine host node proxy gateway api system""".split()
)
_END_SIGNS = ":.,;()[]\"'“”"
_FIRST_WORDS = frozenset(
    """result results benchmark benchmarks benchmarking bench benching testing measured measuring measurement
    measurements output outputs running begin starting launching load-testing profiling wrk wrk2 ab again now then
    next first agora primeiro ahora primero maintenant jetzt zuerst dann ergebnis ergebnisse resultados résultats
    wyniki результат результаты производительность тестирование 测试 压测""".split()
)
# First words of a text that says where, or over which network, something was measured: "on server129", "over loopback".
WHERE_WORDS = frozenset("at behind by during in on over through under via 在".split())
_JOINT_WORDS = frozenset(f"{_JOINING_PATTERN}|the|from|für|von|para|pour|dla|для".split("|")) - WHERE_WORDS
# Words of documents: a text of only such words names nothing.
_DOCUMENT_WORDS = (
    SECTION_WORDS
    | _FIRST_WORDS
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
        command-line-arguments date time a an the and or of for to done ok finished ready
        measure measured begin end
        结果 結果 测试 測試 测试结果 測試結果 结论 結論 环境 環境 概要 总结 まとめ 設定 テスト テスト環境 テスト結果
        输出 輸出 输出结果 出力 出力結果
        ベンチマーク ベンチマーク結果 测试环境 測試環境 性能测试 压测 压测结果
        压力 压力测试 压力测试结果 负载测试 基准测试
        결과 환경 결론 요약 벤치마크 테스트 설정""".split()
    )
)
# Words that say something of a document only beside another one: "Testing instructions", "Global statistics".
_WORDS_OF_PHRASES = frozenset("global instructions perf sample samples statistics stats".split())
_DOCUMENT_PHRASES = _DOCUMENT_WORDS | _WORDS_OF_PHRASES
_LAST_WORDS = SECTION_WORDS | frozenset(
    """begin benchmarking measurement measurements measured measuring running 結果 结果 测试 测试结果 测试细节 性能测试
    测试数据 压测 压测结果 テスト テスト結果 ベンチマーク ベンチマーク結果 결과 벤치마크""".split()
)
# The same at the end of a word, as Chinese and Japanese write without blanks: "muduo 单线程性能测试".
_LAST_PART_OF_WORD = re.compile(
    r"(?<=\w)の?(?:(?:性能|压力|壓力|负载|負載|基准|负荷|負荷)?(?:测试|測試|テスト)|压测|ベンチマーク)(?:结果|結果|数据|數據)?\Z"
)
_SENTENCE_WORDS = frozenset(
    """i we you he she it they it's is are was were be been am do does did don't has have had can can't could will
    would should shall may might must let let's how why what when where who whose which see try click note please
    listening connected connecting trying here there this these those that our your if because than vs vs.
    versus wrote writes said says us yields yielded
    мы вы это этот эта эти этого этой этих данный данная данные данного данной данных здесь давайте поехали что можно
    isto isso este esta esto eso aquí vamos""".split()
)
_OWN_VERSION = re.compile(
    r"(?:this|our|my)\s(?:branch|pr|mr|patch|fork|version|build|change|commit|fix)", re.IGNORECASE
)
_COMMON_WORDS = _DOCUMENT_WORDS | _SENTENCE_WORDS | _JOINT_WORDS | frozenset("get gets got gives says same".split())
_COMMON_IN_PHRASES = _COMMON_WORDS | _WORDS_OF_PHRASES
_WITH_VERSION = re.compile(
    r"(?:with|on|using|avec|com|con|mit|на|с)\s(?:the\s)?v?[0-9]{1,3}(?:\.[0-9]{1,4}){1,3}\s?[:：]?", re.IGNORECASE
)
_PREPOSITIONS = frozenset("for using with für mit avec pour con para для с".split())
_ARTICLES = frozenset("a an all my our the this der die das ein eine el la le les los un una une".split())
# The beginning and the end that names share, up to a blank or to a letter that is not ASCII.
_SHARED_FRONT = re.compile(r"(?:.*[\s:：])?[^\x00-\x7f]*")
_SHARED_END = re.compile(r"[^\x00-\x7f]*(?:[\s:：].*)?\Z")
_OTHER_SCRIPT = re.compile(r"(?=.*[^\W\d_])[^A-Za-z0-9\u00c0-\u024f()\[\]]+")  # not Latin; in brackets is a remark
_ASCII_NAME = re.compile(r"(?=.*[A-Za-z].*[A-Za-z])(?!v[0-9])[A-Za-z][\w.+#/ -]{0,40}", re.ASCII)
# The tool in brackets after a name: "kiwi (wrk)".
_MEASURED_WITH = re.compile(
    r"(?<=\S)\s+[(\[](?:with |using |via |by )?(?:wrk2?|ab|apache ?bench|hey)[)\]]\Z", re.IGNORECASE
)
_DESCRIPTION = re.compile(r"(?<!\s)\s+(?:[-–—:]\s+|[(\[])|[:：]\s+")
_END_PUNCTUATION = re.compile(r"(?:,?\s{1,3}please wait)?[\s.!…。！]{1,9}\Z", re.IGNORECASE)
_SENTENCE_ENDS = (".", "?", "!", "…", "。", "？", "！")


def holes_as_blanks(text: str) -> str:
    """A text with a blank for each hole, a part that was taken out."""
    return re.sub(f"{HOLE}+", " ", text)


def remove_holes(text: str) -> str:
    """A text without its holes, and without the words, signs and brackets that belonged to them."""
    if HOLE in text:
        text = _LEADING_HOLE.sub(" ", _PARTICLE_OF_HOLE.sub(r"\1", text))
        text = _HOLES_WITH_SIGNS.sub(" ", _HOLE_WITHIN_WORD.sub("", text))
        text = _EMPTY_BRACKETS.sub(" ", _BLANK_BEFORE_SIGN.sub("", " ".join(text.split())))
        text = _SIGN_BEHIND_BRACKET.sub("", text)
    return without_end_signs(" ".join(text.split()))


def without_end_signs(text: str) -> str:
    """A text without the signs at its ends."""
    head = _LEADING_SIGNS.match(text)
    return _TRAILING_SIGNS.sub("", text[head.end() :] if head else text).strip()


def is_sentence(text: str) -> bool:
    """Whether a text has the words, the length or the end of a sentence."""
    counted = text.removesuffix(" I")  # the number of the first run, not a word: "kiwi I", "kiwi II"
    words = [word for word in counted.lower().split() if any(map(str.isalnum, word))]
    if text.rstrip("\"')").endswith(_SENTENCE_ENDS) or len(words) > MOST_WORDS:
        return True
    return not _SENTENCE_WORDS.isdisjoint(words[1:] if _OWN_VERSION.fullmatch(text) else words)


def is_date(text: str) -> bool:
    """Whether a text is only a date, which may be numbered: ``2] Thu Jan 28 00:46:09 UTC 2021``."""
    rest, dates = DATE.subn("", _SECTION_NUMBER.sub("", text))
    return dates > 0 and not any(map(str.isalnum, rest))


def without_end_punctuation(heading: str) -> str:
    """A heading without the signs after a name: ``Testing kiwi...``, ``kiwi!``; sentences keep theirs."""
    short = _END_PUNCTUATION.sub("", heading)
    return heading if not short or len(short.split()) > MOST_WORDS or is_sentence(short) else short


def has_only_common_words(text: str) -> bool:
    """Whether all words of a text are words of any document or of any sentence: ``Here is the output:``.

    The version in ``with 5.1`` is no such word.
    """
    printed = text.split()
    common = _COMMON_WORDS if len(printed) == 1 else _COMMON_IN_PHRASES
    words = (word.strip(_END_SIGNS).lower() for word in printed)
    is_common = all(word in common or not any(map(str.isalpha, word)) for word in words)
    return is_common and not ("." in text and _WITH_VERSION.fullmatch(text))


def has_only_joining_words(text: str) -> bool:
    """Whether all words of a text join others: ``for``, ``with the``."""
    return all(word in _JOINT_WORDS for word in text.lower().split())


_BRACKETED = re.compile(r"\A\(([^()]{1,100})\)\Z")  # "(cold)" behind a framework
_SIGNS_OF_CODE = re.compile(r"[(){}\[\]<>;\s]+")
_WITHIN_PATH = re.compile(r"/\w|\.[A-Za-z]{1,5}(?!\w)")


# Behind a name, which stays the same: "nodejs", "golang", "postgresql", "kiwi2".
_SUFFIX_OF_NAME = re.compile(r"(?:js|lang|py|rb|rs|ql|sql|db|d|s)?(?![a-z])", re.ASCII)


_PREFIX_OF_NAME = re.compile(r"(?<![A-Za-z])(?:go|py|web|my)\Z", re.IGNORECASE)  # in front of one: "gofiber"


def place_of_word(word: str, text: str) -> int | None:
    """Where a word or name is in a text, in any case; None if it is not, or only as letters of another word.

    *go* is no part of ``gozilla``, but of ``golang``, ``go-kiwi`` and ``GoKiwi``.
    """
    for found in re.finditer(re.escape(word), text, re.IGNORECASE) if word else ():
        before = text[found.start() - 1 : found.start()]
        is_first = not (before.isascii() and before.isalpha()) or (before.islower() and found[0][:1].isupper())
        begins = is_first or _PREFIX_OF_NAME.search(text, 0, found.start())
        if begins and _SUFFIX_OF_NAME.match(text, found.end()):
            return found.start()
    return None


def without_framework(name: str, framework: str) -> str:
    """The rest of a name without the framework; the whole name if it does not contain the framework.

    Within a path, and before the suffix of a file, the word is that of a directory or a file.
    """
    at = place_of_word(framework, name)
    if at is None:
        return name
    if _WITHIN_PATH.match(name[at + len(framework) :]) and (
        name[at - 1 : at] == "/" or name[at + len(framework)] == "."
    ):
        return name
    rest = f"{name[:at]} {name[at + len(framework) :]}".strip(" -_/.,+")
    is_empty = has_only_joining_words(rest) or _SIGNS_OF_CODE.fullmatch(rest)  # "Kiwi({"
    return "" if is_empty else _BRACKETED.sub(r"\1", rest)


def without_frameworks(names: Sequence[str], frameworks: Sequence[str]) -> list[str]:
    """Names without the frameworks of their runs: ``nginx-tuned`` is tuned.

    A name above runs of several frameworks stays whole, so that it is one label: the file ``nginx-tuned`` about two.
    """
    held: dict[str, set[str]] = defaultdict(set)
    for name, framework in zip(names, frameworks, strict=True):
        held[name].add(framework)
    rests = [without_framework(name, framework) for name, framework in zip(names, frameworks, strict=True)]
    return [name if rest and len(held[name]) > 1 else rest for name, rest in zip(names, rests, strict=True)]


def without_shared_preposition(names: Mapping[int, str]) -> dict[int, str]:
    """Names without the preposition that all begin with: ``For kiwi``, ``For emu``.

    ``With the pool`` and ``With 5.1`` stay.
    """
    parts = {at: name.partition(" ") for at, name in names.items() if name}
    first = {preposition.casefold() for preposition, _, _ in parts.values()}
    rests = {rest.casefold() for _, _, rest in parts.values()}
    if len(first) != 1 or len(rests) < 2 or not first <= _PREPOSITIONS:
        return dict(names)
    if any(not any(map(str.isalpha, rest)) or rest.partition(" ")[0] in _ARTICLES for rest in rests):
        return dict(names)
    return {**names, **{at: rest for at, (_, _, rest) in parts.items()}}


def without_shared_words_around(names: Mapping[int, str]) -> dict[int, str]:
    """Names without the words in another script around them: ``Тест kiwi``, ``kiwi を計測``.

    All names have these words, and what is left are different names in ASCII.
    """
    texts = {name for name in names.values() if name}
    if len(texts) < 2 or all(map(str.isascii, texts)):
        return dict(names)
    front = _SHARED_FRONT.match(_common_beginning(texts))
    behind = _SHARED_END.search(_common_beginning([text[::-1] for text in texts])[::-1])
    cuts = [match[0] if match and _OTHER_SCRIPT.fullmatch(match[0]) else "" for match in (front, behind)]
    rests = {at: name.removeprefix(cuts[0]).removesuffix(cuts[1]).strip() for at, name in names.items()}
    left = {rest for rest in rests.values() if rest}
    are_names = len(left) > 1 and all(map(_ASCII_NAME.fullmatch, left)) and all(rests[at] for at in names if names[at])
    return rests if any(cuts) and are_names else dict(names)


def _common_beginning(texts: Collection[str]) -> str:
    """The characters with which all texts begin."""
    columns = zip(*texts, strict=False)
    return "".join(column[0] for column in takewhile(lambda column: len(set(column)) == 1, columns))


def extract_name(rest: str, whole: str) -> tuple[str, tuple[str, ...]]:
    """The name in the rest of a title, and the numbers without a known meaning; `whole` is the title itself."""
    rest = _GO_TEST.sub("", _LOAD_TESTING.sub("", _NUMBERING.sub("", _SECTION_NUMBER.sub("", rest))))
    rest, numbers = _without_numbers(rest)
    rest = _without_document_words(rest)
    if not any(map(str.isalnum, rest)) or _NUMBERED_PART.match(rest) or _LOADS_IN_JAPANESE.fullmatch(rest):
        return "", numbers
    if whole.endswith(_SENTENCE_ENDS):
        return "", numbers
    if rest.endswith(".") and not whole.endswith(rest):  # "kiwi. Run 1"
        rest = rest.rstrip(".")
    if rest.endswith("/") and rest[-2:-1].isalnum() and not whole.endswith(rest):  # "kiwi/1"
        rest = rest[:-1]
    if len(rest) > LONGEST_NAME or is_sentence(rest):
        front = without_description(rest)
        return "" if len(front) > LONGEST_NAME or front == rest or is_sentence(front) else front, numbers
    return rest, numbers


def without_description(text: str) -> str:
    """A name without the description after a dash, a colon or a bracket: ``Kiwi – a small server`` is Kiwi.

    Empty if only words of documents are before the description: ``Test details (click here)``.
    """
    return _without_document_words(_DESCRIPTION.split(text, maxsplit=1)[0])


def _without_numbers(text: str) -> tuple[str, tuple[str, ...]]:
    """A text without its bare numbers, and these numbers.

    ``Node 12`` and ``Service 2`` are names; in ``gin 200`` the number is not a version. ``50/50`` are shares.
    """
    numbers: list[str] = []
    shares = [found.span() for found in _SHARES.finditer(text) if int(found[1]) + int(found[2]) == 100]

    def replace(match: re.Match[str]) -> str:
        if any(start <= match.start() < end for start, end in shares):
            return match[0]
        before = _LAST_WORD.search(text, 0, match.start())
        word = before[1].lower() if before else ""
        is_version = match[1].isdecimal() and int(match[1]) <= LAST_VERSION
        if word and (word in _NUMBERED_NOUNS or (is_version and is_known_name(word))):
            return match[0]
        numbers.append(match[0])
        return HOLE

    return remove_holes(_BARE_NUMBER.sub(replace, text)) if _BARE_NUMBER.search(text) else text, tuple(numbers)


def _without_document_words(text: str) -> str:
    """A text without words of documents at its ends, and without a tool in brackets; empty if no other word is left."""
    text = _OF_WHAT.sub("", _MEASURED_WITH.sub("", text))
    if not text.isascii() and text.split()[-1:] and text.split()[-1] not in _DOCUMENT_WORDS:
        text = _LAST_PART_OF_WORD.sub("", text)
    words = text.split()
    plain = [word.strip(_END_SIGNS).lower() for word in words]
    if _is_whole_name(text, plain):
        return text.strip(_END_SIGNS)
    of_document = _DOCUMENT_WORDS if len(words) == 1 else _DOCUMENT_PHRASES
    if all(word in of_document or not word for word in plain):
        return ""
    start, end = 0, len(words)
    while start < end - 1 and (
        plain[start] in _FIRST_WORDS
        or (plain[start] in _DOCUMENT_WORDS and _precedes_separator(words, start))
        or (start and plain[start] == "run")  # "measured run kiwi"
    ):
        start += 1
        while start < end - 1 and plain[start] in _JOINT_WORDS:
            start += 1
    # "Kiwi Detailed Results"
    while end - 1 > start and (plain[end - 1] in _LAST_WORDS or (plain[end - 1] == "detailed" and end < len(words))):
        end -= 1
    if end - 1 > start and plain[end - 1] == "implementation" and _may_be_language(plain[end - 2]):
        end -= 1
    if (start, end) == (0, len(words)):
        return _without_brackets(text)
    kept = " ".join(words[start:end])
    if kept.count("(") > kept.count(")") and kept.rfind("(") > 0:  # "Puma (Initial run)" without its last word
        kept = kept[: kept.rfind("(")]
    return _without_brackets(without_end_signs(kept))


def _is_whole_name(text: str, words: list[str]) -> bool:
    """Whether a text is a name though it begins with a word of documents, or is one: ``Now``, ``A``, ``first version``.

    Beside it are *Before*, *B* or *second version*; beside ``Starting point`` is what was changed.
    """
    is_first = len(words) == 2 and words[0] == "first" and words[1] in _NUMBERED_NOUNS
    return is_first or words == ["starting", "point"] or text == "Now" or text.strip(_END_SIGNS) == "A"


def _may_be_language(word: str) -> bool:
    """Whether a word before *implementation* may be a complete name: ``Go``, ``F#``."""
    return is_known_name(word) or not word.isalpha()


def _precedes_separator(words: list[str], at: int) -> bool:
    """Whether a colon or a dash is directly after a word."""
    return words[at].endswith(":") or words[at + 1] in ("-", "–", "—")


def _without_brackets(text: str) -> str:
    """A name without brackets or quotation marks around it."""
    if (
        len(text) > 2
        and text[0] + text[-1] in ("()", "[]", "{}", '""', "''")
        and not {text[0], text[-1]} & set(text[1:-1])
    ):
        return text[1:-1].strip()
    return text

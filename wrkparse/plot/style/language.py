"""The language of Chinese characters: Japanese, Chinese and Korean write some of them in different forms."""

from __future__ import annotations

import re

_KANA = re.compile(r"[\u3040-\u30ff\uff66-\uff9d]")  # "かな", "カナ", "ｶﾅ"
_HANGUL = re.compile(r"[\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]")  # "한글"
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")  # "性能"
JAPANESE, KOREAN, SIMPLIFIED, TRADITIONAL = "ja", "ko", "zh-Hans", "zh-Hant"
# Noto Sans CJK is one file with a face for each language: the index and the name of each face.
FACES = {
    JAPANESE: (0, "Noto Sans CJK JP"), KOREAN: (1, "Noto Sans CJK KR"),
    SIMPLIFIED: (2, "Noto Sans CJK SC"), TRADITIONAL: (3, "Noto Sans CJK TC"),
}  # fmt: skip


def detect_language(text: str, default: str = JAPANESE) -> str | None:
    """The language (BCP 47) of the Chinese, Japanese or Korean characters in a text; None if it has none.

    Kana mean Japanese, Hangul means Korean. For Chinese characters alone, the old national character sets decide: a
    character that the Japanese set (JIS X 0208) lacks means simplified Chinese if GB 2312 has it, and traditional
    Chinese if only Big5 has it. If all three have every character (as of \u6027\u80fd), the result is `default`.
    """
    if _KANA.search(text):
        return JAPANESE
    if _HANGUL.search(text):
        return KOREAN
    han = set(_HAN.findall(text))
    if not han:
        return None
    # The old encodings have exactly the characters of the national sets.
    foreign = [one for one in han if not _can_encode("shift_jis", one)]
    sets = [(_can_encode("gb2312", one), _can_encode("big5", one)) for one in foreign]
    if any(big5 and not gb for gb, big5 in sets) and not any(gb and not big5 for gb, big5 in sets):
        return TRADITIONAL
    return SIMPLIFIED if any(gb for gb, _ in sets) else default


def _can_encode(encoding: str, character: str) -> bool:
    try:
        character.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True

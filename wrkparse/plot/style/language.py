"""Which language Chinese characters are of: Japanese, Chinese and Korean write some of them in other forms."""

from __future__ import annotations

import re

_KANA = re.compile(r"[\u3040-\u30ff\uff66-\uff9d]")
_HANGUL = re.compile(r"[\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]")
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
JAPANESE, KOREAN, SIMPLIFIED, TRADITIONAL = "ja", "ko", "zh-Hans", "zh-Hant"


def language(text: str, default: str = JAPANESE) -> str | None:
    """The language (BCP 47) of a text's Chinese, Japanese or Korean characters; None: it has none.

    Kana are Japanese, Hangul is Korean. Chinese characters alone are of the language whose old character set has what
    the Japanese one (JIS X 0208) lacks: GB 2312 for simplified, Big5 for traditional forms. Where that does not tell,
    as of \u6027\u80fd, it is `default`.
    """
    if _KANA.search(text):
        return JAPANESE
    if _HANGUL.search(text):
        return KOREAN
    han = set(_HAN.findall(text))
    if not han:
        return None
    foreign = [(_has("gb2312", one), _has("big5", one)) for one in han if not _has("shift_jis", one)]
    if any(big5 and not gb for gb, big5 in foreign) and not any(gb and not big5 for gb, big5 in foreign):
        return TRADITIONAL
    return SIMPLIFIED if any(gb for gb, _ in foreign) else default


def _has(encoding: str, character: str) -> bool:
    try:
        character.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True

"""Finds in titles whether a warm-up begins or is over: ``kiwi (warm-up)``, ``== END WARM-UP``."""

from __future__ import annotations

import re

from wrkparse.context.titles.settings.setting_extraction import SettingExtractor

# The same in other languages.
FOREIGN_WARM_UPS = (
    "aufwärmen aufwärmphase aufwärmlauf aufwaermen vorwärmen warmlaufen préchauffage échauffement calentamiento"
    " aquecimento riscaldamento rozgrzewka opwarmen прогрев разогрев прогрів"
    " 预热 預熱 热身 熱身 暖机 暖機 ウォームアップ 워밍업 예열"
).split()
_WORD = rf"(?:(?:warm|heat)(?:ing)?[- ]?up|{'|'.join(FOREIGN_WARM_UPS)})"
# Behind a warm-up: "warm-up (ignored)".
_IGNORED = re.compile(
    r"\((?:ignored?|discarded|dropped|excluded|not counted|thrown away|skip(?:ped)?)\)", re.IGNORECASE
)
_WARM_UP = re.compile(
    r"\A(?:(?:mise\sen\s)?chauffe|priming\sthe\scaches?)\s?[:：]?\Z|"
    rf"(?:\A|(?<=[(:,;|–—/\[-])|(?<=[–—-]\s)|(?<=\0))\s?{_WORD}(?: run)?(?=\s*(?:\Z|[():,;|\]0-9-]|for\s[0-9]))"
    rf"|\A{_WORD}(?: run)?(?: for| of)?\s(?!time|duration|period|phase|is|was|off|on\b|disabled|enabled)"
    # "heron c=16 warm-up", but not "heron without warm-up", which is a setting
    r"|(?<=[\w.%)\]])(?<!\bwith)(?<!\bwithout)(?<!\bno)(?<!\bafter)(?<!\bbefore)(?<!\band)(?<!\bmit)(?<!\bohne)"
    r"(?<!\bskip)(?<!\bskipped)(?<!\bskipping)(?<!\bto)(?<!\bit)(?<!\bthem)(?<!\bthe)(?<!\ba)"
    rf"\s{_WORD}(?: run)?(?=(?:\s[0-9]{{1,3}}/[0-9]{{1,3}}|\sfor\s[0-9]{{1,4}}\s?(?:s|min)\w{{0,6}})?\s*\Z)",
    re.IGNORECASE,
)
WARM_UP_WORD = re.compile(f"{_WORD}|priming|chauffe", re.IGNORECASE)
# The warm-up is over: "END WARM-UP", "kiwi: warm-up done", not "… before warm-up is over".
_WARM_UP_END = re.compile(
    r"(?:\A|(?<=[(:,;|–—/\[=#*-])|(?<=\0))\s?(?:the )?"
    r"(?:(?:end|finished|done)(?: of| with)?(?: the)? (?:warm|heat)[- ]?up"
    r"|(?:warm|heat)[- ]?up (?:(?:is|has|phase) ){0,2}(?:over|done|finished|completed?|ended|ends?|stopped))"
    r"(?=[\s=*#-]*(?:\Z|[():,;|\].!]))",
    re.IGNORECASE,
)
_WARM_UP_START = re.compile(
    r"\b(?:begin(?:ning)?|start(?:ing)?)(?: of)?(?: the)? (?=(?:warm|heat)[- ]?up\b)", re.IGNORECASE
)


def ends_warm_up(text: str) -> bool:
    """Whether a line says that the warm-up is over: ``== END WARM-UP``."""
    return _WARM_UP_END.search(text) is not None


def take_warm_up(extractor: SettingExtractor) -> None:
    """Take out that a warm-up begins, which is a setting, or is over."""
    extractor.take_matches(_WARM_UP_END, lambda _: None)
    extractor.take_matches(_WARM_UP_START, lambda _: None)
    before = len(extractor.settings)
    extractor.take_matches(_WARM_UP, lambda match: extractor.add_setting(match.start(), "phase", "warm-up"))
    if len(extractor.settings) > before:
        extractor.take_matches(_IGNORED, lambda _: None)

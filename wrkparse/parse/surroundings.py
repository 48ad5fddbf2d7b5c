"""What may stand in front of a report's line and behind it, in the same line, and be no part of it."""

from __future__ import annotations

import re

from wrkparse.text.shell import strip_prompt

# One word that is glued to it, or one that ends in a sign: '"', "stdout:", "[out]", "12.", "•"; another's last word.
_FRONT = re.compile(r"(?:\S{0,60}[^\s0-9.,])?|\S{0,60}[^\w\s] |[0-9]{1,4}[.)] ")
# Signs of quoted text, of a list in code, of a drawn box; the end of a tag; a remark
_BACK = re.compile(r"(?: ?[\"'`,;.\\|│)\]}]{1,8}(?: \+)?|\\[nrt].{0,8}|</?\w{1,12}>| ?(?:<-|←|#|//|\().*)?")


def apart(front: str, back: str) -> bool:
    """Whether these are such: nothing, one word without a blank between, a prompt, signs, a remark."""
    return _before(front) and _behind(back)


def _before(text: str) -> bool:
    return _FRONT.fullmatch(text) is not None or strip_prompt(f"{text}x") is not None


def _behind(text: str) -> bool:
    return _BACK.fullmatch(text) is not None or strip_prompt(f"{text.strip()} x") is not None

"""Says whether a line of a report can be separated from other text in the same line: a name, a remark, a prompt."""

from __future__ import annotations

import re

from wrkparse.text.shell import strip_prompt

# Text in front of a report's line, in the same line: one word that touches it, such as another program's last word,
# or one that ends in a sign ('"', "stdout:", "[out]", "12.", "•").
_BEFORE_LINE = re.compile(r"(?:\S{0,60}[^\s0-9.,])?|\S{0,60}[^\w\s] |[0-9]{1,4}[.)] ")
# Text after it: signs of quoted text, of a list in code, of a drawn box; an end tag; a remark.
_AFTER_LINE = re.compile(
    r"(?: ?[\"'`,;.\\|│)\]}]{1,8}(?: \+)?|\\[nrt].{0,8}|</?\w{1,12}>| \[[^\W\d_][^\[\]]{0,60}\]"
    r"| ?(?:<-|←|#|//|-{2,}|\().*)?"
)


def is_within_number(text: str, match: re.Match[str]) -> bool:
    """Whether a match may begin or end within a number."""
    before, after = text[: match.start()][-2:], text[match.end() :][:2]
    is_grouped = before[:1].isdigit() and before[1:] in ("'", "’", "_")  # 1'234
    return (
        (match[0][0].isdigit() and (before[-1:].isalnum() or is_grouped))
        or after[:1].isdigit()
        or (after[:1] in ".,%" and after[1:].isdigit())
    )


def is_surrounding(front: str, back: str) -> bool:
    """Whether these texts may be around a report's line, in the same line, without being part of it.

    Such a text is empty, one word that touches the line, a prompt, signs, or a remark.
    """
    return _may_precede(front) and _may_follow(back)


def _may_precede(text: str) -> bool:
    """Whether a text may be in front of a report's line."""
    return _BEFORE_LINE.fullmatch(text) is not None or strip_prompt(f"{text}x") is not None


def _may_follow(text: str) -> bool:
    """Whether a text may follow a report's line in the same line."""
    return _AFTER_LINE.fullmatch(text) is not None or strip_prompt(f"{text.strip()} x") is not None

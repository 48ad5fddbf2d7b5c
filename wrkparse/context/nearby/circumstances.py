"""Recognises remarks about what disturbed a run: ``somebody was compiling``, ``noisy``, ``laptop on battery``.

They say how far to trust one run, and are not a setting that was chosen for it.
"""

from __future__ import annotations

import re

_CIRCUMSTANCE = re.compile(
    r"\b(?:(?:does|do|did)(?:n't| not) count|nois[ey]|noisier|disturb(?:ed|ance)|interrupted|interference|jittery?"
    r"|somebody|someone|colleagues?|neighbou?rs?|cron(?:job)?|backup (?:was )?running|overheat(?:ed|ing)"
    r"|fans?|battery|on mains"
    r"|(?:un)?plugged|video call)(?!\w)",
    re.IGNORECASE,
)
# With more words behind them, these may say what was chosen: "ignore whitespace", "odd pages", "compiling templates".
_CIRCUMSTANCE_AT_END = re.compile(
    r"\b(?:ignor(?:e|ed|ing)|discard(?:ed)?|outliers?|glitch(?:es|ed|y)?|hiccups?|flukes?|weird|odd|strange|suspicious"
    r"|compiling|swapping|throttl(?:ed|ing)|charg(?:er|ing)|antivirus)[\s.!?]{0,3}\Z",
    re.IGNORECASE,
)
# Values that a person chose: "ignore_case=on", "with a stable allocator", "without backup", "fan-out of 8", "fans off".
_CHOICE = re.compile(
    r"=|[0-9]|\b(?:with(?:out)?|using|no)\s|\bnot\s(?!count)|fan-|\s(?:on|off|enabled|disabled)\Z", re.IGNORECASE
)
_LONGEST = 60  # characters; a longer text is a sentence, which may also say what was changed


def is_circumstance(text: str) -> bool:
    """Whether a short remark says what disturbed a run, and states no setting."""
    if len(text) > _LONGEST or _CHOICE.search(text):
        return False
    return _CIRCUMSTANCE.search(text) is not None or _CIRCUMSTANCE_AT_END.search(text) is not None


def bracketed_circumstance(text: str) -> str:
    """The remark in brackets that is a whole line, if it says what disturbed a run; else empty."""
    inner = text[1:-1].strip() if text[0] in "(（" and text[-1] in ")）" else ""
    return inner if is_circumstance(inner) and inner[:1].isalnum() else ""

"""Recognises remarks about what disturbed a run: ``somebody was compiling``, ``noisy``, ``laptop on battery``.

They say how far to trust one run, and are not a setting that was chosen for it.
"""

from __future__ import annotations

import re

_CIRCUMSTANCE = re.compile(
    r"\b(?:ignor(?:e|ed|ing)|discard(?:ed)?|(?:does|do|did)(?:n't| not) count|outliers?|nois[ey]|noisier"
    r"|disturb(?:ed|ance)|interrupted|interference|glitch(?:es|ed|y)?|hiccups?|flukes?|jittery?|weird|odd|strange|suspicious|somebody"
    r"|someone|colleagues?|neighbou?rs?|compiling|cron(?:job)?|backup (?:was )?running|swapping|throttl(?:ed|ing)"
    r"|overheat(?:ed|ing)|fans?|battery|on mains|(?:un)?plugged|charg(?:er|ing)|video call|antivirus)(?!\w)",
    re.IGNORECASE,
)
# Values that a person chose: "ignore_case=on", "with a stable allocator", "without backup", "fan-out of 8".
_CHOICE = re.compile(r"=|[0-9]|\b(?:with(?:out)?|using|no)\s|fan-", re.IGNORECASE)
_LONGEST = 60  # characters; a longer text is a sentence, which may also say what was changed


def is_circumstance(text: str) -> bool:
    """Whether a short remark says what disturbed a run, and states no setting."""
    return len(text) <= _LONGEST and _CIRCUMSTANCE.search(text) is not None and _CHOICE.search(text) is None


def bracketed_circumstance(text: str) -> str:
    """The remark in brackets that is a whole line, if it says what disturbed a run; else empty."""
    inner = text[1:-1].strip() if text[0] in "(（" and text[-1] in ")）" else ""
    return inner if is_circumstance(inner) and inner[:1].isalnum() else ""

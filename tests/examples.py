"""How many examples a test tries, as a share of what the profile of hypothesis says (tests/conftest.py)."""

from __future__ import annotations

from hypothesis import settings


def examples(share: float) -> settings:
    """Settings for a test: 0.1 where one example takes long, 3 where mistakes are rare."""
    return settings(max_examples=max(1, round(settings.default.max_examples * share)))

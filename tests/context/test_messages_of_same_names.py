"""Several messages of a script that say the same names: which of them names a run.

Expected labels are read by eye from the text.
"""

from __future__ import annotations

import pandas as pd
import pytest

import wrkparse as wp
from tests.context.test_strangers import written


def _runs(page: str) -> pd.DataFrame:
    return wp.parse_text(written(page), source="bench.log").runs.sort_values("line")


@pytest.mark.parametrize(
    ("ended", "begun"),
    [("killing {}", "starting {}"), ("removed {}", "installed {}"), ("leaving {}...", "entering {}...")],
)
def test_the_message_next_to_a_run_names_it(ended: str, begun: str) -> None:
    """*killing emu* and *starting kiwi* distinguish the same runs by the same names; kiwi runs."""
    order = [("emu", "kiwi"), ("kiwi", "emu")] * 2
    page = "".join(f"{ended.format(old)}\n{begun.format(new)}\n@\n@\n" for old, new in order)
    assert _runs(page)["framework"].tolist() == ["kiwi", "kiwi", "emu", "emu"] * 2

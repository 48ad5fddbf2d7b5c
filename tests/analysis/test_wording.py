from __future__ import annotations

import doctest
import re
from pathlib import Path

from wrkparse.analysis import wording
from wrkparse.analysis.audit.advice import ADVICE
from wrkparse.analysis.scaling.least_squares import LAWS

DOCS = Path(__file__).parents[2] / "docs"


def test_every_code_has_a_name_of_its_own() -> None:
    limits = re.findall(r"^\| `([a-z-]+)` \|", (DOCS / "scaling.md").read_text(), re.MULTILINE)
    codes = {*ADVICE, *LAWS, *limits}
    assert {"nic-limit", "few-threads", "small-load", "shared-ceiling"} <= set(limits)
    names = {code: wording.name_of(code) for code in codes}
    assert [code for code, name in names.items() if "-" in code and name == code] == []
    assert len(set(names.values())) == len(names)


def test_a_word_without_a_name_is_its_own() -> None:
    assert wording.name_of("something-new") == "something-new"


def test_the_examples_hold() -> None:
    failed, tried = doctest.testmod(wording)
    assert (failed, tried) == (0, 3)

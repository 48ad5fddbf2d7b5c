"""What a line's commands do to what stands below it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wrkparse.context import programs
from wrkparse.context.commands import known
from wrkparse.tools import report_tools

KNOWN = known(report_tools())
WORDS = [
    *sorted(programs.WORDS),
    "env",
    "time",
    "taskset",
    "do",
    "export",
    "setup",
    "Go",
    "17",
    "-c",
    "4)",
    "a.b:",
    "x,",
]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("wrk -t4 http://h/", ["load"]),
        ("time -v ./hello", ["load"]),
        ("GOGC=off ./hello", ["serve"]),
        ("GOMAXPROCS=4", ["set"]),
        ("killall hello; GOGC=off ./hello & wrk http://h/", ["end", "serve", "load"]),
        ("ls -l", []),
        ("wrk", []),
    ],
)
def test_each_command_that_matters_is_a_step(text: str, kinds: list[str]) -> None:
    assert [step.kind for step in KNOWN.steps(text, root=True, code=True)] == kinds


def test_what_a_tool_times_may_be_the_server() -> None:
    assert [step.serves for step in KNOWN.steps("time ./hello", prompt=True)] == [True]
    assert [step.serves for step in KNOWN.steps("time ls -l", prompt=True)] == [False]


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join) | st.text("ab1 .,:()-", max_size=12))
def test_mere_words_are_no_command_that_matters(text: str) -> None:
    if KNOWN.mere_words(text):
        assert KNOWN._plan(text, False, True, False) == ()
        assert not programs.is_noise(text)
        assert not KNOWN.typed(text)

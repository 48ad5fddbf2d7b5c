"""Formats of the user's own for ``time``, read where a command or setting above gives them.

Expected values come from the conversions' meaning in GNU time's and busybox's ``time.c``, bash's ``execute_cmd.c`` and
zsh's ``jobs.c``.
"""

from __future__ import annotations

import functools
import json
import re
import time
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import wrkparse as wp
from tests.cases import each_case
from tests.examples import examples
from wrkparse.tools.report import Report
from wrkparse.tools.time.formats import FORMATS, _FormatPattern

Run = tuple[int, str, dict[str, float]]


def runs(*lines: str) -> list[Run]:
    """Line, dialect and numbers of each run of a terminal session."""
    dataset = wp.parse_text("\n".join(lines), "session.txt")
    found = []
    for run in dataset.runs.itertuples():
        rows = dataset.measurements[dataset.measurements.run == run.run]
        found.append((run.line, run.dialect, dict(zip(rows.metric, rows.value, strict=True))))
    return found


def three(elapsed: float, user: float, system: float) -> dict[str, float]:
    return {"elapsed": elapsed, "user": user, "system": system}


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
        (["$ time -f '%e %U %S' ./x", "done 5", "0.10 0.02 0.01"], (3, "gnu -f", three(0.1, 0.02, 0.01))),
        (["$ /usr/bin/time -f%E ./x", "1:02:03"], (2, "gnu -f", {"elapsed": 3723})),
        (["$ gtime --format='max %M kB, %P' ./x", "max 1632 kB, 99%"], (2, "gnu -f", {"max_rss": 1632 * 1024, "cpu_share": 0.99})),
        (["$ TIME='%x|%W|%Z|%k' time ./x", "0|1|4096|2"], (2, "gnu -f", {"exit_status": 0, "swaps": 1, "page_size": 4096, "signals": 2})),
        (["$ export TIME='\\t%e s'", "$ make", "$ /usr/bin/time ./x", "\t1.50 s"], (4, "gnu -f", {"elapsed": 1.5})),
        (["$ time -f '%e 100%% %y' ./x", "1.50 100% ?y"], (2, "gnu -f", {"elapsed": 1.5})),
        (["$ time -f '%Tt %Tx %e' ./x", "normal 3 1.50"], (2, "gnu -f", {"exit_status": 3, "elapsed": 1.5})),
        (["```", 'time -f "%e" -o /dev/stderr ls', "0.10", "```"], (3, "gnu -f", {"elapsed": 0.1})),
        (["```", 'time -f "%e\\n%U\\n%S" ls', "0.10", "0.02", "0.01", "```"], (3, "gnu -f", three(0.1, 0.02, 0.01))),
        (["$ busybox time -f '%E %u %T' ./x", "1h 2m 03s 0m 0.10s 1m 0.20s"], (2, "gnu -f", three(3723, 0.1, 60.2))),
        (["```", "TIMEFORMAT='%2R %lU %0S'", "time ./x", "0.10 1m2.003s 4", "```"], (4, "TIMEFORMAT", three(0.1, 62.003, 4))),
        (["$ TIMEFORMAT=%R", "$ time ./x", "0,104"], (3, "TIMEFORMAT", {"elapsed": 0.104})),
        (["$ TIMEFORMAT='%P%% of %6E'", "$ time ./x", "12.50% of 0.104123"], (3, "TIMEFORMAT", {"cpu_share": 0.125, "elapsed": 0.104123})),
        (["% TIMEFMT='%U %*S %mE %F'", "% time ./x", "0,10s 1:02.03 101ms 7"], (3, "zsh TIMEFMT", {**three(0.101, 0.1, 62.03), "page_faults_major": 7})),
        (["> set time=(0 '%E elapsed %Uu %Ss %P %Mk')", "> ./x", "1:02:03.45 elapsed 0.184u 0.010s 19.1% 1632k"],
         (3, "tcsh", {**three(3723.45, 0.184, 0.01), "cpu_share": 0.191, "max_rss": 1632 * 1024})),
        (['% set time = ( 10 "%U+%S=%P %W swaps" )', "% make", "9.8+4.3=60% 3 swaps"],
         (3, "tcsh", {"user": 9.8, "system": 4.3, "cpu_share": 0.6, "swaps": 3})),
        (["% TIMEFMT=$'\\nreal\\t%*E\\nuser\\t%*U\\nsys\\t%*S'", "% time ./x", "", "real\t1:02.03", "user\t0.001", "sys\t0.000"], (4, "zsh TIMEFMT", three(62.03, 0.001, 0))),
    ],
)  # fmt: skip
def test_a_format_that_stands_above_is_read(lines: list[str], wanted: Run) -> None:
    ((line, dialect, numbers),) = runs(*lines)
    assert (line, dialect, numbers) == (*wanted[:2], pytest.approx(wanted[2]))


def test_each_time_that_the_format_is_printed_is_a_run() -> None:
    found = runs(
        "```", "for i in 1 2 3; do /usr/bin/time -f '%e %M' ./x; done", "0.10 1632", "0.11 1640", "0.12 1632", "```"
    )
    assert [(line, numbers["elapsed"]) for line, _, numbers in found] == [(3, 0.1), (4, 0.11), (5, 0.12)]


def test_the_lines_of_a_format_are_believed_after_its_first_only() -> None:
    assert runs("$ time -f 'wall %e\\n%M' ./x", "1640", "wall 0.10", "1632") == [
        (3, "gnu -f", {"elapsed": 0.1, "max_rss": 1632 * 1024})
    ]


@pytest.mark.parametrize(
    "lines",
    [
        ["0.10 0.02 0.01"],
        ["$ time -f '%e %U %S' ./x", "0.10 0.02"],
        ["$ time -f '%e %U %S' ./x", "it took 0.10 0.02 0.01"],
        ["$ time -f %C ./x", "anything at all"],
        ["$ TIMEFORMAT='%R %Q'", "$ time ./x", "0.104 Q"],  # bash prints nothing then
        ["$ TIMEFORMAT=", "$ time ./x", "0.104"],
        ["# one", "$ time -f %e ./x", "", "# another", "0.10"],
        ["a `time -f %e ./x` of", "0.10"],
        ["$ time -f '%C %C %e' ./x", "./x ./x 0.10"],  # two of unknown length can't be told apart
        ["$ time -f '%F%R' ./x", "123"],
        ["$ time -f '%F1%R' ./x", "213"],
    ],
)
def test_what_no_format_in_force_says_is_no_run(lines: list[str]) -> None:
    assert runs(*lines) == []


def test_the_exit_status_that_a_line_above_tells_is_not_told_again() -> None:
    lines = ("$ time -f '%x %e' ./x", "Command exited with non-zero status 3", "3 0.10")
    assert runs(*lines) == [(2, "gnu -f", {"exit_status": 3, "elapsed": 0.1})]


@pytest.mark.parametrize(("text", "found"), [("0m 0.10s 6912", {}), ("0m 0.10s 6900", {"max_rss": 6900 * 1024})])
def test_busyboxs_resident_set_is_read_where_it_is_proven_right(text: str, found: dict[str, float]) -> None:
    assert runs("$ busybox time -f '%E %M' ./x", text) == [(2, "gnu -f", {"elapsed": 0.1, **found})]


def test_zshs_resident_set_has_no_unit_that_is_known() -> None:
    dataset = wp.parse_text("% TIMEFMT='%E %M'\n% time ./x\n0.10s 12\n", "session.txt")
    assert dict(zip(dataset.measurements.metric, dataset.measurements.value, strict=True)) == {"elapsed": 0.1}
    assert list(dataset.diagnostics.code) == ["unit-unknown"]


def clock(hundredths: int) -> str:
    """Print as GNU time's ``%E``."""
    whole, rest = divmod(hundredths, 100)
    if whole >= 3600:
        return f"{whole // 3600}:{whole // 60 % 60:02d}:{whole % 60:02d}"
    return f"{whole // 60}:{whole % 60:02d}.{rest:02d}"


def plain(hundredths: int) -> str:
    return f"{hundredths // 100}.{hundredths % 100:02d}"


# letter → metric, how the number is printed, the factor to the base unit
GNU = {
    "e": ("elapsed", plain, 0.01),
    "U": ("user", plain, 0.01),
    "S": ("system", plain, 0.01),
    "M": ("max_rss", str, 1024),
    "P": ("cpu_share", "{}%".format, 0.01),
    "F": ("page_faults_major", str, 1),
    "R": ("page_faults_minor", str, 1),
    "w": ("context_switches_voluntary", str, 1),
    "c": ("context_switches_involuntary", str, 1),
    "I": ("fs_inputs", str, 1),
    "O": ("fs_outputs", str, 1),
    "s": ("socket_sent", str, 1),
    "r": ("socket_received", str, 1),
    "k": ("signals", str, 1),
    "W": ("swaps", str, 1),
    "x": ("exit_status", str, 1),
}


def one_line(key: str, text: str, printed: str) -> dict[str, float | None]:
    """The numbers of one printed line, by the only rule of a format."""
    (rule,) = FORMATS[key](text)
    match = rule.pattern.fullmatch(" ".join(printed.split()))
    assert match is not None
    report = Report("time", "x.txt", 1, 1)
    rule.read(report, match, 1)
    assert report.diagnostics == []
    return {row.metric: row.value for row in report.measurements}


@given(
    letters=st.lists(st.sampled_from(sorted(GNU)), min_size=2, max_size=16, unique=True),
    numbers=st.lists(st.integers(0, 10**9), min_size=16, max_size=16),
    between=st.sampled_from([" ", ",", " | ", "\t", ";  ", " a.b*(c) "]),
)
def test_any_format_gives_back_what_it_was_printed_from(letters: list[str], numbers: list[int], between: str) -> None:
    printed = between.join(GNU[letter][1](number) for letter, number in zip(letters, numbers, strict=False))
    found = one_line("flag_format", between.join(f"%{letter}" for letter in letters), printed)
    for letter, number in zip(letters, numbers, strict=False):
        metric, _, factor = GNU[letter]
        assert found[metric] == pytest.approx(number * factor, rel=1e-12), letter


@given(st.text(max_size=40), st.sampled_from(sorted(FORMATS)))
@example(" %Tx", "flag_format")
@example("%", "env_TIMEFMT")
def test_no_format_is_too_odd(text: str, key: str) -> None:
    for rule in FORMATS[key](text):
        assert rule.kind == "format"


@each_case("key", FORMATS)
@each_case("letter", ["%R", "%0R", "%lR", "%P", "%F", "%E", "%*E", "%mE", "%C", "%J", "%Tx"])
def test_a_line_made_for_a_format_is_read_in_linear_time(key: str, letter: str) -> None:
    """As `test_rules` has it of the rules that always hold."""
    texts = [between.join([letter] * 60) for between in ("", " ", "1", ",", ".", ":", "s", "m", "%%", "1.", "-")]
    lines = ("1" * 3000, "1.1" * 1000, "1,111" * 600, "1:11" * 700, "1m1.111s" * 400, "1:11.11" * 400, "1 " * 1500)
    started = time.process_time()
    for rule in (rule for text in texts for rule in FORMATS[key](text)):
        for line in lines:
            rule.pattern.fullmatch(line + "x")
    assert time.process_time() - started < 2


@given(st.integers(0, 10**9))
def test_an_elapsed_time_is_cut_at_the_hour(hundredths: int) -> None:
    wanted = hundredths / 100 if hundredths < 360000 else hundredths // 100
    assert one_line("flag_format", "%E", clock(hundredths)) == {"elapsed": pytest.approx(wanted, rel=1e-12)}


def test_a_time_variable_of_tcsh_without_a_format_says_nothing() -> None:
    assert runs("% set time=10", "% ./x", "0.10 0.02 0.01") == []


@pytest.mark.parametrize("key", FORMATS)
@given(text=st.text(st.characters(exclude_characters="%"), max_size=40))
@examples(0.2)
def test_a_format_without_a_conversion_has_no_line_of_its_own(key: str, text: str) -> None:
    assert FORMATS[key](text) == ()


def test_formats_that_differ_in_their_digits_only_are_compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []

    def counted(expression: str) -> re.Pattern[str]:
        compiled.append(expression)
        return re.compile(expression)

    monkeypatch.setattr("wrkparse.tools.time.formats._compiled", functools.lru_cache(counted))
    lines = [
        f"$ time -f 'run {number} of 300: %e s, %M KB' ./a\nrun {number} of 300: 1.{number:02} s, 7 KB\n"
        for number in range(10, 100)
    ]
    assert len(wp.parse_text("".join(lines)).runs) == 90
    assert len(compiled) == 1


@pytest.mark.parametrize(
    "text", ["run 18: 1.25 s", "run 7: 1.25 s", "run 17: 1.25 s 3", "17: 1.25 s", "ran 17: 1.25 s"]
)
def test_the_digits_of_a_format_are_compared_all_the_same(text: str) -> None:
    assert len(wp.parse_text(f"$ time -f 'run 17: %e s' ./a\n{text}\n").runs) == 0
    assert len(wp.parse_text("$ time -f 'run 17: %e s' ./a\nrun 17: 1.25 s\n").runs) == 1


def test_a_line_is_compared_with_each_line_of_a_format_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []
    match = _FormatPattern.fullmatch

    def counted(self: _FormatPattern, text: str) -> re.Match[str] | None:
        tried.append(text)
        return match(self, text)

    monkeypatch.setattr(_FormatPattern, "fullmatch", counted)
    texts = [f"{number} orders" for number in range(200)]
    wp.parse_text("\n".join([r"$ time -f '%e real\n%U user\n%S system' ./a", *texts]))
    assert max(Counter(tried).values()) == 3
    assert len(tried) <= 3 * (len(texts) + 2)


SESSION = "$ /usr/bin/time -f '%e s, %M KB' ./a\nhello\n1.25 s, 1234 KB\n$ time -f '%e real\\n%U user' ./b\n2.50 real\n1.75 user\n"


@pytest.mark.parametrize(
    "wrapped",
    [
        json.dumps,
        lambda text: json.dumps({"log": text}),
        lambda text: json.dumps({"code": 0, "log": text, "time": "12:30"}, indent=1),
        lambda text: json.dumps([{"cmd": "b\n", "output": text}], separators=(",", ":")),
    ],
)
def test_a_session_in_one_string_has_its_commands_formats(wrapped: Callable[[str], str]) -> None:
    dataset = wp.parse_text(f"{wrapped(SESSION)}\n")
    measured = dataset.measurements.merge(dataset.runs[["run", "command"]], on="run")
    assert sorted(measured[["command", "metric", "value"]].to_numpy().tolist()) == [
        ["/usr/bin/time -f '%e s, %M KB' ./a", "elapsed", 1.25],
        ["/usr/bin/time -f '%e s, %M KB' ./a", "max_rss", 1234 * 1024],
        ["time -f '%e real\\n%U user' ./b", "elapsed", 2.5],
        ["time -f '%e real\\n%U user' ./b", "user", 1.75],
    ]


@each_case(
    "above",
    [
        'env: {TIMEFORMAT: "%R s, %U"}\nrun: time ./a',
        "env: { GOGC: off, TIMEFORMAT: '%R s, %U' }",
        'env:\n  TIMEFORMAT: "%R s, %U"\nrun: time ./a',
        "jobs:\n  a:\n    env:\n      TIMEFORMAT: '%R s, %U'\n    run: |\n      time ./a",
        "  env:\n    TIMEFORMAT: %R s, %U\n##[endgroup]",
        "env: {TIME: %e0 s, GOGC: off}\ntime -f '%e0 s, %U0' ./a",
        '{\n  "env": {\n    "TIMEFORMAT": "%R s, %U"\n  },\n  "command": "time ./a"\n}',
        '{"env":{"GOGC":"off","TIMEFORMAT":"%R s, %U"},"command":"time ./a"}',
        "command: /usr/bin/time -f '%e0 s, %U0' ./a",
        '{\n  "command": "/usr/bin/time -f \'%e0 s, %U0\' ./a",\n  "host": "b1"\n}',
        '{"command": "/usr/bin/time -f \\"%e0 s, %U0\\" ./a"}',
    ],
)
@each_case(
    "printed", ["1.230 s, 0.250", '"stderr": "1.230 s, 0.250\\n",', "output: |\n    1.230 s, 0.250", "| 1.230 s, 0.250"]
)
def test_a_format_that_json_or_yaml_states_is_read(above: str, printed: str) -> None:
    dataset = wp.parse_text(f"{above}\n{printed}\n")
    measured = dataset.measurements[["metric", "value", "line"]].to_numpy().tolist()
    line = f"{above}\n{printed}".count("\n") + 1
    assert measured == [["elapsed", 1.23, line], ["user", 0.25, line]]
    assert len(dataset.diagnostics) == 0


@pytest.mark.parametrize(
    "above",
    [
        "RATIO: %R s, %U",
        "my_TIMEFORMAT: '%R s, %U'",
        "NOTIMEFORMAT: %R s, %U",
        "TIMEFORMAT: short",
        "TIME: 50% of 3 s",
        "# TIMEFORMAT: '%R s, %U'",
    ],
)
def test_other_values_of_json_and_yaml_are_no_formats(above: str) -> None:
    assert wp.parse_text(f"{above}\n1.230 s, 0.250\n").runs.empty


@pytest.mark.parametrize(
    "above",
    [
        "export TIMEFORMAT='%R s, %U'",
        'env: {TIMEFORMAT: "%R s, %U"}',
        "TIMEFORMAT='%R s, %U'",
        "/usr/bin/time -f '%e0 s, %U0' ./a",
        '{\n  "command": "/usr/bin/time -v -f \'%e0 s, %U0\' ./a"\n}',
        'set time=(10 "%E s, %U")\ntime ./a',
    ],
)
def test_a_format_that_stands_in_a_long_log_without_a_prompt_is_read(above: str) -> None:
    printed = "0:01.23 s, 0.250" if above.startswith("set") else "1.230 s, 0.250"
    others = "".join(f"2026-11-20 11:38:00 worker {number} handled a request\n" for number in range(1500))
    assert len(others) > 64 << 10  # more than is parsed as text at once
    dataset = wp.parse_text(f"{others}{above}\n{others}{printed}\n{others}")
    assert dataset.measurements[["metric", "value"]].to_numpy().tolist() == [["elapsed", 1.23], ["user", 0.25]]


def test_a_share_in_yaml_and_another_command_in_json_change_nothing_below() -> None:
    event = (
        "gc {0} @{0}.112s 2%: 0.018+1.3+0.076 ms clock, 0.054+0.35/1.2/3.0+0.22 ms cpu, 4->5->1 MB, 5 MB goal, 4 P\n"
    )
    above = 'TIME: 50% x\n  "command": "wrk -t8 -c64 http://h/a%2fb",\n'
    dataset = wp.parse_text(event.format(1) + above + event.format(2))
    assert len(dataset.runs) == 1
    assert not {"env_TIME", "flag_t"} & set(dataset.labels.key)


def test_what_a_command_prints_by_escapes_is_no_session() -> None:
    assert wp.parse_text("""$ echo "$ time -f '%e s' ./a\\n1.25 s\\n"\n""").runs.empty


def test_a_format_that_is_set_again_replaces_the_one_before() -> None:
    """Else each run of a long session would have the formats of all runs above it as labels."""
    text = "".join(f"$ TIMEFORMAT='run {n} %R'\n$ time ./x\nrun {n} 0.{n}00\n" for n in range(1, 4))
    data = wp.parse_text(text)
    assert data.measurements["value"].tolist() == [0.1, 0.2, 0.3]
    assert data.labels.query("key == 'env_TIMEFORMAT'")["value"].tolist() == [f"run {n} %R" for n in range(1, 4)]

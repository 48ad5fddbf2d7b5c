"""What the commands of a line do to the runs below it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wrkparse as wp
from tests.cases import each_case
from tests.examples import examples
from tests.samples import WRK
from wrkparse.context.commands import programs
from wrkparse.context.commands.classifier import Effect, command_classifier
from wrkparse.text.shell import parse_commands
from wrkparse.tools import report_tools

CLASSIFIER = command_classifier(report_tools())
WORDS = [
    *sorted(programs.KNOWN_PROGRAMS),
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


def effects(text: str, **where: bool) -> tuple[Effect, ...]:
    found = CLASSIFIER.command(text, **where)
    return found.effects if found else ()


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
def test_each_command_that_matters_has_an_effect(text: str, kinds: list[str]) -> None:
    assert [effect.kind for effect in effects(text, root=True, code=True)] == kinds


def test_what_a_tool_times_may_be_the_server() -> None:
    assert [effect.starts_server for effect in effects("time ./hello", prompt=True)] == [True]
    assert [effect.starts_server for effect in effects("time ls -l", prompt=True)] == [False]


def test_a_pipeline_joins_the_commands_of_its_own_tool_alone() -> None:
    attack, report = "vegeta attack -rate=100", "vegeta report -every=1s"
    (joined,) = effects(f"{attack} | {report}", prompt=True)
    assert {label.key for _, labels in joined.loads for label in labels} >= {"rate", "flag_every"}
    apart = effects(f"wrk -t3 http://h/ | {report}", prompt=True)
    assert [[tool for tool, _ in effect.loads] for effect in apart] == [["wrk"], ["vegeta"]]


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join) | st.text("ab1 .,:()-", max_size=12))
def test_plain_words_are_no_command_that_matters(text: str) -> None:
    if CLASSIFIER.is_plain_words(text):
        assert effects(text) == ()
        assert not programs.is_side_command(text)
        assert not CLASSIFIER.has_typed_command(text)
        commands = parse_commands(text)
        assert [command for command in commands if programs.starts_server(command, prompt=False, code=False)] == []
        assert [command for command in commands if programs.ends_server(command)] == []


def test_a_long_line_is_read_as_a_short_one() -> None:
    options = " -H 'X: y'" * 50  # longer than the lines that are remembered
    for text in ("wrk -t4 http://h/", f"wrk{options} http://h/"):
        assert [effect.kind for effect in effects(text)] == ["load"]
        for line in (f"$ {text}", f"`{text}`", f"Run {text}"):
            found = CLASSIFIER.read_session_line(line, in_fence=False)
            assert found is not None
            assert [effect.kind for effect in found.effects] == ["load"]
            assert found.has_prompt is (line[0] == "$")


@pytest.mark.parametrize("text", ["# GOGC=off ./hello", f"# GOGC=off ./hello {'-x ' * 200}"])
def test_a_heading_of_one_sign_may_be_a_command_of_root(text: str) -> None:
    heading = CLASSIFIER.read_heading_line(text)
    assert heading is not None
    assert heading.is_root
    assert heading.command is not None
    assert [effect.kind for effect in heading.command.effects] == ["serve"]


@examples(0.5)
@given(
    st.sampled_from(["#", "##", "######", "==", "###", "# #", "-"]),
    st.lists(st.sampled_from([*WORDS, "run", "Try", "warm-up", "kiwi", "nginx", "of", "conns", "#"]), max_size=3),
    st.sampled_from(["0", "1", "17", "2019", "12345", "123456", "007", "1.5", "٣", "²"]),
)
def test_a_heading_says_the_same_whatever_number_was_read_at_its_end_before(
    mark: str, words: list[str], number: str
) -> None:
    line = " ".join([mark, *words, number])
    assert CLASSIFIER.read_heading_line(line) == CLASSIFIER._read_heading(line)


def test_a_numbered_heading_keeps_its_own_number() -> None:
    found = [CLASSIFIER.read_heading_line(f"## setup {number}") for number in ("17", "460")]
    assert [(heading.level, heading.text) for heading in found if heading] == [(2, "setup 17"), (2, "setup 460")]
    repeat, load = CLASSIFIER.read_heading_line("# run 2"), CLASSIFIER.read_heading_line("# conns 64")
    assert repeat is not None
    assert repeat.is_part
    assert load is not None
    assert [(label.key, label.value) for label in load.labels] == [("connections", "64")]


WRK_COMMAND = "wrk -t2 -c100 -d10s --latency http://10.0.1.70:8080/hello"
COMMAND_FORMS = [
    "`{}`", "`$ {}`", "`{}`:", "Run `{}`:", "With `{}` I get:", "Results of `{}`", "- `{}`", "1. `{}`", "### `{}`",
    "**`{}`**", "// {}", "//{}", "-- {}", "--> {}", "/* {} */", "# {}", "* {}", "; {}", "rem {}", '"{}"', "({})",
    "Using {}", "cmd = {}", "command line: {}", "-- {} --", "<code>{}</code>", "I ran `ls` and then `{}`.",
]  # fmt: skip
TABLE = "  Thread Stats" + WRK.partition("  Thread Stats")[2]


@each_case("form", COMMAND_FORMS)
@each_case("between", ["\n", "\n\n", "\n```\n"])
def test_the_flags_of_a_command_label_the_report_below_it_whatever_its_mark(form: str, between: str) -> None:
    runs = wp.parse_text(form.format(WRK_COMMAND) + between + TABLE).runs
    stated = runs[["threads", "connections", "duration_s", "url"]].iloc[0].tolist()
    assert stated == [2, 100, 10.0, "http://10.0.1.70:8080/hello"]


@pytest.mark.parametrize(
    "line",
    ["Try `wrk -t2` first.", "We use `wrk -c1 http://h/` and `wrk -c2 http://h/`.", "I ran wrk -t2 -c9 http://h/ too."],
)
def test_commands_that_a_sentence_mentions_or_offers_label_nothing(line: str) -> None:
    assert "flag_latency" not in (runs := wp.parse_text(f"{line}\n\n{TABLE}").runs)
    assert "connections" not in runs.columns or runs["connections"].isna().all()


def test_a_quoted_argument_at_the_end_keeps_its_quotation() -> None:
    labels = wp.parse_text(f"// wrk -c5 http://h/ -H 'Host: a b'\n{TABLE}").labels
    assert labels.loc[labels["key"] == "flag_header", "value"].tolist() == ["Host: a b"]

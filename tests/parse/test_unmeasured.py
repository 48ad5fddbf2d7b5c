"""What looks like a report and is none that a tool printed: strings of source code, templates, computed time spans."""

from __future__ import annotations

import pytest

import wrkparse as wp
from tests.samples import WRK

RATES = r"Requests/sec: 1234.50\nTransfer/sec: 1.00MB\n"


@pytest.mark.parametrize(
    "line",
    [
        f'\tout := "{RATES}"', f'var out = "{RATES}"', f'out += "{RATES}"', f'    return "{RATES}"', f'let s = "{RATES}";',
        f'\tgot, err := parse("{RATES}")', f'expect(out).toBe("{RATES}");', f'parse(b"{RATES}")', f'rows[0] = "{RATES}"',
        f'printf("{RATES}");', "expect(out).toBe('Requests/sec: 1234.50');", 'line = "Requests/sec: 1234.50"',
        "assert 'Requests/sec: 1234.50' in out", 'grep -q "Requests/sec: 1234.50" out.log', 'echo "Requests/sec: 1234.50"',
    ],
)  # fmt: skip
@pytest.mark.parametrize("ahead", ["", "func TestRates(t *testing.T) {\n"])
def test_a_report_in_a_string_of_source_code_is_no_run(line: str, ahead: str) -> None:
    assert wp.parse_text(f"{ahead}{line}\nend\n").runs.empty


@pytest.mark.parametrize(
    "form",
    [
        '{{"stdout": "{}"}}', 'time=12:00:01 level=info msg="{}"', '  "stdout": "{}",', "b'{}'",
        'Out[1]: "{}"', 'web-1 | out="{}"',
    ],
)  # fmt: skip
def test_a_report_in_a_string_of_a_log_is_a_run(form: str) -> None:
    data = wp.parse_text(f"{form.format(RATES)}\n")
    assert data.measurements["value"].tolist() == [1234.5, 1 << 20]


@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        ('REPORT = """\\\n', '"""\n'), ('    out = textwrap.dedent("""\n', '    """)\n'), ("const sample = `\n", "`\n"),
        ("const sample = `", "`\n"), ('String s = """\n', '""";\n'), ('    let s = r#"', '"#;\n'), ('var s = @"', '";\n'),
        ("\tparse(`\n", "`)\n"), ("return `\n", "`\n"),
    ],
)  # fmt: skip
def test_a_report_in_a_string_of_several_lines_is_no_run(opening: str, closing: str) -> None:
    data = wp.parse_text(f"{opening}{WRK}{closing}")
    assert data.runs.empty
    assert data.diagnostics["code"].tolist() == ["unmeasured"]
    assert "a string of source code" in data.diagnostics["message"][0]


def test_lines_that_a_program_prints_with_quotes_are_a_run() -> None:
    """As Ruby's ``p line`` and Go's ``%q`` print each."""
    assert len(wp.parse_text("".join(f'"{line}\\n"\n' for line in WRK.splitlines())).runs) == 1


def test_strings_of_c_that_are_one_are_no_run() -> None:
    lines = "".join(f'    "{line}\\n"\n' for line in WRK.splitlines())
    data = wp.parse_text(f"static const char *out =\n{lines};\n")
    assert data.runs.empty
    assert data.diagnostics["code"].tolist() == ["unmeasured"]


@pytest.mark.parametrize(
    "above",
    [
        "the output of `wrk`:",
        "```",
        "~~~`",
        "x = 5",
        "kiwi (`v2`)",
        "a, b, `c`",
        "With `GOGC=off`",
        "Image `a/kiwi:dev`",
        "nginx, `gzip: off`",
        "kiwi with `--mode=raw`",
        "- `./kiwi --gc=off`",
        "With `sendfile=on`",
    ],
)
def test_a_backtick_of_a_page_opens_no_string(above: str) -> None:
    assert len(wp.parse_text(f"{above}\n{WRK}").runs) == 1


SPAN = """\
Days              : 0
Hours             : {hours}
Minutes           : {minutes}
Seconds           : 0
Milliseconds      : 0
Ticks             : {ticks}
TotalDays         : 0.0590277777777778
TotalHours        : 1.41666666666667
TotalMinutes      : 85
TotalSeconds      : 5100
TotalMilliseconds : 5100000
"""


@pytest.mark.parametrize(
    ("ahead", "ticks", "reason"),
    [
        ("", 51_000_000_000, "whole seconds"),
        ("PS> New-TimeSpan -Minutes 85\n\n", 51_000_000_000, "New-TimeSpan"),
        ("PS C:\\> New-TimeSpan -Start $a -End $b\n\n", 51_000_000_007, "New-TimeSpan"),
        ("PS> [TimeSpan]::FromSeconds(5100.0000007)\n\n", 51_000_000_007, "[TimeSpan]"),
        ("PS> Get-Uptime\n\n", 51_000_000_007, "Get-Uptime"),
        ("PS> $job.Timeout\n\n", 51_000_000_007, ".Timeout"),
        ("```\nNew-TimeSpan $a\n```\n\n```\n", 51_000_000_007, "New-TimeSpan"),
    ],
)
def test_a_time_span_that_nobody_measured_is_no_run(ahead: str, ticks: int, reason: str) -> None:
    data = wp.parse_text(ahead + SPAN.format(hours=1, minutes=25, ticks=ticks))
    assert data.runs.empty
    assert data.diagnostics["code"].tolist() == ["unmeasured"]
    assert reason in data.diagnostics["message"][0]


@pytest.mark.parametrize("block", ["./x", "$client.Timeout = 5; ./x"])
def test_a_time_span_that_was_measured_is_a_run(block: str) -> None:
    measured = f"PS> Measure-Command {{ {block} }}"
    text = f"PS> New-TimeSpan\n{measured}\n\n{SPAN.format(hours=1, minutes=25, ticks=51_000_000_007)}"
    assert wp.parse_text(text).measurements["value"].tolist() == [5100.0000007]


@pytest.mark.parametrize(
    "mark",
    ["{{rps}}", "{{ .Rate }}", "%s", "%.2f", "%d", "${RATE}", "$RATE", "{rate:.2f}", "%(rate)s", "#{rate}", "<rate>"],
)
@pytest.mark.parametrize("key", ["Requests/sec", "Transfer/sec"])
def test_a_template_is_no_run(mark: str, key: str) -> None:
    lines = [f"{key}: {mark}" if line.startswith(key) else line for line in WRK.splitlines()]
    data = wp.parse_text("\n".join(lines) + "\n")
    assert data.runs.empty
    assert data.diagnostics["code"].tolist() == ["unmeasured"]


@pytest.mark.parametrize(
    "text",
    [
        "Running {{duration}} test @ {{url}}\n" + WRK.partition("\n")[2],
        WRK.replace("Running 10s", "Running ${DURATION}"),
        WRK.replace("Running 10s", "Running %ds"),
        WRK.replace("Running 10s", "Running <duration>"),
        "real\t0m{{real}}s\nuser\t0m1.000s\nsys\t0m0.100s\n",
        "Requests per second:    {{ rps }} [#/sec] (mean)\nTime per request:       1.000 [ms] (mean)\n",
    ],
)
def test_a_template_of_which_only_the_first_line_has_a_placeholder_is_no_run(text: str) -> None:
    data = wp.parse_text(text)
    assert data.runs.empty
    assert "unmeasured" in data.diagnostics["code"].tolist()


@pytest.mark.parametrize(
    "above",
    [
        "Run make bench-${{ matrix.name }}",
        "Hello {{name}}",
        "Testing <kiwi>",
        "Latency: 5%",
        "Running wrk against /users/<id>",
        "Running GET /users/{{id}}",
        "Running at 50%faster",
        "Requests/sec for <kiwi>",
    ],
)
def test_a_placeholder_in_another_line_makes_no_template(above: str) -> None:
    assert len(wp.parse_text(f"{above}\n{WRK}").runs) == 1


@pytest.mark.parametrize("text", ["$ make report", "<td>", "{id: 7}"])
def test_a_line_that_can_not_be_read_for_other_text_makes_no_template(text: str) -> None:
    data = wp.parse_text(WRK.replace("Transfer/sec:      7.13MB", f"Transfer/sec:      7.13MB and {text} more"))
    assert len(data.runs) == 1


def test_a_percent_sign_of_a_url_makes_no_template() -> None:
    data = wp.parse_text(WRK.replace("Transfer/sec: ", "Transfer/sec: http://h/a%2f"))
    assert len(data.runs) == 1


@pytest.mark.parametrize(
    "above",
    [
        "expected:\n",
        "want:\n```\n",
        "Expected output:\n\n",
        "The output should look like this:\n\n",
        "Your results should look something like this:\n\n",
        "## Expected output\n\n```\n",
        "**Expected results**\n\n",
        "// want\n",
        "Should print something like:\n",
        "You should see:\n",
    ],
)
def test_a_report_that_is_called_expected_is_no_run(above: str) -> None:
    data = wp.parse_text(f"# A page\n\n{above}{WRK}")
    assert data.runs.empty
    assert data.diagnostics["code"].tolist() == ["unmeasured"]


@pytest.mark.parametrize(
    "above", ["got:\n", "We expected this:\n", "want:\n$ wrk -t2 -c8 http://h/\n", "want:\n" + "x\n" * 9]
)
def test_other_text_above_a_report_does_not_call_it_expected(above: str) -> None:
    assert len(wp.parse_text(f"{above}{WRK}").runs) == 1

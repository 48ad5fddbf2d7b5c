"""Objects of JSON are found wherever they stand: the expected values of the fixtures hold in each of these forms."""

from __future__ import annotations

import json
import time
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wrkparse as wp
from tests.examples import examples
from tests.samples import WRK
from wrkparse.model.records import Diagnostic
from wrkparse.parse import objects
from wrkparse.parse.checkpoint import Checkpoint, freeze, thaw
from wrkparse.parse.items import Run
from wrkparse.parse.parser import SourceParser
from wrkparse.testing.reading import differences
from wrkparse.tools import report_tools
from wrkparse.tools.objects import Number, at, find, json_quantity, parse

FIXTURES = Path(__file__).parents[1] / "fixtures"
CASES = sorted(path for tool in report_tools() if tool.objects for path in (FIXTURES / tool.name).glob("json*.log"))
VEGETA = next(path for path in CASES if path.parent.name == "vegeta").read_text()
PRETTY = json.dumps(json.loads(VEGETA), indent=2) + "\n"
LINES = PRETTY.count("\n")
FILLER = '10.0.0.7 - - "GET /index.html HTTP/1.1" 200 612 {"a": 1} 0.012\n'


def runs(text: str, size: int | None = None) -> tuple[list[tuple[str, int, int, dict[str, float | None]]], list[str]]:
    """Tool, lines and numbers of each run, and the diagnostics; the text is fed in blocks of about this many characters."""
    parser, items = SourceParser("x"), []
    blocks = [text] if size is None else []
    lines = text.splitlines(keepends=True) if size else []
    while lines:
        block = lines.pop(0)
        while lines and len(block) < (size or 0):
            block += lines.pop(0)
        blocks.append(block)
    for block in blocks:
        items += parser.feed(block.encode())
    items += parser.finish()
    found = [
        (run.tool, run.line, run.line_end, {f"{row.metric}/{row.stat}": row.value for row in run.numbers.rows()})
        for run in items
        if isinstance(run, Run)
    ]
    return found, [str(one) for one in items if isinstance(one, Diagnostic)]


(_, _, _, NUMBERS), *_ = runs(VEGETA)[0]


@pytest.mark.parametrize("case", CASES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_an_object_gives_the_numbers_that_it_states(case: Path) -> None:
    assert list(differences(case.parent.name, case)) == []


@pytest.mark.parametrize("case", CASES, ids=lambda path: f"{path.parent.name}-{path.stem}")
@pytest.mark.parametrize("indent", [None, 0, 1, 4])
def test_it_may_stand_on_one_line_or_on_many(case: Path, indent: int | None) -> None:
    text = json.dumps(json.loads(case.read_text()), indent=indent)
    (before,), (after,) = runs(case.read_text())[0], runs(f"{text}\n")[0]
    assert after[3] == before[3]
    assert after[2] == text.count("\n") + 1


@pytest.mark.parametrize(
    ("text", "at_lines"),
    [
        (VEGETA * 3, [(1, 1), (2, 2), (3, 3)]),
        (PRETTY * 2, [(1, LINES), (LINES + 1, 2 * LINES)]),
        (f"{VEGETA.rstrip()} {VEGETA}", [(1, 1), (1, 1)]),
        (f"[{VEGETA.rstrip()},\n{VEGETA}]\n", [(1, 1), (2, 2)]),
        (f"The attack:\n\n{PRETTY}\nand {WRK}", [(3, LINES + 2)]),
        (f"result: {VEGETA}done\n", [(1, 1)]),
        ("".join(f"> {line}\n" for line in PRETTY.splitlines()), [(1, LINES)]),
        ("".join(f"    // {line}\n" for line in PRETTY.splitlines()), [(1, LINES)]),
        (f"```json\n{PRETTY}```\n", [(2, LINES + 1)]),
        (f'{{"level":"info"}}\n{VEGETA}{{"level":"info"}}\n', [(2, 2)]),
        (f"func main() {{\n{VEGETA}", [(2, 2)]),
    ],
)  # fmt: skip
def test_it_may_stand_anywhere(text: str, at_lines: list[tuple[int, int]]) -> None:
    found, diagnostics = runs(text)
    vegeta = [run for run in found if run[0] == "vegeta"]
    assert [run[1:3] for run in vegeta] == at_lines
    assert all(run[3] == NUMBERS for run in vegeta)
    assert diagnostics == []
    assert [run[0] for run in found if run[0] != "vegeta"] == (["wrk"] if WRK in text else [])


def test_each_number_keeps_its_line() -> None:
    lines = PRETTY.splitlines()
    rows = wp.parse_text(f"\n{PRETTY}").measurements
    found = {(row.metric, row.stat): lines[row.line - 2].strip(" ,") for row in rows.itertuples()}
    assert found["latency", "p99"] == '"99th": 5084361'
    assert found["throughput", "total"] == '"throughput": 67.17279179663248'
    assert found["non_2xx", "total"] == '"200": 134'  # the sum has the line of its first count


def test_one_inside_of_another_has_the_lines_of_its_numbers() -> None:
    text = json.dumps({"name": "nginx", "attacks": [{"n": 1, "report": json.loads(VEGETA)}]}, indent=1) + "\n"
    ((_, line, line_end, numbers),), diagnostics = runs(text)
    lines = text.splitlines()
    assert (lines[line - 1].strip(), lines[line_end - 1].strip()) == ('"total": 319006710,', '"500": 66')
    assert numbers == NUMBERS
    assert diagnostics == []


@pytest.mark.parametrize("size", [1, 300, 5_000, 100_000])
@pytest.mark.parametrize("text", [PRETTY, VEGETA])
def test_it_is_found_in_a_long_log_wherever_blocks_end(text: str, size: int) -> None:
    lines = 2000 if size > 1 else 200  # blocks of a byte take long
    log = f"{FILLER * lines}{text}{FILLER * lines}{text}"
    found, diagnostics = runs(log, size)
    height = text.count("\n")
    assert [run[1:3] for run in found] == [(lines + 1, lines + height), (2 * lines + 1 + height, 2 * (lines + height))]
    assert all(run[3] == NUMBERS for run in found)
    assert diagnostics == []


@pytest.mark.parametrize("end", [2, 5, LINES - 1])
@pytest.mark.parametrize("behind", ["", WRK, PRETTY])
def test_one_that_is_cut_off_is_told_and_what_follows_is_read(end: int, behind: str) -> None:
    cut = "".join(f"{line}\n" for line in PRETTY.splitlines()[:end])
    found, diagnostics = runs(f"# A\n\n{cut}{behind}")
    assert diagnostics == ["x:3: warning: vegeta: the JSON object that begins here is cut off"]
    assert [run[1] for run in found] == ([3 + end] if behind else [])


def test_one_that_is_no_json_is_told_with_the_line_of_the_fault() -> None:
    found, diagnostics = runs(PRETTY.replace('"90th":', '"90th"'))
    assert found == []
    assert diagnostics == [
        "x:1: warning: vegeta: the JSON object that begins here is not valid JSON: line 6: Expecting ':' delimiter"
    ]


def test_one_that_is_too_large_is_told_and_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(objects, "_MOST_CHARS", 10_000)
    text = PRETTY.rstrip().removesuffix("}") + ', "more": [\n' + "1,\n" * 50_000 + "1]}\n" + WRK
    found, diagnostics = runs(text, 2000)
    assert [run[0] for run in found] == ["wrk"]
    assert len(diagnostics) == 1
    assert "the JSON object that begins here" in diagnostics[0]


def test_a_value_that_is_no_number_costs_itself() -> None:
    text = VEGETA.replace('"99th":5084361', '"99th":"5 ms"').replace('"wait":1603930', '"wait":null')
    ((*_, numbers),), diagnostics = runs(text)
    assert NUMBERS.keys() - numbers.keys() == {"latency/p99", "last_wait/total", "elapsed/total"}
    assert diagnostics == ["x:1: warning: vegeta: latency p99: '5 ms' is not a number"]


@pytest.mark.parametrize(("tool", "codes"), [("vegeta", '"status_codes":{'), ("oha", '"statusCodeDistribution": {')])
def test_a_key_that_is_no_status_costs_itself(tool: str, codes: str) -> None:
    text = next(path for path in CASES if path.parent.name == tool).read_text()
    assert codes in text
    assert runs(text.replace(codes, f'{codes}"n/a": 3, ')) == runs(text)


@pytest.mark.parametrize(
    "text",
    [
        '{"latencies": {"mean": 3}, "note": "no report of vegeta"}\n',
        '{"summary": {"successRate": 1.0}}\n',
        '{"root_group": 1, "metrics": {}}\n',
        '{"spec": {"numberOfConnections": 1}}\n',
        'The keys are "latencies" and "sampleInt". {\n',
        '{"latencies":\n',
    ],
)
def test_objects_of_other_programs_are_text(text: str) -> None:
    found, _ = runs(f"{text}\n{WRK}")
    assert [run[0] for run in found] == ["wrk"]


def test_the_command_above_labels_the_run() -> None:
    text = f"## heron\n\n    $ vegeta attack -rate=100 -duration=2s | vegeta report -type=json\n    {VEGETA}"
    (run,) = wp.parse_text(text).runs.to_dict("records")
    assert (run["rate"], run["duration_s"], run["section"]) == (100.0, 2.0, "heron")


def test_what_is_held_is_kept_in_a_checkpoint() -> None:
    half = PRETTY.find("\n", len(PRETTY) // 2) + 1
    parser = SourceParser("x")
    assert list(parser.feed(PRETTY[:half].encode())) == []
    data = freeze(Checkpoint(parser, half))
    assert data is not None
    checkpoint = thaw(data)
    assert checkpoint is not None
    items = chain(checkpoint.parser.feed(PRETTY[half:].encode()), checkpoint.parser.finish())
    assert [(item.line, item.line_end) for item in items if isinstance(item, Run)] == [(1, LINES)]


@pytest.mark.parametrize("size", [1, 100, 100_000])
@pytest.mark.parametrize(
    ("text", "at_lines", "told"),
    [
        (PRETTY.replace("\n", "\r\n"), [(1, LINES)], 0),
        ('{"latencies": {"mean" 1}} ' + PRETTY, [(1, LINES)], 1),  # two in one line, the first of which is none
        (f"{VEGETA.rstrip()} {PRETTY}", [(1, 1), (1, LINES)], 0),
        (f"{VEGETA.rstrip()} {VEGETA}", [(1, 1), (1, 1)], 0),
        ('{\r\n$a": 1,\r\n"latencies": {}}\r\n', [], 1),
        ('{"cut": {"off": [\n' + "1,\n" * 2000 + VEGETA, [(2002, 2002)], 0),
    ],
)
def test_every_object_is_told_of_once_however_the_blocks_end(
    text: str, at_lines: list[tuple[int, int]], told: int, size: int
) -> None:
    found, diagnostics = runs(text + WRK, size)
    assert [run[1:3] for run in found if run[0] == "vegeta"] == at_lines
    assert all(run[3] == NUMBERS for run in found if run[0] == "vegeta")
    assert sum("the JSON object that begins here" in each for each in diagnostics) == told
    assert found[-1][0] == "wrk"


@pytest.mark.parametrize("size", [1, 100_000])
def test_the_keys_of_k6_may_be_sorted(size: int) -> None:
    (case,) = (path for path in CASES if path.name.startswith("json-export"))
    value = json.loads(case.read_text())
    ahead = {f"data_x{number:03d}": {"count": number, "rate": 0.5} for number in range(200)}
    text = json.dumps(
        {"metrics": value["metrics"] | ahead, "root_group": value["root_group"]}, indent=1, sort_keys=True
    )
    assert text.find("root_group") > 9000
    found, _ = runs(text + "\n", size)
    expected, _ = runs(case.read_text())
    assert [(tool, numbers["requests/total"]) for tool, _, _, numbers in found] == [
        (tool, numbers["requests/total"]) for tool, _, _, numbers in expected
    ]


@examples(0.5)
@given(st.text(alphabet='{}[]",:\\\n 1a', max_size=80), st.integers(1, 40))
def test_no_text_around_it_raises_or_changes_with_the_blocks(text: str, size: int) -> None:
    log = f"{text}\n{VEGETA}{text}\n"
    assert runs(log, size)[0] == runs(log)[0]


@pytest.mark.parametrize(
    "unit", ['{"latencies":', '{"latencies": {}}\n', "{\n", '{"sampleInt": "', '{"a":1}', "[", '"\\']
)
def test_no_text_is_slow_to_look_through(unit: str) -> None:
    def cost(count: int) -> float:
        finder = objects.ObjectFinder()
        started = time.process_time()
        for _ in chain(finder.take(unit * count + "\n", 1), finder.finish(1)):
            pass
        return time.process_time() - started

    assert any(cost(16_000) < 24 * max(cost(2_000), 0.002) for _ in range(3))


def test_numbers_have_their_lines_and_strings_have_none() -> None:
    value = parse('{"a": 1,\n "b 2": ["3", -4.5e2,\n {"c": NaN}], "d": "\\" 6"}', 10)
    assert at(value, "a") == Number("1", 10)
    assert at(value, "b 2") == ["3", Number("-4.5e2", 11), {"c": Number("NaN", 12)}]


def test_nested_objects_are_looked_for_to_a_depth() -> None:
    form = next(form for tool, form in objects.object_forms() if tool.name == "vegeta")
    inner = parse(VEGETA, 1)
    for _ in range(3):
        inner = {"a": [inner]}
    assert len(list(find(inner, form))) == 1


@pytest.mark.parametrize(
    ("text", "places", "value", "resolution"),
    [("1.5", None, 1.5, 2**-53), ("0", None, 0.0, 0.0), ("3", 0, 3.0, 0.5), ("2.01", 2, 2.01, 0.005), ("NaN", None, None, None)],
)  # fmt: skip
def test_numbers_written_in_full_have_the_resolution_of_a_double(
    text: str, places: int | None, value: float | None, resolution: float | None
) -> None:
    assert json_quantity(text, 0, places) == (
        value,
        pytest.approx(resolution, abs=1e-300) if resolution is not None else None,
    )

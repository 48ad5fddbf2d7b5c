"""A report that ends too early is said to do so: never fewer numbers than were printed without a word of it."""

from __future__ import annotations

from pathlib import Path

import pytest

import wrkparse as wp
from tests.analysis.audit.reports import AB, audited
from tests.cases import each_case
from tests.samples import WRK
from wrkparse.ingest.source_reading import parse_blocks
from wrkparse.model.records import Diagnostic
from wrkparse.parse.items import Item, Run
from wrkparse.parse.parser import SourceParser

FIXTURES = Path(__file__).parents[1] / "fixtures"
REPORTS = [
    path
    for tool in ("wrk", "ab", "time")
    for path in sorted((FIXTURES / tool).iterdir())
    if path.suffix in (".txt", ".html", ".csv")
]
# Up to httpd 2.4.12 the file of `ab -e` ended with its row of 99 %: a later one that is cut there is one of those.
WHOLE_AT_LAST = {"percentages.csv": "99,4.060\n"}


def read(text: str) -> list[Item]:
    return list(parse_blocks(SourceParser("cut.txt"), [text.encode()]))


def numbers(items: list[Item]) -> dict[int, object]:
    """What was printed of each run, by its line."""
    return {run.line: (run.numbers, run.rows) for run in items if isinstance(run, Run)}


def told(items: list[Item]) -> list[Diagnostic]:
    return [item for item in items if isinstance(item, Diagnostic) and item.code in ("incomplete", "fragment")]


@each_case("path", REPORTS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_real_report_cut_at_any_line_is_said_to_be_or_has_all_its_numbers(path: Path) -> None:
    lines = path.read_bytes().decode("utf-8", "replace").splitlines(keepends=True)
    whole = numbers(read("".join(lines)))
    for end in range(1, len(lines)):
        cut = read("".join(lines[:end]))
        lost = [line for line, printed in numbers(cut).items() if printed != whole[line]]
        assert not lost or told(cut) or lines[end - 1] == WHOLE_AT_LAST.get(path.name), lines[end - 1]


@each_case("path", [*REPORTS, *sorted((FIXTURES / "wrecked").glob("*.txt"))], ids=lambda path: path.name)
def test_a_whole_report_is_not_said_to_be_cut(path: Path) -> None:
    meant = {
        "no-percentiles-d.txt": ["without percentiles"],
        "time-gnu-firstline.txt": ["without its line of page faults"],
    }
    said = [item for item in told(read(path.read_text("utf-8", "replace"))) if item.code == "incomplete"]
    assert len(said) == len(meant.get(path.name, []))
    for item, words in zip(said, meant.get(path.name, []), strict=True):
        assert words in item.message
        assert item.severity == "note"


def head(text: str, lines: int) -> str:
    return "".join(text.splitlines(keepends=True)[:lines])


@pytest.mark.parametrize(
    ("text", "line", "said", "verdict"),
    [
        (head(WRK, 5), 5, "without its Requests/sec line: was it cut off?", "suspect"),
        (head(WRK, 6), 6, "without its Requests/sec line: was it cut off?", "suspect"),
        (head(WRK, 7), 7, "without its Transfer/sec line", "ok"),
        ("".join(WRK.splitlines(keepends=True)[3:5]), 2, "without its Requests/sec line", "ok"),  # an excerpt
        (head(AB, 12), 12, "without its Requests per second line: was it cut off?", "suspect"),
        (head(AB, 18), 18, "without the whole table of Connection Times", "ok"),
        (head(AB, 22), 22, "without the whole table of Connection Times", "ok"),
        (head(AB, 25), 25, "without percentiles, which ab -d leaves out", "ok"),
        (head(AB, 30), 30, "without percentiles, which ab -d leaves out", "ok"),
        (AB.replace("13 (longest request)", "1"), 36, "without the end of its last line", "invalid"),  # 100 % is not 13
        ("Percentage served,Time in ms\n0,0.048\n1,0.060\n", 3, "without its row of 99 %: was it cut off?", "suspect"),
        ('\tCommand being timed: "true"\n\tUser time (seconds): 0.00\n', 2, "without its Exit status: was it cut off?",
         "suspect"),
        ("real\t0m0.102s\nuser\t0m0.001s\n", 2, "without its sys line", "ok"),
    ],
)  # fmt: skip
def test_what_is_missing_is_named_where_the_report_ends(text: str, line: int, said: str, verdict: str) -> None:
    (diagnostic,) = told(read(text))
    assert (diagnostic.line, diagnostic.code) == (line, "incomplete")
    assert diagnostic.severity == ("warning" if verdict == "suspect" else "note")
    assert diagnostic.message.endswith(f": the report ends here, {said}")
    result = audited(text)
    assert result.verdicts["verdict"].tolist() == [verdict]
    (finding,) = result.findings[result.findings["code"] == "incomplete"].to_dict("records")
    assert (finding["line"], finding["message"]) == (line, f"the report ends here, {said}")


def test_a_report_is_cut_where_the_next_begins_and_others_are_not_blamed_for_it() -> None:
    dataset = wp.parse_text(WRK + head(WRK, 5) + WRK + head(AB, 14) + AB)
    assert dataset.runs["line"].tolist() == [1, 9, 14, 22, 36]
    verdicts = wp.audit(dataset).verdicts["verdict"].tolist()
    assert verdicts == ["ok", "suspect", "suspect", "suspect", "ok"]  # the third repeats the first
    cut = dataset.diagnostics[dataset.diagnostics["code"] == "incomplete"]
    assert cut["line"].tolist() == [13, 35]


@pytest.mark.parametrize("behind", ["</td>", "<br/>", "\u00a0"])
def test_a_last_line_is_known_with_what_stands_behind_it(behind: str) -> None:
    lines = AB.replace("(longest request)", "(longest\u00a0request)").splitlines()
    assert told(read("".join(f"{line}{behind}\n" for line in lines))) == []


def test_a_format_of_several_lines_is_known_by_its_last() -> None:
    command = "$ TIMEFORMAT=$'took %R\\nuser %U'; time ./a\n"
    assert told(read(f"{command}took 1.234\nuser 0.500\n")) == []
    (diagnostic,) = told(read(f"{command}took 1.234\n"))
    assert diagnostic.message == "time: the report ends here, without more lines of its format"


def test_no_request_of_ab_and_one_have_shorter_reports() -> None:
    """`output_results` prints rates and times ``if (done)``, percentiles ``if (done > 1)``."""
    none = head(AB, 14).replace("Complete requests:      2000", "Complete requests:      0")
    one = head(AB, 25).replace("Complete requests:      2000", "Complete requests:      1")
    assert told(read(none)) == told(read(one)) == []

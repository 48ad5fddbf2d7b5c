"""The measure by which fixtures are held to be read in full can itself fail."""

from pathlib import Path

import pytest

from tests.coverage import unaccounted
from tests.samples import GC, SCHED, WRK

DETAIL = "  G1: status=4(sleep) m=nil lockedm=nil\n"
TORN = "gc 7 @0.126s 9%: 0.132026/11/20 11:38:23 worker 2\n"


def lines(tmp_path: Path, text: str, *not_ours: str, encoding: str = "utf-8") -> list[tuple[int, str]]:
    log = tmp_path / "x.log"
    log.write_text(text, encoding)
    return unaccounted(log, not_ours)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_what_tools_read_and_diagnostics_name_is_accounted_for(tmp_path: Path, encoding: str):
    text = WRK + "\n" + GC.format(n=1, t="0.100") + TORN + SCHED.format(t=0) + DETAIL
    assert lines(tmp_path, text, encoding=encoding) == []


def test_a_line_between_two_of_a_report_is_not_the_reports(tmp_path: Path):
    text = WRK.replace("  Thread Stats", "server: 3 errors\n  Thread Stats")
    assert lines(tmp_path, text) == [(3, "server: 3 errors")]


def test_what_nobody_reads_is_named_but_for_what_is_known_not_to_be_ours(tmp_path: Path):
    text = "hello\n" + GC.format(n=1, t="0.100") + "  goroutine 1 [running]:\nhello world\n"
    assert lines(tmp_path, text) == [(1, "hello"), (3, "  goroutine 1 [running]:"), (4, "hello world")]
    assert lines(tmp_path, text, r"hello", r"goroutine \d+ \[.*\]:") == [(4, "hello world")]

"""Every line of the load generators' logs is read, named by a diagnostic, or known to be another's."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cases import each_case
from tests.coverage import unaccounted

FIXTURES = Path(__file__).parents[1] / "fixtures"
LOGS = sorted(
    path for tool in ("wrk", "ab", "wrecked") for path in (FIXTURES / tool).iterdir() if path.suffix != ".json"
)
NOT_OURS = (
    # what a script prints
    r"-{30}", r"[0-9.]+%,[0-9]+", r"errors: c=.*", r'\{"requests":.*\}', r"\./(?:bad|nofile)\.lua: .*",
    # requests, responses and sessions as ab -v shows them
    r"---", r"GET / HTTP/1\.[01]", r"HTTP/1\.0 200 OK", r"(?:Host|User-Agent|Accept|Date|Content-\w+): .*", r"hello, world",
    r"Peer certificate|Certificate version: 3|Valid (?:from|to  ): .*|Public key is .*|The \w+ name is .*",
    r"Extension Count: 4", r"(?:Protocol|Cipher|Session-ID|Session-ID-ctx|Start Time|Timeout) *:.*",
    r"(?:Resumption PSK|PSK identity(?: hint)?|SRP username|Verify return code|Extended master secret|Max .*): ?.*",
    # what stands around
    r"</?(?:p|table)[ >]*", r"\^C", r"starttime\tseconds\tctime\tdtime\tttime\twait", r"\S*[^\x00-\x7f][：。]", r"```\w*", r"[$#]|\$ wrk .*",
    r"(?:Completed|Finished) [0-9]+ requests",  # on stderr, before the banner
)  # fmt: skip
# The lines of a report without results; a diagnostic names the first of them and the reason.
GAVE_UP = (
    r"Copyright 1996 Adam Twiss, .*", r"Licensed to The Apache .*", r"Benchmarking \S+ \(be patient\).*", r"apr_\w+: .*",
    r"Total of 20 requests completed", r"wrk \S+ \[epoll\] Copyright \(C\) 2012 Will Glozer",
)  # fmt: skip


@each_case("log", LOGS, ids=lambda log: f"{log.parent.name}/{log.name}")
def test_no_line_is_lost(log: Path) -> None:
    expected = log.with_suffix(".json")
    gave_up = expected.exists() and not json.loads(expected.read_text())["runs"]
    left = unaccounted(log, (*NOT_OURS, *(GAVE_UP if gave_up else ())), LOGS)
    usage = [number for number, line in left if line.startswith("Usage: ")]
    assert [(number, line) for number, line in left if not usage or number < usage[0]] == []


def test_the_check_can_fail(tmp_path: Path) -> None:
    log = tmp_path / "x.txt"
    text = (FIXTURES / "wrk" / "latency.txt").read_text()
    log.write_text(text.replace("     90% ", "     90!% "))
    assert [line for line, _ in unaccounted(log, NOT_OURS)] == [9]

"""Events that a benchmark driver writes as lines of JSON above the runs.

``@`` is a report of wrk. The expected labels are read by eye from the text.
"""

from __future__ import annotations

import json

import pytest

from tests.context.test_between_logs import of_page
from wrkparse.context.page.json_events import text_of_event


def event(kind: str, **fields: object) -> str:
    return json.dumps({"ts": "2026-11-06T10:02:10Z", "event": kind, **fields}, separators=(",", ":"))


@pytest.mark.parametrize("end", ["", event("end", iteration=1, status="ok") + "\n"])
@pytest.mark.parametrize("is_nested", [False, True])
def test_an_event_above_a_run_states_its_settings(end: str, is_nested: bool) -> None:
    settings = [(name, workers) for name in ("kiwi", "emu") for workers in ("2", "4")]
    page = ""
    for iteration in (1, 2):
        for name, workers in settings:
            fields = {"server": name, "workers": int(workers)}
            start = {"cfg": fields} if is_nested else fields
            page += event("start", iteration=iteration, **start) + f"\n@\n{end}"
    found = of_page(page, "framework", "workers", "heading", name="driver.log")
    assert found == [(*setting, "") for setting in settings * 2]


def test_an_event_with_a_count_alone_gives_the_count() -> None:
    page = "".join(event("bench.start", iteration=at, workers=n) + "\n@\n" for n in (2, 8) for at in (1, 2))
    assert of_page(page, "workers", "framework", name="driver.log") == [("2", "")] * 2 + [("8", "")] * 2


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ('{"event":"start","pool":8,"tls":true}', "pool=8, tls=true"),
        ('{"run":3,"event":"start","server":"kiwi"}', "server=kiwi, run 3"),
        ('{"event": "run_started", "pid": 71, "server": "kiwi"}', "server=kiwi"),
        ('{"event":"end","server":"kiwi"}', ""),
        ('{"event":"run finished"}', ""),
        ('{"event":"start","ts":"2026-11-06T10:02:10Z"}', None),
        ('{"level":30,"msg":"start","server":"kiwi"}', None),  # the log message of a server
        ('{"type":"test_result","workers":3}', None),
        ('{"server":"kiwi","workers":3}', None),
        ('{"event":7}', None),
        ('{"event":"start","server":}', None),
        ('{"event":"start",' + '"a":{' * 300 + '"b":1' + "}" * 301, None),
        ("{" * 2000 + "}", None),
    ],
)
def test_only_starts_and_ends_are_events(line: str, text: str | None) -> None:
    assert text_of_event(line) == text

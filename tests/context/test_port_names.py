"""Names of servers by the ports of their URLs, which a page states far above the runs.

The expected names are read by eye from the lines.
"""

from __future__ import annotations

import pytest

import wrkparse as wp
from tests.context.test_names_in_pages import report
from wrkparse.context.nearby.port_names import PortNames, names_by_port

FILLER = "The machines are idle otherwise.\n\n" * 12  # more lines than are kept above a run


def named(*lines: str) -> dict[str, str]:
    """The names that lines give, by port."""
    names = PortNames()
    for line in lines:
        names.note(line)
    return {port: found.name for port, found in names_by_port(names.text).items()}


def page_of(*lines: str, ports: tuple[int, ...] = (8081, 8082)) -> str:
    runs = [report(at).replace(":8080/", f":{port}/") for at, port in enumerate(ports)]
    return "\n".join([*lines, "", FILLER, *(f"```\n{run}```\n" for run in runs)])


def frameworks(page: str) -> list[str | None]:
    runs = wp.parse_text(page, source="x.md").runs.sort_values("line")
    return runs["framework"].tolist() if "framework" in runs else [None] * len(runs)


@pytest.mark.parametrize(
    "lines",
    [
        ("kiwi listens on port 8081", "The plover service runs on port 8082."),
        ("We compare kiwi (port 8081) with plover (port 8082).",),
        ("| server | port |", "|---|---|", "| kiwi | 8081 |", "| plover | 8082 |"),
        ("The kiwi server is at http://localhost:8081 and plover at http://localhost:8082.",),
        ("| on | kiwi | 8081 |", "| off | plover | 8082 |"),
        ("kiwi listening on :8081", "plover listening on :8082"),
        ("8081: kiwi, 8082: plover",),
        ("kiwi: 8081, plover: 8082",),
        ("Port 8081 is kiwi, port 8082 is plover",),
        ("**kiwi** (`localhost:8081`), **plover** (`localhost:8082`)",),
        ("emu = 8081", "plover = 8082", "kiwi = 8081"),  # the last one is at the port now
    ],
)
def test_the_name_beside_a_port_is_that_of_its_server(lines: tuple[str, ...]) -> None:
    assert named(*lines) == {"8081": "kiwi", "8082": "plover"}
    assert frameworks(page_of(*lines)) == ["kiwi", "plover"]


@pytest.mark.parametrize(
    "lines",
    [
        ("Server started on port 8081.", "Server started on port 8082."),
        ("Running at http://localhost:8081 ...", "I used http://localhost:8082 for it"),
        ("2026-01-01 12:30:45 kiwi: started", "2026-01-01 12:30:46 plover: started"),
        ("| kiwi | 8081 | 12 | 8082 |", "| plover | 8082 | 13 | 8081 |"),
        ("kiwi handled 8081 requests", "plover handled 8082 requests"),
        ("listen: 8081", "admin: 8082"),
        ("- connections: 8081", "- timeout: 8082"),
        ("Grafana shows port 8081 and Prometheus scrapes port 8082",),
        ("I stopped kiwi on port 8081. Then plover on port 8082 was broken.",),
        ("Cache on: localhost:8081, cache off: localhost:8082",),
        ("kiwi does not listen on port 8081", "plover isn't at port 8082"),
        ("curl http://localhost:8081/ is fast", "curl http://localhost:8082/ is slow"),
    ],
)
def test_a_line_without_a_port_or_a_name_names_nothing(lines: tuple[str, ...]) -> None:
    assert named(*lines) == {}
    assert frameworks(page_of(*lines)) == [None, None]


def test_ports_name_nothing_if_one_is_unknown_or_two_have_one_name() -> None:
    lines = ("kiwi listens on port 8081", "plover listens on port 8082")
    assert frameworks(page_of(*lines, ports=(8081, 8082, 8083))) == [None] * 3
    assert frameworks(page_of(lines[0], "kiwi listens on port 8082")) == [None] * 2
    assert frameworks(page_of(*lines, ports=(8081, 8081))) == [None] * 2


def test_names_in_headings_are_nearer_than_those_of_ports() -> None:
    runs = "\n".join(
        f"## {name}\n\n{report(at).replace(':8080/', f':{8081 + at}/')}" for at, name in enumerate(("emu", "wren"))
    )
    assert frameworks(f"kiwi listens on port 8081\nplover listens on port 8082\n\n{runs}") == ["emu", "wren"]


def test_reports_without_commands_are_of_the_servers_at_their_ports() -> None:
    """The labels of the server that was started last do not hold for the other one."""
    page = page_of("PORT=8081 ./kiwi &", "PORT=8082 GOGC=50 ./plover &")
    assert frameworks(page) == ["kiwi", "plover"]
    runs = wp.parse_text(page, source="x.md").runs
    assert not {"program", "gogc"} & set(runs.columns)


def test_the_line_that_names_the_server_is_kept() -> None:
    ds = wp.parse_text(page_of("kiwi listens on port 8081", "plover listens on port 8082"), source="x.md")
    labels = ds.labels.query("key == 'framework'").sort_values("value")
    assert labels["text"].tolist() == ["kiwi listens on port 8081", "plover listens on port 8082"]


def test_many_ports_are_held_to_a_bound() -> None:
    names = PortNames()
    for port in range(2000, 2500):
        names.note(f"server{port} listens on port {port}")
    assert list(names_by_port(names.text)) == [str(port) for port in range(2484, 2500)]

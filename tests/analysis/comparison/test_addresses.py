"""The addresses of servers in a comparison: one is told wherever the logs state one."""

from __future__ import annotations

import wrkparse as wp
from tests.context.test_strangers import written

_URL = "http://127.0.0.1:8080/"


def compared(*servers: tuple[str, str]) -> wp.ComparisonTable:
    """The comparison of servers, each with a name and the URL it was asked for, measured twice."""
    page = "".join(written(f"{name}@\n").replace(_URL, url) for name, url in servers for _ in range(2))
    return wp.compare(wp.parse_text(page, source="x.log"))


def test_a_server_at_two_ports_beside_servers_at_one() -> None:
    servers = [("== kiwi ==\n", 8001), ("== kiwi ==\n", 8002), ("== emu ==\n", 8003), ("== moa ==\n", 8004)]
    table = compared(*((name, f"http://127.0.0.1:{port}/") for name, port in servers))
    cells = table.cells.drop_duplicates(["framework", "url"])
    assert dict(zip(cells["url"], cells["framework"], strict=True)) == {
        "http://127.0.0.1:8001/": "kiwi",
        "http://127.0.0.1:8002/": "kiwi",
        "http://127.0.0.1:8003/": "emu",
        "http://127.0.0.1:8004/": "moa",
    }


def test_a_known_address_is_not_called_unknown() -> None:
    table = compared(("", "http://127.0.0.1:8081/"), ("", "http://127.0.0.1:8082/"), ("", "http://127.0.0.1:8082/json"))
    assert not any("unknown" in sentence for sentence in table.sentences)
    assert "http://127.0.0.1:8082/json" in set(table.cells["url"])


def test_two_names_of_this_machine_are_one_address_unless_nothing_else_differs() -> None:
    """Each server answered under both names."""
    urls = ("http://127.0.0.1:8080/", "http://localhost:8080/")
    table = compared(*(("== kiwi ==\n", url) for url in urls), *(("== emu ==\n", url) for url in urls))
    assert (table.rows, table.columns) == (("framework",), ())
    assert compared(*(("", url) for url in urls)).rows == ("url",)

"""Names as programs, services and chats write them above runs: in folds of jobs, tabs of pages, tests, comments.

``@`` is a report of wrk. The expected names are read by eye from the text.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import wrkparse as wp
from tests.context.test_strangers import named, written

_LOAD = "sleep 1\nwrk -t2 -c64 http://127.0.0.1:8080/\n@\nkill 4711\n"


@pytest.mark.parametrize(
    "form",
    [
        # Services that run jobs, and what they run.
        "travis_fold:start:bench.{}\n$ make bench\n@\ntravis_fold:end:bench.{}\n",
        "ok: [{}] => {\n@\n}\n",
        "bench/test_load.py::test_load[{}] \n@\nPASSED\n",
        "bench/test_load.py::TestLoad::test_load[{}]\n@\nPASSED\n",
        # Pages, comments, lists of tasks.
        '{{< tab "{}" >}}\n```\n@\n```\n{{< /tab >}}\n',
        '{{% tab title="{}" %}}\n```\n@\n```\n{{% /tab %}}\n',
        "/* {} */\n@\n",
        "REM {}\n@\n",
        "% {}\n@\n",
        "!! {}\n@\n",
        "@@ {} @@\n@\n",
        "«{}»\n@\n",
        "- [x] {}\n\n@\n\n",
        "① {}\n@\n",
        '{},64,"\n@\n"\n',
        # Chats: who wrote a message, and when, is no part of a name.
        "[28.11.25, 10:04:11] Anna: {}:\n@\n",
        "28/11/2025, 10:04 - Ben Ott: {}:\n@\n",
        "[10:04] <anna> {}:\n@\n",
        "[28.11. 10:04] Berg, Anna\n{}\n@\n",
        # Commands without a prompt, as scripts and make echo them.
        f"./bin/{{}} -p 8080 &\n{_LOAD}",
        f"/opt/{{}}/bin/{{}} &\n{_LOAD}",
        f"     Running `target/release/{{}}`\n{_LOAD}",
        f"$ nix run .#{{}} &\n$ {_LOAD}",
    ],
)
def test_a_name_is_read_in_any_form(form: str) -> None:
    assert named("".join(form.replace("{}", name) for name in ("kiwi", "emu"))) == ["kiwi", "emu"]


def test_who_wrote_in_a_chat_names_no_run() -> None:
    page = "10:04 <anna> kiwi:\n10:04 <anna> @\n10:06 <ben> emu:\n10:06 <ben> @\n"
    assert named("".join(_with_front(line) for line in page.splitlines(keepends=True))) == ["kiwi", "emu"]


def _with_front(line: str) -> str:
    """A line, or a report with the text in front of each of its lines."""
    front, found, _ = line.rpartition("@")
    return "".join(front + text for text in written("@").splitlines(keepends=True)) if found else line


def test_the_number_of_a_container_is_no_name() -> None:
    page = "".join(
        f"$ docker run -d --name srv -p 8080:80 acme/{name}:1.2\n{digit * 64}\n$ docker exec load wrk -c64 http://srv/\n@\n"
        for name, digit in (("kiwi", "8"), ("emu", "f"))
    )
    assert named(page) == ["kiwi:1.2", "emu:1.2"]


def test_tests_of_pytest_with_one_name_are_no_repeats() -> None:
    page = "".join(
        f"bench.py::test_{kind}[{name}] \n@\nPASSED\n" for kind in ("json", "plain") for name in ("kiwi", "emu")
    )
    runs = wp.parse_text(written(page)).runs.sort_values("line")
    assert list(runs["framework"]) == ["kiwi", "emu", "kiwi", "emu"]
    assert list(runs["heading"]) == ["test_json", "test_json", "test_plain", "test_plain"]


@pytest.mark.parametrize("form", ["./{}/wrk.log:\n@", "/srv/out/{}/wrk.log\n@"])
def test_a_path_above_a_report_tells_runs_apart(form: str) -> None:
    kiwi, emu = named("\n".join(form.replace("{}", name) for name in ("kiwi", "emu")))
    assert "kiwi" in str(kiwi)
    assert "emu" in str(emu)


def test_the_titles_of_pages_name_their_runs(tmp_path: Path) -> None:
    for number, name in enumerate(("Kiwi", "Emu")):
        (tmp_path / f"{number}.md").write_text(written(f"---\ntitle: {name}\ndate: 2025-11-28\n---\n\n```\n@\n```\n"))
    runs = wp.read(tmp_path).runs.sort_values("source")
    assert list(runs["framework"]) == ["Kiwi", "Emu"]

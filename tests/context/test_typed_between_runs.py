"""What people type between the runs of a session: some of it changes what is measured, most of it does not.

``@`` is a report of wrk. The expected labels are read by eye from the text.
"""

from __future__ import annotations

import pytest

from tests.context.test_between_logs import of_page

_LOAD = "joe@box:~$ wrk -t2 -c10 -d10s http://127.0.0.1:8080/\n@\n"


def session(*typed: str) -> str:
    """A page of a session: each command with two runs below it."""
    return "".join(f"joe@box:~$ {command}\n{_LOAD * 2}" for command in typed)


@pytest.mark.parametrize(
    "typed",
    [
        "pidof kiwi",
        "sleep 60",
        "sleep 60; uptime",
        "ls",
        "clear",
        "htop",
        "sync; echo 3 | sudo tee /proc/sys/vm/drop_caches",
        "# hmm, noisy, again",
        "# oops",
        "# once more",
    ],
)
def test_what_only_looks_or_waits_leaves_a_server_and_its_setting(typed: str) -> None:
    assert of_page(session("./kiwi &", typed), "program", "framework", "heading") == [("kiwi", "", "")] * 4
    both = session("./kiwi &", typed) + "joe@box:~$ kill %1\n" + session("./emu &", typed)
    assert of_page(both, "framework", "heading") == [("kiwi", "")] * 4 + [("emu", "")] * 4


def test_a_comment_behind_a_prompt_may_still_name_what_is_measured() -> None:
    assert of_page(session("# kiwi", "# emu"), "framework") == [("kiwi",)] * 2 + [("emu",)] * 2

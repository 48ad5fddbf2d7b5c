"""The folders that the commands of a session enter; the expected ones are those of a shell."""

from __future__ import annotations

import pytest

from tests.context.test_between_logs import of_page
from wrkparse.context.commands.folders import Folders, join_entry, split_entry

LOAD = "$ wrk -t2 -c10 -d10s http://127.0.0.1:8080/\n@\n"


@pytest.mark.parametrize(
    ("typed", "entered"),
    [
        (["cd ~/src/kiwi", "cd ../emu", "cd ../kiwi"], ["cd ~/src/kiwi", "cd ~/src/emu", "cd ~/src/kiwi"]),
        (["cd /lab", "cd kiwi", "cd ../../tmp/emu"], ["cd /lab", "cd kiwi", "cd /tmp/emu"]),
        (["cd ~/kiwi", "cd ~/emu", "cd -"], ["cd ~/kiwi", "cd ~/emu", "cd ~/kiwi"]),
        (["cd kiwi", "cd ../emu"], ["cd kiwi", "cd ../emu"]),
        (["cd ~/kiwi", "cd", "cd ../emu"], ["cd ~/kiwi", "cd", "cd ../emu"]),
        (["cd ~/kiwi", "pushd /tmp", "cd ../emu"], ["cd ~/kiwi", "pushd /tmp", "cd ../emu"]),
        (["cd ~/kiwi", "cd ../../emu"], ["cd ~/kiwi", "cd ../../emu"]),
        (["cd ~/src/kiwi", "cd .."], ["cd ~/src/kiwi", "cd .."]),
        (["cd '~/kiwi'", "cd ../emu"], ["cd ~/kiwi", "cd ~/emu"]),
        (["cd -", "make"], ["cd -", "make"]),
    ],
)
def test_the_folder_of_a_session_is_followed(typed: list[str], entered: list[str]) -> None:
    folders = Folders()
    assert [folders.resolve(command) for command in typed] == entered


def test_only_a_line_that_begins_with_an_entry_is_split() -> None:
    assert split_entry("cd kiwi && make -s run &") == ["cd kiwi", "make -s run"]
    assert split_entry("cd kiwi; make; make run") == ["cd kiwi", "make; make run"]
    assert split_entry("cd kiwi") == ["cd kiwi"]
    assert split_entry("make && cd kiwi") == ["make && cd kiwi"]


@pytest.mark.parametrize("start", ["make -s run &", "npm start &", "./serve.sh &"])
def test_the_folder_that_is_entered_names_the_server_in_each_block(start: str) -> None:
    page = "".join(
        f"$ {before}{start}\n{LOAD * 2}"
        for before in ("cd ~/src/kiwi && ", "kill %1; cd ../emu && ", "kill %1; cd ../kiwi && ")
    )
    assert of_page(page, "framework") == [("kiwi",)] * 2 + [("emu",)] * 2 + [("kiwi",)] * 2


STARTS = ["make run &", "./start &"]


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("away", ["~/bench", "-"])
def test_a_session_that_leaves_the_folder_of_the_server_does_not_rename_it(away: str, start: str) -> None:
    entered = (f"$ cd ~/{name} && {start}\n$ cd {away}\n{LOAD * 2}" for name in ("kiwi", "emu"))
    assert of_page("$ kill %1\n".join(entered), "framework") == [("kiwi",)] * 2 + [("emu",)] * 2


@pytest.mark.parametrize("start", STARTS)
def test_a_server_keeps_its_name_behind_a_run_above_which_the_session_leaves_the_folder(start: str) -> None:
    entered = (f"$ cd ~/{name} && {start}\n{LOAD}$ cd ~/bench\n{LOAD}" for name in ("kiwi", "emu"))
    assert of_page("$ kill %1\n".join(entered), "framework") == [("kiwi",)] * 2 + [("emu",)] * 2


@pytest.mark.parametrize(
    ("commands", "start", "joined"),
    [
        (["cd ~/kiwi"], "", ["cd ~/kiwi"]),
        (["cd ~/kiwi"], "./start", ["cd ~/kiwi && ./start"]),
        (["cd ~/kiwi", "make run"], "", ["cd ~/kiwi && make run"]),
        (["rm a.log", "cd ~/kiwi", "make", "make run"], "", ["rm a.log", "make", "cd ~/kiwi && make run"]),
        (["cd ~/kiwi", "git pull"], "./start", ["git pull", "cd ~/kiwi && ./start"]),
        (["make", "cd ~/kiwi"], "", ["make", "cd ~/kiwi"]),
        (["make"], "./start", ["make"]),
    ],
)
def test_an_entry_is_joined_to_what_starts_in_the_folder(commands: list[str], start: str, joined: list[str]) -> None:
    assert join_entry(commands, start) == joined

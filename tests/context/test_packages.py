"""The packages that commands between runs install and remove; the states are those that pip would leave."""

from __future__ import annotations

import pytest

from tests.context.test_between_logs import of_page
from wrkparse.context.commands.packages import Packages

LOAD = "$ wrk -t2 -c10 -d10s http://127.0.0.1:8080/\n@\n"


def page(*commands: str) -> str:
    return "".join(f"$ kill %1; {command}python3 app.py &\n * Serving on 8080\n{LOAD * 2}" for command in commands)


def test_a_package_that_is_installed_for_some_runs_is_their_setting() -> None:
    text = page("", "pip install -q plover; ", "pip uninstall -q -y plover; ")
    states = [("python3 app.py", state, "", "") for state in ("", "installed", "")]
    assert of_page(text, "program", "package_plover", "framework", "heading") == [s for s in states for _ in range(2)]


def test_a_package_stays_behind_the_restart_of_a_service_and_in_the_next_section() -> None:
    text = f"## a\n{LOAD}$ pip install plover\n$ systemctl restart app\n{LOAD}## b\n{LOAD}"
    assert of_page(text, "package_plover") == [("",), ("installed",), ("installed",)]


def test_pip_as_a_module_of_python_is_no_server() -> None:
    text = f"$ python3 app.py &\n{LOAD}$ python3 -m pip install plover\n{LOAD}"
    assert of_page(text, "program", "package_plover") == [("python3 app.py", ""), ("python3 app.py", "installed")]


@pytest.mark.parametrize(
    ("commands", "states"),
    [
        (["pip install plover", "pip uninstall -y plover"], [{"plover": "installed"}, {"plover": ""}]),
        (["pip3 uninstall -y plover", "pip3 install plover"], [{"plover": "removed"}, {"plover": "installed"}]),
        (["pip install plover==1.2", "pip install plover==1.3"], [{"plover": "1.2"}, {"plover": "1.3"}]),
        # Another version may have been there before.
        (["pip install plover==1.2", "pip uninstall -y plover"], [{"plover": "1.2"}, {"plover": "removed"}]),
        (["sudo pip install -q Plover_X[fast] knot"], [{"plover-x": "installed", "knot": "installed"}]),
        (
            ["python3 -m pip install plover", "python -m pip uninstall -y plover"],
            [{"plover": "installed"}, {"plover": ""}],
        ),
        (["python3 -m plover install knot"], [None]),
        (["pip install -U plover"], [None]),
        (["pip install -r kiwi.txt"], [None]),
        (["pip install ./kiwi"], [None]),
        (["pip list"], [None]),
        (["pip"], [None]),
        (["pip install"], [None]),
        (["apt install plover"], [None]),
        (["pip install plover && make"], [None]),
    ],
)
def test_the_states_of_packages_between_runs(commands: list[str], states: list[dict[str, str] | None]) -> None:
    packages = Packages()
    assert [packages.changed(command, has_run=True) for command in commands] == states


def test_what_is_installed_above_the_first_run_is_its_state() -> None:
    packages = Packages()
    assert packages.changed("pip install plover", has_run=False) is None
    assert packages.changed("pip uninstall -y plover", has_run=True) == {"plover": "removed"}
    assert packages.changed("pip install plover", has_run=True) == {"plover": ""}
    assert packages.changed("pip install knot", has_run=True) is None  # the next server, as plover was the first


def test_an_item_of_a_list_below_a_command_is_no_output_without_a_blank_in_front() -> None:
    found = of_page(
        "".join(f"$ make\n* {name}\n\n      $ wrk http://h/\n      @\n" for name in ("kiwi", "emu")), "framework"
    )
    assert found == [("kiwi",), ("emu",)]

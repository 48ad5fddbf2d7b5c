"""Finds what commands of containers and services start: an image with its tag, or the name of a service.

``docker run -d -p 8080:8080 acme/api:1.4`` → acme/api:1.4; ``systemctl start kiwi`` → kiwi. A restarted program ran
before, and may have had another name there: ``docker restart kiwi`` may be of any image.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from wrkparse.text.shell import Command

# Options of `docker run` and `podman run` without a value.
_SWITCHES = frozenset(
    """-d --detach -i --interactive -t --tty -P --publish-all --rm --init --privileged --read-only --oom-kill-disable
    --no-healthcheck --quiet -q --replace --no-hosts --tls-verify --""".split()
)
# Options of `docker compose` and of systemctl with a value; all others are switches.
_OPTIONS_WITH_VALUE = {
    "compose": frozenset(
        """-f --file -p --project-name --profile --env-file --project-directory --ansi --progress --parallel -t
        --timeout --scale --pull --attach --no-attach --exit-code-from --wait-timeout""".split()
    ),
    "systemctl": frozenset("-t --type -p --property -H --host -M --machine -n --lines -o --output -s --signal".split()),
}
_JOINED_SWITCHES = frozenset("ditPq")  # "-dit"
_CONTAINERS = frozenset({"docker", "podman"})
_NAME_PRINTERS = frozenset("kill pause restart rm start stop unpause".split())  # of docker, which print each container
_COMPOSERS = frozenset({"docker-compose", "podman-compose"})
# Units that run beside the measured program.
_SIDE_UNITS = re.compile(
    r"(?:postgres(?:ql)?|mysqld?|mariadb|redis(?:-server)?|valkey|memcached|mongo(?:d|db)?|cassandra|elasticsearch|rabbitmq"
    r"(?:-server)?|kafka|zookeeper|etcd|docker|containerd|crond?|sshd?|rsyslog|chronyd?|ntpd?|irqbalance|firewalld|ufw|tuned"
    r"|network(?:ing|-?manager)?|systemd-.*)(?:@.*)?",
    re.IGNORECASE,
)
_MANAGERS = frozenset({"systemctl", "supervisorctl", "service", *_CONTAINERS, *_COMPOSERS})


class StartedService(NamedTuple):
    """The started image or unit, and the arguments after its name."""

    name: str = ""
    arguments: tuple[str, ...] = ()


def started_service(command: Command) -> StartedService:
    """The service that a command of docker, podman, systemctl or service starts; no name if it starts none, or all."""
    action, named = _action_and_names(command)
    if not named:
        return StartedService()
    if action == "run":
        at, image = named[0]
        return StartedService(image, command.args[at + 1 :])
    in_compose = command.program in _COMPOSERS or "compose" in command.args[:1]
    if action == "start" or (action == "up" and in_compose):
        return StartedService(" ".join(_unit_name(name) for _, name in named))
    return StartedService()


def restarted_units(command: Command) -> str:
    """The names of the units or containers that a command restarts; empty if it restarts none, or all.

    Databases, caches and units of the system are left out: they run beside the measured program.
    """
    action, named = _action_and_names(command)
    names = [_unit_name(name) for _, name in named] if action == "restart" else []
    return " ".join(name for name in names if not _SIDE_UNITS.fullmatch(name))


def names_unit(command: Command) -> bool:
    """Whether systemctl starts or restarts a unit. Unlike *service* and *docker*, systemctl is not a word of prose."""
    return command.program == "systemctl" and bool(started_service(command).name or restarted_units(command))


def is_restart(command: Command) -> bool:
    """Whether a command of docker, podman, systemctl or service restarts something."""
    return command.program in _MANAGERS and "restart" in command.args


def stopped_units(command: Command) -> tuple[str, ...]:
    """The units that a command stops; empty if it stops all, or containers, whose names differ from those of images."""
    action, named = _action_and_names(command)
    return (
        tuple(_unit_name(name) for _, name in named) if action == "stop" and command.program not in _CONTAINERS else ()
    )


def printed_names(command: Command) -> tuple[str, ...]:
    """The words of a command of docker or podman that it prints when it is done: ``docker stop kiwi`` prints kiwi."""
    if command.program not in _CONTAINERS:
        return ()
    words = [word for word in command.args if not word.startswith("-") and word != "container"]
    return tuple(words[1:]) if words and words[0] in _NAME_PRINTERS else ()


def starts_by_unit_name(command: Command) -> bool:
    """Whether a command starts something by the name of a unit, not by an image."""
    return command.program in _MANAGERS and _action_and_names(command)[0] != "run"


def _action_and_names(command: Command) -> tuple[str, list[tuple[int, str]]]:
    """The action of a command of docker, podman, systemctl or service, and the names after it, with their indexes."""
    if command.program == "service":
        # "service kiwi restart": the name comes first.
        return command.args[1] if len(command.args) > 1 else "", [(0, name) for name in command.args[:1]]
    if command.program not in _MANAGERS:
        return "", []
    in_compose = command.program in _COMPOSERS or "compose" in command.args[:1]
    words = _positional_arguments(command.args, _OPTIONS_WITH_VALUE.get("compose" if in_compose else command.program))
    while words and words[0][1] in ("compose", "container"):  # "docker compose up", "podman container run"
        words = words[1:]
    return (words[0][1], words[1:]) if words else ("", [])


def _unit_name(name: str) -> str:
    """The name of a unit without its suffix."""
    return name.removesuffix(".service")


def _positional_arguments(args: tuple[str, ...], with_value: frozenset[str] | None) -> list[tuple[int, str]]:
    """The arguments that are neither an option nor the value of one, with their indexes.

    `with_value` are the options with a value; None if all have one except `_SWITCHES`.
    """
    found: list[tuple[int, str]] = []
    at = 0
    while at < len(args):
        word = args[at]
        if not word.startswith("-"):
            found.append((at, word))
        elif "=" not in word and (not _is_switch(word) if with_value is None else word in with_value):
            at += 1
        at += 1
    return found


def _is_switch(option: str) -> bool:
    """Whether an option of ``docker run`` takes no value."""
    joined = option[1:]
    are_joined = not option.startswith("--") and len(joined) > 1 and _JOINED_SWITCHES.issuperset(joined)
    return option in _SWITCHES or are_joined

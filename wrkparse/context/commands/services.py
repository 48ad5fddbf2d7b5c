"""What the commands of containers and services start: an image with its tag, or the name of a service.

``docker run -d -p 8080:8080 acme/api:1.4`` → acme/api:1.4; ``systemctl start kiwi`` → kiwi. What is restarted ran
before, and may have another name there: ``docker restart kiwi`` may be of any image.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from wrkparse.text.shell import Command

# Options of `docker run` and `podman run` that take no value, alone and as they are joined.
_SWITCHES = frozenset(
    """-d --detach -i --interactive -t --tty -P --publish-all --rm --init --privileged --read-only --oom-kill-disable
    --no-healthcheck --quiet -q --replace --no-hosts --tls-verify --""".split()
)
# The options of `docker compose` and of systemctl that take one; all others are switches.
_WITH_VALUE = {
    "compose": frozenset(
        """-f --file -p --project-name --profile --env-file --project-directory --ansi --progress --parallel -t
        --timeout --scale --pull --attach --no-attach --exit-code-from --wait-timeout""".split()
    ),
    "systemctl": frozenset("-t --type -p --property -H --host -M --machine -n --lines -o --output -s --signal".split()),
}
_JOINED_SWITCHES = frozenset("ditPq")
_CONTAINERS = frozenset({"docker", "podman"})
_COMPOSERS = frozenset({"docker-compose", "podman-compose"})
# Units that run beside what is measured.
_BESIDE = re.compile(
    r"(?:postgres(?:ql)?|mysqld?|mariadb|redis(?:-server)?|valkey|memcached|mongo(?:d|db)?|cassandra|elasticsearch|rabbitmq"
    r"(?:-server)?|kafka|zookeeper|etcd|docker|containerd|crond?|sshd?|rsyslog|chronyd?|ntpd?|irqbalance|firewalld|ufw|tuned"
    r"|network(?:ing|-?manager)?|systemd-.*)(?:@.*)?",
    re.IGNORECASE,
)
_MANAGERS = frozenset({"systemctl", "service", *_CONTAINERS, *_COMPOSERS})


class Started(NamedTuple):
    """What is started, and the arguments that it gets behind its name."""

    name: str = ""
    arguments: tuple[str, ...] = ()


def started(command: Command) -> Started:
    """What a command of docker, podman, systemctl or service starts; no name if it starts nothing, or all there is."""
    action, named = _action(command)
    if not named:
        return Started()
    if action == "run":
        at, image = named[0]
        return Started(image, command.args[at + 1 :])
    in_compose = command.program in _COMPOSERS or "compose" in command.args[:1]
    if action == "start" or (action == "up" and in_compose):
        return Started(" ".join(_unit(name) for _, name in named))
    return Started()


def restarted(command: Command) -> str:
    """The names of the units or containers that a command restarts; empty if it restarts none, or all there are.

    Databases, caches and units of the system are none: they run beside what is measured.
    """
    action, named = _action(command)
    names = [_unit(name) for _, name in named] if action == "restart" else []
    return " ".join(name for name in names if not _BESIDE.fullmatch(name))


def names_unit(command: Command) -> bool:
    """Whether systemctl starts or restarts a unit: its name is no word of prose, as *service* and *docker* are."""
    return command.program == "systemctl" and bool(started(command).name or restarted(command))


def restarts(command: Command) -> bool:
    """Whether a command of docker, podman, systemctl or service restarts what ran before."""
    return command.program in _MANAGERS and "restart" in command.args


def stopped(command: Command) -> tuple[str, ...]:
    """The units that a command stops; none if it stops all there are, or containers, which have names of their own."""
    action, named = _action(command)
    return tuple(_unit(name) for _, name in named) if action == "stop" and command.program not in _CONTAINERS else ()


def is_of_units(command: Command) -> bool:
    """Whether a command calls what it starts by the name of a unit, not by an image."""
    return command.program in _MANAGERS and _action(command)[0] != "run"


def _action(command: Command) -> tuple[str, list[tuple[int, str]]]:
    """What a command of docker, podman, systemctl or service does, and the names behind that, with their places."""
    if command.program == "service":
        return command.args[1] if len(command.args) > 1 else "", [(0, name) for name in command.args[:1]]
    if command.program not in _MANAGERS:
        return "", []
    in_compose = command.program in _COMPOSERS or "compose" in command.args[:1]
    words = _free(command.args, _WITH_VALUE.get("compose" if in_compose else command.program))
    while words and words[0][1] in ("compose", "container"):
        words = words[1:]
    return (words[0][1], words[1:]) if words else ("", [])


def _unit(name: str) -> str:
    return name.removesuffix(".service")


def _free(args: tuple[str, ...], with_value: frozenset[str] | None) -> list[tuple[int, str]]:
    """The arguments that are neither an option nor its value, with their places.

    `with_value` are the options that have one; None if all have but `_SWITCHES`.
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
    joined = option[1:]
    are_joined = not option.startswith("--") and len(joined) > 1 and _JOINED_SWITCHES.issuperset(joined)
    return option in _SWITCHES or are_joined

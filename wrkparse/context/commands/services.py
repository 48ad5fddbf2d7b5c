"""What the commands of containers and services start: an image with its tag, or the name of a service.

``docker run -d -p 8080:8080 acme/api:1.4`` → acme/api:1.4; ``systemctl start kiwi`` → kiwi. A restart names nothing:
what is restarted ran before, and was changed since.
"""

from __future__ import annotations

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


class Started(NamedTuple):
    """What is started, and the arguments that it gets behind its name."""

    name: str = ""
    arguments: tuple[str, ...] = ()


def started(command: Command) -> Started:
    """What a command of docker, podman, systemctl or service starts; no name if it starts nothing, or all there is."""
    if command.program == "service":
        starts = command.args[1:2] == ("start",)
        return Started(command.args[0] if starts else "")
    if command.program not in {"systemctl", *_CONTAINERS, *_COMPOSERS}:
        return Started()
    in_compose = command.program in _COMPOSERS or "compose" in command.args[:1]
    words = _free(command.args, _WITH_VALUE.get("compose" if in_compose else command.program))
    while words and words[0][1] in ("compose", "container"):
        words = words[1:]
    if len(words) < 2:
        return Started()
    (_, action), *named = words
    if action == "run":
        at, image = named[0]
        return Started(image, command.args[at + 1 :])
    if action == "start" or (action == "up" and in_compose):
        return Started(" ".join(name.removesuffix(".service") for _, name in named))
    return Started()


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

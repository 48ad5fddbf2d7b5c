"""What commands of containers and services start; the options are those of docker's and systemctl's manuals."""

from __future__ import annotations

import pytest

import wrkparse as wp
from tests.context.test_strangers import written
from wrkparse.context.commands.services import printed_names, started_service
from wrkparse.text.shell import parse_commands


@pytest.mark.parametrize(
    ("text", "name", "arguments"),
    [
        ("docker run -d -p 8080:8080 acme/api:1.4", "acme/api:1.4", ""),
        ("docker run --rm acme/api", "acme/api", ""),
        ("sudo docker run --rm -it --name=x --network host -e GOGC=50 acme/api ./kiwi -v", "acme/api", "./kiwi -v"),
        ("docker container run -itd acme/api", "acme/api", ""),
        ("podman run --cpus 2 -m 512m localhost/kiwi:latest serve", "localhost/kiwi:latest", "serve"),
        ("docker start kiwi", "kiwi", ""),
        ("docker restart kiwi", "", ""),
        ("docker stop kiwi", "", ""),
        ("docker ps -a", "", ""),
        ("docker pull acme/api:1.4", "", ""),
        ("docker", "", ""),
        ("docker compose -f dev.yml up -d kiwi", "kiwi", ""),
        ("docker-compose up -d", "", ""),
        ("docker-compose --file dev.yml up kiwi emu", "kiwi emu", ""),
        ("docker up kiwi", "", ""),
        ("systemctl start kiwi.service", "kiwi", ""),
        ("systemctl --user start kiwi", "kiwi", ""),
        ("systemctl --no-pager start kiwi", "kiwi", ""),
        ("systemctl --host emu start -- kiwi", "kiwi", ""),
        ("systemctl status kiwi", "", ""),
        ("podman run --replace kiwi:1 serve", "kiwi:1", "serve"),
        ("docker run -d -- kiwi", "kiwi", ""),
        ("docker compose up -d -t 10 kiwi", "kiwi", ""),
        ("service kiwi start", "kiwi", ""),
        ("service kiwi restart", "", ""),
        ("service --status-all", "", ""),
        ("kubectl run kiwi --image=acme/api", "", ""),
    ],
)
def test_what_a_command_starts(text: str, name: str, arguments: str) -> None:
    [command] = parse_commands(text)
    assert started_service(command) == (name, tuple(arguments.split()))


@pytest.mark.parametrize(
    ("commands", "names"),
    [
        (("docker run -d lab/kiwi:1.4", "docker run -d lab/kiwi:1.5"), ["kiwi:1.4", "kiwi:1.5"]),
        (("docker run -d lab/kiwi", "docker run -d mine/kiwi"), ["lab/kiwi", "mine/kiwi"]),
        (("systemctl start kiwi-old", "systemctl stop kiwi-old; systemctl start kiwi-new"), ["kiwi-old", "kiwi-new"]),
        (("docker compose up -d kiwi", "docker compose up -d emu"), ["kiwi", "emu"]),
    ],
)
def test_images_and_services_tell_runs_apart(commands: tuple[str, ...], names: list[str]) -> None:
    load = "$ wrk -t2 -c10 -d10s http://127.0.0.1:8080/\n@\n"
    runs = wp.parse_text(written("".join(f"$ {command}\n{load}" for command in commands * 2))).runs
    found = runs["framework" if "framework" in runs else "program"]
    assert found.tolist() == names * 2


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("docker stop kiwi", ("kiwi",)),
        ("docker rm -f kiwi emu", ("kiwi", "emu")),
        ("sudo podman container kill kiwi", ("kiwi",)),
        ("docker stop", ()),
        ("docker run -d kiwi", ()),
        ("docker", ()),
        ("systemctl stop kiwi", ()),
    ],
)
def test_what_a_command_of_docker_prints_when_it_is_done(text: str, names: tuple[str, ...]) -> None:
    [command] = parse_commands(text)
    assert printed_names(command) == names


@pytest.mark.parametrize(
    "ends", ["docker stop s", "docker rm -f s", "docker kill s && docker rm s", "podman stop -t 1 s"]
)
def test_what_docker_prints_of_a_container_names_no_run(ends: str) -> None:
    load = "$ wrk -t2 -c10 -d10s http://127.0.0.1:8080/\n@\n"
    page = "".join(
        f"$ docker run -d --name s {mode}lab/kiwi\n{load * 2}$ {ends}\ns\n"
        for mode in ("-e MODE=fast ", "-e MODE=safe ", "")
    )
    runs = wp.parse_text(written(page)).runs
    assert not {"framework", "heading", "title"} & set(runs.columns)
    assert runs["env_MODE"].fillna("").tolist() == ["fast"] * 2 + ["safe"] * 2 + [""] * 2

"""What a command of a shell session does to what is measured: starts it, ends it, or neither."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from dataclasses import replace

from wrkparse.text.shell import Command, parse_line

# Neither the measured program nor its end.
_NOISE = frozenset(
    """ab apt apt-get ar awk bash brew cat cd chmod chown clear cmake cmp configure cp curl cut date dd df diff dmesg
    dpkg du echo ethtool exit expr false file find free gcc ghc git grep gzip head history hostname hostnamectl
    htop http id ifconfig ip iperf iperf3 iptables jobs journalctl jq kubectl ld less ln locale ls lsb_release
    lscpu lsof lspci make man mkdir modprobe mount mv nano netstat nl nproc perf pgrep ping pip pip3 popd printf
    ps pushd pwd read rm rsync sar scp sed seq set sh shutdown sleep sort source ss ssh stat strace su sysctl tail
    tar tcpdump tee test time top touch tr true tuned-adm ufw uname uniq unset unzip uptime ulimit vi vim vmstat
    wait wc wget which who whoami xargs yum zip zsh""".split()
)
_OTHER_LOADS = frozenset(
    """artillery autocannon bombardier cassowary drill fortio ghz h2load hey httperf iperf jmeter k6 locust oha rewrk
    siege tsung vegeta weighttp wrk wrk2""".split()
)
# Tools that build as well as run: only these words run something.
_RUNS: dict[str, frozenset[str]] = {
    "go": frozenset({"run"}),
    "cargo": frozenset({"run"}),
    "cabal": frozenset({"run", "exec", "new-run", "v2-run", "new-exec", "v2-exec"}),
    "stack": frozenset({"run", "exec"}),
    **dict.fromkeys(("npm", "yarn", "pnpm", "bun"), frozenset({"start", "serve", "server"})),
    **dict.fromkeys(("docker", "podman"), frozenset({"run", "start", "restart", "up"})),
    "docker-compose": frozenset({"up", "start", "restart"}),
    "bundle": frozenset({"exec"}),
    "mix": frozenset({"run", "phx.server"}),
    "dotnet": frozenset({"run", "exec"}),
    "systemctl": frozenset({"start", "restart"}),
    "service": frozenset({"start", "restart"}),
}
_KILLS = frozenset({"kill", "killall", "pkill", "fuser"})
# What these start has their environment, not the shell's.
MANAGERS = frozenset({"systemctl", "service", "docker", "podman", "docker-compose"})
_CARRIERS = frozenset({"docker", "podman", "kubectl", "ssh", "ip", "cgexec", "perf", "strace", "watch", "hyperfine"})
_SHELLS = frozenset({"bash", "sh", "zsh"})
# All programs that mean something here, what ends and carries them among them.
WORDS = _NOISE | _OTHER_LOADS | _KILLS | MANAGERS | _CARRIERS | _RUNS.keys()
_LOAD_SCRIPT = re.compile(
    r"(?:.*[-_.])?(?:attack|bench|benchmark|load|stress|test|perf|wrk)(?:[-_.].*)?\.(?:sh|bash|py|rb|js|lua)"
)
_ABOUT = frozenset({"-v", "-V", "--version", "-version", "version", "-h", "--help", "-help", "help", "-t"})
_PATH = re.compile(r"(?:\.{1,2}|~)?/[\w.+/-]*[\w+]")


def carried(command: Command, known: Container[str]) -> Command:
    """The known program that another one runs somewhere else (``docker run … williamyeh/wrk -t4``), or `command`.

    It may be in a line of its own: ``bash -c "ulimit -n 65536; wrk -t4 …"``.
    """
    for index, arg in enumerate(command.args) if command.program in _CARRIERS else ():
        name = arg.rsplit("/", 1)[-1].partition(":")[0]
        if name in known:
            return replace(command, path=name, args=command.args[index + 1 :])
    for arg in command.args if command.program in _CARRIERS | _SHELLS else ():
        line = parse_line(arg) if " " in arg else ()
        for inner in line:
            if inner.program in known:
                return replace(inner, text=command.text, env=command.env | inner.env)
    return command


def ends_server(command: Command) -> bool:
    """Whether what ran before runs no longer."""
    if command.program in _KILLS:
        return bool(command.args)
    return command.program in MANAGERS and any(arg in ("stop", "down", "kill") for arg in command.args[:2])


def is_noise(text: str) -> bool:
    """Whether a line's first command is part of a session and says nothing of what is measured."""
    return any(map(_is_noise, parse_line(text)[:1]))


def _is_noise(command: Command) -> bool:
    typed = command.has_option or any(sign in arg for arg in command.args for sign in "/=.") or not command.args
    return command.program in _NOISE and typed


def starts_server(command: Command, *, prompt: bool, code: bool) -> bool:
    """Whether a command starts what will be measured.

    Behind a prompt any program may be it. Without one (`code`: in a block of code) it must say how it is run: with an
    environment, runtime flags or pinned to CPUs; in prose it must be typed as a path as well.
    """
    name = command.program
    if not name or name in _NOISE or name in _OTHER_LOADS or command.has_url or _LOAD_SCRIPT.fullmatch(name):
        return False
    if (command.args and set(command.args) <= _ABOUT) or (name in _RUNS and not _RUNS[name].intersection(command.args)):
        return False
    if prompt or (code and command.path.startswith("./")):
        return True
    path = _PATH.fullmatch(command.path) is not None or "+RTS" in command.args
    return configured(command) and (code or path)


def configured(command: Command) -> bool:
    """Whether a command says how its program is to run."""
    pinned = any(wrapper[0] in ("taskset", "numactl") for wrapper in command.wrappers)
    return bool(command.env) or "+RTS" in command.args or pinned


def starts_with(text: str, known: Container[str]) -> bool:
    """Whether the first command of a line is, or is run through, one of the known programs."""
    first = parse_line(text)[:1]
    return any(name in known for command in first for name in (command.program, *(it[0] for it in command.wrappers)))


def gives_format(command: Command, variables: Iterable[str]) -> bool:
    """Whether it sets one of the variables to a format."""
    return any("%" in command.env.get(name, "") for name in variables)


def looks_typed(command: Command) -> bool:
    """A tool's name with an option or a URL is a command; the name alone is a word of a sentence."""
    return command.has_url or command.has_option

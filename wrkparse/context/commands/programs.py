"""Judges the effect of a command on the measured server by its program: start it, end it, nothing.

``node ./src/kiwi.js`` starts one → program=node kiwi.js; ``ls -l`` has no effect.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Container, Iterable, Sequence
from dataclasses import replace

from wrkparse.context.commands.jvm_options import is_jvm_option, without_class_path
from wrkparse.context.commands.packages import manages_packages
from wrkparse.context.commands.services import is_restart, started_service
from wrkparse.context.titles.known_names import is_known_name
from wrkparse.text.shell import Command, parse_commands, split_arguments

# Programs between the commands of a benchmark that are not measured and do not end the measured one.
_SIDE_PROGRAMS = frozenset(
    """ab apt apt-get ar awk bash brew cat cd chmod chown clear cmake cmp configure cp curl cut date dd df diff dmesg
    dpkg du echo emacs ethtool exit expr false file find free gcc ghc git grep gzip head history hostname hostnamectl
    htop http id ifconfig ip iperf iperf3 iptables jobs journalctl jq kubectl ld less ln locale ls lsb_release
    lscpu lsof lspci make man mkdir modprobe mount mv nano netstat nl nproc perf pgrep pidof ping pip pip3 popd printf
    patch ps pushd pwd read rm rsync sar scp sed seq set sh shutdown sleep sort source ss ssh stat strace su sysctl tail
    tar tcpdump tee test time top touch tr true tuned-adm ufw uname uniq unset unzip uptime ulimit vi vim vmstat
    wait wc wget which who whoami xargs yum zip zsh""".split()
)
# Load generators, most of them without a parser here: they never start the server.
_LOAD_GENERATORS = frozenset(
    """artillery autocannon bombardier cassowary drill fortio ghz h2load hey httperf iperf jmeter k6 locust oha rewrk
    siege tsung vegeta weighttp wrk wrk2""".split()
)
# Tools that build as well as run → their arguments that run something.
_RUN_WORDS: dict[str, frozenset[str]] = {
    "go": frozenset({"run"}),
    "cargo": frozenset({"run"}),
    "cabal": frozenset({"run", "exec", "new-run", "v2-run", "new-exec", "v2-exec"}),
    "stack": frozenset({"run", "exec"}),
    **dict.fromkeys(("npm", "yarn", "pnpm", "bun"), frozenset({"start", "serve", "server"})),
    **dict.fromkeys(("docker", "podman"), frozenset({"run", "start", "restart", "up"})),
    **dict.fromkeys(("docker-compose", "podman-compose"), frozenset({"up", "start", "restart"})),
    "bundle": frozenset({"exec"}),
    "mix": frozenset({"run", "phx.server"}),
    **dict.fromkeys(("nix", "uv", "poetry", "pipenv", "pdm"), frozenset({"run"})),
    "dotnet": frozenset({"run", "exec"}),
    **dict.fromkeys(("systemctl", "supervisorctl", "service"), frozenset({"start", "restart"})),
}
# Arguments with which such tools do a step before a run.
_BUILD_WORDS = frozenset("add build ci clean create get init install mod new publish restore test update".split())
_KILLERS = frozenset({"kill", "killall", "pkill", "fuser"})
# A server started by these runs in their environment, not in that of the shell.
SERVICE_MANAGERS = frozenset(
    {"systemctl", "supervisorctl", "service", "docker", "podman", "docker-compose", "podman-compose"}
)
# Programs whose arguments are another command, which they run elsewhere or watch.
_REMOTE_RUNNERS = frozenset(
    {"docker", "podman", "kubectl", "ssh", "ip", "cgexec", "perf", "strace", "watch", "hyperfine"}
)
_INTERPRETERS = frozenset("bun deno java julia node perl php python python3 ruby".split())
_FILE_OPTIONS = frozenset({"-jar", "-m"})  # options of interpreters whose value is what they run
_CODE_OPTIONS = _FILE_OPTIONS | {"-c", "-e"}
# The letters of the options of interpreters that have code behind them; switches may be in front: "-e", "-lne".
_CODE_LETTERS = {
    "bun": "e",
    "julia": "eE",
    "node": "ep",
    "perl": "eE",
    "php": "r",
    "python": "c",
    "python3": "c",
    "ruby": "e",
}
_SWITCHES = "[abdilnpqsuvwx0BEOS]{0,4}"  # which have no value, unlike that of "-Isrc"
_SCRIPT_SUFFIXES = (".js", ".mjs", ".ts", ".py", ".rb", ".php", ".pl")
_SHELLS = frozenset({"bash", "sh", "zsh"})
_SPEAKING_PROGRAMS = frozenset("cat echo gmake just make npm pnpm printf task yarn".split())
_LISTING_PROGRAMS = frozenset(
    "date df dmesg du find free history htop id ls lsof netstat ps pwd ss stat top uptime vmstat wc who whoami".split()
)
# Commands of POSIX and Linux that only look or wait: the runs above and below them have one setting. Commands that
# show a file are left out: it may be a report with a name.
_IDLE_PROGRAMS = _LISTING_PROGRAMS | frozenset(
    """cal clear fastfetch help hostname hostnamectl inxi iostat jobs journalctl last locale lsb_release lscpu lsmem
    lspci lsusb man mpstat neofetch nproc pgrep pidof pidstat ping printenv reset sar screenfetch sleep sync tput tty
    uname users wait whatis whereis which""".split()
)
# "free > memory.txt", not "> /dev/null" and "2>&1"
_WRITES = re.compile(r">(?!\s?/dev/null|&|>?\s?/dev/stderr)")
# Programs that set up a machine and end: what they start is the server, not they.
_CONFIGURATORS = frozenset("ansible ansible-playbook chef-client chef-solo puppet salt-call terraform".split())
_NO_SERVERS = _SIDE_PROGRAMS | _IDLE_PROGRAMS | _LOAD_GENERATORS | _CONFIGURATORS
_RUNNERS = _REMOTE_RUNNERS | _SHELLS
KNOWN_PROGRAMS = _SIDE_PROGRAMS | _LOAD_GENERATORS | _KILLERS | SERVICE_MANAGERS | _REMOTE_RUNNERS | _RUN_WORDS.keys()
# "bench.sh", "run-load-kiwi.py"
_LOAD_SCRIPT = re.compile(
    r"(?:.*[-_.])?(?:attack|bench|benchmark|load|stress|test|perf|wrk)(?:[-_.].*)?\.(?:sh|bash|py|rb|js|lua)"
)
# Compilers and build tools: what they build may be measured below, by another command.
_BUILDERS = frozenset(
    "c++ cc clang clang++ cmake csc dmd g++ gcc ghc gmake javac ldc2 make meson ninja ocamlfind rustc tsc".split()
)
_HELP_OPTIONS = frozenset({"-v", "-V", "--version", "-version", "version", "-h", "--help", "-help", "help", "-t"})
# Servers whose own program tells the running one what to do: "nginx -s reload", "apachectl graceful", "caddy reload".
_SIGNALLED_SERVERS = frozenset("angie apache2 apache2ctl apachectl caddy httpd nginx openresty tengine".split())
_SIGNALS = frozenset("graceful quit reload reopen stop".split())
_SYSTEM_FOLDERS = re.compile(r"(?:/usr)?/s?bin/[^/]*")  # "/usr/bin/node"
_RESTART_SCRIPT = re.compile(r"(?:re(?:start|load|spawn|launch))(?![a-z]).*\.sh")  # "restart.sh", "reload-nginx.sh"
# "stop.sh", "kill-servers.sh"
_STOP_SCRIPT = re.compile(r"(?:stop|kill|shutdown|teardown)(?:[-_]?(?:all|servers?))?\.sh")
# Scripts that do one step, by the verb in their names: "rebuild.sh", "tune-kernel.sh", "wait.py".
_STEP_SCRIPT = re.compile(
    r"(?:.*[^a-z])?(?:re)?(?:apply|backup|build|check|clean|clear|compile|conf|config|configure|deploy|disable|drop|enable"
    r"|flush|init|install|kill|load|make|migrate|patch|prepare|reset|restore|seed|set|setup|shutdown|stop|teardown|tune"
    r"|update|upgrade|wait|warm|warmup)(?![a-z]).*\.(?:sh|py|rb|js|php|pl)"
)
# "upgrade.sh"
_PLAIN_STEP = re.compile(
    r"(?:re)?(?:build|clean|compile|configure|install|migrate|patch|reset|tune|update|upgrade|wait)\.sh"
)
# "--port=8080", "localhost:8080", ":80", "serve"
_LISTEN_ARGUMENT = re.compile(
    r"--?(?:port|listen|bind|addr(?:ess)?)(?:=.*)?|(?:.*[^0-9:])?:[0-9]{2,5}|serve|server|start"
)
_PORT = "(?:80|443|[0-9]{4,5})"
_MAY_STATE_PORT = re.compile("[0-9]{4}|80|443")  # finds one in each command with a port, most of which have none
# The port in the options of a server: "--port 8081", "-p8081", "-addr=:8081", ":8081"; and in those of a container:
# "-p 8081:80".
_OWN_PORT = re.compile(
    r"(?<!\S)(?:-{1,2}(?:[\w-]{0,20}port|p|l|b|listen|bind|addr|address)(?:=|\s)(?:[\w.*-]{0,60}:)?"
    rf"|[\w.*-]{{0,60}}:|-p)({_PORT})(?!\S)"
)
# "./kiwi 8081", "node kiwi.js 8081", "./kiwi --workers 4 8081"; behind an option it may be the option's value.
_LAST_NUMBER = re.compile(rf"(?:(?:\S{{1,60}}\s){{0,9}}[^\s-]\S{{0,60}}\s)?({_PORT})(?:\s&)?")
# the port of the host in "-p 8080:80", "--publish 127.0.0.1:8080:80"
_PUBLISHED_PORT = re.compile(rf"(?<!\S)(?:-p|--publish)[=\s]?(?:[0-9.]{{7,15}}:)?({_PORT}):[0-9]{{2,5}}(?!\S)")
# "http://h/", "h:8080", "https://h:8443/a"; without a scheme only with a port
_LOADED = re.compile(r"(?:(https?)://)?[\w.-]{1,100}(?(1)(?::([0-9]{2,5}))?|:([0-9]{2,5}))(?:/\S*)?")
_DEFAULT_PORTS = {"http": "80", "https": "443"}
_PROGRAM_START = re.compile(r"[\w.~$+]")  # the beginning of the name of a program; logs print "[0" and "->"
_PLAIN_WORD = re.compile(r"[^\W\d_][\w.+-]{1,40}")
_PATH = re.compile(r"(?:\.{1,2}|~)?/[\w.+/-]*[\w+]")


def inner_command(command: Command, programs: Container[str]) -> Command:
    """The command of one of `programs` that another command runs elsewhere; `command` itself if there is none.

    It may be among the arguments (``docker run … williamyeh/wrk -t4``) or in a quoted command line
    (``bash -c "ulimit -n 65536; wrk -t4 …"``). The only command that a shell is given is any program:
    ``sh -c "./kiwi -gc=off"``.
    """
    for index, arg in enumerate(command.args) if command.program in _REMOTE_RUNNERS else ():
        name = arg.rsplit("/", 1)[-1].partition(":")[0]
        if name in programs:
            return replace(command, path=name, args=command.args[index + 1 :])
    for arg in command.args if command.program in _RUNNERS else ():
        for inner in parse_commands(arg) if " " in arg else ():
            if any(name in programs for name in (inner.program, *(wrapper[0] for wrapper in inner.wrappers))):
                return replace(inner, text=command.text, env=command.env | inner.env)
    if command.program in _SHELLS and len(only := parse_commands(_line_given_to_shell(command.args))) == 1:
        wrappers = (*command.wrappers, *only[0].wrappers)
        return replace(only[0], text=command.text, env=command.env | only[0].env, wrappers=wrappers)
    return command


def _line_given_to_shell(args: Sequence[str]) -> str:
    """The command line in the arguments of a shell, ``-c "./kiwi"`` or ``-lc "./kiwi"``; empty for a script."""
    option = next((at for at, arg in enumerate(args) if re.fullmatch(r"-[a-z]{0,5}c", arg)), len(args))
    return "".join(args[option + 1 : option + 2])


def program_name(command: Command) -> str:
    """The program that a command runs, or the script or package that it gives an interpreter or ``go run``.

    ``node ./src/kiwi.js`` is node kiwi.js, because other interpreters may run it, too; ``java -jar kiwi.jar`` is
    kiwi.jar, and ``java -cp lib/* acme.Kiwi`` is acme.Kiwi. The first argument of a shell script belongs to the name:
    ``./start.sh kiwi`` is start.sh kiwi. Code on the command line has no name: ``ruby -e 'puts 8'`` is ruby. Empty if
    only options are left, and for programs that run others in a special way. Containers and services:
    `wrkparse.context.commands.services`.
    """
    name = command.program
    if name in SERVICE_MANAGERS:
        return started_service(command).name
    if name.endswith(".sh"):
        return " ".join([name, *(arg for arg in command.args if _PLAIN_WORD.fullmatch(arg))][:2])
    if name in _RUNNERS:
        return ""
    if name not in _INTERPRETERS and name not in _RUN_WORDS:
        return name
    if name in _RUN_WORDS and command.args[:1] and command.args[0] in _BUILD_WORDS:
        return f"{name} {command.args[0]}"
    if _has_code(command):
        return name
    script = _file_to_run(command)
    return f"{name} {script}" if script.endswith(_SCRIPT_SUFFIXES) else script


def builds_program(command: Command) -> bool:
    """Whether a command builds a program and runs none: ``g++ kiwi.cpp``, ``go build -o kiwi``."""
    name = command.program
    return name in _BUILDERS or (name in _RUN_WORDS and command.args[:1] == ("build",))


def runs_program_as_script(command: Command) -> bool:
    """Whether a command gives an interpreter a file to run, which does no mere step: ``php -d x=1 kiwi.php``."""
    return command.program in _INTERPRETERS and _script(command) != "" and not _does_step(command)


def _does_step(command: Command) -> bool:
    """Whether a command runs a script that does one step or loads a server: ``./tune.sh``, ``python3 bench.py``."""
    script = _script(command) or command.program
    return _STEP_SCRIPT.fullmatch(script) is not None or _LOAD_SCRIPT.fullmatch(script) is not None


def is_plain_step(command: Command) -> bool:
    """Whether a command runs a script that is called like a step, and nothing else: ``./upgrade.sh``."""
    return not command.args and _PLAIN_STEP.fullmatch(command.program) is not None


def _script(command: Command) -> str:
    """The script that an interpreter is given; empty if it is given code or another file."""
    file = "" if _has_code(command) else _file_to_run(command)
    return file if file.endswith(_SCRIPT_SUFFIXES) else ""


def _file_to_run(command: Command) -> str:
    """The name of the file that an interpreter or a build tool runs, or what it runs instead; empty without one.

    The word behind the first option may be its value: ``php -d x=1 kiwi.php`` runs kiwi.php.
    """
    name = command.program
    args = without_class_path(command.args) if name == "java" else command.args
    words = [arg for arg in args if not arg.startswith("-") and arg not in _RUN_WORDS.get(name, ()) and arg != "run"]
    own_options = _own_options(args)
    may_be_value = name in _INTERPRETERS and own_options and _FILE_OPTIONS.isdisjoint(own_options)
    runs_interpreter = name in _RUN_WORDS and not _INTERPRETERS.isdisjoint(words[:1])  # "poetry run python kiwi.py"
    scripts = [word for word in words if word.endswith(_SCRIPT_SUFFIXES)] if may_be_value or runs_interpreter else []
    return next(iter([*scripts, *words]), "").rstrip("/").rpartition("/")[2].strip(".#")


def _has_code(command: Command) -> bool:
    """Whether an interpreter is given code on the command line: ``ruby -e 'puts 8'``."""
    letters = _CODE_LETTERS.get(command.program)
    return letters is not None and any(
        re.fullmatch(f"-{_SWITCHES}[{letters}]", option) for option in _own_options(command.args)
    )


def _own_options(args: Sequence[str]) -> list[str]:
    """The options of an interpreter itself, which are in front of the script that it runs."""
    return list(itertools.takewhile(lambda arg: arg.startswith("-"), args))


def plain_arguments(command: Command, name: str) -> list[str]:
    """The arguments that a command gives its program, of this name, without options: the 8 of ``python3 kiwi.py 8 -v``.

    Empty for programs that run others in a special way. A number after a single hyphen is an argument (``gzip -9``).
    """
    if not name or not command.args or command.program in _SHELLS:
        return []
    if command.program in SERVICE_MANAGERS:
        return split_arguments(started_service(command).arguments)[1]
    words = [arg[1:] if arg[:1] == "-" and arg[1:].isdecimal() else arg for arg in command.args]
    free = split_arguments(tuple(words))[1]
    if command.program in _RUN_WORDS or command.program in _INTERPRETERS:
        free = [arg for arg in free if arg not in _RUN_WORDS.get(command.program, ()) and arg != "run"]
    begins_with_file = free and (
        free[0].endswith(_SCRIPT_SUFFIXES)
        or (name != command.program and free[0].endswith(name.rsplit(maxsplit=1)[-1]))
    )
    return free[1:] if begins_with_file else free


def may_name_runs(command: Command) -> bool:
    """Whether the output of a command may name the runs below.

    That of a script, of a task of ``make`` or of ``echo`` may, and a file with it: ``cat out.txt``.
    """
    name = command.program
    return (
        name in _SHELLS
        or name in _SPEAKING_PROGRAMS
        or name.endswith(".sh")
        or _LOAD_SCRIPT.fullmatch(name) is not None
    )


def lists_facts(command: Command) -> bool:
    """Whether a command lists a folder or the state of the machine; its output names no run."""
    return command.program in _LISTING_PROGRAMS


def is_idle(text: str) -> bool:
    """Whether all commands of a line only look or wait (``sleep 60; uptime``), so they change no setting."""
    commands = parse_commands(text)
    return (
        bool(commands)
        and _WRITES.search(text) is None
        and all(command.program in _IDLE_PROGRAMS for command in commands)
    )


def ends_server(command: Command) -> bool:
    """Whether a command ends the running servers."""
    if command.program in _KILLERS:
        return bool(command.args)
    if _STOP_SCRIPT.fullmatch(command.program):
        return True
    return command.program in SERVICE_MANAGERS and any(arg in ("stop", "down", "kill") for arg in command.args[:2])


def is_tool_command(words: Sequence[str]) -> bool:
    """Whether words are a command of an interpreter or a build tool: ``python3 -m kiwi``, ``dotnet clean``."""
    first, second = (*words[:2], "", "")[:2]
    if first in _RUN_WORDS:
        return second in _BUILD_WORDS or second in _RUN_WORDS[first]
    return first in _INTERPRETERS and second in _CODE_OPTIONS


def port_of_server(command: Command, exported: str = "") -> str:
    """The port that the command of a server states, or the `exported` one of its shell; empty if they are several."""
    is_managed = command.program in SERVICE_MANAGERS
    own, last = {command.env.get("PORT", "")}, "" if is_managed else exported
    if _MAY_STATE_PORT.search(command.text) is not None:
        arguments = " ".join(command.args)
        own |= {match[1] for match in (_PUBLISHED_PORT if is_managed else _OWN_PORT).finditer(arguments)}
        last = last or next((match[1] for match in (_LAST_NUMBER.fullmatch(arguments),) if match), "")
    ports = own - {""} or {last}
    return ports.pop() if len(ports) == 1 else ""


def port_of_load(command: Command) -> str:
    """The port of the address that a load generator is given; empty without one."""
    match = next(filter(None, map(_LOADED.fullmatch, command.args)), None)
    return (match[2] or match[3] or _DEFAULT_PORTS[match[1].lower()]) if match else ""


def is_side_command(text: str) -> bool:
    """Whether the first command of a line neither starts nor ends the measured program (``sleep 5``, ``curl …``)."""
    return any(map(_is_side_command, parse_commands(text)[:1]))


def _is_side_command(command: Command) -> bool:
    typed = command.has_option or any(sign in arg for arg in command.args for sign in "/=.") or not command.args
    return command.program in _SIDE_PROGRAMS and typed


def starts_server(command: Command, *, prompt: bool, code: bool) -> bool:
    """Whether a command starts the program that will be measured.

    After a prompt, it may be any program. In a block of code (`code`) the command must set an environment, runtime
    flags or CPUs, or begin with ``./``. In prose it must set one of these and be typed as a path, or be ``java``. In
    the background, as scripts and make echo it, a path or an interpreter is enough: ``./kiwi -p 80 &``.
    """
    name = command.program
    if not _PROGRAM_START.match(name) or name in _NO_SERVERS or command.has_url:
        return False
    if "pip" in command.args and manages_packages(command):  # the first test saves the call
        return False
    if _LOAD_SCRIPT.fullmatch(name) or (command.args and set(command.args) <= _HELP_OPTIONS):
        return False
    if name in _SIGNALLED_SERVERS and not _SIGNALS.isdisjoint(command.args[:2]):
        return False
    builds = name in _RUN_WORDS and not _RUN_WORDS[name].intersection(command.args)
    if builds and not any(arg.endswith(_SCRIPT_SUFFIXES) for arg in command.args):
        return False
    if prompt or (code and command.path.startswith("./")):
        return True
    path = _PATH.fullmatch(command.path) is not None or "+RTS" in command.args or name == "java"
    if command.background and (path or runs_program_as_script(command)):
        return True
    return configures_run(command) and (code or path)


def surely_starts_server(command: Command) -> bool:
    """Whether a command that may start a server surely does: ``./kiwi``, but not ``nvm use 20`` or ``./tune.sh``.

    It runs in the background, or a service manager, an interpreter or a build tool runs it; or it is typed with its
    path, or has settings, a port or a known name. A single word may be any step, as is a script called ``wait.py``.
    """
    name = command.program
    if command.background or name in SERVICE_MANAGERS or name in _RUN_WORDS:
        return True
    if name in _INTERPRETERS:
        return not _does_step(command)
    if configures_run(command) or is_known_name(name) or any(map(_LISTEN_ARGUMENT.fullmatch, command.args)):
        return True
    if name.endswith(".sh"):
        return not _does_step(command)
    return "/" in command.path and _SYSTEM_FOLDERS.fullmatch(command.path) is None


def keeps_running(command: Command) -> bool:
    """Whether the program of a command runs on after the next prompt: in the background, or by a service manager."""
    return command.background or command.program in SERVICE_MANAGERS


def restarts_server(command: Command) -> bool:
    """Whether a command restarts the program that ran before: ``systemctl restart kiwi``, ``./restart.sh``."""
    is_script = _RESTART_SCRIPT.fullmatch(command.program) is not None and program_name(command) == command.program
    return is_restart(command) or is_script


def configures_run(command: Command) -> bool:
    """Whether a command sets variables, options of the runtime or CPUs of its program.

    Variables of programs begin with a capital; ``level=info worker=3 started`` is a line of a log.
    """
    pinned = any(wrapper[0] in ("taskset", "numactl") for wrapper in command.wrappers)
    return any(name[:1].isupper() for name in command.env) or _has_runtime_options(command) or pinned


def _has_runtime_options(command: Command) -> bool:
    """Whether a command has options of the runtime of GHC or of the Java virtual machine."""
    return "+RTS" in command.args or any(map(is_jvm_option, command.args))


def runs_program(text: str, programs: Container[str]) -> bool:
    """Whether the first command of a line runs one of `programs`, directly or as a wrapper (``time ./a``)."""
    first = parse_commands(text)[:1]
    return any(
        name in programs
        for command in first
        for name in (command.program, *(wrapper[0] for wrapper in command.wrappers))
    )


def sets_format(command: Command, variables: Iterable[str]) -> bool:
    """Whether a command sets one of `variables` to a format, which contains a ``%``."""
    return any("%" in command.env.get(name, "") for name in variables)


def looks_typed(command: Command) -> bool:
    """Whether a command has an option or a URL; a tool name alone is a word of a sentence."""
    return command.has_url or command.has_option

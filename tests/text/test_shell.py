"""Command lines as people paste them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from wrkparse.text.shell import Command, is_empty_prompt, parse_commands, split_arguments, strip_prompt


def command(text: str) -> Command:
    (found,) = parse_commands(text)
    return found


class TestPrompts:
    @each_case(
        "prompt",
        [
            "$ ",
            "# ",
            "% ",
            "> ",
            "+ ",
            "++ ",
            "$  ",
            "nan@nan:~/dir$ ",
            "user@host:~$ ",
            "user@~/lab/wrk> ",
            "task: [bench:kiwi] ",
            "In [3]: !",
            "In [12]: ! ",
            "root@3f2a1b:/app# ",
            "root@h:/# ",
            "me@MacBook-Pro dir % ",
            "me@host ~ % ",
            "me@host ~/d> ",
            "me@host:~/d (main)$ ",
            "me@host:~/d [main *]$ ",
            "me@host$ ",
            "MacBook:dir me$ ",
            "[root@host dir]# ",
            "[me@ip-10-0-0-1 ~]$ ",
            "[me@host ~] $ ",
            "bash-4.4$ ",
            "sh-5.1# ",
            "(venv) $ ",
            "(base) me@host:~$ ",
            "(.venv-3.11) ➜ ",
            "➜ ",
            "➜  ~ ",
            "➜  app git:(main) ",
            "➜  app git:(main) ✗ ",
            "❯ ",
            "~ ❯❯❯ ",
            "~/src/app main* ❯ ",
            "/ # ",
            "/go # ",
            "~ $ ",
            "~/dir % ",
            "~/src/app> ",
            "me@host \ue0b0 ~/d \ue0b0 main \ue0b0 ",
            "C:\\xampp\\apache\\bin>",
            "PS C:\\Users\\me> ",
            "» ",
        ],
    )
    def test_each_is_taken_off(self, prompt):
        assert strip_prompt(f"{prompt}wrk -t8 http://h/") == "wrk -t8 http://h/"

    @each_case(
        "text",
        [
            "wrk -t8",
            "$",
            "$ ",
            "$wrk",
            "# ",
            "$ -5",
            "-> wrk",
            "+5 wrk",
            "2 > 1",
            "me@host",
            "mail me@host.org today",
            "costs 5 $ a day",
            "100 % of",
            "[note] text",
            "[1] + done",
            "nginx: ok",
            "",
            "➜",
            "http://h/ $ x",
            "<a> wrk",
            "~nothing",
            "++ kiwi ++",
        ],
    )
    def test_where_none_stands(self, text):
        assert strip_prompt(text) is None

    @given(st.text(max_size=60), st.sampled_from(["", "$ ", "me@host:~$ ", "[a@b c]# ", "(v) ", "➜  ", "❯ "]))
    def test_what_is_behind_is_the_end_of_the_line(self, text, prompt):
        found = strip_prompt(prompt + text)
        assert found is None or (prompt + text).rstrip().endswith(found)

    @pytest.mark.parametrize(
        "piece", ["a", "(", "[", "a@", "~", "/", "+", "➜ ", "❯", "\ue0b0", "[a@", "C:\\", "a:b ", "(a) "]
    )
    def test_a_long_line_is_read_at_once(self, piece):
        for text in (piece * 300_000, f"me@host:{piece * 300_000}", f"({piece * 300_000}"):
            strip_prompt(text)


class TestEnvironment:
    @pytest.mark.parametrize(
        ("text", "env", "program"),
        [
            ("GOMAXPROCS=4 GOGC=off ./hello -v", {"GOMAXPROCS": "4", "GOGC": "off"}, "hello"),
            ("export GOGC=off GOMAXPROCS=2", {"GOGC": "off", "GOMAXPROCS": "2"}, ""),
            ("GOGC=off", {"GOGC": "off"}, ""),
            ("env GOGC=50 ./hello", {"GOGC": "50"}, "hello"),
            ("env -i -u HOME GOGC=50 ./hello", {"GOGC": "50"}, "hello"),
            ("sudo GOGC=50 ./hello", {"GOGC": "50"}, "hello"),
            ("GODEBUG='gctrace=1,schedtrace=1000' ./x", {"GODEBUG": "gctrace=1,schedtrace=1000"}, "x"),
            ('NAME="a b" ./x', {"NAME": "a b"}, "x"),
            ("EMPTY= ./x", {"EMPTY": ""}, "x"),
            ("./x A=1", {}, "x"),
        ],
    )
    def test_assignments_in_front(self, text, env, program):
        assert (command(text).env, command(text).program) == (env, program)


@pytest.mark.parametrize(
    ("text", "path", "args"),
    [
        (r".\hey.exe -c 8 http://h/", "./hey", ("-c", "8", "http://h/")),
        (r"C:\tools\hey-2\hey.exe -c 8", "hey", ("-c", "8")),
        ("hey.exe -c 8", "hey", ("-c", "8")),
        ("./kiwi.exe.bak 8", "./kiwi.exe.bak", ("8",)),
    ],
)
def test_a_program_of_windows_has_no_suffix_and_no_folder(text, path, args):
    assert (command(text).path, command(text).args, command(text).text) == (path, args, text)


class TestWrappers:
    @each_case(
        "text, wrappers",
        [
            ("sudo -u www ./hello -p 1", [("sudo", "-u", "www")]),
            ("nohup ./hello -p 1 &", [("nohup",)]),
            (r"Start-Process .\hello.exe -p 1", [("Start-Process",)]),
            (
                r"Start-Process -NoNewWindow -FilePath .\hello.exe -p 1",
                [("Start-Process", "-NoNewWindow", "-FilePath")],
            ),
            ("taskset -c 0-3 ./hello -p 1", [("taskset", "-c", "0-3")]),
            ("taskset 0xf ./hello -p 1", [("taskset", "0xf")]),
            ("numactl --cpunodebind=0 -m 0 ./hello -p 1", [("numactl", "--cpunodebind=0", "-m", "0")]),
            ("numactl --physcpubind 0-3 ./hello -p 1", [("numactl", "--physcpubind", "0-3")]),
            ("timeout -s KILL 30 ./hello -p 1", [("timeout", "-s", "KILL", "30")]),
            ("timeout 30s ./hello -p 1", [("timeout", "30s")]),
            ("nice -n 5 ./hello -p 1", [("nice", "-n", "5")]),
            ("nice -5 ./hello -p 1", [("nice", "-5")]),
            ("time -p ./hello -p 1", [("time", "-p")]),
            ("/usr/bin/time -v ./hello -p 1", [("time", "-v")]),
            ("time -f '%e %M' ./hello -p 1", [("time", "-f", "%e %M")]),
            ("busybox time -v ./hello -p 1", [("busybox",), ("time", "-v")]),
            ("do time -p ./hello -p 1", [("time", "-p")]),
            ("chrt -f 99 ./hello -p 1", [("chrt", "-f", "99")]),
            ("stdbuf -oL ./hello -p 1", [("stdbuf", "-oL")]),
            ("sudo nice -n 5 taskset -c 1 ./hello -p 1", [("sudo",), ("nice", "-n", "5"), ("taskset", "-c", "1")]),
        ],
    )
    def test_the_command_behind_them(self, text, wrappers):
        found = command(text)
        assert (found.path, found.program, found.args) == ("./hello", "hello", ("-p", "1"))
        assert list(found.wrappers) == wrappers

    @pytest.mark.parametrize("text", ["sudo", "time", "taskset -c", "sudo -u", "timeout", "numactl -C"])
    def test_a_wrapper_of_nothing(self, text):
        assert (command(text).program, command(text).args) == ("", ())


def test_a_quote_with_escapes_is_what_the_shell_makes_of_it():
    (found, _) = parse_commands(r"TIMEFORMAT=$'\nreal\t%3R \'s\''; ./x")
    assert found.env == {"TIMEFORMAT": "\nreal\t%3R 's'"}


class TestLines:
    @pytest.mark.parametrize(
        ("text", "programs"),
        [
            ("go build && ./hello", ["go", "hello"]),
            ("cd x; ./hello; wrk http://h/", ["cd", "hello", "wrk"]),
            ("./hello & wrk http://h/", ["hello", "wrk"]),
            ("./hello& sleep 1", ["hello", "sleep"]),
            ("wrk http://h/ | tee out.txt", ["wrk", "tee"]),
            ("make || exit", ["make", "exit"]),
            ("", []),
            ("   ", []),
            (";;", [";;"]),
            ("&& ./x", ["x"]),
        ],
    )
    def test_several_commands(self, text, programs):
        assert [found.program for found in parse_commands(text)] == programs

    def test_background(self):
        assert [found.background for found in parse_commands("./a & ./b")] == [True, False]

    @pytest.mark.parametrize(
        "end",
        [
            "> out.txt",
            ">out.txt",
            "2>&1",
            "> out.txt 2>&1",
            "&> log",
            ">> log",
            "< in",
            "2>/dev/null",
            "# remark",
            "#remark",
        ],
    )
    def test_redirections_and_remarks_are_no_arguments(self, end):
        assert command(f"wrk -t8 http://h/ {end}").args == ("-t8", "http://h/")

    @pytest.mark.parametrize("end", [">out.txt;", "2>&1;", "&>log;", ">>out.txt&", ">/dev/null&&"])
    def test_a_command_ends_behind_a_redirection(self, end):
        found = parse_commands(f"make clean {end} time make -j4")
        assert [(one.program, one.args) for one in found] == [("make", ("clean",)), ("make", ("-j4",))]

    @pytest.mark.parametrize(
        "url", ["http://h/?a=1&b=2", "http://h:1/a;b=1/?q", "http://h/#x", "http://[::1]:80/", "http://h/?a=[1]*"]
    )
    def test_urls_stay_whole(self, url):
        assert command(f"wrk -t8 {url}").args == ("-t8", url)
        assert command(f"wrk -t8 '{url}'").args == ("-t8", url)

    @pytest.mark.parametrize("text", ["wrk -H 'a http://h/", 'wrk "', "wrk isn't", "wrk \\"])
    def test_a_quote_that_never_closes(self, text):
        assert command(text).program == "wrk"

    def test_the_text_is_the_whole_line(self):
        assert [found.text for found in parse_commands("a; b")] == ["a; b", "a; b"]

    def test_a_line_that_nobody_typed_is_none(self):
        assert parse_commands("wrk " + "x" * 4000) == ()
        assert len(parse_commands("wrk " + "x" * 3990)) == 1

    @pytest.mark.parametrize(
        ("text", "client"),
        [
            ("./attack.sh http://h/", True),
            ("wrk -c1 $URL", True),
            ("./a -u https://h/", True),
            ("./a --up=http://h/", False),
            ("./a -db postgres://h/", False),
            ("./a", False),
        ],
    )
    def test_a_client_asks_for_a_url(self, text, client):
        assert command(text).has_url is client

    @given(st.one_of(st.text(max_size=80), st.text("ab =-&;|<>'\"\\$#/+", max_size=40)))
    def test_any_text_gives_commands(self, text):
        for found in parse_commands(text):
            assert found.text == text
            assert (
                found.program
                or found.env
                or found.wrappers
                or not found.path
                or found.path.endswith("/")
                or not found.args
            )
            split_arguments(found.args)
            split_arguments(found.args, frozenset({"-c"}), frozenset({"-k"}))


def split_flags(args: tuple[str, ...], *how: frozenset[str]) -> tuple[list[tuple[str, str]], list[str]]:
    flags, free = split_arguments(args, *how)
    return [(name, value) for name, value, _ in flags], free


class TestFlags:
    VALUES = frozenset({"-t", "--threads", "-c", "-n", "-H", "-d"})

    @pytest.mark.parametrize("text", ["-t8", "-t 8", "-t=8"])
    def test_one_letter(self, text):
        assert split_flags(tuple(text.split()), self.VALUES) == ([("-t", "8")], [])

    @pytest.mark.parametrize("text", ["--threads=8", "--threads 8"])
    def test_a_word(self, text):
        assert split_flags(tuple(text.split()), self.VALUES) == ([("--threads", "8")], [])

    def test_several_letters_behind_one_sign(self):
        assert split_flags(("-kc", "100", "-n1000", "url"), self.VALUES, frozenset("-k".split())) == (
            [("-k", "true"), ("-c", "100"), ("-n", "1000")],
            ["url"],
        )

    def test_a_word_behind_one_sign_is_no_letters(self):
        assert split_flags(("-latency", "url"), self.VALUES, frozenset({"-L"})) == ([("-latency", "true")], ["url"])

    def test_switches_take_nothing(self):
        assert split_flags(("-L", "--latency", "url"), self.VALUES) == (
            [("-L", "true"), ("--latency", "true")],
            ["url"],
        )

    def test_repeated_flags_are_kept_in_order(self):
        assert split_flags(("-H", "a: b", "-Hc=d"), self.VALUES)[0] == [("-H", "a: b"), ("-H", "c=d")]

    def test_nothing_behind_two_signs_is_a_flag(self):
        assert split_flags(("-t8", "url", "--", "-c", "x"), self.VALUES) == ([("-t", "8")], ["url", "-c", "x"])

    def test_of_a_program_that_we_don_t_know(self):
        args = ("-addr", ":8080", "-prefork=18", "-p8080", "-v", "--debug", "--name", "x", "-u", "http://h/", "-", "-9")
        assert split_flags(args) == (
            [
                ("-addr", ":8080"),
                ("-prefork", "18"),
                ("-p", "8080"),
                ("-v", "true"),
                ("--debug", "true"),
                ("--name", "x"),
                ("-u", "true"),
                ("-9", "true"),
            ],
            ["http://h/", "-"],
        )

    def test_a_value_missing_at_the_end(self):
        assert split_flags(("-t",), self.VALUES) == ([("-t", "true")], [])


def test_two_slashes_behind_a_command_begin_a_persons_note() -> None:
    found = command("ab -c 900 http://127.0.0.1:8080//x   // the server halts at -c 1000")
    assert found.args == ("-c", "900", "http://127.0.0.1:8080//x")


@pytest.mark.parametrize(
    ("text", "args"),
    [
        ("wrk -H 'Cookie: a=b;' http://h/", ("-H", "Cookie: a=b;", "http://h/")),
        ('sed "s|a|b|" x', ("s|a|b|", "x")),
        ("echo 'a&' b; ls", ("a&", "b")),
    ],
)
def test_a_quoted_sign_at_the_end_of_a_word_separates_no_commands(text: str, args: tuple[str, ...]) -> None:
    assert parse_commands(text)[0].args == args


@pytest.mark.parametrize(
    ("text", "is_empty"),
    [
        ("ann@lab:~$", True),
        ("root@0a62aa:/#", True),
        ("[ann@lab dir]$", True),
        ("ann@lab:~$ ls", False),
        ("$", False),
        ("#", False),
        ("a@b", False),
        ("pay 5 @ 3$", False),
        ("", False),
    ],
)
def test_a_prompt_without_a_command_is_empty(text: str, is_empty: bool) -> None:
    assert is_empty_prompt(text) == is_empty

"""What the options of a Java virtual machine say of the runs below them; their forms are those of java(1)."""

from __future__ import annotations

import pytest

from tests.context.test_between_logs import of_page
from wrkparse.analysis.comparison.text.wording import place_words
from wrkparse.context.commands.jvm_options import are_jvm_options, split_jvm_options


@pytest.mark.parametrize(
    ("typed", "pairs"),
    [
        ("-XX:+UseG1GC -Xmx2g -Xms512m", {"gc": "G1GC", "flag_xmx": "2g", "flag_xms": "512m"}),
        ("-XX:+UseParNewGC -XX:+UseConcMarkSweepGC", {"gc": "ParNewGC + ConcMarkSweepGC"}),
        ("-XX:-UseBiasedLocking", {"flag_usebiasedlocking": "false"}),
        ("-XX:+AlwaysPreTouch -Xss256k", {"flag_alwayspretouch": "true", "flag_xss": "256k"}),
        ("-XX:MaxGCPauseMillis=50", {"flag_maxgcpausemillis": "50"}),
        ("-Xmx2G", {"flag_xmx": "2g"}),
        ("-Xloggc:gc.log -jar kiwi.jar", {}),
        ("-XX:ErrorFile=/tmp/1.log -XX:HeapDumpPath=C:\\dumps -XX:LogFile=vm1.log -XX:X=filename=1.jfr", {}),
    ],
)
def test_options_of_the_virtual_machine_are_settings(typed: str, pairs: dict[str, str]) -> None:
    others, found = split_jvm_options(tuple(typed.split()))
    assert {key: value for key, value, _ in found} == pairs
    assert all(word in typed.split() for *_, words in found for word in words)
    assert others == (() if pairs else tuple(typed.split()))


def test_a_line_of_options_alone_is_told_from_other_lines() -> None:
    assert are_jvm_options(["-server", "-Xmx2g", "-Xloggc:gc.log"])
    assert not are_jvm_options(["-c64", "-t4"])
    assert not are_jvm_options(["-Xmx2g"])
    assert not are_jvm_options(["java", "-Xmx2g"])


@pytest.mark.parametrize(
    "front",
    [
        "$ java {} -jar kiwi.jar &",
        "java -jar {} kiwi.jar",
        "{}",
        "启动命令：java {} -jar kiwi.jar",
        "Start: java {} -jar a.jar",
    ],
)
@pytest.mark.parametrize("marks", ["", "```\n"])
def test_runs_below_other_options_are_other_settings(front: str, marks: str) -> None:
    """Without a prompt, too: three collectors were three repeats, or names that stuck to the runs below."""
    options = [f"-XX:+Use{name}GC -Xmx{heap}" for heap in ("1g", "2g") for name in ("Serial", "Parallel", "G1")]
    page = "".join(f"\n{marks}{front.format(option)}\n{marks}\n\n@\n\n" for option in options)
    expected = [(f"{name}GC", heap) for heap in ("1g", "2g") for name in ("Serial", "Parallel", "G1")]
    assert of_page(page, "gc", "flag_xmx") == expected


def test_options_that_a_server_prints_are_its_options() -> None:
    """As with -XX:+PrintCommandLineFlags; they were another server, so kiwi and emu were one setting."""
    page = "".join(
        f"$ java -Xmx1g -jar {name}.jar &\n-XX:MaxHeapSize=1073741824 -XX:+Use{collector}GC\n"
        "$ wrk -c64 http://127.0.0.1:8080/\n@\n\n"
        for name, collector in (("kiwi", "G1"), ("emu", "Z"))
    )
    found = [("kiwi.jar", "G1GC", "1g", "1073741824"), ("emu.jar", "ZGC", "1g", "1073741824")]
    assert of_page(page, "program", "gc", "flag_xmx", "flag_maxheapsize") == found


def test_a_command_in_a_list_is_a_setting_and_no_name() -> None:
    page = "".join(f"- `java -XX:+Use{name}GC -Xmx2g -jar kiwi.jar`\n\n```\n@\n```\n\n" for name in ("Serial", "G1"))
    assert of_page(page, "gc", "heading", "framework") == [("SerialGC", "", ""), ("G1GC", "", "")]


def test_headings_with_sizes_of_the_heap_keep_their_text() -> None:
    """They are no durations of 512 minutes."""
    page = "".join(
        f"## {name}\n\n### {size}\n\n`java -Xmx{size} -jar {name}.jar`\n\n@\n\n"
        for name in ("kiwi", "emu")
        for size in ("512m", "4g")
    )
    assert of_page(page, "flag_xmx", "heading") == [("512m", "512m"), ("4g", "4g")] * 2


def test_the_main_class_is_the_program_and_its_class_path_is_not() -> None:
    page = "".join(
        f"$ java -cp lib/* acme.{name} &\n$ wrk -c64 http://127.0.0.1:8080/\n@\n\n" for name in ("Kiwi", "Emu")
    )
    assert of_page(page, "program", "framework") == [("acme.Kiwi", "acme.Kiwi"), ("acme.Emu", "acme.Emu")]


def test_the_version_in_the_path_of_a_runtime_is_a_setting() -> None:
    page = "".join(
        f"$ /opt/java-{version}/bin/java -jar kiwi.jar &\n$ wrk -c64 http://127.0.0.1:8080/\n@\n\n"
        for version in (17, 21)
    )
    assert of_page(page, "java") == [("17",), ("21",)]


def test_sentences_spell_the_size_of_the_heap_as_java_does() -> None:
    assert place_words({"flag_xmx": "2g", "gc": "G1GC"}) == "with -Xmx2g with G1GC"
    assert place_words({"flag_xmx": None, "gc": None}) == "without -Xmx without a stated garbage collector"

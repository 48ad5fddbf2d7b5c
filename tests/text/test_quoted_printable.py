"""Mail in the encoding quoted-printable."""

from __future__ import annotations

import quopri

import pytest

import wrkparse as wp
from tests.analysis.audit.reports import AB
from tests.samples import GC, SCHED, WRK

REPORT = WRK.replace("/hello", "/a/rather/long/path/of/the/page?first=1&second=22222222&third=3")
TEXT = f"Hi — the results:\n\n$ GOGC=off ./hello\n$ wrk -t8 -c8 http://10.0.1.70:8080/a?first=1\n{WRK}\n{AB}"
EVENTS = "".join(GC.format(n=n, t=f"{n}.500") for n in (1, 2, 3)) + SCHED.format(t=1000).replace("[1 2]", "[1 2]  ")


def said(text: str) -> tuple[object, ...]:
    data = wp.parse_text(text)
    labels = data.arrow("labels").select(("key", "value")).to_pylist()  # headers of the mail stand above, too
    return (
        data.arrow("measurements").select(("metric", "stat", "value")).to_pylist(),
        sorted({(row["key"], row["value"]) for row in labels if row["key"] not in ("process", "above")}),
        data.count("gc_cycles"),
        data.count("sched_ticks"),
        [code for code in data.arrow("diagnostics")["code"].to_pylist() if code != "label-conflict"],
    )


def encoded(text: str) -> str:
    return quopri.encodestring(text.encode()).decode()


HEAD = "From a@b.example Sat May  4 10:00:00 2024\nFrom: a@b.example\nContent-Type: text/plain; charset=utf-8\n{}\n\n"
HEADER = "Content-Transfer-Encoding: quoted-printable"


@pytest.mark.parametrize("header", [HEADER, HEADER.lower(), f"> {HEADER}"])
@pytest.mark.parametrize("text", [TEXT, REPORT, EVENTS, TEXT + EVENTS])
def test_an_encoded_mail_is_read_as_its_text(header: str, text: str) -> None:
    assert said(HEAD.format(header) + encoded(text)) == said(HEAD.format("Subject: x") + text)


def test_in_a_long_archive_too() -> None:
    noise = "".join(f"GET /x/{at} 200 {at % 7}ms\n" for at in range(9000))
    assert said(noise + HEAD.format(HEADER) + encoded(TEXT + EVENTS))[:4] == said(TEXT + EVENTS)[:4]


@pytest.mark.parametrize(
    "end", ["--0123456789abcdef", "--0123456789abcdef--", HEAD.format("Subject: y").split("\n")[0]]
)
def test_the_next_part_is_not_decoded(end: str) -> None:
    text = f"{HEAD.format(HEADER)}Hi=20\n{end}\nContent-Type: text/plain\n\n{WRK.replace('/hello', '/a=3Db')}"
    assert wp.parse_text(text).runs["url"].tolist() == ["http://10.0.1.70:8080/a=3Db"]


def test_soft_ends_of_pasted_mail_are_joined_without_a_header() -> None:
    lines = encoded(EVENTS).splitlines(keepends=True)
    assert any(line.endswith("=\n") for line in lines)
    assert said("They say:\n\n" + "".join(lines))[:4] == said(EVENTS)[:4]


@pytest.mark.parametrize(
    "line", ["=" * 70, f"== {'Results ' * 8}==", "export X=", f"{'threads=2 ' * 6}runqueue=", f"{'QUJD' * 17}=="]
)
def test_other_lines_that_end_so_take_nothing_from_the_next_one(line: str) -> None:
    assert said(f"{line}\n{WRK}")[0] == said(WRK)[0]


def test_a_path_with_these_signs_stays_as_it_is_without_a_header() -> None:
    assert wp.parse_text(WRK.replace("/hello", "/?q=3D")).runs["url"].tolist() == ["http://10.0.1.70:8080/?q=3D"]


def test_a_setting_of_twenty_is_no_encoded_blank() -> None:
    runs = wp.parse_text(f"+ GOMAXPROCS=20\n\n{WRK}").runs
    assert runs["cores"].tolist() == [20]

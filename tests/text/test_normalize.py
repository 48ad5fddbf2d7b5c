"""The printed lines of a source, worked out by hand from what wraps them."""

from __future__ import annotations

import pytest

from wrkparse.text.normalize import LineNormalizer, NormalizedLine, plain_text
from wrkparse.text.window import LineWindow


def lines_of(*raws: str) -> list[NormalizedLine]:
    normalizer = LineNormalizer()
    return [*normalizer.feed(["text", *raws], 1), *normalizer.finish()][1:]


def plain(*raws: str) -> list[str]:
    return [line.plain for line in lines_of(*raws)]


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("real\t0m1.2s", "real\t0m1.2s"),
        ("<td>5</td><td>ms</td>", " 5  ms "),
        ("&lt;b&gt;5 ms", "5 ms"),  # the source of a page, in a page
        ("5&nbsp;ms &amp; more", "5 ms & more"),
        ("<b>5</b> ms", "5 ms"),
        ("5\u00a0ms", "5 ms"),
        ("\ufeffRequests", "Requests"),
        ("- Requests/sec:   `2304.75`", "- Requests/sec:   2304.75"),
        ("Set it to `8` now", "Set it to `8` now"),
        ("+\u2212 Stdev", "+- Stdev"),
        ("\u201cx\u201d \u2018y\u2019", "\"x\" 'y'"),
        ("４０６ ｍｓ", "406 ms"),
        ("！％～", "!%~"),  # the first and the last of them
        ("**Latency** 5", "Latency 5"),
        ("****", "****"),  # underlines a heading
        ("* **", "* **"),
        ("^CRunning", "Running"),
        ("a ^C b", "a ^C b"),
        ('"a\\tb"', '"a b"'),
        ("C:\\temp", "C:\\temp"),
        ("+/\\- Stdev", "+/- Stdev"),
        ("a\\_b \\* c \\d", "a_b * c \\d"),
        ("Latency 5\\", "Latency 5"),
        ("$ wrk -c 5 \\", "$ wrk -c 5 \\"),
        ("`Latency 5`", "Latency 5"),
        ("- `Latency 5`", "Latency 5"),
        ("a `Latency 5` b", "a `Latency 5` b"),
        ("``", "``"),
        ("`a`", "a"),
        ("`a` `b`", "`a` `b`"),
        ("    + CategoryInfo          : NotSpecified", ""),
        ("a + CategoryInfo ", "a + CategoryInfo "),
    ],
)
def test_a_line_is_in_the_characters_that_tools_print(text: str, printed: str) -> None:
    assert plain_text(text) == printed


@pytest.mark.parametrize(
    ("raw", "printed"),
    [
        ("\x1b[1;32mok\x1b[0m", ["ok"]),
        ("1%\b%", ["1%"]),
        ("10%\r50%\r", ["10%", "50%"]),
        ("a<br>b<BR />c", ["a", "b", "c"]),
        ('{"out": "a\\nb\\n"}', ['{"out": "', "a", "b", ""]),
        ('{"out": "a\\nb", "err": "c\\n"}', ['{"out": "', "a", "b", "c", ""]),
        ('x="a\\tb\\n\\"c\\"\\n"', ['x="', "a\tb", '"c"', ""]),
        ('x := "a\\nb\\n"', ['x := "a\\nb\\n"']),  # source code
        ("b'a\\nb\\n'", ["b'", "a", "b", ""]),
        ("a\\nb\\nc", ["", "a", "b", "c"]),
        ('"a\\n"', ['"a\\n"']),  # one line end does not make a text
        ('$ printf "a\\nb\\nc"', ['$ printf "a\\nb\\nc"']),  # a command
        ('time -f "%e\\n%U\\n" x', ['time -f "%e\\n%U\\n" x']),  # a format
    ],
)
def test_one_line_of_a_source_may_hold_several(raw: str, printed: list[str]) -> None:
    lines = lines_of(raw)
    assert [line.plain for line in lines] == printed
    assert {line.number for line in lines} == {2}
    assert {line.raw for line in lines} == {raw}
    assert [line.page_text is None for line in lines] == [place > 0 for place in range(len(lines))]


X, Y = "x" * 250, "y" * 250


def nested(levels: int) -> str:
    """JSON of so many objects, the innermost with two texts."""
    return '{"a": ' * (levels - 1) + f'{{"b": "{X}\\n{Y}\\n", "c": "{X}\\n{Y}\\n"}}' + "}" * (levels - 1)


@pytest.mark.parametrize(
    ("raw", "printed"),
    [
        (
            f'{{"out": "{X}\\n{Y}\\n", "err": "{X}\\n{Y}\\n", "name": "kiwi"}}',
            ['  "name": "kiwi",', '  "out": "', X, Y, "", '  "err": "', X, Y, ""],
        ),
        (  # three line ends are too few for two texts: the strings are read where they stand
            f'{{"out": "{X}\\n{Y}\\n", "err": "{X}\\n{Y}", "name": "kiwi"}}',
            ['{"out": "', X, Y, "", X, Y, "kiwi"],
        ),
        (  # twenty objects in one another, but no more; the innermost is two blanks further in for each
            nested(20),
            [*(f'{" " * 2 * level}"a": {{' for level in range(1, 20)),
             f'{" " * 40}"b": "', X, Y, "", f'{" " * 40}"c": "', X, Y, ""],
        ),
        (nested(21), ['{"a": ' * 20 + '{"b": "', X, Y, "", X, Y, ""]),
    ],
)  # fmt: skip
def test_json_with_several_texts_is_read_as_if_it_was_indented(raw: str, printed: list[str]) -> None:
    assert plain(raw) == printed


@pytest.mark.parametrize("spare", [0, -1])
def test_json_with_few_characters_in_each_of_its_lines_is_data(spare: int) -> None:
    """Five lines of the indented form have a string; they need 40 characters each."""
    raw = '{"a": "1", "b": "2", "c": "3", "d": "4\\n5\\n", "e": "6\\n7\\n"}'
    raw = raw.replace("4", "4" * (200 + spare - len(raw) + 1))
    assert (plain(raw)[0] == '  "a": "1",') == (spare == 0)


def test_a_reader_of_the_page_sees_the_last_of_the_texts_between_carriage_returns() -> None:
    assert [line.page_text for line in lines_of("10%\r50%\r")] == ["50%", None]


def streams(*raws: str) -> list[tuple[str, str]]:
    return [(line.plain, line.stream) for line in lines_of(*raws)]


def test_the_lines_of_a_hunk_lose_their_marks_and_those_behind_it_keep_theirs() -> None:
    hunk = ["@@ -1,3 +1,2 @@", " same", "-old", "+new", "-gone", "-- item", "+ item"]
    assert streams(*hunk) == [
        ("@@ -1,3 +1,2 @@", ""), ("same", ""), ("old", "removed"), ("new", ""), ("gone", "removed"),
        ("-- item", ""), ("+ item", ""),
    ]  # fmt: skip


def test_a_hunk_without_counts_has_one_line_of_each() -> None:
    assert streams("@@ -1 +1 @@", "-old", "+new", "+after") == [
        ("@@ -1 +1 @@", ""), ("old", "removed"), ("new", ""), ("+after", ""),
    ]  # fmt: skip


def test_an_empty_line_in_a_hunk_is_on_both_sides_and_a_remark_on_none() -> None:
    assert plain("@@ -1,2 +1,2 @@", "", "\\ No newline", " a", "-b") == [
        "@@ -1,2 +1,2 @@",
        "",
        " No newline",
        "a",
        "-b",
    ]


def test_a_line_without_a_mark_ends_a_hunk() -> None:
    assert plain("@@ -1,9 +1,9 @@", "-a", "diff --git", "-b") == ["@@ -1,9 +1,9 @@", "a", "diff --git", "-b"]
    assert plain("@@ -1,9 +1,9 @@", "-a", "@@ -20 +20 @@", "-b", "+c", "-d")[3:] == ["b", "c", "-d"]


def cri(flag: str, text: str, second: int = 1) -> str:
    return f"2024-01-31T07:08:0{second}.5Z stderr {flag} {text}"


def test_a_line_that_cri_cut_is_put_together() -> None:
    lines = lines_of(cri("P", "one ", 1), cri("P", "and ", 2), cri("F", "two", 3), cri("F", "three", 4), "next")
    assert [(line.number, line.raw, line.plain) for line in lines] == [
        (2, cri("F", "two", 3), cri("P", "one and two", 1)),
        (5, cri("F", "three", 4), cri("F", "three", 4)),
        (6, "next", "next"),
    ]


def test_a_cut_line_whose_rest_never_comes_is_given_at_the_end() -> None:
    normalizer = LineNormalizer()
    assert normalizer.feed(["text", cri("P", "one ")], 1)[1:] == []
    assert normalizer.is_unwrapping
    assert [(line.number, line.plain) for line in normalizer.finish()] == [(2, cri("P", "one "))]


def test_a_record_of_docker_that_goes_on_in_the_next_is_one_line() -> None:
    def record(text: str, second: int) -> str:
        return f'{{"log":"{text}","stream":"stderr","time":"2024-01-31T07:08:0{second}Z"}}'

    part = "x" * 16384  # bytes, as many as Docker's copier buffers
    lines = lines_of(record(part, 1), record("two\\n", 2), record("three\\n", 3))
    assert [(line.number, line.plain, line.stamp) for line in lines] == [
        (2, f"{part}two", "2024-01-31T07:08:01Z"),
        (4, "three", "2024-01-31T07:08:03Z"),
    ]


def test_records_of_a_log_without_ends_of_lines_are_one_line_each_unless_they_say_that_they_are_cut() -> None:
    lines = lines_of(
        '{"log":"one"}', '{"log":"two ","_p":"P"}', '{"log":"three","_p":"F"}', '{"log":"four","logtag":"F"}'
    )
    assert [(line.number, line.plain) for line in lines] == [(2, "one"), (3, "two three"), (5, "four")]


def test_what_may_begin_a_notebook_waits_until_it_is_known() -> None:
    normalizer = LineNormalizer()
    assert normalizer.is_unwrapping
    assert normalizer.feed(["{", ""], 1) == []
    assert normalizer.is_unwrapping
    assert [(line.number, line.plain) for line in normalizer.feed(['"log": 5}'], 3)] == [
        (1, "{"),
        (2, ""),
        (3, '"log": 5}'),
    ]
    assert not normalizer.is_unwrapping


def test_two_hundred_line_breaks_begin_no_notebook() -> None:
    normalizer = LineNormalizer()
    assert normalizer.feed([""] * 200, 1) == []
    assert len(normalizer.feed([""], 201)) == 201


def test_nothing_waits_in_a_source_that_is_known_for_no_notebook() -> None:
    normalizer = LineNormalizer()
    normalizer.skip_container_check()
    assert not normalizer.is_unwrapping
    assert [line.plain for line in normalizer.feed(["{"], 1)] == ["{"]


def test_what_is_kept_at_the_end_is_given() -> None:
    normalizer = LineNormalizer()
    assert normalizer.feed(["", "{"], 1) == []
    assert [(line.number, line.plain) for line in normalizer.finish()] == [(1, ""), (2, "{")]
    assert normalizer.finish() == []


@pytest.mark.parametrize("length", [1 << 16, (1 << 16) + 1])
def test_a_longer_line_than_64_kib_is_data(length: int) -> None:
    raw = "<b>" + "x" * (length - 3)
    (line,) = lines_of(raw)
    assert (line.plain == raw, line.page_text == "") == ((length > 1 << 16,) * 2)


def numbered(*numbers: int) -> list[NormalizedLine]:
    return [NormalizedLine(number, f"r{number}", f"t{number}", f"> p{number}") for number in numbers]


def test_a_window_keeps_the_lines_that_are_still_needed() -> None:
    window = LineWindow()
    window.advance(lambda: numbered(1, 2, 3, 3, 4), None)

    def after(*asked: int) -> list[int]:
        return list(map(window.number, window.indexes_after(*asked)))

    assert after(2, 9) == [3, 3, 4]
    assert after(1, 2) == [2, 3]
    assert after(0, 9, 2) == [1, 2]
    assert after(3, 9, 2) == []
    window.advance(lambda: numbered(5, 6), 3)
    assert after(0, 9) == [3, 3, 4, 5, 6]
    window.advance(lambda: numbered(7), None)
    assert after(0, 9) == [7]


def test_signs_in_front_of_a_text_are_a_quotation_s_and_words_are_none() -> None:
    window = LineWindow()
    texts = ["> gc 1", "// gc 1", "log: gc 1", "gc 1", f"{'>' * 20} gc 1", f"{'>' * 21} gc 1", "no event"]
    window.advance(lambda: [NormalizedLine(n, t, t, t) for n, t in enumerate(texts, 2)], None)
    assert [window.signs_before(n, "gc") for n in range(1, 10)] == ["", ">", "//", "", "", ">" * 20, "", "", ""]


def test_texts_of_a_stream_lose_the_signs_in_front_of_them() -> None:
    lines = [
        NormalizedLine(n, t, t, t, stream=s)
        for n, t, s in [(1, "> a", ""), (2, ">b", ""), (3, "> c", "x"), (4, "d", "")]
    ]
    window = LineWindow()
    window.advance(lambda: lines, None)
    assert window.texts_without_signs(range(4), "", ">") == [(0, "a"), (1, "b"), (3, "d")]
    assert window.texts_without_signs(range(4), "x", "") == [(2, "> c")]


def test_texts_of_a_stream_lose_the_prefix_that_names_it() -> None:
    texts = ["web-1  | a", "db-1   | b", "web-1  | c", "d"]
    lines = [NormalizedLine(n, t, t, t) for n, t in enumerate(texts, 1)]
    window = LineWindow()
    window.advance(lambda: lines, None)
    assert window.texts_without_prefix(range(4), "web-1") == [(0, "a"), (2, "c")]
    assert window.texts_without_prefix(range(1, 4), "web-1") == [(2, "c")]
    assert window.texts_without_prefix(range(4), "") == [(3, "d")]

"""Keys of labels as people know them."""

from __future__ import annotations

import pytest

from wrkparse.analysis.comparison.text.wording import amount_words, place_words
from wrkparse.analysis.runs.labels.key_words import key_with_option, key_words


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("gogc", "GOGC"), ("env_GODEBUG", "GODEBUG"), ("file_name", "file name"),
        ("flag_spawn_rate", "--spawn-rate"),  # locust -r, --spawn-rate
        ("flag_body", "body"),  # hey -d; bombardier -b, --body
        ("flag_upper_k", "-K"), ("flag_x", "-x"), ("flag_rn", "-rn"), ("flag_keep_warm", "--keep-warm"),
        ("flag_rts_heap", "+RTS heap"),
    ],
)  # fmt: skip
def test_an_option_is_named_as_it_is_typed(key: str, words: str) -> None:
    assert key_words(key) == words


def test_notes_name_the_option_and_the_key_that_commands_take() -> None:
    assert key_with_option("flag_spawn_rate") == "--spawn-rate (flag_spawn_rate)"
    assert key_with_option("connections") == "connections"


def test_a_setting_with_an_option_reads_like_its_command() -> None:
    assert place_words({"flag_spawn_rate": "5"}) == "with --spawn-rate 5"
    assert place_words({"flag_keep_warm": "true", "connections": "8"}) == "with --keep-warm at 8 connections"
    assert place_words({"flag_spawn_rate": None}) == "without --spawn-rate"


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (52720.0, "52.72k requests/s"),
        (1.5e6, "1.500M requests/s"),
        (900.0, "900.0 requests/s"),
        (0.5, "0.5000 requests/s"),
    ],
)
def test_throughput_counts_requests(value: float, words: str) -> None:
    assert amount_words(value, "1/s", "throughput") == words


def test_other_rates_and_missing_ones_stay_as_they_are() -> None:
    assert amount_words(26510.0, "1/s", "thread_throughput") == "26.51 k/s"
    assert amount_words(2**20, "bytes/s", "throughput") == "1.0 MiB/s"
    assert amount_words(None, "1/s", "throughput") == ""

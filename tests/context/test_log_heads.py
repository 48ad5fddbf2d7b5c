"""What the heads of logs say of their runs: variables and arguments of a script, comments, lines of CI jobs.

``@`` is a report of wrk. The expected labels are read by eye from the text.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.context.test_between_logs import of_logs, of_page


def of_heads(folder: Path, heads: list[str], *keys: str, name: str = "run{}.log") -> list[tuple[str, ...]]:
    """The labels of the first of two runs of each log; both must have the same ones."""
    logs = {name.format(at): f"{head}\n@\n@\n" for at, head in enumerate(heads, 1)}
    found = of_logs(folder, logs, *keys)
    assert found[::2] == found[1::2]
    return found[::2]


@pytest.mark.parametrize("before", ["", "Running with gitlab-runner 17.1\n"])
@pytest.mark.parametrize(
    "line", ["$ SERVER={} ./bench.sh", "$ ./bench.sh {}", "server: {}", "# server: {}", "+ SERVER={} ./bench.sh"]
)
def test_the_head_of_a_log_names_its_runs(before: str, line: str, tmp_path: Path) -> None:
    names = ["kiwi", "plover", "kiwi", "plover"]
    heads = [before + line.format(name) for name in names]
    assert of_heads(tmp_path / "four", heads, "framework") == [(name,) for name in names]
    assert of_heads(tmp_path / "two", heads[:2], "framework") == [("kiwi",), ("plover",)]


def test_numbers_of_jobs_in_names_of_logs_are_repeats_of_what_their_heads_name(tmp_path: Path) -> None:
    heads = [f"$ SERVER={name} ./bench.sh" for name in ("kiwi", "plover", "kiwi", "plover")]
    found = of_heads(tmp_path / "a", heads, "framework", "file_name", name="job_880{}.log")
    assert found == [("kiwi", ""), ("plover", "")] * 2
    # without such heads nothing says that the jobs are repeats
    assert len(set(of_heads(tmp_path / "b", ["preparing"] * 4, "file_name", name="job_880{}.log"))) == 4


COMMENTS = "# started 2026-11-07 11:0{2}\n# tls: {0}\n# compression: {1}\n# repeat: {2}\n"


@pytest.mark.parametrize(
    "head",
    [
        COMMENTS,
        "# tls: {0}\n# compression: {1}\n",
        "tls: {0}\ncompression: {1}\nrepeat: {2}\n",
        "tls={0}\ncompression={1}\nrepeat={2}\n",
    ],
)
def test_settings_at_the_head_of_logs_keep_their_keys(head: str, tmp_path: Path) -> None:
    settings = [(tls, packed) for tls in ("true", "false") for packed in ("none", "gzip")]
    heads = [head.format(*setting, repeat) for setting in settings for repeat in (1, 2)]
    found = of_heads(tmp_path, heads, "tls", "compression", "framework", "repeat")
    assert found == [(*setting, "", "") for setting in settings for _ in (1, 2)]


@pytest.mark.parametrize("head", [COMMENTS, "# tls: {0}\n# compression: {1}\n"])
def test_comments_above_runs_of_one_log_tell_them_apart(head: str) -> None:
    settings = [(tls, packed) for tls in ("true", "false") for packed in ("none", "gzip")]
    page = "".join(f"{head.format(*setting, repeat)}\n@\n" for setting in settings for repeat in (1, 2))
    found = of_page(page, "tls", "framework", "heading", name="a.log")
    assert found == [(tls, "", packed) for tls, packed in settings for _ in (1, 2)]


def test_a_switch_alone_in_a_title_is_a_setting() -> None:
    page = "".join(f"# {line}\n\n@\n" for line in ("Response cache: on", "Response cache: off"))
    assert of_page(page, "response_cache", "framework") == [("on", ""), ("off", "")]


@pytest.mark.parametrize(
    ("line", "key", "values"),
    [
        ("$ WORKERS={} ./bench.sh", "workers", ("1", "2", "3")),
        ("$ POOL={} ./bench.sh", "pool", ("4", "16", "64")),
        ("$ ./bench.sh {}", "heading", ("4", "16", "64")),
        ("$ bash bench.sh {} kiwi", "heading", ("4", "16", "64")),
        ("allocator: {}", "allocator", ("jemalloc", "mimalloc", "system")),
        ("nginx version: nginx/{}", "framework", ("1.25.1", "1.26.0", "1.27.3")),
    ],
)
def test_logs_with_other_values_at_their_heads_are_no_repeats(
    line: str, key: str, values: tuple[str, ...], tmp_path: Path
) -> None:
    heads = [f"preparing the bench\n{line.format(value)}" for value in values]
    found = [value.rpartition("/")[2] for (value,) in of_heads(tmp_path, heads, key)]
    assert found == list(values)


@pytest.mark.parametrize(
    "line",
    [
        "$ ./bench.sh {0}",  # counts the logs
        "$ N={0} ./bench.sh",
        "iteration: {0}",
        "$ SEED=48{0}3 ./bench.sh",
        "pid: 48{0}3",
        "compiled {0}12 files",
        "built in {0}2s",
        "started: 2026-11-0{0}",
        "on runner-a{0}f93x",
        "visited: 31{0} nodes",
    ],
)
def test_what_identifies_a_log_or_results_from_it_tells_no_runs_apart(line: str, tmp_path: Path) -> None:
    heads = [f"preparing the bench\n{line.format(at)}" for at in (1, 2, 3)]
    keys = ("framework", "heading", "n", "seed", "pid", "iteration", "started", "visited")
    assert set(of_heads(tmp_path, heads, *keys)) == {("",) * len(keys)}


def test_a_head_holds_up_to_the_next_heading_if_it_is_below_one(tmp_path: Path) -> None:
    logs = {
        f"run{at}.log": f"# first\n# server kind: {name}\n\n@\n\n# second\n\n@\n"
        for at, name in enumerate(("kiwi", "plover"))
    }
    found = of_logs(tmp_path, logs, "server_kind")
    assert found == [("kiwi",), ("",), ("plover",), ("",)]


def test_names_of_files_that_tell_the_logs_apart_are_kept(tmp_path: Path) -> None:
    logs = {f"{name}.log": f"$ SERVER={name}d ./bench.sh\n@\n" for name in ("kiwi", "plover")}
    assert of_logs(tmp_path, logs, "framework") == [("kiwi",), ("plover",)]

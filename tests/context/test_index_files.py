"""Labels from files beside the logs: each form in miniature, and tables and lists that are no index."""

from __future__ import annotations

import json
import time
from unittest import mock

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.cases import each_case
from wrkparse.context.index.blocks import index_form, plain_cell
from wrkparse.context.index.headers import is_result, label_key, names_logs
from wrkparse.context.index.labels import IndexFile, index_labels, index_source
from wrkparse.context.index.log_names import Logs, is_identifier
from wrkparse.context.index.reading import read_index
from wrkparse.testing.linear import ATTEMPTS, SLOW

Found = dict[str, dict[str, str]]


def labels(files: dict[str, str], *logs: str) -> Found:
    """The labels by log that files at these paths give, as keys and values."""
    given_files = [IndexFile(path, path, text) for path, text in files.items()]
    found = index_labels(given_files, {log: log for log in logs})
    return {log: {label.key: label.value for label in of_log} for log, of_log in found.labels.items() if of_log}


TWO = {"a1.log": {"framework": "heron", "tls": "on"}, "b2.log": {"framework": "ibis", "tls": "off"}}


@each_case(
    "name, text",
    [
        ("index.csv", "file,server,tls\na1.log,heron,on\nb2.log,ibis,off\n"),
        ("index.csv", "# what is what\nid;Server;TLS\na1;heron;on\nb2;ibis;off\n"),
        ("index.tsv", "log\tserver\ttls\n./a1.log\theron\ton\n./b2.log\tibis\toff\n"),
        ("index.csv", 'file,server,tls\n"a1.log","heron",on\n"b2.log","ibis",off\n'),
        ("README.md", "# Logs\n\n| Log | Server | TLS |\n|-----|:------:|-----|\n| a1.log | heron | on |\n| b2.log | ibis | off |\n"),
        ("README.md", "| TLS | Server | Log |\n|---|---|---|\n| on | **heron** | [first](a1.log) |\n| off | `ibis` | `b2.log` |\n"),
        ("README.md", "Log | Server | TLS\n--- | --- | ---\na1.log | heron | on\nb2.log | ibis | off\n"),
        ("notes.rst", "======  ======  ===\nLog     Server  TLS\n======  ======  ===\na1.log  heron   on\nb2.log  ibis    off\n======  ======  ===\n"),
        ("notes.rst", "+------+------+---+\n|Log   |Server|TLS|\n+======+======+===+\n|a1.log|heron |on |\n+------+------+---+\n|b2.log|ibis  |off|\n+------+------+---+\n"),
        ("notes.adoc", "|===\n|Log |Server |TLS\n\n|a1.log |heron |on\n|b2.log |ibis |off\n|===\n"),
        ("notes.adoc", "|===\n|Log\n|Server\n|TLS\n\n|a1.log\n|heron\n|on\n\n|b2.log\n|ibis\n|off\n|===\n"),
        ("notes.org", "| Log | Server | TLS |\n|-----+--------+-----|\n| a1.log | heron | on |\n| b2.log | ibis | off |\n"),
        ("runs.json", '[{"log": "a1.log", "server": "heron", "tls": "on"},\n {"log": "b2.log", "server": "ibis", "tls": "off"}]'),
        ("runs.json", '{"a1.log": {"server": "heron", "tls": "on"}, "b2.log": {"server": "ibis", "tls": "off"}}'),
        ("runs.json", '{"runs": [{"id": "a1", "server": "heron", "tls": "on"}, {"id": "b2", "server": "ibis", "tls": "off"}]}'),
        ("runs.jsonl", '{"log": "a1.log", "server": "heron", "tls": "on"}\n{"log": "b2.log", "server": "ibis", "tls": "off"}\n'),
        ("runs.yaml", "# of today\nruns:\n  - file: a1.log\n    server: heron\n    tls: on\n  - file: b2.log\n    server: ibis\n    tls: off\n"),
        ("what.yml", "- {log: a1.log, server: heron, tls: on}\n- {log: b2.log, server: ibis, tls: 'off'}\n"),
        ("runs.yml", "a1.log:\n  server: heron\n  tls: on\nb2.log:\n  server: ibis\n  tls: off\n"),
        ("runs.yaml", "study:\n  tests:\n  - id: a1\n    server: heron\n    tls: on\n  - id: b2\n    server: ibis\n    tls: off\n"),
        ("runs.yaml", "usual: &usual\n  tls: on\nruns:\n- <<: *usual\n  log: a1.log\n  server: heron\n- <<: *usual\n  log: b2.log\n  server: ibis\n  tls: off\n"),
        ("runs.yaml", "--- \nfile: a1.log\nserver: heron\ntls: on\n...\n---\n- file: a1.log\n  server: heron\n  tls: on\n- file: b2.log\n  server: ibis\n  tls: off\n"),
        ("runs.yaml", "- server: heron\n  tls: on\n  logs: [a1.log]\n- server: ibis\n  tls: off\n  logs:\n  - b2.log\n"),
        ("runs.json", '[{"server": "heron", "tls": "on", "logs": ["a1.log"]}, {"server": "ibis", "tls": "off", "logs": ["b2.log"]}]'),
        ("索引.csv", "文件,服务器,tls\na1.log,heron,on\nb2.log,ibis,off\n"),
    ],
)  # fmt: skip
def test_a_table_that_names_logs_labels_their_runs(name: str, text: str) -> None:
    assert labels({name: text}, "a1.log", "b2.log") == TWO


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("README.md", "- run1.txt: baseline\n- run2.txt: with arena allocator\n"),
        ("README.md", "* **`run1.txt`** — baseline\n\n* **`run2.txt`** — with arena allocator\n"),
        ("NOTES", "run1  baseline\nrun2  with arena allocator\n"),
        ("notes.txt", "1. run1.txt: baseline\n2. run2.txt: with arena allocator\n   (twice as fast)\n"),
        ("README.md", "run 1: baseline\nrun 2: with arena allocator\n"),
        ("runs.json", '{"run1.txt": "baseline", "run2.txt": "with arena allocator"}'),
        ("logs.yaml", "run1.txt: baseline\nrun2.txt: with arena allocator\n"),
        ("logs.yaml", "runs:\n  baseline: [run1.txt]\n  with arena allocator:\n  - run2.txt\n"),
        ("logs.yaml", "baseline: run1.txt\nwith arena allocator: run2.txt\n"),
        ("README.md", "| Run | Description |\n|---|---|\n| 1 | baseline |\n| 2 | with arena allocator |\n"),
    ],
)
def test_the_description_of_a_log_is_the_framework(name: str, text: str) -> None:
    found = labels({name: text}, "run1.txt", "run2.txt")
    assert found == {"run1.txt": {"framework": "baseline"}, "run2.txt": {"framework": "with arena allocator"}}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("runs.yaml", "heron: {logs: a1.log, tls: on}\nibis: {logs: b2.log, tls: off}\n"),
        ("runs.yaml", "heron: {logs: a1.log, tls: on}\nibis: {logs: [b2.log], tls: off}\n"),
        ("runs.yaml", "runs:\n  heron: {log: out/a1.log, tls: on}\n  ibis: {log: out/b2.log, tls: off}\n"),
        ("runs.json", '{"heron": {"logs": "a1.log", "tls": "on"}, "ibis": {"logs": "b2.log", "tls": "off"}}'),
        ("runs.yaml", "- {log: a1.log, server: heron, tls: on}\n---\n- {log: b2.log, server: ibis, tls: off}\n"),
        ("runs.yaml", "log: a1.log\nserver: heron\ntls: on\n---\nlog: b2.log\nserver: ibis\ntls: off\n"),
        ("runs.yaml", "---\na1.log: {server: heron, tls: on}\n---\nb2.log: {server: ibis, tls: off}\n...\n"),
    ],
)
def test_one_name_in_place_of_a_list_and_a_document_for_each_log_label_runs(name: str, text: str) -> None:
    logs = (
        {"a1.log": "out/a1.log", "b2.log": "out/b2.log"} if "out/" in text else {"a1.log": "a1.log", "b2.log": "b2.log"}
    )
    found = index_labels([IndexFile(name, name, text)], logs)
    assert {log: {label.key: label.value for label in labels} for log, labels in found.labels.items()} == TWO
    assert all(len({label.key for label in labels}) == len(labels) for labels in found.labels.values())
    assert found.mistakes == {}


def test_a_file_that_a_log_s_object_names_is_not_the_log() -> None:
    text = "a1.log: {output: b2.log, server: heron}\nb2.log: {output: a1.log, server: ibis}\n"
    assert labels({"runs.yaml": text}, "a1.log", "b2.log") == {
        "a1.log": {"framework": "heron"},
        "b2.log": {"framework": "ibis"},
    }


def test_keys_beside_a_list_hold_for_all_its_logs_and_those_of_a_log_win() -> None:
    text = "threads: 4\nport: 8080\nauthor: ann\nruns:\n- file: a1.log\n  server: heron\n- file: b2.log\n  server: ibis\n  thread: 8\n"
    found = labels({"runs.yaml": text}, "a1.log", "b2.log")
    assert found == {"a1.log": {"framework": "heron", "threads": "4"}, "b2.log": {"framework": "ibis", "threads": "8"}}


def test_a_row_of_yaml_has_its_line_and_its_text() -> None:
    text = "# what\nruns:\n  - file: a1.log\n    server: heron\n  - file: b2.log\n    server: ibis\n"
    found = index_labels([IndexFile("r.yaml", "r.yaml", text)], {"a1.log": "a1.log", "b2.log": "b2.log"}).labels
    assert found["b2.log"][0].line == 5
    assert found["b2.log"][0].text == "r.yaml:5: - file: b2.log server: ibis"
    text = "a1.log:\n  server: heron\nb2.log:\n  server: ibis\n"
    found = index_labels([IndexFile("r.yaml", "r.yaml", text)], {"a1.log": "a1.log", "b2.log": "b2.log"}).labels
    assert found["b2.log"][0].text == "r.yaml:3: b2.log: server: ibis"


def test_aliases_that_copy_without_end_give_nothing() -> None:
    keys = "".join(f"  k{number}: 1\n" for number in range(2000))
    text = f"all: &all\n  log: a1.log\n{keys}runs:\n" + "- <<: *all\n  server: x\n" * 2000
    assert labels({"runs.yaml": text}, "a1.log", "b2.log") == {}


@pytest.mark.parametrize(("values", "key"), [("traefik, wader", "framework"), ("egret, wader", "gateway")])
def test_a_column_that_has_a_known_name_is_the_framework(values: str, key: str) -> None:
    first, second = values.split(", ")
    text = f"file,gateway,tls\na1.log,{first} 2.10,on\nb2.log,{second},off\n"
    found = labels({"index.csv": text}, "a1.log", "b2.log")
    assert found == {"a1.log": {key: f"{first} 2.10", "tls": "on"}, "b2.log": {key: second, "tls": "off"}}


def test_a_description_of_settings_is_no_name() -> None:
    text = "- x1.log: 64 connections\n- x2.log: heron, 4 workers\n- x3.log: connections=16, workers=2\n"
    assert labels({"README.md": text}, "x1.log", "x2.log", "x3.log") == {
        "x1.log": {"connections": "64"},
        "x2.log": {"framework": "heron", "workers": "4"},
        "x3.log": {"connections": "16", "workers": "2"},
    }


def test_a_sentence_about_a_log_names_nothing() -> None:
    text = "- x1.log: this one was made while the backup job was running, so do not use it.\n- x2.log: heron\n"
    assert labels({"README.md": text}, "x1.log", "x2.log") == {"x2.log": {"framework": "heron"}}


def test_a_log_with_a_known_name_is_described_not_named() -> None:
    text = "- nginx.txt: default build\n- caddy.txt: no compression, 4 workers\n"
    assert labels({"README.md": text}, "nginx.txt", "caddy.txt") == {"caddy.txt": {"workers": "4"}}


def test_a_list_without_suffixes_may_describe_servers_and_names_no_log_that_has_a_name() -> None:
    text = "- heron: small and fast, 2 workers\n- ibis: the same in Zig\n"
    assert labels({"README.md": text}, "heron.txt", "ibis.txt") == {"heron.txt": {"workers": "2"}}


@pytest.mark.parametrize(
    "text",
    [
        "runs 1-3: no cache\nruns 4-6: cache on\n",
        "- run 1 to 3: no cache\n- run 4 to 6: cache on\n",
        "- runs 1, 2 and 3: no cache\n- run4.txt, run5.txt, run6.txt: cache on\n",
        "- run1.txt - run3.txt: no cache\n- run4..run6: cache on\n",
        "| Runs | What |\n|---|---|\n| 1–3 | no cache |\n| 4–6 | cache on |\n",
    ],
)
def test_a_range_names_each_of_its_logs(text: str) -> None:
    logs = [f"run{number}.txt" for number in range(1, 7)]
    names = ["no cache"] * 3 + ["cache on"] * 3
    assert labels({"README.md": text}, *logs) == {
        log: {"framework": name} for log, name in zip(logs, names, strict=True)
    }


def test_a_range_with_a_gap_names_no_log() -> None:
    assert labels({"README.md": "runs 1-3: no cache\nruns 4-5: cache on\n"}, "run1.txt", "run3.txt") == {}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("meta.json", '{"server": "%s", "conns": 64, "tags": ["x"], "started": "2026-11-20T08:00:00Z"}'),
        ("meta.yaml", "# of this folder\nserver: %s\nconns: 64  # each\nnested:\n  threads: 2\n"),
        ("params.env", "export SERVER=%s\nCONNS='64'\n"),
        ("settings.toml", 'server = "%s"\nconns = 64\n[client]\nthreads = 2\n'),
    ],
)
def test_settings_of_a_folder_hold_for_all_its_logs(name: str, text: str) -> None:
    logs = ("k/one.txt", "k/two.txt", "deep/er/one.txt", "other.txt")
    found = labels({f"k/{name}": text % "heron", f"deep/{name}": text % "ibis"}, *logs)
    heron, ibis = ({"framework": server, "connections": "64"} for server in ("heron", "ibis"))
    assert found == {"k/one.txt": heron, "k/two.txt": heron, "deep/er/one.txt": ibis}


def test_keys_of_a_folder_that_no_list_knows_count_where_other_folders_differ() -> None:
    files = {"a/config.json": '{"engine": "lsm", "loglevel": 3}', "b/config.json": '{"engine": "btree", "loglevel": 3}'}
    found = labels(files, "a/1.log", "b/1.log")
    assert found == {"a/1.log": {"framework": "lsm"}, "b/1.log": {"framework": "btree"}}
    assert labels({"config.json": '{"port": 8080, "loglevel": "info", "name": "svc"}'}, "1.log") == {}


@pytest.mark.parametrize(
    "server", ["0.0.0.0:8080", "localhost", "http://10.0.1.70/", "10.0.1.70", "/srv/www", "true", "8080"]
)
def test_the_address_of_a_server_is_not_its_name(server: str) -> None:
    assert labels({"config.json": json.dumps({"server": server, "workers": 4})}, "1.log") == {"1.log": {"workers": "4"}}


def test_the_row_of_a_log_comes_behind_the_settings_of_its_folder() -> None:
    files = {"meta.json": '{"connections": 8}', "runs.csv": "file,connections\na1.log,64\nb2.log,\n"}
    assert labels(files, "a1.log", "b2.log") == {"a1.log": {"connections": "64"}, "b2.log": {"connections": "8"}}


@each_case(
    "name, text",
    [
        # results of servers whose logs have their names
        ("README.md", "| Server | Requests/sec | p99 |\n|---|---|---|\n| heron | 40120 | 1.2ms |\n| ibis | 38011 | 2.0ms |\n"),
        ("README.md", "| Variant | Score | Language |\n|---|---|---|\n| heron | 41.2 | x |\n| ibis | 38.0 | y |\n"),
        ("summary.csv", "server,lang,rps\nheron,x,101k\nibis,y,127k\n"),
        ("README.md", "| Name | Written in |\n|---|---|\n| heron | x |\n| ibis | y |\n"),
        # steps, not logs
        ("README.md", "| # | Step |\n|---|---|\n| 1 | build |\n| 2 | load |\n"),
        ("README.md", "1: build it\n2: load it\n"),
        # files of which most are no logs
        ("README.md", "- main.c: the server\n- run.sh: starts it\n- heron.txt: output\n- ibis.txt: output again\n"),
        ("README.md", "| File | Purpose |\n|---|---|\n| main.c | server |\n| run.sh | script |\n| heron.txt | output |\n"),
        # one file of several logs
        ("README.md", "- heron.txt: all results\n"),
        ("CHANGELOG.md", "# Changes\n\n- 1.2: faster\n- 1.1: fixed: leak\n- heron: renamed\n"),
        ("package.json", '{"name": "bench", "version": "1.0.0", "main": "index.js"}'),
        ("tsconfig.json", '{"files": ["heron.ts"], "compilerOptions": {"target": "es2022", "module": "none"}}'),
        ("notes.md", "heron: the first\n\nA paragraph.\n\nibis: the second\n"),
        ("words.txt", "- heron.txt: one\n- ibis.txt: two\n"),
        ("runs.jsonl", '{"file": "1.txt", "server": NaN}\n{"file": "2.txt", "server": Infinity}\n'),
        # settings of other programs, and files of tasks
        ("deploy.yaml", "kind: Deployment\nspec:\n  containers:\n  - name: heron\n    image: reg/heron:1\n  - name: sidecar\n    image: x\n  - name: log\n"),
        ("ci.yml", "jobs:\n  heron: {steps: [checkout, build]}\n  lint: {steps: [checkout]}\n  test: {steps: [x]}\n"),
        ("plan.yaml", "- file: heron.txt\n  owner: ann\n- file: ibis.txt\n  owner: bo\n"),
        ("broken.yaml", "runs: [\n- file: heron.txt\n  server: x\n"),
        # what is said of the logs themselves
        ("README.md", "- 1.txt: raw output of wrk\n- 2.txt: raw output of wrk\n"),
        ("README.md", "- `1.txt` - Monday morning\n- `2.txt` - broken, ignore\n"),
        ("TODO.md", "| File | Assignee | Priority |\n|---|---|---|\n| 1.txt | ann | high |\n| 2.txt | bo | low |\n"),
        ("ls.csv", "file,owner,modified,temp\n1.txt,ann,yesterday,55\n2.txt,bo,today,57\n"),
    ],
)  # fmt: skip
def test_innocent_tables_and_lists_give_no_labels(name: str, text: str) -> None:
    assert labels({name: text}, "heron.txt", "ibis.txt", "1.txt", "2.txt") == {}


def test_results_beside_the_settings_of_a_log_are_no_labels() -> None:
    text = (
        "| File | Server | Conns. | Req/s | p99 | Errors | Speed | Date | Notes | CPU |\n|---|---|---|---|---|---|---|---|---|---|\n"
        "| a1.log | heron | 64 | 41,200 | 1.2 ms | 0 | 3.5 | 2026-11-20 | fine | 85% |\n"
        "| b2.log | ibis | 128 | 38,100 | 2.0 ms | 3 | 4.25 | 2026-11-21 | noisy | 91.5% |\n"
    )
    found = labels({"README.md": text}, "a1.log", "b2.log")
    assert found == {
        "a1.log": {"framework": "heron", "connections": "64"},
        "b2.log": {"framework": "ibis", "connections": "128"},
    }


def test_rows_that_disagree_about_a_log_give_it_neither_value() -> None:
    text = "file,server,tls\na1.log,heron,on\na1.log,ibis,on\nb2.log,ibis,off\n"
    found = labels({"index.csv": text}, "a1.log", "b2.log")
    assert found == {"a1.log": {"tls": "on"}, "b2.log": {"framework": "ibis", "tls": "off"}}


def test_a_name_in_two_folders_counts_in_that_of_the_index() -> None:
    text = "file,server\na1.log,heron\nb2.log,ibis\n"
    found = labels({"x/index.csv": text}, "x/a1.log", "x/old/a1.log", "y/b2.log", "x/logs/b2.log")
    assert found == {"x/a1.log": {"framework": "heron"}, "x/logs/b2.log": {"framework": "ibis"}}
    assert labels({"index.csv": text}, "x/a1.log", "y/a1.log", "b2.log", "c.log") == {}


def test_a_row_names_a_log_by_its_path_too() -> None:
    text = "file,server\nlogs/a1.log,heron\n../other/b2.log,ibis\n"
    assert labels({"x/index.csv": text}, "x/logs/a1.log", "x/a1.log", "other/b2.log", "x/b2.log.gz") == {
        "x/logs/a1.log": {"framework": "heron"},
        "other/b2.log": {"framework": "ibis"},
    }


def test_a_packed_log_is_named_without_the_suffix_of_its_archive() -> None:
    text = "file,server\na1.log,heron\nb2,ibis\n"
    found = labels({"index.csv": text}, "a1.log.gz", "b2.log.zst")
    assert found == {"a1.log.gz": {"framework": "heron"}, "b2.log.zst": {"framework": "ibis"}}


def test_one_row_is_enough_for_the_only_log() -> None:
    assert labels({"README.md": "- a1.log: heron\n"}, "a1.log") == {"a1.log": {"framework": "heron"}}


def test_the_text_of_a_label_is_its_row_with_file_and_line() -> None:
    files = [
        IndexFile("x: y/README.md", "x/README.md", "| Log | Server |\n|---|---|\n| a1.log |  heron |\n| b2.log | ibis |\n"),
        IndexFile("x/runs.json", "x/runs.json", '[\n  {"log": "a1.log",\n   "tls": "on"},\n  {"log": "b2.log", "tls": "off"}\n]\n'),
    ]  # fmt: skip
    first, second = index_labels(files, {"a": "x/a1.log", "b": "x/b2.log"}).labels["a"]
    assert (first.origin, first.line, first.text) == ("index", 3, "x: y/README.md:3: | a1.log | heron |")
    assert index_source(first) == "x: y/README.md"
    assert (second.line, second.text) == (2, 'x/runs.json:2: {"log": "a1.log", "tls": "on"}')


@each_case(
    "header, key",
    [
        ("Server", "framework"), ("conns", "connections"), ("Conns.", "connections"), ("Concurrency", "connections"),
        ("Number of connections", "connections"), ("服务器", "framework"), ("Duration (s)", "duration_s"), ("TLS", "tls"),
        ("HTTP version", "version"), ("keep alive", "keep_alive"), ("numThreads", "threads"), ("GC mode", "gc_mode"),
        ("Requests/sec", ""), ("RPS", ""), ("p99", ""), ("p99 (ms)", ""), ("Latency avg", ""), ("errors", ""), ("Notes", ""),
        ("comment", ""), ("Date", ""), ("started", ""), ("run", ""), ("tool", ""), ("section", ""), ("", ""), ("模式 甲", ""),
        ("throughput", ""), ("max_rss", ""), ("2nd", ""),
    ],
)  # fmt: skip
def test_the_key_of_a_header(header: str, key: str) -> None:
    assert label_key(header) == key


def test_headers_of_results_and_of_logs() -> None:
    assert is_result("Transfer/sec")
    assert not is_result("Connections")
    assert names_logs("Log file")
    assert names_logs("#")
    assert not names_logs("Server name")


@pytest.mark.parametrize(
    ("name", "identifier"),
    [("01", True), ("run4", True), ("run_004", True), ("8072f215", True), ("20261120", True), ("test-3", True),
     ("123e4567-e89b-12d3-a456-426614174000", True), ("opt1", False), ("heron", False), ("facade", False), ("c64", False),
     ("", False)],
)  # fmt: skip
def test_identifiers_say_nothing_to_people(name: str, identifier: bool) -> None:
    assert is_identifier(name) is identifier


def test_which_files_are_looked_at() -> None:
    pages = (
        "README",
        "README.md",
        "Notes.TXT",
        "a/b.rst",
        "index.csv.gz",
        "x.jsonl",
        "meta.yml",
        "r.yaml",
        "params.env",
    )
    assert all(map(index_form, pages))
    assert not any(
        map(
            index_form,
            ("a.log", "wrkparse.yaml", "words.txt", "server.go", "nginx.conf", "docker-compose.yml", ".md.swp", ""),
        )
    )


def test_numbers_of_logs_need_the_same_word() -> None:
    logs = Logs({"run1": "run1.log", "run2": "run02.log", "test1": "test1.log", "opt1": "opt1.log"})
    assert logs.find("run 2", "").sources == ("run2",)
    assert logs.find("run 1", "").sources == ("run1",)
    assert logs.find("opt-1", "").sources == ("opt1",)
    assert logs.find("opt 2", "").sources == ()
    assert logs.find("runs 1-9999999999", "").sources == ()


def test_a_name_without_its_suffix_is_that_of_the_log_in_the_folder_of_the_index() -> None:
    logs = Logs({path: path for path in ("kiwi.log", "old/kiwi.log", "x/emu.log", "x/old/emu.log", "y/z/plover.log")})
    assert logs.find("kiwi", "").sources == ("kiwi.log",)
    assert logs.find("emu", "x").sources == ("x/emu.log",)
    assert logs.find("plover", "y").sources == ("y/z/plover.log",)
    assert logs.find("emu", "").sources == ()  # either of two, both in other folders


def test_a_name_with_another_suffix_is_that_of_another_file() -> None:
    logs = Logs({"kiwi": "kiwi.log"})
    assert logs.find("kiwi.csv", "").sources == ()
    assert logs.find("kiwi", "").sources == ("kiwi",)


def test_three_numbers_with_dashes_are_no_range() -> None:
    logs = Logs({f"{number}.log": f"{number}.log" for number in range(1, 6)})
    assert logs.find("1-2-5", "").sources == ()
    assert logs.find("4-5", "").sources == ("4.log", "5.log")


def test_the_first_row_of_a_table_without_a_header_is_no_header() -> None:
    border = "======  ======"
    first = [border, "a1.log  heron", "b2.log  ibis", "c3.log  egret", border]
    second = [border, "d4.log  kiwi", "e5.log  emu", "f6.log  plover", border]
    found = labels(
        {"notes.rst": "\n".join([*first, "", *second, ""])}, *(f"{log}.log" for log in "a1 b2 c3 d4 e5 f6".split())
    )
    assert found == {
        "a1.log": {"framework": "heron"},
        "b2.log": {"framework": "ibis"},
        "c3.log": {"framework": "egret"},
        "d4.log": {"framework": "kiwi"},
        "e5.log": {"framework": "emu"},
        "f6.log": {"framework": "plover"},
    }


def test_type_is_taken_off_cells() -> None:
    assert plain_cell(" **`a1.log`** ") == "a1.log"
    assert plain_cell("[the first](logs/a1.log)") == "the first"
    assert plain_cell(":file:`a1.log`") == "a1.log"


PIECES = st.sampled_from(
    ["| ", "|---|", "\n", "a1.log", ",", "\t", '"', "{", "}", "[", "]", ":", "- ", "run 1-3", "|===\n", "=== ===\n", "  ", "—",
     '{"log": "a1.log"}', "\x00", "\r", "\\|", "](", "[x](a1.log)", "server", "%", "1e999", "NaN", "\u2028", "+--+"]
)  # fmt: skip


@given(
    st.sampled_from(["README.md", "x.csv", "x.tsv", "r.rst", "a.adoc", "m.json", "meta.json", "x.jsonl", "meta.yaml", "r.yaml", "p.env"]),
    st.lists(PIECES | st.text(max_size=10), max_size=60).map("".join),
)  # fmt: skip
@example("x.csv", '"' + "a" * 200_000)
@example("meta.json", "[" * 100_000)
@example("meta.json", '{"a":' * 100_000)
@example("meta.json", '{"log": "\\ud800", "x": 1e999, "y": 1' + "0" * 5000 + "}")
@example("r.yaml", "[" * 100_000)
@example("r.yaml", "- " * 1000 + "a1.log: x")
@example("r.yaml", "? [a]\n: b\n*x : 1\n")
@example("a.adoc", "|===\n|===\n|===\n|\n|===")
@example("README.md", "|\n|-|\n|")
def test_any_text_gives_rows_or_none(name: str, text: str) -> None:
    for block in read_index(name, text).blocks:
        assert block.rows
        assert all(len(row.cells) == len(block.header) for row in block.rows)
    found = index_labels([IndexFile(name, name, text)], {"a1.log": "a1.log", "run2": "run2.txt"})
    for label in (label for of_log in found.labels.values() for label in of_log):
        assert label.origin == "index"
        assert index_source(label) == name
        assert label.line is not None
        assert 1 <= label.line <= len(text.splitlines()) + 1


@pytest.mark.parametrize(
    ("name", "unit"),
    [("x.adoc", "|===\n"), ("x.adoc", "\n"), ("x.md", "|a|b|\n|-|-|\n"), ("x.md", "- a1.log: b\n"), ("x.md", "run 1, "),
     ("x.csv", "a1.log,b\n"), ("x.csv", '"'), ("x.rst", "== ==\n"), ("x.json", '{"a1.log":'), ("x.jsonl", '{"log": "a1.log"}\n'),
     ("meta.yaml", "server: x\n"), ("r.yaml", "- file: a1.log\n  server: x\n"), ("r.yaml", "a1.log: [b]\n"), ("r.yaml", "- "), ("x.md", "[a](b"), ("x.md", "a1.log  ")],
)  # fmt: skip
def test_no_index_is_slow_to_read(name: str, unit: str) -> None:
    def cost(count: int) -> float:
        started = time.process_time()
        text = "|===\n" + unit * count + "\n|===\n" if name == "x.adoc" else unit * count
        index_labels([IndexFile(name, name, text)], {"a1.log": "a1.log", "run2": "run2.txt"})
        return time.process_time() - started

    assert any(cost(8_000) < SLOW * max(cost(1_000), 0.005) for _ in range(ATTEMPTS))


def test_ranges_in_many_rows_are_bounded() -> None:
    """Rows that name each log again and again are no index."""
    text = "file,server\n" + "1-200,heron\n" * 2000
    logs = {f"{number}.log": f"{number}.log" for number in range(1, 201)}
    assert index_labels([IndexFile("x.csv", "x.csv", text)], logs).labels == {}
    once = "file,server\n1-100,heron\n101-200,ibis\n"
    assert len(index_labels([IndexFile("x.csv", "x.csv", once)], logs).labels) == 200


def test_an_object_with_many_keys_is_bounded() -> None:
    text = json.dumps([{f"k{number}": number, "log": "a1.log"} for number in range(3000)])
    assert read_index("x.json", text).blocks == []


def test_what_aliases_name_is_looked_at_once() -> None:
    """Three levels of 200 aliases each: 8 million objects, if each were followed."""
    keys = range(200)
    levels = ["l3: &l3 {%s}", "l2: &l2 {%s}", "l1: {%s}"]
    values = ["{}", "*l3", "*l2"]
    text = "\n".join(
        level % ", ".join(f"k{key}: {value}" for key in keys) for level, value in zip(levels, values, strict=True)
    )
    with mock.patch("wrkparse.context.index.objects._table_of_objects", return_value=iter(())) as looked:
        read_index("x.yaml", text)
    assert looked.call_count < 10 * len(keys)

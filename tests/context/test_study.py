"""``wrkparse.yaml``: what a rule applies to, and what is said of every mistake, where it stands."""

import contextlib
import datetime as dt
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wrkparse.context.study import Study, StudyError, matches
from wrkparse.context.study_file import StudyFinder, read_study
from wrkparse.model.records import Label


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "hello").mkdir()
    return tmp_path / "hello" / "wrkparse.yaml"


def study(file: Path, text: str) -> Study:
    file.write_text(text, encoding="utf-8")
    return read_study(file)


def mistakes(file: Path, text: str | bytes) -> list[tuple[int | None, str]]:
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(StudyError) as caught:
        read_study(file)
    assert all(
        (found.source, found.severity, found.code) == (str(file), "error", "bad-study")
        for found in caught.value.diagnostics
    )
    return [(found.line, found.message) for found in caught.value.diagnostics]


class TestMatches:
    @pytest.mark.parametrize(
        ("fact", "choice"),
        [
            ("nginx", "nginx"),
            ("1000", "1e3"),
            ("1000", "1000.0"),
            ("+5", "5"),
            ("171", "171-214"),
            ("214", "171-214"),
            ("200", "171-"),
            ("3", "-214"),
            ("0.5", "0.25-0.75"),
            ("-3", "-5-0"),
            ("Go 1.4.2 Basic", "*Go 1.4.2*"),
            ("/1k", "/?k"),
            ("c", "[a-c]"),
            ("*", "*"),
            ("171", "171 - 214"),
        ],
    )
    def test_yes(self, fact, choice):
        assert matches(fact, choice)

    @pytest.mark.parametrize(
        ("fact", "choice"),
        [
            ("nginx", "Nginx"),
            ("nginx", "ngin"),
            ("170", "171-214"),
            ("215", "171-214"),
            ("171x", "171-214"),
            ("5", "-"),
            ("", "*?"),
            ("nan", "0-5"),
            ("inf", "5-"),
            ("1_0", "10"),
            ("nginx", "a-z"),
            ("1", "2-1"),
            ("Basic", "*basic"),
        ],
    )
    def test_no(self, fact, choice):
        assert not matches(fact, choice)

    @given(st.text(max_size=30), st.text(max_size=30))
    def test_any_text_gives_an_answer(self, fact, choice):
        assert matches(fact, choice) in (True, False)
        assert matches(fact, fact)

    @given(st.integers(0, 10**9), st.integers(0, 10**9), st.integers(0, 10**9))
    def test_a_range_holds_what_lies_between_its_ends(self, low, value, high):
        assert matches(str(value), f"{low}-{high}") is (low <= value <= high or f"{low}-{high}" == str(value))

    @pytest.mark.parametrize("choice", ["*a" * 500 + "b", "-" * 10**5, "9" * 10**5 + "-"])
    def test_a_wild_choice_is_tried_at_once(self, choice):
        assert not matches("a" * 3000, choice)


class TestRules:
    def test_all_conditions_must_hold_and_one_choice_of_each(self, file):
        read_study = study(file, "labels:\n- when: {port: [8080, 8081], tool: wrk}\n  set: {framework: nuster}\n")
        assert list(read_study.labels({"port": "8081", "tool": "wrk"})) == [
            Label("framework", "nuster", "file", 2, rule="rule")
        ]
        assert list(read_study.labels({"port": "8082", "tool": "wrk"})) == []
        assert list(read_study.labels({"port": "8080", "tool": "ab"})) == []
        assert list(read_study.labels({"tool": "wrk"})) == []

    def test_without_a_condition_it_always_applies(self, file):
        assert [label.value for label in study(file, "labels: [{set: {cores: 36}}]").labels({})] == ["36"]

    def test_a_rule_sees_what_those_before_it_set(self, file):
        text = (
            "labels:\n  - set: {framework: go}\n  - when: {framework: go}\n    set: {cores: 4}\n"
            "  - set: {framework: rust}\n"
        )
        assert [(found.key, found.value, found.line) for found in study(file, text).labels({})] == [
            ("framework", "go", 2),
            ("cores", "4", 3),
            ("framework", "rust", 5),
        ]

    def test_values_stay_as_they_are_written(self, file):
        text = (
            "labels: [{when: {gogc: off}, set: {gogc: off, go_version: 1.10, tls: yes, day: 2017-11-05, cores: 036}}]"
        )
        (rule,) = study(file, text).rules
        assert rule.when == {"gogc": ("off",)}
        assert rule.set == {"gogc": "off", "go_version": "1.10", "tls": "yes", "day": "2017-11-05", "cores": "036"}


class TestReading:
    def test_the_row_holds_title_and_description(self, file):
        text = "title: Two caches\nabout:\n  date: 2017-11-05\n  nic_bits_per_s: 1.0e+9\n  names: [a, {b: null}]\n"
        found = study(file, text)
        assert (found.name, found.title) == ("hello", "Two caches")
        assert found.about == {"date": dt.date(2017, 11, 5), "nic_bits_per_s": 1e9, "names": ["a", {"b": None}]}
        name, source, title, about, tables, claims = found.row()
        assert (name, source, title) == ("hello", str(file), "Two caches")
        assert (json.loads(tables), json.loads(claims)) == ([], [])
        assert json.loads(about) == {"date": "2017-11-05", "nic_bits_per_s": 1e9, "names": ["a", {"b": None}]}

    @pytest.mark.parametrize("text", ["", "# nothing\n", "labels:\ntables:\nabout:\n", "\ufeff"])
    def test_what_says_nothing_is_no_mistake(self, file, text):
        found = study(file, text)
        assert (found.title, found.about, found.rules, found.tables) == (None, {}, (), ())

    def test_tables(self, file):
        text = (
            "tables:\n- {file: a.csv, rows: path, columns: [framework, cores], metric: throughput, print: floor,\n"
            "   where: {network: lo, cores: 1}}"
        )
        assert study(file, text).tables == (
            {
                "file": "a.csv",
                "rows": ["path"],
                "columns": ["framework", "cores"],
                "metric": "throughput",
                "print": "floor",
                "where": {"network": "lo", "cores": 1},
            },
        )

    def test_claims(self, file):
        text = (
            "claims:\n- {claim: thrice, metric: throughput, of: {framework: [a, b], cores: 1}, against: {framework: c},\n"
            "   by: path, says: > 3, tolerance: 0.1, where: {connections: 8-32}}"
        )
        (claim,) = study(file, text.replace("says: > 3", "says: '> 3'")).claims
        assert claim == {
            "claim": "thrice",
            "metric": "throughput",
            "of": {"framework": ["a", "b"], "cores": ["1"]},
            "against": {"framework": ["c"]},
            "by": ["path"],
            "says": "> 3",
            "tolerance": "0.1",
            "where": {"connections": ["8-32"]},
        }

    @pytest.mark.parametrize("sayer", ["page", "us"])
    def test_a_claim_states_who_makes_it(self, file, sayer):
        text = "claims:\n- {claim: a, said_by: %s, metric: b, of: {c: d}, against: {c: e}, says: 1}"
        assert study(file, text % sayer).claims[0]["said_by"] == sayer

    def test_the_digest_is_of_the_text(self, file):
        first = study(file, "title: a").digest
        assert study(file, "title: b").digest != first
        assert study(file, "title: a").digest == first


CLAIM = "claims:\n- {claim: a, metric: b, of: {c: d}, against: {c: e}, says: %s}"


class TestMistakes:
    @pytest.mark.parametrize(
        ("text", "line", "said"),
        [
            ("tittle: x", 1, "unknown key 'tittle' in the file; allowed: title, about, labels, tables"),
            ("title: x\ntitle: y", 2, "'title' is given twice"),
            ("about:\n  cpu: a\n  cpu: b", 3, "'cpu' is given twice"),
            ("about: {x: {y: 1, y: 2}}", 1, "'y' is given twice"),
            ("- a\n- b", 1, "the file must be a mapping (key: value)"),
            ("just text", 1, "the file must be a mapping"),
            ("title: [a]", 1, "title needs a value"),
            ("title:", 1, "title needs a value"),
            ("about: [a]", 1, "about must be a mapping"),
            ("about: {[a]: b}", 1, "a key of about must be a word"),
            ("labels: {when: x}", 1, "labels must be a list (lines that begin with '- ')"),
            ("labels:\n- cores", 2, "an entry of labels must be a mapping"),
            ("labels:\n- when: {a: b}", 2, "an entry of labels needs 'set'"),
            ("labels:\n- set:", 2, "an entry of labels needs 'set'"),
            ("labels:\n- wen: {a: b}\n  set: {c: d}", 2, "unknown key 'wen' in an entry of labels; allowed: when, set"),
            ("labels:\n- when: {a: []}\n  set: {c: d}", 2, "a has an empty list"),
            ("labels:\n- when: {a: {b: c}}\n  set: {c: d}", 2, "a needs a value"),
            ("labels:\n- when: {a: }\n  set: {c: d}", 2, "a needs a value"),
            ("labels:\n- set:\n    a-b: c", 3, "label key 'a-b': letters, digits and '_' only"),
            ("labels:\n- set: {run: c}", 2, "label key 'run' is a column of the table runs already"),
            ("labels:\n- set: {Source: c}", 2, "label key 'Source' is a column of the table runs already"),
            ("labels:\n- set: {cores: many}", 2, "cores is 'many'; it must be a number"),
            ("labels:\n- set: {cores: 1.5}", 2, "cores is '1.5'; it must be a number"),
            ("labels:\n- set: {payload_bytes: 1k}", 2, "payload_bytes is '1k'; it must be a number, without a unit"),
            ("labels:\n- set: {c: [1, 2]}", 2, "c needs a value"),
            ("tables: [{file: a}]", 1, "an entry of tables without 'rows'"),
            ("tables:\n- a", 2, "an entry of tables must be a mapping"),
            ("tables:\n- {file: [a], rows: a, columns: b, metric: c}", 2, "file needs a value"),
            ("tables:\n- {file: a, rows: a, columns: {}, metric: c}", 2, "columns needs a value"),
            (
                "tables:\n- {file: a, rows: a, columns: b, metric: c,\n   print: ceiling}",
                3,
                "print is 'ceiling'; one of floor, round, ceil, exact",
            ),
            (
                "tables:\n- {file: a, rows: a, columns: b, metric: c, when: x}",
                2,
                "unknown key 'when' in an entry of tables; allowed: file, rows",
            ),
            ("claims: [{claim: a}]", 1, "an entry of claims without 'against'"),
            ("claims:\n- a", 2, "an entry of claims must be a mapping"),
            (CLAIM % "about 3", 2, "says is 'about 3'; a ratio: 3 (about that much), '> 1' or '< 0.5'"),
            (CLAIM % "0", 2, "says is '0'; a ratio"),
            (CLAIM % "[1]", 2, "says needs a value"),
            (CLAIM % "1, tolerance: 20%", 2, "tolerance is '20%'; a share of the ratio, from 0 to 1"),
            (CLAIM % "1,\n   said_by: me", 3, "said_by is 'me'; one of page, us"),
            (CLAIM % "1, said_by: [us]", 2, "said_by needs a value"),
            (CLAIM % "1, stat: mean", 2, "unknown key 'stat' in an entry of claims; allowed: claim, said_by, metric"),
            ("title: a\n\tb: c", 2, "not YAML: found character '\\t'"),
            ("title: 'a", 1, "not YAML: found unexpected end of stream"),
            ("a: b\n---\nc: d", 2, "not YAML: but found another document"),
            ("about: &x {a: 1}\ntitle: *x", 2, "aliases (*name) are not read; write the value out"),
            (
                "title: x\nabout: {x: !!python/object/apply:os.system [ls]}",
                2,
                "the tag '!!python/object/apply:os.system' is not read",
            ),
            ("labels:\n- set: {a: !!python/name:os.system x}", 2, "the tag '!!python/name:os.system' is not read"),
            ("about: !mine x", 1, "the tag '!mine' is not read"),
            ("about: {x: !!binary aGk=}", 1, "the tag '!!binary' is not read"),
            ("title: x\nabout: {day: 2015-02-30}", 2, "'2015-02-30' can't be read: day"),
            ("a: " + "[" * 40 + "]" * 40, 1, "nested deeper than 30 levels"),
            ("a: " + "[" * 100_000, 1, "nested deeper than 30 levels"),
            ("title: a\x01b", 1, "not YAML: the character U+0001 is not allowed"),
            (b"title: a\nabout: {x: \xff}", 2, "not UTF-8"),
            (b"#" * (1 << 20) + b"\n", None, "larger than 1 MiB"),
        ],
    )
    def test_each_is_named_with_its_line(self, file, text, line, said):
        found = mistakes(file, text)
        assert any(at == line and said in message for at, message in found), found

    def test_all_are_told_at_once(self, file):
        assert [line for line, _ in mistakes(file, "titel: x\nlabels:\n- sett: {a: b}\n- set: {run: x}\n")] == [1, 3, 4]

    def test_it_reads_as_editors_want_it(self, file):
        file.write_text("titel: x\n")
        with pytest.raises(StudyError) as caught:
            read_study(file)
        assert str(caught.value).startswith(f"{file}:1: error: unknown key 'titel'")

    def test_a_missing_file_is_one(self, tmp_path):
        with pytest.raises(StudyError, match="can't be read: No such file"):
            read_study(tmp_path / "wrkparse.yaml")

    def test_nothing_is_executed(self, file, tmp_path):
        made = tmp_path / "made"
        mistakes(file, f"about: {{x: !!python/object/apply:os.mkdir [{made}]}}")
        assert not made.exists()

    @given(st.text(max_size=80))
    def test_any_text_is_a_study_or_mistakes(self, tmp_path_factory, text):
        file = tmp_path_factory.mktemp("any") / "wrkparse.yaml"
        file.write_bytes(text.encode("utf-8", "replace"))
        with contextlib.suppress(StudyError):
            assert isinstance(read_study(file), Study)


class TestStudies:
    def test_the_nearest_file_above_applies(self, file, tmp_path):
        file.write_text("title: inner")
        (tmp_path / "wrkparse.yaml").write_text("title: outer")
        (file.parent / "logs" / "deep").mkdir(parents=True)
        studies = StudyFinder()
        found = [
            studies.study_of(path)
            for path in (file.parent / "logs/deep/a.txt", file.parent / "a.txt", tmp_path / "a.txt")
        ]
        assert [found_study.title for found_study in found if found_study] == ["inner", "inner", "outer"]
        assert found[0] is found[1]

    def test_mistakes_are_told_once_and_it_does_not_apply(self, file):
        file.write_text("titel: x")
        studies = StudyFinder()
        assert [studies.study_of(file.parent / name) for name in "ab"] == [None, None]
        assert len(studies.problems) == 1

    def test_standard_input_has_none(self):
        assert StudyFinder().study_of(None) is None

"""``wrkparse.yaml``: what a person knows of the logs beside it, checked, with the line of every mistake.

The nearest such file in a log's directory or above applies. It is data: read with PyYAML's safe composer, aliases and
tags of its own refused, nothing in it is executed.
"""

from __future__ import annotations

import fnmatch
import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml
from yaml.reader import ReaderError

from wrkparse.context.precedence import canonical_key, is_number
from wrkparse.model.records import Diagnostic, Label
from wrkparse.source.discover import STUDY_FILE, utf8_name
from wrkparse.tools.schema import RESERVED

if TYPE_CHECKING:
    from upath import UPath

_TOP = ("title", "about", "labels", "tables", "claims")
_RULE = ("when", "set")
_TABLE = ("file", "rows", "columns", "metric", "stat", "unit", "print", "where", "title")
_CLAIM = ("claim", "metric", "of", "against", "by", "says", "tolerance", "where")
_PRINTS = ("floor", "round", "ceil", "exact")
# What a claim says of a ratio: a number is "about so much".
SAYS = re.compile(r"([<>])?\s*([0-9]{1,9}(?:\.[0-9]{1,9})?)")
_LARGEST = 1 << 20
_DEEPEST = 30
_YAML = "tag:yaml.org,2002:"
_TAGS = frozenset(_YAML + name for name in ("null", "bool", "int", "float", "str", "timestamp", "seq", "map"))
_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]{1,3})?")
_RANGE = re.compile(r"(-?[0-9]+(?:\.[0-9]+)?)?\s*-\s*([0-9]+(?:\.[0-9]+)?)?")


class StudyError(Exception):
    """A mistake in a ``wrkparse.yaml``; holds one diagnostic for each."""

    def __init__(self, diagnostics: list[Diagnostic]) -> None:
        super().__init__("\n".join(map(str, diagnostics)))
        self.diagnostics = diagnostics


@dataclass(frozen=True, slots=True)
class Rule:
    """One entry of ``labels``: where all of ``when`` holds, ``set``."""

    line: int
    when: Mapping[str, tuple[str, ...]]
    set: Mapping[str, str]

    def applies(self, facts: Mapping[str, str]) -> bool:
        """Whether every condition has a fact that fits one of its choices."""
        return all(
            (fact := facts.get(key)) is not None and any(fits(fact, choice) for choice in choices)
            for key, choices in self.when.items()
        )


def fits(fact: str, choice: str) -> bool:
    """Equality, as text or as numbers; a glob; a range ``171-214`` (open at one end: ``171-``) of numbers."""
    if fact == choice:
        return True
    number = _number(fact)
    if number is not None:
        if number == _number(choice):
            return True
        limits = _RANGE.fullmatch(choice)
        if limits and (limits[1] or limits[2]):
            low, high = (float(limit) if limit else None for limit in limits.groups())
            return (low is None or number >= low) and (high is None or number <= high)
    return any(sign in choice for sign in "*?[") and fnmatch.fnmatchcase(fact, choice)


def _number(text: str) -> float | None:
    return float(text) if _NUMBER.fullmatch(text) else None


@dataclass(frozen=True, slots=True)
class Study:
    """What one ``wrkparse.yaml`` says. ``name`` is its directory's."""

    name: str
    path: Path | UPath
    digest: str
    title: str | None = None
    about: Mapping[str, Any] = field(default_factory=dict)
    rules: tuple[Rule, ...] = ()
    tables: tuple[Mapping[str, Any], ...] = ()
    claims: tuple[Mapping[str, Any], ...] = ()

    def labels(self, facts: Mapping[str, str]) -> Iterator[Label]:
        """The labels that the rules give a run of which `facts` are known; a rule sees what those before it set."""
        known = dict(facts)
        for rule in self.rules:
            if rule.applies(known):
                known |= rule.set
                for key, value in rule.set.items():
                    yield Label(key, value, "file", rule.line)

    @property
    def source(self) -> str:
        """The path of its file, as the tables have it."""
        return utf8_name(str(self.path))

    def row(self) -> tuple[str, str, str | None, str, str, str]:
        """Its row of the table `studies`."""
        parts = self.about, self.tables, self.claims
        about, tables, claims = (json.dumps(part, ensure_ascii=False, default=str) for part in parts)
        return self.name, self.source, self.title, about, tables, claims


class Studies:
    """Finds and reads the study of each directory, each file once."""

    def __init__(self) -> None:
        self._by_directory: dict[Path | UPath, Study | None] = {}
        self.problems: list[Diagnostic] = []

    def of(self, path: Path | UPath | None) -> Study | None:
        """The study that a log at `path` belongs to; mistakes in it go to `problems`, once, and it does not apply."""
        if path is None:
            return None
        return self._in(path.absolute().parent)

    def _in(self, directory: Path | UPath) -> Study | None:
        if directory not in self._by_directory:
            file = directory / STUDY_FILE
            if file.is_file():
                self._by_directory[directory] = self._read(file)
            elif directory.parent != directory:
                self._by_directory[directory] = self._in(directory.parent)
            else:
                self._by_directory[directory] = None
        return self._by_directory[directory]

    def _read(self, file: Path | UPath) -> Study | None:
        try:
            return read(file)
        except StudyError as mistakes:
            self.problems += mistakes.diagnostics
            return None


def read(file: Path | UPath) -> Study:
    """Read and check a ``wrkparse.yaml``.

    Raises StudyError with a diagnostic for each mistake: unknown keys with the allowed ones, wrong types, bad YAML.
    """
    shown = str(file)
    try:
        with file.open("rb") as opened:
            text = opened.read(_LARGEST + 1)
        if len(text) > _LARGEST:
            raise StudyError([_mistake(shown, None, f"larger than {_LARGEST >> 20} MiB")])
        root = _compose(text)
    except _Refused as problem:
        raise StudyError([_mistake(shown, *problem.args)]) from None
    except OSError as problem:
        raise StudyError([_mistake(shown, None, f"can't be read: {problem.strerror or problem}")]) from None
    checker = _Checker(shown)
    study = checker.study(file, hashlib.blake2b(text, digest_size=16).hexdigest(), root)
    if checker.mistakes:
        raise StudyError(checker.mistakes)
    return study


def facts(about: object) -> dict[str, Any]:
    """What a store's row of a study says under ``about``; nothing if it is no such JSON."""
    try:
        found = json.loads(about) if isinstance(about, str) else {}
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def stored(source: str, tables: str | None, claims: str | None) -> Study:
    """The published tables and claims of a store's row of a study, checked again: the store may be a stranger's.

    Raises StudyError.
    """
    checker = _Checker(source)
    try:
        root = _compose(f'{{"tables": {tables or "[]"}, "claims": {claims or "[]"}}}'.encode())
    except _Refused as problem:
        raise StudyError([_mistake(source, *problem.args)]) from None
    study = checker.study(Path(source), "", root)
    if checker.mistakes:
        raise StudyError(checker.mistakes)
    return study


class _Refused(Exception):  # noqa: N818
    """No plain YAML: the line, and why."""

    def __init__(self, line: int | None, message: str) -> None:
        super().__init__(line, message)


class _Composer(yaml.SafeLoader):
    """Makes nodes of YAML, and refuses what could make a small file large, deep or more than data."""

    depth = 0

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        """As PyYAML's own; refuses an alias, a tag of the file's own and deep nesting."""
        event = self.peek_event()  # type: ignore[no-untyped-call]
        line = event.start_mark.line + 1
        if isinstance(event, yaml.AliasEvent):
            raise _Refused(line, "aliases (*name) are not read; write the value out")
        self.depth += 1
        if self.depth > _DEEPEST:
            raise _Refused(line, f"nested deeper than {_DEEPEST} levels")
        node = super().compose_node(parent, index)
        self.depth -= 1
        if node is not None and node.tag not in _TAGS:
            raise _Refused(line, f"the tag {node.tag.replace(_YAML, '!!')!r} is not read; write a plain value")
        return node


def _compose(data: bytes) -> yaml.Node | None:
    """The root of the file's nodes; raises `_Refused` where it is no plain YAML."""
    try:
        text = data.decode("utf-8-sig")
        return _Composer(text).get_single_node()
    except UnicodeDecodeError as problem:
        raise _Refused(data.count(b"\n", 0, problem.start) + 1, "not UTF-8; save it as UTF-8") from None
    except yaml.MarkedYAMLError as problem:
        line = problem.problem_mark.line + 1 if problem.problem_mark else None
        raise _Refused(line, f"not YAML: {problem.problem}") from None
    except ReaderError as problem:
        line = text.count("\n", 0, problem.position) + 1
        raise _Refused(line, f"not YAML: the character U+{int(problem.character):04X} is not allowed") from None


def _mistake(shown: str, line: int | None, message: str) -> Diagnostic:
    return Diagnostic(shown, line, "error", "bad-study", message)


class _Checker:
    """Turns YAML nodes, which know their lines, into a study, and gathers every mistake on the way."""

    def __init__(self, shown: str) -> None:
        self._shown = shown
        self.mistakes: list[Diagnostic] = []

    def study(self, file: Path | UPath, digest: str, root: yaml.Node | None) -> Study:
        top = self._mapping(root, "the file", _TOP) if root is not None else {}
        return Study(
            name=utf8_name(file.absolute().parent.name),
            path=file,
            digest=digest,
            title=self._text(top["title"], "title") if "title" in top else None,
            about={key: self._plain(node) for key, node in self._mapping(top.get("about"), "about").items()},
            rules=tuple(self._rule(node) for node in self._sequence(top.get("labels"), "labels")),
            tables=tuple(self._table(node) for node in self._sequence(top.get("tables"), "tables")),
            claims=tuple(self._claim(node) for node in self._sequence(top.get("claims"), "claims")),
        )

    def _rule(self, node: yaml.Node) -> Rule:
        parts = self._mapping(node, "an entry of labels", _RULE)
        conditions = self._mapping(parts.get("when"), "when").items()
        when = {canonical_key(key): self._choices(key, choices) for key, choices in conditions}
        values = self._mapping(parts.get("set"), "set")
        if isinstance(node, yaml.MappingNode) and not values and not self.mistakes:
            self._wrong(node, "an entry of labels needs 'set' with a label: it would change nothing")
        return Rule(_line(node), when, {canonical_key(key): self._label(key, value) for key, value in values.items()})

    def _choices(self, key: str, node: yaml.Node) -> tuple[str, ...]:
        choices = list(node.value) if isinstance(node, yaml.SequenceNode) else [node]
        if not choices:
            self._wrong(node, f"{key} has an empty list: the rule would never apply")
        return tuple(self._text(choice, key) for choice in choices)

    def _label(self, key: str, node: yaml.Node) -> str:
        value = self._text(node, key)
        if not _KEY.fullmatch(key):
            self._wrong(node, f"label key {key!r}: letters, digits and '_' only, a letter first")
        elif key.lower() in RESERVED:
            self._wrong(node, f"label key {key!r} is a column of the table runs already; choose another name")
        elif value and not is_number(key, value):
            self._wrong(node, f"{key} is {value!r}; it must be a number, without a unit")
        return value

    def _table(self, node: yaml.Node) -> Mapping[str, Any]:
        parts = self._complete(node, "an entry of tables", _TABLE, ("file", "rows", "columns", "metric"))
        table: dict[str, Any] = {}
        for key, value in parts.items():
            if key in ("rows", "columns"):
                table[key] = list(self._choices(key, value))
            elif key == "where":
                table[key] = {name: self._plain(part) for name, part in self._mapping(value, key).items()}
            else:
                table[key] = self._text(value, key)
        if table.get("print", "exact") not in _PRINTS:
            self._wrong(parts["print"], f"print is {table['print']!r}; one of {', '.join(_PRINTS)}")
        return table

    def _claim(self, node: yaml.Node) -> Mapping[str, Any]:
        parts = self._complete(node, "an entry of claims", _CLAIM, ("claim", "metric", "of", "against", "says"))
        claim: dict[str, Any] = {}
        for key, value in parts.items():
            if key in ("of", "against", "where"):
                labels = self._mapping(value, key).items()
                claim[key] = {canonical_key(label): list(self._choices(label, choices)) for label, choices in labels}
            elif key == "by":
                claim[key] = list(self._choices(key, value))
            else:
                claim[key] = self._text(value, key)
        if not SAYS.fullmatch(claim.get("says", "1")) or not _positive(claim.get("says", "1").lstrip("<> ")):
            self._wrong(parts["says"], f"says is {claim['says']!r}; a ratio: 3 (about that much), '> 1' or '< 0.5'")
        if not _NUMBER.fullmatch(claim.get("tolerance", "0")) or not 0 <= float(claim.get("tolerance", "0")) < 1:
            self._wrong(parts["tolerance"], f"tolerance is {claim['tolerance']!r}; a share of the ratio, from 0 to 1")
        return claim

    def _complete(
        self, node: yaml.Node, what: str, allowed: tuple[str, ...], needed: tuple[str, ...]
    ) -> dict[str, yaml.Node]:
        parts = self._mapping(node, what, allowed)
        for key in needed:
            if isinstance(node, yaml.MappingNode) and key not in parts:
                self._wrong(node, f"{what} without {key!r}")
        return parts

    def _mapping(
        self, node: yaml.Node | None, what: str, allowed: tuple[str, ...] | None = None
    ) -> dict[str, yaml.Node]:
        if node is None or _is_null(node):
            return {}
        if not isinstance(node, yaml.MappingNode):
            self._wrong(node, f"{what} must be a mapping (key: value)")
            return {}
        found: dict[str, yaml.Node] = {}
        for key_node, value in node.value:
            key = str(key_node.value) if isinstance(key_node, yaml.ScalarNode) else ""
            if not key:
                self._wrong(key_node, f"a key of {what} must be a word")
            elif allowed is not None and key not in allowed:
                self._wrong(key_node, f"unknown key {key!r} in {what}; allowed: {', '.join(allowed)}")
            elif key in found:
                self._wrong(key_node, f"{key!r} is given twice")
            else:
                found[key] = value
        return found

    def _sequence(self, node: yaml.Node | None, what: str) -> list[yaml.Node]:
        if node is None or _is_null(node):
            return []
        if not isinstance(node, yaml.SequenceNode):
            self._wrong(node, f"{what} must be a list (lines that begin with '- ')")
            return []
        return list(node.value)

    def _text(self, node: yaml.Node, what: str) -> str:
        if isinstance(node, yaml.ScalarNode) and not _is_null(node):
            return str(node.value)
        self._wrong(node, f"{what} needs a value: a word or a number")
        return ""

    def _plain(self, node: yaml.Node) -> Any:
        """The value of a node: text, number, date, list or mapping."""
        if isinstance(node, yaml.MappingNode):
            return {key: self._plain(value) for key, value in self._mapping(node, "a mapping").items()}
        if isinstance(node, yaml.SequenceNode):
            return [self._plain(value) for value in node.value]
        try:
            return yaml.SafeLoader("").construct_object(node)
        except ValueError as problem:  # "2015-02-30" has the shape of a date
            self._wrong(node, f"{node.value!r} can't be read: {problem}")
            return None

    def _wrong(self, node: yaml.Node, message: str) -> None:
        self.mistakes.append(_mistake(self._shown, _line(node), message))


def _line(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1


def _positive(text: str) -> bool:
    number = _number(text)
    return number is not None and number > 0


def _is_null(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and node.tag == "tag:yaml.org,2002:null"

"""Reads and checks ``wrkparse.yaml``: every mistake becomes a diagnostic with its line.

The nearest such file in the directory of a log or above it applies. The file is data: the safe composer of PyYAML reads
it, aliases and custom tags are refused, nothing in it is executed.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml
from yaml.reader import ReaderError

from wrkparse.context.precedence import canonical_key, suits_key
from wrkparse.context.study import CLAIM_RATIO, CLAIM_SAYERS, Rule, Study, StudyError, parse_number
from wrkparse.model.records import Diagnostic
from wrkparse.source.discover import STUDY_FILE, utf8_name
from wrkparse.tools.schema import RESERVED

if TYPE_CHECKING:
    from upath import UPath

_TOP_KEYS = ("title", "about", "labels", "tables", "claims")
_RULE_KEYS = ("when", "set")
_TABLE_KEYS = ("file", "rows", "columns", "metric", "stat", "unit", "print", "where", "title")
_CLAIM_KEYS = ("claim", "said_by", "metric", "of", "against", "by", "says", "tolerance", "where")
_PRINT_VALUES = ("floor", "round", "ceil", "exact")
# The next two bound the time for a hostile file. The study files of data/ have at most 4 KiB.
_LARGEST_FILE = 1 << 20  # bytes
_DEEPEST_NODE = 30  # nested nodes
_YAML = "tag:yaml.org,2002:"
_TAGS = frozenset(_YAML + name for name in ("null", "bool", "int", "float", "str", "timestamp", "seq", "map"))
_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")


class StudyFinder:
    """Finds and reads the study of a log; each file is read once.

    ``problems`` has the diagnostics of files with mistakes, in the order in which the files were found.
    """

    def __init__(self) -> None:
        self._by_directory: dict[Path | UPath, Study | None] = {}
        self.problems: list[Diagnostic] = []

    def study_of(self, path: Path | UPath | None) -> Study | None:
        """The study to which a log at `path` belongs; None if there is no file, or if it has mistakes."""
        if path is None:
            return None
        return self._in_directory(path.absolute().parent)

    def _in_directory(self, directory: Path | UPath) -> Study | None:
        if directory not in self._by_directory:
            file = directory / STUDY_FILE
            if file.is_file():
                self._by_directory[directory] = self._read(file)
            elif directory.parent != directory:
                self._by_directory[directory] = self._in_directory(directory.parent)
            else:
                self._by_directory[directory] = None
        return self._by_directory[directory]

    def _read(self, file: Path | UPath) -> Study | None:
        try:
            return read_study(file)
        except StudyError as mistakes:
            self.problems += mistakes.diagnostics
            return None


def read_study(file: Path | UPath) -> Study:
    """Read and check a ``wrkparse.yaml``.

    Raises StudyError with a diagnostic for each mistake: a file that can't be read, bad YAML, an unknown key (with the
    allowed ones), a value of the wrong type.
    """
    shown = str(file)
    try:
        with file.open("rb") as opened:
            text = opened.read(_LARGEST_FILE + 1)
        if len(text) > _LARGEST_FILE:
            raise StudyError([_diagnostic(shown, None, f"larger than {_LARGEST_FILE >> 20} MiB")])
        root = _compose(text)
    except _RefusedError as problem:
        raise StudyError([_diagnostic(shown, *problem.args)]) from None
    except OSError as problem:
        raise StudyError([_diagnostic(shown, None, f"can't be read: {problem.strerror or problem}")]) from None
    checker = _Checker(shown)
    study = checker.study(file, hashlib.blake2b(text, digest_size=16).hexdigest(), root)
    if checker.mistakes:
        raise StudyError(checker.mistakes)
    return study


def rules_text(rules: Iterable[Rule]) -> str:
    """Rules as the text of a ``wrkparse.yaml``."""
    entries = [
        {
            "when": {key: choices[0] if len(choices) == 1 else list(choices) for key, choices in rule.when.items()},
            "set": dict(rule.set),
        }
        for rule in rules
    ]
    return yaml.safe_dump({"labels": entries}, sort_keys=False, allow_unicode=True, width=120)


def study_of_row(source: str, tables: str | None, claims: str | None) -> Study:
    """The published tables and claims in a row of the table `studies`, checked again: the store may be tampered with.

    Raises StudyError as `read_study`.
    """
    checker = _Checker(source)
    try:
        root = _compose(f'{{"tables": {tables or "[]"}, "claims": {claims or "[]"}}}'.encode())
    except _RefusedError as problem:
        raise StudyError([_diagnostic(source, *problem.args)]) from None
    study = checker.study(Path(source), "", root)
    if checker.mistakes:
        raise StudyError(checker.mistakes)
    return study


class _RefusedError(Exception):
    """The file is not plain YAML. The arguments are the line and the reason."""

    def __init__(self, line: int | None, message: str) -> None:
        super().__init__(line, message)


class _Composer(yaml.SafeLoader):
    """Composes nodes of YAML, and refuses anything that makes a small file large or deep, or is more than data."""

    depth = 0

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        """As in PyYAML, but refuse an alias, a custom tag and deep nesting."""
        event = self.peek_event()  # type: ignore[no-untyped-call]
        line = event.start_mark.line + 1
        if isinstance(event, yaml.AliasEvent):
            raise _RefusedError(line, "aliases (*name) are not read; write the value out")
        self.depth += 1
        if self.depth > _DEEPEST_NODE:
            raise _RefusedError(line, f"nested deeper than {_DEEPEST_NODE} levels")
        node = super().compose_node(parent, index)
        self.depth -= 1
        if node is not None and node.tag not in _TAGS:
            raise _RefusedError(line, f"the tag {node.tag.replace(_YAML, '!!')!r} is not read; write a plain value")
        return node


def _compose(data: bytes) -> yaml.Node | None:
    """The root node of a file; None for an empty one. Raises `_RefusedError` if it is not plain YAML."""
    try:
        text = data.decode("utf-8-sig")
        return _Composer(text).get_single_node()
    except UnicodeDecodeError as problem:
        raise _RefusedError(data.count(b"\n", 0, problem.start) + 1, "not UTF-8; save it as UTF-8") from None
    except yaml.MarkedYAMLError as problem:
        line = problem.problem_mark.line + 1 if problem.problem_mark else None
        raise _RefusedError(line, f"not YAML: {problem.problem}") from None
    except ReaderError as problem:
        line = text.count("\n", 0, problem.position) + 1
        raise _RefusedError(line, f"not YAML: the character U+{int(problem.character):04X} is not allowed") from None


def _diagnostic(shown: str, line: int | None, message: str) -> Diagnostic:
    """The diagnostic of a mistake."""
    return Diagnostic(shown, line, "error", "bad-study", message)


class _Checker:
    """Turns YAML nodes into a study, and collects every mistake with the line of its node."""

    def __init__(self, shown: str) -> None:
        self._shown = shown
        self.mistakes: list[Diagnostic] = []

    def study(self, file: Path | UPath, digest: str, root: yaml.Node | None) -> Study:
        top = self._mapping(root, "the file", _TOP_KEYS) if root is not None else {}
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
        parts = self._mapping(node, "an entry of labels", _RULE_KEYS)
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
        elif value and not suits_key(key, value):
            self._wrong(node, f"{key} is {value!r}; it must be a number, without a unit")
        return value

    def _table(self, node: yaml.Node) -> Mapping[str, Any]:
        parts = self._complete(node, "an entry of tables", _TABLE_KEYS, ("file", "rows", "columns", "metric"))
        table: dict[str, Any] = {}
        for key, value in parts.items():
            if key in ("rows", "columns"):
                table[key] = list(self._choices(key, value))
            elif key == "where":
                table[key] = {name: self._plain(part) for name, part in self._mapping(value, key).items()}
            else:
                table[key] = self._text(value, key)
        if table.get("print", "exact") not in _PRINT_VALUES:
            self._wrong(parts["print"], f"print is {table['print']!r}; one of {', '.join(_PRINT_VALUES)}")
        return table

    def _claim(self, node: yaml.Node) -> Mapping[str, Any]:
        parts = self._complete(node, "an entry of claims", _CLAIM_KEYS, ("claim", "metric", "of", "against", "says"))
        claim: dict[str, Any] = {}
        for key, value in parts.items():
            if key in ("of", "against", "where"):
                labels = self._mapping(value, key).items()
                claim[key] = {canonical_key(label): list(self._choices(label, choices)) for label, choices in labels}
            elif key == "by":
                claim[key] = list(self._choices(key, value))
            else:
                claim[key] = self._text(value, key)
        if not CLAIM_RATIO.fullmatch(claim.get("says", "1")) or not _positive(claim.get("says", "1").lstrip("<> ")):
            self._wrong(parts["says"], f"says is {claim['says']!r}; a ratio: 3 (about that much), '> 1' or '< 0.5'")
        if claim.get("said_by", "page") not in CLAIM_SAYERS:
            self._wrong(parts["said_by"], f"said_by is {claim['said_by']!r}; one of {', '.join(CLAIM_SAYERS)}")
        tolerance = parse_number(claim.get("tolerance", "0"))
        if tolerance is None or not 0 <= tolerance < 1:
            self._wrong(parts["tolerance"], f"tolerance is {claim['tolerance']!r}; a share of the ratio, from 0 to 1")
        return claim

    def _complete(
        self, node: yaml.Node, what: str, allowed: tuple[str, ...], needed: tuple[str, ...]
    ) -> dict[str, yaml.Node]:
        """The parts of a mapping; a mistake for each needed key that is missing."""
        parts = self._mapping(node, what, allowed)
        for key in needed:
            if isinstance(node, yaml.MappingNode) and key not in parts:
                self._wrong(node, f"{what} without {key!r}")
        return parts

    def _mapping(
        self, node: yaml.Node | None, what: str, allowed: tuple[str, ...] | None = None
    ) -> dict[str, yaml.Node]:
        """The keys and nodes of a mapping; empty, and a mistake, for other nodes."""
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
        """The nodes of a list; empty, and a mistake, for other nodes."""
        if node is None or _is_null(node):
            return []
        if not isinstance(node, yaml.SequenceNode):
            self._wrong(node, f"{what} must be a list (lines that begin with '- ')")
            return []
        return list(node.value)

    def _text(self, node: yaml.Node, what: str) -> str:
        """The text of a node; empty, and a mistake, for other nodes."""
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
        """Note a mistake at the line of a node."""
        self.mistakes.append(_diagnostic(self._shown, _line(node), message))


def _line(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1


def _positive(text: str) -> bool:
    number = parse_number(text)
    return number is not None and number > 0


def _is_null(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and node.tag == "tag:yaml.org,2002:null"

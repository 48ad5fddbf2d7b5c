"""Defines a study: the labels, published tables and claims that a ``wrkparse.yaml`` states for the logs beside it."""

from __future__ import annotations

import fnmatch
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wrkparse.model.records import Diagnostic, Label
from wrkparse.source.discover import utf8_name

if TYPE_CHECKING:
    from upath import UPath

CLAIM_RATIO = re.compile(r"([<>])?\s*([0-9]{1,9}(?:\.[0-9]{1,9})?)")  # "3" (about three times), "> 1", "< 0.5"
CLAIM_SAYERS = ("page", "us")  # the published document, or who wrote the study file
_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]{1,3})?")  # "36", "-0.5", "1e6"
_RANGE = re.compile(r"(-?[0-9]+(?:\.[0-9]+)?)?\s*-\s*([0-9]+(?:\.[0-9]+)?)?")  # "171-214", "171-", "-214"


class StudyError(Exception):
    """A ``wrkparse.yaml`` has mistakes; ``diagnostics`` has one for each."""

    def __init__(self, diagnostics: list[Diagnostic]) -> None:
        super().__init__("\n".join(map(str, diagnostics)))
        self.diagnostics = diagnostics


@dataclass(frozen=True, slots=True)
class Rule:
    """An entry of ``labels``: a run gets the labels of ``set`` if every condition of ``when`` holds."""

    line: int
    when: Mapping[str, tuple[str, ...]]  # the choices for each fact
    set: Mapping[str, str]

    @property
    def condition(self) -> str:
        """The conditions as in the file: ``file = a.txt or b.txt, cores = 4``."""
        return ", ".join(f"{key} = {' or '.join(choices)}" for key, choices in self.when.items())

    def applies(self, facts: Mapping[str, str]) -> bool:
        """Whether a run has a fact for each condition, and the fact matches one of the choices."""
        return all(
            (fact := facts.get(key)) is not None and any(matches(fact, choice) for choice in choices)
            for key, choices in self.when.items()
        )


def matches(fact: str, choice: str) -> bool:
    """Whether a fact equals a choice as text or as a number, matches it as a glob, or is in its range of numbers.

    A range is ``171-214``, or open at one end: ``171-``.
    """
    if fact == choice:
        return True
    number = parse_number(fact)
    if number is not None:
        if number == parse_number(choice):
            return True
        limits = _RANGE.fullmatch(choice)
        if limits and (limits[1] or limits[2]):  # a dash alone is text
            low, high = (float(limit) if limit else None for limit in limits.groups())
            return (low is None or number >= low) and (high is None or number <= high)
    return any(sign in choice for sign in "*?[") and fnmatch.fnmatchcase(fact, choice)


def is_numeric(choice: str) -> bool:
    """Whether a choice is a number or a range of numbers, which match other texts, too."""
    return bool(_NUMBER.fullmatch(choice) or _RANGE.fullmatch(choice))


def parse_number(text: str) -> float | None:
    """A decimal number without a unit; None for other text."""
    return float(text) if _NUMBER.fullmatch(text) else None


@dataclass(frozen=True, slots=True)
class Study:
    """The content of a ``wrkparse.yaml``. ``name`` is that of its directory."""

    name: str
    path: Path | UPath
    digest: str
    title: str | None = None
    about: Mapping[str, Any] = field(default_factory=dict)
    rules: tuple[Rule, ...] = ()
    tables: tuple[Mapping[str, Any], ...] = ()
    claims: tuple[Mapping[str, Any], ...] = ()

    def labels(self, facts: Mapping[str, str]) -> Iterator[Label]:
        """The labels that the rules give a run with these facts; each rule also gets the labels of earlier rules."""
        facts = dict(facts)
        for rule in self.rules:
            if rule.applies(facts):
                facts |= rule.set
                for key, value in rule.set.items():
                    yield Label(key, value, "file", rule.line, None, "rule")

    @property
    def source(self) -> str:
        """The path of the file as in the tables."""
        return utf8_name(str(self.path))

    def row(self) -> tuple[str, str, str | None, str, str, str]:
        """The row of the table `studies`: name, source and title, and as JSON the facts, tables and claims."""
        parts = self.about, self.tables, self.claims
        about, tables, claims = (json.dumps(part, ensure_ascii=False, default=str) for part in parts)
        return self.name, self.source, self.title, about, tables, claims


def about_facts(about: object) -> dict[str, Any]:
    """The facts in the column ``about`` of a row of the table `studies`; empty if it is not a JSON object."""
    try:
        found = json.loads(about) if isinstance(about, str) else {}
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}

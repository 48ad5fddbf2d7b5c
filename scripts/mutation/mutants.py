"""Small changes of a module's logic, each as one place of its text and what stands there instead."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import unified_diff
from itertools import pairwise

_COMPARISONS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
}
_ARITHMETIC: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
}
# Calls whose arguments are the words of a message, or limits of a cache, which only change speed.
_MESSAGES = frozenset({"Diagnostic", "bad", "ValueError", "TypeError", "lru_cache", "TypeVar"})


@dataclass(frozen=True, order=True)
class Mutant:
    """One change: the bytes from ``start`` to ``stop`` of a module become ``new``."""

    module: str
    line: int
    start: int
    stop: int
    new: str
    kind: str

    def applied(self, text: bytes) -> bytes:
        """The module's text with the change."""
        return text[: self.start] + self.new.encode() + text[self.stop :]

    def changed_lines(self, text: bytes) -> tuple[str, str]:
        """The line of the change, before and after it, without indentation."""
        old, new = (each.decode().splitlines() for each in (text, self.applied(text)))
        return old[self.line - 1].strip(), new[self.line - 1].strip()

    def diff(self, text: bytes) -> str:
        """The change as a unified diff with two lines of context."""
        lines = (each.decode().splitlines() for each in (text, self.applied(text)))
        name = f"wrkparse/{self.module}"
        return "\n".join(unified_diff(*lines, name, f"{name} ({self.kind})", n=2, lineterm=""))


def mutants_of(module: str, text: bytes) -> list[Mutant]:
    """All mutants of a module, in the order of its lines."""
    return sorted(set(_Mutator(module, text).all()))


class _Mutator:
    def __init__(self, module: str, text: bytes) -> None:
        self._module, self._text = module, text
        lengths = [len(line) for line in text.splitlines(keepends=True)]
        self._begins = [0]
        for length in lengths:
            self._begins.append(self._begins[-1] + length)

    def all(self) -> Iterator[Mutant]:
        return self._in(ast.parse(self._text))

    def _in(self, node: ast.AST) -> Iterator[Mutant]:
        if _has_no_logic(node):
            return
        yield from self._of(node)
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "type_params", "decorator_list"):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from self._in(child)

    def _of(self, node: ast.AST) -> Iterator[Mutant]:
        """The mutants of a node itself, without those of its parts."""
        if isinstance(node, ast.Compare | ast.BoolOp | ast.BinOp):
            yield from self._operators(node)
        elif isinstance(node, ast.Constant):
            yield from self._constants(node)
        elif isinstance(node, ast.stmt):
            yield from self._statements(node)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield self._replaced(node, self._source(node.operand), "not")
        elif isinstance(node, ast.IfExp):
            yield self._replaced(node.test, "False", "removed branch")
        elif isinstance(node, ast.comprehension):
            yield from (self._replaced(test, "True", "removed condition") for test in node.ifs)

    def _operators(self, node: ast.Compare | ast.BoolOp | ast.BinOp) -> Iterator[Mutant]:
        if isinstance(node, ast.Compare):
            for (left, right), operator in zip(pairwise([node.left, *node.comparators]), node.ops, strict=True):
                yield from self._between(left, right, *_COMPARISONS[type(operator)])
        elif isinstance(node, ast.BoolOp):
            words = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
            for left, right in pairwise(node.values):
                yield from self._between(left, right, *words)
        elif type(node.op) in _ARITHMETIC and not (_is_text(node.left) or _is_text(node.right)):
            yield from self._between(node.left, node.right, *_ARITHMETIC[type(node.op)])

    def _constants(self, node: ast.Constant) -> Iterator[Mutant]:
        value = node.value
        if isinstance(value, bool):
            yield self._replaced(node, str(not value), "constant")
        elif isinstance(value, int):
            for other in sorted({value + 1, value - 1, 0} - {value}):
                yield self._replaced(node, f"({other})" if other < 0 else str(other), "constant")

    def _statements(self, node: ast.stmt) -> Iterator[Mutant]:
        match node:
            case ast.If():
                yield self._replaced(node.test, "False", "removed branch")
            case ast.Return(value=ast.expr() as value) if not _is_none(value):
                yield self._replaced(value, "None", "return")
            case (
                ast.Expr(value=ast.Call() | ast.YieldFrom() | ast.Yield())
                | ast.AugAssign()
                | ast.Continue()
                | ast.Break()
                | ast.Assign(targets=[ast.Attribute() | ast.Subscript()])
            ):
                yield self._replaced(node, "pass", "dropped statement")

    def _replaced(self, node: ast.expr | ast.stmt, new: str, kind: str) -> Mutant:
        start, stop = self._span(node)
        return Mutant(self._module, node.lineno, start, stop, new, kind)

    def _between(self, left: ast.expr, right: ast.expr, old: str, new: str) -> Iterator[Mutant]:
        """The mutant with another operator between two operands; parentheses and comments may stand there, too."""
        start, stop = self._span(left)[1], self._span(right)[0]
        between = re.sub(rb"#[^\n]*", lambda found: b" " * len(found[0]), self._text[start:stop])
        pattern = rf"\b{old}\b".replace(" ", r"\s+") if old.isascii() and old[0].isalpha() else re.escape(old)
        found = re.search(pattern.encode(), between)
        if found:
            line = left.end_lineno or left.lineno
            line += between[: found.start()].count(b"\n")
            yield Mutant(self._module, line, start + found.start(), start + found.end(), new, "operator")

    def _source(self, node: ast.expr) -> str:
        start, stop = self._span(node)
        return self._text[start:stop].decode()

    def _span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._begins[node.lineno - 1] + node.col_offset, self._begins[node.end_lineno - 1] + node.end_col_offset


def _has_no_logic(node: ast.AST) -> bool:
    """Whether nothing in a node is worth a mutant: assertions, messages, types, how an object is shown."""
    match node:
        case ast.Assert() | ast.JoinedStr() | ast.Raise() | ast.Import() | ast.ImportFrom():
            return True
        case ast.keyword(arg="strict"):  # of `zip`: an assertion, too
            return True
        case ast.FunctionDef(name="__repr__" | "__str__"):
            return True
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name in _MESSAGES
        case ast.ClassDef(bases=[ast.Name(id="Protocol")]):
            return True
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Subscript() | ast.BinOp()):
            return name[:1].isupper() and not name.isupper()  # the name of a type
    return False


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str | bytes))


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None

"""Evaluates the words of a shell loop: ``$(seq 64 -8 8)``, ``{1..4}``, ``"${SERVERS[@]}"``, ``i *= 2``.

Nothing is executed: other forms, such as the output of any other program, are unknown. The rules are those of bash
(manual, "Brace Expansion", "Arrays", "Shell Arithmetic"), except ``{1..$N}``, which zsh expands, and numbers that begin
with a zero, which bash reads as octal.
"""

from __future__ import annotations

import ast
import operator
import re
import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain

MOST_VALUES = 200  # values of one variable; nobody compares more settings
_LARGEST = 10**9  # a result of arithmetic; bounds the time for a hostile text
# NAME=value, NAME=(several values), with the words before and the signs after them.
_ASSIGNMENT = re.compile(
    r"""(?:\A|[;&|]|\bdo\b)\s{0,9}(?:(?:export|local|readonly|declare(?:\s-[a-z]{1,3})?|typeset(?:\s-[a-z]{1,3})?)\s{1,3})?
    ([A-Za-z_]\w{0,30})=
    (\([^()$`]{1,300}\)|"[^"$`]{0,300}"|'[^']{0,300}'|[^\s;&|()"'$`]{0,300})
    (?=\s{0,3}(?:[;&\n]|\Z))""",
    re.VERBOSE,
)
# a word of a shell with its quotes, substitutions and blanks inside them: "$(seq 64 -8 8)" is one
_WORD = re.compile(
    r"""(?:"[^"]{0,300}"|'[^']{0,300}'|\$\(\([^()]{0,80}\)\)|\$\([^()]{0,80}\)|`[^`]{0,80}`|\$\{[^{}]{1,80}\}|[^\s"'`])+"""
)
_SEQUENCE = re.compile(r"(?:\$\(|`)\s?seq((?:\s{1,9}-?[0-9]{1,9}){1,3})\s?[)`]")  # "$(seq 3)", "`seq 1 1 3`"
# "$(seq $N)", "{1..$N}"
_OPEN_COUNT = re.compile(r"(?:\$\(|`)\s?seq\s{1,9}(?:1\s{1,9})?(?:1\s{1,9})?\$\S{1,40}[)`]|\{1\.\.\$\S{1,40}\}")
_RANGE = re.compile(r"\{(-?[0-9]{1,9})\.\.(-?[0-9]{1,9})(?:\.\.(-?[0-9]{1,9}))?\}")  # "{1..4}", "{8..64..8}"
_BRACES = re.compile(r"([^{}]{0,80})\{([^{}]{1,300})\}([^{}]{0,80})")  # "kiwi-{a,b}.conf"
_ELEMENTS = re.compile(r'"\$\{(\w{1,31})\[@\]\}"|\$\{(\w{1,31})\[[@*]\]\}')  # '"${SERVERS[@]}"', "${SERVERS[*]}"
_VARIABLE = re.compile(r"\$(\w{1,31})|\$\{(\w{1,31})\}")
_NAME = re.compile(r"[A-Za-z_]\w*")
_USE = re.compile(r"\$(?:(\w+)|\{(\w+)\})")
_ARITHMETIC = re.compile(r"\$\(\(([^()$`]{1,80}|[^$`]{1,80}?)\)\)")  # "$((4 * c))"
_PLAIN = re.compile(r"[^$`*?{}()<>|&]{1,100}")  # nothing that a shell would expand
# "i++", "--i", "i *= 2", "i <<= 1"
_COUNTER_STEP = re.compile(r"(\w{1,31})\s?(\+\+|--|[-+*/]=|<<=|>>=)\s?([0-9]{0,9})|(?:\+\+|--)(\w{1,31})")
_COUNTER_ASSIGNMENT = re.compile(r"(\w{1,31})\s?=(?!=)\s?([^=].{0,80})")  # "i = i * 2 + 1", not "i == 8"
_OPERATORS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Mod: operator.mod,
    ast.FloorDiv: operator.floordiv,
    ast.Div: operator.floordiv,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
}
_COMPARISONS: dict[type[ast.cmpop], Callable[[int, int], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.NotEq: operator.ne,
    ast.Eq: operator.eq,
}


# "c=", "S[0]=", "OPTS+=", anywhere in a line
_ANY_ASSIGNMENT = re.compile(r"(?:\A|[;&|\s(])([A-Za-z_]\w{0,30})(?:\[[^\]]{0,30}\])?\+?=")
# "c=$((c * 8))" as a command of its own: "c=8 ./kiwi" sets it for kiwi alone
_ASSIGNMENT_COMMAND = re.compile(
    r"(?:\A|[;&|({]|\b(?:do|then|else)\s)\s{0,9}([A-Za-z_]\w{0,30})\+?="
    r"(?:\$\(\([^;\n]{0,80}?\)\)|\"[^\"]{0,80}\"|[^\s;&|\"$]{0,80}|\$[^\s;&|]{0,80})\s{0,9}(?=[;&|)}]|\Z)"
)
_READ_INTO = re.compile(r"\bread((?:\s{1,3}-?\w{1,30}){1,9})")  # "read -r name port"
# "((c *= 2))" and "let c*=2", but not "$((c * 2))", which only computes
_COMMAND_OF_ARITHMETIC = re.compile(r"(?<!\$)\(\(([^()]{1,80})\)\)|\blet\s[\"']?([^;&|\n]{1,80})")
# "c *= 2", "c++", "++c" inside of arithmetic
_ARITHMETIC_ASSIGNMENT = re.compile(
    r"([A-Za-z_]\w{0,30})\s?(?:\+\+|--|(?:[-+*/%&|^]|<<|>>)?=(?!=))|(?:\+\+|--)\s?([A-Za-z_]\w{0,30})"
)


def assignments(text: str) -> dict[str, str]:
    """The variables that a command line sets to a known value, each with its assignment: ``S=(kiwi emu)``."""
    found = {match[1]: f"{match[1]}={match[2]}" for match in _ASSIGNMENT.finditer(text)} if "=" in text else {}
    names = _ANY_ASSIGNMENT.findall(text) if found and text.count("=") > 1 else []
    # a variable that is set twice has two values: which one holds is unknown
    twice = {name for name, times in Counter(names).items() if times > 1} if len(set(names)) < len(names) else ()
    read = {name for names in _READ_INTO.findall(text) for name in names.split()} if "read" in text else ()
    return {
        name: assignment
        for name, assignment in found.items()
        if len(assignment) > len(name) + 1 and name not in twice and name not in read
    }


def variables_set(text: str) -> frozenset[str]:
    """The variables that a command line sets, to any value: ``c=8``, ``GOGC=50 ./kiwi``, ``((c *= 2))``."""
    return frozenset(_ANY_ASSIGNMENT.findall(text)) | _variables_counted(text)


def variables_changed(text: str) -> frozenset[str]:
    """The variables that commands set for the commands after them: ``c=$((c * 8))``."""
    return frozenset(_ASSIGNMENT_COMMAND.findall(text)) | _variables_counted(text)


def _variables_counted(text: str) -> frozenset[str]:
    """The variables that arithmetic commands set: ``((c *= 2))``, ``let c*=2``."""
    if "((" not in text and "let" not in text:
        return frozenset()
    arithmetic = (match[1] or match[2] for match in _COMMAND_OF_ARITHMETIC.finditer(text))
    return frozenset(
        name for inner in arithmetic for pair in _ARITHMETIC_ASSIGNMENT.findall(inner) for name in pair if name
    )


def loop_values(words: str, variables: Mapping[str, str]) -> tuple[str, ...] | None:
    """The values that the words after ``in`` give the variable of a loop; None if they are unknown.

    `variables` are those of the shell, each with its assignment as `assignments` returns it.
    """
    found: list[str] = []
    for word in _WORD.findall(words):
        expanded = _expand_word(word, variables)
        if expanded is None or len(found) + len(expanded) > MOST_VALUES:
            return None
        found += expanded
    return tuple(found) or None


def substitute_variables(text: str, *scopes: Mapping[str, str]) -> str:
    """A text with the values of its variables that have a single text; `scopes` as `variables` in `loop_values`.

    The first scope that has a variable gives its value.
    """
    values: dict[str, str] = {}
    for name in _NAME.findall(text):  # a page may have set thousands of others
        for scope in scopes:
            if name in scope:
                if parts := _value_as_word(scope[name]):
                    values[name] = parts[0]
                break
    return substitute(text, values)


def is_open_count(words: str) -> bool:
    """Whether words are the numbers from 1 up to an unknown one: ``$(seq $N)``."""
    return _OPEN_COUNT.fullmatch(words.strip()) is not None


def _expand_word(word: str, variables: Mapping[str, str]) -> Sequence[str] | None:
    """The values of one word; None if they are unknown."""
    if array := _ELEMENTS.fullmatch(word):
        return _array_elements(variables.get(array[1] or array[2], ""))
    if (alone := _VARIABLE.fullmatch(word)) is not None:  # not quoted, so the shell splits it
        return _value_words(variables.get(alone[1] or alone[2], ""))
    if word[0] == "'":
        return [word[1:-1]] if _PLAIN.fullmatch(word[1:-1]) else None
    word = substitute_variables(word, variables)
    if sequence := _SEQUENCE.fullmatch(word):
        return _seq_output([int(number) for number in sequence[1].split()])
    if braces := _RANGE.fullmatch(word):
        return _brace_range(braces)
    if "," in word and (braces := _BRACES.fullmatch(word)) and all(map(_PLAIN.fullmatch, braces[2].split(","))):
        return [f"{braces[1]}{part}{braces[3]}" for part in braces[2].split(",")]
    try:
        plain = shlex.split(word)
    except ValueError:
        return None
    return plain if all(map(_PLAIN.fullmatch, plain)) else None


def _array_elements(assignment: str) -> list[str] | None:
    """The values of an array; None if the variable is not an array."""
    value = assignment.partition("=")[2]
    return _split_words(value[1:-1]) if value[:1] == "(" else None


def _value_words(assignment: str) -> list[str] | None:
    """The words of the value of a variable; None for an array, from which shells take different words."""
    value = assignment.partition("=")[2]
    return _split_words(value[1:-1] if value[:1] in "\"'" else value) if value and value[0] != "(" else None


def _value_as_word(assignment: str) -> list[str] | None:
    """The value of a variable as one word; None if it is unknown."""
    value = assignment.partition("=")[2].strip("\"'")
    return [value] if _PLAIN.fullmatch(value) else None


def _split_words(value: str) -> list[str] | None:
    """The words of a value, split as a shell does; None if one of them is not plain text."""
    try:
        words = shlex.split(value)
    except ValueError:
        return None
    return words if words and all(map(_PLAIN.fullmatch, words)) else None


def _seq_output(numbers: Sequence[int]) -> list[str] | None:
    """The output of ``seq LAST``, ``seq FIRST LAST`` and ``seq FIRST STEP LAST``; None if it is too long."""
    first = numbers[0] if len(numbers) > 1 else 1
    step = numbers[1] if len(numbers) > 2 else 1
    return _range_values(first, numbers[-1], step)


def _brace_range(braces: re.Match[str]) -> list[str] | None:
    """The numbers of ``{8..64..8}``; the direction gives the sign of the step, and leading zeros stay."""
    first, last, step = int(braces[1]), int(braces[2]), abs(int(braces[3] or 1)) or 1
    numbers = _range_values(first, last, step if first <= last else -step)
    padded = any(number.lstrip("-").startswith("0") and len(number) > 1 for number in (braces[1], braces[2]))
    width = max(len(braces[1]), len(braces[2])) if padded else 0
    return numbers and [number.zfill(width) for number in numbers]


def _range_values(first: int, last: int, step: int) -> list[str] | None:
    """The numbers from the first to the last; None if there are too many."""
    if step == 0 or abs((last - first) // step) >= MOST_VALUES:
        return None
    return list(map(str, range(first, last + (1 if step > 0 else -1), step)))


def counter_values(head: str) -> tuple[str, tuple[str, ...] | None] | None:
    """The variable of ``i = 1; i <= 8; i *= 2`` and its values, None if these are unknown; None without a variable."""
    parts = [part.strip() for part in head.split(";")]
    begun = _COUNTER_ASSIGNMENT.fullmatch(parts[0]) if len(parts) == 3 else None
    if begun is None:
        return None
    name = begun[1]
    value = evaluate(begun[2], {})
    found: list[str] = []
    while value is not None and len(found) <= MOST_VALUES:
        goes_on = evaluate(parts[1], {name: value})
        if goes_on is None:
            break
        if not goes_on:
            return name, tuple(found) or None
        found.append(str(value))
        value = _next_value(parts[2], name, value)
    return name, None


def _next_value(step: str, name: str, value: int) -> int | None:
    """The value of a variable after one step: ``i++``, ``i *= 2``, ``i = i * 2 + 1``; None if it is unknown."""
    if match := _COUNTER_STEP.fullmatch(step):
        if (match[1] or match[4]) != name:
            return None
        if match[4] or match[2] in ("++", "--"):
            return value + (1 if "+" in step else -1)
        return evaluate(f"{value} {match[2][:-1]} {match[3]}", {}) if match[3] else None
    assigned = _COUNTER_ASSIGNMENT.fullmatch(step)
    return evaluate(assigned[2], {name: value}) if assigned and assigned[1] == name else None


def evaluate(expression: str, variables: Mapping[str, int]) -> int | None:
    """The value of shell arithmetic, ``4 * c``; None if it has more than numbers, signs and known variables."""
    try:
        found = _node_value(ast.parse(expression.replace("$", "").strip(), mode="eval").body, variables)
    except (SyntaxError, ValueError, ArithmeticError, RecursionError):  # 08, a NUL byte, a division by zero
        return None
    return found if found is None or abs(found) <= _LARGEST else None


def _node_value(node: ast.expr, variables: Mapping[str, int]) -> int | None:
    match node:
        case ast.Constant(value=int() as number) if abs(number) <= _LARGEST:
            return int(number)
        case ast.Name(id=name):
            return variables.get(name)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            inner = _node_value(operand, variables)
            return None if inner is None else -inner
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _OPERATORS:
            first, second = _node_value(left, variables), _node_value(right, variables)
            # bounds time and memory: 1 << 10**9 has a billion bits
            is_power = isinstance(sign, ast.Pow | ast.LShift | ast.RShift)
            if first is None or second is None or (is_power and not 0 <= second <= 30) or abs(first) > _LARGEST:
                return None
            return _OPERATORS[type(sign)](first, second)
        case ast.Compare(left=left, ops=[sign], comparators=[right]) if type(sign) in _COMPARISONS:
            first, second = _node_value(left, variables), _node_value(right, variables)
            return None if first is None or second is None else int(_COMPARISONS[type(sign)](first, second))
    return None


def variable_pattern(name: str) -> re.Pattern[str]:
    """The pattern of the uses of a variable: ``$c``, ``${c}``."""
    return re.compile(rf"\$(?:{name}(?!\w)|\{{{name}\}})")


def uses_variable(text: str, name: str) -> bool:
    """Whether a text uses a variable, also in arithmetic or changed: ``-c$((4 * c))``, ``${c%/}``, ``${A[c]}``."""
    if name not in text:
        return False
    if re.search(rf"\$(?:\{{[!#]?(?:\w{{1,30}}\[\$?)?{name}\b|\[[^\]]{{0,60}}\b{name}\b)", text):
        return True
    inside = chain.from_iterable(re.findall(r"\w+", match[1]) for match in _ARITHMETIC.finditer(text))
    return variable_pattern(name).search(text) is not None or name in inside


def substitute(text: str, values: Mapping[str, str]) -> str:
    """A text with values instead of variables, and with the results of arithmetic, if they are known."""
    text = _USE.sub(lambda use: values.get(use[1] or use[2], use[0]), text)
    if "$((" not in text:
        return text
    numbers = {name: int(value) for name, value in values.items() if re.fullmatch(r"-?[0-9]{1,9}", value)}
    return _ARITHMETIC.sub(lambda found: _arithmetic_result(found, numbers), text)


def _arithmetic_result(found: re.Match[str], numbers: Mapping[str, int]) -> str:
    value = evaluate(found[1], numbers)
    return found[0] if value is None else str(value)


def with_assignments(text: str, names: Iterable[str], variables: Mapping[str, str]) -> str:
    """A command line after the assignments of some variables, so that it contains all values that it needs."""
    return "; ".join([*(variables[name] for name in names if name in variables), text])

"""Expressions of time and motion: a small language with its own parser; nothing is ever evaluated as Python.

From loosest to tightest: ``or``, ``and``, ``not``, one of ``< <= > >=``, ``+ -``, ``* /``, a leading ``+ -``, ``^`` or
``**`` (right to left, so -2^2 = -4 and 2^3^2 = 512). Comparisons give conditions, which only ``if``, ``and``, ``or``,
``not`` take; everything else takes and gives numbers. Names are matched without regard to case. A motion column is
written as ``slider.vx``, or ``'my slider'.vx`` when the name has characters other than letters, digits and ``_``; a
single quote within such a name is doubled.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from sheetmbs.engine.motion.operations import STACK_DEPTH, Operation
from sheetmbs.schema import tokens
from sheetmbs.schema.names import fold
from sheetmbs.schema.tokens import MAX_LENGTH, ExpressionError, Token, tokenize

__all__ = ["Apply", "Expression", "ExpressionError", "Node", "Number", "Parser", "Reduce", "Time", "Variable", "parse"]

MAX_NESTING = 120
MAX_DEPTH = 250


@dataclass(frozen=True, slots=True)
class Number:
    """A constant in an expression."""

    value: float


@dataclass(frozen=True, slots=True)
class Time:
    """The time t in an expression, s."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A motion column. index: its place in `Expression.variables`."""

    index: int


@dataclass(frozen=True, slots=True)
class Apply:
    """An operation on its arguments. A condition is a number that is 0 or not; ``and``, ``or``, ``not`` are IF."""

    operation: Operation
    arguments: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Reduce:
    """A number made of columns over all rows, in responses of studies only. function: its name."""

    function: str
    arguments: tuple[Node, ...]


Node = Number | Time | Variable | Apply | Reduce


@dataclass(frozen=True)
class Expression:
    """A parsed expression. text: as written. variables: motion columns in order of first use, as first written."""

    text: str
    tree: Node = field(repr=False, compare=False)
    variables: tuple[str, ...] = ()

    def __deepcopy__(self, memo: object) -> Expression:
        return self

    def __reduce__(self) -> tuple[Callable[..., Expression], tuple[str, tuple[str, ...]]]:
        return _restore, (self.text, self.variables)  # a tree may be deeper than pickle goes


class Term(NamedTuple):
    """A part already read. depth: levels of its tree; stack: places it needs there; first: the token it begins with.

    is_series: whether it has a value in every row of a table, in responses of studies.
    """

    node: Node
    first: Token
    is_condition: bool = False
    depth: int = 1
    stack: int = 1
    is_series: bool = False


class Function(NamedTuple):
    """A function users may call, the least and greatest number of its arguments, and that number in words."""

    operation: Operation
    least: int
    most: int
    needs: str


CONSTANTS: dict[str, Node] = {"t": Time(), "pi": Number(math.pi)}
FUNCTIONS = {
    name: Function(Operation[name.upper()], 1, 1, "1 argument")
    for name in ("sin", "cos", "tan", "asin", "acos", "atan", "exp", "log", "sqrt", "abs", "sign")
} | {
    "atan2": Function(Operation.ATAN2, 2, 2, "2 arguments"),
    "min": Function(Operation.MIN, 2, MAX_LENGTH, "2 or more arguments"),
    "max": Function(Operation.MAX, 2, MAX_LENGTH, "2 or more arguments"),
    "step": Function(Operation.STEP, 5, 5, "5 arguments"),
    "if": Function(Operation.IF, 3, 3, "3 arguments"),
}
LEVELS = {"or": 1, "and": 2, "<": 4, "<=": 4, ">": 4, ">=": 4, "+": 5, "-": 5, "*": 6, "/": 6, "^": 8}
NOT_LEVEL, SIGN_LEVEL = 3, 7
ARITHMETIC = {
    "+": Operation.ADD,
    "-": Operation.SUBTRACT,
    "*": Operation.MULTIPLY,
    "/": Operation.DIVIDE,
    "^": Operation.POWER,
}
COMPARISONS = {"<": Operation.LESS, "<=": Operation.LESS_EQUAL, ">": Operation.LESS, ">=": Operation.LESS_EQUAL}


def parse(text: str, variables: Callable[[str], bool] | None = None) -> Expression:
    """Parse the text of an expression.

    variables: tells whether a motion column exists, given its name without quotes; None allows none, only ``t``.
    Raises ExpressionError.
    """
    try:
        return Parser(text, variables).parse()
    except ExpressionError as error:
        raise completed(error, text, lambda corrected: Parser(corrected, variables).parse()) from None


def completed(error: ExpressionError, text: str, parsed: Callable[[str], Expression]) -> ExpressionError:
    """The error of a formula in the spelling of another language, with all of it put right; another error as it is.

    parsed: parses the corrected text. Raises ExpressionError.
    """
    corrected, changes = tokens.in_english(text)
    if len(changes) < 2:
        return error
    try:
        parsed(corrected)
    except ExpressionError:
        return ExpressionError(error.position, error.found, f"{error.problem}; also {', '.join(changes)}", error.mend)
    problem = f"this is spelled as in a spreadsheet of another language: {', '.join(changes)}"
    return ExpressionError(error.position, error.found, problem, f"write {corrected}")


def _restore(text: str, variables: tuple[str, ...]) -> Expression:
    """Read an expression again that was read before."""
    known = {fold(name) for name in variables}
    return parse(text, lambda name: fold(name) in known)


class Parser:
    """Precedence climbing (Clarke 1986) over a list of tokens."""

    def __init__(self, text: str, variables: Callable[[str], bool] | None) -> None:
        self.text = text
        self.tokens = tokenize(text)
        self.place = 0
        self.nesting = 0
        self.open = 0
        self.is_variable = variables
        self.names: list[str] = []

    def parse(self) -> Expression:
        """The whole text. Raises ExpressionError."""
        if len(self.tokens) == 1:
            mend = "write for example 0.1*sin(2*pi*t)"
            raise ExpressionError(0, "an empty expression", "a number or an expression is needed", mend)
        term = self.binary(0)
        if self.next.kind != "end":
            raise self.not_an_end()
        self.need_number(term, "the whole expression")
        return Expression(self.text, term.node, tuple(self.names))

    @property
    def next(self) -> Token:
        """The token that comes next."""
        return self.tokens[self.place]

    def take(self) -> Token:
        """Go past the next token, and return it."""
        self.place += 1
        return self.tokens[self.place - 1]

    def binary(self, level: int) -> Term:
        """Operands joined by operators of at least this level. Every way down passes here, so nesting is counted here."""
        self.nesting += 1
        if self.nesting > MAX_NESTING:
            problem = "parentheses, signs and powers are nested too deeply"
            raise tokens.error(self.next, problem, "simplify the expression, or give it as a curve")
        term = self.prefix()
        while (operator := self.operator()) and LEVELS[operator] >= level:
            token = self.take()
            right = self.binary(SIGN_LEVEL if operator == "^" else LEVELS[operator] + 1)
            term = self.join(operator, token, term, right)
        self.nesting -= 1
        return term

    def operator(self) -> str:
        """The next token if it joins two operands, else ``""``."""
        word = self.next.text.casefold()
        return word if word in LEVELS else ""

    def join(self, operator: str, token: Token, left: Term, right: Term) -> Term:
        """Two operands joined by an operator, which stands at ``token``."""
        if operator in ("and", "or"):
            self.need_condition(left, f"'{operator}'")
            self.need_condition(right, f"'{operator}'")
            constant = Term(Number(0.0 if operator == "and" else 1.0), token)
            branches = [right, constant] if operator == "and" else [constant, right]
            return self.apply(Operation.IF, [left, *branches], token)._replace(is_condition=True)
        if operator in COMPARISONS:
            if left.is_condition and isinstance(left.node, Apply) and left.node.operation in COMPARISONS.values():
                mend = "join two comparisons by and, for example 0 < t and t < 1"
                raise tokens.error(token, "comparisons cannot be chained", mend)
            self.need_number(left, f"'{operator}'")
            self.need_number(right, f"'{operator}'")
            sides = [left, right] if operator in ("<", "<=") else [right, left]
            term = self.apply(COMPARISONS[operator], sides, token)
            return term._replace(first=left.first, is_condition=True)
        self.need_number(left, f"'{operator}'")
        self.need_number(right, f"'{operator}'")
        return self.apply(ARITHMETIC[operator], [left, right], token)

    def prefix(self) -> Term:
        """An operand with a sign or ``not`` in front of it."""
        token = self.next
        if token.text in ("+", "-"):
            self.take()
            operand = self.binary(SIGN_LEVEL)
            self.need_number(operand, f"'{token.text}'")
            if isinstance(operand.node, Number) and token.text == "-":
                return Term(Number(-operand.node.value), token)
            term = operand if token.text == "+" else self.apply(Operation.NEGATE, [operand], token)
            return term._replace(first=token)
        if token.text.casefold() == "not":
            self.take()
            operand = self.binary(NOT_LEVEL)
            self.need_condition(operand, "'not'")
            term = self.apply(Operation.IF, [operand, Term(Number(0.0), token), Term(Number(1.0), token)], token)
            return term._replace(first=token, is_condition=True)
        return self.operand()

    def operand(self) -> Term:
        """A number, a name or what stands in parentheses."""
        token = self.next
        if token.kind == "number":
            self.take()
            if math.isinf(float(token.text)):
                raise tokens.error(token, "the number is too large", "use a number below 1e308")
            return Term(Number(float(token.text)), token)
        if token.kind == "name" and token.text.casefold() not in LEVELS:
            self.take()
            return self.named(token)
        if token.text == "(":
            self.take()
            self.open += 1
            term = self.binary(0)
            self.close(token)
            return term._replace(first=token)
        raise tokens.not_an_operand(token, is_open=self.open > 0)

    def named(self, token: Token) -> Term:
        """A constant, a motion column or the call of a function."""
        word = token.name.casefold()
        is_call = self.next.text == "("
        if token.text.startswith("'") or "." in token.name:
            return Term(self.variable(token), token)
        if word in FUNCTIONS and is_call:
            return self.call(token, word)
        if word in FUNCTIONS:
            raise tokens.no_parentheses(token, word, self.next)
        if word not in CONSTANTS:
            known = FUNCTIONS if is_call else {**CONSTANTS, **FUNCTIONS}
            raise tokens.unknown_name(token, is_call=is_call, known=known, columns=self.is_variable is not None)
        if is_call and word == "pi" and self.tokens[self.place + 1].text == ")":
            self.place += 2  # as spreadsheets write it
        elif is_call:
            raise tokens.error(token, f"{word} is not a function", f"write {word}*( if a product is meant")
        return Term(CONSTANTS[word], token)

    def variable(self, token: Token) -> Variable:
        """A column that is known."""
        if self.is_variable is None or not self.is_variable(token.name):
            raise tokens.unknown_column(token, columns=self.is_variable is not None)
        known = [fold(name) for name in self.names]
        if fold(token.name) not in known:
            self.names.append(token.name)
            return Variable(len(known))
        return Variable(known.index(fold(token.name)))

    def call(self, token: Token, word: str) -> Term:
        """A function with its arguments in parentheses."""
        arguments, end = self.arguments()
        return self.called(token, word, arguments, end)

    def arguments(self) -> tuple[list[Term], Token]:
        """The arguments in the parentheses that begin here, and the closing one."""
        bracket = self.take()
        self.open += 1
        arguments = [] if self.next.text == ")" else [self.binary(0)]
        while arguments and self.next.text == ",":
            self.take()
            arguments.append(self.binary(0))
        return arguments, self.close(bracket)

    def called(self, token: Token, word: str, arguments: list[Term], end: Token) -> Term:
        """A function of the language with its arguments, checked. end: the closing parenthesis."""
        function = FUNCTIONS[word]
        if not function.least <= len(arguments) <= function.most:
            inside = self.text[token.start : end.end] if len(arguments) > function.most else ""
            raise tokens.wrong_count(token, word, function.needs, len(arguments), inside)
        if word == "if":
            self.need_condition(arguments[0], "'if' as its first argument")
        for argument in arguments[1:] if word == "if" else arguments:
            self.need_number(argument, f"'{word}'")
        if word == "step":
            check_step(arguments)
        if word not in ("min", "max"):
            return self.apply(function.operation, arguments, token)._replace(first=token)
        term = arguments[0]
        for argument in arguments[1:]:
            term = self.apply(function.operation, [term, argument], token)
        return term._replace(first=token)

    def close(self, bracket: Token) -> Token:
        """Take the closing parenthesis."""
        if self.next.kind == "end":
            raise tokens.not_closed(bracket)
        if self.next.text != ")":
            raise self.not_an_end()
        self.open -= 1
        return self.take()

    def apply(self, operation: Operation, terms: list[Term], token: Token) -> Term:
        """An operation on parts that have the right kind."""
        depth = 1 + max(term.depth for term in terms)
        waiting = [0] * len(terms) if operation == Operation.IF else range(len(terms))
        stack = max(places + term.stack for places, term in zip(waiting, terms, strict=True))
        if depth > MAX_DEPTH or stack > STACK_DEPTH:
            problem = (
                f"more than {MAX_DEPTH} operations follow each other, or more than {STACK_DEPTH} wait for each other"
            )
            raise tokens.error(token, problem, "split the expression over several rows, or give it as a curve")
        node = Apply(operation, tuple(term.node for term in terms))
        is_series = any(term.is_series for term in terms)
        return Term(node, terms[0].first, depth=depth, stack=stack, is_series=is_series)

    def need_number(self, term: Term, what: str) -> None:
        """Raise ExpressionError where a part is a condition. what: needs a number, for the message."""
        if term.is_condition:
            problem = f"a condition begins here where {what} needs a number"
            raise tokens.error(term.first, problem, "turn it into a number by if(condition, 1, 0)")

    def need_condition(self, term: Term, what: str) -> None:
        """Raise ExpressionError where a part is no condition. what: needs one, for the message."""
        if not term.is_condition:
            mend = "write a comparison, for example t < 1"
            raise tokens.error(term.first, f"a number begins here where {what} needs a condition", mend)

    def not_an_end(self) -> ExpressionError:
        """The error of what stands behind a complete part."""
        after = self.tokens[min(self.place + 1, len(self.tokens) - 1)]
        return tokens.not_an_end(self.tokens[self.place - 1], self.next, after)


def check_step(arguments: list[Term]) -> None:
    """Raise ExpressionError if a step, as far as its ends are plain numbers, does not go forward."""
    begin, end = arguments[1], arguments[3]
    if isinstance(begin.node, Number) and isinstance(end.node, Number) and end.node.value <= begin.node.value:
        mend = f"write {tokens.USAGE['step']} with t0 < t1"
        raise tokens.error(end.first, "the end of a step must come after its start", mend)

"""Formulas that are reckoned while they are written: text for the spreadsheet, value for the file.

A `Term` takes part in Python arithmetic like a number, so a dimension chain stands in a script once and not twice.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from string import Formatter

from look import Cell, Formula
from sketch import View
from style import Handout

SUM, PRODUCT, POWER, ATOM = 1, 2, 3, 4
"""how tightly the parts of a text hold together"""


@dataclass(frozen=True)
class Term:
    """A part of a formula. strength: of the operation that its text ends with."""

    text: str
    value: float
    strength: int = ATOM

    def __add__(self, other: Term | float) -> Term:
        right = term(other)
        return Term(f"{self.text}+{right.held(SUM)}", self.value + right.value, SUM)

    def __radd__(self, other: float) -> Term:
        return term(other) + self

    def __sub__(self, other: Term | float) -> Term:
        right = term(other)
        return Term(f"{self.text}-{right.held(PRODUCT)}", self.value - right.value, SUM)

    def __rsub__(self, other: float) -> Term:
        return term(other) - self

    def __mul__(self, other: Term | float) -> Term:
        right = term(other)
        return Term(f"{self.held(PRODUCT)}*{right.held(PRODUCT)}", self.value * right.value, PRODUCT)

    def __rmul__(self, other: float) -> Term:
        return term(other) * self

    def __truediv__(self, other: Term | float) -> Term:
        right = term(other)
        return Term(f"{self.held(PRODUCT)}/{right.held(POWER)}", self.value / right.value, PRODUCT)

    def __rtruediv__(self, other: float) -> Term:
        return term(other) / self

    def __pow__(self, power: int) -> Term:
        return Term(f"{self.held(ATOM)}^{power}", self.value**power, POWER)

    def __neg__(self) -> Term:
        return Term(f"(-{self.held(ATOM)})", -self.value)

    def held(self, strength: int) -> str:
        """The text as an operand of an operation of this strength, in parentheses where it needs them."""
        return self.text if self.strength >= strength else f"({self.text})"

    @property
    def cell(self) -> Formula:
        """What a script writes into a cell."""
        return Formula(f"={self.text}", self.value)


def term(value: Term | float) -> Term:
    """A term as it is, or a number as a term; negative ones in parentheses."""
    if isinstance(value, Term):
        return value
    text = f"{value:.15g}"
    return Term(f"({text})" if value < 0 else text, float(value))


class Dimensions:
    """The sheet Dimensions in the making: what is added can be reckoned with at once. rows: for `Handout.parameters`."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, Cell, str, str]] = []

    def add(self, name: str, value: Term | float, unit: str, notes: str = "") -> Term:
        """Add a number, typed or reckoned, and return a term that refers to its cell."""
        self.rows.append((name, value.cell if isinstance(value, Term) else value, unit, notes))
        return Term(f"Dimensions!$B${len(self.rows) + 1}", term(value).value)


def number(book: Handout, sheet: str, row: str, column: str) -> Term:
    """The number in a cell that has been written already."""
    return Term(book.at(sheet, row, column), book.value(sheet, row, column))


def dimension(book: Handout, name: str) -> Term:
    """The number of this name on the sheet Dimensions."""
    return number(book, "Dimensions", name, "value")


def place(book: Handout, point: str) -> tuple[Term, Term, Term]:
    """x, y and z of a point on the sheet Points."""
    return tuple(number(book, "Points", point, axis) for axis in "xyz")  # type: ignore[return-value]


def seen(view: View, *position: Term | float) -> tuple[Formula, Formula]:
    """Where a point of space, given by x, y and z, stands on a sketch."""
    x, y, z = (each.cell if isinstance(each, Term) else each for each in position)
    return view.point(x, y, z)


def written(template: str, **terms: Term) -> Formula:
    """A formula whose result is a text, such as an expression for a cell of Forces. template: with ``{name}`` of terms.

    Numbers stand in it to six decimals, with a point whatever the language of the program.
    """
    parts = [
        f'"{text}"&SUBSTITUTE(ROUND({terms[name].text},6),",",".")' if name else f'"{text}"'
        for text, name, _, _ in Formatter().parse(template)
    ]
    values = {name: f"{round(each.value, 6):.15g}" for name, each in terms.items()}
    return Formula("=" + "&".join(parts), template.format(**values))


def _function(name: str, value: float, *operands: Term) -> Term:
    return Term(f"{name}({','.join(operand.text for operand in operands)})", value)


def sine(degrees: Term) -> Term:
    """Sine of an angle in degrees."""
    return _function("SIN", math.sin(math.radians(degrees.value)), _function("RADIANS", 0.0, degrees))


def cosine(degrees: Term) -> Term:
    """Cosine of an angle in degrees."""
    return _function("COS", math.cos(math.radians(degrees.value)), _function("RADIANS", 0.0, degrees))


def tangent(degrees: Term) -> Term:
    """Tangent of an angle in degrees."""
    return _function("TAN", math.tan(math.radians(degrees.value)), _function("RADIANS", 0.0, degrees))


def root(square: Term) -> Term:
    """Square root."""
    return _function("SQRT", math.sqrt(square.value), square)


def pi() -> Term:
    """The number pi."""
    return Term("PI()", math.pi)


def angle_of(x: Term, y: Term) -> Term:
    """Angle of the vector (x, y) against x in degrees."""
    towards = _function("ATAN2", 0.0, x, y)
    return _function("DEGREES", math.degrees(math.atan2(y.value, x.value)), towards)

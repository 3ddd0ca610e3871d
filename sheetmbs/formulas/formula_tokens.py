"""The tokens of a formula, as the library of formulas tells them apart."""

from __future__ import annotations

from typing import NamedTuple


class FormulaToken(NamedTuple):
    """A piece of a formula. kind and part: names as the library has them, such as ``Operand`` and ``Range``."""

    kind: str
    part: str
    value: str

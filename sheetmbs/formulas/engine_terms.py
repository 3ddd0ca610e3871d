"""Words of the engine of formulas for errors and tokens, and how long formulas and their texts may be.

Limits are those of Excel (its specifications and limits).
"""

from __future__ import annotations

from typing import NamedTuple

NOT_MADE_WORD = "#N/IMPL!"
ENGINE_WORDS = {
    "#DIV/0!": "Div",
    "#N/A": "Na",
    "#NAME?": "Name",
    "#NULL!": "Null",
    "#NUM!": "Num",
    "#REF!": "Ref",
    "#VALUE!": "Value",
    "#SPILL!": "Spill",
    "#CALC!": "Calc",
    "#CIRC!": "Circ",
    NOT_MADE_WORD: "NImpl",
}
"""the engine's words by those of spreadsheets; the last two are its own"""

LONGEST_TEXT = 32_767
"""characters of a text, in a cell and inside a formula"""
LONGEST_FORMULA = 8_192
"""characters of a formula"""
BOUNDED_TEXT = "SHEETMBS.TEXT"
"""the function of ours that stands around what could be longer, in formulas as the engine has them"""
LENGTHENING = frozenset(
    {
        "ARRAYTOTEXT",
        "CONCAT",
        "CONCATENATE",
        "DOLLAR",
        "ENCODEURL",
        "FIXED",
        "LOWER",
        "PROPER",
        "REPLACE",
        "REPLACEB",
        "TEXT",
        "TEXTJOIN",
        "UPPER",
        "VALUETOTEXT",
    }
)
"""functions whose text may be longer than those that they are given"""


class FormulaToken(NamedTuple):
    """A piece of a formula. kind and part: names as the library has them, such as ``Operand`` and ``Range``."""

    kind: str
    part: str
    value: str

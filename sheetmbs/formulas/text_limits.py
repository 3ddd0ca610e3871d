"""How long formulas and their texts may be (Excel's specifications and limits)."""

from __future__ import annotations

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

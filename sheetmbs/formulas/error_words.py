"""Words for errors in place of values: those of spreadsheets, and those of the engine of formulas."""

from __future__ import annotations

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

"""Why a formula cannot be computed here, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sheetmbs.problems.errors import Problem
from sheetmbs.problems.listing import sentence_list
from sheetmbs.schema.cell import Place

ENTER = "enter the value in place of the formula, or write the formula in another way"
LIMITED = "the length of a formula, the cells that it fills, its memory and its time are limited"
SMALLER = "let it read or make fewer cells or shorter texts, or enter the value in place of the formula"
VOLATILE = {"RAND", "RANDBETWEEN", "RANDARRAY", "NOW", "TODAY"}
"""functions that give another value every time"""


@dataclass(frozen=True, slots=True)
class FormulaFault:
    """What is wrong with a formula: a short code, what was found, the rule, the mend."""

    code: str
    found: str
    rule: str
    mend: str

    def at(self, place: Place) -> Problem:
        """The same as an error at a cell."""
        return Problem(self.code, "error", str(place), self.found, self.rule, self.mend)


def unsupported(what: str, rule: str = "it cannot be computed here") -> FormulaFault:
    """A formula that holds something which the engine of formulas does not know."""
    return FormulaFault("formula-unsupported", f"a formula with {what}", rule, ENTER)


def exhausting(why: str) -> FormulaFault:
    """A formula at which the process of the library ended. why: the end of the sentence, such as ``takes more than 5 s``."""
    return FormulaFault("formula-too-large", f"a formula that {why}", LIMITED, SMALLER)


def not_reached(places: Sequence[Place]) -> FormulaFault:
    """A formula that was not computed, for others have used up all that is allowed. places: of these."""
    rule = (
        f"{sentence_list([*map(str, places)])} need more memory or time than formulas may have, so it is not computed"
    )
    return FormulaFault(
        "formula-too-large", "a formula that other formulas prevent from being computed", rule, f"correct {places[0]}"
    )


def too_large(what: str) -> FormulaFault:
    """A formula that a spreadsheet program would not take."""
    return FormulaFault("formula-too-large", f"a formula with {what}", LIMITED, SMALLER)


def no_sheet(reference: str, *, is_of_results: bool) -> FormulaFault:
    """A formula that refers to a sheet which the workbook does not have. is_of_results: a run would write it."""
    mend = "run the workbook first, which writes the result sheets" if is_of_results else ENTER
    return FormulaFault(
        "formula-unsupported", f"a formula with the reference {reference}", "there is no such sheet", mend
    )


def volatile(function: str) -> FormulaFault:
    """A formula whose value is another one each time."""
    rule = "its value changes every time, and the model depends on it"
    return FormulaFault("formula-volatile", f"a formula with {function}", rule, "enter the value")


def undefined(name: str) -> FormulaFault:
    """A formula with a name that stands for nothing."""
    return FormulaFault("formula-undefined-name", f"a formula with the name {name}", "no such name is defined", ENTER)

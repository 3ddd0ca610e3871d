"""The tyre of a row, by whichever model it asks for."""

from __future__ import annotations

from collections.abc import Sequence

from sheetmbs.tyres.coefficients import FITTYP, FORMAT, INFLATION, MAGIC_NAMES, RANGES, SIDE, SIMPLE
from sheetmbs.tyres.given_values import GivenValues, TyreProblems
from sheetmbs.tyres.magic_tyre import TyreRow, magic_tyre
from sheetmbs.tyres.simple_tyre import simple_tyre
from sheetmbs.tyres.tabled import tabled_tyre
from sheetmbs.tyres.tyre import Tyre
from sheetmbs.tyres.tyre_points import TyrePoint

MAGIC = frozenset((*MAGIC_NAMES, FITTYP, FORMAT, SIDE, INFLATION, *(name for pair in RANGES for name in pair)))
"""names of coefficients of the magic formula"""


def make_tyre(
    model: str, given: GivenValues, points: Sequence[TyrePoint], row: TyreRow, problems: TyreProblems
) -> Tyre | None:
    """The tyre; None where it cannot be, which is reported.

    model: magic formula, linear, fiala or table. given: coefficients. points: measured, for a table.
    """
    if model == "table":
        for each in given.values():
            rule, fix = "a table is made of the rows of Tyre data alone", "delete the row, or choose another model"
            problems.error("unknown-coefficient", each.place, each.name, rule, fix)
        return tabled_tyre(points, row, problems)
    if model in ("linear", "fiala"):
        return simple_tyre(model, given, row, problems)
    stray = [each for name, each in given.items() if name in SIMPLE]
    for each in stray:
        rule = f"{each.name.lower()} belongs to the models linear and fiala"
        problems.error(
            "unknown-coefficient", each.place, each.name.lower(), rule, "write one of them in model on Tyres"
        )
    return None if stray else magic_tyre(given, row, problems)

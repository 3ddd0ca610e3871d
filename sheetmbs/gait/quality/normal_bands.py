"""Normative bands that no chart shows, or that stand in another unit or sense than their chart."""

from __future__ import annotations

from sheetmbs.gait.signs import COMPONENTS, OF_ANGLES, TURNING_MOMENTS, TURNS, ShownAs, Signs
from sheetmbs.gait.trial.gait_book import GaitBook
from sheetmbs.schema.names import did_you_mean, fold
from sheetmbs.schema.problem_list import ProblemList, place_of, quoted

IN_THE_PLANE = ("angle", "moment", "power")
IN_SPACE = ("flexion", *TURNS, "moment_flexion", *TURNING_MOMENTS, *COMPONENTS)
"""quantities of joints that charts show"""
OF_BODY = {"pelvis": ("tilt", "obliquity", "rotation"), "foot": ("progression",)}
"""angles in the laboratory that charts and scores show"""
SPELLINGS = {"nm": "n*m", "\N{DEGREE SIGN}": "deg", "degrees": "deg", "degree": "deg"}
"""how units are written too"""


def check_bands(book: GaitBook, report: ProblemList) -> None:
    """A warning for each band of which there is no chart, an error where its unit or positive sense is another."""
    charted = _charted(book)
    _check_made_alike(book, report)
    for band in book.bands:
        shown = charted.get(fold(band.quantity))
        if shown is None:
            joints = list(dict.fromkeys(row.name for row in book.joints))
            otherwise = f"joints are {', '.join(joints)}, quantities {', '.join(_quantities(book))}"
            mend = did_you_mean(band.quantity, list(charted), otherwise)
            report.warning("unknown-band", place_of(band.cell), quoted(band.quantity), "no chart shows it", mend)
            continue
        unit, _, sense = band.unit.partition(",")
        found = f"{band.quantity} in {quoted(band.unit)}"
        if unit.strip() and _plain(unit) != _plain(shown.unit):
            problem = f"its chart is in {shown.unit}"
            setting = "" if fold(band.quantity).endswith(OF_ANGLES) else ", or choose moment_unit and power_unit"
            report.error("other-unit", place_of(band.cell), found, problem, f"turn its columns into that{setting}")
        elif sense.strip() and fold(sense.strip(" +")) != fold(shown.sense):
            problem = f"in its chart {shown.sense} is positive"
            mend = "turn the sign of its columns, or choose signs and moment on Processing"
            report.error("other-sense", place_of(band.cell), found, problem, mend)


def _check_made_alike(book: GaitBook, report: ProblemList) -> None:
    """A warning where a norm says that it was made with another model of the body, or its moments in other axes."""
    how = book.processing
    for band in book.bands[:1]:
        if band.model and band.model != fold(how.model):
            found = f"the norm is of the model {band.model}"
            problem = f"this workbook's is {how.model}: joint centres and axes differ, and so do curves"
            report.warning("other-model", place_of(band.cell), found, problem, "take a norm of the same model")
    moments = [each for each in book.bands if "moment" in fold(each.quantity) and each.axes]
    for band in moments[:1]:
        if book.dimension == "3D" and band.axes != fold(how.moment_axes):
            found = f"the norm has its moments in axes {band.axes}"
            problem = f"this workbook's are {how.moment_axes}"
            mend = f"write moment_axes = {band.axes} on Processing, or take another norm"
            report.warning("other-axes", place_of(band.cell), found, problem, mend)


def _quantities(book: GaitBook) -> tuple[str, ...]:
    return (*IN_THE_PLANE, *(IN_SPACE if book.dimension == "3D" else ()))


def _charted(book: GaitBook) -> dict[str, ShownAs]:
    """What the names of bands show: of a joint of both sides and of one."""
    signs = Signs(book)
    of_body = {
        fold(f"{side}{owner}.{quantity}"): signs.axial(quantity)
        for owner, quantities in OF_BODY.items()
        for quantity in quantities
        for side in ("", "right ", "left ")
        if book.dimension == "3D"
    }
    support = {fold(f"{side}support.moment"): signs.support for side in ("", "right ", "left ")}
    return (
        of_body
        | support
        | {
            fold(f"{side}{name}.{quantity}"): signs.of(row, quantity)
            for row in book.joints
            for name in (row.name, signs.kind(row))
            for side in ("", f"{row.side} ")
            for quantity in _quantities(book)
            if name
        }
    )


def _plain(unit: str) -> str:
    """A unit without blanks, in one spelling."""
    text = "".join(unit.lower().replace("\N{MIDDLE DOT}", "*").split())
    for spelling, plain in SPELLINGS.items():
        text = text.replace(spelling, plain)
    return text

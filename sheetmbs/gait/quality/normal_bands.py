"""Normative bands that no chart shows, or that stand in another unit or sense than their chart."""

from __future__ import annotations

from sheetmbs.gait.signs import COMPONENTS, OF_ANGLES, TURNING_MOMENTS, TURNS, ShownAs, Signs
from sheetmbs.gait.trial.gait_book import GaitBook
from sheetmbs.schema.names import did_you_mean, fold
from sheetmbs.schema.problem_list import ProblemList, place_of, quoted

IN_THE_PLANE = ("angle", "moment", "power")
IN_SPACE = ("flexion", *TURNS, "moment_flexion", *TURNING_MOMENTS, *COMPONENTS)
"""quantities of joints that charts show"""
SPELLINGS = {"nm": "n*m", "\N{DEGREE SIGN}": "deg", "degrees": "deg", "degree": "deg"}
"""how units are written too"""


def check_bands(book: GaitBook, report: ProblemList) -> None:
    """A warning for each band of which there is no chart, an error where its unit or positive sense is another."""
    charted = _charted(book)
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


def _quantities(book: GaitBook) -> tuple[str, ...]:
    return (*IN_THE_PLANE, *(IN_SPACE if book.dimension == "3D" else ()))


def _charted(book: GaitBook) -> dict[str, ShownAs]:
    """What the names of bands show: of a joint of both sides and of one."""
    signs = Signs(book)
    return {
        fold(f"{side}{name}.{quantity}"): signs.of(row, quantity)
        for row in book.joints
        for name in (row.name, signs.kind(row))
        for side in ("", f"{row.side} ")
        for quantity in _quantities(book)
        if name
    }


def _plain(unit: str) -> str:
    """A unit without blanks, in one spelling."""
    text = "".join(unit.lower().replace("\N{MIDDLE DOT}", "*").split())
    for spelling, plain in SPELLINGS.items():
        text = text.replace(spelling, plain)
    return text

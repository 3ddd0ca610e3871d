"""The sheet Normative: what cannot be meant in it is a sentence at its cell, and a sound band raises none."""

import numpy as np
import pytest

from tests.gait.planted_faults import only, problems_in
from tests.support import gait_walker

PERCENT = np.arange(0.0, 101.0, 5.0)
HEADERS = ("percent", "knee.angle.mean", "knee.angle.sd")


def knee(sign=1.0):
    """The knee of the walker in degrees, flexion +."""
    pieces = gait_walker.walk(PERCENT / 100.0 * gait_walker.PERIOD).pieces
    return sign * np.degrees(pieces["right thigh"].angle.value - pieces["right shank"].angle.value)


def band(headers=HEADERS, units=("%", "deg", "deg"), percent=PERCENT, mean=None, sd=5.0):
    """A change of a workbook that gives it such a sheet."""
    middle = knee() if mean is None else mean
    rows = np.column_stack((percent, middle, np.full(len(percent), sd))).tolist()

    def change(sheets):
        sheets["Normative"] = [headers, units, *rows, ("source", "nobody")]

    return change


@pytest.mark.parametrize("name", ["knee.angle", "Right Knee.angle"])
@pytest.mark.parametrize("unit", ["deg", "\N{DEGREE SIGN}", "deg, flexion +", None])
def test_a_band_in_the_signs_and_units_of_its_chart_raises_no_word(tmp_path, name, unit):
    assert problems_in(tmp_path, band(("percent", f"{name}.mean", f"{name}.sd"), ("%", unit, unit))) == []


@pytest.mark.parametrize(
    ("change", "code", "cell", "words"),
    [
        (band(percent=PERCENT / 100.0), "not-percent", "A1", "multiply it by 100"),
        (band(percent=PERCENT[::-1]), "not-increasing", "A1", "goes up from 0 to 100"),
        (band(units=("%", "rad", "rad")), "other-unit", "B1", "in deg"),
        (band(units=("%", "deg, extension +", "deg")), "other-sense", "B1", "flexion is positive"),
        (band(sd=-1.0), "wrong-band", "C3", "not below 0"),
        (band(("percent", "knee.angle.low", "knee.angle.high")), "wrong-band", "C4", "below its lower end"),
        (band(("percent", "knee.angle.mean", "knee.angle.high")), "incomplete-band", "B1", ".mean and .sd"),
        (band(("cycle", *HEADERS[1:])), "missing-column", "A1", "percent"),
    ],
)
def test_a_band_that_cannot_be_drawn_stops_the_run_at_its_cell(tmp_path, change, code, cell, words):
    told = only(problems_in(tmp_path, change), code)
    assert told.cell == f"Normative!{cell}"
    assert words in str(told)


@pytest.mark.parametrize(
    ("change", "code", "words"),
    [
        (band(("percent", "kne.angle.mean", "kne.angle.sd")), "unknown-band", "did you mean knee.angle"),
        (band(("percent", "knee.torque.mean", "knee.torque.sd")), "unknown-band", "quantities angle, moment, power"),
        (band(mean=knee(-1.0)), "reversed-band", "the other sign"),
    ],
)
def test_a_band_that_may_not_be_meant_is_a_warning(tmp_path, change, code, words):
    told = only(problems_in(tmp_path, change), code, "warning")
    assert told.cell == "Normative!B1"
    assert words in str(told)

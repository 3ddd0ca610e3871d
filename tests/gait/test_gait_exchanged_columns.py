"""Columns of plates under the names of others or with the other sign: each planted, told as such at the plate's columns."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from tests.gait import gait_space_trials as space
from tests.gait.planted_faults import NOISY, problems_in

LONG = replace(NOISY, end=4.0)
FIRST, SECOND = "FP2", "FP3"
"""plates that carry a whole contact of the walker, in axes of their own: x to the right, y backward"""


@pytest.fixture
def problems_of(tmp_path):
    return partial(problems_in, tmp_path)


def _column(rows, name):
    return rows[0].index(name)


def exchange(sheets, plate, one, other):
    rows = sheets["Force plates"]
    a, b = (_column(rows, f"{plate}.{name}") for name in (one, other))
    for row in rows[2:]:
        row[a], row[b] = row[b], row[a]


def turn(sheets, plate, *names):
    rows = sheets["Force plates"]
    for name in names:
        column = _column(rows, f"{plate}.{name}")
        for row in rows[2:]:
            row[column] = -row[column]


FAULTS = {
    "mx and my": (partial(exchange, one="mx", other="my"), "mx and my exchanged"),
    "my and mz": (partial(exchange, one="my", other="mz"), None),
    "mx and mz": (partial(exchange, one="mx", other="mz"), "mx and mz exchanged"),
    "fx and fy": (partial(exchange, one="fx", other="fy"), "fx and fy exchanged"),
    "the sign of fy": (lambda sheets, plate: turn(sheets, plate, "fy"), "fy of the other sign"),
    "the sign of moments": (
        lambda sheets, plate: turn(sheets, plate, "mx", "my", "mz"),
        "mx and my of the other sign",
    ),
}
"""what is done to a plate, and what would mend it; None: sideways alone, where a plane does not look"""


@pytest.mark.parametrize(("fault", "mend"), FAULTS.values(), ids=FAULTS)
def test_columns_of_one_plate_that_are_exchanged_are_told_with_what_would_mend_them(problems_of, fault, mend):
    told = [
        each
        for each in problems_of(lambda sheets: fault(sheets, SECOND), LONG, plates=True)
        if each.code == "exchanged-columns"
    ]
    if mend is None:
        assert not any("mx" in each.problem for each in told)
        return
    assert [(each.severity, each.cell.partition("!")[0]) for each in told] == [("error", "Force plates")]
    assert told[0].found.startswith(f"{SECOND}: ")
    assert told[0].problem == f"with {mend} they do"


def test_moments_of_feet_about_the_laboratory_that_are_exchanged_are_told(problems_of):
    def exchanged(sheets):
        rows = sheets["Force plates"]
        for side in ("right", "left"):
            a, b = (_column(rows, f"{side}.{name}") for name in ("mx", "mz"))
            for row in rows[2:]:
                row[a], row[b] = row[b], row[a]

    told = [each for each in problems_of(exchanged, LONG) if each.code == "exchanged-columns"]
    assert {each.problem for each in told} == {"with mx and mz exchanged they do"}
    assert [each.cell for each in told] == ["Force plates!B1", "Force plates!H1"]


def test_moments_in_space_that_are_exchanged_are_told(tmp_path):
    def exchanged(sheets):
        for number in range(1, 7):
            exchange(sheets, f"FP{number}", "mx", "my")

    told = space.problems_of(tmp_path, exchanged)
    assert {(each.code, each.problem) for each in told if each.severity == "error"} == {
        ("exchanged-columns", "with mx and my exchanged they do")
    }


@pytest.mark.parametrize("way", [(0.0, 0.0, 0.12), (0.0, 0.0, -0.12), (0.12, 0.0, 0.0), (-0.2, 0.0, 0.1)])
def test_plates_that_lie_elsewhere_have_no_exchanged_columns(problems_of, way):
    def moved(sheets):
        row = list(sheets["Plates"][3])
        row[1:13] = (np.array(row[1:13]).reshape(4, 3) + way).ravel().tolist()
        sheets["Plates"][3] = row

    told = problems_of(moved, LONG, plates=True)
    assert told
    assert "exchanged-columns" not in {each.code for each in told}

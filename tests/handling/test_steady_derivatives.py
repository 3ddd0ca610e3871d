"""Newton's matrix of steady states is the derivative of what they leave, and designs have no preferred side, axes or units."""

import numpy as np
import openpyxl
import pytest

from sheetmbs.engine.car_on_tyres import READ_OFFS, balance_states
from sheetmbs.suspension.handling.steady_states import (
    AX,
    AY,
    BETA,
    COUNT,
    IN_TRIM,
    LOADS,
    POWER,
    RACK,
    SLIPS,
    SQUARE,
    along_circle,
    closed_by,
    holding,
)
from sheetmbs.suspension.run_suspension import run_suspension
from tests.support import tyres
from tests.support.handling_books import column, handled, student_book

ROW = ("d", "yaw moment", "60 km/h", None, None, "-4 deg", "4 deg", "4 deg", "-10 mm", "10 mm", "10 mm")
AERO = {"downforce area": ("1.1 m^2", "1.3 m^2"), "drag area": ("0.9 m^2",), "drag height": ("350 mm",)}
DIFFERENCE = 1e-4
"""of each unknown over its size, in the middle of five points"""


def magic_book(path, rows=(ROW,), settings=None):
    """The formula student car on a tyre of a file, with wings."""
    tyre = path.parent / tyres.NAMES[61]
    tyre.write_text(tyres.text_of(tyre.name), encoding="latin-1")
    others = {
        "Tyres": [("name", "file"), ("car tyre", tyre.name)],
        "Tyre coefficients": [("tyre", "coefficient", "value")],
    }
    return student_book(path, rows, settings={**AERO, **(settings or {})}, others=others)


@pytest.fixture(scope="module", params=["magic formula", "linear"])
def car(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("books") / "car.xlsx"
    book = magic_book(path) if request.param == "magic formula" else student_book(path, [ROW], settings=AERO)
    return run_suspension(book).base.handling_car


def left_of(steady, torques, closure, x):
    """What the equations and read-offs leave of (n, unknowns), and their derivatives."""
    states, reached = steady.states(x, None)
    assert reached.all()
    count = len(x)
    residual, change = np.full((count, COUNT + READ_OFFS), np.nan), np.zeros((count, COUNT))
    matrix = np.zeros((count, COUNT + READ_OFFS, COUNT))
    bundle = steady.bundle(states, torques, closure, np.zeros((count, 4), dtype=bool))
    balance_states(bundle, x, np.arange(count), residual, change, matrix)
    return residual, matrix


def test_the_matrix_is_that_of_differences_of_fourth_order(car):
    steady, rng = car.steady, np.random.default_rng(7)
    x = steady.at_design(1, 16.0)[0]
    x[:7] += rng.uniform(-0.006, 0.006, 7)
    x[LOADS] *= rng.uniform(0.7, 1.3, 4)
    x[SLIPS] = rng.uniform(-0.02, 0.04, 4)
    x[[AY, AX, BETA, RACK]] = 6.0, -1.5, -0.03, 0.007
    given = [holding(BETA, 0.0), holding(RACK, 0.0), holding(SQUARE, 0.0), holding(AX, 0.0)]
    for conditions in (given, [along_circle(20.0), IN_TRIM, holding(AX, 0.0), holding(AY, 0.0)]):
        shifts = DIFFERENCE * steady.sizes
        steps = np.array([-2.0, -1.0, 1.0, 2.0])
        places = np.concatenate([x[None], *(x + step * np.diag(shifts) for step in steps)])
        count = len(places)
        residual, matrix = left_of(steady, car.torques(count, drive=300.0), closed_by(count, conditions), places)
        two_less, less, more, two_more = residual[1:].reshape(4, COUNT, -1)
        found = (two_less - 8.0 * less + 8.0 * more - two_more) / (12.0 * shifts[:, None])
        sizes = np.max(np.abs(matrix[0]) * steady.sizes, axis=1)[:, None]
        wrong = np.abs(matrix[0] - found.T) * steady.sizes / sizes
        # the power only ends an envelope: that radii of tyres grow with speed is left out of it
        by_speed = wrong[:POWER, SQUARE]
        assert np.max(np.delete(wrong, SQUARE, axis=1)) < 3e-7
        assert np.max(by_speed) < 3e-7


def mirrored(found, name):
    """A column of the states of a grid, in the order of those with the other slip and steer."""
    return column(found, name)[::-1]


@pytest.fixture(scope="module")
def book_numbers(tmp_path_factory):
    """The states of one car, from workbooks that say the same in other words."""
    folder = tmp_path_factory.mktemp("same")
    return {
        "as it is": handled(student_book(folder / "a.xlsx", [ROW]))["d"],
        "other axes": handled(in_sae_axes(student_book(folder / "b.xlsx", [ROW])))["d"],
        "metres": handled(student_book(folder / "c.xlsx", [in_si(ROW)], settings=IN_SI))["d"],
    }


IN_SI = {
    "cg height": ("0.29 m",),
    "mass": ("0.28 Mg",),
    "unsprung mass": ("9000 g", "10000 g"),
    "tyre rate": ("120 kN/m", "130 kN/m"),
    "tyre radius": ("0.23 m", "23 cm"),
    "camber": ("-0.0209439510239320 rad", "-0.8 deg"),
}


def in_si(row):
    """A row of Handling in m/s, rad and m."""
    angle = 4.0 * np.pi / 180.0
    return (*row[:2], f"{60.0 / 3.6!r} m/s", *row[3:5], -angle, angle, angle, "-0.01 m", "0.01 m", "1 cm")


def in_sae_axes(path):
    """The same hardpoints in the axes of SAE J670: x forward, y to the right, z down, of the left side too."""
    book = openpyxl.load_workbook(path)
    book["Suspension"].append(("axes", "SAE J670"))
    for row in book["Hardpoints"].iter_rows(min_row=3):
        for cell in row[3:5]:
            cell.value = -cell.value
    book.save(path)
    return path


@pytest.mark.parametrize("name", ["other axes", "metres"])
def test_states_do_not_depend_on_axes_and_units(book_numbers, name):
    first, other = book_numbers["as it is"], book_numbers[name]
    for each in (
        "beta",
        "rack",
        "ay",
        "ax",
        "yaw_moment",
        "FL.fz",
        "RR.fy",
        "FR.alpha",
        "FL.gamma",
        "roll",
        "pitch",
        "heave",
    ):
        size = np.nanmax(np.abs(column(first, each)))
        assert column(other, each) == pytest.approx(column(first, each), abs=1e-8 * size, nan_ok=True), each


def test_left_is_the_mirror_image_of_right(book_numbers):
    found = book_numbers["as it is"]
    for one, other, sense in (("FL.fz", "FR.fz", 1.0), ("RL.fy", "RR.fy", -1.0), ("FL.kappa", "FR.kappa", 1.0)):
        size = np.nanmax(np.abs(column(found, one)))
        same = pytest.approx(sense * mirrored(found, other), abs=1e-8 * max(size, 1e-4), nan_ok=True)
        assert column(found, one) == same
    for each, sense in (("ay", -1.0), ("CN", -1.0), ("roll", -1.0), ("pitch", 1.0), ("heave", 1.0), ("ax", 1.0)):
        size = np.nanmax(np.abs(column(found, each)))
        assert column(found, each) == pytest.approx(sense * mirrored(found, each), abs=1e-8 * size, nan_ok=True)

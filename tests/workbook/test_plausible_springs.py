"""Numbers of springs, stops, bars and set-up changes in another unit: each is told at its cell, and none of a correct car."""

from __future__ import annotations

import pytest

from tests.support.car_books import SPRINGS, car_book
from tests.workbook.test_plausible_settings import STILL, told

HEAD = ("name", "axle", "kind", "k", "free_length", "gap", "d", "di", "length", "G", "preload", "c")
CHANGES = ("axle", "item", "change", "unit")


def spring(kind, **cells):
    """A row of the front axle."""
    return ("it", "front", kind, *(cells.get(column) for column in HEAD[3:]))


SPRING = spring("spring", k="35 N/mm")
REAR = SPRINGS[2]
TUBE = {"d": "16 mm", "di": "12 mm", "length": "400 mm", "G": "80 GPa"}

WRONG = {
    "a free length in mm without a unit": (spring("spring", k="35 N/mm", free_length=200), "E", "its length at design"),
    "a free length in cm for mm": (spring("spring", k="35 N/mm", free_length="20 mm"), "E", "its length at design"),
    "a stop in N/mm without a unit": (spring("bump stop", k=300, gap="20 mm"), "D", "counts in N/m"),
    "a gap in mm without a unit": (spring("droop stop", k="300 N/mm", gap=20), "F", "its length at design"),
    "a bar's diameter without a unit": (spring("U bar", **{**TUBE, "d": 16, "di": 12}), "G", "between 0 and 150 mm"),
    "a bar's length without a unit": (spring("U bar", **{**TUBE, "length": 400}), "I", "between 0 and 5000 mm"),
    "a gap the other way": (spring("bump stop", k="300 N/mm", gap="-10 mm"), "F", "0 or more"),
    "a tube inside out": (spring("U bar", **{**TUBE, "di": "18 mm"}), "H", "smaller than its outer one, 16 mm"),
    "a bar's stiffness beside its tube": (spring("U bar", **TUBE, k="60 N*m/rad"), "G", "clear k or d"),
    "what a spring carries, twice": (
        spring("spring", k="35 N/mm", free_length="200 mm", preload="900 N"),
        "E",
        "clear preload or free_length",
    ),
    "a spring that pulls": (spring("spring", k="35 N/mm", preload="-900 N"), "K", "compressed, which is positive"),
    "a stop that pulls": (spring("bump stop", k="-300 N/mm", gap="20 mm"), "D", "look at its sign"),
    "a bar that leans": (spring("U bar", k="-60 N*m/rad"), "D", "look at its sign"),
    "a damper that drives": (spring("damper", c="-2 N*s/mm"), "L", "look at its sign"),
    "a damper of which nothing is said": (spring("damper"), "L", "a damper needs c, or curve_c, or preload"),
    "a spring of no stiffness": (spring("spring", k=0), "D", "it carries the load of a wheel"),
    "a shear modulus in GPa without a unit": (spring("U bar", **{**TUBE, "G": 80}), "J", "counts in Pa"),
}


@pytest.mark.parametrize("mistake", WRONG)
def test_a_slip_of_a_spring_is_told_at_its_cell(tmp_path, mistake):
    row, column, rule = WRONG[mistake]
    rows = [HEAD, row, REAR] if row[2] == "spring" else [HEAD, SPRING, ("own", *row[1:]), REAR]
    path = car_book(tmp_path / "b.xlsx", springs=rows, others={"Sweeps": STILL})
    cell = f"Suspension springs!{column}{2 if row[2] == 'spring' else 3}"
    found = [str(problem) for problem in told(path) if problem.cell == cell]
    assert any(rule in text for text in found), [str(problem) for problem in told(path)]


@pytest.mark.parametrize(
    "row",
    [
        spring("bump stop", k="30 N/mm", gap="20 mm"),
        spring("bump stop", k="20000 N/mm", gap="1 mm"),
        spring("droop stop", k=300e3),
        spring("U bar", **TUBE),
        spring("damper", preload="120 N"),
        spring("spring", k="0.5 N/mm"),
        spring("damper", c=0),
        spring("U bar", k=0),
    ],
)
def test_springs_that_can_be_meant_raise_no_warning(tmp_path, row):
    rows = [HEAD, SPRING, ("own", *row[1:]), REAR]
    assert not told(car_book(tmp_path / "b.xlsx", springs=rows, others={"Sweeps": STILL}))


def test_a_bar_on_a_body_that_its_axle_has_not_is_refused_where_that_is_named(tmp_path):
    rows = [("name", "axle", "kind", "k", "on"), ("bar", "front", "U bar", "60 N*m/rad", "axle"), REAR[:4]]
    (found,) = told(car_book(tmp_path / "b.xlsx", springs=rows, others={"Sweeps": STILL}))
    assert found.cell == "Suspension springs!E2"
    assert "lower arm" in str(found)


@pytest.mark.parametrize("item", ["toe", "camber"])
def test_degrees_of_a_set_up_change_without_a_unit_are_told(tmp_path, item):
    changes = [CHANGES, ("front", item, -0.5)]
    path = car_book(tmp_path / "b.xlsx", others={"Sweeps": STILL, "Adjustments": changes})
    (found,) = (str(problem) for problem in told(path) if problem.cell == "Adjustments!C2")
    assert "-28.65 deg" in found


def test_a_set_up_change_that_can_be_meant_raises_no_warning(tmp_path):
    changes = [CHANGES, ("front", "toe", -0.5, "deg")]
    assert not told(car_book(tmp_path / "b.xlsx", others={"Sweeps": STILL, "Adjustments": changes}))

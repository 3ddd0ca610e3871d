"""Vectors that kernels carry over the travels of both wheels, against self-differentiating numbers and against differences."""

from __future__ import annotations

import numpy as np
import pytest

from sheetmbs.suspension.elastic.spring_elements import element_spans, over_sweep
from sheetmbs.suspension.kinematics.axle_system import axle_system, level_placing
from sheetmbs.suspension.kinematics.sweeps import SweptAxle
from sheetmbs.suspension.layout.car import SIDES
from sheetmbs.suspension.loads.standing_car import AxleVectors
from sheetmbs.suspension.suspension_results import read_suspension
from sheetmbs.workbook.cells.cells import open_book

LEFT, RIGHT = np.array([-0.02, -0.004, 0.0, 0.013]), np.array([0.015, 0.006, 0.0, -0.01])
RACK = np.array([0.008, 0.003, 0.0, -0.004])
BOOKS = {
    "rockers and U bars": ("workbooks/formula-student.xlsx", "front"),
    "struts": ("workbooks/macpherson.xlsx", "front"),
    "an axle that both wheels share": ("templates/suspension-solid-axle.xlsx", "rear"),
}


def system(path, name):
    read = read_suspension(open_book(path)).designs[0]
    return axle_system(read.model, next(axle for axle in read.car.axles if axle.name == name))


def at(of, left, right):
    rack = RACK if of.axle.is_steered else np.zeros_like(RACK)
    placing = level_placing({"left": left, "right": right}, rack)
    wheels, reached = of.wheels_at_each(placing, None)
    assert reached.all()
    return SweptAxle(of, wheels, slice(0, len(left)), placing)


def rows(vec, wheel):
    """(n, 7, 3) of a vector over both travels."""
    return vec.rebased(wheel.to_both[:, : vec.drivers]).rows.transpose(2, 1, 0)


@pytest.fixture(scope="module", params=BOOKS)
def axle(request):
    path, name = BOOKS[request.param]
    of = system(request.config.rootpath / path, name)
    swept = at(of, LEFT, RIGHT)
    fixed = AxleVectors(swept, of.axle.masses)
    return of, swept, fixed, fixed.carried(swept)


def test_wheels_and_masses_are_where_self_differentiating_numbers_say(axle):
    of, swept, _fixed, found = axle
    for number, side in enumerate(SIDES):
        wheel = swept.wheels[side]
        for offset, vec in enumerate((wheel.centre, wheel.spin)):
            assert found[:, 3 * number + offset] == pytest.approx(rows(vec, wheel), rel=1e-12, abs=1e-12)
    for number, mass in enumerate(of.axle.masses):
        wheel = swept.wheels[mass.side]
        assert found[:, 6 + number] == pytest.approx(rows(wheel.mass_place(mass), wheel), rel=1e-12, abs=1e-12)


def test_spans_are_those_measured_by_self_differentiating_numbers(axle):
    of, swept, fixed, found = axle
    fast, slow = fixed.measured(found), over_sweep(swept)
    spans = [span for _row, span in element_spans(of.axle)]
    assert spans
    for span in spans:
        assert span.length(fast).length.rows == pytest.approx(span.length(slow).length.rows, rel=1e-11, abs=1e-11)


def test_derivatives_are_those_of_neighbouring_poses(axle):
    of, _swept, fixed, found = axle
    h = 1e-5
    for travel in range(2):
        moved = [
            fixed.carried(at(of, LEFT + sign * h * (travel == 0), RIGHT + sign * h * (travel == 1))) for sign in (1, -1)
        ]
        slope = (moved[0] - moved[1]) / (2.0 * h)
        for wheel in (0, 3):
            for vector in (wheel, wheel + 1):
                assert found[:, vector, 1 + travel] == pytest.approx(slope[:, vector, 0], abs=1e-8)
                assert found[:, vector, 3 + 2 * travel : 5 + 2 * travel] == pytest.approx(
                    slope[:, vector, 1:3], abs=1e-6
                )


def test_a_carrier_turns_as_its_spin_axis_does(axle):
    """w_k = omega_k x w."""
    _of, _swept, _fixed, found = axle
    for wheel in (0, 3):
        spin, turning = found[:, wheel + 1], found[:, wheel + 2]
        assert np.cross(turning[:, 1:3], spin[:, :1]) == pytest.approx(spin[:, 1:3], abs=1e-12)

"""A driver without any value holds its coordinate where it begins: a lock, whose force or moment is reported."""

from math import cos, pi, radians, sin

import pytest
from openpyxl import Workbook

import sheetmbs
from tests.support.planar_books import put, saved, sound_book

MASS, ARM, GRAVITY = 2.0, 0.5, 9.81
TIME = {"t_end": 0.2, "t_step": 0.05}


def pendulum(folder, *driver):
    """A rod hung at its end, 30 degrees above the horizontal; a link whose points are 3 and 4 m apart hangs a second."""
    book = Workbook()
    del book["Sheet"]
    sheets = {
        "Settings": [("setting", "value"), *TIME.items()],
        "Bodies": [
            ("name", "mass", "inertia", "x", "y", "phi [deg]"),
            ("rod", MASS, 0.1, ARM * cos(radians(30)), ARM * sin(radians(30)), 30),
            ("bob", 1.0, 0.1, 3.0, -4.0, 0),
        ],
        "Joints": [
            ("name", "type", "body_i", "body_j", "xi_i", "eta_i", "xi_j", "eta_j"),
            ("hinge", "revolute", "ground", "rod", 0, 0, -ARM, 0),
            ("link", "distance", "ground", "bob", 0, 0, 0, 0),
        ],
        "Drivers": [("name", "body", "joint", "coordinate", "position", "velocity"), ("lock", *driver)],
    }
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    path = folder / "pendulum.xlsx"
    book.save(path)
    return path


@pytest.mark.parametrize(
    ("driver", "column", "initial"),
    [
        ((None, "hinge", "angle"), "rod.phi", 30.0),
        (("rod", None, "phi"), "rod.phi", 30.0),
        (("rod", None, "y"), "rod.y", ARM / 2),
        (("bob", None, "x"), "bob.x", 3.0),
    ],
)
def test_a_driver_without_values_holds_its_coordinate(tmp_path, driver, column, initial):
    model = sheetmbs.read(pendulum(tmp_path, *driver))
    assert model.warnings == ()
    assert list(sheetmbs.run(model).bodies[column]) == pytest.approx([initial] * 5, abs=1e-9)


def test_the_moment_of_a_lock_is_that_of_the_weight_it_holds(tmp_path):
    drivers = sheetmbs.run(sheetmbs.read(pendulum(tmp_path, None, "hinge", "angle"))).drivers
    assert list(drivers["lock.moment"]) == pytest.approx([MASS * GRAVITY * ARM * cos(pi / 6)] * 5, rel=1e-9)


def test_a_held_distance_is_the_initial_one(tmp_path):
    model = sheetmbs.read(pendulum(tmp_path, None, "link", "distance"))
    assert model.warnings == ()
    bodies = sheetmbs.run(model).bodies
    assert list(bodies["bob.x"] ** 2 + bodies["bob.y"] ** 2) == pytest.approx([25.0] * 5, abs=1e-8)


def test_a_held_distance_is_the_length_its_joint_is_given(tmp_path):
    book = sound_book()
    put(book, "Joints", "link", "length", "810 mm")
    book["Drivers"].append(["lock", None, "link", "distance"])
    (lock,) = (each for each in sheetmbs.read(saved(book, tmp_path)).drivers if each.name == "lock")
    assert (lock.motion.position, lock.motion.velocity, lock.motion.acceleration) == pytest.approx((0.81, 0.0, 0.0))


def test_a_velocity_with_a_blank_position_of_a_body_begins_at_0_and_warns(tmp_path):
    model = sheetmbs.read(pendulum(tmp_path, "bob", None, "x", None, 1.0))
    assert [(each.code, each.cell) for each in model.warnings] == [("blank-position", "Drivers!E2")]
    assert model.drivers[0].motion.position == 0.0

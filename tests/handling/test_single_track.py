"""A car with level arms, vertical kingpins and linear tyres is the single-track model of textbooks."""

import numpy as np
import pytest

from tests.support.handling_books import (
    FRONT_ARM,
    FRONT_STIFFNESS,
    LENGTH,
    MASS,
    REAR_ARM,
    REAR_STIFFNESS,
    column,
    handled,
    read_off,
    single_track_book,
)

G = 9.81
DEG = np.pi / 180.0
SPEED = 15.0


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    rows = [
        ("d", "yaw moment", "15 m/s", None, None, "-2 deg", "2 deg", "1 deg", "-4 mm", "4 mm", "2 mm"),
        ("v", "circle", "15 m/s"),
        ("r", "circle", None, "60 m"),
    ]
    return handled(single_track_book(tmp_path_factory.mktemp("books") / "car.xlsx", rows))


def derivatives():
    """Of CN and ay/g by beta and steer, per rad."""
    turn = FRONT_ARM * FRONT_STIFFNESS - REAR_ARM * REAR_STIFFNESS
    both = FRONT_STIFFNESS + REAR_STIFFNESS
    spin = FRONT_ARM**2 * FRONT_STIFFNESS + REAR_ARM**2 * REAR_STIFFNESS
    # m ay = -both beta - turn r/V + Cf delta; N = -turn beta - spin r/V + a Cf delta; r = ay/V
    mass = MASS + turn / SPEED**2
    ay = np.array([-both, FRONT_STIFFNESS]) / mass
    moment = np.array([-turn, FRONT_ARM * FRONT_STIFFNESS]) - spin / SPEED**2 * ay
    return moment / (MASS * G * LENGTH), ay / G


def test_the_closed_form_is_that_of_the_printed_numbers():
    moment, ay = derivatives()
    assert 0.02 * ay[1] * G == pytest.approx(2.093023256, rel=1e-9)
    assert 0.02 * ay[0] * G == pytest.approx(-4.604651163, rel=1e-9)
    assert 0.02 * moment * MASS * G * LENGTH == pytest.approx([867.348837209, 113.023255814], rel=1e-9)


def test_the_diagram_has_the_derivatives_of_the_single_track_model(found):
    moment, ay = derivatives()
    assert read_off(found["d"], "stability") == pytest.approx(moment[0] / ay[0], rel=1e-6)
    assert read_off(found["d"], "weathervane") == pytest.approx(moment[0] * DEG, rel=1e-6)
    assert read_off(found["d"], "control") == pytest.approx(moment[1] * DEG, rel=1e-6)
    assert read_off(found["d"], "understeer_gradient") == pytest.approx(0.302189031, rel=1e-6)
    beta = (REAR_ARM / SPEED**2 - MASS * FRONT_ARM / (LENGTH * REAR_STIFFNESS)) * G / DEG
    assert read_off(found["d"], "sideslip_gradient") == pytest.approx(beta, rel=1e-6)
    assert read_off(found["d"], "roll_gradient") == pytest.approx(0.0, abs=1e-6)


def test_the_circle_at_constant_speed_has_the_gradients_of_the_single_track_model(found):
    beta = (REAR_ARM / SPEED**2 - MASS * FRONT_ARM / (LENGTH * REAR_STIFFNESS)) * G / DEG
    assert read_off(found["v"], "understeer_gradient") == pytest.approx(0.302189031, rel=1e-6)
    assert read_off(found["v"], "understeer_gradient_wheels") == pytest.approx(0.302189031, rel=1e-6)
    assert read_off(found["v"], "characteristic_speed") == pytest.approx(53.693575035, rel=1e-6)
    assert read_off(found["v"], "sideslip_gradient") == pytest.approx(beta, rel=1e-6)


def test_the_row_of_a_circle_without_lateral_acceleration_exists_once(found):
    for name in "vr":
        ay = column(found[name], "ay_g")
        assert np.sum(np.abs(ay) < 1e-4) == 1
        assert np.all(np.diff(ay) > 0.0)


def test_the_diagram_of_a_mirrored_car_is_symmetric_about_the_origin(found):
    beta, rack = column(found["d"], "beta"), column(found["d"], "rack")
    order, mirrored = np.lexsort((rack, beta)), np.lexsort((-rack, -beta))
    for name in ("ay_g", "CN", "roll", "steer"):
        values = column(found["d"], name)
        assert np.isfinite(values).all()
        assert values[order] == pytest.approx(-values[mirrored], abs=1e-9)
    for left, right in (("FL", "FR"), ("RL", "RR")):
        for name, sign in (("fz", 1.0), ("fy", -1.0), ("fx", 1.0)):
            first, second = column(found["d"], f"{left}.{name}"), column(found["d"], f"{right}.{name}")
            assert first[order] == pytest.approx(sign * second[mirrored], abs=1e-9 * MASS * G)

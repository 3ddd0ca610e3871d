"""The limits of a yaw-moment diagram at constant radius are those of its states and of the steady circle."""

import numpy as np
import pytest

from tests.support.handling_books import HANDLING, column, handled, read_off, student_book

RADIUS = 20.0
GRID = ("-6 deg", "6 deg", "2 deg", "-2 mm", "24 mm", "2 mm")
ROWS = [
    (*HANDLING, "drive"),
    ("held", "yaw moment", None, RADIUS, None, *GRID, "hold"),
    ("free", "yaw moment", None, RADIUS, None, *GRID, None),
    ("right", "yaw moment", None, -RADIUS, None, "-6 deg", "6 deg", "2 deg", "-24 mm", "2 mm", "2 mm", "hold"),
    ("circle", "circle", None, RADIUS),
]


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    book = student_book(tmp_path_factory.mktemp("books") / "car.xlsx", [], others={"Handling": ROWS})
    return handled(book)


def test_the_limit_in_trim_of_a_car_that_holds_its_speed_is_that_of_the_circle(found):
    for ending in ("", "_beta", "_steer_input"):
        name = f"max_trimmed_ay{ending}"
        assert read_off(found["held"], name) == pytest.approx(
            read_off(found["circle"], name), abs=1e-5 if ending else 1e-6
        )


def test_a_car_that_rolls_free_is_in_trim_at_another_limit(found):
    assert read_off(found["free"], "max_trimmed_ay") != pytest.approx(
        read_off(found["held"], "max_trimmed_ay"), abs=1e-4
    )


@pytest.mark.parametrize("name", ["held", "free"])
def test_no_state_of_the_grid_has_more_ay_than_the_largest(found, name):
    ay, balance = column(found[name], "ay_g"), column(found[name], "CN")
    best = int(np.nanargmax(ay))
    largest = read_off(found[name], "max_ay")
    assert 0.0 <= largest - ay[best] < 0.15  # the grid is coarse
    assert read_off(found[name], "limit_balance") == pytest.approx(balance[best], abs=0.06)
    assert largest >= read_off(found[name], "max_trimmed_ay") - 1e-6


def test_a_diagram_on_a_circle_has_no_right_turn_and_no_origin(found):
    names = {each.metric for each in found["held"].read_offs}
    assert not any("_right" in name for name in names)
    assert names.isdisjoint({"stability", "control", "understeer_gradient"})


def test_a_radius_below_0_is_a_circle_to_the_right_and_its_diagram_is_the_mirror_image(found):
    for name, nearest in (("max_trimmed_ay", 1e-6), ("max_ay", 1e-6), ("limit_balance", 1e-4)):
        assert read_off(found["right"], f"{name}_right") == pytest.approx(read_off(found["held"], name), abs=nearest)
    left, right = (np.stack([column(found[row], name) for name in ("ay", "CN")]) for row in ("held", "right"))
    assert np.sum(np.isfinite(left[0])) >= 20
    assert np.array_equal(np.isfinite(right[:, ::-1]), np.isfinite(left))
    assert np.nanmax(np.abs(right[:, ::-1] + left)) < 1e-9

"""The sheet `mbs Animation` of suspensions: what moves there is what the sweeps say."""

from __future__ import annotations

import numpy as np
import pytest

from sheetmbs import run_suspension
from tests.animated import SHEET, Shown
from tests.load_books import SETTINGS, car_book
from tests.sample_results import sheet_names

SWEEPS = (
    ("name", "type", "travel_from", "travel_to", "travel_step", "rack_from", "rack_to", "rack_step"),
    ("heave", "heave", "-30 mm", "30 mm", "10 mm"),
    ("turn", "steer", None, None, None, "-20 mm", "20 mm", "10 mm"),
)
RIM = 33
"""places of each of four rims, between which there is one without a number"""


def rims(picture, name):
    """(frames, wheels, places, 2) of a sweep."""
    [motion] = [motion for motion in picture.motions if motion.name == name]
    [line] = [line for line in motion.lines if line.name == "wheels"]
    places = np.stack((line.x, line.y), axis=2)
    return np.stack([places[:, k * (RIM + 1) : k * (RIM + 1) + RIM] for k in range(4)], axis=1)


@pytest.fixture(scope="module", params=["yz", "xz"])
def swept(request, tmp_path_factory):
    """A suspension with the sheet, seen from the front or from the side, and its results."""
    path = tmp_path_factory.mktemp("swept") / "book.xlsx"
    settings = [("animation", "yes"), ("projection", request.param)]
    car_book(path, settings=settings, others={"Sweeps": SWEEPS})
    results = run_suspension(path)
    results.save()
    return request.param, path, results


def test_wheels_rise_by_the_travel_of_the_sweep(swept):
    _, _, results = swept
    places = rims(results.sheets.animation, "heave")
    travel = results.table("heave").values[:, 0]
    heights = places[:, :, :-1, 1].mean(axis=2)
    np.testing.assert_allclose(heights - heights[3], np.repeat((travel - travel[3])[:, None], 4, axis=1), atol=0.02)


def test_a_wheel_is_a_circle_from_the_side_and_a_line_from_the_front(swept):
    plane, _, results = swept
    assert ("tyre radius", "230 mm", "230 mm") in SETTINGS
    radius = 230.0
    places = rims(results.sheets.animation, "heave")[3]
    across, up = (np.ptp(places[:, :, k], axis=1) for k in (0, 1))
    np.testing.assert_allclose(up, 2 * radius, rtol=0.01)
    if plane == "xz":
        np.testing.assert_allclose(across, 2 * radius, rtol=0.01)
    else:
        assert np.all(across < 0.3 * radius)


def test_the_sheet_lets_choose_the_sweep(swept):
    plane, path, results = swept
    shown = Shown(path)
    assert shown.value("sweep") == "heave"
    assert [motion.name for motion in results.sheets.animation.motions] == ["heave", "turn"]
    assert f"chassis {plane[0]} 1" in shown.heads
    assert sheet_names(path).count(SHEET) == 1


def test_without_the_setting_there_is_no_sheet(tmp_path):
    path = car_book(tmp_path / "book.xlsx", others={"Sweeps": SWEEPS[:2]})
    assert run_suspension(path).sheets.animation is None

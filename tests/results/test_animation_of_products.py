"""The sheet `mbs Animation` of suspensions and gait: what moves there is what sweeps and trials say."""

from __future__ import annotations

import numpy as np
import pytest

from sheetmbs import run_gait, run_suspension
from tests.results.animated import SHEET, Shown
from tests.support import gait_walker as walker
from tests.support.gait_books import Recording, gait_book, walker_sheets
from tests.support.load_books import SETTINGS, car_book
from tests.support.sample_results import sheet_names

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


@pytest.fixture(scope="module")
def walked(tmp_path_factory):
    """The exact walker with the sheet, and its results."""
    how = Recording(end=1.5, settings={"cutoff": "none", "force_cutoff": "none", "animation": "yes"})
    path = gait_book(tmp_path_factory.mktemp("walked") / "walk.xlsx", walker_sheets(how))
    results = run_gait(path)
    results.save()
    return path, results.sheets.animation


def line_of(picture, name):
    """(frames, places, 2) of a line of the only motion."""
    [motion] = picture.motions
    [line] = [line for line in motion.lines if line.name == name]
    return np.stack((line.x, line.y), axis=2)


def test_arrows_stand_where_the_walker_presses_and_are_as_long_as_its_force(walked):
    _, picture = walked
    time = picture.motions[0].course
    newtons = []
    for side in ("right", "left"):
        tail, tip = line_of(picture, f"ground, {side} foot")[:, :2].transpose(1, 0, 2)
        force, moment = walker.ground(time)[side]
        stands = force[:, 1] > 100.0
        assert 20 < np.sum(stands) < len(time)
        np.testing.assert_allclose(tail[stands, 0], moment[stands] / force[stands, 1], atol=2e-3)
        np.testing.assert_allclose(tail[stands, 1], 0.0, atol=1e-9)
        length = np.linalg.norm(tip - tail, axis=1)
        newtons.append(np.linalg.norm(force[stands], axis=1) / length[stands])
        assert np.all(length[np.abs(force[:, 1]) < 1e-6] == 0.0)
    np.testing.assert_allclose(np.concatenate(newtons), newtons[0][0], rtol=5e-3)


def test_the_figure_has_the_joints_of_the_walker(walked):
    path, picture = walked
    legs = walker.walk(picture.motions[0].course)
    places = line_of(picture, "right side")
    bones = [places[:, k : k + 2] for k in range(0, places.shape[1], 3)]
    for name in ("thigh", "shank"):
        piece = legs.pieces[f"right {name}"]
        exact = np.stack((piece.proximal.value, piece.distal.value), axis=1)
        assert sum(np.allclose(bone, exact, atol=1e-3) for bone in bones) == 1, name
    assert np.isnan(places[:, 2::3]).all()
    assert {"right side", "left side"} <= {head.rpartition(" ")[0].rpartition(" ")[0] for head in Shown(path).heads}
    assert sheet_names(path).count(SHEET) == 1


def test_without_the_setting_gait_has_no_such_sheet(tmp_path):
    path = gait_book(tmp_path / "walk.xlsx", walker_sheets(Recording(end=1.5)))
    assert run_gait(path).sheets.animation is None

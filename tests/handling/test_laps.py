"""Laps, skidpads and starts of a point mass are those of its closed forms; courses keep their curvature."""

import numpy as np
import pytest

from sheetmbs.suspension.handling.envelope import EnvelopeGrid
from sheetmbs.suspension.handling.quasi_static_lap import Limits, drive_lap
from sheetmbs.suspension.layout.handling_row import RoadCourse
from sheetmbs.suspension.reading.read_courses import course_through
from tests.support.handling_books import COEFFICIENTS, HANDLING, handled, read_off, single_track_book

G, FRICTION = 9.81, 1.2
RADIUS = 25.0
POINT_MASS_LAP = 2.0 * np.pi * RADIUS / np.sqrt(FRICTION * G * RADIUS)
STIFF = {  # tyres that reach their friction at little slip, so that hardly any of it goes against the path
    "Tyres": [("name", "model"), ("stiff", "linear")],
    "Tyre coefficients": [
        COEFFICIENTS,
        ("stiff", "cornering stiffness per load", 60.0),
        ("stiff", "slip stiffness", 45e3),
        ("stiff", "friction", FRICTION),
    ],
}
FOUR_DRIVEN = {"drive rear": (0.80 / 1.55,), "brake front": (0.75 / 1.55,)}
"""torques in the shares of the loads, which stay as they are: the centre of gravity lies on the road"""


def friction_circle(count):
    """The envelope of a point mass at values of ay from limit to limit."""
    speed, most = np.array([0.0, 60.0]), FRICTION * G
    share = np.linspace(-1.0, 1.0, count)
    ax = np.tile(most * np.sqrt(1.0 - share**2), (2, 1))
    limit = np.tile([most, -most], (2, 1))
    return Limits(EnvelopeGrid(speed, limit, np.tile(share * most, (2, 1)), ax, -ax, [], [], np.zeros_like(ax)))


def round_course(radius, places):
    s = np.linspace(0.0, 2.0 * np.pi * radius, places)
    return RoadCourse(s, np.full(places, 1.0 / radius), np.full(places, np.inf), is_closed=True)


@pytest.mark.parametrize("radius", [8.0, 25.0, 200.0])
def test_a_point_mass_goes_round_a_circle_at_its_friction(radius):
    lap = drive_lap(round_course(radius, 300), friction_circle(13), None)
    assert lap.speed == pytest.approx(np.sqrt(FRICTION * G * radius), rel=1e-9)
    assert lap.time[-1] == pytest.approx(2.0 * np.pi * radius / np.sqrt(FRICTION * G * radius), rel=1e-9)


def test_a_point_mass_starts_and_brakes_with_its_friction():
    s = np.linspace(0.0, 75.0, 151)
    straight = RoadCourse(s, np.zeros(151), np.full(151, np.inf), is_closed=False)
    lap = drive_lap(straight, friction_circle(13), 0.0)
    assert lap.speed == pytest.approx(np.sqrt(2.0 * FRICTION * G * s), rel=1e-9)
    slow = RoadCourse(s, np.zeros(151), np.where(s == 75.0, 10.0, np.inf), is_closed=False)
    lap = drive_lap(slow, friction_circle(13), None)
    assert lap.speed == pytest.approx(np.minimum(np.sqrt(100.0 + 2.0 * FRICTION * G * (75.0 - s)), 60.0), rel=1e-9)


def test_places_of_a_lap_are_marked_where_the_envelope_around_them_needed_tyres_outside_their_data():
    limits = friction_circle(13)
    limits.grid.outside[1, 12] = 2.0  # at the fastest speed, at the limit of the left turn
    most, near = FRICTION * G, np.sin(np.radians(80.0))
    speed = np.array([60.0, 30.0, 30.0, 30.0, 0.0])
    ay = most * np.array([1.0, near, 0.5, -near, 1.0])
    assert limits.outside(speed, ay).tolist() == [2.0, 2.0, 0.0, 0.0, 0.0]


def ellipse(a, b, count):
    angle = np.linspace(0.0, 2.0 * np.pi, count + 1)
    return np.column_stack([a * np.cos(angle), b * np.sin(angle)])


def closed(points):
    return course_through(*points.T, np.full(len(points), np.inf))


def test_a_closed_course_has_its_curvature_where_it_begins_too():
    a, b = 60.0, 25.0
    found = closed(ellipse(a, b, 120))
    assert found.is_closed
    ends = np.array([a / b**2, b / a**2, a / b**2, b / a**2, a / b**2])
    at = np.interp(np.linspace(0.0, found.s[-1], 5), found.s, found.curvature)
    assert at == pytest.approx(ends, rel=5e-3)
    circle = closed(ellipse(RADIUS, RADIUS, 72))
    assert circle.curvature == pytest.approx(1.0 / RADIUS, rel=1.5e-3)
    assert circle.s[-1] == pytest.approx(2.0 * np.pi * RADIUS, rel=1e-5)


def independent_lap(curvature, s):
    """The lap of a point mass by small steps of v dv/ds = sqrt((mu g)^2 - (c v^2)^2) to both sides of its slowest place."""
    most = FRICTION * G
    fine = np.linspace(0.0, s[-1], 20 * len(s))
    bend = np.abs(np.interp(fine, s, curvature))
    square = most / bend
    first = int(np.argmin(square))
    step = fine[1] - fine[0]
    bend, square = np.roll(bend[:-1], -first), np.roll(square[:-1], -first)
    for order in (range(1, 2 * len(square)), range(2 * len(square), 0, -1)):
        before = square[0]
        for k in order:
            at = k % len(square)
            grip = np.sqrt(max(most**2 - (bend[at] * before) ** 2, 0.0))
            before = square[at] = min(square[at], before + 2.0 * grip * step)
    return float(np.sum(step / np.sqrt(square)))


def test_a_lap_of_an_oval_is_that_of_an_independent_point_mass():
    course = closed(ellipse(60.0, 25.0, 120))
    lap = drive_lap(course, friction_circle(13), None)
    assert lap.time[-1] == pytest.approx(independent_lap(course.curvature, course.s), rel=3e-3)
    fine = drive_lap(course, friction_circle(201), None)
    assert fine.time[-1] == pytest.approx(independent_lap(course.curvature, course.s), rel=3e-4)


def test_a_skidpad_of_a_car_that_is_nearly_a_point_mass_is_that_of_a_point_mass(tmp_path):
    rows = [("pad", "skidpad", None, RADIUS)]
    others = {**STIFF, "Handling": [HANDLING, *rows]}
    found = handled(single_track_book(tmp_path / "car.xlsx", [], settings=FOUR_DRIVEN, others=others))["pad"]
    for ending in ("", "_right"):
        assert read_off(found, f"lap_time{ending}") == pytest.approx(POINT_MASS_LAP, rel=1e-3)
        assert read_off(found, f"max_trimmed_ay{ending}") == pytest.approx(FRICTION, rel=2e-3)


LAP_HEADS = (*HANDLING, "path")
LAP_ROWS = [("round", "lap", *[None] * (len(HANDLING) - 2), "round"), ("start", "acceleration")]


def lap_book(path, settings=(), scale=1.0):
    """A car on a course through points."""
    tyres = [("name", "model", "scale_mu_x", "scale_mu_y"), ("stiff", "linear", scale, scale)]
    points = [("path", "x", "y"), *[("round", *point) for point in ellipse(RADIUS, RADIUS, 72).tolist()]]
    others = {**STIFF, "Tyres": tyres, "Handling": [LAP_HEADS, *LAP_ROWS], "Path": points}
    changed = {**FOUR_DRIVEN, "cg height": (250.0,), **dict(settings)}
    return single_track_book(
        path, [], settings={**changed, "cg height": (f"{changed['cg height'][0]} mm",)}, others=others
    )


@pytest.mark.nightly
def test_laps_of_a_car_are_nearly_those_of_a_point_mass_and_their_sensitivities_those_of_changed_workbooks(tmp_path):
    found = handled(lap_book(tmp_path / "car.xlsx"))
    time = read_off(found["round"], "lap_time")
    assert time == pytest.approx(POINT_MASS_LAP, rel=5e-3)
    # the front wheels, which have b/L of the torque, lose load: a b/L = mu (g b - a h)/L
    ax = FRICTION * G * 0.75 / (0.75 + FRICTION * 0.25)
    assert read_off(found["start"], "time") == pytest.approx(np.sqrt(150.0 / ax), rel=2e-3)
    changed = {
        "lap_time_per_mass": (lap_book(tmp_path / "heavy.xlsx", {"mass": ("303 kg",)}), 3.0),
        "lap_time_per_cg_height": (lap_book(tmp_path / "tall.xlsx", {"cg height": (252.5,)}), 2.5),
        "lap_time_per_friction": (lap_book(tmp_path / "grip.xlsx", scale=1.01), 0.01),
    }
    for metric, (book, step) in changed.items():
        other = read_off(handled(book)["round"], "lap_time")
        assert read_off(found["round"], metric) == pytest.approx((other - time) / step, rel=1e-6, abs=1e-9), metric
    # t = 2 pi sqrt(R/(mu g)), so that dt/dmu of a factor on the friction is -t/2
    assert read_off(found["round"], "lap_time_per_friction") == pytest.approx(-0.5 * time, rel=0.03)

"""Heel strikes and toe offs: by the force of plates, by the motion of the feet, and as given."""

import numpy as np
import pytest

from sheetmbs.gait.events.trial_events import (
    FootCourse,
    PlateContact,
    foot_contacts,
    kinematic_strikes,
    kinematic_toe_offs,
    loaded_times,
    trial_events,
)
from sheetmbs.gait.trial.gait_book import GivenEvent
from sheetmbs.gait.trial.trial_courses import Contact
from tests.support.gait_walker import PERIOD, ground, walk

RATE = 100.0
TIME = np.arange(-70, 300) / RATE
FRAMES = np.arange(1, len(TIME) + 1)


def pulses(*stretches, rate=1000.0, end=2.0, level=500.0):
    """A force that is there during some stretches, with ramps of one sample."""
    times = np.arange(int(end * rate) + 1) / rate
    force = np.zeros(len(times))
    for start, stop in stretches:
        force[(times >= start - 1e-9) & (times <= stop + 1e-9)] = level
    return force, times


# forces


def test_crossings_stand_between_samples():
    times = np.arange(8) * 0.1
    force = np.array([0.0, 10.0, 50.0, 400.0, 400.0, 60.0, 0.0, 0.0])
    assert loaded_times(force, times, 20.0) == [(pytest.approx(0.125), pytest.approx(0.5 + 0.1 * 40 / 60))]


@pytest.mark.parametrize(
    ("stretches", "found"),
    [
        ([(0.5, 1.2)], [(0.5, 1.2)]),
        ([(0.5, 0.55)], []),
        ([(0.5, 0.503), (0.505, 1.2)], [(0.505, 1.2)]),
        ([(0.5, 1.2), (1.203, 1.205)], [(0.5, 1.205)]),
        ([(0.5, 0.8), (0.82, 1.2)], [(0.5, 1.2)]),
        ([(0.5, 0.8), (1.0, 1.2)], [(0.5, 0.8), (1.0, 1.2)]),
        ([(0.0, 0.15), (0.5, 1.2)], [(0.0, 0.15), (0.5, 1.2)]),
        ([(0.5, 1.2), (1.85, 2.0)], [(0.5, 1.2), (1.85, 2.0)]),
        ([(0.0, 0.05), (0.5, 1.2), (1.95, 2.0)], [(0.5, 1.2)]),
        ([(0.5, 1.95)], [(0.5, 1.95)]),
        ([], []),
    ],
    ids=[
        "a step",
        "a knock",
        "a knock at the strike",
        "a knock after it",
        "a dip",
        "two steps",
        "cut",
        "cut late",
        "cut to scraps",
        "left late",
        "none",
    ],
)
def test_a_crossing_counts_where_it_lasts_a_tenth_of_a_second(stretches, found):
    force, times = pulses(*stretches)
    for (start, end), (should_start, should_end) in zip(loaded_times(force, times, 20.0), found, strict=True):
        assert (start, end) == (pytest.approx(should_start, abs=1.1e-3), pytest.approx(should_end, abs=1.1e-3))


def test_blanks_are_no_load():
    force, times = pulses((0.5, 1.2))
    blank = np.where(force == 0.0, np.nan, force)
    assert loaded_times(blank, times, 20.0) == loaded_times(force, times, 20.0)


def test_a_foot_on_two_plates_has_one_contact():
    parts = [
        PlateContact("B", "right", 0.7, 1.1, whole=True),
        PlateContact("A", "right", 0.4, 0.9, whole=True),
        PlateContact("A", "left", 0.8, 1.5, whole=False),
        PlateContact("B", "right", 1.6, 2.1, whole=True),
    ]
    assert foot_contacts(parts) == [
        Contact("right", 0.4, 1.1, ("A", "B"), whole=True),
        Contact("left", 0.8, 1.5, ("A",), whole=False),
        Contact("right", 1.6, 2.1, ("B",), whole=True),
    ]


# motion


def test_estimates_are_where_heel_and_toe_are_farthest_from_the_pelvis():
    fine = np.arange(0, 33000) / 10000.0
    for side in ("right", "left"):
        at = {name: walk(fine).points[f"{side} {name}"].value[:, 0] for name in ("heel", "toe", "hip")}
        ahead, behind = at["heel"] - at["hip"], at["hip"] - at["toe"]
        sampled = slice(0, None, 100)
        for found, course in (
            (kinematic_strikes(at["heel"][sampled], at["hip"][sampled], fine[sampled]), ahead),
            (kinematic_toe_offs(at["toe"][sampled], at["hip"][sampled], fine[sampled]), behind),
        ):
            exact = fine[1:-1][
                (course[1:-1] > course[:-2]) & (course[1:-1] >= course[2:]) & (course[1:-1] > course.mean())
            ]
            assert found == pytest.approx(list(exact), abs=2e-4)


def test_a_treadmill_and_a_gap_change_nothing_elsewhere():
    points = walk(TIME).points
    heel, hip = points["right heel"].value[:, 0].copy(), points["right hip"].value[:, 0]
    overground = kinematic_strikes(heel, hip, TIME)
    assert kinematic_strikes(heel - 1.25 * TIME, hip - 1.25 * TIME, TIME) == pytest.approx(overground, abs=1e-9)
    heel[200:220] = np.nan
    kept = [each for each in overground if not TIME[199] <= each <= TIME[220]]
    assert kinematic_strikes(heel, hip, TIME) == pytest.approx(kept, abs=1e-12)
    assert kinematic_strikes(np.full(len(TIME), np.nan), hip, TIME) == []


# both, on the exact walker


def feet():
    points = walk(TIME).points
    courses = {}
    for side in ("right", "left"):
        heel, toe, hip = (points[f"{side} {name}"].value[:, 0] for name in ("heel", "toe", "hip"))
        courses[side] = FootCourse(heel, toe, hip)
    return courses


def contacts(first=TIME[0], last=TIME[-1]):
    times = np.arange(round((last - first) * 1000) + 1) / 1000.0 + first
    forces = ground(times)
    parts = [
        PlateContact(f"plate of {side}", side, start, end, whole=True)
        for side, (force, _) in forces.items()
        for start, end in loaded_times(force[:, 1], times, 20.0)
    ]
    return foot_contacts(parts), (float(times[0]), float(times[-1]))


def given(kind, side, time, trial, cell):
    return GivenEvent(kind=kind, side=side, time=time, frame=np.nan, trial=trial, cell=cell)


def shown(found):
    return [(each.kind, each.side, round(each.time, 2), each.source) for each in found.events]


def test_forces_tell_events_and_the_motion_says_how_far_it_is_off():
    loads, recorded = contacts()
    found = trial_events("walk", TIME, FRAMES, feet(), loads, recorded)
    assert {each.source for each in found.events} == {"force"}
    right = [each for each in found.events if each.side == "right" and each.kind == "heel strike"]
    assert [each.time for each in right] == pytest.approx([0.009, 1.109, 2.209], abs=2e-3)
    assert np.diff([each.time for each in right]) == pytest.approx(PERIOD, abs=1e-6)
    assert all(-0.05 < each.offset < -0.03 for each in right), "estimates of strikes are early"
    assert all(TIME[each.frame - 1] == pytest.approx(each.time, abs=0.0051) for each in found.events)
    assert {(each.plate, each.trial) for each in right} == {("plate of right", "walk")}
    assert found.contacts == tuple(sorted(loads, key=lambda each: each.start))


def test_cut_contacts_tell_no_event():
    loads, recorded = contacts()
    assert loads[0].start == recorded[0]
    found = trial_events("", TIME, FRAMES, {}, loads, recorded)
    assert all(recorded[0] < each.time < recorded[1] for each in found.events)
    assert next(each.kind for each in found.events if each.side == loads[0].side) == "toe off"


def test_contacts_on_no_plate_are_estimated_and_so_called():
    loads, recorded = contacts()
    kept = [each for each in loads if each.side == "left" or each.start < 0.0]
    found = trial_events("", TIME, FRAMES, feet(), kept, recorded)
    of_right = [each for each in shown(found) if each[1] == "right" and each[2] > 0.2]
    assert of_right == [
        ("toe off", "right", 0.71, "kinematic (estimated)"),
        ("heel strike", "right", 1.07, "kinematic (estimated)"),
        ("toe off", "right", 1.81, "kinematic (estimated)"),
        ("heel strike", "right", 2.17, "kinematic (estimated)"),
        ("toe off", "right", 2.91, "kinematic (estimated)"),
    ]
    without = [each for each in found.contacts if not each.plates]
    assert [(each.side, each.whole) for each in without] == [("right", False)] * 3
    assert without[1].start == pytest.approx(1.07, abs=0.01)
    assert without[1].end == pytest.approx(1.81, abs=0.01)
    assert {each.source for each in found.events if each.side == "left"} == {"force"}


def test_no_event_is_estimated_while_a_plate_carries_the_foot():
    long = [Contact("right", 0.01, 1.0, ("A",), whole=True)]
    found = trial_events("", TIME, FRAMES, feet(), long, (TIME[0], TIME[-1]))
    during = [each for each in shown(found) if each[1] == "right" and 0.0 < each[2] < 1.05]
    assert during == [("heel strike", "right", 0.01, "force"), ("toe off", "right", 1.0, "force")]


def test_without_plates_all_is_estimated_and_each_stance_is_a_contact():
    found = trial_events("", TIME, FRAMES, feet())
    assert {(each.source, each.offset, each.plate) for each in found.events} == {("kinematic (estimated)", None, "")}
    assert len(found.events) == 14
    assert found.contacts[0].start == TIME[0]
    assert found.contacts[-1].end == TIME[-1]


def test_the_motion_alone_may_be_asked_for():
    loads, recorded = contacts()
    found = trial_events("", TIME, FRAMES, feet(), loads, recorded, chosen="kinematic")
    assert {each.source for each in found.events} == {"kinematic (estimated)"}
    by_force = trial_events("", TIME, FRAMES, feet(), loads, recorded)
    offsets = {(e.kind, e.side): e.offset for e in by_force.events if 0.5 < e.time < 2.0}
    ours = {(e.kind, e.side): e.offset for e in found.events if 0.5 < e.time < 2.0}
    assert ours == pytest.approx(offsets, abs=1e-4)


def test_given_events_are_all_events_of_their_side_and_trial():
    loads, recorded = contacts()
    rows = [
        given("heel strike", "right", 0.02, "a", "Events!A2"),
        given("toe off", "right", 0.66, "a", "Events!A3"),
        given("heel strike", "left", 0.5, "b", "Events!A4"),
        given("heel strike", "right", 99.0, "a", "Events!A5"),
    ]
    found = trial_events("a", TIME, FRAMES, feet(), loads, recorded, rows)
    assert [each for each in shown(found) if each[1] == "right"] == [
        ("heel strike", "right", 0.02, "given"),
        ("toe off", "right", 0.66, "given"),
    ]
    assert {each.plate for each in found.events if each.side == "right"} == {"plate of right"}
    assert {each.source for each in found.events if each.side == "left"} == {"force"}
    only = trial_events("a", TIME, FRAMES, feet(), loads, recorded, rows, chosen="given")
    assert {each.side for each in only.events} == {"right"}


def test_left_for_right_and_a_shift_in_time_change_nothing_else():
    loads, recorded = contacts()
    found = trial_events("", TIME, FRAMES, feet(), loads, recorded)
    other = {"right": "left", "left": "right"}
    swapped = [Contact(other[e.side], e.start + 7, e.end + 7, e.plates, e.whole) for e in loads]
    again = trial_events(
        "",
        TIME + 7,
        FRAMES,
        {other[side]: each for side, each in feet().items()},
        swapped,
        (recorded[0] + 7, recorded[1] + 7),
    )
    assert [(other[e.side], e.kind, e.frame) for e in again.events] == [(e.side, e.kind, e.frame) for e in found.events]
    assert [e.time - 7 for e in again.events] == pytest.approx([e.time for e in found.events], abs=1e-9)

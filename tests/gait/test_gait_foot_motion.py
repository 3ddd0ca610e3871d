"""What heights of the feet tell: events by vertical speed, toe-first strikes, toes that are dragged."""

import numpy as np
import pytest

from sheetmbs.gait.events.event_offsets import Estimation
from sheetmbs.gait.events.foot_contacts_by_motion import (
    first_to_stand,
    is_dragged,
    middle_of_foot,
    speed_strikes,
    speed_toe_offs,
)
from sheetmbs.gait.events.trial_events import FootCourse, trial_events
from sheetmbs.gait.quality.estimated_events import check_estimates
from sheetmbs.schema.problem_list import ProblemList
from tests.gait.test_gait_estimated_strides import results
from tests.gait.test_gait_events import FRAMES, TIME
from tests.gait.walked_trials import made
from tests.support.gait_walker import DOUBLE_SUPPORT, PERIOD, walk


def foot(side="right"):
    points = walk(TIME).points
    return {name: points[f"{side} {name}"].value.copy() for name in ("heel", "mt5", "toe")}


def course(points, side="right"):
    pelvis = walk(TIME).points[f"{side} hip"].value[:, 0]
    return FootCourse(points["heel"][:, 0], points["toe"][:, 0], pelvis, 0.1, points)


def test_events_by_speed_lie_near_those_of_the_walker():
    """O'Connor 2007 found strikes 16 ms and toe offs 9 ms from the force; the walker strikes at multiples of its period."""
    height = middle_of_foot(foot())
    strikes = speed_strikes(height, TIME)
    toe_offs = speed_toe_offs(height, TIME)
    for found, exact in ((strikes, 0.0), (toe_offs, (0.5 + DOUBLE_SUPPORT) * PERIOD)):
        assert len(found) >= 3
        away = (np.array(found) - exact + 0.5 * PERIOD) % PERIOD - 0.5 * PERIOD
        assert np.abs(away).max() < 0.08
        assert np.ptp(away) < 2e-3, "equal strides"


def test_speed_may_be_chosen_and_is_then_the_source():
    found = trial_events("", TIME, FRAMES, {"right": course(foot())}, chosen="speed", how=Estimation(by_speed=True))
    assert {each.source for each in found.events} == {"kinematic (estimated, speed)"}
    strikes = [each.time for each in found.events if each.kind == "heel strike"]
    assert set(strikes) <= set(speed_strikes(middle_of_foot(foot()), TIME))
    events = results((2, 3, 4, 5, 6), events="speed").solved.courses[0].events
    assert all(each.source.startswith("kinematic (estimated, speed, own offset") for each in events)


def test_without_plates_the_other_method_stands_beside_and_far_ones_are_warned_of():
    plain = trial_events("", TIME, FRAMES, {"right": course(foot())})
    beside = [each.other - each.time for each in plain.events if each.other is not None]
    assert beside
    report = ProblemList(("Markers",))
    moved = [type(e)(**{**e.__dict__, "other": e.time + 0.045 * (k == 0)}) for k, e in enumerate(plain.events)]
    check_estimates(made(TIME, moved), "Markers", report)
    (told,) = report.problems()
    assert told.code == "methods-apart"
    assert "has it up to 45 ms away" in told.problem


@pytest.mark.parametrize(("early", "first"), [(0.0, "heel"), (0.15, "toe")])
def test_the_point_that_stands_first_tells_the_strike(early, first):
    """A foot whose toes come down 0.15 s before the heel: the whole motion of the toes is early."""
    points = foot()
    later = {name: walk(TIME + early).points[f"right {name}"].value for name in ("mt5", "toe")}
    if early:
        points["toe"] = later["toe"] - [1.25 * early, 0.0]
        points["mt5"] = later["mt5"] - [1.25 * early, 0.0]
    plain = course(foot())
    strikes = [e for e in trial_events("", TIME, FRAMES, {"right": plain}).events if e.kind == "heel strike"]
    for each in strikes:
        name, when = first_to_stand(points, TIME, each.time)
        assert name in ((first,) if first == "heel" else ("toe", "mt5"))
        assert (when is None) is (first == "heel")


def test_toes_that_drag_leave_no_toe_off():
    points = foot()
    toe = points["toe"]
    toe[:, 1] = toe[:, 1].min() + 0.004 * np.sin(TIME)
    assert is_dragged(points, TIME, 0.7)
    assert not is_dragged(foot(), TIME, 0.7)
    found = trial_events("", TIME, FRAMES, {"right": course(points)})
    assert {each.kind for each in found.events} == {"heel strike"}
    assert len(found.dragged) >= 2
    report = ProblemList(("Markers",))
    check_estimates(type(made(TIME))(**{**made(TIME).__dict__, "dragged": found.dragged}), "Markers", report)
    (told,) = report.problems()
    assert told.code == "no-toe-off"
    assert told.found.startswith("no toe off of the right foot near")

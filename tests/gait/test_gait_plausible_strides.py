"""Which stances are plausible: by what carries the body, not by when estimates say that feet stand."""

from dataclasses import replace

import numpy as np
import pytest

from sheetmbs.gait.quality.plausible_strides import check_strides, has_flight
from sheetmbs.gait.trial.trial_courses import Contact
from sheetmbs.schema.problem_list import ProblemList
from tests.gait import gait_runner
from tests.gait.gait_courses import walker_book
from tests.gait.walked_trials import event, made
from tests.support import gait_walker

TIME = np.arange(400) / 100.0
BOOK = walker_book()
WHO = {
    "runner": (gait_runner.run(TIME), gait_runner.PERIOD, gait_runner.STANCE),
    "walker": (gait_walker.walk(TIME), gait_walker.PERIOD, (0.5 + gait_walker.DOUBLE_SUPPORT) * gait_walker.PERIOD),
}


def trial(who, early=0.0, late=0.0, source="force", plates=("A",)):
    """Strikes that come so early and toe offs that come so late, in s."""
    body, period, stance = WHO[who]
    points = {name: np.column_stack((each.value, np.zeros(len(TIME)))) for name, each in body.points.items()}
    events, contacts = [], []
    for number in range(1, int(2.0 * TIME[-1] / period) - 2):
        side, strike = ("right", "left")[number % 2], number * period / 2.0
        start, end = strike - early, strike + stance + late
        events += [event("heel strike", side, start, source=source), event("toe off", side, end, source=source)]
        contacts.append(Contact(side, start, end, plates, whole=bool(plates)))
    return made(TIME, sorted(events, key=lambda each: each.time), contacts, points=points)


def told(courses):
    report = ProblemList(("Markers",))
    check_strides(courses, BOOK, "Markers", report)
    return [each for each in report.problems() if each.code == "doubtful-stride"]


def test_only_running_has_a_frame_in_which_nothing_is_on_the_ground():
    assert has_flight(trial("runner"), BOOK)
    assert not has_flight(trial("walker"), BOOK)
    assert not has_flight(trial("walker", plates=()), BOOK)


@pytest.mark.parametrize("who", WHO)
def test_sound_stances_are_not_doubted(who):
    assert told(trial(who)) == []


@pytest.mark.parametrize(("early", "late"), [(0.06, 0.05), (0.12, 0.05), (0.03, 0.07)])
@pytest.mark.parametrize("who", WHO)
def test_estimates_that_miss_as_estimates_do_are_not_doubted(who, early, late):
    """Contacts of the runner overlap then, as if there were double support."""
    assert told(trial(who, early, late, "kinematic (estimated)", ())) == []


@pytest.mark.parametrize(
    ("who", "late", "kind"), [("runner", 0.15, "without double support"), ("walker", 0.2, "with double support")]
)
def test_stances_that_plates_tell_are_doubted_where_no_gait_has_them(who, late, kind):
    found = told(trial(who, late=late))
    assert found
    assert all(f"and {kind} that is" in each.problem for each in found)


def test_estimates_beyond_what_estimates_miss_are_doubted():
    assert told(trial("runner", 0.2, 0.12, "kinematic (estimated)", ()))
    assert told(trial("walker", 0.25, 0.15, "kinematic (estimated)", ()))


def test_a_plate_that_carries_a_foot_is_no_flight():
    """Markers alone may lie: those of a shoe whose sole bends away."""
    courses = trial("runner")
    always = [Contact("right", TIME[0], TIME[-1], ("A",), whole=True)]
    assert not has_flight(replace(courses, contacts=tuple(always)), BOOK)

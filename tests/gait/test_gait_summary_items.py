"""Times, lengths, peaks and work of strides as items of the summary."""

from dataclasses import replace

import numpy as np
import pytest

from sheetmbs import run_gait
from sheetmbs.gait.strides.spatio_temporal import belt_speed, steps_of, stride_measures
from sheetmbs.gait.strides.strides import strides_of
from sheetmbs.gait.strides.summary_items import summary_items
from tests.gait.walked_trials import event, made, walked
from tests.support.gait_books import Recording, gait_book, walker_sheets
from tests.support.gait_walker import DOUBLE_SUPPORT, PERIOD, SPEED, joint_loads

TIME = np.arange(1000) / 100.0
WALK = walked(TIME)


def item(items, name, side="", joint=""):
    (found,) = [each for each in items if (each.item, each.side, each.joint) == (name, side, joint)]
    return found


# times and lengths


@pytest.mark.parametrize("side", ["right", "left"])
def test_the_walker_has_the_times_and_lengths_it_was_made_with(side):
    items = summary_items([WALK])
    for name, value, unit in (
        ("stride time", PERIOD, "s"),
        ("step time", PERIOD / 2, "s"),
        ("stance", 0.5 + DOUBLE_SUPPORT, "1"),
        ("swing", 0.5 - DOUBLE_SUPPORT, "1"),
        ("double support", DOUBLE_SUPPORT, "1"),
        ("stride length", SPEED * PERIOD, "m"),
        ("step length", SPEED * PERIOD / 2, "m"),
    ):
        found = item(items, name, side)
        assert (found.value, found.unit) == (pytest.approx(value, abs=1e-4), unit)
        assert found.sd == pytest.approx(0.0, abs=1e-4)
        assert found.n >= 8
    assert item(items, "cadence").value == pytest.approx(2 / PERIOD, rel=1e-9)
    assert item(items, "speed").value == pytest.approx(SPEED, rel=1e-9)
    assert item(items, "speed").n == len(strides_of([WALK]))


def test_steps_belong_to_the_foot_that_strikes():
    events = [
        event("heel strike", "right", 1.0),
        event("heel strike", "left", 1.5),
        event("heel strike", "right", 2.1),
    ]
    place = {"right": {1.0: 0.0, 2.1: 1.4}, "left": {1.5: 0.6}}
    points = {}
    for side, known in place.items():
        points[f"{side} heel"] = np.column_stack([np.interp(TIME, list(known), list(known.values()))] + [0 * TIME] * 2)
    steps = steps_of([made(TIME, events, points=points)])
    assert [(each.side, each.time, each.length) for each in steps] == [
        ("left", pytest.approx(0.5), pytest.approx(0.6)),
        ("right", pytest.approx(0.6), pytest.approx(0.8)),
    ]


def test_lengths_of_steps_are_as_uncertain_as_where_the_markers_of_both_feet_are():
    """Each marker is moved by its own deviation; strides do not feel it, and steps of both sides feel it in opposite ways."""
    placed = {"right heel": 0.003, "left heel": 0.004}
    plain = summary_items([replace(WALK, placement=placed)])
    changes = {"right": [], "left": [], "stride": []}
    for name, deviation in placed.items():
        moved = WALK.points | {name: WALK.points[name] + np.array([deviation, 0.0, 0.0])}
        items = summary_items([replace(WALK, points=moved)])
        for side in ("right", "left"):
            change = item(items, "step length", side).value - item(plain, "step length", side).value
            changes[side].append(change)
        changes["stride"].append(
            item(items, "stride length", "right").value - item(plain, "stride length", "right").value
        )
    assert changes["right"] == pytest.approx([0.003, -0.004], abs=1e-9)
    assert changes["left"] == pytest.approx([-0.003, 0.004], abs=1e-9)
    assert changes["stride"] == pytest.approx([0.0, 0.0], abs=1e-9)
    for side in ("right", "left"):
        assert item(plain, "step length", side).u == pytest.approx(np.hypot(*changes[side]), rel=1e-6)
    assert item(plain, "stride length", "right").u == pytest.approx(0.0, abs=1e-9)


def test_two_strikes_of_one_side_are_no_step():
    events = [event("heel strike", "right", each) for each in (1.0, 2.1)] + [event("heel strike", "left", 4.5)]
    assert steps_of([made(TIME, events)]) == []


def test_one_leg_alone_may_have_plain_names_and_no_heel():
    at = {name: WALK.points[f"right {name}"] for name in ("ankle", "mt5")}
    events = tuple(each for each in WALK.events if each.side == "right")
    found = item(summary_items([replace(WALK, points=at, events=events)]), "stride length", "right")
    assert found.value == pytest.approx(SPEED * PERIOD, abs=1e-6)
    both = replace(WALK, points={name: each for name, each in WALK.points.items() if name != "left heel"})
    assert item(summary_items([both]), "step length", "right").value == pytest.approx(SPEED * PERIOD / 2, abs=1e-6)


def test_a_joint_without_a_side_goes_over_the_strides_there_are():
    plain = {"knee": WALK.joints["left knee"]}
    for side in ("left", "right"):
        events = tuple(each for each in WALK.events if each.side == side)
        items = summary_items([replace(WALK, joints=plain, events=events)])
        assert item(items, "moment max", "", "knee").n == item(items, "stride time", side).n
    off = tuple(replace(each, whole=False) for each in WALK.contacts)
    items = summary_items([replace(WALK, joints=plain, contacts=off)])
    assert {each.item for each in items if each.joint} == {"angle max", "angle min"}


def test_times_between_a_force_and_an_estimate_count_only_where_there_are_no_others():
    right = [event("heel strike", "right", each) for each in (1.0, 2.0, 3.0)]
    early = event("heel strike", "right", 3.96, source="kinematic (estimated)")
    found = item(summary_items([made(TIME, [*right, early])]), "stride time", "right")
    assert (found.value, found.n) == (pytest.approx(1.0), 2)
    found = item(summary_items([made(TIME, [right[-1], early])]), "stride time", "right")
    assert (found.value, found.n) == (pytest.approx(0.96), 1)
    left = event("heel strike", "left", 2.5)
    late = event("heel strike", "left", 3.46, source="kinematic (estimated)")
    found = item(summary_items([made(TIME, [*right, left, late])]), "step time", "left")
    assert (found.value, found.n) == (pytest.approx(0.5), 1)


def test_parts_of_strides_by_measured_events_count_before_those_by_estimated_ones():
    """Estimates make a stance longer at both ends."""
    estimated = {"source": "kinematic (estimated)"}
    strikes = [event("heel strike", "right", each) for each in (1.0, 2.0)]
    strikes += [event("heel strike", "right", each, **estimated) for each in (2.96, 3.96, 4.96)]
    offs = [event("toe off", "right", 1.6), event("toe off", "right", 2.6)]
    offs += [event("toe off", "right", each, **estimated) for each in (3.64, 4.64)]
    items = summary_items([made(TIME, [*strikes, *offs])])
    assert (item(items, "stance", "right").value, item(items, "stance", "right").n) == (pytest.approx(0.6), 1)
    assert item(items, "stride time", "right").n == 3
    items = summary_items([made(TIME, [*strikes[2:], *offs[2:]])])
    assert (item(items, "swing", "right").value, item(items, "swing", "right").n) == (pytest.approx(0.32), 2)
    left = [event("toe off", "left", 1.1), event("toe off", "left", 4.08, **estimated)]
    items = summary_items([made(TIME, [*strikes, *offs, *left])])
    assert (item(items, "double support", "right").value, item(items, "double support", "right").n) == (
        pytest.approx(0.1),
        1,
    )


def test_parts_that_begin_and_end_with_measured_events_count_before_estimated_ones_whatever_ends_the_stride():
    estimated = {"source": "kinematic (estimated)"}
    strikes = [event("heel strike", "right", 2.0)]
    strikes += [event("heel strike", "right", each, **estimated) for each in (2.96, 3.96, 4.96)]
    offs = [event("toe off", "right", 2.6), *(event("toe off", "right", each, **estimated) for each in (3.64, 4.64))]
    left = [event("toe off", "left", 2.1), *(event("toe off", "left", each, **estimated) for each in (3.14, 4.14))]
    items = summary_items([made(TIME, [*strikes, *offs, *left])])
    for name, exact in (("stance", 0.6), ("swing", 0.4), ("double support", 0.1)):
        found = item(items, name, "right")  # by strides of 1 s between two estimates, not by that of 0.96 s
        assert (found.value, found.n) == (pytest.approx(exact), 1), name


def test_double_support_is_divided_by_the_stride_in_which_it_lies():
    """That of the left foot lies in its own stride, which an estimate cuts short, and in the right one of 1.0 s."""
    events = [
        event("heel strike", "left", 1.5),
        event("toe off", "right", 1.6),
        event("heel strike", "left", 2.44, source="kinematic (estimated)"),
        event("heel strike", "right", 1.0),
        event("toe off", "left", 1.12),
        event("heel strike", "right", 2.0),
    ]
    found = item(summary_items([made(TIME, events)]), "double support", "left")
    assert (found.value, found.n) == (pytest.approx(0.1), 1)
    slow = [event(each.kind, each.side, 2.0 * each.time, "slow", each.source) for each in events]
    both = item(summary_items([made(TIME, events), made(TIME, slow, trial="slow")]), "double support", "left")
    assert (both.value, both.sd) == (pytest.approx(0.1), pytest.approx(0.0, abs=1e-9)), "each trial by its own strides"


def test_a_measured_double_support_counts_before_an_estimated_one_though_no_stride_begins_with_it():
    """The right strike at 2.0 s is the last one; the left stride from 1.5 to 2.5 s is around it."""
    events = [
        *(event("heel strike", "right", each) for each in (1.0, 2.0)),
        *(event("heel strike", "left", each) for each in (1.5, 2.5)),
        event("toe off", "left", 1.13, source="kinematic (estimated)"),
        *(event("toe off", "right", each) for each in (1.61, 2.61)),
        event("toe off", "left", 2.1),
    ]
    items = summary_items([made(TIME, events)])
    assert (item(items, "double support", "right").value, item(items, "double support", "right").n) == (
        pytest.approx(0.1),
        1,
    )
    assert (item(items, "double support", "left").value, item(items, "double support", "left").n) == (
        pytest.approx(0.11),
        1,
    )


def test_a_peak_at_a_strike_lies_there_and_not_in_the_middle_of_the_stride():
    """It is at the start of one stride and at the end of another."""
    strikes = [event("heel strike", "right", each) for each in (1.0, 2.0, 3.01)]
    angle = -np.cos(2.0 * np.pi * (TIME - 0.01)) - 2e-4 * TIME
    items = summary_items([made(TIME, strikes, joints={"right knee": {"angle": angle}})])
    found = item(items, "angle min", "right", "knee")
    assert found.n == 2
    assert min(found.at[0], 100.0 - found.at[0]) < 1.1
    dent = np.exp(-(((TIME - 1.6) / 0.05) ** 2))
    apart = summary_items([made(TIME, strikes, joints={"right knee": {"angle": angle - 9.0 * dent}})])
    assert item(apart, "angle min", "right", "knee").at[0] == pytest.approx((60.0 + 100.0) / 2.0, abs=1.0)


def test_on_a_treadmill_lengths_are_those_on_the_belt():
    travel = SPEED * TIME
    points = {name: each - np.outer(travel, [1.0, 0.0, 0.0]) for name, each in WALK.points.items()}
    belted = replace(WALK, points=points)
    assert belt_speed(WALK) == 0.0
    assert belt_speed(belted) == pytest.approx(SPEED, abs=0.05)
    items, on_floor = summary_items([belted]), summary_items([WALK])
    for name in ("stride length", "step length"):
        assert item(items, name, "left").value == pytest.approx(item(on_floor, name, "left").value, rel=0.05)
    assert item(items, "speed").value == pytest.approx(SPEED, rel=0.05)


def test_running_has_no_double_support_and_what_is_unknown_no_value():
    events = []
    for number in range(8):
        side = ("right", "left")[number % 2]
        events += [event("heel strike", side, 0.35 * number + 0.5), event("toe off", side, 0.35 * number + 0.75)]
    trial = made(TIME, events)
    measures = stride_measures([trial], strides_of([trial]))
    known = [each.double_support for each in measures]
    assert known.count(0.0) == len(measures) - 1
    assert known[0] is None, "what the left foot did before is not known"
    assert [each.stance for each in measures] == pytest.approx([0.25 / 0.7] * len(measures))
    assert {each.length for each in measures} == {None}
    names = {each.item for each in summary_items([trial])}
    assert {"stance", "double support", "cadence"} <= names
    assert not {"stride length", "step length", "speed"} & names


# peaks and work


def test_peaks_of_the_walker_are_those_of_its_closed_forms():
    items = summary_items([WALK])
    fine = np.arange(0, PERIOD, 1e-4) + PERIOD
    loads = joint_loads(fine)
    for side, shift in (("right", 0.0), ("left", 0.5)):
        for joint in ("hip", "knee", "ankle"):
            for quantity in ("moment", "power"):
                exact = getattr(loads[f"{side} {joint}"], quantity)
                for word, best, where in (("max", np.max, np.argmax), ("min", np.min, np.argmin)):
                    found = item(items, f"{quantity} {word}", side, joint)
                    assert found.value == pytest.approx(best(exact), abs=0.01 * np.ptp(exact))
                    at = 100 * (((fine[where(exact)] - PERIOD) / PERIOD - shift) % 1.0)
                    assert found.at[0] == pytest.approx(at, abs=1.0)
                    assert found.n >= 8


def test_early_peaks_lie_in_the_first_30_percent():
    items = summary_items([WALK])
    fine = np.linspace(PERIOD, 1.3 * PERIOD, 3001)
    knee = joint_loads(fine)["right knee"].moment
    found = item(items, "moment max, first 30 %", "right", "knee")
    assert found.value == pytest.approx(knee.max(), rel=2e-3)
    assert found.value < item(items, "moment max", "right", "knee").value
    assert item(items, "moment min, first 30 %", "right", "knee").value == pytest.approx(knee.min(), rel=1e-2)


def test_work_is_the_integral_of_power_and_its_phases_add_up():
    items = summary_items([WALK])
    fine = np.arange(PERIOD, 2 * PERIOD, 1e-4)
    for joint, load in joint_loads(fine).items():
        side, name = joint.split()
        net = item(items, "work net", side, name)
        assert net.value == pytest.approx(np.trapezoid(load.power, fine), abs=0.05)
        positive = item(items, "work positive", side, name)
        assert positive.value == pytest.approx(np.trapezoid(np.maximum(load.power, 0), fine), abs=0.05)
        phases = [
            each for each in items if each.item.startswith("work phase") and (each.side, each.joint) == (side, name)
        ]
        assert sum(each.value for each in phases) == pytest.approx(net.value, abs=1e-3)
        assert (phases[0].at[0], phases[-1].at[1]) == (0.0, pytest.approx(100.0))
        assert [a.at[1] for a in phases[:-1]] == [b.at[0] for b in phases[1:]]
        assert {each.unit for each in (net, positive, *phases)} == {"J"}


def test_moments_count_fewer_strides_than_angles_where_feet_miss_plates():
    contacts = tuple(
        replace(each, whole=False) if each.side == "right" and each.start < 4.0 else each for each in WALK.contacts
    )
    items = summary_items([replace(WALK, contacts=contacts)])
    assert item(items, "angle max", "right", "hip").n == item(items, "angle max", "left", "hip").n
    assert item(items, "moment max", "right", "hip").n < item(items, "angle max", "right", "hip").n
    assert item(items, "moment max", "left", "hip").n == item(summary_items([WALK]), "moment max", "left", "hip").n


def test_frames_near_the_ends_are_out_of_peaks_and_not_of_work():
    edged = replace(WALK, edge=(TIME < 1.5) | (TIME > 8.5))
    items, whole = summary_items([edged]), summary_items([WALK])
    few, every = (item(each, "moment max", "right", "ankle") for each in (items, whole))
    assert few.n < every.n
    assert few.value == pytest.approx(every.value, rel=1e-3)
    assert item(items, "work net", "right", "ankle") == item(whole, "work net", "right", "ankle")


def test_left_for_right_exchanges_the_items_and_nothing_else():
    other = {"right": "left", "left": "right"}

    def renamed(mapping):
        return {" ".join(other.get(word, word) for word in key.split()): each for key, each in mapping.items()}

    swapped = replace(
        WALK,
        joints=renamed(WALK.joints),
        segments=renamed(WALK.segments),
        feet=renamed(WALK.feet),
        points=renamed(WALK.points),
        events=tuple(replace(each, side=other[each.side]) for each in WALK.events),
        contacts=tuple(replace(each, side=other[each.side]) for each in WALK.contacts),
    )
    before = {(each.item, each.side, each.joint): each for each in summary_items([WALK])}
    after = {(each.item, other.get(each.side, ""), each.joint): each for each in summary_items([swapped])}
    assert before.keys() == after.keys()
    for name, each in before.items():
        assert (after[name].value, after[name].n) == (pytest.approx(each.value, rel=1e-9, abs=1e-9), each.n)
        assert after[name].at == pytest.approx(each.at, abs=1e-9)


def test_trials_count_together():
    items = summary_items([WALK, replace(WALK, trial="again")])
    one = item(summary_items([WALK]), "moment max", "right", "hip")
    both = item(items, "moment max", "right", "hip")
    assert (both.n, both.value) == (2 * one.n, pytest.approx(one.value, rel=1e-12))


def test_the_deviation_is_that_of_a_sample_and_one_value_has_none():
    events = [event("heel strike", "right", each) for each in (1.0, 2.0, 3.2)]
    found = item(summary_items([made(TIME, events)]), "stride time", "right")
    assert (found.value, found.sd, found.n) == (pytest.approx(1.1), pytest.approx(np.sqrt(0.02)), 2)
    assert item(summary_items([made(TIME, events[:2])]), "stride time", "right").sd is None


def test_a_trial_without_events_has_no_items():
    assert summary_items([made(TIME, joints={"right knee": {"angle": TIME}})]) == []


def test_early_peaks_stand_beside_those_of_the_other_filter_of_forces(tmp_path):
    def early(force_cutoff):
        how = Recording(end=2.6, settings={"cutoff": 6, "force_cutoff": force_cutoff})
        items = run_gait(gait_book(tmp_path / f"{force_cutoff}.xlsx", walker_sheets(how))).items
        return {(each.item, each.side, each.joint): each.value for each in items if "first 30 %" in each.item}

    filtered, raw = early("same"), early("none")
    for (item, side, joint), value in filtered.items():
        if item.endswith("other force filter"):
            plain = (item.removesuffix(", other force filter"), side, joint)
            assert raw[plain] == pytest.approx(value, rel=1e-9)
            assert raw[item, side, joint] == pytest.approx(filtered[plain], rel=1e-9)
    assert sum(item.endswith("other force filter") for item, _side, _joint in filtered) >= 6

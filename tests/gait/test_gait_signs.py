"""Signs and units of gait: what section 4 of the contract says of each joint, held against a body in balance."""

import numpy as np
import pytest

from sheetmbs.gait.signs import Signs
from tests.gait.gait_courses import walker_book
from tests.support import gait_walker as w


def signs(**given):
    book = walker_book(**given)
    return Signs(book), {joint.label: joint for joint in book.joints}


def holding(arm, force):
    """The moment of the mechanics that holds a body below a joint under a force at an arm from the joint."""
    return -w.cross(np.array(arm), np.array(force))


UP = (0.0, 700.0)
PUSHED = {
    # a force up on the forefoot is held by the calf: plantarflexors
    "right ankle": ((0.12, -0.09), UP, "plantarflexor"),
    # a force up behind a hanging shank flexes the knee: extensors hold it
    "right knee": ((-0.10, -0.43), UP, "extensor"),
    # a force up before the hip flexes it: extensors hold it
    "right hip": ((0.15, -0.85), UP, "extensor"),
}


@pytest.mark.parametrize("label", PUSHED)
def test_clinical_moments_are_positive_where_the_named_muscles_hold(label):
    arm, force, muscles = PUSHED[label]
    found, joints = signs(moment_unit="N*m")
    shown = found.moment(joints[label])
    assert shown.factor * holding(arm, force) > 0.0
    assert shown.units_cell == f"N*m, {muscles} +"


@pytest.mark.parametrize(
    ("label", "sense"), [("right hip", "flexor"), ("right knee", "extensor"), ("right ankle", "dorsiflexor")]
)
def test_isb_moments_are_those_of_the_mechanics(label, sense):
    found, joints = signs(signs="isb", moment_unit="N*m")
    shown = found.moment(joints[label])
    assert (shown.factor, shown.units_cell) == (1.0, f"N*m, {sense} +")


def test_winter_moments_are_counter_clockwise_on_the_distal_segment():
    found, joints = signs(signs="winter", moment_unit="N*m")
    assert {(found.moment(row).factor, found.moment(row).sense) for row in joints.values()} == {(1.0, "CCW on distal")}


@pytest.mark.parametrize("convention", ["clinical", "winter", "isb"])
def test_external_moments_are_minus_the_internal_ones_and_say_what_they_do(convention):
    inside, joints = signs(signs=convention)
    outside, _ = signs(signs=convention, moment="external")
    for row in joints.values():
        assert outside.moment(row).factor == -inside.moment(row).factor
        assert outside.moment(row).sense.startswith("external ")
    assert outside.support.factor == -inside.support.factor


def test_an_external_moment_is_positive_where_the_ground_turns_the_joint_as_its_words_say():
    """The force under the forefoot dorsiflexes; with plantarflexion as the positive sense that is negative."""
    found, joints = signs(moment="external", moment_unit="N*m")
    shown = found.moment(joints["right ankle"])
    arm, force, _ = PUSHED["right ankle"]
    assert shown.sense == "external plantarflexion"
    assert shown.factor * holding(arm, force) < 0.0


@pytest.mark.parametrize("convention", ["clinical", "winter", "isb"])
@pytest.mark.parametrize("moment", ["internal", "external"])
def test_power_and_the_sense_of_the_support_moment_do_not_depend_on_signs(convention, moment):
    found, _ = signs(signs=convention, moment=moment)
    assert found.power.units_cell == "W/kg, generation +"
    assert found.power.factor == pytest.approx(1.0 / w.MASS)
    assert found.support.factor * (1.0 if moment == "internal" else -1.0) > 0.0


@pytest.mark.parametrize("convention", ["clinical", "winter", "isb"])
def test_signs_change_no_angle_but_the_knee_of_isb(convention):
    found, joints = signs(signs=convention)
    senses = {label: found.angle(row).units_cell for label, row in joints.items()}
    knee = "extension" if convention == "isb" else "flexion"
    assert senses["right knee"] == f"deg, {knee} +"
    assert np.sign(found.angle(joints["right knee"]).factor) == (-1.0 if convention == "isb" else 1.0)
    assert (senses["right hip"], senses["left ankle"]) == ("deg, flexion +", "deg, dorsiflexion +")
    assert found.rate(joints["right knee"]).sense == knee


@pytest.mark.parametrize(
    ("unit", "size"),
    [("N*m", 1.0), ("N*m/kg", 1.0 / w.MASS), ("%BW*height", 100.0 / (w.MASS * w.GRAVITY * w.HEIGHT))],
)
def test_moments_are_scaled_by_the_body(unit, size):
    found, joints = signs(moment_unit=unit)
    shown = found.moment(joints["right knee"])
    assert shown.factor == pytest.approx(size, rel=1e-12)
    assert shown.unit == unit


def test_a_body_is_its_own_weight():
    found, _ = signs()
    assert found.of_weight("up").factor * w.MASS * w.GRAVITY == pytest.approx(100.0)

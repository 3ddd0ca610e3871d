"""Orientations over the rows of a motion: curves without jumps that mean the same orientations."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from sheetmbs.engine.motion_report import report_orientations


def turned(angles):
    """Rotations of angles (n, 3) about z, then y', then x''."""
    return Rotation.from_euler("ZYX", angles)


def reported(turns, initial, signs=1.0):
    """Euler parameters and angles that are reported of rotations; signs: of the parameters that are handed over."""
    rows = len(turns)
    q = np.zeros((rows, 9))
    q[:, 5:] = turns.as_quat(scalar_first=True) * np.broadcast_to(signs, rows)[:, None]
    euler, angles = np.zeros((1, rows, 4)), np.zeros((1, rows, 3))
    report_orientations(q, np.array([2]), np.array([initial], dtype=np.float64), euler, angles)
    return euler[0], angles[0]


def curves(begin, rates, rows=60):
    """(rows, 3) angles that change evenly."""
    return np.array(begin) + np.linspace(0.0, 1.0, rows)[:, None] * np.array(rates)


anywhere = st.tuples(*[st.floats(-3.0, 3.0)] * 3)


@given(begin=anywhere, rates=st.tuples(*[st.floats(-20.0, 20.0)] * 3), seed=st.integers(0, 99))
@settings(max_examples=60)
def test_angles_and_parameters_mean_the_rotations_whatever_signs_they_had(begin, rates, seed):
    turns = turned(curves(begin, rates))
    signs = np.random.default_rng(seed).choice([-1.0, 1.0], 60)
    euler, angles = reported(turns, begin, signs)
    assert (turns.inv() * turned(angles)).magnitude().max() < 1e-7
    assert np.abs((turns.inv() * Rotation.from_quat(euler, scalar_first=True)).magnitude()).max() < 1e-7
    assert ((euler[1:] * euler[:-1]).sum(axis=1) >= 0.0).all()


@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize("begin", [(0.3, 0.2, -0.4), (0.0, 2.0, 0.0), (-7.0, 0.5, 9.0)])
def test_an_angle_counts_on_past_right_angles_and_whole_turns(begin, axis):
    rates = np.zeros(3)
    rates[axis] = 25.0
    wanted = curves(begin, rates, rows=101)
    if axis != 1:
        wanted[:, 1] = begin[1]
    _, angles = reported(turned(wanted), begin)
    assert angles == pytest.approx(wanted, abs=1e-7)


def test_where_the_pitch_is_a_right_angle_the_yaw_of_the_row_before_goes_on():
    wanted = np.array([[0.4, 1.2, 0.1], [0.4, 0.5 * np.pi, 0.3], [0.4, 0.5 * np.pi, 0.9], [0.4, 1.2, 1.0]])
    _, angles = reported(turned(wanted), wanted[0])
    assert angles == pytest.approx(wanted, abs=1e-7)


def test_the_curves_of_one_body_do_not_depend_on_another():
    one, two = curves((0.1, 0.2, 0.3), (9.0, 4.0, -3.0)), curves((0.0, 1.5, 0.0), (0.0, 9.0, 0.0))
    q = np.hstack([np.hstack((np.zeros((60, 3)), turned(each).as_quat(scalar_first=True))) for each in (one, two)])
    euler, angles = np.zeros((2, 60, 4)), np.zeros((2, 60, 3))
    report_orientations(q, np.array([0, 7]), np.array([one[0], two[0]]), euler, angles)
    for number, each in enumerate((one, two)):
        assert np.array_equal(angles[number], reported(turned(each), each[0])[1])

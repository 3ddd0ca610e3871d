"""Strides, courses over them, their means, peaks and work against closed forms."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from sheetmbs.gait.strides.peaks_and_work import joint_work, largest, smallest
from sheetmbs.gait.strides.strides import StrideCurves, ensemble, stride_curves, strides_of
from sheetmbs.gait.trial.trial_courses import Contact
from tests.gait.walked_trials import event, made, walked
from tests.support.gait_walker import PERIOD, joint_loads

TIME = np.arange(0, 401) / 100.0
NO_EDGE = np.zeros(len(TIME), dtype=bool)


def strikes(*times, side="right"):
    return [event("heel strike", side, each) for each in times]


# strides


def test_strides_run_from_strike_to_strike_of_the_same_side():
    found = strides_of([made(TIME, strikes(0.5, 1.6, 2.7) + strikes(1.0, 2.1, side="left"))])
    assert [(each.side, each.start, each.end) for each in found] == [
        ("right", 0.5, 1.6),
        ("right", 1.6, 2.7),
        ("left", 1.0, 2.1),
    ]


def test_a_missing_strike_makes_no_stride_of_twice_the_length():
    events = [*strikes(0.5, 1.6, 3.8), *(event("toe off", "right", each) for each in (1.1, 2.2, 3.3))]
    found = strides_of([made(TIME, events)])
    assert [(each.start, each.end, each.toe_off) for each in found] == [(0.5, 1.6, 1.1)]


def test_strides_do_not_run_from_one_trial_into_the_next():
    found = strides_of([made(TIME, strikes(0.5, 1.6), trial="a"), made(TIME, strikes(2.0, 3.0, 4.0), trial="b")])
    assert [(each.trial, each.name, each.start) for each in found] == [(0, "a", 0.5), (1, "b", 2.0), (1, "b", 3.0)]


@pytest.mark.parametrize(
    ("contacts", "kinetic"),
    [
        ([Contact("right", 0.5, 1.1, ("A",), whole=True)], True),
        ([Contact("right", 0.5, 1.1, ("A",), whole=False)], False),
        ([Contact("right", 0.5, 1.1, (), whole=True)], False),
        ([Contact("left", 0.5, 1.1, ("A",), whole=True)], False),
        ([Contact("right", 0.5, 1.1, ("A",), whole=True), Contact("left", 0.9, 1.7, (), whole=False)], True),
        ([Contact("right", 0.5, 1.1, ("A",), whole=True), Contact("right", 1.58, 2.3, (), whole=False)], True),
        ([], False),
    ],
    ids=["whole", "not whole", "no plate", "other foot", "other foot beside", "the next contact", "none"],
)
def test_moments_need_each_contact_of_the_foot_wholly_on_plates(contacts, kinetic):
    (stride,) = strides_of([made(TIME, strikes(0.5, 1.6), contacts)])
    assert stride.is_kinetic is kinetic


def test_an_estimated_strike_is_known_of_its_stride():
    events = [event("heel strike", "right", 0.5, source="kinematic (estimated)"), *strikes(1.6, 2.7)]
    assert [each.is_estimated for each in strides_of([made(TIME, events)])] == [True, False]


# courses over strides


def one_joint(angle, moment=None, contacts=(), at=(0.513, 1.627, 2.75), edge=None):
    course = {"angle": angle} if moment is None else {"angle": angle, "moment": moment}
    return made(TIME, strikes(*at), contacts, {"right knee": course}, edge=edge)


def curves(trial, quantity, points=101):
    return stride_curves([trial], strides_of([trial]), points)["right knee", quantity]


def test_a_sine_goes_through_the_interpolation():
    omega = 2 * np.pi / 1.1
    found = curves(one_joint(np.sin(omega * TIME)), "angle")
    for row, (start, end) in zip(found.values, [(0.513, 1.627), (1.627, 2.75)], strict=True):
        assert row == pytest.approx(np.sin(omega * np.linspace(start, end, 101)), abs=3e-8)


def test_a_cubic_is_met_exactly_at_any_number_of_points():
    found = curves(one_joint(TIME**3 - 4 * TIME), "angle", 51)
    at = np.linspace(0.513, 1.627, 51)
    assert found.values[0] == pytest.approx(at**3 - 4 * at, abs=1e-11)


def test_a_stride_with_a_gap_is_blank_and_its_neighbour_is_not():
    angle = np.sin(TIME)
    angle[120] = np.nan
    found = curves(one_joint(angle), "angle")
    assert np.isnan(found.values[0]).all()
    assert found.values[1] == pytest.approx(np.sin(np.linspace(1.627, 2.75, 101)), abs=1e-8)


def test_moments_of_strides_off_the_plates_are_blank_and_angles_are_not():
    on_plate = [Contact("right", 0.513, 1.2, ("A",), whole=True), Contact("right", 1.627, 2.3, (), whole=False)]
    trial = one_joint(np.sin(TIME), np.cos(TIME), on_plate)
    assert np.isfinite(curves(trial, "angle").values).all()
    moment = curves(trial, "moment").values
    assert np.isfinite(moment[0]).all()
    assert np.isnan(moment[1]).all()


def test_a_stride_may_fill_its_trial_from_the_first_frame_to_the_last():
    found = curves(one_joint(np.sin(TIME), at=(0.0, 4.0)), "angle")
    assert found.values[0] == pytest.approx(np.sin(np.linspace(0.0, 4.0, 101)), abs=1e-8)


def test_a_joint_that_one_trial_lacks_is_blank_there():
    whole, without = one_joint(np.sin(TIME)), made(TIME, strikes(0.5, 1.6))
    found = stride_curves([without, whole], strides_of([without, whole]), 11)["right knee", "angle"]
    assert list(np.isfinite(found.values).all(axis=1)) == [False, True, True]


def test_segments_and_feet_go_over_the_strides_of_their_side():
    trial = walked(TIME)
    found = stride_curves([trial], strides_of([trial]), 101)
    assert found["left thigh", "angle"].side == "left"
    assert found["trunk", "angle"].side == "right"
    assert len(found["left foot", "fy"].strides) == len([each for each in strides_of([trial]) if each.side == "left"])
    assert found["right foot", "fy"].values[0, 0] == pytest.approx(0.0, abs=1e-6)


def test_each_stride_of_the_walker_is_its_closed_form():
    trial = walked(TIME)
    found = stride_curves([trial], strides_of([trial]), 101)
    at = np.linspace(PERIOD, 2 * PERIOD, 101)
    for label, load in joint_loads(at).items():
        if label.startswith("right"):
            for row in found[label, "power"].values:
                away = np.abs(row - load.power)  # where a foot lands and leaves, the moment has a kink
                assert np.sqrt(np.mean(away**2)) < 0.01 * np.ptp(load.power)


# means


def stack(values, edge=None):
    values = np.array(values, dtype=float)
    return StrideCurves("right", (), values, np.zeros(values.shape, bool) if edge is None else np.array(edge))


def test_means_and_deviations_are_pointwise_and_of_whole_strides():
    found = ensemble(stack([[1.0, 2.0, 3.0], [3.0, 2.0, 7.0], [np.nan, 9.0, 9.0]]))
    assert list(found.mean) == [2.0, 2.0, 5.0]
    assert found.sd == pytest.approx([np.sqrt(2.0), 0.0, np.sqrt(8.0)])
    assert list(found.n) == [2, 2, 2]


def test_one_stride_has_no_deviation_and_none_no_mean():
    one, none = ensemble(stack([[1.0, 2.0]])), ensemble(stack([[np.nan, np.nan]]))
    assert (list(one.mean), list(one.n)) == ([1.0, 2.0], [1, 1])
    assert np.isnan(one.sd).all()
    assert list(none.n) == [0, 0]
    assert np.isnan(none.mean).all()


def test_what_is_near_an_end_of_the_trial_is_out_of_the_mean():
    found = ensemble(stack([[1.0, 2.0], [5.0, 6.0]], [[True, False], [False, False]]))
    assert (list(found.mean), list(found.n)) == ([5.0, 4.0], [1, 2])
    edge = TIME < 0.75
    over = curves(one_joint(np.sin(TIME), edge=edge), "angle")
    assert 0.2 < over.edge[0].mean() < 0.22
    assert not over.edge[1].any()


# peaks


@pytest.mark.parametrize("middle", [1.003, 1.0, 0.9951])
def test_the_vertex_of_a_parabola_is_met_exactly(middle):
    hill = 5.0 - 3.0 * (TIME - middle) ** 2
    found = largest(hill, TIME, NO_EDGE, 0.5, 1.6)
    assert (found.value, found.time) == (pytest.approx(5.0, abs=1e-12), pytest.approx(middle, abs=1e-9))
    found = smallest(-hill, TIME, NO_EDGE, 0.5, 1.6)
    assert (found.value, found.time) == (pytest.approx(-5.0, abs=1e-12), pytest.approx(middle, abs=1e-9))


def test_what_rises_to_the_end_of_a_stride_peaks_there():
    hill = 5.0 - 3.0 * (TIME - 1.7) ** 2
    found = largest(hill, TIME, NO_EDGE, 0.5, 1.604)
    assert (found.value, found.time) == (pytest.approx(5.0 - 3.0 * 0.096**2, abs=1e-12), pytest.approx(1.604))
    found = largest(-TIME, TIME, NO_EDGE, 0.503, 1.6)
    assert (found.value, found.time) == (pytest.approx(-0.503, abs=1e-12), pytest.approx(0.503))
    cut = largest(TIME, TIME, NO_EDGE, 3.5, 4.0)
    assert (cut.value, cut.time) == (4.0, 4.0)


def test_a_peak_among_frames_that_do_not_count_is_unknown():
    two = np.exp(-(((TIME - 0.8) / 0.1) ** 2)) + 0.5 * np.exp(-(((TIME - 1.3) / 0.1) ** 2))
    assert largest(two, TIME, TIME < 0.9, 0.5, 1.6) is None
    assert largest(two, TIME, TIME < 0.6, 0.5, 1.6).time == pytest.approx(0.8, abs=1e-4)
    assert largest(two, TIME, TIME > 1.2, 0.5, 1.6).value == pytest.approx(1.0, abs=1e-3)
    assert largest(two, TIME, TIME > 0.0, 0.5, 1.6) is None


def test_a_peak_of_a_course_with_a_gap_is_unknown():
    course = np.where(TIME == 1.2, np.nan, TIME)
    assert largest(course, TIME, NO_EDGE, 0.5, 1.6) is None
    assert largest(course, TIME, NO_EDGE, 0.5, 1.19).value == pytest.approx(1.19)
    assert largest(course, TIME, NO_EDGE, 3.5, 4.2) is None


# work


def test_the_work_of_a_sine_is_its_closed_form():
    start, duration, power = 0.513, 1.1, 80.0
    found = joint_work(power * np.sin(2 * np.pi * (TIME - start) / duration), TIME, start, start + duration)
    lobe = power * duration / np.pi
    assert found.positive == pytest.approx(lobe, rel=1e-7)
    assert found.negative == pytest.approx(-lobe, rel=1e-7)
    assert found.net == pytest.approx(0.0, abs=1e-7)
    assert [each.work for each in found.phases] == [pytest.approx(lobe, rel=1e-7), pytest.approx(-lobe, rel=1e-7)]
    assert found.phases[0].end == found.phases[1].start == pytest.approx(start + duration / 2, abs=1e-8)
    assert (found.phases[0].start, found.phases[1].end) == (start, start + duration)


def lobes(*works):
    """A power of half sines of 0.2 s from 0.5 s on with these works."""
    power = np.zeros(len(TIME))
    for number, work in enumerate(works):
        part = (TIME - 0.5 - 0.2 * number) / 0.2
        power += np.where((part >= 0) & (part < 1), work * np.pi / 0.4 * np.sin(np.pi * part), 0.0)
    return power, 0.5 + 0.2 * len(works)


def test_phases_under_two_percent_are_merged_with_both_neighbours():
    power, end = lobes(10.0, -0.1, 6.0, -4.0)
    found = joint_work(power, TIME, 0.5, end)
    assert [each.work for each in found.phases] == pytest.approx([15.9, -4.0], abs=0.03)
    assert [each.end for each in found.phases] == pytest.approx([1.1, 1.3], abs=2e-3)
    assert found.positive == pytest.approx(16.0, abs=0.03), "what is merged still counts as what it is"
    assert found.negative == pytest.approx(-4.1, abs=0.03)
    power, end = lobes(10.0, -0.5, 6.0, -4.0)
    assert len(joint_work(power, TIME, 0.5, end).phases) == 4, "2.4 % stay"


def test_a_small_phase_at_the_end_goes_into_its_only_neighbour():
    power, end = lobes(0.1, -8.0, 6.0, -0.1)
    found = joint_work(power, TIME, 0.5, end)
    assert [each.work for each in found.phases] == pytest.approx([-7.9, 5.9], abs=0.03)
    assert (found.phases[0].start, found.phases[-1].end) == (0.5, end)


def test_all_phases_together_are_the_net_work():
    power = joint_loads(TIME)["right knee"].power
    found = joint_work(power, TIME, 1.1, 2.2)
    assert sum(each.work for each in found.phases) == pytest.approx(found.net, rel=1e-12)
    assert found.positive + found.negative == pytest.approx(found.net, rel=1e-12)
    fine = np.arange(1.1, 2.2, 1e-4)
    exact = joint_loads(fine)["right knee"].power
    assert found.net == pytest.approx(np.trapezoid(exact, fine), abs=0.02)
    assert found.positive == pytest.approx(np.trapezoid(np.maximum(exact, 0), fine), abs=0.02)


def test_the_spline_is_that_of_the_whole_course():
    power = np.random.default_rng(4).standard_normal(len(TIME)).cumsum()
    found = joint_work(power, TIME, 0.513, 1.627)
    assert found.net == pytest.approx(float(CubicSpline(TIME, power).integrate(0.513, 1.627)), abs=1e-5 * np.ptp(power))


def test_work_needs_all_samples_of_the_stride():
    power = np.sin(TIME)
    assert joint_work(np.where(TIME == 1.0, np.nan, power), TIME, 0.5, 1.6) is None
    assert joint_work(power, TIME, 3.5, 4.1) is None
    around = np.where((TIME < 0.5) | (TIME > 1.61), np.nan, power)
    assert joint_work(around, TIME, 0.5, 1.605).net == pytest.approx(np.cos(0.5) - np.cos(1.605), abs=1e-8)


def test_a_power_of_nothing_is_no_work():
    found = joint_work(np.zeros(len(TIME)), TIME, 0.5, 1.6)
    assert (found.positive, found.negative, found.net) == (0.0, 0.0, 0.0)


def test_a_shift_in_time_moves_strides_and_nothing_else():
    trial = walked(TIME)
    later = replace(
        trial,
        time=trial.time + 5,
        events=tuple(replace(each, time=each.time + 5) for each in trial.events),
        contacts=tuple(replace(each, start=each.start + 5, end=each.end + 5) for each in trial.contacts),
    )
    before, after = (stride_curves([each], strides_of([each]), 101) for each in (trial, later))
    for name, each in before.items():
        assert np.allclose(after[name].values, each.values, rtol=0, atol=1e-9)

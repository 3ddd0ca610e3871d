"""The exact walker keeps to the laws that tests of gait hold the product against."""

import numpy as np

from tests.support import gait_walker as w

TIMES = np.linspace(0.003, 3.7, 400)


def energy(time):
    body = w.walk(time)
    return sum(
        0.5 * each.mass * (each.com.rate**2).sum(1)
        + 0.5 * each.inertia * each.angle.rate**2
        + each.mass * w.GRAVITY * each.com.value[:, 1]
        for each in body.pieces.values()
    )


def test_accelerations_of_the_walker_are_differences_of_its_places():
    step = 1e-4
    for name, point in w.walk(TIMES).points.items():
        before, after = (w.walk(TIMES + sign * step).points[name] for sign in (-1, 1))
        assert np.allclose((after.value - before.value) / (2 * step), point.rate, atol=1e-5)
        assert np.allclose((after.rate - before.rate) / (2 * step), point.second, atol=1e-3)


def test_the_ground_carries_the_walkers_mean_weight_and_pushes_feet_up_only():
    stride = np.linspace(0.0, w.PERIOD, 1000, endpoint=False)
    feet = w.ground(stride)
    assert np.isclose(sum(force for force, _ in feet.values())[:, 1].mean(), w.MASS * w.GRAVITY, rtol=1e-10)
    assert all(force[:, 1].min() >= -1e-9 for force, _ in feet.values())


def test_the_force_acts_under_the_standing_foot_which_hardly_moves():
    body, feet = w.walk(TIMES), w.ground(TIMES)
    for side, (force, moment) in feet.items():
        stands = force[:, 1] > 20.0
        heel, toe = (body.points[f"{side} {name}"] for name in ("heel", "toe"))
        place = moment[stands] / force[stands, 1]
        assert np.all(place > heel.value[stands, 0])
        assert np.all(place < toe.value[stands, 0] + 0.01)
        speed = np.mean([np.hypot(*each.rate[stands].T).mean() for each in (heel, toe)])
        assert speed < 0.28


def test_powers_of_joints_and_ground_are_the_change_of_energy():
    step = 1e-4
    body, feet, power = w.walk(TIMES), w.ground(TIMES), 0.0
    for load in w.joint_loads(TIMES).values():
        power = power + load.power
    for side, (force, moment) in feet.items():
        foot = body.pieces[f"{side} foot"]
        power = power + (force * foot.com.rate).sum(1)
        power = power + (moment - w.cross(foot.com.value, force)) * foot.angle.rate
    change = (energy(TIMES + step) - energy(TIMES - step)) / (2 * step)
    assert np.allclose(power, change, atol=2e-3)

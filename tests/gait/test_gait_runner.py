"""The runner keeps to the laws that its template is held against."""

import numpy as np

from tests.gait import gait_runner as r
from tests.support import gait_walker as w

TIMES = np.linspace(0.0031, 2.3, 700)


def test_accelerations_of_the_runner_are_differences_of_its_places():
    step = 1e-4
    for name, point in r.run(TIMES).points.items():
        before, after = (r.run(TIMES + sign * step).points[name] for sign in (-1, 1))
        assert np.allclose((after.value - before.value) / (2 * step), point.rate, atol=1e-4), name
        assert np.allclose((after.rate - before.rate) / (2 * step), point.second, atol=0.02), name


def test_the_ground_gives_what_the_body_demands_and_nothing_in_flight():
    force, moment = r.run(TIMES).demand()
    feet = r.ground(TIMES)
    given = sum(each for each, _ in feet.values())
    assert np.abs(force - given).max() < 1e-9
    in_flight = given[:, 1] == 0.0
    assert 0.25 < in_flight.mean() < 0.4
    about = sum(each for _, each in feet.values()) - moment
    assert np.sqrt(np.mean(about**2)) < 0.9
    assert given[:, 1].max() < 2.8 * r.MASS * r.GRAVITY


def test_the_force_acts_under_the_standing_foot_which_hardly_moves():
    body, feet = r.run(TIMES), r.ground(TIMES)
    for side, (force, moment) in feet.items():
        stands = force[:, 1] > 50.0
        heel, toe, mt5 = (body.points[f"{side} {name}"] for name in ("heel", "toe", "mt5"))
        place = moment[stands] / force[stands, 1]
        assert np.all(place > heel.value[stands, 0])
        assert np.all(place < toe.value[stands, 0] + 0.02)
        lowest = np.min([each.value[stands, 1] for each in (heel, mt5, toe)], axis=0)
        assert np.all(np.abs(lowest - w.MT5[1]) < 0.02)
        speed = [np.hypot(*each.rate[stands].T) for each in (heel, toe)]
        assert np.median(np.mean(speed, axis=0)) < 0.5, "its heel rises early"


def test_the_runner_bends_as_people_do():
    angles = {name: each.angle.value for name, each in r.run(TIMES).pieces.items()}
    hip = np.degrees(angles["right thigh"] - np.pi / 2.0)
    knee = np.degrees(angles["right thigh"] - angles["right shank"])
    assert 30.0 < hip.max() < 50.0
    assert -35.0 < hip.min() < -10.0
    assert 85.0 < knee.max() < 115.0
    assert 0.0 < knee.min() < 20.0
    assert np.ptp(np.degrees(angles["trunk"])) < 10.0
    loads = r.joint_loads(TIMES)
    assert 2.0 < -loads["right ankle"].moment.min() / r.MASS < 3.5
    assert 2.0 < loads["right knee"].moment.max() / r.MASS < 4.0
    assert np.abs(loads["right hip"].moment).max() / r.MASS < 3.0

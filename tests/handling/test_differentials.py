"""Differentials of driven axles: equal torques, equal speeds, or torques in a ratio that is never passed."""

import numpy as np
import pytest

from tests.support.handling_books import CORNERS, HANDLING, column, handled, read_off, single_track_book

G = 9.81
RADIUS = 0.23
BIAS = 1.5
TRACK = 1.2
"""m, of the car"""
GRID = ("-3 deg", "3 deg", "1 deg", "-5 mm", "5 mm", "2.5 mm")
ROWS = [(*HANDLING, "drive"), ("d", "yaw moment", 15, None, None, *GRID, 400)]


def driven(tmp_path, word):
    """The diagram of a car that is driven at the rear with 400 N."""
    settings = {"differential": (None, word), "drive rear": (1.0,), "cg height": ("300 mm",)}
    settings |= {"differential bias": (None, BIAS)} if word == "limited" else {}
    path = single_track_book(tmp_path / f"{word}.xlsx", [], settings=settings, others={"Handling": ROWS})
    return handled(path)["d"]


def torques(found):
    """(n, 2) driving torques of the rear wheels: linear tyres roll without resistance."""
    return RADIUS * shown(found, "fx")


def shown(found, name):
    """(n, 2) a column of the rear wheels, in states that have an equilibrium with all wheels on the road."""
    there = np.all([column(found, f"{corner}.fz") > 0.0 for corner in CORNERS], axis=0)
    assert there.sum() > 20
    return np.column_stack([column(found, f"{corner}.{name}")[there] for corner in ("RL", "RR")])


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    folder = tmp_path_factory.mktemp("differentials")
    return {word: driven(folder, word) for word in ("open", "locked", "limited")}


def test_an_open_differential_has_equal_torques(found):
    left, right = torques(found["open"]).T
    assert left == pytest.approx(right, rel=1e-9)
    assert left + right == pytest.approx(400.0 * RADIUS, rel=1e-9)


def test_a_locked_one_turns_both_wheels_alike(found):
    one = found["locked"]
    there = np.all([column(one, f"{corner}.fz") > 0.0 for corner in CORNERS], axis=0)
    kappa, heading = shown(one, "kappa"), np.radians(shown(one, "steer"))
    beta, rate = np.radians(column(one, "beta")[there]), np.radians(column(one, "yaw_rate")[there])
    # of the contacts, along the headings of wheels that roll a little with the car
    assert np.abs(heading).max() < 1e-3
    along = 15.0 * np.cos(beta)[:, None] - rate[:, None] * 0.5 * TRACK * np.array([1.0, -1.0])
    turning = (1.0 + kappa) * along
    assert turning[:, 0] == pytest.approx(turning[:, 1], rel=2e-4)
    assert np.ptp(torques(one), axis=1).max() > 20.0


def test_a_limited_one_keeps_its_bias_or_turns_alike(found):
    limited, locked = torques(found["limited"]), torques(found["locked"])
    low, high = np.sort(np.abs(limited), axis=1).T
    assert np.all(limited >= 0.0)
    assert np.all(high <= BIAS * low * (1.0 + 1e-9))
    slips = np.abs(high - BIAS * low) < 1e-6
    assert slips.any()
    assert not slips.all()
    assert limited[~slips] == pytest.approx(locked[~slips], rel=1e-7)
    # where it slips, the wheel that gets more is the one that a locked differential pulls more
    assert np.array_equal(limited[slips, 0] > limited[slips, 1], locked[slips, 0] > locked[slips, 1])


@pytest.fixture(scope="module")
def at_limit(tmp_path_factory):
    """Diagrams of free cars and envelopes, by the word of the differential, of bias 1.5 and of one that is never reached."""
    folder, found = tmp_path_factory.mktemp("limits"), {}
    heads = (*HANDLING, "ay_from", "ay_to", "ay_step")
    rows = [("d", "yaw moment", 15, None, None, *GRID), ("e", "g-g", 15, *[None] * 8, 0.1, 0.8, 0.1)]
    for name, word, bias in (("open", "open", None), ("limited", "limited", BIAS), ("stiff", "limited", 1e6)):
        settings = {"differential": (None, word), "drive rear": (1.0,), "cg height": ("300 mm",)}
        settings |= {"differential bias": (None, bias)} if bias else {}
        others = {"Handling": [heads, *rows]}
        found[name] = handled(single_track_book(folder / f"{name}.xlsx", [], 1.2, settings=settings, others=others))
    settings = {"differential": (None, "locked"), "drive rear": (1.0,), "cg height": ("300 mm",)}
    path = single_track_book(folder / "locked.xlsx", [], 1.2, settings=settings, others={"Handling": [heads, rows[1]]})
    return {**found, "locked": handled(path)}


@pytest.mark.parametrize("name", ["limited", "stiff"])
def test_a_limited_one_that_passes_no_torque_is_an_open_one(at_limit, name):
    for metric in ("max_trimmed_ay", "max_ay", "limit_balance", "stability"):
        free = read_off(at_limit["open"]["d"], metric)
        assert read_off(at_limit[name]["d"], metric) == pytest.approx(free, abs=1e-9)


def test_a_limited_one_drives_on_where_its_torques_come_apart(at_limit):
    limited, stiff, locked = (column(at_limit[name]["e"], "ax_max") for name in ("limited", "stiff", "locked"))
    assert stiff == pytest.approx(locked, abs=1e-6)
    assert np.all(np.diff(limited) < 0.0)
    assert np.all(limited > 0.2 * G)
    assert np.all(limited >= column(at_limit["open"]["e"], "ax_max") - 1e-6)

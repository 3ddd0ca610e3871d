"""The example workbook of a K&C rig against the balance of uprights on links: its curves, and the part that it blames."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import sheetmbs

ROOT = Path(__file__).parents[2]
BOOK = ROOT / "workbooks" / "kc-rig.xlsx"
TRUE_MOUNT = {"Compliance!C6": 5.0}


@pytest.fixture(scope="module")
def rig():
    sys.path.insert(0, str(ROOT / "workbooks"))
    import make_kc_rig

    return make_kc_rig


@pytest.fixture(scope="module")
def drawn():
    return sheetmbs.run(BOOK)


def test_curves_are_those_of_uprights_on_links(rig, drawn):
    """Toe and camber under forces, torques and travel; an arm's legs turn with it, which moves parts in a hundred thousand."""
    from kc_readings import Load, readings

    car = rig.rig_car(rig.MOUNT)
    cases = {
        "lateral": (rig.lateral, 1e-3, "lateral_force"),
        "aligning": (rig.aligning, 1.0, "aligning_torque"),
        "heave": (lambda x: [Load(travel=float(each)) for each in x], 1.0, "travel"),
    }
    for name, (loads, unit, column) in cases.items():
        table = drawn.sweeps[name]
        found = table[["FL.toe", "FL.camber", "FR.toe", "FR.camber"]].to_numpy()
        others = readings(car, loads(list(unit * table[column].to_numpy())))
        moved = np.ptp(others, axis=0)
        assert np.max(moved) > 0.03
        np.testing.assert_allclose(found, others, atol=5e-5 * np.max(moved), err_msg=name)


def test_the_mount_as_drawn_is_missed_and_that_of_the_rig_is_not(drawn):
    missed = drawn["mbs Measured"].set_index("measurement")
    found = sheetmbs.run(BOOK, changes=TRUE_MOUNT)["mbs Measured"].set_index("measurement")
    assert missed.loc["toe by torque", "verdict"] == "residuals are not random: the model misses something"
    assert missed.loc["toe by torque", "rms_over_sd"] > 10.0
    for name in ("toe left", "toe right", "camber left", "toe by torque"):
        assert found.loc[name, "verdict"] == "", name
        assert found.loc[name, "rms_over_sd"] < 1.0, name


def test_the_mount_has_most_of_the_toe(drawn):
    parts = drawn["mbs Compliance Parts"].set_index("part")["FL.toe_per_lateral"]
    assert parts.drop(["sum"]).abs().idxmax() == "rack mount"
    assert parts.drop(["sum"]).sum() == pytest.approx(parts["sum"], abs=1e-12)

"""A constant-velocity joint at any angle of its shafts: equal rates, and a fold through 180 degrees."""

import numpy as np
import pytest

from tests.support.geared_books import driven, hinge, solve
from tests.support.spatial_books import at, axis, body

FOLDED = np.pi
SWING = 2.5
"""rad/s of the arm that folds the shafts"""


def shafts(spin, fold, *, drives_spin=True):
    """Two shafts, the second in an arm that swings about x; no more rows than freedoms, so every reaction is known."""
    own = {} if drives_spin else {"wz": spin}
    drivers = [driven("swing", **fold)] + ([driven("in axle", velocity=spin)] if drives_spin else [])
    return {
        "Bodies": [body("in", **own), body("out", inertia=(0.1, 0.2, 0.3), **own), body("arm")],
        "Points": [at()],
        "Joints": [
            hinge("in axle", "ground", "in", "P"),
            hinge("swing", "ground", "arm", "P", (1, 0, 0)),
            {"name": "out axle", "type": "parallel", "body_i": "arm", "body_j": "out", "point": "P", **axis(0, 0, 1)},
            {"name": "cv", "type": "constant-velocity", "body_i": "in", "body_j": "out", "point": "P", **axis(0, 0, 1)},
        ],
        "Drivers": drivers,
    }


def turned_by(spin, fold):
    """(3, 3) orientation of the second shaft: it turns about its own axis as far as the first, then swings about x."""
    c, s, a, b = np.cos(spin), np.sin(spin), np.cos(fold), np.sin(fold)
    return np.array([[1, 0, 0], [0, a, -b], [0, b, a]]) @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def orientation(found, row):
    e0, e1, e2, e3 = (found.bodies[f"out.e{k}"].iloc[row] for k in range(4))
    e = np.array([e1, e2, e3])
    skew = np.array([[0, -e3, e2], [e3, 0, -e1], [-e2, e1, 0]])
    return (2 * e0**2 - 1) * np.eye(3) + 2 * (np.outer(e, e) + e0 * skew)


@pytest.mark.parametrize("analysis", ["kinematic", "inverse dynamic"])
@pytest.mark.parametrize("spin", [0.0, 5.0, -30.0])
def test_shafts_that_are_driven_through_the_fold_stay_on_their_branch(tmp_path, analysis, spin):
    sheets = shafts(spin, {"velocity": SWING})
    found = solve(tmp_path / "a.xlsx", {"analysis": analysis, "t_end": 2, "t_step": 0.02}, **sheets)
    assert found.status == "done"
    assert found.bodies["time"].iloc[-1] * SWING > FOLDED + 1.0
    for row, t in enumerate(found.bodies["time"]):
        assert np.abs(orientation(found, row) - turned_by(spin * t, SWING * t)).max() < 1e-8


@pytest.mark.nightly
def test_a_dynamic_analysis_up_to_beyond_the_fold_names_the_joint_and_the_time_there(tmp_path):
    """Folded shafts stand in one line, across what the joint transmits: nothing holds their rates together."""
    for drives_spin in (True, False):
        sheets = shafts(5.0, {"velocity": SWING}, drives_spin=drives_spin)
        if not drives_spin:
            sheets["Bodies"][1]["wx"] = sheets["Bodies"][2]["wx"] = SWING
        found = solve(tmp_path / "a.xlsx", {"t_end": 2, "t_step": 0.02}, **sheets)
        assert found.status == "failed"
        (problem,) = [each for each in found.sheets.problems if each.severity == "error"]
        assert problem.code == "shafts-folded"
        assert problem.cell == "Joints!A5"
        assert "the shafts of cv lie folded on each other, at 180 deg" in problem.found
        assert float(problem.found.split()[3]) == pytest.approx(FOLDED / SWING, abs=1e-4)
        for row, t in enumerate(found.bodies["time"]):
            if drives_spin:
                assert np.abs(orientation(found, row) - turned_by(5.0 * t, SWING * t)).max() < 1e-6


@pytest.mark.parametrize("bend", ["30 deg", "100 deg", "170 deg"])
def test_a_moment_goes_through_bent_shafts_unchanged(tmp_path, bend):
    """Equal rates mean equal moments, whatever the angle: the lock of shaft 1 holds the moment about shaft 2."""
    sheets = shafts(0.0, {"position": bend})
    swung = np.radians(float(bend.split()[0]))
    sheets["Bodies"][1] |= {"my": -7.0 * float(np.sin(swung)), "mz": 7.0 * float(np.cos(swung)), "roll": swung}
    sheets["Bodies"][2]["roll"] = swung
    for each in sheets["Joints"][2:]:
        each.update({"axis_x": None, "axis_y": None, "axis_z": None})
        each.update({f"axis_{side}_{k}": float(k == "zeta") for side in "ij" for k in ("xi", "eta", "zeta")})
    sheets["Drivers"][0] = {"name": "hold swing", "joint": "swing", "coordinate": "angle"}
    for analysis in ("inverse dynamic", "dynamic", "equilibrium"):
        found = solve(tmp_path / "a.xlsx", {"analysis": analysis}, **sheets)
        assert found.drivers["drive in axle.moment"].iloc[-1] == pytest.approx(-7.0, abs=1e-7)

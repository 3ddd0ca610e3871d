"""Joints that say the same: which of their rows are solved with must not show, however the bodies turn."""

import numpy as np
import pytest

import sheetmbs
from tests.lower.paired import PLANAR, SPATIAL, cranks, planar_pair, spatial_pair
from tests.support.mechanisms import bar, body, hinge, model, on, turning

SEEDS = range(6)


def differences(two, one):
    """Largest difference of any coordinate, and of what the joints of the pair do to the ground of the chain (its pins)."""
    several, single = sheetmbs.run(two), sheetmbs.run(one)
    assert (several.status, single.status) == ("done", "done")
    places = [name for name in single.bodies if name.endswith((".x", ".y", ".z", ".phi"))]
    pins = [name for name in single.joints if ".i.f" in name and not name.startswith("pair")]
    sums = [
        sum(result.joints[f"{joint.name}.{side}.{axis}"] for joint, side in held)
        for result, held in ((several, sides(two)), (single, sides(one)))
        for axis in ("fx", "fy")
    ]
    force = max(np.abs(sums[0] - sums[2]).max(), np.abs(sums[1] - sums[3]).max())
    force = max(force, *(np.abs(several.joints[name] - single.joints[name]).max() for name in pins))
    return max(np.abs(several.bodies[name] - single.bodies[name]).max() for name in places), force


def sides(made):
    """The joints of the pair, and the side of each that is the last body."""
    last = made.bodies[-1].name
    return [(each, "j" if each.j.body == last else "i") for each in made.joints if each.name.startswith("pair")]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", PLANAR)
def test_two_joints_between_planar_bodies_move_and_bear_as_one_fixed_joint(kind, seed):
    motion, force = differences(*planar_pair(kind, seed))
    assert motion < 1e-4
    assert force < 1e-3


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", SPATIAL)
def test_joints_on_one_axis_move_and_bear_as_one_of_them(kind, seed):
    motion, force = differences(*spatial_pair(kind, seed))
    assert motion < 1e-4
    assert force < 1e-3


@pytest.mark.parametrize("integrator", ["auto", "radau", "lsoda", "abm", "bdf", "dopri5"])
def test_coupler_on_three_cranks_swings_as_a_pendulum(integrator):
    """It only shifts, so it swings as its mass at the end of a crank with three cranks' inertia about their feet."""
    for seed in SEEDS:
        result = sheetmbs.run(cranks(seed, integrator=integrator, rtol=1e-7))
        assert result.status == "done"
        angle = result.bodies["crank 0.phi"]
        rate, alpha = result.bodies["crank 0.omega"], result.bodies["crank 0.alpha"]
        inertia, moment = 3.0 + 3 * (1.0 / 3.0), 3.0 + 3 * 0.5  # about the feet; times gravity
        assert np.abs(inertia * alpha - moment * (-9.81 * np.cos(angle) - 3.0 * np.sin(angle))).max() < 1e-3
        energy = 0.5 * inertia * rate**2 + moment * (9.81 * np.sin(angle) - 3.0 * np.cos(angle))
        assert np.abs(energy - energy[0]).max() < 1e-3


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_driven_cranks_pass_a_position_in_which_each_row_of_one_of_them_counts(order):
    """At t = 1 s two cranks stand in one line, so that the third alone keeps the coupler from turning."""
    feet = np.array([(0.0, 0.0), (0.0, 0.5), (1.0, 0.2)])[list(order)]
    bodies = [bar(f"crank {k}", foot, foot + np.array([1.0, 0.0])) for k, foot in enumerate(feet)]
    bodies.append(body("coupler", 1.0, 0.0))
    joints = [hinge(f"foot {k}", on("ground", *foot), on(f"crank {k}", -0.5)) for k, foot in enumerate(feet)]
    joints += [hinge(f"head {k}", on("coupler", *foot), on(f"crank {k}", 0.5)) for k, foot in enumerate(feet)]
    drive = turning("foot 0", 0.5 * np.pi)
    result = sheetmbs.run(model(bodies, joints, drivers=(drive,), analysis="kinematic", t_end=3.0, t_step=0.25))
    assert result.status == "done"
    t = result.bodies["time"]
    assert np.abs(result.bodies["coupler.x"] - np.cos(0.5 * np.pi * t)).max() < 1e-9
    assert np.abs(result.bodies["coupler.phi"]).max() < 1e-9

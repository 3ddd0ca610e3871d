"""Reactions with and without hubs in the matrix, and those that are not unique."""

import numpy as np
import pytest

import sheetmbs
from sheetmbs.engine.algebra import ordering
from tests.support.crowded import NEVER, engine, star, train
from tests.support.mechanisms import body, hinge, model, on
from tests.support.spatial_mechanisms import joined, rigid, space


@pytest.mark.parametrize("made", [star(8), train(2), engine(6)])
def test_motion_and_reactions_are_the_same_with_and_without_hubs(made, monkeypatch):
    found = []
    for threshold in (6, NEVER):
        monkeypatch.setattr(ordering, "HUB_JOINTS", threshold)
        found.append(sheetmbs.run(model(*made, t_end=0.1)))
    one, two = found
    assert one.status == two.status == "done"
    assert np.abs(one.bodies - two.bodies).max().max() < 1e-7
    assert np.abs(one.joints - two.joints).max().max() < 1e-6 * np.abs(two.joints).max().max()


def held_beam():
    """A beam on three hinges, and a lighter one on two hinges of the first: everything stands still."""
    bodies = (body("beam", 0.0, 0.0, mass=4.0), body("rider", 0.3, 0.5, mass=0.5))
    joints = (
        hinge("left", on("ground", -1.0), on("beam", -1.0)),
        hinge("middle", on("ground", 0.2), on("beam", 0.2)),
        hinge("right", on("ground", 1.0), on("beam", 1.0)),
        hinge("front", on("beam", -0.4), on("rider", -0.7, -0.5)),
        hinge("rear", on("beam", 0.9), on("rider", 0.6, -0.5)),
    )
    return bodies, joints


def test_reactions_that_are_not_unique_have_the_least_weighted_size():
    """Of all reactions that carry the weights, those for which the sum of compliance times force squared is least."""
    bodies, joints = held_beam()
    result = sheetmbs.run(model(bodies, joints, analysis="inverse dynamic", t_end=0.1))
    compliance = {"left": 1, "middle": 1, "right": 1, "front": 2, "rear": 2}  # by the number of bodies that move
    at = {"left": (-1.0, 0.0), "middle": (0.2, 0.0), "right": (1.0, 0.0), "front": (-0.4, 0.0), "rear": (0.9, 0.0)}
    equilibrium = np.zeros((6, 10))
    for k, (name, (x, y)) in enumerate(at.items()):
        if name in ("front", "rear"):
            equilibrium[0:3, 2 * k : 2 * k + 2] = [[-1, 0], [0, -1], [y, -x]]
            equilibrium[3:6, 2 * k : 2 * k + 2] = [[1, 0], [0, 1], [-(y - 0.5), x - 0.3]]
        else:
            equilibrium[0:3, 2 * k : 2 * k + 2] = [[1, 0], [0, 1], [-y, x]]
    weights = np.repeat(np.sqrt(list(compliance.values())), 2)
    carried = np.array([0.0, 4.0 * 9.81, 0.0, 0.0, 0.5 * 9.81, 0.0])
    expected = (np.linalg.pinv(equilibrium / weights) @ carried) / weights
    last = result.joints.iloc[-1]
    found = [last[f"{name}.j.{axis}"] for name in at for axis in ("fx", "fy")]
    assert np.abs(found - expected).max() < 1e-11
    assert result.summary["reactions not unique, least-norm values given"] == "left, middle, right, front, rear"


def doors(turn=1, length=1.0, mass=1.0, **more):
    """Doors on two hinges each on a body that flies and spins: five redundant rows a door, one door on a ball joint alone."""
    names = [f"door {k}" for k in range(4)]
    bodies = [
        rigid("car", mass=5 * mass, inertia=np.array([2, 3, 4]) * mass * length**2, angular_velocity=(0.2, 0.5, 1))
    ]
    joints = []
    for k, name in enumerate(names):
        centre = np.array([2 * np.cos(k), 2 * np.sin(k), 0.2 * k]) * length
        inertia = np.array([0.1, 0.2, 0.3]) * mass * length**2
        bodies.append(rigid(name, centre, mass=(0.5 + 0.1 * k) * mass, inertia=inertia))
    for k, name in enumerate(names):
        point, axis = np.array([np.cos(k), np.sin(k), 0.1 * k]) * length, np.array([np.sin(k), 0.3, 1.0])
        if k == 3:
            joints.append(joined(bodies, "ball", "spherical", "car", name, point))
            continue
        joints.append(joined(bodies, f"lower {k}", "revolute", "car", name, point, axis))
        joints.append(joined(bodies, f"upper {k}", "revolute", "car", name, point + 0.5 * length * axis, axis))
    return space(
        bodies, joints[::turn], t_end=0.2, gravity=(0, 0, -9.81 * length), initial_conditions="correct", **more
    )


@pytest.fixture(scope="module")
def reference():
    return sheetmbs.run(doors())


def wrenches(result, force=1.0, moment=1.0):
    table = result.joints
    forces = [column for column in table if column.rsplit(".", 1)[-1] in ("fx", "fy", "fz")]
    moments = [column for column in table if column.rsplit(".", 1)[-1] in ("mx", "my", "mz")]
    return table[sorted(forces)].to_numpy() / force, table[sorted(moments)].to_numpy() / moment


def same(one, two):
    return all(np.abs(a - b).max() < 1e-9 * np.abs(b).max() for a, b in zip(one, two, strict=True))


def test_reactions_that_are_not_unique_do_not_depend_on_the_order_of_joints(reference):
    assert same(wrenches(sheetmbs.run(doors(turn=-1))), wrenches(reference))


def test_reactions_that_are_not_unique_do_not_depend_on_units(reference):
    scaled = sheetmbs.run(doors(length=1e3, mass=1e3))
    assert same(wrenches(scaled, 1e6, 1e9), wrenches(reference))


def test_reactions_that_are_not_unique_do_not_depend_on_hubs(reference, monkeypatch):
    monkeypatch.setattr(ordering, "HUB_JOINTS", NEVER)
    assert same(wrenches(sheetmbs.run(doors())), wrenches(reference))


def test_only_reactions_that_are_not_unique_are_named(reference):
    hinges = [f"{place} {k}" for k in range(3) for place in ("lower", "upper")]
    assert reference.summary["reactions not unique, least-norm values given"] == ", ".join(hinges)
    assert reference.summary["redundant constraints"] == "15: " + ", ".join(hinges)

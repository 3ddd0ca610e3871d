"""Models of any size whose redundant constraints are known."""

from dataclasses import replace

import numpy as np

from sheetmbs.model.model import Joint, Model
from tests.support.mechanisms import bar, hinge, model, on
from tests.support.spatial_mechanisms import joined, rigid, rod, space

ACROSS = (0.0, 1.0, 0.0)


def windows_in_space(count):
    """Four-bar windows in a row, hinged about y: one freedom; the third hinges of every loop say three things too many."""
    bodies = [rod(f"rod {k}", (k, 0, 0), (k, 0, 1)) for k in range(count + 1)]
    bodies += [rod(f"top {k}", (k, 0, 1), (k + 1, 0, 1)) for k in range(count)]
    joints = [
        joined(bodies, f"foot {k}", "revolute", "ground", f"rod {k}", (k, 0, 0), ACROSS) for k in range(count + 1)
    ]
    for k in range(count):
        for side, at in (("left", k), ("right", k + 1)):
            joints.append(joined(bodies, f"{side} {k}", "revolute", f"rod {at}", f"top {k}", (at, 0, 1), ACROSS))
    return space(bodies, joints)


def loop_in_space(links, kind="revolute"):
    """A half circle of links from ground to ground, in one plane: hinged it has three redundant rows, welded six."""
    angles = np.pi * (1.0 + np.arange(links + 1) / links)
    pins = 0.5 / np.sin(0.5 * np.pi / links) * np.column_stack((np.cos(angles), np.zeros(links + 1), np.sin(angles)))
    bodies = [rod(f"link {k}", pins[k], pins[k + 1]) for k in range(links)]
    names = ["ground", *(body.name for body in bodies), "ground"]
    joints = [joined(bodies, f"joint {k}", kind, names[k], names[k + 1], pins[k], ACROSS) for k in range(links + 1)]
    return space(bodies, joints)


def storeys(count, cranks=3):
    """Beams on parallel cranks, one upon the other: a freedom a storey, and each crank beyond two says one thing twice."""
    bodies, joints, half = [], [], (cranks - 1) / 2
    for level in range(count):
        below, shift = ("ground", 0.0) if level == 0 else (f"beam {level - 1}", half)
        for k in range(cranks):
            bodies.append(bar(f"crank {level} {k}", (k, level), (k, level + 1)))
            joints.append(hinge(f"foot {level} {k}", on(below, k - shift), on(f"crank {level} {k}", -0.5)))
            joints.append(hinge(f"head {level} {k}", on(f"crank {level} {k}", 0.5), on(f"beam {level}", k - half)))
        bodies.append(bar(f"beam {level}", (0, level + 1), (cranks - 1, level + 1)))
    return model(bodies, joints)


def doors(count):
    """Doors around a body that flies, every third one on one hinge, the others on two: five redundant rows each."""
    points = [np.array([np.cos(k), np.sin(k), 0.1 * (k % 7)]) for k in range(count)]
    bodies = [rigid("hub"), *(rigid(f"door {k}", 2.0 * point) for k, point in enumerate(points))]
    joints = []
    for k, point in enumerate(points):
        axis = np.array([np.sin(k), 0.3, 1.0])
        joints.append(joined(bodies, f"lower {k}", "revolute", "hub", f"door {k}", point, axis))
        if k % 3:
            joints.append(joined(bodies, f"upper {k}", "revolute", "hub", f"door {k}", point + 0.5 * axis, axis))
    return space(bodies, joints)


def welded(links):
    """A cantilever of bars, each welded to the one before."""
    bars = [bar(f"bar {k}", (k, 0), (k + 1, 0)) for k in range(links)]
    ends = [on("ground"), *(on(f"bar {k}", 0.5) for k in range(links - 1))]
    joints = [Joint(f"weld {k}", "fixed", end, on(f"bar {k}", -0.5)) for k, end in enumerate(ends)]
    return model(bars, joints)


def repeated(made: Model, count: int) -> Model:
    """Bodies and joints of a model several times."""

    def numbered(name, k):
        return name if name == "ground" else f"{name} #{k}"

    bodies, joints = [], []
    for k in range(count):
        bodies += [replace(body, name=numbered(body.name, k)) for body in made.bodies]
        joints += [
            replace(
                joint,
                name=numbered(joint.name, k),
                i=replace(joint.i, body=numbered(joint.i.body, k)),
                j=replace(joint.j, body=numbered(joint.j.body, k)),
                couples=joint.couples and tuple(numbered(name, k) for name in joint.couples),
            )
            for joint in made.joints
        ]
    return Model(settings=replace(made.settings, analysis="dynamic"), bodies=tuple(bodies), joints=tuple(joints))

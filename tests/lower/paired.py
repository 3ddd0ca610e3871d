"""Random models in which one pair of bodies is joined by two or three joints, and the same with one joint that does as much."""

import numpy as np

from sheetmbs.elements.marker import triad
from sheetmbs.model.model import Joint
from tests.support.mechanisms import bar, body, hinge, model, on
from tests.support.spatial_mechanisms import joined, rigid, space
from tests.support.springs import make_spring

PLANAR = ("revolute+revolute", "revolute+translational", "translational+translational", "revolute+distance")
SPATIAL = {
    "revolute+revolute+revolute": "revolute",
    "revolute+revolute": "revolute",
    "revolute+cylindrical": "revolute",
    "cylindrical+cylindrical": "cylindrical",
    "translational+translational": "translational",
}
"""joints on one axis, and the joint that says as much as all of them"""


def place(bodies, name):
    found = [each for each in bodies if each.name == name]
    if not found:
        return np.zeros(2), np.eye(2)
    c, s = np.cos(found[0].angles[2]), np.sin(found[0].angles[2])
    return found[0].position[:2], np.array([[c, -s], [s, c]])


def at(bodies, name, point, angle=0.0):
    """A marker of a planar body at a global point, its third axis along a global direction."""
    origin, turn = place(bodies, name)
    along = turn.T @ np.array([np.cos(angle), np.sin(angle)])
    return on(name, *(turn.T @ (np.array(point) - origin)), axes=triad(np.array([*along, 0.0])))


def planar_pair(kind, seed, **settings):
    """A chain of bars with a pair joined by ``kind``, and the same with that pair as one."""
    random = np.random.default_rng(seed)
    count = int(random.integers(2, 5))
    points = np.concatenate((np.zeros((1, 2)), np.cumsum(random.uniform(-1.0, 1.0, (count, 2)), axis=0)))
    bodies = [bar(f"b{k}", points[k], points[k + 1], mass=float(random.uniform(0.5, 3.0))) for k in range(count)]
    bodies.append(body("held", *(points[count] + random.uniform(-0.5, 0.5, 2)), random.uniform(-3, 3), mass=2.0))
    names = ["ground", *(each.name for each in bodies)]
    chain = [
        Joint(f"pin {k}", "revolute", at(bodies, names[k], points[k]), at(bodies, names[k + 1], points[k]))
        for k in range(count)
    ]
    held, pair = (names[count], names[count + 1]), []
    first = random.uniform(0.0, 2.0 * np.pi)
    for k, each in enumerate(kind.split("+")):
        i, j = held if random.random() < 0.5 else held[::-1]
        here, there = (points[count] + random.uniform(-0.5, 0.5, 2) for _ in range(2))
        angle = first + k * random.uniform(0.4, 2.7)
        end = there if each == "distance" else here
        pair.append(Joint(f"pair {k}", each, at(bodies, i, here, angle), at(bodies, j, end, angle)))
    one = Joint("pair", "fixed", at(bodies, held[0], points[count]), at(bodies, held[1], points[count]))
    settings = {"t_end": 3.0, "t_step": 0.05, "rtol": 1e-7} | settings
    return model(bodies, (*chain, *pair), **settings), model(bodies, (*chain, one), **settings)


def spatial_pair(kind, seed, **settings):
    """A body swings on another by several joints on one axis, or by one of them."""
    random = np.random.default_rng(seed)

    def direction():
        found = random.standard_normal(3)
        return found / np.linalg.norm(found)

    bodies = [
        rigid(name, random.uniform(-1, 1, 3), random.uniform(-1, 1, 3), inertia=random.uniform(0.3, 0.5, 3))
        for name in ("frame", "door")
    ]
    near, axis = 0.5 * (bodies[0].position + bodies[1].position), direction()
    base = joined(bodies, "base", "spherical", "ground", "frame", bodies[0].position + 0.5 * direction())
    pair = []
    for k, each in enumerate(kind.split("+")):
        i, j = ("frame", "door") if random.random() < 0.5 else ("door", "frame")
        pair.append(joined(bodies, f"pair {k}", each, i, j, near + axis * random.uniform(-0.5, 0.5), axis))
    one = Joint("pair", SPATIAL[kind], pair[0].i, pair[0].j)
    pull = make_spring("pull", "translational", on("ground", 1.0, -1.0), on("door", 0.1, 0.2), k=30.0, c=0.2)
    settings = {"t_end": 3.0, "t_step": 0.05, "rtol": 1e-7} | settings
    return [space(bodies, (base, *joints), springs=(pull,), **settings) for joints in (pair, [one])]


def cranks(seed, **settings):
    """A coupler on three parallel cranks of 1 m whose feet stand in no line: one row says what others say, everywhere."""
    random = np.random.default_rng(seed)
    angle = random.uniform(0.3, 2.8)
    along = np.array([np.cos(angle), np.sin(angle)])
    feet = [np.array([k + random.uniform(-0.3, 0.3), random.uniform(-0.6, 0.6)]) for k in range(3)]
    centre = np.mean(feet, axis=0) + along
    bodies = [bar(f"crank {k}", foot, foot + along) for k, foot in enumerate(feet)]
    bodies.append(body("coupler", *centre, mass=3.0))
    joints = []
    for k, foot in enumerate(feet):
        heads = on(f"crank {k}", 0.5), on("coupler", *(foot + along - centre))
        joints.append(hinge(f"foot {k}", on("ground", *foot), on(f"crank {k}", -0.5)))
        joints.append(hinge(f"head {k}", *(heads if random.random() < 0.5 else heads[::-1])))
    order = random.permutation(6)
    settings = {"gravity": (3.0, -9.81, 0.0), "t_end": 4.0, "t_step": 0.1} | settings
    return model(bodies, [joints[k] for k in order], **settings)

"""Random spatial mechanisms: trees and closed loops of many joints, springs and massless links, as data for any solver."""

from dataclasses import replace

import numpy as np
from scipy.linalg import null_space
from scipy.spatial.transform import Rotation

from tests.analysis.independent_solver import Hold, Link, Mechanism, Pull, across
from tests.support.spatial_mechanisms import joined, marker, rigid, space, turning
from tests.support.springs import make_spring

FREEDOMS = {"revolute": 1, "universal": 2, "cylindrical": 2, "spherical": 3, "distance": 5}
LOOPS = (
    ("revolute", "universal", "spherical", "revolute"),
    ("revolute", "spherical", "cylindrical", "revolute"),
    ("universal", "revolute", "spherical", "revolute"),
    ("revolute", "revolute", "revolute", "distance"),
    ("spherical", "universal", "universal", "revolute"),
)
"""joints from ground to ground that leave one or two freedoms"""


def away(rng, least=0.3, most=0.6):
    """A vector of random direction."""
    vector = rng.normal(size=3)
    return vector / np.linalg.norm(vector) * rng.uniform(least, most)


def link(rng, name, place):
    """A box with random axes."""
    mass, sides = rng.uniform(0.5, 2.0), rng.uniform(0.2, 0.6, 3)
    axes = Rotation.random(random_state=rng).as_matrix()
    tensor = axes @ np.diag(mass / 12 * (np.sum(sides**2) - sides**2)) @ axes.T
    return Link(name, place, rng.uniform(-1.0, 1.0, 3), mass, tensor)


def hold(rng, name, kind, i, j, point, towards):
    """A joint at a point; a cylindrical one has its points apart along the axis, a bar ends near the body's centre."""
    axis = away(rng, 1.0, 1.0)
    second = across(axis)[0]
    to = point + 0.2 * axis if kind == "cylindrical" else towards if kind == "distance" else point
    return Hold(name, kind, i, j, point, to, axis, second)


def grown(rng, links, holds, kinds, i="ground", place=(0.0, 0.0, 0.0)):
    """Adds a chain of links, each hung on the one before it."""
    for kind in kinds:
        name, point = f"link {len(links) + 1}", place + away(rng)
        new = link(rng, name, point + away(rng))
        holds.append(hold(rng, f"joint {len(holds) + 1}", kind, i, name, point, new.place + away(rng, 0.1, 0.2)))
        links.append(new)
        i, place = name, new.place


def random_mechanism(seed, *, with_massless):
    """A tree (even seeds) or a loop with branches, with springs and, where the motion stays determined, massless links."""
    rng = np.random.default_rng(seed)
    links, holds = [], []
    if seed % 2:
        *kinds, last = LOOPS[rng.integers(len(LOOPS))]
        grown(rng, links, holds, kinds)
        end = links[-1]
        point = end.place + away(rng)
        holds.append(hold(rng, f"joint {len(holds) + 1}", last, end.name, "ground", point, point + away(rng)))
    while len(links) < 5:
        on = links[rng.integers(len(links))] if links else None
        kinds = rng.choice(list(FREEDOMS), size=rng.integers(1, 3))
        grown(rng, links, holds, kinds, on.name if on else "ground", on.place if on else np.zeros(3))
    if with_massless:
        links = massless(rng, links, holds)
    mechanism = Mechanism(links, driven(rng, links, holds), springs(rng, links, holds))
    start = mechanism.consistent(rng, 1.0)
    links = [replace(each, velocity=v[:3], spin=v[3:]) for each, v in zip(links, start, strict=True)]
    return Mechanism(links, mechanism.holds, mechanism.pulls)


def massless(rng, links, holds):
    """Takes mass and inertia from up to two links, and inertia from one more, where every motion still moves some mass."""
    left = [0.0, 0.0, None]
    for k in rng.permutation(len(links)):
        mass = links[k].mass if left[0] is None else 0.0
        lighter = [*links[:k], replace(links[k], mass=mass, inertia=np.zeros((3, 3))), *links[k + 1 :]]
        mechanism = Mechanism(lighter, holds)
        jacobian = mechanism.jacobian(mechanism.gradients(mechanism.x, mechanism.start))[:, 1:]
        motions = null_space(jacobian.reshape(len(jacobian), -1))
        moved = motions.T @ mechanism.masses(mechanism.start)[0] @ motions
        if np.linalg.eigvalsh(moved)[0] > 0.003:
            links = lighter
            left.pop(0)
        if not left:
            break
    return links


def driven(rng, links, holds):
    """The first hinge on ground turns at a given speed where other freedoms are left."""
    hinges = [k for k, each in enumerate(holds) if each.kind == "revolute" and each.i == "ground"]
    freedoms = 6 * len(links) - sum(6 - FREEDOMS[each.kind] for each in holds)
    if hinges and freedoms > 2 and rng.random() < 0.5:
        holds = list(holds)
        holds[hinges[0]] = replace(holds[hinges[0]], speed=rng.uniform(-2.0, 2.0))
    return holds


def springs(rng, links, holds):
    """Two springs between points of random bodies, and one about a hinge."""
    pulls, places = [], {"ground": np.zeros(3)} | {each.name: each.place for each in links}
    for k in range(2):
        i, j = rng.choice(list(places), 2, replace=False)
        point, to = places[i] + away(rng, 0.1, 0.3), places[j] + away(rng, 0.1, 0.3)
        natural = 0.7 * np.linalg.norm(to - point)
        pulls.append(Pull(f"spring {k + 1}", i, j, point, to, rng.uniform(20, 200), rng.uniform(0, 2), natural))
    for each in holds:
        if each.kind == "revolute":
            rates = rng.uniform(10, 30), rng.uniform(0, 1), rng.uniform(-0.5, 0.5)
            return [*pulls, Pull("winding", each.i, each.j, each.point, each.to, *rates, each.name)]
    return pulls


def as_model(mechanism, **settings):
    """The same mechanism for sheetmbs."""
    turns = mechanism.start[1:]
    bodies = [
        rigid(b.name, b.place, b.angles, b.mass, b.inertia, velocity=b.velocity, angular_velocity=turn.T @ b.spin)
        for b, turn in zip(mechanism.links, turns, strict=True)
    ]
    joints = [
        joined(bodies, h.name, h.kind, h.i, h.j, h.point, h.axis, h.second if h.kind == "universal" else None, h.to)
        for h in mechanism.holds
    ]
    named = {joint.name: joint for joint in joints}
    pulls = [
        make_spring(p.name, "rotational", named[p.hinge].i, named[p.hinge].j, p.k, p.c, natural=p.natural)
        if p.hinge
        else make_spring(
            p.name,
            "translational",
            marker(bodies, p.i, p.point, np.eye(3)),
            marker(bodies, p.j, p.to, np.eye(3)),
            p.k,
            p.c,
            natural=p.natural,
        )
        for p in mechanism.pulls
    ]
    drivers = tuple(turning(h.name, h.speed) for h in mechanism.holds if h.speed is not None)
    return space(bodies, joints, springs=tuple(pulls), drivers=drivers, **settings)

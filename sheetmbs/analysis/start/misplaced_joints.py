"""A joint between the wrong bodies: the one that leaves each driver its freedom as soon as one end is on another body.

Such a joint holds what a driver should move, and leaves a body loose elsewhere, so that no joint is simply one too many. Every
joint is tried with either end on every other body, at the same place and along the same axes; of those that make a model whose
drivers determine all motion, the one counts whose new body lies nearest to the joint against the body it had.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from sheetmbs.analysis.start.structure import Structure, find_structure
from sheetmbs.elements.marker import GROUND, Marker
from sheetmbs.lower import Lowered, lower
from sheetmbs.model.model import Beam, Joint, Model

MOST_TRIED = 400
"""models, of a few milliseconds each, that are looked at for a better sentence"""

ALIKE = 1.1
"""ratio of gains that tell two joints apart: of those nearer to each other, the one that no driver moves is the likely one"""


@dataclass(frozen=True)
class MisplacedJoint:
    """A joint as given, and the bodies between which it would fit.

    gain: distance from the new body over that from the old. rivals: names of joints that fit as well elsewhere.
    """

    joint: Joint
    bodies: tuple[str, str]
    gain: float
    rivals: tuple[str, ...] = ()


def misplaced_joint(lowered: Lowered, structure: Structure) -> MisplacedJoint | None:
    """The joint that fits best between other bodies; None where none does, or where too many would have to be tried."""
    model = lowered.model
    if structure.undriven == 0:  # no body is loose, so nothing is missing elsewhere
        return None
    coupled = {name for joint in model.joints for name in joint.couples or ()}
    joints = [joint for joint in model.joints if joint.couples is None and joint.name not in coupled]
    if len(joints) * 2 * len(model.bodies) > MOST_TRIED or any(isinstance(body, Beam) for body in model.bodies):
        return None
    fitting = [
        MisplacedJoint(joint, (moved.i.body, moved.j.body), gain)
        for joint in joints
        for moved, gain in _moved(lowered, joint)
        if _is_determined(replace(model, joints=tuple(moved if each is joint else each for each in model.joints)))
    ]
    if not fitting:
        return None
    least = min(each.gain for each in fitting)
    driven = {driver.joint for driver in model.drivers}
    likely = [each for each in fitting if each.gain <= ALIKE * least]
    best = min(likely, key=lambda each: (each.joint.name in driven, each.gain))
    rivals = dict.fromkeys(each.joint.name for each in likely if each.joint is not best.joint)
    return replace(best, rivals=tuple(rivals))


def _moved(lowered: Lowered, joint: Joint) -> Iterator[tuple[Joint, float]]:
    """The joint with one end on another body, and how much nearer that lies."""
    places = {body.name: body.position for body in lowered.model.bodies}
    for is_j, end in enumerate((joint.i, joint.j)):
        where, axes = _in_space(lowered, places, end)
        for name in (GROUND, *places):
            if name in (joint.i.body, joint.j.body):
                continue
            turn = lowered.bodies.turns[name].T
            there = replace(end, body=name, origin=turn @ (where - places.get(name, np.zeros(3))), axes=turn @ axes)
            moved = replace(joint, j=there) if is_j else replace(joint, i=there)
            yield moved, _distance(places, name, where) / max(_distance(places, end.body, where), 1e-12)


def _in_space(lowered: Lowered, places: dict[str, np.ndarray], end: Marker) -> tuple[np.ndarray, np.ndarray]:
    """Global place (3,) and axes (3, 3) of a marker."""
    turn = lowered.bodies.turns[end.body]
    return places.get(end.body, np.zeros(3)) + turn @ end.origin, turn @ end.axes


def _distance(places: dict[str, np.ndarray], body: str, where: np.ndarray) -> float:
    """From the middle of a body; the ground is everywhere, as far as the median of bodies."""
    if body in places:
        return float(np.linalg.norm(places[body] - where))
    return float(np.median([np.linalg.norm(place - where) for place in places.values()]))


def _is_determined(model: Model) -> bool:
    """Whether drivers and joints determine all motion, and nothing contradicts a driver."""
    lowered = lower(model)
    structure = find_structure(lowered, lowered.bodies.q, model.settings.t_start, chooses_rows=False)
    return structure.undriven == 0 and not structure.conflicting

"""Poses in equilibrium of axles that differ a little from one whose poses are known, one step of Newton's method from these.

With r the equilibrium of the axle, r' that of another one at the same poses, and K the whole derivative of r,

    K step = r - r'

Few deformations of another axle are other ones. With weights w of the forces along deformations of slopes J,

    r' - r = J' (w' - w) + sum over these of w' (J' - J)

so only these are evaluated, those of all axles together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.suspension.compliance.deformations import Deformations
from sheetmbs.suspension.compliance.elastic_axle import LOAD, ElasticAxle, ElasticPoses


@dataclass(frozen=True, eq=False)
class VariedSteps:
    """What V axles do from n poses of one. motion: (n, V, N) of its bodies; load: (n, V, 2) of both pads less its own, N."""

    motion: Floats
    load: Floats


class VariedPoses:
    """Other axles at poses of one, whose bodies have the same origins.

    others: built like that of the poses; of each of its deformations between the same bodies.
    """

    def __init__(self, found: ElasticPoses, others: Sequence[ElasticAxle]) -> None:
        self._found, self._others, self._axle = found, others, found.of
        self._now = found.assembled
        changed = [self._axle.deformations.changed(other.deformations) for other in others]
        self._of = np.repeat(np.arange(len(others)), [len(each) for each in changed])
        self._number = np.concatenate(changed)
        parts = [other.deformations.parts[k] for other, own in zip(others, changed, strict=True) for k in own]
        self._changed = Deformations(parts, np.array(self._axle.structure.origins))
        weighs = np.flatnonzero(np.isin(self._number, self._axle.weighing))
        on = found.standing
        self._evaluated = self._changed.at(found.poses, on.normals, (weighs, on.up))
        value = self._now.evaluated.value
        self._value = np.zeros((len(value), len(others), value.shape[1]))
        self._value[:, self._of, self._number] = self._evaluated.value - value[:, self._number]

    def stepped(self, holds: Floats) -> VariedSteps:
        """Their steps where each holds other heights or loads of the wheels, by so much, (n, V, 2), m or N."""
        axle, on = self._axle, self._found.standing
        weight = self._weights(holds)
        rows, size = len(axle.constraints), axle.multiplier_size
        forces = -(weight - self._now.weight[:, None]) @ self._now.jacobian
        self._add_slopes(forces, weight)
        if on.is_loaded:
            forces += self._wheel_loads()
        short = np.array([other.design_values - axle.design_values for other in self._others])
        below = [(short - self._value)[..., axle.constraints]]
        if on.held != LOAD:
            below.append(holds - self._value[..., axle.held_rows(on)])
        right = np.concatenate((forces, *(size * each for each in below)), axis=2)
        found = np.linalg.solve(axle.slopes(self._now, on), np.swapaxes(right, 1, 2))
        step: Floats = np.asarray(np.swapaxes(found, 1, 2), dtype=np.float64)
        pressed: Floats = size * step[..., axle.size + rows : axle.size + rows + 2]
        return VariedSteps(step[..., : axle.size], holds if on.held == LOAD else pressed)

    def heights(self, motion: Floats) -> Floats:
        """(n, V, 2) by how much their contacts are then higher over the road, after such motions (n, V, N) of bodies."""
        moved = motion @ np.swapaxes(self._now.jacobian[:, self._axle.heights], 1, 2)
        return np.asarray(self._value[..., self._axle.heights] + moved)

    def _weights(self, holds: Floats) -> Floats:
        """(n, V, m) forces along the deformations of all axles."""
        on, held = self._found.standing, self._found.held
        value = self._now.evaluated.value[:, None] + self._value
        load = np.broadcast_to(self._found.load[:, None], holds.shape) + (holds if on.held == LOAD else 0.0)
        each = [other.weights_along(value[:, k], on, held, load[:, k]) for k, other in enumerate(self._others)]
        return np.stack(each, axis=1)

    def _add_slopes(self, forces: Floats, weight: Floats) -> None:
        """Add to forces (n, V, N) what deformations that are other ones exert along their other slopes."""
        apart = self._evaluated.slope - self._now.evaluated.slope[:, self._number]
        acting = weight[:, self._of, self._number, None] * apart
        of_bodies = forces.reshape(*forces.shape[:2], -1, 6)
        for first, bodies in ((0, self._changed.i), (6, self._changed.j)):
            moving = np.flatnonzero(bodies > 0)
            order = moving[np.lexsort((bodies[moving], self._of[moving]))]
            if not len(order):
                continue
            pair = np.stack((self._of[order], bodies[order] - 1))
            starts = np.flatnonzero(np.append(True, np.any(pair[:, 1:] != pair[:, :-1], axis=0)))
            summed = np.add.reduceat(acting[:, order, first : first + 6], starts, axis=1)
            of_bodies[:, *pair[:, starts]] -= summed

    def _wheel_loads(self) -> Floats:
        """(n, V, N) generalised forces of the loads on the wheels less those of the axle."""
        poses, on = self._found.poses, self._found.standing
        own = self._axle.wheel_loads(poses, on)
        found = np.zeros((len(own), len(self._others), own.shape[1]))
        for number in np.unique(self._of[np.isin(self._number, self._axle.heights)]):
            found[:, number] = self._others[number].wheel_loads(poses, on) - own
        return found

"""A stand-in for the centre of mass of a body without a trunk, by which plates are judged; no result uses it.

The pelvis with what it carries moves as the middle of its markers, and each leg as the middle of its knee and ankle. Shares
are those of the masses of Winter's table: 0.68 above the hips, 0.16 of each leg.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from sheetmbs.gait.arrays import Mask, Vector
from sheetmbs.gait.quality.checked_trials import SolvedBody, recorded_body
from sheetmbs.gait.signals.derivatives import derivatives
from sheetmbs.gait.signals.low_pass import low_pass
from sheetmbs.gait.trial.gait_book import SIDES, GaitBook
from sheetmbs.schema.names import fold

UPPER, LEG = 0.68, 0.16
"""parts of the mass"""
CUTOFF = 6.0
"""Hz, of markers and forces alike"""
OF_PELVIS = ("right asis", "left asis", "right psis", "left psis", "sacrum")
MIN_TIME = 0.4
"""s in which all that stands must be on plates, for a judgement over frames"""


@dataclass(frozen=True)
class Surrogate:
    """A body and its plates over the frames of a trial, in our axes.

    velocity, acceleration: (n, 3) of the stand-in, m/s and m/s^2; NaN where markers are missing. force: (n, 3) of all plates
    on both feet in N, filtered alike. contacts: (n,) where each foot that stands is wholly on plates. is_whole: the trunk was
    measured too, and its acceleration is that of the centre of mass.
    """

    body: SolvedBody
    velocity: Vector
    acceleration: Vector
    force: Vector
    contacts: Mask
    is_whole: bool

    @property
    def demand(self) -> Vector:
        """(n, 2) force in N forward and up that the stand-in of this subject needs."""
        pull = np.array([0.0, self.body.book.gravity])
        return np.asarray(self.body.book.subject.mass * (self.acceleration[:, :2] + pull))

    @property
    def is_long(self) -> bool:
        """Whether there are frames enough for a judgement."""
        return bool(self.contacts.sum() >= MIN_TIME * self.body.courses.rate)


def surrogate(body: SolvedBody) -> Surrogate | None:
    """The stand-in of a trial; None where pelvis or legs are not seen, or only one leg is analysed."""
    prepared, book = body.solved.prepared, body.book
    middle = _middle(recorded_body(prepared, book).points, book)
    if middle is None or set(body.courses.feet) != set(SIDES):
        return None
    rate = body.courses.rate
    place = low_pass(middle.T, rate, CUTOFF)
    velocity, acceleration = derivatives(place, rate)
    force = sum(np.nan_to_num(body.ground.feet[side].force) for side in SIDES)
    if body.ground.hands is not None:
        force = force + body.ground.hands[:, :3]
    known = np.all([np.isfinite(body.courses.feet[side]["fy"]) for side in SIDES], axis=0)
    known &= np.isfinite(acceleration[:2]).all(axis=0) & body.inside
    com = body.courses.com
    is_whole = body.courses.residual is not None and bool(np.isfinite(com[known, :2]).all())
    if is_whole:
        of_com = derivatives(low_pass(com[:, :2].T, rate, CUTOFF), rate)
        velocity[:2], acceleration[:2] = of_com
    filtered = low_pass(np.asarray(force).T, rate, CUTOFF).T
    return Surrogate(body, velocity.T, acceleration.T, filtered, known, is_whole)


def _middle(points: Mapping[str, Vector], book: GaitBook) -> Vector | None:
    """(n, 3) 0.68 of the pelvis and 0.16 of each leg."""
    names = {fold(name): each for name, each in points.items()}
    legs = []
    hips = []
    for side in SIDES:
        thigh = next((row for row in book.segments if row.table == "thigh" and row.side == side), None)
        shank = next((row for row in book.segments if row.table == "shank" and row.side == side), None)
        if thigh is None or shank is None:
            return None
        hips.append(points[thigh.proximal])
        legs.append(0.5 * (points[shank.proximal] + points[shank.distal]))
    pelvis = [names[each] for each in OF_PELVIS if each in names]
    is_seen = len(pelvis) >= 2 or "sacrum" in names
    trunk = np.mean(pelvis if is_seen else hips, axis=0)
    return np.asarray(UPPER * trunk + LEG * (legs[0] + legs[1]))

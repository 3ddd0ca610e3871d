"""The integrator ``auto``: explicit as long as accuracy sets its steps, implicit where stiff springs and dampers would.

An explicit method is held back where h |lambda| nears the bound of its stability, lambda an eigenvalue of the elements
themselves (`element_rate`). An element that vibrates has to be followed anyway, so for it the bound is higher than for one that
only decays. Beams with fast shapes count as such elements (`engine/directions.py`), but nothing follows them. The implicit
method stays if it takes fewer evaluations for the same time; if not, or if it fails, the explicit one goes on and the next
attempt waits twice as long.

Where the implicit method fails or crawls near a singular position, its last steps were far shorter than any motion asks for,
and no state there is known well. It is taken back to where the pivots were still large. From there other steps mostly lead
across; if they do not, the explicit method goes on, until as long after the position as that was before it.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from sheetmbs.analysis.integrators.interface import Integrator, Run, Status, StepState
from sheetmbs.analysis.integrators.methods import integrator_over
from sheetmbs.analysis.integrators.stepping.singular import REGULAR
from sheetmbs.elements.integrators import DOP853, RADAU
from sheetmbs.engine.arrays import Arrays
from sheetmbs.engine.codes import BodyKind, Count
from sheetmbs.engine.directions import Directions, element_rate, make_directions
from sheetmbs.engine.evaluate import evaluate

EXPLICIT, IMPLICIT = DOP853.name, RADAU.name
INTERVAL = 50  # steps between two looks at the stiffness
TRIAL = 40  # steps of the implicit method before it is judged
AGAIN = 3 * TRIAL  # steps that may be needed to come from a state before a singular position to there once more
FIRST_STEPS = (1.0, 2.0, 4.0, 8.0)  # of those that the explicit method took, with which to come there once more
VIBRATING, DECAYING = 2.5, 1.0  # h |lambda| from which on an element holds the steps back
FINE, SIXTH = 2e-12, 1.0 / 6.0  # error of a step below which steps become shorter than stability asks, and how fast
COST = 2.0  # of an evaluation of the implicit method, with its share of the elements' equations
SMALLER = 0.1  # a pivot that tells of a singular position, over one that does not
GAVE_UP = (Status.STEP_TOO_SMALL, Status.NOT_CONVERGED, Status.NOT_FINITE)


class Automatic:
    """Chooses between the explicit and the implicit method. name: of the one at work; switches: (time, to which, element)."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.method: Integrator = integrator_over(run, EXPLICIT)
        self.name = EXPLICIT
        # contacts are located by the explicit method alone
        can_be_stiff = run.contacts is None and len(self.directions.record) > 0
        self.fastest = _bound(run.arrays, self.directions) if can_be_stiff else 0.0
        self.switches: list[tuple[float, str, int]] = []
        self.wait, self.patience = INTERVAL, INTERVAL
        self.price, self.pace = 0.0, 0.0
        self.explicit_until = -np.inf
        self.regular = 0.0  # pivot from which on a state counts as far from singular positions
        self.sound = StepState.of(run)
        self.since = self._now()
        self.tried = 0  # steps of the implicit method since it was judged, rejected ones among them

    @cached_property
    def directions(self) -> Directions:
        """Directions of the force elements and of beams with fast shapes."""
        return make_directions(self.run.arrays)

    @property
    def watches_pivots(self) -> bool:
        """Whether the method at work pauses where pivots fall as `Work.pivot_watch` says."""
        return getattr(self.method, "watches_pivots", False)

    def advance(self, limit: int) -> int:
        """Take up to ``limit`` steps."""
        if self.fastest == 0.0:
            return self.method.advance(limit)
        return self._explicit(limit) if self.name == EXPLICIT else self._implicit(limit)

    def _explicit(self, limit: int) -> int:
        run = self.run
        _, taken, _ = self._gone()
        status = self.method.advance(min(limit, self.wait - int(taken)))
        t, taken, evaluations = self._gone()
        if status != Status.PAUSED or taken < self.wait:
            return status
        self.wait, self.since = self.patience, self._now()
        if run.t < self.explicit_until:
            return status
        step = t / taken
        element = self._held_back_by(step)
        if element >= 0:
            self.price = evaluations / t
            self.pace = step
            self.regular = min(REGULAR, SMALLER * self._pivot())
            self._take(IMPLICIT, step, element)
        return status

    def _implicit(self, limit: int) -> int:
        run = self.run
        if self._pivot() > self.regular:
            self.sound = StepState.of(run)
        limit = min(limit, TRIAL - self.tried)
        status = self.method.advance(limit)
        self.tried += limit
        if status == Status.PAUSED and self.tried < TRIAL:
            return status
        t, _, evaluations = self._gone()
        price = COST * evaluations / t if t > 0.0 else np.inf
        self.since, self.tried = self._now(), 0
        if status in GAVE_UP or (status == Status.PAUSED and price > self.price):
            if self._pivot() < SMALLER * self.regular:
                return self._back_from(run.t)
            self.patience *= 2
            self.wait = self.patience
            self._take(EXPLICIT, self.pace, -1)
            return int(Status.PAUSED)
        return status

    def _back_from(self, stuck: float) -> int:
        """Go on from where the singular position that the implicit method is stuck at is still ahead."""
        run = self.run
        before = self.sound
        for first in FIRST_STEPS:
            self.sound.restore(run)
            self._begin(IMPLICIT, first * self.pace)
            status = int(Status.PAUSED)
            for _ in range(AGAIN):
                if self._pivot() > self.regular:
                    if run.t > stuck:
                        return status
                    before = StepState.of(run)
                status = int(self.method.advance(1))
                if status != Status.PAUSED:
                    break
            if status == Status.DONE:
                return status
        before.restore(run)
        self.wait, self.explicit_until = self.patience, 2.0 * stuck - run.t
        self._take(EXPLICIT, self.pace, -1)
        return int(Status.PAUSED)

    def _now(self) -> tuple[float, float, float]:
        """Time, steps and evaluations so far."""
        count = self.run.work.count
        return self.run.t, float(count[Count.STEPS]), float(count[Count.EVALUATIONS])

    def _gone(self) -> tuple[float, float, float]:
        """Time, steps and evaluations since the method at work was last judged."""
        (t, steps, evaluations), (t_0, steps_0, evaluations_0) = self._now(), self.since
        return t - t_0, steps - steps_0, evaluations - evaluations_0

    def _held_back_by(self, step: float) -> int:
        """The element whose stiffness sets the steps, -1 for none."""
        run = self.run
        decaying = DECAYING * min(1.0, (run.allowed / FINE) ** SIXTH)
        if step * self.fastest < decaying:
            return -1
        self._pivot()
        rate, element, decays = element_rate(run.arrays, run.work, self.directions)
        is_followed = not decays and element < len(run.arrays.elements.record)
        return int(element) if step * rate > (VIBRATING if is_followed else decaying) else -1

    def _pivot(self) -> float:
        """The smallest pivot over its diagonal entry where the run stands, evaluated there."""
        run = self.run
        nq, nv = run.rows.q.shape[1], run.rows.v.shape[1]
        evaluate(run.arrays, run.work, run.t, run.y[:nq], run.y[nq : nq + nv], np.empty_like(run.rates), 0.0)
        return float(run.work.pivot_ratio[0])

    def _take(self, name: str, step: float, element: int) -> None:
        """Go on with the other method."""
        run = self.run
        run.allowed, run.allowed_otherwise = run.allowed_otherwise, run.allowed
        self._begin(name, step)
        self.switches.append((run.t, name, element))

    def _begin(self, name: str, step: float) -> None:
        """Make the method of that name take over."""
        run = self.run
        run.first_step = step
        self.method = integrator_over(run, name)
        self.name = name
        self.since, self.tried = self._now(), 0


def _bound(arrays: Arrays, directions: Directions) -> float:
    """About the largest |lambda| that any element can have, 1/s: joints only make bodies harder to move."""
    reach = np.sqrt(arrays.frame.x**2 + arrays.frame.y**2 + arrays.frame.z**2)
    elastic = damped = 0.0
    for record in directions.record:
        if record.element >= len(arrays.elements.record):
            eased = float(arrays.scale[arrays.body[record.body_i].v + 3 + record.component]) ** 2
            elastic += record.stiffness * eased
            damped += record.damping * eased
            continue
        for frame, body in ((record.frame_i, record.body_i), (record.frame_j, record.body_j)):
            if not body:
                continue
            at, nv = int(arrays.body[body].v), int(arrays.body[body].nv)
            bends = arrays.body[body].kind >= BodyKind.BEAM
            angles = slice(at + 2, at + 3) if bends else slice(at + nv // 2 + nv % 2, at + nv)
            turns = float(np.max(arrays.scale[angles])) ** 2
            moves = (nv if bends else 1.0) * float(arrays.scale[at]) ** 2
            moves += (arrays.length if bends else float(reach[frame])) ** 2 * turns
            eased = turns if record.turns else moves
            elastic += record.stiffness * eased
            damped += record.damping * eased
    return float(damped + np.sqrt(elastic))

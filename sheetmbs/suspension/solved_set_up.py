"""Perches and rods turned until the standing car has the corner weights, cross weight and ride heights that are asked for.

All rows of Adjustments that ask for such are solved together. How the car stands for given turns is found as anywhere else: it
is assembled again, and put on its tyres at 1 g. So many turns are unknown as rows are given, and found by Broyden's method: the
first derivatives are differences, which each step corrects by what it has found (Dennis and Schnabel, section 8.1).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.model.model import Model
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.suspension.adjusting.members import CORNER_WEIGHT, CROSS_WEIGHT, PERCH, RIDE_HEIGHT, Adjustment
from sheetmbs.suspension.elastic.spring_elements import laws
from sheetmbs.suspension.kinematics.axle_system import axle_system
from sheetmbs.suspension.kinematics.sweeps import swept_at_design
from sheetmbs.suspension.layout.car import SIDES, CarData
from sheetmbs.suspension.loads.design_loads import settled_at_rest
from sheetmbs.suspension.loads.standing_pose import StandingPose, standing_pose

TRIAL_STEP = 1e-4
"""m, by which turns are tried out"""
MAX_STEP, MAX_TURN = 10e-3, 0.2
"""m: a step, and what no perch or rod is turned by"""
MAX_STEPS = 25
CONVERGED = 1e-10
"""of the weight, of one, or m: what is missed of a corner weight, a cross weight, a ride height"""
CLOSE_ENOUGH = 1e-7
"""the same, where no step comes nearer"""
MIN_SINGULAR_VALUE = 1e-5
"""of the largest one: turns that change nothing together are not taken"""

GOALS = (CORNER_WEIGHT, CROSS_WEIGHT, RIDE_HEIGHT)
Adjustments = Mapping[str, Sequence[Adjustment]]
"""of each axle"""
Assembled = Callable[[Adjustments], tuple[CarData, Model]]
"""the car that adjustments make, with its model"""


@dataclass(frozen=True, eq=False)
class Goal:
    """A row that says how the standing car is to be. axle: whose perches or rods are turned."""

    axle: str
    row: Adjustment

    @property
    def told(self) -> str:
        """What is asked for, in words."""
        value = self.row.change
        if self.row.item == CORNER_WEIGHT:
            return f"corner weight {self.row.at} {value:.6g} N"
        if self.row.item == CROSS_WEIGHT:
            return f"cross weight {100.0 * value:.6g} %"
        return f"ride height of {self.row.at} {1e3 * value:.6g} mm"

    def turned(self, length: float) -> list[Adjustment]:
        """The adjustments of its perches or rods. length: m; of a cross weight that on the right, and less on the left."""
        item = PERCH if self.row.member is None else f"{self.row.member.name} length"
        opposite = {"left": -1.0, "right": 1.0} if self.row.item == CROSS_WEIGHT else dict.fromkeys(SIDES, 1.0)
        return [replace(self.row, item=item, change=opposite[side] * length, sides=(side,)) for side in self.row.sides]

    def reached(self, car: CarData, pose: StandingPose) -> float:
        """What the standing car has of it, SI."""
        if self.row.item == CORNER_WEIGHT:
            return pose.load[self.row.at]
        if self.row.item == CROSS_WEIGHT:
            return (pose.load["FR"] + pose.load["RL"]) / sum(pose.load.values())
        return pose.mean_height(car, self.row.at)

    def size(self, pose: StandingPose) -> float:
        """What a miss counts against."""
        return sum(pose.load.values()) if self.row.item == CORNER_WEIGHT else 1.0


def split_goals(adjustments: Adjustments) -> tuple[dict[str, tuple[Adjustment, ...]], tuple[Goal, ...]]:
    """Adjustments whose changes are given, by axle, and how the standing car is to be."""
    given = {axle: tuple(row for row in rows if row.item not in GOALS) for axle, rows in adjustments.items()}
    goals = tuple(Goal(axle, row) for axle, rows in adjustments.items() for row in rows if row.item in GOALS)
    return given, goals


def solved_adjustments(given: Adjustments, goals: Sequence[Goal], assembled: Assembled) -> Adjustments:
    """The given adjustments and those that bring the car to all goals. Raises WorkbookError where none do."""

    def with_turns(turns: Floats) -> Adjustments:
        found = {axle: list(rows) for axle, rows in given.items()}
        for goal, length in zip(goals, turns, strict=True):
            found.setdefault(goal.axle, []).extend(goal.turned(float(length)))
        return found

    def missed(turns: Floats) -> Floats:
        car, model = assembled(with_turns(turns))
        pose = _stood(car, model)
        return np.array([(goal.reached(car, pose) - goal.row.change) / goal.size(pose) for goal in goals])

    return with_turns(_root(missed, goals))


def _stood(car: CarData, model: Model) -> StandingPose:
    """The car on its tyres. Raises ArithmeticError where it has no such pose."""
    systems = {axle.name: axle_system(model, axle) for axle in car.axles}
    held = {name: laws(car, swept_at_design(system)) for name, system in systems.items()}
    found = settled_at_rest(car, systems, held)
    if found is None or found.fault[0]:
        raise ArithmeticError("no pose is found in which the springs carry it" if found is None else found.fault[0])
    return standing_pose(car, found)


def _root(missed: Callable[[Floats], Floats], goals: Sequence[Goal]) -> Floats:
    """The turns at which nothing is missed. Raises WorkbookError at the change of the row that is missed most."""
    count = len(goals)
    turns, why = np.zeros(count), ""
    off = np.full(count, np.inf)
    try:
        off = missed(turns)
        slopes = np.column_stack([(missed(TRIAL_STEP * unit) - off) / TRIAL_STEP for unit in np.eye(count)])
        for _ in range(MAX_STEPS):
            if np.max(np.abs(off)) <= CONVERGED:
                return turns
            step = np.linalg.lstsq(slopes, -off, rcond=MIN_SINGULAR_VALUE)[0]
            longest = float(np.max(np.abs(step)))
            step *= min(1.0, MAX_STEP / longest) if longest else 0.0
            if longest <= CONVERGED or np.max(np.abs(turns + step)) > MAX_TURN:
                break
            new = missed(turns + step)
            turns, change = turns + step, new - off
            slopes += np.outer(change - slopes @ step, step) / (step @ step)
            off = new
    except WorkbookError as error:
        why = error.problems[0].problem
    except (ArithmeticError, ValueError) as error:
        why = str(error)
    if np.max(np.abs(off)) <= CLOSE_ENOUGH:
        return turns
    raise _unreached(goals, off, why)


def _unreached(goals: Sequence[Goal], off: Floats, why: str) -> WorkbookError:
    worst = goals[int(np.argmax(np.abs(off)))]
    others = [goal for goal in goals if goal is not worst]
    by = "spring perch" if worst.row.member is None else worst.row.member.name
    rule = f"no {by} of the {worst.axle} axle gives the standing car that"
    if others:
        together = ", ".join(f"{goal.told} at {goal.row.change_place}" for goal in others)
        rule += (
            f" together with {together}; a perch moves load between diagonals, and never the sum of an axle or a side"
        )
    elif why:
        rule += f": {why}"
    mend = "take one of the rows away, or correct it" if others else "correct it, or look at its unit"
    place = str(worst.row.change_place)
    return WorkbookError(Problem("no-solution", "error", place, worst.told, rule, mend))

"""The steady circle (ISO 4138): the car in trim at constant radius, constant speed or constant steer, up to its limits.

In trim the yaw moment is 0, and the drive holds the speed: ax = 0. Rows stand at multiples of a step of ay from the limit of
the right turn to that of the left one; the row at 0 is the limit of slow speed. With K the slope d(steer input)/d(ay/g),

    understeer gradient = K - d(L/R)/d(ay/g):  K at constant radius, K - L g/V^2 at constant speed
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from sheetmbs.engine.car_on_tyres import READ_OFFS, SUM_OF_UNKNOWNS
from sheetmbs.engine.records import Floats
from sheetmbs.suspension.handling.envelope_ends import sliding_wheel
from sheetmbs.suspension.handling.state_path import CurvesOfStates, StateCurve
from sheetmbs.suspension.handling.steady_states import (
    AX,
    AY,
    BETA,
    COUNT,
    IN_TRIM,
    MAX_STEPS,
    RACK,
    SQUARE,
    WHEELS,
    Condition,
    Solved,
    SteadyCar,
    Torques,
    along_circle,
    closed_by,
    holding,
    joined_closures,
    joined_states,
)
from sheetmbs.suspension.handling.yaw_moment import SENSES

SLOW = 0.05
"""m/s, the speed that stands for the limit of slow speed: friction of rolling is that of standing there"""
USUAL_STEP = 0.1
"""g, of ay along a curve"""
USUAL_BETA, USUAL_RACK = 0.1, 0.03
"""rad and m, in which curves are measured beside g of ay"""
ROUNDING = 1e-12
"""of a limit over the step of rows"""
FASTEST = 150.0
"""m/s, above which nothing is looked for at constant steer"""
CREEPING = (0.02, 0.1, 0.3, 0.6, 1.0)
"""shares of a rack travel, or of the curvature of a circle, in which the slow circle that it makes is found"""


@dataclass(frozen=True)
class HeldQuantity:
    """What stays constant. unknown: SQUARE of the speed, RACK, or RADIUS_HELD. value: m/s or m; of a radius, its size."""

    unknown: int
    value: float


RADIUS_HELD = -1


@dataclass(frozen=True, eq=False)
class Circle:
    """Rows of a circle. solved: (n,) from the limit of the right turn to that of the left one; the limits are no rows of it.

    slopes: (n, k + r) of all unknowns and read-offs by ay along the circle. curves: the left turn, then the right one.
    asked: states at a given |ay| and their slopes, of each direction that reaches it, by its sense.
    """

    held: HeldQuantity
    solved: Solved
    slopes: Floats
    curves: Sequence[StateCurve]
    asked: Mapping[float, tuple[Solved, Floats]] = field(default_factory=dict)
    sliding: Sequence[str] = ("", "")
    """the wheel of each turn that uses all of its friction at the limit, of linear tyres alone"""


def circle(
    car: SteadyCar, held: HeldQuantity, torques: Torques, step: float, rack_range: tuple[float, float], asked: float
) -> Circle:
    """Follow a circle in both directions. torques: of two states. step, asked: of ay, m/s^2. rack_range: of the rack, m."""
    closure = joined_closures([closed_by(1, [*_conditions(held, sense), holding(AY, 0.0)]) for sense in SENSES])
    scale = np.zeros(COUNT)
    scale[AY], scale[BETA], scale[RACK] = car.kernel.gravity, USUAL_BETA, USUAL_RACK
    curves = CurvesOfStates(car, torques, closure, scale)
    tangent = np.zeros((2, COUNT))
    tangent[:, AY] = np.array(SENSES) * car.kernel.gravity
    on_road, none = np.zeros((2, WHEELS), dtype=bool), np.zeros(2)
    start = curves.points(np.arange(2), _start(car, held, torques), tangent, on_road, none, MAX_STEPS)
    width = rack_range[1] - rack_range[0]

    def room(solved: Solved) -> Floats:
        rack = solved.x[:, RACK]
        slow = (FASTEST**2 - solved.x[:, SQUARE]) / FASTEST**2
        return np.asarray(np.min([(rack - rack_range[0]) / width, (rack_range[1] - rack) / width, slow], axis=0))

    for row in np.flatnonzero(start.solved.good & (room(start.solved) < 0.0)):
        start.solved.why[row] = "the rack does not reach so far"
    followed = curves.follow(start, USUAL_STEP, AY, np.array(SENSES), room)
    shown = [number for number in range(2) if followed[number].places]
    if not shown:
        return _lost(held, start.solved, followed)
    reaching = [number for number, sense in enumerate(SENSES) if _reach(followed[number], sense) > asked]
    wanted = [(number, _rows(number, followed[number], step)) for number in shown]
    wanted += [(number, np.array([asked])) for number in reaching]
    found = _states_at(curves, followed, wanted)
    known = {SENSES[number]: own for number, own in zip(reaching, found[len(shown) :], strict=True)}
    sliding = [sliding_wheel(curves, row, each) for row, each in enumerate(followed)]
    return replace(_joined(held, found[: len(shown)], followed, known), sliding=sliding)


def _lost(held: HeldQuantity, start: Solved, followed: Sequence[StateCurve]) -> Circle:
    """One row without numbers, which says why the car does not even creep round its circle."""
    solved = start.at(np.array([0]))
    solved.x = np.full_like(solved.x, np.nan)
    return Circle(held, solved, np.full((1, COUNT + READ_OFFS), np.nan), followed)


def _conditions(held: HeldQuantity, sense: float) -> list[Condition]:
    if held.unknown == RADIUS_HELD:
        kept = along_circle(sense * held.value)
    elif held.unknown == RACK:
        kept = holding(RACK, sense * held.value)
    else:
        kept = holding(SQUARE, held.value**2)
    return [holding(AX, 0.0), kept, IN_TRIM]


def _start(car: SteadyCar, held: HeldQuantity, torques: Torques) -> Floats:
    """(2, unknowns) of the car near ay = 0: straight on at its speed, or creeping round its circle.

    To that circle it is led by ever narrower ones, for which slip angle and steer are predicted in proportion: a tyre that is
    turned at once slides, and tells no more in which direction its slip is less.
    """
    x = car.at_design(2, held.value if held.unknown == SQUARE else SLOW)
    if held.unknown == SQUARE:
        return x
    senses = np.array(SENSES)
    before = 0.0
    for share in CREEPING:
        if held.unknown == RADIUS_HELD:
            turned = Condition({AY: 1.0}, senses * share * SLOW**2 / held.value)
        else:
            turned = holding(RACK, share * senses * held.value)
        closure = closed_by(2, [holding(AX, 0.0), turned, IN_TRIM, holding(SQUARE, SLOW**2)])
        if before:
            x[:, [AY, BETA, RACK]] *= share / before
        x, before = car.solve(x, torques, closure).x, share
    return x


def _reach(curve: StateCurve, sense: float) -> float:
    """The largest |ay| of a direction, below 0 where it has no state."""
    return -1.0 if curve.limit is None else sense * float(curve.limit.x[0, AY])


def _rows(number: int, curve: StateCurve, step: float) -> Floats:
    """Multiples of a step of ay in one direction, from slow speed to the last before the limit."""
    rows = int(_reach(curve, SENSES[number]) / step * (1.0 + ROUNDING)) + 1
    slow = SENSES[number] * float(curve.places[0].x[0, AY])
    return np.concatenate(([slow], np.arange(1, rows) * step))


def _states_at(
    curves: CurvesOfStates, followed: Sequence[StateCurve], wanted: Sequence[tuple[int, Floats]]
) -> list[tuple[Solved, Floats]]:
    """States of directions, by their numbers, at |ay| (n,), with slopes by ay; all are solved at once."""
    starts = [followed[number].near(AY, SENSES[number], ay) for number, ay in wanted]
    rows = np.repeat([number for number, _ay in wanted], [len(ay) for _number, ay in wanted])
    closure = curves.closure.at(rows)
    closure.kind[:, 3], closure.weights[:, 3] = SUM_OF_UNKNOWNS, np.eye(COUNT)[AY]
    closure.value[:, 3] = np.concatenate([SENSES[number] * ay for number, ay in wanted])
    x, lifted = (np.concatenate([start[place] for start in starts]) for place in range(2))
    solved = curves.car.solve(x, curves.torques.at(rows), closure, lifted)
    slopes, ends = solved.slopes(3), np.cumsum([len(ay) for _number, ay in wanted])
    return [(solved.at(own), slopes[own]) for own in np.split(np.arange(len(rows)), ends[:-1])]


def _joined(
    held: HeldQuantity,
    parts: Sequence[tuple[Solved, Floats]],
    followed: Sequence[StateCurve],
    asked: Mapping[float, tuple[Solved, Floats]],
) -> Circle:
    """Both directions in one; the row of slow speed is that of the left turn where there are two."""
    each = [(solved, slopes, row) for solved, slopes in parts for row in range(len(solved.x))]
    if len(parts) == len(SENSES):
        each.pop(len(parts[0][0].x))
    each.sort(key=lambda one: float(one[0].x[one[2], AY]))
    solved = joined_states([(own, row) for own, _slopes, row in each])
    return Circle(held, solved, np.array([slopes[row] for _own, slopes, row in each]), followed, asked)

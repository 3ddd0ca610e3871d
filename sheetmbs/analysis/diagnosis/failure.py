"""Why an integration cannot go on: the last valid state is examined, and the likeliest reason reported.

In this order: an expression without value; friction that jams; constraints that have become dependent (a
linkage that locks, a dead point, a singular position); forces that switch back and forth; a fixed step too long for the
fastest vibration or decay of the model; a motion that grows without bound.

The fastest vibration or decay is the largest eigenvalue of the motion linearised about a state (q, v), by differences along
each coordinate: d/dt (dq, dv) = (dv, K dq + C dv).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sheetmbs.analysis.diagnosis.locking import dead_point, has_jammed, where_jammed
from sheetmbs.analysis.horizon import reads_motion
from sheetmbs.analysis.integrators.interface import Status
from sheetmbs.analysis.start.start_problems import formula_fault, worst_elements
from sheetmbs.engine.evaluate import evaluate
from sheetmbs.engine.motion.operations import Operation
from sheetmbs.engine.records import Floats
from sheetmbs.lower import Lowered, System
from sheetmbs.problems.errors import Problem
from sheetmbs.schema.expression import Apply, Node

AHEAD = (1e-9, 1e-7, 1e-5)  # of the time span: how far ahead a formula without value is looked for
SOON, WITHIN = (
    0.05,
    0.5,
)  # of the time span, and of the time scale of the motion: how far ahead a dead point is looked for
STABLE = 2.0  # step times eigenvalue up to which explicit methods of fixed step are stable, and a little less
SUDDEN = 1e-4  # of the time span: a motion with a shorter time scale than that grows without bound
DIFFERENCE = 1e-6  # of the size of a coordinate
MOST_COORDINATES = 600  # for which the linearised motion is worth its time
SWITCHES = (Operation.SIGN, Operation.LESS, Operation.LESS_EQUAL, Operation.ABS, Operation.MIN, Operation.MAX)


@dataclass(frozen=True)
class Reached:
    """The state at which an integration stopped.

    y: (nq + nv + 1,) last sound state at time t. step: of a fixed-step method, else 0.
    start: (nq + nv + 1,) the state at the start. span: length of the analysis, s.
    """

    status: int
    t: float
    y: Floats
    start: Floats
    step: float
    span: float


@dataclass(frozen=True)
class _View:
    """A state as an evaluation sees it.

    a: (nv,); spring: components of the forces of elements. has_value: whether all formulas have one.
    """

    a: Floats
    spring: Floats
    has_value: bool


def explained(lowered: Lowered, system: System, reached: Reached) -> Problem:
    """The likeliest reason why no further step could be taken.

    system: the one that was integrated, its scratch as the last step left it.
    """
    if system.work.fault[0]:
        return formula_fault(lowered, system, reached.t)
    if has_jammed(system):
        return where_jammed(lowered, system, reached.t)
    if np.all(np.isfinite(reached.y)):
        unclosed = _where(lowered, system)
        for share in AHEAD:
            if not _look(lowered, system, reached.t + share * reached.span, reached.y).has_value:
                return formula_fault(lowered, system, reached.t)
        problem = dead_point(lowered, system, reached.t, reached.y, reached.start, 0.0)
        if problem is not None:
            return problem
    else:
        unclosed = ""
    if reached.status == Status.STALLED:
        return _switching(lowered, reached)
    known = _too_long(lowered, system, reached) if reached.step > 0.0 else _growing(lowered, system, reached)
    return known or _ahead(lowered, system, reached) or _unexplained(lowered, reached, unclosed)


def _look(lowered: Lowered, system: System, t: float, y: Floats) -> _View:
    """Evaluate a state without changing it."""
    arrays, work, nq = system.arrays, system.work, len(lowered.bodies.q)
    rates = np.zeros(len(y))
    work.fault[:] = 0
    evaluate(arrays, work, t, y[:nq].copy(), y[nq:-1].copy(), rates, 0.0)
    return _View(
        rates[nq:-1],
        work.element[arrays.elements.pull.value],
        has_value=not work.fault[0],
    )


def _largest_rate(lowered: Lowered, y: Floats) -> float:
    """Largest |v|/L and |omega| of a state."""
    return float(np.max(np.abs(y[len(lowered.bodies.q) : -1]) / lowered.bodies.velocity_size, initial=0.0))


def _switching(lowered: Lowered, reached: Reached) -> Problem:
    """Steps so short that the analysis would never end."""
    formulas = [formula for formula in lowered.formulas if _switches(formula.expression.tree)]
    found = f"from t = {reached.t:.6g} s on steps become so short that the analysis would never end"
    oiled = [each for each in lowered.model.clearances if each.viscosity > 0.0]
    if oiled and not formulas:
        return Problem(
            "stalled",
            "error",
            oiled[0].cell,
            f"{found}: the oil film in {oiled[0].name} is too stiff for a method that locates contacts",
            "only without restitution are films integrated by a method for stiff motion",
            "leave restitution_i and restitution_j blank: dry contact below the film is elastic then",
        )
    if not formulas:
        return Problem(
            "stalled",
            "error",
            "",
            found,
            "forces must change smoothly with the motion",
            "look for a force, a curve or a stop that changes at once where the motion stands at this time",
        )
    first, variable = formulas[0], formulas[0].expression.variables[0]
    return Problem(
        "stalled",
        "error",
        first.cell,
        f'{found}: the force "{first.expression.text}" switches back and forth',
        "forces must change smoothly with the motion: a jump where the motion comes to rest holds it in the jump",
        f"make the change gradual, as max(-1, min(1, {variable}/0.01)) does in place of sign({variable})",
    )


def _switches(node: Node) -> bool:
    """Whether an expression compares a motion column with something."""
    if not isinstance(node, Apply):
        return False
    if node.operation in SWITCHES and any(reads_motion(argument) for argument in node.arguments):
        return True
    return any(_switches(argument) for argument in node.arguments)


def _too_long(lowered: Lowered, system: System, reached: Reached) -> Problem | None:
    """A fixed step that is too long for the fastest vibration or decay."""
    fastest, who = _fastest(lowered, system, reached)
    if fastest * reached.step <= STABLE:
        return None
    return Problem(
        "step-too-long",
        "error",
        _step_cell(lowered),
        f"after t = {reached.t:.6g} s the motion grows without bound: a step of {reached.step:.3g} s is too long "
        f"for {who}, which vibrates or decays at {fastest:.3g} rad/s",
        "a fixed step must be short enough for the fastest motion of the model, even where little of it is seen",
        f"choose a step of at most {_rounded_down(1.0 / fastest)} s, or the integrator auto",
    )


def _step_cell(lowered: Lowered) -> str:
    cells = lowered.model.settings.cells
    return cells.get("step", cells.get("t_step", "Settings"))


def _rounded_down(step: float) -> str:
    """A step with one digit."""
    power = 10.0 ** np.floor(np.log10(step))
    return f"{np.floor(step / power) * power:.1g}"


def _where(lowered: Lowered, system: System) -> str:
    worst = worst_elements(lowered, system)
    return f": {worst[0][0]} cannot close" if worst and worst[0][2] > 0.0 else ""


def _fastest(lowered: Lowered, system: System, reached: Reached) -> tuple[float, str]:
    """Largest eigenvalue (rad/s) of the linearised motion where it began or stopped, and what has the largest share in it."""
    found = (0.0, "the model")
    if len(lowered.bodies.v) > MOST_COORDINATES:
        return found
    for t, y in ((lowered.model.settings.t_start, reached.start), (reached.t, reached.y)):
        if np.all(np.isfinite(y)) and _largest_rate(lowered, y) * reached.step < 1.0:
            found = max(found, _fastest_at(lowered, system, t, y))
    return found


def _fastest_at(lowered: Lowered, system: System, t: float, y: Floats) -> tuple[float, str]:
    nq, nv, sizes = len(lowered.bodies.q), len(lowered.bodies.v), lowered.bodies.velocity_size

    def beside(along: Floats, faster: Floats) -> _View:
        moved = np.concatenate((lowered.moved(y[:nq], along), y[nq:-1] + faster, [0.0]))
        return _look(lowered, system, t, moved)

    still = np.zeros(nv)
    here = beside(still, still)
    matrix = np.zeros((2 * nv, 2 * nv))
    matrix[:nv, nv:] = np.eye(nv)
    for k, direction in enumerate(np.diag(DIFFERENCE * sizes)):
        matrix[nv:, k] = (beside(direction, still).a - here.a) / direction[k]
        matrix[nv:, nv + k] = (beside(still, direction).a - here.a) / direction[k]
    if not np.all(np.isfinite(matrix)):
        return 0.0, "the model"
    values, vectors = np.linalg.eig(matrix)
    largest = int(np.argmax(np.abs(values)))
    value, shape = float(np.abs(values[largest])), np.real(vectors[:nv, largest])
    share = np.abs(shape) / sizes
    shape = shape * (DIFFERENCE / max(float(np.max(share)), np.finfo(float).tiny))
    change = np.abs(beside(shape, shape * value).spring - here.spring)
    if np.any(change > 0.0):
        element = int(system.arrays.elements.pull.element[np.argmax(change)])
        return value, f"the spring {lowered.model.springs[element].name}"
    return value, lowered.bodies.name_at(int(np.argmax(share)))


def _growing(lowered: Lowered, system: System, reached: Reached) -> Problem | None:
    """A motion that grows without bound."""
    sizes = lowered.bodies.velocity_size
    a = np.abs(np.nan_to_num(_look(lowered, system, reached.t, reached.y).a, nan=np.inf))
    worst = int(np.argmax(a / sizes))
    rate = max(float(np.sqrt(a[worst] / sizes[worst])), _largest_rate(lowered, reached.y))
    if rate * SUDDEN * reached.span <= 1.0:
        return None
    name = lowered.bodies.name_at(worst)
    turns = bool(lowered.bodies.velocity_class[worst])
    amount = f"{'angular acceleration' if turns else 'acceleration'} has reached {a[worst]:.3g} {'rad' if turns else 'm'}/s^2"
    return Problem(
        "grows-without-bound",
        "error",
        next((body.cell for body in lowered.model.bodies if body.name == name), ""),
        f"at t = {reached.t:.6g} s the motion of {name} grows without bound: its {amount}",
        "forces and what drivers prescribe must stay finite along the motion",
        f"look at what acts on {name} then: an expression, a curve beyond its end, a stiffness of the wrong sign, a driver",
    )


def _ahead(lowered: Lowered, system: System, reached: Reached) -> Problem | None:
    """A dead point within the next steps: an integrator that tried to cross it came back to where it was."""
    rate = _largest_rate(lowered, reached.y)
    if not np.isfinite(rate):
        return None
    reach = min(SOON * reached.span, WITHIN / rate) if rate > 0.0 else SOON * reached.span
    return dead_point(lowered, system, reached.t, reached.y, reached.start, reach)


def _unexplained(lowered: Lowered, reached: Reached, unclosed: str) -> Problem:
    if reached.step > 0.0:
        return Problem(
            "step-too-long",
            "error",
            _step_cell(lowered),
            f"after t = {reached.t:.6g} s a step of {reached.step:.3g} s leads to no valid state{unclosed}",
            "a fixed step must be short enough for the fastest motion of the model, even where little of it is seen",
            "choose a shorter step, or the integrator auto",
        )
    return Problem(
        "step-too-small",
        "error",
        "",
        f"at t = {reached.t:.6g} s no step, however short, reaches the accuracy asked for{unclosed}",
        "the motion must be smooth enough to be followed",
        "look for a jump in a curve or a force, or a spring of extreme stiffness, or choose a larger rtol",
    )

"""An independent look at a result, to find out whether it is as accurate as it was meant to be.

Judged from the reported rows alone, whatever method made them and however far apart they are. Errors are relative as those of
``rtol`` are: positions by the characteristic length L, angles by 1 rad, velocities by the largest |v|/L and |omega| = w, times
L or 1. With s_k = L or 1 of coordinate k and the work W of all forces but weights and springs (dampers, loads, drivers):

    energy      |E - E_0| / S,   E = T + V - W
                S = max over t of (sum_k m_k |v_k| w s_k + sum_k |Q_k| s_k + V of springs) + range of V + range of W
    positions   |Phi| / L or 1       velocities   |J v - nu| / (w L) or w         of all constraint rows, dropped ones too
    forces      |M a - Q - J^T lambda| / the largest force on the body            of every body, moments over L
    switches    positions over L or 1, velocities over w L or w: what steps of fixed length skipped (`analysis/dynamic.py`)

S is how far E changes, to first order, where every coordinate and velocity is off by its whole size. So the first quotient is
the relative error of the motion that the energy balance betrays. Where drivers prescribe the whole motion, W tells nothing of
it. Where they prescribe a part, steps are chosen by the errors of the other;
so W, in which their power is summed up, may miss what they do meanwhile. The balance may then close with W or else with the
integral of the powers at the rows, as far as rows this far apart tell that.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sheetmbs.analysis.postprocessing import MISSED_FORCE
from sheetmbs.analysis.solution import KINKED, NOT_FOUND, UNBALANCED, UNSTABLE, Solution
from sheetmbs.elements.analyses import Analysis
from sheetmbs.elements.integrators import AUTO
from sheetmbs.engine.motion_report import MotionReport
from sheetmbs.lower import Lowered
from sheetmbs.lower.lower_constraints import Constraint
from sheetmbs.model.model import Body
from sheetmbs.problems.errors import Problem
from sheetmbs.problems.listing import sentence_list
from sheetmbs.results.columns.collect import Floats
from sheetmbs.results.judging.bent_beams import beams_beyond
from sheetmbs.schema.settings import STATIC_ANALYSES

Rows = slice | NDArray[np.int64]

TOLERANCE_MULTIPLE = 100.0
"""times the error that the tolerances promise: what is beyond is in doubt"""
MAX_RELATIVE_ERROR = 1e-3
"""a larger error is in doubt whatever was asked for"""
FIXED_STEP_TOLERANCE = 1e-7
"""what a method of fixed step, which promises nothing, is held to"""
ASSEMBLY_TOLERANCE = 1e-10
"""to which a motion starts on its constraints, m or rad"""
MAX_IMBALANCE = 1e-6
"""share of the forces that rounding may leave over"""
MAX_DRIVEN_DRIFT = 1e-2
"""of S: more than that, not even drivers excuse"""
MIN_ROWS_OF_WORK = 5
"""fewer tell nothing of the work between them"""
ENERGY_ROUNDING = 1e-12
"""of the energies that are added up"""
START_VIOLATION_MULTIPLE = 3.0
"""times the violation of a start that is used as it was given: what follows from it"""
PLAIN_DIGITS = 5
"""digits from which on a tolerance need not be told with the verdict"""
ENERGY, POSITIONS, VELOCITIES, FORCES = "energy balance", "positions", "velocities", "forces"
SKIPPED = "the motion where forces switch"
FORMULATIONS = {
    "lagrange": "choose the formulation auto, which puts every step back on the constraints",
    "baumgarte": "choose the formulation auto, or larger alpha and beta with steps much shorter than 1/alpha",
    "augmented-lagrangian": "choose the formulation auto, or a larger penalty",
}
"""what to do about a formulation that lets violations stand"""


@dataclass(frozen=True)
class Error:
    """The largest relative error of a quantity. limit: beyond it the result is in doubt.

    since: time at which the limit is first exceeded, None where it never is. amount: the error in ``unit``, for a sentence.
    where: the constraint that is violated most. body: the one whose forces balance least.
    """

    quantity: str
    size: float
    limit: float
    since: float | None
    amount: float
    unit: str
    where: Constraint | None = None
    body: Body | None = None

    @property
    def is_doubtful(self) -> bool:
        """Whether the limit is exceeded."""
        return self.since is not None


@dataclass(frozen=True)
class Accuracy:
    """Accuracy of a result, judged by its rows. errors: of all quantities that could be judged.

    unknown_from: time of the first row with a number that is not finite, or None. started_open: the start was given so that it
    violates constraints, and the limits follow from that. rows: how many were judged. rtol: tolerance of the run, or None.
    has_unseen: forces acted between steps, which no balance of the rows can know. beyond: warnings of beams that leave what
    their theory describes. state: why small motions about the state of a modes analysis may not be what they seem, or "".
    """

    errors: tuple[Error, ...]
    unknown_from: float | None
    started_open: bool
    rows: int
    rtol: float | None = None
    has_unseen: bool = False
    beyond: tuple[Problem, ...] = ()
    state: str = ""

    @property
    def doubts(self) -> tuple[Error, ...]:
        """Errors beyond their limits, the worst first."""
        found = [error for error in self.errors if error.is_doubtful]
        return tuple(sorted(found, key=lambda error: -error.size / error.limit))

    @property
    def verdict(self) -> str:
        """``passed``, or what is in doubt."""
        if self.unknown_from is not None:
            return f"in doubt: numbers are missing from t = {self.unknown_from:.6g} s on"
        if self.doubts:
            return f"in doubt: {sentence_list([error.quantity for error in self.doubts])}"
        if not self.rows:
            return "nothing to check"
        if self.has_unseen:
            return "in doubt: forces that acted between steps"
        if self.beyond:
            return "in doubt: beams beyond their theory"
        if self.state:
            return f"in doubt: {self.state}"
        passed = "passed, except that the start violates the constraints" if self.started_open else "passed"
        return f"{passed}{self._digits}"

    @property
    def _digits(self) -> str:
        """The reservation that a coarse tolerance adds to the verdict: not every error breaks a law that is checked here."""
        digits = PLAIN_DIGITS if self.rtol is None else int(np.floor(-np.log10(self.rtol) + 1e-9))
        if digits >= PLAIN_DIGITS:
            return ""
        left = f"about {digits} digits" if digits > 1 else "one digit at most" if digits else "not even one digit"
        return f", to {left} (rtol = {self.rtol:.2g})"


def accuracy(lowered: Lowered, solution: Solution, found: MotionReport) -> Accuracy:
    """Judge a result by its rows."""
    known = _known_rows(solution, found)
    unknown, rows = np.flatnonzero(~known), _where(known)
    unknown_from = float(solution.times[unknown[0]]) if len(unknown) else None
    if not np.any(known):
        return Accuracy((), unknown_from, started_open=False, rows=0)
    limit = doubtful_from(lowered, solution)
    sizes = _violations(lowered, solution, found)
    of_the_start = float(np.max(sizes[int(np.argmax(known))], initial=0.0))
    started_open = lowered.model.settings.initial_conditions == "given" and of_the_start > limit
    if started_open:
        limit = START_VIOLATION_MULTIPLE * of_the_start
    errors = tuple(_errors(lowered, solution, found, rows, sizes[rows], limit))
    has_unseen = any(problem.code == MISSED_FORCE for problem in solution.problems)
    beyond = beams_beyond(lowered, solution, found)
    state = _doubt_of_modes(solution)
    return Accuracy(errors, unknown_from, started_open, int(np.sum(known)), solution.rtol, has_unseen, beyond, state)


def _doubt_of_modes(solution: Solution) -> str:
    """Why a state does not stay the one that modes belong to, or why they are not those of smooth forces; "" otherwise."""
    codes = {problem.code for problem in solution.problems}
    if UNBALANCED in codes:
        return "the modes belong to a state that is no equilibrium"
    if UNSTABLE in codes:
        return "the state is unstable, because a mode grows"
    if KINKED in codes:
        return "forces change their slope where the modes were computed"
    return ""


def doubtful_from(lowered: Lowered, solution: Solution) -> float:
    """Relative error beyond which a result is in doubt: so many times what the tolerances promise."""
    length, tolerance = lowered.bodies.length, lowered.model.settings.tolerance
    per_unit = max(1.0, 1.0 / length)  # the tolerance is in m and rad
    if solution.analysis != Analysis.DYNAMIC:
        return TOLERANCE_MULTIPLE * tolerance * per_unit
    promised = FIXED_STEP_TOLERANCE if solution.rtol is None else solution.rtol
    return min(MAX_RELATIVE_ERROR, TOLERANCE_MULTIPLE * max(promised, min(tolerance, ASSEMBLY_TOLERANCE) * per_unit))


def _known_rows(solution: Solution, found: MotionReport) -> NDArray[np.bool_]:
    motion = (solution.q, solution.v, solution.a, found.position, found.velocity)
    known = np.ones(len(solution.times), dtype=np.bool_)
    with np.errstate(invalid="ignore", over="ignore"):
        doubtful = [part for part in motion if not np.isfinite(part.sum())]
    for part in doubtful:
        known &= np.isfinite(part).all(axis=1)
    return known


def _where(chosen: NDArray[np.bool_]) -> Rows:
    """Numbers of the rows that are chosen; all of them as a slice, which takes no copies."""
    return slice(None) if np.all(chosen) else np.flatnonzero(chosen)


def _largest_rate(lowered: Lowered, solution: Solution) -> float:
    """Largest |v|/L and |omega|; of a motion seen at rest only, what its accelerations lead to along L or 1 rad."""
    size = coordinate_sizes(lowered)
    with np.errstate(invalid="ignore"):
        rate = np.fmax.reduce(np.abs(solution.v) / size, axis=None, initial=0.0)  # which passes over NaN
        onset = np.sqrt(np.fmax.reduce(np.abs(solution.a) / size, axis=None, initial=0.0))
    return float(max(rate, onset) if solution.analysis == Analysis.DYNAMIC else max(rate, 1.0))


def coordinate_sizes(lowered: Lowered) -> Floats:
    """(nv,) what an error of a position coordinate is measured by."""
    return np.where(lowered.bodies.velocity_class == 1, 1.0, lowered.bodies.length)


def _violations(lowered: Lowered, solution: Solution, found: MotionReport) -> Floats:
    """(times, constraints, 2) relative errors of positions and velocities."""
    rate = _largest_rate(lowered, solution)
    return np.asarray(found.violation / np.array([1.0, rate if rate > 0.0 else 1.0]))


def _errors(
    lowered: Lowered, solution: Solution, found: MotionReport, rows: Rows, sizes: Floats, limit: float
) -> Iterator[Error]:
    """rows: those that are known. sizes: (rows, constraints, 2)."""
    times = solution.times[rows]
    prescribed = solution.structure.undriven == 0
    if solution.work is not None and not prescribed:
        is_sound = np.isfinite(found.energy[rows].sum(axis=1) + found.supply[rows])
        if np.any(is_sound):
            sound = rows if np.all(is_sound) else np.arange(len(solution.times))[rows][is_sound]
            drift, scale = _drift(lowered, solution, found, sound)
            yield _error(ENERGY, drift / scale, limit, solution.times[sound], float(np.max(drift)), "J")
    if solution.skipped is not None:
        skipped = solution.skipped[rows]
        yield _error(SKIPPED, skipped, limit, times, float(np.max(skipped)), "")
    for which, (quantity, unit, amounts) in enumerate(
        ((POSITIONS, "m or rad", found.position), (VELOCITIES, "m/s or rad/s", found.velocity))
    ):
        at_rest = quantity == VELOCITIES and solution.analysis in STATIC_ANALYSES
        if sizes.shape[1] and not at_rest:
            worst = int(np.argmax(sizes[:, :, which].max(axis=0)))
            largest, amount = sizes[:, :, which].max(axis=1), float(np.max(amounts[rows, worst]))
            yield _error(quantity, largest, limit, times, amount, unit, lowered.elements[worst])
    left = found.imbalance[rows]
    if left.size and _has_balance(solution):
        worst = int(np.argmax(left.max(axis=0)))
        body = lowered.model.bodies[worst]
        yield _error(FORCES, left.max(axis=1), MAX_IMBALANCE, times, float(left.max()), "", body=body)


def _has_balance(solution: Solution) -> bool:
    """Whether inertia, forces and reactions were to balance: not where the search for that failed, and not of what is held."""
    if solution.analysis in STATIC_ANALYSES:
        return not any(problem.code in {*NOT_FOUND, UNBALANCED} for problem in solution.problems)
    return solution.analysis == Analysis.DYNAMIC or not solution.structure.idle


def _error(
    quantity: str,
    sizes: Floats,
    limit: float,
    times: Floats,
    amount: float,
    unit: str,
    where: Constraint | None = None,
    body: Body | None = None,
) -> Error:
    is_beyond = sizes > limit
    since = float(times[is_beyond.argmax()]) if is_beyond.any() else None
    return Error(quantity, float(sizes.max()), limit, since, amount, unit, where, body)


def _drift(lowered: Lowered, solution: Solution, found: MotionReport, rows: Rows) -> tuple[Floats, float]:
    """The change of energy (rows,) that neither rounding nor unseen work of drivers explains, and S as described above."""
    size, v = coordinate_sizes(lowered), np.abs(solution.v[rows])
    rate = float(np.max(v / size, initial=0.0))
    momentum = (lowered.weights() * v) @ size * rate
    energy = found.energy[rows].sum(axis=1)
    work = np.zeros(len(energy)) if solution.work is None else solution.work[rows]
    scale = float(np.max(momentum + found.leverage[rows]) + np.ptp(found.energy[rows, 1]) + np.ptp(work))
    drift = np.abs(energy - energy[0] - work + work[0])
    if np.any(found.power[rows]):
        own, unsure = work_by_rows(solution.times[rows], found.supply[rows])
        drift = np.minimum(drift, np.abs(energy - energy[0] - own) - min(unsure, MAX_DRIVEN_DRIFT * scale))
    rounding = ENERGY_ROUNDING * float(np.max(np.abs(found.energy[rows])))
    return np.maximum(drift - rounding, 0.0), scale if scale > 0.0 else 1.0


def work_by_rows(times: Floats, power: Floats) -> tuple[Floats, float]:
    """(n,) integral of a power (n,), and how uncertain it is: twice what leaving out every second row changes."""
    own = summed_up(times, power)
    if len(times) < MIN_ROWS_OF_WORK:
        return own, np.inf
    return own, 2.0 * float(np.max(np.abs(own[::2] - summed_up(times[::2], power[::2]))))


def summed_up(times: Floats, power: Floats) -> Floats:
    """(n,) integral of a power (n,) from the first of the times: trapezoids, corrected by the slopes at their ends."""
    if len(times) < 2:
        return np.zeros(len(times))
    h, slope = np.diff(times), np.gradient(power, times)
    parts = 0.5 * h * (power[1:] + power[:-1]) - h**2 / 12.0 * np.diff(slope)
    return np.concatenate(([0.0], np.cumsum(parts)))


def doubt(lowered: Lowered, solution: Solution, seen: Accuracy) -> Iterator[Problem]:
    """One warning about what is worst, which names what else is in doubt; none where nothing is."""
    if seen.unknown_from is not None:
        yield Problem(
            "accuracy-in-doubt",
            "warning",
            "",
            f"from t = {seen.unknown_from:.6g} s on there are numbers that are not finite",
            "positions, velocities and accelerations must be finite numbers",
            "look at what moves fastest shortly before that time, and choose a shorter step or the integrator auto",
        )
    if seen.doubts:
        worst, others = seen.doubts[0], [error.quantity for error in seen.doubts[1:]]
        yield Problem(
            "accuracy-in-doubt",
            "warning",
            _cell(lowered, solution, worst),
            f"{_found(worst)}: a relative error of {worst.size:.2g}, beyond {worst.limit:.2g} from t = {worst.since:.6g} s on"
            + (f"; in doubt for the same reason: {sentence_list(others)}" if others else ""),
            _rule(worst),
            _mend(lowered, solution, worst),
        )


def _cell(lowered: Lowered, solution: Solution, worst: Error) -> str:
    if worst.where is not None:
        return worst.where.cell
    if worst.body is not None:
        return worst.body.cell
    cells = lowered.model.settings.cells
    setting = "step" if solution.rtol is None and "step" in cells else "integrator"
    return cells.get(setting, "Settings")


def _found(worst: Error) -> str:
    if worst.quantity == ENERGY:
        return f"the energy balance is off by up to {worst.amount:.3g} J"
    if worst.quantity == SKIPPED:
        return "steps that end at every switch of a force and every bend of a curve find another motion"
    if worst.body is not None:
        return f"inertia, applied forces and reactions of {worst.body.name} do not balance"
    if worst.where is None:
        return "the forces that were found do not balance"
    if worst.quantity == POSITIONS:
        return f"{worst.where.name} is off by up to {worst.amount:.3g} {worst.unit}"
    return f"the velocities at {worst.where.name} disagree by up to {worst.amount:.3g} {worst.unit}"


def _rule(worst: Error) -> str:
    if worst.quantity == FORCES:
        return "inertia, applied forces and reactions must balance"
    if worst.quantity == SKIPPED:
        return "fixed steps must be short enough to resolve what happens between them"
    if worst.quantity == ENERGY:
        return "kinetic and potential energy less the work of all other forces must stay the same"
    return "every joint, driver and guiding column must hold at all times, redundant ones too"


def _mend(lowered: Lowered, solution: Solution, worst: Error) -> str:
    if worst.quantity == SKIPPED:
        return "choose the integrator auto, or a shorter step that ends at the switches"
    formulation = lowered.model.settings.formulation
    if solution.analysis == Analysis.DYNAMIC and formulation in FORMULATIONS:
        return FORMULATIONS[formulation]
    if worst.where is not None and worst.where.name in solution.structure.redundant_names:
        return f"correct the points and axes of {worst.where.name}: it repeats other constraints, but not exactly"
    if solution.analysis != Analysis.DYNAMIC:
        return "choose a smaller tolerance, or keep the motion away from dead points"
    if solution.rtol is None:
        return "choose a shorter step, or the integrator auto"
    if lowered.model.settings.integrator == AUTO.name:
        return "choose a smaller rtol or another integrator, such as radau or bdf, and compare the results"
    return "choose a smaller rtol or the integrator auto, and compare the results"

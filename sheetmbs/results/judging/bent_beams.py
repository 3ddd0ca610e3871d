"""Beams that leave what their theory describes: how far they bend, and what axial forces and rotation do that it leaves out.

The theory is that of small deflections and slopes, to second order. A beam that keeps to the linear theory, because joints
hold it along its line (`lower/beam_supports.py`), has no geometric stiffness. An axial force would change its stiffness by
about as much as it is of Euler's load, a rotation by about as much as its square is of that of the lowest circular frequency.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from sheetmbs.analysis.solution import Solution
from sheetmbs.engine.motion_report import MotionReport
from sheetmbs.lower import Lowered
from sheetmbs.lower.lower_beams import LoweredBeam
from sheetmbs.problems.errors import Problem
from sheetmbs.results.columns.beam_columns import amplitudes, beam_frames, internal_forces
from sheetmbs.results.columns.collect import Floats

MAX_DEFLECTION = 0.1
"""Of the length: largest deflection for which the theory is good to about a percent."""
MAX_NEGLECTED_STIFFNESS = 0.1
"""Of Euler's load, or of the square of the lowest frequency: what geometric stiffness may be left out."""
DEFLECTION_STATIONS = np.linspace(0.0, 1.0, 21)
"""Along a beam, as shares of its length: where its deflection is looked at."""
FORCE_STATIONS = (0.0, 0.5, 1.0)
"""The same, where its axial force is looked at."""
FIRST_ROOT = {"clamped-free": 1.8751040687, "pinned-pinned": np.pi, "clamped-clamped": 4.7300407449}
"""b of the lowest frequency, b^2 (EI/(rho L^4))^1/2, by how the ends are held."""
OMEGA_COLUMN = 5
"""column of the angular velocity among those that tell the motion of a frame"""


@dataclass(frozen=True)
class _Beyond:
    """A limit that a beam exceeds. size: the largest value over the limit's measure. since: when it is first exceeded, s."""

    found: str
    rule: str
    mend: str
    size: float
    since: float


def beams_beyond(lowered: Lowered, solution: Solution, found: MotionReport) -> tuple[Problem, ...]:
    """A warning at each beam that bends too far, or whose geometric stiffness counts and is left out."""
    problems = []
    for name, beam in lowered.bodies.beams.items():
        limits = list(_limits(lowered, solution, found, name, beam)) if len(solution.times) else []
        problems += [
            Problem(
                "beam-beyond-theory",
                "warning",
                beam.beam.cell,
                f"{name}: {each.found}, beyond {MAX_NEGLECTED_STIFFNESS:.0%} from t = {each.since:.6g} s on",
                each.rule,
                each.mend,
            )
            for each in limits
        ]
    return tuple(problems)


def _limits(
    lowered: Lowered, solution: Solution, found: MotionReport, name: str, beam: LoweredBeam
) -> Iterator[_Beyond]:
    times, length = solution.times, beam.beam.length
    share = _deflections(lowered, solution, beam) / length
    if (since := _since(share > MAX_DEFLECTION, times)) is not None:
        yield _Beyond(
            f"a deflection of up to {_largest(share):.3g} times its length",
            "the beam theory assumes small deflections",
            "divide the beam into several joined by fixed joints, each of which bends less, or make it stiffer",
            _largest(share),
            since,
        )
    if beam.shortens:
        return
    mend = "give the beam its axial stiffness EA, so that axial forces stiffen or soften it"
    rule = (
        "joints hold this beam along its axis, and without EA the effect of its axial force on its stiffness is unknown"
    )
    euler = np.pi**2 * beam.beam.bending_stiffness / length**2
    forces = [internal_forces(lowered, solution, found, name, place * length)[:, 2] for place in FORCE_STATIONS]
    pressed = np.max(np.abs(forces), axis=0) / euler
    if (since := _since(pressed > MAX_NEGLECTED_STIFFNESS, times)) is not None:
        size = _largest(pressed)
        yield _Beyond(
            f"an axial force of up to {size:.3g} times Euler's load of {euler:.4g} N", rule, mend, size, since
        )
    first = FIRST_ROOT[beam.beam.ends] ** 4 * beam.beam.bending_stiffness / (beam.beam.mass_per_length * length**4)
    number = int(lowered.bodies.records[lowered.bodies.names[name]].beam)
    turning = beam_frames(lowered, solution)[:, number, OMEGA_COLUMN] ** 2 / first
    if (since := _since(turning > MAX_NEGLECTED_STIFFNESS, times)) is not None:
        size = _largest(turning)
        yield _Beyond(
            f"an angular velocity whose square is up to {size:.3g} times that of its lowest circular frequency",
            "centrifugal forces stiffen a beam; here they are left out, because joints hold the beam along its axis",
            mend,
            size,
            since,
        )


def _deflections(lowered: Lowered, solution: Solution, beam: LoweredBeam) -> Floats:
    """(times,) largest distance of the line of a beam from its frame, or with both ends held from the line through them."""
    bending = beam.space.across(DEFLECTION_STATIONS)
    if beam.beam.ends != "clamped-free" or not beam.shortens:
        bending = bending - np.outer(1.0 - DEFLECTION_STATIONS, bending[0]) - np.outer(DEFLECTION_STATIONS, bending[-1])
    across = amplitudes(lowered, solution, beam.beam)[:, : bending.shape[1]] @ bending.T
    return np.asarray(np.max(np.abs(across), axis=1))


def _since(is_beyond: np.ndarray, times: Floats) -> float | None:
    return float(times[np.argmax(is_beyond)]) if np.any(is_beyond) else None


def _largest(values: Floats) -> float:
    return float(np.nanmax(values))

"""The whole body against the plates: its mass, the residual force, the delay of the forces, and the power that nobody gives."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.ndimage import binary_erosion

from sheetmbs.gait.arrays import Mask
from sheetmbs.gait.joint_courses import is_whole_body
from sheetmbs.gait.kinetics.joint_loads import JointLoads, energy_error
from sheetmbs.gait.quality.checked_trials import SolvedBody, setting_place, subject_place
from sheetmbs.gait.signals.derivatives import derivatives
from sheetmbs.gait.strides.strides import strides_of
from sheetmbs.schema.problem_list import ProblemList

MASS_WARNING, MASS_ERROR = 0.05, 0.20
"""parts of the mass"""
MIN_CARRIED_TIME = 0.4
"""s over which the plates must carry the whole body"""
FACTORS = (
    (1.0 / 9.80665, "a factor of 1/9.81: forces in kg, or a weight in N in place of the mass"),
    (9.80665, "a factor of 9.81: forces were multiplied by g once more, or the mass was divided by it"),
    (1.0 / 4.448222, "a factor of 1/4.45: forces in pounds"),
    (4.448222, "a factor of 4.45: forces of pounds converted twice"),
    (1.0 / 2.204623, "a factor of 1/2.2: the mass in pounds"),
    (2.204623, "a factor of 2.2: the mass was converted from pounds twice"),
    (1e-3, "a factor of 1/1000: forces in kN, or the mass in g"),
    (1e3, "a factor of 1000: forces in mN, or the mass in t"),
)
MAX_FACTOR_ERROR = 0.06
"""part by which a ratio may miss one of these factors"""
MAX_RESIDUAL = 0.15
"""of the largest force of the ground; good trials have 0.05 to 0.06"""
MAX_DELAY, DELAY_STEP = 0.060, 0.001
"""s: delays that are tried"""
MIN_DELAY = 0.75
"""of a frame: the delay is found within a millisecond"""
MIN_DELAY_TIME = 0.4
"""s in which both feet must be known throughout all delays"""
MAX_RESIDUAL_RATIO = 0.9
"""of the residual, to which another delay must bring it to be worth a word"""


def check_mass(body: SolvedBody, report: ProblemList) -> None:
    """An error where the plates carry another mass by 20 %, a warning from 5 % on.

    Where they carry too little now, but all of the standing subject, neither mass nor units are wrong.
    """
    seen = carried_mass(body)
    if seen is None:
        return
    mass = body.book.subject.mass
    ratio, place = seen / mass, subject_place(body.book, "mass")
    found = f"mass: {mass:.4g} kg, and the plates carry {seen:.4g} kg"
    if carries_less_than_standing(body):
        problem = (
            f"standing they carry {body.standing_mass:.4g} kg: in {body.solved.prepared.trial.sheets[1]} a foot is not "
        )
        problem += "wholly on its plate, or a plate tells too little"
        mend = (
            "leave this trial out of the moments (angles in use on Trials), unless each foot is wholly on a sound plate"
        )
        report.warning("doubtful-mass", place, found, problem, mend)
    elif abs(ratio - 1.0) > MASS_ERROR:
        percent = (100.0 / body.weight, "forces in percent of the weight")
        words = [word for factor, word in (*FACTORS, percent) if abs(ratio / factor - 1.0) < MAX_FACTOR_ERROR]
        problem = words[0] if words else f"a factor of {ratio:.3g}"
        mend = "correct the mass or the unit of the forces; or is it the trial of somebody else?"
        report.error("wrong-mass", place, found, problem, mend)
    elif abs(ratio - 1.0) > MASS_WARNING:
        problem = f"they differ by {abs(ratio - 1.0):.1%}"
        mend = "mass is that of the body with all it carries; else look at the zero and calibration of the plates"
        report.warning("doubtful-mass", place, found, problem, mend)


def carries_less_than_standing(body: SolvedBody) -> bool:
    """Whether plates carry the standing subject, and over strides by 5 % too little: a foot is beside its plate."""
    seen, standing, mass = carried_mass(body), body.standing_mass, body.book.subject.mass
    if seen is None or standing is None:
        return False
    return seen < (1.0 - MASS_WARNING) * mass and abs(standing / mass - 1.0) < MASS_WARNING


def carried_mass(body: SolvedBody) -> float | None:
    """The mean vertical force over whole strides by g, in kg; None where no stride and no step is wholly on plates.

    Where the whole body is seen, any time will do in which both feet are known: its centre of mass tells what else is needed.
    Else a step will do, at whose ends the body moves up or down alike, but for a limp.
    """
    courses = body.courses
    vertical = sum(feet["fy"] for feet in courses.feet.values())
    # of one leg nobody knows what the other foot carries
    legs = {row.side for row in body.book.segments if row.side is not None}
    if isinstance(vertical, int) or len(courses.feet) < 2 or len(legs) < 2:
        return None
    if body.ground.hands is not None:
        vertical = vertical + body.ground.hands[:, 1]
    means = []
    for stride in strides_of([courses]):
        during = (courses.time >= stride.start) & (courses.time < stride.end)
        if not stride.is_mixed and np.isfinite(vertical[during]).all():
            means.append(float(np.mean(vertical[during])))
    if means:
        return float(np.mean(means)) / body.book.gravity
    if courses.residual is None or body.solved.loads is None:
        of_steps = [
            float(np.mean(vertical[during])) for during in _frames_of_steps(body) if np.isfinite(vertical[during]).all()
        ]
        return float(np.mean(of_steps)) / body.book.gravity if of_steps else None
    inside = np.isfinite(courses.residual["fy"]) & body.inside
    if inside.sum() < MIN_CARRIED_TIME * courses.rate:
        return None
    needed = vertical[inside] + courses.residual["fy"][inside]
    return body.book.subject.mass * float(np.sum(vertical[inside]) / np.sum(needed))


def _frames_of_steps(body: SolvedBody) -> Iterator[Mask]:
    """(n,) the frames of each step, from the strike of one foot to that of the other, both told by plates."""
    courses = body.courses
    strikes = sorted((each for each in courses.events if each.kind == "heel strike"), key=lambda each: each.time)
    for first, second in pairwise(strikes):
        if first.side != second.side and first.source == second.source == "force":
            yield (courses.time >= first.time) & (courses.time < second.time)


def residual_parts(body: SolvedBody) -> tuple[float, float] | None:
    """The largest residual force, and the rms, as parts of the largest force of the ground; None without a whole body."""
    residual, feet = body.courses.residual, body.courses.feet
    if residual is None:
        return None
    inside = np.isfinite(residual["fy"]) & body.inside
    if not inside.any():
        return None
    size = np.hypot(residual["fx"], residual["fy"])[inside]
    total = np.hypot(sum(foot["fx"] for foot in feet.values()), sum(foot["fy"] for foot in feet.values()))[inside]
    largest = float(np.max(total))
    return (float(np.max(size)) / largest, float(np.sqrt(np.mean(size**2))) / largest) if largest > 0.0 else None


def check_residual(body: SolvedBody, report: ProblemList) -> None:
    """A warning at 15 %, with the first suspects in order."""
    parts = residual_parts(body)
    if parts is None or parts[0] <= MAX_RESIDUAL:
        return
    place = body.solved.prepared.trial.markers.headers[0]._replace(row=0, column=0)
    found = f"nobody applies up to {parts[0]:.0%} of the largest force of the ground ({parts[1]:.1%} rms)"
    problem = (
        f"feet, weights and accelerations leave at most {MAX_RESIDUAL:.0%} in a sound trial, and 5 to 6 % in a good one"
    )
    mend = "first suspects in order: a foot off its plate, the delay of the forces, the mass, units, the cut-off"
    report.warning("large-residual", place, found, problem, mend)


def check_delay(body: SolvedBody, report: ProblemList) -> None:
    """A warning where forces are late or early by a frame of the markers or more."""
    found = best_delay(body)
    if found is None:
        return
    delay, now, then = found
    frame = 1.0 / body.courses.rate
    if abs(delay) < max(frame - DELAY_STEP, MIN_DELAY * frame) - 1e-9 or then > MAX_RESIDUAL_RATIO * now:
        return
    written = body.book.processing.force_delay + delay
    is_last = abs(delay) > MAX_DELAY - 0.5 * DELAY_STEP
    more = " or more" if is_last else ""
    says = f"the forces look {'late' if delay < 0.0 else 'early'} by {1e3 * abs(delay):.0f} ms{more}"
    problem = (
        f"the residual of the whole body falls from {now:.3g} to {then:.3g} N with a delay of {1e3 * delay:.0f} ms"
    )
    mend = f"write force_delay = {written:.3f}; it is not applied"
    if is_last:
        mend = "look how both were synchronised: longer delays are not tried, and none is applied"
    report.warning("late-forces", setting_place(body.book, "force_delay"), says, problem, mend)


def best_delay(body: SolvedBody) -> tuple[float, float, float] | None:
    """The delay to add in s, and the residual in N rms now and then; None where no time or no whole body tells it."""
    courses = body.courses
    residual = courses.residual
    if residual is None:
        return None
    known = np.isfinite(residual["fy"]) & np.isfinite(residual["fx"]) & body.inside
    width = int(np.ceil(MAX_DELAY * courses.rate))
    inside = binary_erosion(known, iterations=width, border_value=0)
    if inside.sum() < MIN_DELAY_TIME * courses.rate:
        return None
    given = np.column_stack([sum(foot[name] for foot in courses.feet.values()) for name in ("fx", "fy")])
    if body.ground.hands is not None:
        given = given + body.ground.hands[:, :2]
    lacking = np.column_stack((residual["fx"], residual["fy"]))
    needed = (given + lacking)[inside]
    spline = CubicSpline(courses.time[known], given[known])
    delays = np.arange(-round(MAX_DELAY / DELAY_STEP), round(MAX_DELAY / DELAY_STEP) + 1) * DELAY_STEP
    shifted = spline(courses.time[inside] - delays[:, None])
    rms = np.sqrt(np.mean(np.sum((needed - shifted) ** 2, axis=2), axis=1))
    best = int(np.argmin(rms))
    return float(delays[best]), float(rms[len(delays) // 2]), float(rms[best])


def unexplained_power(body: SolvedBody) -> float | None:
    """Root mean square in W of what neither joints nor ground do; None without a whole body in the plane."""
    loads, residual = body.solved.loads, body.courses.residual
    if not isinstance(loads, JointLoads) or residual is None or not is_whole_body(body.book):
        return None
    rate, kind = body.courses.rate, body.book.processing.derivative
    segments = list(body.solved.motion.segments.values())
    error = energy_error(segments, loads, lambda energy: derivatives(energy[None], rate, kind)[0][0])
    inside = error[np.isfinite(error) & np.isfinite(residual["fy"]) & body.inside]
    return float(np.sqrt(np.mean(inside**2))) if len(inside) else None

"""The first part of the text report: the model, section by section as MUBODYNA prints its input back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isnan

import numpy as np

from sheetmbs.elements.forces import FORCE_TYPES
from sheetmbs.elements.forces.rotational_force import ROTATIONAL
from sheetmbs.elements.forces.translational_force import TRANSLATIONAL as TRANSLATIONAL_SPRING
from sheetmbs.elements.joints.coordinate import COORDINATE
from sheetmbs.elements.joints.fixed import FIXED
from sheetmbs.elements.joints.revolute import REVOLUTE
from sheetmbs.elements.joints.translational import TRANSLATIONAL
from sheetmbs.elements.marker import GROUND, Marker
from sheetmbs.importing.read_mubodyna import COORDINATES
from sheetmbs.importing.to_workbook import INTEGRATORS, LAWS, body_name
from sheetmbs.model.model import Beam, Driver, ForceSeries, Joint, Model, Quadratic, Series, Vector

LABELS = (
    "Rigid bodies",
    "Ideal revolute joints",
    "Clearance revolute joint",
    "Translational joints",
    "Ground constraints",
    "Simple constraints",
    "Driving constraints",
    "Guiding constraints",
    "Guiding data for the guiding constraints",
    "Translational spring-damper-actuators elements",
    "Rotational spring-damper elements",
    "Bodies subjected to external applied forces",
    "Force data of the external applied forces",
    "Points of interest",
)
P_ON_BOTH = ("XI-P-I", "ETA-P-I", "XI-P-J", "ETA-P-J")
WIDTH = 12
MAX_FIXED_NUMBER = 1e8
"""from which on a number with a point would not fit its column"""


@dataclass(frozen=True)
class Numbered:
    """The elements of a planar model by the kinds that MUBODYNA knows. numbers: of bodies by their names, 0 is the ground."""

    model: Model
    numbers: dict[str, int]

    def joints(self, kind: str) -> list[Joint]:
        """Joints of a type."""
        return [joint for joint in self.model.joints if joint.type == kind]

    @cached_property
    def grounds(self) -> list[Joint]:
        """Bodies fixed to the ground."""
        return [joint for joint in self.joints(FIXED.name) if GROUND in (joint.i.body, joint.j.body)]

    @cached_property
    def drivers(self) -> list[Driver]:
        """Prescribed coordinates of bodies: p + v t + a t^2/2."""
        return [each for each in self.model.drivers if each.body and isinstance(each.motion, Quadratic)]

    @cached_property
    def guiding(self) -> list[Driver]:
        """Measured coordinates of bodies."""
        return [each for each in self.model.drivers if each.body and isinstance(each.motion, Series)]

    def shown(self) -> int:
        """Number of joints and drivers that the report shows."""
        joints = sum(len(self.joints(kind)) for kind in (REVOLUTE.name, TRANSLATIONAL.name, COORDINATE.name))
        return joints + len(self.grounds) + len(self.drivers) + len(self.guiding)


def description(this: Numbered) -> Iterator[str]:
    """The lines of the description."""
    model = this.model
    yield from ("*** MULTIBODY SYSTEM DESCRIPTION ***", "")
    counts = [f"{count:>4} {label}" for count, label in zip(_counts(this), LABELS, strict=True)]
    yield from section("GENERIC_INFORMATION", [*counts, ""])
    yield from _bodies(model)
    yield from _joints(this)
    yield from _drivers(this)
    yield from _springs(this)
    yield from _forces(this)
    points = [(this.numbers[point.marker.body], *_origin(point.marker)) for point in model.points if point.report]
    yield from _listed("POINTS_OF_INTEREST", ("i", "XI-P-I", "ETA-P-I"), points)
    yield from _times(model)
    yield from _names(this)


def _counts(this: Numbered) -> list[int]:
    model = this.model
    series = model.force_series
    springs = [spring.type for spring in model.springs]
    return [
        len(model.bodies),
        len(this.joints(REVOLUTE.name)),
        len(model.clearances),
        len(this.joints(TRANSLATIONAL.name)),
        len(this.grounds),
        len(this.joints(COORDINATE.name)),
        len(this.drivers),
        len(this.guiding),
        max((len(_series(each).times) for each in this.guiding), default=0),
        springs.count(TRANSLATIONAL_SPRING.name),
        springs.count(ROTATIONAL.name),
        len(series),
        max((len(each.times) for each in series), default=0),
        sum(point.report for point in model.points),
    ]


def _bodies(model: Model) -> Iterator[str]:
    gravity = np.array(model.settings.gravity)
    states = [(*b.position[:2], b.angles[2], *b.velocity[:2], b.angular_velocity[2]) for b in model.bodies]
    yield from _listed("INITIAL_CONDITIONS", ("X", "Y", "PHI", "XD", "YD", "PHID"), states)
    masses = [
        (np.nan if b.mass is None else b.mass, np.nan if b.inertia is None else float(b.inertia[2, 2]))
        for b in model.bodies
    ]
    yield from _listed("INERTIA_PROPERTIES", ("m", "I"), masses)
    loads = []
    for body in model.bodies:
        force = body.force + (body.mass or 0.0) * gravity
        loads.append((float(force[0]), float(force[1]), float(body.moment[2])))
    yield from _listed("CONSTANT_APPLIED_FORCES", ("FX", "FY", "M"), loads)


def _joints(this: Numbered) -> Iterator[str]:
    def pair(joint: Joint) -> tuple[int, int]:
        return this.numbers[joint.i.body], this.numbers[joint.j.body]

    rows = [(*pair(joint), *_origin(joint.i), *_origin(joint.j)) for joint in this.joints(REVOLUTE.name)]
    yield from _listed("IDEAL_REVOLUTE_JOINTS", ("i", "j", *P_ON_BOTH), rows)
    yield from _clearances(this)
    slides = []
    for joint in this.joints(TRANSLATIONAL.name):
        xi, eta = _origin(joint.i)
        along = joint.i.axes[:2, 2]
        slides.append((*pair(joint), xi, eta, xi + float(along[0]), eta + float(along[1]), *_origin(joint.j)))
    head = ("i", "j", "XI-P-I", "ETA-P-I", "XI-Q-I", "ETA-Q-I", "XI-P-J", "ETA-P-J")
    yield from _listed("TRANSLATIONAL_JOINTS", head, slides)
    yield from _listed("GROUND_CONSTRAINTS", ("i",), [(max(pair(joint)),) for joint in this.grounds])
    held = [(this.numbers[joint.i.body], _direction(joint.coordinate)) for joint in this.joints(COORDINATE.name)]
    yield from _listed("SIMPLE_CONSTRAINTS", ("i", "Direction"), held)


def _clearances(this: Numbered) -> Iterator[str]:
    """The means of friction and restitution, which are used."""
    places, materials = [], []
    for each in this.model.clearances:
        pair = this.numbers[each.i.body], this.numbers[each.j.body]
        places.append((*pair, *_origin(each.i), *_origin(each.j), each.radius_i, each.radius_j))
        sides = [
            value
            for young, poisson in zip(each.young, each.poisson, strict=True)
            for value in (each.friction, each.restitution, young, poisson)
        ]
        materials.append((LAWS.index(each.law) + 1, *sides, each.viscosity))
    yield from _listed("CLEARANCE_REVOLUTE_JOINTS", ("i", "j", *P_ON_BOTH, "Ri", "Rj"), places)
    head = ("LAW", "FRICi", "RESTi", "Ei", "NIUi", "FRICj", "RESTj", "Ej", "NIUj", "VISCOSITY")
    yield from _listed("MECHANICAL_PROPERTIES", head, materials)


def _drivers(this: Numbered) -> Iterator[str]:
    rows = []
    for driver in this.drivers:
        motion = driver.motion
        if driver.body and isinstance(motion, Quadratic):
            start = (motion.position, motion.velocity, motion.acceleration)
            rows.append((this.numbers[driver.body], _direction(driver.coordinate), *start))
    yield from _listed("DRIVING_CONSTRAINTS", ("i", "Direction", "POSITION", "VELOCITY", "ACCELERATION"), rows)
    if not this.guiding:
        return
    yield from ("GUIDING_CONSTRAINTS", "", "i Direction (1=X, 2=Y, 3=PHI)")
    for driver in this.guiding:
        yield f"{this.numbers[driver.body or GROUND]} {_direction(driver.coordinate)}"
    series = [_series(driver) for driver in this.guiding]
    head = ("Time", *(f"Guid_{number}" for number in range(1, len(series) + 1)))
    yield ""
    yield from table(head, _texts(np.column_stack([series[0].times, *(each.values for each in series)]).tolist()))


def _springs(this: Numbered) -> Iterator[str]:
    straight, turning = [], []
    for spring in this.model.springs:
        pair = this.numbers[spring.i.body], this.numbers[spring.j.body]
        if spring.type == TRANSLATIONAL_SPRING.name:
            given = FORCE_TYPES[spring.type].given(spring.values)
            numbers = (given["k"], given["c"], given["force"], given.get("length0", np.nan))
            straight.append((*pair, *_origin(spring.i), *_origin(spring.j), *numbers))
        elif spring.type == ROTATIONAL.name:
            given = FORCE_TYPES[spring.type].given(spring.values)
            turning.append((*pair, given["k"], given["c"]))
    yield from _listed("TRANSLATIONAL_SPRINGS", ("i", "j", *P_ON_BOTH, "K", "D", "FA", "L0"), straight)
    yield from _listed("ROTATIONAL_SPRINGS", ("i", "j", "K", "D"), turning)


def _forces(this: Numbered) -> Iterator[str]:
    series = this.model.force_series
    if not series:
        return
    yield from ("APPLIED_FORCES", "", "i")
    yield from (str(this.numbers[each.body]) for each in series)
    numbers = range(1, len(series) + 1)
    head = ("Time", *(f"{name}_{number}" for number in numbers for name in ("FX", "FY", "X_P", "Y_P")))
    columns = [part for each in series for part in (each.force[:, :2], _given_points(each))]
    yield ""
    yield from table(head, _texts(np.column_stack([series[0].times, *columns]).tolist()))


def _given_points(series: ForceSeries) -> Vector:
    """(n, 2) where a measured load acts, 0 where the workbook does not say."""
    given = series.point[:, :2]
    return given if series.unknown is None else np.where(series.unknown[:, None], 0.0, given)


def _times(model: Model) -> Iterator[str]:
    settings = model.settings
    method = settings.integrator
    known = str(INTEGRATORS.index(method) + 1) if method in INTEGRATORS else method
    is_stabilised = settings.formulation == "baumgarte"
    alpha, beta = (f"{settings.alpha:g}", f"{settings.beta:g}") if is_stabilised else ("-", "-")
    step = settings.step or settings.t_step
    times = [fixed(np.nan if each is None else each, 4) for each in (settings.t_start, settings.t_end, step)]
    head = ("TIME_START", "TIME_END", "TIME_STEP", "INTEGRATION_METHOD", "ALPHA", "BETA")
    yield from section("TIME_PARAMETERS", table(head, [(*times, known, alpha, beta)]))


def _names(this: Numbered) -> Iterator[str]:
    """The meaning of the numbers, and what MUBODYNA has no section for; nothing for a model that was imported from it."""
    model = this.model
    others = {
        "joints and drivers": len(model.joints) + len(model.drivers) - this.shown(),
        "forces": len(model.forces),
        **{
            f"{each.called}s": sum(spring.type == each.name for spring in model.springs)
            for each in FORCE_TYPES.values()
            if each.name not in {TRANSLATIONAL_SPRING.name, ROTATIONAL.name}
        },
    }
    further = [f"{number} {what}" for what, number in others.items() if number]
    lines = [f"not shown above: {', '.join(further)}"] if further else []
    bending = [str(this.numbers[body.name]) for body in model.bodies if isinstance(body, Beam)]
    if bending:
        lines.append(f"bodies that bend, given by their frames at end i: {', '.join(bending)}")
    if lines:
        yield from section("FURTHER_ELEMENTS", [*lines, ""])
    if any(name != body_name(number) for name, number in this.numbers.items() if number):
        names = [f"{number:>4} {name}" for name, number in this.numbers.items() if number]
        yield from section("NAMES", [*names, ""])


def _listed(name: str, head: Sequence[str], rows: Sequence[Sequence[float]]) -> list[str]:
    """A section, or nothing where it has no rows."""
    return section(name, table(head, _texts(rows))) if rows else []


def _texts(rows: Sequence[Sequence[float]]) -> list[list[str]]:
    return [[str(cell) if isinstance(cell, int) else fixed(cell, 4) for cell in row] for row in rows]


def _origin(marker: Marker) -> tuple[float, float]:
    return float(marker.origin[0]), float(marker.origin[1])


def _direction(coordinate: str) -> int:
    return COORDINATES.index(coordinate) + 1


def _series(driver: Driver) -> Series:
    if not isinstance(driver.motion, Series):
        raise TypeError(driver.motion)
    return driver.motion


def fixed(value: float, decimals: int) -> str:
    """A number with so many decimals, blank where it is not known; what is rounded to zero has no sign."""
    if isnan(value):
        return ""
    if abs(value) >= MAX_FIXED_NUMBER:
        return scientific(value)
    text = f"{value:.{decimals}f}"
    return text.removeprefix("-") if float(text) == 0.0 else text


def scientific(value: float) -> str:
    """A number as 0.1234E+05, blank where it is not known."""
    if isnan(value):
        return ""
    mantissa, _, exponent = f"{value:.3e}".partition("e")
    shifted = int(exponent) + (float(mantissa) != 0.0)
    digits = mantissa.replace(".", "").lstrip("-")
    return f"{'-' if value < 0.0 else ''}0.{digits}E{'-' if shifted < 0 else '+'}{abs(shifted):02d}"


def line(cells: Iterable[str], widths: Iterable[int]) -> str:
    """Cells at the right of columns of these widths."""
    return "".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=False))


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A table with its headings and a blank line below it; rows may be shorter than their headings."""
    widths = [max(WIDTH, len(name) + 2) for name in head]
    return [line(head, widths), *(line(row, widths) for row in rows), ""]


def section(name: str, lines: Iterable[str]) -> list[str]:
    """A named part of the report."""
    return [name, "", *lines]

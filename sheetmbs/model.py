"""The model: what a workbook says, checked, in SI, and free of cells and units.

Every reference here is the exact name of the element it points to; every geometric input has been turned into markers
(a point and axes in body coordinates). Angles are radians. ``cell`` is where an element's name stands, for messages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from sheetmbs.elements.clearance_laws import has_memory
from sheetmbs.elements.marker import Marker

if TYPE_CHECKING:
    from sheetmbs.problems.errors import Problem
    from sheetmbs.schema.expression import Expression

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Settings:
    """The sheet Settings, defaults filled in. Times in s, speeds in m/s, gravity in m/s^2 as (x, y, z); None = left blank."""

    title: str = ""
    dimension: Literal["2D", "3D"] = "2D"
    analysis: str = "dynamic"
    gravity: tuple[float, float, float] = (0.0, -9.81, 0.0)
    t_start: float = 0.0
    t_end: float | None = None
    t_step: float | None = None
    report_step: float | None = None
    """time between rows where it is not t_step, which a method of fixed step then keeps as its step"""
    integrator: str = "auto"
    step: float | None = None
    max_step: float | None = None
    spectral_radius: float = 0.9
    rtol: float | None = None
    atol: float | None = None
    formulation: str = "auto"
    alpha: float = 5.0
    beta: float = 5.0
    feedback: str = "given"
    penalty: float = 1e7
    omega: float = 10.0
    mu: float = 1.0
    initial_conditions: str = "correct"
    guiding_spline: str = "natural"
    position_solver: str = "dogleg"
    tolerance: float = 1e-10
    slip: float = 1e-4
    full_slip: float = 1e-3
    least_impact: float = 1e-4
    least_film: float = 0.01
    case: str = ""
    results: Literal["full", "short"] = "full"
    cells: dict[str, str] = field(default_factory=dict)
    """setting name -> cell of its value, for the settings that stand in the workbook"""

    @property
    def row_step(self) -> float:
        """Time between rows; 1 s for an analysis that has only one."""
        return self.report_step or self.t_step or 1.0


@dataclass(frozen=True)
class Body:
    """A rigid body in its initial configuration; a planar one uses components 0 and 1, and 2 of the angular ones.

    mass, inertia: None where left blank. inertia: (3, 3) kg m^2 about the centre of mass, body axes (planar: only [2, 2]).
    position, velocity: (3,) global. angles: (3,) rad, planar (0, 0, phi). euler: (4,) Euler parameters, same orientation.
    angular_velocity: (3,) rad/s in body axes. force, moment: (3,) constant global load at the centre of mass.
    """

    name: str
    cell: str = ""
    mass: float | None = None
    inertia: Vector | None = None
    position: Vector = field(default_factory=lambda: np.zeros(3))
    angles: Vector = field(default_factory=lambda: np.zeros(3))
    euler: Vector = field(default_factory=lambda: np.array([1.0, 0.0, 0.0, 0.0]))
    velocity: Vector = field(default_factory=lambda: np.zeros(3))
    angular_velocity: Vector = field(default_factory=lambda: np.zeros(3))
    force: Vector = field(default_factory=lambda: np.zeros(3))
    moment: Vector = field(default_factory=lambda: np.zeros(3))


@dataclass(frozen=True)
class Beam(Body):
    """A flexible planar beam, undeformed in its initial configuration. Its frame lies at end i, with xi along the beam.

    length: m. mass_per_length: kg/m. bending_stiffness, axial_stiffness: EI in N m^2, EA in N, None = it keeps its length.
    modes: number of shapes across it, and as many along it if it has an axial stiffness. ends: a name in `beam_shapes.ENDS`.
    damping: ratio of each mode of the free beam.
    """

    length: float = 1.0
    mass_per_length: float = 1.0
    bending_stiffness: float = 1.0
    axial_stiffness: float | None = None
    modes: int = 2
    ends: str = "clamped-free"
    damping: float = 0.0


@dataclass(frozen=True)
class Point:
    """A named point on a body or on ground; its marker has body coordinates. report: write its time history."""

    name: str
    marker: Marker
    report: bool = False
    cell: str = ""


@dataclass(frozen=True)
class Friction:
    """Coulomb friction of a joint, see `engine/forces/friction.py`.

    radius: of the sliding surface, of a slide half the length of its guide, m. velocity: of the ramp, m/s. None: left blank.
    """

    coefficient: float
    radius: float | None = None
    velocity: float | None = None


@dataclass(frozen=True)
class Joint:
    """A joint between two markers. type: a name in `elements.JOINTS`.

    values: its own numbers (length, value, initial_angle, pitch, ratio, radius), SI. Marker axes: the third is the joint's
    axis (of marker j: its own second axis, where the type has one).
    """

    name: str
    type: str
    i: Marker
    j: Marker
    values: dict[str, float] = field(default_factory=dict)
    coordinate: str = ""
    """of a ``coordinate`` joint: x, y, z or phi of body i"""
    couples: tuple[str, str] | None = None
    """of a coupling: the joints joint_1 and joint_2; its markers are theirs, on the body that is not ground"""
    cell: str = ""
    friction: Friction | None = None


@dataclass(frozen=True)
class Quadratic:
    """p + v t + a t^2/2, with t counted from t_start."""

    position: float
    velocity: float
    acceleration: float


@dataclass(frozen=True)
class Formula:
    """An expression of t (s); its value times ``scale`` is SI. cell: where it stands, for messages at run time."""

    expression: Expression
    scale: float = 1.0
    cell: str = ""


@dataclass(frozen=True)
class OfCurve:
    """A curve of `Model.curves` over time, read as a C2 cubic spline."""

    curve: str


@dataclass(frozen=True, eq=False)
class Series:
    """Samples over time, read as a C2 cubic spline whose ends follow the setting ``guiding_spline``."""

    times: Vector
    values: Vector


Motion = Quadratic | Formula | OfCurve | Series


@dataclass(frozen=True)
class Driver:
    """A prescribed coordinate: of a body (``body``) or of a joint (``joint``), one of the two; the other is None.

    coordinate: x, y, z, phi, or angle, displacement, distance. guiding: stands on the sheet Guiding; then name is the header.
    unit: in which the workbook gives it, and its size in SI; None = none is written.
    """

    name: str
    body: str | None
    joint: str | None
    coordinate: str
    motion: Motion
    guiding: bool = False
    cell: str = ""
    unit: tuple[str, float] | None = None


@dataclass(frozen=True)
class Force:
    """A load at a marker. force, moment: three components each, number or formula, in N and N m (planar: fx, fy and mz).

    in_body_axes: components turn with the body. curve: name of a curve over time that scales all of them, or None.
    """

    name: str
    marker: Marker
    force: tuple[float | Formula, float | Formula, float | Formula]
    moment: tuple[float | Formula, float | Formula, float | Formula]
    in_body_axes: bool = False
    curve: str | None = None
    cell: str = ""


@dataclass(frozen=True, eq=False)
class ForceSeries:
    """A measured load on one body: global force and moment components over time and where they act.

    force, moment, point: (n, 3) samples at ``times`` (n,). point_frame: ``centre`` (point unused), ``global`` or ``body``.
    rows: of the sheet, (n,), for messages. unknown: (n,) where no force acts and no point is given, but between others.
    """

    body: str
    times: Vector
    force: Vector
    moment: Vector
    point: Vector
    point_frame: Literal["centre", "global", "body"] = "centre"
    cell: str = ""
    rows: Sequence[int] = ()
    unknown: NDArray[np.bool_] | None = None


@dataclass(frozen=True)
class Spring:
    """A spring-damper-actuator between two markers; all forces count + when they pull the ends together.

    type: translational, rotational or bushing. k, c, force: N/m, N s/m, N (rotational: N m/rad, N m s/rad, N m).
    natural: natural length or angle, None = the initial one. curve_k, curve_c: names of curves that replace k, c, or None.
    stiffness, damping: (6,) of a bushing, x y z and about x y z in the axes of marker i, unloaded in the initial configuration.
    A rotational spring in space turns about the third axes of its markers, as a revolute joint does.
    """

    name: str
    type: str
    i: Marker
    j: Marker
    k: float = 0.0
    c: float = 0.0
    force: float = 0.0
    natural: float | None = None
    curve_k: str | None = None
    curve_c: str | None = None
    cell: str = ""
    stiffness: Vector = field(default_factory=lambda: np.zeros(6))
    damping: Vector = field(default_factory=lambda: np.zeros(6))


@dataclass(frozen=True)
class Clearance:
    """A revolute joint with clearance: a journal (marker j) in a bearing (marker i, turning about its third axis), SI.

    law: a name in `elements.clearance.LAWS`. radius_i, radius_j: of bearing and journal.
    friction, restitution: means of both bodies. young, poisson: of either body. viscosity, length: of film and bearing.
    """

    name: str
    law: str
    i: Marker
    j: Marker
    radius_i: float
    radius_j: float
    young: tuple[float, float]
    poisson: tuple[float, float]
    friction: float = 0.0
    restitution: float = 1.0
    viscosity: float = 0.0
    length: float = 0.0
    cell: str = ""

    @property
    def has_memory(self) -> bool:
        """Whether contacts must be located in time; see `elements/clearance_laws.py`."""
        return has_memory(self.law, self.restitution)


@dataclass(frozen=True, eq=False)
class Curve:
    """Samples y over x, SI, x strictly increasing. cell: where its first x stands."""

    name: str
    x: Vector
    y: Vector
    interpolation: Literal["linear", "cubic"] = "linear"
    cell: str = ""


@dataclass(frozen=True)
class Chart:
    """A chart, asked for or by default. x, y: names of result columns. bar: over numbers of modes, never asked for.

    beside: x and y of one more line of an xy chart, drawn as its frame; or ().
    """

    title: str
    x: str
    y: tuple[str, ...]
    type: Literal["line", "xy", "bar"] = "line"
    cell: str = ""
    beside: tuple[str, str] | tuple[()] = ()


@dataclass(frozen=True)
class Display:
    """Units of reported positions and angles: name and size in SI (``mm``, 0.001)."""

    length: tuple[str, float] = ("m", 1.0)
    angle: tuple[str, float] = ("rad", 1.0)


@dataclass(frozen=True)
class Model:
    """Everything an analysis needs to know. Built by `sheetmbs.read`, or by hand in Python.

    source: the workbook it came from, or None. source_bytes: that file as it was read, so that results never end in another
    version of it. warnings: findings that do not stop the run.
    """

    settings: Settings = field(default_factory=Settings)
    bodies: tuple[Body, ...] = ()
    points: tuple[Point, ...] = ()
    joints: tuple[Joint, ...] = ()
    drivers: tuple[Driver, ...] = ()
    forces: tuple[Force, ...] = ()
    force_series: tuple[ForceSeries, ...] = ()
    springs: tuple[Spring, ...] = ()
    curves: tuple[Curve, ...] = ()
    charts: tuple[Chart, ...] = ()
    clearances: tuple[Clearance, ...] = ()
    display: Display = field(default_factory=Display)
    source: Path | None = None
    source_bytes: bytes | None = field(default=None, repr=False)
    warnings: tuple[Problem, ...] = ()

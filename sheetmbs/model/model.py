"""The model: what a workbook says, checked, in SI, and free of cells and units; first its settings and motions.

Every reference here is the exact name of the element it points to; every geometric input has been turned into markers
(a point and axes in body coordinates). Angles are radians. ``cell`` is where an element's name stands, for messages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from sheetmbs.elements.analyses import Analysis
from sheetmbs.elements.clearance_laws import has_memory
from sheetmbs.elements.forces import FORCE_TYPES
from sheetmbs.elements.forces.rotational_force import ROTATIONAL
from sheetmbs.elements.integrators import AUTO
from sheetmbs.elements.joints.cylindrical import CYLINDRICAL
from sheetmbs.elements.joints.fixed import FIXED
from sheetmbs.elements.joints.revolute import REVOLUTE
from sheetmbs.elements.joints.translational import TRANSLATIONAL
from sheetmbs.elements.marker import Marker
from sheetmbs.elements.tooth_meshes import BodyLink
from sheetmbs.model.named import NamedElements
from sheetmbs.problems.listing import count

if TYPE_CHECKING:
    from sheetmbs.problems.errors import Problem
    from sheetmbs.schema.expression import Expression

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Settings:
    """The sheet Settings with defaults filled in; in SI. What each setting means, and its choices: docs/workbook.md."""

    title: str = ""
    """title of the model"""
    dimension: Literal["2D", "3D"] = "2D"
    """plane or space"""
    analysis: str = Analysis.DYNAMIC
    """``dynamic``, ``kinematic``, ``inverse dynamic``, ``equilibrium`` or ``modes``"""
    gravity: tuple[float, float, float] = (0.0, -9.81, 0.0)
    """along x, y, z, m/s^2"""
    t_start: float = 0.0
    """time at which the analysis begins, s"""
    t_end: float | None = None
    """time at which it ends, s; None where it was left blank, as an analysis at rest may"""
    t_step: float | None = None
    """time between two rows of the results, s; None where it was left blank"""
    report_step: float | None = None
    """time between rows, s, where it is not t_step, which a method of fixed step then keeps as its step"""
    integrator: str = AUTO.name
    """method of integration of a dynamic analysis"""
    step: float | None = None
    """step of a method of fixed step, s; None: t_step"""
    max_step: float | None = None
    """longest step of a method that chooses its own, s; None: no limit"""
    spectral_radius: float = 0.9
    """share of a fast vibration that generalized-alpha and hht leave in one step, 0 to 1"""
    rtol: float | None = None
    """relative tolerance of each step; None: a default that depends on the method"""
    atol: float | None = None
    """absolute tolerance of lengths, added to the relative one, m; None: none"""
    formulation: str = "auto"
    """how the constraints are kept during a dynamic analysis"""
    alpha: float = 5.0
    """Baumgarte's factor of velocity violations, 1/s"""
    beta: float = 5.0
    """Baumgarte's factor of position violations, 1/s"""
    feedback: str = "given"
    """whether alpha and beta are as ``given``, or ``from-step``"""
    penalty: float = 1e7
    """penalty of the augmented Lagrangian"""
    omega: float = 10.0
    """frequency of the augmented Lagrangian, 1/s"""
    mu: float = 1.0
    """damping ratio of the augmented Lagrangian"""
    initial_conditions: str = "correct"
    """what happens to poses and velocities that violate the constraints: ``correct``, ``check``, ``given`` or ``kinematic``"""
    guiding_spline: str = "natural"
    """ends of splines through guiding data: ``natural`` or ``not-a-knot``"""
    position_solver: str = "dogleg"
    """method that closes the mechanism"""
    tolerance: float = 1e-10
    """residual of positions and velocities that counts as none"""
    slip: float = 1e-4
    """sliding speed in joints with clearance from which friction begins, m/s"""
    full_slip: float = 1e-3
    """sliding speed in joints with clearance from which friction is full, m/s"""
    least_impact: float = 1e-4
    """a contact that begins more slowly is damped as one that began with this speed, m/s"""
    least_film: float = 0.01
    """thickness at which an oil film ends, over the clearance"""
    case: str = ""
    """the case that was read, ``""`` for a workbook without cases"""
    results: Literal["full", "short"] = "full"
    """whether columns that few readers need stand on the result sheets"""
    animation: Literal["no", "yes"] = "no"
    """whether a sheet shows the motion"""
    projection: str = "xz"
    """plane in which it shows a model in space: ``xz``, ``xy`` or ``yz``"""
    cells: dict[str, str] = field(default_factory=dict)
    """setting name -> cell of its value, for the settings that stand in the workbook"""

    @property
    def row_step(self) -> float:
        """Time between rows, s; 1 s for an analysis that has only one."""
        return self.report_step or self.t_step or 1.0


@dataclass(frozen=True)
class Quadratic:
    """The motion p + v t + a t^2/2, with t counted from t_start."""

    position: float
    """p: m or rad"""
    velocity: float
    """v: per s"""
    acceleration: float
    """a: per s^2"""


@dataclass(frozen=True)
class Formula:
    """A motion or load given by an expression."""

    expression: Expression
    """of t in s, and of the motion for loads"""
    scale: float = 1.0
    """its value times this is SI"""
    cell: str = ""
    """where it stands, for messages at run time"""


@dataclass(frozen=True)
class OfCurve:
    """A motion that follows a curve of `Model.curves` over time, read as a C2 cubic spline."""

    curve: str
    """name of the curve"""


@dataclass(frozen=True, eq=False)
class Series:
    """A motion through samples over time, a C2 cubic spline whose ends follow the setting ``guiding_spline``."""

    times: Vector
    """(n,) s"""
    values: Vector
    """(n,) SI"""


@dataclass(frozen=True, eq=False)
class MeasuredTurn:
    """One of three global axes about which a body turns as Euler parameters through samples over time tell."""

    times: Vector
    """(n,) s"""
    parameters: Vector
    """(n, 4) of unit length, e0 first, without jumps of sign; splines through them as of a series"""
    axis: int
    """0, 1, 2: x, y, z"""


Motion = Quadratic | Formula | OfCurve | Series | MeasuredTurn


ANGLES = ("phi", "angle", "rx", "ry", "rz")
"""coordinates of drivers that turn; rx, ry and rz: of a body about global axes"""


@dataclass(frozen=True)
class Body:
    """A rigid body in its initial configuration. A planar one uses components 0 and 1 of vectors, and 2 of angular ones."""

    name: str
    """exact name"""
    cell: str = ""
    """where its name stands, for messages"""
    mass: float | None = None
    """kg; None where left blank"""
    inertia: Vector | None = None
    """(3, 3) about the centre of mass in body axes, kg m^2, planar only [2, 2]; None where left blank"""
    position: Vector = field(default_factory=lambda: np.zeros(3))
    """(3,) of the centre of mass, global, m"""
    angles: Vector = field(default_factory=lambda: np.zeros(3))
    """(3,) rad; planar (0, 0, phi)"""
    euler: Vector = field(default_factory=lambda: np.array([1.0, 0.0, 0.0, 0.0]))
    """(4,) Euler parameters of the same orientation"""
    velocity: Vector = field(default_factory=lambda: np.zeros(3))
    """(3,) global, m/s"""
    angular_velocity: Vector = field(default_factory=lambda: np.zeros(3))
    """(3,) in body axes, rad/s"""
    force: Vector = field(default_factory=lambda: np.zeros(3))
    """(3,) constant global force at the centre of mass, N"""
    moment: Vector = field(default_factory=lambda: np.zeros(3))
    """(3,) constant global moment, N m"""


@dataclass(frozen=True)
class Beam(Body):
    """A flexible planar beam, straight in its initial configuration. Its frame lies at end i, with xi along the beam."""

    length: float = 1.0
    """m"""
    mass_per_length: float = 1.0
    """kg/m"""
    bending_stiffness: float = 1.0
    """EI, N m^2"""
    axial_stiffness: float | None = None
    """EA, N; None: it keeps its length"""
    modes: int = 2
    """number of shapes across it, and as many along it if it has an axial stiffness"""
    ends: str = "clamped-free"
    """supports that its shapes satisfy: a name in `beam_shapes.ENDS`"""
    damping: float = 0.0
    """damping ratio of each mode of the free beam"""


@dataclass(frozen=True)
class Point:
    """A named point on a body or on the ground."""

    name: str
    """exact name"""
    marker: Marker
    """its place, in body coordinates"""
    report: bool = False
    """whether its motion is written to the results"""
    cell: str = ""
    """where its name stands, for messages"""


@dataclass(frozen=True)
class Friction:
    """Coulomb friction of a joint, see `engine/forces/friction.py`."""

    coefficient: float
    """coefficient of friction"""
    radius: float | None = None
    """of the sliding surface, or half the length of the guide of a slide, m; None where left blank"""
    velocity: float | None = None
    """of the ramp around zero sliding speed, m/s; None where left blank"""


@dataclass(frozen=True)
class Joint:
    """A joint between two markers.

    The third axis of a marker is the axis of the joint; of marker j it is the joint's own second axis, where the type has one.
    """

    name: str
    """exact name"""
    type: str
    """a name in `elements.JOINTS`"""
    i: Marker
    """marker on body i"""
    j: Marker
    """marker on body j"""
    values: dict[str, float] = field(default_factory=dict)
    """its own numbers by the names of their columns (length, value, initial_angle, pitch, ratio, pressure_angle, helix_angle,
    radius), SI"""
    coordinate: str = ""
    """of a ``coordinate`` joint: x, y, z or phi of body i"""
    couples: tuple[str, str] | None = None
    """of a coupling: the joints joint_1 and joint_2; its markers are theirs, on the body that is not ground"""
    cell: str = ""
    """where its name stands, for messages"""
    friction: Friction | None = None
    """None where it has none"""

    @property
    def markers(self) -> tuple[Marker, Marker]:
        """Markers i and j, in this order."""
        return self.i, self.j


@dataclass(frozen=True)
class Driver:
    """A prescribed coordinate of a body, of a joint, of a point or of a spring: exactly one of the four is given."""

    name: str
    """exact name; of a guiding column its header"""
    body: str | None
    """the body, or None"""
    joint: str | None
    """the joint, or None"""
    coordinate: str
    """x, y, z, phi, rx, ry, rz of a body; x, y, z of a point; angle, displacement, distance of a joint; length of a spring"""
    motion: Motion
    """its value over time"""
    guiding: bool = False
    """whether it stands on the sheet Guiding"""
    cell: str = ""
    """where its name stands, for messages"""
    unit: tuple[str, float] | None = None
    """in which the workbook gives it, and its size in SI; None: none is written"""
    point: str | None = None
    """the point, or None"""
    spring: str | None = None
    """the spring, or None"""
    ends: tuple[Marker, Marker] | None = None
    """of a spring its ends; of a point the ground and where it is; None otherwise"""

    @property
    def is_angle(self) -> bool:
        """Whether it turns something."""
        return self.coordinate in ANGLES


@dataclass(frozen=True)
class Force:
    """A load at a marker."""

    name: str
    """exact name"""
    marker: Marker
    """where it acts"""
    force: tuple[float | Formula, float | Formula, float | Formula]
    """three components, each a number or a formula, N"""
    moment: tuple[float | Formula, float | Formula, float | Formula]
    """the same, N m; planar loads are fx, fy and mz"""
    in_body_axes: bool = False
    """whether the components turn with the body"""
    curve: str | None = None
    """name of a curve over time that scales all of them, or None"""
    cell: str = ""
    """where its name stands, for messages"""


@dataclass(frozen=True, eq=False)
class ForceSeries:
    """A measured load on one body."""

    body: str
    """name of the body"""
    times: Vector
    """(n,) s"""
    force: Vector
    """(n, 3) global, N"""
    moment: Vector
    """(n, 3) global, N m"""
    point: Vector
    """(n, 3) where it acts, m"""
    point_frame: Literal["centre", "global", "body"] = "centre"
    """coordinates of ``point``; with ``centre`` the load acts at the centre of mass and ``point`` is not used"""
    cell: str = ""
    """where its name stands, for messages"""
    rows: Sequence[int] = ()
    """(n,) of the sheet, for messages"""
    unknown: NDArray[np.bool_] | None = None
    """(n,) where no force acts and no point is given, between samples with a point; None: nowhere"""


@dataclass(frozen=True)
class Spring:
    """A force element between two markers, a row of the sheet Springs; forces count + when they pull the ends together.

    In space, one that acts about an axis turns about the third axes of its markers, as a revolute joint does; the axes of one
    that has axes are those of marker i.
    """

    name: str
    """name of the element"""
    type: str
    """a name in `elements.forces.FORCE_TYPES`, which says what it has"""
    i: Marker
    """where it takes hold of body i; an element with axes has those of this marker"""
    j: Marker
    """where it takes hold of body j. In space an element about an axis turns about the third axes of both markers"""
    values: Mapping[str, float] = field(default_factory=dict)
    """its numbers by the names of their columns, SI"""
    curves: Mapping[str, str] = field(default_factory=dict)
    """names of curves by the names of their columns"""
    cell: str = ""
    """where its name stands, for messages"""

    def has(self, part: Literal["elastic", "damping", "actuator"]) -> bool:
        """Whether its columns say anything of a part of its force."""
        return any(self.values.get(column) or column in self.curves for column in FORCE_TYPES[self.type].making(part))


@dataclass(frozen=True)
class Clearance:
    """A planar revolute joint with clearance: a journal (marker j) in a bearing (marker i, turning about its third axis)."""

    name: str
    """exact name"""
    law: str
    """a name in `clearance_laws.LAWS`"""
    i: Marker
    """marker of the bearing"""
    j: Marker
    """marker of the journal"""
    radius_i: float
    """of the bearing, m"""
    radius_j: float
    """of the journal, m"""
    young: tuple[float, float]
    """moduli of elasticity of bearing and journal, Pa"""
    poisson: tuple[float, float]
    """Poisson's ratios of bearing and journal"""
    friction: float = 0.0
    """coefficient, mean of both bodies"""
    restitution: float = 1.0
    """coefficient, mean of both bodies"""
    viscosity: float = 0.0
    """of the oil film, Pa s"""
    length: float = 0.0
    """of the bearing, m"""
    cell: str = ""
    """where its name stands, for messages"""

    @property
    def has_memory(self) -> bool:
        """Whether contacts must be located in time; see `elements/clearance_laws.py`."""
        return has_memory(self.law, self.restitution)


@dataclass(frozen=True, eq=False)
class Curve:
    """Samples of y over x."""

    name: str
    """exact name"""
    x: Vector
    """(n,) strictly increasing, SI"""
    y: Vector
    """(n,) SI"""
    interpolation: Literal["linear", "cubic"] = "linear"
    """between samples"""
    cell: str = ""
    """where its first x stands"""


@dataclass(frozen=True)
class ChartPoints:
    """Measured points in a chart, in the colour of a line."""

    of: str
    """column of that line, as the chart names it"""
    x: str
    """column along x, as ``sheet!name``"""
    y: str
    """column of the points"""
    name: str
    """in the legend"""


@dataclass(frozen=True)
class Chart:
    """A chart, asked for or drawn by default."""

    title: str
    """above the chart"""
    x: str
    """name of the result column along x"""
    y: tuple[str, ...]
    """names of the result columns that are lines"""
    type: Literal["line", "xy", "bar"] = "line"
    """``bar``: over numbers of modes, never asked for"""
    cell: str = ""
    """where its title stands, for messages"""
    beside: tuple[str, str] | tuple[()] = ()
    """x and y of one more line of an xy chart, drawn as its frame; or ()"""
    x_cell: str = ""
    """where x stands, for messages"""
    y_cell: str = ""
    """where y stands"""
    points: tuple[ChartPoints, ...] = ()
    """measured points, in the colours of lines"""


@dataclass(frozen=True)
class Display:
    """Units of reported positions and angles."""

    length: tuple[str, float] = ("m", 1.0)
    """name and size in SI, as (``mm``, 0.001)"""
    angle: tuple[str, float] = ("rad", 1.0)
    """name and size in SI"""


NAMED_ELEMENTS = {
    "bodies": "body",
    "points": "point",
    "joints": "joint",
    "drivers": "driver",
    "forces": "force",
    "springs": "spring",
    "curves": "curve",
    "clearances": "clearance",
}
"""fields whose elements are found by name, and what one of them is called"""


@dataclass(frozen=True, kw_only=True, repr=False)
class Model:
    """Everything that an analysis needs to know. Built by `sheetmbs.read`, or by hand in Python.

    Elements are also found by their names: ``model.bodies["crank"]``.
    """

    settings: Settings = field(default_factory=Settings)
    """what is analysed, and how"""
    bodies: tuple[Body, ...] = ()
    """rigid bodies and beams"""
    points: tuple[Point, ...] = ()
    """named points"""
    joints: tuple[Joint, ...] = ()
    """joints without clearance"""
    drivers: tuple[Driver, ...] = ()
    """prescribed coordinates, those of the sheet Guiding last"""
    forces: tuple[Force, ...] = ()
    """loads given by numbers and formulas"""
    force_series: tuple[ForceSeries, ...] = ()
    """measured loads"""
    springs: tuple[Spring, ...] = ()
    """springs, dampers, actuators and bushings"""
    curves: tuple[Curve, ...] = ()
    """curves that others refer to"""
    charts: tuple[Chart, ...] = ()
    """charts that were asked for; the default ones where there are none"""
    clearances: tuple[Clearance, ...] = ()
    """joints with clearance"""
    display: Display = field(default_factory=Display)
    """units in which positions and angles are reported"""
    source: Path | None = None
    """the workbook it came from, or None"""
    source_bytes: bytes | None = field(default=None, repr=False)
    """that file as it was read, so that results never end in another version of it"""
    warnings: tuple[Problem, ...] = ()
    """findings that do not prevent an analysis"""
    remarks: tuple[tuple[str, str | int, str], ...] = ()
    """items of the summary about how it was read: what, its value, a unit"""

    def __post_init__(self) -> None:
        """Take any tuple of elements, and let its elements be found by their names."""
        for name in NAMED_ELEMENTS:
            elements = getattr(self, name)
            if type(elements) is not NamedElements:
                object.__setattr__(self, name, NamedElements(elements))

    def __repr__(self) -> str:
        """What the model is, in a few words."""
        counts = [
            count(len(elements), noun) for name, noun in NAMED_ELEMENTS.items() if (elements := getattr(self, name))
        ]
        title = self.settings.title or (self.source.stem if self.source else "")
        return f"<Model {title}: {self.settings.analysis}, {', '.join(counts) or 'empty'}>"

    @property
    def links(self) -> list[BodyLink]:
        """All that holds a body on another: joints that are no couplings, springs but rotational ones, and clearances."""
        found = [
            BodyLink(
                joint.i.body,
                joint.j.body,
                "aligned" if joint.type in {FIXED.name, TRANSLATIONAL.name} else "jointed",
                joint.i if joint.type in {REVOLUTE.name, CYLINDRICAL.name} else None,
            )
            for joint in self.joints
            if joint.couples is None
        ]
        found += [BodyLink(each.i.body, each.j.body, "soft") for each in self.springs if each.type != ROTATIONAL.name]
        return found + [BodyLink(each.i.body, each.j.body, "soft") for each in self.clearances]

"""What a gait workbook says, in SI: who walked, what was recorded, how it is processed, which segments and joints there are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.trial.error_sources import USUAL, ErrorSource, deviation
from sheetmbs.gait.trial.recorded import PlateGeometry, RecordedForces, RecordedMarkers
from sheetmbs.model.model import Chart
from sheetmbs.problems.errors import Problem
from sheetmbs.schema.problem_list import Place, place_of
from sheetmbs.schema.uncertainty_inputs import SourceKind

Side = Literal["right", "left"]
SIDES: tuple[Side, ...] = ("right", "left")
HANDS = ("right hand", "left hand")
THORAX = ("c7", "t10", "clavicle", "sternum")
"""markers of the thorax"""
OF_PELVIS = ("right asis", "left asis")
OF_LEG = ("thigh wand", "knee", "shank wand", "ankle", "toe")
"""markers of a leg that every trial needs"""


@dataclass(frozen=True)
class Subject:
    """The sheet Subject. mass: in kg. height: in m. places: the cell of each setting that is given."""

    mass: float
    height: float | None
    sex: str
    anthropometry: str
    sides: tuple[Side, ...]
    printed: Mapping[str, str]
    places: Mapping[str, str]


@dataclass(frozen=True)
class Processing:
    """The sheet Processing, in SI, in the order of the format page.

    cutoff: in Hz, or a word. force_cutoff: in Hz, or a word. cutoffs: of single markers in Hz (sheet Marker names).
    event_offset: motion - plate of strikes and of toe offs in s, or a word. edge: cut-off periods. places: the cell of
    each setting that is given. handedness: of the axes of the laboratory.
    exchange_sides: its labels say right for left, and left for right.
    """

    axis_forward: str
    axis_up: str
    rate: float | None
    force_rate: float | None
    force_delay: float
    gap_limit: float
    gap_fill: Literal["cubic", "linear", "none"]
    detail: bool
    animation: bool
    projection: Literal["xy", "yz"]
    cutoff: float | Literal["auto", "none"]
    filter_order: Literal[2, 4, 8]
    cutoff_meaning: Literal["effective", "single pass"]
    padding: Literal["odd", "even", "constant", "none"]
    force_cutoff: float | Literal["same", "none"]
    derivative: Literal["spline", "central", "3-point"]
    kinematics: Literal["segments", "chain", "least squares"]
    threshold: float
    events: Literal["force", "kinematic", "speed", "given"]
    points: int
    moment: Literal["internal", "external"]
    moment_unit: Literal["N*m/kg", "N*m", "%BW*height"]
    power_unit: Literal["W/kg", "W"]
    signs: Literal["clinical", "winter", "isb"]
    moment_axes: Literal["jcs", "distal", "proximal", "global"]
    edge: float
    colour_left: str
    colour_right: str
    cutoffs: Mapping[str, float]
    places: Mapping[str, str]
    handedness: Literal["right", "left"] = "right"
    exchange_sides: bool = False
    model: Literal["segments", "cgm"] = "segments"
    hip_centre: Literal["davis", "harrington", "score"] = "davis"
    foot_flat: bool = True
    event_offset: str | tuple[float, float] = "own"
    bands: bool = True
    """whether the uncertainty of results is found"""
    residual_reduction: bool = False
    strides: Literal["all", "representative"] = "all"
    norm: str = ""
    language: str = "en"


@dataclass(frozen=True)
class FunctionalFit:
    """A joint as the motion of two clusters told it.

    centres: (2, 3) in axes of the clusters above and below. axes: (2, 3) unit vectors, None of a ball.
    residual: rms in m by which both ways of a frame miss each other. condition: of the matrix, of a hinge without its smallest
    singular value. motion: range in rad over which one cluster turns against the other. frames: that count.
    """

    centres: Vector
    axes: Vector | None
    residual: float
    condition: float
    motion: float
    frames: int


@dataclass(frozen=True)
class CentreRow:
    """A row of Joint centres. offset: (3,) in m, of Davis's hip in axes of the pelvis. cells: of its columns.

    distance, turn: of a chord in m from the marker, and in rad by which its wand is turned. below: how many of the markers, the
    last ones, are of the cluster below. near: markers beside the point of an axis. from_trial: whose motion tells it, ``""``
    the standing one. shapes: (m, 3) of both clusters about their middles, and fit, once that trial was looked at.
    """

    name: str
    kind: str
    markers: tuple[str, ...]
    offset: Vector
    side: Side | None
    cells: Mapping[str, str]
    distance: float = 0.0
    turn: float = 0.0
    below: int = 0
    near: tuple[str, ...] = ()
    from_trial: str = ""
    shapes: tuple[Vector, ...] = ()
    fit: FunctionalFit | None = None

    @property
    def clusters(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The markers above and below."""
        count = len(self.markers) - self.below
        return self.markers[:count], self.markers[count:]


@dataclass(frozen=True)
class SegmentRow:
    """A row of Segments. What is None follows from the table, or from the other columns. cells: of its columns."""

    name: str
    side: Side | None
    proximal: str
    distal: str
    parent: str | None
    line: tuple[str, str]
    table: str | None
    mass: float | None
    mass_fraction: float | None
    com: float | None
    gyration: float | None
    inertia: float | None
    length: float | Literal["mean", "static"]
    markers: tuple[str, ...]
    weights: tuple[float, ...]
    cells: Mapping[str, str]

    @property
    def points(self) -> tuple[str, ...]:
        """All points that the row names: its ends, its line, its cluster."""
        return self.proximal, self.distal, *self.line, *self.markers

    def place(self, column: str) -> Place:
        """The cell of a column, that of the name where it is blank."""
        return place_of(self.cells.get(column) or self.cells.get("name", "Segments"))


@dataclass(frozen=True)
class JointRow:
    """A row of Gait joints. neutral: an angle in rad, or the mean of the standing trial. positive: word of its sense.

    kind: how least squares join its segments in space, ``""`` as its name says. low, high: of its angle in rad without the
    neutral, None unlimited.
    """

    name: str
    side: Side | None
    proximal: str
    distal: str
    neutral: float | Literal["static"]
    positive: str
    cell: str
    kind: str = ""
    low: float | None = None
    high: float | None = None

    @property
    def label(self) -> str:
        """``right knee``: the head of its result columns."""
        return f"{self.side} {self.name}" if self.side else self.name


@dataclass(frozen=True)
class FrameRow:
    """A row of Anatomical frames."""

    segment: str
    origin: str
    ends: tuple[str, str]
    plane: str
    order: str
    cell: str


@dataclass(frozen=True)
class PlateRow:
    """A row of Plates. feet: what each contact is (auto, right, left), the last word also of all later ones; or a hand alone.

    offset: seconds from the start over which the plate carries nothing, 0 for none. cells: of its columns.
    """

    geometry: PlateGeometry
    feet: tuple[str, ...]
    offset: float
    cells: Mapping[str, str]

    @property
    def is_of_hand(self) -> bool:
        """Whether a hand holds it, as a handrail or a crutch with a load cell, and no foot stands on it."""
        return self.feet[0] in HANDS


@dataclass(frozen=True)
class GivenEvent:
    """A row of Events. time: in s, NaN where a frame is given instead. frame: as the file numbers them, NaN likewise.

    cell: of the time, or of the frame that stands for it. source: given by the user, or as the file of the trial has it.
    """

    kind: Literal["heel strike", "toe off"]
    side: Side
    time: float
    frame: float
    trial: str
    cell: str
    source: Literal["given", "file"] = "given"


@dataclass(frozen=True)
class Trial:
    """One trial as recorded, with this workbook's names of markers.

    name: ``""`` the only one, ``static`` the standing one. sheets: of its markers and of its forces.
    carried: (marker, segment) of markers that it has from the cluster of that segment and from the standing trial.
    counts_forces: its strides enter means of moments and powers. condition: of the sheet Trials, else that of Subject.
    """

    name: str
    markers: RecordedMarkers
    forces: RecordedForces | None
    geometry: tuple[PlateGeometry, ...]
    sheets: tuple[str, str]
    carried: tuple[tuple[str, str], ...] = ()
    counts_forces: bool = True
    condition: str = ""


@dataclass(frozen=True)
class Band:
    """Normative values of one quantity of a joint, in the signs and units of this workbook. Courses are (m,).

    unit: as written over it, with what is positive behind a comma, ``""`` where nothing is. cell: of its first header.
    n: subjects behind it, 0 not known. subjects: (k, m) their single curves, (0, m) where there are none. model, axes: of
    the body and of moments with which it was made, folded, ``""`` where nothing is said.
    """

    quantity: str
    percent: Vector
    low: Vector
    high: Vector
    source: str
    unit: str = ""
    cell: str = ""
    n: int = 0
    subjects: Vector = field(default_factory=lambda: np.zeros((0, 0)))
    model: str = ""
    axes: str = ""

    @property
    def middle(self) -> Vector:
        """(m,) the middle of the band: its mean."""
        return np.asarray(0.5 * (self.low + self.high))


@dataclass(frozen=True)
class LegMeasures:
    """What is measured on one leg, in m and rad. trochanter: from the anterior spine back to it.

    thigh_rotation, shank_rotation: how far wands stand in front. torsion: how far the ankle's axis is turned outward.
    """

    length: float
    knee_width: float
    ankle_width: float
    trochanter: float
    thigh_rotation: float
    shank_rotation: float
    torsion: float
    sole_delta: float


@dataclass(frozen=True)
class BodyMeasures:
    """The sheet Anthropometry. inter_asis: in m, None for that of the standing trial. radius: of a marker in m.

    leg_length: the mean of the legs that are given. cells: of each setting and column.
    """

    legs: Mapping[Side, LegMeasures]
    leg_length: float
    inter_asis: float | None
    radius: float
    cells: Mapping[tuple[str, str], str]

    def cell(self, setting: str, side: Side) -> str:
        """Where the value of a side stands: in its own column, else in that of both; else the sheet."""
        return self.cells.get((setting, side)) or self.cells.get((setting, "value"), "Anthropometry")


@dataclass(frozen=True)
class StandingLeg:
    """What the standing trial tells of a leg, in rad. alpha, beta: of the foot behind its toe. adduction: of the knee."""

    alpha: float
    beta: float
    adduction: float


@dataclass(frozen=True)
class ConventionalModel:
    """The conventional gait model of one subject.

    hip_rule: one of `HipRule`. markers: the name of each of its markers in this workbook. cell: of the setting model.
    inter_asis: as used, in m, NaN before the standing trial is looked at. standing: by side, empty before it is solved.
    """

    measures: BodyMeasures
    hip_rule: str
    is_foot_flat: bool
    markers: Mapping[str, str]
    cell: str
    inter_asis: float = float("nan")
    standing: Mapping[Side, StandingLeg] = field(default_factory=dict)

    def of(self, name: str) -> str:
        """The name that a marker of the model has in this workbook."""
        return self.markers.get(name, name)

    @property
    def backs(self) -> tuple[str, ...]:
        """The markers whose middle is the back of the pelvis: posterior spines, or the sacrum alone."""
        pair = ("right psis", "left psis")
        return tuple(self.markers[name] for name in (pair if pair[0] in self.markers else ("sacrum",)))

    @property
    def has_thorax(self) -> bool:
        """Whether the markers of the thorax are all there."""
        return all(name in self.markers for name in THORAX)


@dataclass(frozen=True)
class GaitBook:
    """A gait workbook as read. trials: those that walk. static: the standing one. gravity: its magnitude in m/s^2.

    charts: of the sheet Charts. conventional: the model that makes centres, segments and joints; None: the sheets do.
    functional: trials that only tell joint centres.
    """

    subject: Subject
    processing: Processing
    dimension: Literal["2D", "3D"]
    gravity: float
    trials: tuple[Trial, ...]
    static: Trial | None
    plates: Mapping[str, PlateRow]
    centres: tuple[CentreRow, ...]
    segments: tuple[SegmentRow, ...]
    joints: tuple[JointRow, ...]
    frames: tuple[FrameRow, ...]
    events: tuple[GivenEvent, ...]
    bands: tuple[Band, ...]
    warnings: tuple[Problem, ...]
    charts: tuple[Chart, ...] = ()
    errors: tuple[ErrorSource, ...] = USUAL
    """what is uncertain"""
    conventional: ConventionalModel | None = None
    functional: tuple[Trial, ...] = ()

    @property
    def follows_clusters(self) -> bool:
        """Whether segments follow clusters of markers, with axes of the standing trial."""
        return self.dimension == "3D" and self.conventional is None

    def home_of(self, point: str) -> SegmentRow | None:
        """The segment in whose axes a point is misplaced."""
        rows = self.segments
        tests: tuple[Callable[[SegmentRow], bool], ...] = (
            lambda row: row.proximal == point,
            lambda row: row.distal == point,
            lambda row: point in row.markers,
            lambda row: point in self.made_of((row.proximal,)),
            lambda row: point in self.made_of(row.points),
        )
        return next((row for test in tests for row in rows if test(row)), None)

    def placement(self, marker: str) -> float:
        """One standard deviation in m of where a marker is put along its segment; one of no segment is of a foot."""
        home = self.home_of(marker)
        owners, table = (marker,) if home is None else (marker, home.name), "foot" if home is None else home.table
        return deviation(self.errors, SourceKind.PLACEMENT, owners, table) or 0.0

    def made_of(self, points: Iterable[str]) -> dict[str, None]:
        """Points with all joint centres and markers of which they are made, each once, in the order in which they are met."""
        centres = {row.name: (*row.markers, *row.near) for row in self.centres}
        met: dict[str, None] = {}

        def meet(names: Iterable[str]) -> None:
            for name in names:
                if name not in met:
                    met[name] = None
                    meet(centres.get(name, ()))

        meet(points)
        return met

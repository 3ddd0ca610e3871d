"""What a gait workbook says, in SI: who walked, what was recorded, how it is processed, which segments and joints there are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.trial.recorded import PlateGeometry, RecordedForces, RecordedMarkers
from sheetmbs.model.model import Chart
from sheetmbs.problems.errors import Problem
from sheetmbs.schema.problem_list import Place, place_of

Side = Literal["right", "left"]
SIDES: tuple[Side, ...] = ("right", "left")


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
    edge: cut-off periods. places: the cell of each setting that is given. handedness: of the axes of the laboratory.
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
    events: Literal["force", "kinematic", "given"]
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


@dataclass(frozen=True)
class CentreRow:
    """A row of Joint centres. offset: (3,) in m. cells: of its columns."""

    name: str
    kind: str
    markers: tuple[str, ...]
    offset: Vector
    side: Side | None
    cells: Mapping[str, str]


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
    """A row of Gait joints. neutral: an angle in rad, or the mean of the standing trial. positive: word of its sense."""

    name: str
    side: Side | None
    proximal: str
    distal: str
    neutral: float | Literal["static"]
    positive: str
    cell: str

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
    """A row of Plates. feet: what each contact is (auto, right, left), the last word also of all later ones.

    offset: seconds from the start over which the plate carries nothing, 0 for none. cells: of its columns.
    """

    geometry: PlateGeometry
    feet: tuple[str, ...]
    offset: float
    cells: Mapping[str, str]


@dataclass(frozen=True)
class GivenEvent:
    """A row of Events. time: in s, NaN where a frame is given instead. frame: as the file numbers them, NaN likewise.

    cell: of the time, or of the frame that stands for it.
    """

    kind: Literal["heel strike", "toe off"]
    side: Side
    time: float
    frame: float
    trial: str
    cell: str


@dataclass(frozen=True)
class Trial:
    """One trial as recorded, with this workbook's names of markers.

    name: ``""`` the only one, ``static`` the standing one. sheets: of its markers and of its forces.
    carried: (marker, segment) of markers that it has from the cluster of that segment and from the standing trial.
    """

    name: str
    markers: RecordedMarkers
    forces: RecordedForces | None
    geometry: tuple[PlateGeometry, ...]
    sheets: tuple[str, str]
    carried: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Band:
    """Normative values of one quantity of a joint, in the signs and units of this workbook. Courses are (m,).

    unit: as written over it, with what is positive behind a comma, ``""`` where nothing is. cell: of its first header.
    """

    quantity: str
    percent: Vector
    low: Vector
    high: Vector
    source: str
    unit: str = ""
    cell: str = ""


@dataclass(frozen=True)
class GaitBook:
    """A gait workbook as read. trials: those that walk. static: the standing one. gravity: its magnitude in m/s^2.

    charts: of the sheet Charts.
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

    def made_of(self, points: Iterable[str]) -> dict[str, None]:
        """Points with all joint centres and markers of which they are made, each once, in the order in which they are met."""
        centres = {row.name: row.markers for row in self.centres}
        met: dict[str, None] = {}

        def meet(names: Iterable[str]) -> None:
            for name in names:
                if name not in met:
                    met[name] = None
                    meet(centres.get(name, ()))

        meet(points)
        return met

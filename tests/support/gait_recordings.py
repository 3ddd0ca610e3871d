"""One synthetic recording, and writers of it in the layouts of laboratories, made independently of our readers."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import xlsxwriter

from sheetmbs.gait.formats.lab_files import read_recording
from sheetmbs.schema.problem_list import ProblemList
from sheetmbs.workbook.cells.cells import open_book

LABELS = ("RASI", "RKNE", "RANK", "RHEE", "LTOE")
PLATES = ("FP1", "FP2")
CORNERS = np.array(
    [
        [[0.5, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.6, 0.0], [0.5, 0.6, 0.0]],
        [[0.6, 1.2, 0.0], [0.6, 0.7, 0.0], [0.0, 0.7, 0.0], [0.0, 1.2, 0.0]],
    ]
)
"""of both plates in m: +x+y, -x+y, -x-y, +x-y"""
AXES = np.array(
    [[[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]], [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]]]
)
"""of both plates, as columns: one looks along the walk, one across, z down"""


@dataclass
class Walk:
    """What was recorded, SI, z up. markers: (markers, n, 3). force, moment, pressure: (plates, m, 3); torque: (plates, m).

    The moment is about the origin of the laboratory; pressure and free torque give the same wrench.
    """

    rate: float = 100.0
    force_rate: float = 500.0
    labels: tuple[str, ...] = LABELS
    markers: np.ndarray = field(default_factory=lambda: np.zeros(0))
    force: np.ndarray = field(default_factory=lambda: np.zeros(0))
    moment: np.ndarray = field(default_factory=lambda: np.zeros(0))
    pressure: np.ndarray = field(default_factory=lambda: np.zeros(0))
    torque: np.ndarray = field(default_factory=lambda: np.zeros(0))

    @property
    def times(self):
        return np.arange(self.markers.shape[1]) / self.rate

    @property
    def force_times(self):
        return np.arange(self.force.shape[1]) / self.force_rate


def walk(frames=40, rate=100.0, per_frame=5, *, gap=True) -> Walk:
    """A recording whose numbers have few decimals in every unit, so that no text rounds them."""
    random = np.random.default_rng(7)
    made = Walk(rate, rate * per_frame)
    made.markers = np.round(random.uniform([-1.5, -1.5, 0.05], [1.5, 1.5, 1.8], (len(LABELS), frames, 3)), 5)
    if gap:
        made.markers[1, 5:9] = np.nan
        made.markers[3, -3:] = np.nan
    count = frames * per_frame
    made.force = np.round(random.uniform(-50.0, 900.0, (2, count, 3)), 2)
    made.pressure = np.round(random.uniform(-0.4, 0.4, (2, count, 3)), 4)
    made.pressure[:, :, 2] = 0.0
    made.torque = np.round(random.uniform(-9.0, 9.0, (2, count)), 3)
    made.moment = np.cross(made.pressure, made.force)
    made.moment[:, :, 2] += made.torque
    return made


def sheet(tmp_path: Path, name: str, rows):
    """Rows of values as they would stand in a sheet, as cells; None is blank."""
    path = tmp_path / f"{abs(hash(name))}.xlsx"
    with xlsxwriter.Workbook(path, {"nan_inf_to_errors": True}) as book:
        page = book.add_worksheet(name)
        for at, row in enumerate(rows):
            for column, value in enumerate(row):
                if value is not None and value != "":
                    page.write(at, column, value)
    return open_book(path).sheets[name]


def read_rows(tmp_path: Path, name: str, rows):
    """What is recorded on a sheet with these rows, and the problems found."""
    report = ProblemList((name,))
    return read_recording(sheet(tmp_path, name, rows), report), report.problems()


def blank(value):
    return None if np.isnan(value) else float(value)


def own_markers(made: Walk, unit="mm", size=1e-3):
    yield ["time", *(f"{label}.{axis}" for label in made.labels for axis in "xyz")]
    yield ["s", *[unit] * (3 * len(made.labels))]
    for at, time in enumerate(made.times):
        yield [float(time), *(blank(round(value / size, 6)) for value in made.markers[:, at].ravel())]


def own_plates(made: Walk):
    names = ("fx", "fy", "fz", "mx", "my", "mz")
    yield ["time", *(f"{plate}.{name}" for plate in PLATES for name in names)]
    for at, time in enumerate(made.force_times):
        row = [np.concatenate([made.force[k, at], made.moment[k, at]]) for k in range(len(PLATES))]
        yield [float(time), *map(float, np.concatenate(row))]


def own_wrench(made: Walk, plate: int, offset) -> tuple[np.ndarray, np.ndarray]:
    """Force and moment in axes of a plate, about a point at ``offset`` from the middle of its surface, in its axes."""
    turn = AXES[plate]
    origin = CORNERS[plate].mean(axis=0) + turn @ np.asarray(offset)
    return made.force[plate] @ turn, (made.moment[plate] - np.cross(origin, made.force[plate])) @ turn


def lab_wrench(plate, lies) -> tuple[np.ndarray, np.ndarray]:
    """Force and moment about the origin of the laboratory of what was read. lies: the plate's geometry, None = lab axes."""
    sign = -1.0 if lies is not None and lies.sign == "action" else 1.0
    if lies is None:
        turn, centre, origin = np.eye(3), np.zeros(3), np.zeros(3)
    else:
        at = next(at for at in range(2) if np.abs(lies.corners - CORNERS[at]).max() < 1e-6)
        turn = np.eye(3) if lies.axes == "marker" else AXES[at]
        centre = CORNERS[at].mean(axis=0)
        origin = AXES[at] @ lies.origin
    force = sign * plate.force @ turn.T
    if plate.moment is not None:
        return force, sign * plate.moment @ turn.T + np.cross(centre + origin, force)
    pressure = plate.pressure if turn is None or lies is None else plate.pressure @ turn.T + centre
    moment = np.cross(np.nan_to_num(pressure), force)
    moment[:, 2] += plate.free_moment
    return force, moment

"""Workbooks whose fits are known in closed form: a weight on a crank arm, whose torque is linear in its masses and damping."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import xlsxwriter

from sheetmbs.studies.running.run_study import StudyOptions, run_study
from sheetmbs.studies.study_results import StudyResults

Value = str | float | None
Sheets = Mapping[str, Sequence[Sequence[Value]]]
CRANK, ROD, TO_ROD, SPEED = 0.05, 0.2, 0.08, 30.0
"""m, and rad/s"""
TIMES = np.linspace(0.0, 0.2, 41)


def slider_crank(
    crank: float = 1.8, rod: float = 0.9, slider: float = 1.4, damping: float = 2.0
) -> dict[str, list[list[Value]]]:
    """Sheets of a slider-crank whose motor turns steadily. Cells: Bodies!B2, B3, B4 masses; Springs!F2 damping."""
    reach = CRANK + ROD
    return {
        "Settings": [
            ["setting", "value", "unit"],
            ["dimension", "2D"],
            ["analysis", "inverse dynamic"],
            ["gravity_y", -9.81, "m/s^2"],
            ["t_end", 0.2, "s"],
            ["t_step", 0.005, "s"],
        ],
        "Bodies": [
            ["name", "mass", "inertia", "x", "y"],
            ["crank", crank, 0.002, 0.5 * CRANK, 0.0],
            ["rod", rod, 0.004, CRANK + TO_ROD, 0.0],
            ["slider", slider, 0.001, reach, 0.0],
        ],
        "Points": [
            ["name", "body", "x", "y"],
            ["A", "ground", 0.0, 0.0],
            ["B", "crank", CRANK, 0.0],
            ["C", "rod", reach, 0.0],
            ["wall", "ground", 1.0, 0.0],
            ["D", "slider", reach, 0.0],
        ],
        "Joints": [
            ["name", "type", "body_i", "body_j", "point", "axis_x", "axis_y"],
            ["bearing", "revolute", "ground", "crank", "A"],
            ["pin", "revolute", "crank", "rod", "B"],
            ["wrist", "revolute", "rod", "slider", "C"],
            ["guide", "translational", "ground", "slider", "C", 1.0, 0.0],
        ],
        "Springs": [
            ["name", "type", "body_i", "body_j", "point_i", "point_j", "k", "c", "length0"],
            ["friction", "translational", "ground", "slider", "wall", "D", 0.0, damping, 0.5],
        ],
        "Drivers": [["name", "joint", "coordinate", "position", "velocity"], ["motor", "bearing", "angle", 0.0, SPEED]],
    }


def torque_columns() -> np.ndarray:
    """(41, 4) motor torque per kg of crank, rod and slider and per N s/m of damping, and (41,) that of the inertias alone.

    By virtual power: M w = sum m a.v - g.v + c v^2 and the rotation of the rod; derived by hand from the geometry.
    """
    phi = SPEED * TIMES
    s, c = np.sin(phi), np.cos(phi)
    sin_b = -CRANK / ROD * s  # of the rod, from x
    cos_b = np.sqrt(1.0 - sin_b**2)
    b1 = -CRANK / ROD * c * SPEED / cos_b
    b2 = (CRANK / ROD * s * SPEED**2 + sin_b * b1**2) / cos_b

    def motion(along_crank: float, along_rod: float) -> tuple[np.ndarray, np.ndarray]:
        v = np.array(
            [-along_crank * s * SPEED - along_rod * sin_b * b1, along_crank * c * SPEED + along_rod * cos_b * b1]
        )
        a = np.array(
            [
                -along_crank * c * SPEED**2 - along_rod * (cos_b * b1**2 + sin_b * b2),
                -along_crank * s * SPEED**2 + along_rod * (cos_b * b2 - sin_b * b1**2),
            ]
        )
        return v, a

    def of_mass(along_crank: float, along_rod: float) -> np.ndarray:
        v, a = motion(along_crank, along_rod)
        return (v[0] * a[0] + v[1] * (a[1] + 9.81)) / SPEED

    slide = motion(CRANK, ROD)[0][0]
    columns = [of_mass(0.5 * CRANK, 0.0), of_mass(CRANK, TO_ROD), of_mass(CRANK, ROD), slide**2 / SPEED]
    return np.column_stack([*columns, 0.004 * b1 * b2 / SPEED])


def save_fit(path: Path, sheets: Sheets) -> Path:
    """A workbook with these sheets."""
    book = xlsxwriter.Workbook(path)
    for name, rows in sheets.items():
        sheet = book.add_worksheet(name)
        for at, row in enumerate(rows):
            for column, value in enumerate(row):
                if isinstance(value, str) and value.startswith("="):
                    sheet.write_formula(at, column, value, None, 0.0)
                elif value is not None:
                    sheet.write(at, column, value)
    book.close()
    return path


def torque_fit(
    path: Path,
    torque: np.ndarray,
    variables: Sequence[Sequence[Value]],
    sd: float | None = 0.01,
    more: Sheets | None = None,
    **settings: Value,
) -> Path:
    """The slider-crank with a fit of variables to readings of its torque. more: sheets in place of its own."""
    readings = [["time", "torque"], ["s", "N*m"], *([float(t), float(m)] for t, m in zip(TIMES, torque, strict=True))]
    return save_fit(
        path,
        {
            **slider_crank(),
            "Measured": readings,
            "Measurements": [["name", "of", "column", "sd"], ["torque", "motor.moment", "torque", sd]],
            "Variables": variables,
            "Study": [["setting", "value"], ["method", "fit"], *([k, v] for k, v in settings.items())],
            **(more or {}),
        },
    )


def run_fit(path: Path) -> StudyResults:
    """The study of a workbook, in this process."""
    return run_study(path, path.read_bytes(), StudyOptions(workers=1))

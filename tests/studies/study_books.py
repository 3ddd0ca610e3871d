"""A weight on springs, as a workbook with formulas and a study: everything about it is known in closed form.

Its sag is m g / (n k), n springs side by side; Dimensions!B2 is m in kg, B3 k in N/m, B4 n.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import xlsxwriter

from sheetmbs.studies.running.run_study import StudyOptions, run_study
from sheetmbs.studies.study_results import StudyResults

Value = str | float | None
MASS, RATE, COUNT, GRAVITY = 2.0, 500.0, 2.0, 10.0
SHEETS: dict[str, list[list[Value]]] = {
    "Settings": [
        ["setting", "value", "unit"],
        ["dimension", "2D"],
        ["analysis", "equilibrium"],
        ["gravity_y", -GRAVITY, "m/s^2"],
    ],
    "Dimensions": [["what", "value", "unit"], ["mass", MASS, "kg"], ["rate", RATE, "N/m"], ["springs", COUNT, None]],
    "Bodies": [["name", "mass", "inertia", "x", "y"], ["load", "=Dimensions!B2", 0.1, 0.0, 0.0]],
    "Points": [["name", "body", "x", "y", "report"], ["hook", "load", 0.0, 0.0, "yes"], ["ceiling", None, 0.0, 1.0]],
    "Joints": [
        ["name", "type", "body_i", "body_j", "point", "axis_x", "axis_y"],
        ["guide", "translational", "ground", "load", "hook", 0.0, 1.0],
    ],
    "Springs": [
        ["name", "type", "body_i", "body_j", "point_i", "point_j", "k", "length0"],
        ["coil", "translational", "ground", "load", "ceiling", "hook", "=Dimensions!B3*Dimensions!B4", 1.0],
    ],
}
RESULTS: dict[str, float] = {"=Dimensions!B2": MASS, "=Dimensions!B3*Dimensions!B4": RATE * COUNT}
VARIABLES: list[list[Value]] = [
    ["name", "cell", "low", "high"],
    ["mass", "Dimensions!B2", 1.0, 4.0],
    ["rate", "Dimensions!B3", 250.0, 1000.0],
]
RESPONSES: list[list[Value]] = [["name", "of", "unit"], ["sag", "-first(load.y)", "mm"]]


def sag(mass: float, rate: float, count: float = COUNT) -> float:
    """How far the weight hangs below the unloaded springs, mm."""
    return 1e3 * mass * GRAVITY / (rate * count)


def study(method: str, **settings: Value) -> list[list[Value]]:
    """The sheet Study."""
    return [["setting", "value"], ["method", method], *([name, value] for name, value in settings.items())]


def save_weight(path: Path, sheets: Mapping[str, Sequence[Sequence[Value]]], *, stores: bool = True) -> Path:
    """The workbook with more or other sheets. stores: whether values of formulas are in the file."""
    book = xlsxwriter.Workbook(path)
    for name, rows in {**SHEETS, **sheets}.items():
        sheet = book.add_worksheet(name)
        for row, cells in enumerate(rows):
            for column, value in enumerate(cells):
                if isinstance(value, str) and value.startswith("="):
                    sheet.write_formula(row, column, value, None, RESULTS.get(value, "") if stores else "")
                elif value is not None:
                    sheet.write(row, column, value)
    book.close()
    return path


def study_book(path: Path, method: str, **more: Value) -> Path:
    """The workbook with a study of both variables."""
    return save_weight(path, {"Study": study(method, **more), "Variables": VARIABLES, "Responses": RESPONSES})


def run(path: Path, **options: object) -> StudyResults:
    """The study of a workbook, in this process unless options say otherwise."""
    return run_study(path, path.read_bytes(), StudyOptions(**{"workers": 1, **options}))  # type: ignore[arg-type]


def expected(results: StudyResults) -> np.ndarray:
    """The sag of every variant, by its closed form."""
    return np.array([sag(mass, rate) for mass, rate in results.variants.values])

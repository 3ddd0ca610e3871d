"""A sound planar workbook that uses every input sheet, to be broken in one place at a time."""

from pathlib import Path

from openpyxl import Workbook

SHEETS = {
    "Settings": [
        ["setting", "value", "unit", "notes"],
        ["format", 1],
        ["title", "crank with everything"],
        ["dimension", "2D"],
        ["analysis", "dynamic"],
        ["gravity_y", -9810, "mm/s^2"],
        ["t_start", 0, "s"],
        ["t_end", 2, "s"],
        ["t_step", 10, "ms"],
        ["rtol", 1e-8],
    ],
    "Bodies": [
        ["name", "mass", "inertia", "x", "y", "phi", "omega", "vx", "fx", "notes"],
        ["units", "kg", "kg*mm^2", "mm", "mm", "deg", "rad/s", "mm/s", "N"],
        ["crank", 1.2, 4500, 50, 0, 0, 10, 0, 0, "turns"],
        ["rod", 2.4, 40000, 250, 0, 0, 0, 0, 0],
        ["slider", 0.8, 900, 400, 0, 0, 0, 0, 5],
        ["ballast", 3, 1000, 0, 500, 90, 0, 0, 0],
    ],
    "Points": [
        ["name", "body", "x [mm]", "y [mm]", "frame", "report"],
        ["pivot", None, 0, 0],
        ["pin", "crank", 50, 0, "body", "yes"],
        ["wrist", "rod", 400, 0, "global", True],
        ["stop", "ground", 600, 0],
        ["hook", "slider", 100, 0, "body"],
        ["hanger", "ground", 0, 800],
    ],
    "Joints": [
        [
            "name",
            "type",
            "body_i",
            "body_j",
            "point",
            "point_i",
            "point_j",
            "axis_x",
            "axis_y",
            "length",
            "coordinate",
            "value",
        ],
        ["hinge", "revolute", "ground", "crank", "pivot"],
        ["crank pin", "revolute", "crank", "rod", "pin"],
        ["wrist pin", "revolute", "rod", "slider", "wrist"],
        ["guide", "translational", "ground", "slider", "wrist", None, None, 1, 0],
        ["link", "distance", "ground", "ballast", None, "hanger", "anchor"],
        ["level", "coordinate", "ballast", None, None, None, None, None, None, None, "phi", "90 deg"],
    ],
    "Drivers": [
        ["name", "body", "joint", "coordinate", "position", "velocity", "acceleration", "expression", "curve"],
        ["motor", None, "hinge", "angle", None, "95 rpm"],
    ],
    "Guiding": [
        ["time [s]", "ballast.x [mm]", "notes"],
        [0, 0],
        [0.5, 1],
        [1.25, 3],
        [2, 0],
    ],
    "Forces": [
        ["name", "body", "point", "fx [N]", "fy [N]", "moment [N*m]", "frame", "curve"],
        ["push", "slider", "hook", "-20*slider.vx", 0, None, "global"],
        ["pulse", "rod", None, None, -15, None, None, "ramp"],
    ],
    "ForceSeries": [
        ["time", "slider.fx", "slider.px", "slider.py"],
        ["s", "N", "mm", "mm"],
        [0, 0, 500, 0],
        [1, 12, 510, 0],
        [2, 0, 500, 0],
    ],
    "Springs": [
        [
            "name",
            "type",
            "body_i",
            "body_j",
            "point_i",
            "point_j",
            "k [N/mm]",
            "c [N*s/mm]",
            "length0 [mm]",
            "curve_k",
            "force",
        ],
        ["buffer", "translational", "slider", "ground", "hook", "stop", 2.5, 0.02, 90],
        ["clock", "rotational", "ground", "crank", None, None, "3 N*m/rad", None, None, None, "0.5 N*m"],
        ["rubber", None, "slider", "ground", "hook", "hanger", None, None, None, "hard"],
    ],
    "Curves": [
        ["ramp.x [s]", "ramp.y", "hard.x [mm]", "hard.y [N]", "hard.interpolation"],
        [0, 0, -5, -100, "cubic"],
        [0.5, 1, 0, 0],
        [2, 1, 2, 50],
        [None, None, 5, 300],
    ],
    "Charts": [
        ["title", "x", "y", "type"],
        ["way of the slider", "time", "slider.x; crank.x", "line"],
    ],
}
ANCHOR = ["anchor", "ballast", 0, 600, "global"]


def sound_book() -> Workbook:
    """The workbook as openpyxl holds it."""
    book = Workbook()
    book.remove(book.active)
    for name, rows in SHEETS.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book["Points"].append(ANCHOR)
    return book


def saved(book: Workbook, folder: Path, name: str = "model.xlsx") -> Path:
    """Save a workbook and return its path."""
    path = folder / name
    book.save(path)
    return path


def column_of(book: Workbook, sheet: str, header: str) -> int:
    """Number of the column whose header begins with a word."""
    cells = [cell for cell in book[sheet][1] if str(cell.value or "").split(" ")[0] == header]
    return cells[0].column


def row_of(book: Workbook, sheet: str, name: str) -> int:
    """Number of the row whose first cell is a text."""
    return next(cell.row for cell in book[sheet]["A"] if cell.value == name)


def put(book: Workbook, sheet: str, name: str, header: str, value: object) -> str:
    """Write into the row of a name and the column of a header; return the cell's address."""
    cell = book[sheet].cell(row_of(book, sheet, name), column_of(book, sheet, header))
    cell.value = value
    return f"{sheet}!{cell.coordinate}"

"""Make handling.xlsx: the formula student car on its tyres, and a study of what balances it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import readme
from car_sheets import Car, sketched, write
from make_formula_student import CAR as STUDENT
from make_formula_student import VIEW
from study_sheets import write_study
from style import Column, Handout, Layout, run_script

from sheetmbs.tyres.coefficients import DEFAULTS, FAMILIES, MAGIC_NAMES, NEVER_MISSED, VERSION_6_1

COEFFICIENTS = (
    ("FITTYP", 61, "", "magic formula 6.1"),
    ("FNOMIN", 700, "N", "nominal load"),
    ("UNLOADED_RADIUS", 0.232, "m", ""),
    ("VERTICAL_STIFFNESS", 110000, "N/m", ""),
    ("LONGVL", 15, "m/s", "speed of measurement"),
    ("INFLPRES", 90000, "Pa", ""),
    ("NOMPRES", 90000, "Pa", ""),
    ("FZMIN", 20, "N", "range of loads"),
    ("FZMAX", 3000, "N", ""),
    ("KPUMIN", -1, "", "range of slip ratios"),
    ("KPUMAX", 1, "", ""),
    ("ALPMIN", -0.6, "rad", "range of slip angles"),
    ("ALPMAX", 0.6, "rad", ""),
    ("CAMMIN", -0.2, "rad", "range of camber"),
    ("CAMMAX", 0.2, "rad", ""),
    ("PRESMIN", 50000, "Pa", "range of pressures"),
    ("PRESMAX", 150000, "Pa", ""),
    ("PCX1", 1.55, "", "shape of Fx"),
    ("PDX1", 1.6, "", "friction along"),
    ("PDX2", -0.12, "", "and how it falls with load"),
    ("PEX1", 0.05, "", "curvature of Fx"),
    ("PKX1", 34, "", "slip stiffness over load"),
    ("PCY1", 1.45, "", "shape of Fy"),
    ("PDY1", 1.55, "", "friction across"),
    ("PDY2", -0.16, "", "and how it falls with load"),
    ("PDY3", 2.0, "", "and with camber"),
    ("PEY1", -0.2, "", "curvature of Fy"),
    ("PKY1", -32, "", "largest cornering stiffness over nominal load"),
    ("PKY2", 1.7, "", "load at which it is reached"),
    ("PKY4", 2, "", ""),
    ("PKY6", -0.9, "", "camber stiffness over load"),
    ("PPY1", 0.4, "", "how cornering stiffness grows with pressure"),
    ("PPY3", -0.1, "", "how friction changes with pressure"),
    ("QBZ1", 9, "", "pneumatic trail"),
    ("QCZ1", 1.15, "", ""),
    ("QDZ1", 0.11, "", "trail over radius"),
    ("QEZ1", -1.2, "", ""),
    ("QSY1", 0.012, "", "rolling resistance"),
    ("RBX1", 14, "", "Fx under slip angles"),
    ("RBX2", 11, "", ""),
    ("RCX1", 1.05, "", ""),
    ("RBY1", 13, "", "Fy under slip ratios"),
    ("RBY2", 10, "", ""),
    ("RCY1", 1.05, "", ""),
)
"""round numbers of our own, of a tyre that nobody makes"""
HANDLING = (
    ("diagram", "yaw moment", 60, None, -8, 8, 1, -16, 16, 2, ""),
    ("skidpad", "circle", None, 9.125, None, None, None, None, None, None, "the middle of the lane of the skidpad"),
    ("envelope", "g-g", 60, None, None, None, None, None, None, None, ""),
)
TARGETS = (
    ("max_trimmed_ay", "diagram", 1.2, None, "largest lateral acceleration in trim, over g"),
    ("stability", "diagram", -0.5, -0.05, "below 0 the car is stable"),
    ("limit_balance", "diagram", -0.05, 0.0, "a little ploughing at the limit"),
)
LOAD_CASES = (
    ("static", None, None, None, None, "the weight alone"),
    ("left turn on tyres", "tyres", 60, None, 1.0, "rack and slip angles are found"),
    ("braking into a turn", "tyres", 60, -0.5, 0.8, ""),
)
VARIED = (
    ("front spring", "Suspension springs", "front spring", "k", 24, 48),
    ("cg height", "Suspension", "cg height", "front", 250, 330),
    ("pressure", "Tyres", "slick", "pressure", 70, 120),
    ("rear roll centre", "Hardpoints", "rear/upper arm front", "z", 270, 300),
)
"""name, sheet, what stands in its row, header of its column, and from where to where"""
RESPONSES = (
    ("largest ay", "max_trimmed_ay", "diagram", "maximise", "in trim, over g"),
    ("stability", "stability", "diagram", None, ""),
    ("limit balance", "limit_balance", "diagram", None, "+ turns in, - ploughs"),
    ("understeer", "understeer_gradient", "skidpad", None, "deg/g"),
)


def _others() -> list[tuple[str, float, str, str]]:
    """The other coefficients of such a file, which change nothing: 0, and scale factors 1."""
    given = {name for name, *_rest in COEFFICIENTS}
    names = [name for name in MAGIC_NAMES if name in FAMILIES[VERSION_6_1] and name not in (*given, *NEVER_MISSED)]
    return [(name, DEFAULTS.get(name, 0.0), "", "") for name in names]


def _car() -> Car:
    """The car of formula-student.xlsx with tyres, and one spring of design B."""
    tables = {**STUDENT.tables}
    del tables["Sweeps"]
    tables |= {
        "Load cases": ("name method speed:km/h ax:g ay:g notes", LOAD_CASES),
        "Targets": ("metric sweep min max notes", TARGETS),
        "Tyres": ("name model measured_side pressure:kPa notes", (("slick", "magic formula", "symmetric", 90, ""),)),
        "Tyre coefficients": (
            "tyre coefficient value unit notes",
            [("slick", *each) for each in (*COEFFICIENTS, *_others())],
        ),
        "Handling": (
            "name type speed:km/h radius:m beta_from:deg beta_to:deg beta_step:deg rack_from:mm rack_to:mm rack_step:mm notes",
            HANDLING,
        ),
    }
    return replace(STUDENT, tables=tables)


CAR = _car()


def make(folder: Path, layout: Layout = Handout, name: str = "handling") -> Path:
    """Write the workbook into ``folder``, laid out so and so called, and return its path."""
    book = layout(folder / f"{name}.xlsx", "Formula student car on its tyres", space=True)
    write(book, CAR)
    variables = [(name, _cell(book, *place), low, high, "") for name, *place, low, high in VARIED]
    write_study(
        book,
        [("method", "one-at-a-time", ""), ("cases", "diagram; skidpad", "rows of Handling that are solved")],
        ("name cell low high notes", variables),
        ("name of case goal notes", RESPONSES),
    )
    return book.finish(readme.text("handling"), sketched(book, CAR, VIEW), "")


def _cell(book: Handout, sheet: str, row: str, header: str) -> str:
    """The address of a cell. row: what stands in its first cells, with a stroke between them."""
    rows = {
        "Suspension": [name for name, *_rest in CAR.settings],
        "Suspension springs": [each[0] for each in CAR.tables["Suspension springs"][1]],
        "Tyres": ["slick"],
        "Hardpoints": [f"{axle}/{point}" for axle, points in CAR.points.items() for point in points],
    }[sheet]
    heads = {"Suspension": "setting front rear unit notes", "Hardpoints": "axle point x y z design notes"}
    headers = heads[sheet] if sheet in heads else CAR.tables[sheet][0]
    columns = [Column(each.partition(":")[0]) for each in headers.split()]
    number = rows.index(row)
    if sheet == "Hardpoints":  # rows of designs stand below those that they change
        number += sum(rows.index("/".join(map(str, changed[:2]))) < number for changed in CAR.changed)
    return f"'{sheet}'!{book.letter(sheet, header, columns)}{book.first[sheet] + 1 + number}"


if __name__ == "__main__":
    run_script(make)

"""Make bump-steer-study.xlsx: height and length of the tie rods of a strut axle, sought for a target toe curve."""

from __future__ import annotations

from pathlib import Path

import readme
from car_sheets import Car, sketched, write
from make_macpherson import FRONT, VIEW
from study_sheets import write_study
from style import Handout, Layout, column_list, run_script

DESIGN_TOE, RATE, TRAVEL = 0.1, -3.0, 60
"""deg, deg/m and mm: what the toe curve is to be"""
SETTINGS = (
    ("type", ("macpherson",), "", "a lower arm, and a strut that turns and slides in its top mount"),
    ("steering", ("rack",), "", ""),
    ("axes", ("ISO 8855",), "", "x forward, y to the left, z up; the origin is on the road under the front axle"),
    ("camber", (-0.5,), "deg", "+ top outboard"),
    ("toe", (DESIGN_TOE,), "deg", "+ front inboard"),
    ("tyre radius", (295,), "mm", "loaded: the height of the wheel centre above the road"),
)
SWEEP = ("heave", "heave", -TRAVEL, TRAVEL, 5)
POINTS = {name: point for name, point in FRONT.items() if not name.startswith("bar")}
MOVED = {"inner height": ("tie rod inner", "z", 25.0), "inner side": ("tie rod inner", "y", 40.0)}
"""variable: point, coordinate, and how far it may move either way, mm"""


def make(folder: Path, layout: Layout = Handout) -> Path:
    """Write the workbook into ``folder``, laid out so, and return its path."""
    book = layout(folder / "bump-steer-study.xlsx", "Bump steer study", space=True)
    car = Car(
        SETTINGS,
        {"front": POINTS},
        tables={"Sweeps": ("name type travel_from:mm travel_to:mm travel_step:mm", (SWEEP,))},
    )
    write(book, car)
    target = [(z, DESIGN_TOE + RATE * z / 1000.0) for z in (-TRAVEL, 0, TRAVEL)]
    columns = column_list("target toe.x [mm] 0 :14, target toe.y [deg] 0.000 :14")
    book.series("Curves", columns, target, "the toe that is wanted over the travel of the wheel")
    rows = {point: row for row, point in enumerate(POINTS, start=book.first["Hardpoints"] + 1)}
    variables = [
        (name, f"Hardpoints!{'CDE'['xyz'.index(axis)]}{rows[point]}", -by, by, "offset", f"{axis} of {point}")
        for name, (point, axis, by) in MOVED.items()
    ]
    write_study(
        book,
        [("method", "optimise", ""), ("cases", "heave", "the sweep"), ("budget", 200, ""), ("keep", 12, "")],
        ("name cell low high how notes", variables),
        (
            "name of goal curve x unit notes",
            [("toe error", "FL.toe", "minimise", "target toe", "FL.wheel_z", "deg", "rms distance from the target")],
        ),
    )
    return book.finish(readme.text("bump-steer-study"), sketched(book, car, VIEW), "")


if __name__ == "__main__":
    run_script(make)

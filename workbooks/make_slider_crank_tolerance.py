"""Make slider-crank-tolerance.xlsx: how far the stroke of a slider-crank scatters with the tolerances of its parts."""

from __future__ import annotations

from math import asin, degrees, sqrt
from pathlib import Path

import readme
from look import Formula
from sketch import Line
from study_sheets import write_study
from style import Column, Handout, Layout, column_list, run_script

RADIUS, ROD, OFFSET = 80.0, 250.0, 20.0
DEVIATIONS = {"crank radius": 0.05, "rod length": 0.08, "offset": 0.25}
"""standard deviations, mm"""
STROKE, PLAY, SAMPLES = 160.57, 0.25, 1000


def make(folder: Path, layout: Layout = Handout) -> Path:
    """Write the workbook into ``folder``, laid out so, and return its path."""
    book = layout(folder / "slider-crank-tolerance.xlsx", "Tolerances of a slider-crank")
    book.run_settings(
        analysis=("kinematic", "motion only: masses may stay blank"),
        t_start=0,
        t_end=(1, "one turn of the crank"),
        t_step=(0.0025, "0.9 degrees: the stroke is short by less than a hundredth of a millimetre"),
    )
    book.parameters(
        "Dimensions",
        [
            ("crank radius", RADIUS, "mm", "main bearing to crank pin"),
            ("rod length", ROD, "mm", "crank pin to wrist pin"),
            ("offset", OFFSET, "mm", "height of the slider's guide above the main bearing"),
        ],
        "the design, our own sheet: what is drawn",
    )
    _mechanism(book)
    names = list(DEVIATIONS)
    about = "from many parts that were measured"
    limits = [
        ("stroke", "max(C.x) - min(C.x)", "at most", STROKE + PLAY, "mm", "the longest one that is allowed"),
        ("stroke again", "max(C.x) - min(C.x)", "at least", STROKE - PLAY, "mm", "and the shortest"),
    ]
    write_study(
        book,
        [("method", "tolerance", ""), ("samples", SAMPLES, ""), ("seed", 1, "the same machines each time")],
        (
            "name cell distribution sd notes",
            [
                (name, f"Dimensions!B{row}", "normal", DEVIATIONS[name], about)
                for row, name in enumerate(names, start=2)
            ],
        ),
        ("name of goal value unit notes", limits),
    )
    return book.finish(readme.text("slider-crank-tolerance"), _sketch(book), "mm")


def _mechanism(book: Handout) -> None:
    """Crank to the right at the start, so that the wrist pin lies in closed form."""
    radius, rod, offset = (book.at("Dimensions", name, "value") for name in ("crank radius", "rod length", "offset"))
    wrist = RADIUS + sqrt(ROD**2 - OFFSET**2)
    at_wrist = f"{radius}+SQRT({rod}^2-{offset}^2)"
    tilt = Formula(f"=DEGREES(ASIN({offset}/{rod}))", degrees(asin(OFFSET / ROD)))
    level, pin = Formula(f"={offset}", OFFSET), Formula(f"={radius}", RADIUS)
    places = [Column(axis, "mm", "0.000") for axis in "xy"]
    book.table(
        "Bodies",
        [Column("name", width=14), *places, Column("phi", "deg", "0.000"), Column("notes", width=52)],
        [
            ("crank", 0, 0, 0, "frame in the main bearing, xi to the crank pin"),
            ("rod", pin, 0, tilt, "frame in the crank pin, xi to the wrist pin"),
            ("slider", Formula(f"={at_wrist}", wrist), level, 0, "frame in the wrist pin"),
        ],
        "crank, rod and slider, and their pose at the start",
    )
    book.table(
        "Points",
        [
            Column("name", width=14),
            Column("body", width=14),
            *places,
            Column("report", width=9),
            Column("notes", width=52),
        ],
        [
            ("A", "ground", 0, 0, "no", "main bearing"),
            ("B", "crank", pin, 0, "no", "crank pin"),
            ("C", "slider", Formula(f"={at_wrist}", wrist), level, "yes", "wrist pin"),
        ],
        "pins in the initial configuration, global coordinates",
    )
    names = ("name", "type", "body_i", "body_j", "point")
    book.table(
        "Joints",
        [*(Column(name, width=15) for name in names), Column("axis_x", "", "0"), Column("axis_y", "", "0")],
        [
            ("main bearing", "revolute", "ground", "crank", "A", None, None),
            ("crank pin", "revolute", "crank", "rod", "B", None, None),
            ("wrist pin", "revolute", "rod", "slider", "C", None, None),
            ("guide", "translational", "ground", "slider", "C", 1, 0),
        ],
        "three hinges and a slide",
    )
    book.table(
        "Drivers",
        column_list("name :14, joint :14, coordinate :14, position [deg] 0.000 :14, velocity [deg/s] 0.000 :14"),
        [("motor", "main bearing", "angle", 0, 360)],
        "the crank turns once",
    )


def _sketch(book: Handout) -> list[Line]:
    a, b, c = book.shifted("A"), book.shifted("B"), book.shifted("C")
    corners = [(-25.0, -18.0), (40.0, -18.0), (40.0, 18.0), (-25.0, 18.0), (-25.0, -18.0)]
    guide = [book.shifted("C", -70, -18), book.shifted("C", 60, -18)]
    return [
        Line("guide", guide, colour="#9AA7B1", width=1.5, markers="none"),
        Line("slider", [book.shifted("C", dx, dy) for dx, dy in corners], colour="#8A6D3B", markers="none"),
        Line("rod", [b, c], ("B", "C"), colour="#5B8C5A"),
        Line("crank", [a, b], ("A", ""), colour="#3E6A8F", label_at="below"),
    ]


if __name__ == "__main__":
    run_script(make)

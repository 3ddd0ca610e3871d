"""Make mechanism-synthesis.xlsx: the lengths of a four-bar linkage whose coupler point goes through five given points."""

from __future__ import annotations

from math import acos, atan2, cos, degrees, hypot, radians, sin
from pathlib import Path

import readme
from look import Formula
from sketch import Line
from study_sheets import write_study
from style import Column, Handout, Layout, column_list, run_script

START, STEP = 30.0, 15.0
TARGETS = ((3.0, 3.0), (2.759, 3.363), (2.372, 3.663), (1.890, 3.862), (1.355, 3.943))
LENGTHS = {"ground": 4.5, "crank": 2.4, "coupler": 4.5, "rocker": 3.2, "along": 1.2, "above": 1.2}
"""of the first guess, mm"""
LOW, HIGH = {"along": -10.0, "above": -10.0}, 10.0


def make(folder: Path, layout: Layout = Handout) -> Path:
    """Write the workbook into ``folder``, laid out so, and return its path."""
    book = layout(folder / "mechanism-synthesis.xlsx", "Synthesis of a four-bar linkage")
    book.run_settings(
        analysis=("kinematic", "motion only: masses may stay blank"),
        t_start=0,
        t_end=(4, "from 30 to 90 degrees"),
        t_step=(1, "a row for each of the five points"),
    )
    book.parameters(
        "Dimensions",
        [
            ("ground", LENGTHS["ground"], "mm", "distance of the two fixed pivots, A to D"),
            ("crank", LENGTHS["crank"], "mm", "A to B"),
            ("coupler", LENGTHS["coupler"], "mm", "B to C"),
            ("rocker", LENGTHS["rocker"], "mm", "D to C"),
            ("along", LENGTHS["along"], "mm", "coupler point P, from B towards C"),
            ("above", LENGTHS["above"], "mm", "at right angles to it, to the left of B to C"),
            ("start angle", START, "deg", "crank against the x axis at t = 0"),
        ],
        "the lengths that are sought; what stands here is the first guess",
    )
    _bodies(book)
    _points(book)
    hinges = [("pivot A", "ground", "crank", "A"), ("pin B", "crank", "coupler", "B")]
    hinges += [("pin C", "coupler", "rocker", "C"), ("pivot D", "ground", "rocker", "D")]
    book.table(
        "Joints",
        [Column(name, width=14) for name in ("name", "type", "body_i", "body_j", "point")],
        [(name, "revolute", *others) for name, *others in hinges],
        "four hinges",
    )
    book.table(
        "Drivers",
        column_list(
            "name :14, joint :14, coordinate :14, position [deg] 0.000 :14, velocity [deg/s] 0.000 :14, notes :52"
        ),
        [("motor", "pivot A", "angle", 0, STEP, "15 degrees in a second, from the start angle on")],
        "the crank turns evenly",
    )
    columns = [Column(f"path {axis}.{of}", "s" if of == "x" else "mm", "0.000", 12) for axis in "xy" for of in "xy"]
    rows = [(second, x, second, y) for second, (x, y) in enumerate(TARGETS)]
    book.series("Curves", columns, rows, "the five points over time, x and y")
    _study(book)
    return book.finish(readme.text("mechanism-synthesis"), _sketch(book), "mm")


def _study(book: Handout) -> None:
    about = {"along": "of the coupler point", "above": "of the coupler point"}
    variables = [
        (name, f"Dimensions!B{row}", LOW.get(name, 0.5), HIGH, about.get(name, "length of a link"))
        for row, name in enumerate(LENGTHS, start=2)
    ]
    write_study(
        book,
        [("method", "optimise", ""), ("budget", 600, "enough for six lengths")],
        ("name cell low high notes", variables),
        (
            "name of goal curve unit notes",
            [
                (
                    "x error",
                    "P.x",
                    "minimise",
                    "path x",
                    "mm",
                    "rms distance of the coupler point from the five points, in x",
                ),
                ("y error", "P.y", "minimise", "path y", "mm", "in y"),
            ],
        ),
    )


def _pins() -> dict[str, tuple[float, float]]:
    """Pins and coupler point of the first guess, by the law of cosines in the triangle B, C, D."""
    ground, crank, coupler, rocker, along, above = LENGTHS.values()
    b = crank * cos(radians(START)), crank * sin(radians(START))
    diagonal = hypot(ground - b[0], -b[1])
    tilt = atan2(-b[1], ground - b[0]) + acos((coupler**2 + diagonal**2 - rocker**2) / (2 * coupler * diagonal))
    c = b[0] + coupler * cos(tilt), b[1] + coupler * sin(tilt)
    p = b[0] + along * cos(tilt) - above * sin(tilt), b[1] + along * sin(tilt) + above * cos(tilt)
    return {"A": (0.0, 0.0), "B": b, "C": c, "D": (ground, 0.0), "P": p}


def _angle(first: tuple[float, float], second: tuple[float, float]) -> float:
    return degrees(atan2(second[1] - first[1], second[0] - first[0]))


def _bodies(book: Handout) -> None:
    """Each link has its frame in its first pin, turned with it."""
    ground, crank, coupler, rocker, start = (
        book.at("Dimensions", name, "value") for name in ("ground", "crank", "coupler", "rocker", "start angle")
    )
    pins = _pins()
    b_x, b_y = f"{crank}*COS(RADIANS({start}))", f"{crank}*SIN(RADIANS({start}))"
    diagonal = f"SQRT(({ground}-{b_x})^2+({b_y})^2)"
    turn = f"ATAN2({ground}-{b_x},-({b_y}))+ACOS(({coupler}^2+{diagonal}^2-{rocker}^2)/(2*{coupler}*{diagonal}))"
    c_x, c_y = f"$B$4+{coupler}*COS(RADIANS($D$4))", f"$C$4+{coupler}*SIN(RADIANS($D$4))"
    book.table(
        "Bodies",
        column_list("name :14, x [mm] 0.000, y [mm] 0.000, phi [deg] 0.000, notes :52"),
        [
            ("crank", 0, 0, Formula(f"={start}", START), "frame in A, xi from A to B"),
            (
                "coupler",
                Formula(f"={b_x}", pins["B"][0]),
                Formula(f"={b_y}", pins["B"][1]),
                Formula(f"=DEGREES({turn})", _angle(pins["B"], pins["C"])),
                "frame in B, xi from B to C",
            ),
            (
                "rocker",
                Formula(f"={ground}", pins["D"][0]),
                0,
                Formula(f"=DEGREES(ATAN2({c_x}-{ground},{c_y}))", _angle(pins["D"], pins["C"])),
                "frame in D, xi from D to C",
            ),
        ],
        "the three moving links and their pose at the start",
    )


def _points(book: Handout) -> None:
    pins = _pins()
    ground, coupler, along, above = (
        book.at("Dimensions", name, "value") for name in ("ground", "coupler", "along", "above")
    )
    b_x, b_y, tilt = (book.at("Bodies", "coupler", column) for column in ("x", "y", "phi"))
    turn = f"RADIANS({tilt})"
    formulas = {
        "B": (b_x, b_y),
        "C": (f"{b_x}+{coupler}*COS({turn})", f"{b_y}+{coupler}*SIN({turn})"),
        "P": (f"{b_x}+{along}*COS({turn})-{above}*SIN({turn})", f"{b_y}+{along}*SIN({turn})+{above}*COS({turn})"),
    }
    at = {
        name: tuple(Formula(f"={text}", value) for text, value in zip(formulas[name], pins[name], strict=True))
        for name in formulas
    }
    book.table(
        "Points",
        column_list("name :14, body :14, x [mm] 0.000, y [mm] 0.000, report :10, notes :52"),
        [
            ("A", "ground", 0, 0, "no", "fixed pivot of the crank"),
            ("B", "crank", *at["B"], "no", "crank and coupler"),
            ("C", "coupler", *at["C"], "no", "coupler and rocker"),
            ("D", "ground", Formula(f"={ground}", pins["D"][0]), 0, "no", "fixed pivot of the rocker"),
            ("P", "coupler", *at["P"], "yes", "the coupler point"),
        ],
        "pins and coupler point in the initial configuration, global coordinates",
    )


def _sketch(book: Handout) -> list[Line]:
    a, b, c, d, p = ((book.link("Points", name, "x"), book.link("Points", name, "y")) for name in "ABCDP")
    return [
        Line("ground", [a, d], colour="#9AA7B1", width=1.25, markers="none", dashed=True),
        Line("coupler", [b, c, p, b], ("B", "C", "P", ""), colour="#5B8C5A"),
        Line("crank", [a, b], ("A", ""), colour="#3E6A8F", label_at="below"),
        Line("rocker", [d, c], ("D", ""), colour="#8A6D3B", label_at="below"),
        Line("given points", list(TARGETS), colour="#B4532A", width=1.0, dashed=True),
    ]


if __name__ == "__main__":
    run_script(make)

"""Make slider-crank.xlsx: an offset slider-crank pump, driven at constant speed, with all loads on its bearings."""

from __future__ import annotations

from math import asin, cos, degrees, radians, sin, sqrt
from pathlib import Path

import readme
from look import Formula
from sketch import Line
from style import Handout, Layout, column_list, run_script

RADIUS, ROD, OFFSET, START, SPEED = 80.0, 250.0, 20.0, 30.0, 300.0
CRANK_CM, ROD_CM, SLIDER_CM, FACE = 25.0, 90.0, 15.0, 40.0


def make(folder: Path, layout: Layout = Handout) -> Path:
    """Write the workbook into ``folder``, laid out so, and return its path."""
    book = layout(folder / "slider-crank.xlsx", "Slider-crank pump")
    book.run_settings(
        analysis=(
            "inverse dynamic",
            "the motor fixes the motion; wanted are the torque and the bearing loads that go with it",
        ),
        gravity_x=0,
        gravity_y=-9.81,
        t_start=0,
        t_end=(0.4, "two turns at 300 rpm"),
        t_step=(0.001, "1.8 degrees of crank angle"),
    )
    book.parameters(
        "Dimensions",
        [
            ("crank radius", RADIUS, "mm", "main bearing to crank pin"),
            ("rod length", ROD, "mm", "crank pin to wrist pin"),
            ("offset", OFFSET, "mm", "height of the slider's guide above the main bearing"),
            ("start angle", START, "deg", "crank against the x axis at t = 0"),
            ("speed", SPEED, "rpm", "of the motor, counter-clockwise"),
            ("crank centre of mass", CRANK_CM, "mm", "from the main bearing, towards the crank pin (partly balanced)"),
            ("rod centre of mass", ROD_CM, "mm", "from the crank pin, towards the wrist pin"),
            ("slider centre of mass", SLIDER_CM, "mm", "ahead of the wrist pin"),
            ("piston face", FACE, "mm", "ahead of the wrist pin"),
        ],
        "the design, our own sheet: change a number and the others follow",
    )
    _bodies(book)
    _points(book)
    _joints(book)
    _loads(book)
    return book.finish(readme.text("slider-crank"), _sketch(book), "mm")


def _bodies(book: Handout) -> None:
    def dimension(name: str) -> str:
        return book.at("Dimensions", name, "value")

    radius, rod, offset, start = (dimension(name) for name in ("crank radius", "rod length", "offset", "start angle"))
    tilt = asin((OFFSET - RADIUS * sin(radians(START))) / ROD)
    cos_a, sin_a = f"COS(RADIANS({start}))", f"SIN(RADIANS({start}))"
    phi = f"DEGREES(ASIN(({offset}-{radius}*{sin_a})/{rod}))"
    share = dimension("rod centre of mass")
    wrist_x = f"{radius}*{cos_a}+SQRT({rod}^2-({offset}-{radius}*{sin_a})^2)"
    x_wrist = RADIUS * cos(radians(START)) + sqrt(ROD**2 - (OFFSET - RADIUS * sin(radians(START))) ** 2)
    book.table(
        "Bodies",
        column_list(
            "name :14, mass [kg] 0.000, inertia [kg*mm^2] 0, x [mm] 0.000, y [mm] 0.000, phi [deg] 0.000, notes :52"
        ),
        [
            (
                "crank",
                1.8,
                3200,
                Formula(f"={dimension('crank centre of mass')}*{cos_a}", CRANK_CM * cos(radians(START))),
                Formula(f"={dimension('crank centre of mass')}*{sin_a}", CRANK_CM * sin(radians(START))),
                Formula(f"={start}", START),
                "xi points from the main bearing to the crank pin",
            ),
            (
                "rod",
                0.9,
                5200,
                Formula(
                    f"={radius}*{cos_a}+{share}*COS(RADIANS({phi}))", RADIUS * cos(radians(START)) + ROD_CM * cos(tilt)
                ),
                Formula(
                    f"={radius}*{sin_a}+{share}*SIN(RADIANS({phi}))", RADIUS * sin(radians(START)) + ROD_CM * sin(tilt)
                ),
                Formula(f"={phi}", degrees(tilt)),
                "xi points from the crank pin to the wrist pin",
            ),
            (
                "slider",
                1.4,
                900,
                Formula(f"={wrist_x}+{dimension('slider centre of mass')}", x_wrist + SLIDER_CM),
                Formula(f"={offset}", OFFSET),
                0,
                "moves along x; its inertia has no effect, for it does not turn",
            ),
        ],
        "crank, rod and slider: mass, inertia about the centre of mass, pose at the start",
    )


def _points(book: Handout) -> None:
    radius, rod, offset, start = (
        book.at("Dimensions", name, "value") for name in ("crank radius", "rod length", "offset", "start angle")
    )
    face = book.at("Dimensions", "piston face", "value")
    pin = RADIUS * cos(radians(START)), RADIUS * sin(radians(START))
    wrist = pin[0] + sqrt(ROD**2 - (OFFSET - pin[1]) ** 2)
    wrist_formula = f"{radius}*COS(RADIANS({start}))+SQRT({rod}^2-({offset}-{radius}*SIN(RADIANS({start})))^2)"
    level = Formula(f"={offset}", OFFSET)
    book.table(
        "Points",
        column_list("name :14, body :14, x [mm] 0.000, y [mm] 0.000, report :9, notes :52"),
        [
            ("A", "ground", 0, 0, "no", "main bearing"),
            (
                "B",
                "crank",
                Formula(f"={radius}*COS(RADIANS({start}))", pin[0]),
                Formula(f"={radius}*SIN(RADIANS({start}))", pin[1]),
                "yes",
                "crank pin",
            ),
            ("C", "rod", Formula(f"={wrist_formula}", wrist), level, "yes", "wrist pin"),
            (
                "F",
                "slider",
                Formula(f"={wrist_formula}+{face}", wrist + FACE),
                level,
                "no",
                "centre of the piston's face",
            ),
        ],
        "pins in the initial configuration, global coordinates",
    )


def _joints(book: Handout) -> None:
    book.table(
        "Joints",
        column_list("name :16, type :16, body_i :12, body_j :12, point :10, axis_x 0, axis_y 0, notes :44"),
        [
            ("main bearing", "revolute", "ground", "crank", "A", None, None, ""),
            ("crank pin", "revolute", "crank", "rod", "B", None, None, ""),
            ("wrist pin", "revolute", "rod", "slider", "C", None, None, ""),
            ("guide", "translational", "ground", "slider", "C", 1, 0, "horizontal, through the wrist pin"),
        ],
        "three hinges and a slide",
    )


def _loads(book: Handout) -> None:
    speed = book.at("Dimensions", "speed", "value")
    book.table(
        "Drivers",
        column_list(
            "name :14, joint :16, coordinate :12, position [deg] 0.000, velocity [deg/s] 0.000, "
            "acceleration [deg/s^2] 0.000 :14, notes :52"
        ),
        [
            (
                "motor",
                "main bearing",
                "angle",
                0,
                Formula(f"={speed}*360/60", SPEED * 6),
                0,
                "turned from the start angle; speed from Dimensions",
            )
        ],
        "the motor turns the crank at constant speed",
    )
    book.table(
        "Forces",
        column_list("name :14, body :12, point :10, fx [N] 0.000 :32, fy [N] 0.000 :10, notes :52"),
        [("pressure", "slider", "F", "if(slider.vx > 0, -400, -50)", 0, "of the pump, always towards the crank")],
        "the pressure on the piston, an expression of the slider's velocity",
    )


def _sketch(book: Handout) -> list[Line]:
    a, b, c = book.shifted("A"), book.shifted("B"), book.shifted("C")
    corners = [(-25.0, -18.0), (40.0, -18.0), (40.0, 18.0), (-25.0, 18.0), (-25.0, -18.0)]
    return [
        Line(
            "guide",
            [book.shifted("C", -70, -18), book.shifted("C", 60, -18)],
            colour="#9AA7B1",
            width=1.5,
            markers="none",
        ),
        Line("slider", [book.shifted("C", dx, dy) for dx, dy in corners], colour="#8A6D3B", markers="none"),
        Line("rod", [b, c], ("B", "C"), colour="#5B8C5A"),
        Line("crank", [a, b], ("A", ""), colour="#3E6A8F", label_at="below"),
    ]


if __name__ == "__main__":
    run_script(make)

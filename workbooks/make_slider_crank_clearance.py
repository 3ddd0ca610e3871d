"""Make slider-crank-clearance.xlsx: a fast slider-crank whose wrist pin has play in the rod's eye."""

from __future__ import annotations

from math import cos, pi, sin
from pathlib import Path

import readme
from look import Formula
from sketch import Line
from style import Handout, Layout, column_list, run_script

RADIUS, ROD, SPEED = 50.0, 120.0, 5000.0
EYE, PIN = 10.0, 9.5


def make(folder: Path, layout: Layout = Handout) -> Path:
    """Write the workbook into ``folder``, laid out so, and return its path."""
    book = layout(folder / "slider-crank-clearance.xlsx", "Slider-crank with clearance")
    book.run_settings(
        analysis=("dynamic", "joints with clearance count in a dynamic analysis"),
        gravity_x=0,
        gravity_y=(-9.81, "next to nothing beside the forces of inertia"),
        t_start=0,
        t_end=(0.024, "two turns at 5000 rpm"),
        t_step=(2e-5, "0.6 degrees of crank angle; a contact lasts two or three rows"),
    )
    book.parameters(
        "Dimensions",
        [
            ("crank radius", RADIUS, "mm", "main bearing to crank pin"),
            ("rod length", ROD, "mm", "crank pin to the middle of the rod's eye"),
            ("speed", SPEED, "rpm", "of the motor, counter-clockwise"),
        ],
        "the design, our own sheet: change a number and the others follow",
    )
    _bodies(book)
    _joints(book)
    return book.finish(readme.text("slider-crank-clearance"), _sketch(book), "mm")


def _bodies(book: Handout) -> None:
    radius, rod, speed = (book.at("Dimensions", name, "value") for name in ("crank radius", "rod length", "speed"))
    omega = SPEED * pi / 30
    book.table(
        "Bodies",
        column_list(
            "name :14, mass [kg] 0.000, inertia [kg*mm^2] 0, x [mm] 0.000, y [mm] 0.000, phi [deg] 0.000, "
            "vx [mm/s] 0.000, vy [mm/s] 0.000 :14, omega [rad/s] 0.000 :14, notes :52"
        ),
        [
            (
                "crank", 0.3, 100, Formula(f"={radius}/2", RADIUS / 2), 0, 0, 0,
                Formula(f"={radius}/2*{speed}*PI()/30", RADIUS / 2 * omega), Formula(f"={speed}*PI()/30", omega),
                "starts stretched out along x",
            ),
            (
                "rod", 0.21, 250, Formula(f"={radius}+{rod}/2", RADIUS + ROD / 2), 0, 0, 0,
                Formula(f"={radius}/2*{speed}*PI()/30", RADIUS / 2 * omega),
                Formula(f"=-{radius}/{rod}*{speed}*PI()/30", -RADIUS / ROD * omega),
                "its eye starts at rest, as it would without play",
            ),
            (
                "slider", 0.14, 100, Formula(f"={radius}+{rod}", RADIUS + ROD), 0, 0, 0, 0, 0,
                "its centre of mass is the middle of the wrist pin",
            ),
        ],
        "crank, rod and slider in their outer dead centre",
    )  # fmt: skip
    book.table(
        "Points",
        column_list("name :14, body :14, x [mm] 0.000, y [mm] 0.000, notes :52"),
        [
            ("A", "ground", 0, 0, "main bearing"),
            ("B", "crank", Formula(f"={radius}", RADIUS), 0, "crank pin"),
            ("C", "rod", Formula(f"={radius}+{rod}", RADIUS + ROD), 0, "middle of the rod's eye"),
            ("D", "slider", Formula(f"={radius}+{rod}", RADIUS + ROD), 0, "middle of the wrist pin"),
        ],
        "middles of the joints in the initial configuration, global coordinates",
    )


def _joints(book: Handout) -> None:
    book.table(
        "Joints",
        column_list("name :16, type :16, body_i :12, body_j :12, point :10, axis_x 0, axis_y 0, notes :44"),
        [
            ("main bearing", "revolute", "ground", "crank", "A", None, None, ""),
            ("crank pin", "revolute", "crank", "rod", "B", None, None, ""),
            ("guide", "translational", "ground", "slider", "D", 1, 0, "horizontal, through the wrist pin"),
        ],
        "two hinges and a slide; the wrist pin is on Clearances",
    )
    speed = book.at("Dimensions", "speed", "value")
    book.table(
        "Drivers",
        column_list("name :14, joint :16, coordinate :12, velocity [deg/s] 0.000, notes :52"),
        [("motor", "main bearing", "angle", Formula(f"={speed}*360/60", SPEED * 6), "speed from Dimensions")],
        "the motor turns the crank at constant speed",
    )
    steel = 207
    book.table(
        "Clearances",
        column_list(
            "name :14, body_i :12, body_j :12, point_i :10, point_j :10, radius_i [mm] 0.000, "
            "radius_j [mm] 0.000, law :20, friction_i 0.00, friction_j 0.00, restitution_i 0.00 :14, "
            "restitution_j 0.00 :14, young_i [GPa] 0, young_j [GPa] 0, poisson_i 0.00, poisson_j 0.00, notes :44"
        ),
        [
            (
                "wrist pin", "rod", "slider", "C", "D", EYE, PIN, "lankarani-nikravesh", 0, 0, 0.9, 0.9, steel, steel,
                0.3, 0.3, "body i has the bearing, body j the journal",
            )
        ],
        "the wrist pin in the rod's eye",
    )  # fmt: skip


def _sketch(book: Handout) -> list[Line]:
    a, b, c = book.shifted("A"), book.shifted("B"), book.shifted("C")
    corners = [(-22.0, -17.0), (22.0, -17.0), (22.0, 17.0), (-22.0, 17.0), (-22.0, -17.0)]
    ring = [2 * pi * k / 24 for k in range(25)]
    eye = [book.shifted("C", round(EYE * cos(angle), 3), round(EYE * sin(angle), 3)) for angle in ring]
    return [
        Line("guide", [book.shifted("C", -40, -17), book.shifted("C", 40, -17)], (), "#9AA7B1", 1.5, markers="none"),
        Line("slider", [book.shifted("C", dx, dy) for dx, dy in corners], colour="#8A6D3B", markers="none"),
        Line("rod", [b, c], ("B", "C, D"), colour="#5B8C5A", label_at="above"),
        Line("eye", eye, colour="#5B8C5A", width=1.5, markers="none"),
        Line("crank", [a, b], ("A", ""), colour="#3E6A8F", label_at="below"),
    ]


if __name__ == "__main__":
    run_script(make)

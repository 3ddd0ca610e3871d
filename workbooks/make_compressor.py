"""Make compressor.xlsx: a slider-crank that compresses gas under a constant torque, MBDM's dynamic example after Haug."""

from __future__ import annotations

from pathlib import Path

import readme
from formulas import Dimensions, dimension, number
from sketch import Line
from style import Handout, Layout, column_list, run_script

GAS = (
    "if(slider.vx > 0, if(slider.x <= 5, -282857/(6 - slider.x) + 62857, -110000*(1 - sin(2*pi*(slider.x - 5.25)))), 0)"
)


def make(folder: Path, layout: Layout = Handout) -> Path:
    """Write the workbook into ``folder``, laid out so, and return its path."""
    book = layout(folder / "compressor.xlsx", "Compressor")
    book.run_settings(
        analysis=("dynamic", "the torque is given, the motion follows"),
        gravity_x=0,
        gravity_y=(0, "the plane lies level"),
        t_start=0,
        t_end=(1, "about five turns of the crank"),
        t_step=(0.001, "spacing of the result rows; the integrator chooses its own steps"),
    )
    made = Dimensions()
    crank = made.add("crank radius", 2.0, "m")
    rod = made.add("rod length", 3.5, "m")
    speed = made.add("speed", 30.0, "rad/s", "of the crank at the start")
    made.add("torque", 41450.0, "N*m", "on the crank, constant")
    made.add(
        "rod rate", speed * crank / rod, "rad/s", "of the rod at the start: its pin end moves down, its wrist rests"
    )
    book.parameters("Dimensions", made.rows, "lengths, speed and torque, our own sheet")
    _points(book)
    _bodies(book)
    book.table(
        "Joints",
        column_list("name :16, type :16, body_i :12, body_j :12, point :10, axis_x 0, axis_y 0, notes :44"),
        [
            ("main bearing", "revolute", "ground", "crank", "A", None, None, ""),
            ("crank pin", "revolute", "crank", "rod", "B", None, None, ""),
            ("wrist pin", "revolute", "rod", "slider", "C", None, None, ""),
            ("cylinder", "translational", "ground", "slider", "C", 1, 0, "along x, through the main bearing"),
        ],
        "three hinges and a slide",
    )
    book.table(
        "Forces",
        column_list("name :12, body :12, fx [N] :76, moment [N*m] 0, notes :40"),
        [
            ("gas", "slider", GAS, None, "an expression of the slider's motion, SI"),
            ("motor", "crank", None, dimension(book, "torque").cell, ""),
        ],
        "gas on the piston, torque on the crank",
    )
    book.charts(
        [
            ("Speed of the crank", "time", "crank.omega", "line"),
            ("Piston", "time", "slider.x", "line"),
            ("Load of the crank pin", "crank pin.i.fx", "crank pin.i.fy", "xy"),
            ("Side force on the cylinder", "time", "cylinder.j.fy", "line"),
            ("Kinetic energy", "time", "kinetic_energy", "line"),
        ],
        x=14,
        y=54,
    )
    at = {name: (book.link("Points", name, "x"), book.link("Points", name, "y")) for name in "ABC"}
    lines = [
        Line("cylinder", [(1.0, 0.0), (5.8, 0.0)], colour="#9AA7B1", width=1.25, markers="none", dashed=True),
        Line("crank", [at["A"], at["B"]], ("A", "B")),
        Line("rod", [at["B"], at["C"]], ("", "C"), colour="#B4532A", label_at="above"),
    ]
    return book.finish(readme.text("compressor"), lines, "m")


def _points(book: Handout) -> None:
    crank, rod = dimension(book, "crank radius"), dimension(book, "rod length")
    book.table(
        "Points",
        column_list("name :12, body :12, x [m] 0.000, y [m] 0.000, report :10, notes :52"),
        [
            ("A", "ground", 0, 0, "no", "main bearing"),
            ("B", "crank", (-crank).cell, 0, "yes", "crank pin: at the inner dead centre"),
            ("C", "rod", (rod - crank).cell, 0, "yes", "wrist pin"),
        ],
        "pins in the initial configuration",
    )


def _bodies(book: Handout) -> None:
    crank, speed, rate = (dimension(book, name) for name in ("crank radius", "speed", "rod rate"))
    x_pin, x_wrist = (number(book, "Points", name, "x") for name in "BC")
    book.table(
        "Bodies",
        column_list(
            "name :12, mass [kg] 0.0, inertia [kg*m^2] 0.0, x [m] 0.000, y [m] 0.000, phi [deg] 0.0, "
            "vy [m/s] 0.000, omega [rad/s] 0.000, notes :52"
        ),
        [
            ("crank", 200, 450, 0, 0, 180, 0, speed.cell, "its centre of mass is at the pivot"),
            (
                *("rod", 35, 35, ((x_pin + x_wrist) / 2).cell, 0, 0),
                *((-speed * crank / 2).cell, rate.cell, "its pin end moves down, its wrist rests"),
            ),
            ("slider", 25, 1, x_wrist.cell, 0, 0, 0, 0, "it does not turn, so its inertia has no effect"),
        ],
        "crank, rod and slider: mass properties, pose and velocity at the start",
    )


if __name__ == "__main__":
    run_script(make)

"""Make crank-fit.xlsx: masses and friction of a slider-crank, fitted to the measured torque of its motor."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import readme
from sketch import Line
from study_sheets import WIDE
from style import Column, Handout, Layout, column_list, run_script

CRANK, ROD, TO_ROD, TURNS_AT, GRAVITY = 0.05, 0.2, 0.08, 30.0, 9.81
"""m; rad/s; m/s^2"""
DRAWN = {"crank": 1.8, "rod": 0.85, "slider": 1.4, "damping": 2.0}
TRUE = {"crank": 1.8, "rod": 0.9, "slider": 1.6, "damping": 2.4}
"""kg, and N s/m: what the sheets say, and what the readings were made with"""
ROD_INERTIA, END, READINGS, NOISE = 0.004, 0.2, 41, 0.01
"""kg m^2, s, and N m"""


def torque(numbers: dict[str, float], times: np.ndarray) -> np.ndarray:
    """Torque of the motor, N m, by virtual power: M w = sum m (a + g).v + J alpha omega of the rod + c v^2 of the slider."""
    phi = TURNS_AT * times
    sine, cosine = np.sin(phi), np.cos(phi)
    rod_sine = -CRANK / ROD * sine
    rod_cosine = np.sqrt(1.0 - rod_sine**2)
    rate = -CRANK / ROD * cosine * TURNS_AT / rod_cosine
    acceleration = (CRANK / ROD * sine * TURNS_AT**2 + rod_sine * rate**2) / rod_cosine

    def of_mass(crank: float, rod: float) -> np.ndarray:
        vx, vy = -crank * sine * TURNS_AT - rod * rod_sine * rate, crank * cosine * TURNS_AT + rod * rod_cosine * rate
        ax = -crank * cosine * TURNS_AT**2 - rod * (rod_cosine * rate**2 + rod_sine * acceleration)
        ay = -crank * sine * TURNS_AT**2 + rod * (rod_cosine * acceleration - rod_sine * rate**2)
        return np.asarray(vx * ax + vy * (ay + GRAVITY))

    slide = -CRANK * sine * TURNS_AT - ROD * rod_sine * rate
    power = numbers["crank"] * of_mass(0.5 * CRANK, 0.0) + numbers["rod"] * of_mass(CRANK, TO_ROD)
    power += numbers["slider"] * of_mass(CRANK, ROD) + numbers["damping"] * slide**2 + ROD_INERTIA * rate * acceleration
    return np.asarray(power / TURNS_AT)


def make(folder: Path, layout: Layout = Handout) -> Path:
    """Write the workbook into ``folder``, laid out so, and return its path."""
    book = layout(folder / "crank-fit.xlsx", "Masses of a slider-crank")
    book.run_settings(
        analysis=("inverse dynamic", "the motor fixes the motion; its torque follows"),
        gravity_y=-GRAVITY,
        t_end=(END, "a little less than a turn"),
        t_step=0.005,
    )
    _mechanism(book)
    times = np.linspace(0.0, END, READINGS)
    noise = NOISE * np.random.default_rng(1).standard_normal(READINGS)
    readings = list(zip(times.tolist(), np.round(torque(TRUE, times) + noise, 4).tolist(), strict=True))
    book.series(
        "Measured", column_list("time [s] 0.000 :14, torque [N*m] 0.0000 :14"), readings, "as the logger has it"
    )
    book.declared(
        "Measurements",
        "name of column sd notes",
        [("torque", "motor.moment", "torque", NOISE, "of the motor, over time; sd in N m")],
        WIDE,
    )
    rows = {name: book.first["Bodies"] + 1 + k for k, name in enumerate(("crank", "rod", "slider"))}
    about = "weighed with half of the bearing: good for 0.1 kg"
    variables = [
        ("rod mass", f"Bodies!B{rows['rod']}", 0.1, None, None, about),
        ("slider mass", f"Bodies!B{rows['slider']}", 0.5, None, None, "from a drawing: good for 0.5 kg"),
        ("friction", f"Springs!G{book.first['Springs'] + 1}", None, 0, 10, "not known: two bounds, no sd"),
    ]
    book.declared("Study", "setting value notes", [("method", "fit", "cells from what was measured")], WIDE)
    book.declared("Variables", "name cell sd low high notes", variables, WIDE)
    return book.finish(readme.text("crank-fit"), _sketch(book), "m")


def _mechanism(book: Handout) -> None:
    """Stretched out to the right at the start."""
    places = [Column(axis, "m", "0.000") for axis in "xy"]
    reach = CRANK + ROD
    book.table(
        "Bodies",
        [Column("name", width=14), Column("mass", "kg", "0.00"), Column("inertia", "kg*m^2", "0.000"), *places],
        [
            ("crank", DRAWN["crank"], 0.002, 0.5 * CRANK, 0),
            ("rod", DRAWN["rod"], ROD_INERTIA, CRANK + TO_ROD, 0),
            ("slider", DRAWN["slider"], 0.001, reach, 0),
        ],
        "crank, rod and slider with their centres of mass at the start",
    )
    book.table(
        "Points",
        [Column("name", width=14), Column("body", width=14), *places],
        [
            ("A", "ground", 0, 0),
            ("B", "crank", CRANK, 0),
            ("C", "rod", reach, 0),
            ("D", "slider", reach, 0),
            ("W", "ground", 0.5, 0),
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
            ("guide", "translational", "ground", "slider", "D", 1, 0),
        ],
        "three hinges and a slide",
    )
    book.table(
        "Springs",
        [Column(name, width=14) for name in ("name", "type", "body_i", "body_j", "point_i", "point_j")]
        + [Column("c", "N*s/m", "0.00"), Column("length0", "m", "0.00")],
        [("friction", "translational", "ground", "slider", "W", "D", DRAWN["damping"], 0.25)],
        "the friction of the guide as a damper along it",
    )
    book.table(
        "Drivers",
        column_list("name :14, joint :14, coordinate :14, position [rad] 0.000 :14, velocity [rad/s] 0.000 :14"),
        [("motor", "main bearing", "angle", 0, TURNS_AT)],
        "the crank turns steadily",
    )


def _sketch(book: Handout) -> list[Line]:
    a, b, c = book.shifted("A"), book.shifted("B"), book.shifted("C")
    return [
        Line("rod", [b, c], ("B", "C"), colour="#5B8C5A"),
        Line("crank", [a, b], ("A", ""), colour="#3E6A8F", label_at="below"),
    ]


if __name__ == "__main__":
    run_script(make)

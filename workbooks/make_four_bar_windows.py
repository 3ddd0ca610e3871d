"""Make four-bar-windows.xlsx: two windows of links that pass through singular positions, IFToMM benchmark A02."""

from __future__ import annotations

from pathlib import Path

import readme
from formulas import Dimensions, dimension
from sketch import Line
from style import Handout, Layout, column_list, run_script

WINDOWS = 2


def make(folder: Path, layout: Layout = Handout) -> Path:
    """Write the workbook into ``folder``, laid out so, and return its path."""
    book = layout(folder / "four-bar-windows.xlsx", "Four-bar windows")
    book.run_settings(
        analysis=("dynamic", "the windows swing freely"),
        gravity_x=0,
        gravity_y=(-9.81, "gravity pulls along -y"),
        t_start=0,
        t_end=(10, "several passages through the singular positions"),
        t_step=(0.01, "spacing of the result rows; the integrator chooses its own steps"),
    )
    made = Dimensions()
    length = made.add("link length", 1.0, "m")
    mass = made.add("link mass", 1.0, "kg")
    speed = made.add("speed", 1.0, "m/s", "of the first coupler")
    made.add("inertia", mass * length**2 / 12, "kg*m^2", "of a slender link about its centre of mass")
    made.add("rate", -speed / length, "rad/s", "of the rods")
    book.parameters("Dimensions", made.rows, "one link, our own sheet: change a number and the others follow")
    _bodies(book)
    _points(book)
    _joints(book)
    book.charts(
        [
            ("Path of B0", "B0.x", "B0.y", "xy"),
            ("Angle of the rods", "time", "rod 0.phi; rod 1.phi; rod 2.phi", "line"),
            ("Energy", "time", "kinetic_energy; potential_energy; total_energy", "line"),
        ],
        x=12,
        y=44,
    )
    tops = [(book.link("Points", f"B{k}", "x"), book.link("Points", f"B{k}", "y")) for k in range(WINDOWS + 1)]
    feet = [(book.link("Points", f"A{k}", "x"), book.link("Points", f"A{k}", "y")) for k in range(WINDOWS + 1)]
    rods = [
        Line(f"rod {k}", [feet[k], tops[k]], (f"A{k}", f"B{k}"), label_at="left" if k == 0 else "right")
        for k in range(WINDOWS + 1)
    ]
    return book.finish(readme.text("four-bar-windows"), [*rods, Line("tops", tops, colour="#B4532A")], "m")


def _bodies(book: Handout) -> None:
    length, mass, inertia, speed, rate = (
        dimension(book, name) for name in ("link length", "link mass", "inertia", "speed", "rate")
    )
    rows = []
    for k in range(WINDOWS + 1):
        x, y, vx = (length * k).cell, (length / 2).cell, (speed / 2).cell
        rows.append((f"rod {k}", mass.cell, inertia.cell, x, y, 90, vx, rate.cell, f"stands on A{k}"))
    for k in range(WINDOWS):
        x, y = (length * (k + 0.5)).cell, length.cell
        rows.append((f"top {k}", mass.cell, inertia.cell, x, y, 0, speed.cell, 0, f"couples B{k} and B{k + 1}"))
    book.table(
        "Bodies",
        column_list(
            "name :12, mass [kg] 0.000, inertia [kg*m^2] 0.000000, x [m] 0.000, y [m] 0.000, phi [deg] 0.0, "
            "vx [m/s] 0.000, omega [rad/s] 0.000, notes :40"
        ),
        rows,
        "five equal links: mass properties, pose and velocity at the start",
    )


def _points(book: Handout) -> None:
    length = dimension(book, "link length")
    rows = []
    for k in range(WINDOWS + 1):
        rows.append((f"A{k}", "ground", (length * k).cell, 0, "no", "foot of a rod"))
        rows.append((f"B{k}", f"rod {k}", (length * k).cell, length.cell, "yes", "head of a rod"))
    book.table(
        "Points",
        column_list("name :12, body :12, x [m] 0.000, y [m] 0.000, report :10, notes :40"),
        rows,
        "feet and heads of the rods",
    )


def _joints(book: Handout) -> None:
    rows = [(f"foot {k}", "revolute", "ground", f"rod {k}", f"A{k}", "") for k in range(WINDOWS + 1)]
    for k in range(WINDOWS):
        rows.append((f"left of top {k}", "revolute", f"rod {k}", f"top {k}", f"B{k}", ""))
        rows.append((f"right of top {k}", "revolute", f"rod {k + 1}", f"top {k}", f"B{k + 1}", ""))
    book.table(
        "Joints", column_list("name :18, type :14, body_i :12, body_j :12, point :10, notes :40"), rows, "seven hinges"
    )


if __name__ == "__main__":
    run_script(make)

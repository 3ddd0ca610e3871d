"""Make bricard.xlsx: five rods and six hinges that move although a count of freedoms forbids it, IFToMM benchmark A04."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import readme
from formulas import Dimensions, dimension, place, seen
from sketch import Line, View
from style import Handout, Layout, column_list, run_script

LENGTH, SECTION, MASS = 1.0, 0.1, 1.0
CORNERS = {"P1": (0, 0, 0), "P2": (1, 0, 0), "P3": (1, -1, 0), "P4": (1, -1, 1), "P5": (0, -1, 1), "P6": (0, 0, 1)}
AXES = "yzxyzx"
"""of the hinges at P1 to P6"""
VIEW = View(azimuth=-55.0, elevation=22.0)


def make(folder: Path, layout: Layout = Handout) -> Path:
    """Write the workbook into ``folder``, laid out so, and return its path."""
    book = layout(folder / "bricard.xlsx", "Bricard's mechanism", space=True)
    book.run_settings(
        analysis=("dynamic", "the loop falls freely"),
        gravity_x=0,
        gravity_y=(-9.81, "gravity pulls along -y"),
        gravity_z=0,
        t_start=0,
        t_end=(10, "two swings"),
        t_step=(0.01, "spacing of the result rows; the integrator chooses its own steps"),
    )
    made = Dimensions()
    length = made.add("rod length", LENGTH, "m")
    side = made.add("side of the section", SECTION, "m", "square")
    mass = made.add("rod mass", MASS, "kg")
    made.add("inertia along", mass * side**2 / 6, "kg*m^2", "of a rod about its own line")
    made.add("inertia across", mass * (length**2 + side**2) / 12, "kg*m^2", "square to it, through the centre of mass")
    book.parameters("Dimensions", made.rows, "the rod, our own sheet: change a number and the others follow")
    _points(book)
    _bodies(book)
    book.table(
        "Joints",
        column_list("name :12, type :16, body_i :12, body_j :12, point :10, axis_x 0, axis_y 0, axis_z 0, notes :52"),
        [
            (
                *(
                    f"hinge {k + 1}",
                    "revolute",
                    "ground" if k == 0 else f"rod {k}",
                    f"rod {k + 1}" if k < 5 else "ground",
                ),
                *(f"P{k + 1}", *(1 if axis == name else 0 for name in "xyz")),
                f"along {axis}: square to both of its links",
            )
            for k, axis in enumerate(AXES)
        ],
        "the six hinges",
    )
    book.charts(
        [
            ("Position of P3", "time", "P3.x; P3.y; P3.z", "line"),
            ("Path of P3, seen along z", "P3.x", "P3.y", "xy"),
            ("The two angles of the loop", "time", "hinge 1.angle; hinge 2.angle", "line"),
            ("Angles of one kind turn together", "time", "hinge 1.angle; hinge 3.angle; hinge 5.angle", "line"),
            ("One angle over the other", "hinge 1.angle", "hinge 2.angle", "xy"),
            ("Energy", "time", "kinetic_energy; potential_energy; total_energy", "line"),
        ],
        x=12,
        y=44,
    )
    return book.finish(readme.text("bricard"), _sketch(book), "")


def _points(book: Handout) -> None:
    length = dimension(book, "rod length")
    carriers = ("ground", *(f"rod {k}" for k in range(1, 5)), "ground")
    book.table(
        "Points",
        column_list("name :12, body :12, x [m] 0.000, y [m] 0.000, z [m] 0.000, report :10, notes :40"),
        [
            (
                name,
                carrier,
                *((length * value).cell if value else 0 for value in corner),
                "no" if carrier == "ground" else "yes",
                "the benchmark's point of reference" if name == "P3" else "",
            )
            for (name, corner), carrier in zip(CORNERS.items(), carriers, strict=True)
        ],
        "the corners of the loop in the initial configuration: edges of a cube",
    )


def _bodies(book: Handout) -> None:
    names = list(CORNERS)
    along, across = dimension(book, "inertia along").cell, dimension(book, "inertia across").cell
    rows = []
    for k, (first, second) in enumerate(pairwise(names), start=1):
        line = next(axis for axis in range(3) if CORNERS[first][axis] != CORNERS[second][axis])
        centre = [(a + b) / 2 for a, b in zip(place(book, first), place(book, second), strict=True)]
        inertia = [along if axis == line else across for axis in range(3)]
        notes = f"from {first} to {second}; its axes are parallel to the global ones at the start"
        rows.append((f"rod {k}", dimension(book, "rod mass").cell, *inertia, *(each.cell for each in centre), notes))
    book.table(
        "Bodies",
        column_list(
            "name :12, mass [kg] 0.000, ixx [kg*m^2] 0.000000, iyy [kg*m^2] 0.000000, izz [kg*m^2] 0.000000, "
            "x [m] 0.000, y [m] 0.000, z [m] 0.000, notes :58"
        ),
        rows,
        "the five rods: mass properties and pose at the start",
    )


def _sketch(book: Handout) -> list[Line]:
    at = {name: seen(VIEW, *place(book, name)) for name in CORNERS}
    names = list(CORNERS)
    return [
        *VIEW.axes((-0.55, 0.0, 0.0), 0.25),
        Line("ground", [at["P6"], at["P1"]], colour="#9AA7B1", width=1.5, markers="none", dashed=True),
        Line("rods 1 to 3", [at[name] for name in names[:4]], ("", "P2", "P3", ""), label_at="right"),
        Line("rods 3 to 5", [at[name] for name in names[3:]], ("P4", "P5", ""), label_at="above"),
        Line("rod 5", [at["P6"], at["P6"]], ("P6", ""), label_at="left"),
        Line("rod 1", [at["P1"], at["P1"]], ("P1", ""), label_at="left"),
    ]


if __name__ == "__main__":
    run_script(make)

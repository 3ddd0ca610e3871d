"""Make pendulum.xlsx: a point mass on a massless rod, benchmark A01 of the IFToMM library."""

from __future__ import annotations

import sys
from pathlib import Path

from sketch import Line
from style import Handout, Layout, column_list

README = """
A point mass of 1 kg on a massless rod of 1 m, let go from the horizontal and left to swing for 10 s.

# Source
Benchmark A01 of the IFToMM library of computational benchmark problems for multibody dynamics. The library publishes
the path of the bob; the exact motion is known in closed form by Jacobi elliptic functions.

# How to run
{run}

# What to look at
mbs Bodies: at t = 10 s the bob is at x = -0.2750874626 m, y = -0.9614192051 m.

mbs Constraints: position_violation says how well the rod kept its length; total_energy starts at 0 and should stay
there, for nothing dissipates energy.

mbs Joints: the pull in the rod. At the lowest point it is three times the weight, 29.43 N.
"""


def make(folder: Path, layout: Layout = Handout) -> Path:
    """Write the workbook into ``folder``, laid out so, and return its path."""
    path = folder / "pendulum.xlsx"
    book = layout(path, "Simple pendulum")
    book.settings(
        [
            ("title", "Simple pendulum", "", ""),
            ("analysis", "dynamic", "", "the pendulum swings freely"),
            ("gravity_x", 0, "m/s^2", ""),
            ("gravity_y", -9.81, "m/s^2", "gravity pulls down, along -y"),
            ("t_start", 0, "s", ""),
            ("t_end", 10, "s", "about four full swings"),
            ("t_step", 0.01, "s", "spacing of the result rows; the integrator chooses its own steps"),
        ]
    )
    book.table(
        "Bodies",
        column_list(
            "name :16, mass [kg] 0.000, inertia [kg*m^2] 0.000, x [m] 0.000, y [m] 0.000, vx [m/s] 0.000, "
            "vy [m/s] 0.000, notes :60"
        ),
        [("bob", 1, 0, -1, 0, 0, 0, "a point: it has no moment of inertia; starts level with the pivot, at rest")],
        "the bob, a point mass",
    )
    book.table(
        "Points",
        column_list("name :16, body :16, x [m] 0.000, y [m] 0.000, notes :60"),
        [
            ("pivot", "ground", 0, 0, "origin of the global frame"),
            ("bob centre", "bob", -1, 0, "where the rod takes hold"),
        ],
        "pivot and bob",
    )
    book.table(
        "Joints",
        column_list(
            "name :16, type :16, body_i :16, body_j :16, point_i :16, point_j :16, length [m] 0.000, notes :50"
        ),
        [
            (
                "rod",
                "distance",
                "ground",
                "bob",
                "pivot",
                "bob centre",
                1,
                "the massless rod keeps the bob at its distance",
            )
        ],
        "the massless rod",
    )
    sketch = [
        Line("path", _arc(), colour="#9AA7B1", width=1.25, markers="none", dashed=True),
        Line(
            "rod",
            [
                (book.link("Points", "pivot", "x"), book.link("Points", "pivot", "y")),
                (book.link("Bodies", "bob", "x"), book.link("Bodies", "bob", "y")),
            ],
            ("pivot", "bob, 1 kg"),
        ),
    ]
    book.finish(
        README,
        sketch,
        "m",
    )
    return path


def _arc() -> list[tuple[float, float]]:
    """The half circle below the pivot, coarse enough to read in the sheet."""
    quarter = [(-1.0, 0.0), (-0.9659, -0.2588), (-0.866, -0.5), (-0.7071, -0.7071), (-0.5, -0.866), (-0.2588, -0.9659)]
    return [*quarter, (0.0, -1.0), *((-x, y) for x, y in reversed(quarter))]


if __name__ == "__main__":
    make(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)

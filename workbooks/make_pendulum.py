"""Make pendulum.xlsx: a point mass on a massless rod, benchmark A01 of the IFToMM library."""

from __future__ import annotations

from pathlib import Path

import readme
from sketch import Line
from style import Handout, Layout, column_list, run_script


def make(folder: Path, layout: Layout = Handout) -> Path:
    """Write the workbook into ``folder``, laid out so, and return its path."""
    book = layout(folder / "pendulum.xlsx", "Simple pendulum")
    book.run_settings(
        analysis=("dynamic", "the pendulum swings freely"),
        gravity_x=0,
        gravity_y=(-9.81, "gravity pulls down, along -y"),
        t_start=0,
        t_end=(10, "about four full swings"),
        t_step=(0.01, "spacing of the result rows; the integrator chooses its own steps"),
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
    return book.finish(readme.text("pendulum"), sketch, "m")


def _arc() -> list[tuple[float, float]]:
    """The half circle below the pivot, coarse enough to read in the sheet."""
    quarter = [(-1.0, 0.0), (-0.9659, -0.2588), (-0.866, -0.5), (-0.7071, -0.7071), (-0.5, -0.866), (-0.2588, -0.9659)]
    return [*quarter, (0.0, -1.0), *((-x, y) for x, y in reversed(quarter))]


if __name__ == "__main__":
    run_script(make)

"""Make quarter-car.xlsx: a quarter of a car on its wheel, and how it vibrates."""

from __future__ import annotations

from pathlib import Path

import readme
from formulas import Term, number
from sketch import Line
from style import Handout, Layout, column_list, run_script

GRAVITY = 9.81
BODY, WHEEL = 260.0, 40.0
SUSPENSION, TYRE = (20e3, 1500.0), (200e3, 100.0)
HUB, MOUNT = 0.30, 0.70
CORNERS = (
    *(("wheel", "left", -0.1, HUB), ("wheel", "right", 0.1, HUB)),
    *(("body", "left", -0.25, MOUNT), ("body", "right", 0.25, MOUNT)),
)


def make(folder: Path, layout: Layout = Handout) -> Path:
    """Write the workbook into ``folder``, laid out so, and return its path."""
    book = layout(folder / "quarter-car.xlsx", "Quarter car")
    book.run_settings(
        analysis=("modes", "frequencies, damping ratios and shapes about the equilibrium"),
        gravity_x=0,
        gravity_y=(-GRAVITY, "gravity pulls down, along -y"),
        t_start=0,
    )
    book.table(
        "Bodies",
        column_list("name :12, mass [kg] 0.0, inertia [kg*m^2] 0.0, x [m] 0.000, y [m] 0.000, notes :60"),
        [
            ("wheel", WHEEL, 1, 0, HUB, "wheel, hub and brake, and a part of the arms; it does not turn"),
            ("body", BODY, 1, 0, MOUNT, "a quarter of body, driver and engine; it does not turn"),
        ],
        "wheel and body where they rest",
    )
    book.table(
        "Points",
        column_list("name :12, body :12, x [m] 0.000, y [m] 0.000, notes :44"),
        [
            ("road", "ground", 0, 0, "where the tyre stands"),
            ("hub", "wheel", 0, HUB, ""),
            ("mount", "body", 0, MOUNT, "upper end of the spring"),
            *((f"{name} {side}", name, x, y, "for the picture") for name, side, x, y in CORNERS),
        ],
        "ends of tyre and spring",
    )
    book.table(
        "Joints",
        column_list("name :14, type :16, body_i :12, body_j :12, point :10, axis_x 0, axis_y 0, notes :44"),
        [
            ("wheel guide", "translational", "ground", "wheel", "hub", 0, 1, "stands for the arms"),
            ("body guide", "translational", "ground", "body", "mount", 0, 1, "stands for the other wheels"),
        ],
        "wheel and body move up and down only",
    )
    _springs(book)
    guide = [(-0.3, 0.15), (-0.3, 0.85)]
    hub, mount = ([(book.link("Points", name, "x"), book.link("Points", name, "y"))] for name in ("hub", "mount"))
    lines = [
        Line("guide", guide, colour="#9AA7B1", width=1.25, markers="none", dashed=True),
        Line("tyre", [(book.link("Points", "road", "x"), book.link("Points", "road", "y")), *hub], ("road", "wheel")),
        Line("suspension", [*hub, *mount], ("", "body"), colour="#B4532A"),
    ]
    return book.finish(readme.text("quarter-car"), lines, "m")


def _springs(book: Handout) -> None:
    """Unloaded lengths such that the drawn position is the equilibrium."""
    wheel, body = (number(book, "Bodies", name, "mass") for name in ("wheel", "body"))
    hub, mount = (number(book, "Points", name, "y") for name in ("hub", "mount"))
    loads: tuple[Term, Term] = (body * GRAVITY, (wheel + body) * GRAVITY)
    book.table(
        "Springs",
        column_list(
            "name :14, type :16, body_i :12, body_j :12, point_i :10, point_j :10, k [N/m] 0, c [N*s/m] 0, "
            "length0 [m] 0.0000, notes :52"
        ),
        [
            (
                *("suspension", "translational", "wheel", "body", "hub", "mount", *SUSPENSION),
                *(
                    (mount - hub + loads[0] / SUSPENSION[0]).cell,
                    "spring and damper; unloaded length: carries the body",
                ),
            ),
            (
                *("tyre", "translational", "ground", "wheel", "road", "hub", *TYRE),
                *((hub + loads[1] / TYRE[0]).cell, "the tyre as a spring; unloaded length: carries both"),
            ),
        ],
        "suspension and tyre",
    )


if __name__ == "__main__":
    run_script(make)

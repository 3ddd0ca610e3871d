"""Make andrews.xlsx: Andrews' squeezing mechanism, seven bodies that whirl within five hundredths of a second, IFToMM A03."""

from __future__ import annotations

from math import cos, sin
from pathlib import Path

import readme
from formulas import Dimensions, dimension
from sketch import Line
from style import Handout, Layout, column_list, run_script

D, DA, E, EA, ZF, FA, RR, RA, SS = 28.0, 11.5, 20.0, 14.21, 20.0, 14.21, 7.0, 0.92, 35.0
SA, SB, SC, SD, ZT, TA, TB, U, UA, UB = 18.74, 10.43, 18.0, 20.0, 40.0, 23.08, 9.16, 40.0, 12.28, 4.49
"""lengths of table 7.1 in mm"""
FIXED = {"O": (0.0, 0.0), "A": (-69.34, -2.27), "B": (-36.35, 32.73), "C": (14.0, 72.0)}
MASSES = (0.04325, 0.00365, 0.02373, 0.00706, 0.0705, 0.00706, 0.05498)
INERTIAS = (2.194, 0.441, 5.255, 0.5667, 11.69, 0.5667, 19.12)
"""of table 7.2 in kg and kg mm^2"""
BETA, THETA, GAMMA, PHI, DELTA, OMEGA, EPSILON = (
    *(-0.06171389001427645, 0.0, 0.4552798191630704, 0.2226683901658859),
    *(0.4873649795438426, -0.2226683901658859, 1.230547444549821),
)
"""angles (7.7) at the start in rad"""


def make(folder: Path, layout: Layout = Handout) -> Path:
    """Write the workbook into ``folder``, laid out so, and return its path."""
    book = layout(folder / "andrews.xlsx", "Andrews' squeezing mechanism")
    book.run_settings(
        analysis=("dynamic", "the torque is given, the motion follows"),
        gravity_x=0,
        gravity_y=(0, "the plane lies level"),
        t_start=0,
        t_end=(0.05, "more than five turns of K1"),
        t_step=(0.0001, "spacing of the result rows; the integrator chooses its own steps"),
    )
    made = Dimensions()
    made.add("torque", 0.033, "N*m", "of the motor on K1")
    made.add("stiffness", 4530.0, "N/m", "of the spring from D to C")
    made.add("natural length", 77.85, "mm", "of that spring")
    book.parameters("Dimensions", made.rows, "motor and spring, our own sheet")
    _points(book)
    _bodies(book)
    _joints(book)
    _loads(book)
    book.charts(
        [
            ("Angle of the driven crank", "time", "K1.phi", "line"),
            ("Angles of the others", "time", "K2.phi; K3.phi; K4.phi; K5.phi; K6.phi; K7.phi", "line"),
            ("Path of E", "E.x", "E.y", "xy"),
            ("Path of D", "D.x", "D.y", "xy"),
            ("Pull of the spring", "time", "spring.force", "line"),
            ("Speed of the crank", "time", "K1.omega", "line"),
        ],
        x=12,
        y=60,
    )
    return book.finish(readme.text("andrews"), _sketch(book), "mm")


def places() -> dict[str, tuple[float, float]]:
    """Pins and ends of the spring at the start, mm."""
    f = RR * cos(BETA), RR * sin(BETA)
    e = f[0] - D * cos(BETA + THETA), f[1] - D * sin(BETA + THETA)
    (xa, ya), (xb, yb) = FIXED["A"], FIXED["B"]
    return FIXED | {
        "F": f,
        "E": e,
        "D": (xb + SC * sin(GAMMA) + SD * cos(GAMMA), yb - SC * cos(GAMMA) + SD * sin(GAMMA)),
        "G": (xa + ZT * cos(DELTA), ya + ZT * sin(DELTA)),
        "H": (xa + U * sin(EPSILON), ya - U * cos(EPSILON)),
    }


def centres() -> list[tuple[float, float, float]]:
    """Centres of mass, mm, and angles, rad, of K1 to K7 at the start."""
    at = places()
    (xa, ya), (xb, yb) = FIXED["A"], FIXED["B"]
    two, four, six = BETA + THETA, PHI + DELTA, OMEGA + EPSILON
    return [
        (RA * cos(BETA), RA * sin(BETA), BETA),
        (at["F"][0] - DA * cos(two), at["F"][1] - DA * sin(two), two),
        (xb + SA * sin(GAMMA) + SB * cos(GAMMA), yb - SA * cos(GAMMA) + SB * sin(GAMMA), GAMMA),
        (at["G"][0] + (E - EA) * sin(four), at["G"][1] - (E - EA) * cos(four), four),
        (xa + TA * cos(DELTA) - TB * sin(DELTA), ya + TA * sin(DELTA) + TB * cos(DELTA), DELTA),
        (at["H"][0] + (ZF - FA) * cos(six), at["H"][1] + (ZF - FA) * sin(six), six),
        (xa + UA * sin(EPSILON) - UB * cos(EPSILON), ya - UA * cos(EPSILON) - UB * sin(EPSILON), EPSILON),
    ]


def _points(book: Handout) -> None:
    about = {
        "O": ("ground", "shaft of the motor"),
        "A": ("ground", "bearing of K5 and of K7"),
        "B": ("ground", "bearing of K3"),
        "C": ("ground", "fixed end of the spring"),
        "F": ("K1", "between K1 and K2"),
        "E": ("K2", "where K2, K3, K4 and K6 meet"),
        "D": ("K3", "moving end of the spring"),
        "G": ("K5", "between K5 and K4"),
        "H": ("K7", "between K7 and K6"),
    }
    book.table(
        "Points",
        column_list("name :10, body :10, x [mm] 0.0000, y [mm] 0.0000, report :10, notes :44"),
        [
            (name, about[name][0], x, y, "yes" if name in "FED" else "no", about[name][1])
            for name, (x, y) in places().items()
        ],
        "pins and ends of the spring in the initial configuration",
    )


def _bodies(book: Handout) -> None:
    notes = ("driven crank", "rod", "lever, held by the spring", "link", "rocker", "link", "rocker")
    book.table(
        "Bodies",
        column_list(
            "name :10, mass [kg] 0.00000, inertia [kg*mm^2] 0.0000, x [mm] 0.0000, y [mm] 0.0000, "
            "phi [rad] 0.000000, notes :44"
        ),
        [
            (f"K{k}", MASSES[k - 1], INERTIAS[k - 1], *centre, notes[k - 1])
            for k, centre in enumerate(centres(), start=1)
        ],
        "the seven bodies at rest: mass properties and pose at the start",
    )


def _joints(book: Handout) -> None:
    pins = (
        *(("O1", "ground", "K1", "O"), ("F12", "K1", "K2", "F"), ("E23", "K2", "K3", "E"), ("E24", "K2", "K4", "E")),
        *(("E26", "K2", "K6", "E"), ("B3", "ground", "K3", "B"), ("G45", "K5", "K4", "G"), ("A5", "ground", "K5", "A")),
        *(("H67", "K7", "K6", "H"), ("A7", "ground", "K7", "A")),
    )
    book.table(
        "Joints",
        column_list("name :10, type :14, body_i :10, body_j :10, point :10, notes :44"),
        [(name, "revolute", i, j, point, "named after its point and bodies") for name, i, j, point in pins],
        "ten hinges",
    )


def _loads(book: Handout) -> None:
    torque, stiffness, natural = (dimension(book, name).cell for name in ("torque", "stiffness", "natural length"))
    book.table(
        "Forces",
        column_list("name :10, body :10, moment [N*m] 0.000, notes :44"),
        [("motor", "K1", torque, "constant")],
        "the motor",
    )
    book.table(
        "Springs",
        column_list(
            "name :10, type :16, body_i :10, body_j :10, point_i :10, point_j :10, k [N/m] 0, length0 [mm] 0.00, "
            "notes :44"
        ),
        [("spring", "translational", "K3", "ground", "D", "C", stiffness, natural, "")],
        "the spring",
    )


def _sketch(book: Handout) -> list[Line]:
    at = {name: (book.link("Points", name, "x"), book.link("Points", name, "y")) for name in places()}
    return [
        Line("spring", [at["D"], at["C"]], ("D", "C"), colour="#9AA7B1", width=1.25, dashed=True),
        Line("K1", [at["O"], at["F"]], ("O", "")),
        Line("K2", [at["F"], at["E"]], ("", "E"), colour="#B4532A", label_at="left"),
        Line("K3", [at["E"], at["B"], at["D"], at["E"]], ("", "B", "", ""), label_at="above"),
        Line("K4", [at["E"], at["G"]], ("", "G"), colour="#3E7C59", label_at="above"),
        Line("K5", [at["G"], at["A"]], ("", "A"), label_at="left"),
        Line("K6", [at["E"], at["H"]], ("", "H"), colour="#3E7C59", label_at="right"),
        Line("K7", [at["H"], at["A"]], label_at="right"),
    ]


if __name__ == "__main__":
    run_script(make)

"""Make four-bar.xlsx: a crank-rocker with a coupler point, turned once from rest to rest."""

from __future__ import annotations

from math import acos, atan2, cos, degrees, hypot, radians, sin
from pathlib import Path

import readme
from look import Formula
from sketch import Line
from style import Handout, Layout, column_list, run_script

GROUND, CRANK, COUPLER, ROCKER = 300.0, 80.0, 260.0, 180.0
ALONG, ABOVE, START = 150.0, 110.0, 60.0


def make(folder: Path, layout: Layout = Handout) -> Path:
    """Write the workbook into ``folder``, laid out so, and return its path."""
    book = layout(folder / "four-bar.xlsx", "Four-bar linkage")
    book.run_settings(
        analysis=("kinematic", "motion only: masses may stay blank"),
        t_start=0,
        t_end=(1, "one turn of the crank"),
        t_step=0.005,
    )
    book.parameters(
        "Dimensions",
        [
            ("ground link", GROUND, "mm", "distance of the two fixed pivots, A to D"),
            ("crank", CRANK, "mm", "A to B"),
            ("coupler", COUPLER, "mm", "B to C"),
            ("rocker", ROCKER, "mm", "D to C"),
            ("start angle", START, "deg", "crank against the x axis at t = 0"),
            ("coupler point along", ALONG, "mm", "from B towards C"),
            ("coupler point above", ABOVE, "mm", "at right angles to it, to the left of B to C"),
            (
                "Grashof condition",
                Formula('=IF(MIN(B2:B5)+MAX(B2:B5)<=SUM(B2:B5)/2,"crank turns","crank locks")', "crank turns"),
                "",
                "shortest + longest link against the two others",
            ),
        ],
        "the design, our own sheet: change a number and the others follow",
    )
    _bodies(book)
    _points(book)
    book.table(
        "Joints",
        column_list("name :14, type :14, body_i :14, body_j :14, point :12"),
        [
            ("pivot A", "revolute", "ground", "crank", "A"),
            ("pin B", "revolute", "crank", "coupler", "B"),
            ("pin C", "revolute", "coupler", "rocker", "C"),
            ("pivot D", "revolute", "ground", "rocker", "D"),
        ],
        "four hinges",
    )
    book.table(
        "Drivers",
        column_list("name :14, joint :14, coordinate :14, position [deg] 0.000 :14, expression :36, notes :52"),
        [
            (
                "motor",
                "pivot A",
                "angle",
                None,
                "360*(t - sin(2*pi*t)/(2*pi))",
                "in degrees, the unit of position; a cycloid: starts and stops without a jerk of velocity or acceleration",
            )
        ],
        "the crank turns once, from rest to rest",
    )
    book.charts(
        [
            ("Coupler curve", "P.x", "P.y", "xy"),
            ("Angles of the moving links", "time", "crank.phi; coupler.phi; rocker.phi", "line"),
            ("Rocker over crank", "crank.phi", "rocker.phi", "xy"),
            ("Angular velocities", "time", "crank.omega; coupler.omega; rocker.omega", "line"),
            ("Angular accelerations", "time", "crank.alpha; coupler.alpha; rocker.alpha", "line"),
            ("Acceleration of the coupler point", "time", "P.ax; P.ay", "line"),
        ],
        x=18,
        y=44,
    )
    return book.finish(readme.text("four-bar"), _sketch(book), "mm")


def _pins() -> dict[str, tuple[float, float]]:
    """Pins and coupler point in the initial configuration, by the law of cosines in the triangle B, C, D."""
    start = radians(START)
    b = CRANK * cos(start), CRANK * sin(start)
    diagonal = hypot(GROUND - b[0], -b[1])
    coupler = atan2(-b[1], GROUND - b[0]) + acos((COUPLER**2 + diagonal**2 - ROCKER**2) / (2 * COUPLER * diagonal))
    c = b[0] + COUPLER * cos(coupler), b[1] + COUPLER * sin(coupler)
    p = b[0] + ALONG * cos(coupler) - ABOVE * sin(coupler), b[1] + ALONG * sin(coupler) + ABOVE * cos(coupler)
    return {"A": (0.0, 0.0), "B": b, "C": c, "D": (GROUND, 0.0), "P": p}


def _angle(first: tuple[float, float], second: tuple[float, float]) -> float:
    return degrees(atan2(second[1] - first[1], second[0] - first[0]))


def _bodies(book: Handout) -> None:
    ground, crank, coupler, rocker, start = (
        book.at("Dimensions", name, "value") for name in ("ground link", "crank", "coupler", "rocker", "start angle")
    )
    pins = _pins()
    b_x, b_y = f"{crank}*COS(RADIANS({start}))", f"{crank}*SIN(RADIANS({start}))"
    diagonal = f"SQRT(({ground}-{b_x})^2+({b_y})^2)"
    turn = f"ATAN2({ground}-{b_x},-({b_y}))+ACOS(({coupler}^2+{diagonal}^2-{rocker}^2)/(2*{coupler}*{diagonal}))"
    tilt = _angle(pins["B"], pins["C"])
    swing = _angle(pins["D"], pins["C"])

    def middle(first: str, second: str, axis: int) -> float:
        return (pins[first][axis] + pins[second][axis]) / 2

    c_x, c_y = f"({b_x}+{coupler}*COS({turn}))", f"({b_y}+{coupler}*SIN({turn}))"
    book.table(
        "Bodies",
        column_list("name :14, x [mm] 0.000, y [mm] 0.000, phi [deg] 0.000, notes :52"),
        [
            (
                "crank",
                Formula(f"={b_x}/2", middle("A", "B", 0)),
                Formula(f"={b_y}/2", middle("A", "B", 1)),
                Formula(f"={start}", START),
                "frame in the middle of the link, xi from A to B",
            ),
            (
                "coupler",
                Formula(f"={b_x}+{coupler}*COS({turn})/2", middle("B", "C", 0)),
                Formula(f"={b_y}+{coupler}*SIN({turn})/2", middle("B", "C", 1)),
                Formula(f"=DEGREES({turn})", tilt),
                "xi from B to C",
            ),
            (
                "rocker",
                Formula(f"=({ground}+{c_x})/2", middle("D", "C", 0)),
                Formula(f"={c_y}/2", middle("D", "C", 1)),
                Formula(f"=DEGREES(ATAN2({c_x}-{ground},{c_y}))", swing),
                "xi from D to C",
            ),
        ],
        "the three moving links and their pose at the start",
    )


def _points(book: Handout) -> None:
    pins = _pins()
    along, above = (book.at("Dimensions", name, "value") for name in ("coupler point along", "coupler point above"))
    ground, crank, coupler, start = (
        book.at("Dimensions", name, "value") for name in ("ground link", "crank", "coupler", "start angle")
    )
    tilt = f"RADIANS({book.at('Bodies', 'coupler', 'phi')})"
    b_x, b_y = f"{crank}*COS(RADIANS({start}))", f"{crank}*SIN(RADIANS({start}))"
    formulas = {
        "B": (b_x, b_y),
        "C": (f"{b_x}+{coupler}*COS({tilt})", f"{b_y}+{coupler}*SIN({tilt})"),
        "P": (f"{b_x}+{along}*COS({tilt})-{above}*SIN({tilt})", f"{b_y}+{along}*SIN({tilt})+{above}*COS({tilt})"),
    }
    pairs = {
        name: tuple(Formula(f"={text}", value) for text, value in zip(formulas[name], pins[name], strict=True))
        for name in formulas
    }
    book.table(
        "Points",
        column_list("name :14, body :14, x [mm] 0.000, y [mm] 0.000, report :10, notes :52"),
        [
            ("A", "ground", 0, 0, "no", "fixed pivot of the crank"),
            ("B", "crank", *pairs["B"], "no", "crank and coupler"),
            ("C", "coupler", *pairs["C"], "yes", "coupler and rocker"),
            ("D", "ground", Formula(f"={ground}", GROUND), 0, "no", "fixed pivot of the rocker"),
            ("P", "coupler", *pairs["P"], "yes", "the coupler point"),
        ],
        "pins and coupler point in the initial configuration, global coordinates",
    )


def _sketch(book: Handout) -> list[Line]:
    a, b, c, d, p = ((book.link("Points", name, "x"), book.link("Points", name, "y")) for name in "ABCDP")
    return [
        Line("ground", [a, d], colour="#9AA7B1", width=1.25, markers="none", dashed=True),
        Line("coupler", [b, c, p, b], ("B", "C", "P", ""), colour="#5B8C5A"),
        Line("crank", [a, b], ("A", ""), colour="#3E6A8F", label_at="below"),
        Line("rocker", [d, c], ("D", ""), colour="#8A6D3B", label_at="below"),
    ]


if __name__ == "__main__":
    run_script(make)

"""Make quick-return.xlsx: Whitworth's quick return driving the ram of a shaper, a kinematic example."""

from __future__ import annotations

from math import asin, atan2, cos, degrees, hypot, radians, sin, sqrt
from pathlib import Path

import readme
from look import Formula
from sketch import Line
from style import Handout, Layout, column_list, run_script

CENTRES, CRANK, LEVER, LINK, HEIGHT, START, SPEED = 320.0, 120.0, 700.0, 250.0, 680.0, 0.0, 30.0


def make(folder: Path, layout: Layout = Handout) -> Path:
    """Write the workbook into ``folder``, laid out so, and return its path."""
    book = layout(folder / "quick-return.xlsx", "Quick-return mechanism of a shaper")
    book.run_settings(
        analysis=("kinematic", "motion only: masses may stay blank"),
        t_start=0,
        t_end=(4, "two turns at 30 rpm"),
        t_step=(0.01, "1.8 degrees of crank angle"),
    )
    swing = degrees(asin(CRANK / CENTRES))
    book.parameters(
        "Dimensions",
        [
            ("distance of centres", CENTRES, "mm", "pivot O of the lever to centre A of the crank, straight above it"),
            ("crank", CRANK, "mm", "A to the pin B of the block"),
            ("lever", LEVER, "mm", "O to its upper end D"),
            ("link", LINK, "mm", "D to the ram's pin E"),
            ("height of the ram", HEIGHT, "mm", "of the ram's guide above O"),
            ("start angle", START, "deg", "crank against the x axis at t = 0"),
            ("speed", SPEED, "rpm", "of the crank, counter-clockwise"),
            (
                "swing of the lever",
                Formula("=2*DEGREES(ASIN(B3/B2))", 2 * swing),
                "deg",
                "between its two end positions",
            ),
            (
                "time ratio",
                Formula("=(180+B9)/(180-B9)", (180 + 2 * swing) / (180 - 2 * swing)),
                "",
                "cutting stroke over return stroke",
            ),
        ],
        "the design, our own sheet: change a number and the others follow",
    )
    _points(book)
    _bodies(book)
    book.table(
        "Joints",
        column_list(
            "name :16, type :16, body_i :12, body_j :12, point :10, axis_x 0, axis_y 0, axis_point :13, notes :44"
        ),
        [
            ("crank bearing", "revolute", "ground", "crank", "A", None, None, None, ""),
            ("block pin", "revolute", "crank", "block", "B", None, None, None, ""),
            (
                "slot",
                "translational",
                "lever",
                "block",
                "B",
                None,
                None,
                "D",
                "the block slides along the lever; counts up towards D",
            ),
            ("lever pivot", "revolute", "ground", "lever", "O", None, None, None, ""),
            ("lever end", "revolute", "lever", "link", "D", None, None, None, ""),
            ("ram pin", "revolute", "link", "ram", "E", None, None, None, ""),
            ("ram guide", "translational", "ground", "ram", "E", 1, 0, None, "horizontal"),
        ],
        "five hinges and two slides",
    )
    speed = book.at("Dimensions", "speed", "value")
    book.table(
        "Drivers",
        column_list(
            "name :14, body :14, coordinate :14, position [deg] 0.000 :12, velocity [deg/s] 0.000 :12, notes :52"
        ),
        [
            (
                "motor",
                "crank",
                "phi",
                Formula(f"={book.at('Dimensions', 'start angle', 'value')}", START),
                Formula(f"={speed}*360/60", SPEED * 6),
                "turns the crank at constant speed",
            )
        ],
        "the crank turns at constant speed",
    )
    book.charts(
        [
            ("Position of the ram", "time", "ram.x", "line"),
            ("Velocity of the ram", "time", "ram.vx", "line"),
            ("Acceleration of the ram", "time", "ram.ax", "line"),
            ("Ram over crank angle", "crank.phi", "ram.x", "xy"),
            ("Velocity of the ram over its position", "ram.x", "ram.vx", "xy"),
            ("Angle of the lever", "time", "lever.phi", "line"),
            ("Path of the lever's end", "D.x", "D.y", "xy"),
        ],
        title=40,
        x=18,
        y=30,
    )
    return book.finish(readme.text("quick-return"), _sketch(book), "mm")


def _pins() -> dict[str, tuple[float, float]]:
    """The joints' places in the initial configuration."""
    b = CRANK * cos(radians(START)), CENTRES + CRANK * sin(radians(START))
    reach = hypot(*b)
    d = LEVER * b[0] / reach, LEVER * b[1] / reach
    e = d[0] + sqrt(LINK**2 - (HEIGHT - d[1]) ** 2), HEIGHT
    return {"O": (0.0, 0.0), "A": (0.0, CENTRES), "B": b, "D": d, "E": e}


def _points(book: Handout) -> None:
    pins = _pins()
    centres, crank, lever, link, height, start = (
        book.at("Dimensions", name, "value")
        for name in ("distance of centres", "crank", "lever", "link", "height of the ram", "start angle")
    )
    b_x, b_y, d_x, d_y = (f"Points!${column}${row}" for row in (5, 6) for column in "CD")
    book.table(
        "Points",
        column_list("name :14, body :14, x [mm] 0.000, y [mm] 0.000, report :10, notes :52"),
        [
            ("O", "ground", 0, 0, "no", "pivot of the lever"),
            ("A", "ground", 0, Formula(f"={centres}", CENTRES), "no", "centre of the crank"),
            (
                "B",
                "crank",
                Formula(f"={crank}*COS(RADIANS({start}))", pins["B"][0]),
                Formula(f"={centres}+{crank}*SIN(RADIANS({start}))", pins["B"][1]),
                "yes",
                "crank pin, at the block",
            ),
            (
                "D",
                "lever",
                Formula(f"={lever}*{b_x}/SQRT({b_x}^2+{b_y}^2)", pins["D"][0]),
                Formula(f"={lever}*{b_y}/SQRT({b_x}^2+{b_y}^2)", pins["D"][1]),
                "yes",
                "upper end of the lever",
            ),
            (
                "E",
                "ram",
                Formula(f"={d_x}+SQRT({link}^2-({height}-{d_y})^2)", pins["E"][0]),
                Formula(f"={height}", HEIGHT),
                "no",
                "pin of the ram",
            ),
        ],
        "the joints' places in the initial configuration, global coordinates",
    )


def _bodies(book: Handout) -> None:
    pins = _pins()

    def pose(first: str, second: str) -> tuple[Formula, Formula, Formula]:
        (x1, y1), (x2, y2) = ([book.at("Points", name, axis) for axis in "xy"] for name in (first, second))
        (u1, v1), (u2, v2) = pins[first], pins[second]
        return (
            Formula(f"=({x1}+{x2})/2", (u1 + u2) / 2),
            Formula(f"=({y1}+{y2})/2", (v1 + v2) / 2),
            Formula(f"=DEGREES(ATAN2({x2}-{x1},{y2}-{y1}))", degrees(atan2(v2 - v1, u2 - u1))),
        )

    book.table(
        "Bodies",
        column_list("name :14, x [mm] 0.000, y [mm] 0.000, phi [deg] 0.000, notes :52"),
        [
            ("crank", *pose("A", "B"), "frame in the middle of the link, xi from A to B"),
            (
                "block",
                book.link("Points", "B", "x"),
                book.link("Points", "B", "y"),
                pose("O", "B")[2],
                "at the crank pin, turns with the lever",
            ),
            ("lever", *pose("O", "D"), "xi from O to D"),
            ("link", *pose("D", "E"), "xi from D to E"),
            ("ram", book.link("Points", "E", "x"), book.link("Points", "E", "y"), 0, "carries the tool, moves along x"),
        ],
        "the five moving parts and their pose at the start",
    )


def _sketch(book: Handout) -> list[Line]:
    corners = [(-60.0, -28.0), (120.0, -28.0), (120.0, 28.0), (-60.0, 28.0), (-60.0, -28.0)]
    return [
        Line(
            "guide",
            [book.shifted("E", -190, -28), book.shifted("E", 150, -28)],
            colour="#9AA7B1",
            width=1.5,
            markers="none",
        ),
        Line("ram", [book.shifted("E", dx, dy) for dx, dy in corners], colour="#6B5B95", markers="none"),
        Line("link", [book.shifted("D"), book.shifted("E")], ("D", "E"), colour="#5B8C5A"),
        Line("lever", [book.shifted("O"), book.shifted("D")], ("O", ""), colour="#8A6D3B", label_at="right"),
        Line("crank", [book.shifted("A"), book.shifted("B")], ("A", "B"), colour="#3E6A8F", label_at="below"),
    ]


if __name__ == "__main__":
    run_script(make)

"""Make wind-turbine.xlsx: a turbine that turns into the wind while its rotor turns and its blades are pitched."""

from __future__ import annotations

from pathlib import Path

import readme
from formulas import Dimensions, Term, angle_of, cosine, dimension, root, seen, sine, term
from look import Cell
from sketch import Line, View
from style import Handout, Layout, column_list, run_script

TOWER, SHAFT, OVERHANG, TILT, CONE = 87.6, 1.96256, 5.0191, 5.0, 2.5
HUB, BLADE, CENTRE, STATION, EDGE, SPEED = 1.5, 61.5, 20.475, 40.0, 2.5, 12.1
BLADES = (0.0, 120.0, 240.0)
YAW = "15*(t/30 - sin(2*pi*t/30)/(2*pi))"
PITCH = "12*(t/30 - sin(2*pi*t/30)/(2*pi))"
VIEW = View(azimuth=-142.0, elevation=10.0)


def make(folder: Path, layout: Layout = Handout) -> Path:
    """Write the workbook into ``folder``, laid out so, and return its path."""
    book = layout(folder / "wind-turbine.xlsx", "Wind turbine", space=True)
    book.run_settings(
        analysis=("kinematic", "all bearings are driven; masses are left out, for they do not matter"),
        t_start=0,
        t_end=(30, "the whole yaw manoeuvre, six turns of the rotor"),
        t_step=(0.05, "3.6 degrees of the rotor"),
    )
    made = Dimensions()
    made.add("tower height", TOWER, "m", "yaw bearing above the ground")
    made.add("shaft height", SHAFT, "m", "where the rotor's axis meets the tower's, above the yaw bearing")
    made.add("overhang", OVERHANG, "m", "from there to the hub, along the rotor's axis, against the wind")
    made.add("tilt", TILT, "deg", "of the rotor's axis, up against the wind")
    made.add("cone", CONE, "deg", "of the blades, against the wind")
    made.add("hub radius", HUB, "m", "rotor's axis to a blade's root")
    made.add("blade length", BLADE, "m", "root to tip")
    made.add("blade centre", CENTRE, "m", "of mass, from the root")
    made.add("station", STATION, "m", "of the reported trailing edge, from the root")
    made.add("edge", EDGE, "m", "of the trailing edge, behind the blade's axis")
    made.add("rotor speed", SPEED, "rpm", "about the rotor's axis, which points down the wind")
    for k, azimuth in enumerate(BLADES, start=1):
        made.add(
            f"azimuth {k}", azimuth, "deg", f"of blade {k} at t = 0, turned from straight up about the rotor's axis"
        )
    book.parameters("Dimensions", made.rows, "the turbine, our own sheet: change a number and the others follow")
    _bodies(book)
    _points(book)
    _joints(book)
    _drivers(book)
    book.charts(
        [
            ("Yaw and pitch", "time", "yaw bearing.angle; pitch bearing 1.angle", "line"),
            ("Path of a blade tip, seen against the wind", "tip 1.y", "tip 1.z", "xy"),
            ("Height of the blade tips", "time", "tip 1.z; tip 2.z; tip 3.z", "line"),
            ("Velocity of a blade tip", "time", "tip 1.vx; tip 1.vy; tip 1.vz", "line"),
            ("Acceleration of a blade tip", "time", "tip 1.ax; tip 1.ay; tip 1.az", "line"),
            ("Velocity along the wind: yaw on the blades", "time", "tip 1.vx; tip 2.vx; tip 3.vx", "line"),
            ("Angular velocity of blade 1, its own axes", "time", "blade 1.wx; blade 1.wy; blade 1.wz", "line"),
        ],
        title=50,
        x=12,
        y=44,
    )
    return book.finish(readme.text("wind-turbine"), _sketch(book), "")


def _hub(book: Handout) -> tuple[Term, Term, Term]:
    tilt, overhang = dimension(book, "tilt"), dimension(book, "overhang")
    height = dimension(book, "tower height") + dimension(book, "shaft height") + overhang * sine(tilt)
    return -(overhang * cosine(tilt)), term(0), height


def _span(book: Handout, blade: int) -> tuple[Term, Term, Term]:
    """Unit vector along a blade, at the start: upright, coned, turned to its azimuth, tilted."""
    tilt, cone, azimuth = (dimension(book, name) for name in ("tilt", "cone", f"azimuth {blade}"))
    return (
        sine(tilt) * cosine(azimuth) * cosine(cone) - cosine(tilt) * sine(cone),
        -(sine(azimuth) * cosine(cone)),
        cosine(tilt) * cosine(azimuth) * cosine(cone) + sine(tilt) * sine(cone),
    )


def _bodies(book: Handout) -> None:
    tilt, cone = dimension(book, "tilt"), dimension(book, "cone")
    axis = dimension(book, "tower height") + dimension(book, "shaft height")
    rows: list[tuple[Cell, ...]] = [
        ("tower", 0, 0, (dimension(book, "tower height") / 2).cell, 0, 0, 0, "stands upright on the ground"),
        ("nacelle", 0, 0, axis.cell, 0, 0, 0, "xi down the wind, level"),
        (
            "rotor",
            *(each.cell for each in _hub(book)),
            0,
            tilt.cell,
            0,
            "hub and main shaft; xi along the rotor's axis",
        ),
    ]
    for blade in (1, 2, 3):
        azimuth, span = dimension(book, f"azimuth {blade}"), _span(book, blade)
        distance = dimension(book, "hub radius") + dimension(book, "blade centre")
        centre = [h + distance * u for h, u in zip(_hub(book), span, strict=True)]
        downwind = (
            cosine(tilt) * cosine(cone) + sine(tilt) * cosine(azimuth) * sine(cone),
            -(sine(azimuth) * sine(cone)),
            cosine(tilt) * cosine(azimuth) * sine(cone) - sine(tilt) * cosine(cone),
        )
        angles = (
            angle_of(downwind[0], downwind[1]),
            angle_of(root(downwind[0] ** 2 + downwind[1] ** 2), -downwind[2]),
            angle_of(span[2], cosine(tilt) * sine(azimuth)),
        )
        notes = "zeta along the blade, xi down the wind, eta towards the trailing edge"
        rows.append((f"blade {blade}", *(each.cell for each in (*centre, *angles)), notes))
    book.table(
        "Bodies",
        column_list(
            "name :12, x [m] 0.000000, y [m] 0.000000, z [m] 0.000000, yaw [deg] 0.000000, pitch [deg] 0.000000, "
            "roll [deg] 0.000000, notes :62"
        ),
        rows,
        "tower, nacelle, rotor and blades and their pose at the start",
    )


def _points(book: Handout) -> None:
    height = dimension(book, "tower height").cell
    root_to_centre, length, station, edge = (
        dimension(book, name) for name in ("blade centre", "blade length", "station", "edge")
    )
    rows: list[tuple[Cell, ...]] = [
        ("foot", "tower", 0, 0, 0, "global", "no", "where the tower stands"),
        ("yaw centre", "tower", 0, 0, height, "global", "no", "on top of the tower"),
        ("hub", "rotor", 0, 0, 0, "body", "yes", "where the blades' axes meet"),
    ]
    for k in (1, 2, 3):
        body = f"blade {k}"
        rows += [
            (f"root {k}", body, 0, 0, (-root_to_centre).cell, "body", "no", "pitch bearing"),
            (f"tip {k}", body, 0, 0, (length - root_to_centre).cell, "body", "yes", "end of the blade's axis"),
            (f"edge {k}", body, 0, edge.cell, (station - root_to_centre).cell, "body", "yes", "on the trailing edge"),
        ]
    book.table(
        "Points",
        column_list(
            "name :14, body :12, x [m] 0.000000, y [m] 0.000000, z [m] 0.000000, frame :10, report :10, notes :40"
        ),
        rows,
        "bearings, tips and trailing edges; on rotor and blades in coordinates of the body",
    )


def _joints(book: Handout) -> None:
    tilt = dimension(book, "tilt")
    book.table(
        "Joints",
        column_list(
            "name :18, type :14, body_i :12, body_j :12, point :13, axis_x 0.000000, axis_y 0.000000, "
            "axis_z 0.000000, axis_point :13, notes :56"
        ),
        [
            ("foundation", "fixed", "ground", "tower", "foot", None, None, None, None, ""),
            (
                "yaw bearing",
                "revolute",
                "tower",
                "nacelle",
                "yaw centre",
                0,
                0,
                1,
                None,
                "counter-clockwise from above",
            ),
            (
                *("main bearing", "revolute", "nacelle", "rotor", "hub"),
                *(cosine(tilt).cell, 0, (-sine(tilt)).cell, None),
                "clockwise for one who looks along the wind",
            ),
            *(
                (
                    *(f"pitch bearing {k}", "revolute", "rotor", f"blade {k}", f"root {k}", None, None, None, "hub"),
                    "positive towards feather: the leading edge turns into the wind",
                )
                for k in (1, 2, 3)
            ),
        ],
        "foundation and bearings",
    )


def _drivers(book: Handout) -> None:
    speed = (dimension(book, "rotor speed") * 360 / 60).cell
    book.table(
        "Drivers",
        column_list(
            "name :14, joint :18, coordinate :12, position [deg] 0.000 :12, velocity [deg/s] 0.000 :12, "
            "expression :42, notes :46"
        ),
        [
            ("yaw drive", "yaw bearing", "angle", None, None, YAW, "in deg: 15 degrees in 30 s, smooth at both ends"),
            ("generator", "main bearing", "angle", 0, speed, None, "constant speed, from Dimensions"),
            *(
                (f"pitch drive {k}", f"pitch bearing {k}", "angle", None, None, PITCH, "in deg: 12 degrees in 30 s")
                for k in (1, 2, 3)
            ),
        ],
        "what turns nacelle, rotor and blades",
    )


def _sketch(book: Handout) -> list[Line]:
    hub, top = _hub(book), dimension(book, "tower height")
    axis = top + dimension(book, "shaft height")
    reach = dimension(book, "hub radius") + dimension(book, "blade length")
    at_hub = seen(VIEW, *hub)
    blades = [
        Line(
            f"blade {k}",
            [at_hub, seen(VIEW, *(h + reach * u for h, u in zip(hub, _span(book, k), strict=True)))],
            ("", f"tip {k}"),
            colour="#3E6A8F",
            markers="none",
            label_at=("right", "below", "below")[k - 1],
        )
        for k in (1, 2, 3)
    ]
    arrow = [(-95.0, 60.0), (-45.0, 60.0), (-53.0, 63.0), (-45.0, 60.0), (-53.0, 57.0)]
    wind = [seen(VIEW, x, 0.0, z) for x, z in arrow]
    return [
        *VIEW.axes((0.0, -55.0, 0.0), 25.0),
        Line("wind", wind, ("wind", *[""] * 4), colour="#009E73", width=1.5, markers="none", label_at="left"),
        Line(
            "tower", [seen(VIEW, 0.0, 0.0, 0.0), seen(VIEW, 0.0, 0.0, top)], colour="#6B7780", width=4, markers="none"
        ),
        Line(
            "nacelle",
            [seen(VIEW, 0.0, 0.0, top), seen(VIEW, 0.0, 0.0, axis), at_hub],
            colour="#8A6D3B",
            width=3,
            markers="none",
        ),
        *blades,
    ]


if __name__ == "__main__":
    run_script(make)

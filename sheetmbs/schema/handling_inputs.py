"""The input sheets of handling: what is to be driven, and the courses that are driven."""

from __future__ import annotations

from sheetmbs.schema import units as u
from sheetmbs.schema.column import ACTIVE, ANY, CHOICE, DESIGN, NAME, NOTES, NUMBER, TEXT, Column, Sheet


class HandlingType:
    """The words of the column type on Handling that this version solves."""

    YAW_MOMENT = "yaw moment"
    CIRCLE = "circle"
    ENVELOPE = "g-g"
    SKIDPAD = "skidpad"
    ACCELERATION = "acceleration"
    LAP = "lap"


STEADY_TYPES = (
    *(HandlingType.YAW_MOMENT, HandlingType.CIRCLE, HandlingType.ENVELOPE),
    *(HandlingType.SKIDPAD, HandlingType.ACCELERATION, HandlingType.LAP),
)
LATER_TYPES = (
    *("step steer", "sine steer", "ramp steer", "steer table", "frequency response", "lane change", "brake in turn"),
    *("path", "ride", "four-post", "kerb", "road"),
)
"""types of transient handling and of ride, which this version does not solve"""
HANDLING_TYPES = (*STEADY_TYPES, *LATER_TYPES)


def _range(name: str, dimension: u.Dimension, doc: str) -> tuple[Column, ...]:
    docs = {"from": f"first {doc}", "to": f"last {doc}", "step": f"step of the {doc}"}
    return tuple(Column(f"{name}_{word}", NUMBER, said, (dimension,)) for word, said in docs.items())


HANDLING = Sheet(
    "Handling",
    "what the car on its tyres is to do: one diagram or manoeuvre per row",
    (
        Column("name", NAME, "name of the row", required=True),
        Column("type", CHOICE, "what is found", required=True, choices=HANDLING_TYPES),
        Column("speed", ANY, "speed of the centre of gravity; several as in 40; 60; 80 km/h", (u.VELOCITY,)),
        Column("radius", NUMBER, "radius of the path; of a diagram below 0 to the right", (u.LENGTH,)),
        *_range("beta", u.ANGLE, "body slip angle"),
        *_range("rack", u.LENGTH, "rack travel"),
        *_range("steering_wheel", u.ANGLE, "angle of the steering wheel, in place of rack"),
        *_range("ay", u.IN_G, "lateral acceleration"),
        Column("rack", NUMBER, "rack travel that is held", (u.LENGTH,)),
        Column("steering_wheel", NUMBER, "angle of the steering wheel that is held, in place of rack", (u.ANGLE,)),
        Column("rate", NUMBER, "how fast the input of a transient manoeuvre changes", (u.ANGULAR_VELOCITY, u.VELOCITY)),
        Column("start", NUMBER, "when the input begins", (u.TIME,), default="0.2 s"),
        Column("frequency", NUMBER, "frequency of a sine", (u.FREQUENCY,)),
        Column("brake", NUMBER, "braking force, + slows: sum of torques over the mean tyre radius", (u.FORCE,)),
        Column("drive", ANY, "hold: keeps the speed; or a force", (u.FORCE,), default="free, in circles hold"),
        Column("path", TEXT, "name of a course on the sheet Path"),
        Column("road", TEXT, "class A to H, or a road on the sheet Roads"),
        Column("on", TEXT, "bodies or points whose ride is judged"),
        Column("duration", NUMBER, "duration of a transient manoeuvre", (u.TIME,), default="4 s"),
        Column("t_step", NUMBER, "time between rows", (u.TIME,), default="5 ms"),
        Column("curve", TEXT, "curve on Curves of a steer table"),
        Column("coherence", TEXT, "how left and right road are related"),
        Column("preview_time", NUMBER, "how far ahead a driver looks", (u.TIME,)),
        Column("preview_gain", NUMBER, "how strongly a driver steers", (u.RATIO,)),
        Column("speed_gain", NUMBER, "how strongly the speed is kept", (u.RATIO,)),
        Column("speed_integral", NUMBER, "how strongly the speed is brought back", (u.RATIO,)),
        DESIGN,
        ACTIVE,
        NOTES,
    ),
)

PATH = Sheet(
    "Path",
    "courses: one point per row",
    (
        Column("path", NAME, "name of the course", required=True),
        Column("s", NUMBER, "distance along the course", (u.LENGTH,)),
        Column("x", NUMBER, "coordinate of the point, in place of s and radius", (u.LENGTH,)),
        Column("y", NUMBER, "coordinate of the point", (u.LENGTH,)),
        Column("radius", NUMBER, "radius there, + to the left; blank: straight", (u.LENGTH,)),
        Column("speed", NUMBER, "largest speed there", (u.VELOCITY,)),
        Column("width_left", NUMBER, "width of the road to the left", (u.LENGTH,)),
        Column("width_right", NUMBER, "width of the road to the right", (u.LENGTH,)),
        NOTES,
    ),
)

ROADS = Sheet(
    "Roads",
    "measured roads: heights over distance",
    (
        Column("road", NAME, "name of the road", required=True),
        Column("x", NUMBER, "distance along the road", (u.LENGTH,), required=True),
        Column("left", NUMBER, "height of the left track", (u.LENGTH,)),
        Column("right", NUMBER, "height of the right track", (u.LENGTH,)),
        NOTES,
    ),
)

HANDLING_SHEETS = (HANDLING, PATH, ROADS)

"""What the double-wishbone corner and the car have in common: hardpoints, parts and their mass properties.

Axes of ISO 8855: x forward, y left, z up; z = 0 is the road. Lengths in mm. Corners are FL, FR, RL and RR.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from style import Column

Position = tuple[float, float, float]

WHEELBASE = 1550.0
HARDPOINTS: dict[str, Position] = {
    "lower front": (150.0, 220.0, 140.0),
    "lower rear": (-150.0, 220.0, 140.0),
    "lower ball": (5.0, 560.0, 130.0),
    "upper front": (130.0, 260.0, 290.0),
    "upper rear": (-130.0, 260.0, 285.0),
    "upper ball": (-8.0, 530.0, 310.0),
    "tie inner": (65.0, 210.0, 165.0),
    "tie outer": (70.0, 555.0, 160.0),
    "wheel centre": (0.0, 600.0, 228.0),
    "contact": (0.0, 600.0, 0.0),
    "strut lower": (0.0, 480.0, 145.0),
    "strut upper": (0.0, 300.0, 400.0),
}
"""of the front left corner"""
CARRIERS = {
    **dict.fromkeys(("lower front", "lower rear", "lower ball", "strut lower"), "lower arm"),
    **dict.fromkeys(("upper front", "upper rear", "upper ball"), "upper arm"),
    **dict.fromkeys(("tie inner", "tie outer"), "tie rod"),
    **dict.fromkeys(("wheel centre", "contact"), "upright"),
    "strut upper": "chassis",
}
"""the body that each hardpoint is listed with"""
MASSES = {"lower arm": 1.2, "upper arm": 1.0, "upright": 11.0, "tie rod": 0.3}
"""kg, the upright with its wheel"""
WHEEL_INERTIA = (0.25, 0.45, 0.25)
STRUT = {"k": 35.0, "c": 1.8}
"""N/mm, N s/mm"""
TYRE = {"kz": 110.0, "cz": 0.4}
"""N/mm, N s/mm"""
ARM_RADIUS = 20.0
"""mm, of the tubes by which arms and rods get their inertia"""

POINT_COLUMNS = (
    Column("name", width=20),
    Column("body", width=16),
    Column("x", "mm", "0.0"),
    Column("y", "mm", "0.0"),
    Column("z", "mm", "0.0"),
    Column("report", width=10),
    Column("notes", width=44),
)
BODY_COLUMNS = (
    Column("name", width=16),
    Column("mass", "kg", "0.000"),
    *(Column(name, "kg*m^2", "0.000000", 11) for name in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")),
    *(Column(axis, "mm", "0.00") for axis in "xyz"),
    Column("yaw", "deg", "0.0"),
    Column("active", width=22),
    Column("notes", width=44),
)
JOINT_COLUMNS = (
    Column("name", width=20),
    Column("type", width=16),
    Column("body_i", width=16),
    Column("body_j", width=16),
    Column("point", width=20),
    Column("axis_point", width=20),
    *(Column(f"axis_{axis}", "", "0") for axis in "xyz"),
    *(Column(f"axis2_{axis}", "", "0") for axis in "xyz"),
    Column("active", width=22),
    Column("notes", width=44),
)
DRIVER_COLUMNS = (
    Column("name", width=20),
    Column("body", width=16),
    Column("joint", width=20),
    Column("coordinate", width=14),
    Column("position", "", "0.000"),
    Column("expression", width=34),
    Column("curve", width=16),
    Column("active", width=22),
    Column("notes", width=44),
)
SPRING_COLUMNS = (
    Column("name", width=16),
    Column("type", width=16),
    Column("body_i", width=16),
    Column("body_j", width=16),
    Column("point", width=16),
    Column("point_i", width=18),
    Column("point_j", width=18),
    Column("k", "N/mm", "0.0"),
    Column("c", "N*s/mm", "0.00"),
    Column("length0", "mm", "0.00"),
    Column("kz", "N/mm", "0.0"),
    Column("cz", "N*s/mm", "0.00"),
    Column("active", width=22),
    Column("notes", width=44),
)
Row = tuple[str | float | None, ...]


def hardpoint(name: str, corner: str) -> Position:
    """A hardpoint of a corner: right ones mirrored, rear ones moved back."""
    x, y, z = HARDPOINTS[name]
    return x - (WHEELBASE if corner.startswith("R") else 0.0), y if corner.endswith("L") else -y, z


def body(name: str, mass: float, places: Sequence[Position], active: str, notes: str) -> Row:
    """A row of Bodies for an arm or rod: its mass shared by thin tubes along the lines between the places."""
    points = np.array(places) / 1000.0
    lines = [(points[k], points[-1]) for k in range(len(points) - 1)]
    lengths = np.array([np.linalg.norm(end - start) for start, end in lines])
    shares = mass * lengths / lengths.sum()
    centres = np.array([(start + end) / 2 for start, end in lines])
    centre = shares @ centres / mass
    tensor = np.zeros((3, 3))
    for (start, end), share, length, middle in zip(lines, shares, lengths, centres, strict=True):
        along, arm = (end - start) / length, middle - centre
        across = length**2 / 12 + (ARM_RADIUS / 1000) ** 2 / 2
        tensor += share * (
            across * (np.eye(3) - np.outer(along, along)) + (ARM_RADIUS / 1000) ** 2 * np.outer(along, along)
        )
        tensor += share * (arm @ arm * np.eye(3) - np.outer(arm, arm))
    elements = [tensor[i, i] for i in range(3)] + [tensor[0, 1], tensor[0, 2], tensor[1, 2]]
    return (
        *(name, mass, *(round(float(value), 9) for value in elements)),
        *(*(round(float(value) * 1000, 6) for value in centre), 0, active, notes),
    )


def lump(name: str, mass: float, inertia: Sequence[float], place: Position, active: str, notes: str) -> Row:
    """A row of Bodies with its mass at a place."""
    return (name, mass, *inertia, 0, 0, 0, *place, 0, active, notes)


def corner_bodies(corner: str, label: str) -> list[Row]:
    """Arms, upright and tie rod of a corner. label: put behind each name."""

    def at(*names: str) -> list[Position]:
        return [hardpoint(name, corner) for name in names]

    return [
        body(f"lower arm{label}", MASSES["lower arm"], at("lower front", "lower rear", "lower ball"), "yes", ""),
        body(f"upper arm{label}", MASSES["upper arm"], at("upper front", "upper rear", "upper ball"), "yes", ""),
        lump(
            f"upright{label}",
            MASSES["upright"],
            WHEEL_INERTIA,
            at("wheel centre")[0],
            "yes",
            "with its wheel; its origin is the wheel centre",
        ),
        body(f"tie rod{label}", MASSES["tie rod"], at("tie inner", "tie outer"), "yes", ""),
    ]


def corner_points(corner: str, label: str) -> list[Row]:
    """Hardpoints of a corner."""
    rows: list[Row] = []
    for name in HARDPOINTS:
        part = CARRIERS[name]
        carrier = part if part == "chassis" else f"{part}{label}"
        rows.append((f"{name}{label}", carrier, *hardpoint(name, corner), "yes" if part == "upright" else "no", ""))
    return rows


def corner_joints(label: str, chassis: str, steering: str) -> list[Row]:
    """The six joints of a corner. steering: what the tie rod's inner end is on."""
    none6 = (None,) * 6

    def hinge(name: str, arm: str, front: str, rear: str) -> Row:
        return (
            f"{name}{label}",
            "revolute",
            chassis,
            f"{arm}{label}",
            f"{front}{label}",
            f"{rear}{label}",
            *none6,
            "yes",
            "",
        )

    def ball(name: str, one: str, other: str, point: str) -> Row:
        return (f"{name}{label}", "spherical", one, other, f"{point}{label}", None, *none6, "yes", "")

    return [
        hinge("lower hinge", "lower arm", "lower front", "lower rear"),
        hinge("upper hinge", "upper arm", "upper front", "upper rear"),
        ball("lower ball joint", f"lower arm{label}", f"upright{label}", "lower ball"),
        ball("upper ball joint", f"upper arm{label}", f"upright{label}", "upper ball"),
        ball("tie rod inner", steering, f"tie rod{label}", "tie inner"),
        ball("tie rod outer", f"tie rod{label}", f"upright{label}", "tie outer"),
    ]


def strut(label: str, chassis: str, length0: float, active: str) -> Row:
    """Spring and damper from the lower arm to the chassis."""
    return (
        *(
            f"strut{label}",
            "translational",
            f"lower arm{label}",
            chassis,
            None,
            f"strut lower{label}",
            f"strut upper{label}",
        ),
        *(
            STRUT["k"],
            STRUT["c"],
            length0,
            None,
            None,
            active,
            "spring and damper; its natural length holds the weight",
        ),
    )


def tyre(label: str, plate: str, active: str) -> Row:
    """A vertical spring and damper between road and wheel, at the contact point."""
    return (
        *(f"tyre{label}", "bushing", plate, f"upright{label}", f"contact{label}", None, None),
        *(None, None, None, TYRE["kz"], TYRE["cz"], active, "vertical; -fz is the wheel load above that of the start"),
    )

"""Metrics of instant centres, slopes of the contact and roll centres, by the motion of the wheel and by the plane construction.

The plane construction, of types that have two arm planes, takes the centre where both planes meet.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.suspension.metrics.centres import in_road, meet_of_lines
from sheetmbs.suspension.metrics.metric import MM, SLOPE, AxlePoses, CornerPoses, Found, Metric


def _of_wheel(name: str, definition: str, sign: str, unit: str, others: str = "") -> Metric[CornerPoses]:
    return Metric(name, definition, sign, unit, lambda of: getattr(of.centres, name), "body", others)


WHEEL_CENTRES: tuple[Metric[CornerPoses], ...] = (
    _of_wheel("contact_dy_dz", "s v_Cy/v_Cz", "outboard in bump", SLOPE),
    _of_wheel("contact_dx_dz", "v_Cx/v_Cz", "forward in bump", SLOPE),
    _of_wheel("wheel_dx_dz", "v_x/v_z of the wheel centre", "forward in bump", SLOPE, "recession rate x -1"),
    _of_wheel("fvic_y", "y_C - v_Cz/omega_x; empty where omega_x = 0", "left", MM, "front view instant centre"),
    _of_wheel("fvic_z", "v_Cy/omega_x; empty where omega_x = 0", "above the road under the contact", MM),
    _of_wheel("fvsa", "distance of C and the front view instant centre", "unsigned", MM, "front view swing arm"),
    _of_wheel("svic_x", "x_C + v_Cz/omega_y; empty where omega_y = 0", "forward", MM, "side view instant centre"),
    _of_wheel("svic_z", "-v_Cx/omega_y; empty where omega_y = 0", "above the road under the contact", MM),
    _of_wheel("svsa", "distance of C and the side view instant centre", "unsigned", MM, "side view swing arm"),
)

ROLL_CENTRE: tuple[Metric[AxlePoses], ...] = (
    Metric(
        "roll_centre_height",
        "m_L (y_L - y) where the normals to v_CL and v_CR meet in the y-z view, m = v_Cy/v_Cn",
        "above the road",
        MM,
        lambda of: of.roll_centre.height,
        "road",
        "kinematic roll centre; Lotus: Roll centre height",
    ),
    Metric(
        "roll_centre_lateral",
        "(m_L y_L - m_R y_R)/(m_L - m_R), y along the road from the middle plane of the body",
        "to the left",
        MM,
        lambda of: of.roll_centre.lateral,
        "road",
    ),
    Metric(
        "jacking_left",
        "m_L: force up on the body per unit inward side force on the left tyre",
        "up",
        "N/N",
        lambda of: of.roll_centre.slope_left,
        "road",
    ),
    Metric(
        "jacking_right",
        "-m_R: force up on the body per unit inward side force on the right tyre",
        "up",
        "N/N",
        lambda of: of.roll_centre.slope_right,
        "road",
    ),
)


PARALLEL = 1e-12
"""sine of the angle between two lines of a view below which they meet at infinity alone"""


def _coordinate(of: CornerPoses, across: int, number: int) -> Floats | None:
    """A coordinate of the centre; its height is above the road under the contact."""
    if of.plane_centres is None:
        return None
    met = of.plane_centres[across]
    weight = np.where(np.abs(met[:, 2]) > PARALLEL, met[:, 2], np.nan)
    found = met[:, number] / weight
    return np.asarray(found - of.wheel.contact.value[:, 2] if number == 1 else found)


def _slope(of: CornerPoses) -> Floats | None:
    """(n,) m of the line height = h_C + m (y_C - y) from the contact to the front view centre, in road axes."""
    if of.plane_centres is None:
        return None
    wheel, met = of.wheel, of.plane_centres[0]
    contact = wheel.contact.value
    flat = met[:, :2] - met[:, 2:] * contact[:, 1:]  # from C to the centre, times the weight of the latter
    along = np.column_stack((met[:, 2] * (wheel.centre.value[:, 0] - contact[:, 0]), flat))
    lateral, height = in_road(wheel, along)
    return -height / np.where(lateral, lateral, np.nan)


def _roll_centre(of: AxlePoses, number: int) -> Found:
    left, right = map(_slope, of.corners)
    return None if left is None or right is None else meet_of_lines(of.left, of.right, (left, right))[number]


FRONT_VIEW = "meet of the two arm planes (macpherson: of the arm and normal to the strut at its top) in x = x_W"
SIDE_VIEW = FRONT_VIEW.replace("x = x_W", "y = y_W")

PLANE_CENTRES: tuple[Metric[CornerPoses], ...] = (
    Metric("fvic_y_geometric", FRONT_VIEW, "left", MM, partial(_coordinate, across=0, number=0), "body"),
    Metric(
        "fvic_z_geometric",
        FRONT_VIEW,
        "above the road under the contact",
        MM,
        partial(_coordinate, across=0, number=1),
        "body",
    ),
    Metric("svic_x_geometric", SIDE_VIEW, "forward", MM, partial(_coordinate, across=1, number=0), "body"),
    Metric(
        "svic_z_geometric",
        SIDE_VIEW,
        "above the road under the contact",
        MM,
        partial(_coordinate, across=1, number=1),
        "body",
    ),
)

PLANE_ROLL_CENTRE: tuple[Metric[AxlePoses], ...] = (
    Metric(
        "roll_centre_height_geometric",
        "meet of the lines from C to the geometric front view centres of both sides",
        "above the road",
        MM,
        partial(_roll_centre, number=0),
        "road",
        "roll centre of the textbooks and of most tools",
    ),
    Metric(
        "roll_centre_lateral_geometric",
        "meet of the lines from C to the geometric front view centres of both sides",
        "to the left",
        MM,
        partial(_roll_centre, number=1),
        "road",
    ),
)

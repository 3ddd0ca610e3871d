"""Metrics of instant centres, slopes of the contact and roll centres."""

from __future__ import annotations

from sheetmbs.suspension.metrics.declared_metric import MM, SLOPE, Metric
from sheetmbs.suspension.metrics.metric_contexts import AxlePoses, CornerPoses


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

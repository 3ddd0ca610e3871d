"""Perpendicular axes: one axis of either body at right angles (Nikravesh 1988, eq. 7.6)."""

from sheetmbs.elements.recipe import JointType, Z, perpendicular

PERPENDICULAR = JointType(
    name="perpendicular",
    dimensions=("3D",),
    rows=(perpendicular(Z, Z),),
    axis=("3D",),
    second_axis="needed",
    point="allowed",
    doc="the axis fixed in body i stays at right angles to the axis2 fixed in body j",
)

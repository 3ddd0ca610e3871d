"""Gear: the angles of two joints in a fixed ratio."""

from sheetmbs.elements.recipe import Coupling, JointType

GEAR = JointType(
    name="gear",
    dimensions=("2D", "3D"),
    rows=(),
    point="",
    numbers=("ratio",),
    coupling=Coupling("angle", "angle", lambda values: -values["ratio"]),
    doc="gear wheels: angle of joint_2 = ratio times angle of joint_1, negative for outer teeth",
)

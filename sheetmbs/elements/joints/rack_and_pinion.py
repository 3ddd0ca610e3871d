"""Rack and pinion: the displacement of a slide follows the angle of a hinge."""

from sheetmbs.elements.recipe import Coupling, JointType

RACK_AND_PINION = JointType(
    name="rack-and-pinion",
    dimensions=("2D", "3D"),
    rows=(),
    point="",
    numbers=("radius",),
    coupling=Coupling("angle", "displacement", lambda values: -values["radius"]),
    doc="displacement of joint_2, the rack, = radius times angle of joint_1, the pinion; a negative radius turns it about",
)

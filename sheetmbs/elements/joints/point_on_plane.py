"""Point on a plane: a point of body j in a plane of body i."""

from sheetmbs.elements.recipe import JointType, Z, in_plane

POINT_ON_PLANE = JointType(
    name="point-on-plane",
    dimensions=("3D",),
    rows=(in_plane(Z),),
    axis=("3D",),
    doc="the point of body j stays in the plane of body i whose normal is the axis",
)

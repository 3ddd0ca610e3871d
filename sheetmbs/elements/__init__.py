"""The elements a workbook may name. One element, one file; adding a joint is its file and one line here."""

from sheetmbs.elements.joints.constant_velocity import CONSTANT_VELOCITY
from sheetmbs.elements.joints.coordinate import COORDINATE
from sheetmbs.elements.joints.cylindrical import CYLINDRICAL
from sheetmbs.elements.joints.distance import DISTANCE
from sheetmbs.elements.joints.fixed import FIXED
from sheetmbs.elements.joints.gear import GEAR
from sheetmbs.elements.joints.parallel import PARALLEL
from sheetmbs.elements.joints.perpendicular import PERPENDICULAR
from sheetmbs.elements.joints.planar import PLANAR
from sheetmbs.elements.joints.point_on_plane import POINT_ON_PLANE
from sheetmbs.elements.joints.rack_and_pinion import RACK_AND_PINION
from sheetmbs.elements.joints.revolute import REVOLUTE
from sheetmbs.elements.joints.revolute_cylindrical import REVOLUTE_CYLINDRICAL
from sheetmbs.elements.joints.screw import SCREW
from sheetmbs.elements.joints.spherical import SPHERICAL
from sheetmbs.elements.joints.spherical_cylindrical import SPHERICAL_CYLINDRICAL
from sheetmbs.elements.joints.translational import TRANSLATIONAL
from sheetmbs.elements.joints.universal import UNIVERSAL
from sheetmbs.elements.joints.wheel_on_road import WHEEL_ON_ROAD
from sheetmbs.elements.recipe import JointType

ELEMENTS: tuple[JointType, ...] = (
    REVOLUTE,
    TRANSLATIONAL,
    FIXED,
    DISTANCE,
    COORDINATE,
    SPHERICAL,
    UNIVERSAL,
    CYLINDRICAL,
    PLANAR,
    REVOLUTE_CYLINDRICAL,
    SPHERICAL_CYLINDRICAL,
    POINT_ON_PLANE,
    PERPENDICULAR,
    PARALLEL,
    CONSTANT_VELOCITY,
    SCREW,
    GEAR,
    RACK_AND_PINION,
    WHEEL_ON_ROAD,
)

JOINTS: dict[str, JointType] = {element.name: element for element in ELEMENTS}

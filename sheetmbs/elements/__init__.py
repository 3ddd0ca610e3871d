"""The elements a workbook may name. One element, one file; adding a joint is its file and one line here."""

from sheetmbs.elements.joints.coordinate import COORDINATE
from sheetmbs.elements.joints.distance import DISTANCE
from sheetmbs.elements.joints.fixed import FIXED
from sheetmbs.elements.joints.revolute import REVOLUTE
from sheetmbs.elements.joints.translational import TRANSLATIONAL
from sheetmbs.elements.recipe import JointType

ELEMENTS: tuple[JointType, ...] = (
    REVOLUTE,
    TRANSLATIONAL,
    FIXED,
    DISTANCE,
    COORDINATE,
)

JOINTS: dict[str, JointType] = {element.name: element for element in ELEMENTS}

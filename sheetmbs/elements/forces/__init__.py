"""The force elements a workbook may name. One element, one file; their order is that of `engine/forces/all_forces.py`."""

from sheetmbs.elements.force_type import ForceType
from sheetmbs.elements.forces.bushing import BUSHING
from sheetmbs.elements.forces.gas import GAS
from sheetmbs.elements.forces.rotational import ROTATIONAL
from sheetmbs.elements.forces.translational import TRANSLATIONAL

FORCE_ELEMENTS: tuple[ForceType, ...] = (TRANSLATIONAL, ROTATIONAL, BUSHING, GAS)

FORCE_TYPES: dict[str, ForceType] = {each.name: each for each in FORCE_ELEMENTS}

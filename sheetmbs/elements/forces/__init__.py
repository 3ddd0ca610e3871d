"""The force elements a workbook may name. One element, one file; their order is that of `engine/forces/all_forces.py`."""

from sheetmbs.elements.force_type import ForceType
from sheetmbs.elements.forces.bushing_force import BUSHING
from sheetmbs.elements.forces.gas_force import GAS
from sheetmbs.elements.forces.rotational_force import ROTATIONAL
from sheetmbs.elements.forces.translational_force import TRANSLATIONAL

FORCE_ELEMENTS: tuple[ForceType, ...] = (TRANSLATIONAL, ROTATIONAL, BUSHING, GAS)

FORCE_TYPES: dict[str, ForceType] = {each.name: each for each in FORCE_ELEMENTS}

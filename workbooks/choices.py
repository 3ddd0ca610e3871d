"""What the drop-downs of the example workbooks offer: what the program itself declares of its sheets and settings."""

from __future__ import annotations

from sheetmbs.elements import JOINTS
from sheetmbs.schema.column import ColumnKind, Dimensionality
from sheetmbs.schema.gait_inputs import GAIT_BY_FOLD
from sheetmbs.schema.input_columns import SHEETS_BY_FOLD
from sheetmbs.schema.measured_inputs import MEASURED_BY_FOLD
from sheetmbs.schema.names import fold
from sheetmbs.schema.settings import SETTINGS
from sheetmbs.schema.study_inputs import STUDY_SHEETS
from sheetmbs.schema.suspension_inputs import SUSPENSION_BY_FOLD

STUDY_BY_FOLD = {fold(sheet.name): sheet for sheet in STUDY_SHEETS}
DECLARED = SHEETS_BY_FOLD | SUSPENSION_BY_FOLD | GAIT_BY_FOLD | STUDY_BY_FOLD | MEASURED_BY_FOLD
"""every input sheet by its folded name"""


def setting_choices(name: str) -> tuple[str, ...]:
    """The words a setting may be, or none where it is a number or a text."""
    return next((setting.choices for setting in SETTINGS if setting.name == name), ())


def column_choices(sheet: str, header: str, models: Dimensionality) -> tuple[str, ...]:
    """The words a column may hold in such models, or none where it is free. Sheets of the user's own have none."""
    declared = DECLARED.get(fold(sheet))
    column = declared.by_fold.get(fold(header)) if declared else None
    if column is None:
        return ()
    if column.kind is ColumnKind.FLAG:
        return "yes", "no"
    if (fold(sheet), fold(header)) == (fold("Joints"), fold("type")):
        return tuple(name for name in column.choices if models in JOINTS[name].dimensions)
    return column.choices


def referred(sheet: str, header: str) -> str:
    """The sheet whose names a column refers to, ``ground`` where bodies and the ground may be named, ``""`` for others."""
    declared = DECLARED.get(fold(sheet))
    column = declared.by_fold.get(fold(header)) if declared else None
    if column is None or not column.sheets:
        return ""
    return "ground" if column.ground else column.sheets[0]

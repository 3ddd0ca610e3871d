"""All input sheets that workbooks of any kind may have. A new sheet is declared beside its like and is then known here."""

from __future__ import annotations

from sheetmbs.schema.column import Sheet
from sheetmbs.schema.gait_inputs import GAIT_BY_FOLD
from sheetmbs.schema.input_columns import SHEETS_BY_FOLD
from sheetmbs.schema.measured_inputs import MEASURED_BY_FOLD, is_data_sheet
from sheetmbs.schema.names import fold
from sheetmbs.schema.suspension_inputs import SUSPENSION_BY_FOLD

INPUTS_BY_FOLD: dict[str, Sheet] = {**MEASURED_BY_FOLD, **GAIT_BY_FOLD, **SUSPENSION_BY_FOLD, **SHEETS_BY_FOLD}
"""folded name -> sheet; where kinds of workbooks share a name, that of a model counts"""
SAMPLES = ("markers", "force plates")
"""how folded names of sheets begin of which there may be several, each with the samples of a trial"""


def is_input_sheet(name: str) -> bool:
    """Whether a sheet is read as an input."""
    folded = fold(name)
    return folded in INPUTS_BY_FOLD or folded.startswith(SAMPLES) or is_data_sheet(name)

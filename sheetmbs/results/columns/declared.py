"""The result sheets and all columns that may stand on them."""

from __future__ import annotations

from dataclasses import dataclass

from sheetmbs.elements.result_column import ResultColumn, ResultKind
from sheetmbs.results.columns.beam_columns import BEAM, BEAM_POINT
from sheetmbs.results.columns.body_columns import BODY, POINT
from sheetmbs.results.columns.clearance_columns import BEGINNING, CLEARANCE, IMPACTS
from sheetmbs.results.columns.collect import TIME_OF_ROW
from sheetmbs.results.columns.constraint_columns import CONSTRAINT, WHOLE_MODEL
from sheetmbs.results.columns.driver_columns import DRIVER
from sheetmbs.results.columns.joint_columns import JOINT
from sheetmbs.results.columns.mode_columns import BEAM_SHAPE, MODE, MODES, SHAPE
from sheetmbs.results.columns.spring_columns import SPRING_KINDS


@dataclass(frozen=True)
class ResultSheet:
    """A sheet of rows. doc: what it holds. first: its first column, which says what each row is."""

    name: str
    doc: str
    kinds: tuple[ResultKind, ...]
    first: ResultColumn = TIME_OF_ROW


RESULT_SHEETS: tuple[ResultSheet, ...] = (
    ResultSheet(BODY.sheet, "motion of the bodies", (BODY, BEAM)),
    ResultSheet(
        POINT.sheet, "motion of the points with report = yes, and internal forces of beams there", (POINT, BEAM_POINT)
    ),
    ResultSheet(JOINT.sheet, "reactions, friction, and the coordinates of joints", (JOINT,)),
    ResultSheet(DRIVER.sheet, "what drivers and guiding columns apply; the latter by their headers", (DRIVER,)),
    ResultSheet("mbs Springs", "springs and bushings, and their forces", SPRING_KINDS),
    ResultSheet(CLEARANCE.sheet, "joints with clearance", (CLEARANCE,)),
    ResultSheet(IMPACTS.sheet, "a row for every contact in a joint with clearance", (IMPACTS,), BEGINNING),
    ResultSheet(WHOLE_MODEL.sheet, "violations and energies", (WHOLE_MODEL, CONSTRAINT)),
    ResultSheet(
        MODES.sheet, "a row per mode of the analysis modes: frequencies and shapes", (MODES, SHAPE, BEAM_SHAPE), MODE
    ),
)

KINDS: tuple[ResultKind, ...] = tuple(kind for sheet in RESULT_SHEETS for kind in sheet.kinds)

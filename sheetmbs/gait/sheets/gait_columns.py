"""The columns of the result sheets of gait, declared: documentation, frames and sheets say the same of them."""

from __future__ import annotations

from sheetmbs.elements.result_column import (
    BOTH,
    COUNT,
    FORCE,
    METRES,
    MOMENT,
    PLANAR,
    SPATIAL,
    TIME,
    Models,
    ResultColumn,
    ResultKind,
    ResultQuantity,
    result_columns,
)
from sheetmbs.results.columns.declared import ResultSheet

ANGLES, MOMENTS, POWERS, SERIES = "mbs Gait angles", "mbs Gait moments", "mbs Gait powers", "mbs Gait series"

DEGREES, DEGREES_PER_SECOND, PERCENT = ResultQuantity("deg"), ResultQuantity("deg/s"), ResultQuantity("%")
OF_MASS = ResultQuantity("N*m/kg"), ResultQuantity("N*m"), ResultQuantity("%BW*height")
POWER_OF_MASS = ResultQuantity("W/kg"), ResultQuantity("W")

JOINT, FOOT, SUPPORT, SEGMENT, BODY = "<side> <joint>", "<side> foot", "<side> support", "<segment>", ""
"""whose columns they are, as their names begin"""

PERCENT_OF_STRIDE = ResultColumn(
    "percent", "of the stride, from a heel strike to the next of the same side", (PERCENT,)
)
TIME_OF_FRAME = ResultColumn("time", "of the frame, as it was used: uniform", (TIME,))

ANGLE_DOC = "angle of the joint; its units row names the positive sense"
MOMENT_DOC = "net moment at the joint, as `moment`, `moment_unit` and `signs` ask for it"
POWER_DOC = "power of the joint, M (w_distal - w_proximal), generation +"
SUPPORT_DOC = "support moment: what hip, knee and ankle extend together"
SEGMENT_DOC = "angle of the segment's line, counter-clockwise from forward, upright 90"
JOINT_FORCE_DOC = "force on the distal segment at the joint"
GROUND_DOC = "force of the ground on the foot"

SPATIAL_COLUMNS: tuple[tuple[str, str, str, tuple[ResultQuantity, ...]], ...] = (
    (ANGLES, "flexion", "flexion after Grood and Suntay, the same as angle", (DEGREES,)),
    (ANGLES, "adduction", "adduction after Grood and Suntay, of both sides alike", (DEGREES,)),
    (ANGLES, "rotation", "internal rotation after Grood and Suntay, of both sides alike", (DEGREES,)),
    (MOMENTS, "moment_flexion", "moment about the axis of flexion, of `moment_axes` jcs, the same as moment", OF_MASS),
    (MOMENTS, "moment_adduction", "moment about the floating axis, of `moment_axes` jcs", OF_MASS),
    (MOMENTS, "moment_rotation", "moment about the axis of rotation, of `moment_axes` jcs", OF_MASS),
    *((MOMENTS, f"m{axis}", f"moment about {axis} of the axes that `moment_axes` names", OF_MASS) for axis in "xyz"),
    (MOMENTS, "fz", f"{JOINT_FORCE_DOC}, to the right", (FORCE,)),
)
"""sheet, quantity of a joint, what it is, its units: those that only models in space have"""
OVER_STRIDES: tuple[tuple[str, str, str, str, tuple[ResultQuantity, ...], Models], ...] = (
    (ANGLES, JOINT, "angle", ANGLE_DOC, (DEGREES,), BOTH),
    (ANGLES, SEGMENT, "angle", SEGMENT_DOC, (DEGREES,), BOTH),
    (MOMENTS, JOINT, "moment", MOMENT_DOC, OF_MASS, BOTH),
    (MOMENTS, SUPPORT, "moment", SUPPORT_DOC, OF_MASS, BOTH),
    (MOMENTS, JOINT, "fx", f"{JOINT_FORCE_DOC}, forward", (FORCE,), BOTH),
    (MOMENTS, JOINT, "fy", f"{JOINT_FORCE_DOC}, up", (FORCE,), BOTH),
    (MOMENTS, FOOT, "fx", f"{GROUND_DOC}, forward", (FORCE,), BOTH),
    (MOMENTS, FOOT, "fy", f"{GROUND_DOC}, up", (FORCE,), BOTH),
    (MOMENTS, FOOT, "fz", f"{GROUND_DOC}: to the right", (FORCE,), SPATIAL),
    (POWERS, JOINT, "power", POWER_DOC, POWER_OF_MASS, BOTH),
    *((sheet, JOINT, quantity, doc, units, SPATIAL) for sheet, quantity, doc, units in SPATIAL_COLUMNS),
)
"""sheet, whose, quantity, what it is, its units, the models that have it"""


def _nobody(_model: object) -> tuple[object, ...]:
    """Elements of a model that report these columns: none, for gait fills them."""
    return ()


def _kind(sheet: str, owner: str, columns: tuple[ResultColumn, ...]) -> ResultKind:
    return ResultKind(owner, sheet, columns, _nobody)


def stride_columns(
    quantity: str, doc: str, units: tuple[ResultQuantity, ...], models: Models
) -> tuple[ResultColumn, ...]:
    """The columns of a quantity over strides: its mean, standard deviation and number, and each stride."""
    return (
        ResultColumn(f"{quantity}.mean", f"{doc}; mean over strides", units, models),
        ResultColumn(f"{quantity}.sd", "its standard deviation (n - 1), point by point", units, models),
        ResultColumn(f"{quantity}.n", "how many strides are in both there", (COUNT,), models),
        ResultColumn(
            f"{quantity}.#", "it over each stride; the summary lists which stride is which", units, aside=True
        ),
    )


STRIDE_KINDS = tuple(
    _kind(sheet, owner, stride_columns(quantity, doc, units, models))
    for sheet, owner, quantity, doc, units, models in OVER_STRIDES
)
SERIES_KINDS = (
    _kind(
        SERIES,
        JOINT,
        (
            ResultColumn("angle", ANGLE_DOC, (DEGREES,)),
            ResultColumn("rate", "its rate", (DEGREES_PER_SECOND,)),
            ResultColumn("moment", MOMENT_DOC, OF_MASS),
            ResultColumn("power", POWER_DOC, POWER_OF_MASS),
            *result_columns("fx fy", f"{JOINT_FORCE_DOC}, forward and up", FORCE),
            *(ResultColumn(quantity, doc, units, SPATIAL) for _, quantity, doc, units in SPATIAL_COLUMNS),
        ),
    ),
    _kind(SERIES, SUPPORT, (ResultColumn("moment", SUPPORT_DOC, OF_MASS),)),
    _kind(
        SERIES,
        FOOT,
        (
            *result_columns("fx fy", f"{GROUND_DOC}, forward and up", FORCE),
            ResultColumn("m", "its moment about the origin of the laboratory", (MOMENT,)),
            ResultColumn("px", "where it acts, forward; empty below the threshold", (METRES,)),
            ResultColumn("fz", f"{GROUND_DOC}: to the right", (FORCE,), SPATIAL),
            *(ResultColumn(f"m{axis}", f"the same about {axis}", (MOMENT,), SPATIAL) for axis in "xy"),
            ResultColumn("pz", "where it acts, to the right", (METRES,), SPATIAL),
        ),
    ),
    _kind(SERIES, SEGMENT, (ResultColumn("angle", SEGMENT_DOC, (DEGREES,)),)),
    _kind(
        SERIES,
        BODY,
        (
            *result_columns(
                "residual.fx residual.fy", "force that nobody applies: demand less what is measured", FORCE
            ),
            ResultColumn("residual.m", "its moment about the centre of mass of the body", (MOMENT,), PLANAR),
            ResultColumn("residual.fz", "that force to the right", (FORCE,), SPATIAL),
            *(
                ResultColumn(
                    f"residual.m{axis}", f"its moment about the centre of mass, about {axis}", (MOMENT,), SPATIAL
                )
                for axis in "xyz"
            ),
            *result_columns("com.x com.y", "centre of mass of the body, forward and up", METRES),
            ResultColumn("com.z", "the same to the right", (METRES,), SPATIAL),
            ResultColumn(
                "edge", "1 near an end of the trial, where the filter knows less: out of means and peaks", (COUNT,)
            ),
            ResultColumn("filled", "1 where a gap was filled in what joints need", (COUNT,)),
        ),
    ),
)
GAIT_RESULT_SHEETS = (
    *(
        ResultSheet(name, doc, tuple(kind for kind in STRIDE_KINDS if kind.sheet == name), PERCENT_OF_STRIDE)
        for name, doc in (
            (ANGLES, "angles of joints and segments over the stride"),
            (MOMENTS, "moments and forces of joints, and forces of the ground, over the stride"),
            (POWERS, "powers of joints over the stride"),
        )
    ),
    ResultSheet(SERIES, "all frames of a trial", SERIES_KINDS, TIME_OF_FRAME),
)
"""result sheets of gait that are tables"""
DECLARED = {
    (kind.sheet, kind.element, column.name): column
    for sheet in GAIT_RESULT_SHEETS
    for kind in sheet.kinds
    for column in kind.columns
}
"""sheet, whose, name of a column -> what it is"""

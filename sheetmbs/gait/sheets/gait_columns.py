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
PELVIS, TRUNK = "<side> pelvis", "<side> trunk"
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
    (MOMENTS, "moment_flexion", "moment about the axis of flexion: e1, or z of a segment; the same as moment", OF_MASS),
    (MOMENTS, "moment_adduction", "moment about e2, or x of a segment, of both sides alike", OF_MASS),
    (MOMENTS, "moment_rotation", "moment about e3, or y of a segment, of both sides alike", OF_MASS),
    *((MOMENTS, f"m{axis}", f"moment about {axis} of the axes that `moment_axes` names", OF_MASS) for axis in "xyz"),
    (MOMENTS, "fz", f"{JOINT_FORCE_DOC}, to the right", (FORCE,)),
)
"""sheet, quantity of a joint, what it is, its units: those that only models in space have"""
AXIAL_COLUMNS = {
    PELVIS: (
        ("tilt", "tilt of the pelvis in the laboratory, of the conventional gait model"),
        ("obliquity", "how much higher its own side is"),
        ("rotation", "how much farther forward its own side is"),
    ),
    TRUNK: (
        ("tilt", "tilt of the thorax in the laboratory, of the conventional gait model"),
        ("obliquity", "how much higher its own side is"),
        ("rotation", "how much farther forward its own side is"),
    ),
    FOOT: (("progression", "how far the foot points inward of the way of the walk, of the conventional gait model"),),
}
"""whose angles in the laboratory, and what each is"""
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
    *(
        (ANGLES, owner, quantity, doc, (DEGREES,), SPATIAL)
        for owner, columns in AXIAL_COLUMNS.items()
        for quantity, doc in columns
    ),
)
"""sheet, whose, quantity, what it is, its units, the models that have it"""


BELIEVED = {
    *("angle", "flexion", "adduction", "rotation", "tilt", "obliquity", "progression"),
    *("moment", "moment_flexion", "moment_adduction", "moment_rotation", "mx", "my", "mz", "power"),
}
"""quantities of joints whose uncertainty is shown beside them"""
UNCERTAIN_DOC = "one standard uncertainty of it, from the sources of the sheet Uncertainty"
REDUCED_DOC = "the same where masses, centres of mass and markers share the residual (`residual_reduction` = yes)"


def _nobody(_model: object) -> tuple[object, ...]:
    """Elements of a model that report these columns: none, for gait fills them."""
    return ()


def _kind(sheet: str, owner: str, columns: tuple[ResultColumn, ...]) -> ResultKind:
    return ResultKind(owner, sheet, columns, _nobody)


def _axial_columns(owner: str) -> tuple[ResultColumn, ...]:
    return tuple(
        column
        for quantity, doc in AXIAL_COLUMNS[owner]
        for column in _with_uncertainty(quantity, doc, (DEGREES,), SPATIAL)
    )


def stride_columns(
    quantity: str, doc: str, units: tuple[ResultQuantity, ...], models: Models
) -> tuple[ResultColumn, ...]:
    """The columns of a quantity over strides: its mean, standard deviation and number, and each stride."""
    return (
        ResultColumn(f"{quantity}.mean", f"{doc}; mean over strides", units, models),
        ResultColumn(f"{quantity}.sd", "its standard deviation (n - 1), point by point", units, models),
        ResultColumn(f"{quantity}.n", "how many strides are in both there", (COUNT,), models),
        *([ResultColumn(f"{quantity}.u", UNCERTAIN_DOC, units, models)] if quantity in BELIEVED else []),
        ResultColumn(
            f"{quantity}.#", "it over each stride; the summary lists which stride is which", units, aside=True
        ),
    )


def _with_uncertainty(
    quantity: str, doc: str, units: tuple[ResultQuantity, ...], models: Models = BOTH
) -> tuple[ResultColumn, ...]:
    """The column of a quantity of a joint, followed by its uncertainty and its second curve where these are shown."""
    column = ResultColumn(quantity, doc, units, models)
    if quantity not in BELIEVED:
        return (column,)
    return (
        column,
        ResultColumn(f"{quantity}.u", UNCERTAIN_DOC, units, models),
        ResultColumn(f"{quantity}.reduced", REDUCED_DOC, units, models),
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
            *_with_uncertainty("angle", ANGLE_DOC, (DEGREES,)),
            ResultColumn("rate", "its rate", (DEGREES_PER_SECOND,)),
            *_with_uncertainty("moment", MOMENT_DOC, OF_MASS),
            *_with_uncertainty("power", POWER_DOC, POWER_OF_MASS),
            *result_columns("fx fy", f"{JOINT_FORCE_DOC}, forward and up", FORCE),
            *(
                column
                for _, quantity, doc, units in SPATIAL_COLUMNS
                for column in _with_uncertainty(quantity, doc, units, SPATIAL)
            ),
        ),
    ),
    _kind(SERIES, SUPPORT, _with_uncertainty("moment", SUPPORT_DOC, OF_MASS)),
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
            *_axial_columns(FOOT),
        ),
    ),
    _kind(SERIES, PELVIS, _axial_columns(PELVIS)),
    _kind(SERIES, TRUNK, _axial_columns(TRUNK)),
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

"""The input sheets of tyres: which tyres there are, their coefficients, and points that were measured or are wanted."""

from __future__ import annotations

from sheetmbs.schema import units as u
from sheetmbs.schema.column import ACTIVE, ANY, CHOICE, DESIGN, NAME, NOTES, NUMBER, TEXT, Column, Sheet

TYRE_MODELS = ("magic formula", "linear", "fiala", "table")
TYRE_AXES = ("ISO", "SAE", "adapted SAE")

TYRES = Sheet(
    "Tyres",
    "tyres and the axles that they are on: one per row",
    (
        Column("name", NAME, "name of the tyre", required=True),
        Column("axle", CHOICE, "axle that it is on", default="both", choices=("both", "front", "rear")),
        Column(
            "model",
            CHOICE,
            "model; blank is for a file, or for coefficients of the magic formula",
            default="magic formula",
            choices=TYRE_MODELS,
        ),
        Column("file", TEXT, "a .tir file in the folder of the workbook; rows of Tyre coefficients replace its values"),
        Column(
            "measured_side",
            CHOICE,
            "side of the car that it was measured on; symmetric: it is its own mirror image",
            default="TYRESIDE of the file, else left; of other models symmetric",
            choices=("left", "right", "symmetric"),
        ),
        Column("pressure", NUMBER, "inflation pressure", (u.PRESSURE,), default="INFLPRES, else NOMPRES"),
        *(
            Column(name, NUMBER, f"factor on {doc}", (u.RATIO,), default="1")
            for name, doc in (
                ("scale_mu_x", "the longitudinal friction"),
                ("scale_mu_y", "the lateral friction"),
                ("scale_c_x", "the slip stiffness"),
                ("scale_c_y", "the cornering stiffness"),
            )
        ),
        DESIGN,
        ACTIVE,
        NOTES,
    ),
)

TYRE_COEFFICIENTS = Sheet(
    "Tyre coefficients",
    "coefficients of the models of tyres: one per row, or lines of a .tir file in the column coefficient",
    (
        Column("tyre", TEXT, "name of the tyre", required=True),
        Column("coefficient", TEXT, "name, as in .tir files; or a line KEY = value $ comment", required=True),
        Column("value", ANY, "its value; blank where coefficient holds a whole line"),
        Column("unit", TEXT, "unit of the value, blank = SI"),
        DESIGN,
        NOTES,
    ),
)

TYRE_DATA = Sheet(
    "Tyre data",
    "points that were measured, that make a table, or at which a tyre is evaluated",
    (
        Column("tyre", TEXT, "name of the tyre", required=True),
        Column("fz", NUMBER, "vertical load", (u.FORCE,), required=True),
        Column("alpha", NUMBER, "slip angle", (u.ANGLE,), default="0"),
        Column("kappa", NUMBER, "slip ratio", (u.RATIO,), default="0"),
        Column("gamma", NUMBER, "camber angle", (u.ANGLE,), default="0"),
        Column("pressure", NUMBER, "inflation pressure", (u.PRESSURE,), default="that of the tyre"),
        Column("speed", NUMBER, "speed", (u.VELOCITY,), default="LONGVL of the tyre"),
        Column("fx", NUMBER, "longitudinal force", (u.FORCE,)),
        Column("fy", NUMBER, "lateral force", (u.FORCE,)),
        Column("mz", NUMBER, "aligning moment", (u.MOMENT,)),
        Column("axes", CHOICE, "axes of the row", default="ISO; SAE where SA is filled", choices=TYRE_AXES),
        Column("sweep", TEXT, "a label of your own"),
        Column("SA", NUMBER, "slip angle as test consortia write it, deg where no unit stands", (u.ANGLE,)),
        Column("SL", NUMBER, "the same of the slip ratio", (u.RATIO,)),
        Column("IA", NUMBER, "the same of the camber angle, deg", (u.ANGLE,)),
        Column("P", NUMBER, "the same of the pressure, kPa", (u.PRESSURE,)),
        Column("V", NUMBER, "the same of the speed, km/h", (u.VELOCITY,)),
        NOTES,
    ),
)

TYRE_SHEETS: tuple[Sheet, ...] = (TYRES, TYRE_COEFFICIENTS, TYRE_DATA)

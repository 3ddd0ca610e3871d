"""The input sheet Compliance: what of an axle is elastic."""

from __future__ import annotations

from sheetmbs.schema import units as u
from sheetmbs.schema.column import ACTIVE, CHOICE, DESIGN, NOTES, NUMBER, REFERENCE, TEXT, Column, Sheet

CURVE_PLACES = ("k", "radial", "axial", "torsion")
"""words of curve_of: the number in whose place a curve stands"""
NODE = ("kxx", "kxy", "kxz", "kyy", "kyz", "kzz")
"""columns of the symmetric stiffness of a pickup, in the axes of Hardpoints"""

COMPLIANCE = Sheet(
    "Compliance",
    "elastic parts: bushings, ball joints, links, arms, rack, column, bearings, tyres; one per row",
    (
        Column("axle", CHOICE, "axle", required=True, choices=("front", "rear")),
        Column(
            "part",
            TEXT,
            "what is elastic: a pivot or ball joint by its point, a member by its name, an end of one by its point, "
            "lower arm legs, rack mount, rack, column, wheel bearing, tyre or chassis",
            required=True,
        ),
        Column("k", NUMBER, "stiffness; of a pivot or ball joint radial and axial", (u.STIFFNESS,)),
        Column("k_radial", NUMBER, "stiffness in both directions across the axis", (u.STIFFNESS,), default="rigid"),
        Column("k_axial", NUMBER, "stiffness along the axis", (u.STIFFNESS,), default="rigid"),
        Column("k_torsion", NUMBER, "stiffness about the axis", (u.ROTATIONAL_STIFFNESS,), default="0"),
        Column("k_conical", NUMBER, "stiffness about the other two axes", (u.ROTATIONAL_STIFFNESS,), default="0"),
        Column("E", NUMBER, "Young's modulus of a member or of legs", (u.PRESSURE,), default="that of Members"),
        Column("area", NUMBER, "area of the section of a member or of legs", (u.AREA,), default="that of Members"),
        *(
            Column(
                name,
                NUMBER,
                f"stiffness of the structure at a pickup, {name[1:]}, in the axes of Hardpoints",
                (u.STIFFNESS,),
            )
            for name in NODE
        ),
        Column(
            "curve", REFERENCE, "curve of the force over deflection, or of the moment over angle", sheets=("Curves",)
        ),
        Column("curve_of", CHOICE, "number in whose place the curve stands", default="k", choices=CURVE_PLACES),
        Column("axis", TEXT, "axis of a bushing: hinge, x, y, z, or a point towards which it lies", default="hinge"),
        Column(
            "c",
            NUMBER,
            "damping in the directions of the rate, in dynamic analyses and modes",
            (u.DAMPING, u.ROTATIONAL_DAMPING),
            default="0",
        ),
        Column("side", CHOICE, "side of the part", default="both", choices=("both", "left", "right")),
        DESIGN,
        ACTIVE,
        NOTES,
    ),
)

LOAD_SWEEPS = ("lateral force", "longitudinal force", "aligning torque")
"""types of sweeps in which a load on the wheels is stepped, as on a K&C rig"""
LOAD_COLUMNS: tuple[Column, ...] = (
    *(
        Column(f"force_{end}", NUMBER, doc, (u.FORCE, u.MOMENT))
        for end, doc in (
            ("from", "first value of the load of a lateral force, longitudinal force or aligning torque sweep"),
            ("to", "last value of this load"),
            ("step", "step of this load"),
        )
    ),
    Column(
        "sense",
        CHOICE,
        "load on the right wheel: the same, the opposite, or none",
        default="parallel",
        choices=("parallel", "opposed", "single"),
    ),
    Column(
        "hold",
        CHOICE,
        "what is held while a load is stepped: heights of the contacts, or their vertical loads",
        default="height",
        choices=("height", "load"),
    ),
)
"""columns of Sweeps that say how"""

"""The sheet Settings: every setting, what it may be and what it is when left out."""

from __future__ import annotations

from sheetmbs.elements.analyses import Analysis
from sheetmbs.elements.integrators import INTEGRATORS
from sheetmbs.schema.column import Column, ColumnKind, Setting, Sheet
from sheetmbs.schema.names import fold
from sheetmbs.schema.units import ACCELERATION, LENGTH, RATE, TIME, VELOCITY

FORMAT = 1
ANALYSES = (
    Analysis.DYNAMIC,
    Analysis.KINEMATIC,
    Analysis.INVERSE_DYNAMIC,
    Analysis.EQUILIBRIUM,
    Analysis.MODES,
)
STATIC_ANALYSES = (Analysis.EQUILIBRIUM, Analysis.MODES)
"""those that look at one instant and need no t_end and t_step"""
MASSLESS_ANALYSES = (Analysis.KINEMATIC,)
"""those in which masses may be left blank"""

SETTINGS_SHEET = Sheet(
    "Settings",
    "what is analysed, how, and for how long: one setting per row",
    (
        Column("setting", ColumnKind.NAME, "name of the setting", required=True),
        Column("value", ColumnKind.ANY, "its value", required=True),
        Column("unit", ColumnKind.TEXT, "unit of the value, blank = SI"),
        Column("notes", ColumnKind.TEXT, "for people; ignored"),
    ),
    required=True,
)

SETTINGS: tuple[Setting, ...] = (
    Setting("format", "version of the workbook format", "", default=str(FORMAT)),
    Setting("title", "title of the model", "title", ColumnKind.TEXT),
    Setting(
        "case", "which of the cases counts that have a column of their own", "case", ColumnKind.TEXT, default="none"
    ),
    Setting("dimension", "plane or space", "dimension", ColumnKind.CHOICE, ("2D", "3D")),
    Setting("analysis", "what to find out", "analysis", ColumnKind.CHOICE, ANALYSES),
    Setting("gravity_x", "gravity along x", "gravity_x", dimension=ACCELERATION, default="0"),
    Setting("gravity_y", "gravity along y", "gravity_y", dimension=ACCELERATION, default="2D: -9.81, 3D: 0"),
    Setting("gravity_z", "gravity along z", "gravity_z", dimension=ACCELERATION, default="2D: none, 3D: -9.81"),
    Setting("t_start", "time at which the analysis begins", "t_start", dimension=TIME, default="0"),
    Setting("t_end", "time at which it ends, exactly", "t_end", dimension=TIME),
    Setting("t_step", "time between two rows of the results", "t_step", dimension=TIME, above=0.0),
    Setting(
        "integrator",
        "method of integration of a dynamic analysis",
        "integrator",
        ColumnKind.CHOICE,
        tuple(INTEGRATORS),
    ),
    Setting("step", "step of a method of fixed step", "step", dimension=TIME, default="t_step", above=0.0),
    Setting(
        "max_step",
        "longest step of a method that chooses its own",
        "max_step",
        dimension=TIME,
        default="none",
        above=0.0,
    ),
    Setting("spectral_radius", "of generalized-alpha and hht", "spectral_radius", default="0.9", least=0.0, most=1.0),
    Setting("rtol", "relative tolerance", "rtol", default="1e-8, stiff methods 1e-7", above=0.0, most=1.0),
    Setting("atol", "absolute tolerance of lengths, added to the relative one", "atol", dimension=LENGTH, above=0.0),
    Setting(
        "formulation",
        "how constraints are kept in a dynamic analysis",
        "formulation",
        ColumnKind.CHOICE,
        (
            *("auto", "lagrange", "baumgarte", "augmented-lagrangian"),
            *("projection", "coordinate-partitioning", "index-3"),
        ),
    ),
    Setting(
        "alpha", "Baumgarte: Phi'' + 2 alpha Phi' + beta^2 Phi = 0", "alpha", dimension=RATE, default="5", least=0.0
    ),
    Setting("beta", "Baumgarte, as above", "beta", dimension=RATE, default="5", least=0.0),
    Setting(
        "feedback",
        "Baumgarte: alpha and beta as given, or from the step h: 0.1/h and 0.14/h",
        "feedback",
        ColumnKind.CHOICE,
        ("given", "from-step"),
    ),
    Setting("penalty", "augmented Lagrangian: penalty", "penalty", default="1e7", above=0.0),
    Setting("omega", "augmented Lagrangian: natural frequency", "omega", dimension=RATE, default="10", above=0.0),
    Setting("mu", "augmented Lagrangian: damping ratio", "mu", default="1", least=0.0),
    Setting(
        "initial_conditions",
        "what happens to poses and velocities that violate the constraints",
        "initial_conditions",
        ColumnKind.CHOICE,
        ("correct", "check", "given", "kinematic"),
    ),
    Setting(
        "guiding_spline",
        "ends of the cubic splines: second derivative 0, or not-a-knot",
        "guiding_spline",
        ColumnKind.CHOICE,
        ("natural", "not-a-knot"),
    ),
    Setting(
        "position_solver",
        "method that closes the mechanism",
        "position_solver",
        ColumnKind.CHOICE,
        ("dogleg", "newton", "levenberg-marquardt"),
    ),
    Setting(
        "slip",
        "clearances: sliding speed from which friction begins",
        "slip",
        dimension=VELOCITY,
        default="1e-4",
        least=0.0,
    ),
    Setting(
        "full_slip",
        "clearances: sliding speed from which friction is full",
        "full_slip",
        dimension=VELOCITY,
        default="1e-3",
        above=0.0,
    ),
    Setting(
        "least_impact",
        "clearances: a contact that begins more slowly is damped as one that began with this speed",
        "least_impact",
        dimension=VELOCITY,
        default="1e-4",
        above=0.0,
    ),
    Setting(
        "least_film",
        "clearances: thickness at which an oil film ends, over the clearance",
        "least_film",
        default="0.01",
        above=0.0,
        most=0.5,
    ),
    Setting(
        "results",
        "columns on the result sheets: all, or those that most readers need",
        "results",
        ColumnKind.CHOICE,
        ("full", "short"),
    ),
    Setting(
        "animation",
        "whether the motion is drawn on a sheet, to be moved there",
        "animation",
        ColumnKind.CHOICE,
        ("no", "yes"),
    ),
    Setting(
        "projection",
        "plane in which a model in space is seen there",
        "projection",
        ColumnKind.CHOICE,
        ("xz", "xy", "yz"),
    ),
    Setting("tolerance", "residual of positions and velocities", "tolerance", default="1e-10", above=0.0, most=1.0),
)

SETTINGS_BY_FOLD: dict[str, Setting] = {fold(setting.name): setting for setting in SETTINGS}

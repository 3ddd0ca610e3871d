"""The sheet Settings: every setting, what it may be and what it is when left out."""

from __future__ import annotations

from sheetmbs.elements.analyses import Analysis
from sheetmbs.elements.integrators import INTEGRATORS
from sheetmbs.schema.column import Setting, settings_sheet
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

SETTINGS_SHEET = settings_sheet(
    "Settings", "what is analysed, how, and for how long: one setting per row", required=True
)

SETTINGS: tuple[Setting, ...] = (
    Setting("format", "version of the workbook format", default=str(FORMAT)),
    Setting("title", "title of the model", is_text=True),
    Setting("case", "case to analyse, among those with a column of their own", is_text=True, default="none"),
    Setting("dimension", "planar or spatial model", ("2D", "3D")),
    Setting("analysis", "type of analysis", ANALYSES),
    Setting("gravity_x", "gravity along x", dimension=ACCELERATION, default="0"),
    Setting("gravity_y", "gravity along y", dimension=ACCELERATION, default="2D: -9.81, 3D: 0"),
    Setting("gravity_z", "gravity along z", dimension=ACCELERATION, default="2D: none, 3D: -9.81"),
    Setting("t_start", "time at which the analysis begins", dimension=TIME, default="0"),
    Setting("t_end", "time at which it ends, exactly", dimension=TIME),
    Setting("t_step", "time between two rows of the results", dimension=TIME, above=0.0),
    Setting("integrator", "method of integration of a dynamic analysis", tuple(INTEGRATORS)),
    Setting("step", "step of a method with fixed steps", dimension=TIME, default="t_step", above=0.0),
    Setting("max_step", "longest step of a method with variable steps", dimension=TIME, default="none", above=0.0),
    Setting("spectral_radius", "spectral radius of generalized-alpha and hht", default="0.9", least=0.0, most=1.0),
    Setting("rtol", "relative tolerance", default="1e-8, stiff methods 1e-7", above=0.0, most=1.0),
    Setting("atol", "absolute tolerance of lengths, added to the relative one", dimension=LENGTH, above=0.0),
    Setting(
        "formulation",
        "how constraints are enforced in a dynamic analysis",
        (
            *("auto", "lagrange", "baumgarte", "augmented-lagrangian"),
            *("projection", "coordinate-partitioning", "index-3"),
        ),
    ),
    Setting("alpha", "Baumgarte: Phi'' + 2 alpha Phi' + beta^2 Phi = 0", dimension=RATE, default="5", least=0.0),
    Setting("beta", "Baumgarte, as above", dimension=RATE, default="5", least=0.0),
    Setting(
        "feedback", "Baumgarte: alpha and beta as given, or from the step h: 0.1/h and 0.14/h", ("given", "from-step")
    ),
    Setting("penalty", "augmented Lagrangian: penalty", default="1e7", above=0.0),
    Setting("omega", "augmented Lagrangian: natural frequency", dimension=RATE, default="10", above=0.0),
    Setting("mu", "augmented Lagrangian: damping ratio", default="1", least=0.0),
    Setting(
        "initial_conditions",
        "what happens to poses and velocities that violate the constraints",
        ("correct", "check", "given", "kinematic"),
    ),
    Setting(
        "guiding_spline", "ends of the cubic splines: second derivative 0, or not-a-knot", ("natural", "not-a-knot")
    ),
    Setting(
        "position_solver", "method that solves the position equations", ("dogleg", "newton", "levenberg-marquardt")
    ),
    Setting(
        "slip", "clearances: sliding speed from which friction begins", dimension=VELOCITY, default="1e-4", least=0.0
    ),
    Setting(
        "full_slip",
        "clearances: sliding speed from which friction is full",
        dimension=VELOCITY,
        default="1e-3",
        above=0.0,
    ),
    Setting(
        "least_impact",
        "clearances: contacts that begin more slowly are damped as if they began at this speed",
        dimension=VELOCITY,
        default="1e-4",
        above=0.0,
    ),
    Setting(
        "least_film",
        "clearances: smallest thickness of an oil film, as a share of the clearance",
        default="0.01",
        above=0.0,
        most=0.5,
    ),
    Setting("results", "columns on the result sheets: all, or only those that most readers need", ("full", "short")),
    Setting("animation", "whether to draw the motion on the sheet mbs Animation", ("no", "yes")),
    Setting("projection", "plane in which mbs Animation shows a spatial model", ("xz", "xy", "yz")),
    Setting("tolerance", "residual of positions and velocities", default="1e-10", above=0.0, most=1.0),
)

SETTINGS_BY_FOLD: dict[str, Setting] = {fold(setting.name): setting for setting in SETTINGS}

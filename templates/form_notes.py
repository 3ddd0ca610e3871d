"""What a form says about its columns: the note on a header, an example, a hint in a cell, what is folded away at first."""

from __future__ import annotations

from sheetmbs.elements import JOINTS
from sheetmbs.elements.forces import FORCE_ELEMENTS, FORCE_TYPES
from sheetmbs.schema import units as u
from sheetmbs.schema.column import Column, ColumnKind, Dimensionality, Sheet
from sheetmbs.schema.suspension_inputs import CORNER_NAMES, WRENCH
from sheetmbs.schema.units import Dimension, parse_unit

USUAL = {column.name for each in ("translational", "rotational") for column in FORCE_TYPES[each].columns}
OTHER_FORCES = tuple(
    " ".join(column.name for column in element.columns if column.name not in USUAL)
    for element in FORCE_ELEMENTS
    if element.name not in {"translational", "rotational"}
)
"""columns of force elements that few models have"""
DEGREE = u.pi / 180
SAMPLES = {
    u.LENGTH: 0.25,
    u.MASS: 2.5,
    u.TIME: 0.01,
    u.ANGLE: u.pi / 6,
    u.RATIO: 1.0,
    u.RATE: 5.0,
    u.VELOCITY: 0.5,
    u.ANGULAR_VELOCITY: u.pi / 2,
    u.ACCELERATION: 2.0,
    u.ANGULAR_ACCELERATION: u.pi,
    u.FORCE: 150.0,
    u.MOMENT: 2.5,
    u.INERTIA: 0.06,
    u.STIFFNESS: 20_000.0,
    u.ROTATIONAL_STIFFNESS: 180 / u.pi,
    u.DAMPING: 300.0,
    u.ROTATIONAL_DAMPING: 18 / u.pi,
    u.DENSITY: 7850.0,
    u.MASS_PER_LENGTH: 0.8,
    u.BENDING_STIFFNESS: 20.0,
    u.PRESSURE: 207e9,
    u.AREA: 0.002,
    u.VOLUME: 0.0015,
    u.VISCOSITY: 0.1,
    u.IN_G: 1.4,
}
"""dimension -> a common size in SI"""
SIZES = {
    "Hardpoints": {"x": 0.125, "y": 0.56, "z": 0.12, "max_angle": 18 * DEGREE},
    "Suspension springs": {
        "k": 35e3,
        "c": 2500.0,
        "free_length": 0.18,
        "preload": 400.0,
        "gap": 0.015,
        "k_swing": 2000.0,
        "d": 0.016,
        "di": 0.01,
        "length": 0.26,
        "G": 79e9,
        "min_length": 0.16,
        "max_length": 0.215,
    },
    "Tyres": {"pressure": 83e3, "scale_mu_x": 0.65, "scale_mu_y": 0.65, "scale_c_x": 0.9, "scale_c_y": 0.9},
    "Tyre data": {
        "fz": 1100.0,
        "alpha": 4 * DEGREE,
        "kappa": 0.05,
        "gamma": 2 * DEGREE,
        "pressure": 83e3,
        "speed": 40 / 3.6,
        "fx": 1200.0,
        "fy": -1500.0,
        "mz": 25.0,
        "SA": 4 * DEGREE,
        "SL": 0.05,
        "IA": 2 * DEGREE,
        "P": 83e3,
        "V": 40 / 3.6,
    },
    "Steering": {
        "x": -0.3,
        "y": 0.02,
        "z": 0.45,
        "phase": 30 * DEGREE,
        "ratio": 1.5,
        "efficiency": 0.98,
        "k": 60 / DEGREE,
        "play": DEGREE,
        "diameter": 0.26,
    },
    "Members": {
        "d": 0.016,
        "wall": 0.001,
        "E": 205e9,
        "yield": 350e6,
        "density": 7850.0,
        "end_fixity": 1.0,
        "rod_end_load": 9000.0,
        "max_angle": 14 * DEGREE,
        "factor": 1.5,
    },
    "Packaging": {"radius": 0.008, "radius_to": 0.03, "least": 0.005},
    "Sweeps": {
        "travel_from": -0.03,
        "travel_to": 0.03,
        "travel_step": 0.0025,
        "roll_from": -2 * DEGREE,
        "roll_to": 2 * DEGREE,
        "roll_step": 0.1 * DEGREE,
        "rack_from": -0.025,
        "rack_to": 0.025,
        "rack_step": 0.0025,
        "pitch_from": -1.5 * DEGREE,
        "pitch_to": 1.5 * DEGREE,
        "pitch_step": 0.1 * DEGREE,
        "steering_wheel_from": -120 * DEGREE,
        "steering_wheel_to": 120 * DEGREE,
        "steering_wheel_step": 10 * DEGREE,
        "pitch_about": -0.8,
        "travel": 0.01,
        "roll": DEGREE,
        "pitch": 0.5 * DEGREE,
        "rack": 0.01,
        "steering_wheel": 90 * DEGREE,
    },
    "Poses": {"travel": 0.015, "roll": DEGREE, "pitch": 0.5 * DEGREE, "rack": 0.01, "steering_wheel": 90 * DEGREE},
    "Load cases": {
        "ax": -1.5,
        "ay": 1.6,
        "az": 2.0,
        "rack": 0.01,
        "travel": 0.02,
        "travel_left": 0.02,
        "travel_right": -0.02,
        **{f"{corner}.travel": 0.02 for corner in CORNER_NAMES},
        **{f"{corner}.fz": 1800.0 for corner in CORNER_NAMES},
        "speed": 80 / 3.6,
    },
    "Handling": {
        "speed": 60 / 3.6,
        "radius": 30.0,
        "beta_from": -6 * DEGREE,
        "beta_to": 6 * DEGREE,
        "beta_step": DEGREE,
        "rack_from": -0.02,
        "rack_to": 0.02,
        "rack_step": 0.002,
        "steering_wheel_from": -90 * DEGREE,
        "steering_wheel_to": 90 * DEGREE,
        "steering_wheel_step": 10 * DEGREE,
        "ay_from": -1.5,
        "ay_to": 1.5,
        "ay_step": 0.05,
        "rack": 0.01,
        "steering_wheel": 90 * DEGREE,
        "rate": 500 * DEGREE,
        "start": 0.2,
        "frequency": 1.0,
        "brake": 800.0,
        "duration": 4.0,
        "t_step": 0.005,
        "preview_time": 0.6,
        "preview_gain": 0.2,
    },
    "Path": {
        "s": 120.0,
        "x": 45.0,
        "y": 12.0,
        "radius": 15.0,
        "speed": 60 / 3.6,
        "width_left": 1.8,
        "width_right": 1.8,
    },
    "Roads": {"x": 12.5, "left": 0.008, "right": 0.005},
}
"""sheet -> column -> a number that is common there, in SI; accelerations in g"""
NAMES = {
    "Bodies": "crank",
    "Points": "A",
    "Joints": "crank pin",
    "Drivers": "motor",
    "Forces": "push",
    "Springs": "front spring",
    "Clearances": "worn pin",
    "Curves": "road",
    "Beams": "blade",
    "Suspension": "camber",
    "Hardpoints": "lower ball joint",
    "Suspension springs": "front spring",
    "Sweeps": "heave",
    "Load cases": "braking",
    "Steering": "upper joint",
    "Packaging": "push-rod to damper",
    "Designs": "stiff bar",
    "Tyres": "slick",
    "Handling": "diagram",
    "Path": "autocross",
    "Roads": "kerb",
    "Study": "method",
    "Variables": "front spring",
    "Responses": "largest ay",
    "Compliance": "lower arm front",
    "Measurements": "rig toe",
    "Subject": "mass",
    "Anthropometry": "leg length",
    "Processing": "cutoff",
    "Trials": "walk03",
    "Plates": "FP1",
    "Marker names": "right knee",
    "Joint centres": "right knee centre",
    "Segments": "right shank",
    "Gait joints": "knee",
}
TEXTS = {
    ("Settings", "setting"): "t_end",
    ("Settings", "value"): "2",
    ("Settings", "unit"): "s",
    ("Drivers", "expression"): "0.5*sin(2*pi*t)",
    ("Beams", "modes"): "3",
    ("Beams", "damping"): "0.02",
    ("Springs", "p0"): "6 bar in the cell",
    ("Springs", "p_ambient"): "1 bar in the cell",
    ("Charts", "title"): "angle of the crank",
    ("Charts", "x"): "crank.x",
    ("Charts", "y"): "crank.phi; rod.phi",
    ("Suspension", "front"): "double wishbone, or -1.5",
    ("Suspension", "rear"): "multilink, or -1",
    ("Suspension", "unit"): "deg",
    ("Hardpoints", "on"): "upright",
    ("Suspension springs", "point_i"): "damper rocker",
    ("Suspension springs", "point_j"): "damper chassis",
    ("Suspension springs", "on"): "rocker",
    ("Sweeps", "roll_about"): "axis height 100 mm",
    ("Poses", "sweep"): "lap 3",
    ("Members", "member"): "tie rod",
    ("Members", "inner_bolt"): "z, or 0 0.1 1",
    ("Members", "outer_bolt"): "x",
    ("Packaging", "member"): "push-rod",
    ("Packaging", "to"): "damper",
    ("Adjustments", "item"): "tie rod length",
    ("Adjustments", "unit"): "mm",
    ("Adjustments", "at"): "upper",
    ("Adjustments", "shim_normal"): "0 1 0",
    ("Targets", "metric"): "FL.camber",
    ("Targets", "value"): "-1.5 deg in the cell, where the metric is an angle",
    ("Targets", "min"): "20 mm in the cell, where the metric is a length",
    ("Targets", "max"): "45 mm in the cell, where the metric is a length",
    ("Targets", "tolerance"): "0.1 deg in the cell, where the metric is an angle",
    ("Targets", "curve"): "wanted camber",
    ("Suspension springs", "curve_k"): "bump stop force",
    ("Suspension springs", "curve_c"): "damper force",
    ("Targets", "sweep"): "heave",
    ("Targets", "x"): "FL.wheel_z",
    ("Compliance", "part"): "lower arm front",
    ("Compliance", "axis"): "hinge",
    ("Measurements", "of"): "FL.toe",
    ("Measurements", "sheet"): "Measured heave",
    ("Measurements", "column"): "toe left",
    ("Measurements", "sweep"): "heave",
    ("Measurements", "over"): "travel",
    ("Measurements", "over_column"): "pad height",
    ("Measurements", "sign"): "-1",
    ("Measurements", "scale"): "1",
    ("Measurements", "offset"): "zero, or 0.1 deg in the cell",
    ("Measurements", "over_scale"): "1",
    ("Tyres", "file"): "slick.tir",
    ("Tyre coefficients", "tyre"): "slick",
    ("Tyre coefficients", "coefficient"): "PCY1, or PCY1 = 1.4 $ shape",
    ("Tyre coefficients", "value"): "1.4",
    ("Tyre coefficients", "unit"): "mm",
    ("Tyre data", "tyre"): "slick",
    ("Tyre data", "sweep"): "run 12",
    ("Handling", "speed"): "60, or 40; 60; 80 km/h",
    ("Handling", "drive"): "hold, or 500 N",
    ("Handling", "path"): "autocross",
    ("Handling", "road"): "B",
    ("Handling", "on"): "chassis",
    ("Handling", "curve"): "slalom",
    ("Handling", "coherence"): "same",
    ("Study", "value"): "one-at-a-time",
    ("Variables", "cell"): "'Suspension springs'!D3",
    ("Variables", "values"): "30; 35; 40",
    ("Responses", "of"): "max_trimmed_ay",
    ("Responses", "case"): "diagram",
    ("Responses", "curve"): "wanted camber",
    ("Responses", "x"): "FL.wheel_z",
    ("Responses", "unit"): "deg",
    ("Designs", "based_on"): "base",
    ("Designs", "colour"): "orange",
    ("Designs", "file"): "last-year.xlsx",
    ("Subject", "value"): "71.5",
    ("Subject", "unit"): "kg",
    ("Anthropometry", "right"): "920",
    ("Anthropometry", "left"): "915",
    ("Anthropometry", "value"): "14",
    ("Anthropometry", "unit"): "mm",
    ("Processing", "value"): "6, or auto",
    ("Processing", "unit"): "Hz",
    ("Plates", "foot"): "auto, or right; left",
    ("Plates", "offset"): "start, or 0.5",
    ("Marker names", "label"): "RKNE",
    ("Marker names", "cutoff"): "8, or 8 Hz in the cell",
    ("Joint centres", "markers"): "right knee; right knee medial",
    ("Segments", "proximal"): "right knee centre",
    ("Segments", "distal"): "right ankle centre",
    ("Segments", "parent"): "right thigh",
    ("Segments", "line_from"): "right ankle",
    ("Segments", "line_to"): "right knee",
    ("Segments", "length"): "static, or 0.43",
    ("Segments", "markers"): "right knee; right shank 1; right ankle",
    ("Segments", "weight"): "1; 1; 2",
    ("Gait joints", "proximal"): "right thigh",
    ("Gait joints", "distal"): "right shank",
    ("Gait joints", "neutral"): "90, or static",
    ("Anatomical frames", "segment"): "right shank",
    ("Anatomical frames", "origin"): "right ankle centre",
    ("Anatomical frames", "from"): "right ankle centre",
    ("Anatomical frames", "to"): "right knee centre",
    ("Anatomical frames", "plane"): "right ankle",
    ("Events", "trial"): "walk03",
}
DESIGN_SAMPLE = "B"
FORMULA = "-50*crank.vx"
FREE_UNITS = {
    "Curves": "each curve has its own, in row 2; blank = SI",
    "Targets": "that of the metric, in the cell; blank = SI",
}
MANY = 4

CASES = "yes or no. Where Settings has columns such as case bump: the cases in which the row counts, as bump; road or not road."
HINTS = {
    ColumnKind.FORMULA: "A number, or an expression of t and of motion columns such as crank.x or crank.vx, "
    "in SI: -50*crank.vx",
    (
        "Drivers",
        "expression",
    ): "An expression of t in seconds, in the unit of position: 0.5*sin(2*pi*t) or step(t, 0, 0, 1, 0.5)",
    ("Charts", "x"): "A column of a result sheet, such as crank.x; blank = time.",
    ("Charts", "y"): "One or more columns of result sheets with ; between them: crank.phi; rod.phi",
}
"""What is shown beside a selected cell, where a header does not say enough"""

PLACES = "xi_i eta_i zeta_i xi_j eta_j zeta_j"
AXES = "axis_i_xi axis_i_eta axis_i_zeta axis_j_xi axis_j_eta axis_j_zeta"
SELDOM: dict[str, tuple[str, ...]] = {
    "Bodies": (
        "ixy ixz iyz",
        "shape length width height radius inner_radius density",
        "cad_x cad_y cad_z",
        "e0 e1 e2 e3",
        "fx fy fz moment mx my mz",
    ),
    "Joints": (
        PLACES,
        AXES,
        "xi2_i eta2_i",
        "axis2_point axis2_j_xi axis2_j_eta axis2_j_zeta",
        "coordinate value",
        "pitch",
        "joint_1 joint_2 ratio pressure_angle helix_angle radius",
    ),
    "Clearances": (PLACES, AXES, "viscosity length"),
    "Springs": (PLACES, AXES, *OTHER_FORCES),
    "Segments": ("mass mass_fraction com gyration inertia length", "markers weight"),
    "Plates": ("ox oy oz",),
    "Joint centres": ("x y z side",),
    "Load cases": (
        "travel travel_left travel_right FL.travel FR.travel RL.travel RR.travel",
        *(" ".join(f"{corner}.{name}" for name in WRENCH) for corner in CORNER_NAMES),
        "lateral_split_wheels longitudinal_split downforce_front downforce_rear",
    ),
    "Tyre data": ("SA SL IA P V",),
    "Handling": (
        "steering_wheel_from steering_wheel_to steering_wheel_step",
        "ay_from ay_to ay_step",
        "rack steering_wheel",
        "rate start frequency duration t_step curve",
        "brake drive path",
        "road on coherence preview_time preview_gain speed_gain speed_integral",
    ),
}
"""Columns that say in another way what others say too, or that few models need: folded away until one of them is filled"""


def choices(sheet: str, column: Column, models: Dimensionality) -> tuple[str, ...]:
    """The words a column may hold in such models, none where it is free."""
    if column.kind is ColumnKind.FLAG:
        return "yes", "no"
    if (sheet, column.name) == ("Joints", "type"):
        return tuple(name for name in column.choices if models in JOINTS[name].dimensions)
    if column.name == "coordinate":
        return tuple(word for word in column.choices if word != ("z" if models == "2D" else "phi"))
    return column.choices


def folded(sheet: str, filled: set[str]) -> dict[str, bool]:
    """The columns that few models need, and whether they are hidden: where none of their kind is filled."""
    found = {}
    for group in SELDOM.get(sheet, ()):
        names = group.split()
        found |= dict.fromkeys(names, not filled & set(names))
    return found


def hint(sheet: str, column: Column) -> str:
    """What is shown beside a selected cell of this column, ``""`` for nothing."""
    if column.name == "active":
        return CASES
    return HINTS.get((sheet, column.name)) or HINTS.get(column.kind, "")


def note(sheet: Sheet, column: Column, models: Dimensionality, unit: str) -> str:
    """The note on a header: meaning, unit, what blank means, an example. unit: of the column in this form."""
    words = choices(sheet.name, column, models)
    lines = [f"{column.doc[0].upper()}{column.doc[1:]}."]
    if column.is_numeric:
        lines.append(_about_unit(sheet.name, column, unit))
    if words:
        lines.append(f"One of: {', '.join(words)}.")
    if column.sheets:
        lines.append(f"{'ground, or a name' if column.ground else 'A name'} on the sheet {column.sheets[0]}.")
    if (sheet.name, column.name) == ("Joints", "type"):
        lines.append("Columns of coordinate, screw, gear and rack-and-pinion: [+] above the headers opens them.")
    if (sheet.name, column.name) == ("Springs", "type"):
        lines.append("Columns of bushing and gas: [+] above the headers opens them.")
    lines.append("Required." if column.required else f"Blank: {column.default}." if column.default else "Optional.")
    lines.append(f"Example: {_example(sheet.name, column, words, unit)}")
    return "\n".join(line[0].upper() + line[1:] for line in lines)


def _about_unit(sheet: str, column: Column, unit: str) -> str:
    units = list(dict.fromkeys(dimension.si for dimension in column.dimensions if dimension is not u.RATIO))
    if column.dimensions == (u.IN_G,):
        return "Unit: g, whatever stands in row 2."
    if not units:
        return "Unit: none."
    if len(units) > MANY:
        return f"Unit: {FREE_UNITS.get(sheet, FREE_UNITS['Curves'])}."
    here = f", {unit} here" if unit else ""
    return f"Unit: that of row 2{here}, or one in the cell; where both are blank, {' or '.join(units)}."


def _example(sheet: str, column: Column, words: tuple[str, ...], unit: str) -> str:
    if (sheet, column.name) in TEXTS:
        return TEXTS[sheet, column.name]
    if column.name == "design":
        return DESIGN_SAMPLE
    if column.kind is ColumnKind.NAME:
        return NAMES[sheet]
    if column.sheets:
        return NAMES[column.sheets[0]]
    if words:
        return words[-1] if column.default == words[0] else words[0]
    if column.kind is ColumnKind.FORMULA:
        return FORMULA
    if column.is_numeric:
        value = SIZES.get(sheet, {}).get(column.name)
        return _number(column.dimensions[0], unit, value) if column.dimensions else "120"
    return "as measured in May"


def _number(dimension: Dimension, unit: str, value: float | None) -> str:
    """A number in the column's unit, and the same with its unit in the cell. value: a common one in SI, if known."""
    value = SAMPLES[dimension] if value is None else value
    if dimension is u.IN_G:
        return f"{value:.4g}"
    if dimension is u.FREQUENCY:
        return f"{value:.4g}, or {value:.4g} {dimension.example} in the cell"
    plain = f"{value / parse_unit(unit or dimension.si).size:.4g}"
    if dimension is u.RATIO:
        return plain
    if unit == dimension.example:
        return f"{plain}, which is {plain} {unit}"
    return f"{plain}, or {value / parse_unit(dimension.example).size:.4g} {dimension.example} in the cell"

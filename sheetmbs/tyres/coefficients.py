"""Every coefficient of every tyre model, declared once: its default, its dimension, and what it takes part in."""

from __future__ import annotations

from dataclasses import fields

from sheetmbs.engine.tyres.magic_formula_coefficients import VERSION_5, VERSION_6_1, VERSION_6_2, MagicFormula
from sheetmbs.schema import units as u

MAGIC_NAMES = tuple(each.name.upper() for each in fields(MagicFormula) if each.name != "version")
"""coefficients that the magic formula uses, as `.tir` files name them"""
MAIN = ("FNOMIN", "UNLOADED_RADIUS", "PCX1", "PDX1", "PKX1", "PCY1", "PDY1", "PKY1", "PKY2")
"""coefficients without which, or with 0 for which, there is no tyre"""
ASYMMETRIC = (
    *("RHX1", "QSX1", "PEY3", "PHY1", "PHY2", "PVY1", "PVY2", "RBY3", "RVY1", "RVY2"),
    *("QBZ4", "QDZ3", "QDZ6", "QDZ7", "QEZ4", "QHZ1", "QHZ2", "SSZ1"),
)
"""coefficients that are 0 of a tyre that is its own mirror image"""
STRUCTURAL = ("LONGITUDINAL_STIFFNESS", "LATERAL_STIFFNESS")
SCALES = tuple(name for name in MAGIC_NAMES if name.startswith("L") and name not in (*STRUCTURAL, "LONGVL", "LMUV"))
"""scale factors, which are 1 where they are missing"""
DEFAULTS = {**dict.fromkeys(SCALES, 1.0), "PKY4": 2.0, "Q_RE0": 1.0}
"""what missing coefficients are, if not 0"""
COMBINED = (("RBX1", "RCX1"), ("RBY1", "RCY1"))
"""coefficients by which slip in one direction reduces the force in the other: of Fx, of Fy"""

ONLY_6_2 = ("Q_FCY2", "Q_CAM1", "Q_CAM2", "Q_CAM3", "Q_FYS1", "Q_FYS2", "Q_FYS3")
ONLY_5 = ("PHY3", "PTX1", "PTX2", "PTX3", "PTY1", "PTY2", "LSGKP", "LSGAL")
ONLY_6 = (
    *(name for name in MAGIC_NAMES if name.startswith(("PP", "PC", "PFZ")) and name not in ("PCX1", "PCY1")),
    *("PKY4", "PKY5", "PKY6", "PKY7", "PEY5", "RBX3", "RBY4", "QDZ10", "QDZ11", "LMUV", *STRUCTURAL),
    *(f"QSX{number}" for number in range(4, 15)),
    *(f"QSY{number}" for number in range(5, 9)),
    *("Q_RE0", "Q_V1", "Q_V2", "Q_FZ1", "Q_FZ2", "Q_FCX", "Q_FCY", "NOMPRES", "ASPECT_RATIO"),
)
NEVER_MISSED = ("Q_FZ1", "LMUV", "ASPECT_RATIO", "WIDTH")
"""coefficients that follow from others, or that most files leave out for a reason"""
FAMILIES = {
    VERSION_5: frozenset(MAGIC_NAMES) - {*ONLY_6, *ONLY_6_2},
    VERSION_6_1: frozenset(MAGIC_NAMES) - {*ONLY_5, *ONLY_6_2},
    VERSION_6_2: frozenset(MAGIC_NAMES) - {*ONLY_5},
}
"""coefficients that a file of each family has"""

IGNORED = {
    VERSION_5: (
        *("PKY6", "PKY7", "PPY5", "QSY5", "QSY6", "QSY7", "QSY8", *ONLY_6_2, *STRUCTURAL),
        *(name for name in MAGIC_NAMES if name.startswith("PCF")),
    ),
    VERSION_6_1: (*ONLY_5, *ONLY_6_2),
    VERSION_6_2: ONLY_5,
}
"""coefficients that the equations of each family do not have"""

FITTYP = "FITTYP"
"""the key of the version of the formula"""
VERSIONS = {
    **dict.fromkeys(("5", "51", "5.1", "6", "21", "52", "5.2"), VERSION_5),
    **dict.fromkeys(("60", "61", "6.0", "6.1"), VERSION_6_1),
    **dict.fromkeys(("62", "6.2"), VERSION_6_2),
}
"""families by what FITTYP says"""
FORMAT = "PROPERTY_FILE_FORMAT"
FORMATS = {"PAC2002": VERSION_5, "MF52": VERSION_5, "MF-TYRE 5.2": VERSION_5}
"""families by what the format of a file says where it has no FITTYP"""
SIDE = "TYRESIDE"
SIDES = ("left", "right", "symmetric")
INFLATION = "INFLPRES"

RANGES = (
    ("KPUMIN", "KPUMAX"),
    ("ALPMIN", "ALPMAX"),
    ("CAMMIN", "CAMMAX"),
    ("FZMIN", "FZMAX"),
    ("PRESMIN", "PRESMAX"),
)
"""limits of slip ratio, slip angle, camber, load and pressure"""
DIMENSIONS = {
    **dict.fromkeys(("UNLOADED_RADIUS", "WIDTH"), u.LENGTH),
    **dict.fromkeys((INFLATION, "NOMPRES", *RANGES[4]), u.PRESSURE),
    **dict.fromkeys(("FNOMIN", *RANGES[3]), u.FORCE),
    **dict.fromkeys((*RANGES[1], *RANGES[2]), u.ANGLE),
    **dict.fromkeys(("VERTICAL_STIFFNESS", *STRUCTURAL), u.STIFFNESS),
    **dict.fromkeys(("LONGVL",), u.VELOCITY),
}
"""of coefficients that have one; all others are plain numbers"""
USED = frozenset((*MAGIC_NAMES, *DIMENSIONS, *(name for pair in RANGES for name in pair)))
"""numbers that a tyre of the magic formula reads"""
TEXTS = frozenset((FORMAT, SIDE))
SYNONYMS = {
    "IP": INFLATION,
    "IP_NOM": "NOMPRES",
    "LFZ0": "LFZO",
    "LGAY": "LKYC",
    "LGAZ": "LKZC",
    "TYRE_SIDE": SIDE,
    "TIRESIDE": SIDE,
}
"""other names of coefficients. LGAY and LGAZ, of version 5.2, scale camber in the lateral force and in Mz"""
NOTED_SYNONYMS = ("LGAY", "LGAZ")

SIMPLE = {
    "CORNERING STIFFNESS": u.FORCE_PER_ANGLE,
    "CORNERING STIFFNESS PER LOAD": u.PER_ANGLE,
    "CAMBER STIFFNESS": u.FORCE_PER_ANGLE,
    "SLIP STIFFNESS": u.FORCE,
    "TRAIL": u.LENGTH,
    "FRICTION": u.RATIO,
    "FRICTION_MIN": u.RATIO,
}
"""coefficients of the linear model and of Fiala's"""


def plain_name(text: str) -> str:
    """The name of a coefficient, in capitals and as the tables above have it."""
    name = " ".join(text.split()).upper()
    name = SYNONYMS.get(name, name)
    spaced = name.replace("_", " ")
    if spaced in SIMPLE:
        return spaced
    return "FRICTION_MIN" if spaced == "FRICTION MIN" else name


def dimension_of(name: str) -> u.Dimension:
    """The dimension of a coefficient by its plain name."""
    return SIMPLE.get(name) or DIMENSIONS.get(name, u.RATIO)

"""The sections of a MUBODYNA input file: their headings, what stands on a line of each, and which count says how many lines.

Source: MUBODYNA, User's Manual, version 1.0 (2010), sec. 5, (a) to (q).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

GENERIC = "GENERIC_INFORMATION"
BODIES, MASSES, LOADS = "INITIAL_CONDITIONS", "INERTIA_PROPERTIES", "CONSTANT_APPLIED_FORCES"
REVOLUTES, CLEARANCES, MATERIALS = "IDEAL_REVOLUTE_JOINTS", "CLEARANCE_REVOLUTE_JOINTS", "MECHANICAL_PROPERTIES"
SLIDES, GROUNDS, SIMPLES = "TRANSLATIONAL_JOINTS", "GROUND_CONSTRAINTS", "SIMPLE_CONSTRAINTS"
DRIVERS, GUIDING = "DRIVING_CONSTRAINTS", "GUIDING_CONSTRAINTS"
SPRINGS, TURNING_SPRINGS = "TRANSLATIONAL_SPRINGS", "ROTATIONAL_SPRINGS"
EXTERNAL, POINTS, TIMES = "EXTERNAL_APPLIED_FORCES", "POINTS_OF_INTEREST", "TIME_PARAMETERS"


class SectionKind(Enum):
    """What a value is besides a number. The value is how a message calls it."""

    NUMBER = "a number"
    WHOLE = "a whole number"
    BODY = "the number of a body"


@dataclass(frozen=True, slots=True)
class Value:
    """A value of a data line, by the name the manual gives it. least, most: bounds; above: it must be greater than this."""

    name: str
    kind: SectionKind = SectionKind.NUMBER
    least: float | None = None
    most: float | None = None
    above: float | None = None


@dataclass(frozen=True, slots=True)
class SampleTable:
    """Rows of samples below the lines of a section. count: how many rows. width: columns per line, time comes first."""

    count: str
    width: int


@dataclass(frozen=True, slots=True)
class FileSection:
    """A section. count: how many lines it has, ``""`` = one. also: other headings under which it is known."""

    name: str
    count: str
    values: tuple[Value, ...]
    also: tuple[str, ...] = ()
    samples: SampleTable | None = None


@dataclass(frozen=True, slots=True)
class DeclaredCount:
    """A line of the first section. about: what it counts. words: by which a label is known that stands behind it."""

    symbol: str
    about: str
    words: tuple[str, ...]


COUNTS = (
    DeclaredCount("NB", "rigid bodies", ("rigid",)),
    DeclaredCount("NIRJ", "ideal revolute joints", ("ideal revolute",)),
    DeclaredCount("NCRJ", "clearance revolute joints", ("clearance",)),
    DeclaredCount("NTJ", "translational joints", ("translational joint",)),
    DeclaredCount("NGB", "ground constraints", ("ground",)),
    DeclaredCount("NSC", "simple constraints", ("simple",)),
    DeclaredCount("NDC", "driving constraints", ("driving",)),
    DeclaredCount("NGC", "guiding constraints", ("guiding constraint",)),
    DeclaredCount("NGD", "rows of guiding data", ("guiding data",)),
    DeclaredCount("NTS", "translational springs", ("translational spring",)),
    DeclaredCount("NRS", "rotational springs", ("rotational spring",)),
    DeclaredCount("NBEF", "bodies subjected to external forces", ("subjected", "reference bod")),
    DeclaredCount("NFD", "rows of force data", ("force data",)),
    DeclaredCount("NPI", "points of interest", ("of interest",)),
)


def _numbers(names: str, *, least: float | None = None, above: float | None = None) -> tuple[Value, ...]:
    return tuple(Value(name, least=least, above=above) for name in names.split())


I, J = Value("I", SectionKind.BODY), Value("J", SectionKind.BODY)
DIRECTION = Value("CONSTRAINT DIRECTION", SectionKind.WHOLE, least=1, most=3)
P_ON_BOTH = _numbers("XI-P-I ETA-P-I XI-P-J ETA-P-J")


def _materials(side: str) -> tuple[Value, ...]:
    """Friction, restitution, Young's modulus and Poisson's ratio of bearing (i) or journal (j)."""
    return (
        Value(f"FRIC{side}", least=0.0),
        Value(f"REST{side}", least=0.0, most=1.0),
        Value(f"E{side}", above=0.0),
        Value(f"NIU{side}", least=0.0, most=0.5),
    )


SECTIONS = (
    FileSection(GENERIC, "", (), also=("GENERAL INFORMATION",)),
    FileSection(BODIES, "NB", _numbers("X Y PHI XD YD PHID")),
    FileSection(MASSES, "NB", _numbers("M INERTIA", least=0.0)),
    FileSection(LOADS, "NB", _numbers("FX FY N")),
    FileSection(REVOLUTES, "NIRJ", (I, J, *P_ON_BOTH), also=("REVOLUTE JOINTS",)),
    FileSection(
        CLEARANCES,
        "NCRJ",
        (I, J, *P_ON_BOTH, *_numbers("Ri Rj", above=0.0)),
        also=("REVOLUTE CLEARANCE JOINTS", "CLEARANCE JOINTS"),
    ),
    FileSection(
        MATERIALS,
        "NCRJ",
        (
            Value("FORCE LAW", SectionKind.WHOLE, least=1, most=4),
            *_materials("i"),
            *_materials("j"),
            Value("VISCOSITY", least=0.0),
        ),
    ),
    FileSection(
        SLIDES,
        "NTJ",
        (I, J, *_numbers("XI-P-I ETA-P-I XI-Q-I ETA-Q-I XI-P-J ETA-P-J")),
        also=("IDEAL TRANSLATIONAL JOINTS",),
    ),
    FileSection(GROUNDS, "NGB", (I,), also=("GROUND BODIES",)),
    FileSection(SIMPLES, "NSC", (I, DIRECTION)),
    FileSection(DRIVERS, "NDC", (I, DIRECTION, *_numbers("POSITION VELOCITY ACCELERATION"))),
    FileSection(GUIDING, "NGC", (I, DIRECTION), samples=SampleTable("NGD", 1)),
    FileSection(
        SPRINGS,
        "NTS",
        (I, J, *P_ON_BOTH, *_numbers("K D FA"), Value("L0", least=0.0)),
        also=(
            "TRANSLATIONAL SPRING DAMPER ACTUATORS",
            "TRANSLATIONAL SPRING DAMPER ACTUATOR",
            "TRANSLATIONAL SPRING DAMPER ACTUATOR ELEMENTS",
        ),
    ),
    FileSection(
        TURNING_SPRINGS,
        "NRS",
        (I, J, *_numbers("K D")),
        also=("ROTATIONAL SPRING DAMPERS", "ROTATIONAL SPRING DAMPER", "ROTATIONAL SPRING DAMPER ELEMENTS"),
    ),
    FileSection(
        EXTERNAL,
        "NBEF",
        (I,),
        also=("APPLIED FORCES", "EXTERNAL FORCES", "REACTION EXTERNAL FORCES"),
        samples=SampleTable("NFD", 4),
    ),
    FileSection(POINTS, "NPI", (I, *_numbers("XI-P-I ETA-P-I")), also=("POINT OF INTEREST",)),
    FileSection(
        TIMES,
        "",
        (
            *_numbers("TIME_START TIME_END"),
            Value("TIME_STEP", above=0.0),
            Value("INTEGRATION METHOD", SectionKind.WHOLE, least=1, most=6),
            *_numbers("ALPHA BETA", least=0.0),
        ),
    ),
)
"""in the manual's order"""

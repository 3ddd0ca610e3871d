"""The input sheets of suspensions: their columns, and the settings of the sheet Suspension."""

from __future__ import annotations

from dataclasses import dataclass

from sheetmbs.schema import units as u
from sheetmbs.schema.column import (
    ACTIVE,
    ANY,
    CHOICE,
    DESIGN,
    FLAG,
    NAME,
    NOTES,
    NUMBER,
    REFERENCE,
    TEXT,
    Column,
    SettingRule,
    Sheet,
)
from sheetmbs.schema.compliance_inputs import COMPLIANCE, LOAD_COLUMNS, LOAD_SWEEPS
from sheetmbs.schema.handling_inputs import HANDLING_SHEETS
from sheetmbs.schema.names import fold
from sheetmbs.schema.tyre_inputs import TYRE_SHEETS

AXLES = ("front", "rear")
AXLE = Column("axle", CHOICE, "axle", required=True, choices=AXLES)
SUSPENSION_TYPES = {
    "double wishbone": "double_wishbone:DOUBLE_WISHBONE",
    "macpherson": "macpherson:MACPHERSON",
    "multilink": "multilink:MULTILINK",
    "trailing arm": "trailing_arm:TRAILING_ARM",
    "semi-trailing arm": "trailing_arm:TRAILING_ARM",
    "three-link": "three_link:THREE_LINK",
    "solid axle": "solid_axle:SOLID_AXLE",
}
"""types of suspension by their words, with the module of `suspension/layout/types/` and its constant that declare each"""


class SpringKind:
    """The words of the column kind on Suspension springs."""

    SPRING = "spring"
    DAMPER = "damper"
    BUMP_STOP = "bump stop"
    DROOP_STOP = "droop stop"
    U_BAR = "U bar"
    T_BAR = "T bar"
    THIRD_SPRING = "third spring"
    THIRD_DAMPER = "third damper"
    TORSION_BAR = "torsion bar"
    ROLL_SPRING = "roll spring"
    ROLL_DAMPER = "roll damper"
    BLADE_BAR = "blade bar"
    HELPER_SPRING = "helper spring"


DIRECTIONS = ("forward", "rearward", "left", "right", "outboard", "inboard", "up", "down")
SPRING_KINDS = (
    *(SpringKind.SPRING, SpringKind.DAMPER, SpringKind.BUMP_STOP, SpringKind.DROOP_STOP),
    *(SpringKind.U_BAR, SpringKind.T_BAR, SpringKind.THIRD_SPRING, SpringKind.THIRD_DAMPER, SpringKind.TORSION_BAR),
    *(SpringKind.ROLL_SPRING, SpringKind.ROLL_DAMPER, SpringKind.BLADE_BAR, SpringKind.HELPER_SPRING),
)
BAR_KINDS = (SpringKind.U_BAR, SpringKind.T_BAR, SpringKind.BLADE_BAR)
"""kinds that a drop link joins to the suspension, of which an axle has one"""
LOAD_POSES = ("equilibrium", "given", "design")
SWEEP_TYPES = ("heave", "single wheel", "roll", "steer", "pitch", "combined", "poses", *LOAD_SWEEPS)


@dataclass(frozen=True, slots=True)
class SuspensionSetting(SettingRule):
    """One row of the sheet Suspension. of_car: it stands in the first column."""

    of_car: bool = False


def _word(
    name: str, doc: str, choices: tuple[str, ...], *, of_car: bool = False, required: bool = False
) -> SuspensionSetting:
    return SuspensionSetting(name, doc, choices, default=choices[0], of_car=of_car, required=required)


def _size(
    name: str,
    doc: str,
    dimension: u.Dimension,
    *,
    default: str = "",
    of_car: bool = False,
    required: bool = False,
    least: float | None = None,
    most: float | None = None,
) -> SuspensionSetting:
    return SuspensionSetting(name, doc, (), dimension, default, required, of_car=of_car, least=least, most=most)


BEARERS = ("lower arm", "upper arm", "upright", "arm", "trailing arm", "axle")
"""bodies of all types of suspension that can carry a rod or a damper"""

SUSPENSION_SETTINGS: tuple[SuspensionSetting, ...] = (
    _word("type", "how the wheel is guided", tuple(SUSPENSION_TYPES), required=True),
    _word("actuation", "how spring and damper are actuated; for the reader only", ("direct", "push-rod", "pull-rod")),
    _word("rod on", "body that carries the outer end of the rod", BEARERS),
    _word("damper on", "body that carries the outer end of a direct damper", BEARERS),
    _word("steering", "what the tie rods are attached to", ("rack", "none")),
    _word("axes", "axes of the hardpoints", ("ISO 8855", "SAE J670", "Lotus", "custom"), of_car=True),
    _word("input side", "the side that the hardpoints describe", ("left", "right"), of_car=True),
    SuspensionSetting(
        "origin", "where the origin lies; for the reader only", is_text=True, default="as given", of_car=True
    ),
    _size("camber", "static camber at design, + top outboard", u.ANGLE, default="0"),
    _size("toe", "static toe at design, + front inboard", u.ANGLE, default="0"),
    _size("tyre radius", "loaded radius at design", u.LENGTH, required=True, least=0.0),
    _size("tyre rate", "vertical stiffness of the tyre", u.STIFFNESS, default="rigid", least=0.0),
    _size("wheelbase", "distance between the axles", u.LENGTH, of_car=True, least=0.0),
    _size("cg height", "height of the centre of gravity above the road at design", u.LENGTH, of_car=True),
    _size("mass", "mass of the car", u.MASS, of_car=True, least=0.0),
    _size("weight front", "share of the weight on the front axle", u.RATIO, of_car=True, least=0.0, most=1.0),
    _size("unsprung mass", "unsprung mass of one corner", u.MASS, default="0", least=0.0),
    _size("brake front", "share of the brake force at the front", u.RATIO, of_car=True, least=0.0, most=1.0),
    _size(
        "drive rear",
        "share of the driving force at the rear",
        u.RATIO,
        default="100 %",
        of_car=True,
        least=0.0,
        most=1.0,
    ),
    _word("brakes", "where the brakes are; torque of outboard brakes acts on the upright", ("outboard", "inboard")),
    _word(
        "drive", "where the final drive is; torque of an outboard drive acts on the upright", ("inboard", "outboard")
    ),
    _size(
        "corner load", "vertical load of one wheel at design", u.FORCE, default="from mass and weight front", least=0.0
    ),
    _word("ride height", "what is solved at design", ("solve preload", "solve height"), of_car=True),
    _size("rack per turn", "travel of the rack to the left per turn of the steering wheel to the left", u.LENGTH),
    SuspensionSetting("rack axis", "direction of the rack's travel", default="y", is_text=True),
    _word("x axis", "direction of this axis, with axes = custom", DIRECTIONS, of_car=True),
    _word(
        "y axis",
        "direction of this axis, with axes = custom",
        ("left", *(way for way in DIRECTIONS if way != "left")),
        of_car=True,
    ),
    _word(
        "z axis",
        "direction of this axis, with axes = custom",
        ("up", *(way for way in DIRECTIONS if way != "up")),
        of_car=True,
    ),
    _size("rim diameter", "diameter of the rim, for toe as a length", u.LENGTH, least=0.0),
    _size("thread pitch", "pitch of the thread of a rod end, for changes in turns", u.LENGTH, least=0.0),
    _size("perch pitch", "pitch of the thread of a spring perch, for perches in turns", u.LENGTH, least=0.0),
    _size(
        "roll inertia",
        "moment of inertia of the sprung mass about x, for the damping of roll",
        u.INERTIA,
        of_car=True,
        least=0.0,
    ),
    _word("detail", "whether to write the general result sheets too", ("no", "yes"), of_car=True),
    _word("animation", "whether to draw the sweeps on the sheet mbs Animation", ("no", "yes"), of_car=True),
    _word("projection", "plane in which mbs Animation shows them", ("yz", "xz", "xy"), of_car=True),
    _word("sensitivity", "whether to write mbs Suspension Sensitivity", ("no", "yes"), of_car=True),
    _word("travel of", "point whose travel is meant", ("wheel centre", "contact"), of_car=True),
    _word("steering axis", "how the steering axis is defined; geometric needs two points", ("geometric", "instant")),
    _size(
        "yaw inertia", "moment of inertia of the whole car about its vertical axis", u.INERTIA, of_car=True, least=0.0
    ),
    _size(
        "pitch inertia", "moment of inertia of the whole car about its lateral axis", u.INERTIA, of_car=True, least=0.0
    ),
    _size("wheel inertia", "moment of inertia of one wheel about its spin axis", u.INERTIA, least=0.0),
    _size("downforce area", "-Cz A: downforce over rho V^2/2, + down", u.AREA, default="0"),
    _size("lift area", "the same, + up", u.AREA),
    _size("drag area", "Cx A: drag over rho V^2/2", u.AREA, default="0", of_car=True, least=0.0),
    _size("drag height", "height over the road at which the drag acts", u.LENGTH, default="cg height", of_car=True),
    _size("air density", "density of the air", u.DENSITY, default="1.225 kg/m^3", of_car=True, least=0.0),
    _size("drive power", "largest power at the driven wheels", u.POWER, default="unlimited", of_car=True, least=0.0),
    _word("differential", "what it makes equal: torques, or speeds", ("open", "locked", "limited")),
    _size("differential bias", "largest ratio of the torques of a limited differential", u.RATIO, least=1.0),
    _size(
        "steering stiffness",
        "stiffness of the column at the pinion",
        u.ROTATIONAL_STIFFNESS,
        default="rigid",
        of_car=True,
    ),
    _word(
        "bushings at design",
        "what elastic parts carry where the hardpoints are: the loads of the standing car, or nothing",
        ("loaded", "free"),
        of_car=True,
    ),
    _size("rack stiffness", "stiffness of the mounts of the rack", u.STIFFNESS, default="rigid"),
    _word("track for ackermann", "the track in the Ackermann condition", ("contact", "kingpin")),
)

SETTINGS_BY_FOLD: dict[str, SuspensionSetting] = {fold(each.name): each for each in SUSPENSION_SETTINGS}


def _of(component: str) -> u.Dimension:
    """Dimension of a component of a wrench."""
    return u.FORCE if component.startswith("f") else u.MOMENT


def _range(name: str, dimension: u.Dimension, doc: str) -> tuple[Column, ...]:
    docs = {"from": f"first value of the {doc}", "to": f"last value of the {doc}", "step": f"step of the {doc}"}
    return tuple(Column(f"{name}_{word}", NUMBER, said, (dimension,)) for word, said in docs.items())


SUSPENSION = Sheet(
    "Suspension",
    "settings of a suspension: one per row, a column per axle",
    (
        Column("setting", NAME, "name of the setting", required=True),
        Column("front", ANY, "its value at the front axle, or of the car"),
        Column("rear", ANY, "its value at the rear axle"),
        Column("unit", TEXT, "unit of the values, blank = SI"),
        DESIGN,
        NOTES,
    ),
)

HARDPOINTS = Sheet(
    "Hardpoints",
    "the points of the left side of each axle",
    (
        AXLE,
        Column("point", NAME, "standard name, or a name of your own if on is filled", required=True),
        *(Column(name, NUMBER, f"coordinate {name}", (u.LENGTH,), required=True) for name in "xyz"),
        Column("side", CHOICE, "side of the point", default="left", choices=("left", "right", "centre")),
        Column("on", TEXT, "generated body that carries a point of your own"),
        Column("max_angle", NUMBER, "largest angle of the ball joint here", (u.ANGLE,)),
        DESIGN,
        Column("report", FLAG, "yes: its motion is written", default="no"),
        NOTES,
    ),
)

SUSPENSION_SPRINGS = Sheet(
    "Suspension springs",
    "springs, dampers, stops, bars and third elements",
    (
        Column("name", NAME, "name of the element", required=True),
        AXLE,
        Column("kind", CHOICE, "kind of element", required=True, choices=SPRING_KINDS),
        Column("k", NUMBER, "stiffness", (u.STIFFNESS, u.ROTATIONAL_STIFFNESS)),
        Column("c", NUMBER, "damping coefficient", (u.DAMPING, u.ROTATIONAL_DAMPING)),
        Column("curve_k", REFERENCE, "curve of the compression force over compression", sheets=("Curves",)),
        Column("curve_c", REFERENCE, "curve of the force over velocity, + in compression", sheets=("Curves",)),
        Column("free_length", NUMBER, "length without load", (u.LENGTH,)),
        Column("preload", NUMBER, "compression force at design", (u.FORCE, u.MOMENT)),
        Column("gap", NUMBER, "travel from design until a stop acts", (u.LENGTH,), default="0"),
        Column("point_i", TEXT, "where it acts, if not at the default points"),
        Column("point_j", TEXT, "its other end; of third and roll elements a point of the right side"),
        Column(
            "side",
            CHOICE,
            "side of a spring, damper, stop or torsion bar",
            default="both",
            choices=("both", "left", "right"),
        ),
        Column("tension", FLAG, "yes: a spring that pulls too, and does not come loose", default="no"),
        Column("on", TEXT, "body that carries the drop link of a bar"),
        Column("k_swing", NUMBER, "stiffness of a T bar in heave", (u.ROTATIONAL_STIFFNESS,), default="0"),
        *(
            Column(name, NUMBER, doc, (u.LENGTH,))
            for name, doc in (("d", "diameter of a bar"), ("di", "its inner diameter"), ("length", "its length"))
        ),
        Column("G", NUMBER, "shear modulus", (u.PRESSURE,)),
        Column("block_travel", NUMBER, "compression of a helper spring from free to coil block", (u.LENGTH,)),
        Column("min_length", NUMBER, "closed length of a damper, eye to eye", (u.LENGTH,)),
        Column("max_length", NUMBER, "open length of a damper, eye to eye", (u.LENGTH,)),
        Column("setting", NUMBER, "setting of a bar, over which its stiffness is given", (u.RATIO,)),
        Column("k_of_setting", REFERENCE, "curve of the stiffness of a bar over its setting", sheets=("Curves",)),
        DESIGN,
        ACTIVE,
        NOTES,
    ),
)

SWEEPS = Sheet(
    "Sweeps",
    "sweeps of the suspension: one per row",
    (
        Column("name", NAME, "name of the sweep", required=True),
        Column("type", CHOICE, "quantity that is swept", required=True, choices=SWEEP_TYPES),
        Column("axle", CHOICE, "axle that moves", default="both", choices=("both", *AXLES)),
        *_range("travel", u.LENGTH, "wheel travel"),
        *_range("roll", u.ANGLE, "roll"),
        *_range("rack", u.LENGTH, "rack travel"),
        *_range("pitch", u.ANGLE, "pitch"),
        *_range("steering_wheel", u.ANGLE, "angle of the steering wheel, in place of rack"),
        *LOAD_COLUMNS,
        Column("roll_about", TEXT, "ground, antisymmetric, axis height <length> or load", default="ground"),
        Column(
            "pitch_about",
            NUMBER,
            "x of the line on the road about which it pitches",
            (u.LENGTH,),
            default="the centre of gravity",
        ),
        Column("travel", NUMBER, "value that is held during the sweep", (u.LENGTH,)),
        Column("roll", NUMBER, "value that is held during the sweep", (u.ANGLE,)),
        Column("pitch", NUMBER, "value that is held during the sweep", (u.ANGLE,)),
        Column("rack", NUMBER, "value that is held during the sweep", (u.LENGTH,)),
        Column("steering_wheel", NUMBER, "angle of the steering wheel that is held during the sweep", (u.ANGLE,)),
        Column("side", CHOICE, "wheel of a single-wheel sweep", default="left", choices=("left", "right")),
        Column(
            "at",
            CHOICE,
            "what is held while steering: travel or equilibrium; where a longitudinal force acts: contact or wheel centre",
            default="travel; contact",
            choices=("travel", "equilibrium", "contact", "wheel centre"),
        ),
        Column("grid", FLAG, "yes: every combination of the ranges", default="no"),
        DESIGN,
        ACTIVE,
        NOTES,
    ),
)

POSES = Sheet(
    "Poses",
    "poses of sweeps of type poses, one per row",
    (
        Column("sweep", TEXT, "name of the sweep", required=True),
        Column("time", NUMBER, "when the pose was logged, increasing, for mbs Histogram", (u.TIME,)),
        *(
            Column(name, NUMBER, f"{name.replace('_', ' ')}", (u.LENGTH,))
            for name in ("travel_left", "travel_right", "rack", "damper_left", "damper_right")
        ),
        *(
            Column(name, NUMBER, f"{name.replace('_', ' ')}", (u.ANGLE,))
            for name in ("roll", "pitch", "steering_wheel")
        ),
        NOTES,
    ),
)

ADJUSTED = (u.LENGTH, u.ANGLE, u.FORCE, u.RATIO)
"""dimensions of changes on Adjustments"""
SOLVED_BY = ("spring perch", "push-rod length", "pull-rod length")
"""what can be turned until the car stands as it is asked to"""

ADJUSTMENTS = Sheet(
    "Adjustments",
    "set-up changes: one per row",
    (
        AXLE,
        Column("item", TEXT, "what is changed, such as tie rod length or camber shim", required=True),
        Column(
            "change",
            NUMBER,
            "change of the item; for camber, toe, corner weight, cross weight and ride height the value itself",
            ADJUSTED,
            required=True,
        ),
        Column("unit", TEXT, "unit of the change, blank = SI"),
        Column(
            "at",
            TEXT,
            "of a camber shim: upper, lower or a point of the upright; of a corner weight: FL, FR, RL or RR; of a ride "
            "height: a point of the chassis",
            default="upper",
        ),
        Column("shim_normal", TEXT, "direction in which the shim moves the upright: three numbers or a point"),
        Column("side", CHOICE, "side that is changed", default="both", choices=("both", "left", "right")),
        Column(
            "by",
            CHOICE,
            "what is turned for a corner weight, cross weight or ride height",
            default=SOLVED_BY[0],
            choices=SOLVED_BY,
        ),
        DESIGN,
        ACTIVE,
        NOTES,
    ),
)

TARGETS = Sheet(
    "Targets",
    "targets of metrics: one per row",
    (
        Column("metric", TEXT, "column of a sweep, a load case or handling: FL.camber, max_trimmed_ay", required=True),
        Column("sweep", TEXT, "name of the sweep, load case or row of Handling", default="the value at design"),
        Column("x", TEXT, "column over which a curve is given", default="the sweep's first quantity"),
        *(
            Column(name, NUMBER, doc, u.EVERY_DIMENSION)
            for name, doc in (("value", "target value"), ("min", "its lower bound"), ("max", "its upper bound"))
        ),
        Column("curve", REFERENCE, "curve that the metric should follow", sheets=("Curves",)),
        Column("tolerance", NUMBER, "allowed deviation", u.EVERY_DIMENSION),
        Column("weight", NUMBER, "weight of the deviation", (u.RATIO,), default="1"),
        DESIGN,
        ACTIVE,
        NOTES,
    ),
)

DESIGNS = Sheet(
    "Designs",
    "designs of the car to compare: one per row",
    (
        Column("name", NAME, "name of the design; base is the one of rows without design", required=True),
        Column("based_on", TEXT, "design whose rows also belong to this one", default="base"),
        Column("colour", TEXT, "colour in charts: a name or six hexadecimal digits"),
        Column("file", TEXT, "another workbook whose suspension sheets are this design"),
        ACTIVE,
        NOTES,
    ),
)

CORNER_WORDS = {"FL": "front left", "FR": "front right", "RL": "rear left", "RR": "rear right"}
CORNER_NAMES = tuple(CORNER_WORDS)
WRENCH = ("fx", "fy", "fz", "mx", "my", "mz")
_ACTS = ("forward", "to the left", "up", "about forward", "about left", "about up")

BY_TYRES = "tyres"
"""the method of a load case in which the car is in trim on its tyres"""

LOAD_CASES = Sheet(
    "Load cases",
    "load cases: one per row",
    (
        Column("name", NAME, "name of the load case", required=True),
        Column("pose", CHOICE, "pose in which members are solved", choices=LOAD_POSES, default="equilibrium"),
        Column("ax", NUMBER, "acceleration forward, in g", (u.IN_G,), default="0"),
        Column("ay", NUMBER, "acceleration to the left, in g", (u.IN_G,), default="0"),
        Column("az", NUMBER, "acceleration that stands for gravity, in g", (u.IN_G,), default="1"),
        Column("rack", NUMBER, "rack travel, + to the left", (u.LENGTH,), default="0"),
        Column("steering_wheel", NUMBER, "angle of the steering wheel, in place of rack", (u.ANGLE,)),
        Column("travel", NUMBER, "travel of all wheels, with pose = given", (u.LENGTH,), default="0"),
        Column("travel_left", NUMBER, "travel of the left wheels", (u.LENGTH,)),
        Column("travel_right", NUMBER, "travel of the right wheels", (u.LENGTH,)),
        *(
            Column(f"{corner}.travel", NUMBER, f"travel of the {where} wheel", (u.LENGTH,))
            for corner, where in CORNER_WORDS.items()
        ),
        *(
            Column(f"{corner}.{name}", NUMBER, f"component on the {where} tyre at its contact, {way}", (_of(name),))
            for corner, where in CORNER_WORDS.items()
            for name, way in zip(WRENCH, _ACTS, strict=True)
        ),
        Column(
            "lateral_split_wheels",
            CHOICE,
            "how side force is split between the wheels of an axle",
            choices=("fz", "equal"),
            default="fz",
        ),
        Column(
            "longitudinal_split",
            CHOICE,
            "how longitudinal force is split between the wheels of an axle",
            choices=("equal", "fz"),
            default="equal",
        ),
        Column("downforce_front", NUMBER, "downforce on the front axle", (u.FORCE,), default="0"),
        Column("downforce_rear", NUMBER, "downforce on the rear axle", (u.FORCE,), default="0"),
        Column(
            "method",
            CHOICE,
            "how load is transferred to the outer wheel; tyres: by the trimmed car on its tyres",
            choices=("equilibrium", "linear", BY_TYRES),
            default="equilibrium",
        ),
        Column("speed", NUMBER, "speed of the centre of gravity, with method = tyres", (u.VELOCITY,)),
        Column(
            "force_by",
            CHOICE,
            "what produces the longitudinal force",
            choices=("brakes", "drive"),
            default="by the sign of ax",
        ),
        Column("factor", NUMBER, "safety factor by which all forces are multiplied", (u.RATIO,), default="1"),
        DESIGN,
        ACTIVE,
        NOTES,
    ),
)


class ShaftKind:
    """The words of the column kind on Steering."""

    WHEEL = "wheel"
    JOINT = "universal joint"
    GEAR = "gear"
    PINION = "pinion"


SHAFT_KINDS = (ShaftKind.WHEEL, ShaftKind.JOINT, ShaftKind.GEAR, ShaftKind.PINION)

STEERING = Sheet(
    "Steering",
    "shafts from the steering wheel to the rack: one end of a shaft per row, in their order",
    (
        Column("name", NAME, "name of the joint, gear, wheel or pinion", required=True),
        Column(
            "kind",
            CHOICE,
            "what stands here; the first row is the wheel, the last the pinion",
            required=True,
            choices=SHAFT_KINDS,
        ),
        *(Column(name, NUMBER, f"coordinate {name}, in the axes of Hardpoints", (u.LENGTH,)) for name in "xyz"),
        Column(
            "phase",
            NUMBER,
            "angle of the input yoke about the shaft towards the pinion: of the first joint from the plane of its "
            "shafts, of a later one from the yoke at the other end of its shaft",
            (u.ANGLE,),
            default="0",
        ),
        Column("ratio", NUMBER, "turns out per turn in, of a gear", (u.RATIO,)),
        Column("efficiency", NUMBER, "share of the torque that passes", (u.RATIO,), default="1"),
        Column("k", NUMBER, "stiffness of the shaft that ends here", (u.ROTATIONAL_STIFFNESS,), default="rigid"),
        Column("play", NUMBER, "play, as an angle at the pinion", (u.ANGLE,), default="0"),
        Column("diameter", NUMBER, "diameter of the steering wheel", (u.LENGTH,)),
        DESIGN,
        NOTES,
    ),
)

MATERIALS = ("steel", "aluminium", "titanium", "carbon")
BOLT_AXIS = "x, y, z or three numbers in the axes of Hardpoints"
USUAL_BOLT = "z for arms, links and tie rods, x for rods, drop links and dampers"

MEMBERS = Sheet(
    "Members",
    "rods and legs of arms to be sized: their section, material and rod ends",
    (
        AXLE,
        Column("member", TEXT, "part of mbs Loads without its corner, such as tie rod", required=True),
        Column("side", CHOICE, "side of the member", default="both", choices=("both", "left", "right")),
        Column("d", NUMBER, "outer diameter", (u.LENGTH,), required=True),
        Column("wall", NUMBER, "thickness of the wall of a tube", (u.LENGTH,), default="solid"),
        Column(
            "material",
            CHOICE,
            "material; its E and density count where these are blank",
            choices=MATERIALS,
            default=MATERIALS[0],
        ),
        Column("E", NUMBER, "Young's modulus", (u.PRESSURE,), default="that of the material"),
        Column(
            "yield", NUMBER, "yield strength; blank: no yield reserve, and Euler's buckling load alone", (u.PRESSURE,)
        ),
        Column("density", NUMBER, "density", (u.DENSITY,), default="that of the material"),
        Column("end_fixity", NUMBER, "K: buckling length over length", (u.RATIO,), default="1"),
        Column("rod_end_load", NUMBER, "static load rating of its rod ends", (u.FORCE,)),
        Column("inner_bolt", TEXT, f"axis of the bolt at the inner end: {BOLT_AXIS}", default=USUAL_BOLT),
        Column("outer_bolt", TEXT, f"axis of the bolt at the outer end: {BOLT_AXIS}", default=USUAL_BOLT),
        Column("max_angle", NUMBER, "largest misalignment of its rod ends", (u.ANGLE,)),
        Column("factor", NUMBER, "safety factor of its reserves", (u.RATIO,), default="1"),
        DESIGN,
        ACTIVE,
        NOTES,
    ),
)

PACKAGING = Sheet(
    "Packaging",
    "clearances between members: one pair per row",
    (
        Column("name", NAME, "name of the clearance", required=True),
        AXLE,
        Column("member", TEXT, "a member between two points, a leg of an arm, or damper", required=True),
        Column("to", TEXT, "another one of the same corner", required=True),
        Column("radius", NUMBER, "radius of the member", (u.LENGTH,), default="d/2 of Members, else 0"),
        Column("radius_to", NUMBER, "radius of the other one", (u.LENGTH,), default="d/2 of Members, else 0"),
        Column("least", NUMBER, "least clearance that is wanted", (u.LENGTH,), default="0"),
        Column("side", CHOICE, "corner in which it is found", default="both", choices=("both", "left", "right")),
        DESIGN,
        ACTIVE,
        NOTES,
    ),
)

SUSPENSION_SHEETS: tuple[Sheet, ...] = (
    *(SUSPENSION, HARDPOINTS, SUSPENSION_SPRINGS, ADJUSTMENTS),
    *(SWEEPS, POSES, LOAD_CASES, TARGETS, DESIGNS),
    *HANDLING_SHEETS,
    *(STEERING, MEMBERS, PACKAGING, COMPLIANCE),
    *TYRE_SHEETS,
)

SUSPENSION_BY_FOLD: dict[str, Sheet] = {fold(sheet.name): sheet for sheet in SUSPENSION_SHEETS}

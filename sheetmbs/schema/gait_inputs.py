"""The input sheets of gait: their columns, and the settings of the sheets Subject and Processing."""

from __future__ import annotations

from sheetmbs.schema import units as u
from sheetmbs.schema.column import (
    ACTIVE,
    ANY,
    CHOICE,
    NAME,
    NOTES,
    NUMBER,
    SPATIAL,
    TEXT,
    Column,
    SettingRule,
    Sheet,
    SheetLayout,
    settings_sheet,
)
from sheetmbs.schema.gait_anthropometry import ANTHROPOMETRY
from sheetmbs.schema.gait_trials import TRIALS
from sheetmbs.schema.names import fold
from sheetmbs.schema.uncertainty_inputs import UNCERTAINTY

SIDES = ("right", "left")
AXIS_WORDS = ("+x", "-x", "+y", "-y", "+z", "-z")


class CentreKind:
    """The words of the column kind on Joint centres."""

    MARKER = "marker"
    MEAN = "mean"
    OFFSET = "offset"
    HARRINGTON = "harrington"
    BELL = "bell"
    SPHERE = "sphere"
    SCORE = "score"
    SARA = "sara"
    DAVIS = "davis"
    CHORD = "chord"


class BodyModel:
    """The words of the setting model of the sheet Processing."""

    SEGMENTS = "segments"
    CONVENTIONAL = "cgm"


class HipRule:
    """The words of the setting hip_centre of the sheet Processing."""

    DAVIS = "davis"
    HARRINGTON = "harrington"
    SCORE = "score"


class SegmentMethod:
    """The words of the setting kinematics of the sheet Processing."""

    SEGMENTS = "segments"
    CHAIN = "chain"
    LEAST_SQUARES = "least squares"


class JointKind:
    """The words of the column type on Gait joints."""

    BALL = "ball"
    HINGE = "hinge"
    TWO_HINGES = "two hinges"


JOINT_KINDS = (JointKind.BALL, JointKind.HINGE, JointKind.TWO_HINGES)
CENTRE_KINDS = (
    *(CentreKind.MARKER, CentreKind.MEAN, CentreKind.OFFSET),
    *(CentreKind.HARRINGTON, CentreKind.BELL, CentreKind.SPHERE, CentreKind.SCORE, CentreKind.SARA),
)
SEGMENT_METHODS = (SegmentMethod.SEGMENTS, SegmentMethod.CHAIN, SegmentMethod.LEAST_SQUARES)
POSITIVE = ("flexion", "extension", "dorsiflexion", "plantarflexion")
LANGUAGES = ("en", "de", "fr", "es", "pt", "ja")
EVENT_KINDS = ("heel strike", "toe off")


def _side(doc: str) -> Column:
    return Column("side", CHOICE, doc, choices=SIDES)


SUBJECT_TEXTS = {
    "birth date": "date of birth",
    "age": "age, as it is to be printed",
    "diagnosis": "diagnosis",
    "side affected": "side that is affected",
    "examiner": "who examined",
    "laboratory": "where",
    "gmfcs": "level of the Gross Motor Function Classification System",
    "aid": "walking aid",
    "footwear": "footwear",
    "orthosis": "orthosis",
    "remarks": "remarks",
}
"""texts of the sheet Subject that page 1 of the report prints, and what they are"""
SUBJECT_SETTINGS: tuple[SettingRule, ...] = (
    SettingRule("mass", "mass of the subject with everything that is carried", (), u.MASS, required=True, above=0.0),
    SettingRule("height", "height of the subject", (), u.LENGTH, above=0.0),
    SettingRule("sex", "needed by anthropometry = de leva", ("female", "male")),
    SettingRule("anthropometry", "table of segment masses", ("winter", "de leva", "custom"), default="winter"),
    SettingRule("side", "which legs are analysed", ("both", "right", "left"), default="both"),
    SettingRule("id", "a pseudonym", is_text=True),
    SettingRule("date", "date of the measurement", is_text=True),
    SettingRule("condition", "for example barefoot, or with an orthosis", is_text=True),
    SettingRule("logo", "name of a picture in this workbook that stands on every page of the report", is_text=True),
    SettingRule("speed", "walking speed as the laboratory measured it, for the report", (), u.VELOCITY, above=0.0),
    *(SettingRule(name, f"{doc}, for the report", is_text=True) for name, doc in SUBJECT_TEXTS.items()),
)

PROCESSING_SETTINGS: tuple[SettingRule, ...] = (
    SettingRule(
        "axis_forward",
        "axis of the laboratory along which the subject walks; travel: the way of the pelvis, turned about the vertical",
        ("auto", "travel", *AXIS_WORDS),
        default="auto",
    ),
    SettingRule("axis_up", "vertical axis of the laboratory", ("auto", *AXIS_WORDS), default="auto"),
    SettingRule(
        "handedness", "handedness of the exported axes; left: data are mirrored", ("right", "left"), default="right"
    ),
    SettingRule("exchange_sides", "yes: the labels right and left are exchanged", ("no", "yes"), default="no"),
    SettingRule("rate", "sampling rate of the markers, if the times do not give it", (), u.FREQUENCY, above=0.0),
    SettingRule(
        "force_rate", "sampling rate of the force plates, if the times do not give it", (), u.FREQUENCY, above=0.0
    ),
    SettingRule("force_delay", "added to the times of the forces", (), u.TIME, default="0"),
    SettingRule("gap_limit", "longest gap that is filled", (), u.TIME, default="0.1 s", least=0.0),
    SettingRule("gap_fill", "how gaps are filled", ("cubic", "linear", "none"), default="cubic"),
    SettingRule("detail", "whether to write the general result sheets too", ("no", "yes"), default="no"),
    SettingRule("animation", "whether to draw trials on the sheet mbs Animation", ("no", "yes"), default="no"),
    SettingRule("projection", "plane in which mbs Animation shows trials in 3D", ("xy", "yz"), default="xy"),
    SettingRule(
        "cutoff",
        "cut-off of the low-pass filter: a frequency or a word",
        ("auto", "none"),
        u.FREQUENCY,
        default="6 Hz",
        above=0.0,
    ),
    SettingRule("filter_order", "order of the complete filter", ("4", "2", "8"), default="4"),
    SettingRule(
        "cutoff_meaning",
        "which filter has its -3 dB point at the cut-off: the complete one or a single pass",
        ("effective", "single pass"),
        default="effective",
    ),
    SettingRule(
        "padding", "how series are extended beyond their ends", ("odd", "even", "constant", "none"), default="odd"
    ),
    SettingRule(
        "force_cutoff",
        "cut-off for the forces: a frequency or a word",
        ("same", "none"),
        u.FREQUENCY,
        default="same",
        above=0.0,
    ),
    SettingRule(
        "derivative",
        "how velocities and accelerations are computed",
        ("spline", "central", "3-point"),
        default="spline",
    ),
    SettingRule(
        "model",
        "what makes joint centres and axes: the sheets, or the conventional gait model",
        (BodyModel.SEGMENTS, BodyModel.CONVENTIONAL),
        default=BodyModel.SEGMENTS,
    ),
    SettingRule(
        "hip_centre",
        "how the conventional gait model finds hips",
        (HipRule.DAVIS, HipRule.HARRINGTON, HipRule.SCORE),
        default=HipRule.DAVIS,
    ),
    SettingRule(
        "foot_flat",
        "of the conventional gait model: whether feet are flat in the standing trial",
        ("yes", "no"),
        default="yes",
    ),
    SettingRule("kinematics", "how segments follow markers", SEGMENT_METHODS, default=SegmentMethod.SEGMENTS),
    SettingRule(
        "threshold",
        "vertical force above which a foot is in contact; the force itself is not cut off",
        (),
        u.FORCE,
        default="20 N",
        least=0.0,
    ),
    SettingRule("events", "how events are found", ("force", "kinematic", "speed", "given"), default="force"),
    SettingRule(
        "event_offset",
        "what is taken from estimated events: own (where plates tell some), none, or strike; off in s (motion - plate)",
        is_text=True,
        default="own",
    ),
    SettingRule("points", "number of points of a stride", (), u.RATIO, default="101", least=3.0),
    SettingRule(
        "moment", "whether internal or external moments are shown", ("internal", "external"), default="internal"
    ),
    SettingRule("moment_unit", "unit of moments", ("N*m/kg", "N*m", "%BW*height"), default="N*m/kg"),
    SettingRule("power_unit", "unit of powers", ("W/kg", "W"), default="W/kg"),
    SettingRule("signs", "sign convention of moments", ("clinical", "winter", "isb"), default="clinical"),
    SettingRule("moment_axes", "axes of moments in 3D", ("jcs", "distal", "proximal", "global"), default="jcs"),
    SettingRule(
        "edge", "periods of the cut-off at each end that peaks and means leave out", (), u.RATIO, default="1", least=0.0
    ),
    SettingRule("bands", "whether to find the uncertainty of results", ("yes", "no"), default="yes"),
    SettingRule(
        "residual_reduction",
        "whether masses, centres of mass and markers share the residual of the whole body, in second curves .reduced",
        ("yes", "no"),
        default="no",
    ),
    SettingRule(
        "strides",
        "which strides make the means: all, or the one of each side that is nearest to the median curves",
        ("all", "representative"),
        default="all",
    ),
    SettingRule(
        "norm", "which norm: blank the sheet Normative, else the bin after that word in its name", is_text=True
    ),
    SettingRule("language", "language of headings and axis titles of the report", LANGUAGES, default="en"),
    SettingRule("colour_left", "colour of the left side in charts, RRGGBB", is_text=True, default="C00000"),
    SettingRule("colour_right", "colour of the right side in charts, RRGGBB", is_text=True, default="1F5FA8"),
)


SUBJECT = settings_sheet("Subject", "the subject: one setting per row", required=True)
PROCESSING = settings_sheet("Processing", "how a trial is processed: one setting per row")

COORDINATES = tuple(Column(name, NUMBER, f"coordinate {name} of a marker", (u.LENGTH,)) for name in "xyz")
MARKERS = Sheet(
    "Markers",
    "trajectories of markers, one trial per sheet, as the laboratory exports them or with these columns",
    (
        Column("time", NUMBER, "time of the frame", (u.TIME,)),
        Column("frame", NUMBER, "number of the frame"),
        *COORDINATES,
    ),
    layout=SheetLayout.SERIES,
)
WRENCH = (
    *(Column(name, NUMBER, f"force of the ground along {name[1]}", (u.FORCE,)) for name in ("fx", "fy", "fz")),
    *(
        Column(name, NUMBER, f"moment about {name[1]} through the origin of the plate", (u.MOMENT,))
        for name in ("mx", "my", "mz")
    ),
    *(Column(name, NUMBER, f"centre of pressure along {name[1]}", (u.LENGTH,)) for name in ("px", "py", "pz")),
    Column("tz", NUMBER, "free moment about the vertical", (u.MOMENT,)),
)
FORCE_PLATES = Sheet(
    "Force plates",
    "forces of the ground, one trial per sheet, as the laboratory exports them or with these columns",
    (Column("time", NUMBER, "time of the sample", (u.TIME,)), *WRENCH),
    layout=SheetLayout.SERIES,
)
MARKER_NAMES = Sheet(
    "Marker names",
    "which label of the laboratory is which marker of the model",
    (
        Column("model", NAME, "name of the marker in this workbook", required=True),
        Column("label", TEXT, "label of the laboratory", required=True),
        Column("cutoff", NUMBER, "cut-off of this marker", (u.FREQUENCY,)),
        ACTIVE,
        NOTES,
    ),
)
PLATES = Sheet(
    "Plates",
    "where force plates lie and what their columns mean",
    (
        Column("name", NAME, "name of the plate", required=True),
        Column(
            "foot",
            TEXT,
            "auto, right, left, or one for each contact: right; left; or right hand, left hand",
            default="auto",
        ),
        *(
            Column(f"{axis}{corner}", NUMBER, f"{axis} of corner {corner} in the axes of the markers", (u.LENGTH,))
            for corner in (1, 2, 3, 4)
            for axis in "xyz"
        ),
        *(
            Column(
                f"o{axis}",
                NUMBER,
                f"{axis} from the centre of the corners to the origin, in axes of the plate",
                (u.LENGTH,),
            )
            for axis in "xyz"
        ),
        Column("axes", CHOICE, "axes of its columns", choices=("own", "marker")),
        Column(
            "sign",
            CHOICE,
            "whether forces act on the foot or on the plate",
            default="reaction",
            choices=("reaction", "action"),
        ),
        Column(
            "offset",
            ANY,
            "how the zero is corrected: none, start, or the seconds from the start in which it is unloaded",
            default="none",
        ),
        ACTIVE,
        NOTES,
    ),
)
SEGMENTS = Sheet(
    "Segments",
    "the rigid segments of the body",
    (
        Column("name", NAME, "name of the segment, with its side", required=True),
        _side("leg to which it belongs"),
        Column("proximal", TEXT, "its upper end: a marker or joint centre", required=True),
        Column("distal", TEXT, "its lower end", required=True),
        Column("parent", TEXT, "the segment above it", default="none: the root"),
        Column("line_from", TEXT, "start of the line whose angle is used", default="distal"),
        Column("line_to", TEXT, "end of that line", default="proximal"),
        Column("table", CHOICE, "row of the anthropometric table", choices=("foot", "shank", "thigh", "hat")),
        Column("mass", NUMBER, "mass, instead of the one in the table", (u.MASS,)),
        Column("mass_fraction", NUMBER, "fraction of the body's mass, instead of the one in the table", (u.RATIO,)),
        Column("com", NUMBER, "centre of mass as a fraction of the length from proximal", (u.RATIO,)),
        Column(
            "gyration", NUMBER, "radius of gyration about the centre of mass as a fraction of the length", (u.RATIO,)
        ),
        Column("inertia", NUMBER, "moment of inertia about the centre of mass, instead of gyration", (u.INERTIA,)),
        Column("length", ANY, "mean, static, or a length", (u.LENGTH,), default="mean"),
        Column("markers", TEXT, "its markers, separated by ;: fitted by least squares, a cluster in 3D"),
        Column("weight", TEXT, "their weights, separated by ;", default="1"),
        ACTIVE,
        NOTES,
    ),
)
JOINT_CENTRES = Sheet(
    "Joint centres",
    "points computed from markers",
    (
        Column("name", NAME, "name of the point", required=True),
        Column("kind", CHOICE, "how it is computed", required=True, choices=CENTRE_KINDS),
        Column(
            "markers",
            TEXT,
            "markers from which it is computed, separated by ;, and of score and sara by | the clusters above and below",
            required=True,
        ),
        Column("near", TEXT, "of sara: markers to whose mean the point of the axis is nearest"),
        Column("from_trial", TEXT, "trial whose motion tells a functional centre", default="static"),
        *(Column(axis, NUMBER, f"offset along {axis} of the segment", (u.LENGTH,)) for axis in "xyz"),
        _side("side of the hip"),
        ACTIVE,
        NOTES,
    ),
)
GAIT_JOINTS = Sheet(
    "Gait joints",
    "joints whose angles, moments and powers are shown",
    (
        Column("name", NAME, "hip, knee, ankle and so on", required=True),
        _side("side of the joint"),
        Column("proximal", TEXT, "segment above it, or ground", required=True),
        Column("distal", TEXT, "segment below it", required=True),
        Column("neutral", ANY, "angle that is subtracted; static: its mean in the standing trial", (u.ANGLE,)),
        Column("positive", CHOICE, "positive sense of the angle", choices=POSITIVE),
        Column(
            "type",
            CHOICE,
            "how least squares join both segments in 3D; blank: a hip by a ball, a knee by a hinge, an ankle by two",
            choices=JOINT_KINDS,
        ),
        *(
            Column(
                name, NUMBER, f"{word} angle of flexion that least squares allow in 3D, without the neutral", (u.ANGLE,)
            )
            for name, word in (("low", "smallest"), ("high", "largest"))
        ),
        ACTIVE,
        NOTES,
    ),
)
EVENTS = Sheet(
    "Events",
    "gait events given by you",
    (
        Column("event", CHOICE, "what happens", required=True, choices=EVENT_KINDS),
        Column("side", CHOICE, "foot of the event", required=True, choices=SIDES),
        Column("time", NUMBER, "time of the event", (u.TIME,)),
        Column("frame", NUMBER, "frame of the event, as numbered in the file"),
        Column("trial", TEXT, "trial of the event", default="the only one"),
        Column(
            "source",
            CHOICE,
            "file: as the recording has it, takes the place of an estimate alone; given: all events of its side are here",
            default="given",
            choices=("given", "file"),
        ),
        ACTIVE,
        NOTES,
    ),
)
NORMATIVE = Sheet(
    "Normative",
    "normative bands over the stride",
    (
        Column("percent", NUMBER, "percent of the stride", (u.RATIO,), required=True),
        *(
            Column(name, NUMBER, doc)
            for name, doc in (
                ("mean", "mean"),
                ("sd", "standard deviation"),
                ("low", "lower end"),
                ("high", "upper end"),
            )
        ),
    ),
    layout=SheetLayout.SERIES,
)
ANATOMICAL_FRAMES = Sheet(
    "Anatomical frames",
    "axes of segments in 3D, from the standing trial",
    (
        Column("segment", TEXT, "segment", required=True),
        Column("origin", TEXT, "marker or joint centre at its origin", required=True),
        Column("axis_1", CHOICE, "axis that is defined first", required=True, choices=("x", "y", "z")),
        Column("from", TEXT, "point from which that axis runs", required=True),
        Column("to", TEXT, "point to which it runs", required=True),
        Column("plane", TEXT, "this point lies in the plane of the first axis and z", required=True),
        Column(
            "order",
            CHOICE,
            "order in which the axes are constructed",
            choices=("yxz", "yzx", "zxy", "zyx", "xyz", "xzy"),
        ),
        ACTIVE,
        NOTES,
    ),
    models=SPATIAL,
)

GAIT_SHEETS = (
    SUBJECT,
    ANTHROPOMETRY,
    PROCESSING,
    TRIALS,
    MARKERS,
    FORCE_PLATES,
    PLATES,
    MARKER_NAMES,
    JOINT_CENTRES,
    SEGMENTS,
    GAIT_JOINTS,
    ANATOMICAL_FRAMES,
    EVENTS,
    NORMATIVE,
    UNCERTAINTY,
)
GAIT_BY_FOLD = {fold(sheet.name): sheet for sheet in GAIT_SHEETS}

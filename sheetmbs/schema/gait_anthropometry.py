"""The input sheet Anthropometry: what is measured on a subject for the conventional gait model, of each leg."""

from __future__ import annotations

from sheetmbs.schema import units as u
from sheetmbs.schema.column import ANY, NAME, NOTES, SPATIAL, TEXT, Column, SettingRule, Sheet
from sheetmbs.schema.names import fold

LONGEST_LEG, WIDEST_JOINT, WIDEST_PELVIS = 1.5, 0.3, 0.6
"""m: no body has more, so that a number beyond is one of another unit"""
LARGEST_TURN = 1.6
"""rad, about a right angle: no wand and no shank is turned farther, so that a number beyond is one of degrees"""

OF_LEGS: tuple[SettingRule, ...] = (
    SettingRule(
        "leg length", "from the anterior spine to the medial malleolus", (), u.LENGTH, above=0.0, most=LONGEST_LEG
    ),
    SettingRule("knee width", "across the epicondyles", (), u.LENGTH, above=0.0, most=WIDEST_JOINT),
    SettingRule("ankle width", "across the malleoli", (), u.LENGTH, above=0.0, most=WIDEST_JOINT),
    SettingRule(
        "asis to trochanter",
        "from the anterior spine back to the trochanter; blank = 0.1288 leg length - 48.56 mm",
        (),
        u.LENGTH,
        above=0.0,
        most=WIDEST_JOINT,
    ),
    SettingRule(
        "thigh rotation",
        "how far the thigh wand stands in front of the frontal plane",
        (),
        u.ANGLE,
        default="0 deg",
        least=-LARGEST_TURN,
        most=LARGEST_TURN,
    ),
    SettingRule(
        "shank rotation",
        "how far the shank wand stands in front of that of the ankle",
        (),
        u.ANGLE,
        default="0 deg",
        least=-LARGEST_TURN,
        most=LARGEST_TURN,
    ),
    SettingRule(
        "tibial torsion",
        "how far the axis of the ankle is turned outward against the knee's",
        (),
        u.ANGLE,
        default="0 deg",
        least=-LARGEST_TURN,
        most=LARGEST_TURN,
    ),
    SettingRule(
        "sole delta",
        "how much higher than the toe the heel stands, where feet are flat",
        (),
        u.LENGTH,
        default="0 mm",
        least=-WIDEST_JOINT,
        most=WIDEST_JOINT,
    ),
)
"""settings with a right and a left value"""
OF_BODY: tuple[SettingRule, ...] = (
    SettingRule(
        "inter-asis",
        "distance of the anterior spines; blank = mean of the standing trial",
        (),
        u.LENGTH,
        above=0.0,
        most=WIDEST_PELVIS,
    ),
    SettingRule("marker diameter", "of the balls of the markers", (), u.LENGTH, default="14 mm", least=0.0, most=0.1),
)
"""settings with one value"""
NEEDED = ("leg length", "knee width", "ankle width")
"""which the conventional model cannot do without"""
ANTHROPOMETRY_SETTINGS = (*OF_LEGS, *OF_BODY)
ANTHROPOMETRY = Sheet(
    "Anthropometry",
    "what is measured on the subject for the conventional gait model: one setting per row",
    (
        Column("setting", NAME, "name of the setting", required=True),
        Column("right", ANY, "value of the right leg"),
        Column("left", ANY, "value of the left leg"),
        Column("value", ANY, "value of both legs, or of the body"),
        Column("unit", TEXT, "unit of the values, blank = SI"),
        NOTES,
    ),
    models=SPATIAL,
)
SIDED = frozenset(fold(rule.name) for rule in OF_LEGS)
"""folded names of the settings of legs"""

"""What a C3D says of its subject and of events: the groups PROCESSING, SUBJECTS and EVENT."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import isfinite
from typing import Any

import numpy as np

from sheetmbs.gait.formats.c3d_parameters import texts_of, values_of
from sheetmbs.gait.formats.event_words import event_of
from sheetmbs.gait.formats.sampled_cells import listed
from sheetmbs.gait.trial.recorded import Measure, RecordedEvent

MM = 1e-3
DEGREE = np.pi / 180.0
MINUTE = 60.0
SIDES = {"l": "left", "r": "right"}
STATIC_WORDS = ("1", "1.0", "true", "yes")
GROUPS = ("PROCESSING", "SUBJECTS")
OF_BODY = {
    "bodymass": "mass",
    "mass": "mass",
    "weight": "mass",
    "height": "height",
    "interasisdistance": "inter-asis",
    "interasis": "inter-asis",
    "markerdiameter": "marker diameter",
}
"""names of these programs in letters alone -> settings of ours"""
OF_LEGS = {
    "leglength": "leg length",
    "kneewidth": "knee width",
    "anklewidth": "ankle width",
    "asistrocanterdistance": "asis to trochanter",
    "asistrochanterdistance": "asis to trochanter",
    "asistrocdist": "asis to trochanter",
    "thighrotation": "thigh rotation",
    "shankrotation": "shank rotation",
    "tibialtorsion": "tibial torsion",
    "soledelta": "sole delta",
}
ANGLES = ("thigh rotation", "shank rotation", "tibial torsion")
MOST_METRES = {
    "height": 3.0,
    "leg length": 2.0,
    "knee width": 0.5,
    "ankle width": 0.5,
    "inter-asis": 1.0,
    "asis to trochanter": 0.5,
    "marker diameter": 0.1,
    "sole delta": 0.2,
}
"""up to which a number is one of metres; beyond, of millimetres"""


def read_measures(file: Any) -> tuple[Measure, ...]:
    """Masses, lengths and angles of the subject in SI. What is 0 was never filled in."""
    names = [each for each in texts_of(file, "SUBJECTS", "NAMES") if each]
    found: dict[tuple[str, str, str], Measure] = {}
    for group in GROUPS:
        for label in file["parameters"].get(group, {}):
            known = _setting_of(label)
            if known is None:
                continue
            for owner, value in _numbers(file, group, label, names):
                setting, side = known
                if isfinite(value) and value != 0.0:
                    measure = Measure(setting, side, _in_si(setting, value), label, owner)
                    found.setdefault((setting, side, owner), measure)
    return tuple(found.values())


def _setting_of(label: str) -> tuple[str, str] | None:
    """Our setting and the side of a parameter: ``knee width`` and ``right`` of ``RKneeWidth``."""
    word = re.sub(r"[\W_]+", "", label.casefold())
    if word in OF_BODY:
        return OF_BODY[word], ""
    for sign, side in SIDES.items():
        for start in (side, sign):
            if word.startswith(start) and word.removeprefix(start) in OF_LEGS:
                return OF_LEGS[word.removeprefix(start)], side
    return None


def _numbers(file: Any, group: str, label: str, names: list[str]) -> Iterator[tuple[str, float]]:
    """The numbers of a parameter, each with its subject where there is one for each of several."""
    values = np.ravel(values_of(file, group, label))
    if not len(values):
        return
    try:
        numbers = [float(each) for each in values.tolist()]
    except (TypeError, ValueError):
        return
    if len(names) > 1 and len(numbers) == len(names):
        yield from zip(names, numbers, strict=True)
    else:
        yield "", numbers[0]


def _in_si(setting: str, value: float) -> float:
    if setting in ANGLES:
        return value * DEGREE
    if setting == "mass":
        return value
    return value if abs(value) <= MOST_METRES[setting] else value * MM


def read_events(file: Any, notes: list[str]) -> tuple[RecordedEvent, ...]:
    """Strikes and offs; the time counts from the camera's frame 1. Others, such as of no side, are named."""
    labels, contexts = texts_of(file, "EVENT", "LABELS"), texts_of(file, "EVENT", "CONTEXTS")
    subjects = texts_of(file, "EVENT", "SUBJECTS")
    times = np.asarray(values_of(file, "EVENT", "TIMES"), np.float64)
    if not labels or times.ndim != 2 or times.shape[0] < 2:
        return ()
    found, others = [], []
    for at, label in enumerate(labels[: times.shape[1]]):
        known = event_of(label, contexts[at] if at < len(contexts) else "")
        time = MINUTE * float(times[0, at]) + float(times[1, at])
        if known is None or not isfinite(time):
            others.append(f"{label} at {time:.3f} s")
            continue
        found.append(RecordedEvent(*known, time, subjects[at] if at < len(subjects) else ""))
    if others:
        notes.append(f"events that are no strike or off of one foot, and left out: {listed(others)}")
    return tuple(sorted(found, key=lambda each: each.time))


def says_static(file: Any) -> bool:
    """Whether a parameter IS_STATIC of any group says that it is a standing trial."""
    told = (np.ravel(values_of(file, group, "IS_STATIC")) for group in file["parameters"])
    return any(len(each) and str(each[0]).strip().casefold() in STATIC_WORDS for each in told)

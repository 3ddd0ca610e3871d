"""Courses of a trial of the exact walker, as the solver would give them, and trials made by hand."""

import numpy as np

from sheetmbs.gait.trial.trial_courses import Contact, GaitEvent, TrialCourses
from tests.support.gait_walker import DOUBLE_SUPPORT, PERIOD, ground, joint_loads, walk

ABOVE = {"ankle": ("shank", "foot"), "knee": ("thigh", "shank"), "hip": ("trunk", "thigh")}


def event(kind, side, time, trial="", source="force"):
    return GaitEvent(kind, side, time, 1, trial, source)


def made(time, events=(), contacts=(), joints=None, points=None, edge=None, trial="", segments=None):
    """A trial of which only some courses are known."""
    time = np.asarray(time, dtype=float)
    none = np.zeros(len(time), dtype=bool)
    return TrialCourses(
        trial=trial,
        time=time,
        frames=np.arange(1, len(time) + 1),
        rate=float((len(time) - 1) / (time[-1] - time[0])),
        joints=joints or {},
        segments=segments or {},
        feet={},
        residual=None,
        com=np.full((len(time), 3), np.nan),
        points=points or {},
        edge=none if edge is None else edge,
        filled=none,
        events=tuple(events),
        contacts=tuple(contacts),
    )


def known_contacts(first, last):
    """Strikes and toe offs of the walker, which its construction tells, cut to a time."""
    stance = (0.5 + DOUBLE_SUPPORT) * PERIOD
    contacts = []
    for side, ahead in (("right", 0.0), ("left", 0.5)):
        for number in range(-3, 30):
            start = (number + ahead) * PERIOD
            if start + stance > first and start < last:
                contacts.append(Contact(side, max(start, first), min(start + stance, last), ("A",), whole=True))
    return contacts


def walked(time, trial=""):
    """The exact walker over a uniform time."""
    time = np.asarray(time, dtype=float)
    body, joints = walk(time), {}
    for label, load in joint_loads(time).items():
        side, joint = label.split()
        upper, lower = (name if name == "trunk" else f"{side} {name}" for name in ABOVE[joint])
        angle, rate = (
            getattr(body.pieces[lower].angle, part) - getattr(body.pieces[upper].angle, part)
            for part in ("value", "rate")
        )
        joints[label] = {"angle": angle, "rate": rate, "moment": load.moment, "power": load.power}
    points = {name: np.column_stack((each.value, np.zeros(len(time)))) for name, each in body.points.items()}
    contacts = known_contacts(time[0], time[-1])
    events = [event("heel strike", each.side, each.start, trial) for each in contacts if each.start > time[0]]
    events += [event("toe off", each.side, each.end, trial) for each in contacts if each.end < time[-1]]
    events.sort(key=lambda each: each.time)
    segments = {name: {"angle": each.angle.value} for name, each in body.pieces.items()}
    courses = made(time, events, contacts, joints, points, trial=trial, segments=segments)
    feet = {side: {"fx": force[:, 0], "fy": force[:, 1], "m": moment} for side, (force, moment) in ground(time).items()}
    return TrialCourses(**{**courses.__dict__, "feet": feet})

"""The 28 models that MSC ADAMS solved: every table of motion and of reactions agrees within the error of ADAMS itself."""

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import sheetmbs
from tests.importing.adams_models import BODY, MODELS

SHARED = Path("..") / "shared" / "adams" / "adams.json"


@cache
def tables():
    """Case -> table -> ``limit`` and ``rows``; nothing where the values are not at hand."""
    found = [folder / SHARED for folder in Path(__file__).resolve().parents if (folder / SHARED).is_file()]
    return json.loads(found[0].read_text())["cases"] if found else {}


at_hand = pytest.mark.skipif(not tables(), reason=f"{SHARED}, the values that ADAMS computed, is not at hand")


@cache
def run(case):
    return sheetmbs.run(MODELS[case]())


def columns(case):
    """All result columns of a case by name, in SI; a run that failed gives no test a number."""
    result = run(case)
    assert result.status == "done"
    assert result.summary["accuracy check"] == "passed"
    found = {}
    for frame in (result.bodies, result.points, result.joints, result.drivers, result.springs):
        found |= {name: frame[name].to_numpy() for name in frame}
    return found


def vectors(case, what, axes="xyz"):
    """(rows, 3) or more columns of one thing."""
    found = columns(case)
    return np.stack([found[f"{what}{axis}"] for axis in axes], axis=1)


def in_global_axes(case, what):
    """Angular velocity and acceleration are reported in body axes; ADAMS gives them in global ones."""
    e0, *e = vectors(case, f"{BODY}.e", "0123").T
    return Rotation.from_quat(np.stack((*e, e0), axis=1)).apply(vectors(case, f"{BODY}.{what}"))


def on_ground(case, axes):
    """Reaction of the joint on ground at its point there; of a hinge with a spring the moment of both."""
    found = vectors(case, "joint.i.", axes)
    if axes == MOMENT and "spring.moment" in columns(case):
        found += np.outer(columns(case)["spring.moment"], MODELS[case]().joints[0].i.axes[:, 2])
    return found


def pull_on_ground(case):
    """A spring's force, from its end on ground towards the other one."""
    spring = MODELS[case]().springs[0]
    apart = vectors(case, "end.") - spring.i.origin
    length = np.linalg.norm(apart, axis=1)
    return columns(case)["spring.force"][:, None] * apart / np.where(length > 0.0, length, np.inf)[:, None]


def push_on_plate(case):
    """Force of the driver along the slide."""
    return columns(case)["drive slide.force"][:, None] * MODELS[case]().joints[0].i.axes[:, 2]


FORCE, MOMENT = ("fx", "fy", "fz"), ("mx", "my", "mz")
TABLES = {
    "Pos": lambda case: vectors(case, f"{BODY}."),
    "Vel": lambda case: vectors(case, f"{BODY}.v"),
    "Acc": lambda case: vectors(case, f"{BODY}.a"),
    "Quat": lambda case: vectors(case, f"{BODY}.e", "0123"),
    "Avel": lambda case: in_global_axes(case, "w"),
    "Aacc": lambda case: in_global_axes(case, "alpha"),
    "Rforce": lambda case: pull_on_ground(case) if case.startswith("Tran") else on_ground(case, FORCE),
    "Rtorque": lambda case: on_ground(case, MOMENT),
    "Rforce_Body1": lambda case: vectors(case, "hinge.i.", FORCE),
    "Rtorque_Body1": lambda case: vectors(case, "hinge.i.", MOMENT),
    "Rforce_Body2": lambda case: vectors(case, "ball.j.", FORCE),
    "Rtorque_Body2": lambda case: vectors(case, "ball.j.", MOMENT),
    "RforceP": lambda case: vectors(case, "slide.i.", FORCE),
    "RtorqueP": lambda case: vectors(case, "slide.i.", MOMENT),
    "RforceA": push_on_plate,
}


@at_hand
@pytest.mark.parametrize(("case", "table"), [(case, table) for case in tables() for table in tables()[case]])
def test_every_table_of_adams_is_met_within_its_own_error(case, table):
    rows, limit = np.array(tables()[case][table]["rows"]), tables()[case][table]["limit"]
    at = np.searchsorted(columns(case)["time"], rows[:, 0] - 1e-9)
    assert np.abs(columns(case)["time"][at] - rows[:, 0]).max() < 1e-12
    ours, theirs = TABLES[table](case)[at], rows[:, 1:]
    if table == "Quat":  # e and -e are the same orientation
        ours = ours * np.sign(np.sum(ours * theirs, axis=1))[:, None]
    assert np.abs(ours - theirs).max() <= limit


@at_hand
def test_every_model_has_its_tables():
    assert set(MODELS) == set(tables())

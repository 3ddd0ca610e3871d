"""The real trial of gait-walk.xlsx: against Newton and Euler summed by hand from its cells, and against published peaks."""

from __future__ import annotations

from functools import cache

import numpy as np
import openpyxl
import pytest
from scipy.interpolate import CubicSpline
from scipy.signal import butter, sosfiltfilt

from sheetmbs.gait_study import run_gait
from tests.example_books import ROOT

BOOK = ROOT / "workbooks" / "gait-walk.xlsx"
RATE, FORCE_RATE, MASS, G = 150.0, 450.0, 72.5, 9.81
RIGHT_PLATES = ("FP6", "FP3")
TABLE = {"foot": (0.0145, 0.5, 0.475), "shank": (0.0465, 0.433, 0.302), "thigh": (0.1, 0.433, 0.323)}
INSIDE = slice(30, 215)
"""frames of 251 in which nothing hangs on the ends, nor on the right foot's neighbours"""


@cache
def columns(sheet):
    """Columns of a sheet of the workbook as numbers, by header."""
    headers, _units, *rows = openpyxl.load_workbook(BOOK)[sheet].iter_rows(values_only=True)
    return dict(zip(headers, np.array(rows, float).T, strict=True))


def filtered(series, rate):
    """Zero lag, order 2 each way, -3 dB of both at 6 Hz: the correction belongs to the tangent."""
    warped = np.tan(np.pi * 6.0 / rate) / (np.sqrt(2.0) - 1.0) ** 0.25
    once = np.arctan(warped) / np.pi * rate
    return sosfiltfilt(butter(2, once, fs=rate, output="sos"), series, padtype="odd", padlen=int(np.ceil(rate / 6.0)))


def marker(label):
    """(3, n) in m: x forward, y up, z to the right."""
    found = columns("Markers")
    return filtered(np.stack([found[f"{label}.{axis}"] for axis in "xyz"]) / 1000.0, RATE)


def right_hip():
    """Harrington's regression, (3, n)."""
    asis, other, back, back_other = (marker(f"{side}_{name}") for name in ("ASIS", "PSIS") for side in "RL")
    middle, behind = (asis + other) / 2.0, (back + back_other) / 2.0
    width, depth = np.linalg.norm(asis - other, axis=0), np.linalg.norm(middle - behind, axis=0)
    z = (asis - other) / width
    x = middle - behind
    x = x - (x * z).sum(axis=0) * z
    x = x / np.linalg.norm(x, axis=0)
    y = np.cross(z.T, x.T).T
    w, d = width.mean(), depth.mean()
    return middle + (-0.24 * d - 0.0099) * x + (-0.30 * w - 0.0109) * y + (0.33 * w + 0.0073) * z


def ground(time):
    """Force (2, n) and moment about the origin (n,) on the right foot at the frames."""
    found = columns("Force plates")
    force, moment = np.zeros((2, len(found["time"]))), np.zeros(len(found["time"]))
    for plate in RIGHT_PLATES:
        fx, fy, px, py = (found[f"{plate}.{name}"] for name in ("fx", "fy", "px", "py"))
        force += np.stack([fx, fy])
        px, py = loaded(fy, px), loaded(fy, py)
        moment += (px * fy - py * fx) / 1000.0
    at = [np.interp(time, found["time"], filtered(each, FORCE_RATE)) for each in (*force, moment)]
    return np.stack(at[:2]), at[2]


def loaded(force, pressure):
    """The centre of pressure, below 20 N that of the nearest sample above: a point divided by next to nothing is none."""
    stands = np.flatnonzero(force >= 20.0)
    nearest = stands[np.abs(np.arange(len(force))[:, None] - stands).argmin(axis=1)]
    return pressure[nearest]


def cross(one, other):
    return one[0] * other[1] - one[1] * other[0]


@cache
def by_hand():
    """Moments (n,) in N m on the foot, shank and thigh of the right leg at ankle, knee and hip, counter-clockwise."""
    time = columns("Markers")["time"]
    ankle = (marker("R_Ankle") + marker("R_Ankle_Medial")) / 2.0
    knee = (marker("R_Knee") + marker("R_Knee_Medial")) / 2.0
    hip, toes = right_hip(), marker("R_MT5")
    segments = (("foot", ankle, toes), ("shank", knee, ankle), ("thigh", hip, knee))
    force, moment = (-each for each in ground(time))
    moments = {}
    for (name, upper, lower), joint in zip(segments, ("ankle", "knee", "hip"), strict=True):
        fraction, com, gyration = TABLE[name]
        along = (upper - lower)[:2]
        inertia = MASS * fraction * (gyration * np.linalg.norm(along, axis=0).mean()) ** 2
        centre = upper[:2] + com * (lower - upper)[:2]
        acceleration = CubicSpline(time, centre, axis=1)(time, 2)
        turning = CubicSpline(time, np.unwrap(np.arctan2(along[1], along[0])))(time, 2)
        own = MASS * fraction * (acceleration + np.array([[0.0], [G]]))
        force, moment = force + own, moment + cross(centre, own) + inertia * turning
        moments[joint] = moment - cross(upper[:2], force)
    return moments


@cache
def results():
    return run_gait(BOOK)


@pytest.mark.parametrize("joint", ["ankle", "knee", "hip"])
def test_moments_of_the_real_trial_are_those_summed_by_hand(joint):
    found = results().solved.courses[0].joints[f"right {joint}"]["moment"]
    error = np.abs(found - by_hand()[joint])[INSIDE]
    assert error.max() < 5e-4 * MASS, error.max()


def peak(item, side, joint):
    return next(each for each in results().items if (each.item, each.side, each.joint) == (item, side, joint))


@pytest.mark.parametrize("side", ["right", "left"])
def test_peaks_of_the_real_trial_are_those_of_healthy_walking(side):
    """Winter 1991 and Perry 1992 have 1.2 to 1.7 N m/kg at the ankle late in stance, and 2 to 4.5 W/kg of push-off."""
    moments = results().solved.courses[0].joints
    assert 1.2 < -np.nanmin(moments[f"{side} ankle"]["moment"][INSIDE]) / MASS < 1.7
    assert 2.0 < np.nanmax(moments[f"{side} ankle"]["power"][INSIDE]) / MASS < 4.5
    assert 50.0 < np.degrees(np.nanmax(moments[f"{side} knee"]["angle"][INSIDE])) < 70.0


def test_forces_over_a_step_carry_the_subject():
    found = columns("Force plates")
    vertical = sum(found[f"FP{number}.fy"] for number in range(1, 8))
    step = (found["time"] >= 0.579) & (found["time"] <= 1.077)
    assert np.isclose(vertical[step].mean() / G, MASS, rtol=0.02)


def test_source_and_licence_stand_in_the_workbook_and_in_the_docs():
    readme = openpyxl.load_workbook(BOOK)["README"]
    texts = " ".join(str(cell.value) for row in readme.iter_rows() for cell in row if cell.value is not None)
    for text in (texts, (ROOT / "docs" / "gait.md").read_text(encoding="utf-8")):
        assert all(word in text for word in ("BMClab/BMC", "CC-BY 4.0", "Duarte", "Watanabe"))

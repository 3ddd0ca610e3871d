"""The real trial of gait-walk.xlsx: against Newton and Euler summed by hand from its cells, and against published peaks."""

from __future__ import annotations

from functools import cache

import numpy as np
import openpyxl
import pytest
from scipy.interpolate import CubicSpline
from scipy.signal import butter, sosfiltfilt

from sheetmbs import WorkbookError
from sheetmbs.gait.run_gait import run_gait
from tests.support.example_books import ROOT
from tests.support.opened import sheet_values

BOOK = ROOT / "workbooks" / "gait-walk.xlsx"
RATE, FORCE_RATE, MASS, G = 150.0, 450.0, 76.5, 9.81
PLATES = {"right": ("FP6", "FP3"), "left": ("FP5", "FP4")}
LABELS = {"right": "L", "left": "R"}
"""of this file, which are exchanged: z, to the right of the walk along x, is greater for those that begin with L"""
TABLE = {"foot": (0.0145, 0.5, 0.475), "shank": (0.0465, 0.433, 0.302), "thigh": (0.1, 0.433, 0.323)}
INSIDE = slice(60, 325)
"""frames of 364 in which nothing hangs on the ends, nor on the contact of the left foot before the plates"""


@cache
def columns(sheet):
    """Columns of a sheet of the workbook as numbers, by header."""
    headers, _units, *rows = sheet_values(BOOK, sheet)
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


def hip(side):
    """Harrington's regression, (3, n)."""
    asis, other, back, back_other = (marker(f"{letter}_{name}") for name in ("ASIS", "PSIS") for letter in "LR")
    middle, behind = (asis + other) / 2.0, (back + back_other) / 2.0
    width, depth = np.linalg.norm(asis - other, axis=0), np.linalg.norm(middle - behind, axis=0)
    z = (asis - other) / width
    x = middle - behind
    x = x - (x * z).sum(axis=0) * z
    x = x / np.linalg.norm(x, axis=0)
    y = np.cross(z.T, x.T).T
    w, d = width.mean(), depth.mean()
    outward = 1.0 if side == "right" else -1.0
    return middle + (-0.24 * d - 0.0099) * x + (-0.30 * w - 0.0109) * y + outward * (0.33 * w + 0.0073) * z


def ground(time, side):
    """Force (2, n) and moment about the origin (n,) on a foot at the frames."""
    found = columns("Force plates")
    force, moment = np.zeros((2, len(found["time"]))), np.zeros(len(found["time"]))
    for plate in PLATES[side]:
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
def by_hand(side):
    """Moments (n,) in N m on the foot, shank and thigh of a leg at ankle, knee and hip, counter-clockwise."""
    time, letter = columns("Markers")["time"], LABELS[side]
    ankle = (marker(f"{letter}_Ankle") + marker(f"{letter}_Ankle_Medial")) / 2.0
    knee = (marker(f"{letter}_Knee") + marker(f"{letter}_Knee_Medial")) / 2.0
    toes = marker(f"{letter}_MT5")
    segments = (("foot", ankle, toes), ("shank", knee, ankle), ("thigh", hip(side), knee))
    force, moment = (-each for each in ground(time, side))
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


@pytest.mark.parametrize("side", ["right", "left"])
@pytest.mark.parametrize("joint", ["ankle", "knee", "hip"])
def test_moments_of_the_real_trial_are_those_summed_by_hand(side, joint):
    found = results().solved.courses[0].joints[f"{side} {joint}"]["moment"]
    error = np.abs(found - by_hand(side)[joint])[INSIDE]
    assert error.max() < 5e-4 * MASS, error.max()


@pytest.mark.parametrize("side", ["right", "left"])
def test_both_sides_of_the_real_trial_have_a_stride_between_measured_strikes_with_moments(side):
    strikes = [each for each in results().solved.courses[0].events if (each.kind, each.side) == ("heel strike", side)]
    assert [each.source for each in strikes] == ["force", "force"]
    found = {(each.item, each.side, each.joint): each for each in results().items}
    assert found["stride time", side, ""].value == pytest.approx(strikes[1].time - strikes[0].time)
    assert {found[item, side, "hip"].n for item in ("angle max", "moment min", "work net")} == {1}
    assert 57.0 < 100.0 * found["stance", side, ""].value < 62.0
    assert [each for each in results().sheets.problems if each.severity != "note"] == []


def test_without_the_setting_the_exchanged_labels_of_the_real_trial_stop_the_run(tmp_path):
    book = openpyxl.load_workbook(BOOK)
    row = next(row for row in book["Processing"].iter_rows() if row[0].value == "exchange_sides")
    row[1].value = "no"
    book.save(tmp_path / "walk.xlsx")
    with pytest.raises(WorkbookError) as stopped:
        run_gait(tmp_path / "walk.xlsx")
    (told,) = stopped.value.problems
    assert told.code == "sides-exchanged"
    assert "write exchange_sides yes on Processing" in told.mend


@pytest.mark.parametrize("side", ["right", "left"])
def test_peaks_of_the_real_trial_are_those_of_healthy_walking(side):
    """Winter 1991 and Perry 1992 have 1.2 to 1.7 N m/kg at the ankle late in stance, and 2 to 4.5 W/kg of push-off."""
    moments = results().solved.courses[0].joints
    assert 1.2 < -np.nanmin(moments[f"{side} ankle"]["moment"][INSIDE]) / MASS < 1.7
    assert 2.0 < np.nanmax(moments[f"{side} ankle"]["power"][INSIDE]) / MASS < 4.5
    assert 50.0 < np.degrees(np.nanmax(moments[f"{side} knee"]["angle"][INSIDE])) < 70.0


def test_forces_over_a_stride_carry_the_subject():
    found = columns("Force plates")
    vertical = sum(found[f"FP{number}.fy"] for number in range(1, 8))
    stride = (found["time"] >= 0.761) & (found["time"] <= 1.859)
    assert np.isclose(vertical[stride].mean() / G, MASS, rtol=0.005)


def test_source_and_licence_stand_in_the_workbook_and_in_the_docs():
    readme = openpyxl.load_workbook(BOOK)["README"]
    texts = " ".join(str(cell.value) for row in readme.iter_rows() for cell in row if cell.value is not None)
    for text in (texts, (ROOT / "docs" / "gait.md").read_text(encoding="utf-8")):
        assert all(word in text for word in ("BMClab/BMC", "CC-BY 4.0", "Duarte", "Watanabe"))

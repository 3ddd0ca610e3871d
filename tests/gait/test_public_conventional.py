"""Public files of Plug-in Gait against their own results, where they lie beside the checkout: nothing of them is kept here.

They are of Biomechanical-ToolKit/BTKData, Input/C3DSamples/PiG: the folder `plug-in-gait` of the shared material holds
PiG_Calibration-FlatFoot-Full.c3d and PiG_Motion-FlatFoot-Full.c3d.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import openpyxl
import pytest

from sheetmbs.gait.importing.import_trial import import_trial
from sheetmbs.gait.run_gait import run_gait
from sheetmbs.workbook.writing.new_workbook import new_book
from tests.support.shared import shared

FOLDER = shared("plug-in-gait")
STATIC, WALK = FOLDER / "PiG_Calibration-FlatFoot-Full.c3d", FOLDER / "PiG_Motion-FlatFoot-Full.c3d"
LABELS = {"asis": "ASI", "psis": "PSI", "thigh wand": "THI", "knee": "KNE", "shank wand": "TIB", "ankle": "ANK"}
FEET = {"heel": "HEE", "toe": "TOE"}
MEASURES = {"leg length": 800, "knee width": 105, "ankle width": 55, "marker diameter": 16}
"""mm of the subject, from its file; the radius of its markers is 8 mm"""
MASS = 47.5
RMS = {"hip": 0.07, "knee": 0.04, "ankle": 0.03}
"""N m/kg of flexion while the foot stands"""
pytestmark = pytest.mark.skipif(not WALK.exists(), reason="the public files are not beside the checkout")


@pytest.fixture(scope="module")
def compared(tmp_path_factory):
    """Courses of the walk, and the results of the file by label (n, 3)."""
    import ezc3d

    path: Path = tmp_path_factory.mktemp("public") / "walk.xlsx"
    new_book("gait-cgm", path)
    book = openpyxl.load_workbook(path)
    for name in ("Markers", "Markers static", "Force plates"):
        del book[name]
    names = book["Marker names"]
    names.delete_rows(2, names.max_row)
    for side in ("right", "left"):
        for name, label in (LABELS | FEET).items():
            names.append([f"{side} {name}", f"{side[0].upper()}{label}"])
    for row in book["Anthropometry"].iter_rows(min_row=2):
        if row[0].value in MEASURES:
            row[1].value = row[2].value = None
            row[3].value = MEASURES[row[0].value]
    wanted = {"cutoff": "none", "force_cutoff": "none", "mass": MASS, "height": 1.505}
    for tab in ("Processing", "Subject"):
        for row in book[tab].iter_rows(min_row=2):
            if row[0].value in wanted:
                row[1].value = wanted[row[0].value]
    book.save(path)
    import_trial([STATIC], path, "static")
    import_trial([WALK], path, "walk")
    file = ezc3d.c3d(str(WALK))
    labels = file["parameters"]["POINT"]["LABELS"]["value"]
    points = file["data"]["points"][:3].transpose(1, 2, 0).copy()
    points[np.all(points == 0.0, axis=2)] = np.nan
    return run_gait(path).solved.courses[0], dict(zip(labels, points, strict=True))


@pytest.mark.parametrize("side", ["right", "left"])
def test_angles_are_those_of_the_file(compared, side):
    courses, found = compared
    for joint in ("hip", "knee", "ankle"):
        own = np.degrees([courses.joints[f"{side} {joint}"][name] for name in ("flexion", "adduction", "rotation")]).T
        own *= [1.0, -1.0 if joint == "ankle" else 1.0, 1.0]
        error = own - found[f"{side[0].upper()}{joint.capitalize()}Angles"]
        assert np.sqrt(np.nanmean(error**2, axis=0)).max() < 0.002
    own = np.degrees([courses.joints[f"{side} pelvis"][name] for name in ("tilt", "obliquity", "rotation")]).T
    assert np.sqrt(np.nanmean((own - found[f"{side[0].upper()}PelvisAngles"]) ** 2)) < 0.002
    ahead = np.degrees(courses.joints[f"{side} foot"]["progression"])
    assert np.sqrt(np.nanmean((ahead - found[f"{side[0].upper()}FootProgressAngles"][:, 2]) ** 2)) < 0.002


@pytest.mark.parametrize("side", ["right", "left"])
def test_moments_of_stance_are_those_of_the_file(compared, side):
    """Internal; plantarflexors and extensors +. In swing its inertias are other ones than Winter's."""
    courses, found = compared
    stands = np.nan_to_num(courses.feet[side]["fy"]) > 20.0
    for joint, most in RMS.items():
        sign = 1.0 if joint == "knee" else -1.0
        own = sign * courses.joints[f"{side} {joint}"]["moment_flexion"] / MASS
        theirs = found[f"{side[0].upper()}{joint.capitalize()}Moment"][:, 0] / 1000.0
        known = stands & np.isfinite(own) & np.isfinite(theirs)
        assert known.sum() > 40
        assert np.sqrt(np.mean((own - theirs)[known] ** 2)) < most, joint

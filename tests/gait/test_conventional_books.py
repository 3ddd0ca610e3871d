"""A workbook with model cgm: angles and centres from which its markers were made, and what it refuses or warns of."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from sheetmbs.gait.run_gait import run_gait
from sheetmbs.problems.errors import WorkbookError
from tests.gait.conventional_books import book, measures
from tests.gait.conventional_markers import ConventionalSubject, Walk, markers, standing, walking
from tests.support.opened import sheet_values

WALK = walking(120)
SUBJECT = ConventionalSubject(thigh_turn=(0.2, -0.1), shank_turn=(0.1, 0.1), torsion=(0.3, 0.2))
DEGREE, LENGTH = 1e-6, 1e-9


def _solved(path: Path):
    return run_gait(path).solved


@pytest.mark.parametrize("with_sacrum", [False, True])
def test_angles_and_centres_are_those_from_which_markers_were_made(tmp_path: Path, *, with_sacrum: bool) -> None:
    solved = _solved(book(tmp_path / "walk.xlsx", WALK, SUBJECT, with_sacrum=with_sacrum))
    courses = solved.courses[0]
    made, axes = markers(SUBJECT, WALK)
    still_axes = markers(SUBJECT, standing(WALK))[1]
    for number, side in enumerate(("right", "left")):
        for joint in ("hip", "knee", "ankle"):
            name = f"{side} {joint} centre"
            assert np.abs(courses.points[name] - made[name]).max() < LENGTH
        leg, sign = WALK.legs[number], 1.0 if side == "right" else -1.0
        for joint, expected in (("hip", leg.hip), ("knee", leg.knee)):
            course = courses.joints[f"{side} {joint}"]
            for column, name in enumerate(("flexion", "adduction", "rotation")):
                assert np.degrees(np.abs(course[name] - expected[:, column])).max() < DEGREE
        tilt, obliquity, rotation = (WALK.pelvis * ([1, 1, 1] if side == "right" else [1, -1, -1])).T
        pelvis = courses.joints[f"{side} pelvis"]
        for name, expected in (("tilt", tilt), ("obliquity", obliquity), ("rotation", rotation)):
            assert np.degrees(np.abs(pelvis[name] - expected)).max() < DEGREE
        _assert_foot(courses, axes[side], still_axes[side], side, sign)


def _assert_foot(courses, own, still, side: str, sign: float) -> None:
    """The foot by quaternions of scipy: flat in the standing trial, heel at the height of the toe."""
    x = still["from heel"][:, :, 0] * [1.0, 0.0, 1.0]
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    z = still["ankle"][:, :, 2]
    z = z - np.sum(z * x, axis=1, keepdims=True) * x
    z /= np.linalg.norm(z, axis=1, keepdims=True)
    flat = np.stack((x, np.cross(z, x), z), axis=-1)
    offsets = Rotation.from_matrix(still["behind"][0].T @ flat[0]).as_euler("ZYX")[:2]
    foot = Rotation.from_matrix(own["behind"]) * Rotation.from_euler("ZY", offsets)
    turned = (Rotation.from_matrix(own["ankle"]).inv() * foot).as_euler("ZYX")
    course = courses.joints[f"{side} ankle"]
    for name, expected in (
        ("flexion", turned[:, 0]),
        ("rotation", sign * turned[:, 1]),
        ("adduction", sign * turned[:, 2]),
    ):
        assert np.degrees(np.abs(course[name] - expected)).max() < DEGREE
    ahead = courses.joints[f"{side} foot"]["progression"]
    assert np.degrees(np.abs(ahead - sign * foot.as_euler("ZYX")[:, 1])).max() < DEGREE


def test_the_model_is_told_on_the_summary(tmp_path: Path) -> None:
    results = run_gait(book(tmp_path / "walk.xlsx", WALK, SUBJECT))
    model = results.solved.book.conventional
    assert model is not None
    still, axes = markers(SUBJECT, standing(WALK))
    assert model.inter_asis == pytest.approx(SUBJECT.width, abs=1e-12)
    varus = Rotation.from_matrix(axes["right"]["thigh"][0].T @ axes["right"]["shank"][0]).as_euler("ZXY")[1]
    assert model.standing["right"].adduction == pytest.approx(varus, abs=1e-9)
    assert still
    said = {(item, side): value for item, side, value in _summary(results)}
    assert said["model", None].startswith("cgm")
    assert said["hip rule", None].startswith("davis")
    assert said["marker radius", None] == pytest.approx(7.0)
    assert said["inter-asis", None] == pytest.approx(1e3 * SUBJECT.width)
    for side in ("right", "left"):
        assert said["alpha", side] == pytest.approx(np.degrees(model.standing[side].alpha))
        assert said["beta", side] == pytest.approx(np.degrees(model.standing[side].beta))
    assert said["static knee adduction", "right"] == pytest.approx(np.degrees(varus), abs=1e-6)


def _summary(results) -> list[tuple[object, object, object]]:
    results.save()

    rows = sheet_values(results.path, "mbs Gait summary")
    return [(row[0], row[1], row[3]) for row in rows]


def test_left_for_right_gives_the_same_angles(tmp_path: Path) -> None:
    """The whole subject mirrored: what the right side had, the left one has."""
    mirrored = replace(
        SUBJECT,
        **{
            name: getattr(SUBJECT, name)[::-1]
            for name in ("leg", "knee", "ankle", "thigh_turn", "shank_turn", "torsion")
        },
    )
    one = _solved(book(tmp_path / "one.xlsx", WALK, SUBJECT)).courses[0]
    still = _mirrored(standing(WALK))
    two = _solved(book(tmp_path / "two.xlsx", _mirrored(WALK), mirrored, still=still)).courses[0]
    for label, course in one.joints.items():
        other = two.joints[label.replace("right", "LEFT").replace("left", "right").replace("LEFT", "left")]
        for name, values in course.items():
            assert np.allclose(values, other[name], atol=1e-9, equal_nan=True), (label, name)


def _mirrored(walk: Walk) -> Walk:
    return replace(
        walk,
        pelvis=walk.pelvis * [1.0, -1.0, -1.0],
        origin=walk.origin * [1.0, 1.0, -1.0],
        legs=walk.legs[::-1],
        heel=walk.heel[::-1],
    )


@pytest.mark.parametrize("rule", ["davis", "harrington"])
def test_the_rule_of_the_hip_is_the_one_that_processing_names(tmp_path: Path, rule: str) -> None:
    courses = _solved(book(tmp_path / "walk.xlsx", WALK, SUBJECT, processing={"hip_centre": rule})).courses[0]
    made, _axes = markers(SUBJECT, WALK)
    away = float(np.abs(courses.points["right hip centre"] - made["right hip centre"]).max())
    assert (away < LENGTH) == (rule == "davis")


def _told(path: Path, severity: str = "error") -> list:
    try:
        problems = run_gait(path).solved.problems
    except WorkbookError as error:
        problems = error.problems
    return [each for each in problems if each.severity == severity]


def _row(name: str, **columns: object) -> list[list[object]]:
    rows = measures(SUBJECT)
    for row in rows:
        if row[0] == name:
            for column, value in columns.items():
                row[("setting", "right", "left", "value", "unit").index(column)] = value
    return rows


@pytest.mark.parametrize(
    ("rows", "code", "cell", "words"),
    [
        (
            [row for row in measures(SUBJECT) if row[0] != "leg length"],
            "missing-setting",
            "Anthropometry",
            "leg length",
        ),
        (_row("knee width", left=None), "missing-setting", "Anthropometry!A3", "knee width of the left leg"),
        (_row("leg length", unit="m"), "out-of-range", "Anthropometry!B2", "leg length must be 1.5 or less"),
        (_row("leg length", setting="leg lenght"), "unknown-setting", "Anthropometry!A2", "leg length"),
        ([*measures(SUBJECT), ["knee width", 1, 1]], "duplicate-setting", "Anthropometry!A9", "knee width"),
        (_row("marker diameter", right=14), "wrong-column", "Anthropometry!B5", "write it in value"),
        (_row("knee width", right=290), "no-centre", None, "no centre exists"),
    ],
)
def test_wrong_measures_are_refused_at_their_cells(
    tmp_path: Path, rows: list, code: str, cell: str | None, words: str
) -> None:
    subject = replace(SUBJECT, thigh=0.14) if code == "no-centre" else SUBJECT
    told = _told(book(tmp_path / "walk.xlsx", WALK, subject, anthropometry=rows))
    found = [each for each in told if each.code == code]
    assert found, told
    assert words in str(found[0])
    if cell is not None:
        assert found[0].cell == cell


def test_one_value_holds_for_both_sides(tmp_path: Path) -> None:
    subject = ConventionalSubject(leg=(0.9, 0.9))
    both = [row if row[0] != "leg length" else ["leg length", None, None, 900, "mm"] for row in measures(subject)]
    made, _axes = markers(subject, WALK)
    courses = _solved(book(tmp_path / "walk.xlsx", WALK, subject, anthropometry=both)).courses[0]
    for name in ("right hip centre", "left hip centre"):
        assert np.abs(courses.points[name] - made[name]).max() < LENGTH


@pytest.mark.parametrize(
    ("rows", "code", "cell", "words"),
    [
        (_row("leg length", left=700), "leg-length", "Anthropometry!C2", "0.40 of the height"),
        (_row("knee width", left=158), "joint-width", "Anthropometry!C3", "158 mm"),
        (_row("ankle width", left=83), "joint-width", "Anthropometry!C4", "within 10 mm"),
        ([*measures(SUBJECT), ["inter-asis", None, None, 260, "mm"]], "inter-asis", "Anthropometry!D9", "246"),
    ],
)
def test_unlikely_measures_are_warned_of_at_their_cells(
    tmp_path: Path, rows: list, code: str, cell: str, words: str
) -> None:
    told = _told(book(tmp_path / "walk.xlsx", WALK, SUBJECT, anthropometry=rows), "warning")
    found = [each for each in told if each.code == code]
    assert found, told
    assert any(each.cell == cell and words in str(each) for each in found), [str(each) for each in found]


def test_sound_measures_raise_nothing(tmp_path: Path) -> None:
    assert not [
        each
        for each in _told(book(tmp_path / "walk.xlsx", WALK, SUBJECT), "warning")
        if each.code in ("leg-length", "joint-width", "inter-asis", "static-varus", "psis-heights", "cross-talk")
    ]


def test_a_psis_that_stands_higher_than_the_other_is_told(tmp_path: Path) -> None:
    path = book(tmp_path / "walk.xlsx", WALK, SUBJECT, moved={"left psis": np.array([0.0, 0.025, 0.0])})
    [told] = [each for each in _told(path, "warning") if each.code == "psis-heights"]
    assert told.cell.startswith("Markers static!")


def test_a_knee_that_stands_in_varus_is_told_at_its_rotation(tmp_path: Path) -> None:
    path = book(tmp_path / "walk.xlsx", WALK, SUBJECT, moved={"right ankle": np.array([0.0, 0.0, -0.1])})
    [told] = [each for each in _told(path, "warning") if each.code == "static-varus"]
    assert told.cell == "Anthropometry!B6"
    assert "of varus" in str(told)


def test_a_wand_on_the_inner_side_is_refused(tmp_path: Path) -> None:
    path = book(tmp_path / "walk.xlsx", WALK, SUBJECT, moved={"left thigh wand": np.array([0.0, 0.0, 0.2])})
    found = [each for each in _told(path) if each.code == "medial-wand"]
    assert found
    assert "left thigh wand" in str(found[0])
    assert found[0].cell.startswith("Markers static!")


def test_a_heel_that_no_frame_of_the_standing_trial_sees_is_told(tmp_path: Path) -> None:
    path = book(tmp_path / "walk.xlsx", WALK, SUBJECT, moved={"left heel": np.full(3, np.nan)})
    [told] = [each for each in _told(path) if each.code == "unseen-marker"]
    assert told.cell.startswith("Markers static!")
    assert "left heel" in str(told)


@pytest.mark.parametrize(
    ("sheets", "code", "cell"),
    [
        ({"Segments": [["name", "proximal", "distal"], ["right thigh", "a", "b"]]}, "of-the-model", "Segments!B2"),
        ({"Segments": [["name", "mass"], ["right tigh", 8]]}, "unknown-segment", "Segments!A2"),
        ({"Gait joints": [["name", "proximal", "distal"], ["hip", "a", "b"]]}, "of-the-model", "Gait joints!A2"),
        ({"Joint centres": [["name", "kind", "markers"], ["x", "mean", "a"]]}, "of-the-model", "Joint centres!A2"),
    ],
)
def test_what_the_model_makes_is_refused_on_sheets(tmp_path: Path, sheets: dict, code: str, cell: str) -> None:
    told = _told(book(tmp_path / "walk.xlsx", WALK, SUBJECT, sheets=sheets))
    assert [(each.code, each.cell) for each in told if each.code == code] == [(code, cell)]


def test_a_row_of_segments_gives_a_mass(tmp_path: Path) -> None:
    rows = [["name", "mass", "com"], ["Right Thigh", 9.5, 0.4]]
    solved = _solved(book(tmp_path / "walk.xlsx", WALK, SUBJECT, sheets={"Segments": rows}))
    masses = {each.row.name: each.mass for each in solved.trials[0].segments}
    assert (masses["right thigh"].mass, masses["right thigh"].com) == (9.5, 0.4)
    assert masses["left thigh"].mass == pytest.approx(0.1 * 70)


@pytest.mark.parametrize(
    ("processing", "code", "words"),
    [
        ({"kinematics": "chain"}, "kinematics", "write segments"),
        ({"hip_centre": "score"}, "missing-row", "right hip centre"),
    ],
)
def test_settings_that_the_model_cannot_have_are_refused(
    tmp_path: Path, processing: dict, code: str, words: str
) -> None:
    told = _told(book(tmp_path / "walk.xlsx", WALK, SUBJECT, processing=processing))
    assert [each for each in told if each.code == code and words in str(each)]


def test_a_missing_marker_is_told_with_the_label_that_it_may_be(tmp_path: Path) -> None:
    import openpyxl

    path = book(tmp_path / "walk.xlsx", WALK, SUBJECT)
    found = openpyxl.load_workbook(path)
    for name in ("Markers", "Markers static"):
        for cell in found[name][1]:
            cell.value = str(cell.value).replace("right knee.", "RKNE.")
    found.save(path)
    [told] = [each for each in _told(path) if each.code == "unknown-marker"]
    assert told.cell == "Processing!B2"
    assert "right knee = RKNE" in str(told)


def test_a_setting_of_the_model_without_it_is_warned_of(tmp_path: Path) -> None:
    path = book(tmp_path / "walk.xlsx", WALK, SUBJECT, processing={"model": None, "hip_centre": "harrington"})
    told = [each for each in _told(path, "warning") if each.code == "unused-value"]
    assert [each.cell for each in told] == ["Processing!B5"]

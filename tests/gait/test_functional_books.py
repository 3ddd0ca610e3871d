"""Functional centres on Joint centres: hips of the conventional model and knees of clusters, from trials of their own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import openpyxl
import pytest

from sheetmbs.gait.run_gait import run_gait
from sheetmbs.problems.errors import WorkbookError
from tests.gait.conventional_books import book
from tests.gait.conventional_markers import ConventionalSubject, Walk, markers, standing, walking
from tests.support.example_books import ROOT
from tests.support.opened import sheet_values

WALK = walking(120)
SUBJECT = ConventionalSubject(trochanter=(0.10, 0.11))
"""whose hips are elsewhere than Davis's formula has them"""
FORMULA = [
    ["leg length", 920, 910, None, "mm"],
    ["knee width", 102, 100, None, "mm"],
    ["ankle width", 70, 72, None, "mm"],
]
HEADERS = ["name", "kind", "markers", "from_trial", "near"]
PELVIS = "right asis; left asis; right psis; left psis"


def _hips(trial: str | None = "hip", kind: str = "score") -> list[list[object]]:
    rows = [
        [f"{side} hip centre", kind, f"{PELVIS} | {side} thigh 1; {side} thigh 2; {side} thigh 3", trial]
        for side in ("right", "left")
    ]
    return [HEADERS, *rows]


def _star(count: int = 200) -> Walk:
    """Both thighs circle widely about hips that stand."""
    phase = np.linspace(0.0, 4.0 * np.pi, count)
    still = standing(WALK, count)
    swing = np.radians(35.0) * np.stack((np.sin(phase), np.cos(1.7 * phase), 0.4 * np.sin(2.2 * phase)), axis=1)
    legs = tuple(replace(leg, hip=leg.hip + swing) for leg in still.legs)
    return replace(still, legs=(legs[0], legs[1]))


def _book(path: Path, rows: list, *, trial: str = "Markers hip", **options: object) -> Path:
    return book(
        path,
        WALK,
        SUBJECT,
        processing={"hip_centre": "score"},
        anthropometry=FORMULA,
        sheets={"Joint centres": rows},
        with_thighs=True,
        trials={trial: _star()},
        **options,
    )


def test_hips_by_score_are_where_the_thighs_turn_and_the_trial_gives_no_results(tmp_path: Path) -> None:
    solved = run_gait(_book(tmp_path / "walk.xlsx", _hips())).solved
    assert [each.trial for each in solved.courses] == [""]
    made, _axes = markers(SUBJECT, WALK)
    for side in ("right", "left"):
        found = solved.courses[0].points[f"{side} hip centre"]
        assert np.abs(found - made[f"{side} hip centre"]).max() < 1e-9
        for column, name in enumerate(("flexion", "adduction", "rotation")):
            angles = WALK.legs[0 if side == "right" else 1].hip[:, column]
            assert np.degrees(np.abs(solved.courses[0].joints[f"{side} hip"][name] - angles)).max() < 1e-6
    davis = run_gait(book(tmp_path / "davis.xlsx", WALK, SUBJECT, anthropometry=FORMULA)).solved.courses[0]
    assert np.abs(davis.points["right hip centre"] - made["right hip centre"]).max() > 0.02


def test_the_summary_tells_residual_condition_and_motion(tmp_path: Path) -> None:
    results = run_gait(_book(tmp_path / "walk.xlsx", _hips()))
    results.save()
    rows = sheet_values(results.path, "mbs Gait summary")
    [said] = [row[3] for row in rows if row[0] == "joint centre" and str(row[3]).startswith("right hip centre")]
    assert "SCoRE" in said
    assert "from hip: residual 0.00 mm rms, condition" in said
    assert "deg of motion, 200 frames" in said


def test_little_motion_is_warned_of(tmp_path: Path) -> None:
    told = run_gait(_book(tmp_path / "walk.xlsx", _hips(None), still=_narrow())).solved.problems
    found = [each for each in told if each.code == "little-motion"]
    assert len(found) == 2
    assert found[0].cell == "Joint centres!B2"


def test_a_cluster_with_a_marker_of_another_segment_is_warned_of(tmp_path: Path) -> None:
    """The marker of the ankle swings about the knee while the thigh turns."""
    heads, *hips = _hips(None)
    star = _star()
    bent = np.zeros((len(star.legs[0].knee), 3))
    bent[:, 0] = np.radians(40.0) * np.sin(np.linspace(0.0, 9.0 * np.pi, len(bent)))
    legs = tuple(replace(leg, knee=leg.knee + bent) for leg in star.legs)
    rows = [heads, *([name, kind, f"{of}; {name.split()[0]} ankle", *rest] for name, kind, of, *rest in hips)]
    told = run_gait(_book(tmp_path / "walk.xlsx", rows, still=replace(star, legs=legs))).solved.problems
    found = [each for each in told if each.code == "loose-clusters"]
    assert [each.cell for each in found] == ["Joint centres!C2", "Joint centres!C3"]
    assert all("mm rms" in each.found for each in found)


def _narrow() -> Walk:
    still, wide = standing(WALK, 200), _star()
    legs = tuple(
        replace(leg, hip=leg.hip + 0.1 * (moved.hip - leg.hip))
        for leg, moved in zip(still.legs, wide.legs, strict=True)
    )
    return replace(still, legs=(legs[0], legs[1]))


@pytest.mark.parametrize(
    ("change", "code", "cell", "words"),
    [
        ({(1, 3): "hop"}, "unknown-name", "Joint centres!D2", "no such trial"),
        ({(1, 2): f"{PELVIS} | right thigh 1; right thigh 2"}, "wrong-number", "Joint centres!C2", "3 markers or more"),
        ({(1, 2): PELVIS}, "wrong-number", "Joint centres!C2", "as many below"),
        ({(1, 1): "sara"}, "missing-value", "Joint centres!E2", "an axis has many points"),
        ({(1, 4): "right knee"}, "unused-value", "Joint centres!E2", "clear the cell"),
        ({(1, 1): "mean"}, "of-the-model", "Joint centres!B2", "write score"),
        (
            {(1, 2): f"{PELVIS} | right thigh 1; right thigh 2; right thig 3"},
            "unknown-marker",
            "Joint centres!C2",
            "thig",
        ),
    ],
)
def test_wrong_rows_are_refused_at_their_cells(tmp_path: Path, change: dict, code: str, cell: str, words: str) -> None:
    rows = [[*row, None][:5] for row in _hips()]
    for (row, column), value in change.items():
        rows[row][column] = value
    with pytest.raises(WorkbookError) as stopped:
        run_gait(_book(tmp_path / "walk.xlsx", rows))
    found = [each for each in stopped.value.problems if each.code == code]
    assert [each.cell for each in found] == [cell], [str(each) for each in stopped.value.problems]
    assert words in str(found[0])


def test_a_workbook_whose_only_trial_tells_a_centre_has_none_that_walks(tmp_path: Path) -> None:
    path = _book(tmp_path / "walk.xlsx", _hips())
    found = openpyxl.load_workbook(path)
    del found["Markers"]
    found.save(path)
    with pytest.raises(WorkbookError, match="no other trial walks"):
        run_gait(path)


def test_a_knee_by_its_axis_is_the_middle_of_its_markers_where_it_is_a_hinge(tmp_path: Path) -> None:
    """The walker's knees are hinges square to the leg: SARA finds the middles that the template takes."""
    template = ROOT / "templates" / "gait-3d.xlsx"
    found = openpyxl.load_workbook(template)
    sheet = found["Joint centres"]
    columns = {cell.value: cell.column for cell in sheet[1]}
    for row in range(2, sheet.max_row + 1):
        name = str(sheet.cell(row, columns["name"]).value)
        if name.endswith("knee centre"):
            side = name.split(maxsplit=1)[0]
            clusters = ("; ".join(f"{side} {each} {k}" for k in range(1, 5)) for each in ("thigh", "shank"))
            sheet.cell(row, columns["kind"]).value = "sara"
            sheet.cell(row, columns["markers"]).value = " | ".join(clusters)
            sheet.cell(row, columns["near"]).value = f"{side} knee; {side} knee medial"
            sheet.cell(row, columns["from_trial"]).value = "bend"
    found.copy_worksheet(found["Markers"]).title = "Markers bend"
    found.save(tmp_path / "walk.xlsx")
    plain, hinged = (run_gait(path).solved for path in (template, tmp_path / "walk.xlsx"))
    assert len(hinged.courses) == 1
    for side in ("right", "left"):
        name = f"{side} knee centre"
        away = hinged.prepared.standing.points[name] - plain.prepared.standing.points[name]
        assert np.linalg.norm(away, axis=1).max() < 1e-6
    one, two = (each.courses[0].joints["right knee"]["moment"] for each in (plain, hinged))
    assert np.nanmax(np.abs(one - two)) < 1e-3


def test_a_sphere_may_come_from_a_trial_of_its_own(tmp_path: Path) -> None:
    """Its markers turn about the hip in the cluster of the segment above, the pelvis of the template."""
    found = openpyxl.load_workbook(ROOT / "templates" / "gait-3d.xlsx")
    sheet = found["Joint centres"]
    columns = {cell.value: cell.column for cell in sheet[1]}
    [row] = [row for row in range(2, sheet.max_row + 1) if sheet.cell(row, columns["name"]).value == "right hip centre"]
    sheet.cell(row, columns["kind"]).value = "sphere"
    sheet.cell(row, columns["markers"]).value = "; ".join(f"right thigh {k}" for k in range(1, 5))
    sheet.cell(row, columns["from_trial"]).value = "star"
    found.copy_worksheet(found["Markers"]).title = "Markers star"
    found.save(tmp_path / "walk.xlsx")
    solved = run_gait(tmp_path / "walk.xlsx").solved
    assert [each.trial for each in solved.courses] == [""]
    assert solved.book.centres[0].fit is not None
    assert solved.book.centres[0].fit.residual < 1e-3

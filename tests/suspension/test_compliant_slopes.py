"""Derivatives of columns of an axle with elastic parts: exact, against equilibria that are found again."""

import numpy as np
import openpyxl
import pytest

from sheetmbs.products.varied_workbook import ColumnPoints
from sheetmbs.suspension.column_slopes import ColumnSlopes
from sheetmbs.suspension.compliant_slopes import CompliantSlopes
from sheetmbs.suspension.kinematics.posed_variants import NoVariantsError
from sheetmbs.suspension.varied_cells import VariedDesign
from sheetmbs.workbook.cells.cells import open_book
from tests.studies.fit_cars import TEMPLATES, computed

RIG = TEMPLATES / "suspension-kc-rig.xlsx"
HEAVE = ("FL.camber", "FL.toe", "FL.wheel_x", "FL.wheel_y", "FL.caster")
LOADED = ("FL.camber", "FL.toe", "FL.wheel_x", "FR.wheel_y")
STEPPED = {"lateral": "lateral_force", "braking": "longitudinal_force"}
STIFFNESS = "Compliance"
SHARE = 0.1
"""of a stiffness, 1 mm of a coordinate: the scale of both"""


def points(cases=STEPPED):
    """Columns of heave and of stepped loads, at places that no row has."""
    found = [ColumnPoints("heave", name, "travel", "mm", np.linspace(-33.0, 31.0, 5)) for name in HEAVE]
    for case, over in cases.items():
        x = np.linspace(-1700.0, 1800.0, 4)
        found += [ColumnPoints(case, name, over, "N", x) for name in LOADED]
    return found


def cells():
    """Two coordinates of each of two points, and every stiffness."""
    rows = [("Hardpoints", f"{letter}{row}") for row in (5, 9) for letter in "CE"]
    return [*rows, *((STIFFNESS, f"C{row}") for row in (3, 4, 5, 6))]


def scales(found, varied=None):
    """(cells,) 1 mm of coordinates and a share of stiffnesses."""
    each = zip(varied or cells(), found.start, strict=True)
    return np.array([SHARE * x if cell[0] == STIFFNESS else 1.0 for cell, x in each])


@pytest.fixture(scope="module")
def rig():
    return CompliantSlopes(VariedDesign(open_book(RIG), cells(), points()), points())


def differences(rig, step, varied=None):
    """(rows, cells) central differences of equilibria over scales, of all columns."""
    columns = []
    for k, scale in enumerate(scales(rig, varied)):
        move = step * scale * np.eye(len(rig.start))[k]
        ahead, behind = (np.concatenate(rig.values(rig.start + sign * move)) for sign in (1.0, -1.0))
        columns.append((ahead - behind) / (2.0 * step))
    return np.column_stack(columns)


def test_derivatives_are_those_of_equilibria_with_an_error_that_falls_with_the_square_of_the_step(rig):
    exact = np.vstack(rig.slopes(rig.start)) * scales(rig)
    wide, narrow = (np.max(np.abs(differences(rig, step) - exact), axis=0) for step in (1.0, 0.5))
    size = np.max(np.abs(exact), axis=0)
    assert np.all(size > 1e-5)
    assert np.all(narrow <= 0.26 * wide + 1e-9)
    assert np.all(wide <= 0.02 * size)


def test_derivatives_are_exact_of_soft_pivots_a_wheel_bearing_and_the_wheel_centre_on_which_loads_act(tmp_path):
    book = openpyxl.load_workbook(RIG)
    sheet = book[STIFFNESS]
    heads = [cell.value for cell in sheet[1]]
    for part, numbers in (
        ("lower arm front", {"k_radial": 12.0, "k_axial": 2.0, "k_torsion": 1.0, "k_conical": 3.0}),
        ("lower arm rear", {"k": 8.0}),
        ("upper ball joint", {"k_radial": 20.0}),
        ("wheel bearing", {"k_conical": 900.0}),
    ):
        given = {"axle": "front", "part": part} | numbers
        sheet.append([given.get(head) for head in heads])
    path = tmp_path / "soft.xlsx"
    book.save(path)
    row = sheet.max_row
    pivots = [(STIFFNESS, f"{'ABCDEFG'[heads.index(name)]}{row - 3}") for name in ("k_radial", "k_axial", "k_torsion")]
    centre = next(k for k, (_axle, name, *_) in enumerate(book["Hardpoints"].values, 1) if name == "wheel centre")
    varied = [
        *pivots,
        (STIFFNESS, f"C{row - 2}"),
        (STIFFNESS, f"G{row}"),
        *(("Hardpoints", f"{x}{centre}") for x in "CDE"),
    ]
    varied += [("Hardpoints", f"{x}3") for x in "CDE"]
    rig = CompliantSlopes(VariedDesign(open_book(path), varied, points()), points())
    exact = np.vstack(rig.slopes(rig.start)) * scales(rig, varied)
    wide, narrow = (np.max(np.abs(differences(rig, step, varied) - exact), axis=0) for step in (1.0, 0.5))
    size = np.max(np.abs(exact), axis=0)
    assert np.all(size > 1e-7)
    assert np.all(narrow <= 0.26 * wide + 1e-8)
    assert np.all(wide <= 0.02 * size + 1e-7)


def test_columns_are_those_of_a_run_with_the_same_cells():
    rows = {"heave": HEAVE, "lateral": LOADED}
    changes = {"Hardpoints!E5": 182.0, f"{STIFFNESS}!C6": 7.0, "Hardpoints!D9": 341.0}
    run = computed(RIG, rows, changes)
    over = {"heave": ("travel", "mm"), "lateral": ("lateral_force", "N")}
    asked = [ColumnPoints(case, name, *over[case], run[case][:, 0]) for case, names in rows.items() for name in names]
    moved = [tuple(cell.split("!")) for cell in changes]
    found = CompliantSlopes(VariedDesign(open_book(RIG), moved, asked), asked).values(np.array(list(changes.values())))
    for column, values in zip(asked, found, strict=True):
        own = run[column.case][:, 1 + rows[column.case].index(column.column)]
        assert values == pytest.approx(own, abs=1e-8), column.column


def test_derivatives_where_loads_of_the_wheels_are_held_are_those_of_equilibria_too(tmp_path):
    book = openpyxl.load_workbook(RIG)
    sweeps = book["Sweeps"]
    hold = [cell.value for cell in sweeps[1]].index("hold") + 1
    for row in range(3, sweeps.max_row + 1):
        if sweeps.cell(row, 1).value == "lateral":
            sweeps.cell(row, hold).value = "load"
    book.save(tmp_path / "held.xlsx")
    asked = points({"lateral": "lateral_force"})
    rig = CompliantSlopes(VariedDesign(open_book(tmp_path / "held.xlsx"), cells(), asked), asked)
    exact = np.vstack(rig.slopes(rig.start)) * scales(rig)
    found = differences(rig, 0.02)
    assert np.max(np.abs(found - exact), axis=0) == pytest.approx(0.0, abs=1e-5 * np.max(np.abs(exact)))


def test_a_rigid_linkage_does_not_stand_for_one_with_elastic_parts():
    with pytest.raises(NoVariantsError, match="elastic"):
        ColumnSlopes(VariedDesign(open_book(RIG), cells()[:4], points({})), points({}))


def test_a_column_of_stiffness_is_no_formula_of_the_pose_and_has_no_such_derivative():
    asked = [ColumnPoints("heave", "FL.toe_per_lateral", "travel", "mm", np.zeros(1))]
    found = CompliantSlopes(VariedDesign(open_book(RIG), cells(), asked), asked)
    assert np.isnan(found.values(found.start)[0]).all()


def test_a_part_with_a_stiffness_of_0_leaves_the_derivatives_of_others_as_they_are(tmp_path):
    asked = [ColumnPoints("lateral", "FL.toe", "lateral_force", "N", np.array([-1500.0, 900.0]))]
    found = []
    for torsion in (None, 0):
        book = openpyxl.load_workbook(RIG)
        sheet, path = book[STIFFNESS], tmp_path / f"{torsion}.xlsx"
        assert sheet["F1"].value == "k_torsion"
        for column, value in ((1, "front"), (2, "lower arm front"), (3, 1e5), (6, torsion)):
            sheet.cell(7, column, value)
        book.save(path)
        columns = CompliantSlopes(VariedDesign(open_book(path), [(STIFFNESS, "C3"), (STIFFNESS, "C6")], asked), asked)
        found.append(columns.slopes(columns.start)[0])
    assert np.abs(found[0]).min() > 1e-6
    np.testing.assert_allclose(found[1], found[0], rtol=1e-9)


def test_cells_that_are_neither_points_nor_stiffnesses_have_no_such_derivatives():
    with pytest.raises(NoVariantsError, match="Suspension"):
        CompliantSlopes(VariedDesign(open_book(RIG), [("Suspension", "B4")], points({})), points({}))

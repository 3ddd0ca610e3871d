"""Hardpoints from the lists of other programs: the same car, whatever its axes, units, sides and names; all else untouched."""

from __future__ import annotations

import zipfile

import numpy as np
import openpyxl
import pytest

from sheetmbs.command.cli import app
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.suspension.layout.aliases import ALIASES, told_name
from sheetmbs.suspension.run_suspension import run_suspension
from tests.support.hardpoint_books import SETTINGS, WISHBONES, hardpoint_book
from tests.support.opened import import_files, sheet_values

OPTIMUMK = {
    "CHAS_LowFor": "lower arm front",
    "CHAS_LowAft": "lower arm rear",
    "CHAS_UppFor": "upper arm front",
    "CHAS_UppAft": "upper arm rear",
    "UPRI_LowPnt": "lower ball joint",
    "UPRI_UppPnt": "upper ball joint",
    "CHAS_TiePnt": "tie rod inner",
    "UPRI_TiePnt": "tie rod outer",
}
LOTUS = {
    1: ("Lower wishbone front pivot", "lower arm front"),
    2: ("Lower wishbone rear pivot", "lower arm rear"),
    3: ("Lower wishbone outer ball joint", "lower ball joint"),
    5: ("Upper wishbone front pivot", "upper arm front"),
    6: ("Upper wishbone rear pivot", "upper arm rear"),
    7: ("Upper wishbone outer ball joint", "upper ball joint"),
    11: ("Outer track rod ball joint", "tie rod outer"),
    12: ("Inner track rod ball joint", "tie rod inner"),
    19: ("Wheel centre point", "wheel centre"),
}


def empty(path, settings=SETTINGS):
    """A workbook with settings and an empty sheet Hardpoints."""
    hardpoint_book(path, {}, settings)
    book = openpyxl.load_workbook(path)
    del book["Hardpoints"]
    book.create_sheet("Hardpoints")
    book.save(path)
    return path


def listing(version=4, sign=1.0, more=""):
    """A listing of Lotus: x rearward, y outboard times sign."""
    lines = [
        "LOTUS SUSPENSION ANALYSIS",
        "FRONT SUSPENSION      FILENAME: car.shk",
        "        X        Y        Z",
        "     (mm)     (mm)     (mm)",
    ]
    for count, (number, (label, name)) in enumerate(LOTUS.items(), start=1):
        x, y, z = WISHBONES[name]
        point = f"POINT ({number:3d} ) = {label}" if version == 4 else f"POINT:{count} {label}"
        lines.append(f"{-x:12.3f}{sign * y:12.3f}{z:12.3f}    {point}")
    lines += [
        "        0.00   551.87   0.00  POINT ( 18 ) = Wheel spindle point"
        if version == 4
        else "0.00 1.00 2.00 POINT:20 Part 1 C of G"
    ]
    return "\n".join([*lines, more, "STATIC VALUES", "CAMBER ANGLE (deg): 0.00", ""])


def points(path, side="left"):
    return {name: 1e3 * point.position for name, point in run_suspension(path).base.car.axles[0].points[side].items()}


def check(path, expected=WISHBONES):
    found = points(path)
    assert set(found) == set(expected)
    for name, at in expected.items():
        assert found[name] == pytest.approx(at, abs=1e-9), name


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("version", [4, 5])
def test_points_of_lotus_go_by_name_and_by_the_sign_of_y(tmp_path, version, sign):
    file = tmp_path / "shark.txt"
    file.write_text(listing(version, sign))
    book = empty(tmp_path / "b.xlsx")
    told = import_hardpoints(file, book)
    check(book)
    assert {problem.code: problem.severity for problem in told} == {"idle-points": "note", "unused-lines": "note"}
    unused = next(problem.found for problem in told if problem.code == "unused-lines")
    assert "1 'LOTUS SUSPENSION ANALYSIS'" in unused
    assert "'STATIC VALUES'" in unused


@pytest.mark.parametrize(
    "axes", [(), (("axes", "SAE J670"),), (("axes", "Lotus"),), (("axes", "SAE J670"), ("input side", "right"))]
)
def test_points_are_written_in_the_axes_of_the_workbook(tmp_path, axes):
    file = tmp_path / "shark.txt"
    file.write_text(listing())
    book = empty(tmp_path / "b.xlsx", [*SETTINGS, *axes])
    import_hardpoints(file, book)
    check(book)


def optimumk(path, unit=None, size=1.0, right=None, names=OPTIMUMK):
    """A workbook as OptimumK exports it: names in column B, the left side in C to E, the right one in G to I."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append([None, "Front Suspension"])
    sheet.append([None, "Double A-Arm", "X" if unit is None else f"X [{unit}]", "Y", "Z", None, "X", "Y", "Z"])
    for name, standard in names.items():
        x, y, z = (value / size for value in WISHBONES[standard])
        other = (right or {}).get(standard, (x, -y, z))
        sheet.append([None, name, x, y, z, None, *other])
    sheet.append([None, "Half Track", 600, None, None, None, 600])
    x, y, z = (value / size for value in WISHBONES["wheel centre"])
    sheet.append([None, "Wheel Center", x, y, z, None, x, -y, z])
    book.save(path)
    return path


@pytest.mark.parametrize(("unit", "size"), [(None, 1.0), ("mm", 1.0), ("in", 25.4)])
def test_an_export_of_optimumk_is_the_same_car(tmp_path, unit, size):
    book = empty(tmp_path / "b.xlsx")
    told = import_hardpoints(optimumk(tmp_path / "ok.xlsx", unit, size), book)
    assert [problem.code for problem in told] == ["unused-wheel"], "a half track says nothing without a tyre"
    check(book)
    rows = sheet_values(book, "Hardpoints")[2:]
    assert len(rows) == len(WISHBONES), "the right side is the mirror image and needs no rows"


def test_a_right_side_of_its_own_has_rows_of_its_own(tmp_path):
    book = empty(tmp_path / "b.xlsx")
    import_hardpoints(optimumk(tmp_path / "ok.xlsx", right={"tie rod outer": (70, -561, 150)}), book)
    assert points(book, "right")["tie rod outer"] == pytest.approx([70, -561, 150], abs=1e-9)
    check(book)


def test_a_text_of_optimumk_is_read_too(tmp_path):
    file = tmp_path / "front.txt"
    rows = [f"{name}_L\t{x}\t{y}\t{z}" for name, standard in OPTIMUMK.items() for x, y, z in [WISHBONES[standard]]]
    file.write_text("\n".join([*rows, "WC\t0\t600\t230"]))
    book = empty(tmp_path / "b.xlsx")
    import_hardpoints(file, book)
    check(book)


TABLES = {
    "commas": ("axle,point,x [mm],y [mm],z [mm]", ",", "."),
    "semicolons and decimal commas": ("axle;point;x [mm];y [mm];z [mm]", ";", ","),
    "tabs and units in parentheses": ("axle\tpoint\tx (mm)\ty (mm)\tz (mm)", "\t", "."),
    "a row of units": ("axle;point;x;y;z\n;;mm;mm;mm", ";", ","),
}


@pytest.mark.parametrize("what", TABLES)
def test_a_table_is_read_however_it_is_parted(tmp_path, what):
    head, sign, decimal = TABLES[what]
    lines = [
        sign.join(("front", name, *(f"{value:.3f}".replace(".", decimal) for value in at)))
        for name, at in WISHBONES.items()
    ]
    file = tmp_path / "points.csv"
    file.write_text("\n".join([head, *lines]), encoding="utf-8-sig")
    book = empty(tmp_path / "b.xlsx")
    import_hardpoints(file, book)
    check(book)


def test_corners_in_names_tell_axle_and_side(tmp_path):
    lines = [f"FL {name},{x},{y},{z}" for name, (x, y, z) in WISHBONES.items()]
    lines += [f"{name}_FR,{x},{-y},{z}" for name, (x, y, z) in WISHBONES.items()]
    file = tmp_path / "points.csv"
    file.write_text("\n".join(["name,x [mm],y [mm],z [mm]", *lines]))
    book = empty(tmp_path / "b.xlsx")
    import_hardpoints(file, book)
    check(book)


def test_every_name_of_the_table_of_aliases_is_known():
    for standard, others in ALIASES.items():
        for name in (standard, *others):
            assert told_name(name)[0] == standard
            assert told_name(f"{name}_L")[::2] == (standard, "left")
            assert told_name(f"{name} right")[::2] == (standard, "right")


def test_rows_that_are_there_get_new_coordinates_and_nothing_else_changes(tmp_path):
    path = hardpoint_book(
        tmp_path / "b.xlsx",
        {**WISHBONES, "upper ball joint": (1, 2, 3)},
        others={"Mine": [("a", 1), ("b", "=Hardpoints!C3")]},
    )
    book = openpyxl.load_workbook(path)
    book["Hardpoints"]["G1"] = "notes"
    book["Hardpoints"]["G8"] = "keep this"
    book["Hardpoints"].append(("front", "UPRI_UppPnt", 5, 6, 7, None, None))
    book["Hardpoints"].cell(book["Hardpoints"].max_row, 8, "B")
    book["Hardpoints"]["H1"] = "design"
    book.save(path)
    before = zipfile.ZipFile(path)
    parts = {name: before.read(name) for name in before.namelist()}
    file = tmp_path / "shark.txt"
    file.write_text(listing())
    import_hardpoints(file, path)
    check(path)
    sheet = openpyxl.load_workbook(path)["Hardpoints"]
    assert sheet["G8"].value == "keep this"
    assert [cell.value for cell in sheet[12]] == ["front", "UPRI_UppPnt", 5, 6, 7, None, None, "B"], (
        "a design keeps its own"
    )
    assert sheet.max_row == 12
    after = zipfile.ZipFile(path)
    changed = {name for name in parts if after.read(name) != parts[name]}
    assert changed == {"xl/workbook.xml", "xl/worksheets/sheet2.xml"}
    assert after.namelist() == before.namelist()


def test_a_new_workbook_runs_when_its_radius_is_filled_in(tmp_path):
    file = tmp_path / "shark.txt"
    file.write_text(listing())
    book = tmp_path / "new.xlsx"
    with pytest.raises(SystemExit) as ended:
        app(["import", "hardpoints", str(file), str(book)])
    assert ended.value.code == 0
    with pytest.raises(WorkbookError) as caught:
        run_suspension(book)
    assert [problem.code for problem in caught.value.problems] == ["missing-setting"]
    filled = openpyxl.load_workbook(book)
    row = next(row for row in filled["Suspension"].iter_rows() if row[0].value == "tyre radius")
    row[1].value = "230 mm"
    filled.save(book)
    check(book)


def test_units_of_an_existing_sheet_are_kept(tmp_path):
    path = hardpoint_book(tmp_path / "b.xlsx", dict.fromkeys(WISHBONES, (0, 1, 2)), unit="m")
    file = tmp_path / "shark.txt"
    file.write_text(listing())
    import_hardpoints(file, path)
    check(path)
    assert openpyxl.load_workbook(path)["Hardpoints"]["C3"].value == 0.13


def import_hardpoints(file, book, **options):
    return import_files("hardpoints", [file], book, **options).warnings


def refused(tmp_path, text, name="points.csv", **told):
    file = tmp_path / name
    file.write_text(text)
    book = empty(tmp_path / "b.xlsx")
    before = book.read_bytes()
    with pytest.raises(WorkbookError) as caught:
        import_hardpoints(file, book, **told)
    assert book.read_bytes() == before
    return {problem.cell.removeprefix(f"{file}"): str(problem) for problem in caught.value.problems}


def test_mistakes_in_a_list_are_told_with_their_lines(tmp_path):
    head = "axle,point,x [mm],y [mm],z [mm]\n"
    assert "'1o'" in refused(tmp_path, f"{head}front,wc,1o,2,3")[":2"]
    assert "axle: 'mid'" in refused(tmp_path, f"{head}mid,wc,1,2,3")[":2"]
    assert ":3" in refused(tmp_path, f"{head}front,wc,0,600,230\nfront,wheel centre,0,601,230")
    assert "write x [mm]" in refused(tmp_path, "axle,point,x,y,z\nfront,wc,0,600,230")[":2"]
    assert "--axle" in refused(tmp_path, "point,x [mm],y [mm],z [mm]\nwc,0,600,230")[":2"]
    assert "--from" in str(refused(tmp_path, "one two three"))
    assert "degs" in str(refused(tmp_path, "point,x [degs],y,z\nwc,0,600,230"))
    assert "leave --from out" in str(refused(tmp_path, "one,two,three,four", program="lotus"))
    assert "did you mean lotus?" in str(refused(tmp_path, head, program="lotos"))


def test_an_unknown_name_is_told_with_its_line_and_left_out(tmp_path):
    file = tmp_path / "shark.txt"
    file.write_text(listing(more="1.0 2.0 3.0 POINT ( 30 ) = Lower wishbone front pivott"))
    book = empty(tmp_path / "b.xlsx")
    told = {problem.cell: problem for problem in import_hardpoints(file, book)}
    assert told[f"{file}:15"].code == "unknown-point"
    check(book)


def test_a_formula_in_the_way_is_not_overwritten(tmp_path):
    path = hardpoint_book(tmp_path / "b.xlsx")
    book = openpyxl.load_workbook(path)
    book["Hardpoints"]["C3"] = "=100+30"
    book.save(path)
    before = path.read_bytes()
    file = tmp_path / "shark.txt"
    file.write_text(listing())
    with pytest.raises(WorkbookError) as caught:
        import_hardpoints(file, path)
    assert caught.value.problems[0].cell == "Hardpoints!C3"
    assert path.read_bytes() == before


def test_a_damper_of_lotus_is_that_of_the_actuation(tmp_path):
    rows = [("front", "Damper wishbone end", 0, 520, 125), ("front", "Damper body end", 0, 300, 420)]
    springs = {"Suspension springs": [("name", "axle", "kind", "k"), ("spring", "front", "spring", "35 N/mm")]}
    axle = run_suspension(
        hardpoint_book(tmp_path / "b.xlsx", rows=rows, settings=[*SETTINGS, ("corner load", "600 N")], others=springs)
    ).base.car.axles[0]
    assert axle.points["left"]["damper outer"].on == "lower arm"
    assert np.allclose(axle.points["left"]["damper outer"].position, [0, 0.52, 0.125])

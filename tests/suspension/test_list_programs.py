"""Lists of OptimumK, Lotus, Adams and of students: the same car from each, its wheels too, and every other line named."""

from __future__ import annotations

from math import cos, radians, sin

import openpyxl
import pytest

from sheetmbs.problems.errors import WorkbookError
from sheetmbs.suspension.suspension_results import read_suspension
from sheetmbs.workbook.cells.cells import open_book
from tests.support import exported_lists as lists
from tests.support.hardpoint_books import ROCKER, SETTINGS, STRUT, WISHBONES, hardpoint_book
from tests.support.opened import import_files, sheet_values

SPRING = [("name", "axle", "kind", "k"), ("s", "front", "spring", "35 N/mm")]


def read(path):
    return read_suspension(open_book(path)).car


def points(path, axle=0, side="left"):
    return {name: 1e3 * point.position for name, point in read(path).axles[axle].points[side].items()}


def filled(tmp_path, file, **options):
    """A new workbook from a list, with a tyre radius where the list has none."""
    path = tmp_path / f"{file.stem} made.xlsx"
    made = import_files("hardpoints", [file], path, **options)
    book = openpyxl.load_workbook(path)
    for row in book["Suspension"].iter_rows(min_row=2):
        if row[0].value == "tyre radius":
            for cell in row[1:]:
                cell.value = cell.value or "230 mm"
    book.save(path)
    return path, made.warnings


def check(found, expected, shift=0.0):
    for name, (x, y, z) in expected.items():
        assert found[name] == pytest.approx([x + shift, y, z], abs=1e-9), name


def setting(path, name, axle=0):
    return read(path).axles[axle].settings[name]


def of_code(told, code):
    return [problem for problem in told if problem.code == code]


def wheel_centre(h, g, diameter, x=0.0, y=0.0, z=0.0):
    """The middle of a wheel that touches the road at (x, h + y, z) and leans by g deg, top outboard, mm."""
    return [x, h + y + diameter / 2 * sin(radians(g)), diameter / 2 * cos(radians(g)) + z]


ARMS = {name: at for name, at in lists.POINTS.items() if name != "wheel centre"}


def test_an_export_of_optimumk_sets_up_the_wheels_too(tmp_path):
    rear = lists.optimumk_rows("Made-up Rear", wheels={"Half Track": 580.0, "Static Camber": 0.5})
    setup = [["Setup", "Front Suspension", "Made-up Front"], [None, "Rear Suspension", "Made-up Rear"]]
    setup += [[None, "Reference Distance", 1540.0], [None, "Brake Bias", 62.0]]
    sheets = {"Vehicle Setup": setup, "Front Suspension": lists.optimumk_rows(), "Rear Suspension": rear}
    path, told = filled(tmp_path, lists.optimumk_book(tmp_path / "whole.xlsx", sheets))
    check(points(path), ARMS)
    check(points(path, 1), ARMS, shift=-1540.0)
    assert points(path)["wheel centre"] == pytest.approx(wheel_centre(600.0, -1.5, 410.0, 3.0, 2.0, 4.5), abs=1e-9)
    expected = wheel_centre(580.0, 0.5, 410.0, 3.0 - 1540.0, 2.0, 4.5)
    assert points(path, 1)["wheel centre"] == pytest.approx(expected, abs=1e-9)
    assert setting(path, "tyre radius") == pytest.approx(0.205)
    assert setting(path, "camber") == pytest.approx(radians(-1.5))
    assert setting(path, "toe") == pytest.approx(radians(-0.25)), "theirs is + out"
    assert setting(path, "rim diameter") == pytest.approx(0.254)
    assert read(path).settings["wheelbase"] == pytest.approx(1.54)
    unused = of_code(told, "unused-lines")[0].found
    assert "Front Suspension!" in unused
    assert "'Tire Width 200.0 200.0'" in unused
    assert "Brake Bias" in of_code(told, "by-hand")[0].found


def test_the_wheel_of_optimumk_touches_the_road_at_its_half_track(tmp_path):
    wheels = {"Static Toe": 0.0, "Static Camber": -2.25}
    path, _told = filled(
        tmp_path, lists.optimumk_book(tmp_path / "front.xlsx", {"S": lists.optimumk_rows(wheels=wheels)})
    )
    contact = 1e3 * read(path).axles[0].design_contact("left")
    assert contact == pytest.approx([3.0, 602.0, 4.5], abs=1e-9)


def test_a_left_side_at_negative_y_is_turned(tmp_path):
    path, _told = filled(tmp_path, lists.optimumk_book(tmp_path / "front.xlsx", {"S": lists.optimumk_rows(sign=-1.0)}))
    check(points(path), ARMS)
    assert points(path)["wheel centre"] == pytest.approx(wheel_centre(600.0, -1.5, 410.0, 3.0, 2.0, 4.5), abs=1e-9)
    sheet = openpyxl.load_workbook(path)["Hardpoints"]
    assert sheet.max_row == 2 + len(lists.POINTS), "the right side is the mirror image"


def test_a_right_wheel_of_its_own_has_a_centre_of_its_own(tmp_path):
    rows = lists.optimumk_rows(right={"Half Track": 606.0, "Static Camber": -1.0})
    path, told = filled(tmp_path, lists.optimumk_book(tmp_path / "front.xlsx", {"S": rows}))
    x, y, z = wheel_centre(606.0, -1.0, 410.0, 3.0, 2.0, 4.5)
    assert points(path, side="right")["wheel centre"] == pytest.approx([x, -y, z], abs=1e-9)
    assert "Static Camber" in of_code(told, "two-values")[0].found


@pytest.mark.parametrize("sign", ["\t", ";", ","])
def test_a_text_of_optimumk_has_headings_or_is_told_its_axle(tmp_path, sign):
    file = tmp_path / "car.txt"
    parts = [
        [["Reference Distance", 1540.0], ["Front"]],
        lists.optimumk_rows("a"),
        [["Rear"]],
        lists.optimumk_rows("b"),
    ]
    file.write_text(lists.as_text([row for part in parts for row in part], sign))
    path, _told = filled(tmp_path, file)
    check(points(path), ARMS)
    check(points(path, 1), ARMS, shift=-1540.0)
    file.write_text(lists.as_text(lists.optimumk_rows("a"), sign))
    book = tmp_path / "other.xlsx"
    with pytest.raises(WorkbookError) as caught:
        import_files("hardpoints", [file], book)
    assert {problem.code for problem in caught.value.problems} == {"missing-axle"}
    assert not book.exists()
    import_files("hardpoints", [file], book, axle="rear")
    check(points(book), ARMS)


def test_decimal_commas_and_a_byte_order_mark_change_nothing(tmp_path):
    file = tmp_path / "front.csv"
    text = lists.as_text([["Front"], *lists.optimumk_rows("a")], ";")
    for encoding in ("utf-8-sig", "utf-16", "latin-1"):
        file.write_text("\n".join(line.replace(".", ",") for line in text.splitlines()), encoding=encoding)
        path, _told = filled(tmp_path, file, program="optimumk")
        check(points(path), ARMS)
        path.unlink()


def test_an_export_in_inches_is_read_in_inches(tmp_path):
    rows = [
        [cell / 25.4 if isinstance(cell, float | int) and "Static" not in str(row[1]) else cell for cell in row]
        for row in lists.optimumk_rows()
    ]
    rows[2] = ["User Options", "Length", "inch", "in"]
    path, _told = filled(tmp_path, lists.optimumk_book(tmp_path / "front.xlsx", {"S": rows}))
    check(points(path), ARMS)
    assert setting(path, "tyre radius") == pytest.approx(0.205)


@pytest.mark.parametrize("carrier", ["", "LowerAArm"])
def test_the_arm_that_carries_the_rod_is_the_nearest_one(tmp_path, carrier):
    path, told = filled(
        tmp_path, lists.optimumk_book(tmp_path / "front.xlsx", {"S": lists.optimumk_rows(carrier=carrier)})
    )
    assert setting(path, "rod on") == "lower arm"
    assert setting(path, "actuation") == "push-rod"
    note = of_code(told, "rod-carrier")[0]
    assert note.severity == "note"
    for joint in ("lower ball joint", "upper ball joint"):
        distance = sum((a - b) ** 2 for a, b in zip(lists.POINTS["rod outer"], lists.POINTS[joint], strict=True)) ** 0.5
        assert f"{distance:.1f} mm from the {joint}" in note.problem


def test_a_rod_that_goes_down_to_its_rocker_is_a_pull_rod(tmp_path):
    moved = {"rod outer": (-4, 520, 290), "rod rocker": (0, 260, 120), "rocker pivot": (0, 220, 150)}
    moved |= {"rocker axis": (40, 220, 150), "damper rocker": (0, 210, 100), "damper chassis": (0, 20, 80)}
    rows = lists.optimumk_rows(points={**lists.POINTS, **moved}, carrier="")
    path, told = filled(tmp_path, lists.optimumk_book(tmp_path / "front.xlsx", {"S": rows}))
    assert (setting(path, "actuation"), setting(path, "rod on")) == ("pull-rod", "upper arm")
    assert of_code(told, "actuation-found")


def test_the_file_has_the_last_word_on_what_carries_the_rod(tmp_path):
    rows = lists.optimumk_rows(carrier="UpperAArm")
    path, told = filled(tmp_path, lists.optimumk_book(tmp_path / "front.xlsx", {"S": rows}))
    assert setting(path, "rod on") == "upper arm"
    assert of_code(told, "rod-carrier")[0].severity == "warning"


def test_a_shark_file_gives_its_points_and_the_loaded_radius(tmp_path):
    file = tmp_path / "corner.shk"
    file.write_text(lists.shark_text())
    path, told = filled(tmp_path, file)
    check(points(path), lists.POINTS)
    assert setting(path, "tyre radius") == pytest.approx(0.20525)
    assert "C of G" not in of_code(told, "idle-points")[0].problem
    unused = of_code(told, "unused-lines")[0].found
    scalar = next(number for number, line in enumerate(file.read_text().splitlines(), 1) if line.strip() == "12.5")
    assert f"{scalar} to" in unused


def test_axle_says_which_axle_a_shark_file_is_of(tmp_path):
    file = tmp_path / "corner.shk"
    file.write_text(lists.shark_text())
    book = tmp_path / "car.xlsx"
    import_files("hardpoints", [file], book, axle="rear", program="shk")
    assert {row[0] for row in sheet_values(book, "Hardpoints")[2:]} == {"rear"}


def test_a_block_with_fewer_points_than_labels_is_told_with_its_line(tmp_path):
    file = tmp_path / "corner.shk"
    lines = lists.shark_text().splitlines()
    at = lines.index("FRONT SUSPENSION") + 2 + 5
    del lines[at : at + 12]
    file.write_text("\n".join(lines))
    with pytest.raises(WorkbookError) as caught:
        import_files("hardpoints", [file], tmp_path / "car.xlsx")
    problem = caught.value.problems[0]
    assert problem.code == "broken-shk"
    assert problem.cell == f"{file}:{at + 1}"


LISTINGS = {
    "coordinates behind": lambda label, at: f"({at[0]}) Point {at[0]}: {label} {at[1]} {at[2]} {at[3]}",
    "label last": lambda label, at: f"({at[0]}) Point {at[0]}: {at[1]} {at[2]} {at[3]} {label}",
    "below each other": lambda label, at: f"({at[0]}) Point {at[0]}: {label} {at[1]}\n{at[2]}\n{at[3]}",
    "version 5": lambda label, at: f"{at[1]} {at[2]} {at[3]} POINT:{at[0]} {label}",
}


@pytest.mark.parametrize("program", [None, "lotus", "shk"])
@pytest.mark.parametrize("form", LISTINGS)
def test_a_listing_is_read_wherever_its_label_stands(tmp_path, form, program):
    lines = []
    for number, (label, standard) in enumerate(lists.LOTUS.items(), start=1):
        x, y, z = lists.POINTS.get(standard, (1, 2, 3))
        lines.append(LISTINGS[form](label, (number, -x, y, z)))
    file = tmp_path / "front.txt"
    file.write_text("\n".join(lines))
    path, _told = filled(tmp_path, file, program=program)
    check(points(path), lists.POINTS)


@pytest.mark.parametrize(("size", "scale"), [("mm", 1.0), ("meter", 1e3), ("inch", 25.4)])
def test_a_subsystem_of_adams_is_turned(tmp_path, size, scale):
    file = tmp_path / "made_up.sub"
    file.write_text(lists.adams_text(size=size, scale=scale))
    path, told = filled(tmp_path, file)
    check(points(path), lists.POINTS)
    assert setting(path, "camber") == pytest.approx(radians(-1.2))
    assert setting(path, "toe") == pytest.approx(radians(0.1))
    line = next(n for n, text in enumerate(file.read_text().splitlines(), 1) if "drive_shaft" in text)
    assert of_code(told, "unknown-point")[0].cell == f"{file}:{line}"
    assert "(BUSHING)" in of_code(told, "unused-lines")[0].found


@pytest.mark.parametrize("first", ["hpl_", "HPL_", ""])
@pytest.mark.parametrize("head", ["name,x,y,z", "name,x [mm],y [mm],z [mm]"])
def test_a_table_of_adams_counts_in_iso_axes(tmp_path, first, head):
    lines = [f"{first}{name},{x},{y},{z}" for name, own in lists.ADAMS.items() for x, y, z in [lists.POINTS[own]]]
    lines += [f"hpr_{name},{x},{-y},{z}" for name, own in lists.ADAMS.items() for x, y, z in [lists.POINTS[own]]]
    file = tmp_path / "front.csv"
    file.write_text("\n".join([head, *lines]))
    book = hardpoint_book(
        tmp_path / "b.xlsx", {}, [*SETTINGS, ("axes", "SAE J670")], others={"Suspension springs": SPRING}
    )
    import_files("hardpoints", [file], book, program="adams")
    check(points(book), lists.POINTS)


def test_ends_of_springs_and_struts_of_adams(tmp_path):
    names = {"lower arm front": "lca_front", "lower arm rear": "lca_rear", "lower ball joint": "lca_outer"}
    names |= {"tie rod inner": "tierod_inner", "tie rod outer": "tierod_outer", "wheel centre": "wheel_center"}
    names |= {"strut lower": "lwr_strut_mount", "strut top": "top_mount"}
    rows = [f"hpl_{names[name]},{x},{y},{z}" for name, (x, y, z) in STRUT.items()]
    file = tmp_path / "front.csv"
    file.write_text("\n".join(["name,x,y,z", *rows]))
    path, told = filled(tmp_path, file)
    check(points(path), STRUT)
    assert read(path).axles[0].type.name == "macpherson"
    assert of_code(told, "strut-found")
    own = {**WISHBONES, "damper outer": (0, 520, 125), "damper chassis": (0, 300, 420)}
    file = tmp_path / "direct front.csv"
    rows = [f"{name},{x},{y},{z}" for name, (x, y, z) in own.items()]
    rows += ["hpl_spring_lower,0,500,200", "hpl_spring_upper,0,310,430"]
    file.write_text("\n".join(["name,x,y,z", *rows]))
    book = hardpoint_book(
        tmp_path / "b.xlsx", {}, [*SETTINGS, ("corner load", "600 N")], others={"Suspension springs": SPRING}
    )
    told = import_files("hardpoints", [file], book, program="adams").warnings
    check(points(book), {**own, "spring rocker": (0, 500, 200), "spring chassis": (0, 310, 430)})
    assert len(of_code(told, "spring-end")) == 2


WRITTEN = [
    lambda name: name,
    str.upper,
    str.lower,
    lambda name: name.replace(" ", "_"),
    lambda name: name.replace(" ", "-"),
]


@pytest.mark.parametrize("written", WRITTEN)
@pytest.mark.parametrize("turned", [1, -1])
def test_names_of_students_are_known_in_lists(tmp_path, written, turned):
    lines = [
        f"{corner}_{written(name)};{x};{side * turned * y};{z}"
        for corner, side in (("FL", 1), ("FR", -1))
        for name, own in lists.STUDENTS.items()
        for x, y, z in [lists.POINTS[own]]
    ]
    file = tmp_path / "points.csv"
    file.write_text("\n".join(["Point Name;X (mm);Y (mm);Z (mm)", *lines, "FL Mystery Bracket;1;2;3"]))
    path, told = filled(tmp_path, file)
    check(points(path), lists.POINTS)
    assert of_code(told, "unknown-point")[0].cell == f"{file}:{len(lines) + 2}"


@pytest.mark.parametrize("written", WRITTEN)
@pytest.mark.parametrize("corner", ["", "FL "])
def test_names_of_students_serve_on_the_sheet(tmp_path, written, corner):
    named = {f"{corner}{written(name)}": lists.POINTS[own] for name, own in lists.STUDENTS.items()}
    settings = [*SETTINGS, ("actuation", "push-rod"), ("corner load", "600 N")]
    book = hardpoint_book(tmp_path / "b.xlsx", named, settings, others={"Suspension springs": SPRING})
    check(points(book), lists.POINTS)


def test_a_corner_of_the_other_axle_is_a_mistake_at_its_cell(tmp_path):
    book = hardpoint_book(tmp_path / "b.xlsx", rows=[("front", "RL bellcrank pivot", *ROCKER["rocker pivot"])])
    with pytest.raises(WorkbookError) as caught:
        read(book)
    assert [(each.code, each.cell) for each in caught.value.problems] == [
        ("wrong-axle", f"Hardpoints!B{3 + len(WISHBONES)}")
    ]


def test_settings_go_into_the_cells_that_are_there(tmp_path):
    settings = [
        ("type", "double wishbone"),
        ("tyre radius", 0.3, None, "m"),
        ("camber", "-3 deg"),
        ("wheelbase", "2 m"),
    ]
    path = hardpoint_book(tmp_path / "b.xlsx", settings=settings)
    rows = [[None, "Reference Distance", 1540.0], ["Front"], *lists.optimumk_rows("a")]
    import_files("hardpoints", [lists.optimumk_book(tmp_path / "o.xlsx", {"S": rows})], path, axle="front")
    sheet = openpyxl.load_workbook(path)["Suspension"]
    cells = {row[0]: row[1] for row in sheet.iter_rows(min_row=2, values_only=True)}
    assert cells["tyre radius"] == pytest.approx(0.205), "in the unit beside it"
    assert (cells["camber"], cells["wheelbase"], cells["rod on"]) == ("-1.5 deg", "1540 mm", "lower arm")
    assert setting(path, "tyre radius") == pytest.approx(0.205)


def test_a_rear_axle_gets_a_column_of_its_own(tmp_path):
    path = hardpoint_book(tmp_path / "b.xlsx", settings=[*SETTINGS, ("wheelbase", "1540 mm")])
    rows = [["Reference Distance", 1540.0], ["Rear"], *lists.optimumk_rows("a")]
    import_files("hardpoints", [lists.optimumk_book(tmp_path / "o.xlsx", {"S": rows})], path)
    assert [axle.name for axle in read(path).axles] == ["front", "rear"]
    check(points(path, 1), ARMS, shift=-1540.0)
    check(points(path), WISHBONES)


def test_what_cannot_be_read_leaves_the_workbook_alone(tmp_path):
    path = hardpoint_book(tmp_path / "b.xlsx")
    before = path.read_bytes()
    file = tmp_path / "front.xlsx"
    rows = lists.optimumk_rows()
    rows[7][3] = "21o.5"
    with pytest.raises(WorkbookError) as caught:
        import_files("hardpoints", [lists.optimumk_book(file, {"S": rows})], path)
    problem = caught.value.problems[0]
    assert (problem.code, problem.cell) == ("not-a-number", f"{file.name}: S!B8")
    assert "y is '21o.5'" in problem.found
    assert path.read_bytes() == before


def test_tables_on_two_sheets_are_of_the_axles_that_their_names_tell(tmp_path):
    book = openpyxl.Workbook()
    book.active.title = "about"
    book.active.append(["points of our car"])
    for axle, shift in (("front", 0.0), ("rear", -1540.0)):
        sheet = book.create_sheet(f"{axle} points")
        sheet.append(["point", "x [mm]", "y [mm]", "z [mm]"])
        for name, (x, y, z) in lists.POINTS.items():
            sheet.append([name, x + shift, y, z])
    book.save(tmp_path / "points.xlsx")
    path, told = filled(tmp_path, tmp_path / "points.xlsx")
    check(points(path), lists.POINTS)
    check(points(path, 1), lists.POINTS, shift=-1540.0)
    assert "about!A1 'points of our car'" in of_code(told, "unused-lines")[0].found


def test_another_workbook_of_ours_is_a_list_too(tmp_path):
    other = hardpoint_book(tmp_path / "other.xlsx", lists.POINTS, others={"Suspension springs": SPRING})
    path, _told = filled(tmp_path, other)
    check(points(path), lists.POINTS)


def test_a_name_of_the_other_axle_is_told_with_its_line(tmp_path):
    file = tmp_path / "points.csv"
    file.write_text("axle,point,x [mm],y [mm],z [mm]\nrear,FL wheel center,0,600,230")
    with pytest.raises(WorkbookError) as caught:
        import_files("hardpoints", [file], tmp_path / "car.xlsx")
    assert [(each.code, each.cell) for each in caught.value.problems] == [("wrong-axle", f"{file}:2")]

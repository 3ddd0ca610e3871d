"""The standing car: balance of forces and moments, perches against a rigid body on springs, and rows of the sheet mbs Setup."""

from __future__ import annotations

import numpy as np
import openpyxl
import pytest

from sheetmbs.problems.errors import WorkbookError
from sheetmbs.suspension.kinematics.axle_system import level_placing
from sheetmbs.suspension.kinematics.sweeps import swept_at
from sheetmbs.suspension.run_suspension import run_suspension
from sheetmbs.suspension.sheets.set_up_values import set_up
from tests.support.hardpoint_books import ROCKER, SETTINGS, WISHBONES, hardpoint_book
from tests.support.opened import swept_designs
from tests.support.sample_results import loaded_sheet
from tests.support.set_up_books import FLOORS, FORMULA_STUDENT, formula_student

G = 9.81
MASS, FRONT, HEIGHT, WHEELBASE = 290.0, 0.47, 0.290, 1.545
UNSPRUNG = {"front": 9.5, "rear": 10.0}
CORNERS = ("FL", "FR", "RL", "RR")
TYRE = 110.0
"""N/mm"""
SOLVE_HEIGHT = ("ride height", "solve height")


def standing(path, design=0):
    return set_up(swept_designs(path)[design])


def loads(found):
    return np.array([found.value("corner weight", corner) for corner in CORNERS])


def car(tmp_path, *adjustments, points=FLOORS, **others):
    return formula_student(tmp_path / "car.xlsx", *adjustments, points=points, **others)


def refused(path):
    with pytest.raises(WorkbookError) as caught:
        run_suspension(path)
    return next(each for each in caught.value.problems if each.severity == "error")


# --- the pose ----------------------------------------------------------------------------------------------------------


def test_the_standing_template_carries_its_weight_as_its_settings_say():
    found = standing(FORMULA_STUDENT)
    assert loads(found).sum() == pytest.approx(MASS * G, rel=1e-12)
    assert found.value("weight", "car") == pytest.approx(MASS * G, rel=1e-12)
    assert found.value("front weight", "car") == pytest.approx(100.0 * FRONT, abs=1e-3)
    assert found.value("left weight", "car") == pytest.approx(50.0, abs=1e-9)
    assert found.value("cross weight", "car") == pytest.approx(50.0, abs=1e-9)


def test_forces_and_moments_of_a_twisted_car_balance(tmp_path):
    """Contacts and masses are found from the wheels at the pose, the place of the sprung mass from the drawing."""
    design = run_suspension(car(tmp_path, ("front", "spring perch", "3 mm", None, None, "right"))).designs[0]
    found = set_up(design)
    pose, up = found.pose, found.pose.up
    force, moment = np.zeros(3), np.zeros(3)
    drawn, at_design, sprung = [], [], MASS
    for axle in design.car.axles:
        shift = pose.shift[axle.name]
        travel = {side: np.array([pose.travel[axle.corner(side)]]) for side in ("left", "right")}
        wheels = swept_at(design.systems[axle.name], level_placing(travel, np.zeros(1))).wheels
        for side, wheel in wheels.items():
            spin = wheel.spin.value[0]
            down = up - spin * (spin @ up)
            contact = wheel.centre.value[0] - 0.228 * down / np.linalg.norm(down) + shift
            load = pose.load[axle.corner(side)]
            pressed = (load - 0.5 * MASS * G * (FRONT if axle.name == "front" else 1 - FRONT)) / (TYRE * 1e3)
            assert up @ contact - pose.distance + pressed == pytest.approx(0.0, abs=1e-9)
            for amount, at in ((load, contact), (-UNSPRUNG[axle.name] * G, wheel.centre.value[0] + shift)):
                force = force + amount * up
                moment = moment + np.cross(at, amount * up)
            drawn.append(axle.as_drawn.points[side]["wheel centre"].position + shift)
            at_design.append(axle.as_drawn.design_contact(side) + shift)
            sprung -= UNSPRUNG[axle.name]
    ground = FRONT * np.mean(at_design[:2], axis=0) + (1 - FRONT) * np.mean(at_design[2:], axis=0)
    centre = ground + np.array([0.0, 0.0, HEIGHT])
    masses = np.repeat([UNSPRUNG["front"], UNSPRUNG["rear"]], 2)
    place = (MASS * centre - masses @ np.array(drawn)) / sprung
    force = force - sprung * G * up
    moment = moment + np.cross(place, -sprung * G * up)
    assert np.abs(force).max() < 1e-6
    # N m, of 800: the drawn contacts of both axles are as high as each other to 0.1 mm
    assert np.linalg.norm(moment - up * (moment @ up)) < 0.05


def on_springs(path, dropped, rate):
    """Corner weights of a rigid car on axles of springs, bars and tyres, its wheels let down by mm at the same spring force.

    A linear balance of heave, pitch and roll, of the rates of the drawn car. Bars keep their drop links: they are twisted.
    rate: what a wheel let down lacks per mm: k MR^2 where the spring keeps its force, of which the wheel then gets another
    share, and the whole wheel rate where preloads are found such that the wheel has its load again.
    """
    values = run_suspension(path).at_design["base"]
    x = np.array([0.0, 0.0, -WHEELBASE, -WHEELBASE]) * 1e3
    y = np.array([0.5, -0.5, 0.5, -0.5]) * np.repeat([values["front.track"], values["rear.track"]], 2)
    stiffness, let_down = np.zeros((4, 4)), np.zeros(4)
    for at, corner in ((0, "FL"), (2, "RL")):
        heave, roll, lacking = (values[f"{corner}.{name}"] for name in ("wheel_rate", "wheel_rate_roll", rate))
        own, cross = 0.5 * (heave + roll), 0.5 * (heave - roll)
        axle = np.array([[own, cross], [cross, own]])
        let_down[at : at + 2] = np.linalg.solve(axle, lacking * dropped[at : at + 2])
        stiffness[at : at + 2, at : at + 2] = np.linalg.inv(np.linalg.inv(axle) + np.eye(2) / TYRE)
    modes = np.column_stack((np.ones(4), x, y))
    moved = np.linalg.solve(modes.T @ stiffness @ modes, modes.T @ stiffness @ let_down)
    return stiffness @ (let_down - modes @ moved)


@pytest.mark.parametrize("settings", [(), (SOLVE_HEIGHT,)])
@pytest.mark.parametrize(("corner", "axle", "side"), [("FR", "front", "right"), ("RL", "rear", "left")])
def test_a_perch_moves_load_between_diagonals_as_stiffnesses_have_it(tmp_path, settings, corner, axle, side):
    by = 0.5
    springs = {"front spring": {"preload": "583.7567 N"}, "rear spring": {"preload": "905.9848 N"}} if settings else {}
    plain = car(tmp_path, settings=settings, springs=springs)
    before = standing(plain)
    ratio = run_suspension(plain).at_design["base"][f"{corner}.motion_ratio"]
    dropped = np.array([by / ratio if each == corner else 0.0 for each in CORNERS])
    expected = on_springs(plain, dropped, "wheel_rate_spring" if settings else "wheel_rate")
    turned = car(tmp_path, (axle, "spring perch", f"{by} mm", None, None, side), settings=settings, springs=springs)
    change = loads(standing(turned)) - loads(before)
    assert change == pytest.approx(expected, abs=0.03 * np.abs(expected).max())
    assert change[CORNERS.index(corner)] > 1.0


def test_without_springs_or_masses_the_page_is_that_of_the_design(tmp_path):
    path = hardpoint_book(tmp_path / "plain.xlsx", WISHBONES, SETTINGS)
    found = standing(path)
    assert found.pose is None
    assert "nothing tells what its springs carry" in found.fault
    assert found.value("camber", "FL") == pytest.approx(-1.2)
    assert found.value("corner weight", "FL") is None


def test_an_axle_alone_stands_on_its_corner_loads(tmp_path):
    springs = [("name", "axle", "kind", "k"), ("spring", "front", "spring", "35 N/mm")]
    settings = [*SETTINGS, ("actuation", "push-rod"), ("corner load", "645 N"), ("tyre rate", "100 N/mm")]
    points = {**WISHBONES, **ROCKER}
    row = ("front", "floor front", 0, 0, 30, "centre", "chassis")
    path = hardpoint_book(tmp_path / "axle.xlsx", points, settings, others={"Suspension springs": springs})
    book = openpyxl.load_workbook(path)
    book["Hardpoints"].cell(1, 7).value = "on"
    book["Hardpoints"].append(row)
    book.save(path)
    found = standing(path)
    assert found.value("corner weight", "FR") == pytest.approx(645.0)
    contact = found.car.axles[0].design_contact("left")[2] * 1e3
    assert found.value("ride height floor front", "front") == pytest.approx(30.0 - contact, abs=1e-6)
    assert found.value("weight", "car") is None


# --- what is solved ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("by", [None, "push-rod length"])
def test_a_corner_weight_is_reached_by_its_own_perch_or_rod(tmp_path, by):
    found = standing(car(tmp_path, ("front", "corner weight", "650 N", "FR", by)))
    assert found.value("corner weight", "FR") == pytest.approx(650.0, abs=1e-6)
    perch = found.value("perch", "FR")
    assert (perch < -1.0) if by is None else perch == 0.0
    assert found.value("perch", "FL") == 0.0
    assert (found.value("push-rod length", "FR") < found.value("push-rod length", "FL") - 1.0) == (by is not None)


def test_the_solved_perch_typed_as_a_change_gives_the_same_car(tmp_path):
    solved = standing(car(tmp_path, ("front", "corner weight", "650 N", "FR")))
    typed = standing(
        car(tmp_path, ("front", "spring perch", f"{solved.value('perch', 'FR')!r} mm", None, None, "right"))
    )
    assert loads(typed) == pytest.approx(loads(solved), abs=1e-6)
    assert typed.value("camber", "FR") == pytest.approx(solved.value("camber", "FR"), abs=1e-9)


@pytest.mark.parametrize("axle", ["front", "rear"])
def test_a_cross_weight_is_reached_by_opposite_perches(tmp_path, axle):
    found = standing(car(tmp_path, (axle, "cross weight", "52 %")))
    assert found.value("cross weight", "car") == pytest.approx(52.0, abs=1e-6)
    left, right = (found.value("perch", f"{axle[0].upper()}{side}") for side in "LR")
    assert left == pytest.approx(-right)
    assert (right > 0.0) == (axle == "front")
    assert found.value("weight", "car") == pytest.approx(MASS * G, rel=1e-9)


def test_a_ride_height_is_reached_by_both_perches_alike(tmp_path):
    found = standing(car(tmp_path, ("rear", "ride height", "50 mm", "floor rear")))
    assert found.value("ride height floor rear", "rear") == pytest.approx(50.0, abs=1e-6)
    assert found.value("perch", "RL") == found.value("perch", "RR") > 1.0
    assert loads(found)[0] == pytest.approx(loads(found)[1], abs=1e-6)
    front = found.value("ride height floor front", "front")
    assert found.value("rake", "car") == pytest.approx(50.0 - front)
    assert np.sin(np.radians(found.value("rake angle", "car"))) == pytest.approx((50.0 - front) / np.hypot(1545.0, 5.0))


def test_several_are_solved_together_and_with_given_changes(tmp_path):
    rows = (
        ("front", "corner weight", "640 N", "FR"),
        ("rear", "ride height", "50 mm", "floor rear"),
        ("front", "ride height", "38 mm", "floor front", "push-rod length"),
        ("front", "camber", "-2 deg"),
        ("rear", "spring perch", "1 mm", None, None, "left"),
    )
    found = standing(car(tmp_path, *rows, settings=[("perch pitch", "2 mm", "1.5 mm")]))
    assert found.value("corner weight", "FR") == pytest.approx(640.0, abs=1e-6)
    assert found.value("ride height floor rear", "rear") == pytest.approx(50.0, abs=1e-6)
    assert found.value("ride height floor front", "front") == pytest.approx(38.0, abs=1e-6)
    assert found.value("perch", "RL") == pytest.approx(found.value("perch", "RR") + 1.0)
    assert found.value("perch turns", "RR") == pytest.approx(found.value("perch", "RR") / 1.5)
    assert found.value("camber shim", "FL") < -0.5


def test_a_design_may_have_its_own_and_the_right_wheels_of_a_list_in_other_axes_do(tmp_path):
    path = car(tmp_path, ("front", "cross weight", "51 %", None, None, None, "B"))
    assert [set_up(each).value("cross weight", "car") for each in swept_designs(path)] == pytest.approx(
        [50.0, 51.0], abs=1e-6
    )
    book = openpyxl.load_workbook(path)
    for row in book["Hardpoints"].iter_rows(min_row=3):
        for cell in row[3:5]:
            cell.value = None if cell.value is None else -cell.value
    book["Suspension"].append(("axes", "SAE J670"))
    for row in range(2, book["Suspension"].max_row):
        if book["Suspension"].cell(row, 1).value == "axes":
            book["Suspension"].delete_rows(row)
            break
    book.save(path)
    found = standing(path, design=1)
    assert found.value("perch", "FR") == pytest.approx(-found.value("perch", "FL"))
    assert found.value("perch", "FR") > 0.5


@pytest.mark.parametrize(
    ("row", "cell", "words"),
    [
        (("front", "corner weight", "5000 N", "FR"), "Adjustments!C2", "no spring perch"),
        (("front", "corner weight", "66 kg", "FR"), "Adjustments!C2", "kgf"),
        (("front", "corner weight", "-650 N", "FR"), "Adjustments!C2", "greater than 0"),
        (("front", "corner weight", "650 N"), "Adjustments!D2", "FL or FR"),
        (("front", "corner weight", "650 N", "RL"), "Adjustments!D2", "FL or FR"),
        (("front", "cross weight", 52), "Adjustments!C2", "between 0 and 100 %"),
        (("front", "ride height", "38 mm", "floor frnt"), "Adjustments!D2", "floor front"),
        (("front", "ride height", "38 mm"), "Adjustments!D2", "floor front"),
        (("front", "ride height", "400 mm", "floor front"), "Adjustments!C2", "no spring perch"),
        (("front", "cross weight", "52 %", None, "tie rod length"), "Adjustments!E2", "spring perch"),
    ],
)
def test_what_cannot_be_is_told_at_its_cell(tmp_path, row, cell, words):
    problem = refused(car(tmp_path, row))
    assert problem.cell == cell
    assert words in f"{problem.problem} {problem.mend}"


def test_rows_that_contradict_each_other_name_each_other(tmp_path):
    problem = refused(car(tmp_path, ("front", "corner weight", "650 N", "FR"), ("front", "cross weight", "49 %")))
    assert problem.code == "no-solution"
    assert {problem.cell, "Adjustments!C2" if problem.cell.endswith("3") else "Adjustments!C3"} <= {
        problem.cell,
        *problem.problem.replace(";", " ").split(),
    }


def test_what_is_missing_for_a_standing_car_is_named(tmp_path):
    problem = refused(car(tmp_path, ("front", "cross weight", "52 %"), settings=[("cg height", None)]))
    assert "cg height" in problem.problem
    problem = refused(car(tmp_path, ("front", "cross weight", "52 %"), without=("rear spring",)))
    assert "rear axle" in problem.problem


# --- rows of the sheet -------------------------------------------------------------------------------------------------


def test_a_spring_obeys_its_rate_between_its_lengths(tmp_path):
    found = standing(car(tmp_path, ("front", "spring perch", "3 mm", None, None, "right")))
    for corner in CORNERS:
        rate, force, length, free = (
            found.value(item, corner) for item in ("spring rate", "spring force", "spring length", "free length")
        )
        assert force == pytest.approx(rate * (free - length), rel=1e-9)
    free = {"front spring": {"free_length": "214 mm"}, "rear spring": {"free_length": "213 mm"}}
    found = standing(
        car(tmp_path, ("front", "spring perch", "3 mm", None, None, "right"), settings=(SOLVE_HEIGHT,), springs=free)
    )
    assert [found.value("free length", corner) for corner in CORNERS] == pytest.approx([214, 214, 213, 213])


def test_the_free_length_of_a_progressive_spring_is_where_its_curve_is_zero(tmp_path):
    curve = [("s.x [mm]", "s.y [N]"), (0, 0), (10, 200), (20, 600), (40, 2000)]
    path = car(tmp_path, springs={"front spring": {"k": None, "curve_k": "s"}}, curves=curve)
    found = standing(path)
    squeezed = found.value("free length", "FL") - found.value("spring length", "FL")
    assert found.value("spring force", "FL") == pytest.approx(np.interp(squeezed, [0, 10, 20, 40], [0, 200, 600, 2000]))


def test_a_rocker_balances_what_its_rod_and_its_spring_push(tmp_path):
    """Without a bar on it; of mbs Loads the case of the standing car."""
    path = car(tmp_path, without=("front bar", "rear bar"))
    results = run_suspension(path)
    found, loads_of = set_up(results.designs[0]), results.designs[0].loads
    static = [case.name for case in loads_of.cases].index("static")
    for corner, rod in (("FL", "push-rod"), ("RR", "pull-rod")):
        pushed = abs(float(loads_of.column(f"{corner}.{rod}")[static])) * found.value("rocker lever rod", corner)
        carried = found.value("spring force", corner) * found.value("rocker lever damper", corner)
        assert pushed == pytest.approx(carried, rel=1e-6)


@pytest.mark.parametrize("adjustment", [(), (("front", "spring perch", "3 mm", None, None, "right"),)])
def test_after_its_clearance_a_wheel_is_at_its_stop(tmp_path, adjustment):
    path = car(tmp_path, *adjustment)
    found = standing(path)
    way = found.value("bump clearance", "FR")
    design = run_suspension(path).designs[0]
    travel = {side: np.array([found.pose.travel[f"F{side[0].upper()}"] + way * 1e-3]) for side in ("left", "right")}
    wheel = swept_at(design.systems["front"], level_placing(travel, np.zeros(1))).wheels["right"]
    drawn = wheel.design_damper_length
    assert (drawn - wheel.damper_length.value[0]) * 1e3 == pytest.approx(24.0, abs=1e-6)
    assert found.value("rebound clearance", "FR") is None


def test_members_have_the_lengths_to_which_they_are_set(tmp_path):
    plain, turned = (
        standing(car(tmp_path, *rows))
        for rows in ((), (("front", "tie rod length", "1.5 mm"), ("rear", "push-rod length", "2 mm")))
    )
    assert turned.value("tie rod length", "FL") - plain.value("tie rod length", "FL") == pytest.approx(1.5, abs=1e-9)
    assert turned.value("pull-rod length", "RR") - plain.value("pull-rod length", "RR") == pytest.approx(2.0, abs=1e-9)
    assert turned.value("toe", "FL") != pytest.approx(plain.value("toe", "FL"), abs=0.1)
    assert turned.value("total toe", "front") == pytest.approx(
        turned.value("toe", "FL") + turned.value("toe", "FR"), abs=1e-12
    )


def test_damping_forces_at_the_wheel_have_the_power_of_the_damper(tmp_path):
    curve = [("d.x [mm/s]", "d.y [N]"), (-300, -420), (-50, -130), (0, 0), (50, 70), (300, 210)]
    path = car(tmp_path, springs={"front damper": {"c": None, "curve_c": "d"}}, curves=curve)
    found = standing(path)
    ratio = run_suspension(path).at_design["base"]["FL.damper_motion_ratio"]
    x, y = np.array(curve[1:], dtype=float).T
    for speed in (50.0, -50.0, 250.0, -250.0):
        force = found.value(f"wheel damping force {speed:+.0f}", "FL")
        assert force * speed == pytest.approx(np.interp(ratio * speed, x, y) * ratio * speed, rel=1e-3)
    assert found.value("wheel damping force +50", "RL") == pytest.approx(
        1.8 * 50.0 * run_suspension(path).at_design["base"]["RL.damper_motion_ratio"] ** 2, rel=1e-4
    )


def test_points_that_are_reported_have_a_height_on_their_side(tmp_path):
    point = {"axle": "front", "point": "jack", "x": 100, "y": 250, "z": 60, "on": "chassis", "report": "yes"}
    hidden = {**point, "point": "skid", "report": None}
    found = standing(
        car(tmp_path, ("front", "spring perch", "3 mm", None, None, "right"), points=(*FLOORS, point, hidden))
    )
    left, right = (found.value("ride height jack", corner) for corner in ("FL", "FR"))
    assert right - left > 0.3
    assert not [item for item in found.rows if "skid" in item]


def test_the_sheet_is_one_printed_page_with_a_column_for_each_design(tmp_path):
    from sheetmbs.suspension.sheets.set_up_page import CONVENTIONS

    path = car(tmp_path, ("front", "cross weight", "51 %", None, None, None, "B"))
    out = tmp_path / "out.xlsx"
    run_suspension(path).save(out)
    sheet = loaded_sheet(out, "mbs Setup", data_only=True)
    heads = [cell.value for cell in sheet[1]]
    assert heads[:9] == ["item", "unit", "FL", "FR", "RL", "RR", "front", "rear", "car"]
    assert heads[9:] == [f"B/{head}" for head in heads[2:9]]
    rows = {row[0]: row for row in sheet.iter_rows(values_only=True)}
    assert rows["cross weight"][heads.index("B/car")] == pytest.approx(51.0)
    assert any(CONVENTIONS in str(row[0]) and "9.81" in str(row[0]) for row in rows.values())
    assert sheet.page_setup.orientation == "portrait"
    assert int(sheet.page_setup.paperSize) == 9
    assert sheet.sheet_properties.pageSetUpPr.fitToPage
    assert sheet.print_area.endswith(f"$P${sheet.max_row}")

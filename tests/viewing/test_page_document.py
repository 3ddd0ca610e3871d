"""What a page is given: numbers of the results, shapes as figures draw them, loads as the solver applies them."""

import base64
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import openpyxl
import pytest

import sheetmbs
from sheetmbs import run_gait
from sheetmbs.live.workbook_page import view
from sheetmbs.results.pictures.scene import scene_of
from sheetmbs.viewing.page_document import MOST_ROWS, page_document, shown_rows
from sheetmbs.viewing.scene_bodies import edges, faces

BOOKS = Path(__file__).parents[2] / "workbooks"
TEMPLATES = BOOKS.with_name("templates")


def unpacked(part):
    return np.frombuffer(base64.b64decode(part["f32"]), dtype="<f4").reshape(part["shape"])


def solved(name, **how):
    return sheetmbs.run(sheetmbs.read(BOOKS / name, **how))


def only_case(results):
    return page_document(results)["cases"][0]


def test_a_document_is_json_without_nan():
    for name in ("slider-crank.xlsx", "quarter-car.xlsx", "half-hat-leg.xlsx"):
        assert json.loads(json.dumps(page_document(solved(name)), allow_nan=False))["format"] == 1


@pytest.mark.parametrize("name", ["slider-crank.xlsx", "flyball-governor.xlsx", "flexible-loops.xlsx"])
def test_places_of_joints_follow_from_poses_as_figures_have_them(name):
    results = solved(name)
    scene, model = only_case(results)["scene"], results.model
    poses = unpacked(scene["poses"])
    row = len(poses) // 2
    drawn = scene_of(model, results.bodies.iloc[row])
    for number, joint in enumerate(joint for joint in model.joints if joint.type == "revolute"):
        shown = [each for each in scene["joints"] if each["type"] == "revolute"][number]
        assert shown["name"] == joint.name
        for side, marker in (("i", joint.i), ("j", joint.j)):
            assert np.allclose(placed(scene, poses[row], row, shown[side]), drawn.point(marker), atol=1e-6)


def placed(scene, poses, row, marker):
    """The global place of a marker, from poses at a frame."""
    at = np.array(marker["at"])
    if marker["body"] < 0:
        return at
    pose = poses[marker["body"]].astype(float)
    if "bent" in marker:
        q = unpacked(scene["bodies"][marker["body"]]["beam"]["amplitudes"])[row].astype(float)
        bent = marker["bent"]
        across, turn = (np.dot(bent[name], q[: len(bent[name])]) for name in ("across", "slope"))
        bending = q[: len(bent["across"])]
        along = np.dot(bent["stretch"], q[len(bending) :]) - bending @ np.array(bent["shorten"]) @ bending
        x, y = at[0] - bent["xi"], at[1]
        c, s = np.cos(turn), np.sin(turn)
        at = np.array([bent["xi"] + along + c * x - s * y, across + s * x + c * y, 0.0])
    if len(pose) == 3:
        c, s = np.cos(pose[2]), np.sin(pose[2])
        return np.array([pose[0] + c * at[0] - s * at[1], pose[1] + s * at[0] + c * at[1], 0.0])
    w, v = pose[3], pose[4:]
    return pose[:3] + at + 2.0 * np.cross(v, np.cross(v, at) + w * at)


def test_loads_by_formulas_are_those_of_their_formulas():
    """`if(slider.vx > 0, -400, -50)` of the pump: the force on its piston on the way out and on the way back."""
    results = solved("slider-crank.xlsx")
    load = next(each for each in only_case(results)["scene"]["arrows"] if each["kind"] == "load")
    speed = results.bodies["slider.vx"].to_numpy()
    clear = np.abs(speed) > 1.0
    expected = np.where(speed > 0.0, -400.0, -50.0)
    assert np.array_equal(unpacked(load["values"])[clear, 0], expected[clear])
    assert not np.any(unpacked(load["values"])[:, 1:])


def test_measured_loads_go_through_their_samples():
    results = solved("half-hat-leg.xlsx")
    load = next(each for each in only_case(results)["scene"]["arrows"] if each["kind"] == "load")
    series = results.model.force_series[0]
    times = results.solution.times
    at = [int(np.argmin(np.abs(times - time))) for time in series.times]
    there = np.array([abs(times[k] - time) < 1e-9 for k, time in zip(at, series.times, strict=True)])
    assert np.sum(there) > 20
    shown = unpacked(load["values"])[np.array(at)[there]]
    assert np.allclose(shown, series.force[there], rtol=1e-5, atol=1e-2)


def test_a_long_motion_is_thinned_evenly_and_says_so():
    assert shown_rows(MOST_ROWS).tolist() == list(range(MOST_ROWS))
    rows = shown_rows(10 * MOST_ROWS)
    assert len(rows) <= MOST_ROWS
    assert set(np.diff(rows)) == {10}


def test_hulls_of_places_are_filled_and_their_flat_sides_have_no_inner_lines():
    cube = np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)])
    assert len(faces(cube)) == 12
    assert len(edges(faces(cube))) == 12
    square = np.array([[0.0, 0.0, 2.0], [1.0, 0.0, 2.0], [1.0, 1.0, 2.0], [0.0, 1.0, 2.0]])
    assert len(faces(square)) == 2
    assert len(edges(faces(square))) == 4
    assert faces(np.array([[0.0, 0.0, 0.0], [1.0, 1.0, 0.0], [2.0, 2.0, 0.0]])) == []
    assert faces(np.zeros((3, 3))) == []


def test_cases_are_tabs_and_those_that_are_refused_say_why():
    every = sheetmbs.run_cases(BOOKS / "car.xlsx")
    document = page_document(every, case="roll")
    assert [case["name"] for case in document["cases"]] == list(every)
    assert document["chosen"] == "roll"
    names = {name for table in document["cases"][0]["tables"] for name in table["columns"]}
    drawn = {name for chart in document["cases"][0]["charts"] for name in chart["y"]}
    assert drawn <= names


def test_sweeps_have_wheels_on_a_road_and_roll_centres_above_it():
    document = view(BOOKS / "formula-student.xlsx").document
    heave = document["cases"][0]
    scene, table = heave["scene"], heave["tables"][0]
    assert [case["name"] for case in document["cases"]] == ["heave", "single wheel", "roll", "steer", "full lock"]
    poses, road = unpacked(scene["poses"]), unpacked(scene["road"]["places"])
    for wheel in scene["wheels"]:
        centre = [placed(scene, pose, row, wheel["marker"]) for row, pose in enumerate(poses)]
        corner = wheel["name"].split()[0]
        travel = np.array(centre)[:, 2] - centre[len(centre) // 2][2]
        told = unpacked(table["values"])[table["columns"].index("travel")] * 1e-3
        assert np.allclose(travel, told - told[len(told) // 2], atol=1e-6), corner
    heights = unpacked(scene["tracks"]["places"])[:, 0, 2] - road[:, 2]
    told = unpacked(table["values"])[table["columns"].index("front.roll_centre_height")] * 1e-3
    axles = np.array([np.mean([placed(scene, pose, 0, w["marker"])[2] for w in scene["wheels"][:2]]) for pose in poses])
    assert np.allclose(heights, told, atol=2e-3)
    assert np.all(axles > road[:, 2])
    assert [ghost["name"] for ghost in heave["ghosts"]] == ["Design B"]


@pytest.mark.parametrize("book", sorted(TEMPLATES.glob("suspension-*.xlsx")), ids=lambda book: book.stem)
def test_every_type_of_suspension_moves_through_all_its_sweeps(book):
    """The type decides which columns rows of the ordinary model have: five links have no joint at one point."""
    document = view(book).document
    assert len(document["cases"]) >= 3
    assert all(case["scene"]["wheels"] for case in document["cases"])
    with_ghosts = [case for case in document["cases"] if case["ghosts"]]
    assert len(with_ghosts) >= 3, "states of handling are those of one design"


def test_a_sweep_that_cannot_be_moved_keeps_its_charts_and_says_why(monkeypatch):
    """Here its ordinary model has a joint without a place: a fault of our own, of which no page may die."""
    nowhere = ("held", "fixed", "ground", "chassis", None, None)
    monkeypatch.setattr(
        "sheetmbs.suspension.ordinary_sheets._with_row", lambda sheet, _row: replace(sheet, rows=(*sheet.rows, nowhere))
    )
    case = view(TEMPLATES / "suspension-multilink.xlsx", case="heave").document["cases"][0]
    assert (case["scene"], case["analysis"]) == (None, "sweep")
    assert case["charts"]
    assert case["problems"][0]["found"] == "the motion of the sweep heave"


def test_a_car_stands_upright_in_every_case_even_where_gravity_is_tilted_as_in_a_bend():
    cases = view(BOOKS / "car.xlsx").document["cases"]
    tilted = [sheetmbs.read(BOOKS / "car.xlsx", case=case).settings.gravity for case in ("cornering", "braking")]
    assert tilted == [(0.0, -9.81, -9.81), (9.81, 0.0, -9.81)]
    assert [case["scene"]["up"] for case in cases] == [[0.0, 0.0, 1.0]] * len(cases)


@pytest.mark.parametrize(
    ("gravity", "up"),
    [((0.0, -9.81, 12.0), [0, 1, 0]), ((0.0, -14.0, -9.81), [0, 0, 1]), ((0.0, 0.0, 1.62), [0, 0, -1])],
)
def test_up_is_against_the_weight_and_not_against_what_loads_sideways(gravity, up):
    results = solved("slider-crank-3d.xlsx")
    model = replace(results.model, settings=replace(results.model.settings, gravity=gravity))
    assert only_case(replace(results, model=model))["scene"]["up"] == up


def test_points_of_the_ground_are_shown_only_where_it_holds_something():
    """Where joints between bodies were assembled, nothing is any more once these have moved."""
    scene = only_case(solved("pins-and-slides.xlsx"))["scene"]
    told = [point["name"] for point in scene["points"] if point["marker"]["body"] < 0]
    assert told == ["at joint 1", "at joint 19"]


def test_a_skeleton_walks_on_the_points_of_its_trial_and_the_ground_pushes_up():
    document = view(BOOKS / "gait-walk.xlsx").document
    scene = document["cases"][0]["scene"]
    bones = scene["tracks"]["bones"]
    assert {bone["name"] for bone in bones} >= {"right thigh", "left shank", "right foot", "pelvis"}
    places = unpacked(scene["tracks"]["places"])
    thigh = next(bone for bone in bones if bone["name"] == "right thigh")
    length = np.linalg.norm(places[:, thigh["from"]] - places[:, thigh["to"]], axis=1)
    assert np.nanstd(length) < 0.03 * np.nanmean(length)
    arrows = scene["arrows"]
    up = np.sum([unpacked(arrow["values"])[:, 1] for arrow in arrows], axis=0)
    assert np.all(up > -1.0)
    assert 400.0 < np.max(up) < 2000.0
    titles = {chart["title"] for chart in document["cases"][0]["charts"]}
    assert len(titles) == 9
    assert {
        "Ankle angle, dorsiflexion +",
        "Hip moment, extensor +",
        "Knee power, generation +",
    } <= titles


def test_the_summary_beside_gait_is_that_of_its_sheet(tmp_path):
    """In the signs and units of the workbook, which the SI of its mechanics are not: extensor +, N m/kg, percent."""
    told = view(BOOKS / "gait-walk.xlsx").document["cases"][0]["summary"]
    run_gait(BOOKS / "gait-walk.xlsx").save(tmp_path / "walk.xlsx")
    sheet = openpyxl.load_workbook(tmp_path / "walk.xlsx")["mbs Gait summary"]
    rows = [[cell.value for cell in row] for row in sheet.iter_rows(min_row=3)]
    of_sheet = {
        " ".join(filter(None, row[:3])): (row[3], row[6] or "")
        for row in rows
        if isinstance(row[0], str) and row[3] is not None
    }
    assert len(told) > 60
    for name, value, unit in told:
        if name.startswith("residual"):
            continue  # one name in several units
        known, known_unit = of_sheet[name]
        assert unit == known_unit
        assert value == (pytest.approx(known) if isinstance(value, float) else known), name

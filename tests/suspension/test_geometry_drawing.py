"""The drawing of a car is that of its hardpoints, in true shape, with instant centres where its planes meet."""

from __future__ import annotations

import shutil

import numpy as np
import openpyxl
import pytest

from sheetmbs.suspension.run_suspension import run_suspension
from tests.support.example_books import ROOT
from tests.support.hardpoint_books import LEVEL_ARMS, SETTINGS, STRUT, WISHBONES, hardpoint_book
from tests.suspension.drawings import drawings, drawn, layout, lengths_of_mm, meet, off, pieces
from tests.suspension.page_books import CHARTS, PAGE, POINTS, chart_parts, limits, loaded

FRONT, REAR, SIDE = "Front view, front axle", "Front view, rear axle", "Side view"
TEMPLATES = ("formula-student", "double-wishbone", "macpherson", "multilink", "trailing-arm", "solid-axle")


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    """Runs of templates by their names, each once."""
    folder, known = tmp_path_factory.mktemp("drawn"), {}

    def run(name):
        if name not in known:
            path = folder / f"{name}.xlsx"
            shutil.copy(ROOT / "templates" / f"suspension-{name}.xlsx", path)
            results = run_suspension(path)
            results.save()
            known[name] = path, results
        return known[name]

    return run


def at_design(results, column):
    return results.at_design["base"][column]


def above(road, place):
    """A place of which the second coordinate counts from the road."""
    return np.array([place[0], place[1] + road])


def solved(path):
    results = run_suspension(path)
    results.save()
    return path, results


def views_of(results):
    axles = [axle.name for axle in results.base.car.axles]
    return [f"Front view, {axle} axle" for axle in axles], SIDE


def traced(points, arm, x):
    """Where the plane of an arm cuts the plane at x: two places (y, z)."""
    a, b, c = (np.array(points[f"{arm} {end}"], dtype=float) for end in ("arm front", "arm rear", "ball joint"))
    normal = np.cross(b - a, c - a)
    return np.array([[y, a[2] - (normal[0] * (x - a[0]) + normal[1] * (y - a[1])) / normal[2]] for y in (0.0, 500.0)])


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_mm_is_drawn_alike_across_and_upward_and_nothing_leaves_the_frame(template, name):
    path, results = template(name)
    fronts, side = views_of(results)
    for title in (*fronts, side):
        charts = drawings(path, title)
        assert len(charts) == (1 if title == SIDE and len(fronts) > 1 else 2), title
        for chart in charts:
            across, upward = lengths_of_mm(path, chart)
            assert across == pytest.approx(upward, rel=1e-3), title
            ends = [limits(chart_parts(path)[chart], k) for k in range(2)]
            for line, places in drawn(path, chart).items():
                for k, (low, high) in enumerate(ends):
                    assert np.nanmin(places[:, k]) >= low, line
                    assert np.nanmax(places[:, k]) <= high, line


@pytest.mark.parametrize("name", TEMPLATES)
def test_the_frame_is_the_car_and_at_least_200_mm(template, name):
    path, results = template(name)
    fronts, side = views_of(results)
    for title in (*fronts, side):
        chart = drawings(path, title)[0]
        lines = drawn(path, chart)
        car = np.concatenate([lines["members"], lines["wheels"]])
        for k in range(2):
            low, high = limits(chart_parts(path)[chart], k)
            assert low <= np.nanmin(car[:, k]) - 200.0
            assert high >= np.nanmax(car[:, k]) + 200.0


def test_the_series_are_those_of_the_contract(car):
    path = car[0]
    front = {
        *("members", "wheels", "road", "instant centre left", "instant centre right"),
        *("contact to instant centre", "roll centre", "roll centre geometric"),
    }
    for title in (FRONT, REAR):
        for chart in drawings(path, title):
            assert front <= drawn(path, chart).keys()
    assert {"members", "wheels", "road", "side view instant centre", "centre of gravity"} <= drawn(
        path, drawings(path, SIDE)[0]
    ).keys()
    texts = [cell.value for row in loaded(path)[CHARTS].iter_rows(max_row=2) for cell in row]
    assert texts[0] == "Geometry"


@pytest.mark.parametrize(("side", "sign"), [("left", 1.0), ("right", -1.0)])
def test_the_lines_of_the_arms_meet_in_the_instant_centre(car, side, sign):
    """By the planes of the arms, cut at the x of the wheel centre."""
    path, results = car
    lower, upper = pieces(drawn(path, drawings(path, FRONT)[0])[f"instant centre {side}"])
    found = meet(lower, upper)
    by_hand = meet(*(traced(POINTS, arm, POINTS["wheel centre"][0]) for arm in ("lower", "upper")))
    assert found == pytest.approx(by_hand * [sign, 1.0], abs=0.05)
    corner = "FL" if side == "left" else "FR"
    road = at_design(results, f"{corner}.road_height")
    columns = [at_design(results, f"{corner}.fvic_{axis}_geometric") for axis in "yz"]
    assert found == pytest.approx(above(road, columns), abs=0.05)


@pytest.mark.parametrize("name", ["formula-student", "double-wishbone", "macpherson"])
def test_the_lines_from_the_contacts_go_to_the_instant_centres_and_meet_in_the_roll_centre(template, name):
    path, results = template(name)
    axle = results.base.car.axles[0].name
    lines = drawn(path, drawings(path, f"Front view, {axle} axle")[0])
    left, right = pieces(lines["contact to instant centre"])
    geometric, kinematic = lines["roll centre geometric"][0], lines["roll centre"][0]
    road = at_design(results, "FL.road_height")
    for place, kind in ((geometric, "_geometric"), (kinematic, "")):
        columns = [at_design(results, f"{axle}.roll_centre_{part}{kind}") for part in ("lateral", "height")]
        assert place == pytest.approx(above(road, columns), abs=1e-5)
    assert meet(left, right) == pytest.approx(geometric, abs=1e-4)
    for line, wheel in ((left, "left"), (right, "right")):
        assert off(geometric, line) < 1e-4
        rays = pieces(lines[f"instant centre {wheel}"])
        assert off(meet(rays[0], rays[1]), line) < 0.05


@pytest.mark.parametrize("name", ["multilink", "trailing-arm", "solid-axle"])
def test_without_two_planes_the_centres_are_those_of_the_motion(template, name):
    path, results = template(name)
    lines = drawn(path, drawings(path, REAR)[0])
    road = at_design(results, "RL.road_height")
    centre = [at_design(results, f"rear.roll_centre_{part}") for part in ("lateral", "height")]
    assert lines["roll centre"][0] == pytest.approx(above(road, centre), abs=1e-5)
    left, right = pieces(lines["contact to instant centre"])
    assert meet(left, right) == pytest.approx(lines["roll centre"][0], abs=1e-4)
    assert "roll centre geometric" not in lines
    (ray,) = pieces(lines["instant centre left"])
    if name == "solid-axle":
        assert ray[-1] == pytest.approx(lines["roll centre"][0], abs=1e-5), "a beam turns about its roll centre"
    else:
        columns = [at_design(results, f"RL.fvic_{axis}") for axis in "yz"]
        assert ray[-1] == pytest.approx(above(road, columns), abs=1e-5)


def test_the_side_view_shows_the_centres_of_the_left_wheels_and_the_centre_of_gravity(car):
    """The planes of the arms cut at the y of the wheel centre; the shares of the weight; the rear axle likewise."""
    path, results = car
    lines = drawn(path, drawings(path, SIDE)[0])
    rays, contacts = pieces(lines["side view instant centre"]), pieces(lines["contact to side view instant centre"])
    for corner, own, contact in (("FL", rays[:2], contacts[0]), ("RL", rays[2:], contacts[1])):
        road = at_design(results, f"{corner}.road_height")
        columns = above(road, [at_design(results, f"{corner}.svic_{axis}_geometric") for axis in "xz"])
        assert meet(*own) == pytest.approx(columns, rel=1e-6, abs=0.05)
        assert off(columns, contact) < 0.05
    ground = [at_design(results, f"{corner}.road_height") for corner in ("FL", "RL")]
    gravity = lines["centre of gravity"][0]
    assert gravity[0] == pytest.approx(-0.52 * 1550.0, abs=0.5), "48 % of the weight in front"
    assert gravity[1] == pytest.approx(0.48 * ground[0] + 0.52 * ground[1] + 300.0, abs=0.01)


def test_parallel_arms_have_parallel_lines_to_the_frame(tmp_path):
    settings = (("type", "double wishbone"), ("tyre radius", "230 mm"))
    path, _results = solved(hardpoint_book(tmp_path / "level.xlsx", LEVEL_ARMS, settings))
    chart = drawings(path, FRONT)[0]
    lines, (left, right) = drawn(path, chart), limits(chart_parts(path)[chart], 0)
    own, other = (pieces(lines[f"instant centre {side}"]) for side in ("left", "right"))
    for number, height in enumerate((130.0, 330.0)):
        assert own[number] == pytest.approx(np.array([[600.0, height], [left, height]]), abs=1e-4)
        assert other[number] == pytest.approx(np.array([[-600.0, height], [right, height]]), abs=1e-4)
    assert lines["roll centre"][0] == pytest.approx([0.0, 0.0], abs=1e-6)


@pytest.mark.parametrize(("axes", "turn"), [("SAE J670", (1, -1, -1)), ("Lotus", (-1, 1, 1))])
def test_the_drawing_does_not_depend_on_the_axes_of_the_list(tmp_path, axes, turn):
    settings = (*SETTINGS, ("axes", axes))
    own = {name: tuple(s * v for s, v in zip(turn, point, strict=True)) for name, point in WISHBONES.items()}
    usual, _ = solved(hardpoint_book(tmp_path / "iso.xlsx"))
    other, _ = solved(hardpoint_book(tmp_path / "other.xlsx", own, settings))
    for title in (FRONT, SIDE):
        first, second = (drawn(path, drawings(path, title)[0]) for path in (usual, other))
        assert first.keys() == second.keys()
        for name, line in first.items():
            assert second[name] == pytest.approx(line, abs=1e-5, nan_ok=True), name


def test_a_strut_is_drawn_and_its_line_is_square_to_it(tmp_path):
    settings = (("type", "macpherson"), ("tyre radius", "300 mm"))
    path, _results = solved(hardpoint_book(tmp_path / "strut.xlsx", STRUT, settings))
    lines = drawn(path, drawings(path, FRONT)[0])
    _lower, upper = pieces(lines["instant centre left"])
    top, lower = (np.array(STRUT[name], dtype=float) for name in ("strut top", "strut lower"))
    along = (top - lower)[1:]
    way = upper[-1] - upper[0]
    assert abs(way @ along) / np.hypot(*way) / np.hypot(*along) < 1e-6
    ends = np.array([top[1:], lower[1:]])
    assert any(len(piece) == 2 and np.allclose(piece, ends) for piece in pieces(lines["members"]))


def test_further_designs_lie_over_the_first(designs):
    path, _results = designs
    lines = drawn(path, drawings(path, FRONT)[0])
    assert "members, low arms" in lines
    heights = {name: {tuple(p) for p in lines[name].round(3).tolist()} for name in ("members", "members, low arms")}
    assert (262.0, 295.0) in heights["members"]
    assert (262.0, 285.0) in heights["members, low arms"]


def test_a_rear_list_with_its_own_origin_is_drawn_the_wheelbase_behind(car, tmp_path):
    path = tmp_path / "own.xlsx"
    shutil.copy(car[0], path)
    book = openpyxl.load_workbook(path)
    for row in book["Hardpoints"].iter_rows(min_row=3):
        if row[0].value == "rear":
            row[2].value += 1550
    book.save(path)
    solved(path)
    first, second = (drawn(each, drawings(each, SIDE)[0]) for each in (car[0], path))
    for name in ("members", "wheels", "side view instant centre", "centre of gravity"):
        assert second[name] == pytest.approx(first[name], abs=1e-3, nan_ok=True), name


@pytest.mark.parametrize("name", ["formula-student", "solid-axle"])
def test_no_legend_lies_over_lines(template, name):
    path, _results = template(name)
    count = 0
    for chart, xml in chart_parts(path).items():
        if xml.find(".//{*}legend/{*}layout/{*}manualLayout") is None:
            continue
        left, top, wide, high = layout(path, chart)
        x, y, w, h = layout(path, chart, "legend")
        assert x >= left + wide or y >= top + high, chart
        assert x + w <= 1.0 + 1e-9
        assert y + h <= 1.0 + 1e-9
        count += 1
    assert count > 10


def test_the_front_views_stand_at_the_foot_of_the_page(car):
    page = loaded(car[0])[PAGE]
    rows = [chart.anchor._from.row + 1 for chart in page._charts]
    heads = {row[0].value: row[0].row for row in page.iter_rows(max_col=1) if row[0].value}
    foot = [row for row in rows if row > max(rows) - 2]
    assert len(foot) == 2, "both side by side, below the small charts"
    assert max(rows) < heads["Largest member forces, + tension"]

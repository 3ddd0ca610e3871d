"""Members as parts: columns of Euler and Johnson, what they carry, angles of rod ends, clearances, and ends of dampers."""

from __future__ import annotations

import re
import subprocess
import sys

import numpy as np
import openpyxl
import pytest

from sheetmbs.problems.errors import WorkbookError
from sheetmbs.suspension.layout.member_data import Material, Section
from sheetmbs.suspension.run_suspension import run_suspension
from sheetmbs.suspension.sizing.clearances import segment_distance
from sheetmbs.suspension.sizing.member_strength import buckling
from tests.support.car_books import FRONT, REAR, SPRINGS, car_book
from tests.support.opened import checked, sheet_values

HEADS = ("axle", "member", "side", "d", "wall", "material", "E", "yield", "density", "end_fixity", "rod_end_load")
HEADS = (*HEADS, "inner_bolt", "outer_bolt", "max_angle", "factor", "design")
UNITS = ("units", None, None, "mm", "mm", None, "GPa", "MPa", "kg/m^3", None, "N", None, None, "deg", None, None)
PAIRS = ("name", "axle", "member", "to", "radius", "radius_to", "least", "side")
SWEEPS = (
    ("name", "type", "travel_from", "travel_to", "travel_step", "rack_from", "rack_to", "rack_step", "grid"),
    ("both", "combined", "-30 mm", "30 mm", "10 mm", "-20 mm", "20 mm", "10 mm", "yes"),
)
CASES = (
    ("name", "ax", "ay", "az", "pose", "method"),
    ("braking", -1.2, None, None, "design", "linear"),
    ("cornering", None, 1.2, None, "design", "linear"),
    ("bump", None, None, 3, "design", "linear"),
)


PROGRAM = (sys.executable, "-m", "sheetmbs")


def member(**given):
    usual = {"axle": "front", "member": "tie rod", "d": 16, "wall": 1}
    return tuple((usual | given).get(head) for head in HEADS)


def pair(**given):
    usual = {"name": "rods", "axle": "front", "member": "push-rod", "to": "tie rod"}
    return tuple((usual | given).get(head) for head in PAIRS)


def book(path, members=(), pairs=(), **others):
    sheets = {"Sweeps": SWEEPS, "Load cases": CASES, **others.pop("others", {})}
    sheets |= {"Members": (HEADS, UNITS, *members)} if members else {}
    sheets |= {"Packaging": (PAIRS, *pairs)} if pairs else {}
    return car_book(path, others=sheets, **others)


def rows(results, name="mbs Members"):
    """The rows of a page by its first column, or its first two, each a dict by header."""
    page = next(page for page in results.sheets.pages if page.name == name)
    cells = {(cell.row, cell.column): cell.value for cell in page.cells}
    heads = {column: value for (row, column), value in cells.items() if row == 1}
    found = {}
    for row in range(3, page.size[0] + 1):
        values = {head: cells.get((row, column)) for column, head in heads.items()}
        key = values["member"] if name == "mbs Members" else (values["name"], values["corner"])
        found[key] = values
    return found


# --- formulas ----------------------------------------------------------------------------------------------------------

TUBE = Section(16e-3, 14e-3)
STEEL = 205e9


def test_a_tube_buckles_as_euler_says():
    found = buckling(TUBE, Material(STEEL, 7850.0), 345e-3, 1.0)
    assert TUBE.area * 1e6 == pytest.approx(47.1239, abs=1e-4)
    assert (found.load, found.by) == (pytest.approx(22_629.50, abs=5e-3), "Euler")
    twice = buckling(TUBE, Material(STEEL, 7850.0), 345e-3, 2.0)
    assert twice.load == pytest.approx(found.load / 4.0, rel=1e-12)


def test_a_beam_of_finite_differences_buckles_at_eulers_load():
    count = 400
    step = 345e-3 / count
    second = (
        np.diag(2.0 * np.ones(count - 1)) - np.diag(np.ones(count - 2), 1) - np.diag(np.ones(count - 2), -1)
    ) / step**2
    inertia = np.trapezoid(np.linspace(7e-3, 8e-3, 20_001) ** 3, dx=1e-3 / 20_000) * np.pi
    load = STEEL * inertia * np.linalg.eigvalsh(second)[0]
    assert buckling(TUBE, Material(STEEL, 7850.0), 345e-3, 1.0).load == pytest.approx(load, rel=2e-5)


def test_johnsons_parabola_touches_eulers_curve_at_half_the_yield_strength():
    material = Material(STEEL, 7850.0, 350e6)
    radius = np.sqrt(TUBE.second_moment / TUBE.area)
    limit = radius * np.pi * np.sqrt(2.0 * STEEL / 350e6)
    lengths = limit * np.array([1.0 - 2e-6, 1.0 - 1e-6, 1.0 + 1e-6, 1.0 + 2e-6])
    found = [buckling(TUBE, material, length, 1.0) for length in lengths]
    assert [each.by for each in found] == ["Johnson", "Johnson", "Euler", "Euler"]
    loads = np.array([each.load for each in found])
    assert loads == pytest.approx(0.5 * 350e6 * TUBE.area, rel=1e-5)
    slopes = np.diff(loads)[[0, 2]] / np.diff(lengths)[[0, 2]]
    assert slopes[0] == pytest.approx(slopes[1], rel=1e-4)
    stub = buckling(TUBE, material, 1e-6, 1.0)
    assert stub.load == pytest.approx(350e6 * TUBE.area, rel=1e-9), "a stub yields"


# --- what members carry ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def car(tmp_path_factory):
    members = (
        member(**{"yield": 350, "rod_end_load": 9000, "factor": 1.5}),
        member(member="push-rod", d=18, wall=1.5, **{"yield": 400}),
        member(member="upper arm front leg", wall=None, d=12, **{"yield": 300}),
        member(axle="rear", member="lower arm rear leg", material="aluminium", density=2800, **{"yield": 250}),
        member(axle="rear", member="drop link", d=8, wall=None, material="carbon", E=120),
    )
    return run_suspension(book(tmp_path_factory.mktemp("members") / "b.xlsx", members))


def test_extremes_are_those_of_the_load_cases(car):
    loads, cases = car.base.loads, [name for name, *_rest in CASES[1:]]
    for name, row in rows(car).items():
        force = loads.column(name)
        for column, values in (("tension", force), ("compression", -force)):
            if values.max() > 1e-6:
                assert row[column] == pytest.approx(values.max(), rel=1e-12)
                assert row[f"{column}_case"] == cases[int(np.argmax(values))]
            else:
                assert row[column] == 0.0
                assert row[f"{column}_case"] is None


def test_reserves_are_what_is_borne_over_what_is_carried(car):
    row = rows(car)["FL.tie rod"]
    length = np.linalg.norm(np.subtract(FRONT["tie rod outer"], FRONT["tie rod inner"]))
    assert row["length"] == pytest.approx(length, abs=1e-9)
    area = np.pi / 4.0 * (16.0**2 - 14.0**2)
    largest = max(row["tension"], row["compression"])
    assert row["area"] == pytest.approx(area, rel=1e-12)
    assert row["stress"] == pytest.approx(largest / area, rel=1e-12)
    assert row["yield_reserve"] == pytest.approx(350.0 / (1.5 * largest / area), rel=1e-12)
    assert row["buckling_reserve"] == pytest.approx(row["buckling_load"] / (1.5 * row["compression"]), rel=1e-12)
    assert row["rod_end_reserve"] == pytest.approx(9000.0 / (1.5 * largest), rel=1e-12)
    assert row["mass"] == pytest.approx(7850.0 * area * length * 1e-9, rel=1e-12)
    assert rows(car)["RL.lower arm rear leg"]["mass"] == pytest.approx(
        2800.0 * area * rows(car)["RL.lower arm rear leg"]["length"] * 1e-9, rel=1e-12
    )
    assert rows(car)["RL.lower arm rear leg"]["rod_end_reserve"] is None


def test_the_leg_of_a_bent_arm_bears_its_bending_too(tmp_path):
    found = run_suspension(
        book(
            tmp_path / "b.xlsx",
            (member(member="lower arm front leg", wall=None, d=20),),
            settings={"rod on": ("lower arm",)},
        )
    )
    loads, row = found.base.loads, rows(found)["FL.lower arm front leg"]
    axial, moment = loads.column("FL.lower arm front leg"), loads.column("FL.lower arm bending")
    area, modulus = np.pi * 10.0**2, np.pi * 20.0**3 / 32.0
    assert row["stress"] == pytest.approx(np.max(np.abs(axial) / area + np.abs(moment) * 1e3 / modulus), rel=1e-12)
    assert np.abs(moment).max() > 1.0


def test_the_least_reserve_of_an_axle_stands_on_the_page(car):
    page = next(page for page in car.sheets.pages if page.name == "mbs Suspension")
    cells = {(cell.row, cell.column): cell.value for cell in page.cells}
    shown = {cells[row, 1]: (cells.get((row, 3)), row) for row, column in cells if column == 1}
    columns = ("yield_reserve", "buckling_reserve", "rod_end_reserve")
    by_member = rows(car)
    for axle, corners in (("front", "F"), ("rear", "R")):
        own = {
            name: [row[each] for each in columns if row[each]] for name, row in by_member.items() if name[0] == corners
        }
        least = min(min(values) for values in own.values() if values)
        value, row = shown[f"least reserve, {axle}"]
        assert value == pytest.approx(least, rel=1e-9)
        text = next(cells[row, column] for column in range(4, 12) if (row, column) in cells)
        name = text.split(",")[0]
        assert min(own[name]) == pytest.approx(least, rel=1e-9)
        assert text.rpartition("in ")[2] in [case for case, *_rest in CASES]


# --- angles of rod ends -------------------------------------------------------------------------------------------------

FRAME = ("lower ball joint", "upper ball joint", "tie rod outer")


def reported(path, names):
    """Let hardpoints of the front axle be reported."""
    found = openpyxl.load_workbook(path)
    sheet = found["Hardpoints"]
    sheet["G1"] = "report"
    for row in range(3, sheet.max_row + 1):
        if sheet.cell(row, 1).value == "front" and sheet.cell(row, 2).value in names:
            sheet.cell(row, 7).value = "yes"
    found.save(path)
    return path


def axes_of(points):
    first = points[:, 1] - points[:, 0]
    first = first / np.linalg.norm(first, axis=1, keepdims=True)
    third = np.cross(first, points[:, 2] - points[:, 0])
    third = third / np.linalg.norm(third, axis=1, keepdims=True)
    return np.stack([first, np.cross(third, first), third], axis=2)


@pytest.mark.parametrize("bolt", [None, "x", "0.2 -0.1 1"])
def test_rod_ends_turn_by_the_angle_of_the_rod_to_its_bolt_over_all_poses(tmp_path, bolt):
    path = book(
        tmp_path / "b.xlsx", (member(inner_bolt=bolt, outer_bolt=bolt, max_angle=2),), others={"Load cases": CASES[:1]}
    )
    found = run_suspension(reported(path, ("tie rod inner", *FRAME)))
    table = found.table("both")
    values = dict(zip(table.columns, table.values.T, strict=True))
    along_bolt = {None: (0, 0, 1), "x": (1, 0, 0), "0.2 -0.1 1": (0.2, -0.1, 1.0)}[bolt]
    along_bolt = np.array(along_bolt) / np.linalg.norm(along_bolt)
    worst = {}
    for corner, mirror in (("FL", 1.0), ("FR", -1.0)):
        at = {
            name: np.stack([values[f"{corner}.{name}.{axis}"] for axis in "xyz"], axis=1)
            for name in ("tie rod inner", *FRAME)
        }
        rod = at["tie rod outer"] - at["tie rod inner"]
        rod = rod / np.linalg.norm(rod, axis=1, keepdims=True)
        axis = along_bolt * [1.0, mirror, 1.0]
        inner = np.degrees(np.arcsin(np.abs(rod @ axis)))
        drawn = axes_of(np.array([[FRONT[name] for name in FRAME]]) * [1.0, mirror, 1.0])
        turn = axes_of(np.stack([at[name] for name in FRAME], axis=1)) @ drawn[0].T
        outer = np.degrees(np.arcsin(np.abs(np.sum(rod * (turn @ axis), axis=1))))
        row = rows(found)[f"{corner}.tie rod"]
        assert row["inner_angle"] == pytest.approx(inner.max(), abs=1e-7)
        assert row["outer_angle"] == pytest.approx(outer.max(), abs=1e-7)
        pose = int(np.argmax(np.maximum(inner, outer)))
        told = [float(number) for number in re.findall(r"[+-]\d+\.\d+", row["angle_at"])]
        assert told == [values["travel"][pose], values["rack"][pose]]
        worst[corner] = max(inner.max(), outer.max())
    (problem,) = [each for each in found.sheets.problems if each.code == "rod-end-angle"]
    assert problem.cell == "Members!N3"
    assert f"{max(worst.values()):.2f} deg" in problem.found


def test_poses_of_load_cases_count_too(tmp_path):
    still = (SWEEPS[0][:5], ("still", "heave", "-1 mm", "1 mm", "1 mm"))
    steered = (("name", "rack", "pose"), ("lock", "25 mm", "design"))
    path = book(tmp_path / "b.xlsx", (member(inner_bolt="x"),), others={"Sweeps": still, "Load cases": steered})
    found = rows(run_suspension(path))
    assert found["FL.tie rod"]["angle_at"].startswith("load case lock")
    assert found["FL.tie rod"]["angle_at"].endswith("rack +25.00 mm")


# --- clearances ---------------------------------------------------------------------------------------------------------


def test_the_distance_of_segments_is_the_least_of_all_their_points():
    random = np.random.default_rng(7)
    ends = random.normal(size=(4, 200, 3))
    ends[3, :20] = ends[2, :20] + (ends[1, :20] - ends[0, :20])  # parallel ones
    share = np.linspace(0.0, 1.0, 401)[:, None]
    found = segment_distance(*ends)
    for at in range(200):
        p, p_end, q, q_end = ends[:, at]
        first, second = p + share * (p_end - p), q + share * (q_end - q)
        apart = np.linalg.norm(first[:, None] - second[None], axis=2).min()
        assert found[at] <= apart + 1e-12
        assert found[at] == pytest.approx(apart, abs=2e-2)


def test_a_clearance_is_the_least_over_all_poses_less_the_radii(tmp_path):
    names = ("tie rod inner", "tie rod outer", "lower arm front", "lower ball joint")
    pairs = (
        pair(member="tie rod", to="lower arm front leg", least="60 mm"),
        pair(name="thick", member="tie rod", to="lower arm front leg", radius="9 mm", radius_to="4 mm", side="right"),
    )
    path = book(tmp_path / "b.xlsx", (member(), member(side="left", d=30)), pairs)
    found = run_suspension(reported(path, names))
    table = found.table("both")
    values = dict(zip(table.columns, table.values.T, strict=True))
    shown = rows(found, "mbs Packaging")
    assert list(shown) == [("rods", "FL"), ("rods", "FR"), ("thick", "FR")]
    for (name, corner), radii in zip(shown, (15.0, 8.0, 13.0), strict=True):
        ends = [np.stack([values[f"{corner}.{each}.{axis}"] for axis in "xyz"], axis=1) for each in names]
        share = np.linspace(0.0, 1.0, 101)[:, None, None]
        first, second = ends[0] + share * (ends[1] - ends[0]), ends[2] + share * (ends[3] - ends[2])
        apart = np.linalg.norm(first[:, None] - second[None], axis=3).min(axis=(0, 1))
        row = shown[name, corner]
        assert row["clearance"] == pytest.approx(apart.min() - radii, abs=0.05)
        pose = int(np.argmin(apart))
        assert (row["sweep"], row["travel"], row["rack"]) == ("both", values["travel"][pose], values["rack"][pose])
    assert [row["ok"] for row in shown.values()] == [
        "yes" if row["clearance"] >= row["least"] else "no" for row in shown.values()
    ]
    (problem,) = [each for each in found.sheets.problems if each.code == "close-members"]
    assert problem.cell == "Packaging!G2"
    assert f"{shown['rods', 'FL']['clearance']:.2f} mm" in problem.found


# --- dampers ------------------------------------------------------------------------------------------------------------


def test_a_damper_at_its_end_is_told_once_for_each_sweep_at_its_travel(tmp_path):
    springs = [(*SPRINGS[0], "c", "min_length", "max_length"), *SPRINGS[1:]]
    springs.append(("damper", "front", "damper", None, "1 N*s/mm", "180 mm", "203 mm"))
    heave = (SWEEPS[0][:5], ("heave", "heave", "-30 mm", "30 mm", "5 mm"), ("small", "heave", "-5 mm", "5 mm", "5 mm"))
    found = run_suspension(book(tmp_path / "b.xlsx", springs=springs, others={"Sweeps": heave}))
    problems = [each for each in found.sheets.problems if each.code == "damper-end"]
    assert [each.cell for each in problems] == ["Suspension springs!F6", "Suspension springs!G6"]
    table = found.table("heave")
    values = dict(zip(table.columns, table.values.T, strict=True))
    for problem, limit, word in zip(problems, (180.0, 203.0), ("shortest", "longest"), strict=True):
        text = re.fullmatch(r"heave: the front damper is at its (\w+), (\d+) mm, at ([+-]\d+\.\d\d) mm", problem.found)
        assert (text[1], float(text[2])) == (word, limit)
        travel = float(text[3])
        near = np.argsort(np.abs(values["travel"] - travel))[:4]
        by_cubic = np.polyval(np.polyfit(values["travel"][near], values["FL.damper_length"][near], 3), travel)
        assert by_cubic == pytest.approx(limit, abs=8e-3)


def test_an_open_damper_is_longer_than_a_closed_one(tmp_path):
    springs = [(*SPRINGS[0], "c", "min_length", "max_length"), *SPRINGS[1:]]
    springs.append(("damper", "front", "damper", None, "1 N*s/mm", "200 mm", "180 mm"))
    with pytest.raises(WorkbookError, match="Suspension springs!G6"):
        checked(book(tmp_path / "b.xlsx", springs=springs))


# --- the same car said in other ways ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "turn"),
    [
        ({"input side": ("right",)}, (1.0, -1.0, 1.0)),
        ({"axes": ("Lotus",)}, (-1.0, 1.0, 1.0)),
        ({"axes": ("SAE J670",)}, (1.0, -1.0, -1.0)),
    ],
)
def test_axes_and_side_of_the_hardpoints_change_nothing(tmp_path, settings, turn):
    bolt = np.array([0.1, 0.3, 1.0])
    pairs = (pair(member="tie rod", to="lower arm front leg"),)
    usual = run_suspension(book(tmp_path / "a.xlsx", (member(inner_bolt="0.1 0.3 1"),), pairs))
    points = {
        axle: {name: tuple(np.multiply(turn, place)) for name, place in named.items()}
        for axle, named in (("front", FRONT), ("rear", REAR))
    }
    text = " ".join(f"{part:g}" for part in bolt * turn)
    other = run_suspension(book(tmp_path / "b.xlsx", (member(inner_bolt=text),), pairs, settings=settings, **points))
    for name in ("mbs Members", "mbs Packaging"):
        for key, row in rows(usual, name).items():
            for column, value in row.items():
                found = rows(other, name)[key][column]
                assert found == (pytest.approx(value, rel=1e-6, abs=1e-9) if isinstance(value, float) else value), (
                    column
                )


def test_studies_take_reserves_and_clearances_as_responses(tmp_path):
    sheets = {
        "Study": (("setting", "value"), ("method", "grid")),
        "Variables": (("name", "cell", "values"), ("d", "Members!D3", "12; 20")),
        "Responses": (
            ("name", "of", "case"),
            ("reserve", "'FL.tie rod.buckling_reserve'", None),
            ("least", "front.least_reserve", None),
            ("apart", "'FL.rods.clearance'", None),
            ("mass", "'FR.tie rod.mass'", None),
        ),
    }
    path = book(tmp_path / "b.xlsx", (member(),), (pair(),), others=sheets)
    done = subprocess.run([*PROGRAM, "study", str(path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    sheet = sheet_values(path, "mbs Study")
    table = [dict(zip(sheet[0], row, strict=True)) for row in sheet[2:]]
    for row, d in zip(table, (16, 12, 20), strict=True):
        alone = run_suspension(book(tmp_path / f"{d}.xlsx", (member(d=d),), (pair(),)))
        single = rows(alone)["FL.tie rod"]
        assert row["reserve"] == pytest.approx(single["buckling_reserve"], rel=1e-9)
        assert row["least"] == pytest.approx(
            min(rows(alone)[f"{corner}.tie rod"]["buckling_reserve"] for corner in ("FL", "FR")), rel=1e-9
        )
        assert row["apart"] == pytest.approx(rows(alone, "mbs Packaging")["rods", "FL"]["clearance"], rel=1e-9)
        assert row["mass"] == pytest.approx(rows(alone)["FR.tie rod"]["mass"], rel=1e-9)


# --- mistakes -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "code", "cell"),
    [
        ({"wall": 8}, "out-of-range", "Members!E3"),
        ({"wall": 0}, "out-of-range", "Members!E3"),
        ({"d": 0}, "out-of-range", "Members!D3"),
        ({"end_fixity": 0}, "out-of-range", "Members!J3"),
        ({"E": 2000}, "out-of-range", "Members!G3"),
        ({"E": 0.5}, "out-of-range", "Members!G3"),
        ({"material": "carbon"}, "missing-value", "Members!G3"),
        ({"material": "wood"}, "unknown-value", "Members!F3"),
        ({"member": "toe rod"}, "unknown-member", "Members!B3"),
        ({"factor": 0}, "out-of-range", "Members!O3"),
        ({"inner_bolt": "up"}, "wrong-direction", "Members!L3"),
        ({"outer_bolt": "0 0 0"}, "wrong-direction", "Members!M3"),
    ],
)
def test_a_wrong_member_is_an_error_at_its_cell(tmp_path, given, code, cell):
    with pytest.raises(WorkbookError) as refused:
        checked(book(tmp_path / "b.xlsx", (member(**given),)))
    assert [(each.code, each.cell) for each in refused.value.problems] == [(code, cell)]


@pytest.mark.parametrize(
    ("given", "code", "cell"),
    [
        ({"to": "push-rod"}, "same-member", "Packaging!D2"),
        ({"to": "drive shaft"}, "unknown-member", "Packaging!D2"),
        ({"radius": "-1 mm"}, "out-of-range", "Packaging!E2"),
    ],
)
def test_a_wrong_pair_is_an_error_at_its_cell(tmp_path, given, code, cell):
    with pytest.raises(WorkbookError) as refused:
        checked(book(tmp_path / "b.xlsx", pairs=(pair(**given),)))
    assert [(each.code, each.cell) for each in refused.value.problems] == [(code, cell)]


def test_weak_members_get_one_warning_at_the_cell_to_change(tmp_path):
    weak = member(d=4, wall=0.5, rod_end_load=50, **{"yield": 20})
    found = run_suspension(book(tmp_path / "b.xlsx", (weak,)))
    told = [(each.code, each.cell) for each in found.sheets.problems if each.cell.startswith("Members")]
    assert told == [("weak-member", "Members!D3"), ("weak-member", "Members!K3")]
    row = rows(found)["FR.tie rod"], rows(found)["FL.tie rod"]
    least = min(each[column] for each in row for column in ("yield_reserve", "buckling_reserve") if each[column])
    assert f"{least:.3g}" in found.sheets.problems[0].found


def test_members_of_designs_and_targets_on_them(tmp_path):
    rows_of_both = (member(), member(d=20, design="B"))
    aims = (("metric", "min", "tolerance"), ("front.least_reserve", 1.5, 0.1), ("FL.tie rod.mass", "1 kg", "0.1 kg"))
    found = run_suspension(book(tmp_path / "b.xlsx", rows_of_both, others={"Targets": aims}))
    by_member = rows(found)
    assert list(by_member) == ["FL.tie rod", "FR.tie rod", "B/FL.tie rod", "B/FR.tie rod"]
    assert by_member["B/FL.tie rod"]["area"] == pytest.approx(np.pi / 4 * (20**2 - 18**2), rel=1e-12)
    reserve, mass = (each for each in found.targets if each.design == "")
    assert mass.value == pytest.approx(by_member["FL.tie rod"]["mass"], rel=1e-12)
    assert reserve.value == pytest.approx(
        min(by_member[f"{corner}.tie rod"]["buckling_reserve"] for corner in ("FL", "FR")), rel=1e-12
    )
    assert found.at_design["base"]["FL.tie rod.mass"] == mass.value

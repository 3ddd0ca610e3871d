"""Designs of a suspension: which rows each is, and that all stand on the same rows of the results."""

from __future__ import annotations

import numpy as np
import openpyxl
import pytest

from sheetmbs.command.cli import app
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.suspension.run_suspension import run_suspension
from tests.support.hardpoint_books import SETTINGS, WISHBONES, hardpoint_book
from tests.support.sample_results import loaded_sheet

HEAVE = (("name", "type", "travel_from", "travel_to", "travel_step"), ("heave", "heave", "-30 mm", "30 mm", "10 mm"))
HEADED = ("axle", "point", "x", "y", "z", "side", "design")
RAISED = ("front", "upper ball joint", -8, 545, 310, None, "B")


def book(path, rows=(), settings=(), designs=(), others=None, sweeps=HEAVE):
    """A workbook whose sheets have a column design. rows, settings: with the name of their design at the end."""
    sheets = {
        **(others or {}),
        **({"Designs": [("name", "based_on", "colour", "file", "active"), *designs]} if designs else {}),
    }
    hardpoint_book(path, settings=[*SETTINGS, *settings], rows=rows, sweeps=sweeps, others=sheets)
    found = openpyxl.load_workbook(path)
    for column, head in enumerate(HEADED, start=1):
        found["Hardpoints"].cell(1, column, head)
    for column, head in enumerate(("setting", "front", "design"), start=1):
        found["Suspension"].cell(1, column, head)
    found.save(path)
    return path


def columns(table):
    return dict(zip(table.columns, table.values.T, strict=True))


def heave(path, compare=None):
    return columns(run_suspension(path, compare).table("heave"))


def refused(path, compare=None):
    with pytest.raises(WorkbookError) as caught:
        run_suspension(path, compare)
    return {problem.cell: problem for problem in caught.value.problems}


def test_rows_of_a_design_replace_those_without_one_and_no_others(tmp_path):
    found = heave(book(tmp_path / "b.xlsx", [RAISED], [("camber", "-2 deg", "B")]))
    moved = {**WISHBONES, "upper ball joint": (-8, 545, 310)}
    settings = [row for row in SETTINGS if row[0] != "camber"]
    alone = heave(hardpoint_book(tmp_path / "a.xlsx", moved, [*settings, ("camber", "-2 deg")], sweeps=HEAVE))
    base = heave(hardpoint_book(tmp_path / "c.xlsx", sweeps=HEAVE))
    assert set(found) == {*base, *(f"B/{name}" for name in alone if name != "travel")}
    for name, values in base.items():
        assert found[name] == pytest.approx(values, abs=1e-9, nan_ok=True)
    for name, values in alone.items():
        assert found["travel" if name == "travel" else f"B/{name}"] == pytest.approx(values, abs=1e-9, nan_ok=True)
    assert np.abs(found["B/FL.camber"] - found["FL.camber"]).max() > 0.5


def test_a_third_design_equal_to_the_first_lies_exactly_over_it(tmp_path):
    same = ("front", "upper ball joint", *WISHBONES["upper ball joint"], None, "C")
    found = heave(book(tmp_path / "b.xlsx", [RAISED, same]))
    for name, values in found.items():
        if "/" not in name and name != "travel":
            assert found[f"C/{name}"] == pytest.approx(values, abs=1e-9, nan_ok=True)


def test_a_design_has_the_rows_of_the_one_it_is_based_on(tmp_path):
    rows = [RAISED, *(("front", "tie rod inner", 62, 222, z, None, name) for z, name in ((150, "C"), (147, "D")))]
    path = book(tmp_path / "b.xlsx", rows, designs=[("B",), ("C", "B"), ("D", "base")])
    points = {each.name: each.car.axles[0].points["left"] for each in run_suspension(path).designs}
    heights = {name: (p["upper ball joint"].position[2], p["tie rod inner"].position[2]) for name, p in points.items()}
    assert heights == {"": (0.300, 0.144), "B": (0.310, 0.144), "C": (0.310, 0.150), "D": (0.300, 0.147)}


def test_a_point_of_one_side_replaces_that_side_alone(tmp_path):
    path = book(tmp_path / "b.xlsx", [("front", "UPRI_UppPnt_R", -8, 545, 310, None, "B")])
    axle = run_suspension(path).designs[1].car.axles[0]
    assert [axle.points[side]["upper ball joint"].position[2] for side in ("left", "right")] == [0.300, 0.310]


def test_a_setting_of_one_axle_leaves_that_of_the_other(tmp_path):
    rear = [("rear", name, *at) for name, at in WISHBONES.items()]
    path = hardpoint_book(tmp_path / "b.xlsx", rows=rear, sweeps=HEAVE, settings=[])
    found = openpyxl.load_workbook(path)
    sheet = found["Suspension"]
    for column, head in enumerate(("setting", "front", "rear", "design"), start=1):
        sheet.cell(1, column, head)
    for row in (
        ("type", "double wishbone", "double wishbone"),
        ("tyre radius", "230 mm", "230 mm"),
        ("camber", "-1 deg", "-2 deg"),
        ("wheelbase", "1550 mm"),
        ("camber", "-3 deg", None, "B"),
        ("wheelbase", None, "1600 mm", "B"),
    ):
        sheet.append(row)
    found.save(path)
    base, other = run_suspension(path).designs
    assert [np.degrees(axle.number("camber")) for axle in base.car.axles] == pytest.approx([-1.0, -2.0])
    assert [np.degrees(axle.number("camber")) for axle in other.car.axles] == pytest.approx([-3.0, -2.0])
    assert (base.car.number("wheelbase"), other.car.number("wheelbase")) == (1.55, 1.6)


def test_a_setting_given_twice_for_an_axle_is_refused_in_a_design_too(tmp_path):
    path = book(tmp_path / "b.xlsx", settings=[("camber", "-2 deg", "B"), ("camber", "-3 deg", "B")])
    found = refused(path)["Suspension!A7"]
    assert found.code == "duplicate-setting"
    assert found.found.startswith("in the design B:")


def test_designs_run_in_the_order_and_colours_of_their_sheet_and_inactive_ones_do_not(tmp_path):
    rows = [RAISED, ("front", "tie rod inner", 62, 222, 150, None, "C")]
    path = book(
        tmp_path / "b.xlsx", rows, designs=[("C", None, "red"), ("B", None, "#12aBcd"), ("D", None, None, None, "no")]
    )
    assert [(each.name, each.design.colour) for each in run_suspension(path).designs[1:]] == [
        ("C", "C0302B"),
        ("B", "12ABCD"),
    ]


def test_every_design_is_posed_through_the_same_default_sweeps(tmp_path):
    rows = [("front", "tie rod outer", 20, 560, 150, None, "B")]  # a short steering arm locks early
    base, other = run_suspension(book(tmp_path / "b.xlsx", rows, sweeps=())).designs
    assert list(base.plans) == list(other.plans) == ["heave", "single wheel", "roll", "steer", "full lock"]
    for name, plan in base.plans.items():
        assert np.array_equal(plan.rack, other.plans[name].rack)


def test_a_sweep_of_one_design_that_goes_further_has_rows_of_its_own(tmp_path):
    sweeps = (
        (*HEAVE[0], "design"),
        HEAVE[1],
        ("heave", "heave", "-40 mm", "20 mm", "10 mm", "B"),
    )
    found = heave(book(tmp_path / "b.xlsx", [RAISED], sweeps=sweeps))
    assert found["travel"] == pytest.approx([-40.0, -30.0, -20.0, -10.0, 0.0, 10.0, 20.0, 30.0])
    assert np.isnan(found["FL.camber"]).tolist() == [True, *[False] * 7]
    assert np.isnan(found["B/FL.camber"]).tolist() == [*[False] * 7, True]
    alone = heave(hardpoint_book(tmp_path / "a.xlsx", sweeps=HEAVE))
    assert found["FL.camber"][1:] == pytest.approx(alone["FL.camber"], abs=1e-12)


def test_another_workbook_is_a_design_and_only_read(tmp_path):
    moved = {**WISHBONES, "upper ball joint": (-8, 545, 310)}
    last = hardpoint_book(tmp_path / "last.xlsx", moved, sweeps=[HEAVE[0], ("heave", "heave", "-5 mm", "5 mm", "5 mm")])
    before = last.read_bytes()
    found = heave(book(tmp_path / "b.xlsx", [RAISED], designs=[("old", None, None, "last.xlsx"), ("B",)]))
    for name, values in found.items():
        if name.startswith("B/"):
            assert found[f"old/{name[2:]}"] == pytest.approx(values, abs=1e-9, nan_ok=True)
    assert last.read_bytes() == before


def test_the_option_compare_is_a_design_for_one_run(tmp_path):
    moved = {**WISHBONES, "upper ball joint": (-8, 545, 310)}
    hardpoint_book(tmp_path / "last.year.xlsx", moved)
    path = hardpoint_book(tmp_path / "b.xlsx", sweeps=HEAVE)
    with pytest.raises(SystemExit) as ended:
        app(["run", str(path), "--compare", str(tmp_path / "last.year.xlsx")])
    assert ended.value.code == 0
    heads = [cell.value for cell in loaded_sheet(path, "mbs Sweep heave")[1]]
    assert any(str(head).startswith("last year/FL.camber") for head in heads)
    assert [each.name for each in run_suspension(path).designs] == [""]


def test_a_mistake_in_another_workbook_is_told_with_its_file(tmp_path):
    hardpoint_book(tmp_path / "last.xlsx", {**WISHBONES, "upper bal joint": (-8, 545, 310)})
    path = book(tmp_path / "b.xlsx", designs=[("old", None, None, "last.xlsx")])
    assert "[last.xlsx]Hardpoints!B12" in refused(path)
    assert "[last.xlsx]Hardpoints!B12" in refused(hardpoint_book(tmp_path / "c.xlsx"), tmp_path / "last.xlsx")


WRONG = {
    "a misspelt design": (
        [(*RAISED[:-1], "Soft fron")],
        [("Soft front",)],
        "Hardpoints!G12",
        "did you mean Soft front?",
    ),
    "no such base": ([], [("B",), ("C", "D")], "Designs!B3", "name one of base, B, C"),
    "a circle": ([], [("B", "C"), ("C", "B")], "Designs!B2", "clear one"),
    "based on itself": ([], [("B", "B")], "Designs!B2", "clear one"),
    "no such colour": ([], [("B", None, "blu")], "Designs!C2", "did you mean blue?"),
    "no such file": ([], [("B", None, None, "nowhere.xlsx")], "Designs!D2", "nowhere.xlsx"),
    "a file and a base": ([], [("B", "base", None, "last.xlsx")], "Designs!B2", "clear one"),
    "rows of a file": ([RAISED], [("B", None, None, "last.xlsx")], "Hardpoints!G12", "change them there"),
    "given twice": ([], [("B",), ("b",)], "Designs!A3", "rename one"),
    "a stroke in the name": ([], [("A/B",)], "Designs!A2", "leave it out"),
    "a name of targets": ([], [("Target",)], "Designs!A2", "call it otherwise"),
    "base switched off": ([], [("base", None, None, None, "no")], "Designs!E2", "write yes"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_design_is_told_at_its_cell(tmp_path, what):
    rows, designs, cell, mend = WRONG[what]
    hardpoint_book(tmp_path / "last.xlsx")
    found = refused(book(tmp_path / "b.xlsx", rows, designs=designs))
    assert mend in str(found[cell])
    assert found[cell].severity == "error"


def test_a_misspelt_body_of_a_point_of_ones_own_is_told_where_it_is_named(tmp_path):
    path = hardpoint_book(tmp_path / "b.xlsx")
    written = openpyxl.load_workbook(path)
    sheet = written["Hardpoints"]
    sheet.cell(1, 7, "on")
    sheet.append(("front", "sensor", 0, 400, 200, None, "lower arn"))
    written.save(path)
    found = refused(path)
    cell = f"Hardpoints!G{sheet.max_row}"
    assert set(found) == {cell}
    assert "lower arm?" in str(found[cell])


def test_a_mistake_of_one_design_names_it_and_one_of_all_does_not(tmp_path):
    path = book(
        tmp_path / "b.xlsx", [("front", "upper ball joint", None, 545, 310, None, "B"), ("front", "rocket", 1, 2, 3)]
    )
    found = refused(path)
    assert found["Hardpoints!C12"].found == "in the design B: x is blank"
    assert not found["Hardpoints!B13"].found.startswith("in the design")


def test_a_sweep_that_moves_something_else_in_a_design_is_refused(tmp_path):
    sweeps = ((*HEAVE[0], "design"), HEAVE[1], ("heave", "roll", None, None, None, "B"))
    assert "Sweeps!A3" in refused(book(tmp_path / "b.xlsx", [RAISED], sweeps=sweeps))


def test_a_switched_off_row_of_a_design_takes_the_row_without_one_away(tmp_path):
    springs = [
        ("name", "axle", "kind", "k", "design", "active"),
        ("bar", "front", "U bar", 60, None, None),
        ("bar", "front", "U bar", 60, "B", "no"),
        ("stop", "front", "bump stop", 1e5, "C", "no"),
    ]
    points = {"bar link suspension": (0, 500, 120), "bar link bar": (0, 480, 200), "bar axis": (-150, 480, 200)}
    rows = [("front", name, *at) for name, at in points.items()]
    path = book(tmp_path / "b.xlsx", [*rows, RAISED], others={"Suspension springs": springs})
    found = {each.name: [row.name for row in each.car.axles[0].springs] for each in run_suspension(path).designs}
    assert found == {"": ["bar"], "B": []}


def test_a_nearly_right_name_of_a_suspension_sheet_is_told(tmp_path):
    path = hardpoint_book(tmp_path / "b.xlsx", others={"Adjustmants": [("axle", "item", "change")]})
    told = {problem.cell: problem for problem in run_suspension(path).sheets.problems}
    assert "call it Adjustments" in str(told["Adjustmants"])


def test_a_workbook_to_compare_with_that_is_not_there_is_told(tmp_path):
    path = hardpoint_book(tmp_path / "b.xlsx", sweeps=HEAVE)
    before = path.read_bytes()
    with pytest.raises(WorkbookError, match="nowhere"):
        run_suspension(path, tmp_path / "nowhere.xlsx")
    with pytest.raises(SystemExit) as ended:
        app(["run", str(path), "--compare", str(tmp_path / "nowhere.xlsx")])
    assert ended.value.code == 2
    assert path.read_bytes() == before


def test_a_workbook_compared_with_itself_lies_over_itself(tmp_path):
    path = hardpoint_book(tmp_path / "b.xlsx", sweeps=HEAVE)
    found = heave(path, path)
    for name in [name for name in found if name.startswith("b/")]:
        assert found[name] == pytest.approx(found[name[2:]], abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("way", ["above", "absolute", "link", "linked folder"])
def test_a_design_is_no_file_outside_the_folder_of_the_workbook(tmp_path, way):
    outside = hardpoint_book(tmp_path / "outside.xlsx", {**WISHBONES, "upper ball joint": (-8, 545, 310)})
    home = tmp_path / "home"
    (home / "below").mkdir(parents=True)
    if way == "link":
        (home / "linked.xlsx").symlink_to(outside)
    if way == "linked folder":
        (home / "up").symlink_to(tmp_path)
    name = {
        "above": "../outside.xlsx",
        "absolute": str(outside),
        "link": "linked.xlsx",
        "linked folder": "up/outside.xlsx",
    }
    said = refused(book(home / "b.xlsx", designs=[("old", None, None, name[way])]))
    assert said["Designs!D2"].code == "file-outside"
    assert "only workbooks in its own folder or below it" in said["Designs!D2"].problem


def test_a_design_may_stand_below_the_folder_of_the_workbook(tmp_path):
    (tmp_path / "below").mkdir()
    hardpoint_book(tmp_path / "below" / "last.xlsx", {**WISHBONES, "upper ball joint": (-8, 545, 310)})
    found = heave(book(tmp_path / "b.xlsx", designs=[("old", None, None, "below/last.xlsx")]))
    assert any(name.startswith("old/") for name in found)

"""What is exported for another program is the same car when it is imported again, and curves are those of the sheet."""

from __future__ import annotations

import csv

import numpy as np
import openpyxl
import pytest

from sheetmbs.all_products import PRODUCTS
from sheetmbs.command.cli import app
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.suspension.run_suspension import run_suspension
from sheetmbs.suspension.suspension_results import read_suspension
from sheetmbs.workbook.cells.cells import open_book
from sheetmbs.workbook.writing.new_workbook import new_book
from tests.support.hardpoint_books import SETTINGS, WISHBONES, hardpoint_book
from tests.support.opened import import_files, sheet_values

FORMS = {
    "optimumk.xlsx": "optimumk",
    "optimumk.txt": "optimumk",
    "optimumk.csv": "optimumk",
    "listing.txt": "lotus",
    "car.shk": "shk",
    "car.sub": "adams",
    "adams.csv": "adams",
    "adams.xlsx": "adams",
    "table.csv": "csv",
    "table.xlsx": "csv",
}
EXACT = 1e-6
"""mm within which a list that comes back is the same"""


def export(form, book, file, **options):
    found = next(each for product in PRODUCTS for each in product.exports if each.name == form)
    return found.run(book, file, options)


def axles_of(path, design=0):
    return read_suspension(open_book(path)).designs[design].car.axles


def points(path, design=0):
    return points_of(axles_of(path, design))


def points_of(axles):
    return {
        (axle.name, side, name): 1e3 * point.position
        for axle in axles
        for side in ("left", "right")
        for name, point in axle.points[side].items()
    }


def moved(path, by):
    """Move every hardpoint of a workbook by odd amounts, mm."""
    book = openpyxl.load_workbook(path)
    sheet = book["Hardpoints"]
    head = {cell.value: cell.column for cell in sheet[1]}
    for row in range(3, sheet.max_row + 1):
        for at, axis in enumerate("xyz", start=1):
            cell = sheet.cell(row, head[axis])
            if isinstance(cell.value, int | float):
                cell.value += by * np.sqrt(row * at + 0.5)
    book.save(path)
    return path


@pytest.fixture(scope="module")
def odd_car(tmp_path_factory):
    """A car of two axles whose coordinates have all their digits, which no test changes."""
    path = tmp_path_factory.mktemp("odd") / "car.xlsx"
    new_book("suspension-formula-student", path)
    return moved(path, 0.1)


@pytest.fixture(scope="module")
def odd_cars_axles(odd_car):
    return axles_of(odd_car)


@pytest.fixture(scope="module")
def moved_car(tmp_path_factory, odd_car):
    """The same car with its points elsewhere, which no test changes."""
    path = tmp_path_factory.mktemp("moved") / "other.xlsx"
    path.write_bytes(odd_car.read_bytes())
    return moved(path, 0.3)


@pytest.mark.parametrize("name", FORMS)
def test_an_exported_list_comes_back_as_the_same_car(tmp_path, odd_car, odd_cars_axles, moved_car, name):
    told = export("hardpoints", odd_car, tmp_path / name, to=FORMS[name]).warnings
    left_out = {problem.found for problem in told if problem.code == "not-exported"}
    other = tmp_path / "other.xlsx"
    other.write_bytes(moved_car.read_bytes())
    import_files("hardpoints", [tmp_path / name], other, program=FORMS[name])
    axles = axles_of(other)
    expected, found = points_of(odd_cars_axles), points_of(axles)
    same = {key for key, at in expected.items() if np.abs(found[key] - at).max() <= EXACT}
    assert {f"{axle} {point}" for axle, _side, point in set(expected) - same} == left_out
    assert len(same) >= 48
    for before, after in zip(odd_cars_axles, axles, strict=True):
        assert after.settings["rod on"] == before.settings["rod on"]
        for setting in ("camber", "toe", "tyre radius"):
            assert after.settings[setting] == pytest.approx(before.settings[setting], abs=1e-12)


@pytest.mark.parametrize("name", ["optimumk.xlsx", "car.sub", "table.csv"])
def test_right_points_of_their_own_come_back(tmp_path, name):
    rows = [
        ("front", "tie rod outer", 71.25, -559.5, 151.125, "right"),
        ("front", "wheel centre", 1, -603, 229, "right"),
    ]
    path = hardpoint_book(tmp_path / "b.xlsx", rows=rows)
    told = export("hardpoints", path, tmp_path / name, to=FORMS[name]).warnings
    assert [problem.code for problem in told] == []
    other = hardpoint_book(tmp_path / "other.xlsx", dict.fromkeys(WISHBONES, (0, 1, 2)))
    import_files("hardpoints", [tmp_path / name], other, axle="front")
    expected, found = points(path), points(other)
    assert {key for key, at in expected.items() if np.abs(found[key] - at).max() > EXACT} == set()


@pytest.mark.parametrize("name", ["listing.txt", "car.shk"])
def test_a_right_point_of_its_own_has_no_place_in_lotus_which_is_told(tmp_path, name):
    rows = [("front", "tie rod outer", 71.25, -559.5, 151.125, "right")]
    told = export(
        "hardpoints", hardpoint_book(tmp_path / "b.xlsx", rows=rows), tmp_path / name, to=FORMS[name]
    ).warnings
    assert [(problem.code, problem.found) for problem in told] == [("not-exported", "front tie rod outer")]


@pytest.mark.parametrize("name", FORMS)
def test_axes_of_the_workbook_do_not_count(tmp_path, name):
    turned = {point: (x, -y, -z) for point, (x, y, z) in WISHBONES.items()}
    sae = hardpoint_book(tmp_path / "sae.xlsx", {**turned}, [*SETTINGS, ("axes", "SAE J670"), ("input side", "left")])
    export("hardpoints", sae, tmp_path / name, to=FORMS[name])
    iso = hardpoint_book(tmp_path / "iso.xlsx", dict.fromkeys(WISHBONES, (0, 1, 2)))
    import_files("hardpoints", [tmp_path / name], iso, axle="front")
    for (_axle, side, point), at in points(iso).items():
        x, y, z = WISHBONES[point]
        assert at == pytest.approx([x, y if side == "left" else -y, z], abs=EXACT)


@pytest.mark.parametrize(
    "template", ["macpherson", "multilink", "solid-axle", "trailing-arm", "double-wishbone", "formula-student"]
)
def test_a_table_holds_every_point_of_every_type(tmp_path, template):
    path = tmp_path / "car.xlsx"
    new_book(f"suspension-{template}", path)
    moved(path, 0.01)
    told = export("hardpoints", path, tmp_path / "points.csv", to="csv").warnings
    assert list(told) == []
    other = tmp_path / "other.xlsx"
    other.write_bytes(path.read_bytes())
    moved(other, 0.02)
    import_files("hardpoints", [tmp_path / "points.csv"], other)
    expected, found = points(path), points(other)
    assert {key for key, at in expected.items() if np.abs(found[key] - at).max() > EXACT} == set()


def test_a_design_and_an_axle_are_chosen(tmp_path):
    path = hardpoint_book(tmp_path / "b.xlsx")
    book = openpyxl.load_workbook(path)
    book["Hardpoints"]["G1"] = "design"
    book["Hardpoints"].append(("front", "upper ball joint", -9, 546, 301, None, "B"))
    book.save(path)
    for design, at in (("base", "-8"), ("b", "-9"), (None, "-8")):
        file = tmp_path / f"{design}.csv"
        export("hardpoints", path, file, to="csv", design=design, of_axle="front")
        rows = list(csv.DictReader(file.read_text().splitlines()))
        assert [row["x [mm]"] for row in rows if row["point"] == "upper ball joint"] == [at]
    for wrong, code in (
        ({"design": "C"}, "unknown-design"),
        ({"of_axle": "rear"}, "unknown-axle"),
        ({"to": "adam"}, "unknown-format"),
    ):
        with pytest.raises(WorkbookError) as caught:
            export("hardpoints", path, tmp_path / "no.csv", **wrong)
        assert [problem.code for problem in caught.value.problems] == [code]
    assert not (tmp_path / "no.csv").exists()


def test_a_file_that_is_there_is_never_overwritten(tmp_path):
    path = hardpoint_book(tmp_path / "b.xlsx")
    file = tmp_path / "mine.csv"
    file.write_text("mine")
    for form in ("hardpoints", "curves"):
        with pytest.raises(WorkbookError) as caught:
            export(form, path, file)
        assert [problem.code for problem in caught.value.problems] == ["file-exists"]
    assert file.read_text() == "mine"


SWEEPS = [
    ("name", "type", "travel_from", "travel_to", "travel_step"),
    ("heave", "heave", "-7 mm", "11 mm", "3 mm"),
    ("one", "single wheel", "-5 mm", "5 mm", "5 mm"),
]


@pytest.mark.parametrize("sweep", [None, "Heave", "one"])
def test_exported_curves_are_the_cells_of_the_sheet(tmp_path, sweep):
    path = hardpoint_book(tmp_path / "b.xlsx", sweeps=SWEEPS)
    run_suspension(path).save()
    chosen = "one" if sweep == "one" else "heave"
    export("curves", path, tmp_path / "curves.csv", **({"sweep": sweep} if sweep else {}))
    head, *rows = csv.reader((tmp_path / "curves.csv").read_text().splitlines())
    names, units, *cells = sheet_values(path, f"mbs Sweep {chosen}")
    assert head == [f"{name} [{unit}]" if unit else name for name, unit in zip(names, units, strict=True)]
    assert head[:2] == ["travel [mm]", "FL.camber [deg]"] or chosen == "one"
    assert len(rows) == len(cells) > 2
    for own, there in zip(rows, cells, strict=True):
        for text, cell in zip(own, there, strict=True):
            if text or cell is not None:
                assert float(text) == pytest.approx(cell, rel=1e-12, abs=1e-12)


def test_a_sweep_that_is_not_there_is_told_with_those_that_are(tmp_path):
    with pytest.raises(WorkbookError) as caught:
        export("curves", hardpoint_book(tmp_path / "b.xlsx", sweeps=SWEEPS), tmp_path / "c.csv", sweep="heav")
    assert "did you mean heave?" in str(caught.value.problems[0])


def test_the_command_line_exports_and_imports(tmp_path, capsys):
    path = hardpoint_book(tmp_path / "b.xlsx")
    file = tmp_path / "front.sub"
    for arguments, status in (
        (["export", "hardpoints", str(path), str(file), "--to", "adams", "--axle", "front"], 0),
        (["import", "hardpoints", str(file), str(tmp_path / "new.xlsx"), "--from", "adams"], 0),
        (["export", "curves", str(path), str(tmp_path / "heave.csv"), "--sweep", "heave"], 0),
        (["export", "curves", str(path), str(tmp_path / "x.csv"), "--to", "adams"], 2),
        (["export", "hardpoint", str(path), str(tmp_path / "x.csv")], 2),
        (["export", "hardpoints", str(tmp_path / "none.xlsx"), str(tmp_path / "x.csv")], 2),
    ):
        with pytest.raises(SystemExit) as ended:
            app(arguments)
        assert ended.value.code == status, arguments
    told = capsys.readouterr()
    assert "Traceback" not in told.out + told.err
    assert (tmp_path / "heave.csv").exists()
    assert not (tmp_path / "x.csv").exists()

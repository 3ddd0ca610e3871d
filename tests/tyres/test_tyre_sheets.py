"""Tyres in a workbook, end to end: sheets read, results written, mistakes at their cells, files imported."""

import re
import shutil
from pathlib import Path

import numpy as np
import openpyxl
import pytest

from sheetmbs.suspension.run_suspension import run_suspension
from sheetmbs.tyres.magic_tyre import TyreScales
from tests.support.opened import sheet_values
from tests.support.tyres import FILES, HMMWV, NAMES, of_file, text_of

CAR = Path(__file__).parents[2] / "templates" / "suspension-formula-student.xlsx"
TYRES = ("name", "axle", "model", "file", "measured_side", "pressure", "scale_mu_x", "scale_mu_y", "design", "active")
COEFFICIENTS = ("tyre", "coefficient", "value", "unit", "design")
DATA = ("tyre", "fz", "alpha", "kappa", "gamma", "pressure", "speed", "fx", "fy", "mz", "axes", "sweep")
LINEAR = (("L", "cornering stiffness per load", 20.0), ("L", "friction", 1.3))
FILE = NAMES[61]


def book_of(folder, **sheets):
    """The formula student car with sheets of tyres: rows below their headers."""
    book = openpyxl.load_workbook(CAR)
    for name, headers in (("Tyres", TYRES), ("Tyre coefficients", COEFFICIENTS), ("Tyre data", DATA)):
        rows = sheets.get(name.replace(" ", "_").lower())
        if name in book.sheetnames:
            del book[name]
        if rows is not None:
            sheet = book.create_sheet(name)
            for row in (headers, *rows):
                sheet.append(row)
    path = folder / "car.xlsx"
    book.save(path)
    for name in (*NAMES.values(), HMMWV):
        shutil.copy(FILES / name, folder / name)
    return path


def rows_of(path, sheet):
    """A result sheet as dictionaries by its headers; units left out."""
    headers, _units, *rows = sheet_values(path, sheet)
    return [dict(zip(headers, row, strict=True)) for row in rows]


def problems_of(path):
    return [(row[0], row[1], " ".join(map(str, row[2:]))) for row in sheet_values(path, "mbs Problems")[1:]]


def test_a_run_writes_the_sheets_of_tyres(tmp_path, call):
    path = book_of(
        tmp_path,
        tyres=[("F", "front", None, FILE), ("R", "rear", None, FILE, None, None, None, 0.7)],
        tyre_coefficients=[("F", "PKY1", -18.5)],
        tyre_data=[
            ("R", 6752, 0.05, None, None, None, None, 10, -5000, 100, "ISO", "one"),
            ("R", 6752, 0.05, None, None, None, None, 10, 5000, -100, "adapted SAE", "two"),
            ("R", -6752, -0.05, None, None, None, None, 10, 5000, -100, "SAE", "three"),
            ("R", 99000, 0.05, None, None, None, None, None, None, None, None, "four"),
        ],
    )
    status, _out, err = call("run", path)
    assert status == 0, err
    found = rows_of(path, "mbs Tyre data")
    tyre = of_file(61, scales=TyreScales(mu_y=0.7))
    wanted = tyre.evaluate(tyre.states(0.0, 0.05, 0.0, 6752.0), derivatives=True)
    for row in found[:3]:
        assert (row["tyre"], row["fz"], row["alpha"], row["pressure"], row["speed"]) == ("R", 6752, 0.05, 260e3, 16.6)
        assert (row["fx_data"], row["fy_data"], row["mz_data"]) == (10, -5000, 100)
        for name in ("fx", "fy", "mz", "mx", "my", "kxk", "kya"):
            assert row[name] == pytest.approx(wanted.force(name)[0], rel=1e-12)
        for name in ("re", "rl", "sigma_x", "sigma_y"):
            assert row[name] == pytest.approx(wanted.length(name)[0], rel=1e-12)
        assert row["dfy_dalpha"] == pytest.approx(wanted.partial("fy", 1)[0], rel=1e-12)
        assert row["extrapolated"] == 0
    assert [row["sweep"] for row in found] == ["one", "two", "three", "four"]
    assert found[3]["extrapolated"] == 1
    page = [cell for row in sheet_values(path, "mbs Tyres") for cell in row[:2] if cell]
    told = "\n".join(map(str, page))
    for words in (
        "TNO",
        "wheels on the left side are mirrored",
        "PKY1 = -18.5 (Tyre coefficients!C2)",
        "PDXP1",
        "18000 N",
    ):
        assert words in told
    assert len(openpyxl.load_workbook(path)["mbs Tyres"]._charts) == 14
    warnings = [
        (cell, text) for severity, cell, text in problems_of(path) if severity == "warning" and "1 of 4" in text
    ]
    assert [cell for cell, _text in warnings] == ["Tyre data!B5"]
    assert call("run", path)[0] == 0  # with its own results in it


def test_a_workbook_without_tyres_has_none_of_these_sheets(tmp_path, call):
    path = book_of(tmp_path)
    assert call("run", path)[0] == 0
    assert not [name for name in openpyxl.load_workbook(path).sheetnames if name.startswith("mbs Tyre")]


def tyres_of(path):
    """The tyres of the designs of a workbook, by design and name."""
    from sheetmbs.suspension.suspension_results import read_suspension
    from sheetmbs.workbook.cells.cells import open_book

    read = read_suspension(open_book(path))
    return {(d.design.name, each.tyre.name): each for d in read.designs for each in d.tyres.fitted}, read


def test_lines_of_a_file_pasted_into_one_column_are_the_file(tmp_path):
    lines = text_of(HMMWV).splitlines()
    rows = [("P" if n == 0 else None, line) for n, line in enumerate(lines)]
    path = book_of(tmp_path, tyres=[("P", "front"), ("Q", "rear", None, HMMWV)], tyre_coefficients=rows)
    found, _read = tyres_of(path)
    one, other = (found["", name].tyre for name in "PQ")
    states = one.states(0.02, np.linspace(-0.2, 0.2, 5), 0.01, 20e3)
    assert np.array_equal(one.evaluate(states).forces, other.evaluate(states).forces)
    assert (one.measured_side, one.pressure) == (other.measured_side, other.pressure) == ("left", 800e3)


def test_a_coefficient_of_a_design_counts_in_that_design(tmp_path):
    path = book_of(
        tmp_path,
        tyres=[("L", None, "linear")],
        tyre_coefficients=[*LINEAR, ("L", "Friction", 1.5, None, "B")],
        tyre_data=[("L", 1000, 0.5)],
    )
    found, _read = tyres_of(path)
    assert found["", "L"].tyre.kernel.simple.friction == 1.3
    assert found["B", "L"].tyre.kernel.simple.friction == 1.5
    run_suspension(path).save(tmp_path / "out.xlsx")
    assert {row["tyre"]: row["fy"] for row in rows_of(tmp_path / "out.xlsx", "mbs Tyre data")} == {
        "L": pytest.approx(-1300.0),
        "B/L": pytest.approx(-1500.0),
    }


def test_units_of_coefficients_count(tmp_path):
    rows = [("L", "cornering stiffness", 0.5, "kN/deg"), ("L", "trail", 30, "mm"), ("L", "slip stiffness", 20, "kN")]
    path = book_of(tmp_path, tyres=[("L", None, "linear")], tyre_coefficients=rows)
    found, _read = tyres_of(path)
    simple = found["", "L"].tyre.kernel.simple
    assert simple.cornering_stiffness == pytest.approx(500.0 * 180.0 / np.pi)
    assert (simple.trail, simple.slip_stiffness) == (pytest.approx(0.03), pytest.approx(20e3))


def test_headers_of_test_consortia_are_read_in_their_axes_and_units(tmp_path):
    rows = [
        ("T", np.degrees(alpha), 2.0, 0.0, -load, -2.0 * load * alpha, 0.0, 0.01 * load * alpha, 83.0, 40.0)
        for load in (500.0, 1000.0)
        for alpha in (-0.1, -0.05, 0.0, 0.05, 0.1)
    ]
    path = book_of(tmp_path, tyres=[("T", None, "table", None, "left")], tyre_data=[])
    book = openpyxl.load_workbook(path)
    del book["Tyre data"]
    sheet = book.create_sheet("Tyre data")
    for row in (("tyre", "SA", "IA", "SL", "FZ", "FY", "FX", "MZ", "P", "V"), *rows):
        sheet.append(row)
    book.save(path)
    found, read = tyres_of(path)
    first = found["", "T"].points[0]
    assert (first.load, first.alpha) == (500.0, pytest.approx(0.1))
    assert first.gamma == pytest.approx(np.radians(2.0))
    assert (first.pressure, first.speed) == (83e3, pytest.approx(40 / 3.6))
    assert (first.fy, first.mz) == (pytest.approx(-100.0), pytest.approx(0.5))
    assert [each.cell for each in read.warnings if each.code == "assumed-axes"] == ["Tyre data!B2"]


def test_whole_degrees_under_headers_of_test_consortia_are_no_radians(tmp_path):
    rows = [
        ("T", alpha, 0.0, -load, -0.01 * load * alpha)
        for load in (500.0, 1000.0)
        for alpha in (-12.0, -8.0, 0.0, 8.0, 12.0)
    ]
    path = book_of(tmp_path, tyres=[("T", None, "table", None, "left")], tyre_data=[])
    book = openpyxl.load_workbook(path)
    del book["Tyre data"]
    sheet = book.create_sheet("Tyre data")
    for row in (("tyre", "SA", "IA", "FZ", "FY"), *rows):
        sheet.append(row)
    book.save(path)
    found, read = tyres_of(path)
    assert found["", "T"].points[-1].alpha == pytest.approx(-np.radians(12.0))
    assert [each.code for each in read.warnings if each.code.startswith("angle")] == []


MISTAKES = {
    "an axle without a tyre": ({"tyres": [("F", "front", None, FILE)]}, "missing-tyre", "Tyres"),
    "two tyres on an axle": (
        {"tyres": [("F", None, None, FILE), ("R", "rear", None, FILE)]},
        "given-twice",
        "Tyres!A3",
    ),
    "a name twice": ({"tyres": [("F", "front", None, FILE), ("f", "rear", None, FILE)]}, "duplicate-name", "Tyres!A3"),
    "no model": ({"tyres": [("F",)]}, "missing-model", "Tyres!C2"),
    "a file that is not there": ({"tyres": [("F", None, None, "no.tir")]}, "file-missing", "Tyres!D2"),
    "a file elsewhere": ({"tyres": [("F", None, None, "../no.tir")]}, "file-outside", "Tyres!D2"),
    "a pressure below 0": ({"tyres": [("F", None, None, FILE, None, -2e5)]}, "out-of-range", "Tyres!F2"),
    "a factor of 0": ({"tyres": [("F", None, None, FILE, None, None, 0)]}, "out-of-range", "Tyres!G2"),
    "an unknown side": ({"tyres": [("F", None, None, FILE, "outside")]}, "unknown-value", "Tyres!E2"),
    "a tyre that is not there": (
        {"tyres": [("L", None, "linear")], "tyre_coefficients": [*LINEAR, ("M", "friction", 1)]},
        "unknown-tyre",
        "Tyre coefficients!A4",
    ),
    "a blank value": (
        {"tyres": [("L", None, "linear")], "tyre_coefficients": [*LINEAR, ("L", "trail")]},
        "missing-value",
        "Tyre coefficients!C4",
    ),
    "a coefficient twice": (
        {"tyres": [("L", None, "linear")], "tyre_coefficients": [*LINEAR, ("L", "Friction", 1)]},
        "given-twice",
        "Tyre coefficients!B4",
    ),
    "an unknown coefficient": (
        {"tyres": [("L", None, "linear")], "tyre_coefficients": [*LINEAR, ("L", "trial", 0.03)]},
        "unknown-coefficient",
        "Tyre coefficients!C4",
    ),
    "a negative stiffness": (
        {"tyres": [("L", None, "linear")], "tyre_coefficients": [("L", "cornering stiffness", -5e4)]},
        "out-of-range",
        "Tyre coefficients!C2",
    ),
    "a length for a stiffness": (
        {"tyres": [("L", None, "linear")], "tyre_coefficients": [("L", "cornering stiffness", 5e4, "mm")]},
        "wrong-dimension",
        "Tyre coefficients!D2",
    ),
    "a pasted value that is none": (
        {"tyres": [("F", None, None, FILE)], "tyre_coefficients": [("F", "PCY1 = 1.3x $ shape")]},
        "not-a-number",
        "Tyre coefficients!B2",
    ),
    "a coefficient of the wrong sign": (
        {"tyres": [("F", None, None, FILE)], "tyre_coefficients": [("F", "PKY1", 20.0)]},
        "wrong-sign",
        "Tyre coefficients!C2",
    ),
    "a table without data": ({"tyres": [("T", None, "table")]}, "missing-data", "Tyres!A2"),
    "a load below 0 in ISO": (
        {"tyres": [("F", None, None, FILE)], "tyre_data": [("F", -1000, 0.05)]},
        "out-of-range",
        "Tyre data!B2",
    ),
    "degrees without a unit": (
        {"tyres": [("F", None, None, FILE)], "tyre_data": [("F", 1000, 4)]},
        "out-of-range",
        "Tyre data!C2",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_an_error_at_its_cell_and_nothing_is_written(mistake, tmp_path, call):
    sheets, code, cell = MISTAKES[mistake]
    path = book_of(tmp_path, **sheets)
    before = path.read_bytes()
    status, out, err = call("run", path)
    assert status == 2
    assert "Traceback" not in out + err
    assert re.search(rf"{code}\b.*{re.escape(cell)}\b", re.sub(r"\s+", " ", out + err)), out + err
    assert path.read_bytes() == before


WARNINGS = {
    "a load beyond the file": ({"tyres": [("F", None, None, HMMWV)]}, "load-out-of-range", "Tyres!A2"),
    "kN in place of N": (
        {"tyres": [("L", None, "linear")], "tyre_coefficients": [("L", "cornering stiffness", 20.0)]},
        "unlikely-stiffness",
        "Tyre coefficients!C2",
    ),
    "a trail in mm": (
        {"tyres": [("L", None, "linear")], "tyre_coefficients": [*LINEAR, ("L", "trail", 20)]},
        "unlikely-trail",
        "Tyre coefficients!C4",
    ),
    "slip stiffness in kN": (
        {"tyres": [("L", None, "linear")], "tyre_coefficients": [*LINEAR, ("L", "slip stiffness", 15)]},
        "unlikely-stiffness",
        "Tyre coefficients!C4",
    ),
    "camber stiffness by degrees": (
        {"tyres": [("L", None, "linear")], "tyre_coefficients": [*LINEAR, ("L", "camber stiffness", 20)]},
        "unlikely-stiffness",
        "Tyre coefficients!C4",
    ),
    "friction of no road": (
        {"tyres": [("L", None, "linear")], "tyre_coefficients": [LINEAR[0], ("L", "friction", 13)]},
        "unlikely-friction",
        "Tyre coefficients!C3",
    ),
    "loads in kN": (
        {"tyres": [("L", None, "linear")], "tyre_coefficients": LINEAR, "tyre_data": [("L", 1.5, 0.05)]},
        "unlikely-unit",
        "Tyre data!B2",
    ),
}


@pytest.mark.parametrize("mistake", WARNINGS)
def test_what_is_not_likely_is_a_warning_at_its_cell(mistake, tmp_path):
    sheets, code, cell = WARNINGS[mistake]
    _found, read = tyres_of(book_of(tmp_path, **sheets))
    assert (code, cell) in [(each.code, each.cell) for each in read.warnings if each.severity == "warning"]


def test_a_mistake_in_a_file_names_its_line_at_the_cell_of_the_file(tmp_path, call):
    path = book_of(tmp_path, tyres=[("F", None, None, FILE)])
    broken = text_of(FILE).replace("PDX1 ", "PDX1 = nan $", 1)
    (tmp_path / FILE).write_text(broken, encoding="latin-1")
    line = next(n for n, text in enumerate(broken.splitlines(), start=1) if text.startswith("PDX1"))
    status, out, err = call("run", path)
    told = re.sub(r"\s+", " ", out + err)
    assert status == 2
    assert re.search(rf"not-a-number Tyres!D2 {re.escape(FILE)}, line {line}: PDX1", told), told


@pytest.mark.parametrize("name", [FILE, HMMWV])
@pytest.mark.parametrize("has_sheets", [False, True])
def test_an_imported_tyre_is_the_file(name, has_sheets, tmp_path, call):
    path = book_of(tmp_path, **({"tyres": [], "tyre_coefficients": []} if has_sheets else {}))
    assert call("import", "tyre", tmp_path / name, path, "--axle", "front")[0] == 0
    assert call("import", "tyre", tmp_path / NAMES[62], path, "--axle", "rear")[0] == 0
    for each in (*NAMES.values(), HMMWV):
        (tmp_path / each).unlink()
    found, _read = tyres_of(path)
    tyre = found["", name.removesuffix(".tir")].tyre
    assert found["", name.removesuffix(".tir")].axles == ("front",)
    other = tyres_of(book_of(tmp_path, tyres=[("T", None, None, name)]))[0]["", "T"].tyre
    states = other.states(0.02, np.linspace(-0.2, 0.2, 5), 0.01, 5e3)
    assert np.array_equal(tyre.evaluate(states).forces, other.evaluate(states).forces)
    assert (tyre.measured_side, tyre.pressure, tyre.speed) == (other.measured_side, other.pressure, other.speed)


def test_units_and_comments_are_imported(tmp_path, call):
    path = book_of(tmp_path)
    assert call("import", "tyre", tmp_path / FILE, path)[0] == 0
    rows = sheet_values(path, "Tyre coefficients")
    at = {row[1]: dict(zip(rows[0], row, strict=True)) for row in rows[1:]}
    assert (at["UNLOADED_RADIUS"]["value"], at["UNLOADED_RADIUS"]["unit"]) == (0.3943, "m")
    assert at["UNLOADED_RADIUS"]["notes"].startswith("Free tyre radius")
    assert (at["FITTYP"]["value"], at["TYRESIDE"]["value"]) == (61, "RIGHT")
    assert at["PCX1"]["unit"] is None


def test_a_broken_file_or_a_taken_axle_is_not_imported(tmp_path, call):
    path = book_of(tmp_path, tyres=[("L", None, "linear")], tyre_coefficients=LINEAR)
    before = path.read_bytes()
    status, out, err = call("import", "tyre", tmp_path / FILE, path, "--axle", "front")
    assert (status, path.read_bytes() == before) == (2, True)
    assert "Tyres!A2" in out + err
    (tmp_path / "bad.tir").write_text(text_of(FILE).replace("PCX1 ", "PCXX ", 1), encoding="latin-1")
    status, out, err = call("import", "tyre", tmp_path / "bad.tir", path)
    assert status == 2
    assert "PCX1 is missing" in re.sub(r"\s+", " ", out + err)
    assert call("import", "tyre", tmp_path / FILE, tmp_path / "none.xlsx")[0] == 2

"""A workbook with tyres and without a car: it is run, compared with readings, varied and fitted as it stands."""

import numpy as np
import openpyxl
import pytest

import sheetmbs
from sheetmbs.studies.derived.fit_tyres import fit_tyres
from sheetmbs.studies.running.run_study import StudyOptions, run_study
from tests.studies.tyre_books import study_of

LOADS, ANGLES = (1000.0, 2000.0), (-0.03, -0.01, 0.01, 0.03)
TRUE, GIVEN = 24.0, 20.0
READ = [("T", load, alpha, -TRUE * load * alpha) for load in LOADS for alpha in ANGLES]
SHEETS = {
    "Tyres": [("name", "axle", "model"), ("T", "front", "linear")],
    "Tyre coefficients": [("tyre", "coefficient", "value"), ("T", "cornering stiffness per load", GIVEN)],
    "Tyre data": [("tyre", "fz", "alpha", "fy"), *READ],
    "Measurements": [("name", "of", "sd"), ("side", "T.fy", 20.0)],
}


def book(path, **sheets):
    found = openpyxl.Workbook()
    found.remove(found.active)
    for name, rows in (SHEETS | sheets).items():
        sheet = found.create_sheet(name)
        for row in rows:
            sheet.append(row)
    found.save(path)
    return path


def expected(stiffness):
    return (TRUE - stiffness) * float(np.sqrt(np.mean([(load * alpha) ** 2 for _name, load, alpha, _fy in READ])))


def test_a_run_shows_the_tyre_and_how_far_it_is_from_what_was_measured(tmp_path):
    results = sheetmbs.run(book(tmp_path / "tyre.xlsx"))
    assert results.measured[0].rms == pytest.approx(expected(GIVEN), rel=1e-9)
    results.save()
    names = openpyxl.load_workbook(tmp_path / "tyre.xlsx").sheetnames
    assert {"mbs Tyres", "mbs Tyre data", "mbs Measured", "mbs Residuals"} <= set(names)


def test_charts_have_the_loads_of_the_readings_and_these_as_dots(tmp_path):
    page = next(each for each in sheetmbs.run(book(tmp_path / "tyre.xlsx")).sheets.pages if each.name == "mbs Tyres")
    chart = next(each for each in page.charts if each.title == "Lateral force over slip angle")
    numbers = {f"mbs Tyres!{column.name}": column.data for column in page.columns}
    assert [line.name for line in chart.lines] == ["1000 N", "2000 N", "measured 1000 N", "measured 2000 N"]
    for number, load in enumerate(LOADS):
        line, dots = chart.lines[number], chart.lines[number + 2]
        assert (dots.width, dots.color) == (0.0, line.color)
        assert numbers[dots.x] == pytest.approx(np.degrees(ANGLES))
        assert numbers[dots.y] == pytest.approx([-TRUE * load * alpha for alpha in ANGLES])
        assert numbers[line.y] == pytest.approx(-GIVEN * load * np.radians(numbers[line.x]), rel=1e-9)


def test_a_fit_finds_what_regression_finds(tmp_path):
    path = book(tmp_path / "tyre.xlsx", Study=[("setting", "value"), ("method", "fit")])
    assert fit_tyres(study_of(path)).values[0] == pytest.approx(TRUE, rel=1e-8)


def test_a_study_varies_its_coefficients(tmp_path):
    study = {"Study": [("setting", "value"), ("method", "one at a time")]}
    study["Variables"] = [("name", "cell", "low", "high"), ("c", "'Tyre coefficients'!C2", 18.0, 22.0)]
    study["Responses"] = [("name", "of"), ("miss", "measured(side)")]
    path = book(tmp_path / "tyre.xlsx", **study)
    found = run_study(path, path.read_bytes(), StudyOptions(workers=1))
    assert found.variants.done.all()
    for (stiffness,), (miss,) in zip(found.variants.values, found.variants.responses, strict=True):
        assert miss == pytest.approx(expected(stiffness), rel=1e-9)


@pytest.mark.parametrize(
    ("sheets", "place", "words"),
    [
        ({name: rows[:1] for name, rows in SHEETS.items()}, "Tyres", "name a tyre"),
        ({"Measurements": [("name", "of"), ("toe", "FL.toe")]}, "Measurements!B2", "T.fy"),
        ({"Measurements": [("name", "of"), ("load", "T.fz")]}, "Measurements!B2", "T.fy"),
        ({"Tyre data": [("tyre", "fz", "alpha", "fy"), ("U", 1000, 0.1, -5)]}, "Tyre data!A2", "U"),
    ],
)
def test_mistakes_are_told_at_their_cells(tmp_path, sheets, place, words):
    with pytest.raises(sheetmbs.WorkbookError) as raised:
        sheetmbs.run(book(tmp_path / "wrong.xlsx", **sheets))
    found = [str(each) for each in raised.value.problems]
    assert any(place in each and words in each for each in found), found


def test_nothing_moves_so_there_is_no_page(tmp_path, call):
    path = book(tmp_path / "tyre.xlsx")
    status, _out, err = call("view", path, "--html", tmp_path / "page.html")
    assert status == 2
    assert "mbs Tyres" in err
    assert not (tmp_path / "page.html").exists()
    assert call("check", path)[0] == 0

"""Responses and targets may be the rms residual of a measurement, the same that a plain run of the variant gives."""

from __future__ import annotations

import numpy as np
import pytest

import sheetmbs
from sheetmbs.studies.running.run_study import StudyOptions, run_study
from sheetmbs.studies.sheets.study_sheets import study_sheets
from sheetmbs.suspension.run_suspension import run_suspension
from tests.measured.test_measured_mechanism import ROWS, SPEED, TIMES, save
from tests.support.car_books import car_book
from tests.support.sample_results import loaded_sheet

STUDY = [("setting", "value"), ("method", "one at a time")]
SWEEPS = [("name", "type", "travel_from", "travel_to", "travel_step"), ("heave", "heave", "-20 mm", "20 mm", "10 mm")]
CAR = {
    "Sweeps": SWEEPS,
    "Measurements": [("name", "of", "column", "sweep"), ("rig toe", "FL.toe", "gauge", "heave")],
    "Measured": [("travel", "gauge"), ("mm", "deg"), (-12, -0.3), (0, -0.1), (7, 0.1)],
    "Study": STUDY,
    "Variables": [("name", "cell", "low", "high", "how"), ("z", "Hardpoints!E8", -1, 1, "offset")],
}


def studied(path):
    return run_study(path, path.read_bytes(), StudyOptions(workers=1))


@pytest.mark.parametrize("of", ["measured(rig toe)", "2*measured('rig toe') - measured( RIG TOE )"])
def test_a_response_of_a_suspension_is_the_rms_residual_of_the_variant(tmp_path, of):
    book = car_book(tmp_path / "car.xlsx", others=CAR | {"Responses": [("name", "of"), ("miss", of)]})
    found = studied(book)
    cell = found.study.variables[0]
    assert found.variants.done.all()
    for values, (miss,) in zip(found.variants.values, found.variants.responses, strict=True):
        plain = run_suspension(book, changes={"Hardpoints!E8": float(values[0])})
        assert miss == pytest.approx(plain.measured[0].rms, rel=1e-12), cell
    assert len({round(float(each), 9) for each in found.variants.responses[:, 0]}) == len(found.variants.values) > 2
    assert found.study.responses[0].unit == "deg"


def test_a_response_beside_others_and_readings_that_vary(tmp_path):
    responses = [("name", "of", "case"), ("miss", "measured(rig toe)", ""), ("toe", "max(FL.toe)", "heave")]
    variables = [("name", "cell", "low", "high"), ("reading", "Measured!B4", -0.2, 0.0)]
    book = car_book(tmp_path / "car.xlsx", others=CAR | {"Responses": responses, "Variables": variables})
    found = studied(book)
    for values, (miss, _toe) in zip(found.variants.values, found.variants.responses, strict=True):
        plain = run_suspension(book, changes={"Measured!B4": float(values[0])})
        assert miss == pytest.approx(plain.measured[0].rms, rel=1e-12)


def test_a_response_of_a_mechanism_is_the_rms_residual_of_the_variant(tmp_path):
    readings = [("t", "h"), ("s", "m"), *((t, 0.22 * np.sin(SPEED * t)) for t in TIMES[:4])]
    book = save(
        tmp_path / "arm.xlsx",
        Measurements=ROWS,
        Measured=readings,
        Study=STUDY,
        Variables=[("name", "cell", "low", "high"), ("radius", "Bodies!D2", 0.18, 0.24)],
        Responses=[("name", "of", "unit"), ("miss", "measured(height)", "mm")],
    )
    found = studied(book)
    for (radius,), (miss,) in zip(found.variants.values, found.variants.responses, strict=True):
        exact = 1e3 * abs(0.22 - radius) * np.sqrt(np.mean(np.sin(SPEED * TIMES[:4]) ** 2))
        assert miss == pytest.approx(exact, abs=1e-4)
        plain = sheetmbs.run(book, changes={"Bodies!D2": float(radius)})
        assert miss == pytest.approx(1e3 * plain.measured[0].rms, rel=1e-12)


def test_charts_of_curves_show_measured_points_beside_all_variants(tmp_path):
    """Those of the column and sweep that a response reads, as dots at their own x."""
    responses = [("name", "of", "case", "curve"), ("toe", "range(FL.toe)", "heave", "")]
    book = car_book(tmp_path / "car.xlsx", others=CAR | {"Responses": responses})
    found = studied(book)
    pages = {page.name: page for page in study_sheets(found).pages}
    chart = next(each for each in pages["mbs Study Charts"].charts if each.title.startswith("FL.toe over travel"))
    dots = next(line for line in chart.lines if line.name == "measured rig toe")
    numbers = {f"mbs Study Curves!{column.name}": column.data for column in pages["mbs Study Curves"].columns}
    assert dots.width == 0.0
    assert list(numbers[dots.x]) == [-12, 0, 7]
    assert list(numbers[dots.y]) == [-0.3, -0.1, 0.1]


def test_an_unknown_measurement_is_told_with_the_nearest(tmp_path):
    book = car_book(tmp_path / "car.xlsx", others=CAR | {"Responses": [("name", "of"), ("miss", "measured(rig to)")]})
    with pytest.raises(sheetmbs.WorkbookError, match=r"measured\(rig toe\)"):
        studied(book)


def test_a_target_may_be_the_rms_residual(tmp_path):
    targets = [("metric", "max"), ("measured(rig toe)", "0.05 deg"), ("Measured(rig toe)", "5 deg")]
    book = car_book(tmp_path / "car.xlsx", others={**CAR, "Targets": targets})
    results = run_suspension(book)
    assert [each.value for each in results.targets] == pytest.approx([results.measured[0].rms] * 2)
    assert [each.is_met for each in results.targets] == [results.measured[0].rms < 0.05, True]
    results.save()
    page = loaded_sheet(book, "mbs Suspension")
    texts = " ".join(str(cell.value) for row in page.iter_rows() for cell in row if cell.value)
    assert "measured(rig toe)" in texts


def test_a_target_of_an_unknown_measurement_is_told_at_its_cell(tmp_path):
    targets = [("metric", "max"), ("measured(rig to)", "0.05 deg")]
    with pytest.raises(sheetmbs.WorkbookError, match=r"Targets!A2.*measured\(rig toe\)"):
        run_suspension(car_book(tmp_path / "car.xlsx", others={**CAR, "Targets": targets}))


@pytest.fixture(scope="module")
def tyre(tmp_path_factory):
    """A car on a linear tyre with three readings of its side force."""
    data = [("tyre", "fz", "alpha", "fy"), ("T", 1000, 0.01, -200), ("T", 1000, 0.02, -500), ("T", 1500, 0.03, -900)]
    sheets = {
        "Tyres": [("name", "model"), ("T", "linear")],
        "Tyre coefficients": [("tyre", "coefficient", "value"), ("T", "cornering stiffness per load", 20.0)],
        "Tyre data": data,
        "Measurements": [("name", "of"), ("side", "T.fy")],
        "Sweeps": SWEEPS,
    }
    return tmp_path_factory.mktemp("tyre"), sheets


def rms_of_tyre(stiffness):
    """N, of a side force of -stiffness x load x slip angle."""
    missed = [-200 + stiffness * 10, -500 + stiffness * 20, -900 + stiffness * 45]
    return float(np.sqrt(np.mean(np.square(missed))))


def test_a_response_may_be_the_rms_residual_of_a_tyre(tyre):
    folder, sheets = tyre
    study = {"Study": STUDY, "Responses": [("name", "of"), ("miss", "measured(side)")]}
    study["Variables"] = [("name", "cell", "low", "high"), ("c", "'Tyre coefficients'!C2", 18.0, 26.0)]
    found = studied(car_book(folder / "study.xlsx", others=sheets | study))
    assert found.variants.done.all()
    for (stiffness,), (miss,) in zip(found.variants.values, found.variants.responses, strict=True):
        assert miss == pytest.approx(rms_of_tyre(stiffness), rel=1e-9)


def test_targets_of_all_designs_may_be_the_rms_residual_of_a_tyre(tyre):
    folder, sheets = tyre
    targets = [("metric", "max"), ("measured(side)", "30 N")]
    own = [("tyre", "coefficient", "value", "design"), ("T", "cornering stiffness per load", 20.0, None)]
    own += [("T", "cornering stiffness per load", 24.0, "stiff")]
    designs = [("name",), ("base",), ("stiff",)]
    changed = sheets | {"Targets": targets, "Tyre coefficients": own, "Designs": designs}
    results = run_suspension(car_book(folder / "targets.xlsx", others=changed))
    assert [each.value for each in results.targets] == pytest.approx([rms_of_tyre(20.0), rms_of_tyre(24.0)], rel=1e-9)
    assert results.measured[0].rms == pytest.approx(rms_of_tyre(20.0), rel=1e-9)

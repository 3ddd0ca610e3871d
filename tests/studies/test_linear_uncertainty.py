"""Tolerances carried by derivatives against closed forms and against samples."""

import numpy as np
import openpyxl
import pytest

from sheetmbs.design_study import run_study_book
from sheetmbs.studies.running.run_study import StudyOptions
from tests.studies import study_books
from tests.studies.fit_books import TIMES, run_fit, save_fit, slider_crank, torque_columns
from tests.studies.study_books import MASS, RATE, sag

MASS_SD, HALF_RANGE = 0.02, 20.0
VARIABLES = [
    ["name", "cell", "low", "high", "distribution", "sd"],
    ["mass", "Dimensions!B2", None, None, "normal", MASS_SD],
    ["rate", "Dimensions!B3", RATE - HALF_RANGE, RATE + HALF_RANGE, "uniform", None],
]


def weight(path, variables=VARIABLES, responses=study_books.RESPONSES, **settings):
    """The weight on springs with a tolerance."""
    sheets = {"Study": study_books.study("tolerance", **settings), "Variables": variables, "Responses": responses}
    return study_books.save_weight(path, sheets)


def test_sd_and_shares_of_a_weight_on_springs_are_those_of_its_closed_form(tmp_path):
    found = study_books.run(weight(tmp_path / "weight.xlsx", linear="yes")).uncertainty
    by_mass = sag(MASS, RATE) / MASS * MASS_SD
    by_rate = sag(MASS, RATE) / RATE * 2.0 * HALF_RANGE / np.sqrt(12.0)
    sd = np.hypot(by_mass, by_rate)
    assert found.sd == pytest.approx([sd], rel=1e-6)
    assert found.shares[0] == pytest.approx([(by_mass / sd) ** 2, (by_rate / sd) ** 2], rel=1e-6)


def test_a_triangular_variable_has_its_own_sd(tmp_path):
    rows = [VARIABLES[0], ["mass", "Dimensions!B2", 1.9, 2.3, "triangular", None]]
    found = study_books.run(weight(tmp_path / "weight.xlsx", rows, linear="yes")).uncertainty
    low, high, peak = 1.9, 2.3, MASS
    sd = np.sqrt((low**2 + high**2 + peak**2 - low * high - low * peak - high * peak) / 18.0)
    assert found.sd == pytest.approx([sag(MASS, RATE) / MASS * sd], rel=1e-6)


@pytest.mark.nightly
def test_the_linear_sd_is_that_of_samples_where_the_curvature_is_small(tmp_path):
    linear = study_books.run(weight(tmp_path / "linear.xlsx", linear="yes")).uncertainty
    sampled = study_books.run(weight(tmp_path / "sampled.xlsx", samples=4000)).variants.responses[1:, 0]
    assert linear.curvature[0] < 0.05
    noise = 4.0 / np.sqrt(2.0 * 4000)  # four standard deviations of that of a sample
    assert linear.sd[0] == pytest.approx(np.std(sampled, ddof=1), rel=0.05 + noise)


def test_curvature_is_that_of_the_step_of_one_sd_and_a_bent_response_is_to_be_sampled(tmp_path):
    rows = [VARIABLES[0], ["rate", "Dimensions!B3", None, None, "normal", 200.0]]
    found = study_books.run(weight(tmp_path / "bent.xlsx", rows, linear="yes")).uncertainty
    ahead, behind, here = sag(MASS, RATE + 200.0), sag(MASS, RATE - 200.0), sag(MASS, RATE)
    assert found.curvature == pytest.approx([abs(ahead + behind - 2.0 * here) / abs(ahead - behind)], rel=1e-9)
    assert found.notes == ["not linear: sample it"]


def test_a_response_at_its_minimum_has_no_sd_no_shares_and_is_to_be_sampled(tmp_path):
    responses = [["name", "of", "unit"], ["off", "(first(load.y) + 0.02)^2", "mm^2"]]
    found = study_books.run(weight(tmp_path / "least.xlsx", VARIABLES[:2], responses, linear="yes")).uncertainty
    assert found.sd == pytest.approx([0.0], abs=1e-6)
    assert np.isnan(found.shares).all()
    assert found.notes == ["not linear: sample it"]


def test_the_sheet_has_the_columns_of_the_page_and_bands_stand_beside_their_curves(tmp_path):
    sheets = dict(slider_crank())
    path = save_fit(
        tmp_path / "crank.xlsx",
        {
            **sheets,
            "Variables": [["name", "cell", "distribution", "sd"], ["slider mass", "Bodies!B4", "normal", 0.1]],
            "Responses": [["name", "of"], ["torque", "max(motor.moment)"]],
            "Study": [["setting", "value"], ["method", "tolerance"], ["linear", "yes"]],
        },
    )
    study = run_study_book(path, StudyOptions(workers=1))
    study.save(path)
    book = openpyxl.load_workbook(path)
    head, units, row, *_ = book["mbs Uncertainty"].iter_rows(values_only=True)
    assert head[:6] == ("response", "value", "sd", "curvature", "note", "slider mass")
    assert (units[3], units[5], row[5]) == ("%", "%", pytest.approx(100.0))
    columns = {column[0]: column[2:] for column in book["mbs Study Curves"].iter_cols(values_only=True)}
    wanted = 0.1 * np.abs(torque_columns()[:, 2])  # the torque is linear in the mass
    assert columns["motor.moment.sd"][: len(TIMES)] == pytest.approx(wanted, abs=1e-9)


def test_a_fit_needs_no_response_but_may_have_some(tmp_path):
    truth = torque_columns() @ [1.8, 0.9, 1.6, 2.0, 1.0]
    path = save_fit(
        tmp_path / "crank.xlsx",
        {
            **slider_crank(),
            "Measured": [["time", "torque"], *([float(t), float(m)] for t, m in zip(TIMES, truth, strict=True))],
            "Measurements": [["name", "of", "column", "sd"], ["torque", "motor.moment", "torque", 0.01]],
            "Variables": [["name", "cell", "sd"], ["slider mass", "Bodies!B4", 0.5]],
            "Responses": [["name", "of"], ["largest", "max(motor.moment)"]],
            "Study": [["setting", "value"], ["method", "fit"]],
        },
    )
    found = run_fit(path)
    assert found.variants.responses[-1, 0] == pytest.approx(truth.max(), rel=1e-3)

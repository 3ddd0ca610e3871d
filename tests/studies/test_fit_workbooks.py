"""Fits of workbooks: a slider-crank whose torque is linear in masses, and a car whose unseen directions are known."""

import numpy as np
import openpyxl
import pytest
from scipy.stats import chi2

import sheetmbs
from sheetmbs.all_products import varied
from sheetmbs.design_study import apply_variant, best_variant, run_study_book
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.studies.running.run_study import StudyOptions
from sheetmbs.workbook.cells.cells import open_book
from tests.studies.fit_books import TIMES, run_fit, save_fit, slider_crank, torque_columns, torque_fit
from tests.studies.fit_cars import COLUMNS, STEER, TEMPLATES, coordinates, planted
from tests.support.opened import sheet_values

TRUTH = np.array([1.8, 0.9, 1.6, 2.4])
START = np.array([1.8, 0.9, 1.4, 2.0])
VARIABLES = [
    ["name", "cell", "low", "high", "sd"],
    ["crank mass", "Bodies!B2", None, None, 0.3],
    ["rod mass", "Bodies!B3", 0.5, 1.5, None],
    ["slider mass", "Bodies!B4", None, None, 0.5],
    ["damping", "Springs!H2", 0.0, 10.0, None],
]
SD = 0.01


def readings(seed=1):
    """Torque of the true slider-crank with noise."""
    return torque_columns() @ [*TRUTH, 1.0] + SD * np.random.default_rng(seed).standard_normal(len(TIMES))


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """The workbook with its fit written."""
    path = torque_fit(tmp_path_factory.mktemp("fit") / "crank.xlsx", readings(), VARIABLES)
    study = run_study_book(path, StudyOptions(workers=1))
    study.save(path)
    return path, study.found.fit, study


def sheet(path, name):
    """Headers and rows below the units of a result sheet."""
    head, _units, *rows = sheet_values(path, name)
    return [dict(zip(head, row, strict=True)) for row in rows]


def test_torque_of_the_product_is_that_of_virtual_power(tmp_path):
    results = sheetmbs.run(save_fit(tmp_path / "crank.xlsx", slider_crank()))
    torque = next(t for t in results.sheets.tables if "motor.moment" in t.columns)
    found = torque.values[:, torque.columns.index("motor.moment")]
    assert found == pytest.approx(torque_columns() @ [*START, 1.0], abs=1e-12)


def test_masses_and_damping_of_a_slider_crank_are_the_linear_regression(written):
    _path, fit, _study = written
    matrix = torque_columns()[:, :4] / SD
    precision = matrix.T @ matrix + np.diag([0.3**-2.0, 0.0, 0.5**-2.0, 0.0])
    residual = (readings() - torque_columns() @ [*START, 1.0]) / SD
    wanted = START + np.linalg.solve(precision, matrix.T @ residual)
    covariance = np.linalg.inv(precision)
    assert fit.values == pytest.approx(wanted, abs=1e-7)
    assert fit.estimate.covariance == pytest.approx(covariance, rel=1e-6)
    left = residual - matrix @ (wanted - START)
    determined = np.trace(matrix @ covariance @ matrix.T)
    assert fit.estimate.chi2 == pytest.approx(left @ left, rel=1e-8)
    assert fit.estimate.dof == pytest.approx(len(TIMES) - determined, rel=1e-8)
    assert fit.estimate.probability == pytest.approx(chi2.sf(left @ left, len(TIMES) - determined), rel=1e-6)


def test_the_sheets_have_the_columns_of_the_page_and_the_last_step_is_the_best(written):
    path, fit, _study = written
    variables, measurements = sheet(path, "mbs Fit Variables"), sheet(path, "mbs Fit Measurements")
    assert list(variables[0]) == [
        *("variable", "unit", "before", "after", "change", "sd", "low_95", "high_95", "prior_sd", "prior_share"),
        *("bound", "note"),
    ]
    row = variables[0]
    assert (row["variable"], row["before"], row["prior_sd"]) == ("crank mass", 1.8, 0.3)
    assert row["high_95"] - row["after"] == pytest.approx(1.96 * row["sd"], rel=1e-4)
    assert row["prior_share"] == pytest.approx(100.0 * (row["sd"] / 0.3) ** 2, rel=1e-6)
    assert variables[1]["prior_share"] is None
    assert list(measurements[0])[:8] == [
        *("measurement", "n", "rms_before", "rms_after", "rms_over_sd", "leverage", "left_out", "runs_p"),
    ]
    assert measurements[0]["leverage"] == pytest.approx(fit.estimate.determined, rel=1e-9)
    directions = sheet(path, "mbs Fit Directions")
    assert list(directions[0])[:5] == ["direction", "verdict", "singular_value", "share", "words"]
    assert list(directions[0])[5:] == [each[0] for each in VARIABLES[1:]]
    steps = sheet(path, "mbs Study")
    assert [each["number"] for each in steps] == list(range(len(fit.steps)))
    assert [each["best"] for each in steps] == [None] * (len(steps) - 1) + ["best"]
    assert steps[-1]["slider mass"] == pytest.approx(fit.values[2], rel=1e-9)
    assert "mbs Fit" in openpyxl.load_workbook(path).sheetnames


def test_correlations_are_the_darker_the_larger_they_are(written):
    path, fit, _study = written
    page = openpyxl.load_workbook(path)["mbs Fit"]
    first = next(cell.row for (cell,) in page.iter_rows(max_col=1) if cell.value == "Correlation") + 2
    size = len(fit.values)
    cells = [page.cell(first + a, 2 + b) for a in range(size) for b in range(size)]

    def shade(cell):
        red, green, blue = (int(cell.fill.fgColor.rgb[k : k + 2], 16) for k in (2, 4, 6))
        return (1 if blue >= red else -1) * (765 - red - green - blue) if cell.fill.patternType else 0

    shades = [shade(each) for each in sorted(cells, key=lambda each: each.value)]
    assert shades == sorted(shades)
    assert len(set(shades)) >= 3
    assert max(shades) == shade(cells[0])


def test_the_last_step_applied_is_a_workbook_with_the_fitted_cells(written, tmp_path):
    path, fit, _study = written
    apply_variant(path, best_variant(path), tmp_path / "applied.xlsx")
    book = openpyxl.load_workbook(tmp_path / "applied.xlsx")
    assert [book["Bodies"]["B2"].value, book["Springs"]["H2"].value] == pytest.approx(fit.values[[0, 3]], rel=1e-12)


def test_the_answer_says_how_many_numbers_the_data_determine(written):
    _path, _fit, study = written
    assert study.answer[0].startswith("Of 4 numbers these data determine 4.0; of 4 directions 4 seen")


def test_estimated_intervals_do_not_depend_on_the_sd_that_is_given(tmp_path):
    free = [VARIABLES[0], *([name, cell, -50.0, 50.0, None] for name, cell, *_ in VARIABLES[1:])]
    free[1][2] = 0.01
    for row in free[1:]:
        row[2] = 0.01
    found = [
        run_fit(torque_fit(tmp_path / f"{sd}.xlsx", readings(), free, sd=sd, interval="estimated")).fit.estimate
        for sd in (0.01, 0.05)
    ]
    assert found[0].sd == pytest.approx(found[1].sd, rel=1e-5)


def test_masses_that_only_the_prior_separates_are_told(tmp_path):
    """A weight on two stacked bodies: torque sees one sum of two masses, and the other direction is unseen."""
    sheets = dict(slider_crank())
    sheets["Bodies"] = [*sheets["Bodies"], ["load", 0.5, 0.001, 0.25, 0.0]]
    sheets["Joints"] = [*sheets["Joints"], ["weld", "fixed", "slider", "load", "C"]]
    path = torque_fit(
        tmp_path / "two.xlsx",
        readings(),
        [["name", "cell", "sd"], ["slider mass", "Bodies!B4", 0.5], ["load mass", "Bodies!B5", 0.5]],
        more={name: sheets[name] for name in ("Bodies", "Joints")},
    )
    fit = run_fit(path).fit
    assert [each.found.verdict for each in fit.directions] == ["seen", "unseen"]
    assert np.abs(fit.directions[1].found.parts) == pytest.approx([0.5**0.5] * 2, abs=1e-6)
    assert fit.estimate.determined == pytest.approx(1.0, abs=1e-3)
    assert "no measured column changes" in fit.directions[1].words


MISTAKES = {
    "neither sd nor bounds": ({"sd": None}, "Variables!E2", "an sd, or both low and high"),
    "one bound": ({"sd": None, "low": 0.1}, "Variables!D2", "an sd, or both low and high"),
    "sd of 0": ({"sd": 0.0}, "Variables!E2", "greater than 0"),
    "low above high": ({"low": 3.0, "high": 1.0}, "Variables!D2", "low is 3 and high is 1"),
    "outside": ({"low": 2.0, "high": 3.0}, "Variables!C2", "outside of the bounds 2 to 3"),
    "formula": ({"cell": "Bodies!F2"}, "Variables!B2", "holds a formula"),
    "twice": ({"cell": "Bodies!B3"}, "Variables!B3", "also varies"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_in_a_variable_is_told_at_its_cell(tmp_path, name):
    changes, cell, rule = MISTAKES[name]
    row = {"name": "crank mass", "cell": "Bodies!B2", "low": None, "high": None, "sd": 0.3} | changes
    sheets = dict(slider_crank())
    sheets["Bodies"] = [[*sheets["Bodies"][0], "vx"], [*sheets["Bodies"][1], "=B3*0"], *sheets["Bodies"][2:]]
    path = torque_fit(
        tmp_path / "wrong.xlsx",
        readings(),
        [VARIABLES[0], list(row.values()), VARIABLES[2]],
        more={"Bodies": sheets["Bodies"]},
    )
    with pytest.raises(WorkbookError) as error:
        run_fit(path)
    told = {each.cell: f"{each.found} {each.problem}" for each in error.value.problems}
    assert rule in told[cell]


def test_a_fit_without_an_sd_and_one_whose_readings_lie_elsewhere_are_told(tmp_path):
    path = torque_fit(tmp_path / "none.xlsx", readings(), VARIABLES, sd=None)
    with pytest.raises(WorkbookError, match="no row of Measurements has an sd"):
        run_fit(path)
    late = {"Measured": [["time", "torque"], ["s", "N*m"], *([float(t) + 9.0, 1.0] for t in TIMES)]}
    path = torque_fit(tmp_path / "late.xlsx", readings(), VARIABLES, more=late)
    with pytest.raises(WorkbookError, match=r"no reading lies where motor\.moment is computed"):
        run_fit(path)


def test_a_variable_that_moves_no_measured_column_is_an_unseen_direction(tmp_path):
    rows = [*VARIABLES[:2], ["idle", "Bodies!C4", None, None, 0.0005]]  # the slider does not turn
    fit = run_fit(torque_fit(tmp_path / "idle.xlsx", readings(), rows)).fit
    assert fit.directions[-1].found.verdict == "unseen"
    assert fit.directions[-1].found.parts == pytest.approx([0.0, 1.0], abs=1e-12)
    assert fit.estimate.prior_share[1] == pytest.approx(1.0)


def test_the_example_finds_the_masses_that_its_readings_were_made_with():
    fit = run_fit(TEMPLATES.parent / "workbooks" / "crank-fit.xlsx").fit
    planted_numbers = np.array([0.9, 1.6, 2.4])
    off = (fit.values - planted_numbers) / fit.estimate.sd
    assert np.all(np.abs(off) < 4.0)
    assert fit.estimate.sd[1] < 0.03


def test_a_measured_case_runs_though_it_is_not_the_usual_one(tmp_path):
    sheets = dict(slider_crank())
    sheets["Settings"] = [
        [*sheets["Settings"][0], "case slow", "case fast"],
        *([*row, None, None][:5] if len(row) == 3 else [*row, None, None, None] for row in sheets["Settings"][1:]),
    ]
    truth = torque_columns() @ [1.8, 0.9, 1.6, 2.0, 1.0]
    path = torque_fit(
        tmp_path / "cases.xlsx",
        truth,
        [["name", "cell", "sd"], ["slider mass", "Bodies!B4", 0.5]],
        more={
            "Settings": sheets["Settings"],
            "Measurements": [["name", "of", "column", "sweep", "sd"], ["torque", "motor.moment", "torque", "fast", SD]],
        },
    )
    fit = run_fit(path).fit
    assert fit.measurements[0].case == "fast"
    assert fit.values == pytest.approx([1.6], abs=1e-3)


def test_the_mass_of_a_segment_of_gait_is_found_from_joint_moments(tmp_path):
    book = openpyxl.load_workbook(TEMPLATES / "gait-2d-leg.xlsx")
    book["Segments"]["J4"] = 0.0465  # of the shank, as Winter has it
    book.save(tmp_path / "drawn.xlsx")
    names = ("time", "right hip.moment", "right knee.moment")
    subject = varied(open_book(tmp_path / "drawn.xlsx"), ())
    subject.prepare({"": {"mbs Gait series": names}})
    table = subject.solve({("Segments", "J4"): 0.06})[""].tables["mbs Gait series"]
    rows = table.values[::8, [table.columns.index(name) for name in names]]
    random = np.random.default_rng(0)
    for name, table_rows in {
        "Measured": [
            ["time", "hip", "knee"],
            *([t, *(m + 0.005 * random.standard_normal(2))] for t, *m in rows.tolist()),
        ],
        "Measurements": [
            ["name", "of", "column", "sd"],
            *([n, f"right {n}.moment", n, 0.005] for n in ("hip", "knee")),
        ],
        "Variables": [["name", "cell", "sd"], ["shank mass", "Segments!J4", 0.01]],
        "Study": [["setting", "value"], ["method", "fit"]],
    }.items():
        sheet = book.create_sheet(name)
        for row in table_rows:
            sheet.append(row)
    book.save(tmp_path / "fit.xlsx")
    fit = run_fit(tmp_path / "fit.xlsx").fit
    assert abs(fit.values[0] - 0.06) < 4.0 * fit.estimate.sd[0] < 0.002


# ------------------------------------------------------------------ a car
@pytest.fixture(scope="module")
def car(tmp_path_factory):
    """The fit of 24 coordinates of the double wishbone to heave and steer, from a car drawn from the prior."""
    source = TEMPLATES / "suspension-double-wishbone.xlsx"
    rows = coordinates(source)
    truth = np.array([value for *_, value in rows]) + np.random.default_rng(3).standard_normal(len(rows))
    path = tmp_path_factory.mktemp("car") / "car.xlsx"
    planted(source, path, {"heave": COLUMNS, "steer": STEER}, rows, truth, noise=5)
    return truth, run_fit(path).fit


def test_of_24_coordinates_heave_and_steer_determine_14(car):
    _truth, fit = car
    assert fit.estimate.determined == pytest.approx(13.5, abs=0.3)
    assert fit.converged


def test_pivots_that_slide_along_their_hinges_are_named(car):
    _truth, fit = car
    unseen = {each.words for each in fit.directions if each.found.verdict == "unseen"}
    assert unseen == {
        f"the {arm} arm's {end} pivot may slide along its hinge by any amount: no measured column changes"
        for arm in ("lower", "upper")
        for end in ("front", "rear")
    }


def test_whole_arms_and_tie_rods_move_by_a_hands_breadth(car):
    _truth, fit = car
    weakest = [each for each in fit.directions if each.found.verdict == "weak"][-3:]
    assert [1.0 / each.found.singular_value for each in weakest] == pytest.approx([88.0, 204.0, 211.0], rel=0.12)
    assert any(each.words.startswith("tie rod moved up as a whole") for each in weakest)


def test_what_is_planted_lies_within_its_bands_as_a_whole(car):
    truth, fit = car
    off = fit.values - truth
    distance = off @ np.linalg.solve(fit.estimate.covariance, off)
    assert chi2.ppf(1e-4, len(truth)) < distance < chi2.ppf(1.0 - 1e-4, len(truth))


def test_the_ball_joints_are_known_best(car):
    _truth, fit = car
    sd = dict(
        zip(
            [name for name, *_ in coordinates(TEMPLATES / "suspension-double-wishbone.xlsx")],
            fit.estimate.sd,
            strict=True,
        )
    )
    assert sd["lower ball joint.x"] < 0.2
    assert sd["tie rod outer.x"] == pytest.approx(0.08, abs=0.04)
    assert sd["lower arm front.x"] > 0.9

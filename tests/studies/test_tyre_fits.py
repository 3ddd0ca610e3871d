"""Fits of tyres: planted coefficients are found, and what readings cannot see is said."""

from dataclasses import replace

import numpy as np
import openpyxl
import pytest

from sheetmbs.problems.errors import WorkbookError
from sheetmbs.studies.derived.measured_model import fit_space
from sheetmbs.studies.fitting.estimate import estimate
from sheetmbs.studies.fitting.staged_tyre_fit import fit_in_stages
from sheetmbs.studies.fitting.tyre_residuals import readings_of
from sheetmbs.tyres.coefficient_model import CoefficientModel
from tests.studies.tyre_books import COLD, LOADS, fitted, readings, states, study_of, tyre_book
from tests.support.tyres import of_file

LATERAL = np.linspace(-12.0, 12.0, 17)


def truth(name):
    return getattr(of_file(61).kernel.magic, name.lower())


@pytest.fixture(scope="module")
def lateral(tmp_path_factory):
    """Fy of a tyre with camber and at three pressures, from a cold start."""
    leaning = states(LATERAL, gammas=(-4, -2, 0, 2, 4), loads=LOADS[::2])
    at = np.vstack([leaning, states(LATERAL, gammas=(0.0, 4.0), loads=LOADS[::2], pressures=(220e3, 300e3))])
    rows, sd = readings(at, ("fy",))
    return fitted(tyre_book(tmp_path_factory.mktemp("lateral"), rows, [("side", "T.fy", sd["fy"])])), at


def test_planted_coefficients_are_found_within_their_intervals(lateral):
    (found, values), _at = lateral
    seen = {name: each for name, each in values.items() if np.isfinite(each[1])}
    assert len(seen) >= 26
    errors = np.array([(value - truth(name)) / sd for name, (value, sd, _note) in seen.items()])
    assert np.abs(errors).max() < 3.5
    assert np.mean(errors**2) < 2.0
    assert found.converged
    assert found.estimate.probability > 0.01


def test_forces_are_met_far_better_than_single_readings(lateral):
    (found, _values), at = lateral
    own = found.measurements[0]
    planted = of_file(61)
    assert own.rms_after < 0.2 * own.rms_before
    assert own.rms_over_sd == pytest.approx(1.0, abs=0.1)
    assert own.leverage == pytest.approx(found.estimate.determined)
    exact = planted.evaluate(at).force("fy")
    assert np.sqrt(np.mean((own.after - exact) ** 2)) < 0.003 * np.abs(exact).max()


def test_coefficients_without_readings_stay_and_are_named(lateral):
    (found, values), _at = lateral
    combined = [name for name in values if name.startswith("R")]
    assert len(combined) == 15
    for name in combined:
        value, sd, note = values[name]
        assert value == found.space.start[list(values).index(name)]
        assert np.isnan(sd)
        assert "no reading has a slip ratio and a slip angle together" in note
    unseen = [each.words for each in found.directions if each.found.verdict == "unseen"]
    assert len(unseen) == 15
    assert all(any(words.startswith(name) for words in unseen) for name in combined)


def test_one_load_does_not_tell_how_forces_change_with_it(tmp_path):
    rows, sd = readings(states(LATERAL, loads=(4000.0,)), ("fy",))
    found, values = fitted(tyre_book(tmp_path, rows, [("side", "T.fy", sd["fy"])]))
    for name in ("PDY2", "PEY2", "PHY2", "PVY2"):
        value, _sd, note = values[name]
        assert value == 0.0
        assert "all readings have one load" in note
    assert np.isnan(values["PDY1"][1]), "PDY1 and PDY2 are not told apart"
    words = " / ".join(each.words for each in found.directions if each.found.verdict == "unseen")
    assert "PDY1" in words
    assert any("do not see" in each for each in found.remarks)


def test_a_linear_tyre_is_fitted_as_linear_regression_does(tmp_path):
    random = np.random.default_rng(5)
    alpha, load = (each.ravel() for each in np.meshgrid(np.linspace(-0.05, 0.05, 11), (500.0, 1000.0, 1500.0)))
    fy = -31.0 * load * alpha + 4.0 * random.standard_normal(alpha.shape)
    rows = [(fz, a, None, None, None, None, f) for fz, a, f in zip(load, alpha, fy, strict=True)]
    path = tyre_book(
        tmp_path, rows, [("side", "T.fy", 4.0)], model="linear", coefficients=[("cornering stiffness per load", 20.0)]
    )
    _found, values = fitted(path)
    x = -load * alpha
    value, sd, _note = values["cornering stiffness per load"]
    assert value == pytest.approx(float(x @ fy / (x @ x)), rel=1e-8)
    assert sd == pytest.approx(4.0 / np.sqrt(x @ x), rel=1e-6)


def test_priors_of_variables_pull_as_bayes_has_it(tmp_path):
    alpha = np.linspace(-0.05, 0.05, 11)
    fy = -30.0 * 1000.0 * alpha
    rows = [(1000.0, a, None, None, None, None, f) for a, f in zip(alpha, fy, strict=True)]
    path = tyre_book(
        tmp_path,
        rows,
        [("side", "T.fy", 100.0)],
        model="linear",
        coefficients=[("cornering stiffness per load", 20.0)],
        variables=[("c", "'Tyre coefficients'!C2", None, None, 1.0)],
    )
    found, values = fitted(path)
    information = (1000.0**2 * alpha @ alpha) / 100.0**2
    assert values["c"][0] == pytest.approx((30.0 * information + 20.0) / (information + 1.0), rel=1e-7)
    assert values["c"][1] == pytest.approx(1.0 / np.sqrt(information + 1.0), rel=1e-6)
    assert found.estimate.prior_share[0] == pytest.approx(1.0 / (information + 1.0), rel=1e-6)


def test_a_coefficient_at_its_bound_makes_the_intervals_of_the_others_doubtful(tmp_path):
    alpha = np.linspace(-0.2, 0.2, 21)
    rows = [(1000.0, a, None, None, None, None, -1000.0 * float(np.clip(30.0 * a, -1.5, 1.5))) for a in alpha]
    path = tyre_book(
        tmp_path,
        rows,
        [("side", "T.fy", 10.0)],
        model="linear",
        coefficients=[("cornering stiffness per load", 20.0), ("friction", 1.2)],
        variables=[
            ("c", "'Tyre coefficients'!C2", 10.0, 60.0, None),
            ("mu", "'Tyre coefficients'!C3", 1.0, 1.3, None),
        ],
    )
    found, values = fitted(path)
    assert values["mu"][0] == 1.3
    assert any(
        each.startswith("mu is held at a bound: intervals of the other coefficients of T") for each in found.remarks
    )


def test_a_coefficient_that_improves_the_fit_by_no_more_than_noise_stays_and_is_named(tmp_path):
    """At three loads the stiffness may have many shapes over load: PKY4 has no value of its own."""
    at = states(np.linspace(-12.0, 12.0, 11), gammas=(-4.0, 0.0, 4.0), loads=LOADS[::2])
    rows, sd = readings(at, ("fy",), seed=2)
    found, values = fitted(tyre_book(tmp_path, rows, [("side", "T.fy", sd["fy"])]))
    assert values["PKY4"][0] == 2.0
    assert "stays as it is" in values["PKY4"][2]
    assert not any("bound" in each for each in found.remarks)
    assert found.estimate.probability > 0.01


def test_curvature_stays_at_most_1_over_the_range_of_the_data(tmp_path):
    """Readings of a formula whose curvature is 1.2 pull that of the fit up to its limit and no farther."""
    slip, load = (each.ravel() for each in np.meshgrid(np.tan(np.radians(LATERAL / 2.0)), LOADS[::2]))
    stiff = 20.0 * 6752.0 * np.sin(2.0 * np.arctan(load / 6752.0 / 2.0)) / (1.3 * load)
    turned = stiff * slip - 1.2 * (stiff * slip - np.arctan(stiff * slip))
    fy = -load * np.sin(1.3 * np.arctan(turned))
    rows = [(z, float(np.arctan(x)), None, None, None, None, float(f)) for z, x, f in zip(load, slip, fy, strict=True)]
    start = [*(each for each in COLD if each[0] not in ("PCY1", "PEY1")), ("PCY1", 1.3), ("PEY1", 0.5)]
    variables = [(name, f"'Tyre coefficients'!C{2 + k}", -60, 60, None) for k, (name, _) in enumerate(start)]
    path = tyre_book(
        tmp_path,
        rows,
        [("side", "T.fy", 2.0)],
        coefficients=start,
        variables=[each for each in variables if each[0] == "PEY1"],
    )
    tyre = study_of(path).tyres[0].tyre
    found, values = fitted(path)
    at = np.array([(0.0, a, 0.0, z, 260e3, 16.6) for z, a, *_ in rows])
    beyond = CoefficientModel(tyre, tuple(values), at).limits(found.values)[
        "the curvature of the lateral force is at most 1"
    ]
    assert values["PEY1"][0] == pytest.approx(1.0, abs=2e-4)
    assert beyond.max() < 1e-4
    assert any("A limit binds" in each and "curvature of the lateral" in each for each in found.remarks)


def test_mistakes_stand_at_their_cells(tmp_path):
    rows, sd = readings(states(LATERAL, loads=(4000.0,)), ("fy",))

    def problems(measurements, **more):
        with pytest.raises(WorkbookError) as error:
            fitted(tyre_book(tmp_path, rows, measurements, **more))
        return [(each.code, each.cell) for each in error.value.problems]

    assert problems([("a", "T.fy", None)]) == [("no-measurement", "Measurements!A2")]
    assert problems([("a", "T.fx", 1.0), ("b", "T.fy", -1.0), ("c", "T.fq", 1.0), ("d", "FL.toe", 0.01)]) == [
        ("no-readings", "Measurements!B2"),
        ("out-of-range", "Measurements!C3"),
        ("unknown-result", "Measurements!B4"),
        ("mixed-fit", "Measurements!B5"),
    ]
    assert problems([("a", "T.fy", sd["fy"])], variables=[("z", "Hardpoints!C3", -1e6, 1e6, None)]) == [
        ("no-coefficient", "Variables!A2")
    ]
    assert problems([("a", "T.fy", 1.0)], coefficients=(), model="table") == [("no-coefficients", "Measurements!B2")]
    beyond = [*COLD, ("FZMAX", 3000)]
    assert problems([("a", "T.fy", 1.0)], coefficients=beyond) == [("no-reading", "Measurements!B2")]


def test_a_fit_is_written_and_applied_to_a_copy_that_runs(tmp_path, call):
    alpha = np.linspace(-0.04, 0.04, 9)
    rows = [(1000.0, a, None, None, None, None, -30.0 * 1000.0 * a) for a in alpha]
    linear = [("cornering stiffness per load", 20.0), ("friction", 2.0)]
    path = tyre_book(tmp_path, rows, [("side", "T.fy", 5.0)], model="linear", coefficients=linear, Handling=QUIET)
    status, out, err = call("study", path)
    assert status == 0, err
    assert "do not see friction" in out + err
    copy = tmp_path / "applied.xlsx"
    assert call("study", path, "--apply", "best", "-o", copy)[0] == 0
    cells = openpyxl.load_workbook(copy)["Tyre coefficients"]
    assert cells["C2"].value == pytest.approx(30.0)
    assert cells["C3"].value == 2.0
    status, _out, err = call("run", copy)
    assert status == 0, err
    _heads, _units, row = openpyxl.load_workbook(copy)["mbs Measured"].iter_rows(values_only=True)
    assert row[:2] == ("side", "T.fy")
    assert (row[3], row[4]) == (9, 0)
    assert row[5] == pytest.approx(0.0, abs=1e-6)


QUIET = [("name", "type", "speed"), ("circle", "skidpad", 10)]


def test_coefficients_that_the_sheet_lacks_get_rows_of_their_own(tmp_path):
    rows, sd = readings(states(LATERAL), ("fy",))
    path = tyre_book(tmp_path, rows, [("side", "T.fy", sd["fy"])])
    study = study_of(path)
    held = {each.name: each.cells[0] for each in study.variables}
    assert held["PCY1"] == ("Tyre coefficients", "C11")
    first = len(COLD) + 2
    new = next(each for each in study.variables if each.name == "PDY2")
    assert dict(new.texts) == {
        ("Tyre coefficients", new.cells[0][1].replace("C", "A")): "T",
        ("Tyre coefficients", new.cells[0][1].replace("C", "B")): "PDY2",
    }
    assert int(new.cells[0][1][1:]) >= first


@pytest.mark.nightly
def test_all_forces_are_found_from_a_cold_start(tmp_path):
    angles, ratios = np.linspace(-12, 12, 9), np.linspace(-0.15, 0.15, 9)
    leaning, pressures = (-4, -2, 0, 2, 4), (220e3, 260e3, 300e3)
    at = np.vstack(
        [
            states(angles, gammas=leaning, pressures=pressures),
            states(kappas=ratios, gammas=leaning, pressures=pressures),
            states((-6, -2, 2, 6), kappas=ratios, gammas=leaning),
        ]
    )
    rows, sd = readings(at)
    path = tyre_book(tmp_path, rows, [(name, f"T.{name}", sd[name]) for name in sd])
    found, _values = fitted(path)
    exact = of_file(61).evaluate(at).forces[:, :3]
    for k, own in enumerate(found.measurements):
        assert np.sqrt(np.mean((own.after - exact[:, k]) ** 2)) < 0.003 * np.abs(exact[:, k]).max()
    assert found.estimate.probability > 0.01


@pytest.mark.nightly
def test_intervals_hold_the_planted_truth_in_95_of_100_cases(tmp_path):
    names = ("PDY1", "PCY1", "PEY1", "PKY1", "PHY1", "PVY1")
    planted = {name: truth(name) for name in MAGIC_LATERAL}
    warm = [*(each for each in COLD if each[0] not in planted), *planted.items()]
    places = {name: f"'Tyre coefficients'!C{2 + k}" for k, (name, _value) in enumerate(warm)}
    variables = [(name, places[name], planted[name] - 20.0, planted[name] + 20.0, None) for name in names]
    rows, sd = readings(states(LATERAL), ("fy",))
    path = tyre_book(tmp_path, rows, [("side", "T.fy", sd["fy"])], coefficients=warm, variables=variables)
    study = study_of(path)
    tyre, own = study.tyres[0].tyre, study.tyres[0]
    space = fit_space(study)
    model = CoefficientModel(tyre, names, states(LATERAL))
    whole = readings_of(model, space, np.ones(len(names)), [own], [np.ones(len(own.y), np.bool_)])
    exact, truths = of_file(61).evaluate(states(LATERAL)).force("fy"), np.array([planted[name] for name in names])
    inside = []
    for seed in range(150):
        measured = exact + sd["fy"] * np.random.default_rng(seed).standard_normal(len(exact))
        drawn = replace(whole, measured=measured)
        at = fit_in_stages(drawn, np.zeros(len(names), np.bool_)).path.solution
        slopes = drawn.slopes(at, np.ones(len(at), np.bool_))[0] / space.scale
        known = estimate(space, space.values(at), slopes, drawn.residuals(at))
        inside.append((known.low_95 <= truths) & (truths <= known.high_95))
    assert 0.915 < np.mean(inside) < 0.98  # 95 +- 3 standard deviations of 150 draws of correlated coefficients


MAGIC_LATERAL = (
    *("PCY1", "PDY1", "PDY2", "PEY1", "PEY2", "PEY3", "PKY1", "PKY2", "PKY4", "PHY1", "PHY2", "PVY1", "PVY2"),
)

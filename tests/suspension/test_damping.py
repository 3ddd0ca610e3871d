"""Damping of wheels and of roll, against quarter cars as matrices, dampers measured over sweeps, and the moments of a turn."""

from __future__ import annotations

import numpy as np
import openpyxl
import pytest

from sheetmbs.suspension.metrics.damping import modes
from sheetmbs.suspension.run_suspension import run_suspension
from tests.support.set_up_books import FORMULA_STUDENT, formula_student

G = 9.81
TYRE = 110e3


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """The template with a moment of inertia in roll, its values at design, and its sweeps."""
    path = tmp_path_factory.mktemp("damping") / "car.xlsx"
    return run_suspension(formula_student(path, settings=[("roll inertia", "30 kg*m^2")]))


def at_design(found):
    return found.at_design["base"]


def slope(frame, column, over):
    """Derivative at 0 of a column by another, from the rows beside it, of fourth order."""
    x, y = (frame[name].to_numpy() for name in (over, column))
    at = int(np.argmin(np.abs(x)))
    step = x[at + 1] - x[at]
    return (8.0 * (y[at + 1] - y[at - 1]) - (y[at + 2] - y[at - 2])) / (12.0 * step)


@pytest.mark.parametrize(("corner", "c", "mass"), [("FL", 1.2, 9.5), ("RR", 1.8, 10.0)])
def test_the_damping_of_a_wheel_is_that_of_its_damper_by_the_square_of_its_motion_ratio(found, corner, c, mass):
    ratio = -slope(found.table("heave").frame(), f"{corner}.damper_length", "travel")
    values = at_design(found)
    assert values[f"{corner}.wheel_damping"] == pytest.approx(c * ratio**2, rel=1e-5)  # N s/mm
    share = 0.47 if corner[0] == "F" else 0.53
    sprung = 0.5 * 290.0 * share - mass
    rate = values[f"{corner}.wheel_rate"] * 1e3
    critical = 2.0 * np.sqrt(rate * TYRE / (rate + TYRE) * sprung)
    assert values[f"{corner}.critical_damping"] == pytest.approx(critical * 1e-3, rel=1e-12)
    assert values[f"{corner}.damping_ratio"] == pytest.approx(
        values[f"{corner}.wheel_damping"] * 1e3 / critical, rel=1e-12
    )


def eigenvalues(sprung, unsprung, k, c, tyre):
    """Of two masses, as a first-order system."""
    masses = np.diag([sprung, unsprung])
    stiffness, damping = np.array([[k, -k], [-k, k + tyre]]), np.array([[c, -c], [-c, c]])
    inverse = np.linalg.inv(masses)
    return np.linalg.eigvals(np.block([[np.zeros((2, 2)), np.eye(2)], [-inverse @ stiffness, -inverse @ damping]]))


@pytest.mark.parametrize("c", [0.0001, 200.0, 600.0])
@pytest.mark.parametrize("k", [5e3, 27e3, 90e3])
def test_modes_of_a_quarter_car_are_the_eigenvalues_of_its_matrices(c, k):
    swinging = sorted((each for each in eigenvalues(58.6, 9.5, k, c, TYRE) if each.imag > 0.0), key=abs)
    assert len(swinging) == 2
    for mode, value in zip(modes(58.6, 9.5, np.array([k]), np.array([c]), TYRE), swinging, strict=True):
        assert mode.frequency[0] == pytest.approx(abs(value) / (2.0 * np.pi), rel=1e-10)
        assert mode.damping[0] == pytest.approx(-value.real / abs(value), rel=1e-9)


@pytest.mark.parametrize("c", [4000.0, 9000.0, 40000.0])
def test_modes_that_do_not_swing_have_the_product_and_the_sum_of_their_eigenvalues(c):
    """Of a pair of real values, frequency^2 is the product and the damping half of the sum over it."""
    values = eigenvalues(58.6, 9.5, 27e3, c, TYRE)
    pairs = sorted(_paired(values), key=lambda pair: abs(pair[0] * pair[1]))
    for mode, (one, other) in zip(modes(58.6, 9.5, np.array([27e3]), np.array([c]), TYRE), pairs, strict=True):
        size = np.sqrt((one * other).real)
        assert 2.0 * np.pi * mode.frequency[0] == pytest.approx(size, rel=1e-8)
        assert mode.damping[0] == pytest.approx(-(one + other).real / (2.0 * size), rel=1e-8)


def _paired(values):
    real = sorted((each for each in values if abs(each.imag) < 1e-9), key=abs)
    swinging = [each for each in values if each.imag > 1e-9]
    return [(each, each.conjugate()) for each in swinging] + list(zip(real[::2], real[1::2], strict=True))


def test_with_a_light_wheel_on_a_hard_tyre_the_body_has_the_damping_of_one_mass():
    body, hop = modes(60.0, 1e-3, np.array([27e3]), np.array([800.0]), 1e9)
    assert body.frequency[0] == pytest.approx(np.sqrt(27e3 / 60.0) / (2.0 * np.pi), rel=1e-4)
    assert body.damping[0] == pytest.approx(800.0 / (2.0 * np.sqrt(27e3 * 60.0)), rel=1e-4)
    assert hop.frequency[0] > 1e3


@pytest.mark.parametrize("missing", ["sprung", "unsprung", "tyre", "rate"])
def test_modes_are_empty_where_something_is_missing(missing):
    given = {"sprung": 58.6, "unsprung": 9.5, "tyre": TYRE, "rate": 27e3, missing: float("nan")}
    found = modes(given["sprung"], given["unsprung"], np.array([given["rate"]]), np.array([900.0]), given["tyre"])
    assert all(np.isnan(values[0]) for mode in found for values in (mode.frequency, mode.damping))


def test_the_columns_of_modes_are_those_of_the_wheels_own_rates(found):
    values = at_design(found)
    k, c = values["FL.wheel_rate"] * 1e3, values["FL.wheel_damping"] * 1e3
    of_wheel = sorted((each for each in eigenvalues(0.5 * 290 * 0.47 - 9.5, 9.5, k, c, TYRE) if each.imag > 0), key=abs)
    for name, value in zip(("body", "hop"), of_wheel, strict=True):
        assert values[f"FL.{name}_frequency"] == pytest.approx(abs(value) / (2.0 * np.pi), rel=1e-10)
        assert values[f"FL.{name}_damping"] == pytest.approx(-value.real / abs(value), rel=1e-9)


def test_the_damping_of_roll_is_that_of_all_dampers_over_what_holds_the_body(found):
    """K - W follows from the moments of a turn: the loads that go over balance m a h and the body that leans by phi."""
    values, roll = at_design(found), found.table("roll").frame()
    lengths = {"FL": 1.2e3, "FR": 1.2e3, "RL": 1.8e3, "RR": 1.8e3}
    per_rad = {corner: slope(roll, f"{corner}.damper_length", "roll") * 1e-3 * 180.0 / np.pi for corner in lengths}
    damping = sum(c * per_rad[corner] ** 2 for corner, c in lengths.items())
    phi = np.radians(values["roll_gradient"])
    over = sum(values[f"{axle}.load_transfer_total"] * values[f"{axle}.track"] * 1e-3 for axle in ("front", "rear"))
    gravity = (over - 290.0 * G * 0.290) / phi
    stiffness = sum(values[f"{axle}.roll_stiffness"] for axle in ("front", "rear")) * 180.0 / np.pi
    expected = damping / (2.0 * np.sqrt((stiffness - gravity) * 30.0))
    assert gravity > 300.0
    assert values["roll_damping_ratio"] == pytest.approx(expected, rel=1e-4)


def test_without_a_moment_of_inertia_or_a_damper_the_columns_are_empty(tmp_path):
    path = formula_student(tmp_path / "none.xlsx", without=("front damper", "rear damper"))
    values = run_suspension(path).at_design["base"]
    assert not [column for column in values if "damping" in column or "hop_" in column]
    assert "roll_damping_ratio" not in run_suspension(FORMULA_STUDENT).at_design["base"]


def test_of_a_curve_the_mean_slope_between_50_mm_s_counts(tmp_path):
    curve = [("d.x [mm/s]", "d.y [N]"), (-200, -300), (-50, -130), (0, 0), (50, 70), (200, 160)]
    path = formula_student(tmp_path / "curve.xlsx", springs={"front damper": {"c": None, "curve_c": "d"}}, curves=curve)
    values = run_suspension(path).at_design["base"]
    ratio = values["FL.damper_motion_ratio"]
    assert values["FL.wheel_damping"] == pytest.approx(2.0 * ratio**2, rel=1e-12)


@pytest.mark.parametrize(("typed", "ratio"), [("1.2 N*s/m", 0.000519), (8.0, 3.46), (0.05, 0.0216)])
def test_a_damping_ratio_that_no_car_has_is_told_at_its_damper(tmp_path, typed, ratio):
    path = formula_student(tmp_path / "c.xlsx", springs={"front damper": {"c": typed}})
    [told] = [each for each in run_suspension(path).sheets.problems if each.code == "implausible-value"]
    assert told.cell == "Suspension springs!E4"
    assert f"damping ratio of {ratio:.3g}" in told.found


def test_usual_dampers_are_told_nothing_of():
    assert not [each for each in run_suspension(FORMULA_STUDENT).sheets.problems if "damp" in str(each)]


def test_the_columns_stand_on_the_sheet_of_definitions(found):
    pages = {page.name: page for page in found.sheets.pages}
    texts = {cell.value for cell in pages["mbs Suspension Metrics"].cells}
    assert {"FL.damping_ratio", "FL.hop_damping", "roll_damping_ratio", "FL.critical_damping"} <= texts


def test_a_target_may_be_set_on_a_damping_ratio(tmp_path):
    targets = [("metric", "min", "max"), ("FL.damping_ratio", 0.6, 0.8)]
    path = formula_student(tmp_path / "target.xlsx", sheets={"Targets": targets})
    [judged] = run_suspension(path).targets
    assert judged.is_met is False
    assert openpyxl.load_workbook(path)["Targets"]["A2"].value == "FL.damping_ratio"

"""The magic formula against tables of other codes, a transcription of its equations, and the laws it obeys."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from sheetmbs.tyres.coefficients import ASYMMETRIC
from sheetmbs.tyres.magic_tyre import TyreScales
from tests.support import tyres
from tests.support.tyre_equations import complex_step

# kappa, alpha, gamma, Fz, p, V -> Fx, Fy, Mz, Mx, My of MagicFormula61_Parameters.tir; Fx and Fy by two independent codes
TABLE = (
    ((0, 0.05, 0, 6752, 260e3, 16.6), (45.9434982, -5356.36995, 111.247725, 82.6179362, -27.794554)),
    ((0, -0.05, 0, 6752, 260e3, 16.6), (50.625993, 5429.87629, -128.352257, -80.1478456, -27.794554)),
    ((0.05, 0, 0, 6752, 260e3, 16.6), (7471.07808, 33.0373609, 1.0322386, 1.10762769, -27.794554)),
    ((-0.10, 0.08, 0, 6752, 260e3, 16.6), (-5702.44611, -4255.40761, -13.2206752, 68.6449296, -27.794554)),
    ((0.03, 0.06, 0.05, 3000, 240e3, 30), (1416.69289, -2703.93105, 9.46511681, -9.61767403, -15.3800635)),
    ((0, -0.12, -0.06, 9000, 280e3, 10), (46.3083709, 9134.12786, -36.1062616, 116.623186, -33.8094473)),
    ((0.08, -0.04, 0.03, 4500, 260e3, 20), (5201.57387, 1974.55447, -6.26965615, -87.3858817, -19.9246915)),
    ((0, 0.02, 0, 2000, 260e3, 16.6), (15.7186149, -881.776583, 8.17243796, 10.1991583, -9.88138082)),
)
# Kxk, Kya, Re, Rl, sigma_x, sigma_y of rows of the same table
LENGTHS = {
    0: (222209.67, -137436.333, 0.385515985, 0.371322793, 0.567991865, 0.723837611),
    4: (88280.9857, -70502.3888, 0.387544591, None, 0.26333114, 0.340893058),
    5: (301913.193, -158772.19, None, None, None, None),
    7: (51757.1299, -46189.2543, None, None, None, None),
}
GRID = np.array(
    [
        (kappa, alpha, gamma, load, pressure, speed)
        for kappa, alpha in ((0.01, -0.02), (-0.07, 0.05), (0.15, 0.11), (-0.4, -0.3))
        for gamma in (0.02, -0.06)
        for load, pressure, speed in ((1500.0, 240e3, 8.0), (6000.0, 265e3, 30.0))
    ]
)


def test_a_6_1_file_gives_the_forces_of_independent_codes():
    states = np.array([state for state, _ in TABLE], dtype=float)
    wanted = np.array([forces for _, forces in TABLE])
    found = tyres.of_file(61).evaluate(states).forces[:, :5]
    assert_allclose(found[:, :2], wanted[:, :2], rtol=1e-8)
    assert_allclose(found[:, 2:], wanted[:, 2:], rtol=2e-7)  # that code adds 1e-6 to denominators


@pytest.mark.parametrize("row", LENGTHS)
def test_a_6_1_file_gives_stiffnesses_radii_and_relaxation_lengths(row):
    response = tyres.of_file(61).evaluate(np.array([TABLE[row][0]], dtype=float))
    found = [*response.forces[0, 5:], *response.geometry[0]]
    for value, wanted in zip(found, LENGTHS[row], strict=True):
        assert wanted is None or value == pytest.approx(wanted, rel=1e-8)


@pytest.mark.parametrize("version", [52, 61, 62])
@pytest.mark.parametrize("changed", [{}, {"LMUV": 0.3, "LFZO": 0.7, "LMUY": 0.65, "LMUX": 0.8, "LKY": 1.2}])
def test_forces_and_derivatives_are_those_of_complex_steps(version, changed):
    lines = "".join(f"\n{name} = {value}" for name, value in changed.items())
    text = "\n".join(
        line for line in tyres.text_of(tyres.NAMES[version]).splitlines() if line.split("=")[0].strip() not in changed
    )
    tyre, _problems = tyres.read_text(text + "\n[SCALING_COEFFICIENTS]" + lines)
    other = tyres.formula(version, **changed)
    response = tyre.evaluate(GRID, derivatives=True)
    for n, state in enumerate(GRID):
        assert_allclose(response.forces[n], [f.real for f in other.forces(*map(complex, state))], rtol=1e-10, atol=1e-9)
        for place in range(5):
            wanted = np.array(complex_step(other.forces, state, place))
            assert_allclose(response.partials[n, :, place], wanted, rtol=1e-9, atol=1e-9 * (1.0 + np.abs(wanted).max()))


@pytest.mark.parametrize("version", [61, 62])
def test_the_loaded_radius_carries_the_load(version):
    other = tyres.formula(version)
    states = GRID[GRID[:, 3] > 2000.0]
    response = tyres.of_file(version).evaluate(states)
    for n, (kappa, _alpha, gamma, load, pressure, speed) in enumerate(states):
        fx, fy, loaded = response.forces[n, 0], response.forces[n, 1], response.length("rl")[n]
        carried = other.carried(loaded, complex(gamma), fx, fy, pressure, speed, kappa, load)
        assert carried.real == pytest.approx(load, rel=1e-9)
        assert response.length("re")[n] == pytest.approx(other.radii(kappa, load, pressure, speed)[0].real, rel=1e-11)


def test_a_wheel_on_the_other_side_is_the_mirror_image():
    tyre = tyres.of_file(61)
    assert tyre.measured_side == "right"
    there = tyre.evaluate(GRID, side="left", derivatives=True)
    mirrored = GRID * np.array([1, -1, -1, 1, 1, 1])
    here = tyre.evaluate(mirrored, side="right", derivatives=True)
    signs = np.array([1, -1, -1, -1, 1, 1, 1])  # Fy, Mz and Mx change sign
    assert_allclose(there.forces, here.forces * signs, rtol=1e-14)
    assert_allclose(there.geometry, here.geometry, rtol=1e-14)
    assert_allclose(there.partials[:, 1, 1], here.partials[:, 1, 1], rtol=1e-14)
    assert_allclose(there.partials[:, 0, 1], -here.partials[:, 0, 1], rtol=1e-14)


@pytest.mark.parametrize("version", [52, 61, 62])
def test_a_symmetric_tyre_is_its_own_mirror_image(version):
    tyre = tyres.of_file(version, measured_side="symmetric")
    here = tyre.evaluate(GRID).forces
    there = tyre.evaluate(GRID * np.array([1, -1, -1, 1, 1, 1])).forces
    assert_allclose(there, here * np.array([1, -1, -1, -1, 1, 1, 1]), rtol=1e-12, atol=1e-9)
    one_sided = tyres.of_file(version, measured_side="left")
    assert np.abs(one_sided.evaluate(GRID).forces - here).max() > 1.0
    assert len(ASYMMETRIC) == 18


def test_the_slope_at_no_slip_is_the_cornering_stiffness_of_a_symmetric_tyre():
    tyre = tyres.of_file(61, measured_side="symmetric")
    states = tyre.states(np.zeros(5), 0.0, 0.0, np.linspace(500.0, 12000.0, 5))
    response = tyre.evaluate(states, derivatives=True)
    assert_allclose(response.partials[:, 1, 1], response.force("kya"), rtol=1e-12)
    assert_allclose(response.force("fy"), 0.0, atol=1e-9)


def test_a_wheel_that_carries_nothing_has_no_force_and_one_that_carries_little_has_little():
    tyre = tyres.of_file(61)
    states = tyre.states(np.full(3, 0.05), 0.1, 0.02, np.array([-100.0, 0.0, 1e-3]))
    forces = tyre.evaluate(states).forces
    assert not forces[:2].any()
    assert np.isfinite(forces).all()
    assert np.hypot(*forces[2, :2]) < 3e-3


def test_inputs_beyond_the_ranges_count_as_the_nearest_within_and_are_marked():
    tyre = tyres.of_file(61)
    inside = np.array([[0.0, 0.05, 0.0, 18000.0, 260e3, 16.6]])
    beyond = inside + np.array([0, 0, 0, 5000.0, 0, 0])
    one, other = (tyre.evaluate(states, derivatives=True) for states in (inside, beyond))
    assert_allclose(other.forces, one.forces)
    assert other.outside.tolist() == [True]
    assert one.outside.tolist() == [False]
    assert not other.partials[0, :5, 3].any()


def test_factors_on_friction_and_stiffness_multiply_those_of_the_file():
    plain, scaled = tyres.of_file(61), tyres.of_file(61, scales=TyreScales(mu_y=0.65, c_x=1.5))
    states = plain.states(0.0, np.linspace(-0.9, 0.9, 400), 0.0, 6752.0)
    one, other = plain.evaluate(states), scaled.evaluate(states)
    assert_allclose(other.force("kxk"), 1.5 * one.force("kxk"), rtol=1e-12)
    assert_allclose(other.force("kya"), one.force("kya"), rtol=1e-12)
    peaks = [np.ptp(each.force("fy")) for each in (one, other)]
    assert peaks[1] / peaks[0] == pytest.approx(0.65, rel=1e-3)

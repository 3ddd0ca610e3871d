"""Directions of elements: gradients are rates, and the fastest rate of elements is that of small systems in closed form."""

from dataclasses import replace

import numpy as np
import pytest

from sheetmbs.elements.marker import Marker
from sheetmbs.elements.rotation import rotation_vector
from sheetmbs.engine.algebra.dense import factor_dense, solve_dense
from sheetmbs.engine.directions import element_rate, find_directions, make_directions
from sheetmbs.engine.evaluate import evaluate
from sheetmbs.model.model import Curve, Joint
from tests.support.mechanisms import body, hinge, model, on, slide_axes
from tests.support.runs import start
from tests.support.spatial_mechanisms import rigid, space, turned
from tests.support.springs import make_spring

STILL = (0.0, 0.0, 0.0)


def rate_of(made):
    """What `element_rate` says at the start."""
    run = start(made)
    return element_rate(run.arrays, run.work, make_directions(run.arrays))


def on_rail(k, c, mass=2.0, **more):
    spring = make_spring("s", "translational", on("ground", -1.0), on("m"), k=k, c=c, **more)
    rail = Joint("rail", "translational", on("ground", axes=slide_axes(0)), on("m", axes=slide_axes(0)))
    return model((body("m", mass=mass),), (rail,), springs=(spring,), gravity=STILL)


@pytest.mark.parametrize(("k", "c"), [(8e3, 0.0), (8e3, 50.0), (8e3, 4e4), (0.0, 4e4)])
def test_rate_of_one_spring_is_the_root_of_its_quadratic_equation(k, c):
    rate, element, decays = rate_of(on_rail(k, c))
    roots = np.roots([2.0, c, k])
    assert rate == pytest.approx(np.abs(roots).max(), rel=1e-9)
    assert element == 0
    assert decays == (np.abs(roots.imag).max() == 0.0)


def test_rate_follows_the_slope_of_a_curve_where_the_spring_stands():
    x = np.linspace(-2.0, 2.0, 161)
    made = on_rail(0.0, 0.0, natural=0.7, curve_k="hard")
    made = replace(made, curves=(Curve("hard", x, 100.0 * x + 5e4 * x**3, "cubic"),))
    assert rate_of(made)[0] == pytest.approx(np.sqrt((100.0 + 1.5e5 * 0.3**2) / 2.0), rel=1e-6)


def test_spring_that_a_joint_keeps_from_yielding_has_no_rate():
    across = make_spring("across", "translational", on("ground", 0.0, -1.0), on("m"), k=1e9, c=1e9)
    made = on_rail(50.0, 0.0)
    rate, element, _ = rate_of(replace(made, springs=(*made.springs, across)))
    assert rate == pytest.approx(5.0, rel=1e-3)
    assert element == 0


def test_springs_in_a_row_vibrate_together_and_the_stiffest_is_named():
    """Masses 1, 2, 3 kg between four springs: eigenvalues of the tridiagonal matrix of the book."""
    k = (1e3, 5e4, 2e3, 4e3)
    rails = [
        Joint(f"r{n}", "translational", on("ground", axes=slide_axes(0)), on(f"m{n}", axes=slide_axes(0)))
        for n in range(3)
    ]
    bodies = [body(f"m{n}", float(n), mass=1.0 + n) for n in range(3)]
    ends = [on("ground", -1.0), *(on(b.name) for b in bodies), on("ground", 3.0)]
    springs = tuple(make_spring(f"s{n}", "translational", ends[n], ends[n + 1], k=k[n]) for n in range(4))
    stiffness = np.diag(np.add(k[:3], k[1:])) - np.diag(k[1:3], 1) - np.diag(k[1:3], -1)
    inverse = np.diag(1.0 / np.sqrt([1.0, 2.0, 3.0]))
    exact = np.sqrt(np.linalg.eigvalsh(inverse @ stiffness @ inverse)[-1])
    rate, element, decays = rate_of(model(bodies, rails, springs=springs, gravity=STILL))
    assert rate == pytest.approx(exact, rel=0.02)
    assert (element, decays) == (1, 0)


def test_rotor_on_a_torsion_damper_decays_at_damping_over_inertia():
    spring = make_spring("t", "rotational", on("ground"), on("rotor"), c=70.0)
    made = model((body("rotor", inertia=0.2),), (hinge("pin", on("ground"), on("rotor")),), springs=(spring,))
    assert rate_of(made) == (pytest.approx(70.0 / 0.2), 0, 1)


def test_bushing_counts_where_it_stands_and_vibrates_about_its_stiffest_axis():
    bodies = (rigid("b", mass=2.0, inertia=(0.1, 0.2, 0.25)),)
    ends = (Marker("ground", np.zeros(3), np.eye(3)), Marker("b", np.zeros(3), np.eye(3)))
    bush = make_spring(
        "bush", "bushing", *ends, stiffness=np.array([1e3, 2e3, 3e3, 40.0, 900.0, 50.0]), damping=np.zeros(6)
    )
    soft = make_spring("soft", "translational", Marker("ground", np.array([0.0, 0.0, 1.0]), np.eye(3)), ends[1], k=1.0)
    rate, element, decays = rate_of(space(bodies, springs=(bush, soft)))
    assert rate == pytest.approx(np.sqrt(900.0 / 0.2), rel=1e-3)
    assert (element, decays) == (0, 0)


def test_model_without_elements_has_no_rate():
    assert rate_of(model((body("a"),))) == (0.0, -1, 0)


def test_gradients_of_a_bushing_are_the_rates_of_its_deflections():
    """Central differences of displacement and rotation vector along the motion, and the angular velocity itself."""
    axes_i, axes_j = turned(0.2, -0.4, 0.3), turned(-0.5, 0.1, 0.9)
    near, far = np.array([0.1, 0.2, -0.1]), np.array([-0.3, 0.1, 0.2])
    motion = {"a": ((0.3, -0.2, 0.5), (0.6, 1.1, -0.4)), "b": ((-0.7, 0.4, 0.1), (-0.9, 0.3, 1.2))}
    pose = {"a": ((0.0, 0.1, 0.2), (0.4, 0.2, -0.3)), "b": ((0.5, -0.2, 0.4), (-0.6, 0.5, 0.2))}
    bodies = tuple(
        rigid(name, *pose[name], velocity=motion[name][0], angular_velocity=motion[name][1]) for name in ("a", "b")
    )
    bush = make_spring(
        "s", "bushing", Marker("a", near, axes_i), Marker("b", far, axes_j), stiffness=np.ones(6), damping=np.ones(6)
    )
    run = start(space(bodies, springs=(bush,)))
    A, W, D = run.arrays, run.work, make_directions(run.arrays)
    evaluate(A, W, 0.0, run.y[:14], run.y[14:26], run.rates, 0.0)
    find_directions(A, W, D, 0)
    u = run.y[14:26] / A.scale
    sides = D.entry.reshape(-1, 2, D.width)[:9, :, :6]
    found = sides.reshape(9, 12) @ u

    def rotated(name, t):
        """Attitude after turning on for a short time t at the body's angular velocity, which is in its own axes."""
        w = t * np.array(motion[name][1])
        skew = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
        return turned(*pose[name][1]) @ (np.eye(3) + skew + skew @ skew / 2)

    def deflection(t):
        (ra, va), (rb, vb) = ((np.array(pose[n][0]), np.array(motion[n][0])) for n in ("a", "b"))
        turn_a, turn_b = rotated("a", t), rotated("b", t)
        apart = rb + t * vb + turn_b @ far - ra - t * va - turn_a @ near
        return np.concatenate((axes_i.T @ turn_a.T @ apart, rotation_vector(axes_i.T @ turn_a.T @ turn_b @ axes_j)))

    step = 1e-5
    assert found[:6] == pytest.approx((deflection(step) - deflection(-step)) / (2 * step), abs=1e-8)
    spin = [turned(*pose[n][1]) @ np.array(motion[n][1]) for n in ("a", "b")]
    assert found[6:] == pytest.approx(axes_i.T @ turned(*pose["a"][1]).T @ (spin[1] - spin[0]), abs=1e-12)
    assert D.slope[0].tolist() == [[1, 1]] * 3 + [[1, 0]] * 3 + [[0, 1]] * 3


def test_dense_systems_are_solved_with_row_exchanges():
    rng = np.random.default_rng(5)
    for n in (1, 2, 5, 9):
        a = rng.normal(size=(n + 1, n + 1))
        a[0, 0] = 0.0 if n > 1 else 1.0
        known, x = a[:n, :n].copy(), rng.normal(size=n + 1)
        b, pivot = known @ x[:n], np.zeros(n, dtype=np.int64)
        found = np.concatenate((b, [7.0]))
        factor_dense(a, n, pivot)
        solve_dense(a, n, pivot, found)
        assert found == pytest.approx([*x[:n], 7.0], rel=1e-10)

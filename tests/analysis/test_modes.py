"""Modes against closed forms: chains, pendulums, dampers, tops and rotors, and what is said where there are none."""

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import sheetmbs
from sheetmbs.model.model import Curve, Display, Driver, Force, Formula, Joint, Quadratic
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.schema.expression import parse
from tests.support.mechanisms import bar, body, double_pendulum, hinge, model, on, slide_axes, turning, windows
from tests.support.opened import sheet_values
from tests.support.spatial_mechanisms import joined, marker, rigid, rod, space, turned
from tests.support.springs import make_spring

G = 9.81
NO_GRAVITY = (0.0, 0.0, 0.0)


def modes(made, **settings):
    return sheetmbs.run(replace(made, settings=replace(made.settings, **settings)), analysis="modes")


def problems(result):
    return {problem.code for problem in result.sheets.problems}


def rates(result):
    """2 pi f of what vibrates."""
    found = result.modes["frequency"].to_numpy() * 2.0 * np.pi
    return found[np.nan_to_num(found) > 0.0]


def eigenvalues(result):
    """Those with a frequency, in the upper half plane."""
    frame = result.modes[result.modes["frequency"] > 0.0]
    w, zeta = frame["frequency"].to_numpy() * 2.0 * np.pi, frame["damping"].to_numpy()
    return w * (-zeta + 1j * np.sqrt(1.0 - zeta**2))


def rail(name, angle=0.0):
    return Joint(
        f"rail {name}", "translational", on("ground", axes=slide_axes(angle)), on(name, axes=slide_axes(angle))
    )


def chain(masses, stiffness, damping=None):
    """Masses on a rail, a spring before each; the first to ground. Returns model, M, C, K."""
    count = len(masses)
    damping = np.zeros(count) if damping is None else np.array(damping)
    names = [f"m{k}" for k in range(count)]
    bodies = [body(name, k + 1.0, mass=mass) for k, (name, mass) in enumerate(zip(names, masses, strict=True))]
    ends = ["ground", *names]
    springs = [
        make_spring(f"s{k}", "translational", on(ends[k]), on(ends[k + 1]), k=stiffness[k], c=damping[k])
        for k in range(count)
    ]
    stretch = np.eye(count) - np.eye(count, k=-1)
    made = model(bodies, [rail(name) for name in names], springs=springs, gravity=NO_GRAVITY)
    return made, np.diag(masses), stretch.T @ np.diag(damping) @ stretch, stretch.T @ np.diag(stiffness) @ stretch


def quadratic_eigenvalues(mass, damping, stiffness):
    """Of M x'' + C x' + K x = 0, upper half plane, by size."""
    n = len(mass)
    inverse = np.linalg.inv(mass)
    state = np.block([[np.zeros((n, n)), np.eye(n)], [-inverse @ stiffness, -inverse @ damping]])
    found = np.linalg.eigvals(state)
    found = found[found.imag > 0.0]
    return found[np.argsort(np.abs(found))]


def test_equal_masses_on_equal_springs_have_the_frequencies_of_a_fixed_free_chain():
    count, k, m = 6, 500.0, 0.4
    result = modes(chain([m] * count, [k] * count)[0])
    numbers = np.arange(1, count + 1)
    exact = 2.0 * np.sqrt(k / m) * np.sin((2 * numbers - 1) * np.pi / (2 * (2 * count + 1)))
    assert np.abs(rates(result) / exact - 1.0).max() < 1e-10
    assert not result.modes[["damping", "growth_rate"]].to_numpy().any()
    for mode, row in result.modes.iterrows():
        exact = np.sin(numbers * (2 * (mode + 1) - 1) * np.pi / (2 * count + 1))
        shape = row[[f"m{n}.x" for n in range(count)]].to_numpy(dtype=float)
        assert np.abs(shape - exact / exact[np.argmax(np.abs(exact).round(9))]).max() < 1e-9
        assert not row[[f"m{n}.{axis}" for n in range(count) for axis in ("y", "phi")]].to_numpy(dtype=float).any()


def test_many_masses_have_the_frequencies_of_a_fixed_free_chain():
    count, k, m = 120, 500.0, 0.4
    exact = 2.0 * np.sqrt(k / m) * np.sin((2 * np.arange(1, count + 1) - 1) * np.pi / (2 * (2 * count + 1)))
    assert np.abs(rates(modes(chain([m] * count, [k] * count)[0])) / exact - 1.0).max() < 1e-8


def test_stiff_and_soft_springs_together_cost_no_digits():
    made, mass, _damping, stiffness = chain([2.0, 1e-2, 30.0], [1e7, 3e6, 20.0])
    exact = np.sqrt(np.sort(np.linalg.eigvals(np.linalg.inv(mass) @ stiffness)))
    assert np.abs(rates(modes(made)) / exact - 1.0).max() < 1e-8


def test_damped_chain_has_the_complex_eigenvalues_of_its_matrices():
    made, mass, damping, stiffness = chain([1.0, 2.0, 0.5], [300.0, 200.0, 400.0], [0.5, 3.0, 1.5])
    exact = quadratic_eigenvalues(mass, damping, stiffness)
    result = modes(made)
    assert np.abs(eigenvalues(result) / exact - 1.0).max() < 1e-9
    assert np.abs(result.modes["growth_rate"].to_numpy() - exact.real).max() < 1e-9
    for value, (_, row) in zip(exact, result.modes.iterrows(), strict=True):
        shape = np.array([row[f"m{n}.x"] + 1j * row[f"m{n}.x.imag"] for n in range(3)])
        assert np.abs((mass * value**2 + damping * value + stiffness) @ shape).max() < 1e-6
        assert abs(np.max(np.abs(shape)) - 1.0) < 1e-12


def test_overdamped_motion_has_two_rates_and_no_frequency():
    made, *_ = chain([1.0], [4.0], [5.0])
    frame = modes(made).modes
    assert np.abs(np.sort(frame["growth_rate"].to_numpy()) - [-4.0, -1.0]).max() < 1e-10
    assert frame["frequency"].isna().all()
    assert (frame["damping"] == 1.0).all()


def test_negative_damping_is_said_to_grow():
    made, *_ = chain([2.0], [50.0], [-0.4])
    result = modes(made)
    assert abs(result.modes["damping"][0] + 0.4 / (2 * np.sqrt(100.0))) < 1e-10
    assert abs(result.modes["growth_rate"][0] - 0.1) < 1e-10
    [told] = [problem for problem in result.sheets.problems if problem.code == "unstable-mode"]
    assert "mode 1 grows" in str(told)
    assert result.summary["accuracy check"] == "in doubt: the state is unstable, because a mode grows"
    assert result.summary["unstable modes"] == 1


def test_free_chain_moves_as_one_at_frequency_zero():
    made, mass, _, stiffness = chain([1.0, 2.0, 3.0], [0.0, 700.0, 400.0])
    result = modes(replace(made, springs=made.springs[1:]))
    exact = np.sqrt(np.sort(np.linalg.eigvals(np.linalg.inv(mass) @ stiffness).real)[1:])
    assert result.modes["frequency"][0] == 0.0
    assert np.isnan(result.modes["damping"][0])
    assert np.abs(result.modes[["m0.x", "m1.x", "m2.x"]].to_numpy()[0] - 1.0).max() < 1e-9
    assert np.abs(rates(result) / exact - 1.0).max() < 1e-9
    assert result.summary["rigid-body modes"] == 1


def test_dashpot_alone_leaves_a_place_at_will_and_a_speed_that_dies_away():
    made, *_ = chain([2.0], [0.0], [3.0])
    frame = modes(made).modes
    assert frame["frequency"][0] == 0.0
    assert abs(frame["growth_rate"][1] + 1.5) < 1e-10
    assert len(frame) == 2


def test_chain_that_falls_freely_keeps_its_frequencies_and_a_warning():
    made, *_ = chain([1.0, 1.0], [0.0, 50.0])
    falling = replace(made, springs=made.springs[1:], settings=replace(made.settings, gravity=(G, 0.0, 0.0)))
    result = modes(falling)
    assert result.status == "done"
    assert "modes-without-equilibrium" in problems(result)
    assert result.summary["accuracy check"] == "in doubt: the modes belong to a state that is no equilibrium"
    assert np.abs(rates(result) - 10.0).max() < 1e-8
    assert result.summary["linearised about"] == "the initial configuration"
    assert result.bodies["m0.x"][0] == 1.0


@pytest.mark.parametrize("angle", [0.3, -1.5, 3.0])
def test_compound_pendulum_swings_about_its_lowest_position_wherever_it_starts(angle):
    made = model((bar("bob", (0, 0), (np.cos(angle), np.sin(angle))),), (hinge("pin", on("ground"), on("bob", -0.5)),))
    assert abs(rates(modes(made))[0] / np.sqrt(1.5 * G) - 1.0) < 1e-9


def test_point_on_a_massless_rod_swings_as_the_simple_pendulum():
    bob = body("bob", 0.3, -2.0, inertia=0.0)
    length = float(np.hypot(0.3, 2.0))
    made = model((bob,), (Joint("rod", "distance", on("ground"), on("bob"), values={"length": length}),))
    result = modes(made)
    assert abs(rates(result)[0] / np.sqrt(G / length) - 1.0) < 1e-9
    assert len(result.modes) == 1
    assert result.summary["rotations without inertia, left out"] == "bob"


def test_massless_body_that_may_move_by_itself_is_refused_by_name():
    made, *_ = chain([1.0, 0.0], [30.0, 40.0])
    with pytest.raises(WorkbookError, match="mass of m1 is 0"):
        modes(made)


def test_double_pendulum_has_the_frequencies_of_its_lagrangian():
    """Slender rods of 1 m, 1 and 0.5 kg."""
    m1, m2 = 1.0, 0.5
    mass = np.array([[m1 / 3 + m2, m2 / 2], [m2 / 2, m2 / 3]])
    stiffness = np.diag([(m1 / 2 + m2) * G, m2 / 2 * G])
    exact = np.sqrt(np.sort(np.linalg.eigvals(np.linalg.inv(mass) @ stiffness)))
    assert np.abs(rates(modes(double_pendulum())) / exact - 1.0).max() < 1e-9


def test_two_rods_and_a_slanted_spring_with_damper_agree_with_linearisation_by_hand():
    """Hanging rods of 1 m at angles (a, b), the lower end tied to a point P beside them by a spring of length s.

    V = G ((m1/2 + m2) sin a + m2/2 sin b) + k (s - free)^2/2;  with the tip's way d from P and its tangents t and normals n,
    ds = d.t/s,  s_aa = (1 - d.n_a - s_a^2)/s,  s_ab = (t_a.t_b - s_a s_b)/s.
    """
    k, c, free, place = 40.0, 1.3, 0.9, np.array([1.4, -1.2])
    m1, m2 = 1.0, 0.5

    def derivatives(angles):
        normals = np.column_stack((np.cos(angles), np.sin(angles)))
        tangents = np.column_stack((-np.sin(angles), np.cos(angles)))
        way = normals.sum(axis=0) - place
        span = np.hypot(*way)
        rate = tangents @ way / span
        bend = (tangents @ tangents.T - np.diag(normals @ way) - np.outer(rate, rate)) / span
        weights = G * np.array([m1 / 2 + m2, m2 / 2])
        gradient = weights * np.cos(angles) + k * (span - free) * rate
        hessian = np.diag(-weights * np.sin(angles)) + k * (np.outer(rate, rate) + (span - free) * bend)
        return gradient, hessian, c * np.outer(rate, rate)

    rest = np.array([-1.2, -1.0])
    for _ in range(30):
        gradient, stiffness, damping = derivatives(rest)
        rest = rest - np.linalg.solve(stiffness, gradient)
    coupled = m2 / 2 * np.cos(rest[0] - rest[1])
    mass = np.array([[m1 / 3 + m2, coupled], [coupled, m2 / 3]])
    tie = make_spring("tie", "translational", on("ground", *place), on("lower", 0.5), k=k, c=c, natural=free)
    start = (bar("upper", (0, 0), (0.6, -0.8)), bar("lower", (0.6, -0.8), (1.2, -1.6), mass=m2))
    result = modes(replace(double_pendulum(), bodies=start, springs=(tie,)))
    assert np.abs(result.bodies[["upper.phi", "lower.phi"]].to_numpy()[0] - rest).max() < 1e-8
    exact = quadratic_eigenvalues(mass, damping, stiffness)
    assert np.abs(eigenvalues(result) / exact - 1.0).max() < 1e-8


def test_follower_load_flutters_where_a_weight_would_not():
    """Ziegler's column: rods of length 1, joint springs c, mass 2 m in the middle and m at the tip, P along the upper rod.

    m l^2 [[3, 1], [1, 1]] and [[2 c - P, P - c], [-c, c]]; flutter beyond P = (7/2 - sqrt 2) c/l.
    """
    m, c = 1.0, 100.0

    def column(load):
        bodies = (
            body("low", 1.0, mass=2 * m, inertia=1e-9),
            body("high", 2.0, mass=m, inertia=1e-9),
        )
        joints = (hinge("foot", on("ground"), on("low", -1.0)), hinge("knee", on("low"), on("high", -1.0)))
        springs = (
            make_spring("s foot", "rotational", on("ground"), on("low", -1.0), k=c),
            make_spring("s knee", "rotational", on("low"), on("high", -1.0), k=c),
        )
        push = Force("push", on("high"), (-load, 0.0, 0.0), (0.0, 0.0, 0.0), in_body_axes=True)
        return modes(replace(model(bodies, joints, springs=springs, gravity=NO_GRAVITY), forces=(push,)))

    critical = (3.5 - np.sqrt(2.0)) * c
    for load in (0.5 * critical, 0.999 * critical, 1.001 * critical, 1.3 * critical):
        mass = m * np.array([[3.0, 1.0], [1.0, 1.0]])
        stiffness = np.array([[2 * c - load, load - c], [-c, c]])
        exact = np.sqrt(np.linalg.eigvals(-np.linalg.inv(mass) @ stiffness).astype(complex))
        found = eigenvalues(column(load))
        assert ("unstable-mode" in problems(column(load))) == (load > critical)
        for value in exact:
            upper = value if value.imag > 0 else -value
            assert np.min(np.abs(found - upper)) < 1e-5 * abs(upper), load


def quarter_car(**more):
    return chain([40.0, 300.0], [200e3, 20e3], [100.0, 1500.0], **more)


def test_quarter_car_has_the_roots_of_its_characteristic_polynomial():
    made, *_ = quarter_car()
    (mu, ms), (kt, ks), (ct, cs) = (40.0, 300.0), (200e3, 20e3), (100.0, 1500.0)
    polynomial = np.polysub(np.polymul([mu, ct + cs, kt + ks], [ms, cs, ks]), np.polymul([cs, ks], [cs, ks]))
    roots = np.roots(polynomial)
    roots = roots[roots.imag > 0.0]
    assert np.abs(eigenvalues(modes(made)) / roots[np.argsort(np.abs(roots))] - 1.0).max() < 1e-9


def test_units_of_the_workbook_change_columns_only():
    made, *_ = quarter_car()
    plain = modes(made).modes
    shown = modes(replace(made, display=Display(("mm", 1e-3), ("deg", np.pi / 180)))).modes
    assert np.abs(shown.to_numpy() - plain.to_numpy()).max() < 1e-8
    assert shown.attrs["units"]["m0.x"] == "mm"
    swing = modes(replace(double_pendulum(), display=Display(("mm", 1e-3), ("deg", np.pi / 180)))).modes
    base = modes(double_pendulum()).modes
    ratio = swing["upper.x"] * 1e-3 / (swing["upper.phi"] * np.pi / 180)
    assert np.abs(ratio / (base["upper.x"] / base["upper.phi"]) - 1.0).max() < 1e-8


@pytest.mark.parametrize(("length", "mass"), [(1e-3, 1e-6), (1e3, 1e9)])
def test_frequencies_do_not_depend_on_the_units_of_length_and_mass(length, mass):
    """A double pendulum with a spring, all lengths and masses times a factor."""

    def made(length, mass):
        force = mass * length
        bodies = (
            bar("upper", (0, 0), (length, 0), mass=mass),
            bar("lower", (length, 0), (2 * length, 0), mass=mass / 2),
        )
        joints = (
            hinge("top", on("ground"), on("upper", -length / 2)),
            hinge("elbow", on("upper", length / 2), on("lower", -length / 2)),
        )
        tie = make_spring(
            "tie", "translational", on("ground", length, -length), on("lower"), k=force / length * 30, c=force / length
        )
        return model(
            bodies, joints, springs=(tie,), gravity=(0.0, -G * length, 0.0), tolerance=1e-12 * min(length, 1.0)
        )

    reference, scaled = (eigenvalues(modes(made(*factors))) for factors in ((1.0, 1.0), (length, mass)))
    assert np.abs(scaled / reference - 1.0).max() < 1e-8


def test_order_of_bodies_and_joints_does_not_matter():
    made = double_pendulum()
    turned = replace(made, bodies=made.bodies[::-1], joints=made.joints[::-1])
    one, two = modes(made).modes, modes(turned).modes[modes(made).modes.columns]
    assert np.abs(one.to_numpy() - two.to_numpy()).max() < 1e-9


def test_redundant_constraints_change_nothing():
    made, *_ = quarter_car()
    doubled = replace(made, joints=(*made.joints, replace(made.joints[0], name="again")))
    result = modes(doubled)
    assert result.summary["redundant constraints"] != 0
    assert np.abs(eigenvalues(result) / eigenvalues(modes(made)) - 1.0).max() < 1e-9


def test_driver_holds_its_coordinate():
    made, *_ = chain([1.0, 2.0], [300.0, 200.0])
    held = replace(made, drivers=(Driver("hold", "m0", None, "x", Quadratic(1.0, 3.0, 0.0)),))
    assert np.abs(rates(modes(held)) - np.sqrt(100.0)).max() < 1e-8


def test_nothing_free_is_said_in_words():
    made, *_ = chain([1.0], [300.0])
    result = modes(replace(made, drivers=(Driver("hold", "m0", None, "x", Quadratic(1.0, 0.0, 0.0)),)))
    assert "no-modes" in problems(result)
    assert not len(result.modes)


def test_velocities_that_do_not_go_on_evenly_are_left_out_with_a_warning():
    made, *_ = quarter_car()
    moving = replace(made.bodies[0], velocity=np.array([1.0, 0.0, 0.0]))
    result = modes(replace(made, bodies=(moving, made.bodies[1])))
    assert "modes-at-rest" in problems(result)
    assert np.abs(eigenvalues(result) / eigenvalues(modes(made)) - 1.0).max() < 1e-9
    assert "modes-at-rest" not in problems(modes(made))


def test_corner_of_a_spring_curve_is_pointed_out():
    made, *_ = chain([1.0], [1.0])
    corner = Curve("corner", np.array([-1.0, 0.0, 1.0]), np.array([-200.0, 0.0, 100.0]))
    spring = replace(made.springs[0], curves={"curve_k": "corner"})
    result = modes(replace(made, springs=(spring,), curves=(corner,)))
    assert "kinked-force" in problems(result)
    assert result.summary["accuracy check"] == "in doubt: forces change their slope where the modes were computed"
    assert abs(rates(result)[0] - np.sqrt(150.0)) < 1e-6
    straight = replace(corner, y=np.array([-200.0, 0.0, 200.0]))
    smooth = modes(replace(made, springs=(spring,), curves=(straight,)))
    assert "kinked-force" not in problems(smooth)
    assert smooth.summary["accuracy check"] == "passed"


def test_load_by_an_expression_counts_as_stiffness_and_damping():
    made, *_ = chain([2.0], [30.0])
    push = Force(
        "push",
        on("m0"),
        (Formula(parse("-20*(m0.x - 1) - 3*m0.vx", lambda name: name.startswith("m0."))), 0.0, 0.0),
        (0.0, 0.0, 0.0),
    )
    exact = quadratic_eigenvalues(np.diag([2.0]), np.diag([3.0]), np.diag([50.0]))
    assert np.abs(eigenvalues(modes(replace(made, forces=(push,)))) / exact - 1.0).max() < 1e-9


def test_pendulum_in_space_swings_both_ways_at_the_same_rate_and_turns_freely():
    bodies = (rod("bob", (0, 0, 0), (0, 0, -1), width=0.1),)
    made = space(bodies, (joined(bodies, "ball", "spherical", "ground", "bob"),))
    result = modes(made)
    across = (1 + 0.01) / 12 + 0.25
    assert result.modes["frequency"][0] == 0.0
    assert np.abs(rates(result) / np.sqrt(0.5 * G / across) - 1.0).max() < 1e-9
    assert abs(abs(result.modes["bob.rz"][0]) - 1.0) < 1e-9
    assert not result.modes[["bob.x", "bob.y", "bob.z", "bob.rx", "bob.ry"]].iloc[0].to_numpy().any()


def test_planar_model_and_the_same_in_space_have_the_same_modes():
    plane = modes(windows(3), gravity=(1.5, 9.0, 0.0)).modes
    bodies = [rod(f"rod {k}", (k, 0, 0), (k, 0, 1), width=0.0) for k in range(4)]
    bodies += [rod(f"top {k}", (k, 0, 1), (k + 1, 0, 1), width=0.0) for k in range(3)]
    bodies = [replace(each, inertia=np.diag(np.full(3, 1 / 12))) for each in bodies]
    joints = [joined(bodies, f"foot {k}", "revolute", "ground", f"rod {k}", (k, 0, 0), (0, 1, 0)) for k in range(4)]
    for k in range(3):
        joints.append(joined(bodies, f"left {k}", "revolute", f"rod {k}", f"top {k}", (k, 0, 1), (0, 1, 0)))
        joints.append(joined(bodies, f"right {k}", "revolute", f"rod {k + 1}", f"top {k}", (k + 1, 0, 1), (0, 1, 0)))
    solid = modes(space(bodies, joints), gravity=(1.5, 0.0, 9.0)).modes
    assert len(plane) == len(solid) == 1
    assert abs(plane["frequency"][0] / solid["frequency"][0] - 1.0) < 1e-8
    for name in ("rod 0", "top 2"):
        assert abs(plane[f"{name}.x"][0] - solid[f"{name}.x"][0]) < 1e-8
        assert abs(plane[f"{name}.y"][0] - solid[f"{name}.z"][0]) < 1e-8
        assert abs(plane[f"{name}.phi"][0] + solid[f"{name}.ry"][0]) < 1e-8


def test_body_on_a_bushing_has_six_frequencies_in_any_orientation():
    stiffness, moments = np.array([1e4, 2e4, 4e4, 50.0, 80.0, 120.0]), np.array([0.2, 0.3, 0.4])
    free = rigid("block", (0.3, -0.2, 0.5), (0.7, -0.4, 1.1), mass=2.0, inertia=moments)
    axes = marker((free,), "block", free.position, np.eye(3))
    frame = replace(axes, axes=np.eye(3))
    ground = marker((free,), "ground", free.position, turned(*free.angles))
    mount = make_spring("mount", "bushing", ground, frame, stiffness=stiffness)
    result = modes(space((free,), springs=(mount,), gravity=NO_GRAVITY))
    exact = np.sort(np.sqrt(stiffness / np.array([2.0, 2.0, 2.0, *moments])))
    assert np.abs(rates(result) / exact - 1.0).max() < 1e-9


def top(spin, height=0.5, a=0.3, c=0.2, mass=1.0):
    """A top upright on its tip, spinning at ``spin``; a: moment of inertia about its centre across, c: along its axis."""
    spinner = rigid("top", (0, 0, height), mass=mass, inertia=(a, a, c), angular_velocity=(0.0, 0.0, spin))
    bodies = (spinner,)
    return space(bodies, (joined(bodies, "tip", "spherical", "ground", "top"),))


def test_sleeping_top_precesses_and_nods_as_the_closed_form_says():
    """A lambda^2 - i C s lambda - m g l = 0 for the tilt x + i y, with A about the tip."""
    spin, about_tip = 40.0, 0.3 + 0.25
    result = modes(top(spin))
    exact = np.abs(np.roots([about_tip, -1j * 0.2 * spin, -0.5 * G]))
    assert result.summary["linearised about"] == "an even motion"
    assert np.abs(np.sort(rates(result)) / np.sort(exact) - 1.0).max() < 1e-8
    assert not result.modes["growth_rate"].to_numpy().any()
    assert "modes-at-rest" not in problems(result)


def test_slow_top_falls_over():
    """C^2 s^2 < 4 A m g l."""
    result = modes(top(5.0))
    exact = np.roots([0.55, -1j * 0.2 * 5.0, -0.5 * G])
    assert abs(result.modes["growth_rate"].max() - exact.real.max()) < 1e-7
    assert "unstable-mode" in problems(result)


def test_driven_rotor_on_springs_whirls_forwards_and_backwards():
    """A disc on a shaft that a driver turns, in a frame on a ball joint held by springs: Ip s against It."""
    spin, across, along, k = 300.0, 0.02, 0.03, 400.0
    frame = rigid("frame", mass=1.0, inertia=(0.05, 0.05, 0.05))
    disc = rigid("disc", mass=2.0, inertia=(across, across, along))
    bodies = (frame, disc)
    joints = (
        joined(bodies, "ball", "spherical", "ground", "frame"),
        joined(bodies, "shaft", "revolute", "frame", "disc"),
        joined(bodies, "no twist", "perpendicular", "ground", "frame", axis=(1, 0, 0), second=(0, 1, 0)),
    )
    mount = make_spring(
        "mount", "bushing", marker(bodies, "ground", (0, 0, 0), np.eye(3)), marker(bodies, "frame", (0, 0, 0), np.eye(3)),
        stiffness=np.array([0.0, 0.0, 0.0, k, k, 0.0]),
    )  # fmt: skip
    drive = Driver("drive", None, "shaft", "angle", Quadratic(0.0, spin, 0.0))
    result = modes(space(bodies, joints, springs=(mount,), drivers=(drive,), gravity=NO_GRAVITY))
    exact = np.abs(np.roots([0.05 + across, -1j * along * spin, k]))
    assert result.summary["linearised about"] == "an even motion"
    assert np.abs(np.sort(rates(result)) / np.sort(exact) - 1.0).max() < 1e-8


def test_lopsided_rotor_is_linearised_at_rest():
    """Its equations change as it turns."""
    frame = rigid("frame", mass=1.0, inertia=(0.05, 0.05, 0.05))
    disc = rigid("disc", mass=2.0, inertia=(0.02, 0.01, 0.03), angular_velocity=(0.0, 0.0, 100.0))
    bodies = (frame, disc)
    joints = (
        joined(bodies, "ball", "spherical", "ground", "frame"),
        joined(bodies, "shaft", "revolute", "frame", "disc"),
    )
    mount = make_spring(
        "mount", "bushing", marker(bodies, "ground", (0, 0, 0), np.eye(3)), marker(bodies, "frame", (0, 0, 0), np.eye(3)),
        stiffness=np.full(6, 400.0),
    )  # fmt: skip
    result = modes(space(bodies, joints, springs=(mount,), gravity=NO_GRAVITY))
    assert "modes-at-rest" in problems(result)
    assert np.abs(np.sort(rates(result)) / np.sort(np.sqrt(400.0 / np.array([0.07, 0.06, 0.05]))) - 1.0).max() < 1e-8


def test_crank_at_speed_is_held_where_it_starts():
    made = replace(double_pendulum(), drivers=(turning("top", 5.0, 0.3),))
    result = modes(made)
    assert result.summary["linearised about"] == "the equilibrium"
    assert abs(rates(result)[0] / np.sqrt(1.5 * G) - 1.0) < 1e-9


def test_sheet_of_modes_is_written_with_units_and_empty_cells_for_what_is_not_known(tmp_path):
    book = shutil.copy(Path(__file__).parents[2] / "workbooks" / "quarter-car.xlsx", tmp_path / "car.xlsx")
    read = sheetmbs.read(book)
    stiff = tuple(
        replace(spring, values={**spring.values, "c": 8000.0}) if spring.name == "suspension" else spring
        for spring in read.springs
    )
    sheetmbs.run(replace(read, springs=stiff)).save()
    rows = sheet_values(book, "mbs Modes")
    assert rows[0][:7] == ("mode", "frequency", "damping", "growth_rate", "wheel.x", "wheel.y", "wheel.phi")
    assert rows[1][:7] == (None, "Hz", "1", "1/s", "m", "m", "rad")
    assert [row[1] is None for row in rows[2:]] == [False, True, True]

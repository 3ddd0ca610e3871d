"""Flexible beams against mechanics: conservation, Euler-Bernoulli theory, and motions from minimal coordinates."""

from dataclasses import replace

import numpy as np
import pytest

from sheetmbs.analysis.analyse import analyse
from sheetmbs.elements.beam_shapes import ENDS, axial, transverse
from sheetmbs.lower import lower
from sheetmbs.model.model import Beam, Force, Joint, Point
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.results.columns.motion_rows import reported
from sheetmbs.results.result_sheets import result_sheets
from tests.analysis.test_clearances import clearance
from tests.support.mechanisms import bar, body, hinge, model, on, slide_axes
from tests.support.references_beams import Line, cantilever, cantilever_line, gauss, motion, rotated, sine_line, turned
from tests.support.rubbing import rubbing
from tests.support.springs import make_spring

LENGTH, DENSITY, EI, EA, STRONGER = 1.2, 0.8, 2.0, 300.0, 3e5
ROOTS = np.array([1.875104068711961, 4.694091132974175, 7.854757438237613])


def beam(name="beam", x=0.0, y=0.0, phi=0.0, velocity=(0.0, 0.0, 0.0), **more):
    given = {"length": LENGTH, "mass_per_length": DENSITY, "bending_stiffness": EI} | more
    return Beam(
        name,
        mass=given["length"] * given["mass_per_length"],
        position=np.array([x, y, 0.0]),
        angles=np.array([0.0, 0.0, phi]),
        velocity=np.array([*velocity[:2], 0.0]),
        angular_velocity=np.array([0.0, 0.0, velocity[2]]),
        **given,
    )


def solved(given):
    lowered = lower(given)
    solution = analyse(lowered)
    assert solution.status == "done", solution.problems
    return lowered, solution


def columns(given):
    """Result columns by their names."""
    found = {}
    for table in result_sheets(*solved(given)).tables:
        found |= dict(zip(table.columns, table.values.T, strict=True))
    return found


@pytest.mark.parametrize("ends", ENDS)
@pytest.mark.parametrize("order", [0, 1, 2])
def test_the_derivatives_of_shapes_are_derivatives(ends, order):
    s, h = np.linspace(0.05, 0.95, 7), 1e-5
    for shape in (lambda s, k: transverse(ends, 8, s, k), lambda s, k: axial(8, s, k)):
        slope = (shape(s + h, order) - shape(s - h, order)) / (2.0 * h)
        size = np.abs(shape(s, order + 1)).max()
        assert np.abs(slope - shape(s, order + 1)).max() < 1e-6 * size


def test_shapes_are_held_and_free_where_their_names_say():
    start, end = np.zeros(1), np.ones(1)
    for ends, held, at in (
        ("clamped-free", (0, 1), start),
        ("clamped-free", (2, 3), end),
        ("clamped-clamped", (0, 1), start),
        ("clamped-clamped", (0, 1), end),
        ("pinned-pinned", (0, 2), start),
        ("pinned-pinned", (0, 2), end),
    ):
        for order in held:
            size = np.abs(transverse(ends, 10, np.linspace(0, 1, 50), order)).max(axis=0)
            assert np.all(np.abs(transverse(ends, 10, at, order)[0]) < 1e-12 * size)
    assert np.abs(axial(6, start)).max() == 0.0
    assert np.abs(axial(6, end, 1)).max() < 1e-13 * 20


@pytest.mark.parametrize("ends", ENDS[::2])
def test_clamped_shapes_have_unit_mean_square_and_are_orthogonal(ends):
    place, weight = gauss(120)
    shapes = transverse(ends, 10, place)
    assert np.abs((shapes.T * weight) @ shapes - np.eye(10)).max() < 1e-11
    assert np.abs((axial(10, place).T * weight) @ axial(10, place) - np.eye(10)).max() < 1e-12


@pytest.mark.parametrize("ends", ENDS)
@pytest.mark.parametrize("stretching", [None, EA])
def test_a_free_beam_keeps_energy_and_momenta_while_it_falls_spins_and_bends(ends, stretching):
    """A weight on a spring shakes it: all modes take part."""
    weight = bar("weight", (0.6, 0.4), (0.8, 0.4), mass=0.3)
    spring = make_spring("spring", "translational", on("beam", 0.7, 0.0), on("weight", 0.1, 0.0), k=40.0, natural=0.2)
    spun = beam(velocity=(1.0, 2.0, 6.0), ends=ends, axial_stiffness=stretching, modes=3)
    given = model([spun, weight], springs=[spring], t_end=1.0, t_step=0.02, rtol=1e-13)
    lowered, solution = solved(given)
    found = reported(lowered, solution)
    energy, mass = found.energy.sum(axis=1), lowered.bodies.body_mass.sum()
    assert np.ptp(solution.q[:, 3:6], axis=0).min() > 1e-4
    assert np.ptp(found.energy[:, 0]) > 1.0
    assert np.ptp(energy) < 1e-9
    linear, angular, moment = found.momentum[:, :2], found.momentum[:, 5], found.momentum[:, 6:8]
    assert np.abs(linear - linear[0] - mass * np.outer(solution.times, [0.0, -9.81])).max() < 1e-10
    assert np.ptp(angular - (moment[:, 0] * linear[:, 1] - moment[:, 1] * linear[:, 0]) / mass) < 1e-10


def test_reported_velocities_and_accelerations_are_derivatives():
    point = Point("p", on("beam", 0.8, 0.05), report=True)
    given = model(
        [beam(velocity=(0.0, 0.0, 3.0), axial_stiffness=EA, ends="pinned-pinned")],
        [hinge("pin", on("ground"), on("beam", 0.2, 0.0))],
        t_end=0.02,
        t_step=1e-4,
        rtol=1e-13,
    )
    found = columns(replace(given, points=(point,)))
    h = 1e-4
    for name, rate in (("beam.x", "beam.vx"), ("beam.phi", "beam.omega"), ("beam.vy", "beam.ay"), ("beam.omega", "beam.alpha"),
                       ("p.x", "p.vx"), ("p.vy", "p.ay")):  # fmt: skip
        values = found[name]
        slope = (8.0 * (values[3:-1] - values[1:-3]) - values[4:] + values[:-4]) / (12.0 * h)
        assert np.abs(slope - found[rate][2:-2]).max() < 1e-6 * np.abs(found[rate]).max()


SECOND_ORDER = 0.02
"""Of deflections of a few percent of the length: by how much the theory, which is of second order in them, may be off"""


@pytest.mark.parametrize("ends", [ENDS[0], pytest.param(ENDS[1], marks=pytest.mark.nightly)])
def test_a_flexible_pendulum_moves_as_in_minimal_coordinates(ends):
    """Hung at end i, with a spring along it and one that turns its end: both bend it in static shapes, too."""
    line = (cantilever_line if ends == "clamped-free" else sine_line)(LENGTH, 0.6, turned_at_end=True)
    stiff, place, weight = 120.0, line.places, line.weights
    points, hook, slopes = line.placed(place), line.placed(0.6), line.slopes(np.ones(1))[:, 0] / LENGTH
    anchor = np.array([0.5, -0.9])

    def potential(z):
        q = z[1:]
        apart = rotated(z[0], hook(q))[0] - anchor
        length = np.sqrt(np.sum(apart * apart))
        end = z[0] + q @ slopes
        return 0.5 * stiff * q @ line.bending @ q + 0.5 * 30.0 * (length - 0.4) ** 2 + 0.5 * 1.5 * (end - 0.3) ** 2

    times = np.linspace(0.0, 0.4, 21)
    start = np.zeros(5), np.array([2.0, 0, 0, 0, 0])
    z = motion(lambda z: rotated(z[0], points(z[1:])), DENSITY * LENGTH * weight, times, *start, potential, rtol=1e-9)
    along = make_spring("s", "translational", on("beam", 0.6 * LENGTH, 0.0), on("ground", *anchor), k=30.0, natural=0.4)
    turn = make_spring("t", "rotational", on("ground"), on("beam", LENGTH, 0.0), k=1.5, natural=0.3)
    given = model(
        [beam(velocity=(0.0, 0.0, 2.0), ends=ends, bending_stiffness=stiff)],
        [hinge("pin", on("ground"), on("beam"))],
        springs=[along, turn],
        t_end=0.4,
        t_step=0.02,
        rtol=1e-11,
    )
    found = columns(given)
    q = line.amplitudes(z[:, 1:], 2)
    assert np.ptp(q, axis=0).min() > 5e-5
    assert np.abs(found["beam.phi"] - z[:, 0]).max() < SECOND_ORDER * np.ptp(q)
    for k in range(2):
        assert np.abs(found[f"beam.q{k + 1}"] - q[:, k]).max() < SECOND_ORDER * np.ptp(q)
    assert np.abs(found["s.length"][0] - np.hypot(0.72 - 0.5, 0.9)) < 1e-12


def test_a_beam_that_also_stretches_moves_as_in_minimal_coordinates():
    """Strains of the size that beams have: how far they turn with the bending is beyond the theory."""
    line = Line(LENGTH, [cantilever(1)[0]], [lambda s: ROOTS[0] ** 2 + 0.0 * s])
    points, place, weight = line.placed(line.places), line.places, line.weights
    along = np.sqrt(2.0) * np.sin(0.5 * np.pi * place)
    bend, stretch = 40.0 * ROOTS[0] ** 4 / LENGTH**3, (0.5 * np.pi) ** 2 * STRONGER / LENGTH

    def axis(z):
        x, y = points(z[1:2]).T
        return turned(z[0], x + z[2] * along, y)

    def potential(z):
        return 0.5 * bend * z[1] ** 2 + 0.5 * stretch * z[2] ** 2

    times = np.linspace(0.0, 0.25, 51)
    z = motion(axis, DENSITY * LENGTH * weight, times, np.zeros(3), np.array([7.0, 0.0, 0.0]), potential, rtol=1e-9)
    given = model(
        [beam(velocity=(0.0, 0.0, 7.0), axial_stiffness=STRONGER, bending_stiffness=40.0, modes=1)],
        [hinge("pin", on("ground"), on("beam"))],
        t_end=0.25,
        t_step=0.005,
        rtol=1e-12,
    )
    found = columns(given)
    assert np.ptp(z[:, 1]) > 0.003
    assert np.ptp(z[:, 2]) > 1e-4
    for k, name in enumerate(("beam.phi", "beam.q1", "beam.q2")):
        assert np.abs(found[name] - z[:, k]).max() < SECOND_ORDER * np.ptp(z[:, max(k, 1)])


CRANK, ROCKER, BASE, STIFFER = 0.3, 0.9, 1.1, 80.0


@pytest.mark.parametrize("ends", ENDS[:2])
def test_a_four_bar_with_a_flexible_coupler_moves_as_in_minimal_coordinates(ends):
    line = cantilever_line(LENGTH, 1.0) if ends == "clamped-free" else sine_line(LENGTH)
    inside, end = line.placed(line.places), line.placed(1.0)
    bar_place, bar_weight = gauss(2)

    def points(z):
        crank = turned(z[0], CRANK * np.ones(1), np.zeros(1))[0]
        along, tip = end(z[1:])[0]
        chord = np.sqrt(along**2 + tip * tip)
        dx, dy = BASE - crank[0], -crank[1]
        apart = np.sqrt(dx * dx + dy * dy)
        open_by = np.arccos((apart**2 + chord**2 - ROCKER**2) / (2.0 * apart * chord))
        angle = np.arctan(dy / dx) + open_by
        phi = angle - np.arctan(tip / along)
        coupler = crank + rotated(phi, inside(z[1:]))
        rocker = np.array([BASE, 0.0]) + np.outer(bar_place, crank + turned(angle, chord, 0.0) - np.array([BASE, 0.0]))
        return np.concatenate((np.outer(bar_place, crank), coupler, rocker)), phi

    start, rate = 1.0, 6.0
    masses = np.concatenate((0.5 * bar_weight, DENSITY * LENGTH * line.weights, 0.7 * bar_weight))
    times = np.linspace(0.0, 0.6, 31)
    rigid, rates = (np.array([one, *np.zeros(len(line.shapes))]) for one in (start, rate))
    z = motion(
        lambda z: points(z)[0],
        masses,
        times,
        rigid,
        rates,
        lambda z: 0.5 * STIFFER * z[1:] @ line.bending @ z[1:],
        rtol=1e-9,
    )
    moving = [part.imag / 1e-30 for part in points(rigid + 1e-30j * rates)]
    phi, omega = points(rigid)[1], moving[1]
    pin, pin_velocity = turned(start, CRANK, 0.0), rate * turned(start, 0.0, CRANK)
    far = pin + turned(phi, LENGTH, 0.0)
    far_velocity = pin_velocity + omega * turned(phi, 0.0, LENGTH)
    swing = (far[0] - BASE) * far_velocity[1] / ROCKER**2 - far[1] * far_velocity[0] / ROCKER**2
    bodies = [
        bar("crank", (0, 0), pin, mass=0.5, velocity=(*pin_velocity / 2, rate)),
        bar("rocker", (BASE, 0), far, mass=0.7, velocity=(*far_velocity / 2, swing)),
        beam("coupler", *pin, phi, velocity=(*pin_velocity, omega), ends=ends, bending_stiffness=STIFFER),
    ]
    joints = [
        hinge("a", on("ground"), on("crank", -CRANK / 2)),
        hinge("b", on("crank", CRANK / 2), on("coupler")),
        hinge("c", on("coupler", LENGTH), on("rocker", ROCKER / 2)),
        hinge("d", on("rocker", -ROCKER / 2), on("ground", BASE)),
    ]
    found = columns(model(bodies, joints, t_end=0.6, t_step=0.02, rtol=1e-11, initial_conditions="check"))
    q = line.amplitudes(z[:, 1:], 2)
    assert np.ptp(q, axis=0).min() > 1e-4
    assert np.abs(found["crank.phi"] - z[:, 0]).max() < SECOND_ORDER * np.ptp(q)
    for k in range(2):
        assert np.abs(found[f"coupler.q{k + 1}"] - q[:, k]).max() < SECOND_ORDER * np.ptp(q)
    assert np.abs(found["position_violation"]).max() < 1e-10


def _slope(shape, s):
    return shape(np.array([s + 1e-30j])).imag[0] / 1e-30


def test_damping_takes_from_a_beam_the_energy_that_the_balance_accounts_for():
    spun = beam(velocity=(0.0, 0.0, 4.0), damping=0.05)
    lowered, solution = solved(model([spun], [hinge("pin", on("ground"), on("beam"))], rtol=1e-11))
    energy = reported(lowered, solution).energy.sum(axis=1)
    assert energy[-1] < energy[0] - 0.001
    assert np.abs(energy - energy[0] - solution.work).max() < 1e-8


def test_a_cantilever_in_equilibrium_bends_as_its_modes_say():
    """Its own weight: sum over the modes of (w L int phi) / k phi(1); with all of them w L^4/(8 EI)."""
    stiff = 2e5
    given = model(
        [beam(modes=10, bending_stiffness=stiff)],
        [Joint("wall", "fixed", on("ground"), on("beam"))],
        analysis="equilibrium",
    )
    tip = Point("tip", on("beam", LENGTH), report=True)
    wall = Point("root", on("beam"), report=True)
    found = columns(replace(given, points=(tip, wall)))
    sag = DENSITY * 9.81 * LENGTH**4 / (8.0 * stiff)
    assert found["beam.deflection"][0] == pytest.approx(-sag, rel=1e-5)
    assert found["tip.y"][0] == pytest.approx(-sag, rel=1e-5)
    assert found["root.moment"][0] == pytest.approx(-DENSITY * 9.81 * LENGTH**2 / 2.0, rel=0.05)
    assert found["wall.j.fy"][0] == pytest.approx(DENSITY * LENGTH * 9.81, rel=1e-9)
    assert found["wall.j.m"][0] == pytest.approx(DENSITY * LENGTH**2 / 2 * 9.81, rel=1e-9)
    assert abs(found["tip.moment"][0]) < 1e-9
    assert abs(found["tip.shear"][0]) < 1e-9


def test_a_beam_under_a_force_in_its_middle_has_its_moment_and_shear():
    """Simply supported: F L/4 in the middle, shear F/2 beside it, deflection F L^3/(48 EI)."""
    stiff, force = 2000.0, 10.0
    pins = [hinge("i", on("ground"), on("beam")), hinge("j", on("ground", LENGTH), on("beam", LENGTH))]
    load = Force("load", on("beam", 0.5 * LENGTH), (0.0, -force, 0.0), (0.0, 0.0, 0.0))
    places = {"middle": 0.5, "quarter": 0.25}
    given = replace(
        model(
            [beam(ends="pinned-pinned", modes=9, bending_stiffness=stiff)],
            pins,
            analysis="equilibrium",
            gravity=(0, 0, 0),
        ),
        forces=(load,),
        points=tuple(Point(name, on("beam", s * LENGTH), report=True) for name, s in places.items()),
    )
    found = columns(given)
    assert found["beam.deflection"][0] == pytest.approx(-force * LENGTH**3 / (48.0 * stiff), rel=1e-3)
    assert found["middle.moment"][0] == pytest.approx(force * LENGTH / 4.0, rel=0.05)
    assert found["quarter.moment"][0] == pytest.approx(force * LENGTH / 8.0, rel=0.02)
    assert found["quarter.shear"][0] == pytest.approx(force / 2.0, rel=0.1)


def test_an_axial_force_stretches_a_beam_that_has_an_axial_stiffness():
    load = Force("load", on("beam", LENGTH), (6.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    given = replace(
        model(
            [beam(modes=10, axial_stiffness=EA)],
            [Joint("wall", "fixed", on("ground"), on("beam"))],
            analysis="equilibrium",
            gravity=(0, 0, 0),
        ),
        forces=(load,),
        points=(Point("tip", on("beam", LENGTH), report=True), Point("root", on("beam"), report=True)),
    )
    found = columns(given)
    assert found["tip.x"][0] - LENGTH == pytest.approx(6.0 * LENGTH / EA, rel=1e-9)
    assert found["root.axial"][0] == pytest.approx(6.0, rel=1e-9)
    assert found["tip.axial"][0] == pytest.approx(6.0, rel=1e-9)


def four_bar(coupler):
    far = np.array([1.2, 0.9])
    pin = np.array([0.0, 0.3])
    joints = [
        hinge("a", on("ground"), on("crank", -0.15)),
        hinge("b", on("crank", 0.15), coupler[1]),
        hinge("c", coupler[2], on("rocker", 0.45)),
        hinge("d", on("rocker", -0.45), on("ground", 1.2)),
    ]
    bodies = [bar("crank", (0, 0), pin), bar("rocker", (1.2, 0), far), coupler[0]]
    return columns(model(bodies, joints, t_end=0.5, t_step=0.05, rtol=1e-10))


@pytest.mark.parametrize("ends", ENDS)
def test_with_growing_stiffness_a_flexible_coupler_becomes_a_rigid_one(ends):
    pin, far = np.array([0.0, 0.3]), np.array([1.2, 0.9])
    length = float(np.hypot(*(far - pin)))
    rigid = bar("coupler", pin, far, mass=DENSITY * length)
    wanted = four_bar((rigid, on("coupler", -length / 2), on("coupler", length / 2)))["crank.phi"]
    phi = float(np.arctan2(*(far - pin)[::-1]))
    off = []
    for stiffness in (1e2, 1e3, 1e4):
        soft = beam("coupler", *pin, phi, length=length, bending_stiffness=stiffness, ends=ends)
        found = four_bar((soft, on("coupler"), on("coupler", length)))
        off.append(np.abs(found["crank.phi"] - wanted).max())
    assert off[2] < 3e-4
    assert off[1] < 0.2 * off[0] or off[0] < 1e-9
    assert off[2] < 0.2 * off[1] or off[1] < 1e-9


def test_a_beam_starts_unbent_and_with_shapes_at_rest_if_joints_let_it():
    rough = beam("coupler", 0.0, 0.301, 0.46)
    found = four_bar((rough, on("coupler"), on("coupler", LENGTH)))
    assert abs(found["coupler.q1"][0]) < 1e-12
    assert abs(found["coupler.q2"][0]) < 1e-12


def test_a_beam_starts_bent_where_joints_ask_for_it():
    held = [
        Joint("i", "fixed", on("ground"), on("beam")),
        hinge("j", on("ground", LENGTH, 0.1), on("beam", LENGTH)),
    ]
    found = columns(model([beam()], held, t_step=0.5, rtol=1e-8))
    assert found["beam.deflection"] == pytest.approx(0.1, abs=1e-10)


def test_a_point_off_the_line_of_a_beam_is_carried_by_its_section():
    """And one beyond its end by that end."""
    places = {"axis": (LENGTH, 0.0), "arm": (LENGTH, 0.1), "beyond": (LENGTH + 0.2, 0.0)}
    given = replace(
        model([beam()], [Joint("wall", "fixed", on("ground"), on("beam"))], rtol=1e-9),
        points=tuple(Point(name, on("beam", *place), report=True) for name, place in places.items()),
    )
    found = columns(given)
    slope = [_slope(cantilever(n)[0], 1.0) / LENGTH for n in (1, 2)]
    turn = slope[0] * found["beam.q1"] + slope[1] * found["beam.q2"]
    assert np.abs(turn).max() > 0.1
    assert np.abs(found["arm.x"] - found["axis.x"] + 0.1 * np.sin(turn)).max() < 1e-9
    assert np.abs(found["beyond.y"] - found["axis.y"] - 0.2 * np.sin(turn)).max() < 1e-9


@pytest.mark.parametrize("modes", [1, 3, 4, 7])
def test_beams_of_any_number_of_modes_may_carry_many_joints(modes):
    """A beam that carries seven pendulums: too wide, from four modes on, to be a hub."""
    hung = [bar(f"bob {k}", (0.1 * k, 0.0), (0.1 * k, -0.2), mass=0.1) for k in range(1, 8)]
    joints = [hinge(f"hook {k}", on("beam", 0.1 * k), on(f"bob {k}", -0.1)) for k in range(1, 8)]
    joints.append(hinge("pin", on("ground"), on("beam")))
    lowered, solution = solved(model([beam(modes=modes), *hung], joints, t_end=0.3, rtol=1e-10))
    found = reported(lowered, solution)
    assert np.ptp(found.energy.sum(axis=1)) < 1e-7
    assert found.worst.max() < 1e-10
    assert found.imbalance.max() < 1e-10


@pytest.mark.parametrize("analysis", ["kinematic", "inverse dynamic"])
def test_analyses_of_prescribed_motion_are_refused(analysis):
    given = model([beam()], [hinge("pin", on("ground"), on("beam"))], analysis=analysis)
    with pytest.raises(WorkbookError, match="beam can bend"):
        analyse(lower(given))


@pytest.mark.parametrize("integrator", ["rkv65", "abm", "bdf", "radau", "generalized-alpha", "lsoda"])
def test_other_integrators_find_the_same_motion(integrator):
    given = model([beam(velocity=(0.0, 0.0, 4.0))], [hinge("pin", on("ground"), on("beam"))], t_end=0.2, rtol=1e-9)
    wanted = columns(given)
    found = columns(replace(given, settings=replace(given.settings, integrator=integrator, rtol=1e-7)))
    assert np.abs(found["beam.phi"] - wanted["beam.phi"]).max() < 1e-4
    assert np.abs(found["beam.deflection"] - wanted["beam.deflection"]).max() < 1e-4


@pytest.mark.parametrize("formulation", ["lagrange", "baumgarte", "augmented-lagrangian", "coordinate-partitioning"])
def test_other_formulations_find_the_same_motion(formulation):
    bob = bar("bob", (LENGTH, 0.0), (LENGTH, -0.3), mass=0.2)
    joints = [hinge("pin", on("ground"), on("beam")), hinge("hook", on("beam", LENGTH), on("bob", -0.15))]
    given = model([beam(ends="pinned-pinned"), bob], joints, t_end=0.2, rtol=1e-9)
    wanted = columns(given)
    found = columns(replace(given, settings=replace(given.settings, formulation=formulation)))
    for name in ("beam.phi", "beam.q1", "beam.q2", "bob.phi"):
        assert np.abs(found[name] - wanted[name]).max() < 1e-5


MU, RADIUS, CREEP = 0.3, 0.02, 1e-3


def energy_lost(given):
    """Drop of the energy between the first row and each, and what friction takes by its reported power; J."""
    found = columns(replace(given, settings=replace(given.settings, t_step=0.001, t_end=0.4, rtol=1e-10)))
    power = sum(values for name, values in found.items() if name.endswith(".friction_power"))
    assert np.all(power >= 0.0)
    steps = np.diff(found["time"]) * (power[1:] + power[:-1]) / 2.0
    energy = found["total_energy"]
    return found, energy[0] - energy, np.concatenate(([0.0], np.cumsum(steps)))


@pytest.mark.parametrize("redundant", [False, True])
def test_a_bearing_rubs_on_a_beam_as_coulomb_says(redundant):
    """Also where a wall that is held twice makes the solver leave out rows."""
    pin = rubbing(hinge("pin", on("ground"), on("beam")), MU, RADIUS, CREEP)
    bodies, joints = [beam(velocity=(0.0, 0.0, 4.0))], [pin]
    if redundant:
        bodies.append(bar("wall", (3.0, 0.0), (4.0, 0.0)))
        joints += [Joint(f"bolt {k}", "fixed", on("ground", 3.5), on("wall")) for k in range(2)]
    found, lost, taken = energy_lost(model(bodies, joints))
    pressed = np.hypot(found["pin.j.fx"], found["pin.j.fy"])
    slope = sum(_slope(cantilever(n)[0], 0.0) * found[f"beam.q{n}"] for n in (1, 2))
    assert np.abs(slope).max() == 0.0  # the section in the bearing turns with the frame of the beam
    wanted = -MU * RADIUS * pressed * np.tanh(RADIUS * found["beam.omega"] / CREEP)
    assert found["pin.friction"] == pytest.approx(wanted, rel=1e-6, abs=1e-9)
    assert lost[-1] > 0.02
    assert np.abs(lost - taken).max() < 1e-3 * taken[-1]


def test_a_block_rubs_along_a_slide_on_a_beam_that_bends():
    """A guide on a section near the free end of a cantilever, and a block thrown along it."""
    wall = Joint("wall", "fixed", on("ground"), on("beam"))
    slide = Joint("slide", "translational", on("beam", 1.0, axes=slide_axes(0.0)), on("block", axes=slide_axes(0.0)))
    block = body("block", 0.9, 0.0, mass=0.05, inertia=1e-4, velocity=(-1.0, 0.0, 0.0))
    found, lost, taken = energy_lost(model([beam(modes=3, bending_stiffness=20.0), block], [wall, rubbing(slide, MU)]))
    assert np.ptp(found["beam.deflection"]) > 0.01
    assert found["block.vx"][-1] > -0.3
    assert lost[-1] > 0.01
    assert np.abs(lost - taken).max() < 1e-3 * taken[-1]


def test_a_stiff_beam_in_a_rubbing_bearing_moves_as_a_rigid_bar():
    """If its vibrations die away: friction counts the mean size of a reaction that shakes, not the size of its mean."""

    def angle(part, start):
        pin = rubbing(hinge("pin", on("ground"), on("arm", start)), MU, 5.0 * RADIUS, CREEP)
        return columns(model([part], [pin], rtol=1e-9))["arm.phi"]

    rigid = angle(bar("arm", (0.0, 0.0), (LENGTH, 0.0), mass=DENSITY * LENGTH), -LENGTH / 2)
    soft = angle(beam("arm", bending_stiffness=1e4, ends="pinned-pinned", damping=0.5), 0.0)
    assert np.ptp(rigid) > 1.0
    assert np.abs(soft - rigid).max() < 1e-4


def test_a_journal_that_knocks_in_a_bearing_on_a_free_beam_keeps_energy_and_momenta():
    """Elastic contacts, located in time: they shake the beam, and what it has is taken from the journal."""
    place = on("beam", 0.9 * LENGTH)
    pin = clearance("hertz", e=1.0, markers=(place, on("journal")))
    journal = body("journal", 0.9 * LENGTH, mass=0.2, inertia=1e-4, velocity=(0.3, 1.0, 0.0))
    given = replace(
        model([beam(modes=2), journal], gravity=(0.0, 0.0, 0.0), t_end=5e-3, t_step=1e-4, rtol=1e-11), clearances=(pin,)
    )
    lowered, solution = solved(given)
    found = reported(lowered, solution)
    energy = found.energy.sum(axis=1)
    assert len(solution.impacts) > 2
    assert np.abs(solution.q[-1, 3:5]).min() > 1e-6
    assert np.ptp(energy) < 1e-8 * energy[0]
    assert np.ptp(found.momentum[:, [0, 1, 5]], axis=0).max() < 1e-11

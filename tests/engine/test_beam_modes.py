"""Modes of beams: frequencies against Euler and Bernoulli's theory through joints, shapes, and pictures of them."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.linalg import eigh

import sheetmbs
from sheetmbs.elements.beam_shapes import ENDS, transverse
from sheetmbs.model.model import Display, Joint
from tests.analysis.test_beams import DENSITY, EA, EI, LENGTH, ROOTS, beam, solved
from tests.support.mechanisms import body, hinge, model, on
from tests.support.references_beams import gauss

FREE_ROOTS = np.array([4.730040744862704, 7.853204624095838])


def eigenvalues(given):
    """Of small motions about rest, one of each pair of conjugates, and how many rigid motions there are."""
    _lowered, solution = solved(replace(given, settings=replace(given.settings, analysis="modes")))
    values = solution.modes.values
    assert np.all((values == 0.0) | (values.imag > 0.0))
    return values[values.imag > 0.0], int(np.sum(values == 0.0))


def frequencies(given):
    """Circular frequencies, from the lowest."""
    return np.abs(eigenvalues(given)[0])


def exact(roots):
    return roots**2 / LENGTH**2 * np.sqrt(EI / DENSITY)


def clamped(ends="clamped-free", **more):
    return model([beam(ends=ends, **more)], [Joint("wall", "fixed", on("ground"), on("beam"))], gravity=(0.0, 0.0, 0.0))


def test_a_clamped_beam_vibrates_with_the_frequencies_of_a_cantilever():
    assert frequencies(clamped(modes=3)) == pytest.approx(exact(ROOTS), rel=1e-6)


def test_a_beam_on_two_pins_vibrates_with_the_frequencies_of_a_simply_supported_one():
    pins = [hinge("i", on("ground"), on("beam")), Joint("j", "coordinate", on("beam"), on("ground"), coordinate="phi")]
    given = model([beam(ends="pinned-pinned", modes=3)], pins, gravity=(0.0, 0.0, 0.0))
    assert frequencies(given) == pytest.approx(exact(np.pi * np.arange(1, 4)), rel=1e-6)


def link(name, reach=LENGTH):
    """Holds a place of the beam, or one that its end carries, across it."""
    return Joint(name, "distance", on("ground", reach, -1.0), on("beam", reach))


PIN, WALL = hinge("i", on("ground"), on("beam")), Joint("i", "fixed", on("ground"), on("beam"))
CLAMPED_PINNED = np.array([3.926602312047919, 7.068582745628732])


@pytest.mark.parametrize(
    ("joints", "roots", "off"),
    [
        ([], FREE_ROOTS, 2e-4),
        ([PIN, link("j")], np.pi * np.arange(1, 3), 2e-3),
        ([WALL, link("j")], CLAMPED_PINNED, 2e-3),
        ([WALL, link("j"), link("k", LENGTH + 0.5)], FREE_ROOTS, 0.13),
    ],
    ids=["free-free", "pinned-pinned", "clamped-pinned", "clamped-clamped"],
)
def test_joints_bring_cantilever_modes_to_other_ends_and_more_modes_come_nearer_from_above(joints, roots, off):
    few, many = (
        frequencies(model([beam(modes=n)], joints, gravity=(0.0, 0.0, 0.0)))[:2] / exact(roots) - 1.0 for n in (4, 8)
    )
    assert np.all(many > -1e-6)
    assert np.all(many < few)
    assert np.all(many < off)


@pytest.mark.parametrize("ratio", [0.02, 0.3])
def test_every_mode_of_a_free_beam_has_the_damping_ratio_that_is_given(ratio):
    given = model([beam(modes=3, damping=ratio, axial_stiffness=EA)], gravity=(0.0, 0.0, 0.0))
    vibrating, rigid = eigenvalues(given)
    assert (len(vibrating), rigid) == (6, 3)
    assert -vibrating.real / np.abs(vibrating) == pytest.approx(ratio, rel=1e-6)


@pytest.mark.parametrize("ends", ENDS)
@pytest.mark.parametrize("count", [2, 10])
def test_a_free_beam_has_the_frequencies_of_its_modal_matrices(ends, count):
    """Also where its modes leave next to nothing of the inertia of its frame."""
    free = beam(modes=count, ends=ends)
    nodes, weights = gauss(120)
    place, shapes, bent = nodes - 0.5, transverse(ends, count, nodes), transverse(ends, count, nodes, 2)
    shapes = shapes - weights @ shapes - 12.0 * np.outer(place, (weights * place) @ shapes)
    mass = DENSITY * LENGTH * (shapes.T * weights) @ shapes
    squares = eigh(EI / LENGTH**3 * (bent.T * weights) @ bent, mass, eigvals_only=True)
    vibrating, rigid = eigenvalues(model([free], gravity=(0.0, 0.0, 0.0)))
    assert rigid == 3
    assert np.abs(vibrating) == pytest.approx(np.sqrt(squares), rel=1e-8)


def test_a_mass_at_the_end_of_a_cantilever_slows_it_down():
    """cos b cosh b + 1 = r b (sin b cosh b - cos b sinh b), r: its mass over that of the beam; here r = 1."""
    weight = body("weight", LENGTH, mass=DENSITY * LENGTH, inertia=1e-9)
    joints = [WALL, hinge("hook", on("beam", LENGTH), on("weight"))]
    hold = Joint("upright", "coordinate", on("weight"), on("ground"), coordinate="phi")
    found = frequencies(model([beam(modes=6), weight], [*joints, hold], gravity=(0.0, 0.0, 0.0)))
    b = np.sqrt(found[0] / exact(1.0))
    assert b == pytest.approx(1.2479, rel=1e-4)
    left = np.cos(b) * np.cosh(b) + 1.0 - b * (np.sin(b) * np.cosh(b) - np.cos(b) * np.sinh(b))
    assert abs(left) < 1e-3


def test_a_cantilever_that_hangs_through_swings_about_where_it_hangs():
    """Modes belong to the equilibrium, in which the beam is bent by its weight; so little that its frequencies stay."""
    found = sheetmbs.run(model([beam(modes=3, bending_stiffness=200.0)], [WALL]), analysis="modes")
    sag = DENSITY * 9.81 * LENGTH**4 / (8.0 * 200.0)
    assert found.summary["linearised about"] == "the equilibrium"
    assert found.bodies["beam.deflection"][0] == pytest.approx(-sag, rel=1e-2)
    assert 2.0 * np.pi * found.modes["frequency"][0] == pytest.approx(10.0 * exact(ROOTS[0]), rel=2e-3)


def test_shapes_are_amplitudes_of_the_modes_of_the_beam():
    """Those of a cantilever are its own modes one by one; of a free beam they are mixed as its coordinates are not."""
    found = sheetmbs.run(clamped(modes=3), analysis="modes").modes
    shapes = found[["beam.q1", "beam.q2", "beam.q3"]].to_numpy()
    assert np.abs(shapes - np.eye(3)).max() < 1e-6
    assert np.abs(found[["beam.x", "beam.y", "beam.phi"]].to_numpy()).max() < 1e-9
    assert found.attrs["units"]["beam.q1"] == "m"


def test_shapes_of_a_free_beam_stand_at_right_angles_to_its_rigid_motions():
    """Displacements across the beam: their mean, and their mean times the place, are zero."""
    result = sheetmbs.run(model([beam(modes=4, axial_stiffness=EA)], gravity=(0.0, 0.0, 0.0)), analysis="modes")
    share, weight = np.polynomial.legendre.leggauss(40)
    share, weight = 0.5 * (share + 1.0), 0.5 * weight
    shapes = transverse("clamped-free", 4, share)
    bending = result.modes[(result.modes["frequency"] > 0.0) & (result.modes["beam.q1"] != 0.0)]
    assert len(bending) == 4
    for _, mode in bending.iterrows():
        amplitudes = mode[[f"beam.q{k}" for k in range(1, 5)]].to_numpy(dtype=float)
        across = mode["beam.y"] + LENGTH * share * mode["beam.phi"] + shapes @ amplitudes
        assert abs(weight @ across) < 1e-6 * np.abs(across).max()
        assert abs(weight @ (share * across)) < 1e-6 * np.abs(across).max()


def test_units_of_the_workbook_change_no_amplitude():
    given = clamped(modes=2)
    plain, small = (
        sheetmbs.run(replace(given, display=display), analysis="modes")
        for display in (Display(), Display(length=("mm", 1e-3)))
    )
    assert small.modes["beam.q1"].to_numpy() == pytest.approx(plain.modes["beam.q1"].to_numpy(), abs=1e-9)


def test_shapes_are_drawn_bent():
    """The cantilever at rest is a straight line; its shapes have as many turning points as their numbers say."""
    figure = sheetmbs.plot(sheetmbs.run(clamped(modes=3), analysis="modes"))
    for number, axes in enumerate(figure.axes):
        lines = [line for line in axes.lines if len(line.get_xdata()) == 25]
        rest, back, forth = (np.asarray(line.get_ydata()) for line in lines)
        assert np.abs(rest).max() < 1e-12
        assert forth == pytest.approx(-back, abs=1e-9)
        shape = transverse("clamped-free", 3, np.linspace(0.0, 1.0, 25))[:, number]
        assert forth / forth[-1] == pytest.approx(shape / shape[-1], abs=1e-6)
        assert np.abs(forth).max() == pytest.approx(0.12 * LENGTH, rel=0.05)

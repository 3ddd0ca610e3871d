"""Kernels of joints with clearance: the film's force against closed forms, momentum, and contacts that are located."""

from dataclasses import replace

import numpy as np
import pytest

from sheetmbs.analysis.analyse import analyse
from sheetmbs.elements.marker import Marker, triad
from sheetmbs.engine.evaluate import evaluate
from sheetmbs.engine.forces.clearance import CLOSED, NORMAL, SPEED, TANGENTIAL, film_force
from sheetmbs.lower import lower
from sheetmbs.model.model import Body, Model, Settings
from tests.analysis.test_clearances import BEGAN, LASTED, OIL, clearance, thrown
from tests.support import references_clearance as reference


class Film:
    """What `film_force` reads of a record."""

    film = 1.0


def film(eps, squeeze, whirl):
    return getattr(film_force, "function", film_force)(Film, eps, squeeze, whirl)


@pytest.mark.parametrize("eps", [0.01, 0.2, 0.5, 0.8, 0.95])
def test_the_static_film_carries_what_its_pressure_sums_up_to(eps):
    assert film(eps, 0.0, eps * 3.0) == pytest.approx(reference.film_pressure_force(eps, 3.0), rel=1e-9)
    inwards, along = reference.film_pressure_force(eps, 3.0)
    assert film(eps, 0.0, -eps * 3.0) == pytest.approx((inwards, -along), rel=1e-9)


@pytest.mark.parametrize("eps", [0.0, 0.3, 0.9])
def test_the_films_force_is_continuous_where_the_squeeze_changes_its_sign_and_at_the_centre(eps):
    here = np.array(film(eps, 0.0, eps + 0.1))
    for aside in (1e-9, -1e-9):
        assert np.array(film(eps, aside, eps + 0.1)) == pytest.approx(here, rel=1e-5, abs=1e-6)
    slopes = [(np.array(film(eps, aside, eps + 0.1)) - here) / aside for aside in (1e-6, -1e-6)]
    assert slopes[0] == pytest.approx(slopes[1], rel=1e-3, abs=1e-3)
    # at the centre a velocity is resisted alike in all directions
    assert film(0.0, 2.0, 0.0)[0] == pytest.approx(film(0.0, 0.0, -4.0)[1] * -1.0)


def test_a_film_never_feeds_a_journal_and_the_shafts_with_energy():
    rng = np.random.default_rng(1)
    for eps, squeeze, whirl in zip(rng.uniform(0, 0.99, 5000), *rng.normal(size=(2, 5000)), strict=True):
        inwards, along = film(eps, squeeze, whirl)
        assert inwards * squeeze + 0.5 * along * whirl >= 0.0


@pytest.mark.parametrize("eccentricity", [0.0, 0.4, 1.01, 30.0])
@pytest.mark.parametrize("law", ["hunt-crossley", "pinkus-sternlicht"])
def test_forces_of_journal_and_bearing_are_opposite_in_space(law, eccentricity):
    """Anywhere in the bearing, shifted along its axis, both bodies turning: no resultant force or moment is left over."""
    rng = np.random.default_rng(4)
    turn = triad(np.array([0.48, -0.6, 0.64]))
    place = turn @ np.array([0.6, 0.8, 0.0]) * eccentricity * reference.GAP + turn[:, 2] * 0.02
    bodies = tuple(
        Body(
            name,
            mass=mass,
            inertia=np.eye(3) * inertia,
            position=at,
            velocity=rng.normal(size=3),
            angular_velocity=spin,
        )
        for name, mass, inertia, at, spin in (
            ("ring", 0.3, 4e-5, np.zeros(3), rng.normal(size=3) * 50.0),
            ("journal", 0.14, 1e-5, place, rng.normal(size=3) * 50.0),
        )
    )
    oil = OIL if law == "pinkus-sternlicht" else {}
    markers = Marker("ring", axes=turn), Marker("journal", axes=turn)
    joint = clearance(law, markers=markers, e=0.6, friction=0.2, **oil)
    lowered = lower(
        Model(settings=Settings(dimension="3D", gravity=(0.0, 0.0, 0.0)), bodies=bodies, clearances=(joint,))
    )
    system = lowered.arrange()
    work = system.work
    work.contact[:, (CLOSED, SPEED)] = 1.0, 0.3
    q, v = lowered.bodies.q.copy(), lowered.bodies.v.copy()
    rates = np.zeros(len(q) + len(v) + 1)
    evaluate(system.arrays, work, 0.0, q, v, rates, 0.0)
    force = [work.force[k : k + 3] for k in (0, 6)]
    moment = [work.force[k : k + 3] for k in (3, 9)]  # both bodies start unturned
    size = 1.0 + np.abs(force[0]).max()
    assert force[0] + force[1] == pytest.approx(0.0, abs=1e-12 * size)
    assert moment[0] + moment[1] + np.cross(place, force[1]) == pytest.approx(0.0, abs=1e-12 * size)
    assert (size > 1.0) == (eccentricity > 1.0 or bool(oil))
    if size > 1.0:
        assert np.linalg.norm(force[1]) == pytest.approx(np.hypot(*work.contact[0, [NORMAL, TANGENTIAL]]), rel=1e-12)


def test_an_impact_is_located_and_lasts_as_hertz_says():
    model = thrown("hertz", t_end=7e-4, t_step=1e-4, rtol=1e-6)
    solution = analyse(lower(replace(model, settings=replace(model.settings, integrator="dopri5"))))
    lasts, _depth = reference.hertz(0.14, 1.0, reference.stiffness())
    assert solution.impacts[0, BEGAN] == pytest.approx(reference.GAP, rel=1e-9)
    assert solution.impacts[0, LASTED] == pytest.approx(lasts, rel=1e-5)

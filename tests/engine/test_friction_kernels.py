"""The balance of friction and reactions at one state: it depends on nothing else, smoothly, and holds Coulomb's law."""

import numpy as np
import pytest

from sheetmbs.analysis.start.initial import start
from sheetmbs.analysis.start.structure import find_structure
from sheetmbs.engine.evaluate import evaluate
from sheetmbs.lower import lower
from tests.analysis.test_planar_equals_spatial import in_space
from tests.support.rubbing import rubbing_crank, sleeve


def accelerations(made):
    """Function from a state of a model to its accelerations."""
    lowered = lower(made)
    everything = lowered.arrange()
    structure = find_structure(lowered, lowered.bodies.q, 0.0)
    begun = start(lowered, structure, everything)
    system = lowered.arrange(structure.keep)
    rates = np.zeros(len(begun.q) + len(begun.v) + 1)

    def at(q, v):
        evaluate(system.arrays, system.work, 0.0, q.copy(), v.copy(), rates, 0.0)
        return rates[len(begun.q) : -1].copy()

    return begun.q, begun.v, at


@pytest.mark.parametrize("made", [rubbing_crank(), in_space(rubbing_crank()), sleeve(coefficient=0.3, radius=0.05)])
def test_same_state_has_the_same_accelerations_whatever_came_before(made):
    q, v, at = accelerations(made)
    at(q, v)
    first = at(q, v)
    at(q, -3.0 * v)
    at(q, 0.0 * v)
    assert np.array_equal(at(q, v), first)


@pytest.mark.parametrize("made", [rubbing_crank(), sleeve(coefficient=0.3, radius=0.05)])
def test_accelerations_change_smoothly_through_rest(made):
    """Halving a change of the velocities halves the change of the accelerations, from sliding back to sliding forth."""
    q, v, at = accelerations(made)
    for speed in (1.0, 1e-4, 0.0):
        here = at(q, speed * v)
        changes = [np.linalg.norm(at(q, speed * v + small * v) - here) for small in (4e-6, 2e-6, 1e-6)]
        assert changes[0] < 0.5 * (1.0 + np.linalg.norm(here))
        assert changes[1] == pytest.approx(0.5 * changes[0], rel=0.05, abs=1e-9)
        assert changes[2] == pytest.approx(0.5 * changes[1], rel=0.05, abs=1e-9)

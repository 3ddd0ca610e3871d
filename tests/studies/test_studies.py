"""What the studies of benchmarks/ stand on: their models, how they count, and how they read a cost off a diagram."""

import numpy as np
import pytest

from benchmarks.chains import chain, spatial_star, star
from benchmarks.counting import TALLY, Counted, counted, watched
from benchmarks.links import growth
from benchmarks.multistep import at_error, shared_error
from benchmarks.ready import ready
from sheetmbs.engine.records import FRAME


def line(errors, costs):
    return [{"error": error, "ms": cost} for error, cost in zip(errors, costs, strict=True)]


@pytest.mark.parametrize("links", [7, 12])
def test_closed_chain_of_n_links_has_n_minus_2_freedoms_and_is_given_closed(links):
    prepared = ready(chain(links, 0.1))
    assert prepared.structure.degrees_of_freedom == links - 2
    assert np.abs(prepared.start.q - prepared.lowered.bodies.q).max() < 1e-12


@pytest.mark.parametrize("make", [star, spatial_star])
def test_star_of_n_arms_has_n_plus_1_freedoms_and_is_given_closed(make):
    prepared = ready(make(6, 0.1))
    assert prepared.structure.degrees_of_freedom == 7
    assert prepared.structure.redundant == 0
    assert np.abs(prepared.start.q - prepared.lowered.bodies.q).max() < 1e-12
    assert np.abs(prepared.start.v - prepared.lowered.bodies.v).max() < 1e-12


def test_spinning_star_in_space_keeps_its_angular_momentum_about_the_axle():
    prepared = ready(spatial_star(5, 0.4))
    solution = prepared.run()

    def momentum(q, v):
        total = 0.0
        for number, record in enumerate(prepared.lowered.bodies.records):
            if number:
                mass = prepared.lowered.bodies.mass[record.v : record.v + 6]
                e0, e = q[record.q + 3], q[record.q + 4 : record.q + 7]
                spin = prepared.lowered.bodies.axes[number] @ (mass[3:] * v[record.v + 3 : record.v + 6])
                turned = spin + 2 * np.cross(e, np.cross(e, spin) + e0 * spin)
                x, y, vx, vy = *q[record.q : record.q + 2], *v[record.v : record.v + 2]
                total += turned[2] + mass[0] * (x * vy - y * vx)
        return total

    first, last = (momentum(solution.q[k], solution.v[k]) for k in (0, -1))
    assert last == pytest.approx(first, rel=1e-8)
    assert abs(first) > 1.0


def product(a, b):
    total = 0.0
    for k in range(a.shape[0]):
        total += a[k] * b[k]
    return total


def test_a_product_of_vectors_counts_its_operations_and_its_data():
    a, b = watched(np.arange(5.0)), watched(np.arange(5.0))
    TALLY.clear()
    assert product(a, b) == 30.0
    assert product(a, b) == 30.0
    assert TALLY.result() == {"flops": 20, "functions": 0, "loads": 20, "stores": 0, "bytes": 80}


def test_fields_of_records_and_slices_are_the_places_they_stand_for():
    frames = watched(np.array([(1, 0.5, 0.0, 0.0), (2, 0.25, 0.0, 0.0)], dtype=FRAME).view(np.recarray))
    vector = watched(np.zeros(6))
    TALLY.clear()
    vector[2:4][1] = frames[1].x * 2.0
    assert vector[3] == 0.5
    assert frames[1].body == 2
    assert TALLY.result() == {"flops": 1, "functions": 0, "loads": 3, "stores": 1, "bytes": 24}


def test_an_evaluation_is_counted_with_all_the_kernels_it_calls():
    one, fourteen = counted("A01"), counted("A02 N=2")  # constraint rows
    assert 100 < one["flops"] < 500
    assert 5 * one["flops"] < fourteen["flops"] < 20 * one["flops"]
    assert one["functions"] >= 2  # sine and cosine
    assert one["bytes"] > 500


def test_counted_numbers_divide_by_zero_as_kernels_do():
    with np.errstate(divide="ignore", invalid="ignore"):
        assert 1.0 / Counted(0.0) == np.inf
        assert np.isnan(Counted(0.0) / 0.0)


def test_growth_finds_the_power_and_the_slope():
    sizes = np.array([50.0, 100.0, 200.0, 400.0])
    assert growth(sizes, 3.0 * sizes**1.7)[1] == pytest.approx(1.7)
    assert growth(sizes, 4.0 + 0.3 * sizes)[0] == pytest.approx(0.3)


def test_cost_at_an_error_follows_the_power_law_between_runs():
    errors = [1e-3, 1e-5, 1e-7]
    some = line(errors, [error**-0.2 for error in errors])
    assert at_error(some, "ms", 3e-6) == pytest.approx(3e-6**-0.2)
    assert np.isnan(at_error(some, "ms", 1e-8))


def test_lines_are_compared_where_all_of_them_are():
    fine, coarse = line([1e-4, 1e-9], [1, 2]), line([1e-2, 1e-5], [1, 2])
    assert shared_error([fine, coarse]) == pytest.approx(1e-5)
    assert shared_error([fine]) == pytest.approx(1e-6)
    assert np.isnan(shared_error([line([1e-8, 1e-9], [1, 2]), coarse]))

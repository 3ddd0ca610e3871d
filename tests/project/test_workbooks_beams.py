"""Workbooks with flexible beams, each against an integration in minimal coordinates."""

from pathlib import Path

import numpy as np
import pytest

import sheetmbs
from tests.support import references_beams as references

FOLDER = Path(__file__).parents[2] / "workbooks"


def run(name):
    result = sheetmbs.run(sheetmbs.read(FOLDER / f"{name}.xlsx"))
    rows = np.arange(0, len(result.bodies), 10)
    return result, result.bodies["time"].to_numpy()[rows], {
        name: values.to_numpy()[rows] / (180 / np.pi if name.endswith(".phi") else 1.0)
        for table in (result.bodies, result.joints)
        for name, values in table.items()
    }  # fmt: skip


def assert_sound(result, freedoms, verdict="passed"):
    assert result.summary["degrees of freedom"] == freedoms
    assert result.summary["accuracy check"] == verdict
    assert result.constraints["position_violation"].max() < 1e-10
    energy = result.constraints["total_energy"]
    assert np.abs(energy - energy[0]).max() < 1e-6


def assert_same(found, names, z, rows=slice(None)):
    """To what material points that shorten differ from the theory, which is of second order in deflections: 1e-2 of them."""
    for k, name in enumerate(names):
        size, error = np.ptp(z[rows, k]), np.abs(found[name][rows] - z[rows, k]).max()
        assert size > 1e-5, name
        assert error < max(1e-2 * size, 1e-4), name


def test_four_bar_with_a_flexible_coupler_moves_as_in_three_coordinates():
    result, times, found = run("flexible-four-bar")
    assert_sound(result, 3)
    z = references.flexible_four_bar(times, found["crank.phi"][0])
    assert_same(found, ("crank.phi", "coupler.q1", "coupler.q2"), z, slice(7))  # then it swings over, and errors grow


@pytest.mark.nightly
def test_three_loops_with_flexible_beams_move_as_in_seven_coordinates():
    result, times, found = run("flexible-loops")
    assert_sound(result, 7)
    z = references.flexible_loops(times, found["rod 2.phi"][0])
    amplitudes = [f"beam {number}.q{k}" for number in (5, 11, 21) for k in (1, 2)]
    assert_same(found, ("rod 2.phi", *amplitudes), z)


def test_chain_of_pins_and_slides_moves_as_in_nine_coordinates():
    result, times, found = run("pins-and-slides")
    assert_sound(result, 9)
    bodies = ("rod 2", "rod 4", "beam 6", "rod 8")
    z = references.pins_and_slides(times, [found[f"{name}.phi"][0] for name in bodies])
    assert_same(found, (*(f"{name}.phi" for name in bodies), "beam 6.q1", "beam 6.q2"), z)
    along = [z[:, 6] - 0.5, z[:, 7] - z[:, 6] - 0.5, z[:, 8] - z[:, 7] - 0.5]
    for number, slid in zip((11, 13, 15), along, strict=True):
        assert np.abs(found[f"joint {number}.displacement"] - slid).max() < 1e-6


@pytest.mark.parametrize("name", ["flexible-four-bar", "flexible-loops", "pins-and-slides"])
def test_beams_bend_no_more_than_their_theory_allows(name):
    """A tenth of their length."""
    result, _times, _found = run(name)
    deflections = [column for column in result.bodies if column.endswith(".deflection")]
    assert deflections
    assert all(0.005 < result.bodies[column].abs().max() < 0.1 for column in deflections)

"""The road that lies nearest to all contacts, where travels are given: by least squares, each tyre pressed in by its load."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.suspension.loads.corner_states import AxleState
from sheetmbs.suspension.loads.standing_car import StandingCar

CLOSED, MOST_STEPS = 1e-15, 12


def resting_road(standing: StandingCar, states: Mapping[str, AxleState], load: Floats) -> tuple[Floats, Floats, Floats]:
    """Roll and pitch, rad, and distance of the road from the origin, m, (n,) each. load: (n, wheels).

    Newton's method on sum g (1, y, x) = 0, g = n.C - d + (N - N0)/k_t; a disc's lowest point moves in the road as that turns.
    """
    pressed = (load - standing.design_load) / standing.tyre
    count = len(load)
    roll, pitch, height = np.zeros((3, count))
    is_whole = len(states) > 1
    for _ in range(MOST_STEPS):
        sr, cr, sp, cp = np.sin(roll), np.cos(roll), np.sin(pitch), np.cos(pitch)
        up = np.stack((-sp, sr * cp, cr * cp), axis=-1)
        by_roll = np.stack((np.zeros(count), cr * cp, -sr * cp), axis=-1)
        by_pitch = np.stack((-cp, -sr * sp, -cr * sp), axis=-1)
        contacts = _contacts(standing, states, up)
        gaps = np.einsum("nc,nwc->nw", up, contacts) - height[:, None] + pressed
        slopes = np.stack(
            [np.einsum("nc,nwc->nw", way, contacts) for way in (by_roll, by_pitch)] + [-np.ones_like(gaps)], axis=-1
        )
        levers = [np.ones_like(gaps), contacts[..., 1], contacts[..., 0]][: 3 if is_whole else 2]
        kept = [0, 1, 2] if is_whole else [0, 2]
        matrix = np.stack([np.einsum("nw,nwk->nk", lever, slopes)[:, kept] for lever in levers], axis=1)
        right = np.stack([np.sum(lever * gaps, axis=1) for lever in levers], axis=-1)
        step = -np.linalg.solve(matrix, right[:, :, None])[:, :, 0]
        roll, height = roll + step[:, 0], height + step[:, -1]
        if is_whole:
            pitch = pitch + step[:, 1]
        if np.max(np.abs(step)) <= CLOSED:
            break
    return roll, pitch, height


def _contacts(standing: StandingCar, states: Mapping[str, AxleState], up: Floats) -> Floats:
    """(n, wheels, 3) lowest points of all wheels towards a road with the normal (n, 3), in the axes of the car."""
    found = []
    for name, axle in states.items():
        for state in axle.wheels.values():
            spin = state.spin.value
            down = up - spin * np.sum(spin * up, axis=1, keepdims=True)
            down = down / np.linalg.norm(down, axis=1, keepdims=True)
            found.append(state.centre.value - state.radius * down + standing.masses.shift[name])
    return np.stack(found, axis=1)

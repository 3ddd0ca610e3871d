"""Loads that can hardly be meant: of wheels that weigh more than what they carry, and downforce that lifts the car."""

from __future__ import annotations

from collections.abc import Iterator

from sheetmbs.problems.errors import Problem
from sheetmbs.suspension.layout.car import SIDES, CarData
from sheetmbs.suspension.layout.mass_data import corner_load


def load_faults(car: CarData) -> Iterator[Problem]:
    """Errors of loads at design that are less than the weight of the wheel itself: its spring would have to pull."""
    for axle in car.axles:
        load = corner_load(car, axle)
        own = max(car.gravity * sum(each.mass for each in axle.masses if each.side == side) for side in SIDES)
        if load is None or not own or load >= own:
            continue
        is_given = axle.number("corner load") is not None
        cell = axle.cells["corner load"] if is_given else car.cells["mass"]
        found = f"corner load: {load:.4g} N" if is_given else f"mass: {car.number('mass'):.4g} kg"
        follows = "" if is_given else f"of which {load:.4g} N stand on a wheel of the {axle.name} axle, and "
        rule = f"{follows}the wheel alone, with what moves with it, weighs {own:.4g} N: its spring would have to pull it down"
        guess = (
            "is it kg? A number without a unit counts in N" if is_given else "is it kg? Look at mass and unsprung mass"
        )
        yield Problem("negative-preload", "error", cell, found, rule, guess)
        if not is_given:
            return

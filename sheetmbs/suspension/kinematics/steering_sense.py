"""Which way the wheels of an axle steer as its rack goes to the left."""

from __future__ import annotations

from collections.abc import Mapping

from sheetmbs.suspension.kinematics.axle_system import AxleSystem


def to_the_left(system: AxleSystem) -> float:
    """+1 where wheels steer to the left as their rack goes there, -1 where they steer to the right."""
    wheel = system.at_design["left"]
    return -1.0 if wheel.spin.x.first[0, wheel.rack_at] > 0.0 else 1.0  # w_x forward: toe-in, to the right


def rack_to_the_left(systems: Mapping[str, AxleSystem]) -> float:
    """The same of the first axle that is steered, 0 without steering."""
    return next((to_the_left(system) for system in systems.values() if system.axle.is_steered), 0.0)

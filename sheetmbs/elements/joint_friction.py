"""Friction of joints: which types may have it, and what of them slides on what."""

from __future__ import annotations

from dataclasses import dataclass

from sheetmbs.elements.joints.cylindrical import CYLINDRICAL
from sheetmbs.elements.joints.revolute import REVOLUTE
from sheetmbs.elements.joints.spherical import SPHERICAL
from sheetmbs.elements.joints.translational import TRANSLATIONAL

CREEP_OF_SLIDES = 1e-3
"""m/s: default velocity of the ramp where something slides along an axis."""
CREEP_OF_HINGES = 1e-2
"""rad/s: the same, over the radius, where it only turns."""


@dataclass(frozen=True, slots=True)
class FrictionType:
    """Friction of one joint type.

    slides: along its axis. turns: 0 not, 1 about its axis, 2 about its point. radial: only the reaction perpendicular to the
    axis presses the surfaces together. friction_radius: what that is, and needs_radius whether it must be given.
    """

    slides: bool
    turns: int
    radial: bool
    friction_radius: str
    needs_radius: bool = True


FRICTION: dict[str, FrictionType] = {
    REVOLUTE.name: FrictionType(slides=False, turns=1, radial=False, friction_radius="the radius of the pin"),
    TRANSLATIONAL.name: FrictionType(
        slides=True, turns=0, radial=True, friction_radius="half the length of the guide", needs_radius=False
    ),
    CYLINDRICAL.name: FrictionType(slides=True, turns=1, radial=True, friction_radius="the radius of the shaft"),
    SPHERICAL.name: FrictionType(slides=False, turns=2, radial=False, friction_radius="the radius of the ball"),
}
"""by the names of the joint types"""

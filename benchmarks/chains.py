"""Models of any size, made of the same classes that a workbook is read into: closed chains and stars. SI units.

Each reports only its end, so that reporting costs nothing. settings: any of `sheetmbs.model.model.Settings`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sheetmbs.elements.marker import GROUND, Marker, triad
from sheetmbs.model.model import Body, Joint, Model, Settings

Floats = NDArray[np.float64]

BAR_LENGTH = 1.0
BAR_WIDTH = 0.1
STAR_RADIUS = 5.0
ARM_SLOPE = np.pi / 4
SPIN = 2.0


def _at(body: str, x: float = 0.0, y: float = 0.0) -> Marker:
    return Marker(body, np.array([x, y, 0.0]), np.eye(3))


def _planar(name: str, centre: Floats, phi: float) -> Body:
    """A slender bar of 1 m and 1 kg at rest."""
    return Body(
        name,
        mass=1.0,
        inertia=np.diag([0.0, 0.0, BAR_LENGTH**2 / 12]),
        position=np.array([*centre, 0.0]),
        angles=np.array([0.0, 0.0, phi]),
    )


def chain(links: int, t_end: float, **settings: Any) -> Model:
    """A closed planar chain: bars of 1 m and 1 kg hinged to one another, both ends to the ground, let go as a half circle."""
    radius = 0.5 * BAR_LENGTH / np.sin(0.5 * np.pi / links)
    angles = np.pi * (1.0 + np.arange(links + 1) / links)
    return _hinged(radius * np.column_stack((np.cos(angles), np.sin(angles))), t_end, **settings)


def hanging(links: int, slope: float, **settings: Any) -> Model:
    """The same chain as a V between two pegs of one height. slope: rad, by which its halves fall and rise."""
    falls = np.where(np.arange(links) < links // 2, -slope, slope)
    along = BAR_LENGTH * np.column_stack((np.cos(falls), np.sin(falls)))
    return _hinged(np.vstack((np.zeros(2), np.cumsum(along, axis=0))), 1.0, **settings)


def _hinged(pins: Floats, t_end: float, **settings: Any) -> Model:
    """Bars between these points (links + 1, 2), hinged there to each other and to the ground at either end."""
    links, along = len(pins) - 1, np.diff(pins, axis=0)
    bodies = [
        _planar(f"link {k}", 0.5 * (pins[k] + pins[k + 1]), float(np.arctan2(along[k, 1], along[k, 0])))
        for k in range(links)
    ]
    half = 0.5 * BAR_LENGTH
    ends = [(_at(f"link {k}", -half), _at(f"link {k}", half)) for k in range(links)]
    outer = [_at(GROUND, *pins[0]), *(end for _start, end in ends)]
    inner = [*(start for start, _end in ends), _at(GROUND, *pins[-1])]
    joints = [Joint(f"hinge {k}", "revolute", i, j) for k, (i, j) in enumerate(zip(outer, inner, strict=True))]
    return Model(settings=Settings(t_end=t_end, t_step=t_end, **settings), bodies=tuple(bodies), joints=tuple(joints))


def star(arms: int, t_end: float, **settings: Any) -> Model:
    """A planar chassis that turns about its centre with pendulums hinged around its rim, let go aslant."""
    chassis = Body("chassis", mass=float(arms), inertia=np.diag([0.0, 0.0, 0.5 * arms * STAR_RADIUS**2]))
    bodies, joints = [chassis], [Joint("axle", "revolute", _at(GROUND), _at("chassis"))]
    for k, angle in enumerate(2 * np.pi * np.arange(arms) / arms):
        pin = STAR_RADIUS * np.array([np.cos(angle), np.sin(angle)])
        slope = angle + ARM_SLOPE
        centre = pin + 0.5 * BAR_LENGTH * np.array([np.cos(slope), np.sin(slope)])
        bodies.append(_planar(f"arm {k}", centre, float(slope)))
        joints.append(Joint(f"pin {k}", "revolute", _at("chassis", *pin), _at(f"arm {k}", -0.5 * BAR_LENGTH)))
    return Model(settings=Settings(t_end=t_end, t_step=t_end, **settings), bodies=tuple(bodies), joints=tuple(joints))


def spatial_star(arms: int, t_end: float, **settings: Any) -> Model:
    """A chassis that spins about the upright axis, with square rods around its rim hinged about the tangents."""
    disc = arms * STAR_RADIUS**2
    upright = triad(np.array([0.0, 0.0, 1.0]))
    chassis = Body(
        "chassis",
        mass=float(arms),
        inertia=np.diag([0.25 * disc, 0.25 * disc, 0.5 * disc]),
        angular_velocity=np.array([0.0, 0.0, SPIN]),
    )
    bodies = [chassis]
    joints = [Joint("axle", "revolute", Marker(GROUND, np.zeros(3), upright), Marker("chassis", np.zeros(3), upright))]
    across = (BAR_LENGTH**2 + BAR_WIDTH**2) / 12
    for k, angle in enumerate(2 * np.pi * np.arange(arms) / arms):
        outward = np.array([np.cos(angle), np.sin(angle), 0.0])
        tangent = np.array([-np.sin(angle), np.cos(angle), 0.0])
        along = np.cos(ARM_SLOPE) * outward - np.sin(ARM_SLOPE) * np.array([0.0, 0.0, 1.0])
        pin, centre = STAR_RADIUS * outward, STAR_RADIUS * outward + 0.5 * BAR_LENGTH * along
        spin = np.array([0.0, 0.0, SPIN])
        axes = triad(tangent)
        bodies.append(
            Body(
                f"arm {k}",
                mass=1.0,
                inertia=across * np.eye(3) + (BAR_WIDTH**2 / 6 - across) * np.outer(along, along),
                position=centre,
                velocity=np.cross(spin, centre),
                angular_velocity=spin,
            )
        )
        joints.append(
            Joint(f"hinge {k}", "revolute", Marker("chassis", pin, axes), Marker(f"arm {k}", pin - centre, axes))
        )
    settled = Settings(dimension="3D", gravity=(0.0, 0.0, -9.81), t_end=t_end, t_step=t_end, **settings)
    return Model(settings=settled, bodies=tuple(bodies), joints=tuple(joints))

"""Models with friction for tests."""

from dataclasses import replace

import numpy as np

from sheetmbs.model.model import Friction
from tests.support.mechanisms import model, slider_crank
from tests.support.spatial_mechanisms import joined, rigid, space


def rubbing(joint, coefficient, radius=None, velocity=None):
    return replace(joint, friction=Friction(coefficient, radius, velocity))


def sleeve(**friction):
    """A sleeve on a level shaft along x, thrown along it and about it."""
    bodies = (
        rigid(
            "sleeve", mass=2.0, inertia=(0.01, 0.02, 0.02), velocity=(1.0, 0.0, 0.0), angular_velocity=(20.0, 0.0, 0.0)
        ),
    )
    shaft = joined(bodies, "shaft", "cylindrical", "ground", "sleeve", axis=(1.0, 0.0, 0.0))
    return space(bodies, (rubbing(shaft, **friction),), t_end=0.6, t_step=0.02)


def rubbing_crank():
    """A slider-crank thrown from its dead centre, rubbing in every joint."""
    bodies, joints = slider_crank()
    pins = tuple(rubbing(joint, 0.15, 0.05) for joint in joints[:3])
    return model(
        (
            replace(bodies[0], angular_velocity=np.array([0.0, 0.0, 6.0]), velocity=np.array([0.0, 3.0, 0.0])),
            *bodies[1:],
        ),
        (*pins, rubbing(joints[3], 0.2, 0.3, 0.01)),
    )

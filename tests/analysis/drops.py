"""A mass that is dropped on a stop, and its motion in closed form: parabolas and sinusoids one after the other."""

from dataclasses import replace

import numpy as np

from sheetmbs.model.model import Curve
from tests.support.mechanisms import body, model, on
from tests.support.springs import make_spring

GRAVITY = 9.81


def stop(stiffness, travel=20.0):
    """Presses where its deflection is negative, and pulls nowhere."""
    return Curve("stop", np.array([-1.0, 0.0, travel]), np.array([-stiffness, 0.0, 0.0]))


def dropped(height, stiffness, mass=1.0, speed=0.0, **settings):
    """A mass above a stop at y = 0."""
    falling = body("b", 0.0, height, mass=mass, velocity=(0.0, speed, 0.0))
    buffer = make_spring("buffer", "translational", on("ground", 0.0, -10.0), on("b"), natural=10.0, curve_k="stop")
    made = model((falling,), springs=(buffer,), **{"t_end": 3.0, "t_step": 0.1, **settings})
    return replace(made, curves=(stop(stiffness),))


def flight_and_contact(height, stiffness, mass, speed, t_end):
    """(y, vy) of `dropped` at t_end: parabolas and sinusoids one after the other."""
    y, v, t = height, speed, 0.0
    rate, sag = np.sqrt(stiffness / mass), mass * GRAVITY / stiffness
    while True:
        if y > 0.0 or (y == 0.0 and v > 0.0):
            lasts = (v + np.sqrt(v * v + 2.0 * GRAVITY * y)) / GRAVITY
            h = min(lasts, t_end - t)
            y, v = y + v * h - GRAVITY * h * h / 2.0, v - GRAVITY * h
        else:
            # y + sag = size cos(rate t - phase): free again where that is sag for the first time, on the way up
            size, phase = np.hypot(y + sag, v / rate), np.arctan2(v / rate, y + sag)
            lasts = ((2.0 * np.pi - np.arccos(sag / size) + phase) % (2.0 * np.pi)) / rate
            h = min(lasts, t_end - t)
            y, v = size * np.cos(rate * h - phase) - sag, -size * rate * np.sin(rate * h - phase)
        t += h
        if h < lasts:
            return y, v
        y = 0.0

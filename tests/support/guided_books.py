"""Workbooks of a guided body, as a laboratory measures it: a leg that swings, and the force under its foot."""

from __future__ import annotations

import numpy as np
from openpyxl import Workbook

RATE = 150.0
COUNT = 121
FORCE = slice(40, 90)
"""samples in which the foot is on the ground"""


def times(count=COUNT, rate=RATE):
    return np.arange(count) / rate


def swing(t):
    """A smooth angle, rad, with harmonics as a leg has them."""
    return 1.4 + 0.5 * np.sin(2 * np.pi * 1.2 * t) + 0.12 * np.sin(2 * np.pi * 3.6 * t + 0.4)


def travel(t):
    return 0.3 + 1.3 * t + 0.03 * np.sin(2 * np.pi * 2.4 * t)


def height(t):
    return 0.9 + 0.02 * np.cos(2 * np.pi * 2.4 * t)


def columns(t):
    """Headers and numbers of Guiding and ForceSeries, in their columns' units."""
    inside = np.zeros(len(t))
    here = np.arange(len(t))[FORCE]
    inside[FORCE] = np.sin(np.pi * (here - here[0] + 0.5) / len(here))
    guiding = {"time [s]": t, "leg.x [m]": travel(t), "leg.y [m]": height(t), "leg.phi [deg]": np.degrees(swing(t))}
    point = np.where(inside > 0, 1000.0 * (0.55 + 0.2 * (t - t[FORCE.start])), 550.0)
    force = {"time [s]": t, "leg.fx [N]": 80.0 * inside, "leg.fy [N]": 700.0 * inside, "leg.px [mm]": point}
    return guiding, force


def guided_book(t=None, *, guiding=None, force=None, analysis="inverse dynamic"):
    """The workbook. guiding, force: columns that stand in place of the sound ones, by header; None within them is blank."""
    t = times() if t is None else t
    sound_guiding, sound_force = columns(t)
    book = Workbook()
    settings = book.active
    settings.title = "Settings"
    rows = [["setting", "value"], ["dimension", "2D"], ["analysis", analysis]]
    rows += [["t_start", float(t[0])], ["t_end", float(t[-1])], ["t_step", float(t[-1] - t[0]) / (len(t) - 1)]]
    rows += [["guiding_spline", "not-a-knot"]]
    bodies = [["name", "mass [kg]", "inertia [kg*m^2]", "x [m]", "y [m]", "phi [deg]"]]
    bodies += [["leg", 12.0, 0.6, travel(t[0]), height(t[0]), np.degrees(swing(t[0]))]]
    points = [["name", "body", "x", "y", "frame"], ["hip", "leg", 0.4, 0, "body"], ["ankle", "leg", -0.45, 0, "body"]]
    sheets = {"Bodies": bodies, "Points": points}
    for row in rows:
        settings.append(row)
    for name, content in sheets.items():
        page = book.create_sheet(name)
        for row in content:
            page.append(row)
    for name, sound, given in (("Guiding", sound_guiding, guiding), ("ForceSeries", sound_force, force)):
        table = {**sound, **(given or {})}
        page = book.create_sheet(name)
        page.append(list(table))
        for row in zip(*table.values(), strict=True):
            page.append([None if value is None else float(value) for value in row])
    return book

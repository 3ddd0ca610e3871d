"""A wheel on a semi-trailing arm turns about a line: its angles, contacts and their rates by Rodrigues' formula alone."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq

from sheetmbs.suspension.run_suspension import run_suspension
from tests.support.hardpoint_books import hardpoint_book

POINTS = {"arm inner": (400, 250, 240), "arm outer": (250, 560, 265), "wheel centre": (0, 700, 300)}
CAMBER, TOE, RADIUS = np.radians(-1.5), np.radians(0.2), 300.0
SETTINGS = (("type", "semi-trailing arm"), ("camber", "-1.5 deg"), ("toe", "0.2 deg"), ("tyre radius", "300 mm"))
INNER, OUTER, CENTRE = (np.array(place, dtype=float) for place in POINTS.values())
LINE = (OUTER - INNER) / np.linalg.norm(OUTER - INNER)
SPIN = np.array([np.cos(CAMBER) * np.sin(TOE), np.cos(CAMBER) * np.cos(TOE), -np.sin(CAMBER)])
COLUMNS = ("RL.camber", "RL.toe", "rear.track", "RL.contact_x", "RL.contact_y")


def turned(along, angle):
    return along * np.cos(angle) + np.cross(LINE, along) * np.sin(angle) + LINE * (LINE @ along) * (1 - np.cos(angle))


def wheel(angle):
    """Wheel centre, spin axis and contact, mm."""
    centre, spin = INNER + turned(CENTRE - INNER, angle), turned(SPIN, angle)
    down = spin * spin[2] - [0.0, 0.0, 1.0]
    return centre, spin, centre + RADIUS * down / np.linalg.norm(down)


def by_hand(travel):
    """What the columns hold at a travel, mm."""
    angle = brentq(lambda each: wheel(each)[0][2] - CENTRE[2] - travel, -0.5, 0.5, xtol=1e-15)
    _centre, spin, contact = wheel(angle)
    way = contact - wheel(0.0)[2]
    return np.array([*np.degrees([-np.arcsin(spin[2]), np.arctan2(spin[0], spin[1])]), 2.0 * contact[1], *way[:2]])


def test_angles_track_and_contacts_and_their_rates_are_those_of_a_rotation_about_the_line_of_the_arm(tmp_path):
    path = hardpoint_book(tmp_path / "arm.xlsx", POINTS, SETTINGS, axle="rear")
    heave = run_suspension(path).table("heave")
    found = dict(zip(heave.columns, np.asarray(heave.values).T, strict=True))
    h = 0.1
    for row, travel in enumerate(found["travel"]):
        assert [found[name][row] for name in COLUMNS] == pytest.approx(by_hand(travel), abs=1e-11)
        near, far = (by_hand(travel + k * h) - by_hand(travel - k * h) for k in (1, 2))
        rates = ((8.0 * near - far) / (12.0 * h))[:2]
        assert [found["RL.camber_gradient"][row], found["RL.toe_gradient"][row]] == pytest.approx(rates, abs=1e-11)


def test_the_pivots_of_an_arm_hold_the_wheel_against_any_force_on_it(tmp_path):
    """The forces of tyre, spring and both pivots sum up to nothing, and so do their moments, but along the hinge line."""
    points = {**POINTS, "damper outer": (60, 520, 220), "damper chassis": (90, 480, 620)}
    cases = [("name", "pose", "RL.fx", "RL.fy", "RL.fz", "force_by"), ("kerb", "design", -900, 1500, 4000, "brakes")]
    springs = [("name", "axle", "kind", "k"), ("spring", "rear", "spring", "40 N/mm")]
    sheets = {"Load cases": cases, "Suspension springs": springs}
    path = hardpoint_book(
        tmp_path / "arm.xlsx", points, (*SETTINGS, ("corner load", "3000 N")), axle="rear", others=sheets
    )
    found = run_suspension(path).base.loads
    row = {column.name: column.values[0] for column in found.columns}
    contact = wheel(0.0)[2]
    heading = np.cross(SPIN, [0.0, 0.0, 1.0])
    heading /= np.linalg.norm(heading)
    tyre = row["RL.fx"] * heading + row["RL.fy"] * np.cross([0.0, 0.0, 1.0], heading) + [0.0, 0.0, row["RL.fz"]]
    near, far = (np.array(points[name], dtype=float) for name in ("damper outer", "damper chassis"))
    spring = row["RL.spring"] * (near - far) / np.linalg.norm(near - far)
    pivots = {
        name: np.array([row[f"RL.arm {name} pivot equal.f{axis}"] for axis in "xyz"]) for name in ("inner", "outer")
    }
    acting = [(contact, tyre), (near, spring), (INNER, pivots["inner"]), (OUTER, pivots["outer"])]
    assert sum(force for _, force in acting) == pytest.approx(np.zeros(3), abs=1e-7)
    assert sum(np.cross(at - INNER, force) for at, force in acting) == pytest.approx(np.zeros(3), abs=1e-4)
    along = {name: float(force @ LINE) for name, force in pivots.items()}
    assert along["inner"] == pytest.approx(along["outer"], rel=1e-9)
    for name, force in pivots.items():
        across = force - along[name] * LINE
        most = np.hypot(np.linalg.norm(across), 2.0 * along[name])
        assert row[f"RL.arm {name} pivot max"] == pytest.approx(most, rel=1e-9)
    assert not [name for name in row if "leg" in name]

"""Readings of a K&C rig of an axle of double wishbones, by nothing but the balance of both uprights on links that give way.

An arm is its two legs; with the tie rod five links hold an upright, and a spring stands on it. Links pull along their lines by
T = T0 + k (L - L0), where T0 are the six forces at rest under the load of the corner. The rack gives way along y.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from rig_readings import turned

Floats = NDArray[np.float64]
LINKS = (
    ("lower arm front", "lower ball joint"),
    ("lower arm rear", "lower ball joint"),
    ("upper arm front", "upper ball joint"),
    ("upper arm rear", "upper ball joint"),
    ("tie rod inner", "tie rod outer"),
    ("damper chassis", "damper outer"),
)
"""point on the body or on the rack, point on the upright; the last one is the spring"""
TIE_ROD = 4
UP = np.array([0.0, 0.0, 1.0])
STEPS = 1e-5
"""mm and rad, of a difference that stands for a derivative"""
ROUNDS = 12
SIDES = (1.0, -1.0)
"""left, right"""


@dataclass(frozen=True)
class RigCar:
    """An axle. points: of the left side, mm. toe, camber: deg. stiffness: of `LINKS`, and rack: N/mm. load: of a corner, N."""

    points: Mapping[str, Sequence[float]]
    toe: float
    camber: float
    radius: float
    stiffness: Sequence[float]
    rack: float
    load: float


@dataclass(frozen=True)
class Load:
    """What the rig does: force and moment on both wheels in the axes of the car, N and N mm, and travel of the centres, mm."""

    force: Floats = field(default_factory=lambda: np.zeros((2, 3)))
    moment: Floats = field(default_factory=lambda: np.zeros((2, 3)))
    travel: float | None = None
    at_centre: bool = False


class _Upright:
    def __init__(self, car: RigCar, side: float) -> None:
        mirror = np.array([1.0, side, 1.0])
        self.side, self.radius = side, car.radius
        self.p = {name: mirror * np.array(place, dtype=np.float64) for name, place in car.points.items()}
        self.centre = self.p["wheel centre"]
        toe, camber = np.radians([car.toe, car.camber])
        self.axle = mirror * np.array([np.sin(toe) * np.cos(camber), np.cos(toe) * np.cos(camber), -np.sin(camber)])
        self.k = np.array(car.stiffness)
        contact = self.contact(np.zeros(6))
        wrenches = [_wrench(self.p[far] - self.p[near], self.p[near] - self.centre) for far, near in LINKS]
        road = np.append(car.load * UP, np.cross(contact - self.centre, car.load * UP))
        self.length = np.array([np.linalg.norm(self.p[far] - self.p[near]) for far, near in LINKS])
        self.tension = np.linalg.solve(np.array(wrenches).T, -road)

    def turn(self, pose: Floats) -> Floats:
        return turned(pose[3:])

    def spin(self, pose: Floats) -> Floats:
        return np.asarray(self.turn(pose) @ self.axle)

    def contact(self, pose: Floats) -> Floats:
        w = self.spin(pose)
        down = UP - (UP @ w) * w
        return np.asarray(self.centre + pose[:3] - self.radius * down / np.linalg.norm(down))

    def balance(self, pose: Floats, rack: float, pad: float, load: Load) -> tuple[Floats, float]:
        """Force and moment on the upright about its wheel centre, and what the tie rod pulls the rack by."""
        turn, number = self.turn(pose), 0 if self.side > 0 else 1
        at = self.centre + pose[:3]
        whole, pull = np.zeros(6), 0.0
        for row, (far, near) in enumerate(LINKS):
            inner = self.p[far] + (np.array([0.0, rack, 0.0]) if row == TIE_ROD else 0.0)
            arm = turn @ (self.p[near] - self.centre)
            apart = inner - at - arm
            length = float(np.linalg.norm(apart))
            tension = self.tension[row] + self.k[row] * (length - self.length[row])
            whole += tension * _wrench(apart, arm)
            if row == TIE_ROD:
                pull = -tension * float(apart[1]) / length
        road = self.contact(pose) - at
        force, lever = load.force[number], np.zeros(3) if load.at_centre else road
        whole += np.append(pad * UP, np.cross(road, pad * UP))
        whole += np.append(force, np.cross(lever, force) + load.moment[number])
        return whole, pull


def _wrench(apart: Floats, arm: Floats) -> Floats:
    """Of a unit of tension towards a point, about the wheel centre."""
    unit = apart / np.linalg.norm(apart)
    return np.append(unit, np.cross(arm, unit))


def readings(car: RigCar, loads: Sequence[Load]) -> Floats:
    """Toe and camber of the left and of the right wheel under each load, deg: (loads, 4)."""
    uprights = [_Upright(car, side) for side in SIDES]
    heights = [upright.contact(np.zeros(6))[2] for upright in uprights]
    size = np.array([*(1.0, 1.0, 1.0, 1e-3, 1e-3, 1e-3) * 2, 1.0, 100.0, 100.0])

    def left_over(x: Floats, load: Load) -> Floats:
        out, pulls = [], 0.0
        for number, upright in enumerate(uprights):
            pose = x[6 * number : 6 * number + 6]
            whole, pull = upright.balance(pose, x[12], x[13 + number], load)
            out.append(whole)
            pulls += pull
        held = [
            x[6 * k + 2] - load.travel
            if load.travel is not None
            else upright.contact(x[6 * k : 6 * k + 6])[2] - heights[k]
            for k, upright in enumerate(uprights)
        ]
        return np.concatenate((*out, [pulls - car.rack * x[12]], held))

    found = []
    x = np.array([*np.zeros(13), car.load, car.load])
    for load in loads:
        for _ in range(ROUNDS):
            rest = left_over(x, load)
            steps = STEPS * size
            slopes = [
                (left_over(x + step * unit, load) - left_over(x - step * unit, load)) / (2.0 * step)
                for step, unit in zip(steps, np.eye(len(x)), strict=True)
            ]
            move = np.linalg.solve(np.array(slopes).T, rest)
            x = x - move
            if np.max(np.abs(move / size)) < 1e-9:
                break
        row = []
        for number, upright in enumerate(uprights):
            w = upright.spin(x[6 * number : 6 * number + 6]) * np.array([1.0, upright.side, 1.0])
            row += [np.degrees(np.arctan2(w[0], w[1])), np.degrees(-np.arcsin(w[2]))]
        found.append(row)
    return np.array(found)

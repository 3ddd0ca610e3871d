"""The shafts from the steering wheel to the pinion: universal joints with their phase, and gears.

A universal joint passes the angle t_in of its input shaft, counted from where the pin of the input yoke is square to the plane
of both shafts, to

    tan t_out = tan t_in cos beta        d(t_out)/d(t_in) = cos beta/(1 - sin^2 beta sin^2 t_in)

with beta the angle of the shafts. Straight ahead, with a the directions of the shafts towards the pinion,

    pin of the output yoke = a_out x (pin of the input yoke)/|..|
    pin of the next input yoke = that, turned by its phase about a_out

The steering wheel turned to the left turns its shaft in the negative sense about a. Shigley's Mechanical Engineering Design,
chapter on clutches and universal joints; Seherr-Thoss, Schmelz and Aucktor, Universal Joints and Driveshafts, section 1.2.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sheetmbs.elements.rotation import cross
from sheetmbs.schema.suspension_inputs import ShaftKind

Floats = NDArray[np.float64]
TURN = 2.0 * np.pi
STRAIGHT = 1e-9
"""sine of the angle of two shafts below which they have no plane"""
SAMPLES, CLOSER, ROUNDS = 120, 10, 3
"""angles over a turn, and how often an extreme is approached by so many times smaller steps, to 1e-9 of the rate"""
PHASES, GOLDEN_STEPS = 12, 24
"""phases that are tried over half a turn, after which the joint is as before, and steps of the golden section: to 3e-4 deg"""
GOLDEN = 0.5 * (np.sqrt(5.0) - 1.0)


@dataclass(frozen=True, eq=False)
class ShaftEnd:
    """A row of Steering. point: (3,) m, ISO 8855. phase: rad. ratio: turns out per turn in, of a gear.

    k: of the shaft that ends here, N m/rad; None rigid.
    """

    name: str
    kind: str
    point: Floats
    phase: float = 0.0
    ratio: float = 1.0
    k: float | None = None


@dataclass(frozen=True)
class UniversalJoint:
    """A universal joint. beta: angle of its shafts, rad. start: t_in straight ahead, rad.

    follows: whether a joint stands at the other end of its input shaft, against whose yoke its phase counts.
    """

    name: str
    beta: float
    start: float
    follows: bool

    def turned(self, angle: Floats) -> Floats:
        """(n,) turn of the output shaft from straight ahead, rad, at that of the input shaft."""
        return _passed(angle + self.start, np.cos(self.beta)) - float(_passed(np.array(self.start), np.cos(self.beta)))

    def turned_back(self, angle: Floats) -> Floats:
        """(n,) the inverse of this."""
        out = float(_passed(np.array(self.start), np.cos(self.beta)))
        return _passed(angle + out, 1.0 / np.cos(self.beta)) - self.start

    def rate(self, angle: Floats) -> Floats:
        """(n,) d(t_out)/d(t_in) at a turn of the input shaft."""
        sine = np.sin(self.beta) * np.sin(angle + self.start)
        return np.asarray(np.cos(self.beta) / (1.0 - sine * sine))


@dataclass(frozen=True)
class Gear:
    """ratio: turns out per turn in."""

    name: str
    ratio: float

    def turned(self, angle: Floats) -> Floats:
        """(n,) turn of the output shaft, rad, at that of the input shaft."""
        return angle * self.ratio

    def turned_back(self, angle: Floats) -> Floats:
        """(n,) the inverse of this."""
        return angle / self.ratio

    def rate(self, angle: Floats) -> Floats:
        """(n,) turn out per turn in."""
        return np.full_like(angle, self.ratio)


def _passed(angle: Floats, ratio: float) -> Floats:
    """The angle whose tangent is that of ``angle`` times ``ratio``, on the same turn."""
    s, c = np.sin(angle), np.cos(angle)
    return np.asarray(angle + np.arctan2((ratio - 1.0) * s * c, c * c + ratio * s * s))


@dataclass(frozen=True, eq=False)
class SteeringColumn:
    """Shafts from the wheel to the pinion. ends: in this order. efficiency: product of all. play: rad at the pinion.

    diameter: of the steering wheel, m; None where it is not given.
    """

    ends: tuple[ShaftEnd, ...]
    efficiency: float = 1.0
    play: float = 0.0
    diameter: float | None = None

    @cached_property
    def stages(self) -> tuple[UniversalJoint | Gear, ...]:
        """Joints and gears between the wheel and the pinion."""
        along = shaft_directions(self.ends)
        found: list[UniversalJoint | Gear] = []
        yoke: Floats | None = None
        for number, end in enumerate(self.ends[1:-1]):
            before, after = along[number], along[number + 1]
            if end.kind == ShaftKind.GEAR:
                found.append(Gear(end.name, end.ratio))
                yoke = None
                continue
            normal = _normal(before, after, yoke)
            pin = _turned_about(before, normal if yoke is None else yoke, end.phase)
            start = float(np.arctan2(cross(normal, pin) @ before, normal @ pin))
            beta = float(np.arctan2(np.linalg.norm(cross(before, after)), before @ after))
            found.append(UniversalJoint(end.name, beta, start, yoke is not None))
            out = cross(after, pin)
            yoke = out / np.linalg.norm(out)
        return tuple(found)

    @property
    def joints(self) -> tuple[UniversalJoint, ...]:
        """Universal joints among the stages."""
        return tuple(stage for stage in self.stages if isinstance(stage, UniversalJoint))

    def pinion(self, wheel: Floats) -> Floats:
        """(n,) angle of the pinion at angles of the steering wheel, rad, both + to the left."""
        angle = -np.asarray(wheel, dtype=np.float64)
        for stage in self.stages:
            angle = stage.turned(angle)
        return -angle

    def wheel(self, pinion: Floats) -> Floats:
        """(n,) angle of the steering wheel at angles of the pinion, rad."""
        angle = -np.asarray(pinion, dtype=np.float64)
        for stage in reversed(self.stages):
            angle = stage.turned_back(angle)
        return -angle

    def rate(self, wheel: Floats) -> Floats:
        """(n,) d(pinion)/d(wheel) at angles of the steering wheel, rad."""
        angle = -np.asarray(wheel, dtype=np.float64)
        found = np.ones_like(angle)
        for stage in self.stages:
            found = found * stage.rate(angle)
            angle = stage.turned(angle)
        return found

    @property
    def stiffness(self) -> float | None:
        """Stiffness of all shafts at the pinion straight ahead, wheel held, N m/rad; None where they are rigid.

        1/k = sum of (d(pinion)/d(shaft))^2/k over the shafts.
        """
        soft = 0.0
        for number, end in enumerate(self.ends[1:]):
            if end.k is not None:
                rates = [float(stage.rate(np.zeros(1))[0]) for stage in self.stages[number:]]
                soft += float(np.prod(rates)) ** 2 / end.k
        return 1.0 / soft if soft else None

    @property
    def ripple(self) -> float:
        """The largest less the least d(pinion)/d(wheel) over a turn of the wheel."""
        return _span(self.rate) if self.joints else 0.0

    @cached_property
    def least_ripple(self) -> tuple[float, float, str] | None:
        """The least ripple that the phase of one joint gives, that phase, rad, and the joint; None where no phase counts.

        The phase of a joint counts that follows another joint on one shaft.
        """
        found = []
        for joint in (each for each in self.joints if each.follows):
            ripple = self._ripple_over(joint.name)
            tried = np.linspace(-0.5, 0.5, PHASES, endpoint=False) * np.pi
            best = tried[int(np.argmin([ripple(phase) for phase in tried]))]
            phase = _golden(ripple, best - np.pi / PHASES, best + np.pi / PHASES)
            found.append((ripple(phase), phase, joint.name))
        return min(found, default=None)

    def _ripple_over(self, name: str) -> Callable[[float], float]:
        """The ripple as a function of the phase of one joint."""

        def ripple(phase: float) -> float:
            ends = tuple(replace(end, phase=phase) if end.name == name else end for end in self.ends)
            return replace(self, ends=ends).ripple

        return ripple


def shaft_directions(ends: Sequence[ShaftEnd]) -> Floats:
    """(shafts, 3) unit directions of the shafts towards the pinion."""
    spans = np.diff([end.point for end in ends], axis=0)
    return np.asarray(spans / np.linalg.norm(spans, axis=1, keepdims=True))


def _normal(before: Floats, after: Floats, yoke: Floats | None) -> Floats:
    """(3,) unit normal of the plane of two shafts; of shafts in one line the pin that there is, or a level direction."""
    across = cross(before, after)
    size = np.linalg.norm(across)
    if size > STRAIGHT:
        return np.asarray(across / size)
    if yoke is not None:
        return yoke
    level = cross(before, np.array([0.0, 0.0, 1.0]))
    size = np.linalg.norm(level)
    return np.asarray(level / size) if size > STRAIGHT else np.array([0.0, 1.0, 0.0])


def _turned_about(axis: Floats, arm: Floats, angle: float) -> Floats:
    """A direction square to an axis, turned about it."""
    return np.asarray(arm * np.cos(angle) + cross(axis, arm) * np.sin(angle))


def _span(of: Callable[[Floats], Floats]) -> float:
    """The largest less the least value over a turn of the wheel, among all extremes, of which several may be nearly alike."""
    step = TURN / SAMPLES
    angles = np.linspace(-np.pi, np.pi, SAMPLES + 1)
    values = of(angles)
    inner, before, after = values[1:-1], values[:-2], values[2:]
    is_largest = (inner >= before) & (inner >= after)
    is_least = (inner <= before) & (inner <= after)
    best = np.concatenate((angles[1:-1][is_largest], angles[1:-1][is_least]))
    sign = np.concatenate((np.ones(int(is_largest.sum())), -np.ones(int(is_least.sum()))))
    near = np.linspace(-1.0, 1.0, 2 * CLOSER + 1)
    found = np.empty(0)
    for _ in range(ROUNDS):
        tried = best[:, None] + step * near
        signed = sign[:, None] * of(tried)
        at = np.argmax(signed, axis=1)
        best, found = tried[np.arange(len(best)), at], signed[np.arange(len(best)), at]
        step /= CLOSER
    ends = values[0], values[-1]
    return float(max(*found[sign > 0.0], *ends) - min(*-found[sign < 0.0], *ends))


def _golden(of: Callable[[float], float], low: float, high: float) -> float:
    """Where a function with one minimum between two places is least, by the golden section."""
    first, second = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    at_first, at_second = of(first), of(second)
    for _ in range(GOLDEN_STEPS):
        if at_first <= at_second:
            high, second, at_second = second, first, at_first
            first = high - GOLDEN * (high - low)
            at_first = of(first)
        else:
            low, first, at_first = first, second, at_second
            second = low + GOLDEN * (high - low)
            at_second = of(second)
    return 0.5 * (low + high)

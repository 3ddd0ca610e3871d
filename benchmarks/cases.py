"""The IFToMM benchmarks A01 to A05: their models, where each is measured, and the references.

The models are those of the workbooks; A02 with 40 windows is made here. Both sides compute the same `Model`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import sheetmbs
from sheetmbs.elements.marker import Marker
from sheetmbs.model.model import Body, Display, Joint, Model, Point, Settings

WORKBOOKS = Path(__file__).parent.parent / "workbooks"
PLACE = "measured"


@dataclass(frozen=True)
class Case:
    """One benchmark.

    make: its model. body, origin: the point that is measured, in body coordinates. reference: its coordinates at t_end, m,
    to ten digits; None where a coordinate is not compared. relative: the error is divided by the reference's size.
    resolution: error below which the reference's own digits end.
    """

    name: str
    title: str
    make: Callable[[], Model]
    t_end: float
    body: str
    origin: tuple[float, float, float]
    reference: tuple[float | None, float | None, float | None]
    relative: bool = False
    resolution: float = 1e-10

    def model(self) -> Model:
        """The model with the measured point as its only one, in SI, and no row but the first and the last."""
        model = self.make()
        return replace(
            model,
            settings=replace(model.settings, t_end=self.t_end, t_step=self.t_end),
            points=(Point(PLACE, self.place, report=True),),
            charts=(),
            display=Display(),
        )

    @property
    def place(self) -> Marker:
        """The measured point."""
        return Marker(self.body, np.array(self.origin))

    def error(self, position: NDArray[np.float64]) -> float:
        """Distance from the reference, m, or its share of it."""
        known = [k for k, value in enumerate(self.reference) if value is not None]
        exact = np.array([self.reference[k] for k in known], dtype=float)
        distance = float(np.linalg.norm(position[known] - exact))
        return distance / float(np.linalg.norm(exact)) if self.relative else distance


def _book(name: str) -> Callable[[], Model]:
    return lambda: sheetmbs.read(WORKBOOKS / f"{name}.xlsx")


def windows(count: int) -> Model:
    """A02: a row of four-bar windows, bars of 1 m and 1 kg, upright, the couplers at 1 m/s."""

    def bar(name: str, x: float, y: float, phi: float, velocity: tuple[float, float]) -> Body:
        return Body(
            name,
            mass=1.0,
            inertia=np.diag([0.0, 0.0, 1.0 / 12.0]),
            position=np.array([x, y, 0.0]),
            angles=np.array([0.0, 0.0, phi]),
            velocity=np.array([velocity[0], 0.0, 0.0]),
            angular_velocity=np.array([0.0, 0.0, velocity[1]]),
        )

    def end(name: str, xi: float) -> Marker:
        return Marker(name, np.array([xi, 0.0, 0.0]))

    rods = [bar(f"rod {k}", k, 0.5, np.pi / 2, (0.5, -1.0)) for k in range(count + 1)]
    tops = [bar(f"top {k}", k + 0.5, 1.0, 0.0, (1.0, 0.0)) for k in range(count)]
    joints = [Joint(f"foot {k}", "revolute", end("ground", k), end(f"rod {k}", -0.5)) for k in range(count + 1)]
    for k in range(count):
        joints.append(Joint(f"left {k}", "revolute", end(f"rod {k}", 0.5), end(f"top {k}", -0.5)))
        joints.append(Joint(f"right {k}", "revolute", end(f"rod {k + 1}", 0.5), end(f"top {k}", 0.5)))
    return Model(settings=Settings(t_end=20.0, t_step=20.0), bodies=(*rods, *tops), joints=tuple(joints))


CASES = {
    case.name: case
    for case in (
        Case("A01", "pendulum", _book("pendulum"), 10.0, "bob", (0, 0, 0), (-0.2750874626, -0.9614192051, None)),
        Case(
            "A02-2", "windows, N = 2", _book("four-bar-windows"), 10.0, "rod 0", (0.5, 0, 0),
            (0.3284581115, 0.9445185382, None),
        ),
        Case(
            "A02-40", "windows, N = 40", lambda: windows(40), 20.0, "rod 0", (0.5, 0, 0),
            (0.4109011537, 0.9116799010, None),
        ),
        Case(
            "A03", "Andrews' mechanism", _book("andrews"), 0.05, "K1", (0.007 - 0.00092, 0, 0),
            (-0.0052085047, 0.0046766953, None),
        ),
        Case(
            "A04", "Bricard's mechanism", _book("bricard"), 9.0, "rod 2", (0, -0.5, 0),
            (0.292609586, -0.889369143, -0.457189815), resolution=1e-9,
        ),
        Case(
            "A05", "flyball governor", _book("flyball-governor"), 10.0, "slider", (0, 0, 0),
            (None, None, 0.6196229179), relative=True, resolution=1.5e-9,
        ),
    )
}  # fmt: skip

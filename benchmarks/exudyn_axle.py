"""The bushings, links and bearings of an axle as connectors of exudyn: how toe and camber answer loads at held contacts.

Springs are left out, so that nothing carries a load at design; push-rods and rockers carry none then either.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.exudyn_models import exudyn, items
from sheetmbs.suspension.layout.car import SIDES, AxleData

Vector = NDArray[np.float64]
MASS, INERTIA = 1.0, (0.1, 0.1, 0.1, 0.0, 0.0, 0.0)
"""mass and inertia of every body, which do not matter: nothing accelerates"""
UP = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True)
class Rates:
    """N/m, N m/rad. pivot: along, across and about its hinge; ball: in every direction; bearing: across the spin axis."""

    pivot: tuple[float, float, float]
    ball: float
    rod: float
    mount: float
    bearing: float


class ExudynAxle:
    """An axle of double wishbones, which is solved from its design pose under each load."""

    def __init__(self, axle: AxleData, rates: Rates) -> None:
        self.container = exudyn.SystemContainer()
        self.mbs = self.container.AddSystem()
        self.axle, self.rates = axle, rates
        self.ground = self.mbs.AddObject(items.ObjectGround())
        self.origin: dict[int, Vector] = {int(self.ground): np.zeros(3)}
        self.nodes: dict[str, exudyn.NodeIndex] = {}
        self.loads: dict[str, exudyn.LoadIndex] = {}
        self._rack()
        for side in SIDES:
            self._corner(side)
        self.mbs.Assemble()
        self.settings = exudyn.SimulationSettings()
        self.settings.solution.file.write = False
        self.settings.solution.sensors.active = False
        newton = self.settings.staticSolver.newton
        newton.relativeTolerance, newton.absoluteTolerance = 1e-10, 1e-7
        self.settings.staticSolver.verboseMode = 0

    def _body(self, at: Vector, name: str = "") -> exudyn.ObjectIndex:
        node = self.mbs.AddNode(items.NodeRigidBodyRxyz(referenceCoordinates=[*at, 0.0, 0.0, 0.0]))
        body = self.mbs.AddObject(
            items.ObjectRigidBody(nodeNumber=node, physicsMass=MASS, physicsInertia=list(INERTIA))
        )
        self.origin[int(body)] = at
        if name:
            self.nodes[name] = node
        return body

    def _at(self, body: exudyn.ObjectIndex, place: Vector) -> exudyn.MarkerIndex:
        return self.mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=body, localPosition=place - self.origin[int(body)]))

    def _both(self, one: exudyn.ObjectIndex, other: exudyn.ObjectIndex, place: Vector) -> list[exudyn.MarkerIndex]:
        return [self._at(one, place), self._at(other, place)]

    def _held(
        self,
        one: exudyn.ObjectIndex,
        other: exudyn.ObjectIndex,
        place: Vector,
        axes: Sequence[int],
        turn: Vector | None = None,
    ) -> None:
        turned = np.eye(3) if turn is None else turn
        self.mbs.AddObject(
            items.GenericJoint(
                markerNumbers=self._both(one, other, place),
                constrainedAxes=list(axes),
                rotationMarker0=turned,
                rotationMarker1=turned,
            )
        )

    def _sprung(
        self, one: exudyn.ObjectIndex, other: exudyn.ObjectIndex, place: Vector, rates: Sequence[float], turn: Vector
    ) -> None:
        self.mbs.AddObject(
            items.RigidBodySpringDamper(
                markerNumbers=self._both(one, other, place),
                stiffness=np.diag(rates),
                damping=np.zeros((6, 6)),
                rotationMarker0=turn,
                rotationMarker1=turn,
            )
        )

    def _rack(self) -> None:
        middle = self.axle.points["left"]["tie rod inner"].position * np.array([1.0, 0.0, 1.0])
        self.rack = self._body(middle)
        self._held(self.ground, self.rack, middle, (1, 0, 1, 1, 1, 1))
        rates = (0.0, self.rates.mount, 0.0, 0.0, 0.0, 0.0)
        self._sprung(self.ground, self.rack, middle, rates, np.eye(3))

    def _corner(self, side: str) -> None:
        p = {name: np.array(point.position) for name, point in self.axle.points[side].items()}
        upright = self._body(p["wheel centre"])
        hub = self._body(p["wheel centre"], side)
        for arm in ("lower", "upper"):
            ends, joint = [p[f"{arm} arm {end}"] for end in ("front", "rear")], p[f"{arm} ball joint"]
            body, turn = self._body(joint), frame(ends[1] - ends[0])
            along, across, about = self.rates.pivot
            for end in ends:
                self._sprung(self.ground, body, end, (along, across, across, about, 0.0, 0.0), turn)
            self._sprung(body, upright, joint, (*(3 * (self.rates.ball,)), 0.0, 0.0, 0.0), np.eye(3))
        inner, outer = p["tie rod inner"], p["tie rod outer"]
        self.mbs.AddObject(
            items.SpringDamper(
                markerNumbers=[self._at(self.rack, inner), self._at(upright, outer)],
                referenceLength=float(np.linalg.norm(outer - inner)),
                stiffness=self.rates.rod,
            )
        )
        spin = self.axle.spin_axis(side)
        turn = frame(spin)
        self._held(upright, hub, p["wheel centre"], (1, 1, 1, 1, 0, 0), turn)
        rates = (0.0, 0.0, 0.0, 0.0, self.rates.bearing, self.rates.bearing)
        self._sprung(upright, hub, p["wheel centre"], rates, turn)
        contact = np.array(self.axle.design_contact(side))
        self._held(self.ground, hub, contact, (0, 0, 1, 0, 0, 0))
        for kind, load in (("force", items.Force), ("moment", items.Torque)):
            place = self._at(hub, contact)
            self.loads[f"{side} {kind}"] = self.mbs.AddLoad(load(markerNumber=place, loadVector=[0.0, 0.0, 0.0]))

    def angles(self, load: Mapping[str, Sequence[float]]) -> Vector:
        """(2,) toe and camber of the left wheel, deg. load: force and moment at the contacts, by side and kind."""
        for name, number in self.loads.items():
            self.mbs.SetLoadParameter(number, "loadVector", list(load.get(name, (0.0, 0.0, 0.0))))
        if not self.mbs.SolveStatic(self.settings):
            raise RuntimeError("exudyn finds no equilibrium")
        turn = self.mbs.GetNodeOutput(self.nodes["left"], exudyn.OutputVariableType.RotationMatrix)
        spin = np.array(turn).reshape(3, 3) @ self.axle.spin_axis("left")
        return np.degrees(np.array([np.arctan2(spin[0], spin[1]), -np.arcsin(spin[2])]))

    def per_unit(self, load: Mapping[str, Sequence[float]], size: float) -> Vector:
        """(2,) of toe and camber per unit of a load that is ``size`` of it, by a central difference."""
        less = {name: [-each for each in vector] for name, vector in load.items()}
        return (self.angles(load) - self.angles(less)) / (2.0 * size)


def frame(along: Vector) -> Vector:
    """(3, 3) axes as columns, the first along a direction."""
    first = along / np.linalg.norm(along)
    second = np.cross(UP if abs(first[2]) < 0.9 else np.array([1.0, 0.0, 0.0]), first)
    second = second / np.linalg.norm(second)
    return np.column_stack((first, second, np.cross(first, second)))

"""A linear model of an axle with elastic parts, without anything of the program: small displacements, springs, constraints.

Units are N and mm. Two arms or one with a strut, tie rods on a rack, wheels on their carriers. Contacts keep their heights, and
no spring carries a load, so that what gives way does so about the design.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from tests.support.hardpoint_books import Point

MIRROR = np.diag([1.0, -1.0, 1.0])
SIDES = ("left", "right")
SENSES = {"": (1, 1), "_opposed": (1, -1), "_single": (1, 0)}
ARMS = {name: tuple(f"{name} {end}" for end in ("front", "rear")) for name in ("lower arm", "upper arm")}
BODIES = ("lower arm", "upper arm", "carrier", "wheel", "tie rod", "strut")
Numbers = Mapping[str, object]
"""of a row: rates by their columns, node (3, 3), axis"""


def skew(v):
    return np.cross(np.eye(3), v)


def along(axis):
    """The projector onto an axis."""
    return np.outer(axis, axis) / (axis @ axis)


def across(axis):
    """Two directions (2, 3) across an axis."""
    return np.linalg.svd(np.eye(3) - along(axis))[0][:, :2].T


@dataclass
class LinearAxle:
    """points: of the left side. rows: of the sheet Compliance by side and part; those of the rack by side "".

    static: camber and toe, deg. radius: of the tyre.
    """

    points: Mapping[str, Point]
    rows: Mapping[str, Mapping[str, Numbers]]
    static: tuple[float, float] = (-1.2, -0.15)
    radius: float = 230.0
    springs: list = field(default_factory=list)
    held: list = field(default_factory=list)
    wheels: dict = field(default_factory=dict)

    def __post_init__(self):
        self.names = ["rack", *(f"{body} {side}" for side in SIDES for body in BODIES)]
        self._rack()
        for side in SIDES:
            self._corner(side)

    # --- displacements, by the motions of all bodies ---

    def turn(self, body):
        found = np.zeros((3, 6 * len(self.names)))
        if body:
            at = 6 * self.names.index(body)
            found[:, at + 3 : at + 6] = np.eye(3)
        return found

    def shift(self, body, point):
        found = -skew(point) @ self.turn(body)
        if body:
            at = 6 * self.names.index(body)
            found[:, at : at + 3] = np.eye(3)
        return found

    def _join(self, i, j, point, compliance, directions=None):
        """Join two bodies at a point in all directions or some. compliance: (3, 3), rigid where it is none."""
        held = np.eye(3) if directions is None else directions
        between = held @ (self.shift(j, point) - self.shift(i, point))
        soft, directions = np.linalg.eigh(held @ compliance @ held.T)
        for size, direction in zip(soft, directions.T, strict=True):
            if size > 1e-12:
                self.springs.append((direction @ between, 1.0 / size))
            else:
                self.held.append(direction @ between)

    def _hold(self, *rows):
        self.held += [row for each in rows for row in np.atleast_2d(each)]

    # --- parts ---

    def _rack(self):
        soft = sum(1.0 / row["k"] for row in self.rows.get("", {}).values())
        self._join(None, "rack", np.zeros(3), soft * along(np.array([0.0, 1.0, 0.0])))
        self._hold(self.turn("rack"))

    def _corner(self, side):
        flip = np.eye(3) if side == "left" else MIRROR
        at = {name: flip @ np.array(point, dtype=float) for name, point in self.points.items()}
        rows = self.rows.get(side, {})
        carrier, wheel, rod, strut = (f"{body} {side}" for body in ("carrier", "wheel", "tie rod", "strut"))
        for arm, pivots in ARMS.items():
            if f"{arm} front" in at:
                self._arm(f"{arm} {side}", [at[name] for name in pivots], [rows.get(name) for name in pivots], flip)
                self._ball(arm, f"{arm} {side}", carrier, at, rows, flip)
            else:
                self._hold(self.shift(f"{arm} {side}", np.zeros(3)), self.turn(f"{arm} {side}"))
        self._strut(strut, carrier, at, rows, flip)
        line = along(at["tie rod outer"] - at["tie rod inner"])
        soft = sum(np.trace(line @ self._soft(rows[n], line, flip)) for n in rows if n.startswith("tie rod"))
        self._join("rack", rod, at["tie rod inner"], np.zeros((3, 3)))
        self._join(rod, carrier, at["tie rod outer"], soft * line)
        self._hold(line[np.argmax(np.diag(line))] @ self.turn(rod))  # it does not spin
        self._wheel(side, carrier, wheel, at["wheel centre"], rows, flip)

    def _soft(self, row, axis, flip):
        """(3, 3) compliance of a row. axis: projector onto the axis of its bushing."""
        axis = along(flip @ np.array(row["axis"], dtype=float)) if "axis" in row else axis
        found = np.eye(3) / row.get("k", np.inf)
        found = found + axis / row.get("k_axial", np.inf) + (np.eye(3) - axis) / row.get("k_radial", np.inf)
        return found + (flip @ np.linalg.inv(row["node"]) @ flip if "node" in row else 0.0)

    def _arm(self, arm, places, rows, flip):
        hinge = places[0] - places[1]
        stiff = [row is None or not {"k", "k_axial", "node"} & set(row) for row in rows]
        holder = next((n for n, row in enumerate(rows) if row is None), stiff.index(True) if any(stiff) else None)
        for number, (place, row) in enumerate(zip(places, rows, strict=True)):
            soft = np.zeros((3, 3)) if row is None else self._soft(row, along(hinge), flip)
            floats = stiff[number] and number != holder
            self._join(None, arm, place, soft, across(hinge) if floats else None)
            if row is not None:
                axis = along(flip @ np.array(row["axis"], dtype=float)) if "axis" in row else along(hinge)
                for projector, rate in ((axis, "k_torsion"), (np.eye(3) - axis, "k_conical")):
                    self.springs += [(each, row.get(rate, 0.0)) for each in projector @ self.turn(arm)]

    def _ball(self, name, arm, carrier, at, rows, flip):
        ball = at[f"{name.removesuffix(' arm')} ball joint"]
        row, legs = rows.get(f"{name.removesuffix(' arm')} ball joint"), rows.get(f"{name} legs")
        soft = np.zeros((3, 3)) if row is None else self._soft(row, along(np.array([0.0, 0.0, 1.0])), flip)
        if legs is not None:
            ends = [ball - at[pivot] for pivot in ARMS[name]]
            plane = across(np.cross(*ends))
            soft = soft + plane.T @ np.linalg.inv(plane @ (legs["k"] * sum(map(along, ends))) @ plane.T) @ plane
        self._join(arm, carrier, ball, soft)

    def _strut(self, strut, carrier, at, rows, flip):
        if "strut top" not in at:
            self._hold(self.shift(strut, np.zeros(3)), self.turn(strut))
            return
        line = at["strut top"] - at["strut lower"]
        row = rows.get("strut top")
        self._join(
            None, strut, at["strut top"], np.zeros((3, 3)) if row is None else self._soft(row, along(line), flip)
        )
        for each in across(line):
            self._hold(each @ (self.shift(carrier, at["strut top"]) - self.shift(strut, at["strut top"])))
            self._hold(each @ (self.turn(carrier) - self.turn(strut)))
        self._hold(line @ self.turn(strut))  # it does not spin

    def _wheel(self, side, carrier, wheel, centre, rows, flip):
        camber, toe = np.radians(self.static)
        spin = flip @ [np.sin(toe) * np.cos(camber), np.cos(toe) * np.cos(camber), -np.sin(camber)]
        down = spin[2] * spin - [0.0, 0.0, 1.0]
        contact = centre + self.radius * down / np.linalg.norm(down)
        self._join(carrier, wheel, centre, np.zeros((3, 3)))
        rate = rows.get("wheel bearing", {}).get("k_conical")
        tilt = self.turn(wheel) - self.turn(carrier)
        self._hold(spin @ tilt)
        for each in across(spin) @ tilt:
            if rate:
                self.springs.append((each, rate))
            else:
                self._hold(each)
        self._hold(self.shift(wheel, contact)[2])
        self.wheels[side] = wheel, centre, contact, spin, rows.get("tyre", {}).get("k_axial", np.inf)

    # --- what it does ---

    def motion(self, force):
        """Of all bodies under generalised forces: stiffness on the space that the constraints leave."""
        _u, sizes, rows = np.linalg.svd(np.array(self.held))
        free = rows[np.sum(sizes > 1e-9 * sizes[0]) :].T
        slopes = np.array([slope for slope, _k in self.springs]) @ free
        stiffness = slopes.T @ (np.array([k for _slope, k in self.springs])[:, None] * slopes)
        return free @ np.linalg.lstsq(stiffness, free.T @ force, rcond=1e-13)[0]

    def force(self, load: str, factors: Sequence[float]):
        """Of 1 kN or 1 kN m on the left wheel times the first factor, on the right one times the second."""
        found = np.zeros(6 * len(self.names))
        for (wheel, centre, contact, *_), factor in zip(self.wheels.values(), factors, strict=True):
            at_contact, at_centre = self.shift(wheel, contact), self.shift(wheel, centre)
            unit = {
                "lateral": 1e3 * at_contact[1],
                "braking": -1e3 * at_contact[0],
                "drive": 1e3 * at_centre[0],
                "aligning": 1e6 * self.turn(wheel)[2],
            }
            found += factor * unit[load]
        return found

    def metrics(self):
        """By name what the sheet Compliance is to make of the axle, deg and mm."""
        found = {}
        for load in ("lateral", "braking", "drive", "aligning"):
            for sense, factors in SENSES.items():
                motion = self.motion(self.force(load, factors))
                for factor, side in zip(factors, SIDES, strict=True):
                    wheel, centre, contact, spin, tyre = self.wheels[side]
                    turned = np.cross(self.turn(wheel) @ motion, spin)
                    outward = 1.0 if side == "left" else -1.0
                    steer = (spin[0] * turned[1] - spin[1] * turned[0]) / (spin[0] ** 2 + spin[1] ** 2)
                    values = {
                        "steer": np.degrees(steer),
                        "toe": -outward * np.degrees(steer),
                        "camber": -np.degrees(turned[2]) / np.hypot(spin[0], spin[1]),
                        "contact_dy": (self.shift(wheel, contact) @ motion)[1]
                        + (1e3 * factor / tyre if load == "lateral" else 0.0),
                        "wheel_dx": (self.shift(wheel, centre) @ motion)[0],
                        "recession": -(self.shift(wheel, centre) @ motion)[0],
                    }
                    corner = "FL" if side == "left" else "FR"
                    found |= {f"{corner}.{what}_per_{load}{sense}": value for what, value in values.items()}
        return found

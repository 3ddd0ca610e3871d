"""The suspension workbooks as they run, and linkages closed by circles and spheres without sheetmbs."""

from functools import cache
from pathlib import Path

import numpy as np

import sheetmbs
from tests.support.opened import sheet_values

FOLDER = Path(__file__).parents[2] / "workbooks"
G = 9.81
NAMES = ("FL", "FR", "RL", "RR")
CASES = {
    "double-wishbone": {"bump": 0, "steer": 0, "static": 2, "braking": 1, "cornering": 1, "road": 2},
    "car": {"bump": 0, "steer": 0, "heave": 0, "roll": 0, "equilibrium": 7, "cornering": 7, "braking": 7, "road": 7},
}
"""degrees of freedom beside the drivers"""
AT_REST = [
    ("double-wishbone", "static"),
    ("double-wishbone", "braking"),
    ("double-wishbone", "cornering"),
    ("car", "equilibrium"),
    ("car", "cornering"),
    ("car", "braking"),
]
WITH_FORCES = [*AT_REST, ("double-wishbone", "road"), ("car", "road")]
MILLIMETRE = 1e-3
EXACT = 1e-9
"""m and rad"""


@cache
def run(name, case):
    result = sheetmbs.run(sheetmbs.read(FOLDER / f"{name}.xlsx", case=case))
    assert result.status == "done"
    return result


@cache
def columns(name, case):
    """All result columns of a case by name, in SI."""
    return in_si(run(name, case))


def in_si(result):
    found = {}
    for frame in (result.bodies, result.points, result.joints, result.drivers, result.springs, result.constraints):
        for column, unit in frame.attrs["units"].items():
            size = {"mm": 1e-3, "deg": np.pi / 180}.get(unit.split("/")[0], 1.0)
            found.setdefault(column, frame[column].to_numpy() * size)
    return found


def vectors(name, case, what, axes="xyz"):
    found = columns(name, case)
    return np.stack([found[f"{what}.{axis}"] for axis in axes], axis=1)


@cache
def sheet(name, which):
    """Rows of a sheet of the workbook by their names, each a dict by header, as they stand there."""
    rows = sheet_values(FOLDER / f"{name}.xlsx", which, data_only=True)
    return {row[0]: dict(zip(rows[0], row, strict=True)) for row in rows[1:] if row[0]}


def dimension(book, name):
    return sheet(book, "Dimensions")[name]["value"]


DRAWN = {"upright": 3.2, "rack": 1.2}
"""kg, of parts whose masses stand in texts of CAD programs"""


@cache
def typed_masses(name):
    rows = sheet(name, "Bodies").values()
    found = {row["name"]: DRAWN.get(row["name"]) if row["mass"] is None else row["mass"] for row in rows}
    return {part: mass for part, mass in found.items() if isinstance(mass, int | float)}


def masses(name):
    return {body.name: body.mass for body in run(name, next(iter(CASES[name]))).model.bodies}


# --- a linkage without sheetmbs ----------------------------------------------------------------------------------------


def newton(function, guess):
    """Root of a function of a few unknowns, to the last digits."""
    x = np.array(guess, dtype=float)
    for _ in range(50):
        steps = 1e-6 * np.eye(len(x))
        jacobian = np.stack([(function(x + step) - function(x - step)) / 2e-6 for step in steps], axis=1)
        change = np.linalg.solve(jacobian, function(x))
        x = x - change
        if np.abs(change).max() < 1e-14:
            return x
    raise AssertionError(change)


def turned(point, start, end, angle):
    """A point turned about the line through two others."""
    axis, arm = (end - start) / np.linalg.norm(end - start), point - start
    return start + arm * np.cos(angle) + np.cross(axis, arm) * np.sin(angle) + axis * (axis @ arm) * (1 - np.cos(angle))


def frame(a, b, c):
    """Right-handed axes spanned by three points."""
    first = (b - a) / np.linalg.norm(b - a)
    third = np.cross(first, c - a) / np.linalg.norm(np.cross(first, c - a))
    return np.stack([first, np.cross(third, first), third], axis=1)


def on_spheres(centres, radii, side):
    """The point at these distances from three centres, on one side of their plane."""
    axes = frame(*centres)
    (bx, _, _), (cx, cy, _) = ((each - centres[0]) @ axes for each in centres[1:])
    x = (radii[0] ** 2 - radii[1] ** 2 + bx**2) / (2 * bx)
    y = (radii[0] ** 2 - radii[2] ** 2 + cx**2 + cy**2 - 2 * cx * x) / (2 * cy)
    return centres[0] + axes @ np.array([x, y, side * np.sqrt(radii[0] ** 2 - x**2 - y**2)])


class Linkage:
    """A corner in axes of its chassis: arms by circles, the steering rod's outer end by spheres, m and rad.

    axis: of the wheel, outboard, from camber (+ top outboard) and toe (+ in) as typed on Dimensions.
    """

    def __init__(self, book, corner=""):
        self.label = f" {corner}" if corner else ""
        points, self.link = sheet(book, "Points"), "toe link" if corner.startswith("R") else "tie rod"
        at = {
            name.removesuffix(self.label): np.array([row[axis] for axis in "xyz"], dtype=float) * MILLIMETRE
            for name, row in points.items()
            if name.endswith(self.label) and row["frame"] == "global"
        }
        wheel = sheet(book, "Bodies")[f"wheel{self.label}"]
        at["wheel"] = np.array([wheel[axis] for axis in "xyz"], dtype=float) * MILLIMETRE
        self.outboard = -1.0 if corner.endswith("R") else 1.0
        self.axle = "rear" if corner.startswith("R") else "front"
        camber, toe = (np.radians(dimension(book, name)) for name in ("camber", f"{self.axle} toe"))
        self.at, self.axis = at, pointing(camber, toe, self.outboard)
        self.radius = dimension(book, "wheel radius") * MILLIMETRE
        self.balls = [at["lower ball"], at["upper ball"], at[f"{self.link} outer"]]
        centres = np.array([*self.balls[:2], at[f"{self.link} inner"]])
        self.rod = [np.linalg.norm(self.balls[2] - centre) for centre in centres]
        self.side = np.sign(np.linalg.det(np.stack([*(centres[1:] - centres[0]), self.balls[2] - centres[0]])))
        masses = typed_masses(book)
        self.mass = {part: masses.get(part + self.label, 0.0) for part in self.parts()}
        self.mass["wheel"] += sum(masses[part + self.label] for part in ("heading", "wheel plane"))

    def parts(self):
        return ("lower arm", "upper arm", "upright", self.link, "wheel", "bar")

    def place(self, angles, rack, up):
        """All that matters with the arms at these angles. up: the road's normal."""
        at = self.at
        lower = {n: turned(at[n], at["lower front"], at["lower rear"], angles[0]) for n in self.on_lower_arm()}
        upper = turned(at["upper ball"], at["upper front"], at["upper rear"], angles[1])
        inner = at[f"{self.link} inner"] + np.array([0.0, rack, 0.0])
        outer = on_spheres([lower["lower ball"], upper, inner], self.rod, self.side)
        rotation = frame(lower["lower ball"], upper, outer) @ frame(*self.balls).T
        wheel, axis = lower["lower ball"] + rotation @ (at["wheel"] - at["lower ball"]), rotation @ self.axis
        plumb = up - axis * (axis @ up)
        means = {
            "lower arm": (at["lower front"] + at["lower rear"] + 2 * lower["lower ball"]) / 4,
            "upper arm": (at["upper front"] + at["upper rear"] + 2 * upper) / 4,
            "upright": (lower["lower ball"] + upper) / 2,
            self.link: (inner + outer) / 2,
            "wheel": wheel,
        }
        return {
            **lower,
            "upper ball": upper,
            "wheel": wheel,
            f"{self.link} inner": inner,
            f"{self.link} outer": outer,
            "axis": axis,
            "rotation": rotation,
            "means": means,
            "contact": wheel - self.radius * plumb / np.linalg.norm(plumb),
            "spring": np.linalg.norm(lower["spring low"] - at["spring top"]),
        }

    def on_lower_arm(self):
        return [name for name in ("lower ball", "spring low", "drop link") if name in self.at]

    def closed(self, reached, rack=0.0, up=(0.0, 0.0, 1.0)):
        """The linkage where ``reached`` of what `place` gives is 0."""
        length, up = np.linalg.norm(self.balls[0] - self.balls[1]), np.array(up)

        def gaps(angles):
            now = self.place(angles, rack, up)
            return np.array([np.linalg.norm(now["lower ball"] - now["upper ball"]) - length, reached(now)])

        return self.place(newton(gaps, (0.0, 0.0)), rack, up)

    def bar(self, now):
        """Angle of this half of the anti-roll bar, about y, and its middle."""
        hinge, end = self.at["bar bearing"], self.at["bar end"]
        length = np.linalg.norm(end - self.at["drop link"])
        ahead = hinge + np.array([0.0, 1.0, 0.0])
        (angle,) = newton(
            lambda a: np.array([np.linalg.norm(turned(end, hinge, ahead, a[0]) - now["drop link"]) - length]), [0.0]
        )
        return angle, (hinge + turned(end, hinge, ahead, angle)) / 2


@cache
def corner(book, name=""):
    return Linkage(book, name)


def pointing(camber, toe, outboard):
    """The outboard axis of a wheel. camber: + top outboard. toe: + front inboard. outboard: 1 on the left, -1 on the right."""
    return np.array([np.sin(toe) * np.cos(camber), outboard * np.cos(toe) * np.cos(camber), -np.sin(camber)])


def camber_and_toe(axis, outboard):
    return -np.arcsin(axis[2]), np.arctan2(axis[0], outboard * axis[1])


def compare(book, case, row, label, now):
    """Wheel, contact, camber, toe, steering angle and spring of a row against the linkage."""
    found, outboard = columns(book, case), -1.0 if label.endswith("R") else 1.0
    camber, toe = camber_and_toe(now["axis"], outboard)
    expected = dict(zip((f"wheel{label}.{axis}" for axis in "xyz"), now["wheel"], strict=True))
    expected |= dict(zip((f"contact{label}.{axis}" for axis in "xyz"), now["contact"], strict=True))
    expected |= {f"camber{label}.angle": camber, f"toe{label}.angle": toe, f"heading{label}.yaw": -outboard * toe}
    expected |= {f"wheel plane{label}.pitch": 0.0} | {f"spring{label}.length": now["spring"]}
    off = {name: found[name][row] - value for name, value in expected.items()}
    assert max(map(abs, off.values())) < EXACT, off

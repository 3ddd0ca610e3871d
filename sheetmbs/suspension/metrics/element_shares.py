"""What elements of an axle make of it: shares of its rates in heave and roll, those across it over the wheels, and blades.

An element that stands on both sides has one share, that of both. The travel at which a corner spring lets go is found on rows
of heave: between two of them its length is the polynomial of degree five that has their values, slopes and bends.
"""

from __future__ import annotations

import numpy as np

from sheetmbs.engine.records import Floats, Ints
from sheetmbs.schema.suspension_inputs import SpringKind
from sheetmbs.suspension.elastic.element_kind import at_rows
from sheetmbs.suspension.elastic.kinds.blade_bar import BladePose, blade_pose
from sheetmbs.suspension.elastic.spring_elements import Element
from sheetmbs.suspension.layout.car import SIDES
from sheetmbs.suspension.metrics.metric import (
    DEG,
    MM,
    NEWTON,
    PERCENT,
    SLOPE,
    AxlePoses,
    CornerPoses,
    ElementGroup,
    ElementPoses,
    Found,
    Metric,
)
from sheetmbs.suspension.metrics.wheel_rates import heave_rate

NO_SHARE = 1e-12
"""of the sum of the sizes of all parts, below which their sum is rounding alone"""


def _share(parts: Floats, whole: Floats, of: ElementGroup) -> Floats:
    """(n,) what the elements of a row give of the whole. parts: (elements, n) what each element of the axle gives."""
    size = np.abs(parts).sum(axis=0)
    return np.asarray(parts[of.numbers].sum(axis=0) / np.where(np.abs(whole) <= NO_SHARE * size, np.nan, whole))


def _heave_share(of: ElementGroup) -> Found:
    axle = of.of_axle
    whole = heave_rate(axle)
    return None if whole is None else _share(axle.element_stiffness.sum(axis=(2, 3)), whole, of)


def _roll_share(of: ElementGroup) -> Found:
    axle = of.of_axle
    whole = axle.roll_stiffness
    return None if whole is None else _share(axle.element_roll_stiffness, whole, of)


ELEMENT_SHARES: tuple[Metric[ElementGroup], ...] = (
    Metric("{}_heave_share", "its part of heave_rate", "stiffer in bump", PERCENT, _heave_share),
    Metric("{}_roll_share", "its part of roll_stiffness, V' K V", "rights the body", PERCENT, _roll_share),
)


def _across(of: ElementPoses) -> Element | None:
    """An element between points of both sides; None of any other."""
    return None if of.element.side or of.element.of_kind.turns else of.element


def _length(of: ElementPoses) -> Found:
    part = _across(of)
    return None if part is None else part.length


def _ratio_heave(of: ElementPoses) -> Found:
    part = _across(of)
    return None if part is None else -part.length.first.sum(axis=1)


def _ratio_roll(of: ElementPoses) -> Found:
    part = _across(of)
    return None if part is None else part.length.first[:, 1] - part.length.first[:, 0]


ELEMENTS_ACROSS: tuple[Metric[ElementPoses], ...] = (
    Metric("{}_length", "L: distance of its ends", "long", MM, _length),
    Metric("{}_motion_ratio_heave", "-dL/dz, both wheels together", "compresses in bump", SLOPE, _ratio_heave),
    Metric(
        "{}_motion_ratio_roll",
        "-dL/dz, z_L = -z_R = z",
        "compresses where the left wheel goes up",
        SLOPE,
        _ratio_roll,
    ),
)


def _pose(of: AxlePoses) -> BladePose | None:
    return blade_pose(of.swept) if of.axle.has_kind(SpringKind.BLADE_BAR) else None


def _angle(of: AxlePoses) -> Found:
    pose = _pose(of)
    return None if pose is None else pose.angle


BLADE_ANGLE: tuple[Metric[AxlePoses], ...] = (
    Metric(
        "blade_angle",
        "psi of the blade about pivot -> axis, free",
        "right-handed about its axis",
        DEG,
        _angle,
        "design",
    ),
)


def _link(of: CornerPoses) -> Element | None:
    """The drop link of a blade on this side."""
    if not of.axle.has_kind(SpringKind.BLADE_BAR):
        return None
    return next(
        (each for each in of.of_axle.elements if each.kind == SpringKind.BLADE_BAR and each.side == of.side), None
    )


def _stroke(of: CornerPoses) -> Found:
    link = _link(of)
    if link is None:
        return None
    drawn = of.of_axle.laws[link.name, link.side].design
    return link.length.value - at_rows(drawn, len(link.length.value))


def _pull(of: CornerPoses) -> Found:
    link = _link(of)
    return None if link is None else link.force


def lets_go_at(of: CornerPoses) -> Floats | None:
    """(V,) travel in heave at which the corner spring lets go, m.

    NaN where that is not within the sweeps; None without such a spring.
    """
    row = next((row for row in of.axle.springs if row.kind == SpringKind.SPRING and of.side in row.sides), None)
    if row is None or not of.of_axle.count:
        return None
    loose = of.of_axle.laws[row.name, of.side].loose
    if loose is None:
        return None
    part = next(each for each in of.of_axle.elements if each.name == row.name and each.side == of.side)
    own = part.length.rows.reshape(len(part.length.rows), len(loose), -1)
    return np.array(
        [
            _crossing(travel, own[:, number, rows], float(loose[number]))
            for number, (travel, rows) in enumerate(_heave_rows(of.of_axle, len(loose)))
        ]
    )


def _heave_rows(of: AxlePoses, count: int) -> list[tuple[Floats, Ints]]:
    """Of each of ``count`` variants: rising travels of both wheels alike, with rack and road as at design, and their rows."""
    found: list[tuple[Floats, Ints]] | None = of.known.get(_heave_rows)
    if found is None:
        at = of.swept.placing
        left, right, *others = (
            each.reshape(count, -1) for each in (*(at.travel[side] for side in SIDES), at.rack, at.roll, at.pitch)
        )
        still = np.all([np.abs(each) <= SAME_PLACE for each in (left - right, *others)], axis=0)
        found = []
        for travel, is_still in zip(left, still, strict=True):
            rows = np.flatnonzero(is_still)
            rows = rows[np.unique(np.round(travel[rows], 12), return_index=True)[1]]
            found.append((travel[rows], rows))
        of.known[_heave_rows] = found
    return found


ROOT_STEP = 1e-15
"""step of a root between 0 and 1 that is the last"""
MAX_ROOT_STEPS = 60
"""more than halving alone takes from 1 to `ROOT_STEP`"""
SAME_PLACE = 1e-9
"""m or rad, within which both wheels are moved alike, and rack and road are where they are at design"""


def _crossing(z: Floats, rows: Floats, loose: float) -> float:
    """The travel nearest to design, of rising ones, at which a length (7, n) over both travels is ``loose``; NaN where none."""
    over = rows[0] - loose
    found = [float(z[number]) for number in np.flatnonzero(over == 0.0)]
    for number in np.flatnonzero(over[:-1] * over[1:] < 0.0):
        h = float(z[number + 1] - z[number])
        ends = slice(number, number + 2)
        slope, bend = rows[1:3, ends].sum(axis=0), rows[3:7, ends].sum(axis=0)
        found.append(float(z[number]) + h * _root(_quintic(over[ends], slope * h, bend * h * h)))
    return min(found, key=abs, default=float("nan"))


def _root(p: Floats) -> float:
    """Where a polynomial, by rising powers, is 0 between 0 and 1, at which its signs differ: Newton's method in brackets."""
    rising: list[float] = p.tolist()
    low, high, is_up = 0.0, 1.0, rising[0] < 0.0
    x = -rising[0] / sum(rising[1:])
    for _ in range(MAX_ROOT_STEPS):
        value = slope = 0.0
        for coefficient in reversed(rising):
            slope = slope * x + value
            value = value * x + coefficient
        if (value < 0.0) is is_up:
            low = x
        else:
            high = x
        step = value / slope if slope else 0.0
        wanted = x - step if slope and low <= x - step <= high else 0.5 * (low + high)
        if abs(wanted - x) <= ROOT_STEP:
            return wanted
        x = wanted
    return x


RISING = np.array([[10.0, -4.0, 0.5], [-15.0, 7.0, -1.0], [6.0, -3.0, 0.5]])
"""coefficients of x^3, x^4 and x^5 from what these have to give of value, slope and bend at 1"""


def _quintic(f: Floats, d: Floats, s: Floats) -> Floats:
    """Coefficients by rising powers on [0, 1], from values, slopes and bends at both ends."""
    start = np.array([f[0], d[0], 0.5 * s[0]])
    rest = np.array([f[1] - start.sum(), d[1] - start[1] - 2.0 * start[2], s[1] - 2.0 * start[2]])
    return np.concatenate([start, RISING @ rest])


def _loose_below(of: CornerPoses) -> Found:
    found = lets_go_at(of)
    if found is None or np.isnan(found).all():
        return None if found is None else np.full(of.of_axle.count, np.nan)
    return np.repeat(found, of.of_axle.count // len(found))


CORNER_ELEMENTS: tuple[Metric[CornerPoses], ...] = (
    Metric(
        "blade_stroke", "u of the blade's link: its length less that at design", "link longer", MM, _stroke, "design"
    ),
    Metric("blade_force", "k u of the blade's link", "tension", NEWTON, _pull),
    Metric(
        "loose_below",
        "travel in heave at which the corner spring lets go; empty where not within the sweeps",
        "bump",
        MM,
        _loose_below,
        "design pose",
    ),
)

"""Compliance of an axle as a K&C rig tells it: what wheels do per load, force roll centre, force anti effects, and rates.

All follow from the exact compliance at the pose, per kN or kN m on each wheel in the sense of the load: parallel, the same on
both; opposed, on the right the opposite; single, on the left alone, whose column FR is the answer of the other wheel. Contacts
keep their heights; with ``_load`` behind the name they keep their loads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import cast

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.suspension.compliance.axle_compliance import (
    CENTRE,
    CONTACT,
    FX,
    FY,
    MZ,
    RIGHT,
    Answer,
    AxleCompliance,
)
from sheetmbs.suspension.compliance.elastic_axle import ElasticPoses
from sheetmbs.suspension.layout.elastic_parts import CHASSIS_TORSION
from sheetmbs.suspension.metrics.anti_effects import BRAKING, DRIVING, SIZES, axle_share
from sheetmbs.suspension.metrics.car_contexts import CarPoses
from sheetmbs.suspension.metrics.metric import MM, PERCENT, RATE, AxlePoses, CornerPoses, Metric

DEG_PER_FORCE, MM_PER_FORCE, DEG_PER_MOMENT = "deg/kN", "mm/kN", "deg/(kN*m)"
ROLL_RATE = "N*m/deg"
SENSES = {"": (1.0, 1.0), "_opposed": (1.0, -1.0), "_single": (1.0, 0.0)}
"""load on the left and on the right wheel, by what stands behind the name"""
SENSE_WORDS = {
    "": "on each wheel",
    "_opposed": "on the left wheel, the opposite on the right",
    "_single": "on the left wheel alone",
}
HOLDS = {"": "contacts keep their heights", "_load": "contacts keep their loads"}
"""what is held, by what stands behind the name"""
LATERAL, BRAKE, DRIVE, ALIGNING = "lateral", "braking", "drive", "aligning"
Reading = Callable[[CornerPoses, Floats], Floats]
"""from the motions (n, 24) of both wheels under a load to what is read of one, + as its metric"""


def compliance_of(of: AxlePoses) -> AxleCompliance | None:
    """The compliance of an axle over its poses; None of a rigid one."""
    if of.swept.elastic is None or not of.swept.elastic.tells_compliance:
        return None
    known = of.left.known  # which lives as long as the poses
    if AxleCompliance not in known:
        known[AxleCompliance] = AxleCompliance(cast("ElasticPoses", of.swept.elastic))
    found: AxleCompliance = known[AxleCompliance]
    return found


def load_vector(axle_word: str, load: str, sense: str) -> Floats:
    """(24,) loads at contacts and centres of a unit load. axle_word: where brakes are."""
    found = np.zeros(24)
    first, component, sign = {
        LATERAL: (0, FY, 1.0),
        BRAKE: (CENTRE.start if axle_word == "inboard" else 0, FX, -1.0),
        DRIVE: (CENTRE.start, FX, 1.0),
        ALIGNING: (0, MZ, 1.0),
    }[load]
    for side, amount in enumerate(SENSES[sense]):
        found[first + RIGHT * side + component] = sign * amount
    return found


def _answer(of: AxlePoses, load: str, sense: str, hold: str) -> tuple[Floats, Floats] | None:
    """(n, 24) motions and (n, 2) dFz under a unit load; None of a rigid axle, or of loads that no springs hold."""
    compliance = compliance_of(of)
    if compliance is None or (hold and not compliance.is_sprung):
        return None
    answer: Answer = compliance.free if hold else compliance.held
    vector = load_vector(of.axle.word("brakes"), load, sense)
    return answer.motion @ vector, answer.load @ vector


def _turn(of: CornerPoses, motion: Floats) -> Floats:
    """(n, 3) how the spin axis of a wheel moves."""
    first = CONTACT.start + RIGHT * of.at + 3
    return np.cross(motion[:, first : first + 3], of.wheel.spin.value)


def _toe(of: CornerPoses, motion: Floats) -> Floats:
    w, s = of.wheel.spin.value, of.wheel.s
    dw = _turn(of, motion)
    return s * (w[:, 1] * dw[:, 0] - w[:, 0] * dw[:, 1]) / (w[:, 0] ** 2 + w[:, 1] ** 2)


def _steer(of: CornerPoses, motion: Floats) -> Floats:
    return -of.wheel.s * _toe(of, motion)


def _camber(of: CornerPoses, motion: Floats) -> Floats:
    w = of.wheel.spin.value
    return -_turn(of, motion)[:, 2] / np.sqrt(1.0 - w[:, 2] ** 2)


def _shift(of: CornerPoses, motion: Floats, first: int, component: int, sign: float) -> Floats:
    return sign * motion[:, first + RIGHT * of.at + component]


CONTACT_DY: Reading = partial(_shift, first=CONTACT.start, component=FY, sign=1.0)
RECESSION: Reading = partial(_shift, first=CENTRE.start, component=FX, sign=-1.0)
WHEEL_DX: Reading = partial(_shift, first=CENTRE.start, component=FX, sign=1.0)


def _read(of: CornerPoses, load: str, sense: str, hold: str, reading: Reading) -> Floats | None:
    found = _answer(of.of_axle, load, sense, hold)
    return None if found is None else reading(of, found[0])


WHAT: dict[str, tuple[Reading, str, str]] = {
    "toe": (_toe, "toe", "front inboard"),
    "camber": (_camber, "camber", "top outboard"),
    "steer": (_steer, "steer angle", "to the left, both wheels"),
    "contact_dy": (CONTACT_DY, "displacement of the contact", "to the left"),
    "recession": (RECESSION, "displacement of the wheel centre", "rearward"),
    "wheel_dx": (WHEEL_DX, "displacement of the wheel centre", "forward"),
}
LOADS: dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {
    LATERAL: ("force to the left at the contact", ("toe", "camber", "contact_dy", "steer"), tuple(SENSES)),
    BRAKE: (
        "force rearward at the contact, of inboard brakes at the wheel centre",
        ("toe", "camber", "recession"),
        ("",),
    ),
    DRIVE: ("force forward at the wheel centre", ("toe", "camber", "wheel_dx"), ("",)),
    ALIGNING: ("moment about z upward on the wheel", ("toe", "camber", "steer"), tuple(SENSES)),
}
"""words of each load, what is read under it, and in which senses"""
OTHERS = {
    "toe_per_lateral": "lateral force toe compliance, C(6,2)",
    "camber_per_lateral": "lateral force camber compliance, C(4,2)",
    "steer_per_aligning": "aligning torque steer compliance, C(6,6)",
    "recession_per_braking": "longitudinal compliance",
}


def _corner_metrics() -> Iterator[Metric[CornerPoses]]:
    for load, (words, names, senses) in LOADS.items():
        for sense in senses:
            for name in names:
                if name == "steer" and sense:
                    continue
                reading, what, plus = WHAT[name]
                is_angle = name in ("toe", "camber", "steer")
                unit = (DEG_PER_MOMENT if load == ALIGNING else DEG_PER_FORCE) if is_angle else MM_PER_FORCE
                for hold, held in HOLDS.items():
                    column = f"{name}_per_{load}{sense}{hold}"
                    definition = f"{what} per {words}, {SENSE_WORDS[sense]}; {held}; exact, C = B K^-1 B'"
                    find = partial(_read, load=load, sense=sense, hold=hold, reading=reading)
                    yield Metric(column, definition, plus, unit, find, "body", OTHERS.get(column, ""))


def _anti(of: CornerPoses, axle: str, force: str, sign: float) -> Floats | None:
    """100 share (L/h) dx/dz, with dx/dz = -dFz/dFx of the load at held height."""
    if of.axle.name != axle:
        return None
    load = BRAKE if force == BRAKING else DRIVE
    found = _answer(of.of_axle, load, "", "")
    if force == DRIVING and of.axle.drive_reaches_axle:
        compliance = compliance_of(of.of_axle)
        found = None if compliance is None else _at_contact(compliance)
    if found is None:
        return None
    height = of.number("cg height")
    lever = of.number("wheelbase") / height if height else np.nan
    slope = found[1][:, of.at] * (1.0 if force == BRAKING else -1.0)
    return sign * axle_share(of, force) * lever * slope


def _at_contact(compliance: AxleCompliance) -> tuple[Floats, Floats]:
    """Both wheels driven at their contacts."""
    vector = -load_vector("outboard", BRAKE, "")
    return compliance.held.motion @ vector, compliance.held.load @ vector


def _wheel_rate(of: CornerPoses) -> Floats | None:
    compliance = compliance_of(of.of_axle)
    if compliance is None or not compliance.is_sprung:
        return None
    return np.asarray(np.sum(np.linalg.inv(compliance.height_compliance)[:, of.at], axis=1))


def _anti_metrics() -> Iterator[Metric[CornerPoses]]:
    for name, axle, force, sign, plus in (
        ("anti_dive_force", "front", BRAKING, 1.0, "resists dive in braking"),
        ("anti_lift_force", "rear", BRAKING, -1.0, "resists lift in braking"),
        ("anti_squat_force", "rear", DRIVING, -1.0, "resists squat in driving"),
        ("anti_lift_drive_force", "front", DRIVING, 1.0, "resists lift in driving"),
    ):
        find = partial(_anti, axle=axle, force=force, sign=sign)
        definition = f"{name.removesuffix('_force')} with dx/dz = -dFz/dFx at held height; {axle} axle"
        yield Metric(name, definition, plus, PERCENT, find, "body", "", (force, *SIZES))


CORNER_COMPLIANCE: tuple[Metric[CornerPoses], ...] = (
    *_corner_metrics(),
    *_anti_metrics(),
    Metric(
        "wheel_rate_compliant",
        "row sum of (C_zz)^-1 of both contacts",
        "stiffer",
        RATE,
        _wheel_rate,
        "body",
        "wheel rate of a K&C rig",
    ),
)


ROUNDED_COMPLIANCE = 1e-18
"""m/N, up to which a displacement is rounding: a thousandth of a nanometre under a meganewton"""


def _stiffness(of: AxlePoses, load: str, hold: str, reading: Reading, tyre: int) -> Floats | None:
    """1/(mean displacement of both wheels in the sense of the load). tyre: axis of the tyre's own, -1 where it is in it."""
    found = _answer(of, load, "", hold)
    compliance = compliance_of(of)
    if found is None or compliance is None:
        return None
    moved = 0.5 * sum(reading(corner, found[0]) for corner in of.corners)
    if tyre >= 0:
        moved = moved + float(np.mean(compliance.tyre[:, tyre]))
    is_rigid = np.abs(moved) <= ROUNDED_COMPLIANCE
    return np.where(
        is_rigid, np.nan, 1.0 / np.where(is_rigid, 1.0, moved)
    )  # what does not move has no stiffness to show


def _roll_centre(of: AxlePoses) -> Floats | None:
    """m_L (y_L - y) with m = -dFz/dFy of either contact."""
    found = _answer(of, LATERAL, "", "")
    if found is None:
        return None
    m = -found[1]
    y = np.stack([wheel.contact.value[:, 1] for wheel in (of.left, of.right)], axis=1)
    apart = m[:, 0] - m[:, 1]
    lateral = (m[:, 0] * y[:, 0] - m[:, 1] * y[:, 1]) / np.where(apart == 0.0, np.nan, apart)
    on_road = (m[:, 0] == 0.0) & (m[:, 1] == 0.0)
    return np.where(on_road, 0.0, m[:, 0] * (y[:, 0] - lateral))


def _roll_stiffness(of: AxlePoses) -> Floats | None:
    """t^2/(C_LL - C_LR - C_RL + C_RR) of the heights of the contacts, N m/rad."""
    compliance = compliance_of(of)
    if compliance is None or not compliance.is_sprung:
        return None
    c = compliance.height_compliance
    return of.track**2 / (c[:, 0, 0] - c[:, 0, 1] - c[:, 1, 0] + c[:, 1, 1])


def _axle_metrics() -> Iterator[Metric[AxlePoses]]:
    for hold, held in HOLDS.items():
        for name, load, reading, tyre, what in (
            ("lateral_stiffness", LATERAL, CONTACT_DY, -1, "contact_dy_per_lateral"),
            ("longitudinal_stiffness", DRIVE, WHEEL_DX, 0, "wheel_dx_per_drive, with the tyre's own"),
        ):
            find = partial(_stiffness, load=load, hold=hold, reading=reading, tyre=tyre)
            yield Metric(f"{name}{hold}", f"1/{what}, mean of both wheels; {held}", "stiffer", RATE, find, "body")


def _torsion_share(of: CarPoses) -> Floats | None:
    """Front share of the load transfer of a car whose halves roll by themselves, joined by the torsion k of the chassis.

    (K_f - W_f + k) phi_f - k phi_r = M_f, and the same of the rear with f and r changed; M, W of each half's sprung mass.
    """
    twisting = [part for each in of.axles.values() for part in each.axle.elastic if part.place.kind == CHASSIS_TORSION]
    stiffness = {
        name: each.roll_stiffness if each.swept.elastic is None else _roll_stiffness(each)
        for name, each in of.axles.items()
    }
    if not twisting or of.roll is None or any(each is None for each in stiffness.values()):
        return None
    k, a, sprung = float(twisting[0].number("k_torsion") or 0.0), of.roll.gravity, of.roll.carried
    matrix, right = np.zeros((of.rows, 2, 2)), np.zeros((of.rows, 2))
    axles = []
    for at, (name, share) in enumerate((("front", sprung.ahead), ("rear", 1.0 - sprung.ahead))):
        own = of.roll.axles[name]
        axle = replace(own, stiffness=of.spread(name, np.asarray(stiffness[name])))
        mass = share * sprung.mass
        right[:, at] = mass * a * np.asarray(sprung.height) + axle.side_moment - a * np.asarray(axle.drift)
        net = np.asarray(axle.stiffness) - mass * a * (np.asarray(sprung.height) - np.asarray(axle.centre))
        matrix[:, at, at], matrix[:, at, 1 - at] = net + k, -k
        axles.append(axle)
    roll = np.linalg.solve(matrix, right[..., None])[..., 0]
    front, rear = (axle.moved(np.asarray(roll[:, at], dtype=np.float64), a) for at, axle in enumerate(axles))
    return front / (front + rear)


CAR_COMPLIANCE: tuple[Metric[CarPoses], ...] = (
    Metric(
        "torsion_share",
        "front share of the load transfer at 1 g of a car whose halves roll by themselves, joined by the chassis' torsion",
        "front wheels transfer more",
        PERCENT,
        _torsion_share,
        "road",
        "",
        ("mass", "weight front", "cg height"),
    ),
)

AXLE_COMPLIANCE: tuple[Metric[AxlePoses], ...] = (
    *_axle_metrics(),
    Metric(
        "roll_centre_height_force",
        "m_L (y_L - y) with m = -dFz/dFy of either contact at held height, parallel; symmetric: -y_C dFz/dFy",
        "above the road",
        MM,
        _roll_centre,
        "road",
        "force-based roll centre",
    ),
    Metric(
        "roll_stiffness_compliant",
        "t^2/(C_zLzL - C_zLzR - C_zRzL + C_zRzR), t between the contacts",
        "stiffer",
        ROLL_RATE,
        _roll_stiffness,
        "body",
        "roll rate of a K&C rig",
    ),
)

"""A car whose members are sized and packaged: at all poses of its sweeps and load cases, with warnings at their cells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import degrees

from sheetmbs.problems.errors import Problem
from sheetmbs.schema.names import fold
from sheetmbs.schema.suspension_inputs import CORNER_WORDS
from sheetmbs.schema.units import parse_unit
from sheetmbs.suspension.kinematics.sweeps import SweptAxle
from sheetmbs.suspension.layout.car import AxleData, CarData, ResultUnits
from sheetmbs.suspension.loads.solve_loads import SolvedLoads
from sheetmbs.suspension.sizing.clearances import MemberClearance, clearances
from sheetmbs.suspension.sizing.member_strength import (
    ROD_END,
    MemberStrength,
    Reserve,
    least_reserves,
    member_strengths,
)
from sheetmbs.suspension.sizing.posed_points import PosedAxle, PoseGroup


@dataclass(frozen=True, eq=False)
class SizedCar:
    """Members against what they carry, and clearances. units: of results."""

    members: tuple[MemberStrength, ...]
    clearances: tuple[MemberClearance, ...]
    units: ResultUnits

    @property
    def least(self) -> dict[str, tuple[MemberStrength, Reserve]]:
        """The least reserve of each axle with its member."""
        return least_reserves(self.members)

    @property
    def problems(self) -> Iterator[Problem]:
        """Warnings of weak members, rod ends beyond their angle, and members too close to each other."""
        yield from _of_members(self.members, self.units)
        yield from _of_pairs(self.clearances, self.units)


def sized_car(car: CarData, swept: Mapping[str, Mapping[str, SweptAxle]], loads: SolvedLoads) -> SizedCar:
    """Size the members of a car, and find its clearances. swept: axles over the rows of each sweep."""
    groups: dict[str, list[PoseGroup]] = {axle.name: [] for axle in car.axles}
    if car.sized or car.packaged:
        for name, axles in swept.items():
            for axle, each in axles.items():
                count = max(each.rows.stop - each.rows.start, 0)
                if count:
                    groups[axle].append(PoseGroup(name, each, 0, count))
    of_sweeps = {axle.name: PosedAxle(axle, tuple(groups[axle.name])) for axle in car.axles}
    pairs = clearances(car, of_sweeps)
    if car.sized:
        for axle, each in loads.swept.items():
            groups[axle] += [PoseGroup(case.name, each, row, 1, is_case=True) for row, case in enumerate(loads.posed)]
    posed = {axle.name: PosedAxle(axle, tuple(groups[axle.name])) for axle in car.axles}
    return SizedCar(member_strengths(car, loads, posed), pairs, car.units)


@dataclass(frozen=True)
class ShownPose:
    """A pose in the unit of lengths of results. name: of its sweep or load case."""

    name: str
    travel: float
    rack: float
    unit: str
    is_case: bool

    def __str__(self) -> str:
        kind = "load case " if self.is_case else ""
        travel, rack = (round(value, 2) + 0.0 for value in (self.travel, self.rack))  # and not -0
        return f"{kind}{self.name}: travel {travel:+.2f} {self.unit}, rack {rack:+.2f} {self.unit}"


def shown_pose(worst: tuple[PoseGroup, int], axle: AxleData, side: str, units: ResultUnits) -> ShownPose:
    """Where a wheel and the rack stand at a pose."""
    group, row = worst
    travel = float(group.swept.travel[side][row])
    if axle.counts_at_contact:
        travel = float(group.swept.wheels[side].contact.z.value[row] - axle.design_contact(side)[2])
    rack = float(group.swept.placing.rack[row])
    size = parse_unit(units.length).size
    return ShownPose(group.name, travel / size, rack / size, units.length, group.is_case)


def _of_members(members: Sequence[MemberStrength], units: ResultUnits) -> Iterator[Problem]:
    """What is weak: one warning at each cell, of the weaker side."""
    for same in _rows(members):
        reserves = [(reserve, member) for member in same for reserve in member.reserves]
        for column in ("d", "rod_end_load"):
            own = [each for each in reserves if (each[0].against == ROD_END) == (column == "rod_end_load")]
            reserve, member = min(own, key=lambda each: each[0].value, default=(None, None))
            if reserve is None or member is None or reserve.value >= 1.0:
                continue
            name = _in_words(member)
            kind = "of its rod ends" if reserve.against == ROD_END else f"against {reserve.against}"
            found = f"{name}: the reserve {kind} is {reserve.value:.3g} in {reserve.case}"
            rule = "below 1 it bears less than it carries, its factor included"
            mend = (
                "take larger rod ends"
                if column == "rod_end_load"
                else "take a thicker or a shorter member, or a stronger material"
            )
            yield Problem("weak-member", "warning", str(member.row.places[column]), found, rule, mend)
        yield from _of_rod_ends(same, units)


def _of_rod_ends(same: Sequence[MemberStrength], units: ResultUnits) -> Iterator[Problem]:
    member = max(same, key=lambda each: max(each.angles))
    most = member.row.max_angle
    if most is None or member.worst is None or not max(member.angles) > most:
        return
    inner, outer = member.angles
    end, angle = ("inner", inner) if inner >= outer else ("outer", outer)
    pose = shown_pose(member.worst, member.axle, member.side, units)
    found = f"{_in_words(member)}: its {end} rod end stands at {degrees(angle):.2f} deg in {pose}"
    rule = f"its max_angle is {degrees(most):.4g} deg"
    mend = "turn its bolt, move the point, or take a rod end with more misalignment"
    yield Problem("rod-end-angle", "warning", str(member.row.places["max_angle"]), found, rule, mend)


def _rows(members: Sequence[MemberStrength]) -> list[list[MemberStrength]]:
    """Members of one row together."""
    found: dict[int, list[MemberStrength]] = {}
    for member in members:
        found.setdefault(id(member.row), []).append(member)
    return list(found.values())


def _in_words(member: MemberStrength) -> str:
    return f"the {CORNER_WORDS.get(member.owner, member.owner)} {member.row.span.name}"


def _of_pairs(found: Sequence[MemberClearance], units: ResultUnits) -> Iterator[Problem]:
    """Pairs that come too close: one warning for each row, of the closer side."""
    size = parse_unit(units.length).size
    worst: dict[str, MemberClearance] = {}
    for each in found:
        known = worst.get(fold(each.pair.name))
        if known is None or each.value < known.value:
            worst[fold(each.pair.name)] = each
    for each in worst.values():
        if each.is_kept:
            continue
        pose = shown_pose(each.worst, each.axle, each.side, units)
        first, second = (span.name for span in each.pair.spans)
        corner = CORNER_WORDS[each.axle.corner(each.side)]
        text = (
            f"{each.pair.name}: {corner} {first} and {second} come as close as {each.value / size:.2f} {units.length}"
        )
        rule = f"at least {each.pair.least / size:.4g} {units.length} is wanted; below 0 they touch"
        mend = "move a point, take thinner members, or sweep less"
        yield Problem("close-members", "warning", str(each.pair.place), f"{text} in {pose}", rule, mend)

"""Members of an axle between two points: rods and links, legs of arms, springs and dampers, each by the name of its load."""

from __future__ import annotations

from sheetmbs.schema.suspension_inputs import SpringKind
from sheetmbs.schema.synonyms import squashed
from sheetmbs.suspension.adjusting.members import LEGS, Leg, Link, Member, member_named, members
from sheetmbs.suspension.elastic.kinds.corner_spring import element_ends
from sheetmbs.suspension.layout.car import AxleData
from sheetmbs.suspension.layout.member_data import MemberSpan
from sheetmbs.suspension.layout.type_table import BAR, ROCKER, T_HEAD

DAMPER = SpringKind.DAMPER
INNER_BODIES = (ROCKER, BAR, T_HEAD)
"""bodies whose end of a rod is its inner one"""
BETWEEN_POINTS = (SpringKind.SPRING, SpringKind.DAMPER)
ALONG_X, ALONG_Z = "x", "z"


def member_spans(axle: AxleData) -> list[MemberSpan]:
    """All members of an axle between two points of a corner."""
    found = [_span(member) for member in members(axle)]
    rows = [row for row in axle.springs if row.kind in BETWEEN_POINTS]
    for row in rows:
        moving, fixed = element_ends(row, axle)
        found.append(MemberSpan(row.name, fixed, moving, ALONG_X, sign=-1.0))
    ends = axle.damper_fixed, axle.damper_point
    if all(row.name != DAMPER for row in rows):
        dampers = [row for row in rows if row.kind == DAMPER]
        if dampers:
            moving, fixed = element_ends(dampers[0], axle)
            ends = fixed, moving
        found.append(MemberSpan(DAMPER, *ends, ALONG_X, sign=-1.0))
    return [span for span in found if axle.has_point(span.inner) and axle.has_point(span.outer)]


def span_named(axle: AxleData, text: str) -> MemberSpan | None:
    """The member that a text names, with the same freedom as an item of Adjustments; None where there is none."""
    member = member_named(axle, text)
    if member is not None:
        return _span(member)
    return next((span for span in member_spans(axle) if squashed(span.name) == squashed(text)), None)


def _span(member: Member) -> MemberSpan:
    if isinstance(member, Leg):
        pivot = member.hinge.points[LEGS.index(member.which)]
        return MemberSpan(member.name, pivot, member.ball.points[0], ALONG_Z, arm=member.arm)
    return _of_link(member)


def _of_link(member: Link) -> MemberSpan:
    joint = member.joint
    inner, outer = joint.points
    is_rod = joint.body_j in INNER_BODIES
    if is_rod:
        inner, outer = outer, inner
    return MemberSpan(member.name, inner, outer, ALONG_X if is_rod else ALONG_Z, is_central=joint.is_central)

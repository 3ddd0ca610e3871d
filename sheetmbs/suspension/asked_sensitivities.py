"""Sensitivities of a workbook's own design where they are asked for, and what turns of its rod ends do."""

from __future__ import annotations

from collections.abc import Iterator

from sheetmbs.problems.errors import Problem
from sheetmbs.schema.names import fold
from sheetmbs.suspension.layout.addons import joints_of
from sheetmbs.suspension.layout.car import SIDES
from sheetmbs.suspension.sensitivity.closing_rows import NotServedError
from sheetmbs.suspension.sensitivity.rod_end_turns import rod_end_turns
from sheetmbs.suspension.sensitivity.sensitivities import Sensitivities, sensitivities
from sheetmbs.suspension.solved_design import SolvedDesign, design_pose

SETTING = "sensitivity"


def asked_sensitivities(
    design: SolvedDesign, *, is_asked: bool
) -> tuple[tuple[Sensitivities, ...], tuple[Problem, ...]]:
    """Of every axle, and warnings of those of which they are not found. is_asked: on the command line."""
    if not is_asked and design.car.settings.get(SETTING) != "yes":
        return (), ()
    found, told = [], []
    for axle in design.car.axles:
        pose = design_pose(design.systems[axle.name])
        try:
            _check_joints(design)
            found.append(sensitivities(design.car, pose, pose))
        except NotServedError as why:
            rule = f"sensitivities of the {axle.name} axle are not found: {why}"
            mend = "take sensitivity out, or move the points one by one as designs"
            told.append(Problem("no-sensitivities", "warning", axle.cells.get("type", ""), axle.type.name, rule, mend))
    return tuple(found), tuple(told)


def _check_joints(design: SolvedDesign) -> None:
    """Raise NotServedError where the workbook's own rows make other joints than its hardpoints do."""
    made = {joint.name for joint in design.model.joints}
    expected = {
        f"{axle.name if joint.is_central else axle.corner(side)} {joint.name}"
        for axle in design.car.axles
        for joint in joints_of(axle)
        for side in SIDES
        if side == SIDES[0] or not joint.is_central
    }
    replaced = [cell for cell in design.merged.replaced if fold(cell.partition("!")[0]) in ("joints", "points")]
    if made != expected or replaced:
        which = ", ".join([*sorted(made ^ expected), *replaced][:3])
        raise NotServedError(f"rows of the workbook's own sheets change its joints ({which})")


def turns_in_words(design: SolvedDesign) -> Iterator[tuple[str, float, str]]:
    """What a turn of each rod end does, for the summary; nothing of axles of which it is not found."""
    for axle in design.car.axles:
        try:
            _check_joints(design)
            turns = list(rod_end_turns(design.car, design_pose(design.systems[axle.name])))
        except NotServedError:
            continue
        for turn in turns:
            item = f"{axle.name} {turn.member}, 1 turn longer"
            yield f"{item}: toe", turn.toe, "deg"
            yield f"{item}: camber", turn.camber, "deg"
            yield f"{item}: ride height", turn.ride_height, "mm"

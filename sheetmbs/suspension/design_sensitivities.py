"""Sensitivities of a workbook's own design where they are asked for, and what turns of its rod ends do."""

from __future__ import annotations

from collections.abc import Iterator

from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.names import fold
from sheetmbs.suspension.adjusting.reassembly import Changes, changed_system
from sheetmbs.suspension.kinematics.axle_system import AxleSystem
from sheetmbs.suspension.layout.addons import joints_of
from sheetmbs.suspension.layout.car import SIDES, AxleData
from sheetmbs.suspension.read_design import generated_model, with_axles
from sheetmbs.suspension.sensitivity.sensitivities import Sensitivities, rod_end_turns, sensitivities
from sheetmbs.suspension.sensitivity.varied_axle import AxleGenerator
from sheetmbs.suspension.solved_design import SolvedDesign, design_pose

SETTING = "sensitivity"
JOINING = {"joints", "points", "drivers"}
"""sheets whose rows say how bodies are joined, folded"""


def design_sensitivities(
    design: SolvedDesign, *, is_asked: bool
) -> tuple[tuple[Sensitivities, ...], tuple[Problem, ...]]:
    """Sensitivities of every axle, and warnings of those of which they are not found. is_asked: on the command line."""
    if not is_asked and design.car.settings.get(SETTING) != "yes":
        return (), ()
    found, told = [], []
    for axle in design.car.axles:
        pose = design_pose(design.systems[axle.name])
        try:
            found.append(sensitivities(design.car, pose, pose, generator=axle_generator(design, axle)))
        except (ArithmeticError, WorkbookError) as why:
            rule = (
                f"sensitivities of the {axle.name} axle are not found: with points moved a little, {_first_line(why)}"
            )
            mend = "look at rows of Joints and Points that hold by their own numbers what hardpoints say too"
            told.append(Problem("no-sensitivities", "warning", axle.cells.get("type", ""), axle.type.name, rule, mend))
    return tuple(found), tuple(told)


def _first_line(why: Exception) -> str:
    """What an error says first."""
    return str(why).partition("\n")[0]


def axle_generator(design: SolvedDesign, axle: AxleData) -> AxleGenerator | None:
    """What generates an axle again where the workbook's own rows make other joints than its hardpoints do; else None."""
    expected = {name for each in design.car.axles for name in _joint_names(each)}
    made = {joint.name for joint in design.model.joints}
    replaced = {fold(cell.partition("!")[0]) for cell in design.merged.replaced}
    if made == expected and not replaced & JOINING:
        return None

    def make(varied: AxleData, member: str, longer: float) -> AxleSystem:
        car = with_axles(design.car, lambda each: varied if each.name == varied.name else each)
        _merged, model = generated_model(design.book, car)
        return changed_system(model, varied, Changes(dict.fromkeys(_joint_names(varied, member), longer)))

    members = (joint.name for joint in joints_of(axle) if made.issuperset(_joint_names(axle, joint.name)))
    return AxleGenerator(make, frozenset(members))


def _joint_names(axle: AxleData, which: str | None = None) -> list[str]:
    """Names of the joints that are generated of an axle, on both sides. which: alone."""
    return [
        f"{axle.name if joint.is_central else axle.corner(side)} {joint.name}"
        for joint in joints_of(axle)
        for side in (SIDES[:1] if joint.is_central else SIDES)
        if which in (None, joint.name)
    ]


def turns_in_words(design: SolvedDesign) -> Iterator[tuple[str, float, str]]:
    """What a turn of each rod end does, for the summary; nothing of axles of which it is not found."""
    for axle in design.car.axles:
        try:
            turns = list(
                rod_end_turns(design.car, design_pose(design.systems[axle.name]), axle_generator(design, axle))
            )
        except (ArithmeticError, WorkbookError):
            continue
        for turn in turns:
            item = f"{axle.name} {turn.member}, 1 turn longer"
            yield f"{item}: toe", turn.toe, "deg"
            yield f"{item}: camber", turn.camber, "deg"
            yield f"{item}: ride height", turn.ride_height, "mm"

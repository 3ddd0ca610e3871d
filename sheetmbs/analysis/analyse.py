"""From a lowered model to its motion: structure, initial conditions, then the analysis that was asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from importlib import import_module

import numpy as np

from sheetmbs.analysis.solution import Solution, without_motion
from sheetmbs.analysis.start import initial
from sheetmbs.analysis.start.masses import check_determined, check_masses
from sheetmbs.analysis.start.start_problems import misplaced_joint, over_driven
from sheetmbs.analysis.start.structure import Structure, find_structure, spare_joints, with_whole_joints
from sheetmbs.elements.analyses import Analysis
from sheetmbs.elements.clearance_laws import unfit
from sheetmbs.lower import Lowered, System
from sheetmbs.lower.lowering_cache import LoweringCache
from sheetmbs.model.model import Model
from sheetmbs.problems.errors import AnalysisError, Problem, WorkbookError
from sheetmbs.problems.listing import an, sentence_list

Motion = Callable[[Lowered, Structure, initial.Start, Callable[[float], None] | None], Solution]

HOMES = {
    Analysis.DYNAMIC: "dynamic:integrated_motion",
    Analysis.KINEMATIC: "kinematic:driven_motion",
    Analysis.INVERSE_DYNAMIC: "kinematic:driven_motion",
    Analysis.EQUILIBRIUM: "equilibrium:find_equilibrium",
    Analysis.MODES: "modes.modes:find_modes",
}
"""where each analysis stands, to be loaded when it is asked for"""
DRIVEN = (Analysis.KINEMATIC, Analysis.INVERSE_DYNAMIC)


def analyse(
    lowered: Lowered,
    progress: Callable[[float], None] | None = None,
    *,
    tells: bool = True,
    lowering_cache: LoweringCache | None = None,
) -> Solution:
    """Do the analysis of the model's settings. progress: called with the fraction done.

    tells: whether to look for how far bodies had to be moved to be assembled, which changes nothing of the motion.
    lowering_cache: as in `lower`.

    Raises WorkbookError where the model cannot be analysed so; an analysis that fails gives a Solution with status ``failed``.
    """
    settings = lowered.model.settings
    if lowered.bodies.beams and settings.analysis in DRIVEN:
        raise WorkbookError(_beams_bend(lowered))
    _check_clearances(lowered)
    check_masses(lowered)
    is_driven = settings.analysis in DRIVEN
    everything = lowered.measuring if is_driven else lowered.arrange()
    beams = ((beam.space, beam.shortens) for beam in lowered.bodies.beams.values())  # loads decide on their shapes
    structure = (lowering_cache or LoweringCache()).of_all(
        ("structure", lowered.bodies.length, *beams),
        _constraining(lowered.model),
        lambda: _structure(lowered, everything),
    )
    if structure.redundant:
        lowered = lowered.in_body_axes(structure.undetermined)
    _check_drivers(lowered, structure, everything)
    if is_driven and structure.degrees_of_freedom:  # what is not determined changes as little as masses let it
        everything, structure = lowered.arrange(), replace(structure, start=None)
    try:
        start = initial.start(lowered, structure, everything, tells=tells)
    except AnalysisError as error:
        widths = len(lowered.bodies.q), len(lowered.bodies.v)
        return without_motion(settings.analysis, structure, widths, tuple(error.problems))
    check_determined(lowered, start.q, settings.t_start)
    solution = motion_of(settings.analysis)(lowered, structure, start, progress)
    return replace(solution, details=(*start.details, *solution.details)) if start.details else solution


def motion_of(analysis: str) -> Motion:
    """What does an analysis."""
    module, found = HOMES[analysis].split(":")
    motion: Motion = getattr(import_module(f"{__package__}.{module}"), found)
    return motion


def _constraining(model: Model) -> Sequence[object]:
    """The parts on which it depends what constraints leave: no springs, no loads."""
    return (model.settings, *model.bodies, *model.joints, *model.drivers, *model.curves)


def _structure(lowered: Lowered, everything: System) -> Structure:
    """The degrees of freedom, and which rows to keep. everything: all rows."""
    t, start = lowered.model.settings.t_start, None
    with suppress(AnalysisError):  # whether rows say the same can be told only where all of them hold
        start = initial.assemble(lowered, everything, lowered.bodies.q, t)
    near = lowered.bodies.q if start is None else start
    structure = find_structure(lowered, near, t, chooses_rows=False, start=start)
    if not structure.redundant:
        return structure
    return with_whole_joints(lowered.in_body_axes(structure.undetermined), structure, t)


def _check_drivers(lowered: Lowered, structure: Structure, everything: System) -> None:
    """Redundant drivers must agree with what else prescribes the motion, or the model is over-driven."""
    if not structure.conflicting:
        return
    settings = lowered.model.settings
    independent = lowered.arrange(structure.keep)
    end = settings.t_start if settings.t_end is None else settings.t_end
    q = lowered.bodies.q
    for t in np.linspace(settings.t_start, end, 5):
        try:
            q = initial.assemble(lowered, independent, q, float(t))
        except AnalysisError:
            misplaced = misplaced_joint(lowered, structure)
            if misplaced is not None:
                raise WorkbookError(over_driven(lowered, structure, [], misplaced)) from None
            return  # said better where the analysis gets there
        if (
            initial.violations(everything, float(t), q, np.zeros(len(lowered.bodies.v)))[0]
            > 1e-6 * lowered.bodies.length
        ):
            spare = spare_joints(lowered, structure, settings.t_start)
            raise WorkbookError(over_driven(lowered, structure, spare, misplaced_joint(lowered, structure)))


def _beams_bend(lowered: Lowered) -> Problem:
    """Drivers do not prescribe how beams bend."""
    beams = [body for body in lowered.model.bodies if body.name in lowered.bodies.beams]
    return Problem(
        "beams-bend",
        "error",
        beams[0].cell,
        f"{sentence_list([beam.name for beam in beams])} can bend",
        f"{an(lowered.model.settings.analysis)} analysis needs a motion that drivers prescribe, which bending is not",
        "choose the analysis dynamic, equilibrium or modes, or replace the beams by rigid bodies",
    )


def _check_clearances(lowered: Lowered) -> None:
    """Raises WorkbookError where the analysis or the integrator does not go with the joints with clearance of a model."""
    settings, clearances = lowered.model.settings, lowered.model.clearances
    if not clearances:
        return
    with_memory = any(each.has_memory for each in clearances)
    found = unfit(settings.analysis, settings.integrator, with_memory=with_memory)
    if found:
        setting, rule, mend = found
        cell, value = settings.cells.get(setting, clearances[0].cell), getattr(settings, setting)
        raise WorkbookError(Problem("not-with-clearance", "error", cell, f"{setting} = {value}", rule, mend))

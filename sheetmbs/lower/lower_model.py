"""The way from the model to arrays: bodies, constraints, forces, then what is tabulated of all of them."""

from __future__ import annotations

import numpy as np

from sheetmbs.engine.codes import RowKind
from sheetmbs.lower.beam_supports import beam_spaces, without_shortening
from sheetmbs.lower.lower_bodies import Frames, lower_bodies
from sheetmbs.lower.lower_constraints import lower_constraints
from sheetmbs.lower.lower_forces import lower_clearances, lower_forces, lower_variables
from sheetmbs.lower.lower_friction import lower_frictions
from sheetmbs.lower.lower_motions import Motions
from sheetmbs.lower.lowering_cache import LoweringCache
from sheetmbs.lower.row_builder import Turns
from sheetmbs.lower.system import Lowered
from sheetmbs.model.model import Model


def lower(model: Model, lowering_cache: LoweringCache | None = None) -> Lowered:
    """Lower a model to arrays.

    Parameters
    ----------
    model
        What is analysed.
    lowering_cache
        What was made of models that share parts with it, which nobody changed since.

    Returns
    -------
    Lowered
        Its arrays; beams that joints hold along their lines are by the linear theory.
    """
    lowering_cache = lowering_cache or LoweringCache()
    bodies = lower_bodies(model, beam_spaces(model), lowering_cache)
    frames = Frames(bodies.names, bodies.beams)
    motions = Motions(model, lowering_cache)
    turns = Turns(bodies.names)
    constraints = lower_constraints(model, bodies, frames, turns, motions, lowering_cache)
    forces = lower_forces(model, bodies, frames, turns, motions)
    for rows in (constraints.rows, constraints.terms, constraints.gauges):
        turns.settle(rows.k, np.isin(rows.kind, (RowKind.TURN, RowKind.AZIMUTH)))
    turns.settle(forces.elements.record.turn, forces.elements.record.turn >= 0)
    clearances = lower_clearances(model, frames)
    variables = lower_variables(model, frames, motions)
    points = tuple(frames.of(point.marker) for point in model.points if point.report)
    live, counted = turns.records()
    bodies = bodies.with_sections(frames.sections)
    lowered = Lowered(
        model=model,
        bodies=bodies,
        constraints=constraints,
        forces=forces,
        clearances=clearances,
        frictions=lower_frictions(model, constraints.constraints, frames),
        frames=frames.records(),
        turn=live,
        counted=counted,
        motions=motions.records(),
        curves=motions.curve_table(),
        tapes=motions.tapes(),
        variables=variables,
        points=points,
        formulas=tuple(motions.formulas),
        beams=bodies.tables(),
    )
    return without_shortening(lowered)

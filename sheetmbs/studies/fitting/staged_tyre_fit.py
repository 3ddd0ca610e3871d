"""Coefficients of a tyre by stages, then all that the data see together.

In each stage the coefficients are taken in the order of the stage as long as readings tell them from those before: what of its
column of the Jacobian is left across theirs (Gram and Schmidt) must change readings by more than a part of their sd. The
others stay as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from sheetmbs.studies.fitting.fit_space import Flags, Floats
from sheetmbs.studies.fitting.solve_fit import SAME_COST, FitPath, fit_from
from sheetmbs.studies.fitting.tyre_residuals import StageModel, TyreReadings
from sheetmbs.tyres.fitted_coefficients import FURTHER_STARTS, GENERIC, STAGES, FitStage

LEAST_EFFECT = 0.1
"""least change of all readings together, over their sd, by one prior sd of a coefficient or by its bounds over root 12"""
ROUNDS = 4
"""times that coefficients are chosen and found in a stage: some are seen only once others are not 0"""
STAGE_GAIN = 1e-6
"""least gain of a step in a stage before the last one, as a part of the sum of squares"""
NEEDLESS_GAIN = 1.0
"""of the sum of squares, by which coefficients improve a fit without need: one sd, less than noise alone often gives"""
NO_CHANGE = 1e-6
"""change of a reading, over its sd, below which it does not depend on a coefficient"""


@dataclass(frozen=True, eq=False)
class StagedFit:
    """A tyre that was fitted. path: of all coefficients, scaled. free: (p,) those that the data see. stages: words of each."""

    path: FitPath
    free: Flags
    stages: tuple[str, ...]


def fit_in_stages(readings: TyreReadings, has_usual_bounds: Flags) -> StagedFit | None:
    """The fit of a tyre; None where its forces are not finite as it is.

    Coefficients that run to a usual bound and improve the fit by no more than noise stay as they begin: readings do not tell
    them from others. has_usual_bounds: (p,) those whose bounds nobody has given.
    """
    allowed = np.ones(len(has_usual_bounds), np.bool_)
    best = _all_stages(readings, allowed)
    while best is not None and (found := _without_needless(readings, best, allowed, has_usual_bounds)) is not None:
        best, allowed = found
    return best


def _without_needless(
    readings: TyreReadings, best: StagedFit, allowed: Flags, has_usual_bounds: Flags
) -> tuple[StagedFit, Flags] | None:
    """A fit that is as good without the coefficients at usual bounds, and what may move in it."""
    needless = (best.path.held != 0.0) & has_usual_bounds & allowed
    if not needless.any():
        return None
    rest = allowed & ~needless
    found = _all_stages(readings, rest)
    if found is None or found.path.cost > best.path.cost + NEEDLESS_GAIN:
        return None
    return found, rest


def _all_stages(readings: TyreReadings, allowed: Flags) -> StagedFit | None:
    """Stages, then all coefficients together. allowed: (p,) which may move."""
    at = _begun(readings, np.zeros(len(allowed)), ~allowed, GENERIC)
    steps, told = [at], []
    seen = np.zeros(len(at), np.bool_)
    shortened = 0
    for stage in STAGES if readings.model.is_magic else ():
        members, rows = _members(readings, stage) & allowed, _rows(readings, stage)
        if not members.any() or not rows.any() or not readings.model.has_new(stage):
            continue
        own = readings.restricted(rows)
        starts = [
            _begun(readings, at, members, {**GENERIC, **each}) for each in ({}, *FURTHER_STARTS.get(stage.name, ()))
        ]
        unique = {start.tobytes(): start for start in starts}.values()
        tried = [each for start in unique if (each := _stage(own, start, members)) is not None]
        if not tried:
            continue
        path, free = min(tried, key=lambda each: each[0].cost)
        at, shortened = path.solution, shortened + path.shortened
        steps.append(at)
        seen |= free
        told.append(f"{stage.name} {int(free.sum())}")
    last = _stage(readings, at, allowed, first=seen)
    if last is None:
        return None
    path, free = last
    kept = _returned(readings, path.solution, free)
    joint = np.vstack([*steps, *path.steps[1:], *([] if np.array_equal(kept, path.solution) else [kept])])
    return StagedFit(replace(path, steps=joint, shortened=path.shortened + shortened), free, tuple(told))


def _members(readings: TyreReadings, stage: FitStage) -> Flags:
    return np.array([name in stage.names for name in readings.model.names])


def _rows(readings: TyreReadings, stage: FitStage) -> Flags:
    """(n,) the readings that a stage takes."""
    forces = np.array([own.force for own in readings.measurements])[readings.owners]
    return np.asarray((forces == stage.force) & readings.model.rows_of(stage)[readings.states])


def _begun(readings: TyreReadings, at: Floats, members: Flags, generic: Mapping[str, float]) -> Floats:
    """The start of a stage: coefficients that are missing or 0 begin at generic values, if there are such."""
    found, space = at.copy(), readings.space
    for k in np.flatnonzero(members):
        name = readings.model.names[k]
        if name in generic and space.values(at)[k] == 0.0 and not space.has_prior[k]:
            found[k] = np.clip(
                (generic[name] / readings.sizes[k] - space.start[k]) / space.scale[k],
                *(bound[k] for bound in space.scaled_bounds),
            )
    return found


def _stage(
    readings: TyreReadings, at: Floats, members: Flags, first: Flags | None = None
) -> tuple[FitPath, Flags] | None:
    """The path (of all coefficients) and which of them were found; None where nothing can be computed.

    first: those that are chosen before the others; None in the stages before the last one, which need not be exact.
    """
    path: FitPath | None = None
    free = np.zeros(len(at), np.bool_)
    for _round in range(ROUNDS):
        chosen = _seen(readings, at, members, first)
        if path is not None and not (chosen & ~free).any():
            break
        free = free | chosen
        model = StageModel(readings, at, free)
        found = fit_from(model.space, model, at[free], STAGE_GAIN if first is None else SAME_COST)
        if found is None:
            return None
        steps = np.array([model.whole(each) for each in found.steps])
        held = np.zeros(len(at))
        held[free] = found.held
        path = replace(found, steps=steps, held=held)
        at = path.solution
    return None if path is None else (path, free)


def _seen(readings: TyreReadings, at: Floats, members: Flags, first: Flags | None) -> Flags:
    """(p,) which coefficients readings tell from those before them, in the order of the stages."""
    jacobian = np.nan_to_num(readings.slopes(at, members)[0])
    order = np.flatnonzero(members)
    if first is not None:
        order = np.concatenate([order[first[order]], order[~first[order]]])
    basis: list[Floats] = []
    chosen = np.zeros(len(at), np.bool_)
    for k in order:
        rest = jacobian[:, k].copy()
        for _twice in range(2):  # once more, for rounding
            for each in basis:
                rest -= (each @ rest) * each
        size = float(np.linalg.norm(rest))
        if size >= LEAST_EFFECT or (readings.space.has_prior[k] and np.any(jacobian[:, k])):
            chosen[k] = True
            if size > 0.0:
                basis.append(rest / size)
    return chosen


def _returned(readings: TyreReadings, at: Floats, free: Flags) -> Floats:
    """The solution with coefficients that were begun elsewhere, but which no reading sees, as they are in the workbook."""
    moved = ~free & (at != 0.0)
    if not moved.any():
        return at
    back = np.where(moved, 0.0, at)
    change = readings.residuals(back) - readings.residuals(at)
    return back if np.max(np.abs(change), initial=0.0) <= NO_CHANGE else at

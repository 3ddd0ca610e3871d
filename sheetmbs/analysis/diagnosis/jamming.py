"""Friction that an analysis cannot do: too strong for any reactions to balance it, or with a method that knows none."""

from __future__ import annotations

from sheetmbs.engine.work import JAMMED
from sheetmbs.lower import Lowered, System
from sheetmbs.problems.errors import Problem


def has_jammed(system: System) -> bool:
    """Whether the last state that was looked at has no reactions because of friction."""
    return int(system.work.friction.state[JAMMED]) > 0


def jammed(lowered: Lowered, constraint: int, t: float) -> Problem:
    """A joint whose friction grows faster with its reactions than these can balance."""
    joint = lowered.model.joints[constraint]
    if joint.couples is not None:
        return Problem(
            "teeth-wedge",
            "error",
            joint.cell,
            f"at t = {t:.6g} s no tooth force of {joint.name} balances what it does to its bearings",
            "the force that separates teeth moves soft bearings, here so far that the teeth press harder than before",
            "stiffen the bearings, give them damping, or choose a smaller pressure_angle",
        )
    coefficient = joint.friction.coefficient if joint.friction else 0.0
    return Problem(
        "friction-jams",
        "error",
        joint.cell,
        f"at t = {t:.6g} s {joint.name} jams: with friction = {coefficient:g} no reactions and friction balance each other",
        "friction adds to the reactions that cause it; where it adds as much as it takes, a rigid model has no motion",
        "choose a smaller friction, a more even load or a longer guide, or model the elasticity that lets it jam by a spring",
    )


def where_jammed(lowered: Lowered, system: System, t: float) -> Problem:
    """The same for the joint that jammed last."""
    return jammed(lowered, int(lowered.frictions[int(system.work.friction.state[JAMMED]) - 1].owner), t)


def no_friction(lowered: Lowered, integrator: str) -> Problem:
    """A method that has no friction in its equations."""
    joints = [joint for joint in lowered.model.joints if joint.friction is not None]
    return Problem(
        "not-together",
        "error",
        lowered.model.settings.cells.get("integrator", "Settings"),
        f"integrator = {integrator} in a model with friction at {joints[0].name}",
        "the equations of index 3 take reactions as given, and friction must be balanced with them",
        "choose the integrator auto, or bdf where much of the model rests on its friction",
    )

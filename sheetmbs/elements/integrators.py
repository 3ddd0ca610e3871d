"""The integrators by their names in the workbook. A new one is its file in `analysis/integrators/`, and its declaration here.

What others must know of a method before it is loaded stands here too: the sheet Settings its name, the checks of joints with
clearance whether it locates contacts, a dynamic analysis which steps and which tolerance it takes.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class IntegratorEntry:
    """One integrator of the list.

    name: as the sheet Settings has it. home: module in `analysis/integrators/`, and in it what makes the integrator with a
    run, or a tableau of coefficients. is_stiff: made for stiff motions, and their tolerance is its own. is_index_3: solves the
    constraints themselves, not their second derivatives. has_fixed_step: takes steps of one length. locates: finds when
    contacts in joints with clearance begin and end. chooses: it takes other methods of the list in turn. least_radius: the
    least spectral radius with which it is stable.
    """

    name: str
    home: str
    is_stiff: bool = False
    is_index_3: bool = False
    has_fixed_step: bool = False
    locates: bool = False
    chooses: bool = False
    least_radius: float = 0.0


AUTO = IntegratorEntry("auto", "automatic:Automatic", chooses=True, locates=True)
RK4 = IntegratorEntry("rk4", "explicit.tableaux.rk4:RK4", has_fixed_step=True)
KUTTA_MERSON = IntegratorEntry("kutta-merson", "explicit.tableaux.kutta_merson:KUTTA_MERSON", has_fixed_step=True)
GENERALIZED_ALPHA = IntegratorEntry(
    "generalized-alpha", "alpha.generalized_alpha:generalized_alpha", is_index_3=True, has_fixed_step=True
)
HHT = IntegratorEntry("hht", "alpha.generalized_alpha:hht", is_index_3=True, has_fixed_step=True, least_radius=0.5)
RKV65 = IntegratorEntry("rkv65", "explicit.tableaux.rkv65:RKV65", locates=True)
DOPRI5 = IntegratorEntry("dopri5", "explicit.tableaux.dopri5:DOPRI5", locates=True)
DOP853 = IntegratorEntry("dop853", "explicit.tableaux.dop853:DOP853", locates=True)
ABM = IntegratorEntry("abm", "adams.adams_step:AdamsBashforthMoulton")
LSODA = IntegratorEntry("lsoda", "lsoda:Lsoda")
BDF = IntegratorEntry("bdf", "ndf.bdf:BackwardDifferentiation", is_stiff=True)
RADAU = IntegratorEntry("radau", "radau.radau:Radau", is_stiff=True)

INTEGRATORS: dict[str, IntegratorEntry] = {
    entry.name: entry
    for entry in (
        IntegratorEntry("auto", "automatic:Automatic", chooses=True, locates=True),
        IntegratorEntry("rk4", "explicit.rk4:RK4", has_fixed_step=True),
        IntegratorEntry("kutta-merson", "explicit.kutta_merson:KUTTA_MERSON", has_fixed_step=True),
        IntegratorEntry(
            "generalized-alpha", "alpha.generalized_alpha:generalized_alpha", is_index_3=True, has_fixed_step=True
        ),
        IntegratorEntry("hht", "alpha.generalized_alpha:hht", is_index_3=True, has_fixed_step=True, least_radius=0.5),
        IntegratorEntry("rkv65", "explicit.rkv65:RKV65", locates=True),
        IntegratorEntry("dopri5", "explicit.dopri5:DOPRI5", locates=True),
        IntegratorEntry("dop853", "explicit.dop853:DOP853", locates=True),
        IntegratorEntry("abm", "adams:AdamsBashforthMoulton"),
        IntegratorEntry("lsoda", "lsoda:Lsoda"),
        IntegratorEntry("bdf", "ndf.bdf:BackwardDifferentiation", is_stiff=True),
        IntegratorEntry("radau", "radau.radau:Radau", is_stiff=True),
    )
}
LOCATING = tuple(entry.name for entry in INTEGRATORS.values() if entry.locates)
"""names of those that find when contacts begin and end"""

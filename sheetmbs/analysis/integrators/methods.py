"""The integrators by their names in the workbook. A new one is its file and one line here.

Each is made with a run. Those that not every run needs are loaded, and compiled, only where they are asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import cast

from sheetmbs.analysis.integrators.automatic import Automatic
from sheetmbs.analysis.integrators.contacts.contacts import explicit_integrator
from sheetmbs.analysis.integrators.explicit.tableau import Tableau
from sheetmbs.analysis.integrators.explicit.tableaux.dop853 import DOP853
from sheetmbs.analysis.integrators.explicit.tableaux.dopri5 import DOPRI5
from sheetmbs.analysis.integrators.explicit.tableaux.kutta_merson import KUTTA_MERSON
from sheetmbs.analysis.integrators.explicit.tableaux.rk4 import RK4
from sheetmbs.analysis.integrators.explicit.tableaux.rkv65 import RKV65
from sheetmbs.analysis.integrators.interface import Integrator, Run
from sheetmbs.analysis.integrators.stepping.cornered import at_corners


def _explicit(method: Tableau) -> Callable[[Run], Integrator]:
    return lambda run: at_corners(run, lambda run: explicit_integrator(run, method))


def _loaded(module: str, name: str) -> Callable[[Run], Integrator]:
    def made(run: Run) -> Integrator:
        method = getattr(import_module(f"{__package__}.{module}"), name)
        return at_corners(run, cast("Callable[[Run], Integrator]", method))

    return made


TABLEAUX: dict[str, Tableau] = {
    "rk4": RK4,
    "kutta-merson": KUTTA_MERSON,
    "rkv65": RKV65,
    "dopri5": DOPRI5,
    "dop853": DOP853,
}


INTEGRATORS: dict[str, Callable[[Run], Integrator]] = {
    "auto": Automatic,
    **{name: _explicit(method) for name, method in TABLEAUX.items()},
    "abm": _loaded("adams.abm", "AdamsBashforthMoulton"),
    "lsoda": _loaded("lsoda", "Lsoda"),
    "bdf": _loaded("ndf.bdf", "BackwardDifferentiation"),
    "radau": _loaded("radau.radau", "Radau"),
    "generalized-alpha": _loaded("alpha.generalized_alpha", "generalized_alpha"),
    "hht": _loaded("alpha.generalized_alpha", "hht"),
}
STIFF = frozenset({"bdf", "radau"})
INDEX_3 = frozenset({"generalized-alpha", "hht"})
FIXED_STEP = frozenset({name for name, method in TABLEAUX.items() if not method.estimates}) | INDEX_3

"""The explicit methods by their names in the workbook. A new one is its file and one line here."""

from sheetmbs.analysis.integrators.dop853 import DOP853
from sheetmbs.analysis.integrators.dopri5 import DOPRI5
from sheetmbs.analysis.integrators.kutta_merson import KUTTA_MERSON
from sheetmbs.analysis.integrators.rk4 import RK4
from sheetmbs.analysis.integrators.rkv65 import RKV65
from sheetmbs.analysis.integrators.tableau import Tableau

METHODS: dict[str, Tableau] = {
    "rk4": RK4,
    "kutta-merson": KUTTA_MERSON,
    "rkv65": RKV65,
    "dopri5": DOPRI5,
    "dop853": DOP853,
}

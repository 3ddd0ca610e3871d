"""The kinds of rows on Suspension springs, each a file and a line here."""

from __future__ import annotations

from sheetmbs.suspension.elastic.element_kind import ElementKind
from sheetmbs.suspension.elastic.kinds.blade_bar import BLADE_BAR
from sheetmbs.suspension.elastic.kinds.corner_spring import BUMP_STOP, DAMPER, DROOP_STOP, HELPER_SPRING, SPRING
from sheetmbs.suspension.elastic.kinds.t_bar import T_BAR
from sheetmbs.suspension.elastic.kinds.third_spring import ROLL_DAMPER, ROLL_SPRING, THIRD_DAMPER, THIRD_SPRING
from sheetmbs.suspension.elastic.kinds.torsion_bar import TORSION_BAR
from sheetmbs.suspension.elastic.kinds.u_bar import U_BAR

KINDS: dict[str, ElementKind] = {
    each.name: each
    for each in (
        *(SPRING, DAMPER, BUMP_STOP, DROOP_STOP),
        *(U_BAR, T_BAR, THIRD_SPRING, THIRD_DAMPER, TORSION_BAR),
        *(ROLL_SPRING, ROLL_DAMPER, BLADE_BAR, HELPER_SPRING),
    )
}

"""What must be told of springs where the car is to stand on them as they are."""

from __future__ import annotations

from sheetmbs.schema.problem_list import ProblemList
from sheetmbs.suspension.elastic.kinds import KINDS
from sheetmbs.suspension.layout.car import SOLVE_HEIGHT, CarData

FORCES = ("free_length", "preload")


def check_standing_springs(car: CarData, report: ProblemList) -> None:
    """Report springs whose force nothing tells, where the height is asked for that follows from it."""
    if car.settings.get("ride height") != SOLVE_HEIGHT:
        return
    for axle in car.axles:
        for row in axle.springs:
            is_told = any(row.number(name) is not None for name in FORCES)
            if not KINDS[row.kind].is_solved or axle.has_point(f"{row.name} inner") or is_told:
                continue
            found = f"the {axle.name} {row.name} has neither free_length nor preload"
            rule = f"with ride height = {SOLVE_HEIGHT} the car stands where its springs as given carry it"
            mend = "fill in one of them, or set ride height = solve preload on the sheet Suspension"
            report.error("no-force", row.places["name"], found, rule, mend)
